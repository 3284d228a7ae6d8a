//! A move in 16 bits.

use core::fmt;

use crate::pieces::Role;

/// The kind of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// A move without special rules.
    Normal,
    /// A pawn becomes a knight, a bishop, a rook or a queen.
    Promotion(Role),
    /// A pawn captures en passant.
    EnPassant,
    /// The king castles. The destination of the [`Move`] is two squares away if the king is on the e-file and the rook
    /// in a corner; otherwise (Chess960) it is the rook's square.
    Castling,
}

/// The roles that a pawn may promote to, in the order of their numbers.
const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// A move: origin, destination and kind.
///
/// It is encoded in 16 bits, as in Stockfish except for castling:
///
/// | bits | |
/// |---|---|
/// | 0 to 5 | the destination (a1 = 0, h8 = 63) |
/// | 6 to 11 | the origin |
/// | 12, 13 | the promotion: 0 knight, 1 bishop, 2 rook, 3 queen |
/// | 14, 15 | the kind: 0 normal, 1 promotion, 2 en passant, 3 castling |
///
/// The default, all zeros, is not a legal move; use it to initialize buffers. A move displays in UCI notation, castling
/// as defined by [`MoveKind::Castling`].
///
/// ```
/// use setwise::{Role, legal::{Move, MoveKind}};
/// let promotion = Move::new(52, 60, MoveKind::Promotion(Role::Rook));
/// assert_eq!((promotion.from(), promotion.to()), (52, 60));
/// assert_eq!(promotion.bits(), 60 | 52 << 6 | 2 << 12 | 1 << 14);
/// assert_eq!(promotion.to_string(), "e7e8r");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Move(u16);

impl Move {
    /// Creates the move between two squares.
    ///
    /// # Panics
    /// If a square is above 63, or the promotion is to a pawn or a king.
    #[inline]
    #[must_use]
    #[track_caller]
    pub const fn new(from: u8, to: u8, kind: MoveKind) -> Self {
        assert!(from < 64 && to < 64, "a square is 0 to 63");
        let kind = match kind {
            MoveKind::Normal => 0,
            MoveKind::Promotion(role) => {
                assert!(
                    !matches!(role, Role::Pawn | Role::King),
                    "a pawn becomes a knight, a bishop, a rook or a queen"
                );
                1 << 14 | (role as u16 - 1) << 12
            }
            MoveKind::EnPassant => 2 << 14,
            MoveKind::Castling => 3 << 14,
        };
        Self(to as u16 | (from as u16) << 6 | kind)
    }

    /// The origin.
    #[inline]
    #[must_use]
    pub const fn from(self) -> u8 {
        (self.0 >> 6 & 63) as u8
    }

    /// The destination.
    #[inline]
    #[must_use]
    pub const fn to(self) -> u8 {
        (self.0 & 63) as u8
    }

    /// The kind of the move.
    #[inline]
    #[must_use]
    pub const fn kind(self) -> MoveKind {
        match self.0 >> 14 {
            0 => MoveKind::Normal,
            1 => MoveKind::Promotion(PROMOTIONS[(self.0 >> 12 & 3) as usize]),
            2 => MoveKind::EnPassant,
            _ => MoveKind::Castling,
        }
    }

    /// Decodes a move; `None` if the encoding is invalid.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        let (special, role) = (bits >> 14, bits >> 12 & 3);
        if special != 1 && role != 0 { None } else { Some(Self(bits)) }
    }

    /// Decodes a move from bits that are known to be valid.
    #[inline(always)]
    pub(crate) const fn of(bits: u16) -> Self {
        Self(bits)
    }

    /// The encoding in 16 bits.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in [self.from(), self.to()] {
            write!(f, "{}{}", char::from(b'a' + square % 8), square / 8 + 1)?;
        }
        match self.kind() {
            MoveKind::Promotion(_) => {
                f.write_str(["n", "b", "r", "q"][usize::from(self.0 >> 12 & 3)])
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
