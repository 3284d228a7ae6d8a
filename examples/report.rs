//! Turns what criterion measured into tables (Markdown, to the standard output) and a chart (SVG).
//!
//! ```text
//! cargo bench
//! cargo run --release --example report -- --svg chart.svg > tables.md
//! ```
//!
//! Times are criterion's medians, in nanoseconds a board. Criterion keeps the last figures of every bench
//! that ever ran: remove `target/criterion` first if kernels have come and gone.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, fs, process};

use serde_json::Value;
use setwise::Backend;

/// The size that ratios and the chart are about, where a group has it.
const MODEL_SIZE: u64 = 4096;
/// Whom all are compared with.
const RIVALS: [&str; 2] = ["kogge-stone-scalar", "magic-loop"];
/// The group in the chart.
const CHART: &str = "sliders-bulk";

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
        let group = results.groups.get(CHART).expect("the chart's group has been measured");
        fs::write(&file, chart(group, &conditions))
            .unwrap_or_else(|error| panic!("cannot write {}: {error}", file.display()));
    }
}

/// All medians: group, kernel, number of boards, nanoseconds a board.
#[derive(Default)]
struct Results {
    groups: BTreeMap<String, Group>,
    newest: Option<SystemTime>,
}

type Group = BTreeMap<String, BTreeMap<u64, f64>>;

impl Results {
    /// Searches a folder and all below it for what criterion calls new.
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

/// Where, when and with what the figures were made.
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

/// Bars of boards a second, the slowest kernel on top.
fn chart(group: &Group, conditions: &Conditions) -> String {
    const WIDTH: f64 = 860.0;
    const LEFT: f64 = 230.0;
    const LONGEST: f64 = 470.0;
    const TOP: f64 = 96.0;
    const ROW: f64 = 27.0;
    const OURS: &str = "#1f6f8b";
    const THEIRS: &str = "#b9c2c9";

    let size = model_size(group);
    let bars: Vec<(&str, f64)> = by_time(group, size)
        .into_iter()
        .filter_map(|(kernel, times)| Some((kernel, *times.get(&size)?)))
        .collect();
    let fastest = bars.last().expect("a group has kernels").1;
    let scalar = bars.iter().find(|(kernel, _)| *kernel == RIVALS[0]).map(|(_, time)| *time);
    let height = TOP + ROW * bars.len() as f64 + 52.0;

    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="Helvetica, Arial, sans-serif" font-size="13" fill="#24292f">
<rect width="{WIDTH}" height="{height}" rx="8" fill="#ffffff"/>
<text x="24" y="34" font-size="19" font-weight="bold">Slider attacks of whole sets: million boards a second, one core</text>
<text x="24" y="57" fill="#57606a">union of all eight rays, {} boards; × is against {}</text>
<rect x="24" y="70" width="12" height="12" rx="2" fill="{OURS}"/><text x="42" y="80.5">setwise</text>
<rect x="112" y="70" width="12" height="12" rx="2" fill="{THEIRS}"/><text x="130" y="80.5">others</text>
"##,
        thousands(size),
        RIVALS[0],
    );
    for (i, &(kernel, time)) in bars.iter().enumerate() {
        let y = TOP + ROW * i as f64;
        let length = LONGEST * fastest / time;
        let (colour, weight) = if is_ours(kernel) { (OURS, "bold") } else { (THEIRS, "normal") };
        let ratio = scalar.map_or_else(String::new, |scalar| {
            format!(
                r##"<tspan fill="#57606a" font-weight="normal">  {} ×</tspan>"##,
                significant(scalar / time)
            )
        });
        writeln!(
            svg,
            r##"<text x="{}" y="{:.1}" text-anchor="end" font-weight="{weight}">{kernel}</text><rect x="{LEFT}" y="{y:.1}" width="{length:.1}" height="19" rx="2" fill="{colour}"/><text x="{:.1}" y="{:.1}" font-weight="{weight}" xml:space="preserve">{}{ratio}</text>"##,
            LEFT - 10.0,
            y + 14.0,
            LEFT + length + 8.0,
            y + 14.0,
            thousands((1000.0 / time).round() as u64),
        )
        .expect("strings take all");
    }
    let Conditions { processor, date, compiler, command } = conditions;
    let foot = height - 36.0;
    writeln!(
        svg,
        r##"<g font-size="11" fill="#57606a"><text x="24" y="{foot}">{}; {}; {}</text><text x="24" y="{}">{}</text></g>
</svg>"##,
        escape(processor),
        escape(date),
        escape(compiler),
        foot + 16.0,
        escape(command),
    )
    .expect("strings take all");
    svg
}

/// Text as XML wants it.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
