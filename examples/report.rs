//! Converts criterion's measurements into tables (Markdown, to standard output) and a chart (SVG).
//!
//! ```text
//! cargo bench
//! cargo run --release --example report -- --svg chart.svg > tables.md
//! ```
//!
//! Times are criterion's medians, in nanoseconds per board. Criterion keeps the last figures of every bench that ever
//! ran, so remove `target/criterion` first if kernels have been added or removed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, fs, process};

use serde_json::Value;
use setwise::Backend;

/// The number of boards for ratios and the chart, if a group has it.
const MODEL_SIZE: u64 = 4096;
/// The kernels that all others are compared with.
const RIVALS: [&str; 2] = ["kogge-stone-scalar", "magic-loop"];
/// The groups in the chart, and what they compute.
const CHART: [(&str, &str); 2] =
    [("sliders-bulk", "union of all eight rays"), ("maps-bulk", "sixteen attack maps")];

fn main() {
    let mut svg = None;
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--svg" => svg = arguments.next().map(PathBuf::from),
            _ => panic!("usage: report [--svg FILE]"),
        }
    }
    let target = env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".into());
    let mut results = Results::default();
    results.collect(&Path::new(&target).join("criterion"));
    assert!(!results.groups.is_empty(), "nothing measured yet: run `cargo bench` first");

    let conditions = Conditions::of(&results);
    print!("{}", tables(&results, &conditions));
    if let Some(file) = svg {
        let groups = CHART.map(|(name, _)| {
            results.groups.get(name).expect("the chart's groups have been measured")
        });
        fs::write(&file, chart(groups, &conditions))
            .unwrap_or_else(|error| panic!("cannot write {}: {error}", file.display()));
    }
}

/// All medians: group, kernel, number of boards, nanoseconds per board.
#[derive(Default)]
struct Results {
    groups: BTreeMap<String, Group>,
    newest: Option<SystemTime>,
}

type Group = BTreeMap<String, BTreeMap<u64, f64>>;

impl Results {
    /// Searches a folder and its subfolders for criterion's latest results.
    fn collect(&mut self, folder: &Path) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.ends_with("new") {
                self.read(&path);
            } else if path.is_dir() {
                self.collect(&path);
            }
        }
    }

    fn read(&mut self, folder: &Path) -> Option<()> {
        let json = |name| -> Option<Value> {
            serde_json::from_str(&fs::read_to_string(folder.join(name)).ok()?).ok()
        };
        let bench = json("benchmark.json")?;
        let boards = bench["throughput"]["Elements"].as_u64()?;
        let median = json("estimates.json")?["median"]["point_estimate"].as_f64()?;
        self.groups
            .entry(bench["group_id"].as_str()?.to_owned())
            .or_default()
            .entry(bench["function_id"].as_str()?.to_owned())
            .or_default()
            .insert(boards, median / boards as f64);
        self.newest = self.newest.max(fs::metadata(folder).and_then(|new| new.modified()).ok());
        Some(())
    }
}

/// The conditions of the measurement: where, when and with what.
struct Conditions {
    processor: String,
    date: String,
    compiler: String,
    command: String,
}

impl Conditions {
    fn of(results: &Results) -> Self {
        let flags = env::var("RUSTFLAGS").map(|flags| format!("RUSTFLAGS='{flags}' "));
        Self {
            processor: processor(),
            date: results.newest.map_or_else(|| "no date".into(), date),
            compiler: process::Command::new("rustc")
                .arg("--version")
                .output()
                .ok()
                .and_then(|output| String::from_utf8(output.stdout).ok())
                .map_or_else(|| "unknown compiler".into(), |version| version.trim().into()),
            command: format!(
                "{}cargo bench && cargo run --release --example report -- --svg FILE",
                flags.unwrap_or_default()
            ),
        }
    }
}

/// The processor as the system names it, with its family and model, since names can be vague.
fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        text.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            (key.trim() == name).then(|| value.trim().to_owned())
        })
    };
    match (field("model name"), field("cpu family"), field("model")) {
        (Some(name), Some(family), Some(model)) => format!("{name}, family {family} model {model}"),
        (Some(name), ..) => name,
        _ => format!("some {} processor", env::consts::ARCH),
    }
}

/// Year, month and day (UTC).
fn date(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (mut days, mut year) = (seconds / 86_400, 1970);
    let leap =
        |year: u64| year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", days + 1)
}

/// One table for each group, the slowest kernel first.
fn tables(results: &Results, conditions: &Conditions) -> String {
    let Conditions { processor, date, compiler, command } = conditions;
    let mut text = format!("{processor}; {date}; {compiler}; `{command}`\n");
    for (name, group) in &results.groups {
        let sizes: BTreeSet<u64> = group.values().flat_map(BTreeMap::keys).copied().collect();
        let model = model_size(group);
        let rivals = RIVALS.map(|rival| Some((rival, *group.get(rival)?.get(&model)?)));
        let rivals: Vec<_> = rivals.into_iter().flatten().collect();

        let mut heads = vec![name.clone()];
        heads.extend(sizes.iter().map(|&size| format!("{} boards, ns each", thousands(size))));
        heads.push(format!("million/s at {}", thousands(model)));
        heads.extend(rivals.iter().map(|(rival, _)| format!("× {rival}")));
        writeln!(text, "\n| {} |", heads.join(" | ")).expect("strings take all");
        writeln!(text, "|---|{}", "--:|".repeat(heads.len() - 1)).expect("strings take all");
        for (kernel, times) in by_time(group, model) {
            let own = if is_ours(kernel) { format!("**{kernel}**") } else { kernel.to_owned() };
            let mut cells = vec![own];
            cells.extend(
                sizes.iter().map(|size| {
                    times.get(size).map_or_else(String::new, |time| significant(*time))
                }),
            );
            let time = times.get(&model);
            cells.push(time.map_or_else(String::new, |time| significant(1000.0 / time)));
            cells.extend(
                rivals.iter().map(|(_, rival)| {
                    time.map_or_else(String::new, |time| significant(rival / time))
                }),
            );
            writeln!(text, "| {} |", cells.join(" | ")).expect("strings take all");
        }
    }
    text
}

/// The size at which a group's kernels are compared.
fn model_size(group: &Group) -> u64 {
    let has_model = group.values().any(|times| times.contains_key(&MODEL_SIZE));
    let largest = group.values().flat_map(BTreeMap::keys).max();
    if has_model { MODEL_SIZE } else { *largest.expect("a group has kernels") }
}

/// The kernels of a group from the slowest to the fastest.
fn by_time(group: &Group, size: u64) -> Vec<(&str, &BTreeMap<u64, f64>)> {
    let mut kernels: Vec<_> = group.iter().map(|(kernel, times)| (&**kernel, times)).collect();
    let time = |times: &BTreeMap<u64, f64>| times.get(&size).copied().unwrap_or(f64::INFINITY);
    kernels.sort_by(|(_, a), (_, b)| time(b).total_cmp(&time(a)));
    kernels
}

fn is_ours(kernel: &str) -> bool {
    let one = ["inlined-", "in-hand-"].iter().any(|prefix| kernel.starts_with(prefix));
    let kernel = kernel.strip_prefix("rows-").unwrap_or(kernel);
    one || kernel == "setwise" || Backend::ALL.iter().any(|backend| backend.name() == kernel)
}

/// Three significant digits, or all before the point.
fn significant(value: f64) -> String {
    let digits = if value >= 99.95 {
        0
    } else if value >= 9.995 {
        1
    } else {
        2
    };
    format!("{value:.digits$}")
}

/// A number with commas.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A bar of boards per second for each kernel, the slowest on top, in one column for each group of [`CHART`].
fn chart(groups: [&Group; 2], conditions: &Conditions) -> String {
    const WIDTH: f64 = 860.0;
    const LEFT: [f64; 2] = [204.0, 534.0];
    const LONGEST: f64 = 210.0;
    const TOP: f64 = 124.0;
    const ROW: f64 = 27.0;
    const OURS: &str = "#1f6f8b";
    const THEIRS: &str = "#b9c2c9";

    let sizes = groups.map(model_size);
    let time = |column: usize, kernel: &str| -> Option<f64> {
        groups[column].get(kernel)?.get(&sizes[column]).copied()
    };
    let scalar = [0, 1].map(|column| time(column, RIVALS[0]).expect("the rival of all"));
    let fastest = [0, 1].map(|column| {
        let times = groups[column].keys().filter_map(|kernel| time(column, kernel));
        times.fold(f64::INFINITY, f64::min)
    });
    // A kernel without a bar in the first column is placed by the second.
    let speed = |kernel: &str| {
        let speeds = [0, 1].map(|column| time(column, kernel).map(|time| scalar[column] / time));
        speeds[0].or(speeds[1])
    };
    let names: BTreeSet<&str> =
        groups.iter().flat_map(|group| group.keys()).map(|k| &**k).collect();
    let in_columns = names.into_iter().filter(|kernel| !kernel.starts_with("rows-"));
    let mut rows: Vec<(&str, f64)> =
        in_columns.filter_map(|kernel| Some((kernel, speed(kernel)?))).collect();
    rows.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    let below = TOP + ROW * rows.len() as f64;
    let height = below + 90.0;

    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="Helvetica, Arial, sans-serif" font-size="13" fill="#24292f">
<rect width="{WIDTH}" height="{height}" rx="8" fill="#ffffff"/>
<text x="24" y="34" font-size="19" font-weight="bold">What sets of pieces attack: million boards a second, one core</text>
<text x="24" y="57" fill="#57606a">{} boards a call; × is against {}</text>
<rect x="24" y="70" width="12" height="12" rx="2" fill="{OURS}"/><text x="42" y="80.5">setwise</text>
<rect x="112" y="70" width="12" height="12" rx="2" fill="{THEIRS}"/><text x="130" y="80.5">others</text>
"##,
        thousands(sizes[0]),
        RIVALS[0],
    );
    let mut text = |x: f64, y: f64, rest: std::fmt::Arguments<'_>| {
        writeln!(svg, r##"<text x="{x:.1}" y="{y:.1}" {rest}</text>"##).expect("strings take all");
    };
    for (left, (_, heading)) in LEFT.iter().zip(CHART) {
        text(*left, TOP - 12.0, format_args!(r##"font-weight="bold">{heading}"##));
    }
    let mut bars = String::new();
    for (i, (kernel, _)) in rows.into_iter().enumerate() {
        let y = TOP + ROW * i as f64;
        let (colour, weight) = if is_ours(kernel) { (OURS, "bold") } else { (THEIRS, "normal") };
        let name = format_args!(r##"text-anchor="end" font-weight="{weight}">{kernel}"##);
        text(LEFT[0] - 10.0, y + 14.0, name);
        for column in [0, 1] {
            let Some(time) = time(column, kernel) else { continue };
            let length = LONGEST * fastest[column] / time;
            writeln!(
                bars,
                r##"<rect x="{}" y="{y:.1}" width="{length:.1}" height="19" rx="2" fill="{colour}"/>"##,
                LEFT[column]
            )
            .expect("strings take all");
            text(
                LEFT[column] + length + 8.0,
                y + 14.0,
                format_args!(
                    r##"font-weight="{weight}" xml:space="preserve">{}<tspan fill="#57606a" font-weight="normal">  {} ×</tspan>"##,
                    thousands((1000.0 / time).round() as u64),
                    significant(scalar[column] / time),
                ),
            );
        }
    }
    svg.push_str(&bars);
    let Conditions { processor, date, compiler, command } = conditions;
    svg.push_str("<g font-size=\"11\" fill=\"#57606a\">");
    let feet = [
        "magic-loop: what engines do, a lookup in magic tables for each piece in turn; pext-loop: the same by the instruction pext.",
        "kogge-stone, dumb7fill: fills of whole sets; hyperbola-per-square: one slider in turn, without tables.",
        &format!("{processor}; {date}; {compiler}"),
        command,
    ];
    for (i, line) in feet.into_iter().enumerate() {
        let y = below + 22.0 + 16.0 * i as f64;
        write!(svg, r##"<text x="24" y="{y}">{}</text>"##, escape(line)).expect("strings take all");
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

/// Escapes text for XML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
