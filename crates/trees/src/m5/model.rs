//! The model: a row walks from test to test, and the formula of a leaf answers.

mod show;
mod sql;
mod store;

use kinwood_learning::facts::{ModelFacts, TreeFacts};
use kinwood_values::container::Sections;
use kinwood_values::{Column, Value, View, datetime};
use rayon::prelude::*;
use serde_json::Value as Json;

use super::formula::{Answer, Test};
use super::input::{Input, Inputs, Kind};
use crate::tree::Tree;
use crate::tree::model::facts::shape;
use kinwood_learning::context::Context;
use kinwood_learning::drawing::Drawing;
use kinwood_learning::error::Result;
use kinwood_learning::explanation::{Explanation, Others, Reasons, Step, TargetExplanation, Term};
use kinwood_learning::model::Model;
use kinwood_learning::predictions::{Output, Predictions, TargetPrediction};
use kinwood_learning::sql::{Asked, Expression};

/// A model tree.
pub struct ModelTree {
    pub(super) target: String,
    pub(super) inputs: Inputs,
    pub(super) tree: Tree<Test, Answer>,
}

/// Rows answered at a time.
const BATCH: usize = 1024;

impl ModelTree {
    /// The columns of a view, by input.
    fn columns<'a>(&self, data: &'a View) -> Result<Vec<Option<&'a Column>>> {
        let inputs = self.inputs.all.iter();
        inputs.map(|input| input.column(data)).collect()
    }

    /// What the inputs of a row are.
    fn values(&self, columns: &[Option<&Column>], row: usize) -> Vec<f64> {
        let inputs = self.inputs.all.iter().zip(columns);
        inputs
            .map(|(input, column)| input.value(*column, row))
            .collect()
    }

    /// The nodes that a row passes, the leaf last.
    fn path(&self, values: &[f64]) -> Vec<u32> {
        let mut path = vec![0];
        let mut node = self.tree.node(0);
        while let Some(split) = &node.split {
            let child = split.children[split.test.branch(values)];
            path.push(child);
            node = self.tree.node(child);
        }
        path
    }

    fn leaf(&self, values: &[f64]) -> &Answer {
        let mut node = self.tree.node(0);
        while let Some(split) = &node.split {
            node = self.tree.node(split.children[split.test.branch(values)]);
        }
        &node.payload
    }

    /// The tree without rows: what its formulas make of the examples cannot be told without them.
    fn tree_facts(&self) -> TreeFacts {
        let nodes = self.tree.nodes().iter();
        let mut inputs: Vec<u32> = nodes
            .flat_map(|node| match &node.split {
                Some(split) => vec![split.test.feature.input],
                None => {
                    let terms = node.payload.formula.terms.iter();
                    terms.map(|(feature, _)| feature.input).collect()
                }
            })
            .collect();
        inputs.sort_unstable();
        inputs.dedup();
        let name = |input: u32| self.inputs.all[input as usize].name.clone();
        TreeFacts {
            columns: inputs.into_iter().map(name).collect(),
            ..shape(&self.tree)
        }
    }

    /// A test in words.
    pub(super) fn words(&self, test: &Test) -> String {
        let feature = self.inputs.words(test.feature);
        match &self.inputs.of(test.feature).kind {
            Kind::Labels { .. } => feature,
            Kind::Moment { .. } => {
                format!("{feature} > {}", datetime::print(test.threshold as i64))
            }
            Kind::Number { .. } => {
                // Without the digits that only arithmetic put there.
                let near: f64 = format!("{:.9e}", test.threshold)
                    .parse()
                    .unwrap_or(test.threshold);
                format!("{feature} > {near}")
            }
        }
    }

    fn explained(&self, data: &View, position: usize) -> Result<Explanation> {
        let columns = self.columns(data)?;
        let row = data.row(position) as usize;
        let values = self.values(&columns, row);
        let nodes = self.path(&values);
        let mut path = Vec::new();
        for (depth, &node) in nodes.iter().enumerate() {
            let Some(split) = &self.tree.node(node).split else {
                continue;
            };
            let place = split.test.feature.input as usize;
            path.push(Step {
                tree: 1,
                depth,
                share: 1.0,
                test: self.words(&split.test),
                value: shown(&self.inputs.all[place], columns[place], row),
                holds: Some(split.test.branch(&values) == 0),
                near: None,
            });
        }
        let leaf = self.leaf(&values);
        let predicted = leaf.formula.value(&values);
        let terms = leaf.formula.terms.iter().map(|&(feature, coefficient)| {
            Term::product(
                self.inputs.words(feature),
                feature.value(&values),
                coefficient,
            )
        });
        let terms = std::iter::once(Term::constant(leaf.formula.constant)).chain(terms);
        let inputs = self.inputs.all.iter().zip(&columns);
        Ok(Explanation {
            attributes: self.inputs.all.iter().map(|one| one.name.clone()).collect(),
            values: inputs
                .map(|(input, column)| shown(input, *column, row))
                .collect(),
            targets: vec![TargetExplanation {
                name: self.target.clone(),
                prediction: vec![(String::new(), predicted)],
                reasons: Reasons::Formula {
                    path,
                    terms: terms.collect(),
                },
                // All training rows of the leaf together make the formula.
                others: Others {
                    rows: leaf.weight.round() as usize,
                    share: 1.0,
                    parts: vec![predicted],
                },
            }],
        })
    }
}

/// A value as it stands, and what it is taken as where it is missing or new.
fn shown(input: &Input, column: Option<&Column>, row: usize) -> String {
    let there = column.map_or(Value::Missing, |column| column.value(row));
    let (new, taken) = match &input.kind {
        Kind::Number { mean } => (false, mean.to_string()),
        Kind::Moment { mean } => (false, datetime::print(*mean as i64)),
        Kind::Labels { labels, mode, .. } => {
            let code = column.and_then(|column| column.code(row));
            let taken = match (*mode as usize) < labels.len() {
                true => labels.label(*mode).to_owned(),
                false => String::new(),
            };
            (
                code.is_some_and(|code| code as usize >= labels.len()),
                taken,
            )
        }
    };
    match there {
        Value::Missing => format!("? taken as {taken}"),
        there if new => format!("{there} taken as {taken}"),
        there => there.to_string(),
    }
}

impl Model for ModelTree {
    fn predict(&self, data: &View, context: &Context) -> Result<Predictions> {
        let columns = self.columns(data)?;
        let rows: Vec<u32> = data.rows().collect();
        let running = context.progress("answering rows", rows.len() as u64);
        let batches: Vec<Vec<f64>> = context.install(|| {
            rows.par_chunks(BATCH)
                .map(|rows| {
                    context.check()?;
                    let answer = |&row: &u32| {
                        let values = self.values(&columns, row as usize);
                        self.leaf(&values).formula.value(&values)
                    };
                    let answers = rows.iter().map(answer).collect();
                    running.advance(rows.len() as u64);
                    Ok(answers)
                })
                .collect::<Result<_>>()
        })?;
        Ok(Predictions {
            targets: vec![TargetPrediction {
                name: self.target.clone(),
                output: Output::of_numbers(batches.concat()),
            }],
        })
    }

    fn write(&self, sections: &mut Sections) -> Result<()> {
        self.store(sections)
    }

    fn show(&self) -> String {
        show::text(self)
    }

    fn to_json(&self) -> Json {
        show::json(self)
    }

    fn facts(&self) -> ModelFacts {
        ModelFacts {
            size: Some(self.tree.size() as u64),
            tree: Some(self.tree_facts()),
            ..ModelFacts::default()
        }
    }

    fn explain(&self, data: &View, row: usize, _most: usize) -> Option<Result<Explanation>> {
        Some(self.explained(data, row))
    }

    fn sql(&self, asked: Asked) -> Option<Result<Vec<Expression>>> {
        Some(sql::expression(self, asked).map(|one| vec![one]))
    }

    fn drawing(&self) -> Option<Drawing> {
        Some(show::drawing(self))
    }

    fn visited(&self, data: &View, position: usize) -> Result<Option<Vec<(usize, u32, f64)>>> {
        let columns = self.columns(data)?;
        let values = self.values(&columns, data.row(position) as usize);
        let path = self.path(&values).into_iter();
        Ok(Some(path.map(|node| (0, node, 1.0)).collect()))
    }
}
