//! Databases in model files: the schema as readable JSON, the columns as checked buffers.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::column::Column;
use crate::container::{Sections, Stored, invalid};
use crate::database::{Database, ForeignKey};
use crate::error::Error;
use crate::notation::Notation;
use crate::role::Role;
use crate::table::{Attribute, Table, TableTime};
use crate::types::Type;

#[derive(Serialize, Deserialize)]
struct StoredTable {
    name: String,
    columns: Vec<StoredColumn>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<Vec<usize>>,
    /// The column of the instant, or those of the interval.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    time: Vec<usize>,
}

#[derive(Serialize, Deserialize)]
struct StoredColumn {
    name: String,
    r#type: Type,
    role: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hierarchy: Option<char>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    distance: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    ordered: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    notation: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct StoredKey {
    name: String,
    from: usize,
    from_columns: Vec<usize>,
    to: usize,
    to_columns: Vec<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    describes: Option<bool>,
}

#[derive(Serialize, Deserialize)]
struct StoredSchema {
    tables: Vec<StoredTable>,
    foreign_keys: Vec<StoredKey>,
}

const SCHEMA: &str = "schema";

impl Database {
    /// Writes tables, keys and columns.
    pub fn write(&self, sections: &mut Sections) -> Result<(), Error> {
        let tables = self.tables().iter().map(|table| StoredTable {
            name: table.name().to_owned(),
            columns: table
                .attributes()
                .iter()
                .map(|attribute| StoredColumn {
                    name: attribute.name.clone(),
                    r#type: attribute.type_of(),
                    role: attribute.role.to_string(),
                    hierarchy: attribute.hierarchy,
                    distance: attribute.distance.clone(),
                    ordered: attribute.ordered,
                    notation: attribute
                        .notation
                        .map(|notation| notation.name().to_owned()),
                })
                .collect(),
            key: table.key().map(<[usize]>::to_vec),
            time: match table.time() {
                None => Vec::new(),
                Some(TableTime::Instant { column }) => vec![column],
                Some(TableTime::Valid { from, to }) => vec![from, to],
            },
        });
        let foreign_keys = self.foreign_keys().iter().map(|key| StoredKey {
            name: key.name.clone(),
            from: key.from,
            from_columns: key.from_columns.clone(),
            to: key.to,
            to_columns: key.to_columns.clone(),
            describes: key.describes,
        });
        let schema = StoredSchema {
            tables: tables.collect(),
            foreign_keys: foreign_keys.collect(),
        };
        sections.put_json(SCHEMA, &schema)?;
        for (table, stored) in self.tables().iter().enumerate() {
            for (column, attribute) in stored.attributes().iter().enumerate() {
                attribute
                    .column
                    .write(&mut sections.scope(&format!("{table}.{column}")))?;
            }
        }
        Ok(())
    }

    /// Reads a database, checking all of it.
    pub fn read(stored: &Stored) -> Result<Self, Error> {
        let schema: StoredSchema = stored.json(SCHEMA)?;
        let wrong = |reason: &str| -> Error { invalid(stored.full_name(SCHEMA), reason).into() };
        let mut tables = Vec::with_capacity(schema.tables.len());
        for (position, table) in schema.tables.into_iter().enumerate() {
            let mut attributes = Vec::with_capacity(table.columns.len());
            for (column, described) in table.columns.into_iter().enumerate() {
                let values = Column::read(
                    &stored.scope(&format!("{position}.{column}")),
                    &described.r#type,
                )?;
                let role: Role = described
                    .role
                    .parse()
                    .map_err(|_| wrong("a role that does not exist"))?;
                let notation = described.notation.as_deref().map(|name| {
                    Notation::from_name(name).ok_or_else(|| wrong("a notation that does not exist"))
                });
                attributes.push(Attribute {
                    name: described.name,
                    role,
                    column: Arc::new(values),
                    hierarchy: described.hierarchy,
                    distance: described.distance,
                    ordered: described.ordered,
                    notation: notation.transpose()?,
                });
            }
            let width = attributes.len();
            let mut read =
                Table::new(table.name, attributes).map_err(|error| wrong(&error.to_string()))?;
            if table.key.iter().flatten().any(|&column| column >= width) {
                return Err(wrong("a key of a column that does not exist"));
            }
            read.set_key(table.key);
            read.set_time(match table.time[..] {
                [] => None,
                [column] if column < width => Some(TableTime::Instant { column }),
                [from, to] if from.max(to) < width => Some(TableTime::Valid { from, to }),
                _ => return Err(wrong("a time of a column that does not exist")),
            });
            tables.push(read);
        }
        let exists = |table: usize, columns: &[usize]| {
            tables.get(table).is_some_and(|table: &Table| {
                !columns.is_empty()
                    && columns
                        .iter()
                        .all(|&column| column < table.attributes().len())
            })
        };
        let mut keys = Vec::with_capacity(schema.foreign_keys.len());
        for key in schema.foreign_keys {
            if !exists(key.from, &key.from_columns) || !exists(key.to, &key.to_columns) {
                return Err(wrong("a foreign key of a column that does not exist"));
            }
            keys.push(ForeignKey {
                name: key.name,
                from: key.from,
                from_columns: key.from_columns,
                to: key.to,
                to_columns: key.to_columns,
                describes: key.describes,
            });
        }
        let (database, _) =
            Database::new(tables, keys).map_err(|error| wrong(&error.to_string()))?;
        Ok(database)
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    fn through_a_file(database: &Database) -> Database {
        let mut sections = Sections::new();
        database.write(&mut sections).unwrap();
        Database::read(&Stored::from_bytes(sections.to_bytes().unwrap()).unwrap()).unwrap()
    }

    #[test]
    fn keys_and_roles_survive() {
        let parent = Table::new(
            "p",
            vec![Attribute::new(
                "id",
                Column::nominal([Some("a"), Some("b")]),
            )],
        );
        let mut parent = parent.unwrap();
        parent.set_key(Some(vec![0]));
        let refers =
            Attribute::new("p_id", Column::nominal([Some("b"), Some("b")])).with_role(Role::Id);
        let day = Attribute::new("day", Column::numeric(vec![1.0, 2.0]));
        let mut child = Table::new("c", vec![refers, day]).unwrap();
        child.set_time(Some(TableTime::Instant { column: 1 }));
        let key = ForeignKey {
            name: "c_p".into(),
            from: 1,
            from_columns: vec![0],
            to: 0,
            to_columns: vec![0],
            describes: Some(true),
        };
        let (database, _) = Database::new(vec![parent, child], vec![key]).unwrap();
        assert_eq!(through_a_file(&database), database);
    }
}
