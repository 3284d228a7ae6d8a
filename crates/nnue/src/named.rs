//! The named feature sets, and their lookup by name.

use core::str::FromStr;

use super::blocks::{
    FeatureBlock, Mirror, PawnPairInputs, PieceSquareInputs, SetError, ThreatInputs,
};
use super::features::FeatureSet;
use setwise::UnknownName;

/// Stockfish's threats of August 2026.
const THREATS_2026_08: FeatureBlock =
    threats(0x2e6b_9d04, ["nr", "pnbrq", "pnbr", "pnbr", "pnbrq", ""]);

/// Stockfish's threats of November 2025.
const THREATS_2025_11: FeatureBlock =
    threats(0x8f23_4cb8, ["pnr", "pnbrqk", "pnbrk", "pnbrk", "pnbrqk", "pnbr"]);

/// Stockfish's threats of February 2026 (SFNNv12), without kings.
const THREATS_2026_02: FeatureBlock =
    threats(0x8f23_4cb8, ["pnr", "pnbrq", "pnbr", "pnbr", "pnbrq", ""]);

/// Reckless's threats of August 2026: kings attack, but are not attacked.
const RECKLESS_2026_08: FeatureBlock =
    threats(0, ["pnr", "pnbrq", "pnbr", "pnbr", "pnbrq", "pnbr"]);

/// A block of threats of a named set, given the victims that count for each role of attackers, from pawn to king. The
/// victims of an attacker are numbered in their order, first the own pieces, then the enemy's. Of two pieces of the same
/// role that attack each other, except friendly pawns, one pair has an input.
const fn threats(hash: u32, victims: [&str; 6]) -> FeatureBlock {
    let (mut targets, mut map, mut once) = ([0; 6], [[-1; 6]; 6], [[true; 2]; 6]);
    let mut attacker = 0;
    while attacker < 6 {
        let victims = victims[attacker].as_bytes();
        let mut place = 0;
        while place < victims.len() {
            let mut victim = 0;
            while b"pnbrqk"[victim] != victims[place] {
                victim += 1;
            }
            map[attacker][victim] = place as i8;
            place += 1;
        }
        targets[attacker] = 2 * victims.len() as u8;
        attacker += 1;
    }
    once[0][0] = false;
    let mirror = Mirror::KingToFilesAToD;
    FeatureBlock { hash, ..FeatureBlock::threats(ThreatInputs { targets, map, once, mirror }) }
}

const PAWN_PAIRS: FeatureBlock = FeatureBlock::pawn_pairs(PawnPairInputs {
    files_apart: 1,
    ranks: [2, 7],
    mirror: Mirror::KingToFilesAToD,
});

const HALFKA_HM: FeatureBlock = FeatureBlock::piece_square(PieceSquareInputs {
    // The king is always seen on the files e to h. Buckets are numbered from h8 to the left and downwards.
    buckets: {
        let (mut buckets, mut square) = ([0; 64], 0);
        while square < 64 {
            let (file, rank) = (square % 8, square / 8);
            if file >= 4 {
                buckets[square] = (31 - 4 * rank - (file - 4)) as u8;
            }
            square += 1;
        }
        buckets
    },
    planes: [[0, 2, 4, 6, 8, 10], [1, 3, 5, 7, 9, 11]],
    mirror: Mirror::KingToFilesEToH,
});

impl FeatureSet {
    /// Stockfish's `FullThreats` of August 2026: 59,808 inputs.
    pub const STOCKFISH_THREATS_2026_08: Self =
        Self::checked("stockfish-threats-2026-08", &[THREATS_2026_08]);

    /// Stockfish's first `FullThreats`, of November 2025, used in Stockfish 18: 79,856 inputs.
    pub const STOCKFISH_THREATS_2025_11: Self =
        Self::checked("stockfish-threats-2025-11", &[THREATS_2025_11]);

    /// Stockfish's `FullThreats` of February 2026, of networks SFNNv12 and SFNNv13: 60,144 inputs.
    pub const STOCKFISH_THREATS_2026_02: Self =
        Self::checked("stockfish-threats-2026-02", &[THREATS_2026_02]);

    /// Reckless's threats of August 2026: 66,864 inputs.
    pub const RECKLESS_THREATS_2026_08: Self =
        Self::checked("reckless-threats-2026-08", &[RECKLESS_2026_08]);

    /// Pairs of pawns on the same file or on adjacent files, on the ranks 2 to 7: 4,560 inputs. The trainer of
    /// Stockfish's networks calls them `PP_3Wide`.
    pub const PAWN_PAIRS_3_WIDE: Self = Self::checked("pawn-pairs-3-wide", &[PAWN_PAIRS]);

    /// `HalfKAv2_hm` as in the trainer of Stockfish's networks, with a separate plane for each king: 32 buckets of 768
    /// inputs.
    pub const HALFKA_HM: Self = Self::checked("halfka-hm", &[HALFKA_HM]);

    /// The default of nnue-pytorch, the trainer of Stockfish's networks, since July 2026:
    /// [threats](Self::STOCKFISH_THREATS_2026_08), [pawn pairs](Self::PAWN_PAIRS_3_WIDE) and [pieces on
    /// squares](Self::HALFKA_HM). 88,944 inputs, in rows of 288.
    pub const NNUE_PYTORCH_2026_07: Self =
        Self::checked("nnue-pytorch-2026-07", &[THREATS_2026_08, PAWN_PAIRS, HALFKA_HM]);

    /// The named sets.
    pub const ALL: &'static [&'static Self] = &[
        &Self::STOCKFISH_THREATS_2025_11,
        &Self::STOCKFISH_THREATS_2026_02,
        &Self::STOCKFISH_THREATS_2026_08,
        &Self::RECKLESS_THREATS_2026_08,
        &Self::PAWN_PAIRS_3_WIDE,
        &Self::HALFKA_HM,
        &Self::NNUE_PYTORCH_2026_07,
    ];

    const NAMES: [&'static str; Self::ALL.len()] = {
        let mut names = [""; Self::ALL.len()];
        let mut i = 0;
        while i < names.len() {
            names[i] = Self::ALL[i].name();
            i += 1;
        }
        names
    };

    const fn checked(name: &str, blocks: &[FeatureBlock]) -> Self {
        match Self::new(name, blocks) {
            Ok(set) => set,
            Err(_) => panic!("the table is wrong"),
        }
    }
}

/// Parses the name of a set in [`FeatureSet::ALL`], or several names joined by `+`.
///
/// ```
/// use setwise_nnue::FeatureSet;
/// let set: FeatureSet = "pawn-pairs-3-wide+halfka-hm".parse()?;
/// assert_eq!((set.name(), set.inputs()), ("pawn-pairs-3-wide+halfka-hm", 4_560 + 24_576));
/// let error = "halfka".parse::<FeatureSet>().unwrap_err();
/// assert!(error.to_string().starts_with("no feature set is called `halfka`; there are "));
/// let error = "halfka-hm+nnue-pytorch-2026-07".parse::<FeatureSet>().unwrap_err();
/// assert!(error.to_string().starts_with("blocks 0 and 3 of the feature set overlap"));
/// # Ok::<(), setwise_nnue::SetError>(())
/// ```
impl FromStr for FeatureSet {
    type Err = SetError;

    fn from_str(name: &str) -> Result<Self, SetError> {
        let mut blocks = [HALFKA_HM; Self::MAX_BLOCKS];
        let mut len = 0;
        for part in name.split('+') {
            for block in named(part)?.blocks() {
                if let Some(place) = blocks.get_mut(len) {
                    *place = *block;
                }
                len += 1;
            }
        }
        let all = blocks.get(..len).ok_or(SetError::Blocks(len))?;
        Self::new(name, all)
    }
}

/// Returns the named set with this name.
fn named(name: &str) -> Result<&'static FeatureSet, SetError> {
    let found = FeatureSet::ALL.iter().copied().find(|set| set.name() == name);
    found.ok_or_else(|| UnknownName::new("feature set", name, &FeatureSet::NAMES).into())
}

/// Parses the name of a set, or several names joined by `+`. Joined sets are created at first use and never freed; few
/// combinations are valid, so their memory is bounded. Without the feature `std`, joined names are not supported.
///
/// ```
/// use setwise_nnue::FeatureSet;
/// let set: &FeatureSet = "stockfish-threats-2025-11".parse::<&'static FeatureSet>()?;
/// assert_eq!(set.inputs(), 79_856);
/// let error = "stockfish".parse::<&'static FeatureSet>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "no feature set is called `stockfish`; there are `stockfish-threats-2025-11`, `stockfish-threats-2026-02`, \
///      `stockfish-threats-2026-08`, `reckless-threats-2026-08`, `pawn-pairs-3-wide`, `halfka-hm` and `nnue-pytorch-2026-07`"
/// );
/// # Ok::<(), setwise_nnue::SetError>(())
/// ```
impl FromStr for &'static FeatureSet {
    type Err = SetError;

    fn from_str(name: &str) -> Result<Self, SetError> {
        #[cfg(feature = "std")]
        if name.contains('+') {
            use std::boxed::Box;
            use std::sync::{Mutex, PoisonError};
            use std::vec::Vec;

            static JOINED: Mutex<Vec<&'static FeatureSet>> = Mutex::new(Vec::new());
            let mut joined = JOINED.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(set) = joined.iter().find(|set| set.name() == name) {
                return Ok(set);
            }
            let set = Box::leak(Box::new(name.parse::<FeatureSet>()?));
            joined.push(set);
            return Ok(set);
        }
        named(name)
    }
}
