//! Uniform access to all Arrow types for text: three layouts, and dictionaries of each.

use std::borrow::Cow;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayAccessor, ArrayRef};
use arrow_schema::DataType;
use setwise::Fen;

use crate::error::Error;
use setwise_formats::pgn::{movetext_of_list, movetext_of_text};

/// The allowed types of a column of positions.
pub(crate) const TEXT: &str = "text (Utf8, LargeUtf8, Utf8View or a dictionary of these)";

/// The allowed types of a column of games.
pub(crate) const MOVES: &str = "text, or lists of moves as text";

/// Returns the text after the position on a line: everything after its four or six fields.
#[must_use]
pub fn rest(line: &[u8]) -> &[u8] {
    let mut rest = line.trim_ascii();
    for field in 0..6 {
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        // Fields 5 and 6 are numbers, and may be missing.
        if field == 4 && !rest[..end].iter().all(u8::is_ascii_digit) {
            break;
        }
        rest = rest[end..].trim_ascii_start();
    }
    rest
}

/// Returns whether the text of a position has each of its clocks: as its fields 5 and 6, or as the EPD operations `hmvc`
/// and `fmvn`.
fn clocks(line: &[u8]) -> [bool; 2] {
    let line = line.trim_ascii();
    // Labels may follow the position.
    let texts = [line, &line[..line.len() - rest(line).len()]];
    let parsed = texts.into_iter().find_map(|text| Fen::parse_with_clocks(text).ok());
    parsed.map_or([false; 2], |(_, clocks)| clocks)
}

/// Returns whether the text of a position has both clocks.
pub(crate) fn has_clocks(fen: &Fen, line: &[u8]) -> bool {
    // Missing clocks are 0 and 1. Only operations can have the second without the first.
    fen.fullmove_number != 1 && (fen.halfmove_clock != 0 || !line.contains(&b';'))
        || clocks(line) == [true; 2]
}

/// Returns whether the text of a position has a move number.
pub(crate) fn has_move_number(fen: &Fen, line: &[u8]) -> bool {
    // A missing number is 1.
    fen.fullmove_number != 1 || clocks(line)[1]
}

/// The offset of the first text after a position that is not read: anything except operations of EPD with the clocks.
pub(crate) fn unread(line: &[u8]) -> Option<usize> {
    let line = line.trim_ascii_end();
    let operations = rest(line);
    let start = line.len() - operations.len();
    let has_numbers = line[..start].trim_ascii().len() > position_fields(line.trim_ascii()).len();
    let (mut at, mut quoted) = (start, false);
    let parts = operations.split(|&byte| {
        quoted ^= byte == b'"';
        byte == b';' && !quoted
    });
    for part in parts {
        let operation = part.trim_ascii();
        let name = operation.split(u8::is_ascii_whitespace).next().unwrap_or_default();
        let is_read = !has_numbers && matches!(name, b"hmvc" | b"fmvn");
        if !operation.is_empty() && !is_read {
            return Some(at + part.len() - part.trim_ascii_start().len());
        }
        at += part.len() + 1;
    }
    None
}

/// Returns the first four fields of a position.
pub(crate) fn position_fields(line: &[u8]) -> &[u8] {
    let ends = (1..=line.len()).filter(|&end| {
        !line[end - 1].is_ascii_whitespace() && line.get(end).is_none_or(u8::is_ascii_whitespace)
    });
    &line[..ends.take(4).last().unwrap_or(0)]
}

pub(crate) fn is_text(data_type: &DataType) -> bool {
    let plain = |data_type: &DataType| {
        matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
    };
    match data_type {
        DataType::Dictionary(_, values) => plain(values),
        other => plain(other),
    }
}

/// Returns whether a column can hold positions: text, or nulls that no text gave a type.
pub(crate) fn is_text_or_null(data_type: &DataType) -> bool {
    is_text(data_type) || *data_type == DataType::Null
}

/// Returns the text of each row of a column, `None` for nulls.
///
/// # Errors
/// If the column is not text.
pub(crate) fn lines<'a>(name: &str, array: &'a dyn Array) -> Result<Vec<Option<&'a str>>, Error> {
    let dictionary = array.as_any_dictionary_opt();
    let values = dictionary.map_or(array, |dictionary| &**dictionary.values());
    let text = match values.data_type() {
        DataType::Utf8 => text_of(values.as_string::<i32>()),
        DataType::LargeUtf8 => text_of(values.as_string::<i64>()),
        DataType::Utf8View => text_of(values.as_string_view()),
        DataType::Null => return Ok(vec![None; array.len()]),
        _ => return Err(Error::Type(name.to_owned(), array.data_type().clone(), TEXT)),
    };
    let line = |at| values.is_valid(at).then(|| text(at));
    Ok(match dictionary {
        None => (0..array.len()).map(line).collect(),
        // Without values all keys are null and cannot be normalized.
        Some(_) if values.is_empty() => vec![None; array.len()],
        Some(dictionary) => {
            let places = dictionary.normalized_keys().into_iter().enumerate();
            let keys = dictionary.keys();
            places.map(|(row, at)| if keys.is_valid(row) { line(at) } else { None }).collect()
        }
    })
}

/// Returns whether a column can hold games: text, or lists of moves.
pub(crate) fn is_moves(data_type: &DataType) -> bool {
    use DataType::{FixedSizeList, LargeList, LargeListView, List, ListView};
    match data_type {
        List(item) | LargeList(item) | ListView(item) | LargeListView(item) => {
            is_text_or_null(item.data_type())
        }
        FixedSizeList(item, _) => is_text_or_null(item.data_type()),
        other => is_text_or_null(other),
    }
}

/// Returns the items of a list in a row; `None` if the list is null or the column has no lists.
pub(crate) fn items(array: &dyn Array, row: usize) -> Option<ArrayRef> {
    let has_list = array.is_valid(row);
    Some(match array.data_type() {
        _ if !has_list => return None,
        DataType::List(_) => array.as_list::<i32>().value(row),
        DataType::LargeList(_) => array.as_list::<i64>().value(row),
        DataType::ListView(_) => array.as_list_view::<i32>().value(row),
        DataType::LargeListView(_) => array.as_list_view::<i64>().value(row),
        DataType::FixedSizeList(..) => array.as_fixed_size_list().value(row),
        _ => return None,
    })
}

/// The moves in a cell.
pub(crate) struct Moves<'a> {
    /// The movetext. If an item of a list is not a move, the items before it.
    pub(crate) text: Cow<'a, str>,
    /// Describes the first item of a list that is not a move.
    pub(crate) error: Option<String>,
}

impl<'a> Moves<'a> {
    /// Reads a cell of text. A list with an item that is not a move would read as a game without moves, since brackets
    /// enclose tags and a semicolon begins a comment. So only tags may begin with a bracket, and a comment only after a
    /// blank.
    fn of_text(text: &'a str) -> Self {
        let moves = movetext_of_text(text);
        let is_converted = matches!(moves, Cow::Owned(_));
        if is_converted || !is_list_like(text.trim_ascii().as_bytes()) {
            return Self { text: moves, error: None };
        }
        let found: String = text.chars().take(60).collect();
        let error = format!("expected movetext or a list of moves, found {found:?}");
        Self { text: "".into(), error: Some(error) }
    }
}

/// Returns whether a text is neither movetext nor an empty list: it has a bracket in place of its first tag, or a
/// semicolon between words.
fn is_list_like(text: &[u8]) -> bool {
    if let [b'[', inside @ ..] = text {
        let inside = inside.trim_ascii();
        let name = inside.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_');
        let (name, value) = inside.split_at(name.count());
        let is_tag = !name.is_empty() && value.trim_ascii_start().starts_with(b"\"");
        return !is_tag && inside != b"]";
    }
    let mut in_comment = false;
    text.windows(2).any(|pair| {
        in_comment = match pair[0] {
            b'{' => true,
            b'}' => false,
            _ => in_comment,
        };
        !in_comment && pair[1] == b';' && !pair[0].is_ascii_whitespace()
    }) && !text.iter().any(|byte| matches!(byte, b'\n' | b'\r'))
}

/// A column of games: movetext, or lists of moves.
pub(crate) enum Games<'a> {
    Text(Vec<Option<&'a str>>),
    Lists(&'a str, &'a ArrayRef),
}

impl<'a> Games<'a> {
    /// # Errors
    /// If the column holds neither text nor lists of text.
    pub(crate) fn of(name: &'a str, array: &'a ArrayRef) -> Result<Self, Error> {
        match array.data_type() {
            of if is_text_or_null(of) => Ok(Self::Text(lines(name, array)?)),
            of if is_moves(of) => Ok(Self::Lists(name, array)),
            of => Err(Error::Type(name.to_owned(), of.clone(), MOVES)),
        }
    }

    /// Returns the moves of a row; `None` if the cell is null.
    pub(crate) fn row(&self, row: usize) -> Result<Option<Moves<'a>>, Error> {
        let (name, array) = match self {
            Self::Text(texts) => {
                return Ok(texts[row].map(Moves::of_text));
            }
            Self::Lists(name, array) => (name, array),
        };
        let Some(items) = items(array, row) else { return Ok(None) };
        let items = lines(name, &items)?;
        let (text, error) = match movetext_of_list(items.iter().copied()) {
            Ok(text) => (text, None),
            Err(error) => {
                let is_move = |item: &Option<&str>| movetext_of_list([*item]).is_ok();
                let moves = items.iter().copied().take_while(is_move);
                (movetext_of_list(moves).unwrap_or_default(), Some(error))
            }
        };
        Ok(Some(Moves { text: text.into(), error }))
    }
}

fn text_of<'a>(
    array: impl ArrayAccessor<Item = &'a str> + 'a,
) -> Box<dyn Fn(usize) -> &'a str + 'a> {
    Box::new(move |at| array.value(at))
}
