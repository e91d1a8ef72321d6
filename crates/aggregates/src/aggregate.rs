//! One aggregate: what is computed of which column over which rows, and what it is called.

use kinwood_values::{Cells, Type, View};
use serde::{Deserialize, Serialize};

use crate::choice::Family;
use crate::paths::Paths;

/// What is computed of linked rows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// The value itself, of the one row that the path leads to.
    Value,
    /// How long before the cutoff an instant is.
    Age,
    /// The year of the cutoff.
    CutoffYear,
    /// The month of the cutoff, from 1.
    CutoffMonth,
    /// The day of the week of the cutoff, from 1 for Monday.
    CutoffWeekday,
    /// How many rows there are, or how many have a known value.
    Count,
    /// Whether there is a row: 1 or 0.
    Exists,
    /// How long before the cutoff the latest row is.
    SinceLatest,
    /// How long before the cutoff the first row is.
    SinceFirst,
    /// The sum of the known numbers.
    Sum,
    /// Their mean.
    Mean,
    /// Their standard deviation, of a sample.
    Deviation,
    /// The least.
    Least,
    /// The most.
    Most,
    /// The most less the least.
    Range,
    /// The number that half of them are at or below.
    Median,
    /// The number that a quarter of them are at or below.
    LowerQuartile,
    /// The number that three quarters of them are at or below.
    UpperQuartile,
    /// How many different values there are.
    Distinct,
    /// The slope of the line of least squares through the numbers over time, a day or unit of time.
    Trend,
    /// The mean within the span less the mean within one as long before it.
    Change,
    /// The value of the latest row.
    Latest,
    /// The most frequent label, the first of equals.
    Mode,
    /// The share of rows with a known value that have this one: the code of a label, or a number.
    Share(f64),
}

/// Which of the visible rows count.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Span {
    /// All of them.
    #[default]
    All,
    /// Those of so many days, or units of a numeric time, before the cutoff.
    Within(f64),
    /// The latest so many of which the value is known.
    Last(u32),
}

/// Rows that have a value in another column, and no others.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// The column, of the table of the same place.
    pub column: usize,
    /// The code of the label.
    pub code: u32,
}

/// An aggregate of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Aggregate {
    /// The place whose rows it is about.
    pub place: usize,
    /// What is computed.
    pub operation: Operation,
    /// Of which column; `None` for what is computed of rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// Of which rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<Condition>,
    /// Of which time.
    #[serde(default)]
    pub span: Span,
    /// The name of the column that it becomes.
    pub name: String,
    /// What it says.
    pub words: String,
    /// The same as SQL over a row `o` of the target's table, where SQL can compute it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sql: Option<String>,
}

impl Operation {
    /// The kinds of aggregates it belongs to, of which a user chooses.
    pub fn family(self) -> Family {
        match self {
            Operation::Value => Family::Value,
            Operation::Age => Family::Age,
            Operation::CutoffYear | Operation::CutoffMonth | Operation::CutoffWeekday => {
                Family::Calendar
            }
            Operation::Count => Family::Count,
            Operation::Exists => Family::Exists,
            Operation::SinceLatest | Operation::SinceFirst => Family::Since,
            Operation::Sum => Family::Sum,
            Operation::Mean => Family::Mean,
            Operation::Deviation => Family::Sd,
            Operation::Least => Family::Min,
            Operation::Most => Family::Max,
            Operation::Range => Family::Range,
            Operation::Median => Family::Median,
            Operation::LowerQuartile | Operation::UpperQuartile => Family::Quartiles,
            Operation::Distinct => Family::Distinct,
            Operation::Trend => Family::Trend,
            Operation::Change => Family::Change,
            Operation::Latest => Family::Latest,
            Operation::Mode => Family::Mode,
            Operation::Share(_) => Family::Share,
        }
    }

    /// The word before the parenthesis of a name.
    fn word(self) -> &'static str {
        match self {
            Operation::Value => "",
            Operation::Age => "age",
            Operation::CutoffYear => "year",
            Operation::CutoffMonth => "month",
            Operation::CutoffWeekday => "weekday",
            Operation::Count => "count",
            Operation::Exists => "exists",
            Operation::SinceLatest => "time since latest",
            Operation::SinceFirst => "time since first",
            Operation::Sum => "sum",
            Operation::Mean => "mean",
            Operation::Deviation => "sd",
            Operation::Least => "min",
            Operation::Most => "max",
            Operation::Range => "range",
            Operation::Median => "median",
            Operation::LowerQuartile => "lower quartile",
            Operation::UpperQuartile => "upper quartile",
            Operation::Distinct => "distinct",
            Operation::Trend => "trend",
            Operation::Change => "change",
            Operation::Latest => "latest",
            Operation::Mode => "mode",
            Operation::Share(_) => "share",
        }
    }

    /// How hard it is to read and to compute: constraints and readable models weigh columns by it.
    fn cost(self) -> f64 {
        match self {
            Operation::Value | Operation::Exists | Operation::Count => 1.0,
            Operation::Age
            | Operation::CutoffYear
            | Operation::CutoffMonth
            | Operation::CutoffWeekday
            | Operation::Latest
            | Operation::SinceLatest
            | Operation::SinceFirst => 1.5,
            Operation::Sum
            | Operation::Mean
            | Operation::Least
            | Operation::Most
            | Operation::Mode
            | Operation::Share(_) => 2.0,
            Operation::Range
            | Operation::Median
            | Operation::Distinct
            | Operation::LowerQuartile
            | Operation::UpperQuartile => 2.5,
            Operation::Deviation | Operation::Trend | Operation::Change => 3.0,
        }
    }

    /// Whether it is about when rows are.
    pub(crate) fn needs_time(self) -> bool {
        matches!(
            self,
            Operation::SinceLatest
                | Operation::SinceFirst
                | Operation::Trend
                | Operation::Change
                | Operation::Latest
        )
    }
}

/// A number of days or rows as it is written in names: `30`, `0.5`.
fn written(number: f64) -> String {
    number.to_string()
}

impl Aggregate {
    /// How hard it is to read: the operation, how far away its rows are, what narrows them down.
    pub fn cost(&self, paths: &Paths) -> f64 {
        let narrowed = f64::from(u8::from(self.condition.is_some()))
            + f64::from(u8::from(self.span != Span::All));
        self.operation.cost() + 0.5 * paths.depth(self.place) as f64 + narrowed
    }

    /// The name, as the data call tables, columns and labels.
    pub(crate) fn named(&self, view: &View, paths: &Paths) -> String {
        let path = paths.name(self.place);
        let table = view.database().table(paths.table_of(self.place));
        let column = self.column.map(|column| {
            let name = &table.attribute(column).name;
            match path.is_empty() {
                true => name.clone(),
                false => format!("{path}.{name}"),
            }
        });
        let of = column.unwrap_or_else(|| path.to_owned());
        let of = match self.operation {
            Operation::Value => return of,
            Operation::CutoffYear | Operation::CutoffMonth | Operation::CutoffWeekday => {
                "cutoff".to_owned()
            }
            Operation::Share(value) => format!("{of} = {}", self.value(view, paths, value)),
            _ => of,
        };
        let condition = self.condition.map(|condition| {
            let name = &table.attribute(condition.column).name;
            let label = label(view, paths, self.place, condition.column, condition.code);
            format!(" where {name} = {label}")
        });
        let span = match self.span {
            Span::All => String::new(),
            Span::Within(length) => {
                let unit = unit(view, paths, self.place);
                format!(", {}{unit}", written(length))
            }
            Span::Last(rows) => format!(", last {rows}"),
        };
        let word = self.operation.word();
        format!("{word}({of}{}{span})", condition.unwrap_or_default())
    }

    /// A value of its column in words.
    pub(crate) fn value(&self, view: &View, paths: &Paths, value: f64) -> String {
        match self.column {
            Some(column) if is_nominal(view, paths, self.place, column) => {
                label(view, paths, self.place, column, value as u32)
            }
            _ => value.to_string(),
        }
    }

    /// What it says, in words.
    pub(crate) fn in_words(&self, view: &View, paths: &Paths) -> String {
        let table = view.database().table(paths.table_of(self.place));
        let column = self.column.map(|column| &table.attribute(column).name);
        let column = column.map(|name| format!("`{name}`")).unwrap_or_default();
        let unit = unit(view, paths, self.place).trim_start();
        let unit = if unit.is_empty() { "units" } else { unit };
        let what = match self.operation {
            Operation::Value => format!("the {column}"),
            Operation::Age => format!("how long before the cutoff {column} is, in days,"),
            Operation::CutoffYear => return "the year of the cutoff".to_owned(),
            Operation::CutoffMonth => return "the month of the cutoff".to_owned(),
            Operation::CutoffWeekday => {
                return "the day of the week of the cutoff, 1 for Monday".to_owned();
            }
            Operation::Count if self.column.is_some() => format!("how many known {column}"),
            Operation::Count => "how many".to_owned(),
            Operation::Exists => "whether there are any".to_owned(),
            Operation::SinceLatest => format!("{unit} from the latest to the cutoff"),
            Operation::SinceFirst => format!("{unit} from the first to the cutoff"),
            Operation::Sum => format!("the sum of {column}"),
            Operation::Mean => format!("the mean of {column}"),
            Operation::Deviation => format!("the standard deviation of {column}"),
            Operation::Least => format!("the least {column}"),
            Operation::Most => format!("the most {column}"),
            Operation::Range => format!("the difference between the most and least {column}"),
            Operation::Median => format!("the median of {column}"),
            Operation::LowerQuartile => format!("the lower quartile of {column}"),
            Operation::UpperQuartile => format!("the upper quartile of {column}"),
            Operation::Distinct => format!("how many different {column}"),
            Operation::Trend => format!("how much {column} grows over time"),
            Operation::Change => {
                format!("the mean of {column} less that of the time before")
            }
            Operation::Latest => format!("the latest {column}"),
            Operation::Mode => format!("the most frequent {column}"),
            Operation::Share(value) => {
                let value = self.value(view, paths, value);
                format!("the share with {column} = {value}")
            }
        };
        let path = match (self.place, paths.to_one(self.place)) {
            (0, _) => String::new(),
            (place, true) => format!(" of `{}`", paths.name(place)),
            (place, false) => format!(" of the rows of `{}`", paths.name(place)),
        };
        let condition = self.condition.map(|condition| {
            let name = &table.attribute(condition.column).name;
            let label = label(view, paths, self.place, condition.column, condition.code);
            format!(" with `{name}` = {label}")
        });
        let span = match self.span {
            Span::All => String::new(),
            Span::Within(length) => format!(", within the last {} {unit}", written(length)),
            Span::Last(rows) => format!(", of the last {rows}"),
        };
        format!("{what}{path}{}{span}", condition.unwrap_or_default())
    }
}

/// The label of a code.
fn label(view: &View, paths: &Paths, place: usize, column: usize, code: u32) -> String {
    let table = view.database().table(paths.table_of(place));
    let codes = table.attribute(column).column.codes();
    match codes.filter(|(_, dictionary)| (code as usize) < dictionary.len()) {
        Some((_, dictionary)) => dictionary.label(code).to_owned(),
        None => code.to_string(),
    }
}

/// Whether a column of a place holds labels.
pub(crate) fn is_nominal(view: &View, paths: &Paths, place: usize, column: usize) -> bool {
    let table = view.database().table(paths.table_of(place));
    table.attribute(column).type_of() == Type::Nominal
}

/// The unit of time on the way to a place, with a space before it: days of dates, nothing for
/// numbers.
fn unit(view: &View, paths: &Paths, place: usize) -> &'static str {
    match units_are_days(view, paths, place) {
        true => " days",
        false => "",
    }
}

/// Whether the time on the way to a place is in dates, so that spans are in days.
pub(crate) fn units_are_days(view: &View, paths: &Paths, place: usize) -> bool {
    let dated = |table: usize| {
        let table = view.database().table(table);
        table.time().is_some_and(|time| {
            let column = &table.attribute(time.begin()).column;
            matches!(column.cells(), Cells::DateTime(_))
        })
    };
    let hops = paths.hops(place);
    hops.iter().any(|step| dated(step.table))
}
