//! Reading new data in the terms of the data a model was fitted on.
//!
//! A schema is a database without rows: types, roles, dictionaries, keys. [`conform`] matches new
//! data to it by name, so that a model may rely on positions and codes. The policy:
//! - a table or an input column that is lacking is an error, unless the model does not look at it,
//!   and so is a column of a key that leads to a table that is needed; other columns are filled
//!   with missing values, and other tables are empty;
//! - a column of another type is converted if every value can be, otherwise it is an error naming
//!   the first row that cannot;
//! - a label the schema does not know gets a code beyond the schema's: it equals nothing the model
//!   has seen, and it is told;
//! - columns the schema does not know are left out.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::column::{Cells, Column, Kind, Members};
use crate::database::{Database, ForeignKey};
use crate::dictionary::Dictionary;
use crate::error::{Error, list};
use crate::notation::{self, Notation};
use crate::notice::{Notice, NoticeKind};
use crate::role::Role;
use crate::suggest::nearest;
use crate::table::{Attribute, Table};
use crate::types::Type;
use crate::value::Value;

impl Database {
    /// The database without its rows: what a model remembers of the data it was fitted on.
    pub fn schema(&self) -> Database {
        let tables = self
            .tables()
            .iter()
            .map(|table| table.gather(&[]))
            .collect();
        let (schema, _) = Database::new(tables, self.foreign_keys().to_vec())
            .expect("keys that were checked stay right without rows");
        schema
    }
}

/// The data in the schema's terms: its tables and columns, in its order, with its codes.
pub fn conform(schema: &Database, data: &Database) -> Result<(Database, Vec<Notice>), Error> {
    let all = Needs {
        table: &|_| true,
        column: &|_, _| true,
    };
    conform_needing(schema, data, &all)
}

/// What of a schema new data must have.
pub struct Needs<'a> {
    /// Whether a table is needed: one that is not, and is lacking, is empty.
    pub table: &'a dyn Fn(&Table) -> bool,
    /// Whether an input of a needed table is: one that is not, and is lacking, is missing in all
    /// rows.
    pub column: &'a dyn Fn(&Table, &Attribute) -> bool,
}

/// As [`conform`], where not everything is needed.
pub fn conform_needing(
    schema: &Database,
    data: &Database,
    needs: &Needs<'_>,
) -> Result<(Database, Vec<Notice>), Error> {
    let mut notices = Vec::new();
    let mut tables = Vec::with_capacity(schema.tables().len());
    let joining = joining(schema, needs);
    let mut absent = vec![false; schema.tables().len()];
    for (position, wanted) in schema.tables().iter().enumerate() {
        let table_needed = (needs.table)(wanted);
        let found = match counterpart(schema, wanted, data) {
            Ok(place) => data.table(place),
            Err(error) if table_needed => return Err(error),
            Err(_) => {
                absent[position] = true;
                tables.push(wanted.gather(&[]));
                continue;
            }
        };
        let places: HashMap<&str, usize> = (0..found.attributes().len())
            .map(|place| (found.attribute(place).name.as_str(), place))
            .collect();
        let attributes = wanted
            .attributes()
            .iter()
            .enumerate()
            .map(|(column, attribute)| {
                let place = places.get(attribute.name.as_str()).copied();
                let input = attribute.role == Role::Input && (needs.column)(wanted, attribute);
                let needed = table_needed && (input || joining.contains(&(position, column)));
                conform_attribute(wanted, attribute, needed, found, place, &mut notices)
            })
            .collect::<Result<Vec<_>, Error>>()?;
        let mut table = Table::new(wanted.name(), attributes)?;
        table.set_key(wanted.key().map(<[usize]>::to_vec));
        table.set_time(wanted.time());
        tables.push(table);
    }
    let keys: Vec<ForeignKey> = schema.foreign_keys().to_vec();
    let leads_nowhere = keys.iter().any(|key| absent[key.from] || absent[key.to]);
    let (database, dangling) = Database::new(tables, keys)?;
    // What refers to a table that nobody needs is no news.
    if !leads_nowhere {
        notices.extend(dangling);
    }
    Ok((database, notices))
}

/// The columns of keys that join tables that are needed, as (table, column).
fn joining(schema: &Database, needs: &Needs<'_>) -> HashSet<(usize, usize)> {
    let needed = |table: usize| (needs.table)(schema.table(table));
    let keys = schema.foreign_keys().iter();
    keys.filter(|key| needed(key.from) && needed(key.to))
        .flat_map(|key| {
            let from = key.from_columns.iter().map(|&column| (key.from, column));
            let to = key.to_columns.iter().map(|&column| (key.to, column));
            from.chain(to)
        })
        .collect()
}

/// Where the data has a table of the schema. A flat file is matched whatever its name: `test.csv`
/// is read by a model fitted on `train.csv`.
pub fn counterpart(schema: &Database, wanted: &Table, data: &Database) -> Result<usize, Error> {
    if schema.tables().len() == 1 && data.tables().len() == 1 {
        return Ok(0);
    }
    data.find(wanted.name()).map_err(|_| Error::LacksTable {
        table: wanted.name().to_owned(),
        found: data.tables().iter().map(|t| t.name().to_owned()).collect(),
    })
}

fn conform_attribute(
    wanted: &Table,
    attribute: &Attribute,
    needed: bool,
    found: &Table,
    place: Option<usize>,
    notices: &mut Vec<Notice>,
) -> Result<Attribute, Error> {
    let Some(position) = place else {
        if needed {
            let names: Vec<String> = found.attributes().iter().map(|a| a.name.clone()).collect();
            return Err(Error::LacksColumn {
                table: wanted.name().to_owned(),
                column: attribute.name.clone(),
                nearest: nearest(&attribute.name, &names),
                found: names,
            });
        }
        let mut column = Column::empty(&attribute.type_of());
        (0..found.rows()).for_each(|_| column.push_missing());
        return Ok(Attribute {
            column: Arc::new(column),
            ..attribute.clone()
        });
    };
    let column = Arc::clone(&found.attribute(position).column);
    let (expected, given) = (attribute.type_of(), column.type_of());
    let column = if expected == given {
        column
    } else {
        let converted =
            convert(&column, &expected, attribute.notation).map_err(|row| Error::OtherType {
                table: found.name().to_owned(),
                column: attribute.name.clone(),
                found: given.clone(),
                expected: expected.clone(),
                row: row + 1,
                value: column.value(row).to_string(),
            })?;
        if attribute.role == Role::Input && !written_so(&given, &expected) {
            notices.push(Notice::about(
                NoticeKind::Type,
                format!(
                    "column `{}` is `{given}` here and was `{expected}` in training: converted",
                    attribute.name
                ),
            ));
        }
        Arc::new(converted)
    };
    let mut unseen = Vec::new();
    let column = recode(&attribute.column, &column, &mut unseen).map_or(column, Arc::new);
    if !unseen.is_empty() && attribute.role == Role::Input {
        notices.push(Notice::about(NoticeKind::Type, format!(
            "column `{}` holds values not seen in training ({}): they count as unlike every known value",
            attribute.name,
            list(&unseen)
        )));
    }
    Ok(Attribute {
        column,
        ..attribute.clone()
    })
}

/// Whether text is expected to write such values, or a list to stand for a set: that is no news.
fn written_so(given: &Type, expected: &Type) -> bool {
    let collection = |of: &Type| matches!(of, Type::List(_) | Type::Set(_) | Type::Bag(_));
    let text = matches!(given, Type::Nominal | Type::String);
    collection(expected) && (text || collection(given)) || text && *expected == Type::DateTime
}

/// The column in another type, or the first row that cannot be.
fn convert(column: &Column, to: &Type, written: Option<Notation>) -> Result<Column, usize> {
    let mut converted = Column::empty(to);
    for row in 0..column.len() {
        let value = convert_value(column.value(row), to, written).ok_or(row)?;
        converted.push(&value).map_err(|_| row)?;
    }
    Ok(converted)
}

fn convert_value(value: Value, to: &Type, written: Option<Notation>) -> Option<Value> {
    Some(match (value, to) {
        (Value::Missing, _) => Value::Missing,
        (Value::Text(text), Type::Nominal) => Value::Symbol(text),
        (value @ (Value::Number(_) | Value::DateTime(_)), Type::Nominal) => {
            Value::Symbol(value.to_string())
        }
        (Value::Symbol(text), Type::String) => Value::Text(text),
        (value @ (Value::Number(_) | Value::DateTime(_)), Type::String) => {
            Value::Text(value.to_string())
        }
        (Value::Symbol(text) | Value::Text(text), to) => {
            let read = notation::read(&text, to, written);
            // What is no number with decimal commas may be one with a point, as `1.5` is.
            read.or_else(|_| notation::read(&text, to, None)).ok()?
        }
        // One value may stand for a collection of it, as `tofu` does for `{tofu}` in a file.
        (value @ (Value::Number(_) | Value::DateTime(_)), Type::List(of)) => {
            Value::List(vec![convert_value(value, of, written)?])
        }
        (value @ (Value::Number(_) | Value::DateTime(_)), Type::Set(of)) => {
            Value::set(vec![convert_value(value, of, written)?])
        }
        (value @ (Value::Number(_) | Value::DateTime(_)), Type::Bag(of)) => {
            Value::bag(vec![convert_value(value, of, written)?])
        }
        (Value::List(values) | Value::Set(values) | Value::Bag(values), Type::List(of)) => {
            Value::List(convert_all(values, of, written)?)
        }
        (Value::List(values) | Value::Set(values) | Value::Bag(values), Type::Set(of)) => {
            Value::set(convert_all(values, of, written)?)
        }
        (Value::List(values) | Value::Set(values) | Value::Bag(values), Type::Bag(of)) => {
            Value::bag(convert_all(values, of, written)?)
        }
        (Value::Tuple(values), Type::Tuple(fields)) if values.len() == fields.len() => {
            Value::Tuple(
                values
                    .into_iter()
                    .zip(fields)
                    .map(|(value, field)| convert_value(value, &field.of, written))
                    .collect::<Option<_>>()?,
            )
        }
        (value, to) => {
            if !value.conforms_to(to) {
                return None;
            }
            value
        }
    })
}

fn convert_all(values: Vec<Value>, of: &Type, written: Option<Notation>) -> Option<Vec<Value>> {
    values
        .into_iter()
        .map(|value| convert_value(value, of, written))
        .collect()
}

/// The column with the schema's codes, or `None` where it has them already. Labels new to the
/// schema are collected.
fn recode(schema: &Column, column: &Column, unseen: &mut Vec<String>) -> Option<Column> {
    let cells = match (schema.cells(), column.cells()) {
        (
            Cells::Nominal {
                dictionary: known, ..
            },
            Cells::Nominal { codes, dictionary },
        ) => {
            let (codes, dictionary) = translate(known, column, codes, dictionary, unseen)?;
            Cells::Nominal { codes, dictionary }
        }
        (Cells::Collection { members: known, .. }, Cells::Collection { kind, members }) => {
            let child = recode(&known.child, &members.child, unseen)?;
            recollect(*kind, members, child)
        }
        (
            Cells::Tuple { fields: known, .. },
            Cells::Tuple {
                names,
                fields,
                rows,
            },
        ) => {
            let recoded: Vec<Option<Column>> = known
                .iter()
                .zip(fields)
                .map(|(known, field)| recode(known, field, unseen))
                .collect();
            if recoded.iter().all(Option::is_none) {
                return None;
            }
            let fields = recoded
                .into_iter()
                .zip(fields)
                .map(|(new, old)| new.unwrap_or_else(|| old.clone()))
                .collect();
            Cells::Tuple {
                names: names.clone(),
                fields,
                rows: *rows,
            }
        }
        _ => return None,
    };
    Some(Column::new(cells, column.validity().cloned()))
}

fn recollect(kind: Kind, members: &Members, child: Column) -> Cells {
    Cells::Collection {
        kind,
        members: Members {
            offsets: members.offsets.clone(),
            child: Box::new(child),
        },
    }
}

type Translated = (Vec<u32>, Arc<Dictionary>);

fn translate(
    known: &Arc<Dictionary>,
    column: &Column,
    codes: &[u32],
    dictionary: &Arc<Dictionary>,
    unseen: &mut Vec<String>,
) -> Option<Translated> {
    if Arc::ptr_eq(known, dictionary) {
        return None;
    }
    let mut extended = Dictionary::clone(known);
    let mut map: Vec<Option<u32>> = vec![None; dictionary.len()];
    let translated = codes
        .iter()
        .enumerate()
        .map(|(row, &code)| {
            if !column.is_present(row) {
                return 0;
            }
            *map[code as usize].get_or_insert_with(|| {
                let label = dictionary.label(code);
                if known.code(label).is_none() {
                    unseen.push(label.to_owned());
                }
                extended.intern(label)
            })
        })
        .collect();
    // Without new labels the schema's own dictionary serves, and is recognised as the same from
    // then on.
    let dictionary = if extended.len() == known.len() {
        Arc::clone(known)
    } else {
        Arc::new(extended)
    };
    Some((translated, dictionary))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn database(attributes: Vec<Attribute>) -> Database {
        Database::single(Table::new("t", attributes).unwrap()).unwrap()
    }

    fn schema() -> Database {
        database(vec![
            Attribute::new("colour", Column::nominal([Some("red"), Some("green")])),
            Attribute::new("size", Column::numeric(vec![1.0, 2.0])),
            Attribute::new("class", Column::nominal([Some("a"), Some("b")]))
                .with_role(Role::Target),
        ])
        .schema()
    }

    #[test]
    fn columns_are_matched_by_name_and_codes_translated() {
        let data = database(vec![
            Attribute::new("extra", Column::numeric(vec![0.0, 0.0, 0.0])),
            Attribute::new("size", Column::nominal([Some("3"), None, Some("4.5")])),
            Attribute::new(
                "colour",
                Column::nominal([Some("green"), Some("blue"), Some("red")]),
            ),
        ]);
        let (conformed, notices) = conform(&schema(), &data).unwrap();
        let table = conformed.table(0);
        let names: Vec<&str> = table.attributes().iter().map(|a| a.name.as_str()).collect();
        assert_eq!(names, ["colour", "size", "class"]);
        assert_eq!(table.attribute(0).column.codes().unwrap().0, [1, 2, 0]);
        assert_eq!(table.attribute(1).column.number(2), Some(4.5));
        assert_eq!(table.attribute(2).column.missing(), 3);
        let told: Vec<&str> = notices.iter().map(Notice::message).collect();
        assert_eq!(told.len(), 2);
        assert!(told.iter().any(|told| told.contains("`blue`")), "{told:?}");
        assert!(
            told.iter().any(|told| told.contains("converted")),
            "{told:?}"
        );
    }

    #[test]
    fn a_lacking_input_is_named_with_its_nearest() {
        let data = database(vec![
            Attribute::new("color", Column::nominal([Some("green")])),
            Attribute::new("size", Column::numeric(vec![1.0])),
        ]);
        let message = conform(&schema(), &data).unwrap_err().to_string();
        assert!(message.contains("lacks column `colour`"), "{message}");
        assert!(message.contains("did you mean `color`?"), "{message}");
    }

    #[test]
    fn a_type_that_cannot_be_converted_names_the_row() {
        let data = database(vec![
            Attribute::new("colour", Column::nominal([Some("red"), Some("red")])),
            Attribute::new("size", Column::nominal([Some("1"), Some("big")])),
        ]);
        let message = conform(&schema(), &data).unwrap_err().to_string();
        assert!(message.contains("row 2 holds `big`"), "{message}");
    }
}
