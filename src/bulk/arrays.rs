//! Columns that are fixed-size lists of bitboards, computed one position at a time.

use core::marker::PhantomData;

use super::positions::Positions;
use crate::backend::Kernel;
use crate::columns::Kind;
use crate::columns::catalogue::catalogue;
use crate::dispatch::{Level, Task};
use crate::instructions::Instructions;
use crate::legal::State;
use crate::pieces::Pieces;

/// A fixed-size list that is computed one position at a time.
trait PositionArray<const COUNT: usize> {
    /// A position's list; none if it has no answer.
    fn array<I: Instructions>(pieces: &Pieces, state: State) -> Option<[u64; COUNT]>;
}

/// Computes a list for each of many positions.
struct BulkArrays<'a, A, const COUNT: usize> {
    positions: Positions<'a>,
    arrays: &'a mut [[u64; COUNT]],
    validity: Option<&'a mut [bool]>,
    array: PhantomData<A>,
}

impl<A: PositionArray<COUNT>, const COUNT: usize> Task for BulkArrays<'_, A, COUNT> {
    type Output = ();

    #[inline(always)]
    fn run<L: Level>(self, _level: L) {
        let Self { positions, arrays, mut validity, .. } = self;
        for (row, to) in arrays.iter_mut().enumerate() {
            let array = A::array::<L::Position>(&positions.get(row), positions.state().row(row));
            if let Some(validity) = &mut validity {
                validity[row] = array.is_some();
            }
            *to = array.unwrap_or([0; COUNT]);
        }
    }
}

/// Writes a type for each fixed-size list of the catalogue's section, and the choice among them.
macro_rules! position_arrays {
    (
        boards $boards:tt
        to_move $to_move:tt
        numbers $number_names:tt $numbers:tt
        lists $list_names:tt $lists:tt
        features $features:tt
        arrays($pieces:ident, $state:ident) {$(
            $constant:ident $kind:ident: [u64; $count:literal] [$($flag:ident)*] $name:literal, $meaning:literal
                = $array:expr;
        )*}
        whole $whole_names:tt $whole:tt
    ) => {
        $(
            struct $kind;

            impl PositionArray<$count> for $kind {
                #[inline(always)]
                fn array<I: Instructions>($pieces: &Pieces, $state: State) -> Option<[u64; $count]> {
                    $array
                }
            }
        )*

        /// Fills a column of fixed-size lists, whose buffer was checked.
        pub(super) fn fill(
            kernel: Kernel,
            positions: Positions<'_>,
            kind: Kind,
            values: &mut [u64],
            validity: Option<&mut [bool]>,
        ) {
            match kind {
                $(Kind::$kind => {
                    let (arrays, array) = (values.as_chunks_mut().0, PhantomData::<$kind>);
                    kernel.run(BulkArrays::<$kind, $count> { positions, arrays, validity, array });
                })*
                _ => unreachable!("the column is of another section"),
            }
        }
    };
}

catalogue!(position_arrays);
