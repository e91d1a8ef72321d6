//! Trees and forests on a database: their tests follow foreign keys, as those of `mirt` do, and
//! their leaves are constants.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use kinwood_similarity::Expression;
use kinwood_values::View;
use rayon::prelude::*;

use super::choices::{MissingBranch, NodeInputs, Threshold};
use super::structured::Structured;
use crate::mirt::MirtModel;
use crate::mirt::fit::{costs, note_left_out};
use crate::mirt::leaf::Content;
use crate::mirt::propose::{Chance, Part, Problem, Rules};
use crate::mirt::prototypes::{PoolRules, pools};
use crate::mirt::relations::{Relations, Stop, TEST_REACH, attributes};
use crate::mirt::sketch;
use crate::mirt::terms::Terms;
use crate::mirt::test::Test;
use crate::mirt::values::Values;
use crate::tree::constraint::{Constraints, Input, Limits};
use crate::tree::deviation::{Deviation, SpreadMeasure, TargetScales};
use crate::tree::fit::sketch_text;
use crate::tree::forest::{ForestLimits, Grove, Growing, Sampled, say};
use crate::tree::heuristic::Heuristic;
use crate::tree::language::Language;
use crate::tree::respond::{Grades, weights};
use crate::tree::response::Impurity;
use crate::tree::tree_search::{SearchPlan, TreeSearch};
use crate::tree::{Along, Member};
use crate::tree::{Answers, Combine, Report, TargetOf, Tree};
use kinwood_learning::context::Context;
use kinwood_learning::error::Result;
use kinwood_learning::task::Task;

/// Prototypes of a structured column that tests may ask to be near of.
const PROTOTYPES: usize = 8;

/// Whether keys lead from the rows of a view to others, so that tests can follow them.
pub fn is_linked(view: &View) -> bool {
    let own = view.table_position();
    let mut keys = view.database().foreign_keys().iter();
    keys.any(|key| key.from == own || key.to == own)
}

/// What trees on a database are to be.
pub struct LinkedPlan<'a> {
    /// The most keys that one test follows.
    pub follow: usize,
    /// The least weight of a leaf.
    pub leaf: f64,
    /// What makes a test good.
    pub heuristic: Heuristic,
    /// What tests cost, by name.
    pub costs: &'a BTreeMap<String, f64>,
    /// How several trees answer.
    pub combine: Combine,
    /// How the nodes of a path predict together.
    pub along: Along,
    /// Settings of tests on columns that are given and that tests over keys do without.
    pub unused: Vec<&'static str>,
    /// How structured columns are tested.
    pub structured: Structured,
    /// One search, or many trees.
    pub grown: Grown<'a>,
}

/// Which of the settings of tests on columns are not as they are by default.
pub fn unused(subsets: bool, threshold: Threshold, missing: MissingBranch) -> Vec<&'static str> {
    let given = [
        ("subsets", !subsets),
        ("threshold", threshold != Threshold::Middle),
        ("missing", missing != MissingBranch::Divide),
    ];
    let given = given.into_iter().filter(|(_, given)| *given);
    given.map(|(name, _)| name).collect()
}

/// How trees come about.
pub enum Grown<'a> {
    /// By one search.
    Search(&'a SearchPlan),
    /// Each on a sample of the rows.
    Forest {
        /// How many, on which rows.
        grove: &'a Grove,
        /// How many of the tests' subjects a node looks at.
        subjects: NodeInputs,
        /// Whether thresholds and subsets are drawn.
        drawn: bool,
    },
}

/// The trees of a task.
pub fn fitted(
    plan: &LinkedPlan<'_>,
    task: &Task,
    kinds: &[TargetOf],
    grades: &Grades<'_>,
    context: &Context,
) -> Result<MirtModel> {
    let view = task.view();
    let mut terms = Terms::of(view, kinds.to_vec(), Vec::new());
    let distance: Expression = "default".parse()?;
    let rules = PoolRules {
        prototypes: PROTOTYPES,
        distance: &distance,
        contents: plan.structured.contents(),
        both: plan.structured.prototypes(),
    };
    terms.pools = pools(view, &terms, &rules, context)?;
    let fit = Fit {
        plan,
        task,
        terms: &terms,
        kinds,
        context,
    };
    let (trees, report) = fit.trees(grades)?;
    let members = trees.into_iter().map(|(tree, score)| Member {
        tree: Arc::new(tree.map(Content::constant)),
        score,
    });
    let members = members.collect();
    let model = MirtModel::new(terms, members, plan.combine, plan.along, report);
    if model.report().stopped.cut_short() {
        context.cut_short();
    }
    Ok(model)
}

struct Fit<'a> {
    plan: &'a LinkedPlan<'a>,
    task: &'a Task,
    terms: &'a Terms,
    kinds: &'a [TargetOf],
    context: &'a Context,
}

/// Trees with their scores, where a search gave them any.
type Found = Vec<(Tree<Test, Answers>, Option<f64>)>;

impl Fit<'_> {
    fn trees(&self, grades: &Grades<'_>) -> Result<(Found, Report)> {
        let view = self.task.view();
        let values = Values::new(view, &self.terms.pools)?;
        let weights = weights(self.task, self.kinds, grades)?;
        let weights = weights.unwrap_or_else(|| vec![1.0; view.len()]);
        let measure = match grades.impurity {
            None | Some(Impurity::Entropy) => SpreadMeasure::Entropy,
            Some(Impurity::Gini) => SpreadMeasure::Variance,
        };
        let counts = TargetScales {
            targets: grades.target_weights.clone(),
            below: Some(grades.hierarchy_weight),
        };
        let response = Deviation::new(self.task, self.kinds, &weights, measure, &counts)?;
        let named = attributes(self.terms);
        let costs = costs(self.plan.costs, &named)?;
        let constraints = self.constraints(&named, &costs)?;
        let least = constraints.alternatives().iter().map(Limits::least_leaf);
        let leaf = self.plan.leaf.max(least.fold(f64::INFINITY, f64::min));
        let rules = self.rules(leaf);
        let problem = Problem {
            terms: self.terms,
            values: &values,
            response: &response,
            rules: &rules,
            left_out: &AtomicU64::new(0),
        };
        let language = Relations {
            problem: &problem,
            task: self.task,
            weights: &weights,
            stop: Stop {
                objects: 1.0,
                determined: f64::INFINITY,
            },
            heuristic: Some(self.plan.heuristic),
            costs: &costs,
        };
        let read = |file: &str| sketch::read(&sketch_text(file)?, file, self.terms);
        let sketches = constraints.sketches(read)?;
        let (found, mut report) = match &self.plan.grown {
            Grown::Search(search) => {
                let context = self.context;
                let search = TreeSearch::new(search, &language, &constraints, sketches, context)?;
                let (trees, report) = search.run()?;
                let scored = trees.into_iter().map(|(tree, score)| (tree, Some(score)));
                (scored.collect(), report)
            }
            Grown::Forest { grove, .. } => {
                let limits = ForestLimits::new(constraints, sketches, &language)?;
                self.forest(grove, &limits, &language, &named)?
            }
        };
        note_left_out(&problem, &mut report);
        if !self.plan.unused.is_empty() {
            report.notes.push(format!(
                "tests that follow keys do without {}: a threshold is a value of the data, labels are divided by subsets, and what is missing satisfies no condition",
                self.plan.unused.join(", ")
            ));
        }
        Ok((found, report))
    }

    fn constraints(&self, named: &[Input], costs: &[Option<f64>]) -> Result<Constraints> {
        let constraint = match &self.plan.grown {
            Grown::Search(search) => &search.constraint,
            Grown::Forest { grove, .. } => &grove.constraint,
        };
        let Some(constraint) = constraint else {
            return Ok(Constraints::default());
        };
        let least: Vec<f64> = costs.iter().map(|cost| cost.unwrap_or(0.0)).collect();
        Constraints::new(constraint, named, &least, TEST_REACH)
    }

    fn rules(&self, leaf: f64) -> Rules {
        let rows = self.task.view().database().tables().iter();
        let rows: usize = rows.map(|table| table.rows()).sum();
        let usual = (20 * rows).max(1_000_000);
        // A slot takes twelve bytes; several ways are looked at side by side, each with its marks.
        let room = self.context.memory();
        let room = room.map_or(usize::MAX, |memory| (memory / 128) as usize);
        Rules {
            keys: self.plan.follow,
            combined: true,
            at_least: true,
            counts: true,
            every: false,
            aggregates: true,
            leaf,
            most: usual.min(room),
            corrected: self.plan.structured.corrected,
            items: self.plan.structured.of_columns().items(),
            chance: match self.plan.grown {
                Grown::Search(_) => None,
                Grown::Forest {
                    subjects, drawn, ..
                } => Some(Chance {
                    subjects: match subjects {
                        NodeInputs::Auto if self.numbers() => Part::Third,
                        NodeInputs::Auto => Part::Root,
                        NodeInputs::All => Part::Number(usize::MAX),
                        NodeInputs::Number(count) => Part::Number(count),
                    },
                    tests: drawn,
                    seed: self.context.seed(),
                }),
            },
        }
    }

    fn numbers(&self) -> bool {
        let mut kinds = self.kinds.iter();
        kinds.all(|kind| kind.kind.is_number())
    }

    fn forest(
        &self,
        grove: &Grove,
        limits: &ForestLimits<Test>,
        language: &Relations<'_, Deviation<'_>>,
        named: &[Input],
    ) -> Result<(Found, Report)> {
        let width: usize = self.kinds.iter().map(TargetOf::width).sum();
        let mut inputs: Vec<(u32, String)> = named
            .iter()
            .map(|input| (input.position, input.name.clone()))
            .collect();
        // A column that goes by its name alone too is listed by its full name, which comes first.
        inputs.sort_by_key(|input| input.0);
        inputs.dedup_by_key(|input| input.0);
        let growing = Growing {
            grove,
            limits,
            language,
            kinds: self.kinds,
            root: &|tree: usize, counts: &[u32]| language.sampled(tree, counts),
            unseen: &|all: &[Sampled<Test>]| unseen(language, all, width),
            inputs: &inputs,
            context: self.context,
        };
        let (trees, mut report) = growing.run()?;
        report
            .importances
            .retain(|importance| importance.share > 0.0);
        Ok((trees.into_iter().map(|tree| (tree, None)).collect(), report))
    }
}

/// What the trees that did not see an object say of it together; `None` where all trees saw it.
fn unseen<L: Language>(
    language: &L,
    all: &[Sampled<L::Test>],
    width: usize,
) -> Vec<Option<Vec<f64>>> {
    let total = language.task().view().len();
    let of_sample = |sampled: &Sampled<L::Test>| {
        let unseen = (0..total as u32).filter(|&row| sampled.counts[row as usize] == 0);
        let unseen: Vec<(u32, f64)> = unseen.map(|row| (row, 1.0)).collect();
        let mut answers: Vec<(u32, Vec<f64>)> = Vec::new();
        for tree in &sampled.trees {
            let routed = language.route(tree, unseen.clone(), false);
            for (rows, node) in routed.rows.iter().zip(tree.nodes()) {
                if node.split.is_none() {
                    for &(row, share) in rows {
                        let mut own = vec![0.0; width];
                        say(&node.payload, share, &mut own);
                        answers.push((row, own));
                    }
                }
            }
        }
        answers
    };
    let each: Vec<Vec<(u32, Vec<f64>)>> = all.par_iter().map(of_sample).collect();
    let mut sums: Vec<Option<(f64, Vec<f64>)>> = vec![None; total];
    for (row, own) in each.into_iter().flatten() {
        let (trees, sum) = sums[row as usize].get_or_insert_with(|| (0.0, vec![0.0; width]));
        *trees += 1.0;
        sum.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
    }
    let mean = |(trees, sum): (f64, Vec<f64>)| sum.into_iter().map(|sum| sum / trees).collect();
    sums.into_iter().map(|sum| sum.map(mean)).collect()
}
