//! A ray walk: slow and obvious, and sharing no code with any kernel.
//!
//! It walks from a slider square by square until it leaves the board or meets a piece. Everything else in this crate is
//! tested against it, and you can test your own code against it too. It takes most of a microsecond per set, so do not
//! use it where speed matters.

use crate::bitboard::Direction;

/// The ray of one slider: from the neighbour of `square` up to and including the first square in `occupied`. It makes
/// no difference whether `square` itself is occupied.
///
/// # Panics
/// Panics if `square` is above 63.
///
/// ```
/// use setwise::{bitboard::Direction, reference};
/// let blocker_on_a5 = 1 << 32;
/// assert_eq!(reference::ray_from(0, Direction::North, blocker_on_a5), 0x0000_0001_0101_0100);
/// ```
#[must_use]
#[track_caller]
pub fn ray_from(square: u8, direction: Direction, occupied: u64) -> u64 {
    assert!(square < 64, "a square is 0 to 63");
    let (files, ranks) = direction.offset();
    let (mut file, mut rank) = (square as i8 % 8, square as i8 / 8);
    let mut seen = 0;
    loop {
        file += files;
        rank += ranks;
        if !(0..8).contains(&file) || !(0..8).contains(&rank) {
            return seen;
        }
        let here = 1 << (8 * rank + file);
        seen |= here;
        if occupied & here != 0 {
            return seen;
        }
    }
}

/// The rays of all sliders of a set in one direction. They block each other, whether or not `occupied` contains them.
#[must_use]
pub fn ray(sliders: u64, direction: Direction, occupied: u64) -> u64 {
    let mut seen = 0;
    for square in 0..64 {
        if sliders >> square & 1 == 1 {
            seen |= ray_from(square, direction, occupied | sliders);
        }
    }
    seen
}

/// The squares that orthogonal and diagonal sliders attack together.
#[must_use]
pub fn slider_attacks(orthogonal: u64, diagonal: u64, occupied: u64) -> u64 {
    let mut seen = 0;
    for direction in Direction::ALL {
        let sliders = if direction.is_orthogonal() { orthogonal } else { diagonal };
        // Where another slider of the set stops a ray, that slider's own ray continues. So the union is the same with
        // or without the other sliders in the way.
        seen |= ray(sliders, direction, occupied);
    }
    seen
}
