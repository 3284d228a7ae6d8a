//! Selects the rows to keep: first by the caller's function, then by the conditions in order.

use arrow_array::ArrayRef;
use setwise_formats::Preview;

use crate::evaluate::{Operands, TRUE};
use crate::filter::Place;
use crate::query::Plan;
use crate::span::{Gathered, Span};
use crate::values::{Finished, Values, fill_rows};

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
    ) -> Option<Vec<bool>> {
        if row_filter.is_none() && self.filter.is_empty() {
            return None;
        }
        let mut selected = vec![true; span.len()];
        if let Some(row_filter) = row_filter {
            let rows = selected.iter_mut().enumerate();
            rows.for_each(|(row, selected)| *selected = row_filter(&span.preview(row)));
        }
        if !self.filter.is_empty() {
            let some = match selected.contains(&false) {
                true => &span.select(&selected, memory).expect("columns of the rows"),
                false => span,
            };
            let holds = self.evaluate(some, left_out);
            let remaining = selected.iter_mut().filter(|selected| **selected);
            remaining.zip(holds).for_each(|(selected, holds)| *selected = holds);
        }
        selected.contains(&false).then_some(selected)
    }

    /// Returns, for each row, whether it satisfies all conditions. A row counts for the first condition that drops it.
    fn evaluate(&self, span: &Span<'_>, left_out: &mut [u64]) -> Vec<bool> {
        let (filter, rows) = (&self.filter, span.len());
        // Conditions see missing labels as nulls.
        let values = |&column| Values::new(column, self.is_nullable(column), None, rows, None);
        let mut columns: Vec<Values<'_>> = filter.columns.iter().map(values).collect();
        fill_rows(&mut columns, &self.query, span);
        let finish = |values: Values<'_>| values.finish(false, span.nulls.clone());
        let columns: Vec<ArrayRef> =
            columns.into_iter().map(finish).map(Finished::into_array).collect();
        let columns: Vec<_> = columns.iter().map(Operands::of_array).collect();
        let passed: Vec<_> = span.passed.iter().map(Operands::of_array).collect();
        let mut selected = vec![true; rows];
        for (condition, left_out) in filter.conditions.iter().zip(left_out) {
            let columns = |at: usize| match condition.columns[at].place {
                Place::Computed(at) => &columns[at],
                Place::Passed(at) => &passed[at],
            };
            let values = condition.expression.evaluate(&columns, rows);
            for (selected, value) in selected.iter_mut().zip(values) {
                let is_dropped = *selected && value != TRUE;
                *left_out += u64::from(is_dropped);
                *selected &= !is_dropped;
            }
        }
        selected
    }
}
