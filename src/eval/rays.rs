//! The rays of a side's sliders, and x-rays through one piece.

use core::ops::Index;

use crate::bitboard::{ByDirection, Direction};
use crate::boards::{Boards, called};
use crate::pieces::{Colour, Pieces};

/// The rays of all sliders of one side in all eight directions, computed by [`rays`].
///
/// Rays are indexed by [`Direction`]: rooks and queens have the orthogonal ones, bishops and queens the diagonal ones.
/// In any one direction, at most one slider attacks a given square, so a ray also determines which slider attacks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rays<B> {
    pub(super) colour: Colour,
    pub(super) rays: ByDirection<B>,
}

impl<B> Rays<B> {
    /// The side that the sliders belong to.
    #[inline(always)]
    #[must_use]
    pub fn colour(&self) -> Colour {
        self.colour
    }
}

impl<B> Index<Direction> for Rays<B> {
    type Output = B;

    #[inline(always)]
    fn index(&self, direction: Direction) -> &B {
        &self.rays[direction]
    }
}

/// The rays of a side's sliders in all eight directions. All pieces block. 8 rays.
///
/// ```
/// use setwise::{Colour, Pieces, bitboard::Direction, eval};
/// let rays = eval::rays(&Pieces::START, Colour::White);
/// // The rooks and the queen attack the pawns ahead of them.
/// assert_eq!(rays[Direction::North], 0b1000_1001 << 8);
/// ```
#[inline(always)]
#[must_use]
pub fn rays<B: Boards>(position: &Pieces<B>, colour: Colour) -> Rays<B> {
    let (orthogonal, diagonal) = (position.orthogonal(colour), position.diagonal(colour));
    Rays { colour, rays: ByDirection(slider_rays(&orthogonal, &diagonal, &position.occupied())) }
}

called! {
    /// The squares that a side's sliders attack through exactly one piece of either colour: the squares beyond that
    /// piece, up to and including the next one.
    ///
    /// Every ray is cast again, in its own direction, from the piece that it hit: 8 rays. (Removing all hit pieces from
    /// the board at once would let a slider attack through two.)
    ///
    /// ```
    /// use setwise::{Colour, Fen, bitboard::FILES, eval};
    /// let pieces = Fen::parse("4k3/8/8/8/8/8/PP6/R3K3 w - - 0 1")?.pieces;
    /// let rays = eval::rays(&pieces, Colour::White);
    /// let behind = FILES[0] & !0xffff | 0b1110_0000; // a3 to a8, f1 to h1
    /// assert_eq!(eval::x_rays(&pieces, &rays), behind);
    /// # Ok::<(), setwise::fen::FenError>(())
    /// ```
    #[must_use]
    pub fn x_rays<'a, B: Boards>(position: &'a Pieces<B>, rays: &'a Rays<B>) -> B {
        let occupied = position.occupied();
        let (o, [a, b, c, d, e, f, g, h]) = (occupied, rays.rays.0);
        let hits = [a & o, b & o, c & o, d & o, e & o, f & o, g & o, h & o];
        let [a, b, c, d, e, f, g, h] = each_ray(hits.each_ref(), &occupied);
        ((a | b) | (c | d)) | ((e | f) | (g | h))
    }
}

/// The eight rays of orthogonal and diagonal sliders, in the order of [`Direction::ALL`].
#[inline(always)]
pub(crate) fn slider_rays<B: Boards>(orthogonal: &B, diagonal: &B, occupied: &B) -> [B; 8] {
    let (o, d) = (orthogonal, diagonal);
    each_ray([o, o, o, o, d, d, d, d], occupied)
}

called! {
    /// One ray per direction, each from its own set, in the order of [`Direction::ALL`].
    pub(crate) fn each_ray<'a, B: Boards>(sets: [&'a B; 8], occupied: &'a B) -> [B; 8] {
        [
            sets[0].ray(Direction::North, *occupied),
            sets[1].ray(Direction::South, *occupied),
            sets[2].ray(Direction::East, *occupied),
            sets[3].ray(Direction::West, *occupied),
            sets[4].ray(Direction::NorthEast, *occupied),
            sets[5].ray(Direction::NorthWest, *occupied),
            sets[6].ray(Direction::SouthEast, *occupied),
            sets[7].ray(Direction::SouthWest, *occupied),
        ]
    }
}
