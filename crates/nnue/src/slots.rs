//! The element types of buffers: values, or places for values that need not be initialized; and the number types of
//! inputs.

use core::mem::MaybeUninit;

/// The elements of a buffer for values of a type: such values, or [`MaybeUninit`] places for them.
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
    /// Returns the buffer as places.
    ///
    /// # Safety
    /// Only initialized values may be written to the places.
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

/// Returns the values of places that have been written.
///
/// # Safety
/// All of them are initialized.
#[inline(always)]
pub(crate) unsafe fn written<T>(slots: &[MaybeUninit<T>]) -> &[T] {
    // SAFETY: both types have the same layout; the caller guarantees the rest.
    unsafe { &*(core::ptr::from_ref(slots) as *const [T]) }
}

/// The number type of inputs: `u16`, `u32` or `i32`; or [`MaybeUninit`] of one of these, for buffers that need not be
/// initialized.
pub trait InputNumber: Copy {
    /// The type of a place for an input of the same size.
    #[doc(hidden)]
    type Place: Place;

    /// Returns a buffer as places.
    ///
    /// # Safety
    /// Only initialized values may be written to the places.
    #[doc(hidden)]
    unsafe fn places(buffer: &mut [Self]) -> &mut [Self::Place];
}

/// A place for an input of 16 or 32 bits.
pub trait Place: Copy {
    /// The number of distinct inputs that a place can hold.
    const INPUTS: u32;

    /// A place that is not initialized.
    const EMPTY: Self;

    /// A place with an input.
    fn of(input: u32) -> Self;

    /// Places of a known type.
    fn places(places: &mut [Self]) -> Places<'_>;
}

/// Places for inputs.
#[derive(Debug)]
pub enum Places<'a> {
    /// Of 16 bits.
    U16(&'a mut [MaybeUninit<u16>]),
    /// Of 32 bits.
    U32(&'a mut [MaybeUninit<u32>]),
}

macro_rules! places {
    ($($places:ident: $word:ty, $inputs:expr, $($number:ty)*;)*) => {$(
        impl Place for MaybeUninit<$word> {
            const INPUTS: u32 = $inputs;
            const EMPTY: Self = Self::uninit();

            #[inline(always)]
            fn of(input: u32) -> Self {
                Self::new(input as $word)
            }

            #[inline(always)]
            fn places(places: &mut [Self]) -> Places<'_> {
                Places::$places(places)
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
    U16: u16, 1 << 16, u16 MaybeUninit<u16>;
    U32: u32, 1 << 31, u32 MaybeUninit<u32> i32 MaybeUninit<i32>;
}
