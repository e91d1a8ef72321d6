//! What a model without trees goes by: the stored rows that count most over many predictions, or its support objects.

use std::collections::BTreeMap;

use kinwood_learners::Explanation;

use super::markup::{TableShown, beginning, percent, short};

/// How many rows or objects are told, of each target or decision.
const TOLD: usize = 20;
const VALUE: usize = 60;

/// The stored rows that count most over explanations of several rows.
pub(super) fn most_used(explanations: &[Explanation]) -> Option<TableShown> {
    let mut used: BTreeMap<(usize, usize), (usize, f64, &str, &[String])> = BTreeMap::new();
    for explanation in explanations {
        for (place, target) in explanation.targets.iter().enumerate() {
            for influence in &target.influences {
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

/// The support objects with their weights, of each decision that was explained; explanations must be complete.
pub(super) fn support(explanations: &[Explanation]) -> Option<TableShown> {
    let mut decisions: Vec<(String, Vec<(&str, f64)>)> = Vec::new();
    for explanation in explanations {
        for target in &explanation.targets {
            let said = target
                .path
                .first()
                .map_or(target.name.as_str(), |step| step.test.as_str());
            if decisions.iter().any(|(known, _)| known == said) {
                continue;
            }
            let terms = target.terms.iter().filter(|term| term.name != "constant");
            let mut objects: Vec<(&str, f64)> = terms
                .map(|term| (term.name.as_str(), term.coefficient))
                .collect();
            objects.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(b.0)));
            if !objects.is_empty() {
                decisions.push((said.to_owned(), objects));
            }
        }
    }
    if decisions.is_empty() {
        return None;
    }
    let counts: Vec<String> = decisions
        .iter()
        .map(|(said, objects)| format!("{said} {}", objects.len()))
        .collect();
    let rows = decisions.iter().flat_map(|(said, objects)| {
        objects
            .iter()
            .take(TOLD)
            .map(move |(object, weight)| vec![said.clone(), (*object).to_owned(), short(*weight)])
    });
    Some(TableShown {
        title: "Support objects".to_owned(),
        caption: format!(
            "The training objects that decisions are sums over, with their weights, the heaviest {TOLD} of each decision. How many there are: {}.",
            counts.join(", ")
        ),
        headers: ["decision", "object", "weight"].map(str::to_owned).to_vec(),
        rows: rows.collect(),
    })
}
