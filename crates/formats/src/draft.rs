//! Tables as read, until they are put together: once, at the end, with the keys, roles and targets
//! that a schema states.

mod kept;

use std::collections::BTreeSet;
use std::sync::Arc;

use kinwood_values::suggest::nearest;
use kinwood_values::{
    Cells, Column, Database, Dictionary, ForeignKey, Notice, NoticeKind, Role, Table, TableTime,
    Type, Validity, resolve,
};

use crate::dataset::{Dataset, Origin, TableRead};
use crate::error::{Error, Result};
use crate::restate::restate_written;
use crate::schema::{ForeignKeySchema, Schema, StatedColumn, TableSchema, TimeSchema, in_table};
use kept::Kept;

/// A table as read, and where from.
pub(crate) struct Part {
    pub read: TableRead,
    pub format: &'static str,
    pub origin: Origin,
    pub schema: Option<TableSchema>,
}

/// Tables as read, with what is known of them before they are a database.
pub struct Draft {
    pub(crate) parts: Vec<Part>,
    /// The schema that stands in the file itself.
    pub(crate) schema: Option<Schema>,
    /// What was decided without being asked.
    pub notices: Vec<Notice>,
    /// Whether the keys of the tables are all there are.
    pub keys_declared: bool,
    /// The database system that the keys come from, as messages name it.
    pub(crate) keeper: Option<String>,
}

impl Draft {
    /// A draft of tables.
    pub(crate) fn new(parts: Vec<Part>) -> Self {
        Self {
            parts,
            schema: None,
            notices: Vec::new(),
            keys_declared: false,
            keeper: None,
        }
    }

    /// The same of a single table that comes from elsewhere.
    pub(crate) fn with_origin(mut self, origin: Origin) -> Self {
        for part in &mut self.parts {
            part.origin = origin.clone();
        }
        self
    }

    /// The tables of both, in this order.
    pub(crate) fn join(&mut self, other: Draft) {
        self.parts.extend(other.parts);
        self.notices.extend(other.notices);
        self.keys_declared |= other.keys_declared;
        self.keeper = self.keeper.take().or(other.keeper);
    }

    /// Gives columns the types that are stated for this reading, where their values can be of them.
    pub(crate) fn state_types(&mut self, types: &[(String, Type)], file: &str) -> Result<()> {
        for (written, of) in types {
            let mut places: Vec<(usize, usize)> = Vec::new();
            for (position, part) in self.parts.iter().enumerate() {
                let table = &part.read.table;
                let named = part
                    .schema
                    .as_ref()
                    .map_or(table.name(), |schema| &schema.name);
                let column = table
                    .position(written)
                    .or_else(|| table.position(in_table(written, named)));
                places.extend(column.map(|column| (position, column)));
            }
            let [(position, column)] = places.as_slice() else {
                return Err(self.unplaced(written, &places, file));
            };
            let read = &mut self.parts[*position].read;
            let mut attributes = read.table.attributes().to_vec();
            let attribute = &mut attributes[*column];
            let found = attribute.type_of();
            if found != *of {
                let restated = restate_written(&attribute.column, of, attribute.notation);
                attribute.column = Arc::new(restated.ok_or_else(|| Error::StatedType {
                    file: file.to_owned(),
                    column: written.clone(),
                    stated: of.clone(),
                    found,
                })?);
            }
            if let Some(evidence) = read.evidence.get_mut(*column) {
                *evidence = "stated".to_owned();
            }
            let key = read.table.key().map(<[usize]>::to_vec);
            let name = read.table.name().to_owned();
            read.table = Table::new(name, attributes).map_err(|source| Error::Values {
                file: file.to_owned(),
                source,
            })?;
            read.table.set_key(key);
        }
        Ok(())
    }

    /// Why a name means no column, or several.
    fn unplaced(&self, written: &str, places: &[(usize, usize)], file: &str) -> Error {
        let names = |part: &Part| -> Vec<String> {
            let attributes = part.read.table.attributes().iter();
            attributes.map(|attribute| attribute.name.clone()).collect()
        };
        match places {
            [] => {
                let valid: Vec<String> = self.parts.iter().flat_map(names).collect();
                Error::Values {
                    file: file.to_owned(),
                    source: kinwood_values::Error::UnknownColumn {
                        table: match self.parts.as_slice() {
                            [only] => only.read.table.name().to_owned(),
                            _ => file.to_owned(),
                        },
                        column: written.to_owned(),
                        nearest: nearest(written, &valid),
                        valid,
                    },
                }
            }
            several => Error::ManyColumnsNamed {
                file: file.to_owned(),
                column: written.to_owned(),
                tables: several
                    .iter()
                    .map(|&(part, _)| self.parts[part].read.table.name().to_owned())
                    .collect(),
            },
        }
    }

    /// Puts the tables together. `file` is what messages about keys and targets name.
    pub(crate) fn assemble(self, schema: Option<&Schema>, file: &str) -> Result<Dataset> {
        let Self {
            parts,
            mut notices,
            keys_declared,
            keeper,
            ..
        } = self;
        let wrong = |source| Error::Values {
            file: file.to_owned(),
            source,
        };
        let mut tables = Vec::with_capacity(parts.len());
        let mut formats = Vec::new();
        let mut origins = Vec::new();
        let mut evidence = Vec::new();
        let mut stated_roles = BTreeSet::new();
        let mut customary = Vec::new();
        let mut references = Vec::new();
        for (position, part) in parts.into_iter().enumerate() {
            let mut table = part.read.table;
            let mut own = part.read.foreign_keys;
            if let Some(described) = part.schema {
                // Keys that a schema states are all there are.
                if !described.foreign_keys.is_empty() {
                    own.clear();
                }
                table = table.renamed(&described.name);
                if !described.key.is_empty() {
                    let key = positions(&table, &described.key).map_err(wrong)?;
                    table.set_key(Some(key));
                }
                if let Some(stated) = &described.time {
                    let file = match &part.origin.file {
                        own if own.is_empty() => file,
                        own => own,
                    };
                    let time = time(&table, stated, file)?;
                    if let Some(end) = time.end() {
                        // What is only known later is no input.
                        if matches!(table.attribute(end).role, Role::Input) {
                            table.set_role(end, Role::Ignore);
                        }
                        stated_roles.insert((position, end));
                    }
                    table.set_time(Some(time));
                }
            }
            references.extend(own.into_iter().map(|key| (table.name().to_owned(), key)));
            tables.push(table);
            formats.push(part.format.to_owned());
            origins.push(part.origin);
            evidence.push(part.read.evidence);
            stated_roles.extend(
                part.read
                    .stated_roles
                    .iter()
                    .map(|&column| (position, column)),
            );
            customary.extend(part.read.customary_target.map(|column| (position, column)));
            notices.extend(part.read.notices);
        }
        references.retain(|(table, key)| {
            let known = tables.iter().any(|table| table.name() == key.references);
            if !known {
                notices.push(Notice::about(NoticeKind::Key, format!(
                    "`{table}` is said to refer to `{}`, which is not read: that key is left out",
                    key.references
                )));
            }
            known
        });
        let described = schema.iter().flat_map(|schema| &schema.tables);
        let stated = described.flat_map(|table| {
            let keys = table.foreign_keys.iter();
            keys.map(|key| (table.name.clone(), key.clone()))
        });
        let all: Vec<(String, ForeignKeySchema)> = stated.chain(references).collect();
        let foreign_keys = foreign_keys(&tables, &all).map_err(wrong)?;
        let kept = keeper.map(|place| Kept::new(place, &tables, &foreign_keys));
        let (mut database, told) =
            Database::new(tables, foreign_keys).map_err(|source| match &kept {
                Some(kept) => kept.explained(source, schema, file),
                None => wrong(source),
            })?;
        notices.extend(told);
        let targets = targets(&database, schema).map_err(wrong)?;
        for &(table, column) in &targets {
            database.set_role(table, column, Role::Target);
            stated_roles.insert((table, column));
        }
        Ok(Dataset {
            facts: None,
            database,
            formats,
            origins,
            evidence,
            stated_roles,
            keys_declared: keys_declared || schema.is_some_and(|schema| schema.keys_declared),
            targets,
            // Several files have several last columns: none of them is customary then.
            customary_target: Some(customary).filter(|c| c.len() == 1).map(|c| c[0]),
            notices,
        })
    }
}

/// The columns that say when rows are: of dates or of numbers.
fn time(table: &Table, stated: &TimeSchema, file: &str) -> Result<TableTime> {
    let find = |column: &String| -> Result<usize> {
        let place = table.find(column).map_err(|source| Error::Values {
            file: file.to_owned(),
            source,
        })?;
        let found = table.attribute(place);
        let dates = matches!(found.column.cells(), Cells::DateTime(_) | Cells::Numeric(_));
        match dates || found.column.missing() == found.column.len() {
            true => Ok(place),
            false => Err(Error::TimeType {
                file: file.to_owned(),
                table: table.name().to_owned(),
                column: column.clone(),
                found: found.type_of(),
            }),
        }
    };
    Ok(match stated {
        TimeSchema::Instant(column) => TableTime::Instant {
            column: find(column)?,
        },
        TimeSchema::Valid { from, to } => TableTime::Valid {
            from: find(from)?,
            to: find(to)?,
        },
    })
}

fn positions(table: &Table, columns: &[String]) -> Result<Vec<usize>, kinwood_values::Error> {
    columns.iter().map(|column| table.find(column)).collect()
}

/// The foreign keys, each stated for the table of that name.
fn foreign_keys(
    tables: &[Table],
    stated: &[(String, ForeignKeySchema)],
) -> Result<Vec<ForeignKey>, kinwood_values::Error> {
    let find = |name: &str| {
        let valid =
            || -> Vec<String> { tables.iter().map(|table| table.name().to_owned()).collect() };
        tables
            .iter()
            .position(|table| table.name() == name)
            .ok_or_else(|| kinwood_values::Error::UnknownTable {
                table: name.to_owned(),
                nearest: nearest(name, valid()),
                valid: valid(),
            })
    };
    let mut keys: Vec<ForeignKey> = Vec::new();
    let taken: Vec<&String> = stated
        .iter()
        .filter_map(|(_, key)| key.name.as_ref())
        .collect();
    for (table, key) in stated {
        let Some(from) = tables.iter().position(|other| other.name() == table) else {
            continue;
        };
        let to = find(&key.references)?;
        let from_columns = positions(&tables[from], &key.columns)?;
        let to_columns = match key.to.as_slice() {
            [] => tables[to].key().map(<[usize]>::to_vec).unwrap_or_default(),
            columns => positions(&tables[to], columns)?,
        };
        let name = key.name.clone().unwrap_or_else(|| {
            let plain = format!("{table}_{}", key.columns.join("_"));
            let longer = format!("{plain}_{}", key.references);
            let numbered = (2..).map(|count| format!("{longer}_{count}"));
            let mut candidates = [plain, longer.clone()].into_iter().chain(numbered);
            let free =
                |name: &String| !taken.contains(&name) && keys.iter().all(|key| key.name != *name);
            candidates
                .find(free)
                .expect("there are more names than keys")
        });
        keys.push(ForeignKey {
            name,
            from,
            from_columns,
            to,
            to_columns,
            describes: key.describes,
        });
    }
    Ok(keys)
}

/// The targets that a schema names, then the columns to which it gives the role.
fn targets(
    database: &Database,
    schema: Option<&Schema>,
) -> Result<Vec<(usize, usize)>, kinwood_values::Error> {
    let mut targets = Vec::new();
    for name in schema.iter().flat_map(|schema| &schema.targets) {
        let target = find_target(database, name)?;
        if !targets.contains(&target) {
            targets.push(target);
        }
    }
    for (position, table) in database.tables().iter().enumerate() {
        for (column, attribute) in table.attributes().iter().enumerate() {
            if attribute.role == Role::Target && !targets.contains(&(position, column)) {
                targets.push((position, column));
            }
        }
    }
    Ok(targets)
}

/// The column that a name means; messages say whether the table is unknown or the column in it.
fn find_target(database: &Database, name: &str) -> Result<(usize, usize), kinwood_values::Error> {
    // What stands in a schema is literal first: several tables may have a column that reads as
    // `table.column`.
    let alone = resolve::named(database, name);
    let literal = match alone.as_slice() {
        [one] => Some(*one),
        _ => resolve::qualified(database, name),
    };
    if let Some(place) = literal.or_else(|| resolve::find_column(database, name).ok()) {
        return Ok(place);
    }
    let tables = database.tables();
    let in_table = tables
        .iter()
        .enumerate()
        .rev()
        .find_map(|(position, table)| {
            let column = name.strip_prefix(table.name())?.strip_prefix('.')?;
            Some((position, column))
        });
    match (in_table, tables) {
        (Some((table, column)), _) => tables[table].find(column).map(|column| (table, column)),
        (None, [table]) => table.find(name).map(|column| (0, column)),
        (None, _) => {
            let table = name.split('.').next().unwrap_or_default();
            database.find(table).map(|table| (table, 0))
        }
    }
}

/// What a schema states about a table whose file has types of its own: other types where the values
/// can be of them, roles, order of values, hierarchies.
pub(crate) fn overrule(mut read: TableRead, schema: &TableSchema, file: &str) -> Result<TableRead> {
    let wrong = |source| Error::Values {
        file: file.to_owned(),
        source,
    };
    let name = read.table.name().to_owned();
    let mut attributes = read.table.attributes().to_vec();
    for stated in &schema.options.columns {
        let position = read.table.find(&stated.name).map_err(wrong)?;
        let attribute = &mut attributes[position];
        let found = attribute.type_of();
        if let Some(of) = stated.type_of().filter(|of| *of != found) {
            let Some(column) = restate_written(&attribute.column, &of, stated.notation) else {
                return Err(Error::OtherType {
                    file: file.to_owned(),
                    column: stated.name.clone(),
                    stated: of,
                    found,
                });
            };
            attribute.column = Arc::new(column);
        }
        if let Some(values) = &stated.values {
            attribute.column = Arc::new(recode(&attribute.column, values).map_err(wrong)?);
        }
        if let Some(role) = stated.role {
            attribute.role = role;
            read.stated_roles.insert(position);
        }
        attribute.hierarchy = stated.hierarchy.or(attribute.hierarchy);
        attribute.ordered |= stated.ordered;
        attribute.notation = stated.notation.or(attribute.notation);
        if stated.distance.is_some() {
            attribute.distance.clone_from(&stated.distance);
        }
        note(&mut read.evidence, position, stated);
    }
    let key = read.table.key().map(<[usize]>::to_vec);
    read.table = Table::new(name, attributes).map_err(wrong)?;
    read.table.set_key(key);
    Ok(read)
}

fn note(evidence: &mut [String], position: usize, stated: &StatedColumn) {
    if stated.values.is_some()
        && let Some(evidence) = evidence.get_mut(position)
    {
        *evidence = "stated in the schema".to_owned();
    }
}

/// The same labels by the codes of another list.
fn recode(column: &Column, values: &[String]) -> Result<Column, kinwood_values::Error> {
    let Cells::Nominal { codes, dictionary } = column.cells() else {
        return Ok(column.clone());
    };
    let stated = Dictionary::from_labels(values);
    let by_code: Vec<Option<u32>> = dictionary
        .labels()
        .map(|label| stated.code(label))
        .collect();
    let mut recoded = Vec::with_capacity(codes.len());
    for (row, &code) in codes.iter().enumerate() {
        if !column.is_present(row) {
            recoded.push(0);
            continue;
        }
        let Some(code) = by_code[code as usize] else {
            return Err(kinwood_values::Error::ValueType {
                value: format!("`{}` of row {}", dictionary.label(code), row + 1),
                expected: column.type_of(),
            });
        };
        recoded.push(code);
    }
    let validity: Option<Validity> = column.validity().cloned();
    let cells = Cells::Nominal {
        codes: recoded,
        dictionary: Arc::new(stated),
    };
    Ok(Column::new(cells, validity))
}

#[cfg(test)]
mod tests {
    use kinwood_values::Attribute;

    use super::*;

    /// A table as a file that states its types gives it.
    fn typed() -> TableRead {
        let label = Column::nominal([Some("b"), None, Some("a")]);
        let number = Column::numeric(vec![1.0, 2.0, 3.0]);
        let attributes = vec![Attribute::new("label", label), Attribute::new("n", number)];
        TableRead {
            table: Table::new("t", attributes).unwrap(),
            evidence: vec!["declared".to_owned(); 2],
            stated_roles: BTreeSet::new(),
            customary_target: Some(0),
            foreign_keys: Vec::new(),
            notices: Vec::new(),
        }
    }

    fn overruled(columns: &str) -> Result<TableRead> {
        let schema = Schema::parse(&format!("[tables.t.columns]\n{columns}"), "s").unwrap();
        overrule(typed(), &schema.tables[0], "t.arff")
    }

    #[test]
    fn roles_and_orders_of_values_are_overruled() {
        let read =
            overruled("label = { values = ['a', 'b'], role = 'id' }\nn = 'numeric'").unwrap();
        let attribute = read.table.attribute(0);
        assert_eq!(attribute.role, Role::Id);
        let values: Vec<String> = (0..3)
            .map(|row| attribute.column.value(row).to_string())
            .collect();
        assert_eq!(values, ["b", "?", "a"]);
        assert_eq!(attribute.column.code(0), Some(1));
        assert_eq!(read.stated_roles, BTreeSet::from([0]));
        assert_eq!(read.evidence, ["stated in the schema", "declared"]);
    }

    #[test]
    fn types_that_the_values_are_not_of_are_refused() {
        for (columns, expected) in [
            (
                "n = 'datetime'",
                "t.arff: the schema says that column `n` is `datetime`, the file says `numeric`",
            ),
            (
                "weight = 'numeric'",
                "t.arff: unknown column `weight` in table `t`; its columns are `label`, `n`",
            ),
            (
                "label = { values = ['b'] }",
                "t.arff: the value `a` of row 3 is not of type `nominal`",
            ),
        ] {
            assert_eq!(overruled(columns).unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn foreign_keys_have_distinct_names() {
        let text = "[tables.t]\nkey = 'n'\n".to_owned()
            + &"[[tables.t.foreign_keys]]\ncolumns = 'n'\nreferences = 't'\n".repeat(3);
        let schema = Schema::parse(&text, "s").unwrap();
        let part = Part {
            read: typed(),
            format: "ARFF",
            origin: Origin::default(),
            schema: schema.table("t").cloned(),
        };
        let dataset = Draft::new(vec![part]).assemble(Some(&schema), "s").unwrap();
        let keys = dataset.database.foreign_keys();
        let names: Vec<&str> = keys.iter().map(|key| key.name.as_str()).collect();
        assert_eq!(names, ["t_n", "t_n_t", "t_n_t_2"]);
        assert_eq!(dataset.customary_target, Some((0, 0)));
    }
}
