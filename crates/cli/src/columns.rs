//! The value of `--columns`: parses the names that users type, and prints the list of columns.

use std::fmt::Write;
use std::str::FromStr;

use setwise::Shape;
use setwise::columns::{Catalogue, SelectionError, select};
use setwise_table::{Column, InputColumn};

#[derive(Clone, Debug)]
pub(crate) enum Choice {
    Help,
    /// Columns, and those of them that only patterns select: an input may lack these.
    Columns(Vec<Column>, Vec<Column>),
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(names: &str) -> Result<Self, String> {
        if names == "help" {
            return Ok(Self::Help);
        }
        // Accept `legal`, so that users who draw legal moves need not know the name of the column.
        let names = names.split(',').map(|name| if name == "legal" { "legal_moves" } else { name });
        let selected = Column::select(&names.collect::<Vec<_>>());
        selected.map(|(all, optional)| Self::Columns(all, optional)).map_err(|error| match &error {
            SelectionError::Unknown { name, .. } if name.is_empty() => error.to_string(),
            SelectionError::Unknown { name, nearest: None } => format!(
                "{error}; `setwise maps --columns help` lists them, and `--keep {name}` passes on \
                 a column of the input"
            ),
            SelectionError::NoMatch { .. } => {
                format!("{error}; `setwise maps --columns help` lists them")
            }
            other => other.to_string(),
        })
    }
}

/// Returns the columns with these names, which must exist.
pub(crate) fn named(names: &[&str]) -> Vec<Column> {
    select(names).expect("names of columns and presets")
}

/// Lists the columns, one per line: name, type, meaning. The presets follow.
pub(crate) fn help() -> String {
    let mut text = String::new();
    let width = Column::all().iter().map(|column| column.name().len()).max().unwrap_or(0);
    // The program's parts need not contain complete games, so its inputs provide no hashes of games.
    let hidden = Column::Input(InputColumn::GameHash);
    let is_listed = |column: &&Column| **column != hidden && !matches!(column, Column::Squares(_));
    for column in Column::all().iter().filter(is_listed) {
        let (name, meaning) = (column.name(), column.meaning());
        let data_type = match column.shape() {
            Shape::Value => column.data_type(false).to_string(),
            Shape::List => "list".to_owned(),
            shape => format!("{shape:?}").to_lowercase(),
        };
        let _ = writeln!(text, "{name:<width$} {data_type:<7} {meaning}");
    }
    text.push_str("\nAny computed set of squares with _squares after its name is the number of its squares: white_all_squares\n");
    text.push_str("\nPresets (patterns such as white_*, *_all or *_features are also accepted):\n");
    for preset in Column::presets() {
        let _ = writeln!(text, "{:<width$} {}", preset.name, preset.meaning);
    }
    text
}
