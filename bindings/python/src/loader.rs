//! Training batches from files of positions: `setwise-loader` with numpy arrays.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{mem, process};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use setwise_loader::{Batch, Counts, Hooks, Options, State};

use crate::error::{Stopped, raised, wrong};
use crate::query::advise;
use crate::signals::{check_signals, lock};

mod arrays;
mod options;

pub(crate) use options::named_sampling;

/// Batches of positions for training, from files.
#[pyclass(frozen, module = "setwise")]
pub(crate) struct Loader {
    options: Options,
    /// Warnings about the choice of arguments; and the columns used for the labels of tables, with their points of view.
    #[pyo3(get)]
    warnings: (Vec<String>, Vec<String>),
    /// The conditions, in the order of the counts.
    #[pyo3(get)]
    conditions: Vec<String>,
    /// This lock is held only with the GIL, and not while Python code runs. So nobody waits for it, and a fork does not
    /// copy it while it is locked.
    here: Mutex<Here>,
}

/// The fields of a batch and its columns, by name, and, for a policy, its boards and their state.
type Arrays<'py> = (Bound<'py, PyDict>, Bound<'py, PyDict>, Option<arrays::Positions<'py>>);

/// A loader, the process that opened it, and its answers after the latest call.
struct Here {
    process: u32,
    loader: Arc<Mutex<setwise_loader::Loader>>,
    answers: Answers,
}

impl Here {
    fn new(loader: setwise_loader::Loader) -> Self {
        let answers = Answers::of(&loader);
        Self { process: process::id(), loader: Arc::new(Mutex::new(loader)), answers }
    }
}

impl Drop for Here {
    /// Does not touch a loader of the parent process: another thread may have been using it when the process forked.
    fn drop(&mut self) {
        if self.process != process::id() {
            mem::forget(Arc::clone(&self.loader));
        }
    }
}

/// Answers of a loader that are also given during the next call, to other threads and to signal handlers.
struct Answers {
    state: State,
    counts: Counts,
    epoch: u64,
}

impl Answers {
    fn of(loader: &setwise_loader::Loader) -> Self {
        Self { state: loader.state(), counts: loader.counts().clone(), epoch: loader.epoch() }
    }
}

fn open(options: &Options) -> Result<setwise_loader::Loader, Stopped> {
    let hooks = Hooks { check: Arc::new(check_signals), advise };
    setwise_loader::Loader::open(Options { hooks, ..options.clone() })
}

#[pymethods]
impl Loader {
    #[new]
    fn new(py: Python<'_>, arguments: &Bound<'_, PyDict>) -> PyResult<Self> {
        let options = options::options_of(arguments)?;
        let loader = py.detach(|| open(&options)).map_err(raised)?;
        let warnings = (loader.warnings(), loader.decided().to_vec());
        let conditions = loader.conditions().to_vec();
        Ok(Self { options, warnings, conditions, here: Mutex::new(Here::new(loader)) })
    }

    /// Begins the given epoch. The default is the next one, or to continue from there if the state has just been set.
    #[pyo3(signature = (epoch=None))]
    fn begin_loop(&self, py: Python<'_>, epoch: Option<u64>) -> PyResult<()> {
        self.with(py, |loader| {
            match epoch {
                Some(epoch) => loader.begin_loop_at(epoch),
                None => loader.begin_loop(),
            }
            Ok(())
        })
    }

    /// Returns the next batch, or ``None`` at the end.
    fn next_batch<'py>(&self, py: Python<'py>) -> PyResult<Option<Arrays<'py>>> {
        let next = self.with(py, |loader| {
            let Some(batch) = loader.next_batch()? else { return Ok(None) };
            let has = (loader.fields(), loader.has_hashes());
            Ok(Some((batch, has, loader.columns().to_vec())))
        });
        let Some((batch, (has, has_hashes), names)) = next? else { return Ok(None) };
        let Batch { rows, inputs, columns: arrays } = batch;
        let fields = arrays::fields_of(py, &rows, inputs, has, self.options.padded)?;
        let columns = PyDict::new(py);
        if has_hashes {
            let hashes = arrays::of_rows(py, &rows, |row| row.game_hash.cast_signed());
            columns.set_item("game_hash", hashes)?;
        }
        for (column, array) in names.into_iter().zip(arrays) {
            columns.set_item(column.name(), arrays::array_of(py, column, array)?)?;
        }
        let positions = self.options.moves.then(|| arrays::positions_of(py, &rows)).transpose()?;
        Ok(Some((fields, columns, positions)))
    }

    /// Skips batches without computing their inputs. Returns false if there are fewer.
    fn skip(&self, py: Python<'_>, batches: u64) -> PyResult<bool> {
        self.with(py, |loader| loader.skip_batches(batches))
    }

    /// Returns the state after the latest batch as JSON.
    fn state(&self) -> PyResult<String> {
        json(&self.here().answers.state)
    }

    /// Continues from a state of a loader with the same arguments.
    fn resume(&self, py: Python<'_>, state: &str) -> PyResult<()> {
        let state =
            serde_json::from_str::<serde_json::Value>(state).and_then(serde_json::from_value);
        let state = state.map_err(|error| wrong(format!("{NO_STATE} ({error})")))?;
        self.with(py, |loader| loader.resume(&state))
    }

    /// The numbers of a state that change with each batch.
    fn place(&self) -> Vec<u64> {
        self.here().answers.state.place.clone()
    }

    /// Continues from a place of a loader with the same arguments.
    fn resume_at(&self, py: Python<'_>, place: Vec<u64>) -> PyResult<()> {
        self.with(py, |loader| loader.resume_at(&place))
    }

    /// Returns to the start of the first epoch and resets the counts.
    fn restart(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |loader| {
            loader.restart();
            Ok(())
        })
    }

    /// The hashes of the arguments that determine the rows and their order, by name.
    fn fingerprint(&self) -> BTreeMap<String, String> {
        self.here().answers.state.of.clone()
    }

    /// The epoch of the latest batch, or the number of epochs after the last one.
    #[getter]
    fn epoch(&self) -> u64 {
        self.here().answers.epoch
    }

    /// The counts of the rows read so far as JSON.
    #[getter]
    fn counts(&self) -> PyResult<String> {
        json(&self.here().answers.counts)
    }
}

impl Loader {
    /// Calls the loader without the GIL, because the call that uses it may be waiting for the GIL.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        call: impl FnOnce(&mut setwise_loader::Loader) -> Result<T, Stopped> + Send,
    ) -> PyResult<T> {
        let loader = self.own(py)?;
        let result = py.detach(|| {
            let mut loader = lock(&loader)?;
            let result = call(&mut loader);
            let answers = Answers::of(&loader);
            Python::attach(|_| self.here().answers = answers);
            result
        });
        result.map_err(raised)
    }

    /// Returns the loader of this process. After a fork it is opened anew, because processes would share the positions in
    /// open files.
    fn own(&self, py: Python<'_>) -> PyResult<Arc<Mutex<setwise_loader::Loader>>> {
        let state = {
            let here = self.here();
            if here.process == process::id() {
                return Ok(Arc::clone(&here.loader));
            }
            here.answers.state.clone()
        };
        let own = py.detach(|| {
            let mut own = open(&self.options)?;
            own.resume(&state).map(|()| own)
        });
        let own = own.map_err(raised)?;
        let mut here = self.here();
        if here.process != process::id() {
            *here = Here::new(own);
        }
        Ok(Arc::clone(&here.loader))
    }

    fn here(&self) -> MutexGuard<'_, Here> {
        self.here.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

const NO_STATE: &str = "this is not a state of a loader: pass what `state_dict` returned";

fn json(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(wrong)
}

/// Raises an error that names the arguments by which two fingerprints differ.
#[pyfunction]
pub(crate) fn check_fingerprint(
    found: &Bound<'_, PyAny>,
    own: BTreeMap<String, String>,
) -> PyResult<()> {
    let found = found.extract().map_err(|_| wrong(NO_STATE))?;
    setwise_loader::check_fingerprint(&found, &own).map_err(raised)
}
