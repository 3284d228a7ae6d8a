//! Threats and network inputs of many positions: all blocks of a set for both sides in one pass, written to lists, columns
//! or rows.

use setwise::dispatch::{Level, MAX_BOARDS, Task};
use setwise::{ByColour, Colour, Kernel, Lists, Pieces, Positions};

use crate::extractor::Extractor;
use crate::features::{Block, FeatureError, FeatureSet, SLACK};
use crate::level::by_level;
use crate::numbers::Tables;
use crate::pairs::{BUFFER, Sets, Threat, distinct};
use crate::position::{InputNumber, LARGE};
use crate::prepared::Prepared;
use crate::stream::{POSITIONS, Stream, is_narrow};

/// The threats of many positions, as [`KernelExt::threats`] writes them.
pub type ThreatLists = Lists<Threat>;

/// The network inputs of many positions from each side's perspective, as [`KernelExt::features`] writes them.
pub type FeatureLists<N> = ByColour<Lists<N>>;

/// The calls for threats and inputs of many positions.
pub trait KernelExt: Sized {
    /// Writes the threats of every position: the pairs of a piece and an occupied square that it attacks, one list for
    /// each position. The previous contents of `lists` are replaced. The [crate](crate) defines the order of a list.
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
    fn threats<'a>(self, positions: impl Into<Positions<'a>>, lists: &mut ThreatLists);

    /// Writes the inputs of every position from the perspectives of white and black: one list for each
    /// perspective, block by block, in the order that [`FeatureSet`] states. The previous contents of `lists` are
    /// replaced. All blocks of both perspectives are computed in one pass.
    ///
    /// `u16` is enough for sets with up to 65,536 inputs.
    ///
    /// # Errors
    /// At the first position where a side does not have exactly one king; `lists` then holds the positions before it.
    /// Before the first position, if the set has too many inputs for the type of the numbers.
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
    fn features<'a, N: InputNumber + Default>(
        self,
        set: &FeatureSet,
        positions: impl Into<Positions<'a>>,
        lists: &mut FeatureLists<N>,
    ) -> Result<(), FeatureError>;

    /// Like [`features`](Self::features), but from the perspectives of the side to move and of the other side.
    ///
    /// # Errors
    /// As there.
    ///
    /// # Panics
    /// As there; and if the positions do not say whose turn it is ([`Positions::with_turns`]).
    ///
    /// ```
    /// use setwise_nnue::{FeatureSet, KernelExt};
    /// use setwise::{Fen, Kernel, Lists, Positions};
    /// let fen = Fen::parse("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1")?;
    /// let (mut mover, mut other) = (Lists::<u32>::new(), Lists::<u32>::new());
    /// let set = &FeatureSet::HALFKA_HM;
    /// let (pieces, turns) = ([fen.pieces], [fen.turn]);
    /// let positions = Positions::from(&pieces).with_turns(&turns);
    /// Kernel::detect().features_by_turn(set, positions, [&mut mover, &mut other])?;
    /// // Black's own king on e8 is its e1: plane 10 of bucket 31; it is the last of its three pieces.
    /// assert_eq!(mover.get(0).and_then(|list| list.last().copied()), Some(31 * 768 + 10 * 64 + 4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    fn features_by_turn<'a, N: InputNumber + Default>(
        self,
        set: &FeatureSet,
        positions: impl Into<Positions<'a>>,
        lists: [&mut Lists<N>; 2],
    ) -> Result<(), FeatureError>;

    /// Like [`features`](Self::features), but in rows of a fixed width, as trainers expect them: row `i` of a
    /// perspective is `white[i * width..(i + 1) * width]`, with the inputs in the order of the lists, followed by -1.
    /// The inputs of a block follow those of the block before it without a gap.
    ///
    /// [`FeatureSet::row_width`] is the width that trainers use. No position has more inputs than
    /// [`FeatureSet::max_inputs`].
    ///
    /// # Errors
    /// At the first position where a side does not have exactly one king, or has more inputs than the width. The rows
    /// before it are filled; the contents of the other rows are unspecified.
    ///
    /// # Panics
    /// If a slice does not have `width` numbers for each position.
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
    fn feature_rows<'a>(
        self,
        set: &FeatureSet,
        positions: impl Into<Positions<'a>>,
        width: usize,
        inputs: ByColour<&mut [i32]>,
    ) -> Result<(), FeatureError>;

    /// Like [`feature_rows`](Self::feature_rows), but from the perspectives of the side to move and of the other side, as
    /// most trainers and engines want them.
    ///
    /// # Errors
    /// As there.
    ///
    /// # Panics
    /// As there; and if the positions do not say whose turn it is ([`Positions::with_turns`]).
    #[track_caller]
    fn feature_rows_by_turn<'a>(
        self,
        set: &FeatureSet,
        positions: impl Into<Positions<'a>>,
        width: usize,
        sides: [&mut [i32]; 2],
    ) -> Result<(), FeatureError>;
}

impl KernelExt for Kernel {
    #[track_caller]
    fn threats<'a>(self, positions: impl Into<Positions<'a>>, lists: &mut ThreatLists) {
        let positions = positions.into();
        lists.start(positions.len());
        let _no_error = self.run(OnBlocks(positions, ToThreats(lists)));
    }

    #[track_caller]
    fn features<'a, N: InputNumber + Default>(
        self,
        set: &FeatureSet,
        positions: impl Into<Positions<'a>>,
        lists: &mut FeatureLists<N>,
    ) -> Result<(), FeatureError> {
        let FeatureLists { white, black } = lists;
        write_lists(self, set, positions.into(), None, [white, black])
    }

    #[track_caller]
    fn features_by_turn<'a, N: InputNumber + Default>(
        self,
        set: &FeatureSet,
        positions: impl Into<Positions<'a>>,
        lists: [&mut Lists<N>; 2],
    ) -> Result<(), FeatureError> {
        let positions = positions.into();
        let turns = turns_of(&positions);
        write_lists(self, set, positions, Some(turns), lists)
    }

    #[track_caller]
    fn feature_rows<'a>(
        self,
        set: &FeatureSet,
        positions: impl Into<Positions<'a>>,
        width: usize,
        inputs: ByColour<&mut [i32]>,
    ) -> Result<(), FeatureError> {
        let ByColour { white, black } = inputs;
        write_rows(self, set, positions.into(), width, None, [("white", white), ("black", black)])
    }

    #[track_caller]
    fn feature_rows_by_turn<'a>(
        self,
        set: &FeatureSet,
        positions: impl Into<Positions<'a>>,
        width: usize,
        [mover, other]: [&mut [i32]; 2],
    ) -> Result<(), FeatureError> {
        let positions = positions.into();
        let turns = turns_of(&positions);
        write_rows(self, set, positions, width, Some(turns), [("mover", mover), ("other", other)])
    }
}

#[track_caller]
fn write_lists<N: InputNumber + Default>(
    kernel: Kernel,
    set: &FeatureSet,
    positions: Positions<'_>,
    turns: Option<&[Colour]>,
    mut lists: [&mut Lists<N>; 2],
) -> Result<(), FeatureError> {
    for lists in &mut lists {
        lists.start(positions.len());
    }
    if set.inputs() > N::INPUTS {
        return Err(FeatureError::Numbers { inputs: set.inputs() });
    }
    let to = ToLists { set, turns, lists, prepared: PreparedBlock::new(), stream: Stream::new() };
    kernel.run(OnBlocks(positions, to))
}

#[track_caller]
fn write_rows(
    kernel: Kernel,
    set: &FeatureSet,
    positions: Positions<'_>,
    width: usize,
    turns: Option<&[Colour]>,
    sides: [(&str, &mut [i32]); 2],
) -> Result<(), FeatureError> {
    let rows = positions.len();
    // A loop and not a closure, which would not know the caller.
    for (name, numbers) in &sides {
        assert!(
            rows.checked_mul(width) == Some(numbers.len()),
            "`{name}` has {} numbers, but {rows} rows of {width} are needed",
            numbers.len()
        );
    }
    let sides = sides.map(|(_, numbers)| numbers);
    let prepared = PreparedBlock::new();
    let to = ToRows { set, turns, width, sides, buffers: [[0; LARGE]; 2], prepared };
    kernel.run(OnBlocks(positions, to))
}

/// What to do with each block of positions.
///
/// A trait and not a closure: its one method can be `#[inline(always)]`, and so becomes part of the function that
/// enables the backend's instructions. (A closure was not inlined: 343 ns a position instead of 20.)
trait Each {
    /// Processes the positions that start at a row.
    fn block<E: Extractor>(&mut self, row: usize, block: &[Pieces]) -> Result<(), FeatureError>;
}

/// How many rows are processed together. A step should not read at once what the previous step has just written to
/// memory.
const BLOCK: usize = 16;

/// Each block of many positions, until an error.
struct OnBlocks<'a, T>(Positions<'a>, T);

impl<T: Each> Task for OnBlocks<'_, T> {
    type Output = Result<(), FeatureError>;

    #[inline(always)]
    fn run<L: Level>(self, level: L) -> Self::Output {
        by_level!(L, E => each::<E, L, T>(level, self.0, self.1))
    }
}

/// Columns and batches are converted to rows 64 at a time. If they were converted one row at a time, vectors would read
/// them right after words were written, and would wait until the words have reached the cache.
#[inline(always)]
fn each<E: Extractor, L: Level, T: Each>(
    _level: L,
    positions: Positions<'_>,
    mut each: T,
) -> Result<(), FeatureError> {
    let rows = positions.len();
    let mut scratch = [Pieces::EMPTY; MAX_BOARDS];
    let mut at = 0;
    while at < rows {
        let end = rows.min(at + MAX_BOARDS);
        for block in positions.as_rows::<L>(at..end, &mut scratch).chunks(BLOCK) {
            each.block::<E>(at, block)?;
            at += block.len();
        }
    }
    Ok(())
}

/// Lists of pairs.
struct ToThreats<'a>(&'a mut ThreatLists);

impl Each for ToThreats<'_> {
    #[inline(always)]
    fn block<E: Extractor>(&mut self, _row: usize, block: &[Pieces]) -> Result<(), FeatureError> {
        for pieces in block {
            let buffer = self.0.space(BUFFER).first_chunk_mut().expect("as long as requested");
            let count = E::pairs(Sets::of(pieces), buffer);
            self.0.push(count);
        }
        Ok(())
    }
}

/// Whose turn it is in each position.
#[track_caller]
fn turns_of<'a>(positions: &Positions<'a>) -> &'a [Colour] {
    let turns = positions.turns();
    turns.expect("these inputs need to know whose turn it is: `Positions::with_turns`")
}

/// What the inputs of a block of positions are made of.
struct PreparedBlock {
    prepared: [Prepared; BLOCK],
    /// The positions, if one of them has squares with two pieces.
    distinct: Option<[Pieces; BLOCK]>,
}

impl PreparedBlock {
    fn new() -> Self {
        Self { prepared: [const { Prepared::new() }; BLOCK], distinct: None }
    }

    /// Loads a block. An error belongs to the position after those that were loaded.
    #[inline(always)]
    fn list<E: Extractor>(
        &mut self,
        set: &FeatureSet,
        row: usize,
        block: &[Pieces],
    ) -> (usize, Result<(), FeatureError>) {
        self.check(block);
        for (at, pieces) in block.iter().enumerate() {
            let pieces = self.distinct.as_ref().map_or(pieces, |distinct| &distinct[at]);
            let squares = match king_squares(row + at, pieces) {
                Ok(squares) => squares,
                Err(error) => return (at, Err(error)),
            };
            self.prepared[at].list::<E>(set, pieces, squares);
        }
        (block.len(), Ok(()))
    }

    /// Looks for positions that have squares with two pieces.
    #[inline(always)]
    fn check(&mut self, block: &[Pieces]) {
        self.distinct = None;
        if !block.iter().all(Pieces::is_distinct) {
            self.clean(block);
        }
    }

    #[cold]
    #[inline(never)]
    fn clean(&mut self, block: &[Pieces]) {
        let distinct_block = self.distinct.insert([Pieces::EMPTY; BLOCK]);
        for (clean, pieces) in distinct_block.iter_mut().zip(block) {
            *clean = distinct(pieces);
        }
    }

    /// Writes the inputs of one position to the front of each buffer.
    #[inline(always)]
    fn inputs<E: Extractor, N: InputNumber + Default>(
        &self,
        set: &FeatureSet,
        block: &[Pieces],
        at: usize,
        buffers: [&mut [N]; 2],
    ) -> [usize; 2] {
        let pieces = self.distinct.as_ref().map_or(&block[at], |distinct| &distinct[at]);
        self.prepared[at].write::<E, N>(set, pieces, buffers)
    }
}

/// Where the kings of white and black stand in a position, no square of which holds two pieces.
#[inline(always)]
fn king_squares(row: usize, pieces: &Pieces) -> Result<[u8; 2], FeatureError> {
    let mut squares = [0; 2];
    for (square, colour) in squares.iter_mut().zip(Colour::ALL) {
        let kings = pieces.kings & pieces.colour(colour);
        let [1] = [kings.count_ones()] else {
            return Err(FeatureError::Kings { row, colour, kings: kings.count_ones() });
        };
        *square = kings.trailing_zeros() as u8;
    }
    Ok(squares)
}

struct ToLists<'a, 'b, N: InputNumber + Default> {
    set: &'a FeatureSet,
    /// If the lists are those of the side to move and of the other one.
    turns: Option<&'a [Colour]>,
    lists: [&'b mut Lists<N>; 2],
    prepared: PreparedBlock,
    stream: Stream,
}

impl<N: InputNumber + Default> ToLists<'_, '_, N> {
    /// The inputs of threats alone, of many positions together.
    #[inline(always)]
    fn stream<E: Extractor>(
        &mut self,
        tables: &Tables,
        row: usize,
        block: &[Pieces],
    ) -> Result<(), FeatureError> {
        let Self { set, lists: [white, black], prepared: PreparedBlock { distinct, .. }, .. } =
            self;
        let stream = &mut self.stream;
        let mut at = 0;
        while at < block.len() {
            let mut result = Ok(());
            let mut flips = [[0; 2]; POSITIONS];
            stream.clear();
            let first = at;
            while at < block.len() && stream.has_space() {
                let pieces = distinct.as_ref().map_or(&block[at], |distinct| &distinct[at]);
                let squares = match king_squares(row + at, pieces) {
                    Ok(squares) => squares,
                    Err(error) => {
                        result = Err(error);
                        break;
                    }
                };
                let [white, black] = squares;
                let views = [set.view(Colour::White, white), set.view(Colour::Black, black)];
                flips[at - first] = [views[0].flips[0], views[1].flips[0]];
                let count = E::pairs(tables.sets(pieces), stream.buffer());
                stream.push(count);
                at += 1;
            }
            // The vectors of the pairs have reached the cache by now.
            for (position, at) in (first..at).enumerate() {
                let pieces = distinct.as_ref().map_or(&block[at], |distinct| &distinct[at]);
                E::index(stream, position, pieces, flips[position]);
            }
            // Not each end from the one before, which has just been written.
            let starts = [white.items().len(), black.items().len()];
            let len = stream.len() + SLACK;
            E::number(stream, tables, [white.space(len), black.space(len)]);
            for position in 0..stream.positions() {
                let [of_white, of_black] = stream.end(position);
                white.push_end(starts[0] + of_white);
                black.push_end(starts[1] + of_black);
            }
            result?;
        }
        Ok(())
    }
}

impl<N: InputNumber + Default> Each for ToLists<'_, '_, N> {
    #[inline(always)]
    fn block<E: Extractor>(&mut self, row: usize, block: &[Pieces]) -> Result<(), FeatureError> {
        if E::STREAMS
            && self.turns.is_none()
            && let [Block::Threats(tables)] = self.set.used()
            && (size_of::<N>() == 2 || is_narrow(tables))
        {
            self.prepared.check(block);
            return self.stream::<E>(tables, row, block);
        }
        let (rows, result) = self.prepared.list::<E>(self.set, row, block);
        let [first, second] = &mut self.lists;
        let len = self.set.buffer_len();
        for at in 0..rows {
            let is_black = self.turns.is_some_and(|turns| turns[row + at] == Colour::Black);
            let mut buffers = [first.space(len), second.space(len)];
            if is_black {
                buffers.swap(0, 1);
            }
            let mut lens = self.prepared.inputs::<E, N>(self.set, block, at, buffers);
            if is_black {
                lens.swap(0, 1);
            }
            first.push(lens[0]);
            second.push(lens[1]);
        }
        result
    }
}

/// A column of the inputs of one side.
pub(crate) struct Side<'a> {
    pub(crate) set: &'a FeatureSet,
    pub(crate) lists: &'a mut Lists<u32>,
    pub(crate) validity: Option<&'a mut [bool]>,
}

/// Fills the columns of the inputs of white and black, together if both use the same feature set.
pub(crate) fn fill(
    kernel: Kernel,
    positions: Positions<'_>,
    [white, black]: [Option<Side<'_>>; 2],
) {
    match (white, black) {
        (Some(white), Some(black)) if !core::ptr::eq(white.set, black.set) => {
            fill_set(kernel, positions, white.set, [Some(white), None]);
            fill_set(kernel, positions, black.set, [None, Some(black)]);
        }
        (white, black) => {
            if let Some(set) = white.as_ref().or(black.as_ref()).map(|column| column.set) {
                fill_set(kernel, positions, set, [white, black]);
            }
        }
    }
}

fn fill_set(
    kernel: Kernel,
    positions: Positions<'_>,
    set: &FeatureSet,
    columns: [Option<Side<'_>>; 2],
) {
    // The lists of a side that is not requested stay empty.
    let wanted = columns.each_ref().map(Option::is_some);
    let (mut spare, mut lists, mut validity) =
        ([Lists::new(), Lists::new()], [None, None], [None, None]);
    for ((column, spare), (list, valid)) in
        columns.into_iter().zip(&mut spare).zip(lists.iter_mut().zip(&mut validity))
    {
        match column {
            Some(column) => {
                column.lists.start(positions.len());
                *list = Some(column.lists);
                *valid = column.validity;
            }
            None => *list = Some(spare),
        }
    }
    let [Some(white), Some(black)] = lists else { unreachable!("each side has lists") };
    let to =
        ToColumns { set, lists: [white, black], wanted, validity, prepared: PreparedBlock::new() };
    let _no_error = kernel.run(OnBlocks(positions, to));
}

/// Lists of both sides, empty where a position has no inputs.
struct ToColumns<'a, 'b> {
    set: &'a FeatureSet,
    lists: [&'b mut Lists<u32>; 2],
    wanted: [bool; 2],
    validity: [Option<&'b mut [bool]>; 2],
    prepared: PreparedBlock,
}

impl ToColumns<'_, '_> {
    /// Turns the first inputs in the buffers into lists of the requested sides.
    #[inline(always)]
    fn push(&mut self, row: usize, lengths: Option<[usize; 2]>) {
        for side in 0..2 {
            if self.wanted[side] {
                self.lists[side].push(lengths.map_or(0, |lengths| lengths[side]));
            }
            if let Some(validity) = &mut self.validity[side] {
                validity[row] = lengths.is_some();
            }
        }
    }
}

impl Each for ToColumns<'_, '_> {
    #[inline(always)]
    fn block<E: Extractor>(
        &mut self,
        mut row: usize,
        mut block: &[Pieces],
    ) -> Result<(), FeatureError> {
        while !block.is_empty() {
            let (rows, result) = self.prepared.list::<E>(self.set, row, block);
            for at in 0..rows {
                let [white, black] = &mut self.lists;
                let len = self.set.buffer_len();
                let buffers = [white.space(len), black.space(len)];
                let lengths = self.prepared.inputs::<E, u32>(self.set, block, at, buffers);
                self.push(row + at, Some(lengths));
            }
            (row, block) = (row + rows, &block[rows..]);
            if result.is_err() {
                self.push(row, None);
                (row, block) = (row + 1, &block[1..]);
            }
        }
        Ok(())
    }
}

/// Rows of numbers for both perspectives.
struct ToRows<'a, 'b> {
    set: &'a FeatureSet,
    /// If the rows are those of the side to move and of the other one.
    turns: Option<&'a [Colour]>,
    width: usize,
    sides: [&'b mut [i32]; 2],
    /// Holds the inputs of a position until they are known to fit.
    buffers: [[i32; LARGE]; 2],
    prepared: PreparedBlock,
}

impl Each for ToRows<'_, '_> {
    #[inline(always)]
    fn block<E: Extractor>(&mut self, row: usize, block: &[Pieces]) -> Result<(), FeatureError> {
        let (rows, result) = self.prepared.list::<E>(self.set, row, block);
        let width = self.width;
        for at in 0..rows {
            let [white_buffer, black_buffer] = &mut self.buffers;
            let buffers: [&mut [i32]; 2] = [white_buffer, black_buffer];
            let counts = self.prepared.inputs::<E, i32>(self.set, block, at, buffers);
            let row = row + at;
            let first = self.turns.map_or(Colour::White, |turns| turns[row]);
            for (colour, out) in [first, first.opponent()].into_iter().zip(&mut self.sides) {
                let (inputs, buffer) = (counts[colour as usize], &self.buffers[colour as usize]);
                if inputs > width {
                    return Err(FeatureError::Width { row, colour, inputs, width });
                }
                let (front, back) = out[row * width..][..width].split_at_mut(inputs);
                front.copy_from_slice(&buffer[..inputs]);
                back.fill(-1);
            }
        }
        result
    }
}
