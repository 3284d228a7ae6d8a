//! Packed records into columns.

use std::time::Duration;

use arrow_array::ArrayRef;
use setwise::Colour;
use setwise_formats::{Field, Fields, Records};

use crate::builder::clock;
use crate::error::Error;
use crate::fill::{Boards, Columns, Game, Input};
use crate::maps::Maps;

/// Makes columns of batches of packed records; [`Maps::records_builder`] makes it.
pub struct RecordsBuilder<'a> {
    maps: &'a Maps,
    columns: Columns,
    rows: usize,
    /// White for as many rows as a batch had that does not say who is to move.
    white: Vec<Colour>,
    computing: Duration,
}

/// What a batch says besides the pieces: whatever has a row for each of them.
pub(crate) fn told(records: &Records) -> Fields {
    let there = |field: Field| {
        let rows = match field {
            Field::Turn => records.turn.len(),
            Field::Castling => records.castling.len(),
            Field::EnPassant => records.en_passant.len(),
            Field::HalfmoveClock => records.halfmove_clock.len(),
            Field::FullmoveNumber => records.fullmove_number.len(),
            Field::Score => records.score.len(),
            Field::Result => records.result.len(),
            Field::Move => records.moves.len(),
            Field::Ply => records.ply.len(),
            Field::Extra => records.extra.len(),
            _ => return false,
        };
        rows == records.len()
    };
    let there: Vec<Field> = Field::ALL.iter().copied().filter(|field| there(*field)).collect();
    Fields::of(&there)
}

impl<'a> RecordsBuilder<'a> {
    pub(crate) fn new(maps: &'a Maps, rows: usize) -> Self {
        Self {
            maps,
            columns: Columns::new(&maps.columns, rows),
            rows: 0,
            white: Vec::new(),
            computing: Duration::ZERO,
        }
    }

    /// Appends the rows of a batch.
    ///
    /// # Errors
    /// If a column is asked for that the batch does not have.
    pub fn append(&mut self, records: &Records) -> Result<(), Error> {
        let given = told(records);
        self.maps.check_told_by_records(given)?;
        if !given.contains(Field::Turn) && self.white.len() < records.len() {
            self.white.resize(records.len(), Colour::White);
        }
        let start = clock();
        self.rows += records.len();
        for start in (0..records.len()).step_by(self.maps.chunk) {
            let rows = start..records.len().min(start + self.maps.chunk);
            let turns = if given.contains(Field::Turn) { &records.turn } else { &self.white };
            self.columns.fill(
                self.maps.kernel,
                Input {
                    boards: Boards::Rows(&records.pieces[rows.clone()]),
                    turns: &turns[rows.clone()],
                    castling: part(&records.castling, &rows),
                    en_passant: part(&records.en_passant, &rows),
                    halfmove_clocks: part(&records.halfmove_clock, &rows),
                    fullmove_numbers: part(&records.fullmove_number, &rows),
                    game: Game {
                        scores: part(&records.score, &rows),
                        results: part(&records.result, &rows),
                        moves: part(&records.moves, &rows),
                        plies: part(&records.ply, &rows),
                        extras: part(&records.extra, &rows),
                    },
                },
            );
        }
        self.computing += start.map_or(Duration::ZERO, |start| start.elapsed());
        Ok(())
    }

    /// How long the kernel took so far.
    #[must_use]
    pub const fn computing(&self) -> Duration {
        self.computing
    }

    /// How many rows there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are no rows.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The columns, in the order in which they were asked for.
    #[must_use]
    pub fn finish(self) -> Vec<ArrayRef> {
        self.columns.finish(self.maps.signed, None)
    }
}

/// Some rows of a column, or none if the batch does not have it.
fn part<'a, T>(column: &'a [T], rows: &std::ops::Range<usize>) -> &'a [T] {
    column.get(rows.clone()).unwrap_or(&[])
}
