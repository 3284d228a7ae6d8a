//! Sets of squares as lists.

/// The squares of a set: as a set, and for code that reads vectors of them as a list.
#[repr(C, align(64))]
pub(crate) struct SquareList {
    /// The lowest square first, followed by any squares.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "others take the set"))]
    pub(super) squares: [u8; SquareList::LEN],
    pub(crate) set: u64,
}

impl SquareList {
    /// A vector of 32 bytes may be read where the last square is.
    const LEN: usize = 64 + 32;

    pub(crate) const fn new() -> Self {
        Self { set: 0, squares: [0; Self::LEN] }
    }
}
