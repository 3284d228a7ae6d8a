//! Public data sets, recognised by the names of their columns: a table of facts, and the rules for columns that only they
//! have. The reader of tables and labels does everything else.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StructArray};
use arrow_schema::{DataType, Schema};
use serde::Deserialize;
use setwise::Fen;
use setwise_formats::legal_move;

use crate::cells::{Operands, Scalar, integer};
use crate::error::Error;
use crate::schema::{called, find};
use crate::text::{is_text_or_null, items, lines};

/// The columns of a table with positions or labels, as indices: evaluations, which contain scores and moves.
pub(crate) const EVALS: usize = 0;
/// The columns of single labels.
pub(crate) const SCORE: usize = 1;
pub(crate) const MATE: usize = 2;
pub(crate) const RESULT: usize = 3;
pub(crate) const MOVE: usize = 4;
/// The column of moves, the first of which leads to the position.
pub(crate) const LEAD: usize = 5;
/// The column of depths. Of several consecutive rows of one position, only the deepest is read.
pub(crate) const DEPTH: usize = 6;

/// A public data set: the facts that the reader of tables and labels needs. All scores are for white.
///
/// ```
/// use arrow_schema::{DataType, Field, Schema};
/// use setwise_table::DataSet;
/// let columns = ["PuzzleId", "FEN", "Moves", "Rating"].map(|name| Field::new(name, DataType::Utf8, true));
/// assert_eq!(DataSet::find(&Schema::new(columns.to_vec())), Some("lichess-puzzles".parse()?));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct DataSet {
    name: &'static str,
    /// The columns by which it is recognised.
    columns: &'static [&'static str],
    /// True if it has no other columns. Other tables have these columns among others.
    is_exact: bool,
    /// True if each row is a game.
    pub(crate) has_games: bool,
    /// A note about its positions.
    pub(crate) positions: Option<&'static str>,
    /// The columns with names that no other table has.
    special: &'static [(usize, &'static str)],
    /// The index of the word that is the move, if the column of moves has several words.
    pub(crate) word: Option<usize>,
}

/// The choice of a data set for a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DataSetChoice {
    /// The data set that matches its columns, unless a column of positions or games is named.
    #[default]
    Find,
    /// No data set.
    Off,
    /// This data set.
    Use(DataSet),
}

impl DataSet {
    /// A table of positions that is recognised by these columns.
    const fn new(name: &'static str, columns: &'static [&'static str]) -> Self {
        let (is_exact, has_games, positions, special, word) = (false, false, None, &[], None);
        Self { name, columns, is_exact, has_games, positions, special, word }
    }

    /// All data sets.
    pub const ALL: &[Self] = &[
        // `lichess_db_eval.jsonl`: the first variation of the deepest evaluation, and its first move.
        Self { special: &[(EVALS, "evals")], ..Self::new("lichess-evals", &["fen", "evals"]) },
        // `Lichess/chess-position-evaluations`, which has consecutive rows for the variations of a position: the first
        // of the deepest rows, and the first move of its `line`.
        Self {
            positions: Some("positions: the first row with the largest `depth` for each `fen`"),
            special: &[(MOVE, "line"), (DEPTH, "depth")],
            word: Some(0),
            ..Self::new(
                "lichess-position-evaluations",
                &["fen", "line", "depth", "knodes", "cp", "mate"],
            )
        },
        // `Lichess/fishnet-evals`.
        Self { is_exact: true, ..Self::new("fishnet-evals", &["fen", "cp", "mate", "move"]) },
        // `Lichess/standard-chess-games`.
        Self {
            has_games: true,
            positions: Some("games: `movetext`"),
            ..Self::new("lichess-games", &["movetext"])
        },
        // Lichess's puzzles: the position after the first of the `Moves`, with the second move.
        Self {
            positions: Some("positions: `FEN` after the first of `Moves`"),
            special: &[(LEAD, "Moves"), (MOVE, "Moves")],
            word: Some(1),
            ..Self::new("lichess-puzzles", &["PuzzleId", "FEN", "Moves"])
        },
    ];

    /// The name, such as `lichess-evals`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Finds the data set of a table with these columns.
    #[must_use]
    pub fn find(schema: &Schema) -> Option<Self> {
        let found = Self::ALL.iter().find(|data_set| data_set.check(schema).is_ok())?;
        let has_others = schema.fields().len() > found.columns.len();
        // A table of positions may also have a column of games.
        let is_other =
            found.is_exact && has_others || found.has_games && !called(schema, &["fen"]).is_empty();
        (!is_other).then_some(*found)
    }

    /// The name of the column with this index, if it has a special one.
    pub(crate) fn column(self, at: usize) -> Option<&'static str> {
        self.special.iter().find(|(other, _)| *other == at).map(|(_, name)| *name)
    }

    /// Fails if a table lacks a column.
    pub(crate) fn check(self, schema: &Schema) -> Result<(), Error> {
        self.columns.iter().try_for_each(|name| {
            let needed = |error| Error::Doubt(format!("{error}; {self} needs `{name}`"), "preset");
            find(schema, name).map(|_| ()).map_err(needed)
        })
    }
}

/// Writes nothing but the name, because the fingerprints of loaders are hashes of this text.
impl fmt::Debug for DataSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DataSet").field(&self.name).finish()
    }
}

impl fmt::Display for DataSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for DataSet {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.iter().copied().find(|data_set| data_set.name() == name).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|data_set| format!("`{data_set}`")).collect();
            format!("no preset is called `{name}`; there are {}", names.join(", "))
        })
    }
}

/// Returns the depth in a row, or the value that is not an integer. Rows without a depth are the shallowest.
fn depth<'a>(depths: &Operands<'a>, row: usize) -> Result<i32, Scalar<'a>> {
    Ok(integer(depths.cell(row))?.unwrap_or(i32::MIN))
}

/// Returns for each row whether it is the first of the deepest rows of its position. `first` is the number of the first
/// row in messages.
pub(crate) fn deepest(
    fens: &dyn Array,
    depths: &Operands<'_>,
    first: u64,
) -> Result<Vec<bool>, Error> {
    let lines = lines("fen", fens)?;
    let mut is_deepest = vec![false; lines.len()];
    let mut best: Option<(usize, i32)> = None;
    for row in 0..lines.len() {
        let depth = depth(depths, row).map_err(|found| {
            let number = first as usize + row;
            Error::Value("depth".to_owned(), number, found.to_string(), "an integer")
        })?;
        let goes_on = row > 0 && lines[row] == lines[row - 1];
        match best.filter(|_| goes_on) {
            Some((_, deepest)) if deepest >= depth => continue,
            Some((shallow, _)) => is_deepest[shallow] = false,
            None => {}
        }
        is_deepest[row] = true;
        best = Some((row, depth));
    }
    Ok(is_deepest)
}

/// Returns the greatest depth of the first rows, or `None` if one is not an integer.
pub(crate) fn greatest_depth(depths: &ArrayRef, rows: usize) -> Option<i32> {
    let depths = Operands::of_array(depths);
    (0..rows).try_fold(i32::MIN, |deepest, row| Some(deepest.max(depth(&depths, row).ok()?)))
}

/// Computes the position after the first of the moves in a cell.
pub(crate) fn after_first(moves: Option<Scalar<'_>>, fen: &Fen) -> Result<Fen, String> {
    let Some(Scalar::Text(text)) = moves else {
        return Err("expected moves, found none".to_owned());
    };
    let (played, _) = legal_move(text.split_ascii_whitespace().next().unwrap_or_default(), fen)?;
    let (pieces, state) = setwise::position::play(&fen.pieces, fen.into(), played);
    let mover = fen.pieces.role(setwise::Role::Pawn) >> played.from() & 1;
    let resets = mover == 1 || pieces.occupied().count_ones() < fen.pieces.occupied().count_ones();
    Ok(Fen {
        pieces,
        turn: state.turn(),
        castling: state.castling(),
        en_passant: state.en_passant(),
        halfmove_clock: if resets { 0 } else { fen.halfmove_clock.saturating_add(1) },
        fullmove_number: fen.fullmove_number.saturating_add(fen.turn as u32),
    })
}

/// The first variation of the deepest evaluation.
#[derive(Default, Deserialize)]
pub(crate) struct Variation<'a> {
    pub(crate) cp: Option<i32>,
    pub(crate) mate: Option<i32>,
    #[serde(borrow)]
    pub(crate) line: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Evaluation<'a> {
    depth: i32,
    #[serde(borrow)]
    pvs: Vec<Variation<'a>>,
}

/// Returns whether a column of this type can hold evaluations: Arrow lists, or JSON text.
pub(crate) fn is_evaluations(data_type: &DataType) -> bool {
    match data_type {
        DataType::List(item) | DataType::LargeList(item) => match item.data_type() {
            DataType::Struct(of) => ["depth", "pvs"].iter().all(|name| of.find(name).is_some()),
            item => *item == DataType::Null,
        },
        other => is_text_or_null(other),
    }
}

/// Returns the first variation of the deepest evaluation of a row, or of the first evaluation among several of this
/// depth. Without evaluations the variation is empty.
pub(crate) fn best_variation<'a>(
    cell: Option<Scalar<'a>>,
    column: &ArrayRef,
    row: usize,
) -> Result<Variation<'a>, String> {
    let Some(Scalar::Text(text)) = cell else {
        return Ok(best_of_list(column, row).unwrap_or_default());
    };
    let all = serde_json::from_str::<Vec<Evaluation<'_>>>(text);
    let all = all.map_err(|error| format!("expected evaluations, found {error}"))?;
    // `max_by_key` returns the last of equal maxima, but the first is needed.
    let best = all.into_iter().rev().max_by_key(|evaluation| evaluation.depth);
    Ok(best.and_then(|best| best.pvs.into_iter().next()).unwrap_or_default())
}

fn best_of_list(array: &ArrayRef, row: usize) -> Option<Variation<'static>> {
    let all = structs(array, row)?;
    let depths = Operands::of_array(all.column_by_name("depth")?);
    let best = (0..all.len()).rev().max_by_key(|&row| depth(&depths, row).ok())?;
    let first = structs(all.column_by_name("pvs")?, best).filter(|first| !first.is_empty())?;
    let cell = |name| Operands::of_array(first.column_by_name(name)?).cell(0);
    let number = |name| integer(cell(name)).ok().flatten();
    let line = match cell("line") {
        Some(Scalar::Text(line)) => Some(Cow::Owned(line.to_owned())),
        _ => None,
    };
    Some(Variation { cp: number("cp"), mate: number("mate"), line })
}

/// Returns a row of a list of structs, or `None` if it is null.
fn structs(array: &ArrayRef, row: usize) -> Option<StructArray> {
    items(array, row)?.as_struct_opt().cloned()
}
