//! Kogge-Stone for one position, with four directions in a 256-bit vector, as in the fastest engines today.
//!
//! One call computes the orthogonal set's rays, another the diagonal set's. With AVX2, each step is a left shift and a
//! right shift per lane, one of which returns zero. With AVX-512VL it is one rotation, and the squares where a step
//! would end after wrapping around the edge are never free.
//!
//! Attack maps are computed role by role, with one step in four directions for leapers. Squares that are attacked twice
//! are computed lane by lane: in one direction, at most one piece of a role attacks a square.
//!
//! All functions are inlined into the two that enable the instructions.
#![expect(unsafe_op_in_unsafe_fn, reason = "all functions need the same instructions")]

use core::arch::x86_64::{
    __m256i, _mm_and_si128, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_and_si256,
    _mm256_andnot_si256, _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_or_si256,
    _mm256_rolv_epi64, _mm256_set1_epi64x, _mm256_setr_epi64x, _mm256_setzero_si256,
    _mm256_sllv_epi64, _mm256_srlv_epi64,
};

use setwise::Pieces;
use setwise::bitboard::{FILES, RANKS};
use setwise::processor::Features;

use super::{Question, Rival, answer};
use crate::support::columns::{AlignedColumn, slices};
use crate::support::inputs::Dataset;

/// The step size of each lane, positive towards the higher bits, and the squares where no step can end.
struct Directions {
    steps: [i64; 4],
    never: [u64; 4],
}

/// North, east, south, west.
const ORTHOGONAL: Directions =
    Directions { steps: [8, 1, -8, -1], never: [RANKS[0], FILES[0], RANKS[7], FILES[7]] };

/// North-east, north-west, south-west, south-east.
const DIAGONAL: Directions = Directions {
    steps: [9, 7, -9, -7],
    never: [RANKS[0] | FILES[0], RANKS[0] | FILES[7], RANKS[7] | FILES[7], RANKS[7] | FILES[0]],
};

/// A knight's leaps upwards, by two ranks and one file or by one rank and two files, and the opposite leaps.
const LEAPS: [Directions; 2] = {
    let (two, two_on_top) = (RANKS[0] | RANKS[1], RANKS[6] | RANKS[7]);
    let (left, right) = (FILES[0] | FILES[1], FILES[6] | FILES[7]);
    [
        Directions {
            steps: [17, 15, 10, 6],
            never: [two | FILES[0], two | FILES[7], RANKS[0] | left, RANKS[0] | right],
        },
        Directions {
            steps: [-17, -15, -10, -6],
            never: [
                two_on_top | FILES[7],
                two_on_top | FILES[0],
                RANKS[7] | right,
                RANKS[7] | left,
            ],
        },
    ]
};

/// The rival, with shifts, or with rotations on AVX-512. A value proves that the processor has the instructions.
#[derive(Clone, Copy)]
pub struct FourDirections<const ROTATES: bool>(());

impl<const ROTATES: bool> FourDirections<ROTATES> {
    pub fn detect() -> Option<Self> {
        let features = if ROTATES { Features::Avx512 } else { Features::Avx2 };
        features.is_available().then_some(Self(()))
    }
}

impl<const ROTATES: bool> Rival for FourDirections<ROTATES> {
    #[inline(always)]
    fn orthogonal(self, occupied: u64, sliders: u64) -> u64 {
        // SAFETY: `detect` has checked that the processor has the features.
        unsafe { union::<ROTATES>(&ORTHOGONAL, occupied, sliders) }
    }

    #[inline(always)]
    fn diagonal(self, occupied: u64, sliders: u64) -> u64 {
        // SAFETY: as above.
        unsafe { union::<ROTATES>(&DIAGONAL, occupied, sliders) }
    }

    #[inline(always)]
    fn columns(self, question: Question, dataset: &Dataset, answers: &mut [AlignedColumn]) {
        assert_eq!(question, Question::Maps);
        // SAFETY: as above.
        unsafe { maps::<ROTATES>(dataset, answers) }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2")]
pub fn avx2(
    rival: FourDirections<false>,
    question: Question,
    dataset: &Dataset,
    answers: &mut [AlignedColumn],
) {
    answer(rival, question, dataset, answers);
}

#[target_feature(enable = "avx2,avx512f,avx512vl,bmi1,bmi2")]
pub fn avx512(
    rival: FourDirections<true>,
    question: Question,
    dataset: &Dataset,
    answers: &mut [AlignedColumn],
) {
    answer(rival, question, dataset, answers);
}

/// One step in each lane, by the given numbers of bits.
#[inline(always)]
unsafe fn step<const ROTATES: bool>(set: __m256i, [a, b, c, d]: [i64; 4]) -> __m256i {
    if ROTATES {
        // Rotations count modulo 64.
        return _mm256_rolv_epi64(set, _mm256_setr_epi64x(a, b, c, d));
    }
    // A count above 63, including a negative one, clears a lane.
    let left = _mm256_sllv_epi64(set, _mm256_setr_epi64x(a, b, c, d));
    let right = _mm256_srlv_epi64(set, _mm256_setr_epi64x(-a, -b, -c, -d));
    _mm256_or_si256(left, right)
}

#[inline(always)]
unsafe fn union<const ROTATES: bool>(directions: &Directions, occupied: u64, sliders: u64) -> u64 {
    join(fill::<ROTATES>(directions, _mm256_set1_epi64x(occupied.cast_signed()), sliders))
}

/// Computes rays by Kogge-Stone, one direction per lane.
#[inline(always)]
unsafe fn fill<const ROTATES: bool>(
    directions: &Directions,
    occupied: __m256i,
    sliders: u64,
) -> __m256i {
    let [a, b, c, d] = directions.never.map(u64::cast_signed);
    let never = _mm256_setr_epi64x(a, b, c, d);
    let by = |set, times| step::<ROTATES>(set, directions.steps.map(|step| step * times));
    let mut sliders = _mm256_set1_epi64x(sliders.cast_signed());
    let all = _mm256_set1_epi64x(-1);
    let mut free = _mm256_andnot_si256(_mm256_or_si256(occupied, never), all);
    sliders = _mm256_or_si256(sliders, _mm256_and_si256(free, by(sliders, 1)));
    free = _mm256_and_si256(free, by(free, 1));
    sliders = _mm256_or_si256(sliders, _mm256_and_si256(free, by(sliders, 2)));
    free = _mm256_and_si256(free, by(free, 2));
    sliders = _mm256_or_si256(sliders, _mm256_and_si256(free, by(sliders, 4)));
    _mm256_andnot_si256(never, by(sliders, 1))
}

/// One step in each direction.
#[inline(always)]
unsafe fn leap<const ROTATES: bool>(directions: &Directions, set: u64) -> __m256i {
    let [a, b, c, d] = directions.never.map(u64::cast_signed);
    let set = step::<ROTATES>(_mm256_set1_epi64x(set.cast_signed()), directions.steps);
    _mm256_andnot_si256(_mm256_setr_epi64x(a, b, c, d), set)
}

/// The union of all lanes.
#[inline(always)]
unsafe fn join(rays: __m256i) -> u64 {
    let half = _mm_or_si128(_mm256_castsi256_si128(rays), _mm256_extracti128_si256::<1>(rays));
    _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))).cast_unsigned()
}

/// The sixteen attack maps of each position.
#[inline(always)]
unsafe fn maps<const ROTATES: bool>(dataset: &Dataset, answers: &mut [AlignedColumn]) {
    let maps: [_; 16] = slices(answers);
    for (i, pieces) in dataset.rows.iter().enumerate() {
        let occupied = _mm256_set1_epi64x((pieces.white | pieces.black).cast_signed());
        let pawns = pieces.pawns & pieces.white;
        let by_pawns = [(pawns & !FILES[0]) << 7, (pawns & !FILES[7]) << 9];
        let of_white = side::<ROTATES>(pieces, pieces.white, by_pawns, occupied);
        let pawns = pieces.pawns & pieces.black;
        let by_pawns = [(pawns & !FILES[0]) >> 9, (pawns & !FILES[7]) >> 7];
        let of_black = side::<ROTATES>(pieces, pieces.black, by_pawns, occupied);
        for at in 0..8 {
            maps[at][i] = of_white[at];
            maps[8 + at][i] = of_black[at];
        }
    }
}

/// The eight maps of one side.
#[inline(always)]
unsafe fn side<const ROTATES: bool>(
    pieces: &Pieces,
    own: u64,
    [left, right]: [u64; 2],
    occupied: __m256i,
) -> [u64; 8] {
    let (knights, kings) = (own & pieces.knights, own & pieces.kings);
    let queens = own & pieces.queens;
    let by_role = [
        [leap::<ROTATES>(&LEAPS[0], knights), leap::<ROTATES>(&LEAPS[1], knights)],
        [fill::<ROTATES>(&DIAGONAL, occupied, own & pieces.bishops), _mm256_setzero_si256()],
        [fill::<ROTATES>(&ORTHOGONAL, occupied, own & pieces.rooks), _mm256_setzero_si256()],
        [
            fill::<ROTATES>(&DIAGONAL, occupied, queens),
            fill::<ROTATES>(&ORTHOGONAL, occupied, queens),
        ],
        [leap::<ROTATES>(&ORTHOGONAL, kings), leap::<ROTATES>(&DIAGONAL, kings)],
    ];
    // Combine the roles within lanes, then the lanes pairwise.
    let (mut once, mut twice) = (_mm256_setzero_si256(), _mm256_setzero_si256());
    let mut roles = [0; 5];
    for (role, vectors) in roles.iter_mut().zip(by_role) {
        *role = join(_mm256_or_si256(vectors[0], vectors[1]));
        for vector in vectors {
            twice = _mm256_or_si256(twice, _mm256_and_si256(once, vector));
            once = _mm256_or_si256(once, vector);
        }
    }
    let [a, b] = [_mm256_castsi256_si128(once), _mm256_extracti128_si256::<1>(once)];
    let [c, d] = [_mm256_castsi256_si128(twice), _mm256_extracti128_si256::<1>(twice)];
    let (once, twice) = (_mm_or_si128(a, b), _mm_or_si128(_mm_or_si128(c, d), _mm_and_si128(a, b)));
    let other = _mm_unpackhi_epi64(once, once);
    let both = _mm_or_si128(twice, _mm_unpackhi_epi64(twice, twice));
    let twice = _mm_cvtsi128_si64(_mm_or_si128(both, _mm_and_si128(once, other))).cast_unsigned();
    let once = _mm_cvtsi128_si64(_mm_or_si128(once, other)).cast_unsigned();

    let pawn = left | right;
    let [knight, bishop, rook, queen, king] = roles;
    let twice = twice | left & right | once & pawn;
    [pawn, knight, bishop, rook, queen, king, once | pawn, twice]
}
