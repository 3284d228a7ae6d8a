//! Looks up columns of a schema by name.

use std::collections::HashMap;

use arrow_schema::Schema;

use crate::error::Error;

/// The names of all columns.
pub(crate) fn names(schema: &Schema) -> Vec<String> {
    schema.fields().iter().map(|field| field.name().clone()).collect()
}

/// The index of each name; `None` for a name that several columns have.
pub(crate) fn places(schema: &Schema) -> HashMap<&str, Option<usize>> {
    let mut places = HashMap::new();
    for (place, field) in schema.fields().iter().enumerate() {
        places.entry(&**field.name()).and_modify(|place| *place = None).or_insert(Some(place));
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
        (None, _) => Err(Error::NoColumn(name.to_owned(), names(schema))),
    }
}
