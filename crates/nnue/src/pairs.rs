//! Pairs, lists of pairs, and the sets of pieces from which pairs are computed.

use core::fmt;
use core::ops::Deref;

use setwise::{Colour, Pieces, Role};

/// The maximal number of pairs in any position.
///
/// A slider attacks at most one piece in each direction in which its square has a neighbour. No other piece attacks
/// more from the same square. So the number of threats is at most the number of ordered pairs of adjacent squares, 420.
/// A board of 64 queens reaches it.
pub const MAX_THREATS: usize = 420;

/// The capacity of a list: a whole vector may be stored after the last pair.
pub(crate) const BUFFER: usize = MAX_THREATS + 32;

/// A pair of squares: the piece on `from` attacks the occupied square `to`.
///
/// It has 16 bits: `from` in the low byte and `to` in the high byte, each 0 (a1) to 63 (h8).
///
/// ```
/// use setwise_nnue::Threat;
/// let threat = Threat::new(12, 28);
/// assert_eq!((threat.from(), threat.to()), (12, 28));
/// assert_eq!(threat.bits(), 0x1c0c);
/// assert_eq!(Threat::from_bits(0x1c0c), Some(threat));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Threat(pub(super) u16);

impl Threat {
    /// Creates a pair from two squares.
    ///
    /// # Panics
    /// If a square is above 63.
    #[inline]
    #[must_use]
    #[track_caller]
    pub const fn new(from: u8, to: u8) -> Self {
        assert!(from < 64 && to < 64, "a square is 0 to 63");
        Self::of(from, to)
    }

    /// [`new`](Self::new) for squares that are known to be on the board.
    #[inline(always)]
    pub(crate) const fn of(from: u8, to: u8) -> Self {
        Self(from as u16 | (to as u16) << 8)
    }

    /// Creates a pair from its [bits](Self::bits); `None` if one of the two squares is above 63.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        if bits & 0xc0c0 == 0 { Some(Self(bits)) } else { None }
    }

    /// The square of the attacker.
    #[inline]
    #[must_use]
    pub const fn from(self) -> u8 {
        self.0 as u8
    }

    /// The attacked square.
    #[inline]
    #[must_use]
    pub const fn to(self) -> u8 {
        (self.0 >> 8) as u8
    }

    /// The pair as a number: `from + 256 * to`.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The attacker: the piece on [`from`](Self::from) in the position of the pair.
    ///
    /// ```
    /// use setwise::{Colour, Pieces, Role};
    /// use setwise_nnue::position;
    /// let threats = position::threats(&Pieces::START);
    /// let by_kings = threats
    ///     .iter()
    ///     .filter(|threat| threat.attacker(&Pieces::START) == Some((Colour::White, Role::King)));
    /// assert_eq!(by_kings.count(), 5);
    /// ```
    #[inline]
    #[must_use]
    pub fn attacker(self, pieces: &Pieces) -> Option<(Colour, Role)> {
        pieces.at(self.from())
    }

    /// The victim: the piece on [`to`](Self::to); `None` if the square has a colour but no role.
    #[inline]
    #[must_use]
    pub fn victim(self, pieces: &Pieces) -> Option<(Colour, Role)> {
        pieces.at(self.to())
    }
}

impl fmt::Debug for Threat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Formats the pair as `e2-e4`.
impl fmt::Display for Threat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |square: u8| (char::from(b'a' + square % 8), square / 8 + 1);
        let ((from_file, from_rank), (to_file, to_rank)) = (name(self.from()), name(self.to()));
        write!(f, "{from_file}{from_rank}-{to_file}{to_rank}")
    }
}

/// The pairs of one position: a slice of [`Threat`] with a capacity of [`MAX_THREATS`], stored inline.
///
/// ```
/// use setwise::Pieces;
/// use setwise_nnue::position;
/// let threats = position::threats(&Pieces::START);
/// assert_eq!(threats.len(), 40);
/// for threat in &threats {
///     assert_ne!(threat.from(), threat.to());
/// }
/// ```
#[derive(Clone)]
#[must_use]
pub struct ThreatList {
    pub(crate) len: usize,
    pub(crate) pairs: [Threat; BUFFER],
}

impl ThreatList {
    /// The pairs.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[Threat] {
        &self.pairs[..self.len]
    }

    /// Appends a pair.
    #[inline(always)]
    pub(crate) fn push(&mut self, threat: Threat) {
        self.pairs[self.len] = threat;
        self.len += 1;
    }
}

impl Default for ThreatList {
    #[inline(always)]
    fn default() -> Self {
        Self { len: 0, pairs: [Threat(0); BUFFER] }
    }
}

impl Deref for ThreatList {
    type Target = [Threat];

    #[inline]
    fn deref(&self) -> &[Threat] {
        self.as_slice()
    }
}

impl fmt::Debug for ThreatList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(f)
    }
}

impl PartialEq for ThreatList {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for ThreatList {}

impl<'a> IntoIterator for &'a ThreatList {
    type Item = &'a Threat;
    type IntoIter = core::slice::Iter<'a, Threat>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}

/// A list that a kernel writes. Stores may exceed its end; later stores overwrite the excess.
pub(crate) struct Writer<'a> {
    pub(crate) buffer: &'a mut [Threat; BUFFER],
    pub(crate) len: usize,
}

/// The sets from which pairs are computed. A square is in the sets of at most one role (a queen is in `orthogonal` and
/// `diagonal`), and all squares in the sets are occupied. So there are at most [`MAX_THREATS`] pairs. Kernels may rely
/// on this, because only [`Sets::of`] and [`Sets::of_distinct`] create this type.
#[derive(Clone, Copy)]
pub(crate) struct Sets {
    pub(super) occupied: u64,
    /// Rooks and queens.
    pub(super) orthogonal: u64,
    /// Bishops and queens.
    pub(super) diagonal: u64,
    /// White's, then black's.
    pub(super) pawns: [u64; 2],
    pub(super) knights: u64,
    pub(super) kings: u64,
    /// The possible victims of pawns: all occupied squares, or a subset.
    pub(super) pawn_victims: u64,
}

impl Sets {
    /// The sets of a position. Each square holds the piece that [`Pieces::at`] returns.
    #[inline(always)]
    pub(crate) fn of(pieces: &Pieces) -> Self {
        if pieces.is_distinct() {
            Self::of_distinct(pieces)
        } else {
            Self::of_distinct(&distinct(pieces))
        }
    }

    /// [`of`](Self::of) for a position in which no square holds two pieces.
    #[inline(always)]
    pub(crate) fn of_distinct(pieces: &Pieces) -> Self {
        debug_assert!(pieces.is_distinct());
        let occupied = pieces.white | pieces.black;
        Self {
            occupied,
            orthogonal: (pieces.rooks | pieces.queens) & occupied,
            diagonal: (pieces.bishops | pieces.queens) & occupied,
            pawns: [pieces.pawns & pieces.white, pieces.pawns & pieces.black],
            knights: pieces.knights & occupied,
            kings: pieces.kings & occupied,
            pawn_victims: occupied,
        }
    }
}

/// Reduces each square to the piece that [`Pieces::at`] returns: the first colour and the first role.
#[cold]
#[inline(never)]
pub(crate) fn distinct(pieces: &Pieces) -> Pieces {
    let mut seen = 0;
    let mut first = |set: u64| {
        let left = set & !seen;
        seen |= set;
        left
    };
    Pieces {
        pawns: first(pieces.pawns),
        knights: first(pieces.knights),
        bishops: first(pieces.bishops),
        rooks: first(pieces.rooks),
        queens: first(pieces.queens),
        kings: first(pieces.kings),
        white: pieces.white,
        black: pieces.black & !pieces.white,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_piece_attacks_more_squares_than_it_has_neighbours() {
        use setwise::leaper::{KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS};
        for square in 0..64 {
            let neighbours = KING_ATTACKS[square].count_ones();
            assert!(KNIGHT_ATTACKS[square].count_ones() <= neighbours);
            assert!(PAWN_ATTACKS.iter().all(|pawn| pawn[square].count_ones() <= neighbours));
        }
        let neighbours: u32 = KING_ATTACKS.iter().map(|set| set.count_ones()).sum();
        assert_eq!(neighbours as usize, MAX_THREATS);
    }

    /// A square of both colours is white's. A square of a king and another role does not hold a king.
    #[test]
    fn kings_are_those_of_the_pieces() {
        for sets in 0..256_u64 {
            let sets: [u64; 8] = core::array::from_fn(|set| sets >> set & 1);
            let pieces = Pieces::from_sets(sets);
            for colour in Colour::ALL {
                let is_king = pieces.at(0) == Some((colour, Role::King));
                let view = crate::FeatureSet::HALFKA_HM.perspective(&pieces, colour);
                assert_eq!(view.is_ok(), is_king, "{pieces:?} {colour:?}");
            }
        }
    }

    #[test]
    fn a_board_full_of_queens_fills_the_list() {
        let board = Pieces { queens: !0, white: !0, ..Pieces::EMPTY };
        assert_eq!(crate::position::threats(&board).len(), MAX_THREATS);
    }
}
