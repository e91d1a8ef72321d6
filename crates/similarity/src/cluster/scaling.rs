//! Classical scaling: points in the plane whose distances are as near as can be to those given.
//!
//! The largest eigenvectors of the centred matrix of squares, by orthogonal iteration from a fixed
//! start. Reference: Torgerson, *Multidimensional scaling: I. Theory and method*, Psychometrika 17,
//! 1952.

use rayon::prelude::*;

use crate::matrix::Condensed;

/// A picture of things.
#[derive(Clone, Debug, PartialEq)]
pub struct Scaled {
    /// A point for each thing.
    pub points: Vec<[f64; 2]>,
    /// The share of the spread that the picture shows, 0 to 1.
    pub shown: f64,
}

/// Directions iterated: more than are wanted, which makes those wanted settle sooner.
const DIRECTIONS: usize = 6;
const ROUNDS: usize = 300;

/// Places things in the plane.
pub fn scale(matrix: &Condensed) -> Scaled {
    let count = matrix.len();
    if count < 2 {
        return Scaled {
            points: vec![[0.0; 2]; count],
            shown: 1.0,
        };
    }
    let square = |a: usize, b: usize| matrix.get(a, b).powi(2);
    let means: Vec<f64> = (0..count)
        .into_par_iter()
        .map(|a| (0..count).map(|b| square(a, b)).sum::<f64>() / count as f64)
        .collect();
    let mean = means.iter().sum::<f64>() / count as f64;
    let centred = |a: usize, b: usize| -0.5 * (square(a, b) - means[a] - means[b] + mean);
    let times = |vector: &[f64]| -> Vec<f64> {
        (0..count)
            .into_par_iter()
            .map(|a| (0..count).map(|b| centred(a, b) * vector[b]).sum())
            .collect()
    };
    // The matrix may have negative eigenvalues, as large as its rows; shifted by those, the wanted
    // come first.
    let norm = (0..count)
        .into_par_iter()
        .map(|a| (0..count).map(|b| centred(a, b).abs()).sum::<f64>())
        .collect::<Vec<f64>>()
        .into_iter()
        .fold(0.0, f64::max);
    if norm == 0.0 {
        return Scaled {
            points: vec![[0.0; 2]; count],
            shown: 1.0,
        };
    }
    let directions = DIRECTIONS.min(count);
    let mut basis: Vec<Vec<f64>> = (0..directions)
        .map(|d| {
            let wave = |i: usize| ((i * (d + 1)) as f64 * 0.754_877_666 + d as f64).sin();
            (0..count).map(wave).collect()
        })
        .collect();
    orthonormal(&mut basis);
    let smallest = smallest_eigenvalue(&times, &basis[0], norm);
    let shift = (-smallest).max(0.0);
    let mut values = vec![0.0; directions];
    for _ in 0..ROUNDS {
        let images: Vec<Vec<f64>> = basis.iter().map(|vector| times(vector)).collect();
        let before = values.clone();
        for (value, (vector, image)) in values.iter_mut().zip(basis.iter().zip(&images)) {
            *value = dot(vector, image);
        }
        basis = basis
            .iter()
            .zip(images)
            .map(|(vector, image)| {
                image
                    .iter()
                    .zip(vector)
                    .map(|(i, v)| i + shift * v)
                    .collect()
            })
            .collect();
        orthonormal(&mut basis);
        let moved = values.iter().zip(&before).take(2);
        if moved.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) <= 1e-10 * norm {
            break;
        }
    }
    let mut order: Vec<usize> = (0..directions).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]).then(a.cmp(&b)));
    let axis = |rank: usize| -> Vec<f64> {
        let Some(&of) = order.get(rank) else {
            return vec![0.0; count];
        };
        let length = values[of].max(0.0).sqrt();
        let vector = &basis[of];
        // A direction has no sign of its own: the largest part is put on the positive side.
        let largest = vector.iter().copied().fold(0.0, |most: f64, x| {
            if x.abs() > most.abs() + 1e-12 {
                x
            } else {
                most
            }
        });
        vector
            .iter()
            .map(|x| x * length * largest.signum())
            .collect()
    };
    let (x, y) = (axis(0), axis(1));
    let all: f64 = (0..count).map(|a| centred(a, a)).sum();
    let shown: f64 = order.iter().take(2).map(|&of| values[of].max(0.0)).sum();
    Scaled {
        points: x.into_iter().zip(y).map(|(x, y)| [x, y]).collect(),
        shown: if all > 0.0 {
            (shown / all).min(1.0)
        } else {
            1.0
        },
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Makes the vectors orthogonal and of length 1; one that vanishes becomes another.
fn orthonormal(vectors: &mut [Vec<f64>]) {
    for i in 0..vectors.len() {
        // Twice is enough to be exact.
        for _ in 0..2 {
            for j in 0..i {
                let (done, rest) = vectors.split_at_mut(i);
                let along = dot(&done[j], &rest[0]);
                for (x, d) in rest[0].iter_mut().zip(&done[j]) {
                    *x -= along * d;
                }
            }
        }
        let length = dot(&vectors[i], &vectors[i]).sqrt();
        if length > 1e-150 {
            vectors[i].iter_mut().for_each(|x| *x /= length);
        } else {
            let spare = i % vectors[i].len();
            vectors[i].fill(0.0);
            vectors[i][spare] = 1.0;
        }
    }
}

/// Power iteration on the matrix shifted down, so that its lowest end is its largest.
fn smallest_eigenvalue(times: &dyn Fn(&[f64]) -> Vec<f64>, start: &[f64], norm: f64) -> f64 {
    let mut vector = start.to_vec();
    let mut value = 0.0;
    for _ in 0..60 {
        let image = times(&vector);
        value = dot(&vector, &image);
        let next: Vec<f64> = image
            .iter()
            .zip(&vector)
            .map(|(i, v)| i - norm * v)
            .collect();
        let length = dot(&next, &next).sqrt();
        if length <= 1e-300 {
            break;
        }
        vector = next.into_iter().map(|x| x / length).collect();
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::medoids::tests::matrix;

    #[test]
    fn points_on_a_line_stay_on_a_line() {
        let numbers = [0.0, 1.0, 4.0, 9.0, 2.5];
        let scaled = scale(&matrix(&numbers));
        assert!((scaled.shown - 1.0).abs() < 1e-9);
        for (i, a) in scaled.points.iter().enumerate() {
            assert!(a[1].abs() < 1e-4);
            for (j, b) in scaled.points.iter().enumerate() {
                let found = (a[0] - b[0]).hypot(a[1] - b[1]);
                assert!((found - (numbers[i] - numbers[j]).abs()).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn nothing_apart_is_one_point() {
        let scaled = scale(&matrix(&[3.0, 3.0, 3.0]));
        assert_eq!(scaled.points, [[0.0; 2]; 3]);
    }
}
