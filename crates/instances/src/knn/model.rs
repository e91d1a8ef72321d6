//! The model: the stored rows, the distance between rows, and how queries are answered.

use kinwood_learning::facts::{Comparison, ModelFacts};
use kinwood_similarity::row::StoredRow;
use kinwood_similarity::{
    Bound, Error as SimilarityError, FittedRow, Measured, Missing, Neighbour, Registry, RowDistance,
};
use kinwood_values::View;
use kinwood_values::container::{Sections, Stored, invalid};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::choose;
use super::filter::{Filter, InstanceFilter};
use super::vote::{NeighbourWeights, Vote};
use crate::ballot::{self, Voter};
use crate::search::Search;
use kinwood_learning::context::Context;
use kinwood_learning::error::{Error, Result};
use kinwood_learning::examples::{DEEPEST, Examples};
use kinwood_learning::explanation::Explanation;
use kinwood_learning::model::{Model, Near};
use kinwood_learning::predictions::Predictions;
use kinwood_learning::task::Task;

/// What a model is declared by: enough to make it anew from its rows.
#[derive(Clone)]
pub struct Declared {
    /// How neighbours vote.
    pub vote: Vote,
    /// The largest number of neighbours that was tried, where their number was chosen.
    pub chosen_up_to: Option<usize>,
    /// How many rows are left out to choose it, drawn at random; `None` for all.
    pub left_out: Option<usize>,
    /// The distance as it was asked for.
    pub distance: RowDistance,
}

/// The stored rows and the distance between rows.
pub struct Neighbours {
    declared: Declared,
    fitted: FittedRow,
    /// What is known of the stored rows, where not all were kept.
    filter: Option<Filter>,
    stored: Examples,
    /// Those of the stored rows that answer, and their numbers among them; all where there are
    /// none.
    answering: Examples,
    numbers: Option<Vec<u32>>,
    /// For each target the prediction where no neighbour knows it: class shares, or the mean alone.
    fallbacks: Vec<Vec<f64>>,
}

/// What a file keeps beside the rows.
#[derive(Serialize, Deserialize)]
struct Description {
    vote: Vote,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    chosen_up_to: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    filter: Option<Filter>,
    /// The distance as it was asked for, to fit it anew when rows are added.
    declared: String,
    missing: Missing,
    fitted: StoredRow,
}

/// The classes of the only target, by row; nothing where there is another target, or a row without
/// a class.
fn classes(examples: &Examples) -> Option<Vec<u32>> {
    let mut targets = examples.targets();
    let (target, None) = (targets.next()?, targets.next()) else {
        return None;
    };
    (0..examples.len())
        .map(|row| target.column.code(row))
        .collect()
}

impl Neighbours {
    /// The model of some rows: `k` is chosen, if it is to be, and rows are left out, if some are to
    /// be.
    pub fn fit(
        mut declared: Declared,
        filter: Option<InstanceFilter>,
        examples: Examples,
        context: &Context,
    ) -> Result<Self> {
        let fitted = fit_distance(&declared, &examples)?;
        if let Some(most) = declared.chosen_up_to {
            let weights = declared.vote.weights;
            let rows = choose::left_out(examples.len(), declared.left_out, context);
            declared.vote.k =
                choose::neighbours(&examples, &fitted, weights, most, &rows, context)?;
        }
        let Some(rule) = filter else {
            return Self::with(declared, fitted, None, examples);
        };
        let filter = Filter::new(rule, context.seed());
        Self::filtered(declared, fitted, filter, examples, context)
    }

    /// The model of rows of which the first were kept already, and of the others only some are to
    /// be.
    fn filtered(
        declared: Declared,
        fitted: FittedRow,
        mut filter: Filter,
        examples: Examples,
        context: &Context,
    ) -> Result<Self> {
        let classes = classes(&examples).ok_or_else(|| Error::AppendedData {
            reason: "a filter looks at rows of known class".to_owned(),
        })?;
        let kept = match fitted.bind(examples.rows(), examples.rows())? {
            Bound::Real(pairs) => filter.look(&*pairs, &classes, context)?,
            Bound::Term(pairs) => filter.look(&*pairs, &classes, context)?,
        };
        let examples = examples.only(&kept)?;
        Self::with(declared, fitted, Some(filter), examples)
    }

    fn with(
        declared: Declared,
        fitted: FittedRow,
        filter: Option<Filter>,
        stored: Examples,
    ) -> Result<Self> {
        let numbers = match (&filter, classes(&stored)) {
            (Some(filter), Some(classes)) => Some(filter.answering(&classes)),
            _ => None,
        };
        let answering = match &numbers {
            Some(rows) if rows.len() < stored.len() => stored.only(rows)?,
            _ => stored.clone(),
        };
        Ok(Self {
            fallbacks: ballot::fallbacks(&answering),
            declared,
            fitted,
            filter,
            stored,
            answering,
            numbers,
        })
    }

    fn voters(&self, search: &Search, query: usize) -> Vec<Voter> {
        let vote = self.declared.vote;
        vote.voters(&self.answering, &search.nearest(query, vote.reach()))
    }

    /// What a row that answers is called: its number among the training rows, from 1.
    fn number(&self, row: usize) -> usize {
        match (&self.numbers, &self.filter) {
            (Some(numbers), Some(filter)) => filter.records[numbers[row] as usize].row as usize,
            _ => row + 1,
        }
    }

    /// Reads a model, trusting nothing.
    pub fn read(stored: &Stored) -> Result<Self> {
        let description: Description = stored.json("neighbours")?;
        let examples = Examples::read(stored)?;
        let wrong =
            |reason: &str| -> Error { invalid(stored.full_name("neighbours"), reason).into() };
        if description.vote.k == 0 || description.chosen_up_to == Some(0) {
            return Err(wrong("no neighbours"));
        }
        // Deeper than the setting allows, a circle of keys would be followed for ever.
        if description.fitted.reading.deeper_than(DEEPEST) {
            return Err(wrong(
                "rows compared over more foreign keys than can be asked for",
            ));
        }
        let declared = Declared {
            vote: description.vote,
            chosen_up_to: description.chosen_up_to,
            left_out: None,
            distance: RowDistance {
                expression: description.declared.parse()?,
                missing: description.missing,
                depth: description.fitted.reading.depth().unwrap_or(0),
            },
        };
        let fitted = FittedRow::from_stored(&description.fitted, Registry::known())?;
        check_votes(&declared, &fitted)?;
        if examples.rows().type_of() != *fitted.distance().of() {
            return Err(wrong("rows that the distance does not measure"));
        }
        let sound = |filter: &Filter| filter.sound(examples.len()) && classes(&examples).is_some();
        if !description.filter.as_ref().is_none_or(sound) {
            return Err(wrong("records of other rows than those stored"));
        }
        Self::with(declared, fitted, description.filter, examples)
    }

    /// Stores more rows. Without a filter ranges are taken anew, and the model is the one fitted on
    /// all rows with the same `k`; with one the rows before are gone, and ranges stay as they were.
    fn take(&mut self, task: &Task) -> Result<()> {
        let more = self.fitted.rows(task.view())?;
        let examples = self.stored.and(&more, task)?;
        let declared = self.declared.clone();
        *self = match &self.filter {
            Some(filter) => {
                let (fitted, filter) = (self.fitted.clone(), filter.clone());
                Self::filtered(declared, fitted, filter, examples, &Context::new())?
            }
            None => {
                let fitted = fit_distance(&declared, &examples)?;
                Self::with(declared, fitted, None, examples)?
            }
        };
        Ok(())
    }
}

fn fit_distance(declared: &Declared, examples: &Examples) -> Result<FittedRow> {
    let registry = Registry::known();
    let fitted = declared
        .distance
        .fit_on(examples.rows(), "training", registry)?;
    check_votes(declared, &fitted)?;
    Ok(fitted)
}

/// Fails where votes are weighed by distances that are no numbers.
fn check_votes(declared: &Declared, fitted: &FittedRow) -> Result<()> {
    let weights = declared.vote.weights;
    if weights != NeighbourWeights::Uniform && fitted.distance().pair_valued() {
        return Err(Error::Similarity(SimilarityError::PairValued {
            measure: declared.distance.expression.name.clone(),
            within: format!("`knn` with weights={}", weights.name()),
        }));
    }
    Ok(())
}

impl Model for Neighbours {
    fn predict(&self, data: &View, context: &Context) -> Result<Predictions> {
        let rows = self.fitted.rows(data)?;
        let search = Search::new(&self.fitted, &rows, self.answering.rows())?;
        ballot::predict(
            &self.answering,
            &self.fallbacks,
            data.len(),
            context,
            |query| self.voters(&search, query),
            |_, _| {},
        )
    }

    fn write(&self, sections: &mut Sections) -> Result<()> {
        let description = Description {
            vote: self.declared.vote,
            chosen_up_to: self.declared.chosen_up_to,
            filter: self.filter.clone(),
            declared: self.declared.distance.expression.to_string(),
            missing: self.declared.distance.missing,
            fitted: self.fitted.stored(),
        };
        sections.put_json("neighbours", &description)?;
        self.stored.write(sections)
    }

    fn show(&self) -> String {
        let votes = match self.declared.vote.weights {
            NeighbourWeights::Uniform => "equal",
            NeighbourWeights::Inverse => "inverse-distance",
            NeighbourWeights::Kernel => "kernel-weighted",
        };
        let mut text = format!(
            "{} nearest of {} stored rows, {votes} votes\n",
            self.declared.vote.k,
            self.answering.len(),
        );
        if let Some(most) = self.declared.chosen_up_to {
            text += &format!("k: chosen by leave-one-out from 1 to {most}\n");
        }
        if let Some(filter) = &self.filter {
            text += &format!(
                "filter {}: kept {} of {} rows",
                filter.rule.name(),
                self.stored.len(),
                filter.seen()
            );
            text += &match filter.rule {
                InstanceFilter::Ib2 => "\n".to_owned(),
                InstanceFilter::Ib3 => format!(", {} of them answer\n", self.answering.len()),
            };
        }
        text += &format!(
            "distance: {}\nover: {}\n",
            self.fitted.distance().expression(),
            self.fitted.fields().collect::<Vec<_>>().join(", "),
        );
        text
    }

    fn to_json(&self) -> serde_json::Value {
        let mut json = json!({
            "k": self.declared.vote.k,
            "weights": self.declared.vote.weights.name(),
            "rows": self.answering.len(),
            "targets": self.stored.target_names(),
            "distance": self.fitted.stored(),
        });
        if let Some(most) = self.declared.chosen_up_to {
            json["chosen"] = json!({"by": "leave-one-out", "from": 1, "to": most});
        }
        if let Some(filter) = &self.filter {
            json["filter"] = json!({
                "rule": filter.rule.name(),
                "seen": filter.seen(),
                "kept": self.stored.len(),
                "answering": self.answering.len(),
            });
        }
        json
    }

    fn facts(&self) -> ModelFacts {
        ModelFacts {
            compares: Some(Comparison::Distance(self.fitted.stored().expression)),
            ..ModelFacts::default()
        }
    }

    fn neighbours(
        &self,
        data: &View,
        count: usize,
        context: &Context,
    ) -> Option<Result<Vec<Vec<Near>>>> {
        let found = || {
            let rows = self.fitted.rows(data)?;
            let search = Search::new(&self.fitted, &rows, self.answering.rows())?;
            let near = |neighbour: &Neighbour<Measured>| match neighbour.distance {
                Measured::Number(distance) => Ok(Near {
                    row: self.number(neighbour.reference) as u32 - 1,
                    distance,
                }),
                Measured::Pair(_) => Err(Error::Similarity(SimilarityError::PairValued {
                    measure: self.declared.distance.expression.name.clone(),
                    within: "distances to neighbours".to_owned(),
                })),
            };
            let running = context.progress("comparing rows", data.len() as u64);
            context.install(|| {
                let queries = (0..data.len()).into_par_iter().map(|query| {
                    context.check()?;
                    running.advance(1);
                    search.nearest(query, count).iter().map(near).collect()
                });
                queries.collect()
            })
        };
        Some(found())
    }

    fn append(&mut self, task: &Task) -> Option<Result<()>> {
        Some(self.take(task))
    }

    fn explain(&self, data: &View, row: usize, most: usize) -> Option<Result<Explanation>> {
        let told = || {
            let asked = self.fitted.rows(&data.select(&[row as u32]))?;
            let search = Search::new(&self.fitted, &asked, self.answering.rows())?;
            let voters = self.voters(&search, 0);
            Ok(ballot::explain(
                &self.answering,
                &self.fallbacks,
                (&asked, 0),
                most,
                |_| voters.clone(),
                |row| self.number(row),
            ))
        };
        Some(told())
    }
}
