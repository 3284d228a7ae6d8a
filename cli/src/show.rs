//! `setwise show`: one position and its maps, side by side in the terminal or as a picture.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};
use anyhow::{Result, bail};
use clap::error::ErrorKind;
use indicatif::ProgressBar;
use setwise::{Colour, Fen, Pieces, Role, position as of_position};
use setwise_draw::{Panel, letter, picture, side_by_side};

use crate::args::{self, ShowArguments};
use crate::columns::{self, Choice, Column};
use crate::console;
use crate::input::{self, Batches, Sizes};
use crate::lines::{self, BadLine};
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
    if let Some(text) = maps.iter().find(|map| map.is_text() || **map == Column::Line) {
        wrong(format!("'{}' is no map", text.name()));
    }
    let Some(path) = &arguments.svg else {
        let position = position(&arguments.position)?;
        if maps.is_empty() {
            maps = ["white_all", "black_all"].map(columns::named).to_vec();
        }
        return console::print(in_text(&position, &maps).as_bytes());
    };
    let other = path.extension().and_then(|extension| extension.to_str());
    if let Some(other @ ("png" | "jpg" | "jpeg" | "gif" | "webp" | "pdf")) = other {
        let name = path.with_extension("");
        let name = name.display();
        wrong(format!(
            "a picture is written as SVG, not as .{other}: \
             say --svg {name}.svg, then `rsvg-convert {name}.svg -o {name}.png`"
        ));
    }
    if let Some(number) = maps.iter().find(|map| !map.is_board() && !map.is_list()) {
        wrong(format!("'{}' is a number and no set of squares: it has no picture", number.name()));
    }
    let position = position(&arguments.position)?;
    let panels: Vec<_> = match maps.is_empty() {
        true => Colour::ALL.map(Panel::Attackers).to_vec(),
        false => {
            let panels = |map: Column| match map.is_list() {
                true => Colour::ALL.map(Panel::Threats).to_vec(),
                false => vec![Panel::Map {
                    name: map.name(),
                    meaning: map.meaning(),
                    squares: columns::value(map, &position),
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

/// The position that is meant: a FEN in one argument or in several, the start, or a line of an input.
fn position(words: &[String]) -> Result<Fen> {
    if let [word] = words {
        if word == "startpos" {
            return Ok(Fen::parse(START).expect("a position"));
        }
        if word == "-" {
            return line(Path::new(word), None);
        }
        // No FEN has a colon.
        if let Some((path, number)) = word.rsplit_once(':')
            && let Ok(number @ 1..) = number.parse()
        {
            return line(Path::new(path), Some(number));
        }
    }
    let text = words.join(" ");
    let parsed = Fen::parse(&text);
    Ok(parsed.map_err(|error| BadLine::of_text(&text, error.column(), &error.to_string()))?)
}

/// The position on a line of an input; without a number, on the first line that has one.
fn line(path: &Path, number: Option<u64>) -> Result<Fen> {
    let inputs: Vec<PathBuf> = vec![path.to_owned()];
    input::check(&inputs)?;
    let sizes = Sizes { lines: 4096, bytes: 1 << 20 };
    let mut batches = Batches::new(inputs.clone(), sizes, ProgressBar::hidden());
    let mut count = 0;
    loop {
        let batch = batches.next()?;
        if batch.is_empty() {
            break;
        }
        for line in batch.lines() {
            count = line.number;
            let text = line.text.trim_ascii_end();
            let wanted = match number {
                Some(number) => line.number == number,
                None => !text.is_empty() && !text.starts_with(b"#"),
            };
            if wanted {
                let parsed = lines::position(&line, text);
                return Ok(parsed
                    .map_err(|(column, reason)| BadLine::new(&line, &inputs, column, &reason))?);
            }
        }
    }
    let name = input::name(path);
    match number {
        Some(number) => bail!("{name} has no line {number}: it ends with line {count}"),
        None => bail!("{name} has no position"),
    }
}

/// The board, then each map, three beside each other; with whose turn it is, and the maps as numbers, below
/// them. At the end the columns that are no sets of squares, and who attacks whom.
fn in_text(fen: &Fen, maps: &[Column]) -> String {
    let boards = maps.iter().filter(|map| map.is_board());
    let boards: Vec<_> = boards.map(|&map| (map.name(), columns::value(map, fen))).collect();
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
    let is_number = |map: &Column| !map.is_board() && !map.is_list();
    let numbers: Vec<_> = maps.iter().copied().filter(is_number).collect();
    let width = numbers.iter().map(|column| column.name().len()).max().unwrap_or(0);
    for (i, column) in numbers.into_iter().enumerate() {
        let gap = if i == 0 { "\n" } else { "" };
        let _ = writeln!(text, "{gap}{:<width$} {:>3}", column.name(), columns::value(column, fen));
    }
    if maps.iter().any(|map| map.is_list()) {
        Colour::ALL.into_iter().for_each(|colour| text.push_str(&threats(&fen.pieces, colour)));
    }
    text
}

/// A line for each piece of a colour that attacks something: the piece, and by squares what it attacks.
fn threats(pieces: &Pieces, by: Colour) -> String {
    let mut threats = of_position::threats(pieces).to_vec();
    threats.retain(|threat| threat.attacker(pieces).is_some_and(|(colour, _)| colour == by));
    threats.sort_unstable_by_key(|threat| (threat.from(), threat.to()));
    let side = if by == Colour::White { "white" } else { "black" };
    let many = if threats.len() == 1 { "threat" } else { "threats" };
    let bold = Style::new().bold();
    let mut text = format!("\n{bold}{} {many} by {side}{bold:#}\n", threats.len());
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

/// A piece by its letter and square, a pawn by its square.
fn piece_name(pieces: &Pieces, square: u8) -> String {
    let (file, rank) = (char::from(b'a' + square % 8), square / 8 + 1);
    match pieces.at(square) {
        Some((_, role)) if role != Role::Pawn => {
            format!("{}{file}{rank}", letter((Colour::White, role)))
        }
        _ => format!("{file}{rank}"),
    }
}

/// Colours a line of the drawings, where the terminal has colours.
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
