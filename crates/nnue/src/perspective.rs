//! A position as one side sees it.

use super::features::{FeatureError, FeatureSet, View, king_square};
use super::numbers::input;
use super::pairs::Threat;
use setwise::{Colour, Pieces, Role, piece_code};

impl FeatureSet {
    /// The position as one side sees it.
    ///
    /// # Errors
    /// If the side has no king, or several.
    pub fn perspective(
        &self,
        pieces: &Pieces,
        colour: Colour,
    ) -> Result<Perspective<'_>, FeatureError> {
        let king = king_square(0, colour, super::pairs::kings(pieces, colour))?;
        Ok(self.seen_from(colour, king))
    }

    /// The position as a side sees it whose king stands on a square (0 = a1, 63 = h8).
    ///
    /// # Panics
    /// If the square is above 63.
    #[must_use]
    #[track_caller]
    pub fn seen_from(&self, colour: Colour, king: u8) -> Perspective<'_> {
        assert!(king < 64, "a square is 0 to 63");
        Perspective { set: self, view: self.view(colour, king), colour }
    }
}

/// A position as one side sees it: turns pairs into inputs. [`FeatureSet::perspective`] makes it.
///
/// It holds as long as the side's king stays on its half of the board and in its bucket: a king that crosses from the
/// d-file to the e-file or back changes all inputs of blocks that mirror, and one that goes to another bucket those of
/// the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Perspective<'a> {
    pub(super) set: &'a FeatureSet,
    pub(super) view: &'a View,
    pub(super) colour: Colour,
}

impl Perspective<'_> {
    /// The input of a pair of a position, or none if the set has none for it, as sets without threats.
    #[must_use]
    pub fn input(&self, pieces: &Pieces, threat: Threat) -> Option<u32> {
        self.input_of(threat.attacker(pieces)?, threat, threat.victim(pieces)?)
    }

    /// The input of a pair whose attacker and victim are known; the pieces need not stand on a board.
    #[inline]
    #[must_use]
    pub fn input_of(
        &self,
        attacker: (Colour, Role),
        threat: Threat,
        victim: (Colour, Role),
    ) -> Option<u32> {
        let pieces = [attacker, victim].map(|(colour, role)| piece_code(colour, role));
        let swap = 8 * self.colour as u8;
        let (block, tables) = self.set.threats()?;
        let flip = self.view.flips[block];
        let (input, exists) = input(tables, flip, swap, pieces, threat);
        exists.then_some(input)
    }

    /// Returns whether two perspectives of a set see the board alike: if so, only what
    /// [changed](crate::position::threats_changed) need be looked at; if not, everything.
    #[must_use]
    pub fn is_same_view(&self, other: &Self) -> bool {
        self.view == other.view && self.colour == other.colour
    }
}
