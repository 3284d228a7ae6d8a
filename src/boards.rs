//! The algebra that everything above the vectors is written in.

use core::ops::{BitAnd, BitOr, BitXor, Not};

use crate::bitboard::Direction;
use crate::numbers::{Few, Numbers};
use crate::pieces::{Pieces, Position};

/// A number of bitboards that are worked on together.
///
/// One `u64`, a vector with a board in each 64-bit lane, or a batch sliced by ranks: attack maps,
/// leapers, counts and an evaluation's own terms are written once against this trait and run on one
/// position or on 64 at a time. The trait is sealed: the crate's backends are its only implementors.
///
/// All methods are plain bit operations without branches or memory. For all boards together a step takes one
/// to eight of them, and a ray 14 to 130 where boards are sliced, some fifty elsewhere.
///
/// ```
/// use setwise::Boards;
/// /// Squares that a man of the set could step to diagonally ahead, for any number of boards.
/// fn ahead<B: Boards>(men: B) -> B {
///     men.north_east() | men.north_west()
/// }
/// assert_eq!(ahead(1u64 << 12), 1 << 19 | 1 << 21);
/// ```
pub trait Boards:
    Block
    + Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// How many boards there are.
    const COUNT: usize;

    /// A small integer for each board.
    type Numbers: Numbers;

    /// How many squares each board has: 0 to 64.
    #[must_use]
    fn count(self) -> Self::Numbers;

    /// The same board everywhere.
    fn splat(board: u64) -> Self;

    /// The empty set everywhere.
    #[inline(always)]
    #[must_use]
    fn empty() -> Self {
        Self::splat(0)
    }

    /// The squares of `self` that are not in `other`.
    #[inline(always)]
    #[must_use]
    fn without(self, other: Self) -> Self {
        self & !other
    }

    /// The squares that at least two of three sets have.
    #[inline(always)]
    #[must_use]
    fn majority(a: Self, b: Self, c: Self) -> Self {
        (a & b) | (c & (a | b))
    }

    /// Every square moved one rank up; rank 8 falls off the board.
    #[must_use]
    fn north(self) -> Self;

    /// Every square moved one rank down; rank 1 falls off the board.
    #[must_use]
    fn south(self) -> Self;

    /// Every square moved one file towards h; the h-file falls off the board.
    #[must_use]
    fn east(self) -> Self;

    /// Every square moved one file towards a; the a-file falls off the board.
    #[must_use]
    fn west(self) -> Self;

    /// [`north`](Self::north) and [`east`](Self::east).
    #[inline(always)]
    #[must_use]
    fn north_east(self) -> Self {
        self.north().east()
    }

    /// [`north`](Self::north) and [`west`](Self::west).
    #[inline(always)]
    #[must_use]
    fn north_west(self) -> Self {
        self.north().west()
    }

    /// [`south`](Self::south) and [`east`](Self::east).
    #[inline(always)]
    #[must_use]
    fn south_east(self) -> Self {
        self.south().east()
    }

    /// [`south`](Self::south) and [`west`](Self::west).
    #[inline(always)]
    #[must_use]
    fn south_west(self) -> Self {
        self.south().west()
    }

    /// One step in the given direction.
    #[inline(always)]
    #[must_use]
    fn step(self, direction: Direction) -> Self {
        match direction {
            Direction::North => self.north(),
            Direction::South => self.south(),
            Direction::East => self.east(),
            Direction::West => self.west(),
            Direction::NorthEast => self.north_east(),
            Direction::NorthWest => self.north_west(),
            Direction::SouthEast => self.south_east(),
            Direction::SouthWest => self.south_west(),
        }
    }

    /// The set and all squares that lie from it in one direction. 7 steps.
    ///
    /// ```
    /// use setwise::{bitboard::Direction, Boards};
    /// assert_eq!((1u64 << 40).fill(Direction::North), 0x0101_0100_0000_0000);
    /// ```
    #[inline(always)]
    #[must_use]
    fn fill(self, direction: Direction) -> Self {
        let two = self | self.step(direction);
        let four = two | two.step(direction).step(direction);
        four | four.step(direction).step(direction).step(direction).step(direction)
    }

    /// The rays of every slider of the set in one direction: the squares from its neighbour up to and
    /// including the first one that is in `occupied` or in the set itself.
    ///
    /// The set's own sliders stop each other whether they stand in `occupied` or not; so in one direction
    /// a square is hit by at most one of them.
    #[must_use]
    fn ray(self, direction: Direction, occupied: Self) -> Self;

    /// What the rooks of the set attack: the four rays along ranks and files.
    #[inline(always)]
    #[must_use]
    fn rook_attacks(self, occupied: Self) -> Self {
        (self.ray(Direction::North, occupied) | self.ray(Direction::South, occupied))
            | (self.ray(Direction::East, occupied) | self.ray(Direction::West, occupied))
    }

    /// What the bishops of the set attack: the four rays along diagonals.
    #[inline(always)]
    #[must_use]
    fn bishop_attacks(self, occupied: Self) -> Self {
        (self.ray(Direction::NorthEast, occupied) | self.ray(Direction::NorthWest, occupied))
            | (self.ray(Direction::SouthEast, occupied) | self.ray(Direction::SouthWest, occupied))
    }

    /// What orthogonal and diagonal sliders attack together; queens stand in both sets.
    #[inline(always)]
    #[must_use]
    fn slider_attacks(occupied: Self, orthogonal: Self, diagonal: Self) -> Self {
        orthogonal.rook_attacks(occupied) | diagonal.bishop_attacks(occupied)
    }
}

/// What sliders of three roles attack, and where at least two of them do.
#[derive(Clone, Copy)]
pub struct SliderMaps<B> {
    /// Attacked by bishops.
    pub bishop: B,
    /// Attacked by rooks.
    pub rook: B,
    /// Attacked by queens.
    pub queen: B,
    /// Attacked by any of them.
    pub once: B,
    /// Attacked by at least two of them.
    pub twice: B,
}

/// How boards come from memory and go back; the seal of [`Boards`].
pub trait Block: Sized {
    /// Takes as many boards as there are lanes; `boards` has exactly that many.
    fn load(boards: &[u64]) -> Self;

    /// Puts the boards back, into exactly as many places.
    fn store(self, boards: &mut [u64]);

    /// Like [`store`](Self::store), past the caches where that can be done; then
    /// [`fence`](Self::fence) has to follow before anyone else is told of it.
    #[inline(always)]
    fn stream(self, boards: &mut [u64]) {
        self.store(boards);
    }

    /// Orders all that was [streamed](Self::stream) before what follows.
    #[inline(always)]
    fn fence() {}

    /// Takes boards in the form in which [`store_sliced`](Self::store_sliced) left them.
    #[inline(always)]
    fn load_sliced(words: &[u64]) -> Self {
        Self::load(words)
    }

    /// Puts the boards down as they lie in the registers, into as many words as there are boards.
    #[inline(always)]
    fn store_sliced(self, words: &mut [u64]) {
        self.store(words);
    }

    /// One of the boards that [`store_sliced`](Self::store_sliced) put down.
    #[inline(always)]
    fn get(words: &[u64], board: usize) -> u64 {
        words[board]
    }

    /// Replaces one of the boards that [`store_sliced`](Self::store_sliced) put down.
    #[inline(always)]
    fn set(words: &mut [u64], board: usize, value: u64) {
        words[board] = value;
    }

    /// What sliders of three roles attack. All of them stand in `occupied`.
    #[inline(always)]
    fn slider_maps(occupied: Self, bishops: Self, rooks: Self, queens: Self) -> SliderMaps<Self>
    where
        Self: Boards,
    {
        let empty = Self::empty();
        let mut maps =
            SliderMaps { bishop: empty, rook: empty, queen: empty, once: empty, twice: empty };
        // In one direction a square is hit by at most one slider, so the rays of two roles need no count.
        macro_rules! rays {
            ($map:ident $sliders:ident: $($direction:ident)*) => {
                $(
                    let ray = $sliders.ray(Direction::$direction, occupied);
                    let by_queens = queens.ray(Direction::$direction, occupied);
                    maps.$map = maps.$map | ray;
                    maps.queen = maps.queen | by_queens;
                    let hit = ray | by_queens;
                    maps.twice = maps.twice | (maps.once & hit);
                    maps.once = maps.once | hit;
                )*
            };
        }
        rays!(rook rooks: North South East West);
        rays!(bishop bishops: NorthEast NorthWest SouthEast SouthWest);
        maps
    }

    /// Takes as many positions as there are lanes; `pieces` has exactly that many.
    fn load_pieces(pieces: &[Pieces]) -> Position<Self>;
}

impl Boards for u64 {
    const COUNT: usize = 1;

    type Numbers = Few<1>;

    #[inline(always)]
    fn count(self) -> Few<1> {
        Few([self.count_ones() as i16])
    }

    #[inline(always)]
    fn splat(board: u64) -> Self {
        board
    }

    #[inline(always)]
    fn north(self) -> Self {
        Direction::North.step(self)
    }

    #[inline(always)]
    fn south(self) -> Self {
        Direction::South.step(self)
    }

    #[inline(always)]
    fn east(self) -> Self {
        Direction::East.step(self)
    }

    #[inline(always)]
    fn west(self) -> Self {
        Direction::West.step(self)
    }

    #[inline(always)]
    fn north_east(self) -> Self {
        Direction::NorthEast.step(self)
    }

    #[inline(always)]
    fn north_west(self) -> Self {
        Direction::NorthWest.step(self)
    }

    #[inline(always)]
    fn south_east(self) -> Self {
        Direction::SouthEast.step(self)
    }

    #[inline(always)]
    fn south_west(self) -> Self {
        Direction::SouthWest.step(self)
    }

    #[inline(always)]
    fn ray(self, direction: Direction, occupied: Self) -> Self {
        crate::hyperbola::ray(self, direction, occupied)
    }
}

impl Block for u64 {
    #[inline(always)]
    fn load(boards: &[u64]) -> Self {
        boards[0]
    }

    #[inline(always)]
    fn store(self, boards: &mut [u64]) {
        boards[0] = self;
    }

    #[inline(always)]
    fn load_pieces(pieces: &[Pieces]) -> Position<Self> {
        pieces[0]
    }
}
