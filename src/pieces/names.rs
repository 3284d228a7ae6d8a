//! Colours and roles.

use core::ops::{Index, IndexMut, Not};

use crate::names::named;

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
    #[inline]
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl Not for Colour {
    type Output = Self;

    /// The other side: [`opponent`](Self::opponent).
    ///
    /// ```
    /// assert_eq!(!setwise::Colour::White, setwise::Colour::Black);
    /// ```
    #[inline]
    fn not(self) -> Self {
        self.opponent()
    }
}

named! {
    /// `white` or `black`. [`Display`](core::fmt::Display) writes the name, and [`FromStr`](core::str::FromStr) reads
    /// it.
    Colour, "colour":
    "white" "black"
}

/// A value for each side, indexed by [`Colour`].
///
/// White's value is stored before black's.
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
    /// White's value.
    pub white: T,
    /// Black's value.
    pub black: T,
}

impl<T> ByColour<T> {
    /// Calls a function for each side, white first.
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

/// The role of a piece.
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
    /// Slides along ranks, files and diagonals.
    Queen,
    /// Steps one square in any direction.
    King,
}

impl Role {
    /// All six roles, from pawn to king.
    pub const ALL: [Self; 6] =
        [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];
}

named! {
    /// The name of the role, such as `knight`. [`Display`](core::fmt::Display) writes it, and
    /// [`FromStr`](core::str::FromStr) reads it.
    ///
    /// ```
    /// use setwise::Role;
    /// assert_eq!("knight".parse(), Ok(Role::Knight));
    /// assert!("Knight".parse::<Role>().is_err());
    /// ```
    Role, "role":
    "pawn" "knight" "bishop" "rook" "queen" "king"
}
