//! Messages for moves that cannot be played.

use setwise::Role;

use super::board::Refusal;
use super::san::{San, Word};
use crate::board::Board;
use crate::error::Square;

/// The reason why a move of the side to move cannot be played.
#[cold]
pub(crate) fn reason(board: &Board, word: Word, refusal: Refusal) -> String {
    let side = board.turn();
    match (refusal, word) {
        (Refusal::NoPiece, Word::Move(San { role, to, origins, from_file, .. })) => {
            let first = origins.trailing_zeros() as u8;
            let place = match (origins.count_ones(), from_file) {
                (64, _) => String::new(),
                (1, _) => format!(" on {}", Square(first)),
                (_, Some(file)) => format!(" on the {}-file", char::from(b'a' + file)),
                (_, None) => format!(" on rank {}", first / 8 + 1),
            };
            format!("no {side} {}{place} can go to {}", Role::ALL[role], Square(to))
        }
        (Refusal::NoPiece, Word::Squares { from, to, .. }) => match board.own_role(from) {
            None => format!("no {side} piece stands on {}", Square(from)),
            Some(role) => {
                format!("the {} on {} cannot go to {}", Role::ALL[role], Square(from), Square(to))
            }
        },
        (Refusal::Several(origins), Word::Move(San { role, .. })) => {
            let squares = (0..64).filter(|square| origins >> square & 1 == 1);
            let squares: Vec<_> = squares.map(|square| Square(square).to_string()).collect();
            format!("the {}s on {} can make it", Role::ALL[role], squares.join(" and "))
        }
        (Refusal::Check, Word::Null) => "the king is in check, so the turn cannot be passed".into(),
        (Refusal::Check, _) => "it leaves the king in check".into(),
        (Refusal::Promotion { expected: true }, _) => {
            "a pawn on the last rank must become a piece, as in e8=Q".into()
        }
        (Refusal::Promotion { expected: false }, _) => {
            "only a pawn on the last rank becomes another piece".into()
        }
        (Refusal::NoRight, word) => {
            let kings_side = match word {
                Word::Squares { from, to, .. } => to > from,
                word => word == Word::Castling { kings_side: true },
            };
            let side = if kings_side { "king's" } else { "queen's" };
            format!("there is no right to castle on the {side} side")
        }
        (Refusal::Blocked, _) => "a piece is in the way of king or rook".into(),
        (Refusal::Through(square), _) => {
            format!("the king would be attacked on {}", Square(square))
        }
        (Refusal::NoPiece | Refusal::Several(_), _) => "it is illegal".into(),
    }
}
