//! The distance of terms by their least general generalisation, a pair.

use std::borrow::Cow;
use std::sync::Arc;

use kinwood_values::column::Terms;
use kinwood_values::{Column, Type, Value};

use super::{TERMS, numbered, subterm};
use crate::account::{Detail, How, Kept, StandsFor};
use crate::algorithms::term::{FlatTerm, GeneralNode, Generaliser, general_term};
use crate::comparison::{ComparedPairs, Comparison};
use crate::declaration::Declaration;
use crate::entry::{Build, Entry, Example, Inside, Takes, TypeKind};
use crate::error::Error;
use crate::expression::Expression;
use crate::laws::Laws;
use crate::measure::{Bound, FittedDistance};
use crate::score::TermSize;

const NAME: &str = "lgg";

/// The catalogue's entry.
pub(crate) const LGG: Entry = Entry {
    name: Cow::Borrowed(NAME),
    values: Cow::Borrowed(TERMS),
    takes: Takes::Kinds(&[TypeKind::Term]),
    inside: Inside::Leaf,
    facts: None,
    summary: Cow::Borrowed(
        "How much larger two terms are than their least general generalisation: a pair of symbols and squared occurrences of variables, ordered by the first and then the second.",
    ),
    laws: "metric up to renaming of variables: variants are at (0, 0), so it does not separate; a missing value is an error, for pairs have no largest",
    cost: "one pass over both terms, and sorting where they differ",
    reference: "Ramon, Bruynooghe and Van Laer, Distance measures between atoms, 1998; Estruch et al., section 2.1",
    parameters: &[],
    example: Some(Example {
        expression: "lgg",
        of: "term",
        a: "\"p(a,b)\"",
        b: "\"p(b,b)\"",
        gives: "(2, -2)",
    }),
    build: Build::Distance(build),
};

fn build(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedDistance>, Error> {
    declaration.no_parts()?;
    // Every distance has these settings, but they speak of numbers.
    if let Some(setting) = ["missing", "far"]
        .into_iter()
        .find(|setting| declaration.setting(setting).is_some())
    {
        return Err(Error::UnknownSetting {
            measure: NAME.to_owned(),
            setting: setting.to_owned(),
            known: Vec::new(),
            nearest: None,
        });
    }
    match declaration.of() {
        Type::Term => Ok(Arc::new(Lgg {
            masked: declaration.masked(),
        })),
        _ => Err(declaration.wrong_type()),
    }
}

struct Lgg {
    /// Whether whatever is said of a missing value is written over.
    masked: bool,
}

impl FittedDistance for Lgg {
    fn laws(&self) -> Laws {
        Laws::PSEUDO_METRIC
    }

    fn expression(&self) -> Expression {
        Expression::new(NAME)
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        for column in [queries, references] {
            if !self.masked && column.missing() > 0 {
                return Err(Error::Undefined {
                    measure: NAME.to_owned(),
                    what: "a missing value, as pairs have no largest: `symbols(lgg)` is".to_owned(),
                    row: (0..column.len()).find(|&row| !column.is_present(row)),
                });
            }
        }
        let (queries, references) = numbered(queries, references, NAME)?;
        let sizes = |terms: &Terms| -> Vec<TermSize> {
            let mut generaliser = Generaliser::default();
            (0..terms.len())
                .map(|row| generaliser.size(FlatTerm::of(terms, row)))
                .collect()
        };
        let comparison = SizedTerms {
            query_sizes: sizes(&queries),
            reference_sizes: sizes(&references),
            queries,
            references,
        };
        Ok(Bound::Term(Arc::new(ComparedPairs {
            comparison,
            laws: Laws::PSEUDO_METRIC,
        })))
    }

    fn pair_valued(&self) -> bool {
        true
    }

    fn how(&self, a: &Column, b: &Column, detail: Detail) -> Result<How, Error> {
        if a.missing() + b.missing() > 0 {
            return Ok(How::Plain);
        }
        let (first, second) = numbered(a, b, NAME)?;
        let (left, right) = (FlatTerm::of(&first, 0), FlatTerm::of(&second, 0));
        let mut generaliser = Generaliser::default();
        let nodes = generaliser.generalise(left, right);
        let general = general_term(&nodes, &first.dictionary);
        let (Value::Term(a), Value::Term(b)) = (a.value(0), b.value(0)) else {
            return Ok(How::Plain);
        };
        let mut stands = Vec::new();
        for node in &nodes {
            // Variables are numbered as they come: each is told where it comes first.
            if let GeneralNode::Variable {
                variable,
                left,
                right,
            } = node
                && *variable as usize == stands.len()
            {
                stands.push((left.clone(), right.clone()));
            }
        }
        let variables = Kept::first(&vec![0.0; stands.len()], detail.items).told(|place| {
            let (left, right) = stands[place].clone();
            StandsFor {
                variable: format!("V{}", place + 1),
                first: detail.cut(&subterm(&a, left)),
                second: detail.cut(&subterm(&b, right)),
            }
        });
        Ok(How::Generalisation {
            general: detail.cut(&general.to_string()),
            variables,
            first: generaliser.size(left),
            second: generaliser.size(right),
            common: generaliser.general_size(left, right),
        })
    }
}

struct SizedTerms {
    queries: Terms,
    references: Terms,
    query_sizes: Vec<TermSize>,
    reference_sizes: Vec<TermSize>,
}

impl Comparison for SizedTerms {
    type Score = TermSize;
    type Scratch = Generaliser;

    fn shape(&self) -> (usize, usize) {
        (self.queries.len(), self.references.len())
    }

    fn between(&self, query: usize, reference: usize, generaliser: &mut Generaliser) -> TermSize {
        generaliser.distance_of_sizes(
            FlatTerm::of(&self.queries, query),
            FlatTerm::of(&self.references, reference),
            (self.query_sizes[query], self.reference_sizes[reference]),
        )
    }
}
