//! Edit distances: the cheapest way to make one sequence into another.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use kinwood_values::{Column, Type};

use super::{SEQUENCES, Sequences, is_sequence, items};
use crate::algorithms::edit::{
    Costs as Prices, Edit as Change, Query, Step as Kind, distance_with, script, script_with,
    within_with,
};
use crate::declaration::Declaration;
use crate::distances::collection::{CollectionPairs, Costs, Reduction, children, offsets};
use crate::error::Error;
use crate::expression::Expression;
use crate::laws::Laws;
use crate::measure::{Bound, Explanation, FittedDistance, Step};
use crate::pairs::{Pairs, Row};
use crate::registry::{Allowed, Build, Default, Entry, Example, Parameter};

const NAME: &str = "edit";

const fn price(name: &'static str, doc: &'static str) -> Parameter {
    Parameter {
        name,
        doc,
        allowed: Allowed::NotNegative,
        default: Default::Number(1.0),
    }
}

/// The catalogue's entry.
pub(crate) const EDIT: Entry = Entry {
    name: Cow::Borrowed(NAME),
    values: Cow::Borrowed(SEQUENCES),
    summary: Cow::Borrowed(
        "The least cost of inserting, deleting and substituting that makes one sequence into the other.",
    ),
    laws: "metric if inserting and deleting cost the same and nothing is free; the triangle always holds; `edit(d)` needs it of d, and has the other laws as d does",
    cost: "|A| |B| / 64 for unit costs, |A| |B| otherwise",
    reference: "Levenshtein, Binary codes capable of correcting deletions, insertions and reversals, 1966; Myers, A fast bit-vector algorithm, JACM 46, 1999",
    parameters: &[
        price("insert", "What an item costs that only the second has."),
        price("delete", "What an item costs that only the first has."),
        price(
            "substitute",
            "What it costs that an item becomes another; with a distance of items, that distance is multiplied by it.",
        ),
    ],
    example: Some(Example {
        expression: "edit",
        of: "string",
        a: "\"kitten\"",
        b: "\"sitting\"",
        gives: "3",
    }),
    build: Build::Distance(build),
};

fn build(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedDistance>, Error> {
    if !is_sequence(declaration.of()) {
        return Err(declaration.wrong_type());
    }
    let prices = Prices {
        insert: declaration.number("insert"),
        delete: declaration.number("delete"),
        substitute: declaration.number("substitute"),
    };
    let string = *declaration.of() == Type::String;
    if string {
        declaration.no_parts()?;
    }
    if declaration.only_part()?.is_none() {
        return Ok(Arc::new(Plain { prices }));
    }
    let items = declaration.member_distance()?;
    // Items that are equal or not are symbols, and symbols are fast; a missing item is a symbol like any other.
    let expression = items.expression();
    if expression.name == "discrete" && expression.arguments.is_empty() {
        return Ok(Arc::new(Plain { prices }));
    }
    Ok(Arc::new(ByItems { prices, items }))
}

fn priced(expression: Expression, prices: Prices) -> Expression {
    expression
        .number("insert", prices.insert)
        .number("delete", prices.delete)
        .number("substitute", prices.substitute)
}

/// What holds, given what holds of items. Two edits in a row never cost less than the one they amount to, so the
/// triangle of items is enough.
fn laws(prices: Prices, items: Laws) -> Laws {
    let gaps = prices.insert > 0.0 && prices.delete > 0.0;
    Laws {
        zero_on_self: items.zero_on_self,
        separates: items.separates && gaps && prices.substitute > 0.0,
        symmetric: items.symmetric && prices.insert == prices.delete,
        triangle: items.triangle,
    }
}

/// Items that are equal or not.
struct Plain {
    prices: Prices,
}

impl FittedDistance for Plain {
    fn laws(&self) -> Laws {
        laws(self.prices, Laws::METRIC)
    }

    fn expression(&self) -> Expression {
        let unit = self.prices == Prices::default();
        let expression = Expression::new(NAME);
        if unit {
            expression
        } else {
            priced(expression, self.prices)
        }
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        Ok(Bound::real(SequencePairs {
            prices: self.prices,
            laws: self.laws(),
            sequences: Sequences::of(queries, references, NAME)?,
        }))
    }

    fn explain(&self, a: &Column, b: &Column) -> Result<Option<Explanation>, Error> {
        let Sequences {
            queries,
            references,
        } = Sequences::of(a, b, NAME)?;
        let (Some(first), Some(second)) = (queries.first(), references.first()) else {
            return Ok(None);
        };
        let changes = script(self.prices, first, second);
        Ok(Some(told(&changes, a, b, self.prices, |_, _| {
            self.prices.substitute
        })))
    }
}

/// The script in words; what is kept is told together.
fn told(
    changes: &[Change],
    a: &Column,
    b: &Column,
    prices: Prices,
    substitute: impl Fn(usize, usize) -> f64,
) -> Explanation {
    let (first, second) = (items(a), items(b));
    let mut steps = Vec::new();
    let mut next = 0;
    while next < changes.len() {
        let Change { step, left, right } = changes[next];
        let kept = changes[next..]
            .iter()
            .take_while(|change| change.step == Kind::Keep)
            .count();
        let (text, amount) = match step {
            Kind::Keep => {
                let same = first.get(left..left + kept).unwrap_or_default();
                (format!("keep {}", same.join(" ")), 0.0)
            }
            Kind::Substitute => (
                format!("substitute {} by {}", first[left], second[right]),
                substitute(left, right),
            ),
            Kind::Insert => (format!("insert {}", second[right]), prices.insert),
            Kind::Delete => (format!("delete {}", first[left]), prices.delete),
        };
        steps.push(Step {
            text,
            amount: Some(amount),
        });
        next += kept.max(1);
    }
    Explanation {
        title: "the edits that make the first into the second".to_owned(),
        steps,
    }
}

struct SequencePairs {
    prices: Prices,
    laws: Laws,
    sequences: Sequences,
}

impl Pairs<f64> for SequencePairs {
    fn shape(&self) -> (usize, usize) {
        (
            self.sequences.queries.len(),
            self.sequences.references.len(),
        )
    }

    fn laws(&self) -> Laws {
        self.laws
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        Box::new(SequenceRow {
            query: Query::new(self.prices, &self.sequences.queries[query]),
            references: &self.sequences.references,
        })
    }
}

struct SequenceRow<'a> {
    query: Query,
    references: &'a [Vec<u32>],
}

impl Row<f64> for SequenceRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        let texts = self.references[references].iter().map(Vec::as_slice);
        self.query.distances(texts, out);
    }

    fn within(&self, reference: usize, bound: f64) -> Option<f64> {
        self.query.within(&self.references[reference], bound)
    }
}

/// Items that have a distance of their own.
struct ByItems {
    prices: Prices,
    items: Arc<dyn FittedDistance>,
}

impl FittedDistance for ByItems {
    fn laws(&self) -> Laws {
        laws(self.prices, self.items.laws())
    }

    fn expression(&self) -> Expression {
        priced(
            Expression::new(NAME).part(self.items.expression()),
            self.prices,
        )
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        let (first, second) = children(queries, references, NAME)?;
        let Bound::Real(members) = self.items.bind(first, second)? else {
            return Err(Error::PairValued {
                measure: self.items.expression().name,
                within: format!("`{NAME}`"),
            });
        };
        Ok(Bound::real(CollectionPairs {
            reduction: self.prices,
            laws: laws(self.prices, members.laws()),
            members,
            queries: offsets(queries),
            references: offsets(references),
        }))
    }

    fn explain(&self, a: &Column, b: &Column) -> Result<Option<Explanation>, Error> {
        let (first, second) = children(a, b, NAME)?;
        let Bound::Real(pairs) = self.items.bind(first, second)? else {
            return Ok(None);
        };
        let (rows, columns) = (offsets(a).range(0), offsets(b).range(0));
        let mut costs = vec![0.0; rows.len() * columns.len()];
        if !columns.is_empty() {
            for (row, costs) in rows.clone().zip(costs.chunks_exact_mut(columns.len())) {
                pairs.prepare(row).fill(columns.clone(), costs);
            }
        }
        let width = columns.len();
        let substitute = |i: usize, j: usize| costs[i * width + j] * self.prices.substitute;
        let Prices { insert, delete, .. } = self.prices;
        let changes = script_with(rows.len(), width, insert, delete, substitute);
        Ok(Some(told(&changes, a, b, self.prices, substitute)))
    }
}

impl Reduction for Prices {
    type Scratch = ();

    fn reduce(&self, costs: Costs<'_>, (): &mut ()) -> f64 {
        let substitute = |i: usize, j: usize| costs.row(i)[j] * self.substitute;
        distance_with(
            costs.rows(),
            costs.columns(),
            self.insert,
            self.delete,
            substitute,
        )
    }

    fn reduce_within(&self, costs: Costs<'_>, bound: f64, (): &mut ()) -> Option<f64> {
        let substitute = |i: usize, j: usize| costs.row(i)[j] * self.substitute;
        let (rows, columns) = (costs.rows(), costs.columns());
        within_with(rows, columns, self.insert, self.delete, bound, substitute)
    }

    fn least(&self, rows: usize, columns: usize) -> f64 {
        let spare = rows.abs_diff(columns) as f64;
        // A little less, for sums round.
        spare
            * (if rows > columns {
                self.delete
            } else {
                self.insert
            })
            * (1.0 - 1e-9)
    }

    fn to_empty(&self, rows: usize, columns: usize) -> f64 {
        rows as f64 * self.delete + columns as f64 * self.insert
    }
}
