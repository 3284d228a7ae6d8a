//! The packed formats of trainers, as `setwise-formats` reads them.

use anyhow::Result;
use flate2::read::MultiGzDecoder;
use setwise_formats::{Format, tar};
use setwise_table::{Input, RecordSource};

use super::interface::{AnySource, InputFormatInfo, Opened, ReadOptions, explain};

macro_rules! packed {
    ($($name:ident = $format:ident $meaning:literal;)*) => {
        $(pub(super) const $name: InputFormatInfo = InputFormatInfo {
            name: Format::$format.name(),
            aliases: Format::$format.extensions(),
            meaning: $meaning,
            magic: b"",
            open: |opened, options| open(Format::$format, opened, options),
        };)*
    };
}

packed! {
    BULLET = Bullet "bulletformat: 32 bytes a position, as the side to move sees it";
    MARLIN = Marlin "marlinformat: 32 bytes a position";
    VIRI = Viri "viriformat: games from marlinformat positions";
    BIN = PackedSfen "PackedSfenValue, the .bin of Stockfish's tools: 40 bytes a position";
    BINPACK = Binpack "Stockfish's .binpack: games in blocks";
    PLAIN = Plain "Stockfish's .plain: lines of text, six a position";
    LC0 = Lc0 "training chunks of lc0, also in a .tar: 8,356 or 8,396 bytes a position";
}

fn open(format: Format, opened: Opened, options: &ReadOptions) -> Result<(Input, AnySource)> {
    let input = Input::records(format, &options.table.keep).map_err(explain)?;
    let before = format!("{}: ", opened.name);
    let bytes = match format {
        Format::Lc0 => tar::files(opened.input, |bytes| Box::new(MultiGzDecoder::new(bytes)))?,
        _ => opened.input,
    };
    Ok((
        input,
        Box::new(RecordSource::new(format, bytes, &before).placeholder_zeros(options.zeros)),
    ))
}
