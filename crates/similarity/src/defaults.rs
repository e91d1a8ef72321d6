//! The default distance of every type, so that a mixed row has a distance without a word of
//! configuration.
//!
//! With training data every default is between 0 and about 1, so that no field drowns the others:
//! numbers by their range, counting distances by the largest seen ([`scaled`](crate::Registry)).
//! Without data there is nothing to scale by, and distances are plain.

use kinwood_values::{Column, Type};

use crate::expression::{Argument, Expression, Part};

/// The default distance of a type; none for what has no parts to compare.
pub fn default_expression(of: &Type, training: Option<&Column>) -> Option<Expression> {
    let trained = training.is_some();
    let scaled = |expression: Expression| {
        if trained {
            Expression::new("scaled").part(expression)
        } else {
            expression
        }
    };
    Some(match of {
        Type::Nominal | Type::Ref(_) => Expression::new("discrete"),
        Type::Numeric | Type::DateTime => {
            let absolute = Expression::new("absolute");
            if trained {
                absolute.word("range", "train")
            } else {
                absolute
            }
        }
        Type::String => scaled(Expression::new("edit")),
        Type::List(_) => scaled(Expression::new("edit").part(Expression::new("default"))),
        // Labels are equal or not: what counts is how many are common.
        Type::Set(of) | Type::Bag(of) if matches!(**of, Type::Nominal | Type::Ref(_)) => {
            Expression::new("jaccard")
        }
        Type::Set(_) | Type::Bag(_) => {
            Expression::new("hausdorff").part(Expression::new("default"))
        }
        Type::Tuple(fields) if fields.is_empty() => return None,
        Type::Tuple(_) => Expression::new("mean"),
        Type::Tree => scaled(Expression::new("tree_edit")),
        Type::Term => {
            let ground = training.is_none_or(|column| {
                (0..column.len()).all(|row| match column.value(row) {
                    kinwood_values::Value::Term(term) => term.is_ground(),
                    _ => true,
                })
            });
            if ground {
                Expression::new("nienhuys_cheng")
            } else {
                let structural = Expression::new("structural");
                Expression::new("induced").part(Expression::new("normalised").part(structural))
            }
        }
        Type::Graph => scaled(Expression::new("label_histogram")),
    })
}

/// The default kernel of a type.
pub fn default_kernel(of: &Type) -> Expression {
    match of {
        Type::Numeric => Expression::new("gaussian"),
        Type::Nominal | Type::Ref(_) | Type::DateTime => Expression::new("delta"),
        Type::String | Type::List(_) => {
            Expression::new("normalised").part(Expression::new("subsequence"))
        }
        Type::Set(_) | Type::Bag(_) => Expression::new("set").part(Expression::new("default")),
        Type::Tuple(_) => Expression::new("add"),
        Type::Tree => Expression::new("normalised").part(Expression::new("subtree")),
        Type::Term => Expression::new("structural"),
        Type::Graph => Expression::new("normalised").part(Expression::new("walk")),
    }
}

/// A distance over named fields, each by its own expression or the default.
pub fn over_fields<'a>(
    combination: &str,
    fields: impl IntoIterator<Item = (&'a str, Option<Expression>)>,
) -> Expression {
    let mut expression = Expression::new(combination);
    for (field, measure) in fields {
        expression.arguments.push(Argument::Part(Part {
            field: Some(field.to_owned()),
            measure: measure.unwrap_or_else(|| Expression::new("default")),
            weight: 1.0,
        }));
    }
    expression
}
