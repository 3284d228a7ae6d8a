//! Tables in, tables out: which column holds the positions, which others are passed through, and what the
//! schema is before the first batch has come.

use std::fmt;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, RecordBatch, RecordBatchOptions};
use arrow_buffer::BooleanBufferBuilder;
use arrow_schema::{DataType, Field, FieldRef, Schema, SchemaRef};
use arrow_select::filter::FilterBuilder;
use setwise_formats::Fields;

use crate::error::Error;
use crate::make::{OfText, Output, TEXT};
use crate::maps::Maps;
use crate::text::is_text;

/// Which columns of the input stand in the output too, before those that are computed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// All of them, the positions' text included, in their order.
    #[default]
    All,
    /// None.
    None,
    /// These, in this order.
    Named(Vec<String>),
}

/// How batches of one schema become batches of another.
///
/// Columns that are kept are the same arrays: nothing of them is touched, unless rows are
/// [dropped](crate::OnBad::Drop). A plan can be shared by threads, each with a batch or a slice of one.
///
/// ```
/// use std::sync::Arc;
/// use arrow_array::{ArrayRef, Int32Array, RecordBatch, StringArray};
/// use setwise_table::{Keep, Maps, Plan};
///
/// let puzzles = RecordBatch::try_from_iter([
///     ("FEN", Arc::new(StringArray::from(vec!["4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"])) as ArrayRef),
///     ("Rating", Arc::new(Int32Array::from(vec![1500]))),
/// ])?;
/// let maps = Maps::default().columns(["checkers".parse()?, "white_mobility_king".parse()?]);
/// let plan = Plan::new(maps, &puzzles.schema(), None, &Keep::All)?;
/// let output = plan.maps(&puzzles)?;
/// assert_eq!(output.batch.schema(), *plan.schema());
/// let names: Vec<_> = plan.schema().fields().iter().map(|field| field.name().as_str()).collect();
/// assert_eq!(names, ["FEN", "Rating", "checkers", "white_mobility_king"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    maps: Maps,
    input: SchemaRef,
    /// The place of the positions' text.
    fen: usize,
    /// The places of the columns that are kept.
    kept: Vec<usize>,
    output: SchemaRef,
}

impl Plan {
    /// A plan for batches of a schema. Without `fen`, the positions are in the column of this name in
    /// whatever capitals; where there are several, in the one that is `fen` exactly.
    ///
    /// The output's schema keeps the input's metadata.
    ///
    /// # Errors
    /// If a column is not there, or holds no text; if several are called `fen` and none exactly; or if two
    /// columns of the output would have one name.
    pub fn new(
        maps: Maps,
        input: &SchemaRef,
        fen: Option<&str>,
        keep: &Keep,
    ) -> Result<Self, Error> {
        maps.check(Fields::FEN)?;
        let (fen, kept) = places(input, fen, keep)?;
        for &place in &kept {
            let name = input.field(place).name();
            if maps.has(name) {
                return Err(Error::Twice { name: name.clone() });
            }
        }
        let field = input.field(fen);
        let of_input = kept.iter().map(|&place| input.fields()[place].clone());
        let computed = maps.fields(may_be_null(field));
        let fields: Vec<FieldRef> = of_input.chain(computed.iter().cloned()).collect();
        let output = Arc::new(Schema::new_with_metadata(fields, input.metadata().clone()));
        Ok(Self { maps, input: input.clone(), fen, kept, output })
    }

    /// The places of the columns that such a plan reads: those that are kept, and the positions. Whoever
    /// reads no others from a file can make the plan for those alone.
    ///
    /// # Errors
    /// If a column is not there, is asked for twice or holds no text where that is needed; if several are
    /// called `fen` and none exactly.
    pub fn reads(input: &Schema, fen: Option<&str>, keep: &Keep) -> Result<Vec<usize>, Error> {
        let (fen, mut places) = places(input, fen, keep)?;
        if !places.contains(&fen) {
            places.push(fen);
        }
        places.sort_unstable();
        Ok(places)
    }

    /// The schema of all batches that come out.
    #[must_use]
    pub fn schema(&self) -> &SchemaRef {
        &self.output
    }

    /// How many of the columns are computed; they come last.
    #[must_use]
    pub fn computed(&self) -> usize {
        self.output.fields().len() - self.kept.len()
    }

    /// Whether rows that are bad are missing in the output.
    #[must_use]
    pub fn drops(&self) -> bool {
        self.maps.drops()
    }

    /// The name of the column that holds the positions.
    #[must_use]
    pub fn fen(&self) -> &str {
        self.input.field(self.fen).name()
    }

    /// The columns of a batch: those that are kept, then the computed ones.
    ///
    /// # Errors
    /// If the batch has another schema, or at the first bad row if these stop.
    pub fn maps(&self, batch: &RecordBatch) -> Result<Output, Error> {
        self.check(batch)?;
        let text = batch.column(self.fen);
        let OfText { columns, rows, bad, computing } =
            self.maps.columns_of_text(text, Some(self.fen()))?;
        let kept: Vec<ArrayRef> =
            self.kept.iter().map(|&place| batch.column(place).clone()).collect();
        let kept = if self.maps.drops() && !bad.is_empty() {
            let mut good = BooleanBufferBuilder::new(batch.num_rows());
            good.append_n(batch.num_rows(), true);
            bad.iter().for_each(|bad| good.set_bit(bad.row, false));
            let filter = FilterBuilder::new(&BooleanArray::new(good.finish(), None));
            let filter = if kept.len() > 1 { filter.optimize() } else { filter }.build();
            kept.iter().map(|column| filter.filter(column)).collect::<Result<_, _>>()?
        } else {
            kept
        };
        let columns = kept.into_iter().chain(columns).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        let batch = RecordBatch::try_new_with_options(self.output.clone(), columns, &options)?;
        Ok(Output { batch, bad, computing })
    }

    /// Fails if a batch has other columns than this plan is for. Their metadata does not matter.
    fn check(&self, batch: &RecordBatch) -> Result<(), Error> {
        let found = batch.schema_ref();
        if Arc::ptr_eq(found, &self.input) {
            return Ok(());
        }
        let (found, expected) = (found.fields(), self.input.fields());
        if found.len() != expected.len() {
            let difference = format!("{} of them, expected {}", found.len(), expected.len());
            return Err(Error::Schema { difference });
        }
        for (found, expected) in found.iter().zip(expected) {
            let same = found.name() == expected.name()
                && found.data_type() == expected.data_type()
                && (!found.is_nullable() || expected.is_nullable());
            if !same {
                let difference = format!("{}, expected {}", Shown(found), Shown(expected));
                return Err(Error::Schema { difference });
            }
        }
        Ok(())
    }
}

/// A field as an error names it.
struct Shown<'a>(&'a Field);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' of {}", self.0.name(), self.0.data_type())?;
        f.write_str(if self.0.is_nullable() { "" } else { " without nulls" })
    }
}

/// Whether some row may have no text. A field's word does not cover a dictionary's values.
fn may_be_null(field: &Field) -> bool {
    field.is_nullable() || matches!(field.data_type(), DataType::Dictionary(..))
}

fn names(schema: &Schema) -> Vec<String> {
    schema.fields().iter().map(|field| field.name().clone()).collect()
}

/// The place of the positions, which is a column of text, and those of the columns that are kept.
fn places(input: &Schema, fen: Option<&str>, keep: &Keep) -> Result<(usize, Vec<usize>), Error> {
    let fen = match fen {
        Some(name) => find(input, name)?,
        None => find_fen(input)?,
    };
    let field = input.field(fen);
    if !is_text(field.data_type()) {
        return Err(Error::Type {
            column: field.name().clone(),
            found: field.data_type().clone(),
            expected: TEXT,
        });
    }
    let kept: Vec<usize> = match keep {
        Keep::All => (0..input.fields().len()).collect(),
        Keep::None => Vec::new(),
        Keep::Named(names) => {
            names.iter().map(|name| find(input, name)).collect::<Result<_, _>>()?
        }
    };
    match (0..kept.len()).find(|&i| kept[..i].contains(&kept[i])) {
        Some(again) => Err(Error::Twice { name: input.field(kept[again]).name().clone() }),
        None => Ok((fen, kept)),
    }
}

/// The place of a column with this very name.
fn find(schema: &Schema, name: &str) -> Result<usize, Error> {
    let missing = || Error::NoColumn { name: name.to_owned(), columns: names(schema) };
    schema.fields().iter().position(|field| field.name() == name).ok_or_else(missing)
}

/// The place of the column that is called `fen`.
fn find_fen(schema: &Schema) -> Result<usize, Error> {
    let is_fen = |name: &String| name.eq_ignore_ascii_case("fen");
    if let Ok(exactly) = find(schema, "fen") {
        return Ok(exactly);
    }
    let mut found = names(schema).into_iter().filter(is_fen);
    match (found.next(), found.next()) {
        (None, _) => Err(Error::NoFen { columns: names(schema) }),
        (Some(name), None) => find(schema, &name),
        (Some(_), Some(_)) => {
            Err(Error::SeveralFens { columns: names(schema).into_iter().filter(is_fen).collect() })
        }
    }
}
