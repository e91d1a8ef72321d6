//! Distances and kernels: between two values, between all pairs, and what can be made of a matrix.

use std::sync::Arc;

use kinwood::Error;
use kinwood::learners::{Context, Error as LearnerError};
use kinwood::similarity::cluster::medoids::medoids as find_medoids;
use kinwood::similarity::cluster::scaling::scale;
use kinwood::similarity::matrix::{Condensed, fill_rows, mirror};
use kinwood::similarity::{
    Bound as BoundDistance, Error as SimilarityError, Expression, Gaps, Gram, Laws, Measured,
    Missing, Pairs, Registry, Row, RowDistance, RowKernel, Score, TermSize, gram,
};
use kinwood_values::Type;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;

use crate::column::Column;
use crate::data::Data;
use crate::error::unmeasured;
use crate::threads::{Watch, here};
use crate::work::{Work, guarded};

fn parsed(expression: &str) -> PyResult<Expression> {
    expression.parse().map_err(unmeasured)
}

fn is_kernel(expression: &Expression) -> PyResult<bool> {
    let registry = Registry::known();
    let entry = registry.find(&expression.name);
    let unknown = || unmeasured(registry.unknown(&expression.name, 1));
    // The measure that a type has when nobody says is a distance.
    match expression.name == "default" {
        true => Ok(false),
        false => Ok(entry.ok_or_else(unknown)?.is_kernel()),
    }
}

/// Whether an expression is of a kernel rather than of a distance.
#[pyfunction]
#[pyo3(name = "is_kernel")]
pub(crate) fn names_kernel(expression: &str) -> PyResult<bool> {
    guarded(|| is_kernel(&parsed(expression)?))
}

/// The type with strings in the place of labels: what texts are to a measure that looks at their
/// characters.
fn with_strings(of: &Type) -> Type {
    match of {
        Type::Nominal => Type::String,
        Type::List(of) => Type::List(Box::new(with_strings(of))),
        Type::Set(of) => Type::Set(Box::new(with_strings(of))),
        Type::Bag(of) => Type::Bag(Box::new(with_strings(of))),
        Type::Tuple(fields) => {
            let mut fields = fields.clone();
            for field in &mut fields {
                field.of = with_strings(&field.of);
            }
            Type::Tuple(fields)
        }
        other => other.clone(),
    }
}

/// A column in a type that another column has or that a measure asks for.
fn cast(column: &kinwood_values::Column, of: &Type) -> Option<kinwood_values::Column> {
    match column.type_of() == *of {
        true => Some(column.clone()),
        false => kinwood::formats::restate(column, of),
    }
}

/// Tries a measure on values as they are, then with strings in the place of labels.
fn resolved<T>(
    column: &kinwood_values::Column,
    resolve: impl Fn(&kinwood_values::Column) -> Result<T, SimilarityError>,
) -> Result<(T, kinwood_values::Column), SimilarityError> {
    match resolve(column) {
        Ok(measure) => Ok((measure, column.clone())),
        Err(error @ SimilarityError::WrongType { .. }) => {
            let of = with_strings(&column.type_of());
            match cast(column, &of).filter(|_| of != column.type_of()) {
                Some(strings) => match resolve(&strings) {
                    Ok(measure) => Ok((measure, strings)),
                    Err(_) => Err(error),
                },
                None => Err(error),
            }
        }
        Err(error) => Err(error),
    }
}

/// The distance or inner product of the two values of a column; it is fitted on no data.
#[pyfunction]
pub(crate) fn measure(py: Python<'_>, expression: &str, values: &Column) -> PyResult<Py<PyAny>> {
    let expression = parsed(expression)?;
    let kernel = is_kernel(&expression)?;
    let registry = Registry::known();
    let watch = Arc::new(Watch::default());
    let measured = here(&watch, || {
        guarded(|| {
            let measured = if kernel {
                let resolve = |column: &kinwood_values::Column| {
                    registry.kernel(&expression, &column.type_of(), None, "the value")
                };
                resolved(&values.0, resolve).and_then(|(kernel, column)| {
                    Ok(Measured::Number(
                        kernel.inner(&column.value(0), &column.value(1))?,
                    ))
                })
            } else {
                let resolve = |column: &kinwood_values::Column| {
                    registry.distance(&expression, &column.type_of(), None, "the value")
                };
                resolved(&values.0, resolve).and_then(|(distance, column)| {
                    distance.between(&column.value(0), &column.value(1))
                })
            };
            measured.map_err(unmeasured)
        })
    });
    if let Some(error) = watch.raised() {
        return Err(error);
    }
    match measured? {
        Measured::Number(number) => number.into_py_any(py),
        Measured::Pair(size) => (size.functors, size.variables).into_py_any(py),
    }
}

/// Each law by its name, and whether it holds.
type NamedLaws = Vec<(String, bool)>;

/// What a measure guarantees on values of a type that lack nothing, that may be missing, and whose
/// collections may be empty, where it takes such; and what it is called in full.
#[pyfunction]
pub(crate) fn laws(expression: &str, of: &str) -> PyResult<(String, [Option<NamedLaws>; 3])> {
    let expression = parsed(expression)?;
    let of: Type = of
        .parse()
        .map_err(|error: kinwood_values::ParseError| PyValueError::new_err(error.to_string()))?;
    let named = |name: &str, holds: bool| (name.to_owned(), holds);
    guarded(|| {
        if is_kernel(&expression)? {
            let kernel = Registry::known().kernel(&expression, &of, None, "the values");
            let kernel = kernel.map_err(unmeasured)?;
            let laws = kernel.laws();
            let told = vec![
                named("positive_semidefinite", laws.positive_semidefinite),
                named("symmetric", laws.symmetric),
            ];
            // A missing value is the origin, and an empty collection has no members to compare.
            let told = [(); 3].map(|()| Some(told.clone()));
            return Ok((kernel.expression().to_string(), told));
        }
        let distance = Registry::known().distance(&expression, &of, None, "the values");
        let distance = distance.map_err(unmeasured)?;
        let told = [Gaps::NONE, Gaps::MISSING, Gaps::EMPTY].map(|gaps| {
            let laws = distance.laws_with(gaps)?;
            Some(vec![
                named("zero_on_self", laws.zero_on_self),
                named("separates", laws.separates),
                named("symmetric", laws.symmetric),
                named("triangle", laws.triangle),
            ])
        });
        Ok((distance.expression().to_string(), told))
    })
}

/// What is bound to queries and references.
enum Bound {
    Distance(Arc<dyn Pairs<f64>>),
    Pair(Arc<dyn Pairs<TermSize>>),
    /// A kernel, and whether both directions are the same.
    Kernel(Arc<dyn Gram>, bool),
}

impl From<BoundDistance> for Bound {
    fn from(bound: BoundDistance) -> Self {
        match bound {
            BoundDistance::Real(pairs) => Bound::Distance(pairs),
            BoundDistance::Term(pairs) => Bound::Pair(pairs),
        }
    }
}

/// Values or rows.
#[derive(FromPyObject)]
pub(crate) enum Things<'py> {
    Values(PyRef<'py, Column>),
    Rows(PyRef<'py, Data>),
}

/// The matrix of all pairs of queries and references. What a measure takes from data, it takes from
/// the references.
#[pyfunction]
#[pyo3(signature = (expression, queries, references=None, *, depth=1, work))]
pub(crate) fn pairwise(
    py: Python<'_>,
    expression: &str,
    queries: Things<'_>,
    references: Option<Things<'_>>,
    depth: usize,
    work: &Work,
) -> PyResult<Py<PyAny>> {
    let expression = parsed(expression)?;
    let kernel = is_kernel(&expression)?;
    let same = references.is_none();
    let of = match (&queries, &references) {
        (Things::Values(queries), None) => {
            Of::Values(Arc::clone(&queries.0), Arc::clone(&queries.0))
        }
        (Things::Values(queries), Some(Things::Values(references))) => {
            Of::Values(Arc::clone(&queries.0), Arc::clone(&references.0))
        }
        (Things::Rows(queries), None) => Of::Rows(Box::new([queries.view(), queries.view()])),
        (Things::Rows(queries), Some(Things::Rows(references))) => {
            Of::Rows(Box::new([queries.view(), references.view()]))
        }
        _ => {
            return Err(PyValueError::new_err(
                "rows are compared with rows and values with values",
            ));
        }
    };
    let (bound, shape) = work.run(py, |context| {
        // Binding may measure too: how far a missing value is put, what scale a distance has.
        let _running = context.progress("preparing", 0);
        let bound = of
            .bind(&expression, kernel, depth, same)
            .map_err(LearnerError::from)?;
        let shape = match &bound {
            Bound::Distance(pairs) => pairs.shape(),
            Bound::Pair(pairs) => pairs.shape(),
            Bound::Kernel(gram, _) => gram.shape(),
        };
        Ok((bound, shape))
    })?;
    match bound {
        Bound::Pair(pairs) => {
            // Pairs of whole numbers are an array with a last axis of two.
            checked(shape, 2, work)?;
            let mut out = vec![TermSize::zero(); shape.0 * shape.1];
            let numbers = work.run(py, |context| {
                let advance = |_| context.check().is_ok();
                let filled = fill_rows(&*pairs, 0..shape.0, None, &mut out, &advance);
                finished(filled.is_ok(), context)?;
                Ok(out
                    .iter()
                    .flat_map(|size| [size.functors, size.variables])
                    .collect::<Vec<i64>>())
            })?;
            let array = numbers.into_pyarray(py).reshape([shape.0, shape.1, 2])?;
            array.into_py_any(py)
        }
        Bound::Distance(pairs) => {
            let laws = pairs.laws();
            let mirrored = same && laws.symmetric && laws.zero_on_self;
            let fill = |out: &mut [f64], part: Part<'_>, advance: Advance<'_>| {
                fill_rows(&*pairs, 0..shape.0, part, out, advance).is_ok()
            };
            filled(py, shape, mirrored, &fill, work)
        }
        Bound::Kernel(bound, symmetric) => {
            let mirrored = same && symmetric;
            let fill = |out: &mut [f64], part: Part<'_>, advance: Advance<'_>| {
                gram::fill_rows(&*bound, part, out, advance).is_ok()
            };
            filled(py, shape, mirrored, &fill, work)
        }
    }
}

type Advance<'a> = &'a (dyn Fn(u64) -> bool + Sync);
/// What fills a matrix, or the wanted parts of its rows, and says whether it came to the end.
type Fill<'a> = &'a (dyn Fn(&mut [f64], Part<'_>, Advance<'_>) -> bool + Sync);
type Part<'a> = Option<&'a (dyn Fn(usize) -> std::ops::Range<usize> + Sync)>;

/// A matrix as an array. NumPy asks the system for large pages, which are first touched much faster
/// than small ones.
fn filled(
    py: Python<'_>,
    shape: (usize, usize),
    mirrored: bool,
    fill: Fill<'_>,
    work: &Work,
) -> PyResult<Py<PyAny>> {
    checked(shape, 1, work)?;
    let array = py.import("numpy")?.call_method1("zeros", (shape,))?;
    let array = array.cast_into::<PyArray2<f64>>()?;
    let mut own = array.readwrite();
    let out = own.as_slice_mut()?;
    work.run(py, |context| matrix(shape, mirrored, out, fill, context))?;
    drop(own);
    array.into_py_any(py)
}

/// That a matrix of so many words a cell may be had.
fn checked(shape: (usize, usize), words: u64, work: &Work) -> PyResult<()> {
    let needed = (shape.0 as u64)
        .saturating_mul(shape.1 as u64)
        .saturating_mul(8 * words);
    let refused = |why: String| {
        PyMemoryError::new_err(format!(
            "a matrix of {} x {} needs {needed} bytes, {why}; `kinwood matrix` writes one of any size to a file, block by block",
            shape.0, shape.1
        ))
    };
    if let Some(allowed) = work.memory().filter(|allowed| needed > *allowed) {
        return Err(refused(format!("and {allowed} are allowed")));
    }
    let mut asked: Vec<u64> = Vec::new();
    let count = usize::try_from(needed / 8).ok();
    let reserved = count.is_some_and(|count| asked.try_reserve_exact(count).is_ok());
    match reserved {
        true => Ok(()),
        false => Err(refused("which this machine does not have".to_owned())),
    }
}

/// Fills a matrix, of a mirrored one each pair once.
fn matrix(
    shape: (usize, usize),
    mirrored: bool,
    out: &mut [f64],
    fill: Fill<'_>,
    context: &Context,
) -> kinwood::Result<()> {
    let pairs = match mirrored {
        true => shape.0 as u64 * (shape.0 as u64 + 1) / 2,
        false => shape.0 as u64 * shape.1 as u64,
    };
    let running = context.progress("comparing", pairs);
    let advance = |pairs: u64| {
        running.advance(pairs);
        context.check().is_ok()
    };
    let from_diagonal = |row: usize| row..shape.1;
    let part: Part<'_> = match mirrored {
        true => Some(&from_diagonal),
        false => None,
    };
    finished(fill(out, part, &advance), context)?;
    if mirrored {
        mirror(out, shape.0);
    }
    Ok(())
}

fn finished(filled: bool, context: &Context) -> kinwood::Result<()> {
    context.check()?;
    match filled {
        true => Ok(()),
        false => Err(LearnerError::Interrupted.into()),
    }
}

/// What is compared.
enum Of {
    Values(Arc<kinwood_values::Column>, Arc<kinwood_values::Column>),
    Rows(Box<[kinwood_values::View; 2]>),
}

impl Of {
    fn bind(
        &self,
        expression: &Expression,
        kernel: bool,
        depth: usize,
        same: bool,
    ) -> Result<Bound, SimilarityError> {
        let registry = Registry::known();
        match self {
            Of::Values(queries, references) => {
                let place = "each value";
                let two_types = || SimilarityError::TwoTypes {
                    first: references.type_of().to_string(),
                    second: queries.type_of().to_string(),
                };
                let (bound, fitted): (Box<Binding>, _) = if kernel {
                    let resolve = |column: &kinwood_values::Column| {
                        registry.kernel(expression, &column.type_of(), Some(column), place)
                    };
                    let (kernel, fitted) = resolved(references, resolve)?;
                    let symmetric = kernel.laws().symmetric;
                    let bind: Box<Binding> =
                        Box::new(move |a, b| Ok(Bound::Kernel(kernel.bind(a, b)?, symmetric)));
                    (bind, fitted)
                } else {
                    let resolve = |column: &kinwood_values::Column| {
                        registry.distance(expression, &column.type_of(), Some(column), place)
                    };
                    let (distance, fitted) = resolved(references, resolve)?;
                    let bind: Box<Binding> = Box::new(move |a, b| Ok(distance.bind(a, b)?.into()));
                    (bind, fitted)
                };
                if same {
                    return bound(&fitted, &fitted);
                }
                let queries = alike(queries, &fitted).ok_or_else(two_types)?;
                bound(&queries, &fitted)
            }
            Of::Rows(views) => {
                let [queries, references] = &**views;
                if kernel {
                    let declared = RowKernel {
                        expression: expression.clone(),
                        depth,
                    };
                    let (fitted, rows) = declared.fit(references, registry)?;
                    let asked = match same {
                        true => rows.clone(),
                        false => fitted.rows(&conformed(queries, references)?)?,
                    };
                    let symmetric = fitted.laws().symmetric;
                    return Ok(Bound::Kernel(fitted.bind(&asked, &rows)?, symmetric));
                }
                let declared = RowDistance {
                    expression: expression.clone(),
                    missing: Missing::default(),
                    depth,
                };
                let fitted = declared.fit(references, registry)?;
                let rows = fitted.rows(references)?;
                let asked = match same {
                    true => rows.clone(),
                    false => fitted.rows(&conformed(queries, references)?)?,
                };
                Ok(fitted.bind(&asked, &rows)?.into())
            }
        }
    }
}

type Binding =
    dyn Fn(&kinwood_values::Column, &kinwood_values::Column) -> Result<Bound, SimilarityError>;

/// Rows of other data in the terms of the references.
fn conformed(
    queries: &kinwood_values::View,
    references: &kinwood_values::View,
) -> Result<kinwood_values::View, SimilarityError> {
    let schema = references.database().schema();
    let (database, _) = kinwood_values::conform(&schema, queries.database()).map_err(|error| {
        SimilarityError::Layout {
            column: error.to_string(),
        }
    })?;
    let rows: Vec<u32> = queries.rows().collect();
    Ok(kinwood_values::View::new(Arc::new(database), references.table_position()).select(&rows))
}

/// Values in the type and with the codes of other values.
fn alike(
    column: &kinwood_values::Column,
    other: &kinwood_values::Column,
) -> Option<kinwood_values::Column> {
    let column = cast(column, &other.type_of())?;
    // A table of the one column is conformed as any other.
    let attribute =
        |column: &kinwood_values::Column| kinwood_values::Attribute::new("value", column.clone());
    let database = |column: &kinwood_values::Column| {
        let table = kinwood_values::Table::new("values", vec![attribute(column)]).ok()?;
        kinwood_values::Database::single(table).ok()
    };
    let (conformed, _) =
        kinwood_values::conform(&database(&other.gather(&[]))?, &database(&column)?).ok()?;
    let column = &conformed.table(0).attribute(0).column;
    (column.type_of() == other.type_of()).then(|| kinwood_values::Column::clone(column))
}

/// A matrix in memory as a distance by index.
struct Square<'a> {
    side: usize,
    distances: &'a [f64],
}

impl Pairs<f64> for Square<'_> {
    fn shape(&self) -> (usize, usize) {
        (self.side, self.side)
    }

    fn laws(&self) -> Laws {
        Laws {
            separates: false,
            triangle: false,
            ..Laws::METRIC
        }
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        Box::new(SquareRow(
            &self.distances[query * self.side..(query + 1) * self.side],
        ))
    }
}

struct SquareRow<'a>(&'a [f64]);

impl Row<f64> for SquareRow<'_> {
    fn fill(&self, references: std::ops::Range<usize>, out: &mut [f64]) {
        out.copy_from_slice(&self.0[references]);
    }
}

fn condensed(matrix: &PyReadonlyArray2<'_, f64>) -> PyResult<(Vec<f64>, usize)> {
    let array = matrix.as_array();
    let (rows, columns) = array.dim();
    if rows != columns {
        return Err(PyValueError::new_err(format!(
            "a matrix of distances has as many rows as columns, not {rows} x {columns}"
        )));
    }
    let uneven = |(row, column): (usize, usize)| {
        let (a, b) = (array[[row, column]], array[[column, row]]);
        !a.is_finite() || a < 0.0 || (a - b).abs() > 1e-9 * a.abs().max(1.0)
    };
    let places = (0..rows).flat_map(|row| (row..columns).map(move |column| (row, column)));
    if let Some((row, column)) = places.into_iter().find(|&place| uneven(place)) {
        return Err(PyValueError::new_err(format!(
            "the matrix is not of distances: it has {} in row {row}, column {column}, and {} the other way",
            array[[row, column]],
            array[[column, row]]
        )));
    }
    Ok((array.iter().copied().collect(), rows))
}

/// Where things lie on a map that keeps their distances as well as two dimensions can: coordinates,
/// and the share that is kept.
#[pyfunction]
pub(crate) fn map<'py>(
    py: Python<'py>,
    matrix: PyReadonlyArray2<'py, f64>,
    work: &Work,
) -> PyResult<(Points<'py>, f64)> {
    let (distances, side) = condensed(&matrix)?;
    let scaled = work.run(py, |_| {
        let square = Square {
            side,
            distances: &distances,
        };
        let matrix = Condensed::of(&square, &|_| true)
            .map_err(|refused| Error::MatrixFile(refused.to_string()))?;
        Ok(scale(&matrix))
    })?;
    let flat: Vec<f64> = scaled.points.iter().flatten().copied().collect();
    let array = flat.into_pyarray(py).reshape([side, 2])?;
    Ok((array, scaled.shown))
}

type Points<'py> = pyo3::Bound<'py, PyArray2<f64>>;
type Places<'py> = pyo3::Bound<'py, PyArray1<i64>>;

/// The things that stand for groups, and the group of each thing.
#[pyfunction]
pub(crate) fn medoids<'py>(
    py: Python<'py>,
    matrix: PyReadonlyArray2<'py, f64>,
    groups: usize,
    work: &Work,
) -> PyResult<(Places<'py>, Places<'py>, f64)> {
    let (distances, side) = condensed(&matrix)?;
    if groups == 0 || groups > side {
        return Err(PyValueError::new_err(format!(
            "{side} things can be in 1 to {side} groups, not {groups}"
        )));
    }
    let found = work.run(py, |_| {
        let square = Square {
            side,
            distances: &distances,
        };
        let matrix = Condensed::of(&square, &|_| true)
            .map_err(|refused| Error::MatrixFile(refused.to_string()))?;
        Ok(find_medoids(&matrix, groups))
    })?;
    let whole =
        |places: &[usize]| -> Vec<i64> { places.iter().map(|&place| place as i64).collect() };
    Ok((
        whole(&found.medoids).into_pyarray(py),
        whole(&found.clusters).into_pyarray(py),
        found.total,
    ))
}
