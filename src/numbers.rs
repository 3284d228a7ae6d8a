//! Small integers, one for each board: what population counts become, and what an evaluation adds up.

use core::ops::{Add, Mul, Sub};

use crate::simd::Bytes;

/// A number of 16-bit integers that are worked on together, one for each of as many boards.
///
/// They come from [`Boards::count`](crate::Boards::count) and [`splat`](Self::splat). All arithmetic
/// wraps around modulo 2^16; each operation is one or two instructions for all of them, a choice or a minimum
/// up to five. The trait is sealed, like [`Boards`](crate::Boards).
///
/// ```
/// use setwise::{Boards, Numbers};
/// /// Twice the men less three, and no less than nothing.
/// fn score<B: Boards>(men: B) -> B::Numbers {
///     (men.count() * 2 - B::Numbers::splat(3)).max(B::Numbers::splat(0))
/// }
/// let mut scores = [0i16];
/// score(0xffu64).store(&mut scores);
/// assert_eq!(scores, [13]);
/// ```
pub trait Numbers:
    Sealed
    + Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Mul<i16, Output = Self>
{
    /// The same number everywhere.
    #[must_use]
    fn splat(number: i16) -> Self;

    /// Wherever `self` is less than `other`: `then`; elsewhere `otherwise`.
    ///
    /// ```
    /// use setwise::{Boards, Numbers};
    /// let (one, two) = (0b1u64.count(), 0b11u64.count());
    /// let mut chosen = [0u8];
    /// one.if_less(two, one * 30, two).store(&mut chosen);
    /// assert_eq!(chosen, [30]);
    /// ```
    #[must_use]
    fn if_less(self, other: Self, then: Self, otherwise: Self) -> Self;

    /// The lesser of two numbers.
    #[inline(always)]
    #[must_use]
    fn min(self, other: Self) -> Self {
        self.if_less(other, self, other)
    }

    /// The greater of two numbers.
    #[inline(always)]
    #[must_use]
    fn max(self, other: Self) -> Self {
        self.if_less(other, other, self)
    }

    /// Puts the numbers into a row each: as they are for `i16`, the same bits for `u16`, and the nearest
    /// that fits for `u8`.
    ///
    /// # Panics
    /// If `rows` has not exactly as many places as there are boards.
    fn store<C: Cell>(self, rows: &mut [C]);
}

/// What keeps other crates from implementing [`Numbers`].
pub trait Sealed {}

/// A row of a column of small integers: `i16`, `u16` or `u8`.
pub trait Cell: Sealed + Copy + Default {
    /// Takes a number.
    #[doc(hidden)]
    fn from_number(number: i16) -> Self;
}

impl Sealed for i16 {}
impl Cell for i16 {
    #[inline(always)]
    fn from_number(number: i16) -> Self {
        number
    }
}

impl Sealed for u16 {}
impl Cell for u16 {
    #[inline(always)]
    fn from_number(number: i16) -> Self {
        number as Self
    }
}

impl Sealed for u8 {}
impl Cell for u8 {
    #[inline(always)]
    fn from_number(number: i16) -> Self {
        number.clamp(0, 255) as Self
    }
}

/// A few numbers one after the other, for boards in 64-bit lanes.
#[derive(Clone, Copy)]
pub struct Few<const COUNT: usize>(pub(crate) [i16; COUNT]);

/// Does the same for every number.
macro_rules! each {
    ($i:ident => $number:expr) => {{
        let mut numbers = [0; COUNT];
        let mut $i = 0;
        while $i < COUNT {
            numbers[$i] = $number;
            $i += 1;
        }
        Self(numbers)
    }};
}

impl<const COUNT: usize> Add for Few<COUNT> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        each!(i => self.0[i].wrapping_add(other.0[i]))
    }
}

impl<const COUNT: usize> Sub for Few<COUNT> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        each!(i => self.0[i].wrapping_sub(other.0[i]))
    }
}

impl<const COUNT: usize> Mul for Few<COUNT> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        each!(i => self.0[i].wrapping_mul(other.0[i]))
    }
}

impl<const COUNT: usize> Mul<i16> for Few<COUNT> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: i16) -> Self {
        each!(i => self.0[i].wrapping_mul(factor))
    }
}

impl<const COUNT: usize> Sealed for Few<COUNT> {}

impl<const COUNT: usize> Numbers for Few<COUNT> {
    #[inline(always)]
    fn splat(number: i16) -> Self {
        Self([number; COUNT])
    }

    #[inline(always)]
    fn if_less(self, other: Self, then: Self, otherwise: Self) -> Self {
        each!(i => if self.0[i] < other.0[i] { then.0[i] } else { otherwise.0[i] })
    }

    #[inline(always)]
    fn store<C: Cell>(self, rows: &mut [C]) {
        assert!(rows.len() == COUNT, "as many rows as boards");
        let mut i = 0;
        while i < COUNT {
            rows[i] = C::from_number(self.0[i]);
            i += 1;
        }
    }
}

/// A number for each byte of `V`: those of the words' low bytes, and those of the high bytes.
#[derive(Clone, Copy)]
pub(crate) struct Words<V> {
    low: V,
    high: V,
}

impl<V: Bytes> Words<V> {
    /// Makes a number of every byte.
    #[inline(always)]
    pub(crate) fn widen(bytes: V) -> Self {
        Self { low: bytes.and(V::splat_words(0xff)), high: bytes.shift_right::<8>() }
    }
}

impl<V: Bytes> Add for Words<V> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { low: self.low.plus_words(other.low), high: self.high.plus_words(other.high) }
    }
}

impl<V: Bytes> Sub for Words<V> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { low: self.low.minus_words(other.low), high: self.high.minus_words(other.high) }
    }
}

impl<V: Bytes> Mul for Words<V> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self { low: self.low.times_words(other.low), high: self.high.times_words(other.high) }
    }
}

impl<V: Bytes> Mul<i16> for Words<V> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: i16) -> Self {
        self * Self::splat(factor)
    }
}

impl<V: Bytes> Sealed for Words<V> {}

impl<V: Bytes> Numbers for Words<V> {
    #[inline(always)]
    fn splat(number: i16) -> Self {
        Self { low: V::splat_words(number), high: V::splat_words(number) }
    }

    #[inline(always)]
    fn if_less(self, other: Self, then: Self, otherwise: Self) -> Self {
        let low = self.low.less_words(other.low);
        let high = self.high.less_words(other.high);
        Self {
            low: then.low.and(low).or(otherwise.low.and_not(low)),
            high: then.high.and(high).or(otherwise.high.and_not(high)),
        }
    }

    #[inline(always)]
    fn store<C: Cell>(self, rows: &mut [C]) {
        assert!(rows.len() == V::COUNT, "as many rows as boards");
        // The numbers' low bytes and high bytes lie like two ranks of boards, and go the same way back.
        let low_byte = V::splat_words(0xff);
        let shift = V::splat_words(0x100);
        let mut ranks = [V::splat(0); 8];
        ranks[0] = self.low.and(low_byte).or(self.high.times_words(shift));
        ranks[1] = self.low.shift_right::<8>().or(self.high.and_not(low_byte));
        let mut boards = [0; 64];
        V::store(ranks, &mut boards[..V::COUNT]);
        let mut i = 0;
        while i < V::COUNT {
            rows[i] = C::from_number(boards[i] as i16);
            i += 1;
        }
    }
}
