//! The changes in plain integer code for any processor: eight rays one after another. The lowest or the highest bit is
//! the nearest piece.

use super::records::ThreatChange;
use super::tables::{FAR, KNIGHT, KNIGHTS, NEAR, OFF_BOARD, RAYS};
use super::write::{Board, List};
use setwise::leaper::KING_ATTACKS;

/// One byte per square.
pub(crate) struct Plain([u8; 64]);

/// The surroundings of a square.
pub(crate) struct Around {
    square: u8,
    /// The square and the code of the nearest piece in each lane. The code is 0 if the lane is empty.
    rays: [(u8, u8); 8],
    /// The squares a knight's leap away, with their codes.
    leaps: [(u8, u8); 8],
    /// The ways in which the piece of each lane may attack the square in the middle.
    ways: [u8; 8],
}

impl Around {
    /// Appends the pairs of the given lanes. `pair` returns attacker and victim.
    #[inline(always)]
    fn list(
        list: &mut List<'_>,
        added: bool,
        lanes: u32,
        pair: impl Fn(usize) -> (bool, [(u8, u8); 2]),
    ) {
        for lane in 0..8 {
            let (counts, [attacker, victim]) = pair(lane);
            list.buffer[list.len].write(ThreatChange::of(attacker, victim, added));
            list.len += usize::from(counts & (lanes >> lane & 1 == 1));
        }
    }
}

impl Board for Plain {
    type Around = Around;

    #[inline(always)]
    fn load(codes: &[u8; 64]) -> Self {
        Self(*codes)
    }

    #[inline(always)]
    fn holding(&self, code: u8) -> u64 {
        const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        let mut holding = 0;
        let (ranks, _) = self.0.as_chunks::<8>();
        for (rank, &codes) in ranks.iter().enumerate() {
            // The highest bit of each byte that equals the code, then these bits as a rank.
            let differ = u64::from_le_bytes(codes) ^ (u64::from(code) * 0x0101_0101_0101_0101);
            let same = !(((differ & LOW) + LOW) | differ) & !LOW;
            holding |= ((same >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * rank);
        }
        holding
    }

    #[inline(always)]
    fn set(&mut self, square: u8, code: u8) {
        self.0[usize::from(square & 63)] = code;
    }

    #[inline(always)]
    fn around(&self, square: u8, occupied: u64) -> Around {
        let middle = usize::from(square & 63);
        let mut around = Around { square, rays: [(0, 0); 8], leaps: [(0, 0); 8], ways: [0; 8] };
        for lane in 0..8 {
            let ray = RAYS[middle][lane] & occupied;
            // Lanes 0, 2, 4 and 6 lead to higher squares.
            let nearest =
                if lane % 2 == 0 { ray.trailing_zeros() } else { 63 ^ ray.leading_zeros() };
            let nearest = nearest as u8 & 63;
            let code = if ray == 0 { 0 } else { self.0[usize::from(nearest)] };
            around.rays[lane] = (nearest, code);
            let is_near = KING_ATTACKS[middle] >> nearest & 1 == 1;
            around.ways[lane] = FAR[lane] | if is_near { NEAR[lane] } else { 0 };
            let leap = KNIGHTS[middle][lane];
            if leap != OFF_BOARD {
                around.leaps[lane] = (leap, self.0[usize::from(leap & 63)]);
            }
        }
        around
    }

    #[inline(always)]
    fn ends(around: &Around, code: u8, added: bool, dropped: u32, list: &mut List<'_>) {
        let piece = (around.square, code);
        let at = usize::from(code & 15);
        let (from, to) = (&list.filter.from[at], &list.filter.to[at]);
        let is_knight = code & 7 == 2;
        let (victims, ways, lanes) = if is_knight {
            (&around.leaps, &[KNIGHT; 8], !dropped >> 8)
        } else {
            (&around.rays, &around.ways, !dropped)
        };
        Around::list(list, added, lanes, |lane| {
            let victim = victims[lane];
            (from[usize::from(victim.1 & 15)] & ways[lane] != 0, [piece, victim])
        });
        Around::list(list, added, !dropped, |lane| {
            let attacker = around.rays[lane];
            (to[usize::from(attacker.1 & 15)] & around.ways[lane] != 0, [attacker, piece])
        });
        Around::list(list, added, !dropped >> 8, |lane| {
            let attacker = around.leaps[lane];
            (to[usize::from(attacker.1 & 15)] & KNIGHT != 0, [attacker, piece])
        });
    }

    #[inline(always)]
    fn across(around: &Around, added: bool, dropped: u32, list: &mut List<'_>) {
        let filter = list.filter;
        Around::list(list, added, !dropped, |lane| {
            let (attacker, victim) = (around.rays[lane], around.rays[lane ^ 1]);
            let at = usize::from(attacker.1 & 15);
            let victims = filter.across.map(|half| half[lane / 4][at]);
            let counts = u16::from_le_bytes(victims) >> (victim.1 & 15) & 1 == 1;
            (counts, [attacker, victim])
        });
    }
}
