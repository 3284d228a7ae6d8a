//! Positions in columns and in rows, as the attack maps need them: some sets as boards, an eighth of a block at a time,
//! and some by ranks.

use super::{BISHOPS, BLACK, Columns, KINGS, KNIGHTS, PAWNS, QUEENS, ROOKS, WHITE};
use crate::boards::bytes::Bytes;
use crate::pieces::Pieces;

/// A block of positions in one of the memory layouts.
pub(super) trait Source<V> {
    /// Whether the ranks of a set can be had before all parts have been taken.
    const AT_ONCE: bool;

    /// Part `i` of eight of the boards: pawns, knights, kings, white and black.
    fn eighth(&mut self, i: usize) -> [V; 5];

    /// The ranks of a set.
    fn ranks(&self, set: usize) -> [V; 8];
}

/// Columns with the length of a block.
pub(super) struct InColumns<'a>(pub(super) [&'a [u64]; 8]);

impl<V: Bytes> Source<V> for InColumns<'_> {
    const AT_ONCE: bool = true;

    #[inline(always)]
    fn eighth(&mut self, i: usize) -> [V; 5] {
        let Self(columns) = self;
        [
            V::load_vector(&columns[PAWNS][V::eighth(i)]),
            V::load_vector(&columns[KNIGHTS][V::eighth(i)]),
            V::load_vector(&columns[KINGS][V::eighth(i)]),
            V::load_vector(&columns[WHITE][V::eighth(i)]),
            V::load_vector(&columns[BLACK][V::eighth(i)]),
        ]
    }

    #[inline(always)]
    fn ranks(&self, set: usize) -> [V; 8] {
        V::load(self.0[set])
    }
}

/// Rows, which are sorted when they are taken.
pub(super) struct InRows<'a, V> {
    pieces: &'a [Pieces],
    /// The next part.
    next: [V; 5],
    /// The sets that the sliders need, as [interleaved](Bytes::interleaved).
    sorted: &'a mut Columns<V>,
}

impl<'a, V: Bytes> InRows<'a, V> {
    /// Whether parts are sorted one ahead, so that the leapers do not wait for the sorting.
    const AHEAD: bool = V::REGISTERS >= 32;

    #[inline(always)]
    pub(super) fn new(pieces: &'a [Pieces], sorted: &'a mut Columns<V>) -> Self {
        let mut rows = Self { pieces, next: [V::splat(0); 5], sorted };
        if Self::AHEAD {
            rows.next = rows.sort(0);
        }
        rows
    }

    /// Sorts part `i`, and stores the sets that the sliders need.
    #[inline(always)]
    fn sort(&mut self, i: usize) -> [V; 5] {
        let [ab, cd, ef, gh] = V::pairs(&self.pieces[V::eighth(i)]);
        let [bishops, rooks] = V::interleaved(cd);
        let [queens, _] = V::interleaved(ef);
        let [white_ranks, black_ranks] = V::interleaved(gh);
        self.sorted[BISHOPS][i] = bishops;
        self.sorted[ROOKS][i] = rooks;
        self.sorted[QUEENS][i] = queens;
        self.sorted[WHITE][i] = white_ranks;
        self.sorted[BLACK][i] = black_ranks;
        let [pawns, knights] = V::boards(ab);
        let [_, kings] = V::boards(ef);
        let [white, black] = V::boards(gh);
        [pawns, knights, kings, white, black]
    }
}

impl<V: Bytes> Source<V> for InRows<'_, V> {
    const AT_ONCE: bool = false;

    #[inline(always)]
    fn eighth(&mut self, i: usize) -> [V; 5] {
        if !Self::AHEAD {
            return self.sort(i);
        }
        let next = self.next;
        if i < 7 {
            self.next = self.sort(i + 1);
        }
        next
    }

    #[inline(always)]
    fn ranks(&self, set: usize) -> [V; 8] {
        V::from_interleaved(self.sorted[set])
    }
}
