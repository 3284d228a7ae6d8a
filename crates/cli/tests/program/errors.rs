//! Every error is one clear line and an exit status. No incomplete file is left, and an older one survives.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::run::{Folder, sample};

#[track_caller]
fn one_line(said: &str, expected: &str) {
    assert!(said.contains(expected), "{said:?} should say {expected:?}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn a_bad_line_is_shown_and_stops_the_run() {
    let folder = Folder::new();
    let good = "8/8/8/8/8/8/8/K7 w - -\n";
    folder.write("bad.epd", format!("{good}# x\n\n{good}8/8/8/8/8/8/8/K6x w - -\n{good}"));
    folder.write("maps.parquet", "older");
    let said = folder.fail(1, "maps bad.epd -o maps.parquet");
    let lines: Vec<_> = said.lines().collect();
    assert!(lines[0].starts_with("bad.epd:5:17: "), "{said}");
    assert_eq!(lines[1], "  8/8/8/8/8/8/8/K6x w - -");
    assert_eq!(lines[2], format!("  {:16}^", ""));
    assert_eq!(lines.len(), 3);
    assert_eq!(folder.read("maps.parquet"), b"older");

    let outcome = folder.run_with("maps - -o new.parquet", b"8/8\n");
    assert_eq!(outcome.status, Some(1));
    assert!(outcome.stderr.starts_with("standard input:1:"), "{}", outcome.stderr);
    assert_eq!(folder.names(), ["bad.epd", "maps.parquet"]);
}

#[test]
fn long_lines_are_shortened() {
    let folder = Folder::new();
    folder.write("long.epd", format!("8/8/8/8/8/8/8/8 x {}", "y".repeat(1_000)));
    let said = folder.fail(1, "maps long.epd -o maps.parquet");
    assert!(said.lines().nth(1).unwrap().ends_with("yyy…"), "{said}");
    assert!(said.lines().all(|line| line.chars().count() < 100));

    folder.write("endless.epd", "8".repeat(1 << 20));
    let said = folder.fail(1, "maps endless.epd -o maps.parquet");
    assert!(
        said.starts_with(
            "endless.epd:1:65537: the line is longer than 65536 bytes; only its start is kept\n"
        ),
        "{said}"
    );
}

#[test]
fn a_line_may_have_65536_bytes_and_no_more() {
    let folder = Folder::new();
    let position = "8/8/8/8/8/8/8/K7 w - -";
    let padded =
        |length: usize, with: &str| format!("{position}{}", with.repeat(length - position.len()));
    for end in ["", "\n", "\r\n", "\r"] {
        let lines = format!("{position}\n{}{end}", padded(65_536, " "));
        folder.write("long.epd", &lines);
        folder.succeed("maps long.epd -o maps.csv -c white_king");
        assert_eq!(folder.read("maps.csv"), b"white_king\n770\n770\n");
    }
    // The text after the blanks is cut off and might be a position.
    for rest in ["", "junk", "\njunk"] {
        folder.write("long.epd", format!("{position}\n{}{rest}\n", padded(65_537, " ")));
        let said = folder.fail(1, "maps long.epd -o maps.csv -c white_king");
        assert!(
            said.starts_with(
                "long.epd:2:65537: the line is longer than 65536 bytes; only its start is kept\n"
            ),
            "{said}"
        );
    }
    // What is saved of it is invalid as well, with text or blanks at its end.
    for text in [padded(65_537, "y"), padded(65_540, "z"), padded(70_000, " ") + "junk"] {
        folder.write("long.epd", format!("{position}\n{text}\r\n"));
        let skip = "-c white_king --on-invalid skip --rejects saved.epd";
        let outcome = folder.run(&format!("maps long.epd -o maps.csv {skip}"));
        assert_eq!(outcome.status, Some(0), "{}", outcome.stderr);
        let saved = folder.read("saved.epd");
        assert!(saved.ends_with(&[&text.as_bytes()[..65_537], b"\n"].concat()));
        let said = folder.fail(1, "maps saved.epd -o maps.csv");
        assert!(said.starts_with("saved.epd:2:65537: the line is longer"), "{said}");
    }
    // The first half of a draw would be a loss.
    let labelled = format!("{position} | 5 |");
    let blanks = " ".repeat(65_536 - labelled.len());
    folder.write("long.epd", format!("{labelled}{blanks}0.5\n"));
    let said = folder.fail(1, "maps long.epd -o maps.csv -c result");
    assert!(said.starts_with("long.epd:1:65537: the line is longer"), "{said}");
    folder.write("blank.epd", format!("{position}\n{}junk\n", " ".repeat(70_000)));
    let said = folder.fail(1, "maps blank.epd -o maps.csv");
    assert!(said.starts_with("blank.epd:2:65537: the line is longer"), "{said}");
}

/// Every reader of text reads the same from lines that end with CR, LF or CR LF, and numbers them alike.
#[test]
fn every_line_break_ends_lines() {
    let folder = Folder::new();
    let fen = "8/8/8/8/8/8/8/K7 w - - 0 7";
    let record = "fen 7k/8/8/8/8/8/8/K7 w - - 0 1\nscore 3\nply 0\nresult 1\ne\n";
    for (name, line, last, bad) in [
        ("a.epd", format!("{fen}\n"), format!("{fen}\n# end\n"), "x\n"),
        ("a.txt", format!("{fen} | 5 | 1.0\n"), format!("{fen} | -5 | 0.0\n"), "x\n"),
        ("a.csv", format!("{fen},\"a\nb\"\n"), format!("{fen},c"), "x,d\n"),
        (
            "a.jsonl",
            format!("{{\"fen\":\"{fen}\",\"b\":1}}\n"),
            format!("{{\"fen\":\"{fen}\"}}"),
            "{\"fen\":\"x\"}\n",
        ),
        (
            "a.pgn",
            "1. e4 ; a comment\ne5 2. Nf3 *\n\n".into(),
            "[White \"A\"]\n\n1. d4 *\n".into(),
            "1. e5 *\n\n",
        ),
        ("a.plain", record.into(), record.into(), "fen x\nscore 1\ne\n"),
    ] {
        let head = if name == "a.csv" { "fen,b\n" } else { "" };
        let columns = if name == "a.txt" { "fen,line,score,result" } else { "fen,line,black_king" };
        let command = format!("maps {name} -o maps.parquet -q -c {columns}");
        let text = [head, &line.repeat(3000), &last].concat();
        let mut answers = Vec::new();
        for line_break in ["\n", "\r\n", "\r"] {
            folder.write(name, text.replace('\n', line_break));
            folder.succeed(&command);
            folder.succeed("maps maps.parquet -o maps.csv -q -c legal_count");
            // Line breaks within quotes are data.
            let answer = String::from_utf8(folder.read("maps.csv")).unwrap();
            answers.push(answer.replace("\r\n", "\n").replace('\r', "\n"));
            let invalid = [head, &line.repeat(3), bad, &last].concat();
            folder.write(name, invalid.replace('\n', line_break));
            // Without the number of the byte, which is that of the text.
            let said = folder.fail(1, &command).replace("\\r\\n", "\\n").replace("\\r", "\\n");
            answers.push(said.rsplit(": line ").next().unwrap().to_owned());
        }
        for (answer, of_lf) in answers.iter().zip(answers[..2].iter().cycle()) {
            assert_eq!(answer, of_lf, "{name}");
        }
        assert!(answers[0].lines().count() > 3000, "{name}");
    }
    // Mixed, and as a pipe that is read in small pieces.
    folder.write("a.epd", format!("{fen}\r{fen}\r\n\r{fen}\n{fen}"));
    folder.succeed("maps a.epd -o maps.csv -q -c line");
    assert_eq!(String::from_utf8(folder.read("maps.csv")).unwrap(), "line\n1\n2\n4\n5\n");
}

#[test]
fn only_invalid_lines_is_an_error() {
    let folder = Folder::new();
    folder.write("bad.epd", "what\nis\nthis\n");
    folder.write("older.txt", "older");
    folder.write("older.csv", "older");
    for rejects in ["", "--rejects older.txt"] {
        for output in ["new.csv", "older.csv"] {
            let arguments =
                format!("maps bad.epd -o {output} --on-invalid skip {rejects} --batch-lines 2");
            let said = folder.fail(1, &arguments);
            assert!(said.starts_with("bad.epd:1:1: "), "{said}");
            assert!(
                said.contains(
                    "; nothing is written, because no row is valid (2 other invalid rows)"
                ),
                "{said}"
            );
        }
    }
    assert_eq!(folder.read("older.txt"), b"older");
    assert_eq!(folder.read("older.csv"), b"older");
}

#[test]
fn a_removed_input_is_an_error() {
    let folder = Folder::new();
    folder.write("late.epd", sample());
    let mut child =
        folder.command("maps - late.epd -o maps.csv").stdin(Stdio::piped()).spawn().unwrap();
    folder.wait_for(2);
    fs::remove_file(folder.path("late.epd")).unwrap();
    drop(child.stdin.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    one_line(
        &String::from_utf8(output.stderr).unwrap(),
        "error: cannot read late.epd: No such file",
    );
    assert!(folder.names().is_empty());
}

#[test]
fn inputs_that_cannot_be_read() {
    let folder = Folder::new();
    folder.write("good.epd", sample());
    folder.write("maps.parquet", "older");
    fs::create_dir(folder.path("folder")).unwrap();
    let said = folder.fail(1, "maps good.epd missing.epd -o maps.parquet");
    one_line(&said, "error: cannot read missing.epd: No such file");
    let said = folder.fail(1, "maps good.epd folder -o maps.parquet");
    one_line(&said, "error: cannot read folder: the folder has no files");
    let said = folder.fail(1, "convert folder -o a.fen");
    one_line(&said, "error: cannot read folder: the folder has no files");
    assert_eq!(folder.read("maps.parquet"), b"older");
}

#[test]
fn outputs_that_cannot_be_written() {
    let folder = Folder::new();
    folder.write("good.epd", sample());
    fs::create_dir(folder.path("folder.csv")).unwrap();
    let said = folder.fail(1, "maps good.epd -o folder.csv");
    one_line(&said, "error: cannot write folder.csv: it is a directory");
    let said = folder.fail(1, "maps good.epd -o nowhere/maps.csv");
    one_line(&said, "error: cannot write nowhere/maps.csv: No such file");
    let said = folder.fail(1, "maps good.epd -o maps.csv --on-invalid skip --rejects nowhere/x");
    one_line(&said, "error: cannot write nowhere/x: No such file");

    folder.write("old.csv", "older");
    let mut permissions = fs::metadata(folder.path("old.csv")).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(folder.path("old.csv"), permissions).unwrap();
    one_line(&folder.fail(1, "maps good.epd -o old.csv"), "cannot write old.csv: it is read-only");
    assert_eq!(folder.read("old.csv"), b"older");
}

#[test]
fn input_and_output_are_not_the_same_file() {
    let folder = Folder::new();
    folder.write("good.epd", sample());
    folder.write("old.csv", "older");
    fs::create_dir(folder.path("folder")).unwrap();
    fs::hard_link(folder.path("old.csv"), folder.path("same.csv")).unwrap();
    fs::hard_link(folder.path("good.epd"), folder.path("link.csv")).unwrap();
    let said = folder.fail(1, "maps good.epd -o good.epd --format csv");
    one_line(&said, "good.epd is both input and output");
    one_line(&folder.fail(1, "maps good.epd -o link.csv"), "good.epd is both input and output");
    let said = folder.fail(1, "maps good.epd -o a.csv --on-invalid skip --rejects good.epd");
    one_line(&said, "good.epd is both input and output");
    for (output, rejects) in [
        ("a.csv", "a.csv"),
        ("./a.csv", "a.csv"),
        ("a.csv", "folder/../a.csv"),
        ("old.csv", "same.csv"),
        ("old.csv", "./old.csv"),
    ] {
        let arguments = format!("maps good.epd -o {output} --on-invalid skip --rejects {rejects}");
        let expected = format!("{output} and {rejects} are the same file");
        one_line(&folder.fail(1, &arguments), &expected);
    }
    let standard = fs::File::open(folder.path("good.epd")).unwrap();
    let mut command = folder.command("maps - -o good.epd -f csv");
    let output = command.stdin(standard).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    one_line(&String::from_utf8(output.stderr).unwrap(), "standard input is both input and output");
    let appended = fs::File::options().append(true).open(folder.path("good.epd")).unwrap();
    let mut command = folder.command("maps good.epd -o - -f csv");
    let output = command.stdout(appended).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    one_line(&String::from_utf8(output.stderr).unwrap(), "good.epd is both input and output");
    assert_eq!(folder.read("good.epd"), sample().as_bytes());
}

#[test]
fn wrong_arguments_have_status_2() {
    let folder = Folder::new();
    folder.write("good.epd", sample());
    folder.write("a.jsonl", "{}");
    for (arguments, expected) in [
        ("", "Usage"),
        ("map", "unrecognized subcommand"),
        ("maps", "INPUT"),
        ("maps good.epd", "--output"),
        ("maps good.epd -o maps", "--format"),
        ("maps good.epd -o maps.txt", "--format"),
        ("maps good.epd -o -", "standard output has no extension that names the format; pass --fo"),
        ("convert good.epd -o -", "standard output has no extension that names the format; pass"),
        ("successors good.epd -o - -f npy", "possible values: parquet, arrow, csv"),
        ("maps good.epd -o a.csv --types guess", "--types is for CSV and JSON Lines, and the inp"),
        ("convert good.epd -o a.fen --delimiter ;", "--delimiter is for CSV, and the input is te"),
        ("maps a.jsonl -o a.csv --delimiter ;", "--delimiter is for CSV, and the input is jsonl"),
        ("show --input good.epd --by-ply 99999999999", "expected an integer from 1 to 4294967295"),
        ("maps good.epd -o a.csv -f xlsx", "possible values: parquet, arrow, npy, csv"),
        ("maps good.epd -o a.csv --columns white_all,foo", "no column is called `foo`"),
        ("maps good.epd -o a.csv --columns white_all,white_all", "is chosen twice"),
        ("maps good.epd -o a.csv --backend foo", "this processor can run `scalar`"),
        ("maps good.epd -o a.csv --threads 0", "--threads"),
        ("maps good.epd -o a.csv --threads 100000", "expected an integer from 1 to 1024"),
        ("convert good.epd -o a.bin --one-in 0", "expected an integer of at least 1\n"),
        ("convert good.epd -o a.bin --seed x", "expected an integer of at least 0\n"),
        ("maps good.epd -o a.csv --rejects bad.txt", "--rejects needs --on-invalid skip"),
        ("maps - - -o a.csv", "only once"),
        ("show", "no POSITION is given: name a FEN, startpos or FILE:LINE, or a file with --inp"),
        ("show startpos --map foo", "foo"),
        ("completions tcsh", "possible values"),
    ] {
        let said = folder.fail(2, arguments);
        assert!(said.contains(expected), "{arguments}: {said}");
    }
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::Path;

    use super::{Folder, Stdio, fs, one_line, sample};
    use crate::run::skipped;

    /// The device that is always full, if the system has one.
    fn full() -> Option<fs::File> {
        let file = fs::File::options().write(true).open("/dev/full").ok();
        if file.is_none() {
            skipped("there is no /dev/full");
        }
        file
    }

    #[test]
    fn a_full_disk() {
        let Some(full) = full() else { return };
        let folder = Folder::new();
        folder.write("good.epd", sample());
        for format in ["parquet", "arrow", "npy", "csv"] {
            let said = folder.fail(1, &format!("maps good.epd -o /dev/full -f {format}"));
            one_line(&said, "error: cannot write /dev/full: No space left on device");
            let mut command = folder.command(&format!("maps good.epd -o - -f {format}"));
            let output = command.stdout(full.try_clone().unwrap()).output().unwrap();
            assert_eq!(output.status.code(), Some(1));
            let said = String::from_utf8(output.stderr).unwrap();
            one_line(&said, "error: cannot write standard output: No space left on device");
        }
        for arguments in ["--help", "--version", "help maps", "maps --help", "backends"] {
            let mut command = folder.command(arguments);
            let output = command.stdout(full.try_clone().unwrap()).output().unwrap();
            assert_eq!(output.status.code(), Some(1), "{arguments}");
            let said = String::from_utf8(output.stderr).unwrap();
            one_line(&said, "error: cannot write standard output: No space left on device");
        }
        assert!(Path::new("/dev/full").exists());
    }

    #[test]
    fn a_full_disk_for_the_rejects_leaves_older_maps_unchanged() {
        let Some(_) = full() else { return };
        let folder = Folder::new();
        folder.write("mixed.epd", format!("{}bad\n", sample()));
        folder.write("older", "older");
        for format in ["parquet", "arrow", "npy", "csv"] {
            for output in ["new", "older"] {
                let said = folder.fail(
                    1,
                    &format!(
                        "maps mixed.epd -o {output} -f {format} --on-invalid skip --rejects /dev/full"
                    ),
                );
                one_line(&said, "error: cannot write /dev/full: No space left on device");
            }
            // The reverse order.
            let said = folder.fail(
                1,
                &format!(
                    "maps mixed.epd -o /dev/full -f {format} --on-invalid skip --rejects older"
                ),
            );
            one_line(&said, "error: cannot write /dev/full: No space left on device");
            assert_eq!(folder.read("older"), b"older");
        }
    }

    #[test]
    fn unwritable_closing_lines_are_not_errors() {
        let Some(full) = full() else { return };
        let folder = Folder::new();
        folder.write("mixed.epd", format!("{}bad\n", sample()));
        for output in ["maps.csv", "-"] {
            let arguments = "maps mixed.epd -f csv --on-invalid skip --timings -o";
            let mut command = folder.command(&format!("{arguments} {output}"));
            if output != "-" {
                command.stdout(full.try_clone().unwrap());
            }
            let output = command.stderr(full.try_clone().unwrap()).output().unwrap();
            assert_eq!(output.status.code(), Some(0));
        }
        assert_eq!(folder.names(), ["maps.csv", "mixed.epd"]);
    }

    #[test]
    fn an_older_file_keeps_its_permissions_and_a_link_stays_one() {
        let folder = Folder::new();
        folder.write("good.epd", sample());
        folder.write("real.csv", "older");
        fs::set_permissions(folder.path("real.csv"), fs::Permissions::from_mode(0o640)).unwrap();
        symlink("real.csv", folder.path("link.csv")).unwrap();
        folder.succeed("maps good.epd -o link.csv");
        assert!(folder.path("link.csv").is_symlink());
        assert!(folder.read("real.csv").starts_with(b"white_pawn"));
        let mode = fs::metadata(folder.path("real.csv")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
    }

    #[test]
    fn a_new_file_has_default_permissions() {
        let folder = Folder::new();
        folder.write("good.epd", format!("{}bad\n", sample()));
        folder.run("maps good.epd -o maps.csv --on-invalid skip --rejects bad.txt");
        let mode = |name: &str| fs::metadata(folder.path(name)).unwrap().permissions().mode();
        assert_eq!(mode("maps.csv"), mode("good.epd"));
        assert_eq!(mode("bad.txt"), mode("good.epd"));
    }

    #[test]
    fn a_link_to_a_missing_file_remains_a_link() {
        let folder = Folder::new();
        folder.write("good.epd", sample());
        fs::create_dir(folder.path("folder")).unwrap();
        symlink("folder/real.csv", folder.path("link.csv")).unwrap();
        symlink("link.csv", folder.path("second.csv")).unwrap();
        folder.succeed("maps good.epd -o second.csv");
        assert!(folder.path("link.csv").is_symlink() && folder.path("second.csv").is_symlink());
        assert!(folder.read("folder/real.csv").starts_with(b"white_pawn"));
        assert!(!folder.path("folder/real.csv").is_symlink());

        symlink("nowhere/real.csv", folder.path("broken.csv")).unwrap();
        let said = folder.fail(1, "maps good.epd -o broken.csv");
        one_line(&said, "error: cannot write broken.csv: No such file");
        symlink("circle.csv", folder.path("circle.csv")).unwrap();
        let said = folder.fail(1, "maps good.epd -o circle.csv");
        one_line(&said, "error: cannot write circle.csv: too many links");
        // Two names for one new file, one of them a link.
        let said = folder.fail(1, "maps good.epd -o new.csv --on-invalid skip --rejects ./new.csv");
        one_line(&said, "new.csv and ./new.csv are the same file");
        symlink("new.csv", folder.path("other.csv")).unwrap();
        let said = folder.fail(1, "maps good.epd -o new.csv --on-invalid skip --rejects other.csv");
        one_line(&said, "new.csv and other.csv are the same file");
    }

    #[test]
    fn a_run_that_fails_at_its_end_leaves_all_files_unchanged() {
        for older in [false, true] {
            let folder = Folder::new();
            if older {
                folder.write("bad.txt", "older");
            }
            let arguments = "maps - -o maps.csv --on-invalid skip --rejects bad.txt";
            let mut child = folder.command(arguments).stdin(Stdio::piped()).spawn().unwrap();
            folder.wait_for(2 + usize::from(older));
            // Meanwhile, create a folder with this name, which cannot be replaced.
            fs::create_dir(folder.path("maps.csv")).unwrap();
            folder.write("maps.csv/full", "");
            let mut pipe = child.stdin.take().unwrap();
            std::io::Write::write_all(&mut pipe, b"bad\n8/8/8/8/8/8/8/8 w - -\n").unwrap();
            drop(pipe);
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(1));
            let said = String::from_utf8(output.stderr).unwrap();
            one_line(&said, "error: cannot write maps.csv: Is a directory");
            if older {
                assert_eq!(folder.names(), ["bad.txt", "maps.csv"]);
                assert_eq!(folder.read("bad.txt"), b"older");
            } else {
                assert_eq!(folder.names(), ["maps.csv"]);
            }
        }
    }

    /// An output that is standard output under another name is treated like `-`.
    #[test]
    fn standard_output_under_other_names() {
        let folder = Folder::new();
        folder.write("mixed.epd", format!("{}bad\n", sample()));
        symlink("/dev/stdout", folder.path("link.csv")).unwrap();
        symlink("/dev/stdout", folder.path("link.csv.gz")).unwrap();
        let skip = "maps mixed.epd --on-invalid skip";
        let commands = [
            format!("{skip} -f csv -o"),
            format!("{skip} -f parquet -o"),
            format!("{skip} -f csv -o maps.csv --rejects"),
            "convert mixed.epd --on-invalid skip --lossy -f text -o".to_owned(),
            "successors mixed.epd --on-invalid skip -o".to_owned(),
            "show startpos --svg".to_owned(),
        ];
        for command in &commands {
            let expected = folder.run(&format!("{command} -"));
            assert_eq!(expected.status, Some(0), "{command}: {}", expected.stderr);
            for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link.csv"] {
                if !Path::new(name).exists() && name.starts_with('/') {
                    continue;
                }
                let command = format!("{command} {name}");
                let run = folder.run(&command);
                assert_eq!((run.status, &run.stderr), (Some(0), &expected.stderr), "{command}");
                assert!(run.stdout == expected.stdout, "{command}");
                // A file is neither replaced nor overwritten.
                folder.write("log", "older\n");
                let script = "{ echo before; \"$0\" \"$@\"; echo after; } >> log";
                let output = folder.shell(script, &command).output().unwrap();
                assert_eq!(String::from_utf8(output.stderr).unwrap(), expected.stderr);
                let log = [&b"older\nbefore\n"[..], &expected.stdout, b"after\n"].concat();
                assert!(folder.read("log") == log, "{command}");
                let script = "{ \"$0\" \"$@\"; echo $? >&2; } | true";
                let output = folder.shell(script, &command).output().unwrap();
                let said = String::from_utf8(output.stderr).unwrap();
                assert!(said.ends_with("0\n") && !said.contains("cannot"), "{command}: {said}");
            }
        }
        // The name of a link still says the format and the compression.
        let csv = folder.run(&format!("{skip} -o link.csv")).stdout;
        assert!(csv == folder.run(&format!("{skip} -f csv -o -")).stdout);
        let packed = folder.run(&format!("{skip} -o link.csv.gz")).stdout;
        let mut unpacked = Vec::new();
        let mut decoder = flate2::read::GzDecoder::new(&packed[..]);
        std::io::Read::read_to_end(&mut decoder, &mut unpacked).unwrap();
        assert!(unpacked == csv);
        assert!(folder.path("link.csv").is_symlink());
    }

    /// A file that another descriptor has opened is appended to, not replaced.
    #[test]
    fn other_descriptors() {
        let folder = Folder::new();
        folder.write("maps.epd", sample());
        let expected = folder.run("maps maps.epd -q -c white_king -f csv -o -").stdout;
        symlink("/dev/fd/3", folder.path("link")).unwrap();
        for (name, number) in [("/dev/fd/3", 3), ("link", 3), ("/dev/stderr", 2)] {
            folder.write("log", "older\n");
            let script = format!(
                "{{ echo before >&{number}; \"$0\" \"$@\"; echo after >&{number}; }} {number}>> log"
            );
            let command = format!("maps maps.epd -q -c white_king -f csv -o {name}");
            assert!(folder.shell(&script, &command).status().unwrap().success());
            let log = [&b"older\nbefore\n"[..], &expected, b"after\n"].concat();
            assert!(folder.read("log") == log, "{name}");
        }
        // With a position of their own, the outputs of others would overwrite this one.
        let expected = String::from_utf8(expected).unwrap();
        for (name, redirection, written) in [
            ("/dev/stderr", "2> log", format!("before\n{expected}after\n")),
            (
                "/dev/fd/3",
                "3> log",
                "before\nerror: cannot write /dev/fd/3: it is a file that others may overwrite; redirect it with \
                 3>>\nafter\n"
                    .to_owned(),
            ),
            (
                "/dev/fd/3",
                "3< maps.epd",
                "before\nerror: cannot write /dev/fd/3: it is open for reading only\nafter\n".to_owned(),
            ),
        ] {
            let script = format!(
                "{{ {{ echo before >&2; \"$0\" \"$@\"; echo after >&2; }} {redirection}; }} 2> said"
            );
            let command = format!("maps maps.epd -q -c white_king -f csv -o {name}");
            folder.shell(&script, &command).status().unwrap();
            let file = if name == "/dev/stderr" { "log" } else { "said" };
            assert_eq!(String::from_utf8(folder.read(file)).unwrap(), written, "{redirection}");
            assert_eq!(folder.read("maps.epd"), sample().as_bytes());
        }
    }

    #[test]
    fn outputs_do_not_mix() {
        let folder = Folder::new();
        folder.write("mixed.epd", format!("{}bad\n", sample()));
        let arguments = "maps mixed.epd -f csv --on-invalid skip";
        let said = folder.fail(1, &format!("{arguments} -o - --rejects /dev/stdout"));
        one_line(&said, "standard output and /dev/stdout are the same file");
        let said = folder.fail(1, &format!("{arguments} -o /dev/stdout --rejects -"));
        one_line(&said, "/dev/stdout and standard output are the same file");
        // If standard output is a file, the other output would replace it.
        let file = fs::File::create(folder.path("out.csv")).unwrap();
        let mut command = folder.command(&format!("{arguments} -o - --rejects out.csv"));
        let output = command.stdout(file).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        one_line(&said, "standard output and out.csv are the same file");
        // Writing to these overwrites no data.
        let outcome = folder.run(&format!("{arguments} -o /dev/null --rejects /dev/null"));
        assert_eq!((outcome.status, outcome.stderr.as_str()), (Some(0), "1 invalid row skipped\n"));
    }

    #[test]
    fn names_with_line_ends_are_shown_on_one_line() {
        let folder = Folder::new();
        let name = "two\nlines\u{1b}.epd";
        folder.write(name, format!("{}bad\n", sample()));
        let arguments =
            ["maps", name, "-o", "maps.csv", "--on-invalid", "skip", "--rejects", "bad.txt"];
        let output = folder.command("").args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        let rejects = String::from_utf8(folder.read("bad.txt")).unwrap();
        assert!(rejects.starts_with("# two\\nlines\\u{1b}.epd:1001:2: "), "{rejects}");
        assert_eq!(rejects.lines().count(), 2);
        let said = folder.fail_with(1, &["maps", "no\nfile", "-o", "new.csv"]);
        one_line(&said, "error: cannot read no\\nfile: No such file");
    }
}

/// Time is proportional to bytes for all contents of a file. (Games have a separate test, with their reader.)
#[test]
fn time_is_linear() {
    let folder = Folder::new();
    let kings = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    let lines =
        ["8", "/", " ", "|", "\"", ";", "id \"", "\\", "\n", "#\n", "\u{e9}", "| 1 | 1.0\n"];
    let cells = [",", "\"", "\"\"", "\",\"", "\n", "\r\n", "\"\n", "x", "1,", "\\", "-", "1"];
    let json = [
        "[",
        "{",
        "{\"a\":",
        "\"",
        "\\\"",
        "\\u00",
        "\n",
        "1",
        "-",
        "{}",
        "{\"fen\":\"8\"}\n",
        " ",
    ];
    let bytes = ["\0", "\u{7f}", "BINP", "BINP\u{8}\0\0\0", "0", "\u{1}"];
    let zstd = ["\u{28}\u{b5}/", "P*M\u{18}\0\0\0\0"];
    let kinds: [(&str, &[&str], &[String]); 9] = [
        ("a.fen", &lines, &[String::new(), kings.to_owned(), format!("{kings} | ")]),
        ("a.csv", &cells, &[String::new(), format!("fen,a\n{kings},")]),
        ("a.jsonl", &json, &[String::new(), format!("{{\"fen\": \"{kings}\", \"a\": ")]),
        ("a.bullet", &bytes, &[String::new()]),
        ("a.bin", &bytes, &[String::new()]),
        ("a.vf", &bytes, &[String::new()]),
        ("a.binpack", &bytes, &[String::new(), "BINP\0\0\u{10}\0".to_owned()]),
        ("a.arrow", &bytes, &["ARROW1\0\0".to_owned(), "ARROW1\0\0\u{4}\0\0\0".to_owned()]),
        ("a.fen.zst", &zstd, &[String::new()]),
    ];
    for (name, tokens, befores) in kinds {
        for (before, token) in
            befores.iter().flat_map(|before| tokens.iter().map(move |token| (before, token)))
        {
            let time = |bytes: usize| {
                folder.write(name, format!("{before}{}", token.repeat(bytes / token.len())));
                let start = Instant::now();
                folder.run(&format!(
                    "maps {name} -q -o out.csv --columns white_all --on-invalid skip"
                ));
                start.elapsed()
            };
            // If time were quadratic, a quarter of the input would take a sixteenth. Other processes disturb some of
            // the runs.
            let mut least = [Duration::MAX; 2];
            let is_linear = (0..200).any(|_| {
                for (least, bytes) in least.iter_mut().zip([1 << 16, 1 << 18]) {
                    *least = time(bytes).min(*least);
                }
                least[1] < 8 * least[0] + Duration::from_millis(20)
            });
            assert!(is_linear, "{name}: {before:?} and then {token:?}");
        }
    }
}
