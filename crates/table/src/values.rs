//! Columns while they are filled: values in new memory or in the caller's, lists, text; and their conversion to Arrow
//! arrays. Only this file calls the kernel.

use std::fmt::Write;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{
    Array, ArrayRef, FixedSizeListArray, LargeListArray, make_array, new_empty_array,
};
use arrow_buffer::{Buffer, NullBuffer, NullBufferBuilder, OffsetBuffer};
use arrow_schema::DataType;
use arrow_select::filter::filter as filter_array;
use bytemuck::{cast_slice, cast_slice_mut};
use setwise::fen::Castling;
use setwise::{Colour, Lists, Pieces, Positions, ValueType};
use setwise_formats::pgn::{self, Score};
use setwise_formats::{Move, MoveKind, Records};

use crate::column::{Column, Element, InputColumn};
use crate::error::Error;
use crate::evaluate::{self, Operands};
use crate::filter::mask;
use crate::hash;
use crate::labels::OnMissing;
use crate::query::Query;

/// Boards as they arrive: rows from text, columns from memory.
#[derive(Clone, Copy)]
pub(crate) enum Boards<'a> {
    Rows(&'a [Pieces]),
    Columns(Pieces<&'a [u64]>),
}

impl<'a> Boards<'a> {
    pub(crate) fn len(self) -> usize {
        match self {
            Self::Rows(pieces) => pieces.len(),
            Self::Columns(columns) => columns.white.len(),
        }
    }

    pub(crate) fn pieces(self, row: usize) -> Pieces {
        match self {
            Self::Rows(pieces) => pieces[row],
            Self::Columns(columns) => Pieces::from_sets(columns.sets().map(|set| set[row])),
        }
    }

    pub(crate) fn occupied(self, row: usize) -> u64 {
        match self {
            Self::Rows(pieces) => pieces[row].occupied(),
            Self::Columns(columns) => columns.white[row] | columns.black[row],
        }
    }

    /// With the known parts of the state.
    fn positions(self, state: State<'a>) -> Positions<'a> {
        let mut positions: Positions<'a> = match self {
            Self::Rows(pieces) => pieces.into(),
            Self::Columns(columns) => columns.into(),
        };
        if !state.turn.is_empty() {
            positions = positions.with_turns(state.turn);
        }
        if !state.castling.is_empty() {
            positions = positions.with_castling(state.castling);
        }
        if !state.en_passant.is_empty() {
            positions = positions.with_en_passant(state.en_passant);
        }
        positions
    }
}

/// The known state of positions besides the boards. Slices are empty for data that the input does not give.
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
    pub(crate) game_hash: &'a [u64],
    pub(crate) games: Option<OfGames<'a>>,
}

/// What games say of some positions.
#[derive(Clone, Copy, Default)]
pub(crate) struct OfGames<'a> {
    pub(crate) game: &'a [u64],
    pub(crate) variation: &'a [u32],
    pub(crate) clock: &'a [Option<u32>],
    pub(crate) elapsed: &'a [Option<u32>],
    pub(crate) eval: &'a [Option<Score>],
}

/// Some rows of a column; none if the input does not have it.
fn part<'a, T>(column: &'a [T], rows: &Range<usize>) -> &'a [T] {
    column.get(rows.clone()).unwrap_or(&[])
}

impl<'a> State<'a> {
    /// What some positions of games say. The texts are pushed.
    pub(crate) fn of_games(games: &'a pgn::Rows, rows: Range<usize>) -> Self {
        Self {
            turn: part(&games.turn, &rows),
            moves: part(&games.moves, &rows),
            castling: part(&games.castling, &rows),
            en_passant: part(&games.en_passant, &rows),
            halfmove_clock: part(&games.halfmove_clock, &rows),
            fullmove_number: part(&games.fullmove_number, &rows),
            ply: part(&games.ply, &rows),
            games: Some(OfGames {
                game: part(&games.game, &rows),
                variation: part(&games.variation, &rows),
                clock: part(&games.clock, &rows),
                elapsed: part(&games.elapsed, &rows),
                eval: part(&games.eval, &rows),
            }),
            ..Self::default()
        }
    }

    /// The state of some rows of a batch.
    pub(crate) fn of(records: &'a Records, rows: Range<usize>) -> Self {
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
            game_hash: &[],
            games: None,
        }
    }
}

/// The caller's memory for a column: one value per row, or the length of its arrays.
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
    /// For columns whose rows can be null even with a position.
    nulls: Option<NullBufferBuilder>,
    /// Which of the latest rows have a value.
    valid: Vec<bool>,
    /// The number that stands for a missing label.
    missing: Option<i32>,
}

enum Cells<'a> {
    Numbers(Numbers<'a>),
    Text(StringBuilder),
    ListU16(ListValues<u16>),
    ListU32(ListValues<u32>),
}

/// Values of fixed width, in new memory or in the caller's. They are aligned to their width.
struct Numbers<'a> {
    place: Option<&'a mut [u8]>,
    own: Vec<u64>,
    /// Bytes in use, and bytes per row.
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

/// Lists one after another, with 64-bit offsets.
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
    /// In its own memory.
    Array(ArrayRef),
    /// The nulls of values that are in the caller's memory.
    Placed(Option<NullBuffer>),
}

impl Finished {
    /// The array of a column without a place of the caller's.
    pub(crate) fn into_array(self) -> ArrayRef {
        match self {
            Self::Array(array) => array,
            Self::Placed(_) => unreachable!("it has no place of the caller's"),
        }
    }
}

impl<'a> Values<'a> {
    /// A column without rows, and memory for so many.
    pub(crate) fn new(
        column: Column,
        nullable: bool,
        place: Option<Place<'a>>,
        rows: usize,
    ) -> Self {
        let cells = match (column.row_bytes(), column.element()) {
            (Some(row), _) => {
                Cells::Numbers(Numbers::new(place.map(|place| place.bytes), rows, row))
            }
            (None, Element::U16) => Cells::ListU16(ListValues::new(rows)),
            (None, Element::U32) => Cells::ListU32(ListValues::new(rows)),
            (None, Element::Text) => Cells::Text(StringBuilder::with_capacity(rows, 0)),
            (None, other) => unreachable!("`{column}` has lists of {other:?}"),
        };
        // Text has nulls of its own.
        let nullable = nullable && !matches!(cells, Cells::Text(_));
        let nulls = nullable.then(|| NullBufferBuilder::new(rows));
        Self { column, cells, nulls, valid: Vec::new(), missing: None }
    }

    /// The same with a number for missing labels.
    pub(crate) fn on_missing(mut self, on_missing: OnMissing) -> Self {
        if let OnMissing::Value(value) = on_missing {
            self.missing = Some(value);
        }
        self
    }

    /// Appends a value to a column of text.
    pub(crate) fn push_text(&mut self, text: Option<&[u8]>) {
        if let Cells::Text(cells) = &mut self.cells {
            cells.append_option(text.map(String::from_utf8_lossy));
        }
    }

    /// Appends a value to a column of counted numbers.
    pub(crate) fn push_number(&mut self, number: u64) {
        if let Cells::Numbers(cells) = &mut self.cells {
            cells.next(1).copy_from_slice(&number.to_ne_bytes());
        }
    }

    /// The cells of what games say in text, and of the line.
    pub(crate) fn push_games(&mut self, games: &pgn::Rows) {
        let Column::Input(
            column @ (InputColumn::Fen | InputColumn::Line | InputColumn::Move | InputColumn::San),
        ) = self.column
        else {
            return;
        };
        for game in &games.games {
            for row in game.first_row..game.first_row + game.rows {
                match (&mut self.cells, column) {
                    (Cells::Text(cells), InputColumn::Move) => {
                        push_move(cells, games.moves[row], game.chess960);
                    }
                    (Cells::Text(cells), InputColumn::San) => {
                        cells.append_option(games.san.get(row))
                    }
                    (Cells::Text(cells), _) => {
                        let _ = write!(cells, "{}", games.fen(row)); // to memory does not fail
                        cells.append_value("");
                    }
                    _ => self.push_number(game.line),
                }
            }
        }
    }

    /// Removes all rows from a column of numbers.
    pub(crate) fn clear(&mut self) {
        if let Cells::Numbers(cells) = &mut self.cells {
            cells.used = 0;
        }
        if let Some(nulls) = &mut self.nulls {
            nulls.truncate(0);
        }
    }

    /// The values of a column of numbers, which has this many rows.
    pub(crate) fn operands(&self, rows: usize) -> Operands<'_> {
        let Cells::Numbers(Numbers { place: None, own, used, .. }) = &self.cells else {
            unreachable!("`{}` is compared as a number", self.column)
        };
        let bytes: &[u8] = &cast_slice(own)[..*used];
        let cells = match self.column.element() {
            Element::U8 => evaluate::Cells::U8(bytes),
            Element::U16 => evaluate::Cells::U16(cast_slice(bytes)),
            Element::U32 => evaluate::Cells::U32(cast_slice(bytes)),
            Element::U64 => evaluate::Cells::U64(cast_slice(bytes)),
            Element::I8 => evaluate::Cells::I8(cast_slice(bytes)),
            Element::I32 => evaluate::Cells::I32(cast_slice(bytes)),
            Element::F64 => evaluate::Cells::F64(cast_slice(bytes)),
            Element::Text => unreachable!("text is no number"),
        };
        let valid = self.nulls.is_some().then(|| self.valid[..rows].to_vec());
        Operands { cells, valid }
    }

    /// Keeps some of the rows, and converts the column to an array. `nulls` are the rows that are null in all columns.
    pub(crate) fn finish_kept(
        mut self,
        signed: bool,
        nulls: Option<NullBuffer>,
        kept: Option<&[bool]>,
    ) -> Result<Finished, Error> {
        let Some(kept) = kept else { return Ok(self.finish(signed, nulls)) };
        if let Cells::Numbers(Numbers { place: Some(place), used, row, .. }) = &mut self.cells {
            let mut end = 0;
            for from in kept.iter().enumerate().filter(|(_, kept)| **kept).map(|(at, _)| at * *row)
            {
                place.copy_within(from..from + *row, end);
                end += *row;
            }
            *used = end;
        }
        Ok(match self.finish(signed, nulls) {
            Finished::Array(array) => Finished::Array(filter_array(&array, &mask(kept))?),
            Finished::Placed(nulls) => Finished::Placed(nulls.map(|nulls| {
                let rows = kept.iter().enumerate().filter(|(_, kept)| **kept);
                rows.map(|(row, _)| nulls.is_valid(row)).collect::<Vec<bool>>().into()
            })),
        })
    }

    /// Converts the column to an array. `nulls` are the rows that are null in all columns.
    pub(crate) fn finish(self, signed: bool, nulls: Option<NullBuffer>) -> Finished {
        let own = self.nulls.and_then(|mut own| own.finish());
        let nulls = match self.column {
            // These have a value even without a position.
            Column::Input(InputColumn::Line) => None,
            _ => NullBuffer::union(nulls.as_ref(), own.as_ref()),
        };
        let data_type = self.column.data_type(signed);
        match self.cells {
            Cells::Numbers(Numbers { place: Some(_), .. }) => Finished::Placed(nulls),
            Cells::Numbers(of) => {
                let values = Buffer::from_vec(of.own).slice_with_length(0, of.used);
                Finished::Array(array(&data_type, values, of.used / of.row, nulls))
            }
            Cells::Text(mut of) => Finished::Array(Arc::new(of.finish())),
            Cells::ListU16(of) => of.finish(&data_type, nulls),
            Cells::ListU32(of) => of.finish(&data_type, nulls),
        }
    }

    /// Copies the data of an input column for some rows, which fit into the column's type. Invalid records are null and have
    /// none besides that of a FEN: their cells are zero.
    fn copy(&mut self, column: InputColumn, boards: Boards<'_>, state: State<'_>, rows: usize) {
        let cells = match &mut self.cells {
            // These are appended with the row.
            _ if matches!(column, InputColumn::Fen | InputColumn::Line | InputColumn::Rest) => {
                return;
            }
            Cells::Numbers(cells) => cells.next(rows),
            // Those of games are appended with the games.
            Cells::Text(_) if state.games.is_some() => return,
            Cells::Text(cells) => {
                let moves = state.moves.iter().copied().chain(std::iter::repeat(None));
                moves.take(rows).for_each(|one| push_move(cells, one, false));
                return;
            }
            Cells::ListU16(_) | Cells::ListU32(_) => unreachable!("no input says lists"),
        };
        let (valid, missing) = (&mut self.valid, self.missing);
        let games = state.games.unwrap_or_default();
        let seconds = |ms: Option<u32>| ms.map(|ms| f64::from(ms) / 1000.0);
        let bytes: &[u8] = match column {
            InputColumn::Game => cast_slice(games.game),
            InputColumn::Variation => cast_slice(games.variation),
            InputColumn::Clock => return optional(cells, valid, games.clock, seconds),
            InputColumn::Elapsed => return optional(cells, valid, games.elapsed, seconds),
            InputColumn::Eval => {
                return optional(cells, valid, games.eval, |score| match score {
                    Some(Score::Centipawns(score)) => Some(score),
                    Some(Score::Mate(_)) | None => None,
                });
            }
            InputColumn::Mate => {
                return optional(cells, valid, games.eval, |score| match score {
                    Some(Score::Mate(moves)) => Some(moves),
                    Some(Score::Centipawns(_)) | None => None,
                });
            }
            InputColumn::EnPassant => {
                return optional(cells, valid, state.en_passant, |square| square);
            }
            InputColumn::HalfmoveClock => cast_slice(state.halfmove_clock),
            InputColumn::FullmoveNumber => cast_slice(state.fullmove_number),
            InputColumn::Ply => cast_slice(state.ply),
            InputColumn::Extra => cast_slice(state.extra),
            InputColumn::Score => {
                let score = |score| Records::is_score(score).then_some(score).or(missing);
                return optional(cells, valid, state.score, score);
            }
            InputColumn::Result => {
                let missing = missing.and_then(|value| i8::try_from(value).ok());
                let result = |result| match result {
                    Records::NO_RESULT => missing,
                    result => Some(result),
                };
                return optional(cells, valid, state.result, result);
            }
            InputColumn::PieceCount => {
                return by_row(cells, |row| boards.occupied(row).count_ones() as u8);
            }
            InputColumn::Material => {
                return by_row(cast_slice_mut(cells), |row| material(&boards.pieces(row)));
            }
            InputColumn::GameHash if state.game_hash.is_empty() => {
                let turn = |row| state.turn.get(row).copied().unwrap_or(Colour::White);
                let hash = |row| hash::of_position(&boards.pieces(row), turn(row));
                return by_row(cast_slice_mut(cells), hash);
            }
            InputColumn::GameHash => cast_slice(state.game_hash),
            InputColumn::Capture => {
                let played = |row| state.moves.get(row).copied().flatten();
                let captures =
                    |row| played(row).is_some_and(|one| captures(&boards.pieces(row), one));
                return by_row(cells, |row| u8::from(captures(row)));
            }
            InputColumn::EnPassantCapture => {
                let is_one = |one: Move| one.kind == MoveKind::EnPassant;
                return each(cells, state.moves, |played| u8::from(played.is_some_and(is_one)));
            }
            InputColumn::Turn => return each(cells, state.turn, |&turn| turn as u8),
            InputColumn::CastlingWhite => {
                return each(cells, state.castling, |castling| castling.white);
            }
            InputColumn::CastlingBlack => {
                return each(cells, state.castling, |castling| castling.black);
            }
            board => {
                let at = InputColumn::BOARDS.iter().position(|other| *other == board).unwrap_or(0);
                match boards {
                    Boards::Rows(pieces) => {
                        return each(cast_slice_mut(cells), pieces, |pieces| pieces.sets()[at]);
                    }
                    Boards::Columns(columns) => cast_slice(columns.sets()[at]),
                }
            }
        };
        match bytes {
            [] => cells.fill(0),
            _ => cells.copy_from_slice(bytes),
        }
    }
}

/// White's material less black's.
fn material(pieces: &Pieces) -> i32 {
    let Pieces { pawns, knights, bishops, rooks, queens, white, black, .. } = *pieces;
    let sets = [(pawns, 1), (knights | bishops, 3), (rooks, 5), (queens, 9)];
    let difference =
        |set: u64| (set & white).count_ones() as i32 - (set & black).count_ones() as i32;
    sets.map(|(set, value)| value * difference(set)).iter().sum()
}

/// Whether a move takes a piece. Castling goes to the square of the own rook.
fn captures(pieces: &Pieces, played: Move) -> bool {
    let on = |square: u8| 1u64.wrapping_shl(square.into());
    match played.kind {
        MoveKind::Castling => false,
        MoveKind::EnPassant => true,
        _ => pieces.occupied() & on(played.to) != 0,
    }
}

fn each<T, U>(cells: &mut [U], values: &[T], make: impl Fn(&T) -> U) {
    cells.iter_mut().zip(values).for_each(|(cell, value)| *cell = make(value));
}

/// Fills cells by their rows.
fn by_row<U>(cells: &mut [U], make: impl Fn(usize) -> U) {
    cells.iter_mut().enumerate().for_each(|(row, cell)| *cell = make(row));
}

/// Puts what is made of each value into a cell, and says which cells have one.
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

/// A cell of a move as UCI writes it; castling in Chess960 is the king's move to its rook.
fn push_move(cells: &mut StringBuilder, played: Option<Move>, chess960: bool) {
    let Some(Move { from, mut to, kind }) = played else { return cells.append_null() };
    if kind == MoveKind::Castling && !chess960 {
        to = to & 56 | if to > from { 6 } else { 2 };
    }
    let (file, rank) = (|square: u8| b'a' + square % 8, |square: u8| b'1' + square / 8 % 8);
    let (promotion, length) = match kind {
        MoveKind::Promotion(role) => (b"pnbrqk"[role as usize], 5),
        _ => (b' ', 4),
    };
    let text = [file(from), rank(from), file(to), rank(to), promotion];
    cells.append_value(str::from_utf8(&text[..length]).unwrap_or_default());
}

/// Fills `checkers` if it is all that is computed, as for the conditions of most trainers. The kernel takes three times as
/// long: it has the pins of both sides with it.
fn fill_checkers(
    columns: &mut [Values<'_>],
    query: &Query,
    pieces: &[Pieces],
    state: State<'_>,
) -> bool {
    let mut computed = columns.iter_mut().filter(|one| matches!(one.column, Column::Computed(_)));
    let (Some(only), None) = (computed.next(), computed.next()) else { return false };
    let Cells::Numbers(cells) = &mut only.cells else { return false };
    if only.column.name() != "checkers" || only.nulls.is_some() {
        return false;
    }
    let position = query.kernel.position();
    let turns = state.turn.iter().copied().chain(std::iter::repeat(Colour::White));
    let cells: &mut [u64] = cast_slice_mut(cells.next(pieces.len()));
    for ((cell, pieces), turn) in cells.iter_mut().zip(pieces).zip(turns) {
        *cell = position.checkers(pieces, turn);
    }
    true
}

pub(crate) fn fill_rows(
    columns: &mut [Values<'_>],
    query: &Query,
    boards: Boards<'_>,
    state: State<'_>,
) {
    let rows = boards.len();
    for values in &mut *columns {
        if let Column::Input(column) = values.column {
            values.copy(column, boards, state, rows);
        }
    }
    if let Boards::Rows(pieces) = boards
        && fill_checkers(columns, query, pieces, state)
    {
        return;
    }
    let mut requests = Vec::with_capacity(columns.len());
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
        setwise_nnue::columns::fill(query.kernel, boards.positions(state), &mut requests);
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

/// An array of numbers, or of fixed-size lists, with its values in a buffer.
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
