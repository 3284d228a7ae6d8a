//! The rivals for threats: lists of pairs, and the network inputs of these pairs.
//!
//! Results are lists of different lengths, so every implementation keeps them in its own lists. Only their lengths and
//! a sum that distinguishes lists are written to the columns, off the clock. The sum does not depend on the order,
//! because every implementation lists pairs in a different order.

use std::cell::RefCell;
use std::rc::Rc;

use setwise::{Backend, Colour, Kernel, Pieces, leaper, reference};
use setwise_nnue::{FeatureLists, InputNumber, KernelExt, ThreatLists, position};
use setwise_nnue::{FeatureSet, Threat, ThreatList};

use crate::support::columns::AlignedColumn;
use crate::support::groups::{Group, Implementation};
use crate::support::inputs::{Dataset, Reads};
use crate::support::rivals::threats::{Buffer, INPUTS, LongBuffer, magic};
use crate::support::single;

/// Lists one after another, with the end of each.
struct Flat<T = u16> {
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

/// A list in two words, whatever its order.
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

/// An implementation that fills its own state, and a function that reads it.
fn keeps<S: Default + 'static>(
    name: &'static str,
    block: usize,
    run: impl Fn(&Dataset, &mut S) + 'static,
    tell: impl Fn(&S, &mut [AlignedColumn]) + 'static,
) -> Implementation {
    let state = Rc::new(RefCell::new(S::default()));
    let told = Rc::clone(&state);
    Implementation {
        collect: Box::new(move |answers| tell(&told.borrow(), answers)),
        ..Implementation::new(name, block, move |dataset, _| run(dataset, &mut state.borrow_mut()))
    }
}

/// A way to list the pairs of one position.
fn one_by_one(
    name: &'static str,
    pairs: impl Fn(&Pieces, &mut Buffer) -> usize + 'static,
) -> Implementation {
    let run = move |dataset: &Dataset, flat: &mut Flat| {
        flat.clear();
        let mut buffer = [0; 512];
        for pieces in &dataset.rows {
            let len = pairs(pieces, &mut buffer);
            flat.push(&buffer[..len]);
        }
    };
    keeps(name, 1, run, |flat, answers| summarise(flat.lists(), &mut answers[0]))
}

/// Rivals that take one position at a time.
fn rivals() -> Vec<Implementation> {
    let mut rivals = vec![one_by_one("magic-loop", magic)];
    #[cfg(target_arch = "x86_64")]
    {
        use crate::support::rivals::threats::byteboard::{Byteboard, pairs};
        if let Some(token) = Byteboard::detect() {
            rivals.push(one_by_one("byteboard-avx512", move |pieces, buffer| {
                // SAFETY: the token in hand proves that the processor has the features.
                unsafe { pairs(token, pieces, buffer) }
            }));
        }
    }
    rivals
}

/// The threats in many positions.
pub fn pairs() -> Group {
    let mut implementations = rivals();
    implementations.extend(Kernel::available().map(|kernel| {
        let backend = kernel.backend();
        let run = move |dataset: &Dataset, lists: &mut ThreatLists| {
            kernel.threats(dataset.positions(), lists);
        };
        keeps(backend.name(), backend.boards_per_block(), run, |lists, answers| {
            for (list, row) in lists.iter().zip(answers[0].chunks_exact_mut(2)) {
                row.copy_from_slice(&summary(list.iter().map(|threat| threat.bits())));
            }
        })
    }));
    Group { name: "threats-bulk", implementations, ..group() }
}

/// The threats in one position at a time.
pub fn position() -> Group {
    let mut implementations = rivals();
    // Into a list that is kept, as the rivals do.
    let ours = |name, write: fn(Kernel, &Pieces, &mut ThreatList), kernel| {
        let run = move |dataset: &Dataset, flat: &mut Flat<Threat>| {
            flat.clear();
            let mut list = ThreatList::default();
            for pieces in &dataset.rows {
                write(kernel, pieces, &mut list);
                flat.push(&list);
            }
        };
        keeps(name, 1, run, |flat, answers| {
            for (list, row) in flat.lists().zip(answers[0].chunks_exact_mut(2)) {
                row.copy_from_slice(&summary(list.iter().map(|threat| threat.bits())));
            }
        })
    };
    let built_in = |_: Kernel, pieces: &Pieces, list: &mut ThreatList| {
        position::write_threats(pieces, list);
    };
    implementations.push(ours(single::built_in(), built_in, Kernel::detect()));
    for (backend, name) in [
        (Backend::Scalar, "in-hand-scalar"),
        (Backend::Avx2, "in-hand-avx2"),
        (Backend::Avx512, "in-hand-avx512"),
        (Backend::Avx512Gfni, "in-hand-avx512-gfni"),
    ] {
        if let Ok(kernel) = Kernel::new(backend) {
            let in_hand = |kernel: Kernel, pieces: &Pieces, list: &mut ThreatList| {
                setwise_nnue::NnueKernel::of(kernel).write_threats(pieces, list);
            };
            implementations.push(ours(name, in_hand, kernel));
        }
    }
    Group { name: "position-threats", implementations, ..group() }
}

/// A group for pairs, without implementations.
fn group() -> Group {
    Group {
        name: "",
        reads: Reads::Positions,
        columns: 1,
        together: 2,
        reference: |dataset, row| {
            summary(pairs_by_walk(&dataset.rows[row]).map(|[from, to]| from | to << 8)).to_vec()
        },
        implementations: Vec::new(),
    }
}

/// A loop over positions that writes the inputs of both perspectives to buffers.
fn loops<T: Copy + Default + Into<u64> + 'static, const LEN: usize>(
    name: &'static str,
    inputs: fn(&Pieces, &mut [[T; LEN]; 2]) -> [usize; 2],
) -> Implementation {
    let run = move |dataset: &Dataset, both: &mut [Flat<T>; 2]| {
        both.iter_mut().for_each(Flat::clear);
        let mut buffers = [[T::default(); LEN]; 2];
        for pieces in &dataset.rows {
            let lens = inputs(pieces, &mut buffers);
            for ((flat, buffer), len) in both.iter_mut().zip(&buffers).zip(lens) {
                flat.push(&buffer[..len]);
            }
        }
    };
    keeps(name, 1, run, |both, answers| {
        for (flat, column) in both.iter().zip(answers) {
            summarise(flat.lists(), column);
        }
    })
}

/// The kernels' inputs of a set.
fn kernels<N: InputNumber + Default + Into<u64> + 'static>(
    set: &'static FeatureSet,
) -> impl Iterator<Item = Implementation> {
    Kernel::available().map(move |kernel| {
        let backend = kernel.backend();
        let run = move |dataset: &Dataset, lists: &mut FeatureLists<N>| {
            kernel.features(set, dataset.positions(), lists).expect("a king a side");
        };
        keeps(backend.name(), backend.boards_per_block(), run, |lists, answers| {
            for (lists, column) in [&lists.white, &lists.black].into_iter().zip(answers) {
                summarise(lists.iter(), column);
            }
        })
    })
}

/// The inputs of both perspectives of many positions.
pub fn features() -> Group {
    let set = &FeatureSet::STOCKFISH_THREATS_2026_08;
    let mut implementations = vec![
        loops("magic-loop", |pieces, buffers: &mut [Buffer; 2]| INPUTS.twice(pieces, buffers)),
        loops("magic-loop-once", |pieces, buffers: &mut [Buffer; 2]| INPUTS.once(pieces, buffers)),
    ];
    implementations.extend(kernels::<u16>(set));
    Group {
        name: "features-bulk",
        columns: 2,
        reference: |dataset, row| {
            let pieces = &dataset.rows[row];
            let inputs = Colour::ALL.map(|colour| {
                let set = &FeatureSet::STOCKFISH_THREATS_2026_08;
                let view = set.perspective(pieces, colour).expect("a king a side");
                let pairs = pairs_by_walk(pieces).map(|pair| pair.map(|square| square as u8));
                summary(pairs.filter_map(|[from, to]| view.input(pieces, Threat::new(from, to))))
            });
            inputs.concat()
        },
        implementations,
        ..group()
    }
}

/// The inputs of three blocks, both perspectives: those of the trainer of Stockfish's networks.
pub fn blocks() -> Group {
    let mut implementations = vec![loops("magic-loop", |pieces, buffers: &mut [LongBuffer; 2]| {
        INPUTS.all_blocks(pieces, buffers)
    })];
    implementations.extend(kernels::<u32>(&FeatureSet::NNUE_PYTORCH_2026_07));
    Group {
        name: "features-blocks-bulk",
        columns: 2,
        reference: |dataset, row| {
            let pieces = &dataset.rows[row];
            let inputs = Colour::ALL.map(|colour| summary(all_blocks(pieces, colour)));
            inputs.concat()
        },
        implementations,
        ..group()
    }
}

/// The inputs of the three blocks one after another, in plain words.
fn all_blocks(pieces: &Pieces, side: Colour) -> Vec<u32> {
    let set = &FeatureSet::NNUE_PYTORCH_2026_07;
    let view = set.perspective(pieces, side).expect("a king a side");
    let pairs = pairs_by_walk(pieces).map(|pair| pair.map(|square| square as u8));
    let threats = pairs.filter_map(|[from, to]| view.input(pieces, Threat::new(from, to)));
    let mut inputs: Vec<u32> = threats.collect();
    let on = |square: u8| pieces.at(square).map(|(colour, role)| (square, colour != side, role));
    let king = (0..64).find(|&square| on(square) == Some((square, false, setwise::Role::King)));
    let king = king.expect("a king");
    let turn = |square: u8| if side == Colour::Black { square ^ 56 } else { square };
    // The first blocks see the king on the left half, the last one on the right half.
    let on_the_left = |square: u8| turn(if king % 8 < 4 { square } else { square ^ 7 });
    let on_the_right = |square: u8| on_the_left(square) ^ 7;
    let pawns: Vec<(u8, u32)> = (0..64)
        .filter_map(on)
        .filter(|&(square, _, role)| role == setwise::Role::Pawn && (8..56).contains(&square))
        .map(|(square, is_enemy, _)| {
            (square % 8, u32::from(on_the_left(square)) - 8 + 48 * u32::from(is_enemy))
        })
        .collect();
    for (i, (file, pawn)) in pawns.iter().enumerate() {
        for (_, other) in pawns[..i].iter().filter(|(other, _)| file.abs_diff(*other) <= 1) {
            let (high, low) = (pawn.max(other), pawn.min(other));
            inputs.push(59_808 + high * (high - 1) / 2 + low);
        }
    }
    let king = on_the_right(king);
    let bucket = 31 - 4 * u32::from(king / 8) - u32::from(king % 8 - 4);
    inputs.extend((0..64).filter_map(on).map(|(square, is_enemy, role)| {
        let plane = 2 * role as u32 + u32::from(is_enemy);
        64_368 + 768 * bucket + 64 * plane + u32::from(on_the_right(square))
    }));
    inputs
}

/// The pairs of a position, by the ray walk and the leapers' tables.
pub fn pairs_by_walk(pieces: &Pieces) -> impl Iterator<Item = [u16; 2]> {
    let occupied = pieces.occupied();
    (0..64_u8).flat_map(move |square| {
        let attacks = pieces.at(square).map_or(0, |(colour, role)| {
            use setwise::Role;
            let slides = |orthogonal: u64, diagonal: u64| {
                reference::slider_attacks(orthogonal, diagonal, occupied)
            };
            let here = 1 << square;
            match role {
                Role::Pawn => leaper::PAWN_ATTACKS[colour as usize][usize::from(square)],
                Role::Knight => leaper::KNIGHT_ATTACKS[usize::from(square)],
                Role::Bishop => slides(0, here),
                Role::Rook => slides(here, 0),
                Role::Queen => slides(here, here),
                Role::King => leaper::KING_ATTACKS[usize::from(square)],
            }
        });
        let hits = attacks & occupied;
        (0..64).filter(move |to| hits >> to & 1 == 1).map(move |to| [u16::from(square), to])
    })
}
