//! The names of files: in messages, and the extensions of formats and compression.

use std::path::Path;

/// The name of an input in messages and tables, always on one line. Bytes that are not text are shown as numbers, so that
/// names that differ in them remain different.
#[must_use]
pub fn name(path: &Path) -> String {
    if is_stdin(path) {
        return "standard input".into();
    }
    let mut name = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        for character in chunk.valid().chars() {
            if character.is_control() {
                name.extend(character.escape_default());
            } else {
                name.push(character);
            }
        }
        name.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    name
}

/// Returns whether a path is `-`, which means standard input.
#[must_use]
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Returns the compression of a file by its extension: `gzip` or `zstd`.
#[must_use]
pub fn compression_of(path: &Path) -> Option<&'static str> {
    let extension = path.extension()?;
    let known = [("gz", "gzip"), ("zst", "zstd")];
    known.iter().find(|(known, _)| extension.eq_ignore_ascii_case(known)).map(|&(_, kind)| kind)
}

/// Returns the extension of a file, after that of its compression is removed.
#[must_use]
pub fn plain_extension(path: &Path) -> Option<&str> {
    match compression_of(path) {
        Some(_) => Path::new(path.file_stem()?).extension()?.to_str(),
        None => path.extension()?.to_str(),
    }
}
