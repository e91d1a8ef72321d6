//! Bags: one object, many rows. Data comes with them in three forms, which are the same thing
//! underneath.
//!
//! - a *child table* whose rows refer to their object by a foreign key;
//! - a *nested column*, `bag<tuple<…>>`, as a relational ARFF attribute is;
//! - a *flat table* with a column that says which bag a row belongs to.
//!
//! [`group_rows`] makes the first of the third, [`split_out`] the first of the second, [`nest`] the
//! second of the first.

use hashbrown::{HashMap, HashSet};
use std::sync::Arc;

use crate::column::{Cells, Column, Kind, Members};
use crate::database::{Database, ForeignKey};
use crate::error::Error;
use crate::notice::Notice;
use crate::offsets::Offsets;
use crate::role::Role;
use crate::table::{Attribute, Table};
use crate::types::Type;
use crate::value::Value;

/// What the table of a flat table's rows is called, after the table of its bags.
const INSTANCES: &str = "instances";
/// What a member that is no tuple is called.
const MEMBER: &str = "member";
/// What the place of a member in its list is called.
const POSITION: &str = "position";
/// What rows without a key are numbered in.
const ROW: &str = "row";

/// Two tables of a flat one: its bags, under its name, and its rows, which refer to their bag.
///
/// Columns with one value in each bag (the class, usually) describe the bag; the others describe
/// its rows. Bags are in order of their first rows; rows without a bag are refused.
pub fn group_rows(table: &Table, bag: usize) -> Result<(Database, Vec<Notice>), Error> {
    let bags = &table.attribute(bag).column;
    let mut firsts: HashMap<Value, usize> = HashMap::new();
    let first: Vec<usize> = (0..table.rows())
        .map(|row| *firsts.entry(bags.value(row)).or_insert(row))
        .collect();
    divide_rows(table, bag, &|position| {
        let column = &table.attribute(position).column;
        (0..table.rows()).all(|row| column.value(row) == column.value(first[row]))
    })
}

/// Bags and their rows; `describes_bags` says which columns are of bags.
fn divide_rows(
    table: &Table,
    bag: usize,
    describes_bags: &dyn Fn(usize) -> bool,
) -> Result<(Database, Vec<Notice>), Error> {
    let bags = &table.attribute(bag).column;
    if let Some(row) = (0..table.rows()).find(|&row| !bags.is_present(row)) {
        return Err(Error::NoBag {
            column: table.attribute(bag).name.clone(),
            row: row + 1,
        });
    }
    let mut seen: HashSet<Value> = HashSet::new();
    let first = |row: &u32| seen.insert(bags.value(*row as usize));
    let firsts: Vec<u32> = (0..table.rows() as u32).filter(first).collect();
    let mut of_bags = vec![table.attribute(bag).clone().with_role(Role::Id)];
    let mut of_rows = vec![table.attribute(bag).clone().with_role(Role::Id)];
    for (position, attribute) in table.attributes().iter().enumerate() {
        if position != bag {
            let owner = if describes_bags(position) {
                &mut of_bags
            } else {
                &mut of_rows
            };
            owner.push(attribute.clone());
        }
    }
    let of_bags = of_bags
        .into_iter()
        .map(|attribute| Attribute {
            column: Arc::new(attribute.column.gather(&firsts)),
            ..attribute
        })
        .collect();
    let mut parent = Table::new(table.name(), of_bags)?;
    parent.set_key(Some(vec![0]));
    let child = Table::new(format!("{}_{INSTANCES}", table.name()), of_rows)?;
    let key = refer(&child, 1, vec![0], 0, vec![0]);
    Database::new(vec![parent, child], vec![key])
}

/// The two tables of a flat one as a schema divides its columns: what few new rows have in common
/// says nothing about which columns describe bags. `None` unless the schema has bags and their rows
/// by a key of one column that the table has.
pub fn group_rows_like(
    schema: &Database,
    table: &Table,
) -> Option<Result<(Database, Vec<Notice>), Error>> {
    let ([parent, child], [key]) = (schema.tables(), schema.foreign_keys()) else {
        return None;
    };
    let (&[from], &[to]) = (key.from_columns.as_slice(), key.to_columns.as_slice()) else {
        return None;
    };
    if (key.from, key.to) != (1, 0) {
        return None;
    }
    let bag = table.position(&child.attribute(from).name)?;
    let of_bag = |name: &str| parent.position(name).is_some_and(|column| column != to);
    Some(
        divide_rows(table, bag, &|position| {
            of_bag(&table.attribute(position).name)
        })
        .and_then(|(database, notices)| {
            let (tables, mut keys) = database.into_parts();
            let named = tables.into_iter().zip([parent, child]);
            let tables: Vec<Table> = named.map(|(table, of)| table.renamed(of.name())).collect();
            keys.iter_mut().for_each(|of| of.name.clone_from(&key.name));
            let (database, _) = Database::new(tables, keys)?;
            Ok((database, notices))
        }),
    )
}

fn refer(
    child: &Table,
    from: usize,
    from_columns: Vec<usize>,
    to: usize,
    to_columns: Vec<usize>,
) -> ForeignKey {
    let columns: Vec<&str> = from_columns
        .iter()
        .map(|&column| child.attribute(column).name.as_str())
        .collect();
    let name = format!("{}_{}", child.name(), columns.join("_"));
    ForeignKey {
        name,
        from,
        from_columns,
        to,
        to_columns,
        describes: None,
    }
}

/// The database with a nested column as a table of its own, called after table and column, that
/// refers to its owner.
///
/// A tuple's fields become columns; anything else is a column `member`; a list's members are
/// numbered. An owner without a key is numbered, too. A missing collection has no rows, as an empty
/// one.
pub fn split_out(
    database: &Database,
    table: usize,
    column: usize,
) -> Result<(Database, Vec<Notice>), Error> {
    let attribute = database.table(table).attribute(column).clone();
    let Cells::Collection { kind, members } = attribute.column.cells() else {
        return Err(Error::NotNested {
            column: attribute.name.clone(),
            found: attribute.type_of(),
        });
    };
    let (mut tables, mut keys) = (database.tables().to_vec(), database.foreign_keys().to_vec());
    let owner = &tables[table];
    let mut attributes: Vec<Attribute> = owner.attributes().to_vec();
    let mut key: Vec<usize> = owner.key().map(<[usize]>::to_vec).unwrap_or_default();
    if key.is_empty() {
        let numbers = Column::numeric((1..=owner.rows()).map(|row| row as f64).collect());
        attributes.push(Attribute::new(fresh(&attributes, ROW), numbers).with_role(Role::Id));
        key.push(attributes.len() - 1);
    }
    let owners: Vec<u32> = (0..owner.rows())
        .flat_map(|row| std::iter::repeat_n(row as u32, members.range(row).len()))
        .collect();
    let mut of_rows: Vec<Attribute> = key
        .iter()
        .map(|&column| {
            let values = attributes[column].column.gather(&owners);
            let name = format!("{}_{}", owner.name(), attributes[column].name);
            Attribute::new(name, values).with_role(Role::Id)
        })
        .collect();
    let refers: Vec<usize> = (0..of_rows.len()).collect();
    if *kind == Kind::List {
        let places = (0..owner.rows())
            .flat_map(|row| (1..=members.range(row).len()).map(|place| place as f64));
        of_rows.push(Attribute::new(
            fresh(&of_rows, POSITION),
            Column::numeric(places.collect()),
        ));
    }
    match members.child.cells() {
        Cells::Tuple { names, fields, .. } => {
            for (position, (name, field)) in names.iter().zip(fields).enumerate() {
                let name = name.clone().unwrap_or_else(|| format!("f{}", position + 1));
                of_rows.push(Attribute::new(fresh(&of_rows, &name), field.clone()));
            }
        }
        _ => of_rows.push(Attribute::new(
            fresh(&of_rows, MEMBER),
            Column::clone(&members.child),
        )),
    }
    let name = format!("{}_{}", owner.name(), attribute.name);
    let child = Table::new(fresh_table(&tables, &name), of_rows)?;
    let kept: Vec<usize> = (0..attributes.len())
        .filter(|&position| position != column)
        .collect();
    let place = |old: usize| kept.iter().position(|&kept| kept == old).unwrap_or(0);
    for foreign in &mut keys {
        // The nested column is in no key, so every other keeps a place.
        if foreign.from == table {
            foreign
                .from_columns
                .iter_mut()
                .for_each(|column| *column = place(*column));
        }
        if foreign.to == table {
            foreign
                .to_columns
                .iter_mut()
                .for_each(|column| *column = place(*column));
        }
    }
    let key: Vec<usize> = key.into_iter().map(place).collect();
    let mut without = Table::new(
        owner.name(),
        kept.iter()
            .map(|&position| attributes[position].clone())
            .collect(),
    )?;
    without.set_key(Some(key.clone()));
    tables[table] = without;
    keys.push(refer(&child, tables.len(), refers, table, key));
    tables.push(child);
    Database::new(tables, keys)
}

/// The database with a child table as a nested column of its owner: `bag<tuple<…>>`, called after
/// the child table.
///
/// Rows that refer to nothing are left out. The child table must not be referred to itself.
pub fn nest(database: &Database, foreign_key: usize) -> Result<(Database, Vec<Notice>), Error> {
    let key = &database.foreign_keys()[foreign_key];
    let child = database.table(key.from);
    let others =
        |other: &&ForeignKey| other.to == key.from || (other.from == key.from && *other != key);
    if let Some(other) = database.foreign_keys().iter().find(others) {
        return Err(Error::KeyInTheWay {
            table: child.name().to_owned(),
            key: other.name.clone(),
        });
    }
    let link = database.link(foreign_key);
    let owner = database.table(key.to);
    let rows: Vec<u32> = (0..owner.rows())
        .flat_map(|row| link.backward(row).iter().copied())
        .collect();
    let fields: Vec<&Attribute> = child
        .attributes()
        .iter()
        .enumerate()
        .filter(|(column, _)| !key.from_columns.contains(column))
        .map(|(_, attribute)| attribute)
        .collect();
    let tuple = Cells::Tuple {
        names: fields
            .iter()
            .map(|attribute| Some(attribute.name.clone()))
            .collect(),
        fields: fields
            .iter()
            .map(|attribute| attribute.column.gather(&rows))
            .collect(),
        rows: rows.len(),
    };
    let offsets = Offsets::from_lengths((0..owner.rows()).map(|row| link.backward(row).len()));
    let members = Members {
        offsets,
        child: Box::new(Column::new(tuple, None)),
    };
    let bag = Column::new(
        Cells::Collection {
            kind: Kind::Bag,
            members,
        },
        None,
    );
    let mut attributes = owner.attributes().to_vec();
    attributes.push(Attribute::new(fresh(&attributes, child.name()), bag));
    let mut nested = Table::new(owner.name(), attributes)?;
    nested.set_key(owner.key().map(<[usize]>::to_vec));
    nested.set_time(owner.time());
    let mut tables = database.tables().to_vec();
    tables[key.to] = nested;
    tables.remove(key.from);
    let place = |table: usize| if table > key.from { table - 1 } else { table };
    let keys = database
        .foreign_keys()
        .iter()
        .filter(|other| *other != key)
        .map(|other| ForeignKey {
            from: place(other.from),
            to: place(other.to),
            ..other.clone()
        })
        .collect();
    Database::new(tables, keys)
}

/// Every nested column of members as a table of its own, until none is left: the form that
/// relational learners follow.
pub fn split_out_all(database: &Database) -> Result<(Database, Vec<Notice>), Error> {
    let mut database = database.clone();
    let mut notices = Vec::new();
    let nested = |database: &Database| {
        let places = database
            .tables()
            .iter()
            .enumerate()
            .flat_map(|(table, owner)| {
                owner
                    .attributes()
                    .iter()
                    .enumerate()
                    .map(move |(column, attribute)| (table, column, attribute))
            });
        let holds_rows = |of: &Type| matches!(of, Type::Bag(of) | Type::Set(of) | Type::List(of) if matches!(**of, Type::Tuple(_)));
        let mut places = places.filter(|(_, _, attribute)| holds_rows(&attribute.type_of()));
        places.next().map(|(table, column, _)| (table, column))
    };
    while let Some((table, column)) = nested(&database) {
        let (split, told) = split_out(&database, table, column)?;
        database = split;
        notices.extend(told);
    }
    Ok((database, notices))
}

/// A column name that is not taken.
fn fresh(attributes: &[Attribute], name: &str) -> String {
    unused(name, |name| {
        attributes.iter().any(|attribute| attribute.name == name)
    })
}

fn fresh_table(tables: &[Table], name: &str) -> String {
    unused(name, |name| tables.iter().any(|table| table.name() == name))
}

fn unused(name: &str, taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{name}{number}"));
    std::iter::once(name.to_owned())
        .chain(numbered)
        .find(|name| !taken(name))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three conformations of two molecules, flat.
    fn flat() -> Table {
        Table::new(
            "musk",
            vec![
                Attribute::new(
                    "molecule",
                    Column::nominal([Some("a"), Some("b"), Some("a")]),
                ),
                Attribute::new("f1", Column::numeric(vec![1.0, 2.0, 3.0])),
                Attribute::new("f2", Column::numeric(vec![f64::NAN, 5.0, 6.0])),
                Attribute::new("class", Column::nominal([Some("1"), Some("0"), Some("1")])),
            ],
        )
        .unwrap()
    }

    fn names(table: &Table) -> Vec<&str> {
        table
            .attributes()
            .iter()
            .map(|attribute| attribute.name.as_str())
            .collect()
    }

    #[test]
    fn a_flat_table_becomes_bags_and_their_rows() {
        let (database, notices) = group_rows(&flat(), 0).unwrap();
        assert!(notices.is_empty());
        assert_eq!(names(database.table(0)), ["molecule", "class"]);
        assert_eq!(names(database.table(1)), ["molecule", "f1", "f2"]);
        assert_eq!((database.table(0).rows(), database.table(1).rows()), (2, 3));
        assert_eq!(database.link(0).backward(0), [0, 2]);
    }

    /// The bags of a database as values, however they are kept.
    fn bags(database: &Database) -> Vec<(Value, Value)> {
        let nested = if database.tables().len() == 2 {
            nest(database, 0).unwrap().0
        } else {
            database.clone()
        };
        let table = nested.table(0);
        let last = table.attributes().len() - 1;
        (0..table.rows())
            .map(|row| {
                (
                    table.attribute(0).column.value(row),
                    table.attribute(last).column.value(row),
                )
            })
            .collect()
    }

    #[test]
    fn the_three_forms_are_the_same_thing_afterwards() {
        let (child_table, _) = group_rows(&flat(), 0).unwrap();
        let (nested, _) = nest(&child_table, 0).unwrap();
        assert_eq!(
            nested.table(0).attribute(2).type_of(),
            "bag<tuple<f1: numeric, f2: numeric>>".parse().unwrap()
        );
        let (split, _) = split_out_all(&nested).unwrap();
        assert_eq!(names(split.table(1)), ["musk_molecule", "f1", "f2"]);
        assert_eq!(bags(&child_table), bags(&nested));
        assert_eq!(bags(&child_table), bags(&split));
    }

    #[test]
    fn an_owner_without_a_key_is_numbered() {
        let of: Type = "list<nominal>".parse().unwrap();
        let list = |labels: &[&str]| {
            Value::List(labels.iter().map(|l| Value::Symbol((*l).into())).collect())
        };
        let words =
            Column::from_values(&of, &[list(&["x", "y"]), Value::Missing, list(&["z"])]).unwrap();
        let database =
            Database::single(Table::new("t", vec![Attribute::new("words", words)]).unwrap())
                .unwrap();
        let (split, _) = split_out(&database, 0, 0).unwrap();
        assert_eq!(names(split.table(0)), ["row"]);
        assert_eq!(names(split.table(1)), ["t_row", "position", "member"]);
        assert_eq!(split.link(0).backward(0), [0, 1]);
        assert!(split.link(0).backward(1).is_empty());
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let gap = Attribute::new("bag", Column::nominal([Some("a"), None]));
        let table = Table::new("t", vec![gap]).unwrap();
        assert_eq!(
            group_rows(&table, 0).unwrap_err().to_string(),
            "row 2 has no value in the bag column `bag`"
        );
        let database = Database::single(table).unwrap();
        assert!(
            split_out(&database, 0, 0)
                .unwrap_err()
                .to_string()
                .contains("`nominal`")
        );
    }
}
