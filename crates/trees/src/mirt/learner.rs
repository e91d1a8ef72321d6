//! The learner `mirt`: its settings, and what they mean.

use super::em::Stepwise;
use super::fit::{Plan, Pruning, any_classes, fitted};
use super::model::{Along, MirtModel};
use super::propose::Rules;
use super::prototypes::pools;
use super::regress::{Banned, Method, Regression};
use super::terms::Terms;
use crate::tree::SearchMethod;
use crate::tree::constraint::{Atom, Constraint};
use crate::tree::{
    ALPHA, BETA, COMBINE, COSTS, Combine, DEPTH, MARGIN, ONE_SE, SEARCH, SIMILARITY, SIZE,
    TargetOf, WIDTH, amounts, search_of,
};
use kinwood_learning::context::Context;
use kinwood_learning::entry::{Entry, Targets};
use kinwood_learning::error::{Error, Result};
use kinwood_learning::model::{Learner, Model};
use kinwood_learning::settings::{Allowed, Parameter, Preset, Settings};
use kinwood_learning::task::Task;

/// The registry's entry.
pub const MIRT: Entry = Entry {
    name: "mirt",
    summary: "Grows a tree over the foreign keys of a database, with linear leaves for numbers.",
    reference: "Appice, Ceci and Malerba, Top-down induction of relational model trees in multi-instance learning, ILP 2008",
    targets: Targets::All,
    several_targets: true,
    follows_keys: |_| true,
    flat: false,
    parameters: &[
        PRESET,
        SEARCH,
        KEYS,
        flag(
            "combined",
            "Whether a test may follow keys and put a condition on what they lead to.",
            "true",
        ),
        flag(
            "at_least",
            "Whether X >= a is tried besides X <= a.",
            "false",
        ),
        flag(
            "counts",
            "Whether linked rows are counted: count(bond) >= 3.",
            "false",
        ),
        flag(
            "every",
            "Whether conditions on all linked rows are tried.",
            "false",
        ),
        flag(
            "aggregates",
            "Whether the mean, the least and the greatest value of linked rows are tested.",
            "false",
        ),
        PROTOTYPES,
        DISTANCE,
        HEURISTIC,
        OBJECTS,
        DETERMINED,
        LEAF,
        LEAF_MODEL,
        RESTARTS,
        SIGNIFICANCE,
        flag(
            "leaf_labels",
            "Whether labels are variables of linear leaves.",
            "false",
        ),
        flag(
            "leaf_aggregates",
            "Whether aggregates over the rows of the path are variables of linear leaves.",
            "false",
        ),
        AROUND,
        SMOOTHING,
        flag(
            "clip",
            "Whether linear leaves say nothing beyond what they saw in training.",
            "false",
        ),
        PRUNING,
        ONE_SE,
        SIZE,
        DEPTH,
        CONSTRAINTS,
        COSTS,
        WIDTH,
        ALPHA,
        BETA,
        SIMILARITY,
        MARGIN,
        COMBINE,
        BINDINGS,
    ],
    build: |settings| Ok(Box::new(MirtLearner::new(settings)?)),
    load: |stored| Ok(Box::new(MirtModel::read(stored)?)),
};

const fn flag(name: &'static str, doc: &'static str, default: &'static str) -> Parameter {
    Parameter {
        name,
        doc,
        allowed: Allowed::Flag,
        default,
    }
}

const PRESET: Parameter = Parameter {
    name: "preset",
    doc: "`paper` is MIRT as published; `best` takes what was found to predict better: further tests, ridge leaves over aggregates, smoothing, pruning.",
    allowed: Allowed::Preset(&[
        Preset {
            name: "paper",
            settings: &[],
        },
        Preset {
            name: "best",
            settings: &[
                ("at_least", "true"),
                ("counts", "true"),
                ("aggregates", "true"),
                ("leaf_model", "linear"),
                ("leaf_labels", "true"),
                ("leaf_aggregates", "true"),
                ("around", "2"),
                ("clip", "true"),
                ("pruning", "models"),
                ("smoothing", "15"),
            ],
        },
    ]),
    default: "paper",
};

const KEYS: Parameter = Parameter {
    name: "keys",
    doc: "The most foreign keys that one test follows.",
    allowed: Allowed::Whole { least: 0, most: 4 },
    default: "2",
};

const PROTOTYPES: Parameter = Parameter {
    name: "prototypes",
    doc: "How many prototypes of a structured column tests may ask to be near of; 0 leaves such columns out.",
    allowed: Allowed::Whole { least: 0, most: 64 },
    default: "8",
};

const DISTANCE: Parameter = Parameter {
    name: "distance",
    doc: "How far structured values are apart, where the schema does not say: an expression (see `kinwood distances`).",
    allowed: Allowed::Text,
    default: "default",
};

const HEURISTIC: Parameter = Parameter {
    name: "heuristic",
    doc: "What tests are compared by: the weighted mean of the standard deviations of the two sides, or of the variances.",
    allowed: Allowed::Choice(&["deviation", "variance"]),
    default: "deviation",
};

const OBJECTS: Parameter = Parameter {
    name: "objects",
    doc: "Only nodes with more objects than this are divided; sqrt is the root of the number of training objects.",
    allowed: Allowed::WholeOr {
        least: 0,
        words: &["sqrt"],
    },
    default: "sqrt",
};

const DETERMINED: Parameter = Parameter {
    name: "determined",
    doc: "Only nodes whose coefficient of determination is not above this are divided.",
    allowed: Allowed::Real {
        least: 0.0,
        most: 1.0,
    },
    default: "0.8",
};

const LEAF: Parameter = Parameter {
    name: "leaf",
    doc: "The least weight of the objects in a leaf.",
    allowed: Allowed::Real {
        least: 1e-6,
        most: f64::MAX,
    },
    default: "1",
};

const LEAF_MODEL: Parameter = Parameter {
    name: "leaf_model",
    doc: "How leaves answer for numbers: by stepwise regression over primary instances (em), ridge regression over aggregates (linear), the mean (constant), or regressions between the tests (smoti).",
    allowed: Allowed::Choice(&["em", "linear", "constant", "smoti"]),
    default: "em",
};

const RESTARTS: Parameter = Parameter {
    name: "restarts",
    doc: "How many random choices of primary instances are started from.",
    allowed: Allowed::Whole {
        least: 1,
        most: 10_000,
    },
    default: "5",
};

const SIGNIFICANCE: Parameter = Parameter {
    name: "significance",
    doc: "The level of the F-test by which a variable enters a leaf; 1 lets all enter.",
    allowed: Allowed::Real {
        least: 0.0,
        most: 1.0,
    },
    default: "0.05",
};

const AROUND: Parameter = Parameter {
    name: "around",
    doc: "How many keys away from the object linear leaves make aggregates over, whatever the path.",
    allowed: Allowed::Whole { least: 0, most: 4 },
    default: "0",
};

const SMOOTHING: Parameter = Parameter {
    name: "smoothing",
    doc: "What a node says is mixed with what the one above says, which counts as much as so many objects; 0 for none.",
    allowed: Allowed::Real {
        least: 0.0,
        most: f64::MAX,
    },
    default: "0",
};

const PRUNING: Parameter = Parameter {
    name: "pruning",
    doc: "How trees are cut back: not at all, by c45 for classes, by m5, by what the models of nodes err on objects left out (models), by a third of the objects (reduced_error), or by five folds (cost_complexity).",
    allowed: Allowed::Choice(&[
        "none",
        "c45",
        "m5",
        "models",
        "reduced_error",
        "cost_complexity",
    ]),
    default: "none",
};

const CONSTRAINTS: Parameter = Parameter {
    doc: "What trees must keep to, as `size <= 11 and uses(bond) and not uses(atom.charge)`.",
    ..crate::tree::CONSTRAINTS
};

const BINDINGS: Parameter = Parameter {
    name: "bindings",
    doc: "The most linked rows that a key followed from all objects of a node may make; a key that makes more is not tried there. auto is 20 times the rows of the database, at least a million; a memory limit lowers it.",
    allowed: Allowed::WholeOr {
        least: 1,
        words: &["auto"],
    },
    default: "auto",
};

/// Stands for as many bindings as the data suggest.
const AUTO: usize = usize::MAX;

struct MirtLearner {
    plan: Plan,
    prototypes: usize,
    distance: kinwood_similarity::Expression,
}

impl MirtLearner {
    fn new(settings: &Settings) -> Result<Self> {
        let limit = |name: &str| settings.text(name).parse::<usize>().ok();
        let size = limit("size").map(Atom::Size);
        let depth = limit("depth").map(Atom::Depth);
        let mut parts: Vec<Constraint> = size
            .into_iter()
            .chain(depth)
            .map(Constraint::Atom)
            .collect();
        let written = settings.text("constraints").trim();
        if !written.is_empty() {
            parts.push(Constraint::parse(written)?);
        }
        let smoothing = settings.real("smoothing");
        let leaf_model = settings.text("leaf_model");
        let most = settings.text("bindings").parse().unwrap_or(AUTO);
        Ok(Self {
            plan: Plan {
                search: SearchMethod::read(settings),
                rules: Rules {
                    keys: settings.whole("keys"),
                    combined: settings.flag("combined"),
                    at_least: settings.flag("at_least"),
                    counts: settings.flag("counts"),
                    every: settings.flag("every"),
                    aggregates: settings.flag("aggregates"),
                    leaf: settings.real("leaf"),
                    variance: settings.text("heuristic") == "variance",
                    most,
                },
                objects: settings.text("objects").parse().ok(),
                determined: settings.real("determined"),
                regression: Regression {
                    method: match leaf_model {
                        "em" => Method::Primary,
                        "linear" => Method::Ridge,
                        _ => Method::Constant,
                    },
                    stepwise: Stepwise {
                        restarts: settings.whole("restarts"),
                        significance: settings.real("significance"),
                        freedom: 1,
                    },
                    labels: settings.flag("leaf_labels"),
                    aggregates: settings.flag("leaf_aggregates"),
                    around: settings.whole("around"),
                    clip: settings.flag("clip"),
                    most,
                    banned: Banned::default(),
                },
                constraint: (!parts.is_empty()).then(|| Constraint::all(parts)),
                costs: amounts(settings, "costs")?,
                pruning: match settings.text("pruning") {
                    "c45" => Pruning::C45,
                    "m5" => Pruning::M5,
                    "models" => Pruning::Models,
                    "reduced_error" => Pruning::ReducedError,
                    "cost_complexity" => Pruning::CostComplexity {
                        one_se: settings.flag("one_se"),
                    },
                    _ => Pruning::None,
                },
                beam: search_of(settings),
                combine: match settings.text("combine") {
                    "vote" => Combine::Vote,
                    "average" => Combine::Average,
                    _ => Combine::Best,
                },
                along: match leaf_model {
                    "smoti" => Along::Summed,
                    _ if smoothing > 0.0 => Along::Smoothed(smoothing),
                    _ => Along::Leaf,
                },
            },
            prototypes: settings.whole("prototypes"),
            distance: settings.text("distance").parse()?,
        })
    }
}

impl Learner for MirtLearner {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        let kinds: Vec<TargetOf> = task
            .targets()
            .iter()
            .map(|target| {
                TargetOf::of(target).ok_or_else(|| Error::TargetType {
                    learner: MIRT.name,
                    expected: MIRT.targets.name(),
                    target: target.name().to_owned(),
                    found: target.values().type_of().to_string(),
                    hint: "",
                })
            })
            .collect::<Result<_>>()?;
        if self.plan.pruning == Pruning::C45
            && kinds
                .iter()
                .any(|kind| matches!(kind.kind, crate::tree::TargetKind::Number))
        {
            return Err(Error::SettingValue {
                name: "pruning".to_owned(),
                value: "c45".to_owned(),
                expected: "another method for a number, such as `m5`: c45 counts wrong classes"
                    .to_owned(),
                nearest: None,
            });
        }
        if self.plan.search == SearchMethod::Beam
            && matches!(
                self.plan.pruning,
                Pruning::ReducedError | Pruning::CostComplexity { .. }
            )
        {
            return Err(Error::SettingValue {
                name: "pruning".to_owned(),
                value: match self.plan.pruning {
                    Pruning::ReducedError => "reduced_error",
                    _ => "cost_complexity",
                }
                .to_owned(),
                expected: "another one for the trees of a beam, which are grown on all objects"
                    .to_owned(),
                nearest: None,
            });
        }
        if self.plan.along == Along::Summed
            && (kinds.len() > 1 || any_classes(&kinds) || self.plan.search != SearchMethod::Greedy)
        {
            return Err(Error::SettingValue {
                name: "leaf_model".to_owned(),
                value: "smoti".to_owned(),
                expected: "another model unless one number is predicted by greedy search"
                    .to_owned(),
                nearest: None,
            });
        }
        let model = context.install(|| -> Result<MirtModel> {
            let view = task.view();
            let mut terms = Terms::of(view, kinds.clone(), Vec::new());
            terms.pools = pools(view, &terms, self.prototypes, &self.distance, context)?;
            let inputs = terms
                .tables
                .iter()
                .any(|table| table.columns.iter().any(|column| column.input));
            if !inputs && terms.keys.is_empty() {
                return Err(Error::NoInputs {
                    learner: MIRT.name,
                    table: view.table().name().to_owned(),
                });
            }
            let mut plan = self.plan.clone();
            if plan.rules.most == AUTO {
                let rows: usize = view
                    .database()
                    .tables()
                    .iter()
                    .map(|table| table.rows())
                    .sum();
                let most = (20 * rows).max(1_000_000);
                plan.rules.most = most;
                plan.regression.most = most;
            }
            if let Some(memory) = context.memory() {
                // A slot takes twelve bytes; several ways are looked at side by side, each with its marks.
                let most = usize::try_from(memory / 128).unwrap_or(usize::MAX);
                plan.rules.most = plan.rules.most.min(most);
                plan.regression.most = plan.regression.most.min(most);
            }
            fitted(&plan, task, terms, &kinds, context)
        })?;
        if model.report.stopped.cut_short() {
            context.cut_short();
        }
        Ok(Box::new(model))
    }
}
