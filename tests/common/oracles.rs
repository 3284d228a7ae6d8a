//! What must hold for any input: bodies that the tests and the fuzz targets share.
//!
//! The oracles share no code with the kernels: sliders are walked square by square, and maps go man by man
//! with coordinates and that walk.

use setwise::bitboard::Direction;
use setwise::maps::{Count, Kind, Measure};
use setwise::{Backend, Colour, Fen, Kernel, Map, Pieces, Role, reference};

use super::guarded;

/// Every backend that is available here.
fn kernels() -> impl Iterator<Item = Kernel> {
    Backend::available().filter_map(Kernel::new)
}

/// Every backend gives the sliders of each row (occupied, orthogonal, diagonal) the rays of the ray walk.
pub(crate) fn sliders(columns: [&[u64]; 3]) {
    kernels().for_each(|kernel| slider_rays(kernel, columns));
}

/// Every backend gives each position the maps and counts of one-square code.
pub(crate) fn maps(positions: &[Pieces]) {
    let answers: Vec<Vec<u64>> =
        Map::ALL.iter().map(|&map| positions.iter().map(|p| expected(p, map)).collect()).collect();
    let counts: Vec<Vec<u16>> = Count::ALL
        .iter()
        .map(|&count| positions.iter().map(|p| expected_count(p, count)).collect())
        .collect();
    for kernel in kernels() {
        let backend = kernel.backend();
        let got = guarded::<{ Map::ALL.len() }>(positions.len(), |columns| {
            let mut columns: Vec<(Map, &mut [u64])> =
                Map::ALL.iter().copied().zip(columns).collect();
            kernel.attack_maps(positions, &mut columns);
        });
        for (map, (got, answers)) in Map::ALL.iter().zip(got.iter().zip(&answers)) {
            assert_eq!(got, answers, "{map} by {backend} of {positions:x?}");
        }
        let mut got = vec![vec![0; positions.len()]; Count::ALL.len()];
        let columns = got.iter_mut().map(Vec::as_mut_slice);
        let mut columns: Vec<(Count, &mut [u16])> =
            Count::ALL.iter().copied().zip(columns).collect();
        kernel.attack_counts(positions, &mut columns);
        for (count, (got, counts)) in Count::ALL.iter().zip(got.iter().zip(&counts)) {
            assert_eq!(got, counts, "{count} by {backend} of {positions:x?}");
        }
    }
}

/// A line is read, and what is then printed reads back as the same; or it is refused with a column that
/// the line has (or the one after it), and with words.
pub(crate) fn fen(line: &[u8]) {
    match Fen::parse(line) {
        Ok(fen) => {
            let printed = fen.to_string();
            assert_eq!(Fen::parse(&printed), Ok(fen), "{printed}");
        }
        Err(error) => {
            assert!((1..=line.len() + 1).contains(&error.column()), "{error:#}");
            assert!(!error.to_string().is_empty());
        }
    }
}

/// What the sliders of each row attack, by one call.
fn attacks(kernel: Kernel, [occupied, orthogonal, diagonal]: [&[u64]; 3]) -> Vec<u64> {
    let [attacks] = guarded(occupied.len(), |[attacks]| {
        kernel.slider_attacks(occupied, orthogonal, diagonal, attacks);
    });
    attacks
}

/// The eight rays of the sliders of each row.
fn rays(kernel: Kernel, [occupied, orthogonal, diagonal]: [&[u64]; 3]) -> [Vec<u64>; 8] {
    guarded(occupied.len(), |rays| kernel.slider_rays(occupied, orthogonal, diagonal, rays))
}

/// Union and rays of every row by one backend are those of the ray walk.
pub(crate) fn slider_rays(kernel: Kernel, columns: [&[u64]; 3]) {
    let union = attacks(kernel, columns);
    let rays = rays(kernel, columns);
    for row in 0..union.len() {
        let [occupied, orthogonal, diagonal] = columns.map(|column| column[row]);
        assert_eq!(
            union[row],
            reference::slider_attacks(occupied, orthogonal, diagonal),
            "row {row}: occupied {occupied:#x} orthogonal {orthogonal:#x} diagonal {diagonal:#x}"
        );
        for (i, direction) in Direction::ALL.into_iter().enumerate() {
            let sliders = if direction.is_orthogonal() { orthogonal } else { diagonal };
            assert_eq!(
                rays[i][row],
                reference::ray(sliders, direction, occupied),
                "row {row}, {direction:?}: occupied {occupied:#x} sliders {sliders:#x}"
            );
        }
    }
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
fn sliders_along(pieces: &Pieces, colour: Colour, direction: Direction) -> u64 {
    let other = if direction.is_orthogonal() { Role::Rook } else { Role::Bishop };
    pieces.of(colour, other) | pieces.of(colour, Role::Queen)
}

/// The first man in a direction.
fn first_man(square: usize, direction: Direction, occupied: u64) -> Option<usize> {
    squares(reference::ray_from(square, direction, occupied) & occupied).next()
}

/// What a map says, man by man.
pub(crate) fn expected(pieces: &Pieces, map: Map) -> u64 {
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
            let slider = sliders_along(pieces, enemy, direction) & 1 << behind;
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
                for square in squares(sliders_along(pieces, own, direction)) {
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
pub(crate) fn expected_count(pieces: &Pieces, count: Count) -> u16 {
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
