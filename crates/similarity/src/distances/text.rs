//! How little the words of two texts have in common, what is rare counting more.

use std::borrow::Cow;
use std::sync::Arc;

use kinwood_values::parameter::{Allowed, Parameter};
use kinwood_values::{Column, Type};

use crate::account::{Detail, How};
use crate::declaration::Declaration;
use crate::entry::{Build, Entry, Example, Inside, Takes};
use crate::error::Error;
use crate::expression::Expression;
use crate::laws::Laws;
use crate::measure::{Bound, FittedDistance};
use crate::words::{self, Reading, SETTINGS};

const NAME: &str = "tfidf";

const EMPTY: Parameter = Parameter {
    name: "empty",
    doc: "How far a text without words is from one with words; two without are at 0.",
    allowed: Allowed::NotNegative,
    default: "1",
};

const PARAMETERS: [Parameter; 6] = [
    EMPTY,
    SETTINGS[0],
    SETTINGS[1],
    SETTINGS[2],
    SETTINGS[3],
    SETTINGS[4],
];

/// The catalogue's entry.
pub(crate) const TFIDF: Entry = Entry {
    name: Cow::Borrowed(NAME),
    values: Cow::Borrowed("a string"),
    takes: Takes::Exactly(Type::String),
    inside: Inside::Leaf,
    facts: None,
    summary: Cow::Borrowed(
        "1 - the cosine of the angle between two texts as vectors of how often each word occurs, times its weight: `cosine(weights=idf)` of their words, which are lower-cased runs of letters and digits.",
    ),
    laws: "zero on self and symmetric; does not separate texts of the same words, no triangle",
    cost: "the words of both; of many references those that share a word",
    reference: "Salton, Wong and Yang, A vector space model for automatic indexing, CACM 18, 1975; Spärck Jones, A statistical interpretation of term specificity and its application in retrieval, Journal of Documentation 28, 1972",
    parameters: &PARAMETERS,
    example: Some(Example {
        expression: "tfidf(weights='{\"the\": 0}')",
        of: "string",
        a: "\"The cat sat\"",
        b: "\"the Cat ran\"",
        gives: "0.5",
    }),
    build: Build::Distance(build),
};

fn build(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedDistance>, Error> {
    declaration.no_parts()?;
    if *declaration.of() != Type::String {
        return Err(declaration.wrong_type());
    }
    let reading = Reading::declared(declaration)?;
    let inner = words::inside(declaration, "cosine")?;
    let training = declaration.training().map(|texts| reading.lists(texts));
    let place = format!("the words of {}", declaration.place());
    let measure = declaration.with(
        &inner,
        &words::of_words(),
        training.as_ref(),
        place,
        |inner| inner.resolver.bare_distance(inner),
    )?;
    Ok(Arc::new(ByWords { measure, reading }))
}

/// A distance of lists of words, on texts.
struct ByWords {
    measure: Arc<dyn FittedDistance>,
    reading: Reading,
}

impl FittedDistance for ByWords {
    fn laws(&self) -> Laws {
        Laws {
            separates: false,
            ..self.measure.laws()
        }
    }

    fn expression(&self) -> Expression {
        words::outside(self.measure.expression(), NAME, &self.reading)
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        let (queries, references) = (self.reading.lists(queries), self.reading.lists(references));
        self.measure.bind(&queries, &references)
    }

    fn largest(&self) -> Option<f64> {
        self.measure.largest()
    }

    fn how(&self, a: &Column, b: &Column, detail: Detail) -> Result<How, Error> {
        let (a, b) = (self.reading.lists(a), self.reading.lists(b));
        self.measure.how(&a, &b, detail)
    }
}
