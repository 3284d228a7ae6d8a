//! The blocks of inputs that feature sets are made of, as data: what a user states, and what is wrong with it.

use core::fmt;

use setwise::Role;
use setwise::UnknownName;

/// Whether a perspective sees the board mirrored, a-file for h-file, so that its king is always on the same
/// half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mirror {
    /// Never.
    Never,
    /// If its king stands on the files e to h; so it is always on a to d.
    KingToFilesAToD,
    /// If its king stands on the files a to d; so it is always on e to h.
    KingToFilesEToH,
}

impl Mirror {
    /// By which bits the squares change for a king on a square, apart from the ranks.
    pub(crate) const fn flip(self, king: u8) -> u8 {
        let mirrored = match self {
            Self::Never => false,
            Self::KingToFilesAToD => king & 4 != 0,
            Self::KingToFilesEToH => king & 4 == 0,
        };
        if mirrored { 7 } else { 0 }
    }
}

/// The most blocks of a set.
pub(super) const MAX_BLOCKS: usize = 4;

/// The longest name of a set, in bytes.
pub(super) const MAX_NAME: usize = 127;

/// One family of inputs of a [`FeatureSet`](super::FeatureSet).
///
/// For a perspective the squares are turned so that its side moves up the board (`^ 56` for black), and mirrored
/// (`^ 7`) as the block's table says; the perspective's own pieces are those of its side. The inputs of a block begin
/// where those of the block before it end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FeatureBlock {
    /// By what a network's file knows the block, or 0.
    pub hash: u32,
    /// How many inputs of this block a padded row has space for, as trainers count
    /// ([`FeatureSet::row_width`](super::FeatureSet::row_width)). A position may have more.
    pub width: u16,
    /// Which inputs there are.
    pub inputs: BlockInputs,
}

/// Which inputs a block has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BlockInputs {
    /// Who attacks whom.
    Threats(ThreatInputs),
    /// Which pawns stand on the same file or close to each other.
    PawnPairs(PawnPairInputs),
    /// Which piece stands where, seen by a king.
    PieceSquare(PieceSquareInputs),
}

impl FeatureBlock {
    /// A block of threats, with 128 inputs a row and without a hash.
    #[must_use]
    pub const fn threats(inputs: ThreatInputs) -> Self {
        Self { hash: 0, width: 128, inputs: BlockInputs::Threats(inputs) }
    }

    /// A block of pawn pairs, with 128 inputs a row and without a hash.
    #[must_use]
    pub const fn pawn_pairs(inputs: PawnPairInputs) -> Self {
        Self { hash: 0, width: 128, inputs: BlockInputs::PawnPairs(inputs) }
    }

    /// A block of piece-square inputs, with 32 inputs a row and without a hash.
    #[must_use]
    pub const fn piece_square(inputs: PieceSquareInputs) -> Self {
        Self { hash: 0, width: 32, inputs: BlockInputs::PieceSquare(inputs) }
    }
}

/// What tells one block of threats from another. Roles are numbered as in [`Role::ALL`], from pawn to king.
///
/// Own pieces count as white. With an attacker `A` of role `a` and a victim `V` of role `v`,
///
/// ```text
/// input = base[A] + (enemy(V) * targets[a] / 2 + map[a][v]) * moves[a] + before[A][from] + rank
/// ```
///
/// `rank` is the number of squares below `to` that `A` attacks from `from` on an empty board, `before` the
/// number of squares that it attacks there from all squares below `from`, `moves` the same from all squares
/// (84, 336, 560, 896, 1,456 and 420), and `base` the sum of `targets * moves` over the pieces before, own
/// pawn to own king and then the enemy's. A pawn on its own first rank has no inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ThreatInputs {
    /// How many kinds of victims an attacker of each role has: own ones and as many of the enemy's. Even, 14 at most.
    pub targets: [u8; 6],
    /// The place of a victim's role among those of an attacker's, `map[attacker][victim]`; below 0 if there
    /// are no inputs for the two.
    pub map: [[i8; 6]; 6],
    /// For two pieces of a role that attack each other, friends first, then enemies: whether only the pair
    /// from the higher square to the lower (as the perspective sees them) has an input. False for pawns that are
    /// friends and have inputs: one defends the other, never both.
    pub once: [[bool; 2]; 6],
    /// Whether the board is mirrored by the king's file.
    pub mirror: Mirror,
}

/// What tells one block of pawn pairs from another: two pawns of any colours, each pair once, whose files are not too
/// far apart.
///
/// On `ranks` from `first` to `last` stand `48` pawns of a colour if these are 2 and 7, in general
/// `squares = 8 * (last - first + 1)`. A pawn's number is
///
/// ```text
/// number = squares * (0 own, 1 the enemy's) + square - 8 * (first - 1)
/// ```
///
/// and the input of a pair `high * (high - 1) / 2 + low` by the higher and the lower number. Every two numbers have an
/// input, also those whose files are too far apart to be used: 4,560 for the ranks 2 to 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PawnPairInputs {
    /// How many files two pawns may be apart: 0 for pawns on the same file, 1 for neighbouring files too, up to 7 for
    /// all pairs.
    pub files_apart: u8,
    /// The first and the last rank of which pawns count, 1 to 8. Both sides see the same ranks, so the two add up to 9.
    pub ranks: [u8; 2],
    /// Whether the board is mirrored by the king's file.
    pub mirror: Mirror,
}

/// What tells one block of piece-square inputs from another.
///
/// ```text
/// input = square + 64 * planes[own 0, enemy's 1][role] + 64 * (number of planes) * buckets[king]
/// ```
///
/// `king` is the square of the perspective's own king. This square and that of the piece are turned and mirrored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PieceSquareInputs {
    /// The bucket of each square of the perspective's king, as the perspective sees it: all 0 if inputs do not depend
    /// on the king. Squares where it is never seen do not matter.
    pub buckets: [u8; 64],
    /// The plane of each piece, the perspective's own ones from pawn to king and then the enemy's; below 0 if it has
    /// no inputs. Pieces of the same plane share its inputs, as the two kings may. There are as many planes as the
    /// highest number says, 64 at most.
    pub planes: [[i8; 6]; 2],
    /// Whether the board is mirrored by the king's file.
    pub mirror: Mirror,
}

impl PieceSquareInputs {
    /// Own pieces from pawn to king, then the enemy's: the order of planes in the usual 768 inputs.
    pub const OWN_THEN_ENEMY: [[i8; 6]; 2] = [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]];

    /// The 768 inputs that many networks have: one for each piece and square, the same wherever the king is.
    pub const ALL_768: Self =
        Self { buckets: [0; 64], planes: Self::OWN_THEN_ENEMY, mirror: Mirror::Never };

    /// Inputs with a map of king squares to buckets. The map is as the perspective sees the board, a1 first. If the
    /// board is mirrored, only the half where the king is seen matters.
    ///
    /// ```
    /// use setwise_nnue::{FeatureBlock, FeatureSet, Mirror, PieceSquareInputs};
    /// // A bucket for the first rank and one for the others, the king on the files a to d.
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

/// Why there is no [`FeatureSet`](super::FeatureSet) of some blocks, or of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SetError {
    /// No set has the name, or a part of it.
    Name(UnknownName),
    /// A name is longer than [`FeatureSet::MAX_NAME`](super::FeatureSet::MAX_NAME) bytes.
    LongName {
        /// Its length.
        length: usize,
    },
    /// There are no blocks, or more than [`FeatureSet::MAX_BLOCKS`](super::FeatureSet::MAX_BLOCKS).
    Blocks {
        /// How many there are.
        blocks: usize,
    },
    /// A block has the same inputs as another one before it; or it is the second one of threats or of pawn pairs.
    Overlap {
        /// The blocks' places, from 0.
        blocks: [usize; 2],
    },
    /// The number of targets of a role is odd or above 14.
    Targets {
        /// The role.
        attacker: Role,
    },
    /// A map has a place that half of the targets do not reach.
    Place {
        /// The role that attacks.
        attacker: Role,
        /// The role in that place.
        victim: Role,
    },
    /// Pawns that are friends count once, but never attack each other.
    Once,
    /// The files of pawn pairs are more than 7 apart.
    FilesApart {
        /// By how many.
        files: u8,
    },
    /// The ranks of pawn pairs are none, or the two sides would see others.
    Ranks {
        /// The first and the last one.
        ranks: [u8; 2],
    },
    /// A piece has a plane above 63.
    Plane {
        /// The plane.
        plane: i8,
    },
    /// No piece has a plane.
    NoPlanes,
}

impl fmt::Display for SetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(error) => error.fmt(f),
            Self::LongName { length } => write!(
                f,
                "the name of the feature set has {length} bytes, and {} are allowed",
                MAX_NAME
            ),
            Self::Blocks { blocks } => write!(
                f,
                "the feature set has {blocks} blocks, and 1 to {} are allowed",
                MAX_BLOCKS
            ),
            Self::Overlap { blocks: [first, second] } => write!(
                f,
                "blocks {first} and {second} of the feature set overlap: threats and pawn pairs can occur once, and \
                 no block twice"
            ),
            Self::Targets { attacker } => {
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
            Self::FilesApart { files } => {
                write!(f, "pawns of a pair cannot be {files} files apart, but 0 to 7")
            }
            Self::Ranks { ranks: [first, last] } => write!(
                f,
                "the ranks {first} to {last} of pawn pairs are not the same for both sides: expected 1 to 8, 2 to 7, \
                 3 to 6 or 4 to 5"
            ),
            Self::Plane { plane } => write!(f, "a piece has plane {plane}, and 63 is the last"),
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
