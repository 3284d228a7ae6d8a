//! The plan of a conversion: what it would lose and invent, and how it goes. It is computed from facts alone, before
//! anything is written.

use std::fmt;

use clap::error::ErrorKind;
use setwise_files::FileFormat;
use setwise_formats::{Field, Fields, Format};
use setwise_table::{InputColumn, OnMissing, known_fields};

use crate::target::Target;

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

/// What the arguments and the input say about a conversion.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) source: FileFormat,
    pub(super) target: Target,
    /// True if the positions of the input belong to games.
    pub(super) of_games: bool,
    /// The labels that the input has.
    pub(super) labels: Fields,
    /// The columns of the input that become no field.
    pub(super) others: Vec<String>,
    /// The fields that `--keep` names, if it is given and the input is not a table.
    pub(super) kept: Option<Fields>,
    /// True if conditions or sampling select positions.
    pub(super) selects: bool,
    /// The fields by which sampling decides.
    pub(super) decides: Fields,
    pub(super) on_missing: OnMissing,
    pub(super) lossy: bool,
}

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

/// A conversion before it runs.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) facts: Facts,
    pub(super) way: Way,
    /// The fields of the input that the output cannot hold.
    pub(super) lost: Fields,
    /// The fields of the output that the input lacks.
    pub(super) made_up: Fields,
    /// The labels that every position needs.
    pub(super) required: Fields,
    /// True if a position in text needs its clocks, because the output stores them. FEN always has them.
    pub(super) needs_clocks: bool,
}

/// The reason why a conversion cannot run: wrong arguments, or data that would be lost or invented.
#[derive(Debug)]
pub(super) enum Refusal {
    Arguments(ErrorKind, String),
    Data(String),
}

impl Plan {
    pub(super) fn new(facts: Facts) -> Self {
        let Facts { source, target, of_games, .. } = facts;
        let (keeps, from) = (target.keeps(), source.packed());
        let way = match target.has_games() {
            true if source == FileFormat::Pgn => Way::Games,
            true => Way::Moves,
            false => Way::Positions,
        };
        let known = facts.known();
        // Spare bytes belong to one format and are checked in each record; scores and results of text, in each line.
        // Moves and plies of games may be dropped. Binpack derives the move number from the ply.
        let mut lost = known.without(keeps).without(Fields::of(&[Field::Extra]));
        if source == FileFormat::Text {
            lost = lost.without(FILLED);
        }
        if of_games {
            lost = lost.without(Fields::of(&[Field::Move, Field::Ply]));
        }
        if target.0 == Some(Format::Binpack) {
            lost = lost.without(Fields::of(&[Field::FullmoveNumber]));
        }
        if let Some(kept) = facts.kept {
            lost = both(lost, kept);
        }
        // The ply can be computed from the move number.
        let mut made_up = keeps.without(known).without(Fields::of(&[Field::Extra]));
        if known.contains(Field::FullmoveNumber) {
            made_up = made_up.without(Fields::of(&[Field::Ply]));
        }
        // These formats can store a missing score.
        let has_none =
            |format| matches!(format, Some(Format::PackedSfen | Format::Binpack | Format::Plain));
        let mut needed = keeps;
        if has_none(from) && has_none(target.0) {
            needed = needed.without(Fields::of(&[Field::Score]));
        }
        let clocks = Fields::of(&[Field::HalfmoveClock, Field::FullmoveNumber, Field::Ply]);
        Self {
            way,
            lost,
            made_up,
            required: both(needed.union(facts.decides), facts.labels),
            needs_clocks: target.0.is_some() && !both(keeps, clocks).is_empty(),
            facts,
        }
    }

    /// The labels that the output stores and the input lacks.
    pub(super) fn no_label(&self) -> Fields {
        both(self.made_up, FILLED)
    }

    /// Returns why the conversion cannot run, if so.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        let Facts { source, target, decides, on_missing, lossy, .. } = self.facts;
        let (from, to, known) = (source.name(), target.name(), self.facts.known());
        let arguments = |kind, message| Err(Refusal::Arguments(kind, message));
        let has_moves = matches!(source.packed(), None | Some(Format::PackedSfen))
            && known.contains(Field::Move);
        if self.way == Way::Moves && !self.facts.of_games && !has_moves {
            let message = match source.is_table() {
                true => format!(
                    "{to} stores a move with each position: name its column with --move-column"
                ),
                false => format!(
                    "cannot write {to} from {from}: it stores games (use pgn, tables or bin)"
                ),
            };
            return arguments(ErrorKind::ValueValidation, message);
        }
        if self.way == Way::Games && self.facts.selects {
            let message = format!(
                "{to} stores whole games; --where and sampling need an output of positions"
            );
            return arguments(ErrorKind::ArgumentConflict, message);
        }
        let refused = |message| Err(Refusal::Data(message));
        let undecided = decides.without(source.packed().map_or(known, known_fields));
        if !undecided.is_empty() {
            return refused(format!("{from} has no {undecided}, which --sampling needs"));
        }
        let others = &self.facts.others;
        let lost = [
            (!self.lost.is_empty()).then(|| format!("this would be lost: {}", self.lost)),
            (!others.is_empty())
                .then(|| format!("these columns would be lost: {}", others.join(", "))),
        ];
        if let Some(lost) = lost.into_iter().flatten().next().filter(|_| !lossy) {
            return refused(format!("from {from} to {to} {lost} (use --lossy to allow this)"));
        }
        let no_label = self.no_label();
        if !no_label.is_empty() && !matches!(on_missing, OnMissing::Value(_)) {
            return refused(format!(
                "{from} has no {no_label}, which {to} stores; pass --on-missing 0 to write 0"
            ));
        }
        Ok(())
    }
}

impl Facts {
    /// The fields that the input has.
    fn known(&self) -> Fields {
        match self.source.packed() {
            Some(format) => format.keeps(),
            None if self.of_games => Fields::ALL,
            None => Fields::FEN.union(self.labels),
        }
    }
}

fn both(a: Fields, b: Fields) -> Fields {
    a.without(Fields::ALL.without(b))
}

/// Lists what `--dry-run` prints.
impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Facts { source, target, others, on_missing, .. } = &self.facts;
        let way = match self.way {
            Way::Games => "game by game",
            Way::Positions => "position by position",
            Way::Moves => "each position with its move as a game",
        };
        writeln!(f, "{} to {}, {way}", source.name(), target.name())?;
        let lost = self.lost.iter().map(|field| field.name().to_owned());
        let lost: Vec<_> = lost.chain(others.iter().cloned()).collect();
        let lost = if lost.is_empty() { "nothing".to_owned() } else { lost.join(", ") };
        writeln!(f, "lost: {lost}")?;
        let made_up = self.made_up;
        let made_up = if made_up.is_empty() { "nothing".to_owned() } else { made_up.to_string() };
        writeln!(f, "written with a neutral value: {made_up}")?;
        let handling = match on_missing {
            OnMissing::Stop => "the run stops",
            OnMissing::Skip => "skipped",
            OnMissing::Null => "null",
            OnMissing::Value(value) => &format!("written with {value}"),
        };
        match both(self.required, FILLED) {
            none if none.is_empty() => Ok(()),
            labels => writeln!(f, "positions without {labels}: {handling}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(source: FileFormat, target: Option<Format>) -> Facts {
        Facts {
            source,
            target: Target(target),
            of_games: source == FileFormat::Pgn,
            labels: Fields::NONE,
            others: Vec::new(),
            kept: None,
            selects: false,
            decides: Fields::NONE,
            on_missing: OnMissing::Stop,
            lossy: false,
        }
    }

    fn refusal(facts: Facts) -> String {
        match Plan::new(facts).check() {
            Ok(()) => String::new(),
            Err(Refusal::Arguments(_, message) | Refusal::Data(message)) => message,
        }
    }

    #[test]
    fn ways() {
        let way = |source, target| Plan::new(facts(source, target)).way;
        assert_eq!(way(FileFormat::Pgn, Some(Format::Binpack)), Way::Games);
        assert_eq!(way(FileFormat::Pgn, Some(Format::Bullet)), Way::Positions);
        assert_eq!(way(FileFormat::Csv, Some(Format::Viri)), Way::Moves);
        assert_eq!(way(FileFormat::Csv, None), Way::Positions);
    }

    #[test]
    fn losses() {
        let plan = Plan::new(facts(FileFormat::Packed(Format::Marlin), Some(Format::Bullet)));
        let lost = "turn, castling, en_passant, halfmove_clock, fullmove_number";
        assert_eq!((plan.lost.to_string(), plan.made_up), (lost.to_owned(), Fields::NONE));
        let plan = Plan::new(facts(FileFormat::Packed(Format::PackedSfen), Some(Format::Binpack)));
        assert_eq!((plan.lost, plan.made_up), (Fields::NONE, Fields::NONE));
        let plan = Plan::new(facts(FileFormat::Text, Some(Format::PackedSfen)));
        assert_eq!(plan.no_label(), FILLED);
        assert!(plan.needs_clocks && plan.required.is_empty());
    }

    #[test]
    fn refusals() {
        let text = facts(FileFormat::Text, Some(Format::Binpack));
        assert_eq!(
            refusal(text.clone()),
            "cannot write binpack from text: it stores games (use pgn, tables or bin)"
        );
        let bin = Facts { target: Target(Some(Format::PackedSfen)), ..text };
        let said = refusal(bin.clone());
        assert_eq!(
            said,
            "text has no score, result, which bin stores; pass --on-missing 0 to write 0"
        );
        assert_eq!(refusal(Facts { on_missing: OnMissing::Value(0), ..bin.clone() }), "");
        let columns = Facts { others: vec!["White".to_owned()], ..bin };
        let said = refusal(columns.clone());
        assert_eq!(
            said,
            "from text to bin these columns would be lost: White (use --lossy to allow this)"
        );
        let lossy = Facts { lossy: true, on_missing: OnMissing::Value(0), ..columns };
        assert_eq!(refusal(lossy), "");
    }
}
