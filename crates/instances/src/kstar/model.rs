//! The model: the stored rows, their attributes made ready, and how queries are answered.

mod explain;

use std::sync::Arc;

use kinwood_similarity::rows::{fitting, nested};
use kinwood_similarity::{DistanceOn, Error as SimilarityError, Expression, Registry};
use kinwood_values::container::{Sections, invalid};
use kinwood_values::{Cells, Column, Type, View};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;

use self::explain::explain;
use super::answer::{Response, Sums, logarithms, sums};
use super::blend::Blend;
use super::entropic::Groups;
use super::field::Asked;
use super::rules::Rules;
use super::stored::Field;
use super::term::Term;
use super::weka;
use kinwood_learning::context::Context;
use kinwood_learning::error::{Error, Result};
use kinwood_learning::examples::{Examples, target_name};
use kinwood_learning::explanation::Explanation;
use kinwood_learning::model::Model;
use kinwood_learning::predictions::{Output, Predictions, TargetPrediction, normalised};
use kinwood_learning::task::Task;

/// Queries whose scales are sought together, and queries that pass over a block of stored rows
/// together.
const BATCH: usize = 4096;
const BUNCH: usize = 32;
/// Numbers that the tables of a bunch of queries may hold: they ought to stay in the cache.
const TABLES: usize = 1 << 16;

/// What is counted of rows that Weka could not answer.
const UNDERFLOWED: &str =
    "rows answered in logarithms where the product of Weka's plain numbers leaves their range";

/// What a model is declared by: enough to make it anew from its rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Declared {
    /// The rules it answers by.
    pub rules: Rules,
    /// How far the sphere of influence reaches.
    pub blend: Blend,
    /// How many foreign keys away rows are compared.
    pub depth: usize,
    /// The distances of attributes by name, where they are not the default.
    pub distances: Vec<(String, String)>,
}

/// The model.
pub struct Instances {
    pub(super) declared: Declared,
    names: Vec<String>,
    blends: Vec<f64>,
    /// The fitted distance of each attribute that is compared by one.
    pub(super) distances: Vec<Option<DistanceOn>>,
    pub(super) stored: Examples,
    fields: Vec<Field>,
    weights: Vec<f64>,
    weight_logarithms: Vec<f64>,
    responses: Vec<Response>,
    groups: Option<Groups>,
    /// For each target the prediction where no stored row can answer: class shares, or the mean
    /// alone.
    fallbacks: Vec<Vec<f64>>,
}

/// The fields of a column of tuples, and their names.
pub(super) fn fields_of(rows: &Column) -> (Vec<String>, &[Column]) {
    match rows.cells() {
        Cells::Tuple { names, fields, .. } => (
            names
                .iter()
                .map(|name| name.clone().unwrap_or_default())
                .collect(),
            fields,
        ),
        _ => (Vec::new(), &[]),
    }
}

/// Whether values are compared by a distance, rather than as numbers or symbols.
fn structured(of: &Type) -> bool {
    !matches!(of, Type::Numeric | Type::Nominal | Type::DateTime)
}

impl Instances {
    /// The model of a task's rows.
    pub fn fit(declared: Declared, task: &Task) -> Result<Self> {
        let rows = nested(task.view(), declared.depth);
        Self::new(declared, Examples::new(rows, task)?)
    }

    pub(super) fn new(declared: Declared, stored: Examples) -> Result<Self> {
        let (names, fields) = fields_of(stored.rows());
        for (column, _) in &declared.distances {
            if !names.contains(column) {
                return Err(Error::SettingValue {
                    name: "distance".to_owned(),
                    value: column.clone(),
                    expected: "the name of an input column".to_owned(),
                    nearest: kinwood_values::suggest::nearest(column, &names),
                });
            }
        }
        let fitted = |(name, field): (&String, &Column)| -> Result<Option<DistanceOn>> {
            let asked = declared.distances.iter().find(|(column, _)| column == name);
            let expression: Expression = match asked {
                Some((_, expression)) => expression.parse()?,
                None if structured(&field.type_of()) => Expression::new("default"),
                None => return Ok(None),
            };
            let place = format!("column `{name}`");
            let distance =
                Registry::known().distance(&expression, &field.type_of(), Some(field), &place)?;
            if distance.pair_valued() {
                return Err(Error::Similarity(SimilarityError::PairValued {
                    measure: distance.expression().name,
                    within: "`kstar`".to_owned(),
                }));
            }
            Ok(Some(distance))
        };
        let distances = names
            .iter()
            .zip(fields)
            .map(fitted)
            .collect::<Result<_>>()?;
        Self::with(declared, distances, stored)
    }

    pub(super) fn with(
        declared: Declared,
        distances: Vec<Option<DistanceOn>>,
        stored: Examples,
    ) -> Result<Self> {
        let (names, fields) = fields_of(stored.rows());
        let blends = declared.blend.of(&names)?;
        // Weka does not look at weights.
        let weight = |row: usize| match declared.rules.weka {
            true => 1.0,
            false => stored.weight(row),
        };
        let weights: Vec<f64> = (0..stored.len()).map(weight).collect();
        let made = fields
            .iter()
            .zip(&distances)
            .map(|(field, distance)| Field::new(field, &weights, distance.as_ref()))
            .collect::<Option<Vec<Field>>>();
        let fields = made.ok_or_else(|| {
            invalid(
                "model",
                "an attribute without the distance it is compared by",
            )
        })?;
        let responses: Vec<Response> = stored
            .targets()
            .map(|target| response(&target.column))
            .collect();
        let groups = declared
            .rules
            .auto_blend
            .then(|| Groups::new(stored.targets().map(|target| &*target.column)));
        let fallbacks = responses
            .iter()
            .map(|response| overall(response, &weights))
            .collect();
        Ok(Self {
            declared,
            names,
            blends,
            distances,
            stored,
            fields,
            weight_logarithms: weights.iter().map(|weight| weight.ln()).collect(),
            weights,
            responses,
            groups,
            fallbacks,
        })
    }

    /// The stored rows as tuples.
    pub fn references(&self) -> &Column {
        self.stored.rows()
    }

    /// The names of the attributes.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The attributes.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The logarithms of the weights of stored rows.
    pub fn weight_logarithms(&self) -> &[f64] {
        &self.weight_logarithms
    }

    /// What stored rows know of each target.
    pub fn responses(&self) -> &[Response] {
        &self.responses
    }

    /// For each target the prediction where no stored row can answer.
    pub fn fallbacks(&self) -> &[Vec<f64>] {
        &self.fallbacks
    }

    /// The targets' names and stored values.
    pub fn targets(&self) -> impl Iterator<Item = (&str, &Column)> {
        let targets = self.stored.targets();
        targets.map(|target| (target_name(target), &*target.column))
    }

    /// The rows of a view as tuples like the stored ones.
    pub(super) fn rows(&self, view: &View) -> Result<Column> {
        let of = self.references().type_of();
        fitting(&nested(view, self.declared.depth), &of)
            .map_err(|column| Error::Similarity(SimilarityError::Layout { column }))
    }

    /// Asks every attribute about rows.
    fn ask(&self, rows: &Column) -> Result<Vec<Asked<'_>>> {
        let (_, queries) = fields_of(rows);
        self.fields
            .par_iter()
            .zip(queries)
            .zip(&self.blends)
            .map(|((field, queries), &blend)| {
                let rules = &self.declared.rules;
                field.ask(queries, blend, rules, &self.weights, self.groups.as_ref())
            })
            .collect()
    }

    /// The terms of a query, and the powers they were raised to.
    fn terms(&self, asked: &[Asked<'_>], query: usize) -> (Vec<Term>, Option<Vec<f64>>) {
        let terms: Vec<Term> = asked.iter().map(|asked| asked.term(query)).collect();
        if !self.declared.rules.weka {
            return (terms, None);
        }
        let known: Vec<bool> = terms.iter().map(|term| *term != Term::Silent).collect();
        match weka::powers(&known) {
            None => (terms, None),
            Some(powers) => {
                let raised = terms.into_iter().zip(&powers);
                (
                    raised.map(|(term, &power)| term.raised(power)).collect(),
                    Some(powers),
                )
            }
        }
    }

    /// The predictions of a batch of rows, by target, and how many Weka could not answer.
    fn answer(&self, rows: &Column, context: &Context) -> Result<(Vec<Vec<f64>>, u64)> {
        let asked = self.ask(rows)?;
        let labels: usize = self
            .fields
            .iter()
            .map(|field| match field {
                Field::Number(_) => 0,
                Field::Symbol(symbols) => symbols.frequencies.len() + 1,
                Field::Measured(_) => self.weights.len(),
            })
            .sum();
        let bunch = (TABLES / labels.max(1)).clamp(1, BUNCH);
        let queries: Vec<usize> = (0..rows.len()).collect();
        let bunches: Vec<(Vec<Vec<f64>>, u64)> = queries
            .par_chunks(bunch)
            .map(|queries| {
                context.check()?;
                let (terms, powers): (Vec<_>, Vec<_>) = queries
                    .iter()
                    .map(|&query| self.terms(&asked, query))
                    .unzip();
                let found = sums(
                    &self.fields,
                    &terms,
                    &self.weight_logarithms,
                    &self.responses,
                );
                let mut outputs = vec![Vec::new(); self.responses.len()];
                for sums in &found {
                    for (target, sums) in sums.iter().enumerate() {
                        outputs[target].extend(self.conclude(target, sums));
                    }
                }
                let lost = if self.declared.rules.weka {
                    let each = terms.iter().zip(&powers).zip(&found);
                    each.filter(|((terms, powers), sums)| {
                        self.underflows(terms, powers.as_deref(), sums)
                    })
                    .count() as u64
                } else {
                    0
                };
                Ok((outputs, lost))
            })
            .collect::<Result<_>>()?;
        let mut whole = vec![Vec::new(); self.responses.len()];
        let mut lost = 0;
        for (outputs, here) in bunches {
            for (whole, output) in whole.iter_mut().zip(outputs) {
                whole.extend(output);
            }
            lost += here;
        }
        Ok((whole, lost))
    }

    /// The prediction of a target from its sums.
    fn conclude(&self, target: usize, sums: &Sums) -> Vec<f64> {
        let weka = self.declared.rules.weka;
        let nobody = sums.largest == f64::NEG_INFINITY;
        match self.responses[target] {
            Response::Classes { classes, .. } if nobody && weka => normalised(vec![0.0; classes]),
            Response::Numbers(_) if nobody && weka => vec![0.0],
            _ if nobody => self.fallbacks[target].clone(),
            Response::Classes { .. } => normalised(sums.sums.clone()),
            Response::Numbers(_) => vec![sums.sums[1] / sums.sums[0]],
        }
    }

    /// Whether a product of plain numbers, attribute by attribute, would have lost the rows that
    /// count.
    fn underflows(&self, terms: &[Term], powers: Option<&[f64]>, sums: &[Sums]) -> bool {
        // Rows that weigh less than e^-40 of the heaviest do not count.
        const COUNTS: f64 = -40.0;
        let largest = sums
            .iter()
            .map(|sums| sums.largest)
            .fold(f64::NEG_INFINITY, f64::max);
        if largest == f64::NEG_INFINITY {
            return false;
        }
        let gains: f64 = terms.iter().map(|term| term.own().max(0.0)).sum();
        if largest + COUNTS - gains > weka::UNDERFLOW && gains < -weka::UNDERFLOW {
            return false;
        }
        let whole = logarithms(&self.fields, terms, &self.weight_logarithms);
        (0..whole.len())
            .filter(|&row| whole[row] > largest + COUNTS)
            .any(|row| {
                let mut sum = 0.0;
                (0..terms.len()).any(|at| {
                    sum += self.fields[at].term_of(&terms[at], row);
                    let later = powers.and_then(|powers| powers.get(at + 1)).unwrap_or(&1.0);
                    (sum / later).abs() > -weka::UNDERFLOW
                })
            })
    }
}

fn response(target: &Column) -> Response {
    match target.codes() {
        Some((codes, classes)) => Response::Classes {
            codes: (0..codes.len())
                .map(|row| target.code(row).unwrap_or(classes.len() as u32))
                .collect(),
            classes: classes.len(),
        },
        None => Response::Numbers(
            (0..target.len())
                .map(|row| target.number(row).unwrap_or(f64::NAN))
                .collect(),
        ),
    }
}

/// The shares of classes among all rows, or the mean of the numbers.
fn overall(response: &Response, weights: &[f64]) -> Vec<f64> {
    match response {
        Response::Classes { codes, classes } => {
            let mut shares = vec![0.0; *classes];
            for (&code, weight) in codes.iter().zip(weights) {
                if let Some(share) = shares.get_mut(code as usize) {
                    *share += weight;
                }
            }
            normalised(shares)
        }
        Response::Numbers(numbers) => {
            let known = || {
                numbers
                    .iter()
                    .zip(weights)
                    .filter(|(number, _)| !number.is_nan())
            };
            let weight: f64 = known().map(|(_, weight)| weight).sum();
            let sum: f64 = known().map(|(number, weight)| number * weight).sum();
            vec![if weight > 0.0 { sum / weight } else { 0.0 }]
        }
    }
}

impl Model for Instances {
    fn predict(&self, data: &View, context: &Context) -> Result<Predictions> {
        let rows = self.rows(data)?;
        let running = context.progress("comparing rows", rows.len() as u64);
        let mut outputs: Vec<Vec<f64>> = vec![Vec::new(); self.responses.len()];
        let positions: Vec<u32> = (0..rows.len() as u32).collect();
        let mut lost = 0;
        for batch in positions.chunks(BATCH) {
            let gathered;
            let batch_rows = if batch.len() == rows.len() {
                &rows
            } else {
                gathered = rows.gather(batch);
                &gathered
            };
            let (found, here) = context.install(|| self.answer(batch_rows, context))?;
            for (output, found) in outputs.iter_mut().zip(found) {
                output.extend(found);
            }
            lost += here;
            running.advance(batch.len() as u64);
        }
        context.count(UNDERFLOWED, lost);
        let targets = self
            .targets()
            .zip(outputs)
            .map(|((name, column), numbers)| TargetPrediction {
                name: name.to_owned(),
                output: match column.codes() {
                    Some((_, classes)) => Output::of_classes(Arc::clone(classes), numbers),
                    None => Output::of_numbers(numbers),
                },
            })
            .collect();
        Ok(Predictions { targets })
    }

    fn explain(&self, data: &View, row: usize, most: usize) -> Option<Result<Explanation>> {
        let explained = || {
            let row = self.rows(&data.select(&[row as u32]))?;
            let asked = self.ask(&row)?;
            explain(self, &row, &self.terms(&asked, 0).0, most)
        };
        Some(explained())
    }

    fn write(&self, sections: &mut Sections) -> Result<()> {
        self.store(sections)
    }

    fn show(&self) -> String {
        let rules = &self.declared.rules;
        format!(
            "K* over {} stored rows, blend {}, missing values {}{}\nover: {}\n",
            self.references().len(),
            if rules.auto_blend {
                "by entropy".to_owned()
            } else {
                self.declared.blend.to_string()
            },
            rules.lacking.name(),
            if rules.weka {
                ", as Weka computes it"
            } else {
                ""
            },
            self.names.join(", "),
        )
    }

    fn to_json(&self) -> serde_json::Value {
        let rules = &self.declared.rules;
        let attribute = |((name, blend), distance): ((&String, &f64), &Option<DistanceOn>)| {
            let distance = distance
                .as_ref()
                .map(|distance| distance.expression().to_string());
            json!({"name": name, "blend": blend, "distance": distance})
        };
        let attributes = self.names.iter().zip(&self.blends).zip(&self.distances);
        json!({
            "rows": self.references().len(),
            "targets": self.targets().map(|(name, _)| name).collect::<Vec<_>>(),
            "attributes": attributes.map(attribute).collect::<Vec<_>>(),
            "auto_blend": rules.auto_blend,
            "missing": rules.lacking.name(),
            "compat": if rules.weka { "weka" } else { "none" },
            "depth": self.declared.depth,
        })
    }

    fn append(&mut self, task: &Task) -> Option<Result<()>> {
        Some(self.take(task))
    }
}
