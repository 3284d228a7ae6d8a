//! Positions in memory, as rows or as columns of Arrow arrays, with the known part of their state.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int64Type, UInt8Type, UInt64Type};
use arrow_array::{Array, ArrayRef};
use arrow_buffer::{NullBuffer, ScalarBuffer};
use arrow_schema::DataType;
use setwise::fen::Castling;
use setwise::{Colour, Pieces};
use setwise_formats::Records;

use crate::cells::{Operands, Scalar};
use crate::chunks::Chunk;
use crate::column::{Column, InputColumn};
use crate::error::{BadRow, Error};
use crate::query::OnInvalid;
use crate::rows::Rows;
use crate::span::{Boards, Span, State};

/// Positions in memory, with the known part of their state.
#[derive(Clone, Copy, Debug)]
pub struct Positions<'a> {
    /// The boards.
    pub boards: Sets<'a>,
    /// The state: side to move, castling rights, en passant square, half-move clock and move number. Columns that are
    /// unknown are empty; FENs without clocks have 0 and 1.
    pub state: Option<&'a Records>,
    /// Rows without a position.
    pub nulls: Option<&'a NullBuffer>,
}

/// Boards in memory.
#[derive(Clone, Copy, Debug)]
pub enum Sets<'a> {
    /// One position after another.
    Pieces(&'a [Pieces]),
    /// One position after another, each as eight numbers in the order of [`Pieces::sets`], aligned as `u64`.
    Rows(&'a [[u64; 8]]),
    /// Eight columns of one length.
    Columns(Pieces<&'a [u64]>),
}

impl Sets<'_> {
    /// The number of positions.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::Pieces(pieces) => pieces.len(),
            Self::Rows(rows) => rows.len(),
            Self::Columns(columns) => columns.white.len(),
        }
    }

    /// Returns whether there are no positions.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Chunk for Positions<'_> {
    fn rows(&self) -> usize {
        self.boards.len()
    }

    fn read(&self, range: Range<usize>, number: u64, rows: &mut Rows<'_>) -> Result<(), Error> {
        let rows_of_all = self.boards.len();
        let state = self.state.map(State::of).unwrap_or_default();
        for (what, count) in [
            ("turns", state.turn.len()),
            ("castling rights", state.castling.len()),
            ("en passant squares", state.en_passant.len()),
            ("half-move clocks", state.halfmove_clock.len()),
            ("move numbers", state.fullmove_number.len()),
        ] {
            assert!(
                count == 0 || count == rows_of_all,
                "there are {count} {what}, but {rows_of_all} positions"
            );
        }
        let nulls = self.nulls.map(|nulls| nulls.slice(range.start, range.len()));
        if let Some(reason) = rows.plan().query.without_nulls
            && let Some(nulls) = &nulls
            && let Some(row) = (0..nulls.len()).find(|&row| nulls.is_null(row))
        {
            return Err(Error::Null(number + row as u64, reason));
        }
        let mut copied = Vec::new();
        for part_of in rows.plan().chunks(range.clone()) {
            let before = part_of.start - range.start;
            let line = number + before as u64..;
            let line: Vec<u64> = line.take(part_of.len()).collect();
            let state = State { line: &line, ..state.rows(&part_of) };
            let nulls = nulls.as_ref().map(|nulls| nulls.slice(before, part_of.len()));
            let boards = match self.boards {
                Sets::Pieces(pieces) => Boards::Rows(&pieces[part_of]),
                Sets::Columns(columns) => {
                    let columns = columns.sets().map(|set| &set[part_of.clone()]);
                    Boards::Columns(Pieces::from_sets(columns))
                }
                Sets::Rows(all) => {
                    copied.clear();
                    copied.extend(all[part_of].iter().map(|&sets| Pieces::from_sets(sets)));
                    Boards::Rows(&copied)
                }
            };
            let span = Span { nulls, ..Span::new(boards, state) };
            let plan = rows.plan();
            let has_no_fen = |row: &usize| span.is_valid(*row) && span.fen(*row).is_none();
            if plan.texts.contains(&InputColumn::Fen)
                && plan.query.on_invalid == OnInvalid::Stop
                && let Some(row) = (0..span.len()).find(has_no_fen)
            {
                let row = line[row] - 1;
                let reason = "a FEN needs one role and one colour for each piece: two boards have the same square, or \
                              a square has only one of the two"
                    .to_owned();
                let (place, text) = (format!("row {row}"), Vec::new());
                let bad = BadRow { row, place, character: 1, reason, text };
                return Err(Error::Invalid(Box::new(bad)));
            }
            rows.push_span(span, &|row| (line[row], None));
        }
        Ok(())
    }
}

/// Boards borrowed from Arrow arrays without copying.
pub struct BoardArrays {
    sets: [ScalarBuffer<u64>; 8],
    state: Records,
    nulls: Option<NullBuffer>,
}

impl BoardArrays {
    /// Borrows eight columns: pawns, knights, bishops, rooks, queens, kings, white and black, each `UInt64` or `Int64`;
    /// and the side to move, `UInt8` or `Int8` as in the column `turn` (0 = white). A row that is null in any of these
    /// is null in all computed columns.
    ///
    /// # Errors
    /// If an array has another type or length, or if a turn is neither 0 nor 1.
    pub fn new(boards: [&dyn Array; 8], turn: Option<&dyn Array>) -> Result<Self, Error> {
        let rows = boards[7].len();
        let mut nulls = None;
        let mut sets = Vec::with_capacity(8);
        for (array, board) in boards.into_iter().zip(InputColumn::BOARDS) {
            check_length(array, board, rows)?;
            sets.push(match array.data_type() {
                DataType::UInt64 => array.as_primitive::<UInt64Type>().values().clone(),
                DataType::Int64 => {
                    let signed = array.as_primitive::<Int64Type>().values();
                    ScalarBuffer::new(signed.inner().clone(), 0, signed.len())
                }
                found => {
                    let (name, found) = (Column::Input(board).name(), found.clone());
                    return Err(Error::Type(name.to_owned(), found, "boards (UInt64 or Int64)"));
                }
            });
            nulls = NullBuffer::union(nulls.as_ref(), array.nulls());
        }
        let mut state = Records::new();
        if let Some(array) = turn {
            nulls = NullBuffer::union(nulls.as_ref(), array.nulls());
            let turn = |row, turn| match turn {
                1 => Some(Colour::Black),
                _ => (turn == 0 || array.is_null(row)).then_some(Colour::White),
            };
            let expected = ("turns (UInt8 or Int8)", "0 (white) or 1 (black)");
            state.turn = bytes_of(array, InputColumn::Turn, rows, expected, turn)?;
        }
        let sets = sets.try_into().expect("there are eight");
        Ok(Self { sets, state, nulls })
    }

    /// Adds the state, as in the columns `castling_white`, `castling_black` and `en_passant`, each `UInt8` or `Int8`. A
    /// row that is null in one of the first two is null in all computed columns.
    ///
    /// # Errors
    /// If an array has another type or length, or if a square is above 63.
    pub fn with_state(
        mut self,
        [white, black, en_passant]: [&dyn Array; 3],
    ) -> Result<Self, Error> {
        let rows = self.sets[7].len();
        let castling = [(white, InputColumn::CastlingWhite), (black, InputColumn::CastlingBlack)];
        let mut files = Vec::with_capacity(2);
        for (array, column) in castling {
            self.nulls = NullBuffer::union(self.nulls.as_ref(), array.nulls());
            let expected = ("files of rooks (UInt8 or Int8)", "");
            files.push(bytes_of(array, column, rows, expected, |_, files| Some(files))?);
        }
        let pairs = files[0].iter().zip(&files[1]);
        self.state.castling = pairs.map(|(&white, &black)| Castling { white, black }).collect();
        let square = |row, square| match en_passant.is_null(row) {
            true => Some(None),
            false => (square < 64).then_some(Some(square)),
        };
        let expected = ("squares (UInt8 or Int8)", "a square, 0 to 63");
        self.state.en_passant =
            bytes_of(en_passant, InputColumn::EnPassant, rows, expected, square)?;
        Ok(self)
    }

    /// Adds the half-move clocks and the move numbers, integers as in the columns `halfmove_clock` and
    /// `fullmove_number`. A null is 0 or 1, respectively.
    ///
    /// # Errors
    /// If an array has another type or length, or a number that is negative or above [`u32::MAX`].
    pub fn with_clocks(mut self, clocks: [&ArrayRef; 2]) -> Result<Self, Error> {
        let columns = [
            (InputColumn::HalfmoveClock, &mut self.state.halfmove_clock),
            (InputColumn::FullmoveNumber, &mut self.state.fullmove_number),
        ];
        for (at, (array, (column, clocks))) in clocks.into_iter().zip(columns).enumerate() {
            let name = || Column::Input(column).name().to_owned();
            check_length(array, column, self.sets[7].len())?;
            if !array.data_type().is_integer() {
                return Err(Error::Type(name(), array.data_type().clone(), "integers"));
            }
            let cells = Operands::of_array(array);
            let number = |row| match cells.cell(row) {
                None => Ok(at as u32),
                Some(Scalar::Integer(number)) if let Ok(number) = number.try_into() => Ok(number),
                Some(found) => Err(Error::Value(name(), row, found.to_string(), "0 to 4294967295")),
            };
            *clocks = (0..array.len()).map(number).collect::<Result<_, _>>()?;
        }
        Ok(self)
    }

    /// The columns of boards, in the order of [`Pieces::sets`].
    #[must_use]
    pub fn sets(&self) -> [&[u64]; 8] {
        std::array::from_fn(|i| &self.sets[i][..])
    }

    /// The positions.
    #[must_use]
    pub fn positions(&self) -> Positions<'_> {
        Positions {
            boards: Sets::Columns(Pieces::from_sets(self.sets())),
            state: Some(&self.state),
            nulls: self.nulls.as_ref(),
        }
    }
}

fn check_length(array: &dyn Array, column: InputColumn, expected: usize) -> Result<(), Error> {
    match array.len() {
        found if found == expected => Ok(()),
        found => Err(Error::Length(Column::Input(column).name().to_owned(), found, expected)),
    }
}

/// Converts 8-bit numbers to values. `expected` describes the allowed type and numbers, for the error.
fn bytes_of<T>(
    array: &dyn Array,
    column: InputColumn,
    rows: usize,
    expected: (&'static str, &'static str),
    meaning: impl Fn(usize, u8) -> Option<T>,
) -> Result<Vec<T>, Error> {
    check_length(array, column, rows)?;
    let name = || Column::Input(column).name().to_owned();
    let bytes: &[u8] = match array.data_type() {
        DataType::UInt8 => array.as_primitive::<UInt8Type>().values(),
        DataType::Int8 => bytemuck::cast_slice(array.as_primitive::<Int8Type>().values()),
        found => return Err(Error::Type(name(), found.clone(), expected.0)),
    };
    let bytes = bytes.iter().enumerate().map(|(row, &byte)| {
        meaning(row, byte).ok_or_else(|| Error::Value(name(), row, byte.to_string(), expected.1))
    });
    bytes.collect()
}
