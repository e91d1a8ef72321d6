//! Fitting, and models: what they say, show and explain.

use std::path::PathBuf;
use std::sync::Arc;

use kinwood::container::Stored;
use kinwood::evaluate::{Division, evaluate};
use kinwood::evaluation::measures::Measure;
use kinwood::learners::sql::Asked as AskedSql;
use kinwood::learners::target::LABELS;
use kinwood::learners::{Predictions, Registry};
use kinwood::members::{Compared, members};
use kinwood::report::{Asked, Rows, html, of_model};
use kinwood::time::TimeChoices;
use kinwood::{Origin, Trained, picture};
use kinwood_values::{Cells, Notice, View};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyNotImplementedError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rayon::prelude::*;

use crate::cells::to_python;
use crate::column::Column;
use crate::data::{Data, columns_of};
use crate::drawing;
use crate::error::raised;
use crate::remedy::{shown, told};
use crate::work::{Work, guarded};

/// A model with all it needs to be used again.
#[pyclass(frozen, module = "kinwood._kinwood")]
pub(crate) struct Model {
    trained: Arc<Trained>,
    notices: Vec<String>,
    member: Option<usize>,
}

/// What is told of a search that ran out of time.
const CUT_SHORT: &str = "stopped before the search was done: the model is what was found so far";

/// Learns targets of rows.
#[pyfunction]
#[pyo3(signature = (data, targets, learner, settings, *, weights=None, command="", work))]
#[expect(clippy::too_many_arguments, reason = "named in Python")]
pub(crate) fn fit(
    py: Python<'_>,
    data: &Data,
    targets: Vec<(String, PyRef<'_, Column>)>,
    learner: &str,
    settings: Vec<(String, String)>,
    weights: Option<PyRef<'_, Column>>,
    command: &str,
    work: &Work,
) -> PyResult<Model> {
    let problem = data.problem(&targets, weights.as_ref())?;
    let origin = Origin {
        command: command.to_owned(),
        data: data.source().to_owned(),
    };
    let (trained, notices) = work.run(py, |context| {
        let registry = Registry::new();
        let fitted = Trained::fit(&registry, learner, &settings, &problem, &origin, context);
        let (trained, mut notices) = fitted?;
        notices.extend(context.counted());
        // A search that was cut short gives what it found; one that was interrupted is not wanted.
        match context.was_cut_short() {
            true => notices.push(Notice::new(CUT_SHORT)),
            false => context.check()?,
        }
        Ok((trained, notices))
    })?;
    Ok(Model {
        trained: Arc::new(trained),
        notices: told(&notices),
        member: None,
    })
}

/// In what a score is measured, what it begins with, columns, and what they add.
type Contributed<'py> = (String, f64, Vec<String>, Bound<'py, PyArray2<f64>>);
/// Distances and rows.
type Nearest<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<i64>>);
/// Between which classes each function decides, and its values, a row each.
type Decided<'py> = (Vec<(String, String)>, Bound<'py, PyArray2<f64>>);
/// Rows, trees, nodes and shares.
type Visited<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<f64>>,
);

impl Model {
    /// That the learner has none of what was wanted.
    fn lacks(&self, what: &str, others: &str) -> PyErr {
        PyNotImplementedError::new_err(format!(
            "`{}` has no {what}; {others}",
            self.trained.learner()
        ))
    }

    /// Rows in the model's terms, and what there is to tell of that.
    fn conform(&self, data: &Data) -> kinwood::Result<(View, Vec<String>)> {
        let table = self.trained.table_in(data.database())?;
        let view = data.view();
        let rows = match table == view.table_position() {
            true => view,
            false => View::new(Arc::clone(data.database()), table),
        };
        let rows = self.trained.seen(&rows, &self.changed(data.seeing()))?;
        let (conformed, notices) = self.trained.conform(&rows)?;
        Ok((conformed, told(&notices)))
    }

    /// By when rows see others, as far as it is not what the model was fitted with.
    fn changed(&self, seeing: &TimeChoices) -> TimeChoices {
        let Some(timing) = self.trained.timing() else {
            return seeing.clone();
        };
        TimeChoices {
            gap: seeing.gap.filter(|gap| *gap != timing.gap),
            window: seeing.window.filter(|_| seeing.window != timing.window),
            horizon: seeing.horizon.filter(|_| seeing.horizon != timing.horizon),
            ..seeing.clone()
        }
    }

    fn read(bytes: Vec<u8>, file: &str, member: Option<usize>) -> kinwood::Result<Self> {
        let stored = Stored::from_bytes(bytes)?;
        let mut trained = Trained::from_stored(&stored, file, &Registry::new())?;
        if let Some(member) = member {
            trained.choose(member)?;
        }
        Ok(Self {
            trained: Arc::new(trained),
            notices: Vec::new(),
            member,
        })
    }
}

/// Predictions as dictionaries, one a target.
fn answers_of<'py>(py: Python<'py>, predictions: Predictions) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let mut answers = Vec::with_capacity(predictions.targets.len());
    for target in predictions.targets {
        let answer = PyDict::new(py);
        answer.set_item("name", &target.name)?;
        let rows = target.output.len();
        let kind = target.output.kind().clone();
        let codes: Option<Vec<i64>> = (0..rows)
            .map(|row| target.output.class(row).map(i64::from))
            .collect();
        answer.set_item("kind", kind.entry().name)?;
        match kind.dictionary() {
            None if kind.is_number() => {
                let numbers = target.output.into_numbers();
                answer.set_item("numbers", numbers.into_pyarray(py))?;
            }
            Some(labels) => {
                let names: Vec<&str> = labels.labels().collect();
                let width = kind.width();
                if let Some(codes) = codes.filter(|_| !kind.is(&LABELS)) {
                    answer.set_item("codes", codes.into_pyarray(py))?;
                }
                answer.set_item("labels", names)?;
                let shares = match kind.class(&vec![0.0; width]) {
                    // Probabilities of classes, as scikit-learn has them.
                    Some(_) => (0..rows)
                        .filter_map(|row| kind.class_probabilities(target.output.row(row)))
                        .flatten()
                        .collect(),
                    None => target.output.into_numbers(),
                };
                let shares = shares.into_pyarray(py);
                answer.set_item("shares", shares.reshape([rows, width])?)?;
            }
            None => {
                let values = (0..rows).map(|row| to_python(py, &target.output.value(row)));
                let values: Vec<Bound<'py, PyAny>> = values.collect::<PyResult<_>>()?;
                let width = kind.width();
                answer.set_item("values", values)?;
                answer.set_item("parts", kind.parts())?;
                let shares = target.output.into_numbers().into_pyarray(py);
                answer.set_item("shares", shares.reshape([rows, width])?)?;
            }
        }
        answers.push(answer);
    }
    Ok(answers)
}

#[pymethods]
impl Model {
    /// What is predicted of rows: a dictionary a target.
    fn predict<'py>(
        &self,
        py: Python<'py>,
        data: &Data,
        work: &Work,
    ) -> PyResult<(Vec<Bound<'py, PyDict>>, Vec<String>)> {
        let (predictions, notices) = work.run(py, |context| {
            let (conformed, mut notices) = self.conform(data)?;
            let predictions = self.trained.predict(&conformed, context)?;
            context.check()?;
            notices.extend(told(&context.counted()));
            Ok((predictions, notices))
        })?;
        Ok((answers_of(py, predictions)?, notices))
    }

    /// How many steps the model was made in; 0 if it was not made step by step.
    #[getter]
    fn stages(&self) -> usize {
        self.trained.model().stages()
    }

    /// What is predicted of rows after so many steps, for each number from one up to another.
    fn staged<'py>(
        &self,
        py: Python<'py>,
        data: &Data,
        from: usize,
        to: usize,
        work: &Work,
    ) -> PyResult<Vec<Vec<Bound<'py, PyDict>>>> {
        let staged = work.run(py, |context| {
            let (conformed, _) = self.conform(data)?;
            self.trained.staged(&conformed, from..to, context)
        })?;
        let staged = staged.ok_or_else(|| self.lacks("steps", "`boost` has"))?;
        staged.into_iter().map(|of| answers_of(py, of)).collect()
    }

    /// What each column adds to each score of rows: in what the score is measured, what it begins
    /// with, the columns, and what they add.
    fn contributions<'py>(
        &self,
        py: Python<'py>,
        data: &Data,
        work: &Work,
    ) -> PyResult<Vec<Contributed<'py>>> {
        let found = work.run(py, |context| {
            let (conformed, _) = self.conform(data)?;
            self.trained.contributions(&conformed, context)
        })?;
        let found = found.ok_or_else(|| self.lacks("sum of what columns add", "`boost` has"))?;
        found
            .into_iter()
            .map(|of| {
                let width = of.columns.len();
                let rows = of.adds.len().checked_div(width).unwrap_or(0);
                let adds = of.adds.into_pyarray(py).reshape([rows, width])?;
                Ok((of.of, of.begins, of.columns, adds))
            })
            .collect()
    }

    /// The model with more rows, learned without being fitted anew; this one stays as it is.
    fn appended(
        &self,
        py: Python<'_>,
        data: &Data,
        targets: Vec<(String, PyRef<'_, Column>)>,
        command: &str,
        work: &Work,
    ) -> PyResult<Self> {
        let problem = data.problem(&targets, None)?;
        let origin = Origin {
            command: command.to_owned(),
            data: data.source().to_owned(),
        };
        work.run(py, |context| {
            let bytes = self.trained.sections()?.to_bytes()?;
            let stored = Stored::from_bytes(bytes)?;
            let mut larger = Trained::from_stored(&stored, "the model", &Registry::new())?;
            let (conformed, mut notices) = larger.conform(&problem.view)?;
            notices.extend(larger.append(&conformed, &origin)?);
            context.check()?;
            Ok(Self {
                trained: Arc::new(larger),
                notices: told(&notices),
                member: None,
            })
        })
    }

    /// The training rows nearest to each row, from 0, and their distances: as many of both for
    /// each.
    fn neighbours<'py>(
        &self,
        py: Python<'py>,
        data: &Data,
        count: usize,
        work: &Work,
    ) -> PyResult<Nearest<'py>> {
        let found = work.run(py, |context| {
            let (conformed, _) = self.conform(data)?;
            self.trained.neighbours(&conformed, count, context)
        })?;
        let found = found.ok_or_else(|| self.lacks("neighbours", "`knn` has"))?;
        let width = found.first().map_or(0, Vec::len);
        let rows: Vec<i64> = found.iter().flatten().map(|near| near.row.into()).collect();
        let distances: Vec<f64> = found.iter().flatten().map(|near| near.distance).collect();
        let shape = [found.len(), width];
        Ok((
            distances.into_pyarray(py).reshape(shape)?,
            rows.into_pyarray(py).reshape(shape)?,
        ))
    }

    /// What decides about classes: between which each function does, and its values, a row each.
    fn decisions<'py>(&self, py: Python<'py>, data: &Data, work: &Work) -> PyResult<Decided<'py>> {
        let found = work.run(py, |context| {
            let (conformed, _) = self.conform(data)?;
            Ok((
                conformed.len(),
                self.trained.decisions(&conformed, context)?,
            ))
        })?;
        let (rows, Some(decisions)) = found else {
            return Err(self.lacks("functions that decide", "`svm` has"));
        };
        let width = decisions.between.len();
        let between = decisions.between.into_iter();
        Ok((
            between.map(|[one, other]| (one, other)).collect(),
            decisions.values.into_pyarray(py).reshape([rows, width])?,
        ))
    }

    /// The nodes that rows pass: the row, the tree, the node and the share of the row that gets
    /// there, each an array.
    fn visited<'py>(&self, py: Python<'py>, data: &Data, work: &Work) -> PyResult<Visited<'py>> {
        let found = work.run(py, |context| {
            let (conformed, _) = self.conform(data)?;
            let running = context.progress("following rows", conformed.len() as u64);
            let rows = || (0..conformed.len()).into_par_iter();
            let found: kinwood::Result<Option<Vec<_>>> = context.install(|| {
                rows()
                    .map(|row| {
                        context.check()?;
                        running.advance(1);
                        self.trained.visited(&conformed, row)
                    })
                    .collect()
            });
            found
        })?;
        let found = found.ok_or_else(|| self.lacks("trees", "trees and forests have"))?;
        let all = || {
            found
                .iter()
                .enumerate()
                .flat_map(|(row, visited)| visited.iter().map(move |of| (row, of)))
        };
        let rows: Vec<i64> = all().map(|(row, _)| row as i64).collect();
        let trees: Vec<i64> = all().map(|(_, of)| of.0 as i64).collect();
        let nodes: Vec<i64> = all().map(|(_, of)| of.1.into()).collect();
        let shares: Vec<f64> = all().map(|(_, of)| of.2).collect();
        Ok((
            rows.into_pyarray(py),
            trees.into_pyarray(py),
            nodes.into_pyarray(py),
            shares.into_pyarray(py),
        ))
    }

    /// Why a row is predicted as it is, as JSON.
    fn explain(
        &self,
        py: Python<'_>,
        data: &Data,
        row: usize,
        most: usize,
        work: &Work,
    ) -> PyResult<(String, String)> {
        let explanation = work.run(py, |_| {
            let (conformed, _) = self.conform(data)?;
            self.trained.explain(&conformed, row, most)
        })?;
        Ok((explanation.to_json().to_string(), explanation.to_text()))
    }

    /// The learner's name.
    #[getter]
    fn learner(&self) -> &str {
        self.trained.learner()
    }

    /// The settings it was fitted with.
    #[getter]
    fn settings(&self) -> Vec<(String, String)> {
        self.trained.settings().to_vec()
    }

    /// The names of the targets.
    #[getter]
    fn targets(&self) -> Vec<String> {
        let names = self.trained.target_names().into_iter();
        names.map(str::to_owned).collect()
    }

    /// The columns of the table it predicts: name, type, role.
    #[getter]
    fn columns(&self) -> Vec<(String, String, String)> {
        columns_of(self.trained.schema().table(self.trained.table()))
    }

    /// The classes or labels of a target, as the model orders them; none of a number.
    fn classes(&self, target: &str) -> PyResult<Option<Vec<String>>> {
        let table = self.trained.schema().table(self.trained.table());
        let column = &table.attribute(table.find(target).map_err(raised)?).column;
        // Of sets, the labels that are in them.
        let labelled = match column.cells() {
            Cells::Collection { members, .. } => &members.child,
            _ => &**column,
        };
        let labels = labelled.codes();
        Ok(labels.map(|(_, dictionary)| dictionary.labels().map(str::to_owned).collect()))
    }

    /// What was decided without being asked.
    #[getter]
    fn notices(&self) -> Vec<String> {
        self.notices.clone()
    }

    /// How many models it is a set of; 1 for a model that is one.
    #[getter]
    fn members(&self) -> usize {
        self.trained.model().members().map_or(1, <[_]>::len)
    }

    /// One of a set of models alone, from 1.
    fn member(&self, number: usize) -> PyResult<Self> {
        guarded(|| {
            Ok(Self {
                trained: Arc::new(self.trained.member(number).map_err(raised)?),
                notices: Vec::new(),
                member: Some(number),
            })
        })
    }

    /// One of a set of models as a model of its own, from 1; `command` goes into its provenance.
    fn pick(&self, number: usize, command: &str) -> PyResult<Self> {
        guarded(|| {
            Ok(Self {
                trained: Arc::new(self.trained.pick(number, command).map_err(raised)?),
                notices: Vec::new(),
                member: None,
            })
        })
    }

    /// The models of a set beside each other as JSON, on rows where there are any, and what there
    /// is to tell of that; by rank where folds are given.
    #[pyo3(signature = (data=None, targets=Vec::new(), *, folds=0, measures=Vec::new(), work))]
    fn members_table(
        &self,
        py: Python<'_>,
        data: Option<&Data>,
        targets: Vec<(String, PyRef<'_, Column>)>,
        folds: usize,
        measures: Vec<String>,
        work: &Work,
    ) -> PyResult<(String, Vec<String>)> {
        let problem = match data {
            Some(data) if !targets.is_empty() => Some(data.problem(&targets, None)?),
            _ => None,
        };
        let measures = measures.iter().map(|name| name.parse().map_err(raised));
        let measures: Vec<Measure> = measures.collect::<PyResult<_>>()?;
        work.run(py, |context| {
            let conformed = match (&problem, data) {
                (Some(problem), _) => Some(self.trained.conform(&problem.view)?.0),
                (None, Some(data)) => Some(self.conform(data)?.0),
                (None, None) => None,
            };
            let compared = conformed.as_ref().map(|conformed| Compared {
                conformed,
                data: data.map(Data::source).unwrap_or_default(),
                measures: &measures,
                folds: (folds > 0).then_some(folds),
            });
            let registry = Registry::new();
            let report = members(&self.trained, &registry, compared.as_ref(), context)?;
            context.check()?;
            let mut notices = report.notices.clone();
            notices.extend(context.counted());
            Ok((report.to_json().to_string(), told(&notices)))
        })
    }

    /// The member that was chosen.
    #[getter]
    fn chosen(&self) -> Option<usize> {
        self.member
    }

    /// The model as a person reads it.
    fn show(&self) -> PyResult<String> {
        guarded(|| Ok(shown(&self.trained)))
    }

    /// The model as JSON.
    fn to_json(&self) -> PyResult<String> {
        guarded(|| Ok(self.trained.model().to_json().to_string()))
    }

    /// The model as SQL expressions: pairs of a name and an expression, in the order of targets.
    fn to_sql(&self, asked: &str) -> PyResult<Vec<(String, String)>> {
        let asked = asked_sql(asked)?;
        guarded(|| {
            let expressions = self.trained.sql(asked).map_err(raised)?.into_iter();
            Ok(expressions
                .map(|expression| (expression.name, expression.sql))
                .collect())
        })
    }

    /// The statement that creates a view of predictions, of a model of several tables.
    fn to_view(&self, name: &str, asked: &str) -> PyResult<Option<String>> {
        let asked = asked_sql(asked)?;
        guarded(|| self.trained.view(name, asked).map_err(raised))
    }

    /// The name of the table whose rows are predicted.
    #[getter]
    fn table(&self) -> &str {
        self.trained.schema().table(self.trained.table()).name()
    }

    /// The trees as one page to look around in; rows of data can be followed on it.
    #[pyo3(signature = (data=None))]
    fn html(&self, data: Option<&Data>) -> PyResult<String> {
        guarded(|| {
            let page = || -> kinwood::Result<String> {
                let drawing = self.trained.drawing()?;
                let rows = match data {
                    Some(data) => picture::rows(&self.trained, &drawing, &self.conform(data)?.0)?,
                    None => Vec::new(),
                };
                Ok(picture::html(&drawing, &rows))
            };
            page().map_err(raised)
        })
    }

    /// The trees as a drawing.
    fn svg(&self) -> PyResult<String> {
        guarded(|| Ok(picture::svg(&self.trained.drawing().map_err(raised)?).alone()))
    }

    /// The trees for Graphviz.
    fn dot(&self) -> PyResult<String> {
        guarded(|| Ok(picture::dot(&self.trained.drawing().map_err(raised)?)))
    }

    /// The trees as JSON: tests, branches and answers in words and numbers.
    fn drawing(&self) -> PyResult<String> {
        guarded(|| Ok(drawing::to_json(&self.trained.drawing().map_err(raised)?).to_string()))
    }

    /// A report as one page: of the model, and of what it says of rows; with an evaluation where
    /// targets and folds are given.
    #[pyo3(signature = (data=None, targets=Vec::new(), *, folds=0, rows=Vec::new(), command="", work))]
    #[expect(clippy::too_many_arguments, reason = "named in Python")]
    fn report(
        &self,
        py: Python<'_>,
        data: Option<&Data>,
        targets: Vec<(String, PyRef<'_, Column>)>,
        folds: usize,
        rows: Vec<String>,
        command: &str,
        work: &Work,
    ) -> PyResult<String> {
        let problem = match data {
            Some(data) if !targets.is_empty() => Some(data.problem(&targets, None)?),
            _ => None,
        };
        work.run(py, |context| {
            let source = data.map(Data::source).unwrap_or_default();
            let evaluated = match &problem {
                Some(problem) if folds > 1 => {
                    let division = Division::Folds { folds, repeats: 1 };
                    let registry = Registry::new();
                    let trained = &self.trained;
                    let report = evaluate(
                        &registry,
                        trained.learner(),
                        trained.settings(),
                        problem,
                        Some(&division),
                        source,
                        context,
                    )?;
                    Some(report)
                }
                _ => None,
            };
            // Rows with their targets, where they are known, show how good predictions are.
            let conformed = match (&problem, data) {
                (Some(problem), _) => Some(self.trained.conform(&problem.view)?.0),
                (None, Some(data)) => Some(self.conform(data)?.0),
                (None, None) => None,
            };
            let shown = conformed
                .as_ref()
                .map(|conformed| Rows { conformed, source });
            let asked = Asked {
                rows: &rows,
                command,
                evaluation: evaluated.as_ref().map(|report| &report.evaluation),
                baseline: evaluated
                    .as_ref()
                    .and_then(|report| report.baseline.as_ref()),
            };
            Ok(html(&of_model(&self.trained, shown, &asked, context)?))
        })
    }

    /// Writes the model file, wholly or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf, work: &Work) -> PyResult<()> {
        work.run(py, |_| self.trained.save(&path))
    }

    /// Reads a model file, checking all of it.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf, work: &Work) -> PyResult<Self> {
        let trained = work.run(py, |_| Trained::load(&path, &Registry::new()))?;
        Ok(Self {
            trained: Arc::new(trained),
            notices: Vec::new(),
            member: None,
        })
    }

    /// The bytes of the model file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = guarded(|| {
            let sections = self.trained.sections().map_err(raised)?;
            sections.to_bytes().map_err(raised)
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py>> {
        let again = slf.get_type().getattr("from_bytes")?;
        let model = slf.get();
        Ok((again, (model.to_bytes(slf.py())?, model.member)))
    }

    /// The model of such bytes.
    #[staticmethod]
    #[pyo3(signature = (bytes, member=None))]
    fn from_bytes(bytes: Vec<u8>, member: Option<usize>) -> PyResult<Self> {
        guarded(|| Self::read(bytes, "the bytes", member).map_err(raised))
    }
}

/// What makes a model again, and from what.
type Pickled<'py> = (Bound<'py, PyAny>, (Bound<'py, PyBytes>, Option<usize>));

fn asked_sql(asked: &str) -> PyResult<AskedSql> {
    match asked {
        "answers" => Ok(AskedSql::Answers),
        "shares" => Ok(AskedSql::Shares),
        "known" => Ok(AskedSql::Known),
        other => Err(PyValueError::new_err(format!(
            "SQL is of `answers`, `shares` or `known`, not `{other}`"
        ))),
    }
}
