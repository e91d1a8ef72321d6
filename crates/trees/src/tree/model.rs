//! The fitted model: one tree, or the set of trees that a beam search found.
//!
//! Trees of a set share the terms they speak in: the columns they test, the targets they predict.
//! Each can be used alone, and the set answers as its best tree does, or by vote, or by average.

mod check;
pub(crate) mod draw;
mod explain;
pub(crate) mod facts;
pub(super) mod flat;
mod pick;
pub(super) mod predict;
pub(crate) mod show;
mod sql;
mod store;
#[cfg(test)]
mod tests;
pub(super) mod walk;

use crate::tree::SearchMethod;
use kinwood_learning::StopReason;
use kinwood_learning::facts::ModelFacts;
use std::sync::{Arc, OnceLock};

use kinwood_similarity::DistanceOn;
use kinwood_similarity::rows::Reading;
use kinwood_values::container::{Sections, Stored};
use kinwood_values::{Cells, Column, Dictionary, Value, View, datetime};
use serde::{Deserialize, Serialize};

use super::response::{LeafKind, leaf_of};
use super::text::among;
use super::{FlatTree, Test};
use flat::Flat;
use kinwood_learning::context::Context;
use kinwood_learning::drawing::Drawing;
use kinwood_learning::error::{Error, Result};
use kinwood_learning::explanation::Explanation;
use kinwood_learning::model::Model;
use kinwood_learning::predictions::Predictions;
use kinwood_learning::sql::{Asked, Expression};
pub use kinwood_learning::target::TargetKind;
use kinwood_learning::task::Target;

/// One tree or a set of them, best first, with the terms they speak in.
pub struct TreeModel {
    pub(super) terms: Arc<Terms>,
    pub(super) trees: Vec<Member>,
    pub(super) combine: Combine,
    report: Report,
    /// The trees of a set, each as a model of its own; empty where there is one tree.
    alone: Vec<Box<dyn Model>>,
    /// The trees that answer, in the form that predicts fastest; made when first needed.
    flat: OnceLock<Vec<Option<Flat>>>,
}

/// A tree of a set.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// The tree.
    pub tree: Arc<FlatTree>,
    /// How good the search found it, lower being better, where it says so.
    pub score: Option<f64>,
}

/// How a set of trees answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Combine {
    /// As the first, the best.
    Best,
    /// Each tree has a vote for its class, and for each of its labels; numbers are averaged.
    Vote,
    /// The mean of the trees' shares or numbers.
    Average,
}

kinwood_learning::named!(Combine { Best => "best", Vote => "vote", Average => "average" });

/// What is told of the search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// Its name.
    pub search: SearchMethod,
    /// How many models were evaluated.
    pub evaluated: u64,
    /// Why it stopped.
    pub stopped: StopReason,
    /// Anything else worth a line each.
    pub notes: Vec<String>,
    /// What the rows that a tree was not grown on say of a forest, by target.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub out_of_bag: Vec<OutOfBag>,
    /// How much each input of a forest lets the spread fall, the most important first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub importances: Vec<Importance>,
    /// Of a set of all trees near the best: by how much their errors may differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epsilon: Option<f64>,
}

/// How well the trees that did not see a row answer for it together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutOfBag {
    /// The target.
    pub target: String,
    /// `accuracy`, `rmse` or `hamming_loss`.
    pub measure: String,
    /// What it is.
    pub value: f64,
    /// Of how many rows.
    pub rows: usize,
}

/// How much an input matters to the trees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Importance {
    /// The input.
    pub input: String,
    /// Its share of all by which tests let the spread fall.
    pub share: f64,
}

/// What the trees of a model speak of.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Terms {
    /// The columns tested, by their place in the table.
    pub inputs: Vec<Input>,
    /// The targets, in the task's order.
    pub targets: Vec<TargetOf>,
}

/// A column that is tested.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Input {
    /// Where it stood in the table.
    pub column: u32,
    pub name: String,
    pub kind: InputKind,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum InputKind {
    Number,
    Moment,
    /// The labels that training had.
    Labels(Arc<Dictionary>),
    /// Values compared with prototypes by a distance.
    Kin(Arc<Pool>),
}

/// The prototypes of an input whose values are compared by a distance.
#[derive(Clone)]
pub struct Pool {
    /// The values that tests speak of, by place.
    pub values: Column,
    /// The distance.
    pub measure: DistanceOn,
    /// Where the values of a row come from.
    pub source: Source,
}

/// Where the values of an input come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A column of the table.
    Column,
    /// The rows that foreign keys lead to, so many keys away.
    Linked(usize),
    /// The whole row, read so.
    Row(Reading),
}

impl PartialEq for Pool {
    fn eq(&self, other: &Self) -> bool {
        self.values == other.values
            && self.source == other.source
            && self.measure.of() == other.measure.of()
            && self.measure.expression() == other.measure.expression()
    }
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool")
            .field("values", &self.values)
            .field("measure", &self.measure.expression().to_string())
            .field("source", &self.source)
            .finish()
    }
}

/// An input of which trees keep prototypes: where it stands, its name, and the prototypes.
pub type Pooled = (u32, String, Pool);

/// A target of trees.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetOf {
    /// Its name.
    pub name: String,
    /// What is predicted.
    pub kind: TargetKind,
}

impl TargetOf {
    /// The target of a task in the terms of trees; `None` for a kind that trees do not predict.
    pub fn of(target: &Target) -> Option<Self> {
        let kind = target.kind().filter(|kind| leaf_of(kind).is_some())?;
        Some(Self {
            name: target.name().to_owned(),
            kind: kind.clone(),
        })
    }

    /// How many numbers a prediction is: a share for each class or label, or the number alone.
    pub fn width(&self) -> usize {
        self.kind.width()
    }

    /// What it is in a leaf.
    pub fn leaf(&self) -> &'static dyn LeafKind {
        leaf_of(&self.kind).expect("trees have targets of kinds that they predict")
    }
}

impl TreeModel {
    /// The model of trees grown on the rows of a view, best first.
    ///
    /// Fails where numbers were too large for their sums: no threshold, mean or score is a number
    /// then.
    ///
    /// # Panics
    /// If there is no tree: a mistake of the caller, not of data.
    pub fn new(
        view: &View,
        pools: Vec<Pooled>,
        targets: Vec<TargetOf>,
        trees: Vec<Member>,
        combine: Combine,
        report: Report,
    ) -> Result<Self> {
        let mut tested: Vec<u32> = trees
            .iter()
            .flat_map(|member| member.tree.nodes())
            .filter_map(|node| Some(node.split.as_ref()?.test.column()))
            .collect();
        tested.sort_unstable();
        tested.dedup();
        let mut pools = pools;
        let input = |column: u32| {
            if let Some(place) = pools.iter().position(|pool| pool.0 == column) {
                let (column, name, pool) = pools.swap_remove(place);
                return Input {
                    column,
                    name,
                    kind: InputKind::Kin(Arc::new(pool)),
                };
            }
            let attribute = view.table().attribute(column as usize);
            let kind = match attribute.column.cells() {
                Cells::Nominal { dictionary, .. } => InputKind::Labels(Arc::clone(dictionary)),
                Cells::DateTime(_) => InputKind::Moment,
                _ => InputKind::Number,
            };
            Input {
                column,
                name: attribute.name.clone(),
                kind,
            }
        };
        let terms = Terms {
            inputs: tested.into_iter().map(input).collect(),
            targets,
        };
        assert!(!trees.is_empty(), "a model has a tree");
        match trees.iter().find_map(|member| terms.fault(member)) {
            None => Ok(Self::of(Arc::new(terms), trees, combine, report)),
            Some(reason) => Err(Error::TooLarge {
                table: view.table().name().to_owned(),
                reason,
            }),
        }
    }

    /// The model of trees that fit their terms.
    fn of(terms: Arc<Terms>, trees: Vec<Member>, combine: Combine, report: Report) -> Self {
        let alone = |member: &Member| -> Box<dyn Model> {
            Box::new(Self {
                terms: Arc::clone(&terms),
                trees: vec![member.clone()],
                combine: Combine::Best,
                report: report.clone(),
                alone: Vec::new(),
                flat: OnceLock::new(),
            })
        };
        let alone = match trees.as_slice() {
            [_] => Vec::new(),
            trees => trees.iter().map(alone).collect(),
        };
        Self {
            terms,
            trees,
            combine,
            report,
            alone,
            flat: OnceLock::new(),
        }
    }

    /// Reads a model, checking all of it.
    pub fn read(stored: &Stored) -> Result<Self> {
        store::read(stored)
    }

    /// The trees, best first.
    pub fn trees(&self) -> &[Member] {
        &self.trees
    }

    /// How the answers of those trees are joined: one tree has no other to vote against.
    fn joined(&self) -> Combine {
        match self.answering() {
            [_] => Combine::Best,
            _ => self.combine,
        }
    }

    /// The trees that answer in flat form, where they have one.
    fn flat(&self) -> &[Option<Flat>] {
        self.flat.get_or_init(|| predict::flat(self))
    }

    /// What is told of the search.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The trees that answer.
    pub(super) fn answering(&self) -> &[Member] {
        match self.combine {
            Combine::Best => &self.trees[..1],
            Combine::Vote | Combine::Average => &self.trees,
        }
    }
}

impl Input {
    /// How many labels training had; 0 for what has none.
    fn labels(&self) -> u32 {
        match &self.kind {
            InputKind::Labels(labels) => labels.len() as u32,
            _ => 0,
        }
    }
}

impl Terms {
    /// The column of that place, if it is tested.
    pub fn input(&self, column: u32) -> Option<&Input> {
        let found = self
            .inputs
            .binary_search_by_key(&column, |input| input.column);
        found.ok().map(|place| &self.inputs[place])
    }

    /// A test in words; of many labels the first few.
    pub fn words(&self, test: &Test) -> String {
        let input = self.input(test.column());
        let name = input.map_or("", |input| input.name.as_str());
        match (test, input.map(|input| &input.kind)) {
            (Test::Above { threshold, .. }, Some(InputKind::Moment)) => {
                format!("{name} > {}", datetime::print(*threshold as i64))
            }
            (Test::Above { threshold, .. }, _) => format!("{name} > {threshold}"),
            (Test::Among { values, .. }, Some(InputKind::Labels(labels))) => {
                among(name, values.iter().map(|&value| labels.label(value)))
            }
            (Test::Around { cells, .. }, kind) => {
                let moments = kind == Some(&InputKind::Moment);
                let bounds = cells.bounds.iter().map(|bound| match moments {
                    true => datetime::print(*bound as i64),
                    // The last digits are there for ties alone.
                    false => {
                        let near = format!("{bound:.6e}").parse().unwrap_or(*bound);
                        near.to_string()
                    }
                });
                let bounds: Vec<String> = bounds.collect();
                format!("{name} near, divided at {}", bounds.join(", "))
            }
            (Test::Nearest { nearest, .. }, _) if !nearest.reach.is_empty() => {
                let reach = nearest.reach.iter().map(|reach| format!("{reach:.4}"));
                let reach: Vec<String> = reach.collect();
                format!("{name} near, in units of {}", reach.join(", "))
            }
            (Test::Nearest { .. }, _) => format!("{name} near"),
            (Test::Among { .. }, _) => name.to_owned(),
        }
    }

    /// What a branch of a test is called: `yes` and `no`, or its prototype.
    pub fn branch(&self, test: &Test, branch: usize) -> String {
        match self.prototype(test, branch) {
            Some(value) => shortened(&value.to_string()),
            None if branch == 0 => "yes".to_owned(),
            None => "no".to_owned(),
        }
    }

    /// The prototype of a branch, if it has one.
    pub fn prototype(&self, test: &Test, branch: usize) -> Option<Value> {
        let kind = &self.input(test.column())?.kind;
        match (test, kind) {
            (Test::Around { cells, .. }, InputKind::Moment) => {
                Some(Value::DateTime(*cells.prototypes.get(branch)? as i64))
            }
            (Test::Around { cells, .. }, _) => Some(Value::Number(*cells.prototypes.get(branch)?)),
            (Test::Nearest { nearest, .. }, InputKind::Labels(labels)) => {
                let code = *nearest.prototypes.get(branch)?;
                Some(Value::Symbol(labels.label(code).to_owned()))
            }
            (Test::Nearest { nearest, .. }, InputKind::Kin(pool)) => {
                Some(pool.values.value(*nearest.prototypes.get(branch)? as usize))
            }
            _ => None,
        }
    }
}

/// A value as it stands in a line of text.
pub(super) fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

impl Model for TreeModel {
    fn predict(&self, data: &View, context: &Context) -> Result<Predictions> {
        predict::predict(self, data, context)
    }

    fn write(&self, sections: &mut Sections) -> Result<()> {
        store::write(self, sections)
    }

    fn show(&self) -> String {
        show::text(self)
    }

    fn to_json(&self) -> serde_json::Value {
        show::json(self)
    }

    fn facts(&self) -> ModelFacts {
        ModelFacts {
            size: Some(self.trees[0].tree.size() as u64),
            members: Model::members(self).map(<[_]>::len),
            evaluated: Some(self.report.evaluated),
            stopped: Some(self.report.stopped),
            tree: match self.trees.as_slice() {
                [one] => Some(facts::facts(&self.terms, one)),
                _ => None,
            },
            ..ModelFacts::default()
        }
    }

    fn explain(&self, data: &View, row: usize, _most: usize) -> Option<Result<Explanation>> {
        Some(explain::explain(self, data, row))
    }

    fn sql(&self, asked: Asked) -> Option<Result<Vec<Expression>>> {
        Some(sql::expressions(self, asked))
    }

    fn reads_one_table(&self) -> bool {
        self.terms.inputs.iter().all(|input| match &input.kind {
            InputKind::Kin(pool) => pool.source == Source::Column,
            InputKind::Number | InputKind::Moment | InputKind::Labels(_) => true,
        })
    }

    fn members(&self) -> Option<&[Box<dyn Model>]> {
        (!self.alone.is_empty()).then_some(&*self.alone)
    }

    fn pick(&self, member: usize) -> Option<Box<dyn Model>> {
        let member = self.trees.get(member).filter(|_| self.trees.len() > 1)?;
        Some(Box::new(pick::picked(self, member)))
    }

    fn drawing(&self) -> Option<Drawing> {
        Some(draw::drawing(self))
    }

    fn visited(&self, data: &View, position: usize) -> Result<Option<Vec<(usize, u32, f64)>>> {
        draw::visited(self, data, position).map(Some)
    }
}
