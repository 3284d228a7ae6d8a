//! Threads, the order of results, the size of parts, and the memory in use. Only this file decides about these.
//!
//! There are two executors. [`each`] runs tasks that are all known at the start. [`in_order`] reads items from a source
//! that can block. It waits while the items in use weigh more than a limit, so memory does not grow with the number of
//! threads.

use std::collections::VecDeque;
use std::io;
use std::panic;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The number of positions that are passed to the kernel together: 128 KiB. The overhead of a call is then negligible,
/// and the positions are still in the cache when the kernel reads them.
pub(crate) const CHUNK: usize = 2048;

/// The number of rows in a part of columns in memory. With fewer rows, starting a thread would take as long as its
/// work. With more rows (a few tenths of a millisecond of work), threads would finish at different times.
const PART: std::ops::RangeInclusive<usize> = 2048..=8192;

/// The interval at which the calling thread checks whether to continue.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// The maximum number of threads of a call.
pub const MAX_THREADS: usize = 1024;

/// The requested number of threads, or the number of processors for this process.
pub(crate) fn count(threads: Option<usize>) -> usize {
    let all = || thread::available_parallelism().map_or(1, usize::from);
    threads.unwrap_or_else(all).clamp(1, MAX_THREADS)
}

/// The number of rows in a part of columns in memory, given the total number of rows.
pub(crate) fn part_rows(threads: usize, rows: usize) -> usize {
    let parts = if threads == 1 { 1 } else { 4 * threads };
    rows.div_ceil(parts).clamp(*PART.start(), *PART.end())
}

/// Locks a mutex. Ignores poisoning by another thread's panic, which is propagated anyway.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs all tasks, and returns their results in order. The calling thread works too; between its tasks, about twenty
/// times per second, it calls `check`, whose error stops the work. With one task or one thread, no other thread is
/// started.
///
/// # Errors
/// The error of `check`, otherwise the first error in the order of the tasks.
///
/// ```
/// let squares = setwise_table::each(2, vec![1, 2, 3], &mut || Ok(()), |n| Ok::<_, ()>(n * n));
/// assert_eq!(squares, Ok(vec![1, 4, 9]));
/// ```
pub fn each<T: Send, R: Send, E: Send>(
    threads: usize,
    tasks: Vec<T>,
    check: &mut dyn FnMut() -> Result<(), E>,
    work: impl Fn(T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let others = threads.min(tasks.len()).saturating_sub(1);
    let (tasks, results) = (Mutex::new(tasks.into_iter().enumerate()), Mutex::new(Vec::new()));
    let run = |check: &mut dyn FnMut() -> Result<(), E>| {
        loop {
            let Some((index, task)) = lock(&tasks).next() else { return Ok(()) };
            let result = work(task);
            let has_failed = result.is_err();
            lock(&results).push((index, result));
            let checked = check();
            if has_failed || checked.is_err() {
                // Tasks are started in order, so all remaining ones are later.
                lock(&tasks).by_ref().for_each(drop);
                return checked;
            }
        }
    };
    let mut checked = Instant::now();
    let mut patience = || {
        if checked.elapsed() < CHECK_INTERVAL {
            return Ok(());
        }
        checked = Instant::now();
        check()
    };
    thread::scope(|scope| {
        let others = (0..others).map_while(|_| {
            // If no thread can be started, the existing threads do the work.
            thread::Builder::new().spawn_scoped(scope, || run(&mut || Ok(()))).ok()
        });
        let others: Vec<_> = others.collect();
        let stopped = run(&mut patience);
        for other in others {
            if let Err(payload) = other.join() {
                panic::resume_unwind(payload);
            }
        }
        stopped
    })?;
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// A piece of the work on an item. Any thread can run it.
pub type Piece<T, E> = Box<dyn FnOnce() -> Result<T, E> + Send>;

/// Reads items with their weights, passes each to `work`, and runs the pieces of work that it returns, on any thread.
/// Passes the results of each item in order to `take`, on this thread. The items in progress together weigh no more
/// than the limit, unless a single item does.
///
/// A separate thread reads the items, so that reading continues even if only one thread works. This function does not
/// wait for that thread, so a blocked source does not delay an error.
///
/// # Errors
/// The first error in the order of the items, from any stage; later items are dropped. `cannot_start` is called if the
/// threads cannot be started.
pub(crate) fn in_order<T, U, D, E>(
    threads: usize,
    limit: usize,
    draw: impl FnMut() -> Result<Option<(usize, T)>, E> + Send + 'static,
    work: impl Fn(T) -> Result<(U, Vec<Piece<D, E>>), E> + Sync,
    mut take: impl FnMut(U, Vec<D>) -> Result<(), E>,
    cannot_start: impl FnOnce(io::Error) -> E,
) -> Result<(), E>
where
    T: Send + 'static,
    U: Send + 'static,
    D: Send + 'static,
    E: Send + 'static,
{
    let jobs = Jobs { items: VecDeque::new(), pieces: VecDeque::new(), bytes: 0, ended: false };
    let shared = Arc::new(Shared { jobs: Mutex::new(jobs), changed: Condvar::new() });
    let (turns, in_turn) = channel();
    let reader = Arc::clone(&shared);
    let read = move || reader.draw(limit, draw, &turns);
    thread::scope(|scope| {
        let start = || -> io::Result<()> {
            for _ in 0..threads {
                let worker = || {
                    let _end = Ending(&shared);
                    shared.work(&work);
                };
                thread::Builder::new().spawn_scoped(scope, worker)?;
            }
            thread::Builder::new().name("reader".into()).spawn(read)?;
            Ok(())
        };
        // The workers stop even if this function panics.
        let _end = Ending(&shared);
        start().map_err(cannot_start)?;
        while let Some((weight, item)) = received(&in_turn)? {
            let (value, pieces) = received(&item)?;
            take(value, pieces.iter().map(received).collect::<Result<_, _>>()?)?;
            lock(&shared.jobs).bytes -= weight;
            shared.changed.notify_all();
        }
        Ok(())
    })
}

/// Waits for a result. A thread that panics drops its senders.
fn received<T>(from: &Receiver<T>) -> T {
    from.recv().unwrap_or_else(|_| panic!("a thread of the run has panicked"))
}

/// The value of an item, and the results of its pieces, in order.
type Item<U, D, E> = Result<(U, Vec<Receiver<Result<D, E>>>), E>;

/// The next item in order, with its weight; `None` at the end.
type Turn<U, D, E> = Result<Option<(usize, Receiver<Item<U, D, E>>)>, E>;

/// The state that the threads of a run share.
struct Shared<T, U, D, E> {
    jobs: Mutex<Jobs<T, U, D, E>>,
    changed: Condvar,
}

/// Work that waits for a thread.
struct Job<W, R> {
    work: W,
    result: Sender<R>,
}

struct Jobs<T, U, D, E> {
    items: VecDeque<Job<T, Item<U, D, E>>>,
    /// Pieces have priority over new items, which would need more memory.
    pieces: VecDeque<Job<Piece<D, E>, Result<D, E>>>,
    /// The weight of the items in progress.
    bytes: usize,
    /// True after the end of the run. Threads must then stop waiting.
    ended: bool,
}

/// Ends the run when it is dropped, including by a panic.
struct Ending<'a, T, U, D, E>(&'a Shared<T, U, D, E>);

impl<T, U, D, E> Drop for Ending<'_, T, U, D, E> {
    fn drop(&mut self) {
        let mut jobs = lock(&self.0.jobs);
        jobs.ended = true;
        jobs.items.clear();
        jobs.pieces.clear();
        self.0.changed.notify_all();
    }
}

impl<T, U, D, E> Shared<T, U, D, E> {
    fn wait<'a>(&self, jobs: MutexGuard<'a, Jobs<T, U, D, E>>) -> MutexGuard<'a, Jobs<T, U, D, E>> {
        self.changed.wait(jobs).unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads until the source ends or the run is over.
    fn draw(
        &self,
        limit: usize,
        mut draw: impl FnMut() -> Result<Option<(usize, T)>, E>,
        turns: &Sender<Turn<U, D, E>>,
    ) {
        loop {
            let next = draw();
            let add = |(weight, item)| (weight, self.add(limit, weight, item));
            let turn = next.map(|next| next.map(add));
            let goes_on = matches!(turn, Ok(Some(_)));
            if turns.send(turn).is_err() || !goes_on || lock(&self.jobs).ended {
                return;
            }
        }
    }

    /// Adds an item as soon as the limit allows it.
    fn add(&self, limit: usize, weight: usize, item: T) -> Receiver<Item<U, D, E>> {
        let (result, received) = channel();
        let mut jobs = lock(&self.jobs);
        while !jobs.ended && jobs.bytes > 0 && jobs.bytes + weight > limit {
            jobs = self.wait(jobs);
        }
        jobs.bytes += weight;
        jobs.items.push_back(Job { work: item, result });
        self.changed.notify_all();
        received
    }

    /// Processes items until the run is over. After that, nobody receives the results.
    fn work(&self, work: impl Fn(T) -> Result<(U, Vec<Piece<D, E>>), E>) {
        let mut jobs = lock(&self.jobs);
        while !jobs.ended {
            if let Some(piece) = jobs.pieces.pop_front() {
                drop(jobs);
                let _ = piece.result.send((piece.work)());
                jobs = lock(&self.jobs);
            } else if let Some(item) = jobs.items.pop_front() {
                drop(jobs);
                let worked = work(item.work);
                jobs = lock(&self.jobs);
                let _ = item.result.send(worked.map(|(value, pieces)| {
                    let add = |work| {
                        let (result, received) = channel();
                        jobs.pieces.push_back(Job { work, result });
                        received
                    };
                    (value, pieces.into_iter().map(add).collect())
                }));
                self.changed.notify_all();
            } else {
                jobs = self.wait(jobs);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn run(
        (threads, limit): (usize, usize),
        mut source: impl Iterator<Item = Result<usize, String>> + Send + 'static,
        weight: impl Fn(&usize) -> usize + Send + 'static,
        work: impl Fn(usize) -> Result<usize, String> + Sync,
        mut sink: impl FnMut(usize) -> Result<(), String>,
    ) -> Result<(), String> {
        let draw = move || Ok(source.next().transpose()?.map(|item| (weight(&item), item)));
        // Each number has as many pieces as its last digit; their results come in order.
        let piece = |piece: usize| -> Piece<usize, String> {
            Box::new(move || {
                thread::sleep(Duration::from_micros(piece as u64 * 31 % 100));
                Ok(piece)
            })
        };
        let work = |n| work(n).map(|n| (n, (0..n % 10).map(piece).collect()));
        let take = |n: usize, pieces: Vec<usize>| {
            assert!(pieces.into_iter().eq(0..n % 10));
            sink(n)
        };
        in_order(threads, limit, draw, work, take, |error| error.to_string())
    }

    #[test]
    fn results_come_in_order() {
        for threads in [1, 2, 8] {
            let mut seen = Vec::new();
            let work = |n: usize| {
                thread::sleep(Duration::from_micros(n as u64 * 7919 % 300));
                Ok(n * n)
            };
            let sink = |square| {
                seen.push(square);
                Ok(())
            };
            run((threads, 10), (0..500).map(Ok), |_| 1, work, sink).unwrap();
            assert!(seen.iter().copied().eq((0..500).map(|n| n * n)), "{threads} threads");
        }
    }

    #[test]
    fn the_work_in_progress_stays_below_the_limit() {
        const LIMIT: usize = 100;
        // The weight of the items between source and sink; each weighs between 1 and 40.
        let under_way = AtomicUsize::new(0);
        let max = AtomicUsize::new(0);
        let weight = |n: &usize| 1 + n * 31 % 40;
        let admitted = |n: usize| {
            let now = under_way.fetch_add(weight(&n), Ordering::SeqCst) + weight(&n);
            max.fetch_max(now, Ordering::SeqCst);
            Ok(n)
        };
        let sink = |n: usize| {
            thread::sleep(Duration::from_micros(50));
            under_way.fetch_sub(weight(&n), Ordering::SeqCst);
            Ok(())
        };
        run((8, LIMIT), (0..2000).map(Ok), weight, admitted, sink).unwrap();
        let max = max.load(Ordering::SeqCst);
        assert!(max <= LIMIT && max > LIMIT / 2, "{max}");
    }

    #[test]
    fn the_source_does_not_read_ahead() {
        let drawn = Arc::new(AtomicUsize::new(0));
        let counted = drawn.clone();
        let source = (0..1000).map(move |n: usize| {
            counted.fetch_add(1, Ordering::SeqCst);
            Ok(n)
        });
        let sink = |n: usize| {
            thread::sleep(Duration::from_micros(20));
            // Five items are in progress, and one waits.
            let drawn = drawn.load(Ordering::SeqCst);
            assert!(drawn <= n + 6, "{drawn} were drawn when {n} came out");
            Ok(())
        };
        run((2, 5), source, |_| 1, Ok, sink).unwrap();
        assert_eq!(drawn.load(Ordering::SeqCst), 1000);
    }

    #[test]
    fn items_above_the_limit_are_processed_alone() {
        let mut seen = 0;
        let sink = |_| {
            seen += 1;
            Ok(())
        };
        run((4, 10), (0..50).map(Ok), |n| n % 3 * 1000, Ok, sink).unwrap();
        assert_eq!(seen, 50);
    }

    #[test]
    fn the_first_error_in_order_is_returned() {
        for threads in [1, 4] {
            let fails = |n, at, who: &str| if n >= at { Err(format!("{who} {n}")) } else { Ok(n) };
            let source = (0..100).map(move |n| fails(n, 60, "source"));
            let work = |n| fails(n, 30, "work");
            let error = run((threads, 8), source, |_| 1, work, |_| Ok(())).unwrap_err();
            assert_eq!(error, "work 30");
            let source = (0..100).map(move |n| fails(n, 20, "source"));
            let mut seen = 0;
            let sink = |_| {
                seen += 1;
                Ok(())
            };
            let error = run((threads, 8), source, |_| 1, work, sink).unwrap_err();
            assert_eq!((error.as_str(), seen), ("source 20", 20));
        }
    }

    #[test]
    fn a_source_that_blocks_does_not_hold_up_an_error() {
        let (sender, receiver) = std::sync::mpsc::channel::<()>();
        let source = (0..).map(move |n| {
            if n == 3 {
                let _ = receiver.recv(); // blocks forever: the sender outlives the run
            }
            Ok(n)
        });
        let work = |n| if n == 2 { Err("work 2".to_owned()) } else { Ok(n) };
        assert_eq!(run((2, 100), source, |_| 1, work, |_| Ok(())).unwrap_err(), "work 2");
        drop(sender);
    }

    #[test]
    #[should_panic = "a thread of the run has panicked"]
    fn a_source_that_panics_ends_the_run() {
        let source = (0..9).map(|n: usize| if n == 4 { panic!("source {n}") } else { Ok(n) });
        let _ = run((2, 100), source, |_| 1, Ok, |_| Ok(()));
    }

    #[test]
    #[should_panic = "panicked"]
    fn work_that_panics_ends_the_run() {
        let work = |n: usize| if n == 4 { panic!("work {n}") } else { Ok(n) };
        let _ = run((2, 100), (0..1000).map(Ok), |_| 1, work, |_| Ok(()));
    }
}
