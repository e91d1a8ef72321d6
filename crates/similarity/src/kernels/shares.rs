//! Kernels of what two collections have in common: Tanimoto's, Sørensen's and Ochiai's coefficient.
//!
//! The lesser counts added up are an inner product (of indicators of levels), and so is
//! `1 / (x + y)` of positive totals, the integral of `exp(-t x) exp(-t y)`; their product is
//! Sørensen's coefficient, halved. Tanimoto's, `m / (x + y - m)`, is the sum of all positive powers
//! of `m / (x + y)`, and so an inner product as well. Simpson's overlap is none: with {a}, {b} and
//! {a, b} its matrix has the determinant -1.

use std::borrow::Cow;
use std::sync::Arc;

use kinwood_values::Column;
use kinwood_values::parameter::Parameter;

use crate::coefficient::Coefficient;
use crate::declaration::Declaration;
use crate::distances::counted::{Counted, SETTINGS};
use crate::entry::{Build, Entry, Example, Inside, Takes, TypeKind};
use crate::error::Error;
use crate::expression::Expression;
use crate::gram::{Gram, KernelLaws};
use crate::measure::FittedKernel;
use crate::profile::ProfileGram;

type Built = Result<Arc<dyn FittedKernel>, Error>;

const PARAMETERS: [Parameter; 4] = SETTINGS;

/// The catalogue's entries.
pub(crate) const ENTRIES: [Entry; 3] = [
    entry(
        "tanimoto",
        "|A and B| / |A or B|, one less `jaccard`; of bags and lists the lesser counts over the larger counts, the MinMax kernel.",
        "Ralaivola, Swamidass, Saigo and Baldi, Graph kernels for chemical informatics, Neural Networks 18, 2005; Gower, A general coefficient of similarity and some of its properties, Biometrics 27, 1971",
        "0.25",
        |declaration| build(declaration, Coefficient::Jaccard),
    ),
    entry(
        "sorensen",
        "2 |A and B| / (|A| + |B|), one less `dice`; of bags and lists by the lesser counts.",
        "Gower and Legendre, Metric and Euclidean properties of dissimilarity coefficients, Journal of Classification 3, 1986",
        "0.4",
        |declaration| build(declaration, Coefficient::Dice),
    ),
    entry(
        "ochiai",
        "The cosine of the angle between the collections as vectors of (weighted) counts, one less `cosine`; with `weights=idf` the usual kernel of texts as bags of words.",
        "Ochiai, 1957; Joachims, Text categorization with support vector machines, ECML 1998",
        "0.4082482904638631",
        |declaration| build(declaration, Coefficient::Cosine),
    ),
];

const fn entry(
    name: &'static str,
    summary: &'static str,
    reference: &'static str,
    gives: &'static str,
    build: fn(&Declaration<'_>) -> Built,
) -> Entry {
    Entry {
        name: Cow::Borrowed(name),
        values: Cow::Borrowed("a set, bag or list"),
        takes: Takes::Kinds(&[TypeKind::Set, TypeKind::Bag, TypeKind::List]),
        inside: Inside::Leaf,
        facts: None,
        summary: Cow::Borrowed(summary),
        laws: "positive semi-definite",
        cost: "|A| + |B|; an empty collection is the origin",
        reference,
        parameters: &PARAMETERS,
        example: Some(Example {
            expression: name,
            of: "set<nominal>",
            a: "[\"a\", \"b\"]",
            b: "[\"b\", \"c\", \"d\"]",
            gives,
        }),
        build: Build::Kernel(build),
    }
}

fn build(declaration: &Declaration<'_>, coefficient: Coefficient) -> Built {
    Ok(Arc::new(SharesKernel(Counted::declared(
        declaration,
        coefficient,
    )?)))
}

struct SharesKernel(Counted);

impl FittedKernel for SharesKernel {
    fn laws(&self) -> KernelLaws {
        KernelLaws::INNER_PRODUCT
    }

    fn expression(&self) -> Expression {
        let name = self.0.coefficient.kernel_name();
        self.0.settings(Expression::new(name.unwrap_or_default()))
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Arc<dyn Gram>, Error> {
        let (first, second) = self.0.profiles(queries, references)?;
        Ok(Arc::new(ProfileGram::new(
            self.0.coefficient,
            first,
            second,
        )))
    }

    fn diagonal(&self, column: &Column) -> Result<Vec<f64>, Error> {
        let (own, _) = self.0.profiles(column, &column.gather(&[]))?;
        let totals = own.totals().iter();
        Ok(totals
            .map(|&total| f64::from(u8::from(total > 0.0)))
            .collect())
    }
}
