//! Citation k-NN: a bag is classified by the stored bags nearest to it (references), and by those
//! to which it is near (citers).
//!
//! The nearest bag of a positive one may be a negative one with a like member; asking from both
//! sides evens that out. Bags are compared by their two nearest members. Rows without bags are
//! compared as `knn` does; then only the voting is the paper's.
//!
//! Reference: Wang and Zucker, *Solving the multiple-instance problem: a lazy learning approach*,
//! ICML 2000.

mod model;
#[cfg(test)]
mod tests;

use kinwood_similarity::expression::{Argument, Part};
use kinwood_similarity::{Expression, Missing, Registry, RowDistance};
use kinwood_values::{Column, Type};

use self::model::{Bags, Declared};
use kinwood_learning::context::Context;
use kinwood_learning::entry::{Entry, Targets};
use kinwood_learning::error::{Error, Result};
use kinwood_learning::examples::{Examples, rows_of};
use kinwood_learning::model::{Learner, Model};
use kinwood_learning::rows::{DEPTH, DISTANCE, follows};
use kinwood_learning::settings::{Allowed, Parameter, Settings};
use kinwood_learning::task::Task;

/// What `ties` is when the nearest voter breaks them.
const NEAREST: &str = "nearest";

/// The registry's entry.
pub const CITATION_KNN: Entry = Entry {
    name: "citation_knn",
    summary: "Predicts bags from the training bags nearest to them and from those they are near to.",
    reference: "Wang and Zucker, Solving the multiple-instance problem: a lazy learning approach, ICML 2000",
    targets: Targets::BOTH,
    several_targets: true,
    follows_keys: |settings| follows(settings, "depth"),
    flat: false,
    parameters: &[
        Parameter {
            name: "references",
            doc: "How many of the nearest stored rows vote.",
            allowed: Allowed::Whole {
                least: 1,
                most: u64::MAX,
            },
            default: "2",
        },
        Parameter {
            name: "citers",
            doc: "Stored rows vote that would count the row asked about among so many nearest of theirs.",
            allowed: Allowed::Whole {
                least: 0,
                most: u64::MAX,
            },
            default: "4",
        },
        Parameter {
            name: "ties",
            doc: "Which of classes with equally many votes is predicted: that of the nearest voter (nearest), or this class.",
            allowed: Allowed::Text,
            default: NEAREST,
        },
        Parameter {
            name: "bags",
            doc: "How bags and sets are compared where the distance does not say; a name alone joins members that are rows by euclidean.",
            allowed: Allowed::Text,
            default: "min_hausdorff",
        },
        DISTANCE,
        DEPTH,
        Parameter {
            name: "missing",
            doc: "A missing value is a point of its own (own), as far as can be (max), or left out (skip).",
            allowed: Allowed::Choice(Missing::NAMES),
            default: "own",
        },
    ],
    build: |settings| Ok(Box::new(CitationKnn::read(settings)?)),
    load: |stored| Ok(Box::new(Bags::read(stored)?)),
};

/// Citation k-NN: the bags nearest to the one asked about vote, and those to which it is near.
#[derive(Clone, Debug, PartialEq)]
pub struct CitationKnn {
    /// How many of the nearest stored rows vote, from 1: 2 by default.
    pub references: usize,
    /// Stored rows vote that would count the row asked about among so many nearest of theirs: 4 by
    /// default.
    pub citers: usize,
    /// The class that wins ties; that of the nearest voter where there is none, the default.
    pub ties: Option<String>,
    /// How bags and sets are compared where the distance does not say: `min_hausdorff` by default.
    pub bags: Expression,
    /// How far rows are apart: `euclidean` by default.
    pub distance: Expression,
    /// How many foreign keys away rows are compared: 1 by default, 0 for the row alone.
    pub depth: usize,
    /// What a missing value is: a point of its own by default.
    pub missing: Missing,
}

impl Default for CitationKnn {
    fn default() -> Self {
        Self::read(&CITATION_KNN.defaults()).expect("the defaults are settings")
    }
}

impl CitationKnn {
    /// As the settings of the registry's entry have it.
    pub fn read(settings: &Settings) -> Result<Self> {
        let ties = settings.text("ties");
        Ok(Self {
            references: settings.whole("references"),
            citers: settings.whole("citers"),
            ties: (ties != NEAREST).then(|| ties.to_owned()),
            distance: settings.text("distance").parse()?,
            depth: settings.whole("depth"),
            missing: settings.text("missing").parse().unwrap_or_default(),
            bags: settings.text("bags").parse()?,
        })
    }

    fn check(&self) -> Result<()> {
        CITATION_KNN.check("references", self.references)?;
        CITATION_KNN.check("citers", self.citers)?;
        CITATION_KNN.check("depth", self.depth)
    }
}

/// The distance with the bags and sets of a row compared in this way, where it leaves them to their
/// default.
fn comparing_bags(mut distance: RowDistance, rows: &Column, bags: &Expression) -> RowDistance {
    let Type::Tuple(fields) = rows.type_of() else {
        return distance;
    };
    let compared = |of: &Type| {
        let (Type::Set(member) | Type::Bag(member)) = of else {
            return None;
        };
        let alone = bags.parts().next().is_none();
        let mut bags = bags.clone();
        if alone && matches!(**member, Type::Tuple(_)) {
            bags.arguments.insert(
                0,
                Argument::Part(Part {
                    field: None,
                    measure: Expression::new("euclidean"),
                    weight: 1.0,
                }),
            );
        }
        Some(bags)
    };
    let joins = Registry::known().joins_fields(&distance.expression);
    if !joins || !fields.iter().any(|field| compared(&field.of).is_some()) {
        return distance;
    }
    if distance.expression.parts().next().is_none() {
        let parts = fields.iter().map(|field| {
            Argument::Part(Part {
                field: field.name.clone(),
                measure: Expression::new("default"),
                weight: 1.0,
            })
        });
        distance.expression.arguments.splice(0..0, parts);
    }
    for argument in &mut distance.expression.arguments {
        if let Argument::Part(part) = argument
            && part.measure == Expression::new("default")
            && let Some(field) = fields.iter().find(|field| field.name == part.field)
            && let Some(bags) = compared(&field.of)
        {
            part.measure = bags;
        }
    }
    distance
}

impl Learner for CitationKnn {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        self.check()?;
        let distance = RowDistance {
            expression: self.distance.clone(),
            missing: self.missing,
            depth: self.depth,
        };
        let distance = distance.over(task.view())?;
        let rows = rows_of(task, &distance, CITATION_KNN.name)?;
        if let Some(label) = &self.ties {
            let labels: Vec<&str> = task
                .targets()
                .iter()
                .filter_map(|target| target.classes())
                .flat_map(|classes| classes.labels())
                .collect();
            if !labels.contains(&label.as_str()) {
                return Err(Error::SettingValue {
                    name: "ties".to_owned(),
                    value: label.clone(),
                    expected: format!("`{NEAREST}` or a class of the target"),
                    nearest: kinwood_values::suggest::nearest(label, &labels),
                });
            }
        }
        let declared = Declared {
            references: self.references,
            citers: self.citers,
            ties: self.ties.clone(),
            distance: comparing_bags(distance, &rows, &self.bags),
        };
        Ok(Box::new(Bags::fit(
            declared,
            Examples::new(rows, task)?,
            context,
        )?))
    }
}
