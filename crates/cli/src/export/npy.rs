//! NumPy arrays with the shape (rows, columns). Each number has eight bytes, because all elements have one type.
//!
//! The header contains the number of rows, which is known only at the end. It is then overwritten. If the output is not
//! seekable, the data are first written to a temporary file.

use std::fs::File;
use std::io::{self, Seek, Write};

use arrow_array::{ArrowPrimitiveType, PrimitiveArray, RecordBatch, downcast_integer_array};
use arrow_schema::DataType;

use super::interface::{Contents, Export, Split, single_piece};
use crate::output::Output;

pub(crate) struct Npy {
    output: Output,
    waiting: Option<File>,
    columns: usize,
    signed: bool,
    rows: u64,
}

impl Export for Npy {
    const BATCH: usize = 256 << 10;
    /// The number of rows, and their cells.
    type Encoded = (usize, Vec<u8>);

    fn encoded(_: &DataType) -> usize {
        8
    }

    fn begin(contents: &Contents, mut output: Output) -> io::Result<(Split<Self::Encoded>, Self)> {
        let columns = contents.schema.fields().len();
        let mut types = contents.schema.fields().iter().map(|field| field.data_type());
        let signed = types.any(DataType::is_signed_integer);
        let waiting = if output.can_rewrite() {
            output.write_all(&header(0, columns, signed))?;
            None
        } else {
            Some(tempfile::tempfile()?)
        };
        let split = single_piece(|batch| Ok((batch.num_rows(), cells(&batch)?)));
        Ok((split, Self { output, waiting, columns, signed, rows: 0 }))
    }

    fn write(&mut self, batches: Vec<(usize, Vec<u8>)>) -> io::Result<()> {
        for (rows, cells) in batches {
            self.rows += rows as u64;
            match &mut self.waiting {
                Some(file) => file.write_all(&cells)?,
                None => self.output.write_all(&cells)?,
            }
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<Output> {
        let header = header(self.rows, self.columns, self.signed);
        match self.waiting {
            Some(mut file) => {
                self.output.write_all(&header)?;
                file.rewind()?;
                io::copy(&mut file, &mut self.output)?;
            }
            None => self.output.rewrite(&header)?,
        }
        Ok(self.output)
    }
}

/// Builds the header. It always has 128 bytes.
fn header(rows: u64, columns: usize, signed: bool) -> Vec<u8> {
    let kind = if signed { 'i' } else { 'u' };
    let dictionary =
        format!("{{'descr': '<{kind}8', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    let mut header = b"\x93NUMPY\x01\x00\x76\x00".to_vec(); // version 1.0; 0x76 bytes follow
    header.extend_from_slice(format!("{dictionary:<117}\n").as_bytes());
    header
}

fn cells(batch: &RecordBatch) -> io::Result<Vec<u8>> {
    let columns = batch.columns();
    let mut rows = vec![[0; 8]; batch.num_rows() * columns.len()];
    for (i, column) in columns.iter().enumerate() {
        let cells = rows.iter_mut().skip(i).step_by(columns.len());
        downcast_integer_array!(
            column => fill(cells, column),
            other => {
                let name = batch.schema_ref().field(i).name();
                let message = format!("column `{name}` is {other}, which NumPy has no type for");
                return Err(io::Error::other(message));
            }
        );
    }
    Ok(rows.into_flattened())
}

fn fill<'a, T: ArrowPrimitiveType<Native: Into<i128>>>(
    cells: impl Iterator<Item = &'a mut [u8; 8]>,
    numbers: &PrimitiveArray<T>,
) {
    // Sign-extends signed numbers and zero-extends unsigned numbers.
    let widened = numbers.values().iter().map(|&number| (number.into() as u64).to_le_bytes());
    cells.zip(widened).for_each(|(cell, number)| *cell = number);
}
