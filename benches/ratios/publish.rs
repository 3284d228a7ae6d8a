//! The published figures.
//!
//! A run writes a CSV file for its machine, `benches/results/NAME.csv`, with the speed of each implementation as a
//! multiple of the speed of the first in its group. The tables of RESULTS.md and README.md, and the chart, are
//! generated from these files; `tests/kernels/figures.rs` checks that they match. Each file contains a hash of the
//! kernels' sources. Files whose hash differs from that of the current sources are not quoted.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use setwise::Backend;

/// The figures of a machine.
#[derive(Default)]
pub(crate) struct Machine {
    /// The processor, such as `AMD EPYC (family 25 model 1, Zen 3)`.
    pub(crate) name: String,
    /// The date, the compiler, the flags and the command.
    pub(crate) run: String,
    /// The measured commit.
    pub(crate) commit: String,
    /// The hash of the sources at that commit, by [`kernels`].
    pub(crate) kernels: String,
    /// The group, the implementation, and its speed as a multiple of the group's first implementation.
    pub(crate) speeds: Vec<(String, String, f64)>,
}

/// The questions in the tables: groups and their descriptions.
const QUESTIONS: [(&str, &str); 15] = [
    ("sliders-bulk", "union of all sliders' rays"),
    ("rays-bulk", "the eight rays"),
    ("maps-bulk", "sixteen attack maps"),
    ("sliced-bulk", "union, boards already sliced"),
    ("position-throughput", "union of one position, throughput"),
    ("position-latency", "union of one position, latency"),
    ("position-maps", "sixteen maps of one position"),
    ("threats-bulk", "threats"),
    ("features-bulk", "network inputs of threats"),
    ("threat-changes", "threats changed by a move"),
    ("legal-planes", "legal moves as 73 planes"),
    ("legal-count", "number of legal moves"),
    ("legal-list", "legal moves listed at a node"),
    ("successors", "all successors, with their states"),
    (PYTHON, "sixteen attack maps in Python, against Kogge-Stone in numpy"),
];
/// The calls of one position: the call, the usual loop, the group, and that loop's implementation.
const CALLS: [(&str, &str, &str, &str); 14] = [
    (
        "`pinned`",
        "sliders on the king's empty lines, a table of squares between",
        "call-pinned",
        "usual-loop",
    ),
    ("`checkers`", "magics from the king's square", "call-checkers", "usual-loop"),
    ("`attackers` of one square", "magics from the square", "call-attackers", "usual-loop"),
    ("`all_attackers` of one square", "the same", "call-all-attackers", "usual-loop"),
    ("`see`", "magics after each capture", "call-see", "usual-loop"),
    ("`attacked`", "magics for each piece", "call-attacked", "usual-loop"),
    (
        "`king_facts`",
        "the loops of `checkers`, `pinned` and `attacked`",
        "call-king-facts",
        "usual-loop",
    ),
    ("`attacks_by`", "magics for each piece of one side", "call-attacks-by", "usual-loop"),
    ("`attacks`", "magics for each piece of both sides", "position-maps", "magic-loop"),
    ("`slider_attacks`", "magics for each slider", "position-throughput", "magic-loop"),
    ("`write_moves`", "cozy-chess, into a list", "legal-list", "cozy-chess"),
    ("`count_moves`", "cozy-chess", "legal-count", "cozy-chess"),
    (
        "`play`",
        "cozy-chess, which also updates its key, pins and checkers",
        "call-play",
        "usual-loop",
    ),
    ("`threat_changes`", "a byteboard with AVX2", "threat-changes", "byteboard-avx2"),
];
/// The group that `bindings/python/bench/bench.py --publish` adds to the file of a machine.
const PYTHON: &str = "python-maps";
/// The questions that are compared with a plain copy: description, group on boards in the cache, group in memory.
const WALLS: [(&str, &str, &str); 2] =
    [("unions take", "sliders-bulk", "memory"), ("sixteen maps", "maps-bulk", "memory-maps")];
/// The groups in the README, which are quoted with AVX2 only and with all instructions of the processor.
const IN_README: [&str; 3] = ["sliders-bulk", "maps-bulk", PYTHON];
/// The lines between which a document's figures are generated.
const BEGIN: &str = "<!-- figures: written by `ratios --publish` -->\n";
const END: &str = "<!-- end of figures -->\n";
/// The measured sources: folders and files.
const KERNELS: [&str; 10] = [
    "src/backend",
    "src/boards",
    "src/bulk",
    "src/eval",
    "src/instructions",
    "src/instructions.rs",
    "src/legal",
    "src/line.rs",
    "src/position.rs",
    "crates/nnue/src",
];

/// Returns whether an implementation is part of this project.
pub(crate) fn is_ours(name: &str) -> bool {
    let one = ["inlined", "in-hand-", "one-by-one", "attacks"]
        .iter()
        .any(|prefix| name.starts_with(prefix));
    one || name.strip_prefix("rows-").unwrap_or(name).parse::<Backend>().is_ok()
}

/// Returns what documents call one of our implementations: a backend, perhaps with a call per row.
fn shown(name: &str) -> (&str, &str) {
    name.strip_prefix("rows-").map_or((name, ""), |backend| (backend, ", row by row"))
}

/// Returns whether the table of calls quotes a group.
pub(crate) fn is_quoted_call(group: &str) -> bool {
    CALLS.iter().any(|(_, _, of, _)| *of == group)
}

/// Returns whether a rival uses lookup tables.
fn is_table(name: &str) -> bool {
    name.starts_with("magic-") || name.starts_with("pext-")
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Formats a value with two significant digits, or with three between 1 and 2.
pub(crate) fn significant(value: f64) -> String {
    let digits = match value {
        9.95.. => 0,
        1.995.. => 1,
        _ => 2,
    };
    format!("{value:.digits$}")
}

/// The speed as a multiple of another implementation's speed: the median over the rounds.
pub(crate) fn speed(of_other: &[f64], times: &[f64]) -> f64 {
    median(of_other.iter().zip(times).map(|(other, time)| other / time).collect())
}

impl Machine {
    /// Copies Python's figures from an earlier run if it measured the same kernels.
    pub(crate) fn keep_python(&mut self, earlier: Self) {
        if earlier.kernels == self.kernels {
            self.speeds.extend(earlier.speeds.into_iter().filter(|(group, ..)| group == PYTHON));
        }
    }

    /// Formats the figures as the machine's file.
    pub(crate) fn to_csv(&self) -> String {
        let Self { name, run, commit, kernels, speeds } = self;
        let mut text = format!(
            "# {name}\n# {run}\n# commit {commit}\n# kernels {kernels}\ngroup,implementation,speed\n"
        );
        for (group, name, speed) in speeds {
            writeln!(text, "{group},{name},{speed:.3}").expect("it is a string");
        }
        text
    }

    /// Parses the file of a machine.
    ///
    /// # Panics
    /// If the text is not a machine's file.
    pub(crate) fn of_csv(text: &str) -> Self {
        let mut lines = text.lines();
        let mut next = |prefix| {
            let line = lines.next().and_then(|line| line.strip_prefix(prefix));
            line.unwrap_or_else(|| panic!("a line with `{prefix}` is missing")).to_owned()
        };
        let (name, run) = (next("# "), next("# "));
        let (commit, kernels) = (next("# commit "), next("# kernels "));
        next("group,implementation,speed");
        let cell = |line: &str| {
            let [group, name, speed] = line.split(',').collect::<Vec<_>>()[..] else {
                panic!("three cells: {line}")
            };
            (group.to_owned(), name.to_owned(), speed.parse().expect("a number"))
        };
        Self { name, run, commit, kernels, speeds: lines.map(cell).collect() }
    }

    /// The fastest implementation of a group among those that `among` selects.
    fn fastest(&self, group: &str, among: impl Fn(&str) -> bool) -> Option<(&str, f64)> {
        let of_group = self.speeds.iter().filter(|(of, name, _)| of == group && among(name));
        let fastest = of_group.max_by(|a, b| a.2.total_cmp(&b.2))?;
        Some((&fastest.1, fastest.2))
    }

    /// Our fastest kernel for a question, with its speed as a multiple of those of the best rival and of the best rival
    /// with tables. Unless `avx512` is true, implementations that need AVX-512 are ignored.
    fn answer(&self, group: &str, avx512: bool) -> Option<Answer<'_>> {
        let allowed = |name: &str| avx512 || !name.contains("avx512");
        let (ours, speed) = self.fastest(group, |name| is_ours(name) && allowed(name))?;
        // The copy computes nothing.
        let real = |name: &str| !is_ours(name) && name != "copy" && allowed(name);
        let against = |(name, rival): (&'_ str, f64)| (name.to_owned(), speed / rival);
        let rival = self.fastest(group, |name| real(name) && !is_table(name)).map(against);
        let table = self.fastest(group, |name| real(name) && is_table(name)).map(against);
        Some(Answer { ours, rival, table })
    }

    /// The answers to a question: without and with AVX-512 if these differ and are quoted, otherwise one.
    fn answers(&self, group: &str) -> impl Iterator<Item = Answer<'_>> {
        let best = self.answer(group, true);
        let narrow = self.answer(group, false).filter(|narrow| {
            IN_README.contains(&group) && best.as_ref().is_some_and(|best| best.ours != narrow.ours)
        });
        narrow.into_iter().chain(best)
    }

    /// The time of our fastest kernel as a multiple of the time of a loop that copies the same number of bytes.
    fn of_copy(&self, group: &str) -> Option<f64> {
        Some(self.fastest(group, |name| name == "copy")?.1 / self.fastest(group, is_ours)?.1)
    }
}

struct Answer<'a> {
    ours: &'a str,
    rival: Option<(String, f64)>,
    table: Option<(String, f64)>,
}

/// The machines that have measured the current kernels, in the order of their files' names.
pub(crate) fn machines(root: &Path) -> io::Result<Vec<Machine>> {
    let kernels = kernels(root)?;
    let mut paths = fs::read_dir(root.join("benches/results"))?
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    let files = paths.iter().filter(|path| path.extension().is_some_and(|end| end == "csv"));
    let machines = files.map(|path| Ok(Machine::of_csv(&fs::read_to_string(path)?)));
    let machines = machines.collect::<io::Result<Vec<_>>>()?;
    Ok(machines.into_iter().filter(|machine| machine.kernels == kernels).collect())
}

/// A hash (FNV) of the kernels' sources, without comments and white space.
pub(crate) fn kernels(root: &Path) -> io::Result<String> {
    let mut files = Vec::new();
    for path in KERNELS {
        collect(&root.join(path), &mut files)?;
    }
    files.sort();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for file in files {
        for line in fs::read_to_string(file)?.lines() {
            let code = line.split("//").next().unwrap_or_default();
            for byte in code.bytes().filter(|byte| !byte.is_ascii_whitespace()) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }
    Ok(format!("{hash:016x}"))
}

fn collect(path: &Path, files: &mut Vec<std::path::PathBuf>) -> io::Result<()> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            collect(&entry?.path(), files)?;
        }
    } else if path.extension().is_some_and(|end| end == "rs") {
        files.push(path.to_owned());
    }
    Ok(())
}

/// The table of calls for one position: their time as a multiple of the usual loop's, inlined and by kernel. Groups that
/// were not measured are left out.
pub(crate) fn calls(machine: &Machine) -> String {
    let mut table =
        String::from("| call | the usual loop | inlined | by kernel |\n|---|---|--:|--:|\n");
    for (call, usual, group, rival) in CALLS {
        let Some((_, loops)) = machine.fastest(group, |name| name == rival) else { continue };
        let [inlined, by_kernel] = ["inlined", "in-hand"].map(|way| {
            let fastest = machine.fastest(group, |name| name.starts_with(way));
            fastest.map_or(String::new(), |(_, speed)| match loops / speed {
                time @ 1.005.. => format!("{}, **do not**", significant(time)),
                time => significant(time),
            })
        });
        writeln!(table, "| {call} | {usual} | {inlined} | {by_kernel} |").expect("it is a string");
    }
    table
}

/// Formats a ratio and the name of the other implementation.
fn multiple(against: Option<(String, f64)>) -> String {
    against.map_or(String::new(), |(name, ratio)| format!("{} × `{name}`", significant(ratio)))
}

/// Returns RESULTS with a table for each machine.
pub(crate) fn results(text: &str, machines: &[Machine]) -> String {
    let mut tables = String::new();
    for machine in machines {
        let Machine { name, run, commit, .. } = machine;
        write!(
            tables,
            "\n### {name}\n\n{run}, commit {commit}.\n\n| | fastest here | best rival | best tables |\n|---|---|--:|--:|\n"
        )
        .expect("it is a string");
        for (group, question) in QUESTIONS {
            for Answer { ours, rival, table } in machine.answers(group) {
                let (rival, table) = (multiple(rival), multiple(table));
                let (ours, rows) = shown(ours);
                writeln!(
                    tables,
                    "| {question} (`{group}`) | **{ours}**{rows} | {rival} | {table} |"
                )
                .expect("it is a string");
            }
        }
        if machine.speeds.iter().any(|(group, ..)| group.starts_with("call-")) {
            write!(
                tables,
                "\nThe time of a call for one position as a multiple of the usual loop's:\n\n{}",
                calls(machine)
            )
            .expect("it is a string");
        }
        let walls = WALLS.map(|(question, cache, memory)| {
            let [cache, memory] = [cache, memory].map(|group| machine.of_copy(group));
            let [cache, memory] = [significant(cache?), significant(memory?)];
            Some(format!("{question} {cache} × from the cache and {memory} × from memory"))
        });
        let walls: Vec<_> = walls.into_iter().flatten().collect();
        if !walls.is_empty() {
            let walls = walls.join(", ");
            writeln!(tables, "\nThe time of a loop that copies as many bytes: {walls}.")
                .expect("it is a string");
        }
    }
    tables.push('\n');
    between(text, &tables)
}

/// Returns the README with its table.
pub(crate) fn readme(text: &str, machines: &[Machine]) -> String {
    let mut table = String::from("| | Kogge-Stone, same instructions | tables |\n|---|--:|--:|\n");
    for group in IN_README {
        let (_, question) = QUESTIONS.iter().find(|(name, _)| *name == group).expect("a question");
        for machine in machines {
            let processor = machine.name.rsplit([',', '(']).next().unwrap_or_default();
            let processor = processor.trim().trim_end_matches(')');
            for Answer { ours, rival, table: tables } in machine.answers(group) {
                let [rival, tables] = [rival, tables].map(|against| {
                    against.map_or(String::new(), |(_, ratio)| format!("{} ×", significant(ratio)))
                });
                let (ours, rows) = shown(ours);
                writeln!(table, "| {question}, `{ours}`{rows}, {processor} | {rival} | {tables} |")
                    .expect("it is a string");
            }
        }
    }
    between(text, &table)
}

/// Replaces the figures between the marks of a document.
///
/// # Panics
/// If a mark is missing.
fn between(text: &str, figures: &str) -> String {
    let (before, rest) = text.split_once(BEGIN).expect("the mark before the figures");
    let (_, after) = rest.split_once(END).expect("the mark after the figures");
    format!("{before}{BEGIN}{figures}{END}{after}")
}

/// Draws a row per question with a dot per machine, on a logarithmic scale: the speed of our fastest kernel as a multiple
/// of the best rival's speed.
pub(crate) fn chart(machines: &[Machine]) -> String {
    const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
    const LEFT: f64 = 230.0;
    const WIDTH: f64 = 280.0;
    const ROW: f64 = 26.0;
    let coloured = || machines.iter().zip(COLOURS.into_iter().cycle());
    let rivals = |group| {
        let of = move |(machine, colour): (&'_ Machine, _)| {
            let (rival, ratio) = machine.answer(group, true)?.rival?;
            let algorithm = rival.split("-avx").next()?.trim_end_matches("-scalar").to_owned();
            Some((ratio, algorithm, colour))
        };
        coloured().filter_map(of).collect::<Vec<_>>()
    };
    let questions = QUESTIONS.iter().filter(|(group, _)| *group != PYTHON);
    let all =
        questions.clone().flat_map(|(group, _)| rivals(group)).map(|(ratio, ..)| ratio.log2());
    let (low, high) = all.fold((-1.0_f64, 1.0_f64), |(low, high), at| (low.min(at), high.max(at)));
    let (low, high) = (low.floor(), high.ceil());
    let x = |ratio: f64| LEFT + WIDTH * (ratio.log2() - low) / (high - low);
    let mut rows = String::new();
    let mut y = 54.0;
    for (machine, colour) in coloured() {
        let (left, name) = (LEFT + 5.0, &machine.name);
        let dot = format!(r#"<circle cx="{left}" cy="{y}" r="5" fill="{colour}"/>"#);
        writeln!(rows, r#"{dot}<text x="{}" y="{}">{name}</text>"#, left + 12.0, y + 4.0)
            .expect("it is a string");
        y += 18.0;
    }
    let top = y + 8.0;
    y = top + ROW;
    for (group, question) in questions {
        let mut rivals = rivals(group);
        rivals.sort_by(|a, b| a.0.total_cmp(&b.0));
        let ([(least, ..), ..], [.., (most, ..)]) = (&rivals[..], &rivals[..]) else { continue };
        let (from, to) = (x(*least), x(*most));
        let [least, most] = [least, most].map(|ratio| significant(*ratio));
        let range = if least == most { least } else { format!("{least} to {most}") };
        let mut names: Vec<_> = rivals.iter().map(|(_, name, _)| &**name).collect();
        names.sort_unstable();
        names.dedup();
        let (text, names) = (y + 4.0, names.join(", "));
        write!(
            rows,
            r##"<text x="{}" y="{text}" text-anchor="end">{question}</text><path d="M{from:.1} {y}H{to:.1}" stroke="#b9c2c9" stroke-width="2"/><text x="{}" y="{text}">{range} <tspan fill="#57606a">× {names}</tspan></text>"##,
            LEFT - 14.0,
            LEFT + WIDTH + 14.0,
        )
        .expect("it is a string");
        for (ratio, _, colour) in rivals {
            let x = x(ratio);
            write!(
                rows,
                r#"<circle cx="{x:.1}" cy="{y}" r="5" fill="{colour}" fill-opacity="0.85"/>"#
            )
            .expect("it is a string");
        }
        rows.push('\n');
        y += ROW;
    }
    let ticks = (low as i32..=high as i32).map(|power| {
        let tick = f64::from(power).exp2();
        let (x, colour) = (x(tick), if tick == 1.0 { "#57606a" } else { "#e4e8eb" });
        format!(
            "<path d=\"M{x:.1} {}V{y}\" stroke=\"{colour}\"/><text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"#57606a\">{tick} ×</text>\n",
            top + 10.0,
            top + 4.0,
        )
    });
    let (ticks, height) = (ticks.collect::<String>(), y + 8.0);
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 {height}" font-family="Helvetica, Arial, sans-serif" font-size="12" fill="#24292f">
<rect width="800" height="{height}" rx="8" fill="#ffffff"/>
<text x="24" y="30" font-size="17" font-weight="bold">Speed of setwise as a multiple of the best rival's</text>
<text x="24" y="52" fill="#57606a">One core; rivals compiled for</text>
<text x="24" y="67" fill="#57606a">the same instructions, cozy-</text>
<text x="24" y="82" fill="#57606a">chess for any x86-64.</text>
{ticks}{rows}</svg>
"##
    )
}
