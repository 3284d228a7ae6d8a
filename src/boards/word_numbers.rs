//! The numbers of sliced boards, in the 16-bit words of two vectors.

use crate::boards::bytes::Bytes;
use crate::boards::{Numbers, Sealed};

/// A number for each byte of `V`: one vector for the low bytes of words, and one for the high bytes.
#[derive(Clone, Copy)]
pub struct WordNumbers<V> {
    pub(super) low: V,
    pub(super) high: V,
}

impl<V: Bytes> WordNumbers<V> {
    /// Converts every byte to a number.
    #[inline(always)]
    pub(super) fn widen(bytes: V) -> Self {
        Self { low: bytes.and(V::splat16(0xff)), high: bytes.shift_right::<8>() }
    }
}

operators! { numbers: [V: Bytes] WordNumbers<V>; (self, other)
    Self { low: self.low.plus16(other.low), high: self.high.plus16(other.high) },
    Self { low: self.low.minus16(other.low), high: self.high.minus16(other.high) },
    Self { low: self.low.times16(other.low), high: self.high.times16(other.high) }
}

impl<V: Bytes> Sealed for WordNumbers<V> {}

impl<V: Bytes> Numbers for WordNumbers<V> {
    #[inline(always)]
    fn splat(number: i16) -> Self {
        Self { low: V::splat16(number), high: V::splat16(number) }
    }

    #[inline(always)]
    fn if_less(self, other: Self, then: Self, otherwise: Self) -> Self {
        let low = self.low.less16(other.low);
        let high = self.high.less16(other.high);
        Self {
            low: then.low.and(low).or(otherwise.low.and_not(low)),
            high: then.high.and(high).or(otherwise.high.and_not(high)),
        }
    }
}
