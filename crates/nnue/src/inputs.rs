//! Inputs of one position, and what a move changes of them, for both perspectives at once.

use core::fmt;

use super::changes::{ChangeError, SquareChange, ThreatChange};
use super::features::{Block, FeatureError, FeatureSet, View};
use super::number::{InputNumber, Place};
use super::numbers::{Tables, input_of_bits};
use super::perspective::Perspective;
use setwise::{ByColour, Colour, Role, piece_code};

/// Where the changes of a perspective's inputs go.
#[derive(Debug)]
pub struct InputBuffers<'a, N> {
    /// For the inputs that are new.
    pub added: &'a mut [N],
    /// For those that are gone.
    pub removed: &'a mut [N],
}

/// How a perspective's inputs change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct InputChanges {
    /// How many inputs are new: so many stand at the front of [`InputBuffers::added`].
    pub added: usize,
    /// How many are gone.
    pub removed: usize,
    /// Whether the side's king has crossed the middle of the board and the set mirrors, or has gone to another bucket:
    /// then all inputs are others, or those of a block. Nothing is written; make the list anew with
    /// [`position::inputs`](crate::position::inputs).
    pub is_anew: bool,
}

/// Why there are no changes of inputs. Nothing has been written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputError {
    /// A side has not one king before the changes and after them, or the numbers are too narrow for the set.
    Features(FeatureError),
    /// A square is named twice.
    Changes(ChangeError),
    /// A buffer has not enough inputs.
    Buffer {
        /// The perspective.
        colour: Colour,
        /// How many inputs are added and removed.
        needed: [usize; 2],
    },
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Features(error) => error.fmt(f),
            Self::Changes(error) => error.fmt(f),
            Self::Buffer { colour, needed: [added, removed] } => write!(
                f,
                "{colour:?} needs buffers for {added} inputs that are added and {removed} removed"
            ),
        }
    }
}

impl core::error::Error for InputError {}

/// The input of a record, and whether there is one.
#[inline(always)]
fn input_of(tables: &Tables, flip: u8, swap: u8, change: ThreatChange) -> (u32, bool) {
    input_of_bits(tables, flip, swap, change.bits())
}

impl Perspective<'_> {
    /// The inputs of records, as [`position::threat_changes`](crate::position::threat_changes) wrote them: those
    /// that are added, and those that are removed, to the fronts of two buffers. Gives the two numbers.
    ///
    /// These are inputs of the set's block of threats. Those of its other blocks follow from the squares that change;
    /// [`position::input_changes`](crate::position::input_changes) gives all of them.
    ///
    /// An engine that keeps the records of its moves calls this when it needs the perspective's accumulator. The
    /// perspective must be the same view before and after the moves
    /// ([`is_same_view`](Self::is_same_view)).
    ///
    /// # Errors
    /// If the numbers are too narrow for the set or a buffer is too small; buffers as long as the records suffice.
    /// Nothing is written then. What stands behind the inputs in the buffers is unspecified. They may be of
    /// [`MaybeUninit`](core::mem::MaybeUninit) numbers.
    ///
    /// ```
    /// use setwise_nnue::{FeatureSet, SquareChange, ThreatChange, buffer_len};
    /// use setwise::{Colour, Pieces, Role};
    /// use setwise_nnue::position;
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
    ) -> Result<[usize; 2], InputError> {
        let (set, view, colour) = self.parts();
        let lens = [added.len(), removed.len()];
        fits_in::<N::Place>(set, view, colour, records, &Squares::NONE, lens)?;
        // SAFETY: only inputs are written.
        let places = [added, removed].map(|side| unsafe { N::places(side) });
        Ok(write_threats(set, view, colour, records, places))
    }
}

/// Writes the inputs of records to the fronts of buffers that are long enough, and says how many there are.
#[inline(always)]
fn write_threats<N: Place>(
    set: &FeatureSet,
    view: &View,
    colour: Colour,
    records: &[ThreatChange],
    [added, removed]: [&mut [N]; 2],
) -> [usize; 2] {
    let Some((block, tables)) = set.threats() else { return [0; 2] };
    let flip = view.flips[block];
    // Two numbers and no array, which would be in memory, where one record waited for the other.
    let (mut new, mut gone) = (0, 0);
    for &record in records {
        let (input, exists) = input_of(tables, flip, 8 * colour as u8, record);
        let is_added = record.is_added();
        // Written to both buffers where there is space; the count of one buffer keeps it, if it is an input.
        if let Some(place) = added.get_mut(new) {
            *place = N::of(input);
        }
        if let Some(place) = removed.get_mut(gone) {
            *place = N::of(input);
        }
        new += usize::from(exists & is_added);
        gone += usize::from(exists & !is_added);
    }
    [new, gone]
}

/// The squares that change, with what pawn pairs and pieces on squares are made of.
pub(crate) struct Squares<'a> {
    changes: &'a [SquareChange],
    codes: &'a [u8; 64],
    /// The pawns of white and black, before and after.
    pawns: [[u64; 2]; 2],
    /// The squares of pawns that go, and of those that come.
    changed: [u64; 2],
}

impl<'a> Squares<'a> {
    /// No square changes.
    const NONE: Squares<'static> =
        Squares { changes: &[], codes: &[0; 64], pawns: [[0; 2]; 2], changed: [0; 2] };

    /// Of squares that are each named once; `pawns` are those before.
    #[inline(always)]
    pub(crate) fn new(changes: &'a [SquareChange], codes: &'a [u8; 64], pawns: [u64; 2]) -> Self {
        let mut squares = Self { changes, codes, pawns: [pawns; 2], changed: [0; 2] };
        for change in changes {
            let here = 1 << change.square();
            let old = codes[usize::from(change.square() & 63)];
            if old == change.code() {
                continue;
            }
            for colour in Colour::ALL {
                let pawn = piece_code(colour, Role::Pawn);
                if old == pawn {
                    squares.changed[0] |= here;
                    squares.pawns[1][colour as usize] &= !here;
                }
                if change.code() == pawn {
                    squares.changed[1] |= here;
                    squares.pawns[1][colour as usize] |= here;
                }
            }
        }
        squares
    }

    /// Calls with each input of pawn pairs and pieces on squares that is added (true) or removed.
    #[inline(always)]
    fn each(&self, set: &FeatureSet, view: &View, side: usize, mut call: impl FnMut(bool, u32)) {
        for (i, block) in set.used().iter().enumerate() {
            let (flip, first) = (view.flips[i], view.firsts[i]);
            match block {
                Block::PawnPairs(pairs) => {
                    for (changed, (pawns, is_added)) in
                        self.changed.iter().zip(self.pawns.iter().zip([false, true]))
                    {
                        let call = |input| call(is_added, first + input);
                        pairs.each_of(*changed, *pawns, flip, side, call);
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

/// Whether the inputs of records and squares fit into buffers of two lengths.
#[inline(always)]
fn fits_in<N: Place>(
    set: &FeatureSet,
    view: &View,
    colour: Colour,
    records: &[ThreatChange],
    squares: &Squares<'_>,
    lens: [usize; 2],
) -> Result<(), InputError> {
    if set.inputs() > N::INPUTS {
        return Err(InputError::Features(FeatureError::Numbers { inputs: set.inputs() }));
    }
    if lens[0].min(lens[1]) < records.len() + set.max_of_changes(squares.changes.len()) {
        let mut needed = [0; 2];
        if let Some((block, tables)) = set.threats() {
            for &record in records {
                let (_, exists) = input_of(tables, view.flips[block], 8 * colour as u8, record);
                needed[usize::from(!record.is_added())] += usize::from(exists);
            }
        }
        squares.each(set, view, colour as usize, |is_added, _| needed[usize::from(!is_added)] += 1);
        if needed[0] > lens[0] || needed[1] > lens[1] {
            return Err(InputError::Buffer { colour, needed });
        }
    }
    Ok(())
}

/// How a side sees the board before some squares change and after: where its one king stands.
#[inline(always)]
fn views<'a>(
    set: &'a FeatureSet,
    kings: u64,
    changes: &[SquareChange],
    colour: Colour,
) -> Result<[Perspective<'a>; 2], InputError> {
    let code = piece_code(colour, Role::King);
    let mut after = kings;
    for change in changes {
        after &= !(1 << change.square());
        after |= u64::from(change.code() == code) << change.square();
    }
    let view = |kings: u64| match kings.count_ones() {
        1 => Ok(set.seen_from(colour, kings.trailing_zeros() as u8)),
        kings => Err(InputError::Features(FeatureError::Kings { row: 0, colour, kings })),
    };
    Ok([view(kings)?, view(after)?])
}

/// The records as inputs of both perspectives; `kings` are the squares of white's and of black's.
#[inline(always)]
pub(crate) fn write_changes<N: Place>(
    set: &FeatureSet,
    kings: [u64; 2],
    squares: &Squares<'_>,
    records: &[ThreatChange],
    buffers: ByColour<InputBuffers<'_, N>>,
) -> Result<ByColour<InputChanges>, InputError> {
    let view = |colour| views(set, kings[colour as usize], squares.changes, colour);
    let views = [view(Colour::White)?, view(Colour::Black)?];
    let mut sides = [buffers.white, buffers.black];
    // Nothing is written until it is known that both fit.
    for ([before, after], InputBuffers { added, removed }) in views.iter().zip(&sides) {
        if before.is_same_view(after) {
            let (set, view, colour) = after.parts();
            fits_in::<N>(set, view, colour, records, squares, [added.len(), removed.len()])?;
        }
    }
    let mut both = ByColour::<InputChanges>::default();
    for ([before, after], InputBuffers { added, removed }) in views.iter().zip(&mut sides) {
        let (set, view, colour) = after.parts();
        if !before.is_same_view(after) {
            both[colour].is_anew = true;
            continue;
        }
        let mut counts = write_threats(set, view, colour, records, [&mut *added, &mut *removed]);
        squares.each(set, view, colour as usize, |is_added, input| {
            let (buffer, count) = if is_added {
                (&mut *added, &mut counts[0])
            } else {
                (&mut *removed, &mut counts[1])
            };
            buffer[*count] = N::of(input);
            *count += 1;
        });
        let [added, removed] = counts;
        both[colour] = InputChanges { added, removed, is_anew: false };
    }
    Ok(both)
}
