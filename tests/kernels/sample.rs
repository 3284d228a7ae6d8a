//! Checks the sample that ships: the example generates it byte for byte, and this crate reads each line like
//! cozy-chess.

use std::collections::HashSet;

use cozy_chess::{BitBoard, Board, Color, Piece};
use setwise::{Colour, Fen, Pieces};

#[path = "../../examples/sample.rs"]
#[allow(dead_code)]
mod example;

const SAMPLE: &str = include_str!("../../data/sample.epd");

#[test]
fn the_example_makes_the_file() {
    // Not `assert_eq!`, which would print a thousand positions twice.
    assert!(
        example::sample() == SAMPLE,
        "run `cargo run --example sample > data/sample.epd` if the example was changed on purpose"
    );
}

#[test]
fn the_sample_is_varied() {
    let fens: Vec<Fen> = SAMPLE.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(fens.len(), 1000);
    assert_eq!(fens.iter().map(|fen| fen.pieces).collect::<HashSet<_>>().len(), 1000);
    let count = |holds: fn(&Fen) -> bool| fens.iter().filter(|fen| holds(fen)).count();
    assert!(count(|fen| fen.turn == Colour::Black) > 300);
    assert!(count(|fen| fen.pieces.occupied().count_ones() <= 8) > 100);
    assert!(count(|fen| fen.pieces.occupied().count_ones() >= 28) > 100);
    assert!(count(|fen| fen.pieces.queens.count_ones() >= 4) >= 100);
    assert!(count(|fen| fen.castling.white & 0b0111_1110 != 0) > 20);
    assert!(count(|fen| fen.en_passant.is_some()) > 20);
    assert!(SAMPLE.lines().filter(|line| line.split(' ').count() == 4).count() > 100);
}

#[test]
fn two_readers_see_the_same() {
    for line in SAMPLE.lines() {
        let fen: Fen = line.parse().unwrap();
        let six_fields = match line.split(' ').count() {
            4 => format!("{line} 0 1"),
            _ => line.into(),
        };
        // It rejects positions that are not legal.
        let shredder =
            line.split(' ').nth(2).is_some_and(|rights| !rights.contains(['K', 'Q', 'k', 'q']));
        let board = Board::from_fen(&six_fields, shredder).unwrap();

        let role = |piece| board.pieces(piece).0;
        let expected = Pieces {
            pawns: role(Piece::Pawn),
            knights: role(Piece::Knight),
            bishops: role(Piece::Bishop),
            rooks: role(Piece::Rook),
            queens: role(Piece::Queen),
            kings: role(Piece::King),
            white: board.colors(Color::White).0,
            black: board.colors(Color::Black).0,
        };
        assert_eq!(fen.pieces, expected, "{line}");
        for (colour, color) in [(Colour::White, Color::White), (Colour::Black, Color::Black)] {
            let rights = board.castle_rights(color);
            let files = rights.short.into_iter().chain(rights.long);
            assert_eq!(
                fen.castling.of(colour),
                files.fold(0, |set, file| set | 1 << file as u8),
                "{line}"
            );
        }
        assert_eq!(fen.turn == Colour::White, board.side_to_move() == Color::White, "{line}");
        assert_eq!(
            fen.en_passant.map(|square| square % 8),
            board.en_passant().map(|file| file as u8),
            "{line}"
        );
        assert_eq!(fen.halfmove_clock, u32::from(board.halfmove_clock()), "{line}");
        assert_eq!(fen.fullmove_number, u32::from(board.fullmove_number()), "{line}");
        // The reverse: the other reader accepts the output of this crate.
        let written: Board = fen.to_string().parse().unwrap_or_else(|_| panic!("{line}"));
        assert_eq!(written.occupied(), BitBoard(fen.pieces.occupied()), "{line}");
    }
}
