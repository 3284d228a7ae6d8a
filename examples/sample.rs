//! Makes `data/sample.epd`: a thousand legal positions from games of random moves, to try things on.
//!
//! `cargo run --example sample > data/sample.epd` writes the same bytes every time: the numbers come from
//! a seeded generator, and moves are put in order before one is drawn.

use std::collections::HashSet;

use cozy_chess::{Board, GameStatus, Move, Piece};

fn main() {
    print!("{}", sample());
}

/// The text of the file: a position a line, most as FEN, each seventh as EPD with four fields.
pub(crate) fn sample() -> String {
    let mut random = Random(0x5e71_015e);
    let mut seen = HashSet::new();
    let mut text = String::new();
    for i in 0..1000 {
        let position = loop {
            let game = Game::of(i, &mut random);
            if let Some(board) = game.play(&mut random) {
                // Shredder letters where K and Q might not do.
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

/// What a game is like, and when it has come to the position we want.
struct Game {
    chess960: bool,
    /// The moves that are preferred, three times out of four.
    liked: fn(&Board, Move) -> bool,
    until: Until,
}

/// When a game is stopped.
enum Until {
    /// After so many half-moves.
    Plies(u64),
    /// As soon as no more than so many men are left.
    Men(u64),
    /// As soon as there are so many queens.
    Queens(u64),
}

impl Game {
    /// One of a few kinds in turn.
    fn of(i: u64, random: &mut Random) -> Self {
        let (chess960, liked, until): (_, fn(&Board, Move) -> bool, _) = match i % 10 {
            0..4 => (false, |_, _| false, Until::Plies(i / 10 % 4 * 40 + random.below(40))),
            4 | 5 => (true, |_, _| false, Until::Plies(random.below(100))),
            6 => (false, captures, Until::Plies(20 + random.below(40))),
            7 | 8 => (false, captures, Until::Men(3 + random.below(8))),
            _ => (false, promotes, Until::Queens(4 + random.below(4))),
        };
        Self { chess960, liked, until }
    }

    /// The position at which the game is stopped; none if it is over before.
    fn play(&self, random: &mut Random) -> Option<Board> {
        let mut board = if self.chess960 {
            Board::chess960_startpos(random.below(960) as u32)
        } else {
            Board::default()
        };
        for ply in 0..300 {
            let stopped = match self.until {
                Until::Plies(plies) => ply >= plies,
                Until::Men(men) => u64::from(board.occupied().len()) <= men,
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
            let choice = if liked.is_empty() || random.below(4) == 0 { moves } else { liked };
            board.play(choice[random.below(choice.len() as u64) as usize]);
        }
        None
    }
}

fn captures(board: &Board, m: Move) -> bool {
    board.colors(!board.side_to_move()).has(m.to)
}

/// Pawns that run or become queens; they take whatever stands in their way but queens.
fn promotes(board: &Board, m: Move) -> bool {
    board.pieces(Piece::Pawn).has(m.from)
        && !board.pieces(Piece::Queen).has(m.to)
        && m.promotion.is_none_or(|piece| piece == Piece::Queen)
}

/// Numbers by splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below another.
    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }
}
