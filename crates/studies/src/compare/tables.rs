//! The tables of a comparison: scores, wins, tests, times; and the diagram of critical differences.

use std::collections::BTreeSet;

use kinwood_evaluation::measures::Measure;
use serde_json::{Map, Value, json};

use super::figures::figure;
use super::leaderboard::Leaderboard;
use super::outcome::{Cell, Outcome};
use super::scores::Scores;
use super::verdicts::Verdicts;
use crate::results::Folder;
use kinwood_pages::Drawing;
use kinwood_pages::critical_difference;
use kinwood_pages::page::Page;
use kinwood_pages::sheet::{Entry, Form, Line, Sheet};
use kinwood_workbench::error::Result;

/// The tables and pictures of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    title: String,
    command: String,
    /// The tables, those of scores first.
    pub sheets: Vec<Sheet>,
    /// How long each learner took on each data set: no two runs have the same.
    pub seconds: Sheet,
    /// Pictures, each with a name for its file and what it shows.
    pub pictures: Vec<(String, String, Drawing)>,
}

impl Outcome {
    /// The tables and pictures of the comparison.
    pub fn tables(&self) -> Result<Tables> {
        let mut tables = Tables {
            title: match self.title() {
                "" => "Comparison".to_owned(),
                title => title.to_owned(),
            },
            command: self.command().to_owned(),
            seconds: seconds_sheet(self),
            ..Tables::default()
        };
        for scores in Scores::of(self)? {
            if self.has_leaderboard() {
                let data = scores.data.iter();
                let boards = data.filter_map(|&data| Leaderboard::new(&scores, data));
                tables.sheets.extend(boards.map(|board| board.sheet()));
            }
            let verdicts = Verdicts::of(&scores)?;
            tables.sheets.push(scores_sheet(&scores, &verdicts));
            tables.sheets.extend(verdicts.sheets(&scores));
            if let Some(ranked) = verdicts.ranked(&scores) {
                let name = format!("critical-difference-{}", scores.measure.key());
                let title = format!("Critical differences of mean ranks by {}", scores.measure);
                tables
                    .pictures
                    .push((name, title, critical_difference::svg(&ranked)));
            }
        }
        tables.sheets.extend(chosen_sheet(self));
        tables.sheets.extend(failures_sheet(self));
        Ok(tables)
    }

    /// The comparison as programs read it; `docs/json.md` is its contract.
    pub fn to_json(&self) -> Result<Value> {
        let mut cells = Vec::new();
        for (data, shown) in self.data().iter().enumerate() {
            for (learner, contender) in self.learners().iter().enumerate() {
                let mut cell = Map::new();
                cell.insert("data".into(), shown.name.clone().into());
                cell.insert("learner".into(), contender.name.clone().into());
                match self.cell(data, learner) {
                    Cell::Failed(told) => {
                        cell.insert("failed".into(), told.clone().into());
                    }
                    Cell::Scored {
                        evaluation,
                        seconds,
                        chosen,
                    } => {
                        let by_measure = |values: Vec<Option<f64>>| -> Map<String, Value> {
                            let names = evaluation.measures.iter().cloned();
                            names.zip(values.into_iter().map(Value::from)).collect()
                        };
                        let summaries = || evaluation.summaries.iter();
                        let means = by_measure(summaries().map(|s| s.mean).collect());
                        let deviations = by_measure(summaries().map(|s| s.sd).collect());
                        cell.insert("folds".into(), evaluation.folds.len().into());
                        cell.insert("mean".into(), means.into());
                        cell.insert("sd".into(), deviations.into());
                        cell.insert(
                            "pooled".into(),
                            by_measure(evaluation.pooled.clone()).into(),
                        );
                        cell.insert("seconds".into(), json!(seconds));
                        if !chosen.is_empty() {
                            cell.insert("chosen".into(), chosen.clone().into());
                        }
                    }
                }
                cells.push(Value::Object(cell));
            }
        }
        let (mut tests, mut boards) = (Vec::new(), Vec::new());
        for scores in Scores::of(self)? {
            if self.has_leaderboard() {
                let data = scores.data.iter();
                let own = data.filter_map(|&data| Leaderboard::new(&scores, data));
                boards.extend(own.map(|board| board.to_json()));
            }
            tests.push(Verdicts::of(&scores)?.to_json(&scores));
        }
        let names = |names: Vec<String>| names;
        let mut shown = json!({
            "title": self.title(),
            "command": self.command(),
            "seed": self.seed(),
            "data": names(self.data().iter().map(|data| data.name.clone()).collect()),
            "learners": names(self.learners().iter().map(|l| l.name.clone()).collect()),
            "cells": cells,
            "tests": tests,
        });
        if self.has_leaderboard() {
            shown["leaderboards"] = boards.into();
        }
        Ok(shown)
    }
}

impl Tables {
    /// All tables in a form: text and documents one after the other, a page as a whole.
    pub fn written(&self, form: Form) -> String {
        if form == Form::Html {
            return self.html();
        }
        let sheets: Vec<String> = self
            .sheets
            .iter()
            .map(|sheet| sheet.written(form))
            .collect();
        sheets.join("\n")
    }

    /// One page with all tables and pictures.
    pub fn html(&self) -> String {
        let mut page = Page::new(&self.title);
        page.heading(&self.title);
        for sheet in &self.sheets {
            page.sheet(sheet);
        }
        for (_, title, drawing) in &self.pictures {
            page.drawing(title, drawing);
        }
        page.command("To make it again", &self.command);
        page.written()
    }

    /// Writes all tables in all forms, and the pictures, into a results folder; those of an earlier
    /// comparison that are no more go.
    pub fn keep(&self, folder: &Folder) -> Result<()> {
        let mut files = Vec::new();
        for sheet in self.sheets.iter().chain([&self.seconds]) {
            for form in Form::ALL {
                let text = match form {
                    Form::Html => {
                        let mut page = Page::new(&sheet.title);
                        page.sheet(sheet);
                        page.written()
                    }
                    form => sheet.written(form),
                };
                files.push((format!("{}.{}", sheet.name, form.ending()), text));
            }
        }
        for (name, _, drawing) in &self.pictures {
            files.push((format!("{name}.svg"), drawing.alone()));
        }
        files.push(("index.html".to_owned(), self.html()));
        let written: BTreeSet<&String> = files.iter().map(|(name, _)| name).collect();
        for name in every_name() {
            if !written.contains(&name) {
                folder.remove(&format!("tables/{name}"))?;
            }
        }
        for (name, text) in &files {
            folder.write(&format!("tables/{name}"), text)?;
        }
        Ok(())
    }
}

/// The names of all files of tables that a comparison can have.
fn every_name() -> Vec<String> {
    let measures = Measure::all().into_iter().map(Measure::key);
    let of_measure = measures.clone().flat_map(|key| {
        [
            key.to_owned(),
            format!("{key}-wins"),
            format!("{key}-tests"),
        ]
    });
    let others = ["mcnemar", "failed", "chosen", "seconds"].map(str::to_owned);
    let tables = of_measure
        .chain(others)
        .flat_map(|name| Form::ALL.map(|form| format!("{name}.{}", form.ending())));
    let pictures = measures.map(|key| format!("critical-difference-{key}.svg"));
    tables.chain(pictures).collect()
}

/// The mean scores, the best of each line marked, each tested against the first learner.
fn scores_sheet(scores: &Scores<'_>, verdicts: &Verdicts) -> Sheet {
    let outcome = scores.outcome;
    let learners = 0..outcome.learners().len();
    let mut headings = vec!["data".to_owned()];
    headings.extend(
        outcome
            .learners()
            .iter()
            .map(|learner| learner.name.clone()),
    );
    let mut pooled = false;
    let mut lines = Vec::new();
    for (place, &data) in scores.data.iter().enumerate() {
        let means: Vec<Option<f64>> = learners.clone().map(|l| scores.mean(data, l)).collect();
        let best = means
            .iter()
            .flatten()
            .copied()
            .reduce(|a, b| if scores.measure.better(b, a) { b } else { a });
        let entries = learners.clone().map(|learner| {
            let Some(mean) = means[learner] else {
                let failed = matches!(outcome.cell(data, learner), Cell::Failed(_));
                return Entry::new(if failed { "failed" } else { "-" });
            };
            Entry {
                text: figure(mean),
                spread: scores.sd(data, learner).map(figure),
                best: best == Some(mean),
                mark: verdicts.mark(place, learner),
            }
        });
        lines.push(Line {
            heading: outcome.data()[data].name.clone(),
            entries: entries.collect(),
            summary: false,
        });
        pooled |= learners
            .clone()
            .any(|learner| scores.is_pooled(data, learner));
    }
    lines.extend(verdicts.summary_lines(scores));
    let mut notes = vec![verdicts.said(scores)];
    if pooled {
        notes.push(
            "figures without a deviation are of all folds together: no fold alone defines the measure"
                .to_owned(),
        );
    }
    let description = scores.measure.description();
    Sheet {
        name: scores.measure.key().to_owned(),
        title: format!(
            "{}: mean and standard deviation over folds",
            description.title
        ),
        headings,
        lines,
        notes,
    }
}

/// The seconds that all folds took.
fn seconds_sheet(outcome: &Outcome) -> Sheet {
    let mut headings = vec!["data".to_owned()];
    headings.extend(
        outcome
            .learners()
            .iter()
            .map(|learner| learner.name.clone()),
    );
    let line = |(data, shown): (usize, &super::DataShown)| {
        let entries =
            (0..outcome.learners().len()).map(|learner| match outcome.cell(data, learner) {
                Cell::Scored { seconds, .. } => Entry::new(format!("{seconds:.2}")),
                Cell::Failed(_) => Entry::new("-"),
            });
        Line {
            heading: shown.name.clone(),
            entries: entries.collect(),
            summary: false,
        }
    };
    Sheet {
        name: "seconds".to_owned(),
        title: "Seconds of all folds together, on this machine and as busy as it was".to_owned(),
        headings,
        lines: outcome.data().iter().enumerate().map(line).collect(),
        notes: Vec::new(),
    }
}

/// What learners that choose have chosen, and on how many folds.
fn chosen_sheet(outcome: &Outcome) -> Option<Sheet> {
    let mut lines = Vec::new();
    for (data, shown) in outcome.data().iter().enumerate() {
        for (learner, contender) in outcome.learners().iter().enumerate() {
            let Cell::Scored { chosen, .. } = outcome.cell(data, learner) else {
                continue;
            };
            let mut counts: Vec<(&String, usize)> = Vec::new();
            for one in chosen {
                match counts.iter_mut().find(|(known, _)| *known == one) {
                    Some((_, count)) => *count += 1,
                    None => counts.push((one, 1)),
                }
            }
            // The sort is stable: of equals the first chosen stands first.
            counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
            let told = counts.iter().map(|(one, count)| format!("{one} ({count})"));
            let told = told.collect::<Vec<_>>().join(", ");
            if !told.is_empty() {
                lines.push(Line {
                    heading: shown.name.clone(),
                    entries: vec![Entry::new(contender.name.clone()), Entry::new(told)],
                    summary: false,
                });
            }
        }
    }
    (!lines.is_empty()).then(|| Sheet {
        name: "chosen".to_owned(),
        title: "Settings chosen by inner folds, and on how many outer folds".to_owned(),
        headings: ["data", "learner", "chosen"].map(str::to_owned).into(),
        lines,
        notes: Vec::new(),
    })
}

/// What failed, and why.
fn failures_sheet(outcome: &Outcome) -> Option<Sheet> {
    let lines: Vec<Line> = outcome
        .failures()
        .into_iter()
        .map(|(data, learner, told)| Line {
            heading: data.name.clone(),
            entries: vec![Entry::new(learner.name.clone()), Entry::new(told)],
            summary: false,
        })
        .collect();
    (!lines.is_empty()).then(|| Sheet {
        name: "failed".to_owned(),
        title: "Learners that failed, or have not been run to the end".to_owned(),
        headings: ["data", "learner", "why"].map(str::to_owned).into(),
        lines,
        notes: Vec::new(),
    })
}
