//! Compares probabilities with numbers computed by hand, and the results of steering with the wanted distribution.

use setwise_formats::{Preview, Records};
use setwise_table::{
    Draws, OnMissing, PlaceholderZeros, SampledOut, Sampler, Sampling, SamplingOptions, Steering,
    WinRate, is_sampled,
};

const MODEL: WinRate = WinRate::NNUE_PYTORCH_2026_07;

fn by_ply(points: &[(f64, f64)]) -> Result<Sampling, String> {
    Sampling::new(&SamplingOptions { ply: Some(points.to_vec()), ..SamplingOptions::default() })
}

fn by_outcome(model: WinRate) -> Result<Sampling, String> {
    Sampling::new(&SamplingOptions { outcome: Some(model), ..SamplingOptions::default() })
}

fn by_pieces(points: &[(f64, f64)], max_skipped: f64) -> Result<Sampling, String> {
    let pieces = Some(points.to_vec());
    Sampling::new(&SamplingOptions { pieces, max_skipped, ..SamplingOptions::default() })
}

/// The wanted share of each number of pieces: the probability of the first row.
fn wanted(points: &[(f64, f64)]) -> Vec<f64> {
    let steering = by_pieces(points, 0.975).unwrap().steering().unwrap();
    (0..=32).map(|pieces| steering.clone().see(pieces)).collect()
}

#[test]
fn outcomes_have_the_probabilities_of_the_model() {
    // Ply 0: a = 149.53378557, b = 71.386182405. At a score of 0, wins and losses are equally likely.
    let even = 1.0 / (1.0 + (149.533_785_57_f64 / 71.386_182_405).exp());
    let near = |found: f64, expected: f64| {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    };
    near(MODEL.probability(0, 0, 1), even);
    near(MODEL.probability(0, 0, -1), even);
    near(MODEL.probability(0, 0, 0), 1.0 - 2.0 * even);
    // Ply 64: m = 1, a = 115.39176451, b = 1.5 * 31.59493272. A score of 208 is x = 100.
    let win = 1.0 / (1.0 + ((115.391_764_51_f64 - 100.0) / (1.5 * 31.594_932_72)).exp());
    near(MODEL.probability(208, 64, 1), win);
    near(MODEL.probability(-208, 64, -1), win);
    for (score, ply) in [(-31_000, 1), (-300, 100), (0, 240), (77, 1000), (32_000, 30)] {
        let all: f64 = [1, 0, -1].map(|result| MODEL.probability(score, ply, result)).iter().sum();
        near(all, 1.0);
        near(MODEL.probability(score, ply, 1), MODEL.probability(-score, ply, -1));
    }
    assert_eq!(MODEL.probability(100, 240, 1), MODEL.probability(100, 5000, 1));
    assert_eq!(MODEL.probability(4160, 9, 1), MODEL.probability(31_000, 9, 1));
    assert!(MODEL.probability(i32::MAX, 0, 1) > 0.999);
    assert!(MODEL.probability(i32::MIN, 0, 1) < 0.001);
}

#[test]
fn plies_are_interpolated() {
    let points = [(0.0, 0.1), (6.0, 0.15), (10.0, 0.25), (18.0, 0.75), (20.0, 1.0)];
    let sampling = by_ply(&points).unwrap();
    for (ply, expected) in
        [(0, 0.1), (3, 0.125), (6, 0.15), (8, 0.2), (14, 0.5), (19, 0.875), (20, 1.0), (999, 1.0)]
    {
        assert!((sampling.of_ply(ply) - expected).abs() < 1e-12, "{ply}");
    }
    let late = by_ply(&[(5.0, 0.0), (5.5, 1.0)]).unwrap();
    assert_eq!([0, 5, 6, u32::MAX].map(|ply| late.of_ply(ply)), [0.0, 0.0, 1.0, 1.0]);
    assert_eq!(Sampling::default().of_ply(3), 1.0);
}

#[test]
fn weights_interpolate_their_points() {
    let points = [(0.0, 0.0), (8.0, 0.4), (16.0, 1.0), (24.0, 1.0), (32.0, 0.75)];
    let weights = wanted(&points);
    let ratio = |pieces: usize| weights[pieces] / weights[16];
    for (pieces, expected) in points {
        assert!((ratio(pieces as usize) - expected).abs() < 1e-12, "{pieces}");
    }
    // Between 8 and 16, slopes of 0.5 and 0.3 in units of 8: in the middle, their difference divided by 8 is added.
    assert!((ratio(12) - (0.7 + (0.5 - 0.3) / 8.0)).abs() < 1e-12);
    // Between 0 and 8, slopes of 0.4 and 0.5.
    assert!((ratio(4) - (0.2 + (0.4 - 0.5) / 8.0)).abs() < 1e-12);
    assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    // A spline below 0 is clamped to 0.
    let steep = wanted(&[(0.0, 1.0), (8.0, 0.0), (16.0, 0.0), (24.0, 1.0)]);
    assert!(steep.iter().all(|weight| *weight >= 0.0) && steep[12] == 0.0);
    assert_eq!(wanted(&[(7.0, 3.0)]), [1.0 / 33.0; 33]);
}

/// Random numbers of 0 to 1.
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1u64 << 53) as f64
}

#[test]
fn steering_reaches_the_distribution() {
    // 16 pieces are seen four times as often as 8 or 24; wanted are 1, 1 and 2.
    let points = [(7.0, 0.0), (8.0, 1.0), (9.0, 0.0), (15.0, 0.0), (16.0, 1.0), (17.0, 0.0)];
    let points = [&points[..], &[(23.0, 0.0), (24.0, 2.0), (25.0, 0.0)]].concat();
    let sampling = by_pieces(&points, 0.9).unwrap();
    let mut steering = sampling.steering().unwrap();
    let (mut kept, mut seen, mut seed) = ([0; 3], 0, 5);
    for step in 0..400_000 {
        let which = [0, 1, 1, 1, 1, 2][(random(&mut seed) * 6.0) as usize];
        let probability = steering.see([8, 16, 24][which]);
        if step >= 10_000 {
            seen += u64::from(which == 1);
            kept[which] += u64::from(random(&mut seed) < probability);
        }
    }
    let of = |which: usize| kept[which] as f64 / kept[1] as f64;
    assert!((of(0) - 1.0).abs() < 0.03 && (of(2) - 2.0).abs() < 0.06, "{kept:?}");
    assert!((kept[1] as f64 / seen as f64 - 0.1).abs() < 0.005, "{kept:?} of {seen}");
    // Numbers of pieces without a weight are never kept, and neither are boards with more than 32 pieces.
    assert_eq!([12, 33, 64, usize::MAX].map(|pieces| steering.see(pieces)), [0.0; 4]);
    // Steering continues from a restored state.
    let state = steering.state();
    let mut again = sampling.steering().unwrap().at(&state).unwrap();
    for pieces in (0..30_000).map(|step| step % 33) {
        assert_eq!(steering.see(pieces), again.see(pieces));
    }
    for bad in [&state[1..], &[f64::NAN; Steering::STATE], &[-1.0; Steering::STATE]] {
        assert!(sampling.steering().unwrap().at(bad).is_none());
    }
}

#[test]
fn steering_begins_with_shares() {
    let sampling = by_pieces(&[(0.0, 1.0)], 0.5).unwrap();
    let mut steering = sampling.steering().unwrap();
    // Alpha is 1 at first: the wanted share divided by the share seen.
    assert!((steering.see(4) - 1.0 / 33.0).abs() < 1e-12);
    assert!((steering.see(5) - 2.0 / 33.0).abs() < 1e-12);
    (2..99).for_each(|_| assert!(steering.see(4) < 0.1));
    // After 100 rows, 99 of which have four pieces, these are kept with the lowest probability, and the other always.
    assert!((steering.see(4) - 0.5).abs() < 1e-12);
    assert_eq!(steering.see(5), 1.0);
}

#[test]
fn steering_keeps_its_probabilities() {
    let sampling = by_pieces(&[(0.0, 1.0)], 0.8).unwrap();
    for seed in 0..4 {
        let [mut decides, mut tells] = [sampling.steering().unwrap(), sampling.steering().unwrap()];
        let draws = Draws::of_steering(seed, 0, (0, 1));
        let (mut kept, mut expected) = ([0.0; 2], [0.0; 2]);
        // Three rows in four have eight pieces.
        for row in 0..40_000 {
            let which = usize::from(row % 4 == 0);
            expected[which] += tells.see(8 + which);
            kept[which] += f64::from(decides.accepts(draws, 8 + which));
        }
        assert_eq!(decides.state(), tells.state());
        for (kept, expected) in kept.into_iter().zip(expected) {
            assert!((kept - expected).abs() < 300.0, "{kept} of {expected}");
        }
    }
}

#[test]
fn placeholder_zeros_are_detected() {
    const NONE: i32 = Records::NO_SCORE;
    let found = |rows: &[(i32, i8, u32)]| {
        let mut records = Records::new();
        for &(score, result, ply) in rows {
            records.score.push(score);
            records.result.push(result);
            records.ply.push(ply);
        }
        let mut whole = records.clone();
        PlaceholderZeros::new(100).remove_all(&mut whole);
        // The state continues from batch to batch.
        let (mut zeros, mut parts) = (PlaceholderZeros::new(100), Vec::new());
        for row in 0..rows.len() {
            let mut one = Records::new();
            one.score.push(records.score[row]);
            one.result.push(records.result[row]);
            one.ply.push(records.ply[row]);
            zeros.remove_all(&mut one);
            parts.push(one.score[0]);
        }
        assert_eq!(whole.score, parts);
        parts
    };
    // After a large score, and again after the placeholder, because the last score is unchanged.
    assert_eq!(found(&[(-101, 1, 3), (0, -1, 4), (0, 1, 5)]), [-101, NONE, NONE]);
    // The last score may precede a missing one.
    assert_eq!(found(&[(101, 1, 3), (NONE, -1, 4), (0, 1, 5)]), [101, NONE, NONE]);
    // Not placeholders: after a small score, in a drawn game, in another game.
    assert_eq!(found(&[(100, 1, 3), (0, -1, 4)]), [100, 0]);
    assert_eq!(found(&[(500, 0, 3), (0, 0, 4)]), [500, 0]);
    assert_eq!(found(&[(500, 1, 3), (0, 1, 3), (0, -1, 4)]), [500, 0, 0]);
    assert_eq!(found(&[(0, 1, 0)]), [0]);
}

#[test]
fn wrong_numbers_are_errors() {
    for points in
        [&[][..], &[(0.0, 1.1)], &[(-1.0, 0.5)], &[(3.0, 0.1), (3.0, 0.2)], &[(0.0, f64::NAN)]]
    {
        assert!(by_ply(points).is_err(), "{points:?}");
    }
    assert!(by_ply(&[(1e9, 0.5)]).is_err());
    for (points, max) in [
        (&[][..], 0.5),
        (&[(0.0, 0.0)], 0.5),
        (&[(33.0, 1.0)], 0.5),
        (&[(0.0, f64::INFINITY)], 0.5),
        (&[(0.0, f64::MAX), (32.0, f64::MAX)], 0.5),
        (&[(0.0, 1.0)], 1.0),
        (&[(0.0, 1.0)], f64::NAN),
    ] {
        assert!(by_pieces(points, max).is_err(), "{points:?} {max}");
    }
    for model in [
        WinRate { b: [0.0; 4], ..MODEL },
        WinRate { a: [f64::NAN; 4], ..MODEL },
        WinRate { ply_unit: 0.0, ..MODEL },
        WinRate { max_ply: u32::MAX, ..MODEL },
        WinRate { max_score: -1.0, ..MODEL },
        WinRate { a: [f64::MAX; 4], ..MODEL },
    ] {
        assert!(by_outcome(model).is_err(), "{model:?}");
    }
    assert!(by_outcome(MODEL).is_ok());
}

#[test]
fn steering_halves_its_counts() {
    let sampling = by_pieces(&[(0.0, 1.0)], 0.5).unwrap();
    let mut steering = sampling.steering().unwrap();
    let counts = |steering: &Steering| {
        let state = steering.state();
        (state[8], state[20], state[33])
    };
    for row in 0..9_999 {
        let _ = steering.see(if row % 3 == 0 { 8 } else { 20 });
    }
    assert_eq!(counts(&steering), (3333.0, 6666.0, 9999.0));
    steering.see(8);
    assert_eq!(counts(&steering), (1667.0, 3333.0, 5000.0));
    for _ in 0..10_000 {
        let _ = steering.see(20);
    }
    assert_eq!(counts(&steering), (833.5, 6666.5, 7500.0));
}

const ALL: u64 = 40_000;

/// Returns the rows that a sampling keeps, with one row in `one_in` by chance.
fn kept(options: &SamplingOptions, one_in: u64, of: impl Fn(u64) -> Preview) -> Vec<u64> {
    let sampling = Sampling::new(options).unwrap();
    let draws = Draws::of_file(7, 0, 0);
    let (required, on_missing, out) = ([false; 2], OnMissing::Null, SampledOut::default());
    let mut sampler = Sampler {
        sampling: &sampling,
        draws,
        one_in,
        prior_one_in: 1,
        required,
        on_missing,
        row: 0,
        out,
    };
    (0..ALL).filter(|row| sampler.accepts(&of(*row), |_| ())).collect()
}

fn options() -> SamplingOptions {
    SamplingOptions::default()
}

fn preview(ply: u32) -> Preview {
    Preview { score: 0, result: 1, ply: Some(ply), pieces: 20 }
}

#[test]
fn chance_is_independent_of_ply_and_outcome() {
    // One row in two by chance, half of the rows by ply or by outcome: a quarter if they are independent, half or
    // none of them if both use the same numbers.
    let ply = SamplingOptions { ply: Some(vec![(0.0, 0.5)]), ..options() };
    let even = WinRate { a: [0.0; 4], ..WinRate::NNUE_PYTORCH_2026_07 };
    let outcome = SamplingOptions { outcome: Some(even), ..options() };
    for one_in in [2, 4] {
        for options in [&ply, &outcome] {
            let rows = kept(options, one_in, |_| preview(9)).len() as f64;
            let share = rows / ALL as f64 * one_in as f64;
            assert!((0.45..0.55).contains(&share), "one in {one_in}: {share}");
        }
    }
}

/// The rows that a seed keeps are the same in every version. Computed by another program from SplitMix64: chance has the
/// numbers at odd indices, ply and outcome those at even ones.
#[test]
fn chance_keeps_the_same_rows_in_every_version() {
    let draws = Draws::of_file(7, 1, 0);
    let rows: Vec<u64> = (0..40).filter(|row| is_sampled(draws, *row, 4)).collect();
    assert_eq!(rows, [2, 4, 7, 9, 13, 22, 25, 27, 28, 34, 37, 38]);
}

#[test]
fn missing_labels_are_those_of_the_option() {
    // Keeps rows whose result is the likely one, and drops most of the others.
    let outcome = Some(WinRate::NNUE_PYTORCH_2026_07);
    let sampling = Sampling::new(&SamplingOptions { outcome, ..options() }).unwrap();
    let missing = [Records::NO_SCORE, 900].map(|score| {
        [Records::NO_RESULT, 1].map(|result| Preview { score, result, ply: Some(60), pieces: 20 })
    });
    let accepted = |of: Preview, on_missing| {
        let draws = Draws::of_file(7, 0, 0);
        let (required, out) = ([true; 2], SampledOut::default());
        let (one_in, prior_one_in, row) = (1, 1, 0);
        let sampling = &sampling;
        let mut sampler =
            Sampler { sampling, draws, one_in, prior_one_in, required, on_missing, row, out };
        let mut seen = Vec::new();
        let kept: Vec<_> = (0..4000)
            .filter(|_| sampler.accepts(&of, |row| seen.push((row.score, row.result))))
            .collect();
        (kept, seen, sampler.out)
    };
    for of in missing.as_flattened() {
        let is_known = of.score == 900 && of.result == 1;
        for value in [-1, 0, 1] {
            let score = if of.score == 900 { 900 } else { value };
            let result = if of.result == 1 { 1 } else { value as i8 };
            let filled = Preview { score, result, ..*of };
            let (kept, seen, out) = accepted(*of, OnMissing::Value(value));
            assert_eq!((&kept, out), (&accepted(filled, OnMissing::Stop).0, out));
            assert_eq!(seen, [(score, result); 4000]);
            assert_eq!(kept.len() as u64 + out.outcome, 4000);
        }
        // What has no label is decided elsewhere, or dropped and counted.
        let (kept, seen, out) = accepted(*of, OnMissing::Stop);
        assert_eq!((kept.len() == 4000, seen.len()), (!is_known, if is_known { 4000 } else { 0 }));
        assert_eq!(out.outcome > 0, is_known);
        let (kept, _, out) = accepted(*of, OnMissing::Null);
        assert_eq!((kept.len() == 4000, out.outcome > 0), (!is_known, is_known));
        let (kept, _, out) = accepted(*of, OnMissing::Skip);
        assert_eq!((kept.is_empty(), out.missing), (!is_known, if is_known { 0 } else { 4000 }));
    }
}

#[test]
fn rows_that_chance_dropped_before_have_no_other_numbers() {
    let ply = SamplingOptions { ply: Some(vec![(0.0, 0.5)]), ..options() };
    let sampling = Sampling::new(&ply).unwrap();
    let draws = Draws::of_file(7, 0, 0);
    let mut sampler = Sampler {
        sampling: &sampling,
        draws,
        one_in: 1,
        prior_one_in: 4,
        required: [false; 2],
        on_missing: OnMissing::Null,
        row: 0,
        out: SampledOut::default(),
    };
    let reaching = (0..ALL).filter(|row| is_sampled(draws, *row, 4));
    let rows: Vec<_> = reaching.filter(|_| sampler.accepts(&preview(9), |_| ())).collect();
    assert_eq!(rows, kept(&ply, 4, |_| preview(9)));
}

#[test]
fn the_probability_is_that_of_the_ply() {
    let points = vec![(9.0, 0.0), (10.0, 1.0), (11.0, 1.0), (12.0, 0.0)];
    let options = SamplingOptions { ply: Some(points), ..options() };
    let rows = kept(&options, 1, |row| preview((row % 20) as u32));
    assert!(rows.into_iter().eq((0..ALL).filter(|row| [10, 11].contains(&(row % 20)))));
}
