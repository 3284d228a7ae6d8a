//! Single values of a table, of whatever type their column has.

use crate::evaluate::{Operands, Scalar};

pub(crate) enum Cell<'a> {
    Null,
    Integer(i64),
    Float(f64),
    Text(&'a str),
}

pub(crate) fn cell<'a>(column: Option<&'a Operands<'a>>, row: usize) -> Cell<'a> {
    match column.and_then(|column| column.scalar(row)) {
        Some(Scalar::Integer(value)) => Cell::Integer(i64::try_from(value).unwrap_or(i64::MAX)),
        Some(Scalar::Float(value)) => Cell::Float(value),
        Some(Scalar::Text(text)) => {
            str::from_utf8(text.trim_ascii()).map_or(Cell::Null, Cell::Text)
        }
        Some(Scalar::Bool(_)) | None => Cell::Null,
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
