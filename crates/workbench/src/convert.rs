//! Data in another form, with what is known about it.

use std::path::Path;

use kinwood_formats::{WriteOptions, Written, write};
use kinwood_learners::{Context, Flatten};
use kinwood_values::{Notice, Role};

use crate::data::{Choices, Data, Problem};
use crate::error::{Error, Result};
use crate::naming::find_column;
use crate::output;

/// Writes the data in the form that the path's ending names, a folder without one.
///
/// Keys, targets and the roles that somebody has stated go along; roles that were only guessed can
/// be guessed again. The second part of the answer says which targets were decided without being
/// asked.
pub fn convert(
    data: &Data,
    choices: &Choices,
    path: &Path,
    overwrite: bool,
) -> Result<(Written, Vec<Notice>)> {
    let dataset = data.dataset();
    let mut database = dataset.database.clone();
    let mut stated_roles = dataset.stated_roles.clone();
    for (written, role) in &choices.roles {
        let place = find_column(&database, written)?;
        database.set_role(place.0, place.1, *role);
        stated_roles.insert(place);
    }
    let (targets, notices) = targets(data, choices)?;
    for place in data.columns_with(Role::Target) {
        database.set_role(place.0, place.1, Role::Input);
    }
    for &(table, column) in &targets {
        database.set_role(table, column, Role::Target);
    }
    if let Some(condition) = &choices.rows {
        let table = targets.first().map(|(table, _)| *table);
        database = data.chosen_rows(database, table, condition)?;
    }
    let options = WriteOptions {
        targets,
        stated_roles,
        overwrite,
        ..WriteOptions::default()
    };
    Ok((write(&database, path, &options)?, notices))
}

/// A flat table and a list of what its columns are.
#[derive(Debug)]
pub struct Flattened {
    /// What was written, the list last.
    pub written: Written,
    /// The columns that linked rows were made into.
    pub columns: usize,
}

/// Writes the rows of a problem with aggregates of the rows linked with them, as one table, and
/// beside it what each of these columns is: `OUT.catalogue.json`, which other tools can read.
///
/// The aggregates are chosen on these rows; targets are among the columns, and nothing is made of
/// them.
pub fn flatten(
    problem: &Problem,
    flatten: &Flatten,
    path: &Path,
    overwrite: bool,
    context: &Context,
) -> Result<Flattened> {
    let beside = path.with_extension("catalogue.json");
    if !overwrite && beside.exists() {
        return Err(kinwood_formats::Error::Exists { path: beside }.into());
    }
    let own = problem.view.table_position();
    let attributes = problem.view.table().attributes().iter().enumerate();
    let known_later = attributes.filter(|(column, attribute)| {
        problem.targets.contains(column) || matches!(attribute.role, Role::Target | Role::Event)
    });
    let hidden = known_later.fold(problem.view.clone(), |view, (column, _)| {
        view.hiding(own, column)
    });
    let (flat, catalogue) = flatten.aggregates_of(&hidden, context)?;
    let options = WriteOptions {
        targets: problem.targets.iter().map(|&column| (0, column)).collect(),
        overwrite,
        ..WriteOptions::default()
    };
    let listed = serde_json::to_vec_pretty(&catalogue).expect("a catalogue is JSON");
    let mut written = write(flat.database(), path, &options)?;
    output::save(&beside, |out| out.write_all(&listed))?;
    written.files.push(beside);
    Ok(Flattened {
        written,
        columns: catalogue.len(),
    })
}

/// Columns, as (table, column).
type Places = Vec<(usize, usize)>;

/// The targets that are written, else all that are stated, else the customary one.
fn targets(data: &Data, choices: &Choices) -> Result<(Places, Vec<Notice>)> {
    let stated = &data.dataset().targets;
    if choices.targets.is_empty() && !stated.is_empty() {
        return Ok((stated.clone(), Vec::new()));
    }
    match data.targets(&choices.targets) {
        Err(Error::NoTarget { .. }) => Ok((Vec::new(), Vec::new())),
        Err(error) => Err(error),
        Ok((targets, notices)) => {
            let places = targets
                .columns
                .iter()
                .map(|&column| (targets.table, column));
            Ok((places.collect(), notices))
        }
    }
}
