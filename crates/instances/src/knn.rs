//! k nearest neighbours, over rows of any columns and what their foreign keys reach.
//!
//! `preset=ib1` is IB1: the nearest stored row, numbers as shares of the training range, labels 0
//! or 1, a missing value as far as can be. The paper's tie rule is the first stored row; so is
//! ours. IB2 and IB3 keep fewer rows (`filter`).

mod choose;
mod filter;
mod model;
mod settings;
#[cfg(test)]
mod tests;
mod vote;

pub use filter::InstanceFilter;
pub use settings::Knn;
pub use vote::NeighbourWeights;

use kinwood_similarity::Missing;

use self::model::{Declared, Neighbours};
use self::vote::Vote;
use kinwood_learning::context::Context;
use kinwood_learning::entry::{Entry, Targets};
use kinwood_learning::error::Result;
use kinwood_learning::examples::{Examples, rows_of};
use kinwood_learning::model::{Learner, Model};
use kinwood_learning::rows::{DEPTH, DISTANCE, follows};
use kinwood_learning::settings::{Allowed, Parameter, Preset};
use kinwood_learning::task::Task;

/// What `k` is when leaving one out is to choose it.
const BY_LEAVE_ONE_OUT: &str = "loo";
/// What `k` is when leaving some rows out, one at a time, is to choose it, unless rows are
/// filtered.
const AUTO: &str = "auto";
/// So many rows are left out where `k` is chosen without being asked to: a share of all that tells
/// enough, as the work grows with their number.
const LEFT_OUT: usize = 1000;

/// The registry's entry.
pub const KNN: Entry = Entry {
    name: "knn",
    summary: "Predicts from the k most similar training rows; IB1, IB2 and IB3 are settings of it.",
    reference: "Aha, Kibler and Albert, Instance-based learning algorithms, Machine Learning 6, 1991",
    targets: Targets::BOTH,
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
            doc: "How many neighbours vote; loo chooses the number with the least leave-one-out error on the training rows, and so does auto with at most 1000 of them left out, drawn at random; with a filter auto is 1.",
            allowed: Allowed::WholeOr {
                least: 1,
                words: &[AUTO, BY_LEAVE_ONE_OUT],
            },
            default: AUTO,
        },
        Parameter {
            name: "most",
            doc: "The largest k that auto and loo try.",
            allowed: Allowed::Whole {
                least: 1,
                most: 10_000,
            },
            default: "30",
        },
        Parameter {
            name: "weights",
            doc: "How much a neighbour's vote counts: the same for all, the inverse of its distance, or the tricube kernel of its distance over that of neighbour k+1.",
            allowed: Allowed::Choice(NeighbourWeights::NAMES),
            default: "uniform",
        },
        Parameter {
            name: "filter",
            doc: "Which training rows are kept: all (none), those that the ones kept before misclassify (ib2), or of these the ones with a significantly good record (ib3).",
            allowed: Allowed::Choice(InstanceFilter::NAMES),
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
    build: |settings| Ok(Box::new(Knn::read(settings)?)),
    load: |stored| Ok(Box::new(Neighbours::read(stored)?)),
};

impl Learner for Knn {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        self.check()?;
        let distance = self.rows().over(task.view())?;
        let rows = rows_of(task, &distance, KNN.name)?;
        if let Some(rule) = self.filter {
            rule.check(task)?;
        }
        let declared = Declared {
            vote: Vote {
                // Where it is chosen, any number will do until then.
                k: self.k.unwrap_or(1),
                weights: self.weights,
            },
            chosen_up_to: self.chosen_up_to(),
            left_out: self.left_out,
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
