//! How a question about one position gets to the instructions that answer it: those of a kernel in hand, or those that the
//! build enables.

use super::instructions::Instructions;
use super::scalar;
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};
use crate::backend::{__backends, Backend, Kernel};

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
/// register left. There are six on x86-64, one of which an answer of more than two words takes.
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
