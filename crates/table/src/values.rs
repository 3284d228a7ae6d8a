//! Builders of columns: values in new memory or in the caller's memory, lists, and text. They finish as Arrow arrays.
//! Only this file calls the kernel.

use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{
    Array, ArrayRef, FixedSizeListArray, LargeListArray, make_array, new_empty_array,
};
use arrow_buffer::{Buffer, NullBuffer, NullBufferBuilder, OffsetBuffer};
use arrow_schema::DataType;
use arrow_select::concat::concat;
use bytemuck::{cast_slice, cast_slice_mut};
use setwise::{Lists, Needs, Pieces, ValueType};
use setwise_formats::pgn::Score;
use setwise_formats::{Move, MoveKind, Records};

use crate::column::{Column, InputColumn};
use crate::error::Error;
use crate::query::Query;
use crate::span::{Boards, Span};

/// The caller's memory for a column: one value per row, or one array per row.
#[derive(Debug)]
pub struct Place<'a> {
    pub(crate) bytes: &'a mut [u8],
    /// The size of a value in bytes.
    pub(crate) width: usize,
}

impl<'a, T: bytemuck::Pod> From<&'a mut [T]> for Place<'a> {
    fn from(values: &'a mut [T]) -> Self {
        Self { bytes: bytemuck::cast_slice_mut(values), width: size_of::<T>() }
    }
}

pub(crate) struct Values<'a> {
    pub(crate) column: Column,
    cells: Cells<'a>,
    /// The nulls of columns that can be null in rows that have a position.
    nulls: Option<NullBufferBuilder>,
    /// For each of the latest rows, true if it has a value.
    valid: Vec<bool>,
    /// The number that replaces missing labels.
    missing: Option<i32>,
}

enum Cells<'a> {
    Numbers(Numbers<'a>),
    /// The texts of consecutive rows, in pieces.
    Text(Vec<ArrayRef>),
    ListU16(ListValues<u16>),
    ListU32(ListValues<u32>),
}

/// Values of fixed width, in new memory or in the caller's memory, aligned to their width.
struct Numbers<'a> {
    place: Option<&'a mut [u8]>,
    own: Vec<u64>,
    /// The number of bytes in use, and the number of bytes per row.
    used: usize,
    row: usize,
}

impl<'a> Numbers<'a> {
    fn new(place: Option<&'a mut [u8]>, rows: usize, row: usize) -> Self {
        let bytes = if place.is_some() { 0 } else { rows * row };
        let own = Vec::with_capacity(bytes.div_ceil(8));
        Self { place, own, used: 0, row }
    }

    fn next(&mut self, rows: usize) -> &mut [u8] {
        let start = self.used;
        self.used += rows * self.row;
        match &mut self.place {
            Some(place) => &mut place[start..self.used],
            None => {
                self.own.resize(self.used.div_ceil(8), 0);
                &mut cast_slice_mut(&mut self.own)[start..self.used]
            }
        }
    }
}

/// Concatenated lists, with 64-bit offsets.
struct ListValues<T> {
    offsets: Vec<i64>,
    items: Vec<T>,
    /// The lists of the latest rows; their memory is reused.
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

/// A finished column of a part.
pub(crate) enum Finished {
    /// An array in new memory.
    Array(ArrayRef),
    /// The nulls of a column whose values are in the caller's memory.
    Placed(Option<NullBuffer>),
}

impl Finished {
    /// Returns the array of a column in new memory.
    pub(crate) fn into_array(self) -> ArrayRef {
        match self {
            Self::Array(array) => array,
            Self::Placed(_) => unreachable!("it has no place of the caller's"),
        }
    }
}

impl<'a> Values<'a> {
    /// Creates an empty column with a capacity in rows. `missing` is the number to write for missing labels.
    pub(crate) fn new(
        column: Column,
        nullable: bool,
        place: Option<Place<'a>>,
        rows: usize,
        missing: Option<i32>,
    ) -> Self {
        let cells = match (column.row_bytes(), column.value_type()) {
            (Some(row), _) => {
                Cells::Numbers(Numbers::new(place.map(|place| place.bytes), rows, row))
            }
            (None, ValueType::U16) => Cells::ListU16(ListValues::new(rows)),
            (None, ValueType::U32) => Cells::ListU32(ListValues::new(rows)),
            (None, ValueType::Text) => Cells::Text(Vec::new()),
            (None, other) => unreachable!("`{column}` has lists of {other}"),
        };
        // Text columns store their own nulls.
        let nullable = nullable && !matches!(cells, Cells::Text(_));
        let nulls = nullable.then(|| NullBufferBuilder::new(rows));
        Self { column, cells, nulls, valid: Vec::new(), missing }
    }

    /// Finishes the column. `nulls` are the rows that are null in all columns.
    pub(crate) fn finish(self, signed: bool, nulls: Option<NullBuffer>) -> Result<Finished, Error> {
        let own = self.nulls.and_then(|mut own| own.finish());
        let nulls = match self.column {
            // Rows without a position have a line number too.
            Column::Input(InputColumn::Line) => None,
            _ => NullBuffer::union(nulls.as_ref(), own.as_ref()),
        };
        let data_type = self.column.data_type(signed);
        Ok(match self.cells {
            Cells::Numbers(Numbers { place: Some(_), .. }) => Finished::Placed(nulls),
            Cells::Numbers(of) => {
                let values = Buffer::from_vec(of.own).slice_with_length(0, of.used);
                Finished::Array(array(&data_type, values, of.used / of.row, nulls))
            }
            Cells::Text(parts) => Finished::Array(joined(self.column.name(), &data_type, &parts)?),
            Cells::ListU16(of) => of.finish(&data_type, nulls),
            Cells::ListU32(of) => of.finish(&data_type, nulls),
        })
    }

    /// Copies the data of an input column for some rows. All values fit into the column's type. Invalid records are
    /// null. They lack data that is not in a FEN, so these cells are zero.
    fn copy(&mut self, column: InputColumn, span: &Span<'_>) {
        let (boards, state, rows) = (span.boards, span.state, span.len());
        let (valid, missing) = (&mut self.valid, self.missing);
        let cells = match &mut self.cells {
            Cells::Numbers(cells) => cells.next(rows),
            Cells::Text(parts) => return parts.push(text_of(column, span)),
            Cells::ListU16(_) | Cells::ListU32(_) => unreachable!("no input says lists"),
        };
        let played = |row: usize| state.moves.get(row).copied().flatten();
        let of_moves = |cells: &mut [u8], holds: &dyn Fn(usize, Move) -> bool| {
            by_row(cells, |row| u8::from(played(row).is_some_and(|one| holds(row, one))));
        };
        let seconds = |ms: Option<u32>| ms.map(|ms| f64::from(ms) / 1000.0);
        match column {
            InputColumn::Line => same(cells, state.line),
            InputColumn::Game => same(cells, state.game),
            InputColumn::Variation => same(cells, state.variation),
            InputColumn::HalfmoveClock => same(cells, state.halfmove_clock),
            InputColumn::FullmoveNumber => same(cells, state.fullmove_number),
            InputColumn::Ply => same(cells, state.ply),
            InputColumn::Extra => same(cells, state.extra),
            InputColumn::GameHash => same(cells, state.game_hash),
            InputColumn::PieceCount => by_row(cells, |row| boards.occupied(row).count_ones() as u8),
            InputColumn::Material => {
                by_row(cast_slice_mut(cells), |row| material(&boards.pieces(row)));
            }
            InputColumn::Capture => of_moves(cells, &|row, one| captures(&boards.pieces(row), one)),
            InputColumn::EnPassantCapture => {
                of_moves(cells, &|_, one| one.kind == MoveKind::EnPassant)
            }
            InputColumn::Promotion => {
                of_moves(cells, &|_, one| matches!(one.kind, MoveKind::Promotion(_)));
            }
            InputColumn::See => {
                let won = |row| played(row).map(|one| exchange(&boards.pieces(row), one));
                let won: Vec<_> = (0..rows).map(won).collect();
                optional(cells, valid, &won, |won| won);
            }
            InputColumn::Turn => each(cells, state.turn, |&turn| turn as u8),
            InputColumn::CastlingWhite => each(cells, state.castling, |castling| castling.white),
            InputColumn::CastlingBlack => each(cells, state.castling, |castling| castling.black),
            InputColumn::EnPassant => optional(cells, valid, state.en_passant, |square| square),
            InputColumn::Clock => optional(cells, valid, state.clock, seconds),
            InputColumn::Elapsed => optional(cells, valid, state.elapsed, seconds),
            InputColumn::Depth => optional(cells, valid, state.depth, |depth| depth),
            InputColumn::Eval => optional(cells, valid, state.eval, |score| match score? {
                Score::Centipawns(score) => Some(score),
                Score::Mate(_) => None,
            }),
            InputColumn::Mate => optional(cells, valid, state.eval, |score| match score? {
                Score::Centipawns(_) => None,
                Score::Mate(moves) => Some(moves),
            }),
            InputColumn::Score => optional(cells, valid, state.score, |score| {
                Records::is_score(score).then_some(score).or(missing)
            }),
            InputColumn::Result => optional(cells, valid, state.result, |result| match result {
                Records::NO_RESULT => missing.and_then(|value| i8::try_from(value).ok()),
                result => Some(result),
            }),
            board => {
                let at = InputColumn::BOARDS.iter().position(|one| *one == board);
                let at = at.expect("all other columns are text");
                match boards {
                    Boards::Rows(pieces) => {
                        each(cast_slice_mut(cells), pieces, |pieces| pieces.sets()[at]);
                    }
                    Boards::Columns(columns) => same(cells, columns.sets()[at]),
                }
            }
        }
    }
}

/// The text of some rows: that of the source, or else the FENs or the moves.
fn text_of(column: InputColumn, span: &Span<'_>) -> ArrayRef {
    if let Some((_, texts)) = span.texts.iter().find(|(name, _)| *name == column) {
        return texts.clone();
    }
    let rows = span.len();
    let mut cells = StringBuilder::with_capacity(rows, 5 * rows);
    for row in 0..rows {
        if column == InputColumn::Fen {
            cells.append_option(span.fen(row).map(|fen| fen.to_string()));
        } else {
            push_move(&mut cells, span.state.moves.get(row).copied().flatten(), false);
        }
    }
    Arc::new(cells.finish())
}

/// White's material minus black's.
fn material(pieces: &Pieces) -> i32 {
    let Pieces { pawns, knights, bishops, rooks, queens, white, black, .. } = *pieces;
    let sets = [(pawns, 1), (knights | bishops, 3), (rooks, 5), (queens, 9)];
    let difference =
        |set: u64| (set & white).count_ones() as i32 - (set & black).count_ones() as i32;
    sets.map(|(set, value)| value * difference(set)).iter().sum()
}

/// Returns whether a move captures a piece. The destination of a castling move is the king's own rook.
fn captures(pieces: &Pieces, played: Move) -> bool {
    let on = |square: u8| 1u64.wrapping_shl(square.into());
    match played.kind {
        MoveKind::Castling => false,
        MoveKind::EnPassant => true,
        _ => pieces.occupied() & on(played.to) != 0,
    }
}

/// The centipawns that a move wins by static exchange evaluation, a multiple of 100.
fn exchange(pieces: &Pieces, played: Move) -> i16 {
    const VALUES: [i32; 6] = [100, 300, 300, 500, 900, 0];
    let one = setwise::legal::Move::new(played.from, played.to, played.kind);
    // From a queen for nothing to a queen and a promotion.
    let (mut least, mut most) = (-9, 17);
    while least < most {
        let middle = (least + most + 1) / 2;
        match setwise::position::see(pieces, one, &VALUES, 100 * middle) {
            true => least = middle,
            false => most = middle - 1,
        }
    }
    100 * least as i16
}

/// Copies a column of the input; the cells of a column that it does not have are zero.
fn same<T: bytemuck::Pod>(cells: &mut [u8], values: &[T]) {
    match values {
        [] => cells.fill(0),
        _ => cells.copy_from_slice(cast_slice(values)),
    }
}

fn each<T, U>(cells: &mut [U], values: &[T], make: impl Fn(&T) -> U) {
    cells.iter_mut().zip(values).for_each(|(cell, value)| *cell = make(value));
}

/// Computes each cell from its row.
fn by_row<U>(cells: &mut [U], make: impl Fn(usize) -> U) {
    cells.iter_mut().enumerate().for_each(|(row, cell)| *cell = make(row));
}

/// Converts each value to a cell, and records which cells have a value.
fn optional<T: Copy, U: bytemuck::Pod>(
    cells: &mut [u8],
    valid: &mut Vec<bool>,
    values: &[T],
    make: impl Fn(T) -> Option<U>,
) {
    valid.clear();
    valid.extend(values.iter().map(|&value| make(value).is_some()));
    each(cast_slice_mut(cells), values, |&value| make(value).unwrap_or(U::zeroed()));
}

/// Appends a move in UCI notation. In Chess960, castling is written as the king's move to its rook.
pub(crate) fn push_move(cells: &mut StringBuilder, played: Option<Move>, chess960: bool) {
    let mut text = [0; 5];
    cells.append_option(played.map(|played| played.uci(chess960, &mut text)));
}

/// Fills the numbers of squares of sets, which are computed for this.
fn fill_squares(columns: &mut [Values<'_>], query: &Query, span: &Span<'_>) {
    let rows = span.len();
    let mut sets = Vec::new();
    for values in columns {
        if let (Column::Squares(column), Cells::Numbers(cells)) = (values.column, &mut values.cells)
        {
            sets.push((column, vec![0_u64; rows], cells.next(rows)));
        }
    }
    if sets.is_empty() {
        return;
    }
    let mut requests: Vec<_> = sets.iter_mut().map(|(column, sets, _)| column.to(sets)).collect();
    query.kernel.fill(span.boards.positions(span.state, &mut Vec::new()), &mut requests);
    for (_, sets, cells) in sets {
        each(cells, &sets, |set| set.count_ones() as u8);
    }
}

/// Appends the columns of some rows.
pub(crate) fn fill_rows(columns: &mut [Values<'_>], query: &Query, span: &Span<'_>) {
    let rows = span.len();
    if rows == 0 {
        return;
    }
    for values in &mut *columns {
        if let Column::Input(column) = values.column {
            values.copy(column, span);
        }
    }
    fill_squares(columns, query, span);
    let (mut requests, mut state) = (Vec::with_capacity(columns.len()), span.state);
    // Collecting castling rights and en passant squares would take longer than finding checkers.
    let needs_rights = |values: &Values<'_>| match values.column {
        Column::Computed(column) => !matches!(column.needs(), Needs::Pieces | Needs::Turn),
        _ => false,
    };
    if !columns.iter().any(needs_rights) {
        (state.castling, state.en_passant) = (&[], &[]);
    }
    for Values { column, cells, nulls, valid, .. } in &mut *columns {
        let Column::Computed(column) = *column else { continue };
        let mut request = match cells {
            Cells::Numbers(cells) => {
                let cells = cells.next(rows);
                match column.value_type() {
                    ValueType::U8 => column.to(cells),
                    ValueType::U16 => column.to(cast_slice_mut::<_, u16>(cells)),
                    ValueType::U32 => column.to(cast_slice_mut::<_, u32>(cells)),
                    _ => column.to(cast_slice_mut::<_, u64>(cells)),
                }
            }
            Cells::ListU16(lists) => column.to(&mut lists.last),
            Cells::ListU32(lists) => column.to(&mut lists.last),
            Cells::Text(_) => unreachable!("`{}` is computed, but as text", column.name()),
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
        let mut states = Vec::new();
        let positions = span.boards.positions(state, &mut states);
        setwise_nnue::columns::fill(query.kernel, positions, &mut requests);
    }
    for Values { column, cells, nulls, valid, .. } in columns {
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

impl<T: arrow_buffer::ArrowNativeType> ListValues<T> {
    fn finish(self, data_type: &DataType, nulls: Option<NullBuffer>) -> Finished {
        let DataType::LargeList(item) = data_type else { unreachable!("{data_type} is no list") };
        let count = self.items.len();
        let items = array(item.data_type(), Buffer::from_vec(self.items), count, None);
        let offsets = OffsetBuffer::new(self.offsets.into());
        Finished::Array(Arc::new(LargeListArray::new(item.clone(), offsets, items, nulls)))
    }
}

/// Concatenates the parts of a column.
pub(crate) fn joined(
    name: &str,
    data_type: &DataType,
    parts: &[ArrayRef],
) -> Result<ArrayRef, Error> {
    match parts {
        [] => Ok(new_empty_array(data_type)),
        [one] => Ok(one.clone()),
        parts => concat(&parts.iter().map(|part| &**part).collect::<Vec<_>>())
            .map_err(|error| Error::of_column(error, name)),
    }
}

/// Wraps a buffer of values in an array of numbers or of fixed-size lists.
pub(crate) fn array(
    data_type: &DataType,
    values: Buffer,
    rows: usize,
    nulls: Option<NullBuffer>,
) -> ArrayRef {
    if let DataType::FixedSizeList(item, length) = data_type {
        let values = array(item.data_type(), values, rows * *length as usize, None);
        return Arc::new(FixedSizeListArray::new(item.clone(), *length, values, nulls));
    }
    let data = new_empty_array(data_type).to_data().into_builder();
    let data = data.len(rows).buffers(vec![values]).nulls(nulls).build();
    make_array(data.expect("the buffer has a value for each row"))
}
