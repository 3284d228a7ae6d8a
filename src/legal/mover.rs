//! A position from the point of view of the side to move, and the rules for its moves: pins, checks, king danger.

use crate::bitboard::{Direction, RANKS};
use crate::boards::Boards;
use crate::eval;
use crate::leaper;
use crate::pieces::{Colour, Pieces};

use super::state::{BLACK_MOVES, State};

/// The pieces from the point of view of the side to move, so that its pawns go north.
#[derive(Clone, Copy)]
pub(super) struct Mover<B> {
    /// The mover's pieces, in total and by role; queens are among both kinds of sliders.
    pub(super) own: B,
    pub(super) pawns: B,
    pub(super) knights: B,
    pub(super) diagonal: B,
    pub(super) orthogonal: B,
    pub(super) king: B,
    /// The other side's pieces.
    pub(super) enemy: B,
    enemy_pawns: B,
    enemy_knights: B,
    enemy_diagonal: B,
    enemy_orthogonal: B,
    enemy_king: B,
    /// The mover's rooks that may castle, and the square behind a pawn that has made a double step.
    castling: B,
    en_passant: B,
    /// All squares of the boards on which every square is empty or has one piece.
    consistent: B,
}

impl<B: Boards> Mover<B> {
    /// Flips the boards on which black is to move.
    #[inline(always)]
    pub(super) fn new(pieces: &Pieces<B>, state: State<B>) -> Self {
        let black = (state.board() & BLACK_MOVES).any();
        let turned = |set: B| black.select(set.flip_vertical(), set);
        let own = black.select(pieces.black.flip_vertical(), pieces.white);
        let enemy = black.select(pieces.white.flip_vertical(), pieces.black);
        let (pawns, knights, kings) =
            (turned(pieces.pawns), turned(pieces.knights), turned(pieces.kings));
        let diagonal = turned(pieces.bishops | pieces.queens);
        let orthogonal = turned(pieces.rooks | pieces.queens);
        // Queens do not castle.
        let rooks = turned(pieces.rooks) & RANKS[0];
        let state = turned(state.board());
        Self {
            own,
            pawns: own & pawns,
            knights: own & knights,
            diagonal: own & diagonal,
            orthogonal: own & orthogonal,
            king: own & kings,
            enemy,
            enemy_pawns: enemy & pawns,
            enemy_knights: enemy & knights,
            enemy_diagonal: enemy & diagonal,
            enemy_orthogonal: enemy & orthogonal,
            enemy_king: enemy & kings,
            castling: state & own & rooks,
            en_passant: state & RANKS[5],
            consistent: consistent(pieces),
        }
    }

    #[inline(always)]
    pub(super) fn occupied(&self) -> B {
        self.own | self.enemy
    }

    /// All squares of the valid boards: they are consistent, each side has one king, and the side not to move is not in
    /// check.
    #[inline(always)]
    fn valid(&self) -> B {
        let sets = [self.pawns, self.knights, self.king, self.orthogonal, self.diagonal];
        let attacked = eval::attacked_by_sets(Colour::White, &sets, &self.occupied());
        (self.consistent & self.king.any() & self.enemy_king.any())
            .without(self.king.many() | self.enemy_king.many())
            .without((attacked & self.enemy_king).any())
    }

    #[inline(always)]
    pub(super) fn rules(&self) -> Rules<B> {
        let occupied = self.occupied();
        let mut danger = leaper::pawns(Colour::Black, self.enemy_pawns)
            | leaper::knights(self.enemy_knights)
            | leaper::kings(self.enemy_king);
        let mut checkers = (leaper::pawns(Colour::White, self.king) & self.enemy_pawns)
            | (leaper::knights(self.king) & self.enemy_knights);
        // The rays from the king, and the rays of the enemy's sliders, which pass through the king. A square on two
        // opposite rays is between the king and a checking slider, or has the only piece between the king and a slider.
        let sees = eval::slider_rays(&self.king, &self.king, &occupied);
        let (orthogonal, diagonal) = (self.enemy_orthogonal, self.enemy_diagonal);
        let comes = eval::slider_rays(&orthogonal, &diagonal, &occupied.without(self.king));
        let [n, s, e, w, ne, nw, se, sw] = sees;
        let [to_n, to_s, to_e, to_w, to_ne, to_nw, to_se, to_sw] = comes;
        danger |= ((to_n | to_s) | (to_e | to_w)) | ((to_ne | to_sw) | (to_nw | to_se));
        checkers |= ((n | s) | (e | w)) & orthogonal;
        checkers |= ((ne | sw) | (nw | se)) & diagonal;
        let (file, rank) = ((n & to_s) | (s & to_n), (e & to_w) | (w & to_e));
        let diagonal = (ne & to_sw) | (sw & to_ne);
        let antidiagonal = (nw & to_se) | (se & to_nw);
        let ranks = Axis { there: e, back: w, from_there: to_w, from_back: to_e };
        let valid = self.valid();
        let check = checkers.any();
        let lines = (file | rank) | (diagonal | antidiagonal);
        let unpinned = !(lines & self.own);
        // In check, other pieces capture the checker or interpose; in double check they do not move.
        let answers = (checkers | lines.without(occupied)).without(checkers.many());
        let answers = check.select(answers, valid) & valid;
        let king_targets = valid.without(self.own | danger);
        let [east_castle, west_castle] = self.castles(self.castling & valid, danger, &ranks);
        let mut rules = Rules {
            valid,
            check: check & valid,
            answers,
            targets: answers.without(self.own),
            king_targets,
            along_files: unpinned | file,
            along_ranks: unpinned | rank,
            along_diagonals: unpinned | diagonal,
            along_antidiagonals: unpinned | antidiagonal,
            east_castle,
            west_castle,
            en_passant_east: B::empty(),
            en_passant_west: B::empty(),
        };
        self.en_passant(&mut rules, diagonal | antidiagonal, &ranks);
        rules
    }

    /// The pawns that capture en passant to the north-east, and to the north-west.
    #[inline(always)]
    fn en_passant(&self, rules: &mut Rules<B>, diagonals: B, ranks: &Axis<B>) {
        let pawn = self.en_passant.without(self.occupied()).south() & self.enemy_pawns;
        // The captured pawn must not be the only piece on a diagonal between a bishop and the king. (On a file, the
        // capturing pawn takes its place.) It may be the checker.
        let pawn = pawn.without(diagonals);
        let pawn = pawn & (rules.answers | rules.answers.south());
        // Nor may the two pawns be the only pieces on a rank between a rook and the king.
        let (east, west) = (ranks.there & RANKS[4], ranks.back & RANKS[4]);
        let (westward, eastward) = (ranks.from_there, ranks.from_back);
        let right = self.pawns & pawn.west() & rules.along_diagonals;
        let left = self.pawns & pawn.east() & rules.along_antidiagonals;
        let right_alone = (east & (pawn & westward).west()) | ((pawn & west).west() & eastward);
        let left_alone = ((pawn & east).east() & westward) | (west & (pawn & eastward).east());
        rules.en_passant_east = right.without(right_alone);
        rules.en_passant_west = left.without(left_alone);
    }

    /// The king's destinations when castling to the east and to the west: the rook's square in Chess960, or two squares
    /// away if the king is on the e-file and the rook in the corner.
    #[inline(always)]
    fn castles(&self, rooks: B, danger: B, ranks: &Axis<B>) -> [B; 2] {
        let king = self.king & RANKS[0];
        let (occupied, danger) = (self.occupied() & RANKS[0], danger & RANKS[0]);
        // The rook must be the first piece on the king's ray: anything between them would be in the way. An enemy rook
        // must not attack it from the far side, because the rook then shields the king's new square.
        let some = king.any() & rooks;
        let east = some & ranks.there.without(ranks.from_there);
        let west = some & ranks.back.without(ranks.from_back);
        [
            castle::<B, true>(king, east, occupied, danger),
            castle::<B, false>(king, west, occupied, danger),
        ]
    }
}

/// All squares of the boards on which every square is empty, or has one role and one colour.
#[inline(always)]
fn consistent<B: Boards>(pieces: &Pieces<B>) -> B {
    let &Pieces { pawns, knights, bishops, rooks, queens, kings, white, black } = pieces;
    let (minor, major, others) = (knights | bishops, rooks | queens, pawns | kings);
    let twice = (knights & bishops)
        | (rooks & queens)
        | (pawns & kings)
        | (minor & major)
        | (others & (minor | major))
        | (white & black);
    let half = (minor | major | others) ^ (white | black);
    !(twice | half).any()
}

/// Rays along the ranks, between the mover's king and the enemy's sliders.
#[derive(Clone, Copy)]
struct Axis<B> {
    /// The king's rays to the east and to the west.
    there: B,
    back: B,
    /// The rays of the enemy's sliders in the opposite directions. They pass through the king.
    from_there: B,
    from_back: B,
}

/// The destination of a king that castles to the east, or to the west. All sets are on rank 1.
#[inline(always)]
fn castle<B: Boards, const EAST: bool>(king: B, rook: B, occupied: B, danger: B) -> B {
    let (king_to, rook_to) = if EAST { (1 << 6, 1 << 5) } else { (1 << 2, 1 << 3) };
    let (home, away) =
        if EAST { (Direction::East, Direction::West) } else { (Direction::West, Direction::East) };
    let some = rook.any() & RANKS[0];
    // The whole span of the king, the rook and their new squares.
    let beyond_king = king.fill(home);
    let path = (beyond_king | B::splat(rook_to).fill(home)) & (rook | (some & king_to)).fill(away);
    let king_path = if EAST {
        beyond_king & 0x7f
    } else {
        // From the b-file, the king moves east.
        (beyond_king & 0xfc) | (king.fill(away) & 0x7)
    };
    // The king's path includes its own square: it does not castle in check.
    let blocked = (path & occupied.without(king | rook)) | (king_path & danger);
    let rook = rook.without(blocked.any());
    let (corner, two) = if EAST { (1 << 7, 1 << 6) } else { (1, 1 << 2) };
    let standard = (king & 1 << 4).any() & (rook & corner).any();
    standard.select(B::splat(two), rook) & RANKS[0]
}

/// The rules for the mover's pieces. On invalid boards, nothing may move.
#[derive(Clone, Copy)]
pub(super) struct Rules<B> {
    /// All squares of the boards that are valid.
    pub(super) valid: B,
    /// All squares of the boards on which the mover is in check.
    pub(super) check: B,
    /// The squares on which a piece other than the king answers a check; all squares if there is no check.
    pub(super) answers: B,
    /// The `answers` that the mover does not occupy.
    pub(super) targets: B,
    /// The safe squares for the king that the mover does not occupy.
    pub(super) king_targets: B,
    /// The squares from which pins allow a piece to move along a file, along a rank, and so on.
    pub(super) along_files: B,
    pub(super) along_ranks: B,
    pub(super) along_diagonals: B,
    pub(super) along_antidiagonals: B,
    /// The destinations of the king when it castles.
    pub(super) east_castle: B,
    pub(super) west_castle: B,
    /// The pawns that capture en passant.
    pub(super) en_passant_east: B,
    pub(super) en_passant_west: B,
}

impl<B: Boards> Rules<B> {
    /// The squares without a pinned piece: those that allow moves both along a file and along a rank.
    #[inline(always)]
    pub(super) fn unpinned(&self) -> B {
        self.along_files & self.along_ranks
    }
}
