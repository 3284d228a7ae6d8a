//! One position at a time: the shape of a position, and what an engine asks about it.
//!
//! The functions here take raw `u64` or [`Pieces`], allocate nothing, look nothing up, and are inlined.
//! They use the instructions that the **build** enables, chosen when it is compiled; so build an engine
//! with `-C target-cpu=native` (or `x86-64-v3`, `x86-64-v4`). A program that must run on any processor
//! takes a [`Kernel`] once and calls the methods of [`kernel.position()`](Kernel::position): the same
//! questions, at the price of one branch and one call each.
//!
//! ```
//! use setwise::{position, Colour, Fen, Kernel};
//! let fen: Fen = "4k3/8/8/8/4r3/8/4N3/4K2R w K - 0 1".parse()?;
//! let pieces = fen.pieces;
//!
//! // Which of my men are pinned, who gives check, and where must my king not go?
//! assert_eq!(position::pinned(&pieces, Colour::White), 1 << 12); // the knight on e2
//! assert_eq!(position::checkers(&pieces, Colour::White), 0);
//! let king_danger = position::king_danger(&pieces, Colour::White);
//! assert_eq!(king_danger & (1 << 12 | 1 << 13), 1 << 12); // e2 is attacked, f2 is not
//!
//! // Everything that both sides attack, by role.
//! let [white, black] = position::attacks(&pieces);
//! assert_eq!(black.all & pieces.white, 1 << 12);
//! assert_eq!(white.twice & 1 << 5, 1 << 5); // f1: by the king and by the rook
//!
//! // The same with the instructions of the processor that the program happens to run on.
//! let position = Kernel::detect().position();
//! assert_eq!(position.attacks(&pieces), [white, black]);
//! # Ok::<(), setwise::fen::FenError>(())
//! ```
//!
//! What a call does, by what the build enables (vector operations, and those to join lanes in the end):
//!
//! | | nothing | AVX2 | AVX-512 F, BW, VL, DQ |
//! |---|---|---|---|
//! | [`slider_attacks`] | about 110 scalar | 32 + 6 | 13 + 7 |
//! | [`orthogonal_attacks`], [`diagonal_attacks`] | about 55 scalar | 32 + 3 | as AVX2, fused to 26 + 3 |
//! | [`slider_rays`] | about 100 scalar | 32 | 13 |
//! | [`slider_sets`] | about 300 scalar | 128 + 6; with GFNI 85 + 6 | 52 + 3; with GFNI 37 + 3 |
//! | [`attacks`] | about 500 scalar | 128 + 90; with GFNI 85 + 90 | as AVX2, a third fused |
//! | [`checkers`], [`attackers`] | about 140 scalar | 34 + 20 | 15 + 20 |
//! | [`pinned`] | about 210 scalar | 67 + 6 | 27 + 8 |

use crate::backend::{self, Kernel};
use crate::maps::Attacks;
use crate::pieces::{Colour, Pieces};
use crate::simd::one::{Arguments, One, Question};

/// Writes each question three times: as a type for the dispatch, as a function for what the build enables,
/// and as a method for a kernel in hand.
macro_rules! questions {
    ($(
        $(#[$doc:meta])*
        $question:ident: fn $name:ident($($argument:ident: $type:ty),*) -> $answer:ty;
    )*) => {
        $(
            struct $question;

            impl Question<($($type,)*)> for $question {
                type Answer = $answer;

                #[inline(always)]
                fn run<O: One>(($($argument,)*): ($($type,)*)) -> $answer {
                    O::$name($($argument),*)
                }
            }

            $(#[$doc])*
            #[inline(always)]
            #[must_use]
            pub fn $name($($argument: $type),*) -> $answer {
                backend::answer::<$question, _>(($($argument,)*))
            }
        )*

        impl OnePosition {
            $(
                #[doc = concat!("[`", stringify!($name), "`], with the kernel's instructions.")]
                #[inline]
                #[must_use]
                pub fn $name(self, $($argument: $type),*) -> $answer {
                    let (a, b, c) = ($($argument,)*).apart();
                    self.kernel.answer::<$question, ($($type,)*)>(a, b, c)
                }
            )*
        }
    };
}

/// The questions about one position, for a [`Kernel`] in hand: [`Kernel::position`] makes it.
///
/// Each method is the function of the same name, with instructions that the build need not enable. It
/// costs a branch and a call, about a nanosecond (for [`attacks`] three); so prefer the functions where you build for the processor
/// you run on. The backends differ in their instructions only: `scalar` uses no vectors, `lanes` and `wide` do
/// what the build allows.
///
/// ```
/// use setwise::{position, Kernel};
/// let position = Kernel::detect().position();
/// let rook_on_a1 = 1;
/// assert_eq!(position.slider_attacks(0, rook_on_a1, 0), position::slider_attacks(0, rook_on_a1, 0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OnePosition {
    kernel: Kernel,
}

impl Kernel {
    /// The same choice for questions about one position at a time.
    #[inline]
    #[must_use]
    pub fn position(self) -> OnePosition {
        OnePosition { kernel: self }
    }
}

questions! {
    /// What orthogonal and diagonal sliders attack together: the union of all rays. Queens stand in both
    /// sets.
    ///
    /// The sliders may stand in `occupied` or not, the answer is the same; but only those of a set stop each
    /// other by themselves, so a bishop stops a rook only if `occupied` has it. Where a set's own men
    /// stand, they count as attacked (they are defended).
    ///
    /// ```
    /// use setwise::position;
    /// let (d4, d6) = (1 << 27, 1 << 43);
    /// let attacks = position::slider_attacks(d6, d4, 0);
    /// assert_eq!(attacks, 0x0000_0808_f708_0808); // up to and including d6
    /// assert_eq!(attacks, position::slider_attacks(d4 | d6, d4, 0));
    /// ```
    SliderAttacks: fn slider_attacks(occupied: u64, orthogonal: u64, diagonal: u64) -> u64;

    /// What rooks, and queens as rooks, attack: the union of the rays along ranks and files.
    ///
    /// ```
    /// let a1 = 1;
    /// assert_eq!(setwise::position::orthogonal_attacks(0, a1), 0x0101_0101_0101_01fe);
    /// ```
    OrthogonalAttacks: fn orthogonal_attacks(occupied: u64, sliders: u64) -> u64;

    /// What bishops, and queens as bishops, attack: the union of the rays along diagonals.
    ///
    /// ```
    /// let a1 = 1;
    /// assert_eq!(setwise::position::diagonal_attacks(0, a1), 0x8040_2010_0804_0200);
    /// ```
    DiagonalAttacks: fn diagonal_attacks(occupied: u64, sliders: u64) -> u64;

    /// The eight rays, in the order of [`Direction::ALL`](crate::bitboard::Direction::ALL): four of the
    /// orthogonal set, then four of the diagonal set.
    ///
    /// Sliders of a set stop each other, whether they stand in `occupied` or not; so in one direction a
    /// square is seen by at most one of them.
    ///
    /// ```
    /// use setwise::{bitboard::Direction, position};
    /// let (a1, c1) = (1, 1 << 2);
    /// let rays = position::slider_rays(0, a1 | c1, 0);
    /// assert_eq!(rays[Direction::East as usize], 0b1111_1110);
    /// assert_eq!(rays[Direction::West as usize], 0b0000_0011);
    /// ```
    SliderRays: fn slider_rays(occupied: u64, orthogonal: u64, diagonal: u64) -> [u64; 8];

    /// What each side's sliders attack, set by set: eight sets in one call, which is much cheaper than eight
    /// calls, because the lanes hold the sets.
    ///
    /// The first four are what white's rooks, white's queens as rooks, black's rooks and black's queens
    /// attack; the other four are the same of bishops. All men block.
    ///
    /// ```
    /// use setwise::{position, Pieces};
    /// let [orthogonal, diagonal] = position::slider_sets(&Pieces::START);
    /// assert_eq!(orthogonal[0], 0b0100_0010 | 1 << 8 | 1 << 15); // b1, g1, a2, h2
    /// assert_eq!(diagonal[1], 1 << 10 | 1 << 12); // c2 and e2
    /// ```
    SliderSets: fn slider_sets(pieces: &Pieces) -> [[u64; 4]; 2];

    /// All attack maps of a position: white's, then black's. What they mean, see [`Attacks`]. All men
    /// block; a square in two roles counts in both.
    ///
    /// ```
    /// use setwise::{position, Pieces};
    /// let [white, black] = position::attacks(&Pieces::START);
    /// assert_eq!(white.pawn, 0x0000_0000_00ff_0000);
    /// assert_eq!(white.knight, 1 << 11 | 1 << 12 | 1 << 16 | 1 << 18 | 1 << 21 | 1 << 23);
    /// assert_eq!(black.all, white.all.swap_bytes());
    /// ```
    AllAttacks: fn attacks(pieces: &Pieces) -> [Attacks<u64>; 2];

    /// The men of a colour that attack a square of a set, be it occupied or not. For one square: its
    /// attackers.
    ///
    /// ```
    /// use setwise::{position, Colour, Pieces};
    /// let f3 = 1 << 21;
    /// let knight_and_pawns = 1 << 6 | 1 << 12 | 1 << 14;
    /// assert_eq!(position::attackers(&Pieces::START, f3, Colour::White), knight_and_pawns);
    /// ```
    Attackers: fn attackers(pieces: &Pieces, targets: u64, colour: Colour) -> u64;

    /// The men that give check to a colour: those of the other that attack a king of it. None without a
    /// king; with several kings, the checkers of all.
    ///
    /// ```
    /// use setwise::{position, Colour, Fen};
    /// let fen = Fen::parse("4k3/8/3N4/8/8/8/8/K3R3 b - - 0 1")?;
    /// assert_eq!(position::checkers(&fen.pieces, Colour::Black), 1 << 43 | 1 << 4); // double check
    /// # Ok::<(), setwise::fen::FenError>(())
    /// ```
    Checkers: fn checkers(pieces: &Pieces, colour: Colour) -> u64;

    /// The men of a colour that are absolutely pinned: alone between a king of theirs and an enemy slider
    /// that would attack it. They may still move along the line
    /// ([`line::line`](crate::line::line) gives it).
    ///
    /// Of several kings each counts, and each blocks: a king that stands between another and a slider is
    /// pinned too. [`eval::king_threats`](crate::eval::king_threats) gives the pinners besides.
    ///
    /// ```
    /// use setwise::{position, Colour, Fen};
    /// let fen = Fen::parse("4k3/4n3/8/7b/4R3/8/4PP2/3K4 b - - 0 1")?;
    /// assert_eq!(position::pinned(&fen.pieces, Colour::Black), 1 << 52); // the knight on e7
    /// assert_eq!(position::pinned(&fen.pieces, Colour::White), 1 << 12); // the pawn on e2
    /// # Ok::<(), setwise::fen::FenError>(())
    /// ```
    Pinned: fn pinned(pieces: &Pieces, colour: Colour) -> u64;

    /// The squares where a king of the colour would be in check: attacked by the other side, with the kings
    /// of the colour taken off the board so that they do not hide the squares behind them.
    ///
    /// ```
    /// use setwise::{position, Colour, Fen};
    /// let fen = Fen::parse("4k3/8/8/8/8/8/8/R3K2r w - - 0 1")?;
    /// let danger = position::king_danger(&fen.pieces, Colour::White);
    /// assert_eq!(danger & 1 << 3, 1 << 3); // d1, behind the king
    /// # Ok::<(), setwise::fen::FenError>(())
    /// ```
    KingDanger: fn king_danger(pieces: &Pieces, colour: Colour) -> u64;
}
