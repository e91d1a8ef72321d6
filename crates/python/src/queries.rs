//! Queries: SQL over data, with models as rows.

use std::path::PathBuf;
use std::sync::Mutex;

use kinwood::Opening;
use kinwood::queries::value::Value;
use kinwood::queries::{Access, Answer, Connection, Error, Options};
use pyo3::exceptions::{PyPermissionError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyTuple};

use crate::data::{Roles, roles as stated_roles};
use crate::error::raised;
use crate::threads::lock;
use crate::work::Work;

/// A connection; `kinwood.connect` makes it.
#[pyclass(frozen, module = "kinwood._kinwood")]
pub(crate) struct Queries {
    connection: Mutex<Connection>,
}

/// Names of columns, rows as tuples, and what was decided without being asked.
type Answered<'py> = (Vec<String>, Vec<Bound<'py, PyTuple>>, Vec<String>);

#[pymethods]
impl Queries {
    #[staticmethod]
    fn open(
        py: Python<'_>,
        path: PathBuf,
        write: bool,
        cache: bool,
        targets: Vec<String>,
        roles: Roles,
        work: &Work,
    ) -> PyResult<Self> {
        let options = Options {
            opening: Opening {
                roles: stated_roles(&roles)?,
                ..Opening::default()
            },
            targets,
            access: match write {
                true => Access::Write,
                false => Access::Read,
            },
            cache,
            ..Options::default()
        };
        let open = |context: &kinwood::learners::Context| {
            Ok(Connection::open(&path, options, context.clone()))
        };
        let connection = work.run(py, open)?.map_err(failed)?;
        Ok(Self {
            connection: Mutex::new(connection),
        })
    }

    /// Whether statements have begun a transaction that is not ended.
    fn in_transaction(&self) -> bool {
        lock(&self.connection).in_transaction()
    }

    /// Runs statements: the answer of the last one that has columns.
    fn run<'py>(
        &self,
        py: Python<'py>,
        sql: &str,
        values: Vec<Bound<'py, PyAny>>,
        work: &Work,
    ) -> PyResult<Answered<'py>> {
        let values: Vec<Value> = values.iter().map(value).collect::<PyResult<_>>()?;
        let (answer, notices) = work
            .run(py, |context| {
                let mut connection = lock(&self.connection);
                connection.set_context(context.clone());
                let answer = connection.query_with(sql, &values);
                let notices = connection.take_notices();
                Ok(answer.map(|answer| (answer, notices)))
            })?
            .map_err(failed)?;
        let Answer { columns, rows } = answer;
        let rows = rows
            .iter()
            .map(|row| tuple(py, row))
            .collect::<PyResult<_>>()?;
        let notices = notices.iter().map(|notice| notice.message().to_owned());
        Ok((columns, rows, notices.collect()))
    }
}

fn tuple<'py>(py: Python<'py>, row: &[Value]) -> PyResult<Bound<'py, PyTuple>> {
    let cell = |value: &Value| -> PyResult<Bound<'py, PyAny>> {
        Ok(match value {
            Value::Null => py.None().into_bound(py),
            Value::Integer(number) => number.into_pyobject(py)?.into_any(),
            Value::Real(number) => number.into_pyobject(py)?.into_any(),
            Value::Text(text) => text.into_pyobject(py)?.into_any(),
            Value::Blob(bytes) => PyBytes::new(py, bytes).into_any(),
        })
    };
    let cells: Vec<Bound<'py, PyAny>> = row.iter().map(cell).collect::<PyResult<_>>()?;
    PyTuple::new(py, cells)
}

fn value(given: &Bound<'_, PyAny>) -> PyResult<Value> {
    if given.is_none() {
        return Ok(Value::Null);
    }
    if let Ok(truth) = given.cast::<PyBool>() {
        return Ok(Value::Integer(i64::from(truth.is_true())));
    }
    if let Ok(number) = given.extract::<i64>() {
        return Ok(Value::Integer(number));
    }
    if let Ok(number) = given.extract::<f64>() {
        return Ok(Value::Real(number));
    }
    if let Ok(text) = given.extract::<String>() {
        return Ok(Value::Text(text));
    }
    if let Ok(bytes) = given.cast::<PyBytes>() {
        return Ok(Value::Blob(bytes.as_bytes().to_vec()));
    }
    let kind = given.get_type().qualname()?;
    Err(PyTypeError::new_err(format!(
        "a parameter is None, a number, a text or bytes, not `{kind}`"
    )))
}

/// The exception that an error is.
fn failed(error: Error) -> PyErr {
    match error {
        Error::Workbench(error) => raised(error),
        Error::ReadOnly(_) => PyPermissionError::new_err(format!(
            "{error}; `write=True` lets it change a SQLite file"
        )),
        Error::Refused(_) => PyPermissionError::new_err(error.to_string()),
        error => PyValueError::new_err(error.to_string()),
    }
}
