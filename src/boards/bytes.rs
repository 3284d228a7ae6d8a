//! The byte vectors that make up sliced boards, with only the operations that the kernels need.
//!
//! Each vector type is private to its file in `backend/`, where each of its operations is tested separately. Operations
//! that an instruction set can speed up (`majority`, `count_ones`) have a plain version here and a faster one in its
//! file. Transposes are the same everywhere, built from each instruction set's byte unpacking.

use core::hint::black_box;
use core::mem::MaybeUninit;
use core::ops::Range;

use crate::boards::Routine;
use crate::boards::block::MAX_BOARDS;
use crate::pieces::Pieces;

/// A vector of bytes, each a rank of a board: only the operations that the kernels need.
pub trait Operations: Copy {
    const COUNT: usize;

    /// Calls a routine that is compiled once for this vector, with its instructions enabled.
    fn call<R: Routine>(routine: R) -> R::Output;

    fn splat(byte: u8) -> Self;

    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;

    /// The bits of `self` that are not in `other`.
    fn and_not(self, other: Self) -> Self;

    /// The bytes of `a` where those of `self` are all ones, and those of `b` where they are zero.
    #[inline(always)]
    fn select(self, a: Self, b: Self) -> Self {
        b.xor(a.xor(b).and(self))
    }

    /// The bits that are set in at least two of three vectors.
    #[inline(always)]
    fn majority(a: Self, b: Self, c: Self) -> Self {
        a.and(b).or(c.and(a.or(b)))
    }

    /// The bits in which `self` differs from any of two vectors.
    #[inline(always)]
    fn differs(self, a: Self, b: Self) -> Self {
        self.xor(a).or(self.xor(b))
    }

    /// Arithmetic modulo 256 in every byte.
    fn minus(self, other: Self) -> Self;
    fn plus(self, other: Self) -> Self;

    /// All bits of every byte that is not zero.
    fn nonzero(self) -> Self;

    #[inline(always)]
    fn count_ones(self) -> Self {
        // Count pairs of bits, then nibbles, then bytes.
        let pairs = self.minus(self.shift_right::<1>().and(Self::splat(0x55)));
        let low = Self::splat(0x33);
        let nibbles = pairs.and(low).plus(pairs.shift_right::<2>().and(low));
        nibbles.plus(nibbles.shift_right::<4>()).and(Self::splat(0x0f))
    }

    /// Every byte shifted left: one file towards h.
    fn east(self) -> Self;

    /// Every byte's bits, as a vector, multiplied by a [matrix], if that is one instruction.
    #[inline(always)]
    fn times_matrix(self, _matrix: i64) -> Option<Self> {
        None
    }

    /// Every byte shifted right: one file towards a.
    #[inline(always)]
    fn west(self) -> Self {
        let west = self.shift_right::<1>().and(Self::splat(0x7f));
        self.times_matrix(matrix::WEST).unwrap_or(west)
    }

    #[inline(always)]
    fn two_east(self) -> Self {
        self.east().east()
    }

    #[inline(always)]
    fn two_west(self) -> Self {
        let west = self.shift_right::<2>().and(Self::splat(0x3f));
        self.times_matrix(matrix::TWO_WEST).unwrap_or(west)
    }

    /// The number of vector registers.
    const REGISTERS: usize = 16;

    /// The rays that leave a rank: those of its own sliders, and those that entered it and met no piece.
    #[inline(always)]
    fn extend(ray: Self, sliders: Self, occupied: Self) -> Self {
        sliders.or(ray.and_not(occupied))
    }

    /// The same, given the free squares of the rank, which contain none of its sliders.
    #[inline(always)]
    fn extend_over(ray: Self, sliders: Self, free: Self) -> Self {
        sliders.or(ray.and(free))
    }

    /// True if [`reverse`](Self::reverse) is a single instruction, so that subtractions also compute rays to the west.
    const REVERSES: bool = false;

    /// The bits of every byte in reverse order.
    #[inline(always)]
    fn reverse(self) -> Self {
        self.times_matrix(matrix::REVERSE).unwrap_or(reverse(self))
    }

    /// The rays to the west within every rank.
    ///
    /// Borrows do not run in that direction. If a reversal of bits is one instruction, reverse, subtract and reverse
    /// again (see `sliced.rs`). Otherwise fill in three doubling steps, which needs no table.
    #[inline(always)]
    fn rank_west(sliders: Self, occupied: Self) -> Self {
        if Self::REVERSES {
            let blockers = occupied.and_not(sliders);
            let borrow = blockers.reverse().minus(sliders.reverse());
            return occupied.or(sliders).xor(borrow.reverse());
        }
        fill_west(sliders, Self::splat(0x7f).and_not(occupied))
    }

    /// The rays to both sides within every rank.
    #[inline(always)]
    fn rank(sliders: Self, occupied: Self) -> Self {
        let blockers = occupied.and_not(sliders);
        let (all, east) = (occupied.or(sliders), blockers.minus(sliders));
        if Self::REVERSES {
            let borrow = blockers.reverse().minus(sliders.reverse());
            return all.differs(east, borrow.reverse());
        }
        all.xor(east).or(Self::rank_west(sliders, occupied))
    }

    /// Every 16-bit word shifted right. This also shifts every byte, but bits of its neighbour may enter at the top.
    fn shift_right<const BITS: u32>(self) -> Self;
    fn splat16(number: i16) -> Self;

    /// Arithmetic modulo 2^16 in every word.
    fn plus16(self, other: Self) -> Self;
    fn minus16(self, other: Self) -> Self;
    fn times16(self, other: Self) -> Self;

    /// All ones in the words that are less than those of `other`, as signed numbers; zeros elsewhere.
    fn less16(self, other: Self) -> Self;

    /// Interleaves the bytes of two vectors: of the lower halves of every 16 bytes, or of the upper halves.
    fn unpack_low(self, other: Self) -> Self;
    fn unpack_high(self, other: Self) -> Self;

    /// Whole boards moved up or down by `RANKS` ranks.
    fn north<const RANKS: u32>(self) -> Self;
    fn south<const RANKS: u32>(self) -> Self;

    /// True if the transposes of one block are to run between the sweeps of another (`pipeline.rs`): [`tie`](Self::tie)
    /// keeps them there.
    const PIPELINES: bool = false;

    /// Makes both values depend on each other, at no cost, so that their computations stay together.
    #[inline(always)]
    fn tie(_a: &mut Self, _b: &mut Self) {}
}

/// How the ranks of [`COUNT`](Operations::COUNT) boards are loaded into vectors, and stored.
pub trait Bytes: Operations {
    /// Splits [`COUNT`](Operations::COUNT) boards, as they are in memory, into their eight ranks.
    ///
    /// A byte's offset within 16 bytes has the bits (board, k2, k1, k0), for rank k = 4 k2 + 2 k1 + k0. Four rounds
    /// move them into the vector's index, starting at the top.
    #[inline(always)]
    fn from_boards(boards: [Self; 8]) -> [Self; 8] {
        in_rank_order(round::<_, 1>(round::<_, 4>(round::<_, 2>(round::<_, 1>(boards)))))
    }

    /// Joins eight ranks into boards.
    ///
    /// Three rounds move the rank's bits back into the offset, k2 first. The board's bit that
    /// [`from_boards`](Self::from_boards) moved out first is then at the top of the offset, and the others are in the
    /// vector's index.
    #[inline(always)]
    fn to_boards(ranks: [Self; 8]) -> [Self; 8] {
        let ranks = in_memory_order(ranks);
        let v = round::<Self, 1>(round::<Self, 2>(round::<Self, 4>(ranks)));
        [v[0], v[4], v[2], v[6], v[1], v[5], v[3], v[7]]
    }

    /// Loads or stores an eighth of [`COUNT`](Operations::COUNT) boards, as they are in memory.
    #[inline(always)]
    fn load_vector(boards: &[u64]) -> Self {
        assert!(8 * boards.len() == Self::COUNT && size_of::<Self>() == Self::COUNT, "one vector");
        // SAFETY: the boards have the size of a vector, which is plain bytes, any of which are valid.
        unsafe { boards.as_ptr().cast::<Self>().read_unaligned() }
    }

    #[inline(always)]
    fn store_vector(self, boards: &mut [u64]) {
        assert!(8 * boards.len() == Self::COUNT && size_of::<Self>() == Self::COUNT, "one vector");
        // SAFETY: the boards have the size of a vector, which is plain bytes without padding.
        unsafe { boards.as_mut_ptr().cast::<Self>().write_unaligned(self) }
    }

    /// Loads the ranks of [`COUNT`](Operations::COUNT) boards.
    #[inline(always)]
    fn load(boards: &[u64]) -> [Self; 8] {
        Self::from_boards(Self::load_vectors(boards))
    }

    /// Stores the boards of eight ranks.
    #[inline(always)]
    fn store(ranks: [Self; 8], boards: &mut [u64]) {
        Self::store_vectors(Self::to_boards(ranks), boards);
    }

    /// Loads or stores eight vectors, one after another.
    #[inline(always)]
    fn load_vectors(words: &[u64]) -> [Self; 8] {
        assert!(words.len() == Self::COUNT, "as many boards as lanes");
        let mut vectors = [Self::splat(0); 8];
        let mut i = 0;
        while i < 8 {
            vectors[i] = Self::load_vector(&words[Self::eighth(i)]);
            i += 1;
        }
        vectors
    }

    #[inline(always)]
    fn store_vectors(vectors: [Self; 8], words: &mut [u64]) {
        assert!(words.len() == Self::COUNT, "as many boards as lanes");
        let mut i = 0;
        while i < 8 {
            vectors[i].store_vector(&mut words[Self::eighth(i)]);
            i += 1;
        }
    }

    /// The range of the boards of vector `i` among those of eight vectors.
    #[inline(always)]
    fn eighth(i: usize) -> Range<usize> {
        let boards = Self::COUNT / 8;
        i * boards..(i + 1) * boards
    }

    /// Sorts an eighth of [`COUNT`](Operations::COUNT) positions by pairs of sets, in the order of the fields. Every 16 bytes
    /// are both sets of a position; the vectors have the positions with even and with odd indices.
    fn pairs(pieces: &[Pieces]) -> [[Self; 2]; 4];

    /// The boards of both sets of a [pair](Self::pairs).
    fn boards(pair: [Self; 2]) -> [Self; 2];

    /// The boards of both sets of a [pair](Self::pairs), with the bytes of even and odd boards alternating.
    #[inline(always)]
    fn interleaved([even, odd]: [Self; 2]) -> [Self; 2] {
        [even.unpack_low(odd), even.unpack_high(odd)]
    }

    /// Splits [`interleaved`](Self::interleaved) boards into eight ranks, like [`from_boards`](Self::from_boards).
    ///
    /// A byte's offset within 16 bytes has the bits (k2, k1, k0, board). Sorting and interleaving have replaced the
    /// first of the four rounds that boards need. What remains transposes the eight 16-bit words of each 16 bytes of
    /// eight vectors, in the order 0, 4, 2, 6, 1, 5, 3, 7.
    fn from_interleaved(vectors: [Self; 8]) -> [Self; 8];

    /// Splits [`COUNT`](Operations::COUNT) positions into the ranks of their eight sets, in the order of the fields.
    #[inline(always)]
    fn load_pieces(pieces: &[Pieces]) -> [[Self; 8]; 8] {
        assert!(pieces.len() == Self::COUNT, "as many positions as lanes");
        // Not initialized, because that would double the number of stores.
        let mut columns = MaybeUninit::<[[Self; 8]; 8]>::uninit();
        let vectors = columns.as_mut_ptr().cast::<Self>();
        let (mut n, count) = (0, eight());
        while n < count {
            let i = n & 7;
            let pairs = Self::pairs(&pieces[Self::eighth(i)]);
            let mut set = 0;
            while set < 8 {
                // SAFETY: the index is below 64.
                unsafe {
                    vectors.add(8 * set + i).write(Self::interleaved(pairs[set / 2])[set % 2])
                };
                set += 1;
            }
            n += 1;
        }
        let mut set = 0;
        while set < 8 {
            // SAFETY: the eight vectors of the set have been written and are contiguous.
            unsafe {
                let column = vectors.add(8 * set).cast::<[Self; 8]>();
                column.write(Self::from_interleaved(column.read()));
            }
            set += 1;
        }
        // SAFETY: all 64 vectors have been written, eight for each of eight parts.
        unsafe { columns.assume_init() }
    }

    /// Stores the boards of two blocks in pairs: row `b` of `words` receives board `b` of both, starting at its word
    /// `at`. A row has `step` words.
    ///
    /// Four rounds move the block's bit and the rank's bits into the offset, so that every 16 bytes are a pair.
    #[inline(always)]
    fn store_pairs([a, b]: [[Self; 8]; 2], words: &mut [u64], at: usize, step: usize) {
        let (a, b) = (in_memory_order(a), in_memory_order(b));
        let mut half = 0;
        while half < 2 {
            let mut v = a;
            let mut i = 0;
            while i < 8 {
                v[i] = if half == 0 { a[i].unpack_low(b[i]) } else { a[i].unpack_high(b[i]) };
                i += 1;
            }
            let v = round::<Self, 1>(round::<Self, 2>(round::<Self, 4>(v)));
            let mut i = 0;
            while i < 8 {
                let board = Self::first_board(half, i);
                v[i].store_vector_pairs(words, at + board * step, 2 * step);
                i += 1;
            }
            half += 1;
        }
    }

    /// The board of the first 16 bytes of vector `i` of a half in [`store_pairs`](Self::store_pairs): half and index are
    /// the bits of the board's index, except for those that select the 16 bytes.
    #[inline(always)]
    fn first_board(half: usize, i: usize) -> usize {
        let number = half + 2 * (i / 4) + 4 * (i / 2 % 2);
        number * (Self::COUNT / 8) + i % 2
    }

    /// Loads a number for each board: one vector has the low bytes of words, and one the high bytes, as in
    /// [`WordNumbers`](super::word_numbers::WordNumbers).
    ///
    /// The low and high bytes of the numbers are laid out like two ranks of boards, and transposed in the same way.
    #[inline(always)]
    fn load_numbers(numbers: &[i16]) -> [Self; 2] {
        assert!(numbers.len() == Self::COUNT, "as many numbers as lanes");
        let mut boards = [0; MAX_BOARDS];
        for (board, number) in boards.iter_mut().zip(numbers) {
            *board = u64::from(number.cast_unsigned());
        }
        let [low, high, ..] = Self::load(&boards[..Self::COUNT]);
        exchange_bytes(low, high)
    }

    /// Stores a number for each board; the reverse of [`load_numbers`](Self::load_numbers).
    #[inline(always)]
    fn store_numbers([low, high]: [Self; 2], numbers: &mut [i16]) {
        assert!(numbers.len() == Self::COUNT, "as many numbers as lanes");
        let mut ranks = [Self::splat(0); 8];
        [ranks[0], ranks[1]] = exchange_bytes(low, high);
        let mut boards = [0; MAX_BOARDS];
        Self::store(ranks, &mut boards[..Self::COUNT]);
        for (number, board) in numbers.iter_mut().zip(boards) {
            *number = board as i16;
        }
    }

    /// Stores every 16 bytes as two words, with `step` words between the starts of two pairs.
    fn store_vector_pairs(self, words: &mut [u64], at: usize, step: usize);

    /// Like [`store`](Self::store), but bypasses the caches if `boards` is aligned to the vectors. Call
    /// [`fence`] before sharing the slice.
    #[inline(always)]
    fn stream(ranks: [Self; 8], boards: &mut [u64]) {
        Self::store(ranks, boards);
    }
}

/// Defines operations of a vector from instructions on its arguments, which are vectors unless they have another type.
/// The instructions are those of `wide` on its own vectors, or `unsafe` ones on the content of ours.
macro_rules! operations {
    ($vectors:ident: $(
        $name:ident $(<$constant:ident>)? ($($argument:ident $(: $type:ty)?),*) = $result:expr;
    )*) => {$(
        #[inline(always)]
        fn $name $(<const $constant: u32>)? (
            $($argument: $crate::boards::bytes::operations!(@type $($type)?)),*
        ) -> Self {
            $crate::boards::bytes::operations!(@$vectors $result)
        }
    )*};
    // SAFETY: only the build or the dispatch names the vector, where the processor has its instructions.
    (@ours $result:expr) => { Self(unsafe { $result }) };
    (@wide $result:expr) => { $result };
    (@type) => { Self };
    (@type $type:ty) => { $type };
}
pub(crate) use operations;

/// Orders the boards that were [streamed](Bytes::stream) before later accesses.
#[inline(always)]
pub(crate) fn fence() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 processor has this instruction.
    unsafe {
        core::arch::x86_64::_mm_sfence()
    };
}

/// The number of ranks, and of parts of a block. It hides the value, so that loops over them are not unrolled.
#[inline(always)]
pub(crate) fn eight() -> usize {
    black_box(8)
}

/// Unpacks the bytes of vectors `i` and `i + STEP`. Within 16 bytes, the top bit of a byte's offset becomes the `STEP`
/// bit of the vector's index, and the previous `STEP` bit becomes the lowest bit of the offset.
#[inline(always)]
pub(crate) fn round<V: Bytes, const STEP: usize>(mut v: [V; 8]) -> [V; 8] {
    let mut n = 0;
    while n < 4 {
        unpack_pair::<V, STEP>(&mut v, n);
        n += 1;
    }
    v
}

/// Unpacks pair `n` of four of a [round](round). Returns the index of its second vector.
#[inline(always)]
pub(crate) fn unpack_pair<V: Bytes, const STEP: usize>(v: &mut [V; 8], n: usize) -> usize {
    let low = n / STEP * 2 * STEP + n % STEP;
    let high = low + STEP;
    (v[low], v[high]) = (v[low].unpack_low(v[high]), v[low].unpack_high(v[high]));
    high
}

/// Converts ranks to the order of a board's bytes in memory, or back.
#[inline(always)]
pub(crate) fn in_memory_order<V>(ranks: [V; 8]) -> [V; 8] {
    if cfg!(target_endian = "little") {
        return ranks;
    }
    let [a, b, c, d, e, f, g, h] = ranks;
    [h, g, f, e, d, c, b, a]
}

/// The ranks of boards after the four rounds of [`Bytes::from_boards`].
#[inline(always)]
pub(crate) fn in_rank_order<V: Bytes>(v: [V; 8]) -> [V; 8] {
    in_memory_order([v[0], v[1], v[4], v[5], v[2], v[3], v[6], v[7]])
}

/// The rays to the east within every rank: the borrow of a bytewise subtraction, which needs no barrier.
#[inline(always)]
pub(crate) fn rank_east<V: Operations>(sliders: V, occupied: V) -> V {
    let blockers = occupied.and_not(sliders);
    occupied.or(sliders).xor(blockers.minus(sliders))
}

/// [`Bytes::rank_west`] in three doubling steps over free squares. The h-file never counts as free: bits that cross the
/// edge of a byte end up there, and no ray enters it from the east.
#[inline(always)]
pub(crate) fn fill_west<V: Operations>(sliders: V, open: V) -> V {
    let fill = sliders.or(open.and(sliders.shift_right::<1>()));
    let open = open.and(open.shift_right::<1>());
    let fill = fill.or(open.and(fill.shift_right::<2>()));
    let open = open.and(open.shift_right::<2>());
    let fill = fill.or(open.and(fill.shift_right::<4>()));
    fill.west()
}

/// [`Bytes::reverse`] without an instruction for it: exchanges neighbouring bits, then pairs, then nibbles.
#[inline(always)]
fn reverse<V: Operations>(bytes: V) -> V {
    let bytes = exchange::<V, 1>(bytes, 0x55);
    let bytes = exchange::<V, 2>(bytes, 0x33);
    exchange::<V, 4>(bytes, 0x0f)
}

/// Exchanges neighbouring groups of bits: those under the mask, and those above them.
#[inline(always)]
fn exchange<V: Operations, const BITS: u32>(bytes: V, mask: u8) -> V {
    let mask = V::splat(mask);
    let up = bytes.and(mask).times16(V::splat16(1 << BITS));
    bytes.shift_right::<BITS>().and(mask).or(up)
}

/// Exchanges the high bytes of one vector's words for the low bytes of the other's.
#[inline(always)]
fn exchange_bytes<V: Bytes>(low: V, high: V) -> [V; 2] {
    let (low_byte, shift) = (V::splat16(0xff), V::splat16(0x100));
    [low.and(low_byte).or(high.times16(shift)), low.shift_right::<8>().or(high.and_not(low_byte))]
}

/// Matrices over the bits of a byte, for GFNI, whose byte `7 - i` selects the source of bit `i`.
mod matrix {
    /// Shifts by one and by two files towards a, and a reversal of bits.
    pub(super) const WEST: i64 = i64::from_le_bytes([0, 0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x02]);
    pub(super) const TWO_WEST: i64 = i64::from_le_bytes([0, 0, 0x80, 0x40, 0x20, 0x10, 0x08, 0x04]);
    pub(super) const REVERSE: i64 = i64::from_le_bytes([1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80]);
}
