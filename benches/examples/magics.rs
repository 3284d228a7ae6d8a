//! Fills fancy-magic tables for rooks and bishops without a data file: a random search finds the magics, and one batch
//! per square computes the attacks.
//!
//! `cargo run --release -p setwise-benches --example magics` makes all 107,648 entries, checks them and prints how long it took.
//!
//! A magic table answers "what does a rook on this square attack?" with one lookup. Only blockers on the relevant
//! squares matter. Multiplying them by the right factor, the magic, gathers their bits at the top of the product, and
//! these bits are the index into the table:
//!
//! ```text
//! attacks = table[offset + ((occupied & mask) * factor >> shift)]
//! ```
//!
//! A factor is good if sets of blockers share an index only where their attacks are the same. There is no known way to
//! compute one, but one in tens of thousands of sparse random numbers is good.

use std::time::Instant;

use random::Random;
use setwise::{Kernel, line};

#[allow(dead_code, unreachable_pub, reason = "each program uses a part of it")]
#[path = "../support/random.rs"]
mod random;

fn main() {
    let start = Instant::now();
    let kernel = Kernel::detect();
    let mut random = Random::new(0x5e71_015e);
    let rooks = Magics::new(Slider::Rook, kernel, &mut random);
    let bishops = Magics::new(Slider::Bishop, kernel, &mut random);
    let made = start.elapsed();

    let checked = rooks.check(Slider::Rook) + bishops.check(Slider::Bishop);
    assert_eq!(checked, 107_648);

    for (name, magics) in [("rooks", &rooks), ("bishops", &bishops)] {
        let entries = magics.table.len();
        println!("{name:<8} {entries:>7} entries {:>4} KiB", entries * 8 / 1024);
    }
    println!(
        "made in {:.0} ms with {}, after {} tries at magics; all {checked} entries checked",
        made.as_secs_f64() * 1e3,
        kernel.backend(),
        rooks.tries + bishops.tries,
    );
}

#[derive(Clone, Copy)]
enum Slider {
    Rook,
    Bishop,
}

impl Slider {
    /// The squares on which a blocker changes the attacks.
    fn relevant_occupancy(self, square: u8) -> u64 {
        match self {
            Self::Rook => line::rook_relevant_occupancy(square),
            Self::Bishop => line::bishop_relevant_occupancy(square),
        }
    }

    /// The attacks for many sets of blockers: a board per row, the slider on the same square in each.
    fn attacks(self, kernel: Kernel, square: u8, occupied: &[u64]) -> Vec<u64> {
        let slider = vec![1 << square; occupied.len()];
        let none = vec![0; occupied.len()];
        let mut attacks = vec![0; occupied.len()];
        match self {
            Self::Rook => kernel.slider_attacks(&slider, &none, occupied, &mut attacks),
            Self::Bishop => kernel.slider_attacks(&none, &slider, occupied, &mut attacks),
        }
        attacks
    }

    /// The attacks for one set of blockers, computed another way.
    fn attacks_once(self, square: u8, occupied: u64) -> u64 {
        match self {
            Self::Rook => line::rook_attacks(square, occupied),
            Self::Bishop => line::bishop_attacks(square, occupied),
        }
    }
}

/// A magic per square, and the table they share.
struct Magics {
    squares: Vec<Magic>,
    table: Vec<u64>,
    tries: u64,
}

/// How to find a square's part of the table and the index in it.
struct Magic {
    mask: u64,
    factor: u64,
    shift: u32,
    offset: usize,
}

impl Magic {
    fn index(&self, occupied: u64) -> usize {
        self.offset + ((occupied & self.mask).wrapping_mul(self.factor) >> self.shift) as usize
    }
}

impl Magics {
    fn new(slider: Slider, kernel: Kernel, random: &mut Random) -> Self {
        let mut magics = Self { squares: Vec::new(), table: Vec::new(), tries: 0 };
        for square in 0..64 {
            let mask = slider.relevant_occupancy(square);
            let occupied: Vec<u64> = line::subsets(mask).collect();
            let attacks = slider.attacks(kernel, square, &occupied);
            let mut magic = Magic { mask, factor: 0, shift: 64 - mask.count_ones(), offset: 0 };
            // Every slider attacks something, so zero marks an unused entry.
            let mut part = vec![0; occupied.len()];
            loop {
                magics.tries += 1;
                magic.factor = sparse(random);
                if fill(&mut part, &magic, &occupied, &attacks) {
                    break;
                }
            }
            magic.offset = magics.table.len();
            magics.table.extend(part);
            magics.squares.push(magic);
        }
        magics
    }

    /// Compares the answer for every set of blockers with one computed another way; returns their number.
    fn check(&self, slider: Slider) -> usize {
        let mut checked = 0;
        for (square, magic) in (0..).zip(&self.squares) {
            for occupied in line::subsets(magic.mask) {
                let attacks = self.table[magic.index(occupied)];
                assert_eq!(attacks, slider.attacks_once(square, occupied));
                checked += 1;
            }
        }
        checked
    }
}

/// Fills a square's part of the table; returns false if two different answers share an index.
fn fill(part: &mut [u64], magic: &Magic, occupied: &[u64], attacks: &[u64]) -> bool {
    // A factor that moves few bits to the top cannot spread the blockers.
    if (magic.mask.wrapping_mul(magic.factor) >> 56).count_ones() < 6 {
        return false;
    }
    part.fill(0);
    for (&occupied, &attacks) in occupied.iter().zip(attacks) {
        let entry = &mut part[magic.index(occupied)];
        if *entry != 0 && *entry != attacks {
            return false;
        }
        *entry = attacks;
    }
    true
}

/// A random number with one bit in eight set: such factors are more often good.
fn sparse(random: &mut Random) -> u64 {
    random.word() & random.word() & random.word()
}
