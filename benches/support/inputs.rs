//! Boards to work on, seeded: sparse, typical, dense, and random bits.

use cozy_chess::{Board, Move, Piece};
use setwise::{Colour, Pieces, Position, Role};

use crate::support::columns::Column;
use crate::support::random::Random;

/// What kind of boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// Two kings and one slider of each kind a side: a late endgame.
    Sparse,
    /// Games played at random, anywhere between the opening and the endgame.
    Typical,
    /// Games played at random without captures: all 32 men.
    Dense,
    /// Every square holds any man or none by chance, about 48 men; no chess.
    Random,
}

impl Input {
    pub const ALL: [Self; 4] = [Self::Sparse, Self::Typical, Self::Dense, Self::Random];

    pub fn name(self) -> &'static str {
        match self {
            Self::Sparse => "sparse",
            Self::Typical => "typical",
            Self::Dense => "dense",
            Self::Random => "random",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|input| input.name() == name)
    }

    /// The same `len` positions at every call.
    pub fn positions(self, len: usize) -> Vec<Pieces> {
        let mut random = Random::new(20_260_414);
        match self {
            Self::Sparse => (0..len).map(|_| sparse(&mut random)).collect(),
            Self::Typical => many(len, &mut random, |random| {
                let plies = 8 + random.below(80);
                played(random, plies, true)
            }),
            Self::Dense => many(len, &mut random, |random| played(random, 40, false)),
            Self::Random => (0..len).map(|_| scattered(&mut random)).collect(),
        }
    }
}

/// Positions as the bulk calls take them: by row and by column, and white's sliders with all men.
pub struct Batch {
    pub rows: Vec<Pieces>,
    pub positions: Position<Column>,
    pub occupied: Column,
    pub orthogonal: Column,
    pub diagonal: Column,
}

impl Batch {
    pub fn new(rows: Vec<Pieces>) -> Self {
        let column = |of: fn(&Pieces) -> u64| rows.iter().map(of).collect::<Column>();
        Self {
            positions: Position {
                pawns: column(|pieces| pieces.pawns),
                knights: column(|pieces| pieces.knights),
                bishops: column(|pieces| pieces.bishops),
                rooks: column(|pieces| pieces.rooks),
                queens: column(|pieces| pieces.queens),
                kings: column(|pieces| pieces.kings),
                white: column(|pieces| pieces.white),
                black: column(|pieces| pieces.black),
            },
            occupied: column(Pieces::occupied),
            orthogonal: column(|pieces| (pieces.rooks | pieces.queens) & pieces.white),
            diagonal: column(|pieces| (pieces.bishops | pieces.queens) & pieces.white),
            rows,
        }
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The eight columns of the positions.
    pub fn positions(&self) -> Position<&[u64]> {
        let [pawns, knights, bishops, rooks, queens, kings, white, black] = self.columns();
        Position { pawns, knights, bishops, rooks, queens, kings, white, black }
    }

    /// The same, from pawns to kings, then white and black.
    pub fn columns(&self) -> [&[u64]; 8] {
        let Position { pawns, knights, bishops, rooks, queens, kings, white, black } =
            &self.positions;
        [pawns, knights, bishops, rooks, queens, kings, white, black]
    }

    /// How crowded the boards are, in words.
    pub fn census(&self) -> String {
        let mean = |column: &[u64]| {
            let men: u64 = column.iter().map(|board| u64::from(board.count_ones())).sum();
            men as f64 / column.len() as f64
        };
        format!(
            "{:.1} men, {:.1} + {:.1} sliders of the side asked about",
            mean(&self.occupied),
            mean(&self.orthogonal),
            mean(&self.diagonal)
        )
    }
}

/// A few thousand boards that are made with effort, then changes of them until there are `len`.
fn many(len: usize, random: &mut Random, make: impl Fn(&mut Random) -> Pieces) -> Vec<Pieces> {
    let mut rows: Vec<Pieces> = (0..len.min(4096)).map(|_| make(random)).collect();
    while rows.len() < len {
        let base = rows[rows.len() - 4096];
        rows.push(disturbed(base, random));
    }
    rows
}

/// The position with one man (no king, no pawn) of each side on another square.
fn disturbed(mut pieces: Pieces, random: &mut Random) -> Pieces {
    for colour in Colour::ALL {
        let movable: Vec<usize> = (0..64)
            .filter(|&square| {
                pieces.at(square).is_some_and(|(of, role)| {
                    of == colour && !matches!(role, Role::Pawn | Role::King)
                })
            })
            .collect();
        let empty: Vec<usize> = (0..64).filter(|&square| pieces.at(square).is_none()).collect();
        if !movable.is_empty() && !empty.is_empty() {
            let from = movable[random.below(movable.len())];
            let (_, role) = pieces.at(from).expect("a movable man");
            take(&mut pieces, from);
            pieces.put(colour, role, empty[random.below(empty.len())]);
        }
    }
    pieces
}

fn take(pieces: &mut Pieces, square: usize) {
    let keep = !(1 << square);
    for set in [
        &mut pieces.pawns,
        &mut pieces.knights,
        &mut pieces.bishops,
        &mut pieces.rooks,
        &mut pieces.queens,
        &mut pieces.kings,
        &mut pieces.white,
        &mut pieces.black,
    ] {
        *set &= keep;
    }
}

/// The position after so many random moves, or an earlier one if the game ends before.
fn played(random: &mut Random, plies: usize, captures: bool) -> Pieces {
    let mut board = Board::default();
    for _ in 0..plies {
        let mut moves: Vec<Move> = Vec::new();
        board.generate_moves(|of_one| {
            moves.extend(of_one);
            false
        });
        // En passant is no capture by this test; one man in a million boards does no harm.
        moves.retain(|play| captures || board.color_on(play.to).is_none());
        if moves.is_empty() {
            break;
        }
        board.play_unchecked(moves[random.below(moves.len())]);
    }
    from_cozy(&board)
}

fn from_cozy(board: &Board) -> Pieces {
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

fn sparse(random: &mut Random) -> Pieces {
    let mut pieces = Pieces::EMPTY;
    for colour in Colour::ALL {
        for role in [Role::King, Role::Rook, Role::Bishop] {
            let mut square = random.below(64);
            while pieces.at(square).is_some() {
                square = random.below(64);
            }
            pieces.put(colour, role, square);
        }
    }
    pieces
}

fn scattered(random: &mut Random) -> Pieces {
    let mut pieces = Pieces::EMPTY;
    for square in 0..64 {
        if let Some(&role) = Role::ALL.get(random.below(8)) {
            pieces.put(Colour::ALL[random.below(2)], role, square);
        }
    }
    pieces
}
