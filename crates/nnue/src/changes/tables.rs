//! Lookup tables for changes of threats: lanes, rays, and filters of pairs.

pub(super) use crate::axes::RAYS;
use setwise::leaper::KNIGHT_ATTACKS;

/// Marks a square off the board: the highest bit of a byte.
pub(super) const OFF_BOARD: u8 = 0x80;

/// The squares a knight's leap away from each square, the lowest first, then [`OFF_BOARD`].
pub(super) static KNIGHTS: [[u8; 8]; 64] = {
    let mut knights = [[OFF_BOARD; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let (mut left, mut lane) = (KNIGHT_ATTACKS[square], 0);
        while left != 0 {
            knights[square][lane] = left.trailing_zeros() as u8;
            left &= left - 1;
            lane += 1;
        }
        square += 1;
    }
    knights
};

/// The lane in which one square sees another: 0 to 7 along a ray, 8 to 15 by a knight's leap, or [`NO_LANE`].
static LANES: [[u8; 64]; 64] = {
    let mut lanes = [[NO_LANE; 64]; 64];
    let mut square = 0;
    while square < 64 {
        let mut lane = 0;
        while lane < 8 {
            let mut ray = RAYS[square][lane];
            while ray != 0 {
                lanes[square][ray.trailing_zeros() as usize] = lane as u8;
                ray &= ray - 1;
            }
            let leap = KNIGHTS[square][lane];
            if leap != OFF_BOARD {
                lanes[square][leap as usize] = 8 + lane as u8;
            }
            lane += 1;
        }
        square += 1;
    }
    lanes
};

const NO_LANE: u8 = 16;

/// The lanes in which two squares see each other, each as a mask: rays in bits 0 to 7, knights' leaps in bits 8 to 15.
#[inline(always)]
pub(super) fn lanes_between(a: u8, b: u8, occupied: u64) -> [u32; 2] {
    let (a, b) = (usize::from(a & 63), usize::from(b & 63));
    let [there, back] = [LANES[a][b], LANES[b][a]];
    let between = RAYS[a][usize::from(there & 7)] & RAYS[b][usize::from(back & 7)] & occupied;
    let sees = u32::from(there >= 8) | u32::from(between == 0);
    [sees << there, sees << back]
}

/// Adds the opposite lane of each lane.
#[inline(always)]
pub(super) fn both_ends(lanes: u32) -> u32 {
    lanes | (lanes & 0x55) << 1 | (lanes & 0xaa) >> 1
}

/// The ways in which a piece attacks, one bit each: along ranks and files, along diagonals, as a king, as a white pawn,
/// as a black pawn, as a knight.
const ORTHOGONAL: u8 = 0x01;
const DIAGONAL: u8 = 0x02;
const KING: u8 = 0x04;
const WHITE_PAWN: u8 = 0x08;
const BLACK_PAWN: u8 = 0x10;
pub(super) const KNIGHT: u8 = 0x20;

/// The ways in which a piece in each lane, at any distance, may attack the square in the middle.
pub(super) const FAR: [u8; 8] =
    [ORTHOGONAL, ORTHOGONAL, ORTHOGONAL, ORTHOGONAL, DIAGONAL, DIAGONAL, DIAGONAL, DIAGONAL];

/// The additional ways if the piece is adjacent to the middle: as a king, or as a pawn that moves towards the middle.
pub(super) const NEAR: [u8; 8] = {
    let (above, below) = (KING | BLACK_PAWN, KING | WHITE_PAWN);
    [KING, KING, KING, KING, above, below, above, below]
};

/// The ways in which a piece attacks, by its code.
const fn attacks_as(code: usize) -> u8 {
    match code {
        1 => WHITE_PAWN,
        9 => BLACK_PAWN,
        2 | 10 => KNIGHT,
        3 | 11 => DIAGONAL,
        4 | 12 => ORTHOGONAL,
        5 | 13 => ORTHOGONAL | DIAGONAL,
        6 | 14 => KING,
        _ => 0,
    }
}

/// The ways in which a piece attacks, for the lanes of its victims: a white pawn attacks the squares from which a black
/// pawn would attack it.
const fn attacked_as(code: usize) -> u8 {
    match code {
        1 => BLACK_PAWN,
        9 => WHITE_PAWN,
        _ => attacks_as(code),
    }
}

/// A filter of pairs: the victims that count for each attacker, both given by their [codes](setwise::piece_code).
///
/// [`FeatureSet::pair_filter`](super::super::FeatureSet::pair_filter) returns the filter of a feature set: the pairs
/// that have inputs, regardless of their squares.
///
/// ```
/// use setwise_nnue::PairFilter;
/// // Only attacks by white knights, on pieces of either colour.
/// let mut victims = [0; 16];
/// (victims[2], victims[10]) = (u16::MAX, u16::MAX);
/// let knights = PairFilter::new(victims);
/// assert!(knights.has(2, 14));
/// assert!(!knights.has(1, 14));
/// assert!(!knights.has(2, 0)); // 0 is an empty square
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[repr(C, align(64))]
pub struct PairFilter {
    /// By victim, then by attacker: the ways in which the attacker attacks; 0 if the pair does not count.
    pub(super) to: [[u8; 16]; 16],
    /// By attacker, then by victim: [`attacked_as`] of the attacker; 0 if the pair does not count.
    pub(super) from: [[u8; 16]; 16],
    /// The victims of sliders, the low bytes first, then the high bytes. Each half has the victims along ranks and
    /// files by attacker, then those along diagonals.
    pub(super) across: [[[u8; 16]; 2]; 2],
}

/// The codes of possible victims: all pieces, and occupied squares without a role.
const VICTIMS: u16 = 0x7efe;

impl PairFilter {
    /// The filter that keeps all pairs.
    pub const ALL: Self = Self::new([u16::MAX; 16]);

    /// Creates a filter: `victims[attacker]` has a bit for each victim that counts, both given by their codes. Bits of
    /// invalid codes are ignored.
    #[must_use]
    pub const fn new(victims: [u16; 16]) -> Self {
        let mut filter = Self { to: [[0; 16]; 16], from: [[0; 16]; 16], across: [[[0; 16]; 2]; 2] };
        let mut attacker = 0;
        while attacker < 16 {
            let victims = victims[attacker] & VICTIMS;
            let mut victim = 0;
            while victim < 16 {
                if victims >> victim & 1 == 1 {
                    filter.to[victim][attacker] = attacks_as(attacker);
                    filter.from[attacker][victim] = attacked_as(attacker);
                }
                victim += 1;
            }
            let (mut kind, kinds) = (0, [ORTHOGONAL, DIAGONAL]);
            while kind < 2 {
                if attacks_as(attacker) & kinds[kind] != 0 {
                    let [low, high] = victims.to_le_bytes();
                    filter.across[0][kind][attacker] = low;
                    filter.across[1][kind][attacker] = high;
                }
                kind += 1;
            }
            attacker += 1;
        }
        filter
    }

    /// Returns whether the pair of two pieces, given by their codes, counts.
    ///
    /// # Panics
    /// If a code is above 15.
    #[must_use]
    #[track_caller]
    pub const fn has(&self, attacker: u8, victim: u8) -> bool {
        self.to[victim as usize][attacker as usize] != 0
    }
}
