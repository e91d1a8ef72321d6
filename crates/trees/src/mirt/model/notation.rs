//! Nodes as queries in the notation of the paper (examples 1 to 4): a literal for each table that
//! the path has reached, one for each condition, and what must not hold of the object in
//! `not(...)`.
//!
//! Columns that a key joins share a variable. Wide tables show their keys and the columns that are
//! asked for.

use std::collections::BTreeSet;

use super::words::Occurrences;
use crate::mirt::terms::Terms;
use crate::mirt::test::{Condition, Step, Test};

/// Tables of so many columns are written with all of them.
const WRITTEN: usize = 6;

/// The query of a node.
pub(super) fn query(terms: &Terms, way: &[(&Test, usize)]) -> String {
    let used = used(way);
    let mut own: Vec<Step> = Vec::new();
    let names = Names::new(terms, &own);
    let mut positive = vec![names.literal(0, &used)];
    let mut all = positive.clone();
    for (test, branch) in way {
        let first = own.len() as u32 + 1;
        let reached: Vec<Step> = own.iter().chain(&test.steps).copied().collect();
        let names = Names::new(terms, &reached);
        let mut added: Vec<String> = (first..first + test.steps.len() as u32)
            .map(|occurrence| names.literal(occurrence, &used))
            .collect();
        added.extend(
            test.condition
                .as_ref()
                .map(|condition| names.condition(condition)),
        );
        match branch {
            0 => {
                // What holds of the object itself holds inside of `not(...)` too.
                if !of_object(test) {
                    positive.extend(added.iter().cloned());
                }
                all.extend(added);
                own = reached;
            }
            _ if of_object(test) => all.push(format!("not({})", added.join(", "))),
            _ => {
                let whole: Vec<String> = positive.iter().cloned().chain(added).collect();
                all.push(format!("not({})", whole.join(", ")));
            }
        }
    }
    format!("[{}]", all.join(", "))
}

/// Whether a test asks for a value of the object's own row alone.
fn of_object(test: &Test) -> bool {
    test.steps.is_empty() && matches!(test.condition, Some(Condition::Some { occurrence: 0, .. }))
}

/// The columns that conditions on a way ask for, by occurrence.
fn used(way: &[(&Test, usize)]) -> BTreeSet<(u32, u32)> {
    let conditions = way.iter().filter_map(|(test, _)| test.condition.as_ref());
    conditions
        .filter_map(|condition| Some((condition.occurrence(), condition.column()?)))
        .collect()
}

/// The variables of all columns of all occurrences.
struct Names<'a> {
    terms: &'a Terms,
    steps: Vec<Step>,
    variables: Vec<Vec<String>>,
}

impl<'a> Names<'a> {
    fn new(terms: &'a Terms, steps: &[Step]) -> Self {
        let mut names = Self {
            terms,
            steps: steps.to_vec(),
            variables: Vec::new(),
        };
        let mut taken = BTreeSet::new();
        names.name(terms.root, &[], &mut taken);
        for step in steps {
            let key = &terms.keys[step.key as usize];
            let above = &names.variables[step.from as usize];
            let (own, other) = match step.backward {
                true => (&key.from_columns, &key.to_columns),
                false => (&key.to_columns, &key.from_columns),
            };
            let joined: Vec<(u32, String)> = own
                .iter()
                .zip(other)
                .map(|(&own, &other)| (own, above[other as usize].clone()))
                .collect();
            names.name(terms.reached(*step), &joined, &mut taken);
        }
        names
    }

    /// Names the columns of one more occurrence of a table.
    fn name(&mut self, table: usize, joined: &[(u32, String)], taken: &mut BTreeSet<String>) {
        let of = &self.terms.tables[table];
        let columns = of.columns.iter().enumerate();
        let variables = columns.map(|(place, column)| {
            let shared = joined.iter().find(|(own, _)| *own == place as u32);
            if let Some((_, variable)) = shared {
                return variable.clone();
            }
            // `id` says nothing beside other tables' ids.
            let plain = match column.name.eq_ignore_ascii_case("id") {
                true => capital(&of.name),
                false => capital(&column.name),
            };
            let mut variable = plain.clone();
            let mut number = 2;
            while !taken.insert(variable.clone()) {
                variable = format!("{plain}{number}");
                number += 1;
            }
            variable
        });
        self.variables.push(variables.collect());
    }

    /// The literal of an occurrence.
    fn literal(&self, occurrence: u32, used: &BTreeSet<(u32, u32)>) -> String {
        let table = self.terms.table_of(&self.steps, occurrence);
        let of = &self.terms.tables[table];
        let is_key = |column: u32| {
            of.key.contains(&column)
                || self
                    .terms
                    .keys
                    .iter()
                    .any(|key| key.from == table && key.from_columns.contains(&column))
        };
        let narrow = of.columns.len() <= WRITTEN;
        let mut written: Vec<&str> = Vec::new();
        for (place, variable) in self.variables[occurrence as usize].iter().enumerate() {
            let column = place as u32;
            if narrow || is_key(column) || used.contains(&(occurrence, column)) {
                written.push(variable);
            }
        }
        if written.len() < of.columns.len() {
            written.push("...");
        }
        format!("{}({})", of.name, written.join(", "))
    }

    fn condition(&self, condition: &Condition) -> String {
        let occurrence = condition.occurrence();
        let words = Occurrences::new(self.terms, &self.steps);
        let variable = |column: u32| self.variables[occurrence as usize][column as usize].as_str();
        match condition {
            Condition::Some { column, is, .. } => {
                words.is(occurrence, *column, variable(*column), is)
            }
            Condition::Every { column, is, .. } => {
                let asked = words.is(occurrence, *column, variable(*column), is);
                format!("every({asked})")
            }
            Condition::Count { least, .. } => {
                format!("count({}) >= {least}", words.name(occurrence))
            }
            Condition::Aggregate {
                column,
                function,
                is,
                ..
            } => {
                let made = format!("{}({})", function.name(), variable(*column));
                words.is(occurrence, *column, &made, is)
            }
        }
    }
}

/// A name as a variable: `atom_id` is `AtomId`.
fn capital(name: &str) -> String {
    let mut variable = String::new();
    for word in name.split(|letter: char| !letter.is_alphanumeric()) {
        let mut letters = word.chars();
        if let Some(first) = letters.next() {
            variable.extend(first.to_uppercase());
            variable.push_str(letters.as_str());
        }
    }
    match variable.chars().next() {
        Some(first) if first.is_alphabetic() => variable,
        _ => format!("X{variable}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_variables() {
        assert_eq!(
            ["atom_id", "id", "2nd", "größe", "--"].map(capital),
            ["AtomId", "Id", "X2nd", "Größe", "X"]
        );
    }
}
