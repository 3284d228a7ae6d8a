//! Third-party code with the instructions of every backend: many positions as a task, one position as a table of
//! functions, and this crate's own intrinsics. Nothing outside `vectors` is unsafe.
#![deny(unsafe_code)]

use setwise::dispatch::{Level, MAX_BOARDS, Task};
use setwise::{Boards, Colour, Pieces, Role, leaper};

/// Computes the empty squares that a white knight reaches in two leaps in each position. The output is the backend.
pub struct TwoLeaps<'a> {
    pub positions: &'a [Pieces],
    pub reached: &'a mut [u64],
}

impl Task for TwoLeaps<'_> {
    type Output = setwise::Backend;

    #[inline(always)]
    fn run<L: Level>(self, level: L) -> setwise::Backend {
        let blocks = self.positions.chunks(L::BOARDS);
        for (block, out) in blocks.zip(self.reached.chunks_mut(L::BOARDS)) {
            let mut positions = [Pieces::EMPTY; MAX_BOARDS];
            positions[..block.len()].copy_from_slice(block);
            let reached = two_leaps(level.load_pieces(&positions[..L::BOARDS]));
            let mut boards = [0; MAX_BOARDS];
            level.store(reached, &mut boards[..L::BOARDS]);
            out.copy_from_slice(&boards[..out.len()]);
        }
        L::BACKEND
    }
}

/// Two leaps for any number of boards.
#[inline(always)]
pub fn two_leaps<B: Boards>(position: Pieces<B>) -> B {
    let occupied = position.white | position.black;
    let once = leaper::knights(position.of(Colour::White, Role::Knight)).without(occupied);
    leaper::knights(once).without(occupied)
}

setwise::functions! {
    /// Functions of one position.
    pub struct Questions {
        /// The sum of the elements at the set bits.
        pub fn sum<L: Level>(level: L, set: u64, values: &[u8; 64]) -> u32 {
            #[cfg(target_arch = "x86_64")]
            if level.enables(setwise::processor::Features::Avx2) {
                return vectors::sum(level, set, values);
            }
            let _ = level;
            (0..64).filter(|square| set >> square & 1 == 1).map(|square| u32::from(values[square])).sum()
        }

        /// Arguments that do not fit into registers.
        pub fn rotated<L: Level>(_level: L, boards: [u64; 8], by: u32) -> [u64; 8] {
            boards.map(|board| board.rotate_left(by))
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "intrinsics")]
mod vectors {
    use core::arch::x86_64::*;

    use setwise::dispatch::Level;
    use setwise::processor::Features;

    /// Adds eight bytes at a time, with the bits of the set as masks.
    #[inline(always)]
    pub(super) fn sum(level: impl Level, set: u64, values: &[u8; 64]) -> u32 {
        assert!(level.enables(Features::Avx2));
        let mut sum = 0;
        for (rank, values) in values.as_chunks::<8>().0.iter().enumerate() {
            // SAFETY: the level has AVX2 and BMI2.
            unsafe {
                let mask = _pdep_u64(set >> (8 * rank), 0x0101_0101_0101_0101) * 0xff;
                let chosen = _mm_cvtsi64_si128((u64::from_le_bytes(*values) & mask).cast_signed());
                sum += _mm_cvtsi128_si32(_mm_sad_epu8(chosen, _mm_setzero_si128())).cast_unsigned();
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use setwise::{Backend, Fen, Kernel};

    use super::*;

    fn positions() -> Vec<Pieces> {
        let fens = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "N6N/8/8/3NN3/8/8/8/N2k2KN w - - 0 1",
        ];
        fens.iter().cycle().take(131).map(|fen| fen.parse::<Fen>().expect("FEN").pieces).collect()
    }

    /// Computes the expected set leap by leap.
    fn expected(pieces: &Pieces) -> u64 {
        let free = !pieces.occupied();
        let leaps = |from: u64| -> u64 {
            (0..64).filter(|square| from >> square & 1 == 1).fold(0, |reached, square: u8| {
                (0..64)
                    .filter(|to: &u8| {
                        let files = (square % 8).abs_diff(to % 8);
                        let ranks = (square / 8).abs_diff(to / 8);
                        files * ranks == 2
                    })
                    .fold(reached, |reached, to| reached | 1 << to)
            })
        };
        leaps(leaps(pieces.knights & pieces.white) & free) & free
    }

    #[test]
    fn a_task_runs_on_every_backend() {
        let positions = positions();
        for kernel in Kernel::available() {
            for rows in [0, 1, 7, 31, 64, 65, 131] {
                let mut reached = vec![0; rows];
                let backend =
                    kernel.run(TwoLeaps { positions: &positions[..rows], reached: &mut reached });
                assert_eq!(backend, kernel.backend());
                assert!(
                    positions[..rows].iter().map(expected).eq(reached.iter().copied()),
                    "{backend}"
                );
            }
        }
        assert!(Backend::available().count() >= 3);
    }

    #[test]
    fn functions_run_on_every_backend() {
        let values = core::array::from_fn(|square| (square * 37 % 256) as u8);
        for kernel in Kernel::available() {
            let questions = Questions::of(kernel);
            for pieces in &positions()[..4] {
                let set = pieces.occupied();
                let expected: u32 = (0..64_u8)
                    .filter(|&square| set >> square & 1 == 1)
                    .map(|square| u32::from(values[usize::from(square)]))
                    .sum();
                assert_eq!(questions.sum(set, &values), expected, "{}", kernel.backend());
                let boards = pieces.sets();
                let rotated = questions.rotated(boards, 9);
                assert!(boards.iter().zip(rotated).all(|(board, to)| board.rotate_left(9) == to));
            }
        }
    }
}
