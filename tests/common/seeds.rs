//! Decodes the bytes of the fuzz targets, and lists their seeds, which the tests replay.

use std::path::Path;

use setwise::{Colour, Pieces, Role};

/// The seeds of a target, with their names; empty without the repository's `fuzz/`, as in a published crate.
pub(crate) fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let Ok(entries) = std::fs::read_dir(&folder) else {
        super::skipped(format_args!("there is no {}", folder.display()));
        return Vec::new();
    };
    let mut seeds: Vec<_> = entries
        .map(|entry| {
            let path = entry.expect("a folder that can be read").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read(&path).expect("a file that can be read"))
        })
        .collect();
    seeds.sort();
    assert!(!seeds.is_empty(), "{} is empty", folder.display());
    seeds
}

/// Three columns of boards. A row is 24 bytes; remaining bytes are ignored.
pub(crate) fn columns(bytes: &[u8]) -> [Vec<u64>; 3] {
    [0, 1, 2].map(|column| {
        let rows = bytes.as_chunks::<24>().0.iter();
        rows.map(|row| u64::from_le_bytes(row.as_chunks().0[column])).collect()
    })
}

/// Positions, consistent or not. Each is one byte for the form of the 64 that follow: either eight sets, of which those
/// of roles are made disjoint and those of colours are arbitrary, or a piece or none on each square.
pub(crate) fn positions(bytes: &[u8]) -> Vec<Pieces> {
    let position = |&[form, ref squares @ ..]: &[u8; 65]| {
        if form & 1 == 1 {
            let sets = squares.as_chunks().0;
            let mut sets = [0, 1, 2, 3, 4, 5, 6, 7].map(|i| u64::from_le_bytes(sets[i]));
            let mut taken = 0;
            for role in &mut sets[..6] {
                *role &= !taken;
                taken |= *role;
            }
            return Pieces::from_sets(sets);
        }
        let mut pieces = Pieces::EMPTY;
        for (square, &piece) in (0..).zip(squares) {
            let piece = usize::from(piece);
            if piece % 16 < 12 {
                pieces.put(Colour::ALL[piece % 2], Role::ALL[piece % 16 / 2], square);
            }
        }
        pieces
    };
    bytes.as_chunks::<65>().0.iter().map(position).collect()
}
