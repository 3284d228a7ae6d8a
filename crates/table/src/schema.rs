//! Looks up columns of a schema by name, and checks their types.

use std::collections::HashMap;

use arrow_schema::{DataType, Field, Schema};

use crate::error::Error;

/// The names of all columns.
pub(crate) fn names(schema: &Schema) -> Vec<&str> {
    schema.fields().iter().map(|field| field.name().as_str()).collect()
}

/// The index of each name; `None` for a name that occurs several times.
pub(crate) fn places<'a>(names: &[&'a str]) -> HashMap<&'a str, Option<usize>> {
    let mut places = HashMap::new();
    for (place, name) in names.iter().enumerate() {
        places.entry(*name).and_modify(|place| *place = None).or_insert(Some(place));
    }
    places
}

/// Returns the index of the column with exactly this name. Fails unless there is exactly one. For many names, use
/// [`places`].
pub(crate) fn find(schema: &Schema, name: &str) -> Result<usize, Error> {
    let fields = schema.fields().iter().enumerate();
    let mut found = fields.filter(|(_, field)| field.name() == name);
    match (found.next(), found.next()) {
        (Some((place, _)), None) => Ok(place),
        (Some(_), Some(_)) => Err(Error::Ambiguous(name.to_owned())),
        (None, _) => Err(Error::no_column(name, &names(schema))),
    }
}

/// Returns the indices of the columns with one of these names, in upper or lower case.
pub(crate) fn called(schema: &Schema, names: &[&str]) -> Vec<usize> {
    let fields = schema.fields().iter().enumerate();
    let of_name = |name: &str| names.iter().any(|other| name.eq_ignore_ascii_case(other));
    fields.filter(|(_, field)| of_name(field.name())).map(|(place, _)| place).collect()
}

/// Fails if the type of a column does not fit.
pub(crate) fn check_type(
    field: &Field,
    fits: fn(&DataType) -> bool,
    expected: &'static str,
) -> Result<(), Error> {
    match field.data_type() {
        of if fits(of) => Ok(()),
        of => Err(Error::Type(field.name().clone(), of.clone(), expected)),
    }
}
