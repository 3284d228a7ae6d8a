//! What a move changes of who attacks whom, and the inputs that a network has for it: one call in place of an engine's
//! loops.
//!
//! These are called at every node, so their pointers are checked by comparisons alone; only what is refused goes the
//! way that makes a text.
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

use setwise::{ByColour, Pieces};
use setwise_nnue::position::{InputNumber, NnueKernel, threat_changes_at};
use setwise_nnue::{
    ChangeError, FeatureError, FeatureSet, InputBuffers, InputChanges, InputError, PairFilter,
    SquareChange, ThreatChange, buffer_len,
};

use crate::buffers::{Checked, input_slice, output_slice};
use crate::error::{Failure, setwise_status, status_of};
use crate::feature_sets::setwise_feature_set;
use crate::kernel::{chosen, code_of, setwise_kernel};
use crate::pieces::{colour, setwise_pieces};

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

/// A buffer of that many inputs suffices for one side's of any position, with any set that has a name of its own.
/// setwise_feature_set_max_inputs() says it for every set.
pub const SETWISE_MAX_INPUTS: usize = 888;

/// A buffer of that many inputs suffices for those that the up to four squares of a move add, or remove, with any set that
/// has a name of its own. setwise_feature_set_max_changes() says it for every set and number of squares.
pub const SETWISE_MAX_MOVE_INPUTS: usize = 272;

/// No set has more inputs of a position, and none changes more.
const LARGE: usize = 8192;

const _: () = assert!(SETWISE_MAX_MOVE_CHANGES == buffer_len(4), "the header knows the size");
const _: () = assert!(SETWISE_MAX_CHANGES == buffer_len(64), "the header knows the size");
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

/// How one side's inputs change. Set the first three, the others are answers.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct setwise_input_changes_u16 {
    /// Buffers for the inputs that are new, and for those that are gone.
    pub added: *mut u16,
    pub removed: *mut u16,
    /// How many inputs each of them holds.
    pub capacity: usize,
    /// How many are new, and how many are gone.
    pub added_count: usize,
    pub removed_count: usize,
    /// 1 if the side's king has crossed the middle of the board and the set mirrors, or has gone to another bucket: all
    /// inputs of a block become others. Nothing is written to the buffers then; make the side's list anew with setwise_pieces_inputs_u16(). Otherwise 0.
    pub is_anew: u8,
}

/// The same with inputs of 32 bits, for sets that have more than 65,536.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct setwise_input_changes_u32 {
    pub added: *mut u32,
    pub removed: *mut u32,
    pub capacity: usize,
    pub added_count: usize,
    pub removed_count: usize,
    pub is_anew: u8,
}

/// One side's buffers and answers, of either type.
trait Side {
    type Number: InputNumber;

    fn buffers(&self) -> [*mut Self::Number; 2];
    fn capacity(&self) -> usize;
    fn answer(&mut self, changes: InputChanges);
}

macro_rules! sides {
    ($($side:ty => $number:ty;)*) => {
        $(
            impl Side for $side {
                type Number = $number;

                #[inline(always)]
                fn buffers(&self) -> [*mut $number; 2] {
                    [self.added, self.removed]
                }

                #[inline(always)]
                fn capacity(&self) -> usize {
                    self.capacity
                }

                #[inline(always)]
                fn answer(&mut self, changes: InputChanges) {
                    self.added_count = changes.added;
                    self.removed_count = changes.removed;
                    self.is_anew = changes.is_anew.into();
                }
            }
        )*
    };
}

sides! {
    setwise_input_changes_u16 => u16;
    setwise_input_changes_u32 => u32;
}

/// Where an array lies.
#[derive(Clone, Copy)]
struct Place {
    start: usize,
    /// In bytes; far less than memory has.
    len: usize,
    is_good: bool,
}

impl Place {
    /// An array of `count` values, a number whose bytes do not overflow.
    #[inline(always)]
    fn of<T>(values: *const T, count: usize) -> Self {
        let (start, len) = (values.addr(), count * size_of::<T>());
        // Null wraps around to the last address, and an array beyond memory is after the last that it may start at.
        let is_there = start.wrapping_sub(1) < usize::MAX - len;
        Self { start, len, is_good: is_there && values.is_aligned() }
    }

    /// Whether two arrays share a byte: whether one starts in the other or less than its length before. Also true of
    /// an empty array inside the other.
    #[inline(always)]
    fn overlaps(self, other: Self) -> bool {
        let from = self.start.wrapping_sub(other.start).wrapping_add(self.len);
        from.wrapping_sub(1) < (self.len + other.len).wrapping_sub(1)
    }
}

/// Whether all arrays are there and aligned, and those that are written, which stand last, overlap nothing. If not,
/// [`Checked`] knows why, or that it is about empty arrays.
///
/// Written out: as arrays the places went through memory, and a call cost twice as much.
macro_rules! are_good {
    ($($input:ident),*; $($output:ident),*) => {
        $($input.is_good &&)* $($output.is_good &&)* are_good!(@apart [$($input)*] $($output)*)
    };
    (@apart [$($before:ident)*] $output:ident $($rest:ident)*) => {
        $(!$output.overlaps($before) &&)* are_good!(@apart [$($before)* $output] $($rest)*)
    };
    (@apart [$($before:ident)*]) => { true };
}

/// The status and the text of what `are_good` refuses, unless it is empty arrays only.
#[cold]
#[inline(never)]
fn refuse(check: impl FnOnce(&mut Checked) -> Result<(), Failure>) -> Option<setwise_status> {
    let status = status_of(|| check(&mut Checked::default()));
    (status != setwise_status::Ok).then_some(status)
}

#[cold]
#[inline(never)]
fn fail(status: setwise_status, text: String) -> setwise_status {
    status_of(|| Err(Failure::new(status, text)))
}

/// The squares that change, if the library takes them.
///
/// # Safety
/// The array is good, if it is empty too.
#[inline(always)]
unsafe fn squares<'a>(
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
fn wrong_squares() -> setwise_status {
    let text = "a change has a square above 63 or a piece above 15";
    fail(setwise_status::Square, text.into())
}

/// No more squares can change; more are refused before they are read.
const SQUARES: usize = 64;

#[cold]
#[inline(never)]
fn too_many(count: usize) -> setwise_status {
    fail(setwise_status::Square, format!("{count} squares change, but there are {SQUARES}"))
}

#[cold]
#[inline(never)]
fn refuse_changes(error: ChangeError) -> setwise_status {
    let status = match error {
        ChangeError::Buffer { .. } => setwise_status::Capacity,
        ChangeError::Twice { .. } => setwise_status::Square,
        _ => setwise_status::Internal,
    };
    fail(status, error.to_string())
}

#[cold]
#[inline(never)]
fn refuse_features(error: FeatureError) -> setwise_status {
    let status = match error {
        FeatureError::Kings { .. } => setwise_status::Kings,
        FeatureError::Width { .. } => setwise_status::Capacity,
        FeatureError::Numbers { .. } => setwise_status::FeatureSet,
        _ => setwise_status::Internal,
    };
    fail(status, error.to_string())
}

#[cold]
#[inline(never)]
fn refuse_inputs(error: InputError) -> setwise_status {
    match error {
        InputError::Features(error) => refuse_features(error),
        InputError::Changes(error) => refuse_changes(error),
        _ => fail(setwise_status::Capacity, error.to_string()),
    }
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
        let refused = refuse(|checked| {
            checked.input("mailbox", self.mailbox, 64)?;
            checked.input("changes", self.changes, self.change_count)?;
            checked.output("records", self.records, self.used)?;
            checked.output("count", self.count, 1)
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

/// Checks one side's buffers, of which no more than `max` inputs are used.
fn check_side<S: Side>(checked: &mut Checked, side: &S, max: usize) -> Result<(), Failure> {
    let [added, removed] = side.buffers();
    checked.output("added", added, side.capacity().min(max))?;
    checked.output("removed", removed, side.capacity().min(max))
}

/// The two buffers of a side, of which no more than `max` inputs are used.
///
/// # Safety
/// They were found good.
#[inline(always)]
unsafe fn buffers_of<'a, S: Side>(side: &S, max: usize) -> InputBuffers<'a, S::Number> {
    let ([added, removed], capacity) = (side.buffers(), side.capacity().min(max));
    // SAFETY: the caller says so.
    unsafe {
        InputBuffers {
            added: output_slice(added, capacity),
            removed: output_slice(removed, capacity),
        }
    }
}

/// # Safety
/// As for the functions of the two types.
#[inline(always)]
unsafe fn mailbox_input_changes<S: Side>(
    kernel: *const setwise_kernel,
    mailbox: *const u8,
    changes: *const setwise_square_change,
    change_count: usize,
    set: *const setwise_feature_set,
    sides: *mut S,
) -> setwise_status {
    if change_count > SQUARES {
        return too_many(change_count);
    }
    let refused = move || {
        refuse(move |checked| {
            checked.input("mailbox", mailbox, 64)?;
            checked.input("changes", changes, change_count)?;
            checked.input("set", set, 1)?;
            checked.output("sides", sides, 2)?;
            // SAFETY: they are there.
            for side in unsafe { input_slice(sides, 2) } {
                check_side(checked, side, LARGE)?;
            }
            Ok(())
        })
    };
    if !Place::of(sides, 2).is_good
        && let Some(status) = refused()
    {
        return status;
    }
    // SAFETY: both are there; the buffers are good if `are_good` says so, and none that is written overlaps another; the
    // set is not null and one of ours, and the kernel is null or one of ours.
    unsafe {
        let (white, black) = (&*sides, &*sides.add(1));
        let ([a, b], [c, d]) = (white.buffers(), black.buffers());
        let max = LARGE;
        let (of_white, of_black) = (white.capacity().min(max), black.capacity().min(max));
        let (board, squares_in) = (Place::of(mailbox, 64), Place::of(changes, change_count));
        let (numbering, both) = (Place::of(set, 1), Place::of(sides, 2));
        let (a, b) = (Place::of(a, of_white), Place::of(b, of_white));
        let (c, d) = (Place::of(c, of_black), Place::of(d, of_black));
        if !(are_good!(board, squares_in, numbering; both, a, b, c, d))
            && let Some(status) = refused()
        {
            return status;
        }
        let changes = if change_count == 0 { ptr::dangling() } else { changes };
        let Some(changes) = squares(changes, change_count) else { return wrong_squares() };
        let (set, position): (&FeatureSet, &'static NnueKernel) =
            (&(*set).set, NnueKernel::of(chosen(kernel)));
        let buffers = ByColour { white: buffers_of(white, max), black: buffers_of(black, max) };
        match position.input_changes(set, &*mailbox.cast::<[u8; 64]>(), changes, buffers) {
            Ok(both) => {
                (*sides).answer(both.white);
                (*sides.add(1)).answer(both.black);
                setwise_status::Ok
            }
            Err(error) => refuse_inputs(error),
        }
    }
}

/// What a move, or any other change of squares, changes of the inputs of both sides, in all blocks of the set: for threats
/// setwise_mailbox_threat_changes() and its records as inputs, and the pairs of pawns and pieces on squares that come and
/// go, in one call. `sides` are two, white's and black's. It replaces the loops that setwise_mailbox_threat_changes()
/// replaces, and the loop over their records for each side.
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
    sides: *mut setwise_input_changes_u16,
) -> setwise_status {
    // SAFETY: the caller says so.
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
    sides: *mut setwise_input_changes_u32,
) -> setwise_status {
    // SAFETY: the caller says so.
    unsafe { mailbox_input_changes(kernel, mailbox, changes, change_count, set, sides) }
}

/// # Safety
/// As for the functions of the two types.
#[inline(always)]
unsafe fn set_input_changes<S: Side>(
    set: *const setwise_feature_set,
    colour: u8,
    king: u8,
    records: *const setwise_threat_change,
    record_count: usize,
    side: *mut S,
) -> setwise_status {
    let refused = move || {
        refuse(move |checked| {
            checked.input("set", set, 1)?;
            checked.input("records", records, record_count)?;
            checked.output("side", side, 1)?;
            // SAFETY: it is there.
            check_side(checked, unsafe { &*side }, record_count)
        })
    };
    if king > 63 {
        return fail(setwise_status::Square, format!("the king's square is {king}, above 63"));
    }
    // More records than memory can hold are refused, too.
    if (record_count > isize::MAX as usize / size_of::<ThreatChange>()
        || !Place::of(side, 1).is_good)
        && let Some(status) = refused()
    {
        return status;
    }
    // SAFETY: the side is there; the buffers are good if `are_good` says so, and none that is written overlaps another;
    // the set is not null and one of ours; a record is transparent on 32 bits, of which any may be set.
    unsafe {
        let ([a, b], capacity) = ((*side).buffers(), (*side).capacity().min(record_count));
        let (numbering, from) = (Place::of(set, 1), Place::of(records, record_count));
        let (one, a, b) = (Place::of(side, 1), Place::of(a, capacity), Place::of(b, capacity));
        if !(are_good!(numbering, from; one, a, b))
            && let Some(status) = refused()
        {
            return status;
        }
        let view = (*set).set.seen_from(self::colour(colour), king);
        let records = input_slice(records.cast::<ThreatChange>(), record_count);
        let InputBuffers { added, removed } = buffers_of(&*side, record_count);
        match view.input_changes(records, added, removed) {
            Ok([added, removed]) => {
                (*side).answer(InputChanges { added, removed, is_anew: false });
                setwise_status::Ok
            }
            Err(error) => refuse_inputs(error),
        }
    }
}

/// The inputs of records, as a side sees them whose king stands on `king`: those that are added, and those that are
/// removed. They are inputs of the set's block of threats; those of other blocks do not follow from records, but from
/// setwise_mailbox_input_changes_u16(). It replaces the loop over the records of a move, at the time when the side's accumulator is needed. The
/// king must be the same view before and after the moves: setwise_feature_set_is_same_view().
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
    side: *mut setwise_input_changes_u16,
) -> setwise_status {
    // SAFETY: the caller says so.
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
    side: *mut setwise_input_changes_u32,
) -> setwise_status {
    // SAFETY: the caller says so.
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
    let (position, numbering) = (Place::of(pieces, 1), Place::of(set, 1));
    let (a, b, both) = (Place::of(white, used), Place::of(black, used), Place::of(counts, 2));
    let refused = move || {
        refuse(move |checked| {
            checked.input("pieces", pieces, 1)?;
            checked.input("set", set, 1)?;
            checked.output("white", white, used)?;
            checked.output("black", black, used)?;
            checked.output("counts", counts, 2)
        })
    };
    if !(are_good!(position, numbering; a, b, both))
        && let Some(status) = refused()
    {
        return status;
    }
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
            Err(error) => refuse_features(error),
        }
    }
}

/// The inputs that a set has for a position, as white and as black sees them, block by block: threats in their order, pawn
/// pairs file by file, pieces by their squares. Writes them to the fronts of two buffers of `capacity` inputs, and their
/// numbers to `counts`, white's and black's. setwise_feature_set_max_inputs() suffice for any position; the rest of a buffer
/// is unspecified after the call. It replaces the loop over all pieces and what they attack, where a list is made anew.
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
    // SAFETY: the caller says so.
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
    // SAFETY: the caller says so.
    unsafe { pieces_inputs(kernel, pieces, set, [white, black], capacity, counts) }
}

#[cfg(test)]
mod tests;
