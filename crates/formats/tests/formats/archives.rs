//! Archives of lc0's chunks with other files in them.

use std::io::Read;

use setwise_formats::{Format, Reader, Records, tar};

use crate::chunks;

/// A member: its name, its type, and its contents.
type Member<'a> = (&'a str, u8, &'a [u8]);

fn archive(members: &[Member<'_>], magic: &[u8; 8]) -> Vec<u8> {
    let mut archive = Vec::new();
    for (name, kind, bytes) in members {
        let mut head = [0; 512];
        head[..name.len()].copy_from_slice(name.as_bytes());
        head[124..136].copy_from_slice(format!("{:011o}\0", bytes.len()).as_bytes());
        head[148..156].fill(b' ');
        head[156] = *kind;
        head[257..265].copy_from_slice(magic);
        let sum: u32 = head.iter().map(|byte| u32::from(*byte)).sum();
        head[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        archive.extend(head);
        archive.extend(*bytes);
        archive.resize(archive.len().next_multiple_of(512), 0);
    }
    archive.resize(archive.len() + 1024, 0);
    archive
}

fn read(archive: &[u8]) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let files = tar::files(archive, |file| Box::new(flate2::read::MultiGzDecoder::new(file)));
    let read = files.expect("bytes").read_to_end(&mut bytes);
    read.map(|_| bytes).map_err(|error| error.to_string())
}

#[test]
fn other_files_are_skipped() {
    let positions = chunks::positions();
    let (one, two) = (chunks::file(&positions[..3], 6), chunks::file(&positions[3..5], 7));
    let members: [Member<'_>; 10] = [
        ("PaxHeader/a", b'x', b"30 mtime=1700000000.000000000\n"),
        ("a/", b'5', b""),
        ("a/LICENSE", b'0', b"The Open Database License"),
        ("a/training.1.gz", b'0', &one),
        ("a/README.md", b'0', b"# Chunks"),
        ("a/._training.2.gz", b'0', b"\0\x05\x16\x07\0\x02\0\0Mac OS X"),
        ("a/.DS_Store", b'0', b"\0\0\0\x01Bud1"),
        ("a/training.2.gz", 0, &two),
        ("a/index.json", b'0', b"{\"chunks\": 2}"),
        ("a/link", b'2', b""),
    ];
    for magic in [b"ustar\x0000", b"ustar  \0", b"\0\0\0\0\0\0\0\0"] {
        let archive = archive(&members, magic);
        assert!(tar::is_archive(&archive));
        let chunks = read(&archive).expect("chunks");
        assert!(chunks == [&one[..], &two].concat());
        let mut rows = Records::new();
        Reader::new(Format::Lc0, &chunks[..]).read(9, &mut rows).expect("reads");
        assert_eq!(rows.len(), 5);
    }
    assert!(!tar::is_archive(&one) && !tar::is_archive(&[0; 512]) && !tar::is_archive(b"ustar"));
}

#[test]
fn no_chunk_is_missed() {
    let one = chunks::file(&chunks::positions()[..3], 6);
    for kind in [b'1', b'2'] {
        let members: [Member<'_>; 2] =
            [("a/training.1.gz", b'0', &one), ("a/training.2.gz", kind, b"")];
        let said = read(&archive(&members, b"ustar\x0000")).expect_err("a link");
        let expected = "its file a/training.2.gz is a link; unpack the archive and pass the folder";
        assert_eq!(said, expected);
    }
}

#[test]
fn messages_name_the_file() {
    let mut bytes =
        archive(&[("a/training.1.gz", b'0', &[6; 600]), ("b", b'0', &[])], b"ustar\x0000");
    let cut = read(&bytes[..1000]).expect_err("cut");
    assert_eq!(cut, "it ends too soon: within a file of the archive, a/training.1.gz");
    bytes[512 + 1024 + 3] ^= 1;
    let flipped = read(&bytes).expect_err("no header");
    let expected = "expected the header of a file of the archive, found something else after its file a/training.1.gz";
    assert_eq!(flipped, expected);
    // The next file does not complete a record.
    let positions = chunks::positions();
    let (one, two) = (chunks::file(&positions[..3], 6), chunks::file(&positions[3..5], 7));
    let cut = [&one[..], &two[..two.len() - 100]].concat();
    let cut = archive(&[("a", b'0', &cut), ("b", b'0', &one)], b"ustar\x0000");
    assert_eq!(read(&cut).expect_err("cut"), "its file a: the last record lacks 100 bytes");
    let longer = [&one[..], b"ab"].concat();
    let longer = archive(&[("a", b'0', &longer), ("b", b'0', &one)], b"ustar\x0000");
    let expected = "its file a: expected a record at byte 25068, found something else";
    assert_eq!(read(&longer).expect_err("longer"), expected);
}
