//! Bytes out: a file that appears under its name only when it is complete, or a stream.
//!
//! A file is written under another name beside its place and renamed at the end. Whatever goes wrong on
//! the way, and on Unix also Ctrl-C, removes what there is of it and leaves an older file alone. Where
//! Ctrl-C is not caught, it leaves the older file too, and beside it what there is, under the other name.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, bail};
use same_file::Handle;
use tempfile::TempPath;

/// Somewhere to write to.
pub(crate) struct Output {
    name: String,
    writer: BufWriter<Box<dyn Write + Send>>,
    /// The same file again, if one can go back in it.
    file: Option<File>,
    /// Where it lies now, and where it belongs.
    rename: Option<(PathBuf, PathBuf)>,
}

/// The files that are not complete.
static UNFINISHED: Mutex<Vec<TempPath>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<TempPath>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Output {
    /// Opens a place to write to, which must not be one of the inputs.
    pub(crate) fn create(path: &Path, inputs: &[PathBuf]) -> Result<Self> {
        if path.as_os_str() == "-" {
            refuse_input(&Handle::stdout().context("cannot write to standard output")?, inputs)?;
            return Ok(Self::stream("standard output".into(), Box::new(io::stdout())));
        }
        let name = path.display().to_string();
        let wrong = || format!("cannot write {name}");
        // A link stays a link: the file it leads to is the one to replace.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let older = match fs::metadata(&path) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error).with_context(wrong),
        };
        if let Some(older) = &older {
            if older.is_dir() {
                bail!("cannot write {name}: it is a directory");
            }
            if !older.is_file() {
                // A device or a pipe cannot be replaced.
                let file = File::options().write(true).open(&path).with_context(wrong)?;
                return Ok(Self::stream(name, Box::new(file)));
            }
            if older.permissions().readonly() {
                bail!("cannot write {name}: it is read-only");
            }
            refuse_input(&Handle::from_path(&path).with_context(wrong)?, inputs)?;
        }
        clean_up_when_interrupted();
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        fs::metadata(folder).with_context(wrong)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".setwise-").suffix(".part");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        // The lock is held meanwhile, so that an interrupt finds either nothing or all of it.
        let mut unfinished = unfinished();
        let (file, part) = builder.tempfile_in(folder).with_context(wrong)?.into_parts();
        let writer: Box<dyn Write + Send> = Box::new(file.try_clone().with_context(wrong)?);
        if let Some(older) = older {
            file.set_permissions(older.permissions()).with_context(wrong)?;
        }
        // Up to here a failure removes the file; from here on whoever drops the output does.
        let rename = Some((part.to_path_buf(), path));
        unfinished.push(part);
        drop(unfinished);
        Ok(Self { name, writer: BufWriter::new(writer), file: Some(file), rename })
    }

    fn stream(name: String, writer: Box<dyn Write + Send>) -> Self {
        Self { name, writer: BufWriter::new(writer), file: None, rename: None }
    }

    /// The name by which messages call it.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Whether both would end as the same file.
    pub(crate) fn collides(&self, other: &Self) -> bool {
        match (&self.rename, &other.rename) {
            (Some((_, path)), Some((_, other))) => path == other,
            _ => self.name == other.name,
        }
    }

    /// Whether [`Self::rewrite`] works.
    pub(crate) fn can_rewrite(&self) -> bool {
        self.file.is_some()
    }

    /// Overwrites the beginning.
    pub(crate) fn rewrite(&mut self, head: &[u8]) -> io::Result<()> {
        self.writer.flush()?;
        let mut file = self.file.as_ref().ok_or(io::ErrorKind::NotSeekable)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(head)
    }

    /// Writes what is left, and gives the file its name.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.writer.flush()?;
        if let Some((part, path)) = self.rename.take() {
            // Held until the file has its name: an interrupt comes before or after.
            let mut unfinished = unfinished();
            let place = unfinished.iter().position(|other| **other == *part);
            let part = unfinished.swap_remove(place.expect("a file is removed once"));
            part.persist(path).map_err(|error| error.error)?;
        }
        Ok(())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some((part, _)) = &self.rename {
            unfinished().retain(|other| **other != **part);
        }
    }
}

/// Fails if one of the inputs is this very file.
fn refuse_input(output: &Handle, inputs: &[PathBuf]) -> Result<()> {
    let is_file = output.as_file().metadata().is_ok_and(|metadata| metadata.is_file());
    for input in inputs.iter().filter(|_| is_file) {
        let handle = match crate::input::is_stdin(input) {
            true => Handle::stdin().ok(),
            // Opening a pipe only to look at it would disturb it.
            false if input.is_file() => Handle::from_path(input).ok(),
            false => None,
        };
        if handle.is_some_and(|handle| handle == *output) {
            bail!("{} is both input and output", crate::input::name(input));
        }
    }
    Ok(())
}

/// From now on Ctrl-C (and SIGTERM) removes unfinished files before it ends the program.
///
/// SIGHUP is left alone, because `nohup` works by having it ignored.
#[cfg(unix)]
fn clean_up_when_interrupted() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::{iterator::Signals, low_level::emulate_default_handler};

    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
        std::thread::spawn(move || {
            for signal in &mut signals {
                let mut files = unfinished(); // never given back: nothing is renamed after this
                files.clear();
                let _ = emulate_default_handler(signal);
            }
        });
    });
}

#[cfg(not(unix))]
fn clean_up_when_interrupted() {}
