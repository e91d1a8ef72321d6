//! The learners `tree` and `dbdt`: their settings, and what they mean for the search.

mod forest;
pub(super) mod grading;
pub(super) mod parameters;

pub use forest::FOREST;

use crate::tree::SearchMethod;
use std::collections::BTreeMap;

use kinwood_similarity::{Missing, RowDistance};

use super::amounts::amounts;
use super::columns::{Layout, Looks};
use super::constraint::{Atom, Constraint};
use super::fit::{Fitted, Plan, fitted};
use super::grow::Heuristic;
use super::grow::beam::Search;
use super::grow::unlike::Compared;
use super::model::{Combine, TreeModel};
use super::propose::Prototypes;
use super::propose::prototypes::MOST;
use super::trim::Pruning;
use grading::Grading;
use kinwood_learning::context::Context;
use kinwood_learning::entry::{Entry, Targets};
use kinwood_learning::error::Result;
use kinwood_learning::model::{Learner, Model};
use kinwood_learning::rows::follows;
use kinwood_learning::settings::{Allowed, Parameter, Settings};
use kinwood_learning::task::Task;
use parameters::*;

/// The registry's entry.
pub const TREE: Entry = Entry {
    name: "tree",
    summary: "Grows a tree, or by beam search a set of trees, for classes, numbers, labels, or several targets at once.",
    reference: "Kocev, Struyf and Dzeroski, Beam search induction and similarity constraints for predictive clustering trees, KDID 2006; Blockeel, De Raedt and Ramon, Top-down induction of clustering trees, ICML 1998",
    targets: Targets::All,
    several_targets: true,
    follows_keys: |settings| follows(settings, "keys"),
    flat: true,
    parameters: &[
        SEARCH,
        PRESET,
        HEURISTIC,
        LEAF,
        SIZE,
        DEPTH,
        CONSTRAINTS,
        COSTS,
        PRUNING,
        CONFIDENCE,
        ONE_SE,
        SUBSETS,
        THRESHOLD,
        MISSING,
        DISTANCE,
        KEYS,
        PROTOTYPES,
        ATTRACTION,
        WIDTH,
        ALPHA,
        BETA,
        SIMILARITY,
        MARGIN,
        FIRST,
        COMBINE,
        CLASS_WEIGHTS,
        TARGET_WEIGHTS,
        HIERARCHY_WEIGHT,
    ],
    build: |settings| Ok(Box::new(TreeLearner::new(settings, &TREE)?)),
    load: |stored| Ok(Box::new(TreeModel::read(stored)?)),
};

/// The registry's entry of trees that are divided by prototypes throughout.
pub const DBDT: Entry = Entry {
    name: "dbdt",
    summary: "Grows a tree whose tests ask which prototype a value is nearest to, whatever the value is.",
    reference: "Estruch, Ferri, Hernandez-Orallo and Ramirez-Quintana, Similarity functions for structured data: an application to decision trees, Inteligencia Artificial 10, 2006",
    targets: Targets::All,
    several_targets: true,
    follows_keys: |settings| follows(settings, "keys"),
    flat: true,
    parameters: &[
        PROTOTYPES,
        DISTANCE,
        Parameter {
            default: "1",
            ..KEYS
        },
        ATTRACTION,
        BOUNDARY,
        Parameter {
            default: "largest",
            ..MISSING
        },
        GAIN,
        SEARCH,
        Parameter {
            default: "gain_ratio",
            ..HEURISTIC
        },
        Parameter {
            allowed: Allowed::Real {
                least: 0.0,
                most: f64::MAX,
            },
            default: "0",
            ..LEAF
        },
        SIZE,
        DEPTH,
        CONSTRAINTS,
        COSTS,
        Parameter {
            doc: "How trees are cut back: by default not at all, as in the paper; auto takes c45 for classes and m5 for all else.",
            default: "none",
            ..PRUNING
        },
        CONFIDENCE,
        ONE_SE,
        WIDTH,
        ALPHA,
        BETA,
        SIMILARITY,
        MARGIN,
        FIRST,
        COMBINE,
        CLASS_WEIGHTS,
        TARGET_WEIGHTS,
        HIERARCHY_WEIGHT,
    ],
    build: |settings| Ok(Box::new(TreeLearner::new(settings, &DBDT)?)),
    load: |stored| Ok(Box::new(TreeModel::read(stored)?)),
};

/// Either learner, by its settings.
struct TreeLearner {
    entry: &'static Entry,
    plan: Plan,
    grading: Grading,
    costs: BTreeMap<String, f64>,
}

impl TreeLearner {
    fn new(settings: &Settings, entry: &'static Entry) -> Result<Self> {
        let by_prototypes = entry.name == DBDT.name;
        let size = limit(settings, "size").map(Atom::Size);
        let depth = limit(settings, "depth").map(Atom::Depth);
        let mut parts: Vec<Constraint> = size
            .into_iter()
            .chain(depth)
            .map(Constraint::Atom)
            .collect();
        let written = settings.text("constraints").trim();
        if !written.is_empty() {
            parts.push(Constraint::parse(written)?);
        }
        let heuristic = settings.text("heuristic");
        Ok(Self {
            entry,
            plan: Plan {
                search: SearchMethod::read(settings),
                heuristic: match heuristic {
                    "gain_ratio" => Heuristic::GainRatio,
                    _ => Heuristic::Gain,
                },
                constraint: (!parts.is_empty()).then(|| Constraint::all(parts)),
                leaf: settings.real("leaf"),
                subsets: by_prototypes || settings.flag("subsets"),
                middle: by_prototypes || settings.text("threshold") == "middle",
                looks: looks(settings, by_prototypes)?,
                prototypes: Prototypes {
                    best_boundary: by_prototypes && settings.text("boundary") == "best",
                    ..prototypes(settings)
                },
                together: settings.text("missing") == "largest",
                always: by_prototypes && !settings.flag("gain"),
                beam: search_of(settings),
                pruning: Pruning::read(settings),
                by_error: settings.text("first") == "error",
                combine: match settings.text("combine") {
                    "vote" => Combine::Vote,
                    "average" => Combine::Average,
                    _ => Combine::Best,
                },
            },
            grading: Grading::read(settings)?,
            costs: amounts(settings, "costs")?,
        })
    }
}

/// How a beam searches.
pub(crate) fn search_of(settings: &Settings) -> Search {
    Search {
        width: settings.whole("width"),
        alpha: settings.real("alpha"),
        beta: settings.real("beta"),
        compared: match settings.text("similarity") {
            "distributions" => Compared::Distributions,
            _ => Compared::Predictions,
        },
        margin: settings.real("margin"),
    }
}

/// How inputs are looked at; with `all`, numbers and labels by prototypes too.
fn looks(settings: &Settings, all: bool) -> Result<Looks> {
    Ok(Looks {
        prototypes: all,
        distance: RowDistance {
            expression: settings.text("distance").parse()?,
            missing: Missing::default(),
            depth: settings.whole("keys"),
        },
        layout: Layout::default(),
    })
}

/// How prototypes are chosen.
fn prototypes(settings: &Settings) -> Prototypes {
    let most = settings.text("prototypes").parse();
    Prototypes {
        most: most.map_or(MOST, |most: usize| most.min(MOST)),
        density: settings.text("attraction") == "density",
        ..Prototypes::default()
    }
}

/// A limit that may be `none`.
fn limit(settings: &Settings, name: &str) -> Option<usize> {
    settings.text(name).parse().ok()
}

impl Learner for TreeLearner {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        let kinds = self.grading.kinds(self.entry, task)?;
        let grades = self.grading.grades(&kinds)?;
        self.plan
            .pruning
            .check(&kinds, self.plan.search == SearchMethod::Beam)?;
        let Fitted {
            trees,
            pools,
            report,
        } = context.install(|| {
            let name = self.entry.name;
            fitted(
                &self.plan,
                name,
                task,
                &kinds,
                &grades,
                &self.costs,
                context,
            )
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
            report,
        )?))
    }
}
