//! Runs the program in a temporary folder and reads its output.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::answers;
use crate::read::read;

/// Reports that a test is skipped, and why. (The output of `eprintln!` is shown only if a test fails.)
pub(crate) fn skipped(why: &str) {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    let _ = writeln!(std::io::stderr(), "skipped: {test}: {why}");
}

/// A temporary folder.
pub(crate) struct Folder(tempfile::TempDir);

/// The messages and the status of a run.
pub(crate) struct Outcome {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// The names of all files, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entry = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
        let mut names: Vec<_> =
            fs::read_dir(self.0.path()).unwrap().map(|e| entry(e).into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Waits until the folder contains this many files. An active run keeps its unfinished files here.
    pub(crate) fn wait_for(&self, files: usize) {
        let patience = std::time::Instant::now();
        while self.names().len() < files {
            assert!(patience.elapsed().as_secs() < 60, "only {:?}", self.names());
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
    }

    /// Prepares the program with arguments that are separated by blanks.
    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_setwise"));
        command.args(arguments.split_whitespace()).current_dir(self.0.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        command
    }

    /// Prepares a shell script whose `$0` and `$@` are the program and its arguments.
    #[cfg(unix)]
    pub(crate) fn shell(&self, script: &str, arguments: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script, env!("CARGO_BIN_EXE_setwise")]);
        command.args(arguments.split_whitespace()).current_dir(self.0.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, arguments: &str) -> Outcome {
        self.run_with(arguments, b"")
    }

    pub(crate) fn run_with(&self, arguments: &str, stdin: &[u8]) -> Outcome {
        let mut child = self.command(arguments).stdin(Stdio::piped()).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let output = std::thread::scope(|scope| {
            scope.spawn(move || pipe.write_all(stdin)); // it may end before it has read everything
            child.wait_with_output().unwrap()
        });
        Outcome {
            status: output.status.code(),
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs a command that must succeed without messages on standard error. Returns standard output.
    #[track_caller]
    pub(crate) fn succeed(&self, arguments: &str) -> Vec<u8> {
        self.succeed_with(arguments, b"")
    }

    #[track_caller]
    pub(crate) fn succeed_with(&self, arguments: &str, stdin: &[u8]) -> Vec<u8> {
        let outcome = self.run_with(arguments, stdin);
        assert_eq!((outcome.status, outcome.stderr.as_str()), (Some(0), ""), "{arguments}");
        outcome.stdout
    }

    /// Runs a command that must fail with this status and change no file. Returns standard error.
    #[track_caller]
    pub(crate) fn fail(&self, status: i32, arguments: &str) -> String {
        self.fail_with(status, &arguments.split_whitespace().collect::<Vec<_>>())
    }

    /// Runs a command that must fail, with arguments that can contain blanks.
    #[track_caller]
    pub(crate) fn fail_with(&self, status: i32, arguments: &[&str]) -> String {
        let before = self.names();
        let output = self.command("").args(arguments).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {said}");
        assert_eq!(self.names(), before, "{arguments:?}");
        said
    }

    /// Reads a Parquet file as columns of numbers.
    pub(crate) fn parquet(&self, name: &str) -> Vec<Vec<u64>> {
        read("parquet", self.read(name)).0.numbers
    }
}

/// The thousand positions of the project's sample.
pub(crate) fn sample() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/sample.epd");
    fs::read_to_string(path).unwrap()
}

/// Computes the expected sixteen columns of a file with these positions.
pub(crate) fn maps(text: &str) -> Vec<Vec<u64>> {
    let lines: Vec<&str> = text.lines().collect();
    answers::columns(&lines, &answers::default_names())
}
