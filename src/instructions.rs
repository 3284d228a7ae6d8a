//! The operations for one position, without vectors. `instructions/avx2.rs` replaces those that vectors make faster. With
//! AVX-512, the code for AVX2 is compiled once more: `vpternlogq` fuses a third of its operations.
//!
//! An engine queries one position and waits for the result. There is no batch to slice, so the lanes of a vector hold
//! the **directions** of one set, or several **sets** (white's and black's, by role).
//!
//! The algorithm is the Kogge-Stone fill, which doubles the length of the rays in each of three steps. (With GFNI,
//! ranks and files of several sets are subtractions, see `gfni.rs`.)
//!
//! ```text
//! free  = empty squares on which a step can end        no step wraps around the edge
//! rays  = sliders
//! rays |= free & step(rays, 1);   free &= step(free, 1)
//! rays |= free & step(rays, 2);   free &= step(free, 2)
//! rays |= free & step(rays, 4)
//! rays  = step(rays, 1), without steps that wrap around the edge
//! ```
//!
//! The files differ in the overhead around this fill.

use crate::bitboard::{ByDirection, square_of, squares};
use crate::boards::{Boards, SliderAttacks};
use crate::eval::{self, Attacks};
use crate::leaper::{self, KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS};
use crate::legal::{Move, State};
use crate::pieces::{ByColour, CodeMap, Colour, Pieces, Role};

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
mod gfni;
pub(crate) mod king;
pub(crate) mod legal;
mod moves;
mod one_square;
pub(crate) mod play;
mod see;
#[cfg(all(feature = "bulk", feature = "std"))]
mod successors;
pub(crate) mod uci;

use king::{KingFacts, KingRays};
use legal::Legal;
use one_square::{OneSquare, all_leapers};
use play::Parent;

/// The squares that rooks and queens attack along ranks and files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct OrthogonalAttacks {
    /// Attacked by rooks.
    pub rook: u64,
    /// Attacked by queens, along ranks and files only.
    pub queen: u64,
}

/// The squares that bishops and queens attack along diagonals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct DiagonalAttacks {
    /// Attacked by bishops.
    pub bishop: u64,
    /// Attacked by queens, along diagonals only.
    pub queen: u64,
}

/// The squares that each side's sliders attack, by role.
///
/// The fields are laid out in memory in this order: eight bitboards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct SliderAttacksByRole {
    /// Along ranks and files.
    pub orthogonal: ByColour<OrthogonalAttacks>,
    /// Along diagonals.
    pub diagonal: ByColour<DiagonalAttacks>,
}

/// No vectors: one set and one direction at a time.
///
/// Eight rays take about a hundred operations, and processors execute four to six at a time. So the speed is limited by
/// throughput, and the latency is only slightly longer.
pub struct Scalar;

impl Instructions for Scalar {}

/// The operations of an instruction set for one position; without vectors unless it has its own. Those that
/// [`position`](crate::position) also has are documented there.
///
/// It makes no difference whether `occupied` contains the sliders of a set.
pub trait Instructions: Sized {
    #[inline(always)]
    fn slider_rays(orthogonal: u64, diagonal: u64, occupied: u64) -> ByDirection<u64> {
        ByDirection(eval::slider_rays(&orthogonal, &diagonal, &occupied))
    }

    #[inline(always)]
    fn slider_attacks(orthogonal: u64, diagonal: u64, occupied: u64) -> u64 {
        Boards::slider_attacks(orthogonal, diagonal, occupied)
    }

    #[inline(always)]
    fn orthogonal_attacks(sliders: u64, occupied: u64) -> u64 {
        sliders.rook_attacks(occupied)
    }

    #[inline(always)]
    fn diagonal_attacks(sliders: u64, occupied: u64) -> u64 {
        sliders.bishop_attacks(occupied)
    }

    #[inline(always)]
    fn slider_attacks_by_role(pieces: &Pieces) -> SliderAttacksByRole {
        let occupied = pieces.occupied();
        let orthogonal = |colour, role| Self::orthogonal_attacks(pieces.of(colour, role), occupied);
        let diagonal = |colour, role| Self::diagonal_attacks(pieces.of(colour, role), occupied);
        SliderAttacksByRole {
            orthogonal: ByColour::new(|colour| OrthogonalAttacks {
                rook: orthogonal(colour, Role::Rook),
                queen: orthogonal(colour, Role::Queen),
            }),
            diagonal: ByColour::new(|colour| DiagonalAttacks {
                bishop: diagonal(colour, Role::Bishop),
                queen: diagonal(colour, Role::Queen),
            }),
        }
    }

    /// The orthogonal and diagonal sliders that attack any of the targets.
    #[inline(always)]
    fn slider_attackers(occupied: u64, targets: u64, orthogonal: u64, diagonal: u64) -> u64 {
        // A slider attacks a target exactly if the target, as a slider, would attack it. (If another target blocks the
        // ray, that target hits the slider.)
        (Self::orthogonal_attacks(targets, occupied) & orthogonal)
            | (Self::diagonal_attacks(targets, occupied) & diagonal)
    }

    #[inline(always)]
    fn attacks(pieces: &Pieces) -> ByColour<Attacks<u64>> {
        let [white, black] = [Colour::White, Colour::Black];
        let occupied = pieces.occupied();
        ByColour {
            white: Self::attacks_by(pieces, white, occupied),
            black: Self::attacks_by(pieces, black, occupied),
        }
    }

    /// The attack maps of one side, given the blockers in addition to its own sliders.
    #[inline(always)]
    fn attacks_by(pieces: &Pieces, colour: Colour, occupied: u64) -> Attacks<u64> {
        let occupied = occupied | pieces.orthogonal(colour) | pieces.diagonal(colour);
        let of = |role| pieces.of(colour, role);
        let sliders = Self::one_side(of(Role::Bishop), of(Role::Rook), of(Role::Queen), occupied);
        eval::with_sliders(pieces, colour, sliders)
    }

    /// The squares that one side's sliders attack by role, and those that at least two of them attack.
    #[inline(always)]
    fn one_side(bishops: u64, rooks: u64, queens: u64, occupied: u64) -> SliderAttacks<u64> {
        Boards::attacks_of_roles(bishops, rooks, queens, occupied)
    }

    #[inline(always)]
    fn attackers(pieces: &Pieces, colour: Colour, targets: u64, occupied: u64) -> u64 {
        if targets.is_power_of_two() {
            return attackers_of_one(pieces, colour, targets, occupied);
        }
        let own = pieces.colour(colour);
        let (orthogonal, diagonal) = (pieces.orthogonal(colour), pieces.diagonal(colour));
        let leapers = (leaper::pawns(colour.opponent(), targets) & pieces.pawns)
            | (leaper::knights(targets) & pieces.knights)
            | (leaper::kings(targets) & pieces.kings);
        let sliders = Self::slider_attackers(occupied, targets, orthogonal, diagonal);
        (leapers & own) | sliders
    }

    #[inline(always)]
    fn all_attackers(pieces: &Pieces, targets: u64, occupied: u64) -> u64 {
        let all = pieces.occupied();
        let (orthogonal, diagonal) = (pieces.rooks | pieces.queens, pieces.bishops | pieces.queens);
        if targets.is_power_of_two() {
            let square = square_of(targets);
            let sliders = OneSquare::new(targets).attackers([orthogonal, diagonal], occupied);
            return (all_leapers(pieces, square) | sliders) & all;
        }
        let leapers = (leaper::pawns(Colour::Black, targets) & pieces.pawns & pieces.white)
            | (leaper::pawns(Colour::White, targets) & pieces.pawns & pieces.black)
            | (leaper::knights(targets) & pieces.knights)
            | (leaper::kings(targets) & pieces.kings);
        (leapers & all)
            | Self::slider_attackers(occupied, targets, orthogonal & all, diagonal & all)
    }

    #[inline(always)]
    fn checkers(pieces: &Pieces, colour: Colour) -> u64 {
        let (kings, enemy) = (pieces.of(colour, Role::King), colour.opponent());
        if kings.is_power_of_two() {
            attackers_of_one(pieces, enemy, kings, pieces.occupied())
        } else {
            attackers_of_all(pieces, enemy, kings, pieces.occupied())
        }
    }

    #[inline(always)]
    fn pinned(pieces: &Pieces, colour: Colour) -> u64 {
        let (kings, own) = (pieces.of(colour, Role::King), pieces.colour(colour));
        if !kings.is_power_of_two() {
            return one_square::single_blockers_of_all(pieces, colour) & own;
        }
        let sliders = one_square::enemy_sliders(pieces, colour);
        OneSquare::new(kings).single_blockers(sliders, pieces.occupied()) & own
    }

    #[inline(always)]
    fn pinners(pieces: &Pieces, colour: Colour) -> u64 {
        let (kings, own) = (pieces.of(colour, Role::King), pieces.colour(colour));
        if !kings.is_power_of_two() {
            return one_square::pinners_of_all(pieces, colour);
        }
        let sliders = one_square::enemy_sliders(pieces, colour);
        OneSquare::new(kings).pinners(sliders, own, pieces.occupied())
    }

    /// The squares that one side attacks, given the blockers in addition to its own sliders.
    #[inline(always)]
    fn attacked(pieces: &Pieces, colour: Colour, occupied: u64) -> u64 {
        let (orthogonal, diagonal) = (pieces.orthogonal(colour), pieces.diagonal(colour));
        Self::slider_attacks(orthogonal, diagonal, occupied | orthogonal | diagonal)
            | leaper::pawns(colour, pieces.of(colour, Role::Pawn))
            | leaper::knights(pieces.of(colour, Role::Knight))
            | leaper::kings(pieces.of(colour, Role::King))
    }

    #[inline(always)]
    fn king_danger(pieces: &Pieces, colour: Colour) -> u64 {
        let occupied = pieces.occupied() & !pieces.of(colour, Role::King);
        Self::attacked(pieces, colour.opponent(), occupied)
    }

    /// Converts eight positions from columns to rows.
    #[cfg(feature = "bulk")]
    #[inline(always)]
    fn rows(columns: Pieces<&[u64; 8]>) -> [Pieces; 8] {
        core::array::from_fn(|row| columns.map(|column| column[row]))
    }

    /// The rays from a king and those of the enemy's sliders. With several kings, `between` and `pinners` are
    /// incorrect.
    #[inline(always)]
    fn king_rays(occupied: u64, king: u64, own: u64, sliders: [u64; 2]) -> KingRays {
        let [orthogonal, diagonal] = sliders;
        let to = Self::slider_rays(king, king, occupied).0;
        let by = Self::slider_rays(orthogonal, diagonal, occupied & !king).0;
        let union = |rays: &[u64]| rays.iter().fold(0, |all, ray| all | ray);
        // Opposite directions are adjacent among the orthogonal ones, and mirrored among the diagonal ones.
        let meet = |at: usize| to[at] & by[if at < 4 { at ^ 1 } else { 11 - at }];
        let between = union(&[0, 1, 2, 3, 4, 5, 6, 7].map(meet));
        KingRays {
            rook: union(&to[..4]),
            bishop: union(&to[4..]),
            between,
            pinners: OneSquare::new(king).pinners(sliders, own, occupied),
            seen: union(&by),
        }
    }

    #[inline(always)]
    fn king_facts(pieces: &Pieces, colour: Colour) -> KingFacts {
        let (king, occupied) = (pieces.of(colour, Role::King), pieces.occupied());
        let (own, enemy, enemies) =
            (pieces.colour(colour), colour.opponent(), pieces.colour(colour.opponent()));
        let (orthogonal, diagonal) = (pieces.orthogonal(enemy), pieces.diagonal(enemy));
        let sliders = [orthogonal, diagonal];
        let KingRays { rook, bishop, mut between, mut pinners, seen } =
            Self::king_rays(occupied, king, own, sliders);
        if !king.is_power_of_two() {
            // One king may hide another from a slider.
            between = one_square::single_blockers_of_all(pieces, colour);
            pinners = one_square::pinners_of_all(pieces, colour);
        }
        let (pawn, knight) = (leaper::pawns(colour, king), leaper::knights(king));
        KingFacts {
            checkers: (pawn & pieces.pawns
                | knight & pieces.knights
                | leaper::kings(king) & pieces.kings)
                & enemies
                | rook & orthogonal
                | bishop & diagonal,
            pinned: between & own,
            pinners,
            discoverers: between & enemies,
            danger: seen
                | leaper::pawns(enemy, pieces.of(enemy, Role::Pawn))
                | leaper::knights(pieces.of(enemy, Role::Knight))
                | leaper::kings(pieces.of(enemy, Role::King)),
            checking_squares: [pawn, knight, bishop, rook, bishop | rook, 0],
        }
    }

    #[inline(always)]
    fn both_king_facts(pieces: &Pieces) -> ByColour<KingFacts> {
        // A closure that is called twice is not inlined, so it runs without the instructions: 18 times as long.
        let [white, black] = [Colour::White, Colour::Black];
        ByColour { white: Self::king_facts(pieces, white), black: Self::king_facts(pieces, black) }
    }

    /// Returns whether a position is consistent and the side not to move is not in check.
    #[inline(always)]
    fn is_valid(pieces: &Pieces, state: State) -> bool {
        legal::is_consistent(pieces) && Self::checkers(pieces, state.turn().opponent()) == 0
    }

    #[inline(always)]
    fn legal(pieces: &Pieces, state: State) -> Option<Legal> {
        Self::is_valid(pieces, state).then(|| Self::legal_unchecked(pieces, state))
    }

    #[inline(always)]
    fn legal_unchecked(pieces: &Pieces, state: State) -> Legal {
        Legal::new(pieces, state, &Self::king_facts(pieces, state.turn()))
    }

    #[inline(always)]
    fn count_moves(pieces: &Pieces, state: State) -> u32 {
        Self::legal_unchecked(pieces, state).count()
    }

    #[inline(always)]
    fn write_moves(pieces: &Pieces, state: State, buffer: &mut [u16]) -> usize {
        Self::legal_unchecked(pieces, state).write_moves(buffer)
    }

    #[inline(always)]
    fn write_moves_of(legal: &Legal, buffer: &mut [u16]) -> usize {
        legal.write_moves(buffer)
    }

    #[inline(always)]
    fn count_moves_of(legal: &Legal) -> u32 {
        legal.count()
    }

    #[inline(always)]
    fn see(pieces: &Pieces, played: Move, values: &[i32; 6], threshold: i32) -> bool {
        see::see(pieces, played, values, threshold)
    }

    #[inline(always)]
    fn codes(map: &CodeMap, mailbox: &[u8; 64]) -> [u8; 64] {
        mailbox.map(|byte| map.code(byte))
    }

    #[inline(always)]
    fn play(pieces: &Pieces, state: State, played: Move) -> (Pieces, State) {
        Parent::new(pieces, state).play(played)
    }
}

/// The pieces of a colour that attack a square, given as a set.
#[inline(always)]
fn attackers_of_one(pieces: &Pieces, colour: Colour, target: u64, occupied: u64) -> u64 {
    let square = usize::from(square_of(target) & 63);
    let leapers = PAWN_ATTACKS[colour.opponent() as usize][square] & pieces.pawns
        | KNIGHT_ATTACKS[square] & pieces.knights
        | KING_ATTACKS[square] & pieces.kings;
    let sliders = [pieces.orthogonal(colour), pieces.diagonal(colour)];
    leapers & pieces.colour(colour) | OneSquare::new(target).attackers(sliders, occupied)
}

/// [`attackers_of_one`] for each square of a set.
#[cold]
fn attackers_of_all(pieces: &Pieces, colour: Colour, targets: u64, occupied: u64) -> u64 {
    let of_one = |square: u8| attackers_of_one(pieces, colour, 1 << square, occupied);
    squares(targets).map(of_one).fold(0, |all, attackers| all | attackers)
}
