//! Tests of columns, errors and moves through the C interface.

use std::ffi::{CStr, CString, c_char};
use std::ptr;

use setwise::columns::{Catalogue, PRESETS, select};
use setwise::legal::{Move, State};
use setwise::{Fen, Needs, Pieces, Shape, position};
use setwise_nnue::Column;

use crate::columns::*;
use crate::error::{Failure, remember, setwise_error_message, setwise_status, status_of};
use crate::kernel::{setwise_kernel, setwise_kernel_at};
use crate::legal::*;
use crate::pieces::{SETWISE_NO_SQUARE, setwise_pieces};

/// The maximum length of a message in bytes, including the NUL.
const LENGTH: usize = 512;

pub(crate) fn string(text: *const c_char) -> &'static str {
    // SAFETY: the strings of the library are NUL-terminated; those of columns and sets live long enough.
    unsafe { CStr::from_ptr(text) }.to_str().expect("UTF-8")
}

fn message() -> String {
    string(setwise_error_message()).to_owned()
}

/// All kernels of this processor, and null.
pub(crate) fn kernels() -> impl Iterator<Item = *const setwise_kernel> {
    let kernels = (0..).map(|index| setwise_kernel_at(index));
    kernels.take_while(|kernel| !kernel.is_null()).chain([ptr::null()])
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

/// Playing, keys, moves from text, and states are Rust's, on every kernel, also in place and without a result.
#[test]
fn moves_and_keys_are_rusts() {
    for line in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
        "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
    ] {
        let fen = Fen::parse(line).expect("FEN");
        let (before, state) = (fen.pieces, State::from(&fen));
        let legal = position::legal(&before, state).expect("valid");
        let (c_before, c_state) = (setwise_pieces::from(before), setwise_state::from(state));
        // SAFETY: the pointers are to what the header says, or null.
        unsafe {
            assert_eq!(setwise_pieces_key(&c_before, c_state), position::key(&before, state));
            let without = position::with_legal_en_passant(&before, state);
            assert_eq!(setwise_pieces_legal_en_passant(&c_before, c_state), without.into());
            for kernel in kernels() {
                let parse = |text: &str| {
                    let (text, length) = (text.as_ptr().cast(), text.len());
                    setwise_pieces_parse_uci(kernel, &c_before, c_state, text, length)
                };
                for text in ["e2e5", "a1a1", "e1g1", "e1h1", "b7a8", "e4e5"] {
                    let parsed = legal.parse_uci(text).map(|played| played.bits().into());
                    assert_eq!(
                        parse(text),
                        parsed.unwrap_or(SETWISE_ILLEGAL_MOVE),
                        "{line} {text}"
                    );
                }
                for text in ["", "e2", "e2e9", "e7e8k", "\u{e9}2e4"] {
                    assert_eq!(parse(text), SETWISE_NOT_A_MOVE, "{text}");
                }
                let null = setwise_pieces_parse_uci(kernel, &c_before, c_state, ptr::null(), 4);
                assert_eq!(null, SETWISE_NOT_A_MOVE);
                let invalid =
                    setwise_pieces_parse_uci(kernel, ptr::null(), c_state, c"e2e4".as_ptr(), 4);
                assert_eq!(invalid, SETWISE_ILLEGAL_MOVE);
                for played in legal.moves() {
                    assert_eq!(parse(&played.to_string()), played.bits().into(), "{line} {played}");
                    plays(kernel, (before, state), played);
                }
            }
        }
    }
}

/// # Safety
/// The kernel is null or one of ours.
unsafe fn plays(kernel: *const setwise_kernel, before: (Pieces, State), played: Move) {
    let (pieces, state) = position::play(&before.0, before.1, played);
    let (c_before, c_state) = (setwise_pieces::from(before.0), before.1.into());
    let (expected, mut after) = (setwise_pieces::from(pieces), setwise_pieces::default());
    let mut in_place = c_before;
    // SAFETY: the kernel is the caller's, and the positions are ours.
    unsafe {
        let at = &raw mut in_place;
        for to in [&raw mut after, at, ptr::null_mut()] {
            let from = if to == at { at.cast_const() } else { &raw const c_before };
            let c_after = setwise_pieces_play(kernel, from, c_state, played.bits(), to);
            assert_eq!(c_after, setwise_state::from(state), "{played}");
        }
        assert_eq!((after, in_place), (expected, expected), "{played}");
        let change = setwise_pieces_key_change(&c_before, c_state, &after, state.into());
        assert_eq!(change, position::key_change(before, (pieces, state)));
        // Bits that are not a move change nothing.
        let none =
            setwise_pieces_play(kernel, &c_before, c_state, 3 << 14 | 2 << 12, &raw mut after);
        assert_eq!((none, after), (c_state, c_before));
    }
}
