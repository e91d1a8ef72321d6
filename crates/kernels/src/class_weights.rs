//! How much errors on classes cost beside others.

use kinwood_values::suggest::nearest;

use kinwood_learning::error::{Error, Result};
use kinwood_learning::task::Target;

/// How much errors on classes cost beside others.
#[derive(Clone, Debug, PartialEq)]
pub enum ClassWeights {
    /// The same.
    None,
    /// In inverse proportion to their rows.
    Balanced,
    /// By label, 1 for the others; numbers above 0.
    Given(Vec<(String, f64)>),
}

impl ClassWeights {
    /// `none`, `balanced` or labels with numbers.
    pub(crate) fn read(text: &str) -> Result<Self> {
        let told = match text {
            "none" => return Ok(ClassWeights::None),
            "balanced" => return Ok(ClassWeights::Balanced),
            told => told.split(',').map(|item| {
                let (label, number) = item.rsplit_once(':')?;
                let number = number.trim().parse().ok();
                let number = number.filter(|number: &f64| number.is_finite() && *number > 0.0)?;
                Some((label.trim().to_owned(), number))
            }),
        };
        let told: Option<Vec<(String, f64)>> = told.collect();
        told.map(ClassWeights::Given)
            .ok_or_else(|| Self::wrong(text))
    }

    /// Fails on a number that is not above 0, as reading it does.
    pub(crate) fn check(&self) -> Result<()> {
        let ClassWeights::Given(given) = self else {
            return Ok(());
        };
        let fits = |(_, number): &(String, f64)| number.is_finite() && *number > 0.0;
        match !given.is_empty() && given.iter().all(fits) {
            true => Ok(()),
            false => {
                let pair = |(label, number): &(String, f64)| format!("{label}:{number}");
                let pairs: Vec<String> = given.iter().map(pair).collect();
                Err(Self::wrong(&pairs.join(", ")))
            }
        }
    }

    fn wrong(text: &str) -> Error {
        Error::SettingValue {
            name: "weights".to_owned(),
            value: text.to_owned(),
            expected: "`none`, `balanced` or `LABEL:NUMBER, ...` with numbers above 0".to_owned(),
            nearest: nearest(text, ["none", "balanced"]),
        }
    }

    /// The factor of each class, given how much each weighs in the training rows.
    pub(crate) fn factors(&self, target: &Target, totals: &[f64]) -> Result<Vec<f64>> {
        let mut factors = vec![1.0; totals.len()];
        match self {
            ClassWeights::None => {}
            ClassWeights::Balanced => {
                let all: f64 = totals.iter().sum();
                let present = totals.iter().filter(|total| **total > 0.0).count() as f64;
                for (factor, total) in factors.iter_mut().zip(totals) {
                    if *total > 0.0 {
                        *factor = all / (present * total);
                    }
                }
            }
            ClassWeights::Given(told) => {
                for (label, number) in told {
                    factors[named(target, "weights", label)? as usize] = *number;
                }
            }
        }
        Ok(factors)
    }
}

/// The class of a label that a setting names.
pub fn named(target: &Target, setting: &str, label: &str) -> Result<u32> {
    let classes = target.classes();
    classes
        .and_then(|classes| classes.code(label))
        .ok_or_else(|| Error::SettingValue {
            name: setting.to_owned(),
            value: label.to_owned(),
            expected: format!("a class of `{}`", target.name()),
            nearest: classes
                .and_then(|classes| nearest(label, classes.labels().collect::<Vec<_>>())),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_may_hold_colons() {
        let read = ClassWeights::read("a:b:2, c : 0.5").unwrap();
        let told = [("a:b".to_owned(), 2.0), ("c".to_owned(), 0.5)];
        assert_eq!(read, ClassWeights::Given(told.to_vec()));
        assert!(ClassWeights::read("a:0").is_err() && ClassWeights::read("a").is_err());
    }
}
