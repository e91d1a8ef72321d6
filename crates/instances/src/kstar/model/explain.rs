//! Why a row is predicted as it is: the stored rows that count most, in bits by attribute.

use kinwood_values::Column;

use super::super::answer::{Response, logarithms};
use super::super::term::Term;
use super::Instances;
use kinwood_learning::error::Result;
use kinwood_learning::explanation::{
    Explanation, Influence, Others, Reason, Reasons, TargetExplanation, texts,
};

/// Explains the first of the rows by the most influential stored ones; terms are those of the row.
pub(super) fn explain(
    model: &Instances,
    row: &Column,
    terms: &[Term],
    most: usize,
) -> Result<Explanation> {
    let asked = Asked {
        model,
        terms,
        logarithms: logarithms(model.fields(), terms, model.weight_logarithms()),
        most,
    };
    let targets = model
        .targets()
        .zip(model.responses())
        .zip(model.fallbacks())
        .map(|(((name, column), response), fallback)| {
            target(&asked, name, column, (response, fallback))
        })
        .collect();
    Ok(Explanation {
        attributes: model.names().to_vec(),
        values: texts(row, 0),
        targets,
    })
}

/// A query: its terms, and what they make of every stored row.
struct Asked<'a> {
    model: &'a Instances,
    terms: &'a [Term],
    logarithms: Vec<f64>,
    most: usize,
}

/// Explains a target, given what the stored rows know of it and what is said where none can answer.
fn target(
    asked: &Asked<'_>,
    name: &str,
    column: &Column,
    (response, fallback): (&Response, &[f64]),
) -> TargetExplanation {
    let Asked {
        model,
        terms,
        logarithms,
        most,
    } = asked;
    let mut known: Vec<usize> = (0..logarithms.len())
        .filter(|&row| column.is_present(row) && logarithms[row] > f64::NEG_INFINITY)
        .collect();
    let largest = known
        .iter()
        .map(|&row| logarithms[row])
        .fold(f64::NEG_INFINITY, f64::max);
    let weight = |row: usize| (logarithms[row] - largest).exp();
    let total: f64 = known.iter().map(|&row| weight(row)).sum();
    // The greatest first; of equals the one that was stored first.
    known.sort_by(|&a, &b| logarithms[b].total_cmp(&logarithms[a]).then(a.cmp(&b)));
    let part = |row: usize| match response {
        Response::Classes { codes, .. } => (codes[row] as usize, 1.0),
        Response::Numbers(numbers) => (0, numbers[row]),
    };
    let names: Vec<String> = match column.codes() {
        Some((_, classes)) => classes.labels().map(str::to_owned).collect(),
        None => vec![String::new()],
    };
    let mut parts = vec![0.0; names.len()];
    let mut other_parts = parts.clone();
    let mut influences = Vec::new();
    let mut shown = 0.0;
    for (place, &row) in known.iter().enumerate() {
        let share = weight(row) / total;
        let (at, value) = part(row);
        parts[at] += share * value;
        if place >= *most {
            other_parts[at] += share * value;
            continue;
        }
        shown += share;
        let by_attribute: Vec<Option<f64>> = model
            .fields()
            .iter()
            .zip(*terms)
            .map(|(field, term)| {
                let bits = (term.own() - field.term_of(term, row)) / std::f64::consts::LN_2;
                // Minus nothing is nothing.
                (*term != Term::Silent).then_some(bits + 0.0)
            })
            .collect();
        influences.push(Influence {
            row: row + 1,
            answer: column.value(row).to_string(),
            share,
            contribution: share * value,
            reason: Reason::Bits {
                bits: by_attribute.iter().flatten().sum(),
                by_attribute,
            },
            values: texts(model.references(), row),
        });
    }
    if known.is_empty() {
        // Nobody can answer, so what is known of everybody does.
        parts = fallback.to_vec();
        other_parts = fallback.to_vec();
    }
    TargetExplanation {
        name: name.to_owned(),
        prediction: names.into_iter().zip(parts).collect(),
        others: Others {
            rows: known.len() - influences.len(),
            share: if known.is_empty() {
                1.0
            } else {
                (1.0 - shown).max(0.0)
            },
            parts: other_parts,
        },
        reasons: Reasons::Rows(influences),
    }
}
