//! Compares legal moves, in bulk on every backend and of one position, with python-chess's answers and cozy-chess.

use std::io::Read;

use cozy_chess::{Board, BoardBuilder, Color, File, Piece, Square};
use proptest::prelude::*;
use setwise::legal::{DIRECTIONS, LEAPS, Move, MoveKind, PLANES, State, Status};
use setwise::{Backend, Colour, Column, Fen, Kernel, Lists, Pieces, Positions, Role, position};

use crate::common::{Random, on_every_backend};
use crate::perft_example as perft;

on_every_backend! {
    the_shared_positions
    named_positions
    en_passant_as_the_only_move
    games_of_random_moves
    scattered_pieces
    invalid_positions
    every_length
    the_last_ply_in_bulk
    the_suite_in_bulk
}

/// A position and its known properties.
struct Known {
    fen: Fen,
    /// The moves in UCI, sorted; castling as defined by [`MoveKind::Castling`].
    moves: Vec<String>,
    status: Status,
}

/// A kernel's results for positions.
struct Answers {
    planes: Vec<[u64; PLANES]>,
    targets: Vec<[u64; 64]>,
    moves: Lists<u16>,
    counts: Vec<u16>,
    status: Vec<u8>,
    valid: Vec<bool>,
}

fn answers(kernel: Kernel, fens: &[Fen]) -> Answers {
    let rows = fens.len();
    let pieces: Vec<Pieces> = fens.iter().map(|fen| fen.pieces).collect();
    let states: Vec<State> = fens.iter().map(State::from).collect();
    let mut planes = vec![[!0; PLANES]; rows];
    let mut targets = vec![[!0; 64]; rows];
    let mut moves = Lists::new();
    let (mut counts, mut status) = (vec![999; rows], vec![99; rows]);
    let mut valid: [Vec<bool>; 5] =
        std::array::from_fn(|_| (0..rows).map(|row| row % 2 == 0).collect());
    let [a, b, c, d, e] = &mut valid;
    kernel.fill(
        Positions::from(&pieces).with_states(&states),
        &mut [
            Column::LEGAL_PLANES.to(planes.as_flattened_mut()).validity(a),
            Column::LEGAL_TARGETS.to(targets.as_flattened_mut()).validity(b),
            Column::LEGAL_MOVES.to(&mut moves).validity(c),
            Column::LEGAL_COUNT.to(&mut counts).validity(d),
            Column::STATUS.to(&mut status).validity(e),
        ],
    );
    let [valid, others @ ..] = valid;
    assert!(others.iter().all(|other| *other == valid), "{}", kernel.backend());
    Answers { planes, targets, moves, counts, status, valid }
}

/// Compares all of a kernel's results for positions with the known ones.
fn check(kernel: Kernel, known: &[Known]) {
    let fens: Vec<Fen> = known.iter().map(|known| known.fen).collect();
    let answers = answers(kernel, &fens);
    assert_eq!(answers.moves.len(), known.len());
    for (row, known) in known.iter().enumerate() {
        let Known { fen, moves, status } = known;
        assert!(answers.valid[row], "{fen} is valid");
        assert_eq!(&moves_of_planes(&answers.planes[row], fen), moves, "planes of {fen}");
        assert_eq!(answers.targets[row], targets_of_moves(moves), "targets of {fen}");
        assert_eq!(usize::from(answers.counts[row]), moves.len(), "count of {fen}");
        assert_eq!(answers.status[row], *status as u8, "status of {fen}");
        let listed = answers.moves.get(row).expect("a list for each position");
        check_list(listed, moves, fen);
    }
}

/// Checks that a list of moves has the known moves, in order and with the right kinds.
fn check_list(listed: &[u16], moves: &[String], fen: &Fen) {
    let listed: Vec<Move> =
        listed.iter().map(|&bits| Move::from_bits(bits).expect("a move")).collect();
    let mut named: Vec<String> = listed.iter().map(Move::to_string).collect();
    named.sort();
    assert_eq!(named, moves, "moves of {fen}");
    let key = |played: &Move| (played.from(), played.to(), played.bits() >> 12 & 3);
    assert!(listed.is_sorted_by_key(key), "order of {listed:?} in {fen}");
    for played in listed {
        let role = fen.pieces.at(played.from()).expect("a piece").1;
        let castles = role == Role::King && (played.from() % 8).abs_diff(played.to() % 8) > 1
            || fen.pieces.colour(fen.turn) >> played.to() & 1 == 1;
        let en_passant = role == Role::Pawn
            && played.from() % 8 != played.to() % 8
            && fen.pieces.at(played.to()).is_none();
        assert_eq!(played.kind() == MoveKind::Castling, castles, "{played} in {fen}");
        assert_eq!(played.kind() == MoveKind::EnPassant, en_passant, "{played} in {fen}");
        assert_eq!(Move::new(played.from(), played.to(), played.kind()), played);
    }
}

/// Compares all functions for one position with the known results.
fn check_single(known: &Known) {
    let Known { fen, moves, status } = known;
    let legal = position::legal(&fen.pieces, State::from(fen)).expect("a valid position");
    for kernel in Backend::available().flat_map(Kernel::new) {
        let same = kernel.position().legal(&fen.pieces, State::from(fen)).expect("the same");
        assert_eq!(same.targets(), legal.targets(), "{fen}, {}", kernel.backend());
        let count = kernel.position().count_moves(&fen.pieces, State::from(fen));
        assert_eq!(count as usize, moves.len(), "{fen}, {}", kernel.backend());
        let mut by_kernel = vec![0; moves.len()];
        let count = kernel.position().write_moves(&fen.pieces, State::from(fen), &mut by_kernel);
        assert_eq!(count, moves.len(), "{fen}, {}", kernel.backend());
        check_list(&by_kernel, moves, fen);
    }
    let mut listed = vec![0; moves.len()];
    assert_eq!(legal.write_moves(&mut listed), moves.len(), "count of {fen}");
    check_list(&listed, moves, fen);
    assert_eq!(legal.targets(), targets_of_moves(moves), "targets of {fen}");
    assert_eq!(legal.count() as usize, moves.len(), "count of {fen}");
    assert_eq!(legal.status(), *status, "status of {fen}");
}

/// Compares masks, lists and checks with the known legal moves.
fn check_node(known: &Known, board: &Board, random: &mut Random) {
    let Known { fen, .. } = known;
    let (pieces, state) = (&fen.pieces, State::from(fen));
    let legal = position::legal_unchecked(pieces, state);
    let mut all = vec![0; known.moves.len()];
    position::legal(pieces, state).expect("valid").write_moves(&mut all);
    let enemies = pieces.colour(fen.turn.opponent());
    let captures =
        |played: &Move| played.kind() == MoveKind::EnPassant || enemies >> played.to() & 1 == 1;
    let (from, to) = (random.next() | random.next(), random.next() | random.next());
    let inside = |set: u64, square: u8| set >> square & 1 == 1;
    let check = |about, masked: position::Legal, wanted: &dyn Fn(&Move) -> bool| {
        let expected: Vec<u16> = all
            .iter()
            .copied()
            .filter(|bits| wanted(&Move::from_bits(*bits).expect("a move")))
            .collect();
        let mut listed: Vec<u16> = masked.moves().map(Move::bits).collect();
        listed.sort_unstable_by_key(|bits| (bits >> 6 & 63, bits & 63, bits >> 12));
        assert_eq!(listed, expected, "{about} of {fen}");
        assert_eq!(masked.count() as usize, expected.len(), "{about} of {fen}");
        for capacity in [0, 1, 2, 3, 5, expected.len().saturating_sub(1), expected.len(), 300] {
            let mut buffer = vec![0; capacity];
            assert_eq!(masked.write_moves(&mut buffer), expected.len(), "{about} of {fen}");
            let fit = capacity.min(expected.len());
            assert_eq!(buffer[..fit], expected[..fit], "{about} of {fen}");
        }
        for kernel in Backend::available().flat_map(Kernel::new).map(Kernel::position) {
            let mut buffer = vec![0; expected.len()];
            assert_eq!(kernel.write_moves_of(&masked, &mut buffer), expected.len(), "{kernel:?}");
            assert_eq!(buffer, expected, "{about} of {fen}, {kernel:?}");
            assert_eq!(kernel.count_moves_of(&masked) as usize, expected.len(), "{kernel:?}");
        }
        let mut targets = [0; 64];
        masked.visit(|role, from, to| {
            assert_eq!(pieces.at(from), Some((fen.turn, role)), "{about} of {fen}");
            assert!(to != 0 && targets[usize::from(from)] & to == 0, "{about} of {fen}");
            targets[usize::from(from)] |= to;
        });
        assert_eq!(targets, masked.targets(), "{about} of {fen}");
        assert_eq!(masked.status(), known.status, "{about} of {fen}");
    };
    check("all moves", legal, &|_| true);
    check("captures", legal.captures(), &captures);
    check("quiets", legal.quiets(), &|played| !captures(played));
    check("origins", legal.from_squares(from), &|played| inside(from, played.from()));
    check("destinations", legal.to_squares(to), &|played| inside(to, played.to()));
    check("captures between", legal.from_squares(from).to_squares(to).captures(), &|played| {
        captures(played) && inside(from, played.from()) && inside(to, played.to())
    });
    check("no moves", legal.captures().quiets(), &|_| false);

    assert_eq!(legal.checkers(), board.checkers().0, "{fen}");
    assert_eq!(legal.pinned(), (board.pinned() & board.colors(board.side_to_move())).0, "{fen}");
    let facts = position::king_facts(pieces, fen.turn);
    assert_eq!(legal.king_danger(), facts.danger, "{fen}");
    let built = position::Legal::new(pieces, state, &facts);
    assert_eq!(built.targets(), legal.targets(), "{fen}");

    // A move gives check if the piece attacks the king from its destination, or discovers an attack.
    let enemy = position::king_facts(pieces, fen.turn.opponent());
    let (squares, discoverers) = (legal.checking_squares(), enemy.discoverers);
    assert_eq!(enemy.checking_squares, squares, "{fen}");
    let king = pieces.of(fen.turn.opponent(), Role::King).trailing_zeros() as u8;
    board.generate_moves(|of_piece| {
        for played in of_piece {
            let own = board.colors(board.side_to_move()).has(played.to);
            let (from, to) = (played.from as u8, played.to as u8);
            let pawn = of_piece.piece == Piece::Pawn;
            if own
                || played.promotion.is_some()
                || pawn && !inside(enemies, to) && from % 8 != to % 8
            {
                continue;
            }
            let mut after = board.clone();
            after.play(played);
            let leaves =
                inside(discoverers, from) && !inside(setwise::line::line_through(king, from), to);
            let gives_check = inside(squares[of_piece.piece as usize], to) || leaves;
            assert_eq!(gives_check, !after.checkers().is_empty(), "{played} in {fen}");
        }
        false
    });
}

#[test]
fn what_a_node_asks() {
    let mut random = Random::new(27);
    for board in random_boards(&mut Random::new(26), 2000) {
        check_node(&by_cozy(&board), &board, &mut random);
    }
    for (_, fen, _) in NAMED {
        if let Some(board) = cozy(fen) {
            check_node(&by_cozy(&board), &board, &mut random);
        }
    }
}

#[test]
#[ignore = "needs SETWISE_DATA"]
fn what_a_node_asks_of_the_shared_positions() {
    let mut random = Random::new(28);
    for known in shared() {
        if let Some(board) = cozy(&known.fen.to_string()) {
            check_node(&known, &board, &mut random);
        }
    }
}

/// No board and no state causes a panic.
#[test]
fn nonsense_has_some_moves() {
    let mut random = Random::new(29);
    for _ in 0..20_000 {
        let pieces = Pieces::from_sets([(); 8].map(|()| random.board()));
        let state = State::from_board(random.board());
        let legal = position::legal_unchecked(&pieces, state);
        let moves = legal.write_moves(&mut [0; position::MAX_MOVES]);
        assert!(moves >= legal.moves().count().min(1));
        _ = (legal.count(), legal.status(), legal.checking_squares(), legal.evasions());
    }
}

/// Checks that the simplest code, which serves as the oracle for columns elsewhere, finds the same moves.
fn check_plain(known: &Known) {
    let Known { fen, moves, .. } = known;
    let state = crate::common::oracles::State {
        turn: fen.turn,
        castling: fen.castling,
        en_passant: fen.en_passant,
    };
    let listed = crate::common::legal::moves(&fen.pieces, state).expect("a valid position");
    check_list(&listed, moves, fen);
}

/// The moves of planes in UCI, sorted.
fn moves_of_planes(planes: &[u64; PLANES], fen: &Fen) -> Vec<String> {
    let mut moves = Vec::new();
    let turned = if fen.turn == Colour::Black { 56 } else { 0 };
    for (index, &plane) in planes.iter().enumerate() {
        for square in (0..64_i32).filter(|square| plane >> square & 1 == 1) {
            let (files, ranks, becomes) = match index {
                0..56 => {
                    let (files, ranks) = DIRECTIONS[index / 7].offset();
                    let distance = (index % 7 + 1) as i32;
                    (i32::from(files) * distance, i32::from(ranks) * distance, "")
                }
                56..64 => (i32::from(LEAPS[index - 56].0), i32::from(LEAPS[index - 56].1), ""),
                _ => ((index as i32 - 64) % 3 - 1, 1, ["n", "b", "r"][(index - 64) / 3]),
            };
            let (file, rank) = (square % 8 + files, square / 8 + ranks);
            assert!((0..8).contains(&file) && (0..8).contains(&rank), "plane {index} of {fen}");
            let (from, to) = ((square ^ turned) as u8, ((file + 8 * rank) ^ turned) as u8);
            let pawn = fen.pieces.at(from).is_some_and(|(_, role)| role == Role::Pawn);
            let becomes = if pawn && rank == 7 && becomes.is_empty() { "q" } else { becomes };
            moves.push(format!("{}{becomes}", Move::new(from, to, MoveKind::Normal)));
        }
    }
    moves.sort();
    moves
}

/// Destinations by origin.
fn targets_of_moves(moves: &[String]) -> [u64; 64] {
    let square = |name: &[u8]| usize::from(name[0] - b'a') + 8 * usize::from(name[1] - b'1');
    let mut targets = [0; 64];
    for name in moves {
        targets[square(name.as_bytes())] |= 1 << square(&name.as_bytes()[2..]);
    }
    targets
}

/// Converts castling from a king's move onto its own rook to the library's form.
fn castling_of(king: u8, rook: u8) -> u8 {
    match (king % 8, rook % 8) {
        (4, 7) => king + 2,
        (4, 0) => king - 2,
        _ => rook,
    }
}

/// The results of cozy-chess for a position.
fn by_cozy(board: &Board) -> Known {
    let mut moves = Vec::new();
    board.generate_moves(|of_piece| {
        for played in of_piece {
            let (from, mut to) = (played.from as u8, played.to as u8);
            if board.colors(board.side_to_move()).has(played.to) {
                to = castling_of(from, to);
            }
            let kind = match played.promotion {
                None => MoveKind::Normal,
                Some(piece) => MoveKind::Promotion(match piece {
                    Piece::Knight => Role::Knight,
                    Piece::Bishop => Role::Bishop,
                    Piece::Rook => Role::Rook,
                    _ => Role::Queen,
                }),
            };
            moves.push(Move::new(from, to, kind).to_string());
        }
        false
    });
    moves.sort();
    let fen: Fen = format!("{board:#}").parse().expect("FEN");
    let status = status_of(!board.checkers().is_empty(), !moves.is_empty());
    Known { fen, moves, status }
}

fn status_of(check: bool, moves: bool) -> Status {
    match (check, moves) {
        (false, true) => Status::Normal,
        (true, true) => Status::Check,
        (true, false) => Status::Checkmate,
        (false, false) => Status::Stalemate,
    }
}

/// A line of FEN as cozy-chess reads it, which accepts an en passant square only after a possible double step.
fn cozy(fen: &str) -> Option<Board> {
    Board::from_fen(fen, false).or_else(|_| Board::from_fen(fen, true)).ok()
}

/// The answers of python-chess.
fn shared() -> Vec<Known> {
    let path = crate::common::data().join("legal-moves.tsv.gz");
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).expect("a file"))
        .read_to_string(&mut text)
        .expect("text");
    let known = text.lines().map(|line| {
        let mut parts = line.split('\t');
        let mut next = || parts.next().expect("four columns");
        let (fen, _, state, moves) = (next(), next(), next(), next());
        let fen: Fen = fen.parse().expect("FEN");
        let mut moves: Vec<String> = moves
            .split_whitespace()
            .map(|name| {
                let square =
                    |at: usize| name.as_bytes()[at] - b'a' + 8 * (name.as_bytes()[at + 1] - b'1');
                let (from, to) = (square(0), square(2));
                if fen.pieces.colour(fen.turn) >> to & 1 == 0 {
                    return name.to_string();
                }
                Move::new(from, castling_of(from, to), MoveKind::Normal).to_string()
            })
            .collect();
        moves.sort();
        let status = match state {
            "-" => Status::Normal,
            "check" => Status::Check,
            "checkmate" => Status::Checkmate,
            _ => Status::Stalemate,
        };
        Known { fen, moves, status }
    });
    known.collect()
}

fn the_shared_positions(kernel: Kernel) {
    let known = shared();
    assert!(known.len() >= crate::common::least(4005), "only {} positions", known.len());
    check(kernel, &known);
}

#[test]
fn the_shared_positions_one_by_one() {
    for known in shared() {
        check_single(&known);
    }
}

/// The subject of a test, the position, and moves that are legal (`+`) or not (`-`).
const NAMED: &[(&str, &str, &str)] = &[
    ("a rook pinned along a file", "4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1", "+e2e8 +e2e5 -e2d2 -e2h2"),
    ("a rook pinned along a rank", "6k1/8/8/8/8/8/8/r2RK3 w - - 0 1", "+d1a1 +d1c1 -d1d2 -d1d8"),
    ("a bishop pinned on a file", "4r1k1/8/8/8/8/8/4B3/4K3 w - - 0 1", "-e2d3 -e2f1 +e1f2"),
    ("a bishop pinned along a diagonal", "6k1/8/8/8/7b/8/5B2/4K3 w - - 0 1", "+f2g3 +f2h4 -f2e3"),
    (
        "a queen pinned along an antidiagonal",
        "6k1/8/8/b7/8/8/3Q4/4K3 w - - 0 1",
        "+d2a5 +d2c3 -d2d3",
    ),
    ("a knight pinned", "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "-e2c3 -e2g3 +e1d1"),
    ("a pawn pinned on a file", "4r1k1/8/8/8/8/3p4/4P3/4K3 w - - 0 1", "+e2e3 +e2e4 -e2d3"),
    ("a pawn pinned along a diagonal", "6k1/8/8/8/8/6b1/5P2/4K3 w - - 0 1", "+f2g3 -f2f3 -f2f4"),
    ("a pawn pinned along a rank", "6k1/8/8/K2P3r/8/8/8/8 w - - 0 1", "-d5d6 +a5a6"),
    ("two pieces between are no pin", "4r1k1/4p3/8/8/8/8/4N3/4K3 w - - 0 1", "+e2c3"),
    ("double check", "4r1k1/8/8/8/1b6/8/3N4/Q3K2B w - - 0 1", "-d2b3 +e1d1 +e1f2"),
    ("double check by a knight", "4r1k1/8/8/8/8/3n4/8/2B1K2R w K - 0 1", "-c1e3 +e1d2 +e1d1 -e1g1"),
    (
        "a check is stopped or its giver taken",
        "4k3/8/8/8/7b/8/8/R3K2R w KQ - 0 1",
        "+h1h4 +e1d1 -e1c1 -a1a4",
    ),
    (
        "the king does not step back along a check",
        "4k3/8/8/8/8/8/8/r3K3 w - - 0 1",
        "-e1f1 +e1e2 -e1d1",
    ),
    ("en passant", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "+e5d6 +e5e6"),
    ("en passant for black", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "+d4e3 +d4d3"),
    ("en passant by either pawn", "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", "+e5d6 +c5d6"),
    ("en passant uncovers a rank", "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", "-e5d6 +e5e6"),
    ("en passant uncovers a rank to the west", "8/8/8/r2PpK2/8/8/8/7k w - e6 0 1", "-d5e6 +d5d6"),
    ("en passant uncovers a rank, pawns swapped", "8/8/8/K2Pp2r/8/8/8/7k w - e6 0 1", "-d5e6"),
    ("en passant uncovers a rank, all swapped", "8/8/8/r2pPK2/8/8/8/7k w - d6 0 1", "-e5d6"),
    ("en passant with a third piece on the rank", "8/8/8/K1NpP2r/8/8/8/7k w - d6 0 1", "+e5d6"),
    (
        "en passant uncovers the diagonal of the captured pawn",
        "6bk/8/8/3pP3/8/1K6/8/8 w - d6 0 1",
        "-e5d6 +e5e6",
    ),
    ("en passant uncovers an antidiagonal", "b6k/8/8/3pP3/8/5K2/8/8 w - d6 0 1", "-e5d6"),
    (
        "en passant along the capturing pawn's pin",
        "7k/2b5/8/3pP3/5K2/8/8/8 w - d6 0 1",
        "+e5d6 -e5e6",
    ),
    (
        "en passant off the capturing pawn's pin",
        "7k/6b1/8/3pP3/3K4/8/8/8 w - d6 0 1",
        "-e5d6 -e5e6",
    ),
    ("en passant takes the checker", "8/8/8/3pP3/2K5/8/8/7k w - d6 0 1", "+e5d6 -e5e6"),
    ("en passant keeps a file closed", "3r3k/8/8/3pP3/8/8/8/3K4 w - d6 0 1", "+e5d6 +e5e6"),
    ("en passant does not stop another's check", "7k/8/8/3pP2r/8/8/8/K6r w - d6 0 1", "-e5d6"),
    ("en passant stops a check", "1b5k/8/8/2Pp4/8/6K1/8/8 w - d6 0 1", "+c5d6 -c5c6 +g3f3"),
    ("castling both ways", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "+e1g1 +e1c1"),
    ("castling both ways, black", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "+e8g8 +e8c8"),
    ("castling through an attacked square", "4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", "-e1g1 +e1c1"),
    ("castling onto an attacked square", "4k3/8/8/8/8/2r5/8/R3K2R w KQ - 0 1", "+e1g1 -e1c1"),
    (
        "castling while the rook passes an attacked square",
        "4k3/8/8/8/8/1r6/8/R3K2R w KQ - 0 1",
        "+e1c1",
    ),
    ("castling past a piece beside the rook", "4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "-e1c1 +e1g1"),
    ("castling out of check", "4r1k1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "-e1g1 -e1c1"),
    ("castling without the right", "4k3/8/8/8/8/8/8/R3K2R w K - 0 1", "+e1g1 -e1c1"),
    (
        "Chess960: the rook is pinned to the king's new square",
        "7k/8/8/8/8/8/8/qR2K3 w B - 0 1",
        "-e1b1 +b1a1",
    ),
    (
        "Chess960: the rook on the new square is shielded",
        "7k/8/8/8/8/8/8/r1R1K3 w C - 0 1",
        "-e1c1",
    ),
    ("Chess960: the rook to the east shields", "7k/8/8/8/8/8/8/3K2Rr w G - 0 1", "-d1g1"),
    ("Chess960: the rook in the corner shields nothing", "k7/8/8/8/8/8/8/1K5R w H - 0 1", "+b1h1"),
    ("Chess960: king and rook cross", "7k/8/8/8/8/8/8/5KR1 w G - 0 1", "+f1g1"),
    ("Chess960: the king stays", "k7/8/8/8/8/8/8/6KR w H - 0 1", "+g1h1"),
    ("Chess960: the king goes east to castle west", "7k/8/8/8/8/8/8/RK6 w A - 0 1", "+b1a1"),
    ("Chess960: the rook's new square is taken", "7k/8/8/8/8/8/8/RK1N4 w A - 0 1", "-b1a1"),
    ("Chess960: the king's new square is attacked", "2r4k/8/8/8/8/8/8/RK6 w A - 0 1", "-b1a1"),
    ("Chess960: a rook beside the e-file", "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1", "+e1g1 +e1b1"),
    ("Chess960: the outer of two rooks", "4k3/8/8/8/8/8/8/RR2K3 w A - 0 1", "-e1a1 -e1c1"),
    ("Chess960: the inner of two rooks, black", "rr2k3/8/8/8/8/8/8/4K3 b b - 0 1", "+e8b8"),
    (
        "promotion with capture",
        "n1n1k3/1P6/8/8/8/8/8/4K3 w - - 0 1",
        "+b7b8q +b7b8r +b7a8n +b7c8b -b7b6",
    ),
    ("promotion with capture, black", "4k3/8/8/8/8/8/1p6/N1N1K3 b - - 0 1", "+b2b1q +b2a1r +b2c1n"),
    ("promotion stops a check", "r6K/1P6/8/8/8/8/8/7k w - - 0 1", "+b7b8n +b7a8q -h8g8"),
    ("a double step past a piece", "4k3/8/8/8/8/4n3/4P3/7K w - - 0 1", "-e2e3 -e2e4"),
    ("a double step stops a check", "4k3/8/8/8/r6K/8/5P2/8 w - - 0 1", "+f2f4 -f2f3"),
    ("218 moves", "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", "+d2b2 +h8h7"),
    ("checkmate", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "-h8g7 -h8h7"),
    ("stalemate", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "-h8g8 -h8h7"),
    ("smothered mate", "6rk/5Npp/8/8/8/8/8/6K1 b - - 0 1", "-h8g8"),
];

/// The positions that cozy-chess accepts.
fn named() -> Vec<Known> {
    let known: Vec<Known> =
        NAMED.iter().filter_map(|(_, fen, _)| Some(by_cozy(&cozy(fen)?))).collect();
    assert!(known.len() + 2 >= NAMED.len(), "{} of {}", known.len(), NAMED.len());
    known
}

/// Returns whether a move is in sets of destinations, with any promotion.
fn has(targets: &[u64; 64], name: &str) -> bool {
    let played = targets_of_moves(&[name.to_owned()]);
    targets.iter().zip(played).any(|(targets, played)| targets & played != 0)
}

fn named_positions(kernel: Kernel) {
    check(kernel, &named());
    for (about, fen, expected) in NAMED {
        let fen: Fen = fen.parse().expect("FEN");
        let targets = answers(kernel, &[fen]).targets;
        for word in expected.split(' ') {
            let (sign, name) = word.split_at(1);
            assert_eq!(has(&targets[0], name), sign == "+", "{about}: {name} in {fen}");
        }
    }
}

#[test]
fn named_positions_one_by_one() {
    for (about, fen, expected) in NAMED {
        let fen: Fen = fen.parse().expect("FEN");
        let legal = position::legal(&fen.pieces, State::from(&fen)).expect("a valid position");
        let moves: Vec<String> = legal.moves().map(|played| played.to_string()).collect();
        for word in expected.split(' ') {
            let (sign, name) = word.split_at(1);
            let legal = moves.iter().any(|played| played == name);
            assert_eq!(legal, sign == "+", "{about}: {name} in {fen}");
        }
        if *about == "218 moves" {
            assert_eq!(moves.len(), 218);
        }
    }
    for known in named() {
        check_single(&known);
    }
}

/// Positions with a single legal move, without check and in check, according to python-chess.
const EN_PASSANT_ALONE: &[(&str, &str, Status)] = &[
    ("1b6/8/4n3/1q2Pp2/8/K7/1r2k3/8 w - f6 0 1", "e5f6", Status::Normal),
    ("8/2k3r1/1n6/pP6/8/2q5/K7/4r3 w - a6 0 1", "b5a6", Status::Normal),
    ("6B1/8/8/8/2pPN3/2N1N3/8/K3k3 b - d3 0 1", "c4d3", Status::Normal),
    ("1Q6/5N2/8/1N6/Pp1B4/1B6/3K4/1k6 b - a3 0 1", "b4a3", Status::Normal),
    ("7q/8/2b5/2Pp4/2K1bn2/k3r3/8/8 w - d6 0 1", "c5d6", Status::Check),
    ("4k3/2q5/5n2/1b2pP2/3K4/8/8/4q3 w - e6 0 1", "f5e6", Status::Check),
    ("2R5/4Q3/6K1/3k4/3pP3/2RB4/8/8 b - e3 0 1", "d4e3", Status::Check),
    ("6Q1/2Q5/8/3K3k/6Pp/7B/3Q4/3N4 b - g3 0 1", "h4g3", Status::Check),
];

fn en_passant_as_the_only_move(kernel: Kernel) {
    let known = EN_PASSANT_ALONE.iter().map(|&(fen, played, status)| Known {
        fen: fen.parse().expect("FEN"),
        moves: vec![played.to_string()],
        status,
    });
    let known: Vec<Known> = known.collect();
    check(kernel, &known);
    known.iter().for_each(check_single);
}

/// Positions from games of random moves, from the standard start and from starts of Chess960.
fn random_games(random: &mut Random, positions: usize) -> Vec<Known> {
    random_boards(random, positions).iter().map(by_cozy).collect()
}

fn random_boards(random: &mut Random, positions: usize) -> Vec<Board> {
    let mut known = Vec::new();
    while known.len() < positions {
        let mut board =
            Board::double_chess960_startpos(random.next() as u32 % 960, random.next() as u32 % 960);
        if random.next().is_multiple_of(2) {
            board = Board::default();
        }
        for _ in 0..150 {
            let mut moves = Vec::new();
            board.generate_moves(|of_piece| {
                moves.extend(of_piece);
                false
            });
            if moves.is_empty() {
                break;
            }
            board.play(moves[random.next() as usize % moves.len()]);
            known.push(board.clone());
        }
    }
    known
}

fn games_of_random_moves(kernel: Kernel) {
    let known = random_games(&mut Random::new(24), 3000);
    check(kernel, &known);
}

#[test]
fn games_of_random_moves_one_by_one() {
    for known in random_games(&mut Random::new(25), 3000) {
        check_single(&known);
    }
}

const PIECES: [Piece; 6] =
    [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King];

/// One king per side and pieces anywhere, with castling rights and en passant squares if the pieces allow them; `None`
/// if cozy-chess rejects the position.
fn scattered(seed: u64) -> Option<Known> {
    let mut random = Random::new(seed);
    let mut below = |n: u64| random.next() % n;
    let mut builder = BoardBuilder::empty();
    builder.side_to_move = [Color::White, Color::Black][below(2) as usize];
    let put = |builder: &mut BoardBuilder, square: u64, piece, color| {
        let square = &mut builder.board[square as usize % 64];
        if square.is_none() {
            *square = Some((piece, color));
        }
    };
    let (at_home, crowd, pawns_only) =
        (below(2) == 0, [4, 8, 16, 30][below(4) as usize], below(3) == 0);
    for (color, back_rank) in [(Color::White, 0), (Color::Black, 56)] {
        if at_home {
            put(&mut builder, back_rank + below(8), Piece::King, color);
            for _ in 0..2 {
                put(&mut builder, back_rank + below(8), Piece::Rook, color);
            }
        } else {
            put(&mut builder, below(64), Piece::King, color);
        }
    }
    for _ in 0..crowd {
        let color = [Color::White, Color::Black][below(2) as usize];
        let piece = PIECES[if pawns_only { 0 } else { below(5) as usize }];
        let square = if piece == Piece::Pawn { 8 + below(48) } else { below(64) };
        put(&mut builder, square, piece, color);
    }
    for (color, back_rank) in [(Color::White, 0), (Color::Black, 56)] {
        let on = |piece, board: &[_; 64]| {
            (0..8)
                .filter(|file| board[back_rank + file] == Some((piece, color)))
                .collect::<Vec<_>>()
        };
        let rooks = on(Piece::Rook, &builder.board);
        for king in on(Piece::King, &builder.board) {
            let side = |rooks: Vec<usize>| {
                let rook = rooks.get(below(3) as usize % rooks.len().max(1))?;
                Some(File::index(*rook))
            };
            let mut side = side;
            let rights = builder.castle_rights_mut(color);
            rights.short = side(rooks.iter().copied().filter(|&rook| rook > king).collect());
            rights.long = side(rooks.iter().copied().filter(|&rook| rook < king).collect());
        }
    }
    // A pawn that may have just made a double step.
    let (enemy, rank, behind) = match builder.side_to_move {
        Color::White => (Color::Black, 4, 8),
        Color::Black => (Color::White, 3, -8),
    };
    for file in 0..8 {
        let square: i32 = 8 * rank + file;
        let at = |square: i32| builder.board[square as usize];
        if at(square) == Some((Piece::Pawn, enemy))
            && at(square + behind).is_none()
            && at(square + 2 * behind).is_none()
        {
            builder.en_passant = Some(Square::index((square + behind) as usize));
        }
    }
    let board = builder.build().or_else(|_| {
        // The side to move is in a check that no double step could have left.
        builder.en_passant = None;
        builder.build()
    });
    let board = board.ok()?;
    // cozy-chess accepts adjacent kings.
    let [white, black] = [Color::White, Color::Black].map(|color| board.king(color) as u8);
    let apart = (white % 8).abs_diff(black % 8).max((white / 8).abs_diff(black / 8));
    (apart > 1).then(|| by_cozy(&board))
}

fn scattered_pieces(kernel: Kernel) {
    let known: Vec<Known> = (0..6000).filter_map(scattered).collect();
    assert!(known.len() > 1000, "only {} positions", known.len());
    check(kernel, &known);
}

/// Invalid positions: counts and status are -1 and sets are empty, whatever else is on the board.
const INVALID: &[&str] = &[
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "8/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/8/8 w kq - 0 1",
    "4k3/8/8/8/8/8/PPPPPPPP/RNBQ1BNR w - - 0 1",
    "4k3/8/8/8/8/8/8/R3K1K1 w Q - 0 1",
    "4k3/8/8/8/8/8/4K3/R3K3 w Q - 0 1",
    "4k1k1/8/8/8/8/8/8/R3K3 w Q - 0 1",
    "4k3/4k3/8/8/8/8/8/R3K3 b Q - 0 1",
    // The side not to move is in check: by each role, from afar and from an adjacent square, and by a pinned piece.
    "4k3/8/8/8/8/8/8/K3R3 w - - 0 1",
    "k6R/8/8/8/8/8/8/K7 w - - 0 1",
    "R6k/8/8/8/8/8/8/K7 w - - 0 1",
    "7k/8/8/8/8/8/8/B2K4 w - - 0 1",
    "k7/8/8/8/8/8/8/3K3B w - - 0 1",
    "4k3/8/8/8/4Q3/8/8/K7 w - - 0 1",
    "4k3/8/8/b7/8/8/8/4K3 b - - 0 1",
    "4k3/8/3N4/8/8/8/8/K7 w - - 0 1",
    "4k3/5P2/8/8/8/8/8/K7 w - - 0 1",
    "4k3/3P4/8/8/8/8/8/K7 w - - 0 1",
    "4k3/8/8/8/8/8/5p2/4K3 b - - 0 1",
    "8/8/8/3kK3/8/8/8/8 w - - 0 1",
    "8/8/8/4k3/3K4/8/8/8 b - - 0 1",
    "4r3/8/8/7k/8/8/4B3/4K3 w - - 0 1",
];

fn invalid_positions(kernel: Kernel) {
    let fens: Vec<Fen> = INVALID.iter().map(|fen| fen.parse().expect("FEN")).collect();
    // Among valid positions, so that each lane has some.
    let mut rows = Vec::new();
    for fen in fens {
        rows.extend([fen, Fen::START, Fen::START]);
    }
    // Inconsistent boards: a square with two roles, with both colours, without a colour, without a role.
    let twice = [
        |pieces: &mut Pieces| pieces.knights |= 1,
        |pieces: &mut Pieces| pieces.queens |= 1 << 4,
        |pieces: &mut Pieces| pieces.kings |= 1 << 8,
        |pieces: &mut Pieces| pieces.bishops |= 1 << 63,
        |pieces: &mut Pieces| pieces.pawns |= 1 << 59,
        |pieces: &mut Pieces| pieces.black |= 1 << 8,
        |pieces: &mut Pieces| pieces.rooks |= 1 << 30,
        |pieces: &mut Pieces| pieces.white |= 1 << 30,
    ];
    for fault in twice {
        let mut fen = Fen::START;
        fault(&mut fen.pieces);
        rows.extend([fen, Fen::START, Fen::START]);
    }
    let answers = answers(kernel, &rows);
    for (row, fen) in rows.iter().enumerate() {
        let valid = row % 3 != 0;
        assert_eq!(answers.valid[row], valid, "{fen}");
        assert_eq!(answers.planes[row] != [0; PLANES], valid, "planes of {fen}");
        assert_eq!(answers.targets[row] != [0; 64], valid, "targets of {fen}");
        let moves = if valid { 20 } else { 0 };
        assert_eq!(answers.moves.get(row).map(<[u16]>::len), Some(moves), "moves of {fen}");
        assert_eq!(usize::from(answers.counts[row]), moves, "count of {fen}");
        assert_eq!(answers.status[row], 0, "status of {fen}");
        let one = position::legal(&fen.pieces, State::from(fen));
        assert_eq!(one.is_some(), valid, "{fen}");
    }
}

/// Rights that contradict the pieces are ignored: no rook, no king on its rank, no pawn to capture, an occupied square,
/// and a square on the wrong rank.
#[test]
fn rights_without_their_pieces() {
    for (fen, name) in [
        ("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", "e1g1"),
        ("4k3/8/8/8/8/8/8/4K2Q w K - 0 1", "e1g1"),
        ("4k3/8/8/8/8/8/8/4K2r w K - 0 1", "e1g1"),
        ("4k3/8/8/8/8/8/4K3/R6R w HA - 0 1", "e2g2"),
        ("4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1", "e5d6"),
        ("4k3/8/8/3NP3/8/8/8/4K3 w - d6 0 1", "e5d6"),
        ("4k3/8/3n4/3pP3/8/8/3K4/8 w - e6 0 1", "d5e6"),
        ("4k3/8/3B4/3pP3/8/8/3K4/8 w - d6 0 1", "e5d6"),
        ("4k3/8/8/8/8/3P4/4P3/4K3 w - d3 0 1", "e2d3"),
    ] {
        let fen: Fen = fen.parse().expect("FEN");
        let legal = position::legal(&fen.pieces, State::from(&fen)).expect("a valid position");
        let moves: Vec<String> = legal.moves().map(|played| played.to_string()).collect();
        assert!(!moves.iter().any(|played| played == name), "{name} in {fen}");
        for kernel in Backend::available().flat_map(Kernel::new) {
            let targets = answers(kernel, &[fen]).targets;
            assert_eq!(targets[0], legal.targets(), "{fen}, {}", kernel.backend());
        }
    }
}

/// Every length from zero to three blocks and one more.
fn every_length(kernel: Kernel) {
    let known = random_games(&mut Random::new(26), 200);
    for rows in 0..=(3 * kernel.backend().boards_per_block() + 1).min(200) {
        check(kernel, &known[..rows]);
    }
}

fn the_last_ply_in_bulk(kernel: Kernel) {
    for (fen, depth, nodes) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4, 197_281),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97_862),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43_238),
        ("r1k2r1q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K2R1Q w FAfa - 0 1", 3, 20_218),
    ] {
        let board = perft::Board::parse(fen).expect("FEN");
        assert_eq!(
            perft::Perft::new(kernel, false).count(&board, depth).nodes,
            nodes,
            "{fen}, depth {depth}"
        );
    }
}

fn the_suite_in_bulk(kernel: Kernel) {
    let suite = std::fs::read_to_string(crate::common::data().join("perft.tsv")).expect("a suite");
    let limit = if cfg!(debug_assertions) { 20_000 } else { 1_000_000 };
    let mut counter = perft::Perft::new(kernel, false);
    let outcome = perft::run_suite(&suite, limit, |board, depth| counter.count(board, depth).nodes);
    let outcome = outcome.expect("a suite");
    assert_eq!(outcome.wrong, Vec::<String>::new());
    assert!(outcome.lines as usize >= crate::common::least(1000), "only {} lines", outcome.lines);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Compares one position at a time with cozy-chess and with the simplest code.
    #[test]
    fn scattered_pieces_one_by_one(seed in any::<u64>()) {
        if let Some(known) = scattered(seed) {
            check_single(&known);
            check_plain(&known);
        }
    }
}
