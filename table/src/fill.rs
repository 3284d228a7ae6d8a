//! Positions into columns, and those into Arrow. Nothing else calls the kernel.

use std::fmt::Write;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::types::{
    Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{ArrayRef, ArrowPrimitiveType, LargeListArray, PrimitiveArray};
use arrow_buffer::{NullBuffer, NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use setwise::fen::Castling;
use setwise::threats::{FeatureError, FeatureSet};
use setwise::{Buffer, Colour, Kernel, Pieces, Positions, Request};
use setwise::{FeatureLists, ThreatLists};
use setwise_formats::Move;

use crate::column::{Column, Given, Width, item};

/// Positions as they come: rows from text, columns from a table.
#[derive(Clone, Copy)]
pub(crate) enum Boards<'a> {
    Rows(&'a [Pieces]),
    Columns(Pieces<&'a [u64]>),
}

impl<'a> Boards<'a> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Rows(pieces) => pieces.len(),
            Self::Columns(columns) => columns.white.len(),
        }
    }

    /// Those from a row on.
    fn from(self, row: usize) -> Self {
        match self {
            Self::Rows(pieces) => Self::Rows(&pieces[row..]),
            Self::Columns(columns) => {
                Self::Columns(Pieces::from_sets(columns.sets().map(|set| &set[row..])))
            }
        }
    }

    fn positions(self) -> Positions<'a> {
        match self {
            Self::Rows(pieces) => pieces.into(),
            Self::Columns(columns) => columns.into(),
        }
    }
}

/// What is known of some positions. Who asks for a column has checked that its input is there.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub(crate) boards: Boards<'a>,
    pub(crate) turns: &'a [Colour],
    pub(crate) castling: &'a [Castling],
    pub(crate) en_passant: &'a [Option<u8>],
    pub(crate) halfmove_clocks: &'a [u32],
    pub(crate) fullmove_numbers: &'a [u32],
    pub(crate) game: Game<'a>,
}

/// What only packed records say.
#[derive(Clone, Copy, Default)]
pub(crate) struct Game<'a> {
    pub(crate) scores: &'a [i32],
    pub(crate) results: &'a [i8],
    pub(crate) moves: &'a [Option<Move>],
    pub(crate) plies: &'a [u32],
    pub(crate) extras: &'a [u32],
}

impl<'a> Input<'a> {
    /// Boards, and nothing else but perhaps who is to move.
    pub(crate) fn of_boards(boards: Boards<'a>, turns: &'a [Colour]) -> Self {
        Self {
            boards,
            turns,
            castling: &[],
            en_passant: &[],
            halfmove_clocks: &[],
            fullmove_numbers: &[],
            game: Game::default(),
        }
    }
}

/// Columns that are being filled.
pub(crate) struct Columns {
    columns: Vec<(Column, Values)>,
    rows: usize,
    /// The lists of threats of the last rows, whose memory is used again.
    threats: ThreatLists,
    features: Vec<Features>,
}

enum Values {
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    I8(Vec<i8>),
    I32(Vec<i32>),
    Text(StringBuilder),
    ListU16(Lists<u16>),
    ListU32(Lists<u32>),
}

/// Lists one after another, and where each begins.
struct Lists<T> {
    offsets: Vec<i64>,
    items: Vec<T>,
}

impl<T> Lists<T> {
    fn new(rows: usize) -> Self {
        let mut offsets = Vec::with_capacity(rows + 1);
        offsets.push(0);
        Self { offsets, items: Vec::new() }
    }

    fn append<S: Copy + Default>(&mut self, lists: &setwise::Lists<S>, item: impl Fn(S) -> T) {
        let before = self.items.len();
        self.offsets.extend(lists.offsets()[1..].iter().map(|end| (before + end) as i64));
        self.items.extend(lists.items().iter().map(|&of_list| item(of_list)));
    }

    /// A row without a list: an empty one, which is null.
    fn append_none(&mut self) {
        self.offsets.push(self.items.len() as i64);
    }

    fn finish<U, S>(self, signed: bool, nulls: Option<NullBuffer>) -> ArrayRef
    where
        U: ArrowPrimitiveType<Native = T>,
        S: ArrowPrimitiveType,
    {
        let items = array::<U, S>(self.items, signed, None);
        let offsets = OffsetBuffer::new(self.offsets.into());
        let item = item(items.data_type().clone());
        Arc::new(LargeListArray::new(item, offsets, items, nulls))
    }
}

/// A set of inputs that is asked for, for one side or for both.
struct Features {
    set: &'static FeatureSet,
    /// Those of the last rows, whose memory is used again.
    last: FeatureLists<u32>,
    /// Which rows have them.
    nulls: NullBufferBuilder,
}

impl Features {
    /// The sets that are asked for, each once.
    fn of(columns: &[Column], rows: usize) -> Vec<Self> {
        let mut sets: Vec<&FeatureSet> = Vec::new();
        for column in columns {
            if let Column::Features(set, _) = *column
                && !sets.contains(&set)
            {
                sets.push(set);
            }
        }
        let of_set =
            |set| Self { set, last: FeatureLists::default(), nulls: NullBufferBuilder::new(rows) };
        sets.into_iter().map(of_set).collect()
    }

    /// Appends the next rows to the columns of this set. The kernel stops at a row without one king a side, and
    /// goes on behind it.
    fn append(&mut self, kernel: Kernel, boards: Boards<'_>, columns: &mut [(Column, Values)]) {
        let (mut row, rows) = (0, boards.len());
        while row < rows {
            let stopped =
                match kernel.features(self.set, boards.from(row).positions(), &mut self.last) {
                    Ok(()) => None,
                    Err(FeatureError::Kings { row, .. }) => Some(row),
                    Err(error) => unreachable!("numbers of 32 bits, and no width: {error}"),
                };
            let good = stopped.unwrap_or(rows - row);
            for (column, values) in &mut *columns {
                if let (Column::Features(set, colour), Values::ListU32(lists)) = (*column, values)
                    && set == self.set
                {
                    lists.append(&self.last[colour], |input| input);
                    if stopped.is_some() {
                        lists.append_none();
                    }
                }
            }
            self.nulls.append_n_non_nulls(good);
            row += good;
            if stopped.is_some() {
                self.nulls.append_null();
                row += 1;
            }
        }
    }
}

/// No en passant square; becomes a null.
const NO_SQUARE: u8 = u8::MAX;

impl Columns {
    /// No rows yet, and room for so many.
    pub(crate) fn new(columns: &[Column], rows: usize) -> Self {
        let values = |column: &Column| match column.width() {
            Width::U8 => Values::U8(Vec::with_capacity(rows)),
            Width::U16 => Values::U16(Vec::with_capacity(rows)),
            Width::U32 => Values::U32(Vec::with_capacity(rows)),
            Width::U64 => Values::U64(Vec::with_capacity(rows)),
            Width::I8 => Values::I8(Vec::with_capacity(rows)),
            Width::I32 => Values::I32(Vec::with_capacity(rows)),
            Width::Text => Values::Text(StringBuilder::with_capacity(rows, 5 * rows)),
            Width::ListU16 => Values::ListU16(Lists::new(rows)),
            Width::ListU32 => Values::ListU32(Lists::new(rows)),
        };
        Self {
            columns: columns.iter().map(|column| (*column, values(column))).collect(),
            rows: 0,
            threats: ThreatLists::new(),
            features: Features::of(columns, rows),
        }
    }

    /// Fills the next rows.
    pub(crate) fn fill(&mut self, kernel: Kernel, input: Input<'_>) {
        let rows = self.rows..self.rows + input.boards.len();
        self.rows = rows.end;
        if rows.is_empty() {
            return;
        }
        for (_, values) in &mut self.columns {
            match values {
                Values::U8(values) => values.resize(rows.end, 0),
                Values::U16(values) => values.resize(rows.end, 0),
                Values::U32(values) => values.resize(rows.end, 0),
                Values::U64(values) => values.resize(rows.end, 0),
                // Appended to, below.
                Values::I8(_) | Values::I32(_) | Values::Text(_) | Values::ListU32(_) => {}
                Values::ListU16(lists) => {
                    kernel.threats(input.boards.positions(), &mut self.threats);
                    lists.append(&self.threats, |threat| threat.bits());
                }
            }
        }
        for features in &mut self.features {
            features.append(kernel, input.boards, &mut self.columns);
        }
        self.compute(kernel, input, rows.clone());
        for (column, values) in &mut self.columns {
            if let Column::Given(given) = column {
                copy(*given, input, values, rows.clone());
            }
        }
    }

    fn compute(&mut self, kernel: Kernel, input: Input<'_>, rows: Range<usize>) {
        let mut computed: Vec<Request<'_>> = Vec::new();
        for (column, values) in &mut self.columns {
            let Column::Computed(column) = *column else { continue };
            let buffer: Buffer<'_> = match values {
                Values::U64(values) => (&mut values[rows.clone()]).into(),
                Values::U16(values) => (&mut values[rows.clone()]).into(),
                _ => unreachable!("{column} is computed, but as another type"),
            };
            computed.push(column.to(buffer));
        }
        if computed.is_empty() {
            return;
        }
        let mut positions = input.boards.positions();
        if !input.turns.is_empty() {
            positions = positions.with_turns(input.turns);
        }
        kernel.fill(positions, &mut computed);
    }

    /// The columns, in the order in which they were asked for. What is null stands in `nulls`.
    pub(crate) fn finish(mut self, signed: bool, nulls: Option<&NullBuffer>) -> Vec<ArrayRef> {
        let without_kings: Vec<_> =
            self.features.iter_mut().map(|f| (f.set, f.nulls.finish())).collect();
        let array = |(column, values): (Column, Values)| -> ArrayRef {
            let nulls = nulls.cloned();
            match values {
                Values::U8(mut values) => {
                    let nulls = match column {
                        Column::Given(Given::EnPassant) => Some(squares(&mut values)),
                        _ => nulls,
                    };
                    array::<UInt8Type, Int8Type>(values, signed, nulls)
                }
                Values::U16(values) => array::<UInt16Type, Int16Type>(values, signed, nulls),
                Values::U32(values) => array::<UInt32Type, Int32Type>(values, signed, nulls),
                Values::U64(values) => array::<UInt64Type, Int64Type>(values, signed, nulls),
                Values::I8(values) => array::<Int8Type, Int8Type>(values, signed, nulls),
                Values::I32(values) => array::<Int32Type, Int32Type>(values, signed, nulls),
                Values::Text(mut values) => Arc::new(values.finish()),
                Values::ListU16(lists) => lists.finish::<UInt16Type, Int16Type>(signed, nulls),
                Values::ListU32(lists) => {
                    let Column::Features(set, _) = column else { unreachable!("{column}") };
                    let kings = without_kings.iter().find(|(of, _)| *of == set);
                    let kings = kings.and_then(|(_, kings)| kings.as_ref());
                    let nulls = NullBuffer::union(nulls.as_ref(), kings);
                    lists.finish::<UInt32Type, Int32Type>(signed, nulls)
                }
            }
        };
        self.columns.into_iter().map(array).collect()
    }
}

/// Rows that have a square, and 0 for those that have none; a row without a position has none.
fn squares(values: &mut [u8]) -> NullBuffer {
    let nulls: NullBuffer = values.iter().map(|&square| square != NO_SQUARE).collect();
    values.iter_mut().filter(|square| **square == NO_SQUARE).for_each(|square| *square = 0);
    nulls
}

/// An array of numbers, or of the signed ones with the same bits, without a copy.
fn array<U: ArrowPrimitiveType, S: ArrowPrimitiveType>(
    values: Vec<U::Native>,
    signed: bool,
    nulls: Option<NullBuffer>,
) -> ArrayRef {
    let rows = values.len();
    let buffer = arrow_buffer::Buffer::from_vec(values);
    if signed {
        Arc::new(PrimitiveArray::<S>::new(ScalarBuffer::new(buffer, 0, rows), nulls))
    } else {
        Arc::new(PrimitiveArray::<U>::new(ScalarBuffer::new(buffer, 0, rows), nulls))
    }
}

/// What a position says itself.
fn copy(given: Given, input: Input<'_>, values: &mut Values, rows: Range<usize>) {
    match values {
        Values::U64(values) => {
            let values = &mut values[rows];
            match input.boards {
                Boards::Rows(pieces) => {
                    for (value, pieces) in values.iter_mut().zip(pieces) {
                        *value = board(given, pieces);
                    }
                }
                Boards::Columns(columns) => values.copy_from_slice(board(given, &columns)),
            }
        }
        Values::U32(values) => {
            for (row, value) in values[rows].iter_mut().enumerate() {
                *value = number(given, input, row);
            }
        }
        Values::U16(values) => {
            for (row, value) in values[rows].iter_mut().enumerate() {
                *value = number(given, input, row) as u16;
            }
        }
        Values::U8(values) => {
            for (row, value) in values[rows].iter_mut().enumerate() {
                *value = number(given, input, row) as u8;
            }
        }
        Values::I8(values) => values.extend_from_slice(input.game.results),
        Values::I32(values) => values.extend_from_slice(input.game.scores),
        Values::Text(values) => {
            for one in input.game.moves {
                match one {
                    Some(one) => {
                        let _ = write!(values, "{one}"); // writing to memory does not fail
                        values.append_value("");
                    }
                    None => values.append_null(),
                }
            }
        }
        Values::ListU16(_) | Values::ListU32(_) => unreachable!("{given:?} is no list"),
    }
}

/// One of the eight boards, or columns of boards.
fn board<T: Copy>(given: Given, of: &Pieces<T>) -> T {
    match given {
        Given::Role(role) => of.role(role),
        Given::White => of.white,
        Given::Black => of.black,
        Given::Turn
        | Given::CastlingWhite
        | Given::CastlingBlack
        | Given::EnPassant
        | Given::HalfmoveClock
        | Given::FullmoveNumber
        | Given::Score
        | Given::Result
        | Given::Move
        | Given::Ply
        | Given::Extra => unreachable!("{given:?} is no board"),
    }
}

/// One of the numbers; it fits into the column's type.
fn number(given: Given, input: Input<'_>, row: usize) -> u32 {
    match given {
        Given::Turn => input.turns[row] as u32,
        Given::CastlingWhite => input.castling[row].white.into(),
        Given::CastlingBlack => input.castling[row].black.into(),
        Given::EnPassant => input.en_passant[row].unwrap_or(NO_SQUARE).into(),
        Given::HalfmoveClock => input.halfmove_clocks[row],
        Given::FullmoveNumber => input.fullmove_numbers[row],
        Given::Ply => input.game.plies[row],
        Given::Extra => input.game.extras[row],
        Given::Role(_)
        | Given::White
        | Given::Black
        | Given::Score
        | Given::Result
        | Given::Move => unreachable!("{given:?} is no unsigned number"),
    }
}
