//! What the readers and writers do with right files and with wrong ones: packed records, and games (`../pgn`).

mod chunks;
mod layouts;
mod malformed;
mod oracles;
mod others;
#[path = "../pgn/mod.rs"]
mod pgn;
mod round_trips;
mod rows;
mod seeds;
mod streams;
