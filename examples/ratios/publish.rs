//! Documents with figures, as they follow from measurements.
//!
//! A run writes the section of its machine in `benches/RESULTS.md`. The table of the README and the chart follow from
//! these sections, so that all three agree; `tests/figures.rs` compares them.

use std::fmt::Write as _;

use setwise::Backend;

/// What the implementations of a group took: their names, and nanoseconds for a board by round.
pub(crate) struct Measured {
    pub(crate) group: &'static str,
    pub(crate) times: Vec<(String, Vec<f64>)>,
}

/// A table of a machine's section: groups beside each other, as multiples of the speed of one rival (and of another).
struct Table {
    head: &'static str,
    rivals: &'static [&'static str],
    groups: &'static [&'static str],
}

const BULK: Table = Table {
    head: "4,096 boards",
    rivals: &["kogge-stone-scalar", "magic-loop"],
    groups: &["sliders-bulk", "rays-bulk", "maps-bulk", "sliced-bulk"],
};
const TABLES: [Table; 6] = [
    BULK,
    Table {
        head: "one position at a time",
        rivals: &["kogge-stone-scalar", "magic-loop"],
        groups: &["position-latency", "position-throughput", "position-sets", "position-maps"],
    },
    Table {
        head: "threats and network inputs",
        rivals: &["magic-loop"],
        groups: &["threats-bulk", "features-bulk", "features-blocks-bulk", "position-threats"],
    },
    Table { head: "a move", rivals: &["relist", "byteboard-avx2"], groups: &["threat-changes"] },
    Table {
        head: "legal moves",
        rivals: &["cozy-chess"],
        groups: &["legal-planes", "legal-targets", "legal-count", "legal-status", "legal-list"],
    },
    Table {
        head: "one queen",
        rivals: &["pext", "line"],
        groups: &[
            "one-slider-queen-throughput",
            "one-slider-queen-latency",
            "one-slider-queen-polluted",
        ],
    },
];

/// The columns of the README's table: where the figures come from.
const README_COLUMNS: [(&str, &str); 2] =
    [("family 25 model 1", "avx2"), ("family 26 model 2", "avx512-gfni")];
/// Its rows.
const README_ROWS: [(&str, &str); 2] =
    [("union of all sliders' rays", "sliders-bulk"), ("sixteen attack maps", "maps-bulk")];
/// The heading under which a section's remarks stand, which a new run leaves alone.
const REMARKS: &str = "#### Remarks";

/// Whether an implementation is this crate's.
pub(crate) fn is_ours(name: &str) -> bool {
    let one = ["inlined", "in-hand-"].iter().any(|prefix| name.starts_with(prefix));
    one || name.strip_prefix("rows-").unwrap_or(name).parse::<Backend>().is_ok()
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The tables of a machine's section.
pub(crate) fn tables(measured: &[Measured]) -> String {
    let mut text = String::new();
    for table in &TABLES {
        let of_group = |name: &&str| measured.iter().find(|measured| measured.group == *name);
        let groups: Vec<&Measured> = table.groups.iter().filter_map(of_group).collect();
        if groups.is_empty() {
            continue;
        }
        let mut names: Vec<&str> = Vec::new();
        for (name, _) in groups.iter().flat_map(|group| &group.times) {
            if !names.contains(&&**name) {
                names.push(name);
            }
        }
        let speed = |name: &str| {
            let mut ratios =
                groups.iter().filter_map(|group| against(group, name, table.rivals[0]));
            ratios.next().unwrap_or(0.0)
        };
        names.sort_by(|a, b| speed(a).total_cmp(&speed(b)));
        let [rival, others @ ..] = table.rivals else { unreachable!("a table has a rival") };
        let brackets =
            others.iter().map(|other| format!(" (and of `{other}`)")).collect::<String>();
        writeln!(text, "\nAs multiples of the speed of `{rival}`{brackets}:\n")
            .expect("it is a string");
        let heads = groups.iter().map(|group| format!(" `{}` |", group.group));
        writeln!(text, "| {} |{}", table.head, heads.collect::<String>()).expect("it is a string");
        writeln!(text, "|---|{}", "--:|".repeat(groups.len())).expect("it is a string");
        for name in names {
            let marks = if is_ours(name) { "**" } else { "`" };
            let cells = groups.iter().map(|group| {
                let ratios = table.rivals.iter().filter_map(|rival| against(group, name, rival));
                match &ratios.map(significant).collect::<Vec<_>>()[..] {
                    [] => " |".to_owned(),
                    [one] => format!(" {one} |"),
                    [one, other, ..] => format!(" {one} ({other}) |"),
                }
            });
            writeln!(text, "| {marks}{name}{marks} |{}", cells.collect::<String>())
                .expect("it is a string");
        }
    }
    text
}

/// How many times as fast as a rival one implementation is: the median of the rounds.
pub(crate) fn against(group: &Measured, name: &str, rival: &str) -> Option<f64> {
    let of = |wanted: &str| group.times.iter().find(|(name, _)| name == wanted);
    let ratios = of(rival)?.1.iter().zip(&of(name)?.1).map(|(rival, time)| rival / time);
    Some(median(ratios.collect()))
}

/// Two significant digits; three from 1 to 2.
pub(crate) fn significant(value: f64) -> String {
    let digits = match value {
        9.95.. => 0,
        1.995.. => 1,
        _ => 2,
    };
    format!("{value:.digits$}")
}

/// RESULTS with a new section of one machine, whose heading contains `key`. If there is none, it gets a heading. Remarks
/// stay.
pub(crate) fn with_section(results: &str, key: &str, heading: &str, body: &str) -> String {
    let body = format!("\n{}\n\n", body.trim());
    let Some(old) = section(results, key) else {
        let end = results.find("## What failed").unwrap_or(results.len());
        return format!("{}### {heading}\n{body}{}", &results[..end], &results[end..]);
    };
    let start = results.len() - results[old.as_ptr() as usize - results.as_ptr() as usize..].len();
    let title = old.lines().next().unwrap_or_default();
    let remarks = old.find(REMARKS).map_or("", |at| &old[at..]);
    format!("{}{title}\n{body}{remarks}{}", &results[..start], &results[start + old.len()..])
}

/// The section of a machine, up to the next heading of its rank or a higher one.
fn section<'a>(results: &'a str, key: &str) -> Option<&'a str> {
    let starts = results.match_indices("\n### ").map(|(at, _)| at + 1);
    let start = starts
        .into_iter()
        .find(|&at| results[at..].lines().next().is_some_and(|line| names(line, key)))?;
    let rest = &results[start..];
    let end = ["\n### ", "\n## "].iter().filter_map(|next| rest.find(next)).min();
    Some(&rest[..end.map_or(rest.len(), |end| end + 1)])
}

/// Whether a heading has a key, and not as the beginning of a longer number: `model 1` is not `model 17`.
fn names(heading: &str, key: &str) -> bool {
    let mut behind = heading.match_indices(key).map(|(at, _)| &heading[at + key.len()..]);
    behind.any(|rest| !rest.starts_with(|next: char| next.is_ascii_digit()))
}

/// The rows of the table of bulk calls in a section: the name, and by group the multiples of both rivals.
fn bulk(section: &str) -> Vec<(String, Vec<Option<[f64; 2]>>)> {
    let cells = |line: &str| -> Vec<String> {
        let cells = line.trim_matches('|').split('|');
        cells.map(|cell| cell.trim().trim_matches(['*', '`']).to_owned()).collect()
    };
    let mut lines =
        section.lines().skip_while(|line| !line.starts_with(&format!("| {} |", BULK.head)));
    let heads = lines.next().map(cells).unwrap_or_default();
    let places = BULK.groups.iter().map(|group| heads.iter().position(|head| head == group));
    let places: Vec<Option<usize>> = places.collect();
    let rows = lines.skip(1).take_while(|line| line.starts_with('|')).map(|line| {
        let cells = cells(line);
        let figures = places.iter().map(|place| {
            let (first, second) = cells.get((*place)?)?.split_once(" (")?;
            Some([first.parse().ok()?, second.trim_end_matches(')').parse().ok()?])
        });
        (cells[0].clone(), figures.collect())
    });
    rows.collect()
}

/// The multiples of both rivals' speed, for a kernel of a machine in a group.
fn figure(results: &str, machine: &str, kernel: &str, group: &str) -> Option<[f64; 2]> {
    let column = BULK.groups.iter().position(|name| *name == group)?;
    let rows = bulk(section(results, machine)?);
    rows.into_iter().find(|(name, _)| name == kernel)?.1[column]
}

/// The README with the figures of RESULTS.
///
/// # Panics
/// If one of the two lacks a place or a figure.
pub(crate) fn readme(results: &str, readme: &str) -> String {
    let mut text = String::new();
    for line in readme.split_inclusive('\n') {
        let row = README_ROWS.iter().find(|(row, _)| line.starts_with(&format!("| {row} |")));
        if let Some((row, group)) = row {
            let cells = README_COLUMNS.map(|(machine, kernel)| {
                let figures = figure(results, machine, kernel, group);
                let [_, magics] =
                    figures.unwrap_or_else(|| panic!("{machine}: {kernel} in {group}"));
                format!(" {} × |", significant(magics))
            });
            writeln!(text, "| {row} |{}", cells.concat()).expect("it is a string");
        } else {
            text += line;
        }
    }
    let (machine, kernel) = README_COLUMNS[1];
    let [scalar, magics] =
        figure(results, machine, kernel, "maps-bulk").expect("the fastest has maps");
    for (before, figure, after) in [
        ("position is ", scalar, " times as fast as scalar Kogge-Stone"),
        ("fills, and ", magics, " times as fast as a loop over magic tables"),
    ] {
        let end = text.find(after).unwrap_or_else(|| panic!("`{after}` is missing"));
        let start = text[..end].rfind(before).unwrap_or_else(|| panic!("`{before}` is missing"))
            + before.len();
        text.replace_range(start..end, &significant(figure));
    }
    text
}

/// A bar for the speed of each kernel, the slowest on top, for the union of rays and for attack maps: of the first machine
/// in RESULTS.
///
/// # Panics
/// If RESULTS has no machine.
pub(crate) fn chart(results: &str) -> String {
    const WIDTH: f64 = 860.0;
    const LEFT: [f64; 2] = [184.0, 524.0];
    const LONGEST: f64 = 230.0;
    const TOP: f64 = 124.0;
    const ROW: f64 = 27.0;
    const OURS: &str = "#1f6f8b";
    const THEIRS: &str = "#b9c2c9";
    const COLUMNS: [(&str, &str); 2] =
        [("union of all eight rays", "sliders-bulk"), ("sixteen attack maps", "maps-bulk")];

    let section = section(results, "(family").expect("a machine has a section");
    let heading = section.lines().next().unwrap_or_default().trim_start_matches("### ");
    let date = section.lines().skip(1).find(|line| !line.is_empty()).unwrap_or_default();
    let date = date.split(',').take(3).collect::<Vec<_>>().join(",");
    let places = COLUMNS.map(|(_, group)| {
        BULK.groups.iter().position(|name| *name == group).expect("it has a column")
    });
    let rows = bulk(section);
    let rows: Vec<_> = rows
        .into_iter()
        .map(|(name, figures)| (name, places.map(|place| figures[place])))
        .collect();
    let fastest = [0, 1].map(|column| {
        rows.iter()
            .filter_map(|(_, figures)| figures[column])
            .map(|[first, _]| first)
            .fold(0.0, f64::max)
    });
    let below = TOP + ROW * rows.len() as f64;
    let height = below + 74.0;
    let [scalar, magics] = [BULK.rivals[0], BULK.rivals[1]];
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="Helvetica, Arial, sans-serif" font-size="13" fill="#24292f">
<rect width="{WIDTH}" height="{height}" rx="8" fill="#ffffff"/>
<text x="24" y="34" font-size="19" font-weight="bold">What sets of pieces attack: speed on one core</text>
<text x="24" y="57" fill="#57606a">{} in a call; multiples of the speed of {scalar} (in brackets: of {magics})</text>
<rect x="24" y="70" width="12" height="12" rx="2" fill="{OURS}"/><text x="42" y="80.5">setwise</text>
<rect x="112" y="70" width="12" height="12" rx="2" fill="{THEIRS}"/><text x="130" y="80.5">others</text>
"##,
        BULK.head,
    );
    for (left, (heading, _)) in LEFT.iter().zip(COLUMNS) {
        writeln!(svg, r#"<text x="{left}" y="{}" font-weight="bold">{heading}</text>"#, TOP - 12.0)
            .expect("it is a string");
    }
    for (i, (kernel, figures)) in rows.iter().enumerate() {
        let y = TOP + ROW * i as f64;
        let (colour, weight) = if is_ours(kernel) { (OURS, "bold") } else { (THEIRS, "normal") };
        writeln!(
            svg,
            r#"<text x="{}" y="{}" text-anchor="end" font-weight="{weight}">{kernel}</text>"#,
            LEFT[0] - 10.0,
            y + 14.0
        )
        .expect("it is a string");
        for (column, figures) in figures.iter().enumerate() {
            let Some([scalar, magics]) = figures else { continue };
            let length = LONGEST * scalar / fastest[column];
            writeln!(
                svg,
                r##"<rect x="{}" y="{y}" width="{length:.1}" height="19" rx="2" fill="{colour}"/><text x="{:.1}" y="{}" font-weight="{weight}" xml:space="preserve">{}<tspan fill="#57606a" font-weight="normal">  ({})</tspan></text>"##,
                LEFT[column],
                LEFT[column] + length + 8.0,
                y + 14.0,
                significant(*scalar),
                significant(*magics),
            )
            .expect("it is a string");
        }
    }
    svg.push_str("<g font-size=\"11\" fill=\"#57606a\">");
    let feet = [
        "magic-loop: what engines do, a lookup in magic tables for each piece in turn; kogge-stone: fills of whole sets.",
        &format!("{heading}; {date}"),
    ];
    for (i, line) in feet.into_iter().enumerate() {
        write!(svg, r#"<text x="24" y="{}">{line}</text>"#, below + 22.0 + 16.0 * i as f64)
            .expect("it is a string");
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}
