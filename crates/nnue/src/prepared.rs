//! What the inputs of a position are made of, for all blocks of a feature set and both perspectives; and the inputs.
//!
//! Lists are made first and read later, at best after those of some other positions: a vector that is read right after
//! its words were written waits until they have reached the cache.

use crate::extractor::Extractor;
use crate::features::{Block, FeatureSet, View};
use crate::number::Number;
use crate::pairs::{BUFFER, Threat};
use crate::pawn_pairs::PawnList;
use crate::squares::SquareList;
use setwise::{Colour, Pieces};

/// The lists of a position.
#[repr(C, align(64))]
pub(crate) struct Prepared {
    pairs: [Threat; BUFFER],
    /// How white and black see the board.
    views: [View; 2],
    /// How many pairs there are.
    count: usize,
    pawns: PawnList,
    squares: SquareList,
}

impl Prepared {
    pub(crate) const fn new() -> Self {
        const VIEW: View =
            View { flips: [0; FeatureSet::MAX_BLOCKS], firsts: [0; FeatureSet::MAX_BLOCKS] };
        Self {
            views: [VIEW; 2],
            count: 0,
            pairs: [Threat::of(0, 0); BUFFER],
            pawns: PawnList::new(),
            squares: SquareList::new(),
        }
    }

    /// Makes the lists of a position, no square of which holds two pieces, and whose kings stand on these squares.
    #[inline(always)]
    pub(crate) fn list<E: Extractor>(&mut self, set: &FeatureSet, pieces: &Pieces, kings: [u8; 2]) {
        self.views = [set.view(Colour::White, kings[0]), set.view(Colour::Black, kings[1])];
        for (i, block) in set.used().iter().enumerate() {
            match block {
                Block::Threats(tables) => {
                    self.count = E::pairs(tables.sets(pieces), &mut self.pairs);
                }
                Block::PawnPairs(pairs) => {
                    E::list_pawns(pairs, pieces, self.flips(i), &mut self.pawns);
                }
                Block::PieceSquare(_) => E::list_squares(squares_of(pieces), &mut self.squares),
                Block::None => {}
            }
        }
    }

    #[inline(always)]
    fn flips(&self, block: usize) -> [u8; 2] {
        [self.views[0].flips[block], self.views[1].flips[block]]
    }

    /// Writes the inputs of the position whose lists were made to the fronts of two buffers of
    /// [`FeatureSet::buffer_len`] numbers, and says how many there are.
    #[inline(always)]
    pub(crate) fn write<E: Extractor, N: Number>(
        &self,
        set: &FeatureSet,
        pieces: &Pieces,
        [white, black]: [&mut [N]; 2],
    ) -> [usize; 2] {
        let codes = if set.reads_codes() { E::codes(pieces) } else { [0; 64] };
        let mut lens = [0; 2];
        for (i, block) in set.used().iter().enumerate() {
            let firsts = [self.views[0].firsts[i], self.views[1].firsts[i]];
            let flips = self.flips(i);
            match block {
                Block::Threats(tables) => {
                    let buffers = [front(&mut white[lens[0]..]), front(&mut black[lens[1]..])];
                    let (pairs, count) = (&self.pairs, self.count);
                    let [of_white, of_black] =
                        E::threats(&codes, pairs, count, tables, flips, buffers);
                    lens = [lens[0] + of_white, lens[1] + of_black];
                }
                Block::PawnPairs(pairs) => {
                    let buffers = [&mut *white, &mut *black];
                    lens = E::pawn_pairs(pairs, &self.pawns, flips, firsts[0], lens, buffers);
                }
                Block::PieceSquare(piece_square) => {
                    let buffers = [&mut *white, &mut *black];
                    lens = E::piece_square(
                        piece_square,
                        &codes,
                        &self.squares,
                        firsts,
                        flips,
                        lens,
                        buffers,
                    );
                }
                Block::None => {}
            }
        }
        lens
    }
}

/// The squares with pieces: they have a colour and a role.
#[inline(always)]
fn squares_of(pieces: &Pieces) -> u64 {
    let &Pieces { pawns, knights, bishops, rooks, queens, kings, white, black } = pieces;
    (pawns | knights | bishops | rooks | queens | kings) & (white | black)
}

#[inline(always)]
fn front<N>(buffer: &mut [N]) -> &mut [N; BUFFER] {
    buffer.first_chunk_mut().expect("the buffer is long enough for any position")
}
