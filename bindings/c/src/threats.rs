//! Threats in one position: pairs of squares, written to the caller's buffer.

use setwise_nnue::{MAX_THREATS, Threat};

use crate::buffers::output_slice;
use crate::position::questions;

/// The maximum number of threats of any position.
pub const SETWISE_MAX_THREATS: usize = 420;

const _: () = assert!(SETWISE_MAX_THREATS == MAX_THREATS, "the header knows the most threats");

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

questions! {
    /// Writes the first `capacity` threats of both sides, in an order that is the same for every kernel, and returns
    /// the number of all threats. SETWISE_MAX_THREATS suffice for any position. For many positions use the column
    /// `threats`, in which a threat is from + 256 * to.
    fn setwise_pieces_threats(kernel, pieces; threats: *mut setwise_threat, capacity: usize) -> usize {
        let list = setwise_nnue::NnueKernel::of(kernel).threats(pieces);
        let written = if threats.is_null() { 0 } else { capacity.min(list.as_slice().len()) };
        // SAFETY: the caller's buffer holds `capacity` threats, and no more are copied.
        let to = unsafe { output_slice(threats, written) };
        for (to, &threat) in to.iter_mut().zip(list.as_slice()) {
            *to = threat.into();
        }
        list.as_slice().len()
    }
}
