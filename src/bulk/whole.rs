//! Columns of a whole position and its state, of any fixed size: one or several bitboards or numbers per position.

use super::blocks::next;
use super::legal;
use super::out::Out;
use super::positions::Positions;
use super::request::Buffer;
use super::state::PaddedStates;
use crate::backend::Kernel;
use crate::boards::block::{Block, MAX_BOARDS};
use crate::columns::Kind;
use crate::columns::catalogue::catalogue;
use crate::dispatch::BlockTask;
use crate::legal::State;
use crate::pieces::Pieces;

/// A column of whole positions.
trait Whole: Sized {
    /// The type of a row.
    type Cell: Cell;

    /// Computes the column for a block of positions, and stores every value.
    fn fill<B: Block>(position: &Pieces<B>, state: State<B>, out: &mut Out<'_, ValueOf<Self>>);
}

/// A type of values, and how to take them out of a buffer that is known to hold them.
trait Value: Copy + Default {
    fn of<'a>(buffer: &'a mut Buffer<'_>) -> &'a mut [Self];
}

impl Value for u8 {
    fn of<'a>(buffer: &'a mut Buffer<'_>) -> &'a mut [Self] {
        let Buffer::U8(values) = buffer else { unreachable!("the type was checked") };
        values
    }
}

impl Value for u16 {
    fn of<'a>(buffer: &'a mut Buffer<'_>) -> &'a mut [Self] {
        let Buffer::U16(values) = buffer else { unreachable!("the type was checked") };
        values
    }
}

impl Value for u64 {
    fn of<'a>(buffer: &'a mut Buffer<'_>) -> &'a mut [Self] {
        let Buffer::U64(values) = buffer else { unreachable!("the type was checked") };
        values
    }
}

/// The types of the catalogue: one value, or a fixed number of them.
trait Cell {
    type Value: Value;

    /// How many values a position has.
    const COUNT: usize;

    /// Rows of a block.
    type Block;

    /// Rows of a block, of zeros.
    fn block() -> Self::Block;

    /// Their values.
    fn values(block: &mut Self::Block) -> &mut [Self::Value];
}

impl<T: Value> Cell for T {
    type Value = T;
    const COUNT: usize = 1;
    type Block = [T; MAX_BOARDS];

    fn block() -> Self::Block {
        [T::default(); MAX_BOARDS]
    }

    fn values(block: &mut Self::Block) -> &mut [T] {
        block
    }
}

impl<T: Value, const COUNT: usize> Cell for [T; COUNT] {
    type Value = T;
    const COUNT: usize = COUNT;
    type Block = [[T; COUNT]; MAX_BOARDS];

    fn block() -> Self::Block {
        [[T::default(); COUNT]; MAX_BOARDS]
    }

    fn values(block: &mut Self::Block) -> &mut [T] {
        block.as_flattened_mut()
    }
}

/// The type of a column's values.
type ValueOf<W> = <<W as Whole>::Cell as Cell>::Value;

/// Computes a column of whole positions for at least one block.
struct FillWhole<'a, 'b, W: Whole> {
    positions: Positions<'a>,
    values: &'b mut [ValueOf<W>],
    validity: Option<&'b mut [bool]>,
}

impl<W: Whole> BlockTask for FillWhole<'_, '_, W> {
    type Output = ();

    #[inline(always)]
    fn run<B: Block>(mut self) {
        let (rows, count) = (self.positions.len(), W::Cell::COUNT);
        let mut block = Some(0);
        while let Some(at) = block {
            let end = at + B::COUNT;
            let position = self.positions.load::<B>(at);
            let state = self.positions.state().load::<B>(at);
            let mut out = Out {
                values: &mut self.values[at * count..end * count],
                validity: self.validity.as_deref_mut().map(|rows| &mut rows[at..end]),
                count,
            };
            W::fill(&position, state, &mut out);
            block = next::<B>(at, rows);
        }
    }
}

/// Fills a column of whole positions.
fn fill_column<W: Whole>(
    kernel: Kernel,
    positions: Positions<'_>,
    values: &mut [ValueOf<W>],
    mut validity: Option<&mut [bool]>,
) {
    let block = kernel.backend().boards_per_block();
    let (rows, whole) = (positions.len(), positions.in_blocks(block));
    let (front, back) = values.split_at_mut(whole * W::Cell::COUNT);
    if whole > 0 {
        let validity = validity.as_deref_mut().map(|rows| &mut rows[..whole]);
        kernel.run_blocks(FillWhole::<W> {
            positions: positions.rows(0..whole),
            values: front,
            validity,
        });
    }
    if whole < rows {
        let (mut pieces, mut states) = ([Pieces::EMPTY; MAX_BOARDS], PaddedStates::new());
        let rest = positions.rows(whole..rows);
        let states = rest.state().padded(&mut states, block);
        let positions = rest.padded(&mut pieces, block).with_state(states);
        let (mut all, mut valid) = (W::Cell::block(), [false; MAX_BOARDS]);
        let all = &mut W::Cell::values(&mut all)[..block * W::Cell::COUNT];
        let some = validity.is_some().then_some(&mut valid[..block]);
        kernel.run_blocks(FillWhole::<W> { positions, values: all, validity: some });
        back.copy_from_slice(&all[..back.len()]);
        if let Some(validity) = validity {
            validity[whole..].copy_from_slice(&valid[..rows - whole]);
        }
    }
}

/// Generates a type for each column of whole positions, and the dispatch over them.
macro_rules! whole_columns {
    (
        boards $boards:tt
        to_move $to_move:tt
        numbers $number_names:tt $numbers:tt
        lists $list_names:tt $lists:tt
        features $features:tt
        arrays $array_names:tt $arrays:tt
        whole($position:ident, $state:ident, $out:ident) {$(
            $constant:ident $kind:ident: $type:ty [$($flag:ident)*] $name:literal, $meaning:literal = $fill:expr;
        )*}
    ) => {
        $(
            struct $kind;

            impl Whole for $kind {
                type Cell = $type;

                #[inline(always)]
                fn fill<B: Block>(
                    $position: &Pieces<B>,
                    $state: State<B>,
                    $out: &mut Out<'_, ValueOf<Self>>,
                ) {
                    $fill
                }
            }
        )*

        /// Fills a column of whole positions, whose buffer has been checked.
        pub(super) fn fill(
            kernel: Kernel,
            positions: Positions<'_>,
            kind: Kind,
            buffer: &mut Buffer<'_>,
            validity: Option<&mut [bool]>,
        ) {
            match kind {
                $(Kind::$kind => {
                    let values = Value::of(buffer);
                    fill_column::<$kind>(kernel, positions, values, validity);
                })*
                _ => unreachable!("the column is of another section"),
            }
        }
    };
}

catalogue!(whole_columns);

#[cfg(test)]
mod tests {
    use std::vec;
    use std::vec::Vec;

    use super::*;
    use crate::boards::Numbers;
    use crate::fen::Castling;
    use crate::pieces::Colour;

    /// As `[u64; 3]` in the catalogue: white's pieces, the state's board, and squares that black has and that board too.
    struct Boards;

    impl Whole for Boards {
        type Cell = [u64; 3];

        #[inline(always)]
        fn fill<B: Block>(position: &Pieces<B>, state: State<B>, out: &mut Out<'_, u64>) {
            let state = state.board();
            out.boards(2, position.black & state);
            out.boards(0, position.white);
            out.boards(1, state);
            out.valid::<B>(position.white.count());
        }
    }

    /// As `u8`: how many pieces white has.
    struct Count;

    impl Whole for Count {
        type Cell = u8;

        #[inline(always)]
        fn fill<B: Block>(position: &Pieces<B>, _: State<B>, out: &mut Out<'_, u8>) {
            out.numbers::<B>(0, position.white.count() + B::Numbers::splat(1));
        }
    }

    /// Every length, with and without rows that fill a block, from rows and from columns.
    #[test]
    fn fixed_size_lists_lie_row_by_row() {
        let word = |seed: u64| seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17);
        for rows in 0..=200_usize {
            let mut pieces = vec![Pieces::EMPTY; rows];
            for (row, pieces) in pieces.iter_mut().enumerate() {
                pieces.white = if row.is_multiple_of(7) { 0 } else { word(row as u64) };
                pieces.black = word(1000 + row as u64) & !pieces.white;
            }
            let turn =
                |row: usize| if row.is_multiple_of(3) { Colour::Black } else { Colour::White };
            let turns: Vec<Colour> = (0..rows).map(turn).collect();
            let castling: Vec<Castling> = (0..rows)
                .map(|row| Castling { white: row as u8, black: word(row as u64) as u8 })
                .collect();
            let en_passant: Vec<Option<u8>> =
                (0..rows).map(|row| (!row.is_multiple_of(5)).then_some(row as u8 % 70)).collect();
            let (mut boards, mut valid, mut counts) = (Vec::new(), Vec::new(), Vec::new());
            for row in 0..rows {
                let mut squares = match en_passant[row] {
                    Some(square @ (16..24 | 40..48)) => 1 << square,
                    _ => 0,
                };
                if turns[row] == Colour::Black {
                    squares |= 0xff00_0000;
                }
                squares |= u64::from_le_bytes([castling[row].white, 0, 0, 0, 0, 0, 0, 0]);
                squares |= u64::from_be_bytes([castling[row].black, 0, 0, 0, 0, 0, 0, 0]);
                boards.extend([pieces[row].white, squares, pieces[row].black & squares]);
                valid.push(pieces[row].white != 0);
                counts.push(pieces[row].white.count_ones() as u8 + 1);
            }
            let columns: Pieces<Vec<u64>> = Pieces::from_sets([0, 1, 2, 3, 4, 5, 6, 7])
                .map(|set: usize| pieces.iter().map(|pieces| pieces.sets()[set]).collect());
            for kernel in Kernel::available() {
                let backend = kernel.backend();
                let forms = [
                    Positions::from(&pieces[..]),
                    Positions::from(columns.each_ref().map(|column| &column[..])),
                ];
                for positions in forms {
                    let positions = positions.with_turns(&turns).with_castling(&castling);
                    let positions = positions.with_en_passant(&en_passant);
                    let (mut got, mut got_valid) =
                        (vec![!0; 3 * rows], vec![rows.is_multiple_of(2); rows]);
                    fill_column::<Boards>(kernel, positions, &mut got, Some(&mut got_valid));
                    assert_eq!(got, boards, "{rows} rows by {backend}");
                    assert_eq!(got_valid, valid, "{rows} rows by {backend}");
                    let mut got = vec![0; rows];
                    fill_column::<Count>(kernel, positions, &mut got, None);
                    assert_eq!(got, counts, "{rows} rows by {backend}");
                }
            }
        }
    }
}
