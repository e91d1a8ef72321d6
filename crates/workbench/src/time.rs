//! Time: from what users say of it to rows that see only what was known then.
//!
//! A [`Timing`] says by when each row of the target's table sees: a column of cutoffs, or one date
//! for all. Bound to data it becomes a view with cutoffs ([`kinwood_values::AsOf`]), and whatever
//! looks at the data by that view keeps to them. Models keep their timing, so that rows to predict
//! are seen as training rows were.

mod known;
mod past;
mod warnings;

use std::sync::Arc;

use kinwood_learners::sql::{CutoffIn, Seen, TableSeen};
use kinwood_values::as_of::instant;
use kinwood_values::conform::counterpart;
use kinwood_values::datetime;
use kinwood_values::notice::counted;
use kinwood_values::resolve::find_column as resolved;
use kinwood_values::{AsOf, Cells, Column, Database, Notice, Remedy, Role, Table, TableTime, View};
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::naming::{display_name, find_column, single};

pub use past::past_name;
pub use warnings::warnings;

/// Milliseconds of a day.
pub(crate) const DAY: f64 = 86_400_000.0;

/// What the user says about time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TimeChoices {
    /// The column of the target's table that has the cutoffs, or a date for all rows; the column
    /// with the role `cutoff` where nothing is said.
    pub as_of: Option<String>,
    /// Nothing of so many days before the cutoff is seen. Times that are numbers count in their own
    /// units.
    pub gap: Option<f64>,
    /// Nothing older than so many days, counted back from the cutoff, is seen.
    pub window: Option<f64>,
    /// After so many days the target of a row is known, and seen by later rows.
    pub horizon: Option<f64>,
    /// No row sees anything later than this date, however much later its cutoff is.
    pub freeze: Option<String>,
}

impl TimeChoices {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// By when rows see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Cutoff {
    /// By what a column of their table has.
    Column(String),
    /// All by one instant: a date, or a number where times are numbers.
    At(String),
}

/// When rows are, and what they see of others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// By when each row sees.
    pub cutoff: Cutoff,
    /// Nothing of so many days before the cutoff is seen; units of times that are numbers.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub gap: f64,
    /// Nothing older than so many days before the cutoff is seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<f64>,
    /// After so many days the target of a row is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub horizon: Option<f64>,
}

fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

/// What times are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Dates,
    Numbers,
}

impl Unit {
    fn of(column: &Column) -> Option<Self> {
        match column.cells() {
            Cells::DateTime(_) => Some(Unit::Dates),
            Cells::Numeric(_) => Some(Unit::Numbers),
            _ => None,
        }
    }

    /// A length of time, in the terms of [`instant`].
    fn length(self, days: f64) -> f64 {
        match self {
            Unit::Dates => days * DAY,
            Unit::Numbers => days,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Unit::Dates => "dates",
            Unit::Numbers => "numbers",
        }
    }
}

/// An instant as it is written: a date, or a number.
fn read_instant(written: &str) -> Option<(f64, Unit)> {
    match datetime::parse(written) {
        Ok(date) => Some((date as f64, Unit::Dates)),
        Err(_) => {
            let number = written.trim().parse::<f64>().ok();
            number.filter(|n| n.is_finite()).map(|n| (n, Unit::Numbers))
        }
    }
}

impl Timing {
    /// What the choices mean for rows of a table; `None` where nothing has a cutoff.
    pub fn new(choices: &TimeChoices, database: &Database, table: usize) -> Result<Option<Self>> {
        let by_role = single(database.table(table), Role::Cutoff)?;
        let cutoff = match (&choices.as_of, by_role) {
            (Some(written), _) => find_cutoff(written, database, table)?,
            (None, Some(column)) => {
                Cutoff::Column(database.table(table).attribute(column).name.clone())
            }
            (None, None) => {
                return match choices.is_empty() {
                    true => Ok(None),
                    false => Err(Error::NoCutoff),
                };
            }
        };
        for (what, days) in [
            ("gap", choices.gap),
            ("window", choices.window),
            ("horizon", choices.horizon),
        ] {
            let least = if what == "gap" {
                0.0
            } else {
                f64::MIN_POSITIVE
            };
            if let Some(days) = days.filter(|days| !(days.is_finite() && *days >= least)) {
                return Err(Error::Days { what, found: days });
            }
        }
        let timing = Self {
            cutoff,
            gap: choices.gap.unwrap_or(0.0),
            window: choices.window,
            horizon: choices.horizon,
        };
        timing.unit(database.table(table))?;
        if timing.horizon.is_some() && timing.column(database.table(table)).is_none() {
            return Err(Error::HorizonOfOneCutoff);
        }
        Ok(Some(timing))
    }

    /// The column of the cutoffs in the target's table, if they are in one that it has.
    pub fn column(&self, table: &Table) -> Option<usize> {
        match &self.cutoff {
            Cutoff::Column(name) => table.position(name),
            Cutoff::At(_) => None,
        }
    }

    fn unit(&self, table: &Table) -> Result<Unit> {
        match &self.cutoff {
            Cutoff::Column(name) => {
                let attribute = table.attribute(table.find(name)?);
                Unit::of(&attribute.column).ok_or_else(|| Error::TimeType {
                    column: name.clone(),
                    found: attribute.type_of().to_string(),
                })
            }
            Cutoff::At(written) => match read_instant(written) {
                Some((_, unit)) => Ok(unit),
                None => Err(not_an_instant(written)),
            },
        }
    }

    /// The database as rows with these cutoffs see it: tables without a stated time get one where
    /// there is one, the column of cutoffs is no input, and past targets are data where there is a
    /// horizon. What was decided is told.
    pub(crate) fn prepare(
        &self,
        mut database: Database,
        table: usize,
        targets: &[usize],
    ) -> Result<(Database, Vec<Notice>)> {
        let own = self.column(database.table(table));
        if let Some(column) = own {
            let attribute = database.table(table).attribute(column);
            if targets.contains(&column) || attribute.role == Role::Target {
                return Err(Error::CutoffIsTarget {
                    column: display_name(&database, table, column),
                });
            }
            if matches!(attribute.role, Role::Input | Role::Id | Role::Ignore) {
                database.set_role(table, column, Role::Cutoff);
            }
            if database.table(table).time().is_none() {
                database.set_time(table, Some(TableTime::Instant { column }));
            }
        }
        let mut notices = take_times(&mut database, own.map(|_| table));
        self.check(&database, table)?;
        let without = match own {
            Some(column) => database.table(table).attribute(column).column.missing(),
            None => 0,
        };
        if without > 0 {
            notices.push(Notice::new(format!(
                "{} of `{}` without a cutoff: nothing that has a time is seen there",
                counted(without, "row"),
                database.table(table).name()
            )));
        }
        if let (Some(horizon), Some(column)) = (self.horizon, own) {
            let shift = self.unit(database.table(table))?.length(horizon);
            database = past::with_past(database, table, targets, column, shift)?;
        }
        Ok((database, notices))
    }

    /// Fails where times and cutoffs are not of one kind.
    fn check(&self, database: &Database, table: usize) -> Result<()> {
        let expected = self.unit(database.table(table))?;
        for (position, other) in database.tables().iter().enumerate() {
            let columns = other.time().into_iter();
            for column in columns
                .flat_map(|time| [Some(time.begin()), time.end()])
                .flatten()
            {
                let attribute = other.attribute(column);
                let name = display_name(database, position, column);
                match Unit::of(&attribute.column) {
                    Some(unit) if unit == expected => {}
                    Some(unit) => {
                        return Err(Error::OtherTimes {
                            column: name,
                            found: unit.name(),
                            cutoffs: match &self.cutoff {
                                Cutoff::Column(column) => format!("the cutoffs of `{column}`"),
                                Cutoff::At(at) => format!("the cutoff {at}"),
                            },
                            expected: expected.name(),
                        });
                    }
                    // A column without any value can be of any type.
                    None if attribute.column.missing() == attribute.column.len() => {}
                    None => {
                        return Err(Error::TimeType {
                            column: name,
                            found: attribute.type_of().to_string(),
                        });
                    }
                }
            }
        }
        Ok(())
    }

    /// What each row of a table sees by.
    pub fn as_of(&self, table: &Table) -> Result<AsOf> {
        let unit = self.unit(table)?;
        let cutoffs: Vec<f64> = match &self.cutoff {
            Cutoff::Column(name) => {
                let column = &table.attribute(table.find(name)?).column;
                let cutoff = |row| instant(column, row).unwrap_or(f64::NAN);
                (0..table.rows()).map(cutoff).collect()
            }
            Cutoff::At(written) => {
                let (at, _) = read_instant(written).ok_or_else(|| not_an_instant(written))?;
                vec![at; table.rows()]
            }
        };
        let window = self.window.map(|window| unit.length(window));
        Ok(AsOf::new(cutoffs)
            .with_gap(unit.length(self.gap))
            .with_window(window))
    }

    /// The rows of a view, each of which sees what was known by its cutoff. Past targets are seen
    /// where the view's database has them.
    pub fn view(&self, view: &View) -> Result<View> {
        let seen = view.seen_as_of(self.as_of(view.table())?);
        Ok(self.with_past(seen))
    }

    /// The same view, where it is known which table has past targets.
    pub(crate) fn with_past(&self, view: View) -> View {
        let name = past_name(view.table().name());
        let past = self.horizon.and(view.database().find(&name).ok());
        match past {
            Some(past) => view.with_past(past),
            None => view,
        }
    }

    /// A length of time in the terms of the cutoffs of a table.
    pub fn length(&self, table: &Table, days: f64) -> Result<f64> {
        Ok(self.unit(table)?.length(days))
    }

    /// What objects of a schema see, for SQL.
    pub(crate) fn in_sql(
        &self,
        schema: &Database,
        table: usize,
        targets: &[usize],
    ) -> Result<Seen> {
        let own = schema.table(table);
        let unit = self.unit(own)?;
        let past = self.horizon.and(schema.find(&past_name(own.name())).ok());
        let name = |of: &Table, column: usize| of.attribute(column).name.clone();
        let tables = schema.tables().iter().enumerate().map(|(position, of)| {
            if Some(position) == past {
                return TableSeen {
                    name: own.name().to_owned(),
                    time: self.column(own).map(|column| (name(own, column), None)),
                    later: unit.length(self.horizon.unwrap_or(0.0)),
                    known: targets.iter().map(|&target| name(own, target)).collect(),
                };
            }
            TableSeen {
                name: of.name().to_owned(),
                time: of.time().map(|time| {
                    let end = time.end().map(|end| name(of, end));
                    (name(of, time.begin()), end)
                }),
                later: 0.0,
                known: Vec::new(),
            }
        });
        Ok(Seen {
            cutoff: match &self.cutoff {
                Cutoff::Column(column) => CutoffIn::Column(column.clone()),
                Cutoff::At(written) => {
                    let (at, _) = read_instant(written).ok_or_else(|| not_an_instant(written))?;
                    CutoffIn::At(at)
                }
            },
            gap: unit.length(self.gap),
            window: self.window.map(|window| unit.length(window)),
            dates: unit == Unit::Dates,
            tables: tables.collect(),
        })
    }

    /// When rows see, for people.
    pub fn describe(&self) -> String {
        let mut text = match &self.cutoff {
            Cutoff::Column(column) => format!("as of `{column}`"),
            Cutoff::At(at) => format!("as of {at}"),
        };
        let days = |days: f64| match days {
            1.0 => "1 day".to_owned(),
            days => format!("{days} days"),
        };
        if self.gap > 0.0 {
            text += &format!(", nothing of the last {}", days(self.gap));
        }
        if let Some(window) = self.window {
            text += &format!(", nothing older than {}", days(window));
        }
        if let Some(horizon) = self.horizon {
            text += &format!(", targets known after {}", days(horizon));
        }
        text
    }
}

/// All rows of a table of a database, which see what was known by their cutoffs where the choices
/// say so; tables that no key connects with it are left out. What was decided is told.
pub fn seen(
    database: Database,
    table: usize,
    targets: &[usize],
    choices: &TimeChoices,
) -> Result<(View, Option<Timing>, Vec<Notice>)> {
    let timing = Timing::new(choices, &database, table)?;
    let (mut database, table) = database.connected(table);
    let mut notices = Vec::new();
    if let Some(timing) = &timing {
        (database, notices) = timing.prepare(database, table, targets)?;
    }
    let mut view = View::new(Arc::new(database), table);
    if let Some(timing) = &timing {
        view = timing.view(&view)?;
    }
    if let Some(at) = &choices.freeze {
        view = frozen(&view, view.rows(), at)?;
    }
    Ok((view, timing, notices))
}

/// The rows of a view of a database without what is later than all of them see, so that nothing
/// that is learned depends on it.
pub fn known(view: &View) -> Result<View> {
    known::known(view)
}

/// The view's rows, none of which sees anything later than an instant.
pub fn frozen(view: &View, rows: impl IntoIterator<Item = u32>, at: &str) -> Result<View> {
    let (instant, _) = read_instant(at).ok_or_else(|| not_an_instant(at))?;
    match view.as_of() {
        Some(as_of) => Ok(view.seen_as_of(as_of.frozen(rows, instant))),
        None => Err(Error::NoCutoff),
    }
}

fn not_an_instant(written: &str) -> Error {
    Error::NotAnInstant {
        found: written.to_owned(),
    }
}

/// The cutoff that is written: a column of the target's table, a date, or a number.
fn find_cutoff(written: &str, database: &Database, table: usize) -> Result<Cutoff> {
    let own = database.table(table);
    // A column of the target's table goes before others of that name.
    if own.position(written).is_some() {
        return Ok(Cutoff::Column(written.to_owned()));
    }
    if resolved(database, written).is_err() && read_instant(written).is_some() {
        return Ok(Cutoff::At(written.trim().to_owned()));
    }
    let (found, column) = find_column(database, written)?;
    match found == table {
        true => Ok(Cutoff::Column(own.attribute(column).name.clone())),
        false => Err(Error::CutoffTable {
            column: display_name(database, found, column),
            table: own.name().to_owned(),
        }),
    }
}

/// Gives tables without a stated time the one column of dates that they have, and tells of it, and
/// of the tables whose rows are always seen.
fn take_times(database: &mut Database, own: Option<usize>) -> Vec<Notice> {
    let mut notices = Vec::new();
    let mut always = Vec::new();
    for position in 0..database.tables().len() {
        let table = database.table(position);
        if table.time().is_some() || Some(position) == own {
            continue;
        }
        let dates: Vec<usize> = (0..table.attributes().len())
            .filter(|&column| Unit::of(&table.attribute(column).column) == Some(Unit::Dates))
            .collect();
        match dates.as_slice() {
            &[column] => {
                let name = &table.attribute(column).name;
                let told = format!(
                    "the time of `{}` is `{name}`, its only column of dates",
                    table.name()
                );
                notices.push(Notice::new(told).with_remedy(Remedy::StateTime {
                    table: Some(table.name().to_owned()),
                }));
                database.set_time(position, Some(TableTime::Instant { column }));
            }
            [] => always.push(format!("`{}`", table.name())),
            several => {
                let names: Vec<&str> = several
                    .iter()
                    .map(|&column| table.attribute(column).name.as_str())
                    .collect();
                always.push(format!(
                    "`{}` (of several dates, {}, none is stated as its time)",
                    table.name(),
                    names.join(" and ")
                ));
            }
        }
    }
    if !always.is_empty() {
        notices.push(
            Notice::new(format!(
                "rows without a time are always seen: {}",
                always.join(", ")
            ))
            .with_remedy(Remedy::StateTime { table: None }),
        );
    }
    notices
}

/// The data of rows in which a model of a schema finds the past targets it sees; `None` where the
/// data has all. Fails where it lacks times.
pub(crate) fn data_for(
    timing: &Timing,
    schema: &Database,
    table: usize,
    rows: &View,
) -> Result<Option<Database>> {
    let data = rows.database();
    let own = schema.table(table);
    let with_past = match schema.find(&past_name(own.name())) {
        Ok(past) if timing.horizon.is_some() && data.find(&past_name(own.name())).is_err() => {
            let found = data.table(counterpart(schema, own, data)?);
            let after = timing.length(own, timing.horizon.unwrap_or(0.0))?;
            let past = past::past_like(schema.table(past), found, timing.column(found), after)?;
            let mut tables = data.tables().to_vec();
            tables.push(past);
            // The schema knows the keys.
            Some(Database::new(tables, Vec::new())?.0)
        }
        _ => None,
    };
    let stated = rows.as_of().is_some();
    check_times(
        timing,
        schema,
        table,
        stated,
        with_past.as_ref().unwrap_or(data),
    )?;
    Ok(with_past)
}

/// Fails where data lacks a column that says when rows are; that of the cutoffs is not needed where
/// they are stated.
fn check_times(
    timing: &Timing,
    schema: &Database,
    table: usize,
    stated: bool,
    data: &Database,
) -> Result<()> {
    for (position, wanted) in schema.tables().iter().enumerate() {
        let own = position == table;
        let times = wanted.time().filter(|_| !(own && stated));
        let columns = times.into_iter();
        let columns = columns.flat_map(|time| [Some(time.begin()), time.end()]);
        let cutoffs = timing.column(wanted).filter(|_| own && !stated);
        // Whether a table is needed at all is for the reader of the data to say.
        let Ok(found) = counterpart(schema, wanted, data) else {
            continue;
        };
        let found = data.table(found);
        for column in columns.flatten().chain(cutoffs) {
            // The error names the nearest.
            found.find(&wanted.attribute(column).name)?;
        }
    }
    Ok(())
}
