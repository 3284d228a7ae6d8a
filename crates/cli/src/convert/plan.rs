//! The plan of a conversion: what it would lose and invent, and how it goes. It is computed from facts alone, before
//! anything is written.

use std::fmt;

use anyhow::{Result, bail};
use clap::error::ErrorKind;
use setwise_files::FileFormat;
use setwise_formats::{Field, Fields, Format};
use setwise_table::{InputColumn, OnMissing, known_fields};

use crate::import::column_option;

/// Why positions need clocks.
pub(super) const CLOCKS: &str = "the output stores them; use --lossy to write 0 and 1";

/// The labels of positions, as fields of formats and as columns.
pub(super) const LABELS: [(Field, InputColumn); 3] = [
    (Field::Score, InputColumn::Score),
    (Field::Result, InputColumn::Result),
    (Field::Move, InputColumn::Move),
];

/// The scores and results that `--on-missing` can fill in.
const FILLED: Fields = Fields::of(&[Field::Score, Field::Result]);

/// The way of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Games in PGN become games.
    Games,
    /// Positions become positions.
    Positions,
    /// Each position with its move becomes a game.
    Moves,
}

/// A conversion before it runs: what the arguments and the input say about it.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) source: FileFormat,
    pub(super) target: FileFormat,
    /// True if the positions of the input belong to games.
    pub(super) of_games: bool,
    /// The labels that the input has.
    pub(super) labels: Fields,
    /// The columns of the input that become no field.
    pub(super) others: Vec<String>,
    /// The fields to keep, unless `--keep` does not decide.
    pub(super) kept: Option<Fields>,
    /// True if conditions or sampling select positions.
    pub(super) selects: bool,
    /// The fields by which sampling decides.
    pub(super) decides: Fields,
    pub(super) on_missing: OnMissing,
    /// True if `--on-missing` is given.
    pub(super) handles_missing: bool,
    pub(super) lossy: bool,
}

impl Plan {
    pub(super) fn way(&self) -> Way {
        match self.target.packed().is_some_and(Format::has_games) {
            true if self.source == FileFormat::Pgn => Way::Games,
            true => Way::Moves,
            false => Way::Positions,
        }
    }

    /// The fields that the input has.
    fn known(&self) -> Fields {
        match self.source.packed() {
            Some(format) => format.keeps(),
            None if self.of_games => Fields::ALL,
            None => Fields::FEN.union(self.labels),
        }
    }

    /// The fields that the output stores.
    fn stored(&self) -> Fields {
        self.target.packed().map_or(Fields::FEN, Format::keeps)
    }

    /// The fields of the input that the output cannot hold.
    fn lost(&self) -> Fields {
        // Spare bytes belong to one format and are checked in each record; scores and results of text, in each line.
        // Moves and plies of games may be dropped unless they are named. Binpack derives the move number from the ply.
        let mut lost = self.known().without(self.stored()).without(Fields::of(&[Field::Extra]));
        if self.source == FileFormat::Text {
            lost = lost.without(FILLED);
        }
        if self.of_games && self.kept.is_none() {
            lost = lost.without(Fields::of(&[Field::Move, Field::Ply]));
        }
        if self.target.packed() == Some(Format::Binpack) {
            lost = lost.without(Fields::of(&[Field::FullmoveNumber]));
        }
        both(lost, self.kept.unwrap_or(Fields::ALL))
    }

    /// The fields of the output that the input lacks.
    pub(super) fn made_up(&self) -> Fields {
        let known = self.known();
        let made_up = self.stored().without(known).without(Fields::of(&[Field::Extra]));
        // The ply and the move number can be computed from each other.
        let counters = Fields::of(&[Field::Ply, Field::FullmoveNumber]);
        if both(known, counters).is_empty() { made_up } else { made_up.without(counters) }
    }

    /// The labels that the output stores and the input lacks.
    pub(super) fn no_label(&self) -> Fields {
        both(self.made_up(), FILLED)
    }

    /// The fields that are written with a neutral value: those that the input lacks, without labels that
    /// `--on-missing` fills in.
    pub(super) fn neutral(&self) -> Fields {
        match self.on_missing {
            OnMissing::Value(_) => self.made_up().without(FILLED),
            _ => self.made_up(),
        }
    }

    /// The labels that every position needs.
    pub(super) fn required(&self) -> Fields {
        let can_lack_scores = !self.handles_missing
            && [self.source, self.target].iter().all(|format| {
                matches!(
                    format.packed(),
                    Some(Format::PackedSfen | Format::Binpack | Format::Plain)
                )
            });
        let mut needed = self.stored();
        if can_lack_scores {
            needed = needed.without(Fields::of(&[Field::Score]));
        }
        both(needed.union(self.decides), self.labels)
    }

    /// Returns whether a position in text needs its clocks, because the output stores them. FEN always has them.
    pub(super) fn needs_clocks(&self) -> bool {
        let clocks = Fields::of(&[Field::HalfmoveClock, Field::FullmoveNumber, Field::Ply]);
        self.target != FileFormat::Text && !both(self.stored(), clocks).is_empty()
    }

    /// Returns why the arguments cannot be combined with each other or with the input, if so.
    pub(super) fn conflict(&self) -> Option<(ErrorKind, String)> {
        let (from, to) = (self.source.name(), self.target.name());
        let has_moves = matches!(self.source.packed(), None | Some(Format::PackedSfen))
            && self.known().contains(Field::Move);
        match self.way() {
            Way::Moves if !self.of_games && !has_moves => {
                let message = match self.source.is_table() {
                    true => format!(
                        "{to} stores a move with each position: name its column with --move-column"
                    ),
                    false => format!(
                        "cannot write {to} from {from}: {to} is written only from pgn, tables or bin"
                    ),
                };
                Some((ErrorKind::ValueValidation, message))
            }
            Way::Games if self.selects => {
                let message = format!(
                    "{to} stores whole games; --where and sampling need an output of positions"
                );
                Some((ErrorKind::ArgumentConflict, message))
            }
            _ => None,
        }
    }

    /// Fails if data would be lost or invented.
    pub(super) fn check(&self) -> Result<()> {
        let (from, to) = (self.source.name(), self.target.name());
        let available = self.source.packed().map_or(self.known(), known_fields);
        let undecided = self.decides.without(available);
        if !undecided.is_empty() {
            bail!("{from} has no {}, which --sampling needs", either(undecided));
        }
        let lost = self.lost();
        if !self.lossy && !lost.is_empty() {
            bail!("from {from} to {to} this would be lost: {lost} (use --lossy to allow this)");
        }
        if !self.lossy && !self.others.is_empty() {
            let columns = self.others.join(", ");
            bail!(
                "from {from} to {to} these columns would be lost: {columns} (use --lossy to allow this)"
            );
        }
        let no_label = self.no_label();
        if !no_label.is_empty() && !matches!(self.on_missing, OnMissing::Value(_)) {
            let labels = LABELS.into_iter().filter(|(field, _)| no_label.contains(*field));
            let options: Vec<_> = labels.map(|(_, label)| column_option(label)).collect();
            let columns = if options.len() > 1 { "their columns" } else { "its column" };
            let advice = match self.source.is_table() {
                true => format!("name {columns} with {}, or ", options.join(" and ")),
                false => String::new(),
            };
            let no_label = either(no_label);
            bail!("{from} has no {no_label}, which {to} stores; {advice}write 0 by --on-missing 0");
        }
        if let OnMissing::Value(value) = self.on_missing
            && no_label.contains(Field::Result)
            && !(-1..=1).contains(&value)
        {
            bail!("{from} has no result, and --on-missing {value} is not a result (-1, 0 or 1)");
        }
        Ok(())
    }
}

/// Lists fields in a sentence.
fn either(fields: Fields) -> String {
    fields.iter().map(Field::name).collect::<Vec<_>>().join(" or ")
}

fn both(a: Fields, b: Fields) -> Fields {
    a.without(Fields::ALL.without(b))
}

/// Lists what `--dry-run` prints.
impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let way = match self.way() {
            Way::Games => "game by game",
            Way::Positions => "position by position",
            Way::Moves => "each position with its move as a game",
        };
        writeln!(f, "{} to {}, {way}", self.source.name(), self.target.name())?;
        let lost = self.lost();
        let lost = lost.iter().map(|field| field.name().to_owned());
        let last = "the last position of each game, which has no move".to_owned();
        let lost = lost.chain(self.others.iter().cloned());
        let drops_last = self.of_games && self.way() != Way::Positions;
        // Only reading shows what follows a position on its line.
        let follows = match both(FILLED, self.stored()) {
            none if none.is_empty() => "scores, results and other text after a position",
            _ => "text after a position other than its score and result",
        };
        let follows =
            (self.source == FileFormat::Text).then(|| format!("{follows}, if a line has any"));
        let lost: Vec<_> = lost.chain(drops_last.then_some(last)).chain(follows).collect();
        let lost = if lost.is_empty() { "nothing".to_owned() } else { lost.join(", ") };
        writeln!(f, "lost: {lost}")?;
        let neutral = self.neutral();
        let neutral = if neutral.is_empty() { "nothing".to_owned() } else { neutral.to_string() };
        writeln!(f, "written with a neutral value: {neutral}")?;
        let handling = match self.on_missing {
            OnMissing::Stop => "the run stops (see --on-missing)",
            OnMissing::Skip => "skipped",
            OnMissing::Null => "null",
            OnMissing::Value(value) => &format!("written with {value}"),
        };
        let filled = self.no_label().without(self.neutral());
        match both(self.required(), FILLED).union(filled) {
            none if none.is_empty() => Ok(()),
            labels => writeln!(f, "positions without {}: {handling}", either(labels)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(source: FileFormat, target: Option<Format>) -> Plan {
        Plan {
            source,
            target: target.map_or(FileFormat::Text, FileFormat::Packed),
            of_games: source == FileFormat::Pgn,
            labels: Fields::NONE,
            others: Vec::new(),
            kept: None,
            selects: false,
            decides: Fields::NONE,
            on_missing: OnMissing::Stop,
            handles_missing: false,
            lossy: false,
        }
    }

    fn refusal(plan: &Plan) -> String {
        let conflict = plan.conflict().map(|(_, message)| message);
        conflict.or(plan.check().err().map(|error| error.to_string())).unwrap_or_default()
    }

    #[test]
    fn ways() {
        let way = |source, target| plan(source, target).way();
        assert_eq!(way(FileFormat::Pgn, Some(Format::Binpack)), Way::Games);
        assert_eq!(way(FileFormat::Pgn, Some(Format::Bullet)), Way::Positions);
        assert_eq!(way(FileFormat::Csv, Some(Format::Viri)), Way::Moves);
        assert_eq!(way(FileFormat::Csv, None), Way::Positions);
    }

    #[test]
    fn losses() {
        let bullet = plan(FileFormat::Packed(Format::Marlin), Some(Format::Bullet));
        let lost = "turn, castling, en_passant, halfmove_clock, fullmove_number";
        assert_eq!((bullet.lost().to_string(), bullet.made_up()), (lost.to_owned(), Fields::NONE));
        let binpack = plan(FileFormat::Packed(Format::PackedSfen), Some(Format::Binpack));
        assert_eq!((binpack.lost(), binpack.made_up()), (Fields::NONE, Fields::NONE));
        let back = plan(FileFormat::Packed(Format::Binpack), Some(Format::Marlin));
        assert_eq!(back.made_up(), Fields::NONE);
        let bin = plan(FileFormat::Text, Some(Format::PackedSfen));
        assert_eq!(bin.no_label(), FILLED);
        assert!(bin.needs_clocks() && bin.required().is_empty());
    }

    #[test]
    fn refusals() {
        let text = plan(FileFormat::Text, Some(Format::Binpack));
        assert_eq!(
            refusal(&text),
            "cannot write binpack from text: binpack is written only from pgn, tables or bin"
        );
        let bin = Plan { target: FileFormat::Packed(Format::PackedSfen), ..text };
        let said = refusal(&bin);
        assert_eq!(
            said,
            "text has no score or result, which bin stores; write 0 by --on-missing 0"
        );
        assert_eq!(refusal(&Plan { on_missing: OnMissing::Value(0), ..bin.clone() }), "");
        let columns = Plan { others: vec!["White".to_owned()], ..bin };
        let said = refusal(&columns);
        assert_eq!(
            said,
            "from text to bin these columns would be lost: White (use --lossy to allow this)"
        );
        let lossy = Plan { lossy: true, on_missing: OnMissing::Value(0), ..columns };
        assert_eq!(refusal(&lossy), "");
    }
}
