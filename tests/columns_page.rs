//! `docs/columns.md` is written from the table of columns: this test compares them, and writes the page anew where
//! `SETWISE_WRITE` is set.

use std::fmt::Write as _;
use std::path::Path;

use setwise::{Column, ValueType};

const HEAD: &str = "\
# Columns

The library's `Kernel::fill` and the program's `setwise maps --columns` fill any of these. A `u64` is a set of \
squares with a bit for each: a1 is bit 0, h1 is bit 7, h8 is bit 63. A `u16` is a number.

The first eight of each side are the attack maps, the sixteen columns that the program writes unless it is told \
otherwise. What they mean exactly:

- A square is attacked if a piece could capture an enemy there. Squares of the side's own pieces are in the map: \
those pieces are defended.
- Pins are ignored, and so is whose turn it is. A pinned rook attacks everything on its lines.
- Pawns attack the two squares diagonally ahead, occupied or not. Pushes, en passant and castling attack nothing.
- All pieces of both colours block, the enemy's king too. A ray includes the piece that ends it and nothing behind.
- `twice` counts pieces. One that waits behind another in a battery does not count.
- Any number of kings is fine, none included. No rule of the game is checked.

Where readers of other programs may expect something else:

- `lesser`: a knight and a bishop are worth the same, so neither attacks the other *as a lesser piece*; kings are \
left out, both as attackers and as victims.
- `hanging`: kings count, so a king in check that nothing defends is hanging.
- `ring`: the squares next to the king without its own square; of several kings the union of their rings. An attack \
by two pieces on one square counts twice.
- `pinned`: absolutely pinned, to any king of the side. With several kings, a king that stands between another and a \
slider is pinned too.
- `king_danger`: every king of the side leaves the board, so that none hides the squares behind it.
- `count_0` to `count_4` are bit planes: the number of attackers of a square is the sum of `2^i` over the planes `i` \
that have it.

| column | type | meaning |
|---|---|---|
";

fn page() -> String {
    let mut page = HEAD.to_owned();
    for column in Column::ALL {
        let value_type = match column.value_type() {
            ValueType::U64 => "`u64`",
            ValueType::U16 => "`u16`",
            other => panic!("the page has no word for {other:?}"),
        };
        let _ = writeln!(page, "| `{}` | {value_type} | {} |", column.name(), column.meaning());
    }
    page
}

#[test]
#[cfg_attr(target_arch = "wasm32", ignore = "the page lies outside of what Node shows the tests")]
fn the_page_is_what_the_table_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/columns.md");
    if std::env::var_os("SETWISE_WRITE").is_some() {
        std::fs::write(&path, page()).expect("the page can be written");
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(
        there == page(),
        "docs/columns.md is not what the table of columns says; \
         write it with SETWISE_WRITE=1 cargo test --test columns_page"
    );
}
