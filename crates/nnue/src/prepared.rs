//! What the inputs of some positions are made of, for all blocks of a feature set and both perspectives; and the inputs.
//!
//! Lists are made first and read later, at best after those of some other positions: a vector that is read right after
//! its words were written waits until they have reached the cache.

#[cfg(target_arch = "x86_64")]
use crate::avx2;
#[cfg(target_arch = "x86_64")]
use crate::avx512::inputs::Known;
use crate::features::{Block, FeatureError, FeatureSet};
use crate::level::{self, by_level};
use crate::number::Place;
use crate::numbers::Tables;
use crate::pairs::{BUFFER, Threat, distinct};
use crate::pawn_pairs::PawnList;
use crate::piece_square::SquareList;
use crate::portable;
use setwise::dispatch::Level;
use setwise::{Colour, Pieces};

/// From the pairs of a position to those of the next: vectors begin on a cache line.
const STRIDE: usize = BUFFER.next_multiple_of(32);

/// The lists of some positions.
#[repr(C, align(64))]
pub(crate) struct Prepared<const POSITIONS: usize> {
    /// The pairs of all positions.
    pairs: [[Threat; STRIDE]; POSITIONS],
    /// Where the pairs of each position begin and end.
    ranges: [[usize; 2]; POSITIONS],
    /// The positions, no square of which holds two pieces.
    pieces: [Pieces; POSITIONS],
    /// Where the kings of white and black stand.
    kings: [Result<[u8; 2], FeatureError>; POSITIONS],
    pawns: [PawnList; POSITIONS],
    squares: [SquareList; POSITIONS],
    #[cfg(target_arch = "x86_64")]
    known: Known<POSITIONS>,
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

    /// Makes the lists of positions, the first of which has a row.
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
            // Where vectors go on from one position to the next, there is no space between them.
            let start = if const { level::has_avx512::<L>() } { end } else { at * STRIDE };
            self.ranges[at] = [start; 2];
            self.kings[at] = king_squares(row + at, pieces);
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
                        level::list_pawns::<L>(pairs, pieces, &mut self.pawns[at]);
                    }
                    Block::PieceSquare(_) => {
                        level::list_squares::<L>(squares_of(pieces), &mut self.squares[at]);
                    }
                    Block::None => {}
                }
            }
        }
        #[cfg(target_arch = "x86_64")]
        if const { level::has_avx512::<L>() }
            && let Some((block, _)) = set.threats()
        {
            // The vectors of the pairs have reached the cache by now.
            for at in 0..positions.len() {
                if let Ok(kings) = self.kings[at] {
                    let flips = set.flips(block, kings);
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

    /// Where the pairs of a position end.
    ///
    /// # Errors
    /// If a side does not have exactly one king.
    #[cfg(all(feature = "bulk", target_arch = "x86_64"))]
    #[inline(always)]
    pub(crate) fn end(&self, at: usize) -> Result<usize, FeatureError> {
        self.kings[at].map(|_| self.ranges[at][1])
    }

    /// What is known of the pairs.
    #[cfg(all(feature = "bulk", target_arch = "x86_64"))]
    #[inline(always)]
    pub(crate) fn known(&self) -> &Known<POSITIONS> {
        &self.known
    }

    /// Writes the inputs of a position whose lists were made to the fronts of two buffers of
    /// [`FeatureSet::buffer_len`] numbers, and says how many there are.
    ///
    /// # Errors
    /// If a side does not have exactly one king.
    #[inline(always)]
    pub(crate) fn write<L: Level, N: Place>(
        &self,
        set: &FeatureSet,
        at: usize,
        [white, black]: [&mut [N]; 2],
    ) -> Result<[usize; 2], FeatureError> {
        let kings = self.kings[at]?;
        let codes = if set.reads_codes() { level::codes::<L>(&self.pieces[at]) } else { [0; 64] };
        let mut lens = [0; 2];
        for (i, block) in set.used().iter().enumerate() {
            let (flips, firsts) = (set.flips(i, kings), set.firsts(i, kings));
            let buffers = [&mut *white, &mut *black];
            lens = match block {
                Block::Threats(tables) => {
                    let buffers = [&mut white[lens[0]..], &mut black[lens[1]..]];
                    let counts = self.threats::<L, N>(at, &codes, tables, flips, buffers);
                    [lens[0] + counts[0], lens[1] + counts[1]]
                }
                Block::PawnPairs(pairs) => {
                    let list = &self.pawns[at];
                    level::pawn_pairs::<L, N>(pairs, list, flips, firsts[0], lens, buffers)
                }
                Block::PieceSquare(block) => {
                    let list = &self.squares[at];
                    level::piece_square::<L, N>(block, &codes, list, firsts, flips, lens, buffers)
                }
                Block::None => lens,
            };
        }
        Ok(lens)
    }

    /// Writes the inputs of a position's threats.
    #[inline(always)]
    fn threats<L: Level, N: Place>(
        &self,
        at: usize,
        codes: &[u8; 64],
        tables: &Tables,
        flips: [u8; 2],
        [white, black]: [&mut [N]; 2],
    ) -> [usize; 2] {
        let [start, end] = self.ranges[at];
        #[cfg(target_arch = "x86_64")]
        if const { level::has_avx512::<L>() } {
            return self.known.write([start, end], tables, [white, black], |_| ());
        }
        let count = end - start;
        let pairs: &[Threat; BUFFER] =
            self.pairs.as_flattened()[start..].first_chunk().expect("as long as a list");
        let buffers = [front(white), front(black)];
        by_level!(
            L,
            avx2: avx2::inputs::inputs(codes, pairs, count, tables, flips, buffers),
            portable: portable::inputs(codes, &pairs[..count], tables, flips, buffers)
        )
    }
}

/// Where the kings of white and black stand in a position, no square of which holds two pieces.
#[inline(always)]
fn king_squares(row: usize, pieces: &Pieces) -> Result<[u8; 2], FeatureError> {
    let mut squares = [0; 2];
    for (square, colour) in squares.iter_mut().zip(Colour::ALL) {
        let kings = pieces.kings & pieces.colour(colour);
        let [1] = [kings.count_ones()] else {
            return Err(FeatureError::Kings { row, colour, kings: kings.count_ones() });
        };
        *square = kings.trailing_zeros() as u8;
    }
    Ok(squares)
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
