//! Legal moves as 73 planes of origins.

use crate::bitboard::{Direction, RANKS};
use crate::boards::Boards;
use crate::pieces::Pieces;

use super::State;
use super::mover::{Mover, Rules};

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

/// The leaps of the next eight planes, clockwise from north: how many files to the east, how many ranks to the north.
pub const LEAPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// Takes the planes of a block of positions as they are made.
pub trait PlaneSink<B> {
    /// Takes a plane; every index from 0 to 72 comes once, in no promised order.
    fn put(&mut self, index: usize, plane: B);
}

/// All legal moves of each position, as 73 planes.
#[inline(always)]
pub fn planes<B: Boards>(pieces: &Pieces<B>, state: State<B>, sink: &mut impl PlaneSink<B>) -> B {
    let mover = Mover::new(pieces, state);
    let rules = mover.rules();
    of_lines(&mover, &rules, sink);
    of_leaps(&mover, &rules, sink);
    rules.valid
}

/// The first 56: along lines.
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
                sink.put(7 * $at + k - 1, plane);
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
            // The king is as many files away as the squares that it castles to.
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
    direction!(2 East orthogonal along_ranks: castle east_castle East);
    direction!(3 SouthEast diagonal along_antidiagonals: none);
    direction!(4 South orthogonal along_files: none);
    direction!(5 SouthWest diagonal along_diagonals: none);
    direction!(6 West orthogonal along_ranks: castle west_castle West);
    direction!(7 NorthWest diagonal along_antidiagonals:
        captures along_antidiagonals south_east en_passant_west);
}

/// The other 17: knights, and promotions to knights, bishops and rooks.
#[inline(always)]
fn of_leaps<B: Boards>(mover: &Mover<B>, rules: &Rules<B>, sink: &mut impl PlaneSink<B>) {
    let unpinned = rules.along_files & rules.along_ranks;
    let knights = mover.knights & unpinned & rules.along_diagonals;
    let (east, west) = (rules.targets.east(), rules.targets.west());
    let (east_east, west_west) = (east.east(), west.west());
    // From the target back to the knight.
    sink.put(56, knights & west.south().south());
    sink.put(57, knights & west_west.south());
    sink.put(58, knights & west_west.north());
    sink.put(59, knights & west.north().north());
    sink.put(60, knights & east.north().north());
    sink.put(61, knights & east_east.north());
    sink.put(62, knights & east_east.south());
    sink.put(63, knights & east.south().south());

    let pawns = mover.pawns & RANKS[6];
    let captures = rules.targets & mover.enemy;
    let left = pawns & rules.along_antidiagonals & captures.south_east();
    let straight = pawns & rules.along_files & rules.targets.without(mover.enemy).south();
    let right = pawns & rules.along_diagonals & captures.south_west();
    let mut role = 0;
    while role < 3 {
        sink.put(64 + 3 * role, left);
        sink.put(65 + 3 * role, straight);
        sink.put(66 + 3 * role, right);
        role += 1;
    }
}
