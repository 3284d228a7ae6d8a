//! The board as a `u64`: numbering, masks, barriers, directions, reversals, and drawings.
//!
//! Square a1 is bit 0, h1 is bit 7, a8 is bit 56 and h8 is bit 63. A rank is a byte. North (towards rank 8) and east
//! (towards the h-file) lead to higher bits. A board numbered from a8 is this one upside down ([`flip_vertical`]):
//! results for sliders, knights and kings are the same, flipped, and pawns of the two colours swap.

use core::fmt;
use core::ops::{Index, IndexMut};

use crate::names::named;

/// The eight files, a to h.
pub const FILES: [u64; 8] = lines(0, 1, 0);

/// The eight ranks, 1 to 8.
pub const RANKS: [u64; 8] = lines(0, 0, 1);

/// The fifteen diagonals (south-west to north-east), numbered by `7 + rank - file`: h1 alone is 0, a1–h8
/// is 7, a8 alone is 14.
pub const DIAGONALS: [u64; 15] = lines(7, -1, 1);

/// The fifteen antidiagonals (south-east to north-west), numbered by `rank + file`: a1 alone is 0,
/// h1–a8 is 7, h8 alone is 14.
pub const ANTIDIAGONALS: [u64; 15] = lines(0, 1, 1);

/// Lines, numbered by a linear function of file and rank: `first` for a1, `file` and `rank` more for each step.
const fn lines<const COUNT: usize>(first: isize, file: isize, rank: isize) -> [u64; COUNT] {
    let mut lines = [0; COUNT];
    let mut square = 0;
    while square < 64 {
        lines[(first + file * (square % 8) + rank * (square / 8)) as usize] |= 1 << square;
        square += 1;
    }
    lines
}

/// The overflow barrier for rays that go east: the h-file, where every such ray ends.
///
/// A subtraction for rays to the east must not borrow from the next rank (or from the next half of a wrapped diagonal).
/// If the bit on the h-file is always set, it takes the borrow. A ray includes the square that stops it, so the result
/// is the same with and without the barrier.
pub const EAST_BARRIER: u64 = FILES[7];

/// The overflow barrier for rays that go west: the a-file.
///
/// See [`EAST_BARRIER`]. Rays to the west are computed on a board that is reversed rank by rank, where the a-file takes
/// the place of the h-file.
pub const WEST_BARRIER: u64 = FILES[0];

/// One of the eight directions a king can step in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// Towards rank 8: +8.
    North,
    /// Towards rank 1: −8.
    South,
    /// Towards the h-file: +1.
    East,
    /// Towards the a-file: −1.
    West,
    /// +9.
    NorthEast,
    /// +7.
    NorthWest,
    /// −7.
    SouthEast,
    /// −9.
    SouthWest,
}

impl Direction {
    /// All eight directions: the four of the rook, then the four of the bishop. Wherever this crate returns eight rays,
    /// they are in this order.
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::South,
        Self::East,
        Self::West,
        Self::NorthEast,
        Self::NorthWest,
        Self::SouthEast,
        Self::SouthWest,
    ];

    /// The direction's step in files and in ranks.
    #[inline]
    #[must_use]
    pub const fn offset(self) -> (i8, i8) {
        match self {
            Self::North => (0, 1),
            Self::South => (0, -1),
            Self::East => (1, 0),
            Self::West => (-1, 0),
            Self::NorthEast => (1, 1),
            Self::NorthWest => (-1, 1),
            Self::SouthEast => (1, -1),
            Self::SouthWest => (-1, -1),
        }
    }

    /// The reverse direction.
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self::ALL[[1, 0, 3, 2, 7, 6, 5, 4][self as usize]]
    }

    /// Returns whether rooks move in this direction (otherwise bishops do).
    #[inline]
    #[must_use]
    pub const fn is_orthogonal(self) -> bool {
        matches!(self, Self::North | Self::South | Self::East | Self::West)
    }

    /// Moves every square of a set one step; squares that leave the board are dropped.
    ///
    /// ```
    /// use setwise::bitboard::{Direction, FILES};
    /// assert_eq!(Direction::East.step(FILES[6]), FILES[7]);
    /// assert_eq!(Direction::East.step(FILES[7]), 0);
    /// ```
    #[inline]
    #[must_use]
    pub const fn step(self, set: u64) -> u64 {
        let (by, landing) = self.shift();
        shift(set, by) & landing
    }

    /// The number of bits by which a step shifts a set, and the squares on which it can end.
    #[inline(always)]
    pub(crate) const fn shift(self) -> (i32, u64) {
        let (file, rank) = self.offset();
        let landing = match file {
            1 => !FILES[0],
            -1 => !FILES[7],
            _ => !0,
        };
        (8 * rank as i32 + file as i32, landing)
    }
}

named! {
    /// The name of the direction, such as `north-east`. [`Display`](core::fmt::Display) writes it, and
    /// [`FromStr`](core::str::FromStr) reads it.
    ///
    /// ```
    /// use setwise::bitboard::Direction;
    /// assert_eq!("north-east".parse(), Ok(Direction::NorthEast));
    /// ```
    Direction, "direction":
    "north" "south" "east" "west" "north-east" "north-west" "south-east" "south-west"
}

/// A value for each of the eight directions, indexed by [`Direction`].
///
/// The values lie in memory in the order of [`Direction::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct ByDirection<T>(
    /// The values, in the order of [`Direction::ALL`].
    pub [T; 8],
);

impl<T> Index<Direction> for ByDirection<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, direction: Direction) -> &T {
        &self.0[direction as usize]
    }
}

impl<T> IndexMut<Direction> for ByDirection<T> {
    #[inline(always)]
    fn index_mut(&mut self, direction: Direction) -> &mut T {
        &mut self.0[direction as usize]
    }
}

impl<T> From<[T; 8]> for ByDirection<T> {
    #[inline(always)]
    fn from(values: [T; 8]) -> Self {
        Self(values)
    }
}

/// Shifts a set, to the higher bits if the number is positive.
#[inline(always)]
pub(crate) const fn shift(set: u64, by: i32) -> u64 {
    if by > 0 { set << by } else { set >> -by }
}

/// Mirrors every rank: reverses the bits of each byte, so that files a and h change places.
#[inline]
#[must_use]
pub const fn reverse_ranks(board: u64) -> u64 {
    board.swap_bytes().reverse_bits()
}

/// Turns the board upside down: reverses the bytes, so that ranks 1 and 8 change places.
#[inline]
#[must_use]
pub const fn flip_vertical(board: u64) -> u64 {
    board.swap_bytes()
}

/// The lowest square of a set that is not empty.
#[inline(always)]
pub(crate) fn square_of(set: u64) -> u8 {
    set.trailing_zeros() as u8
}

/// Iterates over the squares of a set.
#[inline(always)]
pub(crate) fn squares(mut set: u64) -> impl Iterator<Item = u8> {
    core::iter::from_fn(move || {
        let square = (set != 0).then(|| square_of(set))?;
        set &= set - 1;
        Some(square)
    })
}

/// Displays a set of squares as a board: rank 8 on top, `x` for squares in the set, `.` for the others, file letters
/// below.
///
/// ```
/// use setwise::bitboard::Drawing;
/// let knight_on_a1 = 0x0002_0400;
/// let board = Drawing(knight_on_a1).to_string();
/// assert!(board.starts_with("8  . . . . . . . .\n7  . . . . . . . .\n"));
/// assert!(board.contains("2  . . x . . . . .\n1"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Drawing(
    /// The set to draw.
    pub u64,
);

impl fmt::Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        draw(f, |square| if self.0 >> square & 1 == 1 { 'x' } else { '.' })
    }
}

/// Draws a board, given the letter of each square.
pub(crate) fn draw(f: &mut fmt::Formatter<'_>, letter: impl Fn(u8) -> char) -> fmt::Result {
    for rank in (0..8).rev() {
        write!(f, "{} ", rank + 1)?;
        for file in 0..8 {
            write!(f, " {}", letter(8 * rank + file))?;
        }
        f.write_str("\n")?;
    }
    f.write_str("\n   a b c d e f g h")
}

/// Creates a set of squares from a drawing: eight rows of eight `x` and `.`, rank 8 first, as [`Drawing`] prints them
/// without its border. It can be used in constants.
///
/// A drawing of another size does not compile.
///
/// ```
/// const KNIGHT_ON_A1: u64 = setwise::board! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . x . . . . . .
///     . . x . . . . .
///     . . . . . . . .
/// };
/// assert_eq!(KNIGHT_ON_A1, setwise::leaper::KNIGHT_ATTACKS[0]);
/// ```
#[macro_export]
macro_rules! board {
    ($($square:tt)*) => {
        const { $crate::bitboard::from_squares(concat!($(stringify!($square)),*)) }
    };
}

/// Parses the squares of [`board!`](crate::board!): 64 characters from a8 to h1.
#[doc(hidden)]
#[must_use]
pub const fn from_squares(squares: &str) -> u64 {
    let squares = squares.as_bytes();
    assert!(squares.len() == 64, "a board is eight rows of eight `x` or `.`, with spaces between");
    let mut board = 0;
    let mut i = 0;
    while i < 64 {
        match squares[i] {
            b'x' => board |= 1 << (8 * (7 - i / 8) + i % 8),
            b'.' => {}
            _ => panic!("a square is `x` or `.`"),
        }
        i += 1;
    }
    board
}
