//! Piece codes: a mailbox with one byte per square, as engines keep it.

use super::names::{Colour, Role};
use super::sets::Pieces;

/// The byte that represents a piece in a mailbox of codes: 1 to 6 for white's pawn, knight, bishop, rook, queen and
/// king, 9 to 14 for black's.
///
/// An empty square is 0. 7 is a blocker that can be attacked but attacks nothing: a square of [`Pieces`] that has a
/// colour and no role.
#[inline(always)]
#[must_use]
pub const fn piece_code(colour: Colour, role: Role) -> u8 {
    8 * colour as u8 + role as u8 + 1
}

/// The meaning of an engine's own piece codes. [`position::codes`](fn@crate::position::codes) uses it to read the
/// engine's mailbox.
///
/// ```
/// use setwise::{CodeMap, Pieces, position};
/// /// The colour in the lowest bit, 12 for an empty square.
/// const MAP: CodeMap = CodeMap::new([[0, 2, 4, 6, 8, 10], [1, 3, 5, 7, 9, 11]]);
/// let mut mailbox = [12; 64];
/// (mailbox[4], mailbox[52], mailbox[60]) = (10, 1, 11);
/// let pieces = Pieces { kings: 1 << 4 | 1 << 60, pawns: 1 << 52, white: 1 << 4, black: 1 << 52 | 1 << 60, ..Pieces::EMPTY };
/// assert_eq!(position::codes(&MAP, &mailbox), pieces.codes());
/// assert_eq!(MAP.code(11), 14); // for a changed square
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C, align(16))]
pub struct CodeMap {
    pub(crate) codes: [u8; 16],
}

impl CodeMap {
    /// Creates a map from the bytes, 0 to 15, for white's pawn, knight, bishop, rook, queen and king, and those for
    /// black's. Every other byte means an empty square.
    ///
    /// # Panics
    /// If a byte is above 15 or used twice. In a `const`, this is an error at compile time.
    #[must_use]
    #[track_caller]
    pub const fn new(pieces: [[u8; 6]; 2]) -> Self {
        let (mut codes, mut i) = ([0; 16], 0);
        while i < 12 {
            let (colour, role) = (i / 6, i % 6);
            let byte = pieces[colour][role] as usize;
            assert!(byte < 16 && codes[byte] == 0, "each piece has a byte of its own, 0 to 15");
            codes[byte] = (8 * colour + role + 1) as u8;
            i += 1;
        }
        Self { codes }
    }

    /// Creates a map from the [code](piece_code) of each byte from 0 to 15, as [`code`](Self::code) returns them. The
    /// codes are not checked: results for a mailbox with invalid codes are unspecified.
    #[must_use]
    pub const fn from_codes(codes: [u8; 16]) -> Self {
        Self { codes }
    }

    /// The [code](piece_code) of a byte, 0 for an empty square. The code of a byte above 15 is unspecified.
    #[inline(always)]
    #[must_use]
    pub const fn code(&self, byte: u8) -> u8 {
        self.codes[(byte & 15) as usize]
    }
}

impl Pieces<u64> {
    /// The [code](piece_code) of each square from a1 to h8, 0 for an empty one. About 130 operations.
    ///
    /// A square with several roles or with both colours has the code of the piece that [`at`](Self::at) returns.
    ///
    /// ```
    /// use setwise::Pieces;
    /// let codes = Pieces::START.codes();
    /// assert_eq!(codes[..8], [4, 2, 3, 5, 6, 3, 2, 4]);
    /// assert_eq!(codes[48..56], [9; 8]);
    /// assert_eq!(codes[16..48], [0; 32]);
    /// ```
    #[inline]
    #[must_use]
    pub fn codes(&self) -> [u8; 64] {
        let planes = self.planes_of_codes();
        let mut codes = [0; 64];
        for (rank, codes) in codes.chunks_exact_mut(8).enumerate() {
            let mut eight = 0;
            for (bit, plane) in planes.iter().enumerate() {
                // Select bit `i` in byte `i`, then move it to the lowest bit.
                let bits = (plane >> (8 * rank) & 0xff) * 0x0101_0101_0101_0101;
                let bits = (bits & 0x8040_2010_0804_0201) + 0x7f7f_7f7f_7f7f_7f7f;
                eight |= (bits >> 7 & 0x0101_0101_0101_0101) << bit;
            }
            codes.copy_from_slice(&eight.to_le_bytes());
        }
        codes
    }

    /// Returns whether every square has at most one role and one colour.
    #[inline(always)]
    #[must_use]
    pub fn is_distinct(&self) -> bool {
        let &Self { pawns, knights, bishops, rooks, queens, kings, white, black } = self;
        let (minor, major) = (knights | bishops, rooks | queens);
        let twice = (knights & bishops)
            | (rooks & queens)
            | (minor & major)
            | (pawns & kings)
            | ((pawns | kings) & (minor | major))
            | (white & black);
        twice == 0
    }

    /// The four bits of the squares' codes, one set per bit.
    #[inline(always)]
    fn planes_of_codes(&self) -> [u64; 4] {
        let occupied = self.occupied();
        // Of several roles the first counts.
        let mut left = occupied;
        let mut first = |set: u64| {
            let of = set & left;
            left &= !set;
            of
        };
        let (pawns, knights, bishops) =
            (first(self.pawns), first(self.knights), first(self.bishops));
        let (rooks, queens, kings) = (first(self.rooks), first(self.queens), first(self.kings));
        // The remaining squares have no role: all three bits.
        [
            pawns | bishops | queens | left,
            knights | bishops | kings | left,
            rooks | queens | kings | left,
            occupied & !self.white & !left,
        ]
    }
}
