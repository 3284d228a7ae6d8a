//! Reads files with every backend, through windows of any size, and with skipped records.

use setwise::Backend;

use super::*;
use crate::Writer;
use crate::instructions::tests::on_every_backend;

/// The rows of a file, and its errors.
fn read(mut reader: Reader<'_>, rows: usize) -> (Vec<Records>, Vec<String>) {
    let (mut batches, mut errors) = (Vec::new(), Vec::new());
    loop {
        let mut batch = Records::new();
        let result = reader.read(rows, &mut batch);
        // Row by row, so that the comparison does not depend on batch boundaries.
        batches.extend((0..batch.len()).map(|row| batch.row(row)));
        match result {
            Ok(0) => return (batches, errors),
            Ok(_) => {}
            Err(error) => errors.push(error.to_string()),
        }
    }
}

on_every_backend! { files_are_read_through_any_window skipped_records_are_omitted }

/// Keeps every row, every third and every thousandth, in a valid file and in a truncated one.
fn skipped_records_are_omitted(kernel: Kernel) {
    let mut file = include_bytes!("../../tests/data/games.binpack").to_vec();
    for end in [file.len(), 40_000] {
        file.truncate(end);
        let mut all_rows = Records::new();
        let fault = Reader::new(Format::Binpack, &file[..]).read(usize::MAX, &mut all_rows).err();
        assert_eq!(fault.is_some(), end == 40_000);
        for step in [1, 3, 1000] {
            let mut reader = Reader::with_kernel(kernel, Format::Binpack, &file[..]);
            let (mut previews, mut rows, mut batch) = (Vec::new(), Vec::new(), Records::new());
            let outcome = loop {
                let outcome = reader.read_if(500, &mut batch, |preview| {
                    previews.push(*preview);
                    previews.len() % step == 0
                });
                rows.extend((0..batch.len()).map(|row| batch.row(row)));
                if !matches!(outcome, Ok(1..)) {
                    break outcome;
                }
                assert_eq!(reader.records(), previews.len() as u64);
            };
            let expected: Vec<_> = (0..all_rows.len()).skip(step - 1).step_by(step).collect();
            assert!(rows.into_iter().eq(expected.iter().map(|row| all_rows.row(*row))), "{step}");
            for (row, preview) in previews.iter().enumerate().take(all_rows.len()) {
                let pieces = all_rows.pieces[row].occupied().count_ones();
                let (score, result, ply) =
                    (all_rows.score[row], all_rows.result[row], Some(all_rows.ply[row]));
                assert_eq!(*preview, Preview { score, result, ply, pieces }, "{row}");
            }
            let faults = (outcome.err(), &fault);
            assert_eq!(
                faults.0.map(|one| one.to_string()),
                faults.1.as_ref().map(|one| one.to_string())
            );
        }
    }
}

fn files_are_read_through_any_window(kernel: Kernel) {
    let games = include_bytes!("../../tests/data/games.binpack");
    let size = 1000u32;
    let block = [&games[..4], &size.to_le_bytes(), &games[8..8 + size as usize]].concat();
    let mut rows = Records::new();
    let mut reader = Reader::new(Format::Binpack, &block[..]);
    // The block ends within a game.
    assert!(reader.read(usize::MAX, &mut rows).is_err());
    assert!(rows.len() > 300);
    // Negated for the other side, -32768 would not fit 16 bits.
    rows.score.iter_mut().for_each(|score| *score = (*score).max(-32767));
    // A window must hold a record, and records of the other formats are longer than these windows.
    for &format in &Format::ALL[..5] {
        let mut file = Vec::new();
        let of_records = if format == Format::Viri { Format::Marlin } else { format };
        let writer = Writer::new(of_records, &mut file);
        match format {
            Format::Binpack => file.clone_from(&block),
            Format::Viri => {
                writer.expect("writes").write(&rows).expect("fits");
                // The same move three times: the first or the second is invalid.
                file.truncate(32);
                file.extend([0x41, 0x04, 1, 0].repeat(3));
            }
            _ => {
                writer.expect("writes").write(&rows).expect("it fits");
                // An invalid record, and half a record.
                file[40 * 50..40 * 51].fill(0xee);
                file.truncate(file.len() - 20);
            }
        }
        let scalar = Kernel::new(Backend::Scalar).expect("it runs everywhere");
        let expected = read(Reader::with_kernel(scalar, format, &file[..]), usize::MAX);
        assert!(!expected.1.is_empty(), "{format}");
        for (window, rows) in [(40, 1), (41, 100), (64, 7), (1000, 256)] {
            let reader = Reader::with_window(kernel, format, &file[..], window);
            assert!(read(reader, rows) == expected, "{format} {window}");
        }
    }
}
