//! Square by square: a loop over the men of each board and a look-up for each, as most engines do today.
//!
//! The loops stand here once, for whatever finds the squares that one slider sees: magics (cozy-chess as
//! it comes) or PEXT. For knights, kings and pawns both use cozy-chess's tables.

use cozy_chess::{
    BitBoard, Color, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};

use crate::support::columns::{Column, slices};
use crate::support::inputs::Batch;

/// Finds what one slider sees.
pub trait Sight: Copy {
    fn rook(self, square: Square, occupied: BitBoard) -> BitBoard;

    fn bishop(self, square: Square, occupied: BitBoard) -> BitBoard;
}

/// Black magics: a multiplication and a look-up in 687 KiB.
#[derive(Clone, Copy)]
pub struct Magic;

impl Sight for Magic {
    #[inline(always)]
    fn rook(self, square: Square, occupied: BitBoard) -> BitBoard {
        get_rook_moves(square, occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: BitBoard) -> BitBoard {
        get_bishop_moves(square, occupied)
    }
}

/// The union of a position's eight rays.
#[inline(always)]
pub fn union(sight: impl Sight, occupied: u64, orthogonal: u64, diagonal: u64) -> u64 {
    let occupied = BitBoard(occupied);
    let mut union = BitBoard::EMPTY;
    for square in BitBoard(orthogonal) {
        union |= sight.rook(square, occupied);
    }
    for square in BitBoard(diagonal) {
        union |= sight.bishop(square, occupied);
    }
    union.0
}

#[inline(always)]
fn unions(sight: impl Sight, batch: &Batch, answers: &mut [Column]) {
    let boards = batch.occupied.iter().zip(&*batch.orthogonal).zip(&*batch.diagonal);
    for (attacks, ((&occupied, &orthogonal), &diagonal)) in answers[0].iter_mut().zip(boards) {
        *attacks = union(sight, occupied, orthogonal, diagonal);
    }
}

/// The rays of many boards: each slider's squares, taken apart by masks.
#[inline(always)]
fn rays(sight: impl Sight, batch: &Batch, answers: &mut [Column]) {
    let mut rays: [_; 8] = slices(answers);
    for i in 0..batch.len() {
        let occupied = BitBoard(batch.occupied[i]);
        let mut seen = [0; 8];
        for square in BitBoard(batch.orthogonal[i]) {
            let squares = sight.rook(square, occupied).0;
            let masks = &RAYS[square as usize];
            for direction in 0..4 {
                seen[direction] |= squares & masks[direction];
            }
        }
        for square in BitBoard(batch.diagonal[i]) {
            let squares = sight.bishop(square, occupied).0;
            let masks = &RAYS[square as usize];
            for direction in 4..8 {
                seen[direction] |= squares & masks[direction];
            }
        }
        for (column, seen) in rays.iter_mut().zip(seen) {
            column[i] = seen;
        }
    }
}

/// The squares in each direction from each square of an empty board.
static RAYS: [[u64; 8]; 64] = {
    let mut rays = [[0; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let step = setwise::bitboard::Direction::ALL[direction];
            let mut at = step.step(1 << square);
            while at != 0 {
                rays[square][direction] |= at;
                at = step.step(at);
            }
            direction += 1;
        }
        square += 1;
    }
    rays
};

/// The attack maps of many positions.
#[inline(always)]
fn maps(sight: impl Sight, batch: &Batch, answers: &mut [Column]) {
    let positions = batch.columns();
    let maps: [_; 16] = slices(answers);
    for i in 0..batch.len() {
        let mut sets = [0; 8];
        for (set, column) in sets.iter_mut().zip(positions) {
            *set = column[i];
        }
        let [.., white, black] = sets;
        let occupied = BitBoard(white | black);
        let of_white = side(sight, sets, white, Color::White, occupied);
        let of_black = side(sight, sets, black, Color::Black, occupied);
        for at in 0..8 {
            maps[at][i] = of_white[at];
            maps[8 + at][i] = of_black[at];
        }
    }
}

/// The eight maps of one side.
#[inline(always)]
fn side(
    sight: impl Sight,
    sets: [u64; 8],
    men: u64,
    colour: Color,
    occupied: BitBoard,
) -> [u64; 8] {
    let [pawns, knights, bishops, rooks, queens, kings, ..] = sets;
    let (mut all, mut twice) = (0, 0);
    let mut count = |seen: BitBoard| {
        twice |= all & seen.0;
        all |= seen.0;
        seen.0
    };
    let (mut pawn, mut knight, mut bishop, mut rook, mut queen, mut king) = (0, 0, 0, 0, 0, 0);
    for square in BitBoard(pawns & men) {
        pawn |= count(get_pawn_attacks(square, colour));
    }
    for square in BitBoard(knights & men) {
        knight |= count(get_knight_moves(square));
    }
    for square in BitBoard(bishops & men) {
        bishop |= count(sight.bishop(square, occupied));
    }
    for square in BitBoard(rooks & men) {
        rook |= count(sight.rook(square, occupied));
    }
    for square in BitBoard(queens & men) {
        queen |= count(sight.rook(square, occupied) | sight.bishop(square, occupied));
    }
    for square in BitBoard(kings & men) {
        king |= count(get_king_moves(square));
    }
    [pawn, knight, bishop, rook, queen, king, all, twice]
}

/// cozy-chess as it comes.
pub mod magic {
    use super::{Batch, Column, Magic};

    pub fn unions(batch: &Batch, answers: &mut [Column]) {
        super::unions(Magic, batch, answers);
    }

    pub fn rays(batch: &Batch, answers: &mut [Column]) {
        super::rays(Magic, batch, answers);
    }

    pub fn maps(batch: &Batch, answers: &mut [Column]) {
        super::maps(Magic, batch, answers);
    }
}

/// PEXT in place of the multiplication, with tables of our own.
///
/// cozy-chess has PEXT too, but as a feature that replaces its magics in the whole build and asks for
/// BMI2 when it is compiled; one run could not show both. This is the same method on tables of the same
/// size (841 KiB), filled at the start from the ray walk.
#[cfg(target_arch = "x86_64")]
pub mod pext {
    use core::arch::x86_64::_pext_u64;
    use std::sync::LazyLock;

    use cozy_chess::{BitBoard, Square};
    use setwise::bitboard::{Direction, FILES, RANKS};
    use setwise::reference;

    use super::{Batch, Column, Sight};

    /// All subsets of the relevant squares, over all squares: 102,400 for rooks and 5,248 for bishops.
    const SIZE: usize = 102_400 + 5_248;

    /// The relevant squares for one square, and where its answers begin.
    struct Entry {
        mask: u64,
        offset: u32,
    }

    struct Tables {
        rook: [Entry; 64],
        bishop: [Entry; 64],
        seen: Box<[u64; SIZE]>,
    }

    static TABLES: LazyLock<Tables> = LazyLock::new(|| {
        let mut seen = Vec::with_capacity(SIZE);
        let mut entry = |square, directions: &[Direction]| {
            let offset = seen.len() as u32;
            let rays = |occupied| {
                directions.iter().map(move |&to| (to, reference::ray_from(square, to, occupied)))
            };
            // What stands on the last square of a ray changes nothing.
            let mask = rays(0).fold(0, |mask, (to, ray)| mask | ray & !edge(to));
            let mut subset = 0_u64;
            loop {
                seen.push(rays(subset).fold(0, |seen, (_, ray)| seen | ray));
                subset = subset.wrapping_sub(mask) & mask;
                if subset == 0 {
                    return Entry { mask, offset };
                }
            }
        };
        let rook = std::array::from_fn(|square| entry(square, &Direction::ALL[..4]));
        let bishop = std::array::from_fn(|square| entry(square, &Direction::ALL[4..]));
        let seen = seen.into_boxed_slice().try_into().expect("as many subsets as counted");
        Tables { rook, bishop, seen }
    });

    /// The squares on which rays in a direction end.
    fn edge(direction: Direction) -> u64 {
        let (files, ranks) = direction.offset();
        let file = [FILES[0], 0, FILES[7]][(files + 1) as usize];
        let rank = [RANKS[0], 0, RANKS[7]][(ranks + 1) as usize];
        file | rank
    }

    /// The tables in hand, which proves that the processor has PEXT.
    #[derive(Clone, Copy)]
    pub struct Pext(&'static Tables);

    impl Pext {
        pub fn detect() -> Option<Self> {
            is_x86_feature_detected!("bmi2").then(|| Self(&TABLES))
        }

        #[inline(always)]
        fn look_up(self, entry: &Entry, occupied: BitBoard) -> BitBoard {
            // SAFETY: `detect` has seen that the processor has the instruction.
            let index = unsafe { _pext_u64(occupied.0, entry.mask) };
            BitBoard(self.0.seen[entry.offset as usize + index as usize])
        }
    }

    impl Sight for Pext {
        #[inline(always)]
        fn rook(self, square: Square, occupied: BitBoard) -> BitBoard {
            self.look_up(&self.0.rook[square as usize], occupied)
        }

        #[inline(always)]
        fn bishop(self, square: Square, occupied: BitBoard) -> BitBoard {
            self.look_up(&self.0.bishop[square as usize], occupied)
        }
    }

    #[target_feature(enable = "bmi1,bmi2")]
    pub fn unions(pext: Pext, batch: &Batch, answers: &mut [Column]) {
        super::unions(pext, batch, answers);
    }

    #[target_feature(enable = "bmi1,bmi2")]
    pub fn rays(pext: Pext, batch: &Batch, answers: &mut [Column]) {
        super::rays(pext, batch, answers);
    }

    #[target_feature(enable = "bmi1,bmi2")]
    pub fn maps(pext: Pext, batch: &Batch, answers: &mut [Column]) {
        super::maps(pext, batch, answers);
    }
}
