//! Consecutive rows with all their known data, borrowed from their source or copied from it.

use std::ops::Range;

use arrow_array::{ArrayRef, BooleanArray};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use arrow_select::filter::FilterBuilder;
use setwise::fen::Castling;
use setwise::{Colour, Fen, Pieces, Positions, legal};
use setwise_formats::pgn::{self, Score};
use setwise_formats::{Format, Move, Preview, Records};

use crate::column::InputColumn;
use crate::error::Error;

/// Boards in the layout of their source: rows from text, columns from memory.
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

    /// Adds the known parts of the state; `states` receives those that are known as a whole.
    pub(crate) fn positions<'b>(
        self,
        state: State<'a>,
        states: &'b mut Vec<legal::State>,
    ) -> Positions<'b>
    where
        'a: 'b,
    {
        let mut positions: Positions<'b> = match self {
            Self::Rows(pieces) => pieces.into(),
            Self::Columns(columns) => columns.into(),
        };
        if !state.turn.is_empty() {
            positions = positions.with_turns(state.turn);
        }
        let parts = state.turn.iter().zip(state.castling).zip(state.en_passant);
        states.clear();
        states.extend(
            parts.map(|((&turn, &castling), &square)| legal::State::new(turn, castling, square)),
        );
        if !states.is_empty() {
            positions = positions.with_states(states);
        }
        positions
    }
}

/// Generates [`State`] and [`Gathered`] from the columns of records and the other columns.
macro_rules! columns {
    ($($of_records:ident: $record_type:ty,)*; $($other:ident: $other_type:ty,)*) => {
        /// The known state of positions, other than the boards. Slices are empty for data that the input does not have.
        #[derive(Clone, Copy, Default)]
        pub(crate) struct State<'a> {
            $(pub(crate) $of_records: &'a [$record_type],)*
            $(pub(crate) $other: &'a [$other_type],)*
        }

        impl<'a> State<'a> {
            /// The states of a batch.
            pub(crate) fn of(records: &'a Records) -> Self {
                Self { $($of_records: &records.$of_records,)* ..Self::default() }
            }

            /// The states of a range of rows.
            pub(crate) fn rows(self, rows: &Range<usize>) -> Self {
                Self {
                    $($of_records: slice(self.$of_records, rows),)*
                    $($other: slice(self.$other, rows),)*
                }
            }
        }

        /// Rows of positions with all their known data.
        #[derive(Default)]
        pub(crate) struct Gathered {
            pub(crate) records: Records,
            $(pub(crate) $other: Vec<$other_type>,)*
        }

        impl Gathered {
            pub(crate) fn state(&self) -> State<'_> {
                State { $($other: &self.$other,)* ..State::of(&self.records) }
            }

            pub(crate) fn clear(&mut self) {
                self.records.clear();
                $(self.$other.clear();)*
            }

            /// Appends some rows, or all of them.
            pub(crate) fn extend(
                &mut self,
                boards: Boards<'_>,
                state: State<'_>,
                rows: Option<&[usize]>,
            ) {
                let pieces = &mut self.records.pieces;
                match (boards, rows) {
                    (Boards::Rows(all), rows) => append(pieces, all, rows),
                    (_, Some(rows)) => pieces.extend(rows.iter().map(|&row| boards.pieces(row))),
                    (_, None) => pieces.extend((0..boards.len()).map(|row| boards.pieces(row))),
                }
                $(append(&mut self.records.$of_records, state.$of_records, rows);)*
                $(append(&mut self.$other, state.$other, rows);)*
            }
        }
    };
}

columns! {
    turn: Colour,
    castling: Castling,
    en_passant: Option<u8>,
    halfmove_clock: u32,
    fullmove_number: u32,
    score: i32,
    result: i8,
    moves: Option<Move>,
    ply: u32,
    extra: u32,
    ;
    game_hash: u64,
    line: u64,
    game: u64,
    variation: u32,
    clock: Option<u32>,
    elapsed: Option<u32>,
    eval: Option<Score>,
    depth: Option<u32>,
}

fn append<T: Copy>(to: &mut Vec<T>, from: &[T], rows: Option<&[usize]>) {
    match rows {
        None => to.extend_from_slice(from),
        Some(rows) if !from.is_empty() => to.extend(rows.iter().map(|&row| from[row])),
        Some(_) => {}
    }
}

/// Returns a range of a column, or an empty slice if the input does not have the column.
fn slice<'a, T>(column: &'a [T], rows: &Range<usize>) -> &'a [T] {
    column.get(rows.clone()).unwrap_or(&[])
}

impl<'a> State<'a> {
    /// The data of the positions of games, except texts.
    pub(crate) fn of_games(games: &'a pgn::Rows) -> Self {
        Self {
            game: &games.game,
            variation: &games.variation,
            clock: &games.clock,
            elapsed: &games.elapsed,
            eval: &games.eval,
            depth: &games.depth,
            ..Self::of(&games.records)
        }
    }
}

/// Consecutive rows.
#[derive(Clone)]
pub(crate) struct Span<'a> {
    pub(crate) boards: Boards<'a>,
    pub(crate) state: State<'a>,
    /// The columns of text that are needed.
    pub(crate) texts: Vec<(InputColumn, ArrayRef)>,
    /// Rows without a position.
    pub(crate) nulls: Option<NullBuffer>,
    /// The columns of a table for these rows, if conditions need them.
    pub(crate) passed: Vec<ArrayRef>,
    /// The format of records, which defines the meaning of spare bytes.
    pub(crate) format: Option<Format>,
}

impl<'a> Span<'a> {
    pub(crate) fn new(boards: Boards<'a>, state: State<'a>) -> Self {
        Self { boards, state, texts: Vec::new(), nulls: None, passed: Vec::new(), format: None }
    }

    pub(crate) fn len(&self) -> usize {
        self.boards.len()
    }

    pub(crate) fn is_valid(&self, row: usize) -> bool {
        self.nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row))
    }

    /// The first label that a row lacks, if the source has it: a score or a result, of those that are true.
    pub(crate) fn lacking(&self, [score, result]: [bool; 2], row: usize) -> Option<InputColumn> {
        let found = self.state.score.get(row);
        if score && found.is_some_and(|score| !Records::is_score(*score)) {
            return Some(InputColumn::Score);
        }
        let no_result = result && self.state.result.get(row) == Some(&Records::NO_RESULT);
        no_result.then_some(InputColumn::Result)
    }

    /// The position of a row. `None` if the row has none, or if a FEN cannot express it: each piece needs one role and
    /// one colour. Fields that are not known have the values of [`Records::fen`].
    pub(crate) fn fen(&self, row: usize) -> Option<Fen> {
        let (pieces, state) = (self.boards.pieces(row), self.state);
        let roles = pieces.sets()[..6].iter().fold(0, |all, set| all | set);
        if !self.is_valid(row) || !pieces.is_distinct() || roles != pieces.occupied() {
            return None;
        }
        let turn = state.turn.get(row).copied().unwrap_or(Colour::White);
        let counted =
            || state.ply.get(row).map_or(1, |ply| 1 + ply.saturating_sub(turn as u32) / 2);
        Some(Fen {
            pieces,
            turn,
            castling: state.castling.get(row).copied().unwrap_or(Castling::NONE),
            en_passant: state.en_passant.get(row).copied().flatten(),
            halfmove_clock: state.halfmove_clock.get(row).copied().unwrap_or(0),
            fullmove_number: state.fullmove_number.get(row).copied().unwrap_or_else(counted),
        })
    }

    /// Copies the selected rows to `memory`.
    pub(crate) fn select<'b>(
        &self,
        selected: &BooleanBuffer,
        memory: &'b mut Gathered,
    ) -> Result<Span<'b>, Error> {
        let rows: Vec<usize> = selected.set_indices().collect();
        memory.clear();
        memory.extend(self.boards, self.state, Some(&rows));
        let (names, texts): (Vec<_>, Vec<_>) = self.texts.iter().cloned().unzip();
        let nulls = self.nulls.as_ref();
        Ok(Span {
            boards: Boards::Rows(&memory.records.pieces),
            state: memory.state(),
            texts: names.into_iter().zip(filter_columns(texts, selected)?).collect(),
            nulls: nulls.map(|nulls| rows.iter().map(|&row| nulls.is_valid(row)).collect()),
            passed: filter_columns(self.passed.clone(), selected)?,
            format: self.format,
        })
    }

    /// The data of a row that are known before conditions are evaluated.
    pub(crate) fn preview(&self, row: usize) -> Preview {
        Preview {
            score: self.state.score.get(row).copied().unwrap_or(Records::NO_SCORE),
            result: self.state.result.get(row).copied().unwrap_or(Records::NO_RESULT),
            ply: self.state.ply.get(row).copied(),
            pieces: self.boards.occupied(row).count_ones(),
        }
    }
}

/// Filters the columns to the kept rows.
pub(crate) fn filter_columns(
    columns: Vec<ArrayRef>,
    retained: &BooleanBuffer,
) -> Result<Vec<ArrayRef>, Error> {
    if columns.is_empty() || !retained.has_false() {
        return Ok(columns);
    }
    let filter = FilterBuilder::new(&BooleanArray::new(retained.clone(), None));
    let filter = if columns.len() > 1 { filter.optimize() } else { filter }.build();
    Ok(columns.iter().map(|column| filter.filter(column)).collect::<Result<_, _>>()?)
}
