//! Properties that hold for any input, shared by the tests and the fuzz targets.
//!
//! The oracles share no code with the kernels: sliders walk square by square, and columns are computed piece by piece,
//! from coordinates and these walks.

#[cfg(feature = "std")]
use setwise::Lists;
use setwise::bitboard::Direction;
use setwise::fen::Castling;
use setwise::{
    Backend, Buffer, Colour, Column, ColumnKind, Fen, Kernel, Pieces, Positions, Request, Role,
    Shape, ValueType, reference,
};

use super::{guarded, legal};

/// Every backend that is available on this machine.
fn kernels() -> impl Iterator<Item = Kernel> {
    Kernel::available()
}

/// Checks that every backend gives the sliders of each row (occupied, orthogonal, diagonal) the rays of the ray walk.
pub(crate) fn sliders(columns: [&[u64]; 3]) {
    kernels().for_each(|kernel| slider_rays(kernel, columns));
}

/// The value of a column for one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    /// A value.
    Value(u64),
    /// A list, or the values of a fixed-size list.
    Values(Vec<u64>),
    /// No value.
    None,
}

/// The state besides the pieces.
#[derive(Clone, Copy)]
pub(crate) struct State {
    pub(crate) turn: Colour,
    pub(crate) castling: Castling,
    pub(crate) en_passant: Option<u8>,
}

/// White, black, white and so on.
pub(crate) fn turns() -> impl Iterator<Item = Colour> {
    Colour::ALL.into_iter().cycle()
}

/// The states of the positions of a call: turns alternate, white first; rights are arbitrary.
pub(crate) fn states() -> impl Iterator<Item = State> {
    turns().zip(0_u64..).map(|(turn, row)| {
        let noise = row.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 16;
        let [white, black, square, some, ..] = noise.to_le_bytes();
        let castling = Castling { white, black };
        let ranks = if turn == Colour::White { 40 } else { 16 };
        let en_passant = match some % 4 {
            0 => None,
            1 => Some(square % 64),
            _ => Some(ranks + square % 8),
        };
        State { turn, castling, en_passant }
    })
}

/// States as [`Positions`] accept them.
pub(crate) struct States(Vec<setwise::legal::State>);

impl States {
    pub(crate) fn new(rows: usize) -> Self {
        let state = |State { turn, castling, en_passant }| {
            setwise::legal::State::new(turn, castling, en_passant)
        };
        Self(states().take(rows).map(state).collect())
    }

    pub(crate) fn of<'a>(&'a self, positions: Positions<'a>) -> Positions<'a> {
        positions.with_states(&self.0)
    }
}

/// The values of a column.
pub(crate) fn expected_cells(positions: &[Pieces], column: Column) -> Vec<Cell> {
    positions.iter().zip(states()).map(|(pieces, state)| expected(pieces, state, column)).collect()
}

/// The output of a column.
enum Values {
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    #[cfg(feature = "std")]
    ListU16(Lists<u16>),
    #[cfg(feature = "std")]
    ListU32(Lists<u32>),
}

/// A column of a call: a buffer filled with a value that no result has, with extra rows at both ends that must not be
/// written.
pub(crate) struct Filled {
    column: Column,
    rows: usize,
    around: usize,
    values: Values,
    valid: Vec<bool>,
}

impl Filled {
    /// A buffer for `rows` rows, with `around` more at either end.
    pub(crate) fn new(column: Column, rows: usize, around: usize) -> Self {
        let all = rows + 2 * around;
        let length = all * values_of_a_row(column);
        let values = match (column.value_type(), column.shape()) {
            #[cfg(feature = "std")]
            (ValueType::U16, Shape::List) => Values::ListU16(Lists::new()),
            #[cfg(feature = "std")]
            (ValueType::U32, Shape::List) => Values::ListU32(Lists::new()),
            (ValueType::U8, _) => Values::U8(vec![0xa5; length]),
            (ValueType::U16, _) => Values::U16(vec![0xbeef; length]),
            (ValueType::U32, _) => Values::U32(vec![0xdead_beef; length]),
            (ValueType::U64, _) => Values::U64(vec![0x0123_4567_89ab_cdef; length]),
            other => panic!("no values of type {other:?}"),
        };
        Self { column, rows, around, values, valid: (0..all).map(is_valid_before).collect() }
    }

    pub(crate) fn request(&mut self) -> Request<'_> {
        let rows = self.around..self.around + self.rows;
        let count = values_of_a_row(self.column);
        let part = rows.start * count..rows.end * count;
        let buffer: Buffer<'_> = match &mut self.values {
            Values::U8(values) => (&mut values[part]).into(),
            Values::U16(values) => (&mut values[part]).into(),
            Values::U32(values) => (&mut values[part]).into(),
            Values::U64(values) => (&mut values[part]).into(),
            #[cfg(feature = "std")]
            Values::ListU16(lists) => lists.into(),
            #[cfg(feature = "std")]
            Values::ListU32(lists) => lists.into(),
        };
        self.column.to(buffer).validity(&mut self.valid[rows])
    }

    /// Returns the values, after checking that no other rows were written.
    pub(crate) fn cells(&self) -> Vec<Cell> {
        let Self { column, rows, around, .. } = *self;
        let is_around = |row: &usize| *row < around || *row >= around + rows;
        for row in (0..rows + 2 * around).filter(is_around) {
            assert_eq!(self.valid[row], is_valid_before(row), "validity outside of {column}");
        }
        let mut cells = self.all_cells();
        if column.shape() != Shape::List {
            let back = cells.split_off(around + rows);
            let inner = cells.split_off(around);
            cells.extend(back);
            assert_eq!(cells, Self::new(column, 0, around).all_cells(), "outside of {column}");
            cells = inner;
        }
        let valid = &self.valid[around..around + rows];
        cells.into_iter().zip(valid).map(|(cell, &valid)| self.answer(cell, valid)).collect()
    }

    /// A cell as the call returns it: zeros or an empty list for an invalid position.
    fn answer(&self, cell: Cell, valid: bool) -> Cell {
        if valid {
            return cell;
        }
        assert!(self.column.is_nullable(), "{} has an answer everywhere", self.column);
        let is_empty = match &cell {
            Cell::Values(values) if self.column.shape() == Shape::List => values.is_empty(),
            Cell::Values(values) => values.iter().all(|&value| value == 0),
            Cell::Value(value) => *value == 0,
            Cell::None => false,
        };
        assert!(is_empty, "{} has no answer, but {cell:?}", self.column);
        Cell::None
    }

    fn all_cells(&self) -> Vec<Cell> {
        fn cells<T: Copy + Into<u64>>(values: &[T], column: Column) -> Vec<Cell> {
            match column.shape() {
                Shape::Value => values.iter().map(|&value| Cell::Value(value.into())).collect(),
                _ => values.chunks(values_of_a_row(column)).map(values_cell).collect(),
            }
        }
        fn values_cell<T: Copy + Into<u64>>(values: &[T]) -> Cell {
            Cell::Values(values.iter().map(|&value| value.into()).collect())
        }
        match &self.values {
            Values::U8(values) => cells(values, self.column),
            Values::U16(values) => cells(values, self.column),
            Values::U32(values) => cells(values, self.column),
            Values::U64(values) => cells(values, self.column),
            #[cfg(feature = "std")]
            Values::ListU16(lists) => lists.iter().map(values_cell).collect(),
            #[cfg(feature = "std")]
            Values::ListU32(lists) => lists.iter().map(values_cell).collect(),
        }
    }
}

/// The contents of a validity buffer before a call.
fn is_valid_before(row: usize) -> bool {
    row.is_multiple_of(2)
}

/// The number of values per row of a column.
fn values_of_a_row(column: Column) -> usize {
    match column.shape() {
        Shape::Array(count) => count,
        _ => 1,
    }
}

/// The columns that this build can fill: without the feature `std` there are no lists.
pub(crate) fn all_columns() -> Vec<Column> {
    let is_list = |column: &Column| column.shape() == Shape::List;
    Column::ALL.iter().copied().filter(|column| cfg!(feature = "std") || !is_list(column)).collect()
}

/// The values of some columns by a kernel, with guard values around each output.
pub(crate) fn fill<'a>(
    kernel: Kernel,
    positions: impl Into<Positions<'a>>,
    columns: &[Column],
) -> Vec<Vec<Cell>> {
    let positions = positions.into();
    let states = States::new(positions.len());
    let mut filled: Vec<Filled> =
        columns.iter().map(|&column| Filled::new(column, positions.len(), 1)).collect();
    let mut requests: Vec<Request<'_>> = filled.iter_mut().map(Filled::request).collect();
    kernel.fill(states.of(positions), &mut requests);
    filled.iter().map(Filled::cells).collect()
}

/// Checks that every backend computes the same columns as the piece-by-piece code.
pub(crate) fn columns(positions: &[Pieces]) {
    let columns = all_columns();
    let answers: Vec<Vec<Cell>> =
        columns.iter().map(|&column| expected_cells(positions, column)).collect();
    for kernel in kernels() {
        let got = fill(kernel, positions, &columns);
        for ((column, got), answers) in columns.iter().zip(&got).zip(&answers) {
            let backend = kernel.backend();
            assert_eq!(got, answers, "{column} by {backend} of {positions:x?}");
        }
    }
}

/// A line is either read, and its printed form reads back as the same value; or it is rejected, with a message and a
/// column of the line (or the one after it).
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

/// The slider attacks of each row, computed in one call.
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

/// Checks that union and rays of every row by one backend match the ray walk.
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

/// The attacks of each piece of a side, of the given roles.
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

/// The expected value of a column, computed piece by piece.
pub(crate) fn expected(pieces: &Pieces, state: State, column: Column) -> Cell {
    match column.kind() {
        ColumnKind::LegalMoves
        | ColumnKind::LegalPlanes
        | ColumnKind::LegalTargets
        | ColumnKind::LegalCount
        | ColumnKind::Status => {
            let Some(moves) = legal::moves(pieces, state) else { return Cell::None };
            match column.kind() {
                ColumnKind::LegalMoves => Cell::Values(moves.into_iter().map(u64::from).collect()),
                ColumnKind::LegalPlanes => legal::planes(&moves, state.turn),
                ColumnKind::LegalTargets => legal::targets(&moves),
                ColumnKind::LegalCount => Cell::Value(moves.len() as u64),
                _ => Cell::Value(legal::status(pieces, &moves, state.turn)),
            }
        }
        _ => Cell::Value(expected_value(pieces, state.turn, column)),
    }
}

/// The expected value of a column of bitboards or numbers.
fn expected_value(pieces: &Pieces, turn: Colour, column: Column) -> u64 {
    const MINOR: &[Role] = &[Role::Pawn, Role::Knight, Role::Bishop];
    const ROOK: &[Role] = &[Role::Pawn, Role::Knight, Role::Bishop, Role::Rook];
    let own = column.colour().unwrap_or(turn);
    let (enemy, occupied) = (own.opponent(), pieces.occupied());
    let union = |colour, roles, occupied| {
        attacks_of_pieces(pieces, colour, roles, occupied).into_iter().fold(0, |all, one| all | one)
    };
    // The squares whose number of attackers satisfies `passes`.
    let counted = |passes: fn(usize) -> bool| -> u64 {
        let attacks = attacks_of_pieces(pieces, own, &Role::ALL, occupied);
        let attackers = |square: u8| attacks.iter().filter(|&set| set >> square & 1 == 1).count();
        (0..64_u8).filter(|&square| passes(attackers(square))).map(|square| 1 << square).sum()
    };
    // The number of attacks of one role on a set, with each piece counted separately.
    let attacks_on = |colour, role, squares: u64| -> u64 {
        let attacks = attacks_of_pieces(pieces, colour, &[role], occupied);
        attacks.into_iter().map(|set| u64::from((set & squares).count_ones())).sum()
    };
    // The squares from which an enemy piece would attack a king.
    let checks = |role| {
        let attacks = |&square: &u8| attacks_of_a_piece(enemy, role, square, occupied);
        let hits = |square: &u8| attacks(square) & pieces.of(own, Role::King) != 0;
        (0..64).filter(hits).fold(0, |all, square| all | 1 << square)
    };
    // The nearest piece to a king in each direction, and the next one if it is a slider.
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
        ColumnKind::Pawn => union(own, &[Role::Pawn], occupied),
        ColumnKind::Knight => union(own, &[Role::Knight], occupied),
        ColumnKind::Bishop => union(own, &[Role::Bishop], occupied),
        ColumnKind::Rook => union(own, &[Role::Rook], occupied),
        ColumnKind::Queen => union(own, &[Role::Queen], occupied),
        ColumnKind::King => union(own, &[Role::King], occupied),
        ColumnKind::All => counted(|attackers| attackers >= 1),
        ColumnKind::Twice => counted(|attackers| attackers >= 2),
        ColumnKind::CountBit0 => counted(|attackers| attackers & 1 != 0),
        ColumnKind::CountBit1 => counted(|attackers| attackers & 2 != 0),
        ColumnKind::CountBit2 => counted(|attackers| attackers & 4 != 0),
        ColumnKind::CountBit3 => counted(|attackers| attackers & 8 != 0),
        ColumnKind::CountBit4 => counted(|attackers| attackers & 16 != 0),
        ColumnKind::ByMinor => union(own, MINOR, occupied),
        ColumnKind::ByRook => union(own, ROOK, occupied),
        ColumnKind::Hanging => {
            let attacked = union(enemy, &Role::ALL, occupied);
            pieces.colour(own) & attacked & !union(own, &Role::ALL, occupied)
        }
        ColumnKind::AttackedByLesser => {
            let minor = pieces.of(own, Role::Knight) | pieces.of(own, Role::Bishop);
            minor & union(enemy, &[Role::Pawn], occupied)
                | pieces.of(own, Role::Rook) & union(enemy, MINOR, occupied)
                | pieces.of(own, Role::Queen) & union(enemy, ROOK, occupied)
        }
        ColumnKind::XRay => {
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
        ColumnKind::KingDanger => union(enemy, &Role::ALL, occupied & !pieces.of(own, Role::King)),
        ColumnKind::PawnChecks => checks(Role::Pawn),
        ColumnKind::KnightChecks => checks(Role::Knight),
        ColumnKind::BishopChecks => checks(Role::Bishop),
        ColumnKind::RookChecks => checks(Role::Rook),
        ColumnKind::Checkers => {
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
        ColumnKind::Pinned => pins.0,
        ColumnKind::Pinners => pins.1,
        ColumnKind::Mobility(role) => attacks_on(own, role, !pieces.colour(own)),
        ColumnKind::SafeMobility(role) => {
            let attacked = union(enemy, &[Role::Pawn], occupied);
            attacks_on(own, role, !pieces.colour(own) & !attacked)
        }
        ColumnKind::KingRing(role) => attacks_on(enemy, role, union(own, &[Role::King], occupied)),
        other => panic!("the oracle does not know {other:?}"),
    }
}
