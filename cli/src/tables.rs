//! Pieces of tables and of packed records to rows with columns, on any thread.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use arrow::array::{
    Array, ArrayRef, Int64Array, RecordBatch, RecordBatchOptions, StringBuilder, UInt64Array,
};
use arrow::buffer::ScalarBuffer;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use setwise::Kernel;
use setwise_formats::Records;
use setwise_table::{Error, Given, Keep, Maps, Plan};

use crate::columns::{self, Column};
use crate::import::{self, Item, Kind, Read, ReadRecords, Taker};
use crate::lines::{BadLine, NoRows, OnBad};

/// What is to be made of the pieces.
pub(crate) struct Tables {
    /// The names of the inputs.
    names: Vec<String>,
    how: How,
    on_bad: OnBad,
    without_nulls: Option<&'static str>,
    /// The columns that are not computed but inserted, with their places in the output, in order.
    inserted: Vec<(usize, Column)>,
    schema: SchemaRef,
}

enum How {
    Table(Plan),
    Records(Maps, setwise_formats::Format),
}

/// What the user asks for.
pub(crate) struct Asked {
    pub(crate) columns: Vec<Column>,
    pub(crate) keep: Keep,
    pub(crate) fen: Option<String>,
    pub(crate) kernel: Kernel,
    pub(crate) chunk: usize,
    pub(crate) signed: bool,
    pub(crate) on_bad: OnBad,
    /// Whether bad rows stay, with nulls.
    pub(crate) null: bool,
    /// The output's format, if it cannot hold nulls.
    pub(crate) without_nulls: Option<&'static str>,
}

impl Tables {
    pub(crate) fn new(names: Vec<String>, kind: &Kind, asked: &Asked) -> Result<Self> {
        let Asked { signed, on_bad, .. } = *asked;
        if let Some(column) = asked.columns.iter().find(|column| **column == Column::Rest) {
            bail!("column '{}' is for text, line by line", column.name());
        }
        let (mut columns, mut keep) = (asked.columns.clone(), asked.keep.clone());
        if let Kind::Table(schema) = kind
            && columns.contains(&Column::Fen)
        {
            // It is there already: a column to keep.
            columns.retain(|column| *column != Column::Fen);
            let fen =
                Plan::reads(schema, asked.fen.as_deref(), &Keep::None).map_err(import::explain)?;
            let fen = schema.field(fen[0]).name();
            match &mut keep {
                Keep::All => {}
                Keep::None => keep = Keep::Named(vec![fen.clone()]),
                Keep::Named(names) if names.contains(fen) => {}
                Keep::Named(names) => names.insert(0, fen.clone()),
            }
        }
        let columns = &columns;
        let maps = Maps::default().kernel(asked.kernel).chunk(asked.chunk).signed(signed).on_bad(
            match on_bad {
                _ if asked.null => setwise_table::OnBad::Null,
                OnBad::Stop => setwise_table::OnBad::Stop,
                OnBad::Skip | OnBad::Keep => setwise_table::OnBad::Drop,
            },
        );
        let computed = columns.iter().filter_map(|column| column.of_table());
        let (how, before, of_input) = match kind {
            Kind::Table(schema) => {
                let maps = maps.columns(computed);
                let plan = Plan::new(maps, schema, asked.fen.as_deref(), &keep)
                    .map_err(import::explain)?;
                let schema = plan.schema().clone();
                let before = schema.fields().len() - plan.computed();
                (How::Table(plan), before, schema)
            }
            Kind::Records(format) => {
                let kept = kept(*format, &keep, columns)?;
                let kept: Vec<_> = kept.into_iter().map(setwise_table::Column::from).collect();
                let before = kept.len();
                let maps = maps.columns(kept.into_iter().chain(computed));
                maps.records_builder(*format, 0).map_err(import::explain)?;
                let schema = Schema::new(maps.fields(false));
                (How::Records(maps, *format), before, Arc::new(schema))
            }
        };
        let inserted: Vec<_> = columns
            .iter()
            .enumerate()
            .filter(|(_, column)| column.of_table().is_none())
            .map(|(place, column)| (before + place, *column))
            .collect();
        let mut fields: Vec<Arc<Field>> = of_input.fields().iter().cloned().collect();
        let own = columns::schema(columns, signed);
        for &(place, column) in &inserted {
            let field = own.field_with_name(column.name())?.clone();
            if fields.iter().any(|other| other.name() == field.name()) {
                return Err(import::explain(Error::Twice { name: field.name().clone() }));
            }
            fields.insert(place, Arc::new(field));
        }
        let mut metadata = own.metadata().clone();
        metadata.extend(of_input.metadata().clone());
        let schema = Arc::new(Schema::new_with_metadata(fields, metadata));
        let without_nulls = asked.without_nulls;
        Ok(Self { names, how, on_bad, without_nulls, inserted, schema })
    }

    /// The schema of all rows.
    pub(crate) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The names of the columns that come from the input and hold one value a row.
    pub(crate) fn kept(&self) -> impl Iterator<Item = String> {
        let computed = match &self.how {
            How::Table(plan) => plan.computed(),
            How::Records(..) => 0,
        };
        let kept = self.schema.fields().len() - computed - self.inserted.len();
        let flat = |field: &&Arc<Field>| !field.data_type().is_nested();
        self.schema.fields()[..kept].iter().filter(flat).map(|field| field.name().clone())
    }

    /// The rows of a piece, what became of the others, and how long the kernel took.
    pub(crate) fn run(&self, item: Item) -> Result<(RecordBatch, NoRows, Duration)> {
        let Item { input, row, piece } = item;
        let name = &self.names[input];
        let cannot_read = || format!("cannot read {name}");
        match (&self.how, piece.read) {
            (How::Table(plan), Read::Table(read)) => {
                let batch = read().with_context(cannot_read)?;
                self.of_table(plan, name, row, &batch).with_context(cannot_read)
            }
            (How::Records(maps, format), Read::Records(read)) => {
                self.of_records(maps, *format, name, piece.rows, read).with_context(cannot_read)
            }
            _ => Err(anyhow!("it is not what the first input is")).with_context(cannot_read),
        }
    }

    fn of_table(
        &self,
        plan: &Plan,
        name: &str,
        row: u64,
        batch: &RecordBatch,
    ) -> Result<(RecordBatch, NoRows, Duration)> {
        let bad_line = |bad: &setwise_table::BadRow| {
            let number = row + bad.row as u64 + 1;
            let at = bad.error.column();
            let message = format!("{name}: row {number}, character {at}: {}", bad.error);
            BadLine::of_row(message, &bad.text, at)
        };
        let output = match plan.maps(batch) {
            Ok(output) => output,
            Err(Error::Bad { bad, .. }) => {
                let rest = NoRows { bad: 1, shown: vec![bad_line(&bad)], ..NoRows::default() };
                return Ok((RecordBatch::new_empty(self.schema.clone()), rest, Duration::ZERO));
            }
            Err(error) => return Err(import::explain(error)),
        };
        if let (Some(format), Some(column)) = (self.without_nulls, output.batch.columns().last())
            && let Some(null) = (0..column.len()).find(|&row| column.is_null(row))
        {
            // The rows before it in the output, and those that were dropped before it.
            let mut number = null;
            for bad in output.bad.iter().filter(|_| plan.drops()) {
                number += usize::from(bad.row <= number);
            }
            let number = row + number as u64 + 1;
            bail!("row {number} has no position, and a .{format} file cannot say so");
        }
        let dropped = output.bad.iter().map(|bad| bad.row);
        let dropped: Vec<_> = if plan.drops() { dropped.collect() } else { Vec::new() };
        let numbers = (0..batch.num_rows())
            .filter(|row| dropped.binary_search(row).is_err())
            .map(|at| row + at as u64 + 1);
        let numbers = numbers.collect();
        let shown = if self.on_bad == OnBad::Keep { usize::MAX } else { 1 };
        let rest = NoRows {
            bad: if plan.drops() { output.bad.len() as u64 } else { 0 },
            nulls: if plan.drops() { 0 } else { output.bad.len() as u64 },
            shown: output.bad.iter().take(shown).map(bad_line).collect(),
            ..NoRows::default()
        };
        let rows = output.batch.num_rows();
        let columns = output.batch.columns().to_vec();
        let batch = self.insert(columns, rows, numbers, None)?;
        Ok((batch, rest, output.computing))
    }

    fn of_records(
        &self,
        maps: &Maps,
        format: setwise_formats::Format,
        name: &str,
        rows: usize,
        read: ReadRecords,
    ) -> Result<(RecordBatch, NoRows, Duration)> {
        let mut builder = maps.records_builder(format, rows).map_err(import::explain)?;
        let wants = |column| self.inserted.iter().any(|(_, inserted)| *inserted == column);
        let (with_fen, with_line) = (wants(Column::Fen), wants(Column::Line));
        let (mut fens, mut numbers) = (StringBuilder::new(), Vec::new());
        let mut take = |batch: &Records, before: u64| {
            if with_fen {
                (0..batch.len()).for_each(|row| fens.append_value(batch.fen(row).to_string()));
            }
            if with_line {
                numbers.extend((before + 1..).take(batch.len()));
            }
            builder.append(batch).map_err(import::explain)
        };
        let mut rest = NoRows::default();
        let on_bad = self.on_bad;
        let mut bad = |message: String| {
            rest.bad += 1;
            if on_bad == OnBad::Keep || rest.shown.is_empty() {
                rest.shown.push(BadLine::of_row(format!("{name}: {message}"), "", 1));
            }
            if on_bad == OnBad::Stop { Err(anyhow!("to stop")) } else { Ok(()) }
        };
        let outcome = read(&mut Taker { take: &mut take, bad: &mut bad });
        if !(on_bad == OnBad::Stop && rest.bad > 0) {
            outcome?;
        }
        let (rows, computing) = (builder.len(), builder.computing());
        let batch = self.insert(builder.finish(), rows, numbers, Some(Arc::new(fens.finish())))?;
        Ok((batch, rest, computing))
    }

    /// Puts the columns that are not computed where they belong.
    fn insert(
        &self,
        mut columns: Vec<ArrayRef>,
        rows: usize,
        numbers: Vec<u64>,
        fens: Option<ArrayRef>,
    ) -> Result<RecordBatch> {
        let numbers = UInt64Array::from(numbers);
        for &(place, column) in &self.inserted {
            let array: ArrayRef = match (column, &fens) {
                (Column::Line, _) if *self.schema.field(place).data_type() == DataType::Int64 => {
                    Arc::new(Int64Array::new(
                        ScalarBuffer::new(numbers.values().inner().clone(), 0, rows),
                        None,
                    ))
                }
                (Column::Line, _) => Arc::new(numbers.clone()),
                (Column::Fen, Some(fens)) => fens.clone(),
                _ => unreachable!("'{}' is computed, or kept", column.name()),
            };
            columns.insert(place, array);
        }
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        Ok(RecordBatch::try_new_with_options(self.schema.clone(), columns, &options)?)
    }
}

/// What is kept of packed records besides what is asked for anyway.
fn kept(format: setwise_formats::Format, keep: &Keep, columns: &[Column]) -> Result<Vec<Given>> {
    let all = Given::of(format);
    let name = |given: &Given| setwise_table::Column::from(*given).name();
    Ok(match keep {
        Keep::All => {
            let asked = |given: &Given| {
                columns.iter().any(|column| column.of_table() == Some((*given).into()))
            };
            all.into_iter().filter(|given| !asked(given)).collect()
        }
        Keep::None => Vec::new(),
        Keep::Named(names) => {
            let find = |wanted: &String| {
                all.iter().copied().find(|given| name(given) == wanted).ok_or_else(|| {
                    let columns = all.iter().map(|given| name(given).to_owned()).collect();
                    import::explain(Error::NoColumn { name: wanted.clone(), columns })
                })
            };
            names.iter().map(find).collect::<Result<_>>()?
        }
    })
}
