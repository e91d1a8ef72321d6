//! Who is best: the learners that suit a problem where none are named, and what came of them, the
//! best first, with the most readable of those that are as good.

use kinwood_evaluation::measures::Direction;
use kinwood_learners::Registry;
use kinwood_learners::auto::{Candidate, effort};
use kinwood_pages::sheet::{Entry, Line, Sheet};
use kinwood_values::notice::counted;
use kinwood_workbench::data::Problem;
use serde_json::{Value, json};

use super::contender::Contender;
use super::figures::figure;
use super::outcome::{Cell, Outcome};
use super::scores::Scores;

/// The learners that suit a problem, with baselines.
pub fn suitable(problem: &Problem, registry: &Registry) -> Vec<Contender> {
    let Problem { view, targets, .. } = problem;
    let candidates = Candidate::suitable(view, targets, None, registry);
    let made = candidates.into_iter().map(|candidate| {
        let settings = candidate.settings.iter();
        let settings =
            settings.map(|(name, value)| ((*name).to_owned(), vec![(*value).to_owned()]));
        Contender::of_grid(None, candidate.learner, settings.collect(), false, 0)
    });
    made.flatten().collect()
}

/// A learner's place on a data set.
struct Place {
    learner: usize,
    mean: f64,
    /// The standard error of the mean over folds.
    error: Option<f64>,
    seconds: f64,
    effort: usize,
}

/// The learners of a data set, the best first.
pub struct Leaderboard<'a> {
    scores: &'a Scores<'a>,
    data: usize,
    places: Vec<Place>,
}

impl<'a> Leaderboard<'a> {
    /// Of a data set; nothing where no learner has a score.
    pub fn new(scores: &'a Scores<'a>, data: usize) -> Option<Self> {
        let outcome: &Outcome = scores.outcome;
        let place = |learner: usize| {
            let mean = scores.mean(data, learner)?;
            let Cell::Scored {
                evaluation,
                seconds,
                ..
            } = outcome.cell(data, learner)
            else {
                return None;
            };
            let folds = evaluation.folds.len() as f64;
            let shown = &outcome.learners()[learner];
            Some(Place {
                learner,
                mean,
                error: scores.sd(data, learner).map(|sd| sd / folds.sqrt()),
                seconds: *seconds,
                effort: effort(
                    &shown.learner,
                    shown
                        .settings
                        .iter()
                        .map(|(name, value)| (&**name, &**value)),
                ),
            })
        };
        let mut places: Vec<Place> = (0..outcome.learners().len()).filter_map(place).collect();
        let higher = scores.measure.description().direction == Direction::HigherIsBetter;
        places.sort_by(|a, b| match higher {
            true => b.mean.total_cmp(&a.mean),
            false => a.mean.total_cmp(&b.mean),
        });
        (!places.is_empty()).then_some(Self {
            scores,
            data,
            places,
        })
    }

    /// The most readable learner whose mean is within one standard error of the best.
    fn readable(&self) -> &Place {
        let best = &self.places[0];
        let slack = best.error.unwrap_or(0.0);
        let near = self
            .places
            .iter()
            .filter(|place| (place.mean - best.mean).abs() <= slack);
        near.min_by_key(|place| place.effort).unwrap_or(best)
    }

    fn name(&self, place: &Place) -> String {
        self.scores.outcome.learners()[place.learner].name.clone()
    }

    /// As a table.
    pub fn sheet(&self) -> Sheet {
        let outcome = self.scores.outcome;
        let lines = self.places.iter().map(|place| {
            let error = place.error.map_or_else(|| "-".to_owned(), figure);
            let entries = [figure(place.mean), error, format!("{:.2}", place.seconds)];
            Line {
                heading: self.name(place),
                entries: entries.map(Entry::new).into(),
                summary: false,
            }
        });
        let of = &outcome.data()[self.data];
        let notes = vec![
            format!("the winner is {}", self.name(&self.places[0])),
            format!(
                "the most readable within one standard error of it is {}",
                self.name(self.readable())
            ),
        ];
        Sheet {
            name: "leaderboard".to_owned(),
            title: format!(
                "Leaderboard of {}, {}, by {}",
                of.name,
                counted(of.rows, "row"),
                self.scores.measure
            ),
            headings: ["learner", "mean", "standard error", "seconds"]
                .map(str::to_owned)
                .into(),
            lines: lines.collect(),
            notes,
        }
    }

    /// For programs.
    pub fn to_json(&self) -> Value {
        let place = |place: &Place| {
            json!({
                "learner": self.name(place),
                "mean": place.mean,
                "standard_error": place.error,
                "seconds": place.seconds,
            })
        };
        json!({
            "data": self.scores.outcome.data()[self.data].name,
            "measure": self.scores.measure.key(),
            "winner": self.name(&self.places[0]),
            "readable": self.name(self.readable()),
            "places": self.places.iter().map(place).collect::<Vec<_>>(),
        })
    }
}
