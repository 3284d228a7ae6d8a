//! The union of the rays of many blocks, with the transposes of one block between the sweeps of another.
//!
//! Intel's cores execute unpacks on one port and logic on two or three. One block's transposes and sweeps depend on each
//! other, and a block is too long for the processor to look ahead to the next one, so they take their times one after
//! the other. Here both are in the same stretch of code:
//!
//! ```text
//! diagonals of block n        joins the union of block n - 1, splits the orthogonal sliders of block n     28 pairs
//! files and ranks of block n  splits the occupied squares and the diagonal sliders of block n + 1          32 pairs
//! ```
//!
//! The compiler would sort the instructions by their dependencies again, and spill more. [`Bytes::tie`] prevents that: it
//! makes one value of each of the two streams depend on the other, at no cost. `docs/notebook.md` says which values were
//! tried.

use crate::boards::block::next;
use crate::boards::bytes::{Bytes, in_memory_order, in_rank_order, rank_east, unpack_pair};
use crate::boards::{for_ranks, inlined};

/// Unpacks pair `n` of 16 of [`Bytes::from_boards`], and returns its second vector. The first four load their vectors.
#[inline(always)]
fn split<'v, V: Bytes>(v: &'v mut [V; 8], n: usize, boards: &[u64]) -> &'v mut V {
    if n < 4 {
        v[2 * n] = V::load_vector(&boards[V::eighth(2 * n)]);
        v[2 * n + 1] = V::load_vector(&boards[V::eighth(2 * n + 1)]);
    }
    let last = match n / 4 {
        0 | 3 => unpack_pair::<V, 1>(v, n % 4),
        1 => unpack_pair::<V, 2>(v, n % 4),
        _ => unpack_pair::<V, 4>(v, n % 4),
    };
    &mut v[last]
}

/// Unpacks pair `n` of 12 of [`Bytes::to_boards`], and returns its second vector. The last four store their vectors.
#[inline(always)]
fn join<'v, V: Bytes>(v: &'v mut [V; 8], n: usize, boards: &mut [u64]) -> &'v mut V {
    /// The index of each vector among the boards.
    const ORDER: [usize; 8] = [0, 4, 2, 6, 1, 5, 3, 7];
    let last = match n / 4 {
        0 => unpack_pair::<V, 4>(v, n % 4),
        1 => unpack_pair::<V, 2>(v, n % 4),
        _ => unpack_pair::<V, 1>(v, n % 4),
    };
    if n >= 8 {
        v[last - 1].store_vector(&mut boards[V::eighth(ORDER[last - 1])]);
        v[last].store_vector(&mut boards[V::eighth(ORDER[last])]);
    }
    &mut v[last]
}

/// [`Bytes::extend`], or the sliders alone on the rank from which a sweep starts.
#[inline(always)]
fn extend<V: Bytes>(starts: bool, ray: V, sliders: V, occupied: V) -> V {
    if starts { sliders } else { V::extend(ray, sliders, occupied) }
}

/// Computes the union of the rays along diagonals, joins the union of the previous block, and splits the orthogonal
/// sliders. Returns the union and these.
#[inline(always)]
fn diagonals<V: Bytes>(
    [o, d]: [[V; 8]; 2],
    (last, previous): ([V; 8], &mut [u64]),
    orthogonal: &[u64],
) -> [[V; 8]; 2] {
    let mut union_out = in_memory_order(last);
    let (mut orthogonal_in, mut union) = ([V::splat(0); 8], [V::splat(0); 8]);
    // Pair `n` of both transposes: first the union's, then the orthogonal sliders'.
    let mut pair = inlined(
        #[inline(always)]
        |n, with: &mut V| {
            if n < 12 {
                V::tie(with, join(&mut union_out, n, previous));
            } else if n < 28 {
                V::tie(with, split(&mut orthogonal_in, n - 12, orthogonal));
            }
        },
    );
    let [mut east, mut west] = [V::splat(0); 2];
    for_ranks!(k in 0 1 2 3 4 5 6 7 => {
        union[k] = east.or(west);
        pair(2 * k, &mut union[k]);
        if k < 7 {
            west = extend(k == 0, west, d[k], o[k]).west();
            east = extend(k == 0, east, d[k], o[k]).east();
            pair(2 * k + 1, &mut west);
        } else {
            pair(2 * k + 1, &mut union[k]);
        }
    });
    [east, west] = [V::splat(0); 2];
    for_ranks!(k in 7 6 5 4 3 2 1 0 => {
        union[k] = union[k].or(east).or(west);
        pair(2 * (15 - k), &mut union[k]);
        if k > 0 {
            west = extend(k == 7, west, d[k], o[k]).west();
            east = extend(k == 7, east, d[k], o[k]).east();
            pair(2 * (15 - k) + 1, &mut west);
        }
    });
    [union, in_rank_order(orthogonal_in)]
}

/// Adds the rays along files and ranks, and splits the occupied squares and the diagonal sliders of the next block.
/// Returns the union and these.
#[inline(always)]
fn lines<V: Bytes>(
    [o, r, mut union]: [[V; 8]; 3],
    occupied: &[u64],
    diagonal: &[u64],
) -> [[V; 8]; 3] {
    let (mut occupied_in, mut diagonal_in) = ([V::splat(0); 8], [V::splat(0); 8]);
    let mut pair = inlined(
        #[inline(always)]
        |n, with: &mut V| {
            if n < 16 {
                V::tie(with, split(&mut occupied_in, n, occupied));
            } else {
                V::tie(with, split(&mut diagonal_in, n - 16, diagonal));
            }
        },
    );
    // Four pairs next to the rays along each rank.
    let mut file = V::splat(0);
    for_ranks!(k in 7 6 5 4 3 2 1 0 => {
        union[k] = union[k].or(file);
        file = extend(k == 7, file, r[k], o[k]);
    });
    let mut file = V::splat(0);
    for_ranks!(k in 0 1 2 3 4 5 6 7 => {
        let (o, r) = (o[k], r[k]);
        union[k] = union[k].or(file).or(rank_east(r, o));
        let mut open = V::splat(0x7f).and_not(o);
        let mut fill = V::extend_over(r.shift_right::<1>(), r, open);
        pair(4 * k, &mut union[k]);
        open = open.and(open.shift_right::<1>());
        fill = V::extend_over(fill.shift_right::<2>(), fill, open);
        pair(4 * k + 1, &mut open);
        open = open.and(open.shift_right::<2>());
        fill = V::extend_over(fill.shift_right::<4>(), fill, open);
        pair(4 * k + 2, &mut union[k]);
        union[k] = V::extend_over(fill.shift_right::<1>(), union[k], V::splat(0x7f));
        pair(4 * k + 3, &mut open);
        file = extend(k == 0, file, r, o);
    });
    [union, in_rank_order(occupied_in), in_rank_order(diagonal_in)]
}

/// Computes the unions of at least one block of rows.
#[inline(always)]
pub(super) fn unions<V: Bytes>(columns: [&[u64]; 3], attacks: &mut [u64]) {
    // One length, so that one check covers all columns.
    let [occupied, orthogonal, diagonal] = columns.map(|column| &column[..attacks.len()]);
    let (mut o, mut d) = (V::load(&occupied[..V::COUNT]), V::load(&diagonal[..V::COUNT]));
    // The first iteration stores zeros, which the second replaces.
    let (mut last, mut stored) = ([V::splat(0); 8], 0);
    let mut block = Some(0);
    while let Some(at) = block {
        block = next(at, attacks.len(), V::COUNT);
        let from = block.unwrap_or(at);
        // All slices before the computation: a check inside would cut it in two for the compiler.
        let (rows, next) = (at..at + V::COUNT, from..from + V::COUNT);
        let (occupied, diagonal) = (&occupied[next.clone()], &diagonal[next]);
        let orthogonal = &orthogonal[rows];
        let previous = &mut attacks[stored..stored + V::COUNT];
        let [union, r] = diagonals([o, d], (last, previous), orthogonal);
        [last, o, d] = lines([o, r, union], occupied, diagonal);
        stored = at;
    }
    V::store(last, &mut attacks[stored..stored + V::COUNT]);
}
