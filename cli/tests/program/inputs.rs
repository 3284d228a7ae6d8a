//! What can be read: files, standard input, gzip and zstd by content, several at once.

use std::io::Write;

use setwise::Map;

use crate::run::{Folder, maps, sample, skipped};

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
fn plain_gzip_and_zstd_are_told_by_content() {
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
        ("comments and empty lines", format!("# x\n\n \t\n{text}\n#").into()),
    ];
    let expected = maps(&text, Map::DEFAULT);
    for (name, bytes) in inputs {
        folder.write("input", &bytes);
        folder.succeed("maps input -o maps.parquet");
        assert!(folder.parquet("maps.parquet") == expected, "{name}");
        folder.succeed_with("maps - -o maps.parquet", &bytes);
        assert!(folder.parquet("maps.parquet") == expected, "{name} from standard input");
    }
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
    assert!(folder.parquet("maps.parquet") == maps(&text, Map::DEFAULT));
}

#[test]
fn packed_files_that_are_cut_or_spoilt_stop_the_run() {
    let folder = Folder::new();
    for (name, mut bytes) in
        [("gzip", gzip(sample().as_bytes())), ("zstd", zstd(sample().as_bytes()))]
    {
        folder.write("cut", &bytes[..bytes.len() / 2]);
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0xff;
        folder.write("spoilt", &bytes);
        for input in ["cut", "spoilt"] {
            let said = folder.fail(1, &format!("maps {input} -o maps.parquet --skip-invalid"));
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

    // The number is said on standard error wherever the maps go, and who looks at it or not.
    let arguments = "maps mixed.epd -f csv -c white_king,black_king --skip-invalid";
    let rows = "white_king,black_king\n770,0\n0,4665729213955833856\n";
    let outcome = folder.run(&format!("{arguments} -o maps.csv"));
    assert_eq!((outcome.status, outcome.stderr.as_str()), (Some(0), "3 bad lines skipped\n"));
    assert_eq!(String::from_utf8(folder.read("maps.csv")).unwrap(), rows);
    let outcome = folder.run(&format!("{arguments} -o -"));
    assert_eq!((outcome.status, outcome.stderr.as_str()), (Some(0), "3 bad lines skipped\n"));
    assert_eq!(String::from_utf8(outcome.stdout).unwrap(), rows);
    let outcome = folder.run_with("maps - -f csv -o - --skip-invalid", b"x");
    assert_eq!((outcome.status, outcome.stderr.as_str()), (Some(0), "1 bad line skipped\n"));

    let arguments = "maps mixed.epd more.epd -o maps.csv --skip-invalid --rejects bad.txt -q";
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

    // The rejects can be read again, and say the same.
    let arguments = "maps bad.txt -o again.csv --skip-invalid --rejects again.txt";
    assert_eq!(folder.run(arguments).stderr, "5 bad lines skipped\n");
}

#[test]
fn the_shared_answers_agree() {
    let Ok(data) = std::env::var("SETWISE_DATA") else {
        skipped("SETWISE_DATA is not set");
        return;
    };
    let folder = Folder::new();
    folder.succeed(&format!("maps {data}/positions.epd.gz -o maps.parquet"));
    let read = folder.parquet("maps.parquet");
    assert_eq!(read[0].len(), 165_229);

    let packed = std::fs::File::open(format!("{data}/answers.tsv.gz")).unwrap();
    let answers = std::io::read_to_string(flate2::read::MultiGzDecoder::new(packed)).unwrap();
    let mut lines = answers.lines();
    let header: Vec<_> = lines.next().unwrap().split('\t').collect();
    let columns: Vec<_> = Map::DEFAULT
        .iter()
        .map(|map| map.name().replacen("white_", "w_", 1).replacen("black_", "b_", 1))
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
    assert_eq!(count, 16_559);
}
