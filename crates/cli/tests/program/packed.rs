//! Packed records as input, and conversions between formats.

use std::process::Stdio;

use crate::chunks;
use crate::read::{npy, read};
use crate::run::{Folder, maps, sample};

/// Converts these positions to records of a format that can hold them, with the program.
fn packed(folder: &Folder, name: &str, text: &str) -> Vec<u8> {
    folder.write("from.fen", text);
    let outcome = folder.run(&format!("convert from.fen -o {name} -q --lossy --on-missing 0"));
    assert_eq!((outcome.status, &*outcome.stderr), (Some(0), ""), "{name}");
    folder.read(name)
}

/// The positions of the sample that all formats can hold, as the library writes them: six fields, one king per side, at
/// most 32 pieces, castling with rooks in the corners.
fn storable_positions() -> String {
    let fits = |line: &&str| {
        let fen = setwise::Fen::parse(line).unwrap();
        let [white, black] = [fen.pieces.white, fen.pieces.black];
        (white | black).count_ones() <= 32
            && [white, black].iter().all(|side| (side & fen.pieces.kings).count_ones() == 1)
            && (fen.castling.white | fen.castling.black) & 0b0111_1110 == 0
            && fen.to_string() == **line
    };
    sample().lines().filter(fits).map(|line| format!("{line}\n")).collect()
}

#[test]
fn records_have_the_maps_of_their_text() {
    let folder = Folder::new();
    let text = storable_positions();
    assert!(text.lines().count() > 300);
    let expected = maps(&text);
    for name in ["a.marlin", "a.bin"] {
        packed(&folder, name, &text);
        for sizes in ["", "--batch-lines 7 --chunk-rows 3 --threads 3"] {
            folder.succeed(&format!("maps {name} -q -o out.npy {sizes}"));
            assert_eq!(npy(&folder.read("out.npy")).1.numbers, expected, "{name} {sizes}");
            // The text of a record is the FEN of its position.
            folder.succeed(&format!(
                "maps {name} -q -o out.parquet --keep none --columns fen,line,turn {sizes}"
            ));
            let table = read("parquet", folder.read("out.parquet")).0;
            assert!(table.texts.iter().map(String::as_str).eq(text.lines()), "{name}");
            assert!(table.column("line").iter().copied().eq(1..=table.texts.len() as u64));
        }
    }
}

#[test]
fn other_fields_of_records_are_kept() {
    let folder = Folder::new();
    packed(&folder, "a.marlin", &storable_positions());
    packed(&folder, "a.bullet", &storable_positions());
    let header = |arguments: &str| {
        let out = String::from_utf8(folder.run(arguments).stdout).unwrap();
        out.lines().next().unwrap().to_owned()
    };
    assert_eq!(
        header("maps a.marlin -o - -f csv --columns white_all"),
        "turn,castling_white,castling_black,en_passant,halfmove_clock,fullmove_number,score,result,\
         extra,white_all"
    );
    assert_eq!(
        header("maps a.bullet -o - -f csv --columns white_all"),
        "score,result,extra,white_all"
    );
    assert_eq!(
        header("maps a.marlin -o - -f csv --columns turn,checkers --keep result,score"),
        "result,score,turn,checkers"
    );
    for columns in ["turn", "all", "board"] {
        let said = folder.fail(1, &format!("maps a.bullet -o out.csv --columns {columns}"));
        let expected = "column `turn` is not in this input; leave it, and presets with it (all, board), out of --columns\n";
        assert!(said.ends_with(expected), "{said}");
    }
    for (option, expected) in [
        ("--by-ply 20", "it has neither plies nor move numbers: leave out --by-ply\n"),
        ("--compare turn=0 turn=1", "column `turn` is not in this input (--compare)\n"),
    ] {
        let said = folder.fail(1, &format!("show --input a.bullet {option}"));
        assert!(said.ends_with(expected), "{said}");
    }
    let said = folder.fail(1, "maps a.bullet -o out.csv --keep ply");
    assert!(
        said.contains("no column is called `ply`; there are `score`, `result`, `extra`"),
        "{said}"
    );
}

#[test]
fn records_stream() {
    let folder = Folder::new();
    let text = storable_positions();
    let expected = maps(&text.repeat(2));
    for (name, format) in [("a.marlin", "marlin"), ("a.bin", "bin")] {
        let bytes = packed(&folder, name, &text);
        let arguments = format!("maps - {name} --input-format {format} -q -o out.npy");
        folder.succeed_with(&arguments, &bytes);
        assert_eq!(npy(&folder.read("out.npy")).1.numbers, expected, "{name}");
        folder.write(&format!("{name}.zst"), zstd::encode_all(&bytes[..], 1).unwrap());
        // The case of an extension does not matter.
        std::fs::rename(folder.path(&format!("{name}.zst")), folder.path(&format!("{name}.ZST")))
            .unwrap();
        folder.succeed(&format!("maps {name}.ZST {name} -q -o out.npy"));
        assert_eq!(npy(&folder.read("out.npy")).1.numbers, expected, "{name}");
    }
}

/// Reads several named pipes in all formats that are read sequentially.
#[cfg(unix)]
#[test]
fn named_pipes_are_read() {
    let folder = Folder::new();
    let text = storable_positions();
    let marlin = packed(&folder, "a.marlin", &text);
    let mut csv = "n,fen\n".to_owned();
    let mut jsonl = String::new();
    for (n, line) in text.lines().enumerate() {
        csv += &format!("{n},{line}\n");
        jsonl += &format!("{{\"fen\": \"{line}\", \"n\": {n}}}\n");
    }
    folder.write("from.csv", &csv);
    folder.succeed("maps from.csv -q -o from.arrow --columns turn");
    let arrow = folder.read("from.arrow");
    let expected = maps(&text.repeat(2));
    for (format, bytes) in [
        ("text", text.as_bytes()),
        ("marlin", &marlin),
        ("csv", csv.as_bytes()),
        ("jsonl", jsonl.as_bytes()),
        ("arrow", &arrow),
    ] {
        folder.write("bytes", bytes);
        let script =
            "mkfifo p q && (cat bytes > p & cat bytes > q & \"$0\" \"$@\"); s=$?; rm p q; exit $s";
        let arguments = format!("maps p q --input-format {format} -q -o out.npy");
        let output = folder.shell(script, &arguments).stdin(Stdio::null()).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), &*said), (Some(0), ""), "{format}");
        assert_eq!(npy(&folder.read("out.npy")).1.numbers, expected, "{format}");
    }
}

#[test]
fn bad_records_stop_or_are_skipped() {
    let folder = Folder::new();
    let mut bytes = packed(&folder, "a.marlin", &storable_positions());
    bytes[32 * 5 + 8] = 0xff; // the codes of the first two pieces
    let records = bytes.len() / 32;
    bytes.truncate(bytes.len() - 10);
    folder.write("b.marlin", &bytes);
    for sizes in ["", "--batch-lines 1", "--batch-lines 3 --threads 3"] {
        let said = folder.fail(1, &format!("maps b.marlin -o out.npy {sizes}"));
        assert!(said.starts_with("b.marlin: record 6, byte 168: expected "), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        let skip = "--on-invalid skip --rejects bad.txt";
        let outcome = folder.run(&format!("maps b.marlin -o out.npy {skip} {sizes}"));
        assert_eq!((outcome.status, &*outcome.stderr), (Some(0), "2 invalid rows skipped\n"));
        let rejects = String::from_utf8(folder.read("bad.txt")).unwrap();
        let last =
            format!("# b.marlin: record {records}, byte {}: expected 32 bytes", 32 * (records - 1));
        assert!(rejects.lines().last().unwrap().starts_with(&last), "{rejects}");
        let columns = npy(&folder.read("out.npy")).1.numbers;
        assert!(columns.iter().all(|column| column.len() == records - 2));
        folder.succeed_with("maps - --input-format text -o x.npy -q", b"8/8/8/8/8/8/8/8");
    }
    // With `null`, invalid records are null, for every choice of kept columns.
    for (name, wrong) in [("c.bin", 26), ("c.marlin", 8), ("c.bullet", 26)] {
        let mut bytes = packed(&folder, name, &storable_positions());
        let size = bytes.len() / storable_positions().lines().count();
        bytes[size + wrong] = 255;
        folder.write(name, &bytes[..3 * size]);
        for keep in ["", "--keep score", "--keep none --columns white_all,score,result"] {
            let text = folder.run(&format!("maps {name} -o - -f csv --on-invalid null {keep}"));
            let (rows, said) = (String::from_utf8(text.stdout).unwrap(), text.stderr);
            let nulls = rows.lines().filter(|row| row.split(',').all(str::is_empty)).count();
            let found = (text.status, rows.lines().count(), nulls);
            assert_eq!(found, (Some(0), 4, 1), "{name} {keep}: {rows}{said}");
        }
    }
    folder.write("cut.binpack", b"BINP\x10\x00\x00\x00abc");
    folder.write("bad.vf", vec![0xff; 40]);
    for name in ["cut.binpack", "bad.vf"] {
        for skip in ["", "--on-invalid skip"] {
            let said = folder.fail(1, &format!("maps {name} -o other.npy {skip}"));
            assert!(
                said.starts_with(&format!("error: cannot read {name}: record 1, byte ")),
                "{said}"
            );
            assert_eq!(said.lines().count(), 1, "{said}");
        }
    }
}

#[test]
fn conversions_round_trip() {
    let folder = Folder::new();
    let text = storable_positions();
    folder.write("a.fen", &text);
    for name in ["a.marlin", "a.bin"] {
        let outcome = folder.run(&format!("convert a.fen -o {name} -q --on-missing 0"));
        assert_eq!((outcome.status, &*outcome.stderr), (Some(0), ""));
        let lossy = folder.fail(1, &format!("convert {name} -o b.fen"));
        assert!(lossy.contains("this would be lost: score, result"), "{lossy}");
        folder.succeed(&format!("convert {name} -o b.fen --lossy -q"));
        assert_eq!(folder.read("b.fen"), text.as_bytes(), "{name}");
    }
    // Converting back gives the original bytes.
    folder.succeed("convert a.marlin -o c.bin -q");
    let said = folder.fail(1, "convert c.bin -o c.marlin -q");
    assert!(said.contains("from bin to marlin this would be lost: move, ply"), "{said}");
    folder.succeed("convert c.bin -o c.marlin -q --lossy");
    assert_eq!(folder.read("c.marlin"), folder.read("a.marlin"));
    let out = folder.run_with(
        "convert - --input-format text -o - --format marlin --on-missing 0",
        text.as_bytes(),
    );
    assert_eq!(out.stdout, folder.read("a.marlin"));
}

#[test]
fn lost_data_are_an_error() {
    let folder = Folder::new();
    folder.write("a.fen", "4k3/8/8/8/8/8/8/4K3 w - - 0 1\n");
    let said = folder.fail(1, "convert a.fen -o a.bullet --on-missing 0");
    let lost = "turn, castling, en_passant, halfmove_clock, fullmove_number";
    assert_eq!(
        said,
        format!(
            "error: from text to bullet this would be lost: {lost} (use --lossy to allow this)\n"
        )
    );
    let said = folder.fail(1, "convert a.fen -o a.marlin");
    assert_eq!(said, "error: a.fen:1: no score; use --on-missing to skip or fill it\n");
    let outcome = folder.run("convert a.fen -o a.marlin --on-missing 0");
    assert_eq!(String::from_utf8(outcome.stdout).unwrap(), "1 position\n");
    let said = folder.fail(1, "convert a.marlin -o a.bullet --keep scores");
    assert!(said.contains("a.marlin: no column is called `scores`; there are `turn`, "), "{said}");
    folder.write("a.pgn", "[White \"A\"]\n\n1. e4 1-0\n");
    let said = folder.fail(1, "convert a.pgn -o a.bin --keep eval,san,clock --on-missing 0");
    assert!(said.contains("these columns would be lost: san, clock (use --lossy"), "{said}");
    let said = folder.fail(1, "convert a.pgn -o b.marlin --keep result,move --on-missing 0");
    assert!(said.contains("from pgn to marlin this would be lost: move"), "{said}");
    let said = folder.fail(2, "convert a.fen -o b.marlin --keep line --on-missing 0");
    assert!(said.contains("--keep is for tables, games and packed records"), "{said}");
    let said = folder.fail(1, "convert a.pgn -o a.bin --keep ply,White --on-missing 0");
    assert!(said.contains("from pgn to bin these columns would be lost: White (use"), "{said}");
    assert_eq!(outcome.stderr, "1 position without a label written with 0\n");

    folder.write("b.epd", "\n4k3/8/8/8/8/8/8/4K3 w - - bm Kd2;\n");
    let said = folder.fail(1, "convert b.epd -o b.marlin --on-missing 0");
    assert!(said.starts_with("b.epd:2:27: what follows the position would be lost"), "{said}");
    folder.succeed("convert b.epd -o b.marlin --lossy -q --on-missing 0");
    assert_eq!(folder.read("b.marlin"), folder.read("a.marlin"));

    let mut spare = folder.read("a.marlin");
    spare[31] = 7;
    folder.write("c.marlin", &spare);
    let said = folder.fail(1, "convert c.marlin -o c.bin");
    let lost =
        "spare bytes of a record would be lost (use --lossy to allow this); its position is ";
    assert!(said.starts_with(&format!("error: c.marlin: {lost}")), "{said}");
    // Spare bytes are also detected after the first records.
    let many = [&folder.read("a.marlin").repeat(10_000)[..], &spare].concat();
    folder.write("many.marlin", &many);
    let said = folder.fail(1, "convert many.marlin -o c.bin");
    assert!(said.starts_with(&format!("error: many.marlin: {lost}")), "{said}");
    folder.succeed("convert c.marlin -o d.marlin -q");
    assert_eq!(folder.read("d.marlin"), spare);

    // Values that the format cannot hold.
    folder.write("d.fen", "4k3/8/8/8/8/8/8/4K3 w - - 200 300\n");
    let said = folder.fail(1, "convert d.fen -o d.bin --on-missing 0");
    assert!(
        said.starts_with("error: cannot write d.bin: record 1, byte 0: expected a halfmove clock"),
        "{said}"
    );
    assert!(said.contains("; the position is 4k3/8/8/8/8/8/8/4K3 w - - 200 300\n"), "{said}");

    folder.write("e.fen", "x\n4k3/8/8/8/8/8/8/4K3 w - - 0 1\n");
    assert!(folder.fail(1, "convert e.fen -o e.marlin").starts_with("e.fen:1:1: expected "));
    let outcome = folder.run("convert e.fen -o e.marlin --on-invalid skip --on-missing 0");
    assert!(outcome.stderr.starts_with("1 invalid position skipped\n"), "{}", outcome.stderr);
    assert_eq!(folder.read("e.marlin"), folder.read("a.marlin"));

    for (arguments, message) in [
        ("convert a.fen -o out", "cannot infer the output format from the name out; use .fen,"),
        (
            "convert a.fen -o out.vf",
            "cannot write viri from text: viri is written only from pgn, tables or bin",
        ),
        ("convert - - -o out.fen", "standard input (-) can be read only once"),
    ] {
        let said = folder.fail(2, arguments);
        assert!(said.contains(message), "{said}");
    }
    folder.write("t.csv", "movetext\n1. e4 *\n");
    for (inputs, message) in [
        ("a.fen a.marlin", "a.marlin is marlin, and the first input is text"),
        ("missing.marlin", "cannot read missing.marlin: "),
    ] {
        let said = folder.fail(1, &format!("convert {inputs} -o out.fen --lossy"));
        assert!(said.starts_with(&format!("error: {message}")), "{said}");
    }
}

#[test]
fn rows_that_do_not_fit_are_changed_or_skipped_and_counted() {
    let folder = Folder::new();
    let good = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    // A clock and castling that .bin cannot hold, and a board without kings, which no format can hold.
    let rows = [good, "4k3/8/8/8/8/8/8/4K3 w - - 200 300", "4k3/8/8/8/8/8/8/1R2K2R w KB - 0 1"];
    folder.write("a.fen", format!("{}\n8/8/8/8/8/8/8/8 w - - 0 1\n{good}\n", rows.join("\n")));
    let text = |name: &str| {
        folder.succeed(&format!("convert {name} -o back.fen -q --lossy"));
        String::from_utf8(folder.read("back.fen")).unwrap()
    };
    let notes = |arguments: &str| {
        let outcome = folder.run(arguments);
        assert_eq!(outcome.status, Some(0), "{}", outcome.stderr);
        let is_expected = |line: &&str| {
            !line.contains("without a label written with 0")
                && !line.starts_with("missing in the input")
        };
        let notes = outcome.stderr.lines().filter(is_expected);
        (String::from_utf8(outcome.stdout).unwrap(), notes.collect::<Vec<_>>().join("\n"))
    };
    assert_eq!(
        notes("convert a.fen -o a.bin --on-invalid skip --on-missing 0"),
        ("2 positions\n".to_owned(), "3 positions that bin cannot hold skipped".to_owned())
    );
    assert_eq!(text("a.bin"), format!("{good}\n{good}\n"));
    let (said, note) = notes("convert a.fen -o a.bin --on-invalid skip --lossy --on-missing 0");
    let changed = "2 positions changed to what bin can hold (castling, clocks, scores)";
    assert_eq!(said, "4 positions\n");
    assert_eq!(note, format!("1 position that bin cannot hold skipped\n{changed}"));
    let limited = "4k3/8/8/8/8/8/8/4K3 w - - 127 300\n4k3/8/8/8/8/8/8/1R2K2R w K - 0 1";
    assert_eq!(text("a.bin"), format!("{good}\n{limited}\n{good}\n"));
    let said = folder.fail(1, "convert a.fen -o b.bin --lossy --on-missing 0");
    assert!(
        said.starts_with("error: cannot write b.bin: record 4, byte 120: expected 1 king"),
        "{said}"
    );
    // marlinformat stores castling with any rook, and a larger clock.
    let (_, note) = notes("convert a.fen -o a.marlin --on-invalid skip --on-missing 0");
    assert_eq!(note, "1 position that marlin cannot hold skipped");
}

#[test]
fn only_invalid_rows_leaves_an_older_file() {
    let folder = Folder::new();
    folder.write("garbage.txt", "no\nposition\nat all\n");
    folder.write("garbage.bin", vec![0xee; 80]);
    folder.write("empty.fen", "8/8/8/8/8/8/8/8 w - - 0 1\n");
    folder.write("older.bin", "older");
    for (input, first) in [
        (
            "garbage.txt",
            "no row could be converted (3 rows); the first: garbage.txt:1:2: expected ",
        ),
        ("garbage.bin", "no row could be converted (2 rows); the first: garbage.bin: record 1, "),
        (
            "empty.fen",
            "no row could be converted (1 row); the first: cannot write older.bin: record 1, ",
        ),
    ] {
        for lossy in ["", "--lossy"] {
            let said = folder.fail(
                1,
                &format!("convert {input} -o older.bin --on-invalid skip {lossy} --on-missing 0"),
            );
            assert!(
                said.starts_with(&format!("error: nothing is written, because {first}")),
                "{said}"
            );
            assert_eq!(said.lines().count(), 1, "{said}");
            assert_eq!(folder.read("older.bin"), b"older");
        }
    }
    // As for maps, an empty input gives an empty output.
    folder.write("nothing.fen", "# nothing\n");
    folder.succeed("convert nothing.fen -o older.bin -q --on-missing 0");
    assert_eq!(folder.read("older.bin"), b"");
}

/// A failure to write the closing line is not an error, because the output is complete.
#[cfg(target_os = "linux")]
#[test]
fn an_unwritable_closing_line_is_not_an_error() {
    let folder = Folder::new();
    folder.write("a.fen", storable_positions());
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output =
        folder.command("convert a.fen -o a.bin --on-missing 0").stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(folder.read("a.bin").len(), 40 * storable_positions().lines().count());
}

/// Creates a tar archive of files.
fn tar(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut archive = Vec::new();
    for (name, bytes) in files {
        let mut head = vec![0; 512];
        head[..name.len()].copy_from_slice(name.as_bytes());
        head[100..108].copy_from_slice(b"0000644\0");
        head[124..136].copy_from_slice(format!("{:011o}\0", bytes.len()).as_bytes());
        head[148..156].fill(b' ');
        head[156] = if name.ends_with('/') { b'5' } else { b'0' };
        head[257..265].copy_from_slice(b"ustar\x0000");
        let sum: u32 = head.iter().map(|byte| u32::from(*byte)).sum();
        head[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        archive.extend(head);
        archive.extend(bytes);
        archive.resize(archive.len().next_multiple_of(512), 0);
    }
    archive.resize(archive.len() + 1024, 0);
    archive
}

#[test]
fn chunks_of_lc0_are_read_from_files_and_archives() {
    let folder = Folder::new();
    let positions = chunks::positions();
    let (first, second) = (&positions[..60], &positions[60..100]);
    let gzip = |bytes: &[u8]| {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut gzip, bytes).unwrap();
        gzip.finish().unwrap()
    };
    let (one, two) = (chunks::file(first, 6), chunks::file(second, 7));
    let both = [&one[..], &two].concat();
    let files = [
        ("chunks/", Vec::new()),
        ("chunks/training.1.gz", gzip(&one)),
        ("chunks/training.2", two.clone()),
    ];
    let archive = tar(&files);
    folder.write("a.lc0", &both);
    folder.write("a.lc0.gz", gzip(&both));
    folder.write("a.tar", &archive);
    folder.write("b.tar.gz", gzip(&archive));
    folder.write("c.tar", [tar(&files[..2]), tar(&files[2..])].concat());
    let columns_of = |name: &str, columns: &str| {
        let keep = "--keep score,result,move,en_passant";
        let text = folder.succeed(&format!("maps {name} -q -o - -f csv {keep} -c {columns}"));
        String::from_utf8(text).unwrap()
    };
    let read = |name: &str| columns_of(name, "fen,line,white_all");
    let expected = read("a.lc0");
    assert_eq!(expected.lines().count(), 101);
    folder.write("d.tgz", gzip(&archive));
    for name in ["a.lc0.gz", "a.tar", "b.tar.gz", "c.tar", "d.tgz"] {
        assert_eq!(read(name), expected, "{name}");
    }
    // Folders, with files that a data set has beside its chunks.
    for (name, archived) in [("chunks", false), ("archives", true)] {
        std::fs::create_dir_all(folder.path(&format!("{name}/sub"))).unwrap();
        for (other, bytes) in [
            ("LICENSE", &b"The Open Database License"[..]),
            ("sub/README.md", b"# Chunks"),
            ("index.json", b"{}"),
            (".DS_Store", b"\0\0\0\x01Bud1"),
        ] {
            folder.write(&format!("{name}/{other}"), bytes);
        }
        let files = match archived {
            true => [("1.tar", tar(&files[..2])), ("sub/2.tgz", gzip(&tar(&files[2..])))],
            false => [("sub/training.1.gz", gzip(&one)), ("sub/training.2", two.clone())],
        };
        files.iter().for_each(|(file, bytes)| folder.write(&format!("{name}/{file}"), bytes));
        // Records are numbered in each file.
        let found = columns_of(&format!("{name} --input-format lc0"), "fen,white_all");
        assert_eq!(found, columns_of("a.lc0", "fen,white_all"), "{name}");
    }
    assert_eq!(columns_of("archives", "fen"), columns_of("a.lc0", "fen"));
    folder.succeed("convert archives -o f.fen -q --lossy");
    assert_eq!(String::from_utf8(folder.read("f.fen")).unwrap().lines().count(), 100);
    let placement = |fen: &str| fen.split(' ').next().unwrap().to_owned();
    for (line, position) in expected.lines().skip(1).zip(&positions) {
        assert!(line.contains(&placement(&position.fen)), "{line}");
    }
    // Damage is detected and reported.
    let cut = &archive[..archive.len() - 1024 - 600];
    let mut flipped = archive.clone();
    flipped[512 + 3] ^= 1;
    let mut spoilt = archive.clone();
    spoilt[512 + 512 + 200] ^= 0xff;
    for (bytes, message) in [
        (cut, "it ends too soon: within a file of the archive"),
        (&flipped, "expected the header of a file of the archive, found something else"),
        (&spoilt, "its file chunks/training.1.gz: "),
    ] {
        folder.write("bad.tar", bytes);
        let said = folder.fail(1, "maps bad.tar -q -o out.csv");
        assert!(said.contains(message), "{said}");
    }
    // The end of the compressed archive is missing, after all files.
    let packed = gzip(&archive);
    folder.write("cut.tar.gz", &packed[..packed.len() - 4]);
    let said = folder.fail(1, "maps cut.tar.gz -q -o out.csv");
    assert!(said.contains("unexpected end of file"), "{said}");
}

/// A ply that differs from the move number, and castling in Chess960 to the square next to the king.
#[test]
fn plies_and_castling_come_through_all_formats() {
    let folder = Folder::new();
    let record = |played| {
        let position = "4k3/8/8/8/8/8/8/5K1R w K - 0 1";
        format!("fen {position}\nmove {played}\nscore 5\nply 57\nresult 1\ne\n")
    };
    folder.write("a.plain", record("f1h1") + &record("f1g1"));
    for (from, to) in [("a.plain", "b.bin"), ("b.bin", "c.plain"), ("b.bin", "d.vf --lossy")] {
        folder.succeed(&format!("convert {from} -o {to}"));
    }
    for (name, expected) in [
        ("a.plain", "move,ply,turn\nf1h1,57,0\nf1g1,57,0\n"),
        ("b.bin", "move,ply,turn\nf1h1,57,0\nf1g1,57,0\n"),
        ("c.plain", "move,ply,turn\nf1h1,57,0\nf1g1,57,0\n"),
        ("d.vf", "move,turn\nf1h1,0\nf1g1,0\n"),
    ] {
        let keep = if name == "d.vf" { "move" } else { "move,ply" };
        let table =
            folder.succeed(&format!("maps {name} -q -o - -f csv --keep {keep} --columns turn"));
        assert_eq!(String::from_utf8(table).unwrap(), expected, "{name}");
    }
    folder.write("e.plain", record("f1g1").replace(" K ", " - "));
    folder.succeed("convert e.plain -o e.bin");
    let said = folder.run("convert e.bin -o e.binpack").stderr;
    assert_eq!(said, "1 position whose move number binpack computes from the ply\n");
    let table = folder.succeed("maps e.binpack -q -o - -f csv --keep ply --columns turn");
    assert_eq!(table, b"ply,turn\n57,0\n");
}

/// In `.plain`, a record may have no score and no result; the other formats have no missing result.
#[test]
fn results_may_be_missing_in_plain() {
    let folder = Folder::new();
    let record = |label| format!("fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1\n{label}\ne\n");
    folder
        .write("a.plain", record("score 5") + &record("result 0") + &record("score 7\nresult -1"));
    let read = |arguments: &str| {
        let table = folder.succeed(&format!(
            "maps {arguments} -q -o - -f csv --keep score,result --columns turn"
        ));
        String::from_utf8(table).unwrap()
    };
    assert_eq!(read("a.plain"), "score,result,turn\n5,,0\n,0,0\n7,-1,0\n");
    assert_eq!(read("a.plain --on-missing skip"), "score,result,turn\n7,-1,0\n");
    assert_eq!(read("a.plain --where result<1"), "score,result,turn\n,0,0\n7,-1,0\n");
    let said = folder.fail(1, "convert a.plain -o a.bin");
    assert!(
        said.contains("a.plain: record 1: no result; use --on-missing to skip or fill it"),
        "{said}"
    );
    let outcome = folder.run("convert a.plain -o a.bin --on-missing skip");
    assert_eq!(outcome.stderr, "2 positions without a label left out\n");
    assert_eq!(read("a.bin"), "score,result,turn\n7,-1,0\n");
    // Text has no labels.
    let outcome = folder.run("convert a.plain -o a.fen --on-missing 0 --lossy");
    assert_eq!((outcome.status, outcome.stderr.as_str()), (Some(0), ""));
    // Both formats can lack a score, which is kept unless the option is given.
    folder.write("c.plain", record("result 0"));
    folder.succeed("convert c.plain -o c.bin -q");
    assert_eq!(read("c.bin"), "score,result,turn\n,0,0\n");
    let said = folder.fail(1, "convert c.plain -o c.bin --on-missing stop");
    assert!(said.contains("c.plain: record 1: no score"), "{said}");
    folder.succeed("convert a.plain -o b.bin --on-missing 1 -q");
    assert_eq!(read("b.bin"), "score,result,turn\n5,1,0\n1,0,0\n7,-1,0\n");
}

/// An invalid record of `.plain` is an invalid row, as in formats with records of one size.
#[test]
fn invalid_records_of_plain_are_skipped() {
    let folder = Folder::new();
    let record = |played: &str| {
        format!(
            "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\nmove {played}\nscore 54\nply 0\nresult 1\ne\n"
        )
    };
    folder.write(
        "a.plain",
        [record("e2e5"), record("e2e4"), "x\ne\n".into(), record("d2d4")].concat(),
    );
    let bad = "a.plain: record 1, byte 61: line 2: expected a legal move in UCI notation, found `move e2e5`";
    let said = folder.fail(1, "maps a.plain -o a.csv -q");
    assert!(said.contains(bad), "{said}");
    let moves = |options: &str| {
        let command =
            format!("maps a.plain -o - -f csv --keep none -c move,line,legal_count {options}");
        let run = folder.run(&command);
        assert_eq!(run.status, Some(0), "{}", run.stderr);
        (String::from_utf8(run.stdout).unwrap(), run.stderr)
    };
    let (skipped, said) = moves("--on-invalid skip");
    assert_eq!(skipped, "move,line,legal_count\ne2e4,2,20\nd2d4,4,20\n");
    assert!(said.contains("2 invalid"), "{said}");
    assert_eq!(
        moves("--on-invalid null -q").0,
        "move,line,legal_count\n,1,\ne2e4,2,20\n,3,\nd2d4,4,20\n"
    );
    assert_eq!(moves("--on-invalid skip -q --batch-lines 1").0, skipped);
    assert_eq!(
        moves("--on-invalid skip -q --where line>2").0,
        "move,line,legal_count\nd2d4,4,20\n"
    );
    let said = folder.fail(1, "convert a.plain -o a.bin");
    assert!(said.contains(bad), "{said}");
    let run = folder.run("convert a.plain -o a.bin --on-invalid skip");
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), "2 invalid positions skipped\n"));
    assert_eq!(folder.read("a.bin").len(), 80);
    // Where the end of a record is unknown, nothing is skipped: records could follow.
    folder.write("c.plain", [&record("e2e4"), &"x".repeat(5000), "\n", &record("d2d4")].concat());
    for command in ["maps c.plain -o c.csv", "convert c.plain -o c.bin"] {
        let said = folder.fail(1, &format!("{command} --on-invalid skip"));
        assert!(said.contains("c.plain: record 2, byte 97: expected the line `e`"), "{said}");
    }
    // A packed record can hold a move that is not legal, which `.plain` cannot.
    let mut packed = folder.read("a.bin");
    packed[34] = packed[34] & !63 | 36;
    folder.write("b.bin", &packed);
    let said = folder.fail(1, "convert b.bin -o b.plain");
    assert!(said.contains("expected a legal move, found `e2e5`"), "{said}");
    let run = folder.run("convert b.bin -o b.plain --on-invalid skip");
    assert_eq!((run.status, &*run.stdout), (Some(0), &b"1 position\n"[..]), "{}", run.stderr);
    assert_eq!(run.stderr, "1 position that plain cannot hold skipped\n");
    assert_eq!(String::from_utf8(folder.read("b.plain")).unwrap(), record("d2d4"));
}

/// Labels are counted where they were filled in, not in positions that were left out.
#[test]
fn what_does_not_fit_is_named_and_counted() {
    let folder = Folder::new();
    let chess960 = "[Variant \"Chess960\"]\n[FEN \"1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1\"]";
    folder.write("a.pgn", format!("[White \"A\"]\n\n1. e4 *\n\n{chess960}\n\n1. O-O Kg7 *\n"));
    let run = |arguments: &str| {
        let run = folder.run(&format!("convert {arguments} --on-missing 0"));
        (String::from_utf8(run.stdout).unwrap(), run.stderr)
    };
    let filled = |count: &str| format!("{count} without a label written with 0\n");
    let (written, said) = run("a.pgn -o a.binpack --on-invalid skip");
    assert_eq!(
        (&*written, said),
        ("1 position\n", filled("1 position") + "1 game that binpack cannot hold skipped\n")
    );
    let said = folder.fail(1, "convert a.pgn -o a.bin --on-missing 0");
    let found = "expected castling with the rooks of the files a and h, found b and h (use --lossy to write the \
                 nearest that fits); the position is 1r3k1r/";
    assert!(said.contains(found), "{said}");
    let (written, said) = run("a.pgn -o a.bin --on-invalid skip");
    let unfit = "2 positions that bin cannot hold skipped\n";
    assert_eq!((&*written, said), ("3 positions\n", filled("3 positions") + unfit));
    let (written, said) = run("a.pgn -o a.bin --lossy");
    assert_eq!(written, "5 positions\n");
    assert!(said.starts_with(&filled("5 positions")), "{said}");
    // The last positions have no move, nor has that of castling without its right. Binpack has no Chess960.
    let said = folder.fail(1, "convert a.bin -o b.binpack");
    assert!(
        said.contains(
            "cannot write b.binpack: expected a move, found none (use --on-invalid skip to leave out such \
             positions); the position is rnbqkbnr"
        ),
        "{said}"
    );
    let (written, said) = run("a.bin -o b.binpack --on-invalid skip");
    assert_eq!(
        (&*written, &*said),
        ("1 position\n", "4 positions that binpack cannot hold skipped\n")
    );
}

#[test]
fn plain_text_is_read_and_written() {
    let folder = Folder::new();
    let positions = chunks::positions();
    folder.write("a.plain", chunks::plain(&positions));
    folder.succeed("convert a.plain -o a.bin -q");
    folder.succeed("convert a.bin -o b.plain -q");
    folder.succeed("convert b.plain -o b.bin -q");
    assert_eq!(folder.read("a.bin"), folder.read("b.bin"));
    let text = folder.succeed("maps b.plain -q -o - -f csv --keep score,ply,result --columns fen");
    let text = String::from_utf8(text).unwrap();
    for (row, position) in text.lines().skip(1).zip(&positions) {
        let chunks::Position { fen, score, ply, result, .. } = position;
        assert_eq!(row, format!("{score},{ply},{result},{fen}"));
    }
    folder.write("bad.plain", chunks::plain(&positions[..2]).replace("score", "value"));
    let said = folder.fail(1, "convert bad.plain -o out.bin");
    assert!(
        said.contains("bad.plain: record 1, byte ") && said.contains("line 3: expected"),
        "{said}"
    );
}

#[test]
fn positions_are_sampled_by_the_seed() {
    let folder = Folder::new();
    let positions = chunks::positions();
    folder.write("a.plain", chunks::plain(&positions));
    let run = |options: &str| {
        let outcome = folder.run(&format!("convert a.plain -o out.plain {options}"));
        assert_eq!(outcome.status, Some(0), "{}", outcome.stderr);
        let text = String::from_utf8(folder.read("out.plain")).unwrap();
        let fens = text.lines().filter_map(|line| line.strip_prefix("fen "));
        (fens.map(str::to_owned).collect::<Vec<_>>(), outcome.stderr)
    };
    let (quarter, said) = run("--one-in 4");
    let left_out = format!("{} positions left out by sampling", positions.len() - quarter.len());
    assert!(said.replace(',', "").contains(&left_out), "{said}");
    // The tolerance is four standard deviations.
    assert!(quarter.len().abs_diff(positions.len() / 4) < 110, "{}", quarter.len());
    assert_eq!(run("--one-in 4 --seed 0").0, quarter);
    assert_ne!(run("--one-in 4 --seed 1").0, quarter);
    assert_eq!(run("--one-in 1").0.len(), positions.len());
    let (sampled, said) = run("--sampling nnue-pytorch-2026-07");
    assert!(
        said.contains("left out by conditions") && said.contains("left out by sampling"),
        "{said}"
    );
    assert_eq!(run("--sampling nnue-pytorch-2026-07").0, sampled);
    // Every kept position satisfies the trainer's rules.
    assert!(sampled.len() > 50 && sampled.len() < positions.len() / 4, "{}", sampled.len());
    for fen in &sampled {
        let position = positions.iter().find(|position| position.fen == *fen).unwrap();
        let setwise::Fen { pieces, turn, .. } = fen.parse().unwrap();
        assert_eq!(setwise::position::checkers(&pieces, turn), 0, "{fen}");
        let square = |at: usize| {
            let bytes = position.played.as_bytes();
            bytes[at] - b'a' + 8 * (bytes[at + 1] - b'1')
        };
        let theirs = if position.is_black() { pieces.white } else { pieces.black };
        assert_eq!(theirs >> square(2) & 1, 0, "{fen} {}", position.played);
        assert_ne!(position.score, 32_002);
        // Such a result would be nearly impossible in the model.
        assert!(position.score * position.result > -4000, "{fen}");
    }
    folder.write("a.fen", positions[0].fen.clone());
    let said = folder.fail(1, "convert a.fen -o out.bin --sampling nnue-pytorch-2026-07");
    assert!(said.contains("text has no ply, which --sampling needs"), "{said}");
    let said = folder.fail(1, "convert a.fen -o out.bin --sampling viriformat-3 --lossy");
    assert!(said.contains("condition `") && said.ends_with(" (--sampling)\n"), "{said}");
    // Only columns that are passed through stop a conversion.
    let said = folder.fail(1, "convert a.plain -o b.marlin --lossy --keep none --where x=1");
    assert!(said.contains('x'), "{said}");
    assert!(folder.fail(1, "convert a.plain -o b.marlin").contains("would be lost: move, ply"));
    assert!(
        folder.fail(1, "convert a.plain -o b.marlin --keep move").contains("would be lost: move")
    );
    folder.succeed("convert a.plain -o b.marlin -q --keep score,result --on-invalid skip");
}

#[test]
fn rows_without_a_score_are_handled_as_on_missing_says_with_a_sampling() {
    let folder = Folder::new();
    let mut positions = chunks::positions();
    positions.iter_mut().step_by(10).for_each(|position| position.score = 32_002);
    folder.write("a.plain", chunks::plain(&positions));
    let missing = positions.iter().filter(|position| position.score == 32_002).count();
    let run = |options: &str| {
        let outcome =
            folder.run(&format!("convert a.plain -o out.bin --sampling viriformat-3 {options}"));
        assert_eq!(outcome.status, Some(0), "{}", outcome.stderr);
        let of_line =
            |line: &str| line.split(' ').next().unwrap().replace(',', "").parse().unwrap();
        let count =
            |text: &str| outcome.stderr.lines().find(|line| line.ends_with(text)).map(of_line);
        let labels = ["without a label left out", "without a label written with 0"].map(count);
        (folder.read("out.bin").len() / 40, labels)
    };
    let (kept, labels) = run("");
    assert_eq!(labels, [Some(missing), None]);
    assert_eq!(run("--on-missing skip"), (kept, labels));
    assert_eq!(run("--one-in 2").1, labels);
    let (all, labels) = run("--on-missing 0");
    assert!(all > kept && labels == [None, Some(all - kept)], "{kept} {all} {labels:?}");
    // Conditions of the user see no score, and drop the row before it is missed.
    let stops = "convert a.plain -o out.bin --sampling viriformat-3 --on-missing stop";
    assert!(folder.fail(1, stops).contains("no score; use --on-missing to skip or fill it"));
    let mut scored = folder.command(stops);
    assert!(scored.args(["-q", "--where", "score is not null"]).status().unwrap().success());
    assert_eq!(folder.read("out.bin").len() / 40, kept);
}
