//! Static exchange evaluation: the gain of a capture if both sides continue to capture on its square, each with its
//! least valuable piece.

use super::one_square::{OneSquare, all_leapers};
use crate::legal::{Move, MoveKind};
use crate::pieces::{Pieces, Role};

#[inline(always)]
pub(super) fn see(pieces: &Pieces, played: Move, values: &[i32; 6], threshold: i32) -> bool {
    let (from, to) = (1 << played.from(), 1 << played.to());
    let value = |role: usize| values.get(role).map_or(0, |&value| i64::from(value));
    let mut occupied = pieces.occupied();
    if occupied & from == 0 {
        return threshold <= 0;
    }
    let mut mover = number_at(pieces, played.from());
    let mut won = if occupied & to == 0 { 0 } else { value(number_at(pieces, played.to())) };
    occupied = occupied & !from | to;
    match played.kind() {
        MoveKind::Normal => {}
        MoveKind::Castling => return threshold <= 0,
        MoveKind::EnPassant => {
            occupied &= !(1 << (played.to() ^ 8));
            won = value(Role::Pawn as usize);
        }
        MoveKind::Promotion(role) => {
            mover = role as usize;
            won += value(mover) - value(Role::Pawn as usize);
        }
    }
    // The margin by which the side to capture, `own`, exceeds the other's goal once it has captured. If there is none,
    // the other side holds. `holds` is true if the first side reaches its threshold when captures end now.
    let mut ahead = won - i64::from(threshold);
    if ahead < 0 {
        return false;
    }
    ahead = value(mover) - ahead;
    if ahead <= 0 {
        return true;
    }
    let square = OneSquare::new(to);
    let sliders = [pieces.rooks | pieces.queens, pieces.bishops | pieces.queens];
    let candidates = square.candidates(sliders) & occupied;
    let visible = square.visible(candidates, occupied);
    let mut hidden = candidates ^ visible;
    let mut attackers = visible | all_leapers(pieces, played.to());
    let (mut own, mut enemy) = (pieces.black, pieces.white);
    if pieces.white & from == 0 {
        (own, enemy) = (enemy, own);
    }
    let mut holds = true;
    while ahead >= i64::from(holds) {
        attackers &= occupied;
        let next = Role::ALL.into_iter().find(|&role| attackers & own & pieces.role(role) != 0);
        let Some(next) = next.filter(|&role| role != Role::King || attackers & enemy == 0) else {
            break;
        };
        let capturer = attackers & own & pieces.role(next);
        occupied &= !(capturer & capturer.wrapping_neg());
        if hidden != 0 {
            let uncovered = square.visible(hidden, occupied);
            attackers |= uncovered;
            hidden ^= uncovered;
        }
        holds = !holds;
        ahead = value(next as usize) - ahead;
        (own, enemy) = (enemy, own);
    }
    holds
}

/// The number of the role on an occupied square, without a branch: the three digits are sets.
#[inline(always)]
fn number_at(pieces: &Pieces, square: u8) -> usize {
    let Pieces { knights, bishops, rooks, queens, kings, .. } = *pieces;
    let digit = |set: u64| (set >> square & 1) as usize;
    digit(knights | rooks | kings) | digit(bishops | rooks) << 1 | digit(queens | kings) << 2
}
