//! The `setwise` program.
fn main() {}
