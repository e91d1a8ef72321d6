//! A model tree as SQL: an arm a leaf, each the sum of its formula's terms in the model's order, so
//! that even rounding is the same.

use std::fmt::Write;

use kinwood_values::Dictionary;

use super::super::formula::{Answer, Feature, Test};
use super::super::input::{Input, Kind};
use super::ModelTree;
use crate::tree::model::sql::{self, Printed, literal};
use kinwood_learning::error::Result;
use kinwood_learning::sql::{Asked, Expression, Gap, double, identifier, number, numeric};

/// The most tests below each other and terms in all: SQLite has expressions at most 1000 deep.
const MOST_DEEP: usize = 950;

/// The expression of what is predicted.
pub(super) fn expressions(model: &ModelTree, asked: Asked) -> Result<Vec<Expression>> {
    let mut printer = Printer {
        model,
        known: asked == Asked::Known,
    };
    sql::expressions(&model.terms.targets, asked, &mut printer)
}

struct Printer<'a> {
    model: &'a ModelTree,
    /// Whether nothing is said where a value is missing.
    known: bool,
}

impl Printed for Printer<'_> {
    fn number(&mut self, _: usize) -> Result<String> {
        let tree = self.model.tree();
        let mut arms = Vec::new();
        let mut pending: Vec<(u32, Vec<String>)> = vec![(0, Vec::new())];
        while let Some((node, conditions)) = pending.pop() {
            let node = tree.node(node);
            let deep = conditions.len() + node.payload.formula.terms.len();
            if deep > MOST_DEEP {
                return Err(Gap::Deep {
                    found: deep,
                    most: MOST_DEEP,
                }
                .into());
            }
            let Some(split) = &node.split else {
                arms.push((conditions, self.sum(&node.payload)?));
                continue;
            };
            for (branch, &child) in split.children.iter().enumerate().rev() {
                let mut conditions = conditions.clone();
                conditions.push(self.condition(split.test, branch == 0)?);
                pending.push((child, conditions));
            }
        }
        Ok(match arms.as_slice() {
            [(conditions, only)] if conditions.is_empty() => only.clone(),
            arms => {
                let mut sql = String::from("CASE");
                for (conditions, sum) in arms {
                    let _ = write!(sql, "\n  WHEN {} THEN {sum}", conditions.join(" AND "));
                }
                sql + "\nEND"
            }
        })
    }

    fn class(&mut self, target: usize, _: &Dictionary) -> Result<String> {
        Err(self.no_number(target).into())
    }

    fn probability(&mut self, target: usize, _: usize) -> Result<String> {
        Err(self.no_number(target).into())
    }
}

impl Printer<'_> {
    /// What is said of a target that is no number: formulas have no other value.
    fn no_number(&self, target: usize) -> Gap {
        let target = &self.model.terms.targets[target];
        Gap::Target {
            target: target.name.clone(),
            kind: target.kind.entry().one,
        }
    }

    fn sum(&self, leaf: &Answer) -> Result<String> {
        let mut sql = double(leaf.formula.constant);
        for &(feature, coefficient) in &leaf.formula.terms {
            let _ = write!(sql, " + {} * {}", double(coefficient), self.value(feature)?);
        }
        Ok(sql)
    }

    /// A feature as a double.
    fn value(&self, feature: Feature) -> Result<String> {
        let input = self.model.terms.inputs.of(feature);
        match (feature.from, &input.kind) {
            (Some(from), _) => {
                let (one, zero) = (double(1.0), double(0.0));
                let (own, others) = (
                    self.among(input, from, true)?,
                    self.among(input, from, false)?,
                );
                Ok(if self.known {
                    format!("CASE WHEN {own} THEN {one} WHEN {others} THEN {zero} END")
                } else if self.usual(input, from) {
                    format!("CASE WHEN {others} THEN {zero} ELSE {one} END")
                } else {
                    format!("CASE WHEN {own} THEN {one} ELSE {zero} END")
                })
            }
            (None, Kind::Number { mean }) => {
                let there = numeric(&identifier(&input.name));
                Ok(match self.known {
                    true => there,
                    false => format!("COALESCE({there}, {})", double(*mean)),
                })
            }
            (None, _) => Err(Gap::Moment {
                column: input.name.clone(),
            }
            .into()),
        }
    }

    /// Whether what stands for missing labels is one that is asked for.
    fn usual(&self, input: &Input, from: u32) -> bool {
        match &input.kind {
            Kind::Labels { ranks, mode, .. } => {
                ranks.get(*mode as usize).is_some_and(|&rank| rank >= from)
            }
            Kind::Number { .. } | Kind::Moment { .. } => false,
        }
    }

    /// That the label is one of those that are asked for, or one of the others.
    fn among(&self, input: &Input, from: u32, asked: bool) -> Result<String> {
        let Kind::Labels { labels, .. } = &input.kind else {
            return Ok("1 = 0".to_owned());
        };
        let own = input.last(from);
        let listed = labels.labels().enumerate();
        let listed = listed.filter(|(code, _)| own.binary_search(&(*code as u32)).is_ok() == asked);
        let listed = listed.map(|(_, label)| literal(label));
        let listed = listed.collect::<Result<Vec<String>>>()?;
        let name = identifier(&input.name);
        Ok(format!("CAST({name} AS text) IN ({})", listed.join(", ")))
    }

    /// That a test holds, or does not; neither where a value is missing and that is to be told.
    fn condition(&self, test: Test, holds: bool) -> Result<String> {
        let input = self.model.terms.inputs.of(test.feature);
        match test.feature.from {
            None => {
                let mark = if holds { ">" } else { "<=" };
                let value = self.value(test.feature)?;
                Ok(format!("{value} {mark} {}", number(test.threshold)))
            }
            // Labels that are missing or new are those that stand for them.
            Some(from) if !self.known && self.usual(input, from) == holds => {
                let others = self.among(input, from, !holds)?;
                let name = identifier(&input.name);
                Ok(format!("({name} IS NULL OR NOT {others})"))
            }
            Some(from) => self.among(input, from, holds),
        }
    }
}
