//! Piece-square tables for terms: a value for each square, summed over a set.

use crate::boards::{Boards, called};

/// A value for each square. One call sums the values over a set of pieces, for any number of boards.
///
/// The table is stored as bit planes. A sum takes one population count (about 30 operations for sliced boards), and one
/// more for each bit of the range of the values: seven more for values from -40 to 60. Material costs nothing extra:
/// add the value of the piece to all 64 values.
///
/// ```
/// use setwise::PieceSquareTable;
/// let mut values = [320; 64];
/// values[27] += 30; // d4
/// let white = PieceSquareTable::new(&values);
/// let (b1, d4) = (1_u64 << 1, 1 << 27);
/// assert_eq!(i16::from(white.sum(b1 | d4)), 670);
/// assert_eq!(i16::from(white.flipped().sum(1_u64 << 35)), 350); // d5
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PieceSquareTable {
    least: i16,
    /// For each bit, the squares where the value minus the smallest value has that bit set.
    planes: [u64; 16],
}

impl PieceSquareTable {
    /// Creates a table from the values of the squares a1, b1 ... h8. Sums wrap modulo 2^16, like all
    /// [`Numbers`](crate::Numbers).
    #[must_use]
    pub const fn new(values: &[i16; 64]) -> Self {
        let mut least = values[0];
        let mut square = 1;
        while square < 64 {
            if values[square] < least {
                least = values[square];
            }
            square += 1;
        }
        let mut planes = [0; 16];
        square = 0;
        while square < 64 {
            let above = values[square].wrapping_sub(least).cast_unsigned();
            let mut bit = 0;
            while bit < 16 {
                planes[bit] |= ((above >> bit & 1) as u64) << square;
                bit += 1;
            }
            square += 1;
        }
        Self { least, planes }
    }

    /// The table for the other side, flipped vertically: a1 gets the value of a8.
    #[must_use]
    pub const fn flipped(&self) -> Self {
        let mut planes = self.planes;
        let mut bit = 0;
        while bit < 16 {
            planes[bit] = planes[bit].swap_bytes();
            bit += 1;
        }
        Self { least: self.least, planes }
    }

    /// The sum of the values on the squares of each set.
    #[inline(always)]
    #[must_use]
    pub fn sum<B: Boards>(&self, pieces: B) -> B::Numbers {
        sum(self, &pieces)
    }
}

called! {
    fn sum<'a, B: Boards>(table: &'a PieceSquareTable, pieces: &'a B) -> B::Numbers {
        let mut sum = pieces.count() * table.least;
        let mut bit = 0;
        while bit < 16 {
            // The table is the same for all boards, so they all take the same branch.
            if table.planes[bit] != 0 {
                sum += (*pieces & table.planes[bit]).count() * (1 << bit);
            }
            bit += 1;
        }
        sum
    }
}
