//! Games in PGN, replayed.

use setwise_formats::pgn::{Chunk, OnError, Options, Replayer, Rows, Splitter};
use wasm_bindgen::prelude::*;

/// The tags that are kept.
const TAGS: [&str; 5] = ["White", "Black", "Event", "Date", "Result"];

/// Games, replayed move by move.
#[wasm_bindgen]
pub struct Games {
    rows: Rows,
}

#[wasm_bindgen]
impl Games {
    /// Reads games. Of a game that cannot be replayed to its end the positions up to the error are there.
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
        while splitter.read_chunk(&mut chunk)? {
            replayer.chunk(&chunk, &mut rows)?;
        }
        Ok(Self { rows })
    }

    /// The number of games.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> usize {
        self.rows.games.len()
    }

    /// A game's positions as FEN, a line each, from its start to its end.
    pub fn fens(&self, game: usize) -> String {
        lines(self.range(game).map(|row| self.rows.fen(row)))
    }

    /// A game's moves as the text has them, a line each.
    pub fn san(&self, game: usize) -> String {
        lines(self.moves(game).map(|row| self.rows.san.get(row).unwrap_or("--")))
    }

    /// A game's moves: from, to, from, to. Castling is the king going to its rook, a null move 64 to 64.
    pub fn squares(&self, game: usize) -> Vec<u8> {
        let squares = self.moves(game).map(|row| match self.rows.moves[row] {
            Some(made) => [made.from, made.to],
            None => [64, 64],
        });
        squares.flatten().collect()
    }

    /// A tag of a game: White, Black, Event, Date or Result.
    pub fn tag(&self, game: usize, name: &str) -> Option<String> {
        let column = TAGS.iter().position(|tag| *tag == name)?;
        self.rows.tags.get(column)?.get(game).map(str::to_owned)
    }

    /// What is wrong with the games, a line for each that could not be replayed.
    pub fn errors(&self) -> String {
        lines(self.rows.rejects.iter().map(|reject| &reject.error))
    }
}

impl Games {
    fn range(&self, game: usize) -> std::ops::Range<usize> {
        let game = &self.rows.games[game];
        game.first_row..game.first_row + game.rows
    }

    /// The rows from which a move leads on.
    fn moves(&self, game: usize) -> std::ops::Range<usize> {
        let rows = self.range(game);
        rows.start..rows.end - 1
    }
}

fn lines<T: ToString>(items: impl Iterator<Item = T>) -> String {
    items.map(|item| item.to_string()).collect::<Vec<_>>().join("\n")
}
