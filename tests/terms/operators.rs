//! User-defined terms: every operation on numbers, every type of column, every length, on every backend.

use setwise::bitboard::{Direction, FILES, RANKS};
use setwise::{
    Backend, Boards, Colour, Kernel, Numbers, Of, PieceSquareTable, Pieces, Role, Term, eval,
    leaper,
};

use crate::common::{Random, on_every_backend};

on_every_backend! {
    sets_and_numbers_at_every_length
    every_operator
    tuples_arrays_and_wide_numbers
    inputs_of_every_type
    piece_square_tables
    masks_choices_and_fills
}

/// The squares next to white pieces.
pub(crate) struct Beside;

/// All operations on numbers. Results are often negative, and sometimes above 255.
pub(crate) struct Arithmetic;

/// The same results, clamped to a byte.
pub(crate) struct Bytes;

/// The same results, as raw bits.
pub(crate) struct Words;

setwise::term! {
    impl Term for Beside {
        type Input = ();
        type Value = u64;

        fn eval<B: Boards>(&self, position: &Pieces<B>, _: ()) -> B {
            (position.white.east() | position.white.west()).without(position.black)
        }
    }

    /// Sums of pieces and pawns, combined in many ways.
    pub(crate) fn arithmetic<B: Boards>(position: &Pieces<B>) -> B::Numbers {
        let (white, black) = (position.white.count(), position.black.count());
        let pawns = (position.pawns | B::splat(RANKS[3])).count();
        let product = (white - black) * pawns * 37 + B::Numbers::splat(-5);
        let lesser = product.min(white * black);
        white.if_less(black, lesser, product.max(pawns - white))
    }

    impl Term for Arithmetic {
        type Input = ();
        type Value = i16;

        fn eval<B: Boards>(&self, position: &Pieces<B>, _: ()) -> B::Numbers {
            arithmetic(position)
        }
    }

    impl Term for Bytes {
        type Input = ();
        type Value = u8;

        fn eval<B: Boards>(&self, position: &Pieces<B>, _: ()) -> B::Numbers {
            arithmetic(position)
        }
    }

    impl Term for Words {
        type Input = ();
        type Value = u16;

        fn eval<B: Boards>(&self, position: &Pieces<B>, _: ()) -> B::Numbers {
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
        let columns = Pieces::from_sets(columns.each_ref().map(Vec::as_slice));

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
            assert_eq!(Arithmetic.one(pieces, ()), number);
        }
    }
}

/// Every operator that a term can use, on sets and on numbers.
struct Operators<const FACTOR: i16>;

mod helpers {
    //! Helpers that are called by path or have other generic parameters than boards, and constants.
    use super::*;

    setwise::term! {
        pub(crate) const CORNERS: u64 = 0x8100_0000_0000_0081;

        /// A set or its complement.
        pub(crate) fn either<B: Boards, const COMPLEMENT: bool>(set: B) -> B
        where
            B: Copy,
        {
            if COMPLEMENT { !set } else { set }
        }

        pub(crate) const fn doubled(number: i16) -> i16 {
            2 * number
        }
    }
}

setwise::term! {
    impl<const FACTOR: i16> Operators<FACTOR> {
        const OFFSET: i16 = helpers::doubled(FACTOR) + 1;

        fn set<B: Boards>(&self, position: &Pieces<B>) -> B {
            let mut set = position.white & 0x00ff_00ff_ff00_ff00;
            set |= position.knights;
            set &= helpers::either::<B, true>(position.rooks);
            set ^= position.kings;
            set |= helpers::CORNERS;
            set &= !1;
            set ^= 0xff << 24;
            (set ^ 0x10) | 0x20
        }
    }

    impl<const FACTOR: i16> setwise::Term for Operators<FACTOR>
    where
        [(); 1]: Sized,
    {
        type Input = ();
        type Value = (u64, i16);

        fn eval<B: Boards>(&self, position: &Pieces<B>, _: ()) -> Of<Self::Value, B> {
            let set = self.set(position);
            let mut number = -set.count() * FACTOR + Self::OFFSET;
            number -= position.black.count();
            number += 300;
            number *= position.pawns.count();
            number -= 7;
            number *= 3;
            number += set.count();
            (set, number - 3)
        }
    }
}

fn every_operator(kernel: Kernel) {
    let positions = any_positions(kernel);
    let mut values = vec![(0, 0); positions.len()];
    kernel.eval(&Operators::<-5>, &positions, &mut values);
    for (pieces, got) in positions.iter().zip(values) {
        let mut set = (pieces.white & 0x00ff_00ff_ff00_ff00 | pieces.knights) & !pieces.rooks;
        set = (set ^ pieces.kings | 0x8100_0000_0000_0081) & !1;
        set = set ^ 0xff00_0000 ^ 0x10 | 0x20;
        let count = |set: u64| set.count_ones() as i16;
        let number = 5 * count(set) - 9 - count(pieces.black) + 300;
        let number = number.wrapping_mul(count(pieces.pawns)).wrapping_sub(7).wrapping_mul(3);
        assert_eq!(got, (set, number.wrapping_add(count(set)).wrapping_sub(3)), "{pieces:x?}");
        assert_eq!(Operators::<-5>.one(pieces, ()), got);
    }
}

/// A few blocks of random positions and a tail.
fn any_positions(kernel: Kernel) -> Vec<Pieces> {
    let mut random = Random::new(16);
    let rows = 3 * kernel.backend().boards_per_block() + 1;
    (0..rows).map(|_| Pieces::from_sets([(); 8].map(|()| random.board()))).collect()
}

/// Several values from one pass.
struct Several;

setwise::term! {
    impl Term for Several {
        type Input = ();
        type Value = ([i32; 3], (u64, u8), [[u16; 2]; 2], (i16, i16, i16, u64));

        fn eval<B: Boards>(&self, position: &Pieces<B>, _: ()) -> Of<Self::Value, B> {
            let (white, black) = (position.white.count(), position.black.count());
            let by = white - black;
            (
                [white, black, by * 1000],
                (position.kings, by),
                [[white, black], [by, white]],
                (by, white, black, position.pawns),
            )
        }
    }
}

fn tuples_arrays_and_wide_numbers(kernel: Kernel) {
    let positions = any_positions(kernel);
    for rows in [0, 1, positions.len() - 2, positions.len()] {
        let positions = &positions[..rows];
        let mut values = vec![Several.one(&Pieces::EMPTY, ()); rows];
        kernel.eval(&Several, positions, &mut values);
        for (pieces, got) in positions.iter().zip(values) {
            let count = |set: u64| set.count_ones() as i16;
            let (white, black) = (count(pieces.white), count(pieces.black));
            let by = white - black;
            let bits = |number: i16| number as u16;
            let expected = (
                [white.into(), black.into(), by.wrapping_mul(1000).into()],
                (pieces.kings, by.clamp(0, 255) as u8),
                [[bits(white), bits(black)], [bits(by), bits(white)]],
                (by, white, black, pieces.pawns),
            );
            assert_eq!(got, expected, "{pieces:x?}");
            assert_eq!(Several.one(pieces, ()), got);
        }
    }
}

/// Returns its input combined with part of the position.
pub(crate) struct Inputs;

pub(crate) type Input = (u64, [i16; 2], (u8, u16), i32);

setwise::term! {
    impl Term for Inputs {
        type Input = Input;
        type Value = (u64, [i16; 2], (i16, i16), i32);

        fn eval<B: Boards>(
            &self,
            position: &Pieces<B>,
            (set, [a, b], (byte, word), wide): Of<Input, B>,
        ) -> Of<Self::Value, B> {
            (set & position.white, [a + 1, a * b], (byte, word), wide * position.black.count())
        }
    }
}

fn inputs_of_every_type(kernel: Kernel) {
    let mut random = Random::new(7);
    let positions = any_positions(kernel);
    let inputs: Vec<Input> = positions
        .iter()
        .map(|_| {
            let word = random.next();
            let numbers = [word as i16, (word >> 16) as i16];
            (
                random.board(),
                numbers,
                ((word >> 32) as u8, (word >> 40) as u16),
                (word >> 40) as i32,
            )
        })
        .collect();
    for rows in 0..=positions.len() {
        let (positions, inputs) = (&positions[..rows], &inputs[..rows]);
        let mut values = vec![(0, [0; 2], (0, 0), 0); rows];
        kernel.eval_with(&Inputs, positions, inputs, &mut values);
        for ((pieces, &input), got) in positions.iter().zip(inputs).zip(values) {
            let (set, [a, b], (byte, word), wide) = input;
            let product = (wide as i16).wrapping_mul(pieces.black.count_ones() as i16);
            let expected = (
                set & pieces.white,
                [a.wrapping_add(1), a.wrapping_mul(b)],
                (byte.into(), word as i16),
                product.into(),
            );
            assert_eq!(got, expected, "{input:?}");
            assert_eq!(Inputs.one(pieces, input), got);
        }
    }
}

/// The sums of a table and of its mirror image over the pieces of both sides.
struct Tables(PieceSquareTable);

setwise::term! {
    impl Term for Tables {
        type Input = ();
        type Value = [i16; 2];

        fn eval<B: Boards>(&self, position: &Pieces<B>, _: ()) -> Of<Self::Value, B> {
            [self.0.sum(position.white), self.0.flipped().sum(position.black)]
        }
    }
}

fn piece_square_tables(kernel: Kernel) {
    let mut random = Random::new(8);
    let positions = any_positions(kernel);
    for range in [1, 2, 100, 1000, 1 << 16] {
        let values = [(); 64].map(|()| (random.below(range) as i16).wrapping_sub(40));
        let tables = Tables(PieceSquareTable::new(&values));
        let mut sums = vec![[0; 2]; positions.len()];
        kernel.eval(&tables, &positions, &mut sums);
        for (pieces, got) in positions.iter().zip(sums) {
            let plain = |set: u64, flip: usize| {
                let squares = (0..64_usize).filter(|square| set >> square & 1 == 1);
                squares.fold(0_i16, |sum, square| sum.wrapping_add(values[square ^ flip]))
            };
            assert_eq!(got, [plain(pieces.white, 0), plain(pieces.black, 56)], "{pieces:x?}");
        }
    }
}

/// Every function of `eval` and `leaper`, and every method of boards and numbers: each must be inlined.
struct Everything;

setwise::term! {
    impl Term for Everything {
        type Input = ();
        type Value = (u64, i16);

        fn eval<B: Boards>(&self, position: &Pieces<B>, _: ()) -> Of<Self::Value, B> {
            let mut set = B::empty();
            let mut number = B::Numbers::splat(0);
            for colour in Colour::ALL {
                let attacks = eval::attacks_by(position, colour);
                set ^= attacks.all ^ attacks.twice ^ attacks.pawn ^ attacks.king;
                let rays = eval::rays(position, colour);
                set ^= eval::x_rays(position, &rays) ^ eval::attacked(position, colour);
                set ^= eval::king_danger(position, colour);
                number += eval::attacker_counts(position, &rays).sum_on(set);
                let threats = eval::king_threats(position, &rays);
                set ^= threats.checkers ^ threats.pinned ^ threats.pinners;
                let cumulative = eval::cumulative(position);
                set ^= eval::hanging(position, colour, &cumulative);
                set ^= eval::attacked_by_lesser(position, colour, &cumulative);
                for role in Role::ALL {
                    number += eval::attacker_counts_by_role(position, colour, role).sum_on(set);
                }
                set ^= leaper::pawns(colour, position.pawns);
            }
            for direction in Direction::ALL {
                set ^= position.rooks.step(direction) ^ position.kings.fill(direction);
                set ^= position.queens.ray(direction, position.occupied());
            }
            set ^= leaper::knights(position.knights) ^ leaper::kings(position.kings);
            set ^= B::majority(position.pawns, position.white, set.north_east());
            set ^= (set & position.pawns).any() & position.kings;
            set ^= (position.queens & position.white).many() & position.black;
            set ^= (position.rooks & 0xff).many() & (position.bishops.flip_vertical());
            set = position.kings.select(set, position.white);
            set ^= position.orthogonal(Colour::White).rook_attacks(position.black);
            set ^= position.diagonal(Colour::Black).bishop_attacks(position.white);
            number = number.min(set.count()).max(-number) - 1;
            (set, set.count().if_less(number, number, set.count()))
        }
    }
}

/// Masks, flipped boards, selections and fills, square by square.
struct Masks(Direction);

setwise::term! {
    impl Term for Masks {
        type Input = ();
        type Value = [u64; 5];

        fn eval<B: Boards>(&self, position: &Pieces<B>, _: ()) -> Of<Self::Value, B> {
            [
                position.queens.any(),
                position.queens.many(),
                position.white.flip_vertical(),
                position.kings.select(position.pawns, position.black),
                position.rooks.fill(self.0),
            ]
        }
    }
}

fn masks_choices_and_fills(kernel: Kernel) {
    let mut queens: Vec<u64> = vec![0, !0, 1 << 63 | 1];
    queens.extend((0..64).map(|square| 1 << square));
    queens.extend((0..63).map(|square| 3 << square));
    queens.extend((0..56).map(|square| 0x101 << square));
    queens.extend((0..55).map(|square| 0x201 << square));
    let mut random = Random::new(7);
    let positions: Vec<Pieces> = queens
        .iter()
        .enumerate()
        .map(|(i, &queens)| Pieces {
            queens,
            rooks: if i < 64 { 1 << i } else { random.board() & FILES[i % 8] },
            ..Pieces::from_sets([(); 8].map(|()| random.next()))
        })
        .collect();
    for direction in Direction::ALL {
        let mut values = vec![[1; 5]; positions.len()];
        kernel.eval(&Masks(direction), &positions, &mut values);
        for (pieces, got) in positions.iter().zip(values) {
            let mask = |least| if pieces.queens.count_ones() >= least { !0 } else { 0 };
            let chosen = pieces.kings & pieces.pawns | !pieces.kings & pieces.black;
            let mut filled = pieces.rooks;
            for _ in 0..7 {
                filled |= direction.step(filled);
            }
            let expected = [mask(1), mask(2), pieces.white.swap_bytes(), chosen, filled];
            assert_eq!(got, expected, "{direction:?}: {pieces:x?}");
        }
    }
}

#[test]
fn everything_is_inlined() {
    // Without optimisation, a term of this size needs more than the default stack of a test.
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(|| {
        for backend in Backend::available() {
            everything_by(Kernel::new(backend).expect("it is available"));
        }
    });
    thread.expect("a thread").join().expect("all is inlined and the same");
}

fn everything_by(kernel: Kernel) {
    let positions = any_positions(kernel);
    let mut values = vec![(0, 0); positions.len()];
    kernel.eval(&Everything, &positions, &mut values);
    for (pieces, got) in positions.iter().zip(values) {
        assert_eq!(got, Everything.one(pieces, ()), "{pieces:x?}");
    }
}
