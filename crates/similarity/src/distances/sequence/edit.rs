//! The edit distance: by equality of characters or items, or by a distance of items.

use std::borrow::Cow;
use std::sync::Arc;

use kinwood_values::Type;

use super::SEQUENCES;
use super::equality::{EditByEquality, NAME};
use super::items::EditByItems;
use crate::algorithms::edit::Costs;
use crate::declaration::Declaration;
use crate::entry::{Build, Entry, Example, Inside, Takes, TypeKind};
use crate::error::Error;
use crate::measure::FittedDistance;
use crate::missing::Missing;
use kinwood_values::parameter::{Allowed, Parameter};

const fn cost(name: &'static str, doc: &'static str) -> Parameter {
    Parameter {
        name,
        doc,
        allowed: Allowed::NotNegative,
        default: "1",
    }
}

/// The catalogue's entry.
pub(crate) const EDIT: Entry = Entry {
    name: Cow::Borrowed(NAME),
    values: Cow::Borrowed(SEQUENCES),
    takes: Takes::Kinds(&[TypeKind::String, TypeKind::List]),
    inside: Inside::Members,
    facts: None,
    summary: Cow::Borrowed(
        "The least cost of insertions, deletions and substitutions that turn one sequence into the other; the characters of strings and the items of lists are equal or not, or as far apart as an item distance says: `edit(d)`.",
    ),
    laws: "metric if an insertion costs what a deletion does and nothing is free; symmetric only in the former case, separates only in the latter; the triangle holds for any costs; `edit(d)` has of these what its item distance has",
    cost: "|a| |b| / 64 steps for unit costs and wherever a substitution costs half an insertion and a deletion or at least both, else |a| |b|; memory linear",
    reference: "Levenshtein, Binary codes capable of correcting deletions, insertions, and reversals, 1966; Wagner and Fischer, The string-to-string correction problem, JACM 21(1), 1974",
    parameters: &[
        cost(
            "insert",
            "The cost of an item that only the second sequence has.",
        ),
        cost(
            "delete",
            "The cost of an item that only the first sequence has.",
        ),
        cost(
            "substitute",
            "The cost of an item that becomes another; it multiplies the item distance, if there is one.",
        ),
    ],
    example: Some(Example {
        expression: NAME,
        of: "string",
        a: "\"kitten\"",
        b: "\"sitting\"",
        gives: "3",
    }),
    build: Build::Distance(build),
};

fn build(declaration: &Declaration<'_>) -> Result<Arc<dyn FittedDistance>, Error> {
    let costs = Costs {
        insert: declaration.number("insert"),
        delete: declaration.number("delete"),
        substitute: declaration.number("substitute"),
    };
    match declaration.of() {
        Type::String => declaration.no_parts()?,
        Type::List(_) if declaration.only_part()?.is_some() => {
            return Ok(Arc::new(EditByItems {
                costs,
                items: declaration.member_distance()?,
                missing_is_a_value: declaration.missing() == Missing::Own,
            }));
        }
        Type::List(_) => {}
        _ => return Err(declaration.wrong_type()),
    }
    Ok(Arc::new(EditByEquality { costs }))
}
