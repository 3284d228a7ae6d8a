//! Training batches from files of positions: shuffled, filtered, sharded and resumable.
//!
//! An epoch is a sequence of units (`order.rs`), of which a shard reads every n-th. A unit is some thousand records, a
//! piece of text or a chunk of games (`files.rs`). Units are read in a random order; some files are read once in
//! advance to find them (`find.rs`). The executor decodes a unit and drops rows by labels, sampling and conditions.
//! Sampling by the number of pieces comes last, in the order of the units.
//!
//! The remaining rows fill a buffer. When it is full, its rows are shuffled and returned as complete batches; leftover
//! rows start the next filling. The state of a loader is therefore a few numbers: the first unit of the filling, the
//! row in this unit, and the batch.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use setwise_formats::Field;
use setwise_table::{Column, Input, Plan, Sampling, Steering};

use crate::error::{Stopped, raised, wrong};
use crate::query::{Query, Signals};

mod arrays;
mod counts;
mod decode;
mod files;
mod find;
mod inputs;
mod memory;
mod options;
mod order;
mod rows;
mod sources;
mod state;

use counts::Counts;
use decode::Decoder;
use files::{Cut, LoaderFile};
use inputs::Maker;
use memory::Pool;
use options::Options;
pub(crate) use options::named_sampling;
use sources::Sources;
use state::{Batch, Core, NO_UNIT, Progress};

/// The state of a loader, in Python a dictionary.
#[derive(FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
struct State {
    /// The first epoch of the loop, the epoch, the first unit of the filling, the row of the unit, and the batch of the
    /// filling.
    place: [u64; 5],
    counts: Counts,
    /// The steering before the first unit.
    steering: Option<Vec<f64>>,
}

/// Batches of positions for training, from files.
#[pyclass(frozen, module = "setwise")]
pub(crate) struct Loader(Mutex<Core>);

#[pymethods]
impl Loader {
    #[new]
    fn new(
        py: Python<'_>,
        query: &Bound<'_, Query>,
        arguments: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let mut options: Options = arguments.extract()?;
        let query = query.get();
        let sampling = Sampling::new(&options.sampling);
        let sampling = sampling.map_err(|error| wrong(format!("`sampling`: {error}")))?;
        let sources = Sources::open(py, &mut options, arguments.extract()?, query, &sampling)?;
        let has = sources.has;
        let boards = if has.contains(Field::Castling) && has.contains(Field::EnPassant) {
            Input::boards_with_state()
        } else {
            Input::boards(true)
        };
        // Inputs come first.
        let of_columns = &query.columns[if query.feature_set.is_some() { 2 } else { 0 }..];
        let of_batch = query.query.clone().conditions([]).threads(Some(options.threads));
        let of_batch = of_batch.columns(of_columns.iter().copied());
        let columns = (!of_columns.is_empty()).then(|| of_batch.plan(&boards)).transpose();
        let columns = columns.map_err(raised)?;
        let no_array = |column: &&Column| {
            let data_type = column.data_type(false);
            !matches!(column.shape(), setwise::Shape::Value) || !data_type.is_numeric()
        };
        if let Some(column) = of_columns.iter().find(no_array) {
            return Err(wrong(format!(
                "column `{column}` is not one number per row, as the columns of batches are"
            )));
        }
        let conditions = query.query.get_conditions().len();
        let maker = Maker {
            kernel: query.kernel,
            set: query.feature_set,
            padded: options.padded,
            is_mover: options.perspectives == "mover",
            threads: options.threads,
            pool: Pool::default(),
        };
        let decoder = Decoder { options, sources, sampling, conditions, spare: Mutex::default() };
        let mut core = Core {
            decoder,
            maker,
            columns,
            has_found: false,
            start: 0,
            goes_on: true,
            epoch: 0,
            over: false,
            counts: Counts::none(conditions),
            signals: Signals::new(),
            at: Progress::default(),
        };
        core.begin_epoch(0);
        Ok(Self(Mutex::new(core)))
    }

    /// Begins the given epoch. The default is the next one, or to continue from there if the state has just been set.
    #[pyo3(signature = (epoch=None))]
    fn begin_loop(&self, py: Python<'_>, epoch: Option<u64>) {
        py.detach(|| {
            let mut core = self.core();
            if !core.goes_on || epoch.is_some() {
                core.start = epoch.unwrap_or(core.epoch + u64::from(!core.over));
                let start = core.start;
                core.begin_epoch(start);
                core.goes_on = true;
            }
        });
    }

    /// Returns the next batch as two dictionaries, of its fields and of its columns, or ``None`` at the end.
    #[allow(clippy::type_complexity, reason = "it is read once, in Python")]
    fn next_batch<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Option<(Bound<'py, PyDict>, Bound<'py, PyDict>)>> {
        let (batch, has, has_hashes, names, padded, boards, pool) = py.detach(|| {
            let mut core = self.core();
            core.goes_on = false;
            let batch = core.next();
            let Sources { has, has_hashes, .. } = core.decoder.sources;
            let names: Vec<_> = core.columns.iter().flat_map(Plan::columns).copied().collect();
            let boards = core.decoder.options.policy.is_some();
            (batch, has, has_hashes, names, core.maker.padded, boards, core.maker.pool.clone())
        });
        let Some(Batch { rows, inputs, columns: arrays }) = batch? else { return Ok(None) };
        let fields = arrays::arrays_of(py, &rows, inputs, has, boards, padded, &pool)?;
        let columns = PyDict::new(py);
        if has_hashes {
            let hashes = arrays::of_rows(py, &rows, |row| row.game_hash.cast_signed());
            columns.set_item("game_hash", hashes)?;
        }
        for (column, array) in names.into_iter().zip(arrays) {
            columns.set_item(column.name(), arrays::array_of(py, column, array)?)?;
        }
        Ok(Some((fields, columns)))
    }

    /// Skips batches without computing their inputs. Returns false if there are fewer.
    fn skip(&self, py: Python<'_>, batches: u64) -> PyResult<bool> {
        Ok(py.detach(|| {
            let mut core = self.core();
            core.goes_on = true;
            for _ in 0..batches {
                if core.next_rows()?.is_none() {
                    return Ok::<_, Stopped>(false);
                }
            }
            Ok(true)
        })?)
    }

    /// Returns the state of the loader after the latest batch.
    fn state(&self, py: Python<'_>) -> State {
        self.with_core(py, |core| {
            let mut counts = core.counts.clone();
            for unit in &core.at.units {
                counts.combine(&unit.counts, |all, less| *all -= less);
            }
            let (unit, row) = core.first();
            // At the end of a loop, the state is the start of the next loop.
            let start = if core.over { core.epoch } else { core.start };
            let place = [start, core.epoch, unit, row as u64, core.at.batch];
            let steering = match core.at.units.front() {
                Some(unit) => unit.before.as_ref(),
                None => core.at.steering.as_ref(),
            };
            State { place, counts, steering: steering.map(Steering::state) }
        })
    }

    /// Continues from the state of a loader with the same arguments, by default from the start.
    #[pyo3(signature = (state=None))]
    fn resume(&self, py: Python<'_>, state: Option<State>) -> PyResult<()> {
        Ok(py.detach(|| {
            let mut core = self.core();
            let State { place, counts, steering } = state.unwrap_or_else(|| State {
                place: [0, 0, NO_UNIT, 0, 0],
                counts: Counts::none(core.decoder.conditions),
                steering: None,
            });
            let [start, epoch, unit, row, batch] = place;
            (core.start, core.goes_on) = (start, true);
            core.begin_epoch(epoch);
            core.counts = counts;
            core.at.has_batches = unit != NO_UNIT;
            if unit == NO_UNIT || core.over {
                return Ok(());
            }
            if let Some(start) = core.at.steering.take() {
                core.at.steering = steering.and_then(|state| start.at(&state));
                if core.at.steering.is_none() {
                    core.begin_epoch(epoch);
                    let message = "the state does not have the counts of its sampling";
                    return Err(Stopped::Wrong(message.to_owned()));
                }
            }
            // Earlier units are drawn but not decoded.
            let core = &mut *core;
            while core.at.order.as_ref().map_or(0, |order| order.next) < unit {
                core.signals.check()?;
                if core.draw()?.is_none() {
                    break;
                }
            }
            core.fill(row as usize)?;
            core.at.batch = batch;
            Ok(())
        })?)
    }

    /// The epoch of the latest batch, or the number of epochs after the last one.
    #[getter]
    fn epoch(&self, py: Python<'_>) -> u64 {
        self.with_core(py, |core| core.epoch)
    }

    /// The columns used for the labels of tables, with their points of view.
    #[getter]
    fn decided(&self, py: Python<'_>) -> Vec<String> {
        self.with_core(py, |core| core.decoder.sources.decided.clone())
    }

    /// The counts of the rows read so far.
    #[getter]
    fn counts(&self, py: Python<'_>) -> Counts {
        self.with_core(py, |core| core.counts.clone())
    }

    /// The number of units of all files, or ``None`` if it is unknown until they have been read.
    #[getter]
    fn units(&self, py: Python<'_>) -> Option<u64> {
        self.with_core(py, |core| {
            let files = core.decoder.sources.files.iter();
            let count =
                |file: &LoaderFile| (!matches!(file.cut, Cut::Stream { .. })).then(|| file.units());
            files.map(count).sum()
        })
    }

    /// Lists the files whose units can only be shuffled with `spill`.
    fn streams(&self, py: Python<'_>) -> Vec<PathBuf> {
        self.with_core(py, |core| {
            let streams = core.decoder.sources.files.iter().filter(|file| file.needs_spill());
            streams.map(|file| file.path.clone()).collect()
        })
    }
}

impl Loader {
    /// Reads the loader without the GIL: the thread that holds the lock may be waiting for it.
    fn with_core<T: Send>(&self, py: Python<'_>, look: impl FnOnce(&Core) -> T + Send) -> T {
        py.detach(|| look(&self.core()))
    }

    fn core(&self) -> std::sync::MutexGuard<'_, Core> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
