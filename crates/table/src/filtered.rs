//! The rows that conditions leave: evaluated for some thousand rows at a time, before their columns are computed.

use arrow_array::ArrayRef;
use arrow_buffer::NullBuffer;
use setwise::Colour;
use setwise_formats::{Preview, Records};

use crate::error::Error;
use crate::evaluate::Operands;
use crate::filter::Filter;
use crate::finished::without_rows;
use crate::hash;
use crate::query::Plan;
use crate::values::{Boards, OfGames, State, Values, fill_rows};

/// Says whether a row is kept, by its labels and its number of pieces.
pub(crate) type Keeps<'a, 'k> = &'a mut (dyn FnMut(&Preview) -> bool + 'k);

/// Rows of positions with all that is known of them.
#[derive(Default)]
pub(crate) struct Gathered {
    pub(crate) records: Records,
    pub(crate) game_hash: Vec<u64>,
    game: Vec<u64>,
    variation: Vec<u32>,
    clock: Vec<Option<u32>>,
    elapsed: Vec<Option<u32>>,
    eval: Vec<Option<setwise_formats::pgn::Score>>,
}

impl Gathered {
    /// Appends some rows, or all of them.
    pub(crate) fn extend(&mut self, boards: Boards<'_>, state: State<'_>, rows: Option<&[usize]>) {
        fn append<T: Copy>(to: &mut Vec<T>, from: &[T], rows: Option<&[usize]>) {
            match rows {
                None => to.extend_from_slice(from),
                Some(rows) if !from.is_empty() => to.extend(rows.iter().map(|&row| from[row])),
                Some(_) => {}
            }
        }
        macro_rules! append {
            ($to:expr, $from:expr; $($column:ident)*) => {
                $(append(&mut $to.$column, $from.$column, rows);)*
            };
        }
        match boards {
            Boards::Rows(pieces) => append(&mut self.records.pieces, pieces, rows),
            Boards::Columns(_) => match rows {
                None => self.records.pieces.extend((0..boards.len()).map(|row| boards.pieces(row))),
                Some(rows) => {
                    self.records.pieces.extend(rows.iter().map(|&row| boards.pieces(row)));
                }
            },
        }
        append!(self.records, state; turn castling en_passant halfmove_clock fullmove_number);
        append!(self.records, state; score result moves ply extra);
        append!(self, state; game_hash);
        if let Some(games) = state.games {
            append!(self, games; game variation clock elapsed eval);
        }
    }

    /// Takes the hashes of positions where there are no games, if anything asks for them.
    pub(crate) fn complete_hashes(&mut self, plan: &Plan) {
        let records = &self.records;
        if plan.reads_hashes() && self.game_hash.is_empty() {
            let turn = |row| records.turn.get(row).copied().unwrap_or(Colour::White);
            let rows = records.pieces.iter().enumerate();
            self.game_hash.extend(rows.map(|(row, pieces)| hash::of_position(pieces, turn(row))));
        }
    }

    pub(crate) fn clear(&mut self) {
        self.records.clear();
        self.game_hash.clear();
        self.game.clear();
        self.variation.clear();
        self.clock.clear();
        self.elapsed.clear();
        self.eval.clear();
    }

    pub(crate) fn state(&self, is_of_games: bool) -> State<'_> {
        let mut state = State::of(&self.records, 0..self.records.len());
        state.game_hash = &self.game_hash;
        state.games = is_of_games.then_some(OfGames {
            game: &self.game,
            variation: &self.variation,
            clock: &self.clock,
            elapsed: &self.elapsed,
            eval: &self.eval,
        });
        state
    }
}

/// What is known of a row before conditions are evaluated.
fn preview(boards: Boards<'_>, state: State<'_>, row: usize) -> Preview {
    Preview {
        score: state.score.get(row).copied().unwrap_or(Records::NO_SCORE),
        result: state.result.get(row).copied().unwrap_or(Records::NO_RESULT),
        ply: state.ply.get(row).copied(),
        pieces: boards.occupied(row).count_ones(),
    }
}

/// What the conditions of a plan make of the rows of a part.
pub(crate) struct Filtered<'a> {
    filter: &'a Filter,
    early: Vec<Values<'a>>,
    /// Whether the early conditions keep each of the rows that they have seen.
    pub(crate) rows: Vec<bool>,
    /// How many rows each condition leaves out.
    pub(crate) left_out: Vec<u64>,
    /// How many rows these are.
    pub(crate) out: usize,
    indices: Vec<usize>,
    gathered: Gathered,
}

impl<'a> Filtered<'a> {
    pub(crate) fn new(plan: &'a Plan) -> Self {
        let filter = &plan.filter;
        let values = |&column| {
            let nullable = plan.is_nullable(column);
            Values::new(column, nullable, None, 0)
        };
        Self {
            filter,
            early: filter.early.iter().map(values).collect(),
            rows: Vec::new(),
            left_out: vec![0; filter.len()],
            out: 0,
            indices: Vec::new(),
            gathered: Gathered::default(),
        }
    }

    /// Hands over the rows that are kept by `keeps`, then by the early conditions; some are null.
    pub(crate) fn each_kept(
        &mut self,
        plan: &Plan,
        boards: Boards<'_>,
        state: State<'_>,
        is_valid: Option<&dyn Fn(usize) -> bool>,
        keeps: Option<Keeps<'_, '_>>,
        then: &mut dyn FnMut(Boards<'_>, State<'_>, &[usize]),
    ) {
        let (start, count) = (self.rows.len(), boards.len());
        let (mut rows, mut gathered) =
            (std::mem::take(&mut self.rows), std::mem::take(&mut self.gathered));
        rows.resize(start + count, true);
        let kept = &mut rows[start..];
        if let Some(keeps) = keeps {
            self.indices.clear();
            self.indices.extend((0..count).filter(|row| keeps(&preview(boards, state, *row))));
            gathered.clear();
            gathered.extend(boards, state, Some(&self.indices));
            let mut of_gathered = vec![true; self.indices.len()];
            let boards = Boards::Rows(&gathered.records.pieces);
            let state = gathered.state(state.games.is_some());
            self.evaluate(plan, boards, state, None, &mut of_gathered);
            kept.fill(false);
            self.indices.iter().zip(of_gathered).for_each(|(row, is_kept)| kept[*row] = is_kept);
        } else {
            let of_row = is_valid.map(|is_valid| move |row| is_valid(start + row));
            let of_row = of_row.as_ref().map(|of_row| of_row as &dyn Fn(usize) -> bool);
            self.evaluate(plan, boards, state, of_row, kept);
        }
        self.indices.clear();
        let kept = kept.iter().enumerate().filter(|(_, kept)| **kept);
        self.indices.extend(kept.map(|(row, _)| row));
        self.out += count - self.indices.len();
        (self.rows, self.gathered) = (rows, gathered);
        then(boards, state, &self.indices);
    }

    /// Evaluates the early conditions.
    fn evaluate(
        &mut self,
        plan: &Plan,
        boards: Boards<'_>,
        state: State<'_>,
        is_valid: Option<&dyn Fn(usize) -> bool>,
        kept: &mut [bool],
    ) {
        if self.early.is_empty() || kept.is_empty() {
            return;
        }
        fill_rows(&mut self.early, &plan.query, boards, state);
        let mut columns: Vec<Operands<'_>> =
            self.early.iter().map(|values| values.operands(kept.len())).collect();
        if let Some(is_valid) = is_valid {
            for operands in &mut columns {
                let valid = operands.valid.get_or_insert_with(|| vec![true; kept.len()]);
                valid.iter_mut().enumerate().for_each(|(row, valid)| *valid &= is_valid(row));
            }
        }
        self.filter.evaluate_early(&columns, kept, &mut self.left_out);
        drop(columns);
        self.early.iter_mut().for_each(Values::clear);
    }

    /// Hands over the rows at these indices, one after the other.
    pub(crate) fn fill(
        &mut self,
        columns: &mut [Values<'_>],
        plan: &Plan,
        boards: Boards<'_>,
        state: State<'_>,
        is_valid: Option<&dyn Fn(usize) -> bool>,
    ) {
        let mut gathered = std::mem::take(&mut self.gathered);
        self.each_kept(plan, boards, state, is_valid, None, &mut |boards, state, rows| {
            if rows.len() == boards.len() {
                fill_rows(columns, &plan.query, boards, state);
            } else if !rows.is_empty() {
                gathered.clear();
                gathered.extend(boards, state, Some(rows));
                let of_kept = gathered.state(state.games.is_some());
                fill_rows(columns, &plan.query, Boards::Rows(&gathered.records.pieces), of_kept);
            }
        });
        self.gathered = gathered;
    }

    /// Evaluates the late conditions, for rows that the early ones have kept. `passed` has all rows of the source, but
    /// these were not appended; `others` are the columns that are not passed through. Returns what is kept of the rows
    /// that the early conditions keep.
    pub(crate) fn evaluate_late(
        &mut self,
        passed: &[ArrayRef],
        skipped: &[usize],
        others: &[ArrayRef],
    ) -> Result<Option<Vec<bool>>, Error> {
        if !self.filter.has_late() {
            return Ok(None);
        }
        let rows = self.rows.len() - self.out;
        let mut kept = vec![true; rows];
        let out = self.of_source(skipped, None);
        let all = self.rows.len() + skipped.len();
        let passed = passed.iter().map(|column| column.slice(0, all)).collect();
        let passed = without_rows(passed, all, &out)?;
        self.filter.evaluate_late(&passed, others, &mut kept, &mut self.left_out);
        Ok(Some(kept))
    }

    /// The rows of the source that are skipped or left out, in order: `skipped`, and those that the conditions leave out.
    pub(crate) fn of_source(&self, skipped: &[usize], late: Option<&[bool]>) -> Vec<usize> {
        let (mut out, mut skipped) = (Vec::new(), skipped.iter().copied().peekable());
        let (mut at, mut of_kept) = (0, 0);
        for &kept in &self.rows {
            while let Some(row) = skipped.next_if_eq(&at) {
                out.push(row);
                at += 1;
            }
            let mut stays = kept;
            if kept {
                stays = late.is_none_or(|late| late[of_kept]);
                of_kept += 1;
            }
            if !stays {
                out.push(at);
            }
            at += 1;
        }
        out.extend(skipped);
        out
    }

    /// The rows that were null among those that the early conditions keep.
    pub(crate) fn nulls(&self, nulls: Option<NullBuffer>) -> Option<NullBuffer> {
        let nulls = nulls?;
        if self.out == 0 {
            return Some(nulls);
        }
        let kept = self.rows.iter().enumerate().filter(|(_, kept)| **kept);
        Some(kept.map(|(row, _)| nulls.is_valid(row)).collect::<Vec<bool>>().into())
    }
}
