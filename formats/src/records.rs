//! Rows of positions and what comes with them: a column for each thing that some format says.

use std::fmt;

use setwise::fen::Castling;
use setwise::{Colour, Fen, Pieces, Role};

use crate::Format;
use crate::error::Fault;

/// Positions, and for each what its format says besides.
///
/// Every column has either a row for each of `pieces`, or none at all because the format does not say such a
/// thing: [`Format::keeps`] tells which. A score and a result have one meaning whatever the format: they are
/// those **of the side to move**.
///
/// Keep a batch and hand it to [`Reader::read`](crate::Reader::read) again and again: its memory
/// is used anew.
///
/// ```
/// use setwise_formats::{Records, Format, Reader, Writer};
/// let mut file = Vec::new();
/// let mut batch = Records::new();
/// batch.push_fen(&"4k3/8/8/8/8/8/8/4K2R b K - 3 7".parse()?);
/// batch.score.push(-512); // bad for black, who is to move
/// batch.result.push(-1); // and black lost
/// Writer::new(Format::Marlin, &mut file)?.write(&batch)?;
///
/// let mut read = Records::new();
/// assert_eq!(Reader::new(Format::Marlin, &file[..]).read(100, &mut read)?, 1);
/// assert_eq!(read.pieces, batch.pieces);
/// assert_eq!((read.score[0], read.result[0]), (-512, -1));
/// assert_eq!(read.fen(0).to_string(), "4k3/8/8/8/8/8/8/4K2R b K - 3 7");
/// assert!(read.moves.is_empty()); // the format has no moves
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Records {
    /// The format that the rows were read from; none if they were made otherwise.
    pub format: Option<Format>,
    /// The pieces. Where the format does not say whose turn it is ([`Format::Bullet`]), `white` is the side to
    /// move and the board is as that side sees it.
    pub pieces: Vec<Pieces>,
    /// The side to move.
    pub turn: Vec<Colour>,
    /// The castling rights.
    pub castling: Vec<Castling>,
    /// The square behind the pawn that has just made a double step (0 = a1, 63 = h8), on rank 3 or 6.
    pub en_passant: Vec<Option<u8>>,
    /// Half-moves since the last capture or pawn move.
    pub halfmove_clock: Vec<u32>,
    /// The number of the move, which grows after black's.
    pub fullmove_number: Vec<u32>,
    /// How good the position is for the side to move, in what unit the file's maker chose (mostly
    /// centipawns).
    ///
    /// 16 bits in all formats; here it has more, because the score of the other side may be 32768.
    pub score: Vec<i32>,
    /// How the game ended for the side to move: 1 won, 0 drawn, −1 lost.
    pub result: Vec<i8>,
    /// The move that was played or found best; none where the record has none.
    pub moves: Vec<Option<Move>>,
    /// Half-moves since the start of the game.
    pub ply: Vec<u32>,
    /// The spare bytes of the record, as a little-endian number: three of bulletformat, one of marlinformat
    /// and of PackedSfenValue. They are written only to the format they came from.
    pub extra: Vec<u32>,
}

impl Records {
    /// No rows.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of rows.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Removes all rows and keeps the memory.
    pub fn clear(&mut self) {
        self.truncate(0);
        self.format = None;
    }

    /// Removes the rows from `rows` on.
    pub fn truncate(&mut self, rows: usize) {
        let Self {
            format: _,
            pieces,
            turn,
            castling,
            en_passant,
            halfmove_clock,
            fullmove_number,
            score,
            result,
            moves,
            ply,
            extra,
        } = self;
        pieces.truncate(rows);
        turn.truncate(rows);
        castling.truncate(rows);
        en_passant.truncate(rows);
        halfmove_clock.truncate(rows);
        fullmove_number.truncate(rows);
        score.truncate(rows);
        result.truncate(rows);
        moves.truncate(rows);
        ply.truncate(rows);
        extra.truncate(rows);
    }

    /// Makes room for more rows in the columns that games have.
    pub(crate) fn reserve(&mut self, rows: usize) {
        self.pieces.reserve(rows);
        self.turn.reserve(rows);
        self.castling.reserve(rows);
        self.en_passant.reserve(rows);
        self.halfmove_clock.reserve(rows);
        self.score.reserve(rows);
        self.result.reserve(rows);
        self.moves.reserve(rows);
    }

    /// # Panics
    /// If a column has neither no rows nor as many as there are pieces.
    #[track_caller]
    pub(crate) fn check_columns(&self) {
        let columns = [
            ("turn", self.turn.len()),
            ("castling", self.castling.len()),
            ("en_passant", self.en_passant.len()),
            ("halfmove_clock", self.halfmove_clock.len()),
            ("fullmove_number", self.fullmove_number.len()),
            ("score", self.score.len()),
            ("result", self.result.len()),
            ("moves", self.moves.len()),
            ("ply", self.ply.len()),
            ("extra", self.extra.len()),
        ];
        for (name, rows) in columns {
            let all = self.len();
            assert!(
                rows == 0 || rows == all,
                "the column `{name}` has {rows} rows, the batch {all}"
            );
        }
    }

    /// A row as FEN.
    ///
    /// What the format does not say is what [`Fen::parse`] takes where a line does not say it: white to move,
    /// nobody may castle, no en passant, clock 0. Where there is a ply and no number of the move, the ply is
    /// taken as Stockfish counts it, from 0 before white's first move; else the number is 1.
    ///
    /// # Panics
    /// If there is no such row.
    #[must_use]
    #[track_caller]
    pub fn fen(&self, row: usize) -> Fen {
        let turn = self.turn(row);
        let whole_moves = |&ply: &u32| 1 + ply.saturating_sub(turn as u32) / 2;
        let counted = || self.ply.get(row).map_or(1, whole_moves);
        Fen {
            pieces: self.pieces[row],
            turn,
            castling: self.castling.get(row).copied().unwrap_or(Castling::NONE),
            en_passant: self.en_passant.get(row).copied().flatten(),
            halfmove_clock: self.halfmove_clock.get(row).copied().unwrap_or(0),
            fullmove_number: self.fullmove_number.get(row).copied().unwrap_or_else(counted),
        }
    }

    /// Adds a row to the columns that FEN has: all but score, result, move, ply and extra.
    pub fn push_fen(&mut self, fen: &Fen) {
        self.pieces.push(fen.pieces);
        self.turn.push(fen.turn);
        self.castling.push(fen.castling);
        self.en_passant.push(fen.en_passant);
        self.halfmove_clock.push(fen.halfmove_clock);
        self.fullmove_number.push(fen.fullmove_number);
    }

    /// The move of a row that has one.
    pub(crate) fn played(&self, row: usize) -> Result<Move, Fault> {
        let played = self.moves.get(row).copied().flatten();
        played.ok_or_else(|| Fault::new(0, "a move", "none"))
    }

    /// The side to move; white where nobody says.
    pub(crate) fn turn(&self, row: usize) -> Colour {
        self.turn.get(row).copied().unwrap_or(Colour::White)
    }
}

/// A move.
///
/// It displays as UCI has it, `e1g1` when castling; the alternate form `{:#}` is that of Chess960, `e1h1`.
///
/// ```
/// use setwise_formats::{Move, MoveKind};
/// let castling = Move { from: 4, to: 7, kind: MoveKind::Castling };
/// assert_eq!(format!("{castling} {castling:#}"), "e1g1 e1h1");
/// let promotion = Move { from: 52, to: 60, kind: MoveKind::Promotion(setwise::Role::Queen) };
/// assert_eq!(promotion.to_string(), "e7e8q");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The square that the piece leaves (0 = a1, 63 = h8).
    pub from: u8,
    /// The square that it goes to; when castling, the square of the rook.
    pub to: u8,
    /// What more there is to it.
    pub kind: MoveKind,
}

/// What a move does besides going from a square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// Nothing, or it captures where it goes to.
    Normal,
    /// The pawn becomes a knight, bishop, rook or queen.
    Promotion(Role),
    /// The pawn captures the one that has just passed it.
    EnPassant,
    /// King and rook.
    Castling,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut to = self.to;
        if self.kind == MoveKind::Castling && !f.alternate() {
            to = (to & 56) | if self.to > self.from { 6 } else { 2 };
        }
        let (from, to) = (crate::error::Square(self.from), crate::error::Square(to));
        write!(f, "{from}{to}")?;
        match self.kind {
            MoveKind::Promotion(Role::Knight) => f.write_str("n"),
            MoveKind::Promotion(Role::Bishop) => f.write_str("b"),
            MoveKind::Promotion(Role::Rook) => f.write_str("r"),
            MoveKind::Promotion(Role::Queen) => f.write_str("q"),
            _ => Ok(()),
        }
    }
}
