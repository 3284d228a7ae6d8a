//! Memory that faults: every call with inputs and outputs that end at a page that nobody may touch, and with
//! ones that begin behind such a page. A load or a store of too many bytes ends the test program.
//!
//! While [`guarded`] runs, the test's allocator places whatever this thread allocates against such a page. So the
//! inputs are there, the outputs, and what the library allocates itself: batches and lists.
//!
//! Miri sees by itself what is read and written outside of allocations, so it runs the same calls without guards, with
//! few rows.
#![cfg(all(unix, feature = "std"))]

mod common;

use std::fmt::Debug;
use std::io::Write;
use std::sync::OnceLock;

use common::oracles::{Cell, Filled, States, all_columns, fill, turns};
use common::{Random, on_every_backend};
use setwise::bitboard::Direction;
use setwise::eval::Attacks;
use setwise_nnue::FeatureSet;
use setwise::{
    Backend, Batch, Boards, ByColour, Colour, Column, Fen, Kernel, Pieces, Positions, Term,
    TermWith, position,
};
use setwise::{FeatureLists, ThreatLists};

on_every_backend! {
    sliders
    maps_and_columns
    terms
    who_attacks_whom
    batches
    one_position
}

/// The side of a buffer on which the page lies that faults.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Guard {
    Before,
    Behind,
}

const GUARDS: [Guard; 2] = [Guard::Before, Guard::Behind];

/// The lengths that are tried: all around the blocks of 8 to 64 boards, and up to three of the largest.
const MOST: usize = if cfg!(miri) { 67 } else { 200 };

#[cfg(not(miri))]
use allocator::guarded;

/// Runs something whose allocations Miri watches.
#[cfg(miri)]
fn guarded<T>(_: Guard, run: impl FnOnce() -> T) -> T {
    run()
}

/// What stands in outputs before a call.
const GARBAGE: u64 = 0x0123_4567_89ab_cdef;

/// Says how many calls a test made.
fn say(kernel: Kernel, what: &str, calls: usize) {
    let backend = kernel.backend();
    let _ = writeln!(std::io::stderr(), "{calls} calls of {what} by {backend} against guard pages");
}

/// Every length before either kind of guard; for Miri, less than a block, one, and the next with an overlap.
fn lengths() -> Vec<(Guard, usize)> {
    if cfg!(miri) {
        return [1, 64, MOST].map(|rows| (Guard::Behind, rows)).to_vec();
    }
    GUARDS.into_iter().flat_map(|guard| (0..=MOST).map(move |rows| (guard, rows))).collect()
}

/// Boards with sliders, and their answers from buffers without a guard.
struct Sliders {
    columns: [Vec<u64>; 3],
    union: Vec<u64>,
    eight: [Vec<u64>; 8],
}

impl Sliders {
    fn new(kernel: Kernel, random: &mut Random) -> Self {
        let columns = [(); 3].map(|()| (0..MOST).map(|_| random.board()).collect::<Vec<_>>());
        let [occupied, orthogonal, diagonal] = &columns;
        let mut union = vec![GARBAGE; MOST];
        kernel.slider_attacks(orthogonal, diagonal, occupied, &mut union);
        let mut eight = [(); 8].map(|()| vec![GARBAGE; MOST]);
        let rays = eight.each_mut().map(|ray| &mut ray[..]);
        kernel.slider_rays(orthogonal, diagonal, occupied, rays);
        Self { columns, union, eight }
    }
}

fn sliders(kernel: Kernel) {
    let mut calls = 0;
    let mut random = Random::new(21);
    let Sliders { columns, union, eight } = Sliders::new(kernel, &mut random);
    for (guard, rows) in lengths() {
        let [occupied, orthogonal, diagonal] =
            guarded(guard, || columns.each_ref().map(|column| column[..rows].to_vec()));
        let mut attacks = guarded(guard, || vec![GARBAGE; rows]);
        kernel.slider_attacks(&orthogonal, &diagonal, &occupied, &mut attacks);
        assert_eq!(attacks, union[..rows], "{guard:?} {rows}");
        let mut rays = guarded(guard, || [(); 8].map(|()| vec![GARBAGE; rows]));
        kernel.slider_rays(
            &orthogonal,
            &diagonal,
            &occupied,
            rays.each_mut().map(|ray| &mut ray[..]),
        );
        for (ray, whole) in rays.iter().zip(&eight) {
            assert_eq!(ray, &whole[..rows], "{guard:?} {rows}");
        }
        calls += 2;
    }
    // So many that they are written past the caches, from all places in a cache line; too many for Miri.
    let more: &[usize] = if cfg!(miri) { &[] } else { &[0, 1, 13] };
    for (guard, more) in GUARDS.into_iter().flat_map(|guard| more.iter().map(move |m| (guard, m))) {
        let rows = (1 << 20) + more;
        let long = |column: &[u64]| column.iter().copied().cycle().take(rows).collect::<Vec<_>>();
        let [occupied, orthogonal, diagonal] =
            guarded(guard, || columns.each_ref().map(|column| long(column).into_boxed_slice()));
        let mut attacks = guarded(guard, || vec![GARBAGE; rows]);
        kernel.slider_attacks(&orthogonal, &diagonal, &occupied, &mut attacks);
        assert!(attacks == long(&union), "{guard:?} {rows}");
        calls += 1;
    }
    say(kernel, "sliders", calls);
}

/// Positions, and in columns.
struct Sample {
    positions: Vec<Pieces>,
    columns: Pieces<Vec<u64>>,
    turns: Vec<Colour>,
}

fn sample() -> &'static Sample {
    static SAMPLE: OnceLock<Sample> = OnceLock::new();
    SAMPLE.get_or_init(|| {
        let lines = include_str!("../data/sample.epd").lines().take(MOST);
        let parsed = |line| Fen::parse(line).expect("a position").pieces;
        let positions: Vec<Pieces> = lines.map(parsed).collect();
        let column = |set: usize| positions.iter().map(|pieces| pieces.sets()[set]).collect();
        let columns = Pieces::from_sets([0, 1, 2, 3, 4, 5, 6, 7]).map(column);
        Sample { positions, columns, turns: turns().take(MOST).collect() }
    })
}

/// Some positions in all three forms, each of them against a guard.
struct Forms {
    rows: Vec<Pieces>,
    columns: Pieces<Vec<u64>>,
    sliced: Pieces<Batch>,
    turns: Vec<Colour>,
}

impl Forms {
    fn new(kernel: Kernel, guard: Guard, rows: usize) -> Self {
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

    fn each(&self) -> [Positions<'_>; 3] {
        let forms: [Positions<'_>; 3] =
            [(&self.rows).into(), (&self.columns).into(), (&self.sliced).into()];
        forms.map(|positions| positions.with_turns(&self.turns))
    }
}

/// Sixteen columns in the fields that [`Kernel::attacks`] takes.
fn fields(columns: &mut [Vec<u64>; 16]) -> ByColour<Attacks<&mut [u64]>> {
    let mut columns = columns.iter_mut().map(|column| &mut column[..]);
    ByColour::new(|_| {
        let [pawn, knight, bishop, rook, queen, king, all, twice] =
            [(); 8].map(|()| columns.next().expect("sixteen"));
        Attacks { pawn, knight, bishop, rook, queen, king, all, twice }
    })
}

fn maps_and_columns(kernel: Kernel) {
    let mut calls = 0;
    let columns = all_columns();
    let whole = fill(kernel, &sample().positions, &columns);
    for (guard, rows) in lengths() {
        let forms = Forms::new(kernel, guard, rows);
        let mut maps = guarded(guard, || [(); 16].map(|()| vec![GARBAGE; rows]));
        let states = guarded(guard, || States::new(rows));
        for positions in forms.each() {
            maps.iter_mut().for_each(|map| map.fill(GARBAGE));
            kernel.attacks(positions, fields(&mut maps));
            for (map, column) in maps.iter().zip(Column::DEFAULT) {
                let place = columns.iter().position(|other| other == column).expect("a column");
                let map: Vec<Cell> = map.iter().map(|&board| Cell::Value(board)).collect();
                assert_eq!(map, whole[place][..rows], "{column} {rows}");
            }
            // With what the library allocates for lists.
            let filled = guarded(guard, || {
                let mut filled: Vec<Filled> =
                    columns.iter().map(|&column| Filled::new(column, rows, 0)).collect();
                let mut requests: Vec<_> = filled.iter_mut().map(Filled::request).collect();
                kernel.fill(states.of(positions), &mut requests);
                filled
            });
            for ((filled, whole), column) in filled.iter().zip(&whole).zip(&columns) {
                assert_eq!(filled.cells(), whole[..rows], "{column} {guard:?} {rows}");
            }
            calls += 2;
        }
    }
    say(kernel, "maps and columns", calls);
}

/// Squares beside pieces.
struct Beside;

setwise::term! {
    impl Term for Beside {
        type Value = u64;

        fn eval<B: Boards>(&self, position: &Pieces<B>) -> B {
            (position.white.east() | position.black.west()).without(position.pawns)
        }
    }

    fn weigh<B: Boards>(position: &Pieces<B>) -> B::Numbers {
        position.white.count() * 3 - position.black.count()
    }
}

/// Terms whose values are numbers of each width.
macro_rules! weights {
    ($($term:ident $number:ty,)*) => {
        $(
            struct $term;

            setwise::term! {
                impl Term for $term {
                    type Value = $number;

                    fn eval<B: Boards>(&self, position: &Pieces<B>) -> B::Numbers {
                        weigh(position)
                    }
                }
            }
        )*
    };
}
weights!(Signed i16, Bytes u8, Words u16, Wide i32,);

/// The caller's squares and number, with what stands there.
struct Given;

/// Several values together.
struct Several;

setwise::term! {
    impl TermWith for Given {
        type Input = u64;
        type Value = u64;

        fn eval<B: Boards>(&self, position: &Pieces<B>, squares: B) -> B {
            position.occupied() & squares
        }
    }

    impl TermWith for Several {
        type Input = (i16, u64);
        type Value = (u64, [i16; 2]);

        fn eval<B: Boards>(
            &self,
            position: &Pieces<B>,
            (number, squares): (B::Numbers, B),
        ) -> (B, [B::Numbers; 2]) {
            (position.white & squares, [number, weigh(position) + number])
        }
    }
}

fn terms(kernel: Kernel) {
    let mut random = Random::new(22);
    let squares: Vec<u64> = (0..MOST).map(|_| random.board()).collect();
    let pairs: Vec<(i16, u64)> = squares.iter().map(|&board| (board as i16, board)).collect();
    let mut calls = 0;
    for (guard, rows) in lengths() {
        let forms = Forms::new(kernel, guard, rows);
        for positions in forms.each() {
            eval(kernel, &Beside, positions, guard, 1);
            eval(kernel, &Signed, positions, guard, 1);
            eval(kernel, &Bytes, positions, guard, 1);
            eval(kernel, &Words, positions, guard, 1);
            eval(kernel, &Wide, positions, guard, 1);
            eval_with(kernel, &Given, positions, &squares[..rows], guard);
            eval_with(kernel, &Several, positions, &pairs[..rows], guard);
            calls += 7;
        }
    }
    say(kernel, "terms", calls);
}

/// A term's values in bulk, against a guard, and one at a time.
fn eval<T: Term<Value: Debug + PartialEq>>(
    kernel: Kernel,
    term: &T,
    positions: Positions<'_>,
    guard: Guard,
    garbage: T::Value,
) {
    let mut values = guarded(guard, || vec![garbage; positions.len()]);
    kernel.eval(term, positions, &mut values);
    let one = sample().positions[..values.len()].iter().map(|pieces| term.one(pieces));
    assert!(values.iter().copied().eq(one), "{guard:?} {values:?}");
}

fn eval_with<T: TermWith<Value: Debug + PartialEq>>(
    kernel: Kernel,
    term: &T,
    positions: Positions<'_>,
    inputs: &[T::Input],
    guard: Guard,
) {
    let one = sample().positions.iter().zip(inputs);
    let one: Vec<T::Value> = one.map(|(pieces, &input)| term.one(pieces, input)).collect();
    let inputs = guarded(guard, || inputs.to_vec());
    // What is there before is the answer to the next row.
    let mut values = guarded(guard, || one.clone());
    values.rotate_left(1.min(one.len()));
    kernel.eval_with(term, positions, &inputs, &mut values);
    assert_eq!(values, one, "{guard:?}");
}

/// All blocks, in rows as the trainer of Stockfish's networks has them.
const BLOCKS: &FeatureSet = &FeatureSet::NNUE_PYTORCH_2026_07;
const WIDTH: usize = BLOCKS.row_width();

fn who_attacks_whom(kernel: Kernel) {
    let mut calls = 0;
    let set = &FeatureSet::STOCKFISH_THREATS_2026_08;
    let sample = sample();
    let mut pairs = ThreatLists::new();
    kernel.threats(&sample.positions, &mut pairs);
    let mut inputs = FeatureLists::<u16>::default();
    kernel.features(set, &sample.positions, &mut inputs).expect("a king a side");
    let mut of_blocks = FeatureLists::<u32>::default();
    kernel.features(BLOCKS, &sample.positions, &mut of_blocks).expect("a king a side");
    for (guard, rows) in lengths() {
        let forms = Forms::new(kernel, guard, rows);
        for positions in forms.each() {
            // The lists are made anew, so that each of them is guarded too.
            let lists = guarded(guard, || {
                let mut lists = ThreatLists::new();
                kernel.threats(positions, &mut lists);
                lists
            });
            assert_eq!(lists.len(), rows);
            assert!(lists.iter().eq(pairs.iter().take(rows)), "{guard:?} {rows}");

            let (narrow, wide) = guarded(guard, || {
                let mut narrow = FeatureLists::<u16>::default();
                let mut wide = FeatureLists::<u32>::default();
                kernel.features(set, positions, &mut narrow).expect("a king a side");
                kernel.features(BLOCKS, positions, &mut wide).expect("a king a side");
                (narrow, wide)
            });
            let mut filled = guarded(guard, || ByColour::new(|_| vec![0; rows * WIDTH]));
            let ByColour { white, black } = &mut filled;
            kernel
                .feature_rows(BLOCKS, positions, WIDTH, ByColour { white, black })
                .expect("a king a side");
            for colour in Colour::ALL {
                assert_eq!((narrow[colour].len(), wide[colour].len()), (rows, rows));
                for (row, right) in inputs[colour].iter().take(rows).enumerate() {
                    let got = narrow[colour].get(row).expect("a list");
                    assert_eq!(got, right, "{guard:?} {row} of {rows}");
                    let right = of_blocks[colour].get(row).expect("a list");
                    assert_eq!(wide[colour].get(row), Some(right), "{guard:?} {row} of {rows}");
                    let (used, rest) = filled[colour][row * WIDTH..][..WIDTH].split_at(right.len());
                    assert!(used.iter().zip(right).all(|(&got, &right)| got as u32 == right));
                    assert!(rest.iter().all(|&input| input == -1), "{guard:?} {row} of {rows}");
                }
            }
            calls += 4;
        }
    }
    say(kernel, "threats and features", calls);
}

fn batches(kernel: Kernel) {
    let mut calls = 0;
    let mut random = Random::new(23);
    let Sliders { columns, union, eight } = Sliders::new(kernel, &mut random);
    for (guard, rows) in lengths() {
        let boards = guarded(guard, || columns.each_ref().map(|column| column[..rows].to_vec()));
        let [occupied, orthogonal, diagonal] =
            guarded(guard, || boards.each_ref().map(|column| Batch::from_column(kernel, column)));
        let (mut batch, mut back) =
            guarded(guard, || (Batch::new(kernel, rows), vec![GARBAGE; rows]));
        batch.slider_attacks(&orthogonal, &diagonal, &occupied);
        batch.copy_to(&mut back);
        assert_eq!(back, union[..rows], "{guard:?} {rows}");
        calls += 6;
        for (direction, ray) in Direction::ALL.into_iter().zip(&eight) {
            let sliders = if direction.is_orthogonal() { &orthogonal } else { &diagonal };
            batch.ray(direction, sliders, &occupied);
            batch.copy_to(&mut back);
            assert_eq!(back, ray[..rows], "{guard:?} {direction:?} {rows}");
            calls += 2;
        }
        for (row, &board) in boards[0].iter().enumerate() {
            batch.set(row, !board);
            assert_eq!(batch.get(row), !board, "{guard:?} {row} of {rows}");
            calls += 2;
        }
        let copy = guarded(guard, || batch.clone());
        copy.copy_to(&mut back);
        assert!(back.iter().zip(&boards[0]).all(|(&back, &board)| back == !board));
        calls += 1;
    }
    say(kernel, "batches", calls);
}

/// Every question about one position, by a kernel and by what the build enables.
macro_rules! questions {
    ($calls:ident, $kernel:expr, $scalar:expr, $($name:ident($($guarded:expr),*; $($plain:expr),*);)*) => {
        $(
            let right = $scalar.$name($($plain),*);
            assert_eq!($kernel.$name($($guarded),*), right, stringify!($name));
            assert_eq!(position::$name($($guarded),*), right, stringify!($name));
            $calls += 2;
        )*
    };
}

fn one_position(kernel: Kernel) {
    let mut calls = 0;
    let scalar = Kernel::new(Backend::Scalar).expect("always there").position();
    let kernel_here = kernel.position();
    let sample = sample();
    for guard in GUARDS {
        let some = if cfg!(miri) { 10 } else { MOST };
        for (i, plain) in sample.positions.iter().enumerate().take(some) {
            let pieces = &*guarded(guard, || Box::new(*plain));
            let (colour, occupied) = (sample.turns[i], plain.occupied() ^ plain.pawns);
            let (rooks, bishops) = (plain.rooks, plain.bishops);
            questions! { calls, kernel_here, scalar,
                slider_attacks(rooks, bishops, occupied; rooks, bishops, occupied);
                orthogonal_attacks(rooks, occupied; rooks, occupied);
                diagonal_attacks(bishops, occupied; bishops, occupied);
                slider_rays(rooks, bishops, occupied; rooks, bishops, occupied);
                slider_attacks_by_role(pieces; plain);
                attacks(pieces; plain);
                attacks_by(pieces, colour, occupied; plain, colour, occupied);
                attackers(pieces, colour, occupied, occupied; plain, colour, occupied, occupied);
                checkers(pieces, colour; plain, colour);
                pinned(pieces, colour; plain, colour);
                king_danger(pieces, colour; plain, colour);
            }
            let next = &sample.positions[(i + 1) % MOST];
            let after = &*guarded(guard, || Box::new(*next));
            let nnue = position::NnueKernel::of(kernel);
            assert_eq!(nnue.threats(pieces), position::threats(plain));
            let changes = position::threats_changed(pieces, after);
            assert_eq!(changes, position::threats_changed(plain, next));
            calls += 1;
        }
    }
    say(kernel, "questions about one position", calls);
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

    /// Runs something whose allocations lie against pages that fault.
    pub(super) fn guarded<T>(guard: Guard, run: impl FnOnce() -> T) -> T {
        let before = GUARD.replace(Some(guard));
        let result = run();
        GUARD.set(before);
        result
    }

    /// Addresses for one allocation, with some pages left over on both sides.
    const SLOT: usize = 1 << 24;
    const SLOTS: usize = 1 << 13;

    /// Which of them are in use.
    static TAKEN: [AtomicBool; SLOTS] = [const { AtomicBool::new(false) }; SLOTS];

    /// Where the slots begin: addresses that fault until an allocation gets them.
    fn slots() -> usize {
        static BEGIN: AtomicUsize = AtomicUsize::new(0);
        let begin = BEGIN.load(Ordering::Acquire);
        if begin != 0 {
            return begin;
        }
        let flags = libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_NORESERVE;
        // SAFETY: new addresses, chosen by the system.
        let new = unsafe {
            libc::mmap(std::ptr::null_mut(), SLOTS * SLOT, libc::PROT_NONE, flags, -1, 0)
        };
        if new == libc::MAP_FAILED {
            std::process::abort(); // an allocator must not panic
        }
        // If two threads come here together, the second one's addresses are never used.
        match BEGIN.compare_exchange(0, new.addr(), Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => new.expose_provenance(),
            Err(first) => first,
        }
    }

    /// The bytes of the system's pages.
    fn page() -> usize {
        // SAFETY: it reads a constant.
        unsafe { libc::sysconf(libc::_SC_PAGESIZE) as usize }
    }

    /// The pages of an allocation in its slot: where they begin, and how many bytes they are.
    fn pages(address: usize, size: usize) -> (usize, usize) {
        let page = page();
        let begin = address / page * page;
        (begin, (address + size).next_multiple_of(page) - begin)
    }

    // SAFETY: what the system's allocator does not give lies in a slot of its own, which is big enough and has its
    // pages opened; a pointer goes back to where it came from because only the slots' addresses are between the
    // first slot and the last.
    unsafe impl GlobalAlloc for Allocator {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            let Ok(Some(guard)) = GUARD.try_with(Cell::get) else {
                // SAFETY: the caller's layout is handed on.
                return unsafe { System.alloc(layout) };
            };
            if layout.size() + 3 * page() > SLOT || layout.align() > page() {
                return std::ptr::null_mut();
            }
            static NEXT: AtomicUsize = AtomicUsize::new(0);
            let slot = loop {
                let slot = NEXT.fetch_add(1, Ordering::Relaxed) % SLOTS;
                if !TAKEN[slot].swap(true, Ordering::AcqRel) {
                    break slot;
                }
            };
            let begin = slots() + slot * SLOT + page();
            let address = match guard {
                Guard::Before => begin,
                Guard::Behind => {
                    let end = begin + layout.size().next_multiple_of(page());
                    (end - layout.size()) / layout.align() * layout.align()
                }
            };
            let (first, bytes) = pages(address, layout.size());
            let access = libc::PROT_READ | libc::PROT_WRITE;
            let first = std::ptr::with_exposed_provenance_mut(first);
            // SAFETY: these pages belong to the slot, which nobody else uses.
            if unsafe { libc::mprotect(first, bytes, access) } != 0 {
                return std::ptr::null_mut();
            }
            std::ptr::with_exposed_provenance_mut(address)
        }

        unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
            let slot = pointer.addr().wrapping_sub(slots()) / SLOT;
            if slot >= SLOTS {
                // SAFETY: only slots do not come from the system's allocator.
                return unsafe { System.dealloc(pointer, layout) };
            }
            let (first, bytes) = pages(pointer.addr(), layout.size());
            let first = std::ptr::with_exposed_provenance_mut(first);
            // SAFETY: the pages that `alloc` opened, which from now on fault again.
            let closed = unsafe {
                libc::madvise(first, bytes, libc::MADV_DONTNEED)
                    + libc::mprotect(first, bytes, libc::PROT_NONE)
            };
            if closed != 0 {
                std::process::abort();
            }
            TAKEN[slot].store(false, Ordering::Release);
        }
    }

    /// Whether the system may read a byte there.
    fn is_readable(address: *const u8) -> bool {
        let mut ends = [0; 2];
        // SAFETY: two descriptors are written, then used and closed. What the system may not read is an error of
        // `write` and nothing else.
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
                drop(words);
                assert!(!is_readable(begin), "it was given back");
            }
        }
    }
}
