//! Relational tests and formulas in words that fit any schema: made of the names of tables, columns
//! and keys alone.
//!
//! The first occurrence of a table on a path goes by the table's name, later ones are numbered:
//! `bond`, `bond 2`. A name once given stays the same in all nodes below.

use kinwood_values::datetime;

use crate::contents::{calendar, items_words, size_words};
use crate::mirt::leaf::{Linear, Variable};
use crate::mirt::terms::{Kind, Terms};
use crate::mirt::test::{Condition, Is, Step, Test};
use crate::tree::terms::shortened;
use crate::tree::text::among;
use kinwood_learning::drawing;

/// How many terms of a formula stand in one line with others.
const BRIEF: usize = 4;

/// The occurrences that tests and formulas of a node speak of, with their names.
#[derive(Clone)]
pub(in crate::mirt) struct Occurrences<'a> {
    terms: &'a Terms,
    steps: Vec<Step>,
    names: Vec<String>,
}

impl<'a> Occurrences<'a> {
    /// The occurrences that steps lead to.
    pub fn new(terms: &'a Terms, steps: &[Step]) -> Self {
        let mut occurrences = Self {
            terms,
            steps: Vec::new(),
            names: vec![terms.tables[terms.root].name.clone()],
        };
        steps.iter().for_each(|&step| occurrences.follow(step));
        occurrences
    }

    fn follow(&mut self, step: Step) {
        let table = self.terms.reached(step);
        let before = (0..self.names.len() as u32)
            .filter(|&earlier| self.table(earlier) == table)
            .count();
        let name = &self.terms.tables[table].name;
        self.names.push(match before {
            0 => name.clone(),
            before => format!("{name} {}", before + 1),
        });
        self.steps.push(step);
    }

    /// With the occurrences that a model speaks of besides: all rows that keys lead to, whatever
    /// was asked of others.
    pub fn with_beyond(mut self, beyond: &[Step]) -> Self {
        for &step in beyond {
            let table = &self.terms.tables[self.terms.reached(step)].name;
            let name = format!(
                "all {table}{} of {}",
                self.by(step),
                self.names[step.from as usize]
            );
            self.names.push(name);
            self.steps.push(step);
        }
        self
    }

    /// The name of an occurrence.
    pub fn name(&self, occurrence: u32) -> &str {
        &self.names[occurrence as usize]
    }

    /// The table of an occurrence.
    pub fn table(&self, occurrence: u32) -> usize {
        self.terms.table_of(&self.steps, occurrence)
    }

    fn column(&self, occurrence: u32, column: u32) -> &'a str {
        &self.terms.column(self.table(occurrence), column).name
    }

    /// Which key is followed, where there is a choice: ` (as atom2)`.
    fn by(&self, step: Step) -> String {
        let own = &self.terms.keys[step.key as usize];
        let alike = self
            .terms
            .keys
            .iter()
            .filter(|key| (key.from, key.to) == (own.from, own.to));
        let alike: Vec<_> = alike.collect();
        if alike.len() < 2 {
            return String::new();
        }
        let same = alike
            .iter()
            .filter(|key| key.from_columns == own.from_columns);
        if same.count() > 1 {
            return format!(" (as {})", own.name);
        }
        let columns = self.terms.names(own.from, &own.from_columns);
        format!(" (as {})", columns.join(", "))
    }

    /// A key that is followed, from the occurrence that it starts from: `has an atom`.
    fn followed(&self, occurrence: u32) -> String {
        let step = self.steps[occurrence as usize - 1];
        let table = &self.terms.tables[self.terms.reached(step)].name;
        let verb = if step.backward { "has" } else { "refers to" };
        let article = match table
            .chars()
            .next()
            .is_some_and(|first| "aeiouAEIOU".contains(first))
        {
            true => "an",
            false => "a",
        };
        let name = match self.name(occurrence) {
            name if name == table => String::new(),
            name => format!(" ({name})"),
        };
        format!("{verb} {article} {table}{}{name}", self.by(step))
    }

    /// A test that a node with these occurrences asks.
    pub fn test(&self, test: &Test) -> String {
        let mut all = self.clone();
        test.steps.iter().for_each(|&step| all.follow(step));
        let first = self.names.len() as u32;
        let mut words = String::new();
        for (place, step) in test.steps.iter().enumerate() {
            let occurrence = first + place as u32;
            let said = all.followed(occurrence);
            words += &match (place, step.from) {
                (0, 0) => said,
                (0, from) => format!("{} {said}", all.name(from)),
                (_, from) if from + 1 == occurrence => format!(" that {said}"),
                (_, from) => format!(" and {} {said}", all.name(from)),
            };
        }
        let Some(condition) = &test.condition else {
            return words;
        };
        let occurrence = condition.occurrence();
        // What the last key leads to needs no name.
        let last = !test.steps.is_empty() && occurrence as usize + 1 == all.names.len();
        let said = match last {
            true => all.of_last(condition),
            false => all.condition(condition),
        };
        match (last, words.is_empty()) {
            (true, _) => format!("{words}{said}"),
            (false, true) => said,
            (false, false) => format!("{words}, and {said}"),
        }
    }

    /// A condition on what the last key leads to.
    fn of_last(&self, condition: &Condition) -> String {
        let occurrence = condition.occurrence();
        let column = condition
            .column()
            .map_or("", |column| self.column(occurrence, column));
        match condition {
            Condition::Some { column: of, is, .. } => {
                format!(" with {}", self.is(occurrence, *of, column, is))
            }
            Condition::Every { column: of, is, .. } => {
                format!(", every one with {}", self.is(occurrence, *of, column, is))
            }
            Condition::Count { least, .. } => format!(", at least {least} in all"),
            Condition::Aggregate {
                column: of,
                function,
                is,
                ..
            } => {
                let subject = format!("{} {column}", function.name());
                format!(", in all with {}", self.is(occurrence, *of, &subject, is))
            }
        }
    }

    /// A condition on an occurrence that is named.
    pub fn condition(&self, condition: &Condition) -> String {
        let occurrence = condition.occurrence();
        let name = self.name(occurrence);
        let column = condition
            .column()
            .map_or("", |column| self.column(occurrence, column));
        match condition {
            Condition::Some { column: of, is, .. } => {
                self.is(occurrence, *of, &self.of(column, occurrence), is)
            }
            Condition::Every { column: of, is, .. } => {
                format!("every {name} has {}", self.is(occurrence, *of, column, is))
            }
            Condition::Count { least, .. } => format!("at least {least} rows of {name}"),
            Condition::Aggregate {
                column: of,
                function,
                is,
                ..
            } => {
                let subject = format!("{} {column} of {name}", function.name());
                self.is(occurrence, *of, &subject, is)
            }
        }
    }

    /// `charge of atom`; of the object itself only the column is named.
    fn of(&self, column: &str, occurrence: u32) -> String {
        match occurrence {
            0 => column.to_owned(),
            occurrence => format!("{column} of {}", self.name(occurrence)),
        }
    }

    /// How a value is to be.
    pub fn is(&self, occurrence: u32, column: u32, subject: &str, is: &Is) -> String {
        let table = self.table(occurrence);
        let of = self.terms.column(table, column);
        let written = |bound: f64| match of.kind {
            Kind::Moment => datetime::print(bound as i64),
            _ => plain(bound),
        };
        match (is, &of.kind) {
            (Is::AtMost(bound), _) => format!("{subject} <= {}", written(*bound)),
            (Is::AtLeast(bound), _) => format!("{subject} >= {}", written(*bound)),
            (Is::Among(codes), Kind::Labels(labels)) => {
                among(subject, codes.iter().map(|&code| labels.label(code)))
            }
            (Is::Near { prototype, radius }, _) => {
                let pool = self.terms.pool(table, column);
                let value = pool.map_or_else(String::new, |pool| {
                    shortened(&pool.values.value(*prototype as usize).to_string())
                });
                format!("{subject} within {} of {value}", plain(*radius))
            }
            (Is::Has(items), Kind::Moment) => items_words(subject, calendar::named(items)),
            (Is::Has(items), _) => match self.terms.pool(table, column) {
                Some(pool) => items_words(subject, pool.named(items)),
                None => subject.to_owned(),
            },
            (Is::Sized(least), _) => {
                let pool = self.terms.pool(table, column);
                size_words(subject, pool.map(|pool| pool.measure.of()), *least)
            }
            (Is::Among(_), _) => subject.to_owned(),
        }
    }

    /// A variable of a model.
    pub fn variable(&self, variable: Variable) -> String {
        let occurrence = variable.occurrence();
        let column = variable
            .column()
            .map_or("", |column| self.column(occurrence, column));
        match variable {
            Variable::Value { .. } => self.of(column, occurrence),
            Variable::Label {
                column: of, label, ..
            } => {
                let table = self.table(occurrence);
                let label = match &self.terms.column(table, of).kind {
                    Kind::Labels(labels) => labels.label(label),
                    _ => "",
                };
                match occurrence {
                    0 => format!("({column} = {label})"),
                    occurrence => {
                        format!("share of {} with {column} = {label}", self.name(occurrence))
                    }
                }
            }
            Variable::Aggregate { function, .. } => {
                format!("{} {}", function.name(), self.of(column, occurrence))
            }
            Variable::Count { .. } => format!("count of {}", self.name(occurrence)),
        }
    }

    /// What a model of the node says of a target.
    pub fn formula(&self, target: &str, model: &Linear) -> String {
        format!("{target} = {}", self.sum(model))
    }

    /// What a model of the node says.
    pub fn sum(&self, model: &Linear) -> String {
        let mut formula = self.beginning(model, model.terms.len());
        if let Some((least, most)) = model.range {
            formula += &format!(", within {} to {}", short(least), short(most));
        }
        formula
    }

    /// The beginning of what a model says, where one line is all the room.
    pub fn brief(&self, target: &str, model: &Linear) -> String {
        let formula = format!("{target} = {}", self.beginning(model, BRIEF));
        match model.terms.len().saturating_sub(BRIEF) {
            0 => formula,
            more => format!("{formula} + ... {more} more terms"),
        }
    }

    fn beginning(&self, model: &Linear, terms: usize) -> String {
        let all = self.clone().with_beyond(&model.beyond);
        let mut formula = short(model.intercept);
        for term in model.terms.iter().take(terms) {
            let sign = if term.coefficient < 0.0 { '-' } else { '+' };
            let size = short(term.coefficient.abs());
            formula += &format!(" {sign} {size} {}", all.variable(term.variable));
        }
        formula
    }
}

/// A number without the digits that only arithmetic put there: half of 28.8 is 14.4.
fn plain(number: f64) -> String {
    let near: Option<f64> = format!("{number:.9e}").parse().ok();
    // The greatest numbers are rounded beyond what numbers are.
    near.filter(|near| near.is_finite())
        .unwrap_or(number)
        .to_string()
}

/// A number to six digits.
pub(super) fn short(number: f64) -> String {
    drawing::short(number, 6, -5.0..15.0)
}
