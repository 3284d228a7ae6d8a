//! The functions for one position with the instructions of a level, for code that you dispatch yourself.

use crate::changes::{self, ChangeError, PairFilter, SquareChange, ThreatChange, ThreatChanges};
use crate::features::{FeatureError, FeatureSet, SLACK};
use crate::inputs::{self, InputBuffers, InputChanges, InputError};
use crate::level::{self, by_level};
use crate::pairs::{MAX_THREATS, Sets, ThreatList};
use crate::prepared::Prepared;
use crate::slots::{InputNumber, Place, Slot, written};
use core::mem::MaybeUninit;
use setwise::dispatch::Level;
use setwise::{ByColour, Colour, Pieces};

/// Like [`threats`](crate::position::threats), with the instructions of a level.
#[inline(always)]
pub fn threats_at<L: Level>(level: L, pieces: &Pieces) -> ThreatList {
    let mut list = ThreatList::new();
    write_threats_at(level, pieces, &mut list);
    list
}

/// Like [`write_threats`](crate::position::write_threats), with the instructions of a level.
#[inline(always)]
pub fn write_threats_at<L: Level>(_level: L, pieces: &Pieces, list: &mut ThreatList) {
    list.len = level::pairs::<L>(Sets::of(pieces), &mut list.pairs);
}

/// Like [`threats_changed`](crate::position::threats_changed), with the instructions of a level.
#[inline(always)]
pub fn threats_changed_at<L: Level>(_level: L, before: &Pieces, after: &Pieces) -> ThreatChanges {
    let (squares, count) = changes::squares_changed(before, after);
    let mut buffer = [MaybeUninit::uninit(); changes::buffer_len(64)];
    let codes = before.codes();
    let len = changes::write_at::<L>(&codes, &squares[..count], &PairFilter::ALL, &mut buffer);
    // SAFETY: `len` records were written.
    changes::in_lists(unsafe { written(&buffer[..len]) })
}

/// Like [`threat_changes`](crate::position::threat_changes), with the instructions of a level.
#[inline(always)]
pub fn threat_changes_at<L: Level, S: Slot<ThreatChange>>(
    _level: L,
    codes: &[u8; 64],
    changes: &[SquareChange],
    filter: &PairFilter,
    buffer: &mut [S],
) -> Result<usize, ChangeError> {
    changes::check(changes)?;
    // SAFETY: only records are written.
    let buffer = unsafe { S::slots(buffer) };
    if buffer.len() < changes::buffer_len(changes.len()) {
        return changes::write_checked(codes, changes, filter, buffer);
    }
    Ok(changes::write_at::<L>(codes, changes, filter, buffer))
}

/// Like [`inputs`](crate::position::inputs), with the instructions of a level.
#[inline(always)]
pub fn inputs_at<L: Level, N: InputNumber>(
    _level: L,
    set: &FeatureSet,
    pieces: &Pieces,
    buffers: ByColour<&mut [N]>,
) -> Result<ByColour<usize>, FeatureError> {
    if set.inputs() > N::Place::INPUTS {
        return Err(FeatureError::Numbers { inputs: set.inputs() });
    }
    let mut prepared = Prepared::<1>::new();
    prepared.list::<L>(set, 0, core::slice::from_ref(pieces));
    // SAFETY: only inputs are written.
    let sides = [buffers.white, buffers.black].map(|side| unsafe { N::places(side) });
    if sides.iter().all(|side| side.len() >= set.buffer_len()) {
        let [white, black] = prepared.write::<L, _>(set, 0, sides)?;
        return Ok(ByColour { white, black });
    }
    let mut all = [[N::Place::EMPTY; LARGE]; 2];
    let counts = prepared.write::<L, _>(set, 0, all.each_mut().map(|side| &mut side[..]))?;
    for (colour, side) in Colour::ALL.into_iter().zip(&sides) {
        let (inputs, width) = (counts[colour as usize], side.len());
        if inputs > width {
            return Err(FeatureError::Width { row: 0, colour, inputs, width });
        }
    }
    for (side, (all, count)) in sides.into_iter().zip(all.iter().zip(counts)) {
        side[..count].copy_from_slice(&all[..count]);
    }
    let [white, black] = counts;
    Ok(ByColour { white, black })
}

/// Like [`perspective_inputs`](crate::position::perspective_inputs), with the instructions of a level.
#[inline(always)]
pub fn perspective_inputs_at<L: Level, N: InputNumber>(
    _level: L,
    set: &FeatureSet,
    pieces: &Pieces,
    colour: Colour,
    buffer: &mut [N],
) -> Result<usize, FeatureError> {
    if set.inputs() > N::Place::INPUTS {
        return Err(FeatureError::Numbers { inputs: set.inputs() });
    }
    let mut prepared = Prepared::<1>::new();
    prepared.list::<L>(set, 0, core::slice::from_ref(pieces));
    // SAFETY: only inputs are written.
    let buffer = unsafe { N::places(buffer) };
    // Nothing reads the numbers of the other side, so the compiler removes the code that computes them.
    let mut other = [N::Place::EMPTY; LARGE];
    if buffer.len() >= set.buffer_len() {
        let [count, _] = match colour {
            Colour::White => prepared.write::<L, _>(set, 0, [buffer, &mut other])?,
            Colour::Black => {
                let [of_other, count] = prepared.write::<L, _>(set, 0, [&mut other, buffer])?;
                [count, of_other]
            }
        };
        return Ok(count);
    }
    let mut all = [N::Place::EMPTY; LARGE];
    let mut sides: [&mut [_]; 2] = [&mut all, &mut other];
    if colour == Colour::Black {
        sides.swap(0, 1);
    }
    let (inputs, width) = (prepared.write::<L, _>(set, 0, sides)?[colour as usize], buffer.len());
    let to = buffer.get_mut(..inputs);
    to.ok_or(FeatureError::Width { row: 0, colour, inputs, width })?
        .copy_from_slice(&all[..inputs]);
    Ok(inputs)
}

/// The length of a buffer that suffices for the inputs of any set.
pub(crate) const LARGE: usize = MAX_THREATS + 64 * 63 / 2 + 2 * 64 + SLACK;

/// Like [`input_changes`](crate::position::input_changes), with the instructions of a level.
#[inline(always)]
pub fn input_changes_at<L: Level, N: InputNumber>(
    _level: L,
    set: &FeatureSet,
    codes: &[u8; 64],
    changes: &[SquareChange],
    buffers: ByColour<InputBuffers<'_, N>>,
) -> Result<ByColour<InputChanges>, InputError> {
    let ByColour { white, black } = buffers;
    let buffers = [white.added, white.removed, black.added, black.removed];
    // SAFETY: only inputs are written.
    let buffers = in_order(buffers.map(|buffer| unsafe { N::places(buffer) }));
    by_level!(
        L,
        avx512: inputs::input_changes::<changes::avx2::Lanes<true>, _>(set, codes, changes, buffers),
        avx2: inputs::input_changes::<changes::avx2::Lanes<false>, _>(set, codes, changes, buffers),
        portable: inputs::input_changes::<changes::portable::Plain, _>(set, codes, changes, buffers)
    )
}

/// The buffers for added and removed inputs: white's two, then black's two.
#[inline(always)]
pub(super) fn in_order<N>([a, b, c, d]: [&mut [N]; 4]) -> ByColour<InputBuffers<'_, N>> {
    ByColour {
        white: InputBuffers { added: a, removed: b },
        black: InputBuffers { added: c, removed: d },
    }
}
