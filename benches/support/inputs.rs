//! Boards for the benches, the same in every run: typical and dense positions, and games.

use cozy_chess::{Board, Move, Piece};
use setwise::legal::State;
use setwise::{Colour, Fen, Pieces, Role};

use crate::support::columns::AlignedColumn;
use crate::support::random::Random;

/// The kinds of boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// The positions in `data/sample.epd`, from openings to endgames.
    Typical,
    /// Positions of random games without captures, with all 32 pieces.
    Dense,
}

impl Input {
    const ALL: [Self; 2] = [Self::Typical, Self::Dense];

    pub fn name(self) -> &'static str {
        match self {
            Self::Typical => "typical",
            Self::Dense => "dense",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|input| input.name() == name)
    }

    /// Generates `len` positions, the same in every call.
    pub fn positions(self, len: usize) -> Vec<Pieces> {
        let mut random = Random::new(20_260_414);
        match self {
            Self::Typical => extended(len, SAMPLE.lines().map(read).collect(), &mut random),
            Self::Dense => {
                let positions = (0..1000).map(|_| crowded(&mut random)).collect();
                extended(len, positions, &mut random)
            }
        }
    }
}

/// Positions as rows and as columns, for bulk calls, and the occupied squares with white's sliders.
pub struct Dataset {
    pub rows: Vec<Pieces>,
    pub positions: Pieces<AlignedColumn>,
    pub occupied: AlignedColumn,
    pub orthogonal: AlignedColumn,
    pub diagonal: AlignedColumn,
    /// For positions of games: the state that legal moves depend on, in several forms, and the boards of cozy-chess.
    pub states: Vec<State>,
    pub boards: Vec<Board>,
}

/// The columns of a dataset that a group reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// The occupied squares and one side's sliders: three columns.
    Sliders,
    /// The positions: eight columns, or rows.
    Positions,
    /// Positions of games: rows, states and boards of cozy-chess.
    Legal,
}

impl Dataset {
    pub fn new(rows: Vec<Pieces>) -> Self {
        let column = |of: fn(&Pieces) -> u64| rows.iter().map(of).collect::<AlignedColumn>();
        let set = |set: usize| rows.iter().map(|pieces| pieces.sets()[set]).collect();
        Self {
            positions: Pieces::from_sets([0, 1, 2, 3, 4, 5, 6, 7]).map(set),
            occupied: column(Pieces::occupied),
            orthogonal: column(|pieces| (pieces.rooks | pieces.queens) & pieces.white),
            diagonal: column(|pieces| (pieces.bishops | pieces.queens) & pieces.white),
            states: Vec::new(),
            boards: Vec::new(),
            rows,
        }
    }

    /// Generates positions of games: the sample's positions, continued by random moves.
    pub fn games(len: usize) -> Self {
        let mut random = Random::new(20_261_122);
        let mut boards: Vec<Board> = SAMPLE
            .lines()
            .filter_map(|line| {
                let fen = Fen::parse(line).expect("the sample holds positions").to_string();
                Board::from_fen(&fen, false).or_else(|_| Board::from_fen(&fen, true)).ok()
            })
            .collect();
        let count = boards.len();
        while boards.len() < len {
            let mut board = boards[boards.len() - count].clone();
            let mut moves: Vec<Move> = Vec::new();
            board.generate_moves(|of_piece| {
                moves.extend(of_piece);
                false
            });
            if moves.is_empty() {
                board = Board::default();
            } else {
                board.play(moves[random.below(moves.len())]);
            }
            boards.push(board);
        }
        boards.truncate(len);
        let fens: Vec<Fen> =
            boards.iter().map(|board| format!("{board:#}").parse().expect("FEN")).collect();
        Self {
            states: fens.iter().map(State::from).collect(),
            boards,
            ..Self::new(fens.iter().map(|fen| fen.pieces).collect())
        }
    }

    /// Overwrites the columns that `reads` selects with rows of another dataset, from `start` on.
    pub fn refill(&mut self, reads: Reads, from: &Self, start: usize) {
        let rows = start..start + self.len();
        match reads {
            Reads::Sliders => {
                self.occupied.copy_from_slice(&from.occupied[rows.clone()]);
                self.orthogonal.copy_from_slice(&from.orthogonal[rows.clone()]);
                self.diagonal.copy_from_slice(&from.diagonal[rows]);
            }
            Reads::Legal => {
                self.rows.copy_from_slice(&from.rows[rows.clone()]);
                self.states.copy_from_slice(&from.states[rows.clone()]);
                self.boards.clone_from_slice(&from.boards[rows]);
            }
            Reads::Positions => {
                self.rows.copy_from_slice(&from.rows[rows.clone()]);
                let Pieces { pawns, knights, bishops, rooks, queens, kings, white, black } =
                    &mut self.positions;
                let columns = [pawns, knights, bishops, rooks, queens, kings, white, black];
                for (column, from) in columns.into_iter().zip(from.columns()) {
                    column.copy_from_slice(&from[rows.clone()]);
                }
            }
        }
    }

    pub fn len(&self) -> usize {
        self.occupied.len()
    }

    /// The eight columns of the positions.
    pub fn positions(&self) -> Pieces<&[u64]> {
        self.positions.each_ref().map(|column| &**column)
    }

    /// The eight columns as an array, from pawns to kings, then white and black.
    pub fn columns(&self) -> [&[u64]; 8] {
        self.positions().sets()
    }

    /// Formats the mean numbers of pieces.
    pub fn census(&self) -> String {
        let mean = |column: &[u64]| {
            let pieces: u64 = column.iter().map(|board| u64::from(board.count_ones())).sum();
            pieces as f64 / column.len() as f64
        };
        format!(
            "{:.1} pieces, {:.1} + {:.1} sliders of white",
            mean(&self.occupied),
            mean(&self.orthogonal),
            mean(&self.diagonal)
        )
    }
}

const SAMPLE: &str = include_str!("../../data/sample.epd");

fn read(line: &str) -> Pieces {
    Fen::parse(line).expect("the sample holds positions").pieces
}

/// Adds variations of the positions, up to `len` rows, and shuffles all rows. Otherwise the numbers of pieces would
/// repeat, and a branch predictor could learn them and never mispredict the end of a loop over pieces.
fn extended(len: usize, mut rows: Vec<Pieces>, random: &mut Random) -> Vec<Pieces> {
    let count = rows.len();
    while rows.len() < len {
        let base = rows[rows.len() - count];
        rows.push(varied(base, random));
    }
    for end in (2..=rows.len()).rev() {
        rows.swap(end - 1, random.below(end));
    }
    rows.truncate(len);
    rows
}

/// Moves one piece of each side (except kings and pawns) to another square.
fn varied(mut pieces: Pieces, random: &mut Random) -> Pieces {
    for colour in Colour::ALL {
        let movable: Vec<u8> = (0..64)
            .filter(|&square| {
                pieces.at(square).is_some_and(|(of, role)| {
                    of == colour && !matches!(role, Role::Pawn | Role::King)
                })
            })
            .collect();
        let empty: Vec<u8> = (0..64).filter(|&square| pieces.at(square).is_none()).collect();
        if !movable.is_empty() && !empty.is_empty() {
            let from = movable[random.below(movable.len())];
            let (_, role) = pieces.at(from).expect("a movable piece");
            remove(&mut pieces, from);
            pieces.put(colour, role, empty[random.below(empty.len())]);
        }
    }
    pieces
}

fn remove(pieces: &mut Pieces, square: u8) {
    *pieces = pieces.map(|set| set & !(1 << square));
}

/// Generates the position after forty random moves without captures.
fn crowded(random: &mut Random) -> Pieces {
    let mut board = Board::default();
    for _ in 0..40 {
        let mut moves: Vec<Move> = Vec::new();
        board.generate_moves(|of_one| {
            moves.extend(of_one);
            false
        });
        // cozy-chess writes castling as the king taking its own rook, so this removes castling, too.
        moves.retain(|play| board.color_on(play.to).is_none());
        if !moves.is_empty() {
            board.play_unchecked(moves[random.below(moves.len())]);
        }
    }
    from_cozy(&board)
}

pub fn from_cozy(board: &Board) -> Pieces {
    Pieces {
        pawns: board.pieces(Piece::Pawn).0,
        knights: board.pieces(Piece::Knight).0,
        bishops: board.pieces(Piece::Bishop).0,
        rooks: board.pieces(Piece::Rook).0,
        queens: board.pieces(Piece::Queen).0,
        kings: board.pieces(Piece::King).0,
        white: board.colors(cozy_chess::Color::White).0,
        black: board.colors(cozy_chess::Color::Black).0,
    }
}
