//! Feature sets: those that have names, and those that C makes of a table.

use std::ffi::{CStr, CString, c_char};
use std::ptr;
use std::sync::LazyLock;

use setwise::threats::{FeatureSet, FeatureTable, Mirror};

use crate::buffers::Checked;
use crate::error::{Failure, remember, setwise_status, status_of};
use crate::pieces::colour;

/// A feature set: which threats a network is told of, and the number of each, as white and as black sees the board. It comes
/// from setwise_feature_set_find(), setwise_feature_set_at() or setwise_feature_set_new().
pub struct setwise_feature_set {
    pub(crate) set: FeatureSet,
    name: CString,
}

/// A set never mirrors the board.
pub const SETWISE_MIRROR_NEVER: u8 = 0;

/// A side sees the board mirrored while its king stands on the files e to h, so that the king is always on a to d.
pub const SETWISE_MIRROR_KING_TO_A_TO_D: u8 = 1;

/// A side sees the board mirrored while its king stands on the files a to d, so that the king is always on e to h.
pub const SETWISE_MIRROR_KING_TO_E_TO_H: u8 = 2;

/// What tells one feature set from another. Roles are numbered from 0 (pawn) to 5 (king). The input of a threat, its
/// squares turned so that the side moves up the board and mirrored as `mirror` says, is
///
///     base[A] + (enemy(V) * targets[a] / 2 + map[a][v]) * moves[a] + before[A][from] + rank
///
/// for an attacker `A` of role `a` and a victim `V` of role `v`. `rank` is the number of squares below `to` that `A`
/// attacks from `from` on an empty board; `before` the number that it attacks from all squares below `from`; `moves` the
/// number from all squares; `base` the sum of `targets * moves` over the pieces before, own pawn to own king, then the
/// enemy's.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct setwise_feature_table {
    /// By what the network's file knows the set, or 0.
    pub hash: u32,
    /// How many kinds of victims an attacker of each role has: own ones and as many of the enemy's. Even, 14 at most.
    pub targets: [u8; 6],
    /// The place of a victim's role among those of an attacker's, `map[attacker][victim]`; below 0 if the two have no
    /// inputs.
    pub map: [[i8; 6]; 6],
    /// For two pieces of a role that attack each other, friends first, then enemies: 1 if only the pair from the higher
    /// square to the lower has an input, 0 if both have.
    pub once: [[u8; 2]; 6],
    /// A SETWISE_MIRROR_...
    pub mirror: u8,
}

static SETS: LazyLock<Vec<setwise_feature_set>> = LazyLock::new(|| {
    let named = |set: &&FeatureSet| setwise_feature_set {
        set: (*set).clone(),
        name: CString::new(set.name()).unwrap_or_default(),
    };
    FeatureSet::ALL.iter().map(named).collect()
});

/// The set of this name, as in "stockfish-2026-08"; NULL if there is none, and setwise_error_message() lists those that
/// there are. It is never freed.
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
    if let Some(set) = SETS.iter().find(|set| set.name.as_c_str() == name) {
        return set;
    }
    if let Err(unknown) = name.to_string_lossy().parse::<&'static FeatureSet>() {
        remember(&unknown.to_string());
    }
    ptr::null()
}

/// The sets that have names one by one, the newest last; NULL after the last.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_feature_set_at(index: usize) -> *const setwise_feature_set {
    SETS.get(index).map_or(ptr::null(), ptr::from_ref)
}

/// Makes a set of a table. Give it back with setwise_feature_set_free().
///
/// If a number of targets is odd or above 14, or a place is not below half of its targets, the status is
/// SETWISE_STATUS_FEATURE_SET.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_feature_set_new(
    table: *const setwise_feature_table,
    set: *mut *mut setwise_feature_set,
) -> setwise_status {
    status_of(|| {
        let mut checked = Checked::default();
        checked.input("table", table, 1)?;
        checked.output("set", set, 1)?;
        // SAFETY: it was checked.
        let setwise_feature_table { hash, targets, map, once, mirror } = unsafe { *table };
        let wrong = |text: String| Failure::new(setwise_status::FeatureSet, text);
        let mirror = match mirror {
            SETWISE_MIRROR_NEVER => Mirror::Never,
            SETWISE_MIRROR_KING_TO_A_TO_D => Mirror::KingToFilesAToD,
            SETWISE_MIRROR_KING_TO_E_TO_H => Mirror::KingToFilesEToH,
            other => return Err(wrong(format!("`mirror` is {other}, expected 0 to 2"))),
        };
        let once = once.map(|of_role| of_role.map(|once| once != 0));
        let table = FeatureTable { name: "custom", hash, targets, map, once, mirror };
        let made = FeatureSet::new(table).map_err(|error| wrong(error.to_string()))?;
        let made = setwise_feature_set { set: made, name: c"custom".to_owned() };
        // SAFETY: it was checked.
        unsafe { *set = Box::into_raw(Box::new(made)) };
        Ok(())
    })
}

/// Gives a set back that setwise_feature_set_new() has made. NULL and sets with names are left alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_feature_set_free(set: *mut setwise_feature_set) {
    if set.is_null() || SETS.iter().any(|named| ptr::eq(named, set)) {
        return;
    }
    // SAFETY: it comes from `setwise_feature_set_new`, which made it in a box.
    drop(unsafe { Box::from_raw(set) });
}

/// A set's name; "custom" for one that was made of a table, NULL for NULL.
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

/// The table that a set was made of.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_feature_set_table(
    set: *const setwise_feature_set,
    table: *mut setwise_feature_table,
) -> setwise_status {
    status_of(|| {
        let mut checked = Checked::default();
        checked.input("set", set, 1)?;
        checked.output("table", table, 1)?;
        // SAFETY: it was checked, and is one of ours.
        let &FeatureTable { hash, targets, map, once, mirror, .. } = unsafe { (*set).set.table() };
        let mirror = match mirror {
            Mirror::KingToFilesAToD => SETWISE_MIRROR_KING_TO_A_TO_D,
            Mirror::KingToFilesEToH => SETWISE_MIRROR_KING_TO_E_TO_H,
            _ => SETWISE_MIRROR_NEVER,
        };
        let once = once.map(|of_role| of_role.map(u8::from));
        // SAFETY: it was checked.
        unsafe { *table = setwise_feature_table { hash, targets, map, once, mirror } };
        Ok(())
    })
}

/// Whether a side's inputs keep their numbers when its king goes from one square to another: 1, or 0 if all of them
/// become others. 0 too if a square is above 63 or the set is NULL.
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
mod tests {
    use super::*;

    fn string(text: *const c_char) -> &'static str {
        // SAFETY: the texts of this file are ended by zeros and live as long as the set.
        unsafe { CStr::from_ptr(text) }.to_str().expect("UTF-8")
    }

    /// The named sets are the library's, and a set made of a set's table is the same set.
    #[test]
    fn the_sets_are_the_librarys() {
        let mut count = 0;
        for (index, set) in FeatureSet::ALL.iter().enumerate() {
            let named = setwise_feature_set_at(index);
            // SAFETY: all pointers are good.
            unsafe {
                assert_eq!(string(setwise_feature_set_name(named)), set.name());
                assert_eq!(setwise_feature_set_inputs(named), set.inputs());
                assert!(ptr::eq(setwise_feature_set_find(setwise_feature_set_name(named)), named));
                let mut table = setwise_feature_table {
                    hash: 0,
                    targets: [0; 6],
                    map: [[0; 6]; 6],
                    once: [[0; 2]; 6],
                    mirror: 0,
                };
                assert_eq!(setwise_feature_set_table(named, &raw mut table), setwise_status::Ok);
                let mut made = ptr::null_mut();
                assert_eq!(
                    setwise_feature_set_new(&raw const table, &raw mut made),
                    setwise_status::Ok
                );
                assert_eq!(FeatureTable { name: set.name(), ..*(*made).set.table() }, *set.table());
                assert_eq!((*made).set.inputs(), set.inputs());
                assert_eq!(string(setwise_feature_set_name(made)), "custom");
                for (king, to) in [(3, 4), (4, 3), (0, 59), (7, 60)] {
                    for colour in [0, 1] {
                        let same = setwise_feature_set_is_same_view(made, colour, king, to);
                        assert_eq!(same != 0, (king & 4) == (to & 4));
                    }
                }
                setwise_feature_set_free(made);
                setwise_feature_set_free(named.cast_mut());
                assert_eq!(setwise_feature_set_inputs(named), set.inputs());
            }
            count += 1;
        }
        assert!(setwise_feature_set_at(count).is_null());
        // SAFETY: null is a set that there is not.
        unsafe {
            setwise_feature_set_free(ptr::null_mut());
            assert!(setwise_feature_set_name(ptr::null()).is_null());
            assert_eq!(setwise_feature_set_inputs(ptr::null()), 0);
            assert_eq!(setwise_feature_set_is_same_view(ptr::null(), 0, 0, 0), 0);
            assert_eq!(setwise_feature_set_is_same_view(setwise_feature_set_at(0), 0, 64, 0), 0);
        }
    }
}
