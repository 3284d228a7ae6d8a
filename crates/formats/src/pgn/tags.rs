//! The tags of a game: `[Name "value"]`, with `\"` and `\\` in values.
//!
//! Real files deviate from the standard. A quote in a value ends it only if a bracket follows; a value without quotes
//! ends at the bracket at the end of its line; a value that is not UTF-8 is read as Latin-1. A tag is malformed if its
//! bracket is missing or its contents may include more than a value, such as moves.

use std::borrow::Cow;
use std::ops::Range;

use super::lists;
use crate::lines;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tag {
    pub(crate) name: Range<usize>,
    pub(crate) value: Range<usize>,
    pub(crate) end: usize,
    pub(crate) is_malformed: bool,
}

/// Reads the tag whose `[` is at an offset. A tag always ends on its line.
#[inline]
pub(crate) fn read(text: &[u8], at: usize) -> Tag {
    let start = past_spaces(text, at + 1);
    let mut end = start;
    while !matches!(text.get(end), None | Some(b'"' | b']' | b'\r' | b'\n'))
        && past_spaces(text, end) == end
    {
        end += 1;
    }
    let (name, quote) = (start..end, past_spaces(text, end));
    if !is_name(&text[name.clone()]) || text.get(quote) != Some(&b'"') {
        return unquoted(text, name, quote);
    }
    let start = quote + 1;
    let (mut at, mut has_quotes) = (start, false);
    let ends = |byte: &u8| matches!(byte, b'"' | b'\\' | b'\n' | b'\r');
    while let Some(step) = text[at..].iter().position(ends) {
        at += step;
        match text[at] {
            b'"' => {
                let bracket = past_spaces(text, at + 1);
                if text.get(bracket) == Some(&b']') {
                    let value = start..at;
                    let is_malformed = has_quotes && text[value.clone()].contains(&b'[');
                    return Tag { name, value, end: bracket + 1, is_malformed };
                }
                has_quotes = true;
                at += 1;
            }
            b'\\' => {
                let escapes = !matches!(text.get(at + 1), Some(b'\n' | b'\r'));
                at = text.len().min(at + 1 + usize::from(escapes));
            }
            _ => break,
        }
    }
    unquoted(text, name, start)
}

/// Skips spaces within a line, and byte order marks, which concatenated files have between games.
#[inline]
pub(super) fn past_spaces(line: &[u8], mut at: usize) -> usize {
    loop {
        at += match line.get(at) {
            Some(b' ' | b'\t' | 0x0b | 0x0c) => 1,
            Some(0x80..) => match wide_space(&line[at..]) {
                0 => return at,
                bytes => bytes,
            },
            _ => return at,
        };
    }
}

/// The length of the non-ASCII space or byte order mark at the start of a text, in UTF-8 or Latin-1, or 0.
#[cold]
fn wide_space(text: &[u8]) -> usize {
    match first_sign(text) {
        (Some(sign), length) if sign.is_whitespace() || sign == '\u{feff}' => length,
        (None, length) if matches!(text, [0x85 | 0xa0, ..]) => length,
        _ => 0,
    }
}

/// The first character of a text that is not empty, if it is UTF-8, and its length in bytes.
pub(super) fn first_sign(text: &[u8]) -> (Option<char>, usize) {
    let head = text[..text.len().min(4)].utf8_chunks().next();
    let sign = head.and_then(|head| head.valid().chars().next());
    (sign, sign.map_or(1, char::len_utf8))
}

/// The part of a word before the first non-ASCII space in it.
pub(super) fn before_space(word: &[u8]) -> &[u8] {
    let mut at = 0;
    while at < word.len() && (word[at] < 0x80 || wide_space(&word[at..]) == 0) {
        at += first_sign(&word[at..]).1;
    }
    &word[..at]
}

/// Returns whether a text may be the name of a tag. Otherwise the bracket may enclose a list of moves.
fn is_name(name: &[u8]) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
    !name.is_empty() && (name.iter().all(is_plain) || !is_item(name))
}

/// Returns whether the word after a bracket is the start of a list.
#[cold]
fn is_item(word: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"-=+".contains(byte);
    let part: Vec<u8> = word.iter().copied().filter(is_part).collect();
    let punctuation = word.iter().any(|byte| b"[](){},;'".contains(byte));
    word[0].is_ascii_digit() || punctuation || lists::is_move(&part)
}

/// Reads a tag whose value is not terminated: the value extends to the end of the line, without quote and bracket.
#[cold]
fn unquoted(text: &[u8], name: Range<usize>, start: usize) -> Tag {
    let line = lines::end(text, start);
    let trim = |end: usize, byte: u8| {
        let trimmed = start + text[start..end].trim_ascii_end().len();
        if trimmed > start && text[trimmed - 1] == byte { trimmed - 1 } else { trimmed }
    };
    let end = trim(trim(line, b']'), b'"');
    let rest = text[start..line].trim_ascii_end();
    let bracket = memchr::memchr(b']', rest);
    let is_malformed = bracket.is_none_or(|bracket| bracket + 1 < rest.len())
        || !(is_name(&text[name.clone()]) || name.is_empty() && rest == b"]");
    Tag { name, value: start..end, end: line, is_malformed }
}

/// Decodes a value and its escapes as text.
pub(crate) fn unescape(value: &[u8]) -> Cow<'_, str> {
    let text = match str::from_utf8(value) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => value.iter().copied().map(char::from).collect(),
    };
    if !text.contains('\\') {
        return text;
    }
    let (mut plain, mut characters) = (String::with_capacity(text.len()), text.chars().peekable());
    while let Some(character) = characters.next() {
        let is_escaped = |next: &char| character == '\\' && matches!(next, '"' | '\\');
        plain.push(characters.next_if(is_escaped).unwrap_or(character));
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags() {
        // The last ones are malformed.
        for (place, (text, name, value, rest)) in [
            (r#"[White "Anna"]"#, "White", "Anna", ""),
            (r#"[ White	"Anna" ] [B "c"]"#, "White", "Anna", r#" [B "c"]"#),
            (r#"[White""] 1. e4"#, "White", "", " 1. e4"),
            (r#"[White "a \"b\" \\ \n"]"#, "White", r#"a "b" \ \n"#, ""),
            (r#"[White "a "b" c"]"#, "White", r#"a "b" c"#, ""),
            ("[White \"Anna]\r\n[B", "White", "Anna", "\r\n[B"),
            ("[White \"Anna]\r[B \"C\"]", "White", "Anna", "\r[B \"C\"]"),
            ("[White \"C:\\\"]\n[B", "White", "C:\\", "\n[B"),
            ("[White Anna]\n", "White", "Anna", "\n"),
            ("[]", "", "", ""),
            (r#"[Elo "?" 3. Ne2 (3. d4) [B "c"] d6"#, "Elo", r#"?" 3. Ne2 (3. d4) [B "c"#, " d6"),
            ("[Elo \"?] 3. d4 {]\n", "Elo", "?] 3. d4 {", "\n"),
            ("[Elo ?] 3. d4\n", "Elo", "?] 3. d4", "\n"),
            ("[White \"Anna\\\n[B", "White", "Anna\\", "\n[B"),
            ("[White \"Anna", "White", "Anna", ""),
            ("[White", "White", "", ""),
            (r#"["e2e4","e7e5"]"#, "", r#""e2e4","e7e5"#, ""),
            ("['e4', 'e5']\n", "'e4',", "'e5'", "\n"),
            ("[e2e4 e7e5]", "e2e4", "e7e5", ""),
            ("[e4]", "e4", "", ""),
            (r#"[Nbd7 "e4"]"#, "Nbd7", r#""e4"#, ""),
            ("[", "", "", ""),
            ("[a \"", "a", "", ""),
            ("[a \"\\", "a", "\\", ""),
        ]
        .into_iter()
        .enumerate()
        {
            let tag = read(text.as_bytes(), 0);
            assert_eq!(&text[tag.name], name, "{text}");
            assert_eq!(unescape(&text.as_bytes()[tag.value]), value, "{text}");
            assert_eq!(&text[tag.end..], rest, "{text}");
            assert_eq!(tag.is_malformed, place >= 10, "{text}");
        }
    }

    #[test]
    fn values_that_are_not_utf_8_are_latin_1() {
        assert_eq!(unescape(b"M\xfcller"), "Müller");
        assert_eq!(unescape("Müller".as_bytes()), "Müller");
        assert_eq!(unescape(b"\\\"M\xfcller\\\""), "\"Müller\"");
    }
}
