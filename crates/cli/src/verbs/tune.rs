//! `kinwood tune`: settings chosen by cross-validation, what the choice is worth, and curves over
//! settings and training rows.

use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args, ValueHint};
use kinwood::curves::{Curve, Over, curve};
use kinwood::evaluation::attempts::Portion;
use kinwood::evaluation::measures::Measure;
use kinwood::evaluation::tune::{Grid, INNER_FOLDS};
use kinwood::held_out::{Freeze, HoldOut};
use kinwood::output::save;
use kinwood::tune::{Search, Tuning, tune, tune_held_out};
use kinwood::{Data, Origin, Problem, Trained};
use kinwood_values::{Notice, Role};

use super::fit::command;
use crate::arguments::pairs::{measure, portions, setting};
use crate::arguments::{Dividing, Reading, Roles};
use crate::error::Result;
use crate::loading::load_problem;
use crate::session::Session;

/// The portions of a learning curve when nobody says.
const PORTIONS: &str = "0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1";

/// Portions of training rows, one argument altogether.
#[derive(Clone, Debug)]
struct Portions(Vec<Portion>);

impl Portions {
    fn read(text: &str) -> std::result::Result<Self, String> {
        portions(text).map(Portions)
    }
}

/// The arguments of `kinwood tune`.
#[derive(Args, Debug)]
#[command(group(ArgGroup::new("what").required(true).args(["tries", "curve", "learning_curve"])))]
pub struct Tune {
    /// The learner; `kinwood learners` lists them
    #[arg(value_name = "LEARNER")]
    learner: String,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    roles: Roles,
    /// A setting that stays as it is, such as k=3; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    settings: Vec<(String, String)>,
    /// Values of a setting to choose among, such as "k=1|3|5", k=1..9 or c=log:0.01..100/5; may be
    /// repeated for all combinations
    #[arg(long = "try", value_name = "NAME=VALUES", value_parser = setting)]
    tries: Vec<(String, String)>,
    /// Draw so many combinations at random instead of trying all; a range such as log:0.01..100
    /// then needs no steps
    #[arg(long, value_name = "N", conflicts_with_all = ["curve", "learning_curve"])]
    random: Option<usize>,
    /// Choose by so many inner folds of the training rows
    #[arg(long, value_name = "N", default_value_t = INNER_FOLDS)]
    inner_folds: usize,
    /// Choose on all rows only, without telling what the choice is worth on others
    #[arg(long, conflicts_with_all = ["curve", "learning_curve"])]
    no_estimate: bool,
    /// Fit the choice on all rows and write the model to this file
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["curve", "learning_curve"])]
    output: Option<PathBuf>,
    /// What is measured, such as log_loss; accuracy of classes, rmse of numbers, auprc of sets of
    /// labels unless said otherwise; may be repeated, for targets of several kinds
    #[arg(long = "measure", value_name = "MEASURE", value_parser = measure)]
    measures: Vec<Measure>,
    /// Measure each value of one setting on the same splits, such as "blend=0..1/11"
    #[arg(long, value_name = "NAME=VALUES", value_parser = setting, help_heading = "Curves")]
    curve: Option<(String, String)>,
    /// Measure with more and more training rows: shares or numbers of them, separated by commas;
    /// tenths if nothing is said
    #[arg(long, value_name = "SHARES", num_args = 0..=1, require_equals = true, default_missing_value = PORTIONS, value_parser = Portions::read, help_heading = "Curves")]
    learning_curve: Option<Portions>,
    /// Tell the score on training rows too
    #[arg(long, conflicts_with = "tries", help_heading = "Curves")]
    training: bool,
    /// Look at the models of a set one by one, as is always done for the trees of a beam
    #[arg(long, conflicts_with = "tries", help_heading = "Curves")]
    members: bool,
    /// Tell how long fitting took, which is never the same
    #[arg(long, conflicts_with = "tries", help_heading = "Curves")]
    seconds: bool,
    /// Draw the curve into this SVG file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "tries", help_heading = "Curves")]
    svg: Option<PathBuf>,
    /// Write the table of candidates or points to this CSV file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    csv: Option<PathBuf>,
    #[command(flatten)]
    dividing: Dividing,
    /// Choose by the validation rows that this column names, and test the choice on the test rows
    /// that it names: train, val or validation, test
    #[arg(long, value_name = "[TABLE.]COLUMN", help_heading = "Training and test rows", conflicts_with_all = ["folds", "split", "fold_column", "repeats", "apart", "leave_one_out", "by_time", "curve", "learning_curve", "output", "no_estimate"])]
    split_column: Option<String>,
}

impl Tune {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        for path in [&self.output, &self.svg, &self.csv].into_iter().flatten() {
            session.check_output(path, &self.reading.sources())?;
        }
        match self.over()? {
            Some(over) => self.draw(over, session),
            None => self.search(session),
        }
    }

    fn search(&self, session: &mut Session<'_>) -> Result<()> {
        let mut grid = Grid::new();
        for (name, values) in &self.tries {
            grid = grid.with(name, values).map_err(kinwood::Error::from)?;
        }
        let search = Search {
            learner: self.learner.clone(),
            fixed: self.fixed(session)?,
            grid,
            random: self.random,
            inner_folds: self.inner_folds,
            measures: self.measures.clone(),
        };
        // What is wrong with a candidate is told before a large file is read.
        search.tuned(session.registry, session.context.seed())?;
        if let Some(column) = &self.split_column {
            return self.search_held_out(&search, column, session);
        }
        let (data, problem) = self.load(session)?;
        let division = self.dividing.division(&data)?;
        let tuning = tune(
            session.registry,
            &search,
            &problem,
            division.as_ref(),
            !self.no_estimate,
            data.source(),
            &session.context,
        )?;
        session.note(&tuning.notices);
        session.note(&session.context.counted());
        self.keep(&tuning, &data, &problem, session)?;
        write(self.csv.as_deref(), || tuning.to_csv())?;
        if session.json {
            let mut report = tuning.to_json();
            if let Some(path) = &self.output {
                report["file"] = path.display().to_string().into();
            }
            return session.print_json(&report);
        }
        session.print(&tuning.to_text())?;
        match &self.output {
            Some(path) => session.print(&format!("wrote {}\n", path.display())),
            None => Ok(()),
        }
    }

    /// Chooses by validation rows, and tests the choice.
    fn search_held_out(
        &self,
        search: &Search,
        column: &str,
        session: &mut Session<'_>,
    ) -> Result<()> {
        let stated = self.reading.seeing.freeze.as_deref();
        let by_parts = stated.filter(|stated| *stated == "first" || stated.contains(','));
        let mut reading = self.reading.clone();
        let freeze = match by_parts {
            Some(stated) => {
                reading.seeing.freeze = None;
                stated.parse()?
            }
            None => Freeze::Rolling,
        };
        let roles = [(column.to_owned(), Role::Fold)];
        let (data, problem) = load_problem(&reading, &self.roles, &roles, session)?;
        let hold_out = HoldOut {
            column: column.to_owned(),
            freeze,
            ..HoldOut::default()
        };
        let (registry, source) = (session.registry, data.source());
        let context = session.context.clone();
        let tuning = tune_held_out(registry, search, &problem, &hold_out, source, &context)?;
        session.note(&tuning.notices);
        session.note(&session.context.counted());
        write(self.csv.as_deref(), || tuning.to_csv())?;
        match session.json {
            true => session.print_json(&tuning.to_json()),
            false => session.print(&tuning.to_text()),
        }
    }

    /// Fits the choice on all rows and writes the model, where that is asked: a model as
    /// `kinwood fit` makes it.
    fn keep(
        &self,
        tuning: &Tuning,
        data: &Data,
        problem: &Problem,
        session: &mut Session<'_>,
    ) -> Result<()> {
        let Some(path) = &self.output else {
            return Ok(());
        };
        let settings = tuning.settings();
        let mut roles = self.roles.clone();
        roles.roles.extend(self.dividing.roles());
        let seed = session.context.seed();
        let origin = Origin {
            command: command(&self.learner, &self.reading, &roles, &settings, seed),
            data: data.source().to_owned(),
        };
        let (trained, notices) = Trained::fit(
            session.registry,
            &self.learner,
            &settings,
            problem,
            &origin,
            &session.context,
        )?;
        session.note(&notices);
        match session.context.was_cut_short() {
            true => session.note(&[Notice::new(
                "stopped before the search was done: the model is what was found so far",
            )]),
            false => session.check()?,
        }
        trained.save(path)?;
        session.was_interrupted()
    }

    fn draw(&self, over: Over, session: &mut Session<'_>) -> Result<()> {
        let asked = Curve {
            learner: self.learner.clone(),
            fixed: self.fixed(session)?,
            over,
            measures: self.measures.clone(),
            training: self.training,
            members: self.members,
            seconds: self.seconds,
        };
        asked.check(session.registry)?;
        let (data, problem) = self.load(session)?;
        let division = self.dividing.division(&data)?;
        let report = curve(
            session.registry,
            &asked,
            &problem,
            division.as_ref(),
            data.source(),
            &session.context,
        )?;
        session.note(&report.notices);
        session.note(&session.context.counted());
        write(self.svg.as_deref(), || report.drawing().alone())?;
        write(self.csv.as_deref(), || report.to_csv())?;
        match session.json {
            true => session.print_json(&report.to_json()),
            false => session.print(&report.to_text()),
        }
    }

    /// What a curve is over; nothing for a search.
    fn over(&self) -> Result<Option<Over>> {
        if let Some((name, values)) = &self.curve {
            let grid = Grid::new().with(name, values);
            let points = grid.and_then(|grid| grid.combinations());
            let values = points.map_err(kinwood::Error::from)?.into_iter();
            return Ok(Some(Over::Setting {
                name: name.clone(),
                values: values.flatten().map(|(_, value)| value).collect(),
            }));
        }
        let portions = self.learning_curve.as_ref();
        Ok(portions.map(|portions| Over::Rows(portions.0.clone())))
    }

    /// The settings that stay: what `kinwood.toml` says of others than those that are tried, then
    /// the command line.
    fn fixed(&self, session: &Session<'_>) -> Result<Vec<(String, String)>> {
        let varied = |name: &str| {
            let mut tried = self.tries.iter().chain(&self.curve);
            tried.any(|(other, _)| other == name)
        };
        let mut fixed = session.settings(&self.learner, &self.settings)?;
        fixed.retain(|pair| self.settings.contains(pair) || !varied(&pair.0));
        Ok(fixed)
    }

    fn load(&self, session: &mut Session<'_>) -> Result<(Data, Problem)> {
        let folds: Vec<(String, Role)> = self.dividing.roles();
        load_problem(&self.reading, &self.roles, &folds, session)
    }
}

/// Writes a file, where one is asked for.
fn write(path: Option<&Path>, content: impl FnOnce() -> String) -> Result<()> {
    match path {
        Some(path) => Ok(save(path, |out| out.write_all(content().as_bytes()))?),
        None => Ok(()),
    }
}
