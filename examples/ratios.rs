//! Compares all kernels and rivals in one process, alternating between them, so that clock drift affects all alike.
//!
//! Every round runs each of them briefly on boards in the cache; a ratio is the median over the rounds. Use it for
//! tuning; published figures come from criterion (`cargo bench`).
//!
//! ```text
//! cargo run --release --example ratios -- sliders --boards 4096 --rounds 400 --input typical
//! ```

#[allow(dead_code, unreachable_pub, reason = "each program takes what it needs of it")]
#[path = "../benches/support/mod.rs"]
mod support;

use std::time::Duration;

use support::fresh::Work;
use support::groups::{self, Group, Implementation};
use support::inputs::{Input, Reads};
use support::{changes, legal, threats};

/// How long each implementation runs in each round.
const TURN: Duration = Duration::from_micros(150);

/// All groups, in the order in which they run.
fn all() -> Vec<Group> {
    vec![
        groups::sliders(),
        groups::rays(),
        groups::maps(),
        groups::sliced(),
        groups::memory(),
        groups::position_latency(),
        groups::position_throughput(),
        groups::position_sets(),
        groups::position_maps(),
        threats::pairs(),
        threats::features(),
        threats::blocks(),
        threats::position(),
        changes::group(),
    ]
    .into_iter()
    .chain(legal::groups())
    .collect()
}

fn main() {
    let (mut chosen, mut boards, mut rounds, mut input) = (Vec::new(), 4096, 400, Input::Typical);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_else(|| panic!("{argument} needs a value"));
        match argument.as_str() {
            "--boards" => boards = value().parse().expect("a number of boards"),
            "--rounds" => rounds = value().parse().expect("a number of rounds"),
            "--input" => {
                input = Input::named(&value()).expect("sparse, midgame, typical, dense or random")
            }
            _ => chosen.push(argument),
        }
    }
    let groups = all();
    for name in &chosen {
        let known = groups.iter().any(|group| group.name.contains(name));
        assert!(known, "no group's name contains {name}");
    }
    let (mut work, mut games) = (None, None);
    for group in groups {
        if chosen.is_empty() || chosen.iter().any(|name| group.name.contains(name)) {
            let of_games = group.reads == Reads::Legal;
            let (work, name) = if of_games {
                (games.get_or_insert_with(|| Work::games(boards)), "games")
            } else {
                (work.get_or_insert_with(|| Work::new(input, boards)), input.name())
            };
            println!("{}, {boards} boards ({name}): {}", group.name, work.census());
            compare(&group, work, rounds);
            println!();
        }
    }
}

/// Prints the time per board of each implementation, and its speed relative to two of them.
fn compare(group: &Group, work: &mut Work, rounds: usize) {
    work.check(group);
    let boards = work.len();
    let mut answers = group.answers(boards);
    let mut time = |implementation: &Implementation, passes| {
        work.time(implementation, group.reads, passes, &mut answers).as_secs_f64()
    };
    let passes: Vec<u64> = group
        .implementations
        .iter()
        .map(|implementation| (TURN.as_secs_f64() / time(implementation, 3) * 3.0).max(1.0) as u64)
        .collect();

    let mut times = vec![Vec::with_capacity(rounds); group.implementations.len()];
    for _ in 0..rounds {
        for ((implementation, &passes), times) in
            group.implementations.iter().zip(&passes).zip(&mut times)
        {
            // The first pass is a warm-up and does not count.
            time(implementation, 1);
            times.push(time(implementation, passes) * 1e9 / passes as f64 / boards as f64);
        }
    }

    let against = |name: &str| {
        let at =
            group.implementations.iter().position(|implementation| implementation.name == name);
        at.map(|at| times[at].clone())
    };
    // Of each pair of rivals, one is in a group.
    let named = |rivals: &[(&str, &'static str)]| {
        rivals.iter().find_map(|(name, title)| Some((against(name)?, *title)))
    };
    let first = named(&[("kogge-stone-scalar", "x scalar"), ("byteboard-avx2", "x bytebrd")]);
    let second =
        named(&[("magic-loop", "x magic"), ("relist", "x relist"), ("cozy-chess", "x cozy")]);
    let title =
        |rival: &Option<(Vec<f64>, &'static str)>| rival.as_ref().map_or("", |rival| rival.1);
    println!(
        "{:<25} {:>6} {:>9} {:>9} {:>9}",
        "kernel",
        "block",
        "ns/board",
        title(&first),
        title(&second)
    );
    for (implementation, times) in group.implementations.iter().zip(&times) {
        // Empty where the group does not have the rival.
        let ratio = |rival: &Option<(Vec<f64>, &str)>| {
            rival.as_ref().map_or(String::new(), |(rival, _)| {
                let ratios = rival.iter().zip(times).map(|(rival, time)| rival / time);
                format!("{:.2}", median(ratios.collect()))
            })
        };
        println!(
            "{:<25} {:>6} {:>9.3} {:>9} {:>9}",
            implementation.name,
            implementation.block,
            median(times.clone()),
            ratio(&first),
            ratio(&second)
        );
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
