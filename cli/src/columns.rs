//! The columns that can be asked for: name, meaning, type, and how they are filled.
//!
//! Whatever a row can say is a [`Column`]; nothing outside this file knows how one is computed.

use std::fmt::Write;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, StringBuilder, UInt64Array};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use setwise::maps::Kind;
use setwise::{Fen, Kernel, Map, Pieces};

/// What a column says about each position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    /// The position's text.
    Fen,
    /// A bitboard.
    Map(Map),
}

impl Column {
    /// Every column there is, in the order of the help.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        std::iter::once(Self::Fen).chain(Map::ALL.iter().copied().map(Self::Map))
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Fen => "fen",
            Self::Map(map) => map.name(),
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            Self::Fen => "the position as it stands in the input",
            Self::Map(map) => map.meaning(),
        }
    }

    pub(crate) fn data_type(self) -> DataType {
        match self {
            Self::Fen => DataType::Utf8,
            Self::Map(_) => DataType::UInt64,
        }
    }

    /// Whether few values come again and again: one piece, or two or three, can only stand so.
    pub(crate) fn repeats(self) -> bool {
        match self {
            Self::Fen => false,
            Self::Map(map) => !matches!(map.kind, Kind::Pawn | Kind::All | Kind::Twice),
        }
    }
}

/// The value of `--columns`.
#[derive(Clone, Debug)]
pub(crate) enum Choice {
    Help,
    Columns(Vec<Column>),
}

impl Default for Choice {
    fn default() -> Self {
        Self::Columns(Map::DEFAULT.iter().copied().map(Column::Map).collect())
    }
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(names: &str) -> Result<Self, String> {
        if names == "help" {
            return Ok(Self::Help);
        }
        let find = |name: &str| {
            Column::all()
                .find(|column| column.name() == name)
                .ok_or_else(|| format!("no column is called '{name}'; --columns help lists them"))
        };
        names.split(',').map(|name| find(name.trim())).collect::<Result<_, _>>().map(Self::Columns)
    }
}

/// A line for each column: name, type, meaning.
pub(crate) fn help() -> String {
    let mut text = String::new();
    for column in Column::all() {
        let (name, data_type) = (column.name(), column.data_type().to_string());
        let _ = writeln!(text, "{name:<14} {data_type:<7} {}", column.meaning());
    }
    text
}

/// The columns as Arrow and Parquet see them; none has nulls.
pub(crate) fn schema(columns: &[Column]) -> SchemaRef {
    let field = |column: &Column| Field::new(column.name(), column.data_type(), false);
    Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()))
}

/// Positions in, columns out.
pub(crate) struct Builder {
    kernel: Kernel,
    rows: usize,
    /// Positions that are not in the maps yet: few enough to stay in the cache.
    pieces: Vec<Pieces>,
    maps: Vec<(Map, Vec<u64>)>,
    fen: Option<StringBuilder>,
    /// Time spent on maps.
    pub(crate) spent: Duration,
}

/// How many positions wait before their maps are computed: 128 KiB of them, so that the call itself
/// costs nothing and they are still in the cache.
const TOGETHER: usize = 2048;

impl Builder {
    pub(crate) fn new(columns: &[Column], kernel: Kernel, capacity: usize) -> Self {
        let map = |column: &Column| match *column {
            Column::Map(map) => Some((map, Vec::with_capacity(capacity))),
            Column::Fen => None,
        };
        Self {
            kernel,
            rows: 0,
            pieces: Vec::with_capacity(TOGETHER),
            maps: columns.iter().filter_map(map).collect(),
            fen: columns.contains(&Column::Fen).then(StringBuilder::new),
            spent: Duration::ZERO,
        }
    }

    pub(crate) fn push(&mut self, position: &Fen, line: &[u8]) {
        self.rows += 1;
        self.pieces.push(position.pieces);
        if let Some(fen) = &mut self.fen {
            fen.append_value(String::from_utf8_lossy(line));
        }
        if self.pieces.len() == TOGETHER {
            self.compute();
        }
    }

    fn compute(&mut self) {
        let start = Instant::now();
        let done = self.rows - self.pieces.len();
        let mut maps = Vec::with_capacity(self.maps.len());
        for (map, column) in &mut self.maps {
            column.resize(self.rows, 0);
            maps.push((*map, &mut column[done..]));
        }
        self.kernel.attack_maps(&self.pieces[..], &mut maps);
        self.pieces.clear();
        self.spent += start.elapsed();
    }

    /// The columns in the order of the schema, which is the one of the columns that this began with.
    pub(crate) fn finish(&mut self, schema: SchemaRef) -> RecordBatch {
        self.compute();
        let mut maps = std::mem::take(&mut self.maps).into_iter();
        let mut array = |field: &Arc<Field>| -> ArrayRef {
            match (field.data_type(), &mut self.fen) {
                (DataType::Utf8, Some(fen)) => Arc::new(fen.finish()),
                _ => Arc::new(UInt64Array::from(maps.next().expect("a map for each number").1)),
            }
        };
        let arrays = schema.fields().iter().map(&mut array).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(self.rows));
        RecordBatch::try_new_with_options(schema, arrays, &options)
            .expect("columns of equal length")
    }
}
