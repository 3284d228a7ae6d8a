//! Who attacks whom, piece by piece with coordinates and the ray walk, in the order that the library states;
//! and the inputs by the formula, on an empty board. No code is shared with the cores.

use setwise::threats::{FeatureSet, FeatureTable, Mirror, Threat};
use setwise::{Colour, Pieces, Role};

use super::oracles::{attacks_of_a_piece, squares};

/// The pairs of a position in the order of the library's lists.
pub(crate) fn expected(pieces: &Pieces) -> Vec<Threat> {
    let occupied = pieces.occupied();
    let mut keyed = Vec::new();
    for from in 0..64_u8 {
        let Some((colour, role)) = pieces.at(from) else { continue };
        for to in squares(attacks_of_a_piece(colour, role, from, occupied) & occupied) {
            keyed.push((key(role, colour, from, to), Threat::new(from, to)));
        }
    }
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, threat)| threat).collect()
}

/// What the order goes by: the part of the list, and the places in it.
fn key(role: Role, colour: Colour, from: u8, to: u8) -> [i32; 3] {
    let at = |square: u8| (square as i32 % 8, square as i32 / 8);
    let ((file, rank), (to_file, to_rank)) = (at(from), at(to));
    let (files, ranks) = (to_file - file, to_rank - rank);
    match role {
        Role::Knight => [20, from as i32, to as i32],
        Role::King => [21, from as i32, to as i32],
        Role::Pawn => {
            let part = match (colour, files) {
                (Colour::White, -1) => 10,
                (Colour::White, _) => 11,
                (Colour::Black, -1) => 12,
                (Colour::Black, _) => 13,
            };
            [part, to as i32, 0]
        }
        Role::Bishop | Role::Rook | Role::Queen => {
            // The axis, and the lower of the two squares on it.
            let up = if ranks == 0 { files > 0 } else { ranks > 0 };
            let (file, rank) = if up { (file, rank) } else { (to_file, to_rank) };
            let (axis, line, place) = match (files, ranks) {
                (_, 0) => (0, rank, file),
                (0, _) => (1, file, rank),
                _ if files == ranks => (2, (file - rank).rem_euclid(8), rank),
                _ => (3, (file + rank) % 8, rank),
            };
            [2 * axis + i32::from(!up), line, place]
        }
    }
}

/// The inputs of a position as a side sees them, in the order of the pairs; none unless each side has one king.
pub(crate) fn expected_inputs(set: &FeatureSet, pieces: &Pieces, side: Colour) -> Option<Vec<u64>> {
    let mut kings = [None; 2];
    for square in 0..64 {
        if let Some((colour, Role::King)) = pieces.at(square)
            && kings[colour as usize].replace(square).is_some()
        {
            return None;
        }
    }
    let [Some(white), Some(black)] = kings else { return None };
    let king = if side == Colour::White { white } else { black };
    let threats = expected(pieces).into_iter();
    let inputs = threats.filter_map(|threat| expected_input(set, pieces, side, king, threat));
    Some(inputs.map(u64::from).collect())
}

/// The input of a pair by the formula, or none: as the set's documentation states it, with nothing from its
/// tables but what the user gives.
pub(crate) fn expected_input(
    set: &FeatureSet,
    pieces: &Pieces,
    side: Colour,
    king: u8,
    threat: Threat,
) -> Option<u32> {
    let table = set.table();
    let mirrored = match table.mirror {
        Mirror::Never => false,
        Mirror::KingToFilesAToD => king % 8 >= 4,
        Mirror::KingToFilesEToH => king % 8 < 4,
        _ => unreachable!("there is no other mirror"),
    };
    let seen = |square: u8| {
        let (mut file, mut rank) = (square % 8, square / 8);
        if mirrored {
            file = 7 - file;
        }
        if side == Colour::Black {
            rank = 7 - rank;
        }
        8 * rank + file
    };
    let (from, to) = (seen(threat.from()), seen(threat.to()));
    let (colour, role) = pieces.at(threat.from())?;
    let (victims_colour, victim) = pieces.at(threat.to())?;
    let friends = colour == victims_colour;
    let place = table.map[role as usize][victim as usize];
    if place < 0
        || (role == victim && table.once[role as usize][usize::from(!friends)] && from < to)
    {
        return None;
    }
    // From the side's own view its pieces are white.
    let turned = |colour: Colour| if colour == side { Colour::White } else { Colour::Black };
    let moves_from = |colour: Colour, role: Role, square: u8| {
        let first_rank = if colour == Colour::White { 0 } else { 7 };
        if role == Role::Pawn && square / 8 == first_rank {
            return 0;
        }
        attacks_of_a_piece(colour, role, square, 0)
    };
    let moves = |colour, role, before: u8| -> u32 {
        (0..before).map(|square| moves_from(colour, role, square).count_ones()).sum()
    };
    let mut base = 0;
    'pieces: for before in [Colour::White, Colour::Black] {
        for other in Role::ALL {
            if (before, other) == (turned(colour), role) {
                break 'pieces;
            }
            base += u32::from(table.targets[other as usize]) * moves(before, other, 64);
        }
    }
    let kind =
        if turned(victims_colour) == Colour::White { 0 } else { table.targets[role as usize] / 2 };
    let attacked = moves_from(turned(colour), role, from);
    if attacked >> to & 1 == 0 {
        return None;
    }
    Some(
        base + (u32::from(kind) + place as u32) * moves(turned(colour), role, 64)
            + moves(turned(colour), role, from)
            + (attacked & ((1 << to) - 1)).count_ones(),
    )
}

/// A set that nobody trained: mirrored the other way, or never, with pieces that count once among friends only.
pub(crate) fn odd_set(mirror: Mirror) -> FeatureSet {
    FeatureSet::new(FeatureTable {
        name: "odd",
        hash: 0,
        targets: [2, 14, 12, 4, 8, 6],
        map: [
            [0, -1, 0, -1, -1, -1],
            [6, 5, 4, 3, 2, 1],
            [0, 1, 2, 3, 4, 5],
            [-1, 1, 0, 0, -1, -1],
            [0, 1, 2, 3, 3, -1],
            [2, 1, 0, -1, -1, 2],
        ],
        once: [[true, false], [false, true], [true, false], [false; 2], [true; 2], [false, true]],
        mirror,
    })
    .expect("a proper table")
}
