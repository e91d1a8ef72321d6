//! The learner `tree`: its settings, and what they mean for the search.

use std::collections::BTreeMap;

use kinwood_values::suggest::nearest;

use super::constraint::{Atom, Constraint};
use super::fit::{Plan, fitted};
use super::grow::beam::Search;
use super::grow::unlike::Compared;
use super::grow::{Heuristic, Stopped};
use super::model::{Combine, TargetKind, TargetOf, TreeModel};
use super::respond::Grades;
use super::response::Impurity;
use super::trim::Pruning;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::model::{Learner, Model};
use crate::registry::{Entry, Targets};
use crate::settings::{Allowed, Parameter, Preset, Settings};
use crate::task::Task;

const POSITIVE: Allowed = Allowed::Whole {
    least: 1,
    most: u64::MAX,
};
const NOT_NEGATIVE: Allowed = Allowed::Real {
    least: 0.0,
    most: f64::MAX,
};

/// The registry's entry.
pub const TREE: Entry = Entry {
    name: "tree",
    summary: "Grows a tree, or by beam search a set of trees, for classes, numbers, labels, or several targets at once.",
    reference: "Kocev, Struyf and Dzeroski, Beam search induction and similarity constraints for predictive clustering trees, KDID 2006; Blockeel, De Raedt and Ramon, Top-down induction of clustering trees, ICML 1998",
    targets: Targets::All,
    several_targets: true,
    follows_keys: |_| false,
    parameters: &[
        Parameter {
            name: "search",
            doc: "How trees are sought: node by node (greedy), the most gaining leaf first (best_first), or several trees at once (beam).",
            allowed: Allowed::Choice(&["greedy", "best_first", "beam"]),
            default: "greedy",
        },
        Parameter {
            name: "preset",
            doc: "`paper` takes the choices of the beam-search paper for every setting that is not given: thresholds are values of the data, and the tree of a beam that errs least in training answers.",
            allowed: Allowed::Preset(&[
                Preset {
                    name: "none",
                    settings: &[],
                },
                Preset {
                    name: "paper",
                    settings: &[("threshold", "value"), ("first", "error")],
                },
            ]),
            default: "none",
        },
        Parameter {
            name: "heuristic",
            doc: "What makes a test good: by default the gain in information for a class, else the fall of the variance.",
            allowed: Allowed::Choice(&["auto", "gain", "gain_ratio", "gini", "variance"]),
            default: "auto",
        },
        Parameter {
            name: "leaf",
            doc: "The least weight of the examples in a leaf.",
            allowed: Allowed::Real {
                least: 1e-6,
                most: f64::MAX,
            },
            default: "2",
        },
        Parameter {
            name: "size",
            doc: "The most nodes of a tree, leaves included, or `none`; greedy trees are pruned to it.",
            allowed: Allowed::WholeOr {
                least: 1,
                words: &["none"],
            },
            default: "none",
        },
        Parameter {
            name: "depth",
            doc: "The most tests from the root to a leaf, or `none`.",
            allowed: Allowed::WholeOr {
                least: 0,
                words: &["none"],
            },
            default: "none",
        },
        Parameter {
            name: "constraints",
            doc: "What every tree must keep to, such as `size <= 11 and (depth <= 4 or cost <= 2.5)`, `uses(age)`, `accuracy >= 0.9`, `like(FILE)`.",
            allowed: Allowed::Text,
            default: "",
        },
        Parameter {
            name: "costs",
            doc: "What a test on a column costs, as `column=2.5, ...`; 1 for the others.",
            allowed: Allowed::Text,
            default: "",
        },
        Parameter {
            name: "pruning",
            doc: "How trees are cut back: by default to the size asked for, without one by c45 for classes and m5 for all else.",
            allowed: Allowed::Choice(Pruning::NAMES),
            default: "auto",
        },
        Parameter {
            name: "confidence",
            doc: "The confidence of c45 pruning: the smaller, the more is pruned.",
            allowed: Allowed::Real {
                least: 1e-6,
                most: 1.0,
            },
            default: "0.25",
        },
        Parameter {
            name: "one_se",
            doc: "Whether cost_complexity takes the smallest tree within one standard error of the best.",
            allowed: Allowed::Flag,
            default: "false",
        },
        Parameter {
            name: "subsets",
            doc: "Whether labels are divided by subsets, or by one label against the others.",
            allowed: Allowed::Flag,
            default: "true",
        },
        Parameter {
            name: "threshold",
            doc: "Whether a threshold lies midway between two values of the data or is the lower one.",
            allowed: Allowed::Choice(&["middle", "value"]),
            default: "middle",
        },
        Parameter {
            name: "width",
            doc: "How many trees a beam holds.",
            allowed: POSITIVE,
            default: "10",
        },
        Parameter {
            name: "alpha",
            doc: "What each node adds to the score of a tree in a beam.",
            allowed: NOT_NEGATIVE,
            default: "0.00001",
        },
        Parameter {
            name: "beta",
            doc: "How much similarity to the other trees adds to the score of a tree in a beam; 1 in the paper, 0 leaves it out.",
            allowed: NOT_NEGATIVE,
            default: "0",
        },
        Parameter {
            name: "similarity",
            doc: "What makes trees similar: their predictions, or their distributions of classes, which is smoother.",
            allowed: Allowed::Choice(&["predictions", "distributions"]),
            default: "predictions",
        },
        Parameter {
            name: "margin",
            doc: "By how much a tree must beat the worst of a full beam to enter.",
            allowed: NOT_NEGATIVE,
            default: "0.000001",
        },
        Parameter {
            name: "first",
            doc: "Which tree of a beam with a size comes first: that of the best score, or the one that errs least in training.",
            allowed: Allowed::Choice(&["score", "error"]),
            default: "score",
        },
        Parameter {
            name: "combine",
            doc: "How the trees of a beam predict: as the best, by vote, or by the average of all.",
            allowed: Allowed::Choice(&["best", "vote", "average"]),
            default: "best",
        },
        Parameter {
            name: "class_weights",
            doc: "How much the examples of a class count, as `label=3, ...`; 1 for the others.",
            allowed: Allowed::Text,
            default: "",
        },
        Parameter {
            name: "target_weights",
            doc: "How much each of several targets counts, as `target=3, ...`, 1 for the others, or as numbers in the order of the targets.",
            allowed: Allowed::Text,
            default: "",
        },
        Parameter {
            name: "hierarchy_weight",
            doc: "In a hierarchy, what a label counts relative to the one above it.",
            allowed: Allowed::Real {
                least: 1e-6,
                most: 1.0,
            },
            default: "0.75",
        },
    ],
    build: |settings| Ok(Box::new(TreeLearner::new(settings)?)),
    load: |stored| Ok(Box::new(TreeModel::read(stored)?)),
};

struct TreeLearner {
    plan: Plan,
    impurity: Option<Impurity>,
    class_weights: BTreeMap<String, f64>,
    target_weights: TargetWeights,
    costs: BTreeMap<String, f64>,
    hierarchy_weight: f64,
}

impl TreeLearner {
    fn new(settings: &Settings) -> Result<Self> {
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
            plan: Plan {
                search: settings.text("search").to_owned(),
                heuristic: match heuristic {
                    "gain_ratio" => Heuristic::GainRatio,
                    _ => Heuristic::Gain,
                },
                constraint: (!parts.is_empty()).then(|| Constraint::all(parts)),
                leaf: settings.real("leaf"),
                subsets: settings.flag("subsets"),
                middle: settings.text("threshold") == "middle",
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
fn by_name(
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
                    learner: TREE.name,
                    expected: TREE.targets.name(),
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
                learner: TREE.name,
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
        let columns: Vec<&str> = view
            .table()
            .attributes()
            .iter()
            .map(|attribute| attribute.name.as_str())
            .collect();
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
        let costs = by_name("costs", &self.costs, &columns)?;
        let (trees, report) =
            context.install(|| fitted(&self.plan, task, &kinds, &grades, &costs, context))?;
        if [Stopped::Time, Stopped::Interrupted]
            .iter()
            .any(|why| why.name() == report.stopped)
        {
            context.cut_short();
        }
        Ok(Box::new(TreeModel::new(
            view,
            kinds,
            trees,
            self.plan.combine,
            report,
        )))
    }
}
