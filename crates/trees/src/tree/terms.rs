//! What trees over the columns of one table speak of: the columns, and prototypes and items of
//! structured values.

mod answering;
mod check;
#[cfg(test)]
mod drawing_tests;
mod explain;
mod flat;
mod member_sql;
mod named;
mod pick;
mod sql;
mod store;
#[cfg(test)]
mod tests;
mod walk;

pub(super) use answering::BLOCK;
pub(super) use flat::{Flat, Room, UNDECIDED};
pub(crate) use member_sql::{has, sized};
pub(super) use named::Named;

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use kinwood_similarity::DistanceOn;
use kinwood_similarity::rows::Reading;
use kinwood_values::container::{Sections, Stored};
use kinwood_values::{Cells, Column, Dictionary, Value, View, datetime};
use serde::{Deserialize, Serialize};
use serde_json::{Map, json};

use super::model::{
    Along, Combine, Member, ModelTerms, Outline, Report, TargetOf, Trace, TreeSet, show,
};
use super::response::Answers;
use super::test::{Nearest, Test};
use super::text::among;
use crate::contents::{Item, calendar, items_json, items_words, size_words};
use answering::Trees;
use kinwood_learning::drawing::{BranchDrawn, TestDrawn};
use kinwood_learning::error::{Error, Result};
use kinwood_learning::sql::{Asked, Expression};
use walk::{At, Walk, tested};

/// A model of trees over the columns of one table.
pub type TreeModel = TreeSet<Terms>;

/// What the trees of a model speak of.
#[derive(Clone, Debug, PartialEq)]
pub struct Terms {
    /// The columns tested, by their place in the table.
    pub inputs: Vec<Input>,
    /// The targets, in the task's order.
    pub targets: Vec<TargetOf>,
}

/// A column that is tested.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Where it stood in the table.
    pub column: u32,
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: InputKind,
}

/// What a column that is tested holds.
#[derive(Clone, Debug, PartialEq)]
pub enum InputKind {
    /// Numbers.
    Number,
    /// Dates.
    Moment,
    /// The labels that training had.
    Labels(Arc<Dictionary>),
    /// Structured values: compared with prototypes by a distance, or looked into.
    Kin(Arc<Pool>),
}

/// The prototypes of an input whose values are compared by a distance, and the items that they may
/// contain.
#[derive(Clone)]
pub struct Pool {
    /// The values that tests speak of, by place.
    pub values: Column,
    /// The items that tests speak of, by place.
    pub items: Vec<Item>,
    /// The distance.
    pub measure: DistanceOn,
    /// Further distances that tests are by.
    pub more: Vec<DistanceOn>,
    /// Where the values of a row come from.
    pub source: Source,
}

/// Where the values of an input come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A column of the table.
    Column,
    /// The rows that foreign keys lead to, so many keys away.
    Linked(usize),
    /// The whole row, read so.
    Row(Reading),
}

impl Pool {
    /// The distance that a test is by.
    pub fn by(&self, nearest: &Nearest) -> &DistanceOn {
        let other = (nearest.measure as usize).checked_sub(1);
        other
            .and_then(|place| self.more.get(place))
            .unwrap_or(&self.measure)
    }

    /// The items of a test.
    pub fn named<'p>(&'p self, items: &'p [u32]) -> impl Iterator<Item = &'p Item> {
        items
            .iter()
            .filter_map(|&item| self.items.get(item as usize))
    }
}

impl PartialEq for Pool {
    fn eq(&self, other: &Self) -> bool {
        self.values == other.values
            && self.items == other.items
            && self.source == other.source
            && self.measure.of() == other.measure.of()
            && self.measure.expression() == other.measure.expression()
            && self.more.len() == other.more.len()
            && self
                .more
                .iter()
                .zip(&other.more)
                .all(|(a, b)| a.expression() == b.expression())
    }
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool")
            .field("values", &self.values)
            .field("items", &self.items)
            .field("measure", &self.measure.expression().to_string())
            .field("source", &self.source)
            .finish()
    }
}

/// An input of which trees keep prototypes: where it stands, its name, and the prototypes.
pub type Pooled = (u32, String, Pool);

impl TreeSet<Terms> {
    /// The model of trees grown on the rows of a view, best first.
    ///
    /// Fails where numbers were too large for their sums: no threshold, mean or score is a number
    /// then.
    ///
    /// # Panics
    /// If there is no tree: a mistake of the caller, not of data.
    pub fn new(
        view: &View,
        pools: Vec<Pooled>,
        targets: Vec<TargetOf>,
        trees: Vec<Member<Terms>>,
        combine: Combine,
        along: Along,
        report: Report,
    ) -> Result<Self> {
        let mut tested: Vec<u32> = trees
            .iter()
            .flat_map(|member| member.tree.nodes())
            .filter_map(|node| Some(node.split.as_ref()?.test.column()))
            .collect();
        tested.sort_unstable();
        tested.dedup();
        let mut pools = pools;
        let input = |column: u32| {
            if let Some(place) = pools.iter().position(|pool| pool.0 == column) {
                let (column, name, pool) = pools.swap_remove(place);
                return Input {
                    column,
                    name,
                    kind: InputKind::Kin(Arc::new(pool)),
                };
            }
            let attribute = view.table().attribute(column as usize);
            let kind = match attribute.column.cells() {
                Cells::Nominal { dictionary, .. } => InputKind::Labels(Arc::clone(dictionary)),
                Cells::DateTime(_) => InputKind::Moment,
                _ => InputKind::Number,
            };
            Input {
                column,
                name: attribute.name.clone(),
                kind,
            }
        };
        let terms = Terms {
            inputs: tested.into_iter().map(input).collect(),
            targets,
        };
        match trees.iter().find_map(|member| terms.fault(member)) {
            None => Ok(Self::of(Arc::new(terms), trees, combine, along, report)),
            Some(reason) => Err(Error::TooLarge {
                table: view.table().name().to_owned(),
                reason,
            }),
        }
    }

    /// Reads a model, checking all of it.
    pub fn read(stored: &Stored) -> Result<Self> {
        store::read(stored)
    }

    /// The trees that answer in flat form, where they have one.
    fn flat(&self) -> &[Option<Flat>] {
        self.cache.get_or_init(|| answering::flat(self))
    }
}

impl Input {
    /// How many labels training had; 0 for what has none.
    fn labels(&self) -> u32 {
        match &self.kind {
            InputKind::Labels(labels) => labels.len() as u32,
            _ => 0,
        }
    }
}

impl Terms {
    /// The column of that place, if it is tested.
    pub fn input(&self, column: u32) -> Option<&Input> {
        let found = self
            .inputs
            .binary_search_by_key(&column, |input| input.column);
        found.ok().map(|place| &self.inputs[place])
    }

    /// A test in words; of many labels the first few.
    pub fn words(&self, test: &Test) -> String {
        let input = self.input(test.column());
        let name = input.map_or("", |input| input.name.as_str());
        match (test, input.map(|input| &input.kind)) {
            (Test::Above { threshold, .. }, Some(InputKind::Moment)) => {
                format!("{name} > {}", datetime::print(*threshold as i64))
            }
            (Test::Above { threshold, .. }, _) => format!("{name} > {threshold}"),
            (Test::Among { values, .. }, Some(InputKind::Labels(labels))) => {
                among(name, values.iter().map(|&value| labels.label(value)))
            }
            (Test::Around { cells, .. }, kind) => {
                let moments = kind == Some(&InputKind::Moment);
                let bounds = cells.bounds.iter().map(|bound| match moments {
                    true => datetime::print(*bound as i64),
                    // The last digits are there for ties alone.
                    false => {
                        let near = format!("{bound:.6e}").parse().unwrap_or(*bound);
                        near.to_string()
                    }
                });
                let bounds: Vec<String> = bounds.collect();
                format!("{name} near, divided at {}", bounds.join(", "))
            }
            (Test::Nearest { nearest, .. }, _) if !nearest.reach.is_empty() => {
                let reach = nearest.reach.iter().map(|reach| format!("{reach:.4}"));
                let reach: Vec<String> = reach.collect();
                format!("{name} near, in units of {}", reach.join(", "))
            }
            (Test::Nearest { nearest, .. }, Some(InputKind::Kin(pool))) if nearest.measure > 0 => {
                format!("{name} near by {}", pool.by(nearest).expression())
            }
            (Test::Nearest { .. }, _) => format!("{name} near"),
            (Test::Has { items, .. }, Some(InputKind::Kin(pool))) => {
                items_words(name, pool.named(items))
            }
            (Test::Has { items, .. }, Some(InputKind::Moment)) => {
                items_words(name, calendar::named(items))
            }
            (Test::Size { least, .. }, Some(InputKind::Kin(pool))) => {
                size_words(name, Some(pool.measure.of()), *least)
            }
            (Test::Size { least, .. }, _) => size_words(name, None, *least),
            (Test::Among { .. } | Test::Has { .. }, _) => name.to_owned(),
        }
    }

    /// A test in words, its threshold without the digits that only arithmetic put there: half of
    /// 28.8 is drawn as 14.4.
    fn drawn_words(&self, test: &Test) -> String {
        match (test, self.input(test.column())) {
            (Test::Above { threshold, .. }, Some(input)) if input.kind == InputKind::Number => {
                let near = format!("{threshold:.9e}").parse().unwrap_or(*threshold);
                format!("{} > {near}", input.name)
            }
            _ => self.words(test),
        }
    }

    /// What a branch of a test is called: `yes` and `no`, or its prototype.
    pub fn branch(&self, test: &Test, branch: usize) -> String {
        match self.prototype(test, branch) {
            Some(value) => shortened(&value.to_string()),
            None if branch == 0 => "yes".to_owned(),
            None => "no".to_owned(),
        }
    }

    /// The prototype of a branch, if it has one.
    pub fn prototype(&self, test: &Test, branch: usize) -> Option<Value> {
        let kind = &self.input(test.column())?.kind;
        match (test, kind) {
            (Test::Around { cells, .. }, InputKind::Moment) => {
                Some(Value::DateTime(*cells.prototypes.get(branch)? as i64))
            }
            (Test::Around { cells, .. }, _) => Some(Value::Number(*cells.prototypes.get(branch)?)),
            (Test::Nearest { nearest, .. }, InputKind::Labels(labels)) => {
                let code = *nearest.prototypes.get(branch)?;
                Some(Value::Symbol(labels.label(code).to_owned()))
            }
            (Test::Nearest { nearest, .. }, InputKind::Kin(pool)) => {
                Some(pool.values.value(*nearest.prototypes.get(branch)? as usize))
            }
            _ => None,
        }
    }
}

/// A value as it stands in a line of text.
pub(crate) fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

impl ModelTerms for Terms {
    type Test = Test;
    type Payload = Answers;
    type Above = ();
    type Ready<'a> = Trees<'a>;
    type Cache = OnceLock<Vec<Option<Flat>>>;

    const NUMBERED: bool = false;
    const BLOCK: usize = BLOCK;

    fn targets(&self) -> &[TargetOf] {
        &self.targets
    }

    fn answers<'p>(&self, payload: &'p Answers) -> Cow<'p, Answers> {
        Cow::Borrowed(payload)
    }

    fn root(&self) {}

    fn below(&self, _: &(), _: &Test, _: usize) {}

    fn test_words(&self, _: &(), test: &Test) -> String {
        self.words(test)
    }

    fn branch_words(&self, test: &Test, branch: usize) -> String {
        self.branch(test, branch)
    }

    fn lists_branches(&self, test: &Test) -> bool {
        test.has_prototypes()
    }

    /// What a leaf says, in brackets.
    fn leaf_words(&self, outline: &Outline<'_, Self>, node: u32) -> String {
        let several = self.targets.len() > 1;
        let answers = &outline.tree.node(node).payload.targets;
        let said = self.targets.iter().zip(answers).map(|(target, answer)| {
            let words = answer.words(&target.kind);
            match several {
                true => format!("{} {words}", target.name),
                false => words,
            }
        });
        format!("[{}]", said.collect::<Vec<_>>().join("; "))
    }

    fn subject(&self, _: &(), test: &Test) -> String {
        self.input(test.column())
            .map_or_else(String::new, |input| input.name.clone())
    }

    fn columns(&self, outline: &Outline<'_, Self>) -> Vec<String> {
        let nodes = outline.tree.nodes().iter();
        let mut tested: Vec<u32> = nodes
            .filter_map(|node| Some(node.split.as_ref()?.test.column()))
            .collect();
        tested.sort_unstable();
        tested.dedup();
        let inputs = tested.iter().filter_map(|&column| self.input(column));
        inputs.map(|input| input.name.clone()).collect()
    }

    fn json(model: &TreeModel) -> serde_json::Value {
        show::json(model)
    }

    fn terms_json(&self, along: Along, shown: &mut serde_json::Value) {
        if !along.is_leaf() {
            shown["along"] = show::along_json(along);
        }
    }

    fn node_json(&self, outline: &Outline<'_, Self>, node: u32) -> Map<String, serde_json::Value> {
        let answers = &outline.tree.node(node).payload;
        let mut object = Map::new();
        object.insert("weight".into(), json!(answers.weight));
        object.insert("targets".into(), show::answers_json(self, answers));
        object
    }

    fn test_json(&self, _: &(), test: &Test) -> serde_json::Value {
        let input = self.input(test.column());
        let name = input.map_or("", |input| input.name.as_str());
        let prototypes = || -> Vec<serde_json::Value> {
            let branches = 0..test.branches();
            let values = branches.filter_map(|branch| self.prototype(test, branch));
            values.map(|value| value.to_json()).collect()
        };
        match (test, input.map(|input| &input.kind)) {
            (Test::Among { values, .. }, Some(InputKind::Labels(labels))) => {
                let among: Vec<&str> = values.iter().map(|&value| labels.label(value)).collect();
                json!({"column": name, "among": among})
            }
            (Test::Above { threshold, .. }, _) => json!({"column": name, "above": threshold}),
            (Test::Around { cells, .. }, _) => json!({
                "column": name,
                "prototypes": prototypes(),
                "bounds": cells.bounds,
                "cells": cells.branches,
            }),
            (Test::Nearest { nearest, .. }, kind) => {
                let distance = match kind {
                    Some(InputKind::Kin(pool)) => pool.by(nearest).expression().to_string(),
                    _ => "discrete".to_owned(),
                };
                let prototypes = prototypes();
                let mut shown =
                    json!({"column": name, "prototypes": prototypes, "distance": distance});
                if !nearest.reach.is_empty() {
                    shown["reach"] = json!(nearest.reach);
                }
                shown
            }
            (Test::Has { items, .. }, Some(InputKind::Kin(pool))) => {
                let (key, items) = items_json(pool.named(items));
                json!({"column": name, key: items})
            }
            (Test::Has { items, .. }, Some(InputKind::Moment)) => {
                let (key, items) = items_json(calendar::named(items));
                json!({"column": name, key: items})
            }
            (Test::Size { least, .. }, _) => json!({"column": name, "size_at_least": least}),
            (Test::Among { .. } | Test::Has { .. }, _) => json!({"column": name}),
        }
    }

    fn test_drawn(&self, above: &(), test: &Test) -> TestDrawn {
        let input = self.input(test.column());
        TestDrawn {
            words: self.drawn_words(test),
            column: self.subject(above, test),
            distance: match input.map(|input| &input.kind) {
                Some(InputKind::Kin(pool)) => match test {
                    Test::Nearest { nearest, .. } => {
                        Some(pool.by(nearest).expression().to_string())
                    }
                    _ => None,
                },
                _ => None,
            },
            branches: (0..test.branches())
                .map(|branch| BranchDrawn {
                    words: self.branch(test, branch),
                    prototype: self.prototype(test, branch),
                    share: 0.0,
                })
                .collect(),
        }
    }

    fn ready<'a>(model: &'a TreeModel, data: &'a View) -> Result<Trees<'a>> {
        Trees::new(model, data)
    }

    fn trace(model: &TreeModel, data: &View, position: usize) -> Result<Trace> {
        explain::trace(model, data, position)
    }

    fn visited(model: &TreeModel, data: &View, position: usize) -> Result<Vec<(usize, u32, f64)>> {
        // Structured values are prepared for all rows of a view: of this one nothing more is
        // needed.
        let data = &data.select(&[position as u32]);
        let columns = tested(&model.terms, data)?;
        let at = At::new(data, 0);
        let mut passed = Vec::new();
        for (tree, member) in model.trees.iter().enumerate() {
            let walk = Walk::new(member, model);
            walk.visit(&columns, at, |node, share, _| {
                passed.push((tree, node, share))
            });
        }
        Ok(passed)
    }

    fn sql(model: &TreeModel, asked: Asked) -> Option<Result<Vec<Expression>>> {
        Some(sql::expressions(model, asked))
    }

    fn reads_one_table(&self) -> bool {
        self.inputs.iter().all(|input| match &input.kind {
            InputKind::Kin(pool) => pool.source == Source::Column,
            InputKind::Number | InputKind::Moment | InputKind::Labels(_) => true,
        })
    }

    fn write(model: &TreeModel, sections: &mut Sections) -> Result<()> {
        store::write(model, sections)
    }

    fn picked(terms: &Arc<Self>, member: &Member<Self>) -> (Arc<Self>, Member<Self>) {
        let (terms, member) = pick::picked(terms, member);
        (Arc::new(terms), member)
    }
}
