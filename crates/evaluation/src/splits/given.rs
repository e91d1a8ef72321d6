//! Folds that the data bring along, as published benchmarks do.

use std::collections::HashMap;

use super::{Split, splits_by_fold};
use crate::error::Error;

/// One split per label; see [`super::Plan::GivenFolds`] for their order.
pub(super) fn splits(
    labels: &[String],
    rows: usize,
    groups: Option<&[u32]>,
) -> Result<Vec<Split>, Error> {
    if labels.len() != rows {
        return Err(Error::Lengths {
            what: "fold labels",
            found: labels.len(),
            expected: rows,
        });
    }
    // The map only numbers labels by first row, so its order is never seen.
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut distinct: Vec<&str> = Vec::new();
    let mut appearance = Vec::with_capacity(rows);
    for label in labels {
        let number = *numbers.entry(label).or_insert_with(|| {
            distinct.push(label);
            distinct.len() - 1
        });
        appearance.push(number);
    }
    if distinct.len() < 2 {
        return Err(Error::TooFewFoldLabels {
            found: distinct.len(),
        });
    }
    if let Some(groups) = groups {
        undivided(groups, &appearance, &distinct)?;
    }

    let mut order: Vec<usize> = (0..distinct.len()).collect();
    let number = |label: &&str| {
        label
            .trim()
            .parse::<f64>()
            .ok()
            .filter(|number| !number.is_nan())
    };
    if let Some(values) = distinct.iter().map(number).collect::<Option<Vec<f64>>>() {
        // Equality of -0 and 0 is kept: a stable sort leaves them by first row.
        order.sort_by(|&a, &b| (values[a] + 0.0).total_cmp(&(values[b] + 0.0)));
    }
    let mut position = vec![0; order.len()];
    for (place, &number) in order.iter().enumerate() {
        position[number] = place;
    }
    let fold_of: Vec<usize> = appearance.iter().map(|&number| position[number]).collect();
    Ok(splits_by_fold(1, order.len(), &fold_of).collect())
}

fn undivided(groups: &[u32], fold_of: &[usize], labels: &[&str]) -> Result<(), Error> {
    let mut first: HashMap<u32, usize> = HashMap::new();
    for (&group, &fold) in groups.iter().zip(fold_of) {
        let home = *first.entry(group).or_insert(fold);
        if home != fold {
            return Err(Error::GroupDivided {
                group,
                first: labels[home].to_owned(),
                second: labels[fold].to_owned(),
            });
        }
    }
    Ok(())
}
