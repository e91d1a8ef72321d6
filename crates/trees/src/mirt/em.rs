//! Stepwise regression over bags: each variable enters with one value an object, chosen together
//! with its coefficient.
//!
//! Algorithm 1 of Appice, Ceci and Malerba, Top-down induction of relational model trees in
//! multi-instance learning, ILP 2008: from a random choice the regression is fitted and the value
//! of each bag that fits best is taken, in turns, as long as the squared error falls; from several
//! random choices the best end counts. A variable enters as what those before it leave unexplained,
//! and that regression is fitted anew with every choice: otherwise the error need not fall.

use statrs::distribution::{ContinuousCDF, FisherSnedecor};

use super::variables::{Choices, nearest};
use kinwood_learning::random::Generator;

/// How the regression is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stepwise {
    /// How many random choices are started from.
    pub restarts: usize,
    /// A term enters if its partial F-test is significant at this level; 1 lets all enter.
    pub significance: f64,
    /// The least degrees of freedom that are left with a new term.
    pub freedom: usize,
}

/// A variable that entered.
#[derive(Clone, Debug, PartialEq)]
pub struct Entered {
    /// Which one.
    pub variable: usize,
    /// The value chosen for each object.
    pub primary: Vec<f64>,
    /// The squared error with it.
    pub squares: f64,
}

/// Vectors that are orthonormal under the weights of the objects.
struct Basis<'a> {
    weights: &'a [f64],
    vectors: Vec<Vec<f64>>,
}

impl<'a> Basis<'a> {
    fn new(weights: &'a [f64]) -> Self {
        let total: f64 = weights.iter().sum();
        Self {
            weights,
            vectors: vec![vec![1.0 / total.sqrt(); weights.len()]],
        }
    }

    fn product(&self, a: &[f64], b: &[f64]) -> f64 {
        let each = a.iter().zip(b).zip(self.weights);
        each.map(|((a, b), weight)| a * b * weight).sum()
    }

    /// What the vectors explain of another.
    fn explained(&self, vector: &[f64]) -> Vec<f64> {
        let mut explained = vec![0.0; vector.len()];
        for own in &self.vectors {
            let part = self.product(own, vector);
            for (sum, own) in explained.iter_mut().zip(own) {
                *sum += part * own;
            }
        }
        explained
    }

    /// What they do not, as a vector of length one; `None` if that vanishes.
    fn rest(&self, vector: &[f64]) -> Option<Vec<f64>> {
        let less = |vector: &[f64]| -> Vec<f64> {
            let explained = self.explained(vector);
            vector
                .iter()
                .zip(explained)
                .map(|(own, explained)| own - explained)
                .collect()
        };
        // Once more, for what rounding left.
        let rest = less(&less(vector));
        let (length, whole) = (self.product(&rest, &rest), self.product(vector, vector));
        (length > 1e-20 * whole && length > 0.0).then(|| {
            let unit = length.sqrt();
            rest.into_iter().map(|part| part / unit).collect()
        })
    }
}

impl Stepwise {
    /// The variables that enter, in order; bags have a value for every object.
    pub fn run(
        &self,
        bags: &[Choices],
        response: &[f64],
        weights: &[f64],
        generator: &mut Generator,
    ) -> Vec<Entered> {
        let objects = response.len();
        let mut basis = Basis::new(weights);
        let mut rest = less(response, &basis.explained(response));
        let whole = basis.product(&rest, &rest);
        let mut squares = whole;
        let mut entered: Vec<Entered> = Vec::new();
        // What is left of a perfect fit is rounding.
        while squares > 1e-20 * whole {
            let Some(freedom) = objects
                .checked_sub(entered.len() + 2)
                .filter(|left| *left >= self.freedom)
            else {
                break;
            };
            let mut best: Option<Entered> = None;
            for (variable, bag) in bags.iter().enumerate() {
                if entered.iter().any(|other| other.variable == variable) {
                    continue;
                }
                let Some((squares, primary)) = self.choose(bag, &basis, &rest, generator) else {
                    continue;
                };
                if best.as_ref().is_none_or(|best| squares < best.squares) {
                    best = Some(Entered {
                        variable,
                        primary,
                        squares,
                    });
                }
            }
            let Some(mut best) = best else { break };
            let Some(unit) = basis.rest(&best.primary) else {
                break;
            };
            let part = basis.product(&unit, &rest);
            let after = (squares - part * part).max(0.0);
            if !significant(squares, after, freedom, self.significance) {
                break;
            }
            for (rest, unit) in rest.iter_mut().zip(&unit) {
                *rest -= part * unit;
            }
            basis.vectors.push(unit);
            squares = after;
            best.squares = after;
            entered.push(best);
        }
        entered
    }

    /// The choice of a bag's values with the least squared error.
    fn choose(
        &self,
        bag: &Choices,
        basis: &Basis<'_>,
        rest: &[f64],
        generator: &mut Generator,
    ) -> Option<(f64, Vec<f64>)> {
        let starts = if bag.is_open() {
            self.restarts.max(1)
        } else {
            1
        };
        let mut best: Option<(f64, Vec<f64>)> = None;
        for _ in 0..starts {
            let start: Vec<f64> = (0..bag.objects())
                .map(|object| match bag.values(object) {
                    [only] => *only,
                    values => values[generator.below(values.len())],
                })
                .collect();
            if let Some(end) = refine(bag, basis, rest, start)
                && best.as_ref().is_none_or(|best| end.0 < best.0)
            {
                best = Some(end);
            }
        }
        best
    }
}

/// Whether a term that lets the squared error fall, with so many degrees of freedom left, is
/// significant at a level by the partial F-test.
pub fn significant(before: f64, after: f64, freedom: usize, level: f64) -> bool {
    if level >= 1.0 {
        return true;
    }
    if after <= 0.0 {
        return before > 0.0;
    }
    let ratio = (before - after) / (after / freedom.max(1) as f64);
    let test = FisherSnedecor::new(1.0, freedom.max(1) as f64);
    test.is_ok_and(|test| ratio > 0.0 && test.sf(ratio) <= level)
}

/// From a choice to one that none of the steps improves.
fn refine(
    bag: &Choices,
    basis: &Basis<'_>,
    rest: &[f64],
    start: Vec<f64>,
) -> Option<(f64, Vec<f64>)> {
    let mut chosen = start;
    let mut best: Option<(f64, Vec<f64>)> = None;
    loop {
        let explained = basis.explained(&chosen);
        let beyond = less(&chosen, &explained);
        let length = basis.product(&beyond, &beyond);
        if length <= 1e-20 * basis.product(&chosen, &chosen) || length <= 0.0 {
            return best;
        }
        let slope = basis.product(&beyond, rest) / length;
        let mut squares = 0.0;
        let next: Vec<f64> = (0..bag.objects())
            .map(|object| {
                let values = bag.values(object);
                let value = match slope != 0.0 && values.len() > 1 {
                    true => values[nearest(values, explained[object] + rest[object] / slope)],
                    false => chosen[object],
                };
                let error = rest[object] - slope * (value - explained[object]);
                squares += basis.weights[object] * error * error;
                value
            })
            .collect();
        // Numbers too large for their squares end it too: nothing is less than what is no number.
        let better = |best: &(f64, Vec<f64>)| squares < best.0 * (1.0 - 1e-12);
        if !squares.is_finite() || !best.as_ref().is_none_or(better) {
            return best;
        }
        best = Some((squares, next.clone()));
        if !bag.is_open() {
            return best;
        }
        chosen = next;
    }
}

fn less(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kinwood_machines::least_squares::fit;

    fn bags(values: &[&[f64]]) -> Choices {
        let mut slots = super::super::bags::Slots::default();
        let mut numbers = Vec::new();
        for (object, values) in values.iter().enumerate() {
            for &value in *values {
                slots.rows.push(numbers.len() as u32);
                slots.parents.push(object as u32);
                slots.objects.push(object as u32);
                numbers.push(value);
            }
        }
        Choices::of(&slots, values.len(), |row| numbers[row as usize])
    }

    const MUTA: [f64; 3] = [7.5, 12.5, 9.8];

    fn charge() -> Choices {
        bags(&[&[5.1, 30.0, 5.0], &[11.0, 11.5], &[7.1, 7.0]])
    }

    #[test]
    fn the_sixth_example_of_the_paper() {
        let weights = [1.0; 3];
        let basis = Basis::new(&weights);
        let rest = less(&MUTA, &basis.explained(&MUTA));
        let line = |column: &[f64], response: &[f64]| {
            let found = fit(&[column], response, &weights);
            (found.intercept, found.coefficients[0])
        };
        let start = vec![5.1, 11.0, 7.0];
        let (intercept, slope) = line(&start, &MUTA);
        assert!((intercept - 3.6129).abs() < 5e-5 && (slope - 0.8208).abs() < 5e-5);
        let (squares, chosen) = refine(&charge(), &basis, &rest, start).unwrap();
        assert_eq!(chosen, [5.0, 11.0, 7.1]);
        assert!((squares - 0.1958).abs() < 5e-5, "{squares}");
        let (intercept, slope) = line(&chosen, &MUTA);
        assert!((intercept - 3.6537).abs() < 5e-5 && (slope - 0.8155).abs() < 5e-5);
        let errors = [-0.2314, -0.1246, 0.3560];
        for ((muta, charge), error) in MUTA.iter().zip(&chosen).zip(errors) {
            assert!((muta - intercept - slope * charge - error).abs() < 5e-5);
        }
        let logp = [2.0, 5.0, 3.0];
        let (intercept, slope) = line(&chosen, &logp);
        assert!((intercept + 0.5291).abs() < 5e-5 && (slope - 0.5016).abs() < 5e-5);
        let both = fit(&[&chosen, &logp], &MUTA, &weights).coefficients;
        assert!((both[1] + 11.0).abs() < 5e-3, "{}", both[1]);
    }

    #[test]
    fn every_start_of_the_sixth_example_ends_as_the_golden_values_say() {
        let weights = [1.0; 3];
        let basis = Basis::new(&weights);
        let rest = less(&MUTA, &basis.explained(&MUTA));
        for first in [5.1, 30.0, 5.0] {
            for second in [11.0, 11.5] {
                for third in [7.1, 7.0] {
                    let start = vec![first, second, third];
                    let (squares, _) = refine(&charge(), &basis, &rest, start).unwrap();
                    let ends = [0.1958, 0.2999, 5.5658];
                    assert!(
                        ends.iter().any(|end| (squares - end).abs() < 5e-5),
                        "{squares}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_stepwise_regression_takes_charge_first_and_then_logp() {
        let logp = bags(&[&[2.0], &[5.0], &[3.0]]);
        let stepwise = Stepwise {
            restarts: 5,
            significance: 1.0,
            freedom: 0,
        };
        let bags = [logp, charge()];
        let mut generator = Generator::new(1, &[]);
        let entered = stepwise.run(&bags, &MUTA, &[1.0; 3], &mut generator);
        let order: Vec<usize> = entered.iter().map(|entered| entered.variable).collect();
        assert_eq!(order, [1, 0]);
        assert_eq!(entered[0].primary, [5.0, 11.0, 7.1]);
        // With degrees of freedom asked for nothing more enters, and three objects make no term
        // significant.
        let tested = Stepwise {
            significance: 0.05,
            freedom: 1,
            ..stepwise
        };
        let entered = tested.run(&bags, &MUTA, &[1.0; 3], &mut generator);
        assert!(entered.len() <= 1);
    }
}
