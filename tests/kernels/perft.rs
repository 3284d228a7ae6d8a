//! Checks the move generator of `examples/perft.rs` on well-known positions and on a suite (`tests/data`).

use crate::perft_example::{Board, perft, run_suite};

/// Positions, each with the number of legal games of 1, 2, 3, ... moves that start there.
const KNOWN: &[(&str, &[u64])] = &[
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[20, 400, 8902]),
    // "Kiwipete": castling, pins, en passant and checks in one.
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", &[48, 2039, 97862]),
    // En passant that would expose the king along the rank.
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2812, 43238]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", &[6, 264, 9467]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1486, 62379]),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[46, 2079, 89890],
    ),
    // Promotions, many of them with check.
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", &[24, 496, 9483]),
    // En passant that gives or answers a check.
    ("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", &[15, 126, 1928, 13931]),
    ("3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", &[18, 92, 1670, 10138]),
    // Castling that gives check, through check, and with the rook attacked.
    ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", &[15, 66, 1198, 6399]),
    ("r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", &[44, 1494, 50509]),
    ("r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", &[26, 1141, 27826]),
    // Double check, and a promotion out of check.
    ("8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", &[37, 183, 6559]),
    ("2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", &[11, 133, 1442, 19174]),
    // Chess960: kings and rooks on any files, castling onto each other's squares.
    ("r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1", &[23, 522, 12333]),
    ("r1k2r1q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K2R1Q w FAfa - 0 1", &[28, 738, 20218]),
    ("8/8/8/4B2b/6nN/8/5P2/2R1K2k w Q - 0 1", &[34, 318, 9002]),
    ("2r5/8/8/8/8/8/6PP/k2KR3 w K - 0 1", &[17, 242, 3931]),
];

#[test]
fn well_known_positions() {
    for (fen, counts) in KNOWN {
        let board = Board::parse(fen).expect("valid FEN");
        for (depth, &nodes) in (1..).zip(*counts) {
            assert_eq!(perft(&board, depth), nodes, "{fen}, depth {depth}");
        }
    }
}

#[test]
fn the_suite() {
    let suite = std::fs::read_to_string(crate::common::data().join("perft.tsv")).expect("a suite");
    let limit = if cfg!(debug_assertions) { 20_000 } else { 1_000_000 };
    let outcome = run_suite(&suite, limit, perft).expect("a suite");
    assert_eq!(outcome.wrong, Vec::<String>::new());
    assert!(outcome.lines as usize >= crate::common::least(1000), "only {} lines", outcome.lines);
}
