//! Lists of different lengths in one slice, with offsets.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// Lists of different lengths, one per position: all items in one slice, and the offset at which each list begins.
///
/// This layout is known as CSR; Arrow calls it a list array. Refilling the lists reuses their allocation.
#[derive(Clone)]
pub struct Lists<T> {
    /// The start of each list, then the end of the last one.
    offsets: Vec<usize>,
    /// May be longer than the lists, so that calls rarely allocate.
    items: Vec<T>,
}

impl<T: Copy + Default> Lists<T> {
    /// Creates an empty collection of lists.
    #[must_use]
    pub fn new() -> Self {
        Self { offsets: vec![0], items: Vec::new() }
    }

    /// The number of lists.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns whether there are no lists.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The offset at which each list begins in [`items`](Self::items), and the end of the last one: list `i` is
    /// `items()[offsets()[i]..offsets()[i + 1]]`.
    #[must_use]
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// All lists, one after another.
    #[must_use]
    pub fn items(&self) -> &[T] {
        &self.items[..self.end()]
    }

    /// The list of a row, or `None` if the row is out of bounds.
    #[must_use]
    pub fn get(&self, row: usize) -> Option<&[T]> {
        let end = *self.offsets.get(row.checked_add(1)?)?;
        Some(&self.items[self.offsets[row]..end])
    }

    /// Iterates over the lists.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> {
        self.offsets.windows(2).map(|ends| &self.items[ends[0]..ends[1]])
    }

    /// Removes all lists, and keeps the allocation.
    pub fn clear(&mut self) {
        self.offsets.truncate(1);
    }

    /// The end of the last list, where the next one begins.
    #[inline(always)]
    fn end(&self) -> usize {
        self.offsets[self.offsets.len() - 1]
    }

    /// Removes all lists, and reserves space for the offsets of `lists` new ones.
    ///
    /// ```
    /// use setwise::Lists;
    /// let mut lists = Lists::<u16>::new();
    /// lists.start(2);
    /// for list in [&[1, 2, 3][..], &[]] {
    ///     lists.space(10)[..list.len()].copy_from_slice(list);
    ///     lists.push(list.len());
    /// }
    /// assert_eq!((lists.offsets(), lists.items()), (&[0, 3, 3][..], &[1, 2, 3][..]));
    /// ```
    #[doc(hidden)]
    pub fn start(&mut self, lists: usize) {
        self.clear();
        self.offsets.reserve(lists);
    }

    /// Returns space for at least `len` items after the last list. Its contents are unspecified; [`push`](Self::push)
    /// turns its first items into a list.
    #[doc(hidden)]
    #[inline(always)]
    pub fn space(&mut self, len: usize) -> &mut [T] {
        let end = self.end();
        if self.items.len() < end + len {
            self.grow(end + len);
        }
        &mut self.items[end..]
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, len: usize) {
        self.items.resize(len.max(2 * self.items.len()), T::default());
    }

    /// Appends a list: the first `len` items of the [`space`](Self::space).
    ///
    /// # Panics
    /// If the space is shorter than `len`.
    #[doc(hidden)]
    #[inline(always)]
    pub fn push(&mut self, len: usize) {
        self.push_end(self.end() + len);
    }

    /// Appends a list like [`push`](Self::push), given its end in [`items`](Self::items).
    ///
    /// # Panics
    /// If `end` is before the end of the last list, or past the space.
    #[doc(hidden)]
    #[inline(always)]
    pub fn push_end(&mut self, end: usize) {
        assert!(
            (self.end()..=self.items.len()).contains(&end),
            "a list ends in the space after the last"
        );
        self.offsets.push(end);
    }
}

impl<T> Lists<T> {
    /// Applies a function to every item, and reuses the allocation if old and new items have the same size. It is also
    /// applied to the contents of the [`space`](Self::space) after the last list.
    #[must_use]
    pub fn map<U>(self, function: impl Fn(T) -> U) -> Lists<U> {
        let items = self.items.into_iter().map(function).collect();
        Lists { offsets: self.offsets, items }
    }
}

impl<T: Copy + Default> Default for Lists<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Copy + Default + fmt::Debug> fmt::Debug for Lists<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: Copy + Default + PartialEq> PartialEq for Lists<T> {
    fn eq(&self, other: &Self) -> bool {
        self.offsets == other.offsets && self.items() == other.items()
    }
}

impl<T: Copy + Default + Eq> Eq for Lists<T> {}
