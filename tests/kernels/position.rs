//! Compares functions for one position, as built in and through every kernel, with the ray walk: sliders inside and
//! outside `occupied`, several kings and none.

use crate::common::{Random, on_every_backend};
use setwise::bitboard::{ByDirection, Direction};
use setwise::eval::Attacks;
use setwise::legal::{Move, MoveKind};
use setwise::position::{self, KingFacts, PositionKernel, SliderAttacksByRole};
use setwise::{ByColour, CodeMap, Colour, Kernel, Pieces, Role, leaper, reference};

on_every_backend! {
    sliders_of_random_boards
    pieces_of_random_positions
    known_positions
    mailboxes_with_other_codes
}

/// The codes of two engines, and codes in random order.
fn mailboxes_with_other_codes(kernel: Kernel) {
    let mut random = Random::new(44);
    for codes in [
        [[0, 2, 4, 6, 8, 10], [1, 3, 5, 7, 9, 11]],
        [[1, 2, 3, 4, 5, 6], [9, 10, 11, 12, 13, 14]],
        [[15, 0, 3, 9, 4, 12], [1, 14, 2, 13, 8, 7]],
    ] {
        let map = CodeMap::new(codes);
        let empty =
            (0..16).find(|byte| !codes.as_flattened().contains(byte)).expect("four are left");
        for _ in 0..1000 {
            let (mut pieces, mut mailbox) = (Pieces::EMPTY, [empty; 64]);
            for square in 0..64 {
                if random.next().is_multiple_of(2) {
                    let (colour, role) = (random.next() as usize % 2, random.next() as usize % 6);
                    pieces.put(Colour::ALL[colour], Role::ALL[role], square);
                    mailbox[usize::from(square)] = codes[colour][role];
                }
            }
            assert_eq!(kernel.position().codes(&map, &mailbox), pieces.codes());
            assert_eq!(position::codes(&map, &mailbox), pieces.codes());
            assert_eq!(mailbox.map(|byte| map.code(byte)), pieces.codes());
        }
    }
}

#[test]
#[should_panic = "a byte of its own"]
fn two_pieces_with_one_code() {
    _ = CodeMap::new([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 0]]);
}

/// The same tests for the functions with the build's own target features, without a kernel.
mod built_in {
    #[test]
    fn sliders_of_random_boards() {
        super::check_sliders(super::BuiltIn);
    }

    #[test]
    fn pieces_of_random_positions() {
        super::check_pieces(super::BuiltIn);
    }

    #[test]
    fn known_positions() {
        super::check_known(super::BuiltIn);
    }
}

fn sliders_of_random_boards(kernel: Kernel) {
    check_sliders(kernel.position());
}

fn pieces_of_random_positions(kernel: Kernel) {
    check_pieces(kernel.position());
}

fn known_positions(kernel: Kernel) {
    check_known(kernel.position());
}

/// The functions of the module `position`.
#[derive(Clone, Copy)]
struct BuiltIn;

/// All functions, to be called both ways.
macro_rules! questions {
    ($(fn $name:ident($($argument:ident: $type:ty),*) -> $answer:ty;)*) => {
        trait Ask: Copy {
            $(fn $name(self, $($argument: $type),*) -> $answer;)*
        }

        impl Ask for BuiltIn {
            $(
                fn $name(self, $($argument: $type),*) -> $answer {
                    position::$name($($argument),*)
                }
            )*
        }

        impl Ask for PositionKernel {
            $(
                fn $name(self, $($argument: $type),*) -> $answer {
                    PositionKernel::$name(self, $($argument),*)
                }
            )*
        }
    };
}

questions! {
    fn slider_attacks(orthogonal: u64, diagonal: u64, occupied: u64) -> u64;
    fn orthogonal_attacks(sliders: u64, occupied: u64) -> u64;
    fn diagonal_attacks(sliders: u64, occupied: u64) -> u64;
    fn slider_rays(orthogonal: u64, diagonal: u64, occupied: u64) -> ByDirection<u64>;
    fn slider_attacks_by_role(pieces: &Pieces) -> SliderAttacksByRole;
    fn attacks(pieces: &Pieces) -> ByColour<Attacks<u64>>;
    fn attacks_by(pieces: &Pieces, colour: Colour, occupied: u64) -> Attacks<u64>;
    fn attackers(pieces: &Pieces, colour: Colour, targets: u64, occupied: u64) -> u64;
    fn all_attackers(pieces: &Pieces, targets: u64, occupied: u64) -> u64;
    fn checkers(pieces: &Pieces, colour: Colour) -> u64;
    fn pinners(pieces: &Pieces, colour: Colour) -> u64;
    fn pinned(pieces: &Pieces, colour: Colour) -> u64;
    fn king_danger(pieces: &Pieces, colour: Colour) -> u64;
    fn king_facts(pieces: &Pieces, colour: Colour) -> KingFacts;
    fn both_king_facts(pieces: &Pieces) -> ByColour<KingFacts>;
    fn attacked(pieces: &Pieces, colour: Colour, occupied: u64) -> u64;
}

/// Unrelated sets: sliders may be inside or outside `occupied`.
fn check_sliders(ask: impl Ask) {
    let mut random = Random::new(6);
    for _ in 0..10_000 {
        let [occupied, orthogonal, diagonal] = [(); 3].map(|()| random.board());
        for occupied in [occupied, occupied | orthogonal | diagonal] {
            let at = format!("{occupied:#x} {orthogonal:#x} {diagonal:#x}");
            let expected = reference::slider_attacks(orthogonal, diagonal, occupied);
            assert_eq!(ask.slider_attacks(orthogonal, diagonal, occupied), expected, "{at}");
            let expected = reference::slider_attacks(orthogonal, 0, occupied);
            assert_eq!(ask.orthogonal_attacks(orthogonal, occupied), expected, "{at}");
            let expected = reference::slider_attacks(0, diagonal, occupied);
            assert_eq!(ask.diagonal_attacks(diagonal, occupied), expected, "{at}");
            let expected = ByDirection(Direction::ALL.map(|direction| {
                let sliders = if direction.is_orthogonal() { orthogonal } else { diagonal };
                reference::ray(sliders, direction, occupied)
            }));
            assert_eq!(ask.slider_rays(orthogonal, diagonal, occupied), expected, "{at}");
        }
    }
    for _ in 0..2_000 {
        let pieces = Pieces::from_sets([(); 8].map(|()| random.board()));
        let occupied = pieces.occupied();
        let got = ask.slider_attacks_by_role(&pieces);
        for colour in Colour::ALL {
            let sliders = |role| pieces.of(colour, role);
            let orthogonal = |role| reference::slider_attacks(sliders(role), 0, occupied);
            let diagonal = |role| reference::slider_attacks(0, sliders(role), occupied);
            let at = format!("{colour:?}: {pieces:x?}");
            assert_eq!(got.orthogonal[colour].rook, orthogonal(Role::Rook), "{at}");
            assert_eq!(got.orthogonal[colour].queen, orthogonal(Role::Queen), "{at}");
            assert_eq!(got.diagonal[colour].bishop, diagonal(Role::Bishop), "{at}");
            assert_eq!(got.diagonal[colour].queen, diagonal(Role::Queen), "{at}");
        }
    }
}

/// Positions with any number of pieces of every kind.
fn check_pieces(ask: impl Ask) {
    let mut random = Random::new(7);
    for round in 0..4_000 {
        let pieces = crowd(&mut random, round % 8 == 0);
        let occupied = pieces.occupied();
        let expected = ByColour::new(|colour| maps(&pieces, colour, occupied));
        assert_eq!(ask.attacks(&pieces), expected);
        // Half of the time a single target, which other code answers.
        let targets = if round % 2 == 0 { random.board() } else { 1 << random.below(64) };
        let blockers = random.board();
        for occupied in [occupied, blockers] {
            let hits = |&square: &u8| {
                pieces.at(square).is_some() && attacks_of(&pieces, square, occupied) & targets != 0
            };
            let expected: u64 = (0..64).filter(hits).map(|square| 1 << square).sum();
            let got = ask.all_attackers(&pieces, targets, occupied);
            assert_eq!(got, expected, "all attackers: {pieces:x?} {targets:#x} {occupied:#x}");
        }
        for colour in Colour::ALL {
            let own = |square: u8| pieces.at(square).is_some_and(|(of, _)| of == colour);
            let attackers = |targets: u64, occupied: u64| -> u64 {
                let hits = |&square: &u8| {
                    own(square) && attacks_of(&pieces, square, occupied) & targets != 0
                };
                (0..64).filter(hits).map(|square| 1 << square).sum()
            };
            let at = format!("{pieces:x?} {colour:?} {targets:#x}");
            for occupied in [occupied, blockers, occupied & blockers] {
                let expected = attackers(targets, occupied);
                let got = ask.attackers(&pieces, colour, targets, occupied);
                assert_eq!(got, expected, "attackers: {at} {occupied:#x}");
                let sliders = pieces.orthogonal(colour) | pieces.diagonal(colour);
                let expected = maps(&pieces, colour, occupied | sliders);
                let got = ask.attacks_by(&pieces, colour, occupied);
                assert_eq!(got, expected, "attacks by one side: {at} {occupied:#x}");
                let got = ask.attacked(&pieces, colour, occupied);
                assert_eq!(got, expected.all, "attacked: {at} {occupied:#x}");
            }
            let other = colour.opponent();
            let kings = pieces.of(other, Role::King);
            let expected = attackers(kings, pieces.occupied());
            assert_eq!(ask.checkers(&pieces, other), expected, "checkers: {at}");
            let expected = (0..64)
                .filter(|&square| own(square))
                .fold(0, |all, from| all | attacks_of(&pieces, from, pieces.occupied() & !kings));
            assert_eq!(ask.king_danger(&pieces, other), expected, "king danger: {at}");
            let [expected, pinners, discoverers] = pins(&pieces, colour);
            assert_eq!(ask.pinned(&pieces, colour), expected, "pinned: {at}");
            assert_eq!(ask.pinners(&pieces, colour), pinners, "pinners: {at}");
            let facts = ask.king_facts(&pieces, colour);
            assert_eq!(facts.checkers, ask.checkers(&pieces, colour), "{at}");
            assert_eq!([facts.pinned, facts.pinners], [expected, pinners], "{at}");
            assert_eq!(facts.discoverers, discoverers, "{at}");
            assert_eq!(facts.danger, ask.king_danger(&pieces, colour), "{at}");
            let kings = pieces.of(colour, Role::King);
            for (role, squares) in Role::ALL.into_iter().zip(facts.checking_squares) {
                let checks = |&square: &u8| {
                    let mut alone = Pieces::EMPTY;
                    alone.put(other, role, square);
                    attacks_of(&alone, square, pieces.occupied()) & kings != 0
                };
                let expected = (0..64).filter(checks).fold(0, |all, square| all | 1 << square);
                let expected = if role == Role::King { 0 } else { expected };
                assert_eq!(squares, expected, "checking squares of {role:?}s: {at}");
            }
        }
        let both = ask.both_king_facts(&pieces);
        assert_eq!(both, ByColour::new(|colour| ask.king_facts(&pieces, colour)));
    }
}

fn check_known(ask: impl Ask) {
    assert_eq!(
        ask.attacks(&Pieces::EMPTY),
        ByColour::new(|colour| maps(&Pieces::EMPTY, colour, 0))
    );
    for colour in Colour::ALL {
        for pieces in [Pieces::EMPTY, Pieces::START] {
            assert_eq!(ask.checkers(&pieces, colour), 0);
            assert_eq!(ask.pinned(&pieces, colour), 0);
            assert_eq!(ask.pinners(&pieces, colour), 0);
        }
        assert_eq!(ask.king_danger(&Pieces::EMPTY, colour), 0);
    }
    let ByColour { white, black } = ask.attacks(&Pieces::START);
    assert_eq!(white, maps(&Pieces::START, Colour::White, Pieces::START.occupied()));
    assert_eq!(white.all, 0x00ff_ff7e);
    assert_eq!([black.all, black.twice], [white.all, white.twice].map(u64::swap_bytes));
}

/// At most one piece per square, with no kings, one per side, or many.
fn crowd(random: &mut Random, crowded: bool) -> Pieces {
    let mut pieces = Pieces::EMPTY;
    let empty = if crowded { 0 } else { random.board() & random.board() };
    let kings = random.below(3);
    let edges = [0, 7, 56, 63, 3, 24, 39, 60];
    if kings == 1 {
        for colour in Colour::ALL {
            let any = random.below(64) as u8;
            let square = if random.below(2) == 0 { edges[random.below(8)] } else { any };
            if pieces.at(square).is_none() {
                pieces.put(colour, Role::King, square);
            }
        }
    }
    let roles = if kings == 2 { 6 } else { 5 };
    for square in 0..64 {
        let wanted = crowded || (empty >> square & 1 == 1) || random.below(6) == 0;
        if wanted && pieces.at(square).is_none() {
            pieces.put(Colour::ALL[random.below(2)], Role::ALL[random.below(roles)], square);
        }
    }
    pieces
}

/// The squares that the piece on a square attacks.
fn attacks_of(pieces: &Pieces, square: u8, occupied: u64) -> u64 {
    let (colour, role) = pieces.at(square).expect("a piece");
    let slides = |directions: &[Direction]| {
        directions.iter().fold(0, |seen, &way| seen | reference::ray_from(square, way, occupied))
    };
    match role {
        Role::Pawn => leaper::PAWN_ATTACKS[colour as usize][usize::from(square)],
        Role::Knight => leaper::KNIGHT_ATTACKS[usize::from(square)],
        Role::Bishop => slides(&Direction::ALL[4..]),
        Role::Rook => slides(&Direction::ALL[..4]),
        Role::Queen => slides(&Direction::ALL),
        Role::King => leaper::KING_ATTACKS[usize::from(square)],
    }
}

/// The attack maps of a side, piece by piece.
fn maps(pieces: &Pieces, colour: Colour, occupied: u64) -> Attacks<u64> {
    let mut maps =
        Attacks { pawn: 0, knight: 0, bishop: 0, rook: 0, queen: 0, king: 0, all: 0, twice: 0 };
    for square in 0..64 {
        let Some((_, role)) = pieces.at(square).filter(|&(of, _)| of == colour) else { continue };
        let seen = attacks_of(pieces, square, occupied);
        maps.twice |= maps.all & seen;
        maps.all |= seen;
        let map = match role {
            Role::Pawn => &mut maps.pawn,
            Role::Knight => &mut maps.knight,
            Role::Bishop => &mut maps.bishop,
            Role::Rook => &mut maps.rook,
            Role::Queen => &mut maps.queen,
            Role::King => &mut maps.king,
        };
        *map |= seen;
    }
    maps
}

/// The pinned pieces of a side, the enemy sliders that pin them, and the enemy pieces that shield the king from such a
/// slider: walks from each king to the first piece, then past it to the next.
fn pins(pieces: &Pieces, colour: Colour) -> [u64; 3] {
    let kings = pieces.of(colour, Role::King);
    let (mut pinned, mut pinners, mut discoverers) = (0, 0, 0);
    for king in (0..64).filter(|king| kings >> king & 1 == 1) {
        for direction in Direction::ALL {
            let occupied = pieces.occupied();
            let first = reference::ray_from(king, direction, occupied) & occupied;
            let behind = reference::ray_from(king, direction, occupied & !first);
            let kind = if direction.is_orthogonal() { Role::Rook } else { Role::Bishop };
            let sliders = pieces.role(kind) | pieces.queens;
            let pinner = behind & occupied & !first & pieces.colour(colour.opponent()) & sliders;
            if pinner != 0 && first & pieces.colour(colour) == 0 {
                discoverers |= first;
            } else if pinner != 0 {
                pinned |= first;
                pinners |= pinner;
            }
        }
    }
    [pinned, pinners, discoverers]
}

/// A mailbox on which exchanges are played out.
type Board = [Option<(Colour, Role)>; 64];

/// The gain of `side` from captures on a square, if both sides capture with their least valuable piece or stop.
fn exchange(board: &Board, square: u8, side: Colour, values: &[i32; 6]) -> i32 {
    let occupied = (0..64).filter(|&at| board[at].is_some()).fold(0, |all, at| all | 1 << at);
    let attackers = |side| {
        (0..64_u8).filter(move |&from| {
            let Some((colour, role)) = board[usize::from(from)] else { return false };
            let mut alone = Pieces::EMPTY;
            alone.put(colour, role, from);
            colour == side && attacks_of(&alone, from, occupied) >> square & 1 == 1
        })
    };
    let role_of = |from: &u8| board[usize::from(*from)].expect("a piece").1;
    let Some(from) = attackers(side).min_by_key(role_of) else { return 0 };
    if role_of(&from) == Role::King && attackers(side.opponent()).next().is_some() {
        return 0;
    }
    let taken = board[usize::from(square)].expect("a piece to take").1;
    let mut after = *board;
    after[usize::from(square)] = after[usize::from(from)].take();
    (values[taken as usize] - exchange(&after, square, side.opponent(), values)).max(0)
}

#[test]
fn exchanges_are_those_of_the_plain_recursion() {
    let mut random = Random::new(44);
    let kernels: Vec<_> = Kernel::available().map(Kernel::position).collect();
    let (mut deep, mut special) = (0, 0);
    for round in 0..3_000 {
        let pieces = crowd(&mut random, round % 8 == 0);
        let board: Board = std::array::from_fn(|square| pieces.at(square as u8));
        let values = match round % 3 {
            0 => [100, 300, 300, 500, 900, 0],
            1 => [208, 781, 825, 1276, 2538, 30_000],
            _ => [(); 6].map(|()| random.below(9) as i32),
        };
        for from in (0..64_u8).filter(|&from| board[usize::from(from)].is_some()) {
            let (side, role) = board[usize::from(from)].expect("a piece");
            for to in 0..64_u8 {
                let pawn = role == Role::Pawn && from % 8 != to % 8;
                let passes = pawn && board[usize::from(to)].is_none();
                let kind = if passes {
                    MoveKind::EnPassant
                } else if role == Role::Pawn && matches!(to / 8, 0 | 7) {
                    MoveKind::Promotion(Role::ALL[1 + random.below(4)])
                } else {
                    MoveKind::Normal
                };
                let seen = attacks_of(&pieces, from, pieces.occupied()) >> to & 1 == 1;
                let steps = role == Role::Pawn && from.abs_diff(to) == 8;
                let own = board[usize::from(to)].is_some_and(|(of, _)| of == side);
                if own || !(seen || steps) || passes && board[usize::from(to ^ 8)].is_none() {
                    continue;
                }
                let (mut after, mut won) = (board, 0);
                let victim = if passes { to ^ 8 } else { to };
                // En passant wins a pawn, whatever piece is on the square.
                let taken = after[usize::from(victim)].take().map(|(_, taken)| taken);
                won += taken.map_or(0, |taken| values[if passes { 0 } else { taken as usize }]);
                after[usize::from(from)] = None;
                after[usize::from(to)] = Some((side, role));
                if let MoveKind::Promotion(becomes) = kind {
                    after[usize::from(to)] = Some((side, becomes));
                    won += values[becomes as usize] - values[0];
                }
                let lost = exchange(&after, to, side.opponent(), &values);
                let played = Move::new(from, to, kind);
                for threshold in [won - lost, won - lost + 1, won - lost - 1, 0, 1, -1] {
                    let got = position::see(&pieces, played, &values, threshold);
                    let kernel = kernels[random.below(kernels.len())];
                    let by_kernel = kernel.see(&pieces, played, &values, threshold);
                    assert_eq!(got, by_kernel, "{kernel:?}: {played} >= {threshold}: {pieces:x?}");
                    assert_eq!(
                        got,
                        won - lost >= threshold,
                        "{played} >= {threshold}: {pieces:x?}"
                    );
                }
                deep += usize::from(lost > 0);
                special += usize::from(kind != MoveKind::Normal);
            }
        }
    }
    assert!(deep > 10_000 && special > 1_000, "{deep} exchanges, {special} special moves");
}

#[test]
fn exchanges_of_nonsense_win_nothing() {
    let castling = Move::new(4, 6, MoveKind::Castling);
    let from_nowhere = Move::new(30, 52, MoveKind::Normal);
    for (played, threshold) in [(castling, i32::MAX), (from_nowhere, 1)] {
        let values = [i32::MAX; 6];
        assert!(!position::see(&Pieces::START, played, &values, threshold));
        assert!(position::see(&Pieces::START, played, &values, 0));
        assert!(position::see(&Pieces::START, played, &values, i32::MIN));
    }
}
