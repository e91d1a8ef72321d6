//! The model: what it looks at, and for each target the scores that rows begin with and the trees
//! that add to them.

mod additive;
mod explain;
mod predict;
mod show;
mod sql;
mod store;
mod words;

use std::ops::Range;

pub use predict::Block;

use kinwood_learning::context::Context;
use kinwood_learning::drawing::SumDrawn;
use kinwood_learning::error::Result;
use kinwood_learning::explanation::Explanation;
use kinwood_learning::facts::{ModelFacts, StopReason};
use kinwood_learning::model::{Contributions, Decisions, Model};
use kinwood_learning::predictions::Predictions;
use kinwood_learning::sql::{Asked, Expression};
use kinwood_learning::target::{CENSORED, CLASSES, LABELS, ORDERED, TargetKind};
use kinwood_values::View;
use kinwood_values::container::{Sections, Stored};
use serde::{Deserialize, Serialize};

use super::features::Features;
use super::loss::{Loss, exponential, logistic, softmax};
use super::tree::Tree;

/// A boosted model.
pub struct BoostedModel {
    pub(super) features: Features,
    pub(super) targets: Vec<BoostedTarget>,
    report: Report,
}

/// What is known of how it was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// Why boosting ended.
    pub stopped: StopReason,
}

/// A target of a boosted model.
pub struct BoostedTarget {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: TargetKind,
    /// What was made small.
    pub loss: Loss,
    /// The scores that rows begin with.
    pub base: Vec<f64>,
    /// A tree for each score, round after round; of several models, those of the same round are
    /// next to each other.
    pub trees: Vec<Tree>,
    /// How many models were boosted apart, whose mean this is.
    pub models: usize,
    /// By time: how much hazard there is until then for a score of 0.
    pub hazards: Vec<f64>,
    /// The weight of the training rows.
    pub weight: f64,
    /// How the number of rounds was chosen.
    pub chosen: String,
    /// The least loss of the rows that were held back.
    pub loss_held: Option<f64>,
}

impl BoostedTarget {
    /// How many scores a row has.
    pub fn outputs(&self) -> usize {
        self.base.len()
    }

    /// How many rounds there are.
    pub fn rounds(&self) -> usize {
        self.trees.len() / self.trees_of_round().max(1)
    }

    /// How many trees a round has.
    pub fn trees_of_round(&self) -> usize {
        self.outputs() * self.models
    }

    /// The trees of a score.
    pub fn trees_of(&self, output: usize) -> impl Iterator<Item = &Tree> {
        self.trees.iter().skip(output).step_by(self.outputs())
    }

    /// What a score is called: empty where there is only one and it is the number itself.
    pub fn output_name(&self, output: usize) -> String {
        let parts = self.kind.parts();
        match self.loss {
            Loss::Logistic if self.kind.is(&CLASSES) => parts.get(1).cloned().unwrap_or_default(),
            Loss::Logistic | Loss::Softmax => parts.get(output).cloned().unwrap_or_default(),
            _ => String::new(),
        }
    }

    /// In what a score is measured.
    pub fn scale(&self, output: usize) -> String {
        match self.loss {
            Loss::Logistic => format!("log-odds of {}", self.output_name(output)),
            Loss::Softmax => format!("score of {}", self.output_name(output)),
            Loss::Poisson | Loss::Gamma => format!("logarithm of {}", self.name),
            Loss::Cox => "logarithm of the hazard".to_owned(),
            _ => self.name.clone(),
        }
    }

    /// What the scores of a row predict.
    pub fn predicted(&self, scores: &[f64], out: &mut [f64]) {
        match self.loss {
            Loss::Logistic if self.kind.is(&CLASSES) => {
                let second = logistic(scores[0]);
                out.copy_from_slice(&[1.0 - second, second]);
            }
            Loss::Logistic => {
                // The last of ordered classes is never exceeded.
                out.fill(1.0);
                for (out, score) in out.iter_mut().zip(scores) {
                    *out = logistic(*score);
                }
                if self.kind.is(&ORDERED) && out.len() == 1 {
                    out[0] = 1.0;
                }
                if self.kind.is(&ORDERED) || self.kind.is(&LABELS) {
                    self.below_those_above(out);
                    self.kind.settle(out);
                }
            }
            Loss::Softmax => {
                out.copy_from_slice(scores);
                softmax(out);
            }
            Loss::Cox => {
                debug_assert!(self.kind.is(&CENSORED));
                let risk = exponential(scores[0]);
                for (out, hazard) in out.iter_mut().zip(&self.hazards) {
                    *out = (-hazard * risk).exp();
                }
                self.kind.settle(out);
            }
            loss if loss.is_log() => out[0] = exponential(scores[0]),
            _ => out[0] = scores[0],
        }
    }

    /// In a hierarchy no label is more probable than the one above it.
    fn below_those_above(&self, out: &mut [f64]) {
        let Some(labels) = self.kind.as_labels() else {
            return;
        };
        let own = out.to_vec();
        for (label, out) in (0..).zip(out) {
            let mut above = labels.parent(label);
            while let Some(place) = above {
                *out = out.min(own[place as usize]);
                above = labels.parent(place);
            }
        }
    }
}

impl BoostedModel {
    /// The model of the targets' trees, with the features that these test.
    pub fn new(features: Features, mut targets: Vec<BoostedTarget>, report: Report) -> Self {
        let mut used = vec![false; features.all.len()];
        for tree in targets.iter().flat_map(|target| &target.trees) {
            for node in (0..tree.len()).filter(|&node| !tree.is_leaf(node)) {
                used[tree.features[node] as usize] = true;
            }
        }
        let kept: Vec<usize> = (0..used.len()).filter(|&feature| used[feature]).collect();
        let mut place = vec![0; used.len()];
        for (own, &feature) in (0..).zip(&kept) {
            place[feature] = own;
        }
        for tree in targets.iter_mut().flat_map(|target| &mut target.trees) {
            for feature in &mut tree.features {
                *feature = place[*feature as usize];
            }
        }
        Self {
            features: features.picked(&kept),
            targets,
            report,
        }
    }

    /// Reads a model, trusting nothing.
    pub fn read(stored: &Stored) -> Result<Self> {
        store::read(stored)
    }
}

impl Model for BoostedModel {
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
        let trees = self.targets.iter().flat_map(|target| &target.trees);
        ModelFacts {
            size: Some(trees.map(|tree| tree.len() as u64).sum()),
            stopped: Some(self.report.stopped),
            ..ModelFacts::default()
        }
    }

    fn stages(&self) -> usize {
        let rounds = self.targets.iter().map(BoostedTarget::rounds);
        rounds.max().unwrap_or(0)
    }

    fn staged(
        &self,
        data: &View,
        stages: Range<usize>,
        context: &Context,
    ) -> Option<Result<Vec<Predictions>>> {
        let end = stages.end.min(self.stages() + 1);
        let stages = stages.start.min(end)..end;
        Some(predict::staged(self, data, stages, context))
    }

    fn decisions(&self, data: &View, context: &Context) -> Option<Result<Decisions>> {
        predict::decisions(self, data, context)
    }

    fn contributions(&self, data: &View, context: &Context) -> Option<Result<Vec<Contributions>>> {
        Some(explain::contributions(self, data, context))
    }

    fn visited(&self, data: &View, position: usize) -> Result<Option<Vec<(usize, u32, f64)>>> {
        predict::visited(self, data, position).map(Some)
    }

    fn explain(&self, data: &View, row: usize, _most: usize) -> Option<Result<Explanation>> {
        Some(explain::explain(self, data, row))
    }

    fn sql(&self, asked: Asked) -> Option<Result<Vec<Expression>>> {
        Some(sql::expressions(self, asked))
    }

    fn sums(&self) -> Option<Vec<SumDrawn>> {
        additive::drawn(self)
    }

    fn reads_one_table(&self) -> bool {
        true
    }
}
