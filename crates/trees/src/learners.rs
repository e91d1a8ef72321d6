//! The learners of trees: their settings, and what they mean for the search.

pub mod choices;
#[cfg(test)]
mod contents_tests;
mod dbdt;
mod forest;
mod grading;
mod linked;
#[cfg(test)]
mod linked_tests;
mod mirt;
pub(crate) mod parameters;
mod single;
mod structured;
#[cfg(test)]
mod watch_tests;

pub use dbdt::{DBDT, Dbdt};
pub use forest::{FOREST, Forest, ForestTests};
pub use grading::TargetWeights;
pub use mirt::{LeafModel, MIRT, Mirt, Spread};
pub use single::{TREE, TreeLearner};
pub use structured::{Structured, StructuredKind};

use std::collections::BTreeMap;

use kinwood_similarity::{Expression, Missing, RowDistance};

use crate::mirt::MirtModel;
use crate::tree::SearchMethod;
use crate::tree::TreeModel;
use crate::tree::columns::{Layout, Looks};
use crate::tree::constraint::{Atom, Constraint};
use crate::tree::fit::{Fitted, Plan, fitted};
use crate::tree::grow::beam::BeamSearch;
use crate::tree::grow::unlike::Compared;
use crate::tree::propose::Prototypes;
use crate::tree::propose::prototypes::MOST;
use choices::Attraction;
use grading::Grading;
use kinwood_learning::context::Context;
use kinwood_learning::entry::Entry;
use kinwood_learning::error::Result;
use kinwood_learning::model::Model;
use kinwood_learning::settings::Settings;
use kinwood_learning::task::Task;
use kinwood_values::container::Stored;
use linked::{Grown, LinkedPlan, is_linked};

/// What the settings of `tree` or `dbdt` come to.
struct Planned {
    entry: &'static Entry,
    plan: Plan,
    grading: Grading,
    /// Settings that are given and do nothing where tests follow keys.
    unused: Vec<&'static str>,
    /// How structured columns are tested.
    structured: Structured,
}

impl Planned {
    /// Fits trees whose tests follow so many keys, where there are any and the number is not 0.
    fn fit(
        &self,
        costs: &BTreeMap<String, f64>,
        follow: usize,
        task: &Task,
        context: &Context,
    ) -> Result<Box<dyn Model>> {
        let kinds = self.grading.kinds(self.entry, task)?;
        let grades = self.grading.grades(&kinds)?;
        let search = &self.plan.search;
        search
            .pruning
            .check(&kinds, search.method == SearchMethod::Beam)?;
        if follow > 0 && is_linked(task.view()) {
            let plan = LinkedPlan {
                follow,
                leaf: self.plan.leaf,
                heuristic: self.plan.heuristic,
                costs,
                combine: self.plan.combine,
                along: self.plan.along,
                unused: self.unused.clone(),
                structured: self.structured.clone(),
                grown: Grown::Search(search),
            };
            let model = context.install(|| linked::fitted(&plan, task, &kinds, &grades, context));
            return Ok(Box::new(model?));
        }
        let Fitted {
            trees,
            pools,
            report,
        } = context.install(|| {
            let name = self.entry.name;
            fitted(&self.plan, name, task, &kinds, &grades, costs, context)
        })?;
        if report.stopped.cut_short() {
            context.cut_short();
        }
        Ok(Box::new(TreeModel::new(
            task.view(),
            pools,
            kinds,
            trees,
            self.plan.combine,
            self.plan.along,
            report,
        )?))
    }
}

impl BeamSearch {
    /// As the settings `width`, `alpha`, `beta`, `similarity`, `margin` and `epsilon` have it.
    pub(crate) fn read(settings: &Settings) -> Self {
        Self {
            width: settings.whole("width"),
            alpha: settings.real("alpha"),
            beta: settings.real("beta"),
            compared: settings.word("similarity", Compared::named),
            margin: settings.real("margin"),
            epsilon: settings.real("epsilon"),
        }
    }

    /// Fails on numbers out of range.
    pub(crate) fn check(&self, entry: &Entry) -> Result<()> {
        entry.check("width", self.width)?;
        entry.check("alpha", self.alpha)?;
        entry.check("beta", self.beta)?;
        entry.check("margin", self.margin)?;
        entry.check("epsilon", self.epsilon)
    }
}

/// How many keys tests follow on a database: none where rows are compared over keys, or by a
/// distance that is written.
fn links_followed(follow: usize, keys: usize, distance: &Expression) -> usize {
    match keys == 0 && distance.to_string() == ROWS {
        true => follow,
        false => 0,
    }
}

/// The same by settings.
fn follows_links(settings: &Settings) -> bool {
    settings.whole("follow") > 0 && settings.whole("keys") == 0 && settings.text("distance") == ROWS
}

/// The distance of rows by default.
const ROWS: &str = "mean";

/// Reads a model of trees: over the columns of one table, or over the keys of a database.
fn load(stored: &Stored) -> Result<Box<dyn Model>> {
    Ok(match MirtModel::is_in(stored) {
        true => Box::new(MirtModel::read(stored)?),
        false => Box::new(TreeModel::read(stored)?),
    })
}

/// The constraints that are written, if any are.
pub(crate) fn written(settings: &Settings) -> Result<Option<Constraint>> {
    match settings.text("constraints").trim() {
        "" => Ok(None),
        text => Constraint::parse(text).map(Some),
    }
}

/// Fails on limits that text could not give.
pub(crate) fn check_limits(
    entry: &Entry,
    size: Option<usize>,
    depth: Option<usize>,
    written: Option<&Constraint>,
) -> Result<()> {
    check_number(entry, "size", size)?;
    check_number(entry, "depth", depth)?;
    match written {
        Some(constraint) => Constraint::parse(&constraint.to_string()).map(|_| ()),
        None => Ok(()),
    }
}

/// Fails on a number out of range; that there is none is never wrong.
pub(crate) fn check_number(entry: &Entry, name: &str, number: Option<usize>) -> Result<()> {
    number.map_or(Ok(()), |number| entry.check(name, number))
}

/// Everything that every tree must keep to.
pub(crate) fn constraint(
    size: Option<usize>,
    depth: Option<usize>,
    written: Option<&Constraint>,
) -> Option<Constraint> {
    let limits = [size.map(Atom::Size), depth.map(Atom::Depth)];
    let limits = limits.into_iter().flatten().map(Constraint::Atom);
    let parts: Vec<Constraint> = limits.chain(written.cloned()).collect();
    (!parts.is_empty()).then(|| Constraint::all(parts))
}

/// How inputs are looked at; with `all`, numbers and labels by prototypes too.
fn looks(distance: &Expression, keys: usize, all: bool, structured: &Structured) -> Looks {
    Looks {
        prototypes: all,
        distance: RowDistance {
            expression: distance.clone(),
            missing: Missing::default(),
            depth: keys,
        },
        structured: structured.of_columns(),
        corrected: structured.corrected,
        layout: Layout::default(),
    }
}

/// How prototypes are chosen.
fn prototypes(most: Option<usize>, attraction: Attraction) -> Prototypes {
    Prototypes {
        most: most.map_or(MOST, |most| most.min(MOST)),
        density: attraction == Attraction::Density,
        ..Prototypes::default()
    }
}
