//! k nearest neighbours, over rows of any columns and what their foreign keys reach.
//!
//! With `missing=max` and the other defaults this is IB1: the nearest stored row, numbers as shares of the training
//! range, labels 0 or 1, a missing value as far as can be. The paper's tie rule is the first stored row; so is ours.

use std::sync::Arc;

use kinwood_similarity::row::StoredRow;
use kinwood_similarity::rows::nested;
use kinwood_similarity::{FittedRow, Missing, Neighbour, Registry, RowDistance, nearest};
use kinwood_values::container::{Sections, Stored, invalid};
use kinwood_values::{Attribute, Cells, Column, Database, Role, Table, View};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::context::Context;
use crate::error::{Error, Result};
use crate::model::{Learner, Model};
use crate::predictions::{Output, Predictions, TargetPrediction, normalised};
use crate::registry::{Entry, Targets};
use crate::settings::{Allowed, Parameter, Settings};
use crate::task::Task;

/// The registry's entry.
pub const KNN: Entry = Entry {
    name: "knn",
    summary: "Predicts from the k most similar training rows; with missing=max it is IB1.",
    reference: "Aha, Kibler and Albert, Instance-based learning algorithms, Machine Learning 6, 1991",
    targets: Targets::Both,
    several_targets: true,
    follows_keys: |settings| settings.whole("depth") > 0,
    parameters: &[
        Parameter {
            name: "k",
            doc: "How many neighbours vote.",
            allowed: Allowed::Whole {
                least: 1,
                most: u64::MAX,
            },
            default: "1",
        },
        Parameter {
            name: "weights",
            doc: "How much a neighbour's vote counts: the same for all, or the inverse of its distance.",
            allowed: Allowed::Choice(&["uniform", "inverse"]),
            default: "uniform",
        },
        Parameter {
            name: "distance",
            doc: "How far rows are apart: an expression over their columns (see `kinwood distances`); a name alone joins the default distance of every column.",
            allowed: Allowed::Text,
            default: "euclidean",
        },
        Parameter {
            name: "depth",
            doc: "How many foreign keys away rows are compared: 0 for the row alone.",
            allowed: Allowed::Whole { least: 0, most: 8 },
            default: "1",
        },
        Parameter {
            name: "missing",
            doc: "A missing value is a point of its own (own), as far as can be (max: IB1), or left out (skip).",
            allowed: Allowed::Choice(Missing::NAMES),
            default: "own",
        },
    ],
    build: |settings| Ok(Box::new(Knn::new(settings)?)),
    load: |stored| Ok(Box::new(Neighbours::read(stored)?)),
};

struct Knn {
    vote: Vote,
    distance: RowDistance,
}

/// How neighbours become a prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Vote {
    k: usize,
    inverse: bool,
}

impl Knn {
    fn new(settings: &Settings) -> Result<Self> {
        Ok(Self {
            vote: Vote {
                k: settings.whole("k"),
                inverse: settings.text("weights") == "inverse",
            },
            distance: RowDistance {
                expression: settings.text("distance").parse()?,
                missing: settings.text("missing").parse().unwrap_or_default(),
                depth: settings.whole("depth"),
            },
        })
    }
}

impl Learner for Knn {
    fn fit(&self, task: &Task, _: &Context) -> Result<Box<dyn Model>> {
        for target in task.targets() {
            if target.classes().is_none() && !target.is_number() {
                return Err(Error::TargetType {
                    learner: KNN.name,
                    expected: KNN.targets.name(),
                    target: target.name().to_owned(),
                    found: target.values().type_of().to_string(),
                    hint: "",
                });
            }
        }
        let rows = nested(task.view(), self.distance.depth);
        if matches!(rows.cells(), Cells::Tuple { fields, .. } if fields.is_empty()) {
            return Err(Error::NoInputs {
                learner: KNN.name,
                table: task.view().table().name().to_owned(),
            });
        }
        Ok(Box::new(Neighbours::new(
            self.vote,
            self.distance.over(task.view())?,
            rows,
            responses(task)?,
        )?))
    }
}

/// What the stored tables and the column of rows and of weights are called.
const ROWS: &str = "rows";
const ROW: &str = "row";
const RESPONSES: &str = "responses";
const WEIGHT: &str = "weight";

/// The targets and weights of a task, to be stored beside its rows.
fn responses(task: &Task) -> Result<Table> {
    let mut responses: Vec<Attribute> = Vec::new();
    for (position, target) in task.targets().iter().enumerate() {
        // Numbered, so that a target called `weight` is not taken for the weights.
        let name = format!("{position} {}", target.name());
        responses.push(Attribute {
            name,
            role: Role::Target,
            ..target.values().clone()
        });
    }
    if let Some(weights) = task.weights() {
        responses.push(
            Attribute::new(WEIGHT, Column::numeric(weights.to_vec())).with_role(Role::Weight),
        );
    }
    Ok(Table::new(RESPONSES, responses)?)
}

/// The stored rows and the distance between rows.
struct Neighbours {
    vote: Vote,
    declared: RowDistance,
    fitted: FittedRow,
    /// Two tables of as many rows: the rows as tuples, and the targets with the weights.
    stored: Arc<Database>,
    /// For each target the prediction where no neighbour knows it: class shares, or the mean alone.
    fallbacks: Vec<Vec<f64>>,
}

impl Neighbours {
    fn new(vote: Vote, declared: RowDistance, rows: Column, responses: Table) -> Result<Self> {
        let fitted = declared.fit_on(&rows, "training", Registry::builtin())?;
        let rows = Table::new(ROWS, vec![Attribute::new(ROW, rows)])?;
        let (stored, _) = Database::new(vec![rows, responses], Vec::new())?;
        Ok(Self::with(vote, declared, fitted, stored))
    }

    fn with(vote: Vote, declared: RowDistance, fitted: FittedRow, stored: Database) -> Self {
        let mut model = Self {
            vote,
            declared,
            fitted,
            stored: Arc::new(stored),
            fallbacks: Vec::new(),
        };
        let everybody: Vec<Neighbour<f64>> = (0..model.references().len())
            .map(|reference| Neighbour {
                reference,
                distance: 1.0,
            })
            .collect();
        model.fallbacks = model
            .targets()
            .map(|target| model.combine(target, &everybody).unwrap_or_default())
            .collect();
        model
    }

    fn references(&self) -> &Column {
        &self.stored.table(0).attribute(0).column
    }

    fn responses(&self) -> &Table {
        self.stored.table(1)
    }

    fn targets(&self) -> impl Iterator<Item = &Attribute> {
        self.responses()
            .attributes()
            .iter()
            .filter(|attribute| attribute.role == Role::Target)
    }

    fn weight(&self, reference: usize) -> f64 {
        let weights = self
            .responses()
            .attributes()
            .last()
            .filter(|last| last.role == Role::Weight);
        weights
            .and_then(|weights| weights.column.number(reference))
            .unwrap_or(1.0)
    }

    /// The neighbours' joint opinion of a target: unnormalised class weights, or one number; `None` if none knows.
    fn combine(&self, target: &Attribute, neighbours: &[Neighbour<f64>]) -> Option<Vec<f64>> {
        // Rows at no distance outweigh all others: with one of them, only they vote.
        let exact =
            self.vote.inverse && neighbours.iter().any(|neighbour| neighbour.distance == 0.0);
        let voice = |neighbour: &Neighbour<f64>| {
            let nearness = match (self.vote.inverse, exact) {
                (false, _) => 1.0,
                (true, true) => f64::from(u8::from(neighbour.distance == 0.0)),
                (true, false) => 1.0 / neighbour.distance,
            };
            nearness * self.weight(neighbour.reference)
        };
        if let Some((_, classes)) = target.column.codes() {
            let mut votes = vec![0.0; classes.len()];
            let mut heard = false;
            for neighbour in neighbours {
                if let Some(class) = target.column.code(neighbour.reference) {
                    votes[class as usize] += voice(neighbour);
                    heard = true;
                }
            }
            return heard.then_some(votes);
        }
        let (mut weight, mut sum) = (0.0, 0.0);
        for neighbour in neighbours {
            if let Some(number) = target.column.number(neighbour.reference) {
                weight += voice(neighbour);
                sum += voice(neighbour) * number;
            }
        }
        (weight > 0.0).then(|| vec![sum / weight])
    }

    fn read(stored: &Stored) -> Result<Self> {
        let description: Description = stored.json("neighbours")?;
        let scope = stored.scope("examples");
        let database = Database::read(&scope)?;
        let wrong = |reason: &str| -> Error { invalid(scope.full_name("schema"), reason).into() };
        let [rows, responses] = database.tables() else {
            return Err(wrong("a nearest-neighbour model has two tables"));
        };
        let [row] = rows.attributes() else {
            return Err(wrong("rows are stored as one column of tuples"));
        };
        if rows.rows() != responses.rows() || rows.rows() == 0 {
            return Err(wrong(
                "inputs and targets of different numbers of rows, or of none",
            ));
        }
        let answers = |attribute: &Attribute| match attribute.role {
            Role::Target => {
                attribute.column.numbers().is_some()
                    || attribute
                        .column
                        .codes()
                        .is_some_and(|(_, classes)| !classes.is_empty())
            }
            Role::Weight => attribute.column.numbers().is_some() && attribute.column.missing() == 0,
            _ => false,
        };
        if !responses.attributes().iter().all(answers) || description.vote.k == 0 {
            return Err(wrong("a target or weight of the wrong type"));
        }
        let fitted = FittedRow::from_stored(&description.fitted, Registry::builtin())?;
        if row.type_of() != *fitted.distance().of() || fitted.distance().pair_valued() {
            return Err(wrong("rows that the distance does not measure"));
        }
        let declared = RowDistance {
            expression: description.declared.parse()?,
            missing: description.missing,
            depth: description.fitted.depth,
        };
        Ok(Self::with(description.vote, declared, fitted, database))
    }
}

#[derive(Serialize, Deserialize)]
struct Description {
    vote: Vote,
    /// The distance as it was asked for, to fit it anew when rows are added.
    declared: String,
    missing: Missing,
    fitted: StoredRow,
}

/// Queries answered at a time; the clock and the interrupt flag are looked at for each, which costs nothing beside it.
const BATCH: usize = 256;

impl Model for Neighbours {
    fn predict(&self, data: &View, context: &Context) -> Result<Predictions> {
        let references = self.references();
        let rows = self.fitted.rows(data)?;
        let pairs = self.fitted.bind_real(&rows, references, "`knn`")?;
        let targets: Vec<&Attribute> = self.targets().collect();
        let running = context.progress("comparing rows", data.len() as u64);
        let queries: Vec<usize> = (0..data.len()).collect();
        let batches: Vec<Vec<Vec<f64>>> = context.install(|| {
            queries
                .par_chunks(BATCH)
                .map(|queries| {
                    let mut outputs: Vec<Vec<f64>> = vec![Vec::new(); targets.len()];
                    for &query in queries {
                        context.check()?;
                        let row = pairs.prepare(query);
                        let neighbours = nearest(&*row, references.len(), self.vote.k);
                        for ((target, output), fallback) in
                            targets.iter().zip(&mut outputs).zip(&self.fallbacks)
                        {
                            let opinion = self
                                .combine(target, &neighbours)
                                .unwrap_or_else(|| fallback.clone());
                            let nominal = target.column.codes().is_some();
                            output.extend(if nominal {
                                normalised(opinion)
                            } else {
                                opinion
                            });
                        }
                    }
                    running.advance(queries.len() as u64);
                    Ok(outputs)
                })
                .collect::<Result<_>>()
        })?;
        let targets = targets
            .iter()
            .enumerate()
            .map(|(position, target)| {
                let numbers: Vec<f64> = batches
                    .iter()
                    .flat_map(|batch| batch[position].iter().copied())
                    .collect();
                let output = match target.column.codes() {
                    Some((_, classes)) => Output::Classes {
                        classes: Arc::clone(classes),
                        shares: numbers,
                    },
                    None => Output::Numbers(numbers),
                };
                TargetPrediction {
                    name: target_name(target).to_owned(),
                    output,
                }
            })
            .collect();
        Ok(Predictions { targets })
    }

    fn write(&self, sections: &mut Sections) -> Result<()> {
        sections.put_json(
            "neighbours",
            &Description {
                vote: self.vote,
                declared: self.declared.expression.to_string(),
                missing: self.declared.missing,
                fitted: self.fitted.stored(),
            },
        )?;
        self.stored.write(&mut sections.scope("examples"))?;
        Ok(())
    }

    fn show(&self) -> String {
        format!(
            "{} nearest of {} stored rows, {} votes\ndistance: {}\nover: {}\n",
            self.vote.k,
            self.references().len(),
            if self.vote.inverse {
                "inverse-distance"
            } else {
                "equal"
            },
            self.fitted.distance().expression(),
            self.fitted.fields().collect::<Vec<_>>().join(", "),
        )
    }

    fn to_json(&self) -> serde_json::Value {
        json!({
            "k": self.vote.k,
            "weights": if self.vote.inverse { "inverse" } else { "uniform" },
            "rows": self.references().len(),
            "targets": self.targets().map(target_name).collect::<Vec<_>>(),
            "distance": self.fitted.stored(),
        })
    }

    fn append(&mut self, task: &Task) -> Option<Result<()>> {
        Some(self.take(task))
    }
}

/// The target's own name, without the number that sets it apart in the stored table.
fn target_name(target: &Attribute) -> &str {
    target
        .name
        .split_once(' ')
        .map_or(target.name.as_str(), |(_, name)| name)
}

impl Neighbours {
    /// Stores more rows and takes the ranges anew: the model is the one fitted on all rows.
    fn take(&mut self, task: &Task) -> Result<()> {
        let responses = responses(task)?;
        if responses.attributes().len() != self.responses().attributes().len() {
            return Err(Error::AppendedData {
                reason: "one side has weights, the other has none".to_owned(),
            });
        }
        let more = self.fitted.rows(task.view())?;
        let mut rows = self.references().clone();
        for row in 0..more.len() {
            rows.push(&more.value(row))?;
        }
        let responses = appended(self.responses(), &responses)?;
        *self = Self::new(self.vote, self.declared.clone(), rows, responses)?;
        Ok(())
    }
}

/// A table with the rows of another added, columns matched by name.
fn appended(table: &Table, more: &Table) -> Result<Table> {
    let attributes = table
        .attributes()
        .iter()
        .map(|attribute| {
            let added = more.attribute(more.find(&attribute.name)?);
            let mut column = Column::clone(&attribute.column);
            for row in 0..more.rows() {
                column.push(&added.column.value(row))?;
            }
            Ok(Attribute {
                column: Arc::new(column),
                ..attribute.clone()
            })
        })
        .collect::<Result<_>>()?;
    Ok(Table::new(table.name(), attributes)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{self, check_learner};

    #[test]
    fn knn_keeps_the_rules_of_learners() {
        let view = testing::mixed_view(80);
        check_learner(&KNN, &view, &[testing::CLASS]);
        check_learner(&KNN, &view, &[testing::NUMBER]);
        check_learner(&KNN, &view, &[testing::CLASS, testing::NUMBER]);
    }

    fn fit(view: &View, targets: &[usize], given: &[(&str, &str)]) -> Box<dyn Model> {
        let learner = (KNN.build)(&KNN.settings(given).unwrap()).unwrap();
        learner
            .fit(&Task::new(view, targets).unwrap(), &Context::new())
            .unwrap()
    }

    fn view(numbers: &[f64], labels: &[Option<&str>]) -> View {
        let attributes = vec![
            Attribute::new("x", Column::numeric(numbers.to_vec())),
            Attribute::new("class", Column::nominal(labels.iter().copied())),
        ];
        View::new(
            Arc::new(Database::single(Table::new("t", attributes).unwrap()).unwrap()),
            0,
        )
    }

    fn shares(model: &dyn Model, view: &View) -> Vec<f64> {
        let predictions = model.predict(view, &Context::new()).unwrap();
        match predictions.targets.into_iter().next().unwrap().output {
            Output::Classes { shares, .. } | Output::Labels { shares, .. } => shares,
            Output::Numbers(numbers) => numbers,
        }
    }

    #[test]
    fn votes_are_counted_by_hand() {
        let stored = view(
            &[0.0, 1.0, 2.0, 10.0],
            &[Some("a"), Some("b"), Some("b"), Some("a")],
        );
        let query = view(&[0.4], &[None]);
        let nearest = fit(&stored, &[1], &[]);
        assert_eq!(shares(&*nearest, &query), [1.0, 0.0]);
        let three = fit(&stored, &[1], &[("k", "3")]);
        assert_eq!(shares(&*three, &query), [1.0 / 3.0, 2.0 / 3.0]);
        let inverse = fit(&stored, &[1], &[("k", "2"), ("weights", "inverse")]);
        let found = shares(&*inverse, &query);
        assert!((found[0] - 0.6).abs() < 1e-12, "{found:?}");
        let exact = view(&[1.0], &[None]);
        assert_eq!(shares(&*inverse, &exact), [0.0, 1.0]);
    }

    #[test]
    fn a_neighbour_without_the_target_has_no_vote() {
        let attributes = vec![
            Attribute::new("x", Column::numeric(vec![0.0, 1.0, 2.0])),
            Attribute::new("y", Column::numeric(vec![f64::NAN, 4.0, 6.0])),
            Attribute::new("z", Column::numeric(vec![1.0, 1.0, 1.0])),
        ];
        let database = Database::single(Table::new("t", attributes).unwrap()).unwrap();
        let stored = View::new(Arc::new(database), 0);
        let model = fit(&stored, &[1, 2], &[]);
        // The only neighbour does not know y: the mean of those who do answers.
        assert_eq!(shares(&*model, &stored.select(&[0])), [5.0]);
    }

    #[test]
    fn appending_equals_fitting_on_everything() {
        let all = testing::mixed_view(60);
        let halves = [(0..30).collect::<Vec<u32>>(), (30..60).collect()];
        let targets = [testing::CLASS, testing::NUMBER];
        let mut grown = fit(&all.select(&halves[0]), &targets, &[("k", "3")]);
        grown
            .append(&Task::new(&all.select(&halves[1]), &targets).unwrap())
            .unwrap()
            .unwrap();
        let whole = fit(&all, &targets, &[("k", "3")]);
        let context = Context::new();
        assert_eq!(
            grown.predict(&all, &context).unwrap(),
            whole.predict(&all, &context).unwrap()
        );
    }
}
