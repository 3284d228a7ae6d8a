//! Names the options that help against an error.

use anyhow::anyhow;
use setwise_table::{Column, Error, InputColumn};

/// The option that names the column of a label in a table.
pub(crate) fn column_option(label: InputColumn) -> &'static str {
    match label {
        InputColumn::Score => "--score-column",
        InputColumn::Result => "--result-column",
        _ => "--move-column",
    }
}

/// Adds suggested options to an error of tables.
pub(crate) fn explain(error: Error) -> anyhow::Error {
    let hint = match &error {
        Error::NotInInput(Column::Input(InputColumn::Turn)) => {
            "; leave it, and presets with it (all, board), out of --columns"
        }
        Error::NotInInput(column) => match InputColumn::label_of(column.name()) {
            Some(label) => {
                let option = column_option(label);
                return anyhow!(
                    "{error}; in a table, name its column with {option}; otherwise leave it out of --columns"
                );
            }
            None => "; leave it out of --columns",
        },
        Error::NoFen(columns) | Error::NoColumn(_, columns) if matches!(&columns[..], [one] if one.contains([';', '|', '\t'])) => {
            "; if it is several columns, name the character between them with --delimiter"
        }
        Error::NoFen(_) | Error::SeveralFens(_) => " (--fen-column)",
        Error::OnInvalid(_) => " (--on-invalid)",
        Error::TooLong(_) => " (--keep)",
        Error::Twice(_) => " (--keep says which columns of the input are passed along)",
        Error::NoFeatureSet(_) => " (--features)",
        Error::Condition(_, error) if error.is_of_text => {
            " (--where; if a column of CSV holds numbers, add --types guess)"
        }
        Error::Condition(..) => " (--where)",
        Error::NoColumn(name, _) if name.parse::<Column>().is_ok() => {
            return anyhow!(
                "{error}; `setwise maps --columns {name}` writes it if the input has it"
            );
        }
        Error::Missing(..) => "; use --on-missing to skip or fill it",
        // Python calls the option `preset`; here, presets are groups of columns.
        Error::Doubt(_, "preset") => " (--dataset)",
        Error::Doubt(_, option) => {
            return anyhow!("{error} (--{})", option.replace('_', "-"));
        }
        _ => return error.into(),
    };
    anyhow!("{error}{hint}")
}

/// Adds suggested options to an error of a run.
pub(crate) fn explain_run(error: anyhow::Error) -> anyhow::Error {
    let outer = error.to_string();
    match error.downcast::<Error>() {
        Ok(error) if error.to_string() == outer => explain(error),
        Ok(error) => explain(error).context(outer),
        Err(error) => error,
    }
}
