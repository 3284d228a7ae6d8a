//! The numbers under which networks know threats: a set of inputs is a table, and one formula serves all.

use core::fmt;
use core::str::FromStr;

use super::changes::PairFilter;
use super::pairs::Threat;
use crate::leaper::{KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS};
use crate::names::UnknownName;
use crate::pieces::{Colour, Role};

/// Whether a perspective sees the board mirrored, a-file for h-file, so that its king is always on the same
/// half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mirror {
    /// Never.
    Never,
    /// If its king stands on the files e to h; so it is always on a to d.
    KingToFilesAToD,
    /// If its king stands on the files a to d; so it is always on e to h.
    KingToFilesEToH,
}

/// What tells one set of inputs from another. [`FeatureSet::new`] makes a set of it.
///
/// Roles are numbered as in [`Role::ALL`], from pawn to king.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FeatureTable {
    /// The name by which programs choose the set.
    pub name: &'static str,
    /// By what the network's file knows it, or 0.
    pub hash: u32,
    /// How many kinds of victims an attacker of each role has room for: own ones and as many of the enemy's.
    pub targets: [u8; 6],
    /// The place of a victim's role among those of an attacker's, `map[attacker][victim]`; below 0 if there
    /// are no inputs for the two.
    pub map: [[i8; 6]; 6],
    /// For two pieces of a role that attack each other, friends first, then enemies: whether only the pair
    /// from the higher square to the lower (as the perspective sees them) has an input.
    pub once: [[bool; 2]; 6],
    /// Whether the board is mirrored by the king's file.
    pub mirror: Mirror,
}

/// A set of inputs: which pairs a network is told of, and the number of each.
///
/// For a perspective the squares are turned so that its side moves up the board (`^ 56` for black), and
/// mirrored (`^ 7`) as the table says; own pieces count as white. Then, with an attacker `A` of role `a` and a
/// victim `V` of role `v`:
///
/// ```text
/// input = base[A] + (enemy(V) * targets[a] / 2 + map[a][v]) * moves[a] + before[A][from] + rank
/// ```
///
/// `rank` is the number of squares below `to` that `A` attacks from `from` on an empty board, `before` the
/// number of squares that it attacks there from all squares below `from`, `moves` the same from all squares
/// (84, 336, 560, 896, 1,456 and 420), and `base` the sum of `targets * moves` over the pieces before, own
/// pawn to own king and then the enemy's. A pawn on its own first rank has no inputs.
///
/// ```
/// use setwise::threats::FeatureSet;
/// use setwise::{position, Colour, Fen};
/// let set = &FeatureSet::STOCKFISH_2026_08;
/// assert_eq!((set.name(), set.inputs()), ("stockfish-2026-08", 59_808));
///
/// let pieces = Fen::parse("7k/4n3/8/5N2/8/8/8/K7 w - - 0 1")?.pieces;
/// let white = set.perspective(&pieces, Colour::White)?;
/// let threats = position::threats(&pieces);
/// let inputs: Vec<u32> =
///     threats.iter().filter_map(|&threat| white.input(&pieces, threat)).collect();
/// assert_eq!(inputs.len(), 1); // the knights attack each other, which counts once
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FeatureSet {
    table: FeatureTable,
    inputs: u32,
    pub(crate) tables: Tables,
    filter: PairFilter,
}

/// The parts of the formula by [`code`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[repr(C, align(64))]
pub(crate) struct Tables {
    /// What the pieces of a pair bring, by the codes `16 * attacker + victim` and whether `from` is below
    /// `to`; or [`NONE`].
    pieces: [[u32; 2]; 256],
    /// What the attacker brings, and the low half of that.
    pub(crate) base: [u32; 16],
    pub(crate) low_base: [u16; 32],
    /// How many inputs its own victims have.
    pub(crate) enemies: [u16; 32],
    /// How many inputs a kind of victim has.
    pub(crate) moves: [u16; 32],
    /// By the roles of attacker and victim, `8 * a + v`: the map, or [`NO_INPUT`]; and whether friends or
    /// enemies have one input for both of their pairs.
    pub(crate) map: [u8; 64],
}

/// Two pieces without inputs.
const NONE: u32 = u32::MAX;

/// Two roles without inputs.
pub(crate) const NO_INPUT: u8 = 0x80;
/// Friends of the role count once.
pub(crate) const FRIENDS_ONCE: u8 = 0x40;
/// Enemies of the role count once.
pub(crate) const ENEMIES_ONCE: u8 = 0x20;

/// What stands on a square, from white's view: the role, and 8 for black; 6 where nothing does.
pub(crate) const fn code(colour: Colour, role: Role) -> u8 {
    8 * colour as u8 + role as u8
}

/// The number of moves on an empty board, pawn to king.
const MOVES: [u16; 6] = {
    let mut moves = [0; 6];
    let mut role = 0;
    while role < 6 {
        let mut square = 0;
        while square < 64 {
            moves[role] += count(role, square, u64::MAX);
            square += 1;
        }
        role += 1;
    }
    moves
};

/// What a perspective's pawns, knights, bishops, rooks, queens, kings and the enemy's pawns attack on an empty
/// board from a square; pawns on their first rank nothing.
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
    let (mut attacks, mut direction) = (0, first);
    while direction < end {
        let towards = crate::bitboard::Direction::ALL[direction];
        let mut next = towards.step(1 << square);
        while next != 0 {
            attacks |= next;
            next = towards.step(next);
        }
        direction += 1;
    }
    attacks
}

const fn count(kind: usize, square: usize, of: u64) -> u16 {
    (attacks(kind, square) & of).count_ones() as u16
}

/// The place of each pair among those of its kind of attacker: [`PLACES`]`[4096 * kind + 64 * from + to]`, or
/// [`NO_PLACE`]. 57 KB, of which the pairs of play touch a part.
pub(crate) static PLACES: Places = Places({
    let mut places = [NO_PLACE; 7 * 4096 + 32];
    let mut kind = 0;
    while kind < 7 {
        let (mut from, mut before) = (0, 0);
        while from < 64 {
            let mut to_squares = attacks(kind, from);
            while to_squares != 0 {
                let to = to_squares.trailing_zeros() as usize;
                places[4096 * kind + 64 * from + to] = before;
                before += 1;
                to_squares &= to_squares - 1;
            }
            from += 1;
        }
        kind += 1;
    }
    places
});

/// Some more than there are pairs: a vector may be read from the last.
#[repr(align(64))]
pub(crate) struct Places(pub(crate) [u16; 7 * 4096 + 32]);

/// No pair: not attacked on an empty board.
pub(crate) const NO_PLACE: u16 = u16::MAX;

/// The kind of attacker in [`PLACES`] by its code; what nothing is has a kind too.
pub(crate) const KINDS: [u16; 16] = [0, 1, 2, 3, 4, 5, 5, 5, 6, 1, 2, 3, 4, 5, 5, 5];

impl FeatureSet {
    /// Stockfish's `FullThreats` of August 2026: 59,808 inputs, hash 0x2e6b9d04.
    pub const STOCKFISH_2026_08: Self = Self::checked(FeatureTable {
        name: "stockfish-2026-08",
        hash: 0x2e6b_9d04,
        targets: [4, 10, 8, 8, 10, 0],
        map: [
            [-1, 0, -1, 1, -1, -1],
            [0, 1, 2, 3, 4, -1],
            [0, 1, 2, 3, -1, -1],
            [0, 1, 2, 3, -1, -1],
            [0, 1, 2, 3, 4, -1],
            [-1; 6],
        ],
        once: ONCE,
        mirror: Mirror::KingToFilesAToD,
    });

    /// Stockfish's `FullThreats` of November 2025, the first, as in Stockfish 18: 79,856 inputs, hash
    /// 0x8f234cb8.
    pub const STOCKFISH_2025_11: Self = Self::checked(FeatureTable {
        name: "stockfish-2025-11",
        hash: 0x8f23_4cb8,
        targets: [6, 12, 10, 10, 12, 8],
        map: [
            [0, 1, -1, 2, -1, -1],
            [0, 1, 2, 3, 4, 5],
            [0, 1, 2, 3, -1, 4],
            [0, 1, 2, 3, -1, 4],
            [0, 1, 2, 3, 4, 5],
            [0, 1, 2, 3, -1, -1],
        ],
        once: ONCE,
        mirror: Mirror::KingToFilesAToD,
    });

    /// The sets that have names, the newest last.
    pub const ALL: &'static [&'static Self] = &[&Self::STOCKFISH_2025_11, &Self::STOCKFISH_2026_08];

    const fn checked(table: FeatureTable) -> Self {
        match Self::new(table) {
            Ok(set) => set,
            Err(_) => panic!("the table is wrong"),
        }
    }

    /// A set of one's own.
    ///
    /// # Errors
    /// If the number of targets of a role is odd or above 14, or if the map has a place that half of the
    /// targets do not reach.
    ///
    /// ```
    /// use setwise::threats::{FeatureSet, FeatureTable, Mirror};
    /// // Which pieces do pawns attack? No more than that.
    /// let set = FeatureSet::new(FeatureTable {
    ///     name: "pawns",
    ///     hash: 0,
    ///     targets: [12, 0, 0, 0, 0, 0],
    ///     map: [[0, 1, 2, 3, 4, 5], [-1; 6], [-1; 6], [-1; 6], [-1; 6], [-1; 6]],
    ///     once: [[false; 2]; 6],
    ///     mirror: Mirror::Never,
    /// })?;
    /// assert_eq!(set.inputs(), 2 * 12 * 84);
    /// # Ok::<(), setwise::threats::SetError>(())
    /// ```
    pub const fn new(table: FeatureTable) -> Result<Self, SetError> {
        let mut tables = Tables {
            pieces: [[NONE; 2]; 256],
            base: [0; 16],
            low_base: [0; 32],
            enemies: [0; 32],
            moves: [0; 32],
            map: [NO_INPUT; 64],
        };
        let mut inputs = 0;
        let mut victims = [0; 16];
        let mut piece = 0;
        while piece < 12 {
            let (role, code) = (piece % 6, piece % 6 + piece / 6 * 8);
            let (targets, moves) = (table.targets[role], MOVES[role]);
            if targets % 2 != 0 || targets > 14 {
                return Err(SetError { attacker: Role::ALL[role], victim: None });
            }
            tables.base[code] = inputs;
            tables.low_base[code] = inputs as u16;
            tables.moves[code] = moves;
            tables.enemies[code] = targets as u16 / 2 * moves;
            inputs += targets as u32 * moves as u32;
            let mut victim = 0;
            while victim < 6 {
                let place = table.map[role][victim];
                if place >= targets as i8 / 2 {
                    let victim = Some(Role::ALL[victim]);
                    return Err(SetError { attacker: Role::ALL[role], victim });
                }
                if place >= 0 {
                    let mut entry = place as u8;
                    if role == victim && table.once[role][0] {
                        entry |= FRIENDS_ONCE;
                    }
                    if role == victim && table.once[role][1] {
                        entry |= ENEMIES_ONCE;
                    }
                    tables.map[8 * role + victim] = entry;
                    victims[code + 1] |= 0x0202 << victim;
                    let mut enemy = 0;
                    while enemy < 2 {
                        let kind = enemy as u32 * targets as u32 / 2 + place as u32;
                        let friends = enemy == piece / 6;
                        let once = role == victim && table.once[role][if friends { 0 } else { 1 }];
                        let input = tables.base[code] + kind * moves as u32;
                        tables.pieces[16 * code + 8 * enemy + victim] =
                            [input, if once { NONE } else { input }];
                        enemy += 1;
                    }
                }
                victim += 1;
            }
            piece += 1;
        }
        Ok(Self { table, inputs, tables, filter: PairFilter::new(victims) })
    }

    /// Which pairs have inputs, whatever their squares: those of attackers and victims that the map has a place
    /// for.
    #[must_use]
    pub const fn pair_filter(&self) -> &PairFilter {
        &self.filter
    }

    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.table.name
    }

    /// The number by which a network's file knows it.
    #[must_use]
    pub const fn hash(&self) -> u32 {
        self.table.hash
    }

    /// How many inputs there are: all are below that.
    #[must_use]
    pub const fn inputs(&self) -> u32 {
        self.inputs
    }

    /// The table it was made of.
    #[must_use]
    pub const fn table(&self) -> &FeatureTable {
        &self.table
    }

    /// By which bits the squares change for a side with its king on a square.
    #[inline(always)]
    pub(crate) fn flip(&self, colour: Colour, king: u8) -> u8 {
        let mirrored = match self.table.mirror {
            Mirror::Never => false,
            Mirror::KingToFilesAToD => king & 4 != 0,
            Mirror::KingToFilesEToH => king & 4 == 0,
        };
        (7 * u8::from(mirrored)) ^ (56 * colour as u8)
    }
}

/// A set among [`FeatureSet::ALL`] by its name.
///
/// ```
/// use setwise::threats::FeatureSet;
/// let set: &FeatureSet = "stockfish-2025-11".parse::<&'static FeatureSet>()?;
/// assert_eq!(set.inputs(), 79_856);
/// let error = "stockfish".parse::<&'static FeatureSet>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "no set of inputs is called `stockfish`; there are `stockfish-2025-11` and `stockfish-2026-08`"
/// );
/// # Ok::<(), setwise::UnknownName>(())
/// ```
impl FromStr for &'static FeatureSet {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        const NAMES: [&str; FeatureSet::ALL.len()] = {
            let mut names = [""; FeatureSet::ALL.len()];
            let mut i = 0;
            while i < names.len() {
                names[i] = FeatureSet::ALL[i].name();
                i += 1;
            }
            names
        };
        let found = FeatureSet::ALL.iter().copied().find(|set| set.name() == name);
        found.ok_or_else(|| UnknownName::new("set of inputs", name, &NAMES))
    }
}

/// Of Stockfish's sets so far: pieces of a role attack each other, but for pawns of a colour.
const ONCE: [[bool; 2]; 6] = [[false, true], [true; 2], [true; 2], [true; 2], [true; 2], [true; 2]];

/// The formula: the input, and whether there is one. Without branches, because nobody could foretell them.
#[inline(always)]
pub(crate) fn input(
    tables: &Tables,
    flip: u8,
    swap: u8,
    [attacker, victim]: [u8; 2],
    threat: Threat,
) -> (u32, bool) {
    let (from, to) = ((threat.from() ^ flip) & 63, (threat.to() ^ flip) & 63);
    let (attacker, victim) = (attacker ^ swap, victim ^ swap);
    let pieces = tables.pieces[usize::from(attacker << 4 | victim)][usize::from(from < to)];
    let kind = usize::from(KINDS[usize::from(attacker & 15)]);
    let place = PLACES.0[4096 * kind + 64 * usize::from(from) + usize::from(to)];
    (pieces.wrapping_add(place.into()), (pieces != NONE) & (place != NO_PLACE))
}

/// A table that is no [`FeatureSet`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetError {
    attacker: Role,
    victim: Option<Role>,
}

impl fmt::Display for SetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.victim {
            None => {
                write!(f, "the number of targets of a {:?} is not even or above 14", self.attacker)
            }
            Some(victim) => write!(
                f,
                "the map places a {victim:?} attacked by a {:?} beyond half of its targets",
                self.attacker
            ),
        }
    }
}

impl core::error::Error for SetError {}

/// Why a position has no inputs, or no room for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FeatureError {
    /// A side has no king, or several: the set cannot tell how it sees the board.
    Kings {
        /// The position's row, 0 where there is one position only.
        row: usize,
        /// The side.
        colour: Colour,
        /// How many kings it has.
        kings: u32,
    },
    /// A position has more inputs than there is room for in a row.
    Width {
        /// The position's row.
        row: usize,
        /// The perspective.
        colour: Colour,
        /// How many inputs there are.
        inputs: usize,
        /// How many there is room for.
        width: usize,
    },
    /// The set has inputs that the numbers asked for cannot hold.
    Numbers {
        /// How many inputs the set has.
        inputs: u32,
    },
}

impl fmt::Display for FeatureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Kings { row, colour, kings } => {
                write!(
                    f,
                    "row {row}: {colour:?} has {kings} kings, and its inputs need exactly one"
                )
            }
            Self::Width { row, colour, inputs, width } => write!(
                f,
                "row {row}: {colour:?} sees {inputs} inputs, but a row has room for {width}"
            ),
            Self::Numbers { inputs } => {
                write!(f, "{inputs} inputs do not fit into numbers of 16 bits")
            }
        }
    }
}

impl core::error::Error for FeatureError {}

/// A number that an input is given as: `u16`, `u32` or `i32`.
pub trait InputNumber: Copy + Default + sealed::Sealed {}

pub(crate) mod sealed {
    /// What the crate needs of a number.
    pub trait Sealed {
        /// How many inputs it can tell apart.
        const INPUTS: u32;

        /// The number of an input.
        fn from_input(input: u32) -> Self;
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {
        $(
            impl InputNumber for $number {}

            impl sealed::Sealed for $number {
                const INPUTS: u32 = if size_of::<Self>() == 2 { 1 << 16 } else { 1 << 31 };

                #[inline(always)]
                fn from_input(input: u32) -> Self {
                    input as Self
                }
            }
        )*
    };
}

numbers!(u16, u32, i32);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference;

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
