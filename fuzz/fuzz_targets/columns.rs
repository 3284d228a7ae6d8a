//! Any positions, sensible or not: every backend's columns against one-square code.
#![no_main]

#[path = "../../tests/common/mod.rs"]
mod common;

use libfuzzer_sys::fuzz_target;
use setwise::{Colour, Pieces, Role};

// A position is a byte that says how to read the 64 after it: as eight sets, where those of roles are made
// disjoint and those of the colours may be anything; or as a piece or none on each square.
fuzz_target!(|bytes: &[u8]| {
    let rows = bytes.as_chunks::<65>().0.iter();
    let positions: Vec<Pieces> = rows
        .map(|&[form, ref squares @ ..]| {
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
        })
        .collect();
    common::oracles::columns(&positions);
});
