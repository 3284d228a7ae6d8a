//! Tests every operation of every vector separately, against plain bytes and words.

use std::vec::Vec;

#[cfg(target_arch = "x86_64")]
use super::Backend;
#[cfg(target_arch = "x86_64")]
use super::{avx2::Avx2, avx512::Avx512};
use crate::boards::bytes::{Bytes, fence};
use crate::pieces::Pieces;

/// Words in whole cache lines.
#[repr(align(64))]
struct Lines([u64; 80]);

/// A vector with the given bytes in its lanes, in memory order.
fn vector<V: Bytes>(lanes: &[u8]) -> V {
    let word = |word: &[u8]| u64::from_ne_bytes(word.try_into().unwrap());
    V::load_vector(&lanes.chunks_exact(8).map(word).collect::<Vec<u64>>())
}

fn lanes<V: Bytes>(vector: V) -> Vec<u8> {
    let mut words = std::vec![0; V::COUNT / 8];
    vector.store_vector(&mut words);
    words.into_iter().flat_map(u64::to_ne_bytes).collect()
}

/// The rays to the west of one byte, square by square.
fn west(sliders: u8, occupied: u8) -> u8 {
    let mut seen = 0;
    for from in (0..8).filter(|from| sliders >> from & 1 == 1) {
        for to in (0..from).rev() {
            seen |= 1 << to;
            if (occupied | sliders) >> to & 1 == 1 {
                break;
            }
        }
    }
    seen
}

/// A vector with the given 16-bit words, in memory order.
fn vector_of_words<V: Bytes>(words: &[u16]) -> V {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    vector(&bytes)
}

fn words<V: Bytes>(vector: V) -> Vec<u16> {
    let bytes = lanes(vector);
    bytes.chunks_exact(2).map(|word| u16::from_ne_bytes(word.try_into().unwrap())).collect()
}

/// A third value that, with the first two, covers all eight states of every bit.
fn third(a: u8) -> u8 {
    a.rotate_left(4)
}

fn third_of(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().copied().map(third).collect()
}

/// Checks every operation of [`Bytes`] separately.
fn check<V: Bytes>() {
    check_bytes::<V>();
    check_words::<V>();
    check_whole_boards::<V>();
    check_ranks::<V>();
    check_positions::<V>();
    check_numbers::<V>();
    check_memory::<V>();
}

/// Checks operations on bytes against plain arithmetic: every pair of values, each value in every lane.
fn check_bytes<V: Bytes>() {
    for value in 0..=255 {
        assert_eq!(lanes(V::splat(value)), std::vec![value; V::COUNT]);
    }
    let bytes = |start: usize, step: usize| -> Vec<u8> {
        (0..V::COUNT).map(|lane| (start + lane * step) as u8).collect()
    };
    let (a, b) = (bytes(0, 1), bytes(128, 1));
    let (va, vb) = (vector::<V>(&a), vector::<V>(&b));
    for (half, unpacked) in [va.unpack_low(vb), va.unpack_high(vb)].into_iter().enumerate() {
        let halves = (8 * half..V::COUNT).step_by(16);
        let in_turns: Vec<u8> =
            halves.flat_map(|i| (i..i + 8).flat_map(|i| [a[i], b[i]])).collect();
        assert_eq!(lanes(unpacked), in_turns, "half {half} of {a:?} and {b:?}");
    }
    for first in 0..256 {
        for second in 0..256 {
            let (a, b) = (bytes(first, 1), bytes(second, 37));
            let (va, vb) = (vector::<V>(&a), vector::<V>(&b));
            let same = |name, result: V, expected: &dyn Fn(u8, u8) -> u8| {
                let expected: Vec<u8> = a.iter().zip(&b).map(|(&a, &b)| expected(a, b)).collect();
                assert_eq!(lanes(result), expected, "{name} of {a:?} and {b:?}");
            };
            same("and", va.and(vb), &|a, b| a & b);
            same("or", va.or(vb), &|a, b| a | b);
            same("xor", va.xor(vb), &|a, b| a ^ b);
            same("and_not", va.and_not(vb), &|a, b| a & !b);
            same("minus", va.minus(vb), &u8::wrapping_sub);
            same("plus", va.plus(vb), &u8::wrapping_add);
            same("select", va.nonzero().select(vb, va), &|a, b| if a == 0 { a } else { b });
            same("extend", V::extend(va, vb, vector(&third_of(&a))), &|a, b| b | (a & !third(a)));
            let (free, all) = (va.xor(V::splat(0xff)), va);
            same(
                "extend_over",
                V::extend_over(vb, all.and(vector(&third_of(&a))), free),
                &|a, b| (a & third(a)) | (b & !a),
            );
            same("rank_west", V::rank_west(va, vb), &west);
            let mirrored = |s: u8, o: u8| west(s.reverse_bits(), o.reverse_bits()).reverse_bits();
            same("rank", V::rank(va, vb), &|s, o| west(s, o) | mirrored(s, o));
            let c = third_of(&a);
            same("majority", V::majority(va, vb, vector(&c)), &|a, b| {
                (a & b) | (b & third(a)) | (a & third(a))
            });
            same("differs", va.differs(vb, vector(&c)), &|a, b| (a ^ b) | (a ^ third(a)));
        }
        let a = bytes(first, 1);
        let va = vector::<V>(&a);
        let same = |name, result: V, expected: &dyn Fn(u8) -> u8| {
            let expected: Vec<u8> = a.iter().map(|&a| expected(a)).collect();
            assert_eq!(lanes(result), expected, "{name} of {a:?}");
        };
        same("east", va.east(), &|a| a << 1);
        same("west", va.west(), &|a| a >> 1);
        same("two_east", va.two_east(), &|a| a << 2);
        same("two_west", va.two_west(), &|a| a >> 2);
        same("nonzero", va.nonzero(), &|a| if a == 0 { 0 } else { 0xff });
        same("count_ones", va.count_ones(), &|a| a.count_ones() as u8);
        same("reverse", va.reverse(), &u8::reverse_bits);
    }
}

/// Words at which carries, borrows and signs change.
const EDGES: [u16; 20] = [
    0, 1, 2, 0x7f, 0x80, 0xff, 0x100, 0x101, 0x1ff, 0x200, 0x3fff, 0x4000, 0x7ffe, 0x7fff, 0x8000,
    0x8001, 0xff00, 0xff01, 0xfffe, 0xffff,
];

/// Checks operations on 16-bit words against plain arithmetic: shifts of every word in every lane; for two words, every
/// pair of edges and some others, in every lane.
fn check_words<V: Bytes>() {
    for first in 0..=u16::MAX {
        assert_eq!(words(V::splat16(first as i16)), std::vec![first; V::COUNT / 2]);
        let a: Vec<u16> =
            (0..V::COUNT as u16 / 2).map(|i| first.wrapping_add(i.wrapping_mul(40_503))).collect();
        let va = vector_of_words::<V>(&a);
        let same = |bits, result: V| {
            let expected: Vec<u16> = a.iter().map(|a| a >> bits).collect();
            assert_eq!(words(result), expected, "{a:?} shifted right by {bits}");
        };
        same(1, va.shift_right::<1>());
        same(2, va.shift_right::<2>());
        same(4, va.shift_right::<4>());
        same(8, va.shift_right::<8>());
    }

    let mut values = EDGES.to_vec();
    // The others are the high bits of the powers of an odd number.
    let mut power = 1u32;
    values.resize_with(EDGES.len() + 44, || {
        power = power.wrapping_mul(0x915f_77f5);
        (power >> 16) as u16
    });
    let pick = |start: usize, step: usize| -> Vec<u16> {
        (0..V::COUNT / 2).map(|i| values[(start + i * step) % values.len()]).collect()
    };
    for first in 0..values.len() {
        for second in 0..values.len() {
            let (a, b) = (pick(first, 1), pick(second, 5));
            let (va, vb) = (vector_of_words::<V>(&a), vector_of_words::<V>(&b));
            let same = |name, result: V, expected: &dyn Fn(u16, u16) -> u16| {
                let expected: Vec<u16> = a.iter().zip(&b).map(|(&a, &b)| expected(a, b)).collect();
                assert_eq!(words(result), expected, "{name} of {a:?} and {b:?}");
            };
            same("plus16", va.plus16(vb), &u16::wrapping_add);
            same("minus16", va.minus16(vb), &u16::wrapping_sub);
            same("times16", va.times16(vb), &u16::wrapping_mul);
            same("less16", va.less16(vb), &|a, b| {
                if (a as i16) < b as i16 { 0xffff } else { 0 }
            });
        }
    }
}

/// Boards whose bytes count up modulo 251, so that a misplaced byte is detected.
fn counting_boards<V: Bytes>() -> Vec<u64> {
    (0..V::COUNT as u64)
        .map(|i| u64::from_le_bytes([0, 1, 2, 3, 4, 5, 6, 7].map(|k| ((8 * i + k) % 251) as u8)))
        .collect()
}

/// Checks operations on whole boards, an eighth of them at a time.
fn check_whole_boards<V: Bytes>() {
    let boards = counting_boards::<V>();
    for i in 0..8 {
        let part = &boards[V::eighth(i)];
        let taken = V::load_vector(part);
        let put = |vector: V| {
            let mut buffer = std::vec![0; part.len() + 2];
            let inside = 1..part.len() + 1;
            vector.store_vector(&mut buffer[inside.clone()]);
            assert_eq!([buffer[0], buffer[part.len() + 1]], [0; 2], "written outside the boards");
            buffer[inside].to_vec()
        };
        let moved = |by: fn(u64) -> u64| part.iter().copied().map(by).collect::<Vec<u64>>();
        assert_eq!(put(taken), part);
        assert_eq!(put(taken.north::<1>()), moved(|board| board << 8));
        assert_eq!(put(taken.north::<2>()), moved(|board| board << 16));
        assert_eq!(put(taken.south::<1>()), moved(|board| board >> 8));
        assert_eq!(put(taken.south::<2>()), moved(|board| board >> 16));
    }
}

/// Checks conversions between boards and their ranks.
fn check_ranks<V: Bytes>() {
    let boards = counting_boards::<V>();
    let ranks = V::load(&boards);
    // Every board is in one of the lanes.
    let by_rank = ranks.map(lanes);
    let board = |lane| u64::from_le_bytes(by_rank.each_ref().map(|rank| rank[lane]));
    let mut sliced: Vec<u64> = (0..V::COUNT).map(board).collect();
    let mut expected = boards.clone();
    sliced.sort_unstable();
    expected.sort_unstable();
    assert_eq!(sliced, expected);
    // Pairs in rows of five words, starting at the second.
    let others: Vec<u64> = boards.iter().map(|board| board.rotate_left(31)).collect();
    let mut rows = std::vec![7; 5 * V::COUNT];
    V::store_pairs([ranks, V::load(&others)], &mut rows, 1, 5);
    for (i, row) in rows.chunks_exact(5).enumerate() {
        assert_eq!(row, [7, boards[i], others[i], 7, 7], "row {i}");
    }
}

/// Checks conversions of positions to the ranks of their sets.
fn check_positions<V: Bytes>() {
    let boards = counting_boards::<V>();
    let pieces: Vec<Pieces> = boards
        .iter()
        .map(|&board| Pieces::from_sets([0, 1, 2, 3, 4, 5, 6, 7].map(|i| board.rotate_left(i))))
        .collect();
    for i in 0..8 {
        let pieces = &pieces[V::eighth(i)];
        let sorted = V::pairs(pieces).map(V::boards);
        for (set, sorted) in sorted.into_iter().flatten().enumerate() {
            let mut column = std::vec![0; pieces.len()];
            sorted.store_vector(&mut column);
            let expected: Vec<u64> = pieces.iter().map(|pieces| pieces.sets()[set]).collect();
            assert_eq!(column, expected, "set {set} of part {i}");
        }
    }
    for (i, ranks) in V::load_pieces(&pieces).into_iter().enumerate() {
        let column: Vec<u64> = pieces.iter().map(|pieces| pieces.sets()[i]).collect();
        for (rank, expected) in ranks.into_iter().zip(V::load(&column)) {
            assert_eq!(lanes(rank), lanes(expected), "set {i}");
        }
    }
}

/// Checks that a number for each board is stored and loaded.
fn check_numbers<V: Bytes>() {
    let numbers: Vec<i16> = (0..V::COUNT as i16).map(|i| i.wrapping_mul(-1021) - 7).collect();
    let loaded = V::load_numbers(&numbers);
    let mut back = std::vec![0_i16; V::COUNT];
    V::store_numbers(loaded, &mut back);
    assert_eq!(back, numbers);
    // Every number is in the lane of its board, which has the number's bytes as its first two ranks.
    let of_numbers: Vec<u64> = numbers.iter().map(|&n| u64::from(n.cast_unsigned())).collect();
    let [low, high] = loaded.map(words);
    let [low_ranks, high_ranks, ..] = V::load(&of_numbers).map(lanes);
    for lane in 0..V::COUNT {
        let number = if lane % 2 == 0 { low[lane / 2] } else { high[lane / 2] };
        let board = u16::from_le_bytes([low_ranks[lane], high_ranks[lane]]);
        let board = if cfg!(target_endian = "little") { board } else { number };
        assert_eq!(number, board, "lane {lane}");
    }
}

/// Checks that ranks are stored in memory and read again.
fn check_memory<V: Bytes>() {
    let boards = counting_boards::<V>();
    let ranks = V::load(&boards);
    // At addresses that are aligned to the vectors, and at others.
    for start in 0..8 {
        let mut lines = Lines([0; 80]);
        V::stream(ranks, &mut lines.0[start..start + V::COUNT]);
        fence();
        assert_eq!(lines.0[start..start + V::COUNT], boards);
        let mut around = lines.0[..start].iter().chain(&lines.0[start + V::COUNT..]);
        assert!(around.all(|&word| word == 0), "written outside the boards");
    }

    let mut back = std::vec![0; V::COUNT];
    V::store(ranks, &mut back);
    assert_eq!(back, boards);
    V::store_vectors(ranks, &mut back);
    let written: Vec<u8> = back.iter().flat_map(|word| word.to_ne_bytes()).collect();
    assert_eq!(written, ranks.map(lanes).concat());
    for (read, rank) in V::load_vectors(&back).into_iter().zip(ranks) {
        assert_eq!(lanes(read), lanes(rank));
    }
}

/// Returns whether a backend is available. If not, says so on standard error, bypassing the test harness, or fails if
/// `SETWISE_REQUIRE` names it, as in `tests/common`.
#[cfg(target_arch = "x86_64")]
fn is_here(backend: Backend) -> bool {
    use std::io::Write;

    let here = backend.is_available();
    if !here {
        let required = std::env::var("SETWISE_REQUIRE").unwrap_or_default();
        assert!(
            !required.split(',').any(|name| name == backend.name()),
            "SETWISE_REQUIRE names {backend}, which this processor or build does not have"
        );
        let thread = std::thread::current();
        let test = thread.name().unwrap_or("a test");
        let _ = writeln!(std::io::stderr(), "skipped: {test}: {backend} is not available here");
    }
    here
}

macro_rules! on_every_vector {
    ($($name:ident: $vector:ty $(, $backend:ident)?;)*) => {
        $(
            #[test]
            fn $name() {
                $(
                    if !is_here(Backend::$backend) {
                        return;
                    }
                )?
                check::<$vector>();
            }
        )*
    };
}

on_every_vector! {
    wide_16: wide::u8x16;
    wide_32: wide::u8x32;
    wide_64: wide::u8x64;
}

#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
on_every_vector! {
    neon: super::neon::Neon;
}

#[cfg(target_arch = "x86_64")]
on_every_vector! {
    avx2: Avx2<false>, Avx2;
    avx2_gfni: Avx2<true>, Avx2Gfni;
    avx512: Avx512<false>, Avx512;
    avx512_gfni: Avx512<true>, Avx512Gfni;
}

// Three backends are portable. A new one needs its line above.
#[cfg(target_arch = "x86_64")]
const _: () = assert!(Backend::ALL.len() == 3 + 4);
