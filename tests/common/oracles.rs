//! What must hold for any input: bodies that the tests and the fuzz targets share.
//!
//! The oracles share no code with the kernels: sliders are walked square by square, and columns go piece by piece
//! with coordinates and that walk.

use setwise::bitboard::Direction;
use setwise::{
    Backend, Buffer, Colour, Column, Fen, Kernel, Kind, Pieces, Positions, Role, ValueType,
    reference,
};

use super::guarded;

/// Every backend that is available here.
fn kernels() -> impl Iterator<Item = Kernel> {
    Kernel::available()
}

/// Every backend gives the sliders of each row (occupied, orthogonal, diagonal) the rays of the ray walk.
pub(crate) fn sliders(columns: [&[u64]; 3]) {
    kernels().for_each(|kernel| slider_rays(kernel, columns));
}

/// The values of a column, bitboards or numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Values {
    U64(Vec<u64>),
    U16(Vec<u16>),
}

impl Values {
    /// A column of `rows` rows that hold something else than any answer would leave there.
    pub(crate) fn new(column: Column, rows: usize) -> Self {
        match column.value_type() {
            ValueType::U64 => Self::U64(vec![0x0123_4567_89ab_cdef; rows]),
            ValueType::U16 => Self::U16(vec![0xbeef; rows]),
            other => panic!("no values of type {other:?}"),
        }
    }

    /// Some of the rows, to be filled.
    pub(crate) fn rows(&mut self, rows: std::ops::Range<usize>) -> Buffer<'_> {
        match self {
            Self::U64(values) => (&mut values[rows]).into(),
            Self::U16(values) => (&mut values[rows]).into(),
        }
    }

    pub(crate) fn push(&mut self, value: u64) {
        match self {
            Self::U64(values) => values.push(value),
            Self::U16(values) => values.push(value.try_into().expect("a number of 16 bits")),
        }
    }
}

/// What a column says of each position, with the turns alternating, white first.
pub(crate) fn expected_values(positions: &[Pieces], column: Column) -> Values {
    let mut values = Values::new(column, 0);
    for (pieces, turn) in positions.iter().zip(turns()) {
        values.push(expected(pieces, turn, column));
    }
    values
}

/// White, black, white and so on.
pub(crate) fn turns() -> impl Iterator<Item = Colour> {
    Colour::ALL.into_iter().cycle()
}

/// What a kernel says of each position, in some columns, with guard values around each.
pub(crate) fn fill<'a>(
    kernel: Kernel,
    positions: impl Into<Positions<'a>>,
    columns: &[Column],
) -> Vec<Values> {
    let positions = positions.into();
    let rows = positions.len();
    let turns: Vec<Colour> = turns().take(rows).collect();
    let mut values: Vec<Values> =
        columns.iter().map(|&column| Values::new(column, rows + 2)).collect();
    let buffers = values.iter_mut().map(|values| values.rows(1..rows + 1));
    let mut asked: Vec<(Column, Buffer<'_>)> = columns.iter().copied().zip(buffers).collect();
    kernel.fill(positions.with_turns(&turns), &mut asked);
    for (values, &column) in values.iter_mut().zip(columns) {
        let untouched = Values::new(column, 2);
        let around = match values {
            Values::U64(values) => Values::U64(vec![values.remove(0), values.pop().expect("one")]),
            Values::U16(values) => Values::U16(vec![values.remove(0), values.pop().expect("one")]),
        };
        assert_eq!(around, untouched, "written outside of {column}");
    }
    values
}

/// Every backend gives each position the columns of one-square code.
pub(crate) fn columns(positions: &[Pieces]) {
    let answers: Vec<Values> =
        Column::ALL.iter().map(|&column| expected_values(positions, column)).collect();
    for kernel in kernels() {
        let got = fill(kernel, positions, Column::ALL);
        for ((column, got), answers) in Column::ALL.iter().zip(&got).zip(&answers) {
            let backend = kernel.backend();
            assert_eq!(got, answers, "{column} by {backend} of {positions:x?}");
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
        kernel.slider_attacks(orthogonal, diagonal, occupied, attacks);
    });
    attacks
}

/// The eight rays of the sliders of each row.
fn rays(kernel: Kernel, [occupied, orthogonal, diagonal]: [&[u64]; 3]) -> [Vec<u64>; 8] {
    guarded(occupied.len(), |rays| kernel.slider_rays(orthogonal, diagonal, occupied, rays))
}

/// Union and rays of every row by one backend are those of the ray walk.
pub(crate) fn slider_rays(kernel: Kernel, columns: [&[u64]; 3]) {
    let union = attacks(kernel, columns);
    let rays = rays(kernel, columns);
    for row in 0..union.len() {
        let [occupied, orthogonal, diagonal] = columns.map(|column| column[row]);
        assert_eq!(
            union[row],
            reference::slider_attacks(orthogonal, diagonal, occupied),
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
fn leaps(square: u8, distances: &[(i32, i32)]) -> u64 {
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

/// The squares that one piece attacks.
pub(crate) fn attacks_of_a_piece(colour: Colour, role: Role, square: u8, occupied: u64) -> u64 {
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

/// What each piece of a side attacks, of the given roles.
fn attacks_of_pieces(pieces: &Pieces, colour: Colour, roles: &[Role], occupied: u64) -> Vec<u64> {
    let mut attacks = Vec::new();
    for &role in roles {
        for square in squares(pieces.of(colour, role)) {
            attacks.push(attacks_of_a_piece(colour, role, square, occupied));
        }
    }
    attacks
}

/// The squares of a set.
pub(crate) fn squares(set: u64) -> impl Iterator<Item = u8> {
    (0..64_u8).filter(move |square| set >> square & 1 == 1)
}

/// The sliders of a side along a direction.
fn sliders_along(pieces: &Pieces, colour: Colour, direction: Direction) -> u64 {
    let other = if direction.is_orthogonal() { Role::Rook } else { Role::Bishop };
    pieces.of(colour, other) | pieces.of(colour, Role::Queen)
}

/// The first piece in a direction.
fn first_piece(square: u8, direction: Direction, occupied: u64) -> Option<u8> {
    squares(reference::ray_from(square, direction, occupied) & occupied).next()
}

/// What a column says, piece by piece.
pub(crate) fn expected(pieces: &Pieces, turn: Colour, column: Column) -> u64 {
    const MINOR: &[Role] = &[Role::Pawn, Role::Knight, Role::Bishop];
    const ROOK: &[Role] = &[Role::Pawn, Role::Knight, Role::Bishop, Role::Rook];
    let own = column.colour().unwrap_or(turn);
    let (enemy, occupied) = (own.opponent(), pieces.occupied());
    let union = |colour, roles, occupied| {
        attacks_of_pieces(pieces, colour, roles, occupied).into_iter().fold(0, |all, one| all | one)
    };
    // The squares with a number of attackers that passes.
    let counted = |passes: fn(usize) -> bool| -> u64 {
        let attacks = attacks_of_pieces(pieces, own, &Role::ALL, occupied);
        let attackers = |square: u8| attacks.iter().filter(|&set| set >> square & 1 == 1).count();
        (0..64_u8).filter(|&square| passes(attackers(square))).map(|square| 1 << square).sum()
    };
    // The attacks of one role on a set, each piece counted by itself.
    let attacks_on = |colour, role, squares: u64| -> u64 {
        let attacks = attacks_of_pieces(pieces, colour, &[role], occupied);
        attacks.into_iter().map(|set| u64::from((set & squares).count_ones())).sum()
    };
    // Every piece that is next to a king in a direction, and the one behind it if it is a slider.
    let mut pins = (0, 0);
    for king in squares(pieces.of(own, Role::King)) {
        for direction in Direction::ALL {
            let Some(piece) = first_piece(king, direction, occupied) else { continue };
            let Some(behind) = first_piece(piece, direction, occupied) else { continue };
            let slider = sliders_along(pieces, enemy, direction) & 1 << behind;
            if pieces.colour(own) >> piece & 1 == 1 && slider != 0 {
                pins = (pins.0 | 1 << piece, pins.1 | slider);
            }
        }
    }
    match column.kind() {
        Kind::Pawn => union(own, &[Role::Pawn], occupied),
        Kind::Knight => union(own, &[Role::Knight], occupied),
        Kind::Bishop => union(own, &[Role::Bishop], occupied),
        Kind::Rook => union(own, &[Role::Rook], occupied),
        Kind::Queen => union(own, &[Role::Queen], occupied),
        Kind::King => union(own, &[Role::King], occupied),
        Kind::All => counted(|attackers| attackers >= 1),
        Kind::Twice => counted(|attackers| attackers >= 2),
        Kind::CountBit0 => counted(|attackers| attackers & 1 != 0),
        Kind::CountBit1 => counted(|attackers| attackers & 2 != 0),
        Kind::CountBit2 => counted(|attackers| attackers & 4 != 0),
        Kind::CountBit3 => counted(|attackers| attackers & 8 != 0),
        Kind::CountBit4 => counted(|attackers| attackers & 16 != 0),
        Kind::ByMinor => union(own, MINOR, occupied),
        Kind::ByRook => union(own, ROOK, occupied),
        Kind::Hanging => {
            let attacked = union(enemy, &Role::ALL, occupied);
            pieces.colour(own) & attacked & !union(own, &Role::ALL, occupied)
        }
        Kind::AttackedByLesser => {
            let minor = pieces.of(own, Role::Knight) | pieces.of(own, Role::Bishop);
            minor & union(enemy, &[Role::Pawn], occupied)
                | pieces.of(own, Role::Rook) & union(enemy, MINOR, occupied)
                | pieces.of(own, Role::Queen) & union(enemy, ROOK, occupied)
        }
        Kind::XRay => {
            let mut seen = 0;
            for direction in Direction::ALL {
                for square in squares(sliders_along(pieces, own, direction)) {
                    if let Some(piece) = first_piece(square, direction, occupied) {
                        seen |= reference::ray_from(piece, direction, occupied);
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
                    let attacks = attacks_of_a_piece(enemy, role, square, occupied);
                    if attacks & pieces.of(own, Role::King) != 0 {
                        checkers |= 1 << square;
                    }
                }
            }
            checkers
        }
        Kind::Pinned => pins.0,
        Kind::Pinners => pins.1,
        Kind::Mobility(role) => attacks_on(own, role, !pieces.colour(own)),
        Kind::SafeMobility(role) => {
            let attacked = union(enemy, &[Role::Pawn], occupied);
            attacks_on(own, role, !pieces.colour(own) & !attacked)
        }
        Kind::KingRing(role) => attacks_on(enemy, role, union(own, &[Role::King], occupied)),
        other => panic!("the oracle does not know {other:?}"),
    }
}
