//! The inputs of one position for both perspectives, and what a move changes of them, in one call each.

use super::dispatch::{PositionKernel, Question, answer, answer_by};
use super::instructions::Instructions;
use crate::pieces::{ByColour, Colour, Pieces, Role, piece_code};
use crate::threats::changes::{self, SquareChange, ThreatChange};
use crate::threats::features::{FeatureError, FeatureSet, InputNumber};
use crate::threats::inputs::{self as kept, InputBuffers, InputChanges, InputError};
use crate::threats::pairs::{BUFFER, Sets, Threat, distinct, is_distinct};

/// The inputs that a network has for the threats of a position, as white and as black sees them, in the order of the
/// pairs: written to the fronts of two buffers. Gives their numbers.
///
/// Buffers of [`MAX_THREATS`](crate::threats::MAX_THREATS) + 32 numbers are written directly; smaller ones take a copy. What stands
/// behind the inputs is unspecified.
///
/// # Errors
/// If a side has not exactly one king, if the numbers are too narrow for the set, or if a buffer is too small; nothing
/// is written then.
///
/// ```
/// use setwise::threats::{FeatureSet, MAX_THREATS};
/// use setwise::{ByColour, Pieces, position};
/// let set = &FeatureSet::STOCKFISH_2026_08;
/// let mut inputs = ByColour { white: [0_u16; MAX_THREATS + 32], black: [0; MAX_THREATS + 32] };
/// let ByColour { white, black } = &mut inputs;
/// let counts = position::inputs(set, &Pieces::START, ByColour { white, black })?;
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

/// What changed squares change of the inputs of both perspectives: [`threat_changes`](super::threat_changes), and
/// its records as inputs. `codes` and `changes` are as there.
///
/// Where a side's king crosses the middle of the board, all of its inputs are others; then
/// [`is_anew`](InputChanges::is_anew) says so, and nothing is written for that side.
///
/// # Errors
/// If a side has not exactly one king before and after, if a square is named twice, if the numbers are too narrow for
/// the set, or if a buffer is too small: [`buffer_len`](crate::threats::buffer_len) inputs always suffice. Nothing is
/// written then.
///
/// ```
/// use setwise::threats::{FeatureSet, InputBuffers, SquareChange, buffer_len};
/// use setwise::{ByColour, Colour, Fen, Role, position};
/// let set = &FeatureSet::STOCKFISH_2026_08;
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
        let flips = kept::flips(set, pieces)?;
        let clean;
        let pieces = if is_distinct(pieces) {
            pieces
        } else {
            clean = distinct(pieces);
            &clean
        };
        let mut pairs = [Threat::default(); BUFFER];
        let count = I::threat_pairs(Sets::of(pieces), &mut pairs);
        let ByColour { white, black } = buffers;
        if let (Some(white), Some(black)) = (white.first_chunk_mut(), black.first_chunk_mut()) {
            let [white, black] =
                I::threat_inputs(pieces, &pairs, count, &set.tables, flips, [white, black]);
            return Ok(ByColour { white, black });
        }
        let mut both = [[N::default(); BUFFER]; 2];
        let [all_white, all_black] = &mut both;
        let counts =
            I::threat_inputs(pieces, &pairs, count, &set.tables, flips, [all_white, all_black]);
        for (colour, width) in [(Colour::White, white.len()), (Colour::Black, black.len())] {
            let inputs = counts[colour as usize];
            if inputs > width {
                return Err(FeatureError::Width { row: 0, colour, inputs, width });
            }
        }
        white[..counts[0]].copy_from_slice(&both[0][..counts[0]]);
        black[..counts[1]].copy_from_slice(&both[1][..counts[1]]);
        Ok(ByColour { white: counts[0], black: counts[1] })
    }
}

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
        if changes.len() > FEW {
            return many(set, codes, kings, changes, buffers);
        }
        let mut records = [ThreatChange::default(); changes::buffer_len(FEW)];
        let count = I::write_changes(codes, changes, set.pair_filter(), &mut records);
        kept::input_changes(set, kings, changes, &records[..count], buffers)
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
    buffers: ByColour<InputBuffers<'_, N>>,
) -> Result<ByColour<InputChanges>, InputError> {
    let mut records = [ThreatChange::default(); changes::buffer_len(64)];
    let count = changes::write_to_few(codes, changes, set.pair_filter(), &mut records)
        .map_err(InputError::Changes)?;
    kept::input_changes(set, kings, changes, &records[..count], buffers)
}
