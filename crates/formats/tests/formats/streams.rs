//! Split files, truncated files, and inputs that fail.

use std::io::{self, Read};

use setwise_formats::{ErrorKind, Format, Reader, Records, Writer};

use crate::chunks;
use crate::oracles::{self, Pipe};

const SAMPLE: &str = include_str!("../../../../data/sample.epd");
const GAMES: &[u8] = include_bytes!("../data/games.binpack");

/// A file with some positions in a format.
fn file(format: Format, positions: usize) -> Vec<u8> {
    let mut batch = Records::new();
    for line in SAMPLE.lines().take(positions) {
        batch.push_fen(&line.parse().expect("a position"));
    }
    if format == Format::PackedSfen {
        batch.castling.clear();
    }
    let mut file = Vec::new();
    match format {
        Format::Viri => {
            // 1. e4 e5 2. Ke2 Ke7, and so on.
            let mut start = Records::new();
            start.push_fen(&setwise::Fen::START);
            Writer::new(Format::Marlin, &mut file).expect("writes").write(&start).expect("fits");
            let moves = [(12, 28), (52, 36), (4, 12), (60, 52)]
                .map(|(from, to): (u16, u16)| from | to << 6);
            let game: Vec<u8> =
                moves.iter().flat_map(|m| [m.to_le_bytes(), [7, 0]].concat()).collect();
            file = [file, game, vec![0; 4]].concat().repeat(positions / 4);
        }
        Format::Binpack => file.extend_from_slice(GAMES),
        Format::Lc0 => file = chunks::file(&chunks::positions()[..positions.min(300)], 6),
        _ => Writer::new(format, &mut file).expect("writes").write(&batch).expect("fits"),
    }
    file
}

#[test]
fn in_whatever_pieces_it_comes_a_file_says_the_same() {
    for &format in Format::ALL {
        let file = file(format, 1000);
        let whole = oracles::events(format, &file[..], usize::MAX);
        assert!(whole.iter().all(Result::is_ok), "{format}");
        for (step, rows) in [(1, 999), (31, 1), (40_000, 17), (usize::MAX, 256), (65_536, 257)] {
            let parts = oracles::events(format, Pipe { bytes: &file, step }, rows);
            assert_eq!(parts, whole, "{format} by {step} bytes and {rows} rows");
        }
    }
}

#[test]
fn a_file_that_ends_too_soon_gives_what_it_has_and_says_so() {
    for &format in Format::ALL {
        let file = file(format, 40);
        let file = &file[..file.len().min(700)];
        let whole = oracles::events(format, file, 10);
        for length in 0..file.len() {
            let mut part = oracles::events(format, &file[..length], 10);
            let whole_records = format.record_size().is_some_and(|size| length % size == 0);
            let error = part.last().is_some_and(Result::is_err).then(|| part.pop()).flatten();
            assert!(whole.starts_with(&part), "{format}, {length} bytes");
            let at_end = format == Format::Viri && length % 52 == 0
                || format == Format::Plain && file[..length].trim_ascii_end().ends_with(b"\ne");
            if at_end || whole_records || length == 0 {
                assert_eq!(error, None, "{format}, {length} bytes");
            } else {
                let text = error.expect("an error").unwrap_err();
                assert!(text.ends_with("the end of the file"), "{format}, {length} bytes: {text}");
            }
        }
    }
}

/// Fails once, at a given byte.
struct Failing<'a> {
    bytes: &'a [u8],
    left: usize,
    failed: bool,
}

impl Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 && !self.failed {
            self.failed = true;
            return Err(io::Error::other("the cable is out"));
        }
        let end = if self.failed { buffer.len() } else { buffer.len().min(self.left) };
        let read = self.bytes.read(&mut buffer[..end])?;
        self.left -= read.min(self.left);
        Ok(read)
    }
}

#[test]
fn reading_that_fails_can_be_tried_again() {
    for &format in Format::ALL {
        let file = file(format, 100);
        let mut batch = Records::new();
        let mut reader = Reader::new(format, &file[..]);
        let whole = reader.read(usize::MAX, &mut batch).expect("valid rows");
        let starts_of_whole = reader.game_starts().to_vec();
        for fails_at in [0, 5, 8, 33, 50, 1000] {
            let input = Failing { bytes: &file, left: fails_at, failed: false };
            let mut reader = Reader::new(format, input);
            let (mut rows, mut errors, mut starts) = (0, 0, Vec::<u64>::new());
            loop {
                let result = reader.read(7, &mut batch);
                rows += batch.len();
                // The last start may be that of the record after the batch.
                let read = reader.records();
                starts.extend(reader.game_starts().iter().filter(|start| **start <= read));
                match result {
                    Ok(0) => break,
                    Ok(_) => {}
                    Err(error) => {
                        assert_eq!(error.kind(), ErrorKind::Io);
                        assert!(error.to_string().ends_with("the cable is out"), "{error}");
                        errors += 1;
                    }
                }
            }
            assert_eq!((rows, errors), (whole, 1), "{format} fails at {fails_at}");
            assert_eq!(starts, starts_of_whole, "{format} fails at {fails_at}");
        }
    }
}

#[test]
fn a_bad_record_costs_only_itself() {
    for format in [Format::Bullet, Format::Marlin, Format::PackedSfen] {
        let size = format.record_size().expect("it has one");
        let right = file(format, 700);
        let whole = oracles::events(format, &right[..], 64);
        let mut file = right.clone();
        let bad = [0, 1, 255, 256, 300, 699];
        for record in bad {
            // Three kings, or a square with two pieces.
            file[size * record..size * record + 16].fill(0xff);
        }
        let events = oracles::events(format, &file[..], 64);
        assert_eq!(events.len(), 700);
        for (record, (event, right)) in events.iter().zip(&whole).enumerate() {
            if bad.contains(&record) {
                let place = format!("record {}, byte ", record + 1);
                let text = event.as_ref().expect_err("a bad record");
                assert!(text.starts_with(&place), "{text}");
            } else {
                assert_eq!(event, right);
            }
        }
    }
}

#[test]
fn what_a_block_says_of_its_size_takes_no_memory() {
    let file = [&b"BINP"[..], &u32::MAX.to_le_bytes(), &GAMES[8..]].concat();
    let events = oracles::events(Format::Binpack, &file[..], 1000);
    assert!(events.len() > 20_000);
    assert!(
        events[events.len() - 1].as_ref().is_err_and(|text| text.ends_with("the end of the file"))
    );
}

/// Records the sizes of writes.
struct Sizes(Vec<usize>);

impl std::io::Write for Sizes {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.push(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn records_are_written_64_kib_at_a_time() {
    let mut batch = Records::new();
    (0..5000).for_each(|_| batch.push_fen(&setwise::Fen::START));
    for (format, full) in [(Format::Marlin, 65_536), (Format::PackedSfen, 65_520)] {
        let all = 5000 * format.record_size().unwrap();
        let mut sizes = Sizes(Vec::new());
        Writer::new(format, &mut sizes).unwrap().write(&batch).unwrap();
        let (last, before) = sizes.0.split_last().unwrap();
        assert_eq!((before, *last), (&vec![full; all / full][..], all % full));
    }
}
