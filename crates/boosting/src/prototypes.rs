//! The columns of a task as features: which items and prototypes structured columns are asked for.
//!
//! Both are chosen from the training rows without a look at the target, so that trees may learn
//! from all of them without a leak.

use std::collections::BTreeMap;
use std::sync::Arc;

use kinwood_learning::context::Context;
use kinwood_learning::error::{Error, Result};
use kinwood_learning::task::Task;
use kinwood_similarity::{Expression, Missing, Pairs, RowDistance};
use kinwood_trees::contents::{Contents, ItemRules};
use kinwood_trees::tree::kin::{Field, fields};
use kinwood_values::{Cells, Column, Value, View};

use super::features::{Feature, Features, Input, InputKind, Part, Pool};
use super::settings::BOOST;

/// Prototypes are chosen from so many values at most.
const CANDIDATES: usize = 200;

/// The features of a task: at most so many items of a kind and prototypes of a structured column.
pub fn features(
    task: &Task,
    items: usize,
    prototypes: usize,
    context: &Context,
) -> Result<Features> {
    let view = task.view();
    let table = view.table();
    let positions = view.inputs();
    if positions.is_empty() {
        return Err(Error::NoInputs {
            learner: BOOST.name,
            table: table.name().to_owned(),
        });
    }
    let compared = match positions
        .iter()
        .all(|&place| is_flat(&table.attribute(place).column))
    {
        true => Vec::new(),
        false => compared(view)?,
    };
    let mut found = Features::default();
    for position in positions {
        let attribute = table.attribute(position);
        let input = found.inputs.len() as u32;
        let name = attribute.name.clone();
        let kind = match attribute.column.cells() {
            Cells::DateTime(_) => InputKind::Moment,
            Cells::Nominal { dictionary, .. } => InputKind::Labels {
                labels: Arc::clone(dictionary),
                rare: Vec::new(),
            },
            _ if attribute.column.numbers().is_some() => InputKind::Number,
            _ => {
                let field = compared.iter().find(|field| field.name == name);
                let pool = field.map(|field| pool(field, items, prototypes, context));
                let Some(pool) = pool.transpose()?.flatten() else {
                    continue;
                };
                let part = |part| Feature { input, part };
                if pool.items.len() + pool.prototypes.len() > 0 {
                    let sized = kinwood_trees::contents::Reading::new(pool.measure.of()).is_some();
                    found.all.extend(sized.then(|| part(Part::Size)));
                }
                let items = (0..pool.items.len() as u32).map(|item| part(Part::Item(item)));
                found.all.extend(items);
                let near = (0..pool.prototypes.len() as u32).map(|near| part(Part::Distance(near)));
                found.all.extend(near);
                found.inputs.push(Input {
                    name,
                    kind: InputKind::Structured(Arc::new(pool)),
                });
                continue;
            }
        };
        found.inputs.push(Input { name, kind });
        found.all.push(Feature {
            input,
            part: Part::Whole,
        });
    }
    Ok(found)
}

fn is_flat(column: &Column) -> bool {
    matches!(column.cells(), Cells::DateTime(_) | Cells::Nominal { .. })
        || column.numbers().is_some()
}

/// The columns of the rows, each with its distance.
fn compared(view: &View) -> Result<Vec<Field>> {
    let distance = RowDistance {
        expression: Expression::new("mean"),
        missing: Missing::default(),
        depth: 0,
    };
    fields(view, &distance)
}

/// What values of a field are asked for; `None` where they cannot be compared or nothing is known.
fn pool(field: &Field, items: usize, most: usize, context: &Context) -> Result<Option<Pool>> {
    let Some(measure) = field.measure.clone() else {
        return Ok(None);
    };
    let mut distinct: BTreeMap<Value, Vec<u32>> = BTreeMap::new();
    for row in 0..field.column.len() {
        if field.column.is_present(row) {
            let rows = distinct.entry(field.column.value(row)).or_default();
            rows.push(row as u32);
        }
    }
    if distinct.is_empty() {
        return Ok(None);
    }
    let firsts: Vec<u32> = distinct.values().map(|rows| rows[0]).collect();
    let counts: Vec<u32> = distinct.values().map(|rows| rows.len() as u32).collect();
    drop(distinct);
    let values = field.column.gather(&firsts);
    let rules = ItemRules {
        most: items,
        stop_words: Default::default(),
    };
    let contents = Contents::new(&values, &counts, &rules);
    let items = contents.map_or_else(Vec::new, |contents| contents.items);
    // Candidates are spread evenly over the values in order, which rows cannot change.
    let step = values.len().div_ceil(CANDIDATES).max(1);
    let candidates: Vec<u32> = (0..values.len() as u32).step_by(step).collect();
    let candidates = values.gather(&candidates);
    let pairs = measure.bind_real(&candidates, &candidates, "a prototype")?;
    let chosen = medoids(&*pairs, candidates.len(), most, context)?;
    Ok(Some(Pool {
        items,
        prototypes: candidates.gather(&chosen),
        measure,
    }))
}

/// The values that are near to all: one after the other, each the one that lowers the sum of the
/// distances to the nearest the most (the first phase of PAM, Kaufman and Rousseeuw 1990).
fn medoids(
    pairs: &dyn Pairs<f64>,
    count: usize,
    most: usize,
    context: &Context,
) -> Result<Vec<u32>> {
    let mut rows = vec![0.0; count * count];
    for (place, row) in rows.chunks_mut(count.max(1)).enumerate() {
        context.check()?;
        pairs.prepare(place).fill(0..count, row);
    }
    let mut nearest = vec![f64::INFINITY; count];
    let mut chosen: Vec<u32> = Vec::new();
    while chosen.len() < most.min(count) {
        let gain = |candidate: usize| -> f64 {
            let own = &rows[candidate * count..(candidate + 1) * count];
            let each = own.iter().zip(&nearest);
            // Before the first is chosen, the least sum of distances is the greatest gain.
            each.map(|(own, nearest)| match nearest.is_finite() {
                true => (nearest - own).max(0.0),
                false => -own,
            })
            .sum()
        };
        let mut best: Option<(usize, f64)> = None;
        for candidate in 0..count {
            if chosen.contains(&(candidate as u32)) {
                continue;
            }
            let own = gain(candidate);
            if best.is_none_or(|(_, most)| own > most) {
                best = Some((candidate, own));
            }
        }
        let Some((candidate, gained)) = best else {
            break;
        };
        // Nothing is left that is not a prototype already.
        if !chosen.is_empty() && gained.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) {
            break;
        }
        chosen.push(candidate as u32);
        let own = &rows[candidate * count..(candidate + 1) * count];
        for (nearest, own) in nearest.iter_mut().zip(own) {
            *nearest = nearest.min(*own);
        }
    }
    Ok(chosen)
}
