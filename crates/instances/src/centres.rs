//! Centre splitting: a tree over whole rows. Each node has a centre for every class in it, a row
//! goes to the nearest, and nodes are divided until they are pure. Distance-based decision trees
//! came from it.
//!
//! Rows of numbers and labels have means and modes for centres, as in the original; other rows have
//! no mean, and the centre of a class is its medoid. Numbers as targets are ours: at each node the
//! sorted numbers are cut in two where their spread falls most, and the two groups stand for
//! classes.
//!
//! Reference: C. Thornton, *Truth from Trash: How Learning Makes Sense*, MIT Press, 2000; V.
//! Estruch, C. Ferri, J. Hernández-Orallo and M. J. Ramírez-Quintana, section 3 of the paper on
//! distance-based decision trees.

mod grow;
mod model;
mod place;
mod response;
mod store;
#[cfg(test)]
mod tests;

use kinwood_similarity::{Expression, Missing, Registry, RowDistance};

use self::grow::{Limits, grow};
use self::model::CentreTree;
use self::response::Response;
use kinwood_learning::context::Context;
use kinwood_learning::entry::{Entry, Targets};
use kinwood_learning::error::{Error, Result};
use kinwood_learning::examples::rows_of;
use kinwood_learning::model::{Learner, Model};
use kinwood_learning::rows::{DEPTH, DISTANCE, follows};
use kinwood_learning::settings::{Allowed, Parameter, Preset, Settings};
use kinwood_learning::target::first_greatest;
use kinwood_learning::task::{Target, Task};

/// What `levels` is when there is no limit.
const NONE: &str = "none";

/// The registry's entry.
pub const CENTRES: Entry = Entry {
    name: "centres",
    summary: "Centre splitting: a tree whose nodes send whole rows to the nearest centre of a class.",
    reference: "Thornton, Truth from Trash: How Learning Makes Sense, MIT Press, 2000",
    targets: Targets::BOTH,
    several_targets: false,
    follows_keys: |settings| follows(settings, "depth"),
    flat: true,
    parameters: &[
        Parameter {
            name: "preset",
            doc: "`paper` divides rows whether or not that helps with others: held_out=false.",
            allowed: Allowed::Preset(&[
                Preset {
                    name: "none",
                    settings: &[],
                },
                Preset {
                    name: "paper",
                    settings: &[("held_out", "false")],
                },
            ]),
            default: "none",
        },
        Parameter {
            name: "leaf",
            doc: "The least weight of the rows in a leaf: a node is not divided where a part would have less.",
            allowed: Allowed::Real {
                least: 1e-6,
                most: f64::MAX,
            },
            default: "1",
        },
        Parameter {
            name: "levels",
            doc: "How many centres a row passes at most on its way from the root to a leaf, or `none`.",
            allowed: Allowed::WholeOr {
                least: 0,
                words: &[NONE],
            },
            default: NONE,
        },
        Parameter {
            name: "held_out",
            doc: "Whether trees of two thirds of the rows must predict the others better than by what most have in common; if they do not, rows are not divided.",
            allowed: Allowed::Flag,
            default: "true",
        },
        DISTANCE,
        DEPTH,
    ],
    build: |settings| Ok(Box::new(Centres::read(settings)?)),
    load: |stored| Ok(Box::new(CentreTree::read(stored)?)),
};

/// Centre splitting: a tree whose nodes send whole rows to the nearest centre of a class.
#[derive(Clone, Debug, PartialEq)]
pub struct Centres {
    /// The least weight of the rows in a leaf, from 0.000001: 1 by default.
    pub leaf: f64,
    /// How many centres a row passes at most on its way from the root to a leaf; no limit by
    /// default.
    pub levels: Option<usize>,
    /// Whether trees must predict rows that were held out better than by what most rows have in
    /// common, or else are not divided: they must by default.
    pub held_out: bool,
    /// How far rows are apart: `euclidean` by default.
    pub distance: Expression,
    /// How many foreign keys away rows are compared: 1 by default, 0 for the row alone.
    pub depth: usize,
}

impl Default for Centres {
    fn default() -> Self {
        Self::read(&CENTRES.defaults()).expect("the defaults are settings")
    }
}

impl Centres {
    /// As the settings of the registry's entry have it.
    pub fn read(settings: &Settings) -> Result<Self> {
        Ok(Self {
            leaf: settings.real("leaf"),
            levels: settings.number("levels"),
            held_out: settings.flag("held_out"),
            distance: settings.text("distance").parse()?,
            depth: settings.whole("depth"),
        })
    }

    fn check(&self) -> Result<()> {
        CENTRES.check("leaf", self.leaf)?;
        CENTRES.check("depth", self.depth)
    }
}

/// The only target there may be.
fn single_target(task: &Task) -> Result<&Target> {
    match task.targets() {
        [target] => Ok(target),
        targets => Err(Error::TargetType {
            learner: CENTRES.name,
            expected: "single nominal or numeric".to_owned(),
            target: targets
                .iter()
                .map(Target::name)
                .collect::<Vec<_>>()
                .join("`, `"),
            found: format!("{} targets", targets.len()),
            hint: "",
        }),
    }
}

/// Into how many parts rows are divided, one of which is held out after the other.
const PARTS: usize = 3;

/// The weight of the rows, or the sum of the squares, that trees are wrong about where they were
/// not grown on them.
fn held_out(
    task: &Task,
    weights: &[f64],
    context: &Context,
    tree: impl Fn(&[f64]) -> Result<CentreTree>,
) -> Result<f64> {
    let target = single_target(task)?;
    let mut order: Vec<usize> = (0..weights.len()).collect();
    context.generator(&[0x6865_6c64]).shuffle(&mut order);
    let mut wrong = 0.0;
    for part in 0..PARTS {
        let mut own = weights.to_vec();
        let outside = || order.iter().skip(part).step_by(PARTS).copied();
        outside().for_each(|row| own[row] = 0.0);
        if own.iter().all(|&weight| weight <= 0.0) {
            continue;
        }
        let predicted = tree(&own)?.predict(task.view(), context)?;
        let output = &predicted.targets[0].output;
        for row in outside() {
            let said = output.row(row);
            let error = match (target.class(row), target.number(row)) {
                (Some(class), _) => f64::from(u8::from(first_greatest(said) != class as usize)),
                (None, Some(number)) => (said[0] - number).powi(2),
                (None, None) => 0.0,
            };
            wrong += weights[row] * error;
        }
    }
    Ok(wrong)
}

impl Learner for Centres {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        self.check()?;
        let target = single_target(task)?;
        let declared = RowDistance {
            expression: self.distance.clone(),
            missing: Missing::default(),
            depth: self.depth,
        };
        let declared = declared.over(task.view())?;
        let rows = rows_of(task, &declared, CENTRES.name)?;
        let fitted = declared.fit_on(&rows, task.view().table().name(), Registry::known())?;
        let response = Response::of(target);
        let weights: Vec<f64> = (0..rows.len()).map(|row| task.weight(row)).collect();
        if weights.iter().all(|&weight| weight <= 0.0) {
            return Err(Error::NoWeight {
                table: task.view().table().name().to_owned(),
            });
        }
        let limits = Limits {
            leaf: self.leaf,
            levels: self.levels,
        };
        let tree = |weights: &[f64], limits: Limits| -> Result<CentreTree> {
            let grown = grow(&rows, weights, &response, &fitted, limits, context)?;
            let classes = target.classes().cloned();
            Ok(CentreTree::new(
                target.name().to_owned(),
                classes,
                fitted.clone(),
                grown,
            ))
        };
        let root = Limits {
            levels: Some(0),
            ..limits
        };
        let helps = || -> Result<bool> {
            let errors = |limits| held_out(task, &weights, context, |own| tree(own, limits));
            Ok(errors(limits)? <= errors(root)?)
        };
        let divides = match self.held_out {
            false => true,
            true => match helps() {
                // Nothing is known of whether it helps: the rows stay together.
                Err(_) if context.check().is_err() => {
                    context.cut_short();
                    false
                }
                known => known?,
            },
        };
        let limits = if divides { limits } else { root };
        Ok(Box::new(tree(&weights, limits)?))
    }
}
