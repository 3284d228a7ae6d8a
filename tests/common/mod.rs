//! Shared code of the tests: a named test for each backend, boards that are likely to find mistakes, and columns with
//! guard words around them.

#![allow(unused, reason = "each test takes what it needs of it")]

pub(crate) mod legal;
pub(crate) mod oracles;
#[cfg(panic = "unwind")]
pub(crate) mod panics;
pub(crate) mod seeds;

use std::fmt;
use std::io::Write;
use std::path::PathBuf;

use setwise::bitboard::{ANTIDIAGONALS, DIAGONALS, FILES, RANKS};
use setwise::{Backend, Kernel};

/// The folder of reference answers: the complete ones if `SETWISE_DATA` names a folder, otherwise `tests/data`.
pub(crate) fn data() -> PathBuf {
    // Tests of other packages find the excerpts two folders up.
    let excerpts = ["tests/data", "../../tests/data"].map(PathBuf::from);
    let excerpts = excerpts.into_iter().find(|folder| folder.is_dir());
    let folder = std::env::var_os("SETWISE_DATA").map(PathBuf::from).or(excerpts);
    folder.expect("the folder with others' answers")
}

/// The minimum number of rows to expect in a file of [`data`]: `all` if the complete file is available.
pub(crate) fn least(all: usize) -> usize {
    if std::env::var_os("SETWISE_DATA").is_some() { all } else { 50 }
}

/// Reports that a test is skipped, and the reason. (The test harness shows `eprintln!` output only if a test fails.)
pub(crate) fn skipped(why: impl fmt::Display) {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    let _ = writeln!(std::io::stderr(), "skipped: {test}: {why}");
}

/// The kernel of a backend. If it is not available, reports that and returns `None`, or fails if `SETWISE_REQUIRE`
/// (comma-separated names) lists the backend.
pub(crate) fn kernel(backend: Backend) -> Option<Kernel> {
    let kernel = Kernel::new(backend).ok();
    if kernel.is_none() {
        let required = std::env::var("SETWISE_REQUIRE").unwrap_or_default();
        assert!(
            !required.split(',').any(|name| name == backend.name()),
            "SETWISE_REQUIRE names {backend}, which this processor or build does not have"
        );
        skipped(format_args!("{backend} is not available here"));
    }
    kernel
}

/// Creates a module for every backend, with a test for every function: `on_every_backend! { test_one test_two }`.
/// Attributes before a function apply to its tests.
macro_rules! on_every_backend {
    (@module $module:ident $backend:ident { $($(#[$attribute:meta])* $body:ident)* }) => {
        mod $module {
            $(
                #[test]
                $(#[$attribute])*
                fn $body() {
                    if let Some(kernel) = $crate::common::kernel(setwise::Backend::$backend) {
                        super::$body(kernel);
                    }
                }
            )*
        }
    };
    (@each $bodies:tt $($module:ident $backend:ident)*) => {
        $($crate::common::on_every_backend!(@module $module $backend $bodies);)*
        const _: () = assert!([$(setwise::Backend::$backend),*].len() == setwise::Backend::ALL.len());
    };
    ($($bodies:tt)*) => {
        $crate::common::on_every_backend! {
            @each { $($bodies)* }
            scalar Scalar lanes Lanes wide Wide avx2 Avx2 avx2_gfni Avx2Gfni avx512 Avx512 avx512_gfni Avx512Gfni
        }
    };
}
pub(crate) use on_every_backend;

/// The guard values around a column, which must not be overwritten.
const GUARD: u64 = 0x0123_4567_89ab_cdef;

/// Calls `fill` with columns of `rows` rows, checks the guard words around each, and returns the columns.
pub(crate) fn guarded<const COLUMNS: usize>(
    rows: usize,
    fill: impl FnOnce([&mut [u64]; COLUMNS]),
) -> [Vec<u64>; COLUMNS] {
    let mut out = [(); COLUMNS].map(|()| vec![GUARD; rows + 2]);
    fill(out.each_mut().map(|column| &mut column[1..=rows]));
    out.map(|mut column| {
        assert_eq!([column[0], column[rows + 1]], [GUARD; 2], "written outside the column");
        column.truncate(rows + 1);
        column.remove(0);
        column
    })
}

#[path = "../../benches/support/random.rs"]
#[allow(dead_code, unreachable_pub, reason = "the benches need other parts of it")]
mod random;

/// Random numbers from a seed, so that failures can be reproduced.
pub(crate) struct Random(random::Random);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(random::Random::new(seed))
    }

    /// 64 random bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0.word()
    }

    /// A number from 0 to `end - 1`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0.below(end)
    }

    /// A random board of a kind that is likely to find mistakes: empty, full, one square, an edge, sparse, dense.
    pub(crate) fn board(&mut self) -> u64 {
        match self.below(12) {
            0 => 0,
            1 => !0,
            2 => 1 << self.below(64),
            3 => !(1 << self.below(64)),
            4 => FILES[self.below(8)],
            5 => RANKS[self.below(8)],
            6 => DIAGONALS[self.below(15)] | ANTIDIAGONALS[self.below(15)],
            7 => FILES[0] | FILES[7] | RANKS[0] | RANKS[7],
            8 => self.next(),
            9 => self.next() | self.next(),
            _ => self.next() & self.next() & self.next(),
        }
    }
}
