//! The structural kernel: on first-order terms, or on objects described by facts.

use std::borrow::Cow;
use std::sync::Arc;

use kinwood_values::Type;
use kinwood_values::parameter::{Allowed, Parameter};

use super::term::NAME;
use super::{facts, term};
use crate::declaration::Declaration;
use crate::entry::{Build, Entry, Example, Facts, Inside, Takes, TypeKind};
use crate::error::Error;
use crate::facts::{FACTS, ON, describes};
use crate::measure::FittedKernel;

/// The catalogue's entry.
pub(crate) const STRUCTURAL: Entry = Entry {
    name: Cow::Borrowed(NAME),
    values: Cow::Borrowed("a first-order term; with `on=facts` what `fourlayer` compares"),
    takes: Takes::Kinds(&[TypeKind::Term]),
    inside: Inside::Numbers,
    facts: Some(Facts {
        setting: Some((ON, FACTS)),
        complete: None,
    }),
    summary: Cow::Borrowed(
        "0 for different functors, else 1 and the sum over the arguments; two numbers by `product` or the kernel given. A variable is a constant of its name. Of objects described by facts, the sum over the pairs of facts of a predicate of that of their arguments, IDs by the objects they name.",
    ),
    laws: "positive semi-definite if the kernel of numbers is",
    cost: "one pass over both terms",
    reference: "Gärtner, Lloyd and Flach, Kernels and distances for structured data, Machine Learning 57, 2004",
    parameters: &[
        Parameter {
            name: ON,
            doc: "Terms as they are, or objects described by facts; rows are the latter, unless they are one term.",
            allowed: Allowed::Choice(&["terms", FACTS]),
            default: "terms",
        },
        Parameter {
            name: facts::ARGUMENTS,
            doc: "With `on=facts`: how the arguments of two facts make one number, the sum of how alike they are, or the product, so that facts count as far as all arguments are alike.",
            allowed: Allowed::Choice(facts::JOINS),
            default: "sum",
        },
    ],
    example: Some(Example {
        expression: NAME,
        of: "term",
        a: "\"f(a,b)\"",
        b: "\"f(a,c)\"",
        gives: "2",
    }),
    build: Build::Kernel(build),
};

fn build(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedKernel>, Error> {
    if declaration.is_word(ON, FACTS) && describes(declaration.of()) {
        return facts::build(declaration);
    }
    if *declaration.of() != Type::Term {
        return Err(declaration.wrong_type());
    }
    term::build(declaration)
}
