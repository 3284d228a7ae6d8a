//! Inputs for pairs of pawns on the same file or on files close to each other.
//!
//! List the pawns file by file. Then the pawns before one in the list that are on its own file or on one of a few files
//! to the left are one piece of the list:
//!
//! ```text
//! pawns        a2 a5 b2 b6 c3 d4 d5        by file, then by rank
//! before d4                c3              from the first pawn of file c
//! before d5                c3 d4
//! ```
//!
//! So a pawn's pairs need no bits to pop and no branches: they are a piece of a list of numbers, eight of them at a
//! time, with the larger and the smaller of the two numbers for each pair. Nearly all pawns have eight partners before
//! them at most, and a list that is too long by some is written over by the next. Compilers turn the eight into
//! vectors on their own, for every set of instructions.
//!
//! Both perspectives have the same pairs in the same order; only the numbers of the pawns differ.
//!
//! With AVX2 the numbers of all pawns of both perspectives are one vector (`avx2/pawn_pairs.rs`).

use super::blocks::{PawnPairInputs, SetError};
use super::number::Place;
use super::portable::transpose;
use setwise::Pieces;

/// How many pairs are written together.
pub(super) const AT_ONCE: usize = 8;

/// A block of pawn pairs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PawnPairs {
    /// The squares of the ranks that count.
    ranks: u64,
    /// How many squares these are, and how many are below them.
    pub(crate) squares: u8,
    pub(crate) below: u8,
    pub(crate) files_apart: u8,
    /// For each square those that a pawn there has pairs with.
    partners: [u64; 64],
}

/// The pawns of a position, file by file, as both perspectives number them.
#[repr(C, align(64))]
pub(crate) struct PawnList {
    /// White's view and black's, with whatever behind the last pawn.
    numbers: [[u16; LINE]; 2],
    pub(super) count: usize,
    /// For each pawn the first one in the list that it has a pair with.
    firsts: [u8; 64],
    /// In place of these, for vectors of few pawns: their places file by file, 8 for the first square of the second file,
    /// with whatever behind the last one,
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only vectors read it"))]
    pub(super) places: [u8; 64 + 8],
    /// how many pawns there are before each file, behind eight zeros,
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only vectors read it"))]
    pub(super) starts: [u8; 16],
    /// and which of the list are black.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only vectors read it"))]
    pub(super) blacks: u16,
}

/// A line of numbers: of 64 pawns, and whatever a vector reads behind them.
const LINE: usize = 64 + 16;

impl PawnList {
    pub(crate) const fn new() -> Self {
        Self {
            count: 0,
            firsts: [0; 64],
            numbers: [[0; LINE]; 2],
            places: [0; 64 + 8],
            starts: [0; 16],
            blacks: 0,
        }
    }
}

impl PawnPairs {
    pub(crate) const fn new(table: &PawnPairInputs) -> Result<Self, SetError> {
        let PawnPairInputs { files_apart, ranks, .. } = *table;
        let [first, last] = ranks;
        if files_apart > 7 {
            return Err(SetError::FilesApart { files: files_apart });
        }
        if first < 1 || first > 4 || last != 9 - first {
            return Err(SetError::Ranks { ranks });
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

    /// How many inputs there are.
    pub(crate) const fn inputs(&self) -> u32 {
        let pawns = 2 * self.squares as u32;
        pawns * (pawns - 1) / 2
    }

    /// No position has more pairs.
    pub(crate) const fn max(&self) -> usize {
        let (mut pairs, mut square) = (0, 0);
        while square < 64 {
            if self.ranks >> square & 1 == 1 {
                pairs += self.partners[square].count_ones() as usize;
            }
            square += 1;
        }
        pairs / 2
    }

    /// No square has more pairs.
    pub(crate) const fn max_of_a_square(&self) -> usize {
        let (mut max, mut square) = (0, 0);
        while square < 64 {
            let partners = self.partners[square].count_ones() as usize;
            if self.ranks >> square & 1 == 1 && partners > max {
                max = partners;
            }
            square += 1;
        }
        max
    }

    /// The pawns that count.
    #[inline(always)]
    pub(super) fn pawns(&self, pieces: &Pieces) -> u64 {
        pieces.pawns & (pieces.white | pieces.black) & self.ranks
    }

    /// The number of a pawn as a perspective sees it, which flips squares.
    #[inline(always)]
    fn number(&self, square: u8, flip: u8, is_enemy: bool) -> u16 {
        let own = u16::from((square ^ flip) & 63).wrapping_sub(self.below.into());
        own.wrapping_add(if is_enemy { self.squares.into() } else { 0 })
    }

    /// Lists the pawns of a position. No square holds two pieces.
    #[inline(always)]
    pub(crate) fn list(&self, pieces: &Pieces, flips: [u8; 2], list: &mut PawnList) {
        let pawns = self.pawns(pieces);
        let by_file = transpose(pawns);
        let black = transpose(pieces.black);
        let mut left = by_file;
        let mut count = 0;
        while left != 0 {
            let place = left.trailing_zeros() as u8 & 63;
            left &= left - 1;
            let is_black = black >> place & 1 == 1;
            let (file, square) = (place >> 3, place >> 3 | (place & 7) << 3);
            let files = file.saturating_sub(self.files_apart);
            let before = by_file & !(u64::MAX << (8 * files));
            list.firsts[count & 63] = before.count_ones() as u8;
            list.numbers[0][count & 63] = self.number(square, flips[0], is_black);
            list.numbers[1][count & 63] = self.number(square, flips[1], !is_black);
            count += 1;
        }
        list.count = count;
    }

    /// Writes the inputs of both perspectives behind `len` others, above a first one, and says how many there are then.
    /// The buffers have space for all inputs of a set and [`SLACK`](super::features::SLACK) more.
    #[inline(always)]
    pub(crate) fn write<N: Place>(
        &self,
        list: &PawnList,
        first: u32,
        mut lens: [usize; 2],
        [white, black]: [&mut [N]; 2],
    ) -> [usize; 2] {
        let PawnList { count, firsts, numbers, .. } = list;
        for pawn in 1..*count {
            let before = usize::from(firsts[pawn & 63]).min(pawn);
            for ((numbers, len), out) in
                numbers.iter().zip(&mut lens).zip([&mut *white, &mut *black])
            {
                let number = numbers[pawn & 63];
                let (mut partner, mut at) = (before, *len);
                loop {
                    eight(
                        &numbers[partner & 63..][..AT_ONCE],
                        number,
                        first,
                        &mut out[at..][..AT_ONCE],
                    );
                    (partner, at) = (partner + AT_ONCE, at + AT_ONCE);
                    if partner >= pawn {
                        break;
                    }
                }
                *len += pawn - before;
            }
        }
        lens
    }

    /// Calls with the inputs of the pairs that the squares of a set bring, each once, among some pawns: white's and
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
            u32::from(self.number(square, flip, is_black == (side == 0)))
        };
        let mut all = (pawns[0] | pawns[1]) & self.ranks;
        changed &= all;
        while changed != 0 {
            let square = changed.trailing_zeros() as u8 & 63;
            changed &= changed - 1;
            // Later squares have no pair with this one any more.
            all &= !(1 << square);
            let own = number(square);
            let mut partners = all & self.partners[usize::from(square)];
            while partners != 0 {
                let other = number(partners.trailing_zeros() as u8 & 63);
                partners &= partners - 1;
                let (high, low) = (own.max(other), own.min(other));
                call(high * (high.wrapping_sub(1)) / 2 + low);
            }
        }
    }
}

/// The inputs of a pawn and eight others.
#[inline(always)]
fn eight<N: Place>(others: &[u16], number: u16, first: u32, out: &mut [N]) {
    let mut inputs = [0; AT_ONCE];
    for (input, &other) in inputs.iter_mut().zip(others) {
        let (high, low) = (number.max(other), number.min(other));
        *input = (high.wrapping_mul(high.wrapping_sub(1)) >> 1).wrapping_add(low);
    }
    for (out, input) in out.iter_mut().zip(inputs) {
        *out = N::of(first + u32::from(input));
    }
}
