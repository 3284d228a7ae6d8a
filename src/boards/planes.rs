//! Legal moves of sliced boards as 73 planes of origins.
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
//! Each distance shifts both sets by one more step. Checks and pins are applied before the first step (`moves.rs`):
//! `targets` contains only squares that answer a check, and `path(1)` only sliders that a pin allows to move along this
//! axis. The moves of kings and pawns are added to `k = 1` and `2`.
//!
//! Vector operations for 32 boards with AVX2: 1,600 for the rules, 1,900 for lines (8 directions of 7 distances, of 8
//! ranks with 2 ands and 0 to 4 for steps), 2,400 for rows of 73 (32 unpacks and 16 stores of two words per plane).

use crate::bitboard::{Direction, RANKS};
use crate::boards::bytes::Bytes;
use crate::boards::moves::{Ranks, Scratch, rules};
use crate::boards::sliced::Sliced;
use crate::boards::word_numbers::WordNumbers;
use crate::boards::{Boards, Routine, called};
use crate::legal::DIRECTIONS;
use crate::pieces::Pieces;

/// The largest number of planes that are stored together, so that they and their places in the rows stay in the
/// first-level cache.
const GROUP: usize = 17;

/// Planes that are collected to be stored together.
struct Group<'a, V> {
    planes: [Sliced<V>; GROUP],
    /// One row of planes per board.
    rows: &'a mut [u64],
}

called! {
    fn store<'a, V: Bytes>(planes: &'a [Sliced<V>], rows: &'a mut [u64], first: usize) -> () {
        Sliced::store_rows(planes, rows, first)
    }
}

impl<V: Bytes> Group<'_, V> {
    #[inline(always)]
    fn put(&mut self, index: usize, plane: Sliced<V>) {
        // Rank by rank, because a copy of the whole would be a call.
        let mut k = 0;
        while k < 8 {
            self.planes[index].ranks[k] = plane.ranks[k];
            k += 1;
        }
    }

    /// Stores the first planes of the group, as planes `first` and so on of the rows.
    #[inline(always)]
    fn finish(&mut self, first: usize, planes: usize) {
        store(&self.planes[..planes], self.rows, first);
    }
}

/// The sets of a block that many planes need. The others are in its working memory.
struct Movers<V> {
    empty: Sliced<V>,
    /// The squares to which pieces other than the king may move, and the enemy's pieces there.
    targets: Sliced<V>,
    captures: Sliced<V>,
    /// The king's destinations when it castles to the east and to the west.
    castles: [Sliced<V>; 2],
    /// The pawns that capture en passant to the north-east and to the north-west.
    en_passant: [Sliced<V>; 2],
}

/// A set in the working memory.
#[inline(always)]
fn set<V: Bytes>(ranks: &Ranks<V>) -> Sliced<V> {
    let [_, _, a, b, c, d, e, f, g, h, _, _] = *ranks;
    Sliced { ranks: [a, b, c, d, e, f, g, h] }
}

/// A set on one rank.
#[inline(always)]
fn on_rank<V: Bytes>(k: usize, rank: V) -> Sliced<V> {
    let mut ranks = [V::splat(0); 8];
    ranks[k] = rank;
    Sliced { ranks }
}

/// Writes the planes of a block, one row per board: [`Legal::planes`](crate::position::Legal::planes). Returns 1 for a
/// valid position, 0 for another, whose planes are empty.
#[inline(always)]
pub(crate) fn planes<V: Bytes>(
    pieces: &Pieces<Sliced<V>>,
    state: &Sliced<V>,
    known_valid: bool,
    s: &mut Scratch<V>,
    rows: &mut [u64],
) -> WordNumbers<V> {
    let rules = rules(pieces, state, known_valid, s);
    let [east, west] = rules.castling_destinations(s.own.king[2]);
    let [right, left] = rules.en_passant;
    let targets = set(&s.answers).without(set(&s.own.all));
    let movers = Movers {
        empty: !set(&s.occupied),
        targets,
        captures: targets & set(&s.enemy.all),
        castles: [on_rank(0, east), on_rank(0, west)],
        en_passant: [on_rank(4, right), on_rank(4, left)],
    };
    let mut group = Group { planes: [Sliced::splat(0); GROUP], rows };
    of_lines(s, &movers, &mut group);
    of_leaps(s, &movers, &mut group);
    WordNumbers::widen(rules.valid.and(V::splat(1)))
}

/// The first 56 planes: moves along lines.
#[inline(always)]
fn of_lines<V: Bytes>(s: &Scratch<V>, mover: &Movers<V>, out: &mut Group<'_, V>) {
    V::call(Along::<V, 0>(s, mover, out));
    V::call(Along::<V, 1>(s, mover, out));
    out.finish(0, 14);
    V::call(Along::<V, 2>(s, mover, out));
    V::call(Along::<V, 3>(s, mover, out));
    out.finish(14, 14);
    V::call(Along::<V, 4>(s, mover, out));
    V::call(Along::<V, 5>(s, mover, out));
    out.finish(28, 14);
    V::call(Along::<V, 6>(s, mover, out));
    V::call(Along::<V, 7>(s, mover, out));
    out.finish(42, 14);
}

/// The seven planes of one of the [`DIRECTIONS`]. Each direction is a call: in builds without optimization, all of them
/// together would overflow the stack of a thread.
struct Along<'a, 'b, V, const AT: usize>(&'a Scratch<V>, &'a Movers<V>, &'a mut Group<'b, V>);

impl<V: Bytes, const AT: usize> Routine for Along<'_, '_, V, AT> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        use Direction::{East, North, NorthEast, NorthWest, West};
        let Self(s, mover, out) = self;
        let back = DIRECTIONS[AT].opposite();
        let king = set(&s.own.king);
        // The lines of north, north-east, east and south-east are in another order.
        let mut from = set(&s.lines[[0, 2, 1, 3][AT % 4]]);
        let (mut targets, mut free) = (mover.targets, mover.empty);
        let mut k = 1;
        while k < 8 {
            targets = targets.step(back);
            let mut plane = from & targets;
            if k == 1 {
                plane |= king & set(&s.danger).step(back);
            }
            plane |= match (DIRECTIONS[AT], k) {
                (North, 1) => set(&s.pushers) & (mover.empty & set(&s.answers)).south(),
                (North, 2) => {
                    let to = mover.empty & set(&s.answers);
                    set(&s.pushers) & mover.empty.south() & to.south().south() & RANKS[1]
                }
                (NorthEast, 1) => {
                    (set(&s.right) & mover.captures.south_west()) | mover.en_passant[0]
                }
                (NorthWest, 1) => {
                    (set(&s.left) & mover.captures.south_east()) | mover.en_passant[1]
                }
                (East | West, _) => {
                    // Moves the destinations of castling back by `k` files, to the king.
                    let mut to = mover.castles[AT / 4];
                    let mut steps = 0;
                    while steps < k {
                        to = to.step(back);
                        steps += 1;
                    }
                    to & king & RANKS[0]
                }
                _ => Sliced::splat(0),
            };
            out.put(7 * (AT % 2) + k - 1, plane);
            free = free.step(back);
            from &= free;
            k += 1;
        }
    }
}

/// The other 17 planes: moves of knights, and promotions to knights, bishops and rooks.
#[inline(always)]
fn of_leaps<V: Bytes>(s: &Scratch<V>, mover: &Movers<V>, out: &mut Group<'_, V>) {
    let &Movers { targets, captures, .. } = mover;
    let knights = set(&s.own.knights);
    let (east, west) = (targets.east(), targets.west());
    let (east_east, west_west) = (east.east(), west.west());
    // From the target back to the knight.
    out.put(0, knights & west.south().south());
    out.put(1, knights & west_west.south());
    out.put(2, knights & west_west.north());
    out.put(3, knights & west.north().north());
    out.put(4, knights & east.north().north());
    out.put(5, knights & east_east.north());
    out.put(6, knights & east_east.south());
    out.put(7, knights & east.south().south());

    let left = set(&s.left) & RANKS[6] & captures.south_east();
    let straight = set(&s.pushers) & RANKS[6] & targets.without(captures).south();
    let right = set(&s.right) & RANKS[6] & captures.south_west();
    let mut role = 0;
    while role < 3 {
        out.put(8 + 3 * role, left);
        out.put(9 + 3 * role, straight);
        out.put(10 + 3 * role, right);
        role += 1;
    }
    out.finish(56, 17);
}
