//! Tests of tables: compares the columns of every source with the library and with other readers.

mod common;

mod answers;
mod boards;
mod collect;
mod conditions;
mod games;
mod heat;
mod labels;
mod lists;
mod plan;
mod presets;
mod records;
mod rows;
mod sampling;
mod syntax;
mod threads;
