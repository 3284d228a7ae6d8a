//! Pawns, knights and kings: set-wise for any number of boards, and as tables by square.

use crate::bitboard::Direction::{
    East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West,
};
use crate::boards::Boards;
use crate::pieces::Colour;

/// The squares that pawns of a colour capture on. 2 steps.
///
/// ```
/// use setwise::{leaper, Colour};
/// let e2 = 1u64 << 12;
/// assert_eq!(leaper::pawns(Colour::White, e2), 1 << 19 | 1 << 21); // d3 and f3
/// ```
#[inline(always)]
#[must_use]
pub fn pawns<B: Boards>(colour: Colour, pawns: B) -> B {
    match colour {
        Colour::White => pawns.north_east() | pawns.north_west(),
        Colour::Black => pawns.south_east() | pawns.south_west(),
    }
}

/// The squares that knights leap to. 4 steps along ranks, 6 along files.
///
/// ```
/// let a1 = 1u64;
/// assert_eq!(setwise::leaper::knights(a1), 1 << 17 | 1 << 10); // b3 and c2
/// ```
#[inline(always)]
#[must_use]
pub fn knights<B: Boards>(knights: B) -> B {
    let (east, west) = (knights.east(), knights.west());
    let one = east | west;
    let two = east.east() | west.west();
    one.north().north() | one.south().south() | two.north() | two.south()
}

/// The squares that kings step to. 2 steps along ranks, 2 along files.
///
/// ```
/// let a1 = 1u64;
/// assert_eq!(setwise::leaper::kings(a1), 1 << 1 | 1 << 8 | 1 << 9);
/// ```
#[inline(always)]
#[must_use]
pub fn kings<B: Boards>(kings: B) -> B {
    let sides = kings.east() | kings.west();
    let row = kings | sides;
    sides | row.north() | row.south()
}

/// [`pawns`] for one square: `PAWN_ATTACKS[colour as usize][square]`. 1 KiB.
///
/// ```
/// use setwise::{leaper, Colour};
/// assert_eq!(leaper::PAWN_ATTACKS[Colour::Black as usize][48], 1 << 41); // a7 captures on b6
/// ```
pub const PAWN_ATTACKS: [[u64; 64]; 2] = {
    let mut table = [[0; 64]; 2];
    let mut square = 0;
    while square < 64 {
        let pawn = 1 << square;
        table[0][square] = NorthEast.step(pawn) | NorthWest.step(pawn);
        table[1][square] = SouthEast.step(pawn) | SouthWest.step(pawn);
        square += 1;
    }
    table
};

/// [`knights`] for one square. 512 bytes.
pub const KNIGHT_ATTACKS: [u64; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let knight = 1 << square;
        table[square] = North.step(NorthEast.step(knight) | NorthWest.step(knight))
            | South.step(SouthEast.step(knight) | SouthWest.step(knight))
            | East.step(NorthEast.step(knight) | SouthEast.step(knight))
            | West.step(NorthWest.step(knight) | SouthWest.step(knight));
        square += 1;
    }
    table
};

/// [`kings`] for one square. 512 bytes.
pub const KING_ATTACKS: [u64; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            table[square] |= crate::bitboard::Direction::ALL[direction].step(1 << square);
            direction += 1;
        }
        square += 1;
    }
    table
};
