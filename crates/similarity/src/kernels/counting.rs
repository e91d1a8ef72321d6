//! Kernels that count: common subsequences, pieces and fragments. Their numbers grow beyond what a double holds, so they
//! are computed with an exponent of their own and can be normalised before they are rounded.

use std::borrow::Cow;
use std::sync::Arc;

use kinwood_values::{Column, Type};

use crate::algorithms::scaled::Scaled;
use crate::algorithms::spectrum::Spectrum;
use crate::algorithms::subsequence::{all_lengths, one_length};
use crate::algorithms::subtree::Fragments;
use crate::comparison::{ComparedGram, Comparison};
use crate::declaration::Declaration;
use crate::distances::sequence::{SEQUENCES, Sequences, is_sequence};
use crate::distances::tree::numbered;
use crate::error::Error;
use crate::expression::{Expression, Literal};
use crate::gram::{Gram, KernelLaws};
use crate::measure::FittedKernel;
use crate::registry::{Allowed, Build, Default, Entry, Example, Parameter};

/// The catalogue's entries.
pub(crate) const ENTRIES: [Entry; 3] = [
    Entry {
        name: Cow::Borrowed("subsequence"),
        values: Cow::Borrowed(SEQUENCES),
        summary: Cow::Borrowed(
            "The common subsequences, each weighted in both sequences by lambda to the length it spans, gaps included.",
        ),
        laws: "positive semi-definite",
        cost: "|A| |B|, times the length where one is chosen",
        reference: "Lodhi, Saunders, Shawe-Taylor, Cristianini and Watkins, Text classification using string kernels, JMLR 2, 2002",
        parameters: &[
            Parameter {
                name: "lambda",
                doc: "The weight of each place spanned.",
                allowed: Allowed::Share,
                default: Default::Number(0.5),
            },
            Parameter {
                name: "length",
                doc: "Subsequences of this length only, or of all lengths.",
                allowed: Allowed::WordOrWhole(&["all"]),
                default: Default::Word("all"),
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
    },
    Entry {
        name: Cow::Borrowed("spectrum"),
        values: Cow::Borrowed(SEQUENCES),
        summary: Cow::Borrowed(
            "The common pieces of k neighbouring items, each times its numbers of occurrences.",
        ),
        laws: "positive semi-definite; a sequence shorter than k is the origin",
        cost: "|A| + |B|",
        reference: "Leslie, Eskin and Noble, The spectrum kernel: a string kernel for SVM protein classification, PSB 2002",
        parameters: &[Parameter {
            name: "k",
            doc: "How many items a piece has.",
            allowed: Allowed::Whole(1),
            default: Default::Number(3.0),
        }],
        example: Some(Example {
            expression: "spectrum(k=2)",
            of: "string",
            a: "\"banana\"",
            b: "\"bandana\"",
            gives: "7",
        }),
        build: Build::Kernel(spectrum),
    },
    Entry {
        name: Cow::Borrowed("subtree"),
        values: Cow::Borrowed("a tree"),
        summary: Cow::Borrowed(
            "The common fragments of trees: over all pairs of nodes with the same label and the same labels of children, decay times the product over children of one plus theirs.",
        ),
        laws: "positive semi-definite",
        cost: "pairs of nodes with the same labels",
        reference: "Collins and Duffy, Convolution kernels for natural language, NIPS 2001",
        parameters: &[Parameter {
            name: "decay",
            doc: "How much a fragment loses with each node that has children.",
            allowed: Allowed::Share,
            default: Default::Number(1.0),
        }],
        example: Some(Example {
            expression: "subtree",
            of: "tree",
            a: "\"a(b,c)\"",
            b: "\"a(b,c)\"",
            gives: "6",
        }),
        build: Build::Kernel(subtree),
    },
];

fn subsequence(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedKernel>, Error> {
    declaration.no_parts()?;
    if !is_sequence(declaration.of()) {
        return Err(declaration.wrong_type());
    }
    let length = match declaration.setting("length") {
        Some(Literal::Number(length)) => Some(length as usize),
        _ => None,
    };
    Ok(Arc::new(Counting::Subsequence {
        lambda: declaration.number("lambda"),
        length,
    }))
}

fn spectrum(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedKernel>, Error> {
    declaration.no_parts()?;
    if !is_sequence(declaration.of()) {
        return Err(declaration.wrong_type());
    }
    Ok(Arc::new(Counting::Spectrum {
        k: declaration.number("k") as usize,
    }))
}

fn subtree(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedKernel>, Error> {
    declaration.no_parts()?;
    if *declaration.of() != Type::Tree {
        return Err(declaration.wrong_type());
    }
    Ok(Arc::new(Counting::Subtree {
        decay: declaration.number("decay"),
    }))
}

/// What is counted.
#[derive(Clone, Copy)]
enum Counting {
    Subsequence { lambda: f64, length: Option<usize> },
    Spectrum { k: usize },
    Subtree { decay: f64 },
}

impl Counting {
    fn ready(&self, queries: &Column, references: &Column) -> Result<Counted, Error> {
        let sequences = |name: &str| Sequences::of(queries, references, name);
        Ok(match *self {
            Counting::Subsequence { lambda, length } => Counted::Subsequences {
                sequences: sequences("subsequence")?,
                lambda,
                length,
            },
            Counting::Spectrum { k } => {
                let sequences = sequences("spectrum")?;
                let all = |of: &[Vec<u32>]| of.iter().map(|one| Spectrum::new(one, k)).collect();
                Counted::Spectra(all(&sequences.queries), all(&sequences.references))
            }
            Counting::Subtree { decay } => {
                let (first, second) = numbered(queries, references, "subtree", Fragments::new)?;
                Counted::Fragments(first, second, decay)
            }
        })
    }
}

impl FittedKernel for Counting {
    fn laws(&self) -> KernelLaws {
        KernelLaws::INNER_PRODUCT
    }

    fn expression(&self) -> Expression {
        match *self {
            Counting::Subsequence { lambda, length } => {
                let expression = Expression::new("subsequence").number("lambda", lambda);
                match length {
                    Some(length) => expression.number("length", length as f64),
                    None => expression,
                }
            }
            Counting::Spectrum { k } => Expression::new("spectrum").number("k", k as f64),
            Counting::Subtree { decay } => Expression::new("subtree").number("decay", decay),
        }
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Arc<dyn Gram>, Error> {
        Ok(Arc::new(ComparedGram(self.ready(queries, references)?)))
    }

    fn bind_normalised(
        &self,
        queries: &Column,
        references: &Column,
    ) -> Result<Arc<dyn Gram>, Error> {
        let own = |column: &Column| -> Result<Vec<Scaled>, Error> {
            let counted = self.ready(column, column)?;
            Ok((0..column.len())
                .map(|row| counted.scaled(row, row))
                .collect())
        };
        Ok(Arc::new(ComparedGram(NormalisedCounts {
            queries: own(queries)?,
            references: own(references)?,
            counted: self.ready(queries, references)?,
        })))
    }
}

enum Counted {
    Subsequences {
        sequences: Sequences,
        lambda: f64,
        length: Option<usize>,
    },
    Spectra(Vec<Spectrum>, Vec<Spectrum>),
    Fragments(Vec<Fragments>, Vec<Fragments>, f64),
}

impl Counted {
    fn scaled(&self, query: usize, reference: usize) -> Scaled {
        match self {
            Counted::Subsequences {
                sequences,
                lambda,
                length,
            } => {
                let a = &sequences.queries[query];
                let b = &sequences.references[reference];
                match length {
                    Some(length) => one_length(a, b, *lambda, *length),
                    None => all_lengths(a, b, *lambda),
                }
            }
            Counted::Spectra(first, second) => first[query].inner(&second[reference]).into(),
            Counted::Fragments(first, second, decay) => {
                first[query].inner(&second[reference], *decay)
            }
        }
    }
}

impl Comparison for Counted {
    type Score = f64;
    type Scratch = ();

    fn shape(&self) -> (usize, usize) {
        match self {
            Counted::Subsequences { sequences, .. } => {
                (sequences.queries.len(), sequences.references.len())
            }
            Counted::Spectra(first, second) => (first.len(), second.len()),
            Counted::Fragments(first, second, _) => (first.len(), second.len()),
        }
    }

    fn between(&self, query: usize, reference: usize, (): &mut ()) -> f64 {
        self.scaled(query, reference).value()
    }
}

struct NormalisedCounts {
    counted: Counted,
    queries: Vec<Scaled>,
    references: Vec<Scaled>,
}

impl Comparison for NormalisedCounts {
    type Score = f64;
    type Scratch = ();

    fn shape(&self) -> (usize, usize) {
        self.counted.shape()
    }

    fn between(&self, query: usize, reference: usize, (): &mut ()) -> f64 {
        let inner = self.counted.scaled(query, reference);
        Scaled::normalised(inner, self.queries[query], self.references[reference])
    }
}
