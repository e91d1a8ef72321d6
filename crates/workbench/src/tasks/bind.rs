//! A task bound to data: which tables, keys, columns and times it means.

use std::collections::{BTreeSet, VecDeque};

use kinwood_values::as_of::instant;
use kinwood_values::{Cells, Condition, Database, TableTime};

use super::calendar::{Part, Unit, cutoffs, shown};
use super::expression::{Aggregate, Of, TargetExpression};
use super::{Empty, TaskDefinition, wrong};
use crate::data::display_name;
use crate::error::Result;
use crate::naming::find_column;

/// A task bound to data.
#[derive(Clone, Debug)]
pub struct BoundTask<'a> {
    pub(super) database: &'a Database,
    /// The table whose rows it is about.
    pub(super) entity: usize,
    /// The columns that name them.
    pub(super) keys: Vec<usize>,
    /// From the rows that are looked at to those they are about.
    pub(super) path: Path,
    /// The rows by which who counts is decided, and how long before the cutoff.
    pub(super) active: Option<(Path, f64)>,
    pub(super) unit: Unit,
    pub(super) horizon: f64,
    pub(super) cutoffs: Vec<(Part, f64)>,
    /// Whether cutoffs are for different parts.
    pub(super) divided: bool,
    pub(super) expression: TargetExpression,
    /// The column that is aggregated.
    pub(super) column: Option<usize>,
    /// What `any` and `none` are of, and which rows are looked at, in names of the table's columns.
    pub(super) rows: Option<Condition>,
    pub(super) conditions: Vec<Condition>,
    pub(super) who: Option<Condition>,
    pub(super) empty: Empty,
    /// What the columns of the outcome are called: the cutoff and the target.
    pub(super) date: String,
    pub(super) name: String,
}

/// A way along keys from a table to the entity's, and where the times of its rows are.
#[derive(Clone, Debug)]
pub(super) struct Path {
    /// The tables: the linked one first, then those its keys lead to; not the entity's.
    pub tables: Vec<usize>,
    /// The keys between them, and to the entity's table.
    pub keys: Vec<usize>,
    /// The place in `tables`, and the column, of the times.
    pub time: (usize, usize),
}

impl TaskDefinition {
    /// Finds what the task means in data.
    pub fn bind<'a>(&self, database: &'a Database) -> Result<BoundTask<'a>> {
        let entity = database.find(&self.entity)?;
        let expression: TargetExpression = self.target.parse()?;
        let stated = match &self.condition {
            Some(condition) => Some(condition.parse::<Condition>()?),
            None => None,
        };
        let (linked, column, rows) = aggregated(database, &expression)?;
        let conditions = [expression.condition.clone(), stated];
        let conditions = conditions.into_iter().flatten();
        let conditions: Vec<Condition> = conditions
            .map(|condition| in_table(database, linked, &condition))
            .collect::<Result<_>>()?;
        let who = match &self.who {
            Some(who) => Some(in_table(database, entity, &who.parse()?)?),
            None => None,
        };
        let path = self.path(database, linked, entity)?;
        let unit = unit(database, &path)?;
        let active = match self.active {
            Some(days) if days.is_finite() && days > 0.0 => {
                let table = match &self.active_in {
                    Some(table) => database.find(table)?,
                    None => linked,
                };
                let path = self.path(database, table, entity)?;
                Some((path, unit.length(days)))
            }
            Some(_) => return Err(wrong("`active` must be more than 0 days")),
            None if self.active_in.is_some() => {
                return Err(wrong("`active_in` needs `active`: within how many days"));
            }
            None => None,
        };
        let cutoffs = cutoffs(self, unit, ends(database, &path)?)?;
        let keys = named_by(database, entity, &path)?;
        let empty = empty(self.empty, &expression)?;
        let taken = |name: &str| {
            let mut names = keys.iter();
            names.any(|&key| database.table(entity).attribute(key).name == name)
        };
        let name = self
            .name
            .clone()
            .unwrap_or_else(|| target_name(database, &expression, linked, column));
        let date = ["date", "cutoff"]
            .into_iter()
            .find(|date| !taken(date) && name != *date);
        if taken(&name) || name == "split" {
            return Err(wrong(format!(
                "the target cannot be called `{name}`: another column is"
            )));
        }
        Ok(BoundTask {
            database,
            entity,
            keys,
            path,
            active,
            unit,
            horizon: unit.length(self.horizon),
            cutoffs,
            divided: self.validation.is_some() || self.test.is_some(),
            expression,
            column,
            rows,
            conditions,
            who,
            empty,
            date: date.unwrap_or("as_of").to_owned(),
            name,
        })
    }

    /// The shortest way along keys from a table to the entity's.
    fn path(&self, database: &Database, from: usize, entity: usize) -> Result<Path> {
        let name = |table: usize| database.table(table).name();
        let via = match &self.via {
            Some(via) => Some(find_column(database, via)?),
            None => None,
        };
        let usable = |key: usize| {
            let key = &database.foreign_keys()[key];
            via.is_none_or(|(table, column)| {
                table != key.from || key.from_columns.contains(&column)
            })
        };
        let mut ways = vec![Vec::new(); database.tables().len()];
        let mut queue = VecDeque::from([from]);
        let mut seen = BTreeSet::from([from]);
        let mut found: Vec<Vec<usize>> = Vec::new();
        while let Some(table) = queue.pop_front() {
            let way: Vec<usize> = ways[table].clone();
            if found.first().is_some_and(|found| found.len() <= way.len()) {
                break;
            }
            for (place, key) in database.foreign_keys().iter().enumerate() {
                if key.from != table || !usable(place) {
                    continue;
                }
                let way = [&way[..], &[place]].concat();
                if key.to == entity {
                    found.push(way);
                } else if seen.insert(key.to) {
                    ways[key.to] = way;
                    queue.push_back(key.to);
                }
            }
        }
        let keys = match found.as_slice() {
            [one] => one.clone(),
            [] => {
                return Err(wrong(format!(
                    "no key leads from `{}` to `{}`",
                    name(from),
                    name(entity)
                )));
            }
            several => {
                let columns = several.iter().filter_map(|way| {
                    let key = &database.foreign_keys()[*way.first()?];
                    Some(format!(
                        "`{}`",
                        display_name(database, key.from, key.from_columns[0])
                    ))
                });
                let columns: Vec<String> = columns.collect();
                return Err(wrong(format!(
                    "several keys lead from `{}` to `{}`: say by `via` which is meant, {}",
                    name(from),
                    name(entity),
                    columns.join(" or ")
                )));
            }
        };
        let tables = keys.iter().map(|&key| database.foreign_keys()[key].from);
        let tables: Vec<usize> = tables.collect();
        let time = self.time_on(database, &tables)?;
        Ok(Path { tables, keys, time })
    }

    /// Where the times of rows are: stated, or in the first table on the way that has some.
    fn time_on(&self, database: &Database, tables: &[usize]) -> Result<(usize, usize)> {
        if let Some(written) = &self.time {
            let (table, column) = find_column(database, written)?;
            if let Some(place) = tables.iter().position(|&other| other == table) {
                return Ok((place, column));
            }
        }
        for (place, &table) in tables.iter().enumerate() {
            let owner = database.table(table);
            match owner.time() {
                Some(TableTime::Instant { column } | TableTime::Valid { from: column, .. }) => {
                    return Ok((place, column));
                }
                None => {}
            }
            let columns = 0..owner.attributes().len();
            let dates = columns
                .filter(|&c| matches!(owner.attribute(c).column.cells(), Cells::DateTime(_)));
            match dates.collect::<Vec<_>>().as_slice() {
                [] => {}
                &[column] => return Ok((place, column)),
                several => {
                    let names = several
                        .iter()
                        .map(|&c| format!("`{}`", display_name(database, table, c)));
                    let names: Vec<String> = names.collect();
                    return Err(wrong(format!(
                        "it is not clear when the rows of `{}` are: say by `time` which column is meant, {}",
                        owner.name(),
                        names.join(" or ")
                    )));
                }
            }
        }
        let name = tables
            .first()
            .map_or("", |&table| database.table(table).name());
        Err(wrong(format!(
            "`{name}` has no column of dates, and no table that its keys lead to: say by `time` where the times are"
        )))
    }
}

/// The table that is looked at, the column that is aggregated, and the condition that `any` and
/// `none` are of.
type Aggregated = (usize, Option<usize>, Option<Condition>);

fn aggregated(database: &Database, expression: &TargetExpression) -> Result<Aggregated> {
    let word = expression.aggregate.name();
    match &expression.of {
        Of::Rows(condition) => {
            let first = condition.columns().first().map(|name| (*name).to_owned());
            let (table, _) = find_column(database, &first.unwrap_or_default())?;
            Ok((table, None, Some(in_table(database, table, condition)?)))
        }
        Of::Named(name) => {
            let counts = matches!(
                expression.aggregate,
                Aggregate::Count | Aggregate::Any | Aggregate::None
            );
            if counts && let Ok(table) = database.find(name) {
                return Ok((table, None, None));
            }
            let (table, column) = find_column(database, name)?;
            if expression.aggregate.of_condition() {
                return Err(wrong(format!(
                    "`{word}` is of rows: expected a table or a condition such as `{name} > 0`"
                )));
            }
            let attribute = database.table(table).attribute(column);
            let number = attribute.column.numbers().is_some();
            let value = number
                || matches!(
                    attribute.column.cells(),
                    Cells::Nominal { .. } | Cells::String(_) | Cells::DateTime(_)
                );
            let numbers = matches!(expression.aggregate, Aggregate::Sum | Aggregate::Mean)
                || expression.compared.is_some();
            match (
                numbers && expression.aggregate != Aggregate::Count,
                number,
                value,
            ) {
                (true, false, _) => Err(wrong(format!(
                    "`{word}({name})` needs numbers, and `{name}` is a `{}`",
                    attribute.type_of()
                ))),
                (_, _, false) => Err(wrong(format!(
                    "`{word}({name})` needs single values, and `{name}` is a `{}`",
                    attribute.type_of()
                ))),
                _ => Ok((table, Some(column), None)),
            }
        }
    }
}

/// A condition in names of a table's own columns.
fn in_table(database: &Database, table: usize, condition: &Condition) -> Result<Condition> {
    let owner = database.table(table);
    for name in condition.columns() {
        if owner.position(name).is_some() {
            continue;
        }
        let (found, column) = find_column(database, name)?;
        if found != table {
            return Err(wrong(format!(
                "`{}` is not a column of `{}`, whose rows the condition is about",
                display_name(database, found, column),
                owner.name()
            )));
        }
    }
    let own = |name: &str| match (owner.position(name), find_column(database, name)) {
        (None, Ok((_, column))) => owner.attribute(column).name.clone(),
        _ => name.to_owned(),
    };
    let condition = condition.renamed(&own);
    // What is wrong with it is found before anything is made.
    condition
        .rows(&owner.gather(&[]))
        .or_else(|_| condition.rows(owner))?;
    Ok(condition)
}

/// The columns that name the entity's rows: those that the last key refers to.
fn named_by(database: &Database, entity: usize, path: &Path) -> Result<Vec<usize>> {
    let last = path.keys.last().map(|&key| &database.foreign_keys()[key]);
    match last {
        Some(key) if key.to == entity => Ok(key.to_columns.clone()),
        _ => Err(wrong("no key leads to the entity's table")),
    }
}

fn unit(database: &Database, path: &Path) -> Result<Unit> {
    let (place, column) = path.time;
    let attribute = database.table(path.tables[place]).attribute(column);
    match attribute.column.cells() {
        Cells::DateTime(_) => Ok(Unit::Dates),
        Cells::Numeric(_) => Ok(Unit::Numbers),
        _ => Err(wrong(format!(
            "the times in `{}` are a `{}`, expected dates or numbers",
            display_name(database, path.tables[place], column),
            attribute.type_of()
        ))),
    }
}

/// The first and the last time of linked rows.
fn ends(database: &Database, path: &Path) -> Result<(f64, f64)> {
    let (place, column) = path.time;
    let attribute = database.table(path.tables[place]).attribute(column);
    let times = (0..attribute.column.len()).filter_map(|row| instant(&attribute.column, row));
    let ends = times.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), time| {
        (low.min(time), high.max(time))
    });
    match ends.0 <= ends.1 {
        true => Ok(ends),
        false => Err(wrong(format!(
            "`{}` has no times at all",
            display_name(database, path.tables[place], column)
        ))),
    }
}

fn empty(stated: Option<Empty>, expression: &TargetExpression) -> Result<Empty> {
    match (stated, expression.aggregate.of_nothing()) {
        (Some(Empty::Zero), None) => Err(wrong(format!(
            "`{}` of no rows is nothing: `empty` cannot be `zero`",
            expression.aggregate.name()
        ))),
        (Some(stated), _) => Ok(stated),
        (None, Some(_)) => Ok(Empty::Zero),
        (None, None) => Ok(Empty::Drop),
    }
}

/// What the target is called where nobody says.
fn target_name(
    database: &Database,
    expression: &TargetExpression,
    linked: usize,
    column: Option<usize>,
) -> String {
    let owner = database.table(linked);
    let of = match column {
        Some(column) => &owner.attribute(column).name,
        None => owner.name(),
    };
    format!("{}_{of}", expression.aggregate.name())
}

impl BoundTask<'_> {
    /// The table whose rows it is about.
    pub fn entity(&self) -> &str {
        self.database.table(self.entity).name()
    }

    /// What the columns of the outcome are called.
    pub fn columns(&self) -> Vec<String> {
        let entity = self.database.table(self.entity);
        let split = self.divided.then(|| "split".to_owned());
        let keys = self
            .keys
            .iter()
            .map(|&key| entity.attribute(key).name.clone());
        let before = split.into_iter().chain([self.date.clone()]);
        before.chain(keys).chain([self.name.clone()]).collect()
    }

    /// The cutoffs: how many, the first and the last, of each part that has any.
    pub fn spans(&self) -> Vec<(Part, usize, String, String)> {
        let of = |part: Part| {
            let mut cutoffs = self
                .cutoffs
                .iter()
                .filter(|(of, _)| *of == part)
                .map(|(_, at)| *at);
            let first = cutoffs.next()?;
            let (count, last) = cutoffs.fold((1, first), |(count, _), at| (count + 1, at));
            Some((part, count, shown(self.unit, first), shown(self.unit, last)))
        };
        let parts = [Part::Train, Part::Validation, Part::Test];
        parts.into_iter().filter_map(of).collect()
    }
}
