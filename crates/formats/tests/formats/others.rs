//! Compares every field with the formats' own tools: the crates `bulletformat` and `viriformat`, and files written and
//! read by `sfbinpack` (`tests/data/README.md`).

use std::io::{Read, Write};

use bulletformat::{BulletFormat, ChessBoard};
use setwise::{Colour, Fen, Role};
use setwise_formats::{Format, Move, MoveKind, Reader, Records, Writer};
use viriformat::chess::board::{Board, GameOutcome};
use viriformat::chess::piece::PieceType;
use viriformat::chess::types::Square;
use viriformat::dataformat::Game;

const SAMPLE: &str = include_str!("../../../../data/sample.epd");

/// The positions of the sample, and 20,000 more if SETWISE_DATA is set.
fn fens() -> Vec<Fen> {
    let mut text = SAMPLE.to_owned();
    match std::env::var("SETWISE_DATA") {
        Ok(folder) => {
            let file =
                std::fs::File::open(format!("{folder}/positions.epd.gz")).expect("the positions");
            let mut more = String::new();
            flate2::read::GzDecoder::new(file).read_to_string(&mut more).expect("gzip");
            more.lines().take(20_000).for_each(|line| text.extend([line, "\n"]));
        }
        Err(_) => {
            let _ = writeln!(
                std::io::stderr(),
                "skipped: 20,000 positions, for SETWISE_DATA is not set"
            );
        }
    }
    text.lines().map(|line| Fen::parse(line).expect("a position")).collect()
}

/// An arbitrary score and result for a position.
fn game_of(row: usize) -> (i16, i8) {
    ((row as i16).wrapping_mul(7919).max(-32767), (row % 3) as i8 - 1)
}

fn batch(fens: &[Fen]) -> Records {
    let mut batch = Records::new();
    for (row, fen) in fens.iter().enumerate() {
        batch.push_fen(fen);
        let (score, result) = game_of(row);
        batch.score.push(score.into());
        batch.result.push(result);
    }
    batch
}

fn written(format: Format, batch: &Records) -> Vec<u8> {
    let mut file = Vec::new();
    Writer::new(format, &mut file).expect("writes").write(batch).expect("fits");
    file
}

/// The score and result for white.
fn of_white(turn: Colour, score: i16, result: i8) -> (i16, i8) {
    if turn == Colour::White { (score, result) } else { (-score, -result) }
}

#[test]
fn bulletformat_writes_the_same_bytes() {
    let fens = fens();
    let theirs: Vec<ChessBoard> = fens
        .iter()
        .enumerate()
        .map(|(row, fen)| {
            let p = &fen.pieces;
            let sets =
                [p.white, p.black, p.pawns, p.knights, p.bishops, p.rooks, p.queens, p.kings];
            let (score, result) = game_of(row);
            let (score, result) = of_white(fen.turn, score, result);
            let result = f32::from(result + 1) / 2.0;
            ChessBoard::from_raw(sets, fen.turn as usize, score, result).expect("a position")
        })
        .collect();
    let file = ChessBoard::as_bytes_slice(&theirs);
    assert!(file == written(Format::Bullet, &batch(&fens)), "the files differ");

    let mut rows = Records::new();
    Reader::new(Format::Bullet, file).read(usize::MAX, &mut rows).expect("their file is right");
    assert_eq!(rows.len(), theirs.len());
    for (row, board) in theirs.iter().enumerate() {
        let mut own = 0;
        for (piece, square) in board.into_iter() {
            let colour = if piece < 8 { Colour::White } else { Colour::Black };
            let role = Role::ALL[usize::from(piece & 7)];
            assert_eq!(rows.pieces[row].at(square), Some((colour, role)));
            own |= u64::from(piece < 8) << square;
        }
        assert_eq!(rows.pieces[row].white, own);
        assert_eq!(rows.pieces[row].occupied(), board.occ());
        assert_eq!(rows.score[row], i32::from(board.score()));
        assert_eq!(f32::from(rows.result[row] + 1) / 2.0, board.result());
        assert_eq!(rows.extra[row], 0);
    }
}

/// The position in viriformat; `None` if the format cannot hold it.
fn board(fen: &Fen) -> Option<Board> {
    if fen.halfmove_clock > 100 {
        return None; // the crate asserts that a board has at most 32 pieces
    }
    // In its Chess960 mode, castling rights have the same file letters.
    let mut board = Board::new();
    board.set_from_fen(&fen.to_string(), true).ok()?;
    Some(board)
}

/// Returns whether two positions are equal.
#[track_caller]
fn same(fen: &Fen, board: &Board) {
    let of = |role| board.pieces.of_type(role).inner();
    assert_eq!(fen.pieces.pawns, of(PieceType::Pawn));
    assert_eq!(fen.pieces.knights, of(PieceType::Knight));
    assert_eq!(fen.pieces.bishops, of(PieceType::Bishop));
    assert_eq!(fen.pieces.rooks, of(PieceType::Rook));
    assert_eq!(fen.pieces.queens, of(PieceType::Queen));
    assert_eq!(fen.pieces.kings, of(PieceType::King));
    use viriformat::chess::piece::Colour as Theirs;
    assert_eq!(fen.pieces.white, board.pieces.occupied_co(Theirs::White).inner());
    assert_eq!(fen.pieces.black, board.pieces.occupied_co(Theirs::Black).inner());
    assert_eq!(fen.turn == Colour::White, board.turn() == Theirs::White);
    let rights = board.castling_rights();
    let files = |rooks: [Option<Square>; 2]| {
        rooks.into_iter().flatten().fold(0, |all, rook| all | 1 << (rook.inner() % 8))
    };
    assert_eq!(fen.castling.white, files([rights.wk, rights.wq]));
    assert_eq!(fen.castling.black, files([rights.bk, rights.bq]));
    assert_eq!(fen.en_passant, board.ep_sq().map(Square::inner), "{fen}");
    assert_eq!(fen.halfmove_clock, u32::from(board.fifty_move_counter()));
    assert_eq!(fen.fullmove_number as usize, board.full_move_number());
}

#[test]
fn viriformat_writes_the_same_marlinformat() {
    let mut fens = fens();
    fens.retain(|fen| board(fen).is_some());
    assert!(fens.len() >= 900, "{}", fens.len());
    let batch = batch(&fens);
    let ours = written(Format::Marlin, &batch);
    for (row, fen) in fens.iter().enumerate() {
        let (score, result) = game_of(row);
        let (score, result) = of_white(fen.turn, score, result);
        let theirs = board(fen).expect("a position").to_marlinformat(score, (result + 1) as u8, 0);
        assert_eq!(ours[32 * row..32 * row + 32], theirs.as_bytes(), "{fen}");
        same(fen, &theirs.unpack().0);
    }
}

/// Random games, replayed by `viriformat`.
#[test]
fn viriformat_games_are_read() {
    let mut state = 7u64;
    let mut next = |end: usize| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (state >> 33) as usize % end
    };
    let fens = fens();
    let mut file = Vec::new();
    let mut games = Vec::new();
    for _ in 0..300 {
        let fen = &fens[next(fens.len())];
        let Some(mut board) = board(fen) else { continue };
        let mut game = Game::new(&board);
        for _ in 0..next(80) {
            let moves = board.legal_moves();
            if moves.is_empty() || board.fifty_move_counter() >= 100 {
                break;
            }
            // Prefer castling, en passant and promotions, which are rare.
            let special: Vec<_> =
                moves.iter().filter(|m| m.is_castle() || m.is_ep() || m.is_promo()).collect();
            let played = match special.is_empty() || next(2) == 0 {
                true => moves[next(moves.len())],
                false => *special[next(special.len())],
            };
            let score = (next(1 << 16) as i32 - (1 << 15)) as i16;
            game.add_move(played, score);
            assert!(board.make_move_simple(played));
        }
        game.set_outcome(match next(3) {
            0 => GameOutcome::WhiteWin(viriformat::chess::board::WinType::Mate),
            1 => GameOutcome::BlackWin(viriformat::chess::board::WinType::Mate),
            _ => GameOutcome::Draw(viriformat::chess::board::DrawType::FiftyMoves),
        });
        game.serialise_into(&mut file).expect("a vector");
        games.push(game);
    }

    let mut rows = Records::new();
    Reader::new(Format::Viri, &file[..]).read(usize::MAX, &mut rows).expect("their file is right");
    let mut row = 0;
    let mut kinds = [0; 4];
    for game in &games {
        let mut moves = game.moves();
        let white = match game.outcome() {
            viriformat::dataformat::WDL::Win => 1,
            viriformat::dataformat::WDL::Draw => 0,
            viriformat::dataformat::WDL::Loss => -1,
        };
        game.visit_positions(|board, score| {
            same(&rows.fen(row), board);
            let sign = if rows.turn[row] == Colour::White { 1 } else { -1 };
            assert_eq!(rows.score[row], score * sign);
            assert_eq!(rows.result[row], white * sign as i8);
            let theirs = moves.next().expect("a move for each position");
            let kind = match (theirs.promotion_type(), theirs.is_ep(), theirs.is_castle()) {
                (Some(role), ..) => MoveKind::Promotion(Role::ALL[usize::from(role.inner())]),
                (None, true, _) => MoveKind::EnPassant,
                (None, false, true) => MoveKind::Castling,
                (None, false, false) => MoveKind::Normal,
            };
            let (from, to) = (theirs.from().inner(), theirs.to().inner());
            assert_eq!(rows.moves[row], Some(Move { from, to, kind }));
            kinds[match kind {
                MoveKind::Normal => 0,
                MoveKind::Promotion(_) => 1,
                MoveKind::EnPassant => 2,
                MoveKind::Castling => 3,
            }] += 1;
            row += 1;
        });
    }
    assert_eq!(row, rows.len());
    assert!(row > 6_000, "{row}");
    assert!(kinds.iter().all(|&count| count >= 2), "{kinds:?}");
}

#[test]
fn binpack_says_what_sfbinpack_says() {
    let mut listing = String::new();
    let file = &include_bytes!("../data/games.tsv.gz")[..];
    flate2::read::GzDecoder::new(file).read_to_string(&mut listing).expect("gzip");
    let mut rows = Records::new();
    let file = &include_bytes!("../data/games.binpack")[..];
    let mut reader = Reader::new(Format::Binpack, file);
    reader.read(usize::MAX, &mut rows).expect("the file is right");
    assert_eq!(reader.offset(), file.len() as u64);
    assert!(rows.len() > 28_000);
    let lines: Vec<&str> = listing.lines().skip(1).collect();
    assert_eq!(lines.len(), 4000);
    for (row, line) in lines.into_iter().enumerate() {
        let played = rows.moves[row].expect("a move");
        let (score, ply, result) = (rows.score[row], rows.ply[row], rows.result[row]);
        let mut fen = rows.fen(row);
        if ply % 2 != fen.turn as u32 {
            // Stockfish expects even plies when white is to move. This ply differs, so no move number is correct.
            let (theirs, _) = line.split_once('\t').expect("a FEN");
            fen.fullmove_number = Fen::parse(theirs).expect("a FEN").fullmove_number;
        }
        assert_eq!(format!("{fen}\t{played}\t{score}\t{ply}\t{result}"), line, "row {row}");
    }
}

/// The games of the file are written as the bytes that Stockfish wrote, also where the ply is that of the other side.
#[test]
fn games_of_stockfish_are_written_as_the_same_bytes() {
    let file = &include_bytes!("../data/games.binpack")[..];
    let mut rows = Records::new();
    let mut reader = Reader::new(Format::Binpack, file);
    reader.read(usize::MAX, &mut rows).expect("the file is right");
    let mut starts: Vec<usize> = reader.game_starts().iter().map(|&row| row as usize - 1).collect();
    starts.push(rows.len());
    let odd = |&start: &usize| start < rows.len() && rows.ply[start] % 2 != rows.turn[start] as u32;
    assert!(starts.iter().any(odd));
    let mut writer = Writer::new(Format::Binpack, Vec::new()).expect("a format to be written");
    for game in starts.windows(2) {
        let mut is_of_game = vec![false; rows.len()];
        is_of_game[game[0]..game[1]].fill(true);
        let mut batch = rows.clone();
        batch.retain(&is_of_game);
        writer.write(&batch).expect("a game");
    }
    assert!(writer.finish().expect("written to memory") == file);
}

/// Decodes a record bit by bit and square by square.
fn read_sfen(record: &[u8]) -> (Fen, [i32; 5]) {
    let mut cursor = 0;
    let mut bits = |count: usize| {
        let value = (0..count).fold(0, |value, i| {
            let at = cursor + i;
            value | u32::from(record[at / 8] >> (at % 8) & 1) << i
        });
        cursor += count;
        value
    };
    let turn = if bits(1) == 0 { Colour::White } else { Colour::Black };
    let kings = [bits(6), bits(6)];
    let mut list = vec![
        (Colour::White, Role::King, kings[0] as u8),
        (Colour::Black, Role::King, kings[1] as u8),
    ];
    for rank in (0..8).rev() {
        for file in 0..8 {
            let square = 8 * rank + file;
            if kings.contains(&square) || bits(1) == 0 {
                continue;
            }
            let role = match bits(3) {
                0 => Role::Pawn,
                1 => Role::Knight,
                2 => Role::Bishop,
                3 => Role::Rook,
                4 => Role::Queen,
                other => panic!("no role {other}"),
            };
            let colour = if bits(1) == 0 { Colour::White } else { Colour::Black };
            list.push((colour, role, square as u8));
        }
    }
    let mut rights = [0; 2];
    for side in &mut rights {
        *side = (bits(1) << 7 | bits(1)) as u8;
    }
    let en_passant = if bits(1) == 1 { Some(bits(6) as u8) } else { None };
    let clock = bits(6);
    let number = bits(8);
    let number = number | bits(8) << 8;
    let halfmove_clock = clock | bits(1) << 6;
    let pair = |at: usize| u16::from_le_bytes([record[at], record[at + 1]]);
    let fen = Fen {
        pieces: list.into_iter().collect(),
        turn,
        castling: setwise::fen::Castling { white: rights[0], black: rights[1] },
        en_passant,
        halfmove_clock,
        fullmove_number: number,
    };
    let rest = [
        pair(32) as i16 as i32,
        pair(34).into(),
        pair(36).into(),
        record[38] as i8 as i32,
        record[39].into(),
    ];
    (fen, rest)
}

#[test]
fn packed_sfen_is_what_its_layout_says() {
    let mut fens = fens();
    fens.retain(|fen| (fen.castling.white | fen.castling.black) & 0x7e == 0);
    let mut batch = batch(&fens);
    for row in 0..batch.len() {
        let (from, to) = ((row % 64) as u8, (row / 64 % 64) as u8);
        let kind = match row % 6 {
            0 => MoveKind::Normal,
            1 => MoveKind::EnPassant,
            2 => MoveKind::Castling,
            _ => MoveKind::Promotion(Role::ALL[1 + row % 4]),
        };
        batch.moves.push((row % 7 != 0 && from != to).then_some(Move { from, to, kind }));
        batch.halfmove_clock[row] = row as u32 % 128;
        batch.fullmove_number[row] = row as u32 * 31 % 65536;
        batch.ply.push(row as u32 * 17 % 65536);
    }
    let file = written(Format::PackedSfen, &batch);
    let mut rows = Records::new();
    Reader::new(Format::PackedSfen, &file[..]).read(usize::MAX, &mut rows).expect("right");
    for (row, record) in file.chunks(40).enumerate() {
        let (fen, [score, packed, ply, result, spare]) = read_sfen(record);
        assert_eq!(rows.fen(row), fen);
        assert_eq!(rows.fen(row), batch.fen(row));
        assert_eq!((rows.score[row], batch.score[row]), (score, score));
        assert_eq!((rows.ply[row], batch.ply[row]), (ply as u32, ply as u32));
        assert_eq!((i32::from(rows.result[row]), spare), (result, 0));
        assert_eq!(rows.result[row], batch.result[row]);
        let played = batch.moves[row].map_or(0, |Move { from, to, kind }| {
            let kind = match kind {
                MoveKind::Normal => 0,
                MoveKind::Promotion(role) => 1 << 14 | (role as i32 - 1) << 12,
                MoveKind::EnPassant => 2 << 14,
                MoveKind::Castling => 3 << 14,
            };
            i32::from(to) | i32::from(from) << 6 | kind
        });
        assert_eq!((rows.moves[row], packed), (batch.moves[row], played));
    }
}
