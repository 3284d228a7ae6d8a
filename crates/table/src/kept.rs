//! Selects the rows to keep: first by the caller's function, then by conditions on numbers, then by conditions on text and
//! on columns of a table.

use arrow_array::ArrayRef;
use setwise_formats::Preview;

use crate::evaluate::{Operands, TRUE};
use crate::filter::Place;
use crate::query::Plan;
use crate::span::{Gathered, Span};
use crate::values::{Finished, Values, fill_rows};

/// Returns whether to keep a row, by its labels and its number of pieces.
pub(crate) type Keeps<'a> = &'a mut (dyn FnMut(&Preview) -> bool + 'a);

impl Plan {
    /// Returns which rows are kept, or `None` if all are. `left_out` counts the rows that each condition drops.
    pub(crate) fn kept(
        &self,
        span: &Span<'_>,
        keeps: Option<&mut Keeps<'_>>,
        memory: &mut Gathered,
        left_out: &mut [u64],
    ) -> Option<Vec<bool>> {
        if keeps.is_none() && self.filter.is_empty() {
            return None;
        }
        let mut kept = vec![true; span.len()];
        if let Some(keeps) = keeps {
            kept.iter_mut().enumerate().for_each(|(row, kept)| *kept = keeps(&span.preview(row)));
        }
        if !self.filter.is_empty() {
            let some = match kept.contains(&false) {
                true => &span.select(&kept, memory).expect("columns of the rows"),
                false => span,
            };
            let left = self.evaluate(some, left_out);
            let so_far = kept.iter_mut().filter(|kept| **kept);
            so_far.zip(left).for_each(|(kept, left)| *kept = left);
        }
        kept.contains(&false).then_some(kept)
    }

    /// Returns which rows satisfy all conditions. A row is counted for the first condition that drops it.
    fn evaluate(&self, span: &Span<'_>, left_out: &mut [u64]) -> Vec<bool> {
        let (filter, rows) = (&self.filter, span.len());
        // To conditions, missing labels are nulls.
        let values = |&column| Values::new(column, self.is_nullable(column), None, rows, None);
        let mut columns: Vec<Values<'_>> = filter.columns.iter().map(values).collect();
        fill_rows(&mut columns, &self.query, span);
        let finish = |values: Values<'_>| values.finish(false, span.nulls.clone());
        let columns: Vec<ArrayRef> =
            columns.into_iter().map(finish).map(Finished::into_array).collect();
        let columns: Vec<_> = columns.iter().map(Operands::of_array).collect();
        let passed: Vec<_> = span.passed.iter().map(Operands::of_array).collect();
        let mut kept = vec![true; rows];
        for is_first in [true, false] {
            let conditions = filter.conditions.iter().zip(&mut *left_out);
            for (condition, left_out) in conditions.filter(|(one, _)| one.is_first == is_first) {
                let columns = |at: usize| match condition.columns[at].place {
                    Place::Computed(at) => &columns[at],
                    Place::Passed(at) => &passed[at],
                };
                let truth = condition.expression.truth(&columns, rows);
                for (kept, truth) in kept.iter_mut().zip(truth) {
                    let is_out = *kept && truth != TRUE;
                    *left_out += u64::from(is_out);
                    *kept &= !is_out;
                }
            }
        }
        kept
    }
}
