//! The groups for threats: lists of pairs, and the network inputs for these pairs.
//!
//! Results are lists of different lengths, so every implementation stores them in its own lists. Only their lengths and
//! hashes are written to the columns, outside the timing. The hash does not depend on the order, because
//! implementations list pairs in different orders.

use setwise::{Kernel, Pieces};
use setwise_nnue::{FeatureLists, FeatureSet, InputNumber, KernelExt, ThreatLists};

use crate::support::columns::AlignedColumn;
use crate::support::groups::{Group, Implementation};
use crate::support::inputs::{Dataset, Reads};
#[cfg(target_arch = "x86_64")]
use crate::support::rivals::byteboard;
use crate::support::rivals::threats::{Buffer, INPUTS, LongBuffer, magic};

/// Concatenated lists, with the end of each list.
struct Flat<T> {
    ends: Vec<usize>,
    items: Vec<T>,
}

impl<T> Default for Flat<T> {
    fn default() -> Self {
        Self { ends: Vec::new(), items: Vec::new() }
    }
}

impl<T: Copy> Flat<T> {
    fn clear(&mut self) {
        self.ends.clear();
        self.items.clear();
    }

    #[inline(always)]
    fn push(&mut self, list: &[T]) {
        self.items.extend_from_slice(list);
        self.ends.push(self.items.len());
    }

    fn lists(&self) -> impl Iterator<Item = &[T]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let list = &self.items[start..end];
            start = end;
            list
        })
    }
}

/// The length of a list, and a hash that does not depend on its order.
fn summary<T: Into<u64>>(list: impl IntoIterator<Item = T>) -> [u64; 2] {
    list.into_iter().fold([0; 2], |[len, sum], item| {
        let mixed = item.into().wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        [len + 1, sum.wrapping_add(mixed ^ mixed >> 29)]
    })
}

/// Writes the summaries of lists to a column, two words per row.
fn summarise<'a, T: Copy + Into<u64> + 'a>(
    lists: impl Iterator<Item = &'a [T]>,
    column: &mut [u64],
) {
    for (list, row) in lists.zip(column.chunks_exact_mut(2)) {
        row.copy_from_slice(&summary(list.iter().copied()));
    }
}

/// A rival that processes one position at a time and stores its result.
fn one_by_one<S: Default + 'static>(
    name: &'static str,
    run: impl Fn(&mut S, &Dataset) + 'static,
    collect: impl Fn(&S, &mut [AlignedColumn]) + 'static,
) -> Implementation {
    let run = move |state: &mut S, dataset: &Dataset, _: &mut [AlignedColumn]| run(state, dataset);
    Implementation::with_state(name, 1, S::default(), |_, _| (), run, collect)
}

/// A rival that lists the pairs of one position at a time.
fn lists(
    name: &'static str,
    pairs: impl Fn(&Pieces, &mut Buffer) -> usize + 'static,
) -> Implementation {
    let run = move |flat: &mut Flat<u16>, dataset: &Dataset| {
        flat.clear();
        let mut buffer = [0; 512];
        for pieces in &dataset.rows {
            let len = pairs(pieces, &mut buffer);
            flat.push(&buffer[..len]);
        }
    };
    one_by_one(name, run, |flat, answers| summarise(flat.lists(), &mut answers[0]))
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
            for (list, row) in lists.iter().zip(answers[0].chunks_exact_mut(2)) {
                row.copy_from_slice(&summary(list.iter().map(|threat| threat.bits())));
            }
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
    let run = move |both: &mut [Flat<T>; 2], dataset: &Dataset| {
        both.iter_mut().for_each(Flat::clear);
        let mut buffers = [[T::default(); LEN]; 2];
        for pieces in &dataset.rows {
            let lens = inputs(pieces, &mut buffers);
            for ((flat, buffer), len) in both.iter_mut().zip(&buffers).zip(lens) {
                flat.push(&buffer[..len]);
            }
        }
    };
    one_by_one(name, run, |both, answers| {
        for (flat, column) in both.iter().zip(answers) {
            summarise(flat.lists(), column);
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
                summarise(lists.iter(), column);
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
