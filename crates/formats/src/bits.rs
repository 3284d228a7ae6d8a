//! The bit operations that the decoders need, and a portable implementation.
//!
//! Packed formats store a set of occupied squares and one nibble per piece, in the order of the squares. The decoder
//! assigns the nibbles to the occupied squares, and groups the squares by code.

/// A decoding task that runs with any instruction set. Every implementation of `run` is `#[inline(always)]`, so that it
/// is inlined into the function that enables the instructions.
pub(crate) trait Work {
    type Output;

    fn run<B: Bits>(self) -> Self::Output;
}

/// The occupied squares, grouped by the code of their piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Codes {
    /// The squares by the three low bits of the code.
    pub(crate) low: [u64; 8],
    /// The squares whose code has bit 3.
    pub(crate) high: u64,
    /// True if there are more than 32 pieces, or if a nibble after that of the last piece is not 0.
    pub(crate) miscounted: bool,
}

impl Codes {
    /// Groups squares, given the squares whose code has bit 0, bit 1 and so on.
    #[inline(always)]
    pub(crate) fn new(occupied: u64, bits: [u64; 4], miscounted: bool) -> Self {
        let [one, two, four, high] = bits;
        let low = std::array::from_fn(|code| {
            let has = |set: u64, bit: usize| if code >> bit & 1 == 1 { set } else { !set };
            occupied & has(one, 0) & has(two, 1) & has(four, 2)
        });
        Self { low, high, miscounted }
    }
}

/// An instruction set.
pub(crate) trait Bits {
    /// Assigns the nibbles (low nibble of a byte first) to the occupied squares from a1 to h8.
    fn codes(occupied: u64, nibbles: &[u8; 16]) -> Codes;

    /// Returns the square at index `before` of a set, counted from a1. The set must have more than `before` squares.
    fn nth(set: u64, before: u32) -> u8;
}

/// The implementation for any processor, bit by bit.
#[derive(Debug)]
pub(crate) struct Portable;

impl Bits for Portable {
    #[inline(always)]
    fn codes(occupied: u64, nibbles: &[u8; 16]) -> Codes {
        let mut bits = [0; 4];
        let mut left = u128::from_le_bytes(*nibbles);
        let mut squares = occupied;
        while squares != 0 {
            let square = squares & squares.wrapping_neg();
            squares ^= square;
            for (bit, plane) in bits.iter_mut().enumerate() {
                *plane |= square & (left as u64 >> bit & 1).wrapping_neg();
            }
            left >>= 4;
        }
        Codes::new(occupied, bits, occupied.count_ones() > 32 || left != 0)
    }

    #[inline(always)]
    fn nth(mut set: u64, before: u32) -> u8 {
        for _ in 0..before {
            set &= set.wrapping_sub(1);
        }
        (set.trailing_zeros() & 63) as u8
    }
}
