//! What a move changes: the pairs that are gone and the pairs that are new, without listing all of them.
//!
//! Squares change one after another. When one does, only the pairs that it is part of change:
//!
//! ```text
//! the piece that leaves      from it, to it: removed          the piece that comes   from it, to it: added
//! the square becomes empty   sliders see across it: added     no longer empty        across it: removed
//! ```
//!
//! All of these are made of what is around the square: the nearest piece in each of eight directions, and what
//! stands a knight's leap away. So a square is looked around once, whatever happens on it, eight directions as
//! eight lanes. A move is two squares, a capture too: the victim's pairs go and the mover's come on the same look.
//!
//! What is added when one square changes may be gone when the next one has: a rook behind a pawn attacks
//! across the pawn's square until the pawn stands further up. Such a pair ends at both squares or runs across them. It
//! is left out both times: what is added is dropped if it meets a square that changes later, and what is removed
//! if it meets one that has changed before. Which lanes meet a square is known from the squares and what is
//! between them.
//!
//! `changes/avx2.rs` is the fast one.

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
pub(crate) mod portable;
mod records;
mod tables;
mod write;

use core::mem::MaybeUninit;

use super::level::by_level;
use super::pairs::ThreatList;
use setwise::Pieces;
use setwise::dispatch::Level;

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
        L,
        avx512: write::<avx2::Lanes<true>>(codes, changes, filter, buffer),
        avx2: write::<avx2::Lanes<false>>(codes, changes, filter, buffer),
        portable: write::<portable::Plain>(codes, changes, filter, buffer)
    )
}

/// The same for a buffer that may be too small to write vectors to, and for squares that may be named twice.
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
    // A buffer that is too small has fewer records than are needed for all squares.
    let too_small = ChangeError::Buffer { len: buffer.len() as u16, needed: needed as u16 };
    let front = buffer.get_mut(..needed).ok_or(too_small)?;
    front.copy_from_slice(&scratch[..needed]);
    Ok(needed)
}

/// The pairs that tell two positions apart, as [`position::threats_changed`] gives them.
///
/// [`position::threats_changed`]: crate::position::threats_changed
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ThreatChanges {
    /// Pairs of the position before; attacker and victim are to be looked up there.
    pub removed: ThreatList,
    /// Pairs of the position after.
    pub added: ThreatList,
}

/// The squares on which two positions differ, with what they hold in the second; and how many there are.
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

/// Records as two lists.
#[inline(always)]
pub(crate) fn in_lists(changes: &[ThreatChange]) -> ThreatChanges {
    let mut lists = ThreatChanges::default();
    for change in changes {
        let list = if change.is_added() { &mut lists.added } else { &mut lists.removed };
        list.push(change.threat());
    }
    lists
}
