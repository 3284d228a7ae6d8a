//! Early ends of a run: a closed reader, a signal, a limit of the system. In every case no incomplete file has a final
//! name, and older files are unchanged.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::read::{FORMATS, read};
use crate::run::{Folder, maps, sample, skipped};

fn one_line(said: &str, expected: &str) {
    assert!(said.contains(expected), "{said:?} should say {expected:?}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn a_closed_reader_ends_the_run() {
    let folder = Folder::new();
    folder.write("good.epd", sample().repeat(20));
    let of_maps =
        FORMATS.iter().map(|format| format!("maps good.epd -o - -f {format} --batch-lines 100"));
    let convert = ["text", "marlin", "plain"]
        .map(|format| format!("convert good.epd -o - -f {format} --on-missing 0 --lossy -q"));
    for arguments in of_maps.chain(convert) {
        let mut child = folder.command(&arguments).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.fill_buf().unwrap();
        drop(out);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{arguments}");
    }
    for arguments in ["show startpos", "backends", "maps --columns help", "completions bash"] {
        let mut command = folder.shell("\"$0\" \"$@\" | true", arguments);
        let output = command.output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{arguments}");
    }
}

#[test]
fn the_example_of_the_help_has_no_warnings() {
    let folder = Folder::new();
    folder.write("games.epd", sample().repeat(20));
    let help = String::from_utf8(folder.succeed("maps --help")).unwrap();
    assert!(help.contains("| setwise maps - -o - --format csv --columns fen,default | head"));
    // Print the status of the program, which `head` would hide.
    let script = "{ \"$0\" \"$@\"; echo $? >&2; } < games.epd | head";
    let output =
        folder.shell(script, "maps - -o - --format csv --columns fen,default").output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "0\n");
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.starts_with("fen,white_pawn,"), "{shown}");
    assert_eq!(shown.lines().count(), 10);
}

/// It is not the same as an empty one.
#[test]
fn a_closed_standard_input_is_an_error() {
    let folder = Folder::new();
    folder.write("older.csv", "older");
    for arguments in [
        "maps - -o older.csv",
        "maps - -o - -f csv",
        "convert - --input-format bin -o a.fen",
        "successors - -o older.csv",
        "show -",
        "show --input -",
        "maps /dev/stdin -o older.csv",
    ] {
        let output = folder.shell("exec \"$0\" \"$@\" <&-", arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments}");
        let name = if arguments.contains("/dev/") { "/dev/stdin" } else { "standard input" };
        let said = String::from_utf8(output.stderr).unwrap();
        one_line(&said, &format!("error: cannot read {name}: it is closed"));
    }
    assert_eq!(folder.names(), ["older.csv"]);
    assert_eq!(folder.read("older.csv"), b"older");
    // Other inputs can still be read.
    folder.write("good.epd", sample());
    let output = folder.shell("exec \"$0\" \"$@\" <&-", "maps good.epd -o new.csv").output();
    assert_eq!(output.unwrap().status.code(), Some(0));
}

#[test]
fn a_closed_standard_output_is_an_error() {
    let folder = Folder::new();
    folder.write("good.epd", sample());
    for arguments in [
        "maps good.epd -o - -f csv",
        "show startpos",
        "show startpos --svg -",
        "backends",
        "--version",
        "help maps",
    ] {
        let output = folder.shell("exec \"$0\" \"$@\" >&-", arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments}");
        let said = String::from_utf8(output.stderr).unwrap();
        one_line(&said, "error: cannot write standard output: it is closed");
    }
    // Files can still be written, and the null device is open.
    let output =
        folder.shell("exec \"$0\" \"$@\" >&-", "maps good.epd -o maps.csv").output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(folder.read("maps.csv").starts_with(b"white_pawn"));
    let script = "exec \"$0\" \"$@\" <>/dev/null >&0";
    let output = folder.shell(script, "maps good.epd -o - -f csv").output().unwrap();
    assert_eq!(output.status.code(), Some(0));
}

/// Starts a run that waits for more input, with its unfinished files next to the older one.
fn waiting(folder: &Folder, before: &str) -> Child {
    folder.write("maps.parquet", "older");
    let arguments = "maps - -o maps.parquet --on-invalid skip --rejects bad.txt";
    let mut command = folder.shell(&format!("{before} exec \"$0\" \"$@\""), arguments);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(sample().as_bytes()).unwrap();
    folder.wait_for(3);
    child
}

fn signal(child: &Child, name: &str) {
    let killed = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    assert!(killed.unwrap().success());
}

/// Returns whether the tests ignore a signal. The program inherits this. Shells start background jobs with INT and QUIT
/// ignored.
fn is_ignored(number: u32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (number - 1) & 1 == 1
}

#[test]
fn a_signal_leaves_no_incomplete_file() {
    for (name, number) in [("INT", 2), ("TERM", 15), ("HUP", 1), ("QUIT", 3), ("XCPU", 24)] {
        if is_ignored(number) {
            skipped(&format!("SIG{name} is ignored here"));
            continue;
        }
        let folder = Folder::new();
        let mut child = waiting(&folder, "");
        // `wait` closes the input, and at its end the program could finish before the signal is handled.
        let input = child.stdin.take();
        signal(&child, name);
        let status = child.wait().unwrap();
        drop(input);
        assert_eq!(status.signal(), Some(number.cast_signed()), "{status}");
        assert_eq!(folder.names(), ["maps.parquet"], "{name}");
        assert_eq!(folder.read("maps.parquet"), b"older");
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!(said, "");
    }
}

/// SIGKILL leaves temporary files. The next run with the same outputs removes them, but not the files of an active run
/// or of other outputs.
#[test]
fn files_of_killed_runs_are_removed() {
    let folder = Folder::new();
    let parts = || {
        let names = folder.names().into_iter();
        names.filter(|name| name.ends_with(".part")).collect::<Vec<String>>()
    };
    let mut killed = waiting(&folder, "");
    signal(&killed, "KILL");
    killed.wait().unwrap();
    folder.write("good.epd", sample());
    let left = parts();
    assert_eq!(left.len(), 2);
    let mut alive = folder.command("maps - -o maps.parquet").stdin(Stdio::piped()).spawn().unwrap();
    while parts().len() != 2 || parts() == left {
        std::thread::sleep(Duration::from_millis(2));
    }
    assert_eq!(parts().iter().filter(|name| name.starts_with(".setwise-bad.txt-")).count(), 1);
    folder.succeed("maps good.epd -o maps.parquet.csv");
    assert_eq!(parts().len(), 2);
    let arguments = "maps good.epd -o maps.parquet --on-invalid skip --rejects bad.txt";
    folder.succeed(arguments);
    // The file of the active run.
    assert_eq!(parts().len(), 1);
    alive.stdin.take().unwrap().write_all(sample().as_bytes()).unwrap();
    assert_eq!(alive.wait().unwrap().code(), Some(0));
    assert_eq!(parts(), [""; 0]);
}

#[test]
fn a_signal_that_is_ignored_stays_ignored() {
    for name in ["INT", "HUP", "TERM", "QUIT"] {
        let folder = Folder::new();
        let mut child = waiting(&folder, &format!("trap '' {name};"));
        signal(&child, name);
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(child.try_wait().unwrap(), None, "{name}");
        drop(child.stdin.take());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{name}");
        assert_eq!(folder.names(), ["bad.txt", "maps.parquet"]);
        assert!(folder.parquet("maps.parquet") == maps(&sample()));
    }
}

#[test]
fn a_limit_for_files_is_an_error_like_a_full_disk() {
    let folder = Folder::new();
    folder.write("good.epd", sample().repeat(10));
    for format in FORMATS {
        let arguments = format!("maps good.epd -o maps.{format} --batch-lines 100");
        let output = folder.shell("ulimit -f 8; exec \"$0\" \"$@\"", &arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{format}: {}", output.status);
        let said = String::from_utf8(output.stderr).unwrap();
        one_line(&said, &format!("error: cannot write maps.{format}: File too large"));
        assert_eq!(folder.names(), ["good.epd"], "{format}");
    }
}

#[test]
fn threads_that_cannot_start_are_an_error() {
    let folder = Folder::new();
    folder.write("good.epd", sample());
    // No system can allocate such a stack.
    let run = |arguments: &str| {
        let mut command = folder.command(arguments);
        let output = command.env("RUST_MIN_STACK", (1_u64 << 46).to_string()).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", output.status);
        assert_eq!(folder.names(), ["good.epd"]);
        String::from_utf8(output.stderr).unwrap()
    };
    let said = run("maps good.epd -o - -f csv");
    one_line(&said, "error: cannot start the threads (ask for fewer): ");
    assert_eq!(said.matches("Resource temporarily unavailable").count(), 1, "{said}");
    let said = run("maps good.epd -o maps.csv");
    one_line(&said, "error: cannot start the thread for signals: Resource temporarily unavailable");
}

/// Ends each of a hundred runs at a different moment.
#[test]
fn killed_runs_leave_complete_files_or_none() {
    const RUNS: usize = 100;
    let text = sample();
    let expected = maps(&text);
    let folder = Folder::new();
    folder.write("input.epd", format!("bad\n{text}"));
    let run = |format: &str| {
        let arguments = format!(
            "maps input.epd -o maps.{format} --on-invalid skip --rejects bad.txt -q \
             --batch-lines 10 --chunk-rows 5 --bytes-under-way 20000"
        );
        folder.command(&arguments).spawn().unwrap()
    };
    // Measure the duration of a complete run.
    let begin = std::time::Instant::now();
    for format in FORMATS {
        assert!(run(format).wait().unwrap().success());
    }
    let duration = begin.elapsed() / 4;
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut ended = [0; 2];
    for i in 0..RUNS {
        let format = FORMATS[i % 4];
        let name = ["KILL", "TERM", "INT"][i % 3];
        let output = format!("maps.{format}");
        for other in folder.names() {
            if other != "input.epd" {
                fs::remove_file(folder.path(&other)).unwrap();
            }
        }
        let older = i % 2 == 0;
        if older {
            folder.write(&output, "older");
            folder.write("bad.txt", "older");
        }
        let mut child = run(format);
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        std::thread::sleep(duration.mul_f64((random % 1200) as f64 / 1000.0));
        // The run may have ended by now.
        let _ = Command::new("kill")
            .stderr(Stdio::null())
            .args([&format!("-{name}"), &child.id().to_string()])
            .status();
        let status = child.wait().unwrap();
        ended[usize::from(status.success())] += 1;
        let names = folder.names();
        let rest: Vec<_> = names.iter().filter(|name| name.ends_with(".part")).collect();
        assert!(name == "KILL" || rest.is_empty(), "{name} left {rest:?}");
        for (file, is_whole) in [
            (
                output.as_str(),
                &(|bytes| read(format, bytes).0.numbers == expected) as &dyn Fn(Vec<u8>) -> bool,
            ),
            ("bad.txt", &|bytes| {
                bytes.starts_with(b"# input.epd:1:2: ") && bytes.ends_with(b"\nbad\n")
            }),
        ] {
            match fs::read(folder.path(file)) {
                Err(_) => assert!(!older && !status.success(), "{name} took {file} away"),
                Ok(bytes) if bytes == b"older" => assert!(older && !status.success(), "{file}"),
                Ok(bytes) => assert!(is_whole(bytes), "{name} left half of {file}"),
            }
        }
    }
    assert!(ended[0] >= RUNS / 4, "most runs were over too early: {ended:?}");
    let _ = writeln!(std::io::stderr(), "{} of {RUNS} runs were ended before their time", ended[0]);
}
