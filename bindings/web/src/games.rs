//! Replays games in PGN.

use setwise_formats::pgn::{Chunk, OnError, Options, Replayer, Rows, Splitter};
use wasm_bindgen::prelude::*;

/// The tags to keep.
const TAGS: [&str; 5] = ["White", "Black", "Event", "Date", "Result"];

/// Replayed games.
#[wasm_bindgen]
pub struct Games {
    rows: Rows,
}

#[wasm_bindgen]
impl Games {
    /// Reads games. Keeps the positions up to the error of a game that cannot be replayed to its end.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &[u8]) -> Result<Games, JsError> {
        let mut options = Options::default();
        options.san = true;
        options.comments = false;
        options.tags = TAGS.map(str::to_owned).to_vec();
        options.on_error = OnError::Keep;
        let mut splitter = Splitter::new(text);
        let mut replayer = Replayer::new(options);
        let (mut chunk, mut rows) = (Chunk::default(), Rows::default());
        while splitter.read_chunk(1 << 20, &mut chunk)? {
            replayer.chunk(&chunk, &mut rows)?;
        }
        Ok(Self { rows })
    }

    /// The number of games.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> usize {
        self.rows.games.len()
    }

    /// Returns the positions of a game as FEN, one per line, from its start to its end.
    pub fn fens(&self, game: usize) -> String {
        lines(self.range(game).map(|row| self.rows.records.fen(row)))
    }

    /// Returns the moves of a game as written in the text, one per line.
    pub fn san(&self, game: usize) -> String {
        lines(self.moves(game).map(|row| self.rows.san.get(row).unwrap_or("--")))
    }

    /// Returns the squares of the moves of a game: from, to, from, to. Castling is the king's move to its rook; a null
    /// move is 64 to 64.
    pub fn squares(&self, game: usize) -> Vec<u8> {
        let squares = self.moves(game).map(|row| match self.rows.records.moves[row] {
            Some(made) => [made.from, made.to],
            None => [64, 64],
        });
        squares.flatten().collect()
    }

    /// Returns a tag of a game: White, Black, Event, Date or Result.
    pub fn tag(&self, game: usize, name: &str) -> Option<String> {
        let column = TAGS.iter().position(|tag| *tag == name)?;
        self.rows.tags.get(column)?.get(game).map(str::to_owned)
    }

    /// Returns the errors, one line for each game that could not be replayed.
    pub fn errors(&self) -> String {
        lines(self.rows.rejects.iter().map(|reject| &reject.error))
    }
}

impl Games {
    fn range(&self, game: usize) -> std::ops::Range<usize> {
        let game = &self.rows.games[game];
        game.first_row..game.first_row + game.rows
    }

    /// The rows of a game that are followed by a move.
    fn moves(&self, game: usize) -> std::ops::Range<usize> {
        let rows = self.range(game);
        rows.start..rows.end - 1
    }
}

fn lines<T: ToString>(items: impl Iterator<Item = T>) -> String {
    items.map(|item| item.to_string()).collect::<Vec<_>>().join("\n")
}
