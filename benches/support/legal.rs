//! The groups for legal moves: this library's kernels against cozy-chess, whose boards are created before timing.

use core::hint::black_box;

use cozy_chess::{Board, Color, Move, Piece};
use setwise::legal::{DIRECTIONS, LEAPS, PLANES, State};
use setwise::line::Masks;
use setwise::position::{self, KingFacts, MAX_MOVES, PositionKernel};
use setwise::{Colour, Column, Kernel, Pieces, Positions, Request, Role, Successors};

use crate::support::columns::AlignedColumn;
use crate::support::groups::{Group, Implementation, ours};
use crate::support::inputs::{Dataset, Reads, from_cozy};

/// All groups for legal moves.
pub fn groups() -> Vec<Group> {
    vec![planes(), count(), list(), king_facts(), successors()]
}

/// All legal moves as 73 planes.
fn planes() -> Group {
    let run = |kernel: Kernel, dataset: &Dataset, answers: &mut [AlignedColumn]| {
        fill(kernel, dataset, Column::LEGAL_PLANES.to(&mut answers[0][..]));
    };
    let mut group = group("legal-planes", PLANES);
    group.implementations.push(rival(|boards, answers| {
        let (rows, _) = answers[0].as_chunks_mut::<PLANES>();
        for (board, row) in boards.iter().zip(rows) {
            *row = planes_of(board);
        }
    }));
    group.implementations.extend(ours(run));
    group
}

/// The number of legal moves.
fn count() -> Group {
    let mut group = group("legal-count", 1);
    group.implementations.push(rival(|boards, answers| {
        for (board, count) in boards.iter().zip(&mut *answers[0]) {
            *count = count_of(board);
        }
    }));
    let one_by_one = |name, of_one: fn(PositionKernel, &Pieces, State) -> u32| {
        Implementation::new(name, 1, move |dataset: &Dataset, answers| {
            let kernel = Kernel::detect().position();
            let rows = dataset.rows.iter().zip(&dataset.states).zip(&mut *answers[0]);
            for ((pieces, &state), count) in rows {
                *count = of_one(kernel, pieces, state).into();
            }
        })
    };
    group.implementations.push(one_by_one("inlined-unchecked", |_, pieces, state| {
        position::count_moves(pieces, state)
    }));
    group.implementations.push(one_by_one("in-hand-unchecked", |kernel, pieces, state| {
        kernel.count_moves(pieces, state)
    }));
    group.implementations.extend(Kernel::available().map(|kernel| {
        let run = move |counts: &mut Vec<u16>, dataset: &Dataset| {
            counts.resize(dataset.len(), 0);
            fill(kernel, dataset, Column::LEGAL_COUNT.to(&mut counts[..]));
        };
        Implementation::of_kernel(kernel, run, |counts, answers| {
            for (answer, &count) in answers[0].iter_mut().zip(counts) {
                *answer = count.into();
            }
        })
    }));
    group
}

/// All moves, listed for one position at a time. The result is their number.
fn list() -> Group {
    type List = fn(PositionKernel, &Pieces, State, &mut [u16; MAX_MOVES]) -> usize;
    let ours = |name, list: List| {
        Implementation::new(name, 1, move |dataset: &Dataset, answers| {
            let (kernel, mut buffer) = (Kernel::detect().position(), [0; MAX_MOVES]);
            let rows = dataset.rows.iter().zip(&dataset.states).zip(&mut *answers[0]);
            for ((pieces, &state), count) in rows {
                *count = list(kernel, pieces, state, &mut buffer) as u64;
                black_box(&buffer);
            }
        })
    };
    let mut group = group("legal-list", 1);
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
    group.implementations.push(ours("inlined-write", |_, pieces, state, buffer| {
        position::legal(pieces, state).map_or(0, |legal| legal.write_moves(buffer))
    }));
    group.implementations.push(ours("inlined-unchecked-write", |_, pieces, state, buffer| {
        position::legal_unchecked(pieces, state).write_moves(buffer)
    }));
    group.implementations.push(ours("in-hand-unchecked-write", |kernel, pieces, state, buffer| {
        kernel.write_moves(pieces, state, buffer)
    }));
    group.implementations.push(ours("inlined-unchecked-moves", |_, pieces, state, buffer| {
        let moves = position::legal_unchecked(pieces, state).moves();
        moves.zip(buffer).map(|(played, place)| *place = played.bits()).count()
    }));
    group
}

/// The facts about both kings that an engine needs at a node, computed by one call and by separate calls: checkers,
/// pinned pieces, pinners, danger, and the squares from which bishops and rooks give check.
fn king_facts() -> Group {
    type Sides = [[u64; 6]];
    fn one(facts: KingFacts) -> [u64; 6] {
        let [_, _, bishop, rook, ..] = facts.checking_squares;
        [facts.checkers, facts.pinned, facts.pinners, facts.danger, bishop, rook]
    }
    fn separate(kernel: &PositionKernel, pieces: &Pieces, colour: Colour) -> [u64; 6] {
        static MASKS: Masks = Masks::new();
        let king = pieces.of(colour, Role::King).trailing_zeros() as u8;
        [
            position::checkers(pieces, colour),
            position::pinned(pieces, colour),
            position::pinners(pieces, colour),
            kernel.king_danger(pieces, colour),
            MASKS.bishop_attacks(king, pieces.occupied()),
            MASKS.rook_attacks(king, pieces.occupied()),
        ]
    }
    // Each side's words are stored in place: a copy of both would wait for the stores, in twice the time.
    let facts = |name: &str, facts: &'static dyn Fn(&PositionKernel, &Pieces, &mut Sides)| {
        Implementation::new(name, 1, move |dataset: &Dataset, answers| {
            let kernel = Kernel::detect().position();
            let (sides, _) = answers[0].as_chunks_mut::<6>();
            for (sides, pieces) in sides.chunks_exact_mut(2).zip(&dataset.rows) {
                facts(&kernel, pieces, sides);
            }
        })
    };
    Group {
        implementations: vec![
            facts("separate", &|kernel, pieces, sides| {
                for (side, colour) in sides.iter_mut().zip(Colour::ALL) {
                    *side = separate(kernel, pieces, colour);
                }
            }),
            facts("in-hand-facts", &|kernel, pieces, sides| {
                let both = kernel.both_king_facts(pieces);
                (sides[0], sides[1]) = (one(both.white), one(both.black));
            }),
            facts("inlined-facts", &|_, pieces, sides| {
                let both = position::both_king_facts(pieces);
                (sides[0], sides[1]) = (one(both.white), one(both.black));
            }),
        ],
        ..group("king-facts", 12)
    }
}

/// The positions after all legal moves, stored in memory. A sum over them, which is not timed, is compared.
fn successors() -> Group {
    let rival = Implementation::with_result(
        "cozy-chess",
        1,
        |(after, ends): &mut (Vec<Board>, Vec<usize>), dataset| {
            after.clear();
            ends.clear();
            for board in &dataset.boards {
                play_all(board, after);
                ends.push(after.len());
            }
        },
        |(after, ends), answers| {
            let mut first = 0;
            for (answer, &end) in answers[0].iter_mut().zip(ends) {
                *answer = sum_of(after[first..end].iter().map(from_cozy));
                first = end;
            }
        },
    );
    let kernels = Kernel::available().map(|kernel| {
        let run = move |after: &mut Successors, dataset: &Dataset| {
            let positions = Positions::from(&dataset.rows).with_states(&dataset.states);
            // cozy-chess also relies on valid boards.
            kernel.successors(positions.known_valid(), after);
        };
        Implementation::of_kernel(kernel, run, |after, answers| {
            for (answer, ends) in answers[0].iter_mut().zip(after.offsets().windows(2)) {
                *answer = sum_of(after.pieces()[ends[0]..ends[1]].iter().copied());
            }
        })
    });
    let implementations = [rival].into_iter().chain(kernels).collect();
    Group { implementations, ..group("successors", 1) }
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

/// A sum that depends on every set of every position, but not on the order of positions.
fn sum_of(positions: impl Iterator<Item = Pieces>) -> u64 {
    let of_one = |pieces: Pieces| {
        let sets = pieces.sets().into_iter();
        sets.fold(0, |sum: u64, set| {
            (sum ^ set).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
        })
    };
    positions.map(of_one).fold(0, u64::wrapping_add)
}

/// A group without implementations.
fn group(name: &'static str, per_board: usize) -> Group {
    Group { name, reads: Reads::Legal, columns: 1, per_board, implementations: Vec::new() }
}

/// Fills one column.
fn fill(kernel: Kernel, dataset: &Dataset, request: Request<'_>) {
    kernel.fill(Positions::from(&dataset.rows).with_states(&dataset.states), &mut [request]);
}

/// cozy-chess, on boards that are created before timing.
fn rival(answer: fn(&[Board], &mut [AlignedColumn])) -> Implementation {
    Implementation::new("cozy-chess", 1, move |dataset: &Dataset, answers| {
        answer(&dataset.boards, answers);
    })
}

fn count_of(board: &Board) -> u64 {
    let mut count = 0;
    board.generate_moves(|of_piece| {
        count += of_piece.len() as u64;
        false
    });
    count
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

/// The destination of a move in this library's notation, which differs for castling.
fn castled(played: Move, castles: bool) -> u8 {
    let (from, to) = (played.from as u8, played.to as u8);
    match (castles, from % 8, to % 8) {
        (true, 4, 7) => from + 2,
        (true, 4, 0) => from - 2,
        _ => to,
    }
}

/// The plane of a move, indexed by the differences of ranks and of files, each plus 7.
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
