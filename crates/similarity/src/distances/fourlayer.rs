//! The four-layer distance between objects described by facts.

use std::borrow::Cow;
use std::sync::Arc;

use kinwood_values::Column;

use crate::account::{Detail, How};
use crate::comparison::{ComparedPairs, Comparison};
use crate::declaration::Declaration;
use crate::entry::{Build, Entry, Example, Facts, Inside, Takes};
use crate::error::Error;
use crate::expression::{Argument, Expression, Literal};
use crate::facts::base::{Refused, both, survey};
use crate::facts::fourlayer::{FourLayer, Scratch, Third};
use crate::facts::plan::Plan;
use crate::facts::{describes, objects};
use crate::laws::Laws;
use crate::measure::{Bound, FittedDistance};
use crate::missing::Missing;
use kinwood_values::parameter::{Allowed, Parameter};

mod told;

const NAME: &str = "fourlayer";

const RULES: &[&str] = &["hausdorff", "matching", "sum_of_minima"];
const RANGES: &[&str] = &["train", "all"];

/// The catalogue's entry.
pub(crate) const FOURLAYER: Entry = Entry {
    name: Cow::Borrowed(NAME),
    values: Cow::Borrowed(
        "rows, or a tuple, set, bag or list; of a set of terms each is a fact about its first argument",
    ),
    takes: Takes::Accepted(describes),
    inside: Inside::Leaf,
    facts: Some(Facts {
        setting: None,
        complete: Some(taking_all),
    }),
    summary: Cow::Borrowed(
        "How differently two objects are described by facts: arguments, facts, the facts of a predicate, predicates, joined by the root of the mean of squares; IDs are as far apart as what they name.",
    ),
    laws: "a pseudo-metric: names of IDs are not told apart; `sum_of_minima` has no triangle, nor has `matching` where IDs are described",
    cost: "the product of the numbers of facts, for every pair of objects reached; an assignment, at worst cubic, with `matching`",
    reference: "Khamsemanan, Nattee and Numao, Distance based kernels for first-order logic data, ILP 2013, Definition 3",
    parameters: &[
        Parameter {
            name: "M",
            doc: "With `layer3=matching`, what two facts cost that are not paired, half each.",
            allowed: Allowed::Positive,
            default: "1",
        },
        Parameter {
            name: "layer3",
            doc: "How the facts of a predicate about two objects are compared.",
            allowed: Allowed::Choice(RULES),
            default: "hausdorff",
        },
        Parameter {
            name: "range",
            doc: "Whose numbers say what the largest difference is, and whose facts which predicates there are: `train`, the training objects'; `all`, those of every object in the database, as the paper has it.",
            allowed: Allowed::Choice(RANGES),
            default: "train",
        },
        Parameter {
            name: "facts",
            doc: "What was taken from the facts, as JSON: the predicates that describe objects, largest differences, the predicates that describe IDs.",
            allowed: Allowed::Text,
            default: "",
        },
    ],
    example: Some(Example {
        expression: NAME,
        of: "set<term>",
        a: "[\"has(self,a)\", \"atom(a,carbon)\"]",
        b: "[\"has(self,a)\", \"has(self,b)\", \"atom(a,carbon)\", \"atom(b,oxygen)\"]",
        gives: "1",
    }),
    build: Build::Distance(build),
};

fn build(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedDistance>, Error> {
    declaration.no_parts()?;
    if !describes(declaration.of()) {
        return Err(declaration.wrong_type());
    }
    let refused = |setting: &str, found: &str, expected: &str| Error::Setting {
        measure: NAME.to_owned(),
        setting: setting.to_owned(),
        found: format!("`{found}`"),
        expected: expected.to_owned(),
    };
    if let Some(missing) = declaration.said_missing()
        && missing != Missing::Own
    {
        let expected = "`own`: in facts a missing value is a symbol of its own";
        return Err(refused("missing", missing.name(), expected));
    }
    if declaration.given("M").is_some() && !declaration.is_word("layer3", "matching") {
        let expected = "nothing without `layer3=matching`";
        return Err(refused("M", &declaration.number("M").to_string(), expected));
    }
    if declaration.is_word("range", "all") && declaration.given("facts").is_none() {
        let expected = "`train`: only of rows are there others than those given";
        return Err(refused("range", "all", expected));
    }
    let third = match declaration.setting("layer3") {
        Some(Literal::Word(word)) if word == "matching" => Third::Matching(declaration.number("M")),
        Some(Literal::Word(word)) if word == "sum_of_minima" => Third::SumOfMinima,
        _ => Third::Hausdorff,
    };
    let plan = match declaration.setting("facts") {
        Some(Literal::Word(text)) => Some(written(&text)?),
        Some(Literal::Number(number)) => Some(written(&number.to_string())?),
        None => match declaration.training() {
            Some(training) => Some(plan_of(training)?),
            None => None,
        },
    };
    Ok(Arc::new(Fitted { third, plan }))
}

fn written(text: &str) -> Result<Plan, Error> {
    serde_json::from_str(text).map_err(|reason| Error::Setting {
        measure: NAME.to_owned(),
        setting: "facts".to_owned(),
        found: format!("`{text}`"),
        expected: format!("what was taken from facts, as JSON ({reason})"),
    })
}

/// What the objects of a column have to say.
fn plan_of(column: &Column) -> Result<Plan, Error> {
    survey(&[&objects(column)?]).map_err(refused)
}

fn refused(refused: Refused) -> Error {
    Error::Undefined {
        measure: NAME.to_owned(),
        what: refused.what.to_owned(),
        row: Some(refused.row),
    }
}

/// The expression with what the given objects say of facts, if it asks for all objects.
fn taking_all(
    expression: &mut Expression,
    all: &mut dyn FnMut() -> Result<Column, Error>,
) -> Result<(), Error> {
    let asks = |argument: &Argument| matches!(argument, Argument::Setting { name, value: Literal::Word(word), .. } if name == "range" && word == "all");
    let says =
        |argument: &Argument| matches!(argument, Argument::Setting { name, .. } if name == "facts");
    if expression.arguments.iter().any(asks) && !expression.arguments.iter().any(says) {
        let text = serde_json::to_string(&plan_of(&all()?)?).expect("a plan is text");
        *expression = expression.clone().word("facts", &text);
    }
    Ok(())
}

/// What a rule of layer 3 guarantees. An ID that is not known, or not described, is at 1 from every
/// other; by `matching` two that are described may be further apart than by way of it.
fn laws(third: Third, plan: Option<&Plan>) -> Laws {
    let deep = |plan: &Plan| {
        let mut ranks = plan.predicates.values().flatten();
        ranks.any(|rank| !rank.described_by.is_empty())
    };
    let triangle = match third {
        Third::Hausdorff => true,
        Third::Matching(_) => plan.is_some_and(|plan| !deep(plan)),
        Third::SumOfMinima => false,
    };
    Laws {
        triangle,
        ..Laws::PSEUDO_METRIC
    }
}

struct Fitted {
    third: Third,
    /// What training facts said; without them, what the facts compared say.
    plan: Option<Plan>,
}

impl Fitted {
    /// The objects of two columns, made ready, by row.
    fn ready(
        &self,
        queries: &Column,
        references: &Column,
        named: bool,
    ) -> Result<(FourLayer, Vec<u32>, Vec<u32>, Laws), Error> {
        let (first, second) = (objects(queries)?, objects(references)?);
        let plan = match &self.plan {
            Some(plan) => Cow::Borrowed(plan),
            None => Cow::Owned(survey(&[&first, &second]).map_err(refused)?),
        };
        let (base, queries, references) = both(&plan, (&first, &second), named).map_err(refused)?;
        // A sum grows each time around: only the furthest stays within 1.
        if self.third != Third::Hausdorff {
            for mains in [&queries, &references] {
                if let Some(row) = mains.iter().position(|&main| base.is_circle(main)) {
                    return Err(Error::Undefined {
                        measure: NAME.to_owned(),
                        what: "an object whose facts lead back to itself: in a circle only `layer3=hausdorff` is sure to have a finite distance".to_owned(),
                        row: Some(row),
                    });
                }
            }
        }
        let laws = laws(self.third, Some(&plan));
        Ok((FourLayer::new(base, self.third), queries, references, laws))
    }
}

impl FittedDistance for Fitted {
    fn laws(&self) -> Laws {
        laws(self.third, self.plan.as_ref())
    }

    fn expression(&self) -> Expression {
        let expression = Expression::new(NAME);
        let expression = match self.third {
            Third::Hausdorff => expression,
            Third::Matching(most) => expression.word("layer3", "matching").number("M", most),
            Third::SumOfMinima => expression.word("layer3", "sum_of_minima"),
        };
        match &self.plan {
            Some(plan) => {
                let text = serde_json::to_string(plan).expect("a plan is text");
                expression.word("facts", &text)
            }
            None => expression,
        }
    }

    fn bind(&self, queries: &Column, references: &Column) -> Result<Bound, Error> {
        let (layers, queries, references, laws) = self.ready(queries, references, false)?;
        Ok(Bound::real(ComparedPairs {
            comparison: Ready {
                layers,
                queries,
                references,
            },
            laws,
        }))
    }

    fn largest(&self) -> Option<f64> {
        (self.third == Third::Hausdorff).then_some(1.0)
    }

    fn how(&self, a: &Column, b: &Column, detail: Detail) -> Result<How, Error> {
        let (layers, first, second, _) = self.ready(a, b, true)?;
        Ok(told::how(&layers, self.third, first[0], second[0], detail))
    }
}

struct Ready {
    layers: FourLayer,
    queries: Vec<u32>,
    references: Vec<u32>,
}

impl Comparison for Ready {
    type Score = f64;
    type Scratch = Scratch;

    fn shape(&self) -> (usize, usize) {
        (self.queries.len(), self.references.len())
    }

    fn between(&self, query: usize, reference: usize, scratch: &mut Scratch) -> f64 {
        let (first, second) = (self.queries[query], self.references[reference]);
        self.layers.between(first, second, scratch)
    }
}
