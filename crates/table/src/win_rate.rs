//! A model of the results of games, and its probabilities as a table that is fast to look up.

/// A model of the result of a game, from the score and the ply: the logistic function of `(x - a) / b`, where x is the
/// score of the winner, scaled and bounded, and a and b are cubic polynomials of the bounded ply.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinRate {
    /// The coefficients of a, from the third power down.
    pub a: [f64; 4],
    /// The coefficients of b.
    pub b: [f64; 4],
    /// Later plies count as this ply.
    pub max_ply: u32,
    /// The number of plies by which the variable of the polynomials grows by 1.
    pub ply_unit: f64,
    /// The factor of scores.
    pub score_scale: f64,
    /// The bound for the magnitude of scaled scores.
    pub max_score: f64,
}

impl WinRate {
    /// The model of nnue-pytorch in July 2026.
    pub const NNUE_PYTORCH_2026_07: Self = Self {
        a: [-3.683_893_04, 30.070_659_21, -60.528_787_23, 149.533_785_57],
        b: [1.5 * -2.018_185_7, 1.5 * 15.856_850_38, 1.5 * -29.834_520_23, 1.5 * 47.590_788_27],
        max_ply: 240,
        ply_unit: 64.0,
        score_scale: 100.0 / 208.0,
        max_score: 2000.0,
    };

    /// The probability of a result (1, 0 or -1) for the side to move, given its score.
    #[must_use]
    pub fn probability(&self, score: i32, ply: u32, result: i8) -> f64 {
        let (a, b) = self.parameters(ply);
        let score = f64::from(score) * self.score_scale;
        let score = score.clamp(-self.max_score, self.max_score);
        let win = |score: f64| 1.0 / (1.0 + ((a - score) / b).exp());
        match result {
            1.. => win(score),
            0 => 1.0 - win(score) - win(-score),
            ..0 => win(-score),
        }
    }

    fn parameters(&self, ply: u32) -> (f64, f64) {
        let m = f64::from(ply.min(self.max_ply)) / self.ply_unit;
        let cubic = |c: &[f64; 4]| ((c[0] * m + c[1]) * m + c[2]) * m + c[3];
        (cubic(&self.a), cubic(&self.b))
    }
}

/// The logistic function of a model as a table of points with interpolation. An exponential would take longer than
/// all other tests of a row. All numbers are integers; probabilities are fractions of 2^32.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    /// For each ply, the location of a score of 0 in the table, and the distance between scores that differ by 1.
    plies: Vec<(i64, i64)>,
    max_score: i32,
    /// 1 / (1 + exp(x)) for x from -RANGE to RANGE. The error between points is at most 3 in a million. The table fits
    /// in the L1 cache.
    logistic: Vec<u32>,
}

impl Outcome {
    const RANGE: i64 = 24;
    /// The number of points per unit of x.
    const POINTS: i64 = 64;
    /// The number of fractional bits of a location in the table.
    const BITS: u32 = 20;
    const ONE: i64 = 1 << 32;

    pub(crate) fn new(model: WinRate) -> Result<Self, String> {
        const MAX: u32 = 10_000;
        let WinRate { a, b, max_ply, ply_unit, score_scale, max_score } = model;
        let others = [ply_unit, score_scale, max_score];
        let is_finite = a.iter().chain(&b).chain(&others).all(|number| number.is_finite());
        if !is_finite || ply_unit <= 0.0 || max_score < 0.0 || max_ply > MAX {
            return Err(format!(
                "a win-rate model has finite numbers, a unit of plies above 0, a bound of scores of at least 0, and a \
                 last ply of at most {MAX}; found {model:?}"
            ));
        }
        if let Some(ply) = (0..=max_ply).find(|ply| {
            let (a, b) = model.parameters(*ply);
            !(a.is_finite() && b.is_finite() && b > 0.0)
        }) {
            let (_, b) = model.parameters(ply);
            return Err(format!("expected b above 0 for every ply, found {b} for ply {ply}"));
        }
        let unit = (Self::POINTS << Self::BITS) as f64;
        let of_ply = |ply| {
            let (a, b) = model.parameters(ply);
            ((unit * (a / b + Self::RANGE as f64)) as i64, (unit * score_scale / b) as i64)
        };
        let points = 0..=2 * Self::RANGE * Self::POINTS + 1;
        let logistic = |point| {
            let x = point as f64 / Self::POINTS as f64 - Self::RANGE as f64;
            (Self::ONE as f64 / (1.0 + x.exp())) as u32
        };
        Ok(Self {
            plies: (0..=max_ply).map(of_ply).collect(),
            max_score: (max_score / score_scale.abs()).min(f64::from(i32::MAX)) as i32,
            logistic: points.map(logistic).collect(),
        })
    }

    /// Returns whether to keep a row with this score and result, both for the side to move, given a random number.
    #[inline]
    pub(crate) fn accepts(&self, score: i32, ply: u32, result: i8, random: u32) -> bool {
        i64::from(random) < self.probability(score, ply, result)
    }

    /// [`WinRate::probability`] as a fraction of 2^32.
    #[inline]
    fn probability(&self, score: i32, ply: u32, result: i8) -> i64 {
        let (zero, one) = self.plies[(ply as usize).min(self.plies.len() - 1)];
        let score = i64::from(score.clamp(-self.max_score, self.max_score));
        let distance = score.saturating_mul(one);
        let win = |place: i64| {
            let place = place.clamp(0, (2 * Self::RANGE * Self::POINTS) << Self::BITS);
            let point = (place >> Self::BITS) as usize;
            let [from, to] = [point, point + 1].map(|point| i64::from(self.logistic[point]));
            from + (((to - from) * (place & ((1 << Self::BITS) - 1))) >> Self::BITS)
        };
        let place = |distance: i64| win(zero.saturating_add(distance));
        match result {
            1.. => place(-distance),
            0 => Self::ONE - place(-distance) - place(distance),
            ..0 => place(distance),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_follows_the_model() {
        let model = WinRate::NNUE_PYTORCH_2026_07;
        let near = |table: &Outcome, model: &WinRate, score, ply, result| {
            let found = table.probability(score, ply, result) as f64 / Outcome::ONE as f64;
            let expected = model.probability(score, ply, result);
            let place = format!("{score} {ply} {result}: {found} {expected}");
            assert!((found - expected).abs() < 1e-5, "{place}");
            let threshold = found * f64::from(u32::MAX);
            let accepts = |random: f64| table.accepts(score, ply, result, random as u32);
            assert!(accepts(threshold - 2.0) || found < 1e-8, "{place}");
            assert!(!accepts(threshold + 2.0) || found > 1.0 - 1e-8, "{place}");
        };
        let table = Outcome::new(model).unwrap();
        for ply in [0, 1, 17, 64, 150, 239, 240, 241, 9000] {
            for score in (-5000..5000).step_by(7).chain([i32::MIN, -32_000, 32_000, i32::MAX]) {
                [1, 0, -1].into_iter().for_each(|result| near(&table, &model, score, ply, result));
            }
        }
        let flat = WinRate { score_scale: 0.0, max_score: 0.0, ..model };
        near(&Outcome::new(flat).unwrap(), &flat, 30_000, 0, 1);
    }
}
