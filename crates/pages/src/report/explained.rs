//! Why a row is predicted as it is: the tests on its way, the rows near it, the terms that add up.

use kinwood_learners::explanation::{Explanation, Influence, Reason, Step, TargetExplanation};
use kinwood_similarity::Measured;

use super::markup::{Cell, beginning, details, escape, percent, short, table, verbatim};

/// How many tests, terms or nodes are told of a target.
const TOLD: usize = 60;
/// How much of a value is told.
const VALUE: usize = 160;

/// An explanation as markup.
pub(super) fn explanation(explanation: &Explanation) -> String {
    let several = explanation.targets.len() > 1;
    let of = |target: &TargetExplanation| {
        let mut markup = match several {
            true => format!("<h4>{}</h4>\n", escape(&target.name)),
            false => String::new(),
        };
        markup += &path(target);
        markup += &nodes(target);
        markup += &terms(target);
        if target.path().is_empty() && target.terms().is_empty() {
            markup += &influences(explanation, target);
        }
        markup
    };
    explanation.targets.iter().map(of).collect()
}

fn path(target: &TargetExplanation) -> String {
    if target.path().is_empty() {
        return String::new();
    }
    let trees = target.path().iter().any(|step| step.tree != 1);
    let rows: Vec<Vec<Cell>> = target
        .path()
        .iter()
        .take(TOLD)
        .map(|step| {
            let of = match trees {
                true => format!("tree {}: ", step.tree),
                false => String::new(),
            };
            vec![
                Cell::Name(format!("{of}{}", step.test)),
                Cell::text(beginning(&step.value, VALUE)),
                Cell::text(outcome(step)),
                Cell::number(percent(step.share)),
            ]
        })
        .collect();
    let mut markup = table(
        "The tests on its way",
        &["test", "value", "outcome", "share"],
        &rows,
    );
    markup += &left_out(target.path().len(), "tests");
    for step in target.path().iter().take(TOLD) {
        if let Some(why) = step.near.as_ref().and_then(|near| near.why.as_ref()) {
            let text = verbatim(&why.to_string());
            markup += &details(
                &format!("{}: how the distances come about", step.test),
                &text,
            );
        }
    }
    markup
}

fn outcome(step: &Step) -> String {
    let Some(near) = &step.near else {
        return match step.holds {
            Some(true) => "yes".to_owned(),
            Some(false) => "no".to_owned(),
            None => "unknown: it goes all ways".to_owned(),
        };
    };
    let said = |place: usize, (prototype, distance): &(String, f64)| {
        let mark = if place == near.branch { "→ " } else { "" };
        format!("{mark}{} at {}", beginning(prototype, 60), short(*distance))
    };
    let all = near.prototypes.iter().enumerate();
    all.map(|(place, prototype)| said(place, prototype))
        .collect::<Vec<_>>()
        .join("; ")
}

fn left_out(count: usize, what: &str) -> String {
    match count > TOLD {
        true => format!(
            "<p class=\"soft-text\">and {} more {what}</p>\n",
            count - TOLD
        ),
        false => String::new(),
    }
}

fn nodes(target: &TargetExplanation) -> String {
    if target.nodes().is_empty() {
        return String::new();
    }
    let rows: Vec<Vec<Cell>> = target
        .nodes()
        .iter()
        .take(TOLD)
        .map(|node| {
            vec![
                Cell::Name(format!("tree {}, node {}", node.tree, node.node)),
                Cell::number(short(node.says)),
                Cell::number(short(node.counts)),
            ]
        })
        .collect();
    table(
        "The nodes that answer together",
        &["node", "says", "counts"],
        &rows,
    ) + &left_out(target.nodes().len(), "nodes")
}

fn terms(target: &TargetExplanation) -> String {
    if target.terms().is_empty() {
        return String::new();
    }
    let behind = target.terms().iter().any(|term| term.behind.is_some());
    let rows: Vec<Vec<Cell>> = target
        .terms()
        .iter()
        .take(TOLD)
        .map(|term| {
            let mut row = vec![
                Cell::Name(term.name.clone()),
                Cell::number(short(term.value)),
                Cell::number(short(term.coefficient)),
                Cell::number(short(term.contribution)),
            ];
            if behind {
                row.push(Cell::text(term.behind.clone().unwrap_or_default()));
            }
            row
        })
        .collect();
    let mut headers = vec!["term", "value", "coefficient", "contribution"];
    if behind {
        headers.push("of");
    }
    table("The terms that add up to it", &headers, &rows) + &left_out(target.terms().len(), "terms")
}

fn influences(explanation: &Explanation, target: &TargetExplanation) -> String {
    let asked = explanation
        .values
        .iter()
        .map(|value| Cell::text(beginning(value, VALUE)));
    let first: Vec<Cell> = [
        Cell::Name("the row itself".to_owned()),
        Cell::number(""),
        Cell::text(""),
        Cell::text(""),
    ]
    .into_iter()
    .chain(asked)
    .collect();
    let others = target.influences().iter().map(|influence| {
        let own = [
            Cell::Name(format!("stored row {}", influence.row)),
            Cell::number(percent(influence.share)),
            Cell::text(&influence.answer),
            Cell::text(reason(influence)),
        ];
        own.into_iter()
            .chain(
                influence
                    .values
                    .iter()
                    .map(|value| Cell::text(beginning(value, VALUE))),
            )
            .collect()
    });
    let rows: Vec<Vec<Cell>> = std::iter::once(first).chain(others).collect();
    let mut headers = vec!["row", "share", target.name.as_str(), "why"];
    headers.extend(explanation.attributes.iter().map(String::as_str));
    let rest = match target.others.rows {
        0 => String::new(),
        rows => format!(
            "<p class=\"soft-text\">{rows} other rows have {} of the say.</p>\n",
            percent(target.others.share)
        ),
    };
    table("The stored rows that count most", &headers, &rows) + &rest
}

fn reason(influence: &Influence) -> String {
    match &influence.reason {
        Reason::Bits { bits, .. } => format!("{} bits away", short(*bits)),
        Reason::Near {
            distance,
            weight,
            role,
        } => {
            let distance = match distance {
                Measured::Number(number) => short(*number),
                pair => pair.to_string(),
            };
            let role = role.map_or_else(String::new, |role| format!(", as {role}"));
            format!("at {distance}, weight {}{role}", short(*weight))
        }
    }
}
