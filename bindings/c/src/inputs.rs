//! The inputs of a position, and the inputs that a move adds and removes: one call instead of an engine's loops.

use setwise::{ByColour, Pieces};
use setwise_nnue::position::NnueKernel;
use setwise_nnue::{FeatureSet, InputBuffers, InputChanges, ThreatChange};

use crate::buffers::{input_slice, output_slice};
use crate::changes::{
    SQUARES, refuse, setwise_square_change, setwise_threat_change, squares, too_many, wrong_squares,
};
use crate::error::setwise_status;
use crate::feature_sets::setwise_feature_set;
use crate::kernel::{chosen, setwise_kernel};
use crate::pieces::{colour, setwise_pieces};
use crate::places::{check, fail};

/// The length of a buffer that suffices for the inputs of any position from one perspective, with any named set. For
/// other sets use setwise_feature_set_max_inputs().
pub const SETWISE_MAX_INPUTS: usize = 888;

/// The length of a buffer that suffices for the inputs that any move adds, or removes, from one perspective, with any
/// named set. For other sets and more than four squares use setwise_feature_set_max_changes().
pub const SETWISE_MAX_MOVE_INPUTS: usize = 272;

/// The maximum number of inputs of a buffer that is used: no set has more inputs per position, or more changes.
const LARGE: usize = 8192;

const _: () = {
    let mut i = 0;
    while i < FeatureSet::ALL.len() {
        let set = FeatureSet::ALL[i];
        assert!(SETWISE_MAX_INPUTS >= set.buffer_len(), "the header knows the size");
        assert!(SETWISE_MAX_MOVE_INPUTS >= set.changes_len(4), "the header knows the size");
        i += 1;
    }
    let largest = FeatureSet::NNUE_PYTORCH_2026_07;
    assert!(
        SETWISE_MAX_INPUTS == largest.buffer_len()
            && SETWISE_MAX_MOVE_INPUTS == largest.changes_len(4)
    );
};

/// The changes of one side's inputs. Set the first three fields; the call sets the others.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct setwise_input_changes {
    /// Buffers for the inputs that are added and for those that are removed.
    pub added: *mut u32,
    pub removed: *mut u32,
    /// The capacity of each buffer, in inputs.
    pub capacity: usize,
    /// The number of inputs that are added and removed.
    pub added_count: usize,
    pub removed_count: usize,
    /// 1 if the side's king has crossed the middle of the board and the set mirrors, or has moved to another bucket;
    /// otherwise 0. If 1, all inputs of a block change, and nothing is written to the buffers: compute the side's
    /// inputs from scratch with setwise_pieces_perspective_inputs().
    pub is_anew: u8,
}

impl setwise_input_changes {
    /// The buffers, and the number of inputs of each that are used, at most `max`.
    #[inline(always)]
    fn buffers(&self, max: usize) -> (*mut u32, *mut u32, usize) {
        (self.added, self.removed, self.capacity.min(max))
    }

    #[inline(always)]
    fn answer(&mut self, changes: InputChanges) {
        self.added_count = changes.added;
        self.removed_count = changes.removed;
        self.is_anew = changes.is_anew.into();
    }
}

/// Computes the inputs that a move, or any other change of squares, adds and removes for both sides, in all blocks of
/// the set: threats, pairs of pawns, and pieces on squares. `sides` has two elements, white's and black's; `mailbox`
/// and `changes` are as in setwise_mailbox_threat_changes(). Replaces the same loops as
/// setwise_mailbox_threat_changes(), and the loop over its records for each side.
///
/// If a side does not have exactly one king before and after the change, the status is SETWISE_STATUS_KINGS; if a buffer
/// is too small, SETWISE_STATUS_CAPACITY (setwise_feature_set_max_changes() inputs suffice). Then nothing is written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_mailbox_input_changes(
    kernel: *const setwise_kernel,
    mailbox: *const u8,
    changes: *const setwise_square_change,
    change_count: usize,
    set: *const setwise_feature_set,
    sides: *mut setwise_input_changes,
) -> setwise_status {
    if change_count > SQUARES {
        return too_many(change_count);
    }
    check!(read; write "sides" = sides[2]);
    // SAFETY: the two have been checked.
    let (white, black) = unsafe { (&*sides, &*sides.add(1)) };
    let ((a, b, of_white), (c, d, of_black)) = (white.buffers(LARGE), black.buffers(LARGE));
    check!(
        read "mailbox" = mailbox[64], "changes" = changes[change_count], "set" = set[1];
        write "sides" = sides[2], "added" = a[of_white], "removed" = b[of_white],
              "added" = c[of_black], "removed" = d[of_black]
    );
    // SAFETY: the arrays have been checked, and none that is written overlaps another; the set is not null and one of
    // ours, and the kernel is null or one of ours.
    unsafe {
        let Some(changes) = squares(changes, change_count) else { return wrong_squares() };
        let buffers = |added, removed, len| InputBuffers {
            added: output_slice(added, len),
            removed: output_slice(removed, len),
        };
        let buffers = ByColour { white: buffers(a, b, of_white), black: buffers(c, d, of_black) };
        let board = &*mailbox.cast::<[u8; 64]>();
        let kernel = NnueKernel::of(chosen(kernel));
        match kernel.input_changes(&(*set).set, board, changes, buffers) {
            Ok(both) => {
                (*sides).answer(both.white);
                (*sides.add(1)).answer(both.black);
                setwise_status::Ok
            }
            Err(error) => refuse(error),
        }
    }
}

/// Converts records to the inputs that are added and removed for a side whose king is on `king`. They are inputs of the
/// set's block of threats; setwise_mailbox_input_changes() computes the changes of other blocks too. Replaces the loop
/// over the records of a move when the side's accumulator is needed. The side must have the same view before and after
/// the moves: see setwise_feature_set_is_same_view().
///
/// If a buffer is too small, the status is SETWISE_STATUS_CAPACITY, and nothing is written. A capacity of `record_count`
/// suffices.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_feature_set_input_changes(
    set: *const setwise_feature_set,
    colour: u8,
    king: u8,
    records: *const setwise_threat_change,
    record_count: usize,
    side: *mut setwise_input_changes,
) -> setwise_status {
    if king > 63 {
        return fail(setwise_status::Square, format!("the king's square is {king}, above 63"));
    }
    check!(read; write "side" = side[1]);
    // SAFETY: it has been checked.
    let (added, removed, used) = unsafe { (*side).buffers(record_count) };
    check!(
        read "set" = set[1], "records" = records[record_count];
        write "side" = side[1], "added" = added[used], "removed" = removed[used]
    );
    // SAFETY: the arrays have been checked, and none that is written overlaps another; the set is not null and one of
    // ours; a record is a transparent 32-bit number, and any value is valid.
    unsafe {
        let view = (*set).set.seen_from(self::colour(colour), king);
        let records = input_slice(records.cast::<ThreatChange>(), record_count);
        let (added, removed) = (output_slice(added, used), output_slice(removed, used));
        match view.input_changes(records, added, removed) {
            Ok([added, removed]) => {
                (*side).answer(InputChanges { added, removed, is_anew: false });
                setwise_status::Ok
            }
            Err(error) => refuse(error),
        }
    }
}

/// Borrows a position, in place if it is aligned and otherwise through a copy.
///
/// # Safety
/// The position has been checked.
#[inline(always)]
unsafe fn in_place(pieces: *const setwise_pieces, copy: &mut Pieces) -> &Pieces {
    // SAFETY: guaranteed by the caller, and both types have the same fields.
    unsafe {
        if pieces.cast::<Pieces>().is_aligned() {
            return &*pieces.cast::<Pieces>();
        }
        *copy = Pieces::from(*pieces);
    }
    copy
}

/// Computes the inputs of a position from the perspectives of white and black, block by block: threats in their order,
/// pawn pairs file by file, pieces by their squares. Writes them to the starts of two buffers of `capacity` inputs, and
/// the counts of white and black to `counts`; the rest of each buffer is unspecified after the call.
/// setwise_feature_set_max_inputs() inputs suffice for any position. Replaces the loop over all pieces and their
/// attacks when an accumulator is computed from scratch.
///
/// If a side does not have exactly one king, the status is SETWISE_STATUS_KINGS; if a buffer is too small,
/// SETWISE_STATUS_CAPACITY. Then nothing is written. For many positions use the columns `white_features` and
/// `black_features`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_pieces_inputs(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
    set: *const setwise_feature_set,
    white: *mut u32,
    black: *mut u32,
    capacity: usize,
    counts: *mut usize,
) -> setwise_status {
    let used = capacity.min(LARGE);
    check!(
        read "pieces" = pieces[1], "set" = set[1];
        write "white" = white[used], "black" = black[used], "counts" = counts[2]
    );
    // SAFETY: the arrays have been checked, and none that is written overlaps another; the set is one of ours, and the
    // kernel is null or one of ours.
    unsafe {
        let mut copy = Pieces::EMPTY;
        let pieces = in_place(pieces, &mut copy);
        let buffers =
            ByColour { white: output_slice(white, used), black: output_slice(black, used) };
        match NnueKernel::of(chosen(kernel)).inputs(&(*set).set, pieces, buffers) {
            Ok(ByColour { white, black }) => {
                *counts.cast::<[usize; 2]>() = [white, black];
                setwise_status::Ok
            }
            Err(error) => refuse(error),
        }
    }
}

/// setwise_pieces_inputs() from the perspective of one side: for an accumulator that is refreshed because the side's
/// king has crossed the middle of the board or has moved to another bucket. Both sides must have exactly one king.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_pieces_perspective_inputs(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
    set: *const setwise_feature_set,
    colour: u8,
    inputs: *mut u32,
    capacity: usize,
    count: *mut usize,
) -> setwise_status {
    let used = capacity.min(LARGE);
    check!(
        read "pieces" = pieces[1], "set" = set[1];
        write "inputs" = inputs[used], "count" = count[1]
    );
    // SAFETY: the arrays have been checked, and none that is written overlaps another; the set is one of ours, and the
    // kernel is null or one of ours.
    unsafe {
        let mut copy = Pieces::EMPTY;
        let pieces = in_place(pieces, &mut copy);
        let (colour, inputs) = (self::colour(colour), output_slice(inputs, used));
        let kernel = NnueKernel::of(chosen(kernel));
        match kernel.perspective_inputs(&(*set).set, pieces, colour, inputs) {
            Ok(written) => {
                *count = written;
                setwise_status::Ok
            }
            Err(error) => refuse(error),
        }
    }
}

#[cfg(test)]
mod tests;
