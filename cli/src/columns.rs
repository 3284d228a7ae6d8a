//! The columns that can be asked for: name, meaning, type, and how they are filled.
//!
//! Whatever a row can say is a [`Column`]; nothing outside this file knows how one is computed.

use std::fmt::Write;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow::array::{
    ArrayRef, RecordBatch, RecordBatchOptions, StringBuilder, UInt16Array, UInt64Array,
};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use setwise::maps::{self, CellType, Count, Kind, ToMove};
use setwise::{Colour, Fen, Kernel, Map, Pieces};

/// What a column says about each position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    /// The position's text.
    Fen,
    /// What the library computes.
    Of(maps::Column),
}

impl Column {
    /// Every column there is, in the order of the help.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        std::iter::once(Self::Fen).chain(maps::Column::all().map(Self::Of))
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Fen => "fen",
            Self::Of(column) => column.name(),
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            Self::Fen => "the position as it stands in the input",
            Self::Of(column) => column.meaning(),
        }
    }

    pub(crate) fn data_type(self) -> DataType {
        match self {
            Self::Fen => DataType::Utf8,
            Self::Of(column) => match column.cell_type() {
                CellType::UInt64 => DataType::UInt64,
                CellType::UInt16 => DataType::UInt16,
            },
        }
    }

    /// Whether few values come again and again: one piece, or two or three, can only stand so.
    pub(crate) fn repeats(self) -> bool {
        match self {
            Self::Fen => false,
            Self::Of(maps::Column::ToMove(_) | maps::Column::Count(_)) => true,
            Self::Of(maps::Column::Map(map)) => matches!(
                map.kind,
                Kind::Knight
                    | Kind::Bishop
                    | Kind::Rook
                    | Kind::Queen
                    | Kind::King
                    | Kind::Count3
                    | Kind::Count4
                    | Kind::Hanging
                    | Kind::Lesser
                    | Kind::Pinned
                    | Kind::Pinners
                    | Kind::Checkers
            ),
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
        let columns = Map::DEFAULT.iter().copied().map(maps::Column::Map);
        Self::Columns(columns.map(Column::Of).collect())
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
    let width = Column::all().map(|column| column.name().len()).max().unwrap_or(0);
    for column in Column::all() {
        let (name, data_type) = (column.name(), column.data_type().to_string());
        let _ = writeln!(text, "{name:<width$} {data_type:<7} {}", column.meaning());
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
    /// Who is to move in each of them.
    turns: Vec<Colour>,
    maps: Vec<(Map, Vec<u64>)>,
    to_move: Vec<(ToMove, Vec<u64>)>,
    counts: Vec<(Count, Vec<u16>)>,
    fen: Option<StringBuilder>,
    /// Time spent on maps.
    pub(crate) spent: Duration,
}

/// How many positions wait before their maps are computed: 128 KiB of them, so that the call itself
/// costs nothing and they are still in the cache.
const TOGETHER: usize = 2048;

impl Builder {
    pub(crate) fn new(columns: &[Column], kernel: Kernel, capacity: usize) -> Self {
        let mut builder = Self {
            kernel,
            rows: 0,
            pieces: Vec::with_capacity(TOGETHER),
            turns: Vec::with_capacity(TOGETHER),
            maps: Vec::new(),
            to_move: Vec::new(),
            counts: Vec::new(),
            fen: None,
            spent: Duration::ZERO,
        };
        for column in columns {
            match *column {
                Column::Fen => builder.fen = Some(StringBuilder::new()),
                Column::Of(maps::Column::Map(map)) => {
                    builder.maps.push((map, Vec::with_capacity(capacity)));
                }
                Column::Of(maps::Column::ToMove(to_move)) => {
                    builder.to_move.push((to_move, Vec::with_capacity(capacity)));
                }
                Column::Of(maps::Column::Count(count)) => {
                    builder.counts.push((count, Vec::with_capacity(capacity)));
                }
            }
        }
        builder
    }

    pub(crate) fn push(&mut self, position: &Fen, line: &[u8]) {
        self.rows += 1;
        self.pieces.push(position.pieces);
        self.turns.push(position.turn);
        if let Some(fen) = &mut self.fen {
            fen.append_value(String::from_utf8_lossy(line));
        }
        if self.pieces.len() == TOGETHER {
            self.compute();
        }
    }

    fn compute(&mut self) {
        let start = Instant::now();
        let (pieces, done) = (&self.pieces[..], self.rows - self.pieces.len());
        if !self.maps.is_empty() {
            let mut maps = Vec::with_capacity(self.maps.len());
            for (map, column) in &mut self.maps {
                column.resize(self.rows, 0);
                maps.push((*map, &mut column[done..]));
            }
            self.kernel.attack_maps(pieces, &mut maps);
        }
        if !self.counts.is_empty() {
            let mut counts = Vec::with_capacity(self.counts.len());
            for (count, column) in &mut self.counts {
                column.resize(self.rows, 0);
                counts.push((*count, &mut column[done..]));
            }
            self.kernel.attack_counts(pieces, &mut counts);
        }
        for (to_move, column) in &mut self.to_move {
            column.resize(self.rows, 0);
            let (white, mut black) = (&mut column[done..], vec![0; pieces.len()]);
            let (of_white, of_black) = (to_move.of(Colour::White), to_move.of(Colour::Black));
            self.kernel
                .attack_maps(pieces, &mut [(of_white, &mut *white), (of_black, &mut black[..])]);
            ToMove::choose(&self.turns, white, &black);
        }
        self.pieces.clear();
        self.turns.clear();
        self.spent += start.elapsed();
    }

    /// The columns in the order of the schema, which is the one of the columns that this began with.
    pub(crate) fn finish(&mut self, columns: &[Column], schema: SchemaRef) -> RecordBatch {
        self.compute();
        let mut maps = std::mem::take(&mut self.maps).into_iter();
        let mut to_move = std::mem::take(&mut self.to_move).into_iter();
        let mut counts = std::mem::take(&mut self.counts).into_iter();
        let asked = "each column that was asked for is there, in that order";
        let mut array = |column: &Column| -> ArrayRef {
            match column {
                Column::Fen => Arc::new(self.fen.take().expect(asked).finish()),
                Column::Of(maps::Column::Map(_)) => {
                    Arc::new(UInt64Array::from(maps.next().expect(asked).1))
                }
                Column::Of(maps::Column::ToMove(_)) => {
                    Arc::new(UInt64Array::from(to_move.next().expect(asked).1))
                }
                Column::Of(maps::Column::Count(_)) => {
                    Arc::new(UInt16Array::from(counts.next().expect(asked).1))
                }
            }
        };
        let arrays = columns.iter().map(&mut array).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(self.rows));
        RecordBatch::try_new_with_options(schema, arrays, &options)
            .expect("columns of equal length")
    }
}
