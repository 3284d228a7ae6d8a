//! Feature sets: those that have names, and those that C makes of blocks.

use std::ffi::{CStr, CString, c_char};
use std::ptr;

use setwise_nnue::{
    BlockInputs, FeatureBlock, FeatureSet, Mirror, PawnPairInputs, PieceSquareInputs, ThreatInputs,
};

use crate::buffers::checked;
use crate::error::{Failure, remember, setwise_status};
use crate::once::Once;
use crate::pieces::colour;

/// A feature set: which facts a network is told about a position, and the number of each, as white and as black sees
/// the board. It is one block of inputs or several, one behind the other. It comes from setwise_feature_set_find(),
/// setwise_feature_set_at() or setwise_feature_set_new().
pub struct setwise_feature_set {
    pub(crate) set: FeatureSet,
    name: CString,
    /// It was found by its name, so it is never freed.
    is_shared: bool,
}

/// No set has more blocks.
pub const SETWISE_MAX_FEATURE_BLOCKS: usize = 4;

const _: () = assert!(SETWISE_MAX_FEATURE_BLOCKS == FeatureSet::MAX_BLOCKS);

/// A block never mirrors the board.
pub const SETWISE_MIRROR_NEVER: u8 = 0;

/// A side sees the board mirrored while its king stands on the files e to h, so that the king is always on a to d.
pub const SETWISE_MIRROR_KING_TO_A_TO_D: u8 = 1;

/// A side sees the board mirrored while its king stands on the files a to d, so that the king is always on e to h.
pub const SETWISE_MIRROR_KING_TO_E_TO_H: u8 = 2;

/// What tells one block of threats from another. Roles are numbered from 0 (pawn) to 5 (king). The input of a threat,
/// its squares turned so that the side moves up the board and mirrored as `mirror` says, is
///
///     base[A] + (enemy(V) * targets[a] / 2 + map[a][v]) * moves[a] + before[A][from] + rank
///
/// for an attacker `A` of role `a` and a victim `V` of role `v`. `rank` is the number of squares below `to` that `A`
/// attacks from `from` on an empty board; `before` the number that it attacks from all squares below `from`; `moves`
/// the number from all squares; `base` the sum of `targets * moves` over the pieces before, own pawn to own king, then
/// the enemy's.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct setwise_threat_inputs {
    /// How many kinds of victims an attacker of each role has: own ones and as many of the enemy's. Even, 14 at most.
    pub targets: [u8; 6],
    /// The place of a victim's role among those of an attacker's, `map[attacker][victim]`; below 0 if the two have no
    /// inputs.
    pub map: [[i8; 6]; 6],
    /// For two pieces of a role that attack each other, friends first, then enemies: 1 if only the pair from the higher
    /// square to the lower has an input, 0 if both have. 0 for pawns that are friends, which never attack each other.
    pub once: [[u8; 2]; 6],
    /// A SETWISE_MIRROR_...
    pub mirror: u8,
}

/// What tells one block of pawn pairs from another: two pawns of any colours, each pair once, whose files are not too
/// far apart. A pawn's number is
///
///     squares * (0 own, 1 the enemy's) + square - 8 * (first_rank - 1)
///
/// where `squares` is the number of squares on the ranks that count, 48 for the ranks 2 to 7. The input of a pair is
/// high * (high - 1) / 2 + low by the higher and the lower number.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct setwise_pawn_pair_inputs {
    /// How many files two pawns may be apart: 0 for the same file, 1 for neighbouring files too, up to 7.
    pub files_apart: u8,
    /// The first and the last rank of which pawns count, 1 to 8. They add up to 9.
    pub first_rank: u8,
    pub last_rank: u8,
    /// A SETWISE_MIRROR_...
    pub mirror: u8,
}

/// What tells one block of piece-square inputs from another. The input of a piece is
///
///     square + 64 * planes[0 own, 1 the enemy's][role] + 64 * (number of planes) * buckets[king]
///
/// where `king` is the square of the side's own king; both squares are turned and mirrored.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct setwise_piece_square_inputs {
    /// The bucket of each square of the side's king, as the side sees it: all 0 if inputs do not depend on the king.
    pub buckets: [u8; 64],
    /// The plane of each piece, the side's own ones and then the enemy's, 63 at most; below 0 if it has no inputs.
    /// There are as many planes as the highest number says.
    pub planes: [[i8; 6]; 2],
    /// A SETWISE_MIRROR_...
    pub mirror: u8,
}

/// The kinds of blocks.
pub const SETWISE_BLOCK_THREATS: u8 = 0;
pub const SETWISE_BLOCK_PAWN_PAIRS: u8 = 1;
pub const SETWISE_BLOCK_PIECE_SQUARE: u8 = 2;

/// One family of inputs of a set. Of the three tables only that of the kind is read; the others may be anything.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct setwise_feature_block {
    /// By what a network's file knows the block, or 0.
    pub hash: u32,
    /// How many inputs of the block a padded row has space for; see setwise_feature_set_row_width().
    pub width: u16,
    /// A SETWISE_BLOCK_...
    pub kind: u8,
    /// The table of the kind.
    pub threats: setwise_threat_inputs,
    pub pawn_pairs: setwise_pawn_pair_inputs,
    pub piece_square: setwise_piece_square_inputs,
}

const MIRRORS: [(u8, Mirror); 3] = [
    (SETWISE_MIRROR_NEVER, Mirror::Never),
    (SETWISE_MIRROR_KING_TO_A_TO_D, Mirror::KingToFilesAToD),
    (SETWISE_MIRROR_KING_TO_E_TO_H, Mirror::KingToFilesEToH),
];

/// A mirror by its number.
fn mirror_of(number: u8) -> Result<Mirror, Failure> {
    let found = MIRRORS.into_iter().find(|(of, _)| *of == number);
    found.map(|(_, mirror)| mirror).ok_or_else(|| {
        Failure::new(setwise_status::FeatureSet, format!("`mirror` is {number}, expected 0 to 2"))
    })
}

/// The number of a mirror.
fn number_of(mirror: Mirror) -> u8 {
    MIRRORS.into_iter().find(|(_, of)| *of == mirror).map_or(0, |(number, _)| number)
}

/// C's block as one of the library.
fn block_of(block: &setwise_feature_block) -> Result<FeatureBlock, Failure> {
    let &setwise_feature_block { hash, width, kind, threats, pawn_pairs, piece_square } = block;
    let inputs = match kind {
        SETWISE_BLOCK_THREATS => {
            let setwise_threat_inputs { targets, map, once, mirror } = threats;
            let (once, mirror) =
                (once.map(|of_role| of_role.map(|once| once != 0)), mirror_of(mirror)?);
            BlockInputs::Threats(ThreatInputs { targets, map, once, mirror })
        }
        SETWISE_BLOCK_PAWN_PAIRS => {
            let setwise_pawn_pair_inputs { files_apart, first_rank, last_rank, mirror } =
                pawn_pairs;
            let (ranks, mirror) = ([first_rank, last_rank], mirror_of(mirror)?);
            BlockInputs::PawnPairs(PawnPairInputs { files_apart, ranks, mirror })
        }
        SETWISE_BLOCK_PIECE_SQUARE => {
            let setwise_piece_square_inputs { buckets, planes, mirror } = piece_square;
            let mirror = mirror_of(mirror)?;
            BlockInputs::PieceSquare(PieceSquareInputs { buckets, planes, mirror })
        }
        other => {
            let text = format!("`kind` of a block is {other}, expected 0 to 2");
            return Err(Failure::new(setwise_status::FeatureSet, text));
        }
    };
    Ok(FeatureBlock { hash, width, inputs })
}

/// The library's block as C's; the tables of other kinds are zero.
fn in_c(block: &FeatureBlock) -> setwise_feature_block {
    let mut to = setwise_feature_block { hash: block.hash, width: block.width, ..NO_BLOCK };
    match block.inputs {
        BlockInputs::Threats(ThreatInputs { targets, map, once, mirror }) => {
            let once = once.map(|of_role| of_role.map(u8::from));
            to.kind = SETWISE_BLOCK_THREATS;
            to.threats = setwise_threat_inputs { targets, map, once, mirror: number_of(mirror) };
        }
        BlockInputs::PawnPairs(PawnPairInputs { files_apart, ranks, mirror }) => {
            let ([first_rank, last_rank], mirror) = (ranks, number_of(mirror));
            to.kind = SETWISE_BLOCK_PAWN_PAIRS;
            to.pawn_pairs = setwise_pawn_pair_inputs { files_apart, first_rank, last_rank, mirror };
        }
        BlockInputs::PieceSquare(PieceSquareInputs { buckets, planes, mirror }) => {
            let mirror = number_of(mirror);
            to.kind = SETWISE_BLOCK_PIECE_SQUARE;
            to.piece_square = setwise_piece_square_inputs { buckets, planes, mirror };
        }
        _ => unreachable!("there is no other kind of block"),
    }
    to
}

// SAFETY: all fields are numbers.
const NO_BLOCK: setwise_feature_block = unsafe { std::mem::zeroed() };

fn with_name(set: &FeatureSet, is_shared: bool) -> setwise_feature_set {
    let name = CString::new(set.name()).unwrap_or_default();
    setwise_feature_set { set: set.clone(), name, is_shared }
}

/// The sets with names of their own.
fn sets() -> &'static [setwise_feature_set] {
    static SETS: Once<Vec<setwise_feature_set>> = Once::new();
    SETS.get_or_make(|| FeatureSet::ALL.iter().map(|set| with_name(set, true)).collect())
}

/// A list of the sets that were found by several names. They stay, so there are no more of them than combinations.
struct Joined {
    set: setwise_feature_set,
    next: Once<Self>,
}

static JOINED: Once<Joined> = Once::new();

/// The set in that list, which it enters at the end if it is not there.
fn joined(set: &FeatureSet) -> &'static setwise_feature_set {
    let mut place = &JOINED;
    loop {
        let found = place.get_or_make(|| Joined { set: with_name(set, true), next: Once::new() });
        if found.set.set.name() == set.name() {
            return &found.set;
        }
        place = &found.next;
    }
}

/// The set of this name, as in "nnue-pytorch-2026-07", or of several names joined by `+`, as in
/// "stockfish-threats-2026-08+halfka-hm"; NULL if there is none, and setwise_error_message() lists those that there
/// are. It is never freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_feature_set_find(
    name: *const c_char,
) -> *const setwise_feature_set {
    if name.is_null() {
        remember("the name of the feature set is null");
        return ptr::null();
    }
    // SAFETY: the caller hands over a text that is ended by a zero.
    let name = unsafe { CStr::from_ptr(name) };
    if let Some(set) = sets().iter().find(|set| set.name.as_c_str() == name) {
        return set;
    }
    match name.to_string_lossy().parse::<FeatureSet>() {
        Ok(set) => joined(&set),
        Err(error) => {
            remember(&error.to_string());
            ptr::null()
        }
    }
}

/// The sets that have names one by one; NULL after the last.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_feature_set_at(index: usize) -> *const setwise_feature_set {
    sets().get(index).map_or(ptr::null(), ptr::from_ref)
}

/// Makes a set of `count` blocks, one behind the other. Give it back with setwise_feature_set_free(). A name that is
/// NULL stands for "custom".
///
/// If a table is wrong, if there are more than SETWISE_MAX_FEATURE_BLOCKS or none, if a block occurs twice, or if the
/// name is longer than 127 bytes, the status is SETWISE_STATUS_FEATURE_SET.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_feature_set_new(
    name: *const c_char,
    blocks: *const setwise_feature_block,
    count: usize,
    set: *mut *mut setwise_feature_set,
) -> setwise_status {
    let wrong = |text: String| Failure::new(setwise_status::FeatureSet, text);
    // SAFETY: the pointers are the caller's, and a name ends with a zero.
    checked(|arrays| unsafe {
        if count > SETWISE_MAX_FEATURE_BLOCKS {
            let text = format!(
                "the feature set has {count} blocks, and 1 to {SETWISE_MAX_FEATURE_BLOCKS} are allowed"
            );
            return Err(wrong(text));
        }
        let blocks = arrays.read("blocks", blocks, count)?;
        let [set] = arrays.write_array("set", set)?;
        let name = if name.is_null() { c"custom" } else { CStr::from_ptr(name) }.to_string_lossy();
        let blocks = blocks.iter().map(block_of).collect::<Result<Vec<_>, _>>()?;
        let made = FeatureSet::new(&name, &blocks).map_err(|error| wrong(error.to_string()))?;
        *set = Box::into_raw(Box::new(with_name(&made, false)));
        Ok(())
    })
}

/// Gives a set back that setwise_feature_set_new() has made. NULL and sets that were found by name are left alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_feature_set_free(set: *mut setwise_feature_set) {
    // SAFETY: it is null or one of ours; those that are not shared come from `setwise_feature_set_new`, which made them
    // in a box.
    unsafe {
        if set.as_ref().is_some_and(|set| !set.is_shared) {
            drop(Box::from_raw(set));
        }
    }
}

/// A set's name; NULL for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_feature_set_name(
    set: *const setwise_feature_set,
) -> *const c_char {
    // SAFETY: it is null or one of ours.
    unsafe { set.as_ref() }.map_or(ptr::null(), |set| set.name.as_ptr())
}

/// How many inputs a set has, all of them below that number; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_feature_set_inputs(set: *const setwise_feature_set) -> u32 {
    // SAFETY: it is null or one of ours.
    unsafe { set.as_ref() }.map_or(0, |set| set.set.inputs())
}

/// A buffer of that many inputs suffices for one side's of any position; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_feature_set_max_inputs(set: *const setwise_feature_set) -> usize {
    // SAFETY: it is null or one of ours.
    unsafe { set.as_ref() }.map_or(0, |set| set.set.buffer_len())
}

/// A buffer of that many inputs suffices for those that so many changed squares add to one side's, or remove from them;
/// 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_feature_set_max_changes(
    set: *const setwise_feature_set,
    squares: usize,
) -> usize {
    // SAFETY: it is null or one of ours.
    unsafe { set.as_ref() }.map_or(0, |set| set.set.changes_len(squares))
}

/// How wide padded rows of a set are in trainers: the sum of its blocks' `width`. Few positions of play have more
/// inputs. 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_feature_set_row_width(set: *const setwise_feature_set) -> usize {
    // SAFETY: it is null or one of ours.
    unsafe { set.as_ref() }.map_or(0, |set| set.set.row_width())
}

/// How many blocks a set has; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_feature_set_block_count(set: *const setwise_feature_set) -> usize {
    // SAFETY: it is null or one of ours.
    unsafe { set.as_ref() }.map_or(0, |set| set.set.blocks().len())
}

/// A block that a set was made of, and its first input. If there are not so many blocks, the status is
/// SETWISE_STATUS_FEATURE_SET.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_feature_set_block(
    set: *const setwise_feature_set,
    index: usize,
    block: *mut setwise_feature_block,
    first: *mut u32,
) -> setwise_status {
    // SAFETY: the set is one of ours, and the other pointers are the caller's.
    checked(|arrays| unsafe {
        let [setwise_feature_set { set, .. }] = arrays.read_array("set", set)?;
        let [block] = arrays.write_array("block", block)?;
        let [first] = arrays.write_array("first", first)?;
        let (Some(from), Some(range)) = (set.blocks().get(index), set.range(index)) else {
            let text = format!("the set has {} blocks and none at {index}", set.blocks().len());
            return Err(Failure::new(setwise_status::FeatureSet, text));
        };
        (*block, *first) = (in_c(from), range.start);
        Ok(())
    })
}

/// Returns whether a side's inputs keep their numbers when its king goes from one square to another: 1, or 0 if those
/// of a block become others. 0 too if a square is above 63 or the set is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_feature_set_is_same_view(
    set: *const setwise_feature_set,
    colour: u8,
    from: u8,
    to: u8,
) -> i32 {
    // SAFETY: it is null or one of ours.
    match unsafe { set.as_ref() } {
        Some(set) if from < 64 && to < 64 => {
            let view = |king| set.set.seen_from(self::colour(colour), king);
            view(from).is_same_view(&view(to)).into()
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests;
