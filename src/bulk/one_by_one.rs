//! Results that are computed one position at a time: checkers, pinned pieces and pinners, and legal moves.

#[cfg(feature = "std")]
use super::lists::Lists;
use super::positions::Positions;
use crate::boards::block::MAX_BOARDS;
use crate::columns::ColumnKind;
use crate::dispatch::{Level, Task};
use crate::instructions::Instructions;
#[cfg(feature = "std")]
use crate::instructions::legal::MAX_MOVES;
use crate::legal::PLANES;
use crate::pieces::Colour;

/// Pins, and checks along the same rays.
pub(super) const PINS: [ColumnKind; 3] =
    [ColumnKind::Pinned, ColumnKind::Checkers, ColumnKind::Pinners];

/// The destination of the results.
#[allow(clippy::large_enum_variant)] // one for each call
pub(super) enum Output<'a> {
    /// One of [`PINS`] for a side, or for the side to move.
    Pins(ColumnKind, Option<Colour>, &'a mut [u64]),
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
            // No branch on the kind or the side is left in these loops: it cost up to half of a row's time.
            if let Output::Pins(kind, side, sets) = &mut output {
                let mut sides = [side.unwrap_or(Colour::White); MAX_BOARDS];
                if side.is_none() {
                    for (row, side) in (at..).zip(&mut sides[..rows.len()]) {
                        *side = positions.state().turn(row);
                    }
                }
                let rows = rows.iter().zip(sides).zip(&mut sets[at..end]);
                match kind {
                    ColumnKind::Pinned => {
                        for ((pieces, side), set) in rows {
                            *set = L::Position::pinned(pieces, side);
                        }
                    }
                    ColumnKind::Checkers => {
                        for ((pieces, side), set) in rows {
                            *set = L::Position::checkers(pieces, side);
                        }
                    }
                    _ => {
                        for ((pieces, side), set) in rows {
                            *set = L::Position::pinners(pieces, side);
                        }
                    }
                }
                at = end;
                continue;
            }
            for (row, pieces) in (at..).zip(rows).skip(first.saturating_sub(at)) {
                let state = positions.state().row(row);
                let valid = known_valid || L::Position::is_valid(pieces, state);
                let legal = valid.then(|| L::Position::legal_unchecked(pieces, state));
                if let Some(validity) = &mut validity {
                    validity[row] = valid;
                }
                match &mut output {
                    Output::Pins(..) => {}
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
                }
            }
            at = end;
        }
    }
}
