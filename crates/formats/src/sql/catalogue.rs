//! How what a database declares becomes tables: they are chosen, keys resolved, names made
//! distinct.

use std::collections::BTreeSet;

use kinwood_values::suggest::nearest;
use kinwood_values::{Attribute, ForeignKey, Notice, NoticeKind, Remedy, Table};

use super::SqlOptions;
use super::builder::Builder;
use super::declared::{DeclaredKey, DeclaredTable, Listed};
use super::finish::{Finished, finish};
use crate::dataset::{Origin, TableRead};
use crate::draft::{Draft, Part};
use crate::error::{Error, Result};
use crate::schema::ForeignKeySchema;

/// Which of the listed tables are read, by position and in their order, and whether they were asked
/// for by name.
pub(super) fn choose(
    place: &str,
    listed: &[Listed],
    options: &SqlOptions,
) -> Result<Vec<(usize, bool)>> {
    let Some(wanted) = &options.tables else {
        let all = (0..listed.len()).filter(|&table| options.views || !listed[table].view);
        return Ok(all.map(|table| (table, false)).collect());
    };
    let mut chosen = BTreeSet::new();
    for name in wanted {
        let exact = |table: &&Listed| table.full_name() == *name || table.name == *name;
        let folded = |table: &&Listed| {
            table.full_name().eq_ignore_ascii_case(name) || table.name.eq_ignore_ascii_case(name)
        };
        let find = |like: &dyn Fn(&&Listed) -> bool| listed.iter().position(|table| like(&table));
        let Some(table) = find(&exact).or_else(|| find(&folded)) else {
            let valid: Vec<String> = listed.iter().map(|table| table.name.clone()).collect();
            return Err(Error::Values {
                file: place.to_owned(),
                source: kinwood_values::Error::UnknownTable {
                    table: name.clone(),
                    nearest: nearest(name, &valid),
                    valid,
                },
            });
        };
        chosen.insert(table);
    }
    Ok(chosen.into_iter().map(|table| (table, true)).collect())
}

/// The tables to read, with their keys resolved.
pub(super) struct Catalogue {
    pub place: String,
    pub tables: Vec<DeclaredTable>,
    foreign_keys: Vec<ForeignKey>,
    pub notices: Vec<Notice>,
}

/// The format of what is a view, whichever database system keeps it.
pub(crate) const VIEW: &str = "view";

impl Catalogue {
    /// Resolves foreign keys; `others` are tables that exist but are not read.
    pub fn new(
        place: &str,
        tables: Vec<DeclaredTable>,
        others: &[String],
        mut notices: Vec<Notice>,
    ) -> Self {
        let mut foreign_keys: Vec<ForeignKey> = Vec::new();
        for (from, table) in tables.iter().enumerate() {
            for key in &table.foreign_keys {
                let (to, from_columns, to_columns) = match ends(&tables, table, key, others) {
                    Ok(ends) => ends,
                    Err(fault) => {
                        let what = described(table, key);
                        let told = format!("{what} {}; it is left out", fault.reason);
                        let told = Notice::about(NoticeKind::Key, told);
                        notices.push(match fault.not_read {
                            true => told.with_remedy(Remedy::ReadTable {
                                other_schema: false,
                            }),
                            false => told,
                        });
                        continue;
                    }
                };
                let twice = |other: &ForeignKey| {
                    (other.from, &other.from_columns, other.to, &other.to_columns)
                        == (from, &from_columns, to, &to_columns)
                };
                if foreign_keys.iter().any(twice) {
                    let what = described(table, key);
                    notices.push(Notice::about(
                        NoticeKind::Key,
                        format!("{what} is declared twice"),
                    ));
                    continue;
                }
                let name = distinct_name(table, key, &foreign_keys, &mut notices);
                foreign_keys.push(ForeignKey {
                    name,
                    from,
                    from_columns,
                    to,
                    to_columns,
                    describes: None,
                });
            }
        }
        Self {
            place: place.to_owned(),
            tables,
            foreign_keys,
            notices,
        }
    }

    /// Whether a column is part of a key, or referred to.
    pub fn is_key(&self, table: usize, column: usize) -> bool {
        self.tables[table].key.contains(&column)
            || self.foreign_keys.iter().any(|key| {
                (key.from == table && key.from_columns.contains(&column))
                    || (key.to == table && key.to_columns.contains(&column))
            })
    }

    /// Reads the columns of a table by passes over its rows: a second one where values contradict
    /// declarations.
    pub fn read_table(
        &mut self,
        table: usize,
        capacity: usize,
        mut pass: impl FnMut(&mut [Builder]) -> Result<usize>,
    ) -> Result<Vec<Option<Finished>>> {
        let declared = self.tables[table].columns.clone();
        let key = |column| self.is_key(table, column);
        let plans = declared.iter().map(|column| column.plan.clone());
        let builders = plans
            .enumerate()
            .map(|(column, plan)| Builder::new(plan, key(column), capacity));
        let mut builders: Vec<Builder> = builders.collect();
        let rows = pass(&mut builders)?;
        if builders.iter().any(Builder::contradicted) {
            let mut again: Vec<Builder> = builders.iter_mut().map(|b| b.again(rows)).collect();
            let rows_again = pass(&mut again)?;
            if rows_again != rows {
                return Err(Error::Database {
                    place: self.place.clone(),
                    table: Some(self.tables[table].name.clone()),
                    reason: format!("it had {rows} rows, then {rows_again}"),
                    hint: "; a view whose rows change at each reading cannot be read".to_owned(),
                });
            }
            for (builder, again) in builders.iter_mut().zip(again) {
                if builder.passed() {
                    *builder = again;
                }
            }
        }
        let name = self.tables[table].name.clone();
        let finished = builders.into_iter().zip(&declared);
        Ok(finished
            .map(|(builder, column)| finish(builder, &name, column, &mut self.notices))
            .collect())
    }

    /// Puts the columns of each table together; a table of which nothing was read is left out.
    pub fn draft(
        self,
        format: &'static str,
        read: Vec<Option<Vec<Option<Finished>>>>,
    ) -> Result<Draft> {
        let mut notices = self.notices;
        let mut tables = Vec::new();
        let mut evidence = Vec::new();
        // Where each declared table and column went.
        let mut places: Vec<Option<(usize, Vec<Option<usize>>)>> = Vec::new();
        for (declared, columns) in self.tables.iter().zip(read) {
            let Some(columns) = columns else {
                places.push(None);
                continue;
            };
            let mut attributes = Vec::new();
            let mut why = Vec::new();
            let mut positions = Vec::new();
            for (column, finished) in declared.columns.iter().zip(columns) {
                positions.push(finished.is_some().then_some(attributes.len()));
                if let Some(finished) = finished {
                    attributes.push(Attribute::new(&column.name, finished.column));
                    why.push(finished.evidence);
                }
            }
            if attributes.is_empty() {
                let name = &declared.name;
                notices.push(Notice::about(
                    NoticeKind::LeftOut,
                    format!("table `{name}` has no columns that can be read; it is left out"),
                ));
                places.push(None);
                continue;
            }
            let table = Table::new(&declared.name, attributes);
            let mut table = table.map_err(|source| Error::Values {
                file: self.place.clone(),
                source,
            })?;
            let key: Option<Vec<usize>> = declared.key.iter().map(|&c| positions[c]).collect();
            if key.is_none() {
                notices.push(Notice::about(
                    NoticeKind::Key,
                    format!(
                        "table `{}` is read without its primary key, a column of which is left out",
                        declared.name
                    ),
                ));
            }
            table.set_key(key);
            places.push(Some((tables.len(), positions)));
            tables.push(table);
            evidence.push(why);
        }
        if tables.is_empty() {
            return Err(Error::Empty {
                file: self.place,
                expected: "expected at least one table with columns".to_owned(),
            });
        }
        let mut foreign_keys = Vec::new();
        for key in self.foreign_keys {
            let end = |table: usize, columns: &[usize]| {
                let (table, positions) = places[table].as_ref()?;
                let columns: Option<Vec<usize>> = columns.iter().map(|&c| positions[c]).collect();
                Some((*table, columns?))
            };
            let ends = end(key.from, &key.from_columns).zip(end(key.to, &key.to_columns));
            let Some(((from, from_columns), (to, to_columns))) = ends else {
                notices.push(Notice::about(
                    NoticeKind::Key,
                    format!(
                        "foreign key `{}` is left out, because a table or column of it is",
                        key.name
                    ),
                ));
                continue;
            };
            foreign_keys.push(ForeignKey {
                name: key.name,
                from,
                from_columns,
                to,
                to_columns,
                describes: key.describes,
            });
        }
        let read = self.tables.iter().zip(&places);
        let read = read.filter(|(_, place)| place.is_some());
        let read: Vec<&DeclaredTable> = read.map(|(table, _)| table).collect();
        notices.extend(without_keys(&read, &foreign_keys));
        let views: Vec<bool> = read.iter().map(|table| table.view).collect();
        let mut parts: Vec<Part> = tables
            .into_iter()
            .zip(evidence)
            .zip(views)
            .map(|((table, evidence), view)| Part {
                read: TableRead {
                    evidence,
                    ..TableRead::new(table)
                },
                format: if view { VIEW } else { format },
                origin: Origin::default(),
                schema: None,
            })
            .collect();
        // A system that keeps one foreign key is asked to keep all of them.
        let keys_declared = !foreign_keys.is_empty();
        for key in foreign_keys {
            let names = |table: usize, columns: &[usize]| -> Vec<String> {
                let table = &parts[table].read.table;
                let name = |&column: &usize| table.attribute(column).name.clone();
                columns.iter().map(name).collect()
            };
            let stated = ForeignKeySchema {
                columns: names(key.from, &key.from_columns),
                references: parts[key.to].read.table.name().to_owned(),
                to: names(key.to, &key.to_columns),
                name: Some(key.name),
                describes: key.describes,
            };
            parts[key.from].read.foreign_keys.push(stated);
        }
        Ok(Draft {
            notices,
            keys_declared,
            keeper: Some(self.place),
            ..Draft::new(parts)
        })
    }
}

/// What is told of the tables read that keys do not connect with others although the database has
/// keys, and of views, which have none.
fn without_keys(tables: &[&DeclaredTable], foreign_keys: &[ForeignKey]) -> Vec<Notice> {
    let mut notices = Vec::new();
    let views: Vec<String> = tables
        .iter()
        .filter(|table| table.view && !table.by_name)
        .map(|table| format!("`{}`", table.name))
        .collect();
    if !views.is_empty() {
        let what = match views.len() {
            1 => "view is read as a table",
            _ => "views are read as tables",
        };
        let told = Notice::about(
            NoticeKind::Key,
            format!(
                "{} {what} without keys: {}; a schema can state keys",
                views.len(),
                views.join(", ")
            ),
        );
        notices.push(told.with_remedy(Remedy::LeaveOutViews));
    }
    for (position, table) in tables.iter().enumerate() {
        let connects = |key: &ForeignKey| key.from == position || key.to == position;
        // Without any foreign key, keys are looked for in the values, and what is found is told.
        let alone = !foreign_keys.is_empty() && !foreign_keys.iter().any(connects);
        if alone && table.key.is_empty() && !table.view {
            notices.push(Notice::about(NoticeKind::Key, format!(
                "table `{}` has neither a primary key nor foreign keys: no other table leads to its rows (a schema can state keys)",
                table.name
            )));
        }
    }
    notices
}

/// Why a foreign key cannot be followed.
struct KeyFault {
    /// The reason, behind the words that name the key.
    reason: String,
    /// Whether it refers to a table that is there and is not read.
    not_read: bool,
}

impl From<String> for KeyFault {
    fn from(reason: String) -> Self {
        Self {
            reason,
            not_read: false,
        }
    }
}

/// The table and columns at both ends of a foreign key, or why it cannot be followed.
fn ends(
    tables: &[DeclaredTable],
    from: &DeclaredTable,
    key: &DeclaredKey,
    others: &[String],
) -> Result<(usize, Vec<usize>, Vec<usize>), KeyFault> {
    let name = &key.table;
    let same = |table: &DeclaredTable| table.name == *name;
    let alike = |table: &DeclaredTable| table.name.eq_ignore_ascii_case(name);
    let position = tables.iter().position(same);
    let Some(to) = position.or_else(|| tables.iter().position(alike)) else {
        return Err(if others.iter().any(|t| t.eq_ignore_ascii_case(name)) {
            KeyFault {
                reason: format!("refers to table `{name}`, which is not read"),
                not_read: true,
            }
        } else {
            format!("refers to table `{name}`, which does not exist (a schema can state another)")
                .into()
        });
    };
    let columns = |table: &DeclaredTable, names: &[String]| -> Result<Vec<usize>, String> {
        let find = |name: &String| {
            let columns = || table.columns.iter();
            columns()
                .position(|column| column.name == *name)
                .or_else(|| columns().position(|column| column.name.eq_ignore_ascii_case(name)))
                .ok_or_else(|| {
                    let table = &table.name;
                    format!(
                        "names column `{name}` of table `{table}`, which does not exist (a schema can state another)"
                    )
                })
        };
        names.iter().map(find).collect()
    };
    let from_columns = columns(from, &key.columns)?;
    let to_columns = match key.to.as_slice() {
        [] if tables[to].key.is_empty() => {
            return Err(format!(
                "refers to the primary key of table `{name}`, which has none (a schema can state both keys)"
            )
            .into());
        }
        [] => tables[to].key.clone(),
        named => columns(&tables[to], named)?,
    };
    if from_columns.len() != to_columns.len() {
        let (found, expected) = (from_columns.len(), to_columns.len());
        return Err(format!(
            "has {found} columns but refers to {expected} columns of table `{name}`"
        )
        .into());
    }
    Ok((to, from_columns, to_columns))
}

fn described(table: &DeclaredTable, key: &DeclaredKey) -> String {
    let name = match &key.name {
        Some(name) => format!("`{name}`"),
        None => format!("({})", key.columns.join(", ")),
    };
    format!("foreign key {name} of table `{}`", table.name)
}

/// A name that no other foreign key has: the declared one, or one made of table and columns.
fn distinct_name(
    table: &DeclaredTable,
    key: &DeclaredKey,
    others: &[ForeignKey],
    notices: &mut Vec<Notice>,
) -> String {
    let plain = format!("{}_{}", table.name, key.columns.join("_"));
    let longer = format!("{plain}_{}", key.table);
    let numbered = (2..).map(|count| format!("{longer}_{count}"));
    let declared = key.name.iter().cloned();
    let in_table = key.name.iter().map(|name| format!("{}_{name}", table.name));
    let candidates = declared.chain(in_table).chain([plain, longer.clone()]);
    let free = |name: &String| others.iter().all(|other| other.name != *name);
    let chosen = candidates
        .chain(numbered)
        .find(free)
        .expect("there are more names than keys");
    if let Some(declared) = &key.name
        && *declared != chosen
    {
        notices.push(Notice::about(
            NoticeKind::Key,
            format!(
                "two foreign keys are named `{declared}`; that of table `{}` is called `{chosen}`",
                table.name
            ),
        ));
    }
    chosen
}
