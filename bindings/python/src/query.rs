//! The options of a call, compiled once and cached for later calls. Runs calls without the GIL, with checks for signals
//! and progress reports.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;

use pyo3::prelude::*;
use setwise::columns::SelectionError;
use setwise::{Backend, Kernel};
use setwise_table::{
    Chunk, Column, ConditionError, Error, Input, MAX_THREADS, OnInvalid, Plan, Rows,
};

use crate::error::{Stopped, passed, raised, wrong};
use crate::feature_sets::SetArgument;

/// The columns to compute, and the options.
#[pyclass(frozen)]
pub(crate) struct Query {
    pub(crate) query: setwise_table::Query,
    pub(crate) on_invalid: OnInvalid,
    /// Plans for sources other than tables.
    plans: Mutex<Vec<(Input, Arc<Plan>)>>,
}

#[pymethods]
impl Query {
    #[new]
    fn new(
        columns: Option<Vec<String>>,
        feature_set: Option<SetArgument>,
        errors: &str,
        signed: bool,
        backend: Option<&str>,
        threads: Option<i64>,
        conditions: Vec<String>,
    ) -> PyResult<Self> {
        // The number of processors is cached with the query: the system call takes as long as computing one position.
        let threads = Some(threads_or_all(threads_of(threads)?));
        let allowed = "is `raise`, `skip` or `null`, and for games `keep`";
        let on_invalid = choice("errors", errors, allowed, &ON_INVALID)?;
        let condition = |text: &String| {
            text.parse()
                .map_err(|error: ConditionError| wrong(format!("condition `{text}`, {error}")))
        };
        let conditions = conditions.iter().map(condition).collect::<PyResult<Vec<_>>>()?;
        let mut query = setwise_table::Query::default()
            .signed(signed)
            .on_invalid(on_invalid)
            .threads(threads)
            .conditions(conditions)
            .feature_set(feature_set.map(|set| set.find()).transpose()?)
            .kernel(kernel_of(backend)?);
        if let Some(columns) = columns {
            let (columns, optional) = selected(&columns)?;
            query = query.columns(columns).optional(optional);
        }
        Ok(Self { query, on_invalid, plans: Mutex::default() })
    }
}

impl Query {
    /// Returns the plan for an input that is not a table.
    pub(crate) fn plan(&self, input: &Input) -> PyResult<Arc<Plan>> {
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, plan)) = plans.iter().find(|(of, _)| of == input) {
            return Ok(Arc::clone(plan));
        }
        let plan = self.query.plan(input).map_err(|error| match error {
            Error::NotInInput(column) if Input::column().is_available(column) => wrong(format!(
                "column `{column}` depends on more than boards: pass `state`, or a table with its columns"
            )),
            other => raised(other),
        });
        let plan = Arc::new(plan?);
        plans.push((input.clone(), Arc::clone(&plan)));
        Ok(plan)
    }
}

/// Returns the columns selected by names, patterns and presets, and those of them that an input may lack.
pub(crate) fn selected(names: &[String]) -> PyResult<(Vec<Column>, Vec<Column>)> {
    Column::select(names).map_err(|error| match error {
        SelectionError::Unknown { nearest: None, .. } | SelectionError::NoMatch { .. } => {
            wrong(format!("{error}; `setwise.columns()` lists them"))
        }
        other => wrong(other),
    })
}

/// Returns the kernel of a backend, by default the fastest.
pub(crate) fn kernel_of(backend: Option<&str>) -> PyResult<Kernel> {
    let Some(name) = backend else { return Ok(Kernel::detect()) };
    let backend: Backend = name.parse().map_err(wrong)?;
    Kernel::new(backend).map_err(wrong)
}

/// The handling of invalid rows, by its name in Python. A loader does not have the last one.
pub(crate) const ON_INVALID: [(&str, OnInvalid); 4] = [
    ("raise", OnInvalid::Stop),
    ("skip", OnInvalid::Skip),
    ("keep", OnInvalid::Keep),
    ("null", OnInvalid::Null),
];

/// Returns the value with this name. `allowed` describes the names.
pub(crate) fn choice<T: Copy>(
    argument: &str,
    found: &str,
    allowed: &str,
    values: &[(&str, T)],
) -> PyResult<T> {
    let value = values.iter().find(|(name, _)| *name == found).map(|(_, value)| *value);
    value.ok_or_else(|| wrong(format!("`{argument}` {allowed}, found `{found}`")))
}

/// Returns a number of threads within the limits.
pub(crate) fn threads_of(threads: Option<i64>) -> PyResult<Option<usize>> {
    let within = |found: i64| match found.try_into() {
        Ok(threads @ 1..=MAX_THREADS) => Ok(threads),
        _ => Err(wrong(format!("`threads` must be 1 to {MAX_THREADS}, found {found}"))),
    };
    threads.map(within).transpose()
}

/// Returns the number of threads, by default one per processor.
pub(crate) fn threads_or_all(threads: Option<usize>) -> usize {
    threads.unwrap_or_else(|| available_parallelism().map_or(1, usize::from))
}

/// A callback that checks, about twenty times a second, whether Python wants to continue.
pub(crate) type GoOn<'a> = &'a mut (dyn FnMut() -> Result<(), Stopped> + Send);

/// A chunk that counts its rows as they are read.
pub(crate) struct Counted<'a> {
    chunk: &'a dyn Chunk,
    done: &'a AtomicUsize,
}

impl Chunk for Counted<'_> {
    fn rows(&self) -> usize {
        self.chunk.rows()
    }

    fn read(&self, range: Range<usize>, number: u64, rows: &mut Rows<'_>) -> Result<(), Error> {
        let count = range.len();
        self.chunk.read(range, number, rows)?;
        self.done.fetch_add(count, Ordering::Relaxed);
        Ok(())
    }
}

/// Runs work on chunks without the GIL. Calls `progress` with the number of rows read so far and the total.
pub(crate) fn run<R: Send>(
    py: Python<'_>,
    chunks: &[&dyn Chunk],
    progress: Option<Py<PyAny>>,
    work: impl FnOnce(&[Counted<'_>], GoOn<'_>) -> Result<R, Stopped> + Send,
) -> PyResult<R> {
    let done = AtomicUsize::new(0);
    let rows: usize = chunks.iter().map(|chunk| chunk.rows()).sum();
    let counted: Vec<_> = chunks.iter().map(|&chunk| Counted { chunk, done: &done }).collect();
    let report = |py: Python<'_>, done: usize| -> PyResult<()> {
        progress.as_ref().map_or(Ok(()), |progress| progress.call1(py, (done, rows)).map(drop))
    };
    report(py, 0)?;
    let outcome = py.detach(|| {
        let mut go_on = || {
            Python::attach(|py| {
                py.check_signals()?;
                report(py, done.load(Ordering::Relaxed))
            })
            .map_err(passed)
        };
        work(&counted, &mut go_on)
    });
    let result = outcome.map_err(raised)?;
    report(py, rows)?;
    Ok(result)
}

/// Advises the system to use huge pages for the memory of a large column, if it supports them: allocating pages of 4 KiB
/// takes a third of a call's time.
pub(crate) fn advise(address: *const u8, bytes: usize) {
    #[cfg(target_os = "linux")]
    {
        /// The smallest size in bytes for the advice, as in numpy.
        const LARGE: usize = 4 << 20;
        const PAGE: usize = 4096;
        if bytes >= LARGE {
            let start = address as usize;
            let first = start.next_multiple_of(PAGE);
            let length = start + bytes - first;
            // SAFETY: the advice changes no byte of these pages, whoever owns them, and the kernel may ignore it.
            unsafe { libc::madvise(first as *mut _, length, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (address, bytes);
}
