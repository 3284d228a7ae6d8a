//! The values and inputs of terms: sets, numbers, and tuples and arrays of them; and how blocks of them are loaded and
//! stored.

use crate::boards::block::{self, Block, MAX_BOARDS};
use crate::boards::{Boards, Numbers};

/// A type that a [`Term`](crate::Term) can return or take as its input.
///
/// `u64` is a set of squares. `i16`, `i32`, `u16` and `u8` are numbers. Arithmetic is in 16 bits for all of them (see
/// [`Numbers`]). A result is stored as the same number (`i16`, `i32`), as the same bits (`u16`), or as the nearest
/// number that fits (`u8`). An input is taken from the low 16 bits. Tuples of up to four and arrays hold several
/// values, such as a middlegame and an endgame score from one pass. The trait is sealed.
///
/// ```
/// use setwise::{Boards, Of, Pieces, Term};
/// struct Pawns;
/// setwise::term! {
///     impl Term for Pawns {
///         type Input = ();
///         type Value = ([u64; 2], i32); // each side's pawns, and white's number minus black's
///
///         fn eval<B: Boards>(&self, position: &Pieces<B>, _: ()) -> Of<Self::Value, B> {
///             let (white, black) = (position.pawns & position.white, position.pawns & position.black);
///             ([white, black], white.count() - black.count())
///         }
///     }
/// }
/// assert_eq!(Pawns.one(&Pieces::START, ()), ([0xff00, 0xff << 48], 0));
/// ```
pub trait Value: Copy {
    /// The type for as many values as there are boards: `B` itself for `u64`, `B::Numbers` for a number, and a tuple or
    /// an array of those.
    type Of<B: Boards>: Copy;

    #[doc(hidden)]
    const ZERO: Self;

    /// Stores one value per element.
    #[doc(hidden)]
    fn store<B: Block>(values: Self::Of<B>, elements: &mut [Self]);

    /// Loads one value per element.
    #[doc(hidden)]
    fn load<B: Block>(elements: &[Self]) -> Self::Of<B>;

    /// Broadcasts the value to all boards.
    #[doc(hidden)]
    fn splat<B: Boards>(self) -> Self::Of<B>;

    /// The value for a single board.
    #[doc(hidden)]
    fn one(value: Self::Of<u64>) -> Self;
}

/// The type for as many values as `B` has boards: `B` itself for `u64`, `B::Numbers` for a number, and so on.
pub type Of<V, B> = <V as Value>::Of<B>;

impl Value for u64 {
    type Of<B: Boards> = B;

    const ZERO: Self = 0;

    #[inline(always)]
    fn store<B: Block>(values: B, elements: &mut [Self]) {
        block::store(&values, elements);
    }

    #[inline(always)]
    fn load<B: Block>(elements: &[Self]) -> B {
        block::load(elements)
    }

    #[inline(always)]
    fn splat<B: Boards>(self) -> B {
        B::splat(self)
    }

    #[inline(always)]
    fn one(value: u64) -> u64 {
        value
    }
}

macro_rules! numbers {
    ($($number:ident: $value:ident => $as:expr;)*) => {
        $(
            impl Value for $number {
                type Of<B: Boards> = B::Numbers;
                const ZERO: Self = 0;

                #[inline(always)]
                fn store<B: Block>(values: B::Numbers, elements: &mut [Self]) {
                    let mut numbers = [0; MAX_BOARDS];
                    block::store_numbers::<B>(values, &mut numbers[..B::COUNT]);
                    let mut i = 0;
                    while i < B::COUNT {
                        let $value = numbers[i];
                        elements[i] = $as;
                        i += 1;
                    }
                }

                #[inline(always)]
                fn load<B: Block>(elements: &[Self]) -> B::Numbers {
                    let mut numbers = [0; MAX_BOARDS];
                    let mut i = 0;
                    while i < B::COUNT {
                        numbers[i] = elements[i] as i16;
                        i += 1;
                    }
                    block::load_numbers::<B>(&numbers[..B::COUNT])
                }

                #[inline(always)]
                fn splat<B: Boards>(self) -> B::Numbers {
                    B::Numbers::splat(self as i16)
                }

                #[inline(always)]
                fn one(value: Of<Self, u64>) -> Self {
                    let $value = i16::from(value);
                    $as
                }
            }
        )*
    };
}

numbers! {
    i16: number => number;
    i32: number => number.into();
    u16: number => number.cast_unsigned();
    u8: number => number.clamp(0, 255) as u8;
}

impl<V: Value, const LENGTH: usize> Value for [V; LENGTH] {
    type Of<B: Boards> = [V::Of<B>; LENGTH];

    const ZERO: Self = [V::ZERO; LENGTH];

    #[inline(always)]
    fn store<B: Block>(values: Of<Self, B>, elements: &mut [Self]) {
        let mut place = 0;
        while place < LENGTH {
            let mut column = [V::ZERO; MAX_BOARDS];
            V::store::<B>(values[place], &mut column[..B::COUNT]);
            let mut i = 0;
            while i < B::COUNT {
                elements[i][place] = column[i];
                i += 1;
            }
            place += 1;
        }
    }

    #[inline(always)]
    fn load<B: Block>(elements: &[Self]) -> Of<Self, B> {
        let mut values = [V::ZERO.splat::<B>(); LENGTH];
        let mut place = 0;
        while place < LENGTH {
            let mut column = [V::ZERO; MAX_BOARDS];
            let mut i = 0;
            while i < B::COUNT {
                column[i] = elements[i][place];
                i += 1;
            }
            values[place] = V::load::<B>(&column[..B::COUNT]);
            place += 1;
        }
        values
    }

    #[inline(always)]
    fn splat<B: Boards>(self) -> Of<Self, B> {
        let mut values = [V::ZERO.splat::<B>(); LENGTH];
        let mut place = 0;
        while place < LENGTH {
            values[place] = self[place].splat::<B>();
            place += 1;
        }
        values
    }

    #[inline(always)]
    fn one(value: Of<Self, u64>) -> Self {
        let mut values = Self::ZERO;
        let mut place = 0;
        while place < LENGTH {
            values[place] = V::one(value[place]);
            place += 1;
        }
        values
    }
}

/// A tuple: types, indices, and names of columns.
macro_rules! tuple {
    ($($type:ident $place:tt $column:ident),*) => {
        #[allow(unused_variables, clippy::unused_unit, reason = "the empty tuple is no input")]
        impl<$($type: Value),*> Value for ($($type,)*) {
            type Of<Set: Boards> = ($($type::Of<Set>,)*);

            const ZERO: Self = ($($type::ZERO,)*);

            #[inline(always)]
            fn store<Set: Block>(values: Of<Self, Set>, elements: &mut [Self]) {
                $(
                    let mut $column = [$type::ZERO; MAX_BOARDS];
                    $type::store::<Set>(values.$place, &mut $column[..Set::COUNT]);
                )*
                let mut i = 0;
                while i < Set::COUNT {
                    elements[i] = ($($column[i],)*);
                    i += 1;
                }
            }

            #[inline(always)]
            fn load<Set: Block>(elements: &[Self]) -> Of<Self, Set> {
                $(let mut $column = [$type::ZERO; MAX_BOARDS];)*
                let mut i = 0;
                while i < Set::COUNT {
                    $($column[i] = elements[i].$place;)*
                    i += 1;
                }
                ($($type::load::<Set>(&$column[..Set::COUNT]),)*)
            }

            #[inline(always)]
            fn splat<Set: Boards>(self) -> Of<Self, Set> {
                ($(self.$place.splat::<Set>(),)*)
            }

            #[inline(always)]
            fn one(value: Of<Self, u64>) -> Self {
                ($($type::one(value.$place),)*)
            }
        }
    };
}

tuple!();
tuple!(A 0 a);
tuple!(A 0 a, B 1 b);
tuple!(A 0 a, B 1 b, C 2 c);
tuple!(A 0 a, B 1 b, C 2 c, D 3 d);
