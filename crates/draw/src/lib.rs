//! Draws a position and its maps, as text side by side or as a picture. The program and the Python package use it. The
//! web page uses the colours and outlines in [`look`].
#![forbid(unsafe_code)]

pub mod look;
mod svg;
mod text;

pub use svg::{HeatBoard, Panel, heat_picture, picture};
pub use text::{heat_text, letter, side_by_side};

/// Runs the README's example as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
