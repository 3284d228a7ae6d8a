//! The pieces of a position as eight sets.

use core::hint::select_unpredictable;
use core::ops::{BitAnd, BitOr};

use super::names::{Colour, Role};

/// The pieces of a position: a set for each role (of both colours) and a set for each colour (of all roles).
///
/// `Pieces` is one position: eight bitboards, 64 bytes. The same struct has two more uses: `Pieces<&[u64]>` holds one
/// column per set, with one row per position, and `Pieces<B>` with `B: Boards` holds as many positions as `B` holds
/// boards.
///
/// Inconsistent sets are allowed. A square with two colours counts for both. A square blocks if it has a colour, with
/// or without a role: *occupied* is white or black. A square with two roles is in the attack maps of both, but columns
/// that count pieces (`twice`, the bit planes) may count it as one piece or two. Any number of kings is allowed.
///
/// The fields are laid out in memory in this order; `Pieces` is 64 bytes, aligned to 64.
///
/// ```
/// use setwise::{Colour, Pieces, Role};
/// let start = Pieces::START;
/// assert_eq!(start.of(Colour::White, Role::King), 1 << 4);
/// assert_eq!(start.occupied().count_ones(), 32);
/// ```
///
/// Board types of other crates have getters for these eight sets. With shakmaty, they are `board.pawns().into()` and so
/// on, and `board.by_color(Color::White).into()`.
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
    /// Applies a function to every set.
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

    /// Borrows every set.
    #[inline(always)]
    #[must_use]
    pub fn each_ref(&self) -> Pieces<&T> {
        let Self { pawns, knights, bishops, rooks, queens, kings, white, black } = self;
        Pieces { pawns, knights, bishops, rooks, queens, kings, white, black }
    }
}

impl Pieces {
    /// The names of the sets, in the order of the fields.
    pub(crate) const NAMES: [&str; 8] =
        ["pawns", "knights", "bishops", "rooks", "queens", "kings", "white", "black"];
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
        let &Self { pawns, knights, bishops, rooks, queens, kings, white, black } = self;
        [pawns, knights, bishops, rooks, queens, kings, white, black]
    }

    /// Creates a value from its eight sets, the inverse of [`sets`](Self::sets).
    #[inline(always)]
    #[must_use]
    pub const fn from_sets(sets: [T; 8]) -> Self {
        let [pawns, knights, bishops, rooks, queens, kings, white, black] = sets;
        Self { pawns, knights, bishops, rooks, queens, kings, white, black }
    }

    /// The pieces of a colour, of all roles.
    #[inline(always)]
    #[must_use]
    pub fn colour(&self, colour: Colour) -> T {
        // Not a branch: nothing predicts whose pieces a search asks for.
        select_unpredictable(colour == Colour::White, self.white, self.black)
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
    /// An empty board.
    pub const EMPTY: Self = Self::from_sets([0; 8]);

    /// The initial position.
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

    /// Puts a piece on a square (0 = a1, 63 = h8), in addition to any piece there.
    ///
    /// # Panics
    /// If `square` is above 63.
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

    /// The piece on a square (0 = a1, 63 = h8), or `None`.
    ///
    /// # Panics
    /// If `square` is above 63.
    ///
    /// ```
    /// use setwise::{Colour, Pieces, Role};
    /// assert_eq!(Pieces::START.at(60), Some((Colour::Black, Role::King)));
    /// assert_eq!(Pieces::START.at(30), None);
    /// ```
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn at(&self, square: u8) -> Option<(Colour, Role)> {
        assert!(square < 64, "a square is 0 to 63");
        // Of several sets the first counts. A search for it would be mispredicted.
        let [pawns, knights, bishops, rooks, queens, kings, white, black] =
            self.sets().map(|set| set >> square & 1);
        let roles =
            pawns | knights << 1 | bishops << 2 | rooks << 3 | queens << 4 | kings << 5 | 1 << 6;
        let role = roles.trailing_zeros() as usize;
        let colour = if white == 1 { Colour::White } else { Colour::Black };
        ((white | black == 1) & (role < 6)).then_some((colour, Role::ALL[role.min(5)]))
    }
}
