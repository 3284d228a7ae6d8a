//! Text: decimal numbers with commas between, below a line with the names of the columns.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use ::arrow::array::RecordBatch;
use ::arrow::csv::WriterBuilder;

use super::interface::{About, Contents, Export, of_arrow};
use crate::output::Output;

pub(crate) struct Csv(Output);

impl Export for Csv {
    const ABOUT: About = About {
        name: "csv",
        aliases: &[],
        meaning: "Decimal numbers separated by commas, with a header",
        compressions: &[],
        text: true,
        batch: 64 << 10,
        encoded: |data_type| match data_type.primitive_width() {
            Some(8) => 21,
            Some(2) => 7,
            Some(1) => 5,
            _ => 0,
        },
    };
    type Encoder = ();
    type Encoded = Vec<u8>;

    fn begin(contents: &Contents, mut output: Output) -> io::Result<((), Self)> {
        let empty = RecordBatch::new_empty(contents.schema.clone());
        output.write_all(&text(&empty, true)?)?;
        Ok(((), Self(output)))
    }

    fn encode((): &(), batch: RecordBatch) -> io::Result<(Vec<u8>, Duration)> {
        let start = Instant::now();
        Ok((text(&batch, false)?, start.elapsed()))
    }

    fn write(&mut self, text: Vec<u8>) -> io::Result<()> {
        self.0.write_all(&text)
    }

    fn finish(mut self) -> io::Result<Output> {
        self.0.flush()?;
        Ok(self.0)
    }
}

fn text(batch: &RecordBatch, header: bool) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut writer = WriterBuilder::new().with_header(header).build(&mut bytes);
    writer.write(batch).map_err(of_arrow)?;
    drop(writer);
    Ok(bytes)
}
