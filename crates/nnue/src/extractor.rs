//! What a set of instructions contributes to the pairs and inputs of one position: the portable code, unless a file next
//! to this one has faster code for it.

use super::changes::{self, Board};
use super::number::Number;
use super::numbers::Tables;
use super::pairs::{BUFFER, Sets, Threat};
use super::pawn_pairs::{PawnList, PawnPairs};
use super::piece_square::PieceSquare;
use super::portable;
use super::squares::SquareList;
#[cfg(feature = "bulk")]
use super::stream::Stream;
use setwise::Pieces;

/// Lists the pairs of a position and makes the inputs of both perspectives. Buffers of inputs have space for all inputs
/// of a set and [`SLACK`](super::features::SLACK) more.
pub(crate) trait Extractor {
    /// A board for [changes](changes::write).
    type Board: Board;

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
    fn threats<N: Number>(
        codes: &[u8; 64],
        pairs: &[Threat; BUFFER],
        count: usize,
        tables: &Tables,
        flips: [u8; 2],
        buffers: [&mut [N; BUFFER]; 2],
    ) -> [usize; 2] {
        portable::inputs(codes, &pairs[..count], tables, flips, buffers)
    }

    /// Whether the pairs of many positions can be numbered together: [`index`](Self::index) for each of a stream, and then
    /// [`number`](Self::number).
    #[cfg(feature = "bulk")]
    const STREAMS: bool = false;

    /// Says of the pairs of one position of a stream who attacks whom, and where their places are.
    #[cfg(feature = "bulk")]
    #[inline(always)]
    fn index(_stream: &mut Stream, _position: usize, _pieces: &Pieces, _flips: [u8; 2]) {
        unreachable!("there are no streams");
    }

    /// Writes the inputs of a stream for both perspectives to the fronts of two buffers, which have space for so many and
    /// [`SLACK`](super::features::SLACK) more; the block is [narrow](super::stream::is_narrow), or the numbers have 16
    /// bits.
    #[cfg(feature = "bulk")]
    #[inline(always)]
    fn number<N: Number>(_stream: &mut Stream, _tables: &Tables, _buffers: [&mut [N]; 2]) {
        unreachable!("there are no streams");
    }

    /// Lists the pawns of a position. No square holds two pieces.
    #[inline(always)]
    fn list_pawns(block: &PawnPairs, pieces: &Pieces, flips: [u8; 2], list: &mut PawnList) {
        block.list(pieces, flips, list);
    }

    /// Writes the inputs of pawn pairs behind `lens` others, and returns how many there are then.
    #[inline(always)]
    fn pawn_pairs<N: Number>(
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
    fn piece_square<N: Number>(
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

impl Extractor for Portable {
    type Board = changes::portable::Plain;
}
