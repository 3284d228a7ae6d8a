//! `Kernel::fill`: checks the requests, and sorts them by the code that fills them.

use core::ops::Range;

use super::blocks::{Columns, rows_of};
use super::one_by_one::Output;
use super::positions::Positions;
use super::request::{Buffer, Request};
use super::side_columns::{AttackColumns, NumberColumns, OtherColumns};
use crate::backend::Kernel;
use crate::columns::catalogue::{ATTACKS, COLUMNS, NUMBERS, OTHERS};
use crate::columns::{Column, ColumnKind};
use crate::pieces::Colour;

/// Rows per part. All kinds of columns are computed for one part, 128 KiB of positions, before the next.
const ROWS_TOGETHER: usize = 2048;

impl Kernel {
    /// Fills the requested columns for every position. One call can mix columns of any [type](Column::value_type) and
    /// [shape](crate::columns::Shape).
    ///
    /// The positions are read once for each of three kinds of columns: attack maps, other bitboards, numbers. Work that
    /// no requested column needs is skipped. Among the attack maps, those of pawns, knights and kings of both sides are
    /// computed together. A side's `all` adds one union of sliders; any of its bishop, rook, queen and `twice` maps
    /// costs as much as all of them. Other columns cost as much as their function in [`eval`](crate::eval) for one
    /// side, and numbers as much as one role. A single column of a side's pins or checkers costs as much as a call of
    /// [`position`](crate::position) for each row. Reading the positions takes so long that a cheap column alone (pawns,
    /// kings, checking squares) costs two to five times as much as a loop with tables: fill it with others.
    ///
    /// Lists are overwritten; they grow as needed and keep their allocation between calls.
    ///
    /// # Panics
    /// If the size of a buffer does not match the number of positions, or its type does not match its column; if a
    /// column is requested twice; if a column [needs](Column::needs) a state that is missing; or if the positions are
    /// batches that were made for another backend. The message names the column.
    ///
    /// ```
    /// use setwise::{Column, Kernel, ColumnKind, Pieces};
    /// let positions = vec![Pieces::START; 100]; // or an array, columns of `u64`, batches
    /// let (mut attacked, mut mobility) = (vec![0_u64; 100], vec![0_u16; 100]);
    /// Kernel::detect().fill(
    ///     &positions,
    ///     &mut [
    ///         Column::white(ColumnKind::All).to(&mut attacked),
    ///         "white_mobility_knight".parse::<Column>()?.to(&mut mobility),
    ///     ],
    /// );
    /// assert_eq!(attacked[99], 0x0000_0000_00ff_ff7e);
    /// assert_eq!(mobility[99], 4);
    /// # Ok::<(), setwise::UnknownName>(())
    /// ```
    #[track_caller]
    pub fn fill<'a>(self, positions: impl Into<Positions<'a>>, requests: &mut [Request<'_>]) {
        self.fill_requests(positions.into(), requests);
    }

    /// The non-generic part of [`fill`](Self::fill), so that the kernels are compiled once, in this crate, and not
    /// again in every crate that calls them.
    #[track_caller]
    fn fill_requests(self, positions: Positions<'_>, requests: &mut [Request<'_>]) {
        positions.check(self);
        let mut seen = [false; COLUMNS];
        for Request { column, buffer, validity } in &*requests {
            buffer.check(column.description(), positions.len(), validity.as_deref());
            positions.state().check(*column);
            let again = core::mem::replace(&mut seen[column.place()], true);
            assert!(!again, "column `{column}` is requested twice");
        }
        let mut sorted = Sorted::default();
        for request in requests {
            let column = request.column;
            if let Some(rows) = &mut request.validity
                && !column.is_nullable()
            {
                rows.fill(true);
            }
            let validity = request.validity.as_deref_mut();
            let output = match (column.kind(), &mut request.buffer) {
                #[cfg(feature = "std")]
                (ColumnKind::LegalMoves, Buffer::ListU16(lists)) => {
                    lists.start(positions.len());
                    Output::Lists(lists)
                }
                (ColumnKind::LegalTargets, Buffer::U64(values)) => {
                    Output::Targets(values.as_chunks_mut().0)
                }
                (ColumnKind::LegalPlanes, Buffer::U64(values)) => {
                    Output::Planes(values.as_chunks_mut().0)
                }
                (ColumnKind::LegalCount, Buffer::U16(values)) => Output::Counts(values),
                (kind, Buffer::U64(values))
                    if matches!(column, Column::CHECKERS | Column::PINNED) =>
                {
                    Output::Pins(kind, None, values)
                }
                (ColumnKind::Status, Buffer::U8(values)) => Output::Status(values),
                (_, Buffer::U64(values)) => {
                    sorted.boards(column, values);
                    continue;
                }
                (_, Buffer::U16(values)) => {
                    sorted.numbers(column, values);
                    continue;
                }
                _ => unreachable!("the buffer has the type of its column"),
            };
            self.fill_one_by_one(positions, output, validity);
        }
        self.fill_values(positions, &mut sorted);
    }

    /// Fills bitboards and numbers.
    fn fill_values(self, positions: Positions<'_>, columns: &mut Sorted<'_>) {
        // If two or three kinds of columns read the positions, process them in parts that stay in the cache.
        if columns.kinds() > 1 && positions.len() > ROWS_TOGETHER {
            let mut at = 0;
            while at < positions.len() {
                let part = at..positions.len().min(at + ROWS_TOGETHER);
                self.fill_sides(&positions.rows(part.clone()), &mut columns.rows(part.clone()));
                at = part.end;
            }
        } else {
            self.fill_sides(&positions, columns);
        }
    }

    /// Fills the bitboards and numbers of each side.
    fn fill_sides(self, positions: &Positions<'_>, columns: &mut Sorted<'_>) {
        if let Some(columns) = &mut columns.attacks {
            self.fill_attacks(positions, columns);
        }
        if let Some(columns) = &mut columns.others {
            self.fill_others(*positions, columns);
        }
        if let Some(columns) = &mut columns.numbers {
            self.fill_numbers(*positions, columns);
        }
    }
}

/// The requested bitboards and numbers, sorted by the code that fills them; `None` for a kind without requests.
#[derive(Default)]
struct Sorted<'a> {
    attacks: Option<AttackColumns<'a>>,
    others: Option<OtherColumns<'a>>,
    numbers: Option<NumberColumns<'a>>,
}

/// Stores a column at its index among those of its kind.
fn insert<'a, T, const COUNT: usize>(
    columns: &mut Option<Columns<'a, T, COUNT>>,
    place: usize,
    values: &'a mut [T],
) {
    columns.get_or_insert(const { [const { None }; COUNT] })[place] = Some(values);
}

impl<'a> Sorted<'a> {
    /// The number of kinds that are requested among attack maps, other bitboards and numbers.
    fn kinds(&self) -> usize {
        let Self { attacks, others, numbers, .. } = self;
        [attacks.is_some(), others.is_some(), numbers.is_some()].map(usize::from).iter().sum()
    }

    /// The given rows of each side's columns.
    fn rows(&mut self, rows: Range<usize>) -> Sorted<'_> {
        Sorted {
            attacks: self.attacks.as_mut().map(|columns| rows_of(columns, rows.clone())),
            others: self.others.as_mut().map(|columns| rows_of(columns, rows.clone())),
            numbers: self.numbers.as_mut().map(|columns| rows_of(columns, rows.clone())),
        }
    }

    fn boards(&mut self, column: Column, values: &'a mut [u64]) {
        let side = usize::from(column.colour() == Some(Colour::Black));
        let place = column.kind().place();
        if place < ATTACKS {
            insert(&mut self.attacks, side * ATTACKS + place, values);
        } else {
            insert(&mut self.others, side * OTHERS + place - ATTACKS, values);
        }
    }

    fn numbers(&mut self, column: Column, values: &'a mut [u16]) {
        let side = usize::from(column.colour() == Some(Colour::Black));
        insert(&mut self.numbers, side * NUMBERS + column.kind().place(), values);
    }
}
