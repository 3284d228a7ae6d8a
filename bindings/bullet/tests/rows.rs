//! Compares batches with those of bullet's own loader and inputs, as sets.

use std::path::Path;

use bullet_compiler::tensor::TValue;
use bullet_lib::game::inputs::{Chess768, SparseInputType};
use bullet_lib::value::loader::{LoadableDataType, SfBinpackLoader};
use bullet_trainer::reader::DataReader;
use bullet_trainer::run::{DataLoader, Step};
use setwise_bullet::{SetInputs, SetwiseLoader};
use setwise_loader::{Loader, Options};
use setwise_nnue::{FeatureBlock, FeatureSet, PieceSquareInputs};
use setwise_table::OnMissing;

/// The inputs of both sides in ascending order, and the target.
type Key = ([Vec<i32>; 2], u32);

fn options(features: &'static FeatureSet) -> Options {
    let games =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/formats/tests/data/games.binpack");
    let mut options = Options::new([games]);
    options.features = Some(features);
    // Without scores that bullet cannot negate, and missing ones.
    options.conditions = vec!["score > -20000 and score < 20000".to_owned()];
    options.on_missing = Some(OnMissing::Null);
    options
}

fn chess768() -> &'static FeatureSet {
    let block = FeatureBlock::piece_square(PieceSquareInputs::ALL_768);
    Box::leak(Box::new(FeatureSet::new("chess768", &[block]).expect("a set")))
}

fn rows() -> usize {
    let batches = Loader::open(options(chess768())).expect("the games");
    batches.map(|batch| batch.expect("valid rows").rows.len()).sum()
}

/// The rows of some batches.
fn of_batches(loader: SetwiseLoader, batch_size: usize, batches: usize) -> Vec<Vec<Key>> {
    let (width, mut all) = (loader.width(), Vec::new());
    let start = Step::new(1, 0, 1, batches);
    let taken = loader.map_batches(start, batch_size, |batch| {
        let ints = |name: &str| match &batch.inputs[name] {
            TValue::I32(values) => values.clone(),
            TValue::F32(_) => panic!("{name}"),
        };
        let TValue::F32(targets) = &batch.inputs["targets"] else { panic!("targets") };
        let (stm, nstm) = (ints("stm"), ints("nstm"));
        let active = |inputs: &[i32], row: usize| {
            let mut inputs: Vec<i32> = inputs[row * width..(row + 1) * width]
                .iter()
                .copied()
                .take_while(|input| *input >= 0)
                .collect();
            inputs.sort_unstable();
            inputs
        };
        let key = |row| ([active(&stm, row), active(&nstm, row)], targets[row].to_bits());
        all.push((0..batch_size).map(key).collect());
        all.len() == batches
    });
    taken.expect("valid rows");
    all
}

#[test]
fn rows_are_those_of_bullets_loader() {
    let rows = rows();
    let games =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/formats/tests/data/games.binpack");
    let mut own =
        SetwiseLoader::new(Options { shuffle: 5000, ..options(chess768()) }).expect("a set");
    own.wdl = 0.3;
    let [found] = &of_batches(own, rows, 1)[..] else { panic!("one batch") };
    // Bullet's reader repeats the file until its buffer is full, here of 32 bytes a position.
    let bullet = SfBinpackLoader::new(games.to_str().expect("a path"), 1, 1, |entry| {
        entry.score > -20000 && entry.score < 20000
    });
    let mut expected = Vec::new();
    let mut all = Vec::new();
    bullet.read_chunks(0, |boards| {
        all.extend_from_slice(boards);
        true
    });
    for board in &all {
        let (mut stm, mut nstm) = (Vec::new(), Vec::new());
        Chess768.map_features(board, |own, other| {
            stm.push(own as i32);
            nstm.push(other as i32);
        });
        stm.sort_unstable();
        nstm.sort_unstable();
        let (mut own_stm, mut own_nstm) = (Vec::new(), Vec::new());
        SetInputs { set: chess768(), width: 32 }.map_features(board, |own, other| {
            own_stm.push(own as i32);
            own_nstm.push(other as i32);
        });
        own_stm.sort_unstable();
        own_nstm.sort_unstable();
        assert_eq!((&own_stm, &own_nstm), (&stm, &nstm));
        let score = 1.0 / (1.0 + (-f32::from(board.score()) / 400.0).exp());
        let target = 0.3 * (f32::from(board.result() as u8) / 2.0) + 0.7 * score;
        expected.push(([stm, nstm], target.to_bits()));
    }
    let mut found = found.clone();
    found.sort_unstable();
    found.dedup();
    expected.sort_unstable();
    expected.dedup();
    assert!(found.len() > 1000);
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found.0, expected.0);
        assert!((f32::from_bits(found.1) - f32::from_bits(expected.1)).abs() < 1e-6);
    }
}

#[test]
fn training_continues_at_every_tenth_batch() {
    // The schedule decides how many batches there are.
    let options = Options { shuffle: 3000, one_in: 2, batches: Some(2), ..options(chess768()) };
    let loader = SetwiseLoader::new(options).expect("a set");
    let states = loader.states();
    let all = of_batches(loader.clone(), 100, 60);
    let states: Vec<_> = (0..60).map(|done| states.after(done)).collect();
    for done in (10..60).step_by(10) {
        let state = states[done].clone().expect("a state");
        assert_eq!(of_batches(loader.clone().resume(state), 100, 60 - done), all[done..], "{done}");
    }
    let start = Step::new(2, 0, 3, 20); // without a state, the first superbatch is skipped
    let mut first = None;
    let taken = loader.map_batches(start, 100, |batch| {
        first = batch.inputs.get("stm").cloned();
        true
    });
    assert!(taken.is_ok() && first.is_some());
}

#[test]
fn files_without_a_label_are_refused() {
    let mut options = options(chess768());
    let bare = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample.epd");
    options.paths.push(bare.into());
    let loader = SetwiseLoader::new(options).expect("a set");
    let error = loader.map_batches(Step::new(1, 0, 1, 1), 100, |_| true).expect_err("no labels");
    let found = format!("{error:?}");
    assert!(found.contains("sample.epd: it has no score (`labels`)"), "{found}");
}
