//! The files from which the fuzzer starts, through what it checks.

use std::path::Path;

use crate::oracles;

#[test]
fn seeds_of_the_fuzzer() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus/pgn");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).expect("the corpus is there") {
        let path = entry.expect("an entry").path();
        println!("{}", path.display());
        oracles::any_bytes(&std::fs::read(path).expect("a file"));
        files += 1;
    }
    assert!(files >= 30, "{files} files");
}
