//! Finds the starts of games in a text.
//!
//! The thread that reads a file must be much faster than those that replay it, so the splitter works line by line and
//! examines only the ends of lines. A game begins
//! - at a tag after moves, also on a line that begins with comments;
//! - at a second `Event` after a blank line, if the previous game has no moves;
//! - at a move after a line that ends with a result;
//! - at `1.` after a blank line, if the previous game has moves.
//!
//! A tag may be misplaced, or a move may be among the tags. So a game is rejected if it has no result and the next one
//! begins with a tag without a blank line before it, or without a tag although this game has tags.
//!
//! The splitter must know whether such a line is inside a comment. Comments in braces do not nest, so no comment is
//! open after a `}`; a backward search for the nearest brace is nearly always sufficient. If it finds a `{`, or if the
//! parentheses of variations matter, the text is read byte by byte, from the end of the last such read.

use std::ops::Range;

use super::tags;

/// The number of bytes stored for a game that is too long.
pub(super) const STORED: usize = 1 << 16;

/// The location of a game in a chunk.
#[derive(Clone, Debug)]
pub(super) struct Span {
    pub(super) range: Range<usize>,
    pub(super) line: u64,
    pub(super) flaw: Option<Flaw>,
}

/// A reason to reject a game regardless of its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// It has more bytes than the splitter allows.
    TooLong,
    /// The next game begins before this one has ended.
    Unfinished,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Section {
    /// Before a game.
    #[default]
    Between,
    Tags,
    Moves,
}

/// The search for the starts of games. All offsets are relative to the text that is not yet in a chunk.
#[derive(Debug, Default)]
pub(super) struct Scan {
    pub(super) games: Vec<Span>,
    section: Section,
    /// The start of the game, and the number of lines before it.
    start: usize,
    start_line: u64,
    /// The next line: its start, the end of the text that has been searched for the line's end, and the number of lines
    /// before it.
    line: usize,
    searched: usize,
    number: u64,
    /// True if the start of this line has been examined and dropped.
    is_rest: bool,
    /// True if the previous line was blank.
    after_blank: bool,
    /// True if the game has tags, and true if it has an `Event` tag.
    has_tags: bool,
    has_event: bool,
    /// True if a line has ended with a result.
    has_result: bool,
    flaw: Option<Flaw>,
    reader: Bytewise,
}

impl Scan {
    /// Examines all complete lines, but stops when the games have this number of bytes. Returns whether they have.
    pub(super) fn lines(&mut self, text: &[u8], bytes: usize) -> bool {
        while let Some(step) = memchr::memchr2(b'\n', b'\r', &text[self.searched..]) {
            let mut end = self.searched + step;
            if text[end] == b'\r' {
                match text.get(end + 1) {
                    Some(b'\n') => end += 1,
                    Some(_) => {}
                    // A line feed may follow.
                    None => {
                        self.searched = end;
                        return false;
                    }
                }
            }
            if !std::mem::take(&mut self.is_rest) {
                self.examine(text, end);
            }
            self.line = end + 1;
            self.searched = end + 1;
            self.number += 1;
            if self.games.last().is_some_and(|game| game.range.end >= bytes) {
                return true;
            }
        }
        self.searched = text.len();
        false
    }

    pub(super) fn end(&mut self, text: &[u8]) {
        if self.line < text.len() && !self.is_rest {
            self.examine(text, text.len());
        }
        if self.section != Section::Between {
            self.end_game(text.len());
        }
        self.line = text.len();
        self.searched = text.len();
    }

    /// Examines a line, and ends the previous game if another game begins there.
    #[inline]
    fn examine(&mut self, text: &[u8], end: usize) {
        let start = self.line;
        let line = &text[start..end];
        let (mut first, mut is_blank) = (0, false);
        if !matches!(line.first(), Some(b'!'..=b'~')) {
            first = tags::past_spaces(line, 0);
            is_blank = matches!(line[first..], [] | [b'\r']);
        }
        let after_blank = std::mem::replace(&mut self.after_blank, is_blank);
        if is_blank {
            return;
        }
        let mut byte = line[first];
        let after_comment = match self.section {
            Section::Moves => self.tag_after_comment(text, start, end),
            _ => None,
        };
        if let Some(tag) = after_comment {
            (first, byte) = (tag - start, b'[');
        }
        let begin = after_comment.unwrap_or(start);
        let ignored = byte == b';' || byte == b'%' && first == 0;
        // Comments may come before the tags.
        if self.section == Section::Moves
            && byte == b'['
            && !self.has_tags
            && !self.in_comment(text, begin)
            && !self.read_to(text, begin).moves
        {
            self.section = Section::Tags;
        }
        let begins = match (self.section, byte) {
            (Section::Between, _) => false,
            (Section::Tags, _) => self.has_event && after_blank && is_event(&line[first..]),
            (_, b'[') => !self.in_comment(text, begin) || after_blank && is_event(&line[first..]),
            (_, b'{') => after_comments(line, first) > first && !self.in_comment(text, start),
            (_, b'(' | b')' | b'}' | b'$' | b';' | b'%') => false,
            // Signs directly after the result belong to it.
            _ if self.has_result && (after_blank || !is_skipped(&line[first..])) => {
                let reader = self.read_to(text, start);
                reader.result && !reader.brace && reader.depth == 0
            }
            (_, b'1') if after_blank && is_first_move(&line[first..]) => {
                let reader = self.read_to(text, start);
                reader.moves && !reader.brace && reader.depth == 0
            }
            _ => false,
        };
        if begins {
            let is_odd = if matches!(byte, b'[' | b'{') { !after_blank } else { self.has_tags };
            if is_odd && self.section == Section::Moves && !self.read_to(text, begin).result {
                self.flaw.get_or_insert(Flaw::Unfinished);
            }
            self.end_game(begin);
        }
        match self.section {
            Section::Between if !ignored => {
                self.start = begin;
                self.start_line = self.number;
                self.section = Section::Tags;
                self.tags_or_moves(text, start + first, end);
            }
            Section::Tags if !ignored => self.tags_or_moves(text, start + first, end),
            _ => {}
        }
        if self.section == Section::Moves {
            self.has_result |= ends_with_result(line);
        }
    }

    /// Examines a line in the section of tags, from its first non-blank byte.
    #[inline]
    fn tags_or_moves(&mut self, text: &[u8], start: usize, end: usize) {
        let mut at = after_comments(&text[..end], start);
        if text[at] == b'[' {
            self.has_tags = true;
            let line = &text[at..end];
            self.has_event |= is_event(line);
            // Moves in brackets are malformed tags.
            let named = matches!(line, [_, b'A'..=b'Z', b'A'..=b'z', b'A'..=b'z', ..]);
            let whole = line.trim_ascii_end().ends_with(b"]");
            if named && whole && memchr::memchr(b'{', line).is_none() {
                return;
            }
            let line = &text[..end];
            while line.get(at) == Some(&b'[') {
                let tag = tags::read(line, at);
                // After a malformed tag, an `Event` tag begins another game.
                self.has_event |= tag.is_malformed;
                at = tags::past_spaces(line, tag.end);
            }
            if matches!(line.get(at), None | Some(b';' | b'\r')) {
                return;
            }
        }
        self.section = Section::Moves;
        self.reader = Bytewise { at, ..Bytewise::default() };
    }

    /// The offset of a tag after a comment that began on an earlier line.
    fn tag_after_comment(&mut self, text: &[u8], start: usize, end: usize) -> Option<usize> {
        let at = start + memchr::memchr(b'}', &text[start..end])? + 1;
        let tag = tags::past_spaces(&text[..end], at);
        (tag < end && text[tag] == b'[' && self.in_comment(text, start)).then_some(tag)
    }

    /// Returns whether a comment in braces is open at the start of a line.
    fn in_comment(&mut self, text: &[u8], start: usize) -> bool {
        let from = self.reader.at.min(start);
        match memchr::memrchr2(b'{', b'}', &text[from..start]) {
            Some(brace) if text[from + brace] == b'}' => false,
            None if !self.reader.brace => false,
            _ => self.read_to(text, start).brace,
        }
    }

    fn read_to(&mut self, text: &[u8], end: usize) -> &Bytewise {
        self.reader.read(&text[..end]);
        &self.reader
    }

    fn end_game(&mut self, end: usize) {
        let (range, line, flaw) = (self.start..end, self.start_line + 1, self.flaw.take());
        self.games.push(Span { range, line, flaw });
        self.section = Section::Between;
        self.has_tags = false;
        self.has_event = false;
        self.has_result = false;
    }

    /// Drops blank lines before the first game, and the text after the stored part of a game that is too long.
    pub(super) fn limit(&mut self, text: &mut Vec<u8>, max_game_bytes: usize) {
        let is_between = self.section == Section::Between;
        let start = if is_between { self.line } else { self.start };
        if text.len() - start <= max_game_bytes {
            if is_between {
                text.drain(..start);
                self.rebase(start);
            }
            return;
        }
        let unsearched = text.len() - self.searched;
        if self.line < text.len() && !self.is_rest {
            // Another game may begin on this line.
            self.examine(text, text.len());
            self.is_rest = true;
        }
        if self.section == Section::Between {
            text.truncate(self.line);
        } else if text.len() - self.start <= max_game_bytes {
            return;
        } else {
            if self.section == Section::Moves {
                self.reader.read(text);
            }
            self.flaw = Some(Flaw::TooLong);
            text.truncate(self.start + STORED);
        }
        // Keep a carriage return, which ends the line unless a line feed follows.
        text.extend((0..unsearched).map(|_| b'\r'));
        self.line = text.len();
        self.searched = text.len() - unsearched;
        self.reader.at = text.len();
    }

    /// Subtracts dropped bytes from all offsets.
    pub(super) fn rebase(&mut self, bytes: usize) {
        for place in [&mut self.start, &mut self.line, &mut self.searched, &mut self.reader.at] {
            *place = place.saturating_sub(bytes);
        }
    }
}

/// The offset of the tag after comments on a line that begins with comments; otherwise the offset of the first byte.
fn after_comments(line: &[u8], first: usize) -> usize {
    let mut at = first;
    while line.get(at) == Some(&b'{')
        && let Some(step) = memchr::memchr(b'}', &line[at..])
    {
        at = tags::past_spaces(line, at + step + 1);
    }
    if line.get(at) == Some(&b'[') { at } else { first }
}

/// Returns whether a line begins with the tag `Event`, which is the first tag of a game.
fn is_event(line: &[u8]) -> bool {
    line.strip_prefix(b"[Event")
        .is_some_and(|rest| matches!(rest.first(), Some(b' ' | b'\t' | b'"')))
}

/// Returns whether a line begins with white's first move.
fn is_first_move(line: &[u8]) -> bool {
    line.starts_with(b"1.") && line.get(2) != Some(&b'.')
}

/// Returns whether a line has only signs that are skipped between moves, such as accents.
fn is_skipped(line: &[u8]) -> bool {
    line.iter().all(|byte| *byte >= 0x80 || b".!? \t\r\x0b\x0c".contains(byte))
}

/// Returns whether the last word of a line is a result.
pub(super) fn ends_with_result(line: &[u8]) -> bool {
    let line = match line {
        [.., b'\r' | b' ' | b'\t'] => line.trim_ascii_end(),
        _ => line,
    };
    match line {
        [.., b'*'] => true,
        [.., b'0' | b'1' | b'2'] | [.., 0xbd] => {
            RESULTS.iter().any(|result| line.ends_with(result))
        }
        _ => false,
    }
}

/// Texts with which results begin and end; `1/2` is also that of `1/2-1/2`.
const RESULTS: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2", "½-½".as_bytes()];

/// Reads movetext byte by byte, in portions of any size.
#[derive(Debug, Default)]
struct Bytewise {
    at: usize,
    /// True within a comment in braces.
    brace: bool,
    /// True within a comment to the end of the line.
    line_comment: bool,
    /// The number of open variations.
    depth: u32,
    /// True after any text that is not a comment.
    moves: bool,
    /// True after a result outside of variations.
    result: bool,
    word: bool,
}

impl Bytewise {
    /// Continues to the end of the text.
    fn read(&mut self, text: &[u8]) {
        while let Some(&byte) = text.get(self.at) {
            let rest = &text[self.at..];
            if self.brace {
                let found = memchr::memchr(b'}', rest);
                self.brace = found.is_none();
                self.at += found.map_or(rest.len(), |step| step + 1);
                continue;
            }
            if self.line_comment {
                let found = memchr::memchr2(b'\n', b'\r', rest);
                self.line_comment = found.is_none();
                self.at += found.unwrap_or(rest.len());
                continue;
            }
            let after = tags::past_spaces(text, self.at);
            if after > self.at {
                (self.at, self.word) = (after, false);
                continue;
            }
            let is_between = matches!(byte, b'{' | b'(' | b')' | b'\n' | b'\r');
            let begins = !std::mem::replace(&mut self.word, !is_between);
            match byte {
                b'{' => self.brace = true,
                b';' => self.line_comment = true,
                b'%' if self.at == 0 || matches!(text[self.at - 1], b'\n' | b'\r') => {
                    self.line_comment = true;
                }
                b'(' => self.depth = self.depth.saturating_add(1),
                b')' => self.depth = self.depth.saturating_sub(1),
                _ if is_between => {}
                _ => {
                    self.moves = true;
                    let result = match byte {
                        b'*' => true,
                        b'0' | b'1' | 0xc2 if begins => {
                            RESULTS.iter().any(|result| rest.starts_with(result))
                        }
                        _ => false,
                    };
                    self.result |= result && self.depth == 0;
                }
            }
            self.at += 1;
        }
    }
}
