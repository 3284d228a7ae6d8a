//! What the readers and writers do with right files and with wrong ones.

mod malformed;
mod oracles;
mod others;
mod round_trips;
mod rows;
mod seeds;
mod streams;
