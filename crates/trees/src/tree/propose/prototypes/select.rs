//! Which candidates become prototypes.

use crate::tree::test::TOLERANCE;

/// A group and what could stand for it.
pub struct Group {
    /// The weight of its examples.
    pub weight: f64,
    /// Its values by rising code, each with its mean distance to all of them.
    pub values: Vec<(u32, f64)>,
}

/// What was chosen for a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chosen<V> {
    /// The group.
    pub group: usize,
    /// The value.
    pub value: V,
    /// Its mean distance to the group's values.
    pub mean: f64,
}

/// The first of the values that are least, but for rounding.
pub fn least<V: Copy>(values: impl Iterator<Item = (V, f64)> + Clone) -> Option<(V, f64)> {
    let smallest = values.clone().map(|value| value.1).min_by(f64::total_cmp)?;
    let mut values = values;
    values.find(|value| value.1 <= smallest * (1.0 + TOLERANCE))
}

/// Takes prototypes best first, at most so many. `weights` are the groups'; `candidate` gives the
/// best value of a group that is not among those taken. On a tie the heavier group comes first,
/// then the earlier.
pub fn best_first<V: Copy>(
    weights: &[f64],
    most: usize,
    mut candidate: impl FnMut(usize, &[Chosen<V>]) -> Option<(V, f64)>,
) -> Vec<Chosen<V>> {
    let mut chosen: Vec<Chosen<V>> = Vec::new();
    let mut left: Vec<usize> = (0..weights.len())
        .filter(|&group| weights[group] > 0.0)
        .collect();
    while chosen.len() < most {
        let found: Vec<Chosen<V>> = left
            .iter()
            .filter_map(|&group| {
                let (value, mean) = candidate(group, &chosen)?;
                Some(Chosen { group, value, mean })
            })
            .collect();
        let Some(smallest) = found.iter().map(|each| each.mean).min_by(f64::total_cmp) else {
            break;
        };
        let close = found
            .into_iter()
            .filter(|each| each.mean <= smallest * (1.0 + TOLERANCE));
        let best = close.reduce(|best, other| {
            if weights[other.group] > weights[best.group] {
                other
            } else {
                best
            }
        });
        let Some(best) = best else {
            break;
        };
        left.retain(|group| *group != best.group);
        chosen.push(best);
    }
    chosen
}

/// The prototypes of groups whose values are codes.
pub fn of_groups(groups: &[Group], most: usize) -> Vec<Chosen<u32>> {
    let weights: Vec<f64> = groups.iter().map(|group| group.weight).collect();
    best_first(&weights, most, |group, taken: &[Chosen<u32>]| {
        let free = |value: &&(u32, f64)| taken.iter().all(|other| other.value != value.0);
        least(groups[group].values.iter().filter(free).copied())
    })
}
