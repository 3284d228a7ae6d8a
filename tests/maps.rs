//! Attack maps by every backend against one-square code: any columns in any order, any length, rows
//! and columns in. The oracle goes man by man with coordinates and the ray walk.

mod common;

use common::{Random, guarded, on_every_backend};
use setwise::bitboard::Direction;
use setwise::maps::{Column, Count, Kind, Measure};
use setwise::{Colour, Kernel, Map, Pieces, Position, Positions, Role, reference};

on_every_backend! {
    every_length_of_rows
    every_length_of_columns
    every_count_at_every_length
}

/// The squares at the given distances (files, ranks) that are on the board.
fn leaps(square: usize, distances: &[(i32, i32)]) -> u64 {
    let (file, rank) = (square as i32 % 8, square as i32 / 8);
    let mut squares = 0;
    for (files, ranks) in distances {
        let (file, rank) = (file + files, rank + ranks);
        if (0..8).contains(&file) && (0..8).contains(&rank) {
            squares |= 1 << (8 * rank + file);
        }
    }
    squares
}

/// The squares that one man attacks.
fn attacks_of_a_man(colour: Colour, role: Role, square: usize, occupied: u64) -> u64 {
    let slides = |wanted: fn(Direction) -> bool| {
        let directions = Direction::ALL.into_iter().filter(|&direction| wanted(direction));
        directions
            .fold(0, |seen, direction| seen | reference::ray_from(square, direction, occupied))
    };
    match (role, colour) {
        (Role::Pawn, Colour::White) => leaps(square, &[(-1, 1), (1, 1)]),
        (Role::Pawn, Colour::Black) => leaps(square, &[(-1, -1), (1, -1)]),
        (Role::Knight, _) => {
            leaps(square, &[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)])
        }
        (Role::Bishop, _) => slides(|direction| !direction.is_orthogonal()),
        (Role::Rook, _) => slides(Direction::is_orthogonal),
        (Role::Queen, _) => slides(|_| true),
        (Role::King, _) => {
            leaps(square, &[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)])
        }
    }
}

/// What each man of a side attacks, of the given roles.
fn attacks_of_men(pieces: &Pieces, colour: Colour, roles: &[Role], occupied: u64) -> Vec<u64> {
    let mut attacks = Vec::new();
    for &role in roles {
        for square in squares(pieces.of(colour, role)) {
            attacks.push(attacks_of_a_man(colour, role, square, occupied));
        }
    }
    attacks
}

/// The squares of a set.
fn squares(set: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |square| set >> square & 1 == 1)
}

/// The sliders of a side along a direction.
fn sliders(pieces: &Pieces, colour: Colour, direction: Direction) -> u64 {
    let other = if direction.is_orthogonal() { Role::Rook } else { Role::Bishop };
    pieces.of(colour, other) | pieces.of(colour, Role::Queen)
}

/// The first man in a direction.
fn first_man(square: usize, direction: Direction, occupied: u64) -> Option<usize> {
    squares(reference::ray_from(square, direction, occupied) & occupied).next()
}

/// What a map says, man by man.
fn expected(pieces: &Pieces, map: Map) -> u64 {
    const MINOR: &[Role] = &[Role::Pawn, Role::Knight, Role::Bishop];
    const ROOK: &[Role] = &[Role::Pawn, Role::Knight, Role::Bishop, Role::Rook];
    let (own, enemy, occupied) = (map.colour, map.colour.opponent(), pieces.occupied());
    let union = |colour, roles, occupied| {
        attacks_of_men(pieces, colour, roles, occupied).into_iter().fold(0, |all, one| all | one)
    };
    // The squares with a number of attackers that passes.
    let counted = |passes: fn(usize) -> bool| -> u64 {
        let attacks = attacks_of_men(pieces, own, &Role::ALL, occupied);
        let attackers =
            |square: usize| attacks.iter().filter(|&set| set >> square & 1 == 1).count();
        (0..64).filter(|&square| passes(attackers(square))).map(|square| 1 << square).sum()
    };
    // Every man that stands next to a king in a direction, and the one behind it if it is a slider.
    let mut pins = (0, 0);
    for king in squares(pieces.of(own, Role::King)) {
        for direction in Direction::ALL {
            let Some(man) = first_man(king, direction, occupied) else { continue };
            let Some(behind) = first_man(man, direction, occupied) else { continue };
            let slider = sliders(pieces, enemy, direction) & 1 << behind;
            if pieces.colour(own) >> man & 1 == 1 && slider != 0 {
                pins = (pins.0 | 1 << man, pins.1 | slider);
            }
        }
    }
    match map.kind {
        Kind::Pawn => union(own, &[Role::Pawn], occupied),
        Kind::Knight => union(own, &[Role::Knight], occupied),
        Kind::Bishop => union(own, &[Role::Bishop], occupied),
        Kind::Rook => union(own, &[Role::Rook], occupied),
        Kind::Queen => union(own, &[Role::Queen], occupied),
        Kind::King => union(own, &[Role::King], occupied),
        Kind::All => counted(|attackers| attackers >= 1),
        Kind::Twice => counted(|attackers| attackers >= 2),
        Kind::Count0 => counted(|attackers| attackers & 1 != 0),
        Kind::Count1 => counted(|attackers| attackers & 2 != 0),
        Kind::Count2 => counted(|attackers| attackers & 4 != 0),
        Kind::Count3 => counted(|attackers| attackers & 8 != 0),
        Kind::Count4 => counted(|attackers| attackers & 16 != 0),
        Kind::ByMinor => union(own, MINOR, occupied),
        Kind::ByRook => union(own, ROOK, occupied),
        Kind::Hanging => {
            let attacked = union(enemy, &Role::ALL, occupied);
            pieces.colour(own) & attacked & !union(own, &Role::ALL, occupied)
        }
        Kind::Lesser => {
            let minor = pieces.of(own, Role::Knight) | pieces.of(own, Role::Bishop);
            minor & union(enemy, &[Role::Pawn], occupied)
                | pieces.of(own, Role::Rook) & union(enemy, MINOR, occupied)
                | pieces.of(own, Role::Queen) & union(enemy, ROOK, occupied)
        }
        Kind::XRay => {
            let mut seen = 0;
            for direction in Direction::ALL {
                for square in squares(sliders(pieces, own, direction)) {
                    if let Some(man) = first_man(square, direction, occupied) {
                        seen |= reference::ray_from(man, direction, occupied);
                    }
                }
            }
            seen
        }
        Kind::KingDanger => union(enemy, &Role::ALL, occupied & !pieces.of(own, Role::King)),
        Kind::Checkers => {
            let mut checkers = 0;
            for role in Role::ALL {
                for square in squares(pieces.of(enemy, role)) {
                    let attacks = attacks_of_a_man(enemy, role, square, occupied);
                    if attacks & pieces.of(own, Role::King) != 0 {
                        checkers |= 1 << square;
                    }
                }
            }
            checkers
        }
        Kind::Pinned => pins.0,
        Kind::Pinners => pins.1,
    }
}

/// What a count says, man by man.
fn expected_count(pieces: &Pieces, count: Count) -> u16 {
    let (own, enemy) = (count.colour, count.colour.opponent());
    let occupied = pieces.occupied();
    let union = |colour, role| {
        let attacks = attacks_of_men(pieces, colour, &[role], occupied);
        attacks.into_iter().fold(0, |all, one| all | one)
    };
    let (attackers, on) = match count.measure {
        Measure::Mobility => (own, !pieces.colour(own)),
        Measure::SafeMobility => (own, !pieces.colour(own) & !union(enemy, Role::Pawn)),
        Measure::KingRing => (enemy, union(own, Role::King)),
    };
    let attacks = attacks_of_men(pieces, attackers, &[count.role], occupied);
    attacks.into_iter().map(|set| (set & on).count_ones() as u16).sum()
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
