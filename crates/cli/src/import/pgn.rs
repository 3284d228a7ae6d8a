//! Games in PGN, as `setwise-formats` reads them.

use anyhow::Result;
use setwise_table::{GameSource, Input};

use super::interface::{AnySource, InputFormatInfo, Opened, ReadOptions, explain};
use crate::input;

pub(super) const INFO: InputFormatInfo = InputFormatInfo {
    name: "pgn",
    aliases: &[],
    meaning: "games in PGN, a row for each position",
    magic: b"[Event \"",
    open,
};

fn open(opened: Opened, options: &ReadOptions) -> Result<(Input, AnySource)> {
    let input = Input::games(&options.table.keep).map_err(explain)?.needing(&options.conditions);
    let before = format!("{}: ", opened.name);
    Ok((input, Box::new(GameSource::new(input::text(opened.input)?, &before))))
}
