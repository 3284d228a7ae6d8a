//! What a set of instructions contributes to the pairs and inputs of one position: the portable code, unless a file next
//! to this one has faster code for it.

use super::input_number::InputNumber;
use super::numbers::Tables;
use super::pairs::{BUFFER, Sets, Threat};
use super::pawn_pairs::{PawnList, PawnPairs};
use super::piece_square::PieceSquare;
use super::portable;
use super::squares::SquareList;
use crate::pieces::Pieces;

/// Lists the pairs of a position and makes the inputs of both perspectives. Buffers of inputs have space for all inputs
/// of a set and [`SLACK`](super::features::SLACK) more.
pub(crate) trait Extractor {
    /// Who attacks whom: writes the pairs to the front of `buffer`, and says how many there are. The rest of `buffer` is
    /// unspecified.
    #[inline(always)]
    fn pairs(sets: Sets, buffer: &mut [Threat; BUFFER]) -> usize {
        portable::pairs(sets, buffer)
    }

    /// What stands on each square, as a code. No square holds two pieces.
    #[inline(always)]
    fn codes(pieces: &Pieces) -> [u8; 64] {
        portable::codes(pieces)
    }

    /// The inputs of the first `count` pairs for both perspectives, written to the fronts of two buffers. No square of
    /// the position holds two pieces.
    #[inline(always)]
    fn threats<N: InputNumber>(
        codes: &[u8; 64],
        pairs: &[Threat; BUFFER],
        count: usize,
        tables: &Tables,
        flips: [u8; 2],
        buffers: [&mut [N; BUFFER]; 2],
    ) -> [usize; 2] {
        portable::inputs(codes, &pairs[..count], tables, flips, buffers)
    }

    /// Lists the pawns of a position. No square holds two pieces.
    #[inline(always)]
    fn list_pawns(block: &PawnPairs, pieces: &Pieces, flips: [u8; 2], list: &mut PawnList) {
        block.list(pieces, flips, list);
    }

    /// Writes the inputs of pawn pairs behind `lens` others, and returns how many there are then.
    #[inline(always)]
    fn pawn_pairs<N: InputNumber>(
        block: &PawnPairs,
        list: &PawnList,
        _flips: [u8; 2],
        first: u32,
        lens: [usize; 2],
        buffers: [&mut [N]; 2],
    ) -> [usize; 2] {
        block.write(list, first, lens, buffers)
    }

    /// Lists the squares with pieces.
    #[inline(always)]
    fn list_squares(squares: u64, list: &mut SquareList) {
        list.set = squares;
    }

    /// Writes the inputs of pieces and squares behind `lens` others, and returns how many there are then. The codes are
    /// those of all squares.
    #[inline(always)]
    fn piece_square<N: InputNumber>(
        block: &PieceSquare,
        codes: &[u8; 64],
        list: &SquareList,
        firsts: [u32; 2],
        flips: [u8; 2],
        lens: [usize; 2],
        buffers: [&mut [N]; 2],
    ) -> [usize; 2] {
        block.write(codes, list.set, firsts, flips, lens, buffers)
    }
}

/// The portable code for everything.
pub(crate) struct Portable;

impl Extractor for Portable {}
