//! Pairs and inputs of one position with AVX2 and BMI2.

use super::changes::avx2::Lanes;
use super::extractor::Extractor;
use super::number::Number;
use super::numbers::Tables;
use super::pairs::{BUFFER, Sets, Threat};
use super::pawn_pairs::{PawnList, PawnPairs};
use super::piece_square::PieceSquare;
#[cfg(feature = "std")]
use super::portable;
use super::squares::SquareList;
use setwise::Pieces;

mod inputs;
mod pairs;
mod pawn_pairs;
mod piece_square;
mod tables;

pub(super) use inputs::PLACES_OF_BOTH;

/// Only `by_level!` names this type, where a level has AVX2 and BMI2.
pub(crate) struct Avx2;

impl Extractor for Avx2 {
    type Board = Lanes;

    #[inline(always)]
    fn pairs(sets: Sets, buffer: &mut [Threat; BUFFER]) -> usize {
        #[cfg(feature = "std")]
        if !setwise::processor::has_fast_pext() {
            return portable_pairs(sets, buffer);
        }
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

    #[inline(always)]
    fn list_pawns(block: &PawnPairs, pieces: &Pieces, flips: [u8; 2], list: &mut PawnList) {
        pawn_pairs::list(block, pieces, flips, list);
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
        pawn_pairs::write(block, list, flips, first, lens, buffers)
    }

    #[inline(always)]
    fn list_squares(squares: u64, list: &mut SquareList) {
        piece_square::list(squares, list);
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
        piece_square::write(block, codes, list, firsts, flips, lens, buffers)
    }
}

/// The pairs where `pext` is microcode: some twenty of them would take longer than everything else.
#[cfg(feature = "std")]
#[cold]
#[inline(never)]
fn portable_pairs(sets: Sets, buffer: &mut [Threat; BUFFER]) -> usize {
    portable::pairs(sets, buffer)
}
