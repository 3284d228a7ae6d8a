//! Work in parts, on several threads, that ends when the user wants it to.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// How often the calling thread looks whether the user has interrupted it.
const PATIENCE: Duration = Duration::from_millis(50);

/// The fewest rows of a task: a thread costs about as much to start as they take.
const FEWEST: usize = 2048;

/// How many threads are meant.
#[derive(Clone, Copy)]
pub(crate) struct Threads {
    threads: usize,
}

/// Why there is no result.
pub(crate) enum Stopped<E> {
    /// The first of the tasks that failed, in their order.
    Failed(E),
    /// A signal's exception.
    Raised(PyErr),
}

impl Threads {
    /// As many as asked for, or as there are processors for this process.
    pub(crate) fn new(threads: Option<usize>) -> PyResult<Self> {
        let threads = match threads {
            Some(0) => return Err(PyValueError::new_err("threads must be at least 1")),
            Some(threads) => threads,
            None => thread::available_parallelism().map_or(1, usize::from),
        };
        Ok(Self { threads })
    }

    /// How many rows a task should have, so that all threads are busy to the end, and `most` at most.
    pub(crate) fn rows_of_a_task(self, rows: usize, most: usize) -> usize {
        let parts = if self.threads == 1 { 1 } else { 4 * self.threads };
        rows.div_ceil(parts).clamp(FEWEST, most)
    }

    /// Does all tasks without the GIL, and gives their results in order. The calling thread works too, and
    /// looks for signals between its tasks, so a task should not take longer than some ten milliseconds.
    pub(crate) fn run<T: Send, R: Send, E: Send>(
        self,
        py: Python<'_>,
        tasks: Vec<T>,
        work: impl Fn(T) -> Result<R, E> + Sync,
    ) -> Result<Vec<R>, Stopped<E>> {
        let count = tasks.len();
        let shared = Shared {
            tasks: Mutex::new(tasks.into_iter().enumerate()),
            end: AtomicUsize::new(usize::MAX),
            failed: Mutex::new(None),
        };
        let raised = Mutex::new(None);
        let results = py.detach(|| {
            let mut checked = Instant::now();
            let mut interrupted = || {
                if checked.elapsed() < PATIENCE {
                    return false;
                }
                let signal = Python::attach(|py| py.check_signals());
                checked = Instant::now();
                match signal {
                    Ok(()) => false,
                    Err(error) => {
                        *lock(&raised) = Some(error);
                        true
                    }
                }
            };
            thread::scope(|scope| {
                let others: Vec<_> = (1..self.threads.min(count))
                    .map(|_| scope.spawn(|| shared.work(&work, || false)))
                    .collect();
                let mut results = shared.work(&work, &mut interrupted);
                for other in others {
                    match other.join() {
                        Ok(more) => results.extend(more),
                        Err(panic) => std::panic::resume_unwind(panic),
                    }
                }
                results
            })
        });
        if let Some(error) = lock(&raised).take() {
            return Err(Stopped::Raised(error));
        }
        if let Some((_, error)) = lock(&shared.failed).take() {
            return Err(Stopped::Failed(error));
        }
        let mut results = results;
        results.sort_unstable_by_key(|(index, _)| *index);
        Ok(results.into_iter().map(|(_, result)| result).collect())
    }
}

/// What the threads of a call have in common.
struct Shared<I, E> {
    tasks: Mutex<I>,
    /// Tasks from here on need not be done.
    end: AtomicUsize,
    failed: Mutex<Option<(usize, E)>>,
}

impl<T, E, I: Iterator<Item = (usize, T)>> Shared<I, E> {
    fn work<R>(
        &self,
        work: impl Fn(T) -> Result<R, E>,
        mut interrupted: impl FnMut() -> bool,
    ) -> Vec<(usize, R)> {
        let mut results = Vec::new();
        loop {
            let next = lock(&self.tasks).next();
            let Some((index, task)) = next else { break };
            // Tasks come in order: all that are left are later ones.
            if index >= self.end.load(Ordering::Relaxed) {
                break;
            }
            match work(task) {
                Ok(result) => results.push((index, result)),
                Err(error) => {
                    self.end.fetch_min(index, Ordering::Relaxed);
                    let mut failed = lock(&self.failed);
                    if failed.as_ref().is_none_or(|(first, _)| index < *first) {
                        *failed = Some((index, error));
                    }
                }
            }
            if interrupted() {
                self.end.store(0, Ordering::Relaxed);
            }
        }
        results
    }
}

/// A lock that another thread's panic has left is as good as any: the panic goes on anyway.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
