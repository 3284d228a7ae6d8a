//! The pictures of `docs/how-it-works.md` are what `examples/pictures` draws.

use std::path::Path;

#[path = "../examples/pictures/main.rs"]
#[allow(dead_code)]
mod example;

#[test]
#[cfg_attr(
    target_arch = "wasm32",
    ignore = "the pictures lie outside of what Node shows the tests"
)]
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
