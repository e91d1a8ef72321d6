//! Data in another form, with what is known about it.

use std::path::Path;

use kinwood_formats::{WriteOptions, Written, write};
use kinwood_values::{Notice, Role};

use crate::data::{Choices, Data};
use crate::error::{Error, Result};
use crate::naming::find_column;

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
