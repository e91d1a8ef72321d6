//! The learner `mirt`: its entry, and what its settings mean for trees.

mod own_parameters;
mod settings;

pub use settings::{LeafModel, Mirt, Spread};

use super::constraint;
use super::parameters::{
    ALPHA, BETA, COMBINE, COSTS, DEPTH, EPSILON, MARGIN, ONE_SE, SEARCH_OR_ALL, SIMILARITY, SIZE,
    WIDTH,
};
use super::structured::{CORRECTED, LABELS, STOP_WORDS, STRUCTURED};
use crate::mirt::MirtModel;
use crate::mirt::em::Stepwise;
use crate::mirt::fit::{Plan, any_classes, fitted};
use crate::mirt::propose::Rules;
use crate::mirt::prototypes::{PoolRules, pools};
use crate::mirt::regress::{Banned, Method, Regression};
use crate::mirt::terms::Terms;
use crate::tree::Along;
use crate::tree::deviation::SpreadMeasure;
use crate::tree::pruning::Pruning;
use crate::tree::response::PREDICTED;
use crate::tree::tree_search::{Ranking, SearchPlan};
use crate::tree::{PruningMethod, SearchMethod, TargetOf};
use kinwood_learning::context::Context;
use kinwood_learning::entry::Entry;
use kinwood_learning::error::{Error, Result};
use kinwood_learning::model::{Learner, Model};
use kinwood_learning::task::Task;
use own_parameters::*;

/// The registry's entry.
pub const MIRT: Entry = Entry {
    name: "mirt",
    summary: "Grows a tree over the foreign keys of a database, with linear leaves for numbers.",
    reference: "Appice, Ceci and Malerba, Top-down induction of relational model trees in multi-instance learning, ILP 2008",
    targets: PREDICTED,
    several_targets: true,
    follows_keys: |_| true,
    flat: false,
    parameters: &[
        PRESET,
        SEARCH_OR_ALL,
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
        STRUCTURED,
        LABELS,
        STOP_WORDS,
        CORRECTED,
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
        EPSILON,
        COMBINE,
        BINDINGS,
    ],
    build: |settings| Ok(Box::new(Mirt::read(settings)?)),
    load: |stored| Ok(Box::new(MirtModel::read(stored)?)),
};

/// The confidence of c45 pruning.
const CONFIDENCE: f64 = 0.25;

/// Stands for as many bindings as the data suggest.
const AUTO: usize = usize::MAX;

impl Mirt {
    /// Fails on settings that cannot be used for these targets.
    fn check_targets(&self, kinds: &[TargetOf]) -> Result<()> {
        let refused = |name: &str, value: &str, expected: &str| {
            Err(Error::SettingValue {
                name: name.to_owned(),
                value: value.to_owned(),
                expected: expected.to_owned(),
                nearest: None,
            })
        };
        let pruning = self.pruning.name();
        let other = kinds.iter().find(|kind| !kind.leaf().rates());
        if let (PruningMethod::C45, Some(other)) = (&self.pruning, other) {
            let expected = format!(
                "another method for {}, such as `m5`: c45 counts wrong classes",
                other.kind.entry().one
            );
            return refused("pruning", pruning, &expected);
        }
        let held_out = matches!(
            self.pruning,
            PruningMethod::ReducedError | PruningMethod::CostComplexity
        );
        if self.search == SearchMethod::Beam && held_out {
            return refused(
                "pruning",
                pruning,
                "another one for the trees of a beam, which are grown on all objects",
            );
        }
        if self.leaf_model == LeafModel::Smoti
            && (kinds.len() > 1 || any_classes(kinds) || self.search != SearchMethod::Greedy)
        {
            return refused(
                "leaf_model",
                "smoti",
                "another model unless one number is predicted by greedy search",
            );
        }
        Ok(())
    }

    fn plan(&self) -> Plan {
        let most = self.bindings.unwrap_or(AUTO);
        Plan {
            search: SearchPlan {
                method: self.search,
                constraint: constraint(self.size, self.depth, self.constraints.as_ref()),
                beam: self.beam.clone(),
                pruning: Pruning {
                    method: self.pruning,
                    confidence: CONFIDENCE,
                    one_se: self.one_se,
                },
                ranking: Ranking::Score,
            },
            rules: Rules {
                keys: self.keys,
                combined: self.combined,
                at_least: self.at_least,
                counts: self.counts,
                every: self.every,
                aggregates: self.aggregates,
                leaf: self.leaf,
                most,
                corrected: self.structured.corrected,
                items: self.structured.of_columns().items(),
                chance: None,
            },
            measure: match self.heuristic {
                Spread::Deviation => SpreadMeasure::Deviation,
                Spread::Variance => SpreadMeasure::Variance,
            },
            objects: self.objects.map(|objects| objects as f64),
            determined: self.determined,
            regression: Regression {
                method: match self.leaf_model {
                    LeafModel::Em => Method::Primary,
                    LeafModel::Linear => Method::Ridge,
                    LeafModel::Constant | LeafModel::Smoti => Method::Constant,
                },
                stepwise: Stepwise {
                    restarts: self.restarts,
                    significance: self.significance,
                    freedom: 1,
                },
                labels: self.leaf_labels,
                aggregates: self.leaf_aggregates,
                around: self.around,
                clip: self.clip,
                most,
                banned: Banned::default(),
            },
            costs: self.costs.clone(),
            combine: self.combine,
            along: match self.leaf_model {
                LeafModel::Smoti => Along::Summed,
                _ => Along::smoothed(self.smoothing),
            },
        }
    }
}

impl Learner for Mirt {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        self.check()?;
        let kinds: Vec<TargetOf> = task
            .targets()
            .iter()
            .map(|target| {
                TargetOf::of(target).ok_or_else(|| Error::TargetType {
                    learner: MIRT.name,
                    expected: MIRT.targets.name(),
                    target: target.name().to_owned(),
                    found: target.found(),
                    hint: "",
                })
            })
            .collect::<Result<_>>()?;
        self.check_targets(&kinds)?;
        let model = context.install(|| -> Result<MirtModel> {
            let view = task.view();
            let mut terms = Terms::of(view, kinds.clone(), Vec::new());
            let rules = PoolRules {
                prototypes: self.prototypes,
                distance: &self.distance,
                contents: self.structured.contents(),
                both: self.structured.prototypes(),
            };
            terms.pools = pools(view, &terms, &rules, context)?;
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
            let mut plan = self.plan();
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
                // A slot takes twelve bytes; several ways are looked at side by side, each with its
                // marks.
                let most = usize::try_from(memory / 128).unwrap_or(usize::MAX);
                plan.rules.most = plan.rules.most.min(most);
                plan.regression.most = plan.regression.most.min(most);
            }
            fitted(&plan, task, terms, &kinds, context)
        })?;
        if model.report().stopped.cut_short() {
            context.cut_short();
        }
        Ok(Box::new(model))
    }
}
