//! Measures the cost of a term's helper that is not inlined. Two terms with the same result, one with its helper inside
//! `term!` and one with a plain function, run alternately on every backend. A release build is required.
//!
//! ```text
//! cargo run --release --example inlining
//! ```

use std::hint::black_box;
use std::time::Instant;

use setwise::{Backend, Boards, Colour, Fen, Kernel, Numbers, Pieces, Role, Term, eval, leaper};

/// The difference of both sides' safe mobility, with the helper inside the macro.
struct Inlined;

/// The same difference, with the helper outside of the macro.
struct Called;

setwise::term! {
    fn inlined<B: Boards>(position: &Pieces<B>, colour: Colour) -> B::Numbers {
        let enemy = colour.opponent();
        let pawns = leaper::pawns(enemy, position.of(enemy, Role::Pawn));
        let free = !(position.colour(colour) | pawns);
        let mut sum = B::Numbers::splat(0);
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            sum += eval::attacker_counts_by_role(position, colour, role).sum_on(free);
        }
        sum
    }

    impl Term for Inlined {
        type Input = ();
        type Value = i16;

        fn eval<B: Boards>(&self, position: &Pieces<B>, _: ()) -> B::Numbers {
            inlined(position, Colour::White) - inlined(position, Colour::Black)
        }
    }

    impl Term for Called {
        type Input = ();
        type Value = i16;

        fn eval<B: Boards>(&self, position: &Pieces<B>, _: ()) -> B::Numbers {
            called(position, Colour::White) - called(position, Colour::Black)
        }
    }
}

/// Calls [`inlined`] from outside the macro. Inlining would be unpredictable there, so it is disabled.
#[inline(never)]
fn called<B: Boards>(position: &Pieces<B>, colour: Colour) -> B::Numbers {
    inlined(position, colour)
}

fn main() {
    if cfg!(debug_assertions) {
        panic!("this example is for a release build: add --release");
    }
    let lines = include_str!("../data/sample.epd").lines();
    let sample: Vec<Pieces> =
        lines.map(|line| Fen::parse(line).expect("the sample is well formed").pieces).collect();
    let positions: Vec<Pieces> = sample.into_iter().cycle().take(16_384).collect();
    println!("{:<14}{:>12}{:>12}{:>8}", "backend", "term! ns", "plain fn ns", "times");
    for backend in Backend::available() {
        let kernel = Kernel::new(backend).expect("it is available");
        let [mut fast, mut slow] = [(); 2].map(|()| vec![0; positions.len()]);
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..9 {
            let start = Instant::now();
            kernel.eval(&Inlined, black_box(&positions), &mut fast);
            let between = Instant::now();
            kernel.eval(&Called, black_box(&positions), &mut slow);
            times[0].push((between - start).as_secs_f64());
            times[1].push(between.elapsed().as_secs_f64());
        }
        assert_eq!(fast, slow);
        let [fast, slow] = times.map(|mut times| {
            times.sort_by(f64::total_cmp);
            times[times.len() / 2] * 1e9 / positions.len() as f64
        });
        println!("{:<14}{fast:>12.1}{slow:>12.1}{:>8.1}", backend.name(), slow / fast);
    }
}
