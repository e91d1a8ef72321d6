//! Arrow tables of other libraries, through the PyCapsule interface: buffers are shared, then
//! copied once to where they stay.

#![allow(
    unsafe_code,
    reason = "the stream behind a capsule is a C structure, taken over as its interface prescribes"
)]

use std::ffi::CStr;
use std::ptr;

use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{RecordBatch, RecordBatchReader};
use kinwood::formats::arrow::{ArrowRead, gather};
use kinwood::formats::restate;
use kinwood_values::Table;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::remedy::told;
use crate::work::Work;

const STREAM: &CStr = c"arrow_array_stream";

/// Reads the table that an object offers by `__arrow_c_stream__`.
pub(crate) fn read(object: &Bound<'_, PyAny>, name: &str, work: &Work) -> PyResult<ArrowRead> {
    let capsule = object.call_method0("__arrow_c_stream__")?;
    let capsule = capsule
        .cast::<PyCapsule>()
        .map_err(|_| PyTypeError::new_err("`__arrow_c_stream__` gives no capsule"))?;
    let reader = stream(capsule)?;
    let schema = reader.schema();
    // Batches may come from Python code: the lock is kept until they are all here. They share their
    // buffers.
    let batches: Vec<RecordBatch> = reader
        .collect::<Result<_, _>>()
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    work.run(object.py(), |_| Ok(gather(name, &schema, &batches)?))
}

fn stream(capsule: &Bound<'_, PyCapsule>) -> PyResult<RecordBatchStreamReader> {
    let pointer = capsule.pointer_checked(Some(STREAM))?;
    let stream = pointer.cast::<FFI_ArrowArrayStream>().as_ptr();
    // SAFETY: a capsule of that name holds a stream, by the interface's definition. It is moved out
    // and an empty one, which its destructor leaves alone, put in its place; the lock is held, so
    // nobody else moves it meanwhile.
    let stream = unsafe { ptr::replace(stream, FFI_ArrowArrayStream::empty()) };
    RecordBatchStreamReader::try_new(stream)
        .map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Whether an object offers a table.
pub(crate) fn offers(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    object.hasattr("__arrow_c_stream__")
}

/// Reads a table that is alone, its columns in the types that a schema in its metadata states.
pub(crate) fn table(
    object: &Bound<'_, PyAny>,
    name: &str,
    work: &Work,
) -> PyResult<(Table, Vec<String>)> {
    let ArrowRead { read, schema } = read(object, name, work)?;
    let mut table = read.table;
    let stated = schema.iter().flat_map(|schema| &schema.tables);
    for column in stated.flat_map(|table| &table.options.columns) {
        if let (Some(of), Some(place)) = (&column.of, table.position(&column.name))
            && let Some(restated) = restate(&table.attribute(place).column, of)
        {
            table.replace(place, restated);
        }
    }
    Ok((table, told(&read.notices)))
}
