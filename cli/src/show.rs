//! `setwise show`: one position and its maps, side by side in the terminal or as a picture.

use std::fmt::Write as _;
use std::io::Write as _;
use std::str::FromStr;

use anstyle::{AnsiColor, Style};
use anyhow::{Context, Result, anyhow};
use setwise::bitboard::Drawing;
use setwise::{Colour, Fen, Kernel, Map, Pieces, Role};

use crate::args::ShowArguments;
use crate::lines::BadLine;
use crate::output::Output;
use crate::svg;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

pub(crate) fn run(arguments: &ShowArguments) -> Result<()> {
    let text = match arguments.fen.join(" ") {
        name if name == "startpos" => START.to_owned(),
        fen => fen,
    };
    let fen = Fen::parse(&text)
        .map_err(|error| BadLine::of_text(&text, error.column(), &error.to_string()))?;
    match &arguments.svg {
        Some(path) => {
            let mut output = Output::create(path, &[])?;
            let wrong = format!("cannot write {}", output.name());
            output.write_all(svg::picture(&fen).as_bytes()).context(wrong.clone())?;
            output.finish().context(wrong)
        }
        None => crate::print(side_by_side(&fen, &arguments.maps).as_bytes()),
    }
}

/// A map by name; hyphens are as good as underscores.
#[derive(Clone, Copy)]
pub(crate) struct MapName(Map);

impl FromStr for MapName {
    type Err = anyhow::Error;

    fn from_str(name: &str) -> Result<Self> {
        let map = name.replace('-', "_").parse().map(Self);
        map.map_err(|error| anyhow!("{error}; `setwise maps --columns help` lists them"))
    }
}

/// The board, then each map; below them whose turn it is, and the maps as numbers.
fn side_by_side(fen: &Fen, maps: &[MapName]) -> String {
    const WIDTH: usize = 18;
    let turn = match fen.turn {
        Colour::White => "white to move",
        Colour::Black => "black to move",
    };
    let mut blocks = vec![block("", &drawing(&fen.pieces), turn)];
    for &MapName(map) in maps {
        let mut squares = [0];
        Kernel::detect().attack_maps(&[fen.pieces][..], &mut [(map, &mut squares[..])]);
        let [squares] = squares;
        let number = format!("{squares:#018x}");
        blocks.push(block(map.name(), &Drawing(squares).to_string(), &number));
    }
    let mut text = String::new();
    for row in 0..blocks[0].len() {
        let mut line = String::new();
        for block in &blocks {
            let _ = write!(line, "{:<WIDTH$}    ", block[row]);
        }
        text.push_str(&paint(line.trim_end(), row));
        text.push('\n');
    }
    text
}

/// A drawing with a line above and a line below.
fn block(above: &str, drawing: &str, below: &str) -> Vec<String> {
    let mut lines = vec![above.to_owned()];
    lines.extend(drawing.lines().map(str::to_owned));
    lines.push(below.to_owned());
    lines
}

/// The men as letters, in the same shape as [`Drawing`].
fn drawing(pieces: &Pieces) -> String {
    let mut text = String::new();
    for rank in (0..8).rev() {
        let _ = write!(text, "{} ", rank + 1);
        for file in 0..8 {
            let _ = write!(text, " {}", pieces.at(8 * rank + file).map_or('.', letter));
        }
        text.push('\n');
    }
    text + "\n   a b c d e f g h"
}

fn letter((colour, role): (Colour, Role)) -> char {
    let letter = match role {
        Role::Pawn => 'p',
        Role::Knight => 'n',
        Role::Bishop => 'b',
        Role::Rook => 'r',
        Role::Queen => 'q',
        Role::King => 'k',
    };
    if colour == Colour::White { letter.to_ascii_uppercase() } else { letter }
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
