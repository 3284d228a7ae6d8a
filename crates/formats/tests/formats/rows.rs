//! Random rows, biased towards edge cases: few and many pieces, corners, extreme numbers.

use proptest::prelude::*;
use setwise::fen::Castling;
use setwise::{Colour, Fen, Pieces, Role};
use setwise_formats::{Move, MoveKind, Records};

/// A row with the fields of all formats.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) fen: Fen,
    pub(crate) score: i16,
    pub(crate) result: i8,
    pub(crate) played: Option<Move>,
    pub(crate) ply: u16,
    pub(crate) extra: u32,
}

/// Generates two kings and up to 30 other pieces on any squares.
fn pieces() -> impl Strategy<Value = Pieces> {
    let count = prop_oneof![Just(0), Just(30), 0..31usize];
    let others = prop::collection::vec((0..5usize, 0..2usize), 30);
    let squares = prop_oneof![Just((0..64).collect::<Vec<u8>>()), Just((0..64).rev().collect())];
    (count, others, squares.prop_shuffle(), any::<bool>()).prop_map(
        |(count, others, squares, back)| {
            let mut pieces = Pieces::EMPTY;
            let mut squares = squares.into_iter();
            // Sometimes the kings are on their initial squares, where they can castle.
            let kings = if back {
                [4, 60]
            } else {
                [squares.next().unwrap_or(0), squares.next().unwrap_or(1)]
            };
            let mut put = |square: u8, colour: usize, role: usize| {
                let sets = [
                    &mut pieces.pawns,
                    &mut pieces.knights,
                    &mut pieces.bishops,
                    &mut pieces.rooks,
                    &mut pieces.queens,
                    &mut pieces.kings,
                ];
                *sets.into_iter().nth(role).expect("a role") |= 1 << square;
                let sides = [&mut pieces.white, &mut pieces.black];
                *sides.into_iter().nth(colour).expect("a colour") |= 1 << square;
            };
            put(kings[0], 0, 5);
            put(kings[1], 1, 5);
            let free = squares.filter(|square| !kings.contains(square));
            for (square, &(role, colour)) in free.zip(&others[..count]) {
                put(square, colour, role);
            }
            pieces
        },
    )
}

/// Generates a position with castling rights for some of the rooks on the back ranks.
fn fen() -> impl Strategy<Value = Fen> {
    let clock = prop_oneof![Just(0), Just(63), Just(64), Just(127), 0..128u32];
    let number = prop_oneof![Just(0), Just(1), Just(255), Just(256), Just(65535), 0..65536u32];
    let en_passant = prop_oneof![
        3 => Just(None),
        1 => prop_oneof![16..24u8, 40..48u8].prop_map(Some),
    ];
    (pieces(), any::<bool>(), any::<[u8; 2]>(), en_passant, clock, number).prop_map(
        |(pieces, black, rights, en_passant, halfmove_clock, fullmove_number)| Fen {
            pieces,
            turn: if black { Colour::Black } else { Colour::White },
            castling: Castling {
                white: (pieces.white & pieces.rooks) as u8 & rights[0],
                black: ((pieces.black & pieces.rooks) >> 56) as u8 & rights[1],
            },
            en_passant,
            halfmove_clock,
            fullmove_number,
        },
    )
}

fn played() -> impl Strategy<Value = Option<Move>> {
    let kind = prop_oneof![
        Just(MoveKind::Normal),
        Just(MoveKind::EnPassant),
        Just(MoveKind::Castling),
        prop::sample::select(&Role::ALL[1..5]).prop_map(MoveKind::Promotion),
    ];
    let square = prop_oneof![Just(0), Just(63), 0..64u8];
    let played =
        (square.clone(), square, kind).prop_map(|(from, to, kind)| Move { from, to, kind });
    // A normal move from a1 to a1 encodes no move.
    let none = Move { from: 0, to: 0, kind: MoveKind::Normal };
    prop::option::of(played.prop_filter("no move at all", move |&played| played != none))
}

pub(crate) fn row() -> impl Strategy<Value = Row> {
    let score = prop_oneof![Just(0), Just(i16::MIN), Just(i16::MAX), Just(-1), any::<i16>()];
    let ply = prop_oneof![Just(0), Just(u16::MAX), any::<u16>()];
    (fen(), score, -1..2i8, played(), ply, 0..1u32 << 24).prop_map(
        |(fen, score, result, played, ply, extra)| Row { fen, score, result, played, ply, extra },
    )
}

/// Converts rows to a batch with all columns.
pub(crate) fn batch(rows: &[Row]) -> Records {
    let mut batch = Records::new();
    for row in rows {
        batch.push_fen(&row.fen);
        batch.score.push(row.score.into());
        batch.result.push(row.result);
        batch.moves.push(row.played);
        batch.ply.push(row.ply.into());
        batch.extra.push(row.extra);
    }
    batch
}
