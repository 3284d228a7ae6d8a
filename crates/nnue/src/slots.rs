//! The element types of buffers, which may be initialized or not, and the number types of inputs.

use core::mem::MaybeUninit;

/// The element type of a buffer for values of type `T`: `T` or [`MaybeUninit<T>`].
///
/// ```
/// use setwise_nnue::{PairFilter, SquareChange, ThreatChange, buffer_len, position};
/// use setwise::Pieces;
/// use std::mem::MaybeUninit;
/// let mut buffer = [MaybeUninit::<ThreatChange>::uninit(); buffer_len(1)];
/// let removed = [SquareChange::remove(1)];
/// let codes = Pieces::START.codes();
/// let count = position::threat_changes(&codes, &removed, &PairFilter::ALL, &mut buffer)?;
/// // SAFETY: `count` records were written.
/// let records: Vec<_> = buffer[..count].iter().map(|record| unsafe { record.assume_init() }).collect();
/// assert_eq!(records.len(), 3); // the knight defended d2, the rook the knight, and now c1
/// # Ok::<(), setwise_nnue::ChangeError>(())
/// ```
pub trait Slot<T>: Sized {
    /// Returns the buffer as possibly uninitialized elements.
    ///
    /// # Safety
    /// Only initialized values may be written to the elements.
    #[doc(hidden)]
    unsafe fn slots(buffer: &mut [Self]) -> &mut [MaybeUninit<T>];
}

impl<T> Slot<T> for T {
    #[inline(always)]
    unsafe fn slots(buffer: &mut [T]) -> &mut [MaybeUninit<T>] {
        // SAFETY: both types have the same layout, and the caller writes only values.
        unsafe { &mut *(core::ptr::from_mut(buffer) as *mut [MaybeUninit<T>]) }
    }
}

impl<T> Slot<T> for MaybeUninit<T> {
    #[inline(always)]
    unsafe fn slots(buffer: &mut [Self]) -> &mut [Self] {
        buffer
    }
}

/// Returns elements that have been written as values.
///
/// # Safety
/// All elements must be initialized.
#[inline(always)]
pub(crate) unsafe fn written<T>(slots: &[MaybeUninit<T>]) -> &[T] {
    // SAFETY: both types have the same layout; the caller guarantees the rest.
    unsafe { &*(core::ptr::from_ref(slots) as *const [T]) }
}

/// The number type of inputs: `u16`, `u32` or `i32`, or [`MaybeUninit`] of one of these, for buffers that need not be
/// initialized.
///
/// # Safety
/// The type must have the layout of `Value`, and every `Value` must be valid.
pub unsafe trait InputNumber: Copy {
    /// The word that is written. All numbers of the same size have the same word, for which code is compiled once.
    #[doc(hidden)]
    type Value: Number;
}

/// A word of 16 or 32 bits.
pub trait Number: Copy {
    /// The word for an input.
    fn of(input: u32) -> Self;
}

macro_rules! numbers {
    ($($word:ty: $($number:ty)*;)*) => {$(
        impl Number for $word {
            #[inline(always)]
            fn of(input: u32) -> Self {
                input as Self
            }
        }

        $(
            // SAFETY: both have the same size and alignment, and all bits are valid.
            unsafe impl InputNumber for $number {
                type Value = $word;
            }
        )*
    )*};
}

numbers! {
    u16: u16;
    u32: u32 i32 MaybeUninit<i32>;
}

// SAFETY: both have the same layout, and all bits are valid.
unsafe impl<W: Number> InputNumber for MaybeUninit<W> {
    type Value = W;
}

/// Returns the words of a buffer.
///
/// # Safety
/// Only inputs may be written to them, because the caller of the crate may read them.
#[inline(always)]
pub(crate) unsafe fn words<N: InputNumber>(buffer: &mut [N]) -> &mut [MaybeUninit<N::Value>] {
    // SAFETY: numbers and words have the same layout, and the caller only writes inputs.
    unsafe { &mut *(core::ptr::from_mut(buffer) as *mut [MaybeUninit<N::Value>]) }
}

/// The lists of white's and of black's inputs, and how the two perspectives see the current block.
pub(crate) struct Output<'a, N> {
    pub(crate) buffers: [&'a mut [MaybeUninit<N>]; 2],
    pub(crate) lens: [usize; 2],
    /// The bits to flip in squares.
    pub(crate) flips: [u8; 2],
    /// The first input of the block, or of the king's bucket.
    pub(crate) firsts: [u32; 2],
}

impl<N: Number> Output<'_, N> {
    /// Writes an input at the end of a side's list, and counts it if it exists.
    #[inline(always)]
    pub(crate) fn push(&mut self, side: usize, input: u32, exists: bool) {
        self.buffers[side][self.lens[side]].write(N::of(input));
        self.lens[side] += usize::from(exists);
    }

    /// The next `len` elements of both lists. [`advance`](Self::advance) counts those that have been written.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only vectors call it"))]
    pub(crate) fn next(&mut self, len: usize) -> [&mut [MaybeUninit<N>]; 2] {
        let [white, black] = &mut self.buffers;
        [&mut white[self.lens[0]..][..len], &mut black[self.lens[1]..][..len]]
    }

    #[inline(always)]
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only vectors call it"))]
    pub(crate) fn advance(&mut self, [white, black]: [usize; 2]) {
        self.lens = [self.lens[0] + white, self.lens[1] + black];
    }
}
