//! Many positions: lists of pairs and of inputs one after another, with offsets.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use super::positions::Positions;
use super::request::Buffer;
use super::state::RowState;
use crate::backend::Kernel;
use crate::boards::block::MAX_BOARDS;
use crate::columns::Kind;
use crate::columns::catalogue::catalogue;
use crate::pieces::{ByColour, Colour, Pieces};
use crate::position::{Instructions, Question, answer_by};
use crate::threats::features::{FeatureError, FeatureSet, InputNumber};
use crate::threats::pairs::{BUFFER, Sets, Threat, distinct, is_distinct, kings};

/// Lists of different lengths, one for each position: all items in one slice, and where each list begins.
///
/// This is the form that is called CSR, and in Arrow a list array. Cleared and filled again it keeps its
/// memory.
#[derive(Clone)]
pub struct Lists<T> {
    /// One more than there are lists.
    offsets: Vec<usize>,
    /// With room behind the last list, so that no call has to make its room anew.
    items: Vec<T>,
}

/// The pairs of many positions, as [`Kernel::threats`] gives them.
pub type ThreatLists = Lists<Threat>;

/// The inputs of many positions, as each side sees them: what [`Kernel::features`] gives.
pub type FeatureLists<N> = ByColour<Lists<N>>;

impl<T: Copy + Default> Lists<T> {
    /// No lists.
    #[must_use]
    pub fn new() -> Self {
        Self { offsets: vec![0], items: Vec::new() }
    }

    /// How many lists there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where each list begins in [`items`](Self::items), and where the last one ends: list `i` is
    /// `items()[offsets()[i]..offsets()[i + 1]]`.
    #[must_use]
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// All lists, one after another.
    #[must_use]
    pub fn items(&self) -> &[T] {
        &self.items[..self.end()]
    }

    /// One of the lists, if there are as many.
    ///
    /// ```
    /// use setwise::{Kernel, Pieces, ThreatLists};
    /// let mut lists = ThreatLists::new();
    /// Kernel::detect().threats(&[Pieces::START; 3], &mut lists);
    /// assert_eq!(lists.get(2).map(<[_]>::len), Some(40));
    /// assert_eq!(lists.get(3), None);
    /// ```
    #[must_use]
    pub fn get(&self, row: usize) -> Option<&[T]> {
        let end = *self.offsets.get(row.checked_add(1)?)?;
        Some(&self.items[self.offsets[row]..end])
    }

    /// The lists in turn.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> {
        self.offsets.windows(2).map(|ends| &self.items[ends[0]..ends[1]])
    }

    /// Removes all lists, and keeps their memory.
    pub fn clear(&mut self) {
        self.offsets.truncate(1);
    }

    /// Where the next list begins.
    #[inline(always)]
    fn end(&self) -> usize {
        self.offsets[self.offsets.len() - 1]
    }

    /// Room for the longest list behind the last.
    #[inline(always)]
    fn room(&mut self) -> &mut [T; BUFFER] {
        let end = self.end();
        if self.items.len() < end + BUFFER {
            self.grow(end + BUFFER);
        }
        let room = self.items[end..].first_chunk_mut();
        room.expect("there is room")
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, len: usize) {
        self.items.resize(len.max(2 * self.items.len()), T::default());
    }

    /// The first items of the [`room`](Self::room) become a list.
    #[inline(always)]
    fn push(&mut self, len: usize) {
        self.offsets.push(self.end() + len);
    }
}

impl<T> Lists<T> {
    /// The same with a function of every item, in the same memory if the items have the same size.
    fn map<U>(self, function: impl Fn(T) -> U) -> Lists<U> {
        let items = self.items.into_iter().map(function).collect();
        Lists { offsets: self.offsets, items }
    }
}

impl<T: Copy + Default> Default for Lists<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Copy + Default + fmt::Debug> fmt::Debug for Lists<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: Copy + Default + PartialEq> PartialEq for Lists<T> {
    fn eq(&self, other: &Self) -> bool {
        self.offsets == other.offsets && self.items() == other.items()
    }
}

impl<T: Copy + Default + Eq> Eq for Lists<T> {}

impl Kernel {
    /// For every position the pairs of a piece and an occupied square that it attacks: a list each, which
    /// replace what was in `lists`. The order of a list is stated in [`threats`](crate::threats).
    ///
    /// The lists grow as they must, and keep their memory from call to call.
    ///
    /// # Panics
    /// If the positions are batches that were made for another backend.
    ///
    /// ```
    /// use setwise::{Kernel, Pieces, ThreatLists};
    /// let positions = vec![Pieces::START; 1000];
    /// let mut lists = ThreatLists::new();
    /// Kernel::detect().threats(&positions, &mut lists);
    /// let offsets = lists.offsets();
    /// let last = &lists.items()[offsets[999]..offsets[1000]];
    /// assert!(last.iter().any(|threat| (threat.from(), threat.to()) == (1, 11))); // b1 defends d2
    /// ```
    #[track_caller]
    pub fn threats<'a>(self, positions: impl Into<Positions<'a>>, lists: &mut ThreatLists) {
        let positions = positions.into();
        positions.check(self);
        self.lists::<Threats>(positions, lists, None);
    }

    /// One column of lists.
    fn lists<L: PositionList>(
        self,
        positions: Positions<'_>,
        lists: &mut Lists<L::Item>,
        validity: Option<&mut [bool]>,
    ) {
        lists.clear();
        lists.offsets.reserve(positions.len());
        let to = ToPositionLists { lists, validity };
        let _no_error = answer_by::<BulkLists<L>, (Positions<'_>, ToPositionLists<'_, L>)>(
            self,
            (positions, to),
        );
    }

    /// For every position the inputs that a network has for its threats, as white and as black sees them:
    /// a list each, in the order of the pairs, which replace what was in `lists`. Both come from the same
    /// pairs, in one pass.
    ///
    /// `u16` is enough for sets with up to 65,536 inputs.
    ///
    /// # Errors
    /// At the first position where a side has not exactly one king; the lists then have the positions before
    /// it. Before the first position, if the set has too many inputs for the type of numbers.
    ///
    /// # Panics
    /// If the positions are batches that were made for another backend.
    ///
    /// ```
    /// use setwise::threats::FeatureSet;
    /// use setwise::{FeatureLists, Kernel, Pieces};
    /// let mut inputs = FeatureLists::<u16>::default();
    /// let set = &FeatureSet::STOCKFISH_2026_08;
    /// Kernel::detect().features(set, &[Pieces::START; 100], &mut inputs)?;
    /// let of_one = |inputs: &setwise::Lists<u16>| {
    ///     let mut of_one = inputs.get(99).expect("a hundred lists").to_vec();
    ///     of_one.sort_unstable();
    ///     of_one
    /// };
    /// assert_eq!(of_one(&inputs.white), of_one(&inputs.black)); // the start looks the same to both
    /// # Ok::<(), setwise::threats::FeatureError>(())
    /// ```
    #[track_caller]
    pub fn features<'a, N: InputNumber>(
        self,
        set: &FeatureSet,
        positions: impl Into<Positions<'a>>,
        lists: &mut FeatureLists<N>,
    ) -> Result<(), FeatureError> {
        let positions = positions.into();
        positions.check(self);
        let rows = positions.len();
        lists.white.clear();
        lists.black.clear();
        if set.inputs() > N::INPUTS {
            return Err(FeatureError::Numbers { inputs: set.inputs() });
        }
        lists.white.offsets.reserve(rows);
        lists.black.offsets.reserve(rows);
        answer_by::<BulkFeatures, (Positions<'_>, &FeatureSet, &mut FeatureLists<N>)>(
            self,
            (positions, set, lists),
        )
    }

    /// The same in rows of a stated width, as trainers take them: row `i` of a perspective is
    /// `white[i * width..(i + 1) * width]`, the inputs in the order of the pairs, and -1 behind them.
    ///
    /// Stockfish's trainer has rows of 128; no position has more inputs than [`MAX_THREATS`](crate::threats::MAX_THREATS).
    ///
    /// # Errors
    /// At the first position where a side has not exactly one king, or has more inputs than the width; the
    /// rows before it are filled, those from it on hold anything.
    ///
    /// # Panics
    /// If a slice has not `width` numbers for each position, or if the positions are batches that were made for
    /// another backend.
    ///
    /// ```
    /// use setwise::threats::FeatureSet;
    /// use setwise::{ByColour, Kernel, Pieces};
    /// let (mut white, mut black) = (vec![0; 100 * 128], vec![0; 100 * 128]);
    /// let set = &FeatureSet::STOCKFISH_2026_08;
    /// let rows = ByColour { white: &mut white[..], black: &mut black[..] };
    /// Kernel::detect().feature_rows(set, &[Pieces::START; 100], 128, rows)?;
    /// assert_eq!(white[127], -1);
    /// # Ok::<(), setwise::threats::FeatureError>(())
    /// ```
    #[track_caller]
    pub fn feature_rows<'a>(
        self,
        set: &FeatureSet,
        positions: impl Into<Positions<'a>>,
        width: usize,
        inputs: ByColour<&mut [i32]>,
    ) -> Result<(), FeatureError> {
        let ByColour { white, black } = inputs;
        let positions = positions.into();
        positions.check(self);
        let rows = positions.len();
        for (name, numbers) in [("white", white.len()), ("black", black.len())] {
            assert!(
                rows.checked_mul(width) == Some(numbers),
                "`{name}` has {numbers} numbers, but {rows} rows of {width} are asked for"
            );
        }
        let rows = Rows { width, white, black };
        answer_by::<FeatureRows, (Positions<'_>, &FeatureSet, Rows<'_>)>(
            self,
            (positions, set, rows),
        )
    }
}

/// What is done with each block of positions.
///
/// A trait and not a closure: its one method can be `#[inline(always)]`, and so becomes part of the function
/// that enables the backend's instructions. (As a closure it did not: 343 ns a position, where it is 20.)
trait Each {
    /// Does it with the positions from a row on.
    fn block<I: Instructions>(&mut self, row: usize, block: &[Pieces]) -> Result<(), FeatureError>;
}

/// How many rows are worked on together: what one step has written to memory, the next should not read at
/// once.
const BLOCK: usize = 16;

/// Does it with all positions, until an error.
///
/// Columns and batches become rows 64 at a time. One row at a time they would be read by vectors right after
/// they were written by words, and wait until the words have reached the cache.
#[inline(always)]
fn each<I: Instructions>(
    positions: Positions<'_>,
    mut each: impl Each,
) -> Result<(), FeatureError> {
    let rows = positions.len();
    let mut room = [Pieces::EMPTY; MAX_BOARDS];
    let mut at = 0;
    while at < rows {
        let end = rows.min(at + MAX_BOARDS);
        for block in positions.as_rows(at..end, &mut room).chunks(BLOCK) {
            each.block::<I>(at, block)?;
            at += block.len();
        }
    }
    Ok(())
}

/// A column of lists that is computed one position at a time.
trait PositionList {
    /// What a list has.
    type Item: Copy + Default;

    /// Writes a position's list to the front of a buffer and says how long it is; none if it has no answer.
    fn list<I: Instructions>(
        pieces: &Pieces,
        state: RowState<'_>,
        buffer: &mut [Self::Item; BUFFER],
    ) -> Option<usize>;
}

/// Writes a type for each list of the catalogue, and the choice among them.
macro_rules! position_lists {
    (
        boards $boards:tt
        to_move $to_move:tt
        numbers $number_names:tt $numbers:tt
        lists($pieces:ident, $state:ident, $buffer:ident) {$(
            $constant:ident $kind:ident: [$type:ty as $item:ty] [$($flag:ident)*] $name:literal, $meaning:literal
                = $list:expr;
        )*}
        features $features:tt
        whole $whole_names:tt $whole:tt
    ) => {
        $(
            struct $kind;

            impl PositionList for $kind {
                type Item = $item;

                #[inline(always)]
                #[allow(unused_variables, reason = "pieces are enough for some")]
                fn list<I: Instructions>(
                    $pieces: &Pieces,
                    $state: RowState<'_>,
                    $buffer: &mut [$item; BUFFER],
                ) -> Option<usize> {
                    $list
                }
            }
        )*

        /// Fills a column of lists, whose buffer was checked.
        pub(super) fn fill(
            kernel: Kernel,
            positions: Positions<'_>,
            kind: Kind,
            buffer: &mut Buffer<'_>,
            validity: Option<&mut [bool]>,
        ) {
            match kind {
                $(Kind::$kind => {
                    let lists = <$type as ListValue>::of(buffer);
                    // Items that are numbers with another name change their type in place and back.
                    let mut items = core::mem::take(lists).map(<$item as Packed<$type>>::unpack);
                    kernel.lists::<$kind>(positions, &mut items, validity);
                    *lists = items.map(<$item as Packed<$type>>::pack);
                })*
                _ => unreachable!("the column is of another section"),
            }
        }
    };
}

catalogue!(position_lists);

/// An item of lists, and the number that stands for it in a column.
trait Packed<T> {
    fn pack(self) -> T;
    fn unpack(number: T) -> Self;
}

impl<T> Packed<T> for T {
    fn pack(self) -> T {
        self
    }

    fn unpack(number: T) -> Self {
        number
    }
}

impl Packed<u16> for Threat {
    fn pack(self) -> u16 {
        self.bits()
    }

    fn unpack(bits: u16) -> Self {
        let [from, to] = bits.to_le_bytes();
        Self::of(from, to)
    }
}

/// A type of items, and how their lists are taken out of a buffer that was checked to have them.
trait ListValue: Sized {
    fn of<'a>(buffer: &'a mut Buffer<'_>) -> &'a mut Lists<Self>;
}

impl ListValue for u16 {
    fn of<'a>(buffer: &'a mut Buffer<'_>) -> &'a mut Lists<Self> {
        let Buffer::ListU16(lists) = buffer else { unreachable!("the type was checked") };
        lists
    }
}

#[allow(dead_code, reason = "all lists of the catalogue's section are of 16 bits")]
impl ListValue for u32 {
    fn of<'a>(buffer: &'a mut Buffer<'_>) -> &'a mut Lists<Self> {
        let Buffer::ListU32(lists) = buffer else { unreachable!("the type was checked") };
        lists
    }
}

/// The answer to a question about many positions: a list each.
struct BulkLists<L>(PhantomData<L>);

impl<'a, 'b, L: PositionList> Question<(Positions<'a>, ToPositionLists<'b, L>)> for BulkLists<L> {
    type Answer = Result<(), FeatureError>;

    #[inline(always)]
    fn run<I: Instructions>(
        (positions, to): (Positions<'a>, ToPositionLists<'b, L>),
    ) -> Result<(), FeatureError> {
        each::<I>(positions, (positions, to))
    }
}

struct ToPositionLists<'a, L: PositionList> {
    lists: &'a mut Lists<L::Item>,
    validity: Option<&'a mut [bool]>,
}

impl<L: PositionList> Each for (Positions<'_>, ToPositionLists<'_, L>) {
    #[inline(always)]
    fn block<I: Instructions>(&mut self, row: usize, block: &[Pieces]) -> Result<(), FeatureError> {
        let (positions, ToPositionLists { lists, validity }) = self;
        for (at, pieces) in block.iter().enumerate() {
            let row = row + at;
            let length =
                L::list::<I>(pieces, RowState { state: positions.state(), row }, lists.room());
            lists.push(length.unwrap_or(0));
            if let Some(validity) = validity {
                validity[row] = length.is_some();
            }
        }
        Ok(())
    }
}

/// The pairs of a block of positions, and what their inputs need besides.
struct Pairs {
    /// How many pairs each position has.
    counts: [usize; BLOCK],
    /// By which bits the squares change for white and for black.
    flips: [[u8; 2]; BLOCK],
    pairs: [[Threat; BUFFER]; BLOCK],
    /// The positions, if one of them has squares with two pieces.
    distinct: Option<[Pieces; BLOCK]>,
}

impl Pairs {
    fn new() -> Self {
        Self {
            counts: [0; BLOCK],
            flips: [[0; 2]; BLOCK],
            pairs: [[Threat::default(); BUFFER]; BLOCK],
            distinct: None,
        }
    }

    /// Takes a block in. An error is that of the position behind those that are in.
    #[inline(always)]
    fn list<I: Instructions>(
        &mut self,
        set: &FeatureSet,
        row: usize,
        block: &[Pieces],
    ) -> (usize, Result<(), FeatureError>) {
        self.distinct = None;
        if !block.iter().all(is_distinct) {
            self.clean(block);
        }
        for (at, pieces) in block.iter().enumerate() {
            for (side, colour) in Colour::ALL.into_iter().enumerate() {
                let kings = kings(pieces, colour);
                let [1] = [kings.count_ones()] else {
                    let row = row + at;
                    return (
                        at,
                        Err(FeatureError::Kings { row, colour, kings: kings.count_ones() }),
                    );
                };
                self.flips[at][side] = set.flip(colour, kings.trailing_zeros() as u8);
            }
            self.counts[at] = I::threat_pairs(Sets::of(pieces), &mut self.pairs[at]);
        }
        (block.len(), Ok(()))
    }

    #[cold]
    #[inline(never)]
    fn clean(&mut self, block: &[Pieces]) {
        let distinct_block = self.distinct.insert([Pieces::EMPTY; BLOCK]);
        for (clean, pieces) in distinct_block.iter_mut().zip(block) {
            *clean = distinct(pieces);
        }
    }

    /// The inputs of one of the positions, into the front of each room.
    #[inline(always)]
    fn inputs<I: Instructions, N: InputNumber>(
        &self,
        set: &FeatureSet,
        block: &[Pieces],
        at: usize,
        rooms: [&mut [N; BUFFER]; 2],
    ) -> [usize; 2] {
        let pieces = self.distinct.as_ref().map_or(&block[at], |distinct| &distinct[at]);
        let (pairs, count, flips) = (&self.pairs[at], self.counts[at], self.flips[at]);
        I::threat_inputs(pieces, pairs, count, &set.tables, flips, rooms)
    }
}

struct BulkFeatures;

impl<'a, 'b, 'c, N: InputNumber> Question<(Positions<'a>, &'b FeatureSet, &'c mut FeatureLists<N>)>
    for BulkFeatures
{
    type Answer = Result<(), FeatureError>;

    #[inline(always)]
    fn run<I: Instructions>(
        (positions, set, lists): (Positions<'a>, &'b FeatureSet, &'c mut FeatureLists<N>),
    ) -> Result<(), FeatureError> {
        each::<I>(positions, ToLists { set, lists, pairs: Pairs::new() })
    }
}

struct ToLists<'a, 'b, N: InputNumber> {
    set: &'a FeatureSet,
    lists: &'b mut FeatureLists<N>,
    pairs: Pairs,
}

impl<N: InputNumber> Each for ToLists<'_, '_, N> {
    #[inline(always)]
    fn block<I: Instructions>(&mut self, row: usize, block: &[Pieces]) -> Result<(), FeatureError> {
        let (rows, result) = self.pairs.list::<I>(self.set, row, block);
        let FeatureLists { white, black } = &mut *self.lists;
        for at in 0..rows {
            let rooms = [white.room(), black.room()];
            let [of_white, of_black] = self.pairs.inputs::<I, N>(self.set, block, at, rooms);
            white.push(of_white);
            black.push(of_black);
        }
        result
    }
}

/// A column of the inputs of one side.
pub(super) struct Features<'a> {
    pub(super) set: &'a FeatureSet,
    pub(super) lists: &'a mut Lists<u32>,
    pub(super) validity: Option<&'a mut [bool]>,
}

/// Fills the columns of the inputs of white and black, together if both are of one set.
pub(super) fn fill_features(
    kernel: Kernel,
    positions: Positions<'_>,
    [white, black]: [Option<Features<'_>>; 2],
) {
    match (white, black) {
        (Some(white), Some(black)) if !core::ptr::eq(white.set, black.set) => {
            features(kernel, positions, white.set, [Some(white), None]);
            features(kernel, positions, black.set, [None, Some(black)]);
        }
        (white, black) => {
            if let Some(set) = white.as_ref().or(black.as_ref()).map(|column| column.set) {
                features(kernel, positions, set, [white, black]);
            }
        }
    }
}

fn features(
    kernel: Kernel,
    positions: Positions<'_>,
    set: &FeatureSet,
    columns: [Option<Features<'_>>; 2],
) {
    // The lists of a side that nobody wants stay empty.
    let wanted = columns.each_ref().map(Option::is_some);
    let (mut spare, mut lists, mut validity) =
        ([Lists::new(), Lists::new()], [None, None], [None, None]);
    for ((column, spare), (list, valid)) in
        columns.into_iter().zip(&mut spare).zip(lists.iter_mut().zip(&mut validity))
    {
        match column {
            Some(column) => {
                column.lists.clear();
                column.lists.offsets.reserve(positions.len());
                *list = Some(column.lists);
                *valid = column.validity;
            }
            None => *list = Some(spare),
        }
    }
    let [Some(white), Some(black)] = lists else { unreachable!("each side has lists") };
    let to = ToColumns { set, lists: [white, black], wanted, validity, pairs: Pairs::new() };
    let _no_error =
        answer_by::<FeatureColumns, (Positions<'_>, ToColumns<'_, '_>)>(kernel, (positions, to));
}

struct FeatureColumns;

impl<'a, 'b, 'c> Question<(Positions<'a>, ToColumns<'b, 'c>)> for FeatureColumns {
    type Answer = Result<(), FeatureError>;

    #[inline(always)]
    fn run<I: Instructions>(
        (positions, to): (Positions<'a>, ToColumns<'b, 'c>),
    ) -> Result<(), FeatureError> {
        each::<I>(positions, to)
    }
}

/// Lists of both sides, empty where a position has no answer.
struct ToColumns<'a, 'b> {
    set: &'a FeatureSet,
    lists: [&'b mut Lists<u32>; 2],
    wanted: [bool; 2],
    validity: [Option<&'b mut [bool]>; 2],
    pairs: Pairs,
}

impl ToColumns<'_, '_> {
    /// The first inputs in the buffers become lists of the wanted sides.
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
    fn block<I: Instructions>(
        &mut self,
        mut row: usize,
        mut block: &[Pieces],
    ) -> Result<(), FeatureError> {
        while !block.is_empty() {
            let (rows, result) = self.pairs.list::<I>(self.set, row, block);
            for at in 0..rows {
                let [white, black] = &mut self.lists;
                let rooms = [white.room(), black.room()];
                let lengths = self.pairs.inputs::<I, u32>(self.set, block, at, rooms);
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
struct Rows<'a> {
    width: usize,
    white: &'a mut [i32],
    black: &'a mut [i32],
}

struct FeatureRows;

impl<'a, 'b, 'c> Question<(Positions<'a>, &'b FeatureSet, Rows<'c>)> for FeatureRows {
    type Answer = Result<(), FeatureError>;

    #[inline(always)]
    fn run<I: Instructions>(
        (positions, set, rows): (Positions<'a>, &'b FeatureSet, Rows<'c>),
    ) -> Result<(), FeatureError> {
        each::<I>(positions, ToRows { set, rows, rooms: [[0; BUFFER]; 2], pairs: Pairs::new() })
    }
}

struct ToRows<'a, 'b> {
    set: &'a FeatureSet,
    rows: Rows<'b>,
    /// Where a position's inputs are before they are known to be few enough.
    rooms: [[i32; BUFFER]; 2],
    pairs: Pairs,
}

impl Each for ToRows<'_, '_> {
    #[inline(always)]
    fn block<I: Instructions>(&mut self, row: usize, block: &[Pieces]) -> Result<(), FeatureError> {
        let (rows, result) = self.pairs.list::<I>(self.set, row, block);
        let Rows { width, white, black } = &mut self.rows;
        let width = *width;
        for at in 0..rows {
            let [white_room, black_room] = &mut self.rooms;
            let rooms = [white_room, black_room];
            let counts = self.pairs.inputs::<I, i32>(self.set, block, at, rooms);
            let row = row + at;
            for (side, out) in [&mut *white, &mut *black].into_iter().enumerate() {
                let (inputs, room) = (counts[side], &self.rooms[side]);
                if inputs > width {
                    let colour = Colour::ALL[side];
                    return Err(FeatureError::Width { row, colour, inputs, width });
                }
                let (front, back) = out[row * width..][..width].split_at_mut(inputs);
                front.copy_from_slice(&room[..inputs]);
                back.fill(-1);
            }
        }
        result
    }
}
