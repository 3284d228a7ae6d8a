//! The algebra used by everything above the vectors: sets of squares and small integers, for one board or for many at
//! once. Its implementations are in `boards/`.

use core::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Mul, MulAssign,
    Neg, Not, Sub, SubAssign,
};

use crate::bitboard::Direction;

/// Implements operators between two values of a type, as given, and derives those with a plain integer on the right and
/// those with assignment.
macro_rules! operators {
    (sets: $generics:tt $type:ty; $values:tt $and:expr, $or:expr, $xor:expr) => {
        $crate::boards::operators!($generics $type, u64: BitAnd bitand BitAndAssign bitand_assign $values $and);
        $crate::boards::operators!($generics $type, u64: BitOr bitor BitOrAssign bitor_assign $values $or);
        $crate::boards::operators!($generics $type, u64: BitXor bitxor BitXorAssign bitxor_assign $values $xor);
    };
    (numbers: [$($generics:tt)*] $type:ty; $values:tt $add:expr, $sub:expr, $mul:expr) => {
        $crate::boards::operators!([$($generics)*] $type, i16: Add add AddAssign add_assign $values $add);
        $crate::boards::operators!([$($generics)*] $type, i16: Sub sub SubAssign sub_assign $values $sub);
        $crate::boards::operators!([$($generics)*] $type, i16: Mul mul MulAssign mul_assign $values $mul);

        impl<$($generics)*> core::ops::Neg for $type {
            type Output = Self;

            #[inline(always)]
            fn neg(self) -> Self {
                core::ops::Sub::sub(Self::splat(0), self)
            }
        }
    };
    (
        [$($generics:tt)*] $type:ty, $integer:ty: $operator:ident $method:ident $assign:ident $assign_method:ident
        ($this:ident, $other:ident) $result:expr
    ) => {
        impl<$($generics)*> core::ops::$operator for $type {
            type Output = Self;

            #[inline(always)]
            fn $method($this, $other: Self) -> Self {
                $result
            }
        }

        impl<$($generics)*> core::ops::$operator<$integer> for $type {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: $integer) -> Self {
                core::ops::$operator::$method(self, Self::splat(other))
            }
        }

        impl<$($generics)*> core::ops::$assign for $type {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                *self = core::ops::$operator::$method(*self, other);
            }
        }

        impl<$($generics)*> core::ops::$assign<$integer> for $type {
            #[inline(always)]
            fn $assign_method(&mut self, other: $integer) {
                *self = core::ops::$operator::$method(*self, Self::splat(other));
            }
        }
    };
}
pub(crate) use operators;

#[cfg(feature = "bulk")]
pub(crate) mod block;
#[cfg(feature = "bulk")]
pub(crate) mod bytes;
pub(crate) mod hyperbola;
#[cfg(feature = "bulk")]
pub(crate) mod lanes;
#[cfg(feature = "bulk")]
pub(crate) mod maps;
#[cfg(feature = "bulk")]
pub(crate) mod moves;
#[cfg(feature = "bulk")]
mod pipeline;
#[cfg(feature = "bulk")]
pub(crate) mod planes;
pub(crate) mod scalar;
#[cfg(feature = "bulk")]
pub(crate) mod sliced;
#[cfg(feature = "bulk")]
pub(crate) mod word_numbers;

/// A function over boards with its arguments, to be run by [`Boards::call`]. [`called!`] generates implementations.
pub trait Routine {
    /// The return type of the function.
    type Output;

    /// Runs the function. Every implementation is `#[inline(always)]`, so that it uses the instructions of its caller.
    fn run(self) -> Self::Output;
}

/// Defines functions over boards that are compiled once per backend and called. All other functions are inlined into
/// their callers, once per backend, which suits short functions and critical loops. Arguments and results of a called
/// function pass through memory, which costs a few per cent for a function of fifty operations.
macro_rules! called {
    ($(
        $(#[$meta:meta])*
        $visibility:vis fn $name:ident<'a, $B:ident: $bound:ident $(, $T:ident: $T_bound:ident)?>(
            $($argument:ident: $type:ty),* $(,)?
        ) -> $output:ty $body:block
    )*) => {$(
        $(#[$meta])*
        #[inline(always)]
        $visibility fn $name<'a, $B: $bound $(, $T: $T_bound)?>($($argument: $type),*) -> $output {
            struct Call<'a, $B: $bound $(, $T: $T_bound)?> {
                $($argument: $type,)*
                types: core::marker::PhantomData<(&'a $B, $($T)?)>,
            }

            impl<'a, $B: $bound $(, $T: $T_bound)?> $crate::boards::Routine for Call<'a, $B $(, $T)?> {
                type Output = $output;

                #[inline(always)]
                fn run(self) -> $output {
                    let Self { $($argument,)* .. } = self;
                    $body
                }
            }

            $B::call(Call::<$B $(, $T)?> { $($argument,)* types: core::marker::PhantomData })
        }
    )*};
}
pub(crate) use called;

/// Repeats a step for each rank, without a loop, which would spill half as many vectors again to the stack.
#[cfg(feature = "bulk")]
macro_rules! for_ranks {
    ($k:ident in $($number:literal)* => $step:block) => {
        $(
            #[allow(unused_assignments, reason = "the last rank hands nothing on")]
            { let $k = $number; $step }
        )*
    };
}
#[cfg(feature = "bulk")]
pub(crate) use for_ranks;

/// Returns a closure whose definition says `#[inline(always)]`: the language allows that only in an argument. Without it,
/// a closure may be compiled by itself, without the instructions of its caller.
#[inline(always)]
pub(crate) fn inlined<F>(closure: F) -> F {
    closure
}

/// Prevents other crates from implementing [`Boards`] and [`Numbers`].
pub trait Sealed {}

/// One or more bitboards that are processed together.
///
/// Implemented by `u64`, by vectors with a board in each 64-bit lane, and by blocks of boards sliced by ranks. Attack
/// maps, leapers, counts and user-defined terms are written once against this trait, which is sealed.
///
/// `&`, `|`, `^`, `!` and the assigning operators (`|=` and so on) combine sets. With a `u64` on the right, they apply
/// the same set to every board: `pieces & 0xff00`.
///
/// Every method is plain bit arithmetic without branches or memory accesses. A step takes one to eight operations for
/// all boards together. A ray takes 14 to 130 operations for sliced boards, and about fifty for others.
///
/// ```
/// use setwise::Boards;
/// /// The squares diagonally ahead of a set, for any number of boards.
/// fn ahead<B: Boards>(pieces: B) -> B {
///     pieces.north_east() | pieces.north_west()
/// }
/// let e2 = 1u64 << 12;
/// assert_eq!(ahead(e2), 1 << 19 | 1 << 21); // d3 and f3
/// ```
pub trait Boards:
    Sealed
    + Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitAnd<u64, Output = Self>
    + BitOr<u64, Output = Self>
    + BitXor<u64, Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + BitAndAssign<u64>
    + BitOrAssign<u64>
    + BitXorAssign<u64>
{
    /// The number of boards.
    const COUNT: usize;

    /// A small integer for each board.
    type Numbers: Numbers;

    /// The number of squares in each set, 0 to 64.
    #[must_use]
    fn count(self) -> Self::Numbers;

    /// The same set on every board.
    fn splat(board: u64) -> Self;

    /// Calls a routine. Except on a `u64`, it is not inlined but compiled once, with the backend's instructions.
    #[doc(hidden)]
    #[inline(always)]
    fn call<R: Routine>(routine: R) -> R::Output {
        routine.run()
    }

    /// The empty set on every board.
    #[inline(always)]
    #[must_use]
    fn empty() -> Self {
        Self::splat(0)
    }

    /// The squares of `self` that are not in `other`.
    #[inline(always)]
    #[must_use]
    fn without(self, other: Self) -> Self {
        self & !other
    }

    /// The squares that are in at least two of three sets.
    #[inline(always)]
    #[must_use]
    fn majority(a: Self, b: Self, c: Self) -> Self {
        (a & b) | (c & (a | b))
    }

    /// A mask for each board: all squares if the set has a square, otherwise none.
    ///
    /// ```
    /// use setwise::Boards;
    /// assert_eq!((1u64 << 40).any(), !0);
    /// assert_eq!(0u64.any(), 0);
    /// ```
    #[must_use]
    fn any(self) -> Self;

    /// A mask for each board: all squares if the set has at least two squares, otherwise none.
    #[must_use]
    fn many(self) -> Self;

    /// Every board upside down: rank 1 becomes rank 8.
    #[must_use]
    fn flip_vertical(self) -> Self;

    /// The squares of `a` that are in `self`, and those of `b` that are not.
    #[inline(always)]
    #[must_use]
    fn select(self, a: Self, b: Self) -> Self {
        b ^ ((a ^ b) & self)
    }

    /// Every square moved one rank up; rank 8 falls off the board.
    #[must_use]
    fn north(self) -> Self;

    /// Every square moved one rank down; rank 1 falls off the board.
    #[must_use]
    fn south(self) -> Self;

    /// Every square moved one file towards h; the h-file falls off the board.
    #[must_use]
    fn east(self) -> Self;

    /// Every square moved one file towards a; the a-file falls off the board.
    #[must_use]
    fn west(self) -> Self;

    /// [`north`](Self::north) and [`east`](Self::east).
    #[inline(always)]
    #[must_use]
    fn north_east(self) -> Self {
        self.north().east()
    }

    /// [`north`](Self::north) and [`west`](Self::west).
    #[inline(always)]
    #[must_use]
    fn north_west(self) -> Self {
        self.north().west()
    }

    /// [`south`](Self::south) and [`east`](Self::east).
    #[inline(always)]
    #[must_use]
    fn south_east(self) -> Self {
        self.south().east()
    }

    /// [`south`](Self::south) and [`west`](Self::west).
    #[inline(always)]
    #[must_use]
    fn south_west(self) -> Self {
        self.south().west()
    }

    /// One step in the given direction.
    #[inline(always)]
    #[must_use]
    fn step(self, direction: Direction) -> Self {
        match direction {
            Direction::North => self.north(),
            Direction::South => self.south(),
            Direction::East => self.east(),
            Direction::West => self.west(),
            Direction::NorthEast => self.north_east(),
            Direction::NorthWest => self.north_west(),
            Direction::SouthEast => self.south_east(),
            Direction::SouthWest => self.south_west(),
        }
    }

    /// The set, and every square that lies in one direction from a square of it. 7 steps.
    ///
    /// ```
    /// use setwise::{bitboard::Direction, Boards};
    /// assert_eq!((1u64 << 40).fill(Direction::North), 0x0101_0100_0000_0000);
    /// ```
    #[inline(always)]
    #[must_use]
    fn fill(self, direction: Direction) -> Self {
        let two = self | self.step(direction);
        let four = two | two.step(direction).step(direction);
        four | four.step(direction).step(direction).step(direction).step(direction)
    }

    /// The rays of every slider in the set in one direction: from the slider's neighbour up to and including the first
    /// square that is in `occupied` or in the set itself.
    ///
    /// The sliders of a set block each other, whether or not `occupied` contains them. So in any one direction, at most
    /// one of them attacks a given square.
    #[must_use]
    fn ray(self, direction: Direction, occupied: Self) -> Self;

    /// The [rays](Self::ray) of two sets in one direction.
    #[doc(hidden)]
    #[inline(always)]
    fn two_rays([a, b]: [Self; 2], direction: Direction, occupied: Self) -> [Self; 2] {
        [a.ray(direction, occupied), b.ray(direction, occupied)]
    }

    /// The squares that the rooks of the set attack: the four rays along ranks and files.
    #[inline(always)]
    #[must_use]
    fn rook_attacks(self, occupied: Self) -> Self {
        (self.ray(Direction::North, occupied) | self.ray(Direction::South, occupied))
            | (self.ray(Direction::East, occupied) | self.ray(Direction::West, occupied))
    }

    /// The squares that the bishops of the set attack: the four rays along diagonals.
    #[inline(always)]
    #[must_use]
    fn bishop_attacks(self, occupied: Self) -> Self {
        (self.ray(Direction::NorthEast, occupied) | self.ray(Direction::NorthWest, occupied))
            | (self.ray(Direction::SouthEast, occupied) | self.ray(Direction::SouthWest, occupied))
    }

    /// The squares that orthogonal and diagonal sliders attack together; queens are in both sets.
    #[inline(always)]
    #[must_use]
    fn slider_attacks(orthogonal: Self, diagonal: Self, occupied: Self) -> Self {
        orthogonal.rook_attacks(occupied) | diagonal.bishop_attacks(occupied)
    }

    /// The squares that sliders of three roles attack, and those that at least two of them attack. Every slider must be
    /// in `occupied`; otherwise the result is unspecified. 16 rays.
    #[inline(always)]
    #[must_use]
    fn attacks_of_roles(
        bishops: Self,
        rooks: Self,
        queens: Self,
        occupied: Self,
    ) -> SliderAttacks<Self> {
        let [mut queen, mut once, mut twice] = [Self::empty(); 3];
        // In any one direction, at most one slider attacks a given square, so the rays of two roles are disjoint.
        let mut ray = inlined(
            #[inline(always)]
            |sliders: Self, direction| {
                let [ray, by_queens] = Self::two_rays([sliders, queens], direction, occupied);
                let hit = ray | by_queens;
                queen |= by_queens;
                twice |= once & hit;
                once |= hit;
                ray
            },
        );
        let rook = (ray(rooks, Direction::North) | ray(rooks, Direction::South))
            | (ray(rooks, Direction::East) | ray(rooks, Direction::West));
        let bishop = (ray(bishops, Direction::NorthEast) | ray(bishops, Direction::NorthWest))
            | (ray(bishops, Direction::SouthEast) | ray(bishops, Direction::SouthWest));
        SliderAttacks { bishop, rook, queen, once, twice }
    }
}

/// The squares that sliders of three roles attack: [`Boards::attacks_of_roles`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct SliderAttacks<B> {
    /// Attacked by bishops.
    pub bishop: B,
    /// Attacked by rooks.
    pub rook: B,
    /// Attacked by queens.
    pub queen: B,
    /// Attacked by at least one of them.
    pub once: B,
    /// Attacked by at least two of them.
    pub twice: B,
}

/// A 16-bit integer for each board.
///
/// Numbers come from [`Boards::count`] and [`splat`](Self::splat). `+`, `-`, `*`, unary minus and the assigning
/// operators (`+=` and so on) combine numbers, including with an `i16` on the right: `count * 2 - 3`. Arithmetic wraps
/// modulo 2^16. An operation takes one or two instructions for all boards of a block; a selection or a minimum takes up
/// to five. The trait is sealed, like [`Boards`]. The number for a single `u64` converts into an `i16` through `From`.
///
/// ```
/// use setwise::{Boards, Numbers};
/// /// Twice the number of pieces less three, but at least zero.
/// fn score<B: Boards>(pieces: B) -> B::Numbers {
///     (pieces.count() * 2 - 3).max(B::Numbers::splat(0))
/// }
/// assert_eq!(i16::from(score(0xff_u64)), 13);
/// ```
pub trait Numbers:
    Sealed
    + Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
    + Add<i16, Output = Self>
    + Sub<i16, Output = Self>
    + Mul<i16, Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + AddAssign<i16>
    + SubAssign<i16>
    + MulAssign<i16>
{
    /// The same number for every board.
    #[must_use]
    fn splat(number: i16) -> Self;

    /// `then` where `self` is less than `other`, `otherwise` elsewhere.
    #[must_use]
    fn if_less(self, other: Self, then: Self, otherwise: Self) -> Self;

    /// The smaller of two numbers.
    #[inline(always)]
    #[must_use]
    fn min(self, other: Self) -> Self {
        self.if_less(other, self, other)
    }

    /// The larger of two numbers.
    #[inline(always)]
    #[must_use]
    fn max(self, other: Self) -> Self {
        self.if_less(other, other, self)
    }
}
