//! Several columns that refer to a key of several columns.

use super::WORTH_SHOWING;
use crate::keys::sentence;
use crate::keys::survey::Survey;
use crate::keys::{KeyCandidate, LinkCandidate};
use crate::link::Link;

/// Several columns that perhaps refer to a key of several columns: their names say so, and all
/// their values occur.
pub(in crate::keys) fn candidates(
    survey: &Survey<'_>,
    keys: &[KeyCandidate],
) -> Vec<LinkCandidate> {
    let mut found: Vec<LinkCandidate> = Vec::new();
    for (to, owner) in survey.database.tables().iter().enumerate() {
        let accepted = keys.iter().find(|key| key.table == to && key.accepted);
        let key = owner.key().or(accepted.map(|key| key.columns.as_slice()));
        let Some(key) = key.filter(|key| key.len() > 1) else {
            continue;
        };
        for from in (0..survey.tables.len()).filter(|from| *from != to) {
            let Some(columns) = like_named(survey, from, to, key) else {
                continue;
            };
            let declared = survey
                .database
                .foreign_keys()
                .iter()
                .any(|declared| declared.from == from && declared.from_columns == columns);
            let reversed = found.iter().any(|link| {
                link.accepted && link.from == to && link.to == from && link.to_columns == columns
            });
            if declared || reversed {
                continue;
            }
            found.extend(weigh_composite(survey, (from, columns), (to, key)));
        }
    }
    found
}

/// The columns named like the parts of a key, one each.
fn like_named(survey: &Survey<'_>, from: usize, to: usize, key: &[usize]) -> Option<Vec<usize>> {
    let mut columns: Vec<usize> = Vec::with_capacity(key.len());
    for &part in key {
        let wanted = &survey.tables[to].columns[part].name;
        let column =
            survey.tables[from]
                .columns
                .iter()
                .enumerate()
                .position(|(column, facts)| {
                    facts.profile.is_some()
                        && !columns.contains(&column)
                        && facts.name.ends_like(wanted)
                })?;
        columns.push(column);
    }
    Some(columns)
}

fn weigh_composite(
    survey: &Survey<'_>,
    (from, from_columns): (usize, Vec<usize>),
    (to, key): (usize, &[usize]),
) -> Option<LinkCandidate> {
    let (source, target) = (survey.database.table(from), survey.database.table(to));
    let link = Link::connect(source, &from_columns, target, key).ok()?;
    let has_all = |row: &usize| {
        from_columns
            .iter()
            .all(|&column| source.attribute(column).column.is_present(*row))
    };
    let complete = (0..source.rows()).filter(has_all).count();
    let dangling = link.dangling().map_or(0, |dangling| dangling.rows);
    let share = (complete - dangling) as f64 / complete as f64;
    if complete == 0 || share < WORTH_SHOWING {
        return None;
    }
    Some(LinkCandidate {
        score: 0.92 * share * share,
        accepted: dangling == 0,
        evidence: vec![
            format!(
                "{} of {} rows of `{}` have their {} in {}",
                sentence::count(complete - dangling),
                sentence::count(complete),
                source.name(),
                sentence::columns(source, &from_columns),
                sentence::qualified(target, key),
            ),
            "the names say so".to_owned(),
        ],
        from,
        from_columns,
        to,
        to_columns: key.to_vec(),
    })
}
