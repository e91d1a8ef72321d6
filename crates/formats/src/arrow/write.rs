//! Columns as Arrow arrays, and these as Parquet or Arrow IPC.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::types::{Int32Type, TimestampMillisecondType};
use arrow_array::{
    ArrayRef, DictionaryArray, Float64Array, Int32Array, LargeListArray, LargeStringArray,
    ListArray, PrimitiveArray, RecordBatch, RecordBatchOptions, StringArray, StructArray,
    UInt64Array,
};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{Field, Fields, Schema};
use kinwood_values::column::Members;
use kinwood_values::{Cells, Column, Dictionary, Table};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

use super::SCHEMA_KEY;
use crate::csv::write::text;

/// The table as arrays, with what they cannot say as the text of a schema.
///
/// Nominal columns are dictionaries, collections lists, tuples structs; trees, terms and graphs
/// stand as their text.
pub(crate) fn batch(table: &Table, schema: &str) -> Result<RecordBatch, String> {
    let mut fields = Vec::with_capacity(table.attributes().len());
    let mut arrays = Vec::with_capacity(table.attributes().len());
    for attribute in table.attributes() {
        let array = array(&attribute.column)?;
        fields.push(Field::new(&attribute.name, array.data_type().clone(), true));
        arrays.push(array);
    }
    let metadata = HashMap::from([(SCHEMA_KEY.to_owned(), schema.to_owned())]);
    let schema = Schema::new(fields).with_metadata(metadata);
    let options = RecordBatchOptions::new().with_row_count(Some(table.rows()));
    RecordBatch::try_new_with_options(Arc::new(schema), arrays, &options)
        .map_err(|error| error.to_string())
}

/// Writes a Parquet file, compressed by Snappy, which every reader knows.
pub(crate) fn write_parquet(out: &mut (dyn Write + Send), batch: &RecordBatch) -> io::Result<()> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .build();
    let mut writer =
        ArrowWriter::try_new(out, batch.schema(), Some(properties)).map_err(io::Error::other)?;
    writer.write(batch).map_err(io::Error::other)?;
    writer.close().map(drop).map_err(io::Error::other)
}

/// Writes an Arrow IPC file.
pub(crate) fn write_ipc(out: &mut dyn Write, batch: &RecordBatch) -> io::Result<()> {
    let mut writer = FileWriter::try_new(out, &batch.schema()).map_err(io::Error::other)?;
    writer.write(batch).map_err(io::Error::other)?;
    writer.finish().map_err(io::Error::other)
}

fn array(column: &Column) -> Result<ArrayRef, String> {
    let nulls = nulls(column);
    Ok(match column.cells() {
        Cells::Numeric(numbers) => Arc::new(Float64Array::new(
            ScalarBuffer::from(numbers.clone()),
            nulls,
        )),
        Cells::DateTime(instants) => {
            let values = ScalarBuffer::from(instants.clone());
            let array = PrimitiveArray::<TimestampMillisecondType>::new(values, nulls);
            Arc::new(array.with_timezone("UTC"))
        }
        Cells::Nominal { codes, dictionary } => encoded(codes, dictionary, nulls)?,
        Cells::Collection { members, .. } => list(members, nulls)?,
        Cells::Tuple {
            names,
            fields,
            rows,
        } if !fields.is_empty() => {
            let mut arrays = Vec::with_capacity(fields.len());
            let mut described = Vec::with_capacity(fields.len());
            for (name, field) in unlike(names).iter().zip(fields) {
                let array = array(field)?;
                described.push(Field::new(name, array.data_type().clone(), true));
                arrays.push(array);
            }
            let fields = Fields::from(described);
            let array = StructArray::try_new_with_length(fields, arrays, nulls, *rows);
            Arc::new(array.map_err(|error| error.to_string())?)
        }
        Cells::Ref { rows, .. } => {
            let numbers: Vec<u64> = rows.iter().map(|&row| u64::from(row) + 1).collect();
            Arc::new(UInt64Array::new(ScalarBuffer::from(numbers), nulls))
        }
        _ => texts(column),
    })
}

fn nulls(column: &Column) -> Option<NullBuffer> {
    let validity = column.validity()?;
    let words = Buffer::from_vec(validity.words().to_vec());
    Some(NullBuffer::new(BooleanBuffer::new(
        words,
        0,
        validity.len(),
    )))
}

fn encoded(
    codes: &[u32],
    dictionary: &Dictionary,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, String> {
    if i32::try_from(dictionary.len()).is_err() {
        return Err("a nominal column has more labels than Arrow counts".to_owned());
    }
    let keys: Vec<i32> = codes.iter().map(|&code| code as i32).collect();
    let keys = Int32Array::new(ScalarBuffer::from(keys), nulls);
    let labels: ArrayRef =
        strings((0..dictionary.len() as u32).map(|code| Some(dictionary.label(code))));
    let array = DictionaryArray::<Int32Type>::try_new(keys, labels);
    Ok(Arc::new(array.map_err(|error| error.to_string())?))
}

fn list(members: &Members, nulls: Option<NullBuffer>) -> Result<ArrayRef, String> {
    let child = array(&members.child)?;
    let field = Arc::new(Field::new_list_field(child.data_type().clone(), true));
    let positions = members.offsets.positions();
    let array: ArrayRef = if i32::try_from(members.offsets.items()).is_ok() {
        let offsets: Vec<i32> = positions.iter().map(|&position| position as i32).collect();
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        let array = ListArray::try_new(field, offsets, child, nulls);
        Arc::new(array.map_err(|error| error.to_string())?)
    } else {
        let offsets: Vec<i64> = positions.iter().map(|&position| position.into()).collect();
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        let array = LargeListArray::try_new(field, offsets, child, nulls);
        Arc::new(array.map_err(|error| error.to_string())?)
    };
    Ok(array)
}

/// The text of every value.
fn texts(column: &Column) -> ArrayRef {
    if let Cells::String(texts) = column.cells() {
        let present = |row: usize| column.is_present(row).then(|| texts.get(row));
        return strings((0..column.len()).map(present));
    }
    let text = |row: usize| column.is_present(row).then(|| text(&column.value(row)));
    let texts: Vec<Option<String>> = (0..column.len()).map(text).collect();
    strings(texts.iter().map(Option::as_deref))
}

/// Texts with offsets as wide as they need.
fn strings<'a>(texts: impl Iterator<Item = Option<&'a str>> + Clone) -> ArrayRef {
    let bytes: usize = texts.clone().flatten().map(str::len).sum();
    if i32::try_from(bytes).is_ok() {
        Arc::new(StringArray::from_iter(texts))
    } else {
        Arc::new(LargeStringArray::from_iter(texts))
    }
}

/// The fields' names; a field without one gets its number, or the first that no field has.
fn unlike(names: &[Option<String>]) -> Vec<String> {
    let mut taken: Vec<String> = names.iter().flatten().cloned().collect();
    let mut named = Vec::with_capacity(names.len());
    for (position, name) in names.iter().enumerate() {
        let name = name.clone().unwrap_or_else(|| {
            let free = (position + 1..)
                .map(|number| number.to_string())
                .find(|number| !taken.contains(number))
                .expect("there are more numbers than fields");
            taken.push(free.clone());
            free
        });
        named.push(name);
    }
    named
}
