//! What can be wrong with an expression, or between a measure and the data it meets.

use kinwood_values::Remedy;
use kinwood_values::suggest::did_you_mean;

/// What can be wrong with an expression, or between a measure and the data it meets.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The text goes on with something else than its grammar allows.
    #[error("expected {expected} at column {column} of the expression, found {found}")]
    Syntax {
        /// Where, from 1.
        column: usize,
        /// What stands there.
        found: String,
        /// What could.
        expected: &'static str,
    },
    /// A parenthesis is opened and never closed.
    #[error("the `(` at column {column} is never closed")]
    Unbalanced {
        /// Where it opens.
        column: usize,
    },
    /// A quote is opened and never closed.
    #[error("the quote opened at column {column} of the expression is never closed")]
    UnclosedQuote {
        /// Where it opens.
        column: usize,
    },
    /// An expression nested too deep.
    #[error("column {column} of the expression is nested deeper than {limit} levels")]
    TooDeep {
        /// Where.
        column: usize,
        /// How deep is allowed.
        limit: usize,
    },
    /// A name that no measure has.
    #[error("unknown distance or kernel `{name}`{}{}", at(*.column), did_you_mean(.nearest))]
    UnknownMeasure {
        /// The name.
        name: String,
        /// Where it stands, 0 if nowhere.
        column: usize,
        /// The name most like it.
        nearest: Option<String>,
    },
    /// A kernel where a distance is needed.
    #[error("`{name}`{} is a kernel, and a distance is needed: `induced({name})` is one", at(*.column))]
    NotADistance {
        /// The kernel.
        name: String,
        /// Where it stands.
        column: usize,
    },
    /// A distance where a kernel is needed.
    #[error("`{name}`{} is a distance, and a kernel is needed: `gaussian({name})` is one", at(*.column))]
    NotAKernel {
        /// The distance.
        name: String,
        /// Where it stands.
        column: usize,
    },
    /// A measure on values it does not measure.
    #[error("`{measure}` needs {needs}; {place} is {}", article(.found))]
    WrongType {
        /// The measure.
        measure: String,
        /// What it measures.
        needs: String,
        /// Of what the values are.
        place: String,
        /// What they are.
        found: String,
    },
    /// A setting that the measure does not have.
    #[error("`{measure}` has no setting `{setting}`{}", settings(.known, .nearest))]
    UnknownSetting {
        /// The measure.
        measure: String,
        /// The setting.
        setting: String,
        /// Its settings.
        known: Vec<&'static str>,
        /// The setting most like it.
        nearest: Option<String>,
    },
    /// A setting with a value it cannot have.
    #[error("`{setting}` of `{measure}` is {found}; expected {expected}")]
    Setting {
        /// The measure.
        measure: String,
        /// The setting.
        setting: String,
        /// Its value.
        found: String,
        /// What it can be.
        expected: String,
    },
    /// A setting twice.
    #[error("`{setting}` of `{measure}` is set twice")]
    SetTwice {
        /// The measure.
        measure: String,
        /// The setting.
        setting: String,
    },
    /// More numbers than settings.
    #[error("`{measure}` takes {}; found {found} numbers", counted(*.most, "number"))]
    TooManyNumbers {
        /// The measure.
        measure: String,
        /// How many it takes.
        most: usize,
        /// How many stand there.
        found: usize,
    },
    /// More or fewer parts than there are.
    #[error("`{measure}` takes {expected}; found {found}")]
    Parts {
        /// The measure.
        measure: String,
        /// How many parts it takes, and of what.
        expected: String,
        /// How many stand there.
        found: usize,
    },
    /// A weight or field where there are none.
    #[error("the parts of `{measure}` have neither names nor weights")]
    PlainPart {
        /// The measure.
        measure: String,
    },
    /// A name that no field has.
    #[error("{place} has no field `{field}`{}", did_you_mean(.nearest))]
    UnknownField {
        /// Of what the fields are.
        place: String,
        /// The name.
        field: String,
        /// The field most like it.
        nearest: Option<String>,
    },
    /// Something to be taken from training data, and there is none.
    #[error(
        "`{setting}` of `{measure}` comes from training data, and there is none: give it a number, or fit it on data"
    )]
    NeedsTraining {
        /// The measure.
        measure: String,
        /// The setting.
        setting: String,
    },
    /// A missing value, and no largest distance to put it at.
    #[error(
        "a value is missing, and `{measure}` has no largest distance to put it at: say `far=NUMBER`, or fit it on data"
    )]
    NoFar {
        /// The measure.
        measure: String,
    },
    /// A pair-valued distance where a number is needed.
    #[error(
        "`{measure}` gives pairs, which can be compared and added and no more: {within} needs a number"
    )]
    PairValued {
        /// The pair-valued distance.
        measure: String,
        /// What needs a number.
        within: String,
    },
    /// A distance that gives numbers where pairs are needed.
    #[error("`{measure}` gives numbers already: {within} needs a distance that gives pairs")]
    NumberValued {
        /// The distance.
        measure: String,
        /// What needs pairs.
        within: String,
    },
    /// A value the measure is not defined for.
    #[error("`{measure}` is not defined for {what}{}", in_row(*.row))]
    Undefined {
        /// The measure.
        measure: String,
        /// Which values those are.
        what: String,
        /// The first row with one, from 0.
        row: Option<usize>,
    },
    /// Objects that reach one another, so that the facts about them have no end.
    #[error(
        "the facts about the first {objects} rows of `{table}` and all that they reach are {facts}, more than {most}: the keys lead from every object to every other; leave some out by a schema"
    )]
    TooManyFacts {
        /// The table of the objects.
        table: String,
        /// How many objects were described.
        objects: usize,
        /// The facts about them.
        facts: usize,
        /// The most there may be.
        most: usize,
    },
    /// A series that does not converge.
    #[error("`{measure}` with weight {weight} diverges: the product graph has a node of degree {degree}, so the weight must be below {}", 1.0 / *.degree as f64)]
    Divergent {
        /// The kernel.
        measure: String,
        /// The weight.
        weight: f64,
        /// The largest degree of the product graph.
        degree: usize,
    },
    /// A column of a type without a distance.
    #[error("there is no distance for column `{column}`, a `{found}`; leave it out")]
    NoDistance {
        /// The column.
        column: String,
        /// Its type.
        found: String,
    },
    /// Nothing to compare.
    #[error("table `{table}` has no input column to compare rows by")]
    NoColumns {
        /// The table.
        table: String,
    },
    /// The data is not in the terms of the data the distance was fitted on.
    #[error("column `{column}` is not there as it was when the distance was fitted")]
    Layout {
        /// The first column that is lacking, hidden or of another type.
        column: String,
    },
    /// Values of two types.
    #[error("values of two types cannot be compared: {} and {}", article(.first), article(.second))]
    TwoTypes {
        /// The one.
        first: String,
        /// The other.
        second: String,
    },
    /// A distance that a schema states and that cannot be read.
    #[error("the distance stated for column `{column}`: {source}")]
    Stated {
        /// The column.
        column: String,
        /// What is wrong with it.
        source: Box<Error>,
    },
    /// A name that is taken.
    #[error("there is a distance or kernel `{name}` already")]
    NameTaken {
        /// The name.
        name: String,
    },
}

impl Error {
    /// What the user can do about it, for an interface to word.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Error::NoDistance { column, .. } => Some(Remedy::LeaveOut {
                column: column.clone(),
            }),
            Error::Stated { source, .. } => source.remedy(),
            _ => None,
        }
    }
}

fn at(column: usize) -> String {
    if column == 0 {
        String::new()
    } else {
        format!(" at column {column} of the expression")
    }
}

fn in_row(row: Option<usize>) -> String {
    row.map_or(String::new(), |row| format!(" (row {})", row + 1))
}

fn article(noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} `{noun}`", if vowel { "an" } else { "a" })
}

fn settings(known: &[&str], nearest: &Option<String>) -> String {
    match (nearest, known) {
        (Some(_), _) => did_you_mean(nearest),
        (None, []) => "; it has none".to_owned(),
        (None, known) => format!("; it has `{}`", known.join("`, `")),
    }
}

fn counted(number: usize, noun: &str) -> String {
    match number {
        0 => format!("no {noun}"),
        1 => format!("one {noun}"),
        _ => format!("{number} {noun}s"),
    }
}
