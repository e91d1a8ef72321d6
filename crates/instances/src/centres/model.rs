//! The model: rows walk from centre to centre, and a leaf answers.

use std::fmt::Write;
use std::sync::Arc;

use kinwood_similarity::{FittedRow, Pairs};
use kinwood_values::container::Sections;
use kinwood_values::notice::counted;
use kinwood_values::{Column, Dictionary, View};
use rayon::prelude::*;
use serde_json::{Value as Json, json};

use super::CENTRES;
use super::grow::{Grown, Node, Split, nearest};
use super::response::Group;
use kinwood_learning::context::Context;
use kinwood_learning::error::Result;
use kinwood_learning::explanation::{Explanation, Others, Reasons, Step, TargetExplanation, texts};
use kinwood_learning::model::Model;
use kinwood_learning::predictions::{Output, Predictions, TargetPrediction};

/// A tree of centres.
pub struct CentreTree {
    pub(super) target: String,
    /// The classes; none where a number is predicted.
    pub(super) classes: Option<Arc<Dictionary>>,
    pub(super) fitted: FittedRow,
    /// In preorder, the root first.
    pub(super) nodes: Vec<Node>,
    /// The centres as rows, those of a node next to each other.
    pub(super) centres: Column,
}

/// Queries answered at a time.
const BATCH: usize = 256;

impl CentreTree {
    /// The model of a tree.
    pub(super) fn new(
        target: String,
        classes: Option<Arc<Dictionary>>,
        fitted: FittedRow,
        grown: Grown,
    ) -> Self {
        Self {
            target,
            classes,
            fitted,
            nodes: grown.nodes,
            centres: grown.centres,
        }
    }

    fn bound(&self, rows: &Column) -> Result<Arc<dyn Pairs<f64>>> {
        Ok(self.fitted.bind_real(rows, &self.centres, CENTRES.name)?)
    }

    /// The leaf that a row comes to; on the way each split is told, the distances from its centres,
    /// and the nearest.
    fn walk(
        &self,
        pairs: &dyn Pairs<f64>,
        query: usize,
        mut tell: impl FnMut(&Split, &[f64], usize),
    ) -> &Node {
        let mut node = &self.nodes[0];
        let mut row = None;
        let mut distances = Vec::new();
        while let Some(split) = &node.split {
            let row = row.get_or_insert_with(|| pairs.prepare(query));
            distances.resize(split.groups.len(), 0.0);
            row.fill(
                split.first..split.first + split.groups.len(),
                &mut distances,
            );
            let chosen = nearest(&distances);
            tell(split, &distances, chosen);
            node = &self.nodes[split.children[chosen]];
        }
        node
    }

    /// What the rows are called whose centre it is.
    fn name(&self, group: Group) -> String {
        match (group, &self.classes) {
            (Group::Class(class), Some(classes)) => classes.label(class).to_owned(),
            (Group::Class(class), None) => class.to_string(),
            (Group::Between(least, greatest), _) if least == greatest => least.to_string(),
            (Group::Between(least, greatest), _) => format!("{least} to {greatest}"),
        }
    }

    fn parts(&self, answer: &[f64]) -> Vec<(String, f64)> {
        match &self.classes {
            Some(classes) => {
                let labels = classes.labels().map(str::to_owned);
                labels.zip(answer.iter().copied()).collect()
            }
            None => answer.iter().map(|&part| (String::new(), part)).collect(),
        }
    }

    fn leaves(&self) -> usize {
        self.nodes
            .iter()
            .filter(|node| node.split.is_none())
            .count()
    }

    /// How many centres stand above each node.
    fn levels(&self) -> Vec<usize> {
        let mut levels = vec![0; self.nodes.len()];
        for (place, node) in self.nodes.iter().enumerate() {
            for &child in node.split.iter().flat_map(|split| &split.children) {
                levels[child] = levels[place] + 1;
            }
        }
        levels
    }

    /// What a leaf says, in words.
    fn said(&self, node: &Node) -> String {
        let parts = self.parts(&node.answer).into_iter();
        let told: Vec<String> = parts
            .filter(|(name, part)| name.is_empty() || *part > 0.0)
            .map(|(name, part)| match name.as_str() {
                "" => format!("{part}"),
                name if part == 1.0 => name.to_owned(),
                name => format!("{name} {part:.3}"),
            })
            .collect();
        format!("{} ({})", told.join(", "), counted(node.rows, "row"))
    }
}

impl Model for CentreTree {
    fn predict(&self, data: &View, context: &Context) -> Result<Predictions> {
        let rows = self.fitted.rows(data)?;
        let pairs = self.bound(&rows)?;
        let running = context.progress("comparing rows", rows.len() as u64);
        let queries: Vec<usize> = (0..rows.len()).collect();
        let batches: Vec<Vec<f64>> = context.install(|| {
            queries
                .par_chunks(BATCH)
                .map(|queries| {
                    let mut answers = Vec::new();
                    for &query in queries {
                        context.check()?;
                        answers.extend(&self.walk(&*pairs, query, |_, _, _| {}).answer);
                    }
                    running.advance(queries.len() as u64);
                    Ok(answers)
                })
                .collect::<Result<_>>()
        })?;
        let numbers = batches.concat();
        let output = match &self.classes {
            Some(classes) => Output::of_classes(Arc::clone(classes), numbers),
            None => Output::of_numbers(numbers),
        };
        Ok(Predictions {
            targets: vec![TargetPrediction {
                name: self.target.clone(),
                output,
            }],
        })
    }

    fn write(&self, sections: &mut Sections) -> Result<()> {
        self.store(sections)
    }

    fn show(&self) -> String {
        let levels = self.levels();
        let leaves = match self.leaves() {
            1 => "1 leaf".to_owned(),
            leaves => format!("{leaves} leaves"),
        };
        let mut text = format!(
            "{leaves}, {}, {}\ndistance: {}\nover: {}\n",
            counted(self.centres.len(), "centre"),
            counted(levels.iter().max().copied().unwrap_or(0), "level"),
            self.fitted.distance().expression(),
            self.fitted.fields().collect::<Vec<_>>().join(", "),
        );
        // The centre that each node is reached by; the root is reached by none.
        let mut by: Vec<Option<(Group, usize)>> = vec![None; self.nodes.len()];
        for split in self.nodes.iter().filter_map(|node| node.split.as_ref()) {
            for (place, &child) in split.children.iter().enumerate() {
                by[child] = Some((split.groups[place], split.first + place));
            }
        }
        for ((node, by), level) in self.nodes.iter().zip(by).zip(levels) {
            let indent = "  ".repeat(level.saturating_sub(1));
            let centre = by.map(|(group, centre)| {
                let values = texts(&self.centres, centre).join(", ");
                format!("{indent}nearest to {} at ({values})", self.name(group))
            });
            let _ = match (centre, &node.split) {
                (Some(centre), Some(_)) => writeln!(text, "{centre}"),
                (Some(centre), None) => writeln!(text, "{centre}: {}", self.said(node)),
                (None, Some(_)) => Ok(()),
                (None, None) => writeln!(text, "{}", self.said(node)),
            };
        }
        text
    }

    fn to_json(&self) -> Json {
        let node = |node: &Node| {
            let answer = match &self.classes {
                Some(_) => {
                    let parts = self.parts(&node.answer).into_iter();
                    parts.map(|(name, part)| (name, json!(part))).collect()
                }
                None => json!(node.answer.first()),
            };
            let mut told = json!({"rows": node.rows, "prediction": answer});
            if let Some(split) = &node.split {
                let children = split.children.iter().zip(&split.groups).enumerate();
                told["centres"] = children
                    .map(|(place, (child, group))| {
                        json!({
                            "of": self.name(*group),
                            "values": texts(&self.centres, split.first + place),
                            "node": child,
                        })
                    })
                    .collect();
            }
            told
        };
        json!({
            "target": self.target,
            "leaves": self.leaves(),
            "levels": self.levels().iter().max(),
            "distance": self.fitted.stored(),
            "nodes": self.nodes.iter().map(node).collect::<Vec<_>>(),
        })
    }

    fn explain(&self, data: &View, row: usize, _most: usize) -> Option<Result<Explanation>> {
        let told = || {
            let asked = self.fitted.rows(&data.select(&[row as u32]))?;
            let pairs = self.bound(&asked)?;
            let mut path = Vec::new();
            let leaf = self.walk(&*pairs, 0, |split, distances, chosen| {
                let name = |place: usize| self.name(split.groups[place]);
                let distances = distances.iter().enumerate();
                let distances: Vec<String> = distances
                    .map(|(place, distance)| format!("{} {distance:.6}", name(place)))
                    .collect();
                path.push(Step {
                    tree: 1,
                    depth: path.len(),
                    share: 1.0,
                    test: format!("nearest to {}", name(chosen)),
                    value: distances.join(", "),
                    holds: Some(true),
                    near: None,
                });
            });
            Ok(Explanation {
                attributes: self.fitted.fields().map(str::to_owned).collect(),
                values: texts(&asked, 0),
                targets: vec![TargetExplanation {
                    name: self.target.clone(),
                    prediction: self.parts(&leaf.answer),
                    reasons: Reasons::Path(path),
                    // All training rows of the leaf together make the answer.
                    others: Others {
                        rows: leaf.rows,
                        share: 1.0,
                        parts: leaf.answer.clone(),
                    },
                }],
            })
        };
        Some(told())
    }
}
