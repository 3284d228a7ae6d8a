//! Compares successors, in bulk on every backend and one at a time, with cozy-chess.

use std::io::Read;

use cozy_chess::{Board, Color, Move as CozyMove, Piece};
use setwise::fen::Castling;
use setwise::legal::{Move, MoveKind, State};
use setwise::{
    Colour, Column, Fen, Kernel, Lists, Pieces, Positions, Role, SuccessorBuffers, SuccessorPieces,
    Successors, position,
};

use crate::common::{Random, on_every_backend};

on_every_backend! {
    games
    every_length
    every_size_of_buffers
    many_moves
    invalid_parents
    every_layout
    one_at_a_time
    large_clocks
}

/// A position.
type Position = (Pieces, State, u32);

/// The position of a cozy-chess board.
fn position_of(board: &Board) -> Position {
    let set = |piece| board.pieces(piece).0;
    let pieces = Pieces {
        pawns: set(Piece::Pawn),
        knights: set(Piece::Knight),
        bishops: set(Piece::Bishop),
        rooks: set(Piece::Rook),
        queens: set(Piece::Queen),
        kings: set(Piece::King),
        white: board.colors(Color::White).0,
        black: board.colors(Color::Black).0,
    };
    let files = |color| {
        let rights = board.castle_rights(color);
        let files = [rights.short, rights.long].into_iter().flatten();
        files.fold(0, |files, file| files | 1 << file as u8)
    };
    let castling = Castling { white: files(Color::White), black: files(Color::Black) };
    let (turn, rank) = match board.side_to_move() {
        Color::White => (Colour::White, 5),
        Color::Black => (Colour::Black, 2),
    };
    let en_passant = board.en_passant().map(|file| file as u8 + 8 * rank);
    let state = State::new(turn, castling, en_passant);
    (pieces, state, board.halfmove_clock().into())
}

/// The origin, destination and promotion of a move.
type Squares = (u8, u8, Option<Role>);

/// Converts a move of cozy-chess, whose castling king moves onto its rook.
fn same_squares(board: &Board, played: CozyMove) -> Squares {
    let (from, to) = (played.from as u8, played.to as u8);
    let castles = board.colors(board.side_to_move()).has(played.to);
    let to = match (castles, from % 8, to % 8) {
        (true, 4, 7) => from + 2,
        (true, 4, 0) => from - 2,
        _ => to,
    };
    let becomes = played.promotion.map(|piece| match piece {
        Piece::Knight => Role::Knight,
        Piece::Bishop => Role::Bishop,
        Piece::Rook => Role::Rook,
        _ => Role::Queen,
    });
    (from, to, becomes)
}

/// A parent, and its successors according to cozy-chess, by moves.
struct Known {
    parent: Position,
    successors: Vec<(Squares, Position)>,
}

impl Known {
    fn new(board: &Board) -> Self {
        let mut successors = Vec::new();
        board.generate_moves(|of_piece| {
            for played in of_piece {
                let mut after = board.clone();
                after.play(played);
                successors.push((same_squares(board, played), position_of(&after)));
            }
            false
        });
        let key = |role: Option<Role>| role.map(|role| role as u8);
        successors.sort_by_key(|&((from, to, role), _)| (from, to, key(role)));
        Self { parent: position_of(board), successors }
    }
}

/// Games of random moves, from the standard start and from starts of Chess960.
fn random_games(seed: u64, count: usize) -> Vec<Known> {
    let mut random = Random::new(seed);
    let mut known = Vec::new();
    while known.len() < count {
        let mut board =
            Board::double_chess960_startpos(random.next() as u32 % 960, random.next() as u32 % 960);
        if random.next().is_multiple_of(3) {
            board = Board::default();
        }
        for _ in 0..150 {
            known.push(Known::new(&board));
            let mut moves = Vec::new();
            board.generate_moves(|of_piece| {
                moves.extend(of_piece);
                false
            });
            if moves.is_empty() {
                break;
            }
            // Prefer castling and pawn moves.
            let special = |played: &&CozyMove| {
                let own = board.colors(board.side_to_move()).has(played.to);
                own || board.pieces(Piece::Pawn).has(played.from)
            };
            let preferred: Vec<_> = moves.iter().filter(special).copied().collect();
            if random.next().is_multiple_of(2) && !preferred.is_empty() {
                moves = preferred;
            }
            board.play(moves[random.next() as usize % moves.len()]);
        }
    }
    known.truncate(count);
    known
}

/// Parents in columns.
struct Parents {
    pieces: Vec<Pieces>,
    states: Vec<State>,
    halfmoves: Vec<u32>,
}

impl Parents {
    fn new<'a>(known: impl IntoIterator<Item = &'a Known>) -> Self {
        let mut parents = Self { pieces: vec![], states: vec![], halfmoves: vec![] };
        for Known { parent: (pieces, state, halfmoves), .. } in known {
            parents.pieces.push(*pieces);
            parents.states.push(*state);
            parents.halfmoves.push(*halfmoves);
        }
        parents
    }

    fn positions(&self) -> Positions<'_> {
        let positions = Positions::from(&self.pieces).with_states(&self.states);
        positions.with_halfmoves(&self.halfmoves)
    }
}

/// Compares successors in bulk with the known ones, bit for bit, and their order with the column of moves.
fn check(kernel: Kernel, known: &[Known]) {
    let parents = Parents::new(known);
    let mut successors = Successors::new();
    kernel.successors(parents.positions(), &mut successors);
    check_against(&successors, known);
    let mut lists = Lists::<u16>::new();
    kernel.fill(parents.positions(), &mut [Column::LEGAL_MOVES.to(&mut lists)]);
    assert_eq!(lists.offsets(), successors.offsets());
    assert!(
        successors.moves().iter().map(|played| played.bits()).eq(lists.items().iter().copied())
    );
}

fn check_against(successors: &Successors, known: &[Known]) {
    let ends = successors.offsets();
    assert_eq!((ends.len(), ends[0], successors.invalid()), (known.len() + 1, 0, 0));
    assert_eq!(ends[known.len()], successors.len());
    for (Known { parent, successors: expected }, ends) in known.iter().zip(ends.windows(2)) {
        assert_eq!(ends[1] - ends[0], expected.len(), "of {parent:?}");
        for (at, (squares, expected)) in (ends[0]..).zip(expected) {
            let played = successors.moves()[at];
            let becomes = match played.kind() {
                MoveKind::Promotion(role) => Some(role),
                _ => None,
            };
            assert_eq!((played.from(), played.to(), becomes), *squares, "of {parent:?}");
            let halfmoves = successors.halfmoves()[at].min(100);
            let got = (successors.pieces()[at], successors.states()[at], halfmoves);
            assert_eq!(got, *expected, "{played} of {parent:?}");
        }
    }
}

fn games(kernel: Kernel) {
    check(kernel, &random_games(1, 3000));
}

/// Every length from zero to three blocks and one more.
fn every_length(kernel: Kernel) {
    let known = random_games(2, 200);
    for rows in 0..=(3 * kernel.backend().boards_per_block() + 1).min(200) {
        check(kernel, &known[..rows]);
    }
}

/// Buffers with space for some but not all successors: each call stops at a parent, where the next one continues.
fn every_size_of_buffers(kernel: Kernel) {
    let known: Vec<Known> = random_games(3, 500).into_iter().step_by(7).collect();
    let parents = Parents::new(&known);
    let mut all = Successors::new();
    kernel.successors(parents.positions(), &mut all);
    check_against(&all, &known);
    for size in 0..=all.len() + 3 {
        let (mut pieces, mut states) = (vec![Pieces::EMPTY; size], vec![State::EMPTY; size + 1]);
        let (mut moves, mut offsets) = (vec![Move::default(); size + 2], vec![99; known.len() + 1]);
        let buffers = SuccessorBuffers::new(
            SuccessorPieces::Rows(&mut pieces),
            &mut states,
            &mut moves,
            &mut offsets,
        );
        let written = kernel.write_successors(parents.positions(), buffers);
        let fitting = all.offsets().iter().filter(|&&end| end <= size).count() - 1;
        let rows = all.offsets()[fitting];
        assert_eq!((written.parents, written.successors, written.invalid), (fitting, rows, 0));
        assert_eq!(offsets[..=fitting], all.offsets()[..=fitting], "{size}");
        assert_eq!(pieces[..rows], all.pieces()[..rows], "{size}");
        assert!(pieces[rows..].iter().all(|&pieces| pieces == Pieces::EMPTY), "{size}");
        assert_eq!(states[..rows], all.states()[..rows], "{size}");
        assert_eq!(moves[..rows], all.moves()[..rows], "{size}");
    }
}

/// More moves than the initial buffers hold: the call continues within a block.
fn many_moves(kernel: Kernel) {
    let fen = setwise::Fen::parse("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1").unwrap();
    let (pieces, states) = ([fen.pieces; 100], [State::from(&fen); 100]);
    let mut successors = Successors::new();
    kernel.successors(Positions::from(&pieces).with_states(&states), &mut successors);
    assert_eq!(successors.offsets(), (0..=100).map(|row| 218 * row).collect::<Vec<_>>());
    let (first, last) = (&successors.pieces()[..218], &successors.pieces()[99 * 218..]);
    assert_eq!(first, last);
}

fn invalid_parents(kernel: Kernel) {
    let mut known = random_games(4, 150);
    let mut parents = Parents::new(&known);
    let invalid = [3, 4, 64, 149];
    for row in invalid {
        parents.pieces[row].kings = 0;
        known[row].successors.clear();
    }
    let mut successors = Successors::new();
    kernel.successors(parents.positions(), &mut successors);
    assert_eq!(successors.invalid(), invalid.len());
    for (row, ends) in successors.offsets().windows(2).enumerate() {
        assert_eq!(ends[1] - ends[0], known[row].successors.len(), "row {row}");
    }
}

/// Clocks around the limits of 16 bits, which captures and pawn moves reset. The largest one stays.
fn large_clocks(kernel: Kernel) {
    let fen = Fen::parse("4k3/8/8/8/8/1p6/P7/K7 w - - 0 1").expect("a position");
    let clocks = [0, 254, 255, 65_534, 65_535, 65_536, 70_000, u32::MAX - 1, u32::MAX];
    let (pieces, states) = ([fen.pieces; 9], [State::from(&fen); 9]);
    let positions = Positions::from(&pieces).with_states(&states).with_halfmoves(&clocks);
    let mut successors = Successors::new();
    kernel.successors(positions, &mut successors);
    for (clock, ends) in clocks.into_iter().zip(successors.offsets().windows(2)) {
        let mut resets = 0;
        for at in ends[0]..ends[1] {
            let is_reset = successors.moves()[at].from() == 8; // the pawn of a2
            resets += usize::from(is_reset);
            let expected = if is_reset { 0 } else { clock.saturating_add(1) };
            assert_eq!(successors.halfmoves()[at], expected, "{}", successors.moves()[at]);
        }
        assert_eq!((resets, ends[1] - ends[0]), (3, 5), "{clock}");
    }
}

/// Parents in columns and batches, and successors in columns.
fn every_layout(kernel: Kernel) {
    let known = random_games(5, 300);
    let parents = Parents::new(&known);
    let mut all = Successors::new();
    kernel.successors(parents.positions(), &mut all);
    let set = |set: usize| parents.pieces.iter().map(move |pieces| pieces.sets()[set]);
    let columns = Pieces::from_sets([0, 1, 2, 3, 4, 5, 6, 7]).map(|at| set(at).collect::<Vec<_>>());
    let batches = setwise::Batch::positions(kernel, &parents.pieces);
    for positions in [Positions::from(&columns), Positions::from(&batches)] {
        let positions = positions.with_states(&parents.states);
        let mut same = Successors::new();
        kernel.successors(positions.with_halfmoves(&parents.halfmoves), &mut same);
        check_against(&same, &known);
        // The clocks of a call do not survive one without.
        kernel.successors(positions, &mut same);
        assert!(same.halfmoves().is_empty());
        let mut pieces = Pieces::EMPTY.map(|_: u64| vec![!0; all.len()]);
        let (mut states, mut moves) =
            (vec![State::EMPTY; all.len()], vec![Move::default(); all.len()]);
        let mut offsets = vec![0; known.len() + 1];
        let Pieces { pawns, knights, bishops, rooks, queens, kings, white, black } = &mut pieces;
        let buffers = SuccessorBuffers::new(
            SuccessorPieces::Columns(Pieces {
                pawns,
                knights,
                bishops,
                rooks,
                queens,
                kings,
                white,
                black,
            }),
            &mut states,
            &mut moves,
            &mut offsets,
        );
        kernel.write_successors(positions, buffers);
        assert_eq!((states, moves), (all.states().to_vec(), all.moves().to_vec()));
        for (row, expected) in all.pieces().iter().enumerate() {
            assert_eq!(pieces.each_ref().map(|column| column[row]), *expected);
        }
    }
}

/// Compares moves played one at a time, and the changed squares, with the known successors.
fn one_at_a_time(kernel: Kernel) {
    for Known { parent: (pieces, state, _), successors } in random_games(6, 3000) {
        let legal = position::legal(&pieces, state).expect("a valid position");
        let mut moves = vec![0; successors.len()];
        assert_eq!(legal.write_moves(&mut moves), successors.len());
        for (bits, (_, (after, after_state, _))) in moves.into_iter().zip(successors) {
            let played = Move::from_bits(bits).expect("a move");
            assert_eq!(position::play(&pieces, state, played), (after, after_state), "{played}");
            let by_kernel = kernel.position().play(&pieces, state, played);
            assert_eq!(by_kernel, (after, after_state), "{played}");
            let mut patched = pieces;
            let changed: Vec<_> = position::changed_squares(&pieces, &after).collect();
            assert!((2..=4).contains(&changed.len()) || played.kind() == MoveKind::Castling);
            for (square, piece) in changed {
                patched = patched.map(|set| set & !(1 << square));
                if let Some((colour, role)) = piece {
                    patched.put(colour, role, square);
                }
            }
            assert_eq!(patched, after, "{played}");
        }
    }
}

/// The positions of a file with one FEN per line, or with FEN in the first column.
fn shared(name: &str) -> Vec<Known> {
    let mut text = String::new();
    let file = std::fs::File::open(crate::common::data().join(name)).expect("a file");
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("text");
    let boards = text.lines().filter_map(|line| {
        let fen: Fen = line.split('\t').next()?.parse().ok()?;
        // cozy-chess only accepts en passant squares after a possible double step.
        let fen = fen.to_string();
        let board = Board::from_fen(&fen, true).or_else(|_| Board::from_fen(&fen, false)).ok()?;
        Some(Known::new(&board))
    });
    boards.take(if cfg!(debug_assertions) { 10_000 } else { 100_000 }).collect()
}

#[test]
#[ignore = "needs SETWISE_DATA"]
fn the_shared_positions() {
    for name in ["legal-moves.tsv.gz", "positions.epd.gz"] {
        let known = shared(name);
        assert!(known.len() > 3900, "only {} of {name}", known.len());
        Kernel::available().for_each(|kernel| check(kernel, &known));
    }
}
