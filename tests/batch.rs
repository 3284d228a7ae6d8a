//! Boards that stay sliced, on every backend: the way in and back, and the same answers as columns give.

mod common;

use common::{Random, on_every_backend};
use setwise::bitboard::Direction;
use setwise::{Batch, Column, Kernel, Kind, Pieces, Positions};

on_every_backend! {
    there_and_back
    the_same_answers_as_columns
}

fn there_and_back(kernel: Kernel) {
    let mut random = Random::new(11);
    for rows in [0, 1, 15, 16, 17, 63, 64, 65, 127, 128, 200] {
        let boards: Vec<u64> = (0..rows).map(|_| random.board()).collect();
        let batch = Batch::from_column(kernel, &boards);
        assert_eq!((batch.len(), batch.is_empty()), (rows, rows == 0));
        let mut back = vec![!0; rows];
        batch.copy_to(&mut back);
        assert_eq!(back, boards);

        let mut filled = Batch::new(kernel, rows);
        for (row, &board) in boards.iter().enumerate().rev() {
            assert_eq!(filled.get(row), 0);
            filled.set(row, !board);
            filled.set(row, board);
        }
        for (row, &board) in boards.iter().enumerate() {
            assert_eq!((batch.get(row), filled.get(row)), (board, board), "row {row} of {rows}");
        }
        let mut back = vec![!0; rows];
        filled.copy_to(&mut back);
        assert_eq!(back, boards);
    }
}

fn the_same_answers_as_columns(kernel: Kernel) {
    let mut random = Random::new(12);
    for rows in [1, 64, 193, 1000] {
        let columns = [(); 3].map(|()| (0..rows).map(|_| random.board()).collect::<Vec<_>>());
        let [occupied, orthogonal, diagonal] = columns.each_ref().map(Vec::as_slice);
        let mut union = vec![0; rows];
        kernel.slider_attacks(occupied, orthogonal, diagonal, &mut union);
        let mut rays = [(); 8].map(|()| vec![0; rows]);
        kernel.slider_rays(occupied, orthogonal, diagonal, rays.each_mut().map(Vec::as_mut_slice));

        let [occupied, orthogonal, diagonal] =
            [occupied, orthogonal, diagonal].map(|column| Batch::from_column(kernel, column));
        let mut batch = Batch::new(kernel, rows);
        let mut back = vec![0; rows];
        batch.slider_attacks(&occupied, &orthogonal, &diagonal);
        batch.copy_to(&mut back);
        assert_eq!(back, union);
        for (direction, ray) in Direction::ALL.into_iter().zip(rays) {
            let sliders = if direction.is_orthogonal() { &orthogonal } else { &diagonal };
            batch.ray(direction, sliders, &occupied);
            batch.copy_to(&mut back);
            assert_eq!(back, ray, "{direction:?}");
        }
    }
}

#[test]
#[should_panic(expected = "batch `diagonal` has 5 rows, but the result has 4")]
fn a_batch_of_another_length_is_named() {
    let kernel = Kernel::detect();
    let four = Batch::new(kernel, 4);
    Batch::new(kernel, 4).slider_attacks(&four, &four, &Batch::new(kernel, 5));
}

#[test]
#[should_panic(expected = "batch `sliders` was made for scalar, but the result for lanes")]
fn a_batch_of_another_backend_is_named() {
    let [scalar, lanes] = two_kernels();
    let sliders = Batch::new(scalar, 4);
    Batch::new(lanes, 4).ray(Direction::North, &sliders, &Batch::new(lanes, 4));
}

/// Two backends that are always there.
fn two_kernels() -> [Kernel; 2] {
    [setwise::Backend::Scalar, setwise::Backend::Lanes]
        .map(|backend| Kernel::new(backend).expect("always there"))
}

#[test]
#[should_panic(expected = "column `white` has 2 rows, but column `black` has 3")]
fn a_set_of_another_length_is_named() {
    let kernel = Kernel::detect();
    let mut batches = Batch::positions(kernel, &[Pieces::START; 3]);
    batches.white = Batch::new(kernel, 2);
    let _ = Positions::from(&batches);
}

#[test]
#[should_panic(expected = "the batches were made for scalar, but the kernel is lanes")]
fn batches_of_another_backend_are_refused() {
    let [scalar, lanes] = two_kernels();
    let batches = Batch::positions(scalar, &[Pieces::START; 3]);
    lanes.fill(&batches, &mut [(Column::white(Kind::All), (&mut [0_u64; 3]).into())]);
}
