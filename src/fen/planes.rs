//! A position as bit planes of its roles, and their conversion to sets.

use crate::pieces::Pieces;

/// The role on each square, counted from 1, as three bit planes, highest first; and the white pieces. A role of 7 means
/// no piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Planes(pub(super) [u64; 4]);

impl Planes {
    /// Makes planes from one byte per square, with role and white in its upper four bits. The bytes are in the order of
    /// a FEN, rank 8 first, and after the eight of each rank comes one that is ignored.
    #[inline(always)]
    pub(super) fn of_cells(cells: &[u8; 72]) -> Self {
        let ranks = ranks(cells);
        Self(core::array::from_fn(|plane| {
            (0..8).fold(0, |all, rank| {
                let bits = ranks[rank] >> (7 - plane) & 0x0101_0101_0101_0101;
                // Byte i has its bit at 8i, and one bit of the factor moves it to 56 + i.
                all | bits.wrapping_mul(0x0102_0408_1020_4080) >> 56 << (8 * rank)
            })
        }))
    }

    #[inline(always)]
    pub(super) fn role_7(self) -> u64 {
        let Self([c, b, a, _]) = self;
        a & b & c
    }

    #[inline(always)]
    pub(super) fn rooks(self) -> u64 {
        let Self([c, b, a, _]) = self;
        c & !a & !b
    }

    #[inline(always)]
    pub(super) fn white(self) -> u64 {
        self.0[3]
    }

    /// The pieces, if no square has role 7.
    #[inline(always)]
    pub(super) fn pieces(self) -> Pieces {
        let Self([c, b, a, white]) = self;
        Pieces {
            pawns: a & !b & !c,
            knights: b & !a & !c,
            bishops: a & b,
            rooks: self.rooks(),
            queens: a & c,
            kings: b & c,
            white,
            black: (a | b | c) & !white,
        }
    }
}

/// The bytes of each rank, rank 1 first, with the a-file in the lowest byte.
#[inline(always)]
fn ranks(cells: &[u8; 72]) -> [u64; 8] {
    let (rows, _) = cells.as_chunks::<9>();
    core::array::from_fn(|rank| {
        let [files @ .., _] = rows[7 - rank];
        u64::from_le_bytes(files)
    })
}
