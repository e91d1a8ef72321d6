//! What a bag can do in Python. Bags are equal if their elements are the same values, so that this
//! knows how objects become values, which in turn knows bags: hence it is apart from the type.

use kinwood_values::Value;
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::cells::{Words, guess, value};
use crate::structures::Bag;

fn hash_of(value: &Value) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};

    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

impl Bag {
    /// The bag as a value, whatever its elements are, so that bags with the same elements are the
    /// same.
    fn canonical(&self, py: Python<'_>) -> PyResult<Value> {
        let list = PyList::new(py, self.elements.bind(py).iter())?.into_any();
        let of = guess(&list, Words::Labels, 1)?.into();
        match value(&list, &of)? {
            Value::List(values) => Ok(Value::bag(values)),
            other => Ok(other),
        }
    }
}

#[pymethods]
impl Bag {
    #[new]
    #[pyo3(signature = (elements=None))]
    fn new(py: Python<'_>, elements: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let elements: Vec<Bound<'_, PyAny>> = match elements {
            Some(elements) => elements.try_iter()?.collect::<PyResult<_>>()?,
            None => Vec::new(),
        };
        Self::of(py, elements)
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.elements.bind(py).len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.elements.bind(py).try_iter()?.into_any())
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        place: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.elements.bind(py).as_any().get_item(place)
    }

    fn __richcmp__(
        &self,
        py: Python<'_>,
        other: &Bound<'_, PyAny>,
        operation: CompareOp,
    ) -> PyResult<Py<PyAny>> {
        let Ok(other) = other.cast::<Bag>() else {
            return Ok(py.NotImplemented());
        };
        let equal = match (self.canonical(py), other.get().canonical(py)) {
            (Ok(own), Ok(other)) => own == other,
            // Elements that no type holds are compared as Python does.
            _ => self.elements.bind(py).eq(other.get().elements.bind(py))?,
        };
        compared(py, equal, operation)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(match self.canonical(py) {
            Ok(own) => hash_of(&own),
            Err(_) => self.elements.bind(py).len() as u64,
        })
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let list = PyList::new(py, self.elements.bind(py).iter())?;
        Ok(format!("Bag({})", list.repr()?))
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyTuple>,))> {
        let elements = slf.get().elements.bind(slf.py()).clone();
        Ok((slf.get_type().into_any(), (elements,)))
    }
}

fn compared(py: Python<'_>, equal: bool, operation: CompareOp) -> PyResult<Py<PyAny>> {
    let answer = match operation {
        CompareOp::Eq => equal,
        CompareOp::Ne => !equal,
        _ => return Ok(py.NotImplemented()),
    };
    Ok(answer.into_pyobject(py)?.to_owned().into_any().unbind())
}
