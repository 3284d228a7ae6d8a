//! Positions from text, and what is computed from them.

use setwise::columns::select;
use setwise::fen::Castling;
use setwise::legal::State;
use setwise::position::Legal;
use setwise::{Colour, Fen, Kernel, Pieces, Shape, eval, position};
use setwise_nnue::Column;
use wasm_bindgen::prelude::*;

use crate::filled::Answer;

/// Positions, and the columns that were filled last.
#[wasm_bindgen]
#[derive(Default)]
pub struct Positions {
    pieces: Vec<Pieces>,
    turns: Vec<Colour>,
    castling: Vec<Castling>,
    en_passant: Vec<Option<u8>>,
    clocks: Vec<[u32; 2]>,
    columns: Vec<Column>,
    answers: Vec<Answer>,
}

#[wasm_bindgen]
impl Positions {
    /// Reads FEN or EPD, a position a line. A line end behind the last is no further position.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &[u8]) -> Result<Positions, JsError> {
        let mut positions = Self::default();
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        for (line, number) in text.split(|&byte| byte == b'\n').zip(1_usize..) {
            let fen = Fen::parse(line)
                .map_err(|error| JsError::new(&format!("line {number}, {error:#}")))?;
            positions.push(&fen);
        }
        Ok(positions)
    }

    /// The number of positions.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> usize {
        self.pieces.len()
    }

    /// A position as FEN.
    pub fn fen(&self, row: usize) -> String {
        let [halfmove_clock, fullmove_number] = self.clocks[row];
        let fen = Fen {
            pieces: self.pieces[row],
            turn: self.turns[row],
            castling: self.castling[row],
            en_passant: self.en_passant[row],
            halfmove_clock,
            fullmove_number,
        };
        fen.to_string()
    }

    /// Fills columns, which stay until the next call, and gives their numbers in the catalogue.
    pub fn fill(&mut self, names: Vec<String>) -> Result<Vec<u8>, JsError> {
        let columns: Vec<Column> = select(&names)?;
        if let Some(column) = columns.iter().find(|&&column| !is_offered(column)) {
            return Err(JsError::new(&format!("column `{column}` is left out of this package")));
        }
        let mut old = std::mem::take(&mut self.answers).into_iter();
        let mut answers: Vec<Answer> = columns
            .iter()
            .map(|&column| Answer::prepare(old.next(), column, self.pieces.len()))
            .collect();
        let mut requests = Vec::with_capacity(columns.len());
        for (&column, answer) in columns.iter().zip(&mut answers) {
            match column {
                Column::Board(column) => requests.push(answer.request(column)),
                _ => answer.fill_threats(&self.pieces),
            }
        }
        let positions = setwise::Positions::from(&self.pieces)
            .with_turns(&self.turns)
            .with_castling(&self.castling)
            .with_en_passant(&self.en_passant);
        Kernel::built_in().fill(positions, &mut requests);
        self.answers = answers;
        self.columns = columns;
        let number = |column| offered().position(|other| other == column);
        Ok(self.columns.iter().filter_map(number).map(|number| number as u8).collect())
    }

    /// The values of a column that was filled last, of lists the items of all: their address and number until the next call.
    pub fn values(&self, column: usize) -> Box<[usize]> {
        self.answers[column].values()
    }

    /// Of lists the same for where each begins, and where the last one ends.
    pub fn offsets(&self, column: usize) -> Option<Box<[usize]>> {
        self.answers[column].offsets()
    }

    /// The same for a byte for each position, 0 where there is no answer; none if all have one.
    pub fn valid(&self, column: usize) -> Option<Box<[usize]>> {
        self.answers[column].valid()
    }

    /// What stands on each square of a position: letters of FEN, 0 for empty squares.
    pub fn letters(&self, row: usize) -> Vec<u8> {
        let piece = |square| self.pieces[row].at(square);
        let letters = (0..64).map(|square| piece(square).map_or('\0', setwise_draw::letter));
        letters.map(|letter| letter as u8).collect()
    }

    /// The pieces of a side that attack a square of a position.
    pub fn attackers(&self, row: usize, white: bool, square: u8) -> u64 {
        let pieces = &self.pieces[row];
        position::attackers(pieces, side(white), 1 << (square & 63), pieces.occupied())
    }

    /// The number of legal moves of a position; none if it is not one that can be played on.
    #[wasm_bindgen(js_name = moveCount)]
    pub fn move_count(&self, row: usize) -> Option<u32> {
        self.legal(row).map(|legal| legal.count())
    }

    /// Check (1), checkmate (2), stalemate (3) or nothing of it (0); none if a position is not one that can be played
    /// on.
    pub fn status(&self, row: usize) -> Option<u8> {
        self.legal(row).map(|legal| legal.status() as u8)
    }

    /// How many pieces of a side attack each square of a position.
    pub fn counts(&self, row: usize, white: bool) -> Vec<u8> {
        let pieces = &self.pieces[row];
        let counts = eval::attacker_counts(pieces, &eval::rays(pieces, side(white)));
        counts.to_array().to_vec()
    }
}

impl Positions {
    fn legal(&self, row: usize) -> Option<Legal> {
        let state = State::new(self.turns[row], self.castling[row], self.en_passant[row]);
        position::legal(&self.pieces[row], state)
    }

    fn push(&mut self, fen: &Fen) {
        self.pieces.push(fen.pieces);
        self.turns.push(fen.turn);
        self.castling.push(fen.castling);
        self.en_passant.push(fen.en_passant);
        self.clocks.push([fen.halfmove_clock, fen.fullmove_number]);
    }
}

fn side(white: bool) -> Colour {
    if white { Colour::White } else { Colour::Black }
}

/// The catalogue: a line for each column with its name, the type of its values, how many a position has, and its
/// meaning, with tabs between. `*` stands for a list, and a type ends with `?` if some positions have no answer.
#[wasm_bindgen]
pub fn catalogue() -> String {
    let mut text = String::new();
    for column in offered() {
        let shape = match column.shape() {
            Shape::Array(count) => count.to_string(),
            Shape::List => "*".to_owned(),
            _ => "1".to_owned(),
        };
        let (name, meaning) = (column.name(), column.meaning());
        let (value_type, null) = (column.value_type(), if column.is_nullable() { "?" } else { "" });
        text.push_str(&format!("{name}\t{value_type}{null}\t{shape}\t{meaning}\n"));
    }
    text
}

/// Whether a column is in this package: network inputs and what the library computes of legal moves in bulk would be a
/// third of the module (`.cargo/config.toml`).
fn is_offered(column: Column) -> bool {
    use setwise::Column as Board;
    let legal = [Board::LEGAL_PLANES, Board::LEGAL_COUNT, Board::STATUS];
    !column.needs_feature_set() && !legal.iter().any(|&other| Column::Board(other) == column)
}

/// The columns of the catalogue.
fn offered() -> impl Iterator<Item = &'static Column> {
    Column::ALL.iter().filter(|&&column| is_offered(column))
}
