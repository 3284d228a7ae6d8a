//! Pairs and inputs of positions with AVX-512 BW, VBMI, VBMI2 and BITALG, GFNI and BMI2.

use super::avx2::Avx2;
use super::changes::avx512::Vbmi;
use super::extractor::Extractor;
use super::number::Number;
use super::numbers::Tables;
use super::pairs::{BUFFER, Sets, Threat};
use super::pawn_pairs::{PawnList, PawnPairs};
use super::piece_square::PieceSquare;
use super::squares::SquareList;
#[cfg(feature = "bulk")]
use super::stream::Stream;
use setwise::Pieces;

mod inputs;
mod pairs;
#[cfg(feature = "bulk")]
mod stream;
mod tables;

/// Only `by_level!` names this type, where a level has them.
pub(crate) struct Avx512;

impl Extractor for Avx512 {
    type Board = Vbmi;

    #[inline(always)]
    fn pairs(sets: Sets, buffer: &mut [Threat; BUFFER]) -> usize {
        pairs::pairs(sets, buffer)
    }

    #[inline(always)]
    fn codes(pieces: &Pieces) -> [u8; 64] {
        tables::codes(pieces)
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
        inputs::inputs(codes, pairs, count, tables, flips, buffers)
    }

    #[cfg(feature = "bulk")]
    const STREAMS: bool = true;

    #[cfg(feature = "bulk")]
    #[inline(always)]
    fn index(stream: &mut Stream, position: usize, pieces: &Pieces, flips: [u8; 2]) {
        stream::index(stream, position, pieces, flips);
    }

    #[cfg(feature = "bulk")]
    #[inline(always)]
    fn number<N: Number>(stream: &mut Stream, tables: &Tables, buffers: [&mut [N]; 2]) {
        stream::number(stream, tables, buffers);
    }

    #[inline(always)]
    fn list_pawns(block: &PawnPairs, pieces: &Pieces, flips: [u8; 2], list: &mut PawnList) {
        Avx2::list_pawns(block, pieces, flips, list);
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
        Avx2::pawn_pairs(block, list, flips, first, lens, buffers)
    }

    #[inline(always)]
    fn list_squares(squares: u64, list: &mut SquareList) {
        Avx2::list_squares(squares, list);
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
        Avx2::piece_square(block, codes, list, firsts, flips, lens, buffers)
    }
}
