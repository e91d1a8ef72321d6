//! Why a row is predicted as it is: the tests on its way, the rows near it, the terms that add up.

use kinwood_learners::explanation::{Explanation, Influence, Reason, Step, TargetExplanation};
use kinwood_similarity::Measured;
use maud::{Markup, html};

use super::markup::{Cell, beginning, details, percent, short, table, verbatim};

/// How many tests, terms or nodes are told of a target.
const TOLD: usize = 60;
/// How much of a value is told.
const VALUE: usize = 160;

/// An explanation as markup.
pub(super) fn explanation(explanation: &Explanation) -> Markup {
    let several = explanation.targets.len() > 1;
    html! {
        @for target in &explanation.targets {
            @if several { h4 { (target.name) } "\n" }
            (path(target)) (nodes(target)) (terms(target))
            @if target.path().is_empty() && target.terms().is_empty() {
                (influences(explanation, target))
            }
        }
    }
}

fn path(target: &TargetExplanation) -> Markup {
    if target.path().is_empty() {
        return Markup::default();
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
    let tests = table(
        "The tests on its way",
        &["test", "value", "outcome", "share"],
        &rows,
    );
    let why = target.path().iter().take(TOLD).filter_map(|step| {
        let why = step.near.as_ref()?.why.as_ref()?;
        Some((
            format!("{}: how the distances come about", step.test),
            why.to_string(),
        ))
    });
    html! {
        (tests)
        (left_out(target.path().len(), "tests"))
        @for (summary, why) in why { (details(&summary, verbatim(&why))) }
    }
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

fn left_out(count: usize, what: &str) -> Markup {
    html! {
        @if count > TOLD {
            p class="soft-text" { "and " (count - TOLD) " more " (what) } "\n"
        }
    }
}

fn nodes(target: &TargetExplanation) -> Markup {
    if target.nodes().is_empty() {
        return Markup::default();
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
    let nodes = table(
        "The nodes that answer together",
        &["node", "says", "counts"],
        &rows,
    );
    html! { (nodes) (left_out(target.nodes().len(), "nodes")) }
}

fn terms(target: &TargetExplanation) -> Markup {
    if target.terms().is_empty() {
        return Markup::default();
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
    html! {
        (table("The terms that add up to it", &headers, &rows))
        (left_out(target.terms().len(), "terms"))
    }
}

fn influences(explanation: &Explanation, target: &TargetExplanation) -> Markup {
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
    let others = &target.others;
    html! {
        (table("The stored rows that count most", &headers, &rows))
        @if others.rows > 0 {
            p class="soft-text" {
                (others.rows) " other rows have " (percent(others.share)) " of the say."
            } "\n"
        }
    }
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
