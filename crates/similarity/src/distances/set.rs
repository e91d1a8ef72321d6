//! Distances between sets, bags and lists taken as bags, by the distances of their members.

mod cover;
mod difference;
mod hausdorff;
mod matching;
mod minima;
mod shares;

use std::ops::Range;
use std::sync::Arc;

use kinwood_values::{Column, Type};

use super::collection::{CollectionPairs, Reduction, children, first_empty, offsets};
use crate::account::{
    Absent, Account, Alone, Detail, How, Kept, MemberPair, Near, NearestMember, Related, Side,
};
use crate::declaration::Declaration;
use crate::entry::Entry;
use crate::error::Error;
use crate::expression::{Expression, Literal};
use crate::laws::Laws;
use crate::measure::{Bound, FittedDistance};
use kinwood_values::parameter::{Allowed, Parameter};

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
    .chain(shares::ENTRIES)
}

/// What the measures are of.
pub(crate) const COLLECTIONS: &str = "a set, bag or list";

/// How far an empty collection is from one with members, where the measure itself does not say.
pub(crate) const EMPTY: Parameter = Parameter {
    name: "empty",
    doc: "How far an empty collection is from one with members; without it, an empty one is an error.",
    allowed: Allowed::NotNegative,
    default: "",
};

/// What a measure on collections is built from.
pub(crate) trait Gathered: Send + Sync {
    /// Whether a member more makes a difference where the same member is there already: bags are
    /// told apart then.
    const TELLS_REPEATS: bool = false;
    /// How members' distances become one.
    type Reduction: Reduction + Clone + 'static;
    /// It.
    fn reduction(&self) -> Self::Reduction;
    /// The settings, for the expression.
    fn settings(&self, expression: Expression) -> Expression;
    /// What holds, given the laws of the members' distance, its largest value, and whether an empty
    /// collection occurs.
    fn laws(&self, members: Laws, largest: Option<f64>, empty: bool) -> Laws;
    /// The largest distance, given that of members.
    fn largest(&self, _members: f64) -> Option<f64> {
        None
    }
    /// How the number comes about, given the members and their distances.
    fn how(&self, of: &Opened<'_>) -> Result<How, Error>;
}

/// Two collections laid open.
pub(crate) struct Opened<'a> {
    measure: &'a dyn FittedDistance,
    first: (&'a Column, Range<usize>),
    second: (&'a Column, Range<usize>),
    /// A row for each of the first, a column for each of the second.
    pub(crate) costs: Vec<f64>,
    pub(crate) detail: Detail,
}

/// A member's nearest of the other collection, and their distance.
#[derive(Clone, Copy)]
pub(crate) struct Nearest {
    side: Side,
    member: usize,
    nearest: usize,
    pub(crate) distance: f64,
}

impl Opened<'_> {
    /// Members of the first.
    pub(crate) fn rows(&self) -> usize {
        self.first.1.len()
    }

    /// Members of the second.
    pub(crate) fn columns(&self) -> usize {
        self.second.1.len()
    }

    /// The account of two members.
    fn pair(&self, row: usize, column: usize) -> Result<Account, Error> {
        let ((first, rows), (second, columns)) = (&self.first, &self.second);
        let one = (*first, rows.start + row);
        let other = (*second, columns.start + column);
        Account::of_rows(self.measure, one, other, self.detail)
    }

    /// Each member of either collection with the nearest of the other, those of the first before.
    pub(crate) fn nearest(&self) -> Vec<Nearest> {
        let width = self.columns();
        let least = |distances: &mut dyn Iterator<Item = f64>| -> (usize, f64) {
            let mut best = (0, f64::INFINITY);
            for (i, distance) in distances.enumerate() {
                if distance < best.1 {
                    best = (i, distance);
                }
            }
            best
        };
        let mut all = Vec::with_capacity(self.rows() + width);
        for member in 0..self.rows() {
            let row = &self.costs[member * width..][..width];
            let (nearest, distance) = least(&mut row.iter().copied());
            all.push(Nearest {
                side: Side::First,
                member,
                nearest,
                distance,
            });
        }
        for member in 0..width {
            let column = self.costs.iter().skip(member).step_by(width);
            let (nearest, distance) = least(&mut column.copied());
            all.push(Nearest {
                side: Side::Second,
                member,
                nearest,
                distance,
            });
        }
        all
    }

    /// The nearest members as an account tells them: the one that decides, and others by how much
    /// they say.
    pub(crate) fn told(
        &self,
        near: Near,
        all: &[Nearest],
        decides: Option<usize>,
    ) -> Result<How, Error> {
        let costs: Vec<f64> = all.iter().map(|member| member.distance).collect();
        let says = |place: usize| match (decides == Some(place), near) {
            (true, _) => f64::INFINITY,
            (false, Near::Least) => -costs[place],
            (false, Near::Largest | Near::Ranked(_) | Near::HalfSum) => costs[place],
        };
        let kept = Kept::by(&costs, self.detail.items.max(1), says);
        let members = kept.listed(|place| {
            let of = all[place];
            let (row, column) = match of.side {
                Side::First => (of.member, of.nearest),
                Side::Second => (of.nearest, of.member),
            };
            Ok::<_, Error>(NearestMember {
                side: of.side,
                member: of.member,
                nearest: of.nearest,
                decides: decides == Some(place),
                account: self.pair(row, column)?,
            })
        })?;
        Ok(How::Nearest { near, members })
    }

    /// Members in pairs, and what those cost that are in none.
    pub(crate) fn related(
        &self,
        related: Related,
        pairs: &[(u32, u32)],
        alone: f64,
    ) -> Result<How, Error> {
        let cost = |&(row, column): &(u32, u32)| {
            self.costs[row as usize * self.columns() + column as usize]
        };
        let costs: Vec<f64> = pairs.iter().map(cost).collect();
        let mut paired = (vec![false; self.rows()], vec![false; self.columns()]);
        for &(row, column) in pairs {
            paired.0[row as usize] = true;
            paired.1[column as usize] = true;
        }
        let mut left_over: Vec<(Side, usize)> = Vec::new();
        for (side, paired) in [(Side::First, &paired.0), (Side::Second, &paired.1)] {
            let alone = paired.iter().enumerate().filter(|&(_, &paired)| !paired);
            left_over.extend(alone.map(|(place, _)| (side, place)));
        }
        let prices = vec![alone; left_over.len()];
        Ok(How::Pairs {
            related,
            pairs: Kept::costliest(&costs, self.detail.items).listed(|place| {
                let (first, second) = (pairs[place].0 as usize, pairs[place].1 as usize);
                Ok::<_, Error>(MemberPair {
                    first,
                    second,
                    account: self.pair(first, second)?,
                })
            })?,
            left_over: Kept::first(&prices, self.detail.items).told(|of| {
                let (side, place) = left_over[of];
                let (column, range) = match side {
                    Side::First => &self.first,
                    Side::Second => &self.second,
                };
                let text = column.value(range.start + place).to_string();
                Alone {
                    side,
                    place,
                    text: self.detail.cut(&text),
                    cost: alone,
                }
            }),
        })
    }
}

/// A measure on collections: its own rule, and the distance of members.
pub(crate) struct Collected<G> {
    pub(crate) name: &'static str,
    pub(crate) rule: G,
    pub(crate) members: Arc<dyn FittedDistance>,
    /// Whether the rule sees all that makes two collections different: of lists it does not see the
    /// order.
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

    fn how(&self, a: &Column, b: &Column, detail: Detail) -> Result<How, Error> {
        let (first, second) = children(a, b, self.name)?;
        let (rows, columns) = (offsets(a).range(0), offsets(b).range(0));
        if let Some(absent) = Absent::of(!rows.is_empty(), !columns.is_empty())
            && !self.takes_empty
        {
            return Ok(How::Empty { absent });
        }
        let Bound::Real(pairs) = self.members.bind(first, second)? else {
            return Ok(How::Plain);
        };
        let mut costs = vec![0.0; rows.len() * columns.len()];
        // An empty row is no row to be cut into.
        let width = columns.len().max(1);
        for (row, costs) in rows.clone().zip(costs.chunks_exact_mut(width)) {
            pairs.prepare(row).fill(columns.clone(), costs);
        }
        self.rule.how(&Opened {
            measure: &*self.members,
            first: (first, rows),
            second: (second, columns),
            costs,
            detail,
        })
    }
}
