//! Three user-defined terms, written once and run on as many positions at a time as a backend holds.
//!
//! Each term is checked on every backend against its one-position run (`one`) and against scalar code (one position at
//! a time, by Kogge-Stone fills). Then it is timed next to these. The best of several rounds counts.
//!
//! ```text
//! cargo run --release -p setwise-benches --example terms
//! ```

use std::hint::black_box;
use std::time::Instant;

use setwise::bitboard::Direction;
use setwise::{Backend, Boards, Colour, Fen, Kernel, Numbers, Pieces, Role, Term, eval, leaper};

/// White's passed pawns whose path to the last rank black does not attack.
struct FreePassedPawns;

/// The squares that each side's pieces can go to and that no enemy pawn attacks, weighted by role, white's minus
/// black's.
struct Mobility;

/// White's pressure on black's king: attacks on the squares around it, weighted by role, with extra points for
/// squares that black does not defend, and at most 10 points without a queen.
struct KingPressure;

/// Points for each square that a knight, a bishop, a rook or a queen attacks.
const MOBILITY: [(Role, i16); 4] =
    [(Role::Knight, 4), (Role::Bishop, 5), (Role::Rook, 3), (Role::Queen, 2)];

/// Points for each attack on the king's neighbourhood.
const PRESSURE: [(Role, i16); 4] =
    [(Role::Knight, 2), (Role::Bishop, 2), (Role::Rook, 3), (Role::Queen, 5)];

/// Points for each square around the king that is attacked and that only the king defends.
const UNDEFENDED: i16 = 7;

setwise::term! {
    impl Term for FreePassedPawns {
        type Value = u64;

        fn eval<B: Boards>(&self, position: &Pieces<B>) -> B {
            let attacked = eval::attacked(position, Colour::Black);
            let pawns = position.of(Colour::White, Role::Pawn);
            let guards = position.of(Colour::Black, Role::Pawn);
            let ahead = guards.south().fill(Direction::South);
            let guarded = ahead | ahead.east() | ahead.west();
            pawns.without(guarded | attacked.south().fill(Direction::South))
        }
    }

    fn mobility<B: Boards>(position: &Pieces<B>, colour: Colour) -> B::Numbers {
        let enemy = colour.opponent();
        let pawns = leaper::pawns(enemy, position.of(enemy, Role::Pawn));
        let free = !(position.colour(colour) | pawns);
        let mut sum = B::Numbers::splat(0);
        for (role, points) in MOBILITY {
            let attackers = eval::attacker_counts_by_role(position, colour, role);
            sum += attackers.sum_on(free) * points;
        }
        sum
    }

    impl Term for Mobility {
        type Value = i16;

        fn eval<B: Boards>(&self, position: &Pieces<B>) -> B::Numbers {
            mobility(position, Colour::White) - mobility(position, Colour::Black)
        }
    }

    impl Term for KingPressure {
        type Value = u8;

        fn eval<B: Boards>(&self, position: &Pieces<B>) -> B::Numbers {
            let ring = leaper::kings(position.of(Colour::Black, Role::King));
            let mut attacked = leaper::pawns(Colour::White, position.of(Colour::White, Role::Pawn));
            let mut points = B::Numbers::splat(0);
            for (role, weight) in PRESSURE {
                let attackers = eval::attacker_counts_by_role(position, Colour::White, role);
                points += attackers.sum_on(ring) * weight;
                let [ones, twos, fours, eights] = attackers.planes();
                attacked |= ones | twos | fours | eights;
            }
            // Defence by the king does not count.
            let defended = leaper::pawns(Colour::Black, position.of(Colour::Black, Role::Pawn))
                | leaper::knights(position.of(Colour::Black, Role::Knight))
                | B::slider_attacks(
                    position.orthogonal(Colour::Black),
                    position.diagonal(Colour::Black),
                    position.occupied(),
                );
            let points = points + (ring & attacked).without(defended).count() * UNDEFENDED;
            let queens = position.of(Colour::White, Role::Queen).count();
            let few = points.min(B::Numbers::splat(10));
            queens.if_less(B::Numbers::splat(1), few, points)
        }
    }
}

/// The same terms on one position at a time: the rays of a set by Kogge-Stone fills.
mod scalar {
    use super::*;

    /// The rays of a set in one direction, by doubling steps.
    #[inline(always)]
    fn ray(sliders: u64, direction: Direction, occupied: u64) -> u64 {
        let (shift, mask): (u32, u64) = match direction {
            Direction::North => (8, !0),
            Direction::South => (64 - 8, !0),
            Direction::East => (1, !0x0101_0101_0101_0101),
            Direction::West => (64 - 1, !0x8080_8080_8080_8080),
            Direction::NorthEast => (9, !0x0101_0101_0101_0101),
            Direction::NorthWest => (7, !0x8080_8080_8080_8080),
            Direction::SouthEast => (64 - 7, !0x0101_0101_0101_0101),
            Direction::SouthWest => (64 - 9, !0x8080_8080_8080_8080),
        };
        let by = |set: u64, times: u32| {
            if shift < 32 { set << (shift * times) } else { set >> ((64 - shift) * times) }
        };
        let mut empty = !occupied & mask;
        let mut fill = sliders;
        fill |= empty & by(fill, 1);
        empty &= by(empty, 1);
        fill |= empty & by(fill, 2);
        empty &= by(empty, 2);
        fill |= empty & by(fill, 4);
        by(fill, 1) & mask
    }

    const ROOK: [Direction; 4] =
        [Direction::North, Direction::South, Direction::East, Direction::West];
    const BISHOP: [Direction; 4] =
        [Direction::NorthEast, Direction::NorthWest, Direction::SouthEast, Direction::SouthWest];

    #[inline(always)]
    fn slider_attacks(pieces: &Pieces, colour: Colour) -> u64 {
        let mut attacks = 0;
        for direction in ROOK {
            attacks |= ray(pieces.orthogonal(colour), direction, pieces.occupied());
        }
        for direction in BISHOP {
            attacks |= ray(pieces.diagonal(colour), direction, pieces.occupied());
        }
        attacks
    }

    /// The number of attacks of a role on a set of squares, and all squares that it attacks.
    #[inline(always)]
    fn attacks_on(pieces: &Pieces, colour: Colour, role: Role, squares: u64) -> (i16, u64) {
        let (own, occupied) = (pieces.of(colour, role), pieces.occupied());
        let (mut count, mut all) = (0, 0);
        let mut add = |attacks: u64| {
            count += (attacks & squares).count_ones() as i16;
            all |= attacks;
        };
        if role == Role::Knight {
            let mut rest = own;
            while rest != 0 {
                add(leaper::KNIGHT_ATTACKS[rest.trailing_zeros() as usize]);
                rest &= rest - 1;
            }
        }
        let rook = matches!(role, Role::Rook | Role::Queen);
        let bishop = matches!(role, Role::Bishop | Role::Queen);
        if rook {
            for direction in ROOK {
                add(ray(own, direction, occupied));
            }
        }
        if bishop {
            for direction in BISHOP {
                add(ray(own, direction, occupied));
            }
        }
        (count, all)
    }

    pub(super) fn free_passed_pawns(pieces: &Pieces) -> u64 {
        let pawns = pieces.of(Colour::White, Role::Pawn);
        let guards = pieces.of(Colour::Black, Role::Pawn);
        let attacked = slider_attacks(pieces, Colour::Black)
            | leaper::pawns(Colour::Black, guards)
            | leaper::knights(pieces.of(Colour::Black, Role::Knight))
            | leaper::kings(pieces.of(Colour::Black, Role::King));
        let below = |set: u64| {
            let set = set >> 8 | set >> 16;
            let set = set | set >> 16;
            set | set >> 32
        };
        let ahead = below(guards);
        let guarded = ahead | ahead.east() | ahead.west();
        pawns & !guarded & !below(attacked)
    }

    #[inline(always)]
    fn side(pieces: &Pieces, colour: Colour) -> i16 {
        let enemy = colour.opponent();
        let pawns = leaper::pawns(enemy, pieces.of(enemy, Role::Pawn));
        let free = !(pieces.colour(colour) | pawns);
        let mut sum = 0;
        for (role, points) in MOBILITY {
            sum += attacks_on(pieces, colour, role, free).0 * points;
        }
        sum
    }

    pub(super) fn mobility(pieces: &Pieces) -> i16 {
        side(pieces, Colour::White) - side(pieces, Colour::Black)
    }

    pub(super) fn king_pressure(pieces: &Pieces) -> u8 {
        let ring = leaper::kings(pieces.of(Colour::Black, Role::King));
        let mut attacked = leaper::pawns(Colour::White, pieces.of(Colour::White, Role::Pawn));
        let mut points = 0;
        for (role, weight) in PRESSURE {
            let (count, all) = attacks_on(pieces, Colour::White, role, ring);
            points += count * weight;
            attacked |= all;
        }
        let defended = slider_attacks(pieces, Colour::Black)
            | leaper::pawns(Colour::Black, pieces.of(Colour::Black, Role::Pawn))
            | leaper::knights(pieces.of(Colour::Black, Role::Knight));
        points += (ring & attacked & !defended).count_ones() as i16 * UNDEFENDED;
        if pieces.of(Colour::White, Role::Queen) == 0 {
            points = points.min(10);
        }
        points.clamp(0, 255) as u8
    }
}

fn main() {
    let sample = include_str!("../../data/sample.epd");
    let positions: Vec<Pieces> = sample
        .lines()
        .map(|line| Fen::parse(line).expect("the sample is well formed").pieces)
        .collect();
    let positions: Vec<Pieces> = positions.iter().copied().cycle().take(4096).collect();
    println!("{:<18} {:<12} {:>14} {:>8}", "term", "backend", "positions/s", "x fills");
    compare("free passed pawns", &FreePassedPawns, scalar::free_passed_pawns, &positions);
    compare("mobility", &Mobility, scalar::mobility, &positions);
    compare("king pressure", &KingPressure, scalar::king_pressure, &positions);
}

/// Checks a term on every backend, and prints its speed.
fn compare<T: Term>(name: &str, term: &T, fills: fn(&Pieces) -> T::Value, positions: &[Pieces])
where
    T::Value: Default + PartialEq + std::fmt::Debug,
{
    let expected: Vec<T::Value> = positions.iter().map(fills).collect();
    let mut values = vec![T::Value::default(); positions.len()];
    let slow = one_by_one(fills, positions, &mut values);
    let show = |backend: &str, seconds: f64| {
        let rate = positions.len() as f64 / seconds;
        println!("{name:<18} {backend:<12} {rate:>14.0} {:>8.2}", slow / seconds);
    };
    show("(fills)", slow);
    let seconds = one_by_one(|pieces| term.one(pieces), positions, &mut values);
    assert_eq!(values, expected, "{name}, by `one`");
    show("(one)", seconds);
    for backend in Backend::available() {
        let kernel = Kernel::new(backend).expect("it is available");
        values.fill(T::Value::default());
        kernel.eval(term, positions, &mut values);
        assert_eq!(values, expected, "{name}, {backend}");
        let fast = time(|| kernel.eval(term, black_box(positions), &mut values));
        show(backend.name(), fast);
    }
}

/// The time in seconds that a function takes for all positions, one after another.
fn one_by_one<V>(function: impl Fn(&Pieces) -> V, positions: &[Pieces], values: &mut [V]) -> f64 {
    time(|| {
        for (value, pieces) in values.iter_mut().zip(black_box(positions)) {
            *value = function(pieces);
        }
    })
}

/// The time of one call in seconds, the best of many.
fn time(mut call: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..200 {
        let start = Instant::now();
        call();
        best = best.min(start.elapsed().as_secs_f64());
    }
    best
}
