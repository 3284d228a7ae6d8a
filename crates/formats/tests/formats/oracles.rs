//! Properties that hold for any bytes, shared with the fuzz targets.

use std::io::{self, BufReader, Read};

use setwise_formats::{Cutter, ErrorKind, Format, Reader, Records, Writer, tar};

/// Returns a limited number of bytes at a time.
pub(crate) struct Pipe<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) step: usize,
}

impl Read for Pipe<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let some = self.step.min(buffer.len());
        self.bytes.read(&mut buffer[..some])
    }
}

/// The rows and errors of a file, as text.
pub(crate) fn events(
    format: Format,
    input: impl Read + Send,
    rows: usize,
) -> Vec<Result<String, String>> {
    let mut reader = Reader::new(format, input);
    let mut batch = Records::new();
    let mut events = Vec::new();
    let mut offset = 0;
    loop {
        let result = reader.read(rows, &mut batch);
        let read = batch.len();
        events.extend((0..read).map(|row| Ok(row_as_text(&batch, row))));
        check_columns(format, &batch);
        match result {
            Ok(told) => {
                assert_eq!(told, read);
                assert!(read <= rows);
            }
            Err(error) => {
                assert_ne!(error.kind(), ErrorKind::Io);
                assert!(error.offset() >= offset, "{error} after byte {offset}");
                assert!(error.record() > 0);
                if format.record_size().is_some() {
                    assert_eq!(error.record(), events.len() as u64 + 1);
                }
                events.push(Err(error.to_string()));
                offset = error.offset();
                continue;
            }
        }
        if read == 0 {
            break;
        }
    }
    assert_eq!(reader.read(rows, &mut batch).expect("nothing"), 0);
    events
}

/// Checks that the columns that the format stores have rows, and that all other columns are empty.
fn check_columns(format: Format, batch: &Records) {
    use setwise_formats::Field;
    let columns = [
        (Field::Turn, batch.turn.len()),
        (Field::Castling, batch.castling.len()),
        (Field::EnPassant, batch.en_passant.len()),
        (Field::HalfmoveClock, batch.halfmove_clock.len()),
        (Field::FullmoveNumber, batch.fullmove_number.len()),
        (Field::Score, batch.score.len()),
        (Field::Result, batch.result.len()),
        (Field::Move, batch.moves.len()),
        (Field::Ply, batch.ply.len()),
        (Field::Extra, batch.extra.len()),
    ];
    assert_eq!(columns.map(|(field, _)| field), Field::ALL);
    for (field, rows) in columns {
        let expected = if format.keeps().contains(field) { batch.len() } else { 0 };
        assert_eq!(rows, expected, "{format}: {}", field.name());
    }
}

fn row_as_text(batch: &Records, row: usize) -> String {
    format!(
        "{} {:?} {:?} {:?} {:?} {:?}",
        batch.fen(row),
        batch.score.get(row),
        batch.result.get(row),
        batch.moves.get(row),
        batch.ply.get(row),
        batch.extra.get(row)
    )
}

/// A binpack with a single block of these bytes.
#[allow(dead_code, reason = "only one fuzz target makes blocks")]
pub(crate) fn block_of(bytes: &[u8]) -> Vec<u8> {
    [b"BINP", &(bytes.len() as u32).to_le_bytes()[..], bytes].concat()
}

/// Checks that reading terminates, with the same result for any split of the input and any number of rows; that
/// positions have one king per side; that writing fixed-size records reproduces the bytes; and that the parts of a
/// [`Cutter`] have the same bytes in total and, without errors, the same rows.
pub(crate) fn any_bytes(format: Format, bytes: &[u8]) {
    let events_at_once = events(format, bytes, usize::MAX);
    for (step, rows) in [(1, 1), (7, 3), (33, 100)] {
        assert_eq!(
            events(format, Pipe { bytes, step }, rows),
            events_at_once,
            "by {step} and {rows}"
        );
    }
    for size in [1, 100, 9000] {
        let mut cutter = Cutter::new(format, bytes);
        let parts: Vec<_> = std::iter::from_fn(|| cutter.next(size).expect("bytes")).collect();
        assert_eq!(parts.concat(), bytes);
        if events_at_once.iter().all(Result::is_ok) {
            let of_part = |part: &Vec<u8>| events(format, &part[..], usize::MAX);
            assert_eq!(
                parts.iter().flat_map(of_part).collect::<Vec<_>>(),
                events_at_once,
                "{size}"
            );
        }
    }
    let mut reader = Reader::new(format, bytes);
    let mut batch = Records::new();
    loop {
        let before = reader.offset() as usize;
        let result = reader.read(5, &mut batch);
        for pieces in &batch.pieces {
            let roles = pieces.sets()[..6].iter().fold(0, |all, role| {
                assert_eq!(all & role, 0, "a square in two roles");
                all | role
            });
            assert_eq!(pieces.white & pieces.black, 0);
            assert_eq!(pieces.white | pieces.black, roles);
            assert!((pieces.white & pieces.kings).is_power_of_two());
            assert!((pieces.black & pieces.kings).is_power_of_two());
            assert!(roles.count_ones() <= 32);
        }
        if let Some(size) = format.record_size() {
            let mut written = Vec::new();
            let mut writer = Writer::new(format, &mut written).expect("a format to be written");
            writer.write(&batch).expect("what was read can be written");
            assert_eq!(written, bytes[before..before + size * batch.len()]);
        }
        if matches!(result, Ok(0)) {
            break;
        }
    }
}

/// Checks that an archive is read to its end or rejected with a message, with the same result for any split.
#[allow(dead_code, reason = "only one fuzz target has archives")]
pub(crate) fn any_archive(bytes: &[u8]) {
    let read = |step| {
        let pipe = BufReader::new(Pipe { bytes, step });
        let mut files = tar::files(pipe, |file| Box::new(file)).expect("bytes");
        let mut read = Vec::new();
        (files.read_to_end(&mut read).map_err(|error| error.to_string()), read)
    };
    let at_once = read(usize::MAX);
    assert_eq!(read(1), at_once);
    if !tar::is_archive(bytes) {
        assert_eq!(at_once.1, bytes);
    }
}
