//! Computes attack maps and other columns of chess positions as Arrow columns, from all common data formats, with one
//! executor for all sources.
//!
//! A [`Query`] lists the columns to compute and the options. It is compiled once for the description of a source (an
//! [`Input`]) into a [`Plan`], which has the schema of the output. A source produces parts. Each part writes its rows
//! to [`Rows`], which computes the columns, and a sink receives the columns.
//!
//! ```
//! use std::sync::Arc;
//! use arrow_array::{cast::AsArray, types::UInt64Type, ArrayRef, RecordBatch, StringArray};
//! use setwise_table::{Input, Keep, Query};
//!
//! let fens = ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"; 1000];
//! let games = RecordBatch::try_from_iter([
//!     ("fen", Arc::new(StringArray::from(fens.to_vec())) as ArrayRef),
//!     ("opening", Arc::new(StringArray::from(vec!["?"; 1000]))),
//! ])?;
//! let plan = Query::default().plan(&Input::table(&games.schema(), None, &Keep::All)?)?;
//! let table = plan.chunk(&games)?.batch;
//! assert_eq!(table.num_columns(), 2 + 16);
//! let white_all = table.column_by_name("white_all").unwrap().as_primitive::<UInt64Type>();
//! assert_eq!(white_all.value(999), 0x0000_0000_00ff_ff7e);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | source | description | rows |
//! |---|---|---|
//! | lines of text | [`Input::text`] | [`Lines::into_part`] |
//! | a column of text | [`Input::column`] | chunks of `ArrayRef` |
//! | a table | [`Input::table`] | chunks of `RecordBatch`, or [`Rows::push_batch`] |
//! | packed records | [`Input::records`] | [`RecordSource`], or [`Rows::push_records`] |
//! | games in PGN | [`Input::games`] | [`GameSource`] |
//! | a table of games | [`Input::table_of_games`] | [`Rows::push_batch`] |
//! | boards in memory | [`Input::boards`] | chunks of [`Positions`] |
//!
//! | sink | |
//! |---|---|
//! | batches in order, encoded by any thread, written by the calling thread | [`Plan::stream`] |
//! | contiguous columns | [`Plan::collect`] |
//! | contiguous columns in the caller's memory | [`Plan::collect_into`] |
//! | the number of positions in which each square is in a set | [`HeatPlan`] |
//! | one batch, on the calling thread | [`Plan::chunk`], [`Plan::read`] |
//!
//! A query can have [`Condition`]s, which drop rows before anything is computed for them. [`Plan::keep`] passes the
//! remaining positions to a callback as packed [`Records`](setwise_formats::Records) instead of computing columns.
//!
//! Boards are 64-bit numbers, a1 = bit 0, h1 = bit 7, h8 = bit 63. [`Column`] lists the available columns. This crate
//! does not access files.
#![forbid(unsafe_code)]

// Arrow and Parquet read and write numbers in the order of the processor, and collect bits by words.
#[cfg(target_endian = "big")]
compile_error!("the crates `arrow` and `parquet` are wrong on big-endian processors");

mod cells;
mod chunks;
mod collect;
mod column;
mod condition;
mod data_sets;
mod draws;
mod error;
mod evaluate;
mod filter;
mod finished;
mod games;
mod hash;
mod heat;
mod input;
mod label_columns;
mod labels;
mod lines;
mod positions;
mod query;
mod read;
mod records;
mod rows;
mod runs;
mod sampler;
mod sampling;
mod schema;
mod selection;
mod span;
mod stream;
mod tables;
mod tags;
mod text;
mod threads;
mod values;
mod win_rate;

pub use chunks::Chunk;
pub use collect::{Collect, Collected};
pub use column::{Column, DESCRIPTION, FEATURE_SET, InputColumn, known_fields};
pub use condition::{Condition, ConditionError};
pub use data_sets::{DataSet, DataSetChoice};
pub use draws::Draws;
pub use error::{BadRow, Error};
pub use finished::{Output, Report};
pub use games::GameSource;
pub use heat::{Heat, HeatByPly, HeatPlan, add_heat};
pub use input::{Input, Keep};
pub use labels::{Labels, Loss, OnMissing, Side, split_labels};
pub use lines::{Line, LineContent, LineRun, Lines, MAX_LINE};
pub use positions::{BoardArrays, Positions, Sets};
pub use query::{OnInvalid, Plan, Query};
pub use records::RecordSource;
pub use rows::{Part, RowNames, Rows};
pub use runs::{Run, Runs};
pub use sampler::{SampledOut, Sampler, is_sampled};
pub use sampling::{PlaceholderZeros, Sampling, SamplingOptions, Steering};
pub use stream::{Done, LIST, Sizes, Source, Times};
pub use tables::{TableOptions, folders};
pub use text::rest;
pub use threads::{MAX_THREADS, Piece, each};
pub use values::Place;
pub use win_rate::WinRate;

/// Runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
