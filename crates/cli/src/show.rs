//! `setwise show`: draws one position and its maps, side by side in the terminal or as a picture.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};
use anyhow::{Result, bail};
use clap::error::ErrorKind;
use setwise::{Colour, Fen, Pieces, Role, position as of_position};
use setwise_draw::{Panel, letter, picture, side_by_side};
use setwise_files::{FileFormat, no_progress};
use setwise_nnue::Threat;
use setwise_table::{BadRow, Column, Error, Input, InputColumn, LineContent};

use crate::args::{self, ShowArguments};
use crate::columns::{self, Choice};
use crate::console::{self, counted};
use crate::heat;
use crate::import;
use crate::input::LineReader;
use crate::output::Output;

pub(crate) fn run(arguments: &ShowArguments) -> Result<()> {
    let wrong = |message: String| args::wrong("show", ErrorKind::ValueValidation, message);
    let is_known = |map: Column| {
        let not = [InputColumn::Line, InputColumn::Score, InputColumn::Result].map(Column::Input);
        let is_number = map.data_type(false).is_integer() && !not.contains(&map);
        is_threats(map) || is_moves(map) || (is_number && Input::text().is_available(map))
    };
    // Heat maps and pictures show no numbers, and heat maps no lists.
    let is_drawn = |map: Column| match (&arguments.input, &arguments.svg) {
        (None, None) => is_known(map),
        (None, Some(_)) => map.is_board() || is_threats(map) || is_moves(map),
        (Some(_), _) => map.is_board(),
    };
    let mut maps: Vec<Column> = Vec::new();
    for choice in &arguments.maps {
        match choice {
            Choice::Help => return console::print(columns::help().as_bytes()),
            Choice::Columns(columns, optional) => {
                let any = columns.iter().any(|&map| is_drawn(map));
                let is_kept = |map: &&Column| is_drawn(**map) || !any || !optional.contains(map);
                maps.extend(columns.iter().filter(is_kept));
            }
        }
    }
    check(arguments);
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
        return heat::run(input, &maps, arguments);
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
    let input = place(&arguments.position).map(|(path, _)| path.to_owned());
    let mut output = Output::create(path, input.as_slice(), &[])?;
    let picture = picture(&position, &panels);
    output.write_all(picture.as_bytes()).map_err(|error| output.not_written(error))?;
    Output::finish(vec![output])
}

/// Checks what clap cannot say clearly: whether there is a position or an input.
fn check(arguments: &ShowArguments) {
    let wrong = |message: String| args::wrong("show", ErrorKind::MissingRequiredArgument, message);
    if arguments.input.is_some() {
        return;
    }
    for (is_given, option) in [
        (arguments.by_ply.is_some(), "--by-ply"),
        (!arguments.compare.is_empty(), "--compare"),
        (arguments.guess.is_some(), "--types"),
    ] {
        if is_given {
            wrong(format!("{option} needs --input, which names the positions to show"));
        }
    }
    if arguments.position.is_empty() {
        wrong(
            "no POSITION is given: name a FEN, startpos or FILE:LINE, or a file with --input"
                .to_owned(),
        );
    }
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
fn position(arguments: &[OsString]) -> Result<Fen> {
    if let Some((path, number)) = place(arguments) {
        return line(path, number);
    }
    if arguments == ["startpos"] {
        return Ok(Fen::START);
    }
    let text = arguments.join(OsStr::new(" "));
    if Path::new(&text).is_file() {
        let name = setwise_files::name(Path::new(&text));
        let is_text = matches!(FileFormat::of(Path::new(&text)), Ok(Some(FileFormat::Text)));
        let line = if is_text { format!("name a line, as {name}:1, or ") } else { String::new() };
        bail!("{name} is a file: {line}use --input to show all its positions");
    }
    if let [argument] = arguments
        && let Some((path, number)) = split_at_colon(argument)
        && Path::new(path).is_file()
    {
        let name = setwise_files::name(Path::new(path));
        bail!("{name} has no line {number:?}: its lines are numbered from 1");
    }
    let text = text.to_string_lossy().into_owned();
    Fen::parse(&text).map_err(|error| {
        let (character, reason) = (error.column(), error.to_string());
        let (place, text) = (format!("column {character}"), text.into_bytes());
        Error::Invalid(Box::new(BadRow { row: 1, place, character, reason, text })).into()
    })
}

/// Returns the input and the number of the line that the arguments name, if they name one.
fn place(arguments: &[OsString]) -> Option<(&Path, Option<u64>)> {
    match arguments {
        [argument] if argument == "-" => Some((Path::new(argument), None)),
        [argument] => {
            // A FEN never contains a colon.
            let (path, number) = split_at_colon(argument)?;
            Some((Path::new(path), Some(number.parse().ok().filter(|number| *number > 0)?)))
        }
        _ => None,
    }
}

/// Splits an argument at its last colon. On Unix, the name of a file can be any bytes.
fn split_at_colon(argument: &OsStr) -> Option<(&OsStr, &str)> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        let bytes = argument.as_bytes();
        let at = memchr::memrchr(b':', bytes)?;
        Some((OsStr::from_bytes(&bytes[..at]), str::from_utf8(&bytes[at + 1..]).ok()?))
    }
    #[cfg(not(unix))]
    argument.to_str()?.rsplit_once(':').map(|(path, number)| (OsStr::new(path), number))
}

/// Reads the position on a line of an input, by default on the first line with a position.
fn line(path: &Path, number: Option<u64>) -> Result<Fen> {
    let inputs: Vec<PathBuf> = vec![path.to_owned()];
    import::check(&inputs)?;
    let mut reader = LineReader::new(&inputs, no_progress());
    let mut count = 0;
    loop {
        let lines = reader.batch(4096, 1 << 20)?;
        if lines.count == 0 {
            break;
        }
        for line in lines.iter() {
            count = line.number;
            if number.is_some_and(|number| number != count) {
                continue;
            }
            let (character, reason) = match line.content() {
                LineContent::Position(fen, _) => return Ok(fen),
                LineContent::Invalid(character, reason) => (character, reason),
                LineContent::Blank | LineContent::Comment if number.is_none() => continue,
                LineContent::Blank | LineContent::Comment => {
                    let error = Fen::parse(line.text).err();
                    error.map(|error| (error.column(), error.to_string())).unwrap_or_default()
                }
            };
            return Err(Error::Invalid(Box::new(line.bad(character, reason))).into());
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
    let enemies = fen.pieces.colour(fen.turn.opponent());
    let mut moves = Vec::new();
    for (from, targets) in (0..).zip(legal.targets()) {
        for to in (0..64_u8).filter(|to| targets >> to & 1 == 1) {
            moves.push((from, enemies >> to & 1 == 1, square_name(to)));
        }
    }
    list(&fen.pieces, fen.turn, counted(legal.count().into(), "legal move"), &moves)
}

/// Lists the threats of a colour, one line per piece: the piece and the pieces that it attacks or defends.
fn threats(pieces: &Pieces, by: Colour) -> String {
    let mut threats = setwise_nnue::position::threats(pieces).to_vec();
    threats.retain(|threat| threat.attacker(pieces).is_some_and(|(colour, _)| colour == by));
    threats.sort_unstable_by_key(|threat| (threat.from(), threat.to()));
    let pair = |threat: &Threat| {
        let is_enemy = threat.victim(pieces).is_some_and(|(colour, _)| colour != by);
        (threat.from(), is_enemy, piece_name(pieces, threat.to()))
    };
    let pairs: Vec<_> = threats.iter().map(pair).collect();
    list(pieces, by, counted(pairs.len() as u64, "threat"), &pairs)
}

/// Lists the targets of a colour's pieces, one line per piece. An x precedes those of the enemy. Each pair has the square
/// of the piece, whether the target is an enemy, and its name.
fn list(pieces: &Pieces, by: Colour, count: String, pairs: &[(u8, bool, String)]) -> String {
    let bold = Style::new().bold();
    let side = if by == Colour::White { "white" } else { "black" };
    let mut text = format!("\n{bold}{count} by {side}{bold:#}\n");
    for of_one in pairs.chunk_by(|a, b| a.0 == b.0) {
        let _ = write!(text, "{:<3} ", piece_name(pieces, of_one[0].0));
        for (_, is_enemy, name) in of_one {
            let _ = write!(text, " {}{name}", if *is_enemy { "x" } else { "" });
        }
        text.push('\n');
    }
    text
}

fn square_name(square: u8) -> String {
    format!("{}{}", char::from(b'a' + square % 8), square / 8 + 1)
}

/// Names a piece by its letter and square, and a pawn by its square alone.
fn piece_name(pieces: &Pieces, square: u8) -> String {
    match pieces.at(square) {
        Some((_, role)) if role != Role::Pawn => {
            format!("{}{}", letter((Colour::White, role)), square_name(square))
        }
        _ => square_name(square),
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
