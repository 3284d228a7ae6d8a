//! Draws the pictures of `docs/how-it-works.md`, one SVG document each.
//!
//! `cargo run --example pictures` writes all of them to `docs/how-it-works/`. Their contents are computed, not typed: a
//! bit in a picture is a bit of the expression next to it. `tests/pictures.rs` compares the files with this program.

use std::path::Path;

mod drawings;
mod svg;

fn main() -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/how-it-works");
    std::fs::create_dir_all(&folder)?;
    for (name, document) in pictures() {
        std::fs::write(folder.join(name), document)?;
    }
    Ok(())
}

/// The pictures in the order of the page: the name of the file, and the document.
pub(crate) fn pictures() -> [(&'static str, String); 12] {
    [
        ("borrow.svg", drawings::borrow()),
        ("reversal.svg", drawings::reversal()),
        ("facing.svg", drawings::facing()),
        ("set.svg", drawings::set()),
        ("barrier.svg", drawings::barrier()),
        ("boards.svg", drawings::boards()),
        ("wrapped.svg", drawings::wrapped()),
        ("slicing.svg", drawings::slicing()),
        ("sweep.svg", drawings::sweep()),
        ("transpose.svg", drawings::transpose()),
        ("operations.svg", drawings::operations()),
        ("pin.svg", drawings::pin()),
    ]
}
