//! The description of a column: the type and shape of its values, and the data that it needs.

use core::fmt;

/// The type of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ValueType {
    /// `u8`: a small integer.
    U8,
    /// `u16`: a small integer.
    U16,
    /// `u32`: an integer.
    U32,
    /// `u64`: a bitboard, a1 = bit 0.
    U64,
}

impl ValueType {
    /// The size of a value in bytes.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U16 => 2,
            Self::U32 => 4,
            Self::U64 => 8,
        }
    }
}

/// The type's name in Rust, such as `u64`.
impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "u{}", 8 * self.bytes())
    }
}

/// The number of values that a column has per position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shape {
    /// One value.
    Value,
    /// A list whose length depends on the position.
    List,
    /// The same number of values for all positions. The values of a position are adjacent.
    Array(usize),
}

/// The data about each position that a column depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Needs {
    /// The pieces.
    Pieces,
    /// The pieces and the side to move: [`Positions::with_turns`](crate::Positions::with_turns).
    Turn,
    /// The pieces, the side to move, castling rights and the en passant square:
    /// [`Positions::with_states`](crate::Positions::with_states).
    State,
}

/// What a column is. The catalogues of this crate and of others that fill columns consist of these.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Description {
    pub name: &'static str,
    pub meaning: &'static str,
    pub value_type: ValueType,
    pub shape: Shape,
    pub needs: Needs,
    /// Few distinct values, so a dictionary makes files smaller.
    pub few_values: bool,
    /// Some positions have no value.
    pub nullable: bool,
}

#[doc(hidden)]
impl Description {
    #[must_use]
    pub const fn new(
        name: &'static str,
        meaning: &'static str,
        value_type: ValueType,
        shape: Shape,
    ) -> Self {
        let needs = Needs::Pieces;
        Self { name, meaning, value_type, shape, needs, few_values: false, nullable: false }
    }
}
