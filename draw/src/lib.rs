//! A position and its maps, drawn: as text side by side, or as a picture. The program and the Python package
//! show them with it.
#![forbid(unsafe_code)]

mod svg;
mod text;

pub use svg::{Panel, heat_picture, picture};
pub use text::{letter, side_by_side};
