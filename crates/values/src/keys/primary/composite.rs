//! Pairs and triples of columns that identify the rows of a table no column of which does.
//!
//! A table that connects others is identified by what it refers to (the two atoms of a bond); parts
//! of something are identified by what they are parts of and a number that counts them (the
//! position in a ring). Columns that happen to be distinct together are neither: each column has to
//! have a reason to be there.

use hashbrown::{HashMap, HashSet};

use crate::column::{Cells, Column};
use crate::keys::names::STRONG;
use crate::keys::profile::Kind;
use crate::keys::sentence;
use crate::keys::survey::Survey;
use crate::keys::{ACCEPTED, KeyCandidate, LinkCandidate, SHOWN};
use crate::link::check_distinct;

/// Columns of a table that are tried, those with the best reasons: their triples are 220.
const POOL: usize = 12;
/// So many candidates of a table are worth showing.
const MOST: usize = 4;

/// Why a column has its place in a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    /// It numbers the rows within what the other columns name.
    NumbersWithin,
    /// It refers to a row of a table.
    Refers,
    /// Its name is a key's.
    CalledLikeAKey,
    /// Its name is a position's or a time's.
    CalledLikeANumber,
    /// There is no reason but that it helps to tell rows apart.
    TellsApart,
}

impl Reason {
    fn weight(self) -> f64 {
        match self {
            Reason::NumbersWithin => 0.95,
            Reason::Refers => 0.9,
            Reason::CalledLikeAKey => 0.65,
            Reason::CalledLikeANumber => 0.55,
            Reason::TellsApart => 0.1,
        }
    }

    /// Whether it speaks of rows of something else, which a key needs at least once.
    fn names_something(self) -> bool {
        matches!(self, Reason::Refers | Reason::CalledLikeAKey)
    }
}

/// A column that may be part of a key.
struct Part {
    column: usize,
    reason: Reason,
    distinct: usize,
    codes: Vec<u32>,
}

/// Pairs, else triples, that perhaps identify the rows of tables without an accepted key.
pub(in crate::keys) fn candidates(
    survey: &Survey<'_>,
    single: &[KeyCandidate],
    links: &[LinkCandidate],
) -> Vec<KeyCandidate> {
    let mut found = Vec::new();
    for (table, owner) in survey.database.tables().iter().enumerate() {
        let has_key = single.iter().any(|key| key.table == table && key.accepted);
        if owner.key().is_none() && !has_key && owner.rows() > 1 {
            found.extend(of_table(survey, table, links));
        }
    }
    found
}

fn of_table(survey: &Survey<'_>, table: usize, links: &[LinkCandidate]) -> Vec<KeyCandidate> {
    let parts = parts(survey, table, links);
    let mut found: Vec<KeyCandidate> = Vec::new();
    let mut unique: Vec<Vec<usize>> = Vec::new();
    for width in [2, 3] {
        for chosen in choices(parts.len(), width) {
            let contains = |smaller: &Vec<usize>| smaller.iter().all(|part| chosen.contains(part));
            if unique.iter().any(contains) {
                continue;
            }
            let chosen_parts: Vec<&Part> = chosen.iter().map(|&part| &parts[part]).collect();
            if !distinct_together(&chosen_parts, survey.database.table(table).rows()) {
                continue;
            }
            found.push(weigh(survey, table, &chosen_parts));
            unique.push(chosen);
        }
        if found.iter().any(|candidate| candidate.score >= ACCEPTED) {
            break;
        }
    }
    found.retain(|candidate| candidate.score >= SHOWN);
    found.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then_with(|| a.columns.cmp(&b.columns))
    });
    found.truncate(MOST);
    let owner = survey.database.table(table);
    // Values that a key calls equal may have two labels (`0` and `-0`).
    found.retain(|candidate| check_distinct(owner, &candidate.columns).is_ok());
    if let Some(best) = found.first_mut() {
        best.accepted = best.score >= ACCEPTED;
    }
    found
}

fn parts(survey: &Survey<'_>, table: usize, links: &[LinkCandidate]) -> Vec<Part> {
    let owner = survey.database.table(table);
    let declared = |column: usize| {
        let refers = |key: &crate::ForeignKey| key.from == table && key.from_columns == [column];
        survey.database.foreign_keys().iter().any(refers)
    };
    let inferred = |column: usize| {
        let refers = |link: &LinkCandidate| {
            link.accepted && link.from == table && link.from_columns == [column]
        };
        links.iter().any(refers)
    };
    let mut pool: Vec<(usize, Reason, usize)> = Vec::new();
    for (column, facts) in survey.tables[table].columns.iter().enumerate() {
        let Some(profile) = &facts.profile else {
            continue;
        };
        if profile.missing > 0 || profile.distinct() < 2 || profile.identifies() {
            continue;
        }
        let called = survey
            .called_after(&facts.name)
            .is_some_and(|(_, called)| called >= STRONG);
        let reason = if declared(column) || inferred(column) {
            Reason::Refers
        } else if facts.name.surely_key_like() || called {
            Reason::CalledLikeAKey
        } else if facts.name.counts_rows() || profile.kind == Kind::Time {
            Reason::CalledLikeANumber
        } else {
            Reason::TellsApart
        };
        pool.push((column, reason, profile.distinct()));
    }
    // Between columns with the same reason, more distinct values tell more rows apart.
    pool.sort_by(|a, b| {
        b.1.weight()
            .total_cmp(&a.1.weight())
            .then(b.2.cmp(&a.2))
            .then(a.0.cmp(&b.0))
    });
    pool.truncate(POOL);
    pool.sort_by_key(|(column, ..)| *column);
    pool.into_iter()
        .map(|(column, reason, distinct)| Part {
            column,
            reason,
            distinct,
            codes: row_codes(&owner.attribute(column).column),
        })
        .collect()
}

/// A code a row, different where values differ; the column has no missing values.
fn row_codes(column: &Column) -> Vec<u32> {
    fn coded<T: std::hash::Hash + Eq>(values: impl Iterator<Item = T>) -> Vec<u32> {
        let mut known: HashMap<T, u32> = HashMap::new();
        values
            .map(|value| {
                let next = known.len() as u32;
                *known.entry(value).or_insert(next)
            })
            .collect()
    }
    match column.cells() {
        Cells::Nominal { codes, .. } => codes.clone(),
        Cells::Numeric(numbers) => coded(numbers.iter().map(|number| (number + 0.0).to_bits())),
        Cells::DateTime(times) => coded(times.iter()),
        Cells::String(texts) => coded((0..texts.len()).map(|row| texts.get(row))),
        _ => Vec::new(),
    }
}

/// All choices of `width` out of `count`, in order.
fn choices(count: usize, width: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..width {
        all = all
            .into_iter()
            .flat_map(|chosen| {
                let from = chosen.last().map_or(0, |last| last + 1);
                (from..count).map(move |next| {
                    let mut longer = chosen.clone();
                    longer.push(next);
                    longer
                })
            })
            .collect();
    }
    all
}

/// The codes of a row's parts as one number.
fn joined(parts: &[&Part], row: usize) -> u128 {
    parts
        .iter()
        .fold(0, |joined, part| joined << 32 | u128::from(part.codes[row]))
}

fn distinct_together(parts: &[&Part], rows: usize) -> bool {
    let possible = parts
        .iter()
        .map(|part| part.distinct as f64)
        .product::<f64>();
    if possible < rows as f64 {
        return false;
    }
    let mut seen: HashSet<u128> = HashSet::new();
    (0..rows).all(|row| seen.insert(joined(parts, row)))
}

fn weigh(survey: &Survey<'_>, table: usize, parts: &[&Part]) -> KeyCandidate {
    let owner = survey.database.table(table);
    let columns: Vec<usize> = parts.iter().map(|part| part.column).collect();
    let named = |part: &Part| format!("`{}`", owner.attribute(part.column).name);
    let rows = sentence::count(owner.rows());
    let together = if parts.len() == 2 { "pairs" } else { "triples" };
    let mut evidence = vec![format!("the {rows} {together} of values are all distinct")];
    let mut reasons: Vec<Reason> = parts.iter().map(|part| part.reason).collect();
    for part in parts {
        evidence.extend(match part.reason {
            Reason::Refers => Some(format!("{} refers to a row", named(part))),
            Reason::CalledLikeAKey => Some(format!("{} is called like a key", named(part))),
            Reason::CalledLikeANumber => {
                Some(format!("{} is called like a position or time", named(part)))
            }
            Reason::NumbersWithin | Reason::TellsApart => None,
        });
    }
    for (position, part) in parts.iter().enumerate().rev() {
        let others: Vec<&Part> = parts
            .iter()
            .filter(|other| other.column != part.column)
            .copied()
            .collect();
        if !others.iter().any(|other| other.reason.names_something())
            || part.reason.names_something()
        {
            continue;
        }
        let Some(numbers) = owner.attribute(part.column).column.numbers() else {
            continue;
        };
        if numbers_within(numbers, &others) {
            evidence.push(format!("{} numbers the rows within the rest", named(part)));
            // What the counting restarts with has to be in the key, whatever it is called.
            for reason in reasons
                .iter_mut()
                .filter(|reason| **reason == Reason::TellsApart)
            {
                *reason = Reason::CalledLikeANumber;
            }
            reasons[position] = Reason::NumbersWithin;
            break;
        }
    }
    let mean = reasons.iter().map(|reason| reason.weight()).sum::<f64>() / reasons.len() as f64;
    let meant = reasons.iter().any(|reason| reason.names_something())
        && !reasons.contains(&Reason::TellsApart);
    // Parts that are all meant speak for one another; 1.2 puts a reference with a position beyond
    // doubt.
    let score = if meant {
        (1.2 * mean).min(0.98)
    } else {
        0.6 * mean
    };
    KeyCandidate {
        table,
        columns,
        score,
        accepted: false,
        evidence,
    }
}

/// Whether the numbers run from 0 or from 1 without gaps in every group of rows that agree in the
/// other parts.
fn numbers_within(numbers: &[f64], others: &[&Part]) -> bool {
    let mut groups: HashMap<u128, (f64, f64, f64)> = HashMap::new();
    for (row, &number) in numbers.iter().enumerate() {
        let group = groups
            .entry(joined(others, row))
            .or_insert((number, number, 0.0));
        *group = (group.0.min(number), group.1.max(number), group.2 + 1.0);
    }
    let several = groups.len() > 1 && groups.len() < numbers.len();
    let runs_from = |start: f64| {
        groups
            .values()
            .all(|&(least, greatest, rows)| least == start && greatest - least + 1.0 == rows)
    };
    several && (runs_from(1.0) || runs_from(0.0))
}
