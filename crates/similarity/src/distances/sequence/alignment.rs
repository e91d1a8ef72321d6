//! How little two sequences share in their best matching segments.

use std::borrow::Cow;
use std::sync::Arc;

use kinwood_values::{Column, Type};

use super::{SEQUENCES, Shown, nothing_behind, told};
use crate::account::{Detail, How};
use crate::algorithms::alignment::Scores;
use crate::algorithms::edit::{Edit, Step as Kind};
use crate::comparison::{ComparedPairs, Comparison};
use crate::declaration::Declaration;
use crate::entry::{Build, Entry, Example, Inside, Takes, TypeKind};
use crate::error::Error;
use crate::expression::Expression;
use crate::laws::Laws;
use crate::measure::{Bound, FittedDistance};
use crate::symbols::Sequences;
use kinwood_values::parameter::{Allowed, Parameter};

const NAME: &str = "smith_waterman";

/// The catalogue's entry.
pub(crate) const SMITH_WATERMAN: Entry = Entry {
    name: Cow::Borrowed(NAME),
    values: Cow::Borrowed(SEQUENCES),
    takes: Takes::Kinds(&[TypeKind::String, TypeKind::List]),
    inside: Inside::Leaf,
    facts: None,
    summary: Cow::Borrowed(
        "1 - s / m, where s is the score of the best alignment of a segment of either sequence and m that of the longer sequence with itself; 1 if one is empty, 0 if both are.",
    ),
    laws: "metric",
    cost: "|a| |b|, memory linear",
    reference: "Smith and Waterman, Identification of common molecular subsequences, Journal of Molecular Biology 147, 1981; Chen, Ma and Zhang, On the similarity metric and the distance metric, TCS 410, 2009",
    parameters: &[
        Parameter {
            name: "match",
            doc: "The score of two equal items.",
            allowed: Allowed::Positive,
            default: "2",
        },
        Parameter {
            name: "mismatch",
            doc: "The score of two different items aligned.",
            allowed: Allowed::NotPositive,
            default: "-1",
        },
        Parameter {
            name: "gap",
            doc: "The score of an item aligned with none.",
            allowed: Allowed::NotPositive,
            default: "-1",
        },
    ],
    example: Some(Example {
        expression: NAME,
        of: "string",
        a: "\"xabcdx\"",
        b: "\"abd\"",
        gives: "0.5833333333333333",
    }),
    build: Build::Distance(build),
};

fn build(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedDistance>, Error> {
    declaration.no_parts()?;
    match declaration.of() {
        Type::String | Type::List(_) => Ok(Arc::new(SmithWaterman {
            scores: Scores {
                matched: declaration.number("match"),
                mismatched: declaration.number("mismatch"),
                gap: declaration.number("gap"),
            },
        })),
        _ => Err(declaration.wrong_type()),
    }
}

struct SmithWaterman {
    scores: Scores,
}

impl SmithWaterman {
    /// The scores with 1 for a match: then a sequence with itself scores its length, without
    /// rounding.
    fn per_match(&self) -> Scores {
        Scores {
            matched: 1.0,
            mismatched: self.scores.mismatched / self.scores.matched,
            gap: self.scores.gap / self.scores.matched,
        }
    }
}

impl FittedDistance for SmithWaterman {
    /// With penalties that are not negative, `s(x,y) + s(y,z) <= s(x,z) + s(y,y)`: where both
    /// alignments use the same part of `y` they make one of `x` and `z`, and nothing else of `y`
    /// scores more than it does with itself. From this the triangle follows (Chen, Ma and Zhang).
    fn laws(&self) -> Laws {
        Laws::METRIC
    }

    fn expression(&self) -> Expression {
        Expression::new(NAME)
            .number("match", self.scores.matched)
            .number("mismatch", self.scores.mismatched)
            .number("gap", self.scores.gap)
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        Ok(Bound::real(ComparedPairs {
            comparison: Aligned {
                scores: self.per_match(),
                sequences: Sequences::of(queries, references, NAME)?,
            },
            laws: Laws::METRIC,
        }))
    }

    fn largest(&self) -> Option<f64> {
        Some(1.0)
    }

    fn how(&self, a: &Column, b: &Column, detail: Detail) -> Result<How, Error> {
        let sequences = Sequences::of(a, b, NAME)?;
        let (x, y) = (sequences.queries.get(0), sequences.references.get(0));
        let alignment = self.per_match().align(x, y);
        let Scores {
            matched,
            mismatched,
            gap,
        } = self.scores;
        let most = x.len().max(y.len()) as f64 * matched;
        let cost = |edit: &Edit| {
            -match edit.step {
                Kind::Keep => matched,
                Kind::Substitute => mismatched,
                Kind::Insert | Kind::Delete => gap,
            } / most
        };
        let (first, second) = (Shown::of(a), Shown::of(b));
        let edits = told(
            &alignment.edits,
            &first,
            &second,
            detail,
            cost,
            nothing_behind,
        )?;
        let segments = (
            first.run(alignment.left.clone()),
            second.run(alignment.right.clone()),
        );
        Ok(How::Alignment {
            segments,
            first: alignment.left,
            second: alignment.right,
            score: alignment.score * matched,
            most,
            edits,
        })
    }
}

struct Aligned {
    scores: Scores,
    sequences: Sequences,
}

impl Comparison for Aligned {
    type Score = f64;
    type Scratch = ();

    fn shape(&self) -> (usize, usize) {
        self.sequences.shape()
    }

    fn between(&self, query: usize, reference: usize, (): &mut ()) -> f64 {
        let a = self.sequences.queries.get(query);
        let b = self.sequences.references.get(reference);
        match a.len().max(b.len()) {
            0 => 0.0,
            longer => 1.0 - self.scores.score(a, b) / longer as f64,
        }
    }

    fn within(&self, query: usize, reference: usize, bound: f64, (): &mut ()) -> Option<f64> {
        let a = self.sequences.queries.get(query).len();
        let b = self.sequences.references.get(reference).len();
        // All of the shorter one matched is the best there is.
        if a != b && 1.0 - a.min(b) as f64 / a.max(b) as f64 > bound {
            return None;
        }
        Some(self.between(query, reference, &mut ())).filter(|&distance| distance <= bound)
    }
}
