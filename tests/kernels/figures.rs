//! The figures of the README and of the chart are those of `benches/RESULTS.md`.

#[allow(dead_code, reason = "the program that measures needs more of it")]
#[path = "../../benches/ratios/publish.rs"]
mod publish;

use publish::Measured;

const README: &str = include_str!("../../README.md");
const RESULTS: &str = include_str!("../../benches/RESULTS.md");
const CHART: &str = include_str!("../../docs/chart.svg");

/// As in the repository, whatever line ends the checkout has.
fn plain(text: &str) -> String {
    text.replace("\r\n", "\n")
}

#[test]
fn the_readme_and_the_chart_quote_the_results() {
    let results = plain(RESULTS);
    assert_eq!(publish::readme(&results, &plain(README)), plain(README));
    assert!(publish::chart(&results) == plain(CHART), "docs/chart.svg: run `ratios --publish`");
}

#[test]
fn a_figure_goes_from_the_measurement_to_every_document() {
    let times = |times: [(&str, [f64; 3]); 4]| {
        times.map(|(name, times)| (name.to_owned(), times.to_vec())).to_vec()
    };
    // The second round was slow for all, the third for the rival alone.
    let of_unions = times([
        ("kogge-stone-scalar", [7.0, 14.0, 70.0]),
        ("magic-loop", [21.0, 42.0, 21.0]),
        ("avx512-gfni", [0.5, 1.0, 0.5]),
        ("avx2", [2.0, 4.0, 2.0]),
    ]);
    let of_maps = times([
        ("kogge-stone-scalar", [9.0; 3]),
        ("magic-loop", [30.0; 3]),
        ("avx512-gfni", [1.0; 3]),
        ("rows-avx2", [3.0; 3]),
    ]);
    let tables = publish::tables(&[
        Measured { group: "sliders-bulk", times: of_unions },
        Measured { group: "maps-bulk", times: of_maps },
    ]);
    let expected = [
        "| 4,096 boards | `sliders-bulk` | `maps-bulk` |",
        "|---|--:|--:|",
        "| `magic-loop` | 0.33 (1.00) | 0.30 (1.00) |",
        "| `kogge-stone-scalar` | 1.00 (3.0) | 1.00 (3.3) |",
        "| **rows-avx2** | | 3.0 (10) |",
        "| **avx2** | 3.5 (10) | |",
        "| **avx512-gfni** | 14 (42) | 9.0 (30) |",
    ];
    assert_eq!(tables.lines().skip(3).collect::<Vec<_>>(), expected);

    let results = plain(RESULTS);
    let key = "family 26 model 2";
    let section =
        |text: &str| text[text.find(key).unwrap()..].split("\n### ").next().unwrap().to_owned();
    let remarks = |text: &str| section(text).split("#### Remarks").nth(1).unwrap().to_owned();
    let body = format!("2030-01-01, rustc 2, no flags.\n{tables}");
    let new = publish::with_section(&results, key, "another name", &body);
    assert_ne!(section(&new), section(&results));
    assert_eq!(remarks(&new), remarks(&results));
    assert_eq!(new.replace(&section(&new), ""), results.replace(&section(&results), ""));
    assert_eq!(publish::with_section(&new, key, "another name", &body), new);
    let readme = publish::readme(&new, &plain(README));
    assert!(readme.contains("position is 9.0 times as fast as scalar Kogge-Stone"));
    assert!(readme.contains("fills, and 30 times as fast as a loop over magic tables"));
    assert!(readme.lines().any(
        |line| line.starts_with("| union of all sliders' rays |") && line.ends_with("| 42 × |")
    ));
    let chart = publish::chart(&new);
    assert!(
        chart.contains(">14<tspan fill=\"#57606a\" font-weight=\"normal\">  (42)<")
            && chart.contains("2030-01-01")
    );

    // A machine that has no section yet gets the last one, also if another one's number begins with its own.
    let new = publish::with_section(&results, "family 25 model 170", "New", "Nothing.");
    assert!(new.contains("\n### New\n\nNothing.\n\n## What failed"));
    let new = publish::with_section(&results, "family 2", "New", "Nothing.");
    assert!(new.contains("\n### New\n\nNothing.\n\n## What failed"));
    let new =
        publish::with_section(&results, "family 1 model 1", "One (family 1 model 1)", "Nothing.");
    assert!(new.contains("\n### One (family 1 model 1)\n\nNothing.\n\n## What failed"));
    assert_eq!(new.replace("### One (family 1 model 1)\n\nNothing.\n\n", ""), results);
}
