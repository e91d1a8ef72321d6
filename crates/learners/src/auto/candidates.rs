//! Which learners are tried, with settings that do well on many data sets, and how easily a person
//! reads what each of them learns.

use kinwood_learning::target::TargetColumns;
use kinwood_learning::{Entry, Error, Learner, Result, Settings, TargetKind};
use kinwood_values::View;

use crate::registry::Registry;

/// Learners and their settings, the most readable and fastest first.
pub const TRIED: &[(&str, &[(&str, &str)])] = &[
    ("majority", &[]),
    ("mean", &[]),
    ("oner", &[]),
    ("tree", &[("search", "best_first"), ("size", "31")]),
    ("m5", &[]),
    ("boost", &[("depth", "1")]),
    ("knn", &[("k", "loo"), ("weights", "kernel")]),
    ("boost", &[]),
    (
        "boost",
        &[
            ("rate", "0.05"),
            ("leaves", "8"),
            ("columns", "0.5"),
            ("rows", "0.7"),
        ],
    ),
    ("forest", &[]),
    ("forest", &[("preset", "extra")]),
    ("forest", &[("flatten", "none")]),
    ("mirt", &[]),
    ("mirt", &[("preset", "best")]),
    ("mirt", &[("preset", "best"), ("search", "beam")]),
    ("svm", &[]),
    ("svr", &[]),
];

/// Kernel machines hold a matrix of all pairs of rows, and neighbours compare all of them.
const MOST_COMPARED: usize = 4_000;
/// Relational trees follow keys anew in every node.
const MOST_LINKED: usize = 200_000;

/// How easily a person reads what a learner learned: a number, a rule, a tree, a sum of curves,
/// similar rows; many trees and sums over kernels last.
pub fn effort<'a>(learner: &str, settings: impl IntoIterator<Item = (&'a str, &'a str)>) -> usize {
    let additive = settings
        .into_iter()
        .any(|setting| setting == ("depth", "1"));
    match learner {
        "majority" | "mean" => 0,
        "oner" => 1,
        "tree" | "m5" | "mirt" | "dbdt" | "centres" => 2,
        "boost" if additive => 3,
        "knn" | "kstar" | "citation_knn" => 4,
        _ => 5,
    }
}

/// Whether a learner suits rows of a view and targets of these kinds.
pub fn suits(entry: &Entry, view: &View, kinds: &[Option<TargetKind>]) -> bool {
    let linked = !view.database().foreign_keys().is_empty();
    let predicted = |kind: &Option<TargetKind>| {
        kind.as_ref()
            .is_some_and(|kind| entry.targets.have(kind.entry()))
    };
    let rows: usize = view.database().tables().iter().map(|of| of.rows()).sum();
    let small = match entry.name {
        "knn" | "svm" | "svr" => view.len() <= MOST_COMPARED,
        "mirt" => linked && rows <= MOST_LINKED,
        _ => true,
    };
    let several = kinds.len() == 1 || entry.several_targets;
    several && small && kinds.iter().all(predicted)
}

/// A learner with its settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The learner.
    pub learner: &'static str,
    /// Settings that differ from its defaults.
    pub settings: Vec<(&'static str, &'static str)>,
    /// Whether it is given aggregates of linked rows.
    pub flat: bool,
}

impl Candidate {
    /// Those that suit rows of a view and these targets, of some learners or all.
    pub fn suitable(
        view: &View,
        targets: &[usize],
        of: Option<&[String]>,
        registry: &Registry,
    ) -> Vec<Self> {
        let linked = !view.database().foreign_keys().is_empty();
        let kinds: Vec<Option<TargetKind>> = targets
            .iter()
            .map(|&target| TargetColumns::new(view.table(), target).kind())
            .collect();
        let chosen = |learner: &str| of.is_none_or(|of| of.iter().any(|name| name == learner));
        let tried = TRIED.iter().filter(|(learner, _)| chosen(learner));
        let fitting = tried.filter_map(|&(learner, settings)| {
            let entry = registry.find(learner).ok()?;
            let stated = settings.iter().any(|(name, _)| *name == "flatten");
            let differs = linked || !stated;
            (differs && suits(entry, view, &kinds)).then(|| {
                let mut settings = settings.to_vec();
                let flat = linked && entry.flat && !entry.parameters.is_empty() && !stated;
                // What is by default is not repeated.
                let defaults = entry.defaults();
                if flat && defaults.get("flatten") != Some("p2") {
                    settings.push(("flatten", "p2"));
                }
                Self {
                    learner,
                    settings,
                    flat,
                }
            })
        });
        fitting.collect()
    }

    /// As it is written in commands: `boost:rate=0.05,leaves=8`.
    pub fn name(&self) -> String {
        let settings = self.settings.iter();
        let settings: Vec<String> = settings
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        match settings.as_slice() {
            [] => self.learner.to_owned(),
            some => format!("{}:{}", self.learner, some.join(",")),
        }
    }

    /// How easily it is read.
    pub fn effort(&self) -> usize {
        effort(self.learner, self.settings.iter().copied())
    }

    /// The learner, to be given a database.
    pub fn whole(&self, registry: &Registry) -> Result<Box<dyn Learner>> {
        let entry = registry.find(self.learner)?;
        entry.learner(&self.read(entry)?)
    }

    /// The learner, to be given a table that was flattened for it.
    pub fn inner(&self, registry: &Registry) -> Result<Box<dyn Learner>> {
        let entry = registry.find(self.learner)?;
        (entry.build)(&self.read(entry)?)
    }

    fn read(&self, entry: &Entry) -> Result<Settings, Error> {
        entry.settings(&self.settings)
    }
}
