//! `docs/columns.md` is generated from the catalogue of columns. This test compares them, and rewrites the page if
//! `SETWISE_WRITE` is set.

use std::fmt::Write as _;
use std::path::Path;

use setwise::columns::PRESETS;
use setwise::{Needs, Shape};
use setwise_nnue::Column;

const HEAD: &str = "\
# Columns

The program, Python and C fill any of these columns, under the same names. In Rust, `Kernel::fill` fills those of the \
library, and `setwise_nnue::columns::fill` also attackers of each square, threats and network inputs. A `u64` is a set of \
squares with one bit for each: a1 is bit 0, h1 is bit 7, h8 is bit 63. Smaller types are numbers. The length of a list \
depends on the position. A cheap column alone (pawns, kings, checking squares) costs two to five times as much as a \
loop with tables, because reading the positions takes most of the time: fill it together with others.

The first eight of each side are the attack maps, the sixteen default columns. Their exact meaning:

- A square is attacked if a piece could capture an enemy there. Squares of the side's own pieces are in the map: \
those pieces are defended.
- Pins are ignored, and so is the side to move. A pinned rook attacks everything on its lines.
- Pawns attack the two squares diagonally ahead, occupied or not. Pushes, en passant and castling attack nothing.
- All pieces of both colours block, the enemy's king too. A ray includes the piece that ends it, and nothing behind it.
- `twice` counts pieces. A piece behind another one in a battery does not count.
- Any number of kings is allowed, including none. No rule of the game is checked.

Some definitions may differ from those of other programs:

- `lesser`: knights and bishops have the same value, so neither attacks the other *as a lesser piece*; kings are \
excluded, both as attackers and as victims.
- `hanging`: kings count, so an undefended king in check is hanging.
- `ring`: the squares next to the king, without its own square; with several kings, the union of their rings. \
Attacks by two pieces on one square count twice.
- `pinned`: absolutely pinned, to any king of the side. With several kings, a king that stands between another and a \
slider is pinned too.
- `king_danger`: every king of the side is taken off the board, so that none hides the squares behind it.
- `count_0` to `count_4` are bit planes: the number of attackers of a square is the sum of `2^i` over the planes `i` \
that contain it.
- `attackers` are these numbers, one byte a square. `battery_attackers` also count sliders behind sliders of their side that \
move along the same line: of two rooks on a file, both attack the squares in front of them.
- `threats` lists pairs in an order that is the same for every kernel; `setwise-nnue` defines it.
- The features depend on a feature set, which is selected by name together with the column.

";

const TABLE: &str = "\
| column | type | needs | meaning |
|---|---|---|---|
";

const SETS: &str = "
Presets select several columns, but never lists:

| name | patterns | meaning |
|---|---|---|
";

/// A preset of columns that are not in this catalogue.
const BOARD: &str = "
The program and Python have another preset, `board`: the position itself, as `pawns`, `knights`, `bishops`, `rooks`, `queens`, \
`kings`, `white`, `black` and `turn`. Their `all` has these columns too. bulletformat has no `turn`, so name the columns or other \
presets for it. A pattern, such as `e*`, selects only columns that the input has and the output can hold.
";

fn page() -> String {
    let mut page = HEAD.to_owned() + TABLE;
    for column in Column::ALL {
        let value_type = column.value_type();
        let holds = match column.shape() {
            Shape::Value => format!("`{value_type}`"),
            Shape::List => format!("list of `{value_type}`"),
            Shape::Array(count) => format!("{count} × `{value_type}`"),
            other => panic!("the page has no word for {other:?}"),
        };
        let needs = match (column.needs(), column.needs_feature_set()) {
            (Needs::Pieces, false) => "pieces",
            (Needs::Pieces, true) => "pieces, feature set",
            (Needs::Turn, _) => "turn",
            (Needs::State, _) => "turn, castling, en passant",
            other => panic!("the page has no word for {other:?}"),
        };
        let (name, meaning) = (column.name(), column.meaning());
        let _ = writeln!(page, "| `{name}` | {holds} | {needs} | {meaning} |");
    }
    page += SETS;
    for preset in PRESETS {
        let patterns = match preset.patterns {
            [pattern] => format!("`{pattern}`"),
            _ => "the attack maps".to_owned(),
        };
        let _ = writeln!(page, "| `{}` | {patterns} | {} |", preset.name, preset.meaning);
    }
    page + BOARD
}

#[test]
fn the_page_is_what_the_catalogue_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/columns.md");
    if std::env::var_os("SETWISE_WRITE").is_some() {
        std::fs::write(&path, page()).expect("the page can be written");
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(
        there == page(),
        "docs/columns.md is not what the catalogue says; \
         write it with SETWISE_WRITE=1 cargo test -p setwise-nnue columns_page"
    );
}
