//! The four axes of sliders: the order of the squares, the rays of each square, and the ends of the lines.
//!
//! Squares are numbered line by line. Neighbours on a line are neighbours in this order, so one kernel serves all four
//! axes. In a board in the order of an axis, bit `i` is the square `SQUARES[axis][i]`.

use setwise::bitboard::Direction;

/// The square with each index on an axis, for ranks, files, diagonals and antidiagonals.
///
/// Ranks go from a1 to h1, then from a2; files from a1 to a8, then from b1. On a diagonal axis, each group of eight
/// squares is two lines, which together have one square on every rank. Groups are ordered by file minus rank
/// (diagonals) or file plus rank (antidiagonals), modulo 8; the squares of a group are ordered by rank.
pub(crate) const SQUARES: [[u8; 64]; 4] = {
    let mut squares = [[0; 64]; 4];
    let mut place = 0;
    while place < 64 {
        let (line, on_line) = (place as u8 / 8, place as u8 % 8);
        squares[0][place] = place as u8;
        squares[1][place] = 8 * on_line + line;
        squares[2][place] = 8 * on_line + (line + on_line) % 8;
        squares[3][place] = 8 * on_line + (line + 8 - on_line) % 8;
        place += 1;
    }
    squares
};

/// The direction of each lane. Opposite directions are adjacent; orthogonal directions are first.
pub(crate) const DIRECTIONS: [Direction; 8] = [
    Direction::North,
    Direction::South,
    Direction::East,
    Direction::West,
    Direction::NorthEast,
    Direction::SouthWest,
    Direction::NorthWest,
    Direction::SouthEast,
];

/// The squares of each ray of each square.
pub(crate) static RAYS: [[u64; 8]; 64] = {
    let mut rays = [[0; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut lane = 0;
        while lane < 8 {
            let mut next = DIRECTIONS[lane].step(1 << square);
            while next != 0 {
                rays[square][lane] |= next;
                next = DIRECTIONS[lane].step(next);
            }
            lane += 1;
        }
        square += 1;
    }
    rays
};

/// The squares above and below a square on an axis.
#[inline(always)]
pub(crate) const fn rays(axis: usize, square: u8) -> [u64; 2] {
    let lane = [2, 0, 4, 6][axis];
    [RAYS[square as usize][lane], RAYS[square as usize][lane + 1]]
}

/// The last index of each line of an axis, as a set.
#[cfg(any(test, target_arch = "x86_64"))]
pub(crate) const ENDS: [u64; 4] = ends_of_lines(0);

/// The first index of each line of an axis, as a set.
#[cfg(any(test, target_arch = "x86_64"))]
pub(crate) const STARTS: [u64; 4] = ends_of_lines(1);

/// The indices of squares with an empty ray upwards (0) or downwards (1).
#[cfg(any(test, target_arch = "x86_64"))]
const fn ends_of_lines(ray: usize) -> [u64; 4] {
    let (mut ends, mut at) = ([0; 4], 0);
    while at < 4 * 64 {
        let (axis, place) = (at / 64, at % 64);
        if rays(axis, SQUARES[axis][place])[ray] == 0 {
            ends[axis] |= 1 << place;
        }
        at += 1;
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The upward directions of ranks, files, diagonals and antidiagonals.
    const UP: [Direction; 4] =
        [Direction::East, Direction::North, Direction::NorthEast, Direction::NorthWest];

    #[test]
    fn the_order_is_that_of_the_documentation() {
        assert_eq!(SQUARES[0][..9], [0, 1, 2, 3, 4, 5, 6, 7, 8]); // a1 to h1, a2
        assert_eq!(SQUARES[1][..9], [0, 8, 16, 24, 32, 40, 48, 56, 1]); // a1 to a8, b1
        assert_eq!(SQUARES[2][8..17], [1, 10, 19, 28, 37, 46, 55, 56, 2]); // b1 c2 d3 e4 f5 g6 h7, a8, c1
        assert_eq!(SQUARES[3][8..17], [1, 8, 23, 30, 37, 44, 51, 58, 2]); // b1 a2, h3 g4 f5 e6 d7 c8, c1
    }

    #[test]
    fn neighbours_on_a_line_are_neighbours_in_the_order() {
        for axis in 0..4 {
            let mut squares = SQUARES[axis];
            for place in 0..63 {
                let next = UP[axis].step(1 << squares[place]);
                let ends = ENDS[axis] >> place & 1 == 1;
                assert_eq!(ends, next == 0);
                assert_eq!(ends, STARTS[axis] >> (place + 1) & 1 == 1);
                assert!(ends || next == 1 << squares[place + 1]);
            }
            squares.sort_unstable();
            assert!(squares.iter().enumerate().all(|(i, &square)| i == square as usize));
        }
    }
}
