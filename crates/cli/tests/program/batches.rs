//! Many batches of few rows: every format, column and error, compared with the library's results for all positions at
//! once.

use std::io::{Read, Write};
use std::process::Stdio;
use std::time::Duration;

use crate::answers;
use crate::read::{FORMATS, Table, read};
use crate::run::{Folder, sample};

/// Sizes of batches and chunks: one row, primes, powers of two, all rows.
const SIZES: [(usize, usize); 6] = [(1, 1), (7, 3), (16, 5), (64, 64), (61, 2048), (5000, 17)];

fn options(lines: usize, chunk: usize) -> String {
    format!("--batch-lines {lines} --chunk-rows {chunk}")
}

/// The expected contents of a file with these columns and lines, without line numbers.
fn expected(lines: &[&str], names: &[&str]) -> Table {
    let mut table =
        Table { names: names.iter().map(|&name| name.into()).collect(), ..Table::default() };
    for &name in names {
        if name == "fen" {
            table.texts = lines.iter().map(|&line| line.into()).collect();
            table.numbers.push(vec![]);
        } else {
            table.numbers.extend(answers::columns(lines, &[name]));
        }
    }
    table
}

/// Positions for which some columns have numbers of more than eight bits.
fn crowded() -> [&'static str; 3] {
    [
        "QQQQQQQQ/8/8/QQQQQQQQ/8/8/8/QQQQQQQQ w - - 0 1",
        "rrqqqqrr/8/8/8/qqqqqqqq/8/8/kqqqqqqK b - - 0 1",
        "QQQQQQQQ/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/QQQQQQQQ b - - id \"a, \"; c0 \"x\"",
    ]
}

#[test]
fn every_column_of_every_format_is_correct_in_every_batch() {
    let text = sample();
    let lines: Vec<&str> =
        text.lines().take(150).chain(crowded()).chain(text.lines().skip(800)).collect();
    let folder = Folder::new();
    // The order differs from that of the table, so that no column is in its place by accident.
    let mut names: Vec<&str> = answers::names();
    names.reverse();
    names.extend([
        "turn", "black", "white", "kings", "queens", "rooks", "bishops", "knights", "pawns",
    ]);
    for (rows, chunk) in SIZES {
        // A batch of one row takes almost as long as one of many.
        let lines = if rows == 1 { &lines[140..180] } else { &lines };
        folder.write("some.epd", lines.join("\n"));
        let expected = expected(lines, &names);
        let is_wide = |name: &&str| {
            answers::is_narrow(name) && expected.column(name).iter().any(|&n| n > 255)
        };
        assert!(answers::names().iter().any(is_wide));
        for format in FORMATS {
            let threads = 1 + rows % 4;
            let columns = names.join(",");
            folder.succeed(&format!(
                "maps some.epd -o maps.{format} -c {columns} {} --threads {threads}",
                options(rows, chunk)
            ));
            let (got, parts) = read(format, folder.read(&format!("maps.{format}")));
            assert!(
                got.numbers == expected.numbers,
                "{format}, batches of {rows}, chunks of {chunk}"
            );
            if format != "npy" {
                assert_eq!(got.names, expected.names, "{format}");
            }
            if format == "parquet" || format == "arrow" {
                let whole = lines.len() / rows;
                let rest = lines.len() % rows;
                let mut sizes = vec![rows; whole];
                sizes.extend((rest > 0).then_some(rest));
                assert_eq!(parts, sizes, "{format}");
            }
        }
    }
}

#[test]
fn text_and_line_numbers_are_correct_in_every_batch() {
    let text = sample();
    let (mut lines, mut numbers, mut file) = (Vec::new(), Vec::new(), String::new());
    for (i, line) in text.lines().take(200).chain(crowded()).enumerate() {
        // Lines without a row between the positions.
        file += ["", "\n", "# no row\n", "bad\n", "\n \t\r\n"][i % 5];
        numbers.push(file.lines().count() as u64 + 1);
        file += line;
        file += ["\n", "\r\n", " \n"][i % 3];
        lines.push(line);
    }
    let folder = Folder::new();
    folder.write("some.epd", &file);
    folder.write("more.epd", "\n8/8/8/8/8/8/8/8 w - -");
    lines.push("8/8/8/8/8/8/8/8 w - -");
    numbers.push(2);
    let names = ["white_all", "line", "fen", "white_mobility_queen", "pinned"];
    let mut expected =
        expected(&lines, &["white_all", "pawns", "fen", "white_mobility_queen", "pinned"]);
    expected.names[1] = "line".into();
    expected.numbers[1] = numbers;
    for (rows, chunk) in SIZES {
        for format in ["parquet", "arrow", "csv"] {
            let outcome = folder.run(&format!(
                "maps some.epd more.epd -o maps.{format} -c {} --on-invalid skip -q {}",
                names.join(","),
                options(rows, chunk)
            ));
            assert_eq!((outcome.status, outcome.stderr.as_str()), (Some(0), ""));
            let got = read(format, folder.read(&format!("maps.{format}"))).0;
            assert!(got == expected, "{format}, batches of {rows}, chunks of {chunk}");
        }
    }
}

#[test]
fn batches_that_end_by_bytes_lose_no_rows() {
    let text = sample();
    let lines: Vec<&str> = text.lines().take(300).collect();
    let folder = Folder::new();
    folder.write("some.epd", lines.join("\n"));
    let expected = expected(&lines, &["fen", "black_all"]);
    for bytes in [1, 100, 1000, 4321] {
        for format in ["parquet", "arrow", "csv"] {
            let sizes = format!("--batch-bytes {bytes} --batch-lines 100");
            folder.succeed(&format!("maps some.epd -o maps.{format} -c fen,black_all {sizes}"));
            let (got, parts) = read(format, folder.read(&format!("maps.{format}")));
            assert!(got == expected, "{format}, {bytes} bytes");
            // Each part except the last ends with the line that reaches the number of bytes.
            let mut start = 0;
            for (i, &rows) in parts.iter().enumerate() {
                let lengths: Vec<_> =
                    lines[start..start + rows].iter().map(|l| l.len() + 1).collect();
                let full = lengths.iter().sum::<usize>() >= bytes || rows == 100;
                assert!(full || i + 1 == parts.len(), "{format}, {bytes} bytes, part {i}");
                assert!(lengths[..rows - 1].iter().sum::<usize>() < bytes);
                start += rows;
            }
        }
    }
}

#[test]
fn files_that_end_near_a_batch_keep_their_last_row() {
    let text = sample();
    let folder = Folder::new();
    for count in [0, 1, 15, 16, 17, 31, 32, 33] {
        let lines: Vec<&str> = text.lines().take(count).collect();
        let expected = expected(&lines, &["white_all", "white_count_1"]);
        for end in ["", "\n"] {
            folder.write("some.epd", lines.join("\n") + if count > 0 { end } else { "" });
            for format in FORMATS {
                folder.succeed(&format!(
                    "maps some.epd -o maps.{format} -c white_all,white_count_1 {}",
                    options(16, 8)
                ));
                let got = read(format, folder.read(&format!("maps.{format}"))).0;
                assert!(got.numbers == expected.numbers, "{format}, {count} lines");
            }
        }
    }
}

#[test]
fn rejects_and_counts_include_every_batch() {
    let text = sample();
    // Runs of lines without a position that are longer than a batch, and runs of positions.
    let mut file = Vec::new();
    let (mut bad, mut blank, mut comments) = (Vec::new(), 0, 0);
    let mut good = text.lines();
    let mut lines = Vec::new();
    for i in 0..400 {
        let line = match i % 40 {
            0..12 => format!("not a position {i}"),
            12..14 => "# comment".into(),
            14..17 => " ".into(),
            _ => good.next().unwrap().to_owned(),
        };
        match i % 40 {
            0..12 => bad.push((i + 1, line.clone())),
            12..14 => comments += 1,
            14..17 => blank += 1,
            _ => lines.push(line.clone()),
        }
        file.push(line);
    }
    let folder = Folder::new();
    folder.write("mixed.epd", file.join("\n"));
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let expected = expected(&lines, &["white_queen", "black_ring_rook"]);
    let said =
        format!("{} invalid rows, {blank} blank lines, {comments} comments skipped\n", bad.len());
    for (rows, chunk) in SIZES {
        for format in FORMATS {
            let outcome = folder.run(&format!(
                "maps mixed.epd -o maps.{format} -c white_queen,black_ring_rook --on-invalid skip --rejects bad.txt {}",
                options(rows, chunk)
            ));
            assert_eq!((outcome.status, outcome.stderr.as_str()), (Some(0), said.as_str()));
            let got = read(format, folder.read(&format!("maps.{format}"))).0;
            assert!(got.numbers == expected.numbers, "{format}, batches of {rows}");
            let rejects = String::from_utf8(folder.read("bad.txt")).unwrap();
            let rejects: Vec<&str> = rejects.lines().collect();
            assert_eq!(rejects.len(), 2 * bad.len());
            for (pair, (number, line)) in rejects.chunks(2).zip(&bad) {
                assert!(pair[0].starts_with(&format!("# mixed.epd:{number}:2: ")), "{}", pair[0]);
                assert_eq!(pair[1], line);
            }
        }
    }
    // Without --on-invalid skip the error shows the first bad line, in any batch.
    for at in [0, 1, 99, 100, 101, 350] {
        let mut lines: Vec<&str> = text.lines().take(400).collect();
        lines[at] = "bad";
        lines[399] = "worse";
        folder.write("one.epd", lines.join("\n"));
        let arguments = format!("maps one.epd -o new.csv --threads 4 {}", options(10, 3));
        let said = folder.fail(1, &arguments);
        assert!(said.starts_with(&format!("one.epd:{}:2: ", at + 1)), "{said}");
    }
}

#[test]
fn threads_backends_and_memory_limits_do_not_change_the_output() {
    let folder = Folder::new();
    folder.write("sample.epd", sample());
    for format in FORMATS {
        let bytes = |arguments: &str| {
            folder
                .succeed(&format!("maps sample.epd -o - -f {format} --batch-lines 90 {arguments}"))
        };
        let one = bytes("--threads 1");
        for other in
            ["--threads 2", "--threads 7", "--bytes-under-way 1", "--bytes-under-way 100000"]
        {
            assert!(one == bytes(other), "{format}: {other}");
        }
        for backend in setwise::Backend::available() {
            assert!(one == bytes(&format!("--backend {backend}")), "{format}: {backend}");
        }
    }
}

#[test]
fn signed_numbers_have_the_same_bits() {
    let text = sample();
    let lines: Vec<&str> = text.lines().take(100).chain(crowded()).collect();
    let folder = Folder::new();
    folder.write("some.epd", lines.join("\n"));
    let names: Vec<&str> = answers::names().into_iter().chain(["turn", "black"]).collect();
    let expected = expected(&lines, &names);
    assert!(expected.column("black_all").iter().any(|&n| n >> 63 == 1), "some are negative");
    for format in FORMATS {
        let arguments = format!("maps some.epd -o maps.{format} --signed {}", options(30, 7));
        folder.succeed(&format!("{arguments} -c {}", names.join(",")));
        let got = read(format, folder.read(&format!("maps.{format}"))).0;
        assert!(got.numbers == expected.numbers, "{format}");
    }
    assert!(crate::read::npy(&folder.read("maps.npy")).0.starts_with("<i8 103, "));
    let csv = String::from_utf8(folder.read("maps.csv")).unwrap();
    assert!(csv.contains(",-"), "numbers have a sign in text too");
}

/// Reading ahead without a limit would fill the memory if the output is slow.
#[test]
fn the_work_in_progress_is_bounded() {
    let folder = Folder::new();
    for format in ["csv", "arrow", "parquet"] {
        let arguments =
            format!("maps - -o - -f {format} --batch-lines 10 --bytes-under-way 50000 --threads 2");
        let mut child = folder.command(&arguments).stdin(Stdio::piped()).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let (sender, taken) = std::sync::mpsc::channel();
        let writer = std::thread::spawn(move || {
            let text = sample();
            let mut lines = text.lines().cycle();
            for _ in 0..1_000_000 {
                let line = format!("{}\n", lines.next().unwrap());
                if pipe.write_all(line.as_bytes()).is_err() || sender.send(line.len()).is_err() {
                    return;
                }
            }
        });
        // Nothing reads the output, so the program eventually stops reading.
        let mut bytes = 0;
        while let Ok(more) = taken.recv_timeout(Duration::from_secs(2)) {
            bytes += more;
        }
        // The contents of two pipes, of the reader's buffer, and of the batches in progress.
        assert!(bytes > 50_000 && bytes < 3 << 20, "{format}: {bytes}");
        child.kill().unwrap();
        let mut rest = Vec::new();
        child.stdout.take().unwrap().read_to_end(&mut rest).unwrap();
        child.wait().unwrap();
        writer.join().unwrap();
    }
}
