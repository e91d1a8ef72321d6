//! The fitted model: a relational tree, or the set of trees that a beam search found.

mod check;
mod draw;
mod explain;
mod facts;
mod notation;
mod show;
mod sql;
mod store;
#[cfg(test)]
mod tests;
mod walk;
pub(super) mod words;

use kinwood_learning::facts::ModelFacts;
use std::sync::Arc;

use kinwood_values::View;
use kinwood_values::container::{Sections, Stored};
use serde::{Deserialize, Serialize};

use super::RelationalTree;
use super::terms::Terms;
use crate::tree::{Combine, Report};
use kinwood_learning::context::Context;
use kinwood_learning::drawing::Drawing;
use kinwood_learning::error::Result;
use kinwood_learning::explanation::Explanation;
use kinwood_learning::model::Model;
use kinwood_learning::predictions::Predictions;
use kinwood_learning::sql::Asked;

/// One relational tree or a set of them, best first.
pub struct MirtModel {
    pub(super) terms: Arc<Terms>,
    pub(super) trees: Vec<Member>,
    pub(super) combine: Combine,
    pub(super) along: Along,
    pub(super) report: Report,
    /// The trees of a set, each as a model of its own; empty where there is one tree.
    alone: Vec<Box<dyn Model>>,
}

/// A tree of a set.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// The tree.
    pub tree: Arc<RelationalTree>,
    /// How good the search found it, lower being better, where it says so.
    pub score: Option<f64>,
}

/// How the models of the nodes along a path answer together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Along {
    /// The leaf alone answers.
    Leaf,
    /// What a node says is mixed with what the one above says, which counts as much as so many
    /// objects.
    Smoothed(f64),
    /// What the nodes say is added up: each explains what those above it leave.
    Summed,
}

impl MirtModel {
    /// The model of trees, best first.
    ///
    /// # Panics
    /// If there is no tree: a mistake of the caller, not of data.
    pub fn new(
        terms: Terms,
        trees: Vec<Member>,
        combine: Combine,
        along: Along,
        report: Report,
    ) -> Self {
        assert!(!trees.is_empty(), "a model has a tree");
        Self::of(Arc::new(terms), trees, combine, along, report)
    }

    fn of(
        terms: Arc<Terms>,
        trees: Vec<Member>,
        combine: Combine,
        along: Along,
        report: Report,
    ) -> Self {
        let alone = |member: &Member| -> Box<dyn Model> {
            Box::new(Self {
                terms: Arc::clone(&terms),
                trees: vec![member.clone()],
                combine: Combine::Best,
                along,
                report: report.clone(),
                alone: Vec::new(),
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
            along,
            report,
            alone,
        }
    }

    /// Whether a file has such a model.
    pub fn is_in(stored: &Stored) -> bool {
        store::is_in(stored)
    }

    /// How the trees were found.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Reads a model, checking all of it.
    pub fn read(stored: &Stored) -> Result<Self> {
        store::read(stored)
    }

    /// The trees, best first.
    pub fn trees(&self) -> &[Member] {
        &self.trees
    }

    /// What the model speaks of.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The trees that answer.
    pub(super) fn answering(&self) -> &[Member] {
        match self.combine {
            Combine::Best => &self.trees[..1],
            Combine::Vote | Combine::Average => &self.trees,
        }
    }
}

impl Model for MirtModel {
    fn predict(&self, data: &View, context: &Context) -> Result<Predictions> {
        walk::predict(self, data, context)
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
                [one] => Some(facts::facts(self, one)),
                _ => None,
            },
            ..ModelFacts::default()
        }
    }

    fn explain(&self, data: &View, row: usize, _most: usize) -> Option<Result<Explanation>> {
        Some(explain::explain(self, data, row))
    }

    fn view(&self, name: &str, asked: Asked) -> Option<Result<String>> {
        Some(sql::view(self, name, asked))
    }

    fn drawing(&self) -> Option<Drawing> {
        Some(draw::drawing(self))
    }

    fn visited(&self, data: &View, position: usize) -> Result<Option<Vec<(usize, u32, f64)>>> {
        Ok(Some(draw::visited(self, data, position)?))
    }

    fn members(&self) -> Option<&[Box<dyn Model>]> {
        (!self.alone.is_empty()).then_some(&*self.alone)
    }

    fn pick(&self, member: usize) -> Option<Box<dyn Model>> {
        let member = self.trees.get(member).filter(|_| self.trees.len() > 1)?;
        let picked = vec![member.clone()];
        // What is true of the set alone does not come along.
        let report = Report {
            out_of_bag: Vec::new(),
            importances: Vec::new(),
            epsilon: None,
            ..self.report.clone()
        };
        let terms = Arc::clone(&self.terms);
        Some(Box::new(Self::of(
            terms,
            picked,
            Combine::Best,
            self.along,
            report,
        )))
    }
}
