//! The prototypes of structured columns: values far from each other, so that being near to one
//! tells something; and the items that their values contain.

use kinwood_similarity::{Expression, Registry};
use kinwood_values::View;

use super::terms::{Kind, Pool, Terms};
use crate::contents::{ItemRules, Reading, chosen};
use kinwood_learning::context::Context;
use kinwood_learning::error::Result;

/// At most so many values of a column are looked at: beyond that a random part does.
const SAMPLED: usize = 2000;

/// What tests on structured columns speak of.
pub struct PoolRules<'a> {
    /// The most prototypes of a column.
    pub prototypes: usize,
    /// The distance, where the schema does not say.
    pub distance: &'a Expression,
    /// Which items tests on contents speak of; `None` where there are no such tests.
    pub contents: Option<ItemRules>,
    /// Whether columns with contents have prototypes too.
    pub both: bool,
}

/// Up to so many prototypes of every structured input, the first the value nearest to all others,
/// each next one the farthest from those before it (Gonzalez, Clustering to minimize the maximum
/// intercluster distance, 1985); and the items of its values.
pub fn pools(
    view: &View,
    terms: &Terms,
    rules: &PoolRules<'_>,
    context: &Context,
) -> Result<Vec<Pool>> {
    let mut pools = Vec::new();
    if rules.prototypes == 0 && rules.contents.is_none() {
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
            let expression = written?.unwrap_or_else(|| rules.distance.clone());
            let own = attribute.type_of();
            // Rows of the objects' table outside training are not to be seen.
            let rows: Vec<u32> = (0..attribute.column.len() as u32)
                .filter(|&row| attribute.column.is_present(row as usize))
                .filter(|&row| table != terms.root || view.contains(row))
                .collect();
            let items = match (&rules.contents, Reading::new(&own)) {
                (Some(rules), Some(_)) => {
                    let values = attribute.column.gather(&rows);
                    Some(chosen(&values, &vec![1; rows.len()], rules))
                }
                _ => None,
            };
            let count = match &items {
                Some(_) if !rules.both => 0,
                _ => rules.prototypes,
            };
            if count == 0 && items.is_none() {
                continue;
            }
            let mut generator = context.generator(&[0x7072_6f74, table as u64, u64::from(column)]);
            let rows = sampled(rows, &mut generator);
            if rows.len() < 2 {
                continue;
            }
            let values = attribute.column.gather(&rows);
            let measure = Registry::known().distance(&expression, &own, Some(&values), &of.name)?;
            let items = items.unwrap_or_default();
            let pool = |values| Pool {
                table,
                column,
                name: of.name.clone(),
                values,
                items,
                measure: measure.clone(),
            };
            if count == 0 {
                pools.push(pool(values.gather(&[])));
                continue;
            }
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
            let mut prototypes = vec![first as u32];
            let mut nearest = between(first);
            while prototypes.len() < count {
                context.check()?;
                let far = nearest
                    .iter()
                    .enumerate()
                    .max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
                let Some((next, _)) = far.filter(|(_, far)| **far > 0.0) else {
                    break;
                };
                prototypes.push(next as u32);
                for (nearest, own) in nearest.iter_mut().zip(between(next)) {
                    *nearest = nearest.min(own);
                }
            }
            pools.push(pool(values.gather(&prototypes)));
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
