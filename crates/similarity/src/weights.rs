//! How much members count: all the same, or each by its weight, which may come from training data.
//!
//! Fitted weights are written into the expression, as JSON, so that a model keeps one line of text.
//! They are bounded: the members that occur in most training values have weights of their own, and
//! all others share one.

use std::collections::BTreeMap;

use kinwood_values::parameter::{Allowed, Parameter};
use kinwood_values::{Cells, Column, Value};

use crate::declaration::Declaration;
use crate::error::Error;
use crate::expression::{Expression, Literal};

/// The weights of members.
pub(crate) const WEIGHTS: Parameter = Parameter {
    name: "weights",
    doc: "How much each member counts: `idf`, the less the more training values have it, or a JSON object of members and weights; without it all count 1.",
    allowed: Allowed::Text,
    default: "",
};

/// The weight of all other members.
pub(crate) const OTHER: Parameter = Parameter {
    name: "other",
    doc: "The weight of a member that has none of its own; with `weights=idf` it comes from training.",
    allowed: Allowed::NotNegative,
    default: "",
};

/// How many members have weights of their own.
pub(crate) const VOCABULARY: Parameter = Parameter {
    name: "vocabulary",
    doc: "How many members have a weight of their own with `weights=idf`, the most frequent first.",
    allowed: Allowed::Whole {
        least: 1,
        most: 1_000_000,
    },
    default: "10000",
};

/// Weights outside of these, but for 0, would be lost in sums and squares.
const LEAST: f64 = 1e-12;
const MOST: f64 = 1e12;

/// Weights further apart than this may be lost in one sum.
const TOLD_APART: f64 = 1e3;

/// How much members count.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Weights {
    /// By the member as text.
    of: BTreeMap<String, f64>,
    other: f64,
}

impl Weights {
    /// What the settings of a measure say, with `documents` for the members of each training value,
    /// repeats left out; none if all members count the same.
    pub(crate) fn declared(
        declaration: &Declaration<'_>,
        documents: impl FnOnce(&Column) -> Vec<Vec<String>>,
    ) -> Result<Option<Weights>, Error> {
        let other = match declaration.setting(OTHER.name) {
            Some(Literal::Number(other)) => Some(other),
            _ => None,
        };
        let weights = match declaration.setting(WEIGHTS.name) {
            None => match other {
                None => return Ok(None),
                Some(_) => {
                    return Err(refused(
                        declaration,
                        OTHER.name,
                        "without weights",
                        "`weights` beside it",
                    ));
                }
            },
            Some(Literal::Word(word)) if word == "idf" => {
                let training = declaration
                    .training()
                    .ok_or_else(|| declaration.needs_training(WEIGHTS.name))?;
                let most = declaration.number(VOCABULARY.name) as usize;
                let fitted = Weights::fitted(documents(training), most);
                Weights {
                    other: other.unwrap_or(fitted.other),
                    ..fitted
                }
            }
            Some(Literal::Word(text)) => Weights {
                of: read(declaration, &text)?,
                other: other.unwrap_or(1.0),
            },
            Some(Literal::Number(number)) => {
                return Err(refused(
                    declaration,
                    WEIGHTS.name,
                    &number.to_string(),
                    "`idf` or a JSON object of members and weights",
                ));
            }
        };
        if !sound(weights.other) {
            return Err(refused(
                declaration,
                OTHER.name,
                &weights.other.to_string(),
                "0 or a number from 1e-12 to 1e12",
            ));
        }
        Ok(Some(weights))
    }

    /// Inverse document frequencies: `1 + ln((1 + n) / (1 + d))` of a member that `d` of the `n`
    /// training values have, rounded so that an expression stays readable.
    fn fitted(documents: Vec<Vec<String>>, most: usize) -> Self {
        let count = documents.len() as f64;
        let weight = |having: u32| {
            let weight = 1.0 + ((1.0 + count) / (1.0 + f64::from(having))).ln();
            (weight * 1e6).round() / 1e6
        };
        let mut having: BTreeMap<String, u32> = BTreeMap::new();
        for member in documents.into_iter().flatten() {
            *having.entry(member).or_default() += 1;
        }
        let mut kept: Vec<(String, u32)> = having.into_iter().collect();
        // The sort is stable: of equally frequent members the first by name are kept.
        kept.sort_by_key(|&(_, having)| std::cmp::Reverse(having));
        let next = kept.get(most).map_or(0, |&(_, having)| having);
        kept.truncate(most);
        Self {
            of: kept
                .into_iter()
                .map(|(member, having)| (member, weight(having)))
                .collect(),
            other: weight(next),
        }
    }

    /// The settings that say the same without training data.
    pub(crate) fn settings(&self, expression: Expression) -> Expression {
        let pairs = self.of.iter();
        let json: serde_json::Map<String, serde_json::Value> = pairs
            .map(|(member, &weight)| (member.clone(), weight.into()))
            .collect();
        let text = serde_json::Value::Object(json).to_string();
        expression
            .word(WEIGHTS.name, &text)
            .number(OTHER.name, self.other)
    }

    /// The weight of a member.
    pub(crate) fn of(&self, member: &str) -> f64 {
        self.of.get(member).copied().unwrap_or(self.other)
    }

    /// Whether a member may count nothing.
    pub(crate) fn may_be_nothing(&self) -> bool {
        self.other == 0.0 || self.of.values().any(|&weight| weight == 0.0)
    }

    /// Whether no member is lost beside others: none counts nothing, or next to nothing.
    pub(crate) fn tell_apart(&self) -> bool {
        let all = || self.of.values().copied().chain([self.other]);
        let least = all().fold(f64::INFINITY, f64::min);
        let most = all().fold(0.0, f64::max);
        least > 0.0 && most <= least * TOLD_APART
    }
}

fn sound(weight: f64) -> bool {
    weight == 0.0 || (LEAST..=MOST).contains(&weight)
}

fn read(declaration: &Declaration<'_>, text: &str) -> Result<BTreeMap<String, f64>, Error> {
    let expected = "`idf` or a JSON object of members and weights, each 0 or from 1e-12 to 1e12";
    let wrong = |found: &str| refused(declaration, WEIGHTS.name, found, expected);
    let shown: String = text.chars().take(40).collect();
    let Ok(serde_json::Value::Object(pairs)) = serde_json::from_str(text) else {
        return Err(wrong(&format!("`{shown}`")));
    };
    pairs
        .into_iter()
        .map(|(member, weight)| match weight.as_f64() {
            Some(weight) if sound(weight) => Ok((member, weight)),
            _ => Err(wrong(&format!("{weight} for `{member}`"))),
        })
        .collect()
}

fn refused(declaration: &Declaration<'_>, setting: &str, found: &str, expected: &str) -> Error {
    Error::Setting {
        measure: declaration.name().to_owned(),
        setting: setting.to_owned(),
        found: found.to_owned(),
        expected: expected.to_owned(),
    }
}

/// A member as the key of its weight: a label as it is, anything else as JSON.
pub(crate) fn key(value: &Value) -> String {
    match value {
        Value::Symbol(label) => label.clone(),
        other => other.to_json().to_string(),
    }
}

/// The members of each collection of a column, repeats and missing collections left out.
pub(crate) fn members_of(column: &Column) -> Vec<Vec<String>> {
    let Cells::Collection { members, .. } = column.cells() else {
        return Vec::new();
    };
    let present = (0..column.len()).filter(|&row| column.is_present(row));
    present
        .map(|row| {
            let range = members.range(row);
            let mut keys: Vec<String> = range.map(|of| key(&members.child.value(of))).collect();
            keys.sort_unstable();
            keys.dedup();
            keys
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn documents() -> Vec<Vec<String>> {
        let of = |text: &str| text.split(' ').map(str::to_owned).collect();
        vec![of("beer eggs"), of("beer tofu"), of("beer")]
    }

    #[test]
    fn what_is_rare_counts_more() {
        let fitted = Weights::fitted(documents(), 10);
        assert_eq!(fitted.of("beer"), 1.0);
        assert_eq!(fitted.of("eggs"), 1.693147);
        assert_eq!(fitted.of("never seen"), 2.386294);
        assert!(fitted.tell_apart() && !fitted.may_be_nothing());
    }

    #[test]
    fn beyond_the_vocabulary_all_count_the_same() {
        let fitted = Weights::fitted(documents(), 2);
        assert_eq!(fitted.of.len(), 2);
        // Eggs before tofu by name; tofu has the weight of what occurs once.
        assert!(fitted.of.contains_key("eggs"));
        assert_eq!(fitted.other, 1.693147);
    }
}
