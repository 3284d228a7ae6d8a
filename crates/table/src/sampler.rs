//! Which rows a sampling keeps, decided by random numbers from a seed and the place of the row.

use setwise_formats::{Preview, Records};

use crate::draws::Draws;
use crate::labels::OnMissing;
use crate::sampling::{Sampling, Steering};

/// Decides row by row by what is known before a row is unpacked and conditions are evaluated: by its labels, by chance,
/// by outcome, by ply. The number of pieces decides last, about rows that everything else has left ([`Steering::keeps`]).
pub struct Sampler<'a> {
    /// The sampling.
    pub sampling: &'a Sampling,
    /// The random numbers of these rows.
    pub draws: Draws,
    /// Chance takes one of so many.
    pub one_in: u64,
    /// Of so many rows, one comes here: the caller has asked [`takes`] about them before.
    pub comes: u64,
    /// Whether each row has to have a score and a result, and what happens to others.
    pub asked: [bool; 2],
    /// See `asked`.
    pub on_missing: OnMissing,
    /// The number of the next row.
    pub row: u64,
    /// The rows that are not kept, each counted once.
    pub out: SampledOut,
}

/// Numbers of rows that are not kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SampledOut {
    /// For want of a label.
    pub missing: u64,
    /// By chance.
    pub chance: u64,
    /// By outcome.
    pub outcome: u64,
    /// By ply.
    pub ply: u64,
}

impl Sampler<'_> {
    /// Whether it decides about any row.
    #[must_use]
    pub fn decides(&self) -> bool {
        self.one_in > 1 || !self.sampling.needs().is_empty()
    }

    /// Whether the next row is kept. `sees` gets each that has its labels.
    pub fn keeps(&mut self, preview: &Preview, sees: impl FnOnce(&Preview)) -> bool {
        while !takes(self.draws, self.row, self.comes) {
            self.row += 1;
        }
        let (row, mut preview) = (self.row, *preview);
        self.row += 1;
        let is_missing = [!Records::is_score(preview.score), preview.result == Records::NO_RESULT];
        if is_missing[0] && self.asked[0] || is_missing[1] && self.asked[1] {
            match self.on_missing {
                OnMissing::Skip => {
                    self.out.missing += 1;
                    return false;
                }
                OnMissing::Value(value) => {
                    if is_missing[0] {
                        preview.score = value;
                    }
                    if is_missing[1] {
                        preview.result = i8::try_from(value).unwrap_or(i8::MAX);
                    }
                }
                // It is an error unless a condition leaves it out.
                OnMissing::Stop | OnMissing::Null => return true,
            }
        }
        sees(&preview);
        let Preview { score, result, ply, .. } = preview;
        let (ply, random) = (ply.unwrap_or(0), self.draws.at(2 * row));
        let out = if !takes(self.draws, row, self.one_in) {
            &mut self.out.chance
        } else if !self.sampling.keeps_outcome(score, ply, result, random as u32) {
            &mut self.out.outcome
        } else if !happens(self.sampling.of_ply(ply), random) {
            &mut self.out.ply
        } else {
            return true;
        };
        *out += 1;
        false
    }
}

/// Whether chance takes a row, one of so many.
#[must_use]
pub const fn takes(draws: Draws, row: u64, one_in: u64) -> bool {
    one_in == 1 || draws.at(2 * row + 1).is_multiple_of(one_in)
}

impl Steering {
    /// Whether a row stays that everything else has left; it is counted.
    pub fn keeps(&mut self, draws: Draws, pieces: usize) -> bool {
        let random = draws.at(self.steps());
        happens(self.see(pieces), random)
    }
}

/// Whether something of this probability happens, given a random number, of which the upper half is used.
fn happens(probability: f64, random: u64) -> bool {
    f64::from((random >> 32) as u32) < probability * (u64::from(u32::MAX) + 1) as f64
}
