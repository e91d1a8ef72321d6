//! Smith and Waterman's local alignment as a distance.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use kinwood_values::Column;

use super::{SEQUENCES, Sequences, is_sequence, items};
use crate::algorithms::alignment::Scores;
use crate::algorithms::edit::Step as Kind;
use crate::declaration::Declaration;
use crate::error::Error;
use crate::expression::Expression;
use crate::laws::Laws;
use crate::measure::{Bound, Explanation, FittedDistance, Step};
use crate::pairs::{Pairs, Row};
use crate::registry::{Allowed, Build, Default, Entry, Example, Parameter};

const NAME: &str = "smith_waterman";

/// The catalogue's entry.
pub(crate) const SMITH_WATERMAN: Entry = Entry {
    name: Cow::Borrowed(NAME),
    values: Cow::Borrowed(SEQUENCES),
    summary: Cow::Borrowed(
        "1 - s / max(s(a,a), s(b,b)), s being the score of the best local alignment.",
    ),
    laws: "metric with the scores as they are by default; with others the triangle is not claimed. Two empty sequences are at 0, an empty one is at 1 from any other",
    cost: "|A| |B|",
    reference: "Smith and Waterman, Identification of common molecular subsequences, J. Mol. Biol. 147, 1981; the distance as in Estruch et al., section 2.1",
    parameters: &[
        Parameter {
            name: "match",
            doc: "What an item scores that meets its like.",
            allowed: Allowed::Positive,
            default: Default::Number(2.0),
        },
        Parameter {
            name: "mismatch",
            doc: "What an item scores that meets another; not above 0.",
            allowed: Allowed::NotPositive,
            default: Default::Number(-1.0),
        },
        Parameter {
            name: "gap",
            doc: "What an item scores that is left out; not above 0.",
            allowed: Allowed::NotPositive,
            default: Default::Number(-1.0),
        },
    ],
    example: Some(Example {
        expression: "smith_waterman",
        of: "string",
        a: "\"abcd\"",
        b: "\"xbcd\"",
        gives: "0.25",
    }),
    build: Build::Distance(build),
};

fn build(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedDistance>, Error> {
    declaration.no_parts()?;
    if !is_sequence(declaration.of()) {
        return Err(declaration.wrong_type());
    }
    Ok(Arc::new(SmithWaterman(Scores {
        matched: declaration.number("match"),
        mismatched: declaration.number("mismatch"),
        gap: declaration.number("gap"),
    })))
}

struct SmithWaterman(Scores);

impl FittedDistance for SmithWaterman {
    fn laws(&self) -> Laws {
        Laws {
            separates: self.0.gap < 0.0 && self.0.mismatched < 0.0,
            triangle: self.0 == Scores::default(),
            ..Laws::METRIC
        }
    }

    fn expression(&self) -> Expression {
        Expression::new(NAME)
            .number("match", self.0.matched)
            .number("mismatch", self.0.mismatched)
            .number("gap", self.0.gap)
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        let sequences = Sequences::of(queries, references, NAME)?;
        let own = |all: &[Vec<u32>]| all.iter().map(|one| self.0.self_score(one)).collect();
        Ok(Bound::real(AlignedPairs {
            scores: self.0,
            laws: self.laws(),
            queries: own(&sequences.queries),
            references: own(&sequences.references),
            sequences,
        }))
    }

    fn largest(&self) -> Option<f64> {
        Some(1.0)
    }

    fn explain(&self, a: &Column, b: &Column) -> Result<Option<Explanation>, Error> {
        let sequences = Sequences::of(a, b, NAME)?;
        let (Some(first), Some(second)) = (sequences.queries.first(), sequences.references.first())
        else {
            return Ok(None);
        };
        let alignment = self.0.align(first, second);
        let (one, other) = (items(a), items(b));
        let text = |items: &[String], range: Range<usize>| items[range].join(" ");
        let mut steps = vec![
            Step {
                text: format!("of the first: {}", text(&one, alignment.left.clone())),
                amount: None,
            },
            Step {
                text: format!("of the second: {}", text(&other, alignment.right.clone())),
                amount: None,
            },
        ];
        for edit in &alignment.edits {
            let (text, amount) = match edit.step {
                Kind::Keep => (format!("{} meets its like", one[edit.left]), self.0.matched),
                Kind::Substitute => (
                    format!("{} meets {}", one[edit.left], other[edit.right]),
                    self.0.mismatched,
                ),
                Kind::Insert => (format!("{} is left out", other[edit.right]), self.0.gap),
                Kind::Delete => (format!("{} is left out", one[edit.left]), self.0.gap),
            };
            steps.push(Step {
                text,
                amount: Some(amount),
            });
        }
        let own = self.0.self_score(first).max(self.0.self_score(second));
        Ok(Some(Explanation {
            title: format!(
                "the best local alignment scores {} of {own}",
                alignment.score
            ),
            steps,
        }))
    }
}

struct AlignedPairs {
    scores: Scores,
    laws: Laws,
    sequences: Sequences,
    queries: Vec<f64>,
    references: Vec<f64>,
}

impl Pairs<f64> for AlignedPairs {
    fn shape(&self) -> (usize, usize) {
        (self.queries.len(), self.references.len())
    }

    fn laws(&self) -> Laws {
        self.laws
    }

    fn prepare(&self, query: usize) -> Box<dyn Row<f64> + '_> {
        Box::new(AlignedRow { of: self, query })
    }
}

struct AlignedRow<'a> {
    of: &'a AlignedPairs,
    query: usize,
}

impl Row<f64> for AlignedRow<'_> {
    fn fill(&self, references: Range<usize>, out: &mut [f64]) {
        let query = &self.of.sequences.queries[self.query];
        for (out, reference) in out.iter_mut().zip(references) {
            let own = self.of.queries[self.query].max(self.of.references[reference]);
            *out = if own > 0.0 {
                let other = &self.of.sequences.references[reference];
                (1.0 - self.of.scores.score(query, other) / own).max(0.0)
            } else {
                0.0
            };
        }
    }
}
