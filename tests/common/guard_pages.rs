//! Guard pages: while [`guarded`] runs, the test's allocator places every allocation of this thread against an
//! inaccessible page. A load or store out of bounds then crashes the test program.
//!
//! Miri detects accesses outside of allocations without guards, so it runs the same calls without them, with few rows.

#![allow(dead_code, reason = "each test program takes what it needs of it")]

use std::io::Write;
use std::sync::OnceLock;

use setwise::{Batch, Colour, Fen, Kernel, Pieces, Positions};

use crate::common::oracles::turns;

/// The side of a buffer on which the faulting page is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Guard {
    Before,
    Behind,
}

pub(crate) const GUARDS: [Guard; 2] = [Guard::Before, Guard::Behind];

/// The largest length to test: beyond blocks of 8 to 64 boards, and up to three of the largest blocks.
pub(crate) const MOST: usize = if cfg!(miri) { 67 } else { 200 };

#[cfg(not(miri))]
pub(crate) use allocator::guarded;

/// Runs a function whose allocations Miri watches.
#[cfg(miri)]
pub(crate) fn guarded<T>(_: Guard, run: impl FnOnce() -> T) -> T {
    run()
}

/// The contents of outputs before a call.
pub(crate) const GARBAGE: u64 = 0x0123_4567_89ab_cdef;

/// Prints the number of calls that a test made.
pub(crate) fn say(kernel: Kernel, what: &str, calls: usize) {
    let backend = kernel.backend();
    let _ = writeln!(std::io::stderr(), "{calls} calls of {what} by {backend} against guard pages");
}

/// Every length with either guard; for Miri, less than a block, a whole block, and a block with an overlap.
pub(crate) fn lengths() -> Vec<(Guard, usize)> {
    if cfg!(miri) {
        return [1, 64, MOST].map(|rows| (Guard::Behind, rows)).to_vec();
    }
    GUARDS.into_iter().flat_map(|guard| (0..=MOST).map(move |rows| (guard, rows))).collect()
}

/// Positions, also in columns.
pub(crate) struct Sample {
    pub(crate) positions: Vec<Pieces>,
    columns: Pieces<Vec<u64>>,
    pub(crate) turns: Vec<Colour>,
}

pub(crate) fn sample() -> &'static Sample {
    static SAMPLE: OnceLock<Sample> = OnceLock::new();
    SAMPLE.get_or_init(|| {
        let lines = include_str!("../../data/sample.epd").lines().take(MOST);
        let parsed = |line| Fen::parse(line).expect("a position").pieces;
        let positions: Vec<Pieces> = lines.map(parsed).collect();
        let column = |set: usize| positions.iter().map(|pieces| pieces.sets()[set]).collect();
        let columns = Pieces::from_sets([0, 1, 2, 3, 4, 5, 6, 7]).map(column);
        Sample { positions, columns, turns: turns().take(MOST).collect() }
    })
}

/// Positions in all three layouts, each of them against a guard.
pub(crate) struct Forms {
    rows: Vec<Pieces>,
    columns: Pieces<Vec<u64>>,
    sliced: Pieces<Batch>,
    pub(crate) turns: Vec<Colour>,
}

impl Forms {
    pub(crate) fn new(kernel: Kernel, guard: Guard, rows: usize) -> Self {
        let sample = sample();
        guarded(guard, || {
            let positions = sample.positions[..rows].to_vec();
            Self {
                sliced: Batch::positions(kernel, &positions),
                rows: positions,
                columns: sample.columns.each_ref().map(|column| column[..rows].to_vec()),
                turns: sample.turns[..rows].to_vec(),
            }
        })
    }

    pub(crate) fn each(&self) -> [Positions<'_>; 3] {
        let forms: [Positions<'_>; 3] =
            [(&self.rows).into(), (&self.columns).into(), (&self.sliced).into()];
        forms.map(|positions| positions.with_turns(&self.turns))
    }
}

#[cfg(not(miri))]
mod allocator {
    use std::alloc::{GlobalAlloc, Layout, System};
    use std::cell::Cell;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use super::{GUARDS, Guard, MOST};

    struct Allocator;

    #[global_allocator]
    static ALLOCATOR: Allocator = Allocator;

    thread_local! {
        static GUARD: Cell<Option<Guard>> = const { Cell::new(None) };
    }

    /// Runs a function whose allocations are placed against faulting pages.
    pub(crate) fn guarded<T>(guard: Guard, run: impl FnOnce() -> T) -> T {
        let before = GUARD.replace(Some(guard));
        let result = run();
        GUARD.set(before);
        result
    }

    /// The address space for one allocation, with spare pages on both sides.
    const SLOT: usize = 1 << 24;
    const SLOTS: usize = 1 << 13;

    /// Allocations of one to this many pages each have their own slots, which stay open when they are freed: opening
    /// and closing pages takes longer than the calls under test. The remaining slots are for longer allocations.
    const CLASSES: usize = 7;
    const OF_A_CLASS: usize = SLOTS / (CLASSES + 1);

    /// Flags of the slots: in use, and with open pages.
    static TAKEN: [AtomicBool; SLOTS] = [const { AtomicBool::new(false) }; SLOTS];
    static OPEN: [AtomicBool; SLOTS] = [const { AtomicBool::new(false) }; SLOTS];

    /// The slot at which the search for a free one begins: the last one freed.
    static NEXT: [AtomicUsize; CLASSES + 1] = [const { AtomicUsize::new(0) }; CLASSES + 1];

    /// The start of the slots: addresses that fault until an allocation uses them.
    fn slots() -> usize {
        static BEGIN: AtomicUsize = AtomicUsize::new(0);
        let begin = BEGIN.load(Ordering::Acquire);
        if begin != 0 {
            return begin;
        }
        let flags = libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_NORESERVE;
        // SAFETY: this reserves new addresses, chosen by the system.
        let new = unsafe {
            libc::mmap(std::ptr::null_mut(), SLOTS * SLOT, libc::PROT_NONE, flags, -1, 0)
        };
        if new == libc::MAP_FAILED {
            std::process::abort(); // an allocator must not panic
        }
        // If two threads get here together, the second one's addresses are never used.
        match BEGIN.compare_exchange(0, new.addr(), Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => new.expose_provenance(),
            Err(first) => first,
        }
    }

    /// The size of the system's pages.
    fn page() -> usize {
        // SAFETY: this reads a constant.
        unsafe { libc::sysconf(libc::_SC_PAGESIZE) as usize }
    }

    /// The class of an allocation of this size: 0 for long ones.
    fn class(bytes: usize) -> usize {
        let pages = bytes.div_ceil(page());
        if pages > CLASSES { 0 } else { pages }
    }

    /// The start of the pages of a slot. The page before them is never made accessible.
    fn pages(slot: usize) -> *mut libc::c_void {
        std::ptr::with_exposed_provenance_mut(slots() + slot * SLOT + page())
    }

    // SAFETY: every allocation that is not from the system's allocator has its own slot, which is large enough and has
    // open pages. Each pointer returns to the allocator it came from, because only slots have addresses between the
    // first slot and the last.
    unsafe impl GlobalAlloc for Allocator {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            let Ok(Some(guard)) = GUARD.try_with(Cell::get) else {
                // SAFETY: the caller's layout is passed on.
                return unsafe { System.alloc(layout) };
            };
            let bytes = layout.size().next_multiple_of(page());
            if bytes + 2 * page() > SLOT || layout.align() > page() {
                return std::ptr::null_mut();
            }
            let class = class(bytes);
            let next = NEXT[class].load(Ordering::Relaxed);
            let slot = (next..next + OF_A_CLASS)
                .map(|at| class * OF_A_CLASS + at % OF_A_CLASS)
                .find(|&slot| !TAKEN[slot].swap(true, Ordering::AcqRel));
            let Some(slot) = slot else {
                return std::ptr::null_mut();
            };
            if !OPEN[slot].swap(true, Ordering::AcqRel) {
                let access = libc::PROT_READ | libc::PROT_WRITE;
                // SAFETY: these pages belong to the slot, which has no other user.
                if unsafe { libc::mprotect(pages(slot), bytes, access) } != 0 {
                    return std::ptr::null_mut();
                }
            }
            let before_end = match guard {
                Guard::Before => 0,
                Guard::Behind => (bytes - layout.size()) / layout.align() * layout.align(),
            };
            pages(slot).cast::<u8>().wrapping_add(before_end)
        }

        unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
            let slot = pointer.addr().wrapping_sub(slots()) / SLOT;
            if slot >= SLOTS {
                // SAFETY: pointers outside the slots come from the system's allocator.
                return unsafe { System.dealloc(pointer, layout) };
            }
            let class = slot / OF_A_CLASS;
            if class == 0 {
                let bytes = layout.size().next_multiple_of(page());
                // SAFETY: these are the pages that `alloc` opened. From now on they fault again.
                let closed = unsafe {
                    libc::madvise(pages(slot), bytes, libc::MADV_DONTNEED)
                        + libc::mprotect(pages(slot), bytes, libc::PROT_NONE)
                };
                if closed != 0 {
                    std::process::abort();
                }
                OPEN[slot].store(false, Ordering::Release);
            } else {
                // SAFETY: the caller gives the memory up. Any later read sees garbage.
                unsafe { pointer.write_bytes(0xdb, layout.size()) };
            }
            NEXT[class].store(slot % OF_A_CLASS, Ordering::Relaxed);
            TAKEN[slot].store(false, Ordering::Release);
        }
    }

    /// Returns whether the system may read a byte at an address.
    fn is_readable(address: *const u8) -> bool {
        let mut ends = [0; 2];
        // SAFETY: two descriptors are written, then used and closed. An unreadable address only makes `write` return an
        // error.
        unsafe {
            assert_eq!(libc::pipe(ends.as_mut_ptr()), 0);
            let written = libc::write(ends[1], address.cast(), 1);
            let error = std::io::Error::last_os_error();
            libc::close(ends[0]);
            libc::close(ends[1]);
            assert!(written == 1 || error.raw_os_error() == Some(libc::EFAULT), "{error}");
            written == 1
        }
    }

    #[test]
    fn there_are_guards() {
        for guard in GUARDS {
            for rows in 1..=MOST {
                let words = guarded(guard, || vec![0_u64; rows]);
                let all = words.as_ptr_range();
                let (begin, end) = (all.start.cast::<u8>(), all.end.cast::<u8>());
                assert!(is_readable(begin) && is_readable(end.wrapping_sub(1)), "{guard:?} {rows}");
                let beside = match guard {
                    Guard::Before => begin.wrapping_sub(1),
                    Guard::Behind => end,
                };
                assert!(!is_readable(beside), "{guard:?} {rows}");
            }
        }
    }
}
