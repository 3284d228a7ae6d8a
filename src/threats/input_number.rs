//! The numbers that inputs are given as.

/// A number that an input is given as: `u16`, `u32` or `i32`.
pub trait InputNumber: Copy + Default + sealed::Sealed {}

pub(crate) mod sealed {
    /// What the crate needs of a number.
    pub trait Sealed {
        /// How many inputs it can tell apart.
        const INPUTS: u32;

        /// The number of an input.
        fn from_input(input: u32) -> Self;
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {
        $(
            impl InputNumber for $number {}

            impl sealed::Sealed for $number {
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
