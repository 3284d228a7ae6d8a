//! `setwise show`: draws one position and its maps, side by side in the terminal or as a picture.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};
use anyhow::{Result, bail};
use clap::error::ErrorKind;
use setwise::{Colour, Fen, Pieces, Role, position as of_position};
use setwise_draw::{Panel, letter, picture, side_by_side};
use setwise_files::no_progress;
use setwise_table::{BadRow, Column, Error, Input, InputColumn, LineContent};

use crate::args::{self, ShowArguments};
use crate::columns::{self, Choice};
use crate::console;
use crate::heat;
use crate::input::{self, LineReader};
use crate::output::Output;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

pub(crate) fn run(arguments: &ShowArguments) -> Result<()> {
    let wrong = |message: String| args::wrong("show", ErrorKind::ValueValidation, message);
    let mut maps: Vec<Column> = Vec::new();
    for choice in &arguments.maps {
        match choice {
            Choice::Help => return console::print(columns::help().as_bytes()),
            Choice::Columns(columns) => maps.extend(columns),
        }
    }
    let is_known = |map: Column| {
        let not = [InputColumn::Line, InputColumn::Score, InputColumn::Result].map(Column::Input);
        let is_number = map.data_type(false).is_integer() && !not.contains(&map);
        is_threats(map) || is_moves(map) || (is_number && Input::text().is_available(map))
    };
    if let Some(other) = maps.iter().find(|map| !is_known(**map)) {
        wrong(format!("`{other}` cannot be shown"));
    }
    if let Some(input) = &arguments.input {
        if maps.is_empty() {
            maps = columns::named(&["white_all", "black_all"]);
        }
        if let Some(number) = maps.iter().find(|map| !map.is_board()) {
            wrong(format!("`{}` is not a set of squares, so no square is in it", number.name()));
        }
        let svg = arguments.svg.as_deref();
        return heat::run(input, &maps, arguments.by_ply, &arguments.compare, svg);
    }
    let Some(path) = &arguments.svg else {
        let position = position(&arguments.position)?;
        if maps.is_empty() {
            maps = columns::named(&["white_all", "black_all"]);
        }
        return console::print(in_text(&position, &maps).as_bytes());
    };
    let other = path.extension().and_then(|extension| extension.to_str());
    if let Some(other @ ("png" | "jpg" | "jpeg" | "gif" | "webp" | "pdf")) = other {
        let name = path.with_extension("");
        let name = name.display();
        wrong(format!(
            "a picture is written as SVG, not as .{other}: \
             use --svg {name}.svg, then `rsvg-convert {name}.svg -o {name}.png`"
        ));
    }
    if let Some(number) =
        maps.iter().find(|map| !map.is_board() && !is_threats(**map) && !is_moves(**map))
    {
        wrong(format!("`{}` is a number, not a set of squares: it has no picture", number.name()));
    }
    let position = position(&arguments.position)?;
    let panels: Vec<_> = match maps.is_empty() {
        true => Colour::ALL.map(Panel::Attackers).to_vec(),
        false => {
            let panels = |map: Column| match is_threats(map) {
                true => Colour::ALL.map(Panel::Threats).to_vec(),
                false if is_moves(map) => vec![Panel::LegalMoves((&position).into())],
                false => vec![Panel::Map {
                    name: map.name(),
                    meaning: map.meaning(),
                    squares: map.value(&position).unwrap_or(0) as u64,
                }],
            };
            maps.into_iter().flat_map(panels).collect()
        }
    };
    let mut output = Output::create(path, &[], &[])?;
    let picture = picture(&position, &panels);
    output.write_all(picture.as_bytes()).map_err(|error| output.not_written(error))?;
    Output::finish(vec![output])
}

/// Returns whether a column is the list of threats, which is drawn as arrows.
fn is_threats(map: Column) -> bool {
    map == Column::Computed(setwise_nnue::Column::Threats)
}

/// Returns whether a column is the list of legal moves, which is drawn as arrows.
fn is_moves(map: Column) -> bool {
    map == setwise::Column::LEGAL_MOVES.into()
}

/// Parses the position: a FEN in one or several arguments, the start position, or a line of an input.
fn position(arguments: &[String]) -> Result<Fen> {
    if let [argument] = arguments {
        if argument == "startpos" {
            return Ok(Fen::parse(START).expect("a position"));
        }
        if argument == "-" {
            return line(Path::new(argument), None);
        }
        // A FEN never contains a colon.
        if let Some((path, number)) = argument.rsplit_once(':')
            && let Ok(number @ 1..) = number.parse()
        {
            return line(Path::new(path), Some(number));
        }
    }
    let text = arguments.join(" ");
    Fen::parse(&text).map_err(|error| {
        let (character, reason) = (error.column(), error.to_string());
        let (place, text) = (format!("column {character}"), text.into_bytes());
        Error::Invalid(Box::new(BadRow { row: 1, place, character, reason, text })).into()
    })
}

/// Reads the position on a line of an input, by default on the first line with a position.
fn line(path: &Path, number: Option<u64>) -> Result<Fen> {
    let inputs: Vec<PathBuf> = vec![path.to_owned()];
    input::check(&inputs)?;
    let mut reader = LineReader::new(&inputs, no_progress());
    let mut count = 0;
    loop {
        let lines = reader.batch(4096, 1 << 20)?;
        if lines.count == 0 {
            break;
        }
        for line in lines.iter() {
            count = line.number;
            let invalid = |character, reason| {
                Err(Error::Invalid(Box::new(line.bad(character, reason))).into())
            };
            match (line.content(), number) {
                (_, Some(number)) if number != count => {}
                (LineContent::Blank | LineContent::Comment, None) => {}
                (LineContent::Position(fen, _), _) => return Ok(fen),
                (LineContent::Invalid(character, reason), _) => return invalid(character, reason),
                (LineContent::Blank | LineContent::Comment, Some(_)) => {
                    let error = Fen::parse(line.text).map(|_| ());
                    let error = error.map_err(|error| (error.column(), error.to_string()));
                    let (character, reason) = error.err().unwrap_or_default();
                    return invalid(character, reason);
                }
            }
        }
    }
    let name = setwise_files::name(path);
    match number {
        Some(number) => bail!("{name} has no line {number}: it ends with line {count}"),
        None => bail!("{name} has no position"),
    }
}

/// Draws the board and the maps, three side by side. Below them are the side to move, the maps as numbers, the columns
/// that are not sets of squares, and the threats.
fn in_text(fen: &Fen, maps: &[Column]) -> String {
    let boards = maps.iter().filter(|map| map.is_board());
    let boards: Vec<_> =
        boards.map(|&map| (map.name(), map.value(fen).unwrap_or(0) as u64)).collect();
    let mut text = String::new();
    for (i, lines) in side_by_side(fen, &boards).iter().enumerate() {
        if i > 0 {
            text.push('\n');
        }
        for (row, line) in lines.iter().enumerate() {
            text.push_str(&paint(line, row));
            text.push('\n');
        }
    }
    let is_number = |map: &Column| !map.is_board() && !is_threats(*map) && !is_moves(*map);
    let numbers: Vec<_> = maps.iter().copied().filter(is_number).collect();
    let width = numbers.iter().map(|column| column.name().len()).max().unwrap_or(0);
    for (i, column) in numbers.into_iter().enumerate() {
        let gap = if i == 0 { "\n" } else { "" };
        let value = column.value(fen).map_or_else(|| "-".to_owned(), |value| value.to_string());
        let _ = writeln!(text, "{gap}{:<width$} {value:>3}", column.name());
    }
    if maps.iter().any(|map| is_threats(*map)) {
        Colour::ALL.into_iter().for_each(|colour| text.push_str(&threats(&fen.pieces, colour)));
    }
    if maps.iter().any(|map| is_moves(*map)) {
        text.push_str(&legal_moves(fen));
    }
    text
}

/// Lists the legal moves, one line per piece: the piece and its destinations.
fn legal_moves(fen: &Fen) -> String {
    let bold = Style::new().bold();
    let Some(legal) = of_position::legal(&fen.pieces, fen.into()) else {
        return format!("\n{bold}no legal moves{bold:#}: the position is invalid\n");
    };
    let mut text = heading(legal.count() as usize, "legal move", fen.turn);
    for (from, targets) in (0..).zip(legal.targets()).filter(|(_, targets)| *targets != 0) {
        let _ = write!(text, "{:<3} ", piece_name(&fen.pieces, from));
        for to in (0..64_u8).filter(|to| targets >> to & 1 == 1) {
            let enemies = fen.pieces.colour(fen.turn.opponent());
            let cross = if enemies >> to & 1 == 1 { "x" } else { "" };
            let (file, rank) = (char::from(b'a' + to % 8), to / 8 + 1);
            let _ = write!(text, " {cross}{file}{rank}");
        }
        text.push('\n');
    }
    text
}

/// Lists the threats of a colour, one line per piece: the piece and the pieces that it attacks or defends.
fn threats(pieces: &Pieces, by: Colour) -> String {
    let mut threats = setwise_nnue::position::threats(pieces).to_vec();
    threats.retain(|threat| threat.attacker(pieces).is_some_and(|(colour, _)| colour == by));
    threats.sort_unstable_by_key(|threat| (threat.from(), threat.to()));
    let mut text = heading(threats.len(), "threat", by);
    for of_one in threats.chunk_by(|a, b| a.from() == b.from()) {
        let _ = write!(text, "{:<3} ", piece_name(pieces, of_one[0].from()));
        for threat in of_one {
            let is_own = threat.victim(pieces).is_none_or(|(colour, _)| colour == by);
            let cross = if is_own { "" } else { "x" };
            let _ = write!(text, " {cross}{}", piece_name(pieces, threat.to()));
        }
        text.push('\n');
    }
    text
}

fn heading(count: usize, what: &str, by: Colour) -> String {
    let (bold, many) = (Style::new().bold(), if count == 1 { "" } else { "s" });
    let side = if by == Colour::White { "white" } else { "black" };
    format!("\n{bold}{count} {what}{many} by {side}{bold:#}\n")
}

/// Names a piece by its letter and square, and a pawn by its square alone.
fn piece_name(pieces: &Pieces, square: u8) -> String {
    let (file, rank) = (char::from(b'a' + square % 8), square / 8 + 1);
    match pieces.at(square) {
        Some((_, role)) if role != Role::Pawn => {
            format!("{}{file}{rank}", letter((Colour::White, role)))
        }
        _ => format!("{file}{rank}"),
    }
}

/// Colours a line of the drawings, if the terminal supports colours.
fn paint(line: &str, row: usize) -> String {
    let dim = Style::new().dimmed();
    if !(1..=8).contains(&row) {
        let style = if row == 0 { Style::new().bold() } else { dim };
        return format!("{style}{line}{style:#}");
    }
    let mut text = String::new();
    for c in line.chars() {
        let style = match c {
            '.' | '1'..='8' => dim,
            'x' => AnsiColor::Green.on_default().bold(),
            'A'..='Z' => Style::new().bold(),
            'a'..='z' => AnsiColor::Red.on_default().bold(),
            _ => Style::new(),
        };
        let _ = write!(text, "{style}{c}{style:#}");
    }
    text
}
