//! Checks every function for a single slider against the ray walk, on all squares with all subsets of the relevant
//! pieces and on random boards; lines and masks against coordinates.

use proptest::prelude::*;
use setwise::bitboard::Direction::{
    self, East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West,
};
use setwise::line::{self, Masks};
use setwise::reference::ray_from;

type Attacks = fn(u8, u64) -> u64;

static MASKS: Masks = Masks::new();

const LINES: [(Attacks, [Direction; 2]); 4] = [
    (line::rank_attacks, [East, West]),
    (line::file_attacks, [North, South]),
    (line::diagonal_attacks, [NorthEast, SouthWest]),
    (line::antidiagonal_attacks, [NorthWest, SouthEast]),
];

fn check(square: u8, occupied: u64) {
    let mut both = [0; 2];
    for (i, (attacks, directions)) in LINES.into_iter().enumerate() {
        let expected = directions.map(|direction| ray_from(square, direction, occupied));
        let expected = expected[0] | expected[1];
        assert_eq!(attacks(square, occupied), expected, "{square}, {directions:?}, {occupied:#x}");
        both[i / 2] |= expected;
    }
    assert_eq!(line::rook_attacks(square, occupied), both[0], "{square}, {occupied:#x}");
    assert_eq!(line::bishop_attacks(square, occupied), both[1], "{square}, {occupied:#x}");
    assert_eq!(line::queen_attacks(square, occupied), both[0] | both[1], "{square}, {occupied:#x}");
    assert_eq!(MASKS.rook_attacks(square, occupied), both[0], "{square}, {occupied:#x}");
    assert_eq!(MASKS.bishop_attacks(square, occupied), both[1], "{square}, {occupied:#x}");
    assert_eq!(MASKS.queen_attacks(square, occupied), both[0] | both[1], "{square}, {occupied:#x}");
}

#[test]
fn all_subsets_of_the_relevant_occupancy() {
    let mut subsets = 0;
    for square in 0..64 {
        for mask in [line::rook_relevant_occupancy(square), line::bishop_relevant_occupancy(square)]
        {
            for occupied in line::subsets(mask) {
                check(square, occupied);
                // The edges and the slider itself do not change the attacks on the inner squares.
                check(square, occupied | !mask);
                subsets += 1;
            }
        }
    }
    assert_eq!(subsets, 102_400 + 5_248);
}

proptest! {
    #[test]
    fn random_boards(one: u64, other: u64) {
        for occupied in [one, one & other, one | other, one & 1 << (other % 64)] {
            for square in 0..64 {
                check(square, occupied);
            }
        }
    }

    #[test]
    fn men_elsewhere_do_not_matter(square in 0..64u8, occupied: u64) {
        let rook = line::rook_relevant_occupancy(square);
        let bishop = line::bishop_relevant_occupancy(square);
        prop_assert_eq!(line::rook_attacks(square, occupied), line::rook_attacks(square, occupied & rook));
        prop_assert_eq!(line::bishop_attacks(square, occupied), line::bishop_attacks(square, occupied & bishop));
    }
}

/// The distance from one square to another in files and ranks.
fn apart(a: u8, b: u8) -> (i32, i32) {
    (b as i32 % 8 - a as i32 % 8, b as i32 / 8 - a as i32 / 8)
}

/// Returns whether two squares share a line.
fn aligned(a: u8, b: u8) -> bool {
    let (files, ranks) = apart(a, b);
    files == 0 || ranks == 0 || files.abs() == ranks.abs()
}

#[test]
fn lines_run_from_edge_to_edge() {
    for a in 0..64 {
        for b in 0..64 {
            let mut expected = 0;
            if a != b && aligned(a, b) {
                // Three squares are on a line if the cross product is zero.
                let (files, ranks) = apart(a, b);
                for c in 0..64 {
                    let (more_files, more_ranks) = apart(a, c);
                    if files * more_ranks == ranks * more_files {
                        expected |= 1 << c;
                    }
                }
            }
            assert_eq!(line::line_through(a, b), expected, "{a}, {b}");
        }
    }
}

#[test]
fn rays_pass_a_square_and_go_beyond() {
    for a in 0..64 {
        for b in 0..64 {
            let toward = |&way: &Direction| ray_from(a, way, 0) >> b & 1 == 1;
            let way = Direction::ALL.into_iter().find(toward);
            let [pass, beyond] =
                way.map_or([0; 2], |way| [a, b].map(|from| ray_from(from, way, 0)));
            assert_eq!(line::ray_pass(a, b), pass, "{a}, {b}");
            assert_eq!(line::beyond(a, b), beyond, "{a}, {b}");
        }
    }
}

#[test]
fn between_is_what_is_on_the_way() {
    for a in 0..64 {
        for b in 0..64 {
            let mut expected = 0u64;
            if aligned(a, b) {
                let (files, ranks) = apart(a, b);
                let steps = files.abs().max(ranks.abs());
                for i in 1..steps {
                    let file = a as i32 % 8 + i * files.signum();
                    let rank = a as i32 / 8 + i * ranks.signum();
                    expected |= 1 << (8 * rank + file);
                }
            }
            assert_eq!(line::between(a, b), expected, "{a}, {b}");
        }
    }
}

#[test]
fn relevant_occupancy_leaves_out_the_ends() {
    for square in 0..64 {
        let (file, rank) = (square % 8, square / 8);
        // The squares on which a single piece changes the slider's attacks.
        let relevant = |attacks: Attacks| {
            let alone = attacks(square, 0);
            (0..64)
                .filter(|piece| attacks(square, 1 << piece) != alone)
                .fold(0, |set, piece| set | 1 << piece)
        };
        assert_eq!(line::rook_relevant_occupancy(square), relevant(line::rook_attacks), "{square}");
        assert_eq!(
            line::bishop_relevant_occupancy(square),
            relevant(line::bishop_attacks),
            "{square}"
        );

        let edges = [file, rank].into_iter().filter(|&at| at == 0 || at == 7).count() as u32;
        assert_eq!(line::rook_relevant_occupancy(square).count_ones(), 10 + edges, "{square}");
        let ring = [file, rank, 7 - file, 7 - rank].into_iter().min().unwrap();
        let expected = if edges == 2 { 6 } else { [5, 5, 7, 9][usize::from(ring)] };
        assert_eq!(line::bishop_relevant_occupancy(square).count_ones(), expected, "{square}");
    }
}

#[test]
fn subsets_are_all_there_once() {
    for mask in [0, 1, 1 << 63, 0b1010_0000_0101, 0x8100_0000_0000_0081, line::rook_attacks(0, 0)] {
        let all: Vec<u64> = line::subsets(mask).collect();
        assert_eq!(all.len(), 1 << mask.count_ones());
        assert_eq!(all[0], 0);
        assert!(all.is_sorted_by(|a, b| a < b), "{mask:#x}");
        assert!(all.iter().all(|subset| subset & !mask == 0), "{mask:#x}");
        assert_eq!(all.last(), Some(&mask));
    }
}

#[test]
fn subsets_may_be_too_many_to_count() {
    assert_eq!(line::subsets(u64::MAX).nth(1000), Some(1000));
}

#[test]
#[cfg_attr(not(panic = "unwind"), ignore = "a panic ends the process here")]
fn squares_off_the_board_panic() {
    let calls: [(&str, fn()); 20] = [
        ("pass a", || _ = line::ray_pass(64, 0)),
        ("pass b", || _ = line::ray_pass(0, 64)),
        ("beyond a", || _ = line::beyond(64, 0)),
        ("beyond b", || _ = line::beyond(0, 64)),
        ("masks' rook", || _ = MASKS.rook_attacks(64, 0)),
        ("masks' bishop", || _ = MASKS.bishop_attacks(64, 0)),
        ("rank", || _ = line::rank_attacks(64, 0)),
        ("file", || _ = line::file_attacks(64, 0)),
        ("diagonal", || _ = line::diagonal_attacks(64, 0)),
        ("antidiagonal", || _ = line::antidiagonal_attacks(64, 0)),
        ("rook", || _ = line::rook_attacks(u8::MAX, 0)),
        ("bishop", || _ = line::bishop_attacks(u8::MAX, 0)),
        ("queen", || _ = line::queen_attacks(64, 0)),
        ("line a", || _ = line::line_through(64, 0)),
        ("line b", || _ = line::line_through(0, 64)),
        ("line both", || _ = line::line_through(u8::MAX, u8::MAX)),
        ("between a", || _ = line::between(64, 0)),
        ("between b", || _ = line::between(0, 64)),
        ("rook relevant", || _ = line::rook_relevant_occupancy(64)),
        ("bishop relevant", || _ = line::bishop_relevant_occupancy(64)),
    ];
    for (name, call) in calls {
        let panic = std::panic::catch_unwind(call).expect_err(name);
        assert_eq!(panic.downcast_ref(), Some(&"a square is 0 to 63"), "{name}");
    }
}
