//! Selects columns by names, patterns and presets, from the library's catalogue and from a larger one.
use std::sync::LazyLock;

use setwise::columns::{
    Catalogue, Description, PRESETS, Preset, SelectionError, nearest_name, select,
};
use setwise::{Column, Needs, Shape, ValueType};

/// The names that a selection returns, or its error message.
fn chosen<C: Catalogue>(names: &str) -> Result<Vec<&'static str>, String> {
    let columns = select::<C>(names.split(',')).map_err(|error| error.to_string())?;
    Ok(columns.into_iter().map(|column| column.description().name).collect())
}

fn of_library(names: &str) -> Result<Vec<&'static str>, String> {
    chosen::<Column>(names)
}

#[test]
fn names_choose_in_their_order() {
    let names = "legal_moves, white_all ,checkers,black_mobility_king";
    let expected = ["legal_moves", "white_all", "checkers", "black_mobility_king"];
    assert_eq!(of_library(names), Ok(expected.to_vec()));
    assert_eq!(select::<Column>([""; 0]), Ok(vec![]));
    for column in Column::ALL {
        assert_eq!(select([column.name()]), Ok(vec![*column]));
    }
}

#[test]
fn patterns_skip_what_is_chosen() {
    assert_eq!(of_library("white_all,*_all"), Ok(vec!["white_all", "black_all"]));
    assert_eq!(of_library("*_all,white_al*"), Ok(vec!["white_all", "black_all"]));
    assert_eq!(of_library("*"), Ok(Column::ALL.iter().map(|column| column.name()).collect()));
    assert_eq!(of_library("*_ring_q*n").map(|names| names.len()), Ok(2));
}

#[test]
fn presets_have_no_lists() {
    let default: Vec<_> = Column::DEFAULT.iter().map(|column| column.name()).collect();
    assert_eq!(of_library("default"), Ok(default));
    let values = Column::ALL
        .iter()
        .filter(|column| column.shape() == Shape::Value && column.needs() != Needs::State);
    assert_eq!(of_library("all"), Ok(values.map(|column| column.name()).collect()));
    for (preset, columns) in [("counts", 10), ("mobility", 24), ("rings", 12)] {
        assert_eq!(of_library(preset).map(|names| names.len()), Ok(columns), "{preset}");
    }
    let several: usize = of_library("counts,white_count_0*,rings").expect("presets").len();
    assert_eq!(several, 22);
    for preset in PRESETS {
        assert!(Column::ALL.iter().all(|column| column.name() != preset.name), "{}", preset.name);
    }
}

#[test]
fn errors_name_what_is_wrong() {
    for (names, message) in [
        ("white_rok", "no column is called `white_rok`; did you mean `white_rook`?"),
        ("defualt", "no column is called `defualt`; did you mean `default`?"),
        ("Legal_moves", "no column is called `Legal_moves`; did you mean `legal_moves`?"),
        ("en_passant", "no column is called `en_passant`"),
        ("", "the name of a column is empty"),
        ("checkers,,pinned", "the name of a column is empty"),
        ("x*", "no column matches `x*`"),
        ("white_all,white_all", "column `white_all` is chosen twice"),
        ("default,white_all", "column `white_all` is chosen twice"),
    ] {
        assert_eq!(of_library(names), Err(message.to_owned()), "{names}");
    }
    assert_eq!(select::<Column>(["y*"]), Err(SelectionError::NoMatch { pattern: "y*".to_owned() }));
}

/// A catalogue with an additional column and an additional preset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Larger {
    Computed(Column),
    Turn,
    Fen,
}

impl Catalogue for Larger {
    const OWN_PRESETS: &'static [Preset] =
        &[Preset { name: "few", patterns: &["fen", "t*"], meaning: "the same without checkers" }];

    fn all() -> &'static [Self] {
        &[
            Self::Fen,
            Self::Turn,
            Self::Computed(Column::CHECKERS),
            Self::Computed(Column::LEGAL_MOVES),
        ]
    }

    fn description(self) -> &'static Description {
        const TURN: Description = Description::new("turn", "", ValueType::U8, Shape::Value);
        const FEN: Description = Description::new("fen", "", ValueType::Text, Shape::Value);
        match self {
            Self::Computed(column) => column.description(),
            Self::Turn => &TURN,
            Self::Fen => &FEN,
        }
    }

    fn is_in_presets(self) -> bool {
        match self {
            Self::Computed(column) => column.is_in_presets(),
            Self::Turn => true,
            Self::Fen => false,
        }
    }
}

#[test]
fn a_larger_catalogue_is_selected_alike() {
    assert_eq!(chosen::<Larger>("all"), Ok(vec!["turn", "checkers"]));
    assert_eq!(chosen::<Larger>("few"), Ok(vec!["turn"]));
    assert_eq!(chosen::<Larger>("fen,*"), Ok(vec!["fen", "turn", "checkers", "legal_moves"]));
    let message = "no column is called `fem`; did you mean `fen`?";
    assert_eq!(chosen::<Larger>("fem"), Err(message.to_owned()));
    assert_eq!(chosen::<Larger>("pinned"), Err("no column is called `pinned`".to_owned()));
}

/// A column of a catalogue of irregular names: its index there.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Any(usize);

impl Any {
    const DESCRIPTIONS: [Description; 12] = [
        Self::describe(""),
        Self::describe("x"),
        Self::describe("a"),
        Self::describe("aa"),
        Self::describe("white"),
        Self::describe("white_"),
        Self::describe("white_all"),
        Self::describe("white_all_"),
        Self::describe("white_ring_king"),
        Self::describe("aabab"),
        Self::describe("aab"),
        Self::describe("banana"),
    ];

    const fn describe(name: &'static str) -> Description {
        Description::new(name, "", ValueType::U64, Shape::Value)
    }
}

impl Catalogue for Any {
    fn all() -> &'static [Self] {
        static ALL: LazyLock<Vec<Any>> =
            LazyLock::new(|| (0..Any::DESCRIPTIONS.len()).map(Any).collect());
        &ALL
    }

    fn description(self) -> &'static Description {
        const DESCRIPTIONS: &[Description] = &Any::DESCRIPTIONS;
        &DESCRIPTIONS[self.0]
    }
}

#[test]
fn stars_are_any_text() {
    for (pattern, name, expected) in [
        ("white_all", "white_all", true),
        ("*", "", true),
        ("*", "x", true),
        ("**", "x", true),
        ("*_all", "white_all", true),
        ("*_all", "white_all_", false),
        ("white_*", "white_", true),
        ("white_*", "white", false),
        ("*_ring_*", "white_ring_king", true),
        ("*_king_*", "white_ring_king", false),
        ("a*a", "a", false),
        ("a*a", "aa", true),
        ("a*ab*b", "aabab", true),
        ("a*ab*b", "aab", false),
        ("*a*a*", "banana", true),
        ("*a*a*a*a*", "banana", false),
    ] {
        let found = chosen::<Any>(pattern).is_ok_and(|names| names.contains(&name));
        assert_eq!(found, expected, "{pattern} {name}");
    }
    assert_eq!(
        chosen::<Any>("white_al").unwrap_err(),
        "no column is called `white_al`; did you mean `white_all`?"
    );
}

#[test]
fn the_nearest_name_takes_the_fewest_edits() {
    let names = ["scalar", "avx2", "avx512", "white_all"];
    for (name, expected) in [
        ("avx", Some("avx2")), // an insertion
        ("avx22", Some("avx2")),
        ("scaler", Some("scalar")),
        ("White-All", Some("white_all")),
        ("a", None), // three, where one is allowed
        ("sse", None),
        ("", None),
    ] {
        assert_eq!(nearest_name(name, names), expected, "{name}");
    }
    // Words of other libraries stand for ours.
    let names =
        ["white_pawn", "white_all", "white_count_0", "black_all", "black_count_0", "counts"];
    for (name, expected) in [
        ("white_atacks", Some("white_all")),
        ("black_attacked", Some("black_all")),
        ("attacks", Some("white_all")),
        ("attackers", Some("counts")),
        ("black_attackers", Some("black_count_0")),
        ("red_attacks", None),
        ("white_openings", None),
    ] {
        assert_eq!(nearest_name(name, names), expected, "{name}");
    }
    assert_eq!(nearest_name("attackers", names[..5].iter().copied()), Some("white_count_0"));
    assert_eq!(
        chosen::<Any>("white_atacks").unwrap_err(),
        "no column is called `white_atacks`; did you mean `white_all`?"
    );
    assert_eq!(
        chosen::<Any>("attackers").unwrap_err(),
        "no column is called `attackers`; did you mean `counts`?"
    );
    // Names of four letters may differ by two edits.
    assert_eq!(nearest_name("rxxk", ["rook"]), Some("rook"));
    assert_eq!(nearest_name("rxxx", ["rook"]), None);
}
