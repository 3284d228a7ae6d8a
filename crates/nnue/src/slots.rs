//! Buffers that need not be initialized.

use core::mem::MaybeUninit;

/// What a buffer for values of a type has: such values, or places for them that need not be initialized.
///
/// ```
/// use setwise_nnue::{PairFilter, SquareChange, ThreatChange, buffer_len, position};
/// use setwise::Pieces;
/// use std::mem::MaybeUninit;
/// let mut buffer = [MaybeUninit::<ThreatChange>::uninit(); buffer_len(1)];
/// let removed = [SquareChange::remove(1)];
/// let codes = Pieces::START.codes();
/// let count = position::threat_changes(&codes, &removed, &PairFilter::ALL, &mut buffer)?;
/// // SAFETY: so many records were written.
/// let records: Vec<_> = buffer[..count].iter().map(|record| unsafe { record.assume_init() }).collect();
/// assert_eq!(records.len(), 3); // the knight defended d2, the rook the knight, and now c1
/// # Ok::<(), setwise_nnue::ChangeError>(())
/// ```
pub trait Slot<T>: Sized {
    /// The buffer as places.
    ///
    /// # Safety
    /// What is written to them is initialized.
    #[doc(hidden)]
    unsafe fn slots(buffer: &mut [Self]) -> &mut [MaybeUninit<T>];
}

impl<T> Slot<T> for T {
    #[inline(always)]
    unsafe fn slots(buffer: &mut [T]) -> &mut [MaybeUninit<T>] {
        // SAFETY: both types have the same layout, and the caller promises to write values only.
        unsafe { &mut *(core::ptr::from_mut(buffer) as *mut [MaybeUninit<T>]) }
    }
}

impl<T> Slot<T> for MaybeUninit<T> {
    #[inline(always)]
    unsafe fn slots(buffer: &mut [Self]) -> &mut [Self] {
        buffer
    }
}

/// Values behind places that have been written.
///
/// # Safety
/// All of them are initialized.
#[inline(always)]
pub(crate) unsafe fn written<T>(slots: &[MaybeUninit<T>]) -> &[T] {
    // SAFETY: both types have the same layout; the rest is what the caller promises.
    unsafe { &*(core::ptr::from_ref(slots) as *const [T]) }
}
