//! Constraints on relational trees: the language of `tree`, whose attributes are tables and their
//! columns here.

use super::propose::Candidate;
use super::terms::Terms;
use super::test::{Step, Test};
use crate::tree::constraint::{Constraints, Growth, Input, Shape};

/// Constraints, with what tests cost.
pub struct Limited<'a> {
    /// The constraints.
    pub constraints: &'a Constraints,
    /// What is said that a test on a table or column costs, by its position.
    pub costs: &'a [Option<f64>],
    /// The tables and columns.
    pub terms: &'a Terms,
}

/// The tables and columns that constraints may speak of: a table by its name, a column by
/// `table.column` and, where only one table has such a column, by its name alone.
pub fn attributes(terms: &Terms) -> Vec<Input> {
    let mut inputs: Vec<Input> = Vec::new();
    for table in &terms.tables {
        inputs.push(Input {
            position: inputs.len() as u32,
            name: table.name.clone(),
            labels: None,
        });
    }
    let start = inputs.len();
    for table in &terms.tables {
        for column in &table.columns {
            inputs.push(Input {
                position: inputs.len() as u32,
                name: format!("{}.{}", table.name, column.name),
                labels: None,
            });
        }
    }
    let mut place = start as u32;
    let mut alone = Vec::new();
    for table in &terms.tables {
        for column in &table.columns {
            let named = |name: &str| terms.tables.iter().any(|table| table.name == name);
            let columns = terms.tables.iter().flat_map(|table| &table.columns);
            let alike = columns.filter(|other| other.name == column.name).count();
            if alike == 1 && !named(&column.name) {
                alone.push(Input {
                    position: place,
                    name: column.name.clone(),
                    labels: None,
                });
            }
            place += 1;
        }
    }
    inputs.extend(alone);
    inputs
}

impl Limited<'_> {
    /// Where a tree stands that has no test yet.
    pub fn standing(&self) -> Standing {
        Standing::default()
    }

    /// The tables and columns that a test looks at after these steps, by their positions.
    pub fn mentions(&self, path: &[Step], test: &Test) -> Vec<u32> {
        let steps: Vec<Step> = path.iter().chain(&test.steps).copied().collect();
        let mut mentions: Vec<u32> = test
            .steps
            .iter()
            .map(|&step| self.terms.reached(step) as u32)
            .collect();
        if let Some(condition) = &test.condition {
            let table = self.terms.table_of(&steps, condition.occurrence());
            mentions.push(table as u32);
            if let Some(column) = condition.column() {
                let before: usize = self.terms.tables[..table]
                    .iter()
                    .map(|table| table.columns.len())
                    .sum();
                mentions.push((self.terms.tables.len() + before) as u32 + column);
            }
        }
        mentions.sort_unstable();
        mentions.dedup();
        mentions
    }

    /// What a test costs that looks at these: what its column costs, 1 if nobody says, and what is
    /// said of its tables; a test that looks at tables alone costs 1 unless something is said of
    /// them.
    pub fn cost(&self, mentions: &[u32]) -> f64 {
        let said = |place: u32| self.costs.get(place as usize).copied().flatten();
        let (tables, columns): (Vec<u32>, Vec<u32>) = mentions
            .iter()
            .partition(|&&place| (place as usize) < self.terms.tables.len());
        let of_tables: Vec<f64> = tables.into_iter().filter_map(said).collect();
        match columns.as_slice() {
            [] if of_tables.is_empty() => 1.0,
            columns => {
                let of_columns = columns.iter().map(|&place| said(place).unwrap_or(1.0));
                of_columns.chain(of_tables).sum()
            }
        }
    }

    /// The shape of a tree.
    pub fn shape<P>(&self, tree: &crate::tree::Tree<Test, P>, weight: impl Fn(&P) -> f64) -> Shape {
        let mut shape = Shape::leaf(f64::INFINITY);
        shape.size = tree.size();
        let mut above: Vec<(usize, f64, Vec<Step>)> = vec![(0, 0.0, Vec::new()); tree.size()];
        for (place, node) in tree.nodes().iter().enumerate() {
            let (depth, spent, path) = std::mem::take(&mut above[place]);
            let Some(split) = &node.split else {
                shape.depth = shape.depth.max(depth);
                shape.cost = shape.cost.max(spent);
                shape.leaf = shape.leaf.min(weight(&node.payload));
                continue;
            };
            let mentions = self.mentions(&path, &split.test);
            mentions
                .iter()
                .for_each(|&place| shape.columns.insert(place));
            let spent = spent + self.cost(&mentions);
            for (branch, &child) in split.children.iter().enumerate() {
                let mut path = path.clone();
                if branch == 0 {
                    path.extend(&split.test.steps);
                }
                above[child as usize] = (depth + 1, spent, path);
            }
        }
        shape
    }
}

/// Where a leaf stands on its path.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// How many tests stand above it.
    pub depth: usize,
    /// What they cost.
    pub spent: f64,
    /// The keys that were followed.
    pub path: Vec<Step>,
    used: Vec<u32>,
}

impl Standing {
    /// Where the child stands for which the test holds, or does not: only there do its keys lead
    /// further.
    pub fn after(&self, limited: &Limited<'_>, test: &Test, holds: bool) -> Self {
        let mentions = limited.mentions(&self.path, test);
        let mut path = self.path.clone();
        if holds {
            path.extend(&test.steps);
        }
        let mut used = self.used.clone();
        used.extend(&mentions);
        Self {
            depth: self.depth + 1,
            spent: self.spent + limited.cost(&mentions),
            path,
            used,
        }
    }

    /// Whether a leaf may be divided at all.
    pub fn may_grow(&self, limited: &Limited<'_>) -> bool {
        let alternatives = limited.constraints.alternatives();
        alternatives
            .iter()
            .any(|limits| limits.depth.is_none_or(|most| self.depth < most))
    }

    /// Whether a leaf may be divided so, as far as can be said without the rest of the tree.
    pub fn allows(&self, limited: &Limited<'_>, candidate: &Candidate) -> bool {
        let mentions = limited.mentions(&self.path, &candidate.test);
        let cost = self.spent + limited.cost(&mentions);
        let alternatives = limited.constraints.alternatives();
        alternatives.iter().any(|limits| {
            mentions.iter().all(|&column| {
                limits.allows(&Growth {
                    depth: self.depth,
                    cost,
                    column,
                    leaf: candidate.lighter,
                    branches: 2,
                })
            })
        })
    }

    /// Whether a test looks at something that must be used and is not yet on the way to here.
    pub fn wanted(&self, limited: &Limited<'_>, test: &Test) -> bool {
        let mentions = limited.mentions(&self.path, test);
        let alternatives = limited.constraints.alternatives();
        mentions.iter().any(|place| {
            !self.used.contains(place)
                && alternatives
                    .iter()
                    .any(|limits| limits.required.contains(*place))
        })
    }
}
