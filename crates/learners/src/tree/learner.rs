//! The learners `tree` and `dbdt`: their settings, and what they mean for the search.

mod parameters;

use std::collections::BTreeMap;

use kinwood_values::suggest::nearest;

use kinwood_similarity::{Missing, RowDistance};

use super::columns::Looks;
use super::constraint::{Atom, Constraint};
use super::fit::{Fitted, Plan, fitted};
use super::grow::beam::Search;
use super::grow::unlike::Compared;
use super::grow::{Heuristic, Stopped};
use super::model::{Combine, TargetKind, TargetOf, TreeModel};
use super::propose::Prototypes;
use super::propose::prototypes::MOST;
use super::respond::Grades;
use super::response::Impurity;
use super::trim::Pruning;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::model::{Learner, Model};
use crate::registry::{Entry, Targets};
use crate::settings::{Allowed, Parameter, Settings};
use crate::task::Task;
use parameters::*;

/// The registry's entry.
pub const TREE: Entry = Entry {
    name: "tree",
    summary: "Grows a tree, or by beam search a set of trees, for classes, numbers, labels, or several targets at once.",
    reference: "Kocev, Struyf and Dzeroski, Beam search induction and similarity constraints for predictive clustering trees, KDID 2006; Blockeel, De Raedt and Ramon, Top-down induction of clustering trees, ICML 1998",
    targets: Targets::All,
    several_targets: true,
    follows_keys: |settings| settings.whole("keys") > 0,
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
    follows_keys: |settings| settings.whole("keys") > 0,
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
    impurity: Option<Impurity>,
    class_weights: BTreeMap<String, f64>,
    target_weights: TargetWeights,
    costs: BTreeMap<String, f64>,
    hierarchy_weight: f64,
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
                search: settings.text("search").to_owned(),
                heuristic: match heuristic {
                    "gain_ratio" => Heuristic::GainRatio,
                    _ => Heuristic::Gain,
                },
                constraint: (!parts.is_empty()).then(|| Constraint::all(parts)),
                leaf: settings.real("leaf"),
                subsets: by_prototypes || settings.flag("subsets"),
                middle: by_prototypes || settings.text("threshold") == "middle",
                looks: Looks {
                    prototypes: by_prototypes,
                    distance: RowDistance {
                        expression: settings.text("distance").parse()?,
                        missing: Missing::default(),
                        depth: settings.whole("keys"),
                    },
                },
                prototypes: Prototypes {
                    most: settings
                        .text("prototypes")
                        .parse()
                        .map_or(MOST, |most: usize| most.min(MOST)),
                    density: settings.text("attraction") == "density",
                    best_boundary: by_prototypes && settings.text("boundary") == "best",
                    draws: None,
                },
                together: settings.text("missing") == "largest",
                always: by_prototypes && !settings.flag("gain"),
                beam: Search {
                    width: settings.whole("width"),
                    alpha: settings.real("alpha"),
                    beta: settings.real("beta"),
                    compared: match settings.text("similarity") {
                        "distributions" => Compared::Distributions,
                        _ => Compared::Predictions,
                    },
                    margin: settings.real("margin"),
                },
                pruning: Pruning::read(settings),
                by_error: settings.text("first") == "error",
                combine: match settings.text("combine") {
                    "vote" => Combine::Vote,
                    "average" => Combine::Average,
                    _ => Combine::Best,
                },
            },
            impurity: match heuristic {
                "auto" => None,
                "gini" | "variance" => Some(Impurity::Gini),
                _ => Some(Impurity::Entropy),
            },
            class_weights: amounts(settings, "class_weights")?,
            target_weights: targets(settings)?,
            costs: amounts(settings, "costs")?,
            hierarchy_weight: settings.real("hierarchy_weight"),
        })
    }
}

/// A limit that may be `none`.
fn limit(settings: &Settings, name: &str) -> Option<usize> {
    settings.text(name).parse().ok()
}

/// Named amounts, `name=1.5, other=2`.
fn amounts(settings: &Settings, setting: &'static str) -> Result<BTreeMap<String, f64>> {
    let mut amounts = BTreeMap::new();
    for part in settings
        .text(setting)
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
    {
        let amount = part.rsplit_once('=').and_then(|(name, amount)| {
            let amount: f64 = amount.trim().parse().ok()?;
            let fits = amount.is_finite() && amount >= 0.0;
            fits.then(|| (name.trim().to_owned(), amount))
        });
        let (name, amount) = amount.ok_or_else(|| Error::SettingValue {
            name: setting.to_owned(),
            value: part.to_owned(),
            expected: "a name and a number that is not negative, as `name=1.5, other=2`".to_owned(),
            nearest: None,
        })?;
        amounts.insert(name, amount);
    }
    Ok(amounts)
}

/// How much each target counts.
enum TargetWeights {
    Named(BTreeMap<String, f64>),
    /// In the order of the targets.
    Listed(Vec<f64>),
}

fn targets(settings: &Settings) -> Result<TargetWeights> {
    let text = settings.text("target_weights");
    let numbers: Option<Vec<f64>> = text
        .split(',')
        .map(|part| part.trim().parse().ok())
        .collect();
    match numbers.filter(|numbers| {
        numbers
            .iter()
            .all(|number| number.is_finite() && *number >= 0.0)
    }) {
        Some(numbers) => Ok(TargetWeights::Listed(numbers)),
        None => Ok(TargetWeights::Named(amounts(settings, "target_weights")?)),
    }
}

impl TargetWeights {
    fn of(&self, names: &[&str]) -> Result<Vec<f64>> {
        match self {
            TargetWeights::Named(amounts) => by_name("target_weights", amounts, names),
            TargetWeights::Listed(numbers) if numbers.len() == names.len() => Ok(numbers.clone()),
            TargetWeights::Listed(numbers) => Err(Error::SettingValue {
                name: "target_weights".to_owned(),
                value: numbers
                    .iter()
                    .map(f64::to_string)
                    .collect::<Vec<_>>()
                    .join(", "),
                expected: format!("a number for each of {}", listed(names)),
                nearest: None,
            }),
        }
    }
}

/// The amount of each name, 1 where none is given; an amount of a name that there is not is refused.
pub(super) fn by_name(
    setting: &'static str,
    amounts: &BTreeMap<String, f64>,
    names: &[&str],
) -> Result<Vec<f64>> {
    if let Some(unknown) = amounts.keys().find(|name| !names.contains(&name.as_str())) {
        return Err(Error::SettingValue {
            name: setting.to_owned(),
            value: unknown.clone(),
            expected: format!("one of {}", listed(names)),
            nearest: nearest(unknown, names),
        });
    }
    Ok(names
        .iter()
        .map(|name| amounts.get(*name).copied().unwrap_or(1.0))
        .collect())
}

fn listed(names: &[&str]) -> String {
    const MOST: usize = 20;
    let mut list = names
        .iter()
        .take(MOST)
        .map(|name| format!("`{name}`"))
        .collect::<Vec<_>>()
        .join(", ");
    if names.len() > MOST {
        list += &format!(" and {} more", names.len() - MOST);
    }
    list
}

impl Learner for TreeLearner {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        let targets = task.targets();
        let kinds: Vec<TargetOf> = targets
            .iter()
            .map(|target| {
                TargetOf::of(target).ok_or_else(|| Error::TargetType {
                    learner: self.entry.name,
                    expected: self.entry.targets.name(),
                    target: target.name().to_owned(),
                    found: target.values().type_of().to_string(),
                    hint: "",
                })
            })
            .collect::<Result<_>>()?;
        if let Some(labels) = kinds
            .iter()
            .find(|target| matches!(target.kind, TargetKind::Labels { .. }))
            && kinds.len() > 1
        {
            return Err(Error::TargetType {
                learner: self.entry.name,
                expected: "several nominal and numeric",
                target: labels.name.clone(),
                found: "a set of labels".to_owned(),
                hint: ": a set of labels is predicted alone",
            });
        }
        let names: Vec<&str> = kinds.iter().map(|target| target.name.as_str()).collect();
        let classes: Vec<&str> = kinds
            .iter()
            .flat_map(|target| match &target.kind {
                TargetKind::Classes(classes) => classes.labels().collect::<Vec<_>>(),
                _ => Vec::new(),
            })
            .collect();
        let view = task.view();
        if !self.class_weights.is_empty()
            && !matches!(kinds.as_slice(), [one] if matches!(one.kind, TargetKind::Classes(_)))
        {
            return Err(Error::SettingValue {
                name: "class_weights".to_owned(),
                value: listed(
                    &self
                        .class_weights
                        .keys()
                        .map(String::as_str)
                        .collect::<Vec<_>>(),
                ),
                expected: "nothing unless the only target is a class".to_owned(),
                nearest: None,
            });
        }
        by_name("class_weights", &self.class_weights, &classes)?;
        self.plan
            .pruning
            .check(&kinds, self.plan.search == "beam")?;
        let grades = Grades {
            impurity: self.impurity,
            class_weights: &self.class_weights,
            target_weights: self.target_weights.of(&names)?,
            hierarchy_weight: self.hierarchy_weight,
        };
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
        if [Stopped::Time, Stopped::Interrupted]
            .iter()
            .any(|why| why.name() == report.stopped)
        {
            context.cut_short();
        }
        Ok(Box::new(TreeModel::new(
            view,
            pools,
            kinds,
            trees,
            self.plan.combine,
            report,
        )))
    }
}
