//! The model as SQL: a `CASE` for each tree, their sum, and what makes predictions of scores.
//!
//! A sum is written as a tree of parentheses, since databases take expressions only so deep. What
//! is added in another order differs from the model's predictions in the last digits.

use kinwood_learning::error::Result;
use kinwood_learning::sql::{
    Asked, Expression, Gap, double, identifier, moment, number, numeric, text, textual,
};
use kinwood_learning::target::CLASSES;
use kinwood_values::Dictionary;

use super::{BoostedModel, BoostedTarget};
use crate::features::{Features, InputKind};
use crate::loss::{Loss, MOST};
use crate::tree::{KNOWN, Tree};

/// The most tests below each other.
const DEEPEST: usize = 200;

/// The expressions of what is predicted of the targets, in their order.
pub(super) fn expressions(model: &BoostedModel, asked: Asked) -> Result<Vec<Expression>> {
    let several = model.targets.len() > 1;
    let mut expressions = Vec::new();
    for target in &model.targets {
        let name = match several {
            true => format!("prediction({})", target.name),
            false => "prediction".to_owned(),
        };
        let classes = target.kind.as_classes();
        if classes.is_none() && !target.kind.is_number() {
            return Err(Gap::Target {
                target: target.name.clone(),
                kind: target.kind.entry().one,
            }
            .into());
        }
        let scores: Vec<String> = (0..target.outputs())
            .map(|output| score(&model.features, target, output))
            .collect::<Result<_>>()?;
        let Some(classes) = classes else {
            let sql = match target.loss.is_log() {
                true => exponential(&scores[0]),
                false => scores[0].clone(),
            };
            expressions.push(Expression { name, sql });
            continue;
        };
        let sql = class(classes, &scores, target.loss)?;
        expressions.push(Expression { name, sql });
        if asked != Asked::Shares {
            continue;
        }
        for (place, label) in classes.labels().enumerate() {
            let name = match several {
                true => format!("p({}={label})", target.name),
                false => format!("p({label})"),
            };
            let sql = probability(place, &scores, target);
            expressions.push(Expression { name, sql });
        }
    }
    Ok(expressions)
}

fn exponential(score: &str) -> String {
    let (most, least) = (double(MOST), double(-MOST));
    format!(
        "(SELECT EXP(CASE WHEN s > {most} THEN {most} WHEN s < {least} THEN {least} ELSE s END) FROM (SELECT {score} AS s LIMIT 1) AS score LIMIT 1)"
    )
}

/// The scores as a table of one row.
fn table(scores: &[String]) -> String {
    let each = scores.iter().enumerate();
    let each: Vec<String> = each
        .map(|(place, score)| format!("{score} AS s{place}"))
        .collect();
    format!("(SELECT {} LIMIT 1) AS scores", each.join(", "))
}

fn class(classes: &Dictionary, scores: &[String], loss: Loss) -> Result<String> {
    let labels: Vec<String> = classes.labels().map(literal).collect::<Result<_>>()?;
    Ok(match (loss, labels.as_slice()) {
        (Loss::Logistic, [first, second]) => {
            format!("CASE WHEN {} > 0 THEN {second} ELSE {first} END", scores[0])
        }
        (_, [others @ .., last]) if !others.is_empty() => {
            let mut pick = String::from("CASE");
            for (class, label) in others.iter().enumerate() {
                // A class that no earlier one beats and that no later one exceeds: the first of
                // equals.
                let later = (class + 1..labels.len()).map(|later| format!("s{class} >= s{later}"));
                let wins = later.collect::<Vec<_>>().join(" AND ");
                pick += &format!(" WHEN {wins} THEN {label}");
            }
            format!(
                "(SELECT {pick} ELSE {last} END FROM {} LIMIT 1)",
                table(scores)
            )
        }
        (_, [only]) => only.clone(),
        _ => "NULL".to_owned(),
    })
}

fn probability(place: usize, scores: &[String], target: &BoostedTarget) -> String {
    debug_assert!(target.kind.is(&CLASSES));
    if target.loss == Loss::Logistic {
        // Both ways around, so that no exponential is too large.
        let sign = if place == 1 { "-" } else { "" };
        let most = double(MOST);
        return format!(
            "(SELECT {one} / ({one} + EXP(CASE WHEN {sign}s > {most} THEN {most} ELSE {sign}s END)) FROM (SELECT {score} AS s LIMIT 1) AS score LIMIT 1)",
            one = double(1.0),
            score = scores[0],
        );
    }
    let others: Vec<String> = (0..scores.len())
        .map(|other| {
            format!("CASE WHEN s{other} - s{place} > {most} THEN EXP({most}) ELSE EXP(s{other} - s{place}) END", most = double(MOST))
        })
        .collect();
    format!(
        "(SELECT {} / ({}) FROM {} LIMIT 1)",
        double(1.0),
        balanced(&others),
        table(scores)
    )
}

/// The score of a row.
fn score(features: &Features, target: &BoostedTarget, output: usize) -> Result<String> {
    let mut terms = vec![double(target.base[output])];
    for tree in target.trees_of(output) {
        match tree.len() {
            1 if tree.values[0] == 0.0 => {}
            _ => terms.push(case(features, tree)?),
        }
    }
    Ok(balanced(&terms))
}

/// A sum that is not deep.
fn balanced(terms: &[String]) -> String {
    match terms {
        [] => double(0.0),
        [only] => only.clone(),
        several => {
            let (first, second) = several.split_at(several.len() / 2);
            format!("({} + {})", balanced(first), balanced(second))
        }
    }
}

/// A tree as nested cases.
fn case(features: &Features, tree: &Tree) -> Result<String> {
    let found = tree.depths().into_iter().max().unwrap_or(0);
    if found > DEEPEST {
        let most = DEEPEST;
        return Err(Gap::Deep { found, most }.into());
    }
    let mut written: Vec<String> = vec![String::new(); tree.len()];
    // Branches stand behind their node.
    for node in (0..tree.len()).rev() {
        written[node] = match tree.is_leaf(node) {
            true => double(shortened(tree.values[node])),
            false => {
                let [yes, no] =
                    tree.branches[node].map(|branch| std::mem::take(&mut written[branch as usize]));
                let condition = condition(features, tree, node)?;
                format!("CASE WHEN {condition} THEN {yes} ELSE {no} END")
            }
        };
    }
    Ok(std::mem::take(&mut written[0]))
}

/// With 15 digits, which all databases read alike.
fn shortened(value: f64) -> f64 {
    format!("{value:.14e}").parse().unwrap_or(value)
}

fn literal(label: &str) -> Result<String> {
    text(label).ok_or_else(|| {
        Gap::Character {
            label: label.to_owned(),
        }
        .into()
    })
}

/// Whether a row goes to the first branch of a node.
fn condition(features: &Features, tree: &Tree, node: usize) -> Result<String> {
    let feature = tree.features[node] as usize;
    let input = features.input(feature);
    let column = identifier(&input.name);
    let value = match &input.kind {
        InputKind::Number => numeric(&column),
        InputKind::Moment => moment(&column),
        InputKind::Labels { labels, rare } => {
            let set = tree.set(node).unwrap_or_default();
            let value = textual(&column);
            let listed = |codes: &mut dyn Iterator<Item = u32>| -> Result<String> {
                let each: Vec<String> = codes
                    .map(|code| literal(labels.label(code)))
                    .collect::<Result<_>>()?;
                Ok(each.join(", "))
            };
            if !tree.missing[node] {
                return Ok(match set.is_empty() {
                    true => "1 = 0".to_owned(),
                    false => format!("{value} IN ({})", listed(&mut set.iter().copied())?),
                });
            }
            // What is missing, rare or new goes the same way: all but the labels of the other.
            let known = 0..labels.len() as u32;
            let mut others = known.filter(|code| {
                set.binary_search(code).is_err() && rare.binary_search(code).is_err()
            });
            let others = listed(&mut others)?;
            return Ok(match others.is_empty() {
                true => "1 = 1".to_owned(),
                false => format!("({value} IS NULL OR {value} NOT IN ({others}))"),
            });
        }
        InputKind::Structured(_) => {
            return Err(Gap::Column {
                column: input.name.clone(),
            }
            .into());
        }
    };
    let threshold = tree.thresholds[node];
    Ok(match (threshold == KNOWN, tree.missing[node]) {
        (true, _) => format!("{value} IS NOT NULL"),
        (false, false) => format!("{value} > {}", number(threshold)),
        (false, true) => format!("({value} > {0} OR {value} IS NULL)", number(threshold)),
    })
}
