//! Calls for one position with the instructions of a kernel.

use crate::backend::Backend;

/// Defines a struct whose methods run with the instructions of a kernel, from functions that are generic over a
/// [`Level`](crate::dispatch::Level).
///
/// The macro accepts a struct whose fields are functions. The first parameter of each is a level, as in the example;
/// the resulting method omits it. Type parameters with one bound each may follow that of the level. The body is inlined
/// into one function for each backend, which enables the instructions. `of` returns the methods of a kernel, which are
/// a byte and may be copied. A call is two or three comparisons and a direct call with arguments in registers. The
/// functions must not unwind: a panic in one aborts the program, so check arguments beforehand or return an error.
///
/// ```
/// use setwise::{Kernel, Pieces, position};
///
/// setwise::functions! {
///     /// My questions about one position.
///     pub struct Questions {
///         /// The number of squares that both sides' sliders attack.
///         pub fn contested<L: Level>(_level: L, pieces: &Pieces) -> u32 {
///             let attacks = position::attacks(pieces);
///             (attacks.white.all & attacks.black.all).count_ones()
///         }
///     }
/// }
///
/// let questions = Questions::of(Kernel::detect());
/// assert_eq!(questions.contested(&Pieces::START), 0);
/// ```
#[macro_export]
macro_rules! functions {
    (
        $(#[$meta:meta])*
        $visibility:vis struct $name:ident { $(
            $(#[$function_meta:meta])*
            $function_visibility:vis fn $function:ident<
                $level_type:ident: Level $(, $generic:ident: $bound:path)*
            >(
                $level:ident: $level_of:ident $(, $argument:ident: $type:ty)* $(,)?
            ) $(-> $output:ty)? $body:block
        )* }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        $visibility struct $name($crate::Kernel);

        impl $name {
            /// The functions with a kernel's instructions.
            #[inline]
            #[must_use]
            $visibility fn of(kernel: $crate::Kernel) -> Self {
                Self(kernel)
            }

            $(
                $(#[$function_meta])*
                #[allow(clippy::too_many_arguments, reason = "as many as the question has")]
                #[inline]
                $function_visibility fn $function<$($generic: $bound),*>(
                    self $(, $argument: $type)*
                ) $(-> $output)? {
                    #[allow(clippy::too_many_arguments, reason = "as many as the question has")]
                    #[inline(always)]
                    fn __setwise_body<$level_type: $crate::dispatch::Level $(, $generic: $bound)*>(
                        $level: $level_type $(, $argument: $type)*
                    ) $(-> $output)? $body

                    $crate::functions! {
                        @enter __scalar Scalar portable [$($generic: $bound),*] ($($argument: $type),*) $(-> $output)?
                    }
                    $crate::functions! {
                        @enter __wide Wide portable [$($generic: $bound),*] ($($argument: $type),*) $(-> $output)?
                    }
                    $crate::functions! {
                        @enter __avx2 Avx2 avx2 [$($generic: $bound),*] ($($argument: $type),*) $(-> $output)?
                    }
                    $crate::functions! {
                        @enter __avx2_gfni Avx2Gfni avx2_gfni [$($generic: $bound),*] ($($argument: $type),*) $(-> $output)?
                    }
                    $crate::functions! {
                        @enter __avx512_gfni Avx512Gfni avx512_gfni [$($generic: $bound),*] ($($argument: $type),*) $(-> $output)?
                    }

                    let backend = self.0.backend();
                    // A `match` would become an indirect jump, which costs as much as a short call where the processor
                    // does not predict it.
                    // SAFETY: the backend is that of a kernel, which exists only if the processor has the features that
                    // the function enables.
                    #[cfg(target_arch = "x86_64")]
                    unsafe {
                        use $crate::Backend::{Avx2, Avx2Gfni, Avx512};
                        if backend > Avx512 {
                            return __avx512_gfni($($argument),*);
                        }
                        if backend >= Avx2 {
                            // One position gains nothing from 64-byte registers (see the table of levels).
                            return if backend == Avx2Gfni {
                                __avx2_gfni($($argument),*)
                            } else {
                                __avx2($($argument),*)
                            };
                        }
                    }
                    // For one position, `lanes` and `wide` both use the instructions that the build enables.
                    if backend > $crate::Backend::Scalar {
                        __wide($($argument),*)
                    } else {
                        __scalar($($argument),*)
                    }
                }
            )*
        }
    };

    // The function that enables a backend's instructions. It is `extern "C"`, because such a function does not unwind:
    // only then does the compiler let it write a large result directly to its final destination.
    (
        @enter $name:ident $backend:ident $features:ident [$($generic:ident: $bound:path),*]
        ($($argument:ident: $type:ty),*) $(-> $output:ty)?
    ) => {
        $crate::__features! { $features => enable
            #[allow(clippy::too_many_arguments, reason = "as many as the question has")]
            #[allow(improper_ctypes_definitions, reason = "it is called from Rust")]
            #[inline]
            extern "C" fn $name<$($generic: $bound),*>($($argument: $type),*) $(-> $output)? {
                // SAFETY: this function enables the instructions, unless the build does.
                let level = unsafe { <$crate::dispatch::__level::$backend as $crate::dispatch::Level>::assume() };
                __setwise_body(level $(, $argument)*)
            }
        }
    };
    ($($other:tt)*) => {
        ::core::compile_error!(
            "`setwise::functions!` takes a `struct` of functions like `fn name<L: Level, T: Bound>(level: L, argument: T) \
             -> u64 { ... }`: an argument is a name without `mut`, each type parameter has one bound, and there are no \
             named lifetimes, constants or `where`"
        );
    };
}

// The comparisons in `functions!` rely on this order. A new backend needs its branch there.
const _: () = {
    use Backend::{Avx2, Avx2Gfni, Avx512, Avx512Gfni, Lanes, Scalar, Wide};
    assert!(matches!(Backend::ALL, [Scalar, Lanes, Wide, Avx2, Avx2Gfni, Avx512, Avx512Gfni]));
};

#[cfg(all(test, feature = "bulk"))]
mod tests {
    use crate::dispatch::{Level, Task};
    use crate::{Backend, Kernel};

    crate::functions! {
        struct Levels {
            fn of_one_position<L: Level>(_level: L) -> Backend {
                L::BACKEND
            }
        }
    }

    struct LevelOfTask;

    impl Task for LevelOfTask {
        type Output = Backend;

        #[inline(always)]
        fn run<L: Level>(self, _level: L) -> Backend {
            L::BACKEND
        }
    }

    /// The table of levels in `dispatch.rs`, for each backend that this processor can run.
    #[test]
    fn every_call_has_the_level_of_the_table() {
        for kernel in Kernel::available() {
            let backend = kernel.backend();
            let [without_gfni, by_rows, nearest, of_one_position] = match backend {
                Backend::Scalar => [Backend::Scalar; 4],
                Backend::Lanes => [Backend::Lanes, Backend::Wide, Backend::Wide, Backend::Wide],
                Backend::Wide => [Backend::Wide; 4],
                Backend::Avx2 => [Backend::Avx2; 4],
                Backend::Avx2Gfni => {
                    [Backend::Avx2, Backend::Avx2, Backend::Avx2, Backend::Avx2Gfni]
                }
                Backend::Avx512 => [Backend::Avx512, Backend::Avx2, Backend::Avx2, Backend::Avx2],
                Backend::Avx512Gfni => {
                    [Backend::Avx512, Backend::Avx2, Backend::Avx512Gfni, Backend::Avx512Gfni]
                }
            };
            assert_eq!(kernel.run(LevelOfTask), backend);
            assert_eq!(kernel.run_without_gfni(LevelOfTask), without_gfni, "{backend}");
            assert_eq!(kernel.run_by_rows(LevelOfTask), by_rows, "{backend}");
            assert_eq!(kernel.run_nearest(LevelOfTask), nearest, "{backend}");
            assert_eq!(Levels::of(kernel).of_one_position(), of_one_position, "{backend}");
        }
    }
}
