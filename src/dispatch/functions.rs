//! Function tables: calls for one position with the instructions of a kernel.

/// Defines a function table for each backend, from functions that are generic over a [`Level`](crate::dispatch::Level).
///
/// The macro accepts a struct whose fields are functions. The first parameter of each is a level; the resulting method
/// omits it. The body is inlined into a function that enables the instructions. `of` returns the table of a kernel. A
/// call is one indirect jump with arguments in registers. The functions must not unwind: a panic in one aborts the
/// program, so check arguments beforehand or return an error.
///
/// ```
/// use setwise::{Kernel, Pieces, dispatch::Level, position};
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
        $visibility:vis struct $name:ident { $($functions:tt)* }
    ) => {
        $crate::functions! { @struct { $(#[$meta])* $visibility struct $name } $($functions)* }

        impl $name {
            /// The functions with a kernel's instructions.
            #[inline]
            #[must_use]
            $visibility fn of(kernel: $crate::Kernel) -> &'static Self {
                match kernel.backend() {
                    $crate::Backend::Scalar => $crate::functions!(@table $name Scalar [] $($functions)*),
                    #[cfg(target_arch = "x86_64")]
                    $crate::Backend::Avx2 => $crate::functions!(@table $name Avx2 [avx2] $($functions)*),
                    #[cfg(target_arch = "x86_64")]
                    $crate::Backend::Avx2Gfni => {
                        $crate::functions!(@table $name Avx2Gfni [avx2_gfni] $($functions)*)
                    }
                    #[cfg(target_arch = "x86_64")]
                    $crate::Backend::Avx512 => $crate::functions!(@table $name Avx512 [avx512] $($functions)*),
                    #[cfg(target_arch = "x86_64")]
                    $crate::Backend::Avx512Gfni => {
                        $crate::functions!(@table $name Avx512Gfni [avx512_gfni] $($functions)*)
                    }
                    // `lanes` and `wide`: for one position, both use the instructions that the build enables.
                    _ => $crate::functions!(@table $name Wide [] $($functions)*),
                }
            }
        }
    };

    // The struct, and a method for each function.
    (@struct { $(#[$meta:meta])* $visibility:vis struct $name:ident } $(
        $(#[$function_meta:meta])*
        $function_visibility:vis fn $function:ident<$level_type:ident: Level>(
            $level:ident: $level_of:ident $(, $argument:ident: $type:ty)* $(,)?
        ) $(-> $output:ty)? $body:block
    )*) => {
        $(#[$meta])*
        #[allow(improper_ctypes_definitions, reason = "they are called from Rust")]
        $visibility struct $name {
            // `extern "C"`, because such a function does not unwind: only then does the compiler let it write a large
            // result directly to its final destination.
            $($function: unsafe extern "C" fn($($type),*) $(-> $output)?,)*
        }

        impl $name {
            $(
                $(#[$function_meta])*
                #[allow(clippy::too_many_arguments, reason = "as many as the question has")]
                #[inline]
                $function_visibility fn $function(&self $(, $argument: $type)*) $(-> $output)? {
                    // SAFETY: `of` returned this table for a kernel, which exists only if the processor has the
                    // features that the function enables.
                    unsafe { (self.$function)($($argument),*) }
                }
            )*
        }
    };

    // The table of a level.
    (@table $name:ident $backend:ident $features:tt $(
        $(#[$function_meta:meta])*
        $function_visibility:vis fn $function:ident<$level_type:ident: Level>(
            $level:ident: $level_of:ident $(, $argument:ident: $type:ty)* $(,)?
        ) $(-> $output:ty)? $body:block
    )*) => {
        const {
            &$name {
                $(
                    $function: {
                        #[allow(clippy::too_many_arguments, reason = "as many as the question has")]
                        #[inline(always)]
                        fn __at<$level_type: $crate::dispatch::Level>(
                            $level: $level_type $(, $argument: $type)*
                        ) $(-> $output)? $body

                        $crate::functions! { @enable $features
                            #[allow(improper_ctypes_definitions, reason = "it is called from Rust")]
                            extern "C" fn __enter($($argument: $type),*) $(-> $output)? {
                                // SAFETY: this function enables the instructions, or the level needs none.
                                let level = unsafe {
                                    $crate::dispatch::level::assume::<$crate::dispatch::level::$backend>()
                                };
                                __at(level $(, $argument)*)
                            }
                        }

                        __enter
                    },
                )*
            }
        }
    };
    (@enable [] $($function:tt)*) => { $($function)* };
    (@enable [$features:ident] $($function:tt)*) => {
        $crate::__features! { $features => enable $($function)* }
    };
}
