//! Reads single parts on the calling thread.

use setwise::Fen;

use crate::cells::{Operands, Scalar};
use crate::column::{Column, InputColumn};
use crate::error::Error;
use crate::finished::{Output, Report};
use crate::input::Input;
use crate::labels::Label;
use crate::query::{Plan, Query};
use crate::rows::{Part, Receiver, Rows};
use crate::selection::RowFilter;

impl Plan {
    /// Computes the columns of a part on the calling thread.
    ///
    /// # Errors
    /// If the part cannot be read, or at the first invalid row if the query stops there.
    pub fn read<E: From<Error>>(&self, part: Part<'_, E>) -> Result<Output, E> {
        let (output, error) = self.read_until_error(part)?;
        error.map_or(Ok(output), Err)
    }

    /// Like [`Plan::read`], but returns the rows before an error together with the error.
    ///
    /// # Errors
    /// If Arrow rejects the columns.
    pub fn read_until_error<E: From<Error>>(
        &self,
        part: Part<'_, E>,
    ) -> Result<(Output, Option<E>), E> {
        let mut rows = Rows::new(self, part.rows, Vec::new());
        let error = (part.read)(&mut rows).err();
        Ok((rows.finish()?.into_output(self.schema())?, error))
    }

    /// Passes the positions of a part for which the conditions hold to `receiver`, a few thousand at a time, with all
    /// data of the source, and without computing columns.
    ///
    /// Scores and results of text, tables and games are included, for the side to move, if they are requested as
    /// [labels](Query::labels). The hashes of games are the second argument of `receiver`, if [`InputColumn::GameHash`]
    /// is requested. Rows without a position are dropped, and so are rows for which `row_filter` returns false.
    /// `row_filter` is called for every row in order, before conditions are evaluated. It sees unknown values as
    /// [`NO_SCORE`](setwise_formats::Records::NO_SCORE), [`NO_RESULT`](setwise_formats::Records::NO_RESULT) or `None`.
    /// Rows for which `steering` returns false are dropped, too. It is called last, with the number of pieces of every
    /// row that all else keeps, in order.
    ///
    /// # Errors
    /// If the part cannot be read, or at the first invalid row if the query stops there.
    ///
    /// ```
    /// use setwise_table::{Error, Input, Line, LineRun, Lines, Query};
    /// let text = b"4k3/8/8/8/8/8/8/4K3 w - - 0 1\n4k3/8/8/8/8/8/8/R3K3 b - - 0 1\n".to_vec();
    /// let runs = vec![LineRun { input: "two.fen".into(), first: 1, end: text.len() }];
    /// let lines = Lines { text, runs, count: 2 };
    /// let plan = Query::default().columns([]).conditions(["piece_count > 2".parse()?]).plan(&Input::text())?;
    /// let mut turns = Vec::new();
    /// let report = plan.keep::<Error>(lines.into_part(), None, None, &mut |records, _| turns.append(&mut records.turn))?;
    /// assert_eq!((turns, report.left_out), (vec![setwise::Colour::Black], vec![1]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn keep<'a, E: From<Error>>(
        &'a self,
        part: Part<'_, E>,
        row_filter: Option<RowFilter<'a>>,
        steering: Option<&'a mut (dyn FnMut(usize) -> bool + 'a)>,
        receiver: Receiver<'a>,
    ) -> Result<Report, E> {
        let mut rows = Rows::new(self, part.rows, Vec::new());
        (rows.row_filter, rows.receiver) = (row_filter, Some(receiver));
        rows.steering = steering;
        let read = (part.read)(&mut rows);
        let report = rows.finish()?.report;
        read?;
        Ok(report)
    }
}

impl Column {
    /// Computes the value of a column of numbers or sets of squares for one position. Returns `None` if the value is
    /// null, a list, text, or not in a FEN.
    ///
    /// ```
    /// use setwise::Fen;
    /// use setwise_table::Column;
    /// let column: Column = "white_all".parse()?;
    /// assert_eq!(column.value(&Fen::START), Some(0x00ff_ff7e));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn value(self, fen: &Fen) -> Option<i128> {
        use InputColumn::{Fen, Line, Rest, Result, Score};
        if matches!(self, Self::Input(Fen | Line | Rest | Score | Result)) {
            return None;
        }
        let plan = Query::default().columns([self]).plan(&Input::text()).ok()?;
        let mut rows = Rows::new(&plan, 1, Vec::new());
        rows.push(fen, b"", 1, Label::NONE);
        let batch = rows.finish().ok()?.into_output(plan.schema()).ok()?.batch;
        match Operands::of_array(batch.column(0)).cell(0)? {
            Scalar::Integer(value) => Some(value),
            _ => None,
        }
    }
}
