//! Threats and inputs of one position, with the instructions that the build, a kernel or a level enables.

use core::mem::MaybeUninit;

use crate::changes::{self, ChangeError, PairFilter, SquareChange, ThreatChange, ThreatChanges};
use crate::features::{FeatureError, FeatureSet, SLACK};
use crate::inputs::{self, InputBuffers, InputChanges};
use crate::level;
use crate::pairs::{MAX_THREATS, Sets, ThreatList};
use crate::prepared::Prepared;
pub use crate::slots::InputNumber;
use crate::slots::{Slot, words, written};
use setwise::dispatch::{Level, built_in};
use setwise::{ByColour, Colour, Kernel, Pieces, by_level};

/// Defines each function with the instructions of the build, with those of a level, and with those of a kernel: as a
/// method of the struct. The method converts the argument after `with` to words, so that its kernels are compiled once
/// for all types of numbers with the same size.
macro_rules! functions {
    (
        $(#[$struct_doc:meta])*
        struct $kernel:ident;
        $(
            $(#[$doc:meta])*
            fn $name:ident, $at:ident<$level:ident $(, $generic:ident: $bound:path)*>(
                $value:ident; $($argument:ident: $type:ty),* $(,)?
            ) $(-> $output:ty)? $(, with $buffers:ident = $words:expr;)? $body:block
        )*
    ) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            pub fn $name<$($generic: $bound),*>($($argument: $type),*) $(-> $output)? {
                $at(built_in(), $($argument),*)
            }

            #[doc = concat!("Like [`", stringify!($name), "`], with the instructions of a level.")]
            #[inline(always)]
            pub fn $at<$level: Level $(, $generic: $bound)*>(
                $value: $level, $($argument: $type),*
            ) $(-> $output)? $body
        )*

        $(#[$struct_doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $kernel(Kernel);

        impl $kernel {
            /// The functions with a kernel's instructions.
            #[inline]
            #[must_use]
            pub fn of(kernel: Kernel) -> Self {
                Self(kernel)
            }

            $(
                #[doc = concat!(
                    "[`", stringify!($name), "`](crate::position::", stringify!($name), "), with the kernel's instructions."
                )]
                #[inline]
                pub fn $name<$($generic: $bound),*>(self, $($argument: $type),*) $(-> $output)? {
                    $(let $buffers = $words;)?
                    Functions::of(self.0).$name($($argument),*)
                }
            )*
        }

        setwise::functions! {
            struct Functions {$(
                fn $name<L: Level $(, $generic: $bound)*>(level: L $(, $argument: $type)*) $(-> $output)? {
                    $at(level, $($argument),*)
                }
            )*}
        }
    };
}

functions! {
    /// The functions for threats and inputs of one position, with the instructions of a [`Kernel`].
    ///
    /// Each method computes the same as the function of the same name in [`position`](crate::position). The kernels
    /// `lanes` and `wide` use the instructions that the build enables. The kernel `avx512` uses AVX2, because one
    /// position gains nothing from 512-bit registers on processors without VBMI2.
    ///
    /// ```
    /// use setwise::{Kernel, Pieces};
    /// use setwise_nnue::position;
    /// let kernel = position::NnueKernel::of(Kernel::detect());
    /// assert_eq!(kernel.threats(&Pieces::START), position::threats(&Pieces::START));
    /// ```
    struct NnueKernel;

    /// Lists the threats: every pair of a piece and an occupied square that it attacks, for both sides, defended pieces
    /// included. There are at most [`MAX_THREATS`]. The [crate's documentation](crate) defines
    /// their order and the treatment of squares with several roles or colours.
    ///
    /// The list has space for any position, so initializing and moving it takes as long as computing the threats. In a
    /// hot loop, reuse a list with [`write_threats`].
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
    fn threats, threats_at<L>(level; pieces: &Pieces) -> ThreatList {
        let mut list = ThreatList::default();
        write_threats_at(level, pieces, &mut list);
        list
    }

    /// Like [`threats`], but overwrites an existing list.
    ///
    /// ```
    /// use setwise_nnue::{ThreatList, position};
    /// use setwise::{Fen, Pieces};
    /// let mut threats = ThreatList::default();
    /// position::write_threats(&Pieces::START, &mut threats);
    /// let fen = Fen::parse("8/8/8/k7/8/8/8/R3K2R w - - 0 1")?;
    /// position::write_threats(&fen.pieces, &mut threats);
    /// assert_eq!(threats, position::threats(&fen.pieces));
    /// # Ok::<(), setwise::fen::FenError>(())
    /// ```
    fn write_threats, write_threats_at<L>(_level; pieces: &Pieces, list: &mut ThreatList) {
        list.len = level::pairs::<L>(Sets::of(pieces), &mut list.pairs);
    }

    /// Lists the pairs that are removed and added between two positions, which may differ in any way: by a single
    /// piece, by a move, or completely.
    ///
    /// Two pairs are equal only if their attackers and victims are equal too. After a capture, the pairs that attack
    /// the destination are both removed and added, because the victim is a different piece. The order is by changed
    /// square, unlike that of [`threats`], and the same on every backend.
    ///
    /// This function compares positions and returns lists by value. If you know the squares that change, as an engine
    /// does, use [`threat_changes`].
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
    fn threats_changed, threats_changed_at<L>(_level; before: &Pieces, after: &Pieces) -> ThreatChanges {
        let (squares, count) = changes::squares_changed(before, after);
        let mut buffer = [MaybeUninit::uninit(); changes::buffer_len(64)];
        let codes = before.codes();
        let len = changes::write_at::<L>(&codes, &squares[..count], &PairFilter::ALL, &mut buffer);
        let mut lists = ThreatChanges::default();
        // SAFETY: `len` records were written.
        for change in unsafe { written(&buffer[..len]) } {
            let list = if change.is_added() { &mut lists.added } else { &mut lists.removed };
            list.push(change.threat());
        }
        lists
    }

    /// Writes the inputs of a position from the perspectives of white and black, block by block, to the starts of two
    /// buffers, and returns the number of each. [`FeatureSet`] defines their order.
    ///
    /// Buffers of at least [`FeatureSet::buffer_len`] numbers are written directly; smaller buffers require a copy. The
    /// rest of each buffer is unspecified.
    ///
    /// # Errors
    /// If a side does not have exactly one king, if the set has too many inputs for the number type, or if a buffer is
    /// too small. In these cases nothing is written.
    ///
    /// ```
    /// use setwise_nnue::{FeatureSet, position};
    /// use setwise::{ByColour, Pieces};
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
    fn inputs, inputs_at<L, N: InputNumber>(
        _level;
        set: &FeatureSet,
        pieces: &Pieces,
        buffers: ByColour<&mut [N]>,
    ) -> Result<ByColour<usize>, FeatureError>,
    // SAFETY: only inputs are written.
    with buffers = unsafe { ByColour { white: words(buffers.white), black: words(buffers.black) } };
    {
        let ByColour { white, black } = buffers;
        let [white, black] = write_inputs::<L, N>(set, pieces, [Some(white), Some(black)])?;
        Ok(ByColour { white, black })
    }

    /// Writes the inputs of a position from the perspective of one side, like [`inputs`], and returns their number. An
    /// engine calls this function when it refreshes one accumulator, because a king has crossed the middle of the board
    /// or has moved to another bucket.
    ///
    /// # Errors
    /// Like [`inputs`]. Both sides must have exactly one king.
    ///
    /// ```
    /// use setwise::{Colour, Pieces};
    /// use setwise_nnue::{FeatureSet, position};
    /// let mut inputs = [0_u16; FeatureSet::HALFKA_HM.buffer_len()];
    /// let set = &FeatureSet::HALFKA_HM;
    /// let count = position::perspective_inputs(set, &Pieces::START, Colour::Black, &mut inputs)?;
    /// assert_eq!(count, 32); // one for each piece
    /// # Ok::<(), setwise_nnue::FeatureError>(())
    /// ```
    fn perspective_inputs, perspective_inputs_at<L, N: InputNumber>(
        _level;
        set: &FeatureSet,
        pieces: &Pieces,
        colour: Colour,
        buffer: &mut [N],
    ) -> Result<usize, FeatureError>,
    // SAFETY: only inputs are written.
    with buffer = unsafe { words(buffer) };
    {
        let mut buffers = [None, None];
        buffers[colour as usize] = Some(buffer);
        let counts = write_inputs::<L, N>(set, pieces, buffers)?;
        Ok(counts[colour as usize])
    }

    /// Writes the inputs that are added and removed for both perspectives when squares change, in all blocks of the
    /// set: threats (the records of [`threat_changes`] as inputs), pawn pairs, and pieces on squares. `codes` and
    /// `changes` are as in [`threat_changes`]. The buffers may hold [`MaybeUninit`] numbers;
    /// only the first numbers, up to the returned counts, are initialized.
    ///
    /// When a side's king crosses the middle of the board or moves to another bucket, all inputs of its perspective
    /// change, or all inputs of a block. For such a side, [`is_anew`](InputChanges::is_anew) is true and nothing is
    /// written.
    ///
    /// # Errors
    /// If a side does not have exactly one king before and after the change, if a square occurs twice, if the set has
    /// too many inputs for the number type, or if a buffer is too small ([`FeatureSet::changes_len`] inputs always
    /// suffice). In these cases nothing is written.
    ///
    /// ```
    /// use setwise_nnue::{FeatureSet, InputBuffers, SquareChange, buffer_len, position};
    /// use setwise::{ByColour, Colour, Fen, Role};
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
    fn input_changes, input_changes_at<L, N: InputNumber>(
        _level;
        set: &FeatureSet,
        codes: &[u8; 64],
        changes: &[SquareChange],
        buffers: ByColour<InputBuffers<'_, N>>,
    ) -> Result<ByColour<InputChanges>, FeatureError>,
    // SAFETY: only inputs are written.
    with buffers = unsafe { ByColour { white: buffers.white.words(), black: buffers.black.words() } };
    {
        by_level!(
            L;
            avx512_gfni => inputs::input_changes::<changes::avx512::Bytes, _>(set, codes, changes, buffers),
            avx512 | avx2 => inputs::input_changes::<changes::avx2::Lanes, _>(set, codes, changes, buffers),
            portable => inputs::input_changes::<changes::portable::Plain, _>(set, codes, changes, buffers)
        )
    }
}

/// Writes the [`threats`] that a move, or any other change of squares, adds and removes to the start of `buffer`,
/// one record each, and returns the number of records.
///
/// `codes` is the position before the change: a [code](setwise::piece_code) for each square from a1 to h8. An
/// engine passes its own mailbox if it uses these codes, and otherwise `&setwise::position::codes(&MAP, &mailbox)`.
/// If a code is above 15, the records are unspecified. `changes` contains each square that changes once, in any
/// order. A single square is allowed, for engines that add and remove pieces one by one. `filter` selects the pairs
/// to record.
///
/// The buffer [need not be initialized](Slot).
///
/// There is one record for each pair, pieces included, that exists in only one of the two positions: a capture
/// removes the pairs that attack the victim and adds pairs of the same squares that defend or attack the capturing
/// piece. The order follows `changes` and is the same on every backend.
///
/// The cost depends on the number of squares (two for most moves), not on the number of pairs.
///
/// # Errors
/// If the buffer is too small ([`buffer_len`](crate::buffer_len) records always suffice), or if a square occurs
/// twice. In these cases nothing is written.
///
/// ```
/// use setwise_nnue::{PairFilter, SquareChange, ThreatChange, buffer_len, position};
/// use setwise::{Colour, Fen, Role};
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

/// Like [`threat_changes`], with the instructions of a level.
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
        return changes::write_checked(codes, changes, filter, buffer);
    }
    Ok(changes::write_at::<L>(codes, changes, filter, buffer))
}

/// The length of a buffer that suffices for the inputs of any set.
pub(crate) const LARGE: usize = MAX_THREATS + 64 * 63 / 2 + 2 * 64 + SLACK;

/// Writes the inputs of the perspectives that have a buffer, white's and black's, and returns the number of each.
#[inline(always)]
fn write_inputs<L: Level, N: InputNumber>(
    set: &FeatureSet,
    pieces: &Pieces,
    buffers: [Option<&mut [N]>; 2],
) -> Result<[usize; 2], FeatureError> {
    set.fits::<N::Value>()?;
    let mut prepared = Prepared::<1>::new();
    prepared.list::<L>(set, 0, core::slice::from_ref(pieces));
    // SAFETY: only inputs are written.
    let mut sides = buffers.map(|buffer| buffer.map(|side| unsafe { words(side) }));
    let mut scratch = [[MaybeUninit::uninit(); LARGE]; 2];
    let is_direct = sides.iter().flatten().all(|side| side.len() >= set.buffer_len());
    let [white, black] = sides.each_mut().map(|side| side.as_deref_mut().filter(|_| is_direct));
    let [white_scratch, black_scratch] = &mut scratch;
    let places = [white.unwrap_or(white_scratch), black.unwrap_or(black_scratch)];
    let counts = prepared.write::<L, _>(set, 0, places)?;
    if is_direct {
        return Ok(counts);
    }
    for ((colour, side), &inputs) in Colour::ALL.into_iter().zip(&sides).zip(&counts) {
        if let Some(side) = side
            && inputs > side.len()
        {
            return Err(FeatureError::Width { row: 0, colour, inputs, width: side.len() });
        }
    }
    for ((side, scratch), &inputs) in sides.into_iter().zip(&scratch).zip(&counts) {
        if let Some(side) = side {
            side[..inputs].copy_from_slice(&scratch[..inputs]);
        }
    }
    Ok(counts)
}

setwise::functions! {
    /// The body of [`NnueKernel::threat_changes`].
    struct Changes {
        /// Nearly all moves change two squares. A separate function, in which nothing else needs registers, reduced the
        /// overhead of the call over inlined code from 2.5 to 1.8 nanoseconds (Zen 5, AVX-512). It returns a number
        /// instead of a `Result`, whose parts would be stored separately and loaded together: such a load waits for the
        /// cache.
        fn of_two<L: Level>(
            level: L,
            codes: &[u8; 64],
            changes: &[SquareChange; 2],
            filter: &PairFilter,
            buffer: &mut [MaybeUninit<ThreatChange>]
        ) -> usize {
            threat_changes_at(level, codes, changes, filter, buffer).unwrap_or(usize::MAX)
        }

        fn of_any<L: Level>(
            level: L,
            codes: &[u8; 64],
            changes: &[SquareChange],
            filter: &PairFilter,
            buffer: &mut [MaybeUninit<ThreatChange>]
        ) -> usize {
            threat_changes_at(level, codes, changes, filter, buffer).unwrap_or(usize::MAX)
        }
    }
}

impl NnueKernel {
    /// [`threat_changes`], with the kernel's instructions.
    #[inline]
    pub fn threat_changes<S: Slot<ThreatChange>>(
        self,
        codes: &[u8; 64],
        changes: &[SquareChange],
        filter: &PairFilter,
        buffer: &mut [S],
    ) -> Result<usize, ChangeError> {
        // SAFETY: only records are written.
        let buffer = unsafe { S::slots(buffer) };
        let count = match <&[SquareChange; 2]>::try_from(changes) {
            Ok(two) => Changes::of(self.0).of_two(codes, two, filter, buffer),
            Err(_) => Changes::of(self.0).of_any(codes, changes, filter, buffer),
        };
        // The error is computed again, on a cold path.
        if count < usize::MAX {
            Ok(count)
        } else {
            changes::write_checked(codes, changes, filter, buffer)
        }
    }
}
