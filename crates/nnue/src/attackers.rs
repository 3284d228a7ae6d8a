//! The number of a side's attackers of each square, one position at a time.

use setwise::dispatch::{Level, MAX_BOARDS, Task};
use setwise::{Colour, Pieces, Positions, eval, line};

/// Counts a side's attackers of each square.
pub(crate) struct CountAttackers<'a> {
    pub(crate) positions: Positions<'a>,
    pub(crate) colour: Colour,
    /// True if sliders also attack through sliders of their side that move along the same line.
    pub(crate) batteries: bool,
    pub(crate) numbers: &'a mut [[u8; 64]],
}

impl Task for CountAttackers<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Level>(self, level: L) {
        let Self { positions, colour, batteries, numbers } = self;
        let mut scratch = None;
        for (part, numbers) in numbers.chunks_mut(MAX_BOARDS).enumerate() {
            let first = part * MAX_BOARDS;
            let rows = positions.as_rows(level, first..first + numbers.len(), &mut scratch);
            for (numbers, pieces) in numbers.iter_mut().zip(rows) {
                *numbers = eval::attacker_counts(pieces, &eval::rays(pieces, colour)).to_array();
                if batteries {
                    add_hidden(pieces, colour, numbers);
                }
            }
        }
    }
}

/// Adds the squares that sliders attack only through sliders of their side on the same line.
fn add_hidden(pieces: &Pieces, colour: Colour, numbers: &mut [u8; 64]) {
    let occupied = pieces.occupied();
    let mut add = |sliders: u64, attacks: fn(u8, u64) -> u64| {
        for from in squares(sliders) {
            let hidden = attacks(from, occupied & !sliders) & !attacks(from, occupied);
            squares(hidden).for_each(|to| numbers[usize::from(to)] += 1);
        }
    };
    add(pieces.orthogonal(colour), line::rook_attacks);
    add(pieces.diagonal(colour), line::bishop_attacks);
}

fn squares(set: u64) -> impl Iterator<Item = u8> {
    (0..64).filter(move |square| set >> square & 1 == 1)
}
