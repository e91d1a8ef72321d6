//! Linear models: a response as a constant and a multiple of each of some columns.
//!
//! Two ways in, for what callers have. [`fit`] has columns and decomposes them, which is exact for
//! columns that are nearly alike, where products of columns would have lost what tells them apart.
//! [`solve_normal_equations`] has products that were summed once, for whoever leaves out one column
//! after the other and solves each time.
//!
//! Measured beside loops of our own, which these functions took the place of (release, one thread,
//! microseconds): 3, 8 and 60 normal equations in 0.18, 0.73 and 15 instead of 0.17, 0.72 and 47;
//! 6 columns of 50, 1,000 and 10,000 rows in 7, 36 and 498 instead of 4, 90 and 937; eigenvectors
//! of 5, 20 and 120 columns, for ridge regression, in 4, 52 and 2,318 instead of 3, 180 and 78,826.
//! The coefficients of random columns were the same to 11 digits and more.

use crate::factor;

/// A constant and a multiple of each column.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearFit {
    /// The value where every column is 0.
    pub intercept: f64,
    /// The coefficient of each column; 0 of those that the columns before them explain.
    pub coefficients: Vec<f64>,
}

/// The linear model of a response with the least sum of weighted squared errors.
///
/// A column that is constant, or a sum of multiples of columns before it, is left out.
///
/// ```
/// use kinwood_machines::least_squares::fit;
/// let found = fit(&[&[0.0, 1.0, 2.0]], &[1.0, 3.0, 5.0], &[1.0, 1.0, 2.0]);
/// assert!((found.intercept - 1.0).abs() < 1e-12);
/// assert!((found.coefficients[0] - 2.0).abs() < 1e-12);
/// ```
pub fn fit(columns: &[&[f64]], response: &[f64], weights: &[f64]) -> LinearFit {
    let total: f64 = weights.iter().sum();
    let mean = |numbers: &[f64]| {
        let products = numbers.iter().zip(weights);
        let sum: f64 = products.map(|(number, weight)| number * weight).sum();
        sum / total
    };
    let roots: Vec<f64> = weights.iter().map(|weight| weight.sqrt()).collect();
    let centred = |numbers: &[f64], mean: f64| -> Vec<f64> {
        let each = numbers.iter().zip(&roots);
        each.map(|(number, root)| (number - mean) * root).collect()
    };
    let means: Vec<f64> = columns.iter().map(|column| mean(column)).collect();
    let centre = mean(response);
    let mut kept: Vec<usize> = (0..columns.len()).collect();
    let slopes = loop {
        let matrix = kept.iter();
        let matrix = matrix.flat_map(|&place| centred(columns[place], means[place]));
        match factor::least_squares(matrix.collect(), centred(response, centre)) {
            Ok(slopes) => break slopes,
            Err(explained) => kept.remove(explained),
        };
    };
    let mut found = LinearFit {
        intercept: centre,
        coefficients: vec![0.0; columns.len()],
    };
    for (place, slope) in kept.into_iter().zip(slopes) {
        found.coefficients[place] = slope;
        found.intercept -= slope * means[place];
    }
    found
}

/// Solves `(A + ridge I) x = b`, where `A` has the products of columns with each other, row by row,
/// and `b` those with the response. Where rounding leaves the matrix without a Cholesky factor, the
/// ridge is made ten times as high until it has one.
///
/// # Panics
/// If `A` is not as wide and as high as `b` is long.
pub fn solve_normal_equations(products: &[f64], right: &[f64], ridge: f64) -> Vec<f64> {
    let mut ridge = ridge;
    let mut solution = right.to_vec();
    // Numbers that are not finite never have a factor.
    while ridge.is_finite() {
        let sides = std::slice::from_mut(&mut solution);
        if factor::solve(products, right.len(), ridge, sides).is_ok() {
            return solution;
        }
        ridge = (10.0 * ridge).max(f64::EPSILON);
    }
    vec![0.0; right.len()]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Gauss's elimination with the largest pivot of each column.
    fn eliminated(matrix: &[f64], right: &[f64]) -> Vec<f64> {
        let size = right.len();
        let mut rows: Vec<Vec<f64>> = (0..size)
            .map(|row| {
                let mut own = matrix[row * size..(row + 1) * size].to_vec();
                own.push(right[row]);
                own
            })
            .collect();
        for column in 0..size {
            let pivot = (column..size)
                .max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))
                .unwrap();
            rows.swap(column, pivot);
            let own = rows[column].clone();
            for (place, row) in rows.iter_mut().enumerate() {
                if place != column {
                    let factor = row[column] / own[column];
                    row.iter_mut()
                        .zip(&own)
                        .for_each(|(cell, by)| *cell -= factor * by);
                }
            }
        }
        (0..size)
            .map(|row| rows[row][size] / rows[row][row])
            .collect()
    }

    kinwood_testing::soak! { 256;
        fn soak_factors_and_elimination_agree(
            cells in prop::collection::vec(-2.0f64..2.0, 25),
            right in prop::collection::vec(-5.0f64..5.0, 5),
        ) {
            // A matrix times itself, turned over, and a little more is positive definite.
            let mut matrix = vec![0.0; 25];
            for row in 0..5 {
                for column in 0..5 {
                    let sum: f64 = (0..5).map(|k| cells[row * 5 + k] * cells[column * 5 + k]).sum();
                    matrix[row * 5 + column] = sum + if row == column { 0.5 } else { 0.0 };
                }
            }
            let found = solve_normal_equations(&matrix, &right, 0.0);
            for (found, expected) in found.iter().zip(eliminated(&matrix, &right)) {
                prop_assert!((found - expected).abs() < 1e-8 * (1.0 + expected.abs()), "{found} {expected}");
            }
        }
    }

    #[test]
    fn equal_columns_share_what_one_would_have() {
        let found = solve_normal_equations(&[1.0, 1.0, 1.0, 1.0], &[0.8, 0.8], 1e-9);
        assert!(
            (found[0] - 0.4).abs() < 1e-6 && (found[1] - 0.4).abs() < 1e-6,
            "{found:?}"
        );
        assert_eq!(solve_normal_equations(&[f64::NAN], &[1.0], 1e-9), [0.0]);
        assert!(solve_normal_equations(&[], &[], 1e-9).is_empty());
    }

    /// Orthogonal parts of the columns, one after the other, with a second pass for what rounding
    /// left of the first: slow, and obviously right.
    fn orthogonal(columns: &[&[f64]], response: &[f64], weights: &[f64]) -> LinearFit {
        let product = |a: &[f64], b: &[f64]| -> f64 {
            let each = a.iter().zip(b).zip(weights);
            each.map(|((a, b), weight)| a * b * weight).sum()
        };
        // The constant is a column too.
        let ones = vec![1.0; response.len()];
        let all: Vec<&[f64]> = std::iter::once(&*ones)
            .chain(columns.iter().copied())
            .collect();
        let mut parts: Vec<Vec<f64>> = Vec::new();
        let mut shares = vec![vec![0.0; all.len()]; all.len()];
        for (place, column) in all.iter().enumerate() {
            let mut part = column.to_vec();
            for _ in 0..2 {
                for (before, other) in parts.iter().enumerate() {
                    let share = product(other, &part) / product(other, other);
                    shares[place][before] += share;
                    let each = part.iter_mut().zip(other);
                    each.for_each(|(own, other)| *own -= share * other);
                }
            }
            parts.push(part);
        }
        let each = parts.iter();
        let each = each.map(|part| product(part, response) / product(part, part));
        let mut coefficients: Vec<f64> = each.collect();
        for place in (0..all.len()).rev() {
            for before in 0..place {
                coefficients[before] -= coefficients[place] * shares[place][before];
            }
        }
        LinearFit {
            intercept: coefficients.remove(0),
            coefficients,
        }
    }

    fn close(found: f64, expected: f64) -> bool {
        (found - expected).abs() < 1e-8 * (1.0 + expected.abs())
    }

    kinwood_testing::soak! { 256;
        fn soak_the_fit_is_that_of_orthogonal_parts(
            rows in prop::collection::vec(
                (-2.0f64..2.0, -9.0f64..9.0, 0.0f64..1.0, -5.0f64..5.0, 0.1f64..4.0),
                8..40,
            ),
        ) {
            let column = |pick: fn(&(f64, f64, f64, f64, f64)) -> f64| -> Vec<f64> {
                rows.iter().map(pick).collect()
            };
            let columns = [column(|row| row.0), column(|row| row.1), column(|row| row.2)];
            let views: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
            let (response, weights) = (column(|row| row.3), column(|row| row.4));
            let found = fit(&views, &response, &weights);
            let expected = orthogonal(&views, &response, &weights);
            prop_assert!(close(found.intercept, expected.intercept), "{found:?} {expected:?}");
            for (found, expected) in found.coefficients.iter().zip(expected.coefficients) {
                prop_assert!(close(*found, expected), "{found} {expected}");
            }
        }
    }

    #[test]
    fn of_columns_that_explain_each_other_the_later_is_left_out() {
        let (first, second) = ([1.0, 2.0, 4.0, 8.0, 3.0], [0.5, -1.0, 0.0, 2.0, 7.0]);
        let sum: Vec<f64> = first.iter().zip(second).map(|(a, b)| 3.0 * a - b).collect();
        let last = [9.0, 1.0, 1.0, 0.3, 2.0];
        let response = [4.0, 1.0, 0.0, 2.0, 6.0];
        let columns: [&[f64]; 6] = [&[7.1; 5], &first, &first, &second, &sum, &last];
        let found = fit(&columns, &response, &[1.0; 5]);
        let expected = fit(&[&first, &second, &last], &response, &[1.0; 5]);
        let [a, b, c] = expected.coefficients[..] else {
            panic!("one for each column")
        };
        assert_eq!(found.coefficients, [0.0, a, 0.0, b, 0.0, c]);
        assert_eq!(found.intercept, expected.intercept);
    }

    #[test]
    fn more_columns_than_rows_leave_out_the_last() {
        let found = fit(
            &[
                &[1.0, 2.0, 4.0],
                &[1.0, 4.0, 9.0],
                &[0.0, 0.0, 1.0],
                &[5.0, 1.0, 2.0],
            ],
            &[1.0, 0.0, 2.0],
            &[1.0; 3],
        );
        assert!(found.coefficients[..2].iter().all(|one| *one != 0.0));
        assert_eq!(found.coefficients[2..], [0.0, 0.0]);
    }

    #[test]
    fn nothing_to_learn_from_is_the_mean() {
        let none = fit(&[], &[1.0, 4.0], &[2.0, 1.0]);
        assert_eq!((none.intercept, none.coefficients.len()), (2.0, 0));
        let one = fit(&[&[3.0]], &[0.1], &[1.0]);
        assert_eq!((one.intercept, one.coefficients), (0.1, vec![0.0]));
        let empty = fit(&[&[]], &[], &[]);
        assert_eq!(empty.coefficients, [0.0]);
    }
}
