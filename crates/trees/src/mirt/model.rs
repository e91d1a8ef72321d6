//! The fitted model: relational trees, and what their tests and leaves say.

mod check;
mod draw;
mod explain;
mod facts;
mod notation;
mod show;
mod sql;
mod store;
#[cfg(test)]
mod tests;
mod trim;
mod walk;
pub(super) mod words;

use std::borrow::Cow;
use std::sync::Arc;

use kinwood_values::View;
use kinwood_values::container::{Sections, Stored};
use serde_json::{Map, Value};

use super::leaf::Content;
use super::relations::{attributes, mentions};
use super::terms::Terms;
use super::test::{Step, Test};
use super::values::Values;
use crate::tree::model::{Along, Member, ModelTerms, Outline, Trace, TreeSet, show as shared};
use crate::tree::{Answers, Combine, Report, TargetOf};
use kinwood_learning::drawing::{NodeDrawn, SchemaDrawn, TestDrawn};
use kinwood_learning::error::Result;
use kinwood_learning::sql::{Asked, Seen};
use walk::{BATCH, Trees, Walk};
use words::Occurrences;

/// A model of relational trees.
pub type MirtModel = TreeSet<Terms>;

impl TreeSet<Terms> {
    /// The model of trees, best first.
    ///
    /// # Panics
    /// If there is no tree: a mistake of the caller, not of data.
    pub fn new(
        terms: Terms,
        trees: Vec<Member<Terms>>,
        combine: Combine,
        along: Along,
        report: Report,
    ) -> Self {
        let (terms, trees) = trim::trimmed(terms, trees);
        Self::of(Arc::new(terms), trees, combine, along, report)
    }

    /// Whether a file has such a model.
    pub fn is_in(stored: &Stored) -> bool {
        store::is_in(stored)
    }

    /// Reads a model, checking all of it.
    pub fn read(stored: &Stored) -> Result<Self> {
        store::read(stored)
    }
}

impl ModelTerms for Terms {
    type Test = Test;
    type Payload = Content;
    /// The keys followed on the way: those of the tests that hold.
    type Above = Arc<Vec<Step>>;
    type Ready<'a> = Trees<'a>;
    type Cache = ();

    const NUMBERED: bool = true;
    const BLOCK: usize = BATCH;

    fn targets(&self) -> &[TargetOf] {
        &self.targets
    }

    fn answers<'p>(&self, content: &'p Content) -> Cow<'p, Answers> {
        Cow::Borrowed(&content.answers)
    }

    fn is_constant(&self, content: &Content, target: usize) -> bool {
        content.model(target).is_none()
    }

    fn root(&self) -> Arc<Vec<Step>> {
        Arc::default()
    }

    fn below(&self, above: &Arc<Vec<Step>>, test: &Test, branch: usize) -> Arc<Vec<Step>> {
        match branch == 0 && !test.steps.is_empty() {
            true => Arc::new([above.as_slice(), &test.steps].concat()),
            false => Arc::clone(above),
        }
    }

    fn test_words(&self, above: &Arc<Vec<Step>>, test: &Test) -> String {
        Occurrences::new(self, above).test(test)
    }

    fn leaf_words(&self, outline: &Outline<'_, Self>, node: u32) -> String {
        let names = Occurrences::new(self, &outline.above[node as usize]);
        show::leaf(self, &names, &outline.tree.node(node).payload)
    }

    fn subject(&self, above: &Arc<Vec<Step>>, test: &Test) -> String {
        let last = mentions(self, above, test).last().copied();
        let named = attributes(self).into_iter();
        let mut named = named.filter(|input| Some(input.position) == last);
        named.next().map_or_else(String::new, |input| input.name)
    }

    fn examples_words(&self, weight: f64) -> Option<String> {
        Some(self.objects(weight))
    }

    fn write_below(&self, outline: &Outline<'_, Self>, along: Along, text: &mut String) {
        show::write_queries(outline, self, along, text);
    }

    fn columns(&self, outline: &Outline<'_, Self>) -> Vec<String> {
        let places = facts::looked_at(self, outline).into_iter();
        places.map(|place| self.place_name(place)).collect()
    }

    fn tables(&self, outline: &Outline<'_, Self>) -> Option<Vec<String>> {
        let tables = facts::followed(self, outline).into_iter();
        Some(
            tables
                .map(|table| self.tables[table].name.clone())
                .collect(),
        )
    }

    fn uses(&self, outline: &Outline<'_, Self>) -> Vec<String> {
        facts::used(self, outline)
    }

    fn json(model: &MirtModel) -> Value {
        shared::json(model)
    }

    fn terms_json(&self, along: Along, shown: &mut Value) {
        show::terms_json(self, along, shown);
    }

    fn node_json(&self, outline: &Outline<'_, Self>, node: u32) -> Map<String, Value> {
        show::node_json(self, outline, node)
    }

    fn test_json(&self, above: &Arc<Vec<Step>>, test: &Test) -> Value {
        show::test_json(self, above, test)
    }

    fn schema(&self) -> Option<SchemaDrawn> {
        Some(draw::schema(self))
    }

    fn test_drawn(&self, above: &Arc<Vec<Step>>, test: &Test) -> TestDrawn {
        draw::test(self, above, test)
    }

    fn node_drawn(&self, outline: &Outline<'_, Self>, node: u32, drawn: &mut NodeDrawn) {
        draw::node(self, outline, node, drawn);
    }

    fn ready<'a>(model: &'a MirtModel, data: &'a View) -> Result<Trees<'a>> {
        Trees::new(model, data)
    }

    fn trace(model: &MirtModel, data: &View, position: usize) -> Result<Trace> {
        explain::trace(model, data, position)
    }

    fn visited(model: &MirtModel, data: &View, position: usize) -> Result<Vec<(usize, u32, f64)>> {
        model.terms.check(data)?;
        let values = Values::new(data, &model.terms.pools)?;
        let mut passed = Vec::new();
        for (tree, member) in model.trees.iter().enumerate() {
            let walk = Walk::new(model, member);
            walk.visit(&values, vec![position as u32], &mut |visit| {
                passed.push((tree, visit.node, 1.0));
            });
        }
        Ok(passed)
    }

    fn view(
        model: &MirtModel,
        name: &str,
        asked: Asked,
        seen: Option<&Seen>,
    ) -> Option<Result<String>> {
        Some(sql::view(model, name, asked, seen))
    }

    fn reads_one_table(&self) -> bool {
        false
    }

    fn write(model: &MirtModel, sections: &mut Sections) -> Result<()> {
        store::write(model, sections)
    }
}
