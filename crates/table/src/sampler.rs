//! Selects the rows that a sampling keeps, by random numbers derived from a seed and the index of the row.

use setwise_formats::{Preview, Records};

use crate::draws::Draws;
use crate::labels::OnMissing;
use crate::sampling::{Sampling, Steering};

/// Selects rows before they are unpacked and before conditions are evaluated: by labels, by chance, by outcome and by
/// ply. Selection by the number of pieces comes last, among the remaining rows ([`Steering::accepts`]).
pub struct Sampler<'a> {
    /// The sampling.
    pub sampling: &'a Sampling,
    /// The random numbers of these rows.
    pub draws: Draws,
    /// Chance keeps one row in this many.
    pub one_in: u64,
    /// One row in this many reaches the sampler. The caller has already dropped the others with [`is_sampled`].
    pub prior_one_in: u64,
    /// True if each row must have a score (first) and a result (second).
    pub required: [bool; 2],
    /// The handling of rows without a required score or result.
    pub on_missing: OnMissing,
    /// The index of the next row.
    pub row: u64,
    /// The numbers of dropped rows.
    pub out: SampledOut,
}

/// The numbers of dropped rows by reason. Each row is counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SampledOut {
    /// Rows without a label.
    pub missing: u64,
    /// Rows dropped by chance.
    pub chance: u64,
    /// Rows dropped by outcome.
    pub outcome: u64,
    /// Rows dropped by ply.
    pub ply: u64,
}

impl Sampler<'_> {
    /// Returns whether any row can be dropped.
    #[must_use]
    pub fn decides(&self) -> bool {
        self.one_in > 1 || self.sampling.decides()
    }

    /// Returns whether to keep the next row. Calls `sees` with the row if it has the required labels.
    pub fn accepts(&mut self, preview: &Preview, sees: impl FnOnce(&Preview)) -> bool {
        while !is_sampled(self.draws, self.row, self.prior_one_in) {
            self.row += 1;
        }
        let (row, mut preview) = (self.row, *preview);
        self.row += 1;
        let mut is_known = true;
        let is_missing = [!Records::is_score(preview.score), preview.result == Records::NO_RESULT];
        if is_missing[0] && self.required[0] || is_missing[1] && self.required[1] {
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
                // This becomes an error later, unless a condition drops the row.
                OnMissing::Stop => return true,
                OnMissing::Null => is_known = false,
            }
        }
        if is_known {
            sees(&preview);
        }
        let Preview { score, result, ply, .. } = preview;
        let (ply, random) = (ply.unwrap_or(0), self.draws.at(2 * row));
        let outcome = self.sampling.outcome.as_ref();
        let out = if !is_sampled(self.draws, row, self.one_in) {
            &mut self.out.chance
        } else if is_known
            && outcome.is_some_and(|of| !of.accepts(score, ply, result, random as u32))
        {
            &mut self.out.outcome
        } else if !occurs(self.sampling.of_ply(ply), random) {
            &mut self.out.ply
        } else {
            return true;
        };
        *out += 1;
        false
    }
}

/// Returns whether chance keeps a row. It keeps one row in `one_in`.
#[must_use]
pub const fn is_sampled(draws: Draws, row: u64, one_in: u64) -> bool {
    one_in == 1 || draws.at(2 * row + 1).is_multiple_of(one_in)
}

impl Steering {
    /// Counts a row that passed all other tests, and returns whether to keep it.
    pub fn accepts(&mut self, draws: Draws, pieces: usize) -> bool {
        let random = draws.at(self.steps);
        occurs(self.see(pieces), random)
    }
}

/// Returns whether an event of this probability occurs, given the upper half of a random number.
fn occurs(probability: f64, random: u64) -> bool {
    f64::from((random >> 32) as u32) < probability * (u64::from(u32::MAX) + 1) as f64
}
