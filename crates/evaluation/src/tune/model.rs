//! What a tuned learner fits: the best candidate's model, which also tells how it was chosen.

use std::ops::Range;

use kinwood_learning::drawing::Drawing;
use kinwood_learning::model::{Contributions, Decisions, Near};
use kinwood_learning::sql::{Asked, Expression, Seen};
use kinwood_learning::{Context, Explanation, Model, ModelFacts, Predictions, Result, Task};
use kinwood_values::View;
use kinwood_values::container::Sections;
use serde_json::{Map, Value, json};

use super::{Choice, Tried};

/// The best candidate's model with the choice that led to it. Its file is the best candidate's.
pub struct TunedModel {
    model: Box<dyn Model>,
    choice: Choice,
}

impl TunedModel {
    pub(super) fn new(model: Box<dyn Model>, choice: Choice) -> Self {
        Self { model, choice }
    }

    /// What was chosen, and how every candidate did.
    pub fn choice(&self) -> &Choice {
        &self.choice
    }
}

impl Choice {
    /// The choice as programs read it.
    pub fn to_json(&self) -> Value {
        let by_measure = |values: Vec<Option<f64>>| -> Map<String, Value> {
            let values = values.into_iter().map(Value::from);
            self.measures.iter().cloned().zip(values).collect()
        };
        let candidate = |tried: &Tried| {
            let mut object = json!({
                "settings": object_of(&tried.settings),
                "mean": by_measure(tried.scores.iter().map(|score| score.mean).collect()),
                "sd": by_measure(tried.scores.iter().map(|score| score.sd).collect()),
            });
            object["rank"] = tried.rank.into();
            object["failed"] = tried.failed.clone().into();
            object
        };
        json!({
            "inner_folds": self.folds,
            "validation_rows": self.validation,
            "measures": self.measures,
            "candidates": self.tried.iter().map(candidate).collect::<Vec<_>>(),
            "chosen": object_of(&self.winner().settings),
        })
    }

    /// The chosen settings as one would give them.
    pub fn chosen_words(&self) -> String {
        words(&self.winner().settings)
    }
}

/// Settings as one would give them; what there is without any.
pub(super) fn words(settings: &[(String, String)]) -> String {
    let pairs: Vec<String> = settings
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    match pairs.is_empty() {
        true => "the settings as given".to_owned(),
        false => pairs.join(" "),
    }
}

fn object_of(settings: &[(String, String)]) -> Map<String, Value> {
    let pairs = settings.iter().cloned();
    pairs.map(|(name, value)| (name, value.into())).collect()
}

impl Model for TunedModel {
    fn predict(&self, data: &View, context: &Context) -> Result<Predictions> {
        self.model.predict(data, context)
    }

    fn write(&self, sections: &mut Sections) -> Result<()> {
        self.model.write(sections)
    }

    fn show(&self) -> String {
        let by = match self.choice.validation {
            Some(rows) => format!("{rows} validation rows"),
            None => format!("{} inner folds", self.choice.folds),
        };
        let mut text = format!("chosen by {by}: {}\n", self.choice.chosen_words());
        for tried in &self.choice.tried {
            let said = match &tried.failed {
                Some(failed) => failed.clone(),
                None => {
                    let figures = self.choice.measures.iter().zip(&tried.scores);
                    let figure = |value: Option<f64>| {
                        value.map_or_else(|| "-".to_owned(), |value| format!("{value:.4}"))
                    };
                    let figures: Vec<String> = figures
                        .map(|(name, score)| {
                            format!("{name} {}, sd {}", figure(score.mean), figure(score.sd))
                        })
                        .collect();
                    figures.join("; ")
                }
            };
            text += &format!("  {}: {said}\n", words(&tried.settings));
        }
        text + "\n" + &self.model.show()
    }

    fn to_json(&self) -> Value {
        let mut told = self.model.to_json();
        if let Some(object) = told.as_object_mut() {
            object.insert("tuned".to_owned(), self.choice.to_json());
        }
        told
    }

    fn facts(&self) -> ModelFacts {
        ModelFacts {
            tuned: Some(self.choice.winner().settings.clone()),
            ..self.model.facts()
        }
    }

    fn append(&mut self, task: &Task) -> Option<Result<()>> {
        self.model.append(task)
    }

    fn neighbours(
        &self,
        data: &View,
        count: usize,
        context: &Context,
    ) -> Option<Result<Vec<Vec<Near>>>> {
        self.model.neighbours(data, count, context)
    }

    fn decisions(&self, data: &View, context: &Context) -> Option<Result<Decisions>> {
        self.model.decisions(data, context)
    }

    fn stages(&self) -> usize {
        self.model.stages()
    }

    fn staged(
        &self,
        data: &View,
        stages: Range<usize>,
        context: &Context,
    ) -> Option<Result<Vec<Predictions>>> {
        self.model.staged(data, stages, context)
    }

    fn contributions(&self, data: &View, context: &Context) -> Option<Result<Vec<Contributions>>> {
        self.model.contributions(data, context)
    }

    fn explain(&self, data: &View, row: usize, most: usize) -> Option<Result<Explanation>> {
        self.model.explain(data, row, most)
    }

    fn sql(&self, asked: Asked) -> Option<Result<Vec<Expression>>> {
        self.model.sql(asked)
    }

    fn view(&self, name: &str, asked: Asked, seen: Option<&Seen>) -> Option<Result<String>> {
        self.model.view(name, asked, seen)
    }

    fn members(&self) -> Option<&[Box<dyn Model>]> {
        self.model.members()
    }

    fn pick(&self, member: usize) -> Option<Box<dyn Model>> {
        self.model.pick(member)
    }

    fn drawing(&self) -> Option<Drawing> {
        self.model.drawing()
    }

    fn visited(&self, data: &View, position: usize) -> Result<Option<Vec<(usize, u32, f64)>>> {
        self.model.visited(data, position)
    }
}
