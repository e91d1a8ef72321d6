//! Data that is in memory already: tables of a program instead of files.

use std::collections::BTreeSet;

use kinwood_formats::{Dataset, Origin};
use kinwood_values::{Database, ForeignKey, Notice, Role, Table};

use crate::data::Data;
use crate::error::Result;
use crate::open::add_keys;

/// Tables, and what is known of them.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    /// What they are called together, in messages and provenance.
    pub source: String,
    /// The tables, with their primary keys where they are known.
    pub tables: Vec<Table>,
    /// References between them; looked for in the values where nobody says.
    pub keys: Option<Vec<ForeignKey>>,
    /// Roles by column, as written; they overrule all others.
    pub roles: Vec<(String, Role)>,
    /// Whether every column without a stated role is an input, whatever its values look like.
    pub all_inputs: bool,
    /// What was decided on the way here without being asked.
    pub notices: Vec<Notice>,
}

/// Puts tables together as data to learn from.
pub fn gather(given: Tables) -> Result<Data> {
    let Tables {
        source,
        tables,
        keys,
        roles,
        all_inputs,
        mut notices,
    } = given;
    let places = tables.iter().enumerate().flat_map(|(position, table)| {
        (0..table.attributes().len()).map(move |column| (position, column))
    });
    let stated_roles: BTreeSet<(usize, usize)> = match all_inputs {
        true => places.collect(),
        false => BTreeSet::new(),
    };
    let (formats, origins, evidence) = tables
        .iter()
        .map(|table| {
            let told = vec!["given in memory".to_owned(); table.attributes().len()];
            ("memory".to_owned(), Origin::default(), told)
        })
        .collect();
    let keys_declared = keys.is_some();
    let (database, told) = Database::new(tables, keys.unwrap_or_default())?;
    notices.extend(told);
    let mut dataset = Dataset {
        database,
        formats,
        origins,
        evidence,
        stated_roles,
        keys_declared,
        targets: Vec::new(),
        customary_target: None,
        facts: None,
        notices,
    };
    let inferred = add_keys(&mut dataset)?;
    Ok(Data::new(source, dataset, &roles)?.with_inferred(inferred))
}

#[cfg(test)]
mod tests {
    use kinwood_values::{Attribute, Column};

    use super::*;

    fn tables() -> Vec<Table> {
        let makers = vec![
            Attribute::new("id", Column::nominal(["a", "b"].map(Some))),
            Attribute::new("size", Column::numeric(vec![1.0, 2.0])),
        ];
        let cars = vec![
            Attribute::new("maker_id", Column::nominal(["a", "b", "a"].map(Some))),
            Attribute::new("price", Column::numeric(vec![3.0, 4.0, 5.0])),
        ];
        vec![
            Table::new("maker", makers).unwrap(),
            Table::new("car", cars).unwrap(),
        ]
    }

    #[test]
    fn keys_are_looked_for_unless_they_are_stated() {
        let given = |keys| Tables {
            source: "here".to_owned(),
            tables: tables(),
            keys,
            ..Tables::default()
        };
        let found = gather(given(None)).unwrap();
        assert_eq!(found.database().foreign_keys().len(), 1);
        assert_eq!(found.source(), "here");
        let stated = gather(given(Some(Vec::new()))).unwrap();
        assert!(stated.database().foreign_keys().is_empty());
    }

    #[test]
    fn all_columns_are_inputs_where_that_is_said() {
        let numbers = Column::numeric((0..20).map(f64::from).collect());
        let table = Table::new("t", vec![Attribute::new("id", numbers)]).unwrap();
        let role = |all_inputs| {
            let given = Tables {
                tables: vec![table.clone()],
                all_inputs,
                ..Tables::default()
            };
            gather(given).unwrap().database().table(0).attribute(0).role
        };
        assert_eq!((role(false), role(true)), (Role::Id, Role::Input));
    }
}
