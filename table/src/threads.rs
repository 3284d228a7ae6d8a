//! Threads, order, the size of a part, and the bytes under way: all that is known of these is in this file.
//!
//! Two ways to work. [`each`] does tasks that are all there at the beginning, the calling thread among the workers.
//! [`in_order`] draws items from a source that can block, works on them, and hands the results in order to the calling
//! thread. What an item weighs is known when it is drawn, and the source waits while more than a limit is under way, so
//! memory does not grow with the number of threads. Either way the first error in the order of the items is the one
//! that is returned.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::panic;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Positions that wait for the kernel: 128 KiB of them, so that a call costs nothing beside its work, and they are still
/// in the cache when it reads them.
pub(crate) const CHUNK: usize = 2048;

/// The rows of a part of columns in memory: at least so many, as a thread costs about as much to start as they take; and
/// at most so many, some tenths of a millisecond of work, so that all threads end at the same time.
const PART: std::ops::RangeInclusive<usize> = 2048..=8192;

/// How often the calling thread asks whether it is to go on.
const PATIENCE: Duration = Duration::from_millis(50);

/// As many as asked for, or as there are processors for this process. Where there are no threads, none is started.
pub(crate) fn count(threads: Option<usize>) -> usize {
    match threads {
        _ if cfg!(target_family = "wasm") => 1,
        Some(threads) => threads,
        None => thread::available_parallelism().map_or(1, usize::from),
    }
}

/// The rows of a part of columns in memory, of so many rows in all.
pub(crate) fn part_rows(threads: usize, rows: usize) -> usize {
    let parts = if threads == 1 { 1 } else { 4 * threads };
    rows.div_ceil(parts).clamp(*PART.start(), *PART.end())
}

/// Now, but not every wasm has a clock.
pub(crate) fn clock() -> Option<Instant> {
    (!cfg!(target_family = "wasm")).then(Instant::now)
}

/// A lock that another thread's panic has left is as good as any: the panic goes on anyway.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Asks whether to go on, but not more often than makes sense.
struct Asking<'a, E> {
    go_on: &'a mut dyn FnMut() -> Result<(), E>,
    asked: Option<Instant>,
}

impl<E> Asking<'_, E> {
    fn ask(&mut self) -> Result<(), E> {
        if self.asked.is_none_or(|asked| asked.elapsed() < PATIENCE) {
            return Ok(());
        }
        self.asked = clock();
        (self.go_on)()
    }
}

/// Does all tasks, and gives their results in order. The calling thread works too, and between its tasks, some twenty
/// times a second, asks `go_on` whether it shall; for one task or one thread no other thread is started.
///
/// # Errors
/// The first error in the order of the tasks; before that, one of `go_on`.
///
/// ```
/// let squares = setwise_table::each(2, vec![1, 2, 3], &mut || Ok(()), |n| Ok::<_, ()>(n * n));
/// assert_eq!(squares, Ok(vec![1, 4, 9]));
/// ```
pub fn each<T: Send, R: Send, E: Send>(
    threads: usize,
    tasks: Vec<T>,
    go_on: &mut dyn FnMut() -> Result<(), E>,
    work: impl Fn(T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let count = tasks.len();
    let tasks = Mutex::new(tasks.into_iter().enumerate());
    // Tasks from here on need not be done.
    let end = AtomicUsize::new(usize::MAX);
    let run =
        |asking: &mut dyn FnMut() -> Result<(), E>| -> (Vec<(usize, Result<R, E>)>, Option<E>) {
            let mut results = Vec::new();
            loop {
                let next = lock(&tasks).next();
                // Tasks come in order: all that are left are later ones.
                let Some((index, task)) =
                    next.filter(|(index, _)| *index < end.load(Ordering::Relaxed))
                else {
                    return (results, None);
                };
                let result = work(task);
                if result.is_err() {
                    end.fetch_min(index, Ordering::Relaxed);
                }
                results.push((index, result));
                if let Err(error) = asking() {
                    end.store(0, Ordering::Relaxed);
                    return (results, Some(error));
                }
            }
        };
    let mut asking = Asking { go_on, asked: clock() };
    let (mut results, stopped) = thread::scope(|scope| {
        let others = (1..threads.min(count)).map_while(|_| {
            // Where no thread can be started, those that there are do the work.
            thread::Builder::new().spawn_scoped(scope, || run(&mut || Ok(())).0).ok()
        });
        let others: Vec<_> = others.collect();
        let (mut results, stopped) = run(&mut || asking.ask());
        for other in others {
            match other.join() {
                Ok(more) => results.extend(more),
                Err(payload) => panic::resume_unwind(payload),
            }
        }
        (results, stopped)
    });
    if let Some(error) = stopped {
        return Err(error);
    }
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// What a run in order may use.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) threads: usize,
    /// Bytes under way. A single item may weigh more; then it is alone.
    pub(crate) bytes: usize,
}

/// Draws items, gives each to `work` and the pieces that come of it to `encode`, on any threads; and hands what came of
/// each item in order to `take`, on this thread.
///
/// Items are drawn by a thread of their own, so that reading goes on while one thread works. It is not waited for: a
/// source that blocks does not hold up an error.
///
/// # Errors
/// The first error in the order of the items, wherever it comes from; later items are dropped. One of `cannot_start` if
/// the threads cannot be started.
pub(crate) fn in_order<T, U, P, D, E>(
    limits: Limits,
    mut draw: impl FnMut() -> Result<Option<T>, E> + Send + 'static,
    weight: impl Fn(&T) -> usize + Send + 'static,
    work: impl Fn(T) -> Result<(U, Vec<P>), E> + Sync,
    encode: impl Fn(P) -> Result<D, E> + Sync,
    mut take: impl FnMut(U, Vec<D>) -> Result<(), E>,
    cannot_start: impl FnOnce(io::Error) -> E,
) -> Result<(), E>
where
    T: Send + 'static,
    U: Send + 'static,
    P: Send + 'static,
    D: Send + 'static,
    E: Send + 'static,
{
    if cfg!(target_family = "wasm") {
        while let Some(item) = draw()? {
            let (made, pieces) = work(item)?;
            take(made, pieces.into_iter().map(&encode).collect::<Result<_, _>>()?)?;
        }
        return Ok(());
    }
    let shared = Arc::new(Shared {
        state: Mutex::new(State {
            items: VecDeque::new(),
            pieces: VecDeque::new(),
            done: BTreeMap::new(),
            bytes: 0,
            drawn: None,
            over: false,
        }),
        changed: Condvar::new(),
    });
    let reader = Arc::clone(&shared);
    let read = move || reader.draw(limits.bytes, draw, weight);
    let outcome = thread::scope(|scope| {
        let start = || -> io::Result<()> {
            for _ in 0..limits.threads {
                let worker = || {
                    let _end = Ending(&shared);
                    shared.work(&work, &encode);
                };
                thread::Builder::new().spawn_scoped(scope, worker)?;
            }
            thread::Builder::new().name("reader".into()).spawn(read)?;
            Ok(())
        };
        // Whatever happens here, the workers end.
        let _end = Ending(&shared);
        start().map_err(cannot_start)?;
        shared.take(&mut take)
    });
    outcome
}

/// What the threads of a run in order have in common.
struct Shared<T, U, P, D, E> {
    state: Mutex<State<T, U, P, D, E>>,
    changed: Condvar,
}

struct State<T, U, P, D, E> {
    /// What is drawn, with its number and its weight.
    items: VecDeque<(usize, usize, T)>,
    /// What is to be encoded. It comes before new items, which would take more memory.
    pieces: VecDeque<(Arc<Split<U, D, E>>, usize, P)>,
    /// What waits for its turn.
    done: BTreeMap<usize, Result<(U, Vec<D>, usize), E>>,
    bytes: usize,
    /// How many items there are, when that is known.
    drawn: Option<usize>,
    /// Nobody waits for anything any more.
    over: bool,
}

/// An item whose pieces are being encoded.
struct Split<U, D, E> {
    index: usize,
    weight: usize,
    rest: Mutex<Rest<U, D, E>>,
}

struct Rest<U, D, E> {
    made: Option<U>,
    encoded: Vec<Option<D>>,
    missing: usize,
    failed: Option<E>,
}

/// Ends the run when it goes, also by a panic.
struct Ending<'a, T, U, P, D, E>(&'a Shared<T, U, P, D, E>);

impl<T, U, P, D, E> Drop for Ending<'_, T, U, P, D, E> {
    fn drop(&mut self) {
        lock(&self.0.state).over = true;
        self.0.changed.notify_all();
    }
}

type Guard<'a, T, U, P, D, E> = MutexGuard<'a, State<T, U, P, D, E>>;

impl<T, U, P, D, E> Shared<T, U, P, D, E> {
    fn wait<'a>(&self, state: Guard<'a, T, U, P, D, E>) -> Guard<'a, T, U, P, D, E> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Draws until the source ends or nobody wants more.
    fn draw(
        &self,
        limit: usize,
        mut draw: impl FnMut() -> Result<Option<T>, E>,
        weight: impl Fn(&T) -> usize,
    ) {
        for index in 0.. {
            // A source that panics has no more items, and the run fails by the message of the panic.
            let drawn = panic::catch_unwind(panic::AssertUnwindSafe(&mut draw));
            let mut state = lock(&self.state);
            match drawn {
                Ok(Ok(Some(item))) => {
                    let weight = weight(&item);
                    while !state.over && state.bytes > 0 && state.bytes + weight > limit {
                        state = self.wait(state);
                    }
                    state.bytes += weight;
                    state.items.push_back((index, weight, item));
                }
                Ok(Ok(None)) => state.drawn = Some(index),
                Ok(Err(error)) => {
                    state.done.insert(index, Err(error));
                    state.drawn = Some(index + 1);
                }
                Err(_) => state.over = true,
            }
            self.changed.notify_all();
            if state.over || state.drawn.is_some() {
                return;
            }
        }
    }

    /// Works and encodes until the run is over.
    fn work(&self, work: impl Fn(T) -> Result<(U, Vec<P>), E>, encode: impl Fn(P) -> Result<D, E>) {
        let mut state = lock(&self.state);
        while !state.over {
            if let Some((split, place, piece)) = state.pieces.pop_front() {
                drop(state);
                let encoded = encode(piece);
                if let Some(result) = split.put(place, encoded) {
                    self.finish(split.index, result);
                }
            } else if let Some((index, weight, item)) = state.items.pop_front() {
                drop(state);
                match work(item) {
                    Err(error) => self.finish(index, Err(error)),
                    Ok((made, pieces)) if pieces.is_empty() => {
                        self.finish(index, Ok((made, Vec::new(), weight)));
                    }
                    Ok((made, pieces)) => {
                        let split = Arc::new(Split::new(index, weight, made, pieces.len()));
                        let pieces = pieces.into_iter().enumerate();
                        let pieces = pieces.map(|(place, piece)| (split.clone(), place, piece));
                        lock(&self.state).pieces.extend(pieces);
                        self.changed.notify_all();
                    }
                }
            } else {
                state = self.wait(state);
                continue;
            }
            state = lock(&self.state);
        }
    }

    fn finish(&self, index: usize, result: Result<(U, Vec<D>, usize), E>) {
        lock(&self.state).done.insert(index, result);
        self.changed.notify_all();
    }

    /// Takes the results in order.
    fn take(&self, take: &mut impl FnMut(U, Vec<D>) -> Result<(), E>) -> Result<(), E> {
        for index in 0.. {
            let mut state = lock(&self.state);
            let result = loop {
                if let Some(result) = state.done.remove(&index) {
                    break result;
                }
                if state.drawn == Some(index) {
                    return Ok(());
                }
                assert!(!state.over, "a thread of the run has panicked");
                state = self.wait(state);
            };
            drop(state);
            let (made, encoded, weight) = result?;
            take(made, encoded)?;
            lock(&self.state).bytes -= weight;
            self.changed.notify_all();
        }
        Ok(())
    }
}

impl<U, D, E> Split<U, D, E> {
    fn new(index: usize, weight: usize, made: U, pieces: usize) -> Self {
        let encoded = std::iter::repeat_with(|| None).take(pieces).collect();
        let rest = Rest { made: Some(made), encoded, missing: pieces, failed: None };
        Self { index, weight, rest: Mutex::new(rest) }
    }

    /// Puts a piece in its place. With the last of them the item is complete.
    fn put(&self, place: usize, encoded: Result<D, E>) -> Option<Result<(U, Vec<D>, usize), E>> {
        let mut rest = lock(&self.rest);
        match encoded {
            Ok(encoded) => rest.encoded[place] = Some(encoded),
            Err(error) => rest.failed = Some(error),
        }
        rest.missing -= 1;
        if rest.missing > 0 {
            return None;
        }
        if let Some(error) = rest.failed.take() {
            return Some(Err(error));
        }
        let encoded = rest.encoded.drain(..).flatten().collect();
        Some(Ok((rest.made.take()?, encoded, self.weight)))
    }
}
