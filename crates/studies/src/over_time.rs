//! Benchmarks over time: tasks on one database, by the rolling and the frozen protocol, for several
//! learners beside published figures of other methods.
//!
//! Beside the two protocols stands a leak made on purpose: every cutoff a month late, so that rows
//! see what is to be predicted of them. Where its scores are not better, the protocol would show
//! nothing.

mod seeds;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use std::time::Instant;

use kinwood_evaluation::study::{Cell, Verdict};
use kinwood_evaluation::summary::FoldSummary;
use kinwood_learners::{Context, Error as LearnerError, Registry};
use kinwood_values::Notice;
use kinwood_values::datetime;
use kinwood_workbench::data::{Choices, Problem};
use kinwood_workbench::error::{Error, Result};
use kinwood_workbench::fingerprint::fingerprint;
use kinwood_workbench::held_out::{Freeze, HoldOut, evaluate_held_out};
use kinwood_workbench::time::TimeChoices;
use kinwood_workbench::{Opening, open};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::reproduce::Reproduction;
use crate::results::{Folder, fold};
use seeds::{Scored, SeedLine, seed_table};

/// The benchmarks that come with Kinwood: name and text.
const BENCHMARKS: [(&str, &str); 1] = [("rel-f1", include_str!("../../../studies/rel-f1.toml"))];

/// How late the cutoffs of the leak are: a month.
const LATE: i64 = 30 * 86_400_000;

/// A benchmark over time.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Benchmark {
    /// The name, as in `kinwood reproduce NAME`.
    pub name: String,
    /// What the table shows.
    pub title: String,
    /// Where tasks and figures come from.
    pub reference: String,
    /// The folder of the tables, below that of all benchmarks.
    pub folder: String,
    /// How many seeds each learner is fitted with.
    pub seeds: usize,
    /// The tasks.
    pub tasks: Vec<BenchmarkTask>,
    /// The learners.
    pub learners: Vec<BenchmarkLearner>,
    /// Figures of other methods.
    pub published: Vec<PublishedMethod>,
}

/// A task: a file of rows with `split`, `date`, what names the object, and the target.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BenchmarkTask {
    /// The heading.
    pub name: String,
    /// The file, below the folder of all benchmarks.
    pub file: String,
    /// The target's column.
    pub target: String,
    /// What is measured.
    pub measure: String,
}

/// A learner with its settings.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BenchmarkLearner {
    /// The heading.
    pub name: String,
    /// The learner.
    pub learner: String,
    /// The learner of numbers, if it is another.
    #[serde(default)]
    pub numbers: Option<String>,
    /// Settings that differ from its defaults.
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
}

/// Figures of another method, in the order of the tasks.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedMethod {
    /// The protocol that they are by.
    pub protocol: String,
    /// The method.
    pub name: String,
    /// Its figures.
    pub figures: Vec<f64>,
}

/// By what rows see, and how their dates are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Protocol {
    Rolling,
    Frozen,
    Leak,
}

impl Protocol {
    const ALL: [Protocol; 3] = [Protocol::Rolling, Protocol::Frozen, Protocol::Leak];

    fn name(self) -> &'static str {
        match self {
            Protocol::Rolling => "rolling",
            Protocol::Frozen => "frozen",
            Protocol::Leak => "leak: cutoffs a month late",
        }
    }
}

/// All benchmarks over time.
pub fn benchmarks() -> Result<Vec<Benchmark>> {
    let read = |&(name, text): &(&str, &str)| {
        toml::from_str(text).map_err(|error| Error::Study {
            study: name.to_owned(),
            reason: error.to_string(),
        })
    };
    BENCHMARKS.iter().map(read).collect()
}

impl Benchmark {
    /// Runs it on the files below a folder. What is measured with each seed is kept in a results
    /// folder, if there is one, and what it has is not computed anew.
    pub fn run(
        &self,
        folder: &Path,
        registry: &Registry,
        context: &Context,
        results: Option<&Folder>,
    ) -> Result<(Reproduction, Vec<Notice>)> {
        let mut notices = Vec::new();
        let mut lines: Vec<SeedLine<'_>> = Vec::new();
        let learners: Vec<&BenchmarkLearner> = self
            .learners
            .iter()
            .filter(|learner| {
                let known = registry.find(&learner.learner).is_ok();
                if !known {
                    notices.push(Notice::new(format!(
                        "there is no learner `{}`: its figures are left out",
                        learner.learner
                    )));
                }
                known
            })
            .collect();
        let steps = Protocol::ALL.len() * self.tasks.len() * learners.len();
        let running = context.progress(&self.name, steps as u64);
        let quiet = context.quietly();
        let mut cells = Vec::new();
        for protocol in Protocol::ALL {
            let mut by_task = Vec::new();
            for task in &self.tasks {
                let problem = self.problem(task, protocol, folder)?;
                let mut figures = Vec::new();
                for learner in &learners {
                    let of = (task, *learner, protocol);
                    let found = self.figure(of, &problem, registry, &quiet, results);
                    running.advance(1);
                    figures.push(match found {
                        Ok(scored) => {
                            let tests: Vec<Option<f64>> =
                                scored.iter().map(|(_, scored)| scored.test).collect();
                            let summary = FoldSummary::of(&tests);
                            lines.extend(scored.into_iter().map(|(seed, scored)| SeedLine {
                                protocol: protocol.name(),
                                task: &task.name,
                                learner: &learner.name,
                                seed,
                                scored,
                            }));
                            (summary.mean, summary.sd)
                        }
                        Err(Error::Learners(
                            error @ (LearnerError::Interrupted | LearnerError::OutOfTime),
                        )) => return Err(error.into()),
                        Err(error) => {
                            notices.push(Notice::new(format!(
                                "{}, {}, {}: {error}",
                                protocol.name(),
                                task.name,
                                learner.name
                            )));
                            (None, None)
                        }
                    });
                }
                by_task.push(figures);
            }
            for (place, learner) in learners.iter().enumerate() {
                for (task, figures) in self.tasks.iter().zip(&by_task) {
                    let (ours, sd) = figures[place];
                    let verdict = match ours {
                        Some(_) => Verdict::NoFigure,
                        None => Verdict::NoData,
                    };
                    cells.push(cell(
                        protocol,
                        &learner.name,
                        task,
                        (ours, sd),
                        None,
                        verdict,
                    ));
                }
            }
            for method in &self.published {
                if method.protocol != protocol.name() {
                    continue;
                }
                for (task, figure) in self.tasks.iter().zip(&method.figures) {
                    let figure = Some(*figure);
                    let none = (None, None);
                    cells.push(cell(
                        protocol,
                        &method.name,
                        task,
                        none,
                        figure,
                        Verdict::NoData,
                    ));
                }
            }
        }
        if let Some(results) = results {
            results.write(
                &format!("tables/{}-seeds.csv", self.name),
                &seed_table(&lines),
            )?;
        }
        let notes = vec![format!("published: {}", self.reference)];
        let decimals = vec![3; Protocol::ALL.len()];
        let table = Reproduction::of_cells(&self.name, &self.title, cells, notes, decimals);
        Ok((table, notices))
    }

    /// The problem of a task: its rows as the table `task` beside the others.
    fn problem(&self, task: &BenchmarkTask, protocol: Protocol, folder: &Path) -> Result<Problem> {
        let lacking = |path: &Path| Error::StudyData {
            study: self.name.clone(),
            folder: folder.display().to_string(),
            lacking: vec![format!("{}, of the benchmark", path.display())],
        };
        let together = tempfile::tempdir().map_err(no_room)?;
        let tables = folder.join(&self.folder);
        let entries = fs::read_dir(&tables).map_err(|_| lacking(&tables))?;
        for entry in entries.flatten() {
            let into = together.path().join(entry.file_name());
            fs::copy(entry.path(), into).map_err(no_room)?;
        }
        let file = folder.join(&task.file);
        let text = fs::read_to_string(&file).map_err(|_| lacking(&file))?;
        let text = match protocol {
            Protocol::Leak => later(&text),
            _ => text,
        };
        fs::write(together.path().join("task.csv"), text).map_err(no_room)?;
        let roles = vec![("task.split".to_owned(), kinwood_values::Role::Fold)];
        let opening = Opening {
            roles: roles.clone(),
            ..Opening::default()
        };
        let data = open(together.path(), &opening)?;
        let choices = Choices {
            roles,
            targets: vec![format!("task.{}", task.target)],
            time: TimeChoices {
                as_of: Some("task.date".to_owned()),
                ..TimeChoices::default()
            },
            ..Choices::default()
        };
        Ok(data.problem(&choices)?.0)
    }

    /// What is measured with each seed. A learner without chance says the same whatever the seed:
    /// where two seeds have one score, there are no more.
    fn figure(
        &self,
        (task, learner, protocol): (&BenchmarkTask, &BenchmarkLearner, Protocol),
        problem: &Problem,
        registry: &Registry,
        context: &Context,
        results: Option<&Folder>,
    ) -> Result<Vec<(u64, Scored)>> {
        let numeric = problem.targets.iter().all(|&target| {
            let column = &problem.view.table().attribute(target).column;
            column.numbers().is_some()
        });
        let name = match &learner.numbers {
            Some(numbers) if numeric => numbers,
            _ => &learner.learner,
        };
        let settings: Vec<(String, String)> = learner.settings.clone().into_iter().collect();
        let hold_out = HoldOut {
            column: "task.split".to_owned(),
            freeze: match protocol {
                Protocol::Frozen => Freeze::First,
                _ => Freeze::Rolling,
            },
            refit: false,
            repeats: 1,
        };
        let log = match results {
            Some(results) => {
                let called = format!("{} {} {name}", protocol.name(), task.name);
                let identity = identity(problem, protocol, (name, &settings), &task.measure);
                Some(results.log(&called, &identity)?.0)
            }
            None => None,
        };
        let mut scores: Vec<(u64, Scored)> = Vec::new();
        for repeat in 0..self.seeds.max(1) as u64 {
            let seed = context.seed().wrapping_add(repeat);
            let known = log.as_ref().and_then(|log| log.get(&seed.to_string()));
            let known = known.and_then(|kept| serde_json::from_value::<Scored>(kept.clone()).ok());
            let scored = match known {
                Some(known) => known,
                None => {
                    let begun = Instant::now();
                    let context = context.clone().with_seed(seed);
                    let data = &self.name;
                    let report = evaluate_held_out(
                        registry, name, &settings, problem, &hold_out, data, &context,
                    )?;
                    let scored = Scored {
                        validation: report.validation(&task.measure),
                        test: report.test(&task.measure),
                        seconds: begun.elapsed().as_secs_f64(),
                    };
                    if let Some(log) = &log {
                        log.put(&seed.to_string(), &json!(scored))?;
                    }
                    scored
                }
            };
            scores.push((seed, scored));
            let same = |(_, other): &(u64, Scored)| {
                (other.validation, other.test) == (scored.validation, scored.test)
            };
            if scores.len() == 2 && scores.iter().all(same) {
                break;
            }
        }
        Ok(scores)
    }
}

/// What decides a score.
fn identity(
    problem: &Problem,
    protocol: Protocol,
    (learner, settings): (&str, &[(String, String)]),
    measure: &str,
) -> Value {
    let view = &problem.view;
    json!({
        "kinwood": env!("CARGO_PKG_VERSION"),
        "data": fingerprint(view.database()),
        "targets": problem.target_names(),
        "as_of": view.as_of().map(|as_of| fold::seen(view, as_of)),
        "protocol": protocol.name(),
        "learner": learner,
        "settings": settings,
        "measure": measure,
    })
}

fn cell(
    protocol: Protocol,
    row: &str,
    task: &BenchmarkTask,
    (ours, sd): (Option<f64>, Option<f64>),
    paper: Option<f64>,
    verdict: Verdict,
) -> Cell {
    Cell {
        row: row.to_owned(),
        group: Some(protocol.name().to_owned()),
        column: task.name.clone(),
        ours,
        sd,
        paper,
        verdict,
        why: Vec::new(),
    }
}

fn no_room(source: std::io::Error) -> Error {
    Error::Write {
        file: std::env::temp_dir().display().to_string(),
        source,
    }
}

/// The rows of a task with every date a month later.
fn later(text: &str) -> String {
    let mut dates = None;
    let mut later = String::with_capacity(text.len());
    for line in text.lines() {
        let mut cells: Vec<String> = line.split(',').map(str::to_owned).collect();
        match dates {
            None => dates = cells.iter().position(|cell| cell == "date"),
            Some(place) => {
                if let Some(date) = cells.get(place).and_then(|cell| datetime::parse(cell).ok()) {
                    cells[place] = datetime::print(date + LATE);
                }
            }
        }
        later += &cells.join(",");
        later.push('\n');
    }
    later
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn benchmarks_hold_together() {
        for benchmark in benchmarks().unwrap() {
            for method in &benchmark.published {
                assert_eq!(method.figures.len(), benchmark.tasks.len());
                let known = Protocol::ALL.iter().any(|p| p.name() == method.protocol);
                assert!(known, "{}", method.protocol);
            }
        }
    }

    #[test]
    fn the_leak_has_later_dates() {
        let text = "split,date,driverId,y\ntrain,2004-12-15,3,1\n";
        assert_eq!(later(text), "split,date,driverId,y\ntrain,2005-01-14,3,1\n");
    }
}
