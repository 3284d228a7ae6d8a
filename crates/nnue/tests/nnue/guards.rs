//! Guard pages, as in the tests of [`setwise`]: calls with inputs and outputs that end at an inaccessible page or start
//! after one.

use setwise::{ByColour, Colour, Kernel};
use setwise_nnue::{FeatureLists, FeatureSet, KernelExt, ThreatLists, position};

use crate::common::on_every_backend;
use crate::guard_pages::{Forms, GUARDS, MOST, guarded, lengths, sample, say};

on_every_backend! {
    many_positions
    one_position
}

/// All blocks, in rows as in the trainer of Stockfish's networks.
const BLOCKS: &FeatureSet = &FeatureSet::NNUE_PYTORCH_2026_07;
const WIDTH: usize = BLOCKS.row_width();

fn many_positions(kernel: Kernel) {
    let mut calls = 0;
    let set = &FeatureSet::STOCKFISH_THREATS_2026_08;
    let sample = sample();
    let mut pairs = ThreatLists::new();
    kernel.threats(&sample.positions, &mut pairs);
    let mut inputs = FeatureLists::<u16>::default();
    kernel.features(set, &sample.positions, &mut inputs).expect("a king a side");
    let mut of_blocks = FeatureLists::<u32>::default();
    kernel.features(BLOCKS, &sample.positions, &mut of_blocks).expect("a king a side");
    for (guard, rows) in lengths() {
        let forms = Forms::new(kernel, guard, rows);
        for positions in forms.each() {
            // The lists are new, so that their buffers are guarded too.
            let lists = guarded(guard, || {
                let mut lists = ThreatLists::new();
                kernel.threats(positions, &mut lists);
                lists
            });
            assert_eq!(lists.len(), rows);
            assert!(lists.iter().eq(pairs.iter().take(rows)), "{guard:?} {rows}");

            let (narrow, wide) = guarded(guard, || {
                let mut narrow = FeatureLists::<u16>::default();
                let mut wide = FeatureLists::<u32>::default();
                kernel.features(set, positions, &mut narrow).expect("a king a side");
                kernel.features(BLOCKS, positions, &mut wide).expect("a king a side");
                (narrow, wide)
            });
            let mut filled = guarded(guard, || ByColour::new(|_| vec![0; rows * WIDTH]));
            let ByColour { white, black } = &mut filled;
            let sides = ByColour { white: &mut white[..], black: &mut black[..] };
            kernel.feature_rows(BLOCKS, positions, WIDTH, sides).expect("a king a side");
            for colour in Colour::ALL {
                assert_eq!((narrow[colour].len(), wide[colour].len()), (rows, rows));
                for (row, right) in inputs[colour].iter().take(rows).enumerate() {
                    let got = narrow[colour].get(row).expect("a list");
                    assert_eq!(got, right, "{guard:?} {row} of {rows}");
                    let right = of_blocks[colour].get(row).expect("a list");
                    assert_eq!(wide[colour].get(row), Some(right), "{guard:?} {row} of {rows}");
                    let (used, rest) = filled[colour][row * WIDTH..][..WIDTH].split_at(right.len());
                    assert!(used.iter().zip(right).all(|(&got, &right)| got as u32 == right));
                    assert!(rest.iter().all(|&input| input == -1), "{guard:?} {row} of {rows}");
                }
            }
            calls += 4;
        }
    }
    say(kernel, "threats and features", calls);
}

fn one_position(kernel: Kernel) {
    let (sample, nnue) = (sample(), position::NnueKernel::of(kernel));
    for guard in GUARDS {
        for (i, plain) in sample.positions.iter().enumerate() {
            let pieces = &*guarded(guard, || Box::new(*plain));
            let next = &sample.positions[(i + 1) % MOST];
            let after = &*guarded(guard, || Box::new(*next));
            assert_eq!(nnue.threats(pieces), position::threats(plain));
            assert_eq!(nnue.threats_changed(pieces, after), position::threats_changed(plain, next));
        }
    }
}
