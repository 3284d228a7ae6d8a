//! Draws pictures. A board shows a side's number of attackers of each square, the squares of a map, arrows for the
//! threats of a side, arrows for the legal moves, or frequencies over many positions.
//!
//! Pieces are drawn as outlines, so that the picture looks the same everywhere. Text uses only characters that every
//! font has. The background is dark if the reader's theme is dark.

use std::fmt::Write;

use setwise::legal::State;
use setwise::{Colour, Fen, Pieces, Role, eval, position};
use setwise_nnue::Threat;

use crate::look::{ATTACKED, DEFENDED, MAP, NET, SCALE, outline};

/// The side length of a square.
const SQUARE: usize = 56;
/// The side length of a piece.
const PIECE: usize = 49;
/// The space around and between the boards: for ranks on the left, a title and a subtitle above, and files below.
const LEFT: usize = 34;
const HEAD: usize = 62;
const GAP: usize = 54;
const BOARD: usize = 8 * SQUARE;
const PANEL: usize = HEAD + BOARD + 34;
/// The space for the title above all boards, and for the legend and the position below them.
const TOP: usize = 44;
const BOTTOM: usize = 78;

/// The contents of a board in the picture.
#[derive(Clone, Copy, Debug)]
pub enum Panel<'a> {
    /// The number of pieces of a colour that attack each square.
    Attackers(Colour),
    /// A set of squares.
    Map {
        /// The title.
        name: &'a str,
        /// The meaning, in one line.
        meaning: &'a str,
        /// The squares.
        squares: u64,
    },
    /// The threats of a colour: the pieces that it attacks and defends.
    Threats(Colour),
    /// The legal moves, given the state of the position.
    LegalMoves(State),
    /// For each square, the share of many positions whose sets contain it.
    Heat(&'a HeatBoard),
}

/// A board of a heat map: for each square, the share of many positions whose sets contain it, or the difference of two
/// such shares.
#[derive(Clone, Debug)]
pub struct HeatBoard {
    /// The title. In the legend, the part before a comma names the map.
    pub title: String,
    /// The meaning, in one line.
    pub meaning: &'static str,
    /// The share for each square, from 0 to 1, or the difference, from -1 to 1, in the order a1 to h8.
    pub shares: [f64; 64],
    /// True if the shares are differences.
    pub is_difference: bool,
}

/// Draws panels in rows of two. Returns the picture as an SVG document.
///
/// # Panics
/// If there are no panels.
///
/// ```
/// use setwise::{Colour, Fen};
/// use setwise_draw::{Panel, picture};
/// let svg = picture(&Fen::START, &Colour::ALL.map(Panel::Attackers));
/// assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
/// ```
#[must_use]
#[track_caller]
pub fn picture(fen: &Fen, panels: &[Panel<'_>]) -> String {
    let has = |is: fn(&Panel<'_>) -> bool| panels.iter().any(is);
    let title = match () {
        () if has(|panel| matches!(panel, Panel::Attackers(_))) => "Attackers of every square",
        () if has(|panel| matches!(panel, Panel::Map { .. })) => "Attack maps",
        () if has(|panel| matches!(panel, Panel::Threats(_))) => "Threats",
        () => "Legal moves",
    };
    let title = format!("{title}, {} to move", side(fen.turn));
    draw(&title, &fen.to_string(), &fen.pieces, panels, panels.len())
}

/// Draws a picture of many positions: heat maps between a title and a note. Each group of `maps` boards has the same
/// maps in the same order; the groups form a grid. The largest share of each map gets the darkest colour, and maps whose
/// largest shares differ have one scale each, in the unit of the squares.
///
/// With differences, rows have three boards, and all maps have the same scale.
///
/// # Panics
/// If there are no boards.
///
/// ```
/// use setwise_draw::{HeatBoard, heat_picture, heat_text};
/// let mut board = HeatBoard { title: "rooks, n < 9".into(), meaning: "", shares: [0.0; 64], is_difference: false };
/// board.shares[7] = 0.5;
/// assert!(heat_text("8 positions", &[board.clone()]).contains("1    0.0   0.0   0.0   0.0   0.0   0.0   0.0  50.0\n"));
/// assert!(heat_picture("Rooks", "8 positions", 1, &[board]).contains("rooks, n &lt; 9"));
/// ```
#[must_use]
#[track_caller]
pub fn heat_picture(title: &str, note: &str, maps: usize, boards: &[HeatBoard]) -> String {
    let maps = if boards.iter().any(|board| board.is_difference) { 1 } else { maps.max(1) };
    let panels: Vec<_> = boards.iter().map(Panel::Heat).collect();
    draw(title, &escaped(note), &Pieces::EMPTY, &panels, maps)
}

/// Escapes text for XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[track_caller]
fn draw(
    title: &str,
    note: &str,
    pieces: &Pieces,
    panels: &[Panel<'_>],
    group_size: usize,
) -> String {
    assert!(!panels.is_empty(), "a picture has at least one panel");
    // Several groups form a grid that is nearly square.
    let groups = panels.len().div_ceil(group_size);
    let group_columns = (1..).find(|n| n * n * group_size >= groups).unwrap_or(1);
    let differences = panels.iter().filter_map(|panel| match panel {
        Panel::Heat(board) if board.is_difference => Some(board.shares),
        _ => None,
    });
    let largest = differences.flatten().map(f64::abs).reduce(f64::max);
    let across = match largest {
        Some(_) => panels.len().min(3),
        None if groups > 1 => group_columns * group_size,
        None => panels.len().min(2),
    };
    let rows = panels.len().div_ceil(across);
    let scales = heat_scales(panels, group_size);
    let legends = scales.len() + usize::from(largest.is_some());
    let bottom = BOTTOM + legends.saturating_sub(1) * (HEIGHT + 8);
    let width = LEFT + across * BOARD + (across - 1) * GAP + 28;
    let height = TOP + rows * PANEL + bottom;
    let counts = panels.iter().any(|panel| matches!(panel, Panel::Attackers(_)));
    let maps = panels.iter().any(|panel| matches!(panel, Panel::Map { .. }));
    let threats = panels.iter().any(|panel| matches!(panel, Panel::Threats(_)));
    let moves = panels.iter().any(|panel| matches!(panel, Panel::LegalMoves(_)));
    let mut svg = opening(title, note, [width, height], threats || moves);
    let middle = width / 2;
    heading(&mut svg, middle, 30, 21, title);
    for (i, &panel) in panels.iter().enumerate() {
        let (left, top) = (LEFT + i % across * (BOARD + GAP), TOP + i / across * PANEL);
        let max = match (panel, largest) {
            (Panel::Heat(HeatBoard { is_difference: true, .. }), Some(largest)) => largest,
            _ => scales.get(i % group_size).or(scales.first()).map_or(0.0, |(_, max)| *max),
        };
        board(&mut svg, pieces, panel, max, left, top);
    }
    let top = height - bottom + 6;
    for (i, (what, max)) in scales.iter().enumerate() {
        let between = max / (SCALE.len() - 1) as f64;
        let percents = |step: usize| percent(step as f64 * between, between);
        scale(&mut svg, &SCALE, (middle, top + i * (HEIGHT + 8)), what, percents);
    }
    if let Some(largest) = largest {
        let steps = (NET.len() / 2) as f64;
        let between = largest / steps;
        let points = |step: usize| signed((step as f64 - steps) * between, between);
        let place = (middle, top + scales.len() * (HEIGHT + 8));
        scale(&mut svg, &NET, place, "difference, percentage points", points);
    }
    let counted = |step| format!("{step}{}", if step + 1 == SCALE.len() { "+" } else { "" });
    match counts {
        true => scale(&mut svg, &SCALE, (middle, top), "attackers", counted),
        false if scales.is_empty() => legend(&mut svg, [maps, threats, moves], middle, top),
        false => {}
    }
    let size = (7 * (width - 40) / (4 * note.len().max(1))).min(13); // a character is 4/7 as wide as high
    text(&mut svg, middle, height - 16, size, "label", "middle", note);
    svg + "</svg>\n"
}

/// Opens a picture: its size, texts and styles, the outlines of the pieces, and the tips of arrows if it has any.
fn opening(title: &str, note: &str, [width, height]: [usize; 2], arrows: bool) -> String {
    let mut svg = String::new();
    let _ = write!(
        svg,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" font-family="Helvetica, Arial, sans-serif">
<title>{title}: {note}</title>
<style>
.ground {{ fill: #fff }} .text {{ fill: #2b2b2b }} .label {{ fill: #6b675f }} .frame {{ fill: none; stroke: #8a857a }}
@media (prefers-color-scheme: dark) {{ .ground {{ fill: #16181d }} .text {{ fill: #e6e4df }} .label {{ fill: #a5a199 }} }}
.shade {{ fill: #000; fill-opacity: .07 }} .number {{ fill: #1d1d1f; font-weight: bold }}
.piece {{ stroke: #1d1d1f; stroke-width: 1.4; stroke-linejoin: round; stroke-linecap: round }}
.white {{ fill: #fff }} .white .line {{ fill: none; stroke: #1d1d1f }}
.black {{ fill: #3a3a3c }} .black .line {{ fill: none; stroke: #f4f4f4 }}
</style>
<defs>
"##
    );
    for role in Role::ALL {
        let _ = writeln!(svg, r#"<g id="{role:?}">{}</g>"#, outline(role));
    }
    for fill in [ATTACKED, DEFENDED].into_iter().filter(|_| arrows) {
        let _ = writeln!(
            svg,
            r#"<marker id="tip-{}" viewBox="0 0 8 8" refX="6.5" refY="4" markerWidth="4.5" markerHeight="4.5" orient="auto"><path d="M0 0L8 4 0 8z" fill="{fill}"/></marker>"#,
            &fill[1..]
        );
    }
    svg.push_str("</defs>\n<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n");
    svg
}

/// Returns a legend and the largest share for each map of heat panels; for all maps together if the largest shares are
/// equal.
fn heat_scales(panels: &[Panel<'_>], maps: usize) -> Vec<(String, f64)> {
    let mut scales: Vec<(String, f64)> = Vec::new();
    for (i, panel) in panels.iter().enumerate() {
        let Panel::Heat(HeatBoard { title, shares, is_difference: false, .. }) = panel else {
            continue;
        };
        let max = shares.iter().copied().fold(0.0, f64::max);
        match scales.get_mut(i % maps) {
            Some((_, largest)) => *largest = largest.max(max),
            None => {
                let map = title.split(',').next().unwrap_or_default();
                scales.push((format!("{map}, % of positions"), max));
            }
        }
    }
    if let Some(&(_, max)) = scales.first()
        && scales.iter().all(|(_, other)| *other == max)
    {
        scales = vec![("% of positions".to_owned(), max)];
    }
    scales
}

/// Draws a panel, whose top left corner is at `left` and `top`.
fn board(svg: &mut String, pieces: &Pieces, panel: Panel<'_>, max: f64, left: usize, top: usize) {
    let (title, about) = match panel {
        Panel::Attackers(by) => (side(by), &*format!("{by} pieces that attack the square")),
        Panel::Map { name, meaning, .. } => (name, meaning),
        Panel::Heat(board) => (&*board.title, board.meaning),
        Panel::Threats(by) => (side(by), &*format!("what {by} pieces attack and defend")),
        Panel::LegalMoves(state) => {
            let turn = state.turn();
            (side(turn), &*format!("legal moves of {turn} pieces"))
        }
    };
    let middle = left + BOARD / 2;
    board_title(svg, middle, top, title);
    text(svg, middle, top + 48, 12, "label", "middle", about);
    let numbers = match panel {
        Panel::Attackers(colour) => attackers(pieces, colour),
        Panel::Map { squares, .. } => {
            std::array::from_fn(|square| (squares >> square & 1) as usize)
        }
        _ => [0; 64],
    };
    let (top, max) = (top + HEAD, max.max(f64::MIN_POSITIVE));
    for (square, &number) in (0..).zip(&numbers) {
        let (file, rank) = (usize::from(square % 8), usize::from(square / 8));
        let (x, y) = (left + file * SQUARE, top + (7 - rank) * SQUARE);
        let heat = match panel {
            Panel::Heat(board) => Some((board.shares[usize::from(square)], board.is_difference)),
            _ => None,
        };
        let fill = match heat {
            Some((share, true)) => &mixed(&NET, (share / max + 1.0) / 2.0),
            Some((share, false)) => &mixed(&SCALE, share / max),
            None if number > 0 && matches!(panel, Panel::Map { .. }) => MAP,
            None => SCALE[number.min(SCALE.len() - 1)],
        };
        rectangle(svg, (x, y, SQUARE, SQUARE), &format!("fill=\"{fill}\""));
        if let Some((share, is_difference)) = heat {
            let (x, y) = (x + SQUARE / 2, y + SQUARE / 2 + 6);
            let number = if is_difference { signed(share, 1.0) } else { percent(share, 1.0) };
            text(svg, x, y, 17, "number", "middle", &number);
        } else if (file + rank) % 2 == 0 {
            rectangle(svg, (x, y, SQUARE, SQUARE), "class=\"shade\"");
        }
        if let Some((colour, role)) = pieces.at(square) {
            // Move the piece down and to the left, to leave the corner for the number.
            let (x, y, scale) = (x + 1, y + 9, PIECE as f64 / 45.0);
            let _ = write!(
                svg,
                r##"<g class="piece {colour}" transform="translate({x} {y}) scale({scale:.4})"><use href="#{role:?}"/></g>"##
            );
        }
        if number > 0 && matches!(panel, Panel::Attackers(_)) {
            text(svg, x + SQUARE - 4, y + 15, 14, "number", "end", &number.to_string());
        }
        svg.push('\n');
    }
    match panel {
        Panel::Threats(colour) => threats(svg, pieces, colour, left, top),
        Panel::LegalMoves(state) => moves(svg, pieces, state, left, top),
        _ => {}
    }
    rectangle(svg, (left, top, BOARD, BOARD), "class=\"frame\"");
    for i in 0..8 {
        let file = char::from(b'a' + i as u8);
        let (x, y) = (left + i * SQUARE + SQUARE / 2, top + BOARD + 19);
        text(svg, x, y, 14, "label", "middle", &file.to_string());
        let (x, y) = (left - 9, top + (7 - i) * SQUARE + SQUARE / 2 + 5);
        text(svg, x, y, 14, "label", "end", &(i + 1).to_string());
        svg.push('\n');
    }
}

/// Writes the title of a board. It ends before the next board.
fn board_title(svg: &mut String, middle: usize, top: usize, title: &str) {
    // A bold character is at most 2/3 as wide as high.
    let fitting = |line: &str| 3 * (BOARD + GAP - 14) / (2 * line.chars().count().max(1));
    let spaces = title.match_indices(' ').map(|(at, _)| at);
    match spaces.min_by_key(|at| at.abs_diff(title.len() / 2)) {
        // A long condition has two lines.
        Some(space) if fitting(title) < 12 => {
            let (first, second) = title.split_at(space);
            let size = fitting(first).min(fitting(second)).clamp(1, 13);
            heading(svg, middle, top + 12, size, &escaped(first));
            heading(svg, middle, top + 28, size, &escaped(second.trim_start()));
        }
        _ => heading(svg, middle, top + 28, fitting(title).clamp(1, 17), &escaped(title)),
    }
}

/// The title of a side's board.
fn side(colour: Colour) -> &'static str {
    ["White", "Black"][colour as usize]
}

/// Counts the pieces of a colour that attack each square.
fn attackers(pieces: &Pieces, by: Colour) -> [usize; 64] {
    eval::attacker_counts(pieces, &eval::rays(pieces, by)).to_array().map(usize::from)
}

/// Draws an arrow for each threat by a colour, from the centre of one square to the centre of the other.
fn threats(svg: &mut String, pieces: &Pieces, by: Colour, left: usize, top: usize) {
    let middle = |square| middle(square, left, top);
    let threats = setwise_nnue::position::threats(pieces);
    for threat in &threats {
        if threat.attacker(pieces).is_none_or(|(colour, _)| colour != by) {
            continue;
        }
        let is_own = threat.victim(pieces).is_none_or(|(colour, _)| colour == by);
        let (from, to) = (middle(threat.from()), middle(threat.to()));
        let colour = if is_own { DEFENDED } else { ATTACKED };
        // If two pieces defend each other, their arrows are parallel.
        let back = Threat::new(threat.to(), threat.from());
        let is_two_way = is_own && threats.as_slice().contains(&back);
        arrow(svg, from, to, if is_two_way { 6.0 } else { 0.0 }, colour);
        svg.push('\n');
    }
}

/// Draws an arrow for each destination of a legal move, in castling for the king. Invalid positions have no arrows.
fn moves(svg: &mut String, pieces: &Pieces, state: State, left: usize, top: usize) {
    let Some(legal) = position::legal(pieces, state) else { return };
    let enemies = pieces.colour(state.turn().opponent());
    for (from, targets) in (0..).zip(legal.targets()) {
        for to in (0..64).filter(|to| targets >> to & 1 == 1) {
            let colour = if enemies >> to & 1 == 1 { ATTACKED } else { DEFENDED };
            arrow(svg, middle(from, left, top), middle(to, left, top), 0.0, colour);
            svg.push('\n');
        }
    }
}

fn middle(square: u8, left: usize, top: usize) -> (usize, usize) {
    let (file, rank) = (usize::from(square % 8), usize::from(square / 8));
    (left + file * SQUARE + SQUARE / 2, top + (7 - rank) * SQUARE + SQUARE / 2)
}

/// Draws an arrow between two points, shifted to its right by the distance `aside`.
fn arrow(svg: &mut String, from: (usize, usize), to: (usize, usize), aside: f64, colour: &str) {
    let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(|place| place as f64);
    let (length, tip) = ((x2 - x1).hypot(y2 - y1), &colour[1..]);
    let (x, y) = ((y1 - y2) / length * aside, (x2 - x1) / length * aside);
    let [x1, y1, x2, y2] =
        [x1 + x, y1 + y, x2 + x, y2 + y].map(|place| (place * 10.0).round() / 10.0);
    let _ = write!(
        svg,
        r#"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{colour}" stroke-width="3.5" stroke-opacity=".75" marker-end="url(#tip-{tip})"/>"#
    );
}

const CELL: usize = 36;
const HEIGHT: usize = 22;

/// Draws the legend of the colours of maps and arrows.
fn legend(svg: &mut String, [maps, threats, moves]: [bool; 3], middle: usize, top: usize) {
    const WIDTH: usize = 120;
    let map = (MAP, "in the map");
    let entries = [
        (maps, map),
        (threats, (ATTACKED, "attacks")),
        (threats, (DEFENDED, "defends")),
        (moves, (ATTACKED, "captures")),
        (moves, (DEFENDED, "goes to")),
    ];
    let entries = entries.into_iter().filter(|(shown, _)| *shown).map(|(_, entry)| entry);
    let entries: Vec<_> = entries.collect();
    let left = middle - entries.len() * WIDTH / 2;
    for (i, (colour, what)) in entries.into_iter().enumerate() {
        let left = left + i * WIDTH;
        if colour == MAP {
            rectangle(svg, (left, top, CELL, HEIGHT), &format!("fill=\"{MAP}\""));
        } else {
            let y = top + HEIGHT / 2;
            arrow(svg, (left, y), (left + CELL, y), 0.0, colour);
        }
        text(svg, left + CELL + 8, top + 16, 13, "label", "start", what);
    }
    svg.push('\n');
}

/// Draws the legend of the colours of numbers. If all numbers are equal, only the first is written.
fn scale(
    svg: &mut String,
    colours: &[&str],
    (middle, top): (usize, usize),
    what: &str,
    number: impl Fn(usize) -> String,
) {
    let left = middle - colours.len() * CELL / 2;
    text(svg, left - 10, top + 16, 13, "label", "end", what);
    for (step, fill) in colours.iter().enumerate() {
        let x = left + step * CELL;
        rectangle(svg, (x, top, CELL, HEIGHT), &format!("fill=\"{fill}\""));
        if step == 0 || number(step) != number(0) {
            text(svg, x + CELL / 2, top + 16, 13, "number", "middle", &number(step));
        }
    }
    svg.push('\n');
}

/// Formats a share as a percentage: with one decimal if it is below ten, and with as many as distinguish it from a share
/// that differs by `between`.
fn percent(share: f64, between: f64) -> String {
    let percents = 100.0 * share;
    if percents == 0.0 {
        return "0".to_owned();
    }
    let differs = |decimals: &usize| between * 10_f64.powi(2 + *decimals as i32) >= 1.0;
    let decimals = (usize::from(percents < 9.95)..5).find(differs).unwrap_or(1);
    format!("{percents:.decimals$}")
}

/// Formats a difference of shares in percentage points, with its sign.
fn signed(share: f64, between: f64) -> String {
    match percent(share.abs(), between) {
        text if text == "0" || text == "0.0" => text,
        text => format!("{}{text}", if share < 0.0 { "−" } else { "+" }),
    }
}

/// Interpolates a scale of colours at a position from 0 to 1.
fn mixed(colours: &[&str], place: f64) -> String {
    let place = place.clamp(0.0, 1.0) * (colours.len() - 1) as f64;
    let step = (place as usize).min(colours.len() - 2);
    let channel = |colour: &str, i: usize| u8::from_str_radix(&colour[i..i + 2], 16).unwrap_or(0);
    let mix = |i: usize| {
        let (low, high) = (channel(colours[step], i), channel(colours[step + 1], i));
        (f64::from(low) + (f64::from(high) - f64::from(low)) * (place - step as f64)).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", mix(1), mix(3), mix(5))
}

fn rectangle(svg: &mut String, (x, y, width, height): (usize, usize, usize, usize), look: &str) {
    let _ = write!(svg, r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" {look}/>"#);
}

fn heading(svg: &mut String, x: usize, y: usize, size: usize, title: &str) {
    let title = format!("<tspan font-weight=\"bold\">{title}</tspan>");
    text(svg, x, y, size, "text", "middle", &title);
}

fn text(svg: &mut String, x: usize, y: usize, size: usize, class: &str, anchor: &str, what: &str) {
    let _ = write!(
        svg,
        r#"<text x="{x}" y="{y}" font-size="{size}" class="{class}" text-anchor="{anchor}">{what}</text>"#
    );
}
