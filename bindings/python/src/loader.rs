//! Training batches from files of positions: `setwise-loader` with numpy arrays.

use std::collections::BTreeMap;
use std::process;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use setwise_loader::{Batch, Hooks, Options};

use crate::error::{Stopped, passed, raised, wrong};
use crate::query::advise;

mod arrays;
mod options;

pub(crate) use options::named_sampling;

/// Batches of positions for training, from files.
#[pyclass(frozen, module = "setwise")]
pub(crate) struct Loader {
    options: Options,
    here: Mutex<Here>,
}

/// The fields of a batch and its columns, by name, and, for a policy, its boards and their state.
type Arrays<'py> = (Bound<'py, PyDict>, Bound<'py, PyDict>, Option<arrays::Positions<'py>>);

/// A loader, and the process that opened it.
struct Here {
    process: u32,
    loader: setwise_loader::Loader,
}

fn open(options: &Options) -> Result<setwise_loader::Loader, Stopped> {
    let check = || Python::attach(|py| py.check_signals()).map_err(passed);
    let hooks = Hooks { check: Arc::new(check), advise };
    setwise_loader::Loader::open(Options { hooks, ..options.clone() })
}

#[pymethods]
impl Loader {
    #[new]
    fn new(py: Python<'_>, arguments: &Bound<'_, PyDict>) -> PyResult<Self> {
        let options = options::options_of(arguments)?;
        let loader = py.detach(|| open(&options)).map_err(raised)?;
        Ok(Self { options, here: Mutex::new(Here { process: process::id(), loader }) })
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
    fn state(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |loader| json(&loader.state()))
    }

    /// Continues from a state of a loader with the same arguments.
    fn resume(&self, py: Python<'_>, state: &str) -> PyResult<()> {
        let state =
            serde_json::from_str(state).map_err(|error| wrong(format!("{NO_STATE} ({error})")))?;
        self.with(py, |loader| loader.resume(&state))
    }

    /// The numbers of a state that change with each batch.
    fn place(&self, py: Python<'_>) -> PyResult<Vec<u64>> {
        self.with(py, |loader| Ok(loader.place()))
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
    fn fingerprint(&self, py: Python<'_>) -> PyResult<BTreeMap<String, String>> {
        self.with(py, |loader| Ok(loader.fingerprint().clone()))
    }

    /// The epoch of the latest batch, or the number of epochs after the last one.
    #[getter]
    fn epoch(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |loader| Ok(loader.epoch()))
    }

    /// Warnings about the choice of arguments; and the columns used for the labels of tables, with their points of view.
    #[getter]
    fn warnings(&self, py: Python<'_>) -> PyResult<(Vec<String>, Vec<String>)> {
        self.with(py, |loader| Ok((loader.warnings(), loader.decided().to_vec())))
    }

    /// The conditions, in the order of the counts.
    #[getter]
    fn conditions(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.with(py, |loader| Ok(loader.conditions().to_vec()))
    }

    /// The counts of the rows read so far as JSON.
    #[getter]
    fn counts(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |loader| json(loader.counts()))
    }
}

impl Loader {
    /// Calls the loader without the GIL: the thread that holds the lock may be waiting for it. After a fork it is opened
    /// anew, because processes would share the positions in open files.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        call: impl FnOnce(&mut setwise_loader::Loader) -> Result<T, Stopped> + Send,
    ) -> PyResult<T> {
        py.detach(|| {
            let mut here = self.here.lock().unwrap_or_else(PoisonError::into_inner);
            if here.process != process::id() {
                let state = here.loader.state();
                here.loader = open(&self.options)?;
                here.loader.resume(&state)?;
                here.process = process::id();
            }
            call(&mut here.loader)
        })
        .map_err(raised)
    }
}

const NO_STATE: &str = "this is no state of a loader: pass what `state_dict` returned";

fn json(value: &impl serde::Serialize) -> Result<String, Stopped> {
    serde_json::to_string(value).map_err(|error| Stopped::Invalid(error.to_string()))
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
