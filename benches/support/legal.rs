//! Who competes in legal moves: this crate's kernels, and cozy-chess, whose boards are made beforehand, off the clock.

use core::hint::black_box;
use std::cell::RefCell;
use std::rc::Rc;

use cozy_chess::{Board, Color, Move, Piece};
use setwise::legal::{DIRECTIONS, LEAPS, PLANES, State};
use setwise::position::{self, KingFacts, MAX_MOVES, PositionKernel};
use setwise::{
    Backend, Colour, Column, Kernel, Pieces, Positions, Request, Role, Successors, eval, reference,
};

use crate::support::columns::AlignedColumn;
use crate::support::groups::{Group, Implementation, Reference, ours};
use crate::support::inputs::{Dataset, Reads, from_cozy};

/// Every group about legal moves.
pub fn groups() -> Vec<Group> {
    vec![planes(), count(), status(), list(), king_facts(), successors(), perft()]
}

/// All legal moves as 73 planes.
fn planes() -> Group {
    let run = |kernel: Kernel, dataset: &Dataset, answers: &mut [AlignedColumn]| {
        fill(kernel, dataset, Column::LEGAL_PLANES.to(&mut answers[0][..]));
    };
    let mut group =
        group("legal-planes", PLANES, |dataset, row| planes_of(&cozy(dataset, row)).to_vec());
    group.implementations.push(rival(|boards, answers| {
        let (rows, _) = answers[0].as_chunks_mut::<PLANES>();
        for (board, row) in boards.iter().zip(rows) {
            *row = planes_of(board);
        }
    }));
    group.implementations.push(Implementation {
        instead: Some(|_, _| vec![1; PLANES]),
        ..Implementation::new("writes-only", 1, |_, answers| {
            let (rows, _) = answers[0].as_chunks_mut::<PLANES>();
            for row in rows {
                *row = [core::hint::black_box(1); PLANES];
            }
        })
    });
    group.implementations.extend(ours(run));
    group
}

/// The number of legal moves.
fn count() -> Group {
    let mut group = group("legal-count", 1, |dataset, row| vec![count_of(&cozy(dataset, row))]);
    group.implementations.push(rival(|boards, answers| {
        for (board, count) in boards.iter().zip(&mut *answers[0]) {
            *count = count_of(board);
        }
    }));
    group.implementations.push(Implementation::new(
        "one-by-one",
        1,
        |dataset: &Dataset, answers| {
            let rows = dataset.rows.iter().zip(&dataset.states).zip(&mut *answers[0]);
            for ((pieces, &state), count) in rows {
                *count = position::legal(pieces, state).map_or(0, |legal| legal.count().into());
            }
        },
    ));
    let kernels = Backend::available().flat_map(Kernel::new);
    group.implementations.extend(kernels.map(|kernel| {
        numbers(kernel, |kernel, dataset, counts: &mut [u16]| {
            fill(kernel, dataset, Column::LEGAL_COUNT.to(counts));
        })
    }));
    group
}

/// Check, checkmate, stalemate, or none of them.
fn status() -> Group {
    let mut group = group("legal-status", 1, |dataset, row| vec![status_of(&cozy(dataset, row))]);
    group.implementations.push(rival(|boards, answers| {
        for (board, status) in boards.iter().zip(&mut *answers[0]) {
            *status = status_of(board);
        }
    }));
    let kernels = Backend::available().flat_map(Kernel::new);
    group.implementations.extend(kernels.map(|kernel| {
        numbers(kernel, |kernel, dataset, status: &mut [u8]| {
            fill(kernel, dataset, Column::STATUS.to(status));
        })
    }));
    group
}

/// All moves of one position at a time, written one after another; the answer is how many.
fn list() -> Group {
    type List = fn(&Pieces, State, &mut [u16; MAX_MOVES]) -> usize;
    let ours = |name, list: List| {
        Implementation::new(name, 1, move |dataset: &Dataset, answers| {
            let mut buffer = [0; MAX_MOVES];
            let rows = dataset.rows.iter().zip(&dataset.states).zip(&mut *answers[0]);
            for ((pieces, &state), count) in rows {
                *count = list(pieces, state, &mut buffer) as u64;
                black_box(&buffer);
            }
        })
    };
    let mut group = group("legal-list", 1, |dataset, row| vec![count_of(&cozy(dataset, row))]);
    group.implementations.push(rival(|boards, answers| {
        let mut buffer = [0; MAX_MOVES];
        for (board, answer) in boards.iter().zip(&mut *answers[0]) {
            let mut count = 0;
            board.generate_moves(|of_piece| {
                for played in of_piece {
                    let role = played.promotion.map_or(0, |piece| piece as u16);
                    buffer[count % MAX_MOVES] =
                        played.to as u16 | (played.from as u16) << 6 | role << 12;
                    count += 1;
                }
                false
            });
            black_box(&buffer);
            *answer = count as u64;
        }
    }));
    group.implementations.push(ours("inlined-write", |pieces, state, buffer| {
        position::legal(pieces, state).map_or(0, |legal| legal.write_moves(buffer))
    }));
    group.implementations.push(ours("inlined-unchecked-write", |pieces, state, buffer| {
        position::legal_unchecked(pieces, state).write_moves(buffer)
    }));
    group.implementations.push(ours("inlined-unchecked-moves", |pieces, state, buffer| {
        let moves = position::legal_unchecked(pieces, state).moves();
        moves.zip(buffer).map(|(played, place)| *place = played.bits()).count()
    }));
    group
}

/// What a node asks about both kings, by one call and by separate ones: checkers, pinned pieces, pinners, danger, and the
/// squares from which bishops and rooks give check.
fn king_facts() -> Group {
    fn one(facts: KingFacts) -> [u64; 6] {
        let [_, _, bishop, rook, ..] = facts.checking_squares;
        [facts.checkers, facts.pinned, facts.pinners, facts.danger, bishop, rook]
    }
    let ask = |name: &str, ask: &'static dyn Fn(&PositionKernel, &Pieces) -> [[u64; 6]; 2]| {
        Implementation::new(name, 1, move |dataset: &Dataset, answers| {
            let kernel = Kernel::detect().position();
            let (rows, _) = answers[0].as_chunks_mut::<12>();
            for (row, pieces) in rows.iter_mut().zip(&dataset.rows) {
                row.copy_from_slice(ask(kernel, pieces).as_flattened());
            }
        })
    };
    Group {
        implementations: vec![
            ask("separate", &|kernel, pieces| {
                Colour::ALL.map(|colour| {
                    let (king, occupied) = (pieces.of(colour, Role::King), pieces.occupied());
                    [
                        kernel.checkers(pieces, colour),
                        kernel.pinned(pieces, colour),
                        kernel.pinners(pieces, colour),
                        kernel.king_danger(pieces, colour),
                        kernel.diagonal_attacks(king, occupied),
                        kernel.orthogonal_attacks(king, occupied),
                    ]
                })
            }),
            ask("in-hand-facts", &|kernel, pieces| {
                let both = kernel.both_king_facts(pieces);
                [one(both.white), one(both.black)]
            }),
            ask("inlined-facts", &|_, pieces| {
                let both = position::both_king_facts(pieces);
                [one(both.white), one(both.black)]
            }),
        ],
        ..group("king-facts", 12, |dataset, row| {
            let pieces = &dataset.rows[row];
            let facts = Colour::ALL.map(|colour| {
                let threats = eval::king_threats(pieces, &eval::rays(pieces, colour.opponent()));
                let (king, occupied) = (pieces.of(colour, Role::King), pieces.occupied());
                [
                    threats.checkers,
                    threats.pinned,
                    threats.pinners,
                    eval::king_danger(pieces, colour),
                    reference::slider_attacks(0, king, occupied),
                    reference::slider_attacks(king, 0, occupied),
                ]
            });
            facts.as_flattened().to_vec()
        })
    }
}

/// The positions after all legal moves, kept; what is compared is a sum over them, made off the clock.
fn successors() -> Group {
    let mut group = group("successors", 1, |dataset, row| {
        let mut after = Vec::new();
        play_all(&cozy(dataset, row), &mut after);
        vec![sum_of(after.iter().map(from_cozy))]
    });
    let kept = Rc::new(RefCell::new((Vec::new(), Vec::new())));
    let collected = Rc::clone(&kept);
    let boards = Rc::new(RefCell::new(Vec::new()));
    let prepared = Rc::clone(&boards);
    group.implementations.push(Implementation {
        prepare: Box::new(move |dataset| {
            *prepared.borrow_mut() = (0..dataset.len()).map(|row| cozy(dataset, row)).collect();
        }),
        collect: Box::new(move |answers| {
            let (after, ends): &(Vec<Board>, Vec<usize>) = &collected.borrow();
            let mut first = 0;
            for (answer, &end) in answers[0].iter_mut().zip(ends) {
                *answer = sum_of(after[first..end].iter().map(from_cozy));
                first = end;
            }
        }),
        ..Implementation::new("cozy-chess", 1, move |_, _| {
            let (after, ends) = &mut *kept.borrow_mut();
            after.clear();
            ends.clear();
            for board in boards.borrow().iter() {
                play_all(board, after);
                ends.push(after.len());
            }
        })
    });
    group.implementations.extend(Backend::available().flat_map(Kernel::new).map(|kernel| {
        let kept = Rc::new(RefCell::new(Successors::new()));
        let collected = Rc::clone(&kept);
        let backend = kernel.backend();
        Implementation {
            collect: Box::new(move |answers| {
                let after = collected.borrow();
                for (answer, ends) in answers[0].iter_mut().zip(after.offsets().windows(2)) {
                    *answer = sum_of(after.pieces()[ends[0]..ends[1]].iter().copied());
                }
            }),
            ..Implementation::new(backend.name(), backend.boards_per_block(), move |dataset, _| {
                let positions = Positions::from(&dataset.rows).with_states(&dataset.states);
                // As are the boards of cozy-chess.
                kernel.successors(positions.known_valid(), &mut kept.borrow_mut());
            })
        }
    }));
    group
}

/// The number of positions after two moves, the last of which is counted.
fn perft() -> Group {
    let mut group = group("perft", 1, |dataset, row| vec![after_two(&cozy(dataset, row))]);
    group.implementations.push(rival(|boards, answers| {
        for (board, count) in boards.iter().zip(&mut *answers[0]) {
            *count = after_two(board);
        }
    }));
    group.implementations.extend(ours(|kernel, dataset, answers| {
        // So many at a time that their successors stay in the cache.
        const PARENTS: usize = 32;
        let (mut after, mut counts) = (Successors::new(), Vec::new());
        let parents = dataset.rows.chunks(PARENTS).zip(dataset.states.chunks(PARENTS));
        for ((pieces, states), answers) in parents.zip(answers[0].chunks_mut(PARENTS)) {
            let positions = Positions::from(pieces).with_states(states).known_valid();
            kernel.successors(positions, &mut after);
            counts.resize(after.len(), 0_u16);
            kernel.fill(after.positions(), &mut [Column::LEGAL_COUNT.to(&mut counts[..])]);
            for (answer, ends) in answers.iter_mut().zip(after.offsets().windows(2)) {
                *answer = counts[ends[0]..ends[1]].iter().map(|&count| u64::from(count)).sum();
            }
        }
    }));
    group
}

/// The number of positions after two moves.
fn after_two(board: &Board) -> u64 {
    let mut after = Vec::with_capacity(64);
    play_all(board, &mut after);
    after.iter().map(count_of).sum()
}

fn play_all(board: &Board, after: &mut Vec<Board>) {
    board.generate_moves(|of_piece| {
        for played in of_piece {
            let mut board = board.clone();
            board.play_unchecked(played);
            after.push(board);
        }
        false
    });
}

/// A number that depends on every set of every position, and not on their order.
fn sum_of(positions: impl Iterator<Item = Pieces>) -> u64 {
    let of_one = |pieces: Pieces| {
        let sets = pieces.sets().into_iter();
        sets.fold(0, |sum: u64, set| {
            (sum ^ set).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
        })
    };
    positions.map(of_one).fold(0, u64::wrapping_add)
}

fn group(name: &'static str, together: usize, reference: Reference) -> Group {
    let implementations = Vec::new();
    Group { name, reads: Reads::Legal, columns: 1, together, reference, implementations }
}

/// Fills a column.
fn fill(kernel: Kernel, dataset: &Dataset, request: Request<'_>) {
    let positions = Positions::from(&dataset.rows).with_turns(&dataset.turns);
    let positions = positions.with_castling(&dataset.castling);
    kernel.fill(positions.with_en_passant(&dataset.en_passant), &mut [request]);
}

/// A kernel that answers with numbers, which are widened off the clock.
fn numbers<T: Copy + Default + Into<u64> + 'static>(
    kernel: Kernel,
    ask: fn(Kernel, &Dataset, &mut [T]),
) -> Implementation {
    let numbers = Rc::new(RefCell::new(Vec::<T>::new()));
    let collected = Rc::clone(&numbers);
    let backend = kernel.backend();
    Implementation {
        collect: Box::new(move |answers| {
            for (answer, &number) in answers[0].iter_mut().zip(collected.borrow().iter()) {
                *answer = number.into();
            }
        }),
        ..Implementation::new(backend.name(), backend.boards_per_block(), move |dataset, _| {
            let mut numbers = numbers.borrow_mut();
            numbers.resize(dataset.len(), T::default());
            ask(kernel, dataset, &mut numbers);
        })
    }
}

/// cozy-chess on boards that are made beforehand.
fn rival(answer: fn(&[Board], &mut [AlignedColumn])) -> Implementation {
    let boards = Rc::new(RefCell::new(Vec::new()));
    let prepared = Rc::clone(&boards);
    Implementation {
        prepare: Box::new(move |dataset| {
            let mut boards = prepared.borrow_mut();
            boards.clear();
            boards.extend((0..dataset.len()).map(|row| cozy(dataset, row)));
        }),
        ..Implementation::new("cozy-chess", 1, move |_, answers| answer(&boards.borrow(), answers))
    }
}

/// A row of a dataset as a board of cozy-chess.
fn cozy(dataset: &Dataset, row: usize) -> Board {
    dataset.boards[row].clone()
}

fn count_of(board: &Board) -> u64 {
    let mut count = 0;
    board.generate_moves(|of_piece| {
        count += of_piece.len() as u64;
        false
    });
    count
}

fn status_of(board: &Board) -> u64 {
    match (board.checkers().is_empty(), board.generate_moves(|_| true)) {
        (true, true) => 0,
        (false, true) => 1,
        (false, false) => 2,
        (true, false) => 3,
    }
}

fn planes_of(board: &Board) -> [u64; PLANES] {
    let mut planes = [0; PLANES];
    let (own, black) = (board.colors(board.side_to_move()), board.side_to_move() == Color::Black);
    let turned = if black { 56 } else { 0 };
    board.generate_moves(|of_piece| {
        for played in of_piece {
            let to = castled(played, own.has(played.to)) ^ turned;
            let from = played.from as u8 ^ turned;
            let files = usize::from(to % 8 + 7 - from % 8);
            let plane = match played.promotion {
                Some(Piece::Knight) => 58 + files,
                Some(Piece::Bishop) => 61 + files,
                Some(Piece::Rook) => 64 + files,
                _ => PLANE_OF_STEP[usize::from(to / 8 + 7 - from / 8)][files].into(),
            };
            planes[plane] |= 1 << from;
        }
        false
    });
    planes
}

/// Where we have the king go that castles.
fn castled(played: Move, castles: bool) -> u8 {
    let (from, to) = (played.from as u8, played.to as u8);
    match (castles, from % 8, to % 8) {
        (true, 4, 7) => from + 2,
        (true, 4, 0) => from - 2,
        _ => to,
    }
}

/// The plane of a move by ranks and files, each plus 7.
const PLANE_OF_STEP: [[u8; 15]; 15] = {
    let mut planes = [[0; 15]; 15];
    let mut plane = 0;
    while plane < 64 {
        let (files, ranks) = if plane < 56 {
            let (files, ranks) = DIRECTIONS[plane / 7].offset();
            let distance = (plane % 7 + 1) as i8;
            (files * distance, ranks * distance)
        } else {
            LEAPS[plane - 56]
        };
        planes[(ranks + 7) as usize][(files + 7) as usize] = plane as u8;
        plane += 1;
    }
    planes
};
