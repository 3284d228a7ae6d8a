//! Draws a position and its maps: as text side by side, or as a picture. The program and the Python package use it.
#![forbid(unsafe_code)]

mod svg;
mod text;

pub use svg::{Panel, heat_picture, picture};
pub use text::{letter, side_by_side};
