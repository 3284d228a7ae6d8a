//! Reads positions from columns or rows for the attack maps: some sets as boards, an eighth of a block at a time, and
//! some by ranks.

use crate::boards::bytes::Bytes;
use crate::pieces::Pieces;

/// The indices of the sets, in the order of a position's fields.
pub(super) const PAWNS: usize = 0;
pub(super) const KNIGHTS: usize = 1;
pub(super) const BISHOPS: usize = 2;
pub(super) const ROOKS: usize = 3;
pub(super) const QUEENS: usize = 4;
pub(super) const KINGS: usize = 5;
pub(super) const WHITE: usize = 6;
pub(super) const BLACK: usize = 7;

/// Boards of eight sets, in memory order.
pub(super) type SortedSets<V> = [[V; 8]; 8];

/// A block of positions in one of the memory layouts.
pub(super) trait Source<V> {
    /// True if the ranks of a set are available before all parts have been read.
    const AT_ONCE: bool;

    /// Eighth `i` of the boards: pawns, knights, kings, white and black.
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

/// Rows, which are sorted as they are read.
pub(super) struct InRows<'a, V> {
    pub(super) pieces: &'a [Pieces],
    /// The sets that the sliders need, as [interleaved](Bytes::interleaved).
    pub(super) sorted: &'a mut SortedSets<V>,
}

impl<V: Bytes> Source<V> for InRows<'_, V> {
    const AT_ONCE: bool = false;

    #[inline(always)]
    fn eighth(&mut self, i: usize) -> [V; 5] {
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

    #[inline(always)]
    fn ranks(&self, set: usize) -> [V; 8] {
        V::from_interleaved(self.sorted[set])
    }
}
