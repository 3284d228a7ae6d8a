//! Queries: the columns to compute, the options, and the handling of invalid rows. A [`Query`] is compiled once for the
//! description of a source into a [`Plan`].

use std::collections::HashSet;
use std::sync::Arc;

use arrow_schema::{FieldRef, Schema, SchemaRef};
use setwise::Kernel;
use setwise_nnue::FeatureSet;

use crate::column::{Column, InputColumn};
use crate::condition::Condition;
use crate::error::Error;
use crate::filter::{Filter, Place};
use crate::input::Input;
use crate::label_columns::{LabelColumns, includes};
use crate::labels::OnMissing;
use crate::threads::CHUNK;

/// The handling of invalid rows. A row without text is not invalid: it has nulls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnInvalid {
    /// Fail at the first invalid row.
    #[default]
    Stop,
    /// Report the row and skip it, with all its columns.
    Skip,
    /// Report the row, and write nulls to its computed columns.
    Null,
    /// Report the game, and keep its positions up to the error. Only for games; `Null` is only for other rows.
    Keep,
}

/// The labels of tables; other inputs have only the first two.
const LABELS: [InputColumn; 3] = [InputColumn::Score, InputColumn::Result, InputColumn::Move];

/// Generates [`Query`] from its lists and options, each with its default and a method that sets it.
macro_rules! query {
    (
        $(#[$query:meta])* pub struct Query;
        lists { $($(#[$about:meta])* $list:ident: $item:ty = $first:expr;)* }
        options { $($(#[$doc:meta])* $name:ident: $type:ty = $default:expr;)* }
    ) => {
        $(#[$query])*
        #[derive(Clone, Debug)]
        pub struct Query {
            $(pub(crate) $list: Vec<$item>,)*
            $(pub(crate) $name: $type,)*
        }

        impl Default for Query {
            fn default() -> Self {
                Self { $($list: $first,)* $($name: $default,)* }
            }
        }

        impl Query {
            $(
                $(#[$about])*
                #[must_use]
                pub fn $list(mut self, $list: impl IntoIterator<Item = $item>) -> Self {
                    self.$list = $list.into_iter().collect();
                    self
                }
            )*
            $(
                $(#[$doc])*
                #[must_use]
                pub fn $name(mut self, $name: $type) -> Self {
                    self.$name = $name;
                    self
                }
            )*
        }
    };
}

query! {
    /// The columns to compute for positions, and the options.
    ///
    /// The default query computes the library's sixteen attack maps as unsigned integers, with the fastest backend and
    /// one thread per processor, and fails at the first invalid row.
    ///
    /// ```
    /// use arrow_array::StringArray;
    /// use setwise_table::{Input, OnInvalid, Query};
    /// let query = Query::default().columns(["white_all".parse()?]).on_invalid(OnInvalid::Skip);
    /// let plan = query.plan(&Input::column())?;
    /// let fens = StringArray::from(vec!["4k3/8/8/8/8/8/8/4K3 w - -", "no position"]);
    /// let output = plan.text(&fens)?;
    /// assert_eq!((output.batch.num_rows(), output.report.invalid), (1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub struct Query;

    lists {
        /// Computes these columns, in this order.
        columns: Column = setwise::Column::DEFAULT.iter().map(|&column| column.into()).collect();
        /// Leaves out these of the columns if the input lacks them, unless it lacks all columns.
        optional: Column = Vec::new();
        /// Requests these labels (score, result, move) for [records](Plan::keep).
        labels: InputColumn = Vec::new();
        /// Drops rows for which one of these conditions is not true. A condition can name any column of the input,
        /// including columns that are neither requested nor passed through. Conditions are evaluated in order, before
        /// anything else is computed for a row, and each row is counted for the first condition that drops it.
        conditions: Condition = Vec::new();
        /// Adds metadata to the schema; metadata of the input takes precedence.
        metadata: (String, String) = Vec::new();
    }

    options {
        /// The feature set of the columns that need one.
        feature_set: Option<&'static FeatureSet> = None;
        /// The backend that computes the columns.
        kernel: Kernel = Kernel::detect();
        /// Writes signed integers with the same bits, for programs without unsigned integers (Spark, Java). The square
        /// h8 becomes the sign.
        signed: bool = false;
        /// The handling of invalid rows.
        on_invalid: OnInvalid = OnInvalid::Stop;
        /// The handling of rows without a score or a result that is requested as a column or as a label.
        on_missing: OnMissing = OnMissing::Null;
        /// Drops positions without a move, such as the last one of a game.
        moves_only: bool = false;
        /// Fails at a line with text after the position, unless this text is requested, with the error `what follows the
        /// position would be lost; {advice}`.
        bare: Option<&'static str> = None;
        /// For outputs with clocks: fails at a text position without a halfmove clock or move number instead of
        /// assuming 0 and 1, with the error `expected a halfmove clock and a move number, and {reason}`.
        with_clocks: Option<&'static str> = None;
        /// For plies: treats a text position without a move number as a row without a position, instead of assuming 1.
        with_move_numbers: bool = false;
        /// Describes every invalid row in the report, not only the first of each part.
        report_all: bool = false;
        /// For outputs without nulls: skips rows without a position if invalid rows are skipped, and fails otherwise,
        /// with the error `row 7 has no position, and {reason}`.
        without_nulls: Option<&'static str> = None;
        /// The number of threads that compute, by default one per processor: from 1 to [`MAX_THREADS`](crate::MAX_THREADS);
        /// other numbers mean the nearest of these.
        threads: Option<usize> = None;
        /// The number of rows in a part, the unit of work of a thread. The default depends on the output. 0 means 1.
        part_rows: Option<usize> = None;
        /// The number of positions that are read before their columns are computed. It affects only speed: the default
        /// of 2,048 keeps the positions in the cache. 0 means 1.
        chunk_rows: usize = CHUNK;
    }
}

impl Query {
    /// The conditions.
    #[must_use]
    pub fn get_conditions(&self) -> &[Condition] {
        &self.conditions
    }

    /// Compiles the query for sources with this description.
    ///
    /// # Errors
    /// If a column is not available from the input, if the output would contain a column twice, if a column lacks its
    /// feature set, or if a condition names a column that does not exist or compares it with a value of another type.
    pub fn plan(&self, input: &Input) -> Result<Plan, Error> {
        let (mut query, mut input) = (self.clone(), input.clone());
        query.chunk_rows = query.chunk_rows.max(1);
        query.part_rows = query.part_rows.map(|rows| rows.max(1));
        let mut columns = self.columns.clone();
        if columns.iter().any(|&column| input.is_available(column)) {
            columns
                .retain(|&column| input.is_available(column) || !self.optional.contains(&column));
        }
        // A column that is requested by name is not also passed through, but stays among the requested columns.
        let is_requested = |column: &InputColumn| columns.contains(&Column::Input(*column));
        let fen = input.fen.filter(|_| is_requested(&InputColumn::Fen));
        let is_written = |label: &&InputColumn| {
            let is_read = input.labels.as_ref().is_some_and(|labels| labels.has(**label));
            is_read && (is_requested(label) || input.leading.contains(label))
        };
        let labels = LABELS.iter().filter(is_written);
        let labels: Vec<_> = labels.map(|&label| Column::Input(label).name()).collect();
        let is_label = |place| labels.contains(&input.schema.field(place).name().as_str());
        input.passed.retain(|&place| fen != Some(place) && !is_label(place));
        input = input.needing(&self.conditions);
        let is_needed = |label: InputColumn| {
            (is_requested(&label) || input.leading.contains(&label) || self.labels.contains(&label))
                && input.has(label)
        };
        let required = [InputColumn::Score, InputColumn::Result].map(is_needed);
        let mut conditions = self.conditions.clone();
        for (required, condition) in
            required.into_iter().zip(["score is not null", "result is not null"])
        {
            if required && self.on_missing == OnMissing::Skip {
                conditions.push(condition.parse().expect("a condition"));
            }
        }
        let filter = Filter::new(&conditions, &input)?;
        let leading = input
            .leading
            .iter()
            .filter(|column| !is_requested(column))
            .map(|&column| column.into());
        query.columns = leading.chain(columns.iter().copied()).collect();
        query.check(&input)?;
        let nullable =
            input.nullable || self.on_invalid == OnInvalid::Null || self.with_move_numbers;
        let field = |&column: &Column| {
            let nullable = nullable || input.is_null(column);
            Arc::new(column.field(self.signed, nullable, self.feature_set))
        };
        let fields: Vec<FieldRef> =
            input.passed().cloned().chain(query.columns.iter().map(field)).collect();
        let mut seen = HashSet::new();
        if let Some(again) = fields.iter().find(|field| !seen.insert(field.name().as_str())) {
            return Err(Error::Twice(again.name().clone()));
        }
        let mut metadata: std::collections::HashMap<_, _> = self.metadata.iter().cloned().collect();
        metadata.extend(input.schema.metadata().clone());
        let schema = Arc::new(Schema::new_with_metadata(fields, metadata));
        let texts = Vec::new();
        let mut plan = Plan { query, input, schema, filter, required, reads_labels: false, texts };
        let is_built = |column| Column::Input(column).is_text() && plan.builds(column);
        plan.texts = InputColumn::ALL.iter().copied().filter(|&column| is_built(column)).collect();
        let is_read = |column: &InputColumn| plan.reads(*column);
        let read: Vec<_> = InputColumn::ALL.iter().copied().filter(is_read).collect();
        let labels = if plan.input.labels.is_some() { &LABELS[..] } else { &LABELS[..2] };
        plan.reads_labels = read.iter().any(|column| includes(labels, *column));
        if let Some(labels) = &mut plan.input.labels {
            labels.keep(&read);
        }
        Ok(plan)
    }

    /// Checks the columns and policies of a query for an input.
    fn check(&self, input: &Input) -> Result<(), Error> {
        if let Some(&column) = self.columns.iter().find(|&&column| !input.is_available(column)) {
            return Err(Error::NotInInput(column));
        }
        let no_set = |column: &&Column| column.needs_feature_set() && self.feature_set.is_none();
        if let Some(&column) = self.columns.iter().find(no_set) {
            return Err(Error::NoFeatureSet(column));
        }
        match self.on_invalid {
            OnInvalid::Null if input.games => {
                let reason = "`null` is for rows, and the input has games: use `skip` or `keep`";
                return Err(Error::OnInvalid(reason));
            }
            OnInvalid::Keep if !input.games => {
                let reason = match self.without_nulls {
                    None => "`keep` is for games, and the input has rows: use `skip` or `null`",
                    Some(_) => "`keep` is for games, and the input has rows: use `skip`",
                };
                return Err(Error::OnInvalid(reason));
            }
            _ => {}
        }
        if let Some(reason) = self.without_nulls
            && self.on_missing == OnMissing::Null
            && let Some(&column) = self.columns.iter().find(|&&column| input.is_null(column))
        {
            return Err(Error::Nullable(column, reason));
        }
        Ok(())
    }
}

/// A query compiled for a kind of input. Threads can share it.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The query. Its columns begin with those that are passed through from records.
    pub(crate) query: Query,
    pub(crate) input: Input,
    pub(crate) filter: Filter,
    /// True if each row must have a score (first) and a result (second).
    pub(crate) required: [bool; 2],
    /// True if the output or a condition needs scores, results or the moves of a table.
    pub(crate) reads_labels: bool,
    /// The text columns that are built.
    pub(crate) texts: Vec<InputColumn>,
    schema: SchemaRef,
}

impl Plan {
    /// The description of the input.
    #[must_use]
    pub const fn input(&self) -> &Input {
        &self.input
    }

    /// The schema of the output: the columns that are passed through, then the computed ones.
    #[must_use]
    pub const fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The computed columns, in order. In the output they follow the columns that are passed through.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.query.columns
    }

    /// The number of columns that are passed through.
    #[must_use]
    pub fn passed(&self) -> usize {
        self.input.passed.len()
    }

    /// Returns whether a column is needed, as a label, for the output or for a condition.
    pub(crate) fn reads(&self, column: InputColumn) -> bool {
        self.query.labels.contains(&column) || self.builds(column)
    }

    /// Returns whether a column is needed for the output or for a condition.
    fn builds(&self, column: InputColumn) -> bool {
        let column = Column::Input(column);
        self.query.columns.contains(&column)
            || self.filter.columns.contains(&Place::Computed(column))
    }

    /// Returns whether a column can have nulls in rows that have a position.
    pub(crate) fn is_nullable(&self, column: Column) -> bool {
        column.is_nullable() || self.input.is_null(column)
    }

    /// Returns whether rows without a position are skipped like invalid rows.
    pub(crate) fn leaves_out_nulls(&self) -> bool {
        self.query.without_nulls.is_some() && self.query.on_invalid == OnInvalid::Skip
    }

    /// Checks the labels of all parts that were read: the encoding of results can be ambiguous.
    ///
    /// # Errors
    /// If results are numbers and a zero could be a draw or a loss.
    pub fn check_labels(&self) -> Result<(), Error> {
        match &self.input.labels {
            Some(labels) if self.reads_labels => labels.check(&self.input.schema, true),
            _ => Ok(()),
        }
    }

    /// Returns whether the rows that were read tell which numbers are losses, so that no further row is needed for that.
    #[must_use]
    pub fn knows_losses(&self) -> bool {
        !self.reads_labels || self.input.labels.as_ref().is_none_or(LabelColumns::knows_losses)
    }

    /// Lets the rows that were read decide about the results in a column of floats: after a -1, the zeros in all rows that
    /// are read from now on are draws. Otherwise they are losses.
    pub fn decide_zeros(&self) {
        self.input.labels.iter().for_each(LabelColumns::decide_zeros);
    }

    /// The name of the column of positions, if the input is a table.
    #[must_use]
    pub fn fen(&self) -> Option<&str> {
        self.input.fen.map(|place| self.input.schema.field(place).name().as_str())
    }
}
