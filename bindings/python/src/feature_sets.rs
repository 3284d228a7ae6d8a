//! Feature sets: found by name, or built from blocks, which are dictionaries in Python.

use std::hash::{Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use setwise_nnue::{
    BlockInputs, FeatureBlock, Mirror, PawnPairInputs, PieceSquareInputs, SetError, ThreatInputs,
};

use crate::error::{quoted, wrong};
use crate::input::name_of;

/// A set of network inputs: a sequence of blocks.
///
/// ``FeatureSet(name)`` finds a set by its name, or several joined by ``+``. ``FeatureSet(name, blocks)`` builds a set
/// from blocks, each of which is a dictionary with these keys:
///
/// ``kind`` is ``"threats"``, ``"pawn_pairs"`` or ``"piece_square"``. ``mirror`` is ``"never"`` (the default), or
/// ``"king_to_a_d"`` or ``"king_to_e_h"`` to mirror the board so that the side's king is on these files; each side sees
/// the board with its own first rank at the bottom. ``width`` is the number of inputs per padded row (by default 128,
/// 128 and 32 for the three kinds), and ``hash`` the block's hash in network files (by default 0).
///
/// Threats also have ``targets``, ``map`` and ``once``: lists of shape [6], [6, 6] and [6, 2], from pawn to king. The
/// first half of an attacker's targets are pieces of the side whose perspective it is, the second half pieces of its
/// enemy, whatever the colour of the attacker. The two flags of ``once`` are for two pieces of one colour and for two of
/// different colours. Pawn pairs have ``files_apart`` (0 to 7) and ``ranks`` (by default ``(2, 7)``). Piece squares have ``buckets`` (one for
/// each of the 64 squares of the king, by default all 0) and ``planes`` (shape [2, 6]: the side's own pieces, then the
/// enemy's; negative for no inputs; by default 0 to 11). The documentation of the crate ``setwise-nnue`` has the
/// formulas.
///
/// Sets with equal names and blocks are equal. Sets can be pickled.
///
/// >>> import setwise
/// >>> setwise.FeatureSet("nnue-pytorch-2026-07").row_width
/// 288
/// >>> mine = setwise.FeatureSet("768", [{"kind": "piece_square"}])
/// >>> mine.inputs
/// 768
#[pyclass(frozen, eq, hash, from_py_object, module = "setwise")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct FeatureSet {
    set: &'static setwise_nnue::FeatureSet,
}

impl Hash for FeatureSet {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.set.name().hash(state);
    }
}

/// A feature set as an argument: a name or an object.
pub(crate) enum SetArgument {
    Name(String),
    Set(FeatureSet),
}

impl FromPyObject<'_, '_> for SetArgument {
    type Error = PyErr;

    fn extract(found: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if let Ok(name) = found.extract() {
            return Ok(Self::Name(name));
        }
        found.extract().map(Self::Set).map_err(|_| {
            let found = name_of(&found);
            PyTypeError::new_err(format!(
                "a feature set is a name or a `FeatureSet`, found {found}"
            ))
        })
    }
}

impl SetArgument {
    /// Returns the set.
    pub(crate) fn find(&self) -> PyResult<&'static setwise_nnue::FeatureSet> {
        match self {
            Self::Name(name) => name.parse().map_err(wrong::<SetError>),
            Self::Set(set) => Ok(set.set),
        }
    }
}

/// The sets that were built from blocks. They are never freed, because queries keep references to them, so equal sets
/// are stored once.
static MADE: Mutex<Vec<&'static setwise_nnue::FeatureSet>> = Mutex::new(Vec::new());

#[pymethods]
impl FeatureSet {
    #[new]
    #[pyo3(signature = (name, blocks = None))]
    fn new(name: &str, blocks: Option<Vec<Bound<'_, PyDict>>>) -> PyResult<Self> {
        let Some(blocks) = blocks else {
            return Ok(Self { set: SetArgument::Name(name.to_owned()).find()? });
        };
        let blocks = blocks.iter().map(block_of).collect::<PyResult<Vec<_>>>()?;
        let set = setwise_nnue::FeatureSet::new(name, &blocks).map_err(wrong)?;
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = made.iter().find(|found| ***found == set) {
            return Ok(Self { set: found });
        }
        let set = Box::leak(Box::new(set));
        made.push(set);
        Ok(Self { set })
    }

    /// The name of the set.
    #[getter]
    fn name(&self) -> &'static str {
        self.set.name()
    }

    /// The number of inputs.
    #[getter]
    fn inputs(&self) -> u32 {
        self.set.inputs()
    }

    /// The width of padded rows in trainers.
    #[getter]
    fn row_width(&self) -> usize {
        self.set.row_width()
    }

    /// The maximum number of inputs of one side of a position.
    #[getter]
    fn max_inputs(&self) -> usize {
        self.set.max_inputs()
    }

    /// The blocks, as dictionaries from which the same set can be built.
    #[getter]
    fn blocks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let blocks = PyList::empty(py);
        for (index, block) in self.set.blocks().iter().enumerate() {
            let block = dict_of(py, block)?;
            let range = self.set.range(index).unwrap_or_default();
            block.set_item("range", (range.start, range.end))?;
            blocks.append(block)?;
        }
        Ok(blocks)
    }

    fn __repr__(&self) -> String {
        format!("setwise.FeatureSet({:?}, inputs={})", self.set.name(), self.set.inputs())
    }

    /// Supports ``pickle``, to pass sets between processes.
    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<(&'static str, Bound<'py, PyList>)> {
        Ok((self.set.name(), self.blocks(py)?))
    }
}

/// The kinds of blocks, and the keys of each.
const KINDS: [(&str, &[&str]); 3] = [
    ("threats", &["targets", "map", "once"]),
    ("pawn_pairs", &["files_apart", "ranks"]),
    ("piece_square", &["buckets", "planes"]),
];
const MIRRORS: [(&str, Mirror); 3] = [
    ("never", Mirror::Never),
    ("king_to_a_d", Mirror::KingToFilesAToD),
    ("king_to_e_h", Mirror::KingToFilesEToH),
];

/// Returns the entry of a block under a key, or a default for a missing key.
fn entry<'py, T: FromPyObjectOwned<'py>>(
    block: &Bound<'py, PyDict>,
    key: &str,
    default: Option<T>,
) -> PyResult<T> {
    match (block.get_item(key)?, default) {
        (Some(value), _) => value
            .extract()
            .map_err(Into::into)
            .map_err(|error: PyErr| wrong(format!("`{key}` of a block of a feature set: {error}"))),
        (None, Some(default)) => Ok(default),
        (None, None) => Err(wrong(format!("a block of a feature set has no `{key}`"))),
    }
}

fn block_of(block: &Bound<'_, PyDict>) -> PyResult<FeatureBlock> {
    let kind: String = entry(block, "kind", None)?;
    let name: String = entry(block, "mirror", Some("never".to_owned()))?;
    let Some((_, mirror)) = MIRRORS.into_iter().find(|(known, _)| *known == name) else {
        let names = quoted(MIRRORS.map(|(name, _)| name));
        return Err(wrong(format!("no mirror is called `{name}`; there are {names}")));
    };
    let Some((_, known)) = KINDS.into_iter().find(|(known, _)| *known == kind) else {
        let kinds = quoted(KINDS.map(|(kind, _)| kind));
        return Err(wrong(format!("no kind of block is called `{kind}`; there are {kinds}")));
    };
    for key in block.keys() {
        let key: String = key.extract()?;
        if !known.contains(&&*key) && !["kind", "mirror", "hash", "width", "range"].contains(&&*key)
        {
            let known = quoted(known);
            return Err(wrong(format!("a block of `{kind}` has no `{key}`, but {known}")));
        }
    }
    let default = match &*kind {
        "threats" => {
            let (targets, map, once) = (
                entry(block, "targets", None)?,
                entry(block, "map", None)?,
                entry(block, "once", None)?,
            );
            FeatureBlock::threats(ThreatInputs { targets, map, once, mirror })
        }
        "pawn_pairs" => {
            let files_apart = entry(block, "files_apart", None)?;
            let ranks: (u8, u8) = entry(block, "ranks", Some((2, 7)))?;
            let ranks = ranks.into();
            FeatureBlock::pawn_pairs(PawnPairInputs { files_apart, ranks, mirror })
        }
        _ => {
            let buckets: Vec<u8> = entry(block, "buckets", Some(vec![0; 64]))?;
            let buckets = buckets.try_into().map_err(|found: Vec<u8>| {
                wrong(format!("`buckets` has {} squares", found.len()))
            })?;
            let planes = entry(block, "planes", Some(PieceSquareInputs::OWN_THEN_ENEMY))?;
            FeatureBlock::piece_square(PieceSquareInputs { buckets, planes, mirror })
        }
    };
    let (hash, width) =
        (entry(block, "hash", Some(0))?, entry(block, "width", Some(default.width))?);
    Ok(FeatureBlock { hash, width, ..default })
}

fn dict_of<'py>(py: Python<'py>, block: &FeatureBlock) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let mirror = match block.inputs {
        BlockInputs::Threats(ThreatInputs { targets, map, once, mirror }) => {
            dict.set_item("kind", KINDS[0].0)?;
            dict.set_item("targets", targets.map(u32::from))?;
            dict.set_item("map", map)?;
            dict.set_item("once", once)?;
            mirror
        }
        BlockInputs::PawnPairs(PawnPairInputs { files_apart, ranks, mirror }) => {
            dict.set_item("kind", KINDS[1].0)?;
            dict.set_item("files_apart", files_apart)?;
            dict.set_item("ranks", (ranks[0], ranks[1]))?;
            mirror
        }
        BlockInputs::PieceSquare(PieceSquareInputs { buckets, planes, mirror }) => {
            dict.set_item("kind", KINDS[2].0)?;
            dict.set_item("buckets", buckets.map(u32::from))?;
            dict.set_item("planes", planes)?;
            mirror
        }
        _ => return Err(wrong("a block of a kind that Python does not know")),
    };
    let name = MIRRORS.into_iter().find(|(_, known)| *known == mirror).map(|(name, _)| name);
    dict.set_item("mirror", name)?;
    dict.set_item("hash", block.hash)?;
    dict.set_item("width", block.width)?;
    Ok(dict)
}
