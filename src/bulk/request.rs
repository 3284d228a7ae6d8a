//! A requested column: the buffer for its values, and further parameters.

#[cfg(feature = "std")]
use alloc::vec::Vec;

#[cfg(feature = "std")]
use super::lists::Lists;
use super::positions::same_length;
use crate::columns::{Column, Description, Shape, ValueType};

/// The buffer for a column's values. A slice holds one number per position, or, for fixed-size lists, all numbers of
/// the first position, then all of the second, and so on. [`Lists`] hold lists; earlier contents are replaced.
///
/// Slices, arrays, vectors and [`Lists`] convert into it.
#[derive(Debug)]
#[non_exhaustive]
pub enum Buffer<'a> {
    /// For columns of `u8`.
    U8(&'a mut [u8]),
    /// For columns of `u16`.
    U16(&'a mut [u16]),
    /// For columns of `u32`.
    U32(&'a mut [u32]),
    /// For columns of `u64`: bitboards.
    U64(&'a mut [u64]),
    /// For lists of `u16`.
    #[cfg(feature = "std")]
    ListU16(&'a mut Lists<u16>),
    /// For lists of `u32`.
    #[cfg(feature = "std")]
    ListU32(&'a mut Lists<u32>),
}

impl Buffer<'_> {
    /// The type of the values.
    #[must_use]
    pub fn value_type(&self) -> ValueType {
        self.holds().0
    }

    /// Returns whether the buffer is for lists.
    #[must_use]
    pub fn is_list(&self) -> bool {
        self.holds().1.is_none()
    }

    /// Borrows the buffer for a shorter time.
    #[must_use]
    pub fn reborrow(&mut self) -> Buffer<'_> {
        match self {
            Self::U8(values) => Buffer::U8(values),
            Self::U16(values) => Buffer::U16(values),
            Self::U32(values) => Buffer::U32(values),
            Self::U64(values) => Buffer::U64(values),
            #[cfg(feature = "std")]
            Self::ListU16(lists) => Buffer::ListU16(lists),
            #[cfg(feature = "std")]
            Self::ListU32(lists) => Buffer::ListU32(lists),
        }
    }

    /// The type of the values, and their number if they are not lists.
    fn holds(&self) -> (ValueType, Option<usize>) {
        match self {
            Self::U8(values) => (ValueType::U8, Some(values.len())),
            Self::U16(values) => (ValueType::U16, Some(values.len())),
            Self::U32(values) => (ValueType::U32, Some(values.len())),
            Self::U64(values) => (ValueType::U64, Some(values.len())),
            #[cfg(feature = "std")]
            Self::ListU16(_) => (ValueType::U16, None),
            #[cfg(feature = "std")]
            Self::ListU32(_) => (ValueType::U32, None),
        }
    }

    /// Panics if the buffer does not fit the column, or if one of both buffers does not fit the number of positions.
    #[doc(hidden)]
    #[track_caller]
    pub fn check(&self, column: &Description, positions: usize, validity: Option<&[bool]>) {
        let &Description { name, value_type, shape, .. } = column;
        let (held, values) = self.holds();
        let is_list = shape == Shape::List;
        if held != value_type || values.is_none() != is_list {
            let [lists, held_lists] =
                [is_list, values.is_none()].map(|lists| if lists { "lists of " } else { "" });
            panic!(
                "column `{name}` holds {lists}{value_type}, but its buffer holds {held_lists}{held}"
            );
        }
        match (shape, values) {
            (Shape::Value, Some(values)) => same_length(name, values, "positions", positions),
            (Shape::Array(count), Some(values)) => assert!(
                positions.checked_mul(count) == Some(values),
                "column `{name}` has {values} values, but {positions} positions have {count} each"
            ),
            _ => {}
        }
        if let Some(validity) = validity {
            assert!(
                validity.len() == positions,
                "the validity of column `{name}` has {} rows, but column `positions` has {positions}",
                validity.len()
            );
        }
    }
}

/// Implements the conversions from slices and lists to buffers.
macro_rules! buffers {
    ($($element:ty: $variant:ident $($list:ident)?;)*) => {
        $(
            impl<'a> From<&'a mut [$element]> for Buffer<'a> {
                fn from(values: &'a mut [$element]) -> Self {
                    Self::$variant(values)
                }
            }

            impl<'a, const ROWS: usize> From<&'a mut [$element; ROWS]> for Buffer<'a> {
                fn from(values: &'a mut [$element; ROWS]) -> Self {
                    Self::$variant(values)
                }
            }

            #[cfg(feature = "std")]
            impl<'a> From<&'a mut Vec<$element>> for Buffer<'a> {
                fn from(values: &'a mut Vec<$element>) -> Self {
                    Self::$variant(values)
                }
            }

            $(
                #[cfg(feature = "std")]
                impl<'a> From<&'a mut Lists<$element>> for Buffer<'a> {
                    fn from(lists: &'a mut Lists<$element>) -> Self {
                        Self::$list(lists)
                    }
                }
            )?
        )*
    };
}

buffers! { u8: U8; u16: U16 ListU16; u32: U32 ListU32; u64: U64; }

/// A column to fill and its buffer, created by [`Column::to`] and passed to [`Kernel::fill`](crate::Kernel::fill).
#[derive(Debug)]
pub struct Request<'a> {
    pub(super) column: Column,
    pub(super) buffer: Buffer<'a>,
    pub(super) validity: Option<&'a mut [bool]>,
}

impl Column {
    /// Requests this column and sets the buffer for its values.
    ///
    /// The buffer is a slice, an array or a vector of the column's [type](Self::value_type), with one value per
    /// position. A [fixed-size list](crate::columns::Shape::Array) of `n` values needs `n` values per position. Columns
    /// of lists need [`Lists`].
    ///
    /// See [`Kernel::fill`](crate::Kernel::fill) for an example.
    #[must_use]
    pub fn to<'a>(self, buffer: impl Into<Buffer<'a>>) -> Request<'a> {
        Request { column: self, buffer: buffer.into(), validity: None }
    }
}

impl<'a> Request<'a> {
    /// The column.
    #[must_use]
    pub fn column(&self) -> Column {
        self.column
    }

    /// Sets a buffer for the validity of each position: true if it has a value, false if not. Without a value, the
    /// column holds zeros or an empty list.
    #[must_use]
    pub fn validity(mut self, rows: &'a mut [bool]) -> Self {
        self.validity = Some(rows);
        self
    }
}
