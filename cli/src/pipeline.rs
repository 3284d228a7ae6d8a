//! Work on many threads whose results come in order, in bounded memory.
//!
//! One thread draws items from a source, a pool works on them, and the caller gets the results in the
//! order of the items. What an item and its result weigh together is known when it is drawn: the source
//! waits while more than a limit is under way, so memory does not grow with the number of threads.

use std::sync::mpsc::channel;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use anyhow::{Context, Result, anyhow};
use rayon::ThreadPoolBuilder;

/// What a run may use.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// Threads of the pool; 0 is one for each core.
    pub(crate) threads: usize,
    /// Bytes under way. A single item may weigh more; then it is alone.
    pub(crate) bytes: usize,
}

/// Gives every item of the source to `work`, and the results in order to `sink`, on this thread.
///
/// # Errors
/// The first error in the order of the items, wherever it comes from; later items are dropped.
pub(crate) fn run<T: Send + 'static, U: Send + 'static>(
    limits: Limits,
    source: impl Iterator<Item = Result<T>> + Send + 'static,
    weight: impl Fn(&T) -> usize + Send + 'static,
    work: impl Fn(T) -> Result<U> + Send + Sync + 'static,
    mut sink: impl FnMut(U) -> Result<()>,
) -> Result<()> {
    let cannot_start = "cannot start the threads (--threads takes a smaller number)";
    let pool = ThreadPoolBuilder::new().num_threads(limits.threads).build();
    // The reason is in the message, and again in its source.
    let pool = pool.map_err(|error| anyhow!("{cannot_start}: {error}"))?;
    let (queue, results) = channel();
    let (under_way, work) = (Arc::new(UnderWay::new(limits.bytes)), Arc::new(work));
    let draw = move || {
        for item in source {
            let (answer, result) = channel();
            let item = item.map(|item| {
                let permit = UnderWay::admit(&under_way, weight(&item));
                (item, permit)
            });
            // Nobody listens any more if the caller has failed: then this thread just ends.
            if queue.send(result).is_err() {
                return;
            }
            match item {
                Ok((item, permit)) => {
                    let work = work.clone();
                    pool.spawn(move || {
                        let _ = answer.send(work(item).map(|result| (result, permit)));
                    });
                }
                Err(error) => {
                    let _ = answer.send(Err(error));
                    return;
                }
            }
        }
    };
    thread::Builder::new().name("reader".into()).spawn(draw).context(cannot_start)?;
    for result in results {
        let (result, permit) = result.recv().expect("every item is answered")?;
        sink(result)?;
        drop(permit);
    }
    Ok(())
}

/// The bytes under way, and how many there may be.
struct UnderWay {
    limit: usize,
    bytes: Mutex<usize>,
    less: Condvar,
}

/// Bytes that are under way as long as this lives.
struct Permit {
    under_way: Arc<UnderWay>,
    bytes: usize,
}

impl UnderWay {
    fn new(limit: usize) -> Self {
        Self { limit, bytes: Mutex::new(0), less: Condvar::new() }
    }

    fn bytes(&self) -> MutexGuard<'_, usize> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there is room.
    fn admit(this: &Arc<Self>, bytes: usize) -> Permit {
        let full = |under_way: &mut usize| *under_way > 0 && *under_way + bytes > this.limit;
        let mut under_way =
            this.less.wait_while(this.bytes(), full).unwrap_or_else(PoisonError::into_inner);
        *under_way += bytes;
        drop(under_way);
        Permit { under_way: this.clone(), bytes }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        *self.under_way.bytes() -= self.bytes;
        self.under_way.less.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use anyhow::bail;

    use super::*;

    fn limits(threads: usize, bytes: usize) -> Limits {
        Limits { threads, bytes }
    }

    #[test]
    fn results_come_in_order() {
        for threads in [1, 2, 8] {
            let mut seen = Vec::new();
            let work = |n: u64| {
                thread::sleep(std::time::Duration::from_micros(n * 7919 % 300));
                Ok(n * n)
            };
            let sink = |square| {
                seen.push(square);
                Ok(())
            };
            run(limits(threads, 10), (0..500).map(Ok), |_| 1, work, sink).unwrap();
            assert!(seen.iter().copied().eq((0..500).map(|n| n * n)), "{threads} threads");
        }
    }

    #[test]
    fn what_is_under_way_stays_below_the_limit() {
        const LIMIT: usize = 100;
        // What was drawn and is not yet through the sink; each weighs between 1 and 40.
        let under_way = Arc::new(AtomicUsize::new(0));
        let most = Arc::new(AtomicUsize::new(0));
        let weight = |n: &usize| 1 + n * 31 % 40;
        let admitted = {
            let (under_way, most) = (under_way.clone(), most.clone());
            move |n: usize| {
                let now = under_way.fetch_add(weight(&n), Ordering::SeqCst) + weight(&n);
                most.fetch_max(now, Ordering::SeqCst);
                Ok(n)
            }
        };
        let sink = |n: usize| {
            thread::sleep(std::time::Duration::from_micros(50));
            under_way.fetch_sub(weight(&n), Ordering::SeqCst);
            Ok(())
        };
        run(limits(8, LIMIT), (0..2000).map(Ok), weight, admitted, sink).unwrap();
        let most = most.load(Ordering::SeqCst);
        assert!(most <= LIMIT && most > LIMIT / 2, "{most}");
    }

    #[test]
    fn the_source_does_not_run_ahead() {
        let drawn = Arc::new(AtomicUsize::new(0));
        let source = {
            let drawn = drawn.clone();
            (0..1000).map(move |n: usize| {
                drawn.fetch_add(1, Ordering::SeqCst);
                Ok(n)
            })
        };
        let sink = |n: usize| {
            thread::sleep(std::time::Duration::from_micros(20));
            // Five are under way, and one waits to be.
            let drawn = drawn.load(Ordering::SeqCst);
            assert!(drawn <= n + 6, "{drawn} were drawn when {n} came out");
            Ok(())
        };
        run(limits(2, 5), source, |_| 1, Ok, sink).unwrap();
        assert_eq!(drawn.load(Ordering::SeqCst), 1000);
    }

    #[test]
    fn what_weighs_more_than_the_limit_goes_alone() {
        let mut seen = 0;
        let sink = |_| {
            seen += 1;
            Ok(())
        };
        run(limits(4, 10), (0..50).map(Ok), |n| n % 3 * 1000, Ok, sink).unwrap();
        assert_eq!(seen, 50);
    }

    #[test]
    fn the_first_error_in_order_is_the_one() {
        for threads in [1, 4] {
            let source = (0..100).map(|n| if n == 60 { bail!("source {n}") } else { Ok(n) });
            let work = |n: i32| {
                if n >= 30 {
                    bail!("work {n}")
                }
                Ok(n)
            };
            let error = run(limits(threads, 8), source, |_| 1, work, |_| Ok(())).unwrap_err();
            assert_eq!(error.to_string(), "work 30");
            let source = (0..100).map(|n| if n == 20 { bail!("source {n}") } else { Ok(n) });
            let mut seen = 0;
            let sink = |_| {
                seen += 1;
                Ok(())
            };
            let error = run(limits(threads, 8), source, |_| 1, work, sink).unwrap_err();
            assert_eq!((error.to_string().as_str(), seen), ("source 20", 20));
        }
    }
}
