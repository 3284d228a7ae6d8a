//! Clocks and evaluations in comments: `[%clk 0:02:58.4]`, `[%emt 0:00:03]`, `[%eval -1.35]`, `[%eval #5,22]`.
//!
//! Game dumps have one or two of these after every move, nearly all in one of two forms: `0:02:58]`, and short numbers
//! such as `1.35]`. These two are parsed from eight bytes at once, all others byte by byte.
//!
//! Programs that play matches, such as cutechess and fastchess, begin the comment after each move with the evaluation of
//! the side that has moved, the depth, and the time in seconds: `+0.31/12 1.2s`, `-M7/30 0.5s`. Their `M` counts
//! half-moves.
//!
//! Everything else in comments is free text and ignored.

use super::rows::Score;

/// The values that comments contain for a position: the first of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Notes {
    pub(crate) clock: Option<u32>,
    pub(crate) elapsed: Option<u32>,
    pub(crate) eval: Option<Score>,
    pub(crate) depth: Option<u32>,
    /// True if the evaluation is that of the side that has moved, and not white's.
    pub(crate) of_mover: bool,
}

impl Notes {
    /// Reads a comment whose text begins at an offset. Returns the offset of its `}`, or `None` if it is missing.
    #[inline]
    pub(crate) fn read(&mut self, text: &[u8], mut at: usize) -> Option<usize> {
        if let Some(b'+' | b'-' | b'0'..=b'9' | b'M') = text.get(at) {
            self.of_engine(&text[at..]);
        }
        loop {
            match *text.get(at)? {
                b'}' => return Some(at),
                b' ' | b'\n' | b'\r' | b'\t' => at += 1,
                b'[' if text.get(at + 1) == Some(&b'%') => at = self.command(text, at + 2),
                _ => {
                    at += 1 + memchr::memchr2(b'}', b'[', &text[at + 1..])?;
                }
            }
        }
    }

    /// Reads the evaluation, depth and time of the engine that has moved.
    #[cold]
    fn of_engine(&mut self, text: &[u8]) -> Option<()> {
        let text = &text[..text.iter().take(64).position(|byte| b",}".contains(byte))?];
        let mut words = str::from_utf8(text).ok()?.split_ascii_whitespace();
        let (score, depth) = words.next()?.split_once('/')?;
        let (seconds, depth) = (words.next()?.strip_suffix('s')?, depth.parse().ok()?);
        // The parsers below expect the bracket of `[%eval]` and `[%emt]`.
        let ((eval, _), _) = any_eval(format!("{score}]").as_bytes(), 0)?;
        let (elapsed, _) = any_time(format!("{seconds}]").as_bytes(), 0)?;
        if self.eval.is_none() {
            self.of_mover = true;
            self.depth = Some(depth);
            self.eval = Some(match eval {
                Score::Mate(plies) => {
                    Score::Mate(plies.signum() * (plies.abs() / 2 + plies.abs() % 2))
                }
                pawns => pawns,
            });
        }
        self.elapsed.get_or_insert(elapsed);
        Some(())
    }

    /// Reads the text after `[%`. Returns the offset at which to continue.
    #[inline(always)]
    fn command(&mut self, text: &[u8], at: usize) -> usize {
        let length = match &text[at..] {
            [b'e', b'v', b'a', b'l', value @ ..] => 4 + self.eval(value),
            [b'c', b'l', b'k', value @ ..] => 3 + first(&mut self.clock, || time(value)),
            [b'e', b'm', b't', value @ ..] => 3 + first(&mut self.elapsed, || time(value)),
            _ => 0,
        };
        at + length
    }

    /// Reads an evaluation, and its depth if it has one, unless an evaluation has been found before. Returns their length
    /// in bytes.
    #[inline(always)]
    fn eval(&mut self, text: &[u8]) -> usize {
        let mut found = None;
        let length = if self.eval.is_none() { first(&mut found, || eval(text)) } else { 0 };
        if let Some((eval, depth)) = found {
            self.eval = Some(eval);
            self.depth = depth;
        }
        length
    }
}

/// Reads a value unless one of its kind has been found before. Returns its length in bytes.
#[inline(always)]
fn first<T>(found: &mut Option<T>, read: impl FnOnce() -> Option<(T, usize)>) -> usize {
    let read = if found.is_none() { read() } else { None };
    let Some((value, length)) = read else { return 0 };
    *found = Some(value);
    length
}

/// The number of leading spaces; `None` for 0.
#[inline(always)]
fn spaces(text: &[u8]) -> Option<usize> {
    match text {
        [b' ', next, ..] if !next.is_ascii_whitespace() => Some(1),
        _ => {
            let spaces = text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            (spaces > 0).then_some(spaces)
        }
    }
}

/// Eight bytes as a little-endian number.
#[inline(always)]
fn word(text: &[u8]) -> Option<u64> {
    text.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

/// Parses a time in milliseconds. Also returns its length in bytes, including the bracket.
#[inline(always)]
fn time(text: &[u8]) -> Option<(u32, usize)> {
    let start = spaces(text)?;
    if let Some(word) = word(&text[start..]) {
        // 0:00:00], where digits may have any low nibble.
        let digits = word ^ 0x5d30_303a_3030_3a30;
        if digits & 0xfff0_f0ff_f0f0_fff0 == 0 && digits_are_small(digits) {
            let at = |byte: u32| (digits >> (8 * byte)) as u32 & 15;
            let seconds = at(0) * 3600 + (at(2) * 10 + at(3)) * 60 + at(5) * 10 + at(6);
            return Some((1000 * seconds, start + 8));
        }
    }
    any_time(text, start)
}

/// Returns whether the low nibbles of all bytes are at most 9.
#[inline(always)]
const fn digits_are_small(digits: u64) -> bool {
    (digits + 0x0606_0606_0606_0606) & 0x1010_1010_1010_1010 == 0
}

/// Parses seconds, minutes and seconds, or hours, minutes and seconds, with or without a fraction.
#[cold]
#[inline(never)]
fn any_time(text: &[u8], mut at: usize) -> Option<(u32, usize)> {
    let mut seconds = 0u32;
    for field in 0..3 {
        let (value, digits) = number(&text[at..])?;
        seconds = seconds.checked_mul(60)?.checked_add(value)?;
        at += digits;
        match text.get(at) {
            Some(b':') if field < 2 => at += 1,
            _ => break,
        }
    }
    let mut milliseconds = 0;
    if let Some(b'.' | b',') = text.get(at) {
        at += 1;
        let mut unit = 100;
        while let Some(digit @ b'0'..=b'9') = text.get(at) {
            milliseconds += u32::from(digit - b'0') * unit;
            unit /= 10;
            at += 1;
        }
    }
    at += spaces(&text[at..]).unwrap_or(0);
    let time = seconds.checked_mul(1000)?.checked_add(milliseconds)?;
    (text.get(at) == Some(&b']')).then_some((time, at + 1))
}

/// Parses an evaluation and its depth. Also returns their length in bytes, including the bracket.
#[inline(always)]
fn eval(text: &[u8]) -> Option<((Score, Option<u32>), usize)> {
    let start = spaces(text)?;
    let negative = text.get(start) == Some(&b'-');
    let digits = start + usize::from(negative);
    if let Some(word) = word(&text[digits..]) {
        // 0.00] or 00.00], where digits may have any low nibble.
        let one = (word ^ 0x5d_3030_2e30) & 0xff_ffff_ffff;
        let two = (word ^ 0x5d30_302e_3030) & 0xffff_ffff_ffff;
        let small = |digits: u64| digits_are_small(digits);
        let at = |digits: u64, byte: u32| (digits >> (8 * byte)) as i32 & 15;
        let (value, length) = if one & 0xff_f0f0_fff0 == 0 && small(one) {
            (at(one, 0) * 100 + at(one, 2) * 10 + at(one, 3), 5)
        } else if two & 0xfff0_f0ff_f0f0 == 0 && small(two) {
            (at(two, 0) * 1000 + at(two, 1) * 100 + at(two, 3) * 10 + at(two, 4), 6)
        } else {
            return any_eval(text, start);
        };
        let score = Score::Centipawns(if negative { -value } else { value });
        return Some(((score, None), digits + length));
    }
    any_eval(text, start)
}

/// Parses an evaluation in pawns, or `#` or `M` and moves to mate, with the sign before or after; a comma and the depth may follow.
#[cold]
#[inline(never)]
fn any_eval(text: &[u8], mut at: usize) -> Option<((Score, Option<u32>), usize)> {
    let is_mate = |at: usize| matches!(text.get(at), Some(b'#' | b'M' | b'm'));
    let mate = is_mate(at);
    at += usize::from(mate);
    let negative = text.get(at) == Some(&b'-');
    at += usize::from(matches!(text.get(at), Some(b'-' | b'+')));
    let mate = if !mate && is_mate(at) {
        at += 1;
        true
    } else {
        mate
    };
    let (integer, digits) = match number(&text[at..]) {
        Some(number) => number,
        None if !mate && text.get(at) == Some(&b'.') => (0, 0),
        None => return None,
    };
    at += digits;
    let mut value = i32::try_from(integer).ok()?;
    if !mate {
        value = value.checked_mul(100)?;
        if text.get(at) == Some(&b'.') {
            at += 1;
            let mut unit = 10;
            let start = at;
            while let Some(digit @ b'0'..=b'9') = text.get(at) {
                value = value.checked_add(i32::from(digit - b'0') * unit)?;
                unit /= 10;
                at += 1;
            }
            if at == start && digits == 0 {
                return None;
            }
        }
    }
    let mut depth = None;
    if let Some(b',' | b'/') = text.get(at) {
        let (value, digits) = number(&text[at + 1..])?;
        depth = Some(value);
        at += 1 + digits;
    }
    at += spaces(&text[at..]).unwrap_or(0);
    let value = if negative { -value } else { value };
    let score = if mate { Score::Mate(value) } else { Score::Centipawns(value) };
    (text.get(at) == Some(&b']')).then_some(((score, depth), at + 1))
}

fn number(text: &[u8]) -> Option<(u32, usize)> {
    let mut value = 0u32;
    let mut digits = 0;
    while let Some(digit @ b'0'..=b'9') = text.get(digits) {
        value = value.checked_mul(10)?.checked_add(u32::from(digit - b'0'))?;
        digits += 1;
    }
    (digits > 0).then_some((value, digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Notes {
        let mut notes = Notes::default();
        let text = format!("{text}}}");
        // With and without bytes after the comment, so that both the fast parser and the general parser run.
        let end = notes.read(text.as_bytes(), 0);
        assert_eq!(end, Some(text.len() - 1));
        let mut again = Notes::default();
        assert_eq!(again.read(format!("{text} 12345678").as_bytes(), 0), end);
        assert_eq!(notes, again);
        notes
    }

    #[test]
    fn times() {
        for (text, expected) in [
            ("0:00:00", Some(0)),
            ("1:02:03", Some(3_723_000)),
            ("9:59:59", Some(35_999_000)),
            ("0:99:99", Some(6_039_000)),
            ("10:00:00", Some(36_000_000)),
            ("0:00:12.3", Some(12_300)),
            ("0:00:12.345", Some(12_345)),
            ("0:00:12.3456", Some(12_345)),
            ("12:03", Some(723_000)),
            ("65", Some(65_000)),
            ("0:00:01 ", Some(1_000)),
            ("0:00:0:", None),
            ("0:0a:00", None),
            ("0:?0:00", None),
            ("-0:00:01", None),
            ("4294968", None),
            ("99999999999:00:00", None),
            ("", None),
        ] {
            assert_eq!(read(&format!("[%clk {text}]")).clock, expected, "{text}");
            assert_eq!(read(&format!("a [%emt\n {text}] b")).elapsed, expected, "{text}");
        }
    }

    #[test]
    fn evals() {
        let pawns = |value| Some(Score::Centipawns(value));
        let mate = |value| Some(Score::Mate(value));
        for (text, expected) in [
            ("0.00", pawns(0)),
            ("-0.31", pawns(-31)),
            ("9.99", pawns(999)),
            ("-12.05", pawns(-1205)),
            ("123.45", pawns(12_345)),
            ("+1.5", pawns(150)),
            ("3", pawns(300)),
            ("3.", pawns(300)),
            (".25", pawns(25)),
            ("1.239", pawns(123)),
            ("#3", mate(3)),
            ("#-12", mate(-12)),
            ("-#2", mate(-2)),
            ("M1", mate(1)),
            ("-M1", mate(-1)),
            ("+M7", mate(7)),
            ("M-4", mate(-4)),
            ("M", None),
            ("MM1", None),
            ("0.:0", None),
            ("0.1", pawns(10)),
            (".", None),
            ("#", None),
            ("1.2.3", None),
            ("99999999999", None),
            ("21474837", None),
            ("", None),
        ] {
            let notes = read(&format!("[%eval {text}]"));
            assert_eq!((notes.eval, notes.depth), (expected, None), "{text}");
        }
        for (text, expected, depth) in [
            ("0.17,23", pawns(17), 23),
            ("0.17/23", pawns(17), 23),
            ("#+2,30", mate(2), 30),
            ("-M7/30", mate(-7), 30),
        ] {
            let notes = read(&format!("[%eval {text}] [%eval 9.0,99]"));
            assert_eq!((notes.eval, notes.depth), (expected, Some(depth)), "{text}");
        }
    }

    #[test]
    fn comments() {
        let notes = read(" [%eval 0.17] [%clk 0:00:30] [%clk 0:00:31] [%csl Ga1][[%emt 0:00:01]");
        let expected = Notes {
            clock: Some(30_000),
            elapsed: Some(1_000),
            eval: Some(Score::Centipawns(17)),
            ..Notes::default()
        };
        assert_eq!(notes, expected);
        assert_eq!(read("[%clk0:00:30] [%clock 0:00:30] %clk 0:00:30"), Notes::default());
        assert_eq!(Notes::default().read(b"no end [%clk ", 0), None);
        assert_eq!(Notes::default().read(b"a { b } c", 0), Some(6));
    }
}
