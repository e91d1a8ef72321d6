//! `kinwood compare`: learners on data sets, every fold kept, with tables and tests.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use kinwood::Data;
use kinwood::compare::{self, Asked, Contender, DataAsked, Entered, Outcome, Specification};
use kinwood::evaluate::{Division, plan};
use kinwood::evaluation::measures::Measure;
use kinwood::results::{Folder, Purpose};
use kinwood::sheet::Form;
use kinwood_values::Role;

use crate::arguments::{Dividing, Reading, Roles, Seeing, StatedReading};
use crate::error::{Error, Result};
use crate::loading::load_problem;
use crate::provenance::Words;
use crate::session::Session;

/// The arguments of `kinwood compare`.
#[derive(Args, Debug)]
pub struct Compare {
    /// The learners, such as knn, svm:c=10,kernel=linear or, for one with each value, knn:k=1|3|5;
    /// or a data set alone: learners that suit it are compared, under --time those that there is
    /// time for
    #[arg(value_name = "LEARNER")]
    learners: Vec<String>,
    /// A data set, with the column to predict behind # where that is not clear; may be repeated
    #[arg(long, value_name = "DATA[#TARGET]", value_hint = ValueHint::AnyPath)]
    data: Vec<String>,
    /// Take learners and data sets from this study file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["learners", "data", "target", "ignore", "tune", "inner_folds"])]
    study: Option<PathBuf>,
    /// Keep every fold in this folder, and go on with what it has; alone: show the tables of the
    /// folder again
    #[arg(short = 'o', long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    results: Option<PathBuf>,
    /// The column to predict in every data set that names none
    #[arg(long, value_name = "COLUMN")]
    target: Option<String>,
    /// Columns to leave out of every data set that has them, separated by commas
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    ignore: Vec<String>,
    /// Choose among several values by inner folds of the training rows, instead of comparing them
    #[arg(long)]
    tune: bool,
    /// How many inner folds settings are chosen by; 5 if nothing is said
    #[arg(long, value_name = "N", requires = "tune")]
    inner_folds: Option<usize>,
    #[command(flatten)]
    stated: StatedReading,
    #[command(flatten)]
    seeing: Seeing,
    #[command(flatten)]
    dividing: Dividing,
    #[command(flatten)]
    tables: Tables,
}

/// What tables show.
#[derive(Args, Debug)]
#[command(next_help_heading = "Tables")]
struct Tables {
    /// The measure; accuracy for classes, rmse for numbers and auprc for sets of labels if nothing
    /// is said
    #[arg(long, value_name = "MEASURE")]
    measure: Option<Measure>,
    /// Tell differences with a probability of at most this; 0.05 if nothing is said
    #[arg(long, value_name = "P", value_parser = share)]
    level: Option<f64>,
    /// Differences up to this are of no practical interest; 0.01 if nothing is said
    #[arg(long, value_name = "DIFFERENCE", value_parser = difference)]
    rope: Option<f64>,
    /// Print the tables as text, markdown, latex, csv or html; a results folder has all of them
    #[arg(long, value_name = "FORM", conflicts_with = "json")]
    format: Option<Form>,
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("expected a number between 0 and 1".to_owned()),
    }
}

fn difference(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number >= 0.0 && number.is_finite() => Ok(number),
        _ => Err("expected a number that is not negative".to_owned()),
    }
}

impl Compare {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        let study = match &self.study {
            Some(file) => Some(read_study(file)?),
            None => None,
        };
        let (contenders, data) = match &study {
            Some((study, folder)) => (study.contenders(), below(&study.data, folder)),
            None => match self.only_data() {
                Some(data) => (Vec::new(), data),
                None => (self.contenders()?, self.data_asked()),
            },
        };
        let outcome = match (contenders.is_empty() && data.is_empty(), &self.results) {
            (true, Some(folder)) => {
                let mut outcome = Outcome::read(folder)?;
                self.tables.apply(&mut outcome);
                outcome
            }
            _ => self.compute(
                study.as_ref().map(|(study, _)| study),
                contenders,
                &data,
                session,
            )?,
        };
        let tables = outcome.tables()?;
        match (session.json, self.tables.format) {
            (true, _) => session.print_json(&outcome.to_json()?),
            (false, form) => session.print(&tables.written(form.unwrap_or(Form::Text))),
        }?;
        // A comparison of which nothing came is none, whatever its tables look like.
        let cells = outcome.data().len() * outcome.learners().len();
        match outcome.failures().as_slice() {
            failures @ [(_, _, first), ..] if failures.len() == cells => Err(Error::AllFailed {
                reason: (*first).to_owned(),
            }),
            _ => Ok(()),
        }
    }

    fn compute(
        &self,
        study: Option<&Specification>,
        mut contenders: Vec<Contender>,
        data: &[DataAsked],
        session: &mut Session<'_>,
    ) -> Result<Outcome> {
        if data.is_empty() {
            return Err(Error::NothingToCompare);
        }
        let unnamed = contenders.is_empty();
        for contender in &mut contenders {
            contender.settings = session.settings(&contender.learner, &contender.settings)?;
        }
        compare::check(&contenders, session.registry)?;
        // A folder that cannot be used is found out before anything is read.
        let folder = match &self.results {
            Some(path) => Some(Folder::open(path, Purpose::Compare)?),
            None => None,
        };
        if let Some(seed) = study.and_then(|study| study.seed) {
            session.context = session.context.clone().with_seed(seed);
        }
        let mut entered = Vec::with_capacity(data.len());
        for asked in data {
            let division = asked.split.as_ref();
            let division = division.or(study.and_then(|study| study.split.as_ref()));
            let one = self.enter(asked, division.cloned(), session);
            entered.push(one.map_err(|error| of_data(error, asked))?);
        }
        compare::distinguish(&mut entered);
        if unnamed {
            for data in &entered {
                for contender in compare::suitable(&data.problem, session.registry) {
                    if contenders.iter().all(|known| known.name != contender.name) {
                        contenders.push(contender);
                    }
                }
            }
        }
        let asked = Asked {
            leaderboard: unnamed,
            title: study.map(|study| study.title.clone()).unwrap_or_default(),
            command: self.command(session.context.seed()),
            reading: self.tables.reading(study),
        };
        let (outcome, notices) = compare::run(
            &asked,
            &entered,
            &contenders,
            folder.as_ref(),
            session.registry,
            &session.context,
        )?;
        session.note(&notices);
        session.note(&session.context.counted());
        if let Some(folder) = &folder {
            outcome.tables()?.keep(folder)?;
        }
        Ok(outcome)
    }

    /// Reads a data set and poses its problem.
    fn enter(
        &self,
        asked: &DataAsked,
        division: Option<Division>,
        session: &mut Session<'_>,
    ) -> Result<Entered> {
        let reading = Reading {
            data: asked.path.clone(),
            rows: asked.rows.clone(),
            stated: StatedReading {
                with_schema: asked.schema.clone().or(self.stated.with_schema.clone()),
                bag: asked.bag.clone().or(self.stated.bag.clone()),
                ..self.stated.clone()
            },
            seeing: self.seeing.clone(),
        };
        let mut stated = Vec::new();
        for (column, role) in &asked.roles {
            let role: Role = role.parse().map_err(kinwood::Error::from)?;
            stated.push((column.clone(), role));
        }
        let roles = Roles {
            targets: asked.target.iter().chain(&asked.targets).cloned().collect(),
            roles: stated,
            ignore: asked.ignore.clone(),
        };
        let mut more = match &division {
            Some(Division::Column(column)) => vec![(column.clone(), Role::Fold)],
            _ => self.dividing.roles(),
        };
        if !self.ignore.is_empty() {
            let found = crate::loading::load(&reading, &[], session)?;
            more.extend(ignored(&found, &self.ignore));
        }
        let (data, problem) = load_problem(&reading, &roles, &more, session)?;
        let division = match division {
            Some(division) => Some(division),
            None => self.dividing.division(&data)?,
        };
        let (plan, notices) = plan(&problem, division.as_ref())?;
        session.note(&notices);
        let name = asked.name.clone().unwrap_or_else(|| short(&asked.path));
        Ok(Entered {
            name,
            source: data.source().to_owned(),
            problem,
            plan,
        })
    }

    fn contenders(&self) -> Result<Vec<Contender>> {
        let mut all = Vec::new();
        for word in &self.learners {
            all.extend(Contender::of_word(word, self.tune)?);
        }
        for contender in &mut all {
            contender.inner_folds = self.inner_folds.unwrap_or(contender.inner_folds);
        }
        Ok(all)
    }

    /// The data set, where it is all that is named: learners that suit it are compared then.
    fn only_data(&self) -> Option<Vec<DataAsked>> {
        let there = |word: &str| {
            let path = word.rsplit_once('#').map_or(word, |(path, _)| path);
            Path::new(word).exists()
                || Path::new(path).exists()
                || kinwood::formats::sql::url(Path::new(word)).is_some()
        };
        let only = self.data.is_empty() && !self.learners.is_empty();
        (only && self.learners.iter().all(|word| there(word))).then(|| self.named(&self.learners))
    }

    fn data_asked(&self) -> Vec<DataAsked> {
        self.named(&self.data)
    }

    fn named(&self, words: &[String]) -> Vec<DataAsked> {
        let asked = |written: &String| {
            let (path, target) = match written.rsplit_once('#') {
                Some((path, target)) if !Path::new(written).exists() => (path, Some(target)),
                _ => (written.as_str(), None),
            };
            DataAsked {
                path: path.into(),
                target: target.map(str::to_owned).or(self.target.clone()),
                ..DataAsked::default()
            }
        };
        words.iter().map(asked).collect()
    }

    /// The command that makes the results again.
    fn command(&self, seed: u64) -> String {
        let mut words = Words::new(&["compare"]);
        self.learners.iter().for_each(|learner| words.word(learner));
        for data in &self.data {
            words.option("--data", &Some(data));
        }
        words.option("--study", &self.study.as_ref().map(|study| study.display()));
        words.option("--target", &self.target);
        for column in &self.ignore {
            words.option("--ignore", &Some(column));
        }
        if self.tune {
            words.word("--tune");
        }
        words.option("--inner-folds", &self.inner_folds);
        self.seeing.write_options(&mut words);
        self.dividing.write_options(&mut words);
        words.option("--measure", &self.tables.measure.map(Measure::key));
        words.option("--level", &self.tables.level);
        words.option("--rope", &self.tables.rope);
        words.option("--seed", &Some(seed));
        words.finish()
    }
}

impl Tables {
    fn reading(&self, study: Option<&Specification>) -> compare::Reading {
        let default = compare::Reading::default();
        compare::Reading {
            measure: self.measure.or(study.and_then(|study| study.measure)),
            level: self
                .level
                .or(study.and_then(|study| study.level))
                .unwrap_or(default.level),
            rope: self
                .rope
                .or(study.and_then(|study| study.rope))
                .unwrap_or(default.rope),
        }
    }

    /// Has the tables of an earlier comparison shown otherwise where that is asked.
    fn apply(&self, outcome: &mut Outcome) {
        let kept = outcome.reading().clone();
        outcome.reread(compare::Reading {
            measure: self.measure.or(kept.measure),
            level: self.level.unwrap_or(kept.level),
            rope: self.rope.unwrap_or(kept.rope),
        });
    }
}

/// What is wrong with one of several data sets, told with its name; a stop is nobody's fault.
fn of_data(error: Error, asked: &DataAsked) -> Error {
    use kinwood::learners::Error as LearnerError;
    match error {
        Error::Library(kinwood::Error::Learners(
            LearnerError::Interrupted | LearnerError::OutOfTime,
        )) => error,
        Error::Library(error) => Error::Library(kinwood::Error::DataSet {
            name: asked.path.display().to_string(),
            source: Box::new(error),
        }),
        error => error,
    }
}

/// A study, and the folder that its paths are relative to.
fn read_study(file: &Path) -> Result<(Specification, PathBuf)> {
    let text = std::fs::read_to_string(file).map_err(|source| Error::read(file, source))?;
    let study = Specification::parse(&text, &file.display().to_string())?;
    let folder = file.parent().unwrap_or(Path::new("")).to_owned();
    Ok((study, folder))
}

/// Data sets with their paths made relative to where the program runs.
fn below(data: &[DataAsked], folder: &Path) -> Vec<DataAsked> {
    let placed = |path: &PathBuf| match kinwood::formats::sql::url(path) {
        Some(_) => path.clone(),
        None => folder.join(path),
    };
    let asked = data.iter().map(|asked| DataAsked {
        path: placed(&asked.path),
        schema: asked.schema.as_ref().map(placed),
        ..asked.clone()
    });
    asked.collect()
}

/// The columns of a list that data has.
fn ignored(data: &Data, columns: &[String]) -> Vec<(String, Role)> {
    let has = |column: &&String| kinwood::naming::find_column(data.database(), column).is_ok();
    let found = columns.iter().filter(has);
    found.map(|column| (column.clone(), Role::Ignore)).collect()
}

/// What a file is called without its folders and endings.
fn short(path: &Path) -> String {
    let name = path
        .file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem.to_owned(),
        _ => name.to_owned(),
    }
}
