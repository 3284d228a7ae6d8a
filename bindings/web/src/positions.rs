//! Reads positions from text, and computes columns.

use setwise::columns::{SelectionError, select};
use setwise::legal::{Move, State};
use setwise::position::Legal;
use setwise::{Colour, Fen, Kernel, Pieces, Shape, eval, position};
use setwise_nnue::Column;
use wasm_bindgen::prelude::*;

use crate::filled::Answer;

/// Positions, and the columns of the latest call of `fill`.
#[wasm_bindgen]
#[derive(Default)]
pub struct Positions {
    pieces: Vec<Pieces>,
    states: Vec<State>,
    clocks: Vec<[u32; 2]>,
    columns: Vec<Column>,
    answers: Vec<Answer>,
}

#[wasm_bindgen]
impl Positions {
    /// Reads FEN or EPD, one position per line. The last line may end with a line break. Skips a byte order mark.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &[u8]) -> Result<Positions, JsError> {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let mut positions = Self::default();
        let lines = text.split_inclusive(|&byte| byte == b'\n').flat_map(|line| {
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            line.strip_suffix(b"\r").unwrap_or(line).split(|&byte| byte == b'\r')
        });
        for (line, number) in lines.zip(1_usize..) {
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

    /// Returns a position as FEN.
    pub fn fen(&self, row: usize) -> String {
        fen(self.pieces[row], self.states[row], self.clocks[row])
    }

    /// Fills columns, which stay valid until the next call. Returns their indices in the catalogue.
    pub fn fill(&mut self, names: Vec<String>) -> Result<Vec<u8>, JsError> {
        let mut columns: Vec<Column> = select(&names).map_err(|error| {
            let listed = match error {
                SelectionError::Unknown { nearest: Some(_), .. } | SelectionError::Twice { .. } => {
                    ""
                }
                _ => "; `columns()` lists them",
            };
            JsError::new(&format!("{error}{listed}"))
        })?;
        let omitted: Vec<Column> = columns.extract_if(.., |column| !is_offered(*column)).collect();
        // Patterns skip columns that are left out, unless there are no others.
        let is_named = |column: &Column| names.iter().any(|name| name.trim() == column.name());
        if let Some(column) = omitted.into_iter().find(|it| columns.is_empty() || is_named(it)) {
            let instead = match column.name() {
                "status" => ": use `status` of `Position`",
                "legal_count" => ": use `moveCount` of `Position`",
                _ => "",
            };
            let omitted = format!("column `{column}` is left out of this package{instead}");
            return Err(JsError::new(&omitted));
        }
        let mut old = std::mem::take(&mut self.answers).into_iter();
        let mut answers: Vec<Answer> = columns
            .iter()
            .map(|&column| Answer::prepare(old.next(), column, self.pieces.len()))
            .collect::<Result<_, _>>()
            .map_err(|_| {
                let asked = format!("{} columns of {} positions", columns.len(), self.pieces.len());
                JsError::new(&format!("no memory for {asked}: free others, or fill fewer at once"))
            })?;
        let mut requests = Vec::with_capacity(columns.len());
        for (&column, answer) in columns.iter().zip(&mut answers) {
            match column {
                Column::Board(column) => requests.push(answer.request(column)),
                _ => answer.fill_threats(&self.pieces),
            }
        }
        let positions = setwise::Positions::from(&self.pieces).with_states(&self.states);
        Kernel::built_in().fill(positions, &mut requests);
        self.answers = answers;
        self.columns = columns;
        let number = |column| offered().position(|other| other == column);
        Ok(self.columns.iter().filter_map(number).map(|number| number as u8).collect())
    }

    /// Returns the location of the values of a filled column, or of the items of all lists: their address and number,
    /// valid until the next call.
    pub fn values(&self, column: usize) -> Box<[usize]> {
        self.answers[column].values()
    }

    /// Returns the location of the offsets of lists: the start of each list, and the end of the last.
    pub fn offsets(&self, column: usize) -> Option<Box<[usize]>> {
        self.answers[column].offsets()
    }

    /// Returns the location of the validity: one byte per position, 0 if the value is undefined; `None` for columns
    /// that are always defined.
    pub fn valid(&self, column: usize) -> Option<Box<[usize]>> {
        self.answers[column].valid()
    }

    /// Returns the piece on each square of a position: letters of FEN, 0 for empty squares.
    pub fn letters(&self, row: usize) -> Vec<u8> {
        let piece = |square| self.pieces[row].at(square);
        let letters = (0..64).map(|square| piece(square).map_or('\0', setwise_draw::letter));
        letters.map(|letter| letter as u8).collect()
    }

    /// Returns the pieces of a side that attack a square of a position.
    pub fn attackers(&self, row: usize, white: bool, square: u8) -> u64 {
        let pieces = &self.pieces[row];
        position::attackers(pieces, side(white), 1 << (square & 63), pieces.occupied())
    }

    /// Returns the number of legal moves of a position; `None` if it is not valid for play.
    #[wasm_bindgen(js_name = moveCount)]
    pub fn move_count(&self, row: usize) -> Option<u32> {
        self.legal(row).map(|legal| legal.count())
    }

    /// Returns 1 for check, 2 for checkmate, 3 for stalemate, else 0; `None` if the position is not valid for play.
    pub fn status(&self, row: usize) -> Option<u8> {
        self.legal(row).map(|legal| legal.status() as u8)
    }

    /// Returns the position after a legal move, in the bits of the column `legal_moves`, as FEN.
    pub fn played(&self, row: usize, bits: u16) -> Option<String> {
        let (before, [halfmoves, number]) = (&self.pieces[row], self.clocks[row]);
        let played = Move::from_bits(bits)?;
        let (pieces, state) = position::play(before, self.states[row], played);
        let enemies = before.colour(state.turn());
        let is_reset = (before.pawns >> played.from() | enemies >> played.to()) & 1 != 0;
        let halfmoves = if is_reset { 0 } else { halfmoves.saturating_add(1) };
        let number = number.saturating_add((state.turn() == Colour::White).into());
        Some(fen(pieces, state, [halfmoves, number]))
    }

    /// Returns the number of attackers of a side for each square of a position.
    pub fn counts(&self, row: usize, white: bool) -> Vec<u8> {
        let pieces = &self.pieces[row];
        let counts = eval::attacker_counts(pieces, &eval::rays(pieces, side(white)));
        counts.to_array().to_vec()
    }
}

impl Positions {
    fn legal(&self, row: usize) -> Option<Legal> {
        position::legal(&self.pieces[row], self.states[row])
    }

    fn push(&mut self, fen: &Fen) {
        self.pieces.push(fen.pieces);
        self.states.push(fen.into());
        self.clocks.push([fen.halfmove_clock, fen.fullmove_number]);
    }
}

fn fen(pieces: Pieces, state: State, [halfmove_clock, fullmove_number]: [u32; 2]) -> String {
    let (turn, castling, en_passant) = (state.turn(), state.castling(), state.en_passant());
    Fen { pieces, turn, castling, en_passant, halfmove_clock, fullmove_number }.to_string()
}

fn side(white: bool) -> Colour {
    if white { Colour::White } else { Colour::Black }
}

/// Returns the catalogue: one line per column with its name, the type of its values, their number per position (`*` for
/// lists), and its meaning, separated by tabs. The type ends with `?` if values can be undefined.
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

/// Returns whether this package has a column. It omits network inputs and bulk columns of legal moves, which would be a
/// third of the module (`Cargo.toml`), and attackers as bytes.
fn is_offered(column: Column) -> bool {
    use setwise::Column as Board;
    let legal = [Board::LEGAL_PLANES, Board::LEGAL_COUNT, Board::STATUS];
    match column {
        Column::Board(column) => !legal.contains(&column),
        other => other == Column::Threats,
    }
}

/// The columns of the catalogue.
fn offered() -> impl Iterator<Item = &'static Column> {
    Column::ALL.iter().filter(|&&column| is_offered(column))
}
