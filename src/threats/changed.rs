//! What a move changes: the pairs that are gone and the pairs that are new, without listing all of them.

use super::pairs::{Sets, Threat, ThreatList, distinct, is_distinct};
use crate::bitboard::Direction;
use crate::leaper::{KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS};
use crate::pieces::Pieces;

/// The pairs that tell two positions apart, as [`position::threats_changed`] gives them.
///
/// [`position::threats_changed`]: crate::position::threats_changed
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ThreatChanges {
    /// Pairs of the position before; attacker and victim are to be looked up there.
    pub removed: ThreatList,
    /// Pairs of the position after.
    pub added: ThreatList,
}

/// The pairs that are gone and those that are new when one position becomes another: by a piece that appears
/// or leaves, by a move, or by any other change.
///
/// A pair counts as the same only if attacker and victim are the same too: where a piece takes another, the
/// attackers of the square are both removed and added, with another victim each time. The order is not that
/// of [`threats`](crate::position::threats): square by changed square, and the same on every backend.
///
/// The cost goes by the number of squares that differ (two to four in a move): some 50 operations a square
/// and position, and a few for each pair.
///
/// ```
/// use setwise::{position, Colour, Fen, Role};
/// let before = Fen::parse("4k3/8/8/8/8/8/4P3/4R1K1 w - - 0 1")?.pieces;
/// let after = Fen::parse("4k3/8/8/8/4P3/8/8/4R1K1 b - - 0 1")?.pieces;
/// let changes = position::threats_changed(&before, &after);
/// let named = |list: &[setwise::threats::Threat]| {
///     list.iter().map(|threat| threat.to_string()).collect::<Vec<_>>()
/// };
/// assert_eq!(named(&changes.removed), ["e1-e2"]);
/// assert_eq!(named(&changes.added), ["e1-e4"]);
/// # Ok::<(), setwise::fen::FenError>(())
/// ```
#[must_use]
pub fn threats_changed(before: &Pieces, after: &Pieces) -> ThreatChanges {
    let [before, after] =
        [before, after].map(|pieces| if is_distinct(pieces) { *pieces } else { distinct(pieces) });
    let [old, new] = [&before, &after].map(|pieces| {
        // A role without a colour is nothing, and a colour without a role is nobody's.
        let occupied = pieces.occupied();
        let [roles @ .., _, black] = pieces.sets();
        let any = roles.into_iter().fold(0, |any, role| any | role);
        (roles.map(|role| role & occupied), black & any, occupied)
    });
    let mut changed = (old.1 ^ new.1) | (old.2 ^ new.2);
    for (old, new) in old.0.into_iter().zip(new.0) {
        changed |= old ^ new;
    }
    let mut changes = ThreatChanges::default();
    touched(&Sets::of(&before), changed, &mut changes.removed);
    touched(&Sets::of(&after), changed, &mut changes.added);
    changes
}

/// The pairs that have a changed square at one of their ends or between them. All others are pairs of
/// both positions; and of these none is in both, or a square would not have changed.
fn touched(sets: &Sets, changed: u64, list: &mut ThreatList) {
    let mut left = changed;
    while left != 0 {
        let square = left.trailing_zeros() as u8;
        left &= left - 1;
        for axis in &LINES[usize::from(square)] {
            lines(sets, changed, square, axis, list);
        }
        if sets.occupied >> square & 1 == 1 {
            leaps(sets, changed, square, list);
        }
    }
}

/// The squares of a line on either side of a square, and whether the line is orthogonal.
struct Line {
    above: u64,
    below: u64,
    orthogonal: bool,
}

/// The four lines through each square.
static LINES: [[Line; 4]; 64] = {
    let mut lines = [const { [const { Line { above: 0, below: 0, orthogonal: false } }; 4] }; 64];
    let mut square = 0;
    while square < 64 {
        let mut axis = 0;
        while axis < 4 {
            let up = super::axes::UP[axis];
            lines[square][axis] = Line {
                above: ray(square, up),
                below: ray(square, up.opposite()),
                orthogonal: up.is_orthogonal(),
            };
            axis += 1;
        }
        square += 1;
    }
    lines
};

/// All squares of a direction.
const fn ray(square: usize, direction: Direction) -> u64 {
    let (mut ray, mut next) = (0, direction.step(1 << square));
    while next != 0 {
        ray |= next;
        next = direction.step(next);
    }
    ray
}

/// The pairs of sliders on a line through a changed square. Of several changed squares that a pair has, the
/// lowest lists it.
#[inline(always)]
fn lines(sets: &Sets, changed: u64, square: u8, line: &Line, list: &mut ThreatList) {
    let sliders = if line.orthogonal { sets.orthogonal } else { sets.diagonal };
    let above = sets.occupied & line.above;
    let below = sets.occupied & line.below;
    let mut both = |low: u8, high: u8| {
        if sliders >> low & 1 == 1 {
            list.push(Threat::of(low, high));
        }
        if sliders >> high & 1 == 1 {
            list.push(Threat::of(high, low));
        }
    };
    let occupied = sets.occupied >> square & 1 == 1;
    let high = above.trailing_zeros() as u8;
    if occupied && above != 0 {
        both(square, high);
    }
    if below != 0 && (occupied || above != 0) {
        let low = 63 - below.leading_zeros() as u8;
        let between_and_low = line.below & (u64::MAX << low);
        if changed & between_and_low == 0 {
            both(low, if occupied { square } else { high });
        }
    }
}

/// The pairs of leapers that stand on a changed square, or attack it from one that has not changed.
#[inline(always)]
fn leaps(sets: &Sets, changed: u64, square: u8, list: &mut ThreatList) {
    let at = usize::from(square);
    let stands = |set: u64| if set >> square & 1 == 1 { u64::MAX } else { 0 };
    let mut victims = sets.occupied
        & ((stands(sets.pawns[0]) & PAWN_ATTACKS[0][at])
            | (stands(sets.pawns[1]) & PAWN_ATTACKS[1][at])
            | (stands(sets.knights) & KNIGHT_ATTACKS[at])
            | (stands(sets.kings) & KING_ATTACKS[at]));
    while victims != 0 {
        list.push(Threat::of(square, victims.trailing_zeros() as u8));
        victims &= victims - 1;
    }
    let mut attackers = !changed
        & ((sets.pawns[0] & PAWN_ATTACKS[1][at])
            | (sets.pawns[1] & PAWN_ATTACKS[0][at])
            | (sets.knights & KNIGHT_ATTACKS[at])
            | (sets.kings & KING_ATTACKS[at]));
    while attackers != 0 {
        list.push(Threat::of(attackers.trailing_zeros() as u8, square));
        attackers &= attackers - 1;
    }
}
