//! The blocks of inputs that feature sets consist of: their definitions as data, and errors in them.

use core::fmt;

use setwise::Role;
use setwise::UnknownName;

/// The rule for mirroring the board in a perspective. Mirroring exchanges the a-file and the h-file, so that the own
/// king is always seen on the same half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mirror {
    /// Never.
    Never,
    /// If the own king is on the files e to h: it is always seen on a to d.
    KingToFilesAToD,
    /// If the own king is on the files a to d: it is always seen on e to h.
    KingToFilesEToH,
}

impl Mirror {
    /// Returns the bits to flip in all squares, given the king's square.
    pub(crate) const fn flip(self, king: u8) -> u8 {
        let mirrored = match self {
            Self::Never => false,
            Self::KingToFilesAToD => king & 4 != 0,
            Self::KingToFilesEToH => king & 4 == 0,
        };
        if mirrored { 7 } else { 0 }
    }
}

/// The maximal number of blocks of a set.
pub(super) const MAX_BLOCKS: usize = 4;

/// The maximal length of a set's name, in bytes.
pub(super) const MAX_NAME: usize = 127;

/// One family of inputs of a [`FeatureSet`](super::FeatureSet).
///
/// Squares are seen from the perspective of a side: flipped vertically for black (`^ 56`), so that the side moves up
/// the board, and mirrored (`^ 7`) according to [`Mirror`]. The side's pieces are its *own* pieces, the others the
/// *enemy's*. The inputs of a block follow those of the previous block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FeatureBlock {
    /// The hash that identifies the block in network files, or 0.
    pub hash: u32,
    /// The number of inputs of this block for which trainers reserve space in a padded row
    /// ([`FeatureSet::row_width`](super::FeatureSet::row_width)). A position may have more.
    pub width: u16,
    /// The kind of inputs and their table.
    pub inputs: BlockInputs,
}

/// The inputs of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BlockInputs {
    /// Threats: pairs of attacker and victim.
    Threats(ThreatInputs),
    /// Pairs of pawns on the same file or on close files.
    PawnPairs(PawnPairInputs),
    /// Pieces and their squares, depending on the square of the own king.
    PieceSquare(PieceSquareInputs),
}

impl FeatureBlock {
    /// A block of threats, with 128 inputs per row and without a hash.
    #[must_use]
    pub const fn threats(inputs: ThreatInputs) -> Self {
        Self { hash: 0, width: 128, inputs: BlockInputs::Threats(inputs) }
    }

    /// A block of pawn pairs, with 128 inputs per row and without a hash.
    #[must_use]
    pub const fn pawn_pairs(inputs: PawnPairInputs) -> Self {
        Self { hash: 0, width: 128, inputs: BlockInputs::PawnPairs(inputs) }
    }

    /// A block of piece-square inputs, with 32 inputs per row and without a hash.
    #[must_use]
    pub const fn piece_square(inputs: PieceSquareInputs) -> Self {
        Self { hash: 0, width: 32, inputs: BlockInputs::PieceSquare(inputs) }
    }
}

/// The table of a block of threats. Roles are numbered as in [`Role::ALL`], from pawn to king.
///
/// Own pieces are treated as white. For an attacker `A` of role `a` and a victim `V` of role `v`,
///
/// ```text
/// input = base[A] + (enemy(V) * targets[a] / 2 + map[a][v]) * moves[a] + before[A][from] + rank
/// ```
///
/// `enemy(V)` is 1 if the victim belongs to the enemy of the side whose perspective it is, whatever the colour of the
/// attacker: when an enemy piece attacks one of its own, `enemy(V)` is 1.
///
/// On an empty board, `rank` is the number of squares below `to` that `A` attacks from `from`; `before` is the number
/// of squares that `A` attacks from each square below `from`, summed over these squares; `moves` is this sum over all
/// squares (84, 336, 560, 896, 1,456 and 420). `base` is the sum of `targets * moves` over the pieces before `A`, in
/// the order own pawn to own king, then enemy pawn to enemy king. A pawn on its first rank has no inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ThreatInputs {
    /// The number of kinds of victims for each attacker's role: half of them own pieces, half the enemy's. It is even
    /// and at most 14.
    pub targets: [u8; 6],
    /// `map[attacker][victim]` is the index of the victim's role among the kinds of victims of the attacker's role;
    /// negative if the two roles have no inputs.
    pub map: [[i8; 6]; 6],
    /// By role, then for friends and for enemies: true if, when two pieces of this role attack each other, only the
    /// pair from the higher square to the lower one (as the perspective sees them) has an input. It must be false for
    /// friendly pawns with inputs, because only one of two pawns can defend the other.
    pub once: [[bool; 2]; 6],
    /// The rule for mirroring the board.
    pub mirror: Mirror,
}

/// The table of a block of pawn pairs: two pawns of either colour on the same file or on close files, each pair once.
///
/// The ranks `first` to `last` have `squares = 8 * (last - first + 1)` squares, 48 for the ranks 2 to 7. The number of
/// a pawn is
///
/// ```text
/// number = squares * (0 own, 1 the enemy's) + square - 8 * (first - 1)
/// ```
///
/// The input of a pair is `high * (high - 1) / 2 + low`, where `high` and `low` are the higher and the lower number.
/// Every pair of numbers has an input, although those of files that are too far apart are never used: 4,560 inputs for
/// the ranks 2 to 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PawnPairInputs {
    /// The maximal distance between the two files: 0 for the same file only, 1 to include adjacent files, up to 7 for
    /// all pairs.
    pub files_apart: u8,
    /// The first and the last rank on which pawns count, 1 to 8. Both sides must see the same ranks, so the sum must be
    /// 9.
    pub ranks: [u8; 2],
    /// The rule for mirroring the board.
    pub mirror: Mirror,
}

/// The table of a block of piece-square inputs.
///
/// ```text
/// input = square + 64 * planes[own 0, enemy's 1][role] + 64 * (number of planes) * buckets[king]
/// ```
///
/// `king` is the square of the own king. Both squares are as the perspective sees them: flipped and mirrored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PieceSquareInputs {
    /// The bucket for each square of the own king, as the perspective sees it: all 0 if the inputs do not depend on the
    /// king. Squares on which the king is never seen because of mirroring are ignored.
    pub buckets: [u8; 64],
    /// The plane of each piece: own pawn to own king, then the enemy's; negative if the piece has no inputs. Pieces
    /// with the same plane share its inputs; in some networks the two kings share a plane. The number of planes is the
    /// highest plane plus 1, at most 64.
    pub planes: [[i8; 6]; 2],
    /// The rule for mirroring the board.
    pub mirror: Mirror,
}

impl PieceSquareInputs {
    /// The order of planes in the common 768 inputs: own pieces from pawn to king, then the enemy's.
    pub const OWN_THEN_ENEMY: [[i8; 6]; 2] = [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]];

    /// The 768 inputs that many networks use: one per piece and square, independent of the king.
    pub const ALL_768: Self =
        Self { buckets: [0; 64], planes: Self::OWN_THEN_ENEMY, mirror: Mirror::Never };

    /// Creates a table from a map of king squares to buckets, as the perspective sees the board, a1 first. If the board
    /// is mirrored, only the half on which the king is seen is used.
    ///
    /// ```
    /// use setwise_nnue::{FeatureBlock, FeatureSet, Mirror, PieceSquareInputs};
    /// // One bucket for the first rank and one for the other ranks; the king is seen on the files a to d.
    /// let mut map = [1; 64];
    /// map[..8].fill(0);
    /// let inputs = PieceSquareInputs::with_buckets(map, Mirror::KingToFilesAToD);
    /// let set = FeatureSet::new("two-buckets", &[FeatureBlock::piece_square(inputs)])?;
    /// assert_eq!(set.inputs(), 2 * 768);
    /// # Ok::<(), setwise_nnue::SetError>(())
    /// ```
    #[must_use]
    pub const fn with_buckets(buckets: [u8; 64], mirror: Mirror) -> Self {
        Self { buckets, planes: Self::OWN_THEN_ENEMY, mirror }
    }
}

/// An error in the blocks or in the name of a [`FeatureSet`](super::FeatureSet).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SetError {
    /// No set has this name, or one of the names joined by `+`.
    Name(UnknownName),
    /// The name is longer than [`FeatureSet::MAX_NAME`](super::FeatureSet::MAX_NAME) bytes: its length.
    LongName(usize),
    /// The number of blocks is 0 or above [`FeatureSet::MAX_BLOCKS`](super::FeatureSet::MAX_BLOCKS).
    Blocks(usize),
    /// A block has the same inputs as a previous block, or it is the second block of threats or of pawn pairs: the
    /// indices of the two blocks, from 0.
    Overlap([usize; 2]),
    /// The number of targets of this role is odd or above 14.
    Targets(Role),
    /// An index in a map is not below half the number of targets.
    Place {
        /// The role of the attacker.
        attacker: Role,
        /// The role of the victim with this index.
        victim: Role,
    },
    /// `once` is true for friendly pawns, which never attack each other.
    Once,
    /// The distance between the files of pawn pairs is above 7.
    FilesApart(u8),
    /// The first and the last rank of pawn pairs are invalid, or differ for the two sides.
    Ranks([u8; 2]),
    /// A piece has a plane above 63.
    Plane(i8),
    /// No piece has a plane.
    NoPlanes,
}

impl fmt::Display for SetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(error) => error.fmt(f),
            Self::LongName(length) => write!(
                f,
                "the name of the feature set has {length} bytes, and {MAX_NAME} are allowed"
            ),
            Self::Blocks(blocks) => {
                write!(f, "the feature set has {blocks} blocks, and 1 to {MAX_BLOCKS} are allowed")
            }
            Self::Overlap([first, second]) => write!(
                f,
                "blocks {first} and {second} of the feature set overlap: threats and pawn pairs can occur once, and \
                 no block twice"
            ),
            Self::Targets(attacker) => {
                write!(f, "the number of targets of a {attacker:?} is not even or above 14")
            }
            Self::Place { attacker, victim } => write!(
                f,
                "the map places a {victim:?} attacked by a {attacker:?} beyond half of its targets"
            ),
            Self::Once => f.write_str(
                "`once` is true for pawns that are friends, which never attack each other: it would drop the \
                 defences of a side's own pawns",
            ),
            Self::FilesApart(files) => {
                write!(f, "pawns of a pair cannot be {files} files apart, but 0 to 7")
            }
            Self::Ranks([first, last]) => write!(
                f,
                "the ranks {first} to {last} of pawn pairs are not the same for both sides: expected 1 to 8, 2 to 7, \
                 3 to 6 or 4 to 5"
            ),
            Self::Plane(plane) => write!(f, "a piece has plane {plane}, and 63 is the last"),
            Self::NoPlanes => f.write_str("no piece has a plane"),
        }
    }
}

impl core::error::Error for SetError {}

impl From<UnknownName> for SetError {
    fn from(error: UnknownName) -> Self {
        Self::Name(error)
    }
}
