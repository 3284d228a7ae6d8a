//! The picture of `setwise show --svg`: two boards with their men, and how many white men and how many
//! black men attack each square, as a number and as a colour.
//!
//! The men are our own outlines, so that the picture looks the same wherever it is opened; text is letters
//! and digits that any font has.

use std::fmt::Write;

use setwise::{Colour, Fen, Pieces, Role, leaper, line};

/// Side of a square.
const SQUARE: usize = 56;
/// Side of the part of it that a man takes.
const MAN: usize = 49;
/// Around and between the boards: ranks on the left, titles above, files below.
const LEFT: usize = 34;
const TOP: usize = 52;
const GAP: usize = 54;
const BOARD: usize = 8 * SQUARE;
const WIDTH: usize = LEFT + BOARD + GAP + BOARD + 28;
const HEIGHT: usize = TOP + BOARD + 86;

/// Light and dark squares by the number of attackers, none to six and more.
const HEAT: [(&str, &str); 7] = [
    ("#f6f4ef", "#e3dfd5"),
    ("#fdeec0", "#f6e0a2"),
    ("#fcd88a", "#f5c86f"),
    ("#fbb862", "#f2a64d"),
    ("#f5934a", "#ea8138"),
    ("#e96a3f", "#dc5a31"),
    ("#d04436", "#c2372c"),
];

/// The picture as an SVG document.
pub(crate) fn picture(fen: &Fen) -> String {
    let mut svg = String::new();
    let _ = write!(
        svg,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" font-family="Helvetica, Arial, sans-serif" fill="#2b2b2b">
<title>Attackers per square: {fen}</title>
<style>.white {{ fill: #fff }} .black {{ fill: #3a3a3c }} .man {{ stroke: #1d1d1f; stroke-width: 1.4; stroke-linejoin: round; stroke-linecap: round }} .white .line {{ fill: none; stroke: #1d1d1f }} .black .line {{ fill: none; stroke: #f4f4f4 }}</style>
<defs>
"##
    );
    for role in Role::ALL {
        let _ = writeln!(svg, r#"<g id="{role:?}">{}</g>"#, outline(role));
    }
    svg.push_str("</defs>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    for (i, colour) in Colour::ALL.into_iter().enumerate() {
        board(&mut svg, &fen.pieces, colour, LEFT + i * (BOARD + GAP));
    }
    legend(&mut svg);
    let (x, y) = (WIDTH / 2, HEIGHT - 16);
    let _ = writeln!(
        svg,
        r##"<text x="{x}" y="{y}" font-size="13" fill="#77736a" text-anchor="middle">{fen}</text>"##
    );
    svg + "</svg>\n"
}

/// A board with the attackers of one colour.
fn board(svg: &mut String, pieces: &Pieces, by: Colour, left: usize) {
    let counts = attackers(pieces, by);
    let title = match by {
        Colour::White => "White attackers",
        Colour::Black => "Black attackers",
    };
    let middle = left + BOARD / 2;
    let _ = writeln!(
        svg,
        r#"<text x="{middle}" y="32" font-size="19" font-weight="bold" text-anchor="middle">{title}</text>"#
    );
    for (square, &count) in counts.iter().enumerate() {
        let (file, rank) = (square % 8, square / 8);
        let (x, y) = (left + file * SQUARE, TOP + (7 - rank) * SQUARE);
        let (light, dark) = HEAT[count.min(HEAT.len() - 1)];
        let fill = if (file + rank) % 2 == 1 { light } else { dark };
        let _ = write!(
            svg,
            r#"<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" fill="{fill}"/>"#
        );
        if let Some((colour, role)) = pieces.at(square) {
            let class = if colour == Colour::White { "white" } else { "black" };
            // Down and to the left, to leave the corner to the number.
            let (x, y, scale) = (x + 1, y + 9, MAN as f64 / 45.0);
            let _ = write!(
                svg,
                r##"<g class="man {class}" transform="translate({x} {y}) scale({scale:.4})"><use href="#{role:?}"/></g>"##
            );
        }
        if count > 0 {
            let (x, y) = (x + SQUARE - 4, y + 14);
            let fill = ink(count);
            let _ = write!(
                svg,
                r#"<text x="{x}" y="{y}" font-size="13" font-weight="bold" fill="{fill}" text-anchor="end">{count}</text>"#
            );
        }
        svg.push('\n');
    }
    let _ = writeln!(
        svg,
        r##"<rect x="{left}" y="{TOP}" width="{BOARD}" height="{BOARD}" fill="none" stroke="#8a857a"/>"##
    );
    for i in 0..8 {
        let (x, y) = (left + i * SQUARE + SQUARE / 2, TOP + BOARD + 19);
        let file = char::from(b'a' + i as u8);
        let _ = write!(
            svg,
            r##"<text x="{x}" y="{y}" font-size="14" fill="#77736a" text-anchor="middle">{file}</text>"##
        );
        let (x, y) = (left - 9, TOP + (7 - i) * SQUARE + SQUARE / 2 + 5);
        let rank = i + 1;
        let _ = writeln!(
            svg,
            r##"<text x="{x}" y="{y}" font-size="14" fill="#77736a" text-anchor="end">{rank}</text>"##
        );
    }
}

/// The colour of a number on its square.
fn ink(count: usize) -> &'static str {
    if count < 5 { "#5a3a10" } else { "#fff" }
}

/// What the colours mean.
fn legend(svg: &mut String) {
    const CELL: usize = 34;
    let (left, y) = ((WIDTH - HEAT.len() * CELL) / 2, TOP + BOARD + 32);
    for (count, (light, _)) in HEAT.iter().enumerate() {
        let x = left + count * CELL;
        let (middle, base) = (x + CELL / 2, y + 14);
        let (more, ink) = (if count + 1 == HEAT.len() { "+" } else { "" }, ink(count));
        let _ = writeln!(
            svg,
            r##"<rect x="{x}" y="{y}" width="{CELL}" height="19" fill="{light}" stroke="#d8d3c8" stroke-width="0.5"/><text x="{middle}" y="{base}" font-size="12" font-weight="bold" fill="{ink}" text-anchor="middle">{count}{more}</text>"##
        );
    }
}

/// How many men of a colour attack each square.
fn attackers(pieces: &Pieces, by: Colour) -> [usize; 64] {
    let occupied = pieces.occupied();
    let mut counts = [0; 64];
    for square in 0..64 {
        let attacks = match pieces.at(square) {
            Some((colour, role)) if colour == by => match role {
                Role::Pawn => leaper::PAWN_ATTACKS[colour as usize][square],
                Role::Knight => leaper::KNIGHT_ATTACKS[square],
                Role::Bishop => line::bishop(square, occupied),
                Role::Rook => line::rook(square, occupied),
                Role::Queen => line::queen(square, occupied),
                Role::King => leaper::KING_ATTACKS[square],
            },
            _ => 0,
        };
        for (target, count) in counts.iter_mut().enumerate() {
            *count += (attacks >> target & 1) as usize;
        }
    }
    counts
}

/// A man in a square of 45 by 45; `line` are strokes on it.
fn outline(role: Role) -> &'static str {
    match role {
        Role::Pawn => concat!(
            r#"<path d="M22.5 9.5a5.6 5.6 0 0 1 3.6 9.9h2.4v2.8h-2.6c.4 5.6 2.6 8.8 6.1 11.3H13c3.5-2.5 5.7-5.7 6.1-11.3h-2.6v-2.8h2.400a5.6 5.6 0 0 1 3.6-9.900z"/>"#,
            r#"<path d="M11 33.5h23v4.5H11z"/>"#
        ),
        Role::Knight => concat!(
            r#"<path d="M13 33.5c.2-7 5.200-9.200 6.5-14.5-2.3 1.900-4.7 2.7-6.200 4.8-1.200 1.7-3.900 1.6-4.5-.6-.5-2 .4-3.8 1.7-5.900 1.8-2.900 2.3-5.1 5-7.3l.3-4 3.7 2.7c8.900-.8 14.8 6.8 14.5 24.8z"/>"#,
            r#"<path d="M11 33.5h25v4.5H11z"/>"#,
            r#"<path class="line" d="M16.3 14.3l1.6-.7M22.5 11.5c5 2.3 7.6 8.5 7.7 18.5"/>"#
        ),
        Role::Bishop => concat!(
            r#"<path d="M22.5 11.6c5.200 3.6 7.5 7.1 7.5 10.7 0 2.3-1 4-2.7 5.200h-9.6c-1.7-1.200-2.7-2.900-2.7-5.200 0-3.6 2.3-7.1 7.5-10.7z"/>"#,
            r#"<circle cx="22.5" cy="8.8" r="2.7"/>"#,
            r#"<path d="M16.200 27.5h12.6l2 6H14.200z"/><path d="M10.5 33.5h24v4.5h-24z"/>"#,
            r#"<path class="line" d="M22.5 16.5v7M19.3 19.7h6.400"/>"#
        ),
        Role::Rook => concat!(
            r#"<path d="M12 8.5h4.7v3.3h3.5V8.5h4.6v3.3h3.5V8.5H33v7.7l-3.3 3.1v9.400l2.8 4.8h-20l2.8-4.8v-9.400L12 16.200z"/>"#,
            r#"<path d="M10 33.5h25v4.5H10z"/>"#,
            r#"<path class="line" d="M15.3 19.3h14.400M15.3 28.7h14.400"/>"#
        ),
        Role::Queen => concat!(
            r#"<path d="M11.5 28.5L7.5 14l7.3 7.5.9-10.5 6.8 9.5 6.8-9.5.9 10.5 7.3-7.5-4 14.5z"/>"#,
            r#"<circle cx="7" cy="12.5" r="2.3"/><circle cx="15.5" cy="9.5" r="2.3"/><circle cx="29.5" cy="9.5" r="2.3"/><circle cx="38" cy="12.5" r="2.3"/>"#,
            r#"<path d="M11.5 28.5h22l-1.5 5h-19z"/><path d="M10 33.5h25v4.5H10z"/>"#
        ),
        Role::King => concat!(
            r#"<path d="M21.1 5h2.8v2.900h2.900v2.8h-2.900v4h-2.8v-4h-2.900V7.900h2.900z"/>"#,
            r#"<path d="M22.5 14.7c2.3 0 3.5 2 3.3 4.3 3.200-3.7 11.7-3.7 11.7 2.7 0 4.200-3.6 5.6-5.5 8.3l-.5 3.5h-18l-.5-3.5c-1.900-2.7-5.5-4.1-5.5-8.3 0-6.400 8.5-6.400 11.7-2.7-.2-2.3 1-4.3 3.3-4.3z"/>"#,
            r#"<path d="M10 33.5h25v4.5H10z"/>"#,
            r#"<path class="line" d="M22.5 20v9.5M13.5 29.5h18"/>"#
        ),
    }
}
