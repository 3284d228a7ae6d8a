//! Feature sets: which inputs a network has, block by block.

use core::fmt;
use core::ops::Range;

use super::blocks::{self, BlockInputs, FeatureBlock, Mirror, SetError};
use super::changes::PairFilter;
use super::numbers::Tables;
use super::pairs::MAX_THREATS;
use super::pawn_pairs::PawnPairs;
use super::piece_square::PieceSquare;
use setwise::Colour;

/// A set of inputs: which facts a network is told about a position, and the number of each.
///
/// A set is one [block](FeatureBlock) or several, one behind the other: [threats](super::ThreatInputs),
/// [pawn pairs](super::PawnPairInputs), and [pieces on squares](super::PieceSquareInputs). The inputs of a position are listed block by
/// block, and within a block in an order that is the same on every backend:
///
/// - threats in the order of [the pairs](super),
/// - pawn pairs by the pawn that is later on the board file by file (a1, a2, ... b1, b2, ...), and for each in the same
///   order of the other pawn,
/// - pieces by their squares (a1, b1, ...).
///
/// ```
/// use setwise_nnue::FeatureSet;
/// use setwise::{Colour, Fen};
/// use setwise_nnue::position;
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
/// // Blocks of one set behind those of another.
/// let both: FeatureSet = "stockfish-threats-2026-08+halfka-hm".parse()?;
/// assert_eq!(both.inputs(), 59_808 + 24_576);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FeatureSet {
    name: Name,
    /// The blocks as they were stated; the unused ones repeat the first.
    stated: [FeatureBlock; Self::MAX_BLOCKS],
    blocks: [Block; Self::MAX_BLOCKS],
    /// Where each block begins, and where the last one ends.
    starts: [u32; Self::MAX_BLOCKS + 1],
    len: usize,
    max: usize,
    /// How many inputs of pawn pairs and pieces a square can change.
    max_per_square: usize,
    width: usize,
    filter: PairFilter,
    /// How white and black see the board, by the squares of their kings.
    views: [[View; 64]; 2],
}

/// A block in the form in which it is used.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::large_enum_variant, reason = "sets are constants, and seldom move")]
pub(crate) enum Block {
    None,
    Threats(Tables),
    PawnPairs(PawnPairs),
    PieceSquare(PieceSquare),
}

/// How a side sees the board, for each block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct View {
    /// By which bits the squares change.
    pub(crate) flips: [u8; FeatureSet::MAX_BLOCKS],
    /// The first input, or that of the king's bucket.
    pub(crate) firsts: [u32; FeatureSet::MAX_BLOCKS],
}

/// What buffers have behind the inputs of any position, for what is written over later.
pub(crate) const SLACK: usize = 32;

/// A name without an allocation.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Name {
    bytes: [u8; FeatureSet::MAX_NAME],
    length: u8,
}

impl Name {
    const fn new(name: &str) -> Result<Self, SetError> {
        let length = name.len();
        if length > FeatureSet::MAX_NAME {
            return Err(SetError::LongName { length });
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
    /// No set has more blocks.
    pub const MAX_BLOCKS: usize = blocks::MAX_BLOCKS;

    /// No set has a longer name, in bytes.
    pub const MAX_NAME: usize = blocks::MAX_NAME;

    /// A set of one's own: blocks, one behind the other. It can be a constant.
    ///
    /// # Errors
    /// If there are no blocks or more than [`MAX_BLOCKS`](Self::MAX_BLOCKS), if a block occurs twice, if there are two
    /// blocks of threats or of pawn pairs, if the name is too long, or if a block's table is wrong.
    ///
    /// ```
    /// use setwise_nnue::{
    ///     FeatureBlock, FeatureSet, Mirror, PieceSquareInputs, ThreatInputs,
    /// };
    /// // Which pieces do pawns attack, and what stands where? No more than that.
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
            return Err(SetError::Blocks { blocks: blocks.len() });
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
                    return Err(SetError::Overlap { blocks: [before, i] });
                }
                before += 1;
            }
            set.stated[i] = block;
            set.width += block.width as usize;
            let (inputs, mirror) = attempt!(set.add(i, &block.inputs));
            let start = set.starts[i];
            let mut end = i + 1;
            while end <= Self::MAX_BLOCKS {
                set.starts[end] = start + inputs;
                end += 1;
            }
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

    /// Adds a block in the form in which it is used; says how many inputs it has, and its mirror.
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

    /// Which pairs have inputs, whatever their squares: those of attackers and victims that the map of the block of
    /// threats has a place for. None, if there is no such block.
    #[must_use]
    pub const fn pair_filter(&self) -> &PairFilter {
        &self.filter
    }

    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &str {
        self.name.as_str()
    }

    /// How many inputs there are: all are below that.
    #[must_use]
    pub const fn inputs(&self) -> u32 {
        self.starts[Self::MAX_BLOCKS]
    }

    /// The blocks it was made of.
    #[must_use]
    pub const fn blocks(&self) -> &[FeatureBlock] {
        self.stated.split_at(self.len).0
    }

    /// The inputs of a block, counted from 0; none if there are not so many blocks.
    #[must_use]
    pub const fn range(&self, block: usize) -> Option<Range<u32>> {
        if block < self.len { Some(self.starts[block]..self.starts[block + 1]) } else { None }
    }

    /// How wide padded rows are in trainers: the sum of what the blocks [say](FeatureBlock::width). Few positions of
    /// play have more inputs, but boards of many queens do.
    #[must_use]
    pub const fn row_width(&self) -> usize {
        self.width
    }

    /// How many inputs a position may have at most, whatever stands on its board.
    #[must_use]
    pub const fn max_inputs(&self) -> usize {
        self.max
    }

    /// The length of a buffer that is large enough for the inputs of any position, and to which
    /// [`position::inputs`](crate::position::inputs) writes without a copy: [`max_inputs`](Self::max_inputs) and 32
    /// more.
    #[must_use]
    pub const fn buffer_len(&self) -> usize {
        self.max + SLACK
    }

    /// The length of a buffer that is large enough for what so many changed squares change of the inputs, whatever
    /// stands on the board ([`position::input_changes`](crate::position::input_changes)).
    #[must_use]
    pub const fn changes_len(&self, squares: usize) -> usize {
        super::changes::buffer_len(squares) + self.max_of_changes(squares)
    }

    /// How many inputs of pawn pairs and pieces on squares so many changed squares add or remove at most.
    pub(crate) const fn max_of_changes(&self, squares: usize) -> usize {
        (if squares < 64 { squares } else { 64 }) * self.max_per_square
    }

    /// The blocks in the form in which they are used.
    #[inline(always)]
    pub(crate) fn used(&self) -> &[Block] {
        &self.blocks[..self.len]
    }

    /// The tables of the block of threats.
    #[inline(always)]
    pub(crate) fn threats(&self) -> Option<(usize, &Tables)> {
        for (i, block) in self.used().iter().enumerate() {
            if let Block::Threats(tables) = block {
                return Some((i, tables));
            }
        }
        None
    }

    /// How a side sees the board with its king on a square.
    #[inline(always)]
    pub(crate) fn view(&self, colour: Colour, king: u8) -> &View {
        &self.views[colour as usize][usize::from(king & 63)]
    }
}

/// The square of a side's king, if there is exactly one; `row` is for the error.
#[inline(always)]
pub(crate) fn king_square(row: usize, colour: Colour, kings: u64) -> Result<u8, FeatureError> {
    match kings.count_ones() {
        1 => Ok(kings.trailing_zeros() as u8),
        kings => Err(FeatureError::Kings { row, colour, kings }),
    }
}

/// Whether two blocks cannot be in one set.
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

/// Why a position has no inputs, or no space for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FeatureError {
    /// A side has no king, or several: the set cannot tell how it sees the board.
    Kings {
        /// The position's row, 0 where there is one position only.
        row: usize,
        /// The side.
        colour: Colour,
        /// How many kings it has.
        kings: u32,
    },
    /// A position has more inputs than a row has space for.
    Width {
        /// The position's row.
        row: usize,
        /// The perspective.
        colour: Colour,
        /// How many inputs there are.
        inputs: usize,
        /// How many a row has space for.
        width: usize,
    },
    /// The set has inputs that the type of the numbers cannot hold.
    Numbers {
        /// How many inputs the set has.
        inputs: u32,
    },
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
            Self::Numbers { inputs } => {
                write!(f, "{inputs} inputs do not fit into numbers of 16 bits")
            }
        }
    }
}

impl core::error::Error for FeatureError {}
