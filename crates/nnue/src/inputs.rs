//! The inputs that a move adds and removes: from records for one perspective, or for both perspectives together.

use core::mem::MaybeUninit;

use super::changes::{self, Board, SquareChange, ThreatChange};
use super::features::{Block, FeatureError, FeatureSet, king_square};
use super::numbers::input;
use super::perspective::Perspective;
use super::slots::{InputNumber, Number, words, written};
use setwise::{ByColour, Colour, Role, piece_code};

/// The buffers for the changes of a perspective's inputs.
#[derive(Debug)]
pub struct InputBuffers<'a, N> {
    /// Receives the added inputs.
    pub added: &'a mut [N],
    /// Receives the removed inputs.
    pub removed: &'a mut [N],
}

impl<'a, N: InputNumber> InputBuffers<'a, N> {
    /// The same buffers, as words.
    ///
    /// # Safety
    /// As [`words`].
    #[inline(always)]
    pub(crate) unsafe fn words(self) -> InputBuffers<'a, MaybeUninit<N::Value>> {
        // SAFETY: the caller only writes inputs.
        unsafe { InputBuffers { added: words(self.added), removed: words(self.removed) } }
    }
}

/// The changes of a perspective's inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct InputChanges {
    /// The number of added inputs, which are at the start of [`InputBuffers::added`].
    pub added: usize,
    /// The number of removed inputs, which are at the start of [`InputBuffers::removed`].
    pub removed: usize,
    /// True if the side's king has moved to another bucket, or has crossed the middle of the board in a set with
    /// mirroring. In this case all inputs of the perspective, or of a block, change, and nothing is written. Compute
    /// the full list with [`position::inputs`](crate::position::inputs).
    pub is_anew: bool,
}

impl Perspective<'_> {
    /// Converts records of [`position::threat_changes`](crate::position::threat_changes) to inputs of this perspective.
    /// Writes the added and the removed inputs to the starts of two buffers, and returns both counts. The rest of the
    /// buffers is unspecified. The buffers may hold [`MaybeUninit`](core::mem::MaybeUninit) numbers.
    ///
    /// The result contains only inputs of the set's block of threats. The inputs of other blocks depend on the changed
    /// squares; [`position::input_changes`](crate::position::input_changes) computes the changes in all blocks.
    ///
    /// An engine that stores the records of its moves calls this function when it needs the accumulator of the
    /// perspective. The perspective must have the same view before and after the moves
    /// ([`is_same_view`](Self::is_same_view)).
    ///
    /// # Errors
    /// If the set has too many inputs for the number type, or if a buffer is too small; buffers with one element per
    /// record always suffice. In these cases nothing is written.
    ///
    /// ```
    /// use setwise_nnue::{FeatureSet, SquareChange, ThreatChange, buffer_len, position};
    /// use setwise::{Colour, Pieces, Role};
    /// let set = &FeatureSet::STOCKFISH_THREATS_2026_08;
    /// let moved = [SquareChange::remove(1), SquareChange::put(18, Colour::White, Role::Knight)];
    /// let mut records = [ThreatChange::default(); buffer_len(2)];
    /// let codes = Pieces::START.codes();
    /// let count = position::threat_changes(&codes, &moved, set.pair_filter(), &mut records)?;
    /// let (mut added, mut removed) = ([0_u16; 32], [0_u16; 32]);
    /// let white = set.perspective(&Pieces::START, Colour::White)?;
    /// let [new, gone] = white.input_changes(&records[..count], &mut added, &mut removed)?;
    /// assert_eq!((new, gone), (6, 2)); // the knight defends three pieces, pawns defend it, the rook sees c1
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn input_changes<N: InputNumber>(
        &self,
        records: &[ThreatChange],
        added: &mut [N],
        removed: &mut [N],
    ) -> Result<[usize; 2], FeatureError> {
        let lens = [added.len(), removed.len()];
        self.fits::<N::Value>(records, &Squares::NONE, lens)?;
        // SAFETY: only inputs are written.
        let places = unsafe { [words(added), words(removed)] };
        Ok(self.write_threats(records, places))
    }

    /// Writes the inputs of records to the starts of buffers that [fit](Self::fits), and returns their counts.
    #[inline(always)]
    fn write_threats<N: Number>(
        &self,
        records: &[ThreatChange],
        [added, removed]: [&mut [MaybeUninit<N>]; 2],
    ) -> [usize; 2] {
        let Some((block, tables)) = self.set.threats() else { return [0; 2] };
        let (flip, swap) = (self.view.flips[block], 8 * self.colour as u8);
        // Two variables, because an array would be in memory, and each record would wait for the store of the previous
        // one.
        let (mut new, mut gone) = (0, 0);
        for &record in records {
            let (input, exists) = input(tables, flip, swap, record.bits());
            let is_added = record.is_added();
            // Written to both buffers if there is space. Only the buffer whose count increases keeps it.
            if let Some(place) = added.get_mut(new) {
                place.write(N::of(input));
            }
            if let Some(place) = removed.get_mut(gone) {
                place.write(N::of(input));
            }
            new += usize::from(exists & is_added);
            gone += usize::from(exists & !is_added);
        }
        [new, gone]
    }

    /// Returns an error if the inputs of records and squares do not fit into buffers of the lengths `lens`.
    #[inline(always)]
    fn fits<N: Number>(
        &self,
        records: &[ThreatChange],
        squares: &Squares<'_>,
        lens: [usize; 2],
    ) -> Result<(), FeatureError> {
        let Self { set, colour, .. } = *self;
        set.fits::<N>()?;
        if lens[0].min(lens[1]) < records.len() + set.max_of_changes(squares.changes.len()) {
            let mut needed = self.write_threats::<N>(records, [&mut [], &mut []]);
            squares.each(self, |is_added, _| needed[usize::from(!is_added)] += 1);
            if needed[0] > lens[0] || needed[1] > lens[1] {
                return Err(FeatureError::Changes { colour, needed });
            }
        }
        Ok(())
    }
}

/// The changed squares, with the data that pawn pairs and pieces on squares depend on.
struct Squares<'a> {
    /// Each square once.
    changes: &'a [SquareChange],
    codes: &'a [u8; 64],
    /// White's pawns before and after the change, then black's.
    pawns: [[u64; 2]; 2],
}

impl Squares<'_> {
    /// No square changes.
    const NONE: Squares<'static> = Squares { changes: &[], codes: &[0; 64], pawns: [[0; 2]; 2] };

    /// Calls a closure with each pawn-pair and piece-square input that is added (true) or removed (false).
    #[inline(always)]
    fn each(&self, seen: &Perspective<'_>, mut call: impl FnMut(bool, u32)) {
        let side = seen.colour as usize;
        for (i, block) in seen.set.used().iter().enumerate() {
            let (flip, first) = (seen.view.flips[i], seen.view.firsts[i]);
            match block {
                Block::PawnPairs(pairs) => {
                    let [white, black] = self.pawns;
                    for (then, is_added) in [(0, false), (1, true)] {
                        let changed =
                            white[then] & !white[1 - then] | black[then] & !black[1 - then];
                        let call = |input| call(is_added, first + input);
                        pairs.each_of(changed, [white[then], black[then]], flip, side, call);
                    }
                }
                Block::PieceSquare(pieces) => {
                    for change in self.changes {
                        let square = change.square() & 63;
                        let old = self.codes[usize::from(square)];
                        if old == change.code() {
                            continue;
                        }
                        for (code, is_added) in [(old, false), (change.code(), true)] {
                            let (input, exists) = pieces.input(side, code, square, flip);
                            if exists {
                                call(is_added, first + input);
                            }
                        }
                    }
                }
                Block::Threats(_) | Block::None => {}
            }
        }
    }
}

/// The squares of a piece before and after the changes. This function and the next one are not closures, because
/// closures were not inlined into the function that enables the board's instructions.
#[inline(always)]
fn holding<B: Board>(board: &B, changes: &[SquareChange], colour: Colour, role: Role) -> [u64; 2] {
    let code = piece_code(colour, role);
    let before = board.holding(code);
    let mut after = before;
    for change in changes {
        after &= !(1 << change.square());
        after |= u64::from(change.code() == code) << change.square();
    }
    [before, after]
}

/// Returns the perspective of a side, given the squares of its king before and after the changes; `None` if its view of
/// the board changes.
#[inline(always)]
fn perspective(
    set: &FeatureSet,
    colour: Colour,
    [before, after]: [u64; 2],
) -> Result<Option<Perspective<'_>>, FeatureError> {
    let [before, after] = [king_square(0, colour, before)?, king_square(0, colour, after)?];
    let (before, view) = (set.view(colour, before), set.view(colour, after));
    Ok((before == view).then_some(Perspective { set, view, colour }))
}

/// Writes the changes of the inputs of both perspectives, with the board type of an instruction set.
#[inline(always)]
pub(crate) fn input_changes<B: Board, N: InputNumber>(
    set: &FeatureSet,
    codes: &[u8; 64],
    changes: &[SquareChange],
    buffers: ByColour<InputBuffers<'_, N>>,
) -> Result<ByColour<InputChanges>, FeatureError> {
    changes::check(changes).map_err(FeatureError::Squares)?;
    let board = B::load(codes);
    let [white, black] = Colour::ALL;
    let perspectives = [
        perspective(set, white, holding(&board, changes, white, Role::King))?,
        perspective(set, black, holding(&board, changes, black, Role::King))?,
    ];
    let pawns =
        [holding(&board, changes, white, Role::Pawn), holding(&board, changes, black, Role::Pawn)];
    let squares = Squares { changes, codes, pawns };
    let mut records = [MaybeUninit::uninit(); changes::buffer_len(64)];
    let count = if set.threats().is_some() {
        changes::write::<B>(codes, changes, set.pair_filter(), &mut records)
    } else {
        0
    };
    // SAFETY: `count` records were written.
    let records = unsafe { written(&records[..count]) };
    let sides = [buffers.white, buffers.black];
    // Check both perspectives before anything is written.
    for (seen, InputBuffers { added, removed }) in perspectives.iter().zip(&sides) {
        if let Some(seen) = seen {
            seen.fits::<N::Value>(records, &squares, [added.len(), removed.len()])?;
        }
    }
    let mut both = ByColour::<InputChanges>::default();
    for ((colour, seen), to) in Colour::ALL.into_iter().zip(perspectives).zip(sides) {
        let Some(seen) = seen else {
            both[colour].is_anew = true;
            continue;
        };
        // SAFETY: only inputs are written.
        let InputBuffers { added, removed } = unsafe { to.words() };
        let mut counts = seen.write_threats(records, [&mut *added, &mut *removed]);
        squares.each(&seen, |is_added, input| {
            let (buffer, count) = if is_added {
                (&mut *added, &mut counts[0])
            } else {
                (&mut *removed, &mut counts[1])
            };
            buffer[*count].write(N::Value::of(input));
            *count += 1;
        });
        let [added, removed] = counts;
        both[colour] = InputChanges { added, removed, is_anew: false };
    }
    Ok(both)
}
