//! The subtree kernel on ordered labelled trees.

use std::borrow::Cow;
use std::sync::Arc;

use kinwood_values::{Column, Type};

use super::counting::{Counting, CountingKernel, Counts};
use crate::algorithms::scaled::Scaled;
use crate::algorithms::subtree::Fragments;
use crate::distances::tree::TREES;
use crate::entry::{Build, Entry, Example, Inside, Takes, TypeKind};
use crate::error::Error;
use crate::expression::Expression;
use crate::symbols::NumberedTrees;
use kinwood_values::parameter::{Allowed, Parameter};

const NAME: &str = "subtree";

/// The catalogue's entry.
pub(crate) const SUBTREE: Entry = Entry {
    name: Cow::Borrowed(NAME),
    values: Cow::Borrowed(TREES),
    takes: Takes::Kinds(&[TypeKind::Tree]),
    inside: Inside::Leaf,
    facts: None,
    summary: Cow::Borrowed(
        "How many fragments two trees share: a node with all its children, each of these with all its own or without.",
    ),
    laws: "positive semi-definite",
    cost: "the pairs of nodes that have the same label and the same children's labels; values of large trees are infinite, those of `normalised(subtree)` never",
    reference: "Collins and Duffy, Convolution kernels for natural language, NIPS 2001",
    parameters: &[Parameter {
        name: "decay",
        doc: "The weight of each node that a fragment holds with all its children, leaves too.",
        allowed: Allowed::Share,
        default: "1",
    }],
    example: Some(Example {
        expression: NAME,
        of: "tree",
        a: "\"a(b,c)\"",
        b: "\"a(b,c)\"",
        gives: "6",
    }),
    build: Build::Kernel(|declaration| {
        declaration.no_parts()?;
        match declaration.of() {
            Type::Tree => Ok(Arc::new(Counting(Subtree {
                decay: declaration.number("decay"),
            }))),
            _ => Err(declaration.wrong_type()),
        }
    }),
};

struct Subtree {
    decay: f64,
}

impl CountingKernel for Subtree {
    type Counts = FragmentsOf;

    fn expression(&self) -> Expression {
        Expression::new(NAME).number("decay", self.decay)
    }

    fn counts(&self, queries: &Column, references: &Column) -> Result<FragmentsOf, Error> {
        let trees = NumberedTrees::of(queries, references, NAME)?;
        let (queries, references) = trees.prepared(Fragments::new);
        Ok(FragmentsOf {
            decay: self.decay,
            queries,
            references,
        })
    }
}

struct FragmentsOf {
    decay: f64,
    queries: Vec<Fragments>,
    references: Vec<Fragments>,
}

impl Counts for FragmentsOf {
    type Query<'a> = &'a Fragments;

    fn shape(&self) -> (usize, usize) {
        (self.queries.len(), self.references.len())
    }

    fn prepare(&self, query: usize) -> &Fragments {
        &self.queries[query]
    }

    fn count(&self, query: &&Fragments, reference: usize) -> Scaled {
        query.inner(&self.references[reference], self.decay)
    }
}
