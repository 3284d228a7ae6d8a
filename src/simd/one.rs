//! One position at a time: what a set of instructions must do, and how plain words do it.
//!
//! Engines ask about one position with the answer on the critical path. There is no batch to slice, so the
//! lanes of a vector hold what one position has several of: **directions** where one set is asked about,
//! **sets** (white's and black's, by role) where eight are.
//!
//! It is Kogge-Stone's fill, which doubles the length of the rays at each of three steps (but ranks and files
//! of several sets are subtractions where there is GFNI, see `gfni.rs`):
//!
//! ```text
//! free  = empty squares on which a step can end        no step around the edge of the board
//! rays  = sliders
//! rays |= free & step(rays, 1);   free &= step(free, 1)
//! rays |= free & step(rays, 2);   free &= step(free, 2)
//! rays |= free & step(rays, 4)
//! rays  = step(rays, 1) without those around the edge
//! ```
//!
//! What differs is how little the lanes leave to do besides; see `avx2.rs` and `avx512.rs`.

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
#[cfg(target_arch = "x86_64")]
mod gfni;

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use core::arch::asm;

use crate::bitboard::{Direction, FILES};
use crate::boards::SliderMaps;
use crate::leaper;
use crate::maps::{self, Attacks};
use crate::pieces::{Colour, Pieces, Role};

/// What a set of instructions does for one position.
///
/// The sliders of a set may stand in `occupied` or not.
pub(crate) trait One {
    /// The rays of two sets, in the order of [`Direction::ALL`].
    fn slider_rays(occupied: u64, orthogonal: u64, diagonal: u64) -> [u64; 8];

    /// The union of the rays of two sets.
    fn slider_attacks(occupied: u64, orthogonal: u64, diagonal: u64) -> u64;

    /// The union of four rays.
    fn orthogonal_attacks(occupied: u64, sliders: u64) -> u64;

    /// The union of four rays.
    fn diagonal_attacks(occupied: u64, sliders: u64) -> u64;

    /// The unions of four rays of each side's sets: by rooks and by queens along ranks and files, then by
    /// bishops and by queens along diagonals; white's before black's.
    fn slider_sets(pieces: &Pieces) -> [[u64; 4]; 2];

    /// The orthogonal and diagonal sliders that see a square of a set.
    fn slider_attackers(occupied: u64, targets: u64, orthogonal: u64, diagonal: u64) -> u64;

    /// The squares from which a slider is seen one way, and a square of a set the opposite way.
    fn between(occupied: u64, targets: u64, orthogonal: u64, diagonal: u64) -> u64;

    /// The attack maps of both sides.
    fn attacks(pieces: &Pieces) -> [Attacks<u64>; 2];

    /// The men of a colour that attack a square of a set.
    #[inline(always)]
    fn attackers(pieces: &Pieces, targets: u64, colour: Colour) -> u64 {
        let men = pieces.colour(colour);
        let leapers = (leaper::pawns(colour.opponent(), targets) & pieces.pawns)
            | (leaper::knights(targets) & pieces.knights)
            | (leaper::kings(targets) & pieces.kings);
        let (orthogonal, diagonal) = sliders(pieces, colour);
        let sliders = Self::slider_attackers(pieces.occupied(), targets, orthogonal, diagonal);
        (leapers & men) | sliders
    }

    /// The men that give check to a colour.
    #[inline(always)]
    fn checkers(pieces: &Pieces, colour: Colour) -> u64 {
        Self::attackers(pieces, pieces.of(colour, Role::King), colour.opponent())
    }

    /// The men of a colour that are pinned to a king of theirs.
    #[inline(always)]
    fn pinned(pieces: &Pieces, colour: Colour) -> u64 {
        let kings = pieces.of(colour, Role::King);
        let (orthogonal, diagonal) = sliders(pieces, colour.opponent());
        Self::between(pieces.occupied(), kings, orthogonal, diagonal) & pieces.colour(colour)
    }

    /// The squares that the kings of a colour cannot step to.
    #[inline(always)]
    fn king_danger(pieces: &Pieces, colour: Colour) -> u64 {
        let enemy = colour.opponent();
        let (orthogonal, diagonal) = sliders(pieces, enemy);
        let occupied = pieces.occupied() & !pieces.of(colour, Role::King);
        Self::slider_attacks(occupied, orthogonal, diagonal)
            | leaper::pawns(enemy, pieces.of(enemy, Role::Pawn))
            | leaper::knights(pieces.of(enemy, Role::Knight))
            | leaper::kings(pieces.of(enemy, Role::King))
    }
}

/// The orthogonal and the diagonal sliders of a colour.
#[inline(always)]
fn sliders(pieces: &Pieces, colour: Colour) -> (u64, u64) {
    let men = pieces.colour(colour);
    (men & (pieces.rooks | pieces.queens), men & (pieces.bishops | pieces.queens))
}

/// A question about one position, for whatever instructions there are; `run` is `#[inline(always)]` in every
/// implementor, so that it becomes part of the function that enables them.
pub(crate) trait Question<A: Arguments> {
    /// The answer.
    type Answer;

    /// Answers it.
    fn run<O: One>(arguments: A) -> Self::Answer;
}

/// What a question is about: up to three values, handed on one by one. So they stay in registers. As one
/// struct they go through memory, and a vector load of what has just been stored word by word waits until the
/// words have reached the cache: the union took 18.9 ns through a kernel in hand, and takes 4.4 this way.
pub(crate) trait Arguments {
    /// The first.
    type First;
    /// The second, or nothing.
    type Second;
    /// The third, or nothing.
    type Third;

    /// Takes them apart.
    fn apart(self) -> (Self::First, Self::Second, Self::Third);

    /// Puts them together again.
    fn together(first: Self::First, second: Self::Second, third: Self::Third) -> Self;
}

impl<A> Arguments for (A,) {
    type First = A;
    type Second = ();
    type Third = ();

    #[inline(always)]
    fn apart(self) -> (A, (), ()) {
        (self.0, (), ())
    }

    #[inline(always)]
    fn together(a: A, (): (), (): ()) -> Self {
        (a,)
    }
}

impl<A, B> Arguments for (A, B) {
    type First = A;
    type Second = B;
    type Third = ();

    #[inline(always)]
    fn apart(self) -> (A, B, ()) {
        (self.0, self.1, ())
    }

    #[inline(always)]
    fn together(a: A, b: B, (): ()) -> Self {
        (a, b)
    }
}

impl<A, B, C> Arguments for (A, B, C) {
    type First = A;
    type Second = B;
    type Third = C;

    #[inline(always)]
    fn apart(self) -> Self {
        self
    }

    #[inline(always)]
    fn together(a: A, b: B, c: C) -> Self {
        (a, b, c)
    }
}

/// Where a step to the higher bits (or one to the lower bits) can end, by the file it goes to.
const NOT_A: u64 = !FILES[0];
const NOT_H: u64 = !FILES[7];

/// No vectors: one set and one direction after the other.
///
/// Eight rays are about a hundred operations, of which processors do four to six at a time; so it is the
/// throughput that counts, and even a caller who waits for the answer waits little longer than that.
pub(crate) struct Scalar;

/// The free squares ahead in one direction: of one step, of two, of four.
struct Free {
    direction: Direction,
    ahead: [u64; 3],
}

impl Free {
    #[inline(always)]
    fn new(direction: Direction, occupied: u64) -> Self {
        let (by, onto) = step(direction);
        let one = !occupied & onto;
        let two = one & shift(one, by);
        Self { direction, ahead: [one, two, two & shift(two, 2 * by)] }
    }

    #[inline(always)]
    fn ray(&self, sliders: u64) -> u64 {
        let (by, onto) = step(self.direction);
        let rays = sliders | (self.ahead[0] & shift(sliders, by));
        let rays = rays | (self.ahead[1] & shift(rays, 2 * by));
        let rays = rays | (self.ahead[2] & shift(rays, 4 * by));
        shift(rays, by) & onto
    }
}

/// How far a step goes, to the higher bits if positive, and the squares it can end on.
#[inline(always)]
fn step(direction: Direction) -> (i32, u64) {
    match direction {
        Direction::North => (8, !0),
        Direction::South => (-8, !0),
        Direction::East => (1, NOT_A),
        Direction::West => (-1, NOT_H),
        Direction::NorthEast => (9, NOT_A),
        Direction::NorthWest => (7, NOT_H),
        Direction::SouthEast => (-7, NOT_A),
        Direction::SouthWest => (-9, NOT_H),
    }
}

#[inline(always)]
fn shift(set: u64, by: i32) -> u64 {
    if by > 0 { set << by } else { set >> -by }
}

/// The rays of one set in one direction.
#[inline(always)]
fn ray(direction: Direction, occupied: u64, sliders: u64) -> u64 {
    in_a_register(Free::new(direction, occupied).ray(sliders))
}

/// Costs nothing, and keeps the compiler from putting two directions into a vector of 128 bits. It cannot
/// shift the two by different numbers there, and the union takes 24.5 ns from answer to answer in place of 12.9.
/// (A loop over many positions loses by it, 11.9 ns where it was 7.2: two boards were in a vector then. That
/// is what bulk calls are for.)
#[inline(always)]
fn in_a_register(set: u64) -> u64 {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        let same;
        // SAFETY: no instructions.
        unsafe {
            asm!(
                "/* {0} */",
                inlateout(reg) set => same,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        same
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    set
}

impl One for Scalar {
    #[inline(always)]
    fn slider_rays(occupied: u64, orthogonal: u64, diagonal: u64) -> [u64; 8] {
        [
            ray(Direction::North, occupied, orthogonal),
            ray(Direction::South, occupied, orthogonal),
            ray(Direction::East, occupied, orthogonal),
            ray(Direction::West, occupied, orthogonal),
            ray(Direction::NorthEast, occupied, diagonal),
            ray(Direction::NorthWest, occupied, diagonal),
            ray(Direction::SouthEast, occupied, diagonal),
            ray(Direction::SouthWest, occupied, diagonal),
        ]
    }

    #[inline(always)]
    fn slider_attacks(occupied: u64, orthogonal: u64, diagonal: u64) -> u64 {
        Self::orthogonal_attacks(occupied, orthogonal) | Self::diagonal_attacks(occupied, diagonal)
    }

    #[inline(always)]
    fn orthogonal_attacks(occupied: u64, sliders: u64) -> u64 {
        (ray(Direction::North, occupied, sliders) | ray(Direction::South, occupied, sliders))
            | (ray(Direction::East, occupied, sliders) | ray(Direction::West, occupied, sliders))
    }

    #[inline(always)]
    fn diagonal_attacks(occupied: u64, sliders: u64) -> u64 {
        (ray(Direction::NorthEast, occupied, sliders)
            | ray(Direction::NorthWest, occupied, sliders))
            | (ray(Direction::SouthEast, occupied, sliders)
                | ray(Direction::SouthWest, occupied, sliders))
    }

    #[inline(always)]
    fn slider_sets(pieces: &Pieces) -> [[u64; 4]; 2] {
        let &Pieces { bishops, rooks, queens, white, black, .. } = pieces;
        let occupied = white | black;
        let orthogonal = [white & rooks, white & queens, black & rooks, black & queens];
        let diagonal = [white & bishops, white & queens, black & bishops, black & queens];
        let mut seen = [[0; 4]; 2];
        macro_rules! rays {
            ($i:literal $sets:ident: $($direction:ident)*) => {
                $(
                    let free = Free::new(Direction::$direction, occupied);
                    seen[$i][0] |= free.ray($sets[0]);
                    seen[$i][1] |= free.ray($sets[1]);
                    seen[$i][2] |= free.ray($sets[2]);
                    seen[$i][3] |= free.ray($sets[3]);
                )*
            };
        }
        rays!(0 orthogonal: North South East West);
        rays!(1 diagonal: NorthEast NorthWest SouthEast SouthWest);
        seen
    }

    #[inline(always)]
    fn slider_attackers(occupied: u64, targets: u64, orthogonal: u64, diagonal: u64) -> u64 {
        // What sees is seen, but for the targets' own men, who stop each other.
        (Self::orthogonal_attacks(occupied, targets) & orthogonal)
            | (Self::diagonal_attacks(occupied, targets) & diagonal)
    }

    #[inline(always)]
    fn between(occupied: u64, targets: u64, orthogonal: u64, diagonal: u64) -> u64 {
        let [n, s, e, w, ne, nw, se, sw] = Self::slider_rays(occupied, targets, targets);
        let by = Self::slider_rays(occupied, orthogonal, diagonal);
        ((n & by[1]) | (s & by[0]) | (e & by[3]) | (w & by[2]))
            | ((ne & by[7]) | (nw & by[6]) | (se & by[5]) | (sw & by[4]))
    }

    #[inline(always)]
    fn attacks(pieces: &Pieces) -> [Attacks<u64>; 2] {
        let occupied = pieces.occupied();
        let none = SliderMaps { bishop: 0, rook: 0, queen: 0, once: 0, twice: 0 };
        let (mut white, mut black) = (none, none);
        macro_rules! rays {
            ($map:ident $sliders:ident: $($direction:ident)*) => {
                $(
                    let free = Free::new(Direction::$direction, occupied);
                    for (maps, men) in [(&mut white, pieces.white), (&mut black, pieces.black)] {
                        // In one direction two sliders never see the same square.
                        let ray = free.ray(men & pieces.$sliders);
                        let by_queens = free.ray(men & pieces.queens);
                        maps.$map |= ray;
                        maps.queen |= by_queens;
                        maps.twice |= maps.once & (ray | by_queens);
                        maps.once |= ray | by_queens;
                    }
                )*
            };
        }
        rays!(rook rooks: North South East West);
        rays!(bishop bishops: NorthEast NorthWest SouthEast SouthWest);
        [
            maps::with_sliders(pieces, Colour::White, white),
            maps::with_sliders(pieces, Colour::Black, black),
        ]
    }
}
