//! Order among the values of one entity: ranks, and a tree of counts that finds quantiles while
//! values come in.

/// The rank of each value among the distinct ones, and those in order.
pub(crate) struct Ranks {
    pub of: Vec<u32>,
    pub distinct: Vec<f64>,
}

impl Ranks {
    pub fn new(values: &[f64]) -> Self {
        let mut distinct = values.to_vec();
        distinct.sort_unstable_by(f64::total_cmp);
        distinct.dedup();
        let rank = |value: &f64| {
            let at = distinct.partition_point(|other| other.total_cmp(value).is_lt());
            at as u32
        };
        Self {
            of: values.iter().map(rank).collect(),
            distinct,
        }
    }
}

/// How many values of each rank there are (Fenwick's tree): a value is added, and the one of a
/// position found, in logarithmic time.
pub(crate) struct Counts {
    sums: Vec<u32>,
}

impl Counts {
    pub fn new(ranks: usize) -> Self {
        Self {
            sums: vec![0; ranks + 1],
        }
    }

    pub fn add(&mut self, rank: u32) {
        let mut at = rank as usize + 1;
        while at < self.sums.len() {
            self.sums[at] += 1;
            at += at & at.wrapping_neg();
        }
    }

    /// The rank of the value at a position in order, from 0.
    fn at(&self, position: usize) -> usize {
        let mut left = position as u32 + 1;
        let mut at = 0;
        let mut width = self.sums.len().next_power_of_two();
        while width > 0 {
            let next = at + width;
            if next < self.sums.len() && self.sums[next] < left {
                left -= self.sums[next];
                at = next;
            }
            width /= 2;
        }
        at
    }

    /// A quantile of so many values.
    pub fn quantile(&self, distinct: &[f64], count: usize, share: f64) -> f64 {
        quantile(count, share, |position| distinct[self.at(position)])
    }
}

/// The quantile of values in order, between two of them in proportion: definition 7 of Hyndman and
/// Fan, Sample quantiles in statistical packages, The American Statistician 50, 1996.
pub(crate) fn quantile(count: usize, share: f64, at: impl Fn(usize) -> f64) -> f64 {
    if count == 0 {
        return f64::NAN;
    }
    let place = (count - 1) as f64 * share;
    let below = at(place.floor() as usize);
    let above = at(place.ceil() as usize);
    match below == above {
        true => below,
        false => below + (place - place.floor()) * (above - below),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_growing_values_are_those_of_sorted_ones() {
        let values = [5.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0, 5.0, 3.0, 5.0];
        let ranks = Ranks::new(&values);
        let mut counts = Counts::new(ranks.distinct.len());
        for (position, &rank) in ranks.of.iter().enumerate() {
            counts.add(rank);
            let mut sorted = values[..=position].to_vec();
            sorted.sort_by(f64::total_cmp);
            for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
                let expected = quantile(sorted.len(), share, |at| sorted[at]);
                let found = counts.quantile(&ranks.distinct, sorted.len(), share);
                assert_eq!(found, expected, "{position} {share}");
            }
        }
    }
}
