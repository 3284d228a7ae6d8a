//! Expected results: pairs in the documented order, computed piece by piece with coordinates and the ray walk, and the
//! inputs of all blocks, computed by their formulas. No code is shared with the kernels.

use setwise::{Colour, Pieces, Role};
use setwise_nnue::{
    BlockInputs, FeatureBlock, FeatureSet, Mirror, PawnPairInputs, PieceSquareInputs, Threat,
    ThreatInputs,
};

use crate::common::oracles::{attacks_of_a_piece, squares};

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

/// The sort key: the part of the list, then the order within it.
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
            // The axis, the index of the slider's square on it, then upwards before downwards.
            let up = if ranks == 0 { files > 0 } else { ranks > 0 };
            let (axis, line, place) = match (files, ranks) {
                (_, 0) => (0, rank, file),
                (0, _) => (1, file, rank),
                _ if files == ranks => (2, (file - rank).rem_euclid(8), rank),
                _ => (3, (file + rank) % 8, rank),
            };
            [axis, 8 * line + place, i32::from(!up)]
        }
    }
}

/// The number of a colour's attackers of each square. With `batteries`, a slider's line goes on behind sliders of its
/// colour that move along the line, one direction at a time.
pub(crate) fn attackers(pieces: &Pieces, colour: Colour, batteries: bool) -> [u8; 64] {
    let mut numbers = [0; 64];
    for from in 0..64_u8 {
        let Some((own, role)) = pieces.at(from) else { continue };
        if own != colour {
            continue;
        }
        let mut attacked = attacks_of_a_piece(colour, role, from, pieces.occupied());
        for (line, other) in [(Role::Rook, pieces.rooks), (Role::Bishop, pieces.bishops)] {
            if batteries && (role == line || role == Role::Queen) {
                let through = (other | pieces.queens) & pieces.colour(colour);
                attacked |= attacks_of_a_piece(colour, line, from, pieces.occupied() & !through);
            }
        }
        squares(attacked).for_each(|to| numbers[usize::from(to)] += 1);
    }
    numbers
}

/// The inputs of a position from a side's perspective, in the order of the lists; `None` unless each side has one king.
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
    let inputs = expected_list(set, pieces, side, king);
    Some(inputs.into_iter().map(u64::from).collect())
}

/// The inputs of a side whose king is on a square.
pub(crate) fn expected_list(set: &FeatureSet, pieces: &Pieces, side: Colour, king: u8) -> Vec<u32> {
    let mut list = Vec::new();
    let mut first = 0;
    for block in set.blocks() {
        let (inputs, all) = match &block.inputs {
            BlockInputs::Threats(table) => {
                let threats = expected(pieces).into_iter();
                let input = |threat| expected_input(table, pieces, side, king, threat);
                (threats.filter_map(input).collect(), threat_inputs(table))
            }
            BlockInputs::PawnPairs(table) => pawn_pairs(table, pieces, side, king),
            BlockInputs::PieceSquare(table) => piece_square(table, pieces, side, king),
            _ => unreachable!("there is no other block"),
        };
        assert!(inputs.iter().all(|&input| input < all));
        list.extend(inputs.into_iter().map(|input| first + input));
        first += all;
    }
    assert_eq!(first, set.inputs());
    list
}

/// The number of inputs of a block of threats.
fn threat_inputs(table: &ThreatInputs) -> u32 {
    let moves = [84, 336, 560, 896, 1456, 420];
    2 * table
        .targets
        .iter()
        .zip(moves)
        .map(|(&targets, moves)| u32::from(targets) * moves)
        .sum::<u32>()
}

/// The inputs of pairs of pawns, and the number of inputs of the block.
fn pawn_pairs(table: &PawnPairInputs, pieces: &Pieces, side: Colour, king: u8) -> (Vec<u32>, u32) {
    let [first, last] = table.ranks.map(|rank| rank - 1);
    let squares = 8 * u32::from(last - first + 1);
    // The file and the number of each pawn, file by file.
    let mut pawns: Vec<(u8, u32)> = Vec::new();
    for (file, rank) in (0..8).flat_map(|file| (0..8).map(move |rank| (file, rank))) {
        if let Some((colour, Role::Pawn)) = pieces.at(8 * rank + file)
            && (first..=last).contains(&rank)
        {
            let number = u32::from(seen(table.mirror, side, king, 8 * rank + file) - 8 * first);
            pawns.push((file, number + if colour == side { 0 } else { squares }));
        }
    }
    let mut inputs = Vec::new();
    for (i, (file, number)) in pawns.iter().enumerate() {
        for (other_file, other) in &pawns[..i] {
            if file - other_file <= table.files_apart {
                let (high, low) = if number > other { (number, other) } else { (other, number) };
                inputs.push((1..*high).sum::<u32>() + low);
            }
        }
    }
    (inputs, (1..2 * squares).sum())
}

/// The inputs of pieces on their squares, and the number of inputs of the block.
fn piece_square(
    table: &PieceSquareInputs,
    pieces: &Pieces,
    side: Colour,
    king: u8,
) -> (Vec<u32>, u32) {
    let planes = 1 + *table.planes.iter().flatten().max().expect("planes") as u32;
    let buckets = (0..64_u8).filter(|&square| is_seen(table.mirror, square));
    let buckets = 1 + buckets.map(|square| table.buckets[usize::from(square)]).max().expect("one");
    let bucket = table.buckets[usize::from(seen(table.mirror, side, king, king))];
    let mut inputs = Vec::new();
    for square in 0..64 {
        let Some((colour, role)) = pieces.at(square) else { continue };
        let plane = table.planes[usize::from(colour != side)][role as usize];
        if let Ok(plane) = u32::try_from(plane) {
            let square = u32::from(seen(table.mirror, side, king, square));
            inputs.push(64 * (planes * u32::from(bucket) + plane) + square);
        }
    }
    (inputs, 64 * planes * u32::from(buckets))
}

/// Returns whether the king can be seen on a square.
fn is_seen(mirror: Mirror, square: u8) -> bool {
    seen(mirror, Colour::White, square, square) == square
}

/// A square as a side sees it.
fn seen(mirror: Mirror, side: Colour, king: u8, square: u8) -> u8 {
    let mirrored = match mirror {
        Mirror::Never => false,
        Mirror::KingToFilesAToD => king % 8 >= 4,
        Mirror::KingToFilesEToH => king % 8 < 4,
        _ => unreachable!("there is no other mirror"),
    };
    let (mut file, mut rank) = (square % 8, square / 8);
    if mirrored {
        file = 7 - file;
    }
    if side == Colour::Black {
        rank = 7 - rank;
    }
    8 * rank + file
}

/// Computes the input of a pair, if it exists, by the documented formula from the user's table.
pub(crate) fn expected_input(
    table: &ThreatInputs,
    pieces: &Pieces,
    side: Colour,
    king: u8,
    threat: Threat,
) -> Option<u32> {
    let seen = |square| seen(table.mirror, side, king, square);
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
    // In the perspective, the side's own pieces are white.
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

/// An artificial set, in which some pairs of friends count once while the same pairs of enemies count twice.
pub(crate) fn odd_set(mirror: Mirror) -> FeatureSet {
    FeatureSet::new("odd", &[FeatureBlock::threats(odd_threats(mirror))]).expect("a proper table")
}

fn odd_threats(mirror: Mirror) -> ThreatInputs {
    ThreatInputs {
        targets: [2, 14, 12, 4, 8, 6],
        map: [
            [0, -1, 0, -1, -1, -1],
            [6, 5, 4, 3, 2, 1],
            [0, 1, 2, 3, 4, 5],
            [-1, 1, 0, 0, -1, -1],
            [0, 1, 2, 3, 3, -1],
            [2, 1, 0, -1, -1, 2],
        ],
        once: [[false, true], [false, true], [true, false], [false; 2], [true; 2], [false, true]],
        mirror,
    }
}

/// Artificial sets that cover all possibilities of the tables of their blocks.
pub(crate) fn own_sets() -> Vec<FeatureSet> {
    let pairs = |files_apart, ranks, mirror| {
        FeatureBlock::pawn_pairs(PawnPairInputs { files_apart, ranks, mirror })
    };
    let pieces = |inputs| FeatureBlock::piece_square(inputs);
    let all_buckets = std::array::from_fn(|square| (square * 37 % 64) as u8);
    // Both kings on the same plane; pawns and the enemy's queens on none.
    let planes = [[-1, 3, 4, 0, 9, 2], [-1, 1, 5, 6, -1, 2]];
    let halfka = FeatureSet::HALFKA_HM.blocks()[0];
    let wide = pieces(PieceSquareInputs {
        buckets: all_buckets,
        planes: [[0, 63, 1, 2, 3, 4], [5, 6, 7, 8, 9, 10]],
        mirror: Mirror::Never,
    });
    let some: [&[FeatureBlock]; 10] = [
        &[pieces(PieceSquareInputs::ALL_768)],
        &[pieces(PieceSquareInputs::with_buckets(all_buckets, Mirror::KingToFilesAToD))],
        &[pieces(PieceSquareInputs {
            buckets: all_buckets,
            planes,
            mirror: Mirror::KingToFilesEToH,
        })],
        &[wide, pieces(PieceSquareInputs::ALL_768), halfka],
        &[pairs(0, [1, 8], Mirror::Never)],
        &[pairs(7, [1, 8], Mirror::KingToFilesEToH), halfka],
        &[pairs(2, [4, 5], Mirror::KingToFilesAToD)],
        &[
            halfka,
            pairs(3, [3, 6], Mirror::Never),
            FeatureBlock::threats(odd_threats(Mirror::KingToFilesEToH)),
            pieces(PieceSquareInputs { buckets: [3; 64], planes, mirror: Mirror::Never }),
        ],
        // Pawn pairs that are not the first block, in a set that fits into 16 bits.
        &[pieces(PieceSquareInputs::ALL_768), pairs(1, [2, 7], Mirror::KingToFilesAToD)],
        &[pieces(PieceSquareInputs::ALL_768), pairs(7, [1, 8], Mirror::Never)],
    ];
    let set = |(i, blocks): (usize, &&[FeatureBlock])| FeatureSet::new(&format!("own-{i}"), blocks);
    some.iter().enumerate().map(|some| set(some).expect("proper tables")).collect()
}
