//! The number of legal moves and the status, without computing the planes.

use crate::bitboard::RANKS;
use crate::boards::Boards;
use crate::eval;
use crate::leaper;
use crate::pieces::Pieces;

use super::mover::{Mover, Rules};
use super::state::State;

/// The number of legal moves, -1 for a position that is not [valid](mod@crate::legal). A promotion counts as four.
///
/// In each direction, at most one slider can move to a given square, so eight sets of rays are the moves of sliders.
/// Eight more are those of knights. Carry-save adders sum eight sets before bits are counted.
///
/// ```
/// use setwise::{Fen, Pieces, legal::{self, State}};
/// let state = State::from(&Fen::START);
/// assert_eq!(i16::from(legal::count(&Pieces::START, state)), 20);
/// assert_eq!(i16::from(legal::count(&Pieces::EMPTY, state)), -1);
/// ```
#[inline(always)]
#[must_use]
pub fn count<B: Boards>(pieces: &Pieces<B>, state: State<B>) -> B::Numbers {
    let mover = Mover::new(pieces, state);
    let rules = mover.rules();
    let occupied = mover.occupied();
    let targets = rules.targets;
    let mut number = (leaper::kings(mover.king) & rules.king_targets).count();
    number += (rules.east_castle & 0xff).count() + (rules.west_castle & 0xff).count();
    let files = &(mover.orthogonal & rules.along_files);
    let ranks = &(mover.orthogonal & rules.along_ranks);
    let diagonals = &(mover.diagonal & rules.along_diagonals);
    let antidiagonals = &(mover.diagonal & rules.along_antidiagonals);
    let sliders = [files, files, ranks, ranks, diagonals, antidiagonals, antidiagonals, diagonals];
    let sliders = eval::sum_of_8(&eval::each_ray(sliders, &occupied));
    number += eval::sum_on(&sliders, &targets);
    let knights = mover.knights & rules.along_files & rules.along_ranks & rules.along_diagonals;
    number += eval::sum_on(&eval::sum_of_8(&eval::knight_leaps(knights)), &targets);
    let pawns = pawn_targets(&mover, &rules);
    let (left, right) = (pawns.left, pawns.right);
    // A square that two pawns can capture on counts as two moves, a promotion as four.
    let captures = [left ^ right ^ pawns.pushes, left & right];
    let all = !B::empty();
    let last = B::splat(RANKS[7]);
    number += eval::sum_on(&captures, &all) + eval::sum_on(&captures, &last) * 3;
    number += rules.en_passant_east.count() + rules.en_passant_west.count();
    number - (!rules.valid & 1).count()
}

/// The destinations of pawns.
struct PawnTargets<B> {
    /// One or two ranks ahead. No square is reached twice.
    pushes: B,
    /// By captures to the north-east and to the north-west, other than en passant.
    right: B,
    left: B,
}

#[inline(always)]
fn pawn_targets<B: Boards>(mover: &Mover<B>, rules: &Rules<B>) -> PawnTargets<B> {
    let empty = !mover.occupied();
    let one = (mover.pawns & rules.along_files).north() & empty;
    let two = (one & RANKS[2]).north() & empty;
    let captures = mover.enemy & rules.targets;
    PawnTargets {
        pushes: (one | two) & rules.answers,
        right: (mover.pawns & rules.along_diagonals).north_east() & captures,
        left: (mover.pawns & rules.along_antidiagonals).north_west() & captures,
    }
}

/// The [`Status`](super::Status) as a number: 1 check, 2 checkmate, 3 stalemate, 0 none of them; -1 for a position that
/// is not [valid](mod@crate::legal).
///
/// ```
/// use setwise::{Fen, legal::{self, State, Status}};
/// let fen = Fen::parse("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")?;
/// let status = legal::status(&fen.pieces, State::from(&fen));
/// assert_eq!(i16::from(status), Status::Checkmate as i16);
/// # Ok::<(), setwise::fen::FenError>(())
/// ```
#[inline(always)]
#[must_use]
pub fn status<B: Boards>(pieces: &Pieces<B>, state: State<B>) -> B::Numbers {
    let mover = Mover::new(pieces, state);
    let rules = mover.rules();
    let occupied = mover.occupied();
    let unpinned = rules.unpinned();
    let sliders = eval::slider_attacks(
        &(mover.orthogonal & unpinned),
        &(mover.diagonal & unpinned),
        &occupied,
    );
    let knights = leaper::knights(mover.knights & unpinned);
    let pawns = pawn_targets(&mover, &rules);
    // Pinned sliders cannot answer a check. Without a check, their next square along the pin is enough.
    let pinned = (mover.orthogonal & rules.along_files).north()
        | (mover.orthogonal & rules.along_files).south()
        | (mover.orthogonal & rules.along_ranks).east()
        | (mover.orthogonal & rules.along_ranks).west()
        | (mover.diagonal & rules.along_diagonals).north_east()
        | (mover.diagonal & rules.along_diagonals).south_west()
        | (mover.diagonal & rules.along_antidiagonals).north_west()
        | (mover.diagonal & rules.along_antidiagonals).south_east();
    let moves = ((sliders | knights | pinned) & rules.targets)
        | (pawns.pushes | pawns.right | pawns.left)
        | (rules.en_passant_east | rules.en_passant_west)
        | (leaper::kings(mover.king) & rules.king_targets);
    let none = rules.valid.without(moves.any());
    let status = ((rules.check ^ none) & 1) | (none & 6);
    status.count() - (!rules.valid & 1).count()
}
