//! Console output: text on standard output, and write errors.

use std::error::Error;
use std::fmt;
use std::io::{self, IsTerminal as _, Write};
use std::sync::Arc;

use anstyle::{AnsiColor, Style};
use indicatif::{HumanCount, ProgressBar};
use setwise_files::Progress;
use setwise_table::Report;

use crate::signals;

/// The style in which clap prints the word "error".
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();

/// Writes to standard output. `print!` would panic if the reader has closed it.
pub(crate) fn print(text: &[u8]) -> anyhow::Result<()> {
    if signals::stdout_was_closed() {
        anyhow::bail!("cannot write {STDOUT}: it is closed");
    }
    let mut out = anstream::stdout().lock();
    out.write_all(text)
        .and_then(|()| out.flush())
        .map_err(|error| not_written(&error, true, STDOUT))
}

/// Prints the closing lines of a run: on standard output; or, if the result is written there, on standard error if it is
/// a terminal or `always`. A failure to print is not an error, because the output is complete.
pub(crate) fn close(text: &str, is_stdout: bool, always: bool) {
    if !is_stdout {
        let _ = print(text.as_bytes());
    } else if always || io::stderr().is_terminal() {
        let _ = anstream::stderr().write_all(text.as_bytes());
    }
}

/// Reports skipped rows on standard error.
pub(crate) fn skipped(counts: &[(u64, &str)]) {
    let some = counts.iter().filter(|(count, _)| *count > 0);
    let some: Vec<_> = some.map(|&(count, one)| counted(count, one)).collect();
    if !some.is_empty() {
        let _ = writeln!(anstream::stderr(), "{} skipped", some.join(", "));
    }
}

/// Formats a line for each count that is not 0: the count with its noun, and what was done.
pub(crate) fn notes(counts: &[(u64, &str, &str)]) -> String {
    let some = counts.iter().filter(|(count, ..)| *count > 0);
    some.map(|(count, one, done)| format!("{} {done}\n", counted(*count, one))).collect()
}

/// Formats a line for each tag that no game has.
pub(crate) fn missing_tags(report: &Report) -> String {
    let missing = report.tags.iter().filter(|(_, games)| **games == 0 && report.games > 0);
    missing.map(|(tag, _)| format!("no game has the tag `{tag}`\n")).collect()
}

/// Formats a count with its noun: `1 position`, `2,000 positions`.
pub(crate) fn counted(count: u64, one: &str) -> String {
    let many = if count == 1 { "" } else { "s" };
    format!("{} {one}{many}", HumanCount(count))
}

/// The name of standard output in messages.
pub(crate) const STDOUT: &str = "standard output";

/// The reader has closed standard output. The run ends successfully.
#[derive(Debug)]
pub(crate) struct Unread;

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nobody reads standard output")
    }
}

impl Error for Unread {}

/// The error for an output that cannot be written. `error` is an I/O error, or caused by one.
pub(crate) fn not_written(
    error: &(dyn Error + 'static),
    is_stdout: bool,
    name: &str,
) -> anyhow::Error {
    let cause = error.downcast_ref().or_else(|| error.source()?.downcast_ref());
    if is_stdout && cause.is_some_and(is_closed_pipe) {
        return Unread.into();
    }
    anyhow::anyhow!("{error}").context(format!("cannot write {name}"))
}

/// Returns whether the reader of a pipe has closed it. Windows has three codes for this.
fn is_closed_pipe(error: &io::Error) -> bool {
    const NO_DATA: i32 = 232;
    const PIPE_NOT_CONNECTED: i32 = 233;
    error.kind() == io::ErrorKind::BrokenPipe
        || cfg!(windows) && matches!(error.raw_os_error(), Some(NO_DATA | PIPE_NOT_CONNECTED))
}

/// Counts the bytes that are read on a progress bar.
pub(crate) fn on_bar(progress: &ProgressBar) -> Progress {
    let progress = progress.clone();
    Arc::new(move |bytes| progress.inc(bytes))
}

#[cfg(test)]
mod tests {
    use setwise_formats::{Format, Records, Writer};

    use super::*;

    /// A pipe whose writer gets this error.
    struct Pipe(fn() -> io::Error);

    impl Write for Pipe {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err((self.0)())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_closed_pipe_is_not_read_and_other_errors_are_named_once() {
        let mut records = Records::new();
        records.push_fen(&"4k3/8/8/8/8/8/8/4K3 w - - 0 1".parse().expect("a position"));
        let is_unread = |pipe: fn() -> io::Error, is_stdout| {
            let mut writer = Writer::new(Format::Marlin, Pipe(pipe)).expect("a format to write");
            let of_writer = writer.write(&records).expect_err("an error");
            let of_writer = not_written(&of_writer, is_stdout, "it");
            let error = not_written(&pipe(), is_stdout, "it");
            assert_eq!(error.is::<Unread>(), of_writer.is::<Unread>());
            if !error.is::<Unread>() {
                assert_eq!(format!("{error:#}"), format!("cannot write it: {}", pipe()));
                assert_eq!(format!("{of_writer:#}").matches(&pipe().to_string()).count(), 1);
            }
            error.is::<Unread>()
        };
        let closed: fn() -> io::Error = || io::ErrorKind::BrokenPipe.into();
        assert!(is_unread(closed, true) && !is_unread(closed, false));
        assert!(!is_unread(|| io::Error::other("no space"), true));
        assert_eq!(is_unread(|| io::Error::from_raw_os_error(232), true), cfg!(windows));
        assert_eq!(is_unread(|| io::Error::from_raw_os_error(233), true), cfg!(windows));
    }
}
