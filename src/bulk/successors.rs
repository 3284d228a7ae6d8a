//! Successors: the positions after all legal moves of many positions, with their states.

use alloc::vec::Vec;

use super::positions::Positions;
use super::successor_buffers::{SuccessorBuffers, SuccessorPieces, SuccessorWriter, Written};
use crate::backend::Kernel;
use crate::instructions::legal::Sorted;
use crate::legal::{Move, State};
use crate::pieces::Pieces;

impl Kernel {
    /// Writes the successors of positions: the position after each legal move, in the order of
    /// [`LEGAL_MOVES`](crate::Column::LEGAL_MOVES). Chess960 is supported.
    ///
    /// It stops at the first parent whose successors do not fit; call it again for the rest. Invalid parents have no
    /// successors. Positions need their states ([`Positions::with_states`], or the three columns). The rest of the
    /// buffers is unspecified.
    ///
    /// # Panics
    /// If `offsets` does not have one more element than there are positions; if states are missing; if halfmove clocks
    /// are requested and the positions have none; or if the positions are batches that were made for another backend.
    ///
    /// ```
    /// use setwise::legal::{Move, State};
    /// use setwise::{Fen, Kernel, Pieces, Positions, SuccessorBuffers, SuccessorPieces};
    /// let (parents, states) = ([Pieces::START; 3], [State::from(&Fen::START); 3]);
    /// let mut pieces = [Pieces::EMPTY; 50];
    /// let (mut after, mut moves) = ([State::EMPTY; 50], [Move::default(); 50]);
    /// let mut offsets = [0; 4];
    /// let buffers = SuccessorBuffers::new(
    ///     SuccessorPieces::Rows(&mut pieces),
    ///     &mut after,
    ///     &mut moves,
    ///     &mut offsets,
    /// );
    /// let positions = Positions::from(&parents).with_states(&states);
    /// let written = Kernel::detect().write_successors(positions, buffers);
    /// assert_eq!((written.parents, written.successors), (2, 40)); // 60 do not fit
    /// assert_eq!(offsets[..3], [0, 20, 40]);
    /// assert_eq!(moves[0].to_string(), "b1a3");
    /// ```
    #[track_caller]
    pub fn write_successors(
        self,
        positions: Positions<'_>,
        buffers: SuccessorBuffers<'_>,
    ) -> Written {
        let (rows, offsets) = (positions.len(), buffers.offsets.len());
        assert!(offsets == rows + 1, "{rows} positions need {} offsets, not {offsets}", rows + 1);
        positions.check(self);
        positions.state().check(crate::Column::LEGAL_MOVES);
        assert!(
            buffers.halfmoves.is_none() || positions.state().halfmoves.is_some(),
            "halfmove clocks need those of the positions: `Positions::with_halfmoves`"
        );
        buffers.offsets[0] = 0;
        let mut written = Written::default();
        self.write(positions, buffers, &mut written);
        written
    }

    /// Continues after the first `written.parents` positions.
    fn write(self, positions: Positions<'_>, buffers: SuccessorBuffers<'_>, written: &mut Written) {
        let fits = buffers.len();
        let (sorted, rows) = (&mut Sorted::default(), &mut None);
        self.run_by_rows(SuccessorWriter { positions, buffers, fits, written, sorted, rows });
    }

    /// Writes the successors of positions to buffers that grow as needed and keep their allocation. Earlier contents
    /// are overwritten.
    ///
    /// # Panics
    /// If states are missing, or if the positions are batches that were made for another backend.
    ///
    /// ```
    /// use setwise::{Fen, Kernel, Pieces, Positions, Successors, legal::State};
    /// let (parents, states) = ([Pieces::START; 3], [State::from(&Fen::START); 3]);
    /// let mut successors = Successors::new();
    /// let positions = Positions::from(&parents).with_states(&states);
    /// Kernel::detect().successors(positions, &mut successors);
    /// assert_eq!(successors.offsets(), [0, 20, 40, 60]);
    /// assert_eq!(successors.pieces()[20], successors.pieces()[0]); // of another parent
    /// ```
    #[track_caller]
    pub fn successors(self, positions: Positions<'_>, successors: &mut Successors) {
        positions.check(self);
        positions.state().check(crate::Column::LEGAL_MOVES);
        let Successors { pieces, states, moves, halfmoves, offsets, written } = successors;
        offsets.resize(positions.len() + 1, 0);
        *written = Written::default();
        let clocks = positions.state().halfmoves.is_some();
        halfmoves.resize(if clocks { pieces.len() } else { 0 }, 0);
        loop {
            let buffers = SuccessorBuffers {
                pieces: SuccessorPieces::Rows(pieces),
                states,
                moves,
                halfmoves: clocks.then_some(halfmoves),
                offsets,
            };
            self.write(positions, buffers, written);
            if written.parents == positions.len() {
                return;
            }
            let len = (2 * pieces.len()).max(64 * positions.len().min(1 << 16)).max(1024);
            pieces.resize(len, Pieces::EMPTY);
            states.resize(len, State::EMPTY);
            moves.resize(len, Move::default());
            if clocks {
                halfmoves.resize(len, 0);
            }
        }
    }
}

/// Successors of many positions, in buffers that grow as needed. [`Kernel::successors`] fills them.
#[derive(Clone, Debug, Default)]
pub struct Successors {
    /// Longer than needed, so that calls rarely allocate.
    pieces: Vec<Pieces>,
    states: Vec<State>,
    moves: Vec<Move>,
    halfmoves: Vec<u32>,
    offsets: Vec<usize>,
    written: Written,
}

impl Successors {
    /// Creates empty buffers.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of successors.
    #[must_use]
    pub fn len(&self) -> usize {
        self.written.successors
    }

    /// Returns whether there are no successors.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The pieces of each successor.
    #[must_use]
    pub fn pieces(&self) -> &[Pieces] {
        &self.pieces[..self.len()]
    }

    /// The state of each successor.
    #[must_use]
    pub fn states(&self) -> &[State] {
        &self.states[..self.len()]
    }

    /// The move that leads to each.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves[..self.len()]
    }

    /// The halfmove clock of each successor if the positions had clocks, at most [`u32::MAX`]; empty otherwise.
    #[must_use]
    pub fn halfmoves(&self) -> &[u32] {
        &self.halfmoves[..self.len().min(self.halfmoves.len())]
    }

    /// The index of each parent's first successor, followed by the total number of successors.
    #[must_use]
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The number of invalid parents, which have no successors.
    #[must_use]
    pub fn invalid(&self) -> usize {
        self.written.invalid
    }

    /// The successors as the positions of another call, known to be valid.
    #[must_use]
    pub fn positions(&self) -> Positions<'_> {
        Positions::from(self.pieces()).with_states(self.states()).known_valid()
    }
}
