//! Feature sets: named sets, and sets that C creates from blocks.

use std::ffi::{CStr, CString, c_char};
use std::ptr;

use once_cell::race::OnceBox;
use setwise_nnue::{
    BlockInputs, FeatureBlock, FeatureSet, Mirror, PawnPairInputs, PieceSquareInputs, ThreatInputs,
};

use crate::buffers::checked;
use crate::error::{Failure, bail, find, setwise_status};
use crate::pieces::colour;

/// A feature set: the inputs of a network, which are numbered facts about a position from the perspectives of white and
/// black. It is a sequence of blocks of inputs, returned by setwise_feature_set_find(), setwise_feature_set_at() or
/// setwise_feature_set_new().
pub struct setwise_feature_set {
    pub(crate) set: FeatureSet,
    name: CString,
    /// True if the set was found by its name. Then it is never freed.
    is_shared: bool,
}

/// The maximum number of blocks of a set.
pub const SETWISE_MAX_FEATURE_BLOCKS: usize = 4;

const _: () = assert!(SETWISE_MAX_FEATURE_BLOCKS == FeatureSet::MAX_BLOCKS);

/// A block never mirrors the board.
pub const SETWISE_MIRROR_NEVER: u8 = 0;

/// A side sees the board mirrored while its king is on the files e to h, so that it sees the king on a to d.
pub const SETWISE_MIRROR_KING_TO_A_TO_D: u8 = 1;

/// A side sees the board mirrored while its king is on the files a to d, so that it sees the king on e to h.
pub const SETWISE_MIRROR_KING_TO_E_TO_H: u8 = 2;

/// The table of a block of threats. Roles are numbered from 0 (pawn) to 5 (king). Squares are flipped vertically for
/// black, so that the side moves up the board, and mirrored according to `mirror`; own pieces are treated as white. The
/// input of a threat is
///
///     base[A] + (enemy(V) * targets[a] / 2 + map[a][v]) * moves[a] + before[A][from] + rank
///
/// for an attacker `A` of role `a` and a victim `V` of role `v`. `enemy(V)` is 1 if the victim belongs to the enemy of
/// the side whose inputs these are, also if an enemy piece attacks it. On an empty board, `rank` is the number of
/// squares below `to` that `A` attacks from `from`; `before` is the number of squares that `A` attacks from each square
/// below `from`, summed over these squares; `moves` is this sum over all squares (84, 336, 560, 896, 1456 and 420).
/// `base` is the sum of `targets * moves` over the pieces before `A`, in the order own pawn to own king, then the
/// enemy's. A pawn on its first rank attacks nothing and has no inputs.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct setwise_threat_inputs {
    /// The number of kinds of victims of an attacker of each role: half of them own pieces, half the enemy's. Even and
    /// at most 14.
    pub targets: [u8; 6],
    /// The index of a victim's role among the kinds of victims of an attacker's role, `map[attacker][victim]`; negative
    /// if the two roles have no inputs.
    pub map: [[i8; 6]; 6],
    /// For two pieces of the same role that attack each other, by role, then for friends and enemies: 1 if only the
    /// threat from the higher square to the lower has an input, 0 if both threats have one. Must be 0 for friendly
    /// pawns, which never attack each other.
    pub once: [[u8; 2]; 6],
    /// One of the SETWISE_MIRROR_... constants.
    pub mirror: u8,
}

/// The table of a block of pawn pairs: two pawns of any colours on the same file or on nearby files, each pair once. A
/// pawn's number is
///
///     squares * (0 own, 1 the enemy's) + square - 8 * (first_rank - 1)
///
/// where `squares` is the number of squares on the ranks that count, 48 for the ranks 2 to 7. The input of a pair is
/// high * (high - 1) / 2 + low, from the higher and the lower number.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct setwise_pawn_pair_inputs {
    /// The maximum distance of the two files: 0 for the same file only, 1 to include adjacent files, up to 7.
    pub files_apart: u8,
    /// The first and the last rank on which pawns count, 1 to 8. They add up to 9.
    pub first_rank: u8,
    pub last_rank: u8,
    /// One of the SETWISE_MIRROR_... constants.
    pub mirror: u8,
}

/// The table of a block of piece-square inputs. The input of a piece is
///
///     square + 64 * planes[0 own, 1 the enemy's][role] + 64 * (number of planes) * buckets[king]
///
/// where `king` is the square of the side's own king. Both squares are flipped and mirrored as for threats.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct setwise_piece_square_inputs {
    /// The bucket for each square of the own king, as the side sees the board: all 0 if the inputs do not depend on the
    /// king.
    pub buckets: [u8; 64],
    /// The plane of each piece, own pieces first, then the enemy's, at most 63; negative if the piece has no inputs.
    /// The number of planes is the highest plane plus 1.
    pub planes: [[i8; 6]; 2],
    /// One of the SETWISE_MIRROR_... constants.
    pub mirror: u8,
}

/// The kinds of blocks.
pub const SETWISE_BLOCK_THREATS: u8 = 0;
pub const SETWISE_BLOCK_PAWN_PAIRS: u8 = 1;
pub const SETWISE_BLOCK_PIECE_SQUARE: u8 = 2;

/// One family of inputs of a set. Only the table of the block's kind is read; the other two are ignored.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct setwise_feature_block {
    /// The hash that identifies the block in a network's file, or 0.
    pub hash: u32,
    /// The number of inputs of the block for which trainers reserve space in a padded row; see
    /// setwise_feature_set_row_width().
    pub width: u16,
    /// One of the SETWISE_BLOCK_... constants.
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

/// Converts a SETWISE_MIRROR_... from C.
fn mirror_of(number: u8) -> Result<Mirror, Failure> {
    match MIRRORS.into_iter().find(|(of, _)| *of == number) {
        Some((_, mirror)) => Ok(mirror),
        None => bail!(FeatureSet, "`mirror` is {number}, expected 0 to 2"),
    }
}

/// Converts a mirror to C.
fn number_of(mirror: Mirror) -> u8 {
    MIRRORS.into_iter().find(|(_, of)| *of == mirror).map_or(0, |(number, _)| number)
}

/// Converts a block from C.
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
        other => bail!(FeatureSet, "`kind` of a block is {other}, expected 0 to 2"),
    };
    Ok(FeatureBlock { hash, width, inputs })
}

/// Converts a block to C. The tables of other kinds are zero.
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

/// The named sets.
fn sets() -> &'static [setwise_feature_set] {
    static SETS: OnceBox<Vec<setwise_feature_set>> = OnceBox::new();
    SETS.get_or_init(|| Box::new(FeatureSet::ALL.iter().map(|set| with_name(set, true)).collect()))
}

/// A list of the sets that were found by joined names. Each is stored once and never freed.
struct Joined {
    set: setwise_feature_set,
    next: OnceBox<Self>,
}

static JOINED: OnceBox<Joined> = OnceBox::new();

/// Finds a joined set in the list, or appends it.
fn joined(set: &FeatureSet) -> &'static setwise_feature_set {
    let mut place = &JOINED;
    loop {
        let found = place
            .get_or_init(|| Box::new(Joined { set: with_name(set, true), next: OnceBox::new() }));
        if found.set.set.name() == set.name() {
            return &found.set;
        }
        place = &found.next;
    }
}

/// The set with this name, such as "nnue-pytorch-2026-07", or the sets with several names joined by `+`, such as
/// "stockfish-threats-2026-08+halfka-hm". NULL if there is none; setwise_error_message() then lists the names. The set
/// is never freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_feature_set_find(
    name: *const c_char,
) -> *const setwise_feature_set {
    let look_up = |name: &str| match sets().iter().find(|set| set.set.name() == name) {
        Some(set) => Ok(set),
        None => name.parse::<FeatureSet>().map(|set| joined(&set)),
    };
    // SAFETY: the caller passes a NUL-terminated string, or null.
    unsafe { find("feature set", name, look_up) }.map_or(ptr::null(), ptr::from_ref)
}

/// A named set by its index; NULL after the last.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_feature_set_at(index: usize) -> *const setwise_feature_set {
    sets().get(index).map_or(ptr::null(), ptr::from_ref)
}

/// Creates a set from a sequence of `count` blocks. Free it with setwise_feature_set_free(). The name of a set with a
/// NULL `name` is "custom".
///
/// The status is SETWISE_STATUS_FEATURE_SET if a table is invalid, if there are no blocks or more than
/// SETWISE_MAX_FEATURE_BLOCKS, if blocks overlap, or if the name is longer than 127 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_feature_set_new(
    name: *const c_char,
    blocks: *const setwise_feature_block,
    count: usize,
    set: *mut *mut setwise_feature_set,
) -> setwise_status {
    // SAFETY: the pointers are the caller's, and a name is NUL-terminated.
    checked(|arrays| unsafe {
        if count > SETWISE_MAX_FEATURE_BLOCKS {
            const MAX: usize = SETWISE_MAX_FEATURE_BLOCKS;
            bail!(FeatureSet, "the feature set has {count} blocks, and 1 to {MAX} are allowed");
        }
        let blocks = arrays.read("blocks", blocks, count)?;
        let [set] = arrays.write_array("set", set)?;
        let name = if name.is_null() { c"custom" } else { CStr::from_ptr(name) }.to_string_lossy();
        let blocks = blocks.iter().map(block_of).collect::<Result<Vec<_>, _>>()?;
        let made = FeatureSet::new(&name, &blocks)
            .map_err(|error| Failure::new(setwise_status::FeatureSet, error.to_string()))?;
        *set = Box::into_raw(Box::new(with_name(&made, false)));
        Ok(())
    })
}

/// Frees a set created by setwise_feature_set_new(). Ignores NULL and named sets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_feature_set_free(set: *mut setwise_feature_set) {
    // SAFETY: it is null or one of ours. Sets that are not shared come from `setwise_feature_set_new`, which boxes
    // them.
    unsafe {
        if set.as_ref().is_some_and(|set| !set.is_shared) {
            drop(Box::from_raw(set));
        }
    }
}

/// The name of a set; NULL for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_feature_set_name(
    set: *const setwise_feature_set,
) -> *const c_char {
    // SAFETY: it is null or one of ours.
    unsafe { set.as_ref() }.map_or(ptr::null(), |set| set.name.as_ptr())
}

/// The number of inputs of a set, which are numbered from 0; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_feature_set_inputs(set: *const setwise_feature_set) -> u32 {
    // SAFETY: it is null or one of ours.
    unsafe { set.as_ref() }.map_or(0, |set| set.set.inputs())
}

/// The length of a buffer that suffices for the inputs of any position from one perspective; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_feature_set_max_inputs(set: *const setwise_feature_set) -> usize {
    // SAFETY: it is null or one of ours.
    unsafe { set.as_ref() }.map_or(0, |set| set.set.buffer_len())
}

/// The length of a buffer that suffices for the inputs that a change of this number of squares adds, or removes, from
/// one perspective; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_feature_set_max_changes(
    set: *const setwise_feature_set,
    squares: usize,
) -> usize {
    // SAFETY: it is null or one of ours.
    unsafe { set.as_ref() }.map_or(0, |set| set.set.changes_len(squares))
}

/// The width of padded rows of a set in trainers: the sum of `width` over its blocks. Few positions from games have
/// more inputs. 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_feature_set_row_width(set: *const setwise_feature_set) -> usize {
    // SAFETY: it is null or one of ours.
    unsafe { set.as_ref() }.map_or(0, |set| set.set.row_width())
}

/// The number of blocks of a set; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_feature_set_block_count(set: *const setwise_feature_set) -> usize {
    // SAFETY: it is null or one of ours.
    unsafe { set.as_ref() }.map_or(0, |set| set.set.blocks().len())
}

/// Writes a block of a set and its first input. If there is no block with this index, the status is
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
            bail!(FeatureSet, "the set has {} blocks and none at {index}", set.blocks().len());
        };
        (*block, *first) = (in_c(from), range.start);
        Ok(())
    })
}

/// Returns 1 if a side's inputs keep their numbers when its king moves from one square to another. Returns 0 if the
/// inputs of a block are renumbered, if a square is above 63, or if the set is NULL.
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
