//! Columns: from arrays by one copy, from lists of Python values by their types.

use std::sync::Arc;

use kinwood::formats::csv::labels_or_text;
use kinwood::formats::restate;
use kinwood_values::types::Guess;
use kinwood_values::{Cells, Dictionary, Type, Validity};
use numpy::{PyReadonlyArray1, PyReadonlyArray2, ToPyArray};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::cells::{Words, guess, joined, to_python, value};
use crate::work::guarded;

/// The values of one attribute, and whether its labels are in order.
#[pyclass(frozen, module = "kinwood._kinwood")]
pub(crate) struct Column(pub(crate) Arc<kinwood_values::Column>, pub(crate) bool);

impl From<kinwood_values::Column> for Column {
    fn from(column: kinwood_values::Column) -> Self {
        Self(Arc::new(column), false)
    }
}

#[pymethods]
impl Column {
    /// A column of numbers, NaN standing for missing.
    #[staticmethod]
    fn numbers(numbers: PyReadonlyArray1<'_, f64>) -> Self {
        kinwood_values::Column::numeric(numbers.as_array().to_vec()).into()
    }

    /// The columns of a matrix, each copied once.
    #[staticmethod]
    fn matrix(matrix: PyReadonlyArray2<'_, f64>) -> Vec<Self> {
        let matrix = matrix.as_array();
        let columns = matrix.columns().into_iter();
        columns
            .map(|column| kinwood_values::Column::numeric(column.to_vec()).into())
            .collect()
    }

    /// Labels by their codes; a negative code is a missing value. They may be in order.
    #[staticmethod]
    #[pyo3(signature = (codes, labels, *, ordered=false))]
    fn labels(
        codes: PyReadonlyArray1<'_, i64>,
        labels: Vec<String>,
        ordered: bool,
    ) -> PyResult<Self> {
        let dictionary = Dictionary::from_labels(&labels);
        if dictionary.len() != labels.len() {
            return Err(PyValueError::new_err(
                "labels are different from one another",
            ));
        }
        let known = labels.len() as i64;
        if let Some(code) = codes.as_array().iter().find(|code| **code >= known) {
            return Err(PyValueError::new_err(format!(
                "there is no label {code}: {known} are given"
            )));
        }
        let present = Validity::from_bits(codes.as_array().iter().map(|code| *code >= 0));
        let taken = codes.as_array();
        let taken = taken.iter().map(|code| (*code).max(0) as u32);
        let cells = Cells::Nominal {
            codes: taken.collect(),
            dictionary: Arc::new(dictionary),
        };
        let column = kinwood_values::Column::new(cells, Some(present));
        Ok(Self(Arc::new(column), ordered))
    }

    /// The labels, in the order that the column knows them.
    fn labels_in_order(&self) -> Vec<String> {
        let known = self.0.codes().map(|(_, known)| known);
        known.map_or_else(Vec::new, |known| {
            known.labels().map(str::to_owned).collect()
        })
    }

    /// Whether the labels are in order.
    #[getter]
    fn ordered(&self) -> bool {
        self.1
    }

    /// A column of Python values, of the type that holds them all or of the one stated. `words`
    /// says what texts are: `labels`, `strings`, or `auto` for labels unless they are free text.
    #[staticmethod]
    #[pyo3(signature = (values, *, of=None, words="auto"))]
    fn values(values: &Bound<'_, PyAny>, of: Option<&str>, words: &str) -> PyResult<Self> {
        let kind = match words {
            "strings" => Words::Strings,
            "labels" | "auto" => Words::Labels,
            other => {
                return Err(PyValueError::new_err(format!(
                    "words are `labels`, `strings` or `auto`, not `{other}`"
                )));
            }
        };
        let stated = match of {
            Some(of) => Some(
                of.parse::<Type>()
                    .map_err(|error| PyValueError::new_err(error.to_string()))?,
            ),
            None => None,
        };
        guarded(|| {
            let objects: Vec<Bound<'_, PyAny>> = values.try_iter()?.collect::<PyResult<_>>()?;
            let of = match &stated {
                Some(of) => of.clone(),
                None => common(&objects, kind)?.into(),
            };
            let column = of_type(&objects, &of)?;
            Ok(match stated.is_none() && words == "auto" {
                true => labels_or_text(column).into(),
                false => column.into(),
            })
        })
    }

    /// The values of some rows; labels that none of them has stay known.
    fn take(&self, rows: PyReadonlyArray1<'_, i64>) -> PyResult<Self> {
        let known = self.0.len();
        let place = |&row: &i64| match usize::try_from(row) {
            Ok(place) if place < known => Ok(place as u32),
            _ => Err(PyIndexError::new_err(format!(
                "there is no row {row}: there are {known}, counted from 0"
            ))),
        };
        let rows: Vec<u32> = rows.as_array().iter().map(place).collect::<PyResult<_>>()?;
        Ok(Self(Arc::new(self.0.gather(&rows)), self.1))
    }

    /// The same values in another type.
    fn cast(&self, of: &str) -> PyResult<Self> {
        let of: Type = of.parse().map_err(|error: kinwood_values::ParseError| {
            PyValueError::new_err(error.to_string())
        })?;
        let found = self.0.type_of();
        if found == of {
            return Ok(Self(Arc::clone(&self.0), self.1));
        }
        guarded(|| match restate(&self.0, &of) {
            Some(column) => Ok(column.into()),
            None => Err(PyTypeError::new_err(format!(
                "values of type `{found}` cannot all be `{of}`"
            ))),
        })
    }

    /// What the values are.
    #[getter]
    fn of(&self) -> String {
        self.0.type_of().to_string()
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// The values as Python objects.
    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if let (Some(numbers), 0) = (self.0.numbers(), self.0.missing()) {
            return Ok(numbers.to_pyarray(py).into_any());
        }
        let values = (0..self.0.len()).map(|row| to_python(py, &self.0.value(row)));
        let values: Vec<Bound<'_, PyAny>> = values.collect::<PyResult<_>>()?;
        Ok(PyList::new(py, values)?.into_any())
    }
}

/// What holds all the objects.
fn common(objects: &[Bound<'_, PyAny>], words: Words) -> PyResult<Guess> {
    let mut common = Guess::Unknown;
    for (row, object) in objects.iter().enumerate() {
        let found = guess(object, words, 1).map_err(|error| placed(object.py(), error, row))?;
        common = joined(
            &common,
            found,
            &format!("row {}", row + 1),
            "the rows before it are",
        )?;
    }
    Ok(common)
}

fn of_type(objects: &[Bound<'_, PyAny>], of: &Type) -> PyResult<kinwood_values::Column> {
    let mut column = kinwood_values::Column::empty(of);
    for (row, object) in objects.iter().enumerate() {
        let value = value(object, of).map_err(|error| placed(object.py(), error, row))?;
        column
            .push(&value)
            .map_err(|error| PyTypeError::new_err(format!("row {}: {error}", row + 1)))?;
    }
    Ok(column)
}

/// The same exception, saying which row it is about.
fn placed(py: Python<'_>, error: PyErr, row: usize) -> PyErr {
    let message = format!("row {}: {}", row + 1, error.value(py));
    let kind = error.get_type(py);
    match kind.call1((message,)) {
        Ok(exception) => PyErr::from_value(exception),
        Err(_) => error,
    }
}
