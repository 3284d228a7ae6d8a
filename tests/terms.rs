//! Terms of one's own, defined outside the crate: every operation on numbers, every type of column, every
//! length, on every backend.

mod common;

use common::{Random, on_every_backend};
use setwise::bitboard::{Direction, FILES, RANKS};
use setwise::{Boards, Kernel, Numbers, Pieces, Position, Term};

on_every_backend! {
    sets_and_numbers_at_every_length
    fills
}

/// The squares beside white pieces.
struct Beside;

/// All operations on numbers together; often negative, now and then beyond 255.
struct Arithmetic;

/// The same, cut to a byte.
struct Bytes;

/// The same, as the bits lie.
struct Words;

setwise::term! {
    impl Term for Beside {
        type Value = u64;

        fn eval<B: Boards>(&self, position: &Position<B>) -> B {
            (position.white.east() | position.white.west()).without(position.black)
        }
    }

    /// Men and pawns, added up this way and that.
    fn arithmetic<B: Boards>(position: &Position<B>) -> B::Numbers {
        let (white, black) = (position.white.count(), position.black.count());
        let pawns = (position.pawns | B::splat(RANKS[3])).count();
        let product = (white - black) * pawns * 37 + B::Numbers::splat(-5);
        let lesser = product.min(white * black);
        white.if_less(black, lesser, product.max(pawns - white))
    }

    impl Term for Arithmetic {
        type Value = i16;

        fn eval<B: Boards>(&self, position: &Position<B>) -> B::Numbers {
            arithmetic(position)
        }
    }

    impl Term for Bytes {
        type Value = u8;

        fn eval<B: Boards>(&self, position: &Position<B>) -> B::Numbers {
            arithmetic(position)
        }
    }

    impl Term for Words {
        type Value = u16;

        fn eval<B: Boards>(&self, position: &Position<B>) -> B::Numbers {
            arithmetic(position)
        }
    }
}

/// The same arithmetic on plain integers.
fn expected(pieces: &Pieces) -> i16 {
    let count = |set: u64| set.count_ones() as i16;
    let (white, black) = (count(pieces.white), count(pieces.black));
    let pawns = count(pieces.pawns | RANKS[3]);
    let product = (white - black).wrapping_mul(pawns).wrapping_mul(37).wrapping_sub(5);
    if white < black { product.min(white * black) } else { product.max(pawns - white) }
}

fn sets_and_numbers_at_every_length(kernel: Kernel) {
    let mut random = Random::new(6);
    let most = 3 * kernel.backend().boards_per_block() + 1;
    let positions: Vec<Pieces> =
        (0..most).map(|_| Pieces::from_sets([(); 8].map(|()| random.board()))).collect();
    for rows in 0..=most {
        let positions = &positions[most - rows..];
        let columns: [Vec<u64>; 8] =
            [0, 1, 2, 3, 4, 5, 6, 7].map(|set| positions.iter().map(|p| p.sets()[set]).collect());
        let columns = Position::from_sets(columns.each_ref().map(Vec::as_slice));

        let (mut sets, mut numbers) = (vec![!0; rows], vec![-1; rows]);
        kernel.eval(&Beside, columns, &mut sets);
        kernel.eval(&Arithmetic, positions, &mut numbers);
        let (mut bytes, mut words) = (vec![1; rows], vec![1; rows]);
        kernel.eval(&Bytes, columns, &mut bytes);
        kernel.eval(&Words, positions, &mut words);
        for (row, pieces) in positions.iter().enumerate() {
            let beside = Direction::East.step(pieces.white) | Direction::West.step(pieces.white);
            assert_eq!(sets[row], beside & !pieces.black, "row {row} of {rows}: {pieces:x?}");
            let number = expected(pieces);
            assert_eq!(numbers[row], number, "row {row} of {rows}: {pieces:x?}");
            assert_eq!(bytes[row], number.clamp(0, 255) as u8, "row {row} of {rows}");
            assert_eq!(words[row], number as u16, "row {row} of {rows}");
            assert_eq!(Arithmetic.one(pieces), number);
        }
    }
}

/// The set and everything from it in each direction.
struct Fill(Direction);

setwise::term! {
    impl Term for Fill {
        type Value = u64;

        fn eval<B: Boards>(&self, position: &Position<B>) -> B {
            position.kings.fill(self.0)
        }
    }
}

fn fills(kernel: Kernel) {
    let mut random = Random::new(7);
    let mut pieces = vec![Pieces::EMPTY; 300];
    for (i, pieces) in pieces.iter_mut().enumerate() {
        pieces.kings = if i < 64 { 1 << i } else { random.board() & FILES[i % 8] };
    }
    for direction in Direction::ALL {
        let mut filled = vec![0; pieces.len()];
        kernel.eval(&Fill(direction), &pieces, &mut filled);
        for (pieces, filled) in pieces.iter().zip(filled) {
            let mut expected = pieces.kings;
            for _ in 0..7 {
                expected |= direction.step(expected);
            }
            assert_eq!(filled, expected, "{direction:?}: {:x}", pieces.kings);
        }
    }
}

#[test]
#[should_panic(expected = "column `values` has 2 rows, but column")]
fn values_of_another_length_are_named() {
    Kernel::detect().eval(&Beside, &[Pieces::START; 3], &mut [0; 2]);
}
