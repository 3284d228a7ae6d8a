//! Legal moves as 73 planes of origins, for any number of boards at once.
//!
//! All moves in one direction over one distance form one set of origins. There is no loop over pieces, and no branch.
//!
//! ```text
//! . . . . . . . .    . . . . . . . .    . . . . . . . .
//! . . . x . . . .    . . . 2 . . . .    . . . . . . . .    Rooks on a2, d2 and g2; enemies on d4 and g3.
//! . . . . . . x .    . . . 1 . . 1 .    . . . . . . . .
//! r . . r . . r .    . . . . . . . .    r . . r . . . .    To the north by two: a2 and d2. On g2 the first square
//! . . . . . . . .    . . . . . . . .    . . . . . . . .    of the path is taken.
//!   the board           the squares           north, 2
//! ```
//!
//! For direction `d` and distance `k`, where `shift(set, -d * k)` moves each target back to its origin:
//!
//! ```text
//! path(1)  = the sliders that move along d
//! path(k)  = path(k - 1) & shift(empty, -d * (k - 1))         no piece between
//! plane(k) = path(k) & shift(targets, -d * k)                 k = 1 to 7
//! ```
//!
//! Each distance shifts both sets by one more step. Checks and pins are applied before the first step (`mover.rs`):
//! `targets` contains only squares that answer a check, and `path(1)` only sliders that a pin allows to move along this
//! axis. The moves of kings and pawns are added to `k = 1` and `2`.
//!
//! Vector operations for 32 boards with AVX2: 1,600 for the rules, 1,900 for lines (8 directions of 7 distances, of 8
//! ranks with 2 ands and 0 to 4 for steps), 2,400 for rows of 73 (32 unpacks and 16 stores of two words per plane).

use crate::bitboard::{Direction, RANKS};
use crate::boards::Boards;
use crate::pieces::Pieces;

use super::mover::{Mover, Rules};
use super::state::State;

/// The number of planes.
pub const PLANES: usize = 73;

/// The directions of the first 56 planes, clockwise from north, seven distances each.
pub const DIRECTIONS: [Direction; 8] = [
    Direction::North,
    Direction::NorthEast,
    Direction::East,
    Direction::SouthEast,
    Direction::South,
    Direction::SouthWest,
    Direction::West,
    Direction::NorthWest,
];

/// The leaps of the next eight planes, clockwise from north: files to the east and ranks to the north.
pub const LEAPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The largest number of planes in a group of a [`PlaneSink`].
pub const MAX_GROUP: usize = 17;

/// Receives the planes of a block of positions in order, in groups of at most [`MAX_GROUP`] that are stored together.
///
/// In bulk code, both methods must be `#[inline(always)]`.
pub trait PlaneSink<B> {
    /// Receives a plane and its index in the group.
    fn put(&mut self, index: usize, plane: B);

    /// Ends a group of `planes` planes, the first of which is plane `first`.
    fn finish(&mut self, first: usize, planes: usize);
}

/// Computes all legal moves of each position as 73 planes: sets of origins, from the point of view of the side to move.
///
/// If black is to move, the board is flipped vertically, so that its pawns go north. The planes are those of AlphaZero:
///
/// | planes | moves |
/// |---|---|
/// | 0 to 55 | `7 * direction + distance - 1`, directions clockwise from north ([`DIRECTIONS`]), distances 1 to 7; including promotions to a queen |
/// | 56 to 63 | knight moves, clockwise from two north and one east ([`LEAPS`]) |
/// | 64 to 72 | `64 + 3 * role + way`: promotions to a knight (0), a bishop (1), a rook (2), by a capture to the north-west (0), straight on (1), by a capture to the north-east (2) |
///
/// Castling is a king move to the east or west: by two squares if the king is on the e-file and the rook in a corner,
/// otherwise (Chess960) to the rook's square. No other move has the same plane and origin.
///
/// Returns all squares of the boards that are [valid](mod@crate::legal); the planes of other boards are empty.
///
/// ```
/// use setwise::{Fen, legal::{self, PLANES, PlaneSink, State}};
/// /// Keeps planes.
/// struct Planes { group: [u64; legal::MAX_GROUP], all: Vec<u64> }
/// impl PlaneSink<u64> for Planes {
///     fn put(&mut self, index: usize, plane: u64) {
///         self.group[index] = plane;
///     }
///     fn finish(&mut self, _first: usize, planes: usize) {
///         self.all.extend(&self.group[..planes]);
///     }
/// }
/// let mut planes = Planes { group: [0; legal::MAX_GROUP], all: Vec::new() };
/// let fen = Fen::parse("4k3/8/8/8/8/8/8/4K2R w K - 0 1")?;
/// assert_eq!(legal::planes(&fen.pieces, State::from(&fen), &mut planes), !0);
/// assert_eq!(planes.all.len(), PLANES);
/// assert_eq!(planes.all[7 * 2 + 2 - 1], 1 << 4); // e1 two squares east: castling
/// # Ok::<(), setwise::fen::FenError>(())
/// ```
#[inline(always)]
pub fn planes<B: Boards>(pieces: &Pieces<B>, state: State<B>, sink: &mut impl PlaneSink<B>) -> B {
    let mover = Mover::new(pieces, state);
    let rules = mover.rules();
    of_lines(&mover, &rules, sink);
    of_leaps(&mover, &rules, sink);
    rules.valid
}

/// The first 56 planes: moves along lines.
#[inline(always)]
fn of_lines<B: Boards>(mover: &Mover<B>, rules: &Rules<B>, sink: &mut impl PlaneSink<B>) {
    use Direction::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};
    let empty = !mover.occupied();
    let king = mover.king;
    let captures = rules.targets & mover.enemy;
    macro_rules! direction {
        ($at:literal $direction:ident $sliders:ident $along:ident: $($extra:tt)*) => {{
            let back = $direction.opposite();
            let mut from = mover.$sliders & rules.$along;
            let (mut targets, mut free) = (rules.targets, empty);
            let mut k = 1;
            while k < 8 {
                targets = targets.step(back);
                let mut plane = from & targets;
                if k == 1 {
                    plane |= king & rules.king_targets.step(back);
                }
                plane |= direction!(@ k $($extra)*);
                sink.put(7 * ($at % 2) + k - 1, plane);
                free = free.step(back);
                from &= free;
                k += 1;
            }
        }};
        (@ $k:ident none) => { B::empty() };
        (@ $k:ident pushes) => {
            match $k {
                1 => mover.pawns & rules.along_files & (empty & rules.answers).south(),
                2 => mover.pawns & rules.along_files & empty.south()
                    & (empty & rules.answers).south().south() & RANKS[1],
                _ => B::empty(),
            }
        };
        (@ $k:ident captures $along_pins:ident $steps:ident $en_passant:ident) => {
            if $k == 1 {
                (mover.pawns & rules.$along_pins & captures.$steps()) | rules.$en_passant
            } else {
                B::empty()
            }
        };
        (@ $k:ident castle $castle:ident $files:expr) => {{
            // Moves the destinations of castling back by `k` files, to the king.
            let mut to = rules.$castle;
            let mut steps = 0;
            while steps < $k {
                to = to.step($files.opposite());
                steps += 1;
            }
            to & king & RANKS[0]
        }};
    }
    direction!(0 North orthogonal along_files: pushes);
    direction!(1 NorthEast diagonal along_diagonals:
        captures along_diagonals south_west en_passant_east);
    sink.finish(0, 14);
    direction!(2 East orthogonal along_ranks: castle east_castle East);
    direction!(3 SouthEast diagonal along_antidiagonals: none);
    sink.finish(14, 14);
    direction!(4 South orthogonal along_files: none);
    direction!(5 SouthWest diagonal along_diagonals: none);
    sink.finish(28, 14);
    direction!(6 West orthogonal along_ranks: castle west_castle West);
    direction!(7 NorthWest diagonal along_antidiagonals:
        captures along_antidiagonals south_east en_passant_west);
    sink.finish(42, 14);
}

/// The other 17 planes: moves of knights, and promotions to knights, bishops and rooks.
#[inline(always)]
fn of_leaps<B: Boards>(mover: &Mover<B>, rules: &Rules<B>, sink: &mut impl PlaneSink<B>) {
    let knights = mover.knights & rules.unpinned();
    let (east, west) = (rules.targets.east(), rules.targets.west());
    let (east_east, west_west) = (east.east(), west.west());
    // From the target back to the knight.
    sink.put(0, knights & west.south().south());
    sink.put(1, knights & west_west.south());
    sink.put(2, knights & west_west.north());
    sink.put(3, knights & west.north().north());
    sink.put(4, knights & east.north().north());
    sink.put(5, knights & east_east.north());
    sink.put(6, knights & east_east.south());
    sink.put(7, knights & east.south().south());

    let pawns = mover.pawns & RANKS[6];
    let captures = rules.targets & mover.enemy;
    let left = pawns & rules.along_antidiagonals & captures.south_east();
    let straight = pawns & rules.along_files & rules.targets.without(mover.enemy).south();
    let right = pawns & rules.along_diagonals & captures.south_west();
    let mut role = 0;
    while role < 3 {
        sink.put(8 + 3 * role, left);
        sink.put(9 + 3 * role, straight);
        sink.put(10 + 3 * role, right);
        role += 1;
    }
    sink.finish(56, 17);
}
