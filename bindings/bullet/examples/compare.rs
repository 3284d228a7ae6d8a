//! Compares bullet's loader with setwise's, on one file of binpack.
//!
//!     cargo run --release --example compare loss FILE.binpack
//!
//! trains a small network on the batches of both, and compares the loss on the same positions. Bullet computes on GPUs;
//! here its reference evaluator computes its own graph, so no GPU is needed.
//!
//!     cargo build --release --example compare
//!     taskset -c 0 target/release/examples/compare speed FILE.binpack
//!
//! prints the positions per second of bullet's reader and inputs, and of setwise's loader with shuffle and sampling: the
//! medians of several rounds in turns, on one core.

use std::collections::BTreeMap;
use std::time::Instant;

use bullet_compiler::ir::NodeId;
use bullet_compiler::tensor::TValue;
use bullet_lib::game::inputs::{Chess768, SparseInputType};
use bullet_lib::value::loader::sfbinpack::{MoveType, PieceType, TrainingDataEntry};
use bullet_lib::value::loader::{LoadableDataType, SfBinpackLoader};
use bullet_trainer::model::{ModelDefinition, ModelInputs, ModelInputsMapper};
use bullet_trainer::reader::ReadMapLoader;
use bullet_trainer::run::{DataLoader, PreparedBatchHost, Step};
use setwise_bullet::SetwiseLoader;
use setwise_loader::{Loader, Options};
use setwise_nnue::{FeatureBlock, FeatureSet, PieceSquareInputs};
use setwise_table::{OnMissing, SamplingOptions};

/// The number of positions in a batch on which the network is trained, and in a batch that is timed.
const TRAINED: usize = 1024;
const TIMED: usize = 16_384;

/// Fewer positions than nnue-pytorch's `.pgo/small.binpack` has: setwise reads none twice.
const BATCHES: usize = 400;

/// The number of batches on which a trained network is tested.
const TESTED: usize = 100;

/// The rows of both shuffle buffers when speed is compared, few in relation to those that are read: bullet fills the next
/// buffer in advance.
const BUFFER: usize = 1 << 17;

/// The rows of both shuffle buffers when losses are compared: more than twice the file, which bullet reads until its
/// buffer is full. A smaller buffer holds only some of the games, in an order of its own, which changes the loss.
const WHOLE_FILE: usize = 1 << 20;

/// The number of networks that are trained on the batches of each loader.
const RUNS: usize = 40;

const HIDDEN: usize = 16;

/// The inputs and the targets of a batch, by name.
type Batch = BTreeMap<String, TValue>;

/// The graphs of a network's loss and of its gradients.
struct Network {
    graph: bullet_compiler::tensor::TensorIR,
    loss: NodeId,
    inputs: Vec<(String, NodeId)>,
    /// For each weight its node, the node of its gradient, and its value.
    weights: Vec<(NodeId, NodeId, Vec<f32>)>,
}

impl Network {
    fn new(seed: u64) -> Self {
        let inputs = ModelInputs::default()
            .add_sparse("stm", (768, 1), 32)
            .add_sparse("nstm", (768, 1), 32)
            .add_dense("targets", (1, 1));
        let model = ModelDefinition::build(&inputs, |builder, ((stm, nstm), targets)| {
            let l0 = builder.new_affine("l0", 768, HIDDEN);
            let l1 = builder.new_affine("l1", 2 * HIDDEN, 1);
            let hidden = l0.forward(stm).crelu().concat(l0.forward(nstm).crelu());
            let error = l1.forward(hidden).sigmoid().squared_error(targets);
            (Some(error.reduce_sum_batch()), Vec::new())
        });
        let (backward, gradients) =
            model.lower_backward(&Default::default(), TRAINED).expect("a graph with gradients");
        let of = |node: &NodeId| backward.map()[node];
        let mut random = seed;
        let mut uniform = || {
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (random >> 40) as f32 / (1 << 24) as f32 - 0.5
        };
        let weights = model.ir().weights().keys().map(|node| {
            let size = model.ir().node(*node).ty().single_size();
            (of(node), gradients[node], (0..size).map(|_| 0.2 * uniform()).collect())
        });
        let weights = weights.collect();
        let inputs = model.ir().inputs().iter().map(|(node, name)| (name.clone(), of(node)));
        let (inputs, loss) = (inputs.collect(), of(&model.loss().expect("a loss")));
        Self { graph: backward.ir().clone(), loss, inputs, weights }
    }

    /// Returns the mean loss of a batch, and updates the weights.
    fn step(&mut self, batch: &Batch, rate: f32) -> f32 {
        let mut values: BTreeMap<NodeId, TValue> =
            self.inputs.iter().map(|(name, node)| (*node, batch[name].clone())).collect();
        for (node, _, weights) in &self.weights {
            values.insert(*node, TValue::F32(weights.clone()));
        }
        let found = self.graph.evaluate(values).expect("a valid graph").expect("all operations");
        for (_, gradient, weights) in &mut self.weights {
            let gradient = found[gradient].f32().iter();
            weights.iter_mut().zip(gradient).for_each(|(weight, of)| *weight -= rate * of);
        }
        found[&self.loss].f32()[0] / TRAINED as f32
    }
}

/// Passes the first batches of a loader to a function. Returns millions of positions per second.
fn run(
    loader: impl DataLoader,
    batches: usize,
    size: usize,
    mut take: impl FnMut(PreparedBatchHost),
) -> f64 {
    let (start, mut taken) = (Instant::now(), 0);
    let run = loader.map_batches(Step::new(1, 0, 1, batches), size, |batch| {
        take(batch);
        taken += 1;
        taken == batches
    });
    run.expect("valid rows");
    (batches * size) as f64 / start.elapsed().as_secs_f64() / 1e6
}

/// Returns batches to train on.
fn batches(loader: impl DataLoader, batches: usize) -> Vec<Batch> {
    let mut all = Vec::with_capacity(batches);
    run(loader, batches, TRAINED, |mut batch| all.push(std::mem::take(&mut batch.inputs)));
    all
}

/// Bullet's loader, with the inputs and the target of each position. `is_padded` writes -1 to the end of rows, as its
/// reference evaluator needs; otherwise only after the last input.
fn bullet(
    path: &str,
    buffer: usize,
    is_padded: bool,
    filter: impl Fn(&TrainingDataEntry) -> bool + Clone + Send + Sync + 'static,
) -> impl DataLoader {
    let inputs = ModelInputs::default()
        .add_sparse("stm", (768, 1), 32)
        .add_sparse("nstm", (768, 1), 32)
        .add_dense("targets", (1, 1));
    let mapper = ModelInputsMapper::build(&inputs, move |board, _, ((stm, nstm), targets)| {
        let mut count = 0;
        Chess768.map_features(board, |own, other| {
            (stm[count], nstm[count]) = (own as i32, other as i32);
            count += 1;
        });
        let end = if is_padded { 32 } else { 32.min(count + 1) };
        (stm[count..end].fill(-1), nstm[count..end].fill(-1));
        targets[0] = 1.0 / (1.0 + (-f32::from(LoadableDataType::score(board)) / 400.0).exp());
    });
    // A megabyte has 2^14 positions.
    ReadMapLoader::new(SfBinpackLoader::new(path, buffer >> 14, 1, filter), mapper, 1)
}

/// Options of setwise's loader with the same inputs.
fn options(path: &str) -> Options {
    let block = FeatureBlock::piece_square(PieceSquareInputs::ALL_768);
    let set: &FeatureSet =
        Box::leak(Box::new(FeatureSet::new("chess768", &[block]).expect("a set")));
    let mut options = Options::new([path]);
    options.features = Some(set);
    options
}

fn setwise(options: &Options) -> SetwiseLoader {
    SetwiseLoader::new(options.clone()).expect("a feature set")
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
    let kept: usize = loader.by_ref().map(|batch| batch.expect("valid rows").rows.len()).sum();
    let counts = loader.counts();
    let dropped: u64 = counts.left_out.iter().chain(&counts.sampled).sum();
    1.0 + dropped as f64 / kept as f64
}

fn compare_losses(path: &str) {
    let mut options = options(path);
    (options.shuffle, options.padded) = (WHOLE_FILE, Some(32));
    options.conditions = vec!["abs(score) < 20000".to_owned()];
    options.on_missing = Some(OnMissing::Null);
    let seeded = |seed| setwise(&Options { seed, ..options.clone() });
    let has_score = |entry: &TrainingDataEntry| entry.score.unsigned_abs() < 20_000;
    let test = batches(seeded(1 << 40), TESTED);
    let mut losses = [(); 2].map(|()| Vec::new());
    for seed in 0..RUNS as u64 {
        for (name, losses) in ["bullet", "setwise"].into_iter().zip(&mut losses) {
            let batches = match name {
                "bullet" => batches(bullet(path, WHOLE_FILE, true, has_score), BATCHES),
                _ => batches(seeded(seed), BATCHES),
            };
            // Both start from the same weights.
            let mut network = Network::new(seed + 1);
            for (step, batch) in batches.iter().enumerate() {
                network.step(batch, 0.02 * (1.0 - step as f32 / BATCHES as f32));
            }
            let test =
                test.iter().map(|batch| network.step(batch, 0.0)).sum::<f32>() / TESTED as f32;
            println!("{name}, run {seed}: loss {test:.6}");
            losses.push(f64::from(test));
        }
    }
    let [theirs, ours] =
        losses.each_ref().map(|all: &Vec<f64>| all.iter().sum::<f64>() / RUNS as f64);
    let difference = ours - theirs;
    println!("mean loss: bullet {theirs:.6}, setwise {ours:.6}; difference {difference:+.6}");
    let differences = losses[0].iter().zip(&losses[1]).map(|(theirs, ours)| ours - theirs);
    let spread: f64 = differences.map(|of| (of - difference).powi(2)).sum();
    println!(
        "standard error of the difference: {:.6}",
        (spread / (RUNS * (RUNS - 1)) as f64).sqrt()
    );
}

fn compare_speeds(path: &str) {
    let mut options = options(path);
    (options.threads, options.shuffle) = (Some(1), BUFFER);
    options.on_missing = Some(OnMissing::Skip);
    let mut filtered = options.clone();
    filtered.conditions =
        ["ply >= 16", "abs(score) <= 10000", "capture = 0", "promotion = 0", "checkers = 0"]
            .map(str::to_owned)
            .to_vec();
    let mut sampled = options.clone();
    sampled.sampling = Some(SamplingOptions::named("nnue-pytorch-2026-07").expect("a sampling"));
    let read = read_for_each_kept(&sampled);
    let mut ratios = [(); 3].map(|()| Vec::new());
    for _ in 0..5 {
        let theirs = run(bullet(path, BUFFER, false, |_| true), 128, TIMED, drop);
        let quiet = run(bullet(path, BUFFER, false, is_quiet), 64, TIMED, drop);
        let found = [
            run(setwise(&options), 256, TIMED, drop) / theirs,
            run(setwise(&filtered), 128, TIMED, drop) / quiet,
            run(setwise(&sampled), 64, TIMED, drop) * read / theirs,
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

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [mode, path] if mode == "loss" => compare_losses(path),
        [mode, path] if mode == "speed" => compare_speeds(path),
        _ => panic!("expected `loss` or `speed`, and a file"),
    }
}
