//! Inputs of pairs of pawns on the same file or on close files.
//!
//! Pawns are listed file by file. The partners of a pawn are the pawns before it on its own file or on one of a few
//! files to the left, so they are contiguous in the list:
//!
//! ```text
//! pawns        a2 a5 b2 b6 c3 d4 d5        by file, then by rank
//! before d4                c3              from the first pawn of file c
//! before d5                c3 d4
//! ```
//!
//! Both perspectives have the same pairs in the same order; only the numbers of the pawns differ. With AVX2, one vector
//! holds the numbers of all pawns from both perspectives (`avx2/pawn_pairs.rs`).

use super::blocks::{PawnPairInputs, SetError};
use super::portable::transpose;
use super::slots::{Number, Output};
use setwise::Pieces;

/// A block of pawn pairs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PawnPairs {
    /// The squares of the ranks that count.
    ranks: u64,
    /// The numbers of squares on these ranks and below them.
    pub(crate) squares: u8,
    pub(crate) below: u8,
    pub(crate) files_apart: u8,
    /// For each square, the squares of possible partners of a pawn on it.
    partners: [u64; 64],
}

/// The pawns of a position: as sets, and if there are at most sixteen, as lists for vector code.
#[repr(C, align(64))]
pub(crate) struct PawnList {
    /// The pawns on the ranks that count.
    pub(super) pawns: u64,
    /// Black's pieces.
    pub(super) black: u64,
    /// The squares of the pawns, numbered file by file: 8 is the first square of the second file. Unspecified after the
    /// last pawn.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only vectors read it"))]
    pub(super) places: [u8; 64 + 8],
    /// Eight zeros, then for each file the number of pawns on earlier files.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only vectors read it"))]
    pub(super) starts: [u8; 16],
    /// One bit per pawn of the list, set if the pawn is black.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only vectors read it"))]
    pub(super) blacks: u16,
}

impl PawnList {
    pub(crate) const fn new() -> Self {
        Self { pawns: 0, black: 0, places: [0; 64 + 8], starts: [0; 16], blacks: 0 }
    }
}

impl PawnPairs {
    pub(crate) const fn new(table: &PawnPairInputs) -> Result<Self, SetError> {
        let PawnPairInputs { files_apart, ranks, .. } = *table;
        let [first, last] = ranks;
        if files_apart > 7 {
            return Err(SetError::FilesApart(files_apart));
        }
        if first < 1 || first > 4 || last != 9 - first {
            return Err(SetError::Ranks(ranks));
        }
        let below = 8 * (first - 1);
        let mut pairs = Self {
            ranks: (u64::MAX >> (2 * below)) << below,
            squares: 64 - 2 * below,
            below,
            files_apart,
            partners: [0; 64],
        };
        let mut square = 0;
        while square < 64 {
            let mut other = 0;
            while other < 64 {
                let files = (square % 8) as i8 - (other % 8) as i8;
                if other != square && files.unsigned_abs() <= files_apart {
                    pairs.partners[square] |= (1 << other) & pairs.ranks;
                }
                other += 1;
            }
            square += 1;
        }
        Ok(pairs)
    }

    /// The number of inputs.
    pub(crate) const fn inputs(&self) -> u32 {
        let pawns = 2 * self.squares as u32;
        pawns * (pawns - 1) / 2
    }

    /// The maximal numbers of pairs in a position and of pairs that contain one square.
    pub(crate) const fn max(&self) -> (usize, usize) {
        let (mut all, mut max_per_square, mut square) = (0, 0, 0);
        while square < 64 {
            if self.ranks >> square & 1 == 1 {
                let partners = self.partners[square].count_ones() as usize;
                all += partners;
                max_per_square = if partners > max_per_square { partners } else { max_per_square };
            }
            square += 1;
        }
        (all / 2, max_per_square)
    }

    /// The number of a pawn in a perspective. `flip` contains the bits to flip in squares.
    #[inline(always)]
    fn number(&self, square: u8, flip: u8, is_enemy: bool) -> u16 {
        let own = u16::from((square ^ flip) & 63).wrapping_sub(self.below.into());
        own.wrapping_add(if is_enemy { self.squares.into() } else { 0 })
    }

    /// Stores the pawns of a position in `list`. No square may hold two pieces.
    #[inline(always)]
    pub(crate) fn list(&self, pieces: &Pieces, list: &mut PawnList) {
        list.pawns = pieces.pawns & (pieces.white | pieces.black) & self.ranks;
        list.black = pieces.black;
    }

    /// Appends the inputs of both perspectives.
    #[inline(always)]
    pub(crate) fn write<N: Number>(&self, list: &PawnList, out: &mut Output<'_, N>) {
        let [by_file, blacks] = [list.pawns, list.black].map(transpose);
        let flips = out.flips;
        let number = |place: u8, side: usize| {
            let is_enemy = (blacks >> place & 1 == 1) == (side == 0);
            self.number(place >> 3 | (place & 7) << 3, flips[side], is_enemy)
        };
        let mut left = by_file;
        while left != 0 {
            let pawn = left.trailing_zeros() as u8 & 63;
            left &= left - 1;
            let numbers = [number(pawn, 0), number(pawn, 1)];
            let first_file = (pawn >> 3).saturating_sub(self.files_apart);
            let mut partners = by_file & !(u64::MAX << pawn) & u64::MAX << (8 * first_file);
            while partners != 0 {
                let partner = partners.trailing_zeros() as u8 & 63;
                partners &= partners - 1;
                for (side, &own) in numbers.iter().enumerate() {
                    let input = input(own, number(partner, side));
                    out.push(side, out.firsts[side] + input, true);
                }
            }
        }
    }

    /// Calls a closure once with the input of each pair that contains a square of a set. `pawns` are white's and
    /// black's.
    #[inline(always)]
    pub(crate) fn each_of(
        &self,
        mut changed: u64,
        pawns: [u64; 2],
        flip: u8,
        side: usize,
        mut call: impl FnMut(u32),
    ) {
        let number = |square: u8| {
            let is_black = pawns[1] >> square & 1 == 1;
            self.number(square, flip, is_black == (side == 0))
        };
        let mut all = (pawns[0] | pawns[1]) & self.ranks;
        changed &= all;
        while changed != 0 {
            let square = changed.trailing_zeros() as u8 & 63;
            changed &= changed - 1;
            // All pairs with this square follow; later squares skip it.
            all &= !(1 << square);
            let own = number(square);
            let mut partners = all & self.partners[usize::from(square)];
            while partners != 0 {
                let other = number(partners.trailing_zeros() as u8 & 63);
                partners &= partners - 1;
                call(input(own, other));
            }
        }
    }
}

/// The input of two pawns, given their numbers.
#[inline(always)]
fn input(one: u16, other: u16) -> u32 {
    let (high, low) = (u32::from(one.max(other)), u32::from(one.min(other)));
    high * high.wrapping_sub(1) / 2 + low
}
