//! The `setwise` program computes attack maps for files of chess positions and shows them for one position.
//!
//! This file only dispatches the command, and turns errors into one line and an exit status: 1 for errors at run time,
//! 2 (by clap) for wrong arguments.
#![deny(unsafe_code)]

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{CommandFactory, Parser};
use clap_complete::Shell;

mod args;
mod backends;
mod cells;
mod columns;
mod console;
mod convert;
mod export;
mod heat;
mod import;
mod input;
mod invalid;
mod maps;
mod output;
mod show;
mod signals;
mod successors;

use args::{Arguments, Command};
use console::ERROR;

fn main() -> ExitCode {
    signals::share_memory();
    let command = Arguments::parse().command;
    let has_input_format = matches!(command, Command::Maps(_) | Command::Convert(_));
    let result = match command {
        Command::Maps(arguments) => maps::run(&arguments),
        Command::Convert(arguments) => convert::run(&arguments),
        Command::Show(arguments) => show::run(&arguments),
        Command::Successors(arguments) => successors::run(&arguments),
        Command::Backends => backends::run(),
        Command::Completions { shell } => console::print(completions(shell).as_bytes()),
        Command::Man { folder } => manual(&folder),
    };
    let Err(error) = result else { return ExitCode::SUCCESS };
    if error.is::<console::Unread>() {
        return ExitCode::SUCCESS; // the reader has closed the output
    }
    // If standard error cannot be written either, there is nowhere to report it.
    let _ = match error.downcast_ref() {
        Some(setwise_table::Error::Invalid(bad)) => {
            writeln!(anstream::stderr(), "{}", invalid::Shown { bad, has_input_format })
        }
        _ => writeln!(anstream::stderr(), "{ERROR}error:{ERROR:#} {error:#}"),
    };
    ExitCode::FAILURE
}

/// Returns the completion script of a shell.
fn completions(shell: Shell) -> String {
    // Scripts would also offer the hidden options of `maps`.
    let mut program = Arguments::command().mut_subcommands(|command| {
        if command.get_name() != "maps" {
            return command;
        }
        let shown = command.get_arguments().filter(|argument| !argument.is_hide_set());
        let about = command.get_about().cloned().unwrap_or_default();
        clap::Command::new("maps").about(about).args(shown)
    });
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut program, "setwise", &mut script);
    // Without a letter, Bash would complete the hyphen that all options begin with. If no word is left, it completes files.
    let [all, fitting] = [r#"-W "${opts}""#, r#"-W "${opts}" -X "!${cur:-[^-]}*""#];
    String::from_utf8_lossy(&script).replace(all, fitting)
}

/// Writes one manual page for the program and one for each command.
fn manual(folder: &Path) -> Result<()> {
    clap_mangen::generate_to(Arguments::command(), folder)
        .with_context(|| format!("cannot write manual pages into {}", folder.display()))
}
