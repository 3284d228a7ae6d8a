//! Perft: counts the positions after all sequences of legal moves, with a move generator on top of this crate.
//! Chess960 included.
//!
//! ```text
//! perft FEN DEPTH             the number of positions after DEPTH moves, on the last line
//! perft --suite FILE          every line of a table `fen depth nodes ...` with at most 5 million nodes
//!       [--limit NODES]       ... or at most NODES
//!
//! RUSTFLAGS="-C target-cpu=native" cargo run --release --example perft -- --suite perft.tsv
//! ```
//!
//! A generator of legal moves needs five things, and the crate has them all:
//!
//! - the checkers: with two of them, only the king moves; with one, the others must capture it or
//!   interpose ([`line::between`]);
//! - the pinned pieces, which must stay on their line ([`line::line`]);
//! - the squares where the king would be in check, with the king itself taken off the board;
//! - what a piece attacks from its square ([`line`] and the tables of [`leaper`]);
//! - a reader for FEN. Castling rights are files, so Chess960 needs no extra code: `KQkq` and `HAha` are both
//!   read as the files of rooks.
//!
//! Castling and en passant are rare and have special rules; they are played, and dropped if that leaves the king
//! in check.

use std::process::ExitCode;
use std::time::Instant;

use setwise::bitboard::RANKS;
use setwise::fen::Castling;
use setwise::{Colour, Fen, Pieces, Role, leaper, line, position};

/// What a move can change.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    pieces: Pieces,
    turn: Colour,
    castling: Castling,
    /// The square behind a pawn that has just made a double step, as a set.
    en_passant: u64,
}

impl Board {
    /// Reads FEN.
    ///
    /// # Errors
    /// If it is not FEN, or a side does not have exactly one king.
    pub fn parse(fen: &str) -> Result<Self, String> {
        let fen: Fen = fen.parse().map_err(|error| format!("{fen}: {error:#}"))?;
        if Colour::ALL.iter().any(|&side| fen.pieces.of(side, Role::King).count_ones() != 1) {
            return Err(format!("{fen}: each side needs one king"));
        }
        Ok(Self {
            pieces: fen.pieces,
            turn: fen.turn,
            castling: fen.castling,
            en_passant: fen.en_passant.map_or(0, |square| 1 << square),
        })
    }

    /// Visits each piece that can move: its role, its square and the set of squares it can go to.
    ///
    /// Castling is the king moving to its own rook, and an en passant capture the pawn moving to the en passant
    /// square, so a move is a role and two squares.
    #[inline(always)]
    pub fn moves(&self, mut visit: impl FnMut(Role, u8, u64)) {
        let (pieces, us) = (&self.pieces, self.turn);
        let (own, occupied) = (pieces.colour(us), pieces.occupied());
        let king = square_of(pieces.of(us, Role::King));

        let checkers = position::checkers(pieces, us);
        let danger = position::king_danger(pieces, us);
        let mut steps = leaper::KING_ATTACKS[usize::from(king)] & !own & !danger;
        if checkers == 0 {
            steps |= self.castlings(king, danger);
        }
        visit(Role::King, king, steps);

        // Where the others may go: anywhere, or to the checker and between it and the king.
        let allowed = match checkers.count_ones() {
            0 => !own,
            1 => checkers | line::between(king, square_of(checkers)),
            _ => return,
        };
        let pinned = position::pinned(pieces, us);
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for from in squares(pieces.of(us, role)) {
                let attacks = match role {
                    Role::Knight => leaper::KNIGHT_ATTACKS[usize::from(from)],
                    Role::Bishop => line::bishop_attacks(from, occupied),
                    Role::Rook => line::rook_attacks(from, occupied),
                    _ => line::queen_attacks(from, occupied),
                };
                visit(role, from, attacks & allowed & along_pin(pinned, king, from));
            }
        }

        let enemies = pieces.colour(us.opponent());
        for from in squares(pieces.of(us, Role::Pawn)) {
            let captures = leaper::PAWN_ATTACKS[us as usize][usize::from(from)];
            let one = ahead(us, 1 << from) & !occupied;
            let two = ahead(us, one & RANKS[if us == Colour::White { 2 } else { 5 }]) & !occupied;
            let moves = (captures & enemies) | one | two;
            let mut moves = moves & allowed & along_pin(pinned, king, from);
            if captures & self.en_passant != 0 && self.is_safe(Role::Pawn, from, self.en_passant) {
                moves |= self.en_passant;
            }
            visit(Role::Pawn, from, moves);
        }
    }

    /// The rooks with which the king can castle; it is not in check.
    fn castlings(&self, king: u8, danger: u64) -> u64 {
        let back_rank = king & 56;
        let mut rooks = 0;
        for file in squares(u64::from(self.castling.of(self.turn))) {
            let rook = back_rank + file;
            let (king_to, rook_to) = castled(king, rook);
            let king_path = line::between(king, king_to) | 1 << king_to;
            let path = king_path | line::between(rook, rook_to) | 1 << rook_to;
            let others = self.pieces.occupied() & !(1 << king | 1 << rook);
            let is_rook = self.pieces.of(self.turn, Role::Rook) >> rook & 1 == 1;
            // The rook may have shielded the king from a slider, so look again after the move.
            if is_rook
                && path & others == 0
                && king_path & danger == 0
                && self.is_safe(Role::King, king, 1 << rook)
            {
                rooks |= 1 << rook;
            }
        }
        rooks
    }

    /// Whether the mover's king is not in check after a move.
    fn is_safe(&self, role: Role, from: u8, to: u64) -> bool {
        let after = self.play(role, from, square_of(to), role);
        position::checkers(&after.pieces, self.turn) == 0
    }

    /// The position after a move; `becomes` is the role itself, or what a pawn is promoted to.
    #[must_use]
    pub fn play(&self, role: Role, from: u8, to: u8, becomes: Role) -> Self {
        let (us, mut after) = (self.turn, *self);
        after.turn = us.opponent();
        after.en_passant = 0;
        let moved = 1 << from | 1 << to;
        after.castling.white &= !(moved as u8);
        after.castling.black &= !((moved >> 56) as u8);
        if role == Role::King {
            match us {
                Colour::White => after.castling.white = 0,
                Colour::Black => after.castling.black = 0,
            }
        }

        if role == Role::King && self.pieces.colour(us) >> to & 1 == 1 {
            let (king_to, rook_to) = castled(from, to);
            clear(&mut after.pieces, moved);
            after.pieces.put(us, Role::King, king_to);
            after.pieces.put(us, Role::Rook, rook_to);
            return after;
        }
        clear(&mut after.pieces, moved);
        after.pieces.put(us, becomes, to);
        if role == Role::Pawn {
            if self.en_passant >> to & 1 == 1 {
                clear(&mut after.pieces, ahead(us.opponent(), 1 << to));
            } else if from.abs_diff(to) == 16 {
                after.en_passant = ahead(us, 1 << from);
            }
        }
        after
    }
}

/// The number of positions after `depth` legal moves.
#[must_use]
pub fn perft(board: &Board, depth: u32) -> u64 {
    const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
    let last_ranks = RANKS[0] | RANKS[7];
    let mut nodes = 0;
    match depth {
        0 => return 1,
        // The last moves are counted, not played.
        1 => board.moves(|role, _, to| {
            let promotions = if role == Role::Pawn { to & last_ranks } else { 0 };
            nodes += u64::from(to.count_ones() + 3 * promotions.count_ones());
        }),
        _ => board.moves(|role, from, targets| {
            for to in squares(targets) {
                if role == Role::Pawn && last_ranks >> to & 1 == 1 {
                    for becomes in PROMOTIONS {
                        nodes += perft(&board.play(role, from, to, becomes), depth - 1);
                    }
                } else {
                    nodes += perft(&board.play(role, from, to, role), depth - 1);
                }
            }
        }),
    }
    nodes
}

/// Where the king and the rook stand after castling: on the g- and f-file, or on the c- and d-file.
fn castled(king: u8, rook: u8) -> (u8, u8) {
    let back_rank = king & 56;
    if rook > king { (back_rank + 6, back_rank + 5) } else { (back_rank + 2, back_rank + 3) }
}

/// The squares to which a pin confines a piece: those of the line through the king.
#[inline(always)]
fn along_pin(pinned: u64, king: u8, square: u8) -> u64 {
    if pinned >> square & 1 == 1 { line::line(king, square) } else { !0 }
}

/// One rank up for white, one down for black.
#[inline(always)]
fn ahead(colour: Colour, set: u64) -> u64 {
    match colour {
        Colour::White => set << 8,
        Colour::Black => set >> 8,
    }
}

/// Removes the pieces on some squares.
#[inline(always)]
fn clear(pieces: &mut Pieces, squares: u64) {
    *pieces = pieces.map(|set| set & !squares);
}

/// The square of a set that has one.
#[inline(always)]
fn square_of(set: u64) -> u8 {
    set.trailing_zeros() as u8
}

/// The squares of a set, one by one.
#[inline(always)]
fn squares(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let square = (set != 0).then(|| square_of(set))?;
        set &= set - 1;
        Some(square)
    })
}

/// The result of a suite.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The lines counted.
    pub lines: u32,
    /// The positions counted.
    pub nodes: u64,
    /// The lines whose count differs from the suite's.
    pub wrong: Vec<String>,
}

/// Counts every line of a suite with at most `limit` nodes. The columns are the FEN, the depth and the
/// nodes, with tabs between them; the first line names them.
///
/// # Errors
/// If a line is not of this form.
pub fn run_suite(suite: &str, limit: u64) -> Result<Outcome, String> {
    let mut outcome = Outcome::default();
    for (number, line) in suite.lines().enumerate().skip(1) {
        let mut columns = line.split('\t');
        let mut next = |name| columns.next().ok_or(format!("line {}: no {name}", number + 1));
        let (fen, depth, expected) = (next("fen")?, next("depth")?, next("nodes")?);
        let number = |word: &str| word.parse::<u64>().map_err(|error| format!("{word}: {error}"));
        let expected = number(expected)?;
        if expected > limit {
            continue;
        }
        let nodes = perft(&Board::parse(fen)?, number(depth)? as u32);
        outcome.lines += 1;
        outcome.nodes += nodes;
        if nodes != expected {
            outcome.wrong.push(format!("{fen}, depth {depth}: {nodes}, expected {expected}"));
        }
    }
    Ok(outcome)
}

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (path, limit) = match arguments[..] {
        ["--suite", path] => (path, "5000000"),
        ["--suite", path, "--limit", limit] | ["--limit", limit, "--suite", path] => (path, limit),
        // The FEN in one word or in several.
        [ref fen @ .., depth] if !fen.is_empty() && !fen[0].starts_with('-') => {
            let depth = depth.parse().map_err(|error| format!("depth {depth}: {error}"))?;
            println!("{}", perft(&Board::parse(&fen.join(" "))?, depth));
            return Ok(());
        }
        _ => return Err("usage: perft FEN DEPTH | perft --suite FILE [--limit NODES]".into()),
    };
    let limit = limit.parse().map_err(|error| format!("limit {limit}: {error}"))?;
    let suite = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let start = Instant::now();
    let Outcome { lines, nodes, wrong } = run_suite(&suite, limit)?;
    let seconds = start.elapsed().as_secs_f64();
    let speed = nodes as f64 / seconds / 1e6;
    println!("{lines} lines, {nodes} nodes, {seconds:.2} s, {speed:.1} million nodes per second");
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}
