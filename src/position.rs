//! One position at a time: the questions of an engine, inlined with the instructions that the build enables.
//!
//! The functions here take raw `u64` or [`Pieces`], allocate nothing, use no tables, and are inlined. They use the
//! instructions that the **build** enables, so build an engine with `-C target-cpu=native` (or `x86-64-v3`,
//! `x86-64-v4`). A program that must run on any processor makes a [`Kernel`] once and calls the methods of
//! [`kernel.position()`](Kernel::position). They answer the same questions through a pointer, which costs about a
//! nanosecond per call.
//!
//! ```
//! use setwise::{position, Colour, Fen, Kernel};
//! let fen: Fen = "4k3/8/8/8/4r3/8/4N3/4K2R w K - 0 1".parse()?;
//! let pieces = fen.pieces;
//!
//! // Which of my pieces are pinned, which give check, and where must my king not go?
//! assert_eq!(position::pinned(&pieces, Colour::White), 1 << 12); // the knight on e2
//! assert_eq!(position::checkers(&pieces, Colour::White), 0);
//! let king_danger = position::king_danger(&pieces, Colour::White);
//! assert_eq!(king_danger & (1 << 12 | 1 << 13), 1 << 12); // e2 is attacked, f2 is not
//!
//! // Everything that both sides attack, by role.
//! let attacks = position::attacks(&pieces);
//! assert_eq!(attacks[Colour::Black].all & pieces.white, 1 << 12);
//! assert_eq!(attacks[Colour::White].twice & 1 << 5, 1 << 5); // f1: by the king and by the rook
//!
//! // The same with the best instructions of the processor that the program runs on.
//! let position = Kernel::detect().position();
//! assert_eq!(position.attacks(&pieces), attacks);
//! # Ok::<(), setwise::fen::FenError>(())
//! ```
//!
//! What a call does, by what the build enables (vector operations, and those to join lanes in the end):
//!
//! | | nothing | AVX2 | AVX-512 F, BW, VL, DQ |
//! |---|---|---|---|
//! | [`slider_attacks`] | about 110 scalar | 32 + 6 | 13 + 7 |
//! | [`orthogonal_attacks`], [`diagonal_attacks`] | about 55 scalar | 32 + 3 | as AVX2, fused to 26 + 3 |
//! | [`slider_rays`] | about 100 scalar | 32 | 13 |
//! | [`slider_attacks_by_role`] | about 300 scalar | 128 + 6; with GFNI 85 + 6 | 52 + 3; with GFNI 37 + 3 |
//! | [`attacks`] | about 500 scalar | 128 + 90; with GFNI 85 + 90 | as AVX2, a third fused |
//! | [`attacks_by`] | about 250 scalar | 64 + 30 and 60 scalar | as AVX2, a third fused |
//! | [`checkers`], [`attackers`] | about 140 scalar | 34 + 20 | 15 + 20 |
//! | [`pinned`] | about 210 scalar | 67 + 6 | 27 + 8 |

use crate::backend::{__backends, Backend, Kernel};
use crate::bitboard::ByDirection;
use crate::eval::Attacks;
use crate::pieces::{ByColour, Colour, Pieces};
use crate::threats::pairs::ThreatList;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod gfni;
mod instructions;
mod scalar;

pub use crate::threats::changed::threats_changed;
pub(crate) use instructions::Instructions;
pub use instructions::{DiagonalAttacks, OrthogonalAttacks, SliderAttacksByRole};

/// A question about one position; `run` is `#[inline(always)]` in every implementor, so that it becomes part of
/// the function that enables the instructions.
pub(crate) trait Question<A: Arguments> {
    /// The answer.
    type Answer;

    /// Answers it.
    fn run<I: Instructions>(arguments: A) -> Self::Answer;
}

/// The arguments of a question, passed one by one so that they stay in registers. As one struct they would go
/// through memory, and a vector load of words that have just been stored waits until they have reached the
/// cache: the union took 18.9 ns through a kernel in hand, and takes 4.4 this way.
pub(crate) trait Arguments {
    /// The first.
    type First;
    /// The second, or nothing.
    type Second;
    /// The third, or nothing.
    type Third;
    /// The fourth, or nothing.
    type Fourth;

    /// All four.
    fn split(self) -> (Self::First, Self::Second, Self::Third, Self::Fourth);

    /// The inverse of [`split`](Self::split).
    fn join(a: Self::First, b: Self::Second, c: Self::Third, d: Self::Fourth) -> Self;
}

/// Implements [`Arguments`] for a tuple: its types and names, then nothing for those that it lacks.
macro_rules! arguments {
    ($($type:ident $name:ident),*; $($rest:ident $nothing:pat),*) => {
        impl<$($type),*> Arguments for ($($type,)*) {
            arguments!(@types [First Second Third Fourth] [$($type)* $($rest)*]);

            #[inline(always)]
            fn split(self) -> (Self::First, Self::Second, Self::Third, Self::Fourth) {
                let ($($name,)*) = self;
                ($($name,)* $(arguments!(@unit $rest)),*)
            }

            #[inline(always)]
            fn join($($name: $type,)* $($nothing: ()),*) -> Self {
                ($($name,)*)
            }
        }
    };
    (@unit $rest:ident) => { () };
    (@types [$($place:ident)*] [$($type:ident)*]) => {
        $(type $place = arguments!(@type $type);)*
    };
    (@type Nothing) => { () };
    (@type $type:ident) => { $type };
}

arguments!(A a; Nothing (), Nothing (), Nothing ());
arguments!(A a, B b; Nothing (), Nothing ());
arguments!(A a, B b, C c; Nothing ());
arguments!(A a, B b, C c, D d;);

/// Writes both dispatches from the table of backends: the one of a kernel in hand, with a function for each set
/// of features that enables them, and the one that the compiler settles.
macro_rules! dispatch {
    (
        portable {
            $($portable:ident $portable_module:ident $portable_name:literal { $($portable_text:literal)* }
            boards: $portable_boards:ty;
            position: $portable_position:ty;)*
        }
        x86_64 {
            $($native:ident $module:ident $native_name:literal { $($native_text:literal)* }
            features: $set:ident $features:ident;
            boards: $native_boards:ty;
            position: $native_position:ty;)*
        }
    ) => {
        /// Answers a question with a kernel's instructions.
        ///
        /// One call through a pointer, so that the answer is written where the caller wants it: a call for each
        /// backend wrote it elsewhere first, and moving eight words cost more than the call.
        #[inline(always)]
        pub(crate) fn answer_by<Q: Question<A>, A: Arguments>(kernel: Kernel, arguments: A) -> Q::Answer {
            let function: Function<Q, A> = match kernel.backend() {
                $(Backend::$portable => portable::<$portable_position, Q, A>,)*
                $(
                    #[cfg(target_arch = "x86_64")]
                    Backend::$native => enabled::$module::<$native_position, Q, A>,
                    #[cfg(not(target_arch = "x86_64"))]
                    Backend::$native => unreachable!("no kernel has a backend that is not available"),
                )*
            };
            let (a, b, c, d) = arguments.split();
            // SAFETY: a `Kernel` for a backend exists only where the processor was found to have the features
            // that its function enables.
            unsafe { function(a, b, c, d) }
        }

        /// Answers a question with the instructions that the build enables.
        #[inline(always)]
        fn answer<Q: Question<A>, A: Arguments>(arguments: A) -> Q::Answer {
            $(
                #[cfg(target_arch = "x86_64")]
                if matches!(Backend::BUILT_IN, Backend::$native) {
                    // The whole build has the instructions, so nothing needs to enable them.
                    return Q::run::<$native_position>(arguments);
                }
            )*
            Q::run::<scalar::Scalar>(arguments)
        }

        /// The functions that enable a backend's instructions.
        #[cfg(target_arch = "x86_64")]
        mod enabled {
            use super::{Arguments, Instructions, Question};

            $(
                crate::__features! {
                    $features => enable

                    #[inline]
                    pub(super) extern "C" fn $module<I: Instructions, Q: Question<A>, A: Arguments>(
                        a: A::First,
                        b: A::Second,
                        c: A::Third,
                        d: A::Fourth,
                    ) -> Q::Answer {
                        Q::run::<I>(A::join(a, b, c, d))
                    }
                }
            )*
        }
    };
}

__backends!({ dispatch });

/// What answers a question with a backend's instructions, which it may enable.
///
/// `extern "C"`, because such a function does not unwind: only then does the compiler let it write a large answer
/// to where the caller's caller wants it.
type Function<Q, A> = unsafe extern "C" fn(
    <A as Arguments>::First,
    <A as Arguments>::Second,
    <A as Arguments>::Third,
    <A as Arguments>::Fourth,
) -> <Q as Question<A>>::Answer;

/// Answers a question with instructions that nothing needs to enable.
extern "C" fn portable<P: Portable, Q: Question<A>, A: Arguments>(
    a: A::First,
    b: A::Second,
    c: A::Third,
    d: A::Fourth,
) -> Q::Answer {
    P::answer::<Q, A>(A::join(a, b, c, d))
}

/// How a portable backend answers.
trait Portable {
    fn answer<Q: Question<A>, A: Arguments>(arguments: A) -> Q::Answer;
}

/// The instructions that the build enables, for the portable backends of a kernel in hand.
struct BuiltIn;

impl Portable for BuiltIn {
    #[inline(always)]
    fn answer<Q: Question<A>, A: Arguments>(arguments: A) -> Q::Answer {
        answer::<Q, A>(arguments)
    }
}

impl Portable for scalar::Scalar {
    #[inline(always)]
    fn answer<Q: Question<A>, A: Arguments>(arguments: A) -> Q::Answer {
        Q::run::<Self>(arguments)
    }
}

/// Writes each question three times: as a type for the dispatch, as a function for what the build enables,
/// and as a method for a kernel in hand.
macro_rules! questions {
    ($(
        $(#[$doc:meta])*
        $question:ident: fn $name:ident($($argument:ident: $type:ty),*) -> $answer:ty;
    )*) => {
        $(
            struct $question;

            impl Question<($($type,)*)> for $question {
                type Answer = $answer;

                #[inline(always)]
                fn run<I: Instructions>(($($argument,)*): ($($type,)*)) -> $answer {
                    I::$name($($argument),*)
                }
            }

            $(#[$doc])*
            #[inline(always)]
            #[must_use]
            pub fn $name($($argument: $type),*) -> $answer {
                answer::<$question, _>(($($argument,)*))
            }
        )*

        impl PositionKernel {
            $(
                #[doc = concat!("[`", stringify!($name), "`], with the kernel's instructions.")]
                #[inline]
                #[must_use]
                pub fn $name(self, $($argument: $type),*) -> $answer {
                    answer_by::<$question, ($($type,)*)>(self.kernel, ($($argument,)*))
                }
            )*
        }
    };
}

/// The questions about one position with a [`Kernel`]'s instructions: [`Kernel::position`] makes it.
///
/// Each method is the function of the same name, with instructions that the build need not enable. Choosing
/// them costs a call through a pointer, about a nanosecond (four for [`attacks_by`]), so prefer the functions where
/// you build for the processor you run on. `scalar` uses no vectors; `lanes` and `wide` use what the build
/// enables.
///
/// ```
/// use setwise::{Kernel, position};
/// let position = Kernel::detect().position();
/// let rook_on_a1 = 1;
/// assert_eq!(position.slider_attacks(rook_on_a1, 0, 0), position::slider_attacks(rook_on_a1, 0, 0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PositionKernel {
    kernel: Kernel,
}

impl Kernel {
    /// The same choice, for questions about one position at a time.
    #[inline]
    #[must_use]
    pub fn position(self) -> PositionKernel {
        PositionKernel { kernel: self }
    }
}

questions! {
    #[doc(alias = "sliding_attacks")]
    /// The squares that orthogonal and diagonal sliders attack together: the union of all rays. Queens are in both
    /// sets.
    ///
    /// It makes no difference whether `occupied` contains the sliders of a set, which always block each other. But a
    /// bishop blocks a rook only if `occupied` contains the bishop. The squares of sliders that other sliders of the
    /// set attack are included: they are defended.
    ///
    /// ```
    /// use setwise::position;
    /// let (d4, d6) = (1 << 27, 1 << 43);
    /// let attacks = position::slider_attacks(d4, 0, d6);
    /// assert_eq!(attacks, 0x0000_0808_f708_0808); // up to and including d6
    /// assert_eq!(attacks, position::slider_attacks(d4, 0, d4 | d6));
    /// ```
    SliderAttacks: fn slider_attacks(orthogonal: u64, diagonal: u64, occupied: u64) -> u64;

    /// The squares that rooks and queens attack along ranks and files.
    ///
    /// ```
    /// let a1 = 1;
    /// assert_eq!(setwise::position::orthogonal_attacks(a1, 0), 0x0101_0101_0101_01fe);
    /// ```
    Orthogonal: fn orthogonal_attacks(sliders: u64, occupied: u64) -> u64;

    /// The squares that bishops and queens attack along diagonals.
    ///
    /// ```
    /// let a1 = 1;
    /// assert_eq!(setwise::position::diagonal_attacks(a1, 0), 0x8040_2010_0804_0200);
    /// ```
    Diagonal: fn diagonal_attacks(sliders: u64, occupied: u64) -> u64;

    /// The rays of two sets of sliders: those of `orthogonal` along ranks and files, those of `diagonal` along
    /// diagonals.
    ///
    /// The sliders of a set block each other, whether or not `occupied` contains them. So in any one direction, at most
    /// one of them attacks a given square.
    ///
    /// ```
    /// use setwise::{bitboard::Direction, position};
    /// let (a1, c1) = (1, 1 << 2);
    /// let rays = position::slider_rays(a1 | c1, 0, 0);
    /// assert_eq!(rays[Direction::East], 0b1111_1110);
    /// assert_eq!(rays[Direction::West], 0b0000_0011);
    /// ```
    SliderRays: fn slider_rays(orthogonal: u64, diagonal: u64, occupied: u64) -> ByDirection<u64>;

    /// The squares that each side's rooks, bishops and queens attack, with the orthogonal and the diagonal lines of
    /// queens kept apart. All pieces block. One call computes eight sets. That is much cheaper than eight calls,
    /// because the lanes of a vector hold the sets.
    ///
    /// ```
    /// use setwise::{Colour, Pieces, board, position};
    /// let sliders = position::slider_attacks_by_role(&Pieces::START);
    /// assert_eq!(sliders.orthogonal[Colour::White].rook, board! {
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     . . . . . . . .
    ///     x . . . . . . x
    ///     . x . . . . x .
    /// });
    /// assert_eq!(sliders.diagonal[Colour::White].queen, 1 << 10 | 1 << 12); // c2 and e2
    /// ```
    ByRole: fn slider_attacks_by_role(pieces: &Pieces) -> SliderAttacksByRole;

    /// The attack maps of both sides, as [`Attacks`] defines them. All pieces block.
    ///
    /// ```
    /// use setwise::{Colour, Pieces, position};
    /// let attacks = position::attacks(&Pieces::START);
    /// assert_eq!(attacks[Colour::White].pawn, 0x0000_0000_00ff_0000);
    /// assert_eq!(attacks[Colour::Black].all, attacks[Colour::White].all.swap_bytes());
    /// ```
    AllAttacks: fn attacks(pieces: &Pieces) -> ByColour<Attacks<u64>>;

    /// The attack maps of one side with the caller's choice of blockers; the side's own sliders always block too. With
    /// the enemy's king removed from `occupied`, `all` contains the squares that this king may not move to, and the
    /// same call returns the other maps for the evaluation.
    ///
    /// ```
    /// use setwise::{Colour, Fen, position};
    /// let pieces = Fen::parse("4k3/8/8/8/8/8/8/R3K2r w - - 0 1")?.pieces;
    /// let without_king = pieces.occupied() & !(pieces.kings & pieces.white);
    /// let black = position::attacks_by(&pieces, Colour::Black, without_king);
    /// assert_eq!(black.rook & 0xff, 0b0111_1111); // the rook on h1 attacks through the king
    /// assert_eq!(black.all, position::king_danger(&pieces, Colour::White));
    /// # Ok::<(), setwise::fen::FenError>(())
    /// ```
    AttacksBy: fn attacks_by(pieces: &Pieces, colour: Colour, occupied: u64) -> Attacks<u64>;

    /// The pieces of a colour that attack a square of a set, occupied or not, given the blockers. For static exchange
    /// evaluation, remove pieces from `occupied` as they are captured, and from the result too.
    ///
    /// ```
    /// use setwise::{Colour, Pieces, position};
    /// let start = Pieces::START;
    /// let f3 = 1 << 21;
    /// let knight_and_pawns = 1 << 6 | 1 << 12 | 1 << 14;
    /// let attackers = position::attackers(&start, Colour::White, f3, start.occupied());
    /// assert_eq!(attackers, knight_and_pawns);
    /// // Without the pawn on e2 the queen attacks f3 too.
    /// let occupied = start.occupied() & !(1 << 12);
    /// let attackers = position::attackers(&start, Colour::White, f3, occupied) & occupied;
    /// assert_eq!(attackers, 1 << 3 | 1 << 6 | 1 << 14);
    /// ```
    Attackers: fn attackers(
        pieces: &Pieces, colour: Colour, targets: u64, occupied: u64
    ) -> u64;

    /// The pieces that give check to a colour: enemy pieces that attack one of its kings. Empty without a king; with
    /// several kings, the checkers of all of them.
    ///
    /// ```
    /// use setwise::{position, Colour, Fen};
    /// let fen = Fen::parse("4k3/8/3N4/8/8/8/8/K3R3 b - - 0 1")?;
    /// assert_eq!(position::checkers(&fen.pieces, Colour::Black), 1 << 43 | 1 << 4); // double check
    /// # Ok::<(), setwise::fen::FenError>(())
    /// ```
    Checkers: fn checkers(pieces: &Pieces, colour: Colour) -> u64;

    /// The pieces of a colour that are absolutely pinned: each stands alone between one of its own kings and an enemy
    /// slider that would otherwise attack the king. They may still move along the line, which
    /// [`line::line`](crate::line::line) returns.
    ///
    /// Every king counts, and every king blocks: one that stands between another and a slider is pinned too.
    /// [`eval::king_threats`](crate::eval::king_threats) gives the pinners as well.
    ///
    /// ```
    /// use setwise::{position, Colour, Fen};
    /// let fen = Fen::parse("4k3/4n3/8/7b/4R3/8/4PP2/3K4 b - - 0 1")?;
    /// assert_eq!(position::pinned(&fen.pieces, Colour::Black), 1 << 52); // the knight on e7
    /// assert_eq!(position::pinned(&fen.pieces, Colour::White), 1 << 12); // the pawn on e2
    /// # Ok::<(), setwise::fen::FenError>(())
    /// ```
    Pinned: fn pinned(pieces: &Pieces, colour: Colour) -> u64;

    /// The squares where a king of the colour would be in check: those that the enemy attacks if the colour's kings are
    /// taken off the board, so that a king does not hide the squares behind it.
    ///
    /// ```
    /// use setwise::{position, Colour, Fen};
    /// let fen = Fen::parse("4k3/8/8/8/8/8/8/R3K2r w - - 0 1")?;
    /// let danger = position::king_danger(&fen.pieces, Colour::White);
    /// assert_eq!(danger & 1 << 3, 1 << 3); // d1, behind the king
    /// # Ok::<(), setwise::fen::FenError>(())
    /// ```
    KingDanger: fn king_danger(pieces: &Pieces, colour: Colour) -> u64;

    /// Threats: every pair of a piece and an occupied square that it attacks, of both sides, own pieces included. There
    /// are at most [`MAX_THREATS`](crate::threats::MAX_THREATS). The module [`threats`](crate::threats) defines their
    /// order, and how it treats squares with several roles or colours.
    ///
    /// ```
    /// use setwise::{position, Fen};
    /// let fen = Fen::parse("8/8/8/k7/8/8/8/R3K2R w - - 0 1")?;
    /// let threats = position::threats(&fen.pieces);
    /// let named: Vec<String> = threats.iter().map(|threat| threat.to_string()).collect();
    /// assert_eq!(named, ["a1-e1", "h1-e1", "a1-a5"]);
    /// # Ok::<(), setwise::fen::FenError>(())
    /// ```
    Threats: fn threats(pieces: &Pieces) -> ThreatList;
}
