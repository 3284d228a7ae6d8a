//! Runs every call with inputs and outputs that end at a faulting page, and with ones that begin after such a page: the
//! caller's buffers, and the library's own allocations (batches and lists).

use setwise::bitboard::Direction;
use setwise::fen::Castling;
use setwise::legal::{Move, State};
use setwise::{
    Backend, Batch, Colour, Kernel, Pieces, SuccessorBuffers, SuccessorPieces, Successors, position,
};

use crate::common::oracles::{Filled, States, all_columns, fill};
use crate::common::{Random, on_every_backend};
use crate::guard_pages::{Forms, GARBAGE, GUARDS, Guard, MOST, guarded, lengths, sample, say};

on_every_backend! {
    sliders
    maps_and_columns
    successors
    batches
    one_position
}

/// Boards with sliders, and their results from buffers without a guard.
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
    // Enough rows to bypass the caches, at all offsets in a cache line; too many for Miri.
    let more: &[(Guard, usize)] = if cfg!(miri) {
        &[]
    } else {
        &[(Guard::Before, 13), (Guard::Behind, 0), (Guard::Behind, 1), (Guard::Behind, 13)]
    };
    for &(guard, more) in more {
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

fn maps_and_columns(kernel: Kernel) {
    let mut calls = 0;
    let columns = all_columns();
    let whole = fill(kernel, &sample().positions, &columns);
    for (guard, rows) in lengths() {
        let forms = Forms::new(kernel, guard, rows);
        let states = guarded(guard, || States::new(rows));
        for positions in forms.each() {
            // This includes the library's own allocations for lists.
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

/// Parents and successors in buffers of the exact size that end, or begin, at a guard.
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
            let buffers = SuccessorBuffers::new(
                SuccessorPieces::Rows(&mut pieces),
                &mut states,
                &mut moves,
                &mut offsets,
            );
            kernel.write_successors(positions, buffers);
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

/// Every function for one position, through a kernel and as built in.
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
