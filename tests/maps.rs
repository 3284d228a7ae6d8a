//! Attack maps by every backend against one-square code: any columns in any order, any length, rows
//! and columns in. The oracle goes man by man with coordinates and the ray walk.

mod common;

use common::{Random, guarded, on_every_backend};
use setwise::bitboard::Direction;
use setwise::maps::Kind;
use setwise::{Colour, Kernel, Map, Pieces, Position, Positions, Role, reference};

on_every_backend! {
    every_length_of_rows
    every_length_of_columns
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

/// What a map says, man by man.
fn expected(pieces: &Pieces, map: Map) -> u64 {
    let roles: &[Role] = match map.kind {
        Kind::Pawn => &[Role::Pawn],
        Kind::Knight => &[Role::Knight],
        Kind::Bishop => &[Role::Bishop],
        Kind::Rook => &[Role::Rook],
        Kind::Queen => &[Role::Queen],
        Kind::King => &[Role::King],
        Kind::All | Kind::Twice => &Role::ALL,
    };
    let mut attackers = [0; 64];
    for &role in roles {
        for square in 0..64 {
            if pieces.of(map.colour, role) >> square & 1 == 1 {
                let attacks = attacks_of_a_man(map.colour, role, square, pieces.occupied());
                for (target, attackers) in attackers.iter_mut().enumerate() {
                    *attackers += attacks >> target & 1;
                }
            }
        }
    }
    let enough = if map.kind == Kind::Twice { 2 } else { 1 };
    (0..64).filter(|&square| attackers[square] >= enough).map(|square| 1 << square).sum()
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
