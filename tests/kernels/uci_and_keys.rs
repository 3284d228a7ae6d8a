//! Moves in UCI notation, keys of positions, and en passant squares in them, along random games.

use std::collections::HashMap;

use crate::common::Random;
use setwise::legal::{Move, MoveKind, State};
use setwise::position::{self, UciError};
use setwise::{Colour, Fen, Pieces};

#[test]
fn along_random_games() {
    let mut random = Random::new(57);
    let mut keys = HashMap::new();
    let (mut castlings, mut useless) = (0, 0);
    for _ in 0..30 {
        let (mut pieces, mut state) = (Pieces::START, State::from(&Fen::START));
        for _ in 0..120 {
            let legal = position::legal(&pieces, state).expect("a position of a game");
            let moves: Vec<Move> = legal.moves().collect();
            for &played in &moves {
                assert_eq!(legal.parse_uci(&played.to_string()), Ok(played));
                if played.kind() == MoveKind::Castling {
                    castlings += 1;
                    let corner = if played.to() > played.from() { 'h' } else { 'a' };
                    let rank = played.from() / 8 + 1;
                    assert_eq!(legal.parse_uci(&format!("e{rank}{corner}{rank}")), Ok(played));
                }
                let after = position::play(&pieces, state, played);
                let change = position::key_change((pieces, state), after);
                let key = position::key(&pieces, state) ^ change;
                assert_eq!(key, position::key(&after.0, after.1), "{played}: {pieces:x?}");
                let same = keys.entry(key).or_insert(after);
                assert_eq!(*same, after, "two positions with one key");
                let normal = position::with_legal_en_passant(&after.0, after.1);
                let next = position::legal(&after.0, after.1).expect("a position of a game");
                let usable = next.moves().any(|played| played.kind() == MoveKind::EnPassant);
                let expected = after.1.en_passant().filter(|_| usable);
                assert_eq!(normal, State::new(after.1.turn(), after.1.castling(), expected));
                useless += usize::from(normal != after.1);
            }
            let Some(&played) = moves.get(random.below(moves.len().max(1))) else { break };
            (pieces, state) = position::play(&pieces, state, played);
        }
    }
    assert!(castlings > 10 && useless > 200, "{castlings} castlings, {useless} useless squares");
}

#[test]
fn text_that_is_no_legal_move() {
    let legal = position::legal_unchecked(&Pieces::START, State::from(&Fen::START));
    for text in
        ["", "e2", "e2e9", "i2i4", "e2e4k", "e2e4qq", "E2E4", "0000", "e2-e4", "ä2e4", "e2e4 "]
    {
        assert_eq!(legal.parse_uci(text), Err(UciError::Syntax), "{text}");
    }
    for text in ["e2e5", "e2e4q", "e1g1", "e1h1", "e7e5", "a1a1"] {
        assert_eq!(legal.parse_uci(text), Err(UciError::Illegal), "{text}");
    }
    assert_eq!(legal.captures().parse_uci("e2e4"), Err(UciError::Illegal));
}

/// Castling from any files, where the king's step to the same square is another move.
#[test]
fn castling_in_chess960() {
    let fen = Fen::parse("5k2/8/8/8/8/8/8/5KR1 w G - 0 1").expect("valid");
    let legal = position::legal(&fen.pieces, State::from(&fen)).expect("valid");
    assert_eq!(legal.parse_uci("f1g1").map(Move::kind), Ok(MoveKind::Castling));
    let fen = Fen::parse("5k2/8/8/8/8/8/8/5K1R w H - 0 1").expect("valid");
    let legal = position::legal(&fen.pieces, State::from(&fen)).expect("valid");
    assert_eq!(legal.parse_uci("f1g1").map(Move::kind), Ok(MoveKind::Normal));
    assert_eq!(legal.parse_uci("f1h1").map(Move::kind), Ok(MoveKind::Castling));
    // The king's move is enough if it is no other move.
    let fen = Fen::parse("1k6/8/8/8/8/8/8/RK5R w HA - 0 1").expect("valid");
    let legal = position::legal(&fen.pieces, State::from(&fen)).expect("valid");
    for (text, rook) in [("b1g1", "b1h1"), ("b1h1", "b1h1"), ("b1a1", "b1a1")] {
        assert_eq!(legal.parse_uci(text), legal.parse_uci(rook));
        assert_eq!(legal.parse_uci(text).map(Move::kind), Ok(MoveKind::Castling), "{text}");
    }
    assert_eq!(legal.parse_uci("b1c1").map(Move::kind), Ok(MoveKind::Normal));
    assert_eq!(legal.parse_uci("b1g1q"), Err(UciError::Illegal));
    // The king takes the rook that is named, not one on the way to it.
    for (fen, blocked, free) in [
        ("4k3/8/8/8/8/8/8/R1R1K3 w AC - 0 1", "e1a1", "e1c1"),
        ("4k3/8/8/8/8/8/8/R2RK3 w AD - 0 1", "e1a1", "e1d1"),
        ("4k3/8/8/8/8/8/8/4K1RR w GH - 0 1", "e1h1", "e1g1"),
        ("4k3/8/8/8/8/8/8/1R1RK3 w BD - 0 1", "e1b1", "e1d1"),
    ] {
        let fen = Fen::parse(fen).expect("valid");
        let legal = position::legal(&fen.pieces, State::from(&fen)).expect("valid");
        assert_eq!(legal.parse_uci(blocked), Err(UciError::Illegal), "{blocked}");
        assert_eq!(legal.parse_uci(free).map(Move::kind), Ok(MoveKind::Castling), "{free}");
    }
}

/// Published numbers of splitmix64 seeded with 0, and a key that must not change.
#[test]
fn keys_are_those_of_the_documentation() {
    let pawn_on_a1 = Pieces { pawns: 1, ..Pieces::EMPTY };
    assert_eq!(position::key(&pawn_on_a1, State::EMPTY), 0xe220_a839_7b1d_cdaf);
    assert_eq!(position::key(&Pieces::EMPTY, State::EMPTY), 0);
    let black = State::new(Colour::Black, State::EMPTY.castling(), None);
    assert_eq!(position::key(&Pieces::EMPTY, black), 0xbb61_ee34_2e9a_8210); // a4 alone
}
