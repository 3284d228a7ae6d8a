//! The positions after all legal moves of many positions.

use setwise::Successors;

use crate::buffers::{Checked, output_slice, rows_from};
use crate::error::{Failure, setwise_status, status_of};
use crate::kernel::{chosen, setwise_kernel};
use crate::legal::setwise_state;
use crate::pieces::setwise_pieces;
use crate::positions::setwise_positions;

/// Room for successors, and how much of it is used.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct setwise_successors {
    /// How many successors there is room for.
    pub capacity: usize,
    /// `capacity` positions.
    pub pieces: *mut setwise_pieces,
    /// `capacity` states.
    pub states: *mut setwise_state,
    /// `capacity` moves, as setwise_pieces_legal_moves() writes them.
    pub moves: *mut u16,
    /// One more offset than there are positions: the successors of position `i` go from `offsets[i]` up to, but not
    /// including, `offsets[i + 1]`.
    pub offsets: *mut usize,
    /// Set by the call: how many positions have all their successors here. Those of the next one did not fit.
    pub parents: usize,
    /// Set by the call: how many successors there are.
    pub count: usize,
}

/// The positions after all legal moves, in the order of setwise_pieces_legal_moves(). It stops at the first position whose
/// successors do not fit, and says so by `parents`; the status is SETWISE_STATUS_OK all the same. The positions need turns,
/// castling rights and en passant squares. Invalid positions have no successors; the column `legal_count` tells them apart.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_positions_successors(
    kernel: *const setwise_kernel,
    positions: *const setwise_positions,
    successors: *mut setwise_successors,
) -> setwise_status {
    status_of(|| {
        let mut checked = Checked::default();
        checked.input("positions", positions, 1)?;
        // SAFETY: it was checked.
        let positions = unsafe { &*positions };
        positions.check(&mut checked)?;
        if let Some((name, _)) = positions.state().into_iter().find(|(_, values)| values.is_null())
        {
            let text = format!("successors need `{name}`, but it is null");
            return Err(Failure::new(setwise_status::State, text));
        }
        checked.output("successors", successors, 1)?;
        // SAFETY: it was checked.
        let room = unsafe { &mut *successors };
        checked.output("pieces", room.pieces, room.capacity)?;
        checked.output("states", room.states, room.capacity)?;
        checked.output("moves", room.moves, room.capacity)?;
        checked.output("offsets", room.offsets, positions.count + 1)?;
        (room.parents, room.count) = (0, 0);
        let (mut part, mut full) = (Successors::new(), false);
        // SAFETY: everything was checked; the kernel is null or one of ours; what is written lies within `capacity`.
        unsafe {
            *room.offsets = 0;
            let kernel = chosen(kernel);
            positions.in_parts(true, |_, positions| {
                if full {
                    return;
                }
                kernel.successors(positions, &mut part);
                let left = room.capacity - room.count;
                let parents = part.offsets().partition_point(|&end| end <= left) - 1;
                let count = part.offsets()[parents];
                let offsets = output_slice(room.offsets.add(room.parents + 1), parents);
                for (to, &end) in offsets.iter_mut().zip(&part.offsets()[1..]) {
                    *to = room.count + end;
                }
                let pieces = output_slice(rows_from(room.pieces, room.count), count);
                for (to, &after) in pieces.iter_mut().zip(part.pieces()) {
                    *to = after.into();
                }
                let states = output_slice(rows_from(room.states, room.count), count);
                for (to, &state) in states.iter_mut().zip(part.states()) {
                    *to = state.into();
                }
                let moves = output_slice(rows_from(room.moves, room.count), count);
                for (to, played) in moves.iter_mut().zip(part.moves()) {
                    *to = played.bits();
                }
                full = parents + 1 < part.offsets().len();
                room.parents += parents;
                room.count += count;
            });
        }
        Ok(())
    })
}
