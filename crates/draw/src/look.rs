//! The appearance of all pictures: colours, and the outlines of the pieces.

use setwise::Role;

/// The colours of squares with 0, 1, and so on to 6 or more attackers. Each step changes the hue, and all colours are
/// light enough for pieces and numbers on them.
pub const SCALE: [&str; 7] =
    ["#f6f4ef", "#fdeb9c", "#b9e29b", "#76cdb6", "#67b1e3", "#9a98e6", "#d884c8"];

/// The colours of squares by the number of white's minus black's attackers, from -4 to 4. Colour-blind readers can
/// distinguish orange and blue, and all colours are light enough for pieces and numbers on them.
pub const NET: [&str; 9] = [
    "#5f9fd6", "#86b9e3", "#b0d2ee", "#d6e7f4", "#f6f4ef", "#fce5c0", "#fbcd8b", "#f7b35c",
    "#ef9736",
];

/// The colour of a map's squares.
pub const MAP: &str = "#67b1e3";

/// The colour of arrows to enemies.
pub const ATTACKED: &str = "#d6402f";

/// The colour of arrows to pieces of the same side.
pub const DEFENDED: &str = "#2c7fb8";

/// The SVG elements of a piece, in a square of 45 by 45. Elements of the class `line` are strokes on the piece.
#[must_use]
pub fn outline(role: Role) -> &'static str {
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
