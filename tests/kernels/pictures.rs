//! Checks that `docs/how-it-works.md` shows each picture in its folder, with an alternative text.

use std::path::Path;

const PAGE: &str = include_str!("../../docs/how-it-works.md");

#[test]
fn the_page_shows_every_picture_and_says_what_is_in_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/how-it-works");
    let mut pictures = 0;
    for file in std::fs::read_dir(folder).expect("the folder is there") {
        let file = file.expect("an entry of the folder");
        let name = file.file_name().into_string().expect("a name in ASCII");
        let document = std::fs::read_to_string(file.path()).expect("a document");
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
        pictures += 1;
    }
    assert_eq!(PAGE.matches("](how-it-works/").count(), pictures);
}
