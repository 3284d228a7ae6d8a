//! The options of a loader, and the fingerprint of those that determine its rows and their order.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use setwise::Kernel;
use setwise_files::{FileFormat, list};
use setwise_formats::Field;
use setwise_nnue::FeatureSet;
use setwise_table::{MAX_THREADS, OnInvalid, OnMissing, SamplingOptions, TableOptions};

use crate::error::Error;
use crate::hooks::Hooks;
use crate::tables::Source;

/// The options of a [`Loader`](crate::Loader). Messages name an option by the name of its field.
///
/// ```
/// use setwise_loader::{Options, Split};
/// let mut options = Options::new(["games.binpack"]);
/// options.shuffle = 1 << 20;
/// options.split = Some(Split::Train(0.95));
/// assert_eq!(options.batch_size, 16_384);
/// ```
#[derive(Clone)]
pub struct Options {
    /// Files, folders and tables, which may differ in format. Formats are inferred from extensions.
    pub paths: Vec<Source>,
    /// The feature set of the inputs; `None` for batches without inputs.
    pub features: Option<&'static FeatureSet>,
    /// Numeric columns to compute from boards, side to move, castling rights and en passant square, by name, pattern or
    /// preset. `game_hash` is the hash that `split` uses. Other columns, such as clocks, are only for `conditions`.
    pub columns: Vec<String>,
    /// The width of padded rows of inputs; `None` for lists with offsets.
    pub padded: Option<usize>,
    /// The order of the two sides' inputs.
    pub perspectives: Perspectives,
    /// The number of rows per batch.
    pub batch_size: usize,
    /// The number of rows in the shuffle buffer, each of 56 bytes; 0 keeps the order of the files.
    pub shuffle: usize,
    /// The seed for shuffling, `one_in` and `sampling`.
    pub seed: u64,
    /// The number of times that a loop reads the files; `None` repeats forever.
    pub epochs: Option<u64>,
    /// True if every epoch has the same rows in the same order, for validation. Otherwise each epoch is shuffled and
    /// sampled differently.
    pub fixed: bool,
    /// The number of batches of each loop, so that all shards have equally many. A loop reads the files as often as
    /// necessary, whatever `epochs` is, and all its batches are complete.
    pub batches: Option<u64>,
    /// The place for the units of files that cannot be read from the middle, to shuffle them.
    pub spill: Spill,
    /// The index of this shard, and the number of shards: together they cover every row exactly once.
    pub shard: (u64, u64),
    /// Conditions for rows, such as `checkers = 0`.
    pub conditions: Vec<String>,
    /// The part of the games to read.
    pub split: Option<Split>,
    /// Keeps a row with probability `1 / one_in`, decided by the seed, the epoch and the row's index.
    pub one_in: u64,
    /// Keeps rows with probabilities that depend on outcome, ply and number of pieces.
    pub sampling: Option<SamplingOptions>,
    /// True if rows are counted by ply, number of pieces and result. By default they are if there is a sampling.
    pub report: Option<bool>,
    /// True if an incomplete last batch of an epoch is dropped.
    pub drop_last: bool,
    /// The format of all files, by its [name](FileFormat::name): `text`, `pgn`, a packed format such as `binpack`, or that
    /// of tables, such as `parquet`.
    pub input_format: Option<String>,
    /// The columns of tables. The loader sets `folders`, `keep` and `wanted`.
    pub tables: TableOptions,
    /// The labels of batches: any of score, result and move. By default, scores and results if every file has them.
    pub labels: Option<Vec<Field>>,
    /// True if batches have moves, whatever `labels` are.
    pub moves: bool,
    /// The handling of rows without a label: [`OnMissing::Stop`] by default, and [`OnMissing::Skip`] with a sampling.
    pub on_missing: Option<OnMissing>,
    /// The handling of invalid rows.
    pub on_invalid: OnInvalid,
    /// The backend.
    pub kernel: Kernel,
    /// The number of threads, at most [`MAX_THREADS`]; `None` for one per processor. Batches do not depend on it.
    pub threads: Option<usize>,
    /// Callbacks of a program that embeds the loader.
    pub hooks: Hooks,
}

/// Lists the files of a folder, or returns the path of a file. `format` is the name of the format of all files, if it is
/// not inferred from their names.
///
/// # Errors
/// If a folder cannot be read or has no files.
pub fn files(path: &Path, format: Option<&str>) -> Result<Vec<PathBuf>, Error> {
    let found = list(path, format.and_then(FileFormat::named));
    let found = found.map_err(|error| Error::reading(path, error))?;
    match found.is_empty() {
        true => Err(Error::Invalid(format!("{}: the folder has no files", path.display()))),
        false => Ok(found),
    }
}

/// The order of the inputs of the two sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Perspectives {
    /// White, then black.
    #[default]
    Colours,
    /// The side to move first.
    Mover,
}

/// The place for the units of files that cannot be read from the middle: compressed files, archives, and tables without
/// many small parts. Units are written there before the first batch, each compressed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Spill {
    /// None: such files are read from the front to the end, and only the buffer shuffles their rows.
    Off,
    /// A temporary file, which is deleted with the loader.
    #[default]
    Temporary,
    /// A folder that keeps them, for other processes and later runs.
    Folder(PathBuf),
}

/// A part of the games. Games are assigned by a hash of all their positions, so the part does not depend on the seed, the
/// shard or the file. Rows of files that do not record games are assigned one by one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Split {
    /// About this share of the games, above 0 and below 1.
    Train(f64),
    /// The games that [`Split::Train`] with this share leaves.
    Test(f64),
}

impl Split {
    /// The condition that selects the part.
    fn condition(self) -> Result<String, Error> {
        let (compare, share) = match self {
            Self::Train(share) => ("<", share),
            Self::Test(share) => (">=", share),
        };
        if !(share > 0.0 && share < 1.0) {
            return Err(Error::Invalid(format!(
                "`split` has the share of `train`, above 0 and below 1, found {share}"
            )));
        }
        Ok(format!("game_hash {compare} {}", (share * 2f64.powi(64)) as u64))
    }
}

impl Options {
    /// The default options for these files, folders and tables.
    #[must_use]
    pub fn new<S: Into<Source>>(paths: impl IntoIterator<Item = S>) -> Self {
        Self {
            paths: paths.into_iter().map(Into::into).collect(),
            features: None,
            columns: Vec::new(),
            padded: None,
            perspectives: Perspectives::Colours,
            batch_size: 16_384,
            shuffle: 0,
            seed: 0,
            epochs: Some(1),
            fixed: false,
            batches: None,
            spill: Spill::Temporary,
            shard: (0, 1),
            conditions: Vec::new(),
            split: None,
            one_in: 1,
            sampling: None,
            report: None,
            drop_last: false,
            input_format: None,
            tables: TableOptions::default(),
            labels: None,
            moves: false,
            on_missing: None,
            on_invalid: OnInvalid::Stop,
            kernel: Kernel::detect(),
            threads: None,
            hooks: Hooks::default(),
        }
    }

    /// Replaces folders by their files and options by those that follow from them, and returns an error for values that
    /// are not allowed.
    pub(crate) fn checked(mut self) -> Result<Self, Error> {
        let mut paths = Vec::new();
        for source in self.paths {
            match source {
                Source::Path(path) => {
                    let files = files(&path, self.input_format.as_deref())?;
                    paths.extend(files.into_iter().map(Source::Path));
                }
                table => paths.push(table),
            }
        }
        self.paths = paths;
        if self.paths.is_empty() {
            return Err(Error::invalid("there are no files: the list of paths is empty"));
        }
        for (name, value, least) in [
            ("batch_size", Some(self.batch_size as u64), 1),
            ("shuffle", Some(self.shuffle as u64), 0),
            ("one_in", Some(self.one_in), 1),
            ("seed", Some(self.seed), 0),
            ("epochs", self.epochs, 0),
            ("batches", self.batches, 1),
            ("padded", self.padded.map(|width| width as u64), 1),
        ] {
            if let Some(value) = value.filter(|value| *value < least || *value >= 1 << 63) {
                return Err(Error::Invalid(format!(
                    "`{name}` must be at least {least}, and below 2 ** 63, found {value}"
                )));
            }
        }
        if let Some(threads) = self.threads.filter(|threads| !(1..=MAX_THREADS).contains(threads)) {
            let limits = format!("`threads` must be 1 to {MAX_THREADS}, found {threads}");
            return Err(Error::Invalid(limits));
        }
        let (index, count) = self.shard;
        if index >= count {
            return Err(Error::Invalid(format!(
                "`shard` is (index, count) with an index below the count, found {:?}",
                self.shard
            )));
        }
        if self.padded.is_some() && self.features.is_none() {
            return Err(Error::invalid(
                "`padded` is the width of inputs: name a set of them with `features`",
            ));
        }
        let is_label = |label: &&Field| matches!(label, Field::Score | Field::Result | Field::Move);
        if let Some(other) = self.labels.iter().flatten().find(|label| !is_label(label)) {
            return Err(Error::Invalid(format!(
                "`labels` are any of `score`, `result` and `move`, found `{}`",
                other.name()
            )));
        }
        let split = self.split.take().map(Split::condition).transpose()?;
        let of_sampling = self.sampling.iter().flat_map(|sampling| sampling.conditions.clone());
        let all = split.into_iter().chain(std::mem::take(&mut self.conditions));
        self.conditions = all.chain(of_sampling).collect();
        if self.batches.is_some() {
            (self.epochs, self.drop_last) = (None, true);
        }
        let on_missing = if self.sampling.is_some() { OnMissing::Skip } else { OnMissing::Stop };
        self.on_missing.get_or_insert(on_missing);
        self.report.get_or_insert(self.sampling.is_some());
        let processors = || available_parallelism().map_or(1, usize::from).min(MAX_THREADS);
        self.threads.get_or_insert_with(processors);
        Ok(self)
    }

    /// The number of threads, after [`checked`](Self::checked).
    pub(crate) fn threads(&self) -> usize {
        self.threads.unwrap_or(1)
    }

    /// The seed of the order, if it is random.
    pub(crate) fn seed_of_order(&self) -> Option<u64> {
        (self.shuffle > 0).then_some(self.seed)
    }

    /// The options for tables alone, by their names in Python.
    fn of_tables(&self) -> [(&'static str, &dyn Debug); 10] {
        let (tables, labels) = (&self.tables, &self.tables.labels);
        [
            ("preset", &tables.data_set),
            ("fen_column", &tables.fen),
            ("movetext_column", &tables.movetext),
            ("score_column", &labels.score),
            ("mate_column", &labels.mate),
            ("result_column", &labels.result),
            ("move_column", &labels.played),
            ("scores_of", &labels.scores_of),
            ("results_of", &labels.results_of),
            ("loss_is", &labels.loss_is),
        ]
    }

    /// The first option that is given and needs a table, by its name in Python. To name no preset needs none.
    pub(crate) fn needs_table(&self) -> Option<&'static str> {
        let is_given =
            |value: &dyn Debug| !["None", "Find", "Off"].contains(&&*format!("{value:?}"));
        self.of_tables().into_iter().find_map(|(name, value)| is_given(value).then_some(name))
    }

    /// The options that determine the rows of a unit, by their names in Python.
    fn of_units(&self) -> Vec<(&'static str, &dyn Debug)> {
        let mut all: Vec<(_, &dyn Debug)> = vec![("input_format", &self.input_format)];
        all.extend(self.of_tables());
        all.extend([("labels", &self.labels as &dyn Debug), ("where", &self.conditions)]);
        all.push(("sampling", &self.sampling));
        all
    }

    /// The path of the kept units of a file: a hash of everything that determines them: the identity of the file, and the options.
    pub(crate) fn kept_units(&self, folder: &Path, identity: &str) -> PathBuf {
        let hash = hash(&(identity, self.of_units(), ORDER));
        folder.join(format!("setwise-{hash}.units"))
    }

    /// Hashes of the options that determine the rows and their order, by their names in Python.
    pub(crate) fn fingerprint(&self) -> Result<Fingerprint, Error> {
        let file = |source: &Source| {
            let size = match source {
                Source::Path(_) => source.bytes()?,
                Source::Table(table) => table.rows() as u64,
            };
            let name = source.path().file_name().map(ToOwned::to_owned);
            Ok((name, size, hash_of(&source.excerpts()?)))
        };
        let files = self.paths.iter().map(file).collect::<Result<Vec<_>, Error>>()?;
        let order = (ORDER, self.spill != Spill::Off);
        let mut all = self.of_units();
        all.extend([
            ("files", &files as &dyn Debug),
            ("order", &order),
            ("batch_size", &self.batch_size),
            ("shuffle", &self.shuffle),
            ("seed", &self.seed),
            ("fixed", &self.fixed),
            ("batches", &self.batches),
            ("shard", &self.shard),
            ("one_in", &self.one_in),
            ("report", &self.report),
            ("drop_last", &self.drop_last),
            ("on_missing", &self.on_missing),
            ("errors", &self.on_invalid),
        ]);
        Ok(all.into_iter().map(|(name, value)| (name.to_owned(), hash(value))).collect())
    }
}

/// Hashes of the options that determine the rows and their order, by name.
pub type Fingerprint = BTreeMap<String, String>;

/// Increment this when units or their order change, so that states and kept units of older versions are not used.
const ORDER: u32 = 10;

/// Returns an error that names the options by which two fingerprints differ.
///
/// # Errors
/// If they differ.
pub fn check_fingerprint(found: &Fingerprint, own: &Fingerprint) -> Result<(), Error> {
    let names = found.keys().chain(own.keys()).filter(|name| found.get(*name) != own.get(*name));
    let names: BTreeSet<_> = names.map(|name| format!("`{name}`")).collect();
    if names.is_empty() {
        return Ok(());
    }
    let names = Vec::from_iter(names).join(", ");
    Err(Error::Invalid(format!(
        "the state is of a loader with other files or other arguments: {names}"
    )))
}

/// A hash of a value's text.
fn hash(value: &dyn Debug) -> String {
    hash_of(format!("{value:?}").as_bytes())
}

/// A hash (FNV-1a).
fn hash_of(bytes: &[u8]) -> String {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", bytes.iter().fold(0xcbf2_9ce4_8422_2325, step))
}
