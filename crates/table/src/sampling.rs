//! Sampling of rows for training. The probability of keeping a row depends on its ply, on the result of its game under
//! a win-rate model, and on its number of pieces. `sampler.rs` draws the random numbers.
//!
//! Probabilities by ply and by outcome depend on the row alone. Probabilities by the number of pieces are steered: they
//! depend on the previous rows, so they must be requested in the order of the rows ([`Steering`]).

use setwise_formats::{Field, Fields, Preview, Records};

use crate::condition::Condition;
use crate::win_rate::{Outcome, WinRate};

/// The maximum number of pieces on a chess board.
const PIECES: usize = 32;

/// The probabilities of keeping rows.
///
/// ```
/// use setwise_table::{Sampling, SamplingOptions};
/// let ply = Some(vec![(0.0, 0.1), (6.0, 0.15), (20.0, 1.0)]);
/// let sampling = Sampling::new(&SamplingOptions { ply, ..SamplingOptions::default() })?;
/// assert_eq!([0, 3, 6, 13, 20, 300].map(|ply| sampling.of_ply(ply)), [0.1, 0.125, 0.15, 0.575, 1.0, 1.0]);
/// let named = SamplingOptions::named("nnue-pytorch-2026-07")?;
/// assert_eq!(Sampling::new(&named)?.of_ply(13), 0.4375);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sampling {
    /// The probability for each ply. Later plies have the probability of the last.
    plies: Vec<f64>,
    /// It agrees with the model to about five digits.
    pub(crate) outcome: Option<Outcome>,
    pieces: Option<Wanted>,
    /// The labels that the conditions compare.
    labels: Vec<Field>,
}

/// The options of a [`Sampling`], and further options that belong to it.
#[derive(Clone, Debug, Default)]
pub struct SamplingOptions {
    /// Keeps rows with the probability of the result under a model.
    pub outcome: Option<WinRate>,
    /// Keeps rows with a probability that depends on the ply: interpolated between points of ply and probability, and
    /// constant before the first and after the last.
    pub ply: Option<Vec<(f64, f64)>>,
    /// Steers the kept rows towards a distribution over the number of pieces: a cubic spline through points of number
    /// and weight, with slopes by central differences, clamped to at least 0.
    pub pieces: Option<Vec<(f64, f64)>>,
    /// Rows with the most overrepresented number of pieces are kept with the probability `1 - max_skipped`.
    pub max_skipped: f64,
    /// Conditions for rows, evaluated after those of the query.
    pub conditions: Vec<String>,
    /// The argument of [`PlaceholderZeros::new`].
    pub placeholder_zeros: Option<u32>,
}

impl SamplingOptions {
    /// The names of the samplings of trainers, with descriptions.
    pub const NAMED: &[(&str, &str)] = &[
        (
            "nnue-pytorch-2026-07",
            "The default filter of nnue-pytorch, July 2026: by outcome, ply and number of pieces, without checks and captures",
        ),
        (
            "viriformat-3",
            "The default filter of viriformat 3: from ply 16 on, with 4 pieces or more, without checks, captures and promotions",
        ),
    ];

    /// Returns the options of a trainer's sampling.
    ///
    /// # Errors
    /// If the name is unknown.
    pub fn named(name: &str) -> Result<Self, String> {
        let conditions = |conditions: &[&str]| conditions.iter().map(|&one| one.into()).collect();
        match name {
            "nnue-pytorch-2026-07" => Ok(Self {
                outcome: Some(WinRate::NNUE_PYTORCH_2026_07),
                ply: Some(vec![(0.0, 0.1), (6.0, 0.15), (10.0, 0.25), (18.0, 0.75), (20.0, 1.0)]),
                pieces: Some(vec![(0.0, 0.0), (8.0, 0.4), (16.0, 1.0), (24.0, 1.0), (32.0, 0.75)]),
                max_skipped: 0.975,
                conditions: conditions(&["checkers = 0", "capture = 0 or en_passant_capture = 1"]),
                placeholder_zeros: Some(100),
            }),
            "viriformat-3" => Ok(Self {
                conditions: conditions(&[
                    "ply >= 16",
                    "score is null or abs(score) < 31339",
                    "piece_count >= 4",
                    "capture = 0",
                    "promotion = 0",
                    "checkers = 0",
                ]),
                max_skipped: 0.975,
                ..Self::default()
            }),
            _ => {
                let names: Vec<_> =
                    Self::NAMED.iter().map(|(name, _)| format!("`{name}`")).collect();
                Err(format!("`sampling` is one of {}, found `{name}`", names.join(", ")))
            }
        }
    }

    /// The detector of scores of 0 that are placeholders for missing scores.
    #[must_use]
    pub fn zeros(&self) -> Option<PlaceholderZeros> {
        self.placeholder_zeros.map(PlaceholderZeros::new)
    }
}

/// The wanted distribution over numbers of pieces.
#[derive(Clone, Debug)]
struct Wanted {
    /// Weights with the sum 1.
    weights: [f64; PIECES + 1],
    /// The probability of keeping rows with the most overrepresented number of pieces.
    least: f64,
}

impl Wanted {
    fn new(points: &[(f64, f64)], max_skipped: f64) -> Result<Self, String> {
        check_points(points, PIECES as f64, "number of pieces")?;
        if !(0.0..1.0).contains(&max_skipped) {
            return Err(format!(
                "expected the largest probability to skip to be at least 0 and below 1, found {max_skipped}"
            ));
        }
        let weights: [f64; PIECES + 1] =
            std::array::from_fn(|pieces| spline(points, pieces as f64).max(0.0));
        let sum: f64 = weights.iter().sum();
        if !(sum > 0.0 && sum.is_finite()) {
            return Err("expected a weight above 0 for some number of pieces".to_owned());
        }
        Ok(Self { weights: weights.map(|weight| weight / sum), least: 1.0 - max_skipped })
    }
}

/// Probabilities for each ply up to the last point.
fn plies(points: &[(f64, f64)]) -> Result<Vec<f64>, String> {
    const MAX: f64 = 10_000.0;
    check_points(points, MAX, "ply")?;
    if let Some((_, found)) = points.iter().find(|(_, value)| *value > 1.0) {
        return Err(format!("expected a probability of 0 to 1 for a ply, found {found}"));
    }
    let last = points[points.len() - 1].0.ceil() as u32;
    Ok((0..=last).map(|ply| linear(points, f64::from(ply))).collect())
}

impl Sampling {
    /// Builds the sampling from its options.
    ///
    /// # Errors
    /// If there are no points, if plies or numbers of pieces do not increase or are outside of 0 to 10,000 or 0 to 32,
    /// if a probability is outside of 0 to 1, if no number of pieces has a weight above 0, if `max_skipped` is not at
    /// least 0 and below 1, if a number of the model is not finite, if its b is not above 0 for all plies, or if a
    /// condition has an error of syntax.
    pub fn new(options: &SamplingOptions) -> Result<Self, String> {
        let SamplingOptions { outcome, ply, pieces, max_skipped, conditions, .. } = options;
        let parse = |text: &String| {
            text.parse::<Condition>().map_err(|error| format!("condition `{text}`, {error}"))
        };
        let conditions = conditions.iter().map(parse).collect::<Result<Vec<_>, _>>()?;
        let is_read = |label: &Field| {
            conditions.iter().any(|condition| condition.names().contains(&label.name()))
        };
        Ok(Self {
            labels: [Field::Score, Field::Result].into_iter().filter(is_read).collect(),
            plies: ply.as_deref().map_or(Ok(Vec::new()), plies)?,
            outcome: outcome.map(Outcome::new).transpose()?,
            pieces: pieces
                .as_deref()
                .map(|points| Wanted::new(points, *max_skipped))
                .transpose()?,
        })
    }

    /// The fields of a row on which the selection depends. Of those that only conditions read, the labels.
    #[must_use]
    pub fn needs(&self) -> Fields {
        let mut needs = self.labels.clone();
        if self.outcome.is_some() {
            needs.extend([Field::Score, Field::Result]);
        }
        if self.outcome.is_some() || !self.plies.is_empty() {
            needs.push(Field::Ply);
        }
        Fields::of(&needs)
    }

    /// Returns whether any row can be dropped before conditions are evaluated.
    #[must_use]
    pub fn decides(&self) -> bool {
        !self.needs().is_empty()
    }

    /// The probability of keeping a row at this ply.
    #[must_use]
    pub fn of_ply(&self, ply: u32) -> f64 {
        match self.plies.get(ply as usize).or(self.plies.last()) {
            Some(probability) => *probability,
            None => 1.0,
        }
    }

    /// The initial state of steering, if the sampling depends on the number of pieces.
    #[must_use]
    pub fn steering(&self) -> Option<Steering> {
        let wanted = self.pieces.clone()?;
        Some(Steering { wanted, seen: [0.0; PIECES + 1], total: 0.0, alpha: 1.0, steps: 0 })
    }
}

/// Probabilities by the number of pieces, steered by running counts of the rows seen. The latest rows count more,
/// because the counts are halved every 10,000 rows.
///
/// The ratio of a number of pieces is its wanted share divided by its share of the rows seen. A row is kept with a
/// probability of alpha times its ratio. Alpha is updated regularly so that rows with the lowest ratio are kept with
/// the minimum probability.
#[derive(Clone, Debug)]
pub struct Steering {
    wanted: Wanted,
    seen: [f64; PIECES + 1],
    total: f64,
    alpha: f64,
    /// The number of rows so far.
    pub(crate) steps: u64,
}

impl Steering {
    /// The length of a [state](Self::state).
    pub const STATE: usize = PIECES + 4;

    /// Counts a row, and returns the probability of keeping it: 0 for more than 32 pieces.
    pub fn see(&mut self, pieces: usize) -> f64 {
        /// The number of rows between updates of alpha. The first 10,000 rows have more updates.
        const STEPS: u64 = 10_000;
        let Some(seen) = self.seen.get_mut(pieces) else { return 0.0 };
        *seen += 1.0;
        self.total += 1.0;
        self.steps += 1;
        let is_round = self.steps.is_multiple_of(STEPS);
        if is_round || matches!(self.steps, 100 | 500 | 1000 | 2500 | 5000) {
            let ratios = (0..=PIECES).map(|pieces| self.ratio(pieces));
            let least = ratios.filter(|ratio| *ratio > 0.0).fold(f64::INFINITY, f64::min);
            if least.is_finite() {
                self.alpha = self.wanted.least / least;
            }
        }
        if is_round {
            self.seen.iter_mut().for_each(|seen| *seen /= 2.0);
            self.total /= 2.0;
        }
        (self.alpha * self.ratio(pieces)).min(1.0)
    }

    /// The wanted share of a number of pieces divided by its share of the rows seen; 0 if no such row was seen.
    fn ratio(&self, pieces: usize) -> f64 {
        let seen = self.seen[pieces];
        if seen > 0.0 { self.total * self.wanted.weights[pieces] / seen } else { 0.0 }
    }

    /// The state as numbers.
    #[must_use]
    pub fn state(&self) -> Vec<f64> {
        [&self.seen[..], &[self.total, self.alpha, self.steps as f64]].concat()
    }

    /// Restores a state. Returns `None` if the numbers are not a valid state.
    #[must_use]
    pub fn at(mut self, state: &[f64]) -> Option<Self> {
        let is_one = |number: &f64| number.is_finite() && *number >= 0.0;
        if state.len() != Self::STATE || !state.iter().all(is_one) {
            return None;
        }
        self.seen.copy_from_slice(&state[..=PIECES]);
        (self.total, self.alpha) = (state[PIECES + 1], state[PIECES + 2]);
        self.steps = state[PIECES + 3] as u64;
        Some(self)
    }
}

/// Detects scores of 0 that are placeholders for missing scores: the game was not drawn, and the previous score was
/// large. A game continues while the ply increases.
#[derive(Clone, Copy, Debug)]
pub struct PlaceholderZeros {
    limit: u32,
    last_ply: Option<u32>,
    last_score: Option<i32>,
}

impl PlaceholderZeros {
    /// Scores with a magnitude above this limit are large.
    #[must_use]
    pub const fn new(limit: u32) -> Self {
        Self { limit, last_ply: None, last_score: None }
    }

    /// Replaces the score of the next record by [`Records::NO_SCORE`] if it is a placeholder.
    pub fn remove(&mut self, record: &mut Preview) {
        let Preview { score, result, ply, .. } = record;
        let ply = ply.unwrap_or(0);
        let continues = self.last_ply.is_none_or(|last| ply > last);
        let was_large = self.last_score.is_some_and(|last| last.unsigned_abs() > self.limit);
        self.last_ply = Some(ply);
        if continues && was_large && *result != 0 && *score == 0 {
            *score = Records::NO_SCORE;
        }
        if Records::is_score(*score) {
            self.last_score = Some(*score);
        }
    }

    /// Replaces the placeholders in consecutive records. Records without plies are not changed.
    pub fn remove_all(&mut self, records: &mut Records) {
        let rest = records.result.iter().zip(&records.ply);
        for (score, (&result, &ply)) in records.score.iter_mut().zip(rest) {
            let mut preview = Preview { score: *score, result, ply: Some(ply), pieces: 0 };
            self.remove(&mut preview);
            *score = preview.score;
        }
    }
}

/// Fails unless points increase, lie between 0 and a maximum, and have values of at least 0.
fn check_points(points: &[(f64, f64)], max: f64, what: &str) -> Result<(), String> {
    let is_place = |place: f64| (0.0..=max).contains(&place);
    if let Some((found, _)) = points.iter().find(|(place, _)| !is_place(*place)) {
        return Err(format!("expected a {what} of 0 to {max}, found {found}"));
    }
    let bad = points.iter().find(|(_, value)| !(value.is_finite() && *value >= 0.0));
    if let Some((place, found)) = bad {
        return Err(format!(
            "expected a number of at least 0 for the {what} {place}, found {found}"
        ));
    }
    if points.is_empty() || points.windows(2).any(|two| two[0].0 >= two[1].0) {
        return Err(format!("expected points with a rising {what}"));
    }
    Ok(())
}

/// Returns the value at `place`. Before the first point it is the value of that point, and after the last point the
/// value of the last. Between two points, `between` computes it from the index of the first of the two.
fn value(points: &[(f64, f64)], place: f64, between: impl Fn(usize) -> f64) -> f64 {
    let (first, last) = (points[0], points[points.len() - 1]);
    if place <= first.0 {
        return first.1;
    }
    if place >= last.0 {
        return last.1;
    }
    between(points.partition_point(|(other, _)| *other <= place) - 1)
}

fn linear(points: &[(f64, f64)], place: f64) -> f64 {
    value(points, place, |at| {
        let ((x0, y0), (x1, y1)) = (points[at], points[at + 1]);
        y0 + (place - x0) / (x1 - x0) * (y1 - y0)
    })
}

/// A cubic spline with slopes by central differences, one-sided at the ends.
fn spline(points: &[(f64, f64)], place: f64) -> f64 {
    let slope = |at: usize| {
        let (before, after) = (at.saturating_sub(1), (at + 1).min(points.len() - 1));
        (points[after].1 - points[before].1) / (points[after].0 - points[before].0)
    };
    value(points, place, |at| {
        let ((x0, y0), (x1, y1)) = (points[at], points[at + 1]);
        let (width, t) = (x1 - x0, (place - x0) / (x1 - x0));
        let (m0, m1) = (slope(at) * width, slope(at + 1) * width);
        let (u, v) = (1.0 - t, t);
        // Hermite form: the values and the slopes at the ends.
        u * u * ((1.0 + 2.0 * t) * y0 + t * m0) + v * v * ((3.0 - 2.0 * t) * y1 - u * m1)
    })
}
