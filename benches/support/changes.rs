//! The implementations of threat changes: the threats that a move adds and removes.
//!
//! The moves are from random legal games, played by cozy-chess, instead of the dataset's boards. Each pass uses
//! different moves, one per board of the dataset. An implementation appends its records to a buffer, as an engine does
//! on its stack of positions. Some implementations record a pair as both added and removed by a move, so the comparison
//! uses sums over added pairs minus sums over removed pairs.

use std::sync::LazyLock;

use cozy_chess::Board;
use setwise::Pieces;
use setwise_nnue::NnueKernel;
use setwise_nnue::position;
use setwise_nnue::{PairFilter, SquareChange, ThreatChange};

use crate::support::columns::AlignedColumn;
use crate::support::groups::{Group, Implementation};
use crate::support::inputs::{Dataset, Reads, from_cozy};
use crate::support::random::Random;
use crate::support::single;

/// A position in an engine's mailbox layout.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Codes([u8; 64]);

#[derive(Clone, Copy, Default)]
struct Changes {
    squares: [SquareChange; 4],
    count: usize,
}

impl Changes {
    #[inline(always)]
    fn as_slice(&self) -> &[SquareChange] {
        &self.squares[..self.count]
    }
}

/// Moves and the positions before them.
#[derive(Clone, Default)]
struct Moves {
    codes: Vec<Codes>,
    changes: Vec<Changes>,
}

impl Moves {
    fn push(&mut self, before: Pieces, after: Pieces) {
        let (old, new) = (before.codes(), after.codes());
        let mut changes = Changes::default();
        // Engines list the origin first: a square that becomes empty.
        let mut squares: Vec<u8> = (0..64_u8)
            .filter(|&square| old[usize::from(square)] != new[usize::from(square)])
            .collect();
        squares.sort_by_key(|&square| new[usize::from(square)] != 0);
        for square in squares {
            changes.squares[changes.count] = SquareChange::new(square, new[usize::from(square)]);
            changes.count += 1;
        }
        self.codes.push(Codes(old));
        self.changes.push(changes);
    }

    fn refill(&mut self, source: &Self, rows: core::ops::Range<usize>) {
        self.codes.clear();
        self.changes.clear();
        self.codes.extend_from_slice(&source.codes[rows.clone()]);
        self.changes.extend_from_slice(&source.changes[rows]);
    }
}

/// One move for each board of the largest dataset.
static MOVES: LazyLock<Moves> = LazyLock::new(|| {
    let mut random = Random::new(2023);
    let mut moves = Moves::default();
    while moves.codes.len() < 65_536 {
        let mut board = Board::default();
        for _ in 0..100 {
            let mut legal = Vec::new();
            board.generate_moves(|of_piece| {
                legal.extend(of_piece);
                false
            });
            if legal.is_empty() {
                break;
            }
            let before = from_cozy(&board);
            board.play(legal[random.below(legal.len())]);
            moves.push(before, from_cozy(&board));
        }
    }
    moves
});

/// The moves of a pass, and the records of all of them in order.
#[derive(Default)]
struct State {
    moves: Moves,
    /// The index of the next moves in [`MOVES`].
    next: usize,
    records: Vec<ThreatChange>,
    ends: Vec<usize>,
}

/// The sum of a hash over added pairs, minus that over removed pairs.
fn net(records: impl IntoIterator<Item = u32>) -> u64 {
    records.into_iter().fold(0, |sum: u64, record| {
        let pair = u64::from(record & !(1 << 31));
        let mixed = (pair + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = mixed ^ mixed >> 29;
        if record >> 31 == 1 { sum.wrapping_add(mixed) } else { sum.wrapping_sub(mixed) }
    })
}

/// An upper bound on the records of a move, plus those that vector stores write after the last.
const BUFFER: usize = 256;

/// An implementation that writes the changes of one move to the start of a buffer.
fn implementation(
    name: impl Into<String>,
    changes: impl Fn(&[u8; 64], &[SquareChange], &mut [ThreatChange]) -> usize + 'static,
) -> Implementation {
    let prepare = |state: &mut State, dataset: &Dataset| {
        let rows = dataset.len();
        if state.next + rows > MOVES.codes.len() {
            state.next = 0;
        }
        state.moves.refill(&MOVES, state.next..state.next + rows);
        state.next += rows;
        state.records.resize(40 * rows + BUFFER, ThreatChange::default());
    };
    let run = move |state: &mut State, _: &Dataset, _: &mut [AlignedColumn]| {
        let State { moves, records, ends, .. } = state;
        ends.clear();
        let mut end = 0;
        for (codes, squares) in moves.codes.iter().zip(&moves.changes) {
            let buffer = &mut records[end..end + BUFFER];
            end += changes(&codes.0, squares.as_slice(), buffer);
            ends.push(end);
        }
    };
    let collect = |state: &State, answers: &mut [AlignedColumn]| {
        let mut start = 0;
        for (&end, answer) in state.ends.iter().zip(answers[0].iter_mut()) {
            *answer = net(state.records[start..end].iter().map(|record| record.bits()));
            start = end;
        }
    };
    Implementation::with_state(name, 1, State::default(), prepare, run, collect)
}

/// The threats that a move changes.
pub fn group() -> Group {
    let mut implementations = Vec::new();
    #[cfg(target_arch = "x86_64")]
    {
        use crate::support::rivals::byteboard;
        use setwise::processor::Features;

        if Features::Avx2.is_available() {
            implementations.push(implementation("byteboard-avx2", |codes, changes, out| {
                // SAFETY: the processor has the features.
                unsafe { byteboard::avx2(codes, changes, out) }
            }));
        }
        if Features::Avx512Gfni.is_available() {
            implementations.push(implementation("byteboard-avx512", |codes, changes, out| {
                // SAFETY: the processor has the features.
                unsafe { byteboard::avx512(codes, changes, out) }
            }));
        }
    }
    implementations.push(implementation(single::built_in(), |codes, changes, out| {
        position::threat_changes(codes, changes, &PairFilter::ALL, out).expect("a large buffer")
    }));
    implementations.extend(single::kernels().map(|(name, kernel)| {
        implementation(name, move |codes, changes, out| {
            let position = NnueKernel::of(kernel);
            position.threat_changes(codes, changes, &PairFilter::ALL, out).expect("a large buffer")
        })
    }));
    // The group reads no columns of the dataset; `Sliders` refills the fewest columns.
    let (name, reads) = ("threat-changes", Reads::Sliders);
    Group { name, reads, columns: 1, per_board: 1, implementations }
}
