//! Shared test code: text in all Arrow types, cells as plain numbers, and a row-by-row reference that walks rays and
//! shares no code with the kernels.

#![allow(unused, reason = "each test takes what it needs of it")]

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowDictionaryKeyType, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, DictionaryArray, LargeStringArray, PrimitiveArray,
    RecordBatch, StringArray, StringViewArray,
};
use arrow_buffer::ArrowNativeType;
use arrow_schema::{DataType, SchemaRef};
use setwise::{Colour, Fen, Pieces, Role, reference};
use setwise_formats::{Format, Records};
use setwise_table::{
    BoardArrays, Column, Error, Input, InputColumn, Keep, Output, Plan, Positions, Query, Sets,
};

/// Positions with both sides to move, castling rights, en passant squares and clocks.
pub(crate) const SAMPLE: &str = include_str!("../../../../../data/sample.epd");

pub(crate) fn sample() -> Vec<&'static str> {
    SAMPLE.lines().collect()
}

/// Texts that are not positions, each with its own error.
pub(crate) const BAD: [&str; 6] = [
    "",
    "8/8",
    "8/8/8/8/8/8/8/8 ♜ - - 0 1",
    "rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1 2",
    "4k3/8/8/8/8/8/8/4K3 w - e5 0 1",
];

/// The number of types of a text column.
pub(crate) const TYPES: usize = 9;

/// Builds the rows in one of the types. In a dictionary, half of the nulls are in the keys and half in the values.
pub(crate) fn text(which: usize, rows: &[Option<&str>]) -> ArrayRef {
    match which {
        0 => Arc::new(rows.iter().collect::<StringArray>()),
        1 => Arc::new(rows.iter().collect::<LargeStringArray>()),
        2 => Arc::new(rows.iter().collect::<StringViewArray>()),
        3 => dictionary::<Int32Type>(0, rows),
        4 => dictionary::<UInt16Type>(1, rows),
        5 => dictionary::<Int64Type>(2, rows),
        6 => dictionary::<UInt32Type>(0, rows),
        7 => dictionary::<Int16Type>(2, rows),
        8 => dictionary::<UInt64Type>(1, rows),
        _ => panic!("there are {TYPES} types"),
    }
}

fn dictionary<K: ArrowDictionaryKeyType>(values: usize, rows: &[Option<&str>]) -> ArrayRef {
    // The first value is null and the second is unused. Then follow the values of the rows.
    let all: Vec<Option<&str>> =
        [None, Some("unused, and no position")].into_iter().chain(rows.iter().copied()).collect();
    let key = |(row, text): (usize, &Option<&str>)| match text {
        Some(_) => Some(row + 2),
        None if row % 2 == 0 => Some(0),
        None => None,
    };
    let keys: PrimitiveArray<K> =
        rows.iter().enumerate().map(|row| key(row).map(K::Native::usize_as)).collect();
    Arc::new(DictionaryArray::<K>::new(keys, text(values, &all)))
}

/// The numbers of an array of any width, signed numbers with the same bits; `None` for nulls.
pub(crate) fn cells(array: &dyn Array) -> Vec<Option<u64>> {
    fn of<T: ArrowPrimitiveType>(
        array: &dyn Array,
        bits: impl Fn(T::Native) -> u64,
    ) -> Vec<Option<u64>> {
        array.as_primitive::<T>().iter().map(|cell| cell.map(&bits)).collect()
    }
    match array.data_type() {
        DataType::UInt8 => of::<UInt8Type>(array, u64::from),
        DataType::UInt16 => of::<UInt16Type>(array, u64::from),
        DataType::UInt32 => of::<UInt32Type>(array, u64::from),
        DataType::UInt64 => of::<UInt64Type>(array, |cell| cell),
        DataType::Int8 => of::<Int8Type>(array, |cell| cell as u8 as u64),
        DataType::Int16 => of::<Int16Type>(array, |cell| cell as u16 as u64),
        DataType::Int32 => of::<Int32Type>(array, |cell| cell as u32 as u64),
        DataType::Int64 => of::<Int64Type>(array, |cell| cell as u64),
        other => panic!("{other} is no column of ours"),
    }
}

/// Columns of every kind and width that [`expected`] knows.
pub(crate) const NAMES: [&str; 12] = [
    "white_rook",
    "black_all",
    "checkers",
    "white_mobility_rook",
    "knights",
    "black",
    "turn",
    "castling_white",
    "castling_black",
    "en_passant",
    "halfmove_clock",
    "fullmove_number",
];

pub(crate) fn columns() -> Vec<Column> {
    NAMES.iter().map(|name| name.parse().expect("a column's name")).collect()
}

/// All columns of numbers that a FEN determines.
pub(crate) fn of_fen() -> Vec<Column> {
    let is_number = |column: &Column| {
        Input::column().is_available(*column)
            && column.data_type(false).is_integer()
            && *column != InputColumn::Line.into()
    };
    Column::all().iter().copied().filter(is_number).collect()
}

/// The expected row of a position.
pub(crate) fn expected(fen: &Fen) -> [Option<u64>; NAMES.len()] {
    let pieces = &fen.pieces;
    let rooks = pieces.of(Colour::White, Role::Rook);
    let king = pieces.of(fen.turn, Role::King);
    let theirs = pieces.colour(fen.turn.opponent());
    let numbers = [
        squares(rooks).map(|square| attacks(pieces, square)).fold(0, |all, one| all | one),
        squares(pieces.black).map(|square| attacks(pieces, square)).fold(0, |all, one| all | one),
        squares(theirs)
            .filter(|&square| attacks(pieces, square) & king != 0)
            .fold(0, |all, square| all | 1 << square),
        squares(rooks)
            .map(|square| u64::from((attacks(pieces, square) & !pieces.white).count_ones()))
            .sum(),
        pieces.knights,
        pieces.black,
        fen.turn as u64,
        fen.castling.white.into(),
        fen.castling.black.into(),
    ];
    let [a, b, c, d, e, f, g, h, i] = numbers.map(Some);
    let en_passant = fen.en_passant.map(u64::from);
    let [clock, number] = [fen.halfmove_clock, fen.fullmove_number].map(|n| Some(u64::from(n)));
    [a, b, c, d, e, f, g, h, i, en_passant, clock, number]
}

fn squares(set: u64) -> impl Iterator<Item = u8> {
    (0..64).filter(move |square| set >> square & 1 == 1)
}

/// The squares that the piece on a square attacks, found by walking.
fn attacks(pieces: &Pieces, square: u8) -> u64 {
    let (colour, role) = pieces.at(square).expect("a piece stands here");
    let (one, occupied) = (1 << square, pieces.occupied());
    let up = if colour == Colour::White { 1 } else { -1 };
    let steps: &[(i32, i32)] = match role {
        Role::Pawn => &[(-1, up), (1, up)],
        Role::Knight => &[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)],
        Role::King => &[(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)],
        Role::Bishop => return reference::slider_attacks(0, one, occupied),
        Role::Rook => return reference::slider_attacks(one, 0, occupied),
        Role::Queen => return reference::slider_attacks(one, one, occupied),
    };
    let (file, rank) = (i32::from(square) % 8, i32::from(square) / 8);
    steps
        .iter()
        .map(|(files, ranks)| (file + files, rank + ranks))
        .filter(|(file, rank)| (0..8).contains(file) && (0..8).contains(rank))
        .fold(0, |set, (file, rank)| set | 1 << (8 * rank + file))
}

/// Runs the query on one chunk of each kind.
pub(crate) trait Ask {
    fn of_text(&self, text: &dyn Array) -> Result<Output, Error>;
    fn of_boards(
        &self,
        boards: [&dyn Array; 8],
        turn: Option<&dyn Array>,
    ) -> Result<RecordBatch, Error>;
    fn of_pieces(&self, pieces: &[Pieces], turns: &[Colour]) -> Result<RecordBatch, Error>;
    fn of_records(&self, format: Format, records: &Records) -> Result<RecordBatch, Error>;
    fn of_table(&self, schema: &SchemaRef, fen: Option<&str>, keep: &Keep) -> Result<Plan, Error>;
}

impl Ask for Query {
    fn of_text(&self, text: &dyn Array) -> Result<Output, Error> {
        self.clone().report_all(true).plan(&Input::column())?.text(text)
    }

    fn of_boards(
        &self,
        boards: [&dyn Array; 8],
        turn: Option<&dyn Array>,
    ) -> Result<RecordBatch, Error> {
        let plan = self.plan(&Input::boards(&InputColumn::STATE[..usize::from(turn.is_some())]))?;
        Ok(plan.chunk(&BoardArrays::new(boards, turn)?.positions())?.batch)
    }

    fn of_pieces(&self, pieces: &[Pieces], turns: &[Colour]) -> Result<RecordBatch, Error> {
        let mut state = Records::new();
        state.turn = turns.to_vec();
        let positions =
            Positions { boards: Sets::Pieces(pieces), state: Some(&state), nulls: None };
        Ok(self.plan(&Input::boards(&[InputColumn::Turn]))?.chunk(&positions)?.batch)
    }

    fn of_records(&self, format: Format, records: &Records) -> Result<RecordBatch, Error> {
        Ok(self.plan(&Input::records(format, &Keep::None)?)?.chunk(records)?.batch)
    }

    fn of_table(&self, schema: &SchemaRef, fen: Option<&str>, keep: &Keep) -> Result<Plan, Error> {
        self.clone().report_all(true).plan(&Input::table(schema, fen, keep)?)
    }
}
