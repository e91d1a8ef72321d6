//! How much the words of two texts have in common, what is rare counting more.

use std::borrow::Cow;
use std::sync::Arc;

use kinwood_values::parameter::Parameter;
use kinwood_values::{Column, Type};

use crate::declaration::Declaration;
use crate::entry::{Build, Entry, Example, Inside, Takes};
use crate::error::Error;
use crate::expression::Expression;
use crate::gram::{Gram, KernelLaws};
use crate::measure::FittedKernel;
use crate::words::{self, Reading, SETTINGS};

const NAME: &str = "words";

const PARAMETERS: [Parameter; 5] = SETTINGS;

/// The catalogue's entry.
pub(crate) const WORDS: Entry = Entry {
    name: Cow::Borrowed(NAME),
    values: Cow::Borrowed("a string"),
    takes: Takes::Exactly(Type::String),
    inside: Inside::Leaf,
    facts: None,
    summary: Cow::Borrowed(
        "The cosine of the angle between two texts as vectors of how often each word occurs, times its weight, one less `tfidf`: `ochiai(weights=idf)` of their words.",
    ),
    laws: "positive semi-definite",
    cost: "the words of both; a text without words is the origin",
    reference: "Joachims, Text categorization with support vector machines, ECML 1998",
    parameters: &PARAMETERS,
    example: Some(Example {
        expression: "words(weights='{\"the\": 0}')",
        of: "string",
        a: "\"The cat sat\"",
        b: "\"the Cat ran\"",
        gives: "0.5",
    }),
    build: Build::Kernel(build),
};

fn build(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedKernel>, Error> {
    declaration.no_parts()?;
    if *declaration.of() != Type::String {
        return Err(declaration.wrong_type());
    }
    let reading = Reading::declared(declaration)?;
    let inner = words::inside(declaration, "ochiai")?;
    let training = declaration.training().map(|texts| reading.lists(texts));
    let place = format!("the words of {}", declaration.place());
    let measure = declaration.with(
        &inner,
        &words::of_words(),
        training.as_ref(),
        place,
        |inner| inner.resolver.kernel(inner),
    )?;
    Ok(Arc::new(ByWords { measure, reading }))
}

/// A kernel of lists of words, on texts.
struct ByWords {
    measure: Arc<dyn FittedKernel>,
    reading: Reading,
}

impl FittedKernel for ByWords {
    fn laws(&self) -> KernelLaws {
        self.measure.laws()
    }

    fn expression(&self) -> Expression {
        words::outside(self.measure.expression(), NAME, &self.reading)
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Arc<dyn Gram>, Error> {
        let (queries, references) = (self.reading.lists(queries), self.reading.lists(references));
        self.measure.bind(&queries, &references)
    }

    fn diagonal(&self, column: &Column) -> Result<Vec<f64>, Error> {
        self.measure.diagonal(&self.reading.lists(column))
    }
}
