//! Curves as users see them: how a score changes with one setting, or with the number of training
//! rows.
//!
//! All points of a curve are measured on the same splits. For a set of models, such as a beam of
//! trees, a curve also has what its width and the weight of similarity trade for the score: the
//! score on training rows, the mean score of the members, how alike they are, and how many models
//! the search evaluated. Kocev, Struyf and Dzeroski (KDID 2006) planned these curves in their
//! section on further work.

mod chart;
mod text;

use kinwood_evaluation::attempts::{
    Attempt, Attempted, Looks, OnFold, Portion, attempt_all, measure_names, measures_of, over_folds,
};
use kinwood_evaluation::measures::Measure;
use kinwood_evaluation::run::Trial;
use kinwood_evaluation::summary::FoldSummary;
use kinwood_learners::{Context, Learner, Registry};
use kinwood_values::Notice;
use serde_json::{Map, Value, json};

use crate::kit::Drawing;
use kinwood_workbench::data::Problem;
use kinwood_workbench::error::{Error, Result};
use kinwood_workbench::evaluate::{Division, plan, whole};
use kinwood_workbench::output::{settings_json, targets_json};

/// What a curve is over.
#[derive(Clone, Debug, PartialEq)]
pub enum Over {
    /// The values of one setting.
    Setting {
        /// The setting.
        name: String,
        /// Its values, in the order they are shown.
        values: Vec<String>,
    },
    /// The number of training rows.
    Rows(Vec<Portion>),
}

/// What is to be drawn.
#[derive(Clone, Debug)]
pub struct Curve {
    /// The learner.
    pub learner: String,
    /// The settings that all points have.
    pub fixed: Vec<(String, String)>,
    /// What the curve is over.
    pub over: Over,
    /// What is measured, where it is not the usual.
    pub measures: Vec<Measure>,
    /// Whether the score on training rows is told too.
    pub training: bool,
    /// Whether the models of a set are looked at one by one; those of a beam are anyway.
    pub members: bool,
    /// Whether it is told how long fitting took, which is never the same.
    pub seconds: bool,
}

/// A curve with what it was measured on.
#[derive(Clone, Debug)]
pub struct CurveReport {
    /// The learner.
    pub learner: String,
    /// The settings that all points have, as given.
    pub fixed: Vec<(String, String)>,
    /// What the data was read from.
    pub data: String,
    /// The targets.
    pub targets: Vec<String>,
    /// The seed.
    pub seed: u64,
    /// The setting; none for a learning curve.
    pub setting: Option<String>,
    /// The names of the measures, a target.
    pub measures: Vec<String>,
    /// The number of splits.
    pub splits: usize,
    /// The points, in their order.
    pub points: Vec<Point>,
    /// What was decided without being asked.
    pub notices: Vec<Notice>,
}

/// A point of a curve: means and standard deviations over splits.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The value of the setting, or the portion of training rows, as written.
    pub at: String,
    /// The mean number of training rows; none where it failed.
    pub rows: Option<f64>,
    /// The score on test rows, a target.
    pub test: Vec<FoldSummary>,
    /// The score on training rows, a target, where it was looked at.
    pub training: Option<Vec<FoldSummary>>,
    /// The models of sets, where they were looked at.
    pub members: Option<Members>,
    /// How long fitting took, where that is asked.
    pub seconds: Option<FoldSummary>,
    /// Why there is no score.
    pub failed: Option<String>,
}

/// The models of sets.
#[derive(Clone, Debug, PartialEq)]
pub struct Members {
    /// How many a set has.
    pub count: FoldSummary,
    /// The mean score of the members on test rows, a target.
    pub mean: Vec<FoldSummary>,
    /// How alike their predictions of test rows are, a target.
    pub similarity: Vec<FoldSummary>,
    /// How many models the search evaluated.
    pub evaluated: FoldSummary,
}

/// A point before it is measured.
struct Planned {
    at: String,
    learner: Box<dyn Learner>,
    portion: Option<Portion>,
}

impl Curve {
    /// The learner of each point, each checked, with its portion of training rows.
    fn planned(&self, registry: &Registry) -> Result<Vec<Planned>> {
        let entry = registry.find(&self.learner)?;
        match &self.over {
            Over::Setting { name, values } => values
                .iter()
                .map(|value| {
                    let pair = (name.clone(), value.clone());
                    let given = [self.fixed.as_slice(), &[pair]].concat();
                    let learner = entry.learner(&entry.settings(&given)?)?;
                    Ok(Planned {
                        at: value.clone(),
                        learner,
                        portion: None,
                    })
                })
                .collect(),
            Over::Rows(portions) => portions
                .iter()
                .map(|&portion| {
                    let learner = entry.learner(&entry.settings(&self.fixed)?)?;
                    let at = match portion {
                        Portion::Share(share) => share.to_string(),
                        Portion::Rows(rows) => rows.to_string(),
                    };
                    Ok(Planned {
                        at,
                        learner,
                        portion: Some(portion),
                    })
                })
                .collect(),
        }
    }

    /// Fails where a learner of a point cannot be made: to be asked before data is read.
    pub fn check(&self, registry: &Registry) -> Result<()> {
        self.planned(registry).map(drop)
    }

    /// What is looked at: a beam is a set of trees whatever is asked.
    fn looks(&self, registry: &Registry) -> Result<Looks> {
        let settings = registry.find(&self.learner)?.settings(&self.fixed)?;
        Ok(Looks {
            training: self.training,
            members: self.members || settings.get("search") == Some("beam"),
        })
    }
}

/// Measures every point of a curve on the same splits of a problem.
pub fn curve(
    registry: &Registry,
    curve: &Curve,
    problem: &Problem,
    division: Option<&Division>,
    data: &str,
    context: &Context,
) -> Result<CurveReport> {
    let planned = curve.planned(registry)?;
    let looks = curve.looks(registry)?;
    let (plan, mut notices) = plan(problem, division)?;
    let (view, targets) = (&problem.view, &problem.targets);
    let trial = Trial::new(view, targets, &plan, context.seed())?;
    let known = trial.known();
    let told = known.notices.iter();
    notices.extend(told.map(|notice| Notice::new(notice.to_string())));
    let measures = measures_of(&known.truths, &curve.measures)?;
    let attempts: Vec<Attempt<'_>> = planned
        .iter()
        .map(|point| Attempt {
            learner: &*point.learner,
            portion: point.portion,
        })
        .collect();
    let what = "measuring the curve";
    let attempted = attempt_all(what, &trial, &attempts, &measures, looks, context)?;
    if attempted.iter().any(Result::is_ok) {
        let point = |(planned, attempted): (&Planned, &Attempted)| {
            Point::of(&planned.at, attempted, measures.len(), curve.seconds)
        };
        return Ok(CurveReport {
            learner: curve.learner.clone(),
            fixed: curve.fixed.clone(),
            data: data.to_owned(),
            targets: problem.target_names(),
            seed: context.seed(),
            setting: match &curve.over {
                Over::Setting { name, .. } => Some(name.clone()),
                Over::Rows(_) => None,
            },
            measures: measure_names(&known.truths, &measures),
            splits: known.splits.len(),
            points: planned.iter().zip(&attempted).map(point).collect(),
            notices,
        });
    }
    match attempted.into_iter().next() {
        Some(Err(first)) => Err(Error::from(whole(first))),
        _ => Err(Error::Plan(kinwood_evaluation::Error::NoCandidates)),
    }
}

impl Point {
    fn of(at: &str, attempted: &Attempted, targets: usize, seconds: bool) -> Self {
        let folds: &[OnFold] = attempted.as_deref().unwrap_or_default();
        let a_target = |figure: &dyn Fn(&OnFold, usize) -> Option<f64>| -> Vec<FoldSummary> {
            let summary = |target| over_folds(folds, |fold| figure(fold, target));
            (0..targets).map(summary).collect()
        };
        let of_set = |fold: &OnFold, target: usize| {
            let members = fold.members.as_ref()?;
            members.get(target).copied()
        };
        let looked = |look: &dyn Fn(&OnFold) -> bool| folds.first().is_some_and(look);
        Self {
            at: at.to_owned(),
            rows: over_folds(folds, |fold| Some(fold.rows as f64)).mean,
            test: a_target(&|fold, target| fold.test[target]),
            training: looked(&|fold| fold.training.is_some())
                .then(|| a_target(&|fold, target| fold.training.as_ref()?[target])),
            members: looked(&|fold| fold.members.is_some()).then(|| Members {
                count: over_folds(folds, |fold| Some(of_set(fold, 0)?.members as f64)),
                mean: a_target(&|fold, target| of_set(fold, target)?.mean),
                similarity: a_target(&|fold, target| Some(of_set(fold, target)?.similarity)),
                evaluated: over_folds(folds, |fold| Some(fold.evaluated? as f64)),
            }),
            seconds: (seconds && !folds.is_empty())
                .then(|| over_folds(folds, |fold| Some(fold.seconds))),
            failed: attempted.as_ref().err().map(ToString::to_string),
        }
    }
}

impl CurveReport {
    /// What the curve is over, in words.
    pub fn over(&self) -> &str {
        self.setting.as_deref().unwrap_or("training rows")
    }

    /// The curve as programs read it; `docs/json.md` is its contract.
    pub fn to_json(&self) -> Value {
        let by_measure = |values: Vec<Option<f64>>| -> Map<String, Value> {
            let values = values.into_iter().map(Value::from);
            self.measures.iter().cloned().zip(values).collect()
        };
        let a_target = |scores: &[FoldSummary]| {
            json!({
                "mean": by_measure(scores.iter().map(|score| score.mean).collect()),
                "sd": by_measure(scores.iter().map(|score| score.sd).collect()),
            })
        };
        let one = |summary: &FoldSummary| json!({"mean": summary.mean, "sd": summary.sd});
        let point = |point: &Point| {
            let mut object = json!({
                "at": point.at,
                "rows": point.rows,
                "test": a_target(&point.test),
            });
            if let Some(training) = &point.training {
                object["training"] = a_target(training);
            }
            if let Some(members) = &point.members {
                object["members"] = json!({
                    "count": one(&members.count),
                    "score": a_target(&members.mean),
                    "similarity": a_target(&members.similarity),
                    "models_evaluated": one(&members.evaluated),
                });
            }
            if let Some(seconds) = &point.seconds {
                object["seconds"] = one(seconds);
            }
            object["failed"] = point.failed.clone().into();
            object
        };
        json!({
            "learner": self.learner,
            "settings": settings_json(&self.fixed),
            "data": self.data,
            "target": targets_json(&self.targets),
            "seed": self.seed,
            "measures": self.measures,
            "splits": self.splits,
            "over": self.over(),
            "points": self.points.iter().map(point).collect::<Vec<_>>(),
        })
    }

    /// The curve as a drawing: a line a score, with standard deviations.
    pub fn drawing(&self) -> Drawing {
        chart::draw(self)
    }
}
