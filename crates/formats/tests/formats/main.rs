//! Tests the readers and writers on valid and invalid files: packed records, and games (`../pgn`).

mod archives;
mod chunks;
mod layouts;
mod malformed;
mod oracles;
mod others;
#[path = "../pgn/mod.rs"]
mod pgn;
mod plain;
mod round_trips;
mod rows;
mod seeds;
mod streams;
