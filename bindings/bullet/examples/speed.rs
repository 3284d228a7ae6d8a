//! Positions per second of bullet's reader and inputs, and of setwise's loader with shuffle and sampling. The medians of
//! several rounds in turns; run it on one core.
//!
//!     cargo build --release --example speed
//!     taskset -c 0 target/release/examples/speed FILE.binpack

use std::time::Instant;

use bullet_lib::game::inputs::{Chess768, SparseInputType};
use bullet_lib::value::loader::sfbinpack::{MoveType, PieceType, TrainingDataEntry};
use bullet_lib::value::loader::{LoadableDataType, SfBinpackLoader};
use bullet_trainer::model::{ModelInputs, ModelInputsMapper};
use bullet_trainer::reader::ReadMapLoader;
use bullet_trainer::run::{DataLoader, Step};
use setwise_bullet::SetwiseLoader;
use setwise_loader::{Loader, Options};
use setwise_nnue::{FeatureBlock, FeatureSet, PieceSquareInputs};
use setwise_table::{OnMissing, SamplingOptions};

const BATCH: usize = 16_384;

/// The rows of both shuffle buffers, few in relation to those that are read: bullet fills the next buffer in advance.
const BUFFER: usize = 1 << 17;

/// Returns millions of positions per second.
fn measure(batches: usize, loader: impl DataLoader) -> f64 {
    let (start, mut taken) = (Instant::now(), 0);
    let run = loader.map_batches(Step::new(1, 0, 1, batches), BATCH, |_| {
        taken += 1;
        taken == batches
    });
    run.expect("valid rows");
    (batches * BATCH) as f64 / start.elapsed().as_secs_f64() / 1e6
}

/// Bullet's loader, with the inputs and the target of each position.
fn bullet(
    path: &str,
    filter: impl Fn(&TrainingDataEntry) -> bool + Clone + Send + Sync + 'static,
) -> impl DataLoader {
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
    // A megabyte has 2^14 positions.
    ReadMapLoader::new(SfBinpackLoader::new(path, BUFFER >> 14, 1, filter), mapper, 1)
}

/// The filter that bullet's examples have.
fn is_quiet(entry: &TrainingDataEntry) -> bool {
    entry.ply >= 16
        && !entry.pos.is_checked(entry.pos.side_to_move())
        && entry.score.unsigned_abs() <= 10_000
        && matches!(entry.mv.mtype(), MoveType::Normal | MoveType::Castle)
        && (entry.mv.mtype() == MoveType::Castle
            || entry.pos.piece_at(entry.mv.to()).piece_type() == PieceType::None)
}

/// The number of rows that a sampling reads for each one that it keeps.
fn read_for_each_kept(options: &Options) -> f64 {
    let options = Options { features: None, epochs: Some(1), ..options.clone() };
    let mut loader = Loader::open(options).expect("a loader");
    let mut kept = 0;
    while let Some(batch) = loader.next_batch().expect("valid rows") {
        kept += batch.rows.len();
    }
    let counts = loader.counts();
    let dropped: u64 = counts.left_out.iter().chain(&counts.sampled).sum();
    1.0 + dropped as f64 / kept as f64
}

fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let block = FeatureBlock::piece_square(PieceSquareInputs::ALL_768);
    let set: &FeatureSet =
        Box::leak(Box::new(FeatureSet::new("chess768", &[block]).expect("a set")));
    let mut options = Options::new([&path]);
    (options.features, options.threads, options.shuffle) = (Some(set), Some(1), BUFFER);
    options.on_missing = Some(OnMissing::Skip);
    let mut filtered = options.clone();
    filtered.conditions =
        ["ply >= 16", "abs(score) <= 10000", "capture = 0", "promotion = 0", "checkers = 0"]
            .map(str::to_owned)
            .to_vec();
    let mut sampled = options.clone();
    sampled.sampling = Some(SamplingOptions::named("nnue-pytorch-2026-07").expect("a sampling"));
    let loader = |options: &Options| SetwiseLoader::new(options.clone()).expect("a feature set");
    let read = read_for_each_kept(&sampled);
    let mut ratios = [(); 3].map(|()| Vec::new());
    for _ in 0..5 {
        let theirs = measure(128, bullet(&path, |_| true));
        let quiet = measure(64, bullet(&path, is_quiet));
        let found = [
            measure(256, loader(&options)) / theirs,
            measure(128, loader(&filtered)) / quiet,
            measure(64, loader(&sampled)) * read / theirs,
        ];
        println!("bullet: {theirs:.3} and {quiet:.3} million positions per second; {found:.2?}");
        ratios.iter_mut().zip(found).for_each(|(all, ratio)| all.push(ratio));
    }
    for (name, mut ratios) in
        ["shuffled", "with the same filter", "read, with sampling"].into_iter().zip(ratios)
    {
        ratios.sort_by(f64::total_cmp);
        println!("{name}: {:.2} times bullet ({:.2} to {:.2})", ratios[2], ratios[0], ratios[4]);
    }
}
