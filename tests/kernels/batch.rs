//! Boards that stay sliced, on every backend: conversion both ways, and the same results as for columns.

use crate::common::{Random, on_every_backend};
use setwise::bitboard::Direction;
use setwise::{Batch, Kernel};

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
        kernel.slider_attacks(orthogonal, diagonal, occupied, &mut union);
        let mut rays = [(); 8].map(|()| vec![0; rows]);
        kernel.slider_rays(orthogonal, diagonal, occupied, rays.each_mut().map(Vec::as_mut_slice));

        let [occupied, orthogonal, diagonal] =
            [occupied, orthogonal, diagonal].map(|column| Batch::from_column(kernel, column));
        let mut batch = Batch::new(kernel, rows);
        let mut back = vec![0; rows];
        batch.slider_attacks(&orthogonal, &diagonal, &occupied);
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
