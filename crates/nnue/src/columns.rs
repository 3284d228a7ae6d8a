//! The catalogue of all columns: the columns of [`setwise`], attackers of each square, threats, and network inputs.

use alloc::vec::Vec;

use setwise::columns::{Description, Needs, Shape, ValueType};
use setwise::{Buffer, Colour, Kernel, Positions};

use crate::attackers::CountAttackers;
use crate::bulk::{self, KernelExt, Side, ThreatLists};
use crate::features::FeatureSet;
use crate::pairs::Threat;

/// A column that [`fill`] can fill.
///
/// ```
/// use setwise_nnue::Column;
/// assert_eq!("threats".parse(), Ok(Column::Threats));
/// assert_eq!(Column::ALL.iter().find(|column| column.needs_feature_set()).map(|column| column.name()), Some("white_features"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Column {
    /// A column of [`setwise`].
    Board(setwise::Column),
    /// `white_attackers`, `black_attackers`: the number of attackers of each square.
    Attackers(Colour),
    /// `white_battery_attackers`, `black_battery_attackers`: the same, counting sliders behind others, too.
    BatteryAttackers(Colour),
    /// `threats`: the pairs of attacker and victim.
    Threats,
    /// `white_features`, `black_features`: a network's inputs.
    Features(Colour),
}

/// The columns of this crate, in the order of [`Column::ALL`].
#[rustfmt::skip]
const OWN: &[(Column, Description)] = {
    const fn squares(name: &'static str, meaning: &'static str) -> Description {
        Description::new(name, meaning, ValueType::U8, Shape::Array(64))
    }
    const fn inputs(name: &'static str, meaning: &'static str) -> Description {
        Description { nullable: true, ..Description::new(name, meaning, ValueType::U32, Shape::List) }
    }
    &[
        (Column::Attackers(Colour::White), squares("white_attackers",
            "number of white pieces that attack each square, from a1 to h8")),
        (Column::Attackers(Colour::Black), squares("black_attackers",
            "number of black pieces that attack each square, from a1 to h8")),
        (Column::BatteryAttackers(Colour::White), squares("white_battery_attackers",
            "the same for white, where sliders also attack through white sliders on the same line")),
        (Column::BatteryAttackers(Colour::Black), squares("black_battery_attackers",
            "the same for black, where sliders also attack through black sliders on the same line")),
        (Column::Threats, Description::new("threats",
            "which piece attacks which: from + 256 * to for each attacked or defended piece", ValueType::U16, Shape::List)),
        (Column::Features(Colour::White), inputs("white_features",
            "a network's inputs from white's perspective; null unless each side has one king")),
        (Column::Features(Colour::Black), inputs("black_features",
            "a network's inputs from black's perspective; null unless each side has one king")),
    ]
};

impl Column {
    /// All columns: the columns of [`setwise`], then attackers, threats and inputs.
    pub const ALL: &'static [Self] = &{
        const BOARDS: usize = setwise::Column::ALL.len();
        let mut all = [Self::Threats; BOARDS + OWN.len()];
        let mut i = 0;
        while i < all.len() {
            all[i] =
                if i < BOARDS { Self::Board(setwise::Column::ALL[i]) } else { OWN[i - BOARDS].0 };
            i += 1;
        }
        all
    };

    const fn description(self) -> &'static Description {
        let own = match self {
            Self::Board(column) => return column.description(),
            Self::Attackers(colour) => colour as usize,
            Self::BatteryAttackers(colour) => 2 + colour as usize,
            Self::Threats => 4,
            Self::Features(colour) => 5 + colour as usize,
        };
        &OWN[own].1
    }

    /// The data that the column needs for each position.
    #[must_use]
    pub const fn needs(self) -> Needs {
        self.description().needs
    }

    /// Returns whether the column needs a feature set ([`Request::feature_set`]).
    #[must_use]
    pub const fn needs_feature_set(self) -> bool {
        matches!(self, Self::Features(_))
    }

    /// Requests this column and sets the buffer for its values, as [`setwise::Column::to`] does.
    #[must_use]
    pub fn to<'a>(self, buffer: impl Into<Buffer<'a>>) -> Request<'a> {
        Request { column: self, buffer: buffer.into(), feature_set: None, validity: None }
    }
}

impl From<setwise::Column> for Column {
    fn from(column: setwise::Column) -> Self {
        Self::Board(column)
    }
}

setwise::described!(Column, const Self::ALL);

/// A column to fill and its buffer: created by [`Column::to`] and passed to [`fill`].
#[derive(Debug)]
pub struct Request<'a> {
    column: Column,
    buffer: Buffer<'a>,
    feature_set: Option<&'a FeatureSet>,
    validity: Option<&'a mut [bool]>,
}

impl<'a> Request<'a> {
    /// The column.
    #[must_use]
    pub fn column(&self) -> Column {
        self.column
    }

    /// Sets the feature set, which some columns [need](Column::needs_feature_set). Other columns ignore it.
    #[must_use]
    pub fn feature_set(mut self, set: &'a FeatureSet) -> Self {
        self.feature_set = Some(set);
        self
    }

    /// Sets a buffer for the validity of each position: true if the position has a value. Otherwise the column contains
    /// zeros or an empty list.
    #[must_use]
    pub fn validity(mut self, rows: &'a mut [bool]) -> Self {
        self.validity = Some(rows);
        self
    }
}

/// Fills the requested columns for every position. [`Kernel::fill`] fills the columns of [`setwise`]. The inputs of
/// both sides are computed together if they use the same feature set.
///
/// # Panics
/// Like [`Kernel::fill`] (attackers, threats and inputs also accept batches of another backend), and if a column [needs a
/// feature set](Column::needs_feature_set) but the request does not set one. The message names the column.
///
/// ```
/// use setwise::{Kernel, ColumnKind, Lists, Pieces};
/// use setwise_nnue::{Column, FeatureSet, columns};
/// let (mut attacked, mut threats) = ([0_u64; 2], Lists::<u16>::new());
/// let (mut inputs, mut valid) = (Lists::<u32>::new(), [false; 2]);
/// let white_all = Column::from(setwise::Column::white(ColumnKind::All));
/// let features = "white_features".parse::<Column>()?;
/// columns::fill(
///     Kernel::detect(),
///     &[Pieces::START, Pieces::EMPTY],
///     &mut [
///         white_all.to(&mut attacked),
///         Column::Threats.to(&mut threats),
///         features.to(&mut inputs).feature_set(&FeatureSet::HALFKA_HM).validity(&mut valid),
///     ],
/// );
/// assert_eq!(threats.get(0).map(<[u16]>::len), Some(40));
/// assert_eq!(valid, [true, false]); // no value without kings
/// # Ok::<(), setwise::UnknownName>(())
/// ```
#[track_caller]
pub fn fill<'a>(kernel: Kernel, positions: impl Into<Positions<'a>>, requests: &mut [Request<'_>]) {
    fill_requests(kernel, positions.into(), requests);
}

/// The non-generic part of [`fill`], whose kernels are compiled once, in this crate.
#[track_caller]
fn fill_requests(kernel: Kernel, positions: Positions<'_>, requests: &mut [Request<'_>]) {
    for (i, Request { column, buffer, feature_set, validity }) in requests.iter().enumerate() {
        if !matches!(column, Column::Board(_)) {
            buffer.check(column.description(), positions.len(), validity.as_deref());
            assert!(
                !column.needs_feature_set() || feature_set.is_some(),
                "column `{column}` needs a feature set: `Request::feature_set`"
            );
            let again = requests[..i].iter().any(|other| other.column == *column);
            assert!(!again, "column `{column}` is requested twice");
        }
    }
    // The library checks its columns before it writes any.
    let mut boards = Vec::with_capacity(requests.len());
    for Request { column, buffer, validity, .. } in requests.iter_mut() {
        if let Column::Board(column) = column {
            let request = column.to(buffer.reborrow());
            boards.push(match validity {
                Some(validity) => request.validity(validity),
                None => request,
            });
        }
    }
    if !boards.is_empty() {
        kernel.fill(positions, &mut boards);
    }
    let mut inputs = [None, None];
    for Request { column, buffer, feature_set, validity } in requests {
        let mut validity = validity.as_deref_mut();
        if let (false, Some(validity)) = (column.is_nullable(), &mut validity) {
            validity.fill(true);
        }
        match (*column, buffer) {
            (Column::Board(_), _) => {}
            (Column::Attackers(colour) | Column::BatteryAttackers(colour), Buffer::U8(numbers)) => {
                let batteries = matches!(column, Column::BatteryAttackers(_));
                let numbers = numbers.as_chunks_mut().0;
                kernel.run(CountAttackers { positions, colour, batteries, numbers });
            }
            (Column::Threats, Buffer::ListU16(lists)) => {
                // Converts the items between `u16` and `Threat` in place.
                let mut threats: ThreatLists = core::mem::take(*lists).map(|bits| {
                    let [from, to] = bits.to_le_bytes();
                    Threat::of(from, to)
                });
                kernel.threats(positions, &mut threats);
                **lists = threats.map(Threat::bits);
            }
            (Column::Features(colour), Buffer::ListU32(lists)) => {
                let set = feature_set.expect("it was checked");
                inputs[colour as usize] = Some(Side { set, lists, validity });
            }
            _ => unreachable!("the type was checked"),
        }
    }
    bulk::fill(kernel, positions, inputs);
}
