//! The learner `forest`: its settings, and what they mean for its trees.

use std::collections::BTreeMap;

use kinwood_similarity::Expression;

use super::choices::{Attraction, Criterion, MissingBranch, NodeInputs, Threshold};
use super::grading::{Grading, TargetWeights};
use super::linked::{Grown, LinkedPlan, fitted as linked_forest, is_linked, unused};
use super::parameters::*;
use super::structured::{CORRECTED, LABELS, STOP_WORDS, STRUCTURED, Structured, StructuredKind};
use super::{
    check_limits, check_number, constraint, follows_links, links_followed, load, looks, prototypes,
    written,
};
use crate::tree::SearchMethod;
use crate::tree::amounts::{amounts, check_amounts};
use crate::tree::constraint::{Atom, Constraint};
use crate::tree::flat_forest::{FlatGrove, grown};
use crate::tree::forest::{Grove, Sample};
use crate::tree::grow::beam::BeamSearch;
use crate::tree::propose::Prototypes;
use crate::tree::response::PREDICTED;
use crate::tree::{Along, Combine, Report, TreeModel};
use kinwood_learning::context::Context;
use kinwood_learning::entry::Entry;
use kinwood_learning::error::{Error, Result};
use kinwood_learning::flatten::FLATTEN_BY_DEFAULT;
use kinwood_learning::model::{Learner, Model};
use kinwood_learning::named;
use kinwood_learning::rows::follows;
use kinwood_learning::settings::{Allowed, Parameter, Preset, Settings};
use kinwood_learning::task::Task;

/// The registry's entry.
pub const FOREST: Entry = Entry {
    name: "forest",
    summary: "Grows many trees, each on rows and columns drawn at random, and answers by all of them together.",
    reference: "Breiman, Random forests, Machine Learning 45, 2001; Geurts, Ernst and Wehenkel, Extremely randomized trees, Machine Learning 63, 2006; Lucas et al., Proximity Forest, Data Mining and Knowledge Discovery 33, 2019",
    targets: PREDICTED,
    several_targets: true,
    follows_keys: |settings| {
        let tests = settings.word("tests", ForestTests::named);
        let sought = matches!(tests, ForestTests::Best | ForestTests::Drawn);
        let linked = follows_links(settings) && sought && settings.real("space") >= 1.0;
        linked || follows(settings, "keys")
    },
    flat: true,
    parameters: &[
        Parameter {
            name: "preset",
            doc: "What is drawn: rows and the columns of each node (random; paper for no more than Breiman has), rows alone (bagging), thresholds too (extra), the columns of each tree (subspaces), prototypes (proximity), their distances too (proximity2), or nothing, the trees being those of a beam (beam); settings given beside it win.",
            allowed: Allowed::Preset(&[
                Preset {
                    name: "random",
                    settings: &[],
                },
                Preset {
                    name: "paper",
                    settings: &[("missing", "divide"), ("prior", "0")],
                },
                Preset {
                    name: "bagging",
                    settings: &[("missing", "divide"), ("prior", "0"), ("inputs", "all")],
                },
                Preset {
                    name: "extra",
                    settings: &[
                        ("missing", "divide"),
                        ("prior", "0"),
                        ("sample", "all"),
                        ("tests", "drawn"),
                    ],
                },
                Preset {
                    name: "subspaces",
                    settings: &[
                        ("missing", "divide"),
                        ("prior", "0"),
                        ("sample", "all"),
                        ("inputs", "all"),
                        ("space", "0.5"),
                    ],
                },
                Preset {
                    name: "proximity",
                    settings: &[
                        ("missing", "divide"),
                        ("prior", "0"),
                        ("sample", "all"),
                        ("tests", "drawn_prototypes"),
                        ("prototypes", "all"),
                        ("keys", "1"),
                        ("structured", "prototypes"),
                        ("corrected", "false"),
                    ],
                },
                Preset {
                    name: "proximity2",
                    settings: &[
                        ("missing", "divide"),
                        ("prior", "0"),
                        ("sample", "all"),
                        ("tests", "drawn_prototypes"),
                        ("prototypes", "all"),
                        ("distances", "several"),
                        ("keys", "1"),
                        ("structured", "prototypes"),
                        ("corrected", "false"),
                    ],
                },
                Preset {
                    name: "beam",
                    settings: &[
                        ("missing", "divide"),
                        ("prior", "0"),
                        ("trees", "1"),
                        ("sample", "all"),
                        ("inputs", "all"),
                        ("search", "beam"),
                        ("size", "51"),
                    ],
                },
            ]),
            default: "random",
        },
        Parameter {
            name: "trees",
            doc: "How many samples of the rows a tree is grown on, or with search=beam the trees of a beam.",
            allowed: Allowed::Whole {
                least: 1,
                most: 100_000,
            },
            default: "100",
        },
        Parameter {
            name: "sample",
            doc: "The rows of a tree: as many as there are, drawn with repetition (bootstrap), 63.2 percent of them (subsample), or all.",
            allowed: Allowed::Choice(Sample::NAMES),
            default: "bootstrap",
        },
        Parameter {
            name: "inputs",
            doc: "How many columns a node looks at, drawn anew in each: a number, all, or by default the root of their number for classes and a third of it for numbers.",
            allowed: Allowed::WholeOr {
                least: 1,
                words: &["auto", "all"],
            },
            default: "auto",
        },
        Parameter {
            name: "space",
            doc: "The share of the columns that a tree may use, drawn for each tree.",
            allowed: Allowed::Real {
                least: 1e-6,
                most: 1.0,
            },
            default: "1",
        },
        Parameter {
            name: "tests",
            doc: "Thresholds and subsets are sought (best) or drawn at random (drawn), structured columns being tested as `structured` says; or prototypes are sought for all columns (prototypes), or drawn for all (drawn_prototypes).",
            allowed: Allowed::Choice(ForestTests::NAMES),
            default: "best",
        },
        Parameter {
            name: "draws",
            doc: "How often prototypes are drawn in a node, the best draw being taken.",
            allowed: Allowed::Whole {
                least: 1,
                most: 10_000,
            },
            default: "5",
        },
        Parameter {
            name: "distances",
            doc: "Whether drawn prototypes of series, collections of labels and strings are compared by the distance of their column (one), or by one that is drawn with its settings each time (several).",
            allowed: Allowed::Choice(&["one", "several"]),
            default: "one",
        },
        SEARCH,
        HEURISTIC,
        Parameter {
            default: "1",
            ..LEAF
        },
        Parameter {
            doc: "The most nodes of a tree, leaves included, or `none`; with search=best_first or beam.",
            ..SIZE
        },
        DEPTH,
        Parameter {
            doc: "What every tree must keep to, such as `depth <= 4 or cost <= 2.5`, `leaf >= 5`, `not uses(age)`, `monotone(age, up)`, `like(FILE)`.",
            ..CONSTRAINTS
        },
        COSTS,
        SUBSETS,
        THRESHOLD,
        Parameter {
            default: "largest",
            ..MISSING
        },
        FOLLOW,
        DISTANCE,
        KEYS,
        PROTOTYPES,
        ATTRACTION,
        STRUCTURED,
        LABELS,
        STOP_WORDS,
        CORRECTED,
        WIDTH,
        ALPHA,
        BETA,
        SIMILARITY,
        MARGIN,
        EPSILON,
        Parameter {
            doc: "How the trees predict: by the average of their answers, or by vote.",
            allowed: Allowed::Choice(&["average", "vote"]),
            default: "average",
            ..COMBINE
        },
        Parameter {
            name: "prior",
            doc: "With combine=average, how many votes even probabilities have beside those of the trees: no class or label that some row may have is impossible.",
            allowed: Allowed::NotNegative,
            default: "1",
        },
        CLASS_WEIGHTS,
        TARGET_WEIGHTS,
        HIERARCHY_WEIGHT,
        FLATTEN_BY_DEFAULT,
    ],
    build: |settings| Ok(Box::new(Forest::read(settings)?)),
    load,
};

/// Whether the tests of a forest are sought or drawn, and on what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForestTests {
    /// Thresholds and subsets are sought, and prototypes for structured columns alone.
    Best,
    /// Thresholds and subsets are drawn, and prototypes for structured columns alone.
    Drawn,
    /// Prototypes are sought for all columns.
    Prototypes,
    /// Prototypes are drawn for all columns.
    DrawnPrototypes,
}

named!(ForestTests {
    Best => "best",
    Drawn => "drawn",
    Prototypes => "prototypes",
    DrawnPrototypes => "drawn_prototypes",
});

/// Many trees, each on rows and columns drawn at random, that answer together.
#[derive(Clone, Debug, PartialEq)]
pub struct Forest {
    /// How many samples of the rows a tree is grown on, or with [`SearchMethod::Beam`] the trees of
    /// a beam: 100 by default.
    pub trees: usize,
    /// The rows of a tree: as many as there are, drawn with repetition, by default.
    pub sample: Sample,
    /// How many columns a node looks at, drawn anew in each.
    pub inputs: NodeInputs,
    /// The share of the columns that a tree may use, drawn for each tree: 1 by default.
    pub space: f64,
    /// Whether tests are sought or drawn, and on what.
    pub tests: ForestTests,
    /// How often prototypes are drawn in a node, the best draw being taken: 5 by default.
    pub draws: usize,
    /// Whether each draw of prototypes draws a distance too, of those for the type of the column;
    /// the column's own by default.
    pub several_distances: bool,
    /// How trees are sought: node by node by default.
    pub search: SearchMethod,
    /// What makes a test good; by default the gain in information for a class, else the fall of the
    /// variance.
    pub heuristic: Option<Criterion>,
    /// The least number of examples in a leaf, from 0.000001: 1 by default.
    pub leaf: f64,
    /// The most nodes of a tree, leaves included; not with [`SearchMethod::Greedy`].
    pub size: Option<usize>,
    /// The most tests from the root to a leaf.
    pub depth: Option<usize>,
    /// What every tree must keep to besides: conditions that hold as it grows, not those that only
    /// the whole tree can tell.
    pub constraints: Option<Constraint>,
    /// What a test on a column costs, by name; 1 for the others.
    pub costs: BTreeMap<String, f64>,
    /// Whether labels are divided by subsets (the default), or by one label against the others.
    pub subsets: bool,
    /// Where a threshold lies: midway by default.
    pub threshold: Threshold,
    /// Where a row goes whose value a test needs and does not have: into every branch by default.
    pub missing: MissingBranch,
    /// On a database, the most foreign keys that one test follows to linked rows, up to 4: 2 by
    /// default, unless rows are compared over [`keys`](Self::keys), tests are by prototypes or
    /// trees have a [`space`](Self::space) of columns.
    pub follow: usize,
    /// How far values are apart, of which each column's part is taken: `mean` by default.
    pub distance: Expression,
    /// How many foreign keys away rows are compared, up to 8: 0 by default.
    pub keys: usize,
    /// The most prototypes of a test, from 2 (the default); `None` for as many as there are
    /// classes.
    pub prototypes: Option<usize>,
    /// Which prototype attracts a value: the nearest by default.
    pub attraction: Attraction,
    /// How structured columns are tested, unless [`tests`](Self::tests) asks for prototypes of all.
    pub structured: Structured,
    /// How [`SearchMethod::Beam`] searches.
    pub beam: BeamSearch,
    /// How the trees predict: by the average of their answers (the default), or by vote.
    pub combine: Combine,
    /// How many votes even probabilities have beside those of the trees: 1 by default.
    pub prior: f64,
    /// How much the examples of a class count, by label; 1 for the others.
    pub class_weights: BTreeMap<String, f64>,
    /// How much each of several targets counts.
    pub target_weights: TargetWeights,
    /// In a hierarchy, what a label counts relative to the one above it, up to 1: 0.75 by default.
    pub hierarchy_weight: f64,
}

impl Default for Forest {
    fn default() -> Self {
        Self::read(&FOREST.defaults()).expect("the defaults are settings")
    }
}

impl Forest {
    /// As the settings of the registry's entry have it.
    pub fn read(settings: &Settings) -> Result<Self> {
        let learner = Self {
            trees: settings.whole("trees"),
            sample: settings.word("sample", Sample::named),
            inputs: match settings.text("inputs") {
                "auto" => NodeInputs::Auto,
                "all" => NodeInputs::All,
                _ => NodeInputs::Number(settings.whole("inputs")),
            },
            space: settings.real("space"),
            tests: settings.word("tests", ForestTests::named),
            draws: settings.whole("draws"),
            several_distances: settings.text("distances") == "several",
            search: SearchMethod::read(settings),
            heuristic: Criterion::named(settings.text("heuristic")),
            leaf: settings.real("leaf"),
            size: settings.number("size"),
            depth: settings.number("depth"),
            constraints: written(settings)?,
            costs: amounts(settings, "costs")?,
            subsets: settings.flag("subsets"),
            threshold: settings.word("threshold", Threshold::named),
            missing: settings.word("missing", MissingBranch::named),
            follow: settings.whole("follow"),
            distance: settings.text("distance").parse()?,
            keys: settings.whole("keys"),
            prototypes: settings.number("prototypes"),
            attraction: settings.word("attraction", Attraction::named),
            structured: Structured::read(settings),
            beam: BeamSearch::read(settings),
            combine: settings.word("combine", Combine::named),
            prior: settings.real("prior"),
            class_weights: amounts(settings, "class_weights")?,
            target_weights: TargetWeights::read(settings)?,
            hierarchy_weight: settings.real("hierarchy_weight"),
        };
        match learner.check() {
            Ok(()) => Ok(learner),
            Err(error) => Err(settings.as_written(error)),
        }
    }

    /// Fails on settings that are out of range or do not go together.
    fn check(&self) -> Result<()> {
        FOREST.check("search", self.search)?;
        FOREST.check("combine", self.combine.name())?;
        FOREST.check("prior", self.prior)?;
        check_limits(&FOREST, self.size, self.depth, self.constraints.as_ref())?;
        if let Some(constraint) = &self.constraints {
            self.check_constraint(constraint, false)?;
        }
        if let Some(size) = self.size
            && self.search == SearchMethod::Greedy
        {
            return Err(Error::SettingValue {
                name: "size".to_owned(),
                value: size.to_string(),
                expected: "none with search=greedy; best_first and beam keep to a size".to_owned(),
                nearest: None,
            });
        }
        if self.search == SearchMethod::Beam && self.sample != Sample::All {
            return Err(Error::SettingValue {
                name: "sample".to_owned(),
                value: self.sample.name().to_owned(),
                expected: "all with search=beam".to_owned(),
                nearest: None,
            });
        }
        FOREST.check("trees", self.trees)?;
        if let NodeInputs::Number(inputs) = self.inputs {
            FOREST.check("inputs", inputs)?;
        }
        FOREST.check("space", self.space)?;
        FOREST.check("draws", self.draws)?;
        FOREST.check("leaf", self.leaf)?;
        FOREST.check("follow", self.follow)?;
        FOREST.check("keys", self.keys)?;
        FOREST.check("hierarchy_weight", self.hierarchy_weight)?;
        check_number(&FOREST, "prototypes", self.prototypes)?;
        self.structured.check(&FOREST)?;
        self.beam.check(&FOREST)?;
        check_amounts("class_weights", &self.class_weights)?;
        check_amounts("costs", &self.costs)?;
        self.target_weights.check()
    }

    /// Fails on a constraint that is not kept to while a tree grows: none is grown again because it
    /// came out otherwise.
    fn check_constraint(&self, constraint: &Constraint, alternative: bool) -> Result<()> {
        let refuse = |atom: &Atom, expected: &str| {
            Err(Error::SettingValue {
                name: "constraints".to_owned(),
                value: atom.to_string(),
                expected: expected.to_owned(),
                nearest: None,
            })
        };
        let atom = match constraint {
            Constraint::Atom(atom) => atom,
            Constraint::All(parts) => {
                let mut parts = parts.iter();
                return parts.try_for_each(|part| self.check_constraint(part, alternative));
            }
            Constraint::Any(parts) => {
                let mut parts = parts.iter();
                return parts.try_for_each(|part| self.check_constraint(part, true));
            }
        };
        match atom {
            Atom::Size(_) if self.search == SearchMethod::Greedy => refuse(
                atom,
                "no size with search=greedy; best_first and beam keep to a size",
            ),
            Atom::Monotone { .. } if self.combine == Combine::Vote => {
                refuse(atom, "combine=average beside it: votes are not monotone")
            }
            Atom::Like(_) | Atom::Monotone { .. } if alternative => {
                refuse(atom, "no `or` above it: all trees of a forest begin alike")
            }
            Atom::Uses(_) | Atom::Accuracy(_) | Atom::Error(_) | Atom::Fair { .. } => refuse(
                atom,
                "what a tree keeps to as it grows: size, depth, leaf, cost, not uses, monotone or like",
            ),
            _ => Ok(()),
        }
    }

    /// Whether tests follow keys, where there are any.
    fn follows(&self) -> bool {
        let sought = matches!(self.tests, ForestTests::Best | ForestTests::Drawn);
        let follow = links_followed(self.follow, self.keys, &self.distance);
        follow > 0 && self.space >= 1.0 && sought
    }

    /// How structured columns are tested: by prototypes alone where all columns are.
    fn structured(&self, all: bool) -> Structured {
        let mut structured = self.structured.clone();
        if all {
            structured.tests = StructuredKind::Prototypes;
        }
        structured
    }

    fn grove(&self) -> FlatGrove {
        let (drawn, all) = match self.tests {
            ForestTests::Best => (false, false),
            ForestTests::Drawn => (true, false),
            ForestTests::Prototypes => (false, true),
            ForestTests::DrawnPrototypes => (true, true),
        };
        let mut looks = looks(&self.distance, self.keys, all, &self.structured(all));
        looks.structured.several = self.several_distances && drawn;
        FlatGrove {
            grove: Grove {
                trees: self.trees,
                sample: self.sample,
                search: self.search,
                constraint: constraint(self.size, self.depth, self.constraints.as_ref()),
                beam: self.beam.clone(),
            },
            inputs: match self.inputs {
                NodeInputs::Auto => None,
                NodeInputs::All => Some(usize::MAX),
                NodeInputs::Number(inputs) => Some(inputs),
            },
            space: self.space,
            drawn,
            heuristic: Criterion::heuristic(self.heuristic),
            leaf: self.leaf,
            subsets: self.subsets,
            middle: self.threshold == Threshold::Middle,
            together: self.missing == MissingBranch::Largest,
            looks,
            prototypes: Prototypes {
                draws: drawn.then_some(self.draws),
                ..prototypes(self.prototypes, self.attraction)
            },
        }
    }
}

impl Learner for Forest {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        self.check()?;
        let grading = Grading {
            impurity: self.heuristic.map(Criterion::impurity),
            class_weights: self.class_weights.clone(),
            target_weights: self.target_weights.clone(),
            hierarchy_weight: self.hierarchy_weight,
        };
        let kinds = grading.kinds(&FOREST, task)?;
        let grades = grading.grades(&kinds)?;
        let mut grove = self.grove();
        if self.follows() && is_linked(task.view()) {
            let plan = LinkedPlan {
                follow: self.follow,
                leaf: self.leaf,
                heuristic: grove.heuristic,
                costs: &self.costs,
                combine: self.combine,
                along: Along::Leaf,
                // How missing values are dealt with while a tree grows is the default's own.
                unused: unused(self.subsets, self.threshold, MissingBranch::Divide),
                structured: self.structured.clone(),
                grown: Grown::Forest {
                    grove: &grove.grove,
                    subjects: self.inputs,
                    drawn: grove.drawn,
                },
            };
            let model = context.install(|| linked_forest(&plan, task, &kinds, &grades, context));
            let mut model = model?;
            model.report.prior = self.votes();
            return Ok(Box::new(model));
        }
        grove.lay_out(&kinds, task.view().inputs().len());
        let name = FOREST.name;
        let fitted =
            context.install(|| grown(&grove, name, task, &kinds, &grades, &self.costs, context))?;
        let report = Report {
            prior: self.votes(),
            ..fitted.report
        };
        Ok(Box::new(TreeModel::new(
            task.view(),
            fitted.pools,
            kinds,
            fitted.trees,
            self.combine,
            Along::Leaf,
            report,
        )?))
    }
}

impl Forest {
    /// The votes of even probabilities: what trees vote is not mixed with any.
    fn votes(&self) -> f64 {
        match self.combine {
            Combine::Average => self.prior,
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::columns::Layout;
    use kinwood_learning::testing::{CLASS, NUMBER, mixed_view};

    #[test]
    fn a_forest_is_the_same_whether_numbers_are_kept_in_order_or_as_codes() {
        let view = mixed_view(300);
        for (target, tests) in [CLASS, NUMBER]
            .into_iter()
            .flat_map(|target| [ForestTests::Best, ForestTests::Drawn].map(|tests| (target, tests)))
        {
            let forest = Forest {
                trees: 5,
                tests,
                ..Forest::default()
            };
            let task = Task::new(&view, &[target]).unwrap();
            let grading = Grading {
                impurity: None,
                class_weights: BTreeMap::new(),
                target_weights: TargetWeights::default(),
                hierarchy_weight: 0.75,
            };
            let kinds = grading.kinds(&FOREST, &task).unwrap();
            let grades = grading.grades(&kinds).unwrap();
            let trees = |few_values: u32| {
                let mut grove = forest.grove();
                grove.looks.layout.few_values = few_values;
                let context = Context::new();
                let costs = BTreeMap::new();
                let fitted = grown(
                    &grove,
                    FOREST.name,
                    &task,
                    &kinds,
                    &grades,
                    &costs,
                    &context,
                )
                .unwrap();
                (fitted.trees, fitted.report)
            };
            assert!(trees(0) == trees(Layout::MOST_CODES), "{target} {tests:?}");
        }
    }
}
