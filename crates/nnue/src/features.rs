//! Feature sets: the inputs of a network, block by block.

use core::fmt;
use core::ops::Range;

use super::blocks::{self, BlockInputs, FeatureBlock, Mirror, SetError};
use super::changes::{ChangeError, PairFilter};
use super::numbers::Tables;
use super::pairs::MAX_THREATS;
use super::pawn_pairs::PawnPairs;
use super::piece_square::PieceSquare;
use super::slots::Number;
use setwise::Colour;

/// A set of inputs: the features of a position that a network receives, and the index of each.
///
/// A set is a sequence of [blocks](FeatureBlock): [threats](super::ThreatInputs), [pawn pairs](super::PawnPairInputs),
/// and [pieces on squares](super::PieceSquareInputs). The inputs of a position are listed block by block. Within a
/// block the order is the same on every backend:
///
/// - threats: in the order of [the pairs](super),
/// - pawn pairs: by the later of the two pawns, file by file (a1, a2, ... b1, b2, ...), then by the other pawn in the
///   same order,
/// - pieces: by their squares (a1, b1, ...).
///
/// ```
/// use setwise_nnue::{FeatureSet, position};
/// use setwise::{Colour, Fen};
/// let set = &FeatureSet::STOCKFISH_THREATS_2026_08;
/// assert_eq!((set.name(), set.inputs()), ("stockfish-threats-2026-08", 59_808));
///
/// let pieces = Fen::parse("7k/4n3/8/5N2/8/8/8/K7 w - - 0 1")?.pieces;
/// let white = set.perspective(&pieces, Colour::White)?;
/// let threats = position::threats(&pieces);
/// let inputs: Vec<u32> =
///     threats.iter().filter_map(|&threat| white.input(&pieces, threat)).collect();
/// assert_eq!(inputs.len(), 1); // the knights attack each other, which counts once
///
/// // The blocks of one set, followed by those of another.
/// let both: FeatureSet = "stockfish-threats-2026-08+halfka-hm".parse()?;
/// assert_eq!(both.inputs(), 59_808 + 24_576);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FeatureSet {
    name: Name,
    /// The blocks as they were passed; unused elements repeat the first.
    stated: [FeatureBlock; Self::MAX_BLOCKS],
    blocks: [Block; Self::MAX_BLOCKS],
    /// The first input of each block, and the end of the last block.
    starts: [u32; Self::MAX_BLOCKS + 1],
    len: usize,
    max: usize,
    /// The maximal number of pawn-pair and piece-square inputs that one changed square adds or removes.
    max_per_square: usize,
    width: usize,
    filter: PairFilter,
    /// The views of white and black, by the squares of their kings.
    views: [[View; 64]; 2],
}

/// A block, compiled for use.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::large_enum_variant, reason = "sets are constants, and seldom move")]
pub(crate) enum Block {
    None,
    Threats(Tables),
    PawnPairs(PawnPairs),
    PieceSquare(PieceSquare),
}

/// A side's view of the board, for each block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct View {
    /// The bits to flip in squares.
    pub(crate) flips: [u8; FeatureSet::MAX_BLOCKS],
    /// The first input of the block, or of the king's bucket.
    pub(crate) firsts: [u32; FeatureSet::MAX_BLOCKS],
}

/// The extra capacity of buffers beyond the inputs of any position. Vectors are stored whole, and the next store
/// overwrites the excess.
pub(crate) const SLACK: usize = 32;

/// A name that needs no allocation.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Name {
    bytes: [u8; FeatureSet::MAX_NAME],
    length: u8,
}

impl Name {
    const fn new(name: &str) -> Result<Self, SetError> {
        let length = name.len();
        if length > FeatureSet::MAX_NAME {
            return Err(SetError::LongName(length));
        }
        let (mut bytes, mut i) = ([0; FeatureSet::MAX_NAME], 0);
        while i < length {
            bytes[i] = name.as_bytes()[i];
            i += 1;
        }
        Ok(Self { bytes, length: length as u8 })
    }

    const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.length as usize).0) {
            Ok(name) => name,
            Err(_) => unreachable!(),
        }
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

/// `?` in constants.
macro_rules! attempt {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}

impl FeatureSet {
    /// The maximal number of blocks of a set.
    pub const MAX_BLOCKS: usize = blocks::MAX_BLOCKS;

    /// The maximal length of a set's name, in bytes.
    pub const MAX_NAME: usize = blocks::MAX_NAME;

    /// Creates a custom set from a sequence of blocks. The set can be a constant.
    ///
    /// # Errors
    /// If there are no blocks or more than [`MAX_BLOCKS`](Self::MAX_BLOCKS), if a block occurs twice, if there are two
    /// blocks of threats or of pawn pairs, if the name is too long, or if a block's table is invalid.
    ///
    /// ```
    /// use setwise_nnue::{
    ///     FeatureBlock, FeatureSet, Mirror, PieceSquareInputs, ThreatInputs,
    /// };
    /// // The pieces that pawns attack, and all pieces on their squares.
    /// let pawns = ThreatInputs {
    ///     targets: [12, 0, 0, 0, 0, 0],
    ///     map: [[0, 1, 2, 3, 4, 5], [-1; 6], [-1; 6], [-1; 6], [-1; 6], [-1; 6]],
    ///     once: [[false; 2]; 6],
    ///     mirror: Mirror::Never,
    /// };
    /// let set = FeatureSet::new("mine", &[
    ///     FeatureBlock::threats(pawns),
    ///     FeatureBlock::piece_square(PieceSquareInputs::ALL_768),
    /// ])?;
    /// assert_eq!(set.inputs(), 2 * 12 * 84 + 768);
    /// assert_eq!(set.range(1), Some(2016..2784));
    /// # Ok::<(), setwise_nnue::SetError>(())
    /// ```
    pub const fn new(name: &str, blocks: &[FeatureBlock]) -> Result<Self, SetError> {
        if blocks.is_empty() || blocks.len() > Self::MAX_BLOCKS {
            return Err(SetError::Blocks(blocks.len()));
        }
        let mut set = Self {
            name: attempt!(Name::new(name)),
            stated: [blocks[0]; Self::MAX_BLOCKS],
            blocks: [const { Block::None }; Self::MAX_BLOCKS],
            starts: [0; Self::MAX_BLOCKS + 1],
            len: blocks.len(),
            max: 0,
            max_per_square: 0,
            width: 0,
            filter: PairFilter::new([0; 16]),
            views: [[View { flips: [0; Self::MAX_BLOCKS], firsts: [0; Self::MAX_BLOCKS] }; 64]; 2],
        };
        let mut i = 0;
        while i < blocks.len() {
            let block = blocks[i];
            let mut before = 0;
            while before < i {
                if overlap(&blocks[before].inputs, &block.inputs) {
                    return Err(SetError::Overlap([before, i]));
                }
                before += 1;
            }
            set.stated[i] = block;
            set.width += block.width as usize;
            let (inputs, mirror) = attempt!(set.add(i, &block.inputs));
            let start = set.starts[i];
            set.starts[i + 1] = start + inputs;
            let mut king = 0;
            while king < 64 {
                let flip = mirror.flip(king);
                let bucket = match &set.blocks[i] {
                    Block::PieceSquare(pieces) => pieces.first(king ^ flip),
                    _ => 0,
                };
                let mut side = 0;
                while side < 2 {
                    let turn = 56 * side as u8;
                    let view = &mut set.views[side][(king ^ turn) as usize];
                    view.flips[i] = flip ^ turn;
                    view.firsts[i] = start + bucket;
                    side += 1;
                }
                king += 1;
            }
            i += 1;
        }
        Ok(set)
    }

    /// Compiles and adds a block. Returns its number of inputs and its mirror.
    const fn add(&mut self, i: usize, inputs: &BlockInputs) -> Result<(u32, Mirror), SetError> {
        match inputs {
            BlockInputs::Threats(table) => {
                let (tables, inputs, victims) = attempt!(Tables::new(table, self.starts[i]));
                self.blocks[i] = Block::Threats(tables);
                self.filter = PairFilter::new(victims);
                self.max += MAX_THREATS;
                Ok((inputs, table.mirror))
            }
            BlockInputs::PawnPairs(table) => {
                let pairs = attempt!(PawnPairs::new(table));
                let inputs = pairs.inputs();
                let (max, max_per_square) = pairs.max();
                self.max += max;
                self.max_per_square += max_per_square;
                self.blocks[i] = Block::PawnPairs(pairs);
                Ok((inputs, table.mirror))
            }
            BlockInputs::PieceSquare(table) => {
                let pieces = attempt!(PieceSquare::new(table));
                let inputs = pieces.inputs();
                self.max += 64;
                self.max_per_square += 1;
                self.blocks[i] = Block::PieceSquare(pieces);
                Ok((inputs, table.mirror))
            }
        }
    }

    /// The pairs that have inputs, regardless of their squares: the attackers and victims with an index in the map of
    /// the block of threats. The filter is empty if the set has no such block.
    #[must_use]
    pub const fn pair_filter(&self) -> &PairFilter {
        &self.filter
    }

    /// The name of the set.
    #[must_use]
    pub const fn name(&self) -> &str {
        self.name.as_str()
    }

    /// The number of inputs. All input indices are below this number.
    #[must_use]
    pub const fn inputs(&self) -> u32 {
        self.starts[self.len]
    }

    /// The blocks of the set, as they were passed.
    #[must_use]
    pub const fn blocks(&self) -> &[FeatureBlock] {
        self.stated.split_at(self.len).0
    }

    /// The inputs of the block with this index, from 0; `None` if the index is out of bounds.
    #[must_use]
    pub const fn range(&self, block: usize) -> Option<Range<u32>> {
        if block < self.len { Some(self.starts[block]..self.starts[block + 1]) } else { None }
    }

    /// The width of padded rows in trainers: the sum of the [widths](FeatureBlock::width) of the blocks. Boards with
    /// many queens have more inputs, but few positions from games do.
    #[must_use]
    pub const fn row_width(&self) -> usize {
        self.width
    }

    /// The maximal number of inputs of any position, from one perspective.
    #[must_use]
    pub const fn max_inputs(&self) -> usize {
        self.max
    }

    /// The length of a buffer that suffices for the inputs of any position and that
    /// [`position::inputs`](crate::position::inputs) writes directly: [`max_inputs`](Self::max_inputs) plus 32.
    #[must_use]
    pub const fn buffer_len(&self) -> usize {
        self.max + SLACK
    }

    /// The length of a buffer that suffices for the inputs that a number of changed squares adds, or removes, on any
    /// board ([`position::input_changes`](crate::position::input_changes)).
    #[must_use]
    pub const fn changes_len(&self, squares: usize) -> usize {
        super::changes::buffer_len(squares) + self.max_of_changes(squares)
    }

    /// The maximal number of pawn-pair and piece-square inputs that a number of changed squares adds or removes.
    pub(crate) const fn max_of_changes(&self, squares: usize) -> usize {
        (if squares < 64 { squares } else { 64 }) * self.max_per_square
    }

    /// Returns an error if a number type cannot hold all inputs.
    #[inline(always)]
    pub(crate) fn fits<N: Number>(&self) -> Result<(), FeatureError> {
        let inputs = self.inputs();
        if size_of::<N>() > 2 || inputs <= 1 << 16 {
            Ok(())
        } else {
            Err(FeatureError::Numbers(inputs))
        }
    }

    /// The compiled blocks.
    #[inline(always)]
    pub(crate) fn used(&self) -> &[Block] {
        &self.blocks[..self.len]
    }

    /// The index and the tables of the block of threats, if there is one.
    #[inline(always)]
    pub(crate) fn threats(&self) -> Option<(usize, &Tables)> {
        for (i, block) in self.used().iter().enumerate() {
            if let Block::Threats(tables) = block {
                return Some((i, tables));
            }
        }
        None
    }

    /// The view of a side with its king on a square.
    #[inline(always)]
    pub(crate) fn view(&self, colour: Colour, king: u8) -> &View {
        &self.views[colour as usize][usize::from(king & 63)]
    }
}

/// Returns the square of a side's king, or an error with `row` unless there is exactly one king.
#[inline(always)]
pub(crate) fn king_square(row: usize, colour: Colour, kings: u64) -> Result<u8, FeatureError> {
    match kings.count_ones() {
        1 => Ok(kings.trailing_zeros() as u8),
        kings => Err(FeatureError::Kings { row, colour, kings }),
    }
}

/// Returns whether two blocks cannot be in one set.
const fn overlap(a: &BlockInputs, b: &BlockInputs) -> bool {
    match (a, b) {
        (BlockInputs::PieceSquare(a), BlockInputs::PieceSquare(b)) => {
            if a.mirror as u8 != b.mirror as u8 {
                return false;
            }
            let mut i = 0;
            while i < 64 {
                if a.buckets[i] != b.buckets[i]
                    || a.planes[i % 12 / 6][i % 6] != b.planes[i % 12 / 6][i % 6]
                {
                    return false;
                }
                i += 1;
            }
            true
        }
        (BlockInputs::Threats(_), BlockInputs::Threats(_))
        | (BlockInputs::PawnPairs(_), BlockInputs::PawnPairs(_)) => true,
        _ => false,
    }
}

/// An error in the computation of inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FeatureError {
    /// A side does not have exactly one king, so its view of the board is undefined.
    Kings {
        /// The row of the position; 0 in calls for one position.
        row: usize,
        /// The side.
        colour: Colour,
        /// The number of its kings.
        kings: u32,
    },
    /// A position has more inputs than fit into a row or buffer.
    Width {
        /// The row of the position.
        row: usize,
        /// The perspective.
        colour: Colour,
        /// The number of inputs.
        inputs: usize,
        /// The number of inputs that fit.
        width: usize,
    },
    /// The set has this number of inputs, and the number type cannot hold the last ones.
    Numbers(u32),
    /// The inputs that a perspective gains and loses do not fit into the buffers.
    Changes {
        /// The perspective.
        colour: Colour,
        /// The numbers of added and removed inputs.
        needed: [usize; 2],
    },
    /// A changed square occurs twice.
    Squares(ChangeError),
}

impl fmt::Display for FeatureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Kings { row, colour, kings } => {
                write!(
                    f,
                    "row {row}: {colour:?} has {kings} kings, and its inputs need exactly one"
                )
            }
            Self::Width { row, colour, inputs, width } => write!(
                f,
                "row {row}: {colour:?} sees {inputs} inputs, but a row has space for {width}"
            ),
            Self::Numbers(inputs) => {
                write!(f, "{inputs} inputs do not fit into numbers of 16 bits")
            }
            Self::Changes { colour, needed: [added, removed] } => write!(
                f,
                "{colour:?} needs buffers for {added} inputs that are added and {removed} removed"
            ),
            Self::Squares(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for FeatureError {}
