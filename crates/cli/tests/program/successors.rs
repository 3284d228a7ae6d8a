//! Successors as tables: values, formats, several inputs, clocks, messages.

use std::io::Read as _;

use crate::read::read;
use crate::run::{Folder, sample};

const A: &str =
    "1n2k3/P7/8/3pP3/8/8/8/4K2R w K d6 4 31\n# a comment\n5k1r/8/8/8/8/8/8/4K3 b - - 7 40\n";
const B: &str = "\n4k3/8/8/8/8/8/8/4K3 w - - 0 1\n";

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// Checks the number of successors, and some of python-chess's answers.
#[test]
fn values() {
    let folder = Folder::new();
    folder.write("a.fen", A);
    let csv = text(folder.succeed("successors a.fen -q -o -"));
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!((lines.len(), lines[0]), (39, "parent,move,fen"));
    let known = [
        "1,e1g1,1n2k3/P7/8/3pP3/8/8/8/5RK1 b - - 5 31",
        "1,e1e2,1n2k3/P7/8/3pP3/8/8/4K3/7R b - - 5 31",
        "1,h1h8,1n2k2R/P7/8/3pP3/8/8/8/4K3 b - - 5 31",
        "1,e5d6,1n2k3/P7/3P4/8/8/8/8/4K2R b K - 0 31",
        "1,a7a8n,Nn2k3/8/8/3pP3/8/8/8/4K2R b K - 0 31",
        "1,a7b8q,1Q2k3/8/8/3pP3/8/8/8/4K2R b K - 0 31",
        "3,f8e7,7r/4k3/8/8/8/8/8/4K3 w - - 8 41",
        "3,h8h1,5k2/8/8/8/8/8/8/4K2r w - - 8 41",
    ];
    for line in known {
        assert!(lines.contains(&line), "{line}");
    }
    folder.write("b.fen", "8/8/8/8/8/8/8/4K3 w - - 0 1\n");
    assert!(
        folder.fail(1, "successors b.fen -o -").contains("b.fen:1:1: each side needs one king")
    );
    // The output is a table even if there are no positions.
    assert_eq!(folder.succeed("successors - -o -"), b"parent,move,fen\n");
}

/// With several inputs, each row names its file, and `parent` is the line in this file.
#[test]
fn several_inputs() {
    let folder = Folder::new();
    folder.write("a.fen", A);
    folder.write("b.fen", B);
    let of = |inputs: &str| text(folder.succeed(&format!("successors {inputs} -q -o -")));
    let both = of("a.fen b.fen");
    let mut expected = "file,parent,move,fen\n".to_owned();
    for name in ["a.fen", "b.fen"] {
        for line in of(name).lines().skip(1) {
            expected += &format!("{name},{line}\n");
        }
    }
    assert_eq!(both, expected);
    assert!(both.contains("\nb.fen,2,e1d1,4k3/8/8/8/8/8/8/3K4 b - - 1 1\n"), "{both}");
    assert!(
        folder.fail(2, "successors - - -o -").contains("standard input (-) can be read only once")
    );
}

/// Names that are not text remain different.
#[cfg(target_os = "linux")] // elsewhere, names of files are Unicode
#[test]
fn inputs_whose_names_are_not_text() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = Folder::new();
    let names = [&b"n\xfe.txt"[..], b"n\xff.txt"].map(std::ffi::OsStr::from_bytes);
    for name in names {
        std::fs::write(folder.path("").join(name), B).unwrap();
    }
    let csv = folder.command("successors -q -o -").args(names).output().unwrap().stdout;
    let csv = text(csv);
    for name in ["n\\xfe.txt,2,", "n\\xff.txt,2,"] {
        assert_eq!(csv.lines().filter(|row| row.starts_with(name)).count(), 5, "{csv}");
    }
}

/// Every format holds the same rows, plain and compressed; `maps` reads them.
#[test]
fn every_format() {
    let folder = Folder::new();
    let sample: Vec<_> = sample().lines().take(100).map(|line| line.to_owned() + "\n").collect();
    folder.write("sample.epd", sample.concat());
    folder.write("b.fen", B);
    for inputs in ["sample.epd", "sample.epd b.fen"] {
        let csv = folder.succeed(&format!("successors {inputs} -q -o -"));
        let rows = csv.iter().filter(|&&byte| byte == b'\n').count() - 1;
        let counts = "-q -o - -f csv --keep all -c legal_count";
        folder.write("all.csv", &csv);
        let expected = folder.succeed(&format!("maps all.csv {counts}"));
        for name in ["a.csv", "a.parquet", "a.arrow", "a.csv.gz", "a.csv.zst", "a.arrow.gz"] {
            let run = folder.run(&format!("successors {inputs} -o {name}"));
            let skipped = if inputs.contains("b.fen") { "1 blank line skipped\n" } else { "" };
            assert_eq!((run.status, run.stderr.as_str()), (Some(0), skipped));
            let said = text(run.stdout);
            assert!(said.contains("positions, ") && said.contains(" successors in "), "{said}");
            let found = folder.succeed(&format!("maps {name} {counts}"));
            assert!(found == expected, "{name} of {inputs}");
        }
        assert!(folder.read("a.csv") == csv);
        let (gzip, zstd) = (folder.read("a.csv.gz"), folder.read("a.csv.zst"));
        let mut unpacked = Vec::new();
        flate2::read::GzDecoder::new(&gzip[..]).read_to_end(&mut unpacked).unwrap();
        assert!(unpacked == csv);
        assert!(zstd::decode_all(&zstd[..]).unwrap() == csv);
        let (parquet, arrow) = (folder.read("a.parquet"), folder.read("a.arrow"));
        assert_eq!(read("parquet", parquet).1.iter().sum::<usize>(), rows);
        assert_eq!(read("arrow", arrow).1.iter().sum::<usize>(), rows);
    }
}

/// Clocks above 65,535 are exact; those that cannot grow are an error.
#[test]
fn large_clocks() {
    let folder = Folder::new();
    for clock in [65_534_u64, 65_535, 70_000, 4_294_967_294] {
        folder.write("a.fen", format!("4k3/8/8/8/8/8/8/4K3 w - - {clock} 1\n"));
        let csv = text(folder.succeed("successors a.fen -o -"));
        let next = clock + 1;
        assert_eq!(csv.lines().count(), 6);
        assert!(
            csv.lines().skip(1).all(|line| line.ends_with(&format!(" b - - {next} 1"))),
            "{csv}"
        );
    }
    for clocks in ["4294967295 1", "0 4294967295"] {
        folder.write("a.fen", format!("4k3/8/8/8/8/8/8/4K3 b - - {clocks}\n"));
        let said = folder.fail(1, "successors a.fen -o a.csv");
        assert!(said.contains("a.fen:1:1: the clock or move number of a successor"), "{said}");
    }
}

/// A run that fails writes no file and leaves an older one unchanged.
#[test]
fn refused_outputs() {
    let folder = Folder::new();
    folder.write("a.fen", format!("{}nothing\n", sample()));
    folder.write("old.csv", "old");
    for (arguments, status, expected) in [
        ("a.fen -o old.csv", 1, "a.fen:1001:2: "),
        ("a.fen -o new.parquet", 1, "a.fen:1001:2: "),
        ("a.fen -o new.csv.gz", 1, "a.fen:1001:2: "),
        ("a.fen -o new.parquet.gz", 1, "Parquet is compressed inside; name the file .parquet"),
        ("a.fen -o new.npy", 2, "a .npy file holds numbers"),
        ("a.fen -o new.txt", 2, "cannot infer the output format from the name new.txt; use .parq"),
        ("a.fen -o new", 2, "or pass --format"),
    ] {
        let said = folder.fail(status, &format!("successors {arguments}"));
        assert!(said.contains(expected), "{arguments}: {said}");
    }
    assert_eq!(folder.read("old.csv"), b"old");
}

/// Outputs of the other commands are compressed by name, too.
#[test]
fn compressed_outputs() {
    let folder = Folder::new();
    folder.write("sample.epd", sample());
    for (command, name) in [
        ("maps sample.epd -q", "maps.csv"),
        ("maps sample.epd -q", "maps.npy"),
        ("convert sample.epd -q --lossy --on-missing 0", "a.bullet"),
        ("convert sample.epd -q --lossy", "a.fen"),
        ("maps sample.epd -q -o b.csv --on-invalid skip", "--rejects rejects.txt"),
    ] {
        let output = if command.contains(" -o ") { "" } else { "-o " };
        let plain = name.strip_prefix("--rejects ").unwrap_or(name);
        folder.succeed(&format!("{command} {output}{name}"));
        folder.succeed(&format!("{command} {output}{name}.gz"));
        let packed = folder.read(&format!("{plain}.gz"));
        let mut unpacked = Vec::new();
        flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut unpacked).unwrap();
        assert!(unpacked == folder.read(plain), "{name}");
    }
}

#[test]
fn invalid_lines_are_skipped_on_request() {
    let folder = Folder::new();
    let mate = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
    folder
        .write("a.fen", format!("8/8/8/8/8/5k2/7p/7K b - - 0 1\nnone\n8/8 w - - 0 1\n\n{mate}\n"));
    let said = folder.fail(1, "successors a.fen -o a.csv");
    assert!(said.contains("a.fen:2:2: expected a piece"), "{said}");
    let run = folder.run("successors a.fen -o a.csv --on-invalid skip");
    assert_eq!((run.status, &*run.stderr), (Some(0), "2 invalid rows, 1 blank line skipped\n"));
    assert!(text(run.stdout).starts_with("2 positions, 7 successors in "));
    let rows = text(folder.read("a.csv"));
    assert!(
        rows.lines().skip(1).all(|row| row.starts_with("1,")) && rows.lines().count() == 8,
        "{rows}"
    );
    // If no line is valid, nothing is written.
    folder.write("b.fen", "none\n8/8 w - - 0 1\n");
    let said = folder.fail(1, "successors b.fen -o b.csv --on-invalid skip");
    assert!(
        said.contains("b.fen:1:2: expected a piece")
            && !folder.names().contains(&"b.csv".to_owned()),
        "{said}"
    );
}
