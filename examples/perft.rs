//! Perft: counts the positions after all sequences of legal moves, with a move generator on top of this crate.
//! Chess960 included.
//!
//! ```text
//! perft FEN DEPTH             the number of positions after DEPTH moves, on the last line
//! perft --suite FILE          every line of a table `fen depth nodes ...` with at most 5 million nodes
//!       [--limit NODES]       ... or at most NODES
//!       [--bulk]              the moves of the last ply counted for thousands of positions in a call
//!
//! RUSTFLAGS="-C target-cpu=native" cargo run --release --example perft -- --suite perft.tsv
//! ```
//!
//! The crate says which moves are legal ([`position::legal`]); what is left is to play them. The last moves are counted,
//! not played. Castling rights are files, so Chess960 needs no extra code: `KQkq` and `HAha` are both read as the
//! files of rooks.

use std::process::ExitCode;
use std::time::Instant;

use setwise::fen::Castling;
use setwise::legal::{Move, MoveKind, State};
use setwise::{Colour, Fen, Pieces, Role, position};
#[cfg(feature = "std")]
use setwise::{Column, Kernel, Positions};

/// What a move can change.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    /// The pieces.
    pub pieces: Pieces,
    /// The side to move.
    pub turn: Colour,
    /// The files of the rooks that may castle.
    pub castling: Castling,
    /// The square behind a pawn that has just made a double step.
    pub en_passant: Option<u8>,
}

impl Board {
    /// Reads FEN.
    ///
    /// # Errors
    /// If it is not FEN, a side does not have exactly one king, or the side not to move is in check.
    pub fn parse(fen: &str) -> Result<Self, String> {
        let line = fen;
        let Fen { pieces, turn, castling, en_passant, .. } =
            line.parse().map_err(|error| format!("{line}: {error:#}"))?;
        let board = Self { pieces, turn, castling, en_passant };
        if position::legal(&board.pieces, board.state()).is_none() {
            return Err(format!(
                "{line}: each side needs one king, and only the mover's may be in check"
            ));
        }
        Ok(board)
    }

    /// What legal moves depend on besides the pieces.
    #[must_use]
    pub fn state(&self) -> State {
        State::new(self.turn, self.castling, self.en_passant)
    }

    /// The position after a legal move.
    #[must_use]
    pub fn play(&self, played: Move) -> Self {
        let (us, mut after) = (self.turn, *self);
        let (from, to) = (played.from(), played.to());
        let role = self.pieces.at(from).map_or(Role::Pawn, |(_, role)| role);
        after.turn = us.opponent();
        after.en_passant = None;
        let moved = 1 << from | 1 << to;
        after.castling.white &= !(moved as u8);
        after.castling.black &= !((moved >> 56) as u8);
        if role == Role::King {
            match us {
                Colour::White => after.castling.white = 0,
                Colour::Black => after.castling.black = 0,
            }
        }
        clear(&mut after.pieces, moved);
        match played.kind() {
            MoveKind::Castling => {
                let (back_rank, east) = (from & 56, to > from);
                let corner = if east { back_rank + 7 } else { back_rank };
                let two_squares = self.pieces.of(us, Role::Rook) >> to & 1 == 0;
                clear(&mut after.pieces, 1 << if two_squares { corner } else { to });
                after.pieces.put(us, Role::King, back_rank + if east { 6 } else { 2 });
                after.pieces.put(us, Role::Rook, back_rank + if east { 5 } else { 3 });
            }
            MoveKind::Promotion(becomes) => after.pieces.put(us, becomes, to),
            MoveKind::EnPassant => {
                clear(&mut after.pieces, 1 << (to ^ 8));
                after.pieces.put(us, role, to);
            }
            MoveKind::Normal => {
                after.pieces.put(us, role, to);
                if role == Role::Pawn && from.abs_diff(to) == 16 {
                    after.en_passant = Some(from.midpoint(to));
                }
            }
        }
        after
    }
}

/// The number of positions after `depth` legal moves.
#[must_use]
pub fn perft(board: &Board, depth: u32) -> u64 {
    let Some(legal) = position::legal(&board.pieces, board.state()) else { return 0 };
    match depth {
        0 => 1,
        1 => legal.count().into(),
        _ => legal.moves().map(|played| perft(&board.play(played), depth - 1)).sum(),
    }
}

/// Counts the legal moves of boards, thousands in a call.
#[cfg(feature = "std")]
#[derive(Debug)]
pub struct Leaves {
    kernel: Kernel,
    pieces: Vec<Pieces>,
    turns: Vec<Colour>,
    castling: Vec<Castling>,
    en_passant: Vec<Option<u8>>,
    counts: Vec<u16>,
    nodes: u64,
}

#[cfg(feature = "std")]
impl Leaves {
    /// Boards in a call.
    const BOARDS: usize = 4096;

    /// No boards yet.
    #[must_use]
    pub fn new(kernel: Kernel) -> Self {
        Self {
            kernel,
            pieces: Vec::new(),
            turns: Vec::new(),
            castling: Vec::new(),
            en_passant: Vec::new(),
            counts: Vec::new(),
            nodes: 0,
        }
    }

    /// The number of positions after `depth` legal moves: what [`perft`] returns.
    pub fn perft(&mut self, board: &Board, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        self.nodes = 0;
        self.collect(board, depth);
        self.count();
        self.nodes
    }

    /// Collects the positions before the last ply.
    fn collect(&mut self, board: &Board, depth: u32) {
        if depth > 1 {
            let legal = position::legal(&board.pieces, board.state());
            for played in legal.iter().flat_map(|legal| legal.moves()) {
                self.collect(&board.play(played), depth - 1);
            }
            return;
        }
        self.pieces.push(board.pieces);
        self.turns.push(board.turn);
        self.castling.push(board.castling);
        self.en_passant.push(board.en_passant);
        if self.pieces.len() == Self::BOARDS {
            self.count();
        }
    }

    fn count(&mut self) {
        self.counts.resize(self.pieces.len(), 0);
        let positions = Positions::from(&self.pieces).with_turns(&self.turns);
        let positions = positions.with_castling(&self.castling).with_en_passant(&self.en_passant);
        self.kernel.fill(positions, &mut [Column::LEGAL_COUNT.to(&mut self.counts[..])]);
        self.nodes += self.counts.iter().map(|&count| u64::from(count)).sum::<u64>();
        self.pieces.clear();
        self.turns.clear();
        self.castling.clear();
        self.en_passant.clear();
    }
}

/// Removes the pieces on some squares.
#[inline(always)]
fn clear(pieces: &mut Pieces, squares: u64) {
    *pieces = pieces.map(|set| set & !squares);
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

/// Counts every line of a suite with at most `limit` nodes, by [`perft`] or something else. The columns are the FEN, the depth and the
/// nodes, with tabs between them; the first line names them.
///
/// # Errors
/// If a line is not of this form.
pub fn run_suite(
    suite: &str,
    limit: u64,
    mut perft: impl FnMut(&Board, u32) -> u64,
) -> Result<Outcome, String> {
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

/// Counts the positions after so many moves.
type Counter = Box<dyn FnMut(&Board, u32) -> u64>;

fn run(arguments: &[String]) -> Result<(), String> {
    let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let all = arguments.len();
    arguments.retain(|argument| *argument != "--bulk");
    let mut count: Counter = match arguments.len() < all {
        #[cfg(feature = "std")]
        true => {
            let mut leaves = Leaves::new(Kernel::detect());
            Box::new(move |board, depth| leaves.perft(board, depth))
        }
        #[cfg(not(feature = "std"))]
        true => return Err("--bulk needs the feature `std`".into()),
        false => Box::new(perft),
    };
    let (path, limit) = match arguments[..] {
        ["--suite", path] => (path, "5000000"),
        ["--suite", path, "--limit", limit] | ["--limit", limit, "--suite", path] => (path, limit),
        // The FEN in one word or in several.
        [ref fen @ .., depth] if !fen.is_empty() && !fen[0].starts_with('-') => {
            let depth = depth.parse().map_err(|error| format!("depth {depth}: {error}"))?;
            println!("{}", count(&Board::parse(&fen.join(" "))?, depth));
            return Ok(());
        }
        _ => {
            return Err(
                "usage: perft FEN DEPTH [--bulk] | perft --suite FILE [--limit NODES] [--bulk]"
                    .into(),
            );
        }
    };
    let limit = limit.parse().map_err(|error| format!("limit {limit}: {error}"))?;
    let suite = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let start = Instant::now();
    let Outcome { lines, nodes, wrong } = run_suite(&suite, limit, count)?;
    let seconds = start.elapsed().as_secs_f64();
    let speed = nodes as f64 / seconds / 1e6;
    println!("{lines} lines, {nodes} nodes, {seconds:.2} s, {speed:.1} million nodes per second");
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}
