//! Distances written in Python, used inside any expression.
//!
//! The values of a column become Python objects once, when the distance is bound; a row of pairs
//! takes the interpreter's lock once. What a function raises cannot go through the numbers: the
//! work is told to stop, and whoever started it raises it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use kinwood::similarity::declaration::Declaration;
use kinwood::similarity::measure::{Bound, FittedDistance};
use kinwood::similarity::registry::{Build, Entry, Inside, Registry, Takes};
use kinwood::similarity::{Error, Expression, Laws, Pairs, Row};
use kinwood_values::{Column, Type};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::cells::to_python;
use crate::threads::{fail, lock};

/// The functions by the names they are registered under.
static FUNCTIONS: Mutex<Option<HashMap<String, Function>>> = Mutex::new(None);

/// A function, and what its author promises of it.
#[derive(Clone)]
struct Function {
    call: Arc<Py<PyAny>>,
    laws: Laws,
    of: Option<Type>,
}

/// Makes a Python function a distance under a name, in place of one that was registered before.
#[pyfunction]
#[pyo3(signature = (name, function, *, symmetric, zero_on_self, separates, triangle, of=None))]
#[expect(clippy::too_many_arguments, reason = "the laws by their names")]
pub(crate) fn register_distance(
    py: Python<'_>,
    name: &str,
    function: Py<PyAny>,
    symmetric: bool,
    zero_on_self: bool,
    separates: bool,
    triangle: bool,
    of: Option<&str>,
) -> PyResult<()> {
    if !function.bind(py).is_callable() {
        return Err(PyTypeError::new_err(
            "a distance is a function of two values",
        ));
    }
    let expression: Expression = name
        .parse()
        .map_err(|error: Error| PyValueError::new_err(error.to_string()))?;
    if expression.name != name || !expression.arguments.is_empty() {
        return Err(PyValueError::new_err(format!(
            "`{name}` is no name: letters, digits and `_` are"
        )));
    }
    let of = match of {
        Some(of) => Some(
            of.parse::<Type>()
                .map_err(|error| PyValueError::new_err(error.to_string()))?,
        ),
        None => None,
    };
    let mut functions = lock(&FUNCTIONS);
    let functions = functions.get_or_insert_with(HashMap::new);
    let added = match functions.get(name) {
        None => Registry::extend(entry(name, of.as_ref())),
        // What it takes is part of its entry.
        Some(before) if before.of != of => Registry::replace_added(entry(name, of.as_ref())),
        Some(_) => Ok(()),
    };
    added.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let laws = Laws {
        zero_on_self,
        separates,
        symmetric,
        triangle,
    };
    let call = Arc::new(function);
    functions.insert(name.to_owned(), Function { call, laws, of });
    Ok(())
}

fn entry(name: &str, of: Option<&Type>) -> Entry {
    let build = |declaration: &Declaration<'_>| -> Result<Arc<dyn FittedDistance>, Error> {
        declaration.no_parts()?;
        let functions = lock(&FUNCTIONS);
        let function = functions
            .as_ref()
            .and_then(|functions| functions.get(declaration.name()))
            .filter(|function| function.of.as_ref().is_none_or(|of| of == declaration.of()))
            .ok_or_else(|| declaration.wrong_type())?;
        Ok(Arc::new(Foreign {
            name: declaration.name().to_owned(),
            function: function.clone(),
        }))
    };
    Entry {
        name: Cow::Owned(name.to_owned()),
        values: Cow::Borrowed("values of the type it was registered for"),
        takes: of.map_or(Takes::Any, |of| Takes::Exactly(of.clone())),
        inside: Inside::Leaf,
        facts: None,
        summary: Cow::Borrowed("A function written in Python."),
        laws: "those its author states",
        cost: "one call of Python",
        reference: "registered by the user",
        parameters: &[],
        example: None,
        build: Build::Foreign(Arc::new(build)),
    }
}

struct Foreign {
    name: String,
    function: Function,
}

impl FittedDistance for Foreign {
    fn laws(&self) -> Laws {
        self.function.laws
    }

    fn expression(&self) -> Expression {
        Expression::new(&self.name)
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        let bound = Python::attach(|py| -> PyResult<Called> {
            let values = |column: &Column| -> PyResult<Vec<Py<PyAny>>> {
                (0..column.len())
                    .map(|row| Ok(to_python(py, &column.value(row))?.unbind()))
                    .collect()
            };
            Ok(Called {
                name: self.name.clone(),
                function: self.function.clone(),
                queries: values(queries)?,
                references: values(references)?,
            })
        });
        match bound {
            Ok(called) => Ok(Bound::real(called)),
            Err(error) => {
                let what = Python::attach(|py| {
                    fail(py, &error);
                    error.value(py).to_string()
                });
                Err(Error::Undefined {
                    measure: self.name.clone(),
                    what,
                    row: None,
                })
            }
        }
    }
}

struct Called {
    name: String,
    function: Function,
    queries: Vec<Py<PyAny>>,
    references: Vec<Py<PyAny>>,
}

impl Pairs<f64> for Called {
    fn shape(&self) -> (usize, usize) {
        (self.queries.len(), self.references.len())
    }

    fn laws(&self) -> Laws {
        self.function.laws
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        Box::new(CalledRow { of: self, query })
    }
}

struct CalledRow<'a> {
    of: &'a Called,
    query: usize,
}

impl CalledRow<'_> {
    fn call(&self, py: Python<'_>, reference: usize) -> PyResult<f64> {
        let (a, b) = (&self.of.queries[self.query], &self.of.references[reference]);
        // A missing value is dealt with outside, and no user's code need see it.
        if a.is_none(py) || b.is_none(py) {
            return Ok(0.0);
        }
        let number: f64 = self.of.function.call.call1(py, (a, b))?.extract(py)?;
        match number >= 0.0 && number.is_finite() {
            true => Ok(number),
            false => Err(PyValueError::new_err(format!(
                "the distance `{}` gave {number} for {} and {}: a distance is a finite number that is not negative",
                self.of.name,
                a.bind(py).repr()?,
                b.bind(py).repr()?,
            ))),
        }
    }
}

impl Row<f64> for CalledRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        Python::attach(|py| {
            for (out, reference) in out.iter_mut().zip(references) {
                *out = match self.call(py, reference) {
                    Ok(number) => number,
                    Err(error) => {
                        fail(py, &error);
                        0.0
                    }
                };
            }
        });
    }
}
