//! k nearest neighbours, over rows of any columns and what their foreign keys reach.
//!
//! `preset=ib1` is IB1: the nearest stored row, numbers as shares of the training range, labels 0 or 1, a missing value as
//! far as can be. The paper's tie rule is the first stored row; so is ours. IB2 and IB3 keep fewer rows (`filter`).

mod choose;
mod filter;
mod model;
#[cfg(test)]
mod tests;
mod vote;

use kinwood_similarity::{Missing, RowDistance};

use self::filter::Rule;
use self::model::{Declared, Neighbours};
use self::vote::{Vote, Weights};
use kinwood_learning::context::Context;
use kinwood_learning::entry::{Entry, Targets};
use kinwood_learning::error::{Error, Result};
use kinwood_learning::examples::{Examples, rows_of};
use kinwood_learning::model::{Learner, Model};
use kinwood_learning::rows::{DEPTH, DISTANCE, follows};
use kinwood_learning::settings::{Allowed, Parameter, Preset, Settings};
use kinwood_learning::task::Task;

/// What `k` is when leaving one out is to choose it.
const BY_LEAVE_ONE_OUT: &str = "loo";

/// The registry's entry.
pub const KNN: Entry = Entry {
    name: "knn",
    summary: "Predicts from the k most similar training rows; IB1, IB2 and IB3 are settings of it.",
    reference: "Aha, Kibler and Albert, Instance-based learning algorithms, Machine Learning 6, 1991",
    targets: Targets::Both,
    several_targets: true,
    follows_keys: |settings| follows(settings, "depth"),
    flat: true,
    parameters: &[
        Parameter {
            name: "preset",
            doc: "Other defaults: ib1 for k=1, weights=uniform, distance=euclidean, missing=max; settings given beside it win.",
            allowed: Allowed::Preset(&[
                Preset {
                    name: "none",
                    settings: &[],
                },
                Preset {
                    name: "ib1",
                    settings: &[
                        ("k", "1"),
                        ("weights", "uniform"),
                        ("filter", "none"),
                        ("distance", "euclidean"),
                        ("missing", "max"),
                    ],
                },
            ]),
            default: "none",
        },
        Parameter {
            name: "k",
            doc: "How many neighbours vote; loo chooses the number with the least leave-one-out error on the training rows.",
            allowed: Allowed::WholeOr {
                least: 1,
                words: &[BY_LEAVE_ONE_OUT],
            },
            default: "1",
        },
        Parameter {
            name: "most",
            doc: "The largest k that k=loo tries.",
            allowed: Allowed::Whole {
                least: 1,
                most: 10_000,
            },
            default: "30",
        },
        Parameter {
            name: "weights",
            doc: "How much a neighbour's vote counts: the same for all, the inverse of its distance, or the tricube kernel of its distance over that of neighbour k+1.",
            allowed: Allowed::Choice(Weights::NAMES),
            default: "uniform",
        },
        Parameter {
            name: "filter",
            doc: "Which training rows are kept: all (none), those that the ones kept before misclassify (ib2), or of these the ones with a significantly good record (ib3).",
            allowed: Allowed::Choice(Rule::NAMES),
            default: "none",
        },
        DISTANCE,
        DEPTH,
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
    /// The number of neighbours, unless it is to be chosen.
    k: Option<usize>,
    /// The largest number to choose.
    most: usize,
    weights: Weights,
    filter: Option<Rule>,
    distance: RowDistance,
}

impl Knn {
    fn new(settings: &Settings) -> Result<Self> {
        let learner = Self {
            k: settings.text("k").parse().ok(),
            most: settings.whole("most"),
            weights: Weights::named(settings.text("weights")),
            filter: Rule::named(settings.text("filter")),
            distance: RowDistance {
                expression: settings.text("distance").parse()?,
                missing: settings.text("missing").parse().unwrap_or_default(),
                depth: settings.whole("depth"),
            },
        };
        // The rows that are kept are the hard ones: leaving one of them out says nothing of the others.
        if learner.k.is_none() && learner.filter.is_some() {
            return Err(Error::SettingValue {
                name: "k".to_owned(),
                value: BY_LEAVE_ONE_OUT.to_owned(),
                expected: "a whole number where `filter` keeps some rows only".to_owned(),
                nearest: None,
            });
        }
        Ok(learner)
    }
}

impl Learner for Knn {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        let distance = self.distance.over(task.view())?;
        let rows = rows_of(task, &distance, KNN.name)?;
        if let Some(rule) = self.filter {
            rule.check(task)?;
        }
        let declared = Declared {
            vote: Vote {
                k: self.k.unwrap_or(1),
                weights: self.weights,
            },
            chosen_up_to: self.k.is_none().then_some(self.most),
            distance,
        };
        let examples = Examples::new(rows, task)?;
        Ok(Box::new(Neighbours::fit(
            declared,
            self.filter,
            examples,
            context,
        )?))
    }
}
