//! Batches of `setwise-loader` for the trainer bullet (June 2026): shuffled, sampled, split, and resumable.
//!
//! `bullet_trainer::run::train` takes any `DataLoader`. [`SetwiseLoader`] is one: it yields the inputs of a feature set
//! for the side to move (`stm`) and the other side (`nstm`), `targets` (expected results), `buckets` and
//! `entry_weights`, as `bullet_lib::value` does. [`SetInputs`] describes the same inputs to `ValueTrainerBuilder`.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use bullet_compiler::tensor::TValue;
use bullet_lib::game::formats::bulletformat::ChessBoard;
use bullet_lib::game::inputs::SparseInputType;
use bullet_trainer::run::{DataLoader, DataLoadingError, HostPool, PreparedBatchHost, Step};
use setwise::{ByColour, Pieces};
use setwise_formats::Field;
use setwise_loader::{Error, Loader, Options, Perspectives, Row, State};
use setwise_nnue::{FeatureSet, position};

/// A loader of bullet.
#[derive(Clone)]
pub struct SetwiseLoader {
    options: Options,
    /// The width of padded rows.
    width: usize,
    state: Option<State>,
    states: States,
    /// Scores are divided by it before the sigmoid.
    pub eval_scale: f32,
    /// The share of the result in the target; the rest is the sigmoid of the score.
    pub wdl: f32,
    /// The output bucket of a position.
    pub bucket: fn(&Row) -> i32,
    /// The weight of a position.
    pub weight: fn(&Row) -> f32,
}

/// The states after the latest batches, by the number of batches since the start of training. Clones share them.
#[derive(Clone, Default)]
pub struct States(Arc<Mutex<BTreeMap<usize, State>>>);

impl States {
    /// The number of states to keep: more than bullet reads ahead.
    const KEPT: usize = 64;

    /// The state after this number of batches, to save with a checkpoint.
    #[must_use]
    pub fn after(&self, batches: usize) -> Option<State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&batches).cloned()
    }

    fn push(&self, batches: usize, state: State) {
        let mut states = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        states.insert(batches, state);
        while states.len() > Self::KEPT {
            states.pop_first();
        }
    }
}

impl SetwiseLoader {
    /// Creates a loader with these options, which must have a feature set. The schedule decides about `batch_size`,
    /// `epochs` and `batches`. Every file must have scores and results, unless `labels` says otherwise: a target without
    /// its label is meaningless.
    ///
    /// # Errors
    /// If the options have no feature set.
    pub fn new(mut options: Options) -> Result<Self, Error> {
        let Some(set) = options.features else {
            return Err(Error::Invalid("`features` is missing: a network has inputs".to_owned()));
        };
        let width = *options.padded.get_or_insert(set.row_width());
        options.perspectives = Perspectives::Mover;
        (options.epochs, options.batches, options.drop_last) = (None, None, true);
        options.labels.get_or_insert_with(|| vec![Field::Score, Field::Result]);
        Ok(Self {
            options,
            width,
            state: None,
            states: States::default(),
            eval_scale: 400.0,
            wdl: 0.0,
            bucket: |_| 0,
            weight: |_| 1.0,
        })
    }

    /// Continues from a state in constant time. Otherwise the batches before the start of the schedule are skipped, for
    /// which they must be read.
    #[must_use]
    pub fn resume(self, state: State) -> Self {
        Self { state: Some(state), ..self }
    }

    /// The maximum number of inputs of a position: the size of bullet's sparse inputs.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// The states after the latest batches.
    #[must_use]
    pub fn states(&self) -> States {
        self.states.clone()
    }

    /// The target of a position: its expected result.
    fn target(&self, row: &Row) -> f32 {
        let score = 1.0 / (1.0 + (-row.score as f32 / self.eval_scale).exp());
        self.wdl * f32::from(row.result + 1) / 2.0 + (1.0 - self.wdl) * score
    }

    fn prepare(
        &self,
        rows: &[Row],
        [own, other]: [Vec<i32>; 2],
        pool: &Arc<HostPool>,
    ) -> PreparedBatchHost {
        let floats = |of: &dyn Fn(&Row) -> f32| {
            let mut values = pool.take_f32(rows.len());
            values.iter_mut().zip(rows).for_each(|(value, row)| *value = of(row));
            TValue::F32(values)
        };
        let mut buckets = pool.take_i32(rows.len());
        buckets.iter_mut().zip(rows).for_each(|(value, row)| *value = (self.bucket)(row));
        let named = BTreeMap::from([
            ("buckets".to_owned(), TValue::I32(buckets)),
            ("targets".to_owned(), floats(&|row| self.target(row))),
            ("entry_weights".to_owned(), floats(&|row| (self.weight)(row))),
            ("stm".to_owned(), TValue::I32(own)),
            ("nstm".to_owned(), TValue::I32(other)),
        ]);
        PreparedBatchHost::new(Arc::clone(pool), named)
    }

    fn batches(
        &self,
        start: Step,
        batch_size: usize,
        mut take: impl FnMut(PreparedBatchHost) -> bool,
    ) -> Result<(), Error> {
        let mut loader = Loader::open(Options { batch_size, ..self.options.clone() })?;
        let mut done = start.total_batches();
        match &self.state {
            Some(state) => loader.resume(state)?,
            None => _ = loader.skip_batches(done as u64)?,
        }
        let pool = Arc::<HostPool>::default();
        loop {
            // Bullet returns the memory of earlier batches to its pool.
            let mut inputs = [(); 2].map(|()| pool.take_i32(self.width * batch_size));
            let into = inputs.each_mut().map(|side| &mut side[..]);
            let Some(batch) = loader.next_batch_into(into)? else { break };
            done += 1;
            self.states.push(done, loader.state());
            if take(self.prepare(&batch.rows, inputs, &pool)) {
                return Ok(());
            }
        }
        Err(Error::Invalid(format!("the files have no complete batch of {batch_size} rows")))
    }
}

impl DataLoader for SetwiseLoader {
    fn map_batches<F: FnMut(PreparedBatchHost) -> bool>(
        self,
        start: Step,
        batch_size: usize,
        f: F,
    ) -> Result<(), DataLoadingError> {
        let message = |error: Error| DataLoadingError::Message(error.to_string());
        self.batches(start, batch_size, f).map_err(message)
    }
}

/// The inputs of a feature set, of at most `width` per position. Bullet asks for their number when it builds a network,
/// and for those of a position when it evaluates one.
#[derive(Clone, Copy)]
pub struct SetInputs {
    /// The feature set.
    pub set: &'static FeatureSet,
    /// The width of padded rows.
    pub width: usize,
}

impl SparseInputType for SetInputs {
    type RequiredDataType = ChessBoard;

    fn num_inputs(&self) -> usize {
        self.set.inputs() as usize
    }

    fn max_active(&self) -> usize {
        self.width
    }

    /// Calls `f` with pairs of inputs of both sides, in no particular order: both have equally many.
    fn map_features<F: FnMut(usize, usize)>(&self, board: &ChessBoard, mut f: F) {
        // The side to move is white in these boards.
        let mut sets = [0; 8];
        for (piece, square) in *board {
            sets[usize::from(piece & 7)] |= 1 << square;
            sets[if piece & 8 == 0 { 6 } else { 7 }] |= 1 << square;
        }
        let mut inputs = [(); 2].map(|()| vec![0_u32; self.set.buffer_len()]);
        let [white, black] = &mut inputs;
        let sides = ByColour { white: &mut white[..], black: &mut black[..] };
        let Ok(counts) = position::inputs(self.set, &Pieces::from_sets(sets), sides) else {
            return;
        };
        assert_eq!(counts.white, counts.black, "both sides have equally many inputs");
        for (own, other) in inputs[0].iter().zip(&inputs[1]).take(counts.white) {
            f(*own as usize, *other as usize);
        }
    }

    fn shorthand(&self) -> String {
        self.set.name().to_owned()
    }

    fn description(&self) -> String {
        format!("The inputs `{}` of setwise", self.set.name())
    }
}
