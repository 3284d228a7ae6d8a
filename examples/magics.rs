//! Fills fancy-magic tables for rooks and bishops without a data file: the magics by random search, the
//! attacks by one batch per square.
//!
//! `cargo run --release --example magics` makes all 107,648 entries, checks them and says how long it took.
//!
//! A magic table answers "what does a rook on this square attack?" with one look-up. Only the men of the
//! relevant occupancy matter; multiplying them by the right factor, the magic, gathers them in the top
//! bits of the product, and those bits are the place in the table:
//!
//! ```text
//! attacks = table[offset + ((occupied & mask) * factor >> shift)]
//! ```
//!
//! A factor is good if two sets of men come to the same place only where the attacks are the same. Nobody
//! knows how to compute one, but one in tens of thousands of random numbers with few bits is good.

use std::time::Instant;

use setwise::{Kernel, line};

fn main() {
    let start = Instant::now();
    let kernel = Kernel::detect();
    let mut random = Random(0x5e71_015e);
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
    /// The squares on which a man changes the attacks.
    fn relevant_occupancy(self, square: usize) -> u64 {
        match self {
            Self::Rook => line::rook_relevant_occupancy(square),
            Self::Bishop => line::bishop_relevant_occupancy(square),
        }
    }

    /// The attacks for many sets of men: a board per row, the slider on the same square in each.
    fn attacks(self, kernel: Kernel, square: usize, occupied: &[u64]) -> Vec<u64> {
        let slider = vec![1 << square; occupied.len()];
        let none = vec![0; occupied.len()];
        let mut attacks = vec![0; occupied.len()];
        match self {
            Self::Rook => kernel.slider_attacks(occupied, &slider, &none, &mut attacks),
            Self::Bishop => kernel.slider_attacks(occupied, &none, &slider, &mut attacks),
        }
        attacks
    }

    /// The attacks for one set of men, found another way.
    fn attacks_once(self, square: usize, occupied: u64) -> u64 {
        match self {
            Self::Rook => line::rook(square, occupied),
            Self::Bishop => line::bishop(square, occupied),
        }
    }
}

/// A magic per square, and the table they share.
struct Magics {
    squares: Vec<Magic>,
    table: Vec<u64>,
    tries: u64,
}

/// How to find a square's part of the table and the place in it.
struct Magic {
    mask: u64,
    factor: u64,
    shift: u32,
    offset: usize,
}

impl Magic {
    fn place(&self, occupied: u64) -> usize {
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
            // No slider attacks nothing, so an empty place in the part is a zero.
            let mut part = vec![0; occupied.len()];
            loop {
                magics.tries += 1;
                magic.factor = random.sparse();
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

    /// Compares the answer for every set of men with another way to find it; gives their number.
    fn check(&self, slider: Slider) -> usize {
        let mut checked = 0;
        for (square, magic) in self.squares.iter().enumerate() {
            for occupied in line::subsets(magic.mask) {
                let attacks = self.table[magic.place(occupied)];
                assert_eq!(attacks, slider.attacks_once(square, occupied));
                checked += 1;
            }
        }
        checked
    }
}

/// Puts all attacks in their places; gives up where two that differ meet.
fn fill(part: &mut [u64], magic: &Magic, occupied: &[u64], attacks: &[u64]) -> bool {
    // A factor that brings few men to the top cannot spread them.
    if (magic.mask.wrapping_mul(magic.factor) >> 56).count_ones() < 6 {
        return false;
    }
    part.fill(0);
    for (&occupied, &attacks) in occupied.iter().zip(attacks) {
        let place = &mut part[magic.place(occupied)];
        if *place != 0 && *place != attacks {
            return false;
        }
        *place = attacks;
    }
    true
}

/// Numbers by splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// One bit in eight set: such factors make good magics more often.
    fn sparse(&mut self) -> u64 {
        self.next() & self.next() & self.next()
    }
}
