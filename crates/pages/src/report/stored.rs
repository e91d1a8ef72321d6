//! What a model without trees goes by: the stored rows that count most over many predictions, or
//! its support objects.

use std::collections::BTreeMap;

use kinwood_learners::Explanation;

use super::markup::{TableShown, beginning, percent, short};

/// How many rows or objects are told, of each target or decision.
const TOLD: usize = 20;
const VALUE: usize = 60;

/// In how many predictions a stored row counts, its share of the say in all of them, its answer and
/// its values.
type Used<'a> = (usize, f64, &'a str, &'a [String]);
/// Objects by name, each with its weight and in how many predictions it counts.
type Objects<'a> = BTreeMap<&'a str, (f64, usize)>;

/// The stored rows that count most over explanations of several rows.
pub(super) fn most_used(explanations: &[Explanation]) -> Option<TableShown> {
    let mut used: BTreeMap<(usize, usize), Used<'_>> = BTreeMap::new();
    for explanation in explanations {
        for (place, target) in explanation.targets.iter().enumerate() {
            for influence in target.influences() {
                let entry = used.entry((place, influence.row)).or_insert((
                    0,
                    0.0,
                    &influence.answer,
                    &influence.values,
                ));
                entry.0 += 1;
                entry.1 += influence.share;
            }
        }
    }
    let first = explanations.first().filter(|_| !used.is_empty())?;
    let several = first.targets.len() > 1;
    let mut sorted: Vec<_> = used.into_iter().collect();
    sorted.sort_by(|(a, one), (b, other)| {
        a.0.cmp(&b.0)
            .then(other.1.total_cmp(&one.1))
            .then(a.1.cmp(&b.1))
    });
    let mut rows = Vec::new();
    for target in 0..first.targets.len() {
        let own = sorted
            .iter()
            .filter(|((of, _), _)| *of == target)
            .take(TOLD);
        rows.extend(own.map(|((_, row), (times, share, answer, values))| {
            let name = match several {
                true => format!("{}: row {row}", first.targets[target].name),
                false => format!("row {row}"),
            };
            let share = percent(share / explanations.len() as f64);
            let values = values.iter().map(|value| beginning(value, VALUE));
            [name, (*answer).to_owned(), times.to_string(), share]
                .into_iter()
                .chain(values)
                .collect::<Vec<String>>()
        }));
    }
    let headers = ["stored row", "answer", "predictions", "share of the say"].map(str::to_owned);
    Some(TableShown {
        title: "Stored rows used most".to_owned(),
        caption: format!(
            "Of the rows that the model keeps, those that count most in the predictions of {} rows: in how many they are among the first, and how much of the say they have on average.",
            explanations.len()
        ),
        headers: headers
            .into_iter()
            .chain(first.attributes.iter().cloned())
            .collect(),
        rows,
    })
}

/// The support objects with their weights that count most over explanations of several rows,
/// decision by decision.
pub(super) fn support(explanations: &[Explanation]) -> Option<TableShown> {
    let mut decisions: Vec<(&str, Objects<'_>)> = Vec::new();
    for target in explanations
        .iter()
        .flat_map(|explanation| &explanation.targets)
    {
        let first = target.path().first();
        let said = first.map_or(target.name.as_str(), |step| step.test.as_str());
        let place = decisions.iter().position(|(known, _)| *known == said);
        let place = place.unwrap_or_else(|| {
            decisions.push((said, BTreeMap::new()));
            decisions.len() - 1
        });
        for term in target.terms().iter().filter(|term| object(&term.name)) {
            let entry = decisions[place].1.entry(&term.name);
            entry.or_insert((term.coefficient, 0)).1 += 1;
        }
    }
    let mut rows = Vec::new();
    for (said, objects) in decisions {
        let mut sorted: Vec<(&str, (f64, usize))> = objects.into_iter().collect();
        sorted.sort_by(|a, b| b.1.1.cmp(&a.1.1).then(b.1.0.abs().total_cmp(&a.1.0.abs())));
        let own = sorted.into_iter().take(TOLD);
        rows.extend(own.map(|(object, (weight, times))| {
            vec![
                said.to_owned(),
                object.to_owned(),
                short(weight),
                times.to_string(),
            ]
        }));
    }
    (!rows.is_empty()).then(|| TableShown {
        title: "Support objects".to_owned(),
        caption: format!(
            "The training objects that decisions are sums over, with their weights: of each decision the {TOLD} that are most often among those that contribute most, in the predictions of {} rows.",
            explanations.len()
        ),
        headers: ["decision", "object", "weight", "predictions"].map(str::to_owned).to_vec(),
        rows,
    })
}

/// Whether a term is an object, rather than the number that a sum starts from or what all others
/// add.
fn object(term: &str) -> bool {
    let mut words = term.split(' ');
    let count = words
        .next()
        .is_some_and(|word| word.parse::<usize>().is_ok());
    term != "constant" && !(count && words.next().is_some_and(|word| word.starts_with("other")))
}
