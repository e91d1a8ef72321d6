//! Linear models as SQL: variables of one value as such, those chosen from a bag by the nearest
//! primary instance.

use std::fmt::Write;

use super::state::State;
use crate::mirt::leaf::{Linear, Term, Variable};
use crate::mirt::terms::Terms;
use crate::mirt::test::Function;
use kinwood_learning::error::Result;
use kinwood_learning::sql::{double, identifier, number};

/// The tables of primary instances that formulas look into.
pub(super) struct Instances {
    prefix: String,
    tables: Vec<String>,
    /// The node and target of each.
    written: Vec<(u32, usize)>,
}

impl Instances {
    /// No table yet; none is named as a table of the database or the view is.
    pub fn new(terms: &Terms, view: &str) -> Self {
        let mut prefix = String::from("instances");
        let names = terms.tables.iter().map(|table| table.name.as_str());
        let names: Vec<String> = names.chain([view]).map(str::to_lowercase).collect();
        while names.iter().any(|name| name.starts_with(&prefix)) {
            prefix.insert(0, '_');
        }
        Self {
            prefix,
            tables: Vec::new(),
            written: Vec::new(),
        }
    }

    /// The tables, as they stand before a query.
    pub fn tables(&self) -> String {
        match self.tables.is_empty() {
            true => String::new(),
            false => format!("WITH {}\n", self.tables.join(",\n")),
        }
    }

    /// The name of the table with the primary instances of a node's model for a target.
    fn table(&mut self, model: &Linear, (node, target): (u32, usize)) -> String {
        let name = identifier(&match target {
            0 => format!("{}_{}", self.prefix, node + 1),
            target => format!("{}_{}_{}", self.prefix, node + 1, target + 1),
        });
        if self.written.contains(&(node, target)) {
            return name;
        }
        self.written.push((node, target));
        let width = model.chosen();
        let mut sql = format!("{name} (instance");
        for place in 0..width {
            let _ = write!(sql, ", p{place}");
        }
        sql += ") AS (VALUES";
        for (instance, point) in model.primary.chunks(width).enumerate() {
            sql += if instance == 0 { "\n  " } else { ",\n  " };
            // The first row says that the columns are doubles.
            let written = point.iter().map(|&value| match instance {
                0 => double(value),
                _ => number(value),
            });
            let written: Vec<String> = written.collect();
            let _ = write!(sql, "({instance}, {})", written.join(", "));
        }
        self.tables.push(sql + ")");
        name
    }

    /// What a model says of an object whose bindings are those of a state.
    pub fn formula(
        &mut self,
        state: State<'_>,
        model: &Linear,
        at: (u32, usize),
    ) -> Result<String> {
        let state = state.with_beyond(&model.beyond)?;
        let said = match model.terms.iter().any(|term| term.is_open(model)) {
            false => {
                let each = model.terms.iter().map(|term| single(&state, term));
                sum(model, &each.collect::<Result<Vec<_>>>()?)
            }
            true => {
                let table = self.table(model, at);
                nearest(&state, model, &table)?
            }
        };
        let Some((least, most)) = model.range else {
            return Ok(said);
        };
        let (least, most) = (double(least), double(most));
        Ok(format!(
            "(SELECT CASE WHEN y < {least} THEN {least} WHEN y > {most} THEN {most} ELSE y END FROM (SELECT {said} AS y LIMIT 1) AS said)"
        ))
    }
}

impl Term {
    /// Whether an object may have several values of it, one of which a primary instance chooses.
    fn is_open(&self, model: &Linear) -> bool {
        self.variable.is_chosen() && self.variable.occurrence() > 0 && !model.primary.is_empty()
    }
}

/// The intercept and the terms, in the model's order.
fn sum(model: &Linear, values: &[String]) -> String {
    if model.terms.is_empty() {
        return double(model.intercept);
    }
    let products = model.terms.iter().zip(values);
    let products = products.map(|(term, value)| format!("{} * {value}", double(term.coefficient)));
    format!(
        "({} + ({}))",
        double(model.intercept),
        products.collect::<Vec<_>>().join(" + ")
    )
}

/// The value of a variable that has one.
fn single(state: &State<'_>, term: &Term) -> Result<String> {
    let occurrence = term.variable.occurrence();
    let value = match term.variable {
        Variable::Value { column, .. } => state.aggregate(occurrence, column, Function::Minimum)?,
        Variable::Aggregate {
            column, function, ..
        } => state.aggregate(occurrence, column, function)?,
        Variable::Label { column, label, .. } => {
            let share = format!(
                "CASE WHEN {} IS NULL THEN NULL WHEN {} THEN {} ELSE {} END",
                state.column(occurrence, column),
                state.has_label(occurrence, column, &[label])?,
                double(1.0),
                double(0.0)
            );
            match occurrence {
                0 => share,
                occurrence => state.made(occurrence, &format!("AVG({share})")),
            }
        }
        Variable::Count { .. } => {
            let count = state.made(occurrence, "COUNT(*)");
            return Ok(format!("CAST({count} AS double precision)"));
        }
    };
    Ok(format!("COALESCE({value}, {})", double(term.otherwise)))
}

/// The model's number for the values nearest to a primary instance.
fn nearest(state: &State<'_>, model: &Linear, table: &str) -> Result<String> {
    let width = model.chosen();
    let instances = model.primary.len() / width;
    let mut taken = vec!["i.instance".to_owned()];
    let mut extents: Vec<String> = Vec::new();
    let mut far: Vec<String> = Vec::new();
    let mut values: Vec<String> = Vec::with_capacity(model.terms.len());
    for term in &model.terms {
        if !term.variable.is_chosen() {
            values.push(single(state, term)?);
            continue;
        }
        let place = far.len();
        let own = model.primary.iter().skip(place).step_by(width);
        let least = own.clone().copied().fold(f64::INFINITY, f64::min);
        let most = own.copied().fold(f64::NEG_INFINITY, f64::max);
        let (occurrence, column) = (
            term.variable.occurrence(),
            term.variable.column().unwrap_or(0),
        );
        let otherwise = double(term.otherwise);
        let extent = match occurrence {
            0 => {
                let value = single(state, term)?;
                taken.push(format!("{value} AS v{place}"));
                format!("SELECT {value} AS least, {value} AS most")
            }
            occurrence => {
                let number = state.number(occurrence, column)?;
                // How far a value is stands in the inner query: older SQLite finds no outer columns
                // in the order of an inner one.
                let each = format!("{number} AS v, ABS({number} - i.p{place}) AS d");
                let values = state.rows(occurrence, &each);
                // Of values as near the smaller.
                taken.push(format!(
                    "COALESCE((SELECT v FROM ({values}) AS bag WHERE v IS NOT NULL ORDER BY d, v LIMIT 1), {otherwise}) AS v{place}"
                ));
                let extent = format!(
                    "COALESCE(MIN({number}), {otherwise}) AS least, COALESCE(MAX({number}), {otherwise}) AS most"
                );
                state.rows(occurrence, &extent)
            }
        };
        extents.push(format!("({extent}) AS e{place}"));
        taken.push(format!("i.p{place}"));
        let (least, most) = (double(least), double(most));
        // Differences count in units of the range of values, stored and asked; where all are one,
        // nothing differs.
        taken.push(format!(
            "NULLIF(CASE WHEN e{place}.most > {most} THEN e{place}.most ELSE {most} END - CASE WHEN e{place}.least < {least} THEN e{place}.least ELSE {least} END, 0) AS u{place}"
        ));
        let difference = format!("((v{place} - p{place}) / u{place})");
        far.push(format!("COALESCE({difference} * {difference}, 0)"));
        values.push(format!("v{place}"));
    }
    Ok(format!(
        "(SELECT {}\n      FROM (SELECT {}\n        FROM {table} AS i, {} LIMIT {instances}) AS near\n      ORDER BY {}, instance LIMIT 1)",
        sum(model, &values),
        taken.join(",\n          "),
        extents.join(", "),
        far.join(" + ")
    ))
}
