//! The inputs of one position for both perspectives, and what a move changes of them, in one call each.

use super::dispatch::{PositionKernel, Question, answer, answer_by};
use super::instructions::Instructions;
use super::prepared::Prepared;
use crate::pieces::{ByColour, Colour, Pieces, Role, piece_code};
use crate::threats::changes::{self, SquareChange, ThreatChange};
use crate::threats::features::{FeatureError, FeatureSet, SLACK};
use crate::threats::input_number::InputNumber;
use crate::threats::inputs::{self as kept, InputBuffers, InputChanges, InputError, Squares};
use crate::threats::pairs::{MAX_THREATS, distinct, is_distinct, kings};

/// The inputs that a network has for a position, as white and as black sees it, block by block: written to the fronts of
/// two buffers. Gives their numbers. [`FeatureSet`] says in which order they come.
///
/// Buffers of [`FeatureSet::buffer_len`] numbers are written directly; smaller ones take a copy. What stands
/// behind the inputs is unspecified.
///
/// # Errors
/// If a side has not exactly one king, if the numbers are too narrow for the set, or if a buffer is too small; nothing
/// is written then.
///
/// ```
/// use setwise::threats::FeatureSet;
/// use setwise::{ByColour, Pieces, position};
/// const SET: &FeatureSet = &FeatureSet::NNUE_PYTORCH_2026_07;
/// const LEN: usize = SET.buffer_len();
/// let mut inputs = ByColour { white: [0_u32; LEN], black: [0; LEN] };
/// let ByColour { white, black } = &mut inputs;
/// let counts = position::inputs(SET, &Pieces::START, ByColour { white, black })?;
/// let (white, black) = (&mut inputs.white[..counts.white], &mut inputs.black[..counts.black]);
/// white.sort_unstable();
/// black.sort_unstable();
/// assert_eq!(white, black); // the start looks the same to both
/// # Ok::<(), setwise::threats::FeatureError>(())
/// ```
#[inline(always)]
pub fn inputs<N: InputNumber>(
    set: &FeatureSet,
    pieces: &Pieces,
    buffers: ByColour<&mut [N]>,
) -> Result<ByColour<usize>, FeatureError> {
    answer::<Inputs, _>((set, pieces, buffers))
}

/// What changed squares change of the inputs of both perspectives, in all blocks of the set: of threats
/// [`threat_changes`](super::threat_changes) and its records as inputs, and the pawn pairs and pieces on squares that come
/// and go. `codes` and `changes` are as there.
///
/// Where a side's king crosses the middle of the board or goes to another bucket, all of its inputs are others, or all of
/// a block; then [`is_anew`](InputChanges::is_anew) says so, and nothing is written for that side.
///
/// # Errors
/// If a side has not exactly one king before and after, if a square is named twice, if the numbers are too narrow for
/// the set, or if a buffer is too small: [`FeatureSet::changes_len`] inputs always suffice. Nothing is
/// written then.
///
/// ```
/// use setwise::threats::{FeatureSet, InputBuffers, SquareChange, buffer_len};
/// use setwise::{ByColour, Colour, Fen, Role, position};
/// let set = &FeatureSet::STOCKFISH_THREATS_2026_08;
/// let pieces = Fen::parse("4k3/8/8/3p4/8/8/8/R2K4 w - - 0 1")?.pieces;
/// let mut buffers = [[0_u16; buffer_len(2)]; 4];
/// let [a, b, c, d] = &mut buffers;
/// let to = ByColour {
///     white: InputBuffers { added: a, removed: b },
///     black: InputBuffers { added: c, removed: d },
/// };
/// let king_to_e1 =
///     [SquareChange::remove(3), SquareChange::put(4, Colour::White, Role::King)];
/// let changes = position::input_changes(set, &pieces.codes(), &king_to_e1, to)?;
/// assert!(changes.white.is_anew && !changes.black.is_anew);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline(always)]
pub fn input_changes<N: InputNumber>(
    set: &FeatureSet,
    codes: &[u8; 64],
    changes: &[SquareChange],
    buffers: ByColour<InputBuffers<'_, N>>,
) -> Result<ByColour<InputChanges>, InputError> {
    answer::<ChangesOfInputs, _>((set, codes, changes, buffers))
}

impl PositionKernel {
    /// [`inputs`], with the kernel's instructions.
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn inputs<N: InputNumber>(
        self,
        set: &FeatureSet,
        pieces: &Pieces,
        buffers: ByColour<&mut [N]>,
    ) -> Result<ByColour<usize>, FeatureError> {
        answer_by::<Inputs, (&FeatureSet, &Pieces, ByColour<&mut [N]>)>(
            self.kernel,
            (set, pieces, buffers),
        )
    }

    /// [`input_changes`], with the kernel's instructions.
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn input_changes<N: InputNumber>(
        self,
        set: &FeatureSet,
        codes: &[u8; 64],
        changes: &[SquareChange],
        buffers: ByColour<InputBuffers<'_, N>>,
    ) -> Result<ByColour<InputChanges>, InputError> {
        type All<'a, N> =
            (&'a FeatureSet, &'a [u8; 64], &'a [SquareChange], ByColour<InputBuffers<'a, N>>);
        answer_by::<ChangesOfInputs, All<'_, N>>(self.kernel, (set, codes, changes, buffers))
    }
}

struct Inputs;

impl<'a, 'b, 'c, N: InputNumber> Question<(&'a FeatureSet, &'b Pieces, ByColour<&'c mut [N]>)>
    for Inputs
{
    type Answer = Result<ByColour<usize>, FeatureError>;

    #[inline(always)]
    fn run<I: Instructions>(
        (set, pieces, buffers): (&'a FeatureSet, &'b Pieces, ByColour<&'c mut [N]>),
    ) -> Self::Answer {
        if set.inputs() > N::INPUTS {
            return Err(FeatureError::Numbers { inputs: set.inputs() });
        }
        let mut squares = [0; 2];
        for (square, colour) in squares.iter_mut().zip(Colour::ALL) {
            let kings = kings(pieces, colour);
            if kings.count_ones() != 1 {
                return Err(FeatureError::Kings { row: 0, colour, kings: kings.count_ones() });
            }
            *square = kings.trailing_zeros() as u8;
        }
        let clean;
        let pieces = if is_distinct(pieces) {
            pieces
        } else {
            clean = distinct(pieces);
            &clean
        };
        let mut prepared = Prepared::new();
        prepared.list::<I::Extractor>(set, pieces, squares);
        let ByColour { white, black } = buffers;
        if white.len().min(black.len()) >= set.buffer_len() {
            let [white, black] = prepared.write::<I::Extractor, N>(set, pieces, [white, black]);
            return Ok(ByColour { white, black });
        }
        // The buffer is cleared first, so it should not be longer than needed.
        let (mut small, mut medium, mut large);
        let len = set.buffer_len();
        let all: [&mut [N]; 2] = if len <= SMALL {
            small = [[N::default(); SMALL]; 2];
            small.each_mut().map(|side| &mut side[..])
        } else if len <= MEDIUM {
            medium = [[N::default(); MEDIUM]; 2];
            medium.each_mut().map(|side| &mut side[..])
        } else {
            large = [[N::default(); LARGE]; 2];
            large.each_mut().map(|side| &mut side[..])
        };
        let [all_white, all_black] = all;
        let counts =
            prepared.write::<I::Extractor, N>(set, pieces, [&mut *all_white, &mut *all_black]);
        for (colour, width) in [(Colour::White, white.len()), (Colour::Black, black.len())] {
            let inputs = counts[colour as usize];
            if inputs > width {
                return Err(FeatureError::Width { row: 0, colour, inputs, width });
            }
        }
        white[..counts[0]].copy_from_slice(&all_white[..counts[0]]);
        black[..counts[1]].copy_from_slice(&all_black[..counts[1]]);
        Ok(ByColour { white: counts[0], black: counts[1] })
    }
}

/// Lengths of buffers: for the inputs of a block of threats, for those of a set with a block of each kind as a rule, and
/// for those of any set.
const SMALL: usize = MAX_THREATS + SLACK;
const MEDIUM: usize = 1024;
pub(crate) const LARGE: usize = MAX_THREATS + 64 * 63 / 2 + 2 * 64 + SLACK;

struct ChangesOfInputs;

impl<'a, 'b, 'c, 'd, N: InputNumber>
    Question<(&'a FeatureSet, &'b [u8; 64], &'c [SquareChange], ByColour<InputBuffers<'d, N>>)>
    for ChangesOfInputs
{
    type Answer = Result<ByColour<InputChanges>, InputError>;

    #[inline(always)]
    fn run<I: Instructions>(
        (set, codes, changes, buffers): (
            &'a FeatureSet,
            &'b [u8; 64],
            &'c [SquareChange],
            ByColour<InputBuffers<'d, N>>,
        ),
    ) -> Self::Answer {
        /// The squares of a move.
        const FEW: usize = 4;
        changes::check(changes).map_err(InputError::Changes)?;
        let kings =
            Colour::ALL.map(|colour| I::squares_holding(codes, piece_code(colour, Role::King)));
        let pawns = if set.reads_pawns() {
            Colour::ALL.map(|colour| I::squares_holding(codes, piece_code(colour, Role::Pawn)))
        } else {
            [0; 2]
        };
        let squares = Squares::new(changes, codes, pawns);
        if changes.len() > FEW {
            return many(set, codes, kings, changes, &squares, buffers);
        }
        let mut records = [ThreatChange::default(); changes::buffer_len(FEW)];
        let count = if set.threats().is_some() {
            I::write_changes(codes, changes, set.pair_filter(), &mut records)
        } else {
            0
        };
        kept::input_changes(set, kings, &squares, &records[..count], buffers)
    }
}

/// The same for any number of squares.
#[cold]
#[inline(never)]
fn many<N: InputNumber>(
    set: &FeatureSet,
    codes: &[u8; 64],
    kings: [u64; 2],
    changes: &[SquareChange],
    squares: &Squares<'_>,
    buffers: ByColour<InputBuffers<'_, N>>,
) -> Result<ByColour<InputChanges>, InputError> {
    let mut records = [ThreatChange::default(); changes::buffer_len(64)];
    let count = changes::write_to_few(codes, changes, set.pair_filter(), &mut records)
        .map_err(InputError::Changes)?;
    kept::input_changes(set, kings, squares, &records[..count], buffers)
}
