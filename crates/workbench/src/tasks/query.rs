//! A task as one SQL query, which SQLite and PostgreSQL answer alike.
//!
//! Cutoffs are a list of values in the query. Its first row holds nothing but a missing time of the
//! linked table: it gives the list the type of those times in PostgreSQL, so that the texts below
//! are read as times, and no row is ever within its window.

use kinwood_values::Condition;
use kinwood_values::sql::{double, identifier, instant, number};

use super::Empty;
use super::bind::{BoundTask, Path};
use super::calendar::Unit;
use super::expression::Aggregate;
use crate::error::Result;

impl BoundTask<'_> {
    /// The query: a row for each example, in the order of cutoffs and keys.
    pub fn sql(&self) -> Result<String> {
        let cutoffs = self.listed_cutoffs();
        let names: Vec<String> = self.columns().iter().map(|name| identifier(name)).collect();
        let split = usize::from(self.divided);
        let (date, keys) = (&names[split], &names[split + 1..names.len() - 1]);
        let target = &names[names.len() - 1];
        let own: Vec<String> = self
            .keys
            .iter()
            .map(|&key| self.column("e", self.entity, key))
            .collect();
        let entities = self.entities()?;
        let outcome = self.outcome()?;
        let rows = self.rows()?;
        let of_split = |from: &str| match self.divided {
            true => format!("{from}.\"split\" AS \"split\", "),
            false => String::new(),
        };
        let group = |from: &str| match self.divided {
            true => format!("{from}.\"split\", {from}.\"cutoff\""),
            false => format!("{from}.\"cutoff\""),
        };
        let named: Vec<String> = own
            .iter()
            .zip(keys)
            .map(|(own, name)| format!("{own} AS {name}"))
            .collect();
        let order = format!("{date}, {}", keys.join(", "));
        let mut conditions = rows.conditions;
        match self.empty {
            Empty::Drop => {
                conditions.extend(entities);
                Ok(format!(
                    "WITH {cutoffs}\nSELECT {}c.\"cutoff\" AS {date}, {}, {outcome} AS {target}\nFROM \"cutoffs\" c\n{}\nWHERE {}\nGROUP BY {}, {}\nHAVING {} IS NOT NULL\nORDER BY {order}\n",
                    of_split("c"),
                    named.join(", "),
                    rows.joins,
                    conditions.join("\n  AND "),
                    group("c"),
                    own.join(", "),
                    self.having()?,
                ))
            }
            Empty::Zero => {
                let mut counted = vec!["c.\"cutoff\" IS NOT NULL".to_owned()];
                counted.extend(entities);
                let matched: Vec<String> = keys
                    .iter()
                    .map(|key| format!("o.{key} = n.{key}"))
                    .collect();
                // Named, so that the order below means the columns of the answer.
                let named_again = keys.iter().map(|key| format!("n.{key} AS {key}"));
                let keys: Vec<String> = named_again.collect();
                Ok(format!(
                    "WITH {cutoffs},\n\"examples\" AS (\n  SELECT {}c.\"cutoff\" AS \"cutoff\", {}\n  FROM \"cutoffs\" c\n  CROSS JOIN {} e\n  WHERE {}\n),\n\"outcomes\" AS (\n  SELECT c.\"cutoff\" AS \"cutoff\", {}, {} AS \"outcome\"\n  FROM \"cutoffs\" c\n{}\n  WHERE {}\n  GROUP BY c.\"cutoff\", {}\n)\nSELECT {}n.\"cutoff\" AS {date}, {}, {outcome} AS {target}\nFROM \"examples\" n\nLEFT JOIN \"outcomes\" o ON o.\"cutoff\" = n.\"cutoff\" AND {}\nORDER BY {order}\n",
                    of_split("c"),
                    named.join(", "),
                    identifier(self.entity()),
                    counted.join("\n    AND "),
                    named.join(", "),
                    self.aggregate()?,
                    rows.joins,
                    conditions.join("\n    AND "),
                    own.join(", "),
                    of_split("n"),
                    keys.join(", "),
                    matched.join(" AND "),
                ))
            }
        }
    }

    /// The list of cutoffs: what each is for, when it is, when its window ends, and where that
    /// matters since when who counts was active.
    fn listed_cutoffs(&self) -> String {
        let instant = |at: f64| match self.unit {
            Unit::Dates => instant(at as i64),
            Unit::Numbers => number(at),
        };
        let split = if self.divided { "\"split\", " } else { "" };
        let active = if self.active.is_some() {
            ", \"active\""
        } else {
            ""
        };
        let mut lines = Vec::with_capacity(self.cutoffs.len() + 1);
        if self.unit == Unit::Dates {
            let (place, column) = self.path.time;
            let owner = self.database.table(self.path.tables[place]);
            let missing = format!(
                "(SELECT MIN({}) FROM {} WHERE 1 = 0)",
                identifier(&owner.attribute(column).name),
                identifier(owner.name())
            );
            let mut cells = vec![missing; 2 + usize::from(self.active.is_some())];
            if self.divided {
                cells.insert(0, "''".to_owned());
            }
            lines.push(format!("    ({})", cells.join(", ")));
        }
        for (part, at) in &self.cutoffs {
            let mut cells = vec![instant(*at), instant(at + self.horizon)];
            if self.divided {
                cells.insert(0, format!("'{}'", part.name()));
            }
            cells.extend(self.active.iter().map(|(_, before)| instant(at - before)));
            lines.push(format!("    ({})", cells.join(", ")));
        }
        format!(
            "\"cutoffs\" ({split}\"cutoff\", \"until\"{active}) AS (\n  VALUES\n{}\n)",
            lines.join(",\n")
        )
    }

    fn column(&self, alias: &str, table: usize, column: usize) -> String {
        let attribute = self.database.table(table).attribute(column);
        format!("{alias}.{}", identifier(&attribute.name))
    }

    /// The rows of each window, joined with those they are about.
    fn rows(&self) -> Result<Rows> {
        let (joins, time) = self.joined(&self.path, "r");
        let first = self.database.table(self.path.tables[0]);
        let mut conditions = vec![
            format!("{time} > c.\"cutoff\""),
            format!("{time} <= c.\"until\""),
        ];
        for condition in &self.conditions {
            conditions.push(format!("({})", condition.sql(first, "r")?));
        }
        let table = identifier(first.name());
        let entity = identifier(self.entity());
        let mut joined = format!("CROSS JOIN {table} r");
        for (table, on) in joins {
            let table = match table {
                Some((table, alias)) => {
                    format!("{} {alias}", identifier(self.database.table(table).name()))
                }
                None => format!("{entity} e"),
            };
            joined += &format!("\nJOIN {table} ON {on}");
        }
        if matches!(
            self.expression.aggregate,
            Aggregate::First | Aggregate::Latest
        ) {
            joined = self.ordered(&joined, &conditions, &time)?;
            conditions = vec!["r.\"place\" = 1".to_owned()];
        }
        Ok(Rows {
            joins: joined,
            conditions,
        })
    }

    /// The joins along a path, each with the table that it adds (none for the entity's), and where
    /// the times are. Aliases begin with a letter.
    #[allow(
        clippy::type_complexity,
        reason = "a table with its alias, and a condition"
    )]
    fn joined(
        &self,
        path: &Path,
        letter: &str,
    ) -> (Vec<(Option<(usize, String)>, String)>, String) {
        let alias = |place: usize| match place {
            0 => letter.to_owned(),
            place => format!("{letter}{place}"),
        };
        let mut joins = Vec::new();
        for (place, &key) in path.keys.iter().enumerate() {
            let key = &self.database.foreign_keys()[key];
            let last = place + 1 == path.keys.len();
            let to = if last {
                "e".to_owned()
            } else {
                alias(place + 1)
            };
            let pairs = key.from_columns.iter().zip(&key.to_columns);
            let on: Vec<String> = pairs
                .map(|(&from, &into)| {
                    let from = self.column(&alias(place), key.from, from);
                    format!("{} = {from}", self.column(&to, key.to, into))
                })
                .collect();
            joins.push(((!last).then_some((key.to, to)), on.join(" AND ")));
        }
        let (place, column) = path.time;
        let time = self.column(&alias(place), path.tables[place], column);
        (joins, time)
    }

    /// The rows of each window with their place by time among those that have a value.
    fn ordered(&self, joined: &str, conditions: &[String], time: &str) -> Result<String> {
        let linked = self.path.tables[0];
        let owner = self.database.table(linked);
        let down = match self.expression.aggregate {
            Aggregate::Latest => " DESC",
            _ => "",
        };
        let value = match self.column {
            Some(column) => self.column("r", linked, column),
            None => "1".to_owned(),
        };
        // Of several at one time it is the one with the greater key that comes later.
        let mut order = vec![format!("{time}{down}")];
        let keys = owner.key().unwrap_or_default().iter();
        order.extend(keys.map(|&key| format!("{}{down}", self.column("r", linked, key))));
        order.push(format!("{value}{down}"));
        let keys: Vec<String> = self
            .keys
            .iter()
            .map(|&key| self.column("e", self.entity, key))
            .collect();
        let parts: Vec<String> = keys
            .iter()
            .enumerate()
            .map(|(place, key)| format!("{key} AS \"key{place}\""))
            .collect();
        let matched = self.keys.iter().enumerate().map(|(place, &key)| {
            format!("{} = r.\"key{place}\"", self.column("e", self.entity, key))
        });
        let matched: Vec<String> = matched.collect();
        Ok(format!(
            "JOIN (\n  SELECT c.\"cutoff\" AS \"at\", {}, {value} AS \"value\",\n    ROW_NUMBER() OVER (PARTITION BY c.\"cutoff\", {} ORDER BY {}) AS \"place\"\n  FROM \"cutoffs\" c\n  {joined}\n  WHERE {}\n    AND {value} IS NOT NULL\n) r ON r.\"at\" = c.\"cutoff\"\nJOIN {} e ON {}",
            parts.join(", "),
            keys.join(", "),
            order.join(", "),
            conditions.join("\n    AND "),
            identifier(self.entity()),
            matched.join(" AND "),
        ))
    }

    /// Who counts, beside who has rows in a window.
    fn entities(&self) -> Result<Vec<String>> {
        let mut conditions = Vec::new();
        if let Some(who) = &self.who {
            let entity = self.database.table(self.entity);
            conditions.push(format!("({})", Condition::sql(who, entity, "e")?));
        }
        if let Some((path, _)) = &self.active {
            let (joins, time) = self.joined(path, "a");
            let mut from = format!(
                "{} a",
                identifier(self.database.table(path.tables[0]).name())
            );
            let mut conditions_of = vec![
                format!("{time} > c.\"active\""),
                format!("{time} <= c.\"cutoff\""),
            ];
            for (table, on) in joins {
                match table {
                    Some((table, alias)) => {
                        let name = identifier(self.database.table(table).name());
                        from += &format!(" JOIN {name} {alias} ON {on}");
                    }
                    None => conditions_of.push(on),
                }
            }
            let within = conditions_of.join(" AND ");
            conditions.push(format!("EXISTS (SELECT 1 FROM {from} WHERE {within})"));
        }
        Ok(conditions)
    }

    /// What is made of the rows of a window.
    fn aggregate(&self) -> Result<String> {
        let linked = self.path.tables[0];
        let value = || match self.column {
            Some(column) => self.column("r", linked, column),
            None => "*".to_owned(),
        };
        let as_double = || format!("CAST({} AS double precision)", value());
        let holds = || match &self.rows {
            Some(rows) => rows.sql(self.database.table(linked), "r"),
            None => Ok("1 = 1".to_owned()),
        };
        Ok(match self.expression.aggregate {
            Aggregate::Count => format!("COUNT({})", value()),
            Aggregate::Sum => format!("SUM({})", as_double()),
            Aggregate::Mean => format!("AVG({})", as_double()),
            Aggregate::Min => format!("MIN({})", value()),
            Aggregate::Max => format!("MAX({})", value()),
            Aggregate::Any => format!("MAX(CASE WHEN {} THEN 1 ELSE 0 END)", holds()?),
            Aggregate::None => format!("MIN(CASE WHEN {} THEN 0 ELSE 1 END)", holds()?),
            Aggregate::First | Aggregate::Latest => "MAX(r.\"value\")".to_owned(),
        })
    }

    /// What groups of rows have to have.
    fn having(&self) -> Result<String> {
        self.of_rows()
    }

    /// What is made of rows, of which there are some: of those without a number, too, what is made
    /// of nothing.
    fn of_rows(&self) -> Result<String> {
        let made = self.aggregate()?;
        Ok(match self.expression.aggregate.of_nothing() {
            Some(nothing) => format!("COALESCE({made}, {nothing})"),
            None => made,
        })
    }

    /// The target: what is made of the rows, or of none, and what it is compared with.
    fn outcome(&self) -> Result<String> {
        let plain = match (self.empty, self.expression.aggregate.of_nothing()) {
            (Empty::Zero, Some(nothing)) => format!("COALESCE(o.\"outcome\", {nothing})"),
            _ => self.of_rows()?,
        };
        Ok(match self.expression.compared {
            Some((operator, with)) => {
                format!(
                    "CASE WHEN {plain} {operator} {} THEN 1 ELSE 0 END",
                    double(with)
                )
            }
            None => plain,
        })
    }
}

/// The rows of windows: what is joined, and which of it counts.
struct Rows {
    joins: String,
    conditions: Vec<String>,
}
