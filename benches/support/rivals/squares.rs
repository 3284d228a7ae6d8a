//! Loops over the pieces of each board with a lookup per piece, as in most engines today.
//!
//! The loops are generic over the lookup for one slider: magics (of cozy-chess as published) or PEXT. Knights and kings
//! use cozy-chess's tables.

use cozy_chess::{
    BitBoard, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves,
};
use setwise::bitboard::{ANTIDIAGONALS, DIAGONALS, Direction, FILES};
use setwise::{Colour, Pieces};
#[cfg(target_arch = "x86_64")]
use setwise::{line::rank_attacks, processor::Features};

use super::{Question, Rival, answer};
use crate::support::columns::{AlignedColumn, slices};
use crate::support::inputs::Dataset;

/// A lookup of the squares attacked by one slider.
pub trait Sight: Copy {
    fn rook(self, square: u8, occupied: u64) -> u64;

    fn bishop(self, square: u8, occupied: u64) -> u64;

    #[inline(always)]
    fn queen(self, square: u8, occupied: u64) -> u64 {
        self.rook(square, occupied) | self.bishop(square, occupied)
    }
}

/// Black magics: a multiplication and a lookup in 687 KiB.
#[derive(Clone, Copy)]
pub struct Magic;

impl Sight for Magic {
    #[inline(always)]
    fn rook(self, square: u8, occupied: u64) -> u64 {
        get_rook_moves(Square::index(square.into()), BitBoard(occupied)).0
    }

    #[inline(always)]
    fn bishop(self, square: u8, occupied: u64) -> u64 {
        get_bishop_moves(Square::index(square.into()), BitBoard(occupied)).0
    }
}

/// The squares attacked by a slider along its rank.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn along_rank(square: usize, occupied: u64) -> u64 {
    let blockers = (occupied >> (square & 56)) as u8 >> 1 & 63;
    u64::from(FIRST_RANK[square & 7][usize::from(blockers)]) << (square & 56)
}

/// Hyperbola quintessence: `o ^ (o - 2r)` along several lines of a square in one vector, on the board and on the board
/// flipped by shuffles. Ranks use 512 bytes of first-rank attacks, other lines 2 KiB of masks.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub struct Dual(());

#[cfg(target_arch = "x86_64")]
impl Dual {
    pub fn detect() -> Option<Self> {
        Features::Avx2.is_available().then_some(Self(()))
    }

    /// The union of the attacks along the lines in `masks`.
    #[inline(always)]
    fn along(self, masks: [u64; 4], square: u8, occupied: u64) -> u64 {
        // SAFETY: `detect` has checked that the processor has AVX2.
        unsafe { along_by_avx2(masks, square, occupied) }
    }
}

/// A separate function, because a closure does not enable the instructions: each intrinsic would be a call.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn along_by_avx2(masks: [u64; 4], square: u8, occupied: u64) -> u64 {
    use core::arch::x86_64::*;
    let turn = _mm256_setr_epi64x(
        0x0001_0203_0405_0607,
        0x0809_0a0b_0c0d_0e0f,
        0x0001_0203_0405_0607,
        0x0809_0a0b_0c0d_0e0f,
    );
    let splat = |set: u64| _mm256_set1_epi64x(set.cast_signed());
    // SAFETY: both types are 32 bytes of plain bits.
    let masks = unsafe { core::mem::transmute::<[u64; 4], __m256i>(masks) };
    let blockers = _mm256_and_si256(splat(occupied), masks);
    let up = _mm256_sub_epi64(blockers, splat(1 << square));
    let turned = _mm256_shuffle_epi8(blockers, turn);
    let down = _mm256_sub_epi64(turned, splat(1 << (square ^ 56)));
    let both = _mm256_xor_si256(up, _mm256_shuffle_epi8(down, turn));
    let lines = _mm256_and_si256(both, masks);
    let two = _mm_or_si128(_mm256_castsi256_si128(lines), _mm256_extracti128_si256::<1>(lines));
    _mm_cvtsi128_si64(_mm_or_si128(two, _mm_unpackhi_epi64(two, two))).cast_unsigned()
}

#[cfg(target_arch = "x86_64")]
impl Sight for Dual {
    #[inline(always)]
    fn rook(self, square: u8, occupied: u64) -> u64 {
        let at = usize::from(square);
        along(LINES[at][0], at, occupied) | along_rank(at, occupied)
    }

    #[inline(always)]
    fn bishop(self, square: u8, occupied: u64) -> u64 {
        let [_, diagonal, antidiagonal, _] = LINES[usize::from(square)];
        self.along([diagonal, antidiagonal, 0, 0], square, occupied)
    }

    #[inline(always)]
    fn queen(self, square: u8, occupied: u64) -> u64 {
        let lines = self.along(LINES[usize::from(square)], square, occupied);
        lines | along_rank(square.into(), occupied)
    }
}

/// The squares attacked by a slider along a line, which must not contain the slider's square.
#[inline(always)]
fn along(line: u64, square: usize, occupied: u64) -> u64 {
    let slider = 1_u64 << square;
    let blockers = occupied & line;
    let up = blockers.wrapping_sub(slider);
    let down = blockers.swap_bytes().wrapping_sub(slider.swap_bytes()).swap_bytes();
    (up ^ down) & line
}

/// The file, the diagonal and the antidiagonal through each square, without the square; and an empty line.
#[cfg(target_arch = "x86_64")]
static LINES: [[u64; 4]; 64] = {
    let mut lines = [[0; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let here = 1 << square;
        lines[square] = [
            FILES[square % 8] & !here,
            DIAGONALS[7 + square / 8 - square % 8] & !here,
            ANTIDIAGONALS[square / 8 + square % 8] & !here,
            0,
        ];
        square += 1;
    }
    lines
};

/// The squares attacked by a slider on each file of the first rank, by the pieces on the six inner squares.
#[cfg(target_arch = "x86_64")]
static FIRST_RANK: [[u8; 64]; 8] = {
    let mut table = [[0; 64]; 8];
    let mut at = 0;
    while at < 512 {
        let (file, blockers) = (at / 64, at % 64);
        table[file][blockers] = rank_attacks(file as u8, (blockers as u64) << 1) as u8;
        at += 1;
    }
    table
};

/// A lookup for each slider of a set.
#[derive(Clone, Copy)]
struct BySquares<S>(S);

impl<S: Sight> Rival for BySquares<S> {
    #[inline(always)]
    fn orthogonal(self, occupied: u64, sliders: u64) -> u64 {
        let mut union = BitBoard::EMPTY;
        for square in BitBoard(sliders) {
            union.0 |= self.0.rook(square as u8, occupied);
        }
        union.0
    }

    #[inline(always)]
    fn diagonal(self, occupied: u64, sliders: u64) -> u64 {
        let mut union = BitBoard::EMPTY;
        for square in BitBoard(sliders) {
            union.0 |= self.0.bishop(square as u8, occupied);
        }
        union.0
    }

    #[inline(always)]
    fn columns(self, question: Question, dataset: &Dataset, answers: &mut [AlignedColumn]) {
        if question == Question::Rays {
            rays(self.0, dataset, answers);
        } else {
            maps(self.0, dataset, answers);
        }
    }
}

/// The rays of many boards: the attacks of each slider, split into directions by masks.
#[inline(always)]
fn rays(sight: impl Sight, dataset: &Dataset, answers: &mut [AlignedColumn]) {
    let mut rays: [_; 8] = slices(answers);
    for i in 0..dataset.len() {
        let occupied = dataset.occupied[i];
        let mut seen = [0; 8];
        for square in BitBoard(dataset.orthogonal[i]) {
            let squares = sight.rook(square as u8, occupied);
            let masks = &RAYS[square as usize];
            for direction in 0..4 {
                seen[direction] |= squares & masks[direction];
            }
        }
        for square in BitBoard(dataset.diagonal[i]) {
            let squares = sight.bishop(square as u8, occupied);
            let masks = &RAYS[square as usize];
            for direction in 4..8 {
                seen[direction] |= squares & masks[direction];
            }
        }
        for (column, seen) in rays.iter_mut().zip(seen) {
            column[i] = seen;
        }
    }
}

/// The squares in each direction from each square of an empty board.
static RAYS: [[u64; 8]; 64] = {
    let mut rays = [[0; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let step = Direction::ALL[direction];
            let mut at = step.step(1 << square);
            while at != 0 {
                rays[square][direction] |= at;
                at = step.step(at);
            }
            direction += 1;
        }
        square += 1;
    }
    rays
};

/// The attack maps of many positions. Pawn attacks are two shifts, which are faster than lookups.
#[inline(always)]
fn maps(sight: impl Sight, dataset: &Dataset, answers: &mut [AlignedColumn]) {
    let positions = dataset.columns();
    let maps: [_; 16] = slices(answers);
    for i in 0..dataset.len() {
        let mut sets = [0; 8];
        for (set, column) in sets.iter_mut().zip(positions) {
            *set = column[i];
        }
        let [.., white, black] = sets;
        let occupied = white | black;
        let of_white = side(sight, sets, white, Colour::White, occupied);
        let of_black = side(sight, sets, black, Colour::Black, occupied);
        for at in 0..8 {
            maps[at][i] = of_white[at];
            maps[8 + at][i] = of_black[at];
        }
    }
}

/// The eight maps of one side.
#[inline(always)]
fn side(sight: impl Sight, sets: [u64; 8], own: u64, colour: Colour, occupied: u64) -> [u64; 8] {
    let [pawns, knights, bishops, rooks, queens, kings, ..] = sets;
    let (mut all, mut twice) = (0, 0);
    let mut count = |seen: BitBoard| {
        twice |= all & seen.0;
        all |= seen.0;
        seen.0
    };
    let (mut knight, mut bishop, mut rook, mut queen, mut king) = (0, 0, 0, 0, 0);
    let (from_b, from_a) = (pawns & own & !FILES[0], pawns & own & !FILES[7]);
    let [west, east] = match colour {
        Colour::White => [from_b << 7, from_a << 9],
        Colour::Black => [from_b >> 9, from_a >> 7],
    };
    let pawn = count(BitBoard(west)) | count(BitBoard(east));
    for square in BitBoard(knights & own) {
        knight |= count(get_knight_moves(square));
    }
    for square in BitBoard(bishops & own) {
        bishop |= count(BitBoard(sight.bishop(square as u8, occupied)));
    }
    for square in BitBoard(rooks & own) {
        rook |= count(BitBoard(sight.rook(square as u8, occupied)));
    }
    for square in BitBoard(queens & own) {
        queen |= count(BitBoard(sight.queen(square as u8, occupied)));
    }
    for square in BitBoard(kings & own) {
        king |= count(get_king_moves(square));
    }
    [pawn, knight, bishop, rook, queen, king, all, twice]
}

/// The eight maps of one side with [`Magic`].
#[inline(always)]
pub fn magic_maps(pieces: &Pieces, colour: Colour) -> [u64; 8] {
    side(Magic, pieces.sets(), pieces.colour(colour), colour, pieces.occupied())
}

/// Black magics.
pub fn magic(question: Question, dataset: &Dataset, answers: &mut [AlignedColumn]) {
    answer(BySquares(Magic), question, dataset, answers);
}

/// PEXT instead of the multiplication, with tables of our own.
///
/// cozy-chess supports PEXT, too, but as a feature that replaces its magics in the whole build and requires BMI2 at
/// compile time, so one run could not measure both. This module uses its method with tables of its size (841 KiB),
/// which are filled on first use by walking along rays.
#[cfg(target_arch = "x86_64")]
pub mod pext {
    use core::arch::x86_64::*;
    use std::sync::LazyLock;

    use setwise::bitboard::{Direction, FILES, RANKS};
    use setwise::reference;

    use super::{AlignedColumn, BySquares, Dataset, Features, Question, Sight, answer};

    /// The total number of subsets of the relevant squares: 102,400 for rooks, 5,248 for bishops, and one for the
    /// entry without a square.
    pub const SIZE: usize = 102_400 + 5_248 + 1;

    /// The relevant squares for a slider on one square, and the offset of its attacks in the table.
    #[derive(Clone, Copy)]
    pub struct Entry {
        pub mask: u64,
        pub offset: u32,
    }

    /// The tables by square. The last entry is for a missing slider and has no attacks.
    pub struct Tables {
        pub rook: [Entry; 65],
        pub bishop: [Entry; 65],
        pub seen: Box<[u64; SIZE]>,
    }

    static TABLES: LazyLock<Tables> = LazyLock::new(|| {
        let mut seen = Vec::with_capacity(SIZE);
        let mut entry = |square, directions: &[Direction]| {
            let offset = seen.len() as u32;
            let rays = |occupied| {
                directions.iter().map(move |&to| (to, reference::ray_from(square, to, occupied)))
            };
            // The occupancy of the last square of a ray does not matter.
            let mask = rays(0).fold(0, |mask, (to, ray)| mask | ray & !edge(to));
            let mut subset = 0_u64;
            loop {
                seen.push(rays(subset).fold(0, |seen, (_, ray)| seen | ray));
                subset = subset.wrapping_sub(mask) & mask;
                if subset == 0 {
                    return Entry { mask, offset };
                }
            }
        };
        let empty = Entry { mask: 0, offset: SIZE as u32 - 1 };
        let (mut rook, mut bishop) = ([empty; 65], [empty; 65]);
        for (entries, directions) in
            [(&mut rook, &Direction::ALL[..4]), (&mut bishop, &Direction::ALL[4..])]
        {
            for (square, of_square) in entries[..64].iter_mut().enumerate() {
                *of_square = entry(square as u8, directions);
            }
        }
        seen.push(0);
        let seen = seen.into_boxed_slice().try_into().expect("as many subsets as counted");
        Tables { rook, bishop, seen }
    });

    /// The squares at which rays in a direction end.
    fn edge(direction: Direction) -> u64 {
        let (files, ranks) = direction.offset();
        let file = [FILES[0], 0, FILES[7]][(files + 1) as usize];
        let rank = [RANKS[0], 0, RANKS[7]][(ranks + 1) as usize];
        file | rank
    }

    /// The tables; a value proves that the processor has PEXT and AVX2.
    #[derive(Clone, Copy)]
    pub struct Pext(pub &'static Tables);

    impl Pext {
        pub fn detect() -> Option<Self> {
            Features::Avx2.is_available().then(|| Self(&TABLES))
        }

        #[inline(always)]
        fn look_up(self, entry: &Entry, occupied: u64) -> u64 {
            self.0.seen[place(entry, occupied)]
        }
    }

    /// The index of the attacks of one slider.
    #[inline(always)]
    fn place(entry: &Entry, occupied: u64) -> usize {
        // SAFETY: entries come from a `Pext`, which exists only if the processor has the instruction.
        entry.offset as usize + unsafe { _pext_u64(occupied, entry.mask) } as usize
    }

    impl Sight for Pext {
        #[inline(always)]
        fn rook(self, square: u8, occupied: u64) -> u64 {
            self.look_up(&self.0.rook[usize::from(square)], occupied)
        }

        #[inline(always)]
        fn bishop(self, square: u8, occupied: u64) -> u64 {
            self.look_up(&self.0.bishop[usize::from(square)], occupied)
        }
    }

    #[target_feature(enable = "bmi1,bmi2")]
    pub fn pext(
        tables: Pext,
        question: Question,
        dataset: &Dataset,
        answers: &mut [AlignedColumn],
    ) {
        answer(BySquares(tables), question, dataset, answers);
    }

    /// The number of sliders of each kind that [`gather`] always looks up.
    const FIXED: usize = 3;

    /// The indices of a board's first lookups, and whether the board has more sliders.
    #[inline(always)]
    fn places(pext: Pext, occupied: u64, sliders: [u64; 2]) -> ([usize; 2 * FIXED], bool) {
        let [mut orthogonal, mut diagonal] = sliders;
        let mut places = [0; 2 * FIXED];
        for pair in places.as_chunks_mut::<2>().0 {
            *pair = [
                place(&pext.0.rook[orthogonal.trailing_zeros() as usize], occupied),
                place(&pext.0.bishop[diagonal.trailing_zeros() as usize], occupied),
            ];
            orthogonal &= orthogonal.wrapping_sub(1);
            diagonal &= diagonal.wrapping_sub(1);
        }
        (places, orthogonal | diagonal != 0)
    }

    /// The attacks of all sliders of a board with more than [`FIXED`] of a kind.
    #[cold]
    fn all_of(pext: Pext, occupied: u64, [orthogonal, diagonal]: [u64; 2]) -> u64 {
        let mut union = 0;
        for (mut sliders, entries) in [(orthogonal, &pext.0.rook), (diagonal, &pext.0.bishop)] {
            for _ in 0..FIXED {
                union |= pext.look_up(&entries[sliders.trailing_zeros() as usize], occupied);
                sliders &= sliders.wrapping_sub(1);
            }
            while sliders != 0 {
                union |= pext.look_up(&entries[sliders.trailing_zeros() as usize], occupied);
                sliders &= sliders - 1;
            }
        }
        union
    }

    /// Answers [`Question::Unions`] by a fixed number of lookups per board, because the end of a loop over sliders is
    /// often mispredicted. Only the few boards with more sliders use such a loop. It computes the indices for 32
    /// boards, then performs the lookups for four boards at a time.
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    pub fn gather(pext: Pext, dataset: &Dataset, answers: &mut [AlignedColumn]) {
        const AHEAD: usize = 32;
        let mut ahead = [[SIZE - 1; 2 * FIXED]; AHEAD];
        for first in (0..dataset.len()).step_by(AHEAD) {
            let rows = first..dataset.len().min(first + AHEAD);
            let sliders = |row: usize| [dataset.orthogonal[row], dataset.diagonal[row]];
            let mut many = 0_u32;
            for (at, row) in rows.clone().enumerate() {
                let (places, has_more) = places(pext, dataset.occupied[row], sliders(row));
                ahead[at] = places;
                many |= u32::from(has_more) << at;
            }
            let fours = answers[0][rows].chunks_mut(4).zip(ahead.as_chunks::<4>().0);
            for (answers, ahead) in fours {
                let mut union = _mm256_setzero_si256();
                for look_up in 0..2 * FIXED {
                    let [a, b, c, d] = ahead.map(|places| places[look_up] as i64);
                    let places = _mm256_set_epi64x(d, c, b, a);
                    // SAFETY: the indices are below the table's size.
                    let seen =
                        unsafe { _mm256_i64gather_epi64::<8>(pext.0.seen.as_ptr().cast(), places) };
                    union = _mm256_or_si256(union, seen);
                }
                let mut four = [0_u64; 4];
                // SAFETY: the array has 32 bytes.
                unsafe { _mm256_storeu_si256(four.as_mut_ptr().cast(), union) };
                answers.copy_from_slice(&four[..answers.len()]);
            }
            while many != 0 {
                let row = first + many.trailing_zeros() as usize;
                answers[0][row] = all_of(pext, dataset.occupied[row], sliders(row));
                many &= many - 1;
            }
        }
    }
}
