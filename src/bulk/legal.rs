//! Columns of legal moves: planes, counts and status. They depend on positions and their states.

use super::blocks::{FillBlock, FillBlocks, next};
use super::positions::Positions;
use super::request::Buffer;
use crate::backend::Kernel;
use crate::boards::block::{Block, FromNumber, MAX_BOARDS, store_numbers};
use crate::boards::{Numbers, called};
use crate::columns::ColumnKind;
use crate::dispatch::{Level, Task};
use crate::legal::{self, MAX_GROUP, PLANES, PlaneSink, State};
use crate::pieces::Pieces;

/// The rows of a column with `COUNT` values per position, and their validity.
struct Rows<'a, T, const COUNT: usize> {
    values: &'a mut [[T; COUNT]],
    validity: Option<&'a mut [bool]>,
}

impl<T, const COUNT: usize> Rows<'_, T, COUNT> {
    /// Sets the validity of a block's rows: a position is valid if its number is not 0.
    #[inline(always)]
    fn valid<B: Block>(&mut self, at: usize, numbers: B::Numbers) {
        let Some(validity) = &mut self.validity else { return };
        let mut valid = [0_i16; MAX_BOARDS];
        store_numbers::<B, _>(numbers, &mut valid[..B::COUNT]);
        for (row, valid) in validity[at..at + B::COUNT].iter_mut().zip(valid) {
            *row = valid != 0;
        }
    }
}

impl<T: FromNumber> Rows<'_, T, 1> {
    /// Stores the number of each position. A negative number marks an invalid position and becomes 0.
    #[inline(always)]
    fn numbers<B: Block>(&mut self, at: usize, numbers: B::Numbers) {
        let (none, one) = (B::Numbers::splat(0), B::Numbers::splat(1));
        let values = self.values[at..at + B::COUNT].as_flattened_mut();
        store_numbers::<B, _>(numbers.max(none), values);
        self.valid::<B>(at, numbers.if_less(none, none, one));
    }
}

/// The column of planes.
struct LegalPlanes<'a>(Rows<'a, u64, PLANES>);

impl FillBlock for LegalPlanes<'_> {
    #[inline(always)]
    fn fill<B: Block>(&mut self, positions: &Positions<'_>, at: usize) {
        let position = positions.load::<B>(at);
        let state = positions.state().load::<B>(at);
        let rows = self.0.values[at..at + B::COUNT].as_flattened_mut();
        let mut sink = GroupsToRows { group: [B::empty(); MAX_GROUP], rows };
        let valid = legal::planes(&position, state, &mut sink);
        self.0.valid::<B>(at, (valid & 1).count());
    }
}

/// Collects planes in groups and stores each group in the rows, so that both stay in the L1 cache.
struct GroupsToRows<'a, B> {
    group: [B; MAX_GROUP],
    /// One row of planes per board.
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

/// Counts the legal moves of each position, or computes its status if `STATUS`. All blocks share one working memory.
struct CountMoves<'a, T, const STATUS: bool> {
    positions: Positions<'a>,
    rows: Rows<'a, T, 1>,
}

impl<T: FromNumber, const STATUS: bool> Task for CountMoves<'_, T, STATUS> {
    type Output = ();

    #[inline(always)]
    fn run<L: Level>(mut self, _level: L) {
        let mut memory = L::Block::memory();
        let mut block = Some(0);
        while let Some(at) = block {
            let position = self.positions.load::<L::Block>(at);
            let states = self.positions.state();
            let state = states.load::<L::Block>(at);
            let value = if <L::Block as Block>::COUNTS_MOVES {
                let board = state.board();
                let [moves, check] =
                    L::Block::count_moves(&position, &board, states.valid, &mut memory);
                if STATUS { status(moves, check) } else { moves }
            } else if STATUS {
                legal::status(&position, state)
            } else {
                legal::count(&position, state)
            };
            self.rows.numbers::<L::Block>(at, value);
            block = next::<L::Block>(at, self.positions.len());
        }
    }
}

/// The status, given the number of moves and whether the side to move is in check. An invalid position has -1 moves,
/// and its status is -1 too.
#[inline(always)]
fn status<N: Numbers>(moves: N, check: N) -> N {
    let (none, one) = (N::splat(0), N::splat(1));
    // Without a move: 2 in check, 3 otherwise.
    moves.if_less(none, moves, moves.if_less(one, one * 3 - check, check))
}

/// Fills a column whose buffer has been checked.
pub(super) fn fill(
    kernel: Kernel,
    positions: Positions<'_>,
    kind: ColumnKind,
    buffer: &mut Buffer<'_>,
    validity: Option<&mut [bool]>,
) {
    match (kind, buffer) {
        (ColumnKind::LegalPlanes, Buffer::U64(values)) => {
            fill_column(kernel, positions, values, validity, |positions, rows| {
                kernel.run_without_gfni(FillBlocks { positions, columns: LegalPlanes(rows) });
            });
        }
        (ColumnKind::LegalCount, Buffer::U16(values)) => {
            fill_column(kernel, positions, values, validity, |positions, rows| {
                kernel.run(CountMoves::<_, false> { positions, rows });
            });
        }
        (ColumnKind::Status, Buffer::U8(values)) => {
            fill_column(kernel, positions, values, validity, |positions, rows| {
                kernel.run(CountMoves::<_, true> { positions, rows });
            });
        }
        _ => unreachable!("the column is of another section"),
    }
}

/// Calls `run` with whole blocks of positions, then with a padded block for any remaining rows.
fn fill_column<T: Copy + Default, const COUNT: usize>(
    kernel: Kernel,
    positions: Positions<'_>,
    values: &mut [T],
    mut validity: Option<&mut [bool]>,
    run: impl Fn(Positions<'_>, Rows<'_, T, COUNT>),
) {
    let block = kernel.backend().boards_per_block();
    let (rows, in_blocks) = (positions.len(), positions.in_blocks(block));
    let (values, back) = values.as_chunks_mut().0.split_at_mut(in_blocks);
    if in_blocks > 0 {
        let validity = validity.as_deref_mut().map(|rows| &mut rows[..in_blocks]);
        run(positions.rows(0..in_blocks), Rows { values, validity });
    }
    if in_blocks < rows {
        let mut pieces = [Pieces::EMPTY; MAX_BOARDS];
        let mut states = [State::EMPTY; MAX_BOARDS];
        let rest = positions.rows(in_blocks..rows);
        for (row, state) in states[..rest.len()].iter_mut().enumerate() {
            *state = rest.state().row(row);
        }
        let positions = rest.padded(&mut pieces, block).with_states(&states[..block]);
        let (mut all, mut valid) = ([[T::default(); COUNT]; MAX_BOARDS], [false; MAX_BOARDS]);
        let some = validity.is_some().then_some(&mut valid[..block]);
        run(positions, Rows { values: &mut all[..block], validity: some });
        back.copy_from_slice(&all[..back.len()]);
        if let Some(validity) = validity {
            validity[in_blocks..].copy_from_slice(&valid[..rows - in_blocks]);
        }
    }
}
