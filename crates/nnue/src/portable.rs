//! The pairs of one position in plain integer code for any processor, and functions shared with other kernels.
//!
//! On each axis a slider attacks the lowest piece above it and the highest piece below it. Sliders are processed in the
//! order of the axis, so the lists equal those of the vector code.

use super::axes::{SQUARES, rays};
use super::numbers::{Tables, input};
use super::pairs::{BUFFER, Sets, Threat, Writer};
use super::slots::{Number, Output};
use setwise::bitboard::Direction::{NorthEast, NorthWest, SouthEast, SouthWest};
use setwise::leaper::{KING_ATTACKS, KNIGHT_ATTACKS};

impl Writer<'_> {
    /// Writes a pair at the end, and counts it if it exists.
    #[inline(always)]
    fn push(&mut self, from: u8, to: u8, is_there: bool) {
        self.buffer[self.len] = Threat::of(from, to);
        self.len += usize::from(is_there);
    }
}

/// The pairs of one position.
#[inline(always)]
pub(crate) fn pairs(sets: Sets, buffer: &mut [Threat; BUFFER]) -> usize {
    let mut list = Writer { buffer, len: 0 };
    let Sets { occupied, orthogonal, diagonal, pawns, knights, kings, pawn_victims } = sets;
    axis::<0>(&mut list, occupied, orthogonal);
    axis::<1>(&mut list, occupied, transpose(orthogonal));
    axis::<2>(&mut list, occupied, transpose(rotate_down(diagonal)));
    axis::<3>(&mut list, occupied, transpose(rotate_up(diagonal)));
    captures(&mut list, NorthWest.step(pawns[0]) & pawn_victims, -7);
    captures(&mut list, NorthEast.step(pawns[0]) & pawn_victims, -9);
    captures(&mut list, SouthWest.step(pawns[1]) & pawn_victims, 9);
    captures(&mut list, SouthEast.step(pawns[1]) & pawn_victims, 7);
    leaps(&mut list, knights, &KNIGHT_ATTACKS, occupied);
    leaps(&mut list, kings, &KING_ATTACKS, occupied);
    list.len
}

/// The pairs of an axis, slider by slider. `sliders` is in the order of the axis.
#[inline(always)]
fn axis<const AXIS: usize>(list: &mut Writer<'_>, occupied: u64, mut sliders: u64) {
    while sliders != 0 {
        let from = SQUARES[AXIS][sliders.trailing_zeros() as usize];
        let [above, below] = rays(AXIS, from).map(|ray| ray & occupied);
        // Always written, but only counted if there is a piece.
        list.push(from, above.trailing_zeros() as u8, above != 0);
        list.push(from, 63 ^ below.leading_zeros() as u8, below != 0);
        sliders &= sliders - 1;
    }
}

/// The pairs of pawns, by the attacked square.
#[inline(always)]
fn captures(list: &mut Writer<'_>, mut attacked: u64, back: i8) {
    while attacked != 0 {
        let to = attacked.trailing_zeros() as u8;
        list.push(to.wrapping_add_signed(back), to, true);
        attacked &= attacked - 1;
    }
}

/// The pairs of knights or kings, piece by piece.
#[inline(always)]
fn leaps(list: &mut Writer<'_>, mut leapers: u64, attacks: &[u64; 64], occupied: u64) {
    while leapers != 0 {
        let from = leapers.trailing_zeros() as u8;
        let mut attacked = attacks[usize::from(from)] & occupied;
        while attacked != 0 {
            list.push(from, attacked.trailing_zeros() as u8, true);
            attacked &= attacked - 1;
        }
        leapers &= leapers - 1;
    }
}

/// Transposes the board: files become ranks, as in the order of the second axis.
#[inline(always)]
pub(crate) fn transpose(mut set: u64) -> u64 {
    let mut swap = |by: u32, mask: u64| {
        let change = (set ^ (set >> by)) & mask;
        set ^= change ^ (change << by);
    };
    swap(7, 0x00aa_00aa_00aa_00aa);
    swap(14, 0x0000_cccc_0000_cccc);
    swap(28, 0x0000_0000_f0f0_f0f0);
    set
}

/// Rotates every rank towards the a-file by its index: diagonals become files.
#[inline(always)]
fn rotate_down(set: u64) -> u64 {
    turn(turn(turn(set, 1, ODD), 2, TWO), 4, FOUR)
}

/// Rotates every rank towards the h-file by its index: antidiagonals become files.
#[inline(always)]
fn rotate_up(set: u64) -> u64 {
    turn(turn(turn(set, 7, ODD), 6, TWO), 4, FOUR)
}

/// The ranks whose index has bit 0, bit 1, or bit 2.
const ODD: u64 = 0xff00_ff00_ff00_ff00;
const TWO: u64 = 0xffff_0000_ffff_0000;
const FOUR: u64 = 0xffff_ffff_0000_0000;

/// Rotates some ranks by some files towards the a-file.
#[inline(always)]
fn turn(set: u64, files: u32, ranks: u64) -> u64 {
    let unwrapped = 0x0101_0101_0101_0101 * (0xff >> files);
    let turned = set >> files & unwrapped | set << (8 - files) & !unwrapped;
    set ^ ((set ^ turned) & ranks)
}

/// Appends the inputs of both perspectives in the order of the pairs. `codes` has the code of each square.
#[inline(always)]
pub(crate) fn inputs<N: Number>(
    codes: &[u8; 64],
    threats: &[Threat],
    tables: &Tables,
    out: &mut Output<'_, N>,
) {
    for &threat in threats {
        let [attacker, victim] =
            [threat.from(), threat.to()].map(|square| codes[usize::from(square & 63)]);
        let pair = u32::from_le_bytes([threat.from(), threat.to(), attacker, victim]);
        for side in 0..2 {
            let (input, exists) = input(tables, out.flips[side], 8 * side as u8, pair);
            // Always written, but only counted if it exists.
            out.push(side, input, exists);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_turned_into_the_order_of_each_axis() {
        let turned: [fn(u64) -> u64; 3] =
            [transpose, |set| transpose(rotate_down(set)), |set| transpose(rotate_up(set))];
        for (turn, squares) in turned.iter().zip(&SQUARES[1..]) {
            for (place, square) in squares.iter().enumerate() {
                assert_eq!(turn(1 << square), 1 << place);
                assert_eq!(turn(!(1 << square)), !(1 << place));
            }
        }
    }
}
