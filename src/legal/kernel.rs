//! The loops over many positions.

use crate::backend::{Kernel, Task};
use crate::boards::block::Block;
use crate::pieces::Pieces;

use super::{PLANES, PlaneSink, State, count, planes, status};

impl Kernel {
    /// Planes.
    pub fn legal_planes(self, pieces: &[Pieces], states: &[State], planes: &mut [[u64; PLANES]]) {
        self.run(PlanesTask { pieces, states, planes });
    }

    /// Counts.
    pub fn legal_counts(self, pieces: &[Pieces], states: &[State], counts: &mut [u16]) {
        self.run(NumbersTask::<false> { pieces, states, numbers: counts });
    }

    /// Status.
    pub fn legal_status(self, pieces: &[Pieces], states: &[State], numbers: &mut [u16]) {
        self.run(NumbersTask::<true> { pieces, states, numbers });
    }
}

fn boards(states: &[State]) -> &[u64] {
    // SAFETY: transparent
    unsafe { core::slice::from_raw_parts(states.as_ptr().cast(), states.len()) }
}

/// The planes of a block, as they are made.
struct Kept<B>([B; PLANES]);

impl<B: Block> PlaneSink<B> for Kept<B> {
    #[inline(always)]
    fn put(&mut self, index: usize, plane: B) {
        self.0[index] = plane;
    }
}

struct PlanesTask<'a> {
    pieces: &'a [Pieces],
    states: &'a [State],
    planes: &'a mut [[u64; PLANES]],
}

impl Task for PlanesTask<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Block>(self) {
        let n = B::COUNT;
        let mut kept = Kept([B::empty(); PLANES]);
        let mut at = 0;
        while at < self.pieces.len() {
            let start = at.min(self.pieces.len() - n);
            let pieces = B::load_pieces(&self.pieces[start..start + n]);
            let state = State::from_board(B::load(&boards(self.states)[start..start + n]));
            planes(&pieces, state, &mut kept);
            B::store_rows(&kept.0, self.planes[start..start + n].as_flattened_mut());
            at += n;
        }
    }
}

struct NumbersTask<'a, const STATUS: bool> {
    pieces: &'a [Pieces],
    states: &'a [State],
    numbers: &'a mut [u16],
}

impl<const STATUS: bool> Task for NumbersTask<'_, STATUS> {
    type Output = ();

    #[inline(always)]
    fn run<B: Block>(self) {
        let n = B::COUNT;
        let mut at = 0;
        while at < self.pieces.len() {
            let start = at.min(self.pieces.len() - n);
            let pieces = B::load_pieces(&self.pieces[start..start + n]);
            let state = State::from_board(B::load(&boards(self.states)[start..start + n]));
            let (numbers, _) = if STATUS { status(&pieces, state) } else { count(&pieces, state) };
            B::store_numbers(numbers, &mut self.numbers[start..start + n]);
            at += n;
        }
    }
}
