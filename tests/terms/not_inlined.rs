//! The message of a debug build about terms that are not inlined.

use setwise::{Boards, Kernel, Pieces, Term};

/// A helper that a user mistakenly left outside of `term!`.
#[inline(never)]
fn helper<B: Boards>(set: B) -> B {
    set.north() | set.south()
}

#[inline(never)]
fn numbers<B: Boards>(number: B::Numbers) -> B::Numbers {
    number * 2
}

#[inline(never)]
fn made_elsewhere<B: Boards>() -> B {
    B::splat(1)
}

/// Calls one of the helpers.
struct Careless(u8);

setwise::term! {
    impl Term for Careless {
        type Value = u64;

        fn eval<B: Boards>(&self, position: &Pieces<B>) -> B {
            match self.0 {
                0 => helper(position.white),
                1 => position.black & position.white.with(|set| set & 0xff),
                2 => B::splat(0) | made_elsewhere::<B>(),
                _ => {
                    let count = numbers::<B>(position.white.count());
                    let _ = count + 1;
                    position.white
                }
            }
        }
    }
}

trait With: Sized {
    /// Calls a function.
    #[inline(never)]
    fn with(self, call: impl Fn(Self) -> Self) -> Self {
        call(self)
    }
}

impl<B: Boards> With for B {}

/// Implemented by hand, with the item that the macro adds.
struct ByHand;

impl Term for ByHand {
    type Value = u64;

    const WRITE_IT_INSIDE_SETWISE_TERM_OR_IT_RUNS_50_TIMES_SLOWER: () = ();

    #[inline(never)]
    fn eval<B: Boards>(&self, position: &Pieces<B>) -> B {
        !position.white
    }
}

fn run(term: impl Term<Value = u64>) {
    Kernel::detect().eval(&term, &[Pieces::START], &mut [0]);
}

#[test]
#[should_panic(expected = "not inlined")]
fn a_helper() {
    run(Careless(0));
}

#[test]
#[should_panic(expected = "not inlined")]
fn a_closure() {
    run(Careless(1));
}

#[test]
#[should_panic(expected = "not inlined")]
fn a_set_that_is_made_elsewhere() {
    run(Careless(2));
}

#[test]
#[should_panic(expected = "not inlined")]
fn a_helper_over_numbers() {
    run(Careless(3));
}

#[test]
#[should_panic(expected = "not inlined")]
fn a_term_without_the_macro() {
    run(ByHand);
}

#[test]
#[cfg(panic = "unwind")]
fn the_line_is_named() {
    use std::sync::Mutex;

    static LINES: Mutex<Vec<(std::thread::ThreadId, u32)>> = Mutex::new(Vec::new());
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let line = info.location().map_or(0, |location| location.line());
        LINES.lock().unwrap().push((std::thread::current().id(), line));
        hook(info);
    }));
    let outcome = std::panic::catch_unwind(|| run(Careless(0)));
    let source = include_str!("not_inlined.rs").lines().collect::<Vec<_>>();
    let lines = LINES.lock().unwrap();
    let &(_, line) = lines.iter().find(|(id, _)| *id == std::thread::current().id()).unwrap();
    assert!(outcome.is_err());
    assert_eq!(source[line as usize - 1].trim(), "set.north() | set.south()");
}
