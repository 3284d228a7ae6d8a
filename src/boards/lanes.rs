//! Hyperbola quintessence with a board in each 64-bit lane of a vector of `wide`, and on single boards: the blocks of the
//! backends `lanes` and `scalar`, which check the other backends.

use wide::{u64x2, u64x4, u64x8};

use crate::boards::block::Block;
use crate::boards::hyperbola::{Hyperbola, Lanes};
use crate::boards::scalar::LaneNumbers;
use crate::pieces::Pieces;

macro_rules! lanes {
    ($($vector:ident $count:literal)*) => {$(
        impl Lanes<$count> for $vector {
            #[inline(always)]
            fn from_lanes(boards: [u64; $count]) -> Self {
                Self::new(boards)
            }

            #[inline(always)]
            fn to_lanes(self) -> [u64; $count] {
                self.to_array()
            }

            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self - other
            }
        }
    )*};
}

lanes!(u64x2 2 u64x4 4 u64x8 8);

impl<T: Lanes<COUNT>, const COUNT: usize> Block for Hyperbola<T, COUNT> {
    #[inline(always)]
    fn load(boards: &[u64]) -> Self {
        let mut lanes = [0; COUNT];
        lanes.copy_from_slice(boards);
        Self(T::from_lanes(lanes))
    }

    #[inline(always)]
    fn store(self, boards: &mut [u64]) {
        boards.copy_from_slice(&self.0.to_lanes());
    }

    #[inline(always)]
    fn load_pieces(pieces: &[Pieces]) -> Pieces<Self> {
        let mut columns = [[0; COUNT]; 8];
        for (row, pieces) in pieces[..COUNT].iter().enumerate() {
            for (column, set) in columns.iter_mut().zip(pieces.sets()) {
                column[row] = set;
            }
        }
        Pieces::from_sets(columns.map(|column| Self(T::from_lanes(column))))
    }

    #[inline(always)]
    fn store_numbers(numbers: Self::Numbers, elements: &mut [i16]) {
        elements.copy_from_slice(&numbers.0);
    }

    #[inline(always)]
    fn load_numbers(elements: &[i16]) -> Self::Numbers {
        let mut numbers = [0; COUNT];
        numbers.copy_from_slice(elements);
        LaneNumbers(numbers)
    }
}
