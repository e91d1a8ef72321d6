//! Values that Python has no type of its own for: bags, trees, terms, graphs, points in time. What
//! a bag can do is in `bag.rs`.

use kinwood_values::{Edge, GraphNode, ParseError};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

fn wrong(error: ParseError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Elements without order, repeated or not: `Bag([1, 1, 2])`.
#[pyclass(frozen, module = "kinwood", sequence)]
pub(crate) struct Bag {
    pub(crate) elements: Py<PyTuple>,
}

impl Bag {
    pub(crate) fn of(py: Python<'_>, elements: Vec<Bound<'_, PyAny>>) -> PyResult<Self> {
        Ok(Self {
            elements: PyTuple::new(py, elements)?.unbind(),
        })
    }
}

macro_rules! printed {
    ($name:ident) => {
        #[pymethods]
        impl $name {
            #[new]
            fn new(text: &str) -> PyResult<Self> {
                text.parse().map(Self).map_err(wrong)
            }

            fn __str__(&self) -> String {
                self.0.to_string()
            }

            fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                let text = PyString::new(py, &self.0.to_string());
                Ok(format!(concat!(stringify!($name), "({})"), text.repr()?))
            }

            fn __len__(&self) -> usize {
                self.0.len()
            }

            /// How many levels it has.
            #[getter]
            fn depth(&self) -> usize {
                self.0.depth()
            }

            fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
                (slf.get_type().into_any(), (slf.get().0.to_string(),))
            }
        }
    };
}

/// An ordered tree with labels, written as `a(b, c(d))`.
#[pyclass(frozen, eq, hash, module = "kinwood")]
#[derive(PartialEq, Hash)]
pub(crate) struct Tree(pub(crate) kinwood_values::Tree);
printed!(Tree);

/// A first-order term, written as in Prolog: `p(f(a), X)`.
#[pyclass(frozen, eq, hash, module = "kinwood")]
#[derive(PartialEq, Hash)]
pub(crate) struct Term(pub(crate) kinwood_values::Term);
printed!(Term);

/// A graph with labelled nodes and edges.
///
/// `edges` are pairs, or triples with a label; `nodes` are names, or a dictionary from names to
/// labels.
#[pyclass(frozen, eq, hash, module = "kinwood")]
#[derive(PartialEq, Hash)]
pub(crate) struct Graph(pub(crate) kinwood_values::Graph);

#[pymethods]
impl Graph {
    #[new]
    #[pyo3(signature = (edges, nodes=None, *, directed=false))]
    fn new(
        edges: &Bound<'_, PyAny>,
        nodes: Option<&Bound<'_, PyAny>>,
        directed: bool,
    ) -> PyResult<Self> {
        let mut told: Vec<GraphNode> = Vec::new();
        let mut places = std::collections::HashMap::new();
        if let Some(nodes) = nodes {
            let labels = nodes.cast::<PyDict>().ok();
            for node in nodes.try_iter()? {
                let node = node?;
                let label = match labels {
                    Some(labels) => labels.get_item(&node)?,
                    None => None,
                };
                let id = node.str()?.to_string();
                places.insert(id.clone(), told.len() as u32);
                told.push(GraphNode {
                    id,
                    label: worded(label)?,
                });
            }
        }
        let closed = nodes.is_some();
        let mut place = |end: &Bound<'_, PyAny>| -> PyResult<u32> {
            let id = end.str()?.to_string();
            if let Some(&place) = places.get(&id) {
                return Ok(place);
            }
            if closed {
                return Err(PyValueError::new_err(format!(
                    "an edge touches `{id}`, which is none of the nodes"
                )));
            }
            let place = told.len() as u32;
            told.push(GraphNode {
                id: id.clone(),
                label: None,
            });
            places.insert(id, place);
            Ok(place)
        };
        let mut joined = Vec::new();
        for edge in edges.try_iter()? {
            let edge: Vec<Bound<'_, PyAny>> = edge?.try_iter()?.collect::<PyResult<_>>()?;
            let (from, to, label) = match edge.as_slice() {
                [from, to] => (from, to, None),
                [from, to, label] => (from, to, Some(label.clone())),
                _ => {
                    return Err(PyTypeError::new_err(
                        "an edge is a pair of nodes, or a triple with a label",
                    ));
                }
            };
            joined.push(Edge {
                from: place(from)?,
                to: place(to)?,
                label: worded(label)?,
            });
        }
        kinwood_values::Graph::new(directed, told, joined)
            .map(Self)
            .map_err(wrong)
    }

    /// Whether edges have a direction.
    #[getter]
    fn directed(&self) -> bool {
        self.0.directed()
    }

    /// The nodes: a dictionary from names to labels, `None` where there is none.
    #[getter]
    fn nodes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let nodes = PyDict::new(py);
        for node in self.0.nodes() {
            nodes.set_item(&node.id, node.label.as_deref())?;
        }
        Ok(nodes)
    }

    /// The edges: triples of two names and a label, `None` where there is none.
    #[getter]
    fn edges(&self) -> Vec<(String, String, Option<String>)> {
        let name = |place: u32| self.0.nodes()[place as usize].id.clone();
        let edges = self.0.edges().iter();
        edges
            .map(|edge| (name(edge.from), name(edge.to), edge.label.clone()))
            .collect()
    }

    fn __len__(&self) -> usize {
        self.0.nodes().len()
    }

    fn __repr__(&self) -> String {
        let kind = if self.0.directed() { "directed, " } else { "" };
        format!(
            "<Graph: {kind}{} nodes, {} edges>",
            self.0.nodes().len(),
            self.0.edges().len()
        )
    }

    #[expect(clippy::type_complexity, reason = "what pickle wants")]
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(
        Bound<'py, PyAny>,
        (
            Vec<(String, String, Option<String>)>,
            Bound<'py, PyDict>,
            bool,
        ),
    )> {
        let graph = slf.get();
        let again = slf.py().import("kinwood._adapt")?.getattr("graph_again")?;
        Ok((
            again,
            (graph.edges(), graph.nodes(slf.py())?, graph.directed()),
        ))
    }
}

fn worded(label: Option<Bound<'_, PyAny>>) -> PyResult<Option<String>> {
    match label {
        Some(label) if !label.is_none() => Ok(Some(label.str()?.to_string())),
        _ => Ok(None),
    }
}

/// A point in time, as milliseconds since 1970-01-01 UTC: what dates of all libraries become on
/// their way here.
#[pyclass(frozen, module = "kinwood._kinwood")]
pub(crate) struct Moment(pub(crate) i64);

#[pymethods]
impl Moment {
    #[new]
    fn new(milliseconds: i64) -> PyResult<Self> {
        match kinwood_values::datetime::in_calendar(milliseconds) {
            true => Ok(Self(milliseconds)),
            false => Err(PyValueError::new_err("the date is outside of the calendar")),
        }
    }
}
