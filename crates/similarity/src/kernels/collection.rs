//! The set kernel: the members' kernels of all pairs, raised to a power and added up.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use kinwood_values::Column;
use kinwood_values::offsets::Offsets;

use crate::account::{Contribution, Detail, Kept, Listed};
use crate::distances::collection::{children, offsets};
use crate::entry::{Build, Entry, Example, Inside, Takes, TypeKind};
use crate::error::Error;
use crate::expression::Expression;
use crate::gram::{Gram, KernelLaws};
use crate::measure::FittedKernel;
use crate::pairs::Row;
use kinwood_values::parameter::{Allowed, Parameter};

/// The catalogue's entry.
pub(crate) const SET: Entry = Entry {
    name: Cow::Borrowed("set"),
    values: Cow::Borrowed("a set, bag or list"),
    takes: Takes::Kinds(&[TypeKind::Set, TypeKind::Bag, TypeKind::List]),
    inside: Inside::Members,
    facts: None,
    summary: Cow::Borrowed(
        "The sum over all pairs of members of their kernel to a power: the multi-instance kernel with `gaussian`, the size of the intersection with `delta`.",
    ),
    laws: "positive semi-definite for whole powers, or for `gaussian` or `delta` members; not for any power",
    cost: "|A| |B| kernels of members; an empty collection is the origin",
    reference: "Gärtner, Flach, Kowalczyk and Smola, Multi-instance kernels, ICML 2002",
    parameters: &[Parameter {
        name: "power",
        doc: "To which power each member's kernel is raised; of a negative one, its size is raised and its sign kept.",
        allowed: Allowed::Positive,
        default: "1",
    }],
    example: Some(Example {
        expression: "set(delta)",
        of: "set<nominal>",
        a: "[\"a\", \"b\"]",
        b: "[\"b\", \"c\", \"d\"]",
        gives: "1",
    }),
    build: Build::Kernel(|declaration| {
        Ok(Arc::new(SetKernel {
            members: declaration.member_kernel()?,
            power: declaration.number("power"),
        }))
    }),
};

struct SetKernel {
    members: Arc<dyn FittedKernel>,
    power: f64,
}

impl FittedKernel for SetKernel {
    fn laws(&self) -> KernelLaws {
        let any_power = self.members.is_infinitely_divisible();
        let members = self.members.laws();
        KernelLaws {
            positive_semidefinite: members.positive_semidefinite
                && (self.power.fract() == 0.0 || any_power),
            ..members
        }
    }

    fn expression(&self) -> Expression {
        Expression::new("set")
            .part(self.members.expression())
            .number("power", self.power)
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Arc<dyn Gram>, Error> {
        let (first, second) = children(queries, references, "set")?;
        Ok(Arc::new(SetGram {
            members: self.members.bind(first, second)?,
            queries: offsets(queries),
            references: offsets(references),
            power: self.power,
        }))
    }

    fn contributions(
        &self,
        a: &Column,
        b: &Column,
        detail: Detail,
    ) -> Result<Option<Listed<Contribution>>, Error> {
        let (first, second) = children(a, b, "set")?;
        let (rows, columns) = (offsets(a).range(0), offsets(b).range(0));
        let gram = self.members.bind(first, second)?;
        let mut inner = vec![0.0; columns.len()];
        let mut shared: Vec<(usize, usize)> = Vec::new();
        let mut added = Vec::new();
        for row in rows {
            gram.prepare(row).fill(columns.clone(), &mut inner);
            for (column, &inner) in columns.clone().zip(&inner) {
                let raised = raised(inner, self.power);
                if raised != 0.0 {
                    shared.push((row, column));
                    added.push(raised);
                }
            }
        }
        let kept = Kept::by(&added, detail.items, |place| added[place].abs());
        Ok(Some(kept.told(|place| {
            let (row, column) = shared[place];
            let (one, other) = (first.value(row), second.value(column));
            let (one, other) = (one.to_string(), other.to_string());
            Contribution {
                what: format!("{} with {}", detail.cut(&one), detail.cut(&other)),
                amount: added[place],
            }
        })))
    }
}

fn raised(inner: f64, power: f64) -> f64 {
    if power == 1.0 {
        inner
    } else if power.fract() == 0.0 && power < 1e6 {
        inner.powi(power as i32)
    } else {
        inner.abs().powf(power).copysign(inner)
    }
}

struct SetGram {
    members: Arc<dyn Gram>,
    queries: Offsets,
    references: Offsets,
    power: f64,
}

impl Gram for SetGram {
    fn shape(&self) -> (usize, usize) {
        (self.queries.len(), self.references.len())
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        let rows = self
            .queries
            .range(query)
            .map(|member| self.members.prepare(member))
            .collect();
        Box::new(SetRow { of: self, rows })
    }
}

struct SetRow<'a> {
    of: &'a SetGram,
    rows: Vec<Box<dyn Row<f64> + 'a>>,
}

/// References at a time.
const BLOCK: usize = 256;

impl Row<f64> for SetRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        let offsets = &self.of.references;
        out.fill(0.0);
        let mut inner = Vec::new();
        for (block, out) in out.chunks_mut(BLOCK).enumerate() {
            let start = references.start + block * BLOCK;
            let first = offsets.range(start).start;
            let last = offsets.range(start + out.len() - 1).end;
            inner.resize(last - first, 0.0);
            for row in &self.rows {
                row.fill(first..last, &mut inner);
                for (reference, out) in (start..).zip(&mut *out) {
                    let range = offsets.range(reference);
                    let members = &inner[range.start - first..range.end - first];
                    *out += members
                        .iter()
                        .map(|&of| raised(of, self.of.power))
                        .sum::<f64>();
                }
            }
        }
    }
}
