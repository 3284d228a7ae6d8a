//! Inputs and columns of batches are those that the kernel computes for the same positions.

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use setwise::{ByColour, Colour, Kernel, Positions};
use setwise_loader::{Inputs, Perspectives};
use setwise_nnue::{FeatureSet, KernelExt};

use super::{Folder, message, open};

#[test]
fn inputs_are_those_of_the_kernel() {
    const WIDTH: usize = 128;
    let folder = Folder::new();
    let set: &FeatureSet = "stockfish-threats-2026-08".parse().expect("a set");
    for (perspectives, threads) in [(Perspectives::Colours, 1), (Perspectives::Mover, 3)] {
        let mut options = folder.options("all.marlin");
        (options.features, options.padded, options.perspectives) =
            (Some(set), Some(WIDTH), perspectives);
        (options.batch_size, options.threads) = (700, Some(threads));
        options.columns = vec!["white_all".to_owned()];
        let padded: Vec<_> = open(&options).map(|batch| batch.expect("valid rows")).collect();
        options.padded = None;
        let lists = open(&options).map(|batch| batch.expect("valid rows"));
        for (padded, lists) in padded.iter().zip(lists) {
            assert_eq!(padded.rows, lists.rows);
            let pieces: Vec<_> = padded.rows.iter().map(|row| row.pieces()).collect();
            let mut expected = [vec![0; WIDTH * pieces.len()], vec![0; WIDTH * pieces.len()]];
            let [white, black] = &mut expected;
            let sides = ByColour { white: &mut white[..], black: &mut black[..] };
            let kernel = Kernel::detect();
            kernel.feature_rows(set, Positions::from(&pieces[..]), WIDTH, sides).expect("kings");
            for (row, position) in padded.rows.iter().enumerate() {
                let place = row * WIDTH..(row + 1) * WIDTH;
                let swap = perspectives == Perspectives::Mover && position.turn == Colour::Black;
                let own = [
                    &expected[usize::from(swap)][place.clone()],
                    &expected[usize::from(!swap)][place],
                ];
                for (side, own) in own.into_iter().enumerate() {
                    assert_eq!(row_of(&padded.inputs, side, row, WIDTH), own);
                    let list: Vec<i32> = own.iter().copied().filter(|input| *input >= 0).collect();
                    assert_eq!(row_of(&lists.inputs, side, row, WIDTH), list);
                }
            }
            let mut maps = vec![0_u64; pieces.len()];
            let column = "white_all".parse::<setwise::Column>().expect("a column");
            kernel.fill(Positions::from(&pieces[..]), &mut [column.to(&mut maps)]);
            let found = padded.columns[0].as_primitive::<Int64Type>().values();
            assert!(found.iter().map(|map| map.cast_unsigned()).eq(maps));
        }
    }
}

fn row_of(inputs: &Option<[Inputs; 2]>, side: usize, row: usize, width: usize) -> &[i32] {
    match &inputs.as_ref().expect("inputs")[side] {
        Inputs::Rows(rows) => &rows[row * width..(row + 1) * width],
        Inputs::Lists(offsets, items) => &items[offsets[row] as usize..offsets[row + 1] as usize],
    }
}

/// Wherever they are in the calls of the kernel, positions without two kings have no inputs, and wide ones are named.
#[test]
fn inputs_of_positions_without_kings_are_empty() {
    let folder = Folder::new();
    let board = |row: usize| match row {
        1 | 255..258 | 300 => "8/8/8/8/8/8/8/K7 w - -",
        400 => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        _ => "4k3/8/8/8/8/8/8/4K3 w - -",
    };
    let lines: String = (0..600).map(|row| format!("{} 0 1\n", board(row))).collect();
    folder.write("some.fen", lines.as_bytes());
    for (padded, threads) in [(None, 1), (None, 3), (Some(32), 1), (Some(32), 3)] {
        let mut options = folder.options("some.fen");
        options.features = Some("halfka-hm".parse().expect("a set"));
        (options.padded, options.batch_size, options.threads) = (padded, 600, Some(threads));
        let batch = open(&options).next_batch().expect("valid rows").expect("a batch");
        for (side, row) in (0..600).flat_map(|row| [(0, row), (1, row)]) {
            let inputs = row_of(&batch.inputs, side, row, 32);
            let pieces = match board(row).len() {
                22 => 0,
                25 => 2,
                _ => 32,
            };
            assert_eq!(inputs.iter().filter(|input| **input >= 0).count(), pieces, "row {row}");
        }
        options.padded = Some(31);
        let found = message(open(&options).next_batch());
        assert!(
            found.contains("row 400 of the batch has 32 inputs, and `padded` is 31"),
            "{found}"
        );
    }
}

#[test]
fn padded_rows_are_written_to_the_callers_memory() {
    const WIDTH: usize = 128;
    let folder = Folder::new();
    let mut options = folder.options("all.marlin");
    options.features = Some("stockfish-threats-2026-08".parse().expect("a set"));
    (options.padded, options.batch_size, options.threads) = (Some(WIDTH), 700, Some(2));
    let mut loader = open(&options);
    for batch in open(&options) {
        let batch = batch.expect("valid rows");
        let mut sides = [(); 2].map(|()| vec![7; 700 * WIDTH + 5]);
        let found = loader.next_batch_into(sides.each_mut().map(|side| &mut side[..]));
        let found = found.expect("valid rows").expect("as many batches");
        assert_eq!((&found.rows, found.inputs), (&batch.rows, None));
        let Some([Inputs::Rows(first), Inputs::Rows(second)]) = batch.inputs else {
            panic!("padded rows")
        };
        for (side, rows) in sides.iter().zip([first, second]) {
            assert_eq!(side[..rows.len()], rows[..]);
            assert!(side[rows.len()..].iter().all(|number| *number == 7));
        }
    }
    assert_eq!(loader.next_batch_into([&mut [], &mut []]).expect("the end").map(|_| ()), None);
}

#[test]
#[should_panic(expected = "has 639 numbers, but 10 rows of 64 are needed")]
fn memory_that_is_too_short_is_refused() {
    let folder = Folder::new();
    let mut options = folder.options("all.marlin");
    (options.features, options.padded) = (Some("halfka-hm".parse().expect("a set")), Some(64));
    options.batch_size = 10;
    let _ = open(&options).next_batch_into([&mut [0; 640], &mut [0; 639]]);
}

#[test]
#[should_panic(expected = "set `features` and `padded`")]
fn lists_are_not_written_to_the_callers_memory() {
    let _ = open(&Folder::new().options("all.marlin")).next_batch_into([&mut [], &mut []]);
}
