//! Legal moves in the simplest way: for every piece and square, play the move, then test whether the king is attacked.

use setwise::{Colour, Pieces, Role};

use super::oracles::{Cell, State, attacks_of_a_piece, squares};

type Square = Option<(Colour, Role)>;

/// The piece on each square; `None` if a square has two pieces, a role without a colour, or a colour without a role.
fn board_of(pieces: &Pieces) -> Option<[Square; 64]> {
    let mut board = [None; 64];
    for (square, place) in board.iter_mut().enumerate() {
        let has = |set: u64| set >> square & 1 == 1;
        let roles: Vec<Role> =
            Role::ALL.into_iter().filter(|&role| has(pieces.role(role))).collect();
        let colours: Vec<Colour> =
            Colour::ALL.into_iter().filter(|&colour| has(pieces.colour(colour))).collect();
        match (&roles[..], &colours[..]) {
            ([], []) => {}
            (&[role], &[colour]) => *place = Some((colour, role)),
            _ => return None,
        }
    }
    Some(board)
}

/// Returns whether a piece of a colour attacks a square.
fn is_attacked(board: &[Square; 64], square: u8, by: Colour) -> bool {
    let occupied = (0..64).filter(|&at| board[at].is_some()).fold(0, |set, at| set | 1 << at);
    (0..64).any(|from| match board[usize::from(from)] {
        Some((colour, role)) if colour == by => {
            attacks_of_a_piece(colour, role, from, occupied) >> square & 1 == 1
        }
        _ => false,
    })
}

/// The square of a colour's only king.
fn king_of(board: &[Square; 64], colour: Colour) -> Option<u8> {
    let kings: Vec<u8> =
        (0..64).filter(|&at| board[usize::from(at)] == Some((colour, Role::King))).collect();
    if let [king] = kings[..] { Some(king) } else { None }
}

/// The legal moves in order, in 16 bits; `None` if the position is invalid.
pub(crate) fn moves(pieces: &Pieces, state: State) -> Option<Vec<u16>> {
    let board = board_of(pieces)?;
    let (us, them) = (state.turn, state.turn.opponent());
    let (king, enemy_king) = (king_of(&board, us)?, king_of(&board, them)?);
    if is_attacked(&board, enemy_king, us) {
        return None;
    }
    let mut moves = Vec::new();
    for from in squares(pieces.colour(us)) {
        for to in 0..64 {
            moves.extend(steps(&board, state, from, to));
        }
    }
    let rights = match us {
        Colour::White => state.castling.white,
        Colour::Black => state.castling.black,
    };
    for file in squares(rights.into()) {
        let back_rank = if us == Colour::White { 0 } else { 56 };
        moves.extend(castling(&board, us, king, back_rank + file));
    }
    moves.sort_by_key(|bits| (bits >> 6 & 63, bits & 63, bits >> 12 & 3));
    Some(moves)
}

/// The moves from one square to another, except castling.
fn steps(board: &[Square; 64], state: State, from: u8, to: u8) -> Vec<u16> {
    let (us, them) = (state.turn, state.turn.opponent());
    let at = |square: u8| board[usize::from(square)];
    let Some((_, role)) = at(from) else { return Vec::new() };
    let occupied = (0..64).filter(|&at| board[at].is_some()).fold(0, |set, at| set | 1 << at);
    let attacks = attacks_of_a_piece(us, role, from, occupied) >> to & 1 == 1;
    let up = if us == Colour::White { 8 } else { -8 };
    let ahead = |square: u8| square.checked_add_signed(up).filter(|&square| square < 64);
    let mut captured = to;
    let mut special = 0;
    let goes = if role != Role::Pawn {
        attacks && at(to).is_none_or(|(colour, _)| colour == them)
    } else if attacks {
        let rank = if us == Colour::White { 5 } else { 2 };
        let behind = to.checked_add_signed(-up).filter(|&square| square < 64);
        let passed = behind.is_some_and(|square| at(square) == Some((them, Role::Pawn)));
        if at(to).is_none() && state.en_passant == Some(to) && to / 8 == rank && passed {
            captured = behind.unwrap_or(to);
            special = 2 << 14;
        }
        special != 0 || at(to).is_some_and(|(colour, _)| colour == them)
    } else {
        let one = ahead(from).filter(|&square| at(square).is_none());
        let home = if us == Colour::White { 1 } else { 6 };
        let two = one.filter(|_| from / 8 == home).and_then(ahead);
        Some(to) == one || Some(to) == two.filter(|&square| at(square).is_none())
    };
    if !goes {
        return Vec::new();
    }
    let mut after = *board;
    after[usize::from(captured)] = None;
    after[usize::from(to)] = after[usize::from(from)].take();
    if king_of(&after, us).is_none_or(|king| is_attacked(&after, king, them)) {
        return Vec::new();
    }
    let bits = u16::from(to) | u16::from(from) << 6 | special;
    if role == Role::Pawn && matches!(to / 8, 0 | 7) {
        (0..4).map(|role| bits | role << 12 | 1 << 14).collect()
    } else {
        vec![bits]
    }
}

/// Castling with a rook, if it is legal.
fn castling(board: &[Square; 64], us: Colour, king: u8, rook: u8) -> Option<u16> {
    let them = us.opponent();
    let back_rank = rook & 56;
    if board[usize::from(rook)] != Some((us, Role::Rook)) || king & 56 != back_rank {
        return None;
    }
    let (king_to, rook_to) = match rook > king {
        true => (back_rank + 6, back_rank + 5),
        false => (back_rank + 2, back_rank + 3),
    };
    let range = |a: u8, b: u8| a.min(b)..=a.max(b);
    let is_free =
        |square: u8| square == king || square == rook || board[usize::from(square)].is_none();
    let free = range(king, king_to).chain(range(rook, rook_to)).all(is_free);
    let mut without_king = *board;
    without_king[usize::from(king)] = None;
    let attacked = range(king, king_to).any(|square| is_attacked(&without_king, square, them));
    let mut after = without_king;
    after[usize::from(rook)] = None;
    after[usize::from(king_to)] = Some((us, Role::King));
    after[usize::from(rook_to)] = Some((us, Role::Rook));
    if !free || attacked || is_attacked(board, king, them) || is_attacked(&after, king_to, them) {
        return None;
    }
    let to = match (king % 8, rook % 8) {
        (4, 7) => king + 2,
        (4, 0) => king - 2,
        _ => rook,
    };
    Some(u16::from(to) | u16::from(king) << 6 | 3 << 14)
}

/// Destinations by origin.
pub(crate) fn targets(moves: &[u16]) -> Cell {
    let mut targets = vec![0; 64];
    for bits in moves {
        targets[usize::from(bits >> 6 & 63)] |= 1 << (bits & 63);
    }
    Cell::Values(targets)
}

/// Origins by AlphaZero's move types, from the point of view of the side to move.
pub(crate) fn planes(moves: &[u16], turn: Colour) -> Cell {
    const WAYS: [(i32, i32); 8] =
        [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
    const KNIGHT: [(i32, i32); 8] =
        [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
    let turned = if turn == Colour::White { 0 } else { 56 };
    let mut planes = vec![0; 73];
    for bits in moves {
        let [from, to] = [bits >> 6 & 63 ^ turned, bits & 63 ^ turned].map(i32::from);
        let (files, ranks) = (to % 8 - from % 8, to / 8 - from / 8);
        let plane = if bits >> 14 == 1 && bits >> 12 & 3 != 3 {
            64 + 3 * (i32::from(*bits) >> 12 & 3) + files + 1
        } else if let Some(leap) = KNIGHT.iter().position(|&leap| leap == (files, ranks)) {
            56 + leap as i32
        } else {
            let way = WAYS.iter().position(|&way| way == (files.signum(), ranks.signum()));
            7 * way.expect("a line") as i32 + files.abs().max(ranks.abs()) - 1
        };
        planes[plane as usize] |= 1 << from;
    }
    Cell::Values(planes)
}

/// 1 check, 2 checkmate, 3 stalemate, 0 none of them.
pub(crate) fn status(pieces: &Pieces, moves: &[u16], turn: Colour) -> u64 {
    let board = board_of(pieces).expect("a valid position");
    let king = king_of(&board, turn).expect("a valid position");
    match (is_attacked(&board, king, turn.opponent()), moves.is_empty()) {
        (false, false) => 0,
        (true, false) => 1,
        (true, true) => 2,
        (false, true) => 3,
    }
}
