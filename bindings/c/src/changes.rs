//! The threats that a move adds and removes: one call instead of an engine's loops.
//!
//! The C function calls a function that is compiled with the kernel's instructions and also checks the arrays. On Zen 4
//! this costs 5 ns more than inlined Rust; a separate call to the kernel's function would cost 8 ns.

use setwise::dispatch::Level;
use setwise_nnue::position::threat_changes_at;
use setwise_nnue::{ChangeError, FeatureError, PairFilter, SquareChange, ThreatChange, buffer_len};

use crate::buffers::{input_slice, output_slice};
use crate::error::setwise_status;
use crate::feature_sets::setwise_feature_set;
use crate::places::{check, fail};
use crate::position::questions;

/// A square and its new contents, as setwise_pieces_to_mailbox() writes them: 0 for nothing, 1 to 6 for white's pawn,
/// knight, bishop, rook, queen and king, 9 to 14 for black's, 7 for a blocker that is attacked but attacks nothing. With 8
/// or 15 the results are unspecified.
///
/// A move is two changes: the origin becomes empty, and the destination holds the piece, which replaces a captured
/// piece. A promotion puts another piece on the destination. En passant is three changes; castling is up to four.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct setwise_square_change {
    pub square: u8,
    pub piece: u8,
}

// Arrays of this type are read as `SquareChange`.
const _: () = {
    assert!(size_of::<setwise_square_change>() == size_of::<SquareChange>());
    // SAFETY: both are two bytes.
    let bytes: [u8; 2] = unsafe { std::mem::transmute(SquareChange::new(3, 5)) };
    assert!(bytes[0] == 3 && bytes[1] == 5);
};

/// A threat that is added or removed: the attacker's square in bits 0 to 7, the victim's square in bits 8 to 15, the
/// attacker in bits 16 to 23 and the victim in bits 24 to 27, both as in a mailbox. Bit 31 is 1 if the threat is added,
/// 0 if it is removed.
pub type setwise_threat_change = u32;

/// The bit of a setwise_threat_change that marks an added threat.
pub const SETWISE_THREAT_ADDED: u32 = 0x8000_0000;

/// The length of a buffer of setwise_threat_change that suffices for any move, which changes up to four squares.
pub const SETWISE_MAX_MOVE_CHANGES: usize = 200;

/// The length of a buffer of setwise_threat_change that suffices for any number of changed squares.
pub const SETWISE_MAX_CHANGES: usize = 848;

const _: () = assert!(SETWISE_MAX_MOVE_CHANGES == buffer_len(4), "the header knows the size");
const _: () = assert!(SETWISE_MAX_CHANGES == buffer_len(64), "the header knows the size");

/// Borrows the changes; `None` if one of them is invalid.
///
/// # Safety
/// The array has been checked.
#[inline(always)]
pub(crate) unsafe fn squares<'a>(
    changes: *const setwise_square_change,
    count: usize,
) -> Option<&'a [SquareChange]> {
    // SAFETY: guaranteed by the caller, and the two types are the same bytes (see the check above).
    let changes = unsafe { input_slice(changes.cast::<SquareChange>(), count) };
    // One load for both bytes.
    let is_right = |change: &SquareChange| {
        let wrong = const { u16::from_ne_bytes([0xc0, 0xf0]) };
        u16::from_ne_bytes([change.square(), change.code()]) & wrong == 0
    };
    let are_right = match changes {
        [a, b] => is_right(a) & is_right(b), // nearly all moves
        _ => changes.iter().all(is_right),
    };
    are_right.then_some(changes)
}

#[cold]
#[inline(never)]
pub(crate) fn wrong_squares() -> setwise_status {
    let text = "a change has a square above 63 or a piece above 15";
    fail(setwise_status::Square, text.into())
}

/// The maximum number of changes; larger counts are rejected before the array is read.
pub(crate) const SQUARES: usize = 64;

#[cold]
#[inline(never)]
pub(crate) fn too_many(count: usize) -> setwise_status {
    fail(setwise_status::Square, format!("{count} squares change, but there are {SQUARES}"))
}

#[cold]
#[inline(never)]
pub(crate) fn refuse(error: FeatureError) -> setwise_status {
    let status = match error {
        FeatureError::Kings { .. } => setwise_status::Kings,
        FeatureError::Squares(ChangeError::Twice(_)) => setwise_status::Square,
        _ => setwise_status::Capacity,
    };
    fail(status, error.to_string())
}

questions! {
    /// Computes the threats that a move, or any other change of squares, adds to a position and removes from it.
    /// Replaces an engine's loops when it puts, removes or moves a piece: over the pieces that it attacks, over its
    /// attackers, and over the sliders whose rays cross its square.
    ///
    /// `mailbox` is the position before the change: the piece on each of the 64 squares as in
    /// setwise_pieces_to_mailbox(). If it has other values, the records are unspecified. `changes` are the squares
    /// that change, in any order, each once. If `set` is not NULL, threats between pieces for which it has no inputs
    /// are omitted. A threat that would be both added and removed by the same call is not recorded.
    ///
    /// Writes the records to the start of `records`, and their number to `*count`; the rest of the buffer is
    /// unspecified after the call. SETWISE_MAX_MOVE_CHANGES records suffice for a move. A smaller buffer is allowed,
    /// but takes longer; if the records do not fit, the status is SETWISE_STATUS_CAPACITY and nothing is written. If a
    /// square is above 63 or occurs twice, or if a piece is above 15, the status is SETWISE_STATUS_SQUARE.
    fn setwise_mailbox_threat_changes(
        kernel;
        mailbox: *const u8,
        changes: *const setwise_square_change,
        change_count: usize,
        set: *const setwise_feature_set,
        records: *mut setwise_threat_change,
        capacity: usize,
        count: *mut usize
    ) -> setwise_status {
        let codes = Codes::of(kernel);
        if change_count == 2 && capacity >= buffer_len(2) {
            codes.two(mailbox, changes, change_count, set, records, capacity, count)
        } else {
            codes.any(mailbox, changes, change_count, set, records, capacity, count)
        }
    }
}

/// Defines the bodies of [`setwise_mailbox_threat_changes`] with a kernel's instructions, checks included, by the number
/// of squares.
macro_rules! codes {
    ($($(#[$doc:meta])* fn $name:ident($change_count:ident) $squares:expr;)*) => {
        setwise::functions! {
            struct Codes {$(
                $(#[$doc])*
                fn $name<L: Level>(
                    level: L,
                    mailbox: *const u8,
                    changes: *const setwise_square_change,
                    $change_count: usize,
                    set: *const setwise_feature_set,
                    records: *mut setwise_threat_change,
                    capacity: usize,
                    count: *mut usize
                ) -> setwise_status {
                    // SAFETY: only the C function runs this.
                    unsafe { write_records(level, mailbox, changes, $squares, set, records, capacity, count) }
                }
            )*}
        }
    };
}

codes! {
    /// Nearly all moves change two squares. They get a separate function, in which nothing else needs registers.
    fn two(_change_count) 2;
    fn any(change_count) change_count;
}

/// Checks the arrays, and writes the records and their number.
///
/// # Safety
/// As for the C function.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "those of the C function")]
unsafe fn write_records<L: Level>(
    level: L,
    mailbox: *const u8,
    changes: *const setwise_square_change,
    change_count: usize,
    set: *const setwise_feature_set,
    records: *mut setwise_threat_change,
    capacity: usize,
    count: *mut usize,
) -> setwise_status {
    if change_count > SQUARES {
        return too_many(change_count);
    }
    let used = capacity.min(SETWISE_MAX_CHANGES);
    check!(
        read "mailbox" = mailbox[64], "changes" = changes[change_count];
        write "records" = records[used], "count" = count[1]
    );
    // SAFETY: the arrays have been checked, and none that is written overlaps another; the set is null or one of ours;
    // a record is a transparent 32-bit number.
    unsafe {
        let Some(changes) = squares(changes, change_count) else { return wrong_squares() };
        let filter = set.as_ref().map_or(&PairFilter::ALL, |set| set.set.pair_filter());
        let (board, records) =
            (&*mailbox.cast::<[u8; 64]>(), output_slice(records.cast::<ThreatChange>(), used));
        // Not passed as a closure, which would not be inlined into the function that enables the instructions: each
        // intrinsic would be a call, and a move would take 1,318 ns instead of 60.
        match threat_changes_at(level, board, changes, filter, records) {
            Ok(written) => {
                *count = written;
                setwise_status::Ok
            }
            Err(error) => refuse(FeatureError::Squares(error)),
        }
    }
}
