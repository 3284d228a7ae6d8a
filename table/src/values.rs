//! Columns that are being filled: values in memory of their own or in the caller's, lists, text; and those as arrays
//! of Arrow. Nothing else calls the kernel.

use std::fmt::Write;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::types::{
    Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    ArrayRef, ArrowPrimitiveType, FixedSizeListArray, LargeListArray, PrimitiveArray,
};
use arrow_buffer::{Buffer, NullBuffer, NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use setwise::fen::Castling;
use setwise::{Colour, Pieces};
use setwise_formats::{Move, Records};

use crate::column::{Column, Element, Given, item};
use crate::library::{Lists, Rows as Boards, Shape, fill};
use crate::query::Query;

/// What is known of some positions besides the boards. Of what the input does not tell, a slice is empty.
#[derive(Clone, Copy, Default)]
pub(crate) struct State<'a> {
    pub(crate) turn: &'a [Colour],
    pub(crate) castling: &'a [Castling],
    pub(crate) en_passant: &'a [Option<u8>],
    pub(crate) halfmove_clock: &'a [u32],
    pub(crate) fullmove_number: &'a [u32],
    pub(crate) score: &'a [i32],
    pub(crate) result: &'a [i8],
    pub(crate) moves: &'a [Option<Move>],
    pub(crate) ply: &'a [u32],
    pub(crate) extra: &'a [u32],
}

impl<'a> State<'a> {
    /// What some rows of a batch say.
    pub(crate) fn of(records: &'a Records, rows: Range<usize>) -> Self {
        fn part<'a, T>(column: &'a [T], rows: &Range<usize>) -> &'a [T] {
            column.get(rows.clone()).unwrap_or(&[])
        }
        Self {
            turn: part(&records.turn, &rows),
            castling: part(&records.castling, &rows),
            en_passant: part(&records.en_passant, &rows),
            halfmove_clock: part(&records.halfmove_clock, &rows),
            fullmove_number: part(&records.fullmove_number, &rows),
            score: part(&records.score, &rows),
            result: part(&records.result, &rows),
            moves: part(&records.moves, &rows),
            ply: part(&records.ply, &rows),
            extra: part(&records.extra, &rows),
        }
    }
}

/// Memory of the caller's for a column of one value a row, or of as many as its arrays are long.
#[derive(Debug)]
pub enum Place<'a> {
    /// Of 8 bits.
    U8(&'a mut [u8]),
    /// Of 16 bits.
    U16(&'a mut [u16]),
    /// Of 32 bits.
    U32(&'a mut [u32]),
    /// Of 64 bits.
    U64(&'a mut [u64]),
    /// Signed, of 8 bits.
    I8(&'a mut [i8]),
    /// Signed, of 32 bits.
    I32(&'a mut [i32]),
}

/// A column of the output.
pub(crate) struct Values<'a> {
    pub(crate) column: Column,
    cells: Cells<'a>,
    /// Of a column whose rows can be null though they have a position.
    nulls: Option<NullBufferBuilder>,
    /// Which of the last rows have a value.
    valid: Vec<bool>,
}

enum Cells<'a> {
    U8(Numbers<'a, u8>),
    U16(Numbers<'a, u16>),
    U32(Numbers<'a, u32>),
    U64(Numbers<'a, u64>),
    I8(Numbers<'a, i8>),
    I32(Numbers<'a, i32>),
    Text(StringBuilder),
    ListU16(ListValues<u16>),
    ListU32(ListValues<u32>),
}

/// Values of one width, in memory of their own or in the caller's.
struct Numbers<'a, T> {
    place: Option<&'a mut [T]>,
    own: Vec<T>,
    used: usize,
    /// The values of a row.
    each: usize,
}

impl<'a, T: Copy + Default> Numbers<'a, T> {
    fn new(place: Option<&'a mut [T]>, rows: usize, each: usize) -> Self {
        let own = Vec::with_capacity(if place.is_some() { 0 } else { rows * each });
        Self { place, own, used: 0, each }
    }

    /// The values of the next rows.
    fn next(&mut self, rows: usize) -> &mut [T] {
        let start = self.used;
        self.used += rows * self.each;
        match &mut self.place {
            Some(place) => &mut place[start..self.used],
            None => {
                self.own.resize(self.used, T::default());
                &mut self.own[start..]
            }
        }
    }
}

/// Lists one after another, with offsets of 64 bits.
struct ListValues<T> {
    offsets: Vec<i64>,
    items: Vec<T>,
    /// Those of the last rows, whose memory is used again.
    last: Lists<T>,
}

impl<T: Copy + Default> ListValues<T> {
    fn new(rows: usize) -> Self {
        let mut offsets = Vec::with_capacity(rows + 1);
        offsets.push(0);
        Self { offsets, items: Vec::new(), last: Lists::default() }
    }

    fn append_last(&mut self) {
        let before = self.items.len();
        self.offsets.extend(self.last.offsets()[1..].iter().map(|end| (before + end) as i64));
        self.items.extend_from_slice(self.last.items());
    }
}

/// A column of a part that is complete.
pub(crate) enum Finished {
    /// Where the values are their own.
    Array(ArrayRef),
    /// What is null among values that are in their place.
    Placed(Option<NullBuffer>),
}

impl<'a> Values<'a> {
    /// A column without rows, and memory for so many.
    pub(crate) fn new(column: Column, place: Option<Place<'a>>, rows: usize) -> Self {
        let each = if let Shape::Array(length) = column.shape() { length } else { 1 };
        let is_list = column.shape() == Shape::List;
        let cells = match (column.element(), place) {
            (Element::U16, None) if is_list => Cells::ListU16(ListValues::new(rows)),
            (Element::U32, None) if is_list => Cells::ListU32(ListValues::new(rows)),
            (Element::Text, None) => Cells::Text(StringBuilder::with_capacity(rows, 0)),
            (Element::U8, None) => Cells::U8(Numbers::new(None, rows, each)),
            (Element::U16, None) => Cells::U16(Numbers::new(None, rows, each)),
            (Element::U32, None) => Cells::U32(Numbers::new(None, rows, each)),
            (Element::U64, None) => Cells::U64(Numbers::new(None, rows, each)),
            (Element::I8, None) => Cells::I8(Numbers::new(None, rows, each)),
            (Element::I32, None) => Cells::I32(Numbers::new(None, rows, each)),
            (Element::U8, Some(Place::U8(place))) => {
                Cells::U8(Numbers::new(Some(place), rows, each))
            }
            (Element::U16, Some(Place::U16(place))) => {
                Cells::U16(Numbers::new(Some(place), rows, each))
            }
            (Element::U32, Some(Place::U32(place))) => {
                Cells::U32(Numbers::new(Some(place), rows, each))
            }
            (Element::U64, Some(Place::U64(place))) => {
                Cells::U64(Numbers::new(Some(place), rows, each))
            }
            (Element::I8, Some(Place::I8(place))) => {
                Cells::I8(Numbers::new(Some(place), rows, each))
            }
            (Element::I32, Some(Place::I32(place))) => {
                Cells::I32(Numbers::new(Some(place), rows, each))
            }
            (element, Some(place)) => {
                panic!("column `{column}` holds {element:?}, but its place is {place:?}")
            }
        };
        // Text has nulls of its own.
        let nullable = column.is_nullable() && !matches!(cells, Cells::Text(_));
        let nulls = nullable.then(|| NullBufferBuilder::new(rows));
        Self { column, cells, nulls, valid: Vec::new() }
    }

    /// A cell of a column of text.
    pub(crate) fn push_text(&mut self, text: Option<&[u8]>) {
        if let Cells::Text(cells) = &mut self.cells {
            cells.append_option(text.map(String::from_utf8_lossy));
        }
    }

    /// A cell of a column of numbers that are counted.
    pub(crate) fn push_number(&mut self, number: u64) {
        if let Cells::U64(cells) = &mut self.cells {
            cells.next(1)[0] = number;
        }
    }

    /// The column as an array. What is null in all columns stands in `nulls`.
    pub(crate) fn finish(self, signed: bool, nulls: Option<NullBuffer>) -> Finished {
        let own = self.nulls.and_then(|mut own| own.finish());
        let nulls = match self.column {
            // They have a value where there is no position.
            Column::Given(Given::Line) => None,
            _ => NullBuffer::union(nulls.as_ref(), own.as_ref()),
        };
        match self.cells {
            Cells::U8(of) => of.finish::<UInt8Type, Int8Type>(signed, nulls),
            Cells::U16(of) => of.finish::<UInt16Type, Int16Type>(signed, nulls),
            Cells::U32(of) => of.finish::<UInt32Type, Int32Type>(signed, nulls),
            Cells::U64(of) => of.finish::<UInt64Type, Int64Type>(signed, nulls),
            Cells::I8(of) => of.finish::<Int8Type, Int8Type>(signed, nulls),
            Cells::I32(of) => of.finish::<Int32Type, Int32Type>(signed, nulls),
            Cells::Text(mut of) => Finished::Array(Arc::new(of.finish())),
            Cells::ListU16(of) => of.finish::<UInt16Type, Int16Type>(signed, nulls),
            Cells::ListU32(of) => of.finish::<UInt32Type, Int32Type>(signed, nulls),
        }
    }

    /// What the input says of some rows. They fit into the column's type.
    fn copy(&mut self, given: Given, boards: &Boards<'_>, state: State<'_>, rows: usize) {
        match &mut self.cells {
            // Text and numbers of lines are pushed with the row.
            Cells::U64(_) | Cells::Text(_)
                if matches!(given, Given::Fen | Given::Line | Given::Rest) => {}
            Cells::U64(cells) => {
                let cells = cells.next(rows);
                match boards {
                    Boards::Rows(pieces) => {
                        for (cell, pieces) in cells.iter_mut().zip(*pieces) {
                            *cell = board(given, pieces);
                        }
                    }
                    Boards::Columns(columns) => cells.copy_from_slice(board(given, columns)),
                }
            }
            Cells::U32(cells) => cells.next(rows).copy_from_slice(match given {
                Given::HalfmoveClock => state.halfmove_clock,
                Given::FullmoveNumber => state.fullmove_number,
                Given::Ply => state.ply,
                _ => state.extra,
            }),
            Cells::U8(cells) => {
                let cells = cells.next(rows);
                if given == Given::EnPassant {
                    self.valid.clear();
                    self.valid.extend(state.en_passant.iter().map(Option::is_some));
                }
                let number = |row: usize| match given {
                    Given::Turn => state.turn[row] as u8,
                    Given::CastlingWhite => state.castling[row].white,
                    Given::CastlingBlack => state.castling[row].black,
                    _ => state.en_passant[row].unwrap_or(0),
                };
                cells.iter_mut().enumerate().for_each(|(row, cell)| *cell = number(row));
            }
            Cells::I8(cells) => cells.next(rows).copy_from_slice(state.result),
            Cells::I32(cells) => cells.next(rows).copy_from_slice(state.score),
            Cells::Text(cells) => {
                for one in state.moves {
                    match one {
                        Some(one) => {
                            let _ = write!(cells, "{one}"); // writing to memory does not fail
                            cells.append_value("");
                        }
                        None => cells.append_null(),
                    }
                }
            }
            Cells::U16(_) | Cells::ListU16(_) | Cells::ListU32(_) => {
                unreachable!("no input says such a column")
            }
        }
    }
}

/// Fills the next rows of all columns.
pub(crate) fn fill_rows(
    columns: &mut [Values<'_>],
    query: &Query,
    boards: Boards<'_>,
    state: State<'_>,
) {
    let rows = match &boards {
        Boards::Rows(pieces) => pieces.len(),
        Boards::Columns(columns) => columns.white.len(),
    };
    for values in &mut *columns {
        if let Column::Given(given) = values.column {
            values.copy(given, &boards, state, rows);
        }
    }
    let mut requests = Vec::with_capacity(columns.len());
    for Values { column, cells, nulls, valid } in &mut *columns {
        let Column::Computed(column) = *column else { continue };
        let mut request = match cells {
            Cells::U8(cells) => column.to(cells.next(rows)),
            Cells::U16(cells) => column.to(cells.next(rows)),
            Cells::U32(cells) => column.to(cells.next(rows)),
            Cells::U64(cells) => column.to(cells.next(rows)),
            Cells::ListU16(lists) => column.to(&mut lists.last),
            Cells::ListU32(lists) => column.to(&mut lists.last),
            Cells::I8(_) | Cells::I32(_) | Cells::Text(_) => {
                unreachable!("`{}` is computed, but as another type", column.name())
            }
        };
        if let Some(set) = query.feature_set.filter(|_| column.needs_feature_set()) {
            request = request.feature_set(set);
        }
        if nulls.is_some() {
            valid.clear();
            valid.resize(rows, true);
            request = request.validity(valid);
        }
        requests.push(request);
    }
    if !requests.is_empty() {
        let turns = (!state.turn.is_empty()).then_some(state.turn);
        fill(query.kernel, boards, turns, &mut requests);
    }
    for Values { column, cells, nulls, valid } in columns {
        match cells {
            Cells::ListU16(lists) => lists.append_last(),
            Cells::ListU32(lists) => lists.append_last(),
            _ => {}
        }
        if let Some(nulls) = nulls {
            debug_assert_eq!(valid.len(), rows, "{column}");
            nulls.append_slice(valid);
        }
    }
}

/// One of the eight boards, or columns of boards.
fn board<T: Copy>(given: Given, of: &Pieces<T>) -> T {
    match given {
        Given::Role(role) => of.role(role),
        Given::White => of.white,
        _ => of.black,
    }
}

impl<T> Numbers<'_, T> {
    fn finish<U, S>(self, signed: bool, nulls: Option<NullBuffer>) -> Finished
    where
        U: ArrowPrimitiveType<Native = T>,
        S: ArrowPrimitiveType,
        T: arrow_buffer::ArrowNativeType,
    {
        match self.place {
            Some(_) => Finished::Placed(nulls),
            None => Finished::Array(numbers::<U, S>(self.own, self.each, signed, nulls)),
        }
    }
}

impl<T: arrow_buffer::ArrowNativeType> ListValues<T> {
    fn finish<U, S>(self, signed: bool, nulls: Option<NullBuffer>) -> Finished
    where
        U: ArrowPrimitiveType<Native = T>,
        S: ArrowPrimitiveType,
    {
        let items = numbers::<U, S>(self.items, 1, signed, None);
        let offsets = OffsetBuffer::new(self.offsets.into());
        let item = item(items.data_type().clone());
        Finished::Array(Arc::new(LargeListArray::new(item, offsets, items, nulls)))
    }
}

/// An array of numbers, or of the signed ones with the same bits, without a copy: `each` of them a row.
pub(crate) fn numbers<U: ArrowPrimitiveType, S: ArrowPrimitiveType>(
    values: Vec<U::Native>,
    each: usize,
    signed: bool,
    nulls: Option<NullBuffer>,
) -> ArrayRef {
    let count = values.len();
    let buffer = Buffer::from_vec(values);
    let of_values = if each == 1 { nulls.clone() } else { None };
    let values: ArrayRef = if signed {
        Arc::new(PrimitiveArray::<S>::new(ScalarBuffer::new(buffer, 0, count), of_values))
    } else {
        Arc::new(PrimitiveArray::<U>::new(ScalarBuffer::new(buffer, 0, count), of_values))
    };
    if each == 1 {
        return values;
    }
    let item = item(values.data_type().clone());
    Arc::new(FixedSizeListArray::new(item, each as i32, values, nulls))
}
