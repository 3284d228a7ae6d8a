//! Legal moves of many positions: blocks in, rows out.

use core::marker::PhantomData;

use crate::backend::{Kernel, Task};
use crate::boards::block::{Block, MAX_BOARDS};
use crate::pieces::{Colour, Pieces};

use super::planes::{DIRECTIONS, LEAPS, MAX_GROUP, PLANES, PlaneSink, planes};
use super::{State, count, status};

impl Kernel {
    /// The legal moves of many positions, as [`planes`] of origins: a row of 73 for each.
    ///
    /// The rows of positions that are not valid (see [`legal`](mod@crate::legal)) are empty.
    ///
    /// # Panics
    /// If there are not as many states and rows as positions.
    ///
    /// ```
    /// use setwise::{Fen, Kernel, legal::{PLANES, State}};
    /// let (pieces, state) = (Fen::START.pieces, State::from(&Fen::START));
    /// let mut planes = [[0; PLANES]; 3];
    /// Kernel::detect().legal_planes(&[pieces; 3], &[state; 3], &mut planes);
    /// assert_eq!(planes[0][0], 0xff00); // eight pawns go one square north,
    /// assert_eq!(planes[0][1], 0xff00); // or two.
    /// assert_eq!(planes[0][56], 1 << 1 | 1 << 6); // both knights go two north and one east.
    /// ```
    #[track_caller]
    pub fn legal_planes(self, pieces: &[Pieces], states: &[State], planes: &mut [[u64; PLANES]]) {
        self.legal_rows::<Planes>(pieces, states, planes);
    }

    /// The legal moves of many positions, as sets of destinations: a row of 64 for each, by the square that a move comes
    /// from. Squares are those of the board, whoever moves.
    ///
    /// The rows of positions that are not valid (see [`legal`](mod@crate::legal)) are empty.
    ///
    /// # Panics
    /// If there are not as many states and rows as positions.
    ///
    /// ```
    /// use setwise::{Fen, Kernel, legal::State};
    /// let (pieces, state) = (Fen::START.pieces, State::from(&Fen::START));
    /// let mut targets = [[0; 64]; 3];
    /// Kernel::detect().legal_targets(&[pieces; 3], &[state; 3], &mut targets);
    /// assert_eq!(targets[0][12], 1 << 20 | 1 << 28); // e3, e4
    /// ```
    #[track_caller]
    pub fn legal_targets(self, pieces: &[Pieces], states: &[State], targets: &mut [[u64; 64]]) {
        same_lengths(pieces.len(), states.len(), targets.len());
        let mut planes = [[0; PLANES]; CHUNK];
        let mut start = 0;
        while start < pieces.len() {
            let chunk = start..pieces.len().min(start + CHUNK);
            let planes = &mut planes[..chunk.len()];
            self.legal_planes(&pieces[chunk.clone()], &states[chunk.clone()], planes);
            for ((planes, &state), targets) in
                planes.iter().zip(&states[chunk.clone()]).zip(&mut targets[chunk])
            {
                *targets = targets_of(planes, state);
            }
            start += CHUNK;
        }
    }

    /// The number of legal moves of many positions: [`count`]. It is -1 where a position is not valid (see
    /// [`legal`](mod@crate::legal)).
    ///
    /// # Panics
    /// If there are not as many states and numbers as positions.
    ///
    /// ```
    /// use setwise::{Fen, Kernel, Pieces, legal::State};
    /// let state = State::from(&Fen::START);
    /// let mut counts = [0; 2];
    /// Kernel::detect().legal_count(&[Pieces::START, Pieces::EMPTY], &[state; 2], &mut counts);
    /// assert_eq!(counts, [20, -1]);
    /// ```
    #[track_caller]
    pub fn legal_count(self, pieces: &[Pieces], states: &[State], counts: &mut [i16]) {
        self.legal_rows::<Count>(pieces, states, counts);
    }

    /// The [`Status`](super::Status) of many positions as a number: [`status`]. It is -1 where a position is not valid
    /// (see [`legal`](mod@crate::legal)).
    ///
    /// # Panics
    /// If there are not as many states and numbers as positions.
    ///
    /// ```
    /// use setwise::{Fen, Kernel, legal::{State, Status}};
    /// let fen = Fen::parse("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")?;
    /// let mut status = [0];
    /// Kernel::detect().legal_status(&[fen.pieces], &[State::from(&fen)], &mut status);
    /// assert_eq!(status, [Status::Stalemate as i16]);
    /// # Ok::<(), setwise::fen::FenError>(())
    /// ```
    #[track_caller]
    pub fn legal_status(self, pieces: &[Pieces], states: &[State], status: &mut [i16]) {
        self.legal_rows::<StatusOf>(pieces, states, status);
    }

    #[track_caller]
    fn legal_rows<A: Answer>(self, pieces: &[Pieces], states: &[State], rows: &mut [A::Row]) {
        same_lengths(pieces.len(), states.len(), rows.len());
        self.run(Rows { pieces, states, rows, answer: PhantomData::<A> });
    }
}

/// The number of rows whose planes are made before they become sets of targets.
const CHUNK: usize = 128;

#[track_caller]
fn same_lengths(positions: usize, states: usize, rows: usize) {
    assert!(
        states == positions && rows == positions,
        "{positions} positions, {states} states and {rows} rows of answers"
    );
}

/// A question about legal moves, a row for each position.
trait Answer {
    type Row: Copy;

    /// A row of which nothing is said.
    const EMPTY: Self::Row;

    /// Answers it for a block.
    fn fill<B: Block>(pieces: &Pieces<B>, states: &[u64], rows: &mut [Self::Row]);
}

struct Rows<'a, A: Answer> {
    pieces: &'a [Pieces],
    states: &'a [State],
    rows: &'a mut [A::Row],
    answer: PhantomData<A>,
}

impl<A: Answer> Task for Rows<'_, A> {
    type Output = ();

    #[inline(always)]
    fn run<B: Block>(self) {
        let (len, block) = (self.pieces.len(), B::COUNT);
        let mut few = ([Pieces::EMPTY; MAX_BOARDS], [State::EMPTY; MAX_BOARDS]);
        let mut few_rows = [A::EMPTY; MAX_BOARDS];
        let short = len < block;
        if short {
            few.0[..len].copy_from_slice(self.pieces);
            few.1[..len].copy_from_slice(self.states);
        }
        let (pieces, states, rows) = if short {
            (&few.0[..block], &few.1[..block], &mut few_rows[..block])
        } else {
            (self.pieces, self.states, &mut *self.rows)
        };
        let mut at = 0;
        while at < len {
            // The last block overlaps the one before it.
            let start = at.min(pieces.len() - block);
            let end = start + block;
            let mut words = [0; MAX_BOARDS];
            let words = &mut words[..block];
            let mut row = 0;
            while row < block {
                words[row] = states[start + row].board();
                row += 1;
            }
            let block = B::load_pieces(&pieces[start..end]);
            A::fill(&block, words, &mut rows[start..end]);
            at += B::COUNT;
        }
        if short {
            self.rows.copy_from_slice(&few_rows[..len]);
        }
    }
}

/// The planes of a block on their way to rows: some at a time, so that these and the rows stay in the first cache.
struct GroupsToRows<'a, B> {
    kept: [B; MAX_GROUP],
    rows: &'a mut [[u64; PLANES]],
}

impl<B: Block> PlaneSink<B> for GroupsToRows<'_, B> {
    #[inline(always)]
    fn put(&mut self, index: usize, plane: B) {
        self.kept[index] = plane;
    }

    #[inline(always)]
    fn finish(&mut self, first: usize, planes: usize) {
        B::store_rows(&self.kept[..planes], self.rows.as_flattened_mut(), first);
    }
}

struct Planes;

impl Answer for Planes {
    type Row = [u64; PLANES];

    const EMPTY: Self::Row = [0; PLANES];

    #[inline(always)]
    fn fill<B: Block>(pieces: &Pieces<B>, states: &[u64], rows: &mut [Self::Row]) {
        let kept = [B::empty(); MAX_GROUP];
        planes(pieces, State::from_board(B::load(states)), &mut GroupsToRows { kept, rows });
    }
}

/// How far each of the first 64 planes goes, in squares.
const OFFSETS: [i8; 64] = {
    let mut offsets = [0; 64];
    let mut index = 0;
    while index < 64 {
        offsets[index] = if index < 56 {
            let (files, ranks) = DIRECTIONS[index / 7].offset();
            (files + 8 * ranks) as i8 * (index % 7 + 1) as i8
        } else {
            let (files, ranks) = LEAPS[index - 56];
            files + 8 * ranks
        };
        index += 1;
    }
    offsets
};

/// The destinations by origin of one position's planes, turned back.
#[inline]
fn targets_of(planes: &[u64; PLANES], state: State) -> [u64; 64] {
    let mut targets = [0; 64];
    let turned = if state.turn() == Colour::White { 0 } else { 56 };
    for (&plane, offset) in planes.iter().zip(OFFSETS) {
        let mut origins = plane;
        while origins != 0 {
            let from = origins.trailing_zeros() as u8;
            let to = from.wrapping_add_signed(offset);
            targets[usize::from((from ^ turned) & 63)] |= 1 << ((to ^ turned) & 63);
            origins &= origins - 1;
        }
    }
    targets
}

struct Count;

impl Answer for Count {
    type Row = i16;

    const EMPTY: i16 = 0;

    #[inline(always)]
    fn fill<B: Block>(pieces: &Pieces<B>, states: &[u64], rows: &mut [i16]) {
        B::store_numbers(count(pieces, State::from_board(B::load(states))), rows);
    }
}

struct StatusOf;

impl Answer for StatusOf {
    type Row = i16;

    const EMPTY: i16 = 0;

    #[inline(always)]
    fn fill<B: Block>(pieces: &Pieces<B>, states: &[u64], rows: &mut [i16]) {
        B::store_numbers(status(pieces, State::from_board(B::load(states))), rows);
    }
}
