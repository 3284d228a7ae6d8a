//! The pictures of `docs/how-it-works.md` are what `examples/pictures` draws, and the page shows each of them with a
//! text in its place.

use std::path::Path;

#[path = "../../examples/pictures/main.rs"]
#[allow(dead_code)]
mod example;

const PAGE: &str = include_str!("../../docs/how-it-works.md");

#[test]
fn the_example_draws_the_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/how-it-works");
    let pictures = example::pictures();
    for (name, document) in &pictures {
        let there = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert!(
            there.replace("\r\n", "\n") == *document,
            "docs/how-it-works/{name} is not what the example draws; run `cargo run --example pictures`"
        );
    }
    let files = std::fs::read_dir(folder).expect("the folder is there").count();
    assert_eq!(files, pictures.len(), "a file that nothing draws");
}

#[test]
fn the_page_shows_every_picture_and_says_what_is_in_it() {
    for (name, document) in example::pictures() {
        let (before, _) =
            PAGE.split_once(&format!("](how-it-works/{name})")).unwrap_or_else(|| {
                panic!("the page does not show {name}");
            });
        let (_, text) =
            before.rsplit_once("![").expect("a picture starts with an exclamation mark");
        assert!(
            text.len() > 40 && !text.contains('\n'),
            "{name} has no text in its place: {text:?}"
        );
        for element in ["<title ", "<desc ", "prefers-color-scheme: dark"] {
            assert!(document.contains(element), "{name} has no {element}");
        }
    }
    assert_eq!(PAGE.matches("](how-it-works/").count(), example::pictures().len());
}
