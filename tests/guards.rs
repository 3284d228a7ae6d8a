//! Memory that faults: every call with inputs and outputs that end at a page that nobody may touch, and with
//! ones that begin behind such a page. A load or a store of too many bytes ends the test program.
//!
//! While [`guarded`] runs, the test's allocator places whatever this thread allocates against such a page. So the
//! inputs are there, the outputs, and what the library allocates itself: batches and lists.
//!
//! Miri sees by itself what is read and written outside of allocations, so it runs the same calls without guards, with
//! few rows.
#![cfg(all(unix, feature = "std"))]

mod common;

use std::fmt::Debug;
use std::io::Write;
use std::sync::OnceLock;

use common::oracles::{Cell, Filled, States, all_columns, fill, turns};
use common::{Random, on_every_backend};
use setwise::bitboard::Direction;
use setwise::eval::Attacks;
use setwise::fen::Castling;
use setwise::legal::{Move, State};
use setwise::{
    Backend, Batch, Boards, ByColour, Colour, Column, Fen, Kernel, Pieces, Positions,
    SuccessorBuffers, SuccessorPieces, Successors, Term, TermWith, position,
};

on_every_backend! {
    sliders
    maps_and_columns
    successors
    terms
    batches
    one_position
}

/// The side of a buffer on which the page lies that faults.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Guard {
    Before,
    Behind,
}

const GUARDS: [Guard; 2] = [Guard::Before, Guard::Behind];

/// The lengths that are tried: all around the blocks of 8 to 64 boards, and up to three of the largest.
const MOST: usize = if cfg!(miri) { 67 } else { 200 };

#[cfg(not(miri))]
use allocator::guarded;

/// Runs something whose allocations Miri watches.
#[cfg(miri)]
fn guarded<T>(_: Guard, run: impl FnOnce() -> T) -> T {
    run()
}

/// What stands in outputs before a call.
const GARBAGE: u64 = 0x0123_4567_89ab_cdef;

/// Says how many calls a test made.
fn say(kernel: Kernel, what: &str, calls: usize) {
    let backend = kernel.backend();
    let _ = writeln!(std::io::stderr(), "{calls} calls of {what} by {backend} against guard pages");
}

/// Every length before either kind of guard; for Miri, less than a block, one, and the next with an overlap.
fn lengths() -> Vec<(Guard, usize)> {
    if cfg!(miri) {
        return [1, 64, MOST].map(|rows| (Guard::Behind, rows)).to_vec();
    }
    GUARDS.into_iter().flat_map(|guard| (0..=MOST).map(move |rows| (guard, rows))).collect()
}

/// Boards with sliders, and their answers from buffers without a guard.
struct Sliders {
    columns: [Vec<u64>; 3],
    union: Vec<u64>,
    eight: [Vec<u64>; 8],
}

impl Sliders {
    fn new(kernel: Kernel, random: &mut Random) -> Self {
        let columns = [(); 3].map(|()| (0..MOST).map(|_| random.board()).collect::<Vec<_>>());
        let [occupied, orthogonal, diagonal] = &columns;
        let mut union = vec![GARBAGE; MOST];
        kernel.slider_attacks(orthogonal, diagonal, occupied, &mut union);
        let mut eight = [(); 8].map(|()| vec![GARBAGE; MOST]);
        let rays = eight.each_mut().map(|ray| &mut ray[..]);
        kernel.slider_rays(orthogonal, diagonal, occupied, rays);
        Self { columns, union, eight }
    }
}

fn sliders(kernel: Kernel) {
    let mut calls = 0;
    let mut random = Random::new(21);
    let Sliders { columns, union, eight } = Sliders::new(kernel, &mut random);
    for (guard, rows) in lengths() {
        let [occupied, orthogonal, diagonal] =
            guarded(guard, || columns.each_ref().map(|column| column[..rows].to_vec()));
        let mut attacks = guarded(guard, || vec![GARBAGE; rows]);
        kernel.slider_attacks(&orthogonal, &diagonal, &occupied, &mut attacks);
        assert_eq!(attacks, union[..rows], "{guard:?} {rows}");
        let mut rays = guarded(guard, || [(); 8].map(|()| vec![GARBAGE; rows]));
        kernel.slider_rays(
            &orthogonal,
            &diagonal,
            &occupied,
            rays.each_mut().map(|ray| &mut ray[..]),
        );
        for (ray, whole) in rays.iter().zip(&eight) {
            assert_eq!(ray, &whole[..rows], "{guard:?} {rows}");
        }
        calls += 2;
    }
    // So many that they are written past the caches, from all places in a cache line; too many for Miri.
    let more: &[usize] = if cfg!(miri) { &[] } else { &[0, 1, 13] };
    for (guard, more) in GUARDS.into_iter().flat_map(|guard| more.iter().map(move |m| (guard, m))) {
        let rows = (1 << 20) + more;
        let long = |column: &[u64]| column.iter().copied().cycle().take(rows).collect::<Vec<_>>();
        let [occupied, orthogonal, diagonal] =
            guarded(guard, || columns.each_ref().map(|column| long(column).into_boxed_slice()));
        let mut attacks = guarded(guard, || vec![GARBAGE; rows]);
        kernel.slider_attacks(&orthogonal, &diagonal, &occupied, &mut attacks);
        assert!(attacks == long(&union), "{guard:?} {rows}");
        calls += 1;
    }
    say(kernel, "sliders", calls);
}

/// Positions, and in columns.
struct Sample {
    positions: Vec<Pieces>,
    columns: Pieces<Vec<u64>>,
    turns: Vec<Colour>,
}

fn sample() -> &'static Sample {
    static SAMPLE: OnceLock<Sample> = OnceLock::new();
    SAMPLE.get_or_init(|| {
        let lines = include_str!("../data/sample.epd").lines().take(MOST);
        let parsed = |line| Fen::parse(line).expect("a position").pieces;
        let positions: Vec<Pieces> = lines.map(parsed).collect();
        let column = |set: usize| positions.iter().map(|pieces| pieces.sets()[set]).collect();
        let columns = Pieces::from_sets([0, 1, 2, 3, 4, 5, 6, 7]).map(column);
        Sample { positions, columns, turns: turns().take(MOST).collect() }
    })
}

/// Some positions in all three forms, each of them against a guard.
struct Forms {
    rows: Vec<Pieces>,
    columns: Pieces<Vec<u64>>,
    sliced: Pieces<Batch>,
    turns: Vec<Colour>,
}

impl Forms {
    fn new(kernel: Kernel, guard: Guard, rows: usize) -> Self {
        let sample = sample();
        guarded(guard, || {
            let positions = sample.positions[..rows].to_vec();
            Self {
                sliced: Batch::positions(kernel, &positions),
                rows: positions,
                columns: sample.columns.each_ref().map(|column| column[..rows].to_vec()),
                turns: sample.turns[..rows].to_vec(),
            }
        })
    }

    fn each(&self) -> [Positions<'_>; 3] {
        let forms: [Positions<'_>; 3] =
            [(&self.rows).into(), (&self.columns).into(), (&self.sliced).into()];
        forms.map(|positions| positions.with_turns(&self.turns))
    }
}

/// Sixteen columns in the fields that [`Kernel::attacks`] takes.
fn fields(columns: &mut [Vec<u64>; 16]) -> ByColour<Attacks<&mut [u64]>> {
    let mut columns = columns.iter_mut().map(|column| &mut column[..]);
    ByColour::new(|_| {
        let [pawn, knight, bishop, rook, queen, king, all, twice] =
            [(); 8].map(|()| columns.next().expect("sixteen"));
        Attacks { pawn, knight, bishop, rook, queen, king, all, twice }
    })
}

fn maps_and_columns(kernel: Kernel) {
    let mut calls = 0;
    let columns = all_columns();
    let whole = fill(kernel, &sample().positions, &columns);
    for (guard, rows) in lengths() {
        let forms = Forms::new(kernel, guard, rows);
        let mut maps = guarded(guard, || [(); 16].map(|()| vec![GARBAGE; rows]));
        let states = guarded(guard, || States::new(rows));
        for positions in forms.each() {
            maps.iter_mut().for_each(|map| map.fill(GARBAGE));
            kernel.attacks(positions, fields(&mut maps));
            for (map, column) in maps.iter().zip(Column::DEFAULT) {
                let place = columns.iter().position(|other| other == column).expect("a column");
                let map: Vec<Cell> = map.iter().map(|&board| Cell::Value(board)).collect();
                assert_eq!(map, whole[place][..rows], "{column} {rows}");
            }
            // With what the library allocates for lists.
            let filled = guarded(guard, || {
                let mut filled: Vec<Filled> =
                    columns.iter().map(|&column| Filled::new(column, rows, 0)).collect();
                let mut requests: Vec<_> = filled.iter_mut().map(Filled::request).collect();
                kernel.fill(states.of(positions), &mut requests);
                filled
            });
            for ((filled, whole), column) in filled.iter().zip(&whole).zip(&columns) {
                assert_eq!(filled.cells(), whole[..rows], "{column} {guard:?} {rows}");
            }
            calls += 2;
        }
    }
    say(kernel, "maps and columns", calls);
}

/// Parents and successors in buffers that end, or begin, at a guard: exactly as many as there are.
fn successors(kernel: Kernel) {
    let mut calls = 0;
    for (guard, rows) in lengths() {
        let forms = Forms::new(kernel, guard, rows);
        let state = |&turn: &Colour| State::new(turn, Castling::NONE, None);
        let states = guarded(guard, || forms.turns.iter().map(state).collect::<Vec<_>>());
        for positions in forms.each() {
            let positions = positions.with_states(&states);
            let all = guarded(guard, || {
                let mut all = Successors::new();
                kernel.successors(positions, &mut all);
                all
            });
            let count = all.len();
            let mut offsets = guarded(guard, || vec![0; rows + 1]);
            let mut pieces = guarded(guard, || vec![Pieces::EMPTY; count]);
            let mut states = guarded(guard, || vec![State::EMPTY; count]);
            let mut moves = guarded(guard, || vec![Move::default(); count]);
            let mut buffers = SuccessorBuffers {
                pieces: SuccessorPieces::Rows(&mut pieces),
                states: &mut states,
                moves: &mut moves,
                halfmoves: None,
                offsets: &mut offsets,
            };
            kernel.write_successors(positions, &mut buffers);
            assert_eq!(
                (&pieces[..], &states[..]),
                (all.pieces(), all.states()),
                "{guard:?} {rows}"
            );
            assert_eq!(
                (&moves[..], &offsets[..]),
                (all.moves(), all.offsets()),
                "{guard:?} {rows}"
            );
            calls += 2;
        }
    }
    say(kernel, "successors", calls);
}

/// Squares beside pieces.
struct Beside;

setwise::term! {
    impl Term for Beside {
        type Value = u64;

        fn eval<B: Boards>(&self, position: &Pieces<B>) -> B {
            (position.white.east() | position.black.west()).without(position.pawns)
        }
    }

    fn weigh<B: Boards>(position: &Pieces<B>) -> B::Numbers {
        position.white.count() * 3 - position.black.count()
    }
}

/// Terms whose values are numbers of each width.
macro_rules! weights {
    ($($term:ident $number:ty,)*) => {
        $(
            struct $term;

            setwise::term! {
                impl Term for $term {
                    type Value = $number;

                    fn eval<B: Boards>(&self, position: &Pieces<B>) -> B::Numbers {
                        weigh(position)
                    }
                }
            }
        )*
    };
}
weights!(Signed i16, Bytes u8, Words u16, Wide i32,);

/// The caller's squares and number, with what stands there.
struct Given;

/// Several values together.
struct Several;

setwise::term! {
    impl TermWith for Given {
        type Input = u64;
        type Value = u64;

        fn eval<B: Boards>(&self, position: &Pieces<B>, squares: B) -> B {
            position.occupied() & squares
        }
    }

    impl TermWith for Several {
        type Input = (i16, u64);
        type Value = (u64, [i16; 2]);

        fn eval<B: Boards>(
            &self,
            position: &Pieces<B>,
            (number, squares): (B::Numbers, B),
        ) -> (B, [B::Numbers; 2]) {
            (position.white & squares, [number, weigh(position) + number])
        }
    }
}

fn terms(kernel: Kernel) {
    let mut random = Random::new(22);
    let squares: Vec<u64> = (0..MOST).map(|_| random.board()).collect();
    let pairs: Vec<(i16, u64)> = squares.iter().map(|&board| (board as i16, board)).collect();
    let mut calls = 0;
    for (guard, rows) in lengths() {
        let forms = Forms::new(kernel, guard, rows);
        for positions in forms.each() {
            eval(kernel, &Beside, positions, guard, 1);
            eval(kernel, &Signed, positions, guard, 1);
            eval(kernel, &Bytes, positions, guard, 1);
            eval(kernel, &Words, positions, guard, 1);
            eval(kernel, &Wide, positions, guard, 1);
            eval_with(kernel, &Given, positions, &squares[..rows], guard);
            eval_with(kernel, &Several, positions, &pairs[..rows], guard);
            calls += 7;
        }
    }
    say(kernel, "terms", calls);
}

/// A term's values in bulk, against a guard, and one at a time.
fn eval<T: Term<Value: Debug + PartialEq>>(
    kernel: Kernel,
    term: &T,
    positions: Positions<'_>,
    guard: Guard,
    garbage: T::Value,
) {
    let mut values = guarded(guard, || vec![garbage; positions.len()]);
    kernel.eval(term, positions, &mut values);
    let one = sample().positions[..values.len()].iter().map(|pieces| term.one(pieces));
    assert!(values.iter().copied().eq(one), "{guard:?} {values:?}");
}

fn eval_with<T: TermWith<Value: Debug + PartialEq>>(
    kernel: Kernel,
    term: &T,
    positions: Positions<'_>,
    inputs: &[T::Input],
    guard: Guard,
) {
    let one = sample().positions.iter().zip(inputs);
    let one: Vec<T::Value> = one.map(|(pieces, &input)| term.one(pieces, input)).collect();
    let inputs = guarded(guard, || inputs.to_vec());
    // What is there before is the answer to the next row.
    let mut values = guarded(guard, || one.clone());
    values.rotate_left(1.min(one.len()));
    kernel.eval_with(term, positions, &inputs, &mut values);
    assert_eq!(values, one, "{guard:?}");
}

fn batches(kernel: Kernel) {
    let mut calls = 0;
    let mut random = Random::new(23);
    let Sliders { columns, union, eight } = Sliders::new(kernel, &mut random);
    for (guard, rows) in lengths() {
        let boards = guarded(guard, || columns.each_ref().map(|column| column[..rows].to_vec()));
        let [occupied, orthogonal, diagonal] =
            guarded(guard, || boards.each_ref().map(|column| Batch::from_column(kernel, column)));
        let (mut batch, mut back) =
            guarded(guard, || (Batch::new(kernel, rows), vec![GARBAGE; rows]));
        batch.slider_attacks(&orthogonal, &diagonal, &occupied);
        batch.copy_to(&mut back);
        assert_eq!(back, union[..rows], "{guard:?} {rows}");
        calls += 6;
        for (direction, ray) in Direction::ALL.into_iter().zip(&eight) {
            let sliders = if direction.is_orthogonal() { &orthogonal } else { &diagonal };
            batch.ray(direction, sliders, &occupied);
            batch.copy_to(&mut back);
            assert_eq!(back, ray[..rows], "{guard:?} {direction:?} {rows}");
            calls += 2;
        }
        for (row, &board) in boards[0].iter().enumerate() {
            batch.set(row, !board);
            assert_eq!(batch.get(row), !board, "{guard:?} {row} of {rows}");
            calls += 2;
        }
        let copy = guarded(guard, || batch.clone());
        copy.copy_to(&mut back);
        assert!(back.iter().zip(&boards[0]).all(|(&back, &board)| back == !board));
        calls += 1;
    }
    say(kernel, "batches", calls);
}

/// Every question about one position, by a kernel and by what the build enables.
macro_rules! questions {
    ($calls:ident, $kernel:expr, $scalar:expr, $($name:ident($($guarded:expr),*; $($plain:expr),*);)*) => {
        $(
            let right = $scalar.$name($($plain),*);
            assert_eq!($kernel.$name($($guarded),*), right, stringify!($name));
            assert_eq!(position::$name($($guarded),*), right, stringify!($name));
            $calls += 2;
        )*
    };
}

fn one_position(kernel: Kernel) {
    let mut calls = 0;
    let scalar = Kernel::new(Backend::Scalar).expect("always there").position();
    let kernel_here = kernel.position();
    let sample = sample();
    for guard in GUARDS {
        let some = if cfg!(miri) { 10 } else { MOST };
        for (i, plain) in sample.positions.iter().enumerate().take(some) {
            let pieces = &*guarded(guard, || Box::new(*plain));
            let (colour, occupied) = (sample.turns[i], plain.occupied() ^ plain.pawns);
            let (rooks, bishops) = (plain.rooks, plain.bishops);
            questions! { calls, kernel_here, scalar,
                slider_attacks(rooks, bishops, occupied; rooks, bishops, occupied);
                orthogonal_attacks(rooks, occupied; rooks, occupied);
                diagonal_attacks(bishops, occupied; bishops, occupied);
                slider_rays(rooks, bishops, occupied; rooks, bishops, occupied);
                slider_attacks_by_role(pieces; plain);
                attacks(pieces; plain);
                attacks_by(pieces, colour, occupied; plain, colour, occupied);
                attackers(pieces, colour, occupied, occupied; plain, colour, occupied, occupied);
                checkers(pieces, colour; plain, colour);
                pinned(pieces, colour; plain, colour);
                king_danger(pieces, colour; plain, colour);
            }
        }
    }
    say(kernel, "questions about one position", calls);
}

#[cfg(not(miri))]
#[path = "common/allocator.rs"]
mod allocator;
