//! The sampling of a trainer: which rows stay, by random numbers from the seed and the number of the row.

use setwise_formats::{Fields, Records};
use setwise_table::{Condition, PlaceholderZeros, Sampling, Steering, WinRate};

/// The conditions of the default filter of nnue-pytorch (July 2026).
const QUIET: [&str; 2] = ["checkers = 0", "capture = 0 or en_passant_capture = 1"];

/// Samplings with a name: the default filters of trainers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Named {
    /// The default filter of nnue-pytorch, July 2026: by outcome, ply and number of pieces, without checks and captures
    #[value(name = "nnue-pytorch-2026-07")]
    NnuePytorch202607,
}

impl Named {
    /// The conditions that go with it.
    pub(crate) fn conditions(self) -> impl Iterator<Item = Condition> {
        QUIET.iter().map(|condition| condition.parse().expect("a condition"))
    }

    /// Which scores of 0 stand for none.
    pub(crate) const fn zeros(self) -> PlaceholderZeros {
        PlaceholderZeros::new(100)
    }

    fn sampling(self) -> Sampling {
        const PLIES: [(f64, f64); 5] =
            [(0.0, 0.1), (6.0, 0.15), (10.0, 0.25), (18.0, 0.75), (20.0, 1.0)];
        const PIECES: [(f64, f64); 5] =
            [(0.0, 0.0), (8.0, 0.4), (16.0, 1.0), (24.0, 1.0), (32.0, 0.75)];
        let sampling = Sampling::default().by_ply(&PLIES);
        let sampling =
            sampling.and_then(|sampling| sampling.by_outcome(WinRate::NNUE_PYTORCH_2026_07));
        sampling.and_then(|sampling| sampling.by_pieces(&PIECES, 0.975)).expect("these are right")
    }
}

/// Decides row by row.
pub(crate) struct Sampler {
    sampling: Sampling,
    steering: Option<Steering>,
    one_in: u64,
    seed: u64,
    /// Rows so far.
    rows: u64,
}

impl Sampler {
    /// The sampler that is asked for, if there is one.
    pub(crate) fn new(named: Option<Named>, one_in: u64, seed: u64) -> Option<Self> {
        if named.is_none() && one_in == 1 {
            return None;
        }
        let sampling = named.map_or_else(Sampling::default, Named::sampling);
        let steering = sampling.steering();
        Some(Self { sampling, steering, one_in, seed, rows: 0 })
    }

    /// The fields that it needs.
    pub(crate) fn needs(&self) -> Fields {
        self.sampling.needs()
    }

    /// Leaves out rows of a batch that follows the ones before. Returns their number.
    pub(crate) fn sample(&mut self, batch: &mut Records) -> u64 {
        let mut stays = Vec::with_capacity(batch.len());
        for row in 0..batch.len() {
            let ply = batch.ply.get(row).copied().unwrap_or(0);
            let score = batch.score.get(row).copied().unwrap_or(0);
            let result = batch.result.get(row).copied().unwrap_or(0);
            let stay = self.happens(1.0 / self.one_in as f64, 0)
                && self.happens(self.sampling.of_outcome(score, ply, result), 1)
                && self.happens(self.sampling.of_ply(ply), 2)
                && self.is_steered(batch.pieces[row].occupied().count_ones() as usize);
            stays.push(stay);
            self.rows += 1;
        }
        batch.retain(&stays);
        (stays.len() - batch.len()) as u64
    }

    fn is_steered(&mut self, pieces: usize) -> bool {
        let probability = self.steering.as_mut().map_or(1.0, |steering| steering.see(pieces));
        self.happens(probability, 3)
    }

    /// Whether something of this probability happens to the row.
    fn happens(&self, probability: f64, cause: u64) -> bool {
        const STEP: f64 = 1.0 / (1u64 << 53) as f64;
        let number = mix(self.seed ^ mix(4 * self.rows + cause));
        (number >> 11) as f64 * STEP < probability
    }
}

/// A random number that depends on every bit of another (SplitMix64).
const fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}
