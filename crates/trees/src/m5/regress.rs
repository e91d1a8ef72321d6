//! Linear regression that keeps few columns.
//!
//! Columns that others stand for are taken out, then the weakest one at a time, as long as Akaike's
//! criterion falls.

use kinwood_machines::least_squares::solve_normal_equations;

/// The least coefficient, in deviations of target and column, that says that columns stand for each
/// other.
const STANDING_IN: f64 = 1.5;
/// What is added to the sums of squares of columns of deviation 1.
const RIDGE: f64 = 1e-8;
/// A share of the target's squares that is none: the fit is perfect.
const PERFECT: f64 = 1e-18;

/// A constant, and a coefficient of each column.
#[derive(Clone, Debug, PartialEq)]
pub struct Regression {
    pub constant: f64,
    /// 0 of those that are not used.
    pub coefficients: Vec<f64>,
}

/// A column less its mean, so long that its weighted squares add up to one.
struct Scaled {
    place: usize,
    mean: f64,
    length: f64,
    values: Vec<f64>,
}

impl Scaled {
    /// `None` for what is the same everywhere, or has squares that are no numbers.
    fn new(place: usize, column: &[f64], weights: &[f64]) -> Option<Self> {
        if column.iter().all(|value| *value == column[0]) {
            return None;
        }
        let total: f64 = weights.iter().sum();
        let mean = product(column, weights) / total;
        let mut values: Vec<f64> = column.iter().map(|value| value - mean).collect();
        let length = weighted(&values, &values, weights).sqrt();
        if !(length.is_normal() && mean.is_finite()) {
            return None;
        }
        values.iter_mut().for_each(|value| *value /= length);
        Some(Self {
            place,
            mean,
            length,
            values,
        })
    }
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn weighted(a: &[f64], b: &[f64], weights: &[f64]) -> f64 {
    let products = a.iter().zip(b).zip(weights);
    products.map(|((a, b), weight)| weight * a * b).sum()
}

/// The regression of the target on the columns, of rows of these weights, which are positive.
pub fn regress(columns: &[Vec<f64>], target: &[f64], weights: &[f64]) -> Regression {
    let total: f64 = weights.iter().sum();
    let mut found = Regression {
        constant: product(target, weights) / total,
        coefficients: vec![0.0; columns.len()],
    };
    let Some(response) = Scaled::new(0, target, weights) else {
        found.constant = target
            .first()
            .copied()
            .filter(|_| same(target))
            .unwrap_or(found.constant);
        return found;
    };
    let columns = columns.iter().enumerate();
    let columns: Vec<Scaled> = columns
        .filter_map(|(place, column)| Scaled::new(place, column, weights))
        .collect();
    let problem = Problem::new(columns, &response, weights, total);
    let (kept, coefficients) = problem.chosen();
    for (&column, coefficient) in kept.iter().zip(coefficients) {
        let column = &problem.columns[column];
        let coefficient = coefficient * response.length / column.length;
        found.coefficients[column.place] = coefficient;
        found.constant -= coefficient * column.mean;
    }
    found
}

fn same(numbers: &[f64]) -> bool {
    numbers.iter().all(|number| *number == numbers[0])
}

struct Problem<'a> {
    columns: Vec<Scaled>,
    response: &'a [f64],
    weights: &'a [f64],
    total: f64,
    /// The correlations of the columns, row by row.
    among: Vec<f64>,
    /// The correlation of each with the response.
    with: Vec<f64>,
}

impl<'a> Problem<'a> {
    fn new(columns: Vec<Scaled>, response: &'a Scaled, weights: &'a [f64], total: f64) -> Self {
        let count = columns.len();
        let mut among = vec![1.0; count * count];
        for row in 0..count {
            for column in 0..row {
                let own = weighted(&columns[row].values, &columns[column].values, weights);
                among[row * count + column] = own;
                among[column * count + row] = own;
            }
        }
        let with = columns.iter();
        let with = with.map(|column| weighted(&column.values, &response.values, weights));
        Self {
            with: with.collect(),
            among,
            response: &response.values,
            columns,
            weights,
            total,
        }
    }

    /// The columns that are kept and their coefficients, in deviations.
    fn chosen(&self) -> (Vec<usize>, Vec<f64>) {
        let mut kept: Vec<usize> = (0..self.columns.len()).collect();
        let mut coefficients = self.solved(&kept);
        while let Some(place) = strongest(&coefficients) {
            kept.remove(place);
            coefficients = self.solved(&kept);
        }
        let full = self.error(&kept, &coefficients);
        let parameters = kept.len() as f64 + 1.0;
        let mut criterion = self.total - parameters + 2.0 * parameters;
        while let Some(place) = weakest(&coefficients) {
            let mut fewer = kept.clone();
            fewer.remove(place);
            let others = self.solved(&fewer);
            let error = self.error(&fewer, &others) / full;
            let found = error * (self.total - parameters) + 2.0 * (fewer.len() as f64 + 1.0);
            if found.is_nan() || found >= criterion {
                break;
            }
            (kept, coefficients, criterion) = (fewer, others, found);
        }
        (kept, coefficients)
    }

    fn solved(&self, kept: &[usize]) -> Vec<f64> {
        let count = self.columns.len();
        let rows = kept.iter();
        let matrix: Vec<f64> = rows
            .flat_map(|row| {
                kept.iter()
                    .map(move |column| self.among[row * count + column])
            })
            .collect();
        let right: Vec<f64> = kept.iter().map(|&column| self.with[column]).collect();
        // Columns of deviation 1 have squares that add up to one less than the weight of the rows.
        solve_normal_equations(&matrix, &right, RIDGE / (self.total - 1.0).max(1.0))
    }

    /// The squares of what is left, as a share of those of the response.
    fn error(&self, kept: &[usize], coefficients: &[f64]) -> f64 {
        let mut rest = self.response.to_vec();
        for (&column, coefficient) in kept.iter().zip(coefficients) {
            for (rest, value) in rest.iter_mut().zip(&self.columns[column].values) {
                *rest -= coefficient * value;
            }
        }
        weighted(&rest, &rest, self.weights).max(PERFECT)
    }
}

/// The largest coefficient, if columns stand for each other; the first of equals.
fn strongest(coefficients: &[f64]) -> Option<usize> {
    let mut best = (None, STANDING_IN);
    for (place, coefficient) in coefficients.iter().enumerate() {
        if coefficient.abs() > best.1 {
            best = (Some(place), coefficient.abs());
        }
    }
    best.0
}

/// The smallest coefficient, the first of equals.
fn weakest(coefficients: &[f64]) -> Option<usize> {
    let places = 0..coefficients.len();
    places.reduce(
        |best, place| match coefficients[place].abs() < coefficients[best].abs() {
            true => place,
            false => best,
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use kinwood_learning::random::Generator;

    fn columns(rows: usize) -> Vec<Vec<f64>> {
        let mut generator = Generator::new(3, &[]);
        let mut column = || (0..rows).map(|_| generator.normal()).collect::<Vec<f64>>();
        vec![column(), column(), column()]
    }

    #[test]
    fn what_the_target_does_not_depend_on_is_left_out() {
        let mut given = columns(40);
        let noise = columns(41);
        let target: Vec<f64> = (0..40)
            .map(|row| 5.0 + 2.0 * given[0][row] - given[2][row] + 0.01 * noise[1][row])
            .collect();
        given.push(vec![7.0; 40]);
        let found = regress(&given, &target, &[1.0; 40]);
        assert!((found.constant - 5.0).abs() < 0.01, "{found:?}");
        assert!((found.coefficients[0] - 2.0).abs() < 0.01, "{found:?}");
        assert!((found.coefficients[2] + 1.0).abs() < 0.01, "{found:?}");
        assert_eq!(found.coefficients[3], 0.0);
    }

    #[test]
    fn of_equal_columns_one_stays() {
        let mut given = columns(30);
        given.truncate(1);
        let double: Vec<f64> = given[0].iter().map(|value| 2.0 * value + 1.0).collect();
        given.push(double);
        let target: Vec<f64> = given[0].iter().map(|value| 3.0 - value).collect();
        let found = regress(&given, &target, &[1.0; 30]);
        let used = found.coefficients.iter().filter(|one| **one != 0.0).count();
        assert_eq!(used, 1, "{found:?}");
        for (row, value) in given[0].iter().enumerate() {
            let products = found.coefficients.iter().zip(&given);
            let products = products.map(|(coefficient, column)| coefficient * column[row]);
            let said = found.constant + products.sum::<f64>();
            assert!((said - (3.0 - value)).abs() < 1e-6, "{found:?}");
        }
    }

    #[test]
    fn weights_count_as_rows_that_stand_so_often() {
        let given = columns(20);
        let target: Vec<f64> = (0..20)
            .map(|row| given[0][row] + given[1][row].abs())
            .collect();
        let weights: Vec<f64> = (0..20).map(|row| f64::from(1 + row % 3)).collect();
        let times = |row: usize| weights[row] as usize;
        let repeated = |column: &[f64]| -> Vec<f64> {
            let rows = column.iter().enumerate();
            rows.flat_map(|(row, value)| std::iter::repeat_n(*value, times(row)))
                .collect()
        };
        let twice: Vec<Vec<f64>> = given.iter().map(|column| repeated(column)).collect();
        let many = repeated(&target);
        let found = regress(&given, &target, &weights);
        let expected = regress(&twice, &many, &vec![1.0; many.len()]);
        assert!((found.constant - expected.constant).abs() < 1e-10);
        for (one, other) in found.coefficients.iter().zip(&expected.coefficients) {
            assert!((one - other).abs() < 1e-10);
        }
    }

    #[test]
    fn nothing_to_learn_from_is_a_constant() {
        let one = Regression {
            constant: 0.1,
            coefficients: vec![0.0],
        };
        assert_eq!(regress(&[vec![1.0, 2.0, 3.0]], &[0.1; 3], &[1.0; 3]), one);
        assert_eq!(regress(&[vec![4.0]], &[0.1], &[1.0]), one);
        let two = regress(&[vec![1e300, -1e300]], &[1.0, 2.0], &[1.0; 2]);
        assert_eq!((two.constant, two.coefficients), (1.5, vec![0.0]));
    }
}
