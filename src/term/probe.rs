//! A board that remembers the stack frame in which it was created. A debug build runs every term on it once, and panics
//! at the first operation that was not inlined into the term.
//!
//! A function that is not inlined has its own frame, so the stack pointer differs there. A build without optimisation
//! inlines only `#[inline(always)]` functions, so a term that passes here is inlined everywhere.

use core::ops::Not;

use crate::bitboard::Direction;
use crate::boards::{Boards, Numbers, Sealed, operators};

/// One board, or one number.
#[derive(Clone, Copy)]
pub(crate) struct Probe<T> {
    value: T,
    frame: u64,
}

impl<T> Probe<T> {
    #[inline(always)]
    pub(crate) fn new(value: T) -> Self {
        Self { value, frame: frame() }
    }

    /// Returns the value if it is used in the frame in which it was created; panics otherwise.
    #[inline(always)]
    #[track_caller]
    fn here(self) -> T {
        if self.frame != frame() {
            elsewhere();
        }
        self.value
    }
}

/// The stack pointer, which is constant throughout a function. Always 0 on processors other than x86-64, where no
/// backend uses instructions that the build lacks.
#[inline(always)]
fn frame() -> u64 {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        let stack_pointer;
        // SAFETY: this copies one register to another. (Without `nostack`, the compiler sets up the frame first.)
        unsafe {
            core::arch::asm!("mov {}, rsp", out(reg) stack_pointer, options(nomem, preserves_flags));
        }
        stack_pointer
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    0
}

#[cold]
#[inline(never)]
#[track_caller]
fn elsewhere() -> ! {
    panic!(
        "this operation is not inlined into the term that it belongs to, so an optimised build may run it without \
         the vector instructions, 50 times slower: move the function that it stands in into `setwise::term!` or \
         put `#[inline(always)]` on it; write loops in place of closures over boards"
    );
}

operators! { sets: [] Probe<u64>; (self, other)
    Self::new(self.here() & other.here()),
    Self::new(self.here() | other.here()),
    Self::new(self.here() ^ other.here())
}

operators! { numbers: [N: Numbers] Probe<N>; (self, other)
    Self::new(self.here() + other.here()),
    Self::new(self.here() - other.here()),
    Self::new(self.here() * other.here())
}

impl Not for Probe<u64> {
    type Output = Self;

    #[inline(always)]
    #[track_caller]
    fn not(self) -> Self {
        Self::new(!self.here())
    }
}

impl<T> Sealed for Probe<T> {}

/// Methods that return a set.
macro_rules! sets {
    ($($method:ident($this:ident $(, $argument:ident)*);)*) => {
        $(
            #[inline(always)]
            #[track_caller]
            fn $method($this $(, $argument: Self)*) -> Self {
                Self::new($this.here().$method($($argument.here()),*))
            }
        )*
    };
}

impl Boards for Probe<u64> {
    const COUNT: usize = 1;

    type Numbers = Probe<<u64 as Boards>::Numbers>;

    #[inline(always)]
    #[track_caller]
    fn count(self) -> Self::Numbers {
        Probe::new(self.here().count())
    }

    #[inline(always)]
    fn splat(board: u64) -> Self {
        Self::new(board)
    }

    sets! {
        without(self, other);
        any(self);
        many(self);
        flip_vertical(self);
        select(self, a, b);
        north(self);
        south(self);
        east(self);
        west(self);
        north_east(self);
        north_west(self);
        south_east(self);
        south_west(self);
        rook_attacks(self, occupied);
        bishop_attacks(self, occupied);
    }

    #[inline(always)]
    #[track_caller]
    fn ray(self, direction: Direction, occupied: Self) -> Self {
        Self::new(self.here().ray(direction, occupied.here()))
    }
}

impl<N: Numbers> Numbers for Probe<N> {
    #[inline(always)]
    fn splat(number: i16) -> Self {
        Self::new(N::splat(number))
    }

    #[inline(always)]
    #[track_caller]
    fn if_less(self, other: Self, then: Self, otherwise: Self) -> Self {
        Self::new(self.here().if_less(other.here(), then.here(), otherwise.here()))
    }
}
