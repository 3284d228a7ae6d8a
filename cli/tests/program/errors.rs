//! Whatever goes wrong is one clear line and an exit status; no half file is left, an older one survives.

use std::fs;

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
fn the_first_bad_line_is_the_one_that_is_shown() {
    let folder = Folder::new();
    // Bad lines in several batches: whichever thread is first, the first line wins.
    let lines = |i: usize| format!("{}bad {i}\n", "\n".repeat(140_000));
    folder.write("bad.epd", (0..4).map(lines).collect::<String>());
    let said = folder.fail(1, "maps bad.epd -o maps.parquet --threads 4");
    assert!(said.starts_with("bad.epd:140001:"), "{said}");
    assert!(said.contains("bad 0"));
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
        said.starts_with("endless.epd:1:65537: the line is longer than 65536 bytes\n"),
        "{said}"
    );
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
    one_line(&said, "error: cannot read folder: it is a directory");
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
    let said = folder.fail(1, "maps good.epd -o maps.csv --skip-invalid --rejects nowhere/x");
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
    fs::hard_link(folder.path("good.epd"), folder.path("link.csv")).unwrap();
    let said = folder.fail(1, "maps good.epd -o good.epd --format csv");
    one_line(&said, "good.epd is both input and output");
    one_line(&folder.fail(1, "maps good.epd -o link.csv"), "good.epd is both input and output");
    let said = folder.fail(1, "maps good.epd -o a.csv --skip-invalid --rejects good.epd");
    one_line(&said, "good.epd is both input and output");
    let said = folder.fail(1, "maps good.epd -o a.csv --skip-invalid --rejects a.csv");
    one_line(&said, "a.csv is the file for both --output and --rejects");
    assert_eq!(folder.read("good.epd"), sample().as_bytes());
}

#[test]
fn wrong_arguments_have_status_2() {
    let folder = Folder::new();
    folder.write("good.epd", sample());
    for (arguments, expected) in [
        ("", "Usage"),
        ("map", "unrecognized subcommand"),
        ("maps", "INPUT"),
        ("maps good.epd", "--output"),
        ("maps good.epd -o maps", "--format"),
        ("maps good.epd -o maps.txt", "--format"),
        ("maps good.epd -o -", "--format"),
        ("maps good.epd -o a.csv -f xlsx", "possible values: parquet, arrow, npy, csv"),
        ("maps good.epd -o a.csv --columns white_all,foo", "no column is called 'foo'"),
        ("maps good.epd -o a.csv --columns white_all,white_all", "asked for twice"),
        ("maps good.epd -o a.csv --backend foo", "available here: scalar"),
        ("maps good.epd -o a.csv --threads 0", "--threads"),
        ("maps good.epd -o a.csv --rejects bad.txt", "--skip-invalid"),
        ("maps - - -o a.csv", "only once"),
        ("show", "FEN"),
        ("show startpos --map foo", "foo"),
        ("completions tcsh", "possible values"),
    ] {
        let said = folder.fail(2, arguments);
        assert!(said.contains(expected), "{arguments}: {said}");
    }
}

#[cfg(unix)]
mod unix {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::os::unix::process::ExitStatusExt;
    use std::path::Path;
    use std::process::{Command, Stdio};

    use super::{Folder, fs, one_line, sample};
    use crate::run::skipped;

    /// The device on which there is never room, if there is one.
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
        assert!(Path::new("/dev/full").exists());
    }

    #[test]
    fn a_full_disk_for_the_rejects_leaves_the_maps_as_they_were() {
        let Some(_) = full() else { return };
        let folder = Folder::new();
        folder.write("mixed.epd", format!("{}bad\n", sample()));
        folder.write("older", "older");
        for format in ["parquet", "arrow", "npy", "csv"] {
            for output in ["new", "older"] {
                let said = folder.fail(
                    1,
                    &format!(
                        "maps mixed.epd -o {output} -f {format} --skip-invalid --rejects /dev/full"
                    ),
                );
                one_line(&said, "error: cannot write /dev/full: No space left on device");
            }
            // And the other way round.
            let said = folder.fail(
                1,
                &format!("maps mixed.epd -o /dev/full -f {format} --skip-invalid --rejects older"),
            );
            one_line(&said, "error: cannot write /dev/full: No space left on device");
            assert_eq!(folder.read("older"), b"older");
        }
    }

    #[test]
    fn closing_lines_that_cannot_be_written_are_no_failure() {
        let Some(full) = full() else { return };
        let folder = Folder::new();
        folder.write("mixed.epd", format!("{}bad\n", sample()));
        for output in ["maps.csv", "-"] {
            let arguments = "maps mixed.epd -f csv --skip-invalid --timings -o";
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
    fn nobody_reads_the_output() {
        let folder = Folder::new();
        folder.write("good.epd", sample().repeat(20));
        let mut child = folder.command("maps good.epd -o - -f csv").spawn().unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        assert!(line.starts_with("white_pawn,"));
        drop(out);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let said = String::from_utf8(output.stderr).unwrap();
        one_line(&said, "error: cannot write standard output: Broken pipe");
    }

    /// Starts a run that waits for more input, and has its unfinished file beside the output.
    fn interrupt(signal: &str, number: i32) {
        let folder = Folder::new();
        folder.write("maps.parquet", "older");
        let arguments = "maps - -o maps.parquet --skip-invalid --rejects bad.txt";
        let mut child = folder.command(arguments).stdin(Stdio::piped()).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        pipe.write_all(sample().as_bytes()).unwrap();
        while folder.names().len() < 3 {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let killed = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(killed.unwrap().success());
        let status = child.wait().unwrap();
        assert_eq!(status.signal(), Some(number), "{status}");
        assert_eq!(folder.names(), ["maps.parquet"]);
        assert_eq!(folder.read("maps.parquet"), b"older");
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!(said, "");
    }

    #[test]
    fn an_interrupt_leaves_no_half_file() {
        interrupt("-INT", 2);
    }

    #[test]
    fn a_request_to_end_leaves_no_half_file() {
        interrupt("-TERM", 15);
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
}
