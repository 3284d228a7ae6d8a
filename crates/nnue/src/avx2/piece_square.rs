//! Inputs of pieces on squares with AVX2, 32 squares at a time.
//!
//! A table indexed by the byte of a rank converts a set to a list of squares, rank by rank. Then four byte shuffles
//! look up the pieces on 32 squares, one shuffle per perspective looks up their planes, and a multiplication of bytes
//! computes `square + 64 * plane`.

use core::arch::x86_64::*;

use super::tables::{load, on_squares};
use crate::piece_square::{PieceSquare, SquareList};
use crate::slots::{Number, Output};

/// The number of squares per step.
const AT_ONCE: usize = 32;

/// The weights of a square and of its plane.
const WEIGHTS: i16 = 0x4001;

/// Appends the inputs of both perspectives. `list.squares` must be filled; `codes` has the code of each square.
#[inline(always)]
pub(crate) fn write<N: Number>(
    block: &PieceSquare,
    codes: &[u8; 64],
    list: &SquareList,
    out: &mut Output<'_, N>,
) {
    // If some pieces have no inputs, which is rare, the perspectives have different lists.
    if !block.has_all {
        return block.write(codes, list.set, out);
    }
    let count = list.set.count_ones() as usize;
    let written = count.next_multiple_of(AT_ONCE);
    let (flips, firsts) = (out.flips, out.firsts);
    let [white, black] = out.next(written).map(|side| side.as_mut_ptr().cast::<N>());
    // SAFETY: only the dispatch calls this code, after it found AVX2. There are at most 64 squares, and the list has
    // space for 32 more. The slices include the last stores.
    unsafe {
        let board = [load(codes, 0), load(codes, 1), load(codes, 2), load(codes, 3)];
        let mut done = 0;
        while done < written {
            let squares = _mm256_loadu_si256(list.squares.as_ptr().add(done).cast());
            // Permutes 64-bit words, so that unpacking within 128-bit lanes restores the order.
            let squares = _mm256_permute4x64_epi64::<0b11_01_10_00>(squares);
            let codes = on_squares(board, squares);
            let mut side = 0;
            while side < 2 {
                let out = if side == 0 { white } else { black };
                let seen = _mm256_xor_si256(squares, _mm256_set1_epi8(flips[side] as i8));
                let planes = _mm256_shuffle_epi8(load(&block.planes[side], 0), codes);
                let low = _mm256_unpacklo_epi8(seen, planes);
                store(out.add(done), low, firsts[side]);
                let high = _mm256_unpackhi_epi8(seen, planes);
                store(out.add(done + AT_ONCE / 2), high, firsts[side]);
                side += 1;
            }
            done += AT_ONCE;
        }
    }
    out.advance([count; 2]);
}

/// Writes the inputs of sixteen squares. In `squares`, the plane follows each square.
///
/// # Safety
/// The processor must have AVX2, and `out` must have space for sixteen numbers.
#[inline(always)]
unsafe fn store<N: Number>(out: *mut N, squares: __m256i, first: u32) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let inputs = _mm256_maddubs_epi16(squares, _mm256_set1_epi16(WEIGHTS));
        if size_of::<N>() == 2 {
            let inputs = _mm256_add_epi16(inputs, _mm256_set1_epi16(first as i16));
            _mm256_storeu_si256(out.cast(), inputs);
        } else {
            let first = _mm256_set1_epi32(first as i32);
            let low = _mm256_cvtepu16_epi32(_mm256_castsi256_si128(inputs));
            let high = _mm256_cvtepu16_epi32(_mm256_extracti128_si256::<1>(inputs));
            _mm256_storeu_si256(out.cast(), _mm256_add_epi32(low, first));
            _mm256_storeu_si256(out.add(8).cast(), _mm256_add_epi32(high, first));
        }
    }
}
