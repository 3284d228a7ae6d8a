//! The groups for calls at a node. The rival is the usual loop of an engine, with cozy-chess's tables.

use core::hint::black_box;

use cozy_chess::{BitBoard, Board, Piece, Square};
use setwise::legal::{Move, MoveKind, State};
use setwise::position::{self, KingFacts, PositionKernel};
use setwise::{Colour, Kernel, Pieces, Role, leaper};

use crate::support::columns::AlignedColumn;
use crate::support::groups::{Group, Implementation};
use crate::support::inputs::{Dataset, Reads, from_cozy};
use crate::support::rivals::squares::magic_maps;

/// All groups: those that ask about each side, and those that ask about a move.
pub fn groups() -> Vec<Group> {
    /// The question's name, the usual loop, and our call, a function of `position` and a method of a kernel.
    macro_rules! side {
        ($name:literal, $usual:expr, |$pieces:ident, $colour:ident| $call:ident($($argument:expr),*)) => {
            sides(
                $name,
                $usual,
                |$pieces, $colour| position::$call($($argument),*),
                |kernel, $pieces, $colour| kernel.$call($($argument),*),
            )
        };
    }
    vec![
        side!("call-pinned", usual_pinned, |pieces, colour| pinned(pieces, colour)),
        side!(
            "call-checkers",
            |pieces, colour| {
                let king = square(pieces.of(colour, Role::King));
                usual_attackers(pieces, king, pieces.occupied()) & pieces.colour(!colour)
            },
            |pieces, colour| checkers(pieces, colour)
        ),
        side!(
            "call-attackers",
            |pieces, colour| {
                let target = square(target(pieces, colour));
                usual_attackers(pieces, target, pieces.occupied()) & pieces.colour(colour)
            },
            |pieces, colour| attackers(pieces, colour, target(pieces, colour), pieces.occupied())
        ),
        side!(
            "call-all-attackers",
            |pieces, colour| usual_attackers(
                pieces,
                square(target(pieces, colour)),
                pieces.occupied()
            ),
            |pieces, colour| all_attackers(pieces, target(pieces, colour), pieces.occupied())
        ),
        side!("call-attacked", usual_attacked, |pieces, colour| attacked(
            pieces,
            colour,
            pieces.occupied()
        )),
        sides(
            "call-attacks-by",
            |pieces, colour| mixed(magic_maps(pieces, colour)),
            |pieces, colour| {
                mixed(position::attacks_by(pieces, colour, pieces.occupied()).into_array())
            },
            |kernel, pieces, colour| {
                mixed(kernel.attacks_by(pieces, colour, pieces.occupied()).into_array())
            },
        ),
        sides(
            "call-king-facts",
            |pieces, colour| mixed(usual_facts(pieces, colour)),
            |pieces, colour| mixed(sets(&position::king_facts(pieces, colour))),
            |kernel, pieces, colour| mixed(sets(&kernel.king_facts(pieces, colour))),
        ),
        moves(
            "call-see",
            |node| usual_see(&node.pieces, node.played, 0).into(),
            |node| position::see(&node.pieces, node.played, &VALUES, 0).into(),
            |kernel, node| kernel.see(&node.pieces, node.played, &VALUES, 0).into(),
        ),
        moves(
            "call-play",
            |node| {
                let mut board = node.board.clone();
                board.play_unchecked(node.cozy_move);
                mixed(from_cozy(black_box(&board)).sets())
            },
            |node| {
                let after = position::play(&node.pieces, node.state, node.played);
                mixed(black_box(&after).0.sets())
            },
            |kernel, node| {
                let after = kernel.play(&node.pieces, node.state, node.played);
                mixed(black_box(&after).0.sets())
            },
        ),
    ]
}

/// The group of a question about each side of a position, whose answer is a word.
fn sides(
    name: &'static str,
    usual: impl Fn(&Pieces, Colour) -> u64 + 'static,
    inlined: impl Fn(&Pieces, Colour) -> u64 + 'static,
    by_kernel: impl Fn(PositionKernel, &Pieces, Colour) -> u64 + 'static,
) -> Group {
    fn of(name: &str, answer: impl Fn(&Pieces, Colour) -> u64 + 'static) -> Implementation {
        Implementation::new(name, 1, move |dataset: &Dataset, answers| {
            let (rows, _) = answers[0].as_chunks_mut::<2>();
            // The side to move first, as in a search: a colour that the compiler knows would spare some calls a branch.
            for ((row, pieces), state) in rows.iter_mut().zip(&dataset.rows).zip(&dataset.states) {
                *row = [state.turn(), !state.turn()].map(|colour| answer(pieces, colour));
            }
        })
    }
    let kernel = Kernel::detect().position();
    let in_hand = of("in-hand", move |pieces, colour| by_kernel(kernel, pieces, colour));
    let implementations = vec![of("usual-loop", usual), of("inlined", inlined), in_hand];
    Group { name, reads: Reads::Legal, columns: 1, per_board: 2, implementations }
}

/// A position, here and in cozy-chess, and a move in it.
struct Node {
    pieces: Pieces,
    state: State,
    played: Move,
    board: Board,
    cozy_move: cozy_chess::Move,
}

impl Node {
    /// The last capture, or the last move, which is not castling; a null move if there is none.
    fn of(pieces: Pieces, state: State, board: &Board) -> Self {
        let legal = position::legal_unchecked(&pieces, state);
        let moves = legal.quiets().moves().chain(legal.captures().moves());
        let played = moves.filter(|played| played.kind() != MoveKind::Castling).last();
        let played = played.unwrap_or(Move::new(0, 0, MoveKind::Normal));
        let promotion = match played.kind() {
            MoveKind::Promotion(role) => Some(Piece::ALL[role as usize]),
            _ => None,
        };
        let [from, to] = [played.from(), played.to()].map(|at| Square::index(at.into()));
        let cozy_move = cozy_chess::Move { from, to, promotion };
        Self { pieces, state, played, board: board.clone(), cozy_move }
    }
}

/// The group of a question about a move, whose answer is a word. Positions without a move have the answer 0.
fn moves(
    name: &'static str,
    usual: impl Fn(&Node) -> u64 + 'static,
    inlined: impl Fn(&Node) -> u64 + 'static,
    by_kernel: impl Fn(PositionKernel, &Node) -> u64 + 'static,
) -> Group {
    fn of(name: &str, answer: impl Fn(&Node) -> u64 + 'static) -> Implementation {
        let prepare = |nodes: &mut Vec<Node>, dataset: &Dataset| {
            let rows = dataset.rows.iter().zip(&dataset.states).zip(&dataset.boards);
            nodes.clear();
            nodes.extend(rows.map(|((&pieces, &state), board)| Node::of(pieces, state, board)));
        };
        let run = move |nodes: &mut Vec<Node>, _: &Dataset, answers: &mut [AlignedColumn]| {
            for (to, node) in answers[0].iter_mut().zip(nodes) {
                *to = if node.played.from() == node.played.to() { 0 } else { answer(node) };
            }
        };
        Implementation::with_state(name, 1, Vec::new(), prepare, run, |_, _| ())
    }
    let kernel = Kernel::detect().position();
    let in_hand = of("in-hand", move |node| by_kernel(kernel, node));
    let implementations = vec![of("usual-loop", usual), of("inlined", inlined), in_hand];
    Group { name, reads: Reads::Legal, columns: 1, per_board: 1, implementations }
}

/// A square to ask about, which depends on the position and on the side: the compiler would share look-ups of one square.
fn target(pieces: &Pieces, colour: Colour) -> u64 {
    1 << (pieces.colour(colour).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58)
}

/// One word for several.
fn mixed<const N: usize>(words: [u64; N]) -> u64 {
    words.into_iter().fold(0, |mixed: u64, word| mixed.rotate_left(7) ^ word)
}

/// What [`usual_facts`] computes.
fn sets(facts: &KingFacts) -> [u64; 6] {
    let [_, _, bishop, rook, ..] = facts.checking_squares;
    [facts.checkers, facts.pinned, facts.pinners, facts.danger, bishop, rook]
}

fn square(set: u64) -> Square {
    Square::index(set.trailing_zeros() as usize & 63)
}

/// Looks for sliders on the king's empty lines, and for each at the pieces in between.
#[inline(always)]
fn usual_pinned(pieces: &Pieces, colour: Colour) -> u64 {
    usual_pins(pieces, colour).0
}

/// The pinned pieces and the pinners.
#[inline(always)]
fn usual_pins(pieces: &Pieces, colour: Colour) -> (u64, u64) {
    let king = square(pieces.of(colour, Role::King));
    let (occupied, own) = (pieces.occupied(), pieces.colour(colour));
    let snipers = cozy_chess::get_rook_rays(king).0 & pieces.orthogonal(!colour)
        | cozy_chess::get_bishop_rays(king).0 & pieces.diagonal(!colour);
    let (mut pinned, mut pinners) = (0, 0);
    for sniper in BitBoard(snipers) {
        let between = cozy_chess::get_between_rays(king, sniper).0 & occupied;
        if between.is_power_of_two() && between & own != 0 {
            pinned |= between;
            pinners |= 1 << sniper as u32;
        }
    }
    (pinned, pinners)
}

/// Looks up what each role would attack from a square.
#[inline(always)]
fn usual_attackers(pieces: &Pieces, square: Square, occupied: u64) -> u64 {
    let occupied = BitBoard(occupied);
    let pawns = |colour: Colour| leaper::PAWN_ATTACKS[colour as usize][square as usize];
    cozy_chess::get_rook_moves(square, occupied).0 & (pieces.rooks | pieces.queens)
        | cozy_chess::get_bishop_moves(square, occupied).0 & (pieces.bishops | pieces.queens)
        | cozy_chess::get_knight_moves(square).0 & pieces.knights
        | cozy_chess::get_king_moves(square).0 & pieces.kings
        | pawns(Colour::Black) & pieces.pawns & pieces.white
        | pawns(Colour::White) & pieces.pawns & pieces.black
}

/// Loops over the pieces, but takes all pawns together.
#[inline(always)]
fn usual_attacked(pieces: &Pieces, colour: Colour) -> u64 {
    attacked_with(pieces, colour, BitBoard(pieces.occupied()))
}

#[inline(always)]
fn attacked_with(pieces: &Pieces, colour: Colour, occupied: BitBoard) -> u64 {
    let mut attacked = leaper::pawns(colour, pieces.of(colour, Role::Pawn));
    for square in BitBoard(pieces.of(colour, Role::Knight)) {
        attacked |= cozy_chess::get_knight_moves(square).0;
    }
    for square in BitBoard(pieces.diagonal(colour)) {
        attacked |= cozy_chess::get_bishop_moves(square, occupied).0;
    }
    for square in BitBoard(pieces.orthogonal(colour)) {
        attacked |= cozy_chess::get_rook_moves(square, occupied).0;
    }
    for square in BitBoard(pieces.of(colour, Role::King)) {
        attacked |= cozy_chess::get_king_moves(square).0;
    }
    attacked
}

/// Checkers, pinned pieces, pinners, danger, and the squares from which bishops and rooks give check.
#[inline(always)]
fn usual_facts(pieces: &Pieces, colour: Colour) -> [u64; 6] {
    let king = pieces.of(colour, Role::King);
    let (occupied, (pinned, pinners)) = (pieces.occupied(), usual_pins(pieces, colour));
    let checkers = usual_attackers(pieces, square(king), occupied) & pieces.colour(!colour);
    let danger = attacked_with(pieces, !colour, BitBoard(occupied & !king));
    let (king, occupied) = (square(king), BitBoard(occupied));
    let bishop = cozy_chess::get_bishop_moves(king, occupied).0;
    [checkers, pinned, pinners, danger, bishop, cozy_chess::get_rook_moves(king, occupied).0]
}

/// The values of a pawn to a king.
const VALUES: [i32; 6] = [100, 300, 300, 500, 900, 0];

/// Captures in turn on the square of a move, with a look-up after each capture that may uncover a slider.
#[inline(always)]
fn usual_see(pieces: &Pieces, played: Move, threshold: i32) -> bool {
    let (from, to) = (1 << played.from(), Square::index(played.to().into()));
    let value = |square| pieces.at(square).map_or(0, |(_, role)| VALUES[role as usize]);
    let mut occupied = (pieces.occupied() & !from) | 1 << played.to();
    let mut ahead = value(played.to()) - threshold;
    let mut mover = value(played.from());
    match played.kind() {
        MoveKind::EnPassant => {
            occupied &= !(1 << (played.to() ^ 8));
            ahead += VALUES[0];
        }
        MoveKind::Promotion(role) => {
            mover = VALUES[role as usize];
            ahead += mover - VALUES[0];
        }
        MoveKind::Normal | MoveKind::Castling => {}
    }
    if ahead < 0 {
        return false;
    }
    ahead = mover - ahead;
    if ahead <= 0 {
        return true;
    }
    let (orthogonal, diagonal) = (pieces.rooks | pieces.queens, pieces.bishops | pieces.queens);
    let mut attackers = usual_attackers(pieces, to, occupied);
    let mut side = if pieces.white & from == 0 { Colour::White } else { Colour::Black };
    let mut holds = true;
    while ahead >= i32::from(holds) {
        attackers &= occupied;
        let own = attackers & pieces.colour(side);
        let Some(role) = Role::ALL.into_iter().find(|&role| own & pieces.role(role) != 0) else {
            break;
        };
        if role == Role::King && attackers & pieces.colour(!side) != 0 {
            break;
        }
        let capturers = own & pieces.role(role);
        occupied ^= capturers & capturers.wrapping_neg();
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            attackers |= cozy_chess::get_bishop_moves(to, BitBoard(occupied)).0 & diagonal;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            attackers |= cozy_chess::get_rook_moves(to, BitBoard(occupied)).0 & orthogonal;
        }
        holds = !holds;
        ahead = VALUES[role as usize] - ahead;
        side = !side;
    }
    holds
}
