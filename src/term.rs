//! Terms of one's own: an evaluation's question, written once and run on as many positions at a time as a
//! backend holds.

use crate::backend::{Kernel, Task};
use crate::boards::Boards;
use crate::bulk::{MOST_BOARDS, Positions, load_positions, next, same_length};
use crate::numbers::Numbers;
use crate::pieces::{Pieces, Position};

/// A question about a position, written once for any number of boards.
///
/// [`term!`](crate::term!) writes the attributes that an implementation needs; [`Kernel::term`] runs it
/// over columns or [`Pieces`], [`one`](Self::one) over one position.
///
/// ```
/// use setwise::{Boards, Colour, Kernel, Pieces, Position, Role, Term, eval};
///
/// /// What the knights of white attack, two points for every square that no black pawn does.
/// struct Outposts;
///
/// setwise::term! {
///     impl Term for Outposts {
///         type Value = i16;
///
///         fn eval<B: Boards>(&self, position: &Position<B>) -> B::Numbers {
///             let black = eval::cumulative(position, Colour::Black);
///             let knights = eval::attackers_of(position, Colour::White, Role::Knight);
///             eval::count_on(&knights, !black.by_pawn) * 2
///         }
///     }
/// }
///
/// let mut scores = [0; 1000];
/// Kernel::detect().term(&Outposts, &[Pieces::START; 1000][..], &mut scores);
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
///   [`Numbers::if_less`];
/// - look for calls in the assembly: `objdump -d` shows the functions `setwise::backend::avx512::run` and
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

/// A row of a column that a [`Term`] can fill: `u64` holds a set, `i16`, `u16` and `u8` hold numbers.
pub trait Value: Copy + Default {
    /// As many of them as there are boards: `B` itself, or `B::Numbers`.
    type Of<B: Boards>;

    /// Puts them into a row each.
    ///
    /// # Panics
    /// If `rows` has not exactly as many places as there are boards.
    fn store<B: Boards>(values: Self::Of<B>, rows: &mut [Self]);
}

impl Value for u64 {
    type Of<B: Boards> = B;

    #[inline(always)]
    fn store<B: Boards>(values: B, rows: &mut [Self]) {
        values.store(rows);
    }
}

macro_rules! numbers {
    ($($cell:ident)*) => {
        $(
            impl Value for $cell {
                type Of<B: Boards> = B::Numbers;

                #[inline(always)]
                fn store<B: Boards>(values: B::Numbers, rows: &mut [Self]) {
                    values.store(rows);
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
    /// For every position the answer of a [`Term`], in a row each.
    ///
    /// # Panics
    /// If the columns differ in length; the message names the column.
    ///
    /// An example stands at [`Term`].
    pub fn term<'a, T: Term>(
        self,
        term: &T,
        positions: impl Into<Positions<'a>>,
        values: &mut [T::Value],
    ) {
        let positions = positions.into();
        let (rows, block) = (positions.len(), self.backend().boards());
        same_length("values", values.len(), "white", rows);
        if rows < block {
            let mut pieces = [Pieces::EMPTY; MOST_BOARDS];
            for (row, pieces) in pieces[..rows].iter_mut().enumerate() {
                *pieces = positions.get(row);
            }
            let mut padded = [T::Value::default(); MOST_BOARDS];
            let positions = Positions::Rows(&pieces[..block]);
            self.run(Eval { term, positions, values: &mut padded[..block] });
            values.copy_from_slice(&padded[..rows]);
        } else {
            self.run(Eval { term, positions, values });
        }
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
    fn run<B: Boards>(self) {
        let mut block = Some(0);
        while let Some(at) = block {
            let position = load_positions::<B>(self.positions, at);
            let values = self.term.eval(&position);
            T::Value::store::<B>(values, &mut self.values[at..at + B::COUNT]);
            block = next::<B>(at, self.values.len());
        }
    }
}
