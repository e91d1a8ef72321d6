//! Distances between sets, bags and lists taken as bags, by the distances of their members.

mod cover;
mod difference;
mod hausdorff;
mod matching;
mod minima;

use std::sync::Arc;

use kinwood_values::{Column, Type};

use super::collection::{CollectionPairs, Reduction, children, first_empty, offsets};
use crate::declaration::Declaration;
use crate::error::Error;
use crate::expression::{Expression, Literal};
use crate::laws::Laws;
use crate::measure::{Bound, Explanation, FittedDistance, Step};
use crate::registry::{Allowed, Default, Entry, Parameter};

/// Every distance of the catalogue.
pub(crate) fn entries() -> impl Iterator<Item = Entry> {
    [
        difference::SYMMETRIC_DIFFERENCE,
        minima::SUM_OF_MINIMA,
        matching::MATCHING,
    ]
    .into_iter()
    .chain(hausdorff::ENTRIES)
    .chain(cover::ENTRIES)
}

/// What the measures are of.
pub(crate) const COLLECTIONS: &str = "a set, bag or list";

/// How far an empty collection is from one with members, where the measure itself does not say.
pub(crate) const EMPTY: Parameter = Parameter {
    name: "empty",
    doc: "How far an empty collection is from one with members; without it, an empty one is an error.",
    allowed: Allowed::NotNegative,
    default: Default::None,
};

/// What a measure on collections is built from.
pub(crate) trait Gathered: Send + Sync {
    /// Whether a member more makes a difference where the same member is there already: bags are told apart then.
    const TELLS_REPEATS: bool = false;
    /// How members' distances become one.
    type Reduction: Reduction + Clone + 'static;
    /// It.
    fn reduction(&self) -> Self::Reduction;
    /// The settings, for the expression.
    fn settings(&self, expression: Expression) -> Expression;
    /// What holds, given the laws of the members' distance, its largest value, and whether an empty collection occurs.
    fn laws(&self, members: Laws, largest: Option<f64>, empty: bool) -> Laws;
    /// The largest distance, given that of members.
    fn largest(&self, _members: f64) -> Option<f64> {
        None
    }
    /// What is behind the number, given the members and their distances, row after row.
    fn explain(&self, _: &Explained<'_>) -> Option<Explanation> {
        None
    }
}

/// Two collections laid open.
pub(crate) struct Explained<'a> {
    pub(crate) first: &'a [String],
    pub(crate) second: &'a [String],
    /// A row for each of the first, a column for each of the second.
    pub(crate) costs: &'a [f64],
}

impl Explained<'_> {
    /// Each member of either collection with the nearest of the other, at this share of their distance.
    pub(crate) fn nearest(&self, share: f64) -> Vec<Step> {
        let width = self.second.len();
        let nearest = |distances: &mut dyn Iterator<Item = f64>| -> (usize, f64) {
            let mut best = (0, f64::INFINITY);
            for (i, distance) in distances.enumerate() {
                if distance < best.1 {
                    best = (i, distance);
                }
            }
            best
        };
        let mut steps = Vec::new();
        for (row, name) in self.first.iter().enumerate() {
            let (column, distance) =
                nearest(&mut self.costs[row * width..][..width].iter().copied());
            steps.push(Step {
                text: format!("{name} of the first: nearest is {}", self.second[column]),
                amount: Some(share * distance),
            });
        }
        for (column, name) in self.second.iter().enumerate() {
            let (row, distance) =
                nearest(&mut self.costs.iter().skip(column).step_by(width).copied());
            steps.push(Step {
                text: format!("{name} of the second: nearest is {}", self.first[row]),
                amount: Some(share * distance),
            });
        }
        steps
    }

    /// Pairs of a member of each and their distances.
    pub(crate) fn related<'b>(&'b self, pairs: &'b [(u32, u32)]) -> impl Iterator<Item = Step> {
        pairs.iter().map(|&(row, column)| {
            let (row, column) = (row as usize, column as usize);
            Step {
                text: format!("{} with {}", self.first[row], self.second[column]),
                amount: Some(self.costs[row * self.second.len() + column]),
            }
        })
    }
}

/// A measure on collections: its own rule, and the distance of members.
pub(crate) struct Collected<G> {
    pub(crate) name: &'static str,
    pub(crate) rule: G,
    pub(crate) members: Arc<dyn FittedDistance>,
    /// Whether the rule sees all that makes two collections different: of lists it does not see the order.
    pub(crate) sees_all: bool,
    /// The distance of an empty collection, if it is said.
    pub(crate) empty: Option<f64>,
    /// Whether the rule itself knows what an empty collection is.
    pub(crate) takes_empty: bool,
}

/// The parts of a measure on collections that are the same for all.
pub(crate) fn collected<G: Gathered + 'static>(
    declaration: &Declaration<'_>,
    name: &'static str,
    rule: impl FnOnce(Option<f64>) -> G,
    takes_empty: bool,
) -> Result<Arc<dyn FittedDistance>, Error> {
    let members = declaration.member_distance()?;
    let empty = match declaration.setting("empty") {
        Some(Literal::Number(number)) => Some(number),
        _ => None,
    };
    Ok(Arc::new(Collected {
        name,
        rule: rule(empty),
        members,
        sees_all: match declaration.of() {
            Type::Set(_) => true,
            Type::Bag(_) => G::TELLS_REPEATS,
            _ => false,
        },
        empty,
        takes_empty,
    }))
}

impl<G: Gathered> Collected<G> {
    fn laws_where(&self, members: Laws, empty: bool) -> Laws {
        let laws = self.rule.laws(members, self.members.largest(), empty);
        Laws {
            separates: laws.separates && self.sees_all,
            ..laws
        }
    }
}

impl<G: Gathered> FittedDistance for Collected<G> {
    fn laws(&self) -> Laws {
        self.laws_where(self.members.laws(), false)
    }

    fn expression(&self) -> Expression {
        let expression = Expression::new(self.name).part(self.members.expression());
        let expression = self.rule.settings(expression);
        match self.empty {
            Some(empty) => expression.number("empty", empty),
            None => expression,
        }
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        let (first, second) = children(queries, references, self.name)?;
        let empty = first_empty(queries).or_else(|| first_empty(references));
        if let Some(row) = empty
            && self.empty.is_none()
            && !self.takes_empty
        {
            return Err(Error::Undefined {
                measure: self.name.to_owned(),
                what: "an empty collection: say how far it is from others by `empty=NUMBER`"
                    .to_owned(),
                row: Some(row),
            });
        }
        let Bound::Real(members) = self.members.bind(first, second)? else {
            return Err(Error::PairValued {
                measure: self.members.expression().name,
                within: format!("`{}`", self.name),
            });
        };
        Ok(Bound::real(CollectionPairs {
            reduction: self.rule.reduction(),
            laws: self.laws_where(members.laws(), empty.is_some()),
            members,
            queries: offsets(queries),
            references: offsets(references),
        }))
    }

    fn largest(&self) -> Option<f64> {
        let of_members = self.rule.largest(self.members.largest()?)?;
        Some(of_members.max(self.empty.unwrap_or(0.0)))
    }

    fn far(&self) -> Option<f64> {
        let of_members = self.rule.largest(self.members.far()?)?;
        Some(of_members.max(self.empty.unwrap_or(0.0)))
    }

    fn explain(&self, a: &Column, b: &Column) -> Result<Option<Explanation>, Error> {
        let (first, second) = children(a, b, self.name)?;
        let (rows, columns) = (offsets(a).range(0), offsets(b).range(0));
        if (rows.is_empty() || columns.is_empty()) && !self.takes_empty {
            return Ok(None);
        }
        let Bound::Real(pairs) = self.members.bind(first, second)? else {
            return Ok(None);
        };
        let mut costs = vec![0.0; rows.len() * columns.len()];
        // An empty row is no row to be cut into.
        let width = columns.len().max(1);
        for (row, costs) in rows.clone().zip(costs.chunks_exact_mut(width)) {
            pairs.prepare(row).fill(columns.clone(), costs);
        }
        let names = |column: &Column, range: std::ops::Range<usize>| -> Vec<String> {
            range.map(|row| column.value(row).to_string()).collect()
        };
        Ok(self.rule.explain(&Explained {
            first: &names(first, rows),
            second: &names(second, columns),
            costs: &costs,
        }))
    }
}
