//! The `setwise` program: attack maps for files of chess positions, and for one position at a time.
//!
//! This file only chooses the command and turns errors into one line and an exit status: 1 for what went
//! wrong while running, 2 (by clap) for wrong arguments.
#![forbid(unsafe_code)]

use std::io::Write;
use std::process::ExitCode;

use anyhow::Context;
use clap::{CommandFactory, Parser};

mod args;
mod backends;
mod columns;
mod format;
mod input;
mod lines;
mod maps;
#[cfg(test)]
mod oracle;
mod output;
mod show;
mod svg;

use args::{Arguments, Command};

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Maps(arguments) => maps::run(&arguments),
        Command::Show(arguments) => show::run(&arguments),
        Command::Backends => backends::run(),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "setwise", &mut script);
            print(&script)
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nowhere to report that standard error cannot be written to.
            let _ = match error.downcast_ref::<lines::BadLine>() {
                Some(bad) => writeln!(anstream::stderr(), "{bad}"),
                None => writeln!(anstream::stderr(), "{ERROR}error:{ERROR:#} {error:#}"),
            };
            ExitCode::FAILURE
        }
    }
}

/// How clap prints the same word.
const ERROR: anstyle::Style = anstyle::AnsiColor::Red.on_default().bold();

/// Writes to standard output, where `print!` would panic if nobody reads it.
fn print(text: &[u8]) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(text).and_then(|()| out.flush()).context("cannot write to standard output")
}

/// Ends the program as clap does for wrong arguments: message, usage, exit status 2.
fn wrong_arguments(
    command: &str,
    kind: clap::error::ErrorKind,
    message: impl std::fmt::Display,
) -> ! {
    let mut program = Arguments::command();
    program.build();
    let command = program.find_subcommand_mut(command).expect("a command of this program");
    command.error(kind, message).exit()
}
