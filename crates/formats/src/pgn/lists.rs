//! Lists of moves, such as `["e2e4","e7e5"]`, which tables have in place of movetext.
//!
//! PGN gives the punctuation of lists other meanings: brackets enclose tags, parentheses variations, braces comments,
//! and a semicolon begins a comment. Read as PGN, a list is a game without moves. So a text in which every word is a
//! move is recognized as a list before it is read as PGN, and a list in a PGN file is an error.

use std::borrow::Cow;

use super::san::{self, Word};

/// The notations of results, with the result for white.
pub(crate) const RESULTS: [(&str, i8); 5] =
    [("1-0", 1), ("0-1", -1), ("1/2-1/2", 0), ("½-½", 0), ("1/2", 0)];

/// Converts a list of moves to movetext, for [`Replayer::game`](super::Replayer::game). Other text is returned
/// unchanged, so that any cell of a table can be passed.
///
/// A list is text in which every word is a move, a move number or a result, if it is enclosed in brackets of any kind
/// or contains commas or semicolons: a list of JSON, Python, numpy or SQL, or moves separated by `,` or `;`. The moves
/// can have any form that [`Replayer`](super::Replayer) accepts. Punctuation is replaced by spaces, so the columns in
/// error messages are those of `text`.
///
/// A list with a word that is not a move (also `null`) is returned unchanged. The replayer then returns an error.
///
/// ```
/// use setwise_formats::pgn::movetext_of_text;
/// for (list, moves) in [
///     (r#"["e2e4","e7e5"]"#, "  e2e4   e7e5  "),
///     ("['e4', 'e5']", "  e4    e5  "),
///     ("(1. e4 e5)", " 1. e4 e5 "),
///     ("e4;e5;Nf3", "e4 e5 Nf3"),
/// ] {
///     assert_eq!(movetext_of_text(list), moves);
/// }
/// let movetext = "1. e4 { a comment } e5 (1... c5) 1-0";
/// assert_eq!(movetext_of_text(movetext), movetext);
/// ```
#[must_use]
pub fn movetext_of_text(text: &str) -> Cow<'_, str> {
    if !is_list(text.as_bytes()) {
        return Cow::Borrowed(text);
    }
    let spaced = |character: char| {
        let separates = u8::try_from(character).is_ok_and(|byte| is_separator(&byte));
        if separates && !character.is_ascii_whitespace() { ' ' } else { character }
    };
    Cow::Owned(text.chars().map(spaced).collect())
}

/// Joins the items of a list of moves to movetext, for [`Replayer::game`](super::Replayer::game). Each item is a move
/// in any form, with or without a move number, or a result.
///
/// # Errors
/// If an item is missing or not a move. The message has the number of the item, counted from 1.
///
/// ```
/// use setwise_formats::pgn::movetext_of_list;
/// assert_eq!(movetext_of_list([Some("e4"), Some("e7e5")])?, "e4 e7e5");
/// let error = movetext_of_list([Some("e4"), None]).unwrap_err();
/// assert_eq!(error, "item 2: expected a move, found null");
/// # Ok::<(), String>(())
/// ```
pub fn movetext_of_list<'a>(
    items: impl IntoIterator<Item = Option<&'a str>>,
) -> Result<String, String> {
    let mut movetext = String::new();
    for (item, text) in items.into_iter().enumerate() {
        let text = text.map(str::trim);
        let is_valid = |moves: &&str| {
            !moves.contains(SEPARATORS)
                && (all_moves(moves.as_bytes()) || is_result(moves.as_bytes()))
        };
        let moves = text.filter(is_valid).ok_or_else(|| {
            let found = text.map_or("null".into(), |text| format!("{text:?}"));
            format!("item {}: expected a move, found {found}", item + 1)
        })?;
        movetext += if item == 0 { "" } else { " " };
        movetext += moves;
    }
    Ok(movetext)
}

/// Returns whether a text is a list of moves: enclosed in brackets, or with separators.
pub(crate) fn is_list(text: &[u8]) -> bool {
    let start = text.iter().take_while(|byte| is_separator(byte)).count();
    let end = text.iter().rev().take_while(|byte| is_separator(byte)).count();
    if start == text.len() {
        return false;
    }
    let (before, inside) = (&text[..start], &text[start..text.len() - end]);
    let is_bracket = |byte: &u8| b"[](){}".contains(byte);
    let enclosed = before.iter().any(is_bracket);
    // On several lines, semicolons begin comments.
    let separated = match memchr::memchr(b';', text) {
        Some(_) => memchr::memchr2(b'\n', b'\r', inside).is_none(),
        None => enclosed || memchr::memchr(b',', text).is_some(),
    };
    // Further brackets enclose variations and comments.
    separated && all_moves(inside) && !inside.iter().any(is_bracket)
}

/// Returns whether a line is a JSON object with a key and a value, not a comment.
pub(crate) fn is_object(line: &[u8]) -> bool {
    let value = || {
        let inside = line.trim_ascii_end().strip_prefix(b"{")?.strip_suffix(b"}")?;
        let key = inside.trim_ascii_start().strip_prefix(b"\"")?;
        let rest = &key[memchr::memchr(b'"', key)? + 1..];
        Some(rest.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start())
    };
    value().is_some_and(|value| {
        matches!(value, [b'"' | b'[' | b'{' | b'-' | b'0'..=b'9', ..])
            || [&b"true"[..], b"false", b"null"].iter().any(|word| value.starts_with(word))
    })
}

/// Returns whether a text has moves, and nothing else apart from separators, move numbers and results.
pub(crate) fn all_moves(text: &[u8]) -> bool {
    let mut words = text.split(is_separator).filter(|word| !word.is_empty());
    words.clone().any(is_move)
        && words.all(|word| is_move(word) || is_number(word) || is_result(word))
}

/// Returns whether a word is a move, with or without a move number and `!?`.
pub(crate) fn is_move(word: &[u8]) -> bool {
    let marks = word.iter().rev().take_while(|byte| b"!?".contains(byte)).count();
    let word = &word[..word.len() - marks];
    let number = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let dots = word[number..].iter().take_while(|byte| **byte == b'.').count();
    let is_form = |word: &[u8]| {
        !matches!(san::any_form(word), Word::Annotation | Word::Unknown) && word != b"null"
    };
    is_form(word) || is_form(&word[number + dots..])
}

fn is_result(word: &[u8]) -> bool {
    word == b"*" || RESULTS.iter().any(|(result, _)| result.as_bytes() == word)
}

/// Returns whether a word is a move number, such as `1.`.
fn is_number(word: &[u8]) -> bool {
    word.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
}

/// The characters between the items of lists, apart from blanks.
const SEPARATORS: [char; 11] = ['[', ']', '(', ')', '{', '}', '"', '\'', '\\', ',', ';'];

fn is_separator(byte: &u8) -> bool {
    byte.is_ascii_whitespace() || SEPARATORS.contains(&char::from(*byte))
}
