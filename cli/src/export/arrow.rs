//! Arrow IPC files, also known as Feather 2: one record batch for each batch.

use std::io::{self, Write};

use ::arrow::array::RecordBatch;
use ::arrow::ipc::writer::FileWriter;

use super::interface::{Contents, Export, OutputFormatInfo, Whole, of_arrow};
use crate::output::Output;

pub(crate) struct Arrow(FileWriter<Output>);

impl Export for Arrow {
    const INFO: OutputFormatInfo = OutputFormatInfo {
        name: "arrow",
        aliases: &["feather"],
        meaning: "Arrow IPC file, also known as Feather 2",
        compressions: &[],
        only_numbers: false,
        batch: 1 << 20,
        encoded: |_| 0, // the batch itself is written
    };
    type Encoder = Whole<RecordBatch>;

    fn begin(contents: &Contents, output: Output) -> io::Result<(Self::Encoder, Self)> {
        let writer = FileWriter::try_new(output, &contents.schema).map_err(of_arrow)?;
        Ok((Whole(Ok), Self(writer)))
    }

    fn write(&mut self, batches: Vec<RecordBatch>) -> io::Result<()> {
        batches.iter().try_for_each(|batch| self.0.write(batch)).map_err(of_arrow)
    }

    fn finish(mut self) -> io::Result<Output> {
        self.0.finish().map_err(of_arrow)?;
        let mut output = self.0.into_inner().map_err(of_arrow)?;
        output.flush()?;
        Ok(output)
    }
}
