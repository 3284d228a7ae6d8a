//! Computes the pairs that a move removes and adds, without listing all pairs.
//!
//! Squares are changed one after another. When a square changes, only pairs from, to or across it change:
//!
//! ```text
//! piece removed           from it, to it: removed         piece added             from it, to it: added
//! square becomes empty    across it: added                square becomes occupied across it: removed
//! ```
//!
//! These pairs depend only on the surroundings of the square: the nearest piece in each of eight directions, and the
//! pieces a knight's leap away. The surroundings are computed once for each changed square, with the eight directions
//! in eight lanes. A move changes two squares. So does a capture: at the destination, the pairs of the victim are
//! removed and the pairs of the capturing piece added from the same surroundings.
//!
//! A pair that one change adds may be removed by the next: when a pawn moves up, a rook below it attacks across the
//! origin until the pawn is put on its destination. Such a pair starts at, ends at or crosses both squares. It is
//! dropped both times: an added pair if it meets a square that changes later, and a removed pair if it meets a square
//! that has changed earlier. The lanes that meet a square follow from the two squares and the pieces between them.
//!
//! `changes/avx2.rs` and `changes/avx512.rs` are the fast implementations.

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
pub(crate) mod portable;
mod records;
mod tables;
mod write;

use core::mem::MaybeUninit;

use super::pairs::ThreatList;
use setwise::dispatch::Level;
use setwise::{Pieces, by_level};

pub use records::{ChangeError, SquareChange, ThreatChange, buffer_len};
pub use tables::PairFilter;
pub(crate) use write::{Board, check, write};

/// [`write`] with the board of a level.
#[inline(always)]
pub(crate) fn write_at<L: Level>(
    codes: &[u8; 64],
    changes: &[SquareChange],
    filter: &PairFilter,
    buffer: &mut [MaybeUninit<ThreatChange>],
) -> usize {
    by_level!(
        L;
        avx512_gfni => write::<avx512::Bytes>(codes, changes, filter, buffer),
        avx512 | avx2 => write::<avx2::Lanes>(codes, changes, filter, buffer),
        portable => write::<portable::Plain>(codes, changes, filter, buffer)
    )
}

/// Checks the changes, and writes to a buffer that may be too small for vector stores. Called only in rare cases.
#[cold]
#[inline(never)]
pub(crate) fn write_checked(
    codes: &[u8; 64],
    changes: &[SquareChange],
    filter: &PairFilter,
    buffer: &mut [MaybeUninit<ThreatChange>],
) -> Result<usize, ChangeError> {
    check(changes)?;
    let mut scratch = [MaybeUninit::uninit(); buffer_len(64)];
    let needed = write::<portable::Plain>(codes, changes, filter, &mut scratch);
    // If this error is returned, the casts are lossless: at most `buffer_len(64)` records are needed, and the buffer is
    // shorter.
    let too_small = ChangeError::Buffer { len: buffer.len() as u16, needed: needed as u16 };
    let front = buffer.get_mut(..needed).ok_or(too_small)?;
    front.copy_from_slice(&scratch[..needed]);
    Ok(needed)
}

/// The differences between the pairs of two positions, returned by [`position::threats_changed`].
///
/// [`position::threats_changed`]: crate::position::threats_changed
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub struct ThreatChanges {
    /// Pairs of the position before the change. Look up their attackers and victims in that position.
    pub removed: ThreatList,
    /// Pairs of the position after the change.
    pub added: ThreatList,
}

/// Returns the squares on which two positions differ, with their contents in the second position, and the number of
/// these squares.
#[inline(always)]
pub(crate) fn squares_changed(before: &Pieces, after: &Pieces) -> ([SquareChange; 64], usize) {
    let (old, new) = (before.codes(), after.codes());
    let (mut squares, mut count) = ([SquareChange::default(); 64], 0);
    for (square, (old, new)) in old.into_iter().zip(new).enumerate() {
        if old != new {
            squares[count] = SquareChange { square: square as u8, code: new };
            count += 1;
        }
    }
    (squares, count)
}
