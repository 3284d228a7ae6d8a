//! Threats and their changes by a move, computed by byteboards as in engines with threat inputs, for AVX2 and AVX-512
//! VBMI.
//!
//! This was written from the description of byteboard attack tables. A permutation for each square reorders the bytes
//! of the board: eight bytes for each direction, a knight's leap and then the seven squares of a ray. In the mask of
//! occupied bytes, the nearest piece of each ray is the lowest bit of its byte. A table indexed by place (the byte's
//! index after the permutation) selects the pieces that attack the square.

use core::arch::x86_64::*;

use setwise::Pieces;
use setwise::bitboard::Direction;
use setwise_nnue::{SquareChange, ThreatChange};

use super::threats::Buffer;

#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Bytes([u8; 64]);

/// The directions, ordered so that a direction and its opposite are 32 bits apart.
const DIRECTIONS: [Direction; 8] = [
    Direction::North,
    Direction::East,
    Direction::NorthEast,
    Direction::NorthWest,
    Direction::South,
    Direction::West,
    Direction::SouthWest,
    Direction::SouthEast,
];

const LEAPS: [[i8; 2]; 8] =
    [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]];

/// The permutation for each square, with 0x80 for places off the board.
static TURNED: [Bytes; 64] = {
    let mut turned = [Bytes([0x80; 64]); 64];
    let mut square = 0;
    while square < 64 {
        let mut lane = 0;
        while lane < 8 {
            let file = square as i8 % 8 + LEAPS[lane][0];
            let rank = square as i8 / 8 + LEAPS[lane][1];
            if 0 <= file && file < 8 && 0 <= rank && rank < 8 {
                turned[square].0[8 * lane] = (8 * rank + file) as u8;
            }
            let (mut next, mut at) = (DIRECTIONS[lane].step(1 << square), 8 * lane + 1);
            while next != 0 {
                turned[square].0[at] = next.trailing_zeros() as u8;
                next = DIRECTIONS[lane].step(next);
                at += 1;
            }
            lane += 1;
        }
        square += 1;
    }
    turned
};

/// The places of each permutation that are on the board.
static ON_BOARD: [u64; 64] = {
    let mut on_board = [0; 64];
    let mut at = 0;
    while at < 64 * 64 {
        on_board[at / 64] |= ((TURNED[at / 64].0[at % 64] < 64) as u64) << (at % 64);
        at += 1;
    }
    on_board
};

/// The places of knights' leaps, of guard bits, of orthogonal rays, of diagonal rays, and of a king's steps.
const LEAP: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;
const ROOK: u64 = 0x0000_fefe_0000_fefe;
const BISHOP: u64 = 0xfefe_0000_fefe_0000;
const KING: u64 = 0x0202_0202_0202_0202;
/// The places of pawn captures, upwards and downwards.
const PAWN: [u64; 2] = [0x0000_0000_0202_0000, 0x0202_0000_0000_0000];

/// The places attacked by a piece on the square, by its code.
const ATTACKED: [u64; 16] = {
    let mut attacked = [0; 16];
    let mut colour = 0;
    while colour < 2 {
        let first = 8 * colour + 1;
        attacked[first] = PAWN[colour];
        attacked[first + 1] = LEAP;
        attacked[first + 2] = BISHOP;
        attacked[first + 3] = ROOK;
        attacked[first + 4] = ROOK | BISHOP;
        attacked[first + 5] = KING;
        colour += 1;
    }
    attacked
};

/// The kinds of attack of each piece code, one bit each: white pawns, black pawns, knights, bishops, rooks, kings.
const KINDS: [u8; 16] = [0, 1, 4, 8, 16, 24, 32, 0, 0, 2, 4, 8, 16, 24, 32, 0];

/// The kinds of attack that reach the square from each place.
static ATTACKERS: Bytes = {
    let mut attackers = [0; 64];
    let mut place = 0;
    while place < 64 {
        let kinds = [PAWN[1], PAWN[0], LEAP, BISHOP, ROOK, KING];
        let mut kind = 0;
        while kind < 6 {
            if kinds[kind] >> place & 1 == 1 {
                attackers[place] |= 1 << kind;
            }
            kind += 1;
        }
        place += 1;
    }
    Bytes(attackers)
};

/// The kinds of sliding attack that reach the square from each place.
static SLIDERS: Bytes = {
    let mut sliders = [0; 64];
    let mut place = 0;
    while place < 64 {
        sliders[place] = 8 * (BISHOP >> place & 1) as u8 + 16 * (ROOK >> place & 1) as u8;
        place += 1;
    }
    Bytes(sliders)
};

/// The nearest piece on each ray, and the pieces on all leaps.
#[inline(always)]
fn nearest(occupied: u64) -> u64 {
    let rays = occupied & !LEAP;
    let others = (rays | HIGH).wrapping_sub(LEAP << 1);
    // The lowest bit of each byte. A guard bit is dropped unless its square is occupied.
    (rays & !others) | (occupied & LEAP)
}

/// A list being written.
struct List<'a> {
    out: &'a mut [ThreatChange],
    len: usize,
}

impl List<'_> {
    #[inline(always)]
    fn push(&mut self, from: u8, attacker: u8, to: u8, victim: u8, sign: u32) {
        let bits = u32::from_le_bytes([from, to, attacker, victim]) | sign;
        self.out[self.len] = ThreatChange::from_bits(bits);
        self.len += 1;
    }
}

/// A board permuted for a square.
struct Seen {
    square: u8,
    nearest: u64,
    attackers: u64,
    sliders: u64,
    codes: Bytes,
}

impl Seen {
    #[inline(always)]
    fn at(&self, place: usize) -> (u8, u8) {
        (TURNED[usize::from(self.square & 63)].0[place & 63], self.codes.0[place & 63])
    }

    /// Adds the pairs from and to a piece on the square.
    #[inline(always)]
    fn ends(&self, code: u8, sign: u32, list: &mut List<'_>) {
        let mut victims = self.nearest & ATTACKED[usize::from(code & 15)];
        while victims != 0 {
            let (to, victim) = self.at(victims.trailing_zeros() as usize);
            list.push(self.square, code, to, victim, sign);
            victims &= victims - 1;
        }
        let mut attackers = self.nearest & self.attackers;
        while attackers != 0 {
            let (from, attacker) = self.at(attackers.trailing_zeros() as usize);
            list.push(from, attacker, self.square, code, sign);
            attackers &= attackers - 1;
        }
    }

    /// Adds the pairs whose slider attacks across the square: those with a piece on the opposite ray.
    #[inline(always)]
    fn across(&self, sign: u32, list: &mut List<'_>) {
        let rays = self.nearest & !LEAP;
        let opposite = rays.rotate_left(32);
        // Sets all bits of each nonzero byte.
        let pieces = (((opposite & !HIGH) + !HIGH) | opposite) & HIGH;
        let pieces = (pieces >> 7) * 0xff;
        let mut sliders = self.sliders & rays & pieces;
        while sliders != 0 {
            let place = sliders.trailing_zeros() as usize;
            let (from, attacker) = self.at(place);
            let lane = place & 0x38;
            let victim = (opposite >> lane & 0xff).trailing_zeros() as usize;
            let (to, victim) = self.at((lane ^ 32) + victim);
            list.push(from, attacker, to, victim, sign);
            sliders &= sliders - 1;
        }
    }
}

/// Computes the changes of threats square by square.
#[inline(always)]
fn changes_of(codes: &[u8; 64], changes: &[SquareChange], out: &mut [ThreatChange]) -> usize {
    const ADDED: u32 = 1 << 31;
    let mut board = Rows::load(codes);
    let mut list = List { out, len: 0 };
    for change in changes {
        let old = codes[usize::from(change.square())];
        let seen = board.seen_from(change.square());
        if old == 0 {
            seen.across(0, &mut list);
        } else {
            seen.ends(old, 0, &mut list);
        }
        if change.code() == 0 {
            seen.across(ADDED, &mut list);
        } else {
            seen.ends(change.code(), ADDED, &mut list);
        }
        board = board.set(change.square(), change.code());
    }
    list.len
}

/// The board in four vectors; each contains sixteen bytes twice.
#[derive(Clone, Copy)]
struct Rows([__m256i; 4]);

impl Rows {
    /// Computes half of a permuted board.
    #[inline(always)]
    fn turned(self, to: &[u8]) -> __m256i {
        // SAFETY: `avx2` enables the instructions, and half of a permuted board is 32 bytes.
        unsafe {
            let squares = _mm256_loadu_si256(to.as_ptr().cast());
            let [a, b, c, d] = self.0.map(|row| _mm256_shuffle_epi8(row, squares));
            let odd = _mm256_slli_epi16::<3>(squares);
            let low = _mm256_blendv_epi8(a, b, odd);
            let high = _mm256_blendv_epi8(c, d, odd);
            _mm256_blendv_epi8(low, high, _mm256_slli_epi16::<2>(squares))
        }
    }
}

impl Rows {
    #[inline(always)]
    fn load(codes: &[u8; 64]) -> Self {
        // SAFETY: `avx2` enables the instructions, and four rows are 64 bytes.
        unsafe {
            let row = |row: usize| {
                _mm256_broadcastsi128_si256(_mm_loadu_si128(codes.as_ptr().add(16 * row).cast()))
            };
            Self([row(0), row(1), row(2), row(3)])
        }
    }

    #[inline(always)]
    fn set(self, square: u8, code: u8) -> Self {
        // SAFETY: `avx2` has the instructions.
        unsafe {
            let first = _mm256_broadcastsi128_si256(_mm_setr_epi8(
                0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
            ));
            let code = _mm256_set1_epi8(code as i8);
            let mut rows = self.0;
            for (row, codes) in rows.iter_mut().enumerate() {
                let at = _mm256_set1_epi8(square.wrapping_sub(16 * row as u8) as i8);
                *codes = _mm256_blendv_epi8(*codes, code, _mm256_cmpeq_epi8(first, at));
            }
            Self(rows)
        }
    }

    #[inline(always)]
    fn seen_from(self, square: u8) -> Seen {
        let to = &TURNED[usize::from(square & 63)].0;
        let mut codes = Bytes([0; 64]);
        let (mut empty, mut attackers, mut sliders) = (0, 0, 0);
        for half in 0..2 {
            let turned = self.turned(&to[32 * half..]);
            // SAFETY: `avx2` enables the instructions; each table has 32 more bytes after `32 * half`.
            unsafe {
                _mm256_store_si256(codes.0.as_mut_ptr().add(32 * half).cast(), turned);
                let zero = _mm256_setzero_si256();
                let mask = |none| u64::from(_mm256_movemask_epi8(none) as u32) << (32 * half);
                let kinds = _mm256_broadcastsi128_si256(_mm_loadu_si128(KINDS.as_ptr().cast()));
                let kinds = _mm256_shuffle_epi8(kinds, turned);
                let load =
                    |table: &Bytes| _mm256_load_si256(table.0.as_ptr().add(32 * half).cast());
                let attack = _mm256_and_si256(kinds, load(&ATTACKERS));
                let slide = _mm256_and_si256(kinds, load(&SLIDERS));
                empty |= mask(_mm256_cmpeq_epi8(turned, zero));
                attackers |= mask(_mm256_cmpgt_epi8(attack, zero));
                sliders |= mask(_mm256_cmpgt_epi8(slide, zero));
            }
        }
        Seen { square, nearest: nearest(!empty), attackers, sliders, codes }
    }
}

/// Computes the changes with AVX2.
#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
pub fn avx2(codes: &[u8; 64], changes: &[SquareChange], out: &mut [ThreatChange]) -> usize {
    changes_of(codes, changes, out)
}

/// Computes the changes with AVX-512, without a loop over pairs.
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
)]
pub fn avx512(codes: &[u8; 64], changes: &[SquareChange], out: &mut [ThreatChange]) -> usize {
    const ADDED: u32 = 1 << 31;
    // SAFETY: this function enables the instructions, tables and codes are 64 bytes, and `write` asserts that `out` has
    // sixteen records after `len`.
    unsafe {
        let load = |bytes: &[u8; 64]| _mm512_loadu_si512(bytes.as_ptr().cast());
        let kinds = _mm512_broadcast_i32x4(_mm_loadu_si128(KINDS.as_ptr().cast()));
        let mut board = load(codes);
        let mut len = 0;
        let mut write = |records: __m512i, count: u32| {
            assert!(len + 16 <= out.len());
            _mm512_storeu_si512(out.as_mut_ptr().add(len).cast(), records);
            len += count as usize;
        };
        let widened = |bytes: __m512i| _mm512_cvtepu8_epi32(_mm512_castsi512_si128(bytes));
        for change in changes {
            let square = change.square();
            let squares = load(&TURNED[usize::from(square)].0);
            let on_board = !_mm512_movepi8_mask(squares);
            let turned = _mm512_maskz_permutexvar_epi8(on_board, squares, board);
            let seen = nearest(_mm512_test_epi8_mask(turned, turned));
            let kinds = _mm512_shuffle_epi8(kinds, turned);
            let attackers = seen & _mm512_test_epi8_mask(kinds, load(&ATTACKERS.0));
            let sliders = seen & _mm512_test_epi8_mask(kinds, load(&SLIDERS.0));
            let listed = |chosen: u64| {
                let squares = widened(_mm512_maskz_compress_epi8(chosen, squares));
                let codes = widened(_mm512_maskz_compress_epi8(chosen, turned));
                _mm512_or_si512(squares, _mm512_slli_epi32::<16>(codes))
            };
            let old = codes[usize::from(square)];
            for (code, sign) in [(old, 0), (change.code(), ADDED)] {
                if code != 0 {
                    let victims = seen & ATTACKED[usize::from(code & 15)];
                    let here = u32::from(square) | u32::from(code) << 16;
                    let from = _mm512_set1_epi32((here | sign) as i32);
                    let to = _mm512_set1_epi32((here << 8 | sign) as i32);
                    let pairs = _mm512_slli_epi32::<8>(listed(victims));
                    write(_mm512_or_si512(pairs, from), victims.count_ones());
                    write(_mm512_or_si512(listed(attackers), to), attackers.count_ones());
                } else {
                    // Rays with a piece, whose opposite rays have a piece, too.
                    let rays = seen & !LEAP;
                    let lanes = |rays: u64| {
                        let bytes = _mm_cvtsi64_si128(rays as i64);
                        let pieces = _mm_cmpneq_epi8_mask(bytes, _mm_setzero_si128());
                        _pdep_u64(pieces.into(), LEAP) * 0xff
                    };
                    let through = rays & lanes(rays & lanes(rays.rotate_left(32)));
                    // One piece per lane, in the order of the lanes; the opposite piece is in the other half.
                    let pieces = listed(through);
                    let half = (through as u32).count_ones() as i32;
                    let order =
                        _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
                    let order = _mm512_add_epi32(order, _mm512_set1_epi32(half));
                    let wrapped = _mm512_sub_epi32(order, _mm512_set1_epi32(2 * half));
                    let order = _mm512_min_epu32(order, wrapped);
                    let opposite = _mm512_permutexvar_epi32(order, pieces);
                    let pairs = _mm512_or_si512(pieces, _mm512_slli_epi32::<8>(opposite));
                    let pairs = _mm512_or_si512(pairs, _mm512_set1_epi32(sign as i32));
                    let chosen = _pext_u64(sliders, through) as u16;
                    let pairs = _mm512_maskz_compress_epi32(chosen, pairs);
                    write(pairs, chosen.count_ones());
                }
            }
            let bit = 1_u64 << square;
            board = _mm512_mask_set1_epi8(board, bit, change.code() as i8);
        }
        len
    }
}

/// Lists the threats of a position by permuting the board for each piece.
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,bmi1,bmi2,popcnt,lzcnt"
)]
pub fn pairs(pieces: &Pieces, buffer: &mut Buffer) -> usize {
    let &Pieces { pawns, knights, bishops, rooks, queens, kings, white, black } = pieces;
    let occupied = white | black;
    let boards = _mm512_set1_epi64(occupied as i64);
    let mut len = 0;
    // Only the attacks of pawns depend on the colour.
    for (set, pattern) in [
        (pawns & white, ATTACKED[1]),
        (pawns & black, ATTACKED[9]),
        (knights & occupied, ATTACKED[2]),
        (bishops & occupied, ATTACKED[3]),
        (rooks & occupied, ATTACKED[4]),
        (queens & occupied, ATTACKED[5]),
        (kings & occupied, ATTACKED[6]),
    ] {
        let mut left = set;
        while left != 0 {
            let square = left.trailing_zeros() as usize;
            left &= left - 1;
            // SAFETY: a square is below 64, and its 64 bytes are aligned.
            let squares = unsafe { _mm512_load_si512(TURNED[square].0.as_ptr().cast()) };
            let seen = _mm512_bitshuffle_epi64_mask(boards, squares) & ON_BOARD[square];
            let hits = nearest(seen) & pattern;
            let to = _mm512_castsi512_si128(_mm512_maskz_compress_epi8(hits, squares));
            let pairs = _mm_unpacklo_epi8(_mm_set1_epi8(square as i8), to);
            // SAFETY: the offset is at most 504, and eight pairs are written.
            unsafe { _mm_storeu_si128(buffer.as_mut_ptr().add(len.min(504)).cast(), pairs) };
            len += hits.count_ones() as usize;
        }
    }
    len
}
