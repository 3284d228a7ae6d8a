//! The groups for threats: lists of pairs, and the network inputs for these pairs.
//!
//! Results are lists of different lengths, so every implementation stores them in its own lists. Only their lengths and
//! hashes are written to the columns, outside the timing. The hash does not depend on the order, because
//! implementations list pairs in different orders.

use setwise::{Kernel, Lists, Pieces};
use setwise_nnue::{FeatureLists, FeatureSet, InputNumber, KernelExt, ThreatLists};

use crate::support::groups::{Group, Implementation};
use crate::support::inputs::{Dataset, Reads};
#[cfg(target_arch = "x86_64")]
use crate::support::rivals::byteboard;
use crate::support::rivals::threats::{Buffer, INPUTS, LongBuffer, magic};

/// The length of a list, and a hash that does not depend on its order.
fn summary(list: impl Iterator<Item = u64>) -> [u64; 2] {
    list.fold([0; 2], |[len, sum], item| {
        let mixed = item.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        [len + 1, sum.wrapping_add(mixed ^ mixed >> 29)]
    })
}

/// Appends a list.
#[inline(always)]
fn push<T: Copy + Default>(lists: &mut Lists<T>, list: &[T]) {
    lists.space(list.len())[..list.len()].copy_from_slice(list);
    lists.push(list.len());
}

/// Writes the summaries of lists to a column, two words per row.
fn summarise<T: Copy + Default>(lists: &Lists<T>, word: fn(T) -> u64, column: &mut [u64]) {
    for (list, row) in lists.iter().zip(column.chunks_exact_mut(2)) {
        row.copy_from_slice(&summary(list.iter().map(|&item| word(item))));
    }
}

/// A rival that lists the pairs of one position at a time.
fn lists(
    name: &'static str,
    pairs: impl Fn(&Pieces, &mut Buffer) -> usize + 'static,
) -> Implementation {
    let run = move |lists: &mut Lists<u16>, dataset: &Dataset| {
        lists.start(dataset.len());
        let mut buffer = [0; 512];
        for pieces in &dataset.rows {
            let len = pairs(pieces, &mut buffer);
            push(lists, &buffer[..len]);
        }
    };
    Implementation::with_result(name, 1, run, |lists, answers| {
        summarise(lists, u64::from, &mut answers[0]);
    })
}

/// The group for threats.
pub fn pairs() -> Group {
    let mut implementations = vec![lists("magic-loop", magic)];
    #[cfg(target_arch = "x86_64")]
    if setwise::processor::Features::Avx512Gfni.is_available() {
        implementations.push(lists("byteboard-avx512", |pieces, buffer| {
            // SAFETY: the processor has the features.
            unsafe { byteboard::pairs(pieces, buffer) }
        }));
    }
    implementations.extend(Kernel::available().map(|kernel| {
        let run = move |lists: &mut ThreatLists, dataset: &Dataset| {
            kernel.threats(dataset.positions(), lists);
        };
        Implementation::of_kernel(kernel, run, |lists, answers| {
            summarise(lists, |threat| threat.bits().into(), &mut answers[0]);
        })
    }));
    group("threats-bulk", 1, implementations)
}

fn group(name: &'static str, columns: usize, implementations: Vec<Implementation>) -> Group {
    Group { name, reads: Reads::Positions, columns, per_board: 2, implementations }
}

/// A rival that writes the inputs of both perspectives of each position to buffers.
fn loops<T: Copy + Default + Into<u64> + 'static, const LEN: usize>(
    name: &'static str,
    inputs: fn(&Pieces, &mut [[T; LEN]; 2]) -> [usize; 2],
) -> Implementation {
    let run = move |both: &mut [Lists<T>; 2], dataset: &Dataset| {
        both.iter_mut().for_each(|lists| lists.start(dataset.len()));
        let mut buffers = [[T::default(); LEN]; 2];
        for pieces in &dataset.rows {
            let lens = inputs(pieces, &mut buffers);
            for ((lists, buffer), len) in both.iter_mut().zip(&buffers).zip(lens) {
                push(lists, &buffer[..len]);
            }
        }
    };
    Implementation::with_result(name, 1, run, |both, answers| {
        for (lists, column) in both.iter().zip(answers) {
            summarise(lists, T::into, column);
        }
    })
}

/// The kernels of this library, for the inputs of a feature set.
fn kernels<N: InputNumber + Default + Into<u64> + 'static>(
    set: &'static FeatureSet,
) -> impl Iterator<Item = Implementation> {
    Kernel::available().map(move |kernel| {
        let run = move |lists: &mut FeatureLists<N>, dataset: &Dataset| {
            kernel.features(set, dataset.positions(), lists).expect("a king a side");
        };
        Implementation::of_kernel(kernel, run, |lists, answers| {
            for (lists, column) in [&lists.white, &lists.black].into_iter().zip(answers) {
                summarise(lists, N::into, column);
            }
        })
    })
}

/// The group for the inputs of threats, for both perspectives.
pub fn features() -> Group {
    let mut implementations = vec![
        loops("magic-loop", |pieces, buffers: &mut [Buffer; 2]| INPUTS.twice(pieces, buffers)),
        loops("magic-loop-once", |pieces, buffers: &mut [Buffer; 2]| INPUTS.once(pieces, buffers)),
    ];
    implementations.extend(kernels::<u16>(&FeatureSet::STOCKFISH_THREATS_2026_08));
    group("features-bulk", 2, implementations)
}

/// The group for the inputs of three blocks, for both perspectives, as in the trainer for Stockfish's networks.
pub fn blocks() -> Group {
    let mut implementations = vec![loops("magic-loop", |pieces, buffers: &mut [LongBuffer; 2]| {
        INPUTS.all_blocks(pieces, buffers)
    })];
    implementations.extend(kernels::<u32>(&FeatureSet::NNUE_PYTORCH_2026_07));
    group("features-blocks-bulk", 2, implementations)
}
