//! The symmetric difference: how many members are in one collection only.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use kinwood_values::offsets::Offsets;
use kinwood_values::{Column, Type};

use super::COLLECTIONS;
use crate::account::{Detail, How, Kept};
use crate::declaration::Declaration;
use crate::distances::collection::{children, offsets};
use crate::entry::{Build, Entry, Example, Inside, Takes, TypeKind};
use crate::error::Error;
use crate::expression::Expression;
use crate::laws::Laws;
use crate::measure::{Bound, FittedDistance};
use crate::pairs::{Pairs, Row};
use crate::symbols::Symbols;

/// The catalogue's entry.
pub(crate) const SYMMETRIC_DIFFERENCE: Entry = Entry {
    name: Cow::Borrowed("symmetric_difference"),
    values: Cow::Borrowed(COLLECTIONS),
    takes: Takes::Kinds(&[TypeKind::Set, TypeKind::Bag, TypeKind::List]),
    inside: Inside::Leaf,
    facts: None,
    summary: Cow::Borrowed("How many members are in one collection and not in the other."),
    laws: "metric on sets and bags; a list is compared as a bag, so its order is not told apart",
    cost: "|A| + |B|",
    reference: "Estruch, Ferri, Hernández-Orallo and Ramírez-Quintana, section 2.1",
    parameters: &[],
    example: Some(Example {
        expression: "symmetric_difference",
        of: "set<nominal>",
        a: "[\"a\", \"b\"]",
        b: "[\"b\", \"c\", \"d\"]",
        gives: "3",
    }),
    build: Build::Distance(build),
};

fn build(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedDistance>, Error> {
    declaration.no_parts()?;
    let laws = match declaration.of() {
        Type::Set(_) | Type::Bag(_) => Laws::METRIC,
        Type::List(_) => Laws::PSEUDO_METRIC,
        _ => return Err(declaration.wrong_type()),
    };
    Ok(Arc::new(SymmetricDifference { laws }))
}

struct SymmetricDifference {
    laws: Laws,
}

impl FittedDistance for SymmetricDifference {
    fn laws(&self) -> Laws {
        self.laws
    }

    fn expression(&self) -> Expression {
        Expression::new("symmetric_difference")
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        let (first, second) = children(queries, references, "symmetric_difference")?;
        let symbols = Symbols::of(first, second);
        let sorted = |offsets: &Offsets, mut symbols: Vec<u32>| {
            for row in 0..offsets.len() {
                symbols[offsets.range(row)].sort_unstable();
            }
            symbols
        };
        let (of_queries, of_references) = (offsets(queries), offsets(references));
        Ok(Bound::real(SortedPairs {
            laws: self.laws,
            queries: sorted(&of_queries, symbols.queries),
            references: sorted(&of_references, symbols.references),
            of_queries,
            of_references,
        }))
    }

    fn how(&self, a: &Column, b: &Column, detail: Detail) -> Result<How, Error> {
        let (first, second) = children(a, b, "symmetric_difference")?;
        let symbols = Symbols::of(first, second);
        let (rows, columns) = (offsets(a).range(0), offsets(b).range(0));
        let (x, y) = (
            &symbols.queries[rows.clone()],
            &symbols.references[columns.clone()],
        );
        let told = |members: &Column, start: usize, alone: Vec<usize>| {
            let kept = Kept::first(&vec![1.0; alone.len()], detail.items);
            kept.told(|place| detail.cut(&members.value(start + alone[place]).to_string()))
        };
        let alone = only(x, y);
        Ok(How::OnlyIn {
            shared: x.len() - alone.len(),
            first: told(first, rows.start, alone),
            second: told(second, columns.start, only(y, x)),
        })
    }
}

/// The places of the members that the other has not, or has less often: the last ones of those that
/// repeat.
fn only(members: &[u32], others: &[u32]) -> Vec<usize> {
    let mut left: BTreeMap<u32, usize> = BTreeMap::new();
    for &other in others {
        *left.entry(other).or_default() += 1;
    }
    let has_not = |&place: &usize| match left.get_mut(&members[place]) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    (0..members.len()).filter(has_not).collect()
}

struct SortedPairs {
    laws: Laws,
    queries: Vec<u32>,
    references: Vec<u32>,
    of_queries: Offsets,
    of_references: Offsets,
}

impl Pairs<f64> for SortedPairs {
    fn shape(&self) -> (usize, usize) {
        (self.of_queries.len(), self.of_references.len())
    }

    fn laws(&self) -> Laws {
        self.laws
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        Box::new(SortedRow {
            query: &self.queries[self.of_queries.range(query)],
            of: self,
        })
    }
}

struct SortedRow<'a> {
    query: &'a [u32],
    of: &'a SortedPairs,
}

impl Row<f64> for SortedRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        for (out, reference) in out.iter_mut().zip(references) {
            let other = &self.of.references[self.of.of_references.range(reference)];
            let shared = shared(self.query, other);
            *out = (self.query.len() + other.len() - 2 * shared) as f64;
        }
    }
}

/// How many members two sorted collections share, repeats counted.
fn shared(a: &[u32], b: &[u32]) -> usize {
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        match x.cmp(y) {
            Ordering::Less => i += 1,
            Ordering::Greater => j += 1,
            Ordering::Equal => {
                shared += 1;
                i += 1;
                j += 1;
            }
        }
    }
    shared
}
