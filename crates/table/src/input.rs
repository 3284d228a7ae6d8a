//! Describes a source before its first part is read: which data each row gives for its position, and which columns can
//! be passed through.

use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int32Array, RecordBatch, StringArray, UInt32Array};
use arrow_schema::{DataType, Field, FieldRef, Schema, SchemaRef};
use arrow_select::take::take;
use setwise::Needs;
use setwise_formats::Format;

use crate::column::{Column, InputColumn};
use crate::error::{Error, Shown};
use crate::labels::{LabelColumns, Labels};
use crate::presets::{Preset, Presets};
use crate::schema::{find, names};
use crate::tags::tag_field;
use crate::text::{TEXT, is_text, lines};

/// Which columns of the input to pass through, before the requested columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// All of them, in their order. For text there are none.
    #[default]
    All,
    /// None.
    None,
    /// These, in this order.
    Named(Vec<String>),
}

/// The positions of a game, more or less.
const POSITIONS: usize = 80;

/// The data that the rows of a source give.
///
/// ```
/// use setwise_formats::Format;
/// use setwise_table::{Input, Keep, Query};
/// let query = Query::default().columns(["castling_white".parse()?]);
/// assert!(query.plan(&Input::text()).is_ok());
/// let error = query.plan(&Input::boards(true)).unwrap_err();
/// assert_eq!(error.to_string(), "column `castling_white` is not in this input");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// A name for the kind of input, for messages.
    name: &'static str,
    columns: Vec<InputColumn>,
    /// The input columns that come before the requested columns.
    pub(crate) kept: Vec<InputColumn>,
    /// The columns of a table, those that names of folders add behind the others.
    pub(crate) schema: SchemaRef,
    /// The values of these.
    added: Vec<ArrayRef>,
    /// The indices of the columns to pass through.
    pub(crate) passed: Vec<usize>,
    /// The indices of the columns that only conditions need.
    pub(crate) hidden: Vec<usize>,
    /// The index of the column with the positions.
    pub(crate) fen: Option<usize>,
    /// Whether rows can lack a position.
    pub(crate) nullable: bool,
    /// Whether all boards are as the side to move sees them.
    white_to_move: bool,
    /// Whether it has games, each with a row for each position.
    pub(crate) games: bool,
    pub(crate) movetext: Option<Movetext>,
    pub(crate) labels: Option<LabelColumns>,
    preset: Option<Preset>,
    /// The column of moves whose first leads to the position.
    pub(crate) lead: Option<usize>,
    /// The depths by which one row of each position is read.
    pub(crate) depth: Option<usize>,
}

/// How a table is read. What is `None` is found by the names of the columns.
#[derive(Clone, Debug, Default)]
pub struct TableOptions {
    /// The column of positions.
    pub fen: Option<String>,
    /// The column of games, each with its moves.
    pub movetext: Option<String>,
    /// The preset.
    pub preset: Presets,
    /// What the names of [folders](folders) say, which is a column if there is a preset.
    pub folders: Vec<(String, String)>,
    /// The columns to pass through.
    pub keep: Keep,
    /// The columns of labels.
    pub labels: Labels,
    /// Which labels (score, result, move) are read.
    pub wanted: Vec<InputColumn>,
}

impl TableOptions {
    /// The preset for a table with these columns, if there is one.
    ///
    /// # Errors
    /// If the table lacks a column of the preset that is to be used.
    pub fn preset(&self, schema: &Schema) -> Result<Option<Preset>, Error> {
        match self.preset {
            Presets::Use(preset) => preset.check(schema).map(|()| Some(preset)),
            Presets::Find if self.fen.is_none() && self.movetext.is_none() => {
                Ok(Preset::find(schema))
            }
            _ => Ok(None),
        }
    }
}

/// What the names of folders say of a file, as Hugging Face and Spark write it.
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

/// The columns of a table with a game in each row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Movetext {
    pub(crate) moves: usize,
    /// The start of the game, if it is not the usual one; and its result, if the moves do not end with it.
    pub(crate) start: Option<usize>,
    pub(crate) result: Option<usize>,
}

impl Movetext {
    fn places(self) -> impl Iterator<Item = usize> {
        [Some(self.moves), self.start, self.result].into_iter().flatten()
    }
}

impl Input {
    fn new(name: &'static str, columns: &[&[InputColumn]]) -> Self {
        Self {
            name,
            columns: columns.concat(),
            kept: Vec::new(),
            schema: Arc::new(Schema::empty()),
            added: Vec::new(),
            passed: Vec::new(),
            hidden: Vec::new(),
            fen: None,
            nullable: false,
            white_to_move: false,
            games: false,
            movetext: None,
            labels: None,
            preset: None,
            lead: None,
            depth: None,
        }
    }

    /// Lines of text with one FEN or EPD each, some with a score and a result after it: `FEN | 32 | 1.0`, for white.
    #[must_use]
    pub fn text() -> Self {
        use InputColumn::{Fen, Line, Rest, Result, Score};
        let (boards, state) = (&InputColumn::BOARDS, &InputColumn::STATE);
        Self::new("text", &[&[Fen, Line, Rest], boards, &ALWAYS, state, &[Score, Result]])
    }

    /// The same input without a column: nobody can ask for it, or compare it in a condition.
    ///
    /// ```
    /// use setwise_table::{Input, InputColumn, Query};
    /// let scored = Input::text().without(InputColumn::Result);
    /// let query = Query::default().columns([]).conditions(["result = 1".parse()?]);
    /// assert!(query.plan(&scored).is_err() && query.plan(&Input::text()).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn without(mut self, column: InputColumn) -> Self {
        self.columns.retain(|other| *other != column);
        self
    }

    /// The same input with the column `game_hash`: of binpack's chains, of the games of viriformat and PGN, or of positions
    /// where there are no games. A part has to contain whole games.
    #[must_use]
    pub fn hashed(mut self) -> Self {
        self.columns.push(InputColumn::GameHash);
        self
    }

    /// A table of positions or of games, with its labels: [`table`](Self::table) with [`labelled`](Self::labelled), or
    /// [`table_of_games`](Self::table_of_games) if a column of moves is named or, without one of positions, called
    /// `movetext`; or as a [`Preset`] has it. Folders add their columns, which [`complete`](Self::complete) fills.
    ///
    /// # Errors
    /// As these, and if the table lacks a column of the preset that is to be used.
    pub fn of_table(schema: &SchemaRef, options: &TableOptions) -> Result<Self, Error> {
        let TableOptions { fen, movetext, keep, labels, wanted, .. } = options;
        let preset = options.preset(schema)?;
        let (mut fields, mut added) = (schema.fields().to_vec(), Vec::new());
        for (name, value) in options.folders.iter().filter(|_| preset.is_some()) {
            if fields.iter().all(|field| field.name() != name) {
                let value: ArrayRef = match value.parse::<i32>() {
                    Ok(number) => Arc::new(Int32Array::from(vec![number])),
                    Err(_) => Arc::new(StringArray::from(vec![value.as_str()])),
                };
                fields.push(Arc::new(Field::new(name, value.data_type().clone(), false)));
                added.push(value);
            }
        }
        let schema = &Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()));
        let named = |name: &str| {
            let mut names = schema.fields().iter().map(|field| field.name());
            names.find(|own| own.eq_ignore_ascii_case(name))
        };
        let movetext = match (movetext, fen) {
            (None, None) if named("fen").is_none() || preset == Some(Preset::LichessGames) => {
                named("movetext")
            }
            (movetext, _) => movetext.as_ref(),
        };
        let mut input = match movetext {
            Some(movetext) => Self::table_of_games(schema, movetext, keep)?,
            None => Self::table(schema, fen.as_deref(), keep)?,
        };
        (input.preset, input.added) = (preset, added);
        match preset {
            Some(Preset::LichessPuzzles) => input.lead = Some(find(schema, "Moves")?),
            Some(Preset::LichessPositionEvaluations) => input.depth = Some(find(schema, "depth")?),
            _ => {}
        }
        input.labelled(labels, wanted)
    }

    /// A batch of the columns at the [places](Self::places), with those that names of folders add.
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

    /// The column of positions if rows of one position follow each other and one of them is read: a part has to have all
    /// of them.
    #[must_use]
    pub fn groups(&self) -> Option<usize> {
        self.depth.and(self.fen)
    }

    /// The first row of the last position of a batch of a table [with groups](Self::groups), where a part can end.
    ///
    /// # Errors
    /// If positions are not text.
    pub fn last_group(&self, batch: &RecordBatch) -> Result<usize, Error> {
        let lines = lines("fen", batch.column(self.fen.unwrap_or(0)))?;
        let others = lines.iter().rposition(|line| Some(line) != lines.last());
        Ok(others.map_or(0, |row| row + 1))
    }

    /// The same table with those of these labels (score, result, move) that it has. They take the place of columns with
    /// these names. Other inputs stay as they are.
    ///
    /// # Errors
    /// If a named column is not there or holds something else, or if it is doubtful which column has a label or which
    /// side its numbers are for.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use arrow_array::{cast::AsArray, types::Int32Type, ArrayRef, Int32Array, RecordBatch, StringArray};
    /// use setwise_table::{Input, InputColumn, Keep, Labels, Query};
    ///
    /// let table = RecordBatch::try_from_iter([
    ///     ("fen", Arc::new(StringArray::from(vec!["4k3/8/8/8/8/8/8/R3K3 b - -"; 2])) as ArrayRef),
    ///     ("cp", Arc::new(Int32Array::from(vec![Some(530), None]))),
    ///     ("mate", Arc::new(Int32Array::from(vec![None, Some(12)]))),
    /// ])?;
    /// let input = Input::table(&table.schema(), None, &Keep::None)?;
    /// let input = input.labelled(&Labels::default(), &[InputColumn::Score])?;
    /// assert_eq!(input.decided().as_deref(), Some("scores: `cp` and `mate`, for white"));
    /// let scores = Query::default().columns([InputColumn::Score.into()]).plan(&input)?.chunk(&table)?;
    /// assert_eq!(scores.batch.column(0).as_primitive::<Int32Type>().values()[..], [-530, -31_988]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn labelled(mut self, labels: &Labels, wanted: &[InputColumn]) -> Result<Self, Error> {
        if self.fen.is_some() {
            let found = LabelColumns::new(&self.schema, labels, wanted, self.preset)?;
            self.columns.extend(found.found());
            self.labels = Some(found);
        }
        Ok(self)
    }

    /// Where positions and labels come from, if that has to be said, and for which side:
    /// ``scores: `cp` and `mate`, for white``; before it the preset, if there is one.
    #[must_use]
    pub fn decided(&self) -> Option<String> {
        let has_preset = self.preset.is_some();
        let labels =
            self.labels.as_ref().and_then(|labels| labels.decided(&self.schema, has_preset));
        let Some(preset) = self.preset else { return labels };
        let said: Vec<_> =
            preset.positions().map(str::to_owned).into_iter().chain(labels).collect();
        (!said.is_empty()).then(|| format!("preset {preset}: {}", said.join("; ")))
    }

    /// The names of the columns of a table that are passed through and neither hold the positions nor labels.
    #[must_use]
    pub fn unread(&self) -> Vec<String> {
        let labels: Vec<usize> = self
            .labels
            .iter()
            .flat_map(LabelColumns::places)
            .chain(self.fen)
            .chain(self.lead)
            .collect();
        let others = self.passed.iter().filter(|place| !labels.contains(place));
        others.map(|&place| self.schema.field(place).name().clone()).collect()
    }

    /// The source of a label that is missing, for messages.
    pub(crate) fn missing(&self, label: InputColumn) -> String {
        let name = Column::Input(label).name();
        match (&self.labels, label) {
            (Some(labels), _) => {
                format!("{}: no {name}", labels.missing(label, &self.schema))
            }
            (None, InputColumn::Score) if self.games => "no score (`[%eval]`)".to_owned(),
            _ => format!("no {name}"),
        }
    }

    fn rows() -> Self {
        Self::text().without(InputColumn::Score).without(InputColumn::Result)
    }

    /// A column of text, in which rows may be null.
    #[must_use]
    pub fn column() -> Self {
        Self { name: "a column", nullable: true, ..Self::rows() }
    }

    /// Batches of a table. Without `fen`, the positions are in the column called `fen` in upper or lower case; if there
    /// are several, in the one called exactly `fen`.
    ///
    /// # Errors
    /// If a column is not there, is there or named twice, or holds no text where that is needed; if several are called
    /// `fen` and none exactly.
    pub fn table(schema: &SchemaRef, fen: Option<&str>, keep: &Keep) -> Result<Self, Error> {
        let fen = match fen {
            Some(name) => find(schema, name)?,
            None => find_fen(schema)?,
        };
        let field = schema.field(fen);
        if !is_text(field.data_type()) {
            return Err(Error::Type(field.name().clone(), field.data_type().clone(), TEXT));
        }
        let name = |place: &usize| schema.field(*place).name().clone();
        let all = (0..schema.fields().len()).collect();
        let passed = chosen(keep, all, name, |name| find(schema, name))?;
        // A field's nullability does not cover the values of a dictionary.
        let nullable = field.is_nullable() || matches!(field.data_type(), DataType::Dictionary(..));
        let (schema, fen) = (schema.clone(), Some(fen));
        Ok(Self { name: "a table", schema, passed, fen, nullable, ..Self::rows() })
    }

    /// Packed records. `keep` can pass through their data other than the pieces.
    ///
    /// # Errors
    /// If `keep` names a column that the format does not have, or names one twice.
    pub fn records(format: Format, keep: &Keep) -> Result<Self, Error> {
        let in_format = InputColumn::in_format(format);
        let name = |column: &InputColumn| Column::Input(*column).name().to_owned();
        let find = |kept: &str| {
            in_format.iter().copied().find(|column| name(column) == kept).ok_or_else(|| {
                let columns = in_format.iter().map(name).collect();
                Error::NoColumn(kept.to_owned(), columns)
            })
        };
        let kept = chosen(keep, in_format.clone(), name, find)?;
        let white_to_move = !in_format.contains(&InputColumn::Turn);
        let captures: &[InputColumn] = match in_format.contains(&InputColumn::Move) {
            true => &[InputColumn::Capture, InputColumn::EnPassantCapture],
            false => &[],
        };
        let (text, boards) = ([InputColumn::Fen, InputColumn::Line], &InputColumn::BOARDS);
        let columns: [&[InputColumn]; 5] = [&text, &ALWAYS, boards, &in_format, captures];
        Ok(Self { kept, white_to_move, ..Self::new(format.name(), &columns) })
    }

    /// Games in PGN. What `keep` passes along is what they say of each position (`game`, `ply`, `move`, `san`, `clock`,
    /// `elapsed`, `eval`, `mate`, `result`), and any tags. A tag is named as in the text: `WhiteElo`. Its column is text;
    /// those that the standard gives another type have this: elos and other numbers are `Int32`, dates `Date32`, times
    /// `Time32`, and what is none of these is null. Where only tags are named, all that is said of each position is kept
    /// too.
    ///
    /// # Errors
    /// If a name is that of no column and cannot be that of a tag.
    ///
    /// ```
    /// use setwise_table::{Input, Keep, Query};
    /// let query = Query::default().columns(["white_all".parse()?]);
    /// let tags = Keep::Named(vec!["game".into(), "WhiteElo".into()]);
    /// let plan = query.plan(&Input::games(&tags)?)?;
    /// let names: Vec<_> = plan.schema().fields().iter().map(|field| field.name()).collect();
    /// assert_eq!(names, ["WhiteElo", "game", "white_all"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn games(keep: &Keep) -> Result<Self, Error> {
        let (tags, kept) = kept_of_games(keep, |name| is_tag(name).then(|| tag_field(name)))?;
        let schema = Arc::new(Schema::new(tags));
        let passed = (0..schema.fields().len()).collect();
        Ok(Self { schema, passed, kept, ..Self::of_games("PGN") })
    }

    /// Batches of a table with a game in each row: its moves in a column of text, and its start, if that is not the usual
    /// one, in a column called `fen` in whatever capitals. Every position gets a row, with the other columns repeated; all
    /// of them but the moves unless `keep` says otherwise, and what is said of each position as for
    /// [`games`](Self::games).
    ///
    /// # Errors
    /// If a column is not there, is named twice, or holds no text where that is needed; if several are called `fen`
    /// and none exactly.
    pub fn table_of_games(schema: &SchemaRef, movetext: &str, keep: &Keep) -> Result<Self, Error> {
        let movetext = find(schema, movetext)?;
        let start = match find_fen(schema) {
            Ok(start) => Some(start),
            Err(Error::NoFen(_)) => None,
            Err(error) => return Err(error),
        };
        let names = || schema.fields().iter();
        let result = names().position(|field| {
            field.name().eq_ignore_ascii_case("result") && is_text(field.data_type())
        });
        for place in [Some(movetext), start].into_iter().flatten() {
            let field = schema.field(place);
            if !is_text(field.data_type()) {
                return Err(Error::Type(field.name().clone(), field.data_type().clone(), TEXT));
            }
        }
        let (mut passed, kept) = kept_of_games(keep, |name| find(schema, name).ok())?;
        if *keep == Keep::All {
            passed = (0..schema.fields().len()).filter(|place| *place != movetext).collect();
        }
        let (schema, movetext) =
            (schema.clone(), Some(Movetext { moves: movetext, start, result }));
        Ok(Self { schema, passed, kept, movetext, ..Self::of_games("a table of games") })
    }

    fn of_games(name: &'static str) -> Self {
        use InputColumn::{Fen, Line, Score};
        let (boards, state) = (&InputColumn::BOARDS, &InputColumn::STATE);
        let said: [&[InputColumn]; 3] = [&InputColumn::OF_GAMES, &ON_REQUEST, &[Score]];
        let columns = [&[&[Fen, Line], &ALWAYS[..], boards, state], &said[..]].concat();
        Self { games: true, ..Self::new(name, &columns) }
    }

    /// Whether it has games, with a row for each position of these.
    #[must_use]
    pub const fn has_games(&self) -> bool {
        self.games
    }

    /// The positions of a row, more or less, for sources that cut tables: a row of a table can be a game.
    #[must_use]
    pub const fn positions_of_row(&self) -> usize {
        if self.movetext.is_some() { POSITIONS } else { 1 }
    }

    /// Whether rows of a column can be null here though they cannot elsewhere: labels can be missing, but packed records
    /// have a result.
    pub(crate) fn is_null(&self, column: Column) -> bool {
        match column {
            Column::Input(InputColumn::Score) => true,
            Column::Input(InputColumn::Result) => self.games || self.has(InputColumn::Rest),
            _ => false,
        }
    }

    /// Boards in memory, in which rows may be null; with or without the side to move.
    #[must_use]
    pub fn boards(with_turn: bool) -> Self {
        let turn: &[InputColumn] = if with_turn { &[InputColumn::Turn] } else { &[] };
        let columns = [&[InputColumn::Line], &ALWAYS[..], &InputColumn::BOARDS, turn];
        Self { nullable: true, ..Self::new("boards", &columns) }
    }

    /// Boards in memory with their state, in which rows may be null: side to move, castling rights, en passant square.
    #[must_use]
    pub fn boards_with_state() -> Self {
        let mut input = Self::boards(true);
        input.columns.extend([
            InputColumn::CastlingWhite,
            InputColumn::CastlingBlack,
            InputColumn::EnPassant,
        ]);
        input
    }

    /// The indices of the columns that are needed from each batch of a table: those to pass through, and the positions.
    #[must_use]
    pub fn places(&self) -> Vec<usize> {
        let mut places = self.all_places();
        places.truncate(places.partition_point(|&place| place < self.own_columns()));
        places
    }

    /// The number of columns that are not of folders.
    fn own_columns(&self) -> usize {
        self.schema.fields().len() - self.added.len()
    }

    fn all_places(&self) -> Vec<usize> {
        let of_games = self.movetext.into_iter().flat_map(Movetext::places);
        let labels = self.labels.iter().flat_map(LabelColumns::places);
        let of_preset = self.lead.into_iter().chain(self.depth);
        let needed = self.fen.into_iter().chain(of_games).chain(labels).chain(of_preset);
        let of_rows = self.passed.iter().chain(&self.hidden).copied();
        let mut places: Vec<usize> = of_rows.chain(needed).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// The same input for batches that contain only the columns at these [places](Self::places).
    #[must_use]
    pub fn of_places(mut self) -> Self {
        let (places, own) = (self.all_places(), self.own_columns());
        let of_folders = places.iter().filter_map(|place| place.checked_sub(own));
        self.added = of_folders.map(|at| self.added[at].clone()).collect();
        let games = self.movetext.iter_mut();
        let games = games.flat_map(|Movetext { moves, start, result }| {
            [Some(moves), start.as_mut(), result.as_mut()].into_iter().flatten()
        });
        let labels = self.labels.iter_mut().flat_map(LabelColumns::places_mut).flatten();
        let of_rows = self.passed.iter_mut().chain(&mut self.hidden);
        let of_table = [&mut self.fen, &mut self.lead, &mut self.depth].into_iter().flatten();
        for place in of_rows.chain(of_table).chain(games).chain(labels) {
            *place = places.partition_point(|other| other < place);
        }
        self.schema = Arc::new(self.schema.project(&places).expect("places of its columns"));
        self
    }

    /// Whether each row gives this data.
    #[must_use]
    pub fn has(&self, column: InputColumn) -> bool {
        self.columns.contains(&column)
    }

    /// Whether a column can be made from this input.
    #[must_use]
    pub fn tells(&self, column: Column) -> bool {
        match column {
            Column::Input(column) => self.has(column),
            Column::Computed(column) => match column.needs() {
                Needs::Pieces => true,
                Needs::Turn => self.has(InputColumn::Turn) || self.white_to_move,
                _ => [InputColumn::Turn, InputColumn::CastlingWhite, InputColumn::EnPassant]
                    .into_iter()
                    .all(|column| self.has(column)),
            },
        }
    }

    /// The columns of a table that are passed through.
    pub(crate) fn passed(&self) -> impl Iterator<Item = &FieldRef> {
        self.passed.iter().map(|&place| &self.schema.fields()[place])
    }

    /// The columns that only conditions need.
    pub(crate) fn hidden(&self) -> impl Iterator<Item = &FieldRef> {
        self.hidden.iter().map(|&place| &self.schema.fields()[place])
    }

    /// The places of the columns that are read of each row: those that are passed through, then those that only
    /// conditions need.
    pub(crate) fn places_of_rows(&self) -> impl Iterator<Item = usize> {
        self.passed.iter().chain(&self.hidden).copied()
    }

    /// The place of a column of the table; or a new one for a tag of games, whose names begin with a capital.
    pub(crate) fn place_of(&mut self, name: &str) -> Option<usize> {
        let is_tag = name.starts_with(|first: char| first.is_ascii_uppercase()) && is_tag(name);
        if self.games && self.movetext.is_none() && is_tag {
            let fields = self.schema.fields().iter().cloned().chain([Arc::new(tag_field(name))]);
            self.schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
            return Some(self.schema.fields().len() - 1);
        }
        find(&self.schema, name).ok()
    }

    /// Checks that another input can be read after this one.
    ///
    /// # Errors
    /// A sentence that describes the difference.
    pub fn check_same(&self, other: &Self) -> Result<(), String> {
        if self.name != other.name {
            return Err(format!("it is {}, and the first input is {}", other.name, self.name));
        }
        let (first, this) = (self.schema.fields(), other.schema.fields());
        if first.len() != this.len() {
            let (found, expected) = (this.len(), first.len());
            return Err(format!(
                "it has {found} columns that are read, and the first input has {expected}"
            ));
        }
        match first.iter().zip(this).find(|(first, this)| !takes(first, this)) {
            Some((first, this)) => Err(format!(
                "its column {} stands where the first input has {}",
                Shown(this),
                Shown(first)
            )),
            None => Ok(()),
        }
    }
}

fn is_tag(name: &str) -> bool {
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !name.is_empty() && name.bytes().all(is_sign)
}

/// Whether a column can take the place of another.
pub(crate) fn takes(expected: &Field, found: &Field) -> bool {
    expected.name() == found.name()
        && expected.data_type() == found.data_type()
        && (!found.is_nullable() || expected.is_nullable())
}

/// What every input has of a position, but not unless it is named.
const ALWAYS: [InputColumn; 2] = [InputColumn::PieceCount, InputColumn::Material];

/// What games say too, but not unless it is named.
const ON_REQUEST: [InputColumn; 3] =
    [InputColumn::Variation, InputColumn::Capture, InputColumn::EnPassantCapture];

/// The columns that `keep` says, each once.
fn chosen<T: PartialEq>(
    keep: &Keep,
    all: Vec<T>,
    name: impl Fn(&T) -> String,
    find: impl Fn(&str) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    let chosen: Vec<T> = match keep {
        Keep::All => all,
        Keep::None => Vec::new(),
        Keep::Named(names) => names.iter().map(|name| find(name)).collect::<Result<_, _>>()?,
    };
    match (0..chosen.len()).find(|&at| chosen[..at].contains(&chosen[at])) {
        Some(again) => Err(Error::Twice(name(&chosen[again]))),
        None => Ok(chosen),
    }
}

/// Which columns `keep` names: others by what `find` makes of them, and those of games.
fn kept_of_games<T>(
    keep: &Keep,
    find: impl Fn(&str) -> Option<T>,
) -> Result<(Vec<T>, Vec<InputColumn>), Error> {
    let all = || InputColumn::OF_GAMES.to_vec();
    let Keep::Named(names) = keep else {
        return Ok((Vec::new(), if *keep == Keep::All { all() } else { Vec::new() }));
    };
    let (mut others, mut kept) = (Vec::new(), Vec::new());
    let name = |column: &InputColumn| Column::Input(*column).name();
    for kept_name in names {
        if let Some(own) = InputColumn::OF_GAMES
            .into_iter()
            .chain(ON_REQUEST)
            .find(|column| name(column) == kept_name)
        {
            kept.push(own);
        } else if let Some(other) = find(kept_name) {
            others.push(other);
        } else {
            let columns = InputColumn::OF_GAMES.iter().map(|column| name(column).to_owned());
            return Err(Error::NoColumn(kept_name.clone(), columns.collect()));
        }
    }
    if kept.is_empty() {
        kept = all();
    }
    Ok((others, kept))
}

/// The index of the column called `fen`.
fn find_fen(schema: &Schema) -> Result<usize, Error> {
    let is_fen = |name: &String| name.eq_ignore_ascii_case("fen");
    match find(schema, "fen") {
        Err(Error::NoColumn(..)) => {}
        exactly => return exactly,
    }
    let mut found = names(schema).into_iter().filter(is_fen);
    match (found.next(), found.next()) {
        (None, _) => Err(Error::NoFen(names(schema))),
        (Some(name), None) => find(schema, &name),
        (Some(_), Some(_)) => {
            Err(Error::SeveralFens(names(schema).into_iter().filter(is_fen).collect()))
        }
    }
}
