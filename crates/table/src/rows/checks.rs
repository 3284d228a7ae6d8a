//! Rows without clocks or labels: which of the kept rows lack them, and what the query says about these.

use arrow_buffer::BooleanBuffer;
use setwise::Fen;
use setwise_formats::pgn;

use super::{Locate, Rows, name_of};
use crate::error::{BadRow, Error};
use crate::labels::OnMissing;
use crate::query::Plan;
use crate::span::Span;
use crate::text::{has_clocks, has_move_number, position_fields, unread};

impl Rows<'_> {
    /// Notes a position, before it is appended, whose text has no clocks. Fails if other text would be lost. Returns false
    /// if the query treats it as a row without a position.
    pub(crate) fn check_text(
        &mut self,
        fen: &Fen,
        text: &[u8],
        describe: impl FnOnce(usize, String) -> BadRow,
    ) -> Result<bool, Error> {
        let query = &self.plan.query;
        let bad = |end: usize, reason: String| {
            let character = String::from_utf8_lossy(&text[..end]).chars().count() + 1;
            Box::new(describe(character, reason))
        };
        if let Some(advice) = query.bare
            && let Some(at) = unread(text)
        {
            let reason = format!("what follows the position would be lost; {advice}");
            return Err(Error::Invalid(bad(at, reason)));
        }
        if query.with_move_numbers {
            let is_known = has_move_number(fen, text);
            self.report.without_clocks += u64::from(!is_known);
            return Ok(is_known);
        }
        if !has_clocks(fen, text) {
            let bad =
                self.plan.clocks_needed().map(|reason| bad(position_fields(text).len(), reason));
            self.without_clocks.push((self.retained.len(), bad));
        }
        Ok(true)
    }

    /// Notes the games whose start positions have no clocks, before the positions are appended.
    pub(crate) fn check_games(&mut self, games: &[pgn::Game]) {
        for game in games.iter().filter(|game| !game.has_clocks) {
            let bad = self.plan.clocks_needed().map(|reason| {
                let (row, place) = (game.number, self.place_of(game.number));
                let reason = format!("in the start position: {reason}");
                Box::new(BadRow { row, place, character: 1, reason, text: Vec::new() })
            });
            let rows = self.retained.len() + game.first_row..;
            self.without_clocks.extend(rows.take(game.rows).map(|row| (row, bad.clone())));
        }
    }

    /// Counts the kept rows without clocks.
    pub(super) fn count_without_clocks(&mut self) {
        let end = self.without_clocks.partition_point(|(row, _)| *row < self.retained.len());
        let kept = self.without_clocks.drain(..end).filter(|(row, _)| self.retained[*row]);
        for (_, bad) in kept {
            self.report.without_clocks += 1;
            let error = bad.map(Error::Invalid);
            self.missing = self.missing.take().or(error);
        }
    }

    /// Counts the selected rows whose missing labels a number replaces, and notes the first that must not lack one.
    pub(super) fn check_labels(
        &mut self,
        span: &Span<'_>,
        selected: Option<&BooleanBuffer>,
        locate: Locate<'_>,
    ) {
        let plan = self.plan;
        let is_kept =
            |row: usize| selected.is_none_or(|selected| selected.value(row)) && span.is_valid(row);
        let without = |labels| {
            let rows = 0..if labels == [false; 2] { 0 } else { span.len() };
            let lacking = rows.filter_map(move |row| Some((row, span.lacking(labels, row)?)));
            lacking.filter(|(row, _)| is_kept(*row))
        };
        let [filled, refused] = plan.missing_labels();
        self.report.filled += without(filled).count() as u64;
        if self.missing.is_none() {
            self.missing = without(refused).next().map(|(row, label)| {
                let (number, position) = locate(row);
                let position = position.map_or_else(String::new, |at| format!(", position {at}"));
                let place = name_of(&self.name, self.first, number) + &position;
                let mut what = plan.input.missing(label);
                if let OnMissing::Value(value) = plan.query.on_missing {
                    what += &format!(", and {value} is not a result");
                }
                Error::Missing(place, what)
            });
        }
    }
}

impl Plan {
    /// What is wrong with a position without clocks, if the query requires them.
    fn clocks_needed(&self) -> Option<String> {
        let reason = self.query.with_clocks?;
        Some(format!("expected a halfmove clock and a move number, and {reason}"))
    }

    /// For scores and for results: whether a missing one is replaced by a number, and whether it is an error.
    fn missing_labels(&self) -> [[bool; 2]; 2] {
        let [score, result] = self.required;
        match self.query.on_missing {
            OnMissing::Null | OnMissing::Skip => [[false; 2]; 2],
            OnMissing::Stop => [[false; 2], [score, result]],
            OnMissing::Value(-1..=1) => [[score, result], [false; 2]],
            OnMissing::Value(_) => [[score, false], [false, result]],
        }
    }
}
