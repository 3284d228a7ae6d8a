//! Results that are computed one position at a time: checkers, pinned pieces and pinners, legal moves, and successors.

use core::iter::repeat;

#[cfg(feature = "std")]
use super::lists::Lists;
use super::positions::Positions;
#[cfg(feature = "std")]
use super::successor_buffers::SuccessorWriter;
use crate::boards::block::MAX_BOARDS;
use crate::columns::ColumnKind;
use crate::dispatch::{Level, Task};
use crate::instructions::Instructions;
#[cfg(feature = "std")]
use crate::instructions::legal::MAX_MOVES;
use crate::legal::PLANES;
use crate::pieces::{Colour, Pieces};

/// Pins, and checks along the same rays.
pub(super) const PINS: [ColumnKind; 3] =
    [ColumnKind::Pinned, ColumnKind::Checkers, ColumnKind::Pinners];

/// The destination of the results.
#[allow(clippy::large_enum_variant)] // one for each call
pub(super) enum Output<'a> {
    /// Destinations by origin.
    Targets(&'a mut [[u64; 64]]),
    /// Origins by plane.
    Planes(&'a mut [[u64; PLANES]]),
    /// Numbers of moves.
    Counts(&'a mut [u16]),
    Status(&'a mut [u8]),
    /// Lists of moves.
    #[cfg(feature = "std")]
    Lists(&'a mut Lists<u16>),
    /// The positions after the moves.
    #[cfg(feature = "std")]
    Successors(SuccessorWriter<'a>),
}

/// Computes the legal moves of the positions from row `first` on.
pub(super) struct OneByOne<'a> {
    pub(super) positions: Positions<'a>,
    pub(super) first: usize,
    pub(super) output: Output<'a>,
    /// The validity of each position, if requested.
    pub(super) validity: Option<&'a mut [bool]>,
}

impl Task for OneByOne<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Level>(self, level: L) {
        let Self { positions, first, mut output, mut validity } = self;
        let known_valid = positions.state().valid;
        let mut scratch = None;
        let mut at = first / MAX_BOARDS * MAX_BOARDS;
        while at < positions.len() {
            let end = positions.len().min(at + MAX_BOARDS);
            let rows = positions.as_rows(level, at..end, &mut scratch);
            for (row, pieces) in (at..).zip(rows).skip(first.saturating_sub(at)) {
                let state = positions.state().row(row);
                let valid = known_valid || L::Position::is_valid(pieces, state);
                let legal = valid.then(|| L::Position::legal_unchecked(pieces, state));
                if let Some(validity) = &mut validity {
                    validity[row] = valid;
                }
                match &mut output {
                    Output::Targets(targets) => {
                        targets[row] = legal.map_or([0; 64], |legal| legal.targets());
                    }
                    Output::Planes(planes) => {
                        // A closure of this size would not be inlined.
                        planes[row] = match legal {
                            Some(legal) => legal.planes(),
                            None => [0; PLANES],
                        };
                    }
                    Output::Counts(counts) => {
                        counts[row] = legal.map_or(0, |legal| legal.count() as u16);
                    }
                    Output::Status(status) => {
                        status[row] = legal.map_or(0, |legal| legal.status() as u8);
                    }
                    #[cfg(feature = "std")]
                    Output::Lists(lists) => {
                        let count =
                            legal.map_or(0, |legal| legal.write_moves(lists.space(MAX_MOVES)));
                        lists.push(count);
                    }
                    #[cfg(feature = "std")]
                    Output::Successors(writer) => {
                        let clock = positions.state().halfmoves.map(|clocks| clocks[row]);
                        if !writer.push(legal.as_ref(), clock) {
                            return;
                        }
                    }
                }
            }
            at = end;
        }
    }
}

/// Computes one of [`PINS`] for a side, or for the side to move.
pub(super) struct Pins<'a> {
    pub(super) positions: Positions<'a>,
    pub(super) kind: ColumnKind,
    pub(super) side: Option<Colour>,
    pub(super) sets: &'a mut [u64],
}

impl Task for Pins<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Level>(self, level: L) {
        match self.kind {
            ColumnKind::Pinned => self.of_sides(level, L::Position::pinned),
            ColumnKind::Checkers => self.of_sides(level, L::Position::checkers),
            _ => self.of_sides(level, L::Position::pinners),
        }
    }
}

impl Pins<'_> {
    /// All branches that do not depend on a row are taken before the loop: in it, they cost up to half of a row's time.
    #[inline(always)]
    fn of_sides<L: Level>(self, level: L, of: impl Fn(&Pieces, Colour) -> u64) {
        let states = *self.positions.state();
        match (self.side, states.turns) {
            (Some(side), _) => self.fill(level, of, repeat(side)),
            (None, Some(turns)) => self.fill(level, of, turns.iter().copied()),
            (None, None) => {
                let states = states.states.unwrap_or_default();
                self.fill(level, of, states.iter().map(|state| state.turn()));
            }
        }
    }

    #[inline(always)]
    fn fill<L: Level>(
        self,
        level: L,
        of: impl Fn(&Pieces, Colour) -> u64,
        mut sides: impl Iterator<Item = Colour>,
    ) {
        let mut scratch = None;
        for (part, sets) in self.sets.chunks_mut(MAX_BOARDS).enumerate() {
            let first = part * MAX_BOARDS;
            let rows = self.positions.as_rows(level, first..first + sets.len(), &mut scratch);
            for ((set, pieces), side) in sets.iter_mut().zip(rows).zip(&mut sides) {
                *set = of(pieces, side);
            }
        }
    }
}
