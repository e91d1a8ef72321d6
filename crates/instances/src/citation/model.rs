//! The model: the stored rows, and for each how far it looks for those it cites.

use kinwood_learning::facts::{Comparison, ModelFacts};
use kinwood_similarity::row::StoredRow;
use kinwood_similarity::{FittedRow, Measured, Missing, Pairs, Registry, RowDistance};
use kinwood_values::container::{Sections, Stored, invalid};
use kinwood_values::{Attribute, View};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::ballot::{self, Voter, opinion};
use kinwood_learning::context::Context;
use kinwood_learning::error::{Error, Result};
use kinwood_learning::examples::{DEEPEST, Examples};
use kinwood_learning::explanation::Explanation;
use kinwood_learning::model::Model;
use kinwood_learning::predictions::Predictions;
use kinwood_learning::task::Task;

/// What the winner of a tie gets beside its votes, as a share of all: enough to win, too little to
/// matter otherwise.
const CASTING: f64 = 1e-6;

/// What a stored row votes as.
const REFERENCE: &str = "reference";
const CITER: &str = "citer";
const BOTH: &str = "reference, citer";

/// What a model is declared by: enough to make it anew from its rows.
#[derive(Clone)]
pub struct Declared {
    /// How many of the nearest vote.
    pub references: usize,
    /// Among how many of its nearest a voter counts the row asked about.
    pub citers: usize,
    /// The class that wins ties it has a part in.
    pub ties: Option<String>,
    /// The distance, bags and all.
    pub distance: RowDistance,
}

/// The stored rows and how far each looks.
pub struct Bags {
    declared: Declared,
    fitted: FittedRow,
    stored: Examples,
    /// The distance of each row to the last of those it cites among the others: whatever is as
    /// near, it cites.
    reaches: Vec<f64>,
    fallbacks: Vec<Vec<f64>>,
}

/// What a file keeps beside the rows and their reaches.
#[derive(Serialize, Deserialize)]
struct Description {
    references: usize,
    citers: usize,
    ties: Option<String>,
    /// The distance as it was asked for, to fit it anew when rows are added.
    declared: String,
    missing: Missing,
    fitted: StoredRow,
}

impl Bags {
    /// The model of some rows.
    ///
    /// Cost: a distance for each pair of rows, both ways; a query then takes one for each row.
    pub fn fit(declared: Declared, stored: Examples, context: &Context) -> Result<Self> {
        let registry = Registry::known();
        let fitted = declared
            .distance
            .fit_on(stored.rows(), "training", registry)?;
        // A query is compared with the stored rows once, and the answer read both ways.
        if !fitted.laws().symmetric {
            return Err(Error::SettingValue {
                name: "distance".to_owned(),
                value: declared.distance.expression.to_string(),
                expected: "a distance that is the same in both directions".to_owned(),
                nearest: None,
            });
        }
        let reaches = reaches(&stored, &fitted, declared.citers, context)?;
        Ok(Self::with(declared, fitted, stored, reaches))
    }

    fn with(declared: Declared, fitted: FittedRow, stored: Examples, reaches: Vec<f64>) -> Self {
        Self {
            declared,
            fitted,
            fallbacks: ballot::fallbacks(&stored),
            stored,
            reaches,
        }
    }

    /// The voters on a query, the nearest first, ties by index.
    ///
    /// A row of weight 2 stands for two: as a reference it fills two places, or the one that is
    /// left.
    fn voters(&self, pairs: &dyn Pairs<f64>, query: usize) -> Vec<Voter> {
        let mut distances = vec![0.0; self.stored.len()];
        pairs
            .prepare(query)
            .fill(0..self.stored.len(), &mut distances);
        let mut order: Vec<usize> = (0..distances.len()).collect();
        order.sort_by(|&a, &b| distances[a].total_cmp(&distances[b]).then(a.cmp(&b)));
        let mut places = self.declared.references as f64;
        let mut voters = Vec::new();
        for row in order {
            let weight = self.stored.weight(row);
            let refers = places > 0.0;
            let cites = distances[row] <= self.reaches[row];
            let votes = if refers { weight.min(places) } else { 0.0 };
            places -= votes;
            if refers || cites {
                voters.push(Voter {
                    row,
                    weight: votes + if cites { weight } else { 0.0 },
                    distance: Measured::Number(distances[row]),
                    role: Some(match (refers, cites) {
                        (true, true) => BOTH,
                        (true, false) => REFERENCE,
                        _ => CITER,
                    }),
                });
            }
        }
        voters
    }

    /// Breaks a tie of classes: the nearest voter of the class that is to win has the casting vote.
    fn settle(&self, target: &Attribute, voters: &mut [Voter]) {
        let Some((_, classes)) = target.column.codes() else {
            return;
        };
        let Some(votes) = opinion(target, voters) else {
            return;
        };
        let most = votes.iter().copied().fold(0.0, f64::max);
        let tied = |class: u32| votes[class as usize] == most;
        if (0..votes.len() as u32).filter(|&class| tied(class)).count() < 2 {
            return;
        }
        let named = self.declared.ties.as_deref();
        let named = named
            .and_then(|label| classes.code(label))
            .filter(|&class| tied(class));
        let wins = |voter: &&mut Voter| {
            let class = target.column.code(voter.row);
            class.is_some_and(|class| named.map_or(tied(class), |named| class == named))
        };
        if let Some(voter) = voters.iter_mut().find(wins) {
            voter.weight += CASTING * votes.iter().sum::<f64>();
        }
    }

    /// Reads a model, trusting nothing.
    pub fn read(stored: &Stored) -> Result<Self> {
        let description: Description = stored.json("citations")?;
        let examples = Examples::read(stored)?;
        let reaches = stored.f64s("reaches")?;
        let wrong =
            |reason: &str| -> Error { invalid(stored.full_name("citations"), reason).into() };
        // Deeper than the setting allows, a circle of keys would be followed for ever.
        if description.fitted.reading.deeper_than(DEEPEST) {
            return Err(wrong(
                "rows compared over more foreign keys than can be asked for",
            ));
        }
        if description.references == 0 || reaches.len() != examples.len() {
            return Err(wrong("no references, or reaches of other rows"));
        }
        let fitted = FittedRow::from_stored(&description.fitted, Registry::known())?;
        if examples.rows().type_of() != *fitted.distance().of()
            || fitted.distance().pair_valued()
            || !fitted.laws().symmetric
        {
            return Err(wrong("rows that the distance does not measure"));
        }
        let declared = Declared {
            references: description.references,
            citers: description.citers,
            ties: description.ties,
            distance: RowDistance {
                expression: description.declared.parse()?,
                missing: description.missing,
                depth: description.fitted.reading.depth().unwrap_or(0),
            },
        };
        Ok(Self::with(declared, fitted, examples, reaches))
    }

    /// Stores more rows and takes ranges and reaches anew: the model is the one fitted on all rows.
    fn take(&mut self, task: &Task) -> Result<()> {
        let more = self.fitted.rows(task.view())?;
        let examples = self.stored.and(&more, task)?;
        *self = Self::fit(self.declared.clone(), examples, &Context::new())?;
        Ok(())
    }
}

/// How far each row looks for those it cites: the distance of the last of its nearest others; no
/// matter how far where there are too few.
fn reaches(
    stored: &Examples,
    fitted: &FittedRow,
    citers: usize,
    context: &Context,
) -> Result<Vec<f64>> {
    let rows = stored.len();
    if citers == 0 {
        return Ok(vec![f64::NEG_INFINITY; rows]);
    }
    let pairs = fitted.bind_real(stored.rows(), stored.rows(), "`citation_knn`")?;
    let running = context.progress("looking for citations", rows as u64);
    let reach = |row: usize| {
        context.check()?;
        let mut distances = vec![0.0; rows];
        pairs.prepare(row).fill(0..rows, &mut distances);
        let mut others: Vec<(f64, f64)> = distances
            .into_iter()
            .enumerate()
            .map(|(other, distance)| {
                let weight = stored.weight(other);
                // A row of weight 2 stands for two, each of which is another to the other.
                let weight = if other == row { weight - 1.0 } else { weight };
                (distance, weight)
            })
            .filter(|&(_, weight)| weight > 0.0)
            .collect();
        others.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut places = citers as f64;
        let last = others.iter().find(|(_, weight)| {
            places -= weight;
            places <= 0.0
        });
        running.advance(1);
        Ok(last.map_or(f64::INFINITY, |(distance, _)| *distance))
    };
    context.install(|| (0..rows).into_par_iter().map(reach).collect())
}

impl Model for Bags {
    fn predict(&self, data: &View, context: &Context) -> Result<Predictions> {
        let rows = self.fitted.rows(data)?;
        let pairs = self
            .fitted
            .bind_real(&rows, self.stored.rows(), "`citation_knn`")?;
        ballot::predict(
            &self.stored,
            &self.fallbacks,
            data.len(),
            context,
            |query| self.voters(&*pairs, query),
            |target, voters| self.settle(target, voters),
        )
    }

    fn write(&self, sections: &mut Sections) -> Result<()> {
        let description = Description {
            references: self.declared.references,
            citers: self.declared.citers,
            ties: self.declared.ties.clone(),
            declared: self.declared.distance.expression.to_string(),
            missing: self.declared.distance.missing,
            fitted: self.fitted.stored(),
        };
        sections.put_json("citations", &description)?;
        sections.put_f64("reaches", &self.reaches)?;
        self.stored.write(sections)
    }

    fn show(&self) -> String {
        format!(
            "{} references and the citers among whose {} nearest a row is, of {} stored rows\nties: {}\ndistance: {}\nover: {}\n",
            self.declared.references,
            self.declared.citers,
            self.stored.len(),
            self.declared.ties.as_deref().unwrap_or("the nearest voter"),
            self.fitted.distance().expression(),
            self.fitted.fields().collect::<Vec<_>>().join(", "),
        )
    }

    fn to_json(&self) -> serde_json::Value {
        json!({
            "references": self.declared.references,
            "citers": self.declared.citers,
            "ties": self.declared.ties,
            "rows": self.stored.len(),
            "targets": self.stored.target_names(),
            "distance": self.fitted.stored(),
        })
    }

    fn facts(&self) -> ModelFacts {
        ModelFacts {
            compares: Some(Comparison::Distance(self.fitted.stored().expression)),
            ..ModelFacts::default()
        }
    }

    fn append(&mut self, task: &Task) -> Option<Result<()>> {
        Some(self.take(task))
    }

    fn explain(&self, data: &View, row: usize, most: usize) -> Option<Result<Explanation>> {
        let told = || {
            let asked = self.fitted.rows(&data.select(&[row as u32]))?;
            let pairs = self
                .fitted
                .bind_real(&asked, self.stored.rows(), "`citation_knn`")?;
            let found = self.voters(&*pairs, 0);
            let voters = |target: &Attribute| {
                let mut voters = found.clone();
                self.settle(target, &mut voters);
                voters
            };
            Ok(ballot::explain(
                &self.stored,
                &self.fallbacks,
                (&asked, 0),
                most,
                voters,
                |row| row + 1,
            ))
        };
        Some(told())
    }
}
