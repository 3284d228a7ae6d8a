//! The options for inputs: their formats, their columns, conditions on rows, and the columns of labels.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use setwise_files::{FileFormat, TextOptions};
use setwise_table::{
    Condition, DataSet, DataSetChoice, InputColumn, Keep, Labels, Loss, OnMissing, Side,
    TableOptions,
};

use crate::import::ReadOptions;

/// The options of `maps` and `convert` for reading inputs.
#[derive(Args, Default)]
#[command(next_help_heading = "Input")]
pub(crate) struct ReadArguments {
    /// The format of the inputs
    ///
    /// By default, the extension decides (after .gz or .zst is removed), then the first bytes of the file; anything
    /// else is read as text.
    #[arg(long, value_name = "FORMAT", value_parser = formats(FileFormat::ALL, FileFormat::Text.meaning()))]
    pub(crate) input_format: Option<FileFormat>,

    /// The column of FENs in a table [default: fen, in upper or lower case]
    #[arg(long, value_name = "NAME")]
    pub(crate) fen_column: Option<String>,

    /// The column of games (movetext) in a table [default: movetext, in upper or lower case, if there is no column fen]
    ///
    /// A game starts from the position in the column fen if there is one, otherwise from the standard start position.
    /// The other columns are repeated for each of its positions.
    #[arg(long, value_name = "NAME", conflicts_with = "fen_column")]
    pub(crate) movetext_column: Option<String>,

    /// Read tables as this public data set, or none [default: recognised by the columns]
    ///
    /// A data set defines the columns of positions, scores and moves. Folder names such as year=2025 become columns too.
    #[arg(long, alias = "preset", value_name = "NAME", value_parser = datasets(), conflicts_with_all = ["fen_column", "movetext_column"])]
    pub(crate) dataset: Option<DataSetChoice>,

    /// The delimiter of CSV, one character or "tab" [default: a comma, or a tab if the header has no comma]
    #[arg(long, value_name = "CHARACTER", value_parser = delimiter)]
    pub(crate) delimiter: Option<u8>,

    /// The column types of CSV and JSON Lines [default: text for CSV, guess for JSON Lines]
    #[arg(long = "types", value_name = "TYPES", value_parser = one_of(TYPES))]
    pub(crate) guess: Option<bool>,

    /// The input columns to pass through: all, none, or names separated by commas
    ///
    /// The default is all, or none for .npy. For text, use --columns fen,line,rest instead. Games have the columns
    /// game, ply, move, san, clock, elapsed, eval, mate and result, and their tags by name, such as
    /// White,WhiteElo,UTCDate; if you name only tags, the other columns are kept too. `setwise convert` stops if the
    /// output cannot hold one of these columns.
    #[arg(long, value_name = "COLUMNS", value_parser = keep)]
    pub(crate) keep: Option<Keep>,

    /// Write only the rows for which this condition holds, such as "checkers = 0 and piece_count > 6 and ply >= 16"
    ///
    /// A condition compares columns (=, !=, <, <=, >, >=) with numbers, quoted text, true, false or each other, or
    /// tests for nulls ("is null"). Combine conditions with and, or, not and parentheses. Any column of the input or of
    /// `setwise maps --columns help` may be used, written or not, and so may any tag of games. A set of squares is a
    /// number: 0 is the empty set. Repeat the option to require several conditions. The number of dropped rows is
    /// reported.
    #[arg(long = "where", value_name = "CONDITION", allow_hyphen_values = true)]
    pub(crate) conditions: Vec<Condition>,

    #[command(flatten)]
    pub(crate) labels: LabelArguments,
}

impl ReadArguments {
    /// Builds the options for a source that passes the columns in `keep` through and reads the labels in `wanted`.
    pub(crate) fn options(&self, keep: Keep, wanted: Vec<InputColumn>) -> ReadOptions {
        let table = TableOptions {
            fen: self.fen_column.clone(),
            movetext: self.movetext_column.clone(),
            data_set: self.dataset.unwrap_or_default(),
            folders: Vec::new(),
            keep,
            labels: self.labels.labels(),
            wanted,
        };
        let text = TextOptions {
            delimiter: self.delimiter,
            guess: self.guess,
            strict: table.keep == Keep::All,
            advice: " (--types text)",
        };
        let conditions = self.conditions.clone();
        ReadOptions { table, conditions, text, ..ReadOptions::default() }
    }
}

/// Whether the column types of CSV and JSON Lines are guessed.
pub(super) const TYPES: [(&str, bool, &str); 2] = [
    (
        "guess",
        true,
        "Integers, floats, booleans or text, determined from the first 4,096 rows; nested values are text",
    ),
    ("text", false, "Text, unchanged"),
];

/// Creates a parser for the names of formats and their other extensions. `text` is the line of help of text.
pub(super) fn formats(
    known: &[FileFormat],
    text: &'static str,
) -> impl TypedValueParser<Value = FileFormat> + use<> {
    let value = |format: &FileFormat| {
        let others = format.extensions().iter().filter(|other| **other != format.name());
        let help = if *format == FileFormat::Text { text } else { format.meaning() };
        PossibleValue::new(format.name()).aliases(others).help(help)
    };
    PossibleValuesParser::new(known.iter().map(value))
        .map(|name| FileFormat::named(&name).expect("one of the names"))
}

fn datasets() -> impl TypedValueParser<Value = DataSetChoice> {
    let names = DataSet::ALL.iter().map(|dataset| dataset.name()).chain(["none"]);
    PossibleValuesParser::new(names)
        .map(|name| name.parse().map_or(DataSetChoice::Off, DataSetChoice::Use))
}

/// The labels of positions: score, result and move.
#[derive(Args, Default)]
#[command(next_help_heading = "Labels")]
pub(crate) struct LabelArguments {
    /// The column of scores in a table: integers, or mates such as #3 [default: score, cp or eval]
    #[arg(long, value_name = "NAME")]
    score_column: Option<String>,

    /// The column of moves to mate in a table, used where the score is null [default: mate, together with cp or eval]
    #[arg(long, value_name = "NAME")]
    mate_column: Option<String>,

    /// The column of results in a table: 1, 0, -1; or 1.0, 0.5, 0.0; or 1-0, 1/2-1/2, 0-1; or white, draw, black
    /// [default: result, wdl, outcome or winner; of games: result, for white]
    #[arg(long, value_name = "NAME")]
    result_column: Option<String>,

    /// The column of moves in UCI notation in a table [default: move]
    #[arg(long, value_name = "NAME")]
    move_column: Option<String>,

    /// The point of view of the scores in a table [default: mover for score, white for cp, eval and mate]
    #[arg(long, value_name = "SIDE", value_parser = one_of(SIDES))]
    scores_of: Option<Side>,

    /// The point of view of numeric results in a table [default: mover for result, required for other columns]
    #[arg(long, value_name = "SIDE", value_parser = one_of(SIDES))]
    results_of: Option<Side>,

    /// The encoding of a loss in numeric results [default: inferred from the values]
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true, value_parser = one_of(LOSSES))]
    loss_is: Option<Loss>,

    /// The handling of rows without a requested score or result: stop, skip, null, or a number to write [default: null
    /// for maps, stop for convert and .npy]
    ///
    /// Missing labels are nulls, empty text, `*`, the score 32002, and games without evaluations. A mate in n moves is
    /// the score 32000 - n.
    #[arg(long, value_name = "ACTION", allow_hyphen_values = true, value_parser = on_missing)]
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

    /// Returns the given options, and the labels that they configure.
    pub(crate) fn named(&self) -> Vec<(&'static str, InputColumn)> {
        let all = [
            (self.score_column.is_some(), "--score-column", InputColumn::Score),
            (self.mate_column.is_some(), "--mate-column", InputColumn::Score),
            (self.scores_of.is_some(), "--scores-of", InputColumn::Score),
            (self.result_column.is_some(), "--result-column", InputColumn::Result),
            (self.results_of.is_some(), "--results-of", InputColumn::Result),
            (self.loss_is.is_some(), "--loss-is", InputColumn::Result),
            (self.move_column.is_some(), "--move-column", InputColumn::Move),
        ];
        all.into_iter().filter(|all| all.0).map(|(_, option, label)| (option, label)).collect()
    }
}

/// Creates a parser for integers in a range.
pub(super) fn integers<T: TryFrom<u64> + Clone + Send + Sync + 'static>(
    least: u64,
    most: u64,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| (least..=most).contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| match most {
            u64::MAX => format!("expected an integer of at least {least}"),
            most => format!("expected an integer from {least} to {most}"),
        })
    }
}

/// Creates a parser for names, each with its value and its line of help.
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
    ("-1", Loss::MinusOne, "Win, draw and loss are 1, 0 and -1"),
    ("0", Loss::Zero, "Win, draw and loss are 1, 0.5 and 0"),
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
