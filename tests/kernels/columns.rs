//! Compares every column on every backend with the piece-by-piece code: any columns in any order, any length, every
//! layout of positions.

use crate::common::oracles::{self, Cell, all_columns, expected_cells, fill};
use crate::common::{Random, on_every_backend};
use proptest::prelude::*;
use setwise::eval;
use setwise::{Colour, Column, ColumnKind, Kernel, Pieces, Role};

on_every_backend! {
    every_length_of_rows
    every_length_of_columns
    every_length_of_batches
    few_rows_of_maps
    every_column_alone
    few_columns_of_pins
    up_to_sixteen_attackers
}

/// Pieces of any number and kind, one role per square. A few squares have both colours, a colour without a role, or a
/// role without a colour.
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
    } else if random.below(2) == 0 {
        // One king per side, as network inputs need.
        pieces.white &= !pieces.kings;
        pieces.black &= !pieces.kings;
        pieces.kings = 0;
        let white = random.below(64);
        for (colour, square) in
            [(Colour::White, white), (Colour::Black, white ^ (1 + random.below(63)))]
        {
            let others = !(1 << square);
            pieces = pieces.map(|set| set & others);
            pieces.put(colour, Role::King, square as u8);
        }
    }
    pieces
}

/// Positions, and their values in every column.
struct Answers {
    positions: Vec<Pieces>,
    /// The values if white moves first, and if black does.
    cells: [Vec<Vec<Cell>>; 2],
}

impl Answers {
    fn new(random: &mut Random, rows: usize) -> Self {
        let positions: Vec<Pieces> = (0..rows).map(|_| random_pieces(random)).collect();
        let cells = [0, 1].map(|skipped| {
            let mut shifted = vec![Pieces::EMPTY; skipped];
            shifted.extend(&positions);
            all_columns().iter().map(|&column| expected_cells(&shifted, column)).collect()
        });
        Self { positions, cells }
    }

    /// The values of a column for a range of rows, if white is to move in the first of them.
    fn of(&self, column: usize, first: usize, rows: usize) -> &[Cell] {
        let skipped = first % 2;
        &self.cells[skipped][column][first + skipped..][..rows]
    }
}

/// Every length from zero to three blocks and one more, each starting at another row, with a random selection of the
/// columns in any order.
fn every_length(kernel: Kernel, call: impl Fn(&[Pieces], &[Column]) -> Vec<Vec<Cell>>) {
    let mut random = Random::new(4);
    let most = 3 * kernel.backend().boards_per_block() + 1;
    let answers = Answers::new(&mut random, most + 6);
    for rows in 0..=most {
        let first = random.below(6);
        let all = all_columns();
        let mut chosen: Vec<usize> = (0..all.len()).collect();
        for i in 0..chosen.len() {
            chosen.swap(i, random.below(i + 1));
        }
        chosen.truncate(random.below(all.len() + 1));
        let columns: Vec<Column> = chosen.iter().map(|&i| all[i]).collect();
        let positions = &answers.positions[first..first + rows];
        for (&i, got) in chosen.iter().zip(call(positions, &columns)) {
            let column = all[i];
            assert_eq!(got, answers.of(i, first, rows), "{column} of {rows} rows: {positions:x?}");
        }
    }
}

fn every_length_of_rows(kernel: Kernel) {
    every_length(kernel, |positions, columns| fill(kernel, positions, columns));
}

/// The sets of positions, one column each.
fn sets(positions: &[Pieces]) -> Pieces<Vec<u64>> {
    Pieces::from_sets([0, 1, 2, 3, 4, 5, 6, 7])
        .map(|set: usize| positions.iter().map(|pieces| pieces.sets()[set]).collect())
}

fn every_length_of_columns(kernel: Kernel) {
    every_length(kernel, |positions, columns| {
        let sets = sets(positions);
        let by_slices = fill(kernel, sets.each_ref().map(|set| &set[..]), columns);
        #[cfg(feature = "std")]
        assert_eq!(fill(kernel, &sets, columns), by_slices, "vectors");
        by_slices
    });
}

#[cfg(not(feature = "std"))]
fn every_length_of_batches(_: Kernel) {
    crate::common::skipped("batches need feature `std`");
}

#[cfg(feature = "std")]
fn every_length_of_batches(kernel: Kernel) {
    every_length(kernel, |positions, columns| {
        let batches = setwise::Batch::positions(kernel, positions);
        let owned = fill(kernel, &batches, columns);
        assert_eq!(owned, fill(kernel, batches.each_ref(), columns));
        owned
    });
}

/// Attack maps alone are computed row by row if there are few rows.
fn few_rows_of_maps(kernel: Kernel) {
    let mut random = Random::new(6);
    let most = kernel.backend().boards_per_block() / 2 + 2;
    let answers = Answers::new(&mut random, most);
    for rows in 1..=most {
        let mut columns = Column::DEFAULT.to_vec();
        columns.retain(|_| rows % 3 == 0 || random.below(4) > 0);
        let positions = &answers.positions[..rows];
        let sets = sets(positions);
        let of_columns = fill(kernel, sets.each_ref().map(|set| &set[..]), &columns);
        let of_rows = fill(kernel, positions, &columns);
        for (column, (a, b)) in columns.iter().zip(of_rows.into_iter().zip(of_columns)) {
            let at = all_columns().iter().position(|other| other == column).expect("a column");
            let expected = answers.of(at, 0, rows);
            assert_eq!(a, expected, "{column} of {rows} rows");
            assert_eq!(b, expected, "{column} of {rows} rows in columns");
        }
    }
}

/// One column at a time, so that no other column provides what it needs; then several kinds of columns with more rows
/// than one part has.
fn every_column_alone(kernel: Kernel) {
    let mut random = Random::new(5);
    let answers = Answers::new(&mut random, 150);
    for (i, column) in all_columns().into_iter().enumerate() {
        for rows in [1, 70, 150] {
            let got = fill(kernel, &answers.positions[..rows], &[column]);
            assert_eq!(got, [answers.of(i, 0, rows).to_vec()], "{column} of {rows} rows");
        }
    }
    let rows = 2 * 2048 + 70;
    let many: Vec<Pieces> = answers.positions.iter().copied().cycle().take(rows).collect();
    let columns = [
        Column::white(ColumnKind::Twice),
        Column::black(ColumnKind::KingRing(Role::Queen)),
        Column::PINNED,
        Column::black(ColumnKind::Hanging),
    ];
    let by_rows = fill(kernel, &many[..], &columns);
    #[cfg(feature = "std")]
    assert_eq!(fill(kernel, &setwise::Batch::positions(kernel, &many), &columns), by_rows);
    for (column, got) in columns.iter().zip(by_rows) {
        let i = all_columns().iter().position(|other| other == column).expect("a column");
        // 150 is even, so the turns repeat with the positions.
        assert!(got.iter().eq(answers.of(i, 0, 150).iter().cycle().take(rows)), "{column}");
    }
}

/// Any of both sides' checks and pins, with or without the rays of one side: a few of them are computed row by row.
fn few_columns_of_pins(kernel: Kernel) {
    let mut columns = vec![Column::white(ColumnKind::XRay)];
    for kind in [ColumnKind::Pinned, ColumnKind::Checkers, ColumnKind::Pinners] {
        columns.extend([Column::white(kind), Column::black(kind)]);
    }
    let answers = Answers::new(&mut Random::new(8), 67);
    for subset in 0..1 << columns.len() {
        let chosen: Vec<Column> =
            (0..columns.len()).filter(|i| subset >> i & 1 == 1).map(|i| columns[i]).collect();
        for rows in [3, 67] {
            let got = fill(kernel, &answers.positions[..rows], &chosen);
            for (column, got) in chosen.iter().zip(got) {
                let at = all_columns().iter().position(|other| other == column).expect("a column");
                assert_eq!(got, answers.of(at, 0, rows), "{column} of {rows} rows in {chosen:?}");
            }
        }
    }
}

/// A square with so many attackers that every plane and every carry of the count is used: knights a leap away, and
/// kings, queens, rooks, bishops and pawns around it.
fn up_to_sixteen_attackers(kernel: Kernel) {
    const LEAPS: [u8; 8] = [11, 13, 18, 22, 34, 38, 43, 45];
    const AROUND: [u8; 8] = [19, 20, 21, 27, 29, 35, 36, 37];
    let mut random = Random::new(6);
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
    let columns = all_columns();
    for (column, got) in columns.iter().zip(fill(kernel, &positions[..], &columns)) {
        assert_eq!(got, expected_cells(&positions, *column), "{column}");
    }
    let sixteen = expected_cells(&positions, Column::white(ColumnKind::CountBit4));
    let is_full = |cell: &&Cell| matches!(cell, Cell::Value(map) if map >> 28 & 1 == 1);
    let full = sixteen.iter().filter(is_full).count();
    assert!(full > 50, "only {full} squares with sixteen attackers");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))] // each of all columns on all backends

    #[test]
    fn all_backends_agree_on_all_columns(seed: u64, rows in 0usize..70) {
        let mut random = Random::new(seed);
        let positions: Vec<Pieces> = (0..rows).map(|_| random_pieces(&mut random)).collect();
        oracles::columns(&positions);
    }
}

/// Names are unique, and parse to the value that they name.
#[test]
fn names_lead_back() {
    assert_eq!(Column::ALL.len(), 2 * 26 + 2 + 2 * 18 + 5);
    for &column in Column::ALL {
        assert_eq!(column.name().parse(), Ok(column));
        let same = Column::ALL.iter().filter(|other| other.meaning() == column.meaning());
        assert_eq!(same.count(), 1, "{column}");
        if let Some(colour) = column.colour() {
            assert_eq!(Column::of(colour, column.kind()), column);
            let side = if colour == Colour::White { "white_" } else { "black_" };
            assert!(column.name().starts_with(side), "{column}");
        }
    }
    assert_eq!(Column::DEFAULT.len(), 16);
    assert_eq!(Column::DEFAULT[15], Column::black(ColumnKind::Twice));
}

#[test]
fn an_unknown_name_is_answered_with_the_nearest() {
    let error = "white_mobilty_knigth".parse::<Column>().expect_err("there is none");
    assert_eq!(error.nearest(), Some("white_mobility_knight"));
    assert!(error.to_string().contains("`white_mobilty_knigth`"), "{error}");
}

/// The counts of one position, square by square.
#[test]
fn attackers_of_every_square() {
    let mut random = Random::new(8);
    for _ in 0..300 {
        let mut pieces = random_pieces(&mut random);
        // One colour per square.
        pieces.black &= !pieces.white;
        for colour in Colour::ALL {
            let mut expected = [0; 64];
            for from in 0..64 {
                let Some((_, role)) = pieces.at(from).filter(|(owner, _)| *owner == colour) else {
                    continue;
                };
                let attacks = oracles::attacks_of_a_piece(colour, role, from, pieces.occupied());
                oracles::squares(attacks).for_each(|to| expected[usize::from(to)] += 1);
            }
            let counts = eval::attacker_counts(&pieces, &eval::rays(&pieces, colour));
            assert_eq!(counts.to_array(), expected, "{pieces:x?}");
        }
    }
}
