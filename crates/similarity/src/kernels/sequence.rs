//! Kernels on strings and lists: common subsequences, and common contiguous pieces.

use std::borrow::Cow;
use std::sync::Arc;

use kinwood_values::offsets::Offsets;
use kinwood_values::{Column, Type};

use super::counting::{Counting, CountingKernel, Counts};
use crate::algorithms::scaled::Scaled;
use crate::algorithms::spectrum::Spectrum;
use crate::algorithms::subsequence::{all_lengths, all_lengths_with, one_length, one_length_with};
use crate::declaration::Declaration;
use crate::distances::collection::{children, offsets};
use crate::distances::sequence::SEQUENCES;
use crate::distances::table::Table;
use crate::entry::{Build, Entry, Example, Inside, Takes, TypeKind};
use crate::error::Error;
use crate::expression::{Expression, Literal};
use crate::gram::{Gram, KernelLaws};
use crate::measure::FittedKernel;
use crate::pairs::Row;
use crate::symbols::Sequences;
use kinwood_values::parameter::{Allowed, Parameter};

/// The catalogue's entry.
pub(crate) const SUBSEQUENCE: Entry = Entry {
    name: Cow::Borrowed("subsequence"),
    values: Cow::Borrowed(SEQUENCES),
    takes: Takes::Kinds(&[TypeKind::String, TypeKind::List]),
    inside: Inside::Members,
    facts: None,
    summary: Cow::Borrowed(
        "The sum over common subsequences, gaps allowed, of the product of their weights in either sequence, lambda to the power of the span; the items of lists are equal or not, or alike as an item kernel says: `subsequence(k)`.",
    ),
    laws: "positive semi-definite if the item kernel is",
    cost: "|a| |b|, times the length if it is one; memory linear; values of long sequences are infinite, those of `normalised(subsequence)` never",
    reference: "Lodhi, Saunders, Shawe-Taylor, Cristianini and Watkins, Text classification using string kernels, JMLR 2, 2002; Estruch et al., section 2.2",
    parameters: &[
        Parameter {
            name: "lambda",
            doc: "The weight of each place that a subsequence spans.",
            allowed: Allowed::Share,
            default: "0.5",
        },
        Parameter {
            name: "length",
            doc: "Subsequences of this length only; a shorter sequence has none.",
            allowed: Allowed::WholeOr {
                least: 1,
                words: &["all"],
            },
            default: "all",
        },
    ],
    example: Some(Example {
        expression: "subsequence",
        of: "string",
        a: "\"aac\"",
        b: "\"ac\"",
        gives: "0.84375",
    }),
    build: Build::Kernel(subsequence),
};

/// The catalogue's entry.
pub(crate) const SPECTRUM: Entry = Entry {
    name: Cow::Borrowed("spectrum"),
    values: Cow::Borrowed(SEQUENCES),
    takes: Takes::Kinds(&[TypeKind::String, TypeKind::List]),
    inside: Inside::Leaf,
    facts: None,
    summary: Cow::Borrowed(
        "How many pairs of contiguous pieces of k items, one of each sequence, are equal; a sequence of fewer items has none.",
    ),
    laws: "positive semi-definite",
    cost: "|a| + |b|; each sequence is sorted once",
    reference: "Leslie, Eskin and Noble, The spectrum kernel: a string kernel for SVM protein classification, PSB 2002",
    parameters: &[Parameter {
        name: "k",
        doc: "How many items a piece has.",
        allowed: Allowed::Whole {
            least: 1,
            most: u64::MAX,
        },
        default: "3",
    }],
    example: Some(Example {
        expression: "spectrum(k=2)",
        of: "string",
        a: "\"abab\"",
        b: "\"abc\"",
        gives: "2",
    }),
    build: Build::Kernel(spectrum),
};

fn subsequence(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedKernel>, Error> {
    let weighting = Weighting {
        lambda: declaration.number("lambda"),
        length: match declaration.setting("length") {
            Some(Literal::Number(length)) => Some(length as usize),
            _ => None,
        },
    };
    match declaration.of() {
        Type::String => declaration.no_parts()?,
        Type::List(_) if declaration.only_part()?.is_some() => {
            return Ok(Arc::new(Counting(ByItems {
                weighting,
                items: declaration.member_kernel()?,
            })));
        }
        Type::List(_) => {}
        _ => return Err(declaration.wrong_type()),
    }
    Ok(Arc::new(Counting(ByEquality(weighting))))
}

fn spectrum(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedKernel>, Error> {
    declaration.no_parts()?;
    match declaration.of() {
        Type::String | Type::List(_) => Ok(Arc::new(Counting(OfPieces {
            length: declaration.number("k") as usize,
        }))),
        _ => Err(declaration.wrong_type()),
    }
}

/// How subsequences count.
#[derive(Clone, Copy)]
struct Weighting {
    lambda: f64,
    /// Of this length only.
    length: Option<usize>,
}

impl Weighting {
    fn settings(self, expression: Expression) -> Expression {
        let expression = expression.number("lambda", self.lambda);
        match self.length {
            Some(length) => expression.number("length", length as f64),
            None => expression.word("length", "all"),
        }
    }
}

/// By characters, or by items that are equal or not; a missing item is an item.
struct ByEquality(Weighting);

impl CountingKernel for ByEquality {
    type Counts = EqualItems;

    fn expression(&self) -> Expression {
        self.0.settings(Expression::new("subsequence"))
    }

    fn counts(&self, queries: &Column, references: &Column) -> Result<EqualItems, Error> {
        Ok(EqualItems {
            weighting: self.0,
            sequences: Sequences::of(queries, references, "subsequence")?,
        })
    }
}

struct EqualItems {
    weighting: Weighting,
    sequences: Sequences,
}

impl Counts for EqualItems {
    type Query<'a> = &'a [u32];

    fn shape(&self) -> (usize, usize) {
        self.sequences.shape()
    }

    fn prepare(&self, query: usize) -> &[u32] {
        self.sequences.queries.get(query)
    }

    fn count(&self, query: &&[u32], reference: usize) -> Scaled {
        let other = self.sequences.references.get(reference);
        let Weighting { lambda, length } = self.weighting;
        match length {
            None => all_lengths(query, other, lambda),
            Some(length) => one_length(query, other, lambda, length),
        }
    }
}

/// By a kernel of items: a pair of subsequences counts with the product of it over their items.
struct ByItems {
    weighting: Weighting,
    items: Arc<dyn FittedKernel>,
}

impl CountingKernel for ByItems {
    type Counts = WeighedItems;

    fn laws(&self) -> KernelLaws {
        self.items.laws()
    }

    fn expression(&self) -> Expression {
        let expression = Expression::new("subsequence").part(self.items.expression());
        self.weighting.settings(expression)
    }

    fn counts(&self, queries: &Column, references: &Column) -> Result<WeighedItems, Error> {
        let (first, second) = children(queries, references, "subsequence")?;
        Ok(WeighedItems {
            weighting: self.weighting,
            items: self.items.bind(first, second)?,
            queries: offsets(queries),
            references: offsets(references),
        })
    }
}

struct WeighedItems {
    weighting: Weighting,
    items: Arc<dyn Gram>,
    queries: Offsets,
    references: Offsets,
}

impl Counts for WeighedItems {
    type Query<'a> = Vec<Box<dyn Row<f64> + 'a>>;

    fn shape(&self) -> (usize, usize) {
        (self.queries.len(), self.references.len())
    }

    fn prepare(&self, query: usize) -> Self::Query<'_> {
        let items = self.queries.range(query);
        items.map(|item| self.items.prepare(item)).collect()
    }

    fn count(&self, query: &Self::Query<'_>, reference: usize) -> Scaled {
        let table = Table::new(query, self.references.range(reference));
        let (rows, columns) = (table.rows(), table.columns());
        let weight = |i: usize, j: usize| table.at(i, j);
        let Weighting { lambda, length } = self.weighting;
        match length {
            None => all_lengths_with(rows, columns, lambda, weight),
            Some(length) => one_length_with(rows, columns, lambda, length, weight),
        }
    }
}

/// By contiguous pieces.
struct OfPieces {
    length: usize,
}

impl CountingKernel for OfPieces {
    type Counts = Spectra;

    fn expression(&self) -> Expression {
        Expression::new("spectrum").number("k", self.length as f64)
    }

    fn counts(&self, queries: &Column, references: &Column) -> Result<Spectra, Error> {
        let sequences = Sequences::of(queries, references, "spectrum")?;
        let (of_queries, of_references) = sequences.shape();
        let pieces = |symbols: &[u32]| Spectrum::new(symbols, self.length);
        Ok(Spectra {
            queries: (0..of_queries)
                .map(|row| pieces(sequences.queries.get(row)))
                .collect(),
            references: (0..of_references)
                .map(|row| pieces(sequences.references.get(row)))
                .collect(),
        })
    }
}

struct Spectra {
    queries: Vec<Spectrum>,
    references: Vec<Spectrum>,
}

impl Counts for Spectra {
    type Query<'a> = &'a Spectrum;

    fn shape(&self) -> (usize, usize) {
        (self.queries.len(), self.references.len())
    }

    fn prepare(&self, query: usize) -> &Spectrum {
        &self.queries[query]
    }

    fn count(&self, query: &&Spectrum, reference: usize) -> Scaled {
        Scaled::from(query.inner(&self.references[reference]))
    }
}
