//! Compares with cozy-chess on random games, written with the irregularities of real files.

use cozy_chess::{Board, GameStatus, Move as CozyMove, Piece, Rank, Square};
use proptest::prelude::*;
use setwise::Pieces;
use setwise_formats::MoveKind;
use setwise_formats::pgn::{Options, Score};

use crate::pgn::oracles;

/// A seeded random number generator.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        ((self.0 >> 33) as usize) % limit
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

fn legal(board: &Board) -> Vec<CozyMove> {
    let mut moves = Vec::new();
    board.generate_moves(|some| {
        moves.extend(some);
        false
    });
    moves
}

fn captures(board: &Board, played: CozyMove) -> bool {
    let pawn = board.piece_on(played.from) == Some(Piece::Pawn);
    board.colors(!board.side_to_move()).has(played.to)
        || pawn && played.from.file() != played.to.file()
}

fn castles(board: &Board, played: CozyMove) -> bool {
    board.colors(board.side_to_move()).has(played.to)
}

const LETTERS: [&str; 6] = ["", "N", "B", "R", "Q", "K"];
const FIGURINES: [&str; 6] = ["♙", "♘", "♗", "♖", "♕", "♔"];

/// Writes a move in one of its notations.
fn written(board: &Board, played: CozyMove, random: &mut Random) -> String {
    let piece = board.piece_on(played.from).expect("a piece");
    let (from, to) = (played.from.to_string(), played.to.to_string());
    let role = played.promotion.map(|piece| LETTERS[piece as usize]);
    let mut text = String::new();
    if castles(board, played) {
        let short = played.to > played.from;
        text += match random.below(8) {
            0 => return format!("{from}{to}"),
            1 if short => "0-0",
            1 => "0-0-0",
            _ if short => "O-O",
            _ => "O-O-O",
        };
    } else {
        if random.below(10) == 0 {
            return format!("{from}{to}{}", role.unwrap_or_default().to_lowercase());
        }
        // True if the origin's file and rank are needed.
        let same = |others: &dyn Fn(Square) -> bool| {
            legal(board).into_iter().any(|other| {
                board.piece_on(other.from) == Some(piece)
                    && other.to == played.to
                    && !castles(board, other)
                    && other.from != played.from
                    && others(other.from)
            })
        };
        let letters = if random.below(20) == 0 { FIGURINES } else { LETTERS };
        text += letters[piece as usize];
        let capture = captures(board, played);
        if piece == Piece::Pawn {
            match random.below(10) {
                0 => text += &from,
                _ if capture => text += &from[..1],
                _ => {}
            }
        } else {
            let file_is_enough = !same(&|from| from.file() == played.from.file());
            let rank_is_enough = !same(&|from| from.rank() == played.from.rank());
            match random.below(10) {
                0 => text += &from,
                1..=7 if !same(&|_| true) => {}
                _ if file_is_enough => text += &from[..1],
                _ if rank_is_enough => text += &from[1..],
                _ => text += &from,
            }
        }
        if capture {
            text += random.one(&["x", "x", "x", "x", "", ":"]);
        } else if text.len() == 2 + usize::from(piece != Piece::Pawn) && random.below(2) == 0 {
            text += "-";
        }
        text += &to;
        if let Some(role) = role {
            text += random.one(&["=", "=", "", "/"]);
            text += role;
        }
    }
    let mut after = board.clone();
    after.play(played);
    let mark = match (after.checkers().is_empty(), after.status()) {
        (false, GameStatus::Won) => "#",
        (false, _) => "+",
        _ => "",
    };
    text += if random.below(8) == 0 { random.one(&["", "+", "#", "++"]) } else { mark };
    text + random.one(&["", "", "", "", "!", "?!", "$6"])
}

/// Generates text between moves that must be ignored.
fn noise(random: &mut Random) -> String {
    match random.below(30) {
        0 => "{ a comment (with [signs] ; % }".into(),
        1 => "; a comment { to the end of the line (\n".into(),
        2 => "(1. e4 (1. d4 {)} Qxf9) e5)".into(),
        3 => "\n% 1. e4 } {\n".into(),
        4 => "$12 ".into(),
        5 => "\r\n".into(),
        6 => "{}".into(),
        7 => "{\n[Event \"no tag\"]\n1-0\n}".into(),
        _ => String::new(),
    }
}

struct Expected {
    pieces: Pieces,
    fen: String,
    played: Option<String>,
    clock: Option<u32>,
    eval: Option<Score>,
}

/// Adds a game to a file, and its positions to the expected positions.
fn add_game(file: &mut String, expected: &mut Vec<Expected>, random: &mut Random, plies: usize) {
    let chess960 = random.below(3) == 0;
    let mut board = Board::default();
    if chess960 {
        let (white, black) = (random.below(960) as u32, random.below(960) as u32);
        board = Board::double_chess960_startpos(white, black);
        *file += &format!(
            "[Variant \"{}\"]\n[FEN \"{board:#}\"]\n",
            random.one(&["Chess960", "fischerandom"])
        );
    } else if random.below(3) == 0 {
        *file += "[White \"a \\\" { ; b\"]\n";
    }
    *file += random.one(&["\n", "\n", "", "; tags\n"]);
    let mut notes = (None, None);
    for ply in 0..=plies {
        let moves = legal(&board);
        let mut row = Expected {
            pieces: Pieces::from_sets(
                Piece::ALL
                    .map(|piece| board.pieces(piece).0)
                    .into_iter()
                    .chain([
                        board.colors(cozy_chess::Color::White).0,
                        board.colors(cozy_chess::Color::Black).0,
                    ])
                    .collect::<Vec<_>>()
                    .try_into()
                    .expect("eight sets"),
            ),
            // cozy-chess omits the en passant square unless a pawn can capture there.
            fen: format!("{board:#}"),
            played: None,
            clock: notes.0,
            eval: notes.1,
        };
        if ply == plies || moves.is_empty() {
            expected.push(row);
            break;
        }
        let special: Vec<CozyMove> = moves
            .iter()
            .copied()
            .filter(|&m| {
                let pawn = board.piece_on(m.from) == Some(Piece::Pawn);
                castles(&board, m)
                    || m.promotion.is_some()
                    || pawn
                        && matches!(m.from.rank(), Rank::Fourth | Rank::Fifth)
                        && captures(&board, m)
            })
            .collect();
        let choices = if special.is_empty() || random.below(3) == 0 { &moves } else { &special };
        let played = choices[random.below(choices.len())];
        match random.below(4) {
            // `1.` after a blank line would begin a game.
            0 if ply != 1 => *file += &format!("{}.", ply / 2 + 1),
            1 => *file += &format!("{}... ", ply / 2 + 1),
            2 => *file += &format!("{} ", ply / 2 + 1),
            _ => {}
        }
        *file += &written(&board, played, random);
        row.played = Some(played.to_string());
        expected.push(row);
        *file += random.one(&[" ", " ", "\n", "  "]);
        *file += &noise(random);
        notes = (None, None);
        if random.below(3) == 0 {
            let (seconds, tenths) = (random.below(40_000) as u32, random.below(10) as u32);
            let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
            *file += &format!("{{[%clk {hours}:{minutes:02}:{:02}.{tenths}]", seconds % 60);
            let value = random.below(3000) as i32 - 1500;
            let sign = if value < 0 { "-" } else { "" };
            *file += &format!(" [%eval {sign}{}.{:02}]}}", value.abs() / 100, value.abs() % 100);
            notes = (Some(1000 * seconds + 100 * tenths), Some(Score::Centipawns(value)));
        }
        board.play(played);
    }
    *file += random.one(&["1-0\n", "1/2-1/2\n\n", "*\r\n\r\n", "0-1\n\n\n"]);
}

/// The fields before and after the en passant square.
fn without_en_passant(fen: &str) -> String {
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields.remove(3);
    fields.join(" ")
}

fn check(seed: u64, games: usize, plies: usize) {
    let mut random = Random(seed);
    let (mut file, mut expected) = (String::new(), Vec::new());
    for _ in 0..games {
        let plies = random.below(plies + 1);
        add_game(&mut file, &mut expected, &mut random, plies);
    }
    let rows = match oracles::read(file.as_bytes(), Options::default(), 1 << random.below(14)) {
        Ok(rows) => rows,
        Err(error) => panic!("{error}\n{file}"),
    };
    assert_eq!((rows.games.len(), rows.len()), (games, expected.len()));
    for (row, expected) in expected.iter().enumerate() {
        let mut fen = rows.records.fen(row);
        assert_eq!(fen.pieces, expected.pieces, "row {row} of game {}", rows.game[row]);
        // cozy-chess writes castling rights as file letters.
        let shown = setwise::Fen::parse(&expected.fen).expect("a position");
        assert_eq!(fen.castling, shown.castling, "row {row} of game {}", rows.game[row]);
        fen.castling = shown.castling;
        assert_eq!(without_en_passant(&fen.to_string()), without_en_passant(&shown.to_string()));
        if shown.en_passant.is_some() {
            assert_eq!(fen.en_passant, shown.en_passant);
        }
        let played = rows.records.moves[row];
        assert_eq!(
            played.map(|m| format!("{m:#}")),
            expected.played,
            "row {row} of game {}",
            rows.game[row]
        );
        let en_passant = played.is_some_and(|m| m.kind == MoveKind::EnPassant);
        assert!(!en_passant || played.map(|m| m.to) == fen.en_passant);
        assert_eq!((rows.clock[row], rows.eval[row]), (expected.clock, expected.eval));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn games_with_noise(seed: u64) {
        check(seed, 4, 120);
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        oracles::any_bytes(&bytes);
    }

    #[test]
    fn any_words(words in prop::collection::vec(0..WORDS.len(), 0..80)) {
        let text: String = words.iter().map(|&word| WORDS[word]).collect();
        oracles::any_bytes(text.as_bytes());
    }
}

/// The texts from which games are composed.
const WORDS: [&str; 64] = [
    "e4",
    "e5",
    "Nf3",
    "Nc6",
    "d4",
    "exd4",
    "O-O",
    "O-O-O",
    "0-0",
    "Bb5",
    "a8=Q",
    "e2e4",
    "e7e8q",
    "--",
    "1.",
    "1...",
    "2. ",
    "12",
    "$3",
    "!?",
    "+",
    "#",
    "e.p.",
    "N",
    "=",
    "±",
    "♘f3",
    "1-0",
    "0-1",
    "1/2-1/2",
    "*",
    "½-½",
    " ",
    " ",
    " ",
    " ",
    " ",
    "\n",
    "\n",
    "\n\n",
    "\r\n",
    "\t",
    "{",
    "}",
    "{",
    "}",
    "(",
    ")",
    ";",
    "%",
    "\n%",
    "[%clk 0:01:02]",
    "[%eval -1.25]",
    "[%eval #3]",
    "[%emt 0:00:01.5]",
    "[Event \"a\"]",
    "\n[Event \"b\"]\n",
    "[White \"c\\\"\"]",
    "[FEN \"4k3/P7/8/8/8/8/8/4K2R w K - 0 1\"]\n",
    "[Variant \"Chess960\"]\n",
    "[Variant \"Atomic\"]\n",
    "[FEN \"",
    "\"]\n",
    "\u{feff}",
];
