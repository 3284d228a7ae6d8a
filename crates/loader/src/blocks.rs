//! The blocks of binpack, found by their heads.

use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use crate::error::Error;
use crate::units::Place;

/// Finds the games in the blocks of binpack, by the heads of the blocks.
pub(crate) fn blocks(
    path: &Path,
    mut file: impl Read + Seek,
    bytes: u64,
) -> Result<Vec<Place>, Error> {
    let named = |error| Error::reading(path, error);
    let (mut blocks, mut start) = (Vec::new(), 0);
    while start < bytes {
        file.seek(SeekFrom::Start(start)).map_err(named)?;
        let mut head = Vec::new();
        file.by_ref().take(HEAD).read_to_end(&mut head).map_err(named)?;
        let end = end_of_block(path, start, &head, bytes)?;
        blocks.push(Place { range: start + HEAD..end, first: start });
        start = end;
    }
    Ok(blocks)
}

/// The size of the head of a block of binpack.
pub(crate) const HEAD: u64 = 8;

/// Returns the end of the block of binpack with this head, in a file of `bytes` bytes.
pub(crate) fn end_of_block(path: &Path, start: u64, head: &[u8], bytes: u64) -> Result<u64, Error> {
    let wrong_at = |what| Error::Invalid(format!("{}: byte {start}: {what}", path.display()));
    let &[b'B', b'I', b'N', b'P', a, b, c, d, ..] = head else {
        return Err(wrong_at("expected \"BINP\" and a size where a block begins"));
    };
    let end = start + HEAD + u64::from(u32::from_le_bytes([a, b, c, d]));
    if end > bytes {
        return Err(wrong_at("the file ends within the block that begins here"));
    }
    Ok(end)
}
