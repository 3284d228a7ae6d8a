//! Batches for training from files of positions: shuffled, filtered, sharded and resumable.
//!
//! An epoch is a sequence of units (`order.rs`), of which a shard takes every n-th. A unit is some thousand records, a
//! piece of text or a chunk of games (`files.rs`), in a random order also where a file has to be read once to find them
//! (`places.rs`); it is decoded by the executor, which evaluates the conditions first.
//! What is left may be sampled, at last by the number of pieces, in the order of the units (`sampling.rs`).
//! The rows that are left fill a buffer. When it is full, its whole batches are put into a random order and handed out;
//! what is left of the rows is the start of the next filling. So the state of a loader is a few numbers: the first unit
//! of the filling, the row there, and the batch.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use arrow_array::cast::AsArray;
use arrow_array::types::ArrowPrimitiveType;
use arrow_array::{Array, ArrayRef};
use numpy::{Element, PyArray1};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3_arrow::PySchema;
use setwise::Kernel;
use setwise_formats::{Field, Fields, Records};
use setwise_nnue::FeatureSet;
use setwise_table::{
    Collect, Column, Error, Input, InputColumn, Keep, Labels, Loss, OnMissing, Plan, Report,
    Sampling, Side, Steering, each,
};

use crate::error::raised;
use crate::query::{Query, advise, wrong};

mod failed;
mod files;
mod find;
mod inputs;
mod memory;
mod order;
mod places;
mod rows;
mod sampling;
mod tally;

use failed::Failed;
use files::{Cut, Kind, LoaderFile};
use find::Spills;
use inputs::{Inputs, Made, Maker};
use memory::Pool;
use order::{Draw, Order, Random, mix};
use rows::{Columns, Row};
use sampling::{Chances, SamplingOptions};
use tally::{Known, Tally};

/// Units that are decoded together.
const TOGETHER: usize = 16;

/// Bytes of text of tables that are decoded together, about.
const BYTES: usize = 1 << 24;

/// Batches of positions for training, from files.
#[pyclass(frozen, module = "setwise")]
pub(crate) struct Loader(Mutex<Core>);

struct Core {
    options: Options,
    files: Vec<LoaderFile>,
    /// Whether the files have been read to find their units.
    has_found: bool,
    /// For each file: what it says and what the conditions leave.
    plans: Vec<Arc<Plan>>,
    /// What is computed for the rows of a batch: the inputs of both sides, and columns.
    features: Option<&'static FeatureSet>,
    kernel: Kernel,
    columns: Option<Plan>,
    /// Memory of arrays, and of what threads make of them.
    pool: Pool,
    parts: Pool,
    has: Fields,
    /// The first epoch of the loop.
    start: u64,
    /// Whether the next loop goes on from here, and does not begin another epoch.
    goes_on: bool,
    epoch: u64,
    /// Made when the first unit is drawn.
    order: Option<Order>,
    /// Decoded units that did not fit.
    pending: VecDeque<Decoded>,
    rows: Vec<Row>,
    /// The first unit of the filling, and how many of its rows were in the last one.
    first: (u64, usize),
    /// The units in the buffer.
    units: VecDeque<InBuffer>,
    /// Where the epoch is in steering by the number of pieces.
    steering: Option<Steering>,
    /// The order of the rows of the filling.
    shuffled: Vec<u32>,
    batch: u64,
    over: bool,
    /// Whether the epoch has had no batch yet, and began at its start.
    is_empty: bool,
    counts: Counts,
    /// Batches handed out so far.
    batches: u64,
    /// Where the labels of tables come from.
    decided: Vec<String>,
}

struct Options {
    batch: usize,
    buffer: usize,
    seed: Option<u64>,
    /// The number of epochs in a loop.
    epochs: Option<u64>,
    spills: Option<Spills>,
    shard: (u64, u64),
    one_in: u64,
    sample_seed: u64,
    sampling: Sampling,
    /// Whether rows are counted by ply, pieces and result.
    tallies: bool,
    threads: usize,
    drop_last: bool,
    padded: Option<usize>,
    is_mover: bool,
    /// The number of conditions.
    conditions: usize,
}

/// Rows that have no place in a batch.
#[derive(Clone, Default, Debug)]
struct Counts {
    /// By each condition, and for want of a label.
    left_out: Vec<u64>,
    not_sampled: u64,
    invalid: u64,
    /// By the sampling: outcome, ply, pieces.
    sampled: [u64; 3],
    tally: Tally,
}

/// The counts for Python: by each condition and for want of a label, by chance, invalid; by the sampling; and by ply,
/// pieces and result.
type CountsForPython = (Vec<u64>, u64, u64, [u64; 3], Vec<u64>);

impl Counts {
    fn add(&mut self, more: &Self) {
        self.left_out.resize(self.left_out.len().max(more.left_out.len()), 0);
        self.left_out.iter_mut().zip(&more.left_out).for_each(|(all, more)| *all += more);
        self.not_sampled += more.not_sampled;
        self.invalid += more.invalid;
        self.sampled.iter_mut().zip(&more.sampled).for_each(|(all, more)| *all += more);
        self.tally.add(&more.tally);
    }

    fn subtract(&mut self, more: &Self) {
        self.left_out.iter_mut().zip(&more.left_out).for_each(|(all, more)| *all -= more);
        self.not_sampled -= more.not_sampled;
        self.invalid -= more.invalid;
        self.sampled.iter_mut().zip(&more.sampled).for_each(|(all, more)| *all -= more);
        self.tally.subtract(&more.tally);
    }

    fn for_python(self) -> CountsForPython {
        (self.left_out, self.not_sampled, self.invalid, self.sampled, self.tally.into_counts())
    }

    fn from_python((left_out, not_sampled, invalid, sampled, tally): CountsForPython) -> Self {
        Self { left_out, not_sampled, invalid, sampled, tally: Tally::from_counts(tally) }
    }
}

/// The rows of a unit.
struct Decoded {
    number: u64,
    rows: Vec<Row>,
    counts: Counts,
    chances: Chances,
    /// What is known of its rows, if they are counted.
    known: Option<Known>,
    /// The steering before the unit.
    before: Option<Steering>,
}

/// A unit with rows in the buffer.
struct InBuffer {
    number: u64,
    /// How many rows of it there are.
    rows: usize,
    /// What was left out of it.
    counts: Counts,
    /// The steering before it.
    before: Option<Steering>,
}

/// What threads share that decode units.
#[derive(Clone, Copy)]
struct Decoder<'a> {
    files: &'a [LoaderFile],
    plans: &'a [Arc<Plan>],
    one_in: u64,
    seed: u64,
    sampling: &'a Sampling,
    tallies: bool,
    has_moves: bool,
    /// The number of conditions.
    conditions: usize,
}

impl Decoder<'_> {
    /// Decodes a unit.
    fn decode(&self, draw: Draw) -> Result<Decoded, Failed> {
        let Draw { number, file: at, unit, bytes } = draw;
        let (file, plan) = (&self.files[at], &self.plans[at]);
        let bytes = match bytes {
            Some(bytes) => bytes,
            None => file.read_unit(unit).map_err(|error| Failed::of(&file.path, error))?,
        };
        let one_in = self.one_in;
        let chosen = Arc::new(std::sync::atomic::AtomicU64::new(0));
        let seed = mix(self.seed ^ mix(at as u64 ^ mix(unit)));
        let keeps = move |row: u64| mix(seed ^ mix(row)).is_multiple_of(one_in);
        let first = (one_in > 1 && file.chooses_first()).then(|| {
            let out = Arc::clone(&chosen);
            let keeps = move |row| {
                let is_kept = keeps(row);
                out.fetch_add(u64::from(!is_kept), std::sync::atomic::Ordering::Relaxed);
                is_kept
            };
            Box::new(keeps) as Box<dyn Fn(u64) -> bool + Send>
        });
        let chances = Chances::of(mix(seed ^ 1));
        let counts = Counts::default();
        let mut decoded =
            Decoded { number, rows: Vec::new(), counts, chances, known: None, before: None };
        if let Some(part) = file.part(bytes, first)? {
            let kept = plan.keep::<Error>(part);
            let kept = kept.and_then(|kept| plan.check_labels().map(|()| kept));
            let (mut records, report): (Records, Report) =
                kept.map_err(|error| file.named(error))?;
            if !self.has_moves {
                records.moves.clear();
            }
            self.append(&records, &mut decoded, (!file.chooses_first()).then_some(&keeps));
            decoded.counts.left_out = report.left_out;
            decoded.counts.left_out.resize(self.conditions, 0);
            decoded.counts.left_out.push(report.missing);
            decoded.counts.invalid = report.invalid;
        }
        decoded.counts.not_sampled += chosen.load(std::sync::atomic::Ordering::Relaxed);
        Ok(decoded)
    }

    /// Appends the rows that chance and the sampling keep, if it does not matter what was before them.
    fn append(
        &self,
        records: &Records,
        decoded: &mut Decoded,
        chosen: Option<&impl Fn(u64) -> bool>,
    ) {
        let counts = &mut decoded.counts;
        decoded.known = self.tallies.then(|| counts.tally.see(records));
        let mut stays = None;
        if self.sampling.needs() != Fields::of(&[]) {
            let kept =
                sampling::stays(self.sampling, records, decoded.chances, &mut counts.sampled);
            stays = Some(kept);
        }
        if let Some(keeps) = chosen.filter(|_| self.one_in > 1) {
            let stays = stays.get_or_insert_with(|| vec![true; records.len()]);
            for (row, stays) in (0..).zip(stays.iter_mut()) {
                let is_out = *stays && !keeps(row);
                *stays &= !is_out;
                counts.not_sampled += u64::from(is_out);
            }
        }
        Row::append(&mut decoded.rows, records, stays.as_deref());
    }
}

impl Core {
    /// The next unit of all shards; none at the end of the epoch.
    fn draw(&mut self) -> Result<Option<Draw>, Failed> {
        let order = match &mut self.order {
            Some(order) => order,
            none => {
                if self.options.seed.is_some() && !self.has_found {
                    for (at, file) in self.files.iter_mut().enumerate() {
                        let found = file.find_units(at, self.options.spills.as_ref());
                        found.map_err(|error| Failed::of(&file.path, error))?;
                    }
                    self.has_found = true;
                }
                none.insert(Order::new(&self.files, self.options.seed, self.epoch))
            }
        };
        order.draw(&self.files).map_err(|error| Failed::Table(Error::Io(error)))
    }

    /// The next unit of this shard, decoded; none at the end of the epoch.
    fn next_unit(&mut self) -> Result<Option<Decoded>, Failed> {
        if self.pending.is_empty() {
            let together =
                if self.options.threads == 1 { 1 } else { TOGETHER.max(4 * self.options.threads) };
            let (mut draws, mut bytes) = (Vec::with_capacity(together), 0);
            while draws.len() < together && bytes < BYTES {
                let Some(mut draw) = self.draw()? else { break };
                let (shard, shards) = self.options.shard;
                if draw.number % shards != shard {
                    continue;
                }
                let file = &self.files[draw.file];
                if matches!(file.cut, Cut::Parts { .. }) {
                    let part = file.read_part(draw.unit);
                    let part = part.map_err(|error| Failed::of(&file.path, error))?;
                    bytes += part.bytes.len();
                    draw.bytes = Some(part);
                }
                draws.push(draw);
            }
            let decoder = Decoder {
                files: &self.files,
                plans: &self.plans,
                one_in: self.options.one_in,
                seed: mix(self.options.sample_seed ^ mix(self.epoch)),
                sampling: &self.options.sampling,
                tallies: self.options.tallies,
                has_moves: self.has.contains(Field::Move),
                conditions: self.options.conditions,
            };
            let decoded =
                each(self.options.threads, draws, &mut || Ok(()), |draw| decoder.decode(draw))?;
            self.pending.extend(decoded);
        }
        let mut next = self.pending.pop_front();
        if let Some(Decoded { rows, counts, chances, known, before, .. }) = &mut next {
            if let Some(steering) = &mut self.steering {
                *before = Some(steering.clone());
                sampling::steer(steering, rows, *chances, &mut counts.sampled);
            }
            if let Some(known) = *known {
                counts.tally.keep(rows, known);
            }
        }
        Ok(next)
    }

    /// Moves what is left of a filling to the front.
    fn end_filling(&mut self) {
        let used = self.shuffled.len();
        self.rows.drain(..used);
        let mut used = used;
        while let Some(&InBuffer { number, rows, .. }) = self.units.front() {
            if used < rows {
                // A filling has every whole batch of its rows, so no unit is in three of them.
                self.first = (number, used);
                self.units[0].rows -= used;
                break;
            }
            used -= rows;
            self.units.pop_front();
        }
        if self.units.is_empty() {
            self.first = (u64::MAX, 0);
        }
        self.shuffled.clear();
        self.batch = 0;
    }

    /// Reserves memory for a filling, if that is not very large: a file may be shorter.
    fn reserve(&mut self, enough: usize) {
        const MAX: usize = 1 << 21;
        if self.rows.capacity() == 0 {
            self.rows.reserve_exact((enough + files::RECORDS as usize).min(MAX));
            advise(self.rows.spare_capacity_mut());
        }
    }

    /// Fills the buffer, and orders its rows. False at the end of the epoch.
    fn fill(&mut self, mut skipped: usize) -> Result<bool, Failed> {
        let Options { batch, buffer, drop_last, seed, shard, .. } = self.options;
        let enough = buffer.max(batch);
        self.reserve(enough);
        let mut is_last = false;
        while self.rows.len() < enough {
            let Some(Decoded { number, rows, counts, before, .. }) = self.next_unit()? else {
                is_last = true;
                break;
            };
            let from = skipped.min(rows.len());
            skipped = 0;
            if self.units.is_empty() {
                self.first = (number, from);
            }
            self.counts.add(&counts);
            self.units.push_back(InBuffer { number, rows: rows.len() - from, counts, before });
            self.rows.extend_from_slice(&rows[from..]);
        }
        let rows = self.rows.len();
        let used = if is_last && !drop_last { rows } else { rows / batch * batch };
        self.shuffled.clear();
        self.shuffled.extend(0..used as u32);
        if let Some(seed) = seed {
            let (unit, row) = self.first;
            let mut random = Random::of(&[seed, self.epoch, unit, row as u64, shard.0, shard.1]);
            random.shuffle(&mut self.shuffled);
        }
        Ok(used > 0)
    }

    /// Goes to the rows of the next batch; none at the end.
    fn next_rows(&mut self) -> Result<Option<Range<usize>>, Failed> {
        while !self.over {
            let start = self.batch as usize * self.options.batch;
            if start < self.shuffled.len() {
                self.batch += 1;
                self.batches += 1;
                self.is_empty = false;
                return Ok(Some(start..self.shuffled.len().min(start + self.options.batch)));
            }
            self.end_filling();
            if !self.fill(0)? {
                // An epoch without rows would be followed by others without end.
                let was_empty = self.is_empty;
                self.begin_epoch(self.epoch + 1);
                self.over |= was_empty;
            }
        }
        Ok(None)
    }

    /// Goes to the start of an epoch of the loop.
    fn begin_epoch(&mut self, epoch: u64) {
        let is_last = self.options.epochs.is_some_and(|epochs| epoch >= self.start + epochs);
        self.over = is_last || self.files.is_empty();
        self.epoch = epoch;
        self.is_empty = true;
        self.order = None;
        self.steering = self.options.sampling.steering();
        self.pending.clear();
        self.rows.clear();
        self.units.clear();
        self.shuffled.clear();
        self.first = (u64::MAX, 0);
        self.batch = 0;
    }

    /// The next batch, with its columns.
    fn next(&mut self) -> Result<Option<(Made, Vec<ArrayRef>)>, Failed> {
        let Some(range) = self.next_rows()? else { return Ok(None) };
        let batch = &self.shuffled[range];
        let maker = Maker {
            kernel: self.kernel,
            set: self.features,
            padded: self.options.padded,
            is_mover: self.options.is_mover,
            threads: self.options.threads,
            pool: &self.pool,
            parts: &self.parts,
        };
        let made = maker.make(&self.rows, batch)?;
        let mut columns = Vec::new();
        if let Some(plan) = &self.columns {
            let rows = Columns::of(batch.iter().map(|&row| &self.rows[row as usize]));
            let collect = Collect { check: &mut || Ok::<(), Failed>(()), advise };
            columns = plan.collect(&[rows.positions()], collect)?.columns;
        }
        Ok(Some((made, columns)))
    }
}

/// The files, or what is wrong with one.
fn look(
    paths: &[PathBuf],
    format: Option<&str>,
    tables: Vec<Option<Py<PyAny>>>,
) -> PyResult<Vec<LoaderFile>> {
    let look = |(path, table): (&PathBuf, Option<Py<PyAny>>)| {
        let file = match table {
            Some(table) => files::look_at_table(path, table).map(Ok),
            None => files::look(path, format),
        };
        match file {
            Ok(Ok(file)) => Ok(file),
            Ok(Err(message)) => Err(wrong(message)),
            Err(error) => Err(PyOSError::new_err(format!("{}: {error}", path.display()))),
        }
    };
    paths.iter().zip(tables).map(look).collect()
}

/// The tables among the files, how they are labelled, the labels of batches, and what to do without.
type Tables = (Vec<Option<Py<PyAny>>>, HashMap<String, Option<Named>>, Option<Vec<String>>, Named);

/// A name or a number.
#[derive(FromPyObject)]
enum Named {
    Name(String),
    Number(i32),
}

/// Where the labels of tables are.
fn labels_of(options: &HashMap<String, Option<Named>>) -> Labels {
    let name = |option: &str| match options.get(option) {
        Some(Some(Named::Name(name))) => Some(name.clone()),
        _ => None,
    };
    let side = |option| {
        name(option).map(|side| match &*side {
            "white" => Side::White,
            _ => Side::Mover,
        })
    };
    let loss_is = match options.get("loss_is") {
        Some(Some(Named::Number(0))) => Some(Loss::Zero),
        Some(Some(Named::Number(_))) => Some(Loss::MinusOne),
        _ => None,
    };
    let mut labels = Labels::default();
    (labels.score, labels.mate, labels.result) = (name("score"), name("mate"), name("result"));
    (labels.scores_of, labels.results_of) = (side("scores_of"), side("results_of"));
    labels.loss_is = loss_is;
    labels
}

/// What the rows of a file give, before it is known which of its labels are asked for.
fn input_of(
    py: Python<'_>,
    file: &LoaderFile,
    labels: &Labels,
    fen: Option<&str>,
) -> PyResult<Result<Input, Error>> {
    Ok(match (file.kind, &file.table) {
        (Kind::Text { labelled: true }, _) => Ok(Input::text()),
        (Kind::Text { .. }, _) => {
            Ok(Input::text().without(InputColumn::Score).without(InputColumn::Result))
        }
        (Kind::Packed(format), _) => Input::records(format, &Keep::None),
        (Kind::Table, Some(table)) => {
            let schema: PySchema = table.getattr(py, "schema")?.extract(py)?;
            let schema = schema.into_inner();
            let named = |wanted: &str| {
                let mut names = schema.fields().iter().map(|field| field.name());
                names.find(|name| name.eq_ignore_ascii_case(wanted))
            };
            match named("movetext").filter(|_| fen.is_none() && named("fen").is_none()) {
                Some(movetext) => Input::table_of_games(&schema, movetext, &Keep::None),
                None => {
                    let wanted = [InputColumn::Score, InputColumn::Result, InputColumn::Move];
                    let table = Input::table(&schema, fen, &Keep::None);
                    table.and_then(|table| table.labelled(labels, &wanted))
                }
            }
        }
        _ => Input::games(&Keep::None),
    })
}

#[pymethods]
impl Loader {
    #[new]
    #[allow(clippy::too_many_arguments, reason = "each is an argument in Python")]
    fn new(
        py: Python<'_>,
        paths: Vec<PathBuf>,
        tables: Tables,
        spills: Option<(Vec<PathBuf>, bool)>,
        query: &Bound<'_, Query>,
        has_features: bool,
        input_format: Option<&str>,
        batch_size: usize,
        shuffle: usize,
        seed: u64,
        epochs: Option<u64>,
        shard: (u64, u64),
        one_in: u64,
        sampling: Option<SamplingOptions>,
        tallies: bool,
        threads: Option<usize>,
        padded: Option<usize>,
        is_mover: bool,
        drop_last: bool,
    ) -> PyResult<Self> {
        let (tables, named, asked, on_missing) = tables;
        let on_missing = match &on_missing {
            Named::Name(name) if name == "skip" => OnMissing::Skip,
            Named::Name(_) => OnMissing::Stop,
            Named::Number(value) => OnMissing::Value(*value),
        };
        let fen = match named.get("fen") {
            Some(Some(Named::Name(fen))) => Some(fen.as_str()),
            _ => None,
        };
        let table_labels = labels_of(&named);
        let zeros = sampling.as_ref().and_then(SamplingOptions::placeholder_zeros);
        let sampling = sampling.map_or(Ok(Sampling::default()), |options| options.sampling());
        let sampling = sampling.map_err(|error| wrong(format!("`sampling`: {error}")))?;
        let mut files = look(&paths, input_format, tables)?;
        files.iter_mut().for_each(|file| file.zeros = zeros);
        files::cut_tables(py, &mut files)?;
        let raise = |file: &LoaderFile, error| raised(py, file.named(error));
        let mut inputs = Vec::new();
        let mut has = Fields::ALL;
        let of_labels = [
            (Field::Score, InputColumn::Score),
            (Field::Result, InputColumn::Result),
            (Field::Move, InputColumn::Move),
        ];
        for file in &files {
            let input = input_of(py, file, &table_labels, fen)?;
            let input = input.map_err(|error| raise(file, error))?.hashed();
            let mut fields = match file.kind {
                Kind::Packed(format) => format.keeps(),
                _ if input.has_games() => Fields::ALL,
                _ => Fields::FEN,
            };
            for (field, label) in of_labels {
                if input.has(label) {
                    fields = fields.union(Fields::of(&[field]));
                }
                let is_asked = asked.iter().flatten().any(|name| name == field.name());
                if is_asked && !input.has(label) {
                    let (path, name) = (file.path.display(), field.name());
                    return Err(wrong(format!("{path}: it has no {name} (`labels`)")));
                }
            }
            let decides = |field: &&Field| sampling.needs().contains(**field);
            let lacks = |field: &&Field| !fields.contains(**field);
            let mut deciding = [Field::Score, Field::Result, Field::Ply].iter().filter(decides);
            if let Some(field) = deciding.find(lacks) {
                let (path, name) = (file.path.display(), field.name());
                return Err(wrong(format!("{path}: it has no {name} (`sampling`)")));
            }
            has = has.without(Fields::ALL.without(fields));
            inputs.push(input);
        }
        let is_out = |field: &Field| match &asked {
            Some(asked) => !asked.iter().any(|name| name == field.name()),
            None => *field == Field::Move,
        };
        let out: Vec<_> = of_labels.map(|(field, _)| field).into_iter().filter(is_out).collect();
        has = has.without(Fields::of(&out));
        let needed = has.union(sampling.needs());
        let labels = of_labels.iter().filter(|(field, _)| needed.contains(*field));
        let labels: Vec<_> = labels.map(|(_, label)| *label).collect();
        let of_rows = query.get().all_rows().clone().threads(Some(1)).columns([]);
        let of_rows = of_rows.labels(labels).on_missing(on_missing);
        let (mut plans, mut decided) = (Vec::new(), Vec::new());
        for (file, mut input) in files.iter().zip(inputs) {
            if let Some(table) = &file.table {
                input = input.needing(of_rows.get_conditions());
                let places = input.places();
                let schema: PySchema = table.getattr(py, "schema")?.extract(py)?;
                let schema = schema.into_inner();
                let names: Vec<_> = places.iter().map(|&at| schema.field(at).name()).collect();
                table.setattr(py, "columns", names)?;
                input = input.of_places();
                let path = file.path.display();
                decided.extend(input.decided().map(|said| format!("{path}: {said}")));
            }
            let plan = of_rows.plan(&input).map_err(|error| raise(file, error))?;
            if file.table.is_some() {
                file.check_labels(&plan).map_err(|failed| failed.raised(py, None))?;
            }
            plans.push(Arc::new(plan));
        }
        let boards = if has.contains(Field::Castling) && has.contains(Field::EnPassant) {
            Input::boards_with_state()
        } else {
            Input::boards(true)
        };
        let threads =
            threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
        let of_batch = query.get().all_rows().clone().conditions([]).threads(Some(threads));
        let plan = |columns: &[Column]| {
            let query = of_batch.clone().columns(columns.iter().copied());
            let plan = (!columns.is_empty()).then(|| query.plan(&boards)).transpose();
            plan.map_err(|error| raised(py, error))
        };
        let of_query = &query.get().columns;
        let (_, of_columns) = of_query.split_at(if has_features { 2 } else { 0 });
        let columns = plan(of_columns)?;
        let no_array = |column: &&Column| {
            let data_type = column.data_type(false);
            !matches!(column.shape(), setwise::Shape::Value) || !data_type.is_numeric()
        };
        if let Some(column) = of_columns.iter().find(no_array) {
            return Err(wrong(format!(
                "column `{column}` holds no single numbers: batches have no place for it"
            )));
        }
        let options = Options {
            batch: batch_size,
            buffer: shuffle,
            seed: (shuffle > 0).then_some(seed),
            epochs,
            spills: spills.map(|(paths, stay)| Spills { paths, stay }),
            shard,
            one_in,
            sample_seed: mix(seed ^ 2),
            sampling,
            tallies,
            threads,
            drop_last,
            padded,
            is_mover,
            conditions: query.get().conditions,
        };
        let over = epochs == Some(0) || files.is_empty();
        let counts = Counts { left_out: vec![0; query.get().conditions + 1], ..Counts::default() };
        Ok(Self(Mutex::new(Core {
            steering: options.sampling.steering(),
            options,
            files,
            has_found: false,
            plans,
            features: query.get().feature_set.filter(|_| has_features),
            kernel: query.get().kernel,
            columns,
            // Those of two batches; and of the two sides in each part of one.
            pool: Pool::new(4),
            parts: Pool::new(2 * inputs::PARTS * threads),
            has,
            start: 0,
            goes_on: true,
            epoch: 0,
            order: None,
            pending: VecDeque::new(),
            rows: Vec::new(),
            first: (u64::MAX, 0),
            units: VecDeque::new(),
            shuffled: Vec::new(),
            batch: 0,
            over,
            is_empty: true,
            counts,
            batches: 0,
            decided,
        })))
    }

    /// Begins the next epoch, or the one given, unless the loader has just been set to a place, from where it goes on.
    #[pyo3(signature = (epoch=None))]
    fn begin_loop(&self, py: Python<'_>, epoch: Option<u64>) {
        py.detach(|| {
            let mut core = self.core();
            if !core.goes_on || epoch.is_some() {
                core.start = epoch.unwrap_or(core.epoch + u64::from(!core.over));
                let start = core.start;
                core.begin_epoch(start);
                core.goes_on = true;
            }
        });
    }

    /// The next batch as a dictionary of arrays, or ``None`` at the end.
    fn next_batch<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let (made, has, padded, pool) = py.detach(|| {
            let mut core = self.core();
            core.goes_on = false;
            let made = core.next();
            (made, core.has, core.options.padded, core.pool.clone())
        });
        let made = made.map_err(|failed| failed.raised(py, padded))?;
        let Some((made, columns)) = made else { return Ok(None) };
        let batch = PyDict::new(py);
        let Made { turn, piece_count, score, result, ply, played, inputs } = made;
        if let Some(both) = inputs {
            let array = |inputs| -> PyResult<Bound<'py, PyAny>> {
                Ok(match inputs {
                    Inputs::Rows(rows) => {
                        let width = padded.unwrap_or(1);
                        let shape = [rows.len() / width, width];
                        pool.array(py, rows, shape)?.into_any()
                    }
                    Inputs::Lists(offsets, items) => {
                        let count = items.len();
                        let items = pool.array(py, items, [count])?;
                        (PyArray1::from_vec(py, offsets), items).into_pyobject(py)?.into_any()
                    }
                })
            };
            let [first, second] = both;
            batch.set_item("inputs", (array(first)?, array(second)?))?;
        }
        batch.set_item("turn", PyArray1::from_vec(py, turn))?;
        batch.set_item("piece_count", PyArray1::from_vec(py, piece_count))?;
        if has.contains(Field::Score) {
            batch.set_item("score", PyArray1::from_vec(py, score))?;
        }
        if has.contains(Field::Result) {
            batch.set_item("result", PyArray1::from_vec(py, result))?;
        }
        if has.contains(Field::Ply) {
            batch.set_item("ply", PyArray1::from_vec(py, ply))?;
        }
        if has.contains(Field::Move) {
            batch.set_item("move", PyArray1::from_vec(py, played))?;
        }
        let names = self.with_core(py, |core| {
            let columns = core.columns.iter().flat_map(Plan::columns);
            columns.copied().collect::<Vec<_>>()
        });
        for (column, array) in names.into_iter().zip(columns) {
            batch.set_item(column.name(), array_of(py, column, &array)?)?;
        }
        Ok(Some(batch))
    }

    /// Goes on without making batches: to behind so many. False if there are not so many.
    fn skip(&self, py: Python<'_>, batches: u64) -> PyResult<bool> {
        let (outcome, padded) = py.detach(|| {
            let mut core = self.core();
            core.goes_on = true;
            let padded = core.options.padded;
            for _ in 0..batches {
                match core.next_rows() {
                    Ok(Some(_)) => {}
                    Ok(None) => return (Ok(false), padded),
                    Err(failed) => return (Err(failed), padded),
                }
            }
            (Ok(true), padded)
        });
        outcome.map_err(|failed| failed.raised(py, padded))
    }

    /// First epoch of the loop, epoch, first unit of the filling, row of the unit, batch of the filling, all batches so far;
    /// the counts; and the steering before the unit.
    #[allow(clippy::type_complexity, reason = "a tuple for Python")]
    fn state(
        &self,
        py: Python<'_>,
    ) -> ((u64, u64, u64, usize, u64, u64), CountsForPython, Option<Vec<f64>>) {
        self.with_core(py, |core| {
            let mut counts = core.counts.clone();
            core.units.iter().for_each(|unit| counts.subtract(&unit.counts));
            let (unit, row) = core.first;
            // At the end of a loop, that is the start of the next.
            let start = if core.over { core.epoch } else { core.start };
            let place = (start, core.epoch, unit, row, core.batch, core.batches);
            let steering = core.units.front().and_then(|unit| unit.before.as_ref());
            (place, counts.for_python(), steering.map(Steering::state))
        })
    }

    /// Goes on where a loader with the same arguments was in this state.
    fn resume(
        &self,
        py: Python<'_>,
        place: (u64, u64, u64, usize, u64, u64),
        counts: CountsForPython,
        steering: Option<Vec<f64>>,
    ) -> PyResult<()> {
        let (start, epoch, unit, row, batch, batches) = place;
        let outcome = py.detach(|| {
            let mut core = self.core();
            (core.start, core.goes_on) = (start, true);
            core.begin_epoch(epoch);
            core.counts = Counts::from_python(counts);
            core.batches = batches;
            core.is_empty = unit == u64::MAX;
            if unit == u64::MAX || core.over {
                return Ok(true);
            }
            if let Some(start) = core.steering.take() {
                core.steering = steering.and_then(|state| start.at(&state));
                if core.steering.is_none() {
                    core.begin_epoch(epoch);
                    return Ok(false);
                }
            }
            // Everything before the unit is drawn and not decoded.
            let core = &mut *core;
            while core.order.as_ref().map_or(0, Order::next_number) < unit {
                if core.draw()?.is_none() {
                    break;
                }
            }
            core.fill(row)?;
            core.batch = batch;
            Ok(true)
        });
        match outcome.map_err(|failed: Failed| failed.raised(py, None))? {
            true => Ok(()),
            false => Err(wrong("the state does not have the counts of its sampling".to_owned())),
        }
    }

    /// The epoch of the next batch, unless it is the first of the one after it.
    #[getter]
    fn epoch(&self, py: Python<'_>) -> u64 {
        self.with_core(py, |core| core.epoch)
    }

    /// Where the labels of tables come from, and for which side.
    #[getter]
    fn decided(&self, py: Python<'_>) -> Vec<String> {
        self.with_core(py, |core| core.decided.clone())
    }

    /// How many rows each condition left out, and how many lack a label; how many were not chosen by chance; how many
    /// were invalid; how many the sampling left out by outcome, ply and pieces; rows seen and kept by ply, pieces, result.
    #[getter]
    fn counts(&self, py: Python<'_>) -> CountsForPython {
        self.with_core(py, |core| core.counts.clone()).for_python()
    }

    /// The files whose units are in the order of the file if they may not be kept elsewhere.
    fn streams(&self, py: Python<'_>) -> Vec<PathBuf> {
        self.with_core(py, |core| {
            let streams = core.files.iter().filter(|file| file.needs_spill());
            streams.map(|file| file.path.clone()).collect()
        })
    }
}

impl Loader {
    /// Looks at the loader without the GIL, for which whoever has the loader may be waiting.
    fn with_core<T: Send>(&self, py: Python<'_>, look: impl FnOnce(&Core) -> T + Send) -> T {
        py.detach(|| look(&self.core()))
    }

    fn core(&self) -> std::sync::MutexGuard<'_, Core> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A column of numbers as a writable array, with -1 for nulls.
fn array_of<'py>(py: Python<'py>, column: Column, array: &ArrayRef) -> PyResult<Bound<'py, PyAny>> {
    use arrow_array::types::{
        Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
    };
    use arrow_schema::DataType;
    fn of<'py, T: ArrowPrimitiveType<Native: Element>>(
        py: Python<'py>,
        array: &ArrayRef,
        null: Option<T::Native>,
    ) -> Bound<'py, PyAny> {
        let array = array.as_primitive::<T>();
        match null.filter(|_| array.null_count() > 0) {
            Some(null) => {
                PyArray1::from_iter(py, array.iter().map(|value| value.unwrap_or(null))).into_any()
            }
            None => PyArray1::from_slice(py, array.values()).into_any(),
        }
    }
    Ok(match array.data_type() {
        // All eight bits count, but where there are nulls.
        DataType::Int8 if column.data_type(false) == DataType::UInt8 && !column.is_nullable() => {
            let bytes = array.as_primitive::<Int8Type>().values();
            PyArray1::from_iter(py, bytes.iter().map(|byte| byte.cast_unsigned())).into_any()
        }
        DataType::UInt8 => of::<UInt8Type>(py, array, None),
        DataType::UInt16 => of::<UInt16Type>(py, array, None),
        DataType::UInt32 => of::<UInt32Type>(py, array, None),
        DataType::UInt64 => of::<UInt64Type>(py, array, None),
        DataType::Int8 => of::<Int8Type>(py, array, Some(-1)),
        DataType::Int16 => of::<Int16Type>(py, array, Some(-1)),
        DataType::Int32 => of::<Int32Type>(py, array, Some(-1)),
        DataType::Int64 => of::<Int64Type>(py, array, Some(-1)),
        other => return Err(wrong(format!("a column of {other}"))),
    })
}
