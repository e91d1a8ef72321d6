//! Trees whose nodes divide or regress, whichever leaves less: after Mr-SMOTI.
//!
//! A regression fits a straight line on one variable to what is left of the target and passes on
//! what it leaves (A. Appice, M. Ceci, D. Malerba, Mining model trees: a multi-relational approach,
//! ILP 2003). As there, every binding is an example of the line, and an object counts with the mean
//! of its values. A division is judged by what the best line in either child would leave; a
//! regression by what is left once the best division follows. Unlike there, a further variable
//! enters as it is, not less what earlier ones say of it.

use super::RelationalTree;
use super::bags::Bags;
use super::em::significant;
use super::leaf::{Content, Linear, Term, Variable};
use super::propose::{Candidate, Problem};
use super::region::RelationalRegion;
use super::regress::Banned;
use super::relations::{Relations, mentions};
use super::terms::Kind;
use super::test::{Function, Test};
use super::variables::Reader;
use crate::tree::constraint::{Constraints, Limits};
use crate::tree::deviation::Deviation;
use crate::tree::language::Language;
use crate::tree::{Node, Split, Tree};
use kinwood_learning::StopReason;
use kinwood_learning::context::Context;

/// Of the divisions this many are looked at closely: those that are best without lines.
const CLOSELY: usize = 8;
/// The most lines in one node.
const LINES: usize = 8;

/// A node on its way.
struct Open {
    node: usize,
    bags: Bags,
    /// What is left of the target, by object of the bags.
    left: Vec<f64>,
    depth: usize,
}

/// A straight line.
struct Line {
    variable: Variable,
    intercept: f64,
    slope: f64,
    /// The mean of the variable's values.
    mean: f64,
    /// What it leaves, by object.
    left: Vec<f64>,
    /// The sum of the squares of that.
    squares: f64,
}

/// Grows trees that divide and regress.
pub struct Interleaved<'a> {
    /// Inputs, rules and when to stop.
    pub language: &'a Relations<'a, Deviation<'a>>,
    /// What the tree must keep to.
    pub constraints: &'a Constraints,
    /// The level at which a line is significant.
    pub significance: f64,
    /// The most tests from the root to a leaf.
    pub depth: Option<usize>,
    /// The most nodes.
    pub size: Option<usize>,
    /// What no line may be on.
    pub banned: &'a Banned,
    /// Threads and time.
    pub context: &'a Context,
}

impl Interleaved<'_> {
    /// The tree of all objects, whose targets are these numbers; where the work is stopped, what
    /// was not looked at yet is leaves with means.
    pub fn grow(&self, root: Bags, target: Vec<f64>) -> (RelationalTree, StopReason) {
        let problem = self.language.problem;
        let content = |bags: &Bags| {
            let weights = self.language.weights;
            Content::constant(problem.response.answers_of(&bags.objects, weights))
        };
        let mut nodes: Vec<Node<Test, Content>> = vec![Node {
            payload: content(&root),
            split: None,
        }];
        let mut open = vec![Open {
            node: 0,
            bags: root,
            left: target,
            depth: 0,
        }];
        let progress = self.context.progress("growing", 0);
        let mut stopped = None;
        while let Some(mut here) = open.pop() {
            stopped = stopped.or_else(|| StopReason::requested(self.context));
            let mut lines: Vec<Line> = Vec::new();
            let test = loop {
                if stopped.is_some() {
                    break None;
                }
                let line = match lines.len() < LINES {
                    true => self.line(&here.bags, &here.left, &lines),
                    false => None,
                };
                let may = self.divisible(&here.bags)
                    && self.depth.is_none_or(|most| here.depth < most)
                    && self.size.is_none_or(|most| nodes.len() + 2 <= most);
                let split = may.then(|| self.split(&here.bags, &here.left)).flatten();
                match (line, split) {
                    (None, split) => break split.map(|(candidate, _)| candidate.test),
                    (Some(line), split) => {
                        let after = match may {
                            true => self.after(&here.bags, &line),
                            false => self.deviation(&here.bags.objects, &line.left),
                        };
                        if let Some((candidate, score)) = split
                            && score <= after
                        {
                            break Some(candidate.test);
                        }
                        here.left.clone_from(&line.left);
                        lines.push(line);
                    }
                }
            };
            let leaf = test.is_none();
            nodes[here.node].payload.models = vec![self.model(&here, &lines, leaf)];
            if nodes[here.node].payload.models == [None] {
                nodes[here.node].payload.models.clear();
            }
            let Some(test) = test else { continue };
            let values = problem.values;
            let (yes, no) = here.bags.divide(values.view(), values, &test);
            let left = |bags: &Bags| -> Vec<f64> {
                let each = bags.objects.iter();
                each.map(|object| {
                    here.left[here.bags.objects.partition_point(|other| other < object)]
                })
                .collect()
            };
            let children = [nodes.len() as u32, nodes.len() as u32 + 1];
            let weights = [&yes, &no].map(|bags| content(bags).answers.weight);
            nodes[here.node].split = Some(Split {
                test,
                children: children.to_vec(),
                shares: weights
                    .iter()
                    .map(|weight| weight / (weights[0] + weights[1]))
                    .collect(),
            });
            for bags in [&yes, &no] {
                nodes.push(Node {
                    payload: content(bags),
                    split: None,
                });
            }
            progress.advance(1);
            for (bags, child) in [(no, children[1]), (yes, children[0])] {
                open.push(Open {
                    node: child as usize,
                    left: left(&bags),
                    bags,
                    depth: here.depth + 1,
                });
            }
        }
        let stopped = stopped.unwrap_or(StopReason::Complete);
        (Tree::arranged(nodes), stopped)
    }

    /// The lines of a node and, of a leaf, the mean of what they leave.
    fn model(&self, here: &Open, lines: &[Line], leaf: bool) -> Option<Linear> {
        let weight = |object: u32| self.language.weights[object as usize];
        let total: f64 = here.bags.objects.iter().map(|&object| weight(object)).sum();
        let each = || here.bags.objects.iter().zip(&here.left);
        let mean = match leaf {
            true => {
                each()
                    .map(|(&object, left)| weight(object) * left)
                    .sum::<f64>()
                    / total
            }
            false => 0.0,
        };
        if !leaf && lines.is_empty() {
            return None;
        }
        let terms = lines.iter().map(|line| Term {
            variable: line.variable,
            coefficient: line.slope,
            otherwise: line.mean,
        });
        Some(Linear {
            beyond: Vec::new(),
            intercept: mean + lines.iter().map(|line| line.intercept).sum::<f64>(),
            terms: terms.collect(),
            primary: Vec::new(),
            range: None,
            squares: each()
                .map(|(&object, left)| weight(object) * (left - mean).powi(2))
                .sum(),
        })
    }

    fn deviation(&self, objects: &[u32], left: &[f64]) -> f64 {
        let weight = |object: &u32| self.language.weights[*object as usize];
        let total: f64 = objects.iter().map(weight).sum();
        let each = || objects.iter().zip(left);
        let mean = each()
            .map(|(object, left)| weight(object) * left)
            .sum::<f64>()
            / total.max(f64::MIN_POSITIVE);
        let squares: f64 = each()
            .map(|(object, left)| weight(object) * (left - mean).powi(2))
            .sum();
        (squares * total).sqrt()
    }

    /// The division after which the best lines of the children leave least, and how much.
    fn split(&self, bags: &Bags, left: &[f64]) -> Option<(Candidate, f64)> {
        let problem = self.language.problem;
        let mut candidates = self.candidates(bags, left);
        candidates.sort_by(|a, b| a.score.total_cmp(&b.score));
        candidates.truncate(CLOSELY);
        let mut best: Option<(Candidate, f64)> = None;
        for candidate in candidates {
            let (yes, no) = bags.divide(problem.values.view(), problem.values, &candidate.test);
            let child = |child: &Bags| {
                let each = child.objects.iter();
                let own: Vec<f64> = each
                    .map(|object| left[bags.objects.partition_point(|other| other < object)])
                    .collect();
                match self.line(child, &own, &[]) {
                    Some(line) => self.deviation(&child.objects, &line.left),
                    None => self.deviation(&child.objects, &own),
                }
            };
            let score = child(&yes) + child(&no);
            if best
                .as_ref()
                .is_none_or(|best| score < best.1 * (1.0 - 1e-12))
            {
                best = Some((candidate, score));
            }
        }
        best
    }

    /// What is left if a division follows a line.
    fn after(&self, bags: &Bags, line: &Line) -> f64 {
        let own = self.deviation(&bags.objects, &line.left);
        let candidates = self.candidates(bags, &line.left);
        candidates
            .iter()
            .map(|candidate| candidate.score)
            .fold(own, f64::min)
    }

    fn candidates(&self, bags: &Bags, left: &[f64]) -> Vec<Candidate> {
        let problem = self.language.problem;
        let mut numbers = vec![0.0; self.language.weights.len()];
        for (&object, &left) in bags.objects.iter().zip(left) {
            numbers[object as usize] = left;
        }
        let response = problem.response.with_numbers(numbers);
        let inner = Problem {
            response: &response,
            ..*problem
        };
        let language = Relations {
            problem: &inner,
            ..*self.language
        };
        let region = self.region(bags, &response);
        let alternatives = self.constraints.alternatives();
        let mut candidates = language.candidates(&region);
        candidates.retain(|candidate| {
            let mentions = mentions(problem.terms, &bags.steps, &candidate.test);
            let free =
                |limits: &Limits| !mentions.iter().any(|&place| limits.banned.contains(place));
            alternatives.iter().any(free)
        });
        candidates
    }

    fn region<'r>(&self, bags: &Bags, response: &Deviation<'r>) -> RelationalRegion<Deviation<'r>> {
        let weight = |&object: &u32| self.language.weights[object as usize];
        let weights = bags.objects.iter().map(weight).collect();
        RelationalRegion::new(bags.clone(), weights, response)
    }

    fn divisible(&self, bags: &Bags) -> bool {
        let region = self.region(bags, self.language.problem.response);
        self.language.divisible(&region)
    }

    /// The line that leaves least, if it is significant and on a variable that has none yet.
    fn line(&self, bags: &Bags, left: &[f64], taken: &[Line]) -> Option<Line> {
        let problem = self.language.problem;
        let reader = Reader {
            bags,
            terms: problem.terms,
            values: problem.values,
        };
        let objects = bags.objects.len();
        if objects < 3 {
            return None;
        }
        let weight = |place: usize| self.language.weights[bags.objects[place] as usize];
        let total: f64 = (0..objects).map(weight).sum();
        let mean_left = (0..objects)
            .map(|place| weight(place) * left[place])
            .sum::<f64>()
            / total;
        let before: f64 = (0..objects)
            .map(|place| weight(place) * (left[place] - mean_left).powi(2))
            .sum();
        let mut best: Option<Line> = None;
        for occurrence in 0..bags.occurrences.len() as u32 {
            let table = problem.terms.table_of(&bags.steps, occurrence);
            for (column, of) in problem.terms.inputs(table) {
                let variable = match (&of.kind, occurrence) {
                    (Kind::Number | Kind::Moment, 0) => Variable::Value { occurrence, column },
                    (Kind::Number | Kind::Moment, _) => Variable::Aggregate {
                        occurrence,
                        column,
                        function: Function::Mean,
                    },
                    _ => continue,
                };
                if taken.iter().any(|line| line.variable == variable)
                    || !self.banned.allows(table, column)
                {
                    continue;
                }
                let numbers = problem.values.numbers(table, column);
                let slots = &bags.occurrences[occurrence as usize];
                // Every binding is an example.
                let (mut count, mut sum_x, mut sum_y, mut squares, mut products) =
                    (0.0, 0.0, 0.0, 0.0, 0.0);
                let centre = slots.rows.first().map_or(0.0, |&row| numbers.get(row));
                let centre = if centre.is_nan() { 0.0 } else { centre };
                for (slot, &row) in slots.rows.iter().enumerate() {
                    let place = slots.objects[slot] as usize;
                    let x = numbers.get(row) - centre;
                    if !x.is_nan() {
                        let weight = weight(place);
                        count += weight;
                        sum_x += weight * x;
                        sum_y += weight * left[place];
                        squares += weight * x * x;
                        products += weight * x * left[place];
                    }
                }
                let spread = squares - sum_x * sum_x / f64::max(count, f64::MIN_POSITIVE);
                if count <= 0.0 || spread <= 1e-12 * squares || spread <= 0.0 {
                    continue;
                }
                let slope = (products - sum_x * sum_y / count) / spread;
                let mean = sum_x / count + centre;
                let intercept = sum_y / count - slope * mean;
                let own = reader.numbers(variable);
                let after: Vec<f64> = own
                    .iter()
                    .zip(left)
                    .map(|(&x, left)| left - intercept - slope * if x.is_nan() { mean } else { x })
                    .collect();
                let squares: f64 = (0..objects)
                    .map(|place| weight(place) * after[place].powi(2))
                    .sum();
                if best
                    .as_ref()
                    .is_none_or(|best| squares < best.squares * (1.0 - 1e-12))
                {
                    best = Some(Line {
                        variable,
                        intercept,
                        slope,
                        mean,
                        left: after,
                        squares,
                    });
                }
            }
        }
        best.filter(|line| significant(before, line.squares, objects - 2, self.significance))
    }
}
