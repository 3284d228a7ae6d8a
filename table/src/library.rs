//! Stand-in for the library's catalogue of columns of all shapes, until it is there.
#![allow(missing_docs)]

use std::fmt;
use std::str::FromStr;

use setwise::threats::{FeatureError, FeatureSet};
use setwise::{Colour, FeatureLists, Kernel, Positions, ThreatLists};

#[derive(Clone, Debug, Default)]
pub struct Lists<T> {
    offsets: Vec<usize>,
    items: Vec<T>,
}

impl<T> Lists<T> {
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    pub fn items(&self) -> &[T] {
        &self.items
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LibraryColumn {
    Of(setwise::Column),
    Threats,
    Features(Colour),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
    U8,
    U16,
    U32,
    U64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Value,
    List,
    Array(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    Pieces,
    Turn,
    State,
}

impl LibraryColumn {
    pub fn all() -> Vec<Self> {
        let of = setwise::Column::ALL.iter().copied().map(Self::Of);
        of.chain([Self::Threats]).chain(Colour::ALL.map(Self::Features)).collect()
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Of(column) => column.name(),
            Self::Threats => "threats",
            Self::Features(Colour::White) => "white_features",
            Self::Features(Colour::Black) => "black_features",
        }
    }

    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Of(column) => column.meaning(),
            Self::Threats => {
                "who attacks whom: from + 256 * to for each attacked or defended piece"
            }
            Self::Features(Colour::White) => {
                "a network's threat inputs as White sees them; null unless each side has one king"
            }
            Self::Features(Colour::Black) => {
                "a network's threat inputs as Black sees them; null unless each side has one king"
            }
        }
    }

    pub const fn value_type(self) -> ValueType {
        match self {
            Self::Of(column) => match column.value_type() {
                setwise::ValueType::U64 => ValueType::U64,
                _ => ValueType::U16,
            },
            Self::Threats => ValueType::U16,
            Self::Features(_) => ValueType::U32,
        }
    }

    pub const fn shape(self) -> Shape {
        match self {
            Self::Of(_) => Shape::Value,
            Self::Threats | Self::Features(_) => Shape::List,
        }
    }

    pub const fn needs(self) -> Needs {
        match self {
            Self::Of(column) if column.colour().is_none() => Needs::Turn,
            _ => Needs::Pieces,
        }
    }

    pub const fn is_nullable(self) -> bool {
        matches!(self, Self::Features(_))
    }

    pub const fn needs_feature_set(self) -> bool {
        matches!(self, Self::Features(_))
    }

    pub const fn has_few_values(self) -> bool {
        match self {
            Self::Of(column) => column.has_few_values(),
            _ => false,
        }
    }

    pub fn to<'a>(self, buffer: impl Into<Buffer<'a>>) -> Request<'a> {
        Request { column: self, buffer: buffer.into(), set: None, validity: None }
    }
}

pub struct Request<'a> {
    column: LibraryColumn,
    buffer: Buffer<'a>,
    set: Option<&'a FeatureSet>,
    validity: Option<&'a mut [bool]>,
}

impl<'a> Request<'a> {
    pub fn feature_set(mut self, set: &'a FeatureSet) -> Self {
        self.set = Some(set);
        self
    }

    pub fn validity(mut self, rows: &'a mut [bool]) -> Self {
        self.validity = Some(rows);
        self
    }
}

pub enum Buffer<'a> {
    U8(&'a mut [u8]),
    U16(&'a mut [u16]),
    U32(&'a mut [u32]),
    U64(&'a mut [u64]),
    ListU16(&'a mut Lists<u16>),
    ListU32(&'a mut Lists<u32>),
}

macro_rules! buffer {
    ($($of:ident $type:ty,)*) => {
        $(impl<'a> From<&'a mut $type> for Buffer<'a> {
            fn from(of: &'a mut $type) -> Self { Self::$of(of) }
        })*
    };
}
buffer!(U8 [u8], U16 [u16], U32 [u32], U64 [u64], ListU16 Lists<u16>, ListU32 Lists<u32>,);

fn rows<'a>(positions: &Rows<'a>, from: usize) -> Positions<'a> {
    match positions {
        Rows::Rows(pieces) => pieces[from..].into(),
        Rows::Columns(columns) => {
            setwise::Pieces::from_sets(columns.sets().map(|set| &set[from..])).into()
        }
    }
}

pub enum Rows<'a> {
    Rows(&'a [setwise::Pieces]),
    Columns(setwise::Pieces<&'a [u64]>),
}

pub fn fill(
    kernel: Kernel,
    boards: Rows<'_>,
    turns: Option<&[Colour]>,
    requests: &mut [Request<'_>],
) {
    let mut others = Vec::new();
    let count = match &boards {
        Rows::Rows(pieces) => pieces.len(),
        Rows::Columns(columns) => columns.white.len(),
    };
    for request in requests {
        match (request.column, &mut request.buffer) {
            (LibraryColumn::Of(column), Buffer::U64(values)) => {
                others.push((column, (&mut **values).into()))
            }
            (LibraryColumn::Of(column), Buffer::U16(values)) => {
                others.push((column, (&mut **values).into()))
            }
            (LibraryColumn::Threats, Buffer::ListU16(lists)) => {
                let mut of = ThreatLists::new();
                kernel.threats(rows(&boards, 0), &mut of);
                **lists = lists_of(of.offsets(), of.items().iter().map(|threat| threat.bits()));
            }
            (LibraryColumn::Features(side), Buffer::ListU32(lists)) => {
                let set = request.set.expect("a set");
                let mut of = FeatureLists::<u32>::default();
                let (mut offsets, mut items, mut row) = (vec![0], Vec::new(), 0);
                let validity = request.validity.as_mut().expect("validity");
                while row < count {
                    let stopped = match kernel.features(set, rows(&boards, row), &mut of) {
                        Ok(()) => None,
                        Err(FeatureError::Kings { row, .. }) => Some(row),
                        Err(error) => panic!("{error}"),
                    };
                    let good = stopped.unwrap_or(count - row);
                    let before = items.len();
                    offsets.extend(of[side].offsets()[1..].iter().map(|end| before + end));
                    items.extend_from_slice(of[side].items());
                    validity[row..row + good].fill(true);
                    row += good;
                    if stopped.is_some() {
                        validity[row] = false;
                        offsets.push(items.len());
                        row += 1;
                    }
                }
                **lists = lists_of(&offsets, items.into_iter());
            }
            _ => panic!("another type"),
        }
    }
    if !others.is_empty() {
        let mut positions = rows(&boards, 0);
        if let Some(turns) = turns {
            positions = positions.with_turns(turns);
        }
        kernel.fill(positions, &mut others);
    }
}

fn lists_of<T>(offsets: &[usize], items: impl Iterator<Item = T>) -> Lists<T> {
    Lists { offsets: offsets.to_vec(), items: items.collect() }
}

/// Names for several columns.
pub struct Preset {
    pub name: &'static str,
    pub patterns: &'static [&'static str],
    pub meaning: &'static str,
}

pub trait Catalogue: Copy + Eq + 'static {
    fn all() -> &'static [Self];
    fn name(self) -> &'static str;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectionError(String);

impl fmt::Display for SelectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SelectionError {}

pub fn select<C: Catalogue>(
    names: impl IntoIterator<Item = impl AsRef<str>>,
) -> Result<Vec<C>, SelectionError> {
    let mut columns = Vec::new();
    for name in names {
        let name = name.as_ref();
        match C::all().iter().find(|column| column.name() == name) {
            Some(column) => columns.push(*column),
            None => return Err(SelectionError(format!("no column is called `{name}`"))),
        }
    }
    Ok(columns)
}

impl FromStr for LibraryColumn {
    type Err = SelectionError;
    fn from_str(name: &str) -> Result<Self, SelectionError> {
        Self::all()
            .into_iter()
            .find(|column| column.name() == name)
            .ok_or(SelectionError(name.into()))
    }
}
