//! Threats and network inputs of many positions: all blocks of a set for both sides in one pass, written to lists,
//! columns or rows.

use core::mem::MaybeUninit;

use setwise::dispatch::{Level, MAX_BOARDS, Task};
use setwise::{ByColour, Colour, Kernel, Lists, Pieces, Positions};

#[cfg(target_arch = "x86_64")]
use crate::avx512::inputs::{AT_ONCE, Rank};
#[cfg(target_arch = "x86_64")]
use crate::features::{Block, SLACK};
use crate::features::{FeatureError, FeatureSet};
use crate::level;
#[cfg(target_arch = "x86_64")]
use crate::numbers::Tables;
use crate::pairs::{BUFFER, Sets, Threat};
use crate::position::LARGE;
use crate::prepared::Prepared;
use crate::slots::{InputNumber, words};

/// The threats of many positions, one list per position ([`KernelExt::threats`]).
pub type ThreatLists = Lists<Threat>;

/// The network inputs of many positions from each side's perspective, one list per position ([`KernelExt::features`]).
pub type FeatureLists<N> = ByColour<Lists<N>>;

/// A pair of destinations: one for the inputs from each side's perspective.
///
/// [`ByColour`] and `&mut FeatureLists` convert to `Colours`.
#[derive(Clone, Copy, Debug)]
pub enum Sides<T> {
    /// The perspectives of white and black.
    Colours(ByColour<T>),
    /// The perspectives of the side to move and of the other side, as most trainers and engines expect them. The
    /// positions need sides to move ([`Positions::with_turns`]).
    ByTurn {
        /// For the side to move.
        mover: T,
        /// For the other side.
        other: T,
    },
}

impl<T> From<ByColour<T>> for Sides<T> {
    fn from(colours: ByColour<T>) -> Self {
        Self::Colours(colours)
    }
}

impl<'a, T> From<&'a mut ByColour<T>> for Sides<&'a mut T> {
    fn from(ByColour { white, black }: &'a mut ByColour<T>) -> Self {
        Self::Colours(ByColour { white, black })
    }
}

impl<T> Sides<T> {
    /// The sides to move, if the sides are by turn, and the two destinations with their names.
    #[track_caller]
    fn named<'a>(
        self,
        positions: &Positions<'a>,
    ) -> (Option<&'a [Colour]>, [(&'static str, T); 2]) {
        match self {
            Self::Colours(ByColour { white, black }) => {
                (None, [("white", white), ("black", black)])
            }
            Self::ByTurn { mover, other } => {
                let turns = positions.turns();
                let turns = turns.expect(
                    "these inputs depend on the side to move; pass it to `Positions::with_turns`",
                );
                (Some(turns), [("mover", mover), ("other", other)])
            }
        }
    }
}

/// Adds calls for the threats and inputs of many positions to [`Kernel`].
pub trait KernelExt: Into<Kernel> {
    /// Writes the threats of every position: the pairs of a piece and an occupied square that it attacks, one list per
    /// position, in the order that the [crate's documentation](crate) defines. Earlier contents are overwritten.
    ///
    /// The lists grow as needed and keep their allocation between calls.
    ///
    /// ```
    /// use setwise::{Kernel, Pieces};
    /// use setwise_nnue::{KernelExt, ThreatLists};
    /// let positions = vec![Pieces::START; 1000];
    /// let mut lists = ThreatLists::new();
    /// Kernel::detect().threats(&positions, &mut lists);
    /// let offsets = lists.offsets();
    /// let last = &lists.items()[offsets[999]..offsets[1000]];
    /// assert!(last.iter().any(|threat| (threat.from(), threat.to()) == (1, 11))); // b1 defends d2
    /// ```
    #[track_caller]
    fn threats<'a>(self, positions: impl Into<Positions<'a>>, lists: &mut ThreatLists) {
        write_threats(self.into(), positions.into(), lists);
    }

    /// Writes the inputs of every position from the perspectives of two [sides](Sides): one list per perspective and
    /// position, block by block, in the order that [`FeatureSet`] defines. Earlier contents are overwritten. All blocks
    /// of both perspectives are computed in one pass.
    ///
    /// `u16` suffices for sets with up to 65,536 inputs.
    ///
    /// # Errors
    /// At the first position in which a side does not have exactly one king; `lists` then holds the positions before
    /// it. Before the first position, if the set has too many inputs for the number type.
    ///
    /// # Panics
    /// If the sides are by turn and the positions have no sides to move.
    ///
    /// ```
    /// use setwise::{Kernel, Pieces};
    /// use setwise_nnue::{FeatureLists, FeatureSet, KernelExt};
    /// let mut inputs = FeatureLists::<u16>::default();
    /// let set = &FeatureSet::STOCKFISH_THREATS_2026_08;
    /// Kernel::detect().features(set, &[Pieces::START; 100], &mut inputs)?;
    /// let of_one = |inputs: &setwise::Lists<u16>| {
    ///     let mut of_one = inputs.get(99).expect("a hundred lists").to_vec();
    ///     of_one.sort_unstable();
    ///     of_one
    /// };
    /// assert_eq!(of_one(&inputs.white), of_one(&inputs.black)); // the start looks the same to both
    /// # Ok::<(), setwise_nnue::FeatureError>(())
    /// ```
    #[track_caller]
    fn features<'a, 'l, N: InputNumber + Default + 'l>(
        self,
        set: &FeatureSet,
        positions: impl Into<Positions<'a>>,
        lists: impl Into<Sides<&'l mut Lists<N>>>,
    ) -> Result<(), FeatureError> {
        let positions = positions.into();
        let (turns, lists) = lists.into().named(&positions);
        let mut lists = lists.map(|(_, lists)| lists);
        for lists in &mut lists {
            lists.start(positions.len());
        }
        set.fits::<N::Value>()?;
        let to = ToLists { turns, ..ToLists::new(set, lists.map(Some)) };
        self.into().run_nearest(OnBlocks(positions, to))
    }

    /// Like [`features`](Self::features), but in rows of a fixed width, as trainers expect them: row `i` of a
    /// perspective, such as `white[i * width..(i + 1) * width]`, contains the inputs in the order of the lists, padded
    /// with -1. The inputs of a block directly follow those of the previous block.
    ///
    /// [`FeatureSet::row_width`] is the width that trainers use. No position has more inputs than
    /// [`FeatureSet::max_inputs`].
    ///
    /// # Errors
    /// At the first position in which a side does not have exactly one king, or has more inputs than the width. The
    /// rows before it are filled; the contents of the other rows are unspecified.
    ///
    /// # Panics
    /// If a slice does not have `width` numbers for each position, or if the sides are by turn and the positions have
    /// no sides to move.
    ///
    /// ```
    /// use setwise_nnue::{FeatureSet, KernelExt};
    /// use setwise::{ByColour, Kernel, Pieces};
    /// let set = &FeatureSet::NNUE_PYTORCH_2026_07;
    /// let width = set.row_width();
    /// assert_eq!(width, 288);
    /// let (mut white, mut black) = (vec![0; 100 * width], vec![0; 100 * width]);
    /// let rows = ByColour { white: &mut white[..], black: &mut black[..] };
    /// Kernel::detect().feature_rows(set, &[Pieces::START; 100], width, rows)?;
    /// assert_eq!(white[width - 1], -1);
    /// # Ok::<(), setwise_nnue::FeatureError>(())
    /// ```
    #[track_caller]
    fn feature_rows<'a, 'r>(
        self,
        set: &FeatureSet,
        positions: impl Into<Positions<'a>>,
        width: usize,
        inputs: impl Into<Sides<&'r mut [i32]>>,
    ) -> Result<(), FeatureError> {
        write_rows(self.into(), set, positions.into(), width, inputs.into())
    }
}

impl KernelExt for Kernel {}

// The kernels of these functions are compiled once, in this crate; those of generic ones in every crate that calls them.

fn write_threats(kernel: Kernel, positions: Positions<'_>, lists: &mut ThreatLists) {
    lists.start(positions.len());
    let _no_error = kernel.run_nearest(OnBlocks(positions, ToThreats(lists)));
}

#[track_caller]
fn write_rows(
    kernel: Kernel,
    set: &FeatureSet,
    positions: Positions<'_>,
    width: usize,
    sides: Sides<&mut [i32]>,
) -> Result<(), FeatureError> {
    let rows = positions.len();
    let (turns, sides) = sides.named(&positions);
    // A loop, because a panic in a closure would not report the caller's location.
    for (name, numbers) in &sides {
        assert!(
            rows.checked_mul(width) == Some(numbers.len()),
            "`{name}` has {} numbers, but {rows} rows of {width} are needed",
            numbers.len()
        );
    }
    // SAFETY: only inputs are written.
    let sides = sides.map(|(_, numbers)| unsafe { words(numbers) });
    let buffers = [[MaybeUninit::uninit(); LARGE]; 2];
    let to = ToRows { set, turns, width, sides, buffers };
    kernel.run_nearest(OnBlocks(positions, to))
}

/// Processes each block of positions.
///
/// This is a trait and not a closure, because a method can be `#[inline(always)]`, which makes it part of the function
/// that enables the backend's instructions. (A closure was not inlined: 343 ns per position instead of 20.)
trait Each {
    /// Processes a block of positions, the first of which is at `row`.
    fn block<L: Level>(
        &mut self,
        prepared: &mut Prepared<BLOCK>,
        row: usize,
        block: &[Pieces],
    ) -> Result<(), FeatureError>;
}

/// The number of rows processed together, so that no step reads memory right after the previous step has written it.
const BLOCK: usize = 16;

/// Processes many positions block by block, until an error occurs.
struct OnBlocks<'a, T>(Positions<'a>, T);

impl<T: Each> Task for OnBlocks<'_, T> {
    type Output = Result<(), FeatureError>;

    /// Columns and batches are converted to rows, 64 at a time. If they were converted one by one, vector loads would
    /// directly follow word stores to the same memory and wait until the stores had reached the cache.
    #[inline(always)]
    fn run<L: Level>(self, level: L) -> Self::Output {
        let Self(positions, mut each) = self;
        let rows = positions.len();
        let mut scratch = None;
        let mut prepared = Prepared::new();
        let mut at = 0;
        while at < rows {
            let end = rows.min(at + MAX_BOARDS);
            for block in positions.as_rows(level, at..end, &mut scratch).chunks(BLOCK) {
                each.block::<L>(&mut prepared, at, block)?;
                at += block.len();
            }
        }
        Ok(())
    }
}

/// Writes lists of pairs.
struct ToThreats<'a>(&'a mut ThreatLists);

impl Each for ToThreats<'_> {
    #[inline(always)]
    fn block<L: Level>(
        &mut self,
        _prepared: &mut Prepared<BLOCK>,
        _row: usize,
        block: &[Pieces],
    ) -> Result<(), FeatureError> {
        for pieces in block {
            let buffer = self.0.space(BUFFER).first_chunk_mut().expect("as long as requested");
            let count = level::pairs::<L>(Sets::of(pieces), buffer);
            self.0.push(count);
        }
        Ok(())
    }
}

/// Writes lists of inputs for each side.
struct ToLists<'a, 'b, N> {
    set: &'a FeatureSet,
    /// `None` for a side that is not requested.
    lists: [Option<&'b mut Lists<N>>; 2],
    spare: [Lists<N>; 2],
    /// The sides to move, if the lists are for the side to move and for the other side.
    turns: Option<&'a [Colour]>,
    /// Buffers for the validity of each position; invalid positions receive an empty list. If `None`, an invalid
    /// position is an error.
    validity: Option<[Option<&'b mut [bool]>; 2]>,
    #[cfg(target_arch = "x86_64")]
    ranks: [[Rank; BUFFER / AT_ONCE + 1]; BLOCK],
}

impl<'a, 'b, N: InputNumber + Default> ToLists<'a, 'b, N> {
    fn new(set: &'a FeatureSet, lists: [Option<&'b mut Lists<N>>; 2]) -> Self {
        Self {
            set,
            lists,
            spare: [Lists::new(), Lists::new()],
            turns: None,
            validity: None,
            #[cfg(target_arch = "x86_64")]
            ranks: [[Rank::default(); BUFFER / AT_ONCE + 1]; BLOCK],
        }
    }

    /// Writes the threat inputs of a block of positions together. Only the dispatch calls this function, on processors
    /// with AVX-512 and GFNI.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn threats(
        &mut self,
        prepared: &Prepared<BLOCK>,
        tables: &Tables,
        rows: usize,
    ) -> Result<(), FeatureError> {
        let Self { lists, ranks, .. } = self;
        let [Some(white), Some(black)] = lists else { unreachable!("both sides are requested") };
        let ranks = ranks.as_flattened_mut();
        let pairs = prepared.ranges[rows - 1][1];
        // Ends are computed from these starts, to avoid reading the previous end, which has just been written.
        let starts = [white.items().len(), black.items().len()];
        let len = pairs + SLACK;
        // SAFETY: only inputs are written.
        let places = unsafe { [words(white.space(len)), words(black.space(len))] };
        let mut vector = 0;
        prepared.known.write([0, pairs], tables, places, |rank| {
            ranks[vector] = rank;
            vector += 1;
        });
        for at in 0..rows {
            prepared.kings[at]?;
            let end = prepared.ranges[at][1];
            let [of_white, of_black] = ranks[end / AT_ONCE].before(end % AT_ONCE);
            white.push_end(starts[0] + of_white);
            black.push_end(starts[1] + of_black);
        }
        Ok(())
    }
}

impl<N: InputNumber + Default> Each for ToLists<'_, '_, N> {
    #[inline(always)]
    fn block<L: Level>(
        &mut self,
        prepared: &mut Prepared<BLOCK>,
        row: usize,
        block: &[Pieces],
    ) -> Result<(), FeatureError> {
        prepared.list::<L>(self.set, row, block);
        #[cfg(target_arch = "x86_64")]
        if const { level::joins_positions::<L>() }
            && self.turns.is_none()
            && self.validity.is_none()
            && let [Block::Threats(tables)] = self.set.used()
        {
            return self.threats(prepared, tables, block.len());
        }
        let len = self.set.buffer_len();
        for at in 0..block.len() {
            let [a, b] = &mut self.spare;
            let [first, second] = &mut self.lists;
            let (first, second) = (first.as_deref_mut().unwrap_or(a), second.as_deref_mut());
            let second = second.unwrap_or(b);
            // SAFETY: only inputs are written.
            let mut buffers = unsafe { [words(first.space(len)), words(second.space(len))] };
            let is_black = self.turns.is_some_and(|turns| turns[row + at] == Colour::Black);
            if is_black {
                buffers.swap(0, 1);
            }
            let result = prepared.write::<L, _>(self.set, at, buffers);
            let mut lens = match &mut self.validity {
                None => result?,
                Some(validity) => {
                    for validity in validity.iter_mut().flatten() {
                        validity[row + at] = result.is_ok();
                    }
                    result.unwrap_or([0; 2])
                }
            };
            if is_black {
                lens.swap(0, 1);
            }
            for (lists, len) in self.lists.iter_mut().zip(lens) {
                if let Some(lists) = lists {
                    lists.push(len);
                }
            }
        }
        Ok(())
    }
}

/// A column of one side's inputs.
pub(crate) struct Side<'a> {
    pub(crate) set: &'a FeatureSet,
    pub(crate) lists: &'a mut Lists<u32>,
    pub(crate) validity: Option<&'a mut [bool]>,
}

/// Fills the columns of white's and black's inputs, together if both use the same feature set.
pub(crate) fn fill(kernel: Kernel, positions: Positions<'_>, columns: [Option<Side<'_>>; 2]) {
    match columns {
        [Some(white), Some(black)] if !core::ptr::eq(white.set, black.set) => {
            fill(kernel, positions, [Some(white), None]);
            fill(kernel, positions, [None, Some(black)]);
        }
        mut columns => {
            let Some(set) = columns.iter().flatten().map(|side| side.set).next() else { return };
            let validity = columns.each_mut().map(|side| side.as_mut()?.validity.take());
            let lists = columns.map(|side| side.map(|side| side.lists));
            let mut to = ToLists::new(set, lists);
            for lists in to.lists.iter_mut().flatten() {
                lists.start(positions.len());
            }
            let _no_error =
                kernel.run_nearest(OnBlocks(positions, ToLists { validity: Some(validity), ..to }));
        }
    }
}

/// Writes rows of inputs for both perspectives.
struct ToRows<'a, 'b> {
    set: &'a FeatureSet,
    /// The sides to move, if the rows are for the side to move and for the other side.
    turns: Option<&'a [Colour]>,
    width: usize,
    sides: [&'b mut [MaybeUninit<u32>]; 2],
    /// The inputs of a position, before they are known to fit.
    buffers: [[MaybeUninit<u32>; LARGE]; 2],
}

/// The number of rows by which memory is loaded before it is written. A batch is larger than the caches, and waiting for
/// each row would take as long as computing its inputs.
const AHEAD: usize = 2;

/// Starts to load memory that will be written soon.
#[inline(always)]
#[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables, reason = "no stable instruction"))]
fn prefetch(places: &[MaybeUninit<u32>]) {
    #[cfg(target_arch = "x86_64")]
    for line in places.chunks(16) {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: all processors for x86-64 have the instruction, and it accepts any address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
    }
}

impl Each for ToRows<'_, '_> {
    #[inline(always)]
    fn block<L: Level>(
        &mut self,
        prepared: &mut Prepared<BLOCK>,
        row: usize,
        block: &[Pieces],
    ) -> Result<(), FeatureError> {
        prepared.list::<L>(self.set, row, block);
        let width = self.width;
        for at in 0..block.len() {
            let [white, black] = &mut self.buffers;
            let buffers: [&mut [_]; 2] = [white, black];
            let counts = prepared.write::<L, _>(self.set, at, buffers)?;
            let row = row + at;
            for side in &self.sides {
                let end = |row: usize| (row * width).min(side.len());
                prefetch(&side[end(row + AHEAD)..end(row + AHEAD + 1)]);
            }
            let first = self.turns.map_or(Colour::White, |turns| turns[row]);
            for (colour, out) in [first, first.opponent()].into_iter().zip(&mut self.sides) {
                let (inputs, buffer) = (counts[colour as usize], &self.buffers[colour as usize]);
                if inputs > width {
                    return Err(FeatureError::Width { row, colour, inputs, width });
                }
                let (front, back) = out[row * width..][..width].split_at_mut(inputs);
                front.copy_from_slice(&buffer[..inputs]);
                back.fill(MaybeUninit::new((-1_i32).cast_unsigned()));
            }
        }
        Ok(())
    }
}
