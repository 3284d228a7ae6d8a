//! The ways to read a line agree: in vectors, in cells, and byte by byte, which also finds errors.

use std::fs;
use std::string::String;
use std::vec::Vec;

use proptest::prelude::*;

use super::planes::Planes;
use super::reader::{NOTHING_SAID, Reader, read, read_by, without_line_end};
use super::{Fen, FenError};
use crate::processor::Features;

/// Reads without any shortcut.
fn byte_by_byte(line: &[u8]) -> Result<Fen, FenError> {
    let mut reader = Reader { line: without_line_end(line), at: 0 };
    reader.skip_blanks();
    let mut fen = Fen { pieces: reader.any_placement()?, ..NOTHING_SAID };
    if !reader.each_right(&mut fen)? || !reader.next_field()? || reader.at_operations() {
        return Ok(fen);
    }
    reader.any_clocks(fen)
}

fn agree(line: &[u8]) {
    let expected = byte_by_byte(line);
    let text = String::from_utf8_lossy(line);
    assert_eq!(read(Features::Avx512Gfni.is_available(), line), expected, "as detected: {text:?}");
    assert_eq!(read(false, line), expected, "in cells: {text:?}");
    assert_eq!(read_by(line, |_, _| None), expected, "without shortcut: {text:?}");
}

/// Compares every prefix of a line, and the line with some bytes in each place.
fn agree_around(line: &[u8]) {
    let mut changed = line.to_vec();
    for at in 0..line.len() {
        agree(&line[..at]);
        // With its high bit, a byte is another letter for whoever looks at seven bits.
        for byte in b"/ 18Kp-\t\x80".iter().copied().chain([line[at] | 0x80]) {
            changed[at] = byte;
            agree(&changed);
        }
        changed[at] = line[at];
    }
    agree(line);
}

const TAILS: [&str; 20] = [
    "",
    " ",
    " b",
    " w -",
    " b KQkq -",
    " w KQkq e3",
    " w kq - 0 1",
    " b KQ h6 12 345",
    " w qk - 1 2",
    " w HAha - 99 9999",
    " w - - 100 10000",
    " w - - 4294967295 4294967296",
    " b - - bm e4;",
    " w KQkq - 0 1 id \"Gr\u{fc}nfeld\";",
    "\tw - - 0 1",
    "  w  -  -  1  2  ",
    " w - - 0 1\r\n",
    " w - e3 0 1!",
    " 88888888",
    " w - - 88 88",
];

#[test]
fn the_sample_is_read_alike_every_way() {
    for (i, line) in include_str!("../../data/sample.epd").lines().enumerate() {
        agree(line.as_bytes());
        let placement = line.split(' ').next().unwrap_or_default();
        agree([placement, TAILS[i % TAILS.len()]].concat().as_bytes());
        if i % 50 == 0 {
            agree_around(line.as_bytes());
        }
    }
}

#[test]
#[ignore = "needs SETWISE_DATA"]
fn all_positions_are_read_alike_every_way() {
    let folder =
        std::env::var("SETWISE_DATA").expect("SETWISE_DATA names no folder with positions");
    let file = fs::File::open([&folder, "/positions.epd.gz"].concat()).unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(file), &mut text).unwrap();
    let mut lines = 0;
    for line in text.lines() {
        agree(line.as_bytes());
        lines += 1;
    }
    assert!(lines > 100_000);
}

#[test]
fn placements_of_every_length_are_read_alike() {
    // From 71 bytes to 15, with digits in place of pieces.
    for fewer in 0..=56 {
        let rank = |rank: usize| match fewer / 8 + usize::from(rank < fewer % 8) {
            0 => "PNBRQKpn".into(),
            fewer => std::format!("{}{}", &"PNBRQKpn"[fewer + 1..], fewer + 1),
        };
        let placement = (0..8).map(rank).collect::<Vec<String>>().join("/");
        assert_eq!(placement.len(), 71 - fewer);
        for tail in TAILS {
            agree([&placement, tail].concat().as_bytes());
        }
        agree_around([&placement, " w KQkq - 0 1"].concat().as_bytes());
    }
    agree_around(b"8/8/8/8/8/8/8/8");
    agree_around(b"11111111/11111111/11111111/11111111/11111111/11111111/11111111/11111111 b - -");
    agree_around(b" \t8/pppppppp/44/53/PPPPPPPP/35/8/1p1p1p1p b Qk a6 7 123");
}

#[test]
fn corners_with_the_other_sides_rooks_are_read_alike() {
    // The king's own rooks are nearer to the king, and these are meant.
    for rights in ["K", "Q", "k", "q", "KQkq"] {
        agree(std::format!("Rr2kr1R/8/8/8/8/8/8/rR2KR1r w {rights} - 0 1").as_bytes());
    }
}

const RANKS: [&str; 7] = ["8", "pppppppp", "4p3", "r1bqkb1r", "2N5", "1P1P1P1P", "44"];

fn piece_or_digits() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[PNBRQKpnbrqk]",
        2 => "[1-8]",
        1 => "[/ 09x]",
    ]
}

proptest! {
    #[test]
    fn near_placements_are_read_alike(
        ranks in proptest::collection::vec(
            prop_oneof![
                6 => proptest::sample::select(&RANKS[..]).prop_map(String::from),
                1 => proptest::collection::vec(piece_or_digits(), 0..10).prop_map(|all| all.concat()),
            ],
            7..10,
        ),
        tail in proptest::sample::select(&TAILS[..]),
        at in 0..90usize,
        byte: u8,
    ) {
        let mut line = [&ranks.join("/"), tail].concat().into_bytes();
        agree(&line);
        let at = at % line.len().max(1);
        line.insert(at, byte);
        agree(&line);
        line.truncate(at);
        agree(&line);
    }

    #[test]
    fn any_bytes_are_read_alike(line in proptest::collection::vec(any::<u8>(), 0..100)) {
        agree(&line);
    }

    #[test]
    fn planes_are_the_bits_of_cells(cells: [[u8; 24]; 3]) {
        let cells: [u8; 72] = cells.concat().try_into().unwrap();
        let bit = |square: u32, mask: u8| {
            let (file, rank) = (square % 8, square / 8);
            u64::from(cells[(9 * (7 - rank) + file) as usize] & mask != 0) << square
        };
        let plane = |mask| (0..64).map(|square| bit(square, mask)).sum();
        let expected = Planes([plane(0x80), plane(0x40), plane(0x20), plane(0x10)]);
        prop_assert_eq!(Planes::of_cells(&cells), expected);
    }
}
