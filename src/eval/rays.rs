//! The rays of a side's sliders, and x-rays through one piece.

use core::ops::Index;

use crate::bitboard::{ByDirection, Direction};
use crate::boards::{Boards, called};
use crate::pieces::{Colour, Pieces};

/// The rays of one side in all eight directions, all roles together: [`rays`].
///
/// A ray is indexed by its [`Direction`]: rooks and queens have the orthogonal ones, bishops and queens the diagonal
/// ones. In any one direction, at most one slider attacks a given square, so a ray also determines which slider attacks
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rays<B> {
    pub(super) colour: Colour,
    pub(super) rays: ByDirection<B>,
}

impl<B> Rays<B> {
    /// The side whose sliders these are.
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

called! {
    /// The rays of a side's sliders in all eight directions. All pieces block. 8 rays.
    ///
    /// ```
    /// use setwise::{Colour, Pieces, bitboard::Direction, eval};
    /// let rays = eval::rays(&Pieces::START, Colour::White);
    /// // The rooks and the queen attack the pawns ahead of them.
    /// assert_eq!(rays[Direction::North], 0b1000_1001 << 8);
    /// ```
    #[must_use]
    pub fn rays<'a, B: Boards>(position: &'a Pieces<B>, colour: Colour) -> Rays<B> {
        let occupied = position.occupied();
        let (orthogonal, diagonal) = (position.orthogonal(colour), position.diagonal(colour));
        let [north, south, east, west] = rook_rays(orthogonal, occupied);
        let [north_east, north_west, south_east, south_west] = bishop_rays(diagonal, occupied);
        let rays = [north, south, east, west, north_east, north_west, south_east, south_west];
        Rays { colour, rays: ByDirection(rays) }
    }
}

called! {
    /// The squares that a side's sliders attack through exactly one piece of either colour: behind that piece, up to and
    /// including the next one.
    ///
    /// Every ray is cast again in its own direction from the piece that it hit: 8 rays. It would be wrong to take all hit
    /// pieces off the board at once. If two pieces stand in a row and each is hit from its own end, both would go, and each
    /// slider would attack through two pieces. Also, a piece that is hit along a file would no longer block a ray along a
    /// rank.
    ///
    /// ```
    /// use setwise::{Colour, Fen, board, eval};
    /// let pieces = Fen::parse("4k3/8/8/8/8/8/PP6/R3K3 w - - 0 1")?.pieces;
    /// let rays = eval::rays(&pieces, Colour::White);
    /// assert_eq!(eval::x_rays(&pieces, &rays), board! {
    ///     x . . . . . . .
    ///     x . . . . . . .
    ///     x . . . . . . .
    ///     x . . . . . . .
    ///     x . . . . . . .
    ///     x . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . x x x
    /// });
    /// # Ok::<(), setwise::fen::FenError>(())
    /// ```
    #[must_use]
    pub fn x_rays<'a, B: Boards>(position: &'a Pieces<B>, rays: &'a Rays<B>) -> B {
        let occupied = position.occupied();
        macro_rules! behind {
            ($direction:ident) => {
                (rays[Direction::$direction] & occupied).ray(Direction::$direction, occupied)
            };
        }
        let files = behind!(North) | behind!(South);
        let ranks = behind!(East) | behind!(West);
        let up = behind!(NorthEast) | behind!(NorthWest);
        let down = behind!(SouthEast) | behind!(SouthWest);
        (files | ranks) | (up | down)
    }
}

#[inline(always)]
pub(super) fn rook_rays<B: Boards>(rooks: B, occupied: B) -> [B; 4] {
    [
        rooks.ray(Direction::North, occupied),
        rooks.ray(Direction::South, occupied),
        rooks.ray(Direction::East, occupied),
        rooks.ray(Direction::West, occupied),
    ]
}

#[inline(always)]
pub(super) fn bishop_rays<B: Boards>(bishops: B, occupied: B) -> [B; 4] {
    [
        bishops.ray(Direction::NorthEast, occupied),
        bishops.ray(Direction::NorthWest, occupied),
        bishops.ray(Direction::SouthEast, occupied),
        bishops.ray(Direction::SouthWest, occupied),
    ]
}
