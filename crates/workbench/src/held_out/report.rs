//! What came of an evaluation on rows that are held out, for people and programs.

use kinwood_evaluation::parts::{Frozen, HeldOut, PartScores};
use kinwood_evaluation::summary::FoldSummary;
use kinwood_text::{Align, TextTable};
use kinwood_values::notice::counted;
use kinwood_values::{Notice, datetime};
use serde_json::{Map, Value, json};

use crate::output::{settings_json, targets_json};

/// An evaluation on rows that are held out, with what it was an evaluation of.
#[derive(Clone, Debug)]
pub struct HeldOutReport {
    /// The learner.
    pub learner: String,
    /// Every setting.
    pub settings: Vec<(String, String)>,
    /// What the data was read from.
    pub data: String,
    /// The targets.
    pub targets: Vec<String>,
    /// The column that divides the rows, if one does.
    pub column: Option<String>,
    /// How many training rows there are.
    pub train: usize,
    /// Whether the model that is tested was fitted on validation rows too.
    pub refit: bool,
    /// After which instants the parts see nothing.
    pub frozen: Frozen,
    /// Whether these instants are dates.
    pub(super) dated: bool,
    /// What came of it, a seed.
    pub runs: Vec<Run>,
    /// What was decided without being asked.
    pub notices: Vec<Notice>,
}

/// What came of it with one seed.
#[derive(Clone, Debug)]
pub struct Run {
    /// The seed.
    pub seed: u64,
    /// What came of it.
    pub outcome: HeldOut,
}

/// One of the parts of which there are scores.
type Part = fn(&HeldOut) -> Option<PartScores<'_>>;

const PARTS: [(&str, Part); 2] = [("validation", HeldOut::validation), ("test", HeldOut::test)];

impl HeldOutReport {
    /// The mean over seeds of a measure on validation rows.
    pub fn validation(&self, measure: &str) -> Option<f64> {
        self.mean(HeldOut::validation, measure)
    }

    /// The mean over seeds of a measure on test rows.
    pub fn test(&self, measure: &str) -> Option<f64> {
        self.mean(HeldOut::test, measure)
    }

    /// The standard deviation over seeds of a measure on test rows; none of a single seed.
    pub fn test_sd(&self, measure: &str) -> Option<f64> {
        let place = self.measures().iter().position(|name| name == measure)?;
        self.summary(HeldOut::test, place).sd
    }

    /// The measures, in their order.
    pub fn measures(&self) -> &[String] {
        let first = self.runs.first();
        first.map_or(&[], |run| &run.outcome.evaluation.measures)
    }

    fn mean(&self, part: Part, measure: &str) -> Option<f64> {
        let place = self.measures().iter().position(|name| name == measure)?;
        self.summary(part, place).mean
    }

    fn summary(&self, part: Part, measure: usize) -> FoldSummary {
        let runs = self.runs.iter();
        let scores: Vec<Option<f64>> = runs
            .map(|run| part(&run.outcome).and_then(|part| part.scores[measure]))
            .collect();
        FoldSummary::of(&scores)
    }

    fn rows(&self, part: Part) -> Option<usize> {
        Some(part(&self.runs.first()?.outcome)?.n)
    }

    fn instant(&self, instant: Option<f64>) -> Option<String> {
        let instant = instant?;
        Some(match self.dated {
            true => datetime::print(instant as i64),
            false => instant.to_string(),
        })
    }

    /// The report as programs read it; `docs/json.md` is its contract.
    pub fn to_json(&self) -> Value {
        let by_measure = |values: &mut dyn Iterator<Item = Option<f64>>| -> Map<String, Value> {
            let names = self.measures().iter().cloned();
            names.zip(values.map(Value::from)).collect()
        };
        let frozen = self.frozen != Frozen::default();
        let frozen = frozen.then(|| {
            json!({
                "validation": self.instant(self.frozen.validation),
                "test": self.instant(self.frozen.test),
            })
        });
        let chosen = |run: &Run| run.outcome.chosen.as_deref().map(settings_json);
        let mut report = json!({
            "learner": self.learner,
            "settings": settings_json(&self.settings),
            "data": self.data,
            "target": targets_json(&self.targets),
            "seed": self.runs.first().map_or(0, |run| run.seed),
            "split": {
                "column": self.column,
                "train": self.train,
                "validation": self.rows(HeldOut::validation).unwrap_or(0),
                "test": self.rows(HeldOut::test).unwrap_or(0),
                "refit": self.refit,
                "frozen": frozen,
            },
            "chosen": self.runs.first().and_then(chosen),
        });
        for (name, part) in PARTS {
            let Some(n) = self.rows(part) else {
                continue;
            };
            let mut object = Map::new();
            object.insert("n".to_owned(), n.into());
            let places = 0..self.measures().len();
            let mut means = places.map(|place| self.summary(part, place).mean);
            object.extend(by_measure(&mut means));
            report[name] = object.into();
        }
        if self.runs.len() > 1 {
            for (name, part) in PARTS {
                if self.rows(part).is_some() {
                    let places = 0..self.measures().len();
                    let mut sds = places.map(|place| self.summary(part, place).sd);
                    report["sd"][name] = by_measure(&mut sds).into();
                }
            }
            let run = |run: &Run| {
                let mut told = json!({"seed": run.seed, "chosen": chosen(run)});
                for (name, part) in PARTS {
                    if let Some(part) = part(&run.outcome) {
                        let mut scores = part.scores.iter().copied();
                        told[name] = by_measure(&mut scores).into();
                    }
                }
                told
            };
            report["runs"] = self.runs.iter().map(run).collect();
        }
        report
    }

    /// The report as people read it.
    pub fn to_text(&self) -> String {
        let seeds = match self.runs.as_slice() {
            [one] => format!("seed {}", one.seed),
            [first, .., last] => format!("seeds {} to {}", first.seed, last.seed),
            [] => String::new(),
        };
        let mut text = format!(
            "{} on {}, target {}, {seeds}\n",
            self.learner,
            self.data,
            self.targets.join(", "),
        );
        let mut rows = vec![format!("fitted on {}", counted(self.train, "row"))];
        for (name, part) in PARTS {
            if let Some(n) = self.rows(part) {
                rows.push(format!("{n} for {name}"));
            }
        }
        text += &rows.join(", ");
        if self.refit {
            text += "; tested fitted on validation rows too";
        }
        text += "\n";
        let validation = self.instant(self.frozen.validation);
        let test = self.instant(self.frozen.test);
        let frozen: Vec<String> = [("validation", validation), ("test", test)]
            .into_iter()
            .filter_map(|(name, at)| Some(format!("{name} rows see nothing after {}", at?)))
            .collect();
        if !frozen.is_empty() {
            text += &format!("frozen: {}\n", frozen.join(", "));
        }
        let chosen = self
            .runs
            .first()
            .and_then(|run| run.outcome.chosen.as_ref());
        if let Some(chosen) = chosen {
            let pairs: Vec<String> = chosen.iter().map(|(n, v)| format!("{n}={v}")).collect();
            text += &format!("chosen: {}\n", pairs.join(" "));
        }
        text + "\n" + &self.table()
    }

    /// The scores, a measure a line.
    fn table(&self) -> String {
        let several = self.runs.len() > 1;
        let shown: Vec<(&str, Part)> = PARTS
            .into_iter()
            .filter(|(_, part)| self.rows(*part).is_some())
            .collect();
        let mut heading = vec!["measure".to_owned()];
        for (name, _) in &shown {
            heading.push((*name).to_owned());
            if several {
                heading.push("sd".to_owned());
            }
        }
        let aligned = heading.iter().enumerate().map(|(column, _)| match column {
            0 => Align::Left,
            _ => Align::Right,
        });
        let mut table = TextTable::new(aligned.collect::<Vec<_>>());
        for column in 1..heading.len() {
            table = table.at_least(column, 10);
        }
        table.line(heading);
        let number =
            |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.4}"));
        for (place, name) in self.measures().iter().enumerate() {
            let mut line = vec![name.clone()];
            for (_, part) in &shown {
                let summary = self.summary(*part, place);
                line.push(number(summary.mean));
                if several {
                    line.push(number(summary.sd));
                }
            }
            table.line(line);
        }
        table.to_string()
    }
}
