//! The positions after all legal moves of many positions.

use setwise::Successors;

use crate::buffers::checked;
use crate::error::{bail, setwise_status};
use crate::kernel::{chosen, setwise_kernel};
use crate::legal::setwise_state;
use crate::pieces::setwise_pieces;
use crate::positions::setwise_positions;

/// The number of positions in a part: few, because the successors of a part that do not fit are computed in vain.
const PARENTS_OF_PART: usize = 64;

/// Buffers for successors, and the part that is used.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct setwise_successors {
    /// The capacity of the buffers, in successors.
    pub capacity: usize,
    /// `capacity` positions.
    pub pieces: *mut setwise_pieces,
    /// `capacity` states.
    pub states: *mut setwise_state,
    /// `capacity` moves, as setwise_pieces_legal_moves() writes them.
    pub moves: *mut u16,
    /// One offset per position and a last one: the successors of position `i` go from `offsets[i]` up to, but not
    /// including, `offsets[i + 1]`.
    pub offsets: *mut usize,
    /// Set by the call: the number of positions with all their successors in the buffers. The successors of the next
    /// position did not fit.
    pub parents: usize,
    /// Set by the call: the number of successors.
    pub count: usize,
}

/// Computes the positions after all legal moves, in the order of setwise_pieces_legal_moves(). Stops at the first
/// position whose successors do not fit; the status is SETWISE_STATUS_OK, and `parents` is less than the number of
/// positions. The positions need turns, castling rights and en passant squares. Invalid positions have no successors;
/// in the column `legal_count` they have no value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_positions_successors(
    kernel: *const setwise_kernel,
    positions: *const setwise_positions,
    successors: *mut setwise_successors,
) -> setwise_status {
    // SAFETY: the kernel is null or one of ours, and the other pointers are the caller's.
    checked(|arrays| unsafe {
        let [positions] = arrays.read_array::<_, 1>("positions", positions)?;
        positions.check(arrays)?;
        if let Some(name) = positions.lacking(4) {
            bail!(State, "successors need `{name}`, but it is null");
        }
        let [room] = arrays.write_array("successors", successors)?;
        let pieces = arrays.write("pieces", room.pieces, room.capacity)?;
        let states = arrays.write("states", room.states, room.capacity)?;
        let moves = arrays.write("moves", room.moves, room.capacity)?;
        let offsets = arrays.write("offsets", room.offsets, positions.count + 1)?;
        (room.parents, room.count, offsets[0]) = (0, 0, 0);
        let (kernel, mut part) = (chosen(kernel), Successors::new());
        positions.in_parts(PARENTS_OF_PART, |_, positions| {
            kernel.successors(positions, &mut part);
            let left = room.capacity - room.count;
            let parents = part.offsets().partition_point(|&end| end <= left) - 1;
            let count = part.offsets()[parents];
            let (from, rows) = (room.count, room.count..room.count + count);
            convert_into(
                &mut offsets[room.parents + 1..][..parents],
                &part.offsets()[1..],
                |end| from + end,
            );
            convert_into(&mut pieces[rows.clone()], part.pieces(), |&after| after.into());
            convert_into(&mut states[rows.clone()], part.states(), |&state| state.into());
            convert_into(&mut moves[rows], part.moves(), |played| played.bits());
            room.parents += parents;
            room.count += count;
            parents + 1 == part.offsets().len()
        });
        Ok(())
    })
}

/// Converts values, and stores the results in `places`.
fn convert_into<T, U>(places: &mut [T], values: &[U], convert: impl Fn(&U) -> T) {
    places.iter_mut().zip(values).for_each(|(place, value)| *place = convert(value));
}
