//! Output streams, and output files that get their names when they are complete. A file whose name ends in .gz or .zst
//! is compressed.
//!
//! A file is written under a temporary name in its folder and renamed at the end. After an error, and on Unix also if a
//! signal ends the program, the temporary file is removed and an older file stays unchanged. Only a power failure, a
//! signal that is not handled (`signals.rs`), or a folder that is renamed or becomes read-only during the run leaves a
//! temporary file (.setwise-NAME-*.part). Its lock ends with the process, so the next run that writes the same output in this
//! folder recognizes and removes it.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Component, Path, PathBuf, Prefix};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, bail};
use flate2::write::GzEncoder;
use same_file::Handle;
use tempfile::TempPath;

use crate::console::{self, STDOUT};
use crate::signals;

/// An output file or stream.
pub(crate) struct Output {
    name: String,
    is_stdout: bool,
    writer: Sink,
    /// The paths of a file; none for standard output, and for a device or a pipe, which cannot be replaced by renaming.
    file: Option<Paths>,
}

/// The temporary path and the final path of a file.
struct Paths {
    part: PathBuf,
    path: PathBuf,
}

/// A file, plain or compressed.
enum Sink {
    Plain(BufWriter<File>),
    Gzip(GzEncoder<BufWriter<File>>),
    Zstd(zstd::Encoder<'static, BufWriter<File>>),
}

impl Sink {
    /// Compresses a file as its name says.
    fn new(file: File, path: &Path) -> io::Result<Self> {
        let file = BufWriter::new(file);
        Ok(match setwise_files::compression_of(path) {
            Some("gzip") => Self::Gzip(GzEncoder::new(file, flate2::Compression::default())),
            Some(_) => Self::Zstd(zstd::Encoder::new(file, zstd::DEFAULT_COMPRESSION_LEVEL)?),
            None => Self::Plain(file),
        })
    }

    fn file(&self) -> &File {
        match self {
            Self::Plain(file) => file.get_ref(),
            Self::Gzip(encoder) => encoder.get_ref().get_ref(),
            Self::Zstd(encoder) => encoder.get_ref().get_ref(),
        }
    }

    fn as_write(&mut self) -> &mut dyn Write {
        match self {
            Self::Plain(file) => file,
            Self::Gzip(encoder) => encoder,
            Self::Zstd(encoder) => encoder,
        }
    }

    /// Writes the end of the compressed data, then everything that is buffered.
    fn finish(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(file) => file.flush(),
            Self::Gzip(encoder) => encoder.try_finish().and_then(|()| encoder.get_mut().flush()),
            Self::Zstd(encoder) => encoder.do_finish().and_then(|()| encoder.get_mut().flush()),
        }
    }
}

/// The temporary files of outputs that are not complete yet.
static UNFINISHED: Mutex<Vec<TempPath>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<TempPath>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Output {
    /// Opens a destination, which must be neither one of the inputs nor another output.
    pub(crate) fn create(path: &Path, inputs: &[PathBuf], others: &[&Self]) -> Result<Self> {
        let is_stdout = is_stdout(path);
        let name = match path.as_os_str() == "-" {
            true => STDOUT.to_owned(),
            false => setwise_files::name(path),
        };
        let wrong = || format!("cannot write {name}");
        let stream = |file: io::Result<File>| {
            let file = file.with_context(wrong)?;
            check_distinct(&file, inputs, others, &name)?;
            let writer = Sink::new(file, path).with_context(wrong)?;
            Ok(Self { name: name.clone(), is_stdout, writer, file: None })
        };
        if is_stdout {
            return stream(stdout());
        }
        let descriptor = descriptor(path);
        let path = &resolve(path).with_context(wrong)?;
        if is_device(path) {
            return stream(File::options().write(true).open(path));
        }
        let older = match fs::metadata(path) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error).with_context(wrong),
        };
        if let Some(older) = &older {
            if older.is_dir() {
                bail!("cannot write {name}: it is a directory");
            }
            match descriptor {
                Some(number) if older.is_file() => return stream(opened(&number, path)),
                _ if !older.is_file() => return stream(File::options().write(true).open(path)),
                _ => {}
            }
            if older.permissions().readonly() {
                bail!("cannot write {name}: it is read-only");
            }
            check_distinct(&File::open(path).with_context(wrong)?, inputs, others, &name)?;
        } else if let Some(other) = others.iter().find(|other| other.belongs_to(path)) {
            return Err(one_file(&other.name, &name));
        }
        install_clean_up().context("cannot start the thread for signals")?;
        let folder = path.parent().expect("a file is in a folder");
        fs::metadata(folder).with_context(wrong)?;
        let prefix = prefix_of(path);
        remove_abandoned(folder, &prefix);
        // Hold the lock meanwhile, so that a signal finds either no file or a complete entry.
        let mut unfinished = unfinished();
        let (file, part) = locked_part(folder, &prefix).with_context(wrong)?;
        if let Some(older) = older {
            file.set_permissions(older.permissions()).with_context(wrong)?;
        }
        // Up to here a failure removes the file; from here on, dropping the output does.
        let paths = Paths { part: part.to_path_buf(), path: path.clone() };
        unfinished.push(part);
        drop(unfinished);
        let writer = Sink::new(file, path).with_context(wrong)?;
        Ok(Self { name, is_stdout, writer, file: Some(paths) })
    }

    /// The name of the output in messages.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn is_stdout(&self) -> bool {
        self.is_stdout
    }

    /// Returns whether the name asks for gzip or zstd.
    pub(crate) fn is_compressed(&self) -> bool {
        !matches!(self.writer, Sink::Plain(_))
    }

    fn belongs_to(&self, path: &Path) -> bool {
        let is_equal = |file: &Paths| match cfg!(any(windows, target_os = "macos")) {
            true => file.path.as_os_str().eq_ignore_ascii_case(path),
            false => file.path == path,
        };
        self.file.as_ref().is_some_and(is_equal)
    }

    /// Returns whether the output is a plain file, which [`Self::rewrite`] requires.
    pub(crate) fn can_rewrite(&self) -> bool {
        self.file.is_some() && !self.is_compressed()
    }

    /// Overwrites the start of the file.
    pub(crate) fn rewrite(&mut self, head: &[u8]) -> io::Result<()> {
        let Sink::Plain(file) = &mut self.writer else {
            return Err(io::ErrorKind::NotSeekable.into());
        };
        file.seek(SeekFrom::Start(0))?; // seeking writes the buffer first
        file.write_all(head)
    }

    /// Writes the remaining data of all outputs, then renames the files, in this order.
    pub(crate) fn finish(mut outputs: Vec<Self>) -> Result<()> {
        for output in &mut outputs {
            let written = output.writer.finish().and_then(|()| match &output.file {
                // If a path has become a folder, rename no file.
                Some(Paths { path, .. }) if path.is_dir() => {
                    File::options().write(true).open(path).map(drop)
                }
                _ => Ok(()),
            });
            written.map_err(|error| output.not_written(error))?;
        }
        // Hold the lock until all files are renamed, so that a signal acts before or after.
        let mut unfinished = unfinished();
        for output in &outputs {
            let Some(Paths { part, path }) = &output.file else { continue };
            let place = unfinished.iter().position(|other| **other == **part);
            let part = unfinished.swap_remove(place.expect("a file is renamed once"));
            part.persist(path).map_err(|error| output.not_written(error.error))?;
        }
        Ok(())
    }

    /// The error for a failed write.
    pub(crate) fn not_written(&self, error: io::Error) -> anyhow::Error {
        console::not_written(&error, self.is_stdout(), &self.name)
    }
}

const SUFFIX: &str = ".part";

/// The prefix of the names of an output's temporary files. Random letters and digits and [`SUFFIX`] follow.
fn prefix_of(path: &Path) -> OsString {
    let mut prefix = OsString::from(".setwise-");
    // Omit a name that would make the temporary name too long for file systems.
    if let Some(name) = path.file_name().filter(|name| name.len() <= 200) {
        prefix.extend([name, OsStr::new("-")]);
    }
    prefix
}

/// Removes the temporary files of killed runs, which are not locked. Ignores errors.
fn remove_abandoned(folder: &Path, prefix: &OsStr) {
    let is_ours = |name: &OsStr| {
        let random = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes());
        let random = random.and_then(|rest| rest.strip_suffix(SUFFIX.as_bytes()));
        random
            .is_some_and(|random| random.len() == 6 && random.iter().all(u8::is_ascii_alphanumeric))
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if is_ours(&entry.file_name())
            && entry.file_type().is_ok_and(|kind| kind.is_file())
            && let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Creates a temporary file, and locks it while it is open.
fn locked_part(folder: &Path, prefix: &OsStr) -> io::Result<(File, TempPath)> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix).suffix(SUFFIX);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    loop {
        let (file, part) = builder.tempfile_in(folder)?.into_parts();
        // Without locks in the system, other runs cannot lock the file either.
        let _ = file.lock();
        // Another run may have removed the file before it was locked.
        if part.exists() {
            return Ok((file, part));
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.as_write().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.as_write().flush()
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some(Paths { part, .. }) = &self.file {
            unfinished().retain(|other| **other != **part);
        }
    }
}

/// Opens standard output without a buffer. Fails if it is closed.
fn stdout() -> io::Result<File> {
    if signals::stdout_was_closed() {
        return Err(io::Error::other("it is closed"));
    }
    #[cfg(unix)]
    let owned = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned()?;
    #[cfg(windows)]
    let owned = std::os::windows::io::AsHandle::as_handle(&io::stdout()).try_clone_to_owned()?;
    Ok(owned.into())
}

/// Opens a file that is open already, as a descriptor of this process. On Linux, opening the path of a descriptor opens the
/// file again, with a position of its own. So unless all append, what others write there would overwrite the output.
fn opened(number: &OsStr, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    if number == "2" {
        return Ok(std::os::fd::AsFd::as_fd(&io::stderr()).try_clone_to_owned()?.into());
    }
    const MODE: u32 = 0o3;
    const APPEND: u32 = 0o2000;
    let facts = fs::read_to_string(Path::new("/proc/self/fdinfo").join(number));
    let flags = facts
        .iter()
        .flat_map(|facts| facts.lines())
        .find_map(|fact| u32::from_str_radix(fact.strip_prefix("flags:")?.trim(), 8).ok());
    match flags {
        Some(flags) if flags & MODE == 0 => Err(io::Error::other("it is open for reading only")),
        Some(flags) if flags & APPEND == 0 => {
            let number = number.display();
            let advice =
                format!("it is a file that others may overwrite; redirect it with {number}>>");
            Err(io::Error::other(advice))
        }
        _ => File::options().append(true).open(path),
    }
}

/// Returns the absolute path of a file that exists or will be created, with links in its folder resolved. If the path
/// is a link, the result is its target, even if that does not exist.
fn resolve(path: &Path) -> io::Result<PathBuf> {
    // Before the canonical path of its folder turns off the rules of Windows for names: NUL is a device, and dots and blanks
    // at the end of a name are dropped.
    #[cfg(windows)]
    let path = &std::path::absolute(path)?;
    if is_device(path) {
        return Ok(path.to_owned());
    }
    if let Ok(path) = fs::canonicalize(path) {
        return Ok(path);
    }
    if fs::metadata(path).is_ok() {
        return Ok(path.to_owned()); // a pipe of this process has no other name
    }
    follow(path, |_| false)
}

/// Returns whether a path is a device of Windows, such as `\\.\NUL`.
fn is_device(path: &Path) -> bool {
    let prefix = path.components().next();
    matches!(prefix, Some(Component::Prefix(of)) if matches!(of.kind(), Prefix::DeviceNS(_)))
}

/// Returns whether an output is standard output: `-`, or a path that leads to it, as /dev/stdout. If that is a file, opening it
/// again would overwrite it from its start, and replacing it would take it away from others that write to it.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-" || descriptor(path).is_some_and(|number| number == "1")
}

/// Returns the number of the descriptor of this process to which a path leads, as /dev/stderr or /dev/fd/3.
pub(crate) fn descriptor(path: &Path) -> Option<OsString> {
    let folders = ["/dev/fd", "/proc/self/fd", "/proc/thread-self/fd"];
    let folders = folders.map(|folder| fs::canonicalize(folder).ok());
    let is_descriptor = |path: &Path| {
        path.parent().is_some_and(|folder| folders.iter().flatten().any(|ours| ours == folder))
    };
    let path = follow(path, is_descriptor).ok()?;
    is_descriptor(&path).then(|| path.file_name().map(OsStr::to_owned)).flatten()
}

/// Follows links to the first path that `is_end`, otherwise to their end, which need not exist. The result is absolute, with
/// links in its folder resolved.
fn follow(path: &Path, is_end: impl Fn(&Path) -> bool) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..40 {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let folder = fs::canonicalize(folder)?;
        let name = path.file_name().ok_or(io::ErrorKind::NotFound)?;
        let full = folder.join(name);
        match fs::read_link(&full) {
            Ok(target) if !is_end(&full) => path = folder.join(target),
            _ => return Ok(full),
        }
    }
    Err(io::Error::other("too many links"))
}

/// Fails if an output is also an input or another output.
fn check_distinct(file: &File, inputs: &[PathBuf], others: &[&Output], name: &str) -> Result<()> {
    let handle = |file: &File| file.try_clone().and_then(Handle::from_file).ok();
    let Some(output) = handle(file) else { return Ok(()) };
    if Handle::from_path("/dev/null").is_ok_and(|null| null == output) {
        return Ok(()); // writing to it overwrites no data
    }
    let is_file = file.metadata().is_ok_and(|metadata| metadata.is_file());
    for input in inputs.iter().filter(|_| is_file) {
        let handle = match setwise_files::is_stdin(input) {
            true => Handle::stdin().ok(),
            // Do not open pipes, because that would disturb them.
            false if input.is_file() => Handle::from_path(input).ok(),
            false => None,
        };
        if handle.is_some_and(|handle| handle == output) {
            bail!("{} is both input and output", setwise_files::name(input));
        }
    }
    for other in others {
        let theirs = match &other.file {
            Some(Paths { path, .. }) => Handle::from_path(path).ok(),
            None => handle(other.writer.file()),
        };
        if theirs.is_some_and(|theirs| theirs == output) {
            return Err(one_file(&other.name, name));
        }
    }
    Ok(())
}

fn one_file(a: &str, b: &str) -> anyhow::Error {
    anyhow::anyhow!("{a} and {b} are the same file, and one output would overwrite the other")
}

/// Installs a handler so that a signal that ends the program first removes unfinished files.
fn install_clean_up() -> io::Result<()> {
    static DONE: Mutex<bool> = Mutex::new(false);
    let mut done = DONE.lock().unwrap_or_else(PoisonError::into_inner);
    if !*done {
        signals::on_end(|| {
            let mut files = unfinished();
            files.clear();
            std::mem::forget(files); // the lock is never released, so no file is renamed after this
        })?;
        *done = true;
    }
    Ok(())
}
