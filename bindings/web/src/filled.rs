//! Columns of any type and shape, and the locations of their values for JavaScript.

use std::collections::TryReserveError;
use std::mem::discriminant;

use setwise::{Lists, Pieces, Request, Shape, ValueType};
use setwise_nnue::Column;

/// The values of a column. Only network inputs have other types.
pub(crate) enum Filled {
    U8(Vec<u8>),
    U16(Vec<u16>),
    U64(Vec<u64>),
    Lists(Lists<u16>),
}

/// Evaluates one expression for values of any type, and another one for lists.
macro_rules! each {
    ($filled:expr, $values:pat => $of_values:expr, $lists:pat => $of_lists:expr) => {
        match $filled {
            Filled::U8($values) => $of_values,
            Filled::U16($values) => $of_values,
            Filled::U64($values) => $of_values,
            Filled::Lists($lists) => $of_lists,
        }
    };
}

/// The values of a column, and the positions for which it is defined.
pub(crate) struct Answer {
    values: Filled,
    valid: Option<Vec<bool>>,
}

/// Returns the location of values in the module's memory, valid until the next call: the address of the first value,
/// and the number of values.
fn place<T>(values: &[T]) -> Box<[usize]> {
    Box::new([values.as_ptr() as usize, values.len()])
}

/// Resizes values, or returns an error: a panic would leave the positions borrowed for ever.
fn resize<T: Default + Clone>(values: &mut Vec<T>, count: usize) -> Result<(), TryReserveError> {
    values.try_reserve_exact(count.saturating_sub(values.len()))?;
    values.resize(count, T::default());
    Ok(())
}

impl Answer {
    /// Prepares memory for a column of `rows` positions. Reuses that of the old values if they have the same type. Items of
    /// lists find their memory later.
    pub(crate) fn prepare(
        old: Option<Self>,
        column: Column,
        rows: usize,
    ) -> Result<Self, TryReserveError> {
        let new = match (column.shape(), column.value_type()) {
            (Shape::List, _) => Filled::Lists(Lists::new()),
            (_, ValueType::U8) => Filled::U8(Vec::new()),
            (_, ValueType::U16) => Filled::U16(Vec::new()),
            _ => Filled::U64(Vec::new()),
        };
        let old = old.map(|answer| answer.values);
        let mut values = old.filter(|old| discriminant(old) == discriminant(&new)).unwrap_or(new);
        let count = if let Shape::Array(count) = column.shape() { count * rows } else { rows };
        each!(&mut values, values => resize(values, count)?, _ => {});
        let mut valid = column.is_nullable().then(Vec::new);
        valid.as_mut().map(|valid| resize(valid, rows)).transpose()?;
        Ok(Self { values, valid })
    }

    /// Returns the request that fills the column.
    pub(crate) fn request(&mut self, column: setwise::Column) -> Request<'_> {
        let request =
            each!(&mut self.values, values => column.to(values), lists => column.to(lists));
        match &mut self.valid {
            Some(valid) => request.validity(valid),
            None => request,
        }
    }

    /// Fills the column with threats.
    pub(crate) fn fill_threats(&mut self, positions: &[Pieces]) {
        let Filled::Lists(lists) = &mut self.values else { return };
        lists.start(positions.len());
        for pieces in positions {
            let threats = setwise_nnue::position::threats(pieces);
            for (item, threat) in lists.space(threats.len()).iter_mut().zip(&threats) {
                *item = threat.bits();
            }
            lists.push(threats.len());
        }
    }

    /// Returns the location of the values, or of the items of all lists.
    pub(crate) fn values(&self) -> Box<[usize]> {
        each!(&self.values, values => place(values), lists => place(lists.items()))
    }

    /// Returns the location of the offsets of lists: the start of each list, and the end of the last.
    pub(crate) fn offsets(&self) -> Option<Box<[usize]>> {
        each!(&self.values, _ => None, lists => Some(place(lists.offsets())))
    }

    /// Returns the location of the validity, one byte per position; `None` for columns that are always defined.
    pub(crate) fn valid(&self) -> Option<Box<[usize]>> {
        self.valid.as_deref().map(place)
    }
}
