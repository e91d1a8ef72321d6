//! Columns whose values name rows of another table.
//!
//! Values that all occur in a key are no proof: 1 to 5 occur in any table numbered from 1. Either
//! the name says where the column refers to, or the values do what chance would not: hit only keys
//! where keys are rare, or, where keys are numbered through, reach over all of them.

mod chance;
pub(super) mod composite;

use super::names::STRONG;
use super::profile::{Inclusion, Kind, Profile};
use super::sentence;
use super::survey::{ColumnFacts, Survey};
use super::{ACCEPTED, KeyCandidate, LinkCandidate, SHOWN, either};
use chance::beyond_chance;

/// An undeclared reference may miss so many rows, if the name leaves no doubt.
const NEARLY_ALL: f64 = 0.999;
/// A name that leaves no doubt.
const NO_DOUBT: f64 = 0.9;
/// With fewer of the rows included, a name is not worth a mention.
const WORTH_SHOWING: f64 = 0.5;
/// A key that is not the primary one is referred to by name only.
const BY_NAME_ONLY: f64 = 0.85;

/// So many candidates of a column are worth showing.
const MOST: usize = 5;

/// A column that can be referred to.
struct Target {
    table: usize,
    column: usize,
    /// Whether it is the table's primary key, declared or accepted.
    primary: bool,
}

/// A column that may refer.
struct Source<'a> {
    table: usize,
    column: usize,
    facts: &'a ColumnFacts,
    profile: &'a Profile,
    /// Whether it is its own table's primary key.
    own_key: bool,
    /// Whether it is called like its own table's key.
    own_name: bool,
    /// The table it is called after, if its name is clear.
    called_after: Option<(usize, f64)>,
}

/// What speaks for a reference, before it is put into words.
struct Weighing<'a> {
    target: &'a Target,
    name: f64,
    /// Another table that the name speaks of.
    other: Option<usize>,
    inclusion: Inclusion,
    chance: f64,
    why: &'static str,
    score: f64,
    eligible: bool,
    keys: usize,
}

/// A candidate with what decides between several.
struct Weighed {
    link: LinkCandidate,
    eligible: bool,
    name: f64,
    primary: bool,
    keys: usize,
}

/// Single columns that perhaps refer to a single column.
pub(super) fn candidates(survey: &Survey<'_>, keys: &[KeyCandidate]) -> Vec<LinkCandidate> {
    let targets = targets(survey, keys);
    let mut found: Vec<Weighed> = Vec::new();
    for table in 0..survey.tables.len() {
        for column in 0..survey.tables[table].columns.len() {
            let Some(source) = source(survey, &targets, table, column) else {
                continue;
            };
            let mut weighed: Vec<Weighing<'_>> = targets
                .iter()
                .filter_map(|target| weigh(survey, &source, target))
                .filter(|weighing| weighing.score >= SHOWN)
                .collect();
            weighed.sort_by(|a, b| {
                let rank = |one: &Weighing<'_>| (!one.eligible, !one.target.primary);
                let size = b
                    .keys
                    .cmp(&a.keys)
                    .then(a.target.table.cmp(&b.target.table));
                rank(a)
                    .cmp(&rank(b))
                    .then(b.score.total_cmp(&a.score))
                    .then(size)
            });
            weighed.truncate(MOST);
            let told = weighed
                .iter()
                .map(|weighing| tell(survey, &source, weighing));
            let mut of_column: Vec<Weighed> = told.collect();
            choose(&mut of_column);
            found.extend(of_column);
        }
    }
    drop_copies(&mut found);
    drop_reversals(&mut found);
    found.into_iter().map(|candidate| candidate.link).collect()
}

/// A column that may refer to something; not so what names the rows of its own table, and what is
/// declared.
fn source<'a>(
    survey: &'a Survey<'_>,
    targets: &[Target],
    table: usize,
    column: usize,
) -> Option<Source<'a>> {
    let facts = &survey.tables[table].columns[column];
    let profile = facts.profile.as_ref()?;
    let declared = survey.database.foreign_keys().iter();
    let own_key = targets
        .iter()
        .any(|own| own.primary && (own.table, own.column) == (table, column));
    let own_name = facts.name.names_rows_of(&survey.tables[table].name) >= STRONG;
    if own_key && own_name
        || declared
            .into_iter()
            .any(|key| key.from == table && key.from_columns == [column])
    {
        return None;
    }
    let called_after = survey
        .called_after(&facts.name)
        .filter(|(_, called)| *called >= STRONG);
    Some(Source {
        table,
        column,
        facts,
        profile,
        own_key,
        own_name,
        called_after,
    })
}

fn targets(survey: &Survey<'_>, keys: &[KeyCandidate]) -> Vec<Target> {
    let mut targets = Vec::new();
    for (table, owner) in survey.database.tables().iter().enumerate() {
        if let Some(&[column]) = owner.key() {
            targets.push(Target {
                table,
                column,
                primary: true,
            });
        }
        for key in keys.iter().filter(|key| key.table == table) {
            let &[column] = key.columns.as_slice() else {
                continue;
            };
            if key.accepted || stands_for_its_table(survey, table, column) {
                targets.push(Target {
                    table,
                    column,
                    primary: key.accepted,
                });
            }
        }
    }
    targets
}

/// Whether a distinct column that is not the primary key may be referred to: it is text, or called
/// like a key, and not called after another table; for then it refers there, even if no two rows
/// refer to the same.
fn stands_for_its_table(survey: &Survey<'_>, table: usize, column: usize) -> bool {
    let facts = &survey.tables[table].columns[column];
    let text = facts
        .profile
        .as_ref()
        .is_some_and(|profile| matches!(profile.kind, Kind::Text { .. }));
    let called_after = survey.called_after(&facts.name);
    let foreign = called_after.is_some_and(|(other, called)| other != table && called >= STRONG);
    (text || facts.name.key_like()) && !foreign
}

/// Accepts the best of a column's candidates, unless nothing decides between the best two.
fn choose(of_column: &mut [Weighed]) {
    let [best, rest @ ..] = of_column else { return };
    if !best.eligible {
        return;
    }
    let undecided = rest.first().is_some_and(|next| {
        next.eligible && next.link.score == best.link.score && best.name < BY_NAME_ONLY
    });
    if undecided {
        best.link
            .evidence
            .push("but another table fits as well".to_owned());
    } else {
        best.link.accepted = true;
    }
}

/// A table that refers to the primary key of another does not refer to its other columns as well:
/// those are copies.
fn drop_copies(found: &mut [Weighed]) {
    let by_key: Vec<(usize, usize)> = found
        .iter()
        .filter(|candidate| candidate.link.accepted && candidate.primary)
        .map(|candidate| (candidate.link.from, candidate.link.to))
        .collect();
    for candidate in found.iter_mut().filter(|candidate| !candidate.primary) {
        if by_key.contains(&(candidate.link.from, candidate.link.to)) {
            candidate.link.accepted = false;
        }
    }
}

/// Of two columns that refer to one another, the one with fewer values refers to the other; else
/// the later table's.
fn drop_reversals(found: &mut [Weighed]) {
    let accepted: Vec<usize> = (0..found.len())
        .filter(|&one| found[one].link.accepted)
        .collect();
    for (position, &one) in accepted.iter().enumerate() {
        for &other in &accepted[position + 1..] {
            let (a, b) = (&found[one], &found[other]);
            let reversed = a.link.from == b.link.to
                && a.link.to == b.link.from
                && a.link.from_columns == b.link.to_columns
                && a.link.to_columns == b.link.from_columns;
            if a.link.accepted && b.link.accepted && reversed {
                let by_score = a.link.score.total_cmp(&b.link.score);
                let keep_first = by_score
                    .then(a.keys.cmp(&b.keys))
                    .then(b.link.to.cmp(&a.link.to));
                let dropped = if keep_first.is_ge() { other } else { one };
                found[dropped].link.accepted = false;
                found[dropped]
                    .link
                    .evidence
                    .push("but the reference the other way is better founded".to_owned());
            }
        }
    }
}

fn weigh<'a>(survey: &Survey<'_>, source: &Source<'_>, target: &'a Target) -> Option<Weighing<'a>> {
    let key = survey.tables[target.table].columns[target.column]
        .profile
        .as_ref()?;
    let same_table = source.table == target.table;
    if same_table && (source.own_key || source.column == target.column)
        || !source.profile.comparable(key)
    {
        return None;
    }
    let (name, other) = name_says(survey, source, target);
    let profile = source.profile;
    if (!target.primary || profile.kind == Kind::Time) && name < BY_NAME_ONLY {
        return None;
    }
    let inclusion = included(profile, key, name)?;
    let share = inclusion.rows as f64 / profile.present as f64;
    let complete = inclusion.rows == profile.present;
    let (mut chance, why) = if complete {
        beyond_chance(profile, key)
    } else {
        (0.0, "")
    };
    if source.own_key && !matches!(profile.kind, Kind::Text { .. }) {
        chance *= 0.2;
    }
    if source.facts.name.measured() {
        chance *= 0.3;
    }
    let mut score = either([0.97 * name, chance]) * share * share;
    if other.is_some() {
        score *= 0.3;
    }
    let eligible = score >= ACCEPTED && (complete || (share >= NEARLY_ALL && name >= NO_DOUBT));
    Some(Weighing {
        target,
        name,
        other,
        inclusion,
        chance,
        why,
        score,
        eligible,
        keys: key.distinct(),
    })
}

/// Puts into words what speaks for a reference.
fn tell(survey: &Survey<'_>, source: &Source<'_>, weighing: &Weighing<'_>) -> Weighed {
    let &Weighing { target, name, .. } = weighing;
    let mut evidence = inclusion_says(survey, source, target, weighing.inclusion);
    if let Some(other) = weighing.other {
        evidence.push(format!(
            "but the name speaks of `{}`",
            survey.database.table(other).name()
        ));
    } else if name >= STRONG {
        evidence.push("the name says so".to_owned());
    } else if name > 0.0 {
        evidence.push("it is called like a key".to_owned());
    }
    if weighing.chance >= ACCEPTED {
        evidence.push(weighing.why.to_owned());
    }
    Weighed {
        link: LinkCandidate {
            from: source.table,
            from_columns: vec![source.column],
            to: target.table,
            to_columns: vec![target.column],
            score: weighing.score,
            accepted: false,
            evidence,
        },
        eligible: weighing.eligible,
        name,
        primary: target.primary,
        keys: weighing.keys,
    }
}

/// How much the name speaks for the reference; or the other table that it speaks of.
fn name_says(survey: &Survey<'_>, source: &Source<'_>, target: &Target) -> (f64, Option<usize>) {
    let facts = &survey.tables[target.table];
    let name = &source.facts.name;
    let says = name.refers_to(&facts.name, &facts.columns[target.column].name);
    let same_table = source.table == target.table;
    match source.called_after {
        Some((other, called)) if other != target.table && called > says + 0.05 => {
            (0.0, Some(other))
        }
        _ if same_table && source.own_name => (0.0, None),
        _ if says < STRONG && name.surely_key_like() && !name.bare_key() => {
            let own_kind = same_table && name.own_kind();
            (if own_kind { 0.75 } else { 0.45 }, None)
        }
        _ if says < STRONG => (0.0, None),
        _ => (says, None),
    }
}

fn inclusion_says(
    survey: &Survey<'_>,
    source: &Source<'_>,
    target: &Target,
    inclusion: Inclusion,
) -> Vec<String> {
    let (from, to) = (
        survey.database.table(source.table),
        survey.database.table(target.table),
    );
    let key = sentence::qualified(to, &[target.column]);
    let mut evidence = vec![format!(
        "{} of {} rows of `{}` have their `{}` in {key}",
        sentence::count(inclusion.rows),
        sentence::count(source.profile.present),
        from.name(),
        from.attribute(source.column).name,
    )];
    if source.profile.missing > 0 {
        evidence.push(format!(
            "{} rows have none",
            sentence::count(source.profile.missing)
        ));
    }
    evidence.push(format!(
        "they cover {} of {} keys",
        sentence::count(inclusion.distinct),
        sentence::count(to.rows()),
    ));
    if !target.primary {
        evidence.push(format!("{key} is not the primary key"));
    }
    evidence
}

/// How far the values occur in the key; `None` when not far enough to speak of, found out as
/// cheaply as possible.
fn included(profile: &Profile, key: &Profile, name: f64) -> Option<Inclusion> {
    if name < STRONG {
        let outside = match (profile.kind, key.kind) {
            (
                Kind::Whole { least, greatest },
                Kind::Whole {
                    least: from,
                    greatest: to,
                },
            ) => least < from || greatest > to,
            _ => false,
        };
        if outside || profile.distinct() > key.distinct() {
            return None;
        }
    }
    let inclusion = profile.within(key);
    let share = inclusion.rows as f64 / profile.present as f64;
    let enough = if name < STRONG {
        inclusion.rows == profile.present
    } else {
        share >= WORTH_SHOWING
    };
    enough.then_some(inclusion)
}
