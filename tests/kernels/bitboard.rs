//! Checks the constants, steps and reversals of boards against plain coordinates: square = 8 × rank + file.

use proptest::prelude::*;
use setwise::bitboard::{
    ANTIDIAGONALS, DIAGONALS, Direction, Drawing, EAST_BARRIER, FILES, RANKS, WEST_BARRIER,
    flip_vertical, reverse_ranks,
};
use setwise::{Boards, Pieces};

/// The squares whose file and rank (0 to 7) satisfy a condition.
fn squares(holds: impl Fn(i8, i8) -> bool) -> u64 {
    (0..64).filter(|square| holds(square % 8, square / 8)).fold(0, |set, square| set | 1 << square)
}

/// Every square of a set moved to other coordinates, if these are on the board.
fn moved(set: u64, to: impl Fn(i8, i8) -> (i8, i8)) -> u64 {
    let mut result = 0;
    for square in (0..64).filter(|square| set >> square & 1 == 1) {
        let (file, rank) = to(square % 8, square / 8);
        if (0..8).contains(&file) && (0..8).contains(&rank) {
            result |= 1 << (8 * rank + file);
        }
    }
    result
}

#[test]
fn lines_are_where_coordinates_say() {
    for i in 0..8 {
        assert_eq!(FILES[i as usize], squares(|file, _| file == i));
        assert_eq!(RANKS[i as usize], squares(|_, rank| rank == i));
    }
    for i in 0..15 {
        assert_eq!(DIAGONALS[i as usize], squares(|file, rank| 7 + rank - file == i));
        assert_eq!(ANTIDIAGONALS[i as usize], squares(|file, rank| rank + file == i));
    }
    assert_eq!(EAST_BARRIER, squares(|file, _| file == 7));
    assert_eq!(WEST_BARRIER, squares(|file, _| file == 0));
}

#[test]
fn lines_of_a_kind_share_the_board_out() {
    for lines in [&FILES[..], &RANKS, &DIAGONALS, &ANTIDIAGONALS] {
        assert_eq!(lines.iter().fold(0, |all, line| all | line), u64::MAX);
        assert_eq!(lines.iter().map(|line| line.count_ones()).sum::<u32>(), 64);
    }
}

#[test]
fn directions_are_the_eight_steps_of_a_king() {
    use Direction::*;
    let compass = [
        (North, (0, 1)),
        (South, (0, -1)),
        (East, (1, 0)),
        (West, (-1, 0)),
        (NorthEast, (1, 1)),
        (NorthWest, (-1, 1)),
        (SouthEast, (1, -1)),
        (SouthWest, (-1, -1)),
    ];
    assert_eq!(Direction::ALL, compass.map(|(direction, _)| direction));
    for (direction, (files, ranks)) in compass {
        assert_eq!(direction.offset(), (files, ranks));
        assert_eq!(direction.opposite().offset(), (-files, -ranks));
        assert_eq!(direction.opposite().opposite(), direction);
        assert_eq!(direction.is_orthogonal(), files == 0 || ranks == 0);
    }
}

fn check_steps(set: u64) {
    for direction in Direction::ALL {
        let (files, ranks) = direction.offset();
        let expected = moved(set, |file, rank| (file + files, rank + ranks));
        assert_eq!(direction.step(set), expected, "{direction:?} {set:#x}");
        assert_eq!(Boards::step(set, direction), expected, "{direction:?} {set:#x}");
    }
}

#[test]
fn one_square_steps_or_falls_off() {
    for square in 0..64 {
        check_steps(1 << square);
        check_steps(!(1 << square));
    }
    check_steps(0);
    check_steps(u64::MAX);
}

proptest! {
    #[test]
    fn sets_step_square_by_square(set: u64) {
        check_steps(set);
        for edge in [FILES[0], FILES[7], RANKS[0], RANKS[7]] {
            check_steps(set & edge);
            check_steps(set | edge);
        }
    }

    #[test]
    fn reversals_mirror_coordinates(set: u64) {
        prop_assert_eq!(reverse_ranks(set), moved(set, |file, rank| (7 - file, rank)));
        prop_assert_eq!(flip_vertical(set), moved(set, |file, rank| (file, 7 - rank)));
        prop_assert_eq!(reverse_ranks(reverse_ranks(set)), set);
        prop_assert_eq!(flip_vertical(flip_vertical(set)), set);
    }

    #[test]
    fn a_drawing_has_every_square_in_its_place(set: u64) {
        let drawing = Drawing(set).to_string();
        let lines: Vec<&str> = drawing.lines().collect();
        prop_assert_eq!(lines.len(), 10);
        prop_assert_eq!(&lines[8..], ["", "   a b c d e f g h"]);
        for square in 0..64 {
            let (file, rank) = (square % 8, square / 8);
            let line = lines[7 - rank].as_bytes();
            prop_assert_eq!(usize::from(line[0] - b'1'), rank);
            let column = lines[9].find(char::from(b'a' + file as u8)).unwrap();
            prop_assert_eq!(line[column], if set >> square & 1 == 1 { b'x' } else { b'.' });
        }
    }
}

#[test]
fn the_men_of_the_start_draw_as_two_camps() {
    let drawing = Drawing(Pieces::START.occupied()).to_string();
    let full = "x x x x x x x x";
    let none = ". . . . . . . .";
    let expected = format!(
        "8  {full}\n7  {full}\n6  {none}\n5  {none}\n4  {none}\n3  {none}\n2  {full}\n1  {full}\n\n   a b c d e f g h"
    );
    assert_eq!(drawing, expected);
}
