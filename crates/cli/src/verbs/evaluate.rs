//! `kinwood evaluate`: how well a learner, or a model, predicts rows it has not seen.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use kinwood::evaluate::evaluate;
use kinwood::held_out::{
    Freeze, HeldOutReport, evaluate_held_out, evaluate_model, parts, rows_among,
};
use kinwood::output::{folds_table, is_csv, save_answers, save_table};
use kinwood::{Origin, Trained};
use kinwood_values::Table;

use crate::arguments::pairs::setting;
use crate::arguments::{Adjusting, Dividing, HoldingOut, Reading, Roles, TestRows};
use crate::error::{Error, Result};
use crate::loading::{
    in_terms_of, load_all_rows, load_model, load_problem, load_rows, load_to_conform,
};
use crate::session::Session;

/// The arguments of `kinwood evaluate`.
#[derive(Args, Debug)]
pub struct Evaluate {
    /// The learner, of those that `kinwood learners` lists; or a model file, which is measured as
    /// it is
    #[arg(value_name = "LEARNER")]
    learner: String,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    roles: Roles,
    /// A setting of the learner, such as k=3; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    settings: Vec<(String, String)>,
    #[command(flatten)]
    adjusting: Adjusting,
    #[command(flatten)]
    dividing: Dividing,
    #[command(flatten)]
    holding_out: HoldingOut,
    #[command(flatten)]
    testing: TestRows,
    /// Write what was predicted of each test row of the folds to this file, by its ending: CSV,
    /// Parquet, JSON …
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

impl Evaluate {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        if let Some(path) = &self.output {
            session.check_output(path, &self.reading.sources())?;
            check_ending(path, session)?;
            let model = session.registry.find(&self.learner).is_err();
            if model || self.testing.test.is_some() || self.holding_out.any() {
                return Err(Error::NoFolds);
            }
        }
        if session.registry.find(&self.learner).is_err() && is_model(&self.learner) {
            return self.of_model(session);
        }
        let stated = [self.settings.clone(), self.adjusting.settings()].concat();
        let settings = session.settings(&self.learner, &stated)?;
        let mut roles = self.dividing.roles();
        roles.extend(self.holding_out.roles());
        let (reading, freeze) = self.protocol()?;
        if let Some(file) = &self.testing.test {
            return self.of_file(file, &settings, session);
        }
        let (data, problem) = load_problem(&reading, &self.roles, &roles, session)?;
        if let Some(hold_out) = self.holding_out.hold_out(freeze, self.dividing.repeats) {
            let report = evaluate_held_out(
                session.registry,
                &self.learner,
                &settings,
                &problem,
                &hold_out,
                data.source(),
                &session.context,
            )?;
            return tell(&report, session);
        }
        let division = self.dividing.division(&data)?;
        let report = evaluate(
            session.registry,
            &self.learner,
            &settings,
            &problem,
            division.as_ref(),
            data.source(),
            &session.context,
        )?;
        session.note(&report.notices);
        session.note(&session.context.counted());
        if let Some(path) = &self.output {
            session.check()?;
            let table = folds_table(&problem.view, &problem.targets, &report.evaluation)?;
            save(path, table, session)?;
        }
        match session.json {
            true => return session.print_json(&report.to_json()),
            false => session.print(&report.to_text())?,
        }
        match &self.output {
            Some(path) => session.print(&format!("wrote {}\n", path.display())),
            None => Ok(()),
        }
    }

    /// The rows of a file are predicted by a model of all rows of the data.
    fn of_file(
        &self,
        file: &Path,
        settings: &[(String, String)],
        session: &mut Session<'_>,
    ) -> Result<()> {
        let (data, problem) = load_problem(&self.reading, &self.roles, &[], session)?;
        let origin = Origin {
            command: String::new(),
            data: data.source().to_owned(),
        };
        let (trained, notices) = Trained::fit(
            session.registry,
            &self.learner,
            settings,
            &problem,
            &origin,
            &session.context,
        )?;
        session.note(&notices);
        session.check()?;
        let reading = Reading {
            data: file.to_owned(),
            ..self.reading.clone()
        };
        let rows = load_to_conform(&reading, session)?;
        let rows = rows_among(rows, &data, problem.view.table().name())?;
        let (rows, conformed) = in_terms_of(rows, &reading, &trained, session)?;
        let report = evaluate_model(&trained, &conformed, None, rows.source(), &session.context)?;
        tell(&report, session)
    }

    /// A model that is there is measured on rows of data.
    fn of_model(&self, session: &mut Session<'_>) -> Result<()> {
        let idle = [
            ("--set", !self.settings.is_empty()),
            ("--interval", self.adjusting.interval.is_some()),
            ("--calibrate", self.adjusting.calibrate.is_some()),
            ("--test", self.testing.test.is_some()),
            ("--refit", self.holding_out.refit),
            ("--target", !self.roles.targets.is_empty()),
            ("--role", !self.roles.roles.is_empty()),
            ("--ignore", !self.roles.ignore.is_empty()),
        ];
        let divided = self.dividing.any().then_some("a division of rows");
        let idle = idle.into_iter().find(|(_, stated)| *stated);
        if let Some(what) = idle.map(|(flag, _)| flag).or(divided) {
            return Err(Error::ModelIsFitted { what });
        }
        let trained = load_model(Path::new(&self.learner), session)?;
        let (reading, freeze) = self.protocol()?;
        let hold_out = self.holding_out.hold_out(freeze, None);
        // A column that says what rows are for stands in place of the model's own condition.
        let load = match hold_out {
            Some(_) => load_all_rows,
            None => load_rows,
        };
        let (data, conformed) = load(&reading, &trained, session)?;
        let divided = match &hold_out {
            Some(hold_out) => {
                // The model need not know the column that divides the rows.
                let rows = data.view(trained.table_in(data.database())?, None)?;
                let rows = rows.select(&conformed.rows().collect::<Vec<_>>());
                Some((hold_out, parts(&rows, &hold_out.column)?))
            }
            None => None,
        };
        let report = evaluate_model(
            &trained,
            &conformed,
            divided,
            data.source(),
            &session.context,
        )?;
        tell(&report, session)
    }
}

/// Whether a word names a model file rather than a learner.
fn is_model(word: &str) -> bool {
    let path = Path::new(word);
    path.extension().is_some_and(|ending| ending == "kin") || path.is_file()
}

fn tell(report: &HeldOutReport, session: &mut Session<'_>) -> Result<()> {
    session.note(&report.notices);
    session.note(&session.context.counted());
    match session.json {
        true => session.print_json(&report.to_json()),
        false => session.print(&report.to_text()),
    }
}

impl Evaluate {
    /// How the data is read, and from when on validation and test rows see nothing. One date is for
    /// all rows, and said of the data.
    fn protocol(&self) -> Result<(Reading, Freeze)> {
        let mut reading = self.reading.clone();
        let stated = reading.seeing.freeze.as_deref();
        let by_parts = stated.is_some_and(|stated| stated == "first" || stated.contains(','));
        match (&self.holding_out.split_column, stated) {
            (Some(_), Some(stated)) if by_parts => {
                let freeze = stated.parse()?;
                reading.seeing.freeze = None;
                Ok((reading, freeze))
            }
            (None, Some(_)) if by_parts => Err(Error::FreezeWithoutParts),
            _ => Ok((reading, Freeze::Rolling)),
        }
    }
}

/// Fails early when predictions cannot be written in the form that the ending names.
pub(super) fn check_ending(path: &Path, session: &Session<'_>) -> Result<()> {
    if !is_csv(path) {
        kinwood::formats::write::check(path, session.force).map_err(kinwood::Error::from)?;
    }
    Ok(())
}

/// Writes a table of predictions by the ending of the file.
pub(super) fn save(path: &Path, table: Table, session: &mut Session<'_>) -> Result<()> {
    if is_csv(path) {
        return Ok(save_table(path, &table)?);
    }
    let written = save_answers(path, table, session.force)?;
    session.note(&written.notices);
    Ok(())
}
