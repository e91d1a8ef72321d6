//! The examples of a task as one more table of the database that they were made of.

use kinwood_values::notation::read;
use kinwood_values::{Attribute, Column, Database, ForeignKey, Role, Table, Type, Value};

use super::bind::BoundTask;
use super::calendar::Unit;
use super::made::MadeTask;
use super::wrong;
use crate::error::Result;

impl BoundTask<'_> {
    /// The database with the examples as one more table, which refers to the table that the task is
    /// about: cutoffs have the role `cutoff`, parts the role `fold`, and targets that are 0 or 1
    /// are classes. Also where the table is.
    pub fn beside(&self, made: &MadeTask, name: &str) -> Result<(Database, usize)> {
        let (mut tables, mut keys) = self.database.clone().into_parts();
        if tables.iter().any(|table| table.name() == name) {
            return Err(wrong(format!(
                "the examples cannot be the table `{name}`: there is one already"
            )));
        }
        let entity = &tables[self.entity];
        let first_key = usize::from(self.divided) + 1;
        let times = match self.unit {
            Unit::Dates => Type::DateTime,
            Unit::Numbers => Type::Numeric,
        };
        let mut attributes = Vec::with_capacity(made.columns.len());
        for (place, called) in made.columns.iter().enumerate() {
            let cells = || made.rows.iter().map(|row| row[place].as_str());
            let (of, role) = match place.checked_sub(first_key) {
                None if self.divided && place == 0 => (Type::Nominal, Role::Fold),
                None => (times.clone(), Role::Cutoff),
                Some(key) if key < self.keys.len() => {
                    let key = &entity.attribute(self.keys[key]).column;
                    (key.type_of(), Role::Id)
                }
                Some(_) => (target_type(cells()), Role::Target),
            };
            let values = cells().map(|cell| match cell {
                "" => Ok(Value::Missing),
                cell => read(cell, &of, None),
            });
            let values: Vec<Value> = values
                .collect::<std::result::Result<_, _>>()
                .map_err(wrong)?;
            let column = Column::from_values(&of, &values)?;
            attributes.push(Attribute::new(called.as_str(), column).with_role(role));
        }
        let position = tables.len();
        keys.push(ForeignKey {
            name: format!("{name}_{}", entity.name()),
            from: position,
            from_columns: (first_key..first_key + self.keys.len()).collect(),
            to: self.entity,
            to_columns: self.keys.clone(),
            describes: None,
        });
        tables.push(Table::new(name, attributes)?);
        Ok((Database::new(tables, keys)?.0, position))
    }
}

/// Classes where nothing is but 0 and 1, as in files; else numbers, or labels.
fn target_type<'a>(cells: impl Iterator<Item = &'a str> + Clone) -> Type {
    let known = cells.filter(|cell| !cell.is_empty());
    let classes = known.clone().all(|cell| matches!(cell, "0" | "1"));
    match !classes && known.clone().all(|cell| cell.parse::<f64>().is_ok()) {
        true => Type::Numeric,
        false => Type::Nominal,
    }
}
