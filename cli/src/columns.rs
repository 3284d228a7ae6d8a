//! The columns that can be asked for: name, meaning, type, and how they are filled.
//!
//! What is computed from the pieces is the library's, names, meanings and types included. The program adds
//! what only it knows: the text, the number of the line, the position itself. Nothing outside this file
//! asks the library for a column.

use std::fmt::Write;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use arrow::array::{
    Array, ArrayRef, AsArray, Int64Array, RecordBatch, RecordBatchOptions, StringBuilder,
    UInt64Array,
};
use arrow::buffer::ScalarBuffer;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef, UInt8Type, UInt16Type, UInt64Type};
use setwise::threats::FeatureSet;
use setwise::{Colour, Fen, Role, Shape, ValueType};
use setwise_table::{DESCRIPTION, Given, Maps};

/// What a column says about each position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    /// The position's text.
    Fen,
    /// The number of its line.
    Line,
    /// What follows the position on its line.
    Rest,
    /// Whose turn it is.
    Turn,
    /// The pieces of a role.
    Role(Role),
    /// The pieces of a colour.
    Colour(Colour),
    /// Who attacks whom, a list.
    Threats,
    /// The inputs of a set for these as a side sees them, a list.
    Features(&'static FeatureSet, Colour),
    /// What the library computes.
    Of(setwise::Column),
}

/// How long a list is in a game, more or less.
pub(crate) const LIST: usize = 48;

/// Bytes of its items at most.
const ITEM: usize = 4;

/// The columns that the program adds, in the order of the help.
const OWN: [(Column, &str, &str); 13] = [
    (Column::Fen, "fen", "the position as it stands in the input"),
    (Column::Line, "line", "number of the line, row or record in its input, from 1"),
    (Column::Rest, "rest", "what follows the position on its line, such as operations"),
    (Column::Turn, "turn", "side to move: 0 is White, 1 is Black"),
    (Column::Role(Role::Pawn), "pawns", "squares with a pawn"),
    (Column::Role(Role::Knight), "knights", "squares with a knight"),
    (Column::Role(Role::Bishop), "bishops", "squares with a bishop"),
    (Column::Role(Role::Rook), "rooks", "squares with a rook"),
    (Column::Role(Role::Queen), "queens", "squares with a queen"),
    (Column::Role(Role::King), "kings", "squares with a king"),
    (Column::Colour(Colour::White), "white", "squares with a white piece"),
    (Column::Colour(Colour::Black), "black", "squares with a black piece"),
    (Column::Threats, "threats", setwise_table::Column::Threats.meaning()),
];

/// Names for several columns: each stands for the columns that its patterns match.
const PRESETS: [(&str, &[&str], &str); 6] = [
    ("default", &[], "the attack maps of both sides: by piece, all, twice"),
    ("all", &[], "every column but fen, line, rest and threats"),
    ("counts", &["*_count_*"], "the number of attackers of each square, as bit planes"),
    ("mobility", &["*_mobility_*"], "attacked squares by piece, as numbers"),
    ("rings", &["*_ring_*"], "attacks on the squares around the kings, as numbers"),
    (
        "board",
        &["pawns", "knights", "bishops", "rooks", "queens", "kings", "white", "black", "turn"],
        "the position itself",
    ),
];

impl Column {
    /// Every column that has a name of its own, in the order of the help.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        OWN.into_iter().map(|(column, ..)| column).chain(
            setwise::Column::ALL
                .iter()
                .copied()
                .filter(|column| column.shape() == Shape::Value)
                .map(Self::Of),
        )
    }

    fn own(self) -> (&'static str, &'static str) {
        let row = OWN.iter().find(|(column, ..)| *column == self);
        row.map(|&(_, name, meaning)| (name, meaning)).expect("a column of the program")
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Of(column) => column.name(),
            Self::Features(set, side) => setwise_table::Column::Features(set, side).name(),
            own => own.own().0,
        }
    }

    pub(crate) fn meaning(self) -> &'static str {
        match self {
            Self::Of(column) => column.meaning(),
            Self::Features(set, side) => setwise_table::Column::Features(set, side).meaning(),
            own => own.own().1,
        }
    }

    /// Its type as long as nobody asks for signed numbers.
    pub(crate) fn data_type(self) -> DataType {
        match self {
            Self::Fen | Self::Rest => DataType::Utf8,
            Self::Turn => DataType::UInt8,
            Self::Line | Self::Role(_) | Self::Colour(_) => DataType::UInt64,
            Self::Threats => setwise_table::Column::Threats.data_type(false),
            Self::Features(set, side) => {
                setwise_table::Column::Features(set, side).data_type(false)
            }
            Self::Of(column) => match column.value_type() {
                ValueType::U64 => DataType::UInt64,
                ValueType::U16 => DataType::UInt16,
                other => unreachable!("no column holds {other:?}"),
            },
        }
    }

    /// The same column of tables and packed records; none if it depends on how the input is written.
    pub(crate) fn of_table(self) -> Option<setwise_table::Column> {
        match self {
            Self::Fen | Self::Line | Self::Rest => None,
            Self::Turn => Some(Given::Turn.into()),
            Self::Role(role) => Some(Given::Role(role).into()),
            Self::Colour(Colour::White) => Some(Given::White.into()),
            Self::Colour(Colour::Black) => Some(Given::Black.into()),
            Self::Threats => Some(setwise_table::Column::Threats),
            Self::Features(set, side) => Some(setwise_table::Column::Features(set, side)),
            Self::Of(column) => Some(column.into()),
        }
    }

    /// Whether it is a set of squares.
    pub(crate) fn is_board(self) -> bool {
        self.data_type() == DataType::UInt64 && self != Self::Line
    }

    /// Whether it is text.
    pub(crate) fn is_text(self) -> bool {
        self.data_type() == DataType::Utf8
    }

    /// Whether its cells are lists.
    pub(crate) fn is_list(self) -> bool {
        self.data_type().is_nested()
    }

    /// Bytes of a cell, of a list about as many; those of a text are not known.
    pub(crate) fn width(self) -> usize {
        match self.is_list() {
            true => 8 + ITEM * LIST,
            false => self.data_type().primitive_width().unwrap_or(0),
        }
    }

    /// Whether few values come again and again: one piece, or two or three, can only stand so.
    pub(crate) fn repeats(self) -> bool {
        match self {
            Self::Fen | Self::Line | Self::Rest | Self::Threats | Self::Features(..) => false,
            Self::Role(Role::Pawn) | Self::Colour(_) => false,
            Self::Turn | Self::Role(_) => true,
            Self::Of(column) => column.has_few_values(),
        }
    }
}

/// The value of `--columns`.
#[derive(Clone, Debug)]
pub(crate) enum Choice {
    Help,
    Columns(Vec<Column>),
}

/// What is written if nobody says what.
pub(crate) fn default() -> Vec<Column> {
    preset("default", &[])
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(names: &str) -> Result<Self, String> {
        if names == "help" {
            return Ok(Self::Help);
        }
        let mut columns: Vec<Column> = Vec::new();
        for name in names.split(',').map(str::trim) {
            if let Some(column) = Column::all().find(|column| column.name() == name) {
                if columns.contains(&column) {
                    return Err(format!("column '{name}' is asked for twice"));
                }
                columns.push(column);
                continue;
            }
            if ["white_features", "black_features"].contains(&name) {
                return Err(format!(
                    "column '{name}' comes with --features, which says of which set"
                ));
            }
            // Of several at once, those that are there already stay where they are.
            let several = match PRESETS.iter().find(|(preset, ..)| *preset == name) {
                Some((name, patterns, _)) => preset(name, patterns),
                None => Column::all().filter(|column| matches(name, column.name())).collect(),
            };
            if several.is_empty() {
                return Err(unknown(name));
            }
            columns.extend(
                several.into_iter().filter(|column| !columns.contains(column)).collect::<Vec<_>>(),
            );
        }
        Ok(Self::Columns(columns))
    }
}

fn preset(name: &str, patterns: &[&str]) -> Vec<Column> {
    match name {
        "default" => setwise::Column::DEFAULT.iter().copied().map(Column::Of).collect(),
        "all" => Column::all()
            .filter(|c| !matches!(c, Column::Fen | Column::Line | Column::Rest | Column::Threats))
            .collect(),
        _ => Column::all()
            .filter(|column| patterns.iter().any(|pattern| matches(pattern, column.name())))
            .collect(),
    }
}

/// Whether a name matches a pattern, in which `*` is any text, the empty one included.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((head, rest)) => name.strip_prefix(head).is_some_and(|tail| {
            tail.char_indices()
                .map(|(at, _)| at)
                .chain([tail.len()])
                .any(|at| matches(rest, &tail[at..]))
        }),
    }
}

fn unknown(name: &str) -> String {
    if name.contains('*') {
        return format!("no column matches '{name}'; `setwise maps --columns help` lists them");
    }
    let names = Column::all().map(Column::name).chain(PRESETS.iter().map(|(name, ..)| *name));
    let nearest = names.map(|other| (distance(name, other), other)).min();
    match nearest {
        Some((distance, nearest)) if distance <= 1 + name.len() / 4 => {
            format!("no column is called '{name}'; did you mean '{nearest}'?")
        }
        _ => format!("no column is called '{name}'; `setwise maps --columns help` lists them"),
    }
}

/// Characters to add, to drop or to change until one name is the other.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.bytes().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// A line for each column: name, type, meaning. Then the names for several.
pub(crate) fn help() -> String {
    let mut text = String::new();
    let width = Column::all().map(|column| column.name().len()).max().unwrap_or(0);
    for column in Column::all() {
        let name = column.name();
        let data_type = match column.is_list() {
            true => "list".to_owned(),
            false => column.data_type().to_string(),
        };
        let _ = writeln!(text, "{name:<width$} {data_type:<7} {}", column.meaning());
    }
    text.push_str("\nSeveral at once, and patterns such as white_* or *_all:\n");
    for (name, _, meaning) in PRESETS {
        let _ = writeln!(text, "{name:<width$} {meaning}");
    }
    text
}

/// The columns as Arrow and Parquet see them; none but the inputs of networks has nulls. What a column means, and how squares are
/// numbered, is written beside.
pub(crate) fn schema(columns: &[Column], signed: bool) -> SchemaRef {
    let field = |column: &Column| {
        let field = match column.of_table() {
            Some(of_table) => of_table.field(signed, false),
            None if signed && *column == Column::Line => {
                Field::new(column.name(), DataType::Int64, false)
            }
            None => Field::new(column.name(), column.data_type(), false),
        };
        let mut metadata = field.metadata().clone();
        metadata.insert(DESCRIPTION.to_owned(), column.meaning().to_owned());
        field.with_metadata(metadata)
    };
    let fields: Vec<_> = columns.iter().map(field).collect();
    let about = [
        ("setwise.version".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
        ("setwise.squares".to_owned(), "a1 is bit 0, h1 is bit 7, h8 is bit 63".to_owned()),
    ];
    Arc::new(Schema::new_with_metadata(fields, about.into()))
}

/// Lines in, columns out: those of tables by their crate, and beside them what only lines have.
pub(crate) struct Builder<'a> {
    maps: setwise_table::Builder<'a>,
    /// The columns of lines with their places in the output, in order.
    of_lines: Vec<(usize, Column, Cells)>,
}

/// The cells of a column that only lines have.
enum Cells {
    Text(StringBuilder),
    Numbers(Vec<u64>),
}

/// How many positions wait before their columns are computed: 128 KiB of them, so that the call itself
/// costs nothing and they are still in the cache.
pub(crate) const CHUNK: usize = 2048;

/// What the crate of tables makes of these columns.
pub(crate) fn of_tables(columns: &[Column]) -> Maps {
    Maps::default().columns(columns.iter().filter_map(|column| column.of_table()))
}

impl<'a> Builder<'a> {
    /// For so many rows of these columns; `maps` are what [`of_tables`] made of them.
    pub(crate) fn new(columns: &[Column], maps: &'a Maps, rows: usize) -> Self {
        let of_lines = columns.iter().enumerate().filter(|(_, column)| column.of_table().is_none());
        let cells = |(place, &column): (usize, &Column)| {
            let cells = match column {
                Column::Line => Cells::Numbers(Vec::with_capacity(rows)),
                _ => Cells::Text(StringBuilder::new()),
            };
            (place, column, cells)
        };
        Self {
            maps: maps.builder(rows).expect("a FEN tells all of them, and each is there once"),
            of_lines: of_lines.map(cells).collect(),
        }
    }

    /// Appends a position, the text of its line, and the line's number.
    pub(crate) fn push(&mut self, position: &Fen, text: &[u8], line: u64) {
        self.maps.push(position);
        for (_, column, cells) in &mut self.of_lines {
            match cells {
                Cells::Text(cells) => {
                    let text = if *column == Column::Rest { rest(text) } else { text };
                    cells.append_value(String::from_utf8_lossy(text));
                }
                Cells::Numbers(cells) => cells.push(line),
            }
        }
    }

    /// The columns in the order that this began with, which is the one of the schema; and how long the
    /// kernel took.
    pub(crate) fn finish(self, schema: SchemaRef) -> (RecordBatch, Duration) {
        let rows = self.maps.len();
        let (mut arrays, computing) = self.maps.finish_timed();
        for (place, _, cells) in self.of_lines {
            arrays.insert(place, array(cells, schema.field(place).data_type()));
        }
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        let batch = RecordBatch::try_new_with_options(schema, arrays, &options)
            .expect("columns of equal length");
        (batch, computing)
    }
}

/// What follows the position on a line that has one: whatever comes after its four or six fields.
pub(crate) fn rest(line: &[u8]) -> &[u8] {
    let mut rest = line.trim_ascii();
    for field in 0..6 {
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        // The clocks are numbers, and may be missing.
        if field == 4 && !rest[..end].iter().all(u8::is_ascii_digit) {
            break;
        }
        rest = rest[end..].trim_ascii_start();
    }
    rest
}

/// The cells as Arrow has them: as they are, or the same bits as signed numbers.
fn array(cells: Cells, data_type: &DataType) -> ArrayRef {
    match cells {
        Cells::Text(mut cells) => Arc::new(cells.finish()),
        Cells::Numbers(cells) if *data_type == DataType::Int64 => {
            Arc::new(Int64Array::new(ScalarBuffer::<u64>::from(cells).into_inner().into(), None))
        }
        Cells::Numbers(cells) => Arc::new(UInt64Array::from(cells)),
    }
}

/// The column of a name that is known to be one.
pub(crate) fn named(name: &str) -> Column {
    Column::all().find(|column| column.name() == name).expect("the name of a column")
}

/// What a column of numbers says about one position.
///
/// # Panics
/// If the column is text or a list.
pub(crate) fn value(column: Column, position: &Fen) -> u64 {
    let maps = of_tables(&[column]);
    let mut builder = maps.builder(1).expect("a FEN tells it");
    builder.push(position);
    let array = &builder.finish()[0];
    match array.data_type() {
        DataType::UInt8 => array.as_primitive::<UInt8Type>().value(0).into(),
        DataType::UInt16 => array.as_primitive::<UInt16Type>().value(0).into(),
        DataType::UInt64 => array.as_primitive::<UInt64Type>().value(0),
        other => panic!("{} is {other}", column.name()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_a_shell() {
        for (pattern, name) in [
            ("a", "a"),
            ("*", ""),
            ("*", "anything"),
            ("white_*", "white_"),
            ("white_*", "white_all"),
            ("*_all", "white_all"),
            ("*_count_*", "white_count_3"),
            ("w*_*l", "white_king_danger_all"),
            ("*a*", "a"),
        ] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in
            [("a", "b"), ("", "a"), ("a", "ab"), ("a*", "ba"), ("*a", "ab"), ("a*b*c", "acb")]
        {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn the_rest_of_a_line_is_found() {
        const BOARD: &str = "4k3/8/8/8/8/8/8/4K3";
        for (line, expected) in [
            ("", ""),
            (" w", ""),
            (" w - -", ""),
            (" w - - 0 1", ""),
            ("\tb  - - 3 14 ", ""),
            (" w - - bm e4; id \"x y\";", "bm e4; id \"x y\";"),
            (" w - - 0 1 ; 0.5", "; 0.5"),
            (" w - - 0 1 ce 12;", "ce 12;"),
            (" w - -  ;[1.0] ", ";[1.0]"),
        ] {
            let line = format!(" {BOARD}{line}");
            assert!(Fen::parse(&line).is_ok(), "{line}");
            assert_eq!(rest(line.as_bytes()), expected.as_bytes(), "{line}");
        }
    }

    #[test]
    fn distances_are_counted() {
        for (a, b, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("abc", "abc", 0),
            ("abc", "axc", 1),
            ("abc", "bc", 1),
            ("kitten", "sitting", 3),
            ("flaw", "lawn", 2),
        ] {
            assert_eq!(distance(a, b), expected, "{a} {b}");
        }
    }

    #[test]
    fn every_preset_stands_for_some_columns() {
        for (name, patterns, _) in PRESETS {
            assert!(!preset(name, patterns).is_empty(), "{name}");
            for pattern in patterns {
                assert!(Column::all().any(|column| matches(pattern, column.name())), "{pattern}");
            }
            assert!(Column::all().all(|column| column.name() != name));
        }
    }

    #[test]
    fn names_are_told_apart() {
        let names: std::collections::BTreeSet<_> = Column::all().map(Column::name).collect();
        assert_eq!(names.len(), Column::all().count());
    }
}
