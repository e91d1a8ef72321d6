//! `kinwood report`: a model and what it does as one page.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use kinwood::compare::Outcome;
use kinwood::evaluate::evaluate;
use kinwood::output::save;
use kinwood::report::{Asked, Report as Page, Rows, html, of_model, of_results};
use kinwood::{Data, Problem, Trained};
use kinwood_values::View;
use serde_json::json;

use crate::arguments::{Dividing, Reading, Seeing, StatedReading};
use crate::error::{Error, Result};
use crate::loading::{load_model, load_rows};
use crate::provenance::Words;
use crate::session::Session;

/// The arguments of `kinwood report`.
#[derive(Args, Debug)]
pub struct Report {
    /// The model file, or the results folder of `kinwood compare`
    #[arg(value_name = "MODEL|RESULTS", value_hint = ValueHint::AnyPath)]
    model: PathBuf,
    /// The HTML page to write
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: PathBuf,
    /// Show values, performance, distances and predictions of this data
    #[arg(long, value_name = "DATA", value_hint = ValueHint::AnyPath)]
    data: Option<PathBuf>,
    /// Explain the prediction of this row, named by its key or its number; may be repeated; typical
    /// rows and the worst mistakes if nothing is said
    #[arg(long = "row", value_name = "KEY", requires = "data")]
    named: Vec<String>,
    /// Only rows of the data that satisfy this, such as "subset = 188"
    #[arg(long, value_name = "CONDITION", requires = "data")]
    rows: Option<String>,
    /// Do not evaluate the learner on the data
    #[arg(long, conflicts_with_all = ["folds", "split", "fold_column", "repeats", "apart", "leave_one_out", "by_time"])]
    no_evaluation: bool,
    #[command(flatten)]
    stated: StatedReading,
    #[command(flatten)]
    seeing: Seeing,
    #[command(flatten)]
    dividing: Dividing,
}

impl Report {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        let mut sources = vec![self.model.as_path()];
        sources.extend(self.data.as_deref());
        if self.data.is_none() && self.dividing.any() {
            return Err(Error::NothingToDivide);
        }
        session.check_output(&self.output, &sources)?;
        let command = self.command(session.context.seed());
        if self.model.is_dir() {
            return self.of_results(&command, session);
        }
        let trained = load_model(&self.model, session)?;
        let read = match &self.data {
            Some(_) => Some(load_rows(&self.reading(), &trained, session)?),
            None => None,
        };
        let evaluated = match &read {
            Some((data, rows)) if !self.no_evaluation => {
                Some(self.evaluated(&trained, data, rows, session)?)
            }
            _ => None,
        };
        let rows = read.as_ref().map(|(data, conformed)| Rows {
            conformed,
            source: data.source(),
        });
        let asked = Asked {
            rows: &self.named,
            command: &command,
            evaluation: evaluated.as_ref().map(|report| &report.evaluation),
            baseline: evaluated
                .as_ref()
                .and_then(|report| report.baseline.as_ref()),
        };
        let report = of_model(&trained, rows, &asked, &session.context)?;
        session.note(&session.context.counted());
        self.write(&report, session)
    }

    /// The report of a results folder.
    fn of_results(&self, command: &str, session: &mut Session<'_>) -> Result<()> {
        if self.data.is_some() {
            return Err(Error::ResultsHaveData {
                path: self.model.clone(),
            });
        }
        let outcome = Outcome::read(&self.model)?;
        self.write(&of_results(&outcome, command)?, session)
    }

    fn write(&self, report: &Page<'_>, session: &mut Session<'_>) -> Result<()> {
        let page = html(report);
        session.check()?;
        save(&self.output, |out| out.write_all(page.as_bytes()))?;
        match session.json {
            true => session.print_json(&json!({
                "file": self.output.display().to_string(),
                "sections": report.sections(),
            })),
            false => session.print(&format!("wrote {}\n", self.output.display())),
        }
    }

    fn reading(&self) -> Reading {
        Reading {
            data: self.data.clone().unwrap_or_default(),
            rows: self.rows.clone(),
            stated: self.stated.clone(),
            seeing: self.seeing.clone(),
        }
    }

    /// The model's learner with its settings, evaluated anew on the rows.
    fn evaluated(
        &self,
        trained: &Trained,
        data: &Data,
        rows: &View,
        session: &mut Session<'_>,
    ) -> Result<kinwood::Report> {
        let problem = Problem {
            view: rows.clone(),
            targets: trained.targets().to_vec(),
            rows: self.rows.clone(),
            timing: trained.timing().cloned(),
        };
        let division = self.dividing.division(data)?;
        let report = evaluate(
            session.registry,
            trained.learner(),
            trained.settings(),
            &problem,
            division.as_ref(),
            data.source(),
            &session.context,
        )?;
        session.note(&report.notices);
        Ok(report)
    }

    /// The command that makes the report again.
    fn command(&self, seed: u64) -> String {
        let mut words = Words::new(&["report"]);
        words.word(&self.model.display().to_string());
        words.option("-o", &Some(self.output.display()));
        words.option("--data", &self.data.as_ref().map(|_| self.reading().word()));
        for row in &self.named {
            words.option("--row", &Some(row));
        }
        words.option("--rows", &self.rows);
        self.stated.write_options(&mut words);
        self.seeing.write_options(&mut words);
        if self.no_evaluation {
            words.word("--no-evaluation");
        }
        self.dividing.write_options(&mut words);
        words.option("--seed", &Some(seed));
        words.finish()
    }
}
