//! The functions for one position with the instructions of a kernel.

use super::at::{
    in_order, input_changes_at, inputs_at, perspective_inputs_at, threat_changes_at,
    threats_changed_at, write_threats_at,
};
use crate::changes::{self, ChangeError, PairFilter, SquareChange, ThreatChange, ThreatChanges};
use crate::features::{FeatureError, FeatureSet};
use crate::inputs::{InputBuffers, InputChanges, InputError};
use crate::level;
use crate::pairs::ThreatList;
use crate::slots::{InputNumber, Place, Places, Slot};
use core::mem::MaybeUninit;
use setwise::{ByColour, Colour, Kernel, Pieces};

setwise::functions! {
    /// The functions with the instructions of a kernel.
    struct Functions {
        fn write_threats<L: Level>(level: L, pieces: &Pieces, list: &mut ThreatList) {
            write_threats_at(level, pieces, list)
        }

        fn threats_changed<L: Level>(level: L, before: &Pieces, after: &Pieces) -> ThreatChanges {
            threats_changed_at(level, before, after)
        }

        // Nearly all moves change two squares. A separate function, in which nothing else needs registers, reduced the
        // overhead of the call over inlined code from 2.5 to 1.8 nanoseconds (Zen 5, AVX-512). It returns a number
        // instead of a `Result`, whose parts would be stored separately and loaded together: such a load waits for the
        // cache.
        fn changes_of_two<L: Level>(
            level: L,
            codes: &[u8; 64],
            changes: &[SquareChange; 2],
            filter: &PairFilter,
            buffer: &mut [MaybeUninit<ThreatChange>]
        ) -> usize {
            threat_changes_at(level, codes, changes, filter, buffer).unwrap_or(usize::MAX)
        }

        fn changes_of_any<L: Level>(
            level: L,
            codes: &[u8; 64],
            changes: &[SquareChange],
            filter: &PairFilter,
            buffer: &mut [MaybeUninit<ThreatChange>]
        ) -> usize {
            threat_changes_at(level, codes, changes, filter, buffer).unwrap_or(usize::MAX)
        }

        fn inputs_in<L: Level>(
            level: L,
            set: &FeatureSet,
            pieces: &Pieces,
            buffers: [Places<'_>; 2]
        ) -> Result<ByColour<usize>, FeatureError> {
            match buffers {
                [Places::U16(white), Places::U16(black)] => {
                    inputs_at(level, set, pieces, ByColour { white, black })
                }
                [Places::U32(white), Places::U32(black)] => {
                    inputs_at(level, set, pieces, ByColour { white, black })
                }
                _ => unreachable!("all places are of one type"),
            }
        }

        fn perspective_inputs_in<L: Level>(
            level: L,
            set: &FeatureSet,
            pieces: &Pieces,
            colour: Colour,
            buffer: Places<'_>
        ) -> Result<usize, FeatureError> {
            match buffer {
                Places::U16(to) => perspective_inputs_at(level, set, pieces, colour, to),
                Places::U32(to) => perspective_inputs_at(level, set, pieces, colour, to),
            }
        }

        fn input_changes_in<L: Level>(
            level: L,
            set: &FeatureSet,
            codes: &[u8; 64],
            changes: &[SquareChange],
            buffers: [Places<'_>; 4]
        ) -> Result<ByColour<InputChanges>, InputError> {
            match buffers {
                [Places::U16(a), Places::U16(b), Places::U16(c), Places::U16(d)] => {
                    input_changes_at(level, set, codes, changes, in_order([a, b, c, d]))
                }
                [Places::U32(a), Places::U32(b), Places::U32(c), Places::U32(d)] => {
                    input_changes_at(level, set, codes, changes, in_order([a, b, c, d]))
                }
                _ => unreachable!("all places are of one type"),
            }
        }
    }
}

/// The functions for threats and inputs of one position, with the instructions of a [`Kernel`].
///
/// Each method computes the same as the function of the same name in [`position`](crate::position). The kernels `lanes`
/// and `wide` use the instructions that the build enables. Lists of threats and inputs use AVX2 with the kernel `avx512`,
/// because they gain nothing from 512-bit registers on processors without VBMI2.
///
/// ```
/// use setwise::{Kernel, Pieces};
/// use setwise_nnue::position;
/// let kernel = position::NnueKernel::of(Kernel::detect());
/// assert_eq!(kernel.threats(&Pieces::START), position::threats(&Pieces::START));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct NnueKernel {
    lists: Functions,
    changes: Functions,
}

impl NnueKernel {
    /// The functions with a kernel's instructions.
    #[inline]
    #[must_use]
    pub fn of(kernel: Kernel) -> Self {
        Self { lists: Functions::of(level::of_lists(kernel)), changes: Functions::of(kernel) }
    }

    /// [`threats`](crate::position::threats), with the kernel's instructions.
    #[inline]
    #[must_use]
    pub fn threats(&self, pieces: &Pieces) -> ThreatList {
        let mut list = ThreatList::new();
        self.write_threats(pieces, &mut list);
        list
    }

    /// [`write_threats`](crate::position::write_threats), with the kernel's instructions.
    #[inline]
    pub fn write_threats(&self, pieces: &Pieces, list: &mut ThreatList) {
        self.lists.write_threats(pieces, list);
    }

    /// [`threats_changed`](crate::position::threats_changed), with the kernel's instructions.
    #[inline]
    #[must_use]
    pub fn threats_changed(&self, before: &Pieces, after: &Pieces) -> ThreatChanges {
        self.changes.threats_changed(before, after)
    }

    /// [`threat_changes`](crate::position::threat_changes), with the kernel's instructions.
    #[inline]
    pub fn threat_changes<S: Slot<ThreatChange>>(
        &self,
        codes: &[u8; 64],
        changes: &[SquareChange],
        filter: &PairFilter,
        buffer: &mut [S],
    ) -> Result<usize, ChangeError> {
        // SAFETY: only records are written.
        let buffer = unsafe { S::slots(buffer) };
        let count = match <&[SquareChange; 2]>::try_from(changes) {
            Ok(two) => self.changes.changes_of_two(codes, two, filter, buffer),
            Err(_) => self.changes.changes_of_any(codes, changes, filter, buffer),
        };
        // The error is computed again, on a cold path.
        if count < usize::MAX {
            Ok(count)
        } else {
            changes::write_checked(codes, changes, filter, buffer)
        }
    }

    /// [`inputs`](crate::position::inputs), with the kernel's instructions.
    #[inline]
    pub fn inputs<N: InputNumber>(
        &self,
        set: &FeatureSet,
        pieces: &Pieces,
        buffers: ByColour<&mut [N]>,
    ) -> Result<ByColour<usize>, FeatureError> {
        self.lists.inputs_in(set, pieces, [buffers.white, buffers.black].map(places))
    }

    /// [`perspective_inputs`](crate::position::perspective_inputs), with the kernel's instructions.
    #[inline]
    pub fn perspective_inputs<N: InputNumber>(
        &self,
        set: &FeatureSet,
        pieces: &Pieces,
        colour: Colour,
        buffer: &mut [N],
    ) -> Result<usize, FeatureError> {
        self.lists.perspective_inputs_in(set, pieces, colour, places(buffer))
    }

    /// [`input_changes`](crate::position::input_changes), with the kernel's instructions.
    #[inline]
    pub fn input_changes<N: InputNumber>(
        &self,
        set: &FeatureSet,
        codes: &[u8; 64],
        changes: &[SquareChange],
        buffers: ByColour<InputBuffers<'_, N>>,
    ) -> Result<ByColour<InputChanges>, InputError> {
        let ByColour { white, black } = buffers;
        let buffers = [white.added, white.removed, black.added, black.removed];
        self.changes.input_changes_in(set, codes, changes, buffers.map(places))
    }
}

#[inline(always)]
fn places<N: InputNumber>(buffer: &mut [N]) -> Places<'_> {
    // SAFETY: only inputs are written.
    N::Place::places(unsafe { N::places(buffer) })
}
