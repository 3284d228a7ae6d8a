//! Single values of a table, of whatever type their column has.

use crate::evaluate::{Cells, Operands};

/// A value.
pub(crate) enum Cell<'a> {
    Null,
    Integer(i64),
    Float(f64),
    Text(&'a str),
}

pub(crate) fn cell<'a>(column: Option<&'a Operands<'a>>, row: usize) -> Cell<'a> {
    let Some(column) = column else { return Cell::Null };
    if column.valid.as_ref().is_some_and(|valid| !valid[row]) {
        return Cell::Null;
    }
    match &column.cells {
        Cells::U8(values) => Cell::Integer(values[row].into()),
        Cells::U16(values) => Cell::Integer(values[row].into()),
        Cells::U32(values) => Cell::Integer(values[row].into()),
        Cells::U64(values) => Cell::Integer(i64::try_from(values[row]).unwrap_or(i64::MAX)),
        Cells::I8(values) => Cell::Integer(values[row].into()),
        Cells::I16(values) => Cell::Integer(values[row].into()),
        Cells::I32(values) => Cell::Integer(values[row].into()),
        Cells::I64(values) => Cell::Integer(values[row]),
        Cells::F32(values) => Cell::Float(values[row].into()),
        Cells::F64(values) => Cell::Float(values[row]),
        Cells::Bool(_) => Cell::Null,
        Cells::Text(values) => {
            let text = values[row].unwrap_or_default().trim_ascii();
            str::from_utf8(text).map_or(Cell::Null, Cell::Text)
        }
    }
}

/// An integer, also one with zeros after the point; or what was found.
pub(crate) fn integer(found: Cell<'_>) -> Result<Option<i32>, Cell<'_>> {
    match found {
        Cell::Null | Cell::Text("") => Ok(None),
        Cell::Float(value) if value.is_nan() => Ok(None),
        Cell::Integer(value) => i32::try_from(value).map(Some).map_err(|_| found),
        Cell::Float(value) if value.fract() == 0.0 && value.abs() < f64::from(i32::MAX) => {
            Ok(Some(value as i32))
        }
        Cell::Text(text) => {
            let whole =
                text.split_once('.').filter(|(_, rest)| rest.bytes().all(|byte| byte == b'0'));
            whole.map_or(text, |(whole, _)| whole).parse().map(Some).map_err(|_| found)
        }
        Cell::Float(_) => Err(found),
    }
}

impl std::fmt::Display for Cell<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Integer(value) => value.fmt(f),
            Self::Float(value) => write!(f, "{value:?}"),
            Self::Text(text) => text.fmt(f),
        }
    }
}
