//! The number of pieces that attack each square. Carry-save adders sum sets that attack each square at most once.

use super::rays::{Rays, slider_rays};
use crate::bitboard::Direction;
use crate::boards::{Boards, Numbers, called};
use crate::pieces::{Colour, Pieces, Role};

/// The eight leaps of knights, separately: each set attacks a square at most once.
#[inline(always)]
pub(crate) fn knight_leaps<B: Boards>(knights: B) -> [B; 8] {
    let (north, south) = (knights.north(), knights.south());
    let (far_north, far_south) = (north.north(), south.south());
    [
        far_north.east(),
        far_north.west(),
        far_south.east(),
        far_south.west(),
        north.east().east(),
        north.west().west(),
        south.east().east(),
        south.west().west(),
    ]
}

/// The eight steps of kings, separately.
#[inline(always)]
fn king_steps<B: Boards>(kings: B) -> [B; 8] {
    let (north, south) = (kings.north(), kings.south());
    [
        north,
        south,
        kings.east(),
        kings.west(),
        north.east(),
        north.west(),
        south.east(),
        south.west(),
    ]
}

/// The two captures of pawns, separately.
#[inline(always)]
fn pawn_captures<B: Boards>(colour: Colour, pawns: B) -> [B; 2] {
    let ahead = match colour {
        Colour::White => pawns.north(),
        Colour::Black => pawns.south(),
    };
    [ahead.east(), ahead.west()]
}

/// A full adder for every square: the sum of three bits, and the carry.
#[inline(always)]
fn add<B: Boards>(a: B, b: B, c: B) -> (B, B) {
    (a ^ b ^ c, B::majority(a, b, c))
}

/// The number of the four sets that contain each square: bit planes, least significant first.
#[inline(always)]
fn sum_of_4<B: Boards>([a, b, c, d]: [B; 4]) -> [B; 4] {
    let (ones, twos) = add(a, b, c);
    let (ones, more) = (ones ^ d, ones & d);
    [ones, twos ^ more, twos & more, B::empty()]
}

called! {
    /// The number of the eight sets that contain each square: bit planes, least significant first.
    pub(crate) fn sum_of_8<'a, B: Boards>(sets: &'a [B; 8]) -> [B; 4] {
        let &[a, b, c, d, e, f, g, h] = sets;
        let (ones, two_1) = add(a, b, c);
        let (ones, two_2) = add(ones, d, e);
        let (ones, two_3) = add(ones, f, g);
        let (ones, two_4) = (ones ^ h, ones & h);
        let (twos, four_1) = add(two_1, two_2, two_3);
        let (twos, four_2) = (twos ^ two_4, twos & two_4);
        [ones, twos, four_1 ^ four_2, four_1 & four_2]
    }
}

/// A number for each square of each board, as bit planes: plane `i` contains the squares whose number has bit `i` set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SquareCounts<B, const PLANES: usize> {
    planes: [B; PLANES],
}

impl<B: Boards, const PLANES: usize> SquareCounts<B, PLANES> {
    /// The bit planes, least significant first.
    #[inline(always)]
    #[must_use]
    pub fn planes(self) -> [B; PLANES] {
        self.planes
    }

    /// The sum of the numbers on the squares of a set. For attacker counts, this is the number of attacks on the set,
    /// and on the squares without own pieces it is mobility.
    ///
    /// ```
    /// use setwise::{Colour, Pieces, Role, eval};
    /// let start = Pieces::START;
    /// let knights = eval::attacker_counts_by_role(&start, Colour::White, Role::Knight);
    /// assert_eq!(i16::from(knights.sum_on(!start.white)), 4);
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn sum_on(&self, squares: B) -> B::Numbers {
        sum_on(&self.planes[..], &squares)
    }
}

called! {
    /// The sum, over the squares of a set, of the numbers with these bit planes.
    pub(crate) fn sum_on<'a, B: Boards>(planes: &'a [B], squares: &'a B) -> B::Numbers {
        let mut sum = B::Numbers::splat(0);
        let mut i = planes.len();
        while i > 0 {
            i -= 1;
            let twice = sum + sum;
            sum = twice + (planes[i] & *squares).count();
        }
        sum
    }
}

impl<const PLANES: usize> SquareCounts<u64, PLANES> {
    /// The number on each square, from a1 to h8.
    #[must_use]
    pub fn to_array(self) -> [u8; 64] {
        let mut numbers = [0; 64];
        for (i, plane) in self.planes.into_iter().enumerate() {
            for (square, number) in numbers.iter_mut().enumerate() {
                *number |= ((plane >> square & 1) as u8) << i;
            }
        }
        numbers
    }
}

called! {
    /// The number of pieces of a side that attack each square, 0 to 31. `rays` are those of the side, and select it.
    ///
    /// Eight rays, eight leaps, two captures and eight steps make 26 sets that attack each square at most once.
    /// Carry-save adders count them for all squares together, with 20 full adders and 9 half adders. The result is
    /// exact for any board.
    ///
    /// ```
    /// use setwise::{Colour, Pieces, eval};
    /// let start = Pieces::START;
    /// let rays = eval::rays(&start, Colour::White);
    /// let [ones, twos, fours, eights, sixteens] = eval::attacker_counts(&start, &rays).planes();
    /// assert_eq!((ones | twos | fours) & 0xff00, 0xff00); // every pawn is defended
    /// assert_eq!(eights | sixteens, 0);
    /// ```
    #[must_use]
    pub fn attacker_counts<'a, B: Boards>(position: &'a Pieces<B>, rays: &'a Rays<B>) -> SquareCounts<B, 5> {
        let colour = rays.colour;
        let [p, q] = pawn_captures(colour, position.of(colour, Role::Pawn));
        let sliders = sum_of_8(&rays.rays.0);
        let knights = sum_of_8(&knight_leaps(position.of(colour, Role::Knight)));
        let kings = sum_of_8(&king_steps(position.of(colour, Role::King)));
        let (ones, c) = add(sliders[0], knights[0], kings[0]);
        let (ones, d) = add(ones, p, q);
        let (twos, e) = add(sliders[1], knights[1], kings[1]);
        let (twos, f) = add(twos, c, d);
        let (fours, c) = add(sliders[2], knights[2], kings[2]);
        let (fours, d) = add(fours, e, f);
        let (eights, e) = add(sliders[3], knights[3], kings[3]);
        let (eights, f) = add(eights, c, d);
        // The sum is below 32, so at most one of these is set.
        SquareCounts { planes: [ones, twos, fours, eights, e | f] }
    }
}

called! {
    /// The number of pieces of one role and side that attack each square, 0 to 8.
    #[must_use]
    pub fn attacker_counts_by_role<'a, B: Boards>(
        position: &'a Pieces<B>,
        colour: Colour,
        role: Role,
    ) -> SquareCounts<B, 4> {
        let (occupied, pieces) = (position.occupied(), position.of(colour, role));
        let planes = match role {
            Role::Pawn => {
                let [a, b] = pawn_captures(colour, pieces);
                [a ^ b, a & b, B::empty(), B::empty()]
            }
            Role::Knight => sum_of_8(&knight_leaps(pieces)),
            Role::King => sum_of_8(&king_steps(pieces)),
            Role::Bishop => sum_of_4([
                pieces.ray(Direction::NorthEast, occupied),
                pieces.ray(Direction::NorthWest, occupied),
                pieces.ray(Direction::SouthEast, occupied),
                pieces.ray(Direction::SouthWest, occupied),
            ]),
            Role::Rook => sum_of_4([
                pieces.ray(Direction::North, occupied),
                pieces.ray(Direction::South, occupied),
                pieces.ray(Direction::East, occupied),
                pieces.ray(Direction::West, occupied),
            ]),
            Role::Queen => sum_of_8(&slider_rays(&pieces, &pieces, &occupied)),
        };
        SquareCounts { planes }
    }
}
