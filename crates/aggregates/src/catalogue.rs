//! What a plan's columns are, for other tools.

use kinwood_values::View;
use serde::Serialize;

use crate::aggregate::Span;
use crate::choice::Family;
use crate::plan::Plan;

/// A column of a plan as a program reads it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Described {
    /// The name of the column.
    pub name: String,
    /// What it says.
    pub words: String,
    /// The kind of aggregates it belongs to.
    pub family: &'static str,
    /// The path to its rows; empty for the target's own table.
    pub path: String,
    /// The table of those rows.
    pub table: String,
    /// The column that is aggregated, if one is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// Of which time: all, so many days or units, so many of the latest rows.
    pub span: Span,
    /// How hard it is to read.
    pub cost: f64,
    /// The same as SQL over a row `o` of the target's table, where SQL can compute it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sql: Option<String>,
}

impl Plan {
    /// The columns, in order, as the data of a view name tables, columns and labels.
    pub fn catalogue(&self, view: &View) -> Vec<Described> {
        let describe = |aggregate: &crate::Aggregate| {
            let table = view.database().table(self.paths.table_of(aggregate.place));
            let family = aggregate.operation.family();
            let named = Family::ALL.iter().find(|(_, known)| *known == family);
            let column = aggregate.column;
            Described {
                name: aggregate.name.clone(),
                words: aggregate.words.clone(),
                family: named.map_or("", |(name, _)| name),
                path: self.paths.name(aggregate.place).to_owned(),
                table: table.name().to_owned(),
                column: column.map(|column| table.attribute(column).name.clone()),
                span: aggregate.span,
                cost: aggregate.cost(&self.paths),
                sql: aggregate.sql.clone(),
            }
        };
        self.aggregates.iter().map(describe).collect()
    }
}
