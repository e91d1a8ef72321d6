//! Linear formulas over inputs, and tests of one input.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A number of a row: an input itself, or whether its label is among the last of the ranking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Feature {
    /// Which input.
    pub input: u32,
    /// The least rank of the labels that are asked for; nothing for numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u32>,
}

impl Feature {
    /// Its value, by what all inputs are.
    pub fn value(self, values: &[f64]) -> f64 {
        self.of(values[self.input as usize])
    }

    /// Its value, by what its input is.
    pub fn of(self, value: f64) -> f64 {
        match self.from {
            None => value,
            Some(rank) => f64::from(u8::from(value >= f64::from(rank))),
        }
    }
}

/// A test: whether a feature is greater than a threshold. Labels that are asked for are a number of
/// 1, beyond a half.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Test {
    /// What is tested.
    pub feature: Feature,
    /// What it is compared with.
    pub threshold: f64,
}

impl Test {
    /// The branch that a row takes: the first where the test holds.
    pub fn branch(self, values: &[f64]) -> usize {
        usize::from(self.feature.value(values) <= self.threshold)
    }
}

/// A number plus numbers times features.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Formula {
    /// The number alone.
    pub constant: f64,
    /// The features in order, each with what it is multiplied by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub terms: Vec<(Feature, f64)>,
}

impl Formula {
    /// Its value of a row.
    pub fn value(&self, values: &[f64]) -> f64 {
        let terms = self.terms.iter();
        terms.fold(self.constant, |sum, (feature, coefficient)| {
            sum + coefficient * feature.value(values)
        })
    }

    /// How many numbers it has that were chosen: the constant and the coefficients.
    pub fn parameters(&self) -> usize {
        1 + self.terms.len()
    }

    /// The formula of so much of this one and the rest of another.
    pub fn blended(&self, share: f64, other: &Formula) -> Formula {
        let mut terms: BTreeMap<Feature, f64> = BTreeMap::new();
        for (part, formula) in [(share, self), (1.0 - share, other)] {
            for &(feature, coefficient) in &formula.terms {
                *terms.entry(feature).or_default() += part * coefficient;
            }
        }
        Formula {
            constant: share * self.constant + (1.0 - share) * other.constant,
            terms: terms.into_iter().collect(),
        }
    }

    /// Whether all its numbers are.
    pub fn finite(&self) -> bool {
        self.constant.is_finite() && self.terms.iter().all(|(_, number)| number.is_finite())
    }
}

/// What is known of a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The weight of the rows.
    pub weight: f64,
    /// The mean of their targets.
    pub mean: f64,
    /// The standard deviation.
    pub deviation: f64,
    /// What a leaf says; of other nodes what they would say.
    pub formula: Formula,
}

impl Answer {
    /// Whether all its numbers are.
    pub fn finite(&self) -> bool {
        let own = [self.weight, self.mean, self.deviation];
        own.iter().all(|number| number.is_finite()) && self.formula.finite()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_blend_term_by_term() {
        let feature = |input, from| Feature { input, from };
        let one = Formula {
            constant: 1.0,
            terms: vec![(feature(0, None), 2.0), (feature(1, Some(2)), 4.0)],
        };
        let other = Formula {
            constant: 3.0,
            terms: vec![(feature(1, Some(1)), 1.0), (feature(1, Some(2)), 8.0)],
        };
        let blended = one.blended(0.25, &other);
        for values in [[0.0, 0.0], [1.5, 1.0], [-2.0, 2.0], [7.0, 3.0]] {
            let expected = 0.25 * one.value(&values) + 0.75 * other.value(&values);
            assert!((blended.value(&values) - expected).abs() < 1e-12);
        }
        assert_eq!(blended.parameters(), 4);
    }

    #[test]
    fn a_number_on_the_threshold_does_not_exceed_it() {
        let feature = Feature {
            input: 0,
            from: None,
        };
        let test = Test {
            feature,
            threshold: 2.0,
        };
        assert_eq!((test.branch(&[2.0]), test.branch(&[2.1])), (1, 0));
    }
}
