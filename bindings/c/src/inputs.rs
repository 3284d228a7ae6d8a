//! The inputs that a network has for a position, and what a move changes of them: one call in place of an engine's
//! loops.

use setwise::{ByColour, Pieces};
use setwise_nnue::position::{InputNumber, NnueKernel};
use setwise_nnue::{FeatureSet, InputBuffers, InputChanges, InputError, ThreatChange};

use crate::buffers::{input_slice, output_slice};
use crate::changes::{
    SQUARES, refuse, setwise_square_change, setwise_threat_change, squares, too_many, wrong_squares,
};
use crate::error::setwise_status;
use crate::feature_sets::setwise_feature_set;
use crate::kernel::{chosen, setwise_kernel};
use crate::pieces::{colour, setwise_pieces};
use crate::places::{check, fail};

/// A buffer of that many inputs suffices for one side's of any position, with any set that has a name of its own.
/// setwise_feature_set_max_inputs() says it for every set.
pub const SETWISE_MAX_INPUTS: usize = 888;

/// A buffer of that many inputs suffices for those that the up to four squares of a move add, or remove, with any set
/// that has a name of its own. setwise_feature_set_max_changes() says it for every set and number of squares.
pub const SETWISE_MAX_MOVE_INPUTS: usize = 272;

/// No set has more inputs of a position, and none changes more.
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

/// How one side's inputs change. Set the first three, the others are answers. Inputs of 32 bits are for sets that have
/// more than 65,536.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct setwise_input_changes<Number> {
    /// Buffers for the inputs that are new, and for those that are gone.
    pub added: *mut Number,
    pub removed: *mut Number,
    /// How many inputs each of them holds.
    pub capacity: usize,
    /// How many are new, and how many are gone.
    pub added_count: usize,
    pub removed_count: usize,
    /// 1 if the side's king has crossed the middle of the board and the set mirrors, or has gone to another bucket: all
    /// inputs of a block become others. Nothing is written to the buffers then; make the side's list anew with
    /// setwise_pieces_inputs_u16(). Otherwise 0.
    pub is_anew: u8,
}

impl<N: InputNumber> setwise_input_changes<N> {
    /// The buffers, and how many inputs of each are used, no more than `max`.
    #[inline(always)]
    fn buffers(&self, max: usize) -> (*mut N, *mut N, usize) {
        (self.added, self.removed, self.capacity.min(max))
    }

    #[inline(always)]
    fn answer(&mut self, changes: InputChanges) {
        self.added_count = changes.added;
        self.removed_count = changes.removed;
        self.is_anew = changes.is_anew.into();
    }
}

/// # Safety
/// As for the functions of the two types.
#[inline(always)]
unsafe fn mailbox_input_changes<N: InputNumber>(
    kernel: *const setwise_kernel,
    mailbox: *const u8,
    changes: *const setwise_square_change,
    change_count: usize,
    set: *const setwise_feature_set,
    sides: *mut setwise_input_changes<N>,
) -> setwise_status {
    if change_count > SQUARES {
        return too_many(change_count);
    }
    check!(read; write "sides" = sides[2]);
    // SAFETY: they are there.
    let (white, black) = unsafe { (&*sides, &*sides.add(1)) };
    let ((a, b, of_white), (c, d, of_black)) = (white.buffers(LARGE), black.buffers(LARGE));
    check!(
        read "mailbox" = mailbox[64], "changes" = changes[change_count], "set" = set[1];
        write "sides" = sides[2], "added" = a[of_white], "removed" = b[of_white],
              "added" = c[of_black], "removed" = d[of_black]
    );
    // SAFETY: the arrays are good, and none that is written overlaps another; the set is not null and one of ours, and
    // the kernel is null or one of ours.
    unsafe {
        let Some(changes) = squares(changes, change_count) else { return wrong_squares() };
        let buffers = ByColour {
            white: InputBuffers {
                added: output_slice(a, of_white),
                removed: output_slice(b, of_white),
            },
            black: InputBuffers {
                added: output_slice(c, of_black),
                removed: output_slice(d, of_black),
            },
        };
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

/// What a move, or any other change of squares, changes of the inputs of both sides, in all blocks of the set: for
/// threats setwise_mailbox_threat_changes() and its records as inputs, and the pairs of pawns and pieces on squares
/// that come and go, in one call. `sides` are two, white's and black's. It replaces the loops that
/// setwise_mailbox_threat_changes() replaces, and the loop over their records for each side.
///
/// If a side has not exactly one king before and after, the status is SETWISE_STATUS_KINGS; if the set has more than
/// 65,536 inputs, SETWISE_STATUS_FEATURE_SET; if a buffer is too small, SETWISE_STATUS_CAPACITY
/// (setwise_feature_set_max_changes() inputs suffice). Nothing is written then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_mailbox_input_changes_u16(
    kernel: *const setwise_kernel,
    mailbox: *const u8,
    changes: *const setwise_square_change,
    change_count: usize,
    set: *const setwise_feature_set,
    sides: *mut setwise_input_changes<u16>,
) -> setwise_status {
    // SAFETY: guaranteed by the caller.
    unsafe { mailbox_input_changes(kernel, mailbox, changes, change_count, set, sides) }
}

/// The same with inputs of 32 bits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_mailbox_input_changes_u32(
    kernel: *const setwise_kernel,
    mailbox: *const u8,
    changes: *const setwise_square_change,
    change_count: usize,
    set: *const setwise_feature_set,
    sides: *mut setwise_input_changes<u32>,
) -> setwise_status {
    // SAFETY: guaranteed by the caller.
    unsafe { mailbox_input_changes(kernel, mailbox, changes, change_count, set, sides) }
}

/// # Safety
/// As for the functions of the two types.
#[inline(always)]
unsafe fn set_input_changes<N: InputNumber>(
    set: *const setwise_feature_set,
    colour: u8,
    king: u8,
    records: *const setwise_threat_change,
    record_count: usize,
    side: *mut setwise_input_changes<N>,
) -> setwise_status {
    if king > 63 {
        return fail(setwise_status::Square, format!("the king's square is {king}, above 63"));
    }
    check!(read; write "side" = side[1]);
    // SAFETY: it is there.
    let (added, removed, used) = unsafe { (*side).buffers(record_count) };
    check!(
        read "set" = set[1], "records" = records[record_count];
        write "side" = side[1], "added" = added[used], "removed" = removed[used]
    );
    // SAFETY: the arrays are good, and none that is written overlaps another; the set is not null and one of ours; a
    // record is transparent on 32 bits, of which any may be set.
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

/// The inputs of records, as a side sees them whose king stands on `king`: those that are added, and those that are
/// removed. They are inputs of the set's block of threats; those of other blocks do not follow from records, but from
/// setwise_mailbox_input_changes_u16(). It replaces the loop over the records of a move, at the time when the side's
/// accumulator is needed. The king must be the same view before and after the moves:
/// setwise_feature_set_is_same_view().
///
/// If the set has more than 65,536 inputs, the status is SETWISE_STATUS_FEATURE_SET; if a buffer is too small,
/// SETWISE_STATUS_CAPACITY (as many inputs as there are records suffice). Nothing is written then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_feature_set_input_changes_u16(
    set: *const setwise_feature_set,
    colour: u8,
    king: u8,
    records: *const setwise_threat_change,
    record_count: usize,
    side: *mut setwise_input_changes<u16>,
) -> setwise_status {
    // SAFETY: guaranteed by the caller.
    unsafe { set_input_changes(set, colour, king, records, record_count, side) }
}

/// The same with inputs of 32 bits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_feature_set_input_changes_u32(
    set: *const setwise_feature_set,
    colour: u8,
    king: u8,
    records: *const setwise_threat_change,
    record_count: usize,
    side: *mut setwise_input_changes<u32>,
) -> setwise_status {
    // SAFETY: guaranteed by the caller.
    unsafe { set_input_changes(set, colour, king, records, record_count, side) }
}

/// # Safety
/// As for the functions of the two types.
#[inline(always)]
unsafe fn pieces_inputs<N: InputNumber>(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
    set: *const setwise_feature_set,
    [white, black]: [*mut N; 2],
    capacity: usize,
    counts: *mut usize,
) -> setwise_status {
    let used = capacity.min(LARGE);
    check!(
        read "pieces" = pieces[1], "set" = set[1];
        write "white" = white[used], "black" = black[used], "counts" = counts[2]
    );
    // SAFETY: the arrays were found good, and none that is written overlaps another; the set is one of ours, and the
    // kernel is null or one of ours.
    unsafe {
        let copy;
        let pieces = if pieces.cast::<Pieces>().is_aligned() {
            &*pieces.cast::<Pieces>()
        } else {
            copy = Pieces::from(*pieces);
            &copy
        };
        let buffers =
            ByColour { white: output_slice(white, used), black: output_slice(black, used) };
        match NnueKernel::of(chosen(kernel)).inputs(&(*set).set, pieces, buffers) {
            Ok(ByColour { white, black }) => {
                *counts.cast::<[usize; 2]>() = [white, black];
                setwise_status::Ok
            }
            Err(error) => refuse(InputError::Features(error)),
        }
    }
}

/// The inputs that a set has for a position, as white and as black sees them, block by block: threats in their order,
/// pawn pairs file by file, pieces by their squares. Writes them to the fronts of two buffers of `capacity` inputs, and
/// their numbers to `counts`, white's and black's. setwise_feature_set_max_inputs() suffice for any position; the rest
/// of a buffer is unspecified after the call. It replaces the loop over all pieces and what they attack, where a list
/// is made anew.
///
/// If a side has not exactly one king, the status is SETWISE_STATUS_KINGS; if the set has more than 65,536 inputs,
/// SETWISE_STATUS_FEATURE_SET; if a buffer is too small, SETWISE_STATUS_CAPACITY. Nothing is written then. The columns
/// `white_features` and `black_features` are the same for many positions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_pieces_inputs_u16(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
    set: *const setwise_feature_set,
    white: *mut u16,
    black: *mut u16,
    capacity: usize,
    counts: *mut usize,
) -> setwise_status {
    // SAFETY: guaranteed by the caller.
    unsafe { pieces_inputs(kernel, pieces, set, [white, black], capacity, counts) }
}

/// The same with inputs of 32 bits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_pieces_inputs_u32(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
    set: *const setwise_feature_set,
    white: *mut u32,
    black: *mut u32,
    capacity: usize,
    counts: *mut usize,
) -> setwise_status {
    // SAFETY: guaranteed by the caller.
    unsafe { pieces_inputs(kernel, pieces, set, [white, black], capacity, counts) }
}

#[cfg(test)]
mod tests;
