//! Choosing a learner: those that suit the data are tried on inner folds, and the best is kept, and
//! beside it the most readable one that is as good.
//!
//! All candidates are tried on the same folds. After some folds the worse half is left out
//! (successive halving over folds), readable ones never. How good the choice is on new rows is not
//! what the winner had on the folds, as it was chosen for that: the choice is repeated on rows
//! drawn with repetition, and scored on those that were not drawn.
//!
//! Reference: K. Jamieson and A. Talwalkar, *Non-stochastic best arm identification and
//! hyperparameter optimization*, AISTATS 2016; I. Tsamardinos, E. Greasidou and G. Borboudakis,
//! *Bootstrapping the out-of-sample predictions for efficient and accurate cross-validation*,
//! Machine Learning 107, 2018; L. Breiman and others, *Classification and regression trees*, 1984
//! (one standard error).

mod candidates;
mod estimate;
mod losses;
mod model;
mod search;

use kinwood_learning::entry::{Entry, Targets};
use kinwood_learning::settings::{Allowed, Parameter, Settings};
use kinwood_learning::target::{CENSORED, CLASSES, LABELS, NUMBERS, ORDERED};
use kinwood_learning::{Context, Error, Learner, Model, Result, Task};
use kinwood_values::suggest::nearest;

pub use candidates::{Candidate, TRIED, effort, suits};
use model::AutoModel;

/// The registry's entry.
pub const AUTO: Entry = Entry {
    name: "auto",
    summary: "Tries learners that suit the data on inner folds, keeps the best, and beside it the most readable one that is as good.",
    reference: "Jamieson and Talwalkar, Non-stochastic best arm identification, AISTATS 2016; Tsamardinos et al., Bootstrapping the out-of-sample predictions, Machine Learning 107, 2018",
    targets: Targets(&[&CLASSES, &NUMBERS, &LABELS, &ORDERED, &CENSORED]),
    several_targets: true,
    follows_keys: |_| true,
    flat: false,
    parameters: &[
        Parameter {
            name: "learners",
            doc: "Which learners are tried: those that suit the data (all), or some of them, such as `tree, boost, forest`.",
            allowed: Allowed::Text,
            default: "all",
        },
        Parameter {
            name: "folds",
            doc: "How many inner folds they are tried on; validation rows stand in their place where there are some.",
            allowed: Allowed::Whole { least: 2, most: 20 },
            default: "5",
        },
        Parameter {
            name: "answer",
            doc: "Which of the two models that are kept predicts: the best one, or the most readable one within one standard error of it.",
            allowed: Allowed::Choice(&["best", "readable"]),
            default: "best",
        },
    ],
    build: |settings| Ok(Box::new(Auto::read(settings)?)),
    load: |stored| Ok(Box::new(AutoModel::read(stored)?)),
};

/// Which of the models that are kept predicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The best.
    Best,
    /// The most readable within one standard error of the best.
    Readable,
}

/// A learner that chooses among others. The registry's entry says what each setting does.
#[derive(Clone, Debug, PartialEq)]
pub struct Auto {
    /// The learners that are tried, by name; `None` for all that suit the data.
    pub learners: Option<Vec<String>>,
    /// How many inner folds.
    pub folds: usize,
    /// Which model predicts.
    pub answer: Answer,
}

impl Default for Auto {
    fn default() -> Self {
        Self::read(&AUTO.defaults()).expect("the defaults are settings")
    }
}

impl Auto {
    /// As the settings of the registry's entry have it.
    pub fn read(settings: &Settings) -> Result<Self> {
        let named = settings.text("learners").trim();
        let learners = (named != "all").then(|| {
            let names = named.split(',').map(str::trim);
            names
                .filter(|name| !name.is_empty())
                .map(str::to_owned)
                .collect()
        });
        let auto = Self {
            learners,
            folds: settings.whole("folds"),
            answer: match settings.text("answer") {
                "readable" => Answer::Readable,
                _ => Answer::Best,
            },
        };
        auto.check_names()?;
        Ok(auto)
    }

    fn check_names(&self) -> Result<()> {
        let known: Vec<&str> = TRIED.iter().map(|(learner, _)| *learner).collect();
        let Some(names) = &self.learners else {
            return Ok(());
        };
        let wrong = |value: &str| {
            let mut valid = known.clone();
            valid.dedup();
            valid.sort_unstable();
            valid.dedup();
            Err(Error::SettingValue {
                name: "learners".to_owned(),
                value: value.to_owned(),
                expected: format!("all, or some of {}", valid.join(", ")),
                nearest: nearest(value, &valid),
            })
        };
        match names.iter().find(|name| !known.contains(&name.as_str())) {
            Some(name) => wrong(name),
            None if names.is_empty() => wrong(""),
            None => Ok(()),
        }
    }
}

impl Learner for Auto {
    fn fit(&self, task: &Task, context: &Context) -> Result<Box<dyn Model>> {
        self.check_names()?;
        AUTO.check("folds", self.folds)?;
        search::fit(self, task, context)
    }
}
