//! Reading: packed records, games, text and tables.

pub mod pgn;
pub mod records;
pub mod text;
