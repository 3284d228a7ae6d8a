//! Computes the inputs of threats. A table defines each block; one formula serves all tables.

use super::axes::RAYS;
use super::blocks::{SetError, ThreatInputs};
use super::pairs::Sets;
use setwise::leaper::{KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS};
use setwise::{Pieces, Role};

/// The terms of the formula, indexed by the [codes](setwise::piece_code) of pieces or by roles from 1 for pawns.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[repr(C, align(64))]
pub(crate) struct Tables {
    /// The term that depends on the pieces, or [`NONE`]: by `16 * attacker + victim`, then by `from < to`.
    pub(crate) pieces: [[u32; 2]; 256],
    /// By the roles of attacker and victim, `8 * a + v`: the map, and the mark [`ONCE`] or [`NOTHING`] for friends and,
    /// two bits lower, for enemies.
    pub(crate) map: [u8; 64],
    /// By the same index: the term that depends on the roles, for own victims and for enemy victims.
    pub(crate) role_offsets: [[u16; 64]; 2],
    /// By the attacker's role: the first input relative to the block, the number of inputs per kind of victim, and the
    /// number of inputs of all own victims. Each of the three is stored as eight low bytes, then eight high bytes.
    pub(crate) by_role: [u8; 48],
    /// All squares for each role of victims for which pawn attacks are inputs; all squares if any king attacks are.
    pub(crate) pawn_victims: [u64; 6],
    pub(crate) king_mask: u64,
    /// The first input of the block, and the number of inputs of own attackers, which precede those of the enemy's
    /// attackers.
    pub(crate) first: u32,
    pub(crate) half: u32,
}

/// Marks a pair of pieces without inputs.
pub(crate) const NONE: u32 = u32::MAX;

/// Marks of two roles: only one of their two pairs is an input, or neither.
pub(crate) const ONCE: u8 = 0x80;
pub(crate) const NOTHING: u8 = 0x40;

/// The number of attacks on an empty board by role, from pawn to king, summed over all squares.
pub(crate) const MOVES: [u16; 6] = {
    let (mut moves, mut role) = ([0; 6], 0);
    while role < 6 {
        let Moves { attacks, first } = MOVES_FROM[role][63];
        moves[role] = (first + attacks.count_ones()) as u16;
        role += 1;
    }
    moves
};

/// The attacks from a square on an empty board. The kinds are own pawns, knights, bishops, rooks, queens, kings, and
/// the enemy's pawns. Pawns on their first rank attack nothing.
const fn attacks(kind: usize, square: usize) -> u64 {
    match kind {
        0 if square >= 8 => PAWN_ATTACKS[0][square],
        1 => KNIGHT_ATTACKS[square],
        2 => sliding(square, 4, 8),
        3 => sliding(square, 0, 4),
        4 => sliding(square, 0, 8),
        5 => KING_ATTACKS[square],
        6 if square < 56 => PAWN_ATTACKS[1][square],
        _ => 0,
    }
}

const fn sliding(square: usize, first: usize, end: usize) -> u64 {
    let (mut attacks, mut lane) = (0, first);
    while lane < end {
        attacks |= RAYS[square][lane];
        lane += 1;
    }
    attacks
}

/// The attacks of a kind of attacker from a square on an empty board, and the index of the first of these pairs. With
/// `popcnt`, this table of 7 KB replaces lookups in [`PLACES`], which is rarely in the first-level cache when an engine
/// updates its accumulators. Each pair reads one cache line.
#[derive(Clone, Copy)]
#[repr(align(16))]
struct Moves {
    attacks: u64,
    first: u32,
}

impl Moves {
    /// The index of a pair among the pairs of its kind of attacker, and whether `to` is attacked.
    #[inline(always)]
    const fn place(self, to: usize) -> (u32, bool) {
        let below = self.attacks & !(u64::MAX << to);
        (self.first + below.count_ones(), self.attacks >> to & 1 == 1)
    }
}

static MOVES_FROM: [[Moves; 64]; 8] = {
    let mut moves = [[Moves { attacks: 0, first: 0 }; 64]; 8];
    let mut kind = 0;
    while kind < 7 {
        let (mut from, mut first) = (0, 0);
        while from < 64 {
            let attacks = attacks(kind, from);
            moves[kind][from] = Moves { attacks, first };
            first += attacks.count_ones();
            from += 1;
        }
        kind += 1;
    }
    moves
};

/// The index of each pair among the pairs of its kind of attacker, or [`NO_PLACE`], at `4096 * kind + 64 * from + to`.
/// The table has 57 KB, of which positions from games touch only a part.
pub(crate) static PLACES: [u16; 7 * 4096] = {
    let (mut places, mut at) = ([NO_PLACE; 7 * 4096], 0);
    while at < 7 * 4096 {
        if let (place, true) = MOVES_FROM[at / 4096][at / 64 % 64].place(at % 64) {
            places[at] = place as u16;
        }
        at += 1;
    }
    places
};

/// Marks squares that do not form a pair: `to` is not attacked on an empty board.
pub(crate) const NO_PLACE: u16 = u16::MAX;

/// The kind of attacker in [`PLACES`], by its code. Invalid codes have an arbitrary kind.
pub(crate) const KINDS: [u16; 16] = [5, 0, 1, 2, 3, 4, 5, 5, 5, 6, 1, 2, 3, 4, 5, 5];

impl Tables {
    /// Computes the tables of a block with a given first input. Also returns the number of inputs, and the victims of
    /// each attacker for a [`PairFilter`](super::PairFilter).
    pub(crate) const fn new(
        table: &ThreatInputs,
        first: u32,
    ) -> Result<(Self, u32, [u16; 16]), SetError> {
        let mut tables = Tables {
            pieces: [[NONE; 2]; 256],
            map: [NOTHING | NOTHING >> 2; 64],
            role_offsets: [[0; 64]; 2],
            by_role: [0; 48],
            pawn_victims: [0; 6],
            king_mask: 0,
            first,
            half: 0,
        };
        let (mut inputs, mut victims) = (0, [0; 16]);
        let mut piece = 0;
        while piece < 12 {
            let (role, code) = (piece % 6, piece % 6 + 1 + piece / 6 * 8);
            let (targets, moves) = (table.targets[role], MOVES[role]);
            if targets % 2 != 0 || targets > 14 {
                return Err(SetError::Targets(Role::ALL[role]));
            }
            if role == 0 && table.map[0][0] >= 0 && table.once[0][0] {
                return Err(SetError::Once);
            }
            let of_own_victims = targets as u16 / 2 * moves;
            if piece < 6 {
                let numbers = [inputs as u16, moves, of_own_victims];
                let mut i = 0;
                while i < 3 {
                    let [low, high] = numbers[i].to_le_bytes();
                    tables.by_role[16 * i + role + 1] = low;
                    tables.by_role[16 * i + 8 + role + 1] = high;
                    i += 1;
                }
            }
            let mut victim = 0;
            while victim < 6 {
                let place = table.map[role][victim];
                if place >= targets as i8 / 2 {
                    let (attacker, victim) = (Role::ALL[role], Role::ALL[victim]);
                    return Err(SetError::Place { attacker, victim });
                }
                if place >= 0 {
                    let input = inputs + place as u32 * moves as u32;
                    let of_victims = [input, input + of_own_victims as u32];
                    tables.add_pair(table, piece, victim, of_victims);
                    victims[code] |= 0x0202 << victim;
                }
                victim += 1;
            }
            inputs += targets as u32 * moves as u32;
            if piece == 5 {
                tables.half = inputs;
            }
            piece += 1;
        }
        Ok((tables, inputs, victims))
    }

    /// Adds the inputs of a piece that attacks a role: the first input, relative to the block, for own victims and for
    /// the enemy's.
    const fn add_pair(
        &mut self,
        table: &ThreatInputs,
        piece: usize,
        victim: usize,
        inputs: [u32; 2],
    ) {
        let (enemy, role) = (piece / 6, piece % 6);
        if role == Role::Pawn as usize {
            self.pawn_victims[victim] = u64::MAX;
        }
        if role == Role::King as usize {
            self.king_mask = u64::MAX;
        }
        let at = 8 * (role + 1) + victim + 1;
        self.map[at] = table.map[role][victim] as u8;
        let mut side = 0;
        while side < 2 {
            let foes = (side != enemy) as usize;
            let once = role == victim && table.once[role][foes];
            if once {
                self.map[at] |= ONCE >> (2 * foes);
            }
            if enemy == 0 {
                self.role_offsets[side][at] = inputs[side] as u16;
            }
            let input = self.first + inputs[side];
            let code = 8 * enemy + role + 1;
            self.pieces[16 * code + 8 * side + victim + 1] =
                [input, if once { NONE } else { input }];
            side += 1;
        }
    }

    /// The sets from which a position's pairs are computed, reduced to skip most pairs without inputs: pairs of kings,
    /// and of pawns with some victims. In Stockfish's set of August 2026 these are a fifth of all pairs. Another tenth
    /// has no inputs either, but depends on the victims of each slider. No square may hold two pieces.
    #[inline(always)]
    pub(crate) fn sets(&self, pieces: &Pieces) -> Sets {
        let sets = Sets::of_distinct(pieces);
        let mut pawn_victims = 0;
        for (set, mask) in pieces.sets().into_iter().zip(self.pawn_victims) {
            pawn_victims |= set & mask;
        }
        Sets {
            kings: sets.kings & self.king_mask,
            pawn_victims: pawn_victims & sets.occupied,
            ..sets
        }
    }
}

/// Returns the input of a pair in the layout of a [`ThreatChange`](super::ThreatChange), and whether it exists. The code
/// is branchless, because branches would mispredict.
#[inline(always)]
pub(crate) fn input(tables: &Tables, flip: u8, swap: u8, pair: u32) -> (u32, bool) {
    let pair = (pair ^ u32::from_le_bytes([flip, flip, swap, swap])) as usize;
    let (from, to) = (pair & 63, pair >> 8 & 63);
    let (attacker, victim) = (pair >> 16 & 15, pair >> 24 & 15);
    let pieces = tables.pieces[attacker << 4 | victim][usize::from(from < to)];
    let kind = usize::from(KINDS[attacker]) & 7;
    let (place, there) = if cfg!(target_feature = "popcnt") {
        MOVES_FROM[kind][from].place(to)
    } else {
        let place = PLACES[4096 * kind + 64 * from + to];
        (place.into(), place != NO_PLACE)
    };
    (pieces.wrapping_add(place), (pieces != NONE) & there)
}

#[cfg(test)]
mod tests {
    use super::*;
    use setwise::reference;

    #[test]
    fn attacks_on_an_empty_board_are_those_of_the_ray_walk() {
        for square in 0..64 {
            assert_eq!(attacks(3, square), reference::slider_attacks(1 << square, 0, 0));
            assert_eq!(attacks(2, square), reference::slider_attacks(0, 1 << square, 0));
            assert_eq!(attacks(4, square), attacks(2, square) | attacks(3, square));
        }
        assert_eq!(MOVES, [84, 336, 560, 896, 1456, 420]);
    }
}
