//! Checks pawns, knights and kings against plain coordinates: all squares, and sets square by square.

use proptest::prelude::*;
use setwise::{Colour, leaper};

const WHITE_PAWN: &[(i8, i8)] = &[(-1, 1), (1, 1)];
const BLACK_PAWN: &[(i8, i8)] = &[(-1, -1), (1, -1)];
const KNIGHT: &[(i8, i8)] =
    &[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING: &[(i8, i8)] = &[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// A leaper's steps, its set-wise function, and its table.
type Leaper = (&'static [(i8, i8)], fn(u64) -> u64, [u64; 64]);

fn leapers() -> [Leaper; 4] {
    [
        (
            WHITE_PAWN,
            |set| leaper::pawns(Colour::White, set),
            leaper::PAWN_ATTACKS[Colour::White as usize],
        ),
        (
            BLACK_PAWN,
            |set| leaper::pawns(Colour::Black, set),
            leaper::PAWN_ATTACKS[Colour::Black as usize],
        ),
        (KNIGHT, leaper::knights, leaper::KNIGHT_ATTACKS),
        (KING, leaper::kings, leaper::KING_ATTACKS),
    ]
}

/// The squares that the steps reach from a square.
fn reached(square: i8, steps: &[(i8, i8)]) -> u64 {
    let mut set = 0;
    for (files, ranks) in steps {
        let (file, rank) = (square % 8 + files, square / 8 + ranks);
        if (0..8).contains(&file) && (0..8).contains(&rank) {
            set |= 1 << (8 * rank + file);
        }
    }
    set
}

#[test]
fn one_leaper_on_every_square() {
    for (steps, attacks, table) in leapers() {
        for square in 0..64 {
            let expected = reached(square, steps);
            assert_eq!(attacks(1 << square), expected, "{square} {steps:?}");
            assert_eq!(table[square as usize], expected, "{square} {steps:?}");
        }
        assert_eq!(attacks(0), 0);
    }
}

/// A board has 7 × 14 pawn captures for each colour, 336 knight leaps and 420 king steps.
#[test]
fn tables_have_as_many_attacks_as_boards_allow() {
    let total = |table: [u64; 64]| table.iter().map(|set| set.count_ones()).sum::<u32>();
    assert_eq!(leapers().map(|(_, _, table)| total(table)), [98, 98, 336, 420]);
}

proptest! {
    #[test]
    fn sets_are_the_union_of_their_squares(set: u64, other: u64) {
        for (steps, attacks, _) in leapers() {
            for set in [set, set & other, set | other] {
                let expected = (0..64)
                    .filter(|square| set >> square & 1 == 1)
                    .fold(0, |all, square| all | reached(square, steps));
                prop_assert_eq!(attacks(set), expected, "{:#x} {:?}", set, steps);
            }
        }
    }
}
