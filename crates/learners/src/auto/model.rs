//! The model: what was tried, and the models that were kept, the first of which answers.

use std::ops::Range;

use kinwood_learning::drawing::{Drawing, SumDrawn};
use kinwood_learning::model::{Contributions, Decisions, Near};
use kinwood_learning::sql::{Asked, Expression, Seen};
use kinwood_learning::{Context, Explanation, Model, ModelFacts, Predictions, Result};
use kinwood_text::{Align, TextTable};
use kinwood_values::View;
use kinwood_values::container::{Sections, Stored, invalid};
use kinwood_values::text::number_text;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::AUTO;
use crate::builtin::learners;

/// The section that says what was tried and what was kept.
const SECTION: &str = "auto";

/// A model that was kept.
pub struct Kept {
    /// The learner.
    pub learner: String,
    /// The learner with its settings.
    pub name: String,
    /// Whether it is the best.
    pub best: bool,
    /// Whether it is the most readable that is as good.
    pub readable: bool,
    /// What was learned.
    pub model: Box<dyn Model>,
}

/// What came of a candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tried {
    /// The learner with its settings.
    pub name: String,
    /// How many folds it was tried on.
    pub folds: usize,
    /// Its mean loss.
    pub loss: Option<f64>,
    /// The standard error of that.
    pub standard_error: Option<f64>,
    /// Why it was not tried on all folds.
    pub left_out: Option<String>,
}

/// How the models were chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// What was made small, in words.
    pub measure: String,
    /// How many folds the finalists were tried on.
    pub folds: usize,
    /// How many rows there were.
    pub rows: usize,
    /// The loss that the choice will have on new rows.
    pub expected: Option<f64>,
    /// The candidates, the best first.
    pub tried: Vec<Tried>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    report: Report,
    kept: Vec<KeptAs>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptAs {
    learner: String,
    name: String,
    best: bool,
    readable: bool,
}

/// Models that were chosen.
pub struct AutoModel {
    report: Report,
    kept: Vec<KeptAs>,
    /// In the order of `kept`; there is at least one.
    models: Vec<Box<dyn Model>>,
}

/// The scope of a model.
fn scope(place: usize) -> String {
    format!("kept-{place}")
}

/// A number without digits that say nothing.
fn rounded(number: f64) -> String {
    let short = format!("{number:.4e}").parse().unwrap_or(number);
    number_text(short)
}

impl AutoModel {
    /// Of at least one model, the first of which answers.
    pub fn new(report: Report, kept: Vec<Kept>) -> Self {
        let (kept, models) = kept
            .into_iter()
            .map(|own| {
                let as_ = KeptAs {
                    learner: own.learner,
                    name: own.name,
                    best: own.best,
                    readable: own.readable,
                };
                (as_, own.model)
            })
            .unzip();
        Self {
            report,
            kept,
            models,
        }
    }

    /// Reads a model, trusting nothing.
    pub fn read(stored: &Stored) -> Result<Self> {
        let manifest: Manifest = stored.json(SECTION)?;
        if !(1..=2).contains(&manifest.kept.len()) {
            return Err(invalid(SECTION, "neither one model nor two").into());
        }
        let registry = learners();
        let kept = manifest.kept.iter().enumerate();
        let models = kept.map(|(place, own)| {
            if own.learner == AUTO.name {
                return Err(invalid(SECTION, "a choice among choices").into());
            }
            registry
                .find(&own.learner)?
                .model(&stored.scope(&scope(place)))
        });
        Ok(Self {
            models: models.collect::<Result<_>>()?,
            report: manifest.report,
            kept: manifest.kept,
        })
    }

    fn answering(&self) -> &dyn Model {
        &*self.models[0]
    }

    fn name_of(&self, which: fn(&KeptAs) -> bool) -> &str {
        let found = self.kept.iter().find(|own| which(own));
        found.map_or("", |own| &own.name)
    }
}

impl Model for AutoModel {
    fn predict(&self, data: &View, context: &Context) -> Result<Predictions> {
        self.answering().predict(data, context)
    }

    fn write(&self, sections: &mut Sections) -> Result<()> {
        let manifest = Manifest {
            report: self.report.clone(),
            kept: self.kept.clone(),
        };
        sections.put_json(SECTION, &manifest)?;
        for (place, model) in self.models.iter().enumerate() {
            model.write(&mut sections.scope(&scope(place)))?;
        }
        Ok(())
    }

    fn show(&self) -> String {
        let own = &self.report;
        let mut text = format!(
            "{} learners tried on {} inner folds of {} rows, by {}\n\n",
            own.tried.len(),
            own.folds,
            own.rows,
            own.measure
        );
        let aligns = vec![Align::Left, Align::Right, Align::Right, Align::Left];
        let mut table = TextTable::new(aligns);
        table.line(["learner", "mean", "standard error", ""].map(str::to_owned));
        let number = |value: Option<f64>| value.map_or("-".to_owned(), rounded);
        for tried in &own.tried {
            table.line([
                tried.name.clone(),
                number(tried.loss),
                number(tried.standard_error),
                tried.left_out.clone().unwrap_or_default(),
            ]);
        }
        text += &table.to_string();
        let best = self.name_of(|own| own.best);
        if !best.is_empty() {
            text += &format!("\nthe best is {best}");
            if let Some(expected) = own.expected {
                text += &format!(
                    "; on new rows expect {}, which allows for the choice among so many",
                    rounded(expected),
                );
            }
            text.push('\n');
        }
        let readable = self.name_of(|own| own.readable);
        if !readable.is_empty() {
            text += &format!("the most readable within one standard error of it is {readable}\n");
        }
        for (place, (own, model)) in self.kept.iter().zip(&self.models).enumerate() {
            let role = match (place, self.kept.len()) {
                (0, 1) => String::new(),
                (0, _) => ", which answers".to_owned(),
                _ => format!(", kept beside it as member {}", place + 1),
            };
            text += &format!("\n{}{role}\n\n{}", own.name, model.show());
        }
        text
    }

    fn to_json(&self) -> Value {
        let kept = self.kept.iter().zip(&self.models).map(|(own, model)| {
            json!({
                "learner": own.learner,
                "name": own.name,
                "best": own.best,
                "readable": own.readable,
                "model": model.to_json(),
            })
        });
        json!({
            "learner": "auto",
            "measure": self.report.measure,
            "folds": self.report.folds,
            "rows": self.report.rows,
            "expected": self.report.expected,
            "tried": self.report.tried,
            "kept": kept.collect::<Vec<_>>(),
        })
    }

    fn facts(&self) -> ModelFacts {
        ModelFacts {
            members: (self.models.len() > 1).then_some(self.models.len()),
            // What was chosen is a learner, and no setting of this one.
            tuned: None,
            ..self.answering().facts()
        }
    }

    fn neighbours(
        &self,
        data: &View,
        count: usize,
        context: &Context,
    ) -> Option<Result<Vec<Vec<Near>>>> {
        self.answering().neighbours(data, count, context)
    }

    fn stages(&self) -> usize {
        self.answering().stages()
    }

    fn staged(
        &self,
        data: &View,
        stages: Range<usize>,
        context: &Context,
    ) -> Option<Result<Vec<Predictions>>> {
        self.answering().staged(data, stages, context)
    }

    fn contributions(&self, data: &View, context: &Context) -> Option<Result<Vec<Contributions>>> {
        self.answering().contributions(data, context)
    }

    fn decisions(&self, data: &View, context: &Context) -> Option<Result<Decisions>> {
        self.answering().decisions(data, context)
    }

    fn explain(&self, data: &View, row: usize, most: usize) -> Option<Result<Explanation>> {
        self.answering().explain(data, row, most)
    }

    fn sql(&self, asked: Asked) -> Option<Result<Vec<Expression>>> {
        self.answering().sql(asked)
    }

    fn view(&self, name: &str, asked: Asked, seen: Option<&Seen>) -> Option<Result<String>> {
        self.answering().view(name, asked, seen)
    }

    fn reads_one_table(&self) -> bool {
        self.models.iter().all(|model| model.reads_one_table())
    }

    fn members(&self) -> Option<&[Box<dyn Model>]> {
        (self.models.len() > 1).then_some(&self.models)
    }

    fn pick(&self, member: usize) -> Option<Box<dyn Model>> {
        let own = self.kept.get(member)?.clone();
        // A model is copied by writing it: there is no other way to hold nothing of the others.
        let mut sections = Sections::new();
        self.models[member]
            .write(&mut sections.scope(&scope(0)))
            .ok()?;
        let stored = Stored::from_bytes(sections.to_bytes().ok()?).ok()?;
        let model = learners()
            .find(&own.learner)
            .and_then(|entry| entry.model(&stored.scope(&scope(0))))
            .ok()?;
        Some(Box::new(Self {
            report: self.report.clone(),
            kept: vec![own],
            models: vec![model],
        }))
    }

    fn drawing(&self) -> Option<Drawing> {
        self.answering().drawing()
    }

    fn sums(&self) -> Option<Vec<SumDrawn>> {
        self.answering().sums()
    }

    fn visited(&self, data: &View, position: usize) -> Result<Option<Vec<(usize, u32, f64)>>> {
        self.answering().visited(data, position)
    }
}
