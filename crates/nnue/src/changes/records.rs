//! The input and output of calls that compute changes: squares and records.

use core::fmt;
use core::hint::select_unpredictable;

use crate::pairs::{MAX_THREATS, Threat};
use setwise::legal::{Move, MoveKind, State};
use setwise::{Colour, Pieces, Role, piece_code, position};

/// A square and its new contents.
///
/// A move changes two squares: the origin becomes empty, and the destination holds the piece. A capture also changes
/// two squares: the destination holds the capturing piece instead of the victim. A promotion puts another role on the
/// destination. En passant changes three squares. Castling changes four, or in Chess960 two or three, because king or
/// rook may stay or move to the other's square. Each square occurs once, with its final contents.
///
/// ```
/// use setwise_nnue::SquareChange;
/// use setwise::{Colour, Role};
/// let (e7, e8) = (52, 60);
/// let promotion = [SquareChange::remove(e7), SquareChange::put(e8, Colour::White, Role::Queen)];
/// assert_eq!(promotion.map(|change| (change.square(), change.code())), [(52, 0), (60, 5)]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct SquareChange {
    pub(super) square: u8,
    pub(super) code: u8,
}

impl SquareChange {
    /// Creates a change from a square, 0 to 63, and the [code](setwise::piece_code) of its new contents, 0 for an empty
    /// square.
    ///
    /// # Panics
    /// If the square is above 63 or the code above 15.
    #[inline]
    #[must_use]
    #[track_caller]
    pub const fn new(square: u8, code: u8) -> Self {
        assert!(square < 64, "a square is 0 to 63");
        assert!(code < 16, "a code is 0 to 15");
        Self { square, code }
    }

    /// Empties a square.
    ///
    /// # Panics
    /// If the square is above 63.
    #[inline]
    #[must_use]
    #[track_caller]
    pub const fn remove(square: u8) -> Self {
        Self::new(square, 0)
    }

    /// Puts a piece on a square, in place of its previous contents.
    ///
    /// # Panics
    /// If the square is above 63.
    #[inline]
    #[must_use]
    #[track_caller]
    pub const fn put(square: u8, colour: Colour, role: Role) -> Self {
        Self::new(square, piece_code(colour, role))
    }

    /// Returns the squares that a legal move changes, each once, in ascending order: an array of four, and the number
    /// of elements used.
    ///
    /// This takes about 8 ns. If an engine has the piece's code at hand, [`remove`](Self::remove) and [`new`](Self::new)
    /// take 1 to 2 ns for a move that is neither castling nor en passant.
    ///
    /// ```
    /// use setwise::{Colour, Fen, Role, legal::{Move, MoveKind}};
    /// use setwise_nnue::SquareChange;
    /// let fen = Fen::parse("4k3/8/8/8/8/8/8/5KR1 w G - 0 1")?;
    /// let castles = Move::new(5, 6, MoveKind::Castling); // the king and the rook change places
    /// let (changes, count) = SquareChange::of_move(&fen.pieces, (&fen).into(), castles);
    /// let expected = [(5, Role::Rook), (6, Role::King)];
    /// assert_eq!(changes[..count], expected.map(|(square, role)| SquareChange::put(square, Colour::White, role)));
    /// # Ok::<(), setwise::fen::FenError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn of_move(pieces: &Pieces, state: State, played: Move) -> ([Self; 4], usize) {
        let code = |piece: Option<_>| piece.map_or(0, |(colour, role)| piece_code(colour, role));
        let arrived = match played.kind() {
            MoveKind::Normal => code(pieces.at(played.from())),
            MoveKind::Promotion(role) => piece_code(state.turn(), role),
            MoveKind::EnPassant | MoveKind::Castling => {
                let (after, _) = position::play(pieces, state, played);
                let (mut changes, mut count) = ([Self::default(); 4], 0);
                let squares = position::changed_squares(pieces, &after);
                for ((square, piece), change) in squares.zip(&mut changes) {
                    *change = Self { square, code: code(piece) };
                    count += 1;
                }
                return (changes, count);
            }
        };
        let from = Self { square: played.from(), code: 0 };
        let to = Self { square: played.to(), code: arrived };
        let [first, second] = select_unpredictable(from.square < to.square, [from, to], [to, from]);
        ([first, second, Self::default(), Self::default()], 2)
    }

    /// The square.
    #[inline]
    #[must_use]
    pub const fn square(self) -> u8 {
        self.square
    }

    /// The code of the new contents.
    #[inline]
    #[must_use]
    pub const fn code(self) -> u8 {
        self.code
    }
}

/// A pair that is added or removed, with its pieces, in 32 bits.
///
/// | bits | |
/// |---|---|
/// | 0 to 7 | `from`, the attacker's square, 0 (a1) to 63 (h8) |
/// | 8 to 15 | `to`, the victim's square |
/// | 16 to 23 | the attacker's [code](setwise::piece_code) |
/// | 24 to 27 | the victim's code |
/// | 31 | 1 if the pair is added, 0 if it is removed |
///
/// ```
/// use setwise_nnue::{SquareChange, ThreatChange, PairFilter, buffer_len, position};
/// use setwise::{Colour, Pieces, Role};
/// // A knight moves from b1 to c3.
/// let moved = [SquareChange::remove(1), SquareChange::put(18, Colour::White, Role::Knight)];
/// let mut buffer = [ThreatChange::default(); buffer_len(2)];
/// let codes = Pieces::START.codes();
/// let count = position::threat_changes(&codes, &moved, &PairFilter::ALL, &mut buffer)?;
/// let named: Vec<String> = buffer[..count].iter().map(|change| change.to_string()).collect();
/// assert_eq!(named, ["-b1-d2", "-a1-b1", "+a1-c1", "+c3-d1", "+c3-a2", "+c3-e2", "+b2-c3", "+d2-c3"]);
/// assert_eq!(buffer[0].attacker(), Some((Colour::White, Role::Knight)));
/// # Ok::<(), setwise_nnue::ChangeError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct ThreatChange(u32);

/// Marks an added pair.
pub(super) const ADDED: u32 = 1 << 31;

impl ThreatChange {
    /// Creates a record of attacker and victim, `(square, code)` each.
    #[inline(always)]
    pub(super) fn of(attacker: (u8, u8), victim: (u8, u8), added: bool) -> Self {
        let squares = u32::from(attacker.0) | u32::from(victim.0) << 8;
        let codes = u32::from(attacker.1) << 16 | u32::from(victim.1 & 15) << 24;
        Self(squares | codes | u32::from(added) << 31)
    }

    /// Creates a record from its bits. Unused bits are ignored.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & (ADDED | 0x0f0f_3f3f))
    }

    /// The bits of the record.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The pair.
    #[inline]
    #[must_use]
    pub const fn threat(self) -> Threat {
        Threat::of(self.0 as u8 & 63, (self.0 >> 8) as u8 & 63)
    }

    /// Returns whether the pair is added; otherwise it is removed.
    #[inline]
    #[must_use]
    pub const fn is_added(self) -> bool {
        self.0 & ADDED != 0
    }

    /// The attacker's [code](setwise::piece_code).
    #[inline]
    #[must_use]
    pub const fn attacker_code(self) -> u8 {
        (self.0 >> 16) as u8 & 15
    }

    /// The victim's code.
    #[inline]
    #[must_use]
    pub const fn victim_code(self) -> u8 {
        (self.0 >> 24) as u8 & 15
    }

    /// The attacker.
    #[inline]
    #[must_use]
    pub fn attacker(self) -> Option<(Colour, Role)> {
        piece(self.attacker_code())
    }

    /// The victim; `None` if its square has a colour but no role.
    #[inline]
    #[must_use]
    pub fn victim(self) -> Option<(Colour, Role)> {
        piece(self.victim_code())
    }
}

/// Returns the piece with this code.
fn piece(code: u8) -> Option<(Colour, Role)> {
    let role = Role::ALL.get(usize::from(code & 7).wrapping_sub(1))?;
    Some((Colour::ALL[usize::from(code >> 3 & 1)], *role))
}

/// Formats the record as `+e2-e4` or `-e2-e4`.
impl fmt::Display for ThreatChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_added() { '+' } else { '-' };
        write!(f, "{sign}{}", self.threat())
    }
}

impl fmt::Debug for ThreatChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} ({} on {})", self.attacker_code(), self.victim_code())
    }
}

/// An error in the computation of changes. Nothing has been written to the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChangeError {
    /// The buffer is too small.
    Buffer {
        /// Its length in records.
        len: u16,
        /// The number of records needed.
        needed: u16,
    },
    /// This square occurs twice.
    Twice(u8),
}

impl fmt::Display for ChangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Buffer { len, needed } => {
                write!(f, "the buffer has {len} records, but {needed} are needed")
            }
            Self::Twice(square) => write!(f, "square {square} changes twice"),
        }
    }
}

impl core::error::Error for ChangeError {}

/// The length of a buffer that suffices for a number of changed squares on any board: 104 for a move, 200 for the four
/// squares of castling, 848 for any number of squares.
///
/// A removed piece has at most 24 pairs, as does an added piece; the last vector store may exceed the records by eight.
/// A smaller buffer is allowed if the records fit, but the call takes longer.
#[must_use]
pub const fn buffer_len(squares: usize) -> usize {
    const EACH: usize = 48;
    8 + if squares <= 2 * MAX_THREATS / EACH { EACH * squares } else { 2 * MAX_THREATS }
}
