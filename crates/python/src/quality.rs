//! Measures of quality: those there are, ones written in Python, and their values for
//! scikit-learn's scorers.

use std::sync::Arc;

use kinwood::evaluation::Error;
use kinwood::evaluation::measures::{
    Answers, ClassAnswers, Compute, Direction, LabelAnswers, Measure, MeasureEntry, NumberAnswers,
    Score,
};
use kinwood::learners::predictions::PRESENT;
use numpy::{IntoPyArray, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Value, json};

use crate::error::raised;
use crate::threads::{Watch, fail, here};

/// What a function is called with: the truth, what is predicted, and the weights of the rows where
/// they have any.
type Called<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Option<Vec<f64>>);

/// Makes a Python function a measure of quality under a name, in place of one that was registered
/// before.
#[pyfunction]
#[pyo3(signature = (name, function, *, greater_is_better, needs))]
pub(crate) fn register_measure(
    py: Python<'_>,
    name: &str,
    function: Py<PyAny>,
    greater_is_better: bool,
    needs: &str,
) -> PyResult<()> {
    if !function.bind(py).is_callable() {
        return Err(PyTypeError::new_err(
            "a measure is a function of what is true and what is predicted",
        ));
    }
    let known = Measure::all().into_iter().find(|known| known.key() == name);
    // A measure lasts as long as the process: its name is written once however often it is
    // registered.
    let key: &'static str = known.map_or_else(|| name.to_owned().leak() as &str, Measure::key);
    let compute = match needs {
        "classes" => Compute::Classes(leaked(move |answers: &ClassAnswers<'_>, weights| {
            let rows = known_rows(answers.truth);
            scored(key, &function, &rows, |py| {
                classes(py, answers, &rows, weights)
            })
        })),
        "probabilities" => Compute::Classes(leaked(move |answers: &ClassAnswers<'_>, weights| {
            let rows = known_rows(answers.truth);
            scored(key, &function, &rows, |py| {
                probabilities(py, answers, &rows, weights)
            })
        })),
        "numbers" => Compute::Numbers(leaked_numbers(move |answers, weights| {
            let rows = known_rows(answers.truth);
            scored(key, &function, &rows, |py| {
                let truth: Vec<f64> = rows.iter().filter_map(|&row| answers.truth[row]).collect();
                let predicted: Vec<f64> = rows.iter().map(|&row| answers.predicted[row]).collect();
                let (truth, predicted) = (truth.into_pyarray(py), predicted.into_pyarray(py));
                Ok((
                    truth.into_any(),
                    predicted.into_any(),
                    of_rows(weights, &rows),
                ))
            })
        })),
        "labels" => Compute::Labels(leaked_labels(move |answers, weights| {
            let rows = known_rows(answers.truth);
            scored(key, &function, &rows, |py| {
                labels(py, answers, &rows, weights)
            })
        })),
        other => {
            return Err(PyValueError::new_err(format!(
                "a measure needs `classes`, `probabilities`, `numbers` or `labels`, not `{other}`"
            )));
        }
    };
    let entry = MeasureEntry {
        key,
        title: key,
        doc: "a function written in Python",
        formula: "registered by the user",
        direction: match greater_is_better {
            true => Direction::HigherIsBetter,
            false => Direction::LowerIsBetter,
        },
        compute,
    };
    Measure::register(entry).map_err(raised)?;
    Ok(())
}

fn leaked<F>(function: F) -> &'static F
where
    F: Fn(&ClassAnswers<'_>, Option<&[f64]>) -> Score + Send + Sync,
{
    Box::leak(Box::new(function))
}

fn leaked_numbers<F>(function: F) -> &'static F
where
    F: Fn(&NumberAnswers<'_>, Option<&[f64]>) -> Score + Send + Sync,
{
    Box::leak(Box::new(function))
}

fn leaked_labels<F>(function: F) -> &'static F
where
    F: Fn(&LabelAnswers<'_>, Option<&[f64]>) -> Score + Send + Sync,
{
    Box::leak(Box::new(function))
}

/// The rows whose truth is known.
fn known_rows<T>(truth: &[Option<T>]) -> Vec<usize> {
    (0..truth.len())
        .filter(|&row| truth[row].is_some())
        .collect()
}

fn of_rows(weights: Option<&[f64]>, rows: &[usize]) -> Option<Vec<f64>> {
    weights.map(|weights| rows.iter().map(|&row| weights[row]).collect())
}

/// True and predicted classes, by their names.
fn classes<'py>(
    py: Python<'py>,
    answers: &ClassAnswers<'_>,
    rows: &[usize],
    weights: Option<&[f64]>,
) -> PyResult<Called<'py>> {
    let named = |codes: Vec<u32>| {
        let names = codes.iter().map(|&code| &*answers.classes[code as usize]);
        let names: Vec<&str> = names.collect();
        py.import("numpy")?.call_method1("asarray", (names,))
    };
    let truth = rows.iter().filter_map(|&row| answers.truth[row]).collect();
    let predicted = rows.iter().map(|&row| answers.predicted[row]).collect();
    Ok((named(truth)?, named(predicted)?, of_rows(weights, rows)))
}

/// True classes, and a column of probabilities for each class in the order of their names, as
/// scikit-learn has them.
fn probabilities<'py>(
    py: Python<'py>,
    answers: &ClassAnswers<'_>,
    rows: &[usize],
    weights: Option<&[f64]>,
) -> PyResult<Called<'py>> {
    let (truth, _, weights) = classes(py, answers, rows, weights)?;
    let width = answers.classes.len();
    let mut order: Vec<usize> = (0..width).collect();
    order.sort_by_key(|&class| &answers.classes[class]);
    let of_row = |&row: &usize| {
        let own = &answers.probabilities[row * width..(row + 1) * width];
        order.iter().map(|&class| own[class])
    };
    let all: Vec<f64> = rows.iter().flat_map(of_row).collect();
    let matrix = all.into_pyarray(py).reshape([rows.len(), width])?;
    Ok((truth, matrix.into_any(), weights))
}

/// True and predicted labels as matrices of truth values, a column a label.
fn labels<'py>(
    py: Python<'py>,
    answers: &LabelAnswers<'_>,
    rows: &[usize],
    weights: Option<&[f64]>,
) -> PyResult<Called<'py>> {
    let width = answers.labels;
    let (mut truth, mut predicted) = (Vec::new(), Vec::new());
    for &row in rows {
        let own = answers.truth[row].as_deref().unwrap_or_default();
        truth.extend((0..width as u32).map(|label| own.contains(&label)));
        let shares = &answers.shares[row * width..(row + 1) * width];
        predicted.extend(shares.iter().map(|share| *share >= PRESENT));
    }
    let matrix = |all: Vec<bool>| all.into_pyarray(py).reshape([rows.len(), width]);
    let (truth, predicted) = (matrix(truth)?, matrix(predicted)?);
    Ok((
        truth.into_any(),
        predicted.into_any(),
        of_rows(weights, rows),
    ))
}

/// Calls a function; what it raises is raised by whoever started the work.
fn scored(
    measure: &str,
    function: &Py<PyAny>,
    rows: &[usize],
    given: impl for<'py> FnOnce(Python<'py>) -> PyResult<Called<'py>>,
) -> Score {
    if rows.is_empty() {
        return Ok(None);
    }
    Python::attach(|py| {
        let call = || -> PyResult<Option<f64>> {
            let (truth, predicted, weights) = given(py)?;
            let named = PyDict::new(py);
            if let Some(weights) = weights {
                named.set_item("sample_weight", weights.into_pyarray(py))?;
            }
            let found = function.call(py, (truth, predicted), Some(&named))?;
            let score: Option<f64> = found.extract(py)?;
            match score {
                Some(score) if score.is_infinite() => Err(PyValueError::new_err(format!(
                    "the measure `{measure}` gave {score}: a measure is a finite number, or None where it is not defined"
                ))),
                score => Ok(score.filter(|score| !score.is_nan())),
            }
        };
        call().map_err(|error| {
            fail(py, &error);
            Error::MeasureFailed {
                measure: measure.to_owned(),
                reason: error.value(py).to_string(),
            }
        })
    })
}

/// The measures of quality, as JSON.
#[pyfunction]
pub(crate) fn quality_measures() -> String {
    let measure = |measure: Measure| {
        let entry = measure.description();
        json!({
            "name": entry.key,
            "title": entry.title,
            "summary": entry.doc,
            "formula": entry.formula,
            "greater_is_better": entry.direction == Direction::HigherIsBetter,
            "needs": measure.target(),
        })
    };
    let all: Vec<Value> = Measure::all().into_iter().map(measure).collect();
    Value::from(all).to_string()
}

/// The value of a measure of classes; none where the rows do not define it.
#[pyfunction]
pub(crate) fn score_classes(
    name: &str,
    truth: PyReadonlyArray1<'_, i64>,
    predicted: PyReadonlyArray1<'_, i64>,
    probabilities: PyReadonlyArray1<'_, f64>,
    classes: Vec<String>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
) -> PyResult<Option<f64>> {
    let code = |code: &i64| {
        let known = u32::try_from(*code).ok();
        known.filter(|code| (*code as usize) < classes.len())
    };
    let truth: Vec<Option<u32>> = truth.as_slice()?.iter().map(code).collect();
    let predicted: Option<Vec<u32>> = predicted.as_slice()?.iter().map(code).collect();
    let unknown = || PyValueError::new_err("a class is predicted that is none of the classes");
    let answers = ClassAnswers {
        truth: &truth,
        predicted: &predicted.ok_or_else(unknown)?,
        probabilities: probabilities.as_slice()?,
        classes: &classes,
    };
    score(name, &Answers::Classes(answers), weights)
}

/// The value of a measure of numbers; none where the rows do not define it.
#[pyfunction]
pub(crate) fn score_numbers(
    name: &str,
    truth: PyReadonlyArray1<'_, f64>,
    predicted: PyReadonlyArray1<'_, f64>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
) -> PyResult<Option<f64>> {
    let known = |number: &f64| (!number.is_nan()).then_some(*number);
    let truth: Vec<Option<f64>> = truth.as_slice()?.iter().map(known).collect();
    let answers = NumberAnswers {
        truth: &truth,
        predicted: predicted.as_slice()?,
    };
    score(name, &Answers::Numbers(answers), weights)
}

fn score(
    name: &str,
    answers: &Answers<'_>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
) -> PyResult<Option<f64>> {
    let measure: Measure = name.parse().map_err(raised)?;
    let weights = match &weights {
        Some(weights) => Some(weights.as_slice()?),
        None => None,
    };
    let watch = Arc::new(Watch::default());
    let score = here(&watch, || measure.of(answers, weights));
    match watch.raised() {
        Some(error) => Err(error),
        None => score.map_err(raised),
    }
}
