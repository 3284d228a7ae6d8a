//! How a question about one position gets to the instructions that answer it: those of a kernel in hand, or those that the
//! build enables.

use super::instructions::Instructions;
use super::scalar;
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};
use crate::backend::{__backends, Backend, Kernel};
use crate::threats::changes::{ChangeError, PairFilter, SquareChange, ThreatChange};

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
/// cache: the union took 18.9 ns through a kernel in hand, and takes 4.4 this way. The same happens to a slice that finds no
/// register left. There are six on x86-64, one of which an answer of more than two words takes. Eight are what C's call for
/// records has; it is entered by a jump.
#[doc(hidden)]
pub trait Arguments: Sized {
    type First;
    type Second;
    type Third;
    type Fourth;
    type Fifth;
    type Sixth;
    type Seventh;
    type Eighth;

    /// All of them; those that a question lacks are nothing.
    fn split(self) -> Split<Self>;

    /// The inverse of [`split`](Self::split).
    fn join(arguments: Split<Self>) -> Self;
}

/// Arguments one by one.
pub type Split<A> = (
    <A as Arguments>::First,
    <A as Arguments>::Second,
    <A as Arguments>::Third,
    <A as Arguments>::Fourth,
    <A as Arguments>::Fifth,
    <A as Arguments>::Sixth,
    <A as Arguments>::Seventh,
    <A as Arguments>::Eighth,
);

/// Implements [`Arguments`] for a tuple: its types and names, then nothing for those that it lacks.
macro_rules! arguments {
    ($($type:ident $name:ident)*; $($nothing:tt)*) => {
        impl<$($type),*> Arguments for ($($type,)*) {
            arguments!(@types [First Second Third Fourth Fifth Sixth Seventh Eighth] [$($type)* $($nothing)*]);

            #[inline(always)]
            fn split(self) -> Split<Self> {
                let ($($name,)*) = self;
                ($($name,)* $($nothing,)*)
            }

            #[inline(always)]
            fn join(($($name,)* $($nothing,)*): Split<Self>) -> Self {
                ($($name,)*)
            }
        }
    };
    (@types [$($place:ident)*] [$($type:tt)*]) => {
        $(type $place = $type;)*
    };
}

arguments!(A a; () () () () () () ());
arguments!(A a B b; () () () () () ());
arguments!(A a B b C c; () () () () ());
arguments!(A a B b C c D d; () () () ());
arguments!(A a B b C c D d E e F f G g H h;);

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
            let function = function::<Q, A>(kernel);
            let (a, b, c, d, e, f, g, h) = arguments.split();
            // SAFETY: a `Kernel` for a backend exists only where the processor was found to have the features
            // that its function enables.
            unsafe { function(a, b, c, d, e, f, g, h) }
        }

        /// What answers a question with a kernel's instructions.
        #[inline(always)]
        fn function<Q: Question<A>, A: Arguments>(kernel: Kernel) -> Code<A, Q::Answer> {
            match kernel.backend() {
                $(Backend::$portable => portable::<$portable_position, Q, A>,)*
                $(
                    #[cfg(target_arch = "x86_64")]
                    Backend::$native => enabled::$module::<$native_position, Q, A>,
                    #[cfg(not(target_arch = "x86_64"))]
                    Backend::$native => unreachable!("no kernel has a backend that is not available"),
                )*
            }
        }

        /// Answers a question with the instructions that the build enables.
        #[inline(always)]
        pub(super) fn answer<Q: Question<A>, A: Arguments>(arguments: A) -> Q::Answer {
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
            use crate::position::dispatch::{Arguments, Instructions, Question};

            $(
                crate::__features! {
                    $features => enable

                    #[inline]
                    pub(super) extern "C" fn $module<I: Instructions, Q: Question<A>, A: Arguments>(
                        a: A::First,
                        b: A::Second,
                        c: A::Third,
                        d: A::Fourth,
                        e: A::Fifth,
                        f: A::Sixth,
                        g: A::Seventh,
                        h: A::Eighth,
                    ) -> Q::Answer {
                        Q::run::<I>(A::join((a, b, c, d, e, f, g, h)))
                    }
                }
            )*
        }
    };
}

__backends!({ dispatch });

/// A function that answers with a backend's instructions, which it may enable: only where the processor has them.
///
/// `extern "C"`, because such a function does not unwind: only then does the compiler let it write a large answer
/// to where the caller's caller wants it.
#[doc(hidden)]
pub type Code<A, R> = unsafe extern "C" fn(
    <A as Arguments>::First,
    <A as Arguments>::Second,
    <A as Arguments>::Third,
    <A as Arguments>::Fourth,
    <A as Arguments>::Fifth,
    <A as Arguments>::Sixth,
    <A as Arguments>::Seventh,
    <A as Arguments>::Eighth,
) -> R;

/// Answers a question with instructions that nothing needs to enable.
extern "C" fn portable<P: Portable, Q: Question<A>, A: Arguments>(
    a: A::First,
    b: A::Second,
    c: A::Third,
    d: A::Fourth,
    e: A::Fifth,
    f: A::Sixth,
    g: A::Seventh,
    h: A::Eighth,
) -> Q::Answer {
    P::answer::<Q, A>(A::join((a, b, c, d, e, f, g, h)))
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

/// The questions about one position with a [`Kernel`]'s instructions: [`Kernel::position`] makes it.
///
/// Each method is the function of the same name, with instructions that the build need not enable. Choosing
/// them costs a call through a pointer, about a nanosecond (four for [`attacks_by`](super::attacks_by)), so prefer the functions where
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
    pub(super) kernel: Kernel,
}

impl Kernel {
    /// The same choice, for questions about one position at a time.
    #[inline]
    #[must_use]
    pub fn position(self) -> PositionKernel {
        PositionKernel { kernel: self }
    }
}

/// The questions that code of another crate asks inside [`Inlined::run`].
#[doc(hidden)]
pub trait Answers {
    fn threat_changes(
        codes: &[u8; 64],
        changes: &[SquareChange],
        filter: &PairFilter,
        buffer: &mut [ThreatChange],
    ) -> Result<usize, ChangeError>;
}

impl<I: Instructions> Answers for I {
    #[inline(always)]
    fn threat_changes(
        codes: &[u8; 64],
        changes: &[SquareChange],
        filter: &PairFilter,
        buffer: &mut [ThreatChange],
    ) -> Result<usize, ChangeError> {
        I::threat_changes(codes, changes, filter, buffer)
    }
}

/// Code of another crate that becomes part of the function that enables a kernel's instructions, so `run` is
/// `#[inline(always)]`: the border of C checks its arguments there, and needs no frame and no registers of its own.
#[doc(hidden)]
pub trait Inlined<A: Arguments> {
    type Answer;

    fn run<I: Answers>(arguments: A) -> Self::Answer;
}

/// Such code as a question.
struct Foreign<C>(C);

impl<A: Arguments, C: Inlined<A>> Question<A> for Foreign<C> {
    type Answer = C::Answer;

    #[inline(always)]
    fn run<I: Instructions>(arguments: A) -> C::Answer {
        C::run::<I>(arguments)
    }
}

impl PositionKernel {
    /// The function that such code has become with the kernel's instructions, to be called as often as the caller likes.
    #[doc(hidden)]
    #[inline]
    pub fn code<C: Inlined<A>, A: Arguments>(self) -> Code<A, C::Answer> {
        function::<Foreign<C>, A>(self.kernel)
    }
}
