//! Loads and stores blocks of boards. The kernels of bulk calls are generic over [`Block`]. User code sees only
//! [`Boards`], so it can use only the algebra.

use crate::boards::{Boards, called};
use crate::pieces::Pieces;

/// The maximum number of boards in a block, over all backends.
pub const MAX_BOARDS: usize = 64;

/// Boards that bulk calls can load and store. Slices have exactly one element per board.
#[cfg_attr(not(feature = "std"), allow(dead_code, reason = "only `Batch` keeps boards sliced"))]
pub trait Block: Boards {
    /// Loads a board from each element, or stores one.
    fn load(boards: &[u64]) -> Self;
    fn store(self, boards: &mut [u64]);

    /// Like [`store`](Self::store), but bypasses the caches if the instructions allow it. Call [`fence`](super::bytes::fence)
    /// before sharing the slice.
    #[inline(always)]
    fn stream(self, boards: &mut [u64]) {
        self.store(boards);
    }

    /// Loads or stores boards in the layout of the registers.
    #[inline(always)]
    fn load_sliced(words: &[u64]) -> Self {
        Self::load(words)
    }

    #[inline(always)]
    fn store_sliced(self, words: &mut [u64]) {
        self.store(words);
    }

    /// Computes the union of the rays of at least one block of rows, from the columns of occupied squares, orthogonal
    /// and diagonal sliders.
    #[inline(always)]
    fn unions(columns: [&[u64]; 3], attacks: &mut [u64]) {
        unions::<Self>(columns, attacks);
    }

    fn load_pieces(pieces: &[Pieces]) -> Pieces<Self>;

    /// Stores a number in each element, or loads one.
    fn store_numbers(numbers: Self::Numbers, elements: &mut [i16]);
    fn load_numbers(elements: &[i16]) -> Self::Numbers;
}

/// [`Block::unions`], one block after the other.
#[inline(always)]
pub(super) fn unions<B: Block>([occupied, orthogonal, diagonal]: [&[u64]; 3], attacks: &mut [u64]) {
    let mut block = Some(0);
    while let Some(at) = block {
        let rows = at..at + B::COUNT;
        // Loaded in this order, one set after the other, to need fewer registers.
        let (occupied, diagonal) =
            (B::load(&occupied[rows.clone()]), B::load(&diagonal[rows.clone()]));
        let orthogonal = B::load(&orthogonal[rows.clone()]);
        B::slider_attacks(orthogonal, diagonal, occupied).store(&mut attacks[rows]);
        block = next(at, attacks.len(), B::COUNT);
    }
}

/// The start of the block of `count` rows after the one at `at`; `None` after the last. All blocks are full: the last one
/// ends with the last row, and overlaps the previous block if necessary.
#[inline(always)]
pub(crate) fn next(at: usize, rows: usize, count: usize) -> Option<usize> {
    let rest = rows - at - count;
    match rest {
        0 => None,
        _ if rest < count => Some(at + rest),
        _ => Some(at + count),
    }
}

// Called versions of the methods of the same names.
called! {
    pub(crate) fn load<'a, B: Block>(boards: &'a [u64]) -> B {
        B::load(boards)
    }

    pub(crate) fn store<'a, B: Block>(boards: &'a B, to: &'a mut [u64]) -> () {
        boards.store(to)
    }

    pub(crate) fn store_numbers<'a, B: Block>(
        numbers: B::Numbers,
        elements: &'a mut [i16],
    ) -> () {
        B::store_numbers(numbers, elements)
    }

    pub(crate) fn load_numbers<'a, B: Block>(elements: &'a [i16]) -> B::Numbers {
        B::load_numbers(elements)
    }
}

/// A block of positions in rows or in columns.
pub(crate) enum PositionBlock<'a> {
    Rows(&'a [Pieces]),
    Columns([&'a [u64]; 8]),
}

/// The requested columns of attack maps, white's eight and then black's in the order of the fields of `Attacks`, and
/// the row at which a block starts.
pub(crate) struct MapColumns<'a, 'b> {
    pub(crate) columns: &'b mut [Option<&'a mut [u64]>; 16],
    pub(crate) at: usize,
}

impl MapColumns<'_, '_> {
    #[inline(always)]
    pub(crate) fn wants(&self, side: usize, map: usize) -> bool {
        self.columns[8 * side + map].is_some()
    }

    /// The rows of a block in a side's map, if the map is requested.
    #[inline(always)]
    pub(crate) fn map(&mut self, side: usize, map: usize, rows: usize) -> Option<&mut [u64]> {
        rows_from(&mut self.columns[8 * side + map], self.at, rows)
    }

    /// The rows of a block in the maps of pawns, knights and kings, white's and then black's.
    #[inline(always)]
    pub(crate) fn of_leapers(&mut self, rows: usize) -> [[Option<&mut [u64]>; 3]; 2] {
        let at = self.at;
        let [a, b, _, _, _, c, _, _, d, e, _, _, _, f, _, _] = &mut self.columns;
        let white = [rows_from(a, at, rows), rows_from(b, at, rows), rows_from(c, at, rows)];
        let black = [rows_from(d, at, rows), rows_from(e, at, rows), rows_from(f, at, rows)];
        [white, black]
    }
}

#[inline(always)]
fn rows_from<'c>(
    column: &'c mut Option<&mut [u64]>,
    at: usize,
    rows: usize,
) -> Option<&'c mut [u64]> {
    match column {
        Some(column) => Some(&mut column[at..at + rows]),
        None => None,
    }
}
