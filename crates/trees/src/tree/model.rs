//! The fitted model: one tree, or a set of trees that a search or a forest made, whatever language
//! their tests are written in.
//!
//! Trees of a set share the terms they speak in: what they test, the targets they predict. Each can
//! be used alone, and the set answers as its best tree does, or by vote, or by average. Text, JSON,
//! pictures, facts, predictions and explanations are written here once; what a test or a leaf says
//! is up to `ModelTerms`.

pub(crate) mod draw;
mod explain;
pub(crate) mod facts;
mod predict;
pub(crate) mod show;
pub(crate) mod sql;
mod terms;

use crate::tree::SearchMethod;
use kinwood_learning::StopReason;
use kinwood_learning::facts::ModelFacts;
use std::sync::Arc;

use kinwood_values::View;
use kinwood_values::container::Sections;
use serde::{Deserialize, Serialize};

use super::response::{Answers, LeafKind, leaf_of};
use super::structure::Tree;
use kinwood_learning::context::Context;
use kinwood_learning::drawing::Drawing;
use kinwood_learning::error::Result;
use kinwood_learning::explanation::Explanation;
use kinwood_learning::model::Model;
use kinwood_learning::predictions::Predictions;
use kinwood_learning::sql::{Asked, Expression, Seen};
pub use kinwood_learning::target::TargetKind;
use kinwood_learning::task::Target;

pub(crate) use predict::{say, settle};
pub(crate) use terms::{Answering, ModelTerms, Outline, TermsTree, Trace, Why, standing};

/// One tree or a set of them, best first, with the terms they speak in.
pub struct TreeSet<T: ModelTerms> {
    pub(crate) terms: Arc<T>,
    pub(crate) trees: Vec<Member<T>>,
    pub(crate) combine: Combine,
    pub(crate) along: Along,
    pub(crate) report: Report,
    /// The trees of a set, each as a model of its own; empty where there is one tree.
    alone: Vec<Box<dyn Model>>,
    /// The trees in a form that predicts faster; made when first needed.
    pub(crate) cache: T::Cache,
}

/// A tree of a set.
pub struct Member<T: ModelTerms> {
    /// The tree.
    pub tree: Arc<TermsTree<T>>,
    /// How good the search found it, lower being better, where it says so.
    pub score: Option<f64>,
}

// Not derived: that would ask it of the terms themselves.
impl<T: ModelTerms> Clone for Member<T> {
    fn clone(&self) -> Self {
        Self {
            tree: Arc::clone(&self.tree),
            score: self.score,
        }
    }
}

impl<T: ModelTerms> PartialEq for Member<T> {
    fn eq(&self, other: &Self) -> bool {
        self.tree == other.tree && self.score == other.score
    }
}

impl<T: ModelTerms> std::fmt::Debug for Member<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Member")
            .field("tree", &self.tree)
            .field("score", &self.score)
            .finish()
    }
}

/// How the nodes along a path answer together for a number; for all else the leaf alone answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Along {
    /// The leaf alone answers.
    #[default]
    Leaf,
    /// What a node says is mixed with what the one above says, which counts as much as so many
    /// examples.
    Smoothed(f64),
    /// What the nodes say is added up: each explains what those above it leave.
    Summed,
}

impl Along {
    /// Mixed by so much, or not at all.
    pub fn smoothed(by: f64) -> Self {
        match by > 0.0 {
            true => Along::Smoothed(by),
            false => Along::Leaf,
        }
    }

    /// Whether the leaf alone answers.
    pub fn is_leaf(&self) -> bool {
        *self == Along::Leaf
    }

    /// What is wrong with it, if anything is.
    pub(crate) fn fault(self) -> Option<&'static str> {
        match self {
            Along::Smoothed(by) if !(by.is_finite() && by >= 0.0) => {
                Some("smoothing by what is no number of examples")
            }
            _ => None,
        }
    }
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

/// How trees were found.
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
    /// Of a forest: how many votes even probabilities have beside those of the trees.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub prior: f64,
}

fn is_nothing(votes: &f64) -> bool {
    *votes == 0.0
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

impl<T: ModelTerms> TreeSet<T> {
    /// The model of trees that fit their terms.
    ///
    /// # Panics
    /// If there is no tree: a mistake of the caller, not of data.
    pub(crate) fn of(
        terms: Arc<T>,
        trees: Vec<Member<T>>,
        combine: Combine,
        along: Along,
        report: Report,
    ) -> Self {
        assert!(!trees.is_empty(), "a model has a tree");
        let alone = |member: &Member<T>| -> Box<dyn Model> {
            let one = vec![member.clone()];
            // A tree that answers alone has no votes to mix.
            let report = Report {
                prior: 0.0,
                ..report.clone()
            };
            Box::new(Self::of(
                Arc::clone(&terms),
                one,
                Combine::Best,
                along,
                report,
            ))
        };
        let alone = match trees.as_slice() {
            [_] => Vec::new(),
            trees => trees.iter().map(alone).collect(),
        };
        Self {
            terms,
            trees,
            combine,
            along,
            report,
            alone,
            cache: T::Cache::default(),
        }
    }

    /// The trees, best first.
    pub fn trees(&self) -> &[Member<T>] {
        &self.trees
    }

    /// How the trees were found.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// What the model speaks of.
    pub fn terms(&self) -> &T {
        &self.terms
    }

    /// The trees that answer.
    pub(crate) fn answering(&self) -> &[Member<T>] {
        match self.combine {
            Combine::Best => &self.trees[..1],
            Combine::Vote | Combine::Average => &self.trees,
        }
    }

    /// How the answers of those trees are joined: one tree has no other to vote against.
    pub(crate) fn joined(&self) -> Combine {
        match self.answering() {
            [_] => Combine::Best,
            _ => self.combine,
        }
    }

    /// Numbers of a row: those of all targets together.
    pub(crate) fn width(&self) -> usize {
        self.terms.targets().iter().map(TargetOf::width).sum()
    }
}

/// What is wrong with the answers of a node, if anything is: asked of trees from files.
pub(crate) fn wrong_answers(targets: &[TargetOf], answers: &Answers) -> Option<&'static str> {
    if !(answers.weight.is_finite() && answers.weight >= 0.0) {
        return Some("a weight that is none");
    }
    if answers.targets.len() != targets.len() {
        return Some("answers of another number of targets");
    }
    let mut pairs = targets.iter().zip(&answers.targets);
    pairs.find_map(|(target, answer)| {
        if !answer.is(target.kind.entry()) {
            return Some("an answer of another kind than its target");
        }
        match answer.numbers().len() == answer.leaf().length(&target.kind) {
            true => answer.leaf().fault(&target.kind, answer.numbers()),
            false => Some("an answer of another length than its target"),
        }
    })
}

impl<T: ModelTerms> Model for TreeSet<T> {
    fn predict(&self, data: &View, context: &Context) -> Result<Predictions> {
        predict::predict(self, data, context)
    }

    fn write(&self, sections: &mut Sections) -> Result<()> {
        T::write(self, sections)
    }

    fn show(&self) -> String {
        show::text(self)
    }

    fn to_json(&self) -> serde_json::Value {
        T::json(self)
    }

    fn facts(&self) -> ModelFacts {
        facts::model_facts(self)
    }

    fn explain(&self, data: &View, row: usize, _most: usize) -> Option<Result<Explanation>> {
        Some(explain::explain(self, data, row))
    }

    fn sql(&self, asked: Asked) -> Option<Result<Vec<Expression>>> {
        T::sql(self, asked)
    }

    fn view(&self, name: &str, asked: Asked, seen: Option<&Seen>) -> Option<Result<String>> {
        T::view(self, name, asked, seen)
    }

    fn reads_one_table(&self) -> bool {
        self.terms.reads_one_table()
    }

    fn members(&self) -> Option<&[Box<dyn Model>]> {
        (!self.alone.is_empty()).then_some(&*self.alone)
    }

    fn pick(&self, member: usize) -> Option<Box<dyn Model>> {
        let member = self.trees.get(member).filter(|_| self.trees.len() > 1)?;
        let (terms, member) = T::picked(&self.terms, member);
        // What is true of the set alone does not come along.
        let report = Report {
            out_of_bag: Vec::new(),
            importances: Vec::new(),
            epsilon: None,
            prior: 0.0,
            ..self.report.clone()
        };
        let picked = Self::of(terms, vec![member], Combine::Best, self.along, report);
        Some(Box::new(picked))
    }

    fn drawing(&self) -> Option<Drawing> {
        Some(draw::drawing(self))
    }

    fn visited(&self, data: &View, position: usize) -> Result<Option<Vec<(usize, u32, f64)>>> {
        T::visited(self, data, position).map(Some)
    }
}
