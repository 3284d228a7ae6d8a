//! Functions for one position at a time, for engines, inlined with the instructions that the build enables.
//!
//! The functions here take raw `u64` or [`Pieces`], allocate nothing, use no slider tables, and are inlined. They use
//! the instructions that the **build** enables, so build an engine with `-C target-cpu=native` (or `x86-64-v3`,
//! `x86-64-v4`). A program that must run on any processor creates a [`Kernel`] once and calls the methods of
//! [`kernel.position()`](crate::Kernel::position). They compute the same results by a call that is not inlined, which
//! costs one to three nanoseconds.
//!
//! ```
//! use setwise::{position, Colour, Fen, Kernel};
//! let fen: Fen = "4k3/8/8/8/4r3/8/4N3/4K2R w K - 0 1".parse()?;
//! let pieces = fen.pieces;
//!
//! // Which of my pieces are pinned, which give check, and where must my king not go?
//! assert_eq!(position::pinned(&pieces, Colour::White), 1 << 12); // the knight on e2
//! assert_eq!(position::checkers(&pieces, Colour::White), 0);
//! let king_danger = position::king_danger(&pieces, Colour::White);
//! assert_eq!(king_danger & (1 << 12 | 1 << 13), 1 << 12); // e2 is attacked, f2 is not
//!
//! // Everything that both sides attack, by role.
//! let attacks = position::attacks(&pieces);
//! assert_eq!(attacks[Colour::Black].all & pieces.white, 1 << 12);
//! assert_eq!(attacks[Colour::White].twice & 1 << 5, 1 << 5); // f1: by the king and by the rook
//!
//! // The same with the best instructions of the processor that the program runs on.
//! let position = Kernel::detect().position();
//! assert_eq!(position.attacks(&pieces), attacks);
//! # Ok::<(), setwise::fen::FenError>(())
//! ```
//!
//! Cost of a call for each instruction set of the build (vector operations, plus those that combine lanes at the end):
//!
//! | | none | AVX2 | AVX-512 F, BW, VL, DQ |
//! |---|---|---|---|
//! | [`slider_attacks`] | about 110 scalar | 32 + 6 | as AVX2, fused to 26 + 6 |
//! | [`orthogonal_attacks`], [`diagonal_attacks`] | about 55 scalar | 32 + 3 | as AVX2, fused to 26 + 3 |
//! | [`slider_rays`] | about 100 scalar | 32 | as AVX2, fused to 26 |
//! | [`slider_attacks_by_role`] | about 300 scalar | 128 + 6; with GFNI 85 + 6 | as AVX2, a third fused |
//! | [`attacks`] | about 500 scalar | 128 + 90; with GFNI 85 + 90 | as AVX2, a third fused |
//! | [`attacks_by`] | about 250 scalar | 64 + 30 and 60 scalar | as AVX2, a third fused |
//! | [`king_facts`] | about 300 scalar | 105 + 24 and 60 scalar | as AVX2, a third fused |
//! | [`attackers`], [`all_attackers`] of several squares | about 140 scalar | 34 + 20 | as AVX2, fused to 28 + 20 |
//!
//! Questions about one square need no vectors: [`checkers`], and [`attackers`] and [`all_attackers`] of one square, take
//! about 50 scalar operations; [`pinned`] and [`pinners`] take 20, and 15 for each enemy slider on a line of the king,
//! usually none. They load from tables of 1 or 2 KB: lines through a square, squares between two, and leaper attacks.

use crate::backend::Kernel;
use crate::bitboard::ByDirection;
use crate::dispatch::BuiltIn;
use crate::eval::Attacks;
use crate::instructions::Instructions;
use crate::legal::{Move, State};
use crate::pieces::{ByColour, CodeMap, Colour, Pieces};

mod key;

pub use key::{key, key_change, with_legal_en_passant};

pub use crate::instructions::king::KingFacts;
pub use crate::instructions::legal::{Legal, MAX_MOVES, Moves};
pub use crate::instructions::play::changed_squares;
pub use crate::instructions::uci::UciError;
pub use crate::instructions::{DiagonalAttacks, OrthogonalAttacks, SliderAttacksByRole};

/// Defines each function twice: for the instructions of the build, and for those of a kernel.
macro_rules! questions {
    ($(
        $(#[$doc:meta])*
        fn $name:ident($($argument:ident: $type:ty),*) -> $output:ty;
    )*) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            #[must_use]
            pub fn $name($($argument: $type),*) -> $output {
                BuiltIn::$name($($argument),*)
            }
        )*

        crate::functions! {
            /// The functions of this module with a [`Kernel`]'s instructions: [`Kernel::position`] returns them.
            ///
            /// Each method computes the same as the function of the same name, with instructions that the build need
            /// not enable. A call is two or three comparisons and a direct call, which takes one to three nanoseconds
            /// (five for [`attacks_by`](super::position::attacks_by)), so prefer the functions if you build for the
            /// processor that you run on. `scalar` uses no vectors; `lanes` and `wide` use the instructions of the
            /// build.
            pub struct PositionKernel {
                $(
                    #[doc = concat!("[`", stringify!($name), "`], with the kernel's instructions.")]
                    #[must_use]
                    pub fn $name<L: Level>(_level: L, $($argument: $type),*) -> $output {
                        <L::Position as Instructions>::$name($($argument),*)
                    }
                )*
            }
        }
    };
}

impl Kernel {
    /// The functions for one position, with this kernel's instructions.
    #[inline]
    #[must_use]
    pub fn position(self) -> PositionKernel {
        PositionKernel::of(self)
    }
}

questions! {
    #[doc(alias = "sliding_attacks")]
    /// The squares that orthogonal and diagonal sliders attack together: the union of all rays. Queens are in both
    /// sets.
    ///
    /// It makes no difference whether `occupied` contains the sliders of a set, which always block each other. But a
    /// bishop blocks a rook only if `occupied` contains the bishop. The squares of sliders that other sliders of the
    /// set attack are included: they are defended.
    ///
    /// ```
    /// use setwise::position;
    /// let (d4, d6) = (1 << 27, 1 << 43);
    /// let attacks = position::slider_attacks(d4, 0, d6);
    /// assert_eq!(attacks, 0x0000_0808_f708_0808); // up to and including d6
    /// assert_eq!(attacks, position::slider_attacks(d4, 0, d4 | d6));
    /// ```
    fn slider_attacks(orthogonal: u64, diagonal: u64, occupied: u64) -> u64;

    /// The squares that rooks and queens attack along ranks and files.
    fn orthogonal_attacks(sliders: u64, occupied: u64) -> u64;

    /// The squares that bishops and queens attack along diagonals.
    fn diagonal_attacks(sliders: u64, occupied: u64) -> u64;

    /// The rays of two sets of sliders: those of `orthogonal` along ranks and files, those of `diagonal` along
    /// diagonals.
    ///
    /// The sliders of a set block each other, whether or not `occupied` contains them. So in any one direction, at most
    /// one of them attacks a given square.
    ///
    /// ```
    /// use setwise::{bitboard::Direction, position};
    /// let (a1, c1) = (1, 1 << 2);
    /// let rays = position::slider_rays(a1 | c1, 0, 0);
    /// assert_eq!(rays[Direction::East], 0b1111_1110);
    /// assert_eq!(rays[Direction::West], 0b0000_0011);
    /// ```
    fn slider_rays(orthogonal: u64, diagonal: u64, occupied: u64) -> ByDirection<u64>;

    /// The squares that each side's rooks, bishops and queens attack, with the orthogonal and the diagonal lines of
    /// queens kept apart. All pieces block. The lanes of a vector hold the eight sets.
    ///
    /// ```
    /// use setwise::{Colour, Pieces, position};
    /// let sliders = position::slider_attacks_by_role(&Pieces::START);
    /// assert_eq!(sliders.orthogonal[Colour::White].rook, 0b1000_0001 << 8 | 0b0100_0010);
    /// assert_eq!(sliders.diagonal[Colour::White].queen, 1 << 10 | 1 << 12); // c2 and e2
    /// ```
    fn slider_attacks_by_role(pieces: &Pieces) -> SliderAttacksByRole;

    /// The attack maps of both sides, as [`Attacks`] defines them. All pieces block.
    fn attacks(pieces: &Pieces) -> ByColour<Attacks<u64>>;

    /// The attack maps of one side with the caller's choice of blockers; the side's own sliders always block too. With
    /// the enemy's king removed from `occupied`, `all` contains the squares that this king may not move to, and the
    /// same call returns the other maps for the evaluation.
    ///
    /// With vectors this takes about as long as [`attacks`], whose lanes hold both sides: if you need the maps of both,
    /// with all pieces as blockers, call `attacks` once. Without vectors it takes half as long.
    ///
    /// ```
    /// use setwise::{Colour, Fen, position};
    /// let pieces = Fen::parse("4k3/8/8/8/8/8/8/R3K2r w - - 0 1")?.pieces;
    /// let without_king = pieces.occupied() & !(pieces.kings & pieces.white);
    /// let black = position::attacks_by(&pieces, Colour::Black, without_king);
    /// assert_eq!(black.rook & 0xff, 0b0111_1111); // the rook on h1 attacks through the king
    /// assert_eq!(black.all, position::king_danger(&pieces, Colour::White));
    /// # Ok::<(), setwise::fen::FenError>(())
    /// ```
    fn attacks_by(pieces: &Pieces, colour: Colour, occupied: u64) -> Attacks<u64>;

    /// The squares that one side attacks, with the caller's choice of blockers; the side's own sliders always block too.
    /// This is the map `all` of [`attacks_by`] without the others.
    ///
    /// ```
    /// use setwise::{Colour, Pieces, position};
    /// let occupied = Pieces::START.occupied();
    /// let attacked = position::attacked(&Pieces::START, Colour::White, occupied);
    /// assert_eq!(attacked, 0x00ff_ff7e); // ranks 2 and 3, b1 to g1
    /// assert_eq!(attacked, position::attacks_by(&Pieces::START, Colour::White, occupied).all);
    /// ```
    fn attacked(pieces: &Pieces, colour: Colour, occupied: u64) -> u64;

    /// The pieces of a colour that attack any of the targets, occupied or not, given the blockers. For static exchange
    /// evaluation, remove pieces from `occupied` as they are captured, and from the result too.
    ///
    /// ```
    /// use setwise::{Colour, Pieces, position};
    /// let start = Pieces::START;
    /// let f3 = 1 << 21;
    /// let knight_and_pawns = 1 << 6 | 1 << 12 | 1 << 14;
    /// let attackers = position::attackers(&start, Colour::White, f3, start.occupied());
    /// assert_eq!(attackers, knight_and_pawns);
    /// // Without the pawn on e2 the queen attacks f3 too.
    /// let occupied = start.occupied() & !(1 << 12);
    /// let attackers = position::attackers(&start, Colour::White, f3, occupied) & occupied;
    /// assert_eq!(attackers, 1 << 3 | 1 << 6 | 1 << 14);
    /// ```
    fn attackers(
        pieces: &Pieces, colour: Colour, targets: u64, occupied: u64
    ) -> u64;

    /// The pieces of both colours that attack any of the targets, occupied or not, given the blockers. This replaces
    /// two calls of [`attackers`].
    fn all_attackers(pieces: &Pieces, targets: u64, occupied: u64) -> u64;

    /// The pieces that give check to a colour: enemy pieces that attack one of its kings. Empty without a king; with
    /// several kings, the checkers of all of them.
    ///
    /// ```
    /// use setwise::{position, Colour, Fen};
    /// let fen = Fen::parse("4k3/8/3N4/8/8/8/8/K3R3 b - - 0 1")?;
    /// assert_eq!(position::checkers(&fen.pieces, Colour::Black), 1 << 43 | 1 << 4); // double check
    /// # Ok::<(), setwise::fen::FenError>(())
    /// ```
    fn checkers(pieces: &Pieces, colour: Colour) -> u64;

    /// The pieces of a colour that are absolutely pinned: each is the only piece between one of its own kings and an
    /// enemy slider that would otherwise attack the king. They may still move along the line, which
    /// [`line::line_through`](crate::line::line_through) returns.
    ///
    /// Every king counts, and every king blocks: a king between another king and a slider is pinned too. [`pinners`]
    /// returns the sliders.
    ///
    /// [`king_facts`] has an example.
    fn pinned(pieces: &Pieces, colour: Colour) -> u64;

    /// The enemy sliders that pin a piece of a colour, one for each [`pinned`] piece and line.
    fn pinners(pieces: &Pieces, colour: Colour) -> u64;

    /// The squares where a king of the colour would be in check: those that the enemy attacks with the colour's kings
    /// removed from the board, so that a king does not hide the squares behind it.
    fn king_danger(pieces: &Pieces, colour: Colour) -> u64;

    /// Facts about a side's king in one call: checkers, pinned pieces and pinners, discovered checks, danger, and the
    /// squares from which enemy pieces give check. By kernel and in builds with AVX2 it takes 0.7 to 0.8 of the time of the
    /// separate calls, with [`line`](mod@crate::line) for the check squares; in builds without AVX2, call those
    /// that you need.
    ///
    /// ```
    /// use setwise::{position, Colour, Fen, Role};
    /// let fen = Fen::parse("4k3/4n3/8/7b/4R3/8/4PP2/3K4 b - - 0 1")?;
    /// let black = position::king_facts(&fen.pieces, Colour::Black);
    /// assert_eq!((black.pinned, black.pinners), (1 << 52, 1 << 28)); // Ne7 by Re4
    /// assert_eq!(black.checking_squares[Role::Pawn as usize], 1 << 51 | 1 << 53); // d7 and f7
    /// # Ok::<(), setwise::fen::FenError>(())
    /// ```
    fn king_facts(pieces: &Pieces, colour: Colour) -> KingFacts;

    /// [`king_facts`] of both sides.
    fn both_king_facts(pieces: &Pieces) -> ByColour<KingFacts>;

    /// The legal moves of a position; `None` if its sets are inconsistent, a side does not have exactly one king, or
    /// the side not to move is in check.
    ///
    /// Castling rights without a rook or with the king off its back rank are ignored, and so is an en passant square
    /// without a pawn to capture.
    ///
    /// This call computes checkers, pins and king danger; the methods of [`Legal`] list the moves.
    ///
    /// ```
    /// use setwise::{Fen, legal::Status, position};
    /// let fen = Fen::parse("4k3/8/8/8/7b/8/8/4K2R w K - 0 1")?;
    /// let legal = position::legal(&fen.pieces, (&fen).into()).expect("a king a side");
    /// assert_eq!(legal.status(), Status::Check);
    /// assert_eq!(legal.count(), 5); // d1, d2, e2, f1, and the rook takes the bishop
    /// let moves: Vec<String> = legal.moves().map(|played| played.to_string()).collect();
    /// assert_eq!(moves, ["e1d1", "e1f1", "e1d2", "e1e2", "h1h4"]);
    /// # Ok::<(), setwise::fen::FenError>(())
    /// ```
    fn legal(pieces: &Pieces, state: State) -> Option<Legal>;

    /// Like [`legal`](fn@legal), for a position that the caller knows to be valid: nothing is validated.
    ///
    /// For any other position, the result is some set of moves, without a panic: of several kings, the one on the
    /// lowest square counts; a missing king is taken to be on a1, with any piece there; and the enemy's king can be
    /// captured.
    fn legal_unchecked(pieces: &Pieces, state: State) -> Legal;

    /// The position after a legal move: its pieces and its state. The result for other moves is unspecified.
    ///
    /// Every double step sets the en passant square, whether or not a pawn can capture there.
    ///
    /// ```
    /// use setwise::legal::{Move, MoveKind, State};
    /// use setwise::{Pieces, position};
    /// let e2e4 = Move::new(12, 28, MoveKind::Normal);
    /// let (pieces, state) = position::play(&Pieces::START, (&setwise::Fen::START).into(), e2e4);
    /// let after: setwise::Fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1".parse()?;
    /// assert_eq!((pieces, state), (after.pieces, State::from(&after)));
    /// # Ok::<(), setwise::fen::FenError>(())
    /// ```
    fn play(pieces: &Pieces, state: State, played: Move) -> (Pieces, State);

    /// The number of legal moves: [`Legal::count`] of [`legal_unchecked`].
    ///
    /// ```
    /// use setwise::{Fen, Pieces, position};
    /// assert_eq!(position::count_moves(&Pieces::START, (&Fen::START).into()), 20);
    /// ```
    fn count_moves(pieces: &Pieces, state: State) -> u32;

    /// Writes the legal moves to the front of a buffer and returns their number: [`Legal::write_moves`] of
    /// [`legal_unchecked`].
    ///
    /// ```
    /// use setwise::{Fen, Kernel, Pieces, position};
    /// let (state, mut buffer) = ((&Fen::START).into(), [0; position::MAX_MOVES]);
    /// let count = Kernel::detect().position().write_moves(&Pieces::START, state, &mut buffer);
    /// let moves: Vec<_> = buffer[..count].iter().filter_map(|&bits| setwise::legal::Move::from_bits(bits)).collect();
    /// assert_eq!((count, moves[0].to_string()), (20, "b1a3".into()));
    /// ```
    fn write_moves(pieces: &Pieces, state: State, buffer: &mut [u16]) -> usize;

    /// [`Legal::write_moves`]. The methods of a [`Legal`] use the instructions of the build, whichever kernel made it; this
    /// call of a [kernel](PositionKernel::write_moves_of) uses the kernel's, for captures, for example.
    ///
    /// ```
    /// use setwise::{Fen, Kernel, position};
    /// let fen = Fen::parse("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")?;
    /// let kernel = Kernel::detect().position();
    /// let legal = kernel.legal(&fen.pieces, (&fen).into()).expect("a king a side");
    /// let mut buffer = [0; position::MAX_MOVES];
    /// let captures = kernel.write_moves_of(&legal.captures(), &mut buffer);
    /// assert_eq!((captures, kernel.count_moves_of(&legal.quiets())), (1, 6));
    /// # Ok::<(), setwise::fen::FenError>(())
    /// ```
    fn write_moves_of(legal: &Legal, buffer: &mut [u16]) -> usize;

    /// [`Legal::count`], with a kernel's instructions as in [`write_moves_of`].
    fn count_moves_of(legal: &Legal) -> u32;

    /// Static exchange evaluation: returns whether the side that makes a move wins at least `threshold` if both sides then
    /// continue to capture on its destination as long as that pays. `values` are those of a pawn, knight, bishop, rook,
    /// queen and king.
    ///
    /// Each side captures with the first role in that order that can, and among several with the piece on the lowest
    /// square. A capture uncovers sliders behind the moved piece (x-rays). A king captures last, and only an undefended
    /// piece. Pins are ignored, and only the move itself can promote. Castling and moves from an empty square win 0.
    ///
    /// ```
    /// use setwise::legal::{Move, MoveKind};
    /// use setwise::{Fen, position};
    /// let values = [100, 300, 300, 500, 900, 0];
    /// let pieces = Fen::parse("4k3/8/3p4/4p3/8/8/4R3/K3R3 w - - 0 1")?.pieces;
    /// let takes = Move::new(12, 36, MoveKind::Normal); // Rxe5, dxe5, Rxe5: two pawns for a rook
    /// assert!(position::see(&pieces, takes, &values, -300));
    /// assert!(!position::see(&pieces, takes, &values, -299));
    /// # Ok::<(), setwise::fen::FenError>(())
    /// ```
    #[doc(alias = "see_ge")]
    #[doc(alias = "static_exchange_evaluation")]
    fn see(
        pieces: &Pieces, played: Move, values: &[i32; 6], threshold: i32
    ) -> bool;

    /// Translates an engine's mailbox to the [code](crate::piece_code) of each square, as [`Pieces::codes`] returns
    /// them for the same position, so that the engine need not keep a second mailbox. It takes a few vector operations
    /// with AVX2, in the build or by kernel, and 20 to 50 nanoseconds without. The codes of bytes above 15 are unspecified.
    ///
    /// ```
    /// use setwise::{CodeMap, Pieces, position};
    /// const MAP: CodeMap = CodeMap::new([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]);
    /// let mailbox = [3, 1, 2, 4, 5, 2, 1, 3].into_iter().chain([0; 8]).chain([15; 48]);
    /// let mailbox: Vec<u8> = mailbox.collect();
    /// let codes = position::codes(&MAP, mailbox[..].try_into().expect("64 squares"));
    /// assert_eq!(codes[..16], Pieces::START.codes()[..16]);
    /// ```
    fn codes(map: &CodeMap, mailbox: &[u8; 64]) -> [u8; 64];
}
