//! Attack maps by every backend against one-square code: any columns in any order, any length, rows
//! and columns in.

mod common;

use common::oracles::{self, expected, expected_count};
use common::{Random, guarded, on_every_backend};
use proptest::prelude::*;
use setwise::maps::{Column, Count};
use setwise::{Colour, Kernel, Map, Pieces, Position, Positions, Role};

on_every_backend! {
    every_length_of_rows
    every_length_of_columns
    every_count_at_every_length
    up_to_sixteen_attackers
}

/// Men of any number and kind, one role a square; a few squares have both colours, or one without a
/// role, or a role without a colour.
fn random_pieces(random: &mut Random) -> Pieces {
    let mut pieces = Pieces::EMPTY;
    let (crowd, roles) = (random.below(13), 1 + random.below(6));
    for square in 0..64 {
        if random.below(12) < crowd {
            let colour = Colour::ALL[random.below(2)];
            pieces.put(colour, Role::ALL[(random.below(roles) + crowd) % 6], square);
        }
    }
    if random.below(4) == 0 {
        pieces.white ^= random.board() & random.board();
        pieces.black ^= random.board() & random.board();
    }
    pieces
}

/// Every length from nothing to three blocks and one more, each from another row on, with some of the
/// columns, drawn by lot, in any order.
fn every_length(kernel: Kernel, call: impl Fn(&[Pieces], &mut [(Map, &mut [u64])])) {
    let mut random = Random(4);
    let most = 3 * kernel.backend().boards() + 1;
    let positions: Vec<Pieces> = (0..most + 5).map(|_| random_pieces(&mut random)).collect();
    let answers: Vec<Vec<u64>> = Map::ALL
        .iter()
        .map(|&map| positions.iter().map(|pieces| expected(pieces, map)).collect())
        .collect();
    for rows in 0..=most {
        let first = random.below(6);
        let mut chosen: Vec<usize> = (0..Map::ALL.len()).collect();
        for i in 0..chosen.len() {
            chosen.swap(i, random.below(i + 1));
        }
        chosen.truncate(random.below(Map::ALL.len() + 1));
        let got = guarded::<{ Map::ALL.len() }>(rows, |columns| {
            let maps = chosen.iter().map(|&i| Map::ALL[i]);
            let mut columns: Vec<(Map, &mut [u64])> = maps.zip(columns).collect();
            call(&positions[first..first + rows], &mut columns);
        });
        for (&i, got) in chosen.iter().zip(&got) {
            for row in 0..rows {
                assert_eq!(
                    got[row],
                    answers[i][first + row],
                    "{}, row {row} of {rows}: {:x?}",
                    Map::ALL[i],
                    positions[first + row]
                );
            }
        }
    }
}

fn every_length_of_rows(kernel: Kernel) {
    every_length(kernel, |positions, maps| kernel.attack_maps(positions, maps));
}

fn every_length_of_columns(kernel: Kernel) {
    every_length(kernel, |positions, maps| {
        let columns: [Vec<u64>; 8] =
            [0, 1, 2, 3, 4, 5, 6, 7].map(|set| positions.iter().map(|p| p.sets()[set]).collect());
        let columns = Position::from_sets(columns.each_ref().map(Vec::as_slice));
        kernel.attack_maps(columns, maps);
    });
}

/// A square with so many attackers that every plane and every carry of their number is used: knights a leap
/// away, and kings, queens, rooks, bishops and pawns around it.
fn up_to_sixteen_attackers(kernel: Kernel) {
    const LEAPS: [usize; 8] = [11, 13, 18, 22, 34, 38, 43, 45];
    const AROUND: [usize; 8] = [19, 20, 21, 27, 29, 35, 36, 37];
    let mut random = Random(6);
    let positions: Vec<Pieces> = (0..20 * 64)
        .map(|row| {
            let colour = Colour::ALL[row % 2];
            let mut pieces = Pieces::EMPTY;
            let (missing, kings) = (random.below(4) * random.below(4), random.below(9));
            for square in LEAPS {
                if random.below(12) >= missing {
                    pieces.put(colour, Role::Knight, square);
                }
            }
            for (i, square) in AROUND.into_iter().enumerate() {
                if random.below(12) >= missing {
                    let others = [Role::Queen, Role::Queen, Role::Rook, Role::Bishop, Role::Pawn];
                    let role = if i < kings { Role::King } else { others[random.below(5)] };
                    pieces.put(colour, role, square);
                }
            }
            pieces
        })
        .collect();
    let got = guarded::<{ Map::ALL.len() }>(positions.len(), |columns| {
        let mut columns: Vec<(Map, &mut [u64])> = Map::ALL.iter().copied().zip(columns).collect();
        kernel.attack_maps(&positions[..], &mut columns);
    });
    for (map, got) in Map::ALL.iter().zip(&got) {
        for (pieces, &got) in positions.iter().zip(got) {
            assert_eq!(got, expected(pieces, *map), "{map}: {pieces:x?}");
        }
    }
    let sixteen = Map::ALL.iter().position(|map| map.name() == "white_count_4").expect("a map");
    let full = got[sixteen].iter().filter(|&&map| map >> 28 & 1 == 1).count();
    assert!(full > 50, "only {full} squares with sixteen attackers");
}

/// The same for the counts; and each alone.
fn every_count_at_every_length(kernel: Kernel) {
    const GUARD: u16 = 0xbeef;
    let mut random = Random(5);
    let most = 3 * kernel.backend().boards() + 1;
    let positions: Vec<Pieces> = (0..most + 5).map(|_| random_pieces(&mut random)).collect();
    let answers: Vec<Vec<u16>> = Count::ALL
        .iter()
        .map(|&count| positions.iter().map(|pieces| expected_count(pieces, count)).collect())
        .collect();
    for rows in 0..=most {
        let first = random.below(6);
        // All of them at one length, one alone at the next.
        let chosen = if rows % 2 == 0 { 0..36 } else { rows / 2 % 36..rows / 2 % 36 + 1 };
        let mut columns = vec![vec![GUARD; rows + 2]; chosen.len()];
        let inner = columns.iter_mut().map(|column| &mut column[1..=rows]);
        let mut counts: Vec<(Count, &mut [u16])> =
            Count::ALL[chosen.clone()].iter().copied().zip(inner).collect();
        kernel.attack_counts(&positions[first..first + rows], &mut counts);
        for (i, column) in chosen.zip(&columns) {
            assert_eq!([column[0], column[rows + 1]], [GUARD; 2], "written outside the column");
            for (row, got) in column[1..=rows].iter().enumerate() {
                assert_eq!(
                    *got,
                    answers[i][first + row],
                    "{}, row {row} of {rows}: {:x?}",
                    Count::ALL[i],
                    positions[first + row]
                );
            }
        }
    }
}

proptest! {
    #[test]
    fn all_backends_agree_on_all_columns(seed: u64, rows in 0usize..70) {
        let mut random = Random(seed);
        let positions: Vec<Pieces> = (0..rows).map(|_| random_pieces(&mut random)).collect();
        oracles::maps(&positions);
    }
}

/// Names are unique, and lead back to what they name.
#[test]
fn names_lead_back() {
    for &map in Map::ALL {
        assert_eq!(map.name().parse(), Ok(map));
    }
    for &count in Count::ALL {
        assert_eq!(count.name().parse(), Ok(count));
        assert!(count.name().parse::<Map>().is_err());
    }
    let columns: Vec<Column> = Column::all().collect();
    assert_eq!(columns.len(), 44 + 2 + 36);
    for &column in &columns {
        assert_eq!(column.name().parse(), Ok(column));
        let same = columns.iter().filter(|other| other.meaning() == column.meaning());
        assert_eq!(same.count(), 1, "{column}");
    }
}

#[test]
#[should_panic(expected = "column `queens` has 2 rows, but column `black` has 3")]
fn a_column_in_of_another_length_is_named() {
    let mut columns = Position::from_sets([&[0; 3][..]; 8]);
    columns.queens = &[0; 2];
    let _ = Positions::from(columns).len();
}

#[test]
#[should_panic(expected = "column `black_king` has 2 rows, but column")]
fn a_column_out_of_another_length_is_named() {
    let map = "black_king".parse().expect("there is such a map");
    Kernel::detect().attack_maps(&[Pieces::START; 3][..], &mut [(map, &mut [0; 2])]);
}
