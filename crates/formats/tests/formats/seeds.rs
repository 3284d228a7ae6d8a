//! Replays the seeds of the fuzz targets.

use std::path::Path;

use setwise_formats::Format;

use crate::oracles;

fn replay(target: &str, check: impl Fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let Ok(entries) = std::fs::read_dir(&folder) else {
        eprintln!("skipped: there is no {}", folder.display());
        return;
    };
    let mut seeds = 0;
    for entry in entries {
        let path = entry.expect("a folder that can be read").path();
        check(&std::fs::read(path).expect("a file that can be read"));
        seeds += 1;
    }
    assert!(seeds > 0, "{} is empty", folder.display());
}

#[test]
fn bullet() {
    replay("bullet", |bytes| oracles::any_bytes(Format::Bullet, bytes));
}

#[test]
fn marlin() {
    replay("marlin", |bytes| oracles::any_bytes(Format::Marlin, bytes));
}

#[test]
fn viri() {
    replay("viri", |bytes| oracles::any_bytes(Format::Viri, bytes));
}

#[test]
fn packed_sfen() {
    replay("packed_sfen", |bytes| oracles::any_bytes(Format::PackedSfen, bytes));
}

#[test]
fn binpack() {
    replay("binpack", |bytes| {
        oracles::any_bytes(Format::Binpack, bytes);
        oracles::any_bytes(Format::Binpack, &oracles::block_of(bytes));
    });
}

#[test]
fn plain() {
    replay("plain", |bytes| oracles::any_bytes(Format::Plain, bytes));
}

#[test]
fn lc0() {
    replay("lc0", |bytes| {
        oracles::any_bytes(Format::Lc0, bytes);
        oracles::any_archive(bytes);
    });
}
