//! Templates for names and meanings, expanded at compile time.

use crate::pieces::{Colour, Role};

/// Expands a template into `text` from `end` on, as far as it fits, and returns the new end. `{own}` becomes the
/// colour, `{enemy}` the other colour, `{role}` the role.
pub(super) const fn expand(
    template: &str,
    colour: Option<Colour>,
    role: Role,
    text: &mut [u8],
    mut end: usize,
) -> usize {
    let template = template.as_bytes();
    let mut at = 0;
    while at < template.len() {
        if template[at] == b'{' {
            let word = until_brace(template, at + 1);
            end = copy(value(word, colour, role).as_bytes(), text, end);
            at += word.len() + 2;
        } else {
            end = copy(&[template[at]], text, end);
            at += 1;
        }
    }
    end
}

/// The replacement for a word in braces.
const fn value(word: &[u8], colour: Option<Colour>, role: Role) -> &'static str {
    match (word, colour) {
        (b"own", Some(Colour::White)) | (b"enemy", Some(Colour::Black)) => "white",
        (b"own", Some(Colour::Black)) | (b"enemy", Some(Colour::White)) => "black",
        (b"role", _) => ["pawn", "knight", "bishop", "rook", "queen", "king"][role as usize],
        _ => panic!("the template has a word that stands for nothing"),
    }
}

/// The bytes before the next closing brace.
const fn until_brace(template: &[u8], begin: usize) -> &[u8] {
    let (_, rest) = template.split_at(begin);
    let mut length = 0;
    while rest[length] != b'}' {
        length += 1;
    }
    rest.split_at(length).0
}

const fn copy(from: &[u8], text: &mut [u8], end: usize) -> usize {
    let mut at = 0;
    while at < from.len() && end + at < text.len() {
        text[end + at] = from[at];
        at += 1;
    }
    end + from.len()
}

/// A part of a text as a string.
pub(super) const fn part(text: &'static [u8], begin: usize, end: usize) -> &'static str {
    let (text, _) = text.split_at(end);
    match core::str::from_utf8(text.split_at(begin).1) {
        Ok(part) => part,
        Err(_) => panic!("the catalogue is not UTF-8"),
    }
}

/// Whether two strings are the same.
pub(super) const fn are_equal(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}
