//! Selects the rows to keep: first by their moves and the caller's function, then by the conditions in order.

use arrow_array::ArrayRef;
use arrow_buffer::BooleanBuffer;
use setwise_formats::Preview;

use crate::cells::Operands;
use crate::filter::Place;
use crate::query::Plan;
use crate::span::{Gathered, Span};
use crate::values::{Values, fill_rows};

/// Returns whether to keep a row, by its labels and its number of pieces.
pub(crate) type RowFilter<'a> = &'a mut (dyn FnMut(&Preview) -> bool + 'a);

impl Plan {
    /// Returns the selection of rows, or `None` if all are kept. `left_out` counts the rows that each condition drops.
    pub(crate) fn select_rows(
        &self,
        span: &Span<'_>,
        row_filter: Option<&mut RowFilter<'_>>,
        memory: &mut Gathered,
        left_out: &mut [u64],
    ) -> Option<BooleanBuffer> {
        let moves_only = self.query.moves_only;
        if row_filter.is_none() && self.filter.conditions.is_empty() && !moves_only {
            return None;
        }
        let mut selected = BooleanBuffer::new_set(span.len());
        if moves_only {
            let has_move = |row: usize| span.state.moves.get(row).is_some_and(Option::is_some);
            selected = BooleanBuffer::collect_bool(span.len(), has_move);
        }
        if let Some(row_filter) = row_filter {
            let is_kept = |row| selected.value(row) && row_filter(&span.preview(row));
            selected = BooleanBuffer::collect_bool(span.len(), is_kept);
        }
        if !self.filter.conditions.is_empty() {
            let holds = match selected.has_false() {
                true => {
                    let some = span.select(&selected, memory).expect("columns of the rows");
                    self.evaluate(&some, left_out)
                }
                false => self.evaluate(span, left_out),
            };
            let mut holds = holds.iter();
            let is_kept = |row| selected.value(row) && holds.next() == Some(true);
            selected = BooleanBuffer::collect_bool(span.len(), is_kept);
        }
        selected.has_false().then_some(selected)
    }

    /// Returns the rows that satisfy all conditions. A row counts for the first condition that drops it.
    fn evaluate(&self, span: &Span<'_>, left_out: &mut [u64]) -> BooleanBuffer {
        let (filter, rows) = (&self.filter, span.len());
        let mut computed = Vec::new();
        for place in &filter.columns {
            if let Place::Computed(column) = *place {
                // Conditions see missing labels as nulls.
                let nullable = self.is_nullable(column);
                computed.push(Values::new(column, nullable, None, rows, None));
            }
        }
        fill_rows(&mut computed, &self.query, span);
        let mut computed = computed.into_iter();
        let array = |place: &Place| match place {
            Place::Computed(_) => {
                let values = computed.next().expect("every column was computed");
                let finished = values.finish(false, span.nulls.clone());
                finished.expect("text of one part, which is not joined").into_array()
            }
            Place::Passed(at) => span.passed[*at].clone(),
        };
        let arrays: Vec<ArrayRef> = filter.columns.iter().map(array).collect();
        let columns: Vec<_> = arrays.iter().map(Operands::of_array).collect();
        let mut selected = BooleanBuffer::new_set(rows);
        for ((condition, places), left_out) in filter.conditions.iter().zip(left_out) {
            let columns: Vec<_> = places.iter().map(|&at| &columns[at]).collect();
            let holds = condition.expression.evaluate(&columns, rows).holds;
            let remaining = &selected & &holds;
            *left_out += (selected.count_set_bits() - remaining.count_set_bits()) as u64;
            selected = remaining;
        }
        selected
    }
}
