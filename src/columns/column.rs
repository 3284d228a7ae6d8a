//! A column: an entry of the catalogue.

use super::catalogue::{ATTACKS, COLUMNS, ColumnKind, ENTRIES, Entry};
use super::types::{Description, Needs};
use crate::pieces::Colour;

/// A column that [`Kernel::fill`](crate::Kernel::fill) can fill.
///
/// Columns are ordered as in [`ALL`](Self::ALL).
///
/// ```
/// use setwise::{Column, ColumnKind, Role, ValueType};
/// let column = Column::white(ColumnKind::Twice);
/// assert_eq!(column.name(), "white_twice");
/// assert_eq!(column.meaning(), "squares attacked by at least two white pieces");
/// assert_eq!("black_mobility_queen".parse(), Ok(Column::black(ColumnKind::Mobility(Role::Queen))));
/// for column in Column::ALL {
///     println!("{:<28} {}  {}", column.name(), column.value_type(), column.meaning());
/// }
/// let error = "white_rok".parse::<Column>().unwrap_err();
/// assert_eq!(error.to_string(), "no column is called `white_rok`; did you mean `white_rook`?");
/// assert_eq!(error.nearest(), Some("white_rook"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Column {
    /// Its index in the catalogue.
    place: u8,
}

impl Column {
    /// Every column, in the order in which programs show them: white's bitboards, then black's; those of the side to
    /// move; white's numbers, then black's; lists.
    pub const ALL: &'static [Self] = &{
        let mut all = [Self { place: 0 }; COLUMNS];
        let mut place = 0;
        while place < COLUMNS {
            all[place] = Self { place: place as u8 };
            place += 1;
        }
        all
    };

    /// The sixteen attack maps, white's before black's: squares attacked by pawns, knights, bishops, rooks, queens and
    /// kings, by any piece, and by at least two pieces.
    pub const DEFAULT: &'static [Self] = &{
        let mut maps = [Self { place: 0 }; 2 * ATTACKS];
        let mut i = 0;
        while i < maps.len() {
            let first = Self::of(Colour::ALL[i / ATTACKS], ColumnKind::Pawn);
            maps[i] = Self { place: first.place + (i % ATTACKS) as u8 };
            i += 1;
        }
        maps
    };

    /// White's column of a kind; panics like [`of`](Self::of).
    #[must_use]
    #[track_caller]
    pub const fn white(kind: ColumnKind) -> Self {
        Self::of(Colour::White, kind)
    }

    /// Black's column of a kind; panics like [`of`](Self::of).
    #[must_use]
    #[track_caller]
    pub const fn black(kind: ColumnKind) -> Self {
        Self::of(Colour::Black, kind)
    }

    /// A side's column of a kind.
    ///
    /// # Panics
    /// If columns of this kind have no side, such as [`ColumnKind::LegalMoves`].
    #[must_use]
    #[track_caller]
    pub const fn of(colour: Colour, kind: ColumnKind) -> Self {
        Self::find(Some(colour), kind)
    }

    #[track_caller]
    const fn find(colour: Option<Colour>, kind: ColumnKind) -> Self {
        let mut place = 0;
        while place < COLUMNS {
            let entry = &ENTRIES[place];
            let same_side = match (entry.colour, colour) {
                (Some(side), Some(colour)) => side as u8 == colour as u8,
                (None, None) => true,
                _ => false,
            };
            if same_side && entry.kind.is(kind) {
                return Self { place: place as u8 };
            }
            place += 1;
        }
        panic!("this kind of column has no side");
    }

    const fn entry(self) -> &'static Entry {
        &ENTRIES[self.place as usize]
    }

    /// The facts that other catalogues repeat.
    #[doc(hidden)]
    #[must_use]
    pub const fn description(self) -> &'static Description {
        &self.entry().description
    }

    /// Its index in [`ALL`](Self::ALL).
    pub(crate) const fn place(self) -> usize {
        self.place as usize
    }

    /// The kind of the column: its meaning without the side.
    #[must_use]
    pub const fn kind(self) -> ColumnKind {
        self.entry().kind
    }

    /// The side that the column describes. `None` if it describes the side to move, or the whole position.
    #[must_use]
    pub const fn colour(self) -> Option<Colour> {
        self.entry().colour
    }

    /// The data that the column needs for each position.
    #[must_use]
    pub const fn needs(self) -> Needs {
        self.description().needs
    }
}

/// Columns without a side.
impl Column {
    /// `checkers`: pieces that give check to the side to move, row by row.
    pub const CHECKERS: Self = Self::find(None, ColumnKind::Checkers);
    /// `pinned`: pieces of the side to move that are pinned to their king, row by row.
    pub const PINNED: Self = Self::find(None, ColumnKind::Pinned);
    /// `legal_moves`: [`ColumnKind::LegalMoves`].
    pub const LEGAL_MOVES: Self = Self::find(None, ColumnKind::LegalMoves);
    /// `legal_targets`: [`ColumnKind::LegalTargets`].
    pub const LEGAL_TARGETS: Self = Self::find(None, ColumnKind::LegalTargets);
    /// `legal_planes`: [`ColumnKind::LegalPlanes`].
    pub const LEGAL_PLANES: Self = Self::find(None, ColumnKind::LegalPlanes);
    /// `legal_count`: [`ColumnKind::LegalCount`].
    pub const LEGAL_COUNT: Self = Self::find(None, ColumnKind::LegalCount);
    /// `status`: [`ColumnKind::Status`].
    pub const STATUS: Self = Self::find(None, ColumnKind::Status);
}

crate::described!(Column, const Self::ALL);
