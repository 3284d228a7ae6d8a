//! Rows of positions and their data, with one column per field of the formats.

use std::fmt;
use std::ops::Range;

use setwise::fen::Castling;
use setwise::legal::MoveKind;
use setwise::{Colour, Fen, Pieces, Role};

use crate::board::Board;
use crate::error::Fault;
use crate::{Field, Format};

/// Positions, and the data that their format stores with each.
///
/// Every column either has as many rows as `pieces`, or is empty because the format does not store this field
/// ([`Format::keeps`]). Scores and results have the same meaning in all formats: they are from the point of view **of
/// the side to move**.
///
/// Pass the same batch to [`Reader::read`](crate::Reader::read) repeatedly to reuse its memory.
///
/// ```
/// use setwise_formats::{Records, Format, Reader, Writer};
/// let mut file = Vec::new();
/// let mut batch = Records::new();
/// batch.push_fen(&"4k3/8/8/8/8/8/8/4K2R b K - 3 7".parse()?);
/// batch.score.push(-512); // bad for black, the side to move
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
    /// The format from which the rows were read; `None` if they have another origin.
    pub format: Option<Format>,
    /// The pieces. If the format does not store the side to move ([`Format::Bullet`]), the board is flipped so that
    /// `white` is the side to move.
    pub pieces: Vec<Pieces>,
    /// The side to move.
    pub turn: Vec<Colour>,
    /// The castling rights.
    pub castling: Vec<Castling>,
    /// The square that a pawn has just skipped with a double step (0 = a1, 63 = h8), on rank 3 or 6.
    pub en_passant: Vec<Option<u8>>,
    /// Half-moves since the last capture or pawn move.
    pub halfmove_clock: Vec<u32>,
    /// The move number, which increases after black's move.
    pub fullmove_number: Vec<u32>,
    /// The evaluation for the side to move, in the file's unit (mostly centipawns).
    ///
    /// Files have 16 bits. The type is larger because the negative of -32768 is 32768. A missing score is
    /// [`NO_SCORE`](Self::NO_SCORE), or its negative in a format that stores scores for white.
    pub score: Vec<i32>,
    /// The result of the game for the side to move: 1 won, 0 drawn, −1 lost. An unknown result is
    /// [`NO_RESULT`](Self::NO_RESULT), which cannot be written.
    pub result: Vec<i8>,
    /// The move that was played or evaluated as best; `None` if the record has no move.
    pub moves: Vec<Option<Move>>,
    /// Half-moves since the start of the game. Binpack has no move number: it stores the ply of rows that were read from
    /// a [`format`](Self::format), and for others the one that the move number gives.
    pub ply: Vec<u32>,
    /// The spare bytes of the record, as a little-endian number: three in bulletformat, one in marlinformat and
    /// PackedSfenValue. They are written only to the format from which they were read.
    pub extra: Vec<u32>,
}

/// Calls a macro with the names of all columns: the pieces, then the fields in the order of [`Field::ALL`].
macro_rules! columns {
    ($each:ident) => {
        $each!(pieces turn castling en_passant halfmove_clock fullmove_number score result moves ply extra)
    };
}

impl Records {
    /// The value that Stockfish's tools write for a missing score.
    pub const NO_SCORE: i32 = 32_002;

    /// The value of an unknown result.
    pub const NO_RESULT: i8 = i8::MIN;

    /// Returns whether a score is not [`NO_SCORE`](Self::NO_SCORE) or its negative.
    #[must_use]
    pub const fn is_score(score: i32) -> bool {
        score.unsigned_abs() != Self::NO_SCORE.unsigned_abs()
    }

    /// Creates a batch without rows.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of rows.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Returns whether there are no rows.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Removes all rows and keeps the allocation.
    pub fn clear(&mut self) {
        self.truncate(0);
        self.format = None;
    }

    /// Removes the rows from `rows` on.
    pub fn truncate(&mut self, rows: usize) {
        macro_rules! truncate {
            ($($column:ident)*) => { $(self.$column.truncate(rows);)* };
        }
        columns!(truncate);
    }

    /// Removes the rows for which `stays` is false.
    ///
    /// # Panics
    /// If the number of values differs from the number of rows.
    #[track_caller]
    pub fn retain(&mut self, stays: &[bool]) {
        assert_eq!(stays.len(), self.len(), "values for other rows");
        macro_rules! retain {
            ($($column:ident)*) => {$(
                let mut each = stays.iter();
                self.$column.retain(|_| each.next() == Some(&true));
            )*};
        }
        columns!(retain);
    }

    /// # Panics
    /// If a column is neither empty nor as long as `pieces`.
    #[track_caller]
    pub(crate) fn check_columns(&self) {
        macro_rules! lengths {
            ($($column:ident)*) => { [$(self.$column.len()),*] };
        }
        let [all, lengths @ ..] = columns!(lengths);
        for (field, rows) in Field::ALL.iter().zip(lengths) {
            let name = field.name();
            assert!(
                rows == 0 || rows == all,
                "the column `{name}` has {rows} rows, the batch {all}"
            );
        }
    }

    /// Returns a row as FEN.
    ///
    /// Fields that the format does not store have the values that [`Fen::parse`] uses for missing fields: white to
    /// move, no castling rights, no en passant square, clock 0. A missing move number is computed from the ply as
    /// Stockfish counts it, from 0 before white's first move; without a ply, it is 1.
    ///
    /// # Panics
    /// If `row` is out of range.
    #[must_use]
    #[track_caller]
    pub fn fen(&self, row: usize) -> Fen {
        let turn = self.turn(row);
        let move_number = |&ply: &u32| 1 + ply.saturating_sub(turn as u32) / 2;
        let counted = || self.ply.get(row).map_or(1, move_number);
        Fen {
            pieces: self.pieces[row],
            turn,
            castling: self.castling.get(row).copied().unwrap_or(Castling::NONE),
            en_passant: self.en_passant.get(row).copied().flatten(),
            halfmove_clock: self.halfmove_clock.get(row).copied().unwrap_or(0),
            fullmove_number: self.fullmove_number.get(row).copied().unwrap_or_else(counted),
        }
    }

    /// The ply of a row; without plies, it is computed from the move number.
    pub(crate) fn half_moves(&self, row: usize) -> i64 {
        self.ply.get(row).map_or_else(|| counted_ply(&self.fen(row)), |&ply| ply.into())
    }

    /// The spare bytes of a row that was read from a format; 0 for a row of another origin.
    pub(crate) fn extra_of(&self, row: usize, format: Format) -> u32 {
        let extra = self.extra.get(row).filter(|_| self.format == Some(format));
        extra.copied().unwrap_or(0)
    }

    /// Returns a batch with a copy of one row.
    ///
    /// # Panics
    /// If `row` is out of range.
    ///
    /// ```
    /// use setwise_formats::Records;
    /// let mut batch = Records::new();
    /// batch.push_fen(&setwise::Fen::START);
    /// batch.push_fen(&"8/8/8/8/8/k7/8/K1q5 w - - 5 80".parse()?);
    /// assert_eq!(batch.row(1).fen(0).to_string(), "8/8/8/8/8/k7/8/K1q5 w - - 5 80");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[track_caller]
    pub fn row(&self, row: usize) -> Self {
        self.rows(row..row + 1)
    }

    /// Returns a batch with a copy of some rows.
    ///
    /// # Panics
    /// If `rows` are out of range.
    #[must_use]
    #[track_caller]
    pub fn rows(&self, rows: Range<usize>) -> Self {
        assert!(rows.end <= self.len(), "there are {} rows", self.len());
        macro_rules! copy {
            ($($column:ident)*) => {
                Self {
                    format: self.format,
                    $($column: self.$column.get(rows.clone()).unwrap_or_default().to_vec()),*
                }
            };
        }
        columns!(copy)
    }

    /// Adds a row to the columns that a FEN contains: all except score, result, move, ply and extra.
    #[inline(always)]
    pub fn push_fen(&mut self, fen: &Fen) {
        self.pieces.push(fen.pieces);
        self.turn.push(fen.turn);
        self.castling.push(fen.castling);
        self.en_passant.push(fen.en_passant);
        self.halfmove_clock.push(fen.halfmove_clock);
        self.fullmove_number.push(fen.fullmove_number);
    }

    /// The move of a row of a game, checked on a board after the moves before it.
    pub(crate) fn played(&self, row: usize, board: &Board) -> Result<Move, Fault> {
        if self.pieces[row] != board.fen().pieces {
            let expected = "the position after the move of the row before";
            return Err(Fault::new(0, expected, self.fen(row)));
        }
        let played = self.moves.get(row).copied().flatten();
        let played = played.ok_or_else(|| Fault::new(0, "a move", "none"))?;
        board.check(played).map_err(|text| Fault::of(0, text))?;
        Ok(played)
    }

    /// Changes the values of a row to those that a format can hold: drops castling rights that it cannot store, with a move
    /// that needs them, and clamps clocks, counters and scores. The pieces do not change. Of a game, limit all rows.
    ///
    /// ```
    /// use setwise_formats::{Format, Records};
    /// let mut batch = Records::new();
    /// batch.push_fen(&"4k3/8/8/8/8/8/8/1R2K2R w BK - 130 180".parse()?);
    /// batch.limit(0, Format::PackedSfen);
    /// assert_eq!(batch.fen(0).to_string(), "4k3/8/8/8/8/8/8/1R2K2R w K - 127 180");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If `row` is out of range.
    #[track_caller]
    pub fn limit(&mut self, row: usize, format: Format) {
        fn limit_to(column: &mut [u32], row: usize, max: u32) {
            column.get_mut(row).into_iter().for_each(|value| *value = max.min(*value));
        }
        let pieces = &self.pieces[row];
        let (rooks, clock, number) = match format {
            // Without plies, the writer computes them from the move number.
            Format::PackedSfen if self.ply.is_empty() => ([0x81; 2], 127, 1 << 15),
            Format::PackedSfen => ([0x81; 2], 127, u16::MAX.into()),
            Format::Plain => ([0xff; 2], u32::MAX, 1 << 31),
            Format::Binpack => {
                let sides = [pieces.white & 0x10, pieces.black >> 56 & 0x10];
                let kings = [pieces.kings, pieces.kings >> 56];
                let rooks = |side: usize| if sides[side] & kings[side] != 0 { 0x81 } else { 0 };
                ([rooks(0), rooks(1)], u16::MAX.into(), 1 << 13)
            }
            _ => {
                let [white, black] = [pieces.white, pieces.black].map(|side| side & pieces.rooks);
                ([white as u8, (black >> 56) as u8], u8::MAX.into(), u16::MAX.into())
            }
        };
        let turn = self.turn(row);
        if let Some(castling) = self.castling.get_mut(row) {
            let before = castling.of(turn);
            castling.white &= rooks[0];
            castling.black &= rooks[1];
            let dropped = before & !castling.of(turn);
            if let Some(played) = self.moves.get_mut(row) {
                let needs =
                    |of: &Move| of.kind == MoveKind::Castling && dropped >> (of.to % 8) & 1 == 1;
                *played = played.filter(|of| !needs(of));
            }
        }
        limit_to(&mut self.halfmove_clock, row, clock);
        limit_to(&mut self.fullmove_number, row, number);
        let plies = if format == Format::Binpack { (1 << 14) - 1 } else { u16::MAX.into() };
        limit_to(&mut self.ply, row, plies);
        if let Some(score) = self.score.get_mut(row) {
            // These two store the score for white.
            let is_of_white = matches!(format, Format::Marlin | Format::Viri);
            let sign = if is_of_white && turn == Colour::Black { -1 } else { 1 };
            *score = sign * score.saturating_mul(sign).clamp(i16::MIN.into(), i16::MAX.into());
        }
    }

    /// The side to move; white if the format does not store it.
    pub(crate) fn turn(&self, row: usize) -> Colour {
        self.turn.get(row).copied().unwrap_or(Colour::White)
    }
}

/// The half-moves by the move number, as Stockfish counts them: 0 before white's first move.
pub(crate) fn counted_ply(fen: &Fen) -> i64 {
    2 * (i64::from(fen.fullmove_number).max(1) - 1) + fen.turn as i64
}

/// The data of a record that are known before its position is unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preview {
    /// The evaluation for the side to move, as in [`Records::score`].
    pub score: i32,
    /// The result of the game for the side to move, as in [`Records::result`].
    pub result: i8,
    /// Half-moves since the start of the game, if the format stores them.
    pub ply: Option<u32>,
    /// The number of pieces.
    pub pieces: u32,
}

/// A move.
///
/// It is displayed in UCI notation, `e1g1` for castling; the alternate form `{:#}` uses Chess960 notation, `e1h1`.
/// Castling that standard chess does not have always uses it, because `f1g1` is a move of the king.
///
/// ```
/// use setwise_formats::{Move, MoveKind};
/// let castling = Move { from: 4, to: 7, kind: MoveKind::Castling };
/// assert_eq!(format!("{castling} {castling:#}"), "e1g1 e1h1");
/// assert_eq!(Move { from: 5, ..castling }.to_string(), "f1h1");
/// let promotion = Move { from: 52, to: 60, kind: MoveKind::Promotion(setwise::Role::Queen) };
/// assert_eq!(promotion.to_string(), "e7e8q");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The origin (0 = a1, 63 = h8).
    pub from: u8,
    /// The destination; for castling, the square of the rook.
    pub to: u8,
    /// The kind of move.
    pub kind: MoveKind,
}

impl Move {
    /// The move in UCI notation, of Chess960 or as displayed, in a buffer.
    pub fn uci(self, chess960: bool, text: &mut [u8; 5]) -> &str {
        let Self { from, mut to, kind } = self;
        let is_standard = from % 8 == 4 && matches!(to % 8, 0 | 7);
        if kind == MoveKind::Castling && is_standard && !chess960 {
            to = (to & 56) | if to > from { 6 } else { 2 };
        }
        let (promotion, length) = match kind {
            MoveKind::Promotion(role) => (b"pnbrqk"[role as usize], 5),
            _ => (b' ', 4),
        };
        let (file, rank) = (|square: u8| b'a' + square % 8, |square: u8| b'1' + square / 8 % 8);
        *text = [file(from), rank(from), file(to), rank(to), promotion];
        str::from_utf8(&text[..length]).unwrap_or_default()
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.uci(f.alternate(), &mut [0; 5]))
    }
}

/// Parses a legal move in UCI notation, with castling as in [`Legal::parse_uci`](setwise::position::Legal::parse_uci).
/// Returns the move in the position's encoding and in that of records.
///
/// # Errors
/// A message with the expected and the actual text.
///
/// ```
/// use setwise_formats::{MoveKind, legal_move};
/// let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
/// let (_, castling) = legal_move("e1g1", &fen)?;
/// assert_eq!((castling.to, castling.kind), (7, MoveKind::Castling));
/// assert!(legal_move("e1e3", &fen).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn legal_move(text: &str, position: &Fen) -> Result<(setwise::legal::Move, Move), String> {
    let legal = setwise::position::legal(&position.pieces, position.into()).ok_or(
        "the side not to move is in check, or a side has not exactly one king: it has no moves",
    )?;
    let played = legal.parse_uci(text);
    let played =
        played.map_err(|_| format!("expected a legal move in UCI notation, found `{text}`"))?;
    Ok((played, of_records(played, position)))
}

/// Finds the legal move between two squares, as [`legal_move`] does; `None` if no move is legal.
pub(crate) fn find_legal(
    position: &Fen,
    from: u8,
    to: u8,
    promotion: Option<Role>,
) -> Option<Move> {
    let legal = setwise::position::legal(&position.pieces, position.into())?;
    Some(of_records(legal.find(from, to, promotion)?, position))
}

/// Converts a legal move to the encoding of records, where castling always has the square of the rook.
fn of_records(played: setwise::legal::Move, position: &Fen) -> Move {
    let (from, mut to, kind) = (played.from(), played.to(), played.kind());
    if kind == MoveKind::Castling && position.castling.of(position.turn) >> (to & 7) & 1 == 0 {
        to = to & 56 | if to > from { 7 } else { 0 };
    }
    Move { from, to, kind }
}
