//! What a position is: colours, roles, and the pieces of each as sets of squares; and how to make one from
//! twelve sets, a mailbox, a list of pieces or a board of cozy-chess.

use core::fmt;
use core::ops::{BitAnd, BitOr, Index, IndexMut};

/// White or black.
#[doc(alias = "Color")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Colour {
    /// Moves up the board.
    White,
    /// Moves down the board.
    Black,
}

impl Colour {
    /// White, then black.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// The other side.
    ///
    /// ```
    /// assert_eq!(setwise::Colour::White.opponent(), setwise::Colour::Black);
    /// ```
    #[inline]
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// A value for each side, indexed by [`Colour`].
///
/// White's lies before black's in memory.
///
/// ```
/// use setwise::{ByColour, Colour};
/// let home_rank = ByColour { white: 1, black: 8 };
/// assert_eq!(home_rank[Colour::Black], 8);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias = "ByColor")]
#[repr(C)]
pub struct ByColour<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

impl<T> ByColour<T> {
    /// What a function gives for each side, white first.
    ///
    /// ```
    /// use setwise::{ByColour, Colour, Pieces, Role};
    /// let kings = ByColour::new(|colour| Pieces::START.of(colour, Role::King).trailing_zeros());
    /// assert_eq!(kings, ByColour { white: 4, black: 60 });
    /// ```
    #[inline(always)]
    pub fn new(mut value: impl FnMut(Colour) -> T) -> Self {
        Self { white: value(Colour::White), black: value(Colour::Black) }
    }
}

impl<T> Index<Colour> for ByColour<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, colour: Colour) -> &T {
        match colour {
            Colour::White => &self.white,
            Colour::Black => &self.black,
        }
    }
}

impl<T> IndexMut<Colour> for ByColour<T> {
    #[inline(always)]
    fn index_mut(&mut self, colour: Colour) -> &mut T {
        match colour {
            Colour::White => &mut self.white,
            Colour::Black => &mut self.black,
        }
    }
}

/// What a piece is.
#[doc(alias = "PieceType")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Attacks the two squares diagonally ahead.
    Pawn,
    /// Leaps two squares one way and one the other.
    Knight,
    /// Slides along diagonals.
    Bishop,
    /// Slides along ranks and files.
    Rook,
    /// Slides both ways.
    Queen,
    /// Steps one square in any direction.
    King,
}

impl Role {
    /// All six, from pawn to king.
    pub const ALL: [Self; 6] =
        [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];
}

/// The pieces of a position: a set for each role (of both colours) and a set for each colour (of all roles).
///
/// `Pieces` is one position: eight bitboards, 64 bytes. The same shape serves twice more: `Pieces<&[u64]>` is a
/// column for each set with a position per row, and `Pieces<B>` with `B: Boards` holds as many positions as `B`
/// holds boards.
///
/// A square in two colours counts in both; a square with a role and no colour, or a colour and no role, is
/// a blocker only if it has a colour: *occupied* is white or black. Any number of kings is fine. A square
/// in two roles is in the maps of both, but whoever counts pieces (`twice`, the bit planes) may count one or
/// two.
///
/// The fields lie in memory in the order in which they stand here; `Pieces` are 64 bytes, aligned to 64.
///
/// ```
/// use setwise::{Colour, Pieces, Role};
/// let start = Pieces::START;
/// assert_eq!(start.of(Colour::White, Role::King), 1 << 4);
/// assert_eq!(start.occupied().count_ones(), 32);
/// ```
///
/// From the boards of other crates take the eight getters; shakmaty has them all:
///
/// ```
/// # mod shakmaty {
/// #     #[derive(Clone, Copy)]
/// #     pub struct Bitboard(pub u64);
/// #     impl From<Bitboard> for u64 { fn from(set: Bitboard) -> u64 { set.0 } }
/// #     pub struct Board;
/// #     macro_rules! getters { ($($set:ident)*) => {
/// #         impl Board {
/// #             $(pub fn $set(&self) -> Bitboard { Bitboard(setwise::Pieces::START.$set) })*
/// #             pub fn by_color(&self, color: Color) -> Bitboard {
/// #                 match color { Color::White => self.white(), Color::Black => self.black() }
/// #             }
/// #             pub fn new() -> Self { Self }
/// #         }
/// #     } }
/// #     getters!(pawns knights bishops rooks queens kings white black);
/// #     pub enum Color { White, Black }
/// # }
/// use setwise::Pieces;
/// use shakmaty::{Board, Color};
///
/// fn pieces(board: &Board) -> Pieces {
///     Pieces {
///         pawns: board.pawns().into(),
///         knights: board.knights().into(),
///         bishops: board.bishops().into(),
///         rooks: board.rooks().into(),
///         queens: board.queens().into(),
///         kings: board.kings().into(),
///         white: board.by_color(Color::White).into(),
///         black: board.by_color(Color::Black).into(),
///     }
/// }
/// assert_eq!(pieces(&Board::new()), Pieces::START);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[repr(C, align(64))]
pub struct Pieces<T = u64> {
    /// Pawns of both colours.
    pub pawns: T,
    /// Knights of both colours.
    pub knights: T,
    /// Bishops of both colours.
    pub bishops: T,
    /// Rooks of both colours.
    pub rooks: T,
    /// Queens of both colours.
    pub queens: T,
    /// Kings of both colours.
    pub kings: T,
    /// All white pieces.
    pub white: T,
    /// All black pieces.
    pub black: T,
}

impl<T> Pieces<T> {
    /// The same function of every set.
    ///
    /// ```
    /// use setwise::Pieces;
    /// let counts = Pieces::START.map(u64::count_ones);
    /// assert_eq!((counts.pawns, counts.kings, counts.black), (16, 2, 16));
    /// ```
    #[inline(always)]
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> Pieces<U> {
        Pieces {
            pawns: f(self.pawns),
            knights: f(self.knights),
            bishops: f(self.bishops),
            rooks: f(self.rooks),
            queens: f(self.queens),
            kings: f(self.kings),
            white: f(self.white),
            black: f(self.black),
        }
    }

    /// Every set, borrowed.
    #[inline(always)]
    #[must_use]
    pub fn each_ref(&self) -> Pieces<&T> {
        Pieces {
            pawns: &self.pawns,
            knights: &self.knights,
            bishops: &self.bishops,
            rooks: &self.rooks,
            queens: &self.queens,
            kings: &self.kings,
            white: &self.white,
            black: &self.black,
        }
    }
}

impl<T: Copy> Pieces<T> {
    /// The pieces of a role, of both colours.
    #[inline(always)]
    #[must_use]
    pub fn role(&self, role: Role) -> T {
        match role {
            Role::Pawn => self.pawns,
            Role::Knight => self.knights,
            Role::Bishop => self.bishops,
            Role::Rook => self.rooks,
            Role::Queen => self.queens,
            Role::King => self.kings,
        }
    }

    /// All eight sets, in the order of the fields.
    #[inline(always)]
    #[must_use]
    pub fn sets(&self) -> [T; 8] {
        [
            self.pawns,
            self.knights,
            self.bishops,
            self.rooks,
            self.queens,
            self.kings,
            self.white,
            self.black,
        ]
    }

    /// The inverse of [`sets`](Self::sets).
    #[inline(always)]
    #[must_use]
    pub fn from_sets(sets: [T; 8]) -> Self {
        let [pawns, knights, bishops, rooks, queens, kings, white, black] = sets;
        Self { pawns, knights, bishops, rooks, queens, kings, white, black }
    }

    /// The pieces of a colour, of all roles.
    #[inline(always)]
    #[must_use]
    pub fn colour(&self, colour: Colour) -> T {
        match colour {
            Colour::White => self.white,
            Colour::Black => self.black,
        }
    }
}

impl<T: Copy + BitAnd<Output = T> + BitOr<Output = T>> Pieces<T> {
    /// The pieces of one role and one colour.
    #[inline(always)]
    #[must_use]
    pub fn of(&self, colour: Colour, role: Role) -> T {
        self.colour(colour) & self.role(role)
    }

    /// A side's sliders along ranks and files: rooks and queens.
    #[inline(always)]
    #[must_use]
    pub fn orthogonal(&self, colour: Colour) -> T {
        self.colour(colour) & (self.rooks | self.queens)
    }

    /// A side's sliders along diagonals: bishops and queens.
    #[inline(always)]
    #[must_use]
    pub fn diagonal(&self, colour: Colour) -> T {
        self.colour(colour) & (self.bishops | self.queens)
    }

    /// All pieces.
    #[inline(always)]
    #[must_use]
    pub fn occupied(&self) -> T {
        self.white | self.black
    }
}

impl Pieces<u64> {
    /// No pieces.
    pub const EMPTY: Self = Self {
        pawns: 0,
        knights: 0,
        bishops: 0,
        rooks: 0,
        queens: 0,
        kings: 0,
        white: 0,
        black: 0,
    };

    /// The usual start of a game.
    pub const START: Self = Self {
        pawns: 0x00ff_0000_0000_ff00,
        knights: 0x4200_0000_0000_0042,
        bishops: 0x2400_0000_0000_0024,
        rooks: 0x8100_0000_0000_0081,
        queens: 0x0800_0000_0000_0008,
        kings: 0x1000_0000_0000_0010,
        white: 0x0000_0000_0000_ffff,
        black: 0xffff_0000_0000_0000,
    };

    /// Puts a piece on a square (0 = a1, 63 = h8), in addition to what stands there.
    ///
    /// # Panics
    /// If `square` is above 63.
    ///
    /// ```
    /// use setwise::{Colour, Pieces, Role};
    /// let mut pieces = Pieces::EMPTY;
    /// pieces.put(Colour::Black, Role::Queen, 63);
    /// assert_eq!(pieces.of(Colour::Black, Role::Queen), 1 << 63);
    /// ```
    #[inline]
    #[track_caller]
    pub const fn put(&mut self, colour: Colour, role: Role, square: u8) {
        assert!(square < 64, "a square is 0 to 63");
        let bit = 1 << square;
        match role {
            Role::Pawn => self.pawns |= bit,
            Role::Knight => self.knights |= bit,
            Role::Bishop => self.bishops |= bit,
            Role::Rook => self.rooks |= bit,
            Role::Queen => self.queens |= bit,
            Role::King => self.kings |= bit,
        }
        match colour {
            Colour::White => self.white |= bit,
            Colour::Black => self.black |= bit,
        }
    }

    /// The piece on a square (0 = a1, 63 = h8), or none.
    ///
    /// # Panics
    /// If `square` is above 63.
    ///
    /// ```
    /// use setwise::{Colour, Pieces, Role};
    /// assert_eq!(Pieces::START.at(60), Some((Colour::Black, Role::King)));
    /// assert_eq!(Pieces::START.at(30), None);
    /// ```
    #[must_use]
    #[track_caller]
    pub fn at(&self, square: u8) -> Option<(Colour, Role)> {
        assert!(square < 64, "a square is 0 to 63");
        let holds = |set: u64| set >> square & 1 == 1;
        let colour = Colour::ALL.into_iter().find(|&c| holds(self.colour(c)))?;
        let role = Role::ALL.into_iter().find(|&r| holds(self.role(r)))?;
        Some((colour, role))
    }
}

impl Pieces<u64> {
    /// A position from twelve sets: white's and black's, in the order of [`Role::ALL`] (pawns, knights,
    /// bishops, rooks, queens, kings). About 18 operations.
    ///
    /// ```
    /// use setwise::{Colour, Pieces, Role};
    /// let white = [0xff00, 0x42, 0x24, 0x81, 0x08, 0x10];
    /// let black = white.map(u64::swap_bytes);
    /// assert_eq!(Pieces::from_bitboards([white, black]), Pieces::START);
    /// ```
    #[inline]
    #[must_use]
    pub const fn from_bitboards([white, black]: [[u64; 6]; 2]) -> Self {
        Self {
            pawns: white[0] | black[0],
            knights: white[1] | black[1],
            bishops: white[2] | black[2],
            rooks: white[3] | black[3],
            queens: white[4] | black[4],
            kings: white[5] | black[5],
            white: white[0] | white[1] | white[2] | white[3] | white[4] | white[5],
            black: black[0] | black[1] | black[2] | black[3] | black[4] | black[5],
        }
    }

    /// A position from the piece, if any, on each square from a1 to h8. A look at each square, some fifty
    /// nanoseconds.
    ///
    /// ```
    /// use setwise::{Colour, Pieces, Role};
    /// let mut mailbox = [None; 64];
    /// mailbox[4] = Some((Colour::White, Role::King));
    /// let pieces = Pieces::from_mailbox(&mailbox);
    /// assert_eq!(pieces.of(Colour::White, Role::King), 1 << 4);
    /// ```
    #[must_use]
    pub const fn from_mailbox(mailbox: &[Option<(Colour, Role)>; 64]) -> Self {
        let mut pieces = Self::EMPTY;
        let mut square = 0;
        while square < 64 {
            if let Some((colour, role)) = mailbox[square as usize] {
                pieces.put(colour, role, square);
            }
            square += 1;
        }
        pieces
    }
}

/// The sets by name, in hexadecimal.
///
/// ```
/// use setwise::Pieces;
/// assert!(format!("{:?}", Pieces::START).starts_with("Pieces { pawns: 0x00ff00000000ff00, knights: "));
/// ```
impl<T: fmt::Debug> fmt::Debug for Pieces<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct("Pieces");
        let sets = self.each_ref();
        for (name, set) in [
            ("pawns", sets.pawns),
            ("knights", sets.knights),
            ("bishops", sets.bishops),
            ("rooks", sets.rooks),
            ("queens", sets.queens),
            ("kings", sets.kings),
            ("white", sets.white),
            ("black", sets.black),
        ] {
            text.field(name, &format_args!("{set:#018x?}"));
        }
        text.finish()
    }
}

/// The board as text: rank 8 on top, `PNBRQK` for white pieces, `pnbrqk` for black pieces, `.` for empty squares.
///
/// ```
/// use setwise::Pieces;
/// let board = Pieces::START.to_string();
/// assert!(board.starts_with("8  r n b q k b n r\n7  p p p p p p p p\n6  . . . ."));
/// ```
impl fmt::Display for Pieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            write!(f, "{} ", rank + 1)?;
            for file in 0..8 {
                let letter = self.at(8 * rank + file).map_or(".", |(colour, role)| match colour {
                    Colour::White => ["P", "N", "B", "R", "Q", "K"][role as usize],
                    Colour::Black => ["p", "n", "b", "r", "q", "k"][role as usize],
                });
                write!(f, " {letter}")?;
            }
            f.write_str("\n")?;
        }
        f.write_str("\n   a b c d e f g h")
    }
}

/// A position from pieces on squares (0 = a1, 63 = h8), in any order.
///
/// # Panics
/// If a square is above 63.
///
/// ```
/// use setwise::{Colour, Pieces, Role};
/// let pieces = [(4, Colour::White, Role::King), (60, Colour::Black, Role::King)];
/// let pieces: Pieces = pieces.into_iter().collect();
/// assert_eq!(pieces.kings, 1 << 4 | 1 << 60);
/// ```
impl FromIterator<(u8, Colour, Role)> for Pieces {
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = (u8, Colour, Role)>>(list: I) -> Self {
        let mut pieces = Self::EMPTY;
        for (square, colour, role) in list {
            pieces.put(colour, role, square);
        }
        pieces
    }
}

/// With feature `cozy-chess`: boards, colours and roles of that crate. Its squares are numbered as ours, so
/// a set is `BitBoard(set)` one way and `bitboard.0` the other.
#[cfg(feature = "cozy-chess")]
mod cozy {
    use cozy_chess::{Board, Color, Piece};

    use crate::pieces::{Colour, Pieces, Role};

    /// The pieces of a board. Eight loads; with feature `cozy-chess`.
    ///
    /// ```
    /// use cozy_chess::{BitBoard, Board};
    /// use setwise::{position, Pieces};
    /// let pieces = Pieces::from(&Board::default());
    /// assert_eq!(pieces, Pieces::START);
    /// let attacks = position::attacks(&pieces);
    /// assert_eq!(BitBoard(attacks.white.pawn).len(), 8);
    /// ```
    impl From<&Board> for Pieces {
        #[inline]
        fn from(board: &Board) -> Self {
            Self {
                pawns: board.pieces(Piece::Pawn).0,
                knights: board.pieces(Piece::Knight).0,
                bishops: board.pieces(Piece::Bishop).0,
                rooks: board.pieces(Piece::Rook).0,
                queens: board.pieces(Piece::Queen).0,
                kings: board.pieces(Piece::King).0,
                white: board.colors(Color::White).0,
                black: board.colors(Color::Black).0,
            }
        }
    }

    /// The same colour; with feature `cozy-chess`.
    impl From<Color> for Colour {
        #[inline]
        fn from(color: Color) -> Self {
            match color {
                Color::White => Self::White,
                Color::Black => Self::Black,
            }
        }
    }

    /// The same colour; with feature `cozy-chess`.
    impl From<Colour> for Color {
        #[inline]
        fn from(colour: Colour) -> Self {
            match colour {
                Colour::White => Self::White,
                Colour::Black => Self::Black,
            }
        }
    }

    /// The same role; with feature `cozy-chess`.
    impl From<Piece> for Role {
        #[inline]
        fn from(piece: Piece) -> Self {
            Self::ALL[piece as usize]
        }
    }

    /// The same role; with feature `cozy-chess`.
    impl From<Role> for Piece {
        #[inline]
        fn from(role: Role) -> Self {
            Self::ALL[role as usize]
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn names_mean_the_same() {
            for (role, piece) in Role::ALL.into_iter().zip([
                Piece::Pawn,
                Piece::Knight,
                Piece::Bishop,
                Piece::Rook,
                Piece::Queen,
                Piece::King,
            ]) {
                assert_eq!((Piece::from(role), Role::from(piece)), (piece, role));
            }
            for colour in Colour::ALL {
                assert_eq!(Colour::from(Color::from(colour)), colour);
            }
            let board: Board = "4k3/8/8/8/8/8/1q6/4K3 b - - 0 1".parse().expect("a board");
            let pieces = Pieces::from(&board);
            assert_eq!(pieces.of(Color::Black.into(), Piece::Queen.into()), 1 << 9);
        }
    }
}
