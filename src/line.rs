//! Attacks of a single slider, by hyperbola quintessence along its lines, and the lines through two squares, all usable
//! in `const`. Also masks and subsets for engines that build their own tables.
//!
//! The only tables are those of the fifteen diagonals and antidiagonals, 120 bytes each, and one of 2 KB for [`between`].
//! [`Masks`] take 2 KB and make hot loops faster.
//!
//! The fastest method depends on the loop. Times for a rook, a bishop and a queen on Zen 4 with BMI2, relative to these
//! functions (`ratios -- one-slider` prints yours; those of PEXT depend on the address of its tables):
//!
//! | rook / bishop / queen | `line` (240 bytes) | `Masks` (2 KB) | three lines in a vector (2.5 KB) | PEXT (841 KB) |
//! |---|--:|--:|--:|--:|
//! | a hot loop | 1 | 0.7 / 0.7 / 0.6 | 0.8 / 0.6 / 0.4 | 0.5 to 0.9 / 0.3 / 0.4 to 0.6 |
//! | each depends on the previous result | 1 | 0.8 / 0.8 / 0.7 | 0.9 / 1.1 / 1.0 | 3 to 4 / 1.0 / 2 to 3 |
//! | after 256 KB of other data | 1 | 0.8 / 1.5 / 0.2 | 0.6 / 1.7 / 0.2 | 11 to 22 / 3 / 2 to 4 |
//!
//! A search waits for one result at a time, and the network's weights evict its tables from the cache; there, these
//! functions and [`Masks`] win.
//!
//! With a single slider `r` and the blockers `o` of its line, `o ^ (o - 2r)` is the ray towards the higher bits. The
//! same on the reversed board is the ray towards the lower bits. The two rays never meet, so xor combines them and also
//! removes `o`: `(o - 2r) ^ reverse(o' - 2r')`. `swap_bytes` reverses files and diagonals. It does not reverse a rank;
//! there the first blocker below is the highest bit.
//!
//! It makes no difference whether the slider's own square is occupied. A line takes about ten operations. Every
//! function panics if a square is above 63.
//!
//! ```
//! use setwise::line;
//! let (a3, b1, c3, e1) = (1 << 16, 1 << 1, 1 << 18, 1 << 4);
//! assert_eq!(line::rank_attacks(2, b1 | e1), 0b0001_1010); // from c1: b1, d1, e1
//! assert_eq!(line::file_attacks(0, a3), 1 << 8 | a3);
//! assert_eq!(line::diagonal_attacks(0, c3), 1 << 9 | c3);
//! const ROOK_ON_A1: u64 = line::rook_attacks(0, 0);
//! assert_eq!(ROOK_ON_A1, 0x0101_0101_0101_01fe);
//! ```

use core::iter::successors;

use crate::bitboard::{ANTIDIAGONALS, DIAGONALS, FILES, RANKS};

/// The squares seen along the rank, to both sides up to and including the first one in `occupied`.
#[inline]
#[must_use]
#[track_caller]
pub const fn rank_attacks(square: u8, occupied: u64) -> u64 {
    let slider = bit(square);
    along_rank(rank(square) ^ slider, square, occupied)
}

/// The squares seen along the file, to both sides up to and including the first one in `occupied`.
#[inline]
#[must_use]
#[track_caller]
pub const fn file_attacks(square: u8, occupied: u64) -> u64 {
    let slider = bit(square);
    hyperbola(file(square) ^ slider, square, occupied)
}

/// The squares seen along the diagonal (south-west to north-east), to both sides up to and including
/// the first one in `occupied`.
#[inline]
#[must_use]
#[track_caller]
pub const fn diagonal_attacks(square: u8, occupied: u64) -> u64 {
    let slider = bit(square);
    hyperbola(diagonal(square) ^ slider, square, occupied)
}

/// The squares seen along the antidiagonal (south-east to north-west), to both sides up to and
/// including the first one in `occupied`.
#[inline]
#[must_use]
#[track_caller]
pub const fn antidiagonal_attacks(square: u8, occupied: u64) -> u64 {
    let slider = bit(square);
    hyperbola(antidiagonal(square) ^ slider, square, occupied)
}

/// The squares that a rook attacks along its rank and file.
#[inline]
#[must_use]
#[track_caller]
#[doc(alias = "rook_moves")]
#[doc(alias = "sliding_attacks")]
pub const fn rook_attacks(square: u8, occupied: u64) -> u64 {
    rank_attacks(square, occupied) | file_attacks(square, occupied)
}

/// The squares that a bishop attacks along its diagonals.
#[inline]
#[must_use]
#[track_caller]
#[doc(alias = "bishop_moves")]
pub const fn bishop_attacks(square: u8, occupied: u64) -> u64 {
    diagonal_attacks(square, occupied) | antidiagonal_attacks(square, occupied)
}

/// The squares that a queen attacks along all four lines.
#[inline]
#[must_use]
#[track_caller]
#[doc(alias = "queen_moves")]
pub const fn queen_attacks(square: u8, occupied: u64) -> u64 {
    rook_attacks(square, occupied) | bishop_attacks(square, occupied)
}

/// The whole line from edge to edge through two squares, both included; the empty set if they share no
/// rank, file or diagonal, or are the same square.
///
/// ```
/// use setwise::{bitboard::DIAGONALS, line};
/// assert_eq!(line::line_through(9, 27), DIAGONALS[7]); // b2 and d4
/// assert_eq!(line::line_through(0, 10), 0); // a1 and c2
/// ```
#[inline]
#[must_use]
#[track_caller]
#[doc(alias = "line_bb")]
pub const fn line_through(a: u8, b: u8) -> u64 {
    let (a_only, b_only) = (bit(a), bit(b));
    let mut through = 0;
    let lines = [rank(a), file(a), diagonal(a), antidiagonal(a)];
    let mut i = 0;
    while i < 4 {
        if lines[i] & b_only & !a_only != 0 {
            through |= lines[i];
        }
        i += 1;
    }
    through
}

/// The ray from `a` that passes `b`, up to the edge: the squares between, `b` and all [`beyond`] it. Empty where
/// [`line_through`] is. A piece on `b` that is pinned to a king on `a` may move along it.
///
/// ```
/// use setwise::line;
/// assert_eq!(line::ray_pass(2, 4), 0b1111_1000); // from c1 past e1
/// assert_eq!(line::ray_pass(4, 2), 0b0000_1111);
/// ```
#[inline]
#[must_use]
#[track_caller]
#[doc(alias = "ray_pass_bb")]
pub const fn ray_pass(a: u8, b: u8) -> u64 {
    line_through(a, b) & if b > a { !1 << a } else { !(u64::MAX << a) }
}

/// The squares that lie beyond `b`, seen from `a`; empty where [`line_through`] is.
#[inline]
#[must_use]
#[track_caller]
pub const fn beyond(a: u8, b: u8) -> u64 {
    line_through(a, b) & if b > a { !1 << b } else { !(u64::MAX << b) }
}

/// The squares strictly between two squares; the empty set if they share no rank, file or diagonal.
///
/// ```
/// use setwise::line;
/// assert_eq!(line::between(0, 3), 0b0110); // a1 and d1
/// assert_eq!(line::between(3, 0), 0b0110);
/// assert_eq!(line::between(0, 10), 0); // a1 and c2
/// ```
#[inline]
#[must_use]
#[track_caller]
pub const fn between(a: u8, b: u8) -> u64 {
    assert!(a < 64 && b < 64, "a square is 0 to 63");
    between_valid(a, b)
}

/// [`between`] for squares that are known to be valid.
#[inline(always)]
pub(crate) const fn between_valid(a: u8, b: u8) -> u64 {
    BETWEEN[wide(b).wrapping_sub(wide(a)) as usize].rotate_left(a as u32)
}

/// The squares between two squares, rotated to the first one, by the difference of their [`wide`] numbers. 2 KB.
static BETWEEN: [u64; 256] = {
    let (mut table, mut at) = ([0; 256], 0);
    while at < 64 * 64 {
        let (a, b) = ((at / 64) as u8, (at % 64) as u8);
        // From the lower square to the one below the higher; then without the lower.
        let span = (u64::MAX << a) ^ (u64::MAX << b);
        let between = line_through(a, b) & span & span.wrapping_sub(1);
        table[wide(b).wrapping_sub(wide(a)) as usize] = between.rotate_right(a as u32);
        at += 1;
    }
    table
};

/// The number of a square on a board with ranks of 16 squares: the difference of two tells the line through them.
#[inline(always)]
const fn wide(square: u8) -> u8 {
    square.wrapping_add(square & 56)
}

/// The file and both diagonals of each square, and the attacks along a rank: 2 KB, for loops that look up many sliders.
///
/// ```
/// use setwise::line::{self, Masks};
/// static MASKS: Masks = Masks::new();
/// assert_eq!(MASKS.queen_attacks(27, 1 << 43), line::queen_attacks(27, 1 << 43));
/// ```
#[derive(Clone, Debug)]
pub struct Masks {
    diagonals: [u64; 64],
    antidiagonals: [u64; 64],
    files: [u64; 64],
    /// Attacks along the first rank, by the six blockers from b to g (the first index) and the file of the slider.
    first_rank: [[u8; 8]; 64],
}

impl Masks {
    /// Computes the masks; store them in a `static`.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "2 KB to be made once")]
    pub const fn new() -> Self {
        let (mut files, mut diagonals, mut antidiagonals) = ([0; 64], [0; 64], [0; 64]);
        let mut first_rank = [[0; 8]; 64];
        let mut at = 0;
        while at < 64 {
            let square = at as u8;
            files[at] = file(square) ^ bit(square);
            diagonals[at] = diagonal(square) ^ bit(square);
            antidiagonals[at] = antidiagonal(square) ^ bit(square);
            let mut slider = 0;
            while slider < 8 {
                first_rank[at][slider] = rank_attacks(slider as u8, (at as u64) << 1) as u8;
                slider += 1;
            }
            at += 1;
        }
        Self { diagonals, antidiagonals, files, first_rank }
    }

    /// [`rook_attacks`].
    #[inline]
    #[must_use]
    #[track_caller]
    pub const fn rook_attacks(&self, square: u8, occupied: u64) -> u64 {
        _ = bit(square);
        let first = square & 56;
        let blockers = occupied >> first >> 1 & 63;
        let along_rank = self.first_rank[blockers as usize][(square & 7) as usize] as u64;
        along_rank << first | hyperbola(self.files[square as usize], square, occupied)
    }

    /// [`bishop_attacks`].
    #[inline]
    #[must_use]
    #[track_caller]
    pub const fn bishop_attacks(&self, square: u8, occupied: u64) -> u64 {
        _ = bit(square);
        hyperbola(self.diagonals[square as usize], square, occupied)
            | hyperbola(self.antidiagonals[square as usize], square, occupied)
    }

    /// [`queen_attacks`].
    #[inline]
    #[must_use]
    #[track_caller]
    pub const fn queen_attacks(&self, square: u8, occupied: u64) -> u64 {
        self.rook_attacks(square, occupied) | self.bishop_attacks(square, occupied)
    }
}

/// The squares on which a piece can change the attacks of a rook: its rank and file without the squares at the ends,
/// which are attacked anyway. 12 squares in the corners, 11 on the edges, 10 inside.
///
/// ```
/// use setwise::line;
/// assert_eq!(line::rook_relevant_occupancy(0), 0x0001_0101_0101_017e);
/// ```
#[inline]
#[must_use]
#[track_caller]
pub const fn rook_relevant_occupancy(square: u8) -> u64 {
    let rook = bit(square);
    let along_rank = rank(square) & !(FILES[0] | FILES[7]);
    let along_file = file(square) & !(RANKS[0] | RANKS[7]);
    (along_rank | along_file) & !rook
}

/// The squares on which a piece can change the attacks of a bishop: its diagonals without the squares at the ends,
/// which are attacked anyway. 6 squares in the corners, 5 along the edges and in the ring next to them, then 7, and 9
/// in the centre.
#[inline]
#[must_use]
#[track_caller]
pub const fn bishop_relevant_occupancy(square: u8) -> u64 {
    let bishop = bit(square);
    let edges = FILES[0] | FILES[7] | RANKS[0] | RANKS[7];
    (diagonal(square) | antidiagonal(square)) & !edges & !bishop
}

/// All subsets of a set, from the empty set to the set itself, in numerical order. Three operations each.
///
/// ```
/// let subsets: Vec<u64> = setwise::line::subsets(0b1010).collect();
/// assert_eq!(subsets, [0b0000, 0b0010, 0b1000, 0b1010]);
/// ```
pub fn subsets(mask: u64) -> impl Iterator<Item = u64> + Clone {
    // Adds 1 within the mask: the carry ripples through the squares outside it.
    successors(Some(0), move |&subset: &u64| {
        Some(subset.wrapping_sub(mask) & mask).filter(|&next| next != 0)
    })
}

/// The rays to both sides along a rank, given without the slider: by subtraction from the nearest blocker below, which
/// may be on a lower rank.
#[inline(always)]
const fn along_rank(rank: u64, square: u8, occupied: u64) -> u64 {
    let below = occupied & !(u64::MAX << square);
    let above = occupied & !1 << square;
    // If there is no blocker below, a1 serves as one.
    let blocker = 1 << 63 >> (below | 1).leading_zeros();
    rank & (above ^ above.wrapping_sub(blocker))
}

/// The rays to both sides along a file or a diagonal, given without the slider.
#[inline(always)]
const fn hyperbola(line: u64, square: u8, occupied: u64) -> u64 {
    let (next_up, next_down) = (2 << square, 2 << (square ^ 56));
    let blockers = occupied & line;
    let up = blockers.wrapping_sub(next_up);
    let down = blockers.swap_bytes().wrapping_sub(next_down).swap_bytes();
    (up ^ down) & line
}

/// The square as a set. Every function calls this first, because it validates the square.
#[inline(always)]
#[track_caller]
const fn bit(square: u8) -> u64 {
    assert!(square < 64, "a square is 0 to 63");
    1 << square
}

#[inline(always)]
const fn rank(square: u8) -> u64 {
    RANKS[0] << (square & 56)
}

#[inline(always)]
const fn file(square: u8) -> u64 {
    FILES[0] << (square & 7)
}

#[inline(always)]
const fn diagonal(square: u8) -> u64 {
    DIAGONALS[(7 + square / 8 - square % 8) as usize]
}

#[inline(always)]
const fn antidiagonal(square: u8) -> u64 {
    ANTIDIAGONALS[(square / 8 + square % 8) as usize]
}
