//! One position, or many in the same shape: six sets by role and two by colour.

use core::ops::{BitAnd, BitOr};

/// White or black.
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

/// What a man is.
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

/// The men of a position: a set for each role (of both colours) and a set for each colour (of all roles).
///
/// The same shape serves three times: [`Pieces`] (`T = u64`) is one position, `Position<&[u64]>` is a
/// column for each set with a position per row, and `Position<B>` with `B: Boards` holds as many
/// positions as `B` holds boards.
///
/// A square in two roles or in two colours counts in both; a square with a role and no colour, or a
/// colour and no role, is a blocker only if it has a colour: *occupied* is white or black. Any number
/// of kings is fine.
///
/// The fields lie in memory in the order in which they stand here; `Pieces` are 64 bytes, aligned to 64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(C, align(64))]
pub struct Position<T> {
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
    /// All white men.
    pub white: T,
    /// All black men.
    pub black: T,
}

/// One position: eight bitboards, 64 bytes.
///
/// ```
/// use setwise::{Colour, Pieces, Role};
/// let start = Pieces::START;
/// assert_eq!(start.of(Colour::White, Role::King), 1 << 4);
/// assert_eq!(start.occupied().count_ones(), 32);
/// ```
pub type Pieces = Position<u64>;

impl<T: Copy> Position<T> {
    /// The men of a role, of both colours.
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

    /// The men of a colour, of all roles.
    #[inline(always)]
    #[must_use]
    pub fn colour(&self, colour: Colour) -> T {
        match colour {
            Colour::White => self.white,
            Colour::Black => self.black,
        }
    }
}

impl<T: Copy + BitAnd<Output = T> + BitOr<Output = T>> Position<T> {
    /// The men of one role and one colour.
    #[inline(always)]
    #[must_use]
    pub fn of(&self, colour: Colour, role: Role) -> T {
        self.colour(colour) & self.role(role)
    }

    /// All men.
    #[inline(always)]
    #[must_use]
    pub fn occupied(&self) -> T {
        self.white | self.black
    }
}

impl Pieces {
    /// No men.
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

    /// Puts a man on a square (0 = a1, 63 = h8), in addition to what stands there.
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
    pub const fn put(&mut self, colour: Colour, role: Role, square: usize) {
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

    /// The man on a square (0 = a1, 63 = h8), or none.
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
    pub fn at(&self, square: usize) -> Option<(Colour, Role)> {
        assert!(square < 64, "a square is 0 to 63");
        let holds = |set: u64| set >> square & 1 == 1;
        let colour = Colour::ALL.into_iter().find(|&c| holds(self.colour(c)))?;
        let role = Role::ALL.into_iter().find(|&r| holds(self.role(r)))?;
        Some((colour, role))
    }
}
