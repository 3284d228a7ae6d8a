//! Tests of games in PGN: reading, splitting, and messages.

mod forms;
mod games;
mod malformed;
mod mutations;
mod oracles;
mod random;
mod seeds;
mod streams;
mod written;
