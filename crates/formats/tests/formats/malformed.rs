//! Invalid files and their error messages.

use setwise::{Fen, Pieces};
use setwise_formats::{Format, Move, MoveKind, Reader, Records, Writer};

fn record(format: Format, fen: &str) -> Vec<u8> {
    let mut batch = Records::new();
    batch.push_fen(&fen.parse().expect("a position"));
    let mut file = Vec::new();
    Writer::new(format, &mut file).expect("writes").write(&batch).expect("fits");
    file
}

/// Two kings and two rooks, in the order of the squares: white king e1, white rook h1, black rook a8, black king e8.
const FEN: &str = "r3k3/8/8/8/8/8/8/4K2R w Kq - 3 9";

/// The record of [`FEN`] with some bytes changed.
fn changed(format: Format, changes: &[(usize, u8)]) -> Vec<u8> {
    let mut file = record(format, FEN);
    changes.iter().for_each(|&(at, byte)| file[at] = byte);
    file
}

/// A game in viriformat with some moves (origin, destination, high bits).
fn game(fen: &str, moves: &[(u16, u16, u16)]) -> Vec<u8> {
    let mut file = record(Format::Marlin, fen);
    for &(from, to, kind) in moves {
        file.extend((from | to << 6 | kind << 12).to_le_bytes());
        file.extend([0, 0]);
    }
    file.extend([0; 4]);
    file
}

/// A block with one game: nibbles in the order of the squares, the first move, and the bytes after the ply.
fn block(pieces: &[(u8, u8)], played: u16, tail: &[u8]) -> Vec<u8> {
    let mut stem = vec![0; 24];
    let mut occupied = 0u64;
    for (i, &(square, code)) in pieces.iter().enumerate() {
        occupied |= 1 << square;
        stem[8 + i / 2] |= code << (4 * (i % 2));
    }
    stem[..8].copy_from_slice(&occupied.to_be_bytes());
    stem.extend(played.to_be_bytes());
    stem.extend([0, 0, 0, 0, 0, 0]); // score, ply and result, clock
    stem.extend(tail);
    [&b"BINP"[..], &(stem.len() as u32).to_le_bytes(), &stem].concat()
}

/// White's king on e1 and a rook on h1 that may castle, black's king on e8; white to move.
const KINGS: [(u8, u8); 3] = [(4, 10), (7, 13), (60, 11)];

/// A move in binpack's encoding.
const fn packed(from: u16, to: u16, kind: u16) -> u16 {
    kind << 14 | from << 8 | to << 2
}

#[track_caller]
fn says(format: Format, file: &[u8], expected: impl AsRef<str>) {
    let mut reader = Reader::new(format, file);
    let mut batch = Records::new();
    for _ in 0..100 {
        if let Err(error) = reader.read(10, &mut batch) {
            assert_eq!(error.to_string(), expected.as_ref());
            return;
        }
    }
    panic!("no error: {}", expected.as_ref());
}

#[test]
fn bullet() {
    let says = |changes: &[(usize, u8)], expected| {
        says(Format::Bullet, &changed(Format::Bullet, changes), expected);
    };
    // Nibbles: king and rook 0x35, the opponent's rook and king 0xdb.
    says(
        &[(8, 0x36)],
        "record 1, byte 8: expected the code of a piece, 0 to 5 or 8 to 13, found the code 6 on e1",
    );
    says(
        &[(9, 0xfb)],
        "record 1, byte 9: expected the code of a piece, 0 to 5 or 8 to 13, found the code 15 on e8",
    );
    says(&[(8, 0x33)], "record 1, byte 8: expected 1 king of the mover, found 0");
    says(&[(8, 0x55)], "record 1, byte 8: expected 1 king of the mover, found 2");
    says(&[(9, 0xdd)], "record 1, byte 8: expected 1 king of the opponent, found 2");
    says(
        &[(10, 0x01)],
        "record 1, byte 10: expected zeros after the codes of 4 pieces, found the code 1",
    );
    says(
        &[(3, 0xff), (4, 0xff), (5, 0xff), (6, 0xff)],
        "record 1, byte 0: expected at most 32 pieces, found 36 occupied squares",
    );
    says(&[(26, 3)], "record 1, byte 26: expected a result of 0, 1 or 2, found 3");
    says(&[(27, 5)], "record 1, byte 27: expected 4, the square of the king (e1), found 5");
    says(&[(27, 68)], "record 1, byte 27: expected 4, the square of the king (e1), found 68");
    says(
        &[(28, 60)],
        "record 1, byte 28: expected 4, the square of the opponent's king (e8), found 60",
    );
}

#[test]
fn marlin() {
    let says = |changes: &[(usize, u8)], expected| {
        says(Format::Marlin, &changed(Format::Marlin, changes), expected);
    };
    says(
        &[(8, 0x75)],
        "record 1, byte 8: expected the code of a piece, 0 to 6 or 8 to 14, found the code 7 on h1",
    );
    says(
        &[(9, 0xd6)],
        "record 1, byte 9: expected a rook that may castle on rank 1, found one on a8",
    );
    says(&[(8, 0x66)], "record 1, byte 8: expected 1 king of white, found 0");
    says(
        &[(24, 0)],
        "record 1, byte 24: expected a square on rank 3 or 6, found a1 as the en passant square",
    );
    says(
        &[(24, 65)],
        "record 1, byte 24: expected an en passant square up to 63, or 64 for none, found 65",
    );
    says(
        &[(24, 128 + 36)],
        "record 1, byte 24: expected a square on rank 3 or 6, found e5 as the en passant square",
    );
    says(&[(30, 255)], "record 1, byte 30: expected a result of 0, 1 or 2, found 255");
    says(
        &[(23, 0x10)],
        "record 1, byte 23: expected zeros after the codes of 4 pieces, found the code 1",
    );
}

/// A record of PackedSfenValue from values and their widths in bits.
fn sfen(bits: &[(u32, usize)]) -> Vec<u8> {
    let mut file = vec![0; 40];
    let mut cursor = 0;
    for &(value, width) in bits {
        for bit in 0..width {
            file[cursor / 8] |= ((value >> bit & 1) as u8) << (cursor % 8);
            cursor += 1;
        }
    }
    file
}

#[test]
fn packed_sfen() {
    let says = |file: Vec<u8>, expected| says(Format::PackedSfen, &file, expected);
    let bare = [(0, 1), (4, 6), (60, 6), (0, 31), (0, 31), (0, 4)];
    let with = |more: &[(u32, usize)]| sfen(&[&bare[..], more].concat());
    let mut batch = Records::new();
    assert_eq!(Reader::new(Format::PackedSfen, &with(&[])[..]).read(1, &mut batch).unwrap(), 1);
    assert_eq!(batch.fen(0).to_string(), "4k3/8/8/8/8/8/8/4K3 w - - 0 0");

    says(
        sfen(&[(0, 1), (4, 6), (4, 6)]),
        "record 1, byte 0: expected the kings on two squares, found both on e1",
    );
    says(
        sfen(&[(0, 1), (4, 6), (60, 6), (0, 2), (0b1011, 5)]),
        "record 1, byte 1: expected the code of a pawn, knight, bishop, rook or queen, found another on c8",
    );
    // The king on e8 has no bits.
    says(
        sfen(&[(0, 1), (4, 6), (60, 6), (0, 4), (0b1011, 5)]),
        "record 1, byte 1: expected the code of a pawn, knight, bishop, rook or queen, found another on f8",
    );
    let crowd = [(1, 5); 31];
    says(
        sfen(&[&bare[..3], &crowd[..], &[(0, 31)]].concat()),
        "record 1, byte 1: expected at most 30 pieces besides the kings, found 31",
    );
    says(
        sfen(&[&bare[..3], &[(1, 5); 48]].concat()),
        "record 1, byte 0: expected 64 squares and the clocks in 256 bits, found more",
    );
    says(
        with(&[(1, 1), (36, 6)]),
        "record 1, byte 1: expected a square on rank 3 or 6, found e5 as the en passant square",
    );
    says(
        with(&[(0, 1), (0, 23), (1, 1)]),
        "record 1, byte 12: expected zeros after the clocks, found something else",
    );
    let tail = |at: usize, byte: u8| {
        let mut file = with(&[]);
        file[at] = byte;
        file
    };
    says(tail(38, 2), "record 1, byte 38: expected a result of -1, 0 or 1, found 2");
    says(tail(38, 0x80), "record 1, byte 38: expected a result of -1, 0 or 1, found -128");
    says(
        tail(35, 0x10),
        "record 1, byte 34: expected a promotion's role only where the move promotes, found the move 0x1000",
    );
    says(
        tail(31, 0x80),
        "record 1, byte 31: expected zeros after the clocks, found something else",
    );
}

#[test]
fn viri() {
    let says = |file: &[u8], expected: &str| says(Format::Viri, file, expected);
    let start = "4k3/P7/8/2pP4/8/8/8/R3K2R w KQ c6 0 1";
    let bad = |moves: &[(u16, u16, u16)], expected: &str| {
        let text =
            format!("record {}, byte {}: expected {expected}", moves.len(), 28 + 4 * moves.len());
        says(&game(start, moves), &text);
    };
    bad(&[(20, 28, 0)], "a piece of the side to move on e3, found none");
    bad(&[(60, 52, 0)], "a piece of the side to move on e8, found none");
    bad(&[(4, 20, 0)], "a move that the piece can make, found the move e1e3");
    bad(&[(0, 4, 0)], "a move that the piece can make, found the move a1e1");
    bad(
        &[(48, 56, 0)],
        "a promotion if a pawn reaches the last rank, and only then, found the move a7a8",
    );
    bad(
        &[(0, 8, 12)],
        "a promotion if a pawn reaches the last rank, and only then, found the move a1a2",
    );
    bad(
        &[(35, 42, 0)],
        "en passant if a pawn captures on that square, and only then, found the move d5c6",
    );
    bad(
        &[(35, 43, 4)],
        "en passant if a pawn captures on that square, and only then, found the move d5d6",
    );
    bad(&[(4, 6, 8)], "castling with a king and a rook that may castle, found the move e1g1");
    bad(
        &[(0, 1, 0), (60, 59, 0), (4, 0, 8)],
        "castling with a king and a rook that may castle, found the move e1a1",
    );
    bad(&[(4, 5, 1)], "a promotion's role only where the move promotes, found the move 0x1144");
    bad(
        &[(48, 56, 12 + 3), (34, 26, 0), (56, 60, 0)],
        "a move that takes no king, found the move a8e8",
    );
    // Castling by both sides, en passant and promotion are valid.
    for moves in [&[(4, 7, 8)], &[(4, 0, 8)], &[(35, 42, 4)], &[(48, 56, 12)]] {
        let mut batch = Records::new();
        let file = game(start, moves);
        assert_eq!(Reader::new(Format::Viri, &file[..]).read(9, &mut batch).unwrap(), 1);
    }
    let blocked = "4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1";
    says(
        &game(blocked, &[(4, 0, 8)]),
        "record 1, byte 32: expected castling with nothing in the way, found the move e1a1",
    );
    says(
        &changed(Format::Marlin, &[(8, 0x66)]),
        "record 1, byte 8: expected 1 king of white, found 0",
    );
    says(
        &record(Format::Marlin, FEN),
        "record 1, byte 32: expected 4 bytes of a move or of the end of a game, found the end of the file",
    );
}

#[test]
fn binpack() {
    let says = |file: &[u8], expected: &str| says(Format::Binpack, file, expected);
    let none = [0, 0];
    says(
        b"BINQ\0\0\0\0",
        "record 1, byte 0: expected \"BINP\" where a block begins, found \"BINQ\"",
    );
    says(
        b"BINP\x21\0\0\0",
        "record 1, byte 8: expected 34 bytes of a game's first position, found 33 and the end of the block",
    );
    says(
        b"BINP\x22\0\0\0",
        "record 1, byte 8: expected 34 bytes of a game's first position, found the end of the file",
    );
    says(
        b"BINP",
        "record 1, byte 0: expected 8 bytes of a block's head, found 4 and the end of the file",
    );
    let head = |pieces: &[(u8, u8)], expected: &str| {
        says(&block(pieces, 0, &none), &format!("record 1, byte {expected}"));
    };
    head(&KINGS[..2], "16: expected 1 king of black, found 0");
    head(&[(4, 10), (5, 10), (60, 11)], "16: expected 1 king of white, found 2");
    head(&[(4, 10), (60, 11), (63, 15)], "16: expected 1 king of black, found 2");
    head(
        &[(4, 10), (6, 13), (60, 11)],
        "16: expected a rook that may castle on a1 or h1, found the code 13 on g1",
    );
    head(
        &[(4, 10), (7, 14), (60, 11)],
        "16: expected a rook that may castle on a8 or h8, found the code 14 on h1",
    );
    head(
        &[(1, 0), (4, 10), (60, 11)],
        "16: expected a pawn on ranks 2 to 7, found the code 0 on b1",
    );
    head(
        &[(4, 10), (24, 12), (60, 11)],
        "16: expected a pawn that can be captured en passant on rank 5 if it is white's turn, found the code 12 on a4",
    );
    head(
        &[(4, 10), (32, 12), (60, 15)],
        "16: expected a pawn that can be captured en passant on rank 4 if it is black's turn, found the code 12 on a5",
    );
    head(
        &[(4, 10), (32, 12), (34, 12), (60, 11)],
        "16: expected at most 1 pawn that can be captured en passant, found 2",
    );
    head(
        &[(4, 10), (60, 11), (64 - 1, 0)],
        "17: expected a pawn on ranks 2 to 7, found the code 0 on h8",
    );

    let first = |played: u16, expected: &str| {
        says(
            &block(&KINGS, played, &[0, 1, 0, 0]),
            &format!("record 1, byte 32: expected {expected}"),
        );
    };
    first(0, "a move, found no move before 1 positions");
    first(packed(4, 6, 0), "a move that the piece can make, found the move e1g1");
    first(packed(4, 7, 0), "a move that the piece can make, found the move e1h1");
    first(packed(4, 0, 2), "castling with a king and a rook that may castle, found the move e1a1");
    first(
        packed(4, 5, 0) + 1,
        "a promotion's role only where the move promotes, found the move 0x0415",
    );
    let mut file = block(&KINGS, 0, &none);
    file[8 + 28] = 0xc0;
    says(&file, "record 1, byte 36: expected a result of -1, 0 or 1, found -2");

    // After e1e2, black has only a king, so the index of the piece has no bits; that of its five squares has three.
    let next = |bytes: &[u8], expected: &str| {
        let file = block(&KINGS, packed(4, 12, 0), &[&[0, 1], bytes].concat());
        says(&file, &format!("record 2, byte 42: expected {expected}"));
    };
    next(&[0b1010_0000], "the number of one of 5 moves from e8, found 5, counted from 0");
    next(&[0b0001_0000], "the rest of the game, found the end of the block");
    next(&[0b0001_1111, 0xff, 0xff, 0xff], "a difference of scores in 16 bits, found more");
    next(&[], "the rest of the game, found the end of the block");
    let mut batch = Records::new();
    let file = block(&KINGS, packed(4, 12, 0), &[0, 1, 0b0000_0010]);
    Reader::new(Format::Binpack, &file[..]).read(9, &mut batch).expect("right");
    assert_eq!(batch.moves[1].map(|played| played.to_string()).as_deref(), Some("e8d7"));
    assert_eq!(batch.score, [0, 1]);
    // Three superfluous bytes.
    let file = block(&KINGS, 0, &[0, 0, 1, 2, 3]);
    says(
        &file,
        "record 2, byte 42: expected 34 bytes of a game's first position, found 3 and the end of the block",
    );
    // Rook and king: 3 of 3 pieces.
    let rooks = [(4, 10), (7, 6), (56, 7), (57, 7), (60, 11)];
    let file = block(&rooks, packed(4, 12, 0), &[0, 1, 0b1100_0000, 0]);
    says(
        &file,
        "record 2, byte 42: expected the number of one of 3 pieces, found 3, counted from 0",
    );
    // e1e2, then piece 1 of 2 to square 0 of 9 (h8h1), then piece 1 of 2 to square 11 of 12 (e7e8).
    let open = [(4, 10), (52, 6), (60, 11), (63, 7)];
    let file = block(&open, packed(4, 12, 0), &[0, 2, 0b1000_0000, 0b0011_0110, 0]);
    says(&file, "record 3, byte 43: expected a move that takes no king, found e7e8");
}

/// After an invalid record, reading continues with the next record, with the correct number and offset.
#[test]
fn records_behind_a_wrong_one() {
    for (format, at, wrong) in
        [(Format::Bullet, 26, 3), (Format::Marlin, 30, 3), (Format::PackedSfen, 38, 2)]
    {
        let right = record(format, FEN);
        let mut bad = right.clone();
        bad[at] = wrong;
        let size = right.len();
        let file = [&right[..], &bad, &right, &right, &bad, &bad].concat();
        let mut reader = Reader::new(format, &file[..]);
        let mut batch = Records::new();
        let mut found = Vec::new();
        loop {
            let result = reader.read(100, &mut batch).map_err(|error| error.to_string());
            let ended = result == Ok(0);
            let error = result.err().map(|text| text.split(':').next().map(str::to_owned));
            found.push((batch.len(), error.flatten(), reader.records(), reader.offset()));
            if ended {
                break;
            }
        }
        let place =
            |record: usize| Some(format!("record {record}, byte {}", (record - 1) * size + at));
        let expected = [(1, place(2), 2), (2, place(5), 5), (0, place(6), 6), (0, None, 6)];
        let expected =
            expected.map(|(rows, error, records)| (rows, error, records, records * size as u64));
        assert_eq!(found, expected, "{format}");
    }
}

/// If an en passant capture would expose the king along rank 5, Viridithas sets the en passant square and Stockfish
/// does not.
#[test]
fn en_passant_by_two_rules() {
    let start = "k7/3p4/8/K3P2r/8/8/8/8 b - - 0 1";
    let file = game(start, &[(51, 35, 0), (32, 24, 0)]);
    let mut batch = Records::new();
    Reader::new(Format::Viri, &file[..]).read(9, &mut batch).expect("right");
    assert_eq!(batch.en_passant, [None, Some(43)]);

    let pieces = |rook| [(32, 10), (36, 0), (rook, 7), (51, 1), (56, 15)];
    for (rook, en_passant) in [(39, None), (47, Some(43))] {
        // d7d5, then piece 0 of 2, the king, to the first of its squares, a4.
        let file = block(&pieces(rook), packed(51, 35, 0), &[0, 1, 0, 0]);
        Reader::new(Format::Binpack, &file[..]).read(9, &mut batch).expect("right");
        assert_eq!(batch.en_passant, [None, en_passant], "{}", batch.fen(1));
        assert_eq!(batch.moves[1].map(|played| played.to_string()).as_deref(), Some("a5a4"));
    }
}

#[test]
fn rows_that_do_not_fit() {
    let write = |format, change: &dyn Fn(&mut Records)| {
        let mut batch = Records::new();
        batch.push_fen(&Fen::START);
        batch.push_fen(&Fen::START);
        change(&mut batch);
        let mut file = Vec::new();
        let error = Writer::new(format, &mut file).expect("writes").write(&batch).unwrap_err();
        assert_eq!(Some(file.len()), format.record_size(), "the row before is written");
        error
            .to_string()
            .strip_prefix(&format!("record 2, byte {}: ", file.len()))
            .expect("the place")
            .to_owned()
    };
    let pieces = |change: fn(&mut Pieces)| move |batch: &mut Records| change(&mut batch.pieces[1]);
    for format in [Format::Bullet, Format::Marlin, Format::PackedSfen] {
        let says = |change: fn(&mut Pieces), expected| {
            assert_eq!(write(format, &pieces(change)), expected, "{format}");
        };
        says(
            |pieces| pieces.kings = 1 << 4,
            "expected a role and a colour for every piece, found something else on e8",
        );
        says(
            |pieces| pieces.white |= 1 << 20,
            "expected a role and a colour for every piece, found something else on e3",
        );
        says(
            |pieces| pieces.white |= 1 << 60,
            "expected a role and a colour for every piece, found something else on e8",
        );
        says(|pieces| pieces.queens |= 1 << 8, "expected one piece a square, found two on a2");
        says(
            |pieces| {
                pieces.pawns |= 1 << 20;
                pieces.white |= 1 << 20;
            },
            "expected at most 32 pieces, found 33",
        );
        says(
            |pieces| {
                pieces.queens ^= 1 << 4;
                pieces.kings ^= 1 << 4;
            },
            "expected 1 king of white, found 0",
        );
        assert_eq!(
            write(format, &|batch| batch.result.extend([0, 2])),
            "expected a result of -1, 0 or 1, found 2"
        );
        assert_eq!(
            write(format, &|batch| batch.score.extend([0, 32768])),
            "expected a score that fits 16 bits, found 32768"
        );
        let (first_wrong, expected) = match format {
            Format::Bullet => (1 << 24, "expected spare bytes that fit 24 bits, found 16777216"),
            _ => (1 << 8, "expected a spare byte that fits 8 bits, found 256"),
        };
        let spare = |batch: &mut Records| {
            batch.format = Some(format);
            batch.extra.extend([first_wrong - 1, first_wrong]);
        };
        assert_eq!(write(format, &spare), expected, "{format}");
    }
    let marlin = |change: &dyn Fn(&mut Records)| write(Format::Marlin, change);
    assert_eq!(
        marlin(&|batch| batch.castling[1].white = 2),
        "expected a rook that may castle on b1, found none"
    );
    assert_eq!(
        marlin(&|batch| batch.halfmove_clock[1] = 256),
        "expected a halfmove clock that fits 8 bits, found 256"
    );
    assert_eq!(
        marlin(&|batch| batch.fullmove_number[1] = 65536),
        "expected a fullmove number that fits 16 bits, found 65536"
    );
    assert_eq!(
        marlin(&|batch| batch.en_passant[1] = Some(28)),
        "expected a square on rank 3 or 6, found e4 as the en passant square"
    );
    let sfen = |change: &dyn Fn(&mut Records)| write(Format::PackedSfen, change);
    assert_eq!(
        sfen(&|batch| batch.castling[1].white = 2),
        "expected castling with the rooks of the files a and h, found b"
    );
    let message = "expected a halfmove clock up to 127, found 128";
    assert_eq!(sfen(&|batch| batch.halfmove_clock[1] = 128), message);
    assert_eq!(
        sfen(&|batch| batch.ply.extend([0, 65536])),
        "expected a ply that fits 16 bits, found 65536"
    );
    let to_king = Move { from: 48, to: 56, kind: MoveKind::Promotion(setwise::Role::King) };
    assert_eq!(
        sfen(&|batch| batch.moves.extend([None, Some(to_king)])),
        "expected a promotion to knight, bishop, rook or queen, found another"
    );
}

#[test]
#[should_panic(expected = "the column `score` has 1 rows, the batch 2")]
fn columns_of_different_lengths_are_a_mistake_of_the_caller() {
    let mut batch = Records::new();
    batch.push_fen(&Fen::START);
    batch.push_fen(&Fen::START);
    batch.score.push(0);
    let _ = Writer::new(Format::Bullet, Vec::new()).expect("writes").write(&batch);
}
