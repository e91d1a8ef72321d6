//! What was understood of facts, in sentences: what an example is, what describes what, what rules
//! made.

use std::collections::HashMap;

use kinwood_values::notice::counted;
use kinwood_values::text::number_text;
use kinwood_values::{Dictionary, Notice, NoticeKind};

use super::declared::Values;
use super::facts::Predicate;
use super::relation::Relation;
use super::relations::Relations;
use crate::prolog_syntax::pattern::ArgumentKind;

/// How many numbers of arguments are told of one name.
const ARITIES: usize = 20;

/// How many classes are counted before the rest is only numbered.
const CLASSES: usize = 8;

/// Tells of names whose facts have different numbers of arguments, for that is often a slip.
pub(super) fn several_arities(predicates: &[Predicate], symbols: &Dictionary) -> Vec<Notice> {
    // By name, in the order of their first facts: thousands of predicates are passed once.
    let mut places: HashMap<u32, usize> = HashMap::new();
    let mut alike: Vec<(u32, Vec<&Predicate>)> = Vec::new();
    for predicate in predicates {
        let next = alike.len();
        let place = *places.entry(predicate.symbol).or_insert(next);
        if place == next {
            alike.push((predicate.symbol, Vec::new()));
        }
        alike[place].1.push(predicate);
    }
    let several = alike.into_iter().filter(|(_, alike)| alike.len() > 1);
    let told = several.map(|(symbol, alike)| {
        let name = symbols.label(symbol);
        let shown = alike.iter().take(ARITIES).map(|other| {
            let arity = other.arguments.len();
            format!("`{name}/{arity}` ({})", counted(other.places.len(), "fact"))
        });
        let mut shown: Vec<String> = shown.collect();
        if let more @ 1.. = alike.len() - shown.len() {
            shown.push(format!("and {more} more"));
        }
        Notice::about(
            NoticeKind::Type,
            format!(
                "facts `{name}` have different numbers of arguments, and are {} tables: {}",
                alike.len(),
                shown.join(", ")
            ),
        )
    });
    told.collect()
}

/// Everything that was understood.
pub(super) fn sentences(relations: &Relations) -> Vec<String> {
    let mut told = vec![example(&relations.example)];
    for (kind, ids) in relations.kinds.sizes() {
        let about = |first: bool| {
            let described = relations.described.iter();
            described.filter(move |relation| mentions(relation, kind, first))
        };
        let mut sentence = format!("`{kind}`: {}, described by ", counted(ids, "ID"));
        let by: Vec<String> = about(true).map(shown).collect();
        match by.is_empty() {
            true => sentence.push_str("nothing, so that only their names tell them apart"),
            false => sentence.push_str(&by.join("; ")),
        }
        let mentioned: Vec<String> = about(false)
            .map(|relation| format!("`{}`", relation.name))
            .collect();
        if !mentioned.is_empty() {
            sentence.push_str(&format!("; mentioned by {}", mentioned.join(", ")));
        }
        told.push(sentence);
    }
    for applied in &relations.rules {
        told.push(format!(
            "the rule `{}` made {} of {}",
            applied.rule,
            counted(applied.made, "new fact"),
            applied.fits
        ));
    }
    told
}

/// Whether facts describe IDs of a kind, or else only mention them.
fn mentions(relation: &Relation, kind: &str, first: bool) -> bool {
    relation
        .columns
        .iter()
        .enumerate()
        .any(|(place, (_, values))| {
            matches!(values, Values::Id(of, _) if of == kind) && (place == 0) == first
        })
}

fn example(example: &Relation) -> String {
    let kinds: Vec<&str> = example
        .columns
        .iter()
        .filter_map(|(_, values)| match values {
            Values::Id(kind, _) => Some(kind.as_str()),
            _ => None,
        })
        .collect();
    let what = match kinds.as_slice() {
        [one] => format!("an ID of `{one}`"),
        [first, second] if first == second => format!("a pair of IDs of `{first}`"),
        [first, second] => format!("a pair of an ID of `{first}` and one of `{second}`"),
        several => format!("IDs of `{}` together", several.join("`, `")),
    };
    let target = example.columns.iter().find_map(|(position, values)| {
        let is_target = example.pattern.arguments[*position].of == ArgumentKind::Target;
        is_target.then(|| labels(values))
    });
    let labelled = match (&example.labels, target) {
        (_, Some(labels)) => labels,
        (Some(labels), None) => {
            let positive = labels.iter().filter(|holds| **holds).count();
            format!(
                "labelled true {positive}, false {}",
                labels.len() - positive
            )
        }
        (None, None) => "without labels".to_owned(),
    };
    format!(
        "an example is {what}, `{}`: {}, {labelled}",
        example.pattern,
        counted(example.rows, "example")
    )
}

/// The labels of examples that are an argument.
fn labels(values: &Values) -> String {
    let column = values.column();
    let missing = match column.missing() {
        0 => String::new(),
        missing => format!(", {missing} without"),
    };
    if values.is_numeric() {
        return format!("with a number to predict{}{missing}", range(values));
    }
    let Some((codes, dictionary)) = column.codes() else {
        return "without labels".to_owned();
    };
    let mut counts = vec![0usize; dictionary.len()];
    for (row, &code) in codes.iter().enumerate() {
        counts[code as usize] += usize::from(column.is_present(row));
    }
    let classes = dictionary.labels().zip(counts).take(CLASSES);
    let classes: Vec<String> = classes
        .map(|(label, count)| format!("{label} {count}"))
        .collect();
    let more = match dictionary.len().saturating_sub(CLASSES) {
        0 => String::new(),
        more => format!(" and {more} more classes"),
    };
    format!("labelled {}{more}{missing}", classes.join(", "))
}

/// The smallest and the largest number.
fn range(values: &Values) -> String {
    let column = values.column();
    let numbers = (0..column.len()).filter_map(|row| column.number(row));
    let ends = numbers.fold(None, |ends: Option<(f64, f64)>, number| {
        let (least, most) = ends.unwrap_or((number, number));
        Some((least.min(number), most.max(number)))
    });
    match ends {
        None => String::new(),
        Some((least, most)) => format!(" from {} to {}", number_text(least), number_text(most)),
    }
}

/// A predicate that describes, with what is in its arguments.
fn shown(relation: &Relation) -> String {
    let names = relation.pattern.columns();
    let arguments: Vec<String> = relation
        .columns
        .iter()
        .map(|(position, values)| {
            let name = &names[*position];
            match values {
                Values::Id(kind, _) => format!("{name}: `{kind}`"),
                Values::Number(_) | Values::Target { .. } => {
                    format!("{name}: number{}", range(values))
                }
                Values::Symbol(_) => {
                    let column = values.column();
                    let distinct = column.codes().map_or(0, |(_, labels)| labels.len());
                    format!("{name}: {}", counted(distinct, "symbol"))
                }
            }
        })
        .collect();
    format!(
        "{} `{}` ({})",
        counted(relation.rows, "fact"),
        relation.name,
        arguments.join(", ")
    )
}
