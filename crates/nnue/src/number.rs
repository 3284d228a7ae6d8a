//! The numbers that inputs are given as.

use core::mem::MaybeUninit;

/// What the library needs of a number.
pub trait Number: Copy {
    /// How many inputs it can tell apart.
    const INPUTS: u32;

    /// The number of an input.
    fn from_input(input: u32) -> Self;
}

macro_rules! numbers {
    ($($number:ty),*) => {
        $(
            impl Number for $number {
                const INPUTS: u32 = if size_of::<Self>() == 2 { 1 << 16 } else { 1 << 31 };

                #[inline(always)]
                fn from_input(input: u32) -> Self {
                    input as Self
                }
            }
        )*
    };
}

numbers!(u16, u32, i32);

impl<N: Number> Number for MaybeUninit<N> {
    const INPUTS: u32 = N::INPUTS;

    #[inline(always)]
    fn from_input(input: u32) -> Self {
        Self::new(N::from_input(input))
    }
}
