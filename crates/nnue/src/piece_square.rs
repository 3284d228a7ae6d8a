//! Inputs of pieces on squares, which may depend on the square of the perspective's king.

use super::blocks::{PieceSquareInputs, SetError};
use super::slots::{Number, Output};

/// A block of piece-square inputs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PieceSquare {
    /// The plane of each piece by its [code](setwise::piece_code), or [`NONE`], for white and for black.
    pub(crate) planes: [[u8; 16]; 2],
    /// True if every piece has inputs.
    pub(crate) has_all: bool,
    /// The number of inputs of a bucket.
    bucket: u32,
    buckets: [u8; 64],
}

/// Marks a piece without inputs.
const NONE: u8 = u8::MAX;

impl PieceSquare {
    pub(crate) const fn new(table: &PieceSquareInputs) -> Result<Self, SetError> {
        let mut block =
            Self { planes: [[NONE; 16]; 2], has_all: true, bucket: 0, buckets: [0; 64] };
        let mut square = 0;
        while square < 64 {
            // The king is never seen on a square from which it would be mirrored.
            if table.mirror.flip(square) == 0 {
                block.buckets[square as usize] = table.buckets[square as usize];
            }
            square += 1;
        }
        let mut piece = 0;
        while piece < 12 {
            let (enemy, role) = (piece / 6, piece % 6);
            let plane = table.planes[enemy][role];
            if plane > 63 {
                return Err(SetError::Plane(plane));
            }
            if plane < 0 {
                block.has_all = false;
            } else {
                block.planes[0][8 * enemy + role + 1] = plane as u8;
                block.planes[1][8 * (1 - enemy) + role + 1] = plane as u8;
                let end = 64 * (plane as u32 + 1);
                block.bucket = if end > block.bucket { end } else { block.bucket };
            }
            piece += 1;
        }
        if block.bucket == 0 {
            return Err(SetError::NoPlanes);
        }
        Ok(block)
    }

    /// The number of inputs.
    pub(crate) const fn inputs(&self) -> u32 {
        let (mut buckets, mut square) = (0, 0);
        while square < 64 {
            let bucket = self.buckets[square] as u32 + 1;
            buckets = if bucket > buckets { bucket } else { buckets };
            square += 1;
        }
        buckets * self.bucket
    }

    /// The first input of the bucket of the king's square, as the king's side sees the board.
    pub(crate) const fn first(&self, king: u8) -> u32 {
        self.buckets[king as usize] as u32 * self.bucket
    }

    /// Returns the input of a piece on a square, relative to the first of the bucket, and whether the piece has inputs.
    #[inline(always)]
    pub(crate) fn input(&self, side: usize, code: u8, square: u8, flip: u8) -> (u32, bool) {
        let plane = self.planes[side & 1][usize::from(code & 15)];
        (64 * u32::from(plane) + u32::from(square ^ flip), plane != NONE)
    }

    /// Appends the inputs of both perspectives. `codes` has the code of each square; `pieces` are the squares with
    /// pieces.
    #[inline(always)]
    pub(crate) fn write<N: Number>(&self, codes: &[u8; 64], pieces: u64, out: &mut Output<'_, N>) {
        let mut left = pieces;
        while left != 0 {
            let square = left.trailing_zeros() as u8 & 63;
            left &= left - 1;
            let code = codes[usize::from(square)];
            for side in 0..2 {
                let (input, exists) = self.input(side, code, square, out.flips[side]);
                // Always written, but only counted if it exists.
                out.push(side, out.firsts[side].wrapping_add(input), exists);
            }
        }
    }
}

/// Squares: as a set, and as a list for vector code.
#[repr(C, align(64))]
pub(crate) struct SquareList {
    /// The squares in ascending order, followed by unspecified squares.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "others take the set"))]
    pub(crate) squares: [u8; SquareList::LEN],
    pub(crate) set: u64,
}

impl SquareList {
    /// 32 bytes may be loaded at the last square.
    const LEN: usize = 64 + 32;

    pub(crate) const fn new() -> Self {
        Self { set: 0, squares: [0; Self::LEN] }
    }
}
