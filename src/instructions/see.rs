//! Static exchange evaluation: the gain of a capture if both sides continue to capture on its square, each with its
//! least valuable piece.

use crate::leaper::{KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS};
use crate::legal::{Move, MoveKind};
use crate::line;
use crate::pieces::{Pieces, Role};

/// Static exchange evaluation: returns whether the side that makes a move wins at least `threshold` if both sides then
/// continue to capture on its destination as long as that pays. `values` are those of a pawn, knight, bishop, rook,
/// queen and king.
///
/// Each side captures with the first role in that order that can, and among several with the piece on the lowest
/// square. A capture uncovers sliders behind the moved piece (x-rays). A king captures last, and only an undefended
/// piece. Pins are ignored, and only the move itself can promote. Castling and moves from an empty square win 0.
///
/// ```
/// use setwise::legal::{Move, MoveKind};
/// use setwise::{Fen, position};
/// let values = [100, 300, 300, 500, 900, 0];
/// let pieces = Fen::parse("4k3/8/3p4/4p3/8/8/4R3/K3R3 w - - 0 1")?.pieces;
/// let takes = Move::new(12, 36, MoveKind::Normal); // Rxe5, dxe5, Rxe5: two pawns for a rook
/// assert!(position::see(&pieces, takes, &values, -300));
/// assert!(!position::see(&pieces, takes, &values, -299));
/// # Ok::<(), setwise::fen::FenError>(())
/// ```
#[inline]
#[must_use]
#[doc(alias = "see_ge")]
#[doc(alias = "static_exchange_evaluation")]
pub fn see(pieces: &Pieces, played: Move, values: &[i32; 6], threshold: i32) -> bool {
    let (from, to) = (1 << played.from(), 1 << played.to());
    let value = |role: Role| i64::from(values[role as usize]);
    let standing = |set: u64| Role::ALL.into_iter().find(|&role| pieces.role(role) & set != 0);
    let Some(mut mover) = standing(from) else { return threshold <= 0 };
    let mut occupied = pieces.occupied() & !from | to;
    let mut won = standing(to).map_or(0, value);
    match played.kind() {
        MoveKind::Normal => {}
        MoveKind::Castling => return threshold <= 0,
        MoveKind::EnPassant => {
            occupied &= !(1 << (played.to() ^ 8));
            won = value(Role::Pawn);
        }
        MoveKind::Promotion(role) => {
            mover = role;
            won += value(role) - value(Role::Pawn);
        }
    }
    if won < i64::from(threshold) {
        return false;
    }

    let (orthogonal, diagonal) = (pieces.rooks | pieces.queens, pieces.bishops | pieces.queens);
    let square = usize::from(played.to());
    let rooks = |occupied| line::rook_attacks(played.to(), occupied) & orthogonal;
    let bishops = |occupied| line::bishop_attacks(played.to(), occupied) & diagonal;
    let mut attackers = PAWN_ATTACKS[1][square] & pieces.pawns & pieces.white
        | PAWN_ATTACKS[0][square] & pieces.pawns & pieces.black
        | KNIGHT_ATTACKS[square] & pieces.knights
        | KING_ATTACKS[square] & pieces.kings
        | rooks(occupied)
        | bishops(occupied);
    let (mut own, mut enemy) = (pieces.black, pieces.white);
    if pieces.white & from == 0 {
        (own, enemy) = (enemy, own);
    }
    // The margin by which the side to capture, `own`, exceeds the other's goal once it has captured. If there is none,
    // the other side holds. `holds` is true if the first side reaches its threshold when captures end now.
    let mut ahead = value(mover) - (won - i64::from(threshold));
    let mut holds = true;
    while ahead >= i64::from(holds) {
        attackers &= occupied;
        let next = Role::ALL.into_iter().find(|&role| attackers & own & pieces.role(role) != 0);
        let Some(next) = next.filter(|&role| role != Role::King || attackers & enemy == 0) else {
            break;
        };
        let capturer = attackers & own & pieces.role(next);
        occupied &= !(capturer & capturer.wrapping_neg());
        match next {
            Role::Pawn | Role::Bishop => attackers |= bishops(occupied),
            Role::Rook => attackers |= rooks(occupied),
            Role::Queen | Role::King => attackers |= rooks(occupied) | bishops(occupied),
            Role::Knight => {}
        }
        holds = !holds;
        ahead = value(next) - ahead;
        (own, enemy) = (enemy, own);
    }
    holds
}
