//! Reads the movetext of a game word by word: plays each move on the board, and adds a row for each position.
//!
//! The row of a position is added when its move is read, so that the comments before the move are known. If the move
//! is rejected, the row has no move; if the game is kept up to the error, it ends with this row.

use std::ops::Range;

use setwise::Colour;

use super::board::Refusal;
use super::comments::Notes;
use super::error::{ErrorKind, Found, Problem};
use super::lists::{self, RESULTS};
use super::options::Options;
use super::refusals;
use super::rows::{Rows, Score};
use super::san::{self, San, Word};
use super::tags;
use crate::Move;
use crate::board::{Board, KING, PAWN};
use crate::lines::end as line_end;

/// The maximum length of a game, in half-moves. The rules allow fewer than 18,000.
pub const MAX_PLIES: usize = 65_535;

/// The maximum depth of nested variations, if they are read.
const MAX_DEPTH: usize = 200;

/// An upper bound on the bytes of a move.
const MAX_MOVE: usize = 64;

/// The main line or a variation.
struct Line {
    /// The offset of its start.
    at: usize,
    board: Board,
    /// The values in comments for the position on the board.
    notes: Notes,
    /// The ply of the position on the board.
    ply: u32,
    /// 0 for the main line, or the variation's number.
    variation: u32,
    /// The position before the last move of this line, if variations are read.
    before: Option<Board>,
}

impl Line {
    fn new(at: usize, board: Board, ply: u32, variation: u32) -> Self {
        Self { at, board, notes: Notes::default(), ply, variation, before: None }
    }
}

/// A game that is being read.
pub(crate) struct Reading<'a> {
    text: &'a [u8],
    /// True if the text may have been truncated at its end.
    last: bool,
    options: &'a Options,
    first_row: usize,
    /// The result after the moves; `Some(None)` for `*`.
    pub(crate) result: Option<Option<i8>>,
    line: Line,
    /// The lines from which this variation departs, the innermost last, and the number of variations so far. Both are
    /// used only if variations are read.
    lines: Vec<Line>,
    variations: u32,
    /// The number of evaluations from engines' comments.
    pub(crate) of_engines: u64,
}

/// Signs with characters that words do not have, the longer ones first: with the idea, initiative, attack and others.
const GLYPHS: [&[u8]; 9] = [b"/\\", b"\\/", b"=>", b"->", b"<=", b">>", b"<<", b"^_", b"^"];

impl<'a> Reading<'a> {
    pub(crate) fn new(
        text: &'a [u8],
        last: bool,
        options: &'a Options,
        board: Board,
        first_row: usize,
    ) -> Self {
        let (line, lines) = (Line::new(0, board, 0, 0), Vec::new());
        let (variations, of_engines) = (0, 0);
        Self { text, last, options, first_row, result: None, line, lines, variations, of_engines }
    }

    /// Reads moves and the text between them, starting at an offset.
    pub(crate) fn movetext(&mut self, start: usize, rows: &mut Rows) -> Result<(), Box<Problem>> {
        let Self { text, last, options, .. } = *self;
        let mut at = start;
        while let Some(&byte) = text.get(at) {
            match byte {
                b' ' | b'\t' | b'.' | b'!' | b'?' | 0x0b | 0x0c => at += 1,
                b'\n' | b'\r' => {
                    at += 1;
                    if text.get(at) == Some(&b'%') {
                        at = line_end(text, at);
                    }
                }
                b'a'..=b'h' | b'N' | b'B' | b'R' | b'Q' | b'K' => {
                    let Some((san, end)) = san::standard(text, at) else {
                        at = self.word(at, rows)?;
                        continue;
                    };
                    self.begin_row(at, rows)?;
                    let played = match self.play(&san) {
                        Ok(played) => played,
                        Err(refusal) => self.refused(at, &san, refusal)?,
                    };
                    self.end_row(Some(played), &text[at..end], rows);
                    at = past_space(text, end);
                }
                b'0'..=b'9' => match number_end(text, at) {
                    Some(end) => at = past_space(text, end),
                    None => at = self.word(at, rows)?,
                },
                b'{' => match self.comment_end(at)? {
                    Some(end) => at = past_space(text, end + 1),
                    None if last => break,
                    None => return Err(syntax(text, at, "'}' for this comment within the game")),
                },
                b'(' if options.variations && self.begin_variation(at)? => at += 1,
                b')' if !self.lines.is_empty() => {
                    self.end_line(rows);
                    at += 1;
                }
                b'(' => match variation_end(text, at) {
                    Some(end) => at = end,
                    None if last && !is_promotion(&text[at..]) => break,
                    None => return Err(syntax(text, at, "')' for this variation within the game")),
                },
                b'$' => {
                    at += 1;
                    while let Some(b'0'..=b'9') = text.get(at) {
                        at += 1;
                    }
                }
                b';' => at = self.line_comment(at)?,
                b'*' => {
                    self.ends(None);
                    at += 1;
                }
                b'%' if at == 0 => at = line_end(text, at),
                b'}' => return Err(syntax(text, at, "'{' before this sign")),
                b')' => return Err(syntax(text, at, "'(' before this sign")),
                _ => at = self.word(at, rows)?,
            }
        }
        if !last && !self.lines.is_empty() {
            return Err(syntax(text, self.line.at, "')' for this variation within the game"));
        }
        if rows.len() == self.first_row {
            self.without_moves(start)?;
        }
        Ok(())
    }

    /// Reads a comment in braces if comments are read. Returns the offset of its last brace, if there is one.
    #[inline(always)]
    fn comment_end(&mut self, at: usize) -> Result<Option<usize>, Box<Problem>> {
        self.check_object(at)?;
        Ok(match self.options.comments {
            true => self.line.notes.read(self.text, at + 1),
            false => memchr::memchr(b'}', &self.text[at..]).map(|step| at + step),
        })
    }

    /// Returns an error if a comment is a line of JSON, whose moves would be lost.
    #[inline(always)]
    fn check_object(&self, at: usize) -> Result<(), Box<Problem>> {
        let begins_line = at == 0 || matches!(self.text[at - 1], b'\n' | b'\r');
        if begins_line && lists::is_object(&self.text[at..line_end(self.text, at)]) {
            let expected = "a game in PGN; the line is a JSON object, which JSON Lines has";
            return Err(syntax(self.text, at, expected));
        }
        Ok(())
    }

    /// Skips a comment to the end of its line. Moves after a semicolon without a space before it are items of a list.
    #[cold]
    fn line_comment(&self, at: usize) -> Result<usize, Box<Problem>> {
        let (text, end) = (self.text, line_end(self.text, at));
        let is_separator = at > 0 && !text[at - 1].is_ascii_whitespace();
        if is_separator && lists::all_moves(&text[at..end]) {
            return Err(syntax(text, at, "a space between moves"));
        }
        Ok(end)
    }

    /// Returns an error if movetext without moves has them in brackets: in a variation, or in a list.
    #[cold]
    fn without_moves(&self, start: usize) -> Result<(), Box<Problem>> {
        let movetext = &self.text[start..];
        let blanks = movetext.len() - movetext.trim_ascii_start().len();
        let in_variation = movetext[blanks..].starts_with(b"(")
            && movetext.split(|byte| !byte.is_ascii_alphanumeric()).any(lists::is_move);
        if !in_variation && !lists::is_list(movetext) {
            return Ok(());
        }
        let found = Found(movetext.trim_ascii());
        let problem = format!("expected moves without brackets around them, found {found}");
        Err(Problem::new(ErrorKind::Syntax, start + blanks, problem))
    }

    /// Adds the last position of each line that has not ended.
    pub(crate) fn end(&mut self, rows: &mut Rows) {
        while !self.lines.is_empty() {
            self.end_line(rows);
        }
        self.end_line(rows);
    }

    /// Adds the last position of this line, without a move, unless its row was added before a rejected move. Then
    /// returns to the line from which this variation departs.
    fn end_line(&mut self, rows: &mut Rows) {
        if rows.records.pieces.len() == rows.records.moves.len() {
            self.push(rows);
        }
        rows.records.moves.push(None);
        if self.options.san {
            rows.san.push(None);
        }
        if let Some(line) = self.lines.pop() {
            self.line = line;
        }
    }

    /// Begins a variation at the position before the last move. Returns false if the line has no move yet, or if the
    /// text is not a variation.
    #[cold]
    fn begin_variation(&mut self, at: usize) -> Result<bool, Box<Problem>> {
        if is_promotion(&self.text[at..]) {
            return Ok(false);
        }
        if self.lines.len() == MAX_DEPTH {
            let expected = format!("expected at most {MAX_DEPTH} variations in one another");
            return Err(Problem::new(ErrorKind::TooLong, at, expected));
        }
        let Some(before) = self.line.before.clone() else { return Ok(false) };
        self.variations += 1;
        let line = Line::new(at, before, self.line.ply - 1, self.variations);
        self.lines.push(std::mem::replace(&mut self.line, line));
        Ok(true)
    }

    /// Stores a result, unless it ends a variation.
    fn ends(&mut self, result: Option<i8>) {
        if self.lines.is_empty() {
            self.result.get_or_insert(result);
        }
    }

    /// Adds a row for the position on the board; [`end_row`](Self::end_row) adds the move.
    #[inline(always)]
    fn begin_row(&mut self, at: usize, rows: &mut Rows) -> Result<(), Box<Problem>> {
        if self.result.is_some() && self.lines.is_empty() {
            return Err(syntax(self.text, at, "the end of the game after its result"));
        }
        if rows.len() - self.first_row == MAX_PLIES {
            let expected = format!("expected at most {MAX_PLIES} half-moves, found more");
            return Err(Problem::new(ErrorKind::TooLong, at, expected));
        }
        self.push(rows);
        if self.options.variations {
            self.line.before = Some(self.line.board.clone());
        }
        self.line.ply += 1;
        Ok(())
    }

    #[inline(always)]
    fn push(&mut self, rows: &mut Rows) {
        let fen = self.line.board.fen();
        rows.records.push_fen(&fen);
        rows.records.ply.push(self.line.ply);
        if self.options.comments {
            let Notes { clock, elapsed, mut eval, depth, of_mover } =
                std::mem::take(&mut self.line.notes);
            if of_mover && fen.turn == Colour::White {
                eval = eval.map(Score::negated);
            }
            self.of_engines += u64::from(of_mover);
            rows.depth.push(depth);
            rows.clock.push(clock);
            rows.elapsed.push(elapsed);
            rows.eval.push(eval);
        }
        if self.options.variations {
            rows.variation.push(self.line.variation);
        }
    }

    /// Plays a move in algebraic notation.
    #[inline(always)]
    fn play(&mut self, san: &San) -> Result<Move, Refusal> {
        if san.role == PAWN {
            self.line.board.pawn(san.to, san.origins, san.from_file, san.promotion)
        } else {
            self.line.board.piece(san.role, san.to, san.origins)
        }
    }

    /// Tries other readings of a rejected move: a king's move may mean castling, and a promotion role may follow in
    /// parentheses. Otherwise returns the error.
    #[cold]
    #[inline(never)]
    fn refused(&mut self, at: usize, san: &San, refusal: Refusal) -> Result<Move, Box<Problem>> {
        let text = self.text;
        let end = san::word_end(text, at);
        if san.role == KING
            && refusal == Refusal::NoPiece
            && let Some(Ok(castled)) =
                self.line.board.castle_as_king(self.line.board.king(), san.to)
        {
            return Ok(castled);
        }
        if refusal == (Refusal::Promotion { expected: true }) && is_promotion(&text[end..]) {
            let promoting = San { promotion: san::promotion_role(text[end + 1]), ..*san };
            let played = self.play(&promoting);
            return played.map_err(|why| self.illegal(at..end + 3, Word::Move(promoting), why));
        }
        Err(self.illegal(at..end, Word::Move(*san), refusal))
    }

    /// The error for a move that cannot be played.
    #[cold]
    fn illegal(&self, range: Range<usize>, word: Word, refusal: Refusal) -> Box<Problem> {
        let (board, at, found) = (&self.line.board, range.start, Found(&self.text[range]));
        let kind = match refusal {
            Refusal::Several(_) => ErrorKind::Ambiguous,
            _ => ErrorKind::Illegal,
        };
        let reason = refusals::reason(board, word, refusal);
        let side = board.turn();
        let text = format!("expected a legal move of {side}, found {found}: {reason}");
        Problem::new(kind, at, text)
    }

    /// Reads a word that is not a move in the standard form. Returns the offset after it.
    #[cold]
    #[inline(never)]
    fn word(&mut self, at: usize, rows: &mut Rows) -> Result<usize, Box<Problem>> {
        let text = self.text;
        for (result, white) in RESULTS {
            if text[at..].starts_with(result.as_bytes()) {
                self.ends(Some(white));
                return Ok(at + result.len());
            }
        }
        if let Some(glyph) = GLYPHS.iter().find(|glyph| text[at..].starts_with(glyph)) {
            return Ok(at + glyph.len());
        }
        let spaces = tags::past_spaces(text, at);
        if spaces > at {
            return Ok(spaces);
        }
        // Non-ASCII characters may directly precede a word. The word is read again after each of them, so limit its
        // length.
        let limit = if text[at] < 0x80 { text.len() } else { text.len().min(at + MAX_MOVE) };
        let word = tags::before_space(&text[at..san::word_end(&text[..limit], at)]);
        let end = at + word.len();
        let read = san::any_form(word);
        match read {
            Word::Annotation => return Ok(end),
            Word::Unknown => return self.unknown(at, end),
            _ => self.begin_row(at, rows)?,
        }
        let board = &mut self.line.board;
        let played = match read {
            Word::Castling { kings_side } => board.castle(kings_side).map(Some),
            Word::Null => board.pass().map(|()| None),
            Word::Squares { from, to, promotion } => {
                let played = match (board.own_role(from), board.castle_as_king(from, to)) {
                    (_, Some(castled)) => castled,
                    (None, _) => Err(Refusal::NoPiece),
                    (Some(PAWN), _) => board.pawn(to, 1 << from, Some(from & 7), promotion),
                    (Some(_), _) if promotion.is_some() => {
                        Err(Refusal::Promotion { expected: false })
                    }
                    (Some(role), _) => board.piece(role, to, 1 << from),
                };
                played.map(Some)
            }
            Word::Move(san) if san.role != PAWN && san.promotion.is_some() => {
                Err(Refusal::Promotion { expected: false })
            }
            Word::Move(san) => {
                let played = self.play(&san).or_else(|refusal| self.refused(at, &san, refusal));
                Ok(Some(played?))
            }
            Word::Annotation | Word::Unknown => Ok(None),
        };
        let played = played.map_err(|refusal| self.illegal(at..end, read, refusal))?;
        self.end_row(played, word, rows);
        Ok(end)
    }

    /// Skips a word that is not a move, such as a bare number or `+=`, or returns an error.
    fn unknown(&self, at: usize, end: usize) -> Result<usize, Box<Problem>> {
        let (text, last) = (self.text, self.last);
        let word = &text[at..end];
        let sign = |byte: &&u8| b"+-=/#~:_&".contains(byte) || **byte >= 0x80;
        let signs = word.iter().take_while(sign).count();
        let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if !word.is_empty() && (signs == word.len() || digits == word.len()) {
            return Ok(end);
        }
        // Another character than ASCII, such as a bullet. The next one may be a figurine.
        if word.first().is_some_and(|byte| *byte >= 0x80) {
            return Ok(at + tags::first_sign(word).1);
        }
        // A move number without a dot before a move: `1e4`.
        if digits > 0 && word[digits].is_ascii_alphabetic() {
            return Ok(at + digits);
        }
        if self.result.is_some() {
            return Err(syntax(text, at, "the end of the game after its result"));
        }
        let is_part = |byte: &u8| b"KQRBNOPabcdefgh012345678xop/=-+#.".contains(byte);
        if last && end == text.len() && !word.is_empty() && word.iter().all(is_part) {
            // Truncated within a move or a result.
            return Ok(end);
        }
        Err(syntax(text, at, "a move or a result"))
    }

    /// Adds the move to the position that [`Reading::begin_row`] has added.
    #[inline(always)]
    fn end_row(&self, played: Option<Move>, word: &[u8], rows: &mut Rows) {
        rows.records.moves.push(played);
        if self.options.san {
            rows.san.push(Some(&String::from_utf8_lossy(word)));
        }
    }
}

#[cold]
fn syntax(text: &[u8], at: usize, expected: &str) -> Box<Problem> {
    let end = san::word_end(text, at).max(text.len().min(at + 1));
    let found = Found(&text[at..end]);
    Problem::new(ErrorKind::Syntax, at, format_args!("expected {expected}, found {found}"))
}

/// Returns whether a text begins with a promotion role in parentheses.
fn is_promotion(text: &[u8]) -> bool {
    matches!(text, [b'(', letter, b')', ..] if san::promotion_role(*letter).is_some())
}

/// The end of the variation that begins at an offset. Nested variations are counted, without recursion.
fn variation_end(text: &[u8], mut at: usize) -> Option<usize> {
    let mut depth = 0usize;
    loop {
        match *text.get(at)? {
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            b'{' => at += memchr::memchr(b'}', &text[at..])?,
            b';' => at = line_end(text, at) - 1,
            b'\n' | b'\r' if text.get(at + 1) == Some(&b'%') => at = line_end(text, at + 1) - 1,
            _ => {}
        }
        at += 1;
    }
}

/// Returns the end of a move number and the periods after it, or `None` if no period follows the digits.
#[inline(always)]
fn number_end(text: &[u8], at: usize) -> Option<usize> {
    let mut digits = at + 1;
    while let Some(b'0'..=b'9') = text.get(digits) {
        digits += 1;
    }
    let mut end = digits;
    while text.get(end) == Some(&b'.') {
        end += 1;
    }
    (end > digits).then_some(end)
}

/// Skips a space, if any. A space follows nearly every word; this saves an iteration and a jump.
#[inline(always)]
fn past_space(text: &[u8], at: usize) -> usize {
    at + usize::from(text.get(at) == Some(&b' '))
}
