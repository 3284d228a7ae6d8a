//! User-defined terms: a question of an evaluation, written once and run on as many positions at a time as a
//! backend holds.

use crate::backend::{Kernel, Task};
use crate::boards::Boards;
use crate::boards::block::Block;
use crate::bulk::{by_blocks, next};
use crate::pieces::{Pieces, Position};
use crate::positions::{Positions, same_length};

/// A question about a position, written once for any number of boards.
///
/// [`term!`](crate::term!) writes the attributes that an implementation needs; [`Kernel::eval`] runs it
/// over columns or [`Pieces`], [`one`](Self::one) over one position.
///
/// ```
/// use setwise::{Boards, Colour, Kernel, Pieces, Position, Role, Term, eval, leaper};
///
/// /// What the knights of white attack, two points for every square that no black pawn does.
/// struct Outposts;
///
/// setwise::term! {
///     impl Term for Outposts {
///         type Value = i16;
///
///         fn eval<B: Boards>(&self, position: &Position<B>) -> B::Numbers {
///             let attacked = leaper::pawns(Colour::Black, position.of(Colour::Black, Role::Pawn));
///             let knights = eval::attacker_counts_by_role(position, Colour::White, Role::Knight);
///             knights.sum_on(!attacked) * 2
///         }
///     }
/// }
///
/// let mut scores = [0; 1000];
/// Kernel::detect().eval(&Outposts, &[Pieces::START; 1000], &mut scores);
/// assert_eq!(scores, [12; 1000]);
/// assert_eq!(Outposts.one(&Pieces::START), 12);
/// ```
///
/// # What keeps a term fast
///
/// All of it must be inlined into the function that enables a backend's instructions. Whatever is not is
/// compiled without them: correct still, but a call for every few operations, with vectors through memory,
/// 5 to 40 times as slow. So:
///
/// - write the implementation inside [`term!`](crate::term!), and helper functions over boards too (or put
///   `#[inline(always)]` on each of them);
/// - no closures over boards, and no `array::map`, `array::from_fn`, `iter().fold()` and the like: plain
///   loops and plain code;
/// - no branches on what a board holds (there are up to 64 of them): choose with masks, or with
///   [`Numbers::if_less`](crate::Numbers::if_less);
/// - look for calls in the assembly: `objdump -d` shows the functions `setwise::backend::run::avx512` and
///   so on, which should call nothing but panics.
pub trait Term {
    /// What a position's row holds: `u64` for a set of squares, `i16`, `u16` or `u8` for a number.
    type Value: Value;

    /// The answer for as many positions as `B` has boards.
    fn eval<B: Boards>(&self, position: &Position<B>) -> <Self::Value as Value>::Of<B>;

    /// The answer for one position.
    #[inline]
    fn one(&self, pieces: &Pieces) -> Self::Value {
        let mut value = [Self::Value::default()];
        Self::Value::store::<u64>(self.eval(pieces), &mut value);
        value[0]
    }
}

/// What a [`Term`] can answer: `u64` is a set of squares; `i16`, `u16` and `u8` are numbers. Sealed.
#[expect(private_bounds, reason = "user code must not store blocks of boards")]
pub trait Value: Store + Copy + Default {
    /// As many of them as there are boards: `B` itself, or `B::Numbers`.
    type Of<B: Boards>;
}

/// How values go to memory.
pub(crate) trait Store: Sized {
    /// Puts each value into its element.
    fn store<B: Block>(values: Self::Of<B>, elements: &mut [Self])
    where
        Self: Value;
}

impl Value for u64 {
    type Of<B: Boards> = B;
}

impl Store for u64 {
    #[inline(always)]
    fn store<B: Block>(values: B, elements: &mut [Self]) {
        values.store(elements);
    }
}

macro_rules! numbers {
    ($($number:ident)*) => {
        $(
            impl Value for $number {
                type Of<B: Boards> = B::Numbers;
            }

            impl Store for $number {
                #[inline(always)]
                fn store<B: Block>(values: B::Numbers, elements: &mut [Self]) {
                    B::store_numbers(values, elements);
                }
            }
        )*
    };
}

numbers!(i16 u16 u8);

/// Writes the attributes that make a [`Term`] and its helper functions fast: `#[inline(always)]` on each.
///
/// It takes any number of `impl Term for ... { type Value = ...; fn eval<B: Boards> ... }` and of functions
/// `fn name<B: Boards>(...) -> ... { ... }`.
///
/// ```
/// use setwise::{Boards, Pieces, Position, Term};
/// struct Centre;
/// setwise::term! {
///     /// The four squares in the middle.
///     fn centre<B: Boards>() -> B {
///         B::splat(0x0000_0018_1800_0000)
///     }
///
///     impl Term for Centre {
///         type Value = u64;
///
///         fn eval<B: Boards>(&self, position: &Position<B>) -> B {
///             centre::<B>().without(position.occupied())
///         }
///     }
/// }
/// assert_eq!(Centre.one(&Pieces::START), 0x0000_0018_1800_0000);
/// ```
#[macro_export]
macro_rules! term {
    () => {};
    (
        $(#[$meta:meta])*
        impl Term for $term:ty {
            type Value = $value:ty;

            fn eval $($eval:tt)*
        }
        $($more:tt)*
    ) => {
        $(#[$meta])*
        impl $crate::Term for $term {
            type Value = $value;

            #[inline(always)]
            fn eval $($eval)*
        }
        $crate::term! { $($more)* }
    };
    (
        $(#[$meta:meta])*
        $vis:vis fn $name:ident<$boards:ident: $bound:path>($($argument:tt)*) -> $answer:ty $body:block
        $($more:tt)*
    ) => {
        $(#[$meta])*
        #[inline(always)]
        $vis fn $name<$boards: $bound>($($argument)*) -> $answer $body
        $crate::term! { $($more)* }
    };
}

impl Kernel {
    /// For every position the answer of a [`Term`].
    ///
    /// # Panics
    /// If there are not as many values as positions, or the positions are batches that were made for another
    /// backend.
    ///
    /// [`Term`] has an example.
    #[track_caller]
    pub fn eval<'a, T: Term>(
        self,
        term: &T,
        positions: impl Into<Positions<'a>>,
        values: &mut [T::Value],
    ) {
        let positions = positions.into();
        same_length("values", values.len(), "positions", positions.len());
        positions.check(self);
        by_blocks(self, positions, [Some(values)], |positions, columns| {
            for values in columns.into_iter().flatten() {
                self.run(Eval { term, positions, values });
            }
        });
    }
}

/// At least one block of rows.
struct Eval<'a, 'b, T: Term> {
    term: &'a T,
    positions: Positions<'a>,
    values: &'b mut [T::Value],
}

impl<T: Term> Task for Eval<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn run<B: Block>(self) {
        let mut block = Some(0);
        while let Some(at) = block {
            let position = self.positions.load::<B>(at);
            let values = self.term.eval(&position);
            T::Value::store::<B>(values, &mut self.values[at..at + B::COUNT]);
            block = next::<B>(at, self.values.len());
        }
    }
}
