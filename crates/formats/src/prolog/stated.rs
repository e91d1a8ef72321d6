//! What a schema states about predicates as it states it about tables.

use super::{PrologRead, StatedPredicate};
use crate::dataset::{Origin, TableRead};
use crate::draft::{Draft, Part};
use crate::error::Result;
use crate::format::Stated;
use crate::schema::TableSchema;

/// The tables of facts.
pub(crate) fn draft(read: PrologRead, stated: Stated<'_>) -> Result<Draft> {
    stated.check(&read.tables)?;
    let part = |table: TableRead| {
        // A predicate is known by its name alone, so that a schema may state some of many.
        let schema = stated.about(&table, false);
        Part {
            format: "Prolog",
            origin: Origin::default(),
            schema: schema.cloned(),
            read: table,
        }
    };
    let mut draft = Draft::new(read.tables.into_iter().map(part).collect());
    draft.notices = read.notices;
    Ok(draft)
}

/// What is stated about predicates.
pub(crate) fn predicates(stated: Stated<'_>) -> Vec<StatedPredicate> {
    let predicate = |table: &TableSchema| StatedPredicate {
        name: table.name.clone(),
        columns: table.options.columns.clone(),
    };
    stated.tables().iter().map(predicate).collect()
}
