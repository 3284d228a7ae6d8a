//! Trains a network on binpack, with shuffling, sampling and the inputs of a feature set.
//!
//!     cargo run --release --features cuda --example train FILE.binpack

use bullet_lib::nn::optimiser::AdamW;
use bullet_lib::value::ValueTrainerBuilder;
use bullet_trainer::run::{TrainingSchedule, TrainingSteps, train};
use setwise_bullet::{SetInputs, SetwiseLoader};
use setwise_loader::{Options, Split};
use setwise_table::SamplingOptions;

fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let mut options = Options::new([path]);
    options.features = Some("stockfish-threats-2026-08+halfka-hm".parse().expect("a feature set"));
    options.shuffle = 1 << 22;
    options.split = Some(Split::Train(0.95));
    options.sampling = Some(SamplingOptions::named("nnue-pytorch-2026-07").expect("a sampling"));
    let set = options.features.expect("it was just set");
    let loader = SetwiseLoader::new(options).expect("a feature set");
    let inputs = SetInputs { set, width: loader.width() };

    let mut trainer = ValueTrainerBuilder::default()
        .dual_perspective()
        .optimiser(AdamW)
        .inputs(inputs)
        .loss_fn(|output, target| output.sigmoid().squared_error(target))
        .build(|builder, stm, nstm| {
            let l0 = builder.new_affine("l0", set.inputs() as usize, 128);
            let l1 = builder.new_affine("l1", 256, 1);
            l1.forward(l0.forward(stm).screlu().concat(l0.forward(nstm).screlu()))
        });
    let steps = TrainingSteps {
        batch_size: 16_384,
        batches_per_superbatch: 6104,
        start_superbatch: 1,
        end_superbatch: 40,
    };
    let schedule = TrainingSchedule { steps, log_rate: 128, lr_schedule: Box::new(|_| 0.001) };
    let states = loader.states();
    let save = |_: &mut _, step: bullet_trainer::run::Step| {
        let state = states.after(step.total_batches() + 1); // continue with SetwiseLoader::resume
        println!("{state:?}");
    };
    train(&mut trainer.optimiser, schedule, loader, |_, _, _| {}, save).expect("a GPU");
}
