//! Tests of columns, errors and moves through the C interface.

use std::ffi::{CStr, CString, c_char};
use std::ptr;

use setwise::columns::{Catalogue, PRESETS, select};
use setwise::{Needs, Shape};
use setwise_nnue::Column;

use crate::columns::*;
use crate::error::{Failure, remember, setwise_error_message, setwise_status, status_of};
use crate::legal::{setwise_pieces_legal_moves, setwise_state};
use crate::pieces::{SETWISE_NO_SQUARE, setwise_pieces};

/// The maximum length of a message in bytes, including the NUL.
const LENGTH: usize = 512;

fn string(text: *const c_char) -> &'static str {
    // SAFETY: the strings of the library are NUL-terminated; strings of columns live as long as the program.
    unsafe { CStr::from_ptr(text) }.to_str().expect("UTF-8")
}

fn message() -> String {
    string(setwise_error_message()).to_owned()
}

/// C has every column of the library, with the same properties.
#[test]
fn the_columns_are_the_librarys() {
    assert_eq!(setwise_column_count(), i32::try_from(Column::ALL.len()).expect("few"));
    for (number, &column) in (0..).zip(Column::ALL) {
        assert_eq!(string(setwise_column_name(number)), column.name());
        assert_eq!(string(setwise_column_meaning(number)), column.meaning());
        assert_eq!(setwise_column_value_bytes(number), column.value_type().bytes());
        let (shape, length) = match column.shape() {
            Shape::Value => (setwise_shape::Value, 1),
            Shape::List => (setwise_shape::List, 0),
            Shape::Array(count) => (setwise_shape::Array, count),
            other => panic!("C has no word for {other:?}"),
        };
        assert_eq!((setwise_column_shape(number), setwise_column_length(number)), (shape, length));
        let needs = match column.needs() {
            Needs::Pieces => setwise_needs::Pieces,
            Needs::Turn => setwise_needs::Turn,
            Needs::State => setwise_needs::State,
            other => panic!("C has no word for {other:?}"),
        };
        assert_eq!(setwise_column_needs(number), needs);
        assert_eq!(setwise_column_is_nullable(number) != 0, column.is_nullable());
        assert_eq!(setwise_column_needs_feature_set(number) != 0, column.needs_feature_set());
        // SAFETY: the name is NUL-terminated.
        assert_eq!(unsafe { setwise_column_find(setwise_column_name(number)) }, number);
    }
}

/// The header names the presets, and they select the same columns as in the library.
#[test]
fn presets_choose_what_they_choose_in_rust() {
    let header = include_str!("columns.rs");
    for preset in PRESETS {
        assert!(header.contains(&format!("\"{}\"", preset.name)), "{}", preset.name);
        let name = CString::new(preset.name).expect("no zero");
        let (mut columns, mut count) = ([-1; 256], 0);
        // SAFETY: all pointers are valid, and the array has the capacity.
        let status = unsafe {
            setwise_column_select(name.as_ptr(), columns.as_mut_ptr(), 256, &raw mut count)
        };
        assert_eq!(status, setwise_status::Ok);
        let chosen: Vec<Column> = select([preset.name]).expect("a preset");
        let columns = columns[..count].iter().map(|&number| column_at(number).expect("a column"));
        assert!(columns.eq(chosen.iter().copied()));
        assert!(chosen.iter().all(|&column| preset.contains(column)), "{}", Column::all().len());
    }
}

#[test]
fn panics_become_a_status() {
    let status = status_of(|| panic!("row {}", 7));
    assert_eq!((status, message()), (setwise_status::Internal, "row 7".into()));
    let failed = Failure::new(setwise_status::Fen, "no FEN");
    assert_eq!(status_of(|| Err(failed)), setwise_status::Fen);
    assert_eq!(message(), "no FEN");
    assert_eq!(status_of(|| Ok(())), setwise_status::Ok);
    assert_eq!(message(), "no FEN");
}

#[test]
fn long_texts_are_cut_between_characters() {
    remember(&("é".repeat(LENGTH) + "\0"));
    assert_eq!(message(), "é".repeat((LENGTH - 1) / 2));
    remember("a\0b");
    assert_eq!(message(), "a b");
}

/// A capacity may exceed the address space: only the existing moves are written.
#[test]
fn capacities_above_memory() {
    let (white, black) = (1 << 4, 1 << 60);
    let pieces = setwise_pieces { kings: white | black, white, black, ..Default::default() };
    let state = setwise_state { en_passant: SETWISE_NO_SQUARE, ..Default::default() };
    for capacity in [5, usize::MAX / 2, usize::MAX] {
        let mut moves = [7; 6];
        // SAFETY: the buffer has space for the five moves.
        let count = unsafe {
            let to = moves.as_mut_ptr();
            setwise_pieces_legal_moves(ptr::null(), &raw const pieces, state, to, capacity)
        };
        let king = |to: u16| to + 64 * 4;
        assert_eq!((count, moves), (5, [king(3), king(5), king(11), king(12), king(13), 7]));
    }
}
