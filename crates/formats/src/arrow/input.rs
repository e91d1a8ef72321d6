//! Batches of arrays from a file, a compressed file or memory.

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek};

use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, SchemaRef};
use bytes::Bytes;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::reader::ChunkReader;

use super::lists::TooMany;
use super::{Form, bounds};
use crate::error::{Error, Result};
use crate::source::Source;

/// What is said of [`TooMany`].
pub(super) const TOO_MANY: &str = "a column has more than 4 billion items";

/// Rows decoded at a time: enough to copy in bulk, few enough to stay in the cache.
const ROWS: usize = 1 << 14;

type Reader = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>>>;

/// The batches of a source.
pub(super) struct Batches<'a> {
    source: &'a Source,
    form: Form,
    schema: SchemaRef,
    reader: Reader,
}

impl<'a> Batches<'a> {
    /// Reads the schema and checks that what the file announces can be in it.
    pub fn open(source: &'a Source, form: Form) -> Result<Self> {
        let failed = |error| source.failed(error);
        let opened = match source.plain_file()? {
            Some(file) => {
                let size = file.metadata().map_err(failed)?.len();
                match form {
                    Form::Parquet => parquet(file, size),
                    Form::File | Form::Stream => {
                        ipc::<BufReader<File>>(BufReader::new(file), size, form)
                    }
                }
            }
            None => {
                let bytes = Bytes::from(source.read()?);
                let size = bytes.len() as u64;
                match form {
                    Form::Parquet => parquet(bytes, size),
                    Form::File | Form::Stream => ipc(Cursor::new(bytes), size, form),
                }
            }
        };
        let (schema, reader) = opened.map_err(|reason| broken(source, form, reason))?;
        Ok(Self {
            source,
            form,
            schema,
            reader,
        })
    }

    /// What the arrays are.
    pub fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.schema)
    }

    /// Hands all batches over.
    pub fn each(self, mut take: impl FnMut(&RecordBatch) -> Result<(), TooMany>) -> Result<()> {
        for batch in self.reader {
            let batch = batch.map_err(|error| broken(self.source, self.form, error.to_string()))?;
            let asked = self.source.allowance().check();
            asked.map_err(|halted| self.source.halted(halted))?;
            take(&batch).map_err(|TooMany| broken(self.source, self.form, TOO_MANY.to_owned()))?;
        }
        Ok(())
    }
}

/// The error of a file that is not what it seems.
pub(super) fn broken(source: &Source, form: Form, reason: String) -> Error {
    Error::Broken {
        file: source.name().to_owned(),
        format: form.name(),
        reason,
    }
}

fn parquet(input: impl ChunkReader + 'static, size: u64) -> Result<(SchemaRef, Reader), String> {
    bounds::parquet_footer(&input, size)?;
    let builder =
        ParquetRecordBatchReaderBuilder::try_new(input).map_err(|error| error.to_string())?;
    bounds::parquet(builder.metadata(), size)?;
    let schema = SchemaRef::clone(builder.schema());
    let reader = builder
        .with_batch_size(ROWS)
        .build()
        .map_err(|error| error.to_string())?;
    Ok((schema, Box::new(reader)))
}

fn ipc<R: Read + Seek + 'static>(
    mut input: R,
    size: u64,
    form: Form,
) -> Result<(SchemaRef, Reader), String> {
    if form == Form::File {
        bounds::file(&mut input, size)?;
        let reader = FileReader::try_new(input, None).map_err(|error| error.to_string())?;
        return Ok((reader.schema(), Box::new(reader)));
    }
    bounds::stream(&mut input, size)?;
    let reader = StreamReader::try_new(input, None).map_err(|error| error.to_string())?;
    Ok((reader.schema(), Box::new(reader)))
}
