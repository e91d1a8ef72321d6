//! Forests: many trees, each on a sample of the rows, and what the rows left out say of them. The
//! language of their tests leaves what else it likes to chance.

use rayon::prelude::*;

use super::SearchMethod;
use super::constraint::{Constraint, Constraints, Known, Sketch, Sketches};
use super::grow::beam::{BeamSearch, beam};
use super::grow::{GrowthLimits, best_first, depth_first};
use super::language::Language;
use super::model::{Importance, OutOfBag, Report, TargetOf};
use super::response::Answers;
use super::structure::Tree;
use super::watch::Watch;
use kinwood_learning::StopReason;
use kinwood_learning::context::Context;
use kinwood_learning::error::Result;

/// What a forest is to be, whatever its tests are.
#[derive(Clone, Debug)]
pub struct Grove {
    /// How many samples trees are grown on.
    pub trees: usize,
    /// The rows of a tree.
    pub sample: Sample,
    /// `greedy`, `best_first` or `beam`.
    pub search: SearchMethod,
    /// What every tree keeps to.
    pub constraint: Option<Constraint>,
    /// How a beam searches.
    pub beam: BeamSearch,
}

/// What the trees of a forest keep to.
pub struct ForestLimits<T> {
    constraints: Constraints,
    sketch: Sketch<T>,
    watch: Watch,
}

impl<T: Clone + PartialEq> ForestLimits<T> {
    /// From constraints and the sketches of their alternatives. Fails where these contradict each
    /// other, or the language cannot keep to them.
    pub fn new<L: Language<Test = T>>(
        constraints: Constraints,
        sketches: Sketches<T>,
        language: &L,
    ) -> Result<Self> {
        // What is sketched or watched is no matter of alternatives: the settings see to that.
        let sketch = sketches.into_iter().next().flatten();
        let shape = sketch.as_ref().map(|sketch| sketch.shape(language));
        let (Some(sketch), Some(shape)) = (sketch, shape) else {
            let none = Sketch::<T>::Open.shape(language);
            return Err(constraints.unmet(&none, &Known::default()));
        };
        if !constraints.admits(&shape) {
            return Err(constraints.unmet(&shape, &Known::default()));
        }
        let name = |column: u32| constraints.name(column);
        let watch = Watch::new(&constraints.alternatives()[0], language, &name)?;
        Ok(Self {
            constraints,
            sketch,
            watch,
        })
    }
}

/// The rows that a tree is grown on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    /// As many as there are, drawn with repetition.
    Bootstrap,
    /// As large a part, without repetition, as drawing with repetition reaches on average.
    Part,
    /// All.
    All,
}

kinwood_learning::named!(Sample { Bootstrap => "bootstrap", Part => "subsample", All => "all" });

/// The share of rows that drawing with repetition reaches on average.
const REACHED: f64 = 0.632;

/// A forest about to be grown.
pub struct Growing<'a, L: Language> {
    /// What it is to be.
    pub grove: &'a Grove,
    /// What its trees keep to.
    pub limits: &'a ForestLimits<L::Test>,
    /// The language of its tests.
    pub language: &'a L,
    /// The targets.
    pub kinds: &'a [TargetOf],
    /// The root of a tree, by its number and how often each row is in its sample.
    pub root: &'a (dyn Fn(usize, &[u32]) -> L::Region + Sync),
    /// What the trees that did not see a row say of it together, one target after the other;
    /// `None` where all trees saw it.
    pub unseen: &'a Unseen<'a, L::Test>,
    /// What tests may look at: positions and names.
    pub inputs: &'a [(u32, String)],
    /// Threads, time and seed.
    pub context: &'a Context,
}

/// What trees say of the rows that they did not see.
pub type Unseen<'a, T> = dyn Fn(&[Sampled<T>]) -> Vec<Option<Vec<f64>>> + Sync + 'a;

/// Trees with what their nodes say.
pub type Trees<T> = Vec<Tree<T, Answers>>;

/// The trees of one sample, and how often each row is in it.
pub struct Sampled<T> {
    /// The trees.
    pub trees: Vec<Tree<T, Answers>>,
    /// By row.
    pub counts: Vec<u32>,
    evaluated: u64,
    stopped: StopReason,
}

impl<L: Language> Growing<'_, L> {
    /// Grows the trees.
    pub fn run(&self) -> Result<(Trees<L::Test>, Report)> {
        let grove = self.grove;
        let running = self
            .context
            .progress("growing a forest", grove.trees as u64);
        let sampled = |tree: usize| -> Option<Sampled<L::Test>> {
            // The first tree is grown whatever the time: without it there is nothing to return.
            if tree > 0 && self.context.check().is_err() {
                return None;
            }
            let sampled = self.sampled(tree);
            running.advance(1);
            Some(sampled)
        };
        let all: Vec<Sampled<L::Test>> = (0..grove.trees)
            .into_par_iter()
            .filter_map(sampled)
            .collect();
        let cut_short =
            all.len() < grove.trees || all.iter().any(|sampled| sampled.stopped.cut_short());
        if cut_short {
            self.context.cut_short();
        }
        let report = self.report(&all, cut_short);
        let trees = all.into_iter().flat_map(|sampled| sampled.trees);
        Ok((trees.collect(), report))
    }

    /// How often each row is in the sample of a tree.
    fn counts(&self, tree: usize) -> Vec<u32> {
        let rows = self.language.task().view().len();
        let mut random = self.context.generator(&[0x726f_7773, tree as u64]);
        match self.grove.sample {
            Sample::All => vec![1; rows],
            Sample::Bootstrap => {
                let mut counts = vec![0; rows];
                (0..rows).for_each(|_| counts[random.below(rows)] += 1);
                counts
            }
            Sample::Part => {
                let mut order: Vec<usize> = (0..rows).collect();
                random.shuffle(&mut order);
                let size = ((REACHED * rows as f64).round() as usize).max(1);
                let mut counts = vec![0; rows];
                order[..size].iter().for_each(|&row| counts[row] = 1);
                counts
            }
        }
    }

    fn sampled(&self, tree: usize) -> Sampled<L::Test> {
        let counts = self.counts(tree);
        let root = (self.root)(tree, &counts);
        let limits = GrowthLimits {
            constraints: &self.limits.constraints,
            sketch: &self.limits.sketch,
            // A sample may lack the rows that a given test would tell apart.
            skips: true,
            required_first: false,
            watch: &self.limits.watch,
        };
        let (language, context) = (self.language, self.context);
        let single = match self.grove.search {
            SearchMethod::Beam => {
                let found = beam(language, root, &self.grove.beam, &limits, context)
                    .expect("tests that divide nothing are passed over");
                let trees = found.trees.into_iter().map(|(tree, _)| tree);
                return Sampled {
                    trees: trees.collect(),
                    counts,
                    evaluated: found.evaluated,
                    stopped: found.stopped,
                };
            }
            SearchMethod::BestFirst => best_first(language, root, &limits, context),
            _ => depth_first(language, root, &limits, context),
        };
        Sampled {
            trees: vec![single.tree],
            counts,
            evaluated: single.evaluated,
            stopped: single.stopped,
        }
    }

    fn report(&self, all: &[Sampled<L::Test>], cut_short: bool) -> Report {
        let stopped = match cut_short {
            true => all
                .iter()
                .map(|sampled| sampled.stopped)
                .find(|stopped| stopped.cut_short())
                .unwrap_or(StopReason::Time),
            false => StopReason::Complete,
        };
        Report {
            search: self.grove.search,
            evaluated: all.iter().map(|sampled| sampled.evaluated).sum(),
            stopped,
            notes: self.left_out(all).into_iter().collect(),
            out_of_bag: match self.grove.sample {
                Sample::All => Vec::new(),
                _ => self.out_of_bag(all),
            },
            importances: self.importances(all),
            epsilon: None,
            prior: 0.0,
        }
    }

    /// How many trees do not follow the sketch, as their samples lack the rows that it divides.
    fn left_out(&self, all: &[Sampled<L::Test>]) -> Option<String> {
        let sketch = &self.limits.sketch;
        if *sketch == Sketch::Open {
            return None;
        }
        let trees = || all.iter().flat_map(|sampled| &sampled.trees);
        let apart = trees().filter(|tree| !sketch.matches(self.language, tree));
        let (apart, trees) = (apart.count(), trees().count());
        (apart > 0).then(|| {
            format!(
                "in {apart} of {trees} trees a test of the partial tree divides none of their rows: the node stays a leaf"
            )
        })
    }

    /// What the trees that did not see a row say of it together, over all rows that some tree did
    /// not see.
    fn out_of_bag(&self, all: &[Sampled<L::Test>]) -> Vec<OutOfBag> {
        let said = (self.unseen)(all);
        let mut measured = Vec::new();
        let mut from = 0;
        for (target, kind) in self.kinds.iter().enumerate() {
            let (mut error, mut total, mut count) = (0.0, 0.0, 0);
            for (row, said) in said.iter().enumerate() {
                let Some(said) = said else {
                    continue;
                };
                let own = &said[from..from + kind.width()];
                if let Some(loss) = self.loss(target, row, own) {
                    let weight = self.language.row_weight(row as u32);
                    error += weight * loss;
                    total += weight;
                    count += 1;
                }
            }
            from += kind.width();
            let mean = error / f64::max(total, f64::MIN_POSITIVE);
            let (measure, value) = kind.leaf().measured(mean);
            // Squares of the largest numbers exceed what numbers are: then nothing is said.
            if count > 0 && value.is_finite() {
                measured.push(OutOfBag {
                    target: kind.name.clone(),
                    measure: measure.to_owned(),
                    value,
                    rows: count,
                });
            }
        }
        measured
    }

    /// How wrong an answer is for a row, if its target is known.
    fn loss(&self, target: usize, row: usize, said: &[f64]) -> Option<f64> {
        let (known, of) = (&self.language.task().targets()[target], &self.kinds[target]);
        of.leaf().loss_of(&of.kind, known, row, said)
    }

    /// How much each input lets the impurity fall, over all trees; they add up to one. A test that
    /// looks at several counts for the last, a column rather than its table.
    fn importances(&self, all: &[Sampled<L::Test>]) -> Vec<Importance> {
        let mut falls = vec![0.0; self.inputs.len()];
        for tree in all.iter().flat_map(|sampled| &sampled.trees) {
            let impurity = |node: u32| self.language.impurity_behind(&tree.node(node).payload);
            let whole = tree.nodes()[0].payload.weight.max(f64::MIN_POSITIVE);
            let mut paths = vec![L::Path::default(); tree.size()];
            for (node, at) in tree.nodes().iter().enumerate() {
                let Some(split) = &at.split else {
                    continue;
                };
                let path = std::mem::take(&mut paths[node]);
                for (branch, &child) in split.children.iter().enumerate() {
                    paths[child as usize] = self.language.after(&path, &split.test, branch);
                }
                let mentions = self.language.mentioned(&path, &split.test);
                let last = mentions.last().copied().unwrap_or_default();
                let inputs = self.inputs;
                if let Ok(input) = inputs.binary_search_by_key(&last, |input| input.0) {
                    let below: f64 = split.children.iter().map(|&child| impurity(child)).sum();
                    falls[input] += (impurity(node as u32) - below).max(0.0) / whole;
                }
            }
        }
        let total: f64 = falls.iter().sum();
        let named = self.inputs.iter().zip(falls);
        let mut all: Vec<Importance> = named
            .map(|((_, name), fall)| Importance {
                input: name.clone(),
                share: match total > 0.0 && total.is_finite() {
                    true => fall / total,
                    false => 0.0,
                },
            })
            .collect();
        all.sort_by(|a, b| b.share.total_cmp(&a.share));
        all
    }
}

/// The usual number of inputs that a node looks at, of so many.
pub fn usual_inputs(kinds: &[TargetOf], inputs: usize) -> usize {
    let numbers = kinds.iter().all(|kind| kind.kind.is_number());
    match numbers {
        true => inputs.div_ceil(3),
        false => (inputs as f64).sqrt().round().max(1.0) as usize,
    }
}

/// Adds a share of what a node says of every target, one target after the other.
pub fn say(answers: &Answers, share: f64, mut out: &mut [f64]) {
    for answer in &answers.targets {
        let (own, others) = out.split_at_mut(answer.width());
        answer.say(share, own);
        out = others;
    }
}
