//! The model: a row walks from test to test, and the formula of a leaf answers.

mod show;
mod sql;
mod store;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use kinwood_values::container::{Sections, Stored};
use kinwood_values::{Column, Value, View, datetime};
use serde_json::{Map, Value as Json};

use super::formula::{Answer, Test};
use super::input::{Input, Inputs, Kind};
use crate::tree::model::{
    Along, Answering, Combine, Member, ModelTerms, Outline, Report, TargetOf, Trace, TreeSet, Why,
};
use crate::tree::{self, Answers, TargetKind, Tree};
use kinwood_learning::context::Context;
use kinwood_learning::drawing::{BranchDrawn, Mark, NodeDrawn, TestDrawn};
use kinwood_learning::error::Result;
use kinwood_learning::explanation::{Step, Term};
use kinwood_learning::sql::{Asked, Expression};

/// A model tree.
pub type ModelTree = TreeSet<Formulas>;

/// What model trees speak of: the columns, and the one target.
pub struct Formulas {
    /// The columns that tests and formulas read.
    pub inputs: Inputs,
    targets: [TargetOf; 1],
}

impl TreeSet<Formulas> {
    /// The model of a tree.
    pub(super) fn new(target: String, inputs: Inputs, tree: Tree<Test, Answer>) -> Self {
        let kind = TargetKind::number();
        let terms = Formulas {
            inputs,
            targets: [TargetOf { name: target, kind }],
        };
        let member = Member {
            tree: Arc::new(tree),
            score: None,
        };
        let report = Report::default();
        Self::of(
            Arc::new(terms),
            vec![member],
            Combine::Best,
            Along::Leaf,
            report,
        )
    }

    /// Reads a model, trusting nothing.
    pub fn read(stored: &Stored) -> Result<Self> {
        store::read(stored)
    }

    /// The only tree.
    fn tree(&self) -> &Tree<Test, Answer> {
        &self.trees[0].tree
    }

    /// The only target.
    fn target(&self) -> &str {
        &self.terms.targets[0].name
    }
}

impl Formulas {
    /// A test in words.
    fn words(&self, test: &Test) -> String {
        let feature = self.inputs.words(test.feature);
        match &self.inputs.of(test.feature).kind {
            Kind::Labels { .. } => feature,
            Kind::Moment { .. } => {
                format!("{feature} > {}", datetime::print(test.threshold as i64))
            }
            Kind::Number { .. } => {
                // Without the digits that only arithmetic put there.
                let near: f64 = format!("{:.9e}", test.threshold)
                    .parse()
                    .unwrap_or(test.threshold);
                format!("{feature} > {near}")
            }
        }
    }
}

/// The columns of a view that a model tree reads.
pub struct Rows<'a> {
    tree: &'a Tree<Test, Answer>,
    inputs: &'a Inputs,
    data: &'a View,
    columns: Vec<Option<&'a Column>>,
}

impl<'a> Rows<'a> {
    fn new(model: &'a ModelTree, data: &'a View) -> Result<Self> {
        let inputs = &model.terms.inputs;
        Ok(Self {
            tree: model.tree(),
            inputs,
            data,
            columns: inputs
                .all
                .iter()
                .map(|input| input.column(data))
                .collect::<Result<_>>()?,
        })
    }

    /// What the inputs of a row are.
    fn values(&self, position: usize) -> Vec<f64> {
        let row = self.data.row(position) as usize;
        let inputs = self.inputs.all.iter().zip(&self.columns);
        inputs
            .map(|(input, column)| input.value(*column, row))
            .collect()
    }

    /// The nodes that a row passes, the leaf last.
    fn path(&self, values: &[f64]) -> Vec<u32> {
        let mut path = vec![0];
        let mut node = self.tree.node(0);
        while let Some(split) = &node.split {
            let child = split.children[split.test.branch(values)];
            path.push(child);
            node = self.tree.node(child);
        }
        path
    }

    fn leaf(&self, values: &[f64]) -> &Answer {
        let mut node = self.tree.node(0);
        while let Some(split) = &node.split {
            node = self.tree.node(split.children[split.test.branch(values)]);
        }
        &node.payload
    }
}

impl Answering for Rows<'_> {
    fn add(&self, rows: Range<usize>, _: &Context, out: &mut [f64]) -> Result<()> {
        for (position, out) in rows.zip(out) {
            let values = self.values(position);
            *out += self.leaf(&values).formula.value(&values);
        }
        Ok(())
    }
}

/// A value as it stands, and what it is taken as where it is missing or new.
fn shown(input: &Input, column: Option<&Column>, row: usize) -> String {
    let there = column.map_or(Value::Missing, |column| column.value(row));
    let (new, taken) = match &input.kind {
        Kind::Number { mean } => (false, mean.to_string()),
        Kind::Moment { mean } => (false, datetime::print(*mean as i64)),
        Kind::Labels { labels, mode, .. } => {
            let code = column.and_then(|column| column.code(row));
            let taken = match (*mode as usize) < labels.len() {
                true => labels.label(*mode).to_owned(),
                false => String::new(),
            };
            (
                code.is_some_and(|code| code as usize >= labels.len()),
                taken,
            )
        }
    };
    match there {
        Value::Missing => format!("? taken as {taken}"),
        there if new => format!("{there} taken as {taken}"),
        there => there.to_string(),
    }
}

impl ModelTerms for Formulas {
    type Test = Test;
    type Payload = Answer;
    type Above = ();
    type Ready<'a> = Rows<'a>;
    type Cache = ();

    const NUMBERED: bool = false;
    const SEARCHED: bool = false;
    const BLOCK: usize = 1024;

    fn targets(&self) -> &[TargetOf] {
        &self.targets
    }

    fn answers<'p>(&self, own: &'p Answer) -> Cow<'p, Answers> {
        let squares = own.weight * own.deviation * own.deviation;
        Cow::Owned(Answers {
            weight: own.weight,
            targets: vec![tree::Answer::number(own.weight, own.mean, squares)],
        })
    }

    fn is_constant(&self, _: &Answer, _: usize) -> bool {
        false
    }

    fn root(&self) {}

    fn below(&self, _: &(), _: &Test, _: usize) {}

    fn test_words(&self, _: &(), test: &Test) -> String {
        self.words(test)
    }

    fn leaf_words(&self, outline: &Outline<'_, Self>, node: u32) -> String {
        show::leaf(outline.tree, node)
    }

    fn subject(&self, _: &(), test: &Test) -> String {
        self.inputs.of(test.feature).name.clone()
    }

    fn write_below(&self, outline: &Outline<'_, Self>, _: Along, text: &mut String) {
        show::write_formulas(self, outline.tree, text);
    }

    fn columns(&self, outline: &Outline<'_, Self>) -> Vec<String> {
        let nodes = outline.tree.nodes().iter();
        let mut inputs: Vec<u32> = nodes
            .flat_map(|node| match &node.split {
                Some(split) => vec![split.test.feature.input],
                None => {
                    let terms = node.payload.formula.terms.iter();
                    terms.map(|(feature, _)| feature.input).collect()
                }
            })
            .collect();
        inputs.sort_unstable();
        inputs.dedup();
        let name = |input: u32| self.inputs.all[input as usize].name.clone();
        inputs.into_iter().map(name).collect()
    }

    fn json(model: &ModelTree) -> Json {
        show::json(model)
    }

    /// Model trees list their nodes rather than nest them.
    fn terms_json(&self, _: Along, _: &mut Json) {}

    fn node_json(&self, _: &Outline<'_, Self>, _: u32) -> Map<String, Json> {
        Map::new()
    }

    fn test_json(&self, _: &(), test: &Test) -> Json {
        show::test_json(&self.inputs, test)
    }

    fn test_drawn(&self, above: &(), test: &Test) -> TestDrawn {
        let branch = |branch: usize| BranchDrawn {
            words: self.branch_words(test, branch),
            prototype: None,
            share: 0.0,
        };
        TestDrawn {
            words: self.words(test),
            column: self.subject(above, test),
            distance: None,
            branches: vec![branch(0), branch(1)],
        }
    }

    /// Leaves say their formulas.
    fn node_drawn(&self, outline: &Outline<'_, Self>, node: u32, drawn: &mut NodeDrawn) {
        let at = outline.tree.node(node);
        let said = at.split.is_none();
        drawn.answers = vec![Mark::Number {
            mean: at.payload.mean,
            deviation: at.payload.deviation,
            weight: at.payload.weight,
            formula: said.then(|| show::formula(&self.inputs, &at.payload.formula, " ")),
        }];
    }

    fn ready<'a>(model: &'a ModelTree, data: &'a View) -> Result<Rows<'a>> {
        Rows::new(model, data)
    }

    fn trace(model: &ModelTree, data: &View, position: usize) -> Result<Trace> {
        let rows = Rows::new(model, data)?;
        let row = data.row(position) as usize;
        let values = rows.values(position);
        let inputs = &model.terms.inputs;
        let read = inputs.all.iter().zip(&rows.columns);
        let read: Vec<(String, String)> = read
            .map(|(input, column)| (input.name.clone(), shown(input, *column, row)))
            .collect();
        let nodes = rows.path(&values).into_iter().enumerate();
        let path = nodes.filter_map(|(depth, node)| {
            let test = &rows.tree.node(node).split.as_ref()?.test;
            Some(Step {
                tree: 1,
                depth,
                share: 1.0,
                test: model.terms.words(test),
                value: read[test.feature.input as usize].1.clone(),
                holds: Some(test.branch(&values) == 0),
                near: None,
            })
        });
        let leaf = rows.leaf(&values);
        let terms = leaf.formula.terms.iter().map(|&(feature, coefficient)| {
            Term::product(inputs.words(feature), feature.value(&values), coefficient)
        });
        let terms = std::iter::once(Term::constant(leaf.formula.constant)).chain(terms);
        Ok(Trace {
            path: path.collect(),
            examples: leaf.weight,
            numbers: vec![leaf.formula.value(&values)],
            why: vec![Why::Formula(terms.collect())],
            values: read,
        })
    }

    fn visited(model: &ModelTree, data: &View, position: usize) -> Result<Vec<(usize, u32, f64)>> {
        let rows = Rows::new(model, data)?;
        let path = rows.path(&rows.values(position)).into_iter();
        Ok(path.map(|node| (0, node, 1.0)).collect())
    }

    fn sql(model: &ModelTree, asked: Asked) -> Option<Result<Vec<Expression>>> {
        Some(sql::expressions(model, asked))
    }

    fn reads_one_table(&self) -> bool {
        true
    }

    fn write(model: &ModelTree, sections: &mut Sections) -> Result<()> {
        store::write(model, sections)
    }
}
