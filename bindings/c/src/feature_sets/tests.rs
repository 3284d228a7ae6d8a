//! Compares C's feature sets with the library's, also in child processes of programs with threads.

use setwise::Colour;

use super::*;
use crate::tests::string;

/// The named sets equal the library's, and a set made from the blocks of another set equals that set.
#[test]
fn the_sets_are_the_librarys() {
    let mut count = 0;
    for (index, set) in FeatureSet::ALL.iter().enumerate() {
        let named = setwise_feature_set_at(index);
        // SAFETY: all pointers are valid.
        unsafe {
            assert_eq!(string(setwise_feature_set_name(named)), set.name());
            assert_eq!(setwise_feature_set_inputs(named), set.inputs());
            assert!(ptr::eq(setwise_feature_set_find(setwise_feature_set_name(named)), named));
            let count = setwise_feature_set_block_count(named);
            assert_eq!(count, set.blocks().len());
            assert_eq!(setwise_feature_set_max_inputs(named), set.buffer_len());
            assert_eq!(setwise_feature_set_row_width(named), set.row_width());
            assert_eq!(setwise_feature_set_max_changes(named, 3), set.changes_len(3));
            let mut blocks = [in_c(&set.blocks()[0]); SETWISE_MAX_FEATURE_BLOCKS];
            for (place, block) in blocks[..count].iter_mut().enumerate() {
                *block = in_c(&FeatureSet::HALFKA_HM.blocks()[0]);
                let mut first = u32::MAX;
                let status = setwise_feature_set_block(named, place, block, &raw mut first);
                assert_eq!(status, setwise_status::Ok);
                assert_eq!(Some(first), set.range(place).map(|range| range.start));
            }
            let mut made = ptr::null_mut();
            let name = setwise_feature_set_name(named);
            let status = setwise_feature_set_new(name, blocks.as_ptr(), count, &raw mut made);
            assert_eq!(status, setwise_status::Ok);
            assert_eq!(&(*made).set, *set);
            assert_eq!(string(setwise_feature_set_name(made)), set.name());
            let step = if cfg!(miri) { 331 } else { 1 }; // Miri is slow
            let pairs = (0..64).flat_map(|king| (0..64).map(move |to| (king, to)));
            for (king, to) in pairs.step_by(step) {
                for (number, colour) in [(0, Colour::White), (1, Colour::Black)] {
                    let same = setwise_feature_set_is_same_view(made, number, king, to);
                    let [before, after] = [king, to].map(|king| set.seen_from(colour, king));
                    assert_eq!(same != 0, before.is_same_view(&after));
                }
            }
            setwise_feature_set_free(made);
            setwise_feature_set_free(named.cast_mut());
            assert_eq!(setwise_feature_set_inputs(named), set.inputs());
        }
        count += 1;
    }
    assert!(setwise_feature_set_at(count).is_null());
    // SAFETY: null is allowed.
    unsafe {
        setwise_feature_set_free(ptr::null_mut());
        assert!(setwise_feature_set_name(ptr::null()).is_null());
        assert_eq!(setwise_feature_set_inputs(ptr::null()), 0);
        assert_eq!(setwise_feature_set_is_same_view(ptr::null(), 0, 0, 0), 0);
        assert_eq!(setwise_feature_set_is_same_view(setwise_feature_set_at(0), 0, 64, 0), 0);
    }
}

/// The child of a fork can use the library even if other threads used it during the fork: no lock is left held by a
/// thread of the parent.
#[cfg(unix)]
#[test]
fn children_of_threaded_programs() {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::{Duration, Instant};

    unsafe extern "C" {
        fn fork() -> i32;
        fn waitpid(child: i32, status: *mut i32, options: i32) -> i32;
        fn kill(child: i32, signal: i32) -> i32;
        fn _exit(status: i32) -> !;
    }
    // SAFETY: the strings are NUL-terminated.
    let find = || unsafe {
        let joined = setwise_feature_set_find(c"halfka-hm+pawn-pairs-3-wide".as_ptr());
        let again = setwise_feature_set_find(c"pawn-pairs-3-wide+halfka-hm".as_ptr());
        !joined.is_null() && !again.is_null() && !ptr::eq(joined, again)
    };
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while find() && !is_over.load(Ordering::Relaxed) {
                    std::hint::spin_loop()
                }
            });
        }
        for _ in 0..100 {
            // SAFETY: the child calls the library and ends; the parent waits for it.
            let (child, done, status) = unsafe {
                let child = fork();
                if child == 0 {
                    _exit(if find() { 7 } else { 1 });
                }
                let (start, mut status) = (Instant::now(), 0);
                let mut done = 0;
                while done == 0 && start.elapsed() < Duration::from_secs(20) {
                    done = waitpid(child, &raw mut status, 1);
                    std::thread::yield_now();
                }
                if done == 0 {
                    kill(child, 9);
                    waitpid(child, &raw mut status, 0);
                }
                (child, done, status)
            };
            if (done, status) != (child, 7 << 8) {
                is_over.store(true, Ordering::Relaxed);
                panic!("a child waits, or failed: {done} {status:#x}");
            }
        }
        is_over.store(true, Ordering::Relaxed);
    });
}
