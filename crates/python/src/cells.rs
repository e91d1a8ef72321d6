//! Python objects as values of a type, and back.
//!
//! A column is read twice: once to guess what type holds all its objects, once to take their
//! values.

use kinwood_values::text::number_text;
use kinwood_values::types::{DEEPEST_TYPE, Guess};
use kinwood_values::{Field, Kind, Type, Value, datetime};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyDict, PyFloat, PyFrozenSet, PyInt, PyIterator, PyList, PySet, PyString, PyTuple,
};

use crate::structures::{Bag, Graph, Term, Tree};

/// What texts without a stated type are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Words {
    /// Labels, equal or not.
    Labels,
    /// Strings, alike by their characters.
    Strings,
}

impl Words {
    fn of(self) -> Type {
        match self {
            Words::Labels => Type::Nominal,
            Words::Strings => Type::String,
        }
    }
}

/// A Python object as what it is to us.
enum Seen<'py> {
    Nothing,
    Truth(bool),
    Number(f64),
    Text(Bound<'py, PyString>),
    Moment(i64),
    Elements(Kind, Bound<'py, PyAny>),
    Fields(Bound<'py, PyTuple>),
    Named(Bound<'py, PyDict>),
    Tree(Bound<'py, Tree>),
    Term(Bound<'py, Term>),
    Graph(Bound<'py, Graph>),
}

/// What an object is; one of another library is asked to `kinwood._adapt`, which knows NumPy,
/// pandas, NetworkX and RDKit.
fn see<'py>(object: &Bound<'py, PyAny>) -> PyResult<Seen<'py>> {
    match plainly(object)? {
        Some(seen) => Ok(seen),
        None => {
            let adapt = object.py().import("kinwood._adapt")?.getattr("adapt")?;
            let adapted = adapt.call1((object,))?;
            plainly(&adapted)?.ok_or_else(|| {
                PyTypeError::new_err(format!(
                    "a value of type `{}` is none that is understood",
                    kind_of(object)
                ))
            })
        }
    }
}

fn plainly<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Seen<'py>>> {
    if let Ok(number) = object.cast::<PyFloat>() {
        let number = number.value();
        if number.is_infinite() {
            return Err(PyValueError::new_err(
                "an infinite number is no value: leave it out (None) or put a finite one",
            ));
        }
        return Ok(Some(match number.is_nan() {
            true => Seen::Nothing,
            false => Seen::Number(number),
        }));
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(Some(Seen::Text(text.clone())));
    }
    if let Ok(truth) = object.cast::<PyBool>() {
        return Ok(Some(Seen::Truth(truth.is_true())));
    }
    if object.is_none() {
        return Ok(Some(Seen::Nothing));
    }
    if object.is_instance_of::<PyInt>() {
        let number: Result<f64, PyErr> = object.extract();
        return match number {
            Ok(number) => Ok(Some(Seen::Number(number))),
            Err(_) => Err(PyValueError::new_err(
                "a whole number is beyond every floating-point number",
            )),
        };
    }
    if object.is_instance_of::<PyList>() {
        return Ok(Some(Seen::Elements(Kind::List, object.clone())));
    }
    if object.is_instance_of::<PySet>() || object.is_instance_of::<PyFrozenSet>() {
        return Ok(Some(Seen::Elements(Kind::Set, object.clone())));
    }
    if let Ok(tuple) = object.cast::<PyTuple>() {
        // A named tuple knows what its fields are called.
        if object.hasattr("_asdict")? {
            let named = object.call_method0("_asdict")?;
            return Ok(Some(Seen::Named(named.cast_into::<PyDict>()?)));
        }
        return Ok(Some(Seen::Fields(tuple.clone())));
    }
    // Some dictionaries are more: a counter is a bag.
    if let Ok(dictionary) = object.cast_exact::<PyDict>() {
        return Ok(Some(Seen::Named(dictionary.clone())));
    }
    if let Ok(bag) = object.cast::<Bag>() {
        let elements = bag.get().elements.bind(object.py()).clone();
        return Ok(Some(Seen::Elements(Kind::Bag, elements.into_any())));
    }
    if let Ok(tree) = object.cast::<Tree>() {
        return Ok(Some(Seen::Tree(tree.clone())));
    }
    if let Ok(term) = object.cast::<Term>() {
        return Ok(Some(Seen::Term(term.clone())));
    }
    if let Ok(graph) = object.cast::<Graph>() {
        return Ok(Some(Seen::Graph(graph.clone())));
    }
    if let Ok(moment) = object.cast::<crate::structures::Moment>() {
        return Ok(Some(Seen::Moment(moment.get().0)));
    }
    Ok(None)
}

fn elements<'py>(collection: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyIterator>> {
    collection.try_iter()
}

fn kind_of(object: &Bound<'_, PyAny>) -> String {
    let name = object.get_type().qualname();
    name.map_or_else(|_| "?".to_owned(), |name| name.to_string())
}

/// The type that an object suggests.
pub(crate) fn guess(object: &Bound<'_, PyAny>, words: Words, level: usize) -> PyResult<Guess> {
    if level > DEEPEST_TYPE {
        return Err(PyValueError::new_err(format!(
            "values may be nested {DEEPEST_TYPE} levels deep, and no deeper"
        )));
    }
    Ok(match see(object)? {
        Seen::Nothing => Guess::Unknown,
        Seen::Truth(_) => Guess::Plain(Type::Nominal),
        Seen::Number(_) => Guess::Plain(Type::Numeric),
        // Inside of other values, texts name things.
        Seen::Text(_) if level > 1 => Guess::Plain(Type::Nominal),
        Seen::Text(_) => Guess::Plain(words.of()),
        Seen::Moment(_) => Guess::Plain(Type::DateTime),
        Seen::Elements(kind, collection) => {
            let mut common = Guess::Unknown;
            for element in elements(&collection)? {
                let found = guess(&element?, words, level + 1)?;
                common = joined(&common, found, "an element", "those before it")?;
            }
            Guess::Elements(kind, Box::new(common))
        }
        Seen::Fields(tuple) => {
            let fields = tuple
                .iter()
                .map(|field| Ok((None, guess(&field, words, level + 1)?)));
            Guess::Tuple(fields.collect::<PyResult<_>>()?)
        }
        Seen::Named(dictionary) => {
            let fields = dictionary.iter().map(|(name, field)| {
                Ok((
                    Some(name.str()?.to_string()),
                    guess(&field, words, level + 1)?,
                ))
            });
            Guess::Tuple(fields.collect::<PyResult<_>>()?)
        }
        Seen::Tree(_) => Guess::Plain(Type::Tree),
        Seen::Term(_) => Guess::Plain(Type::Term),
        Seen::Graph(_) => Guess::Plain(Type::Graph),
    })
}

/// What holds a guess and those before it.
pub(crate) fn joined(common: &Guess, found: Guess, what: &str, others: &str) -> PyResult<Guess> {
    match common.join(&found, true) {
        Some(common) => Ok(common),
        None => Err(PyTypeError::new_err(format!(
            "{what} is `{}`, {others} `{}`: no type holds both",
            Type::from(found),
            Type::from(common.clone())
        ))),
    }
}

/// An object as a value of a type.
pub(crate) fn value(object: &Bound<'_, PyAny>, of: &Type) -> PyResult<Value> {
    let seen = see(object)?;
    let wrong = || {
        PyTypeError::new_err(format!(
            "a value of type `{}` cannot be `{of}`",
            kind_of(object)
        ))
    };
    let text = || text(object);
    Ok(match (of, seen) {
        (_, Seen::Nothing) => Value::Missing,
        (Type::Numeric, Seen::Number(number)) => Value::Number(number),
        (Type::Numeric, Seen::Truth(truth)) => Value::Number(f64::from(u8::from(truth))),
        (Type::Nominal, seen) => Value::Symbol(label(&seen).ok_or_else(wrong)?),
        (Type::String, seen) => Value::Text(label(&seen).ok_or_else(wrong)?),
        (Type::DateTime, Seen::Moment(moment)) => Value::DateTime(moment),
        (Type::DateTime, Seen::Text(moment)) => {
            let parsed = datetime::parse(&moment.to_string_lossy());
            Value::DateTime(parsed.map_err(|error| PyValueError::new_err(error.to_string()))?)
        }
        (Type::List(of), Seen::Elements(_, collection)) => Value::List(values(&collection, of)?),
        (Type::List(of), Seen::Fields(tuple)) => Value::List(values(tuple.as_any(), of)?),
        (Type::Set(of), Seen::Elements(_, collection)) => Value::set(values(&collection, of)?),
        (Type::Bag(of), Seen::Elements(_, collection)) => Value::bag(values(&collection, of)?),
        (Type::Tuple(fields), Seen::Fields(tuple)) if tuple.len() == fields.len() => {
            let values = fields.iter().zip(tuple.iter());
            let values = values.map(|(field, part)| value(&part, &field.of));
            Value::Tuple(values.collect::<PyResult<_>>()?)
        }
        (Type::Tuple(fields), Seen::Elements(Kind::List, list)) => {
            let parts: Vec<Bound<'_, PyAny>> = elements(&list)?.collect::<PyResult<_>>()?;
            if parts.len() != fields.len() {
                return Err(wrong());
            }
            let values = fields.iter().zip(&parts);
            let values = values.map(|(field, part)| value(part, &field.of));
            Value::Tuple(values.collect::<PyResult<_>>()?)
        }
        (Type::Tuple(fields), Seen::Named(dictionary)) => named(fields, &dictionary)?,
        (Type::Tree, Seen::Tree(tree)) => Value::Tree(tree.get().0.clone()),
        (Type::Term, Seen::Term(term)) => Value::Term(term.get().0.clone()),
        (Type::Graph, Seen::Graph(graph)) => Value::Graph(graph.get().0.clone()),
        (Type::Tree, Seen::Text(_)) => Value::Tree(parsed(&text()?)?),
        (Type::Term, Seen::Text(_)) => Value::Term(parsed(&text()?)?),
        _ => return Err(wrong()),
    })
}

fn parsed<T: std::str::FromStr<Err: std::fmt::Display>>(text: &str) -> PyResult<T> {
    text.parse()
        .map_err(|error: T::Err| PyValueError::new_err(error.to_string()))
}

fn text(object: &Bound<'_, PyAny>) -> PyResult<String> {
    object.extract()
}

fn label(seen: &Seen<'_>) -> Option<String> {
    Some(match seen {
        Seen::Text(text) => text.to_string_lossy().into_owned(),
        Seen::Number(number) => number_text(*number),
        Seen::Truth(truth) => truth.to_string(),
        Seen::Moment(moment) => datetime::print(*moment),
        _ => return None,
    })
}

fn values(collection: &Bound<'_, PyAny>, of: &Type) -> PyResult<Vec<Value>> {
    elements(collection)?
        .map(|element| value(&element?, of))
        .collect()
}

/// Fields by name; those that are not mentioned are missing.
fn named(fields: &[Field], dictionary: &Bound<'_, PyDict>) -> PyResult<Value> {
    let part = |field: &Field| {
        let name = field.name.as_deref().unwrap_or_default();
        match dictionary.get_item(name)? {
            Some(part) => value(&part, &field.of),
            None => Ok(Value::Missing),
        }
    };
    Ok(Value::Tuple(
        fields.iter().map(part).collect::<PyResult<_>>()?,
    ))
}

/// A value as a Python object: numbers, texts, lists, frozen sets, tuples; bags, trees, terms and
/// graphs as the package's own.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    let all = |values: &[Value]| -> PyResult<Vec<Bound<'py, PyAny>>> {
        values.iter().map(|value| to_python(py, value)).collect()
    };
    Ok(match value {
        Value::Missing => py.None().into_bound(py),
        Value::Symbol(text) | Value::Text(text) => PyString::new(py, text).into_any(),
        Value::Number(number) => PyFloat::new(py, *number).into_any(),
        Value::DateTime(moment) => {
            let adapt = py.import("kinwood._adapt")?;
            adapt.call_method1("moment", (*moment,))?
        }
        Value::List(values) => PyList::new(py, all(values)?)?.into_any(),
        Value::Set(values) => PyFrozenSet::new(py, hashable(py, values)?)?.into_any(),
        Value::Bag(values) => Bound::new(py, Bag::of(py, all(values)?)?)?.into_any(),
        Value::Tuple(values) => PyTuple::new(py, all(values)?)?.into_any(),
        Value::Tree(tree) => Bound::new(py, Tree(tree.clone()))?.into_any(),
        Value::Term(term) => Bound::new(py, Term(term.clone()))?.into_any(),
        Value::Graph(graph) => Bound::new(py, Graph(graph.clone()))?.into_any(),
        Value::Ref(row) => PyInt::new(py, *row).into_any(),
    })
}

/// Values as members of a set: lists in it are tuples, which Python can look up.
fn hashable<'py>(py: Python<'py>, values: &[Value]) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let one = |value: &Value| match value {
        Value::List(values) | Value::Tuple(values) => {
            Ok(PyTuple::new(py, hashable(py, values)?)?.into_any())
        }
        other => to_python(py, other),
    };
    values.iter().map(one).collect()
}
