//! The commands of `setwise`, their options and their help.

use std::ffi::OsString;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueHint};
use setwise::{Backend, Kernel};
use setwise_files::FileFormat;
use setwise_formats::Format;
use setwise_nnue::FeatureSet;
use setwise_table::{Condition, DataSetChoice, MAX_THREADS, OnInvalid, SamplingOptions};

use crate::columns::Choice;
use crate::console::STDOUT;
use crate::export::{Compression, OutputFormat};
use crate::input;
use crate::output;

mod examples;
mod read;

use examples::{
    COMPLETIONS_EXAMPLES, CONVERT_EXAMPLES, MAN_EXAMPLES, MAPS_EXAMPLES, SHOW_EXAMPLES,
    SUCCESSORS_EXAMPLES,
};
pub(crate) use read::ReadArguments;
use read::{TYPES, formats, integers, one_of};

/// Computes attack maps and other columns for files of chess positions
#[derive(Parser)]
#[command(name = "setwise", version, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Maps(MapsArguments),
    Convert(ConvertArguments),
    Successors(SuccessorsArguments),
    Show(ShowArguments),
    /// List the backends, and mark the supported ones and the chosen one
    #[command(after_help = "Example:\n  setwise backends")]
    Backends,
    /// Print a completion script for your shell
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the manual pages to a folder
    #[command(after_help = MAN_EXAMPLES)]
    Man {
        /// An existing folder
        #[arg(value_hint = ValueHint::DirPath)]
        folder: PathBuf,
    },
}

/// Compute attack maps and other columns for files of positions
///
/// Reads positions from text, tables, games or packed records and writes one row per position, in the order of the
/// input. A map is a 64-bit number with one bit for each attacked square: a1 is bit 0, h1 is bit 7, h8 is bit 63. In
/// text, blank lines and lines that start with # are skipped; their number is reported at the end.
#[derive(Args)]
#[command(
    override_usage = "setwise maps [OPTIONS] <INPUT>... --output <OUTPUT>",
    after_help = MAPS_EXAMPLES
)]
pub(crate) struct MapsArguments {
    /// Input files: text with one FEN or EPD per line, games (.pgn), tables with a column of FENs or games (.parquet,
    /// .arrow, .csv, .jsonl), or packed records (.bullet, .marlin, .vf, .bin, .binpack, .plain, .lc0, .tar); - is
    /// standard input
    ///
    /// A game has one row for each of its positions, from the first to the last.
    ///
    /// All formats except Parquet may be compressed with gzip or zstd, and may be piped. Several inputs of one format
    /// are read one after another. A folder is read recursively, sorted by name.
    #[arg(value_name = "INPUT", value_hint = ValueHint::FilePath)]
    pub(crate) inputs: Vec<PathBuf>,

    /// The output file: .parquet, .arrow, .npy or .csv; - is standard output and needs --format
    ///
    /// All formats except Parquet, which is compressed inside, are compressed if .gz or .zst follows. The file gets its name when it is complete. A run that fails writes no file and leaves an older one unchanged.
    #[arg(short, long, value_name = "OUTPUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// The format of the output [default: by extension]
    #[arg(short, long, value_enum)]
    pub(crate) format: Option<OutputFormat>,

    /// The columns to compute, separated by commas, in output order; "help" lists them
    ///
    /// Accepts names, patterns such as white_*, and presets such as counts or all. A pattern selects only columns that
    /// the input has and the output can hold.
    #[arg(short, long, value_name = "COLUMNS")]
    pub(crate) columns: Option<Choice>,

    /// The feature set of the columns white_features and black_features, which list the inputs of a network
    ///
    /// Join several names with + to combine their blocks: stockfish-threats-2026-08+halfka-hm. Both columns are lists,
    /// and null unless each side has exactly one king. If --columns names neither, both are added; without --columns,
    /// they are the only columns.
    #[arg(long, value_name = "NAME", value_parser = FeatureSetName)]
    pub(crate) features: Option<&'static FeatureSet>,

    /// Write signed integers with the same bits, for readers without unsigned integers (Spark, Java)
    #[arg(long)]
    pub(crate) signed: bool,

    /// The handling of rows that are not valid positions, and of games that cannot be replayed
    #[arg(long, value_name = "ACTION", default_value = "stop", value_parser = one_of(ON_INVALID))]
    pub(crate) on_invalid: OnInvalid,

    /// Save skipped lines, the positions of skipped rows of tables, and games that are skipped or cut short, to this
    /// file, each after a comment with its error
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) rejects: Option<PathBuf>,

    /// The compression of Parquet files [default: zstd]
    #[arg(long, value_enum, value_name = "METHOD")]
    pub(crate) compression: Option<Compression>,

    /// The backend; `setwise backends` lists them [default: the fastest]
    #[arg(long, value_name = "NAME", value_parser = kernel)]
    pub(crate) backend: Option<Kernel>,

    /// The number of threads that parse, compute and encode [default: one per core]
    #[arg(short, long, value_name = "N", value_parser = integers::<usize>(1, MAX_THREADS as u64))]
    pub(crate) threads: Option<usize>,

    /// Print nothing but errors
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Report the time of each stage at the end, summed over the threads
    #[arg(long)]
    pub(crate) timings: bool,

    #[command(flatten)]
    pub(crate) read: ReadArguments,

    #[command(flatten)]
    pub(crate) sizes: SizesArguments,
}

impl ReadArguments {
    /// Returns each input with its format. Fails if an option does not apply to that format.
    pub(crate) fn formats(
        &self,
        command: &str,
        files: &[PathBuf],
    ) -> anyhow::Result<Vec<(PathBuf, FileFormat)>> {
        check_stdin(command, files);
        let formats = input::formats(files, self.input_format)?;
        let mut all = formats.iter().map(|(_, format)| *format);
        let no_table = all.clone().find(|format| !format.is_table());
        let no_types = all.clone().find(|it| !matches!(it, FileFormat::Csv | FileFormat::Jsonl));
        let of_label = self.labels.named().first().map(|(option, _)| *option);
        let no_csv = all.find(|format| *format != FileFormat::Csv);
        for (is_given, option, inputs, other) in [
            (self.fen_column.is_some(), "--fen-column", "tables", no_table),
            (self.movetext_column.is_some(), "--movetext-column", "tables", no_table),
            (matches!(self.dataset, Some(DataSetChoice::Use(_))), "--dataset", "tables", no_table),
            (of_label.is_some(), of_label.unwrap_or_default(), "tables", no_table),
            (self.guess.is_some(), "--types", "CSV and JSON Lines", no_types),
            (self.delimiter.is_some(), "--delimiter", "CSV", no_csv),
        ] {
            if let Some(other) = other.filter(|_| is_given) {
                let message =
                    format!("{option} is for {inputs}, and the input is {}", other.name());
                wrong(command, ErrorKind::ArgumentConflict, message);
            }
        }
        Ok(formats)
    }
}

fn samplings() -> impl TypedValueParser<Value = SamplingOptions> {
    let known = SamplingOptions::NAMED.iter();
    one_of(known.filter_map(|&(name, help)| Some((name, SamplingOptions::named(name).ok()?, help))))
}

/// The sizes of units of work. Tests set small sizes; users never need to.
#[derive(Args)]
pub(crate) struct SizesArguments {
    /// The maximum number of lines in a batch [default: by format]
    #[arg(long, hide = true, value_parser = integers::<usize>(1, u64::MAX))]
    pub(crate) batch_lines: Option<usize>,

    /// A batch ends after this many bytes of text
    #[arg(long, hide = true, default_value_t = 16 << 20, value_parser = integers::<usize>(1, u64::MAX))]
    pub(crate) batch_bytes: usize,

    /// The number of rows that are computed together
    #[arg(long, hide = true, default_value_t = 2048, value_parser = integers::<usize>(1, u64::MAX))]
    pub(crate) chunk_rows: usize,

    /// The maximum number of bytes in unfinished batches [default: enough for several batches]
    #[arg(long, hide = true)]
    pub(crate) bytes_under_way: Option<usize>,
}

const ON_INVALID: [(&str, OnInvalid, &str); 4] = [
    ("stop", OnInvalid::Stop, "Stop at the first one with an error"),
    ("skip", OnInvalid::Skip, "Skip them, and report their number"),
    ("null", OnInvalid::Null, "Keep the rows, with nulls in the computed columns"),
    (
        "keep",
        OnInvalid::Keep,
        "Keep the positions of a game up to its error, and report the number of such games",
    ),
];

/// Convert positions between packed formats, FEN and games
///
/// Reads text, tables, PGN and packed records. Text may have a score and a result after each position, both from
/// white's point of view: `| 32 | 1.0`. A table may have columns for score, result and move. PGN evaluations become
/// scores.
///
/// Writes text, .plain and the fixed-size formats; from PGN, also viriformat and binpack, which store games. Rows of
/// tables and .bin files that have moves can also be written to these two, each as a separate game. If the output
/// cannot hold a value, the run stops; use --lossy to allow the loss.
#[derive(Args)]
#[command(after_help = CONVERT_EXAMPLES)]
pub(crate) struct ConvertArguments {
    /// Files of one format, or folders of them; - is standard input
    #[arg(value_name = "INPUT", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) inputs: Vec<PathBuf>,

    /// The output file: .fen, .epd, .bullet, .marlin, .bin or .plain; from .pgn, .bin and tables with moves also .vf or
    /// .binpack; - is standard output and needs --format
    ///
    /// The file is compressed if .gz or .zst follows.
    #[arg(short, long, value_name = "OUTPUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,

    /// The format of the output [default: by extension]
    #[arg(short, long, value_parser = formats(&TARGETS, "one FEN per line"))]
    pub(crate) format: Option<FileFormat>,

    /// Drop data that the output cannot hold, and write the nearest value that fits
    #[arg(long)]
    pub(crate) lossy: bool,

    /// Print what the conversion would lose and what it would fill in, and write nothing; if it would refuse to start,
    /// the error follows
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// The handling of lines and records that are not valid positions, and of games that cannot be replayed
    #[arg(long, value_name = "ACTION", default_value = "stop", value_parser = one_of(ON_INVALID.into_iter().filter(|(name, ..)| *name != "null")))]
    pub(crate) on_invalid: OnInvalid,

    /// Print nothing but errors
    #[arg(short, long)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) read: ReadArguments,

    #[command(flatten)]
    pub(crate) sampling: SamplingArguments,
}

impl ConvertArguments {
    /// Returns the format of the output: the given one, or that of its name.
    pub(crate) fn target(&self) -> FileFormat {
        let of_name = || FileFormat::of_name(&self.output).filter(|it| TARGETS.contains(it));
        let known = ".fen, .epd, .bullet, .marlin, .bin, .plain, .vf or .binpack";
        let format = self.format.or_else(of_name);
        format.unwrap_or_else(|| no_format("convert", &self.output, known))
    }
}

/// The options for random sampling of positions.
#[derive(Args)]
#[command(next_help_heading = "Sampling")]
pub(crate) struct SamplingArguments {
    /// Sample positions as a trainer does; positions without a score or a result are skipped unless --on-missing is
    /// given
    #[arg(long, value_name = "NAME", value_parser = samplings())]
    pub(crate) sampling: Option<SamplingOptions>,

    /// Keep each position with probability 1/N
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true, value_parser = integers::<u64>(1, u64::MAX))]
    pub(crate) one_in: u64,

    /// The seed of the random numbers: the same seed selects the same positions
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = integers::<u64>(0, u64::MAX))]
    pub(crate) seed: u64,
}

/// The output formats of `convert`: text, which is FEN with six fields, and packed formats.
const TARGETS: [FileFormat; 7] = [
    FileFormat::Text,
    FileFormat::Packed(Format::Bullet),
    FileFormat::Packed(Format::Marlin),
    FileFormat::Packed(Format::PackedSfen),
    FileFormat::Packed(Format::Viri),
    FileFormat::Packed(Format::Binpack),
    FileFormat::Packed(Format::Plain),
];

/// Write the successors of positions: one row for each legal move
///
/// Reads text with one FEN or EPD per line. Writes a table with three columns: the line number of the position (parent),
/// the move in UCI notation (move), and the FEN of the successor (fen). If there are several inputs, the column file
/// comes first: the name of the input, in which parent is the line number. `setwise maps` can read these tables.
///
/// Castling is the king's move by two squares if the king is on the e-file and the rook in a corner; otherwise (in
/// Chess960) it is the king's move to its rook.
#[derive(Args)]
#[command(after_help = SUCCESSORS_EXAMPLES)]
pub(crate) struct SuccessorsArguments {
    /// Text files, plain or compressed, or folders of them; - is standard input
    #[arg(value_name = "INPUT", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) inputs: Vec<PathBuf>,

    /// The output file: .parquet, .arrow or .csv; .arrow and .csv may end in .gz or .zst to be compressed; - is
    /// standard output
    #[arg(short, long, value_name = "OUTPUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,

    /// The format of the output [default: by extension, csv for standard output]
    #[arg(short, long, value_parser = OutputFormat::of_text())]
    pub(crate) format: Option<OutputFormat>,

    /// The handling of lines that are not valid positions
    #[arg(long, value_name = "ACTION", default_value = "stop", value_parser = one_of(ON_INVALID.into_iter().take(2)))]
    pub(crate) on_invalid: OnInvalid,

    /// Print nothing but errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Show a position and its attack maps
///
/// Draws the board and the maps side by side, with the value of each map below it. With --svg, writes a picture
/// instead; without --map, it shows the number of white and of black attackers of each square.
///
/// The map "threats" lists each piece with the pieces that it attacks (x) or defends; in a picture, each is an arrow.
#[derive(Args)]
#[command(
    override_usage = "setwise show [OPTIONS] <POSITION>...\n       setwise show [OPTIONS] --input <INPUT>",
    after_help = SHOW_EXAMPLES
)]
pub(crate) struct ShowArguments {
    /// A FEN, "startpos" for the start position, FILE:LINE, or - for the first line of standard input
    #[arg(value_name = "POSITION")]
    pub(crate) position: Vec<OsString>,

    /// Show how often each square is in the maps, over all positions of a file or folder in any format that
    /// `setwise maps` reads
    #[arg(long, value_name = "INPUT", conflicts_with = "position", value_hint = ValueHint::AnyPath)]
    pub(crate) input: Option<PathBuf>,

    /// With --input, draw one board for every PLIES half-moves of the games; positions without a move number are left
    /// out
    #[arg(long, value_name = "PLIES", value_parser = integers::<u32>(1, u32::MAX.into()))]
    pub(crate) by_ply: Option<u32>,

    /// With --input, draw the positions of two conditions side by side, and their difference: `--compare 'result = 1'
    /// 'result = -1'`. Reads the input twice, so it cannot be standard input or a pipe
    #[arg(
        long,
        value_name = "CONDITION",
        num_args = 2,
        conflicts_with = "by_ply",
        allow_hyphen_values = true
    )]
    pub(crate) compare: Vec<Condition>,

    /// With --input, the column types of CSV and JSON Lines, as in `setwise maps`
    #[arg(long = "types", value_name = "TYPES", value_parser = one_of(TYPES))]
    pub(crate) guess: Option<bool>,

    /// The maps to draw, separated by commas; `setwise maps --columns help` lists them [default: white_all,black_all]
    #[arg(short, long = "map", value_name = "MAP")]
    pub(crate) maps: Vec<Choice>,

    /// Write an SVG picture to this file instead; - is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) svg: Option<PathBuf>,
}

/// Parses the name of a feature set, or several joined by `+`. Errors, help and completions list the names.
#[derive(Clone)]
struct FeatureSetName;

impl TypedValueParser for FeatureSetName {
    type Value = &'static FeatureSet;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        name: &std::ffi::OsStr,
    ) -> Result<Self::Value, clap::Error> {
        let parse = |name: String| name.parse::<&'static FeatureSet>();
        StringValueParser::new().try_map(parse).parse_ref(command, argument, name)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(FeatureSet::ALL.iter().map(|set| PossibleValue::new(set.name()))))
    }
}

fn kernel(name: &str) -> Result<Kernel, String> {
    let backend: Backend = name.parse().map_err(|error| format!("{error}"))?;
    Kernel::new(backend).map_err(|error| error.to_string())
}

/// Returns the format of an output of `maps` or `successors`: the given one, or that of its name.
pub(crate) fn output_format(
    command: &str,
    given: Option<OutputFormat>,
    path: &Path,
    known: &str,
) -> OutputFormat {
    let format = given.or_else(|| OutputFormat::of(path));
    format.unwrap_or_else(|| no_format(command, path, known))
}

/// Fails because an output has none of the known extensions.
fn no_format(command: &str, path: &Path, known: &str) -> ! {
    let message = match output::is_stdout(path) {
        true => format!("{STDOUT} has no extension that names the format; pass --format"),
        false => format!(
            "cannot infer the output format from the name {}; use {known}, or pass --format",
            setwise_files::name(path)
        ),
    };
    wrong(command, ErrorKind::ValueValidation, message)
}

/// Fails if standard input is named more than once.
pub(crate) fn check_stdin(command: &str, files: &[PathBuf]) {
    if files.iter().filter(|path| setwise_files::is_stdin(path)).count() > 1 {
        let message = "standard input (-) can be read only once";
        wrong(command, ErrorKind::ValueValidation, message);
    }
}

/// Ends the program as clap does for wrong arguments: message, usage, exit status 2.
pub(crate) fn wrong(command: &str, kind: ErrorKind, message: impl Display) -> ! {
    let mut program = Arguments::command();
    program.build();
    let command = program.find_subcommand_mut(command).expect("a command of this program");
    command.error(kind, message).exit()
}
