//! Facts about a side's king: checkers, pins, discovered checks, and the squares on which it would be in check.

/// Facts about a side's king: [`position::king_facts`](crate::position::king_facts). The enemy is the other side.
///
/// With several kings, the facts cover all of them, and every king blocks. Without a king, only `danger` has squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(C)]
#[non_exhaustive]
pub struct KingFacts {
    /// The enemy's pieces that give check: [`checkers`](crate::position::checkers).
    pub checkers: u64,
    /// The side's pieces that are pinned: [`pinned`](crate::position::pinned).
    pub pinned: u64,
    /// The enemy's sliders that pin them: [`pinners`](crate::position::pinners).
    pub pinners: u64,
    /// The enemy's pieces that are the only piece between the king and another enemy slider: they give discovered check
    /// when they leave the line.
    pub discoverers: u64,
    /// The squares where the king would be in check: [`king_danger`](crate::position::king_danger), unless sets are
    /// inconsistent.
    pub danger: u64,
    /// The squares from which an enemy piece of each role, in the order of [`Role::ALL`](crate::Role::ALL), gives
    /// check; none for a king.
    pub checking_squares: [u64; 6],
}

/// The rays from a king, and those of the enemy's sliders.
#[derive(Clone, Copy)]
pub struct KingRays {
    /// From the king along ranks and files, and along diagonals.
    pub(super) rook: u64,
    pub(super) bishop: u64,
    /// The squares where a ray from the king meets an enemy slider's ray from the opposite side.
    pub(super) between: u64,
    /// The sliders that pin the side's pieces on these squares.
    pub(super) pinners: u64,
    /// The squares that the sliders attack with the king off the board.
    pub(super) seen: u64,
}
