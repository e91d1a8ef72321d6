//! Kernels on tuples and rows: the sum or the product of the fields' kernels.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use kinwood_values::{Cells, Column};

use crate::account::{Contribution, Detail, Kept, Listed};
use crate::declaration::Declaration;
use crate::entry::{Build, Entry, Example, Inside, Takes, TypeKind};
use crate::error::Error;
use crate::expression::{Argument, Expression, Part};
use crate::gram::{Gram, KernelLaws};
use crate::measure::FittedKernel;
use crate::pairs::Row;

const REFERENCE: &str =
    "Haussler, Convolution kernels on discrete structures, 1999; Estruch et al., section 2.2";

/// The catalogue's entries.
pub(crate) const ENTRIES: [Entry; 2] = [
    Entry {
        name: Cow::Borrowed("add"),
        values: Cow::Borrowed("a tuple or a row"),
        takes: Takes::Kinds(&[TypeKind::Tuple]),
        inside: Inside::Fields,
        facts: None,
        summary: Cow::Borrowed("The sum of the fields' kernels, each times its weight."),
        laws: "positive semi-definite if all its fields are",
        cost: "one kernel a field",
        reference: REFERENCE,
        parameters: &[],
        example: Some(Example {
            expression: "add(delta, product * 2)",
            of: "tuple<nominal, numeric>",
            a: "[\"c\", 1]",
            b: "[\"c\", 3]",
            gives: "7",
        }),
        build: Build::Kernel(|declaration| build(declaration, false)),
    },
    Entry {
        name: Cow::Borrowed("multiply"),
        values: Cow::Borrowed("a tuple or a row"),
        takes: Takes::Kinds(&[TypeKind::Tuple]),
        inside: Inside::Fields,
        facts: None,
        summary: Cow::Borrowed("The product of the fields' kernels."),
        laws: "positive semi-definite if all its fields are",
        cost: "one kernel a field",
        reference: REFERENCE,
        parameters: &[],
        example: Some(Example {
            expression: "multiply(delta, product)",
            of: "tuple<nominal, numeric>",
            a: "[\"c\", 1]",
            b: "[\"c\", 3]",
            gives: "3",
        }),
        build: Build::Kernel(|declaration| build(declaration, true)),
    },
];

fn build(declaration: &Declaration<'_>, multiplies: bool) -> Result<Arc<dyn FittedKernel>, Error> {
    let mut fields = Vec::new();
    for part in declaration.fields()? {
        if multiplies && part.weight != 1.0 {
            return Err(Error::PlainPart {
                measure: declaration.name().to_owned(),
            });
        }
        fields.push(Field {
            position: part.position,
            name: part.name.clone(),
            weight: part.weight,
            kernel: declaration.field_kernel(&part)?,
        });
    }
    Ok(Arc::new(Joint { multiplies, fields }))
}

struct Field {
    position: usize,
    name: Option<String>,
    weight: f64,
    kernel: Arc<dyn FittedKernel>,
}

struct Joint {
    multiplies: bool,
    fields: Vec<Field>,
}

impl Joint {
    fn name(&self) -> &'static str {
        if self.multiplies { "multiply" } else { "add" }
    }
}

impl FittedKernel for Joint {
    fn laws(&self) -> KernelLaws {
        self.fields
            .iter()
            .map(|field| field.kernel.laws())
            .fold(KernelLaws::INNER_PRODUCT, KernelLaws::and)
    }

    fn expression(&self) -> Expression {
        let named = self.fields.iter().all(|field| field.name.is_some());
        let mut expression = Expression::new(self.name());
        for field in &self.fields {
            expression.arguments.push(Argument::Part(Part {
                field: field.name.clone().filter(|_| named),
                measure: field.kernel.expression(),
                weight: field.weight,
            }));
        }
        expression
    }

    fn needs_centring(&self) -> bool {
        let centred = |field: &Field| field.kernel.needs_centring();
        !self.multiplies && !self.fields.is_empty() && self.fields.iter().all(centred)
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Arc<dyn Gram>, Error> {
        let (Cells::Tuple { fields: first, .. }, Cells::Tuple { fields: second, .. }) =
            (queries.cells(), references.cells())
        else {
            return Err(Error::Layout {
                column: self.name().to_owned(),
            });
        };
        let parts = self
            .fields
            .iter()
            .map(|field| {
                let (one, other) = (&first[field.position], &second[field.position]);
                Ok((field.weight, field.kernel.bind(one, other)?))
            })
            .collect::<Result<_, Error>>()?;
        Ok(Arc::new(JointGram {
            multiplies: self.multiplies,
            parts,
            shape: (queries.len(), references.len()),
        }))
    }

    fn contributions(
        &self,
        a: &Column,
        b: &Column,
        detail: Detail,
    ) -> Result<Option<Listed<Contribution>>, Error> {
        let (Cells::Tuple { fields: first, .. }, Cells::Tuple { fields: second, .. }) =
            (a.cells(), b.cells())
        else {
            return Ok(None);
        };
        if self.multiplies {
            return Ok(None);
        }
        let added = self.fields.iter().map(|field| {
            let (one, other) = (&first[field.position], &second[field.position]);
            let mut inner = [0.0];
            let gram = field.kernel.bind(one, other)?;
            gram.prepare(0).fill(0..1, &mut inner);
            Ok(field.weight * inner[0])
        });
        let added: Vec<f64> = added.collect::<Result<_, Error>>()?;
        let kept = Kept::by(&added, detail.items, |place| added[place].abs());
        Ok(Some(kept.told(|place| {
            let field = &self.fields[place];
            Contribution {
                what: match &field.name {
                    Some(name) => format!("`{name}`"),
                    None => format!("field {}", field.position + 1),
                },
                amount: added[place],
            }
        })))
    }
}

struct JointGram {
    multiplies: bool,
    parts: Vec<(f64, Arc<dyn Gram>)>,
    shape: (usize, usize),
}

impl Gram for JointGram {
    fn shape(&self) -> (usize, usize) {
        self.shape
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        let parts = self
            .parts
            .iter()
            .map(|(weight, part)| (*weight, part.prepare(query)))
            .collect();
        Box::new(JointRow {
            multiplies: self.multiplies,
            parts,
        })
    }
}

struct JointRow<'a> {
    multiplies: bool,
    parts: Vec<(f64, Box<dyn Row<f64> + 'a>)>,
}

impl Row<f64> for JointRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        out.fill(if self.multiplies { 1.0 } else { 0.0 });
        let mut part_row = vec![0.0; out.len()];
        for (weight, part) in &self.parts {
            part.fill(references.clone(), &mut part_row);
            for (out, &inner) in out.iter_mut().zip(&part_row) {
                if self.multiplies {
                    *out *= inner;
                } else {
                    *out += weight * inner;
                }
            }
        }
    }
}
