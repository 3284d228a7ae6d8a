//! Threats and inputs of one position: with the instructions that the build enables, with a kernel's, and at a level.

use crate::changes::{
    self, Board, ChangeError, Outcome, PairFilter, SquareChange, ThreatChange, ThreatChanges,
};
use crate::extractor::Extractor;
use crate::features::{FeatureError, FeatureSet, SLACK};
use crate::inputs::{self as kept, InputBuffers, InputChanges, InputError, Squares};
use crate::level::by_level;
use crate::number::Number;
use crate::pairs::{MAX_THREATS, Sets, ThreatList, distinct, kings};
use crate::prepared::Prepared;
use crate::slots::{Slot, written};
use core::mem::MaybeUninit;
use setwise::dispatch::{Level, built_in};
use setwise::{ByColour, Colour, Pieces, Role, piece_code};

/// Threats: every pair of a piece and an occupied square that it attacks, of both sides, own pieces included. There
/// are at most [`MAX_THREATS`]. The [documentation of the crate](crate) defines their
/// order, and how it treats squares with several roles or colours.
///
/// The list has space for any position, so that to clear it and to hand it over takes as long as to fill it: in a hot
/// loop, keep a list and use [`write_threats`].
///
/// ```
/// use setwise::Fen;
/// use setwise_nnue::position;
/// let fen = Fen::parse("8/8/8/k7/8/8/8/R3K2R w - - 0 1")?;
/// let threats = position::threats(&fen.pieces);
/// let named: Vec<String> = threats.iter().map(|threat| threat.to_string()).collect();
/// assert_eq!(named, ["a1-e1", "h1-e1", "a1-a5"]);
/// # Ok::<(), setwise::fen::FenError>(())
/// ```
#[inline(always)]
#[must_use]
pub fn threats(pieces: &Pieces) -> ThreatList {
    threats_at(built_in(), pieces)
}

/// [`threats`], into a list that the caller keeps: what it held is replaced.
///
/// ```
/// use setwise_nnue::ThreatList;
/// use setwise::{Fen, Pieces};
/// use setwise_nnue::position;
/// let mut threats = ThreatList::default();
/// position::write_threats(&Pieces::START, &mut threats);
/// let fen = Fen::parse("8/8/8/k7/8/8/8/R3K2R w - - 0 1")?;
/// position::write_threats(&fen.pieces, &mut threats);
/// assert_eq!(threats, position::threats(&fen.pieces));
/// # Ok::<(), setwise::fen::FenError>(())
/// ```
#[inline(always)]
pub fn write_threats(pieces: &Pieces, list: &mut ThreatList) {
    write_threats_at(built_in(), pieces, list);
}

/// The pairs that are gone and those that are new when one position becomes another: by a piece that appears
/// or leaves, by a move, or by any other change.
///
/// A pair counts as the same only if attacker and victim are the same too: where a piece takes another, the
/// attackers of the square are both removed and added, with another victim each time. The order is not that
/// of [`threats`]: square by changed square, and the same on every backend.
///
/// This compares positions and gives lists by value. An engine that knows what its move changes takes
/// [`threat_changes`].
///
/// ```
/// use setwise::{Colour, Fen, Role};
/// use setwise_nnue::position;
/// let before = Fen::parse("4k3/8/8/8/8/8/4P3/4R1K1 w - - 0 1")?.pieces;
/// let after = Fen::parse("4k3/8/8/8/4P3/8/8/4R1K1 b - - 0 1")?.pieces;
/// let changes = position::threats_changed(&before, &after);
/// let named = |list: &[setwise_nnue::Threat]| {
///     list.iter().map(|threat| threat.to_string()).collect::<Vec<_>>()
/// };
/// assert_eq!(named(&changes.removed), ["e1-e2"]);
/// assert_eq!(named(&changes.added), ["e1-e4"]);
/// # Ok::<(), setwise::fen::FenError>(())
/// ```
#[inline(always)]
#[must_use]
pub fn threats_changed(before: &Pieces, after: &Pieces) -> ThreatChanges {
    threats_changed_at(built_in(), before, after)
}

/// What a move, or any other change of squares, adds to the pairs of [`threats`] and removes from them:
/// writes records to the front of the caller's buffer, and gives their number.
///
/// `codes` is the position before, a [code](setwise::piece_code) for each square from a1 to h8; an engine's own
/// mailbox, if it has these codes. `changes` are the squares that change, in any order, each once; one square
/// serves an engine that puts and removes pieces one by one. `filter` says which pairs count. If a code is above
/// 15, the records are unspecified. An engine with other codes gives `&setwise::position::codes(&MAP, &mailbox)`.
///
/// The buffer [need not be initialized](Slot).
///
/// A pair is in the records if it is in only one of the two positions, once, with its pieces: a capture
/// removes the attackers of the victim and adds them as attackers of the captor. The order is that of the
/// changes, and the same on every backend.
///
/// The cost goes by the number of squares, two for most moves, not by that of pairs.
///
/// # Errors
/// If the buffer is too small; [`buffer_len`](crate::buffer_len) records always suffice. If a square is
/// named twice. Nothing is written then.
///
/// ```
/// use setwise_nnue::{PairFilter, SquareChange, ThreatChange, buffer_len};
/// use setwise::{Colour, Fen, Role};
/// use setwise_nnue::position;
/// let codes = Fen::parse("4k3/8/8/3p4/8/8/4P3/4R1K1 w - - 0 1")?.pieces.codes();
/// let (e2, e4) = (12, 28);
/// let moved = [SquareChange::remove(e2), SquareChange::put(e4, Colour::White, Role::Pawn)];
/// let mut buffer = [ThreatChange::default(); buffer_len(2)];
/// let count = position::threat_changes(&codes, &moved, &PairFilter::ALL, &mut buffer)?;
/// let named: Vec<String> = buffer[..count].iter().map(|change| change.to_string()).collect();
/// assert_eq!(named, ["-e1-e2", "+e4-d5", "+e1-e4", "+d5-e4"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline(always)]
pub fn threat_changes<S: Slot<ThreatChange>>(
    codes: &[u8; 64],
    changes: &[SquareChange],
    filter: &PairFilter,
    buffer: &mut [S],
) -> Result<usize, ChangeError> {
    threat_changes_at(built_in(), codes, changes, filter, buffer)
}

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
/// use setwise_nnue::FeatureSet;
/// use setwise::{ByColour, Pieces};
/// use setwise_nnue::position;
/// const SET: &FeatureSet = &FeatureSet::NNUE_PYTORCH_2026_07;
/// const LEN: usize = SET.buffer_len();
/// let mut inputs = ByColour { white: [0_u32; LEN], black: [0; LEN] };
/// let ByColour { white, black } = &mut inputs;
/// let counts = position::inputs(SET, &Pieces::START, ByColour { white, black })?;
/// let (white, black) = (&mut inputs.white[..counts.white], &mut inputs.black[..counts.black]);
/// white.sort_unstable();
/// black.sort_unstable();
/// assert_eq!(white, black); // the start looks the same to both
/// # Ok::<(), setwise_nnue::FeatureError>(())
/// ```
#[inline(always)]
pub fn inputs<N: InputNumber>(
    set: &FeatureSet,
    pieces: &Pieces,
    buffers: ByColour<&mut [N]>,
) -> Result<ByColour<usize>, FeatureError> {
    inputs_at(built_in(), set, pieces, buffers)
}

/// What changed squares change of the inputs of both perspectives, in all blocks of the set: of threats
/// [`threat_changes`] and its records as inputs, and the pawn pairs and pieces on squares that come
/// and go. `codes` and `changes` are as there. The buffers may be of [`MaybeUninit`] numbers: so many of them are
/// initialized as the answer says.
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
/// use setwise_nnue::{FeatureSet, InputBuffers, SquareChange, buffer_len};
/// use setwise::{ByColour, Colour, Fen, Role};
/// use setwise_nnue::position;
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
    input_changes_at(built_in(), set, codes, changes, buffers)
}

/// [`threats`], at a level.
#[inline(always)]
pub fn threats_at<L: Level>(level: L, pieces: &Pieces) -> ThreatList {
    let mut list = ThreatList::new();
    write_threats_at(level, pieces, &mut list);
    list
}

/// [`write_threats`], at a level.
#[inline(always)]
pub fn write_threats_at<L: Level>(_level: L, pieces: &Pieces, list: &mut ThreatList) {
    by_level!(L, E => list.len = E::pairs(Sets::of(pieces), &mut list.pairs))
}

/// [`threats_changed`], at a level.
#[inline(always)]
pub fn threats_changed_at<L: Level>(_level: L, before: &Pieces, after: &Pieces) -> ThreatChanges {
    by_level!(L, E => threats_changed_by::<E>(before, after))
}

/// [`threat_changes`], at a level.
///
/// # Errors
/// As there.
#[inline(always)]
pub fn threat_changes_at<L: Level, S: Slot<ThreatChange>>(
    _level: L,
    codes: &[u8; 64],
    changes: &[SquareChange],
    filter: &PairFilter,
    buffer: &mut [S],
) -> Result<usize, ChangeError> {
    changes::check(changes)?;
    // SAFETY: only records are written.
    let buffer = unsafe { S::slots(buffer) };
    if buffer.len() < changes::buffer_len(changes.len()) {
        return changes::write_to_few(codes, changes, filter, buffer);
    }
    by_level!(L, E => Ok(changes::write::<<E as Extractor>::Board>(codes, changes, filter, buffer)))
}

/// [`inputs`], at a level.
///
/// # Errors
/// As there.
#[inline(always)]
pub fn inputs_at<L: Level, N: InputNumber>(
    _level: L,
    set: &FeatureSet,
    pieces: &Pieces,
    buffers: ByColour<&mut [N]>,
) -> Result<ByColour<usize>, FeatureError> {
    by_level!(L, E => inputs_by::<E, N>(set, pieces, buffers))
}

/// [`input_changes`], at a level.
///
/// # Errors
/// As there.
#[inline(always)]
pub fn input_changes_at<L: Level, N: InputNumber>(
    _level: L,
    set: &FeatureSet,
    codes: &[u8; 64],
    changes: &[SquareChange],
    buffers: ByColour<InputBuffers<'_, N>>,
) -> Result<ByColour<InputChanges>, InputError> {
    by_level!(L, E => input_changes_by::<E, N>(set, codes, changes, buffers))
}

setwise::functions! {
    /// The questions about threats and inputs of one position with a [`Kernel`](setwise::Kernel)'s instructions.
    ///
    /// Each method is the function of the same name in this module, at the cost of a call through a
    /// pointer. `lanes` and `wide` use what the build enables.
    ///
    /// ```
    /// use setwise::{Kernel, Pieces};
    /// use setwise_nnue::position;
    /// let kernel = position::NnueKernel::of(Kernel::detect());
    /// assert_eq!(kernel.threats(&Pieces::START), position::threats(&Pieces::START));
    /// ```
    pub struct NnueKernel {
        /// [`threats`], with the kernel's instructions.
        #[must_use]
        pub fn threats<L: Level>(level: L, pieces: &Pieces) -> ThreatList {
            threats_at(level, pieces)
        }

        /// [`write_threats`], with the kernel's instructions.
        pub fn write_threats<L: Level>(level: L, pieces: &Pieces, list: &mut ThreatList) {
            write_threats_at(level, pieces, list)
        }

        /// [`threats_changed`], with the kernel's instructions.
        #[must_use]
        pub fn threats_changed<L: Level>(level: L, before: &Pieces, after: &Pieces) -> ThreatChanges {
            threats_changed_at(level, before, after)
        }

        // Nearly all moves have a function of their own, in which nothing else needs registers: beside the inlined
        // function the call cost 1.8 nanoseconds for 2.5 (Zen 5, AVX-512).
        fn changes_of_two<L: Level>(
            level: L,
            codes: &[u8; 64],
            changes: &[SquareChange; 2],
            filter: &PairFilter,
            buffer: &mut [MaybeUninit<ThreatChange>]
        ) -> Outcome {
            Outcome::of(threat_changes_at(level, codes, changes, filter, buffer))
        }

        fn changes_of_any<L: Level>(
            level: L,
            codes: &[u8; 64],
            changes: &[SquareChange],
            filter: &PairFilter,
            buffer: &mut [MaybeUninit<ThreatChange>]
        ) -> Outcome {
            Outcome::of(threat_changes_at(level, codes, changes, filter, buffer))
        }

        fn inputs_u16<L: Level>(
            level: L,
            set: &FeatureSet,
            pieces: &Pieces,
            buffers: ByColour<&mut [MaybeUninit<u16>]>
        ) -> Result<ByColour<usize>, FeatureError> {
            inputs_at(level, set, pieces, buffers)
        }

        fn input_changes_u16<L: Level>(
            level: L,
            set: &FeatureSet,
            codes: &[u8; 64],
            changes: &[SquareChange],
            buffers: ByColour<InputBuffers<'_, MaybeUninit<u16>>>
        ) -> Result<ByColour<InputChanges>, InputError> {
            input_changes_at(level, set, codes, changes, buffers)
        }

        fn inputs_u32<L: Level>(
            level: L,
            set: &FeatureSet,
            pieces: &Pieces,
            buffers: ByColour<&mut [MaybeUninit<u32>]>
        ) -> Result<ByColour<usize>, FeatureError> {
            inputs_at(level, set, pieces, buffers)
        }

        fn input_changes_u32<L: Level>(
            level: L,
            set: &FeatureSet,
            codes: &[u8; 64],
            changes: &[SquareChange],
            buffers: ByColour<InputBuffers<'_, MaybeUninit<u32>>>
        ) -> Result<ByColour<InputChanges>, InputError> {
            input_changes_at(level, set, codes, changes, buffers)
        }

        fn inputs_i32<L: Level>(
            level: L,
            set: &FeatureSet,
            pieces: &Pieces,
            buffers: ByColour<&mut [MaybeUninit<i32>]>
        ) -> Result<ByColour<usize>, FeatureError> {
            inputs_at(level, set, pieces, buffers)
        }

        fn input_changes_i32<L: Level>(
            level: L,
            set: &FeatureSet,
            codes: &[u8; 64],
            changes: &[SquareChange],
            buffers: ByColour<InputBuffers<'_, MaybeUninit<i32>>>
        ) -> Result<ByColour<InputChanges>, InputError> {
            input_changes_at(level, set, codes, changes, buffers)
        }
    }
}

impl NnueKernel {
    /// [`threat_changes`], with the kernel's instructions.
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn threat_changes<S: Slot<ThreatChange>>(
        &self,
        codes: &[u8; 64],
        changes: &[SquareChange],
        filter: &PairFilter,
        buffer: &mut [S],
    ) -> Result<usize, ChangeError> {
        // SAFETY: only records are written.
        let buffer = unsafe { S::slots(buffer) };
        let outcome = match <&[SquareChange; 2]>::try_from(changes) {
            Ok(two) => self.changes_of_two(codes, two, filter, buffer),
            Err(_) => self.changes_of_any(codes, changes, filter, buffer),
        };
        outcome.result()
    }

    /// [`inputs`], with the kernel's instructions.
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn inputs<N: InputNumber>(
        &self,
        set: &FeatureSet,
        pieces: &Pieces,
        buffers: ByColour<&mut [N]>,
    ) -> Result<ByColour<usize>, FeatureError> {
        N::inputs(self, set, pieces, buffers)
    }

    /// [`input_changes`], with the kernel's instructions.
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn input_changes<N: InputNumber>(
        &self,
        set: &FeatureSet,
        codes: &[u8; 64],
        changes: &[SquareChange],
        buffers: ByColour<InputBuffers<'_, N>>,
    ) -> Result<ByColour<InputChanges>, InputError> {
        N::input_changes(self, set, codes, changes, buffers)
    }
}

/// A number that an input is given as: `u16`, `u32` or `i32`; in buffers that need not be initialized, [`MaybeUninit`] of
/// one.
pub trait InputNumber: Number {
    /// The function of a kernel for this type.
    #[doc(hidden)]
    fn inputs(
        kernel: &NnueKernel,
        set: &FeatureSet,
        pieces: &Pieces,
        buffers: ByColour<&mut [Self]>,
    ) -> Result<ByColour<usize>, FeatureError>;

    /// The function of a kernel for this type.
    #[doc(hidden)]
    fn input_changes(
        kernel: &NnueKernel,
        set: &FeatureSet,
        codes: &[u8; 64],
        changes: &[SquareChange],
        buffers: ByColour<InputBuffers<'_, Self>>,
    ) -> Result<ByColour<InputChanges>, InputError>;
}

macro_rules! input_numbers {
    ($($number:ty: $inputs:ident $input_changes:ident;)*) => {
        $(
            input_numbers!(@ $number, $number, $inputs, $input_changes);
            input_numbers!(@ MaybeUninit<$number>, $number, $inputs, $input_changes);
        )*
    };
    (@ $slot:ty, $number:ty, $inputs:ident, $input_changes:ident) => {
        impl InputNumber for $slot {
            #[inline(always)]
            fn inputs(
                kernel: &NnueKernel,
                set: &FeatureSet,
                pieces: &Pieces,
                buffers: ByColour<&mut [Self]>,
            ) -> Result<ByColour<usize>, FeatureError> {
                let ByColour { white, black } = buffers;
                // SAFETY: only inputs are written.
                let slots = |side| unsafe { <$slot as Slot<$number>>::slots(side) };
                let [white, black] = [white, black].map(slots);
                kernel.$inputs(set, pieces, ByColour { white, black })
            }

            #[inline(always)]
            fn input_changes(
                kernel: &NnueKernel,
                set: &FeatureSet,
                codes: &[u8; 64],
                changes: &[SquareChange],
                buffers: ByColour<InputBuffers<'_, Self>>,
            ) -> Result<ByColour<InputChanges>, InputError> {
                let ByColour { white, black } = buffers;
                // SAFETY: only inputs are written.
                let [white, black] = [white, black].map(|InputBuffers { added, removed }| unsafe {
                    InputBuffers {
                        added: <$slot as Slot<$number>>::slots(added),
                        removed: <$slot as Slot<$number>>::slots(removed),
                    }
                });
                kernel.$input_changes(set, codes, changes, ByColour { white, black })
            }
        }
    };
}

input_numbers! {
    u16: inputs_u16 input_changes_u16;
    u32: inputs_u32 input_changes_u32;
    i32: inputs_i32 input_changes_i32;
}

#[inline(always)]
fn threats_changed_by<E: Extractor>(before: &Pieces, after: &Pieces) -> ThreatChanges {
    const FEW: usize = 4;
    let (squares, count) = changes::squares_changed(before, after);
    let squares = &squares[..count];
    let codes = before.codes();
    if count <= FEW {
        let mut buffer = [MaybeUninit::uninit(); changes::buffer_len(FEW)];
        let len = changes::write::<E::Board>(&codes, squares, &PairFilter::ALL, &mut buffer);
        // SAFETY: so many were written.
        return changes::in_lists(unsafe { written(&buffer[..len]) });
    }
    let mut buffer = [MaybeUninit::uninit(); changes::buffer_len(64)];
    let len =
        changes::write::<changes::portable::Plain>(&codes, squares, &PairFilter::ALL, &mut buffer);
    // SAFETY: so many were written.
    changes::in_lists(unsafe { written(&buffer[..len]) })
}

#[inline(always)]
fn inputs_by<E: Extractor, N: Number>(
    set: &FeatureSet,
    pieces: &Pieces,
    buffers: ByColour<&mut [N]>,
) -> Result<ByColour<usize>, FeatureError> {
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
    let pieces = if pieces.is_distinct() {
        pieces
    } else {
        clean = distinct(pieces);
        &clean
    };
    let mut prepared = Prepared::new();
    prepared.list::<E>(set, pieces, squares);
    let ByColour { white, black } = buffers;
    if white.len().min(black.len()) >= set.buffer_len() {
        let [white, black] = prepared.write::<E, N>(set, pieces, [white, black]);
        return Ok(ByColour { white, black });
    }
    // The buffer is cleared first, so it should not be longer than needed.
    let (mut small, mut medium, mut large);
    let len = set.buffer_len();
    let all: [&mut [N]; 2] = if len <= SMALL {
        small = [[N::from_input(0); SMALL]; 2];
        small.each_mut().map(|side| &mut side[..])
    } else if len <= MEDIUM {
        medium = [[N::from_input(0); MEDIUM]; 2];
        medium.each_mut().map(|side| &mut side[..])
    } else {
        large = [[N::from_input(0); LARGE]; 2];
        large.each_mut().map(|side| &mut side[..])
    };
    let [all_white, all_black] = all;
    let counts = prepared.write::<E, N>(set, pieces, [&mut *all_white, &mut *all_black]);
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

/// Lengths of buffers: for the inputs of a block of threats, for those of a set with a block of each kind as a rule, and
/// for those of any set.
const SMALL: usize = MAX_THREATS + SLACK;
const MEDIUM: usize = 1024;
pub(crate) const LARGE: usize = MAX_THREATS + 64 * 63 / 2 + 2 * 64 + SLACK;

#[inline(always)]
fn input_changes_by<E: Extractor, N: Number>(
    set: &FeatureSet,
    codes: &[u8; 64],
    changes: &[SquareChange],
    buffers: ByColour<InputBuffers<'_, N>>,
) -> Result<ByColour<InputChanges>, InputError> {
    /// The squares of a move.
    const FEW: usize = 4;
    changes::check(changes).map_err(InputError::Changes)?;
    let board = E::Board::load(codes);
    let kings = Colour::ALL.map(|colour| board.holding(piece_code(colour, Role::King)));
    let pawns = if set.reads_pawns() {
        Colour::ALL.map(|colour| board.holding(piece_code(colour, Role::Pawn)))
    } else {
        [0; 2]
    };
    let squares = Squares::new(changes, codes, pawns);
    if changes.len() > FEW {
        return many(set, codes, kings, changes, &squares, buffers);
    }
    let mut records = [MaybeUninit::uninit(); changes::buffer_len(FEW)];
    let count = if set.threats().is_some() {
        changes::write::<E::Board>(codes, changes, set.pair_filter(), &mut records)
    } else {
        0
    };
    // SAFETY: so many were written.
    let records = unsafe { written(&records[..count]) };
    kept::input_changes(set, kings, &squares, records, buffers)
}

/// The same for any number of squares.
#[cold]
#[inline(never)]
fn many<N: Number>(
    set: &FeatureSet,
    codes: &[u8; 64],
    kings: [u64; 2],
    changes: &[SquareChange],
    squares: &Squares<'_>,
    buffers: ByColour<InputBuffers<'_, N>>,
) -> Result<ByColour<InputChanges>, InputError> {
    let mut records = [MaybeUninit::uninit(); changes::buffer_len(64)];
    let count = changes::write_to_few(codes, changes, set.pair_filter(), &mut records)
        .map_err(InputError::Changes)?;
    // SAFETY: so many were written.
    let records = unsafe { written(&records[..count]) };
    kept::input_changes(set, kings, squares, records, buffers)
}
