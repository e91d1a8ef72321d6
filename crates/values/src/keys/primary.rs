//! Single columns that identify the rows of their table.
//!
//! That all values differ counts as much as it is surprising: `n` numbers drawn from a range of `r`
//! all differ with probability about `exp(-n² / 2r)` (the birthday problem), so 77 distinct numbers
//! between 1 and 77 are a key, and 77 distinct populations between 40,000 and 1,200,000 are not.

pub(super) mod composite;

use super::names::STRONG;
use super::profile::{Kind, Profile};
use super::sentence;
use super::survey::Survey;
use super::{ACCEPTED, KeyCandidate, SHOWN, either};
use crate::role::Role;

/// So many candidates of a table are worth showing.
const MOST: usize = 8;
/// Identifiers come first by custom.
const FIRST: f64 = 0.35;
/// A surprise of so many nats leaves no doubt.
const NO_DOUBT: f64 = 10.0;
/// Below this many rows distinct labels prove nothing.
const FEWEST_LABELS: usize = 10;

/// Columns that perhaps identify the rows of a table that declares no key, best first; one is
/// accepted at most.
pub(super) fn candidates(survey: &Survey<'_>, table: usize) -> Vec<KeyCandidate> {
    let owner = survey.database.table(table);
    if owner.key().is_some() {
        return Vec::new();
    }
    let mut found: Vec<KeyCandidate> = (0..owner.attributes().len())
        .filter_map(|column| weigh(survey, table, column))
        .filter(|candidate| candidate.score >= SHOWN)
        .collect();
    found.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then_with(|| a.columns.cmp(&b.columns))
    });
    found.truncate(MOST);
    if let Some(best) = found.first_mut() {
        best.accepted = best.score >= ACCEPTED;
    }
    found
}

fn weigh(survey: &Survey<'_>, table: usize, column: usize) -> Option<KeyCandidate> {
    let owner = survey.database.table(table);
    let facts = &survey.tables[table].columns[column];
    let profile = facts
        .profile
        .as_ref()
        .filter(|profile| profile.identifies())?;
    let rows = sentence::count(owner.rows());
    let mut evidence = vec![format!("its {rows} values are all distinct")];
    let by_name = name_says(survey, table, column, &mut evidence);
    let first = if column == 0 { FIRST } else { 0.0 };
    if column == 0 {
        evidence.push("it is the first column".to_owned());
    }
    let stated = if owner.attribute(column).role == Role::Id {
        0.5
    } else {
        0.0
    };
    let (surprise, reason) = surprise(profile);
    evidence.extend(reason);
    let mut score = either([by_name, first, stated, surprise]);
    if facts.name.measured() {
        score *= 0.3;
        evidence.push("but its name speaks of a measurement".to_owned());
    }
    if profile.kind == Kind::Time {
        score *= 0.6;
    }
    Some(KeyCandidate {
        table,
        columns: vec![column],
        score,
        accepted: false,
        evidence,
    })
}

fn name_says(survey: &Survey<'_>, table: usize, column: usize, evidence: &mut Vec<String>) -> f64 {
    let name = &survey.tables[table].columns[column].name;
    let own = name.names_rows_of(&survey.tables[table].name);
    let other = survey
        .called_after(name)
        .filter(|(other, called)| *other != table && *called > own);
    if let Some((other, called)) = other
        && called >= STRONG
    {
        let other = survey.database.table(other).name();
        evidence.push(format!("but it is called after `{other}`"));
        return 0.1;
    }
    if own > 0.0 {
        evidence.push("the name says so".to_owned());
        return own;
    }
    if name.key_like() {
        evidence.push("it is called like a key".to_owned());
        return 0.5;
    }
    0.0
}

/// How surprising it is that all values differ, and why.
fn surprise(profile: &Profile) -> (f64, Option<String>) {
    let rows = profile.present as f64;
    match profile.kind {
        Kind::Whole { least, greatest } => {
            let range = greatest - least + 1.0;
            let nats = rows * (rows - 1.0) / (2.0 * range);
            let sure = 0.7 * (nats / NO_DOUBT).min(1.0);
            let reason = (nats >= 1.0).then(|| {
                format!(
                    "chance would repeat some of so many numbers between {least} and {greatest}"
                )
            });
            (sure, reason)
        }
        Kind::Text { .. } if profile.present >= FEWEST_LABELS => (0.6, None),
        Kind::Text { .. } | Kind::Time => (0.2, None),
    }
}
