//! `setwise successors`: writes the positions after all legal moves, as a table that `setwise maps` can read.

use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use arrow_array::builder::{StringBuilder, UInt64Builder};
use arrow_array::{ArrayRef, RecordBatch};
use clap::error::ErrorKind;
use indicatif::{HumanCount, ProgressBar};
use setwise::legal::State;
use setwise::{Fen, Kernel, Positions, Successors};
use setwise_table::{Error, LineContent, Lines, OnInvalid};

use crate::args::{self, SuccessorsArguments};
use crate::console::{self, counted, on_bar};
use crate::export::{Arrow, Compression, Contents, Csv, Export, OutputFormat, Parquet};
use crate::import;
use crate::input::{self, LineReader};
use crate::maps;
use crate::output::{self, Output};

pub(crate) fn run(arguments: &SuccessorsArguments) -> Result<()> {
    let is_stdout = output::is_stdout(&arguments.output);
    let of_name = OutputFormat::of(&arguments.output);
    let format = arguments.format.or(of_name).or(is_stdout.then_some(OutputFormat::Csv));
    let known = ".parquet, .arrow or .csv";
    let write = match args::output_format("successors", format, &arguments.output, known) {
        OutputFormat::Parquet => write::<Parquet>,
        OutputFormat::Arrow => write::<Arrow>,
        OutputFormat::Csv => write::<Csv>,
        OutputFormat::Npy => {
            let message = "a .npy file holds numbers, and moves and FENs are text: \
                           write .parquet, .arrow or .csv";
            args::wrong("successors", ErrorKind::ArgumentConflict, message)
        }
    };
    let files = input::files(&arguments.inputs, None)?;
    args::check_stdin("successors", &files);
    let progress = maps::progress(import::check(&files)?, arguments.quiet);
    let names = (files.len() > 1).then(StringBuilder::new);
    let (start, mut table) = (Instant::now(), Table { files: names, ..Table::default() });
    let outcome = write(arguments, &files, &mut table, &progress);
    progress.finish_and_clear(); // before anything else is printed
    outcome?;
    if !arguments.quiet {
        let seconds = start.elapsed().as_secs_f64();
        let text = format!("{} in {seconds:.2} s\n", table.done());
        console::close(&text, is_stdout, false);
        console::skipped(&[
            (table.invalid, "invalid row"),
            (table.blank, "blank line"),
            (table.comments, "comment"),
        ]);
    }
    Ok(())
}

/// Writes the successors of all inputs in one of the formats.
fn write<E: Export>(
    arguments: &SuccessorsArguments,
    files: &[PathBuf],
    table: &mut Table,
    progress: &ProgressBar,
) -> Result<()> {
    let output = Output::create(&arguments.output, files, &[])?;
    let (name, is_stdout) = (output.name().to_owned(), output.is_stdout());
    let not_written = |error: io::Error| console::not_written(&error, is_stdout, &name);
    let contents = Contents {
        schema: table.finish()?.schema(),
        repeating: vec!["file".to_owned(), "move".to_owned()],
        compression: Compression::default(),
    };
    let (split, mut writer) = E::begin(&contents, output).map_err(not_written)?;
    let mut reader = LineReader::new(files, on_bar(progress));
    loop {
        let lines = reader.batch(1024, 1 << 18)?;
        table.push(&lines, arguments.on_invalid)?;
        progress.set_message(table.done());
        if lines.count > 0 && table.bytes() < E::BATCH {
            continue;
        }
        let batch = table.finish()?;
        if batch.num_rows() > 0 {
            let pieces = split(batch)?.into_iter().map(|encode| encode());
            writer.write(pieces.collect::<Result<_>>()?).map_err(not_written)?;
        }
        if lines.count == 0 {
            break;
        }
    }
    if table.positions == 0
        && let Some(error) = table.first.take()
    {
        return Err(error.into()); // the input is probably in another format
    }
    Output::finish(vec![writer.finish().map_err(not_written)?])
}

/// The rows that are not written yet, and the counts of all.
#[derive(Default)]
struct Table {
    /// The input of each parent, if there are several inputs.
    files: Option<StringBuilder>,
    /// The line number of each parent in its input.
    parents: UInt64Builder,
    moves: StringBuilder,
    fens: StringBuilder,
    successors: Successors,
    positions: u64,
    rows: u64,
    blank: u64,
    comments: u64,
    invalid: u64,
    /// The first error of the skipped lines.
    first: Option<Error>,
}

impl Table {
    fn done(&self) -> String {
        format!("{}, {} successors", counted(self.positions, "position"), HumanCount(self.rows))
    }

    /// The approximate size of the rows.
    fn bytes(&self) -> usize {
        self.fens.values_slice().len() + self.moves.values_slice().len()
    }

    /// Appends the successors of the positions in these lines.
    fn push(&mut self, lines: &Lines, on_invalid: OnInvalid) -> Result<()> {
        let (mut parents, mut places, mut clocks) = (Vec::new(), Vec::new(), Vec::new());
        for line in lines.iter() {
            let (character, reason) = match line.content() {
                LineContent::Blank => {
                    self.blank += 1;
                    continue;
                }
                LineContent::Comment => {
                    self.comments += 1;
                    continue;
                }
                LineContent::Invalid(character, reason) => (character, reason),
                LineContent::Position(fen, _) => match problem(&fen) {
                    Some(reason) => (1, reason.to_owned()),
                    None => {
                        places.push((line.input, line.number));
                        clocks.push(fen.halfmove_clock);
                        parents.push(fen);
                        continue;
                    }
                },
            };
            let error = Error::Invalid(Box::new(line.bad(character, reason)));
            if on_invalid != OnInvalid::Skip {
                return Err(error.into());
            }
            self.invalid += 1;
            self.first.get_or_insert(error);
        }
        let pieces: Vec<_> = parents.iter().map(|fen| fen.pieces).collect();
        let states: Vec<_> = parents.iter().map(State::from).collect();
        let positions = Positions::from(&pieces).with_states(&states).with_halfmoves(&clocks);
        let successors = &mut self.successors;
        Kernel::detect().successors(positions, successors);
        let ends = successors.offsets().windows(2);
        for ((parent, (file, line)), ends) in parents.iter().zip(places).zip(ends) {
            for at in ends[0]..ends[1] {
                let (played, state) = (successors.moves()[at], successors.states()[at]);
                let fen = Fen {
                    pieces: successors.pieces()[at],
                    turn: state.turn(),
                    castling: state.castling(),
                    en_passant: state.en_passant(),
                    halfmove_clock: successors.halfmoves()[at],
                    fullmove_number: parent.fullmove_number + parent.turn as u32,
                };
                if let Some(files) = &mut self.files {
                    files.append_value(file);
                }
                self.parents.append_value(line);
                write!(self.moves, "{played}")?;
                self.moves.append_value("");
                write!(self.fens, "{fen}")?;
                self.fens.append_value("");
            }
        }
        self.positions += parents.len() as u64;
        self.rows += successors.len() as u64;
        Ok(())
    }

    /// Takes the rows.
    fn finish(&mut self) -> Result<RecordBatch> {
        let files = self.files.as_mut().map(|files| Arc::new(files.finish()) as ArrayRef);
        let columns: [(_, ArrayRef); 3] = [
            ("parent", Arc::new(self.parents.finish())),
            ("move", Arc::new(self.moves.finish())),
            ("fen", Arc::new(self.fens.finish())),
        ];
        let columns = files.map(|files| ("file", files)).into_iter().chain(columns);
        let columns = columns.map(|(name, column)| (name, column, false));
        Ok(RecordBatch::try_from_iter_with_nullable(columns)?)
    }
}

/// Explains why a position has no successors that can be written.
fn problem(fen: &Fen) -> Option<&'static str> {
    if setwise::position::legal(&fen.pieces, State::from(fen)).is_none() {
        return Some("each side needs one king, and only the mover's may be in check");
    }
    let is_largest = fen.halfmove_clock.max(fen.fullmove_number) == u32::MAX;
    is_largest.then_some("the clock or move number of a successor would exceed 4294967295")
}
