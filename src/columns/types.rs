//! The description of a column: the type and shape of its values, and the data that it needs. All catalogues consist of
//! descriptions, and their columns have the same methods.

use core::fmt;

/// The type of a column's values. The columns of [`setwise`](crate) are unsigned; those of tables have all types.
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
    /// `i8`: a small signed integer.
    I8,
    /// `i16`: a small signed integer.
    I16,
    /// `i32`: a signed integer.
    I32,
    /// `f64`: a number.
    F64,
    /// Text in UTF-8.
    Text,
}

impl ValueType {
    /// The size of a value in bytes; 0 for text.
    #[must_use]
    pub const fn bytes(self) -> usize {
        [1, 2, 4, 8, 1, 2, 4, 8, 0][self as usize]
    }
}

/// The type's name in Rust, such as `u64`, or `text`.
impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = ["u8", "u16", "u32", "u64", "i8", "i16", "i32", "f64", "text"];
        f.write_str(names[*self as usize])
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
    /// Few distinct values, so a dictionary makes files smaller. [`new`](Self::new) sets it unless there are several
    /// values per position.
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
        let (needs, few_values) = (Needs::Pieces, matches!(shape, Shape::Value));
        Self { name, meaning, value_type, shape, needs, few_values, nullable: false }
    }
}

/// Implements the methods and traits that the columns of all catalogues share, from a method `description`. If its
/// columns are a constant, they follow the type; then the methods are constant functions, and the catalogue has the
/// usual presets and patterns.
#[doc(hidden)]
#[macro_export]
macro_rules! described {
    ($column:ident $(, $constant:ident $all:expr)?) => {
        impl $column {
            /// The name of the column in every interface, such as `white_pawn`.
            #[must_use]
            pub $($constant)? fn name(self) -> &'static str {
                self.description().name
            }

            /// The meaning of the column, in one line.
            #[must_use]
            pub $($constant)? fn meaning(self) -> &'static str {
                self.description().meaning
            }

            /// The type of the values; for lists, the type of the items.
            #[must_use]
            pub $($constant)? fn value_type(self) -> $crate::ValueType {
                self.description().value_type
            }

            /// The number of values per position.
            #[must_use]
            pub $($constant)? fn shape(self) -> $crate::Shape {
                self.description().shape
            }

            /// Returns whether some positions have no value: for example, invalid positions have no legal moves.
            #[must_use]
            pub $($constant)? fn is_nullable(self) -> bool {
                self.description().nullable
            }

            /// Returns whether the column has few distinct values in positions from games, so that a dictionary makes
            /// files smaller.
            #[must_use]
            pub $($constant)? fn has_few_values(self) -> bool {
                self.description().few_values
            }
        }

        $(
            impl $crate::columns::Catalogue for $column {
                fn all() -> &'static [Self] {
                    $all
                }

                fn description(self) -> &'static $crate::columns::Description {
                    self.description()
                }
            }
        )?

        impl ::core::fmt::Debug for $column {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.debug_tuple("Column").field(&format_args!("{}", self.name())).finish()
            }
        }

        impl ::core::fmt::Display for $column {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.name())
            }
        }

        /// The error suggests the most similar name if there is one.
        impl ::core::str::FromStr for $column {
            type Err = $crate::UnknownName;

            fn from_str(name: &str) -> Result<Self, $crate::UnknownName> {
                $crate::columns::find(name)
            }
        }
    };
}
