//! Sliders seen from one square: attackers, pins and what hides behind a piece.
//!
//! Most sliders do not stand on a line through the square. So the code first looks for the *candidates*, the sliders that
//! would attack the square on an empty board: usually one or none. Only for them does it look at the squares between.
//! This takes less time than the rays of all sliders together, which the set-wise code computes. It is exact for one
//! square only.

use core::hint::select_unpredictable;

use crate::bitboard::{square_of, squares};
use crate::leaper::{KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS};
use crate::line;
use crate::pieces::{Colour, Pieces, Role};

/// The rank and file through each square, and both diagonals, without the square itself. 1 KB.
static LINES: [[u64; 2]; 64] = {
    let mut lines = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        lines[square] =
            [line::rook_attacks(square as u8, 0), line::bishop_attacks(square as u8, 0)];
        square += 1;
    }
    lines
};

/// A square, and the lines through it.
#[derive(Clone, Copy)]
pub(super) struct OneSquare {
    square: u8,
    lines: &'static [u64; 2],
}

impl OneSquare {
    #[inline(always)]
    pub(super) fn new(square: u64) -> Self {
        let square = square_of(square) & 63;
        Self { square, lines: &LINES[usize::from(square)] }
    }

    /// The sliders that attack the square on an empty board.
    #[inline(always)]
    pub(super) fn candidates(&self, [orthogonal, diagonal]: [u64; 2]) -> u64 {
        self.lines[0] & orthogonal | self.lines[1] & diagonal
    }

    /// The squares between the square and a slider, the lowest of a set, that are occupied.
    #[inline(always)]
    fn blockers(&self, sliders: u64, occupied: u64) -> u64 {
        line::between_valid(self.square, square_of(sliders) & 63) & occupied
    }

    /// The orthogonal and diagonal sliders that attack the square.
    #[inline(always)]
    pub(super) fn attackers(&self, sliders: [u64; 2], occupied: u64) -> u64 {
        self.visible(self.candidates(sliders), occupied)
    }

    /// The candidates that no piece separates from the square. A test for none of them would be mispredicted more often than
    /// one for several, so the first round is for none, too.
    #[inline(always)]
    pub(super) fn visible(&self, candidates: u64, occupied: u64) -> u64 {
        let (mut visible, mut rest) = (0, candidates);
        loop {
            let slider = rest & rest.wrapping_neg();
            let is_visible = self.blockers(rest, occupied) == 0;
            visible |= select_unpredictable(is_visible, slider, 0);
            rest ^= slider;
            if rest == 0 {
                return visible;
            }
        }
    }

    /// The pieces each of which alone separates an orthogonal or a diagonal slider from the square.
    #[inline(always)]
    pub(super) fn single_blockers(&self, sliders: [u64; 2], occupied: u64) -> u64 {
        let (mut single, mut rest) = (0, self.candidates(sliders));
        while rest != 0 {
            let blockers = self.blockers(rest, occupied);
            if blockers & blockers.wrapping_sub(1) == 0 {
                single |= blockers;
            }
            rest &= rest - 1;
        }
        single
    }

    /// The sliders that a single piece, which is one's own, separates from the square.
    #[inline(always)]
    pub(super) fn pinners(&self, sliders: [u64; 2], own: u64, occupied: u64) -> u64 {
        let (mut pinners, mut rest) = (0, self.candidates(sliders));
        while rest != 0 {
            let blockers = self.blockers(rest, occupied);
            if (blockers & own != 0) & (blockers & blockers.wrapping_sub(1) == 0) {
                pinners |= rest & rest.wrapping_neg();
            }
            rest &= rest - 1;
        }
        pinners
    }
}

/// A side's enemies among the sliders, orthogonal and diagonal.
#[inline(always)]
pub(super) fn enemy_sliders(pieces: &Pieces, colour: Colour) -> [u64; 2] {
    [pieces.orthogonal(!colour), pieces.diagonal(!colour)]
}

/// [`OneSquare::single_blockers`] of each of a side's kings.
#[cold]
pub(super) fn single_blockers_of_all(pieces: &Pieces, colour: Colour) -> u64 {
    let (sliders, occupied) = (enemy_sliders(pieces, colour), pieces.occupied());
    let of_one = |square: u8| OneSquare::new(1_u64 << square).single_blockers(sliders, occupied);
    squares(pieces.of(colour, Role::King)).map(of_one).fold(0, |all, blockers| all | blockers)
}

/// [`OneSquare::pinners`] of each of a side's kings.
#[cold]
pub(super) fn pinners_of_all(pieces: &Pieces, colour: Colour) -> u64 {
    let (sliders, occupied) = (enemy_sliders(pieces, colour), pieces.occupied());
    let own = pieces.colour(colour);
    let of_one = |square: u8| OneSquare::new(1_u64 << square).pinners(sliders, own, occupied);
    squares(pieces.of(colour, Role::King)).map(of_one).fold(0, |all, pinners| all | pinners)
}

/// The pawns, knights and kings of both sides that attack a square.
#[inline(always)]
pub(super) fn all_leapers(pieces: &Pieces, square: u8) -> u64 {
    let square = usize::from(square & 63);
    PAWN_ATTACKS[Colour::Black as usize][square] & pieces.pawns & pieces.white
        | PAWN_ATTACKS[Colour::White as usize][square] & pieces.pawns & pieces.black
        | KNIGHT_ATTACKS[square] & pieces.knights
        | KING_ATTACKS[square] & pieces.kings
}
