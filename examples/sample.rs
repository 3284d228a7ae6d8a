//! Generates `data/sample.epd`: a thousand legal positions from games of random moves, for tests and benches.
//!
//! `cargo run --example sample > data/sample.epd` writes the same bytes every time: random numbers come from a seeded
//! generator, and moves are sorted before one is chosen.

use std::collections::HashSet;

use cozy_chess::{Board, GameStatus, Move, Piece};
use random::Random;

#[allow(dead_code, unreachable_pub, reason = "each program uses a part of it")]
#[path = "../benches/support/random.rs"]
mod random;

fn main() {
    print!("{}", sample());
}

/// The text of the file: one position per line, every seventh as EPD with four fields, the others as FEN.
pub(crate) fn sample() -> String {
    let mut random = Random::new(0x5e71_015e);
    let mut seen = HashSet::new();
    let mut text = String::new();
    for i in 0..1000 {
        let position = loop {
            let game = Game::of(i, &mut random);
            if let Some(board) = game.play(&mut random) {
                // Use Shredder letters if K and Q are not sufficient.
                let fen = if game.chess960 { format!("{board:#}") } else { format!("{board}") };
                let four_fields = fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
                if seen.insert(four_fields.clone()) {
                    break if i % 7 == 3 { four_fields } else { fen };
                }
            }
        };
        text += &position;
        text.push('\n');
    }
    text
}

/// The style of a game, and its end.
struct Game {
    chess960: bool,
    /// Selects the moves that are preferred three times out of four.
    liked: fn(&Board, Move) -> bool,
    until: Until,
}

/// The condition that stops a game.
enum Until {
    /// After this many half-moves.
    Plies(u64),
    /// When at most this many pieces are left.
    Pieces(u64),
    /// When there are this many queens.
    Queens(u64),
}

impl Game {
    /// Selects one of several styles in turn.
    fn of(i: u64, random: &mut Random) -> Self {
        let (chess960, liked, until): (_, fn(&Board, Move) -> bool, _) = match i % 10 {
            0..4 => (false, |_, _| false, Until::Plies(i / 10 % 4 * 40 + below(random, 40))),
            4 | 5 => (true, |_, _| false, Until::Plies(below(random, 100))),
            6 => (false, captures, Until::Plies(20 + below(random, 40))),
            7 | 8 => (false, captures, Until::Pieces(3 + below(random, 8))),
            _ => (false, promotes, Until::Queens(4 + below(random, 4))),
        };
        Self { chess960, liked, until }
    }

    /// The position at which the game is stopped; `None` if the game ends earlier.
    fn play(&self, random: &mut Random) -> Option<Board> {
        let mut board = if self.chess960 {
            Board::chess960_startpos(below(random, 960) as u32)
        } else {
            Board::default()
        };
        for ply in 0..300 {
            let stopped = match self.until {
                Until::Plies(plies) => ply >= plies,
                Until::Pieces(pieces) => u64::from(board.occupied().len()) <= pieces,
                Until::Queens(queens) => u64::from(board.pieces(Piece::Queen).len()) >= queens,
            };
            if stopped {
                return Some(board);
            }
            if board.status() != GameStatus::Ongoing {
                return None;
            }
            let mut moves = Vec::new();
            board.generate_moves(|some| {
                moves.extend(some);
                false
            });
            moves.sort_by_key(|m| (m.from, m.to, m.promotion));
            let liked: Vec<Move> =
                moves.iter().copied().filter(|&m| (self.liked)(&board, m)).collect();
            let choice = if liked.is_empty() || below(random, 4) == 0 { moves } else { liked };
            board.play(choice[below(random, choice.len() as u64) as usize]);
        }
        None
    }
}

fn captures(board: &Board, m: Move) -> bool {
    board.colors(!board.side_to_move()).has(m.to)
}

/// Pawn moves, with promotions to queens only; pawns capture anything but queens.
fn promotes(board: &Board, m: Move) -> bool {
    board.pieces(Piece::Pawn).has(m.from)
        && !board.pieces(Piece::Queen).has(m.to)
        && m.promotion.is_none_or(|piece| piece == Piece::Queen)
}

/// A random number below `end`. The remainder determines the bytes of the file.
fn below(random: &mut Random, end: u64) -> u64 {
    random.word() % end
}
