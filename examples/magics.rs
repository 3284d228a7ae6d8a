//! Finds magic numbers for rooks and bishops, fills their tables, and checks each entry: how an engine makes its own
//! tables from `line`.
//!
//! ```text
//! cargo run --release --example magics
//! ```

use setwise::line;

/// Multiplied by the magic number, the relevant occupancy has a separate index in the highest bits for each set of
/// attacks.
struct Magic {
    relevant: u64,
    number: u64,
    table: Vec<u64>,
}

impl Magic {
    fn index(&self, occupied: u64) -> usize {
        let bits = self.relevant.count_ones();
        ((occupied & self.relevant).wrapping_mul(self.number) >> (64 - bits)) as usize
    }

    fn attacks(&self, occupied: u64) -> u64 {
        self.table[self.index(occupied)]
    }

    /// Tries sparse random numbers until the table has no collision.
    fn find(relevant: u64, attacks: impl Fn(u64) -> u64, random: &mut impl FnMut() -> u64) -> Self {
        let known: Vec<(u64, u64)> =
            line::subsets(relevant).map(|set| (set, attacks(set))).collect();
        let mut magic = Self { relevant, number: 0, table: Vec::new() };
        'numbers: loop {
            magic.number = random() & random() & random();
            magic.table = vec![0; known.len()];
            for &(occupied, attacks) in &known {
                let index = magic.index(occupied);
                // No slider attacks nothing, so 0 is an empty entry.
                if magic.table[index] != 0 && magic.table[index] != attacks {
                    continue 'numbers;
                }
                magic.table[index] = attacks;
            }
            return magic;
        }
    }
}

fn main() {
    let mut state = 1_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let (mut bytes, mut checked) = (0, 0);
    for square in 0..64 {
        let rook = |occupied| line::rook_attacks(square, occupied);
        let bishop = |occupied| line::bishop_attacks(square, occupied);
        let rooks = Magic::find(line::rook_relevant_occupancy(square), rook, &mut random);
        let bishops = Magic::find(line::bishop_relevant_occupancy(square), bishop, &mut random);
        for occupied in line::subsets(rooks.relevant) {
            assert_eq!(rooks.attacks(occupied), rook(occupied));
            checked += 1;
        }
        for occupied in line::subsets(bishops.relevant) {
            assert_eq!(bishops.attacks(occupied), bishop(occupied));
            checked += 1;
        }
        bytes += 8 * (rooks.table.len() + bishops.table.len());
        println!("{square:2} rook {:#018x} bishop {:#018x}", rooks.number, bishops.number);
    }
    println!("{} KB of tables, {checked} entries checked", bytes / 1024);
}
