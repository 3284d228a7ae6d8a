//! Games in PGN: read right, cut right, and refused with the right words.

mod forms;
mod games;
mod malformed;
mod mutations;
mod oracles;
mod random;
mod seeds;
mod streams;
mod written;
