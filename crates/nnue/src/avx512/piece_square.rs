//! Inputs of pieces on squares with AVX-512, 32 squares at a time.
//!
//! `vpcompressb` makes a list of a set. A shuffle of the board of codes makes a board of planes for each perspective;
//! one permutation looks 32 squares up in it, which makes words of a square and its plane, and a multiplication of bytes
//! makes `square + 64 * plane` of them.

use core::arch::x86_64::*;

use super::tables::{ITSELF, LOW_BYTES, put, squares, table, words};
use crate::number::Number;
use crate::piece_square::PieceSquare;
use crate::squares::SquareList;

/// How many squares are read together.
const AT_ONCE: usize = 32;

/// The weights of a square and of its plane.
const WEIGHTS: i16 = 0x4001;

/// Lists the squares of a set.
#[inline(always)]
pub(super) fn list(set: u64, list: &mut SquareList) {
    list.set = set;
    // SAFETY: only the dispatch names this core, after it found AVX-512; and the list has space for 64 squares.
    unsafe { _mm512_storeu_si512(list.squares.as_mut_ptr().cast(), squares::<0>(set)) };
}

/// Writes the inputs of both perspectives behind `lens` others, and says how many there are then. The list was made here;
/// the codes are those of all squares.
#[inline(always)]
pub(super) fn write<N: Number>(
    block: &PieceSquare,
    codes: &[u8; 64],
    list: &SquareList,
    firsts: [u32; 2],
    flips: [u8; 2],
    lens: [usize; 2],
    buffers: [&mut [N]; 2],
) -> [usize; 2] {
    // Not all pieces have inputs: this is rare, and two lists.
    if !block.has_all() {
        return block.write(codes, list.set, firsts, flips, lens, buffers);
    }
    let count = list.set.count_ones() as usize;
    let written = count.next_multiple_of(AT_ONCE);
    let [white, black] = buffers;
    let white = &mut white[lens[0]..][..written];
    let black = &mut black[lens[1]..][..written];
    // SAFETY: only the dispatch names this core, after it found AVX-512 with VBMI. The list has space for 64 squares, and
    // there are no more. The slices end where the last vectors do.
    unsafe {
        let squares = _mm512_loadu_si512(list.squares.as_ptr().cast());
        let codes = table(codes);
        let mut done = 0;
        while done < written {
            let squares = _mm512_permutexvar_epi8(ITSELF[done / AT_ONCE].load(), squares);
            let mut side = 0;
            while side < 2 {
                let out = if side == 0 { white.as_mut_ptr() } else { black.as_mut_ptr() };
                let planes = _mm_loadu_si128(block.planes()[side].as_ptr().cast());
                let planes = _mm512_shuffle_epi8(_mm512_broadcast_i32x4(planes), codes);
                let seen = _mm512_xor_si512(squares, _mm512_set1_epi8(flips[side] as i8));
                let seen = _mm512_mask_permutexvar_epi8(seen, !LOW_BYTES, squares, planes);
                let inputs = _mm512_maddubs_epi16(seen, words(WEIGHTS));
                put(out.add(done), inputs, firsts[side]);
                side += 1;
            }
            done += AT_ONCE;
        }
    }
    [lens[0] + count, lens[1] + count]
}
