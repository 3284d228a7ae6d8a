//! What a move changes of who attacks whom: one call in place of an engine's loops.
//!
//! The call for records costs least if nothing needs the stack: a jump to a function that checks two squares' arrays with the
//! kernel's instructions enabled, so that both share one frame. On Zen 4 (`make -C bindings/c bench`) it takes 4.0 ns more than what
//! is inlined in Rust; it was 6.2 when it called the kernel's function, and 5.5 when that gave its answer in one register.
//! Checks are not what is left: without any it took as long. A call within Rust takes 1.3 more with four arguments, 2.3 with
//! all eight, and a kernel that kept four more words on the stack took 1.8 more again. What gained nothing: one comparison
//! for all nulls and the upper half of memory, one for both alignments. What lost: each byte of the squares compared by
//! itself (0.5). Where the stack is as far into its page as the boards, a call may take three to five more.

use std::sync::atomic::Ordering;
use std::{ptr, slice};

use setwise_nnue::position::{NnueKernel, threat_changes_at};
use setwise_nnue::{ChangeError, PairFilter, SquareChange, ThreatChange, buffer_len};

use crate::error::setwise_status;
use crate::feature_sets::setwise_feature_set;
use crate::kernel::{chosen, code_of, setwise_kernel};
use crate::places::{Place, are_good, fail, refuse};

/// A square and what it holds from now on, as in a mailbox: 0 for nothing, 1 to 6 for white's pawn, knight, bishop, rook,
/// queen and king, 9 to 14 for black's.
///
/// A piece that moves is two of them: its origin becomes empty, its destination holds it, in place of what it takes.
/// Promotion is the same with another piece. En passant is three squares; castling is up to four.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct setwise_square_change {
    pub square: u8,
    pub piece: u8,
}

// They are read as `SquareChange`.
const _: () = {
    assert!(size_of::<setwise_square_change>() == size_of::<SquareChange>());
    // SAFETY: both are two bytes.
    let bytes: [u8; 2] = unsafe { std::mem::transmute(SquareChange::new(3, 5)) };
    assert!(bytes[0] == 3 && bytes[1] == 5);
};

/// A threat that is added or removed: the attacker's square in bits 0 to 7, the victim's in bits 8 to 15, the attacker in
/// bits 16 to 23 and the victim in bits 24 to 27 as in a mailbox, and in bit 31 1 if the pair is added.
pub type setwise_threat_change = u32;

/// The bit of a setwise_threat_change that is added.
#[allow(dead_code, reason = "for C")]
pub const SETWISE_THREAT_ADDED: u32 = 0x8000_0000;

/// A buffer of that many setwise_threat_change suffices for the up to four squares of a move.
#[allow(dead_code, reason = "for C")]
pub const SETWISE_MAX_MOVE_CHANGES: usize = 200;

/// The same for any number of squares.
pub const SETWISE_MAX_CHANGES: usize = 848;

const _: () = assert!(SETWISE_MAX_MOVE_CHANGES == buffer_len(4), "the header knows the size");
const _: () = assert!(SETWISE_MAX_CHANGES == buffer_len(64), "the header knows the size");
/// The squares that change, if the library takes them.
///
/// # Safety
/// The array is good, if it is empty too.
#[inline(always)]
pub(crate) unsafe fn squares<'a>(
    changes: *const setwise_square_change,
    count: usize,
) -> Option<&'a [SquareChange]> {
    // SAFETY: the caller says so, and the two types are the same bytes (see the check above).
    let changes = unsafe { slice::from_raw_parts(changes.cast::<SquareChange>(), count) };
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

/// No more squares can change; more are refused before they are read.
pub(crate) const SQUARES: usize = 64;

#[cold]
#[inline(never)]
pub(crate) fn too_many(count: usize) -> setwise_status {
    fail(setwise_status::Square, format!("{count} squares change, but there are {SQUARES}"))
}

#[cold]
#[inline(never)]
pub(crate) fn refuse_changes(error: ChangeError) -> setwise_status {
    let status = match error {
        ChangeError::Buffer { .. } => setwise_status::Capacity,
        ChangeError::Twice { .. } => setwise_status::Square,
        _ => setwise_status::Internal,
    };
    fail(status, error.to_string())
}

/// What a move, or any other change of squares, adds to the threats of a position and removes from them. It replaces the
/// loops of an engine that puts, removes or moves a piece: over what the piece attacks, over what attacks it, and over the
/// sliders that see across its square.
///
/// `mailbox` is the position before, the piece on each of the 64 squares as in setwise_pieces_from_mailbox(); records are
/// unspecified if it holds anything else. `changes` are the squares that change, in any order, each once. Threats are left
/// out that `set` has no input for, whatever their squares; NULL keeps all. A threat that is both added and removed by the
/// same call is not recorded.
///
/// Writes the records to the front of `records`, and their number to `*count`. SETWISE_MAX_MOVE_CHANGES records suffice
/// for a move; the rest of the buffer is unspecified after the call. A buffer of fewer will do if the records fit, but
/// takes longer. If they do not, the status is SETWISE_STATUS_CAPACITY and nothing is written. If a square is
/// above 63 or named twice, or a piece above 15, the status is SETWISE_STATUS_SQUARE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_mailbox_threat_changes(
    kernel: *const setwise_kernel,
    mailbox: *const u8,
    changes: *const setwise_square_change,
    change_count: usize,
    set: *const setwise_feature_set,
    records: *mut setwise_threat_change,
    capacity: usize,
    count: *mut usize,
) -> setwise_status {
    // SAFETY: the kernel is null or one of ours.
    let codes = unsafe { code_of(kernel) }.load(Ordering::Relaxed).cast::<Codes>();
    // Not a branch, so that what follows is a jump, which leaves all arguments where they are.
    let codes = if codes.is_null() { ptr::from_ref(Codes::UNKNOWN) } else { codes };
    // SAFETY: it points to a table that lives as long as the program. What its function wants is what the caller of this
    // one promises.
    unsafe {
        (*codes).records(kernel, mailbox, changes, change_count, set, records, capacity, count)
    }
}

setwise::functions! {
    /// The function of [`setwise_mailbox_threat_changes`] with a kernel's instructions.
    struct Codes {
        /// The usual call, checks and all: two squares, a buffer that suffices, and nothing to be refused. All else is
        /// handed on.
        fn records<L: Level>(
            level: L,
            kernel: *const setwise_kernel,
            mailbox: *const u8,
            changes: *const setwise_square_change,
            change_count: usize,
            set: *const setwise_feature_set,
            records: *mut setwise_threat_change,
            capacity: usize,
            count: *mut usize
        ) -> setwise_status {
            let used = capacity.min(SETWISE_MAX_CHANGES);
            let (board, squares_in) = (Place::of(mailbox, 64), Place::of(changes, 2));
            let (to, count_to) = (Place::of(records, used), Place::of(count, 1));
            // SAFETY: only the C function runs this. In the call for two squares the arrays are good, and none that is
            // written overlaps another; the set is null or one of ours.
            unsafe {
                if change_count == 2
                    && capacity >= buffer_len(2)
                    && are_good!(board, squares_in; to, count_to)
                {
                    let call =
                        RecordsCall { mailbox, changes, change_count: 2, set, records, used, count };
                    let Some((board, changes, filter, to)) = call.lend() else {
                        return wrong_squares();
                    };
                    call.finish(threat_changes_at(level, board, changes, filter, to))
                } else {
                    records_of_any(
                        kernel,
                        mailbox,
                        changes,
                        change_count,
                        set,
                        records,
                        capacity,
                        count,
                    )
                }
            }
        }
    }
}

impl Codes {
    /// Stands for a kernel's functions until a first call finds them.
    const UNKNOWN: &Self = &Self { records: records_of_any };
}

/// Any call: one that is refused, and the first by a kernel, which finds its code, too.
///
/// # Safety
/// As for the C function.
#[inline(never)]
unsafe extern "C" fn records_of_any(
    kernel: *const setwise_kernel,
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
    let (board, squares_in) = (Place::of(mailbox, 64), Place::of(changes, change_count));
    let (to, count_to) = (Place::of(records, used), Place::of(count, 1));
    let mut call = RecordsCall { mailbox, changes, change_count, set, records, used, count };
    // SAFETY: the arrays are good, empty ones too; the set and the kernel are null or ours.
    unsafe {
        if !(are_good!(board, squares_in; to, count_to))
            && let Some(status) = call.refuse()
        {
            return status;
        }
        let chosen = chosen(kernel);
        code_of(kernel)
            .store(ptr::from_ref(Codes::of(chosen)).cast_mut().cast(), Ordering::Relaxed);
        let Some((board, changes, filter, to)) = call.lend() else { return wrong_squares() };
        call.finish(NnueKernel::of(chosen).threat_changes(board, changes, filter, to))
    }
}

/// What the library is asked with: the board, the squares, which threats count, and where the records go.
type Lent<'a> = (&'a [u8; 64], &'a [SquareChange], &'a PairFilter, &'a mut [ThreatChange]);

/// The arguments of a call for records.
#[derive(Clone, Copy)]
struct RecordsCall {
    mailbox: *const u8,
    changes: *const setwise_square_change,
    change_count: usize,
    set: *const setwise_feature_set,
    records: *mut setwise_threat_change,
    /// How many records may be written; no more than there are.
    used: usize,
    count: *mut usize,
}

impl RecordsCall {
    /// What is wrong with the arrays. If nothing is, empty ones are somewhere afterwards.
    #[cold]
    #[inline(never)]
    fn refuse(&mut self) -> Option<setwise_status> {
        // SAFETY: the pointers are the caller's.
        let refused = refuse(|arrays| unsafe {
            arrays.read("mailbox", self.mailbox, 64)?;
            arrays.read("changes", self.changes, self.change_count)?;
            arrays.write("records", self.records, self.used)?;
            arrays.write("count", self.count, 1).map(drop)
        });
        if self.change_count == 0 {
            self.changes = ptr::dangling();
        }
        if self.used == 0 {
            self.records = ptr::dangling_mut();
        }
        refused
    }

    /// The arguments as the library's, if it takes the squares.
    ///
    /// # Safety
    /// All arrays are good, empty ones too, and none that is written overlaps another; the set is null or one of ours.
    #[inline(always)]
    unsafe fn lend<'a>(self) -> Option<Lent<'a>> {
        // SAFETY: the caller says so; a record is transparent on 32 bits.
        unsafe {
            let changes = squares(self.changes, self.change_count)?;
            let filter = self.set.as_ref().map_or(&PairFilter::ALL, |set| set.set.pair_filter());
            let records = slice::from_raw_parts_mut(self.records.cast::<ThreatChange>(), self.used);
            Some((&*self.mailbox.cast::<[u8; 64]>(), changes, filter, records))
        }
    }

    /// # Safety
    /// As for [`lend`](Self::lend).
    #[inline(always)]
    unsafe fn finish(self, answer: Result<usize, ChangeError>) -> setwise_status {
        match answer {
            Ok(written) => {
                // SAFETY: the caller says so.
                unsafe { *self.count = written };
                setwise_status::Ok
            }
            Err(error) => refuse_changes(error),
        }
    }
}
