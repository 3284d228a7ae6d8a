//! The files of a loader: their fields, their labels, and the plans that read them.

use std::collections::HashSet;

use setwise_files::FileFormat;
use setwise_formats::{Field, Fields};
use setwise_table::{
    Condition, DataSetChoice, Input, InputColumn, Keep, OnInvalid, OnMissing, Query, Report,
    Sampling, TableOptions, known_fields,
};

use crate::error::Error;
use crate::files::{self, LoaderFile};
use crate::hooks::Checker;
use crate::options::Options;

/// The labels of rows, as fields of records and as columns.
const LABELS: [(Field, InputColumn); 3] = [
    (Field::Score, InputColumn::Score),
    (Field::Result, InputColumn::Result),
    (Field::Move, InputColumn::Move),
];

/// The files, and the fields that all of them have.
pub(crate) struct Sources {
    pub(crate) files: Vec<LoaderFile>,
    pub(crate) has: Fields,
    pub(crate) has_hashes: bool,
    /// For scores and for results: true if each row must have one.
    pub(crate) asked: [bool; 2],
    /// The origin of labels, for messages.
    pub(crate) decided: Vec<String>,
}

impl Sources {
    pub(crate) fn open(options: &Options, sampling: &Sampling) -> Result<Self, Error> {
        let tables = TableOptions {
            keep: Keep::None,
            wanted: LABELS.map(|(_, label)| label).to_vec(),
            ..options.tables.clone()
        };
        let parse = |text: &String| {
            text.parse().map_err(|error| Error::Invalid(format!("condition `{text}`, {error}")))
        };
        let conditions: Vec<_> = options.conditions.iter().map(parse).collect::<Result<_, _>>()?;
        let (mut looked, mut has) = (Vec::with_capacity(options.paths.len()), Fields::ALL);
        for source in &options.paths {
            let (file, input) = files::look(source, options, &tables, &conditions)?;
            has = has.without(Fields::ALL.without(fields_of(&file, &input, options, sampling)?));
            looked.push((file, input));
        }
        if let Some(option) = options.needs_table()
            && !looked.iter().any(|(file, _)| file.format.is_table())
        {
            return Err(Error::Invalid(format!("`{option}` is for tables, and there are none")));
        }
        for (field, _) in LABELS {
            if !is_label(options, field) {
                has = has.without(Fields::of(&[field]));
            }
        }
        let needed = has.union(sampling.needs());
        let has_hashes = options.columns.iter().any(|column| column == "game_hash");
        let query = query_of(options, sampling, conditions, needed, has_hashes);
        // Invalid rows and missing labels are reported when they are read.
        let lenient = query.clone().on_invalid(OnInvalid::Skip).on_missing(OnMissing::Null);
        let labels = &options.tables.labels;
        let is_named = labels.scores_of.and(labels.results_of).is_some()
            && options.tables.data_set != DataSetChoice::Find;
        let mut checker = Checker::new(options.hooks.clone());
        // Notes, each with the file that it is about.
        let (mut notes, mut has_scores_of_engines) = (Vec::new(), false);
        let mut files: Vec<LoaderFile> = Vec::with_capacity(looked.len());
        for (mut file, input) in looked {
            let of_file = |note: String| (note, file.path.display().to_string());
            notes.extend(input.decided().filter(|_| !is_named).map(of_file));
            let plan = query.plan(&input).map_err(|error| file.named(error.into()))?;
            // Earlier rows are skipped when they are read.
            let finds_score = input.has_games()
                && needed.contains(Field::Score)
                && options.on_missing == Some(OnMissing::Skip)
                && !has_scores_of_engines;
            let is_pgn = file.format == FileFormat::Pgn;
            let of_engines = (file.format.is_table() || is_pgn && !has_scores_of_engines)
                && file.look_at_labels(&lenient.plan(&input)?, finds_score, &mut checker)?;
            if of_engines && needed.contains(Field::Score) {
                notes.push(of_file(format!("evaluations {}", Report::OF_ENGINES)));
                has_scores_of_engines = true;
            }
            file.plans.push(plan);
            if !files.last_mut().is_some_and(|last| last.append(&file)) {
                files.push(file);
            }
        }
        files::cut_tables(&mut files);
        let asked = [Field::Score, Field::Result].map(|field| needed.contains(field));
        let mut said = HashSet::new();
        notes.retain(|(note, _)| said.insert(note.clone())); // only for the first file
        let decided = notes.into_iter().map(|(note, path)| format!("{path}: {note}")).collect();
        Ok(Self { files, has, has_hashes, asked, decided })
    }
}

/// The query that reads the needed labels of the rows that the conditions keep.
fn query_of(
    options: &Options,
    sampling: &Sampling,
    conditions: Vec<Condition>,
    needed: Fields,
    has_hashes: bool,
) -> Query {
    let labels = LABELS.into_iter().filter(|(field, _)| needed.contains(*field));
    let labels = labels.map(|(_, label)| label);
    Query::default()
        .signed(true)
        .on_invalid(options.on_invalid)
        .feature_set(options.features)
        .kernel(options.kernel)
        .conditions(conditions)
        .threads(Some(1))
        .columns([])
        .labels(labels.chain(has_hashes.then_some(InputColumn::GameHash)))
        .on_missing(match options.on_missing.unwrap_or_default() {
            // The sampler has skipped them.
            OnMissing::Skip if sampling.decides() || options.report == Some(true) => {
                OnMissing::Null
            }
            other => other,
        })
}

/// Returns the fields that a file has. Fails if it lacks a label or a field that the sampling needs.
fn fields_of(
    file: &LoaderFile,
    input: &Input,
    options: &Options,
    sampling: &Sampling,
) -> Result<Fields, Error> {
    let lacking = |field: Field, option: &str| {
        let (path, name) = (file.path.display(), field.name());
        Error::Invalid(format!("{path}: it has no {name} (`{option}`)"))
    };
    let mut fields = match file.format {
        FileFormat::Packed(format) => known_fields(format),
        _ if input.has_games() => Fields::ALL,
        _ => Fields::FEN,
    };
    for (field, label) in LABELS {
        if input.has(label) {
            fields = fields.union(Fields::of(&[field]));
        } else if is_named(options, field) {
            return Err(lacking(field, "labels"));
        }
    }
    for field in [Field::Score, Field::Result, Field::Ply] {
        if sampling.needs().contains(field) && !fields.contains(field) {
            return Err(lacking(field, "sampling"));
        }
    }
    Ok(fields)
}

/// Returns whether each file must have a label.
fn is_named(options: &Options, field: Field) -> bool {
    let moves = field == Field::Move && options.moves;
    moves || options.labels.iter().flatten().any(|label| *label == field)
}

/// Returns whether batches have a label if all files do.
fn is_label(options: &Options, field: Field) -> bool {
    is_named(options, field) || options.labels.is_none() && field != Field::Move
}
