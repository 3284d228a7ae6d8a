//! Pairs and inputs of positions with AVX-512 BW, VBMI, VBMI2 and BITALG, GFNI and BMI2.

use super::avx2::Avx2;
use super::extractor::Extractor;
use super::input_number::Number;
use super::numbers::Tables;
use super::pairs::{BUFFER, Sets, Threat};
use super::pawn_pairs::{PawnList, PawnPairs};
use super::piece_square::PieceSquare;
use super::squares::SquareList;
#[cfg(all(feature = "bulk", feature = "std"))]
use super::stream::Stream;
use crate::pieces::Pieces;

mod inputs;
mod pairs;
mod pawn_pairs;
mod piece_square;
#[cfg(all(feature = "bulk", feature = "std"))]
mod stream;
mod tables;

/// Only the dispatch names this type, if the processor has AVX-512 with BMI2; and VBMI, VBMI2, BITALG and GFNI if
/// `VBMI2` is true. Without these it is the code of AVX2.
pub struct Avx512<const VBMI2: bool>;

impl<const VBMI2: bool> Extractor for Avx512<VBMI2> {
    #[inline(always)]
    fn pairs(sets: Sets, buffer: &mut [Threat; BUFFER]) -> usize {
        if VBMI2 { pairs::pairs(sets, buffer) } else { Avx2::pairs(sets, buffer) }
    }

    #[inline(always)]
    fn codes(pieces: &Pieces) -> [u8; 64] {
        if VBMI2 { tables::codes(pieces) } else { Avx2::codes(pieces) }
    }

    #[inline(always)]
    fn threats<N: Number>(
        codes: &[u8; 64],
        pairs: &[Threat; BUFFER],
        count: usize,
        tables: &Tables,
        flips: [u8; 2],
        buffers: [&mut [N; BUFFER]; 2],
    ) -> [usize; 2] {
        if VBMI2 {
            inputs::inputs(codes, pairs, count, tables, flips, buffers)
        } else {
            Avx2::threats(codes, pairs, count, tables, flips, buffers)
        }
    }

    #[cfg(all(feature = "bulk", feature = "std"))]
    const STREAMS: bool = VBMI2;

    #[cfg(all(feature = "bulk", feature = "std"))]
    #[inline(always)]
    fn index(stream: &mut Stream, position: usize, pieces: &Pieces, flips: [u8; 2]) {
        stream::index(stream, position, pieces, flips);
    }

    #[cfg(all(feature = "bulk", feature = "std"))]
    #[inline(always)]
    fn number<N: Number>(stream: &mut Stream, tables: &Tables, buffers: [&mut [N]; 2]) {
        stream::number(stream, tables, buffers);
    }

    #[inline(always)]
    fn list_pawns(block: &PawnPairs, pieces: &Pieces, flips: [u8; 2], list: &mut PawnList) {
        if VBMI2 {
            pawn_pairs::list(block, pieces, flips, list);
        } else {
            Avx2::list_pawns(block, pieces, flips, list);
        }
    }

    #[inline(always)]
    fn pawn_pairs<N: Number>(
        block: &PawnPairs,
        list: &PawnList,
        flips: [u8; 2],
        first: u32,
        lens: [usize; 2],
        buffers: [&mut [N]; 2],
    ) -> [usize; 2] {
        if VBMI2 {
            pawn_pairs::write(block, list, flips, first, lens, buffers)
        } else {
            Avx2::pawn_pairs(block, list, flips, first, lens, buffers)
        }
    }

    #[inline(always)]
    fn list_squares(squares: u64, list: &mut SquareList) {
        if VBMI2 {
            piece_square::list(squares, list);
        } else {
            Avx2::list_squares(squares, list);
        }
    }

    #[inline(always)]
    fn piece_square<N: Number>(
        block: &PieceSquare,
        codes: &[u8; 64],
        list: &SquareList,
        firsts: [u32; 2],
        flips: [u8; 2],
        lens: [usize; 2],
        buffers: [&mut [N]; 2],
    ) -> [usize; 2] {
        if VBMI2 {
            piece_square::write(block, codes, list, firsts, flips, lens, buffers)
        } else {
            Avx2::piece_square(block, codes, list, firsts, flips, lens, buffers)
        }
    }
}
