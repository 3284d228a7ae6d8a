//! The `setwise` program computes attack maps for files of chess positions and shows them for one position.
//!
//! This file only dispatches the command, and turns errors into one line and an exit status: 1 for errors at run time,
//! 2 (by clap) for wrong arguments.
#![deny(unsafe_code)]

use std::fs;
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
use output::Output;

fn main() -> ExitCode {
    signals::share_memory();
    let command = match Arguments::try_parse() {
        Ok(arguments) => Ok(arguments.command),
        Err(error) if error.use_stderr() => error.exit(),
        Err(help_or_version) => Err(help_or_version),
    };
    let has_input_format = matches!(command, Ok(Command::Maps(_) | Command::Convert(_)));
    let result = command
        .map_or_else(|asked| console::print(asked.render().ansi().to_string().as_bytes()), run);
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

fn run(command: Command) -> Result<()> {
    match command {
        Command::Maps(arguments) => maps::run(&arguments),
        Command::Convert(arguments) => convert::run(&arguments),
        Command::Show(arguments) => show::run(&arguments),
        Command::Successors(arguments) => successors::run(&arguments),
        Command::Backends => backends::run(),
        Command::Completions { shell } => console::print(completions(shell).as_bytes()),
        Command::Man { folder } => manual(&folder),
    }
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
    fs::metadata(folder)
        .with_context(|| format!("cannot write manual pages into {}", folder.display()))?;
    let mut program = Arguments::command().disable_help_subcommand(true);
    program.build();
    let commands = program.get_subcommands().filter(|command| !command.is_hide_set());
    let mut outputs: Vec<Output> = Vec::new();
    for command in commands.chain([&program]) {
        let page = clap_mangen::Man::new(command.clone());
        let others: Vec<_> = outputs.iter().collect();
        let mut output = Output::create(&folder.join(page.get_filename()), &[], &others)?;
        page.render(&mut output).map_err(|error| output.not_written(error))?;
        outputs.push(output);
    }
    Output::finish(outputs)
}
