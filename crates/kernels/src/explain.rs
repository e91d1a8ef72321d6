//! Why a machine says what it says: the stored rows that count most, and how far the row is from
//! the nearest on either side.

use kinwood_similarity::Measured;
use kinwood_similarity::account::Detail;
use kinwood_similarity::nearer::nearer;
use kinwood_values::{Cells, Column, Value};

use super::expansion::{Expansion, Function};
use kinwood_learning::error::Result;
use kinwood_learning::explanation::{
    Explanation, Near, Others, Reasons, Step, TargetExplanation, Term, texts,
};

/// How much is told of two distances: what counts most, for objects may have hundreds of facts.
const TOLD: Detail = Detail {
    items: 4,
    depth: 8,
    text: 60,
};

/// How many stored rows are told of at most.
const MOST: usize = 12;

/// A row asked about: as it is compared, and its kernel values with the stored rows.
pub struct Query<'a> {
    /// The row.
    pub asked: &'a Column,
    /// The values.
    pub kernel: &'a [f64],
}

/// The terms that add up to the value of a function: the stored rows of largest contribution, the
/// others together, and the constant.
pub fn terms(
    expansion: &Expansion,
    function: &Function,
    query: &Query<'_>,
    most: usize,
) -> Vec<Term> {
    let products = function.coefficients.iter().zip(query.kernel).enumerate();
    let mut rows: Vec<(usize, Term)> = products
        .filter(|(_, (coefficient, _))| **coefficient != 0.0)
        .map(|(row, (&coefficient, &value))| {
            (
                row,
                Term::product(called(expansion, row), value, coefficient),
            )
        })
        .collect();
    rows.sort_by(|(a, one), (b, other)| {
        let sizes = one.contribution.abs().total_cmp(&other.contribution.abs());
        sizes.reverse().then(a.cmp(b))
    });
    let others = rows.split_off(rows.len().min(most.min(MOST)));
    let sum: f64 = others.iter().map(|(_, term)| term.contribution).sum();
    let name = match others.len() {
        1 => "1 other".to_owned(),
        count => format!("{count} others"),
    };
    let mut terms: Vec<Term> = rows.into_iter().map(|(_, term)| term).collect();
    terms.push(Term::product(name, 1.0, sum));
    terms.push(Term::constant(function.bias));
    terms
}

/// A stored row by its number and target.
fn called(expansion: &Expansion, row: usize) -> String {
    let mut answers = expansion
        .stored()
        .targets()
        .map(|target| target.column.value(row));
    let answer = match (answers.next(), answers.next()) {
        (Some(answer), None) => format!(" ({answer})"),
        _ => String::new(),
    };
    format!(
        "{}{answer}",
        expansion.source().called(expansion.number(row))
    )
}

/// How far the row is from the most similar stored row on either side of a function, where the
/// kernel is made from a distance.
pub fn nearest(
    expansion: &Expansion,
    function: &Function,
    query: &Query<'_>,
    said: (String, f64),
) -> Result<Option<Step>> {
    let Some(inner) = expansion.source().distance()? else {
        return Ok(None);
    };
    let side = |positive: bool| {
        let rows = (0..query.kernel.len()).filter(|&row| match positive {
            true => function.coefficients[row] > 0.0,
            false => function.coefficients[row] < 0.0,
        });
        // The first of equals.
        rows.reduce(|best, row| match query.kernel[row] > query.kernel[best] {
            true => row,
            false => best,
        })
    };
    let stored = inner.values(expansion.stored().rows());
    let prototypes: Vec<(String, Value)> = [side(true), side(false)]
        .into_iter()
        .flatten()
        .map(|row| (called(expansion, row), stored.value(row)))
        .collect();
    let value = inner.values(query.asked).value(0);
    let mut near = Vec::with_capacity(prototypes.len());
    for (name, prototype) in &prototypes {
        let Measured::Number(distance) = inner.distance.between(&value, prototype)? else {
            return Ok(None);
        };
        near.push((name.clone(), distance));
    }
    if near.is_empty() {
        return Ok(None);
    }
    let branch = usize::from(near.len() > 1 && near[1].1 < near[0].1);
    Ok(Some(Step {
        tree: 1,
        depth: 0,
        share: 1.0,
        test: said.0,
        value: format!("{:.6}", said.1),
        holds: None,
        near: Some(Near {
            branch,
            why: nearer(&inner.distance, &value, &prototypes, TOLD)?,
            prototypes: near,
        }),
    }))
}

/// What is told of one target: terms of a decision, which need not add up to the prediction itself.
pub fn of_target(
    name: &str,
    prediction: Vec<(String, f64)>,
    others: usize,
    terms: Vec<Term>,
    path: Vec<Step>,
) -> TargetExplanation {
    TargetExplanation {
        name: name.to_owned(),
        others: Others {
            rows: others,
            share: 1.0,
            parts: prediction.iter().map(|(_, part)| *part).collect(),
        },
        prediction,
        reasons: Reasons::Formula { path, terms },
    }
}

/// The explanation of a row, target by target.
pub fn of_row(asked: &Column, targets: Vec<TargetExplanation>) -> Explanation {
    // A bag without members has nothing to show.
    if asked.is_empty() {
        return Explanation {
            attributes: Vec::new(),
            values: Vec::new(),
            targets,
        };
    }
    let attributes = match asked.cells() {
        Cells::Tuple { names, .. } => names
            .iter()
            .map(|name| name.clone().unwrap_or_default())
            .collect(),
        _ => Vec::new(),
    };
    Explanation {
        attributes,
        values: texts(asked, 0),
        targets,
    }
}
