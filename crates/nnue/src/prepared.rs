//! Computes the inputs of a few positions in two steps, for all blocks of a feature set and both perspectives: first
//! the lists from which inputs are computed, then the inputs.
//!
//! If possible, the lists of other positions are written before a list is read. A vector load right after the word
//! stores of its contents would wait until they had reached the cache.

use core::mem::MaybeUninit;

#[cfg(target_arch = "x86_64")]
use crate::avx512::inputs::Known;
use crate::features::{Block, FeatureError, FeatureSet, View, king_square};
use crate::level;
use crate::numbers::Tables;
use crate::pairs::{BUFFER, Threat, distinct};
use crate::pawn_pairs::PawnList;
use crate::piece_square::SquareList;
use crate::portable;
use crate::slots::{Number, Output};
#[cfg(target_arch = "x86_64")]
use crate::{avx2, avx512};
use setwise::dispatch::Level;
use setwise::{Colour, Pieces, by_level};

/// The distance between the pairs of two positions, which aligns vectors to cache lines.
const STRIDE: usize = BUFFER.next_multiple_of(32);

/// The lists of a few positions.
#[repr(C, align(64))]
pub(crate) struct Prepared<const POSITIONS: usize> {
    /// The pairs of all positions.
    pairs: [[Threat; STRIDE]; POSITIONS],
    /// The start and the end of the pairs of each position.
    pub(crate) ranges: [[usize; 2]; POSITIONS],
    /// The positions, reduced to one piece per square.
    pieces: [Pieces; POSITIONS],
    /// The squares of the kings of white and black.
    pub(crate) kings: [Result<[u8; 2], FeatureError>; POSITIONS],
    pawns: [PawnList; POSITIONS],
    squares: [SquareList; POSITIONS],
    #[cfg(target_arch = "x86_64")]
    pub(crate) known: Known<POSITIONS>,
}

impl<const POSITIONS: usize> Prepared<POSITIONS> {
    pub(crate) const fn new() -> Self {
        Self {
            pairs: [[Threat::of(0, 0); STRIDE]; POSITIONS],
            ranges: [[0; 2]; POSITIONS],
            pieces: [Pieces::EMPTY; POSITIONS],
            kings: [Ok([0; 2]); POSITIONS],
            pawns: [const { PawnList::new() }; POSITIONS],
            squares: [const { SquareList::new() }; POSITIONS],
            #[cfg(target_arch = "x86_64")]
            known: Known::new(),
        }
    }

    /// Computes the lists of positions. `row` is the row of the first position.
    #[inline(always)]
    pub(crate) fn list<L: Level>(&mut self, set: &FeatureSet, row: usize, positions: &[Pieces]) {
        let mut end = 0;
        for (at, pieces) in positions.iter().enumerate() {
            let clean;
            let pieces = if pieces.is_distinct() {
                pieces
            } else {
                clean = distinct(pieces);
                &clean
            };
            self.pieces[at] = *pieces;
            // With AVX-512 a vector may contain pairs of two positions, so they are contiguous.
            let start = if const { level::joins_positions::<L>() } { end } else { at * STRIDE };
            self.ranges[at] = [start; 2];
            self.kings[at] = kings(row + at, pieces);
            if self.kings[at].is_err() {
                continue;
            }
            for block in set.used() {
                match block {
                    Block::Threats(tables) => {
                        let buffer = self.pairs.as_flattened_mut()[start..].first_chunk_mut();
                        let buffer = buffer.expect("there is space for all positions");
                        end = start + level::pairs::<L>(tables.sets(pieces), buffer);
                        self.ranges[at][1] = end;
                    }
                    Block::PawnPairs(pairs) => {
                        let list = &mut self.pawns[at];
                        by_level!(
                            L;
                            avx512_gfni | avx512 | avx2 => avx2::pawn_pairs::list(pairs, pieces, list),
                            portable => pairs.list(pieces, list)
                        );
                    }
                    Block::PieceSquare(_) => {
                        let list = &mut self.squares[at];
                        list.set = squares_of(pieces);
                        by_level!(
                            L;
                            avx512_gfni => avx512::tables::list(list.set, &mut list.squares),
                            avx512 | avx2 => avx2::tables::list(list.set, &mut list.squares),
                            portable => ()
                        );
                    }
                    Block::None => {}
                }
            }
        }
        #[cfg(target_arch = "x86_64")]
        if const { level::joins_positions::<L>() }
            && let Some((block, _)) = set.threats()
        {
            // The vectors of the pairs have reached the cache by now.
            for at in 0..positions.len() {
                if let Ok(kings) = self.kings[at] {
                    let [white, black] = views(set, kings);
                    let flips = [white.flips[block], black.flips[block]];
                    self.known.index(
                        self.pairs.as_flattened(),
                        self.ranges[at],
                        &self.pieces[at],
                        flips,
                    );
                }
            }
            self.known.look_up(end);
        }
    }

    /// Writes the inputs of a position whose lists are complete to the starts of two buffers of
    /// [`FeatureSet::buffer_len`] numbers, and returns their counts.
    ///
    /// # Errors
    /// If a side does not have exactly one king.
    #[inline(always)]
    pub(crate) fn write<L: Level, N: Number>(
        &self,
        set: &FeatureSet,
        at: usize,
        buffers: [&mut [MaybeUninit<N>]; 2],
    ) -> Result<[usize; 2], FeatureError> {
        let [white, black] = views(set, self.kings[at]?);
        let pieces = &self.pieces[at];
        let codes = by_level!(L; avx512_gfni | avx512 | avx2 => avx2::tables::codes(pieces), portable => pieces.codes());
        let mut out = Output { buffers, lens: [0; 2], flips: [0; 2], firsts: [0; 2] };
        for (i, block) in set.used().iter().enumerate() {
            out.flips = [white.flips[i], black.flips[i]];
            out.firsts = [white.firsts[i], black.firsts[i]];
            match block {
                Block::Threats(tables) => self.threats::<L, N>(at, &codes, tables, &mut out),
                Block::PawnPairs(pairs) => {
                    let list = &self.pawns[at];
                    by_level!(
                        L;
                        avx512_gfni | avx512 | avx2 => avx2::pawn_pairs::write(pairs, list, &mut out),
                        portable => pairs.write(list, &mut out)
                    );
                }
                Block::PieceSquare(block) => {
                    let list = &self.squares[at];
                    by_level!(
                        L;
                        avx512_gfni | avx512 | avx2 => avx2::piece_square::write(block, &codes, list, &mut out),
                        portable => block.write(&codes, list.set, &mut out)
                    );
                }
                Block::None => {}
            }
        }
        Ok(out.lens)
    }

    /// Appends the inputs of a position's threats.
    #[inline(always)]
    fn threats<L: Level, N: Number>(
        &self,
        at: usize,
        codes: &[u8; 64],
        tables: &Tables,
        out: &mut Output<'_, N>,
    ) {
        let [start, end] = self.ranges[at];
        let pairs: &[Threat; BUFFER] =
            self.pairs.as_flattened()[start..].first_chunk().expect("as long as a list");
        let count = end - start;
        by_level!(
            L;
            avx512_gfni => {
                let counts = self.known.write([start, end], tables, out.next(BUFFER), |_| ());
                out.advance(counts);
            },
            avx512 | avx2 => avx2::inputs::inputs(codes, pairs, count, tables, out),
            portable => portable::inputs(codes, &pairs[..count], tables, out)
        );
    }
}

/// The squares of the kings of white and black. No square of the position may hold two pieces.
#[inline(always)]
fn kings(row: usize, pieces: &Pieces) -> Result<[u8; 2], FeatureError> {
    let king = |colour| king_square(row, colour, pieces.kings & pieces.colour(colour));
    Ok([king(Colour::White)?, king(Colour::Black)?])
}

/// The views of white and black, by the squares of their kings.
#[inline(always)]
fn views(set: &FeatureSet, [white, black]: [u8; 2]) -> [&View; 2] {
    [set.view(Colour::White, white), set.view(Colour::Black, black)]
}

/// The squares with pieces: squares with a colour and a role.
#[inline(always)]
fn squares_of(pieces: &Pieces) -> u64 {
    let &Pieces { pawns, knights, bishops, rooks, queens, kings, white, black } = pieces;
    (pawns | knights | bishops | rooks | queens | kings) & (white | black)
}
