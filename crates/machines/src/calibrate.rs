//! Probabilities from decision values.
//!
//! A decision value says on which side an object lies, not how sure that is. A sigmoid fitted to
//! decision values of objects the machine has *not* seen turns one into the other
//! ([`cross_validated`] finds such values); for several classes the sigmoids of all pairs are
//! coupled.

use rayon::prelude::*;

use crate::Error;
use crate::error::check_finite;

/// No pair of classes is told apart with certainty.
const LEAST_PROBABILITY: f64 = 1e-7;

/// A probability as a function of a decision value: `1 / (1 + exp(slope * decision + offset))`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sigmoid {
    /// The slope, negative where higher decisions are more often positive.
    pub slope: f64,
    /// The offset.
    pub offset: f64,
}

impl Sigmoid {
    /// The probability that an object of this decision value is positive.
    pub fn probability(&self, decision: f64) -> f64 {
        let exponent = self.slope * decision + self.offset;
        // Either form is exact where the other would overflow.
        if exponent >= 0.0 {
            let small = (-exponent).exp();
            small / (1.0 + small)
        } else {
            1.0 / (1.0 + exponent.exp())
        }
    }
}

/// Fits Platt's sigmoid to decision values by regularised maximum likelihood.
///
/// The targets are drawn towards one half as if each class had one more object, so that few
/// objects give no certainty. Objects of one class only give a sigmoid that is almost constant.
///
/// Reference: J. Platt, Probabilistic outputs for support vector machines, 1999; H.-T. Lin,
/// C.-J. Lin, R. Weng, A note on Platt's probabilistic outputs for support vector machines,
/// Machine Learning 68, 2007.
pub fn sigmoid(decisions: &[f64], positive: &[bool]) -> Result<Sigmoid, Error> {
    if decisions.is_empty() {
        return Err(Error::Empty);
    }
    if decisions.len() != positive.len() {
        return Err(Error::Kept {
            what: "labels",
            found: positive.len(),
            expected: decisions.len(),
        });
    }
    check_finite("decision", decisions)?;
    let likelihood = Likelihood::new(decisions, positive);
    Ok(likelihood.maximise())
}

/// Decisions and the probabilities they should have.
struct Likelihood<'a> {
    decisions: &'a [f64],
    targets: Vec<f64>,
    start: f64,
}

impl<'a> Likelihood<'a> {
    fn new(decisions: &'a [f64], positive: &[bool]) -> Likelihood<'a> {
        let ups = positive.iter().filter(|&&positive| positive).count() as f64;
        let downs = positive.len() as f64 - ups;
        let high = (ups + 1.0) / (ups + 2.0);
        let low = 1.0 / (downs + 2.0);
        Likelihood {
            decisions,
            targets: positive
                .iter()
                .map(|&positive| if positive { high } else { low })
                .collect(),
            start: ((downs + 1.0) / (ups + 1.0)).ln(),
        }
    }

    /// What is to be small: the cross entropy, written so that nothing overflows.
    fn loss(&self, at: Sigmoid) -> f64 {
        let terms = self.decisions.iter().zip(&self.targets);
        terms
            .map(|(decision, target)| {
                let exponent = at.slope * decision + at.offset;
                if exponent >= 0.0 {
                    target * exponent + (-exponent).exp().ln_1p()
                } else {
                    (target - 1.0) * exponent + exponent.exp().ln_1p()
                }
            })
            .sum()
    }

    /// Newton's method with steps halved until the loss falls enough.
    fn maximise(&self) -> Sigmoid {
        // Added to the curvature, so that it is positive whatever the decisions are.
        const RIDGE: f64 = 1e-12;
        const SMALL_GRADIENT: f64 = 1e-9;
        const SMALLEST_STEP: f64 = 1e-10;
        const MOST_STEPS: usize = 200;
        let mut at = Sigmoid {
            slope: 0.0,
            offset: self.start,
        };
        let mut loss = self.loss(at);
        for _ in 0..MOST_STEPS {
            let (mut slope, mut offset) = (0.0, 0.0);
            let (mut slopes, mut offsets, mut mixed) = (RIDGE, RIDGE, 0.0);
            for (&decision, &target) in self.decisions.iter().zip(&self.targets) {
                let probability = at.probability(decision);
                let spread = probability * (1.0 - probability);
                slopes += decision * decision * spread;
                offsets += spread;
                mixed += decision * spread;
                slope += decision * (target - probability);
                offset += target - probability;
            }
            if slope.abs() < SMALL_GRADIENT && offset.abs() < SMALL_GRADIENT {
                break;
            }
            let determinant = slopes * offsets - mixed * mixed;
            let towards = Sigmoid {
                slope: -(offsets * slope - mixed * offset) / determinant,
                offset: -(slopes * offset - mixed * slope) / determinant,
            };
            let descent = slope * towards.slope + offset * towards.offset;
            let mut step = 1.0;
            loop {
                let next = Sigmoid {
                    slope: at.slope + step * towards.slope,
                    offset: at.offset + step * towards.offset,
                };
                let next_loss = self.loss(next);
                if next_loss < loss + 1e-4 * step * descent {
                    (at, loss) = (next, next_loss);
                    break;
                }
                step /= 2.0;
                // Also the way out where the determinant was no number.
                if step < SMALLEST_STEP {
                    return at;
                }
            }
        }
        at
    }
}

/// The probabilities of several classes from those of all pairs.
///
/// `pairwise[a * classes + b]` is the probability of class `a` given that it is `a` or `b`; what
/// stands where both are the same is not read. The result sums to 1.
///
/// Reference: T.-F. Wu, C.-J. Lin, R. Weng, Probability estimates for multi-class classification
/// by pairwise coupling, Journal of Machine Learning Research 5, 2004 (their second approach).
///
/// # Panics
/// Where `pairwise` is not `classes` times `classes` long.
pub fn couple(classes: usize, pairwise: &[f64]) -> Vec<f64> {
    assert_eq!(
        pairwise.len(),
        classes * classes,
        "a probability for each pair of classes"
    );
    if classes < 2 {
        return vec![1.0; classes];
    }
    let over = |a: usize, b: usize| {
        let probability = pairwise[a * classes + b];
        probability.clamp(LEAST_PROBABILITY, 1.0 - LEAST_PROBABILITY)
    };
    if classes == 2 {
        return vec![over(0, 1), 1.0 - over(0, 1)];
    }
    // The probabilities minimise p' Q p on the simplex, so that Q p is the same for all classes.
    let mut quadratic = vec![0.0; classes * classes];
    for a in 0..classes {
        for b in (0..classes).filter(|&b| b != a) {
            quadratic[a * classes + a] += over(b, a) * over(b, a);
            quadratic[a * classes + b] = -over(b, a) * over(a, b);
        }
    }
    let mut found = vec![1.0 / classes as f64; classes];
    let products = |found: &[f64]| -> Vec<f64> {
        let rows = quadratic.chunks_exact(classes);
        rows.map(|row| row.iter().zip(found).map(|(q, p)| q * p).sum())
            .collect()
    };
    for _ in 0..100.max(10 * classes) {
        let mut product = products(&found);
        let mut total: f64 = product.iter().zip(&found).map(|(q, p)| q * p).sum();
        let error = product
            .iter()
            .map(|product| (product - total).abs())
            .fold(0.0, f64::max);
        if error < 1e-9 / classes as f64 {
            break;
        }
        for class in 0..classes {
            let own = quadratic[class * classes + class];
            let change = (total - product[class]) / own;
            found[class] += change;
            total =
                (total + change * (change * own + 2.0 * product[class])) / (1.0 + change).powi(2);
            for other in 0..classes {
                product[other] =
                    (product[other] + change * quadratic[class * classes + other]) / (1.0 + change);
                found[other] /= 1.0 + change;
            }
        }
    }
    found
}

/// Decision values for each object from a machine that has not seen it.
///
/// `folds` gives the fold of each object. `decide` is called once a fold, on any thread, with the
/// objects to learn from and those held out, and answers with a decision value for each held-out
/// object, in order.
///
/// # Panics
/// Where `decide` gives another number of values than objects were held out.
pub fn cross_validated<E: Send>(
    folds: &[usize],
    decide: impl Fn(&[usize], &[usize]) -> Result<Vec<f64>, E> + Sync,
) -> Result<Vec<f64>, E> {
    let mut names = folds.to_vec();
    names.sort_unstable();
    names.dedup();
    let parts: Vec<(Vec<usize>, Vec<f64>)> = names
        .into_par_iter()
        .map(|name| {
            let (held_out, training): (Vec<usize>, Vec<usize>) =
                (0..folds.len()).partition(|&object| folds[object] == name);
            let decisions = decide(&training, &held_out)?;
            assert_eq!(
                decisions.len(),
                held_out.len(),
                "a decision for each held-out object"
            );
            Ok((held_out, decisions))
        })
        .collect::<Result<_, E>>()?;
    let mut decisions = vec![0.0; folds.len()];
    for (held_out, values) in parts {
        for (object, value) in held_out.into_iter().zip(values) {
            decisions[object] = value;
        }
    }
    Ok(decisions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The probabilities that a minimiser over a grid of sigmoids cannot improve.
    #[test]
    fn no_sigmoid_nearby_is_likelier() {
        let decisions: Vec<f64> = (0..40).map(|at| (at as f64 - 17.0) / 6.0).collect();
        let positive: Vec<bool> = (0..40).map(|at| at > 18 || at % 7 == 3).collect();
        let found = sigmoid(&decisions, &positive).unwrap();
        let likelihood = Likelihood::new(&decisions, &positive);
        let best = likelihood.loss(found);
        for (slope, offset) in [(1e-3, 0.0), (-1e-3, 0.0), (0.0, 1e-3), (0.0, -1e-3)] {
            let near = Sigmoid {
                slope: found.slope + slope,
                offset: found.offset + offset,
            };
            assert!(likelihood.loss(near) > best);
        }
        assert!(found.slope < 0.0);
        assert!(found.probability(3.0) > 0.8 && found.probability(-3.0) < 0.3);
    }

    #[test]
    fn decisions_of_any_size_give_probabilities() {
        for scale in [1e-300, 1e-8, 1.0, 1e8, 1e150] {
            let decisions = [-2.0, -1.0, 1.0, 2.0].map(|value| value * scale);
            let found = sigmoid(&decisions, &[false, false, true, true]).unwrap();
            for decision in decisions {
                let probability = found.probability(decision);
                assert!((0.0..=1.0).contains(&probability), "{scale} {probability}");
            }
        }
    }

    #[test]
    fn one_class_gives_its_corrected_share() {
        let found = sigmoid(&[0.5, 1.0, 2.0], &[true; 3]).unwrap();
        assert!((found.probability(1.0) - 0.8).abs() < 0.01);
    }

    #[test]
    fn faults_are_told() {
        assert_eq!(sigmoid(&[], &[]), Err(Error::Empty));
        let fault = sigmoid(&[1.0, f64::NAN], &[true, false]).unwrap_err();
        assert_eq!(
            fault.to_string(),
            "decision 1 is NaN, a finite number is needed"
        );
        assert!(sigmoid(&[1.0], &[true, false]).is_err());
    }

    #[test]
    fn folds_are_put_back_in_order() {
        let folds = [7, 0, 7, 3, 0];
        let decisions = cross_validated(&folds, |training, held_out| {
            assert_eq!(training.len() + held_out.len(), 5);
            assert!(training.iter().all(|object| !held_out.contains(object)));
            Ok::<_, Error>(held_out.iter().map(|&object| object as f64).collect())
        });
        assert_eq!(decisions, Ok(vec![0.0, 1.0, 2.0, 3.0, 4.0]));
        let fault = cross_validated(&folds, |_, _| Err::<Vec<f64>, _>(Error::OneClass));
        assert_eq!(fault, Err(Error::OneClass));
    }

    kinwood_testing::soak! { 256;
        /// Pairs that agree with some probabilities give those back.
        fn soak_consistent_pairs_are_coupled_exactly(weights in prop::collection::vec(0.01..1.0, 1..8)) {
            let classes = weights.len();
            let total: f64 = weights.iter().sum();
            let pairwise: Vec<f64> = (0..classes * classes)
                .map(|at| (at / classes, at % classes))
                .map(|(a, b)| weights[a] / (weights[a] + weights[b]))
                .collect();
            let found = couple(classes, &pairwise);
            for (found, weight) in found.iter().zip(&weights) {
                prop_assert!((found - weight / total).abs() < 1e-6);
            }
        }

        /// Whatever the pairs say, the result is a distribution that no other beats.
        fn soak_coupling_minimises_the_disagreement(
            upper in prop::collection::vec(0.0..=1.0, 10),
            other in prop::collection::vec(0.0..1.0, 5),
        ) {
            let mut pairwise = vec![0.0; 25];
            let pairs = (0..5).flat_map(|a| (a + 1..5).map(move |b| (a, b)));
            for ((a, b), probability) in pairs.zip(&upper) {
                pairwise[a * 5 + b] = *probability;
                pairwise[b * 5 + a] = 1.0 - probability;
            }
            let found = couple(5, &pairwise);
            prop_assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            prop_assert!(found.iter().all(|value| *value >= 0.0));
            let disagreement = |p: &[f64]| -> f64 {
                let pairs = (0..5).flat_map(|a| (0..5).filter(move |&b| b != a).map(move |b| (a, b)));
                pairs.map(|(a, b)| (pairwise[b * 5 + a] * p[a] - pairwise[a * 5 + b] * p[b]).powi(2)).sum()
            };
            let total: f64 = other.iter().sum::<f64>() + 1e-9;
            let other: Vec<f64> = other.iter().map(|value| value / total).collect();
            prop_assert!(disagreement(&found) <= disagreement(&other) + 1e-6);
        }
    }
}
