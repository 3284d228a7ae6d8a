//! The numbers of sliced boards, in the 16-bit words of two vectors.

use crate::boards::block::FromNumber;
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

impl<V: Bytes> WordNumbers<V> {
    #[inline(always)]
    pub(super) fn load(elements: &[i16]) -> Self {
        assert!(elements.len() == V::COUNT, "as many elements as boards");
        // The reverse of `store`.
        let mut boards = [0; 64];
        let mut i = 0;
        while i < V::COUNT {
            boards[i] = u64::from(elements[i].cast_unsigned());
            i += 1;
        }
        let [low, high, ..] = V::load(&boards[..V::COUNT]);
        let (low_byte, shift) = (V::splat16(0xff), V::splat16(0x100));
        Self {
            low: low.and(low_byte).or(high.times16(shift)),
            high: low.shift_right::<8>().or(high.and_not(low_byte)),
        }
    }

    #[inline(always)]
    pub(super) fn store<T: FromNumber>(self, elements: &mut [T]) {
        let Self { low, high } = self;
        assert!(elements.len() == V::COUNT, "as many elements as boards");
        // The low and high bytes of the numbers are laid out like two ranks of boards, and transposed in the same way.
        let low_byte = V::splat16(0xff);
        let shift = V::splat16(0x100);
        let mut ranks = [V::splat(0); 8];
        ranks[0] = low.and(low_byte).or(high.times16(shift));
        ranks[1] = low.shift_right::<8>().or(high.and_not(low_byte));
        let mut boards = [0; 64];
        V::store(ranks, &mut boards[..V::COUNT]);
        let mut i = 0;
        while i < V::COUNT {
            elements[i] = T::from_number(boards[i] as i16);
            i += 1;
        }
    }
}
