//! User-defined terms: functions of a position, written once and run on as many positions at a time as a backend holds.

use crate::backend::Kernel;
use crate::boards::Boards;
use crate::boards::block::{MAX_BOARDS, next};
use crate::bulk::positions::{Positions, same_length};
use crate::dispatch::{Level, Task};
use crate::pieces::Pieces;

mod piece_square;
mod value;

pub use piece_square::PieceSquareTable;
pub use value::{Of, Value};

/// A function of a position, written once for any number of boards.
///
/// Implement it inside [`term!`](crate::term!), which adds the attributes that it needs; it cannot be implemented
/// outside the macro. [`Kernel::eval`] runs it over columns or [`Pieces`], [`one`](Self::one) over one position.
///
/// ```
/// use setwise::{Boards, Colour, Kernel, Pieces, Role, Term, eval, leaper};
///
/// /// Two points for every attack by a white knight on a square that no black pawn attacks.
/// struct Outposts;
///
/// setwise::term! {
///     impl Term for Outposts {
///         type Input = (); // the pieces are enough
///         type Value = i16;
///
///         fn eval<B: Boards>(&self, position: &Pieces<B>, _: ()) -> B::Numbers {
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
/// assert_eq!(Outposts.one(&Pieces::START, ()), 12);
/// ```
///
/// # Other inputs
///
/// A term may have another input besides the pieces, which the caller passes for each position
/// ([`Kernel::eval_with`]). Pass the side to move as a number, 1 or -1, or as a set, full or empty, depending on whether
/// the term multiplies or masks with it.
///
/// ```
/// use setwise::{Boards, Colour, Fen, Kernel, Of, Pieces, Term};
///
/// /// The piece count of the side to move minus the opponent's, and the number of pieces on some squares.
/// struct Lead;
///
/// setwise::term! {
///     impl Term for Lead {
///         type Input = (i16, u64); // 1 if white moves, -1 if black does; and the squares
///         type Value = (i16, u8);
///
///         fn eval<B: Boards>(
///             &self,
///             position: &Pieces<B>,
///             (turn, squares): Of<Self::Input, B>,
///         ) -> Of<Self::Value, B> {
///             let lead = position.white.count() - position.black.count();
///             (lead * turn, (position.occupied() & squares).count())
///         }
///     }
/// }
///
/// let fen = Fen::parse("4k3/8/8/8/8/8/8/R3K2R b KQ - 0 1")?;
/// let turn = if fen.turn == Colour::White { 1 } else { -1 };
/// let mut values = [(0, 0)];
/// Kernel::detect().eval_with(&Lead, &[fen.pieces], &[(turn, 0xff)], &mut values);
/// assert_eq!(values, [(-2, 3)]);
/// # Ok::<(), setwise::fen::FenError>(())
/// ```
///
/// # What keeps a term fast
///
/// All of its code must be inlined into the function that enables a backend's instructions. Code that is not inlined is
/// still correct, but compiled without these instructions and about 50 times as slow. So:
///
/// - Put helper functions over boards inside [`term!`](crate::term!) too, or give each of them `#[inline(always)]`.
/// - Use plain loops and plain code: no closures over boards, and no `array::map`, `array::from_fn`, `iter().fold()`
///   and the like.
/// - Do not branch on the contents of a board (there are up to 64 of them). Select with masks, or with
///   [`Numbers::if_less`](crate::Numbers::if_less). You may branch on a value that all boards share, such as a field of
///   the term.
///
/// To check a term, look at the assembly of a release build: functions whose symbols contain `7setwise8dispatch3run` must
/// call nothing except panics and this crate's `with_gfni` and `without_gfni`.
///
/// Without optimisation, a term of a few hundred operations on numbers can need more stack than the 2 MiB of a
/// `cargo test` thread. Set `RUST_MIN_STACK=16777216`, or `[profile.dev] opt-level = 1`.
///
/// # What a term cannot compute
///
/// All operations work on whole sets, so a term cannot look at a single piece: of a role's attacks, rays and leaps
/// yield the union, the number on each square, or the sum. Nor can it look up values by square or by number. Instead:
///
/// - for a linear weight (points for each attack), [`sum_on`](crate::eval::SquareCounts::sum_on);
/// - for thresholds, [`if_less`](crate::Numbers::if_less) on numbers of the whole side;
/// - for values by square, a [`PieceSquareTable`];
/// - for terms that evaluate each piece separately, columns of the sets that every piece needs ([`Kernel::fill`]:
///   occupancy, attacks of enemy pawns, pins), and your own loop over pieces with [`line`](crate::line) or your own
///   tables.
#[diagnostic::on_unimplemented(note = "a term is implemented inside `setwise::term! {{ ... }}`")]
pub trait Term {
    /// The input for each position besides the pieces: `()` for none, or a set of squares, a number, or several of them
    /// ([`Value`]).
    type Input: Value;

    /// The value for each position: a set of squares, a number, or several of them ([`Value`]).
    type Value: Value;

    /// Defined by [`term!`](crate::term!).
    #[doc(hidden)]
    const WRITE_IT_INSIDE_SETWISE_TERM_OR_IT_RUNS_50_TIMES_SLOWER: ();

    /// Evaluates the term for as many positions as `B` has boards.
    fn eval<B: Boards>(
        &self,
        position: &Pieces<B>,
        input: Of<Self::Input, B>,
    ) -> Of<Self::Value, B>;

    /// Evaluates the term for one position, with the arithmetic of a single `u64`.
    ///
    /// Use it in tests and for an occasional position, but not in a search: code that is written for one position and
    /// uses the functions of [`position`](crate::position) takes less than half the time.
    #[inline]
    fn one(&self, pieces: &Pieces, input: Self::Input) -> Self::Value {
        Self::Value::one(self.eval(pieces, input.splat()))
    }
}

/// Empty inputs, enough for any number of positions.
static NOTHING: [(); usize::MAX] = [(); usize::MAX];

/// Adds the attributes that make a [`Term`] and its helper functions fast: `#[inline(always)]` on each.
///
/// It accepts `impl Term for ...` and other `impl` blocks, functions, constants and types, with any generics and any
/// path. It recognizes the trait by its name, so import it as `Term`.
///
/// ```
/// use setwise::{Boards, Pieces, Term};
/// struct Centre<const RANKS: u32>;
/// setwise::term! {
///     const FILES: u64 = 0x1818_1818_1818_1818;
///
///     /// The squares of the ranks in the middle.
///     const fn middle(ranks: u32) -> u64 {
///         !0 << (32 - 4 * ranks) & !0 >> (32 - 4 * ranks)
///     }
///
///     impl<const RANKS: u32> Centre<RANKS> {
///         fn squares<B: Boards>(&self) -> B {
///             B::splat(middle(RANKS)) & FILES
///         }
///     }
///
///     impl<const RANKS: u32> setwise::Term for Centre<RANKS> {
///         type Input = ();
///         type Value = u64;
///
///         fn eval<B: Boards>(&self, position: &Pieces<B>, _: ()) -> B {
///             self.squares::<B>().without(position.occupied())
///         }
///     }
/// }
/// assert_eq!(Centre::<2>.one(&Pieces::START, ()), 0x0000_0018_1800_0000);
/// ```
///
/// A term cannot be implemented outside the macro:
///
/// ```compile_fail,E0046
/// use setwise::{Boards, Pieces, Term};
/// struct White;
/// impl Term for White {
///     type Input = ();
///     type Value = u64;
///
///     fn eval<B: Boards>(&self, position: &Pieces<B>, _: ()) -> B {
///         position.white
///     }
/// }
/// ```
///
/// The macro does not accept other items.
#[macro_export]
macro_rules! term {
    ($($items:tt)*) => {
        $crate::__term_items! { [$($items)*] $($items)* }
    };
}

/// Receives the items twice: once as a whole, once to match how the first one begins.
#[doc(hidden)]
#[macro_export]
macro_rules! __term_items {
    (@inlined $item:item $($more:tt)*) => {
        #[inline(always)]
        $item
        $crate::__term_items! { [$($more)*] $($more)* }
    };
    (@constant $item:item $($more:tt)*) => {
        $item
        $crate::__term_items! { [$($more)*] $($more)* }
    };
    // Collects the head of an `impl` block up to its body.
    (@term [$($head:tt)*] { $($body:tt)* } $($more:tt)*) => {
        $($head)* {
            #[doc(hidden)]
            const WRITE_IT_INSIDE_SETWISE_TERM_OR_IT_RUNS_50_TIMES_SLOWER: () = ();
            $crate::__term_items! { [$($body)*] $($body)* }
        }
        $crate::__term_items! { [$($more)*] $($more)* }
    };
    (@term [$($head:tt)*] $next:tt $($more:tt)*) => {
        $crate::__term_items! { @term [$($head)* $next] $($more)* }
    };
    (@impl [$($head:tt)*] Term for $($more:tt)*) => {
        $crate::__term_items! { @term [$($head)* Term for] $($more)* }
    };
    (@impl [$($head:tt)*] { $($body:tt)* } $($more:tt)*) => {
        $($head)* {
            $crate::__term_items! { [$($body)*] $($body)* }
        }
        $crate::__term_items! { [$($more)*] $($more)* }
    };
    (@impl [$($head:tt)*] $next:tt $($more:tt)*) => {
        $crate::__term_items! { @impl [$($head)* $next] $($more)* }
    };
    (@impl $($other:tt)*) => {
        ::core::compile_error!("`setwise::term!`: this `impl` has no body");
    };
    ([]) => {};
    ([$($all:tt)*] $(#[$meta:meta])* impl $($more:tt)*) => {
        $crate::__term_items! { @impl [$(#[$meta])* impl] $($more)* }
    };
    ([$($all:tt)*] $(#[$meta:meta])* $visibility:vis fn $($more:tt)*) => {
        $crate::__term_items! { @inlined $($all)* }
    };
    ([$($all:tt)*] $(#[$meta:meta])* $visibility:vis const fn $($more:tt)*) => {
        $crate::__term_items! { @inlined $($all)* }
    };
    ([$($all:tt)*] $(#[$meta:meta])* $visibility:vis const $($more:tt)*) => {
        $crate::__term_items! { @constant $($all)* }
    };
    ([$($all:tt)*] $(#[$meta:meta])* $visibility:vis type $($more:tt)*) => {
        $crate::__term_items! { @constant $($all)* }
    };
    ([$($all:tt)*] $($other:tt)*) => {
        ::core::compile_error!(
            "`setwise::term!` takes `impl Term for ...`, other `impl` blocks, functions, constants and types; \
             put anything else (`struct`, `use`, macros) outside of it"
        );
    };
}

impl Kernel {
    /// Evaluates a [`Term`] without input for every position.
    ///
    /// # Panics
    /// If the number of values differs from the number of positions, or if the positions are batches that were made for
    /// another backend.
    ///
    /// See [`Term`] for an example.
    #[track_caller]
    pub fn eval<'a, T: Term<Input = ()>>(
        self,
        term: &T,
        positions: impl Into<Positions<'a>>,
        values: &mut [T::Value],
    ) {
        let positions = positions.into();
        self.eval_with(term, positions, &NOTHING[..positions.len()], values);
    }

    /// Evaluates a [`Term`] for every position and its input.
    ///
    /// # Panics
    /// If the number of inputs or values differs from the number of positions, or if the positions are batches that
    /// were made for another backend.
    ///
    /// See [`Term`](Term#other-inputs) for an example.
    #[track_caller]
    pub fn eval_with<'a, T: Term>(
        self,
        term: &T,
        positions: impl Into<Positions<'a>>,
        inputs: &[T::Input],
        values: &mut [T::Value],
    ) {
        let positions = positions.into();
        let rows = positions.len();
        same_length("values", values.len(), "positions", rows);
        same_length("inputs", inputs.len(), "positions", rows);
        positions.check(self);
        let block = self.backend().boards_per_block();
        let in_blocks = positions.in_blocks(block);
        if in_blocks > 0 {
            let (inputs, values) = (&inputs[..in_blocks], &mut values[..in_blocks]);
            self.run(Eval { term, positions: positions.rows(0..in_blocks), inputs, values });
        }
        if in_blocks < rows {
            let mut scratch = [Pieces::EMPTY; MAX_BOARDS];
            let positions = positions.rows(in_blocks..rows).padded(&mut scratch, block);
            let mut padded = [T::Input::ZERO; MAX_BOARDS];
            padded[..rows - in_blocks].copy_from_slice(&inputs[in_blocks..]);
            let mut answers = [T::Value::ZERO; MAX_BOARDS];
            let (inputs, answered) = (&padded[..block], &mut answers[..block]);
            self.run(Eval { term, positions, inputs, values: answered });
            values[in_blocks..].copy_from_slice(&answers[..rows - in_blocks]);
        }
    }
}

/// Evaluates a term for at least one block of rows.
struct Eval<'a, 'b, T: Term> {
    term: &'a T,
    positions: Positions<'a>,
    inputs: &'b [T::Input],
    values: &'b mut [T::Value],
}

impl<T: Term> Task for Eval<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Level>(self, _level: L) {
        let mut block = Some(0);
        while let Some(at) = block {
            let rows = at..at + L::BOARDS;
            let position = self.positions.load::<L::Boards>(at);
            let input = T::Input::load::<L::Boards>(&self.inputs[rows.clone()]);
            let values = self.term.eval(&position, input);
            T::Value::store::<L::Boards>(values, &mut self.values[rows]);
            block = next(at, self.values.len(), L::BOARDS);
        }
    }
}
