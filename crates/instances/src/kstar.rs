//! K*: every stored row answers, with the probability that the query turns into it by random
//! transformations.
//!
//! The default follows Cleary and Trigg's paper, in logarithms: numbers by
//! `exp(-|a-b|/x0) / (2 x0)`, symbols by their frequencies, scales by the effective number of
//! instances. `compat=weka` computes as Weka 3.9.7 does. Attributes of any other type are ours:
//! `exp(-d/x0)` with the type's distance, and the scale found the same way.

mod answer;
mod blend;
mod choose;
mod entropic;
mod exponential;
mod field;
mod levels;
mod line;
mod model;
#[cfg(test)]
mod naive;
pub mod probability;
mod rules;
mod settings;
mod sphere;
mod store;
mod stored;
mod term;
#[cfg(test)]
mod tests;
mod weka;

pub use rules::Lacking;
pub use settings::KStar;

use kinwood_similarity::rows::nested;
use kinwood_values::Cells;

use self::blend::Blend;
use self::model::Instances;
use kinwood_learning::context::Context;
use kinwood_learning::entry::{Entry, Targets};
use kinwood_learning::error::{Error, Result};
use kinwood_learning::model::{Learner, Model};
use kinwood_learning::rows::DEPTH;
use kinwood_learning::settings::{Allowed, Parameter};
use kinwood_learning::task::Task;

/// The registry's entry.
pub const KSTAR: Entry = Entry {
    name: "kstar",
    summary: "Predicts from all training rows, weighed by the probability of turning into them at random.",
    reference: "Cleary and Trigg, K*: an instance-based learner using an entropic distance measure, ICML 1995",
    targets: Targets::BOTH,
    several_targets: true,
    follows_keys: |settings| settings.whole("depth") > 0,
    flat: true,
    parameters: &[
        Parameter {
            name: "blend",
            doc: "How far the sphere of influence reaches, from 0 (the nearest values) to 1 (all alike); `0.2, age=0.5` for a column of its own, `cross_validation` to choose on the training rows.",
            allowed: Allowed::Text,
            default: "0.2",
        },
        Parameter {
            name: "auto_blend",
            doc: "Whether the blend of each column and value is chosen by the entropy of the targets.",
            allowed: Allowed::Flag,
            default: "false",
        },
        Parameter {
            name: "missing",
            doc: "A missing stored value is any of the others (average), leaves its row out (ignore), is the furthest (maximal), or the one asked about (none).",
            allowed: Allowed::Choice(Lacking::NAMES),
            default: "average",
        },
        Parameter {
            name: "compat",
            doc: "Follow the paper (none), or compute as Weka 3.9.7 does (weka).",
            allowed: Allowed::Choice(&["none", "weka"]),
            default: "none",
        },
        Parameter {
            name: "distance",
            doc: "How far values of columns are apart, as `column: expression, ...`; structured columns have a default.",
            allowed: Allowed::Text,
            default: "",
        },
        DEPTH,
    ],
    build: |settings| Ok(Box::new(KStar::read(settings)?)),
    load: |stored| Ok(Box::new(Instances::read(stored)?)),
};

impl Learner for KStar {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        self.check()?;
        for target in task.targets() {
            if target.classes().is_none() && !target.is_number() {
                return Err(Error::TargetType {
                    learner: KSTAR.name,
                    expected: KSTAR.targets.name(),
                    target: target.name().to_owned(),
                    found: target.found(),
                    hint: "",
                });
            }
        }
        let rows = nested(&task.view().select(&[]), self.depth);
        if matches!(rows.cells(), Cells::Tuple { fields, .. } if fields.is_empty()) {
            return Err(Error::NoInputs {
                learner: KSTAR.name,
                table: task.view().table().name().to_owned(),
            });
        }
        let mut declared = self.declared();
        if self.choose_blend {
            declared.blend = Blend::common(choose::blend(&declared, task, context)?);
        }
        Ok(Box::new(Instances::fit(declared, task)?))
    }
}
