//! Tasks that are all known at the start.

use std::thread;
use std::time::{Duration, Instant};

use setwise_table::each;

#[test]
fn tasks_run_in_order_on_any_number_of_threads_until_stopped() {
    for threads in [1, 2, 8] {
        for tasks in [0, 1, 2, 100] {
            let done = each(threads, (0..tasks).collect(), &mut || Ok(()), |n: usize| {
                thread::sleep(Duration::from_micros(n as u64 * 7919 % 300));
                Ok::<_, ()>(n * n)
            });
            assert!(done.unwrap().into_iter().eq((0..tasks).map(|n| n * n)));
        }
        let mut checks = 0;
        let mut stop = || {
            checks += 1;
            if checks > 2 { Err("enough") } else { Ok(()) }
        };
        let started = Instant::now();
        let stopped = each(threads, vec![(); 10_000], &mut stop, |()| {
            thread::sleep(Duration::from_millis(5));
            Ok(())
        });
        assert_eq!(stopped, Err("enough"));
        assert!(started.elapsed() < Duration::from_secs(5));
    }
}

#[test]
fn one_task_or_one_thread_runs_on_the_caller() {
    let caller = thread::current().id();
    for (threads, tasks) in [(1, 50), (8, 1)] {
        let work = |()| Ok::<_, ()>(thread::current().id());
        let ids = each(threads, vec![(); tasks], &mut || Ok(()), work).unwrap();
        assert!(ids.into_iter().all(|id| id == caller));
    }
}

#[test]
fn the_first_error_in_order_is_returned() {
    for threads in [1, 4] {
        let work = |n| if n >= 30 { Err(n) } else { Ok(n) };
        assert_eq!(each(threads, (0..100).collect(), &mut || Ok(()), work), Err(30));
    }
}
