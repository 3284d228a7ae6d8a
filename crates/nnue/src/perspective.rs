//! Perspectives: one side's view of a position.

use super::features::{FeatureError, FeatureSet, View, king_square};
use super::numbers::input;
use super::pairs::{Sets, Threat};
use setwise::{Colour, Pieces, Role, piece_code};

impl FeatureSet {
    /// Returns a side's perspective on a position.
    ///
    /// # Errors
    /// If the side does not have exactly one king.
    pub fn perspective(
        &self,
        pieces: &Pieces,
        colour: Colour,
    ) -> Result<Perspective<'_>, FeatureError> {
        let own = if colour == Colour::White { pieces.white } else { !pieces.white };
        let king = king_square(0, colour, Sets::of(pieces).kings & own)?;
        Ok(self.seen_from(colour, king))
    }

    /// Returns the perspective of a side whose king is on a square (0 = a1, 63 = h8).
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

/// The perspective of one side, created by [`FeatureSet::perspective`]. It converts pairs to inputs.
///
/// A perspective is valid as long as the side's king stays on its half of the board and in its bucket. A king that
/// crosses between the d-file and the e-file changes all inputs of mirrored blocks. A king that moves to another bucket
/// changes all inputs of pieces on squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Perspective<'a> {
    pub(super) set: &'a FeatureSet,
    pub(super) view: &'a View,
    pub(super) colour: Colour,
}

impl Perspective<'_> {
    /// The input of a pair in a position; `None` if the set has no input for the pair.
    #[must_use]
    pub fn input(&self, pieces: &Pieces, threat: Threat) -> Option<u32> {
        self.input_of(threat.attacker(pieces)?, threat, threat.victim(pieces)?)
    }

    /// The input of a pair with the given attacker and victim, without a position.
    #[inline]
    #[must_use]
    pub fn input_of(
        &self,
        attacker: (Colour, Role),
        threat: Threat,
        victim: (Colour, Role),
    ) -> Option<u32> {
        let [attacker, victim] = [attacker, victim].map(|(colour, role)| piece_code(colour, role));
        let pair = u32::from_le_bytes([threat.from(), threat.to(), attacker, victim]);
        let (block, tables) = self.set.threats()?;
        let (input, exists) = input(tables, self.view.flips[block], 8 * self.colour as u8, pair);
        exists.then_some(input)
    }

    /// Returns whether two perspectives of a set have the same view of the board. If they do, it suffices to apply
    /// [changes](crate::position::threats_changed); otherwise all inputs must be computed again.
    #[must_use]
    pub fn is_same_view(&self, other: &Self) -> bool {
        self.view == other.view && self.colour == other.colour
    }
}
