//! A small writer of SVG: cells with bits in them, boards, text, lines and arrows, in colours for light and dark.

use std::fmt::Write;

/// The side of a cell in a row of bits.
pub(crate) const CELL: usize = 30;

/// What a cell stands for. The colour follows from it, and every kind but one also differs by its label or border.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A bit that is not set.
    Empty,
    /// A bit that is set, of no special interest.
    One,
    /// A slider.
    Slider,
    /// A piece that blocks.
    Blocker,
    /// A square that is attacked.
    Ray,
    /// A bit that is wrong.
    Wrong,
    /// A bit of the overflow barrier.
    Barrier,
    /// One of eight shades, for ranks and for lines.
    Shade(usize),
}

impl Kind {
    fn class(self) -> &'static str {
        const SHADES: [&str; 8] = ["s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"];
        match self {
            Self::Empty => "empty",
            Self::One => "one",
            Self::Slider => "slider",
            Self::Blocker => "blocker",
            Self::Ray => "ray",
            Self::Wrong => "wrong",
            Self::Barrier => "barrier",
            Self::Shade(shade) => SHADES[shade],
        }
    }
}

/// Where text is anchored.
#[derive(Clone, Copy)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// The looks of text.
#[derive(Clone, Copy)]
pub(crate) enum Look {
    /// Headings of parts.
    Heading,
    /// Explanations.
    Label,
    /// Expressions.
    Code,
}

const STYLE: &str = "\
.ground { fill: #ffffff } .heading { fill: #1f2328; font-weight: bold } .label { fill: #57534a } .code { fill: #1f2328; font-family: Menlo, Consolas, monospace }
.grid { stroke: #b9b3a6; stroke-width: 1 } .line { stroke: #57534a; stroke-width: 2; fill: none } .tip { fill: #57534a }
.bit { fill: #1d1d1f } .faint { fill: #8b8578 } .frame { fill: none; stroke: #1f2328; stroke-width: 2.5 }
.empty { fill: #f4f2ec } .one { fill: #c9c3b5 } .slider { fill: #f2a33a } .blocker { fill: #a39c8e } .ray { fill: #7cc0ee }
.wrong { fill: #ee7b6c } .barrier { fill: #b79be0 }
.s0 { fill: #f9d57e } .s1 { fill: #f2a33a } .s2 { fill: #ee7b6c } .s3 { fill: #d884c8 }
.s4 { fill: #9a98e6 } .s5 { fill: #67b1e3 } .s6 { fill: #5fc7ae } .s7 { fill: #a9d57d }
@media (prefers-color-scheme: dark) {
.ground { fill: #16181d } .heading { fill: #ece9e2 } .label { fill: #b5b0a5 } .code { fill: #ece9e2 }
.grid { stroke: #4b505c } .line { stroke: #b5b0a5 } .tip { fill: #b5b0a5 } .faint { fill: #858a96 }
.frame { stroke: #ece9e2 } .empty { fill: #22252d }
}
";

/// A picture in the making.
pub(crate) struct Picture {
    body: String,
    width: usize,
    height: usize,
    title: &'static str,
    description: &'static str,
}

impl Picture {
    /// An empty picture. The title and the description are what a screen reader says.
    pub(crate) fn new(
        (width, height): (usize, usize),
        title: &'static str,
        description: &'static str,
    ) -> Self {
        Self { body: String::new(), width, height, title, description }
    }

    /// The whole document.
    pub(crate) fn finish(self) -> String {
        let Self { body, width, height, title, description } = self;
        let (title, description) = (escaped(title), escaped(description));
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-labelledby="title description" font-family="Helvetica, Arial, sans-serif">
<title id="title">{title}</title>
<desc id="description">{description}</desc>
<style>
{STYLE}</style>
<rect class="ground" width="100%" height="100%"/>
{body}</svg>
"#
        )
    }

    /// Text on a base line.
    pub(crate) fn text(&mut self, at: (usize, usize), look: Look, anchor: Anchor, text: &str) {
        let (class, size) = match look {
            Look::Heading => ("heading", 15),
            Look::Label => ("label", 13),
            Look::Code => ("code", 14),
        };
        self.write(at, class, size, anchor, text);
    }

    fn write(
        &mut self,
        (x, y): (usize, usize),
        class: &str,
        size: usize,
        anchor: Anchor,
        text: &str,
    ) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = escaped(text);
        let _ = writeln!(
            self.body,
            r#"<text x="{x}" y="{y}" class="{class}" font-size="{size}" text-anchor="{anchor}">{text}</text>"#
        );
    }

    /// A square cell with a label in its middle.
    pub(crate) fn cell(&mut self, (x, y): (usize, usize), side: usize, kind: Kind, label: &str) {
        let class = kind.class();
        let _ = writeln!(
            self.body,
            r#"<rect x="{x}" y="{y}" width="{side}" height="{side}" class="{class} grid"/>"#
        );
        if !label.is_empty() {
            let size = side / 2;
            let (x, y) = (x + side / 2, y + side / 2 + size * 3 / 8);
            let class = if kind == Kind::Empty { "faint" } else { "bit" };
            self.write((x, y), class, size, Anchor::Middle, label);
        }
    }

    /// Text on a coloured ground.
    pub(crate) fn cell_text(&mut self, at: (usize, usize), text: &str) {
        self.write(at, "bit", 13, Anchor::Middle, text);
    }

    /// An expression, spaces and all.
    pub(crate) fn code(&mut self, at: (usize, usize), text: &str) {
        self.write(at, "code", 14, Anchor::Start, &text.replace(' ', "\u{a0}"));
    }

    /// A small expression.
    pub(crate) fn small_code(&mut self, at: (usize, usize), text: &str) {
        self.write(at, "code", 11, Anchor::Middle, text);
    }

    /// A filled rectangle with a border.
    pub(crate) fn block(
        &mut self,
        (x, y): (usize, usize),
        (width, height): (usize, usize),
        kind: Kind,
    ) {
        let class = kind.class();
        let _ = writeln!(
            self.body,
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" class="{class} grid"/>"#
        );
    }

    /// A border around a part of the picture.
    pub(crate) fn frame(&mut self, (x, y): (usize, usize), (width, height): (usize, usize)) {
        let _ = writeln!(
            self.body,
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" class="frame"/>"#
        );
    }

    /// A line of bits, the lowest on the left, with the expression that they are in front of them.
    pub(crate) fn bits<const N: usize>(
        &mut self,
        (x, y): (usize, usize),
        name: &str,
        number: u64,
        kind: impl Fn(usize) -> Kind,
    ) {
        self.text((x - 12, y + CELL * 2 / 3), Look::Code, Anchor::End, name);
        for bit in 0..N {
            let set = number >> bit & 1 == 1;
            let kind = if set { kind(bit) } else { Kind::Empty };
            self.cell((x + bit * CELL, y), CELL, kind, if set { "1" } else { "0" });
        }
    }

    /// The names of squares above a line of bits.
    pub(crate) fn names(&mut self, (x, y): (usize, usize), names: &[&str]) {
        for (i, name) in names.iter().enumerate() {
            self.text((x + i * CELL + CELL / 2, y), Look::Label, Anchor::Middle, name);
        }
    }

    /// A board, a1 at the bottom left: a kind and a label for each square.
    pub(crate) fn board(
        &mut self,
        (x, y): (usize, usize),
        side: usize,
        square: impl Fn(usize) -> (Kind, &'static str),
    ) {
        for rank in 0..8 {
            for file in 0..8 {
                let (kind, label) = square(8 * rank + file);
                self.cell((x + file * side, y + (7 - rank) * side), side, kind, label);
            }
        }
    }

    /// The names of files below a board and of ranks on its left.
    pub(crate) fn coordinates(&mut self, (x, y): (usize, usize), side: usize) {
        for i in 0..8 {
            let (file, rank) = (["a", "b", "c", "d", "e", "f", "g", "h"][i], (i + 1).to_string());
            let (file_x, rank_y) = (x + i * side + side / 2, y + (7 - i) * side + side / 2 + 5);
            self.text((file_x, y + 8 * side + 17), Look::Label, Anchor::Middle, file);
            self.text((x - 7, rank_y), Look::Label, Anchor::End, &rank);
        }
    }

    /// An arrow of straight pieces through these points.
    pub(crate) fn arrow(&mut self, points: &[(usize, usize)]) {
        let path: Vec<String> = points.iter().map(|(x, y)| format!("{x},{y}")).collect();
        let _ = writeln!(self.body, r#"<polyline points="{}" class="line"/>"#, path.join(" "));
        let [.., (x0, y0), (x, y)] = *points else { return };
        // The tip points the way of the last piece, which goes along an axis.
        let (along_x, along_y) =
            ((x > x0) as i64 - (x < x0) as i64, (y > y0) as i64 - (y < y0) as i64);
        let (x, y) = (x as i64, y as i64);
        let (back_x, back_y) = (x - 9 * along_x, y - 9 * along_y);
        let _ = writeln!(
            self.body,
            r#"<path d="M{x} {y}L{} {}L{} {}z" class="tip"/>"#,
            back_x - 5 * along_y,
            back_y - 5 * along_x,
            back_x + 5 * along_y,
            back_y + 5 * along_x,
        );
    }

    /// A line without a tip.
    pub(crate) fn line(&mut self, from: (usize, usize), to: (usize, usize)) {
        let ((x1, y1), (x2, y2)) = (from, to);
        let _ =
            writeln!(self.body, r#"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" class="line"/>"#);
    }

    /// What the colours mean: a row of cells with a word behind each.
    pub(crate) fn legend(&mut self, (x, y): (usize, usize), entries: &[(Kind, &str, &str)]) {
        let mut x = x;
        for (kind, label, meaning) in entries {
            self.cell((x, y), 18, *kind, label);
            self.text((x + 25, y + 14), Look::Label, Anchor::Start, meaning);
            x += 25 + 7 * meaning.chars().count() + 22;
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
