//! Trains a small network on the batches of bullet's loader and of setwise's, and compares the loss on the same positions.
//! Bullet computes on GPUs; here its reference evaluator computes its own graph, so no GPU is needed.
//!
//!     cargo run --release --example compare FILE.binpack

use std::collections::BTreeMap;

use bullet_compiler::ir::NodeId;
use bullet_compiler::tensor::TValue;
use bullet_lib::game::inputs::{Chess768, SparseInputType};
use bullet_lib::value::loader::{LoadableDataType, SfBinpackLoader};
use bullet_trainer::model::{ModelDefinition, ModelInputs, ModelInputsMapper};
use bullet_trainer::reader::ReadMapLoader;
use bullet_trainer::run::{DataLoader, Step};
use setwise_bullet::SetwiseLoader;
use setwise_loader::Options;
use setwise_nnue::{FeatureBlock, FeatureSet, PieceSquareInputs};
use setwise_table::OnMissing;

const BATCH: usize = 1024;

/// Fewer positions than nnue-pytorch's `.pgo/small.binpack` has, so that no position is read twice.
const BATCHES: usize = 400;

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
            model.lower_backward(&Default::default(), BATCH).expect("a graph with gradients");
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
        found[&self.loss].f32()[0] / BATCH as f32
    }
}

fn take(loader: impl DataLoader, batches: usize) -> Vec<Batch> {
    let mut all = Vec::with_capacity(batches);
    let run = loader.map_batches(Step::new(1, 0, 1, batches), BATCH, |mut batch| {
        all.push(std::mem::take(&mut batch.inputs));
        all.len() == batches
    });
    run.expect("valid rows");
    all
}

fn bullet(path: &str) -> impl DataLoader {
    let inputs = ModelInputs::default()
        .add_sparse("stm", (768, 1), 32)
        .add_sparse("nstm", (768, 1), 32)
        .add_dense("targets", (1, 1));
    let mapper = ModelInputsMapper::build(&inputs, |board, _, ((stm, nstm), targets)| {
        (stm.fill(-1), nstm.fill(-1));
        let mut count = 0;
        Chess768.map_features(board, |own, other| {
            (stm[count], nstm[count]) = (own as i32, other as i32);
            count += 1;
        });
        targets[0] = 1.0 / (1.0 + (-f32::from(LoadableDataType::score(board)) / 400.0).exp());
    });
    let has_score = |entry: &_| {
        let score: &bullet_lib::value::loader::sfbinpack::TrainingDataEntry = entry;
        score.score.unsigned_abs() < 20_000
    };
    ReadMapLoader::new(SfBinpackLoader::new(path, 16, 1, has_score), mapper, 1)
}

fn setwise(path: &str, seed: u64) -> impl DataLoader {
    let block = FeatureBlock::piece_square(PieceSquareInputs::ALL_768);
    let set: &FeatureSet =
        Box::leak(Box::new(FeatureSet::new("chess768", &[block]).expect("a set")));
    let mut options = Options::new([path]);
    (options.features, options.seed) = (Some(set), seed);
    (options.shuffle, options.padded) = (1 << 18, Some(32));
    options.conditions = vec!["abs(score) < 20000".to_owned()];
    options.on_missing = Some(OnMissing::Null);
    SetwiseLoader::new(options).expect("a feature set")
}

fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let test = take(setwise(&path, 1 << 40), 8);
    let mut losses = [(); 2].map(|()| Vec::new());
    for seed in 0..5 {
        for (name, losses) in ["bullet", "setwise"].into_iter().zip(&mut losses) {
            let batches = match name {
                "bullet" => take(bullet(&path), BATCHES),
                _ => take(setwise(&path, seed), BATCHES),
            };
            // Both start from the same weights.
            let mut network = Network::new(seed + 1);
            for (step, batch) in batches.iter().enumerate() {
                network.step(batch, 0.02 * (1.0 - step as f32 / BATCHES as f32));
            }
            let test = test.iter().map(|batch| network.step(batch, 0.0)).sum::<f32>() / 8.0;
            println!("{name}, run {seed}: loss {test:.6}");
            losses.push(f64::from(test));
        }
    }
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
    let [theirs, ours] = losses;
    let differences: Vec<f64> = theirs.iter().zip(&ours).map(|(a, b)| b - a).collect();
    let spread = differences.iter().map(|of| (of - mean(&differences)).powi(2)).sum::<f64>();
    let error = (spread / (differences.len() * (differences.len() - 1)) as f64).sqrt();
    println!(
        "mean loss: bullet {:.6}, setwise {:.6}; difference {:+.6}, standard error {error:.6}",
        mean(&theirs),
        mean(&ours),
        mean(&differences)
    );
}
