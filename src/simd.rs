//! Byte vectors: what sliced boards are made of, one file per instruction set.
//!
//! Nearly all `unsafe` of this crate lives below this module, and it stands on one fact: a value of a
//! type that needs certain instructions exists only where [`Kernel`](crate::Kernel) has found them. The
//! types never leave the crate, and inside it only the dispatch in `backend.rs` names them.

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
pub(crate) mod portable;

/// A vector of bytes, a rank of a board in each: only what the kernels need.
pub(crate) trait Bytes: Copy {
    /// How many bytes there are.
    const COUNT: usize;

    /// The same byte everywhere.
    fn splat(byte: u8) -> Self;

    /// Bitwise and.
    fn and(self, other: Self) -> Self;

    /// Bitwise or.
    fn or(self, other: Self) -> Self;

    /// Bitwise exclusive or.
    fn xor(self, other: Self) -> Self;

    /// The bits of `self` that are not in `other`.
    fn and_not(self, other: Self) -> Self;

    /// The bits that at least two of three have.
    #[inline(always)]
    fn majority(a: Self, b: Self, c: Self) -> Self {
        a.and(b).or(c.and(a.or(b)))
    }

    /// Subtraction modulo 256 in every byte.
    fn minus(self, other: Self) -> Self;

    /// Addition modulo 256 in every byte.
    fn plus(self, other: Self) -> Self;

    /// The number of bits in every byte.
    #[inline(always)]
    fn count_ones(self) -> Self {
        // Pairs of bits, then nibbles, then the byte.
        let pairs = self.minus(self.shift_right::<1>().and(Self::splat(0x55)));
        let low = Self::splat(0x33);
        let nibbles = pairs.and(low).plus(pairs.shift_right::<2>().and(low));
        nibbles.plus(nibbles.shift_right::<4>()).and(Self::splat(0x0f))
    }

    /// Every byte shifted left: a file towards h.
    fn east(self) -> Self;

    /// Every byte shifted right: a file towards a.
    fn west(self) -> Self;

    /// The rays to the west within every rank.
    ///
    /// Borrows do not run that way. Where a reversal of bits costs one instruction, reverse, subtract and
    /// reverse again (see `sliced.rs`); the provided method fills in three doubling steps instead, which
    /// needs no table.
    #[inline(always)]
    fn rank_west(sliders: Self, occupied: Self) -> Self {
        // What comes over the edge of a byte lands on the h-file, which nothing enters from the east.
        let open = Self::splat(0x7f).and_not(occupied);
        let fill = sliders.or(open.and(sliders.shift_right::<1>()));
        let open = open.and(open.shift_right::<1>());
        let fill = fill.or(open.and(fill.shift_right::<2>()));
        let open = open.and(open.shift_right::<2>());
        let fill = fill.or(open.and(fill.shift_right::<4>()));
        fill.west()
    }

    /// Every 16-bit word shifted right; so every byte is too, with its neighbour's bits in the places
    /// that come free.
    fn shift_right<const BITS: u32>(self) -> Self;

    /// The same number in every 16-bit word.
    fn splat_words(number: i16) -> Self;

    /// Addition modulo 2^16 in every word.
    fn plus_words(self, other: Self) -> Self;

    /// Subtraction modulo 2^16 in every word.
    fn minus_words(self, other: Self) -> Self;

    /// Multiplication modulo 2^16 in every word.
    fn times_words(self, other: Self) -> Self;

    /// All ones in the words that are less than those of `other`, as signed numbers; else none.
    fn less_words(self, other: Self) -> Self;

    /// Takes [`COUNT`](Self::COUNT) boards apart into their eight ranks; `boards` has exactly so many.
    ///
    /// The order of boards inside the vectors is the implementor's own; [`store`](Self::store) undoes it.
    fn load(boards: &[u64]) -> [Self; 8];

    /// Puts eight ranks together again.
    fn store(ranks: [Self; 8], boards: &mut [u64]);
}

/// The matrix of a shift towards a for `gf2p8affineqb`: byte `7 - i` selects what bit `i` becomes.
#[cfg(target_arch = "x86_64")]
const WEST: i64 = i64::from_le_bytes([0, 0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x02]);

/// The matrix of a reversal of bits.
#[cfg(target_arch = "x86_64")]
const REVERSE: i64 = i64::from_le_bytes([0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80]);

/// Bytes that an instruction turns around.
#[cfg(target_arch = "x86_64")]
trait Reverse: Bytes {
    /// The bits of every byte in reverse order.
    fn reverse(self) -> Self;
}

/// [`Bytes::rank_west`] where a reversal is cheap.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn rank_west_reversed<V: Reverse>(sliders: V, occupied: V) -> V {
    let blockers = occupied.and_not(sliders);
    let borrow = blockers.reverse().minus(sliders.reverse());
    occupied.or(sliders).xor(borrow.reverse())
}
