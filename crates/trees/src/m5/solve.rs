//! Small systems of linear equations with a symmetric positive definite matrix.

/// Solves `(A + ridge I) x = b` by Cholesky's decomposition, `A` being symmetric, row by row. Where
/// rounding leaves the matrix without a root, the ridge is made ten times as high until it has one.
pub fn solve(matrix: &[f64], right: &[f64], ridge: f64) -> Vec<f64> {
    let mut ridge = ridge;
    // Numbers that are not finite never get a root.
    while ridge.is_finite() {
        if let Some(root) = root(matrix, right.len(), ridge) {
            return substituted(&root, right);
        }
        ridge = (10.0 * ridge).max(f64::EPSILON);
    }
    vec![0.0; right.len()]
}

/// The lower triangle whose product with itself, turned over, is the matrix.
fn root(matrix: &[f64], size: usize, ridge: f64) -> Option<Vec<f64>> {
    let mut root = vec![0.0; size * size];
    for row in 0..size {
        for column in 0..=row {
            let (upper, own) = (&root[column * size..], &root[row * size..]);
            let products = own.iter().zip(upper).take(column);
            let sum: f64 = products.map(|(a, b)| a * b).sum();
            let rest = matrix[row * size + column] - sum;
            root[row * size + column] = if row == column {
                let rest = rest + ridge;
                // What is not a number is no root either.
                if rest.is_nan() || rest <= 0.0 {
                    return None;
                }
                rest.sqrt()
            } else {
                rest / root[column * size + column]
            };
        }
    }
    Some(root)
}

fn substituted(root: &[f64], right: &[f64]) -> Vec<f64> {
    let size = right.len();
    let mut solution = right.to_vec();
    for row in 0..size {
        let known = root[row * size..].iter().zip(&solution).take(row);
        let sum: f64 = known.map(|(a, b)| a * b).sum();
        solution[row] = (solution[row] - sum) / root[row * size + row];
    }
    for row in (0..size).rev() {
        let sum: f64 = (row + 1..size)
            .map(|below| root[below * size + row] * solution[below])
            .sum();
        solution[row] = (solution[row] - sum) / root[row * size + row];
    }
    solution
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

    proptest! {
        #[test]
        fn roots_and_elimination_agree(
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
            let found = solve(&matrix, &right, 0.0);
            for (found, expected) in found.iter().zip(eliminated(&matrix, &right)) {
                prop_assert!((found - expected).abs() < 1e-8 * (1.0 + expected.abs()), "{found} {expected}");
            }
        }
    }

    #[test]
    fn equal_columns_share_what_one_would_have() {
        let found = solve(&[1.0, 1.0, 1.0, 1.0], &[0.8, 0.8], 1e-9);
        assert!(
            (found[0] - 0.4).abs() < 1e-6 && (found[1] - 0.4).abs() < 1e-6,
            "{found:?}"
        );
        assert_eq!(solve(&[f64::NAN], &[1.0], 1e-9), [0.0]);
        assert!(solve(&[], &[], 1e-9).is_empty());
    }
}
