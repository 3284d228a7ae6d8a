//! Compares results of C with those of Rust, for random boards and changes, on every kernel.

use std::ptr;

use setwise::Kernel;
use setwise_nnue::{PairFilter, SquareChange, position};

use super::*;
use crate::changes::*;
use crate::feature_sets::setwise_feature_set_at;
use crate::kernel::setwise_kernel_name;
use crate::pieces::setwise_pieces_to_mailbox;
use crate::tests::kernels;

/// A random number generator: xorshift with a multiplication.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) % end
    }

    /// One king per side, and other pieces on a third of the squares.
    fn mailbox(&mut self) -> [u8; 64] {
        let mut mailbox = [0; 64];
        for piece in &mut mailbox {
            if self.below(3) == 0 {
                *piece = (1 + self.below(5) + 8 * self.below(2)) as u8;
            }
        }
        let king = self.below(64);
        mailbox[king as usize] = 6;
        mailbox[(king + 1 + self.below(63)) as usize % 64] = 14;
        mailbox
    }

    /// Up to four changed squares; each side keeps exactly one king.
    fn changes(&mut self, mailbox: &[u8; 64]) -> Vec<setwise_square_change> {
        let mut changes: Vec<setwise_square_change> = Vec::new();
        let mut change = |square: u64, piece| {
            let square = square as u8;
            if changes.iter().all(|other| other.square != square) {
                changes.push(setwise_square_change { square, piece });
            }
        };
        let (mut from, to) = (self.below(64), self.below(64));
        if self.below(4) == 0 {
            from = mailbox.iter().position(|&piece| piece == 6).map_or(0, |king| king as u64);
        }
        let is_king = |square: u64| mailbox[square as usize] & 7 == 6;
        if from != to && !is_king(to) {
            change(from, 0);
            change(to, mailbox[from as usize]);
        }
        for _ in 0..self.below(3) {
            let square = self.below(64);
            if !is_king(square) {
                change(square, [0, 1, 2, 12, 13][self.below(5) as usize]);
            }
        }
        changes
    }
}

/// Buffers for the changes of one side; the call sets the numbers.
fn side([added, removed]: [*mut u32; 2], capacity: usize) -> setwise_input_changes {
    let (added_count, removed_count, is_anew) = (7, 7, 7);
    setwise_input_changes { added, removed, capacity, added_count, removed_count, is_anew }
}

/// Converts the changes to the type of the library.
fn in_rust(changes: &[setwise_square_change]) -> Vec<SquareChange> {
    changes.iter().map(|change| SquareChange::new(change.square, change.piece)).collect()
}

fn pieces_of(mailbox: &[u8; 64]) -> setwise_pieces {
    let mut pieces = setwise_pieces::default();
    // SAFETY: both pointers are valid.
    let status =
        unsafe { crate::pieces::setwise_pieces_from_mailbox(mailbox.as_ptr(), &raw mut pieces) };
    assert_eq!(status, setwise_status::Ok);
    pieces
}

#[test]
fn records_are_those_of_rust() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut count_of_all = 0;
    for turn in 0..400 {
        let mailbox = random.mailbox();
        let changes = random.changes(&mailbox);
        let set = [ptr::null(), setwise_feature_set_at(turn % 2)][turn / 2 % 2];
        // SAFETY: the set is null or one of ours.
        let filter = unsafe { set.as_ref() }.map_or(&PairFilter::ALL, |set| set.set.pair_filter());
        let mut expected = vec![ThreatChange::default(); SETWISE_MAX_CHANGES];
        let count = position::threat_changes(&mailbox, &in_rust(&changes), filter, &mut expected)
            .expect("room");
        expected.truncate(count);
        count_of_all += count;
        for kernel in kernels() {
            // A buffer that suffices for any move, and one of the exact length.
            for capacity in [SETWISE_MAX_MOVE_CHANGES, count] {
                let (mut records, mut written) = ([7; SETWISE_MAX_MOVE_CHANGES + 1], usize::MAX);
                // SAFETY: all pointers are valid.
                let status = unsafe {
                    setwise_mailbox_threat_changes(
                        kernel,
                        mailbox.as_ptr(),
                        changes.as_ptr(),
                        changes.len(),
                        set,
                        records.as_mut_ptr(),
                        capacity,
                        &raw mut written,
                    )
                };
                assert_eq!((status, written), (setwise_status::Ok, count));
                let records_of_rust = expected.iter().map(|record| record.bits());
                assert!(records[..count].iter().copied().eq(records_of_rust), "{changes:?}");
                assert!(records[capacity..].iter().all(|&record| record == 7));
            }
        }
    }
    assert!(count_of_all > 2000, "{count_of_all}");
}

#[test]
fn inputs_and_their_changes_are_those_of_rust() {
    let mut random = Random(0x0123_4567_89ab_cdef);
    let (mut anew, mut total) = (0, 0);
    for turn in 0..200 {
        let mailbox = random.mailbox();
        let changes = random.changes(&mailbox);
        let set = setwise_feature_set_at(turn % 5);
        // SAFETY: it is one of ours.
        let library_set = unsafe { &(*set).set };
        let pieces = pieces_of(&mailbox);
        let mut expected = [[[0_u32; SETWISE_MAX_CHANGES]; 2]; 2];
        let [[a, b], [c, d]] = &mut expected;
        let to = ByColour {
            white: InputBuffers { added: a, removed: b },
            black: InputBuffers { added: c, removed: d },
        };
        let changed =
            position::input_changes(library_set, &mailbox, &in_rust(&changes), to).expect("kings");
        let mut all = [[0_u32; SETWISE_MAX_INPUTS]; 2];
        let [white, black] = &mut all;
        let counts =
            position::inputs(library_set, &Pieces::from(pieces), ByColour { white, black })
                .expect("one king a side");
        for kernel in kernels() {
            // SAFETY: it is null or one of ours.
            let name = unsafe { setwise_kernel_name(kernel) };
            let mut found = [[[7_u32; SETWISE_MAX_CHANGES]; 2]; 2];
            let mut sides = found.each_mut().map(|inputs| {
                side(inputs.each_mut().map(|inputs| inputs.as_mut_ptr()), SETWISE_MAX_CHANGES)
            });
            let (mut lists, mut lengths) = ([[7_u32; SETWISE_MAX_INPUTS]; 2], [7; 2]);
            let [white, black] = lists.each_mut().map(|list| list.as_mut_ptr());
            // SAFETY: all pointers are valid.
            unsafe {
                let status = setwise_mailbox_input_changes(
                    kernel,
                    mailbox.as_ptr(),
                    changes.as_ptr(),
                    changes.len(),
                    set,
                    sides.as_mut_ptr(),
                );
                assert_eq!(status, setwise_status::Ok, "{name:?}");
                let (capacity, lengths) = (SETWISE_MAX_INPUTS, lengths.as_mut_ptr());
                let status = setwise_pieces_inputs(
                    kernel,
                    &raw const pieces,
                    set,
                    white,
                    black,
                    capacity,
                    lengths,
                );
                assert_eq!(status, setwise_status::Ok);
            }
            assert_eq!(lengths, [counts.white, counts.black]);
            for (side, of_rust) in [changed.white, changed.black].into_iter().enumerate() {
                assert_eq!(sides[side].added_count, of_rust.added);
                assert_eq!(sides[side].removed_count, of_rust.removed);
                assert_eq!(sides[side].is_anew != 0, of_rust.is_anew);
                assert_eq!(found[side][0][..of_rust.added], expected[side][0][..of_rust.added]);
                assert_eq!(found[side][1][..of_rust.removed], expected[side][1][..of_rust.removed]);
                assert_eq!(lists[side][..lengths[side]], all[side][..lengths[side]]);
                anew += usize::from(of_rust.is_anew);
                total += of_rust.added + of_rust.removed;
            }
            from_records(kernel, set, &mailbox, &changes, [sides[0], sides[1]]);
        }
    }
    assert!(anew > 10 && total > 4000, "{anew} {total}");
}

/// Checks that the inputs of records are those of the changes, for a set of threats alone or without threats.
fn from_records(
    kernel: *const setwise_kernel,
    set: *const setwise_feature_set,
    mailbox: &[u8; 64],
    changes: &[setwise_square_change],
    direct: [setwise_input_changes; 2],
) {
    let (mut records, mut count) = ([0; SETWISE_MAX_MOVE_CHANGES], 0);
    // SAFETY: all pointers are valid, and the set is one of ours.
    unsafe {
        let (board, first, len) = (mailbox.as_ptr(), changes.as_ptr(), changes.len());
        let (to, capacity, count_at) = (records.as_mut_ptr(), records.len(), &raw mut count);
        let status =
            setwise_mailbox_threat_changes(kernel, board, first, len, set, to, capacity, count_at);
        assert_eq!(status, setwise_status::Ok);
        for (colour, direct) in (0..2).zip(direct) {
            // Records contain only threats.
            if direct.is_anew != 0 || count == 0 {
                continue;
            }
            let is_king = |&(_, &piece): &(usize, &u8)| piece == 6 + 8 * colour;
            let (king, _) = mailbox.iter().enumerate().find(is_king).expect("a king");
            let mut found = [[7_u32; SETWISE_MAX_MOVE_CHANGES]; 2];
            let [added, removed] = found.each_mut().map(|inputs| inputs.as_mut_ptr());
            // The number of records is a sufficient capacity.
            let mut side = setwise_input_changes { added, removed, capacity: count, ..direct };
            let king = king as u8;
            let status =
                setwise_feature_set_input_changes(set, colour, king, to, count, &raw mut side);
            assert_eq!(status, setwise_status::Ok);
            for (list, of_records, count) in [
                (side.added, direct.added, direct.added_count),
                (side.removed, direct.removed, direct.removed_count),
            ] {
                assert_eq!(input_slice(list, count), input_slice(of_records, count));
            }
            assert_eq!(
                (side.added_count, side.removed_count, side.is_anew),
                (direct.added_count, direct.removed_count, 0)
            );
        }
    }
}

#[test]
fn a_mailbox_is_that_of_the_pieces() {
    let mut random = Random(0x1357_9bdf_0246_8ace);
    for _ in 0..100 {
        let mailbox = random.mailbox();
        let (pieces, mut back) = (pieces_of(&mailbox), [0xff; 64]);
        // SAFETY: both pointers are valid.
        let status = unsafe { setwise_pieces_to_mailbox(&raw const pieces, back.as_mut_ptr()) };
        assert_eq!((status, back), (setwise_status::Ok, mailbox));
    }
    assert!(Kernel::available().count() >= 3);
}
