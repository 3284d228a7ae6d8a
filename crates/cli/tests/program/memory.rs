//! Checks that memory depends on the work in progress, not on the number of threads.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::run::{Folder, sample};

/// Returns the peak memory of a run in KiB, measured while it runs. (The run starts as a fork of this process, so the
/// system's value after its end would include the memory of this process.)
fn peak(folder: &Folder, arguments: &str) -> u64 {
    let mut command = folder.command(arguments);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        let now = fs::read_to_string(&status).unwrap_or_default();
        let most = now.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        if let Some(most) = most {
            peak = most.trim().trim_end_matches(" kB").parse().unwrap();
        }
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success(), "{arguments}");
            return peak;
        }
        thread::sleep(Duration::from_micros(200));
    }
}

/// Eight threads need at most 1.5 times the memory of two.
fn check(lines: usize, arguments: &str) {
    let folder = Folder::new();
    folder.write("many.epd", sample().repeat(lines / 1000));
    let peak = |threads: usize| {
        peak(&folder, &format!("maps many.epd --columns all --threads {threads} {arguments}"))
    };
    // The last measurement may miss the peak, and other programs may delay a thread.
    let two = (0..3).map(|_| peak(2)).max().expect("three runs");
    let eight = (0..3).map(|_| peak(8)).min().expect("three runs");
    assert!(2 * eight <= 3 * two, "{eight} KiB with 8 threads, {two} KiB with 2: {arguments}");
}

#[test]
fn text_of_all_columns() {
    check(24_000, "-o maps.csv");
}

#[test]
fn row_groups_of_all_columns() {
    // Three batches in progress, each with 2.8 MB of columns.
    check(50_000, "-o maps.parquet --batch-lines 4096 --bytes-under-way 10000000");
}
