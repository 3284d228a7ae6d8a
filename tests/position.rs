//! Questions about one position, as the build has them and through every kernel, against the ray walk:
//! sliders inside and outside `occupied`, several kings and none.

mod common;

use common::{Random, on_every_backend};
use setwise::bitboard::Direction;
use setwise::maps::Attacks;
use setwise::position::{self, OnePosition};
use setwise::{Colour, Kernel, Pieces, Role, leaper, reference};

on_every_backend! {
    sliders_of_random_boards
    men_of_random_positions
    known_positions
}

/// The same tests for what the build's own target features allow, without a kernel.
mod built_in {
    #[test]
    fn sliders_of_random_boards() {
        super::check_sliders(super::BuiltIn);
    }

    #[test]
    fn men_of_random_positions() {
        super::check_men(super::BuiltIn);
    }

    #[test]
    fn known_positions() {
        super::check_known(super::BuiltIn);
    }
}

fn sliders_of_random_boards(kernel: Kernel) {
    check_sliders(kernel.position());
}

fn men_of_random_positions(kernel: Kernel) {
    check_men(kernel.position());
}

fn known_positions(kernel: Kernel) {
    check_known(kernel.position());
}

/// The functions of the module `position`.
#[derive(Clone, Copy)]
struct BuiltIn;

/// All questions, to be asked both ways.
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

        impl Ask for OnePosition {
            $(
                fn $name(self, $($argument: $type),*) -> $answer {
                    OnePosition::$name(self, $($argument),*)
                }
            )*
        }
    };
}

questions! {
    fn slider_attacks(occupied: u64, orthogonal: u64, diagonal: u64) -> u64;
    fn orthogonal_attacks(occupied: u64, sliders: u64) -> u64;
    fn diagonal_attacks(occupied: u64, sliders: u64) -> u64;
    fn slider_rays(occupied: u64, orthogonal: u64, diagonal: u64) -> [u64; 8];
    fn slider_sets(pieces: &Pieces) -> [[u64; 4]; 2];
    fn attacks(pieces: &Pieces) -> [Attacks<u64>; 2];
    fn attackers(pieces: &Pieces, targets: u64, colour: Colour) -> u64;
    fn checkers(pieces: &Pieces, colour: Colour) -> u64;
    fn pinned(pieces: &Pieces, colour: Colour) -> u64;
    fn king_danger(pieces: &Pieces, colour: Colour) -> u64;
}

/// Raw sets, related in no way: sliders stand in `occupied` or not.
fn check_sliders(ask: impl Ask) {
    let mut random = Random(6);
    for _ in 0..10_000 {
        let [occupied, orthogonal, diagonal] = [(); 3].map(|()| random.board());
        for occupied in [occupied, occupied | orthogonal | diagonal] {
            let at = format!("{occupied:#x} {orthogonal:#x} {diagonal:#x}");
            let expected = reference::slider_attacks(occupied, orthogonal, diagonal);
            assert_eq!(ask.slider_attacks(occupied, orthogonal, diagonal), expected, "{at}");
            let expected = reference::slider_attacks(occupied, orthogonal, 0);
            assert_eq!(ask.orthogonal_attacks(occupied, orthogonal), expected, "{at}");
            let expected = reference::slider_attacks(occupied, 0, diagonal);
            assert_eq!(ask.diagonal_attacks(occupied, diagonal), expected, "{at}");
            let expected = Direction::ALL.map(|direction| {
                let sliders = if direction.is_orthogonal() { orthogonal } else { diagonal };
                reference::ray(sliders, direction, occupied)
            });
            assert_eq!(ask.slider_rays(occupied, orthogonal, diagonal), expected, "{at}");
        }
    }
    for _ in 0..2_000 {
        let pieces = Pieces::from_sets([(); 8].map(|()| random.board()));
        let occupied = pieces.occupied();
        let [orthogonal, diagonal] = ask.slider_sets(&pieces);
        for (i, role) in [Role::Rook, Role::Queen, Role::Rook, Role::Queen].into_iter().enumerate()
        {
            let sliders = pieces.of(Colour::ALL[i / 2], role);
            let expected = reference::slider_attacks(occupied, sliders, 0);
            assert_eq!(orthogonal[i], expected, "{i}: {pieces:x?}");
        }
        for (i, role) in
            [Role::Bishop, Role::Queen, Role::Bishop, Role::Queen].into_iter().enumerate()
        {
            let sliders = pieces.of(Colour::ALL[i / 2], role);
            let expected = reference::slider_attacks(occupied, 0, sliders);
            assert_eq!(diagonal[i], expected, "{i}: {pieces:x?}");
        }
    }
}

/// Positions with any number of men of every kind.
fn check_men(ask: impl Ask) {
    let mut random = Random(7);
    for round in 0..4_000 {
        let pieces = men(&mut random, round % 8 == 0);
        assert_eq!(ask.attacks(&pieces), Colour::ALL.map(|colour| maps(&pieces, colour)));
        let targets = random.board();
        for colour in Colour::ALL {
            let own = |square: usize| pieces.at(square).is_some_and(|(of, _)| of == colour);
            let attackers = |targets: u64, occupied: u64| -> u64 {
                let hits = |&square: &usize| {
                    own(square) && attacks_of(&pieces, square, occupied) & targets != 0
                };
                (0..64).filter(hits).map(|square| 1 << square).sum()
            };
            let at = format!("{pieces:x?} {colour:?} {targets:#x}");
            let expected = attackers(targets, pieces.occupied());
            assert_eq!(ask.attackers(&pieces, targets, colour), expected, "attackers: {at}");
            let other = colour.opponent();
            let kings = pieces.of(other, Role::King);
            let expected = attackers(kings, pieces.occupied());
            assert_eq!(ask.checkers(&pieces, other), expected, "checkers: {at}");
            let expected = (0..64)
                .filter(|&square| own(square))
                .fold(0, |all, from| all | attacks_of(&pieces, from, pieces.occupied() & !kings));
            assert_eq!(ask.king_danger(&pieces, other), expected, "king danger: {at}");
            assert_eq!(ask.pinned(&pieces, colour), pinned(&pieces, colour), "pinned: {at}");
        }
    }
}

fn check_known(ask: impl Ask) {
    assert_eq!(ask.attacks(&Pieces::EMPTY), [maps(&Pieces::EMPTY, Colour::White); 2]);
    for colour in Colour::ALL {
        for pieces in [Pieces::EMPTY, Pieces::START] {
            assert_eq!(ask.checkers(&pieces, colour), 0);
            assert_eq!(ask.pinned(&pieces, colour), 0);
        }
        assert_eq!(ask.king_danger(&Pieces::EMPTY, colour), 0);
    }
    let [white, black] = ask.attacks(&Pieces::START);
    assert_eq!(white, maps(&Pieces::START, Colour::White));
    assert_eq!(white.all, 0x00ff_ff7e);
    assert_eq!([black.all, black.twice], [white.all, white.twice].map(u64::swap_bytes));
}

/// At most one man on a square; at times no kings, one each, or many.
fn men(random: &mut Random, crowded: bool) -> Pieces {
    let mut pieces = Pieces::EMPTY;
    let empty = if crowded { 0 } else { random.board() & random.board() };
    let kings = random.below(3);
    let edges = [0, 7, 56, 63, 3, 24, 39, 60];
    if kings == 1 {
        for colour in Colour::ALL {
            let square =
                if random.below(2) == 0 { edges[random.below(8)] } else { random.below(64) };
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

/// What the man on a square attacks.
fn attacks_of(pieces: &Pieces, square: usize, occupied: u64) -> u64 {
    let (colour, role) = pieces.at(square).expect("a man");
    let slides = |directions: &[Direction]| {
        directions.iter().fold(0, |seen, &way| seen | reference::ray_from(square, way, occupied))
    };
    match role {
        Role::Pawn => leaper::PAWN_ATTACKS[colour as usize][square],
        Role::Knight => leaper::KNIGHT_ATTACKS[square],
        Role::Bishop => slides(&Direction::ALL[4..]),
        Role::Rook => slides(&Direction::ALL[..4]),
        Role::Queen => slides(&Direction::ALL),
        Role::King => leaper::KING_ATTACKS[square],
    }
}

/// The attack maps of a side, man by man.
fn maps(pieces: &Pieces, colour: Colour) -> Attacks<u64> {
    let mut maps =
        Attacks { pawn: 0, knight: 0, bishop: 0, rook: 0, queen: 0, king: 0, all: 0, twice: 0 };
    for square in 0..64 {
        let Some((_, role)) = pieces.at(square).filter(|&(of, _)| of == colour) else { continue };
        let seen = attacks_of(pieces, square, pieces.occupied());
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

/// The pinned men of a side: walk from each king to the first man, and past him to the next.
fn pinned(pieces: &Pieces, colour: Colour) -> u64 {
    let kings = pieces.of(colour, Role::King);
    let mut pinned = 0;
    for king in (0..64).filter(|king| kings >> king & 1 == 1) {
        for direction in Direction::ALL {
            let occupied = pieces.occupied();
            let first = reference::ray_from(king, direction, occupied) & occupied;
            if first & pieces.colour(colour) == 0 {
                continue;
            }
            let behind = reference::ray_from(king, direction, occupied & !first);
            let kind = if direction.is_orthogonal() { Role::Rook } else { Role::Bishop };
            let sliders = pieces.role(kind) | pieces.queens;
            if behind & occupied & !first & pieces.colour(colour.opponent()) & sliders != 0 {
                pinned |= first;
            }
        }
    }
    pinned
}
