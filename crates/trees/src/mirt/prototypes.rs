//! The prototypes of structured columns: values far from each other, so that being near to one
//! tells something.

use kinwood_similarity::{Expression, Registry};
use kinwood_values::View;

use super::terms::{Kind, Pool, Terms};
use kinwood_learning::context::Context;
use kinwood_learning::error::Result;

/// At most so many values of a column are looked at: beyond that a random part does.
const SAMPLED: usize = 2000;

/// Up to so many prototypes of every structured input, the first the value nearest to all others,
/// each next one the farthest from those before it (Gonzalez, Clustering to minimize the maximum
/// intercluster distance, 1985).
pub fn pools(
    view: &View,
    terms: &Terms,
    count: usize,
    distance: &Expression,
    context: &Context,
) -> Result<Vec<Pool>> {
    let mut pools = Vec::new();
    if count == 0 {
        return Ok(pools);
    }
    for table in 0..terms.tables.len() {
        for (column, of) in terms.inputs(table) {
            let attribute = view.database().table(table).attribute(column as usize);
            if of.kind != Kind::Other {
                continue;
            }
            let written = attribute
                .distance
                .as_ref()
                .map(|text| text.parse())
                .transpose();
            let expression = written?.unwrap_or_else(|| distance.clone());
            let own = attribute.type_of();
            // Rows of the objects' table outside training are not to be seen.
            let rows: Vec<u32> = (0..attribute.column.len() as u32)
                .filter(|&row| attribute.column.is_present(row as usize))
                .filter(|&row| table != terms.root || view.contains(row))
                .collect();
            let mut generator = context.generator(&[0x7072_6f74, table as u64, u64::from(column)]);
            let rows = sampled(rows, &mut generator);
            if rows.len() < 2 {
                continue;
            }
            let values = attribute.column.gather(&rows);
            let measure = Registry::known().distance(&expression, &own, Some(&values), &of.name)?;
            let pairs = measure.bind_real(&values, &values, "a prototype test")?;
            let between = |a: usize| {
                let mut distances = vec![0.0; rows.len()];
                pairs.prepare(a).fill(0..rows.len(), &mut distances);
                distances
            };
            let sums = (0..rows.len()).map(|row| between(row).iter().sum::<f64>());
            let first = sums
                .enumerate()
                .min_by(|a, b| a.1.total_cmp(&b.1))
                .map_or(0, |best| best.0);
            let mut chosen = vec![first as u32];
            let mut nearest = between(first);
            while chosen.len() < count {
                context.check()?;
                let far = nearest
                    .iter()
                    .enumerate()
                    .max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
                let Some((next, _)) = far.filter(|(_, far)| **far > 0.0) else {
                    break;
                };
                chosen.push(next as u32);
                for (nearest, own) in nearest.iter_mut().zip(between(next)) {
                    *nearest = nearest.min(own);
                }
            }
            pools.push(Pool {
                table,
                column,
                name: of.name.clone(),
                values: values.gather(&chosen),
                measure,
            });
        }
    }
    Ok(pools)
}

fn sampled(mut rows: Vec<u32>, generator: &mut kinwood_learning::random::Generator) -> Vec<u32> {
    if rows.len() > SAMPLED {
        generator.shuffle(&mut rows);
        rows.truncate(SAMPLED);
        rows.sort_unstable();
    }
    rows
}
