//! Tables as inputs: the options for reading a table, and the columns to read.

use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray, UInt32Array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::take::take;

use crate::column::InputColumn;
use crate::data_sets::{DEPTH, DataSet, DataSetChoice};
use crate::error::Error;
use crate::input::{Input, Keep, Movetext, choose, split_names};
use crate::label_columns::LabelColumns;
use crate::labels::Labels;
use crate::schema::{called, check_type, find, names, places};
use crate::text::{MOVES, TEXT, is_moves, is_text_or_null};

/// The options for reading a table. Columns that are `None` are found by their names.
#[derive(Clone, Debug, Default)]
pub struct TableOptions {
    /// The column of positions.
    pub fen: Option<String>,
    /// The column of games, each with its moves.
    pub movetext: Option<String>,
    /// The data set.
    pub data_set: DataSetChoice,
    /// The names and values from [folder names](folders). They become columns if there is a data set.
    pub folders: Vec<(String, String)>,
    /// The columns to pass through.
    pub keep: Keep,
    /// The columns of labels.
    pub labels: Labels,
    /// The labels (score, result, move) to read.
    pub wanted: Vec<InputColumn>,
}

/// Parses the folder names `name=value` in a path, in the convention of Hugging Face and Spark.
///
/// ```
/// let said = setwise_table::folders("games/year=2025/month=02/part-0.parquet".as_ref());
/// assert_eq!(said, [("year".to_owned(), "2025".to_owned()), ("month".to_owned(), "02".to_owned())]);
/// ```
#[must_use]
pub fn folders(path: &Path) -> Vec<(String, String)> {
    let names = path.parent().into_iter().flat_map(Path::iter).filter_map(|name| name.to_str());
    let pairs = names.filter_map(|name| name.split_once('='));
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

impl Input {
    /// A table of positions or of games, with its labels.
    ///
    /// It is a [`table_of_games`](Self::table_of_games) if a column of games is named, or if there is a column
    /// `movetext` and no column of positions; otherwise a [`table`](Self::table). A [`DataSet`] takes
    /// precedence. Folder names add columns, which [`complete`](Self::complete) fills. The wanted labels (score, result,
    /// move) that a table of positions has are added; they replace columns of the same names. A table of games has only
    /// the result in a column.
    ///
    /// # Errors
    /// As for these functions; if the table lacks a column of the requested data set; if a named column of labels does
    /// not exist or has the wrong type; if the column or the point of view of a label is ambiguous.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use arrow_array::{cast::AsArray, types::Int32Type, ArrayRef, Int32Array, RecordBatch, StringArray};
    /// use setwise_table::{Input, InputColumn, Query, TableOptions};
    ///
    /// let table = RecordBatch::try_from_iter([
    ///     ("fen", Arc::new(StringArray::from(vec!["4k3/8/8/8/8/8/8/R3K3 b - -"; 2])) as ArrayRef),
    ///     ("cp", Arc::new(Int32Array::from(vec![Some(530), None]))),
    ///     ("mate", Arc::new(Int32Array::from(vec![None, Some(12)]))),
    /// ])?;
    /// let options = TableOptions { wanted: vec![InputColumn::Score], ..TableOptions::default() };
    /// let input = Input::of_table(&table.schema(), &options)?;
    /// assert_eq!(input.decided().as_deref(), Some("scores: `cp` and `mate`, for white"));
    /// let scores = Query::default().columns([InputColumn::Score.into()]).plan(&input)?.chunk(&table)?;
    /// assert_eq!(scores.batch["score"].as_primitive::<Int32Type>().values()[..], [-530, -31_988]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_table(schema: &SchemaRef, options: &TableOptions) -> Result<Self, Error> {
        let TableOptions { fen, movetext, keep, labels, wanted, .. } = options;
        let data_set = match options.data_set {
            DataSetChoice::Use(data_set) => data_set.check(schema).map(|()| Some(data_set))?,
            DataSetChoice::Find if fen.is_none() && movetext.is_none() => DataSet::find(schema),
            _ => None,
        };
        let (mut fields, mut added) = (schema.fields().to_vec(), Vec::new());
        for (name, value) in options.folders.iter().filter(|_| data_set.is_some()) {
            if fields.iter().all(|field| field.name() != name) {
                // All files of a data set have the same type: 64 bits, as in DuckDB.
                let value: ArrayRef = match value.parse::<i64>() {
                    Ok(number) => Arc::new(Int64Array::from(vec![number])),
                    Err(_) => Arc::new(StringArray::from(vec![value.as_str()])),
                };
                fields.push(Arc::new(Field::new(name, value.data_type().clone(), false)));
                added.push(value);
            }
        }
        let schema = &Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()));
        let has_games =
            data_set.is_some_and(|of| of.has_games) || called(schema, &["fen"]).is_empty();
        let movetext = match (movetext, fen) {
            (None, None) if has_games => {
                let found = called(schema, &["movetext"]);
                found.first().map(|&place| schema.field(place).name().as_str())
            }
            (movetext, _) => movetext.as_deref(),
        };
        let (mut input, found) = match movetext {
            Some(movetext) => {
                let input = Self::games_of_rows(schema, movetext, keep)?;
                (input, LabelColumns::of_games(schema, labels)?)
            }
            None => {
                let mut input = Self::table(schema, fen.as_deref(), keep)?;
                let found = LabelColumns::new(schema, labels, wanted, data_set)?;
                input.columns.extend(InputColumn::ALL.iter().filter(|&&label| found.has(label)));
                (input, found)
            }
        };
        (input.data_set, input.added, input.labels) = (data_set, added, Some(found));
        Ok(input)
    }

    /// Adds the columns of folder names to a batch with the [selected](Self::select) columns.
    ///
    /// # Errors
    /// If Arrow rejects the columns.
    pub fn complete(&self, batch: RecordBatch) -> Result<RecordBatch, Error> {
        if self.added.is_empty() {
            return Ok(batch);
        }
        let (_, mut columns, rows) = batch.into_parts();
        for value in &self.added {
            columns.push(take(value, &UInt32Array::from(vec![0; rows]), None)?);
        }
        Ok(RecordBatch::try_new(self.schema.clone(), columns)?)
    }

    /// The column of depths, if only the deepest of the consecutive rows of a position is read. A part must then
    /// contain all of these rows, which [`Runs`](crate::Runs) collects.
    #[must_use]
    pub fn groups(&self) -> Option<usize> {
        self.labels.as_ref()?.places[DEPTH]
    }

    /// Describes the data set, if any, and the columns and point of view of inferred labels:
    /// ``scores: `cp` and `mate`, for white``.
    #[must_use]
    pub fn decided(&self) -> Option<String> {
        let positions = self.data_set.and_then(|data_set| data_set.positions);
        let labels = self.labels.iter().filter(|_| !self.games);
        let labels =
            labels.flat_map(|labels| labels.decided(&self.schema, self.data_set.is_some()));
        let notes: Vec<_> = positions.map(str::to_owned).into_iter().chain(labels).collect();
        let preset = self.data_set.map_or_else(String::new, |name| format!("preset {name}: "));
        (!notes.is_empty()).then(|| preset + &notes.join("; "))
    }

    /// The names of the columns that are passed through, except those of positions, start positions and labels.
    #[must_use]
    pub fn unread(&self) -> Vec<String> {
        let labels = self.labels.iter().flat_map(|labels| labels.places[..DEPTH].iter().flatten());
        let start = self.movetext.and_then(|of_games| of_games.start);
        let read: Vec<usize> = labels.copied().chain(self.fen).chain(start).collect();
        let others = self.passed.iter().filter(|place| !read.contains(place));
        others.map(|&place| self.schema.field(place).name().clone()).collect()
    }

    /// Batches of a table. `fen` names the column of positions. The default is the column `fen`, in upper or lower
    /// case; if there are several, the one in lower case.
    ///
    /// # Errors
    /// If a column does not exist, exists twice, is named twice, or must be text and is not; if several columns are
    /// called `fen` and none in lower case.
    pub fn table(schema: &SchemaRef, fen: Option<&str>, keep: &Keep) -> Result<Self, Error> {
        let fen = match fen {
            Some(name) => find(schema, name)?,
            None => find_fen(schema)?.ok_or_else(|| {
                let names = names(schema).into_iter();
                Error::NoFen(names.map(str::to_owned).collect())
            })?,
        };
        let field = schema.field(fen);
        check_type(field, is_text_or_null, TEXT)?;
        let passed = choose(keep, &names(schema))?;
        // The nullability of a field does not cover the values of a dictionary.
        let nullable = field.is_nullable() || matches!(field.data_type(), DataType::Dictionary(..));
        let (schema, fen) = (schema.clone(), Some(fen));
        Ok(Self { name: "a table", schema, passed, fen, nullable, ..Self::rows() })
    }

    /// Batches of a table with a game in each row. The moves are in a column of movetext or of lists of moves (SAN or
    /// UCI; also their text, such as `["e2e4","e7e5"]`); the start position is in a column `fen` and the result for white
    /// in a column `result`, in upper or lower case, if they exist. The output has one row per position and repeats the
    /// other columns.
    /// `keep` selects these and the data of each position as for [`games`](Self::games); the default is all columns
    /// except the moves.
    ///
    /// # Errors
    /// If a column does not exist, is named twice, or must be text and is not; if several columns are called `fen` and
    /// none in lower case; if several columns are called `result`.
    pub fn table_of_games(schema: &SchemaRef, movetext: &str, keep: &Keep) -> Result<Self, Error> {
        let (movetext, keep) = (Some(movetext.to_owned()), keep.clone());
        Self::of_table(schema, &TableOptions { movetext, keep, ..TableOptions::default() })
    }

    /// A table of games without its labels.
    fn games_of_rows(schema: &SchemaRef, movetext: &str, keep: &Keep) -> Result<Self, Error> {
        let movetext = find(schema, movetext)?;
        let start = find_fen(schema)?;
        check_type(schema.field(movetext), is_moves, MOVES)?;
        if let Some(start) = start {
            check_type(schema.field(start), is_text_or_null, TEXT)?;
        }
        let places = places(&names(schema));
        let (mut passed, leading) = split_names(keep, |name| places.get(name).copied().flatten())?;
        if *keep == Keep::All {
            passed = (0..schema.fields().len()).filter(|place| *place != movetext).collect();
        }
        let (schema, movetext) = (schema.clone(), Some(Movetext { moves: movetext, start }));
        Ok(Self { schema, passed, leading, movetext, ..Self::of_games("a table of games") })
    }

    /// Returns the indices of the columns to read from a table: those to pass through, the positions and the labels. The
    /// input that is returned too describes batches that contain only these columns.
    #[must_use]
    pub fn select(mut self) -> (Vec<usize>, Self) {
        let mut places: Vec<usize> = self.places_mut().map(|place| *place).collect();
        places.sort_unstable();
        places.dedup();
        for place in self.places_mut() {
            *place = places.partition_point(|other| other < place);
        }
        let own = self.schema.fields().len() - self.added.len();
        self.schema = Arc::new(self.schema.project(&places).expect("places of its columns"));
        let of_folders = places.split_off(places.partition_point(|&place| place < own));
        self.added = of_folders.into_iter().map(|place| self.added[place - own].clone()).collect();
        (places, self)
    }

    fn places_mut(&mut self) -> impl Iterator<Item = &mut usize> {
        let Self { passed, hidden, fen, movetext, labels, .. } = self;
        let games = movetext
            .iter_mut()
            .flat_map(|Movetext { moves, start }| std::iter::once(moves).chain(start));
        let labels = labels.iter_mut().flat_map(|labels| labels.places.iter_mut().flatten());
        passed.iter_mut().chain(hidden).chain(fen).chain(games).chain(labels)
    }
}

/// The index of the column called `fen`, if there is one: the one in lower case if there are several.
fn find_fen(schema: &Schema) -> Result<Option<usize>, Error> {
    let fens = called(schema, &["fen"]);
    let names: Vec<_> = fens.iter().map(|&place| schema.field(place).name().clone()).collect();
    match names.iter().any(|name| name == "fen") {
        true => find(schema, "fen").map(Some),
        false if fens.len() > 1 => Err(Error::SeveralFens(names)),
        false => Ok(fens.first().copied()),
    }
}
