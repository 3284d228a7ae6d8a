//! The vectors of bytes that sliced boards are made of: what the kernels need of one, and nothing more.
//!
//! A vector is private to its file in `backend/`, and each of its operations is tested there by itself.
//! What an instruction set does better than others (`rank_west`, `majority`, `count_ones`) has a plain
//! version here and a better one in its file. Transposes have no plain version: each instruction set has
//! rounds of its own, and an order of boards of its own inside the registers.

use core::mem::MaybeUninit;
use core::slice;

use crate::pieces::Pieces;

/// Eight values, one after another, without initialising the array first, which would cost 64 stores. (A
/// function that takes a closure would not do: the compiler does not inline it.)
macro_rules! eight_times {
    ($i:ident => $value:expr) => {{
        let mut values = core::mem::MaybeUninit::<[[Self; 8]; 8]>::uninit();
        let mut $i = 0;
        while $i < 8 {
            let value = $value;
            // SAFETY: the place is one of eight.
            unsafe { values.as_mut_ptr().cast::<[Self; 8]>().add($i).write(value) };
            $i += 1;
        }
        // SAFETY: all eight have been written.
        unsafe { values.assume_init() }
    }};
}
#[cfg(target_arch = "x86_64")]
pub(crate) use eight_times;

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

    /// Every byte two files towards h.
    #[inline(always)]
    fn two_east(self) -> Self {
        self.east().east()
    }

    /// Every byte two files towards a.
    #[inline(always)]
    fn two_west(self) -> Self {
        self.shift_right::<2>().and(Self::splat(0x3f))
    }

    /// Every byte's neighbours on both sides. A bit that both reach may be missing.
    #[inline(always)]
    fn beside(self) -> Self {
        self.east().or(self.west())
    }

    /// The same two files off.
    #[inline(always)]
    fn two_beside(self) -> Self {
        self.two_east().or(self.two_west())
    }

    /// Whether an instruction takes three vectors of any logic, and there are 32 registers.
    const TERNARY: bool = false;

    /// Whether [`reverse`](Self::reverse) is a single instruction.
    const REVERSES: bool = false;

    /// The bits of every byte in reverse order.
    #[inline(always)]
    fn reverse(self) -> Self {
        reverse_by_exchanges(self)
    }

    /// The rays to the west within every rank.
    ///
    /// Borrows do not run that way. Where a reversal of bits is one instruction, reverse, subtract and
    /// reverse again (see `sliced.rs`); elsewhere fill in three doubling steps, which needs no table.
    #[inline(always)]
    fn rank_west(sliders: Self, occupied: Self) -> Self {
        if Self::REVERSES {
            let blockers = occupied.and_not(sliders);
            let borrow = blockers.reverse().minus(sliders.reverse());
            return occupied.or(sliders).xor(borrow.reverse());
        }
        // What crosses the edge of a byte lands on the h-file, which nothing enters from the east.
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

    /// Takes [`COUNT`](Self::COUNT) positions apart into the ranks of their eight sets, in the order of
    /// their fields; as [`load`](Self::load) does with columns.
    #[inline(always)]
    fn load_pieces(pieces: &[Pieces]) -> [[Self; 8]; 8] {
        assert!(pieces.len() == Self::COUNT, "as many positions as lanes");
        // Eight vectors have room for exactly one column; 64 rows would be more than most need.
        let mut columns = [const { MaybeUninit::<[Self; 8]>::uninit() }; 8];
        for (row, pieces) in pieces.iter().enumerate() {
            for (column, set) in columns.iter_mut().zip(pieces.sets()) {
                // SAFETY: there are `COUNT` rows, and the column has the size of so many words.
                unsafe { column.as_mut_ptr().cast::<u64>().add(row).write_unaligned(set) };
            }
        }
        eight_times!(i => {
            // SAFETY: all rows of the column have just been written, and vectors are aligned to words.
            Self::load(unsafe { slice::from_raw_parts(columns[i].as_ptr().cast(), Self::COUNT) })
        })
    }

    /// Like [`store`](Self::store), but past the caches if `boards` is aligned to the vectors. Call
    /// [`fence`](Self::fence) before sharing the slice.
    #[inline(always)]
    fn stream(ranks: [Self; 8], boards: &mut [u64]) {
        Self::store(ranks, boards);
    }

    /// Orders everything [streamed](Self::stream) before what follows.
    #[inline(always)]
    fn fence() {}

    /// The lane in which [`load`](Self::load) puts a board.
    fn lane_of(board: usize) -> usize;

    /// Takes eight ranks as [`write`](Self::write) left them, from [`COUNT`](Self::COUNT) words.
    #[inline(always)]
    fn read(words: &[u64]) -> [Self; 8] {
        assert!(words.len() == Self::COUNT && size_of::<Self>() == Self::COUNT, "eight ranks");
        // SAFETY: the words have the size of eight vectors, and every vector is plain
        // bytes, valid whatever they are.
        unsafe { words.as_ptr().cast::<[Self; 8]>().read_unaligned() }
    }

    /// Puts eight ranks down one after another.
    #[inline(always)]
    fn write(ranks: [Self; 8], words: &mut [u64]) {
        assert!(words.len() == Self::COUNT && size_of::<Self>() == Self::COUNT, "eight ranks");
        // SAFETY: the words have the size of eight vectors, and every vector is plain
        // bytes without padding.
        unsafe { words.as_mut_ptr().cast::<[Self; 8]>().write_unaligned(ranks) }
    }
}

/// What goes on from a rank: the rays of its own sliders, and those that came in and met nobody.
#[inline(always)]
pub(crate) fn extend<V: Bytes>(ray: V, sliders: V, occupied: V) -> V {
    sliders.or(ray.and_not(occupied))
}

/// The rays to the east within every rank: the borrow of a byte-wise subtraction, which needs no barrier.
#[inline(always)]
pub(crate) fn rank_east<V: Bytes>(sliders: V, occupied: V) -> V {
    let blockers = occupied.and_not(sliders);
    occupied.or(sliders).xor(blockers.minus(sliders))
}

/// Moves bits of a number: the result's bits, from the highest, are those that `order` names.
pub(crate) const fn pick_bits<const N: usize>(number: usize, order: [usize; N]) -> usize {
    let mut picked = 0;
    let mut i = 0;
    while i < N {
        picked = picked << 1 | (number >> order[i] & 1);
        i += 1;
    }
    picked
}

/// [`Bytes::reverse`] without an instruction for it.
#[inline(always)]
pub(crate) fn reverse_by_exchanges<V: Bytes>(bytes: V) -> V {
    let bytes = exchange::<V, 1>(bytes, 0x55);
    let bytes = exchange::<V, 2>(bytes, 0x33);
    exchange::<V, 4>(bytes, 0x0f)
}

/// Exchanges neighbouring groups of bits: those under the mask, and those above them.
#[inline(always)]
fn exchange<V: Bytes, const BITS: u32>(bytes: V, mask: u8) -> V {
    let mask = V::splat(mask);
    let up = bytes.and(mask).times_words(V::splat_words(1 << BITS));
    bytes.shift_right::<BITS>().and(mask).or(up)
}

/// The matrix of a shift towards a for `gf2p8affineqb`: byte `7 - i` selects what bit `i` becomes.
#[cfg(target_arch = "x86_64")]
pub(crate) const WEST: i64 = i64::from_le_bytes([0, 0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x02]);

/// The matrix of two files towards a.
#[cfg(target_arch = "x86_64")]
pub(crate) const TWO_WEST: i64 = i64::from_le_bytes([0, 0, 0x80, 0x40, 0x20, 0x10, 0x08, 0x04]);

/// The matrix that adds, modulo 2, a shift towards a and one towards h.
#[cfg(target_arch = "x86_64")]
pub(crate) const BESIDE: i64 = i64::from_le_bytes([0x40, 0xa0, 0x50, 0x28, 0x14, 0x0a, 0x05, 0x02]);

/// The matrix that adds shifts of two files.
#[cfg(target_arch = "x86_64")]
pub(crate) const TWO_BESIDE: i64 =
    i64::from_le_bytes([0x20, 0x10, 0x88, 0x44, 0x22, 0x11, 0x08, 0x04]);

/// The matrix of a reversal of bits.
#[cfg(target_arch = "x86_64")]
pub(crate) const REVERSE: i64 =
    i64::from_le_bytes([0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80]);
