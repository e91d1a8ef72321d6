//! Aggregates as SQL: an expression for each, over a row `o` of the target's table, which SQLite
//! and PostgreSQL read the same.
//!
//! Rows that a path leads to are a join, narrowed by what was known by the cutoff. Spreads, slopes,
//! medians and the day of the week have no expression that both databases share.

use kinwood_values::sql::{double, identifier, moment, number, numeric, text, textual};
use kinwood_values::{Cells, Role, Table, TableTime, View};

use crate::aggregate::{Aggregate, Operation, Span, is_nominal, units_are_days};
use crate::compute::DAY;
use crate::paths::Paths;

/// The expression of an aggregate; `None` where there is none.
pub(crate) fn sql(view: &View, paths: &Paths, aggregate: &Aggregate) -> Option<String> {
    let printer = Printer { view, paths };
    match aggregate.place {
        0 => printer.own(aggregate),
        _ if paths.to_one(aggregate.place) => printer.one(aggregate),
        _ => printer.many(aggregate),
    }
}

struct Printer<'a> {
    view: &'a View,
    paths: &'a Paths,
}

impl Printer<'_> {
    fn table(&self, place: usize) -> &Table {
        self.view.database().table(self.paths.table_of(place))
    }

    /// A column of the row at a place.
    fn column(&self, alias: &str, place: usize, column: usize) -> String {
        let name = &self.table(place).attribute(column).name;
        format!("{alias}.{}", identifier(name))
    }

    /// The cutoff of the row, in milliseconds or as a number.
    fn cutoff(&self) -> Option<String> {
        let attributes = self.view.table().attributes();
        let column = attributes.iter().position(|of| of.role == Role::Cutoff)?;
        Some(self.instant("o", 0, column))
    }

    fn instant(&self, alias: &str, place: usize, column: usize) -> String {
        let name = self.column(alias, place, column);
        match self.table(place).attribute(column).column.cells() {
            Cells::DateTime(_) => moment(&name),
            _ => numeric(&name),
        }
    }

    fn own(&self, aggregate: &Aggregate) -> Option<String> {
        let attributes = self.view.table().attributes();
        let cutoff = attributes.iter().find(|of| of.role == Role::Cutoff)?;
        let written = textual(&format!("o.{}", identifier(&cutoff.name)));
        match aggregate.operation {
            Operation::CutoffYear => Some(numeric(&format!("substr({written}, 1, 4)"))),
            Operation::CutoffMonth => Some(numeric(&format!("substr({written}, 6, 2)"))),
            Operation::Age => {
                let column = self.instant("o", 0, aggregate.column?);
                Some(format!(
                    "(({} - {column}) / {})",
                    self.cutoff()?,
                    double(DAY)
                ))
            }
            _ => None,
        }
    }

    fn one(&self, aggregate: &Aggregate) -> Option<String> {
        let rows = self.rows(aggregate.place)?;
        let alias = format!("r{}", aggregate.place);
        let column = aggregate.column?;
        let value = match aggregate.operation {
            Operation::Age => {
                let instant = self.instant(&alias, aggregate.place, column);
                format!("({} - {instant}) / {}", self.cutoff()?, double(DAY))
            }
            _ => self.column(&alias, aggregate.place, column),
        };
        Some(format!("(SELECT {value} {rows})"))
    }

    fn many(&self, aggregate: &Aggregate) -> Option<String> {
        let place = aggregate.place;
        let alias = format!("r{place}");
        let mut rows = self.rows(place)?;
        if let Some(condition) = aggregate.condition {
            let column = textual(&self.column(&alias, place, condition.column));
            let label = self.label(place, condition.column, condition.code)?;
            rows += &format!(" AND {column} = {label}");
        }
        let raw = aggregate.column.map(|of| self.column(&alias, place, of));
        let nominal = aggregate
            .column
            .is_some_and(|of| is_nominal(self.view, self.paths, place, of));
        let value = raw.as_ref().map(|raw| match nominal {
            true => textual(raw),
            false => numeric(raw),
        });
        let known = self.known(place);
        let unit = match units_are_days(self.view, self.paths, place) {
            true => DAY,
            false => 1.0,
        };
        if let Operation::Latest = aggregate.operation {
            let order = self.latest_first(place, known.as_deref()?)?;
            return Some(format!("(SELECT {} {rows} ORDER BY {order} LIMIT 1)", raw?));
        }
        if let Some(value) = &value {
            rows += &format!(" AND {value} IS NOT NULL");
        }
        let since = |length: f64, known: &str| -> Option<String> {
            let reference = format!("{} - {}", self.cutoff()?, double(self.gap()));
            Some(format!(
                "{known} >= {reference} - {}",
                double(length * unit)
            ))
        };
        let inner = match aggregate.span {
            Span::All => rows.clone(),
            Span::Within(length) => {
                format!("{rows} AND {}", since(length, known.as_deref()?)?)
            }
            Span::Last(last) => {
                let order = self.latest_first(place, known.as_deref()?)?;
                let value = value.clone()?;
                let part = format!("SELECT {value} AS x {rows} ORDER BY {order} LIMIT {last}");
                let made = made(aggregate.operation, "x", || {
                    self.share(aggregate, "x", nominal)
                })?;
                return Some(format!("(SELECT {made} FROM ({part}) AS q)"));
            }
        };
        let reference = || {
            let cutoff = self.cutoff()?;
            Some(format!("({cutoff} - {})", double(self.gap())))
        };
        let made = match aggregate.operation {
            Operation::SinceLatest => {
                format!("({} - MAX({})) / {}", reference()?, known?, double(unit))
            }
            Operation::SinceFirst => {
                format!("({} - MIN({})) / {}", reference()?, known?, double(unit))
            }
            Operation::Mode => {
                let value = value?;
                let order = self.order_of_labels(place, aggregate.column?, &value)?;
                return Some(format!(
                    "(SELECT {value} {inner} GROUP BY {value} ORDER BY COUNT(*) DESC, {order} LIMIT 1)"
                ));
            }
            operation => made(operation, value.as_deref().unwrap_or("*"), || {
                self.share(aggregate, value.as_deref()?, nominal)
            })?,
        };
        Some(format!("(SELECT {made} {inner})"))
    }

    /// The share of a value among those that are known.
    fn share(&self, aggregate: &Aggregate, value: &str, nominal: bool) -> Option<String> {
        let Operation::Share(wanted) = aggregate.operation else {
            return None;
        };
        let wanted = match nominal {
            true => self.label(aggregate.place, aggregate.column?, wanted as u32)?,
            false => number(wanted),
        };
        Some(format!(
            "AVG(CASE WHEN {value} = {wanted} THEN 1.0 ELSE 0.0 END)"
        ))
    }

    fn label(&self, place: usize, column: usize, code: u32) -> Option<String> {
        let (_, dictionary) = self.table(place).attribute(column).column.codes()?;
        let known = (code as usize) < dictionary.len();
        known.then(|| text(dictionary.label(code))).flatten()
    }

    /// The place of a label in its dictionary: of labels that are as frequent, the first counts.
    fn order_of_labels(&self, place: usize, column: usize, value: &str) -> Option<String> {
        let (_, dictionary) = self.table(place).attribute(column).column.codes()?;
        if dictionary.len() > 100 {
            return None;
        }
        let arms: Option<Vec<String>> = dictionary
            .labels()
            .enumerate()
            .map(|(code, label)| Some(format!(" WHEN {} THEN {code}", text(label)?)))
            .collect();
        Some(format!("CASE {value}{} END", arms?.concat()))
    }

    fn gap(&self) -> f64 {
        self.view.as_of().map_or(0.0, |as_of| as_of.gap())
    }

    /// `FROM` and `WHERE` of the rows at a place.
    fn rows(&self, place: usize) -> Option<String> {
        let mut places = Vec::new();
        let mut at = place;
        while at > 0 {
            places.push(at);
            at = self.paths.step(at).from;
        }
        places.reverse();
        let mut from = String::from("FROM ");
        let mut conditions = Vec::new();
        for (position, &at) in places.iter().enumerate() {
            let step = self.paths.step(at);
            if Some(step.table) == self.view.past_table() {
                return None;
            }
            let before = match step.from {
                0 => "o".to_owned(),
                place => format!("r{place}"),
            };
            if position > 0 {
                from += " CROSS JOIN ";
            }
            from += &format!("{} AS r{at}", identifier(self.table(at).name()));
            conditions.push(self.joined(at, &before, &format!("r{at}"))?);
            if step.latest {
                conditions.push(self.is_latest(at, &before)?);
            }
        }
        Some(format!("{from} WHERE {}", conditions.join(" AND ")))
    }

    /// That a row is linked with the one before it, and known.
    fn joined(&self, place: usize, before: &str, alias: &str) -> Option<String> {
        let step = self.paths.step(place);
        let key = &self.view.database().foreign_keys()[step.key];
        let (here, there) = match step.backward {
            true => (&key.from_columns, &key.to_columns),
            false => (&key.to_columns, &key.from_columns),
        };
        let equal = here.iter().zip(there).map(|(&here, &there)| {
            let here = self.column(alias, place, here);
            format!("{here} = {}", self.column(before, step.from, there))
        });
        let equal: Vec<String> = equal.collect();
        let mut all = equal.join(" AND ");
        if let Some(known) = self.was_known(place, alias)? {
            all += &format!(" AND {known}");
        }
        Some(all)
    }

    /// That a row was known by the cutoff; nothing where it always was.
    fn was_known(&self, place: usize, alias: &str) -> Option<Option<String>> {
        let (Some(as_of), Some(time)) = (self.view.as_of(), self.table(place).time()) else {
            return Some(None);
        };
        let latest = format!("{} - {}", self.cutoff()?, double(as_of.gap()));
        let begin = self.instant(alias, place, time.begin());
        let mut all = format!("{begin} <= {latest}");
        let earliest = as_of
            .window()
            .map(|window| Some(format!("{} - {}", self.cutoff()?, double(window))));
        match (time, earliest) {
            (TableTime::Instant { .. }, None) => {}
            (TableTime::Instant { .. }, Some(earliest)) => {
                all += &format!(" AND {begin} >= {}", earliest?);
            }
            (TableTime::Valid { to, .. }, earliest) => {
                let end = self.instant(alias, place, to);
                let earliest = match earliest {
                    Some(earliest) => format!(" AND {end} >= {}", earliest?),
                    None => String::new(),
                };
                all += &format!(" AND ({end} IS NULL OR {end} > {latest}{earliest})");
            }
        }
        Some(Some(all))
    }

    /// Since when the rows of a place were known: the latest instant on the way.
    fn known(&self, place: usize) -> Option<String> {
        let anchor = self.paths.anchor(place);
        let mut instants = Vec::new();
        let mut at = place;
        while at != anchor {
            if let Some(time) = self.table(at).time() {
                instants.push(self.instant(&format!("r{at}"), at, time.begin()));
            }
            at = self.paths.step(at).from;
        }
        match instants.as_slice() {
            [one] => Some(one.clone()),
            [one, other] => Some(format!(
                "CASE WHEN {one} IS NULL OR {other} > {one} THEN {other} ELSE {one} END"
            )),
            _ => None,
        }
    }

    /// The order in which the latest row comes first: of one time, the last of those in order of
    /// the keys on the way.
    fn latest_first(&self, place: usize, known: &str) -> Option<String> {
        let anchor = self.paths.anchor(place);
        let mut keys = String::new();
        let mut at = place;
        while at != anchor {
            keys = format!(", {} DESC{keys}", self.key(at, &format!("r{at}"))?);
            at = self.paths.step(at).from;
        }
        Some(format!(
            "CASE WHEN {known} IS NULL THEN 1 ELSE 0 END, {known} DESC{keys}"
        ))
    }

    /// The one column of the key of a place.
    fn key(&self, place: usize, alias: &str) -> Option<String> {
        let &[key] = self.table(place).key()? else {
            return None;
        };
        Some(self.column(alias, place, key))
    }

    /// That a row is the latest of those that refer to the one before it.
    fn is_latest(&self, place: usize, before: &str) -> Option<String> {
        let time = self.table(place).time()?;
        let known = self.instant("s", place, time.begin());
        let key = self.key(place, "s")?;
        Some(format!(
            "{} = (SELECT {key} FROM {} AS s WHERE {} ORDER BY CASE WHEN {known} IS NULL THEN 1 ELSE 0 END, {known} DESC, {key} DESC LIMIT 1)",
            self.key(place, &format!("r{place}"))?,
            identifier(self.table(place).name()),
            self.joined(place, before, "s")?,
        ))
    }
}

/// What SQL makes of the values of rows; `None` for what both databases have no name for.
fn made(
    operation: Operation,
    value: &str,
    share: impl FnOnce() -> Option<String>,
) -> Option<String> {
    match operation {
        Operation::Count => Some(format!("COUNT({value})")),
        Operation::Exists => Some("CASE WHEN COUNT(*) > 0 THEN 1 ELSE 0 END".to_owned()),
        Operation::Sum => Some(format!("SUM({value})")),
        Operation::Mean => Some(format!("AVG({value})")),
        Operation::Least => Some(format!("MIN({value})")),
        Operation::Most => Some(format!("MAX({value})")),
        Operation::Range => Some(format!("MAX({value}) - MIN({value})")),
        Operation::Distinct => Some(format!("COUNT(DISTINCT {value})")),
        Operation::Share(_) => share(),
        _ => None,
    }
}
