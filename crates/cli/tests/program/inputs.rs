//! The supported inputs: files, standard input, gzip and zstd (detected by content), and several inputs.

use std::io::Write;

use crate::answers;
use crate::run::{Folder, maps, sample};

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    writer.write_all(text).unwrap();
    writer.finish().unwrap()
}

fn zstd(text: &[u8]) -> Vec<u8> {
    let mut writer = zstd::Encoder::new(Vec::new(), 1).unwrap();
    writer.include_checksum(true).unwrap();
    writer.write_all(text).unwrap();
    writer.finish().unwrap()
}

#[test]
fn compression_is_detected_by_content() {
    let folder = Folder::new();
    let text = sample();
    let (first, second) = text.as_bytes().split_at(12_345); // within a line
    let skippable = [&b"\x51\x2a\x4d\x18\x03\x00\x00\x00abc"[..], &zstd(text.as_bytes())].concat();
    let inputs = [
        ("plain", text.clone().into_bytes()),
        ("gzip", gzip(text.as_bytes())),
        ("gzip of two members", [gzip(first), gzip(second)].concat()),
        ("zstd", zstd(text.as_bytes())),
        ("zstd of two frames", [zstd(first), zstd(second)].concat()),
        ("zstd with a skippable frame", skippable),
        ("no line end", text.trim_end().into()),
        ("CRLF", text.replace('\n', "\r\n").into()),
        ("a mark of UTF-8", format!("\u{feff}{text}").into()),
        ("a mark of UTF-8, packed", gzip(format!("\u{feff}{text}").as_bytes())),
    ];
    let expected = maps(&text);
    for (name, bytes) in inputs {
        folder.write("input", &bytes);
        folder.succeed("maps input -o maps.parquet");
        assert!(folder.parquet("maps.parquet") == expected, "{name}");
        folder.succeed_with("maps - -o maps.parquet", &bytes);
        assert!(folder.parquet("maps.parquet") == expected, "{name} from standard input");
    }
}

#[test]
fn lines_without_a_position_are_counted() {
    let folder = Folder::new();
    let text = sample();
    folder.write("input", format!("# x\n\n \t\n{text}\n#"));
    for output in ["-o maps.parquet", "-o - -f parquet"] {
        let outcome = folder.run(&format!("maps input {output}"));
        assert_eq!(outcome.stderr, "3 blank lines, 2 comments skipped\n");
        assert_eq!(outcome.status, Some(0));
    }
    assert!(folder.parquet("maps.parquet") == maps(&text));
    assert_eq!(folder.run("maps input -o maps.parquet -q").stderr, "");
}

#[test]
fn a_stream_is_recognised_without_an_extension() {
    let folder = Folder::new();
    folder.write("some.epd", sample());
    let stream = folder.run("maps some.epd -q -c fen,white_king -f arrow -o -").stdout;
    assert!(stream.starts_with(&[0xff; 4]));
    folder.write("stream", stream);
    for name in ["some.epd", "stream"] {
        folder.succeed(&format!("maps {name} -q -c white_king -o {name}.csv --keep none"));
    }
    assert!(folder.read("some.epd.csv") == folder.read("stream.csv"));
}

#[test]
fn binary_inputs_are_named() {
    let folder = Folder::new();
    let expected = "expected text, plain or compressed with gzip or zstd";
    let binary = [&sample().as_bytes()[..300], b"\0"].concat();
    for (head, kind) in [
        (&b"7z\xbc\xaf\x27\x1c\0"[..], "it is a 7-Zip archive"),
        (b"PK\x03\x04\x14\0", "it is a Zip archive"),
        (b"PAR1\x15", "it is a Parquet file"),
        (b"ARROW1\0\0", "it is an Arrow file"),
        (b"\xff\xff\xff\xff\x78\0", "it is an Arrow stream"),
        (b"\x93NUMPY\x01", "it is a NumPy array"),
        (b"\xff\xfe8\0/\0", "it is UTF-16 text"),
        (b"\xfe\xff\08\0/", "it is UTF-16 text"),
        (&binary, "it is binary"),
    ] {
        folder.write("input", head);
        for options in ["--input-format text", "--input-format text --on-invalid skip"] {
            let said = folder.fail(1, &format!("maps input -o maps.csv {options}"));
            assert_eq!(said, format!("error: cannot read input: {kind}; {expected}\n"));
        }
        let said = folder.fail(1, "maps input -o maps.csv --input-format plain");
        assert_eq!(said, format!("error: cannot read input: {kind}; {expected}\n"));
        folder.write("input", gzip(head));
        let said = folder.fail(1, "maps input -o maps.csv");
        assert_eq!(said, format!("error: cannot read input: {kind}; {expected}\n"));
        let outcome = folder.run_with("maps - -o - -f csv", head);
        assert_eq!(
            outcome.stderr,
            format!("error: cannot read standard input: {kind}; {expected}\n")
        );
    }
}

#[test]
fn other_compressions_are_named() {
    let folder = Folder::new();
    for (head, kind) in [
        (&b"BZh91AY&SY"[..], "bzip2"),
        (b"\xfd7zXZ\0\0\x04", "xz"),
        (b"\x04\x22\x4d\x18\x64", "lz4"),
    ] {
        let expected = format!(
            "it is compressed with {kind}; decompress it, or compress it with gzip or zstd\n"
        );
        folder.write("a.bin.other", head);
        folder.write("a.bin", head);
        folder.write("a.txt", gzip(head));
        for arguments in ["a.bin.other", "a.bin.other --input-format bin", "a.bin", "a.txt"] {
            let said = folder.fail(1, &format!("maps {arguments} -o maps.csv"));
            let name = arguments.split(' ').next().unwrap();
            assert_eq!(said, format!("error: cannot read {name}: {expected}"), "{arguments}");
        }
        let said = folder.run_with("maps - -o - -f csv", head).stderr;
        assert_eq!(said, format!("error: cannot read standard input: {expected}"));
    }
}

#[test]
fn packed_files_end_with_their_last_record() {
    let folder = Folder::new();
    let packed = gzip(sample().as_bytes());
    for rest in [&b"junk"[..], b"\x1fjunk and more of it", b"\0\0x", b"\n"] {
        folder.write("input.gz", [&packed, rest].concat());
        let said = folder.fail(1, "maps input.gz -o maps.csv");
        assert_eq!(said, "error: cannot read input.gz: there is other data after the gzip data\n");
    }
    // Tapes and block devices add zeros.
    folder.write("input.gz", [&packed[..], &[0; 1000], &packed, &[0; 1000]].concat());
    folder.succeed("maps input.gz -o maps.parquet");
    assert!(folder.parquet("maps.parquet") == maps(&sample().repeat(2)));
    for (name, kind) in [("empty.gz", "gzip"), ("empty.zst", "zstd")] {
        folder.write(name, "");
        let said = folder.fail(1, &format!("maps {name} -o maps.csv"));
        assert_eq!(said, format!("error: cannot read {name}: it is empty, not {kind}\n"));
    }
    // Empty text is valid, both compressed and plain.
    folder.write("nothing.gz", gzip(b""));
    folder.write("plain.gz", sample());
    folder.succeed("maps nothing.gz plain.gz -o maps.parquet");
    assert!(folder.parquet("maps.parquet") == maps(&sample()));
}

#[test]
fn several_inputs_are_one() {
    let folder = Folder::new();
    let text = sample();
    let (first, rest) = text.split_at(text.match_indices('\n').nth(99).unwrap().0 + 1);
    let (second, third) = rest.split_at(rest.match_indices('\n').nth(499).unwrap().0 + 1);
    folder.write("a", first.trim_end());
    folder.write("b", gzip(second.as_bytes()));
    folder.write("empty", "");
    folder.succeed_with("maps a empty b - -o maps.parquet", third.as_bytes());
    assert!(folder.parquet("maps.parquet") == maps(&text));
}

#[test]
fn truncated_and_damaged_packed_files_stop_the_run() {
    let folder = Folder::new();
    for (name, mut bytes) in
        [("gzip", gzip(sample().as_bytes())), ("zstd", zstd(sample().as_bytes()))]
    {
        folder.write("cut", &bytes[..bytes.len() / 2]);
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0xff;
        folder.write("spoilt", &bytes);
        for input in ["cut", "spoilt"] {
            let said = folder.fail(1, &format!("maps {input} -o maps.parquet --on-invalid skip"));
            assert!(said.starts_with(&format!("error: cannot read {input}: ")), "{name}: {said}");
            assert_eq!(said.lines().count(), 1, "{name}: {said}");
        }
    }
}

#[test]
fn bad_lines_are_skipped_counted_and_kept() {
    let folder = Folder::new();
    let long = "8/".repeat(100_000);
    let text = format!(
        "# mine\n8/8/8/8/8/8/8/K7 w - -\nnothing\n\n8/8/8 w - -\n{long}\n7k/8/8/8/8/8/8/8 b\n"
    );
    folder.write("mixed.epd", &text);
    folder.write("more.epd", "x\n8/8/8/8/8/8/8/8 w - -\ny");

    // The number is printed on standard error for every destination of the maps, even if it is not a terminal.
    let arguments = "maps mixed.epd -f csv -c white_king,black_king --on-invalid skip";
    let rows = "white_king,black_king\n770,0\n0,4665729213955833856\n";
    let outcome = folder.run(&format!("{arguments} -o maps.csv"));
    assert_eq!(
        (outcome.status, outcome.stderr.as_str()),
        (Some(0), "3 invalid rows, 1 blank line, 1 comment skipped\n")
    );
    assert_eq!(String::from_utf8(folder.read("maps.csv")).unwrap(), rows);
    let outcome = folder.run(&format!("{arguments} -o -"));
    assert_eq!(
        (outcome.status, outcome.stderr.as_str()),
        (Some(0), "3 invalid rows, 1 blank line, 1 comment skipped\n")
    );
    assert_eq!(String::from_utf8(outcome.stdout).unwrap(), rows);
    let outcome = folder.run_with("maps - -f csv -o - --on-invalid skip", b"x\n8/8/8/8/8/8/8/8 w");
    assert_eq!((outcome.status, outcome.stderr.as_str()), (Some(0), "1 invalid row skipped\n"));

    let arguments = "maps mixed.epd more.epd -o maps.csv --on-invalid skip --rejects bad.txt -q";
    assert_eq!(folder.succeed(arguments), b"");
    let rejects = String::from_utf8(folder.read("bad.txt")).unwrap();
    let lines: Vec<_> = rejects.lines().collect();
    assert_eq!(lines.len(), 10);
    assert!(lines[0].starts_with("# mixed.epd:3:"), "{}", lines[0]);
    assert_eq!(lines[1], "nothing");
    assert!(lines[2].starts_with("# mixed.epd:5:"), "{}", lines[2]);
    assert_eq!(lines[3], "8/8/8 w - -");
    assert!(lines[4].starts_with("# mixed.epd:6:"), "{}", lines[4]);
    assert!(long.starts_with(lines[5]) && lines[5].len() > 1000);
    assert!(lines[6].starts_with("# more.epd:1:1: "), "{}", lines[6]);
    assert_eq!(lines[9], "y");

    // Reading the rejects again gives the same errors.
    folder.write("good.epd", "8/8/8/8/8/8/8/8 w");
    let arguments = "maps bad.txt good.epd -o again.csv --on-invalid skip --rejects again.txt";
    assert_eq!(folder.run(arguments).stderr, "5 invalid rows, 5 comments skipped\n");
    let again = String::from_utf8(folder.read("again.txt")).unwrap();
    let of = |text: &str| text.lines().skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(of(&again), of(&rejects));
}

#[test]
fn the_shared_answers_agree() {
    let data = answers::data();
    let folder = Folder::new();
    folder.succeed(&format!("maps {data}/positions.epd.gz -o maps.parquet"));
    let read = folder.parquet("maps.parquet");
    assert!(read[0].len() >= 300);

    let packed = std::fs::File::open(format!("{data}/answers.tsv.gz")).unwrap();
    let answers = std::io::read_to_string(flate2::read::MultiGzDecoder::new(packed)).unwrap();
    let mut lines = answers.lines();
    let header: Vec<_> = lines.next().unwrap().split('\t').collect();
    let columns: Vec<_> = answers::default_names()
        .into_iter()
        .map(|name| name.replacen("white_", "w_", 1).replacen("black_", "b_", 1))
        .map(|name| header.iter().position(|&column| column == name).unwrap())
        .collect();
    let mut count = 0;
    for (row, line) in lines.enumerate() {
        let cells: Vec<_> = line.split('\t').collect();
        for (i, &column) in columns.iter().enumerate() {
            let answer = u64::from_str_radix(cells[column], 16).unwrap();
            assert_eq!(read[i][row], answer, "{} of {}", header[column], cells[0]);
        }
        count += 1;
    }
    assert!(count >= 300);
}
