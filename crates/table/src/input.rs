//! The description of a source before its first part is read: the data that each row provides for its position, and the
//! columns that can be passed through.

use std::collections::HashSet;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_schema::{DataType, Field, FieldRef, Fields, Schema, SchemaRef};
use setwise::Needs;
use setwise_formats::Format;

use crate::column::{Column, InputColumn, known_fields};
use crate::data_sets::DataSet;
use crate::error::{Error, Shown};
use crate::label_columns::LabelColumns;
use crate::schema::places;
use crate::tags::tag_field;

/// The input columns to pass through. In the output they precede the requested columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// All columns, in their order. Text has no columns to pass through.
    #[default]
    All,
    /// No columns.
    None,
    /// These columns, in this order.
    Named(Vec<String>),
}

/// The approximate number of positions in a game.
const POSITIONS: usize = 80;

/// A description of a source: the data that its rows provide.
///
/// ```
/// use setwise_formats::Format;
/// use setwise_table::{Input, InputColumn, Query};
/// let query = Query::default().columns(["castling_white".parse()?]);
/// assert!(query.plan(&Input::text()).is_ok());
/// let error = query.plan(&Input::boards(&[InputColumn::Turn])).unwrap_err();
/// assert_eq!(error.to_string(), "column `castling_white` is not in this input");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// The name of the kind of input, for messages.
    pub(crate) name: &'static str,
    pub(crate) columns: Vec<InputColumn>,
    /// The input columns that precede the requested columns.
    pub(crate) leading: Vec<InputColumn>,
    /// The columns of a table; those that folder names add are last.
    pub(crate) schema: SchemaRef,
    /// The values of the added columns.
    pub(crate) added: Vec<ArrayRef>,
    /// The indices of the columns to pass through.
    pub(crate) passed: Vec<usize>,
    /// The indices of the columns that only conditions need.
    pub(crate) hidden: Vec<usize>,
    /// The index of the column of positions.
    pub(crate) fen: Option<usize>,
    /// True if rows can lack a position.
    pub(crate) nullable: bool,
    /// True if all boards are flipped so that white is to move.
    pub(crate) white_to_move: bool,
    /// True if the input has games, each with one row per position.
    pub(crate) games: bool,
    pub(crate) movetext: Option<Movetext>,
    pub(crate) labels: Option<LabelColumns>,
    pub(crate) data_set: Option<DataSet>,
}

/// The columns of a table with a game in each row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Movetext {
    pub(crate) moves: usize,
    /// The column of the start position, if the table has one.
    pub(crate) start: Option<usize>,
}

impl Input {
    fn new(name: &'static str, columns: &[&[InputColumn]]) -> Self {
        Self {
            name,
            columns: columns.concat(),
            leading: Vec::new(),
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
            data_set: None,
        }
    }

    /// Lines of text with one FEN or EPD each. A score and a result, both for white, may follow: `FEN | 32 | 1.0`; or the
    /// result for white and the score for the side to move: `FEN [1.0] 32`.
    #[must_use]
    pub fn text() -> Self {
        use InputColumn::{Fen, Line, Rest, Result, Score};
        let (boards, state) = (&InputColumn::BOARDS, &InputColumn::STATE);
        Self::new("text", &[&[Fen, Line, Rest], boards, &ALWAYS, state, &[Score, Result]])
    }

    /// Removes a column from this input: it can then be neither requested nor compared in a condition.
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

    /// Adds the column `game_hash` to this input. It hashes the chains of binpack, the games of viriformat and PGN, and
    /// single positions in inputs without games. Each part must contain complete games.
    #[must_use]
    pub fn hashed(mut self) -> Self {
        self.columns.push(InputColumn::GameHash);
        self
    }

    /// Describes a missing label and the column that should contain it, for messages.
    pub(crate) fn missing(&self, label: InputColumn) -> String {
        let name = Column::Input(label).name();
        match (&self.labels, label) {
            (Some(labels), _) if labels.has(label) => {
                format!("{}: no {name}", labels.missing(label, &self.schema))
            }
            (_, InputColumn::Score) if self.games => "no score (`[%eval]`)".to_owned(),
            _ => format!("no {name}"),
        }
    }

    pub(crate) fn rows() -> Self {
        Self::text().without(InputColumn::Score).without(InputColumn::Result)
    }

    /// A column of text, whose rows may be null.
    #[must_use]
    pub fn column() -> Self {
        Self { name: "a column", nullable: true, ..Self::rows() }
    }

    /// Packed records. `keep` selects the data to pass through, other than the pieces.
    ///
    /// # Errors
    /// If `keep` names a column that the format does not have, or names one twice.
    pub fn records(format: Format, keep: &Keep) -> Result<Self, Error> {
        let in_format = InputColumn::in_format(format);
        let names: Vec<_> = in_format.iter().map(|&column| Column::Input(column).name()).collect();
        let leading = choose(keep, &names)?.into_iter().map(|at| in_format[at]).collect();
        let white_to_move = !in_format.contains(&InputColumn::Turn);
        let has_ply = known_fields(format).contains(setwise_formats::Field::Ply);
        let ply = has_ply && !in_format.contains(&InputColumn::Ply);
        let ply: &[InputColumn] = if ply { &[InputColumn::Ply] } else { &[] };
        let has_moves = in_format.contains(&InputColumn::Move);
        let of_moves: &[InputColumn] = if has_moves { &InputColumn::OF_MOVES } else { &[] };
        let (text, boards) = ([InputColumn::Fen, InputColumn::Line], &InputColumn::BOARDS);
        let columns: [&[InputColumn]; 6] = [&text, &ALWAYS, boards, &in_format, of_moves, ply];
        Ok(Self { leading, white_to_move, ..Self::new(format.name(), &columns) })
    }

    /// Games in PGN. `keep` can pass through the data of each position (`game`, `ply`, `move`, `san`, `clock`,
    /// `elapsed`, `eval`, `mate`, `result`) and any tags. Their names begin with a capital letter: `WhiteElo`. Columns of
    /// tags are text, except those to which the standard assigns another type: Elo ratings and other numbers are
    /// `Int32`, dates `Date32` and times `Time32`, with nulls for malformed values. If `keep` names only tags, all data
    /// of each position are kept too.
    ///
    /// # Errors
    /// If a name is neither the name of a column nor a valid name of a tag.
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
        let (tags, leading) = split_names(keep, |name| is_tag(name).then(|| tag_field(name)))?;
        let schema = Arc::new(Schema::new(tags));
        let passed = (0..schema.fields().len()).collect();
        Ok(Self { schema, passed, leading, ..Self::of_games("PGN") })
    }

    pub(crate) fn of_games(name: &'static str) -> Self {
        use InputColumn::{Fen, Line, Score};
        let (boards, state) = (&InputColumn::BOARDS, &InputColumn::STATE);
        let of_positions: [&[InputColumn]; 3] = [&InputColumn::OF_GAMES, &ON_REQUEST, &[Score]];
        let columns = [&[&[Fen, Line], &ALWAYS[..], boards, state], &of_positions[..]].concat();
        Self { games: true, ..Self::new(name, &columns) }
    }

    /// Returns whether the input has games, with one row per position.
    #[must_use]
    pub const fn has_games(&self) -> bool {
        self.games
    }

    /// The approximate number of positions per row, for sources that split tables. A row of a table can be a game.
    #[must_use]
    pub const fn positions_of_row(&self) -> usize {
        if self.movetext.is_some() { POSITIONS } else { 1 }
    }

    /// Returns whether short batches should be joined. Those with dictionaries cannot: their keys could overflow.
    #[must_use]
    pub fn can_join(&self) -> bool {
        let fields = self.schema.flattened_fields();
        !fields.iter().any(|field| matches!(field.data_type(), DataType::Dictionary(..)))
    }

    /// Returns whether a column that is never null in other inputs can be null in this one: scores can be missing, and
    /// so can the results of games, text, tables and `.plain`.
    pub(crate) fn is_null(&self, column: Column) -> bool {
        match column {
            Column::Input(InputColumn::Score) => true,
            Column::Input(InputColumn::Result) => {
                self.games || self.has(InputColumn::Rest) || self.name == Format::Plain.name()
            }
            _ => false,
        }
    }

    /// Boards in memory, with these columns of their [state](InputColumn::STATE). The first four determine FENs. Rows
    /// may be null.
    #[must_use]
    pub fn boards(state: &[InputColumn]) -> Self {
        let has_fen = InputColumn::STATE[..4].iter().all(|column| state.contains(column));
        let fen: &[InputColumn] = if has_fen { &[InputColumn::Fen] } else { &[] };
        let columns = [&[InputColumn::Line], &ALWAYS[..], &InputColumn::BOARDS, state, fen];
        Self { nullable: true, ..Self::new("boards", &columns) }
    }

    /// Returns whether each row provides this data.
    #[must_use]
    pub fn has(&self, column: InputColumn) -> bool {
        self.columns.contains(&column)
    }

    /// Returns whether a column can be computed from this input.
    #[must_use]
    pub fn is_available(&self, column: Column) -> bool {
        match column {
            Column::Input(column) => self.has(column),
            Column::Squares(column) => self.is_available(column.into()),
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

    /// The indices of the columns that are read from each row: those that are passed through, then those that only
    /// conditions need.
    pub(crate) fn places_of_rows(&self) -> impl Iterator<Item = usize> {
        self.passed.iter().chain(&self.hidden).copied()
    }

    /// Returns whether a name can be that of a tag of this input.
    pub(crate) fn has_tag(&self, name: &str) -> bool {
        self.games && self.movetext.is_none() && is_tag(name)
    }

    /// Checks that another input can follow this one.
    ///
    /// # Errors
    /// Returns a sentence that describes the difference.
    pub fn check_same(&self, other: &Self) -> Result<(), String> {
        if self.name != other.name {
            return Err(format!("it is {}, and the first input is {}", other.name, self.name));
        }
        let (first, this) = (self.schema.fields(), other.schema.fields());
        match difference(first, this) {
            None => Ok(()),
            Some(None) => Err(format!(
                "it has {} columns that are read, and the first input has {}",
                this.len(),
                first.len()
            )),
            Some(Some((first, this))) => Err(format!(
                "its column {} stands where the first input has {}",
                Shown(this),
                Shown(first)
            )),
        }
    }
}

/// Returns whether a name can be that of a tag. Names of columns begin with small letters.
fn is_tag(name: &str) -> bool {
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    name.starts_with(|first: char| first.is_ascii_uppercase()) && name.bytes().all(is_sign)
}

/// Compares two schemas. Returns the first pair of columns that are incompatible, or `Some(None)` if the numbers of
/// columns differ.
pub(crate) fn difference<'a>(
    expected: &'a Fields,
    found: &'a Fields,
) -> Option<Option<(&'a Field, &'a Field)>> {
    if expected.len() != found.len() {
        return Some(None);
    }
    let fits = |(expected, found): &(&FieldRef, &FieldRef)| {
        expected.name() == found.name()
            && expected.data_type() == found.data_type()
            && (!found.is_nullable() || expected.is_nullable())
    };
    let mut pairs = expected.iter().zip(found);
    pairs.find(|pair| !fits(pair)).map(|(expected, found)| Some((&**expected, &**found)))
}

/// Data that every input provides. They are passed through only if they are named.
const ALWAYS: [InputColumn; 2] = [InputColumn::PieceCount, InputColumn::Material];

/// More data of games. They are passed through only if they are named.
const ON_REQUEST: [InputColumn; 6] = [
    InputColumn::Depth,
    InputColumn::Variation,
    InputColumn::Capture,
    InputColumn::EnPassantCapture,
    InputColumn::See,
    InputColumn::Promotion,
];

/// Returns the indices of the columns that `keep` selects from columns with these names.
pub(crate) fn choose(keep: &Keep, names: &[&str]) -> Result<Vec<usize>, Error> {
    let chosen = match keep {
        Keep::All => return Ok((0..names.len()).collect()),
        Keep::None => return Ok(Vec::new()),
        Keep::Named(chosen) => chosen,
    };
    let places = places(names);
    let find = |name: &String| match places.get(name.as_str()) {
        Some(Some(place)) => Ok(*place),
        Some(None) => Err(Error::Ambiguous(name.clone())),
        None => Err(Error::no_column(name, names)),
    };
    let found = chosen.iter().map(find).collect::<Result<_, _>>()?;
    let mut seen = HashSet::new();
    match chosen.iter().find(|name| !seen.insert(*name)) {
        Some(again) => Err(Error::Twice(again.clone())),
        None => Ok(found),
    }
}

/// Splits the names in `keep` into the columns of games, and other columns, which `find` looks up.
pub(crate) fn split_names<T>(
    keep: &Keep,
    find: impl Fn(&str) -> Option<T>,
) -> Result<(Vec<T>, Vec<InputColumn>), Error> {
    let all = || InputColumn::OF_GAMES.to_vec();
    let Keep::Named(names) = keep else {
        return Ok((Vec::new(), if *keep == Keep::All { all() } else { Vec::new() }));
    };
    let (mut others, mut leading) = (Vec::new(), Vec::new());
    let name_of = |column: &InputColumn| Column::Input(*column).name();
    for name in names {
        let mut own = InputColumn::OF_GAMES.into_iter().chain(ON_REQUEST);
        if let Some(own) = own.find(|column| name_of(column) == name) {
            leading.push(own);
            continue;
        }
        let known = InputColumn::OF_GAMES.each_ref().map(name_of);
        others.push(find(name).ok_or_else(|| Error::no_column(name, &known))?);
    }
    if leading.is_empty() {
        leading = all();
    }
    Ok((others, leading))
}
