//! The edit distance of lists by a distance of their items.

use std::sync::Arc;

use kinwood_values::Column;

use super::equality::{self, EditByEquality, NAME};
use super::{Shown, told};
use crate::account::{Account, Detail, How};
use crate::algorithms::edit::{Costs, Edit, Step, distance_with, script_with, within_with};
use crate::distances::collection::{self, CollectionPairs, Reduction, children, finite, offsets};
use crate::distances::table::Table;
use crate::error::Error;
use crate::expression::Expression;
use crate::laws::Laws;
use crate::measure::{Bound, FittedDistance};

/// A substitution costs what the items are apart, times the cost of a substitution.
pub(super) struct EditByItems {
    pub(super) costs: Costs,
    pub(super) items: Arc<dyn FittedDistance>,
    /// Whether a missing item is one more value, 0 from itself.
    pub(super) missing_is_a_value: bool,
}

impl EditByItems {
    /// The same by equality, if that is all that the items' distance tells of these.
    fn by_equality(&self, first: &Column, second: &Column) -> Option<EditByEquality> {
        let whole = first.missing() + second.missing() == 0;
        let equality = self.items.is_equality() && (whole || self.missing_is_a_value);
        equality.then_some(EditByEquality { costs: self.costs })
    }

    fn rule(&self) -> EditRule {
        EditRule { costs: self.costs }
    }
}

impl FittedDistance for EditByItems {
    fn laws(&self) -> Laws {
        equality::laws(self.costs, self.items.laws())
    }

    fn expression(&self) -> Expression {
        let expression = Expression::new(NAME).part(self.items.expression());
        equality::settings(expression, self.costs)
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        let (first, second) = children(queries, references, NAME)?;
        if let Some(same) = self.by_equality(first, second) {
            return same.bind(queries, references);
        }
        let Bound::Real(members) = self.items.bind(first, second)? else {
            return Err(Error::PairValued {
                measure: self.items.expression().name,
                within: format!("`{NAME}`"),
            });
        };
        Ok(Bound::real(CollectionPairs {
            reduction: self.rule(),
            laws: equality::laws(self.costs, members.laws()),
            members,
            queries: offsets(queries),
            references: offsets(references),
        }))
    }

    fn how(&self, a: &Column, b: &Column, detail: Detail) -> Result<How, Error> {
        let (first, second) = children(a, b, NAME)?;
        if let Some(same) = self.by_equality(first, second) {
            return same.how(a, b, detail);
        }
        let Bound::Real(pairs) = self.items.bind(first, second)? else {
            return Ok(How::Plain);
        };
        let (left, right) = (offsets(a).range(0), offsets(b).range(0));
        let rows: Vec<_> = left.clone().map(|item| pairs.prepare(item)).collect();
        let table = Table::new(&rows, right.clone());
        let (rule, costs) = (self.rule(), self.costs);
        let substitute = |i: usize, j: usize| rule.substitute(table.at(i, j));
        let edits = script_with(
            table.rows(),
            table.columns(),
            costs.insert,
            costs.delete,
            substitute,
        );
        let cost = |edit: &Edit| match edit.step {
            Step::Keep => 0.0,
            Step::Substitute => substitute(edit.left, edit.right),
            Step::Insert => costs.insert,
            Step::Delete => costs.delete,
        };
        let behind = |edit: &Edit| {
            let one = (first, left.start + edit.left);
            let other = (second, right.start + edit.right);
            let account = Account::of_rows(&*self.items, one, other, detail)?;
            Ok(Some(Box::new(account)))
        };
        let (first, second) = (Shown::of(a), Shown::of(b));
        Ok(How::Edits {
            edits: told(&edits, &first, &second, detail, cost, behind)?,
        })
    }
}

/// How the items' distances become the edit distance.
#[derive(Clone, Copy)]
struct EditRule {
    costs: Costs,
}

impl EditRule {
    /// Items infinitely far apart are replaced by no substitution, and a free one costs nothing
    /// even then.
    #[inline]
    fn substitute(&self, distance: f64) -> f64 {
        self.costs.substitute * finite(distance)
    }
}

/// Far more than rounding, far less than matters.
const SLACK: f64 = 1e-9;

impl Reduction for EditRule {
    type Scratch = ();

    fn reduce(&self, items: collection::Costs<'_>, (): &mut ()) -> f64 {
        let Costs { insert, delete, .. } = self.costs;
        distance_with(items.rows(), items.columns(), insert, delete, |i, j| {
            self.substitute(items.row(i)[j])
        })
    }

    fn reduce_within(&self, items: collection::Costs<'_>, bound: f64, (): &mut ()) -> Option<f64> {
        let Costs { insert, delete, .. } = self.costs;
        let (rows, columns) = (items.rows(), items.columns());
        within_with(rows, columns, insert, delete, bound, |i, j| {
            self.substitute(items.row(i)[j])
        })
    }

    fn stream(&self, table: &Table<'_>) -> Option<f64> {
        let Costs { insert, delete, .. } = self.costs;
        Some(distance_with(
            table.rows(),
            table.columns(),
            insert,
            delete,
            |i, j| self.substitute(table.at(i, j)),
        ))
    }

    fn least(&self, rows: usize, columns: usize) -> f64 {
        // The distance itself is summed up one by one, and may be rounded to less.
        self.beside_empty(rows.saturating_sub(columns), columns.saturating_sub(rows))
            * (1.0 - SLACK)
    }

    fn to_empty(&self, members: usize) -> f64 {
        self.beside_empty(members, 0)
    }

    fn beside_empty(&self, rows: usize, columns: usize) -> f64 {
        rows as f64 * self.costs.delete + columns as f64 * self.costs.insert
    }
}
