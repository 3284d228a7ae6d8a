//! Sliders seen from one square: attackers, pins and what hides behind a piece.
//!
//! Most sliders do not stand on a line through the square. So the code first looks for the *candidates*, the sliders that
//! would attack the square on an empty board: usually one or none. Only for them does it look at the squares between.
//! This takes less time than the rays of all sliders together, which the set-wise code computes. It is exact for one
//! square only.

use core::hint::select_unpredictable;

use crate::bitboard::{ANTIDIAGONALS, DIAGONALS, FILES, RANKS, square_of, squares};
use crate::leaper::{KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS};
use crate::pieces::{Colour, Pieces};

/// The lines through each square, without the square itself: rank and file, both diagonals, the file, and the diagonal.
/// 2 KB.
static LINES: [[u64; 4]; 64] = {
    let mut lines = [[0; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let (rank, file, others) = (square / 8, square % 8, !(1 << square));
        lines[square] = [
            (RANKS[rank] | FILES[file]) & others,
            (DIAGONALS[7 + rank - file] | ANTIDIAGONALS[rank + file]) & others,
            FILES[file] & others,
            DIAGONALS[7 + rank - file] & others,
        ];
        square += 1;
    }
    lines
};

/// A square, as a set, and the lines through it.
#[derive(Clone, Copy)]
pub(super) struct OneSquare {
    square: u64,
    lines: &'static [u64; 4],
}

impl OneSquare {
    #[inline(always)]
    pub(super) fn new(square: u64) -> Self {
        Self { square, lines: &LINES[usize::from(square_of(square) & 63)] }
    }

    /// The sliders that attack the square on an empty board.
    #[inline(always)]
    pub(super) fn candidates(&self, [orthogonal, diagonal]: [u64; 2]) -> u64 {
        self.lines[0] & orthogonal | self.lines[1] & diagonal
    }

    /// The squares between the square and another one on a line through it.
    #[inline(always)]
    fn between(&self, other: u64) -> u64 {
        let &[orthogonal, diagonal, file, up] = self.lines;
        let is_orthogonal = orthogonal & other != 0;
        let both = select_unpredictable(is_orthogonal, orthogonal, diagonal);
        let one = select_unpredictable(is_orthogonal, file, up);
        let line = select_unpredictable(one & other != 0, one, both ^ one);
        // From the lower of the two squares to the one below the higher; then without the lower.
        let span = self.square.wrapping_neg() ^ other.wrapping_neg();
        line & span & span.wrapping_sub(1)
    }

    /// The squares that an orthogonal and a diagonal slider on the square would attack, by hyperbola quintessence (see
    /// [`line`](crate::line)), without a branch.
    #[inline(always)]
    pub(super) fn rays(&self, occupied: u64) -> [u64; 2] {
        let &[orthogonal, diagonal, file, up] = self.lines;
        let slider = self.square;
        let (twice, reversed) = (slider << 1, slider.swap_bytes() << 1);
        let along = |line: u64| {
            let blockers = occupied & line;
            let higher = blockers.wrapping_sub(twice);
            let lower = blockers.swap_bytes().wrapping_sub(reversed).swap_bytes();
            (higher ^ lower) & line
        };
        // Along a rank, from the nearest blocker below, or from a1.
        let above = occupied & twice.wrapping_neg();
        let below = (occupied & (slider - 1) | 1).ilog2();
        let along_rank = (above ^ above.wrapping_sub(1 << below)) & (orthogonal ^ file);
        [along_rank | along(file), along(up) | along(diagonal ^ up)]
    }

    /// The orthogonal and diagonal sliders that attack the square.
    #[inline(always)]
    pub(super) fn attackers(&self, [orthogonal, diagonal]: [u64; 2], occupied: u64) -> u64 {
        let [rook, bishop] = self.rays(occupied);
        rook & orthogonal | bishop & diagonal
    }

    /// The candidates that no piece separates from the square.
    #[inline(always)]
    pub(super) fn visible(&self, candidates: u64, occupied: u64) -> u64 {
        let (mut visible, mut rest) = (0, candidates);
        while rest != 0 {
            let slider = rest & rest.wrapping_neg();
            rest ^= slider;
            let is_visible = self.between(slider) & occupied == 0;
            visible |= select_unpredictable(is_visible, slider, 0);
        }
        visible
    }

    /// The pieces each of which alone separates an orthogonal or a diagonal slider from the square.
    #[inline(always)]
    pub(super) fn single_blockers(&self, sliders: [u64; 2], occupied: u64) -> u64 {
        let (mut single, mut rest) = (0, self.candidates(sliders));
        while rest != 0 {
            let slider = rest & rest.wrapping_neg();
            rest ^= slider;
            let blockers = self.between(slider) & occupied;
            let is_single = blockers & blockers.wrapping_sub(1) == 0;
            single |= select_unpredictable(is_single, blockers, 0);
        }
        single
    }

    /// The sliders that a single piece, which is one's own, separates from the square.
    #[inline(always)]
    pub(super) fn pinners(&self, sliders: [u64; 2], own: u64, occupied: u64) -> u64 {
        let (mut pinners, mut rest) = (0, self.candidates(sliders));
        while rest != 0 {
            let slider = rest & rest.wrapping_neg();
            rest ^= slider;
            let blockers = self.between(slider) & occupied;
            let pins = (blockers & own != 0) & (blockers & blockers.wrapping_sub(1) == 0);
            pinners |= select_unpredictable(pins, slider, 0);
        }
        pinners
    }
}

/// [`OneSquare::single_blockers`] of each square of a set.
#[cold]
pub(super) fn single_blockers_of_all(set: u64, sliders: [u64; 2], occupied: u64) -> u64 {
    let of_one = |square: u8| OneSquare::new(1_u64 << square).single_blockers(sliders, occupied);
    squares(set).map(of_one).fold(0, |all, blockers| all | blockers)
}

/// [`OneSquare::pinners`] of each square of a set.
#[cold]
pub(super) fn pinners_of_all(set: u64, sliders: [u64; 2], own: u64, occupied: u64) -> u64 {
    let of_one = |square: u8| OneSquare::new(1_u64 << square).pinners(sliders, own, occupied);
    squares(set).map(of_one).fold(0, |all, pinners| all | pinners)
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
