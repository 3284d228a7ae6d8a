//! All successors of one position.

use super::legal::{Legal, Sorted};
use super::moves::PROMOTING;
use super::play::Parent;
use crate::bitboard::{square_of, squares};
use crate::legal::{Move, State};
use crate::pieces::{Colour, Pieces};

impl Legal {
    /// Writes the moves, in the order of [`write_moves`](Self::write_moves), and the successor of each.
    ///
    /// # Panics
    /// Panics if a slice does not have one element per move.
    #[inline(always)]
    pub(crate) fn write_successors(
        &self,
        sorted: &Sorted,
        moves: &mut [Move],
        rows: &mut [Pieces],
        states: &mut [State],
    ) {
        let &Sorted { ref targets, origins, special, .. } = sorted;
        let parent = Parent::new(&self.pieces, self.state);
        let castling_rooks = self.state.board() & PROMOTING;
        let mut count = 0;
        for from in squares(origins) {
            let mut to = targets[usize::from(from)];
            if special >> from & 1 == 1 || to & castling_rooks != 0 {
                let mut buffer = [0; 32];
                let moves_of = self.write_moves_of(from, to, &mut buffer);
                for &bits in &buffer[..moves_of] {
                    moves[count] = Move::of(bits);
                    (rows[count], states[count]) = parent.play(moves[count]);
                    count += 1;
                }
                continue;
            }
            let bits = u16::from(from) << 6;
            let leaving = parent.leaving(from);
            let range = count..count + to.count_ones() as usize;
            count = range.end;
            let states = &mut states[range.clone()];
            let double_step = to & leaving.two != 0;
            let places = rows[range.clone()].iter_mut().zip(&mut *states).zip(&mut moves[range]);
            for ((row, state), played) in places {
                let square = square_of(to) & 63;
                to &= to.wrapping_sub(1);
                *row = leaving.pieces_at(square);
                *state = State::from_board(leaving.state);
                *played = Move::of(bits | u16::from(square));
            }
            if double_step {
                // The double step is the last destination of a white pawn, and the first of a black one.
                let at = if self.turn == Colour::White { states.len() - 1 } else { 0 };
                states[at] = State::from_board(leaving.state | leaving.one);
            }
        }
    }

    /// Returns whether a move captures or moves a pawn.
    pub(crate) fn resets_clock(&self, played: Move) -> bool {
        let Pieces { pawns, .. } = self.pieces;
        let enemy = self.pieces.colour(self.turn.opponent());
        (enemy >> played.to() | pawns >> played.from()) & 1 == 1
    }
}
