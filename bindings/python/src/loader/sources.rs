//! The files of a loader: their fields, their labels, and the plans that read them.

use arrow_schema::SchemaRef;
use pyo3::prelude::*;
use pyo3_arrow::PySchema;
use setwise_formats::{Field, Fields};
use setwise_table::{Input, InputColumn, Keep, Plan, Presets, Sampling, TableOptions, folders};

use super::files::{self, Kind, LoaderFile};
use super::options::{ColumnsOfTables, Options};
use crate::error::{not_read, raised, wrong};
use crate::query::Query;

/// Returns the schema of a table that Python reads.
fn schema_of(py: Python<'_>, table: &Py<PyAny>) -> PyResult<SchemaRef> {
    Ok(table.getattr(py, "schema")?.extract::<PySchema>(py)?.into_inner())
}

/// Returns the input of a file, with all labels that it has.
fn input_of(py: Python<'_>, file: &LoaderFile, options: &TableOptions) -> PyResult<Input> {
    let input = match (file.kind, &file.table) {
        (Kind::Text { labelled: true }, _) => Ok(Input::text()),
        (Kind::Text { .. }, _) => {
            Ok(Input::text().without(InputColumn::Score).without(InputColumn::Result))
        }
        (Kind::Packed(format), _) => Input::records(format, &Keep::None),
        (Kind::Table, Some(table)) => {
            let options = TableOptions { folders: folders(&file.path), ..options.clone() };
            Input::of_table(&schema_of(py, table)?, &options)
        }
        _ => Input::games(&Keep::None),
    };
    Ok(input.map_err(|error| raised(file.named(error)))?.hashed())
}

/// The files, and the fields that all of them have.
pub(super) struct Sources {
    pub(super) files: Vec<LoaderFile>,
    /// For each file, the plan that reads its labels and evaluates the conditions.
    pub(super) plans: Vec<Plan>,
    pub(super) has: Fields,
    pub(super) has_hashes: bool,
    /// For scores and for results: true if each row must have one.
    pub(super) asked: [bool; 2],
    /// The columns used for the labels of tables.
    pub(super) decided: Vec<String>,
}

impl Sources {
    pub(super) fn open(
        py: Python<'_>,
        options: &mut Options,
        columns: ColumnsOfTables,
        query: &Query,
        sampling: &Sampling,
    ) -> PyResult<Self> {
        let of_tables = columns.options().map_err(wrong)?;
        let (tables, format) =
            (std::mem::take(&mut options.tables), options.input_format.as_deref());
        let mut files = Vec::with_capacity(tables.len());
        for (path, table) in options.paths.iter().zip(tables) {
            let file = match table {
                Some(table) => files::look_at_table(path, table),
                None => files::look(path, format),
            };
            let mut file = file.map_err(|error| not_read(path, error))?;
            file.zeros = options.sampling.zeros();
            files.push(file);
        }
        if let (Presets::Use(preset), true) =
            (of_tables.preset, files.iter().all(|file| file.table.is_none()))
        {
            return Err(wrong(format!("`preset` `{preset}` is for tables, and there are none")));
        }
        let mut inputs = Vec::new();
        let asks = |label: &str| options.labels.iter().any(|name| name == label);
        let has_hashes = asks("game_hash");
        let mut has = Fields::ALL;
        let of_labels = [
            (Field::Score, InputColumn::Score),
            (Field::Result, InputColumn::Result),
            (Field::Move, InputColumn::Move),
        ];
        for file in &files {
            let input = input_of(py, file, &of_tables)?;
            let mut fields = match file.kind {
                Kind::Packed(format) => format.keeps(),
                _ if input.has_games() => Fields::ALL,
                _ => Fields::FEN,
            };
            for (field, label) in of_labels {
                if input.has(label) {
                    fields = fields.union(Fields::of(&[field]));
                }
                if asks(field.name()) && !input.has(label) {
                    let (path, name) = (file.path.display(), field.name());
                    return Err(wrong(format!("{path}: it has no {name} (`labels`)")));
                }
            }
            let decides = |field: &&Field| sampling.needs().contains(**field);
            let lacks = |field: &&Field| !fields.contains(**field);
            let mut deciding = [Field::Score, Field::Result, Field::Ply].iter().filter(decides);
            if let Some(field) = deciding.find(lacks) {
                let (path, name) = (file.path.display(), field.name());
                return Err(wrong(format!("{path}: it has no {name} (`sampling`)")));
            }
            has = has.without(Fields::ALL.without(fields));
            inputs.push(input);
        }
        for (field, _) in of_labels {
            if !asks(field.name()) && (!asks("*") || field == Field::Move) {
                has = has.without(Fields::of(&[field]));
            }
        }
        let needed = has.union(sampling.needs());
        let labels = of_labels.iter().filter(|(field, _)| needed.contains(*field));
        let labels = labels.map(|(_, label)| *label);
        let hashes = has_hashes.then_some(InputColumn::GameHash);
        let labels: Vec<_> = labels.chain(hashes).collect();
        let of_rows = query.query.clone().threads(Some(1)).columns([]);
        let of_rows = of_rows.labels(labels).on_missing(options.on_missing);
        let (mut plans, mut decided, mut all_said) = (Vec::new(), Vec::new(), Vec::new());
        for (file, mut input) in files.iter().zip(inputs) {
            if let Some(table) = &file.table {
                input = input.needing(of_rows.get_conditions());
                let schema = schema_of(py, table)?;
                let names = |places: Vec<usize>| -> Vec<_> {
                    places.iter().map(|&at| schema.field(at).name().clone()).collect()
                };
                table.setattr(py, "columns", names(input.places()))?;
                table.setattr(py, "groups", input.groups().map(|at| schema.field(at).name()))?;
                table.setattr(py, "positions", input.positions_of_row())?;
                input = input.of_places();
                // For a folder, report it once.
                if let Some(said) = input.decided().filter(|said| !all_said.contains(said)) {
                    decided.push(format!("{}: {said}", file.path.display()));
                    all_said.push(said);
                }
            }
            let plan = of_rows.plan(&input).map_err(|error| raised(file.named(error)))?;
            if file.table.is_some() {
                file.check_labels(&plan)?;
            }
            plans.push(plan);
        }
        files::cut_tables(py, &mut files)?;
        let asked = [Field::Score, Field::Result].map(|field| needed.contains(field));
        Ok(Self { files, plans, has, has_hashes, asked, decided })
    }
}
