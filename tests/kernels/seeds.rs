//! Replays the seeds of the fuzz targets, so that every run checks the inputs that fuzzing found.

use crate::common::{oracles, seeds};
use setwise::Fen;

#[test]
fn lines() {
    for (name, line) in seeds::seeds("fen") {
        oracles::fen(&line);
        assert_eq!(Fen::parse(&line).is_err(), name.starts_with("wrong-"), "{name}");
    }
}

#[test]
fn sliders() {
    for (_, bytes) in seeds::seeds("sliders") {
        let [occupied, orthogonal, diagonal] = &seeds::columns(&bytes);
        oracles::sliders([occupied, orthogonal, diagonal]);
    }
}

#[test]
fn columns() {
    for (_, bytes) in seeds::seeds("columns") {
        oracles::columns(&seeds::positions(&bytes));
    }
}
