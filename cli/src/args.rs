//! What can be typed after `setwise`: the commands, their options and their help.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use setwise::{Backend, Kernel};

use crate::columns::Choice;
use crate::show::MapName;

/// Which squares do the pieces attack? Attack maps for files of chess positions.
#[derive(Parser)]
#[command(name = "setwise", version, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Maps(MapsArguments),
    Show(ShowArguments),
    /// List what this processor can compute with, and which one is chosen
    #[command(after_help = "Example:\n  setwise backends")]
    Backends,
    /// Print a script that completes commands and options in your shell
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// The shell to complete in
        shell: clap_complete::Shell,
    },
}

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  setwise completions bash > ~/.local/share/bash-completion/completions/setwise
  setwise completions zsh > ~/.zfunc/_setwise
  setwise completions fish > ~/.config/fish/completions/setwise.fish";

/// Turn files of positions into columns of attack maps
///
/// Reads a position per line (FEN or EPD) and writes a row per position, in the order of the input. A
/// map is a 64-bit number with a bit for each attacked square: a1 is bit 0, h1 is bit 7, h8 is bit 63.
/// Empty lines and lines that start with # are skipped.
#[derive(Args)]
#[command(
    override_usage = "setwise maps [OPTIONS] <INPUT>... --output <OUTPUT>",
    after_help = MAPS_EXAMPLES
)]
pub(crate) struct MapsArguments {
    /// Text with a FEN or EPD per line, plain or compressed with gzip or zstd; - is standard input
    #[arg(value_name = "INPUT", value_hint = ValueHint::FilePath)]
    pub(crate) inputs: Vec<PathBuf>,

    /// Where to: .parquet, .arrow, .npy or .csv; - is standard output and needs --format
    ///
    /// The file is written under another name beside it and renamed when it is complete: a run that
    /// fails leaves no file, and an older file as it was.
    #[arg(short, long, value_name = "OUTPUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// What to write, if the output's name does not tell
    #[arg(short, long, value_enum)]
    pub(crate) format: Option<Format>,

    /// The columns to write, in this order, separated by commas; "help" lists them
    #[arg(short, long, value_name = "COLUMNS")]
    pub(crate) columns: Option<Choice>,

    /// Add the position's text as a first column "fen" (not for .npy)
    #[arg(long)]
    pub(crate) with_fen: bool,

    /// Skip and count lines that are no position, instead of stopping at the first
    #[arg(long)]
    pub(crate) skip_invalid: bool,

    /// Keep skipped lines in this file, each below a comment that says what is wrong with it
    #[arg(long, value_name = "FILE", requires = "skip_invalid", value_hint = ValueHint::FilePath)]
    pub(crate) rejects: Option<PathBuf>,

    /// The compression of Parquet files
    #[arg(long, value_enum, value_name = "METHOD", default_value_t = Compression::Zstd)]
    pub(crate) compression: Compression,

    /// The instructions to compute with, as listed by `setwise backends` [default: the fastest]
    #[arg(long, value_name = "NAME", value_parser = kernel)]
    pub(crate) backend: Option<Kernel>,

    /// Threads that parse, compute and encode [default: one per core]
    #[arg(short, long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Say nothing but errors
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Say at the end how much time each stage took, added up over the threads
    #[arg(long)]
    pub(crate) timings: bool,
}

const MAPS_EXAMPLES: &str = "\
Examples:
  setwise maps games.epd -o maps.parquet
  setwise maps a.epd.gz b.epd.zst -o maps.npy --columns white_all,black_all
  zcat games.epd.gz | setwise maps - -o - --format csv --with-fen | head
  setwise maps scraped.txt -o maps.parquet --skip-invalid --rejects bad.txt
  setwise maps --columns help";

/// Show a position and its attack maps
///
/// Draws the board and the maps side by side, with each map's number below it. With --svg, draws a
/// picture of two boards instead: how many white men, and how many black men, attack each square.
#[derive(Args)]
#[command(after_help = SHOW_EXAMPLES)]
pub(crate) struct ShowArguments {
    /// The position; "startpos" is the start of a game
    #[arg(required = true, value_name = "FEN")]
    pub(crate) fen: Vec<String>,

    /// The maps to draw, separated by commas; `setwise maps --columns help` lists them
    #[arg(
        short,
        long = "map",
        value_name = "MAP",
        value_delimiter = ',',
        default_value = "white-all,black-all"
    )]
    pub(crate) maps: Vec<MapName>,

    /// Draw a picture into this file instead; - is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "maps")]
    pub(crate) svg: Option<PathBuf>,
}

const SHOW_EXAMPLES: &str = "\
Examples:
  setwise show startpos
  setwise show 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq -' --map white-twice
  setwise show startpos --svg start.svg";

/// What a file of maps can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Apache Parquet
    Parquet,
    /// Arrow IPC file, also known as Feather 2
    Arrow,
    /// NumPy array of uint64, rows by columns
    Npy,
    /// Decimal numbers separated by commas, with a header
    Csv,
}

/// How Parquet pages are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Compression {
    /// Zstandard, level 1
    Zstd,
    /// LZ4
    Lz4,
    /// Snappy
    Snappy,
    /// None
    None,
}

fn kernel(name: &str) -> Result<Kernel, String> {
    let backend: Backend = name.parse().map_err(|error| format!("{error}"))?;
    Kernel::new(backend).ok_or_else(|| {
        let here: Vec<_> = Backend::available().map(Backend::name).collect();
        format!("this processor cannot run it; available here: {}", here.join(", "))
    })
}
