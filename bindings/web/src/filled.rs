//! Columns of any type and shape, and where JavaScript finds their values.

use setwise::{Lists, Pieces, Request, Shape, ValueType};
use setwise_nnue::Column;
use wasm_bindgen::prelude::*;

/// A column's values.
pub(crate) enum Filled {
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    ListU16(Lists<u16>),
    ListU32(Lists<u32>),
}

/// A column's values and which positions have an answer.
pub(crate) struct Answer {
    values: Filled,
    valid: Option<Vec<bool>>,
}

/// Where values lie in the module's memory, until the next call.
#[wasm_bindgen]
#[derive(Clone, Copy)]
pub struct Buffer {
    /// The address of the first value.
    pub address: usize,
    /// The number of values.
    pub length: usize,
}

impl Buffer {
    fn of<T>(values: &[T]) -> Self {
        Self { address: values.as_ptr() as usize, length: values.len() }
    }
}

impl Answer {
    /// Makes the old answer one for a column and a number of positions, in the same memory if it has the same type.
    pub(crate) fn prepare(old: Option<Self>, column: Column, rows: usize) -> Self {
        let old = old.map(|answer| answer.values);
        let values = match (column.shape(), column.value_type(), old) {
            (Shape::List, ValueType::U16, Some(old @ Filled::ListU16(_))) => old,
            (Shape::List, ValueType::U16, _) => Filled::ListU16(Lists::new()),
            (Shape::List, _, Some(old @ Filled::ListU32(_))) => old,
            (Shape::List, _, _) => Filled::ListU32(Lists::new()),
            (shape, value_type, old) => {
                let count = if let Shape::Array(count) = shape { count * rows } else { rows };
                match (value_type, old) {
                    (ValueType::U8, Some(Filled::U8(old))) => Filled::U8(sized(old, count)),
                    (ValueType::U8, _) => Filled::U8(vec![0; count]),
                    (ValueType::U16, Some(Filled::U16(old))) => Filled::U16(sized(old, count)),
                    (ValueType::U16, _) => Filled::U16(vec![0; count]),
                    (ValueType::U32, Some(Filled::U32(old))) => Filled::U32(sized(old, count)),
                    (ValueType::U32, _) => Filled::U32(vec![0; count]),
                    (_, Some(Filled::U64(old))) => Filled::U64(sized(old, count)),
                    _ => Filled::U64(vec![0; count]),
                }
            }
        };
        Self { values, valid: column.is_nullable().then(|| vec![false; rows]) }
    }

    /// The request that fills it.
    pub(crate) fn request(&mut self, column: setwise::Column) -> Request<'_> {
        let request = match &mut self.values {
            Filled::U8(values) => column.to(values),
            Filled::U16(values) => column.to(values),
            Filled::U32(values) => column.to(values),
            Filled::U64(values) => column.to(values),
            Filled::ListU16(lists) => column.to(lists),
            Filled::ListU32(lists) => column.to(lists),
        };
        match &mut self.valid {
            Some(valid) => request.validity(valid),
            None => request,
        }
    }

    /// Fills it with threats.
    pub(crate) fn fill_threats(&mut self, positions: &[Pieces]) {
        let Filled::ListU16(lists) = &mut self.values else { return };
        lists.start(positions.len());
        for pieces in positions {
            let threats = setwise_nnue::position::threats(pieces);
            for (item, threat) in lists.space(threats.len()).iter_mut().zip(&threats) {
                *item = threat.bits();
            }
            lists.push(threats.len());
        }
    }

    /// The values; of lists the items of all.
    pub(crate) fn values(&self) -> Buffer {
        match &self.values {
            Filled::U8(values) => Buffer::of(values),
            Filled::U16(values) => Buffer::of(values),
            Filled::U32(values) => Buffer::of(values),
            Filled::U64(values) => Buffer::of(values),
            Filled::ListU16(lists) => Buffer::of(lists.items()),
            Filled::ListU32(lists) => Buffer::of(lists.items()),
        }
    }

    /// Where each list begins, and where the last one ends.
    pub(crate) fn offsets(&self) -> Option<Buffer> {
        match &self.values {
            Filled::ListU16(lists) => Some(Buffer::of(lists.offsets())),
            Filled::ListU32(lists) => Some(Buffer::of(lists.offsets())),
            _ => None,
        }
    }

    /// A byte for each position, 0 where there is no answer; none if all have one.
    pub(crate) fn valid(&self) -> Option<Buffer> {
        self.valid.as_deref().map(Buffer::of)
    }
}

fn sized<T: Copy + Default>(mut values: Vec<T>, count: usize) -> Vec<T> {
    values.resize(count, T::default());
    values
}
