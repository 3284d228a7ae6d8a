//! Positions per second of one thread: bullet's reader and inputs, and setwise's loader with shuffle and sampling.
//!
//!     cargo run --release --example speed FILE.binpack

use std::time::Instant;

use bullet_lib::game::inputs::{Chess768, SparseInputType};
use bullet_lib::value::loader::{LoadableDataType, SfBinpackLoader};
use bullet_trainer::model::{ModelInputs, ModelInputsMapper};
use bullet_trainer::reader::ReadMapLoader;
use bullet_trainer::run::{DataLoader, Step};
use setwise_bullet::SetwiseLoader;
use setwise_loader::Options;
use setwise_nnue::{FeatureBlock, FeatureSet, PieceSquareInputs};
use setwise_table::{OnMissing, SamplingOptions};

const BATCH: usize = 16_384;

fn measure(name: &str, batches: usize, loader: impl DataLoader) -> f64 {
    // The first batch waits for the buffer, which takes the time of its share.
    let (start, mut taken) = (Instant::now(), 0);
    let run = loader.map_batches(Step::new(1, 0, 1, batches), BATCH, |_| {
        taken += 1;
        taken == batches
    });
    run.expect("valid rows");
    let speed = (batches * BATCH) as f64 / start.elapsed().as_secs_f64() / 1e6;
    println!("{name}: {speed:.3} million positions per second");
    speed
}

fn bullet(path: &str) -> impl DataLoader {
    let inputs = ModelInputs::default()
        .add_sparse("stm", (768, 1), 32)
        .add_sparse("nstm", (768, 1), 32)
        .add_dense("targets", (1, 1));
    let mapper = ModelInputsMapper::build(&inputs, |board, _, ((stm, nstm), targets)| {
        let mut count = 0;
        Chess768.map_features(board, |own, other| {
            (stm[count], nstm[count]) = (own as i32, other as i32);
            count += 1;
        });
        if count < 32 {
            (stm[count], nstm[count]) = (-1, -1);
        }
        targets[0] = 1.0 / (1.0 + (-f32::from(LoadableDataType::score(board)) / 400.0).exp());
    });
    ReadMapLoader::new(SfBinpackLoader::new(path, 64, 1, |_| true), mapper, 1)
}

fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let block = FeatureBlock::piece_square(PieceSquareInputs::ALL_768);
    let set: &FeatureSet =
        Box::leak(Box::new(FeatureSet::new("chess768", &[block]).expect("a set")));
    let mut options = Options::new([&path]);
    (options.features, options.threads, options.shuffle) = (Some(set), Some(1), 1 << 20);
    options.on_missing = Some(OnMissing::Skip);
    let mut sampled = options.clone();
    sampled.sampling = Some(SamplingOptions {
        ply: Some(vec![(0.0, 0.1), (20.0, 1.0)]),
        pieces: Some(vec![(0.0, 0.0), (8.0, 0.4), (16.0, 1.0), (24.0, 1.0), (32.0, 0.75)]),
        max_skipped: 0.975,
        ..SamplingOptions::default()
    });
    let loader = |options: &Options| SetwiseLoader::new(options.clone()).expect("a feature set");
    for _ in 0..3 {
        let theirs = measure("bullet's reader and inputs", 256, bullet(&path));
        let ours = measure("setwise, shuffled", 256, loader(&options));
        let filtered = measure("setwise, shuffled and sampled", 64, loader(&sampled));
        println!("{:.2} and {:.2} times bullet", ours / theirs, filtered / theirs);
    }
}
