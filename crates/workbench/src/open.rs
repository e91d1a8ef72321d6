//! Opening data: from a path to a database whose columns have roles and whose tables have keys.

use std::path::Path;
use std::sync::Arc;

use kinwood_formats::{Allowance, Dataset, Halted, Origin, ReadOptions};
use kinwood_learners::Context;
use kinwood_values::bags::group_rows;
use kinwood_values::keys::{Inferred, apply, infer};
use kinwood_values::{Notice, NoticeKind, Role};

use crate::data::Data;
use crate::error::{Error, Result};
use crate::naming::find_column;

/// What data is opened for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// To learn from, or to describe: keys and roles that nobody states are inferred.
    #[default]
    Learn,
    /// To be read in the terms of a model or of other data, which state keys and roles: nothing is
    /// inferred. What a few new rows suggest could only contradict what many rows have settled.
    Conform,
}

/// How data is opened.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// What it is opened for.
    pub purpose: Purpose,
    /// How files are read.
    pub read: ReadOptions,
    /// Roles by column, as written; they overrule all others.
    pub roles: Vec<(String, Role)>,
    /// The column of a flat table that says which bag a row belongs to.
    pub bag: Option<String>,
}

/// What reading may take of what a context has: its memory, or most of the machine's, until it is
/// asked to stop.
pub fn allowance(context: &Context) -> Allowance {
    let asked = context.clone();
    Allowance::of(context.memory()).asking(Arc::new(move || match asked.check() {
        Ok(()) => None,
        Err(kinwood_learners::Error::OutOfTime) => Some(Halted::OutOfTime),
        Err(_) => Some(Halted::Interrupted),
    }))
}

/// Opens a file, a folder, a PostgreSQL database by its URL, or standard input (`-`).
///
/// Data to learn from gets keys that nobody declares: they are looked for in databases of several
/// tables, and those that are well founded are taken, with a notice.
pub fn open(path: &Path, opening: &Opening) -> Result<Data> {
    let mut read = opening.read.clone();
    read.as_written |= opening.purpose == Purpose::Conform;
    let mut dataset = kinwood_formats::read(path, &read)?;
    let source = kinwood_formats::read::source_name(path);
    if let Some(column) = &opening.bag {
        dataset = in_bags(dataset, column)?;
    }
    match opening.purpose {
        Purpose::Learn => {
            let inferred = add_keys(&mut dataset)?;
            Ok(Data::new(source, dataset, &opening.roles)?.with_inferred(inferred))
        }
        Purpose::Conform => Data::as_stated(source, dataset, &opening.roles),
    }
}

/// Tables among which keys are looked for: every column is held against those of all others, and
/// a database that people made has fewer.
const MOST_TABLES: usize = 1000;

/// Looks for keys where nobody declares any, and takes those that are well founded.
pub(crate) fn add_keys(dataset: &mut Dataset) -> Result<Inferred> {
    let tables = dataset.database.tables().len();
    if dataset.keys_declared || tables < 2 {
        return Ok(Inferred::default());
    }
    if tables > MOST_TABLES {
        dataset.notices.push(Notice::about(
            NoticeKind::Key,
            format!("keys are not looked for among {tables} tables: a schema can state them"),
        ));
        return Ok(Inferred::default());
    }
    let mut inferred = infer(&dataset.database);
    leave_views_alone(dataset, &mut inferred);
    let (database, notices) = apply(dataset.database.clone(), &inferred)?;
    dataset.database = database;
    // Putting the tables together anew tells again what was told.
    let new: Vec<Notice> = notices
        .into_iter()
        .filter(|notice| !dataset.notices.contains(notice))
        .collect();
    dataset.notices.extend(new);
    Ok(inferred)
}

/// Takes no key from or to a view: it repeats what other tables hold, or is what a model of them
/// predicts, which the next model must not see.
fn leave_views_alone(dataset: &Dataset, inferred: &mut Inferred) {
    let is_view = |table: usize| dataset.formats.get(table).is_some_and(|of| of == VIEW);
    let links = inferred.foreign.iter_mut();
    for link in links.filter(|link| is_view(link.from) || is_view(link.to)) {
        link.accepted = false;
        link.evidence
            .push("views are not linked by themselves".to_owned());
    }
}

/// The format of views.
const VIEW: &str = "view";

/// A dataset of one flat table as one of bags and their rows.
pub fn in_bags(dataset: Dataset, column: &str) -> Result<Dataset> {
    let [table] = dataset.database.tables() else {
        let tables = dataset
            .database
            .tables()
            .iter()
            .map(|table| table.name().to_owned())
            .collect();
        return Err(Error::BagsOfWhat { tables });
    };
    let (_, bag) = find_column(&dataset.database, column)?;
    let (database, told) = group_rows(table, bag)?;
    // Columns move to one of the two tables; what was known of them moves along, by name.
    let old = |name: &str| table.position(name);
    let places = || {
        database
            .tables()
            .iter()
            .enumerate()
            .flat_map(|(table, owner)| {
                owner
                    .attributes()
                    .iter()
                    .enumerate()
                    .map(move |(column, attribute)| (table, column, attribute))
            })
    };
    let moved = |&(_, column): &(usize, usize)| {
        let name = &table.attribute(column).name;
        places()
            .find(|(_, _, attribute)| attribute.name == *name)
            .map(|(table, column, _)| (table, column))
    };
    let evidence = database
        .tables()
        .iter()
        .map(|owner| {
            let told = |name: &str| {
                old(name).and_then(|column| dataset.evidence.first()?.get(column).cloned())
            };
            owner
                .attributes()
                .iter()
                .map(|attribute| told(&attribute.name).unwrap_or_default())
                .collect()
        })
        .collect();
    let mut stated_roles: std::collections::BTreeSet<(usize, usize)> =
        dataset.stated_roles.iter().filter_map(moved).collect();
    stated_roles.extend([(0, 0), (1, 0)]);
    let twice = |texts: &[String]| texts.iter().cycle().take(2).cloned().collect();
    let mut notices = dataset.notices.clone();
    notices.push(Notice::new(format!(
        "the {} rows of `{}` are {} bags by `{column}`; columns with one value in each bag describe the bag",
        table.rows(),
        table.name(),
        database.table(0).rows(),
    )));
    notices.extend(told);
    Ok(Dataset {
        facts: dataset.facts.clone(),
        formats: twice(&dataset.formats),
        origins: dataset
            .origins
            .iter()
            .cycle()
            .take(2)
            .cloned()
            .collect::<Vec<Origin>>(),
        evidence,
        stated_roles,
        keys_declared: true,
        targets: dataset.targets.iter().filter_map(moved).collect(),
        customary_target: dataset.customary_target.as_ref().and_then(moved),
        notices,
        database,
    })
}
