//! Evaluations on rows that are divided once for all: by a column that says what each row is for,
//! by a file of test rows, or by nothing but a model that is there already.

mod report;

use kinwood_evaluation::parts::{Frozen, HeldOut, Parts, PartsTrial};
use kinwood_evaluation::run::RunError;
use kinwood_learners::{Context, Entry, Learner, Model, Registry};
use kinwood_values::as_of::instant;
use kinwood_values::suggest::nearest;
use kinwood_values::{Database, Notice, TableTime, View, datetime};

use crate::data::{Data, Problem};
use crate::error::{Error, Result};
use crate::evaluate::{column_in, whole};
use crate::trained::Trained;

pub use report::{HeldOutReport, Run};

/// What a column that divides rows says.
const TRAIN: [&str; 2] = ["train", "training"];
const VALIDATION: [&str; 4] = ["val", "validation", "valid", "dev"];
const TEST: [&str; 1] = ["test"];

/// From when on nothing is seen by the rows that are held out.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Freeze {
    /// Every row sees what was known by its own cutoff.
    #[default]
    Rolling,
    /// Validation rows see nothing after the first cutoff of a validation row, and test rows
    /// nothing after the first of a test row.
    First,
    /// The same by stated dates, or numbers where times are numbers.
    At {
        /// For validation rows.
        validation: String,
        /// For test rows.
        test: String,
    },
}

impl std::str::FromStr for Freeze {
    type Err = Error;

    /// `first`, or two dates with a comma between: for validation rows and for test rows.
    fn from_str(text: &str) -> Result<Self> {
        let checked = |written: &str| match read_instant(written) {
            Some(_) => Ok(written.trim().to_owned()),
            None => Err(Error::FreezeDate {
                found: written.trim().to_owned(),
            }),
        };
        match text.split(',').collect::<Vec<_>>().as_slice() {
            ["first"] => Ok(Freeze::First),
            [validation, test] => Ok(Freeze::At {
                validation: checked(validation)?,
                test: checked(test)?,
            }),
            _ => Err(Error::FreezeDate {
                found: text.to_owned(),
            }),
        }
    }
}

/// How rows that are divided once are evaluated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HoldOut {
    /// The column of the target's table that says what each row is for: `train`, `val` or
    /// `validation`, `test`.
    pub column: String,
    /// From when on nothing is seen.
    pub freeze: Freeze,
    /// Whether the model that is tested is fitted on validation rows too, with what was chosen by
    /// them.
    pub refit: bool,
    /// How often, with seeds one after the other; 0 is once.
    pub repeats: usize,
}

/// What each row is for, as a column of their table says.
pub fn parts(rows: &View, written: &str) -> Result<Parts> {
    let column = column_in(rows.table(), written)?;
    let attribute = rows.table().attribute(column);
    let mut parts = Parts::default();
    for (position, row) in rows.rows().enumerate() {
        let position = position as u32;
        let label = match attribute.column.is_present(row as usize) {
            true => attribute.column.value(row as usize).to_string(),
            false => String::new(),
        };
        let lower = label.trim().to_lowercase();
        let of = |words: &[&str]| words.contains(&lower.as_str());
        if of(&TRAIN) {
            parts.train.push(position);
        } else if of(&VALIDATION) {
            parts.validation.push(position);
        } else if of(&TEST) {
            parts.test.push(position);
        } else {
            let names = TRAIN.iter().chain(&VALIDATION).chain(&TEST);
            return Err(Error::SplitLabel {
                row: row as usize + 1,
                column: attribute.name.clone(),
                nearest: nearest(&lower, names),
                found: label,
            });
        }
    }
    Ok(parts)
}

/// Evaluates a learner on a problem whose rows are divided by a column: fitted on training rows,
/// with validation rows to choose by, and tested once.
pub fn evaluate_held_out(
    registry: &Registry,
    learner: &str,
    given: &[(String, String)],
    problem: &Problem,
    hold_out: &HoldOut,
    data: &str,
    context: &Context,
) -> Result<HeldOutReport> {
    let entry = registry.find(learner)?;
    let settings = entry.settings(given)?;
    let parts = parts(&problem.view, &hold_out.column)?;
    check_parts(&parts, &hold_out.column)?;
    let mut notices: Vec<Notice> = entry
        .passes_over(&settings, &problem.view)
        .into_iter()
        .collect();
    if hold_out.refit && parts.validation.is_empty() {
        notices.push(Notice::new(
            "there are no validation rows: nothing is fitted again",
        ));
    }
    let frozen = frozen(&problem.view, &parts, &hold_out.freeze)?;
    let trial = PartsTrial::new(&problem.view, &problem.targets, &parts, frozen)?;
    let fitting = entry.learner(&settings)?;
    let again = |model: &dyn Model| chosen_learner(entry, given, model);
    let mut runs = Vec::new();
    for repeat in 0..hold_out.repeats.max(1) as u64 {
        let seed = context.seed().wrapping_add(repeat);
        let context = context.clone().with_seed(seed);
        let refit = hold_out.refit.then_some(&again as _);
        let outcome = trial.evaluate(&*fitting, refit, &context).map_err(whole)?;
        runs.push(Run { seed, outcome });
    }
    Ok(HeldOutReport {
        learner: entry.name.to_owned(),
        settings: settings
            .iter()
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
        data: data.to_owned(),
        targets: problem.target_names(),
        column: Some(hold_out.column.clone()),
        train: parts.train.len(),
        refit: hold_out.refit,
        frozen,
        dated: dated(&problem.view),
        runs,
        notices,
    })
}

/// The rows of a problem in the parts that a column names, for whoever fits by hand.
pub fn trial(problem: &Problem, hold_out: &HoldOut) -> Result<PartsTrial> {
    let parts = parts(&problem.view, &hold_out.column)?;
    check_parts(&parts, &hold_out.column)?;
    let frozen = frozen(&problem.view, &parts, &hold_out.freeze)?;
    Ok(PartsTrial::new(
        &problem.view,
        &problem.targets,
        &parts,
        frozen,
    )?)
}

/// What came of a model that was fitted by hand, with what it was an evaluation of.
pub fn report(
    (learner, settings): (&str, Vec<(String, String)>),
    problem: &Problem,
    hold_out: &HoldOut,
    outcome: HeldOut,
    (data, seed): (&str, u64),
) -> Result<HeldOutReport> {
    let parts = parts(&problem.view, &hold_out.column)?;
    Ok(HeldOutReport {
        learner: learner.to_owned(),
        settings,
        data: data.to_owned(),
        targets: problem.target_names(),
        column: Some(hold_out.column.clone()),
        train: parts.train.len(),
        refit: false,
        frozen: frozen(&problem.view, &parts, &hold_out.freeze)?,
        dated: dated(&problem.view),
        runs: vec![Run { seed, outcome }],
        notices: Vec::new(),
    })
}

/// The learner with the settings that a model of it chose: what it makes of more rows has no need
/// of validation rows.
fn chosen_learner(
    entry: &Entry,
    given: &[(String, String)],
    model: &dyn Model,
) -> kinwood_learners::Result<Box<dyn Learner>> {
    let mut settings = given.to_vec();
    for (name, value) in model.facts().tuned.unwrap_or_default() {
        settings.retain(|(other, _)| *other != name);
        settings.push((name, value));
    }
    entry.learner(&entry.settings(&settings)?)
}

fn check_parts(parts: &Parts, column: &str) -> Result<()> {
    let lacking = match (parts.train.len(), parts.validation.len() + parts.test.len()) {
        (0, _) => "training",
        (_, 0) => "validation or test",
        _ => return Ok(()),
    };
    Err(Error::EmptyPart {
        part: lacking,
        column: column.to_owned(),
    })
}

/// Scores a model on rows in its terms: all of them are tested, or where a column divides them
/// validation and test rows each by themselves.
pub fn evaluate_model(
    trained: &Trained,
    conformed: &View,
    divided: Option<(&HoldOut, Parts)>,
    data: &str,
    context: &Context,
) -> Result<HeldOutReport> {
    let hold_out = divided.as_ref().map(|(hold_out, _)| (*hold_out).clone());
    let parts = match divided {
        Some((_, parts)) => parts,
        None => Parts {
            test: (0..conformed.len() as u32).collect(),
            ..Parts::default()
        },
    };
    known_truth(trained, conformed)?;
    let freeze = hold_out.as_ref().map(|hold_out| hold_out.freeze.clone());
    let frozen = frozen(conformed, &parts, &freeze.unwrap_or_default())?;
    let trial = PartsTrial::new(conformed, trained.targets(), &parts, frozen)?;
    let outcome: HeldOut = trial
        .score(trained.model(), None, context)
        .map_err(|error: RunError| whole(error))?;
    Ok(HeldOutReport {
        learner: trained.learner().to_owned(),
        settings: trained.settings().to_vec(),
        data: data.to_owned(),
        targets: trained
            .target_names()
            .into_iter()
            .map(str::to_owned)
            .collect(),
        column: hold_out.map(|hold_out| hold_out.column),
        train: trained.provenance().rows,
        refit: false,
        frozen,
        dated: dated(conformed),
        runs: vec![Run {
            seed: context.seed(),
            outcome,
        }],
        notices: Vec::new(),
    })
}

/// Fails where rows to score have no true value.
fn known_truth(trained: &Trained, conformed: &View) -> Result<()> {
    let table = conformed.table();
    for &target in trained.targets() {
        let column = &table.attribute(target).column;
        if conformed.rows().all(|row| !column.is_present(row as usize)) {
            return Err(Error::NoTruth {
                target: table.attribute(target).name.clone(),
            });
        }
    }
    Ok(())
}

/// Rows of a file in the place of a table of other data: they are linked with its other tables.
/// Data of several tables stays what it is.
pub fn rows_among(rows: Data, others: &Data, table: &str) -> Result<Data> {
    let (found, _) = Database::clone(rows.database()).into_parts();
    let alone = found.len() == 1 && others.database().tables().len() > 1;
    if !alone {
        return Ok(rows);
    }
    let (mut tables, _) = Database::clone(others.database()).into_parts();
    let mut found = found.into_iter();
    if let Some(rows) = found.next() {
        let place = others.database().find(table)?;
        tables[place] = rows.renamed(table);
    }
    // A model's schema has the keys.
    let (database, _) = Database::new(tables, Vec::new())?;
    Ok(rows.regrouped(database))
}

/// An instant as it is written: a date, or a number.
fn read_instant(written: &str) -> Option<f64> {
    match datetime::parse(written.trim()) {
        Ok(date) => Some(date as f64),
        Err(_) => written.trim().parse().ok().filter(|n: &f64| n.is_finite()),
    }
}

/// After which instants the parts see nothing.
fn frozen(view: &View, parts: &Parts, freeze: &Freeze) -> Result<Frozen> {
    if *freeze == Freeze::Rolling {
        return Ok(Frozen::default());
    }
    let Some(as_of) = view.as_of() else {
        return Err(Error::FreezeWithoutCutoff);
    };
    let first = |positions: &[u32]| {
        let cutoffs = positions
            .iter()
            .map(|&p| as_of.cutoff(view.row(p as usize)));
        let known = cutoffs.filter(|cutoff| !cutoff.is_nan());
        known.min_by(f64::total_cmp)
    };
    let (validation, test) = match freeze {
        Freeze::At { validation, test } => (read_instant(validation), read_instant(test)),
        _ => (None, None),
    };
    Ok(Frozen {
        validation: validation.or_else(|| first(&parts.validation)),
        test: test.or_else(|| first(&parts.test)),
    })
}

/// Whether cutoffs are dates rather than numbers.
fn dated(view: &View) -> bool {
    let tables = view.database().tables().iter();
    let mut times = tables.filter_map(|table| Some((table, table.time()?)));
    times.any(|(table, time)| {
        let (TableTime::Instant { column } | TableTime::Valid { from: column, .. }) = time;
        let column = &table.attribute(column).column;
        let first = (0..column.len()).find(|&row| instant(column, row).is_some());
        first.is_some() && column.numbers().is_none()
    })
}
