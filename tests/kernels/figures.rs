//! Checks that the figures in the README, RESULTS and the chart come from `benches/results`, from machines that
//! measured today's kernels. After a change of kernels, `SETWISE_WRITE=1 cargo test figures` removes the other figures.

#[allow(dead_code, reason = "the program that measures needs more of it")]
#[path = "../../benches/ratios/publish.rs"]
mod publish;

use std::fs;
use std::path::Path;

use publish::Machine;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A document with LF line ends, whatever the checkout uses.
fn document(name: &str) -> String {
    fs::read_to_string(root().join(name)).expect(name).replace("\r\n", "\n")
}

#[test]
fn the_documents_quote_the_measurements() {
    let machines = publish::machines(root()).expect("benches/results");
    let results = publish::results(&document("benches/RESULTS.md"), &machines);
    for (name, written) in [
        ("benches/RESULTS.md", results),
        ("README.md", publish::readme(&document("README.md"), &machines)),
        ("docs/chart.svg", publish::chart(&machines)),
    ] {
        if std::env::var_os("SETWISE_WRITE").is_some() {
            fs::write(root().join(name), written).expect(name);
        } else {
            assert!(written == document(name), "{name}: SETWISE_WRITE=1 cargo test figures");
        }
    }
}

#[test]
fn readme_figures_stand_in_the_table_only() {
    let readme = document("README.md");
    let (before, rest) = readme.split_once("<!-- figures").expect("the mark before the figures");
    let (_, after) =
        rest.split_once("<!-- end of figures -->").expect("the mark after the figures");
    for text in [before, after] {
        let multiples = [" ×", " times as fast", " % faster"];
        let found = multiples.iter().find(|multiple| text.contains(**multiple));
        assert_eq!(found, None, "a figure without a source");
    }
}

#[test]
fn a_figure_goes_from_the_measurement_to_every_document() {
    // The second round was slow for all, the third only for the first rival.
    let first = [7.0, 14.0, 70.0];
    let speeds = [
        ("kogge-stone-scalar", first),
        ("magic-loop", [21.0, 42.0, 21.0]),
        ("kogge-stone-avx2", [4.0, 8.0, 4.0]),
        ("avx2", [2.0, 4.0, 2.0]),
    ];
    let speeds = speeds.map(|(name, times)| {
        ("sliders-bulk".to_owned(), name.to_owned(), publish::speed(&first, &times))
    });
    let machine = Machine {
        name: "Some (family 1 model 2, New)".into(),
        run: "2030-01-01".into(),
        commit: "abc".into(),
        kernels: "0".into(),
        speeds: speeds.to_vec(),
    };
    let csv = machine.to_csv();
    assert!(csv.contains("\nsliders-bulk,magic-loop,0.333\n") && csv.ends_with("avx2,3.500\n"));
    let machines = [Machine::of_csv(&csv)];
    assert_eq!(machines[0].to_csv(), csv);
    let results = publish::results(&document("benches/RESULTS.md"), &machines);
    assert!(results.contains(
        "| union of all sliders' rays (`sliders-bulk`) | **avx2** | 2.0 × `kogge-stone-avx2` | 11 × `magic-loop` |\n"
    ));
    assert!(results.contains("### Some (family 1 model 2, New)\n\n2030-01-01, commit abc.\n"));
    let readme = publish::readme(&document("README.md"), &machines);
    assert!(readme.contains("| union of all sliders' rays, `avx2`, New | 2.0 × | 11 × |\n"));
    assert!(publish::chart(&machines).contains(">2.0 <tspan fill=\"#57606a\">× kogge-stone<"));
}
