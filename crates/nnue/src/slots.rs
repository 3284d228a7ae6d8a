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
pub trait InputNumber: Copy {
    /// A possibly uninitialized number of the same size.
    #[doc(hidden)]
    type Place: Place;

    /// Returns a buffer as possibly uninitialized elements.
    ///
    /// # Safety
    /// Only initialized values may be written to the elements.
    #[doc(hidden)]
    unsafe fn places(buffer: &mut [Self]) -> &mut [Self::Place];
}

/// A buffer element for an input of 16 or 32 bits.
pub trait Place: Copy {
    /// The number of distinct inputs that an element can hold.
    const INPUTS: u32;

    /// An uninitialized element.
    const EMPTY: Self;

    /// An element with the value `input`.
    fn of(input: u32) -> Self;
}

macro_rules! places {
    ($($word:ty, $inputs:expr, $($number:ty)*;)*) => {$(
        impl Place for MaybeUninit<$word> {
            const INPUTS: u32 = $inputs;
            const EMPTY: Self = Self::uninit();

            #[inline(always)]
            fn of(input: u32) -> Self {
                Self::new(input as $word)
            }
        }

        $(
            impl InputNumber for $number {
                type Place = MaybeUninit<$word>;

                #[inline(always)]
                unsafe fn places(buffer: &mut [Self]) -> &mut [Self::Place] {
                    // SAFETY: both types have the same layout, and the caller writes only values.
                    unsafe { &mut *(core::ptr::from_mut(buffer) as *mut [Self::Place]) }
                }
            }
        )*
    )*};
}

places! {
    u16, 1 << 16, u16 MaybeUninit<u16>;
    u32, 1 << 31, u32 MaybeUninit<u32> i32 MaybeUninit<i32>;
}
