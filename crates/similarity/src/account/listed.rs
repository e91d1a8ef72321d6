//! Lists that are cut where they are long, and say what was cut.

use serde::Serialize;

/// Items, at most so many as an account shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Listed<T> {
    /// Those that are shown, in their order.
    pub shown: Vec<T>,
    /// How many are not shown.
    pub left_out: usize,
    /// What those add up to.
    pub rest: f64,
}

impl<T> Default for Listed<T> {
    fn default() -> Self {
        Self {
            shown: Vec::new(),
            left_out: 0,
            rest: 0.0,
        }
    }
}

impl<T> Listed<T> {
    /// How many items there are.
    pub fn len(&self) -> usize {
        self.shown.len() + self.left_out
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Which items of a list are shown, chosen by what they cost before any is described.
pub(crate) struct Kept {
    shown: Vec<usize>,
    left_out: usize,
    rest: f64,
}

impl Kept {
    /// The first of them, for lists that are read from the beginning.
    pub(crate) fn first(costs: &[f64], most: usize) -> Self {
        let shown = costs.len().min(most);
        Self {
            shown: (0..shown).collect(),
            left_out: costs.len() - shown,
            rest: costs[shown..].iter().sum(),
        }
    }

    /// Those that say most, in their order: by this weight, ties by place. What is not a number
    /// says nothing.
    pub(crate) fn by(costs: &[f64], most: usize, weight: impl Fn(usize) -> f64) -> Self {
        if costs.len() <= most {
            return Self::first(costs, most);
        }
        let weight = |item: usize| match weight(item) {
            weight if weight.is_nan() => f64::NEG_INFINITY,
            weight => weight,
        };
        let mut order: Vec<usize> = (0..costs.len()).collect();
        order.sort_by(|&i, &j| weight(j).total_cmp(&weight(i)).then(i.cmp(&j)));
        let mut rest = order.split_off(most);
        order.sort_unstable();
        rest.sort_unstable();
        Self {
            shown: order,
            left_out: rest.len(),
            rest: rest.iter().map(|&item| costs[item]).sum(),
        }
    }

    /// The costliest of them.
    pub(crate) fn costliest(costs: &[f64], most: usize) -> Self {
        Self::by(costs, most, |item| costs[item])
    }

    /// The places of those that are shown.
    pub(crate) fn shown(&self) -> impl Iterator<Item = usize> {
        self.shown.iter().copied()
    }

    /// Describes those that are shown.
    pub(crate) fn listed<T, E>(
        self,
        mut describe: impl FnMut(usize) -> Result<T, E>,
    ) -> Result<Listed<T>, E> {
        Ok(Listed {
            shown: self
                .shown
                .into_iter()
                .map(&mut describe)
                .collect::<Result<_, E>>()?,
            left_out: self.left_out,
            rest: self.rest,
        })
    }

    /// The same of descriptions that cannot fail.
    pub(crate) fn told<T>(self, describe: impl FnMut(usize) -> T) -> Listed<T> {
        Listed {
            shown: self.shown.into_iter().map(describe).collect(),
            left_out: self.left_out,
            rest: self.rest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_is_counted_and_summed_up() {
        let costs = [1.0, 5.0, 5.0, f64::NAN, 2.0];
        let costliest = Kept::costliest(&costs[..3], 2).told(|item| item);
        assert_eq!(
            (costliest.shown, costliest.left_out, costliest.rest),
            (vec![1, 2], 1, 1.0)
        );
        let first = Kept::first(&[1.0, 2.0, 4.0], 1).told(|item| item);
        assert_eq!((first.shown, first.left_out, first.rest), (vec![0], 2, 6.0));
        let by_none = Kept::costliest(&costs, 4).told(|item| item);
        assert_eq!(by_none.shown, [0, 1, 2, 4]);
    }
}
