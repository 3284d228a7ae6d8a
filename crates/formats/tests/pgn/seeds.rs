//! Runs the fuzz target's checks on its seeds.

use std::path::Path;

use crate::pgn::oracles;

#[test]
fn seeds_of_the_fuzzer() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/pgn");
    let mut files = 0;
    let Ok(entries) = std::fs::read_dir(&folder) else {
        eprintln!("skipped: there is no {}", folder.display());
        return;
    };
    for entry in entries {
        let path = entry.expect("an entry").path();
        println!("{}", path.display());
        oracles::any_bytes(&std::fs::read(path).expect("a file"));
        files += 1;
    }
    assert!(files >= 30, "{files} files");
}
