//! Who attacks whom: pairs of squares, into the caller's buffers.

use setwise::ThreatLists;
use setwise::threats::{MAX_THREATS, Threat};

use crate::bulk::{Checked, check_positions, in_parts, output_slice, setwise_positions};
use crate::error::{Failure, setwise_status, status_of};
use crate::kernel::{chosen, setwise_kernel};
use crate::pieces::setwise_pieces;
use crate::position::ready;

/// No position has more threats than this.
#[allow(dead_code, reason = "for C")]
pub const SETWISE_MOST_THREATS: usize = 420;

const _: () = assert!(SETWISE_MOST_THREATS == MAX_THREATS, "the header knows the most threats");

/// A threat: a piece on `from` attacks the occupied square `to`, of either colour (an own piece there is defended).
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct setwise_threat {
    pub from: u8,
    pub to: u8,
}

impl From<Threat> for setwise_threat {
    #[inline(always)]
    fn from(threat: Threat) -> Self {
        Self { from: threat.from(), to: threat.to() }
    }
}

/// The threats of both sides, in an order that is the same for every kernel: how many there are, of which the first
/// `room` are written. SETWISE_MOST_THREATS are enough room for any position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_threats(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
    threats: *mut setwise_threat,
    room: usize,
) -> usize {
    let (kernel, pieces) = ready!(setwise_threats(kernel, pieces; threats, room));
    let list = kernel.position().threats(pieces);
    let written = if threats.is_null() { 0 } else { room.min(list.as_slice().len()) };
    // SAFETY: the caller's buffer has room for `room` threats, and these are no more.
    let to = unsafe { output_slice(threats, written) };
    for (to, &threat) in to.iter_mut().zip(list.as_slice()) {
        *to = threat.into();
    }
    list.as_slice().len()
}

/// The threats of many positions, one list after another: those of position `i` are `threats[offsets[i]]` up to, and
/// not including, `threats[offsets[i + 1]]`. `offsets` has `positions->count + 1` values, `threats` has `room`.
///
/// If that is too little room, the status is SETWISE_SIZE, both buffers may have been written, and
/// `offsets[positions->count]` is the room that is needed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_threats_bulk(
    kernel: *const setwise_kernel,
    positions: *const setwise_positions,
    offsets: *mut usize,
    threats: *mut setwise_threat,
    room: usize,
) -> setwise_status {
    status_of(|| {
        // SAFETY: the caller hands over a pointer that is null or good.
        let Some(positions) = (unsafe { positions.as_ref() }) else {
            return Err(Failure::new(setwise_status::SETWISE_NULL, "`positions` is null"));
        };
        let mut checked = Checked::default();
        check_positions(positions, &mut checked)?;
        // As many positions as memory holds are counted with room to spare.
        checked.output("offsets", offsets, positions.count.saturating_add(1))?;
        checked.output("threats", threats, room)?;
        // SAFETY: both were checked, and overlap nothing; the kernel is null or one of ours.
        let (kernel, offsets, threats) = unsafe {
            (
                chosen(kernel),
                output_slice(offsets, positions.count + 1),
                output_slice(threats, room),
            )
        };
        let (mut lists, mut end) = (ThreatLists::new(), 0);
        offsets[0] = 0;
        // SAFETY: they were checked.
        unsafe {
            in_parts(positions, true, |rows, part| {
                kernel.threats(part, &mut lists);
                for (offset, list) in
                    offsets[rows.start + 1..=rows.end].iter_mut().zip(lists.iter())
                {
                    let to = threats.iter_mut().skip(end);
                    for (to, &threat) in to.zip(list) {
                        *to = threat.into();
                    }
                    end += list.len();
                    *offset = end;
                }
            });
        }
        if end > room {
            let text = format!("there are {end} threats, but room for {room}");
            return Err(Failure::new(setwise_status::SETWISE_SIZE, text));
        }
        Ok(())
    })
}
