//! The loader: batches, loops and states.

use std::sync::Mutex;

use arrow_array::ArrayRef;
use serde::{Deserialize, Serialize};
use setwise::columns::SelectionError;
use setwise_formats::{Field, Fields};
use setwise_table::{Collect, Column, Input, InputColumn, Plan, Query, Sampling};

use crate::counts::Counts;
use crate::decode::Decoder;
use crate::epoch::{Loader, NO_UNIT, Progress};
use crate::error::Error;
use crate::files::{Cut, LoaderFile};
use crate::find::is_cut_again;
use crate::hooks::Checker;
use crate::inputs::{Inputs, inputs_of};
use crate::options::{Fingerprint, Options, Spill, check_fingerprint};
use crate::pool::Pool;
use crate::rows::{Row, positions_of};
use crate::sources::Sources;

/// A batch.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The positions with their labels.
    pub rows: Vec<Row>,
    /// The inputs of the two sides, in the order of [`Options::perspectives`]; `None` without a feature set, or if they
    /// were written [to the caller's memory](Loader::next_batch_into). A position without exactly one king per side has
    /// no inputs. Padded rows return their memory to the loader when they are dropped, so drop a batch before you request
    /// the one after next, if you can.
    pub inputs: Option<[Inputs; 2]>,
    /// The requested columns except `game_hash`, in the order of [`Loader::columns`]. Sets of squares are signed numbers
    /// of 64 bits.
    pub columns: Vec<ArrayRef>,
}

/// The state of a loader after a batch: a few numbers, whatever the size of the buffer. It can be serialized.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The place in the loop.
    pub place: Place,
    /// The counts of the rows read so far.
    pub counts: Counts,
    /// Hashes of the options that determine the rows and their order.
    pub of: Fingerprint,
}

/// A place in a loop: the first epoch of the loop, the number of its batches so far, the epoch, the first unit of the
/// buffer, the row in this unit, the number of batches taken from the buffer, and the state of steering by the number of
/// pieces, if there is any.
pub type Place = Vec<u64>;

impl Loader {
    /// Opens the files.
    ///
    /// # Errors
    /// If an option is not allowed, or if a file cannot be read.
    pub fn open(options: Options) -> Result<Self, Error> {
        let options = options.checked()?;
        let sampling = Sampling::new(&options.sampling.clone().unwrap_or_default());
        let sampling = sampling.map_err(|error| Error::Invalid(format!("`sampling`: {error}")))?;
        let (columns, optional) = columns_of(&options)?;
        let sources = Sources::open(&options, &sampling)?;
        let has_state =
            [Field::Castling, Field::EnPassant].map(|field| sources.has.contains(field));
        let known = if has_state == [true; 2] { 4 } else { 1 };
        let boards = Input::boards(&InputColumn::STATE[..known]);
        let query = Query::default()
            .signed(true)
            .feature_set(options.features)
            .kernel(options.kernel)
            .threads(options.threads)
            .columns(columns.iter().copied())
            .optional(optional);
        let columns = (!columns.is_empty()).then(|| query.plan(&boards)).transpose();
        let columns = columns.map_err(|error| match error {
            setwise_table::Error::NotInInput(column) => Error::Invalid(format!(
                "batches cannot have the column `{column}`; a condition (`where`) can use it if the files have it"
            )),
            other => other.into(),
        })?;
        let mut loader = Self {
            pool: Pool::default(),
            columns,
            turn: 0,
            goes_on: true,
            checker: Checker::new(options.hooks.clone()),
            has_found: false,
            start: 0,
            epoch: 0,
            over: false,
            counts: Counts::none(options.conditions.len()),
            done: Counts::default(),
            at: Progress::default(),
            fingerprint: options.fingerprint()?,
            decoder: Decoder { options, sources, sampling, spare: Mutex::default() },
        };
        loader.begin_epoch(0);
        Ok(loader)
    }

    /// Begins the next loop. It continues from the current place if that has just been set by [`resume`](Self::resume)
    /// or [`skip_batches`](Self::skip_batches), or if there was no batch yet.
    pub fn begin_loop(&mut self) {
        if !self.goes_on {
            self.begin_loop_at(self.epoch + u64::from(!self.over));
        }
    }

    /// Begins a loop at an epoch.
    pub fn begin_loop_at(&mut self, epoch: u64) {
        (self.start, self.turn, self.goes_on) = (epoch, 0, true);
        self.begin_epoch(epoch);
    }

    /// Returns the next batch, or `None` at the end of the loop. After an error of its inputs or of
    /// [`Hooks::check`](crate::Hooks::check), the batch stays the next one.
    ///
    /// # Errors
    /// If a file cannot be read, if a row is invalid, if a row has more inputs than `padded`, or if `batches` is set and
    /// the shard has no complete batch.
    pub fn next_batch(&mut self) -> Result<Option<Batch>, Error> {
        self.advance(None)
    }

    /// Works like [`next_batch`](Self::next_batch), but writes the padded rows of inputs of the two sides to the start of
    /// these slices, and not to [`Batch::inputs`]: to memory that a trainer owns.
    ///
    /// ```
    /// # use setwise_loader::{Loader, Options};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("some.txt");
    /// # std::fs::write(&path, "4k3/8/8/8/8/8/8/4K3 w - - 0 1 | 20 | 0.5\n".repeat(5))?;
    /// let mut options = Options::new([&path]);
    /// (options.batch_size, options.padded) = (4, Some(32));
    /// options.features = Some("halfka-hm".parse()?);
    /// let mut loader = Loader::open(options)?;
    /// let mut inputs = [[0; 4 * 32], [0; 4 * 32]];
    /// while let Some(batch) = loader.next_batch_into(inputs.each_mut().map(|side| &mut side[..]))? {
    ///     let white = &inputs[0][..32 * batch.rows.len()];
    ///     assert!(white.chunks(32).all(|row| row[1] >= 0 && row[2] == -1)); // two kings
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`next_batch`](Self::next_batch).
    ///
    /// # Panics
    /// If the options have no `features` or no `padded`, or if a slice is too short for the rows of the batch.
    pub fn next_batch_into(&mut self, inputs: [&mut [i32]; 2]) -> Result<Option<Batch>, Error> {
        self.advance(Some(inputs))
    }

    fn advance(&mut self, into: Option<[&mut [i32]; 2]>) -> Result<Option<Batch>, Error> {
        let Options { batches, batch_size, shard: (index, count), .. } = self.decoder.options;
        self.goes_on = false;
        if self.has_all_batches() {
            return Ok(None);
        }
        let Some(range) = self.next_rows()? else {
            return match batches {
                None => Ok(None),
                Some(_) => Err(Error::Invalid(format!(
                    "shard {index} of {count} has no complete batch of {batch_size} rows (`batches`): use fewer shards or \
                     workers, a smaller `batch_size`, or more rows"
                ))),
            };
        };
        let batch = self.batch(range, into);
        // An interrupt must come before the state includes the batch, or the batch would be lost.
        let batch = batch.and_then(|batch| self.checker.check_now().map(|()| batch));
        match &batch {
            Ok(_) => self.turn += 1,
            Err(_) => self.at.batch -= 1,
        }
        batch.map(Some)
    }

    /// Returns whether the loop has had all its [`batches`](Options::batches).
    fn has_all_batches(&self) -> bool {
        self.decoder.options.batches.is_some_and(|batches| self.turn >= batches)
    }

    /// Returns rows of the buffer, their inputs and their columns.
    fn batch(
        &self,
        range: std::ops::Range<usize>,
        into: Option<[&mut [i32]; 2]>,
    ) -> Result<Batch, Error> {
        let rows: Vec<_> =
            self.at.shuffled[range].iter().map(|&row| self.at.rows[row as usize]).collect();
        let inputs = inputs_of(&self.decoder.options, &self.pool, &rows, into)?;
        let mut columns = Vec::new();
        if let Some(plan) = &self.columns {
            let collect = Collect { check: &mut || Ok::<(), Error>(()), advise: |_| {} };
            columns = plan.collect(&[positions_of(&rows)], collect)?.columns;
        }
        Ok(Batch { rows, inputs, columns })
    }

    /// Skips batches without computing their inputs, so that the next loop continues after them. Returns false if the
    /// loop has fewer.
    ///
    /// # Errors
    /// As [`next_batch`](Self::next_batch).
    pub fn skip_batches(&mut self, batches: u64) -> Result<bool, Error> {
        if self.over || self.has_all_batches() {
            self.begin_loop();
        }
        self.goes_on = true;
        for _ in 0..batches {
            if self.has_all_batches() || self.next_rows()?.is_none() {
                return Ok(false);
            }
            self.turn += 1;
        }
        Ok(true)
    }

    /// The state after the latest batch.
    #[must_use]
    pub fn state(&self) -> State {
        State { place: self.place(), counts: self.done.clone(), of: self.fingerprint.clone() }
    }

    /// The place after the latest batch.
    #[must_use]
    pub fn place(&self) -> Place {
        let (unit, row) = self.first();
        // At the end of a loop, the place is the start of the next loop.
        let start = if self.over { self.epoch } else { self.start };
        let mut place = vec![start, self.turn, self.epoch, unit, row as u64, self.at.batch];
        let steering = match self.at.units.front() {
            Some(unit) => unit.before.as_ref(),
            None => self.at.steering.as_ref(),
        };
        place.extend(steering.iter().flat_map(|steering| steering.state()).map(f64::to_bits));
        place
    }

    /// Continues after the batch at which the state was taken: the next loop yields the remaining batches, and later
    /// loops the following epochs. Only the current contents of the buffer are read again.
    ///
    /// # Errors
    /// If the state belongs to a loader with different files, order or rows, or if a file cannot be read.
    pub fn resume(&mut self, state: &State) -> Result<(), Error> {
        check_fingerprint(&state.of, &self.fingerprint)?;
        if !state.counts.fit(self.conditions().len()) {
            return Err(Error::invalid("the counts of the state are not those of this loader"));
        }
        self.counts = state.counts.clone();
        self.resume_at(&state.place)
    }

    /// Continues at a [place](Self::place) of a loader with the same options. The counts of rows do not change, except
    /// that the contents of the buffer are added.
    ///
    /// # Errors
    /// If the numbers are not a place of this loader, or if a file cannot be read.
    pub fn resume_at(&mut self, place: &[u64]) -> Result<(), Error> {
        let invalid = || Error::invalid("the place of the state is not one of this loader");
        let Some((&[start, turn, epoch, unit, row, batch], steering)) = place.split_first_chunk()
        else {
            return Err(invalid());
        };
        if [start, turn, epoch].iter().any(|number| *number >= 1 << 63) || start > epoch {
            return Err(invalid());
        }
        (self.start, self.turn, self.goes_on) = (start, turn, true);
        self.begin_epoch(epoch);
        // After the last batch of a loop, the next one begins with another epoch.
        self.goes_on = !self.has_all_batches();
        self.at.has_batches = unit != NO_UNIT;
        if unit == NO_UNIT || self.over {
            return if (row, batch) == (0, 0) { Ok(()) } else { Err(invalid()) };
        }
        let numbers: Vec<f64> = steering.iter().copied().map(f64::from_bits).collect();
        self.at.steering = match self.at.steering.clone() {
            Some(fresh) => Some(fresh.at(&numbers).ok_or_else(invalid)?),
            None if steering.is_empty() => None,
            None => return Err(invalid()),
        };
        // Earlier units are drawn but not decoded.
        while self.at.order.as_ref().map_or(0, |order| order.next) < unit {
            self.checker.check()?;
            if self.draw()?.is_none() {
                return Err(invalid());
            }
        }
        self.fill(row as usize)?;
        let has_row = self.at.units.front().map_or(0, |unit| unit.count) as u64 >= row;
        let batches = self.at.shuffled.len().div_ceil(self.decoder.options.batch_size);
        if !has_row || batch > batches as u64 {
            return Err(invalid());
        }
        self.at.batch = batch;
        Ok(())
    }

    /// Returns to the start of the first epoch and resets the counts.
    pub fn restart(&mut self) {
        self.counts = Counts::none(self.conditions().len());
        self.begin_loop_at(0);
    }

    /// Hashes of the options that determine the rows and their order.
    #[must_use]
    pub const fn fingerprint(&self) -> &Fingerprint {
        &self.fingerprint
    }

    /// The epoch of the latest batch, from 0, or the number of epochs after the last one.
    #[must_use]
    pub const fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The counts of the rows read so far.
    #[must_use]
    pub const fn counts(&self) -> &Counts {
        &self.counts
    }

    /// The conditions, in the order of [`Counts::left_out`]: the one of the split, those of the options, and those of the
    /// sampling.
    #[must_use]
    pub fn conditions(&self) -> &[String] {
        &self.decoder.options.conditions
    }

    /// The fields that all rows have.
    #[must_use]
    pub const fn fields(&self) -> Fields {
        self.decoder.sources.has
    }

    /// Returns whether rows have hashes of their games.
    #[must_use]
    pub const fn has_hashes(&self) -> bool {
        self.decoder.sources.has_hashes
    }

    /// The columns of batches.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        self.columns.as_ref().map_or(&[], Plan::columns)
    }

    /// The columns used for the labels of tables, with their points of view, unless the options name both points of view
    /// and a data set or none; and whether evaluations of games are from engines' comments.
    #[must_use]
    pub fn decided(&self) -> &[String] {
        &self.decoder.sources.decided
    }

    /// Warnings about the choice of options: shards that are empty or differ much in size (only for the first shard, so
    /// that they are reported once), and files that cannot be shuffled without a spill.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let options = &self.decoder.options;
        let mut warnings = Vec::new();
        let (units, (index, count)) = (self.units().unwrap_or(u64::MAX), options.shard);
        let is_even = units >= 16 * count || units.is_multiple_of(count);
        if index == 0 && count > 1 && !is_even && options.batches.is_none() {
            let shares = match units < count {
                true => format!("there are none for {} of the {count} shards", count - units),
                false => format!(
                    "some of the {count} shards have {} units and others {}",
                    units / count + 1,
                    units / count
                ),
            };
            let plural = if units == 1 { "" } else { "s" };
            warnings.push(format!(
                "the files have only {units} unit{plural} of rows, so {shares}, and ranks that wait for each other stop: set \
                 `batches` to give every shard the same number of batches, or use fewer shards"
            ));
        }
        let files = self.decoder.sources.files.iter();
        let streams: Vec<_> = files.filter(|file| file.needs_spill()).collect();
        if options.shuffle > 0 && options.spill == Spill::Off && !streams.is_empty() {
            let names: Vec<_> =
                streams.iter().map(|file| file.path.display().to_string()).collect();
            warnings.push(format!(
                "without `spill`, {} can only be read from the front to the end: a row is mixed with those about {} \
                 rows around it",
                names.join(", "),
                grouped(options.shuffle)
            ));
        }
        warnings
    }

    /// The number of units of all files, or `None` if it is unknown until they have been read.
    fn units(&self) -> Option<u64> {
        let is_cut = self.has_found || self.decoder.options.shuffle == 0;
        let known = |file: &LoaderFile| {
            let is_known =
                !matches!(file.cut, Cut::Stream { .. }) && (is_cut || !is_cut_again(file));
            is_known.then(|| file.units())
        };
        self.decoder.sources.files.iter().map(known).sum()
    }
}

impl Iterator for Loader {
    type Item = Result<Batch, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_batch().transpose()
    }
}

/// Returns the columns to compute, and those of them that the boards may lack.
fn columns_of(options: &Options) -> Result<(Vec<Column>, Vec<Column>), Error> {
    let names = options.columns.iter().filter(|name| *name != "game_hash");
    let names: Vec<String> = names.cloned().collect();
    let (mut columns, optional) = Column::select(&names).map_err(|error| match error {
        SelectionError::Unknown { nearest: None, .. } | SelectionError::NoMatch { .. } => {
            Error::Invalid(format!("{error}; `setwise.columns()` lists them"))
        }
        other => Error::invalid(other),
    })?;
    let is_number = |column: &Column| {
        matches!(column.shape(), setwise::Shape::Value) && column.data_type(false).is_numeric()
    };
    if columns.iter().any(is_number) {
        columns.retain(|column| is_number(column) || !optional.contains(column));
    }
    match columns.iter().find(|column| !is_number(column)) {
        Some(column) => Err(Error::Invalid(format!(
            "column `{column}` is not one number per row, as the columns of batches are"
        ))),
        None => Ok((columns, optional)),
    }
}

/// A number with commas between groups of three digits.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
    groups.join(",")
}
