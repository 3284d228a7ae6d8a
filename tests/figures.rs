//! The figures of the README are those of `benches/RESULTS.md`.

const README: &str = include_str!("../README.md");
const RESULTS: &str = include_str!("../benches/RESULTS.md");

/// The cells of the first line that begins with some text, behind a place in a document.
fn cells<'a>(document: &'a str, place: &str, row: &str) -> Vec<&'a str> {
    let at = document.find(place).unwrap_or_else(|| panic!("`{place}` is missing"));
    let line = document[at..].lines().find(|line| line.starts_with(row));
    let line = line.unwrap_or_else(|| panic!("`{row}` is missing below `{place}`"));
    line.trim_matches('|').split('|').map(str::trim).skip(1).collect()
}

/// A figure against `magic-loop`, as `3.7 (13)` has it.
fn against_magics(place: &str, kernel: &str, group: &str) -> String {
    let column = cells(RESULTS, place, "| ").iter().position(|cell| *cell == group);
    let cell = cells(RESULTS, place, kernel)[column.expect("the group has a column")];
    let (_, figure) = cell.split_once('(').expect("two figures");
    format!("{} ×", figure.trim_end_matches(')'))
}

#[test]
fn the_readme_quotes_the_results() {
    let zen3 = "### AMD EPYC (family 25 model 1, Zen 3)";
    let zen5 = "### AMD EPYC (family 26 model 2, Zen 5), two shared cores: boards in bulk";
    for (row, group) in
        [("| union of all sliders", "`sliders-bulk`"), ("| sixteen attack maps", "`maps-bulk`")]
    {
        let quoted = cells(README, "Speed against a loop", row);
        let expected = [
            against_magics(zen3, "| **avx2**", group),
            against_magics(zen5, "| **avx512-gfni**", group),
        ];
        assert_eq!(quoted, expected, "{row}");
    }
}
