//! The options of commands for their inputs: how these are read, and where their labels are.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use setwise_table::{
    Condition, InputColumn, Keep, Labels, Loss, OnMissing, Preset, Presets, Side, TableOptions,
};

use crate::import::{InputFormat, ReadOptions, Types};

/// How inputs are read, for all commands that write what they read.
#[derive(Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct ReadArguments {
    /// The format of the inputs
    ///
    /// By default, the extension decides (after .gz or .zst is removed), then the first bytes of the file; everything
    /// else is text.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) input_format: Option<InputFormat>,

    /// The column of a table that holds the FENs [default: fen, upper or lower case]
    #[arg(long, value_name = "NAME")]
    pub(crate) fen_column: Option<String>,

    /// The column of a table that holds the moves of a game [default: movetext, upper or lower case, if no column is
    /// called fen]
    ///
    /// The game starts from the column fen if there is one, else as usual. Its other columns are repeated in the row of
    /// each position.
    #[arg(long, value_name = "NAME", conflicts_with = "fen_column")]
    pub(crate) movetext_column: Option<String>,

    /// The public data set whose columns a table has, or none [default: found by the columns]
    ///
    /// It says which columns are positions, scores and moves. Names of folders such as year=2025 are columns too.
    #[arg(long, value_name = "NAME", value_parser = presets(), conflicts_with_all = ["fen_column", "movetext_column"])]
    pub(super) preset: Option<Presets>,

    /// The character between the cells of CSV, or "tab" [default: a comma, or a tab if the header has no comma]
    #[arg(long, value_name = "CHARACTER", value_parser = delimiter)]
    delimiter: Option<u8>,

    /// The types of the columns of CSV and JSON Lines [default: text for CSV, guess for JSON Lines]
    #[arg(long, value_enum, value_name = "TYPES")]
    types: Option<Types>,

    /// The columns of the input to pass through: all, none, or names separated by commas
    ///
    /// By default all, or none for .npy. For text, request --columns fen,line,rest instead. Of games, these are game, ply,
    /// move, san, clock, elapsed, eval, mate and result; and any tags by name, as White,WhiteElo,UTCDate. With names of
    /// tags alone, all of the others are kept too. Convert has no columns to pass through: it stops if the output cannot
    /// hold one of these.
    #[arg(long, value_name = "COLUMNS", value_parser = keep)]
    pub(crate) keep: Option<Keep>,

    /// Write only the rows for which this condition holds, such as "checkers = 0 and piece_count > 6 and ply >= 16"
    ///
    /// Comparisons (=, !=, <, <=, >, >=) of columns with numbers, text in quotes, true and false, or with columns; "is
    /// null"; joined by and, or, not and parentheses. Any column of maps --columns help or of the input will do, also one
    /// that is not written, and any tag of games. A set of squares is a number: 0 if it is empty. The option can be
    /// repeated: all conditions must hold. Rows that are left out are counted.
    #[arg(long = "where", value_name = "CONDITION")]
    pub(crate) conditions: Vec<Condition>,

    #[command(flatten)]
    pub(crate) labels: LabelArguments,
}

impl ReadArguments {
    /// How inputs are read for these labels, with these columns passed along.
    pub(crate) fn options(&self, keep: Keep, wanted: Vec<InputColumn>) -> ReadOptions {
        let table = TableOptions {
            fen: self.fen_column.clone(),
            movetext: self.movetext_column.clone(),
            preset: self.preset.unwrap_or_default(),
            folders: Vec::new(),
            keep,
            labels: self.labels.labels(),
            wanted,
        };
        let conditions = self.conditions.clone();
        let (delimiter, types) = (self.delimiter, self.types);
        ReadOptions { table, zeros: None, conditions, delimiter, types }
    }
}

fn presets() -> impl TypedValueParser<Value = Presets> {
    let names = Preset::ALL.iter().map(|preset| preset.name()).chain(["none"]);
    PossibleValuesParser::new(names).map(|name| name.parse().map_or(Presets::Off, Presets::Use))
}

/// The labels of positions: score, result and move.
#[derive(Args)]
#[command(next_help_heading = "Labels")]
pub(crate) struct LabelArguments {
    /// The column of a table that holds the score, an integer or a mate as #3 [default: score, cp or eval]
    #[arg(long, value_name = "NAME")]
    score_column: Option<String>,

    /// The column of a table that holds the moves to a mate, where there is no score [default: mate, beside cp or eval]
    #[arg(long, value_name = "NAME")]
    mate_column: Option<String>,

    /// The column of a table that holds the result: 1, 0, -1; or 1.0, 0.5, 0.0; or 1-0, 1/2-1/2, 0-1; or white, draw, black
    /// [default: result, wdl, outcome or winner]
    #[arg(long, value_name = "NAME")]
    result_column: Option<String>,

    /// The column of a table that holds the move in UCI notation [default: move]
    #[arg(long, value_name = "NAME")]
    move_column: Option<String>,

    /// The side of the scores of a table [default: mover for score, white for cp, eval and mate]
    #[arg(long, value_name = "SIDE", value_parser = one_of(SIDES))]
    scores_of: Option<Side>,

    /// The side of the results of a table, if they are numbers [default: mover for result]
    #[arg(long, value_name = "SIDE", value_parser = one_of(SIDES))]
    results_of: Option<Side>,

    /// The number of a lost game in the column of results [default: as the numbers tell]
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true, value_parser = one_of(LOSSES))]
    loss_is: Option<Loss>,

    /// What to do with a row without a score or a result: stop, skip, null, or a number to write [default: null for columns
    /// of maps, else stop]
    ///
    /// Missing are nulls, `*`, a game without an evaluation, and the score 32002. A mate in n moves is the score 32000 - n.
    #[arg(long, value_name = "WHAT", allow_hyphen_values = true, value_parser = on_missing)]
    pub(crate) on_missing: Option<OnMissing>,
}

impl LabelArguments {
    pub(crate) fn labels(&self) -> Labels {
        Labels {
            score: self.score_column.clone(),
            mate: self.mate_column.clone(),
            result: self.result_column.clone(),
            played: self.move_column.clone(),
            scores_of: self.scores_of,
            results_of: self.results_of,
            loss_is: self.loss_is,
        }
    }

    /// The labels that these options are about.
    pub(crate) fn named(&self) -> Vec<InputColumn> {
        let of_score =
            self.score_column.is_some() || self.mate_column.is_some() || self.scores_of.is_some();
        let of_result =
            self.result_column.is_some() || self.results_of.is_some() || self.loss_is.is_some();
        let all = [
            (of_score, InputColumn::Score),
            (of_result, InputColumn::Result),
            (self.move_column.is_some(), InputColumn::Move),
        ];
        all.into_iter().filter_map(|(named, label)| named.then_some(label)).collect()
    }
}

/// Parses one of some names, each with its value and its line of the help.
pub(super) fn one_of<T: Clone + Send + Sync + 'static>(
    values: impl IntoIterator<Item = (&'static str, T, &'static str)>,
) -> impl TypedValueParser<Value = T> {
    let values: Vec<_> = values.into_iter().collect();
    let names = values.iter().map(|(name, _, help)| PossibleValue::new(*name).help(*help));
    PossibleValuesParser::new(names).map(move |name| {
        let value = values.iter().find(|(other, ..)| *other == name);
        value.expect("one of the names").1.clone()
    })
}

const SIDES: [(&str, Side, &str); 2] =
    [("mover", Side::Mover, "The side to move"), ("white", Side::White, "White")];

const LOSSES: [(&str, Loss, &str); 2] = [
    ("-1", Loss::MinusOne, "Won, drawn and lost are 1, 0 and -1"),
    ("0", Loss::Zero, "Won, drawn and lost are 1, 0.5 and 0"),
];

fn on_missing(text: &str) -> Result<OnMissing, &'static str> {
    Ok(match text {
        "stop" => OnMissing::Stop,
        "skip" => OnMissing::Skip,
        "null" => OnMissing::Null,
        number => {
            OnMissing::Value(number.parse().map_err(|_| "expected stop, skip, null or a number")?)
        }
    })
}

fn keep(names: &str) -> Result<Keep, String> {
    Ok(match names {
        "all" => Keep::All,
        "none" => Keep::None,
        names => Keep::Named(names.split(',').map(|name| name.trim().to_owned()).collect()),
    })
}

fn delimiter(name: &str) -> Result<u8, &'static str> {
    match name.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        &[byte] if byte.is_ascii() && !b"\"\r\n".contains(&byte) => Ok(byte),
        _ => Err("expected one ASCII character, or \"tab\""),
    }
}
