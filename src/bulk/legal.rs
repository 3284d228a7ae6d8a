//! Columns of legal moves: planes, how many, and the status, of positions and their states.

use super::blocks::{FillBlock, FillBlocks, next};
use super::positions::Positions;
use super::request::Buffer;
use super::state::PaddedStates;
use crate::backend::Kernel;
use crate::boards::block::{Block, FromNumber, MAX_BOARDS, store_numbers};
use crate::boards::{Numbers, called};
use crate::columns::Kind;
use crate::dispatch::BlockTask;
use crate::legal::{self, MAX_GROUP, PLANES, PlaneSink, State};
use crate::pieces::Pieces;

/// A column that describes a position and its state by `COUNT` values.
trait StateColumn<const COUNT: usize> {
    /// The type of a value.
    type Value: Copy + Default;

    /// Computes the column for a block of positions, and stores every value.
    fn fill<B: Block>(position: &Pieces<B>, state: State<B>, out: &mut Out<'_, Self::Value>);

    /// Computes the column for at least one block.
    fn run(kernel: Kernel, positions: Positions<'_>, columns: Rows<'_, Self, COUNT>)
    where
        Self: Sized,
    {
        kernel.run_blocks(FillBlocks { positions, columns });
    }
}

/// Where a block's values go, and which rows have any.
struct Out<'a, T> {
    values: &'a mut [T],
    validity: Option<&'a mut [bool]>,
}

impl<T> Out<'_, T> {
    /// Marks the positions that have a value: those whose number is not 0. The column itself writes the zeros.
    #[inline(always)]
    fn valid<B: Block>(&mut self, numbers: B::Numbers) {
        let Some(validity) = &mut self.validity else { return };
        let mut valid = [0_i16; MAX_BOARDS];
        store_numbers::<B, _>(numbers, &mut valid[..B::COUNT]);
        for (row, valid) in validity.iter_mut().zip(valid) {
            *row = valid != 0;
        }
    }
}

impl<T: FromNumber> Out<'_, T> {
    /// Stores the number of each position; a negative one says that there is no answer, and becomes 0.
    #[inline(always)]
    fn numbers<B: Block>(&mut self, numbers: B::Numbers) {
        let (none, one) = (B::Numbers::splat(0), B::Numbers::splat(1));
        store_numbers::<B, _>(numbers.max(none), self.values);
        self.valid::<B>(numbers.if_less(none, none, one));
    }
}

struct LegalPlanes;

impl StateColumn<PLANES> for LegalPlanes {
    type Value = u64;

    #[inline(always)]
    fn fill<B: Block>(position: &Pieces<B>, state: State<B>, out: &mut Out<'_, u64>) {
        let mut sink = GroupsToRows { group: [B::empty(); MAX_GROUP], rows: out.values };
        let valid = legal::planes(position, state, &mut sink);
        out.valid::<B>((valid & 1).count());
    }
}

/// Planes on their way to rows: some at a time, so that these and the rows stay in the first cache.
struct GroupsToRows<'a, B> {
    group: [B; MAX_GROUP],
    /// Rows of planes, one for each board.
    rows: &'a mut [u64],
}

impl<B: Block> PlaneSink<B> for GroupsToRows<'_, B> {
    #[inline(always)]
    fn put(&mut self, index: usize, plane: B) {
        self.group[index] = plane;
    }

    #[inline(always)]
    fn finish(&mut self, first: usize, planes: usize) {
        store_group(&self.group[..planes], self.rows, first);
    }
}

called! {
    fn store_group<'a, B: Block>(planes: &'a [B], rows: &'a mut [u64], first: usize) -> () {
        B::store_rows(planes, rows, first)
    }
}

struct LegalCount;

impl StateColumn<1> for LegalCount {
    type Value = u16;

    #[inline(always)]
    fn fill<B: Block>(position: &Pieces<B>, state: State<B>, out: &mut Out<'_, u16>) {
        out.numbers::<B>(legal::count(position, state));
    }

    fn run(kernel: Kernel, positions: Positions<'_>, columns: Rows<'_, Self, 1>) {
        kernel.run_blocks(CountMoves { positions, columns });
    }
}

/// Counts moves block by block, in memory that is created once.
struct CountMoves<'a> {
    positions: Positions<'a>,
    columns: Rows<'a, LegalCount, 1>,
}

impl BlockTask for CountMoves<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Block>(self) {
        let Self { positions, columns: Rows { values, mut validity } } = self;
        let values = values.as_flattened_mut();
        let mut memory = B::memory();
        let mut block = Some(0);
        while let Some(at) = block {
            let (position, state) = (positions.load::<B>(at), positions.state().load::<B>(at));
            let known_valid = positions.state().valid;
            let rows = at..at + B::COUNT;
            let validity = validity.as_deref_mut().map(|valid| &mut valid[rows.clone()]);
            let mut out = Out { values: &mut values[rows], validity };
            let board = state.board();
            out.numbers::<B>(match B::count_moves(&position, board, known_valid, &mut memory) {
                Some(numbers) => numbers,
                None => legal::count(&position, state),
            });
            block = next::<B>(at, positions.len());
        }
    }
}

struct Status;

impl StateColumn<1> for Status {
    type Value = u8;

    #[inline(always)]
    fn fill<B: Block>(position: &Pieces<B>, state: State<B>, out: &mut Out<'_, u8>) {
        out.numbers::<B>(legal::status(position, state));
    }
}

/// The rows of a column.
struct Rows<'a, C: StateColumn<COUNT>, const COUNT: usize> {
    values: &'a mut [[C::Value; COUNT]],
    validity: Option<&'a mut [bool]>,
}

impl<C: StateColumn<COUNT>, const COUNT: usize> FillBlock for Rows<'_, C, COUNT> {
    #[inline(always)]
    fn fill<B: Block>(&mut self, positions: &Positions<'_>, at: usize) {
        let rows = at..at + B::COUNT;
        let position = positions.load::<B>(at);
        let state = positions.state().load::<B>(at);
        let values = self.values[rows.clone()].as_flattened_mut();
        let validity = self.validity.as_deref_mut().map(|valid| &mut valid[rows]);
        C::fill(&position, state, &mut Out { values, validity });
    }
}

/// Fills a column; its buffer has been checked.
pub(super) fn fill(
    kernel: Kernel,
    positions: Positions<'_>,
    kind: Kind,
    buffer: &mut Buffer<'_>,
    validity: Option<&mut [bool]>,
) {
    match (kind, buffer) {
        (Kind::LegalPlanes, Buffer::U64(values)) => {
            fill_column::<LegalPlanes, PLANES>(kernel, positions, values, validity);
        }
        (Kind::LegalCount, Buffer::U16(values)) => {
            fill_column::<LegalCount, 1>(kernel, positions, values, validity);
        }
        (Kind::Status, Buffer::U8(values)) => {
            fill_column::<Status, 1>(kernel, positions, values, validity);
        }
        _ => unreachable!("the column is of another section"),
    }
}

fn fill_column<C: StateColumn<COUNT>, const COUNT: usize>(
    kernel: Kernel,
    positions: Positions<'_>,
    values: &mut [C::Value],
    mut validity: Option<&mut [bool]>,
) {
    let block = kernel.backend().boards_per_block();
    let (rows, whole) = (positions.len(), positions.in_blocks(block));
    let (front, back) = values.as_chunks_mut().0.split_at_mut(whole);
    if whole > 0 {
        let validity = validity.as_deref_mut().map(|rows| &mut rows[..whole]);
        let columns = Rows::<C, COUNT> { values: front, validity };
        C::run(kernel, positions.rows(0..whole), columns);
    }
    if whole < rows {
        let (mut pieces, mut states) = ([Pieces::EMPTY; MAX_BOARDS], PaddedStates::new());
        let rest = positions.rows(whole..rows);
        let states = rest.state().padded(&mut states, block);
        let positions = rest.padded(&mut pieces, block).with_state(states);
        let (mut all, mut valid) =
            ([[C::Value::default(); COUNT]; MAX_BOARDS], [false; MAX_BOARDS]);
        let some = validity.is_some().then_some(&mut valid[..block]);
        let columns = Rows::<C, COUNT> { values: &mut all[..block], validity: some };
        C::run(kernel, positions, columns);
        back.copy_from_slice(&all[..back.len()]);
        if let Some(validity) = validity {
            validity[whole..].copy_from_slice(&valid[..rows - whole]);
        }
    }
}
