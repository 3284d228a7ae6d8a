//! Moves in 16 bits, used by three formats: two squares, a promotion role, and a kind in the two highest bits.

use setwise::Role;

use crate::error::Fault;
use crate::{Move, MoveKind};

/// The promotion roles, in the order of their numbers in all formats.
pub(crate) const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// A format's bit offsets of the parts of a move, and its numbers of the kinds of moves. Ordinary moves have kind 0.
pub(crate) struct Layout {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) role: u32,
    pub(crate) promotion: u16,
    pub(crate) en_passant: u16,
    pub(crate) castling: u16,
}

impl Layout {
    /// Returns an error at offset `at` if a move that is not a promotion has a promotion role.
    #[inline(always)]
    pub(crate) fn check(&self, packed: u16, at: usize) -> Result<(), Fault> {
        if packed >> 14 == self.promotion || packed >> self.role & 3 == 0 {
            return Ok(());
        }
        let expected = "a promotion's role only where the move promotes";
        Err(Fault::new(at, expected, format_args!("the move 0x{packed:04x}")))
    }

    #[inline(always)]
    pub(crate) fn unpack(&self, packed: u16) -> Move {
        let kind = match packed >> 14 {
            0 => MoveKind::Normal,
            kind if kind == self.promotion => {
                MoveKind::Promotion(PROMOTIONS[usize::from(packed >> self.role & 3)])
            }
            kind if kind == self.en_passant => MoveKind::EnPassant,
            _ => MoveKind::Castling,
        };
        let square = |at: u32| (packed >> at & 63) as u8;
        Move { from: square(self.from), to: square(self.to), kind }
    }

    /// Packs a move; returns an error at offset `at` if it does not fit.
    pub(crate) fn pack(&self, Move { from, to, kind }: Move, at: usize) -> Result<u16, Fault> {
        if from > 63 || to > 63 {
            return Err(Fault::new(at, "a move between squares up to 63", from.max(to)));
        }
        let (kind, role) = match kind {
            MoveKind::Normal => (0, 0),
            MoveKind::Promotion(role) => (self.promotion, number(role, at)?),
            MoveKind::EnPassant => (self.en_passant, 0),
            MoveKind::Castling => (self.castling, 0),
        };
        let squares = u16::from(from) << self.from | u16::from(to) << self.to;
        Ok(kind << 14 | role << self.role | squares)
    }
}

/// The number of a promotion role; an error at offset `at` for other roles.
pub(crate) fn number(role: Role, at: usize) -> Result<u16, Fault> {
    let number = PROMOTIONS.iter().position(|other| *other == role);
    let invalid = || Fault::new(at, "a promotion to knight, bishop, rook or queen", "another");
    Ok(number.ok_or_else(invalid)? as u16)
}
