//! Chess positions as people have them, in columns of Arrow, and their attack maps as more columns.
//!
//! A table of puzzles, evaluations or games has a column `fen` among others. [`Plan`] makes of each of its
//! batches another one, with the columns that it has and those that [`Maps`] asks for:
//!
//! ```
//! use std::sync::Arc;
//! use arrow_array::{cast::AsArray, types::UInt64Type, ArrayRef, RecordBatch, StringArray};
//! use setwise_table::{Keep, Maps, Plan};
//!
//! let fens = ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"; 1000];
//! let games = RecordBatch::try_from_iter([
//!     ("fen", Arc::new(StringArray::from(fens.to_vec())) as ArrayRef),
//!     ("opening", Arc::new(StringArray::from(vec!["?"; 1000]))),
//! ])?;
//! let plan = Plan::new(Maps::default(), &games.schema(), None, &Keep::All)?;
//! let table = plan.maps(&games)?.batch;
//! assert_eq!(table.num_columns(), 2 + 16);
//! let white_all = table.column_by_name("white_all").unwrap().as_primitive::<UInt64Type>();
//! assert_eq!(white_all.value(999), 0x0000_0000_00ff_ff7e);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | positions | columns |
//! |---|---|
//! | a table with a column of text | [`Plan::maps`] |
//! | a text array | [`Maps::of_text`] |
//! | eight arrays of boards | [`Maps::of_boards`] |
//! | [`Pieces`](setwise::Pieces) in memory | [`Maps::of_pieces`] |
//! | packed records, as `setwise-formats` reads them | [`Maps::of_records`] |
//! | [`Fen`](setwise::Fen)s one by one | [`Maps::builder`] |
//!
//! Boards are numbers of 64 bits, a1 = bit 0, h1 = bit 7, h8 = bit 63. [`Column`] lists what can be asked
//! for. There are no files here and no threads: whoever reads and writes files calls [`Plan::maps`] for
//! each batch, from as many threads as there are.
#![forbid(unsafe_code)]

mod builder;
mod column;
mod error;
mod fill;
mod make;
mod maps;
mod plan;
mod read;
mod records;
mod text;

pub use builder::Builder;
pub use column::{Column, DESCRIPTION, FEATURE_SET, Given};
pub use error::{BadRow, Error};
pub use make::Output;
pub use maps::{Maps, OnBad};
pub use plan::{Keep, Plan};
pub use records::RecordsBuilder;
