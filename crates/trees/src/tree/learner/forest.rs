//! The learner `forest`: its settings, and what they mean for its trees.

use super::super::forest::{Grove, Sample, grown};
use super::super::grow::Heuristic;
use super::super::model::{Combine, TreeModel};
use super::super::propose::Prototypes;
use super::grading::Grading;
use super::parameters::*;
use super::{limit, looks, prototypes, search_of};
use crate::tree::SearchMethod;
use kinwood_learning::context::Context;
use kinwood_learning::entry::{Entry, Targets};
use kinwood_learning::error::{Error, Result};
use kinwood_learning::model::{Learner, Model};
use kinwood_learning::rows::follows;
use kinwood_learning::settings::{Allowed, Parameter, Preset, Settings};
use kinwood_learning::task::Task;

/// The registry's entry.
pub const FOREST: Entry = Entry {
    name: "forest",
    summary: "Grows many trees, each on rows and columns drawn at random, and answers by all of them together.",
    reference: "Breiman, Random forests, Machine Learning 45, 2001; Geurts, Ernst and Wehenkel, Extremely randomized trees, Machine Learning 63, 2006; Lucas et al., Proximity Forest, Data Mining and Knowledge Discovery 33, 2019",
    targets: Targets::All,
    several_targets: true,
    follows_keys: |settings| follows(settings, "keys"),
    flat: true,
    parameters: &[
        Parameter {
            name: "preset",
            doc: "What is drawn: rows and the columns of each node (random), rows alone (bagging), thresholds too (extra), the columns of each tree (subspaces), prototypes (proximity), or nothing, the trees being those of a beam (beam); settings given beside it win.",
            allowed: Allowed::Preset(&[
                Preset {
                    name: "random",
                    settings: &[],
                },
                Preset {
                    name: "bagging",
                    settings: &[("inputs", "all")],
                },
                Preset {
                    name: "extra",
                    settings: &[("sample", "all"), ("tests", "drawn")],
                },
                Preset {
                    name: "subspaces",
                    settings: &[("sample", "all"), ("inputs", "all"), ("space", "0.5")],
                },
                Preset {
                    name: "proximity",
                    settings: &[
                        ("sample", "all"),
                        ("tests", "drawn_prototypes"),
                        ("prototypes", "all"),
                        ("keys", "1"),
                    ],
                },
                Preset {
                    name: "beam",
                    settings: &[
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
            allowed: Allowed::Choice(&["bootstrap", "subsample", "all"]),
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
            doc: "Thresholds and subsets are sought (best) or drawn at random (drawn); prototypes are sought for structured columns alone, for all (prototypes), or drawn for all (drawn_prototypes).",
            allowed: Allowed::Choice(&["best", "drawn", "prototypes", "drawn_prototypes"]),
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
        SUBSETS,
        THRESHOLD,
        MISSING,
        DISTANCE,
        KEYS,
        PROTOTYPES,
        ATTRACTION,
        WIDTH,
        ALPHA,
        BETA,
        SIMILARITY,
        MARGIN,
        Parameter {
            doc: "How the trees predict: by the average of their answers, or by vote.",
            allowed: Allowed::Choice(&["average", "vote"]),
            default: "average",
            ..COMBINE
        },
        CLASS_WEIGHTS,
        TARGET_WEIGHTS,
        HIERARCHY_WEIGHT,
    ],
    build: |settings| Ok(Box::new(Forest::new(settings)?)),
    load: |stored| Ok(Box::new(TreeModel::read(stored)?)),
};

struct Forest {
    grove: Grove,
    grading: Grading,
}

impl Forest {
    fn new(settings: &Settings) -> Result<Self> {
        let tests = settings.text("tests");
        let drawn = tests.starts_with("drawn");
        let draws = settings.whole("draws");
        let search = SearchMethod::read(settings);
        let size = limit(settings, "size");
        if size.is_some() && search == SearchMethod::Greedy {
            return Err(Error::SettingValue {
                name: "size".to_owned(),
                value: settings.text("size").to_owned(),
                expected: "none with search=greedy; best_first and beam keep to a size".to_owned(),
                nearest: None,
            });
        }
        if search == SearchMethod::Beam && settings.text("sample") != "all" {
            return Err(Error::SettingValue {
                name: "sample".to_owned(),
                value: settings.text("sample").to_owned(),
                expected: "all with search=beam".to_owned(),
                nearest: None,
            });
        }
        Ok(Self {
            grove: Grove {
                trees: settings.whole("trees"),
                sample: match settings.text("sample") {
                    "all" => Sample::All,
                    "subsample" => Sample::Part,
                    _ => Sample::Bootstrap,
                },
                inputs: match settings.text("inputs") {
                    "all" => Some(usize::MAX),
                    number => number.parse().ok(),
                },
                space: settings.real("space"),
                drawn,
                search,
                heuristic: match settings.text("heuristic") {
                    "gain_ratio" => Heuristic::GainRatio,
                    _ => Heuristic::Gain,
                },
                leaf: settings.real("leaf"),
                size,
                depth: limit(settings, "depth"),
                subsets: settings.flag("subsets"),
                middle: settings.text("threshold") == "middle",
                together: settings.text("missing") == "largest",
                looks: looks(settings, tests.ends_with("prototypes"))?,
                prototypes: Prototypes {
                    draws: drawn.then_some(draws),
                    ..prototypes(settings)
                },
                beam: search_of(settings),
                combine: match settings.text("combine") {
                    "vote" => Combine::Vote,
                    _ => Combine::Average,
                },
            },
            grading: Grading::read(settings)?,
        })
    }
}

impl Learner for Forest {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        let kinds = self.grading.kinds(&FOREST, task)?;
        let grades = self.grading.grades(&kinds)?;
        let fitted =
            context.install(|| grown(&self.grove, FOREST.name, task, &kinds, &grades, context))?;
        Ok(Box::new(TreeModel::new(
            task.view(),
            fitted.pools,
            kinds,
            fitted.trees,
            self.grove.combine,
            fitted.report,
        )?))
    }
}
