//! Ridge regression whose strength is chosen by leaving each object out in turn, which takes one
//! decomposition and no refitting.
//!
//! With the eigenvectors of the products of the columns (or of the rows, where these are fewer) the
//! fit and the leverage of every object are sums over eigenvalues for any strength, and the error
//! of an object left out is its error over one less its leverage (Hoerl and Kennard, Ridge
//! regression, 1970; Allen, The relationship between variable selection and data augmentation,
//! 1974).

use kinwood_machines::{Dense, factor};

/// A fitted ridge regression.
#[derive(Clone, Debug, PartialEq)]
pub struct Ridge {
    /// What is said where every column is 0.
    pub intercept: f64,
    /// The coefficient of each column; 0 of constant ones.
    pub coefficients: Vec<f64>,
    /// The mean of each column.
    pub means: Vec<f64>,
    /// The deviation of each column; 0 of constant ones.
    pub units: Vec<f64>,
    /// The squared errors of the objects, each left out in turn.
    pub squares: f64,
    /// The strength, in units of the weight of the objects.
    pub strength: f64,
}

/// The strengths tried, in units of the weight of the objects.
const STRENGTHS: [f64; 11] = [1e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0];

/// The ridge regression of a response on columns, each in units of its deviation.
pub fn ridge(
    columns: &[Vec<f64>],
    response: &[f64],
    weights: &[f64],
    strength: Option<f64>,
) -> Ridge {
    let objects = response.len();
    let total: f64 = weights.iter().sum();
    let mean = |numbers: &[f64]| -> f64 {
        let sum: f64 = numbers
            .iter()
            .zip(weights)
            .map(|(number, weight)| number * weight)
            .sum();
        sum / total
    };
    let means: Vec<f64> = columns.iter().map(|column| mean(column)).collect();
    let units: Vec<f64> = columns
        .iter()
        .zip(&means)
        .map(|(column, mean)| {
            let squares: f64 = column
                .iter()
                .zip(weights)
                .map(|(number, weight)| weight * (number - mean).powi(2))
                .sum();
            let unit = (squares / total).sqrt();
            if unit > 1e-9 * mean.abs() && unit > 0.0 {
                unit
            } else {
                0.0
            }
        })
        .collect();
    let used: Vec<usize> = (0..columns.len())
        .filter(|&place| units[place] > 0.0)
        .collect();
    let centre = mean(response);
    let roots: Vec<f64> = weights.iter().map(|weight| weight.sqrt()).collect();
    let answer: Vec<f64> = response
        .iter()
        .zip(&roots)
        .map(|(y, root)| (y - centre) * root)
        .collect();
    // Columns in units of their deviation, times the roots of the weights.
    let scaled: Vec<Vec<f64>> = used
        .iter()
        .map(|&place| {
            let each = columns[place].iter().zip(&roots);
            each.map(|(number, root)| (number - means[place]) / units[place] * root)
                .collect()
        })
        .collect();
    let parts = Parts::new(&scaled, &answer);
    let own: Vec<f64> = weights.iter().map(|weight| weight / total).collect();
    let tried: Vec<f64> = strength.map_or(STRENGTHS.to_vec(), |strength| vec![strength]);
    let mut best: Option<(f64, f64)> = None;
    for strength in tried {
        let squares = parts.left_out(&answer, &own, strength * total);
        if best.is_none_or(|best| squares < best.0 * (1.0 - 1e-12)) {
            best = Some((squares, strength));
        }
    }
    let (squares, strength) = best.unwrap_or((f64::INFINITY, 1.0));
    let slopes = parts.slopes(&scaled, strength * total);
    let mut coefficients = vec![0.0; columns.len()];
    for (&place, slope) in used.iter().zip(slopes) {
        coefficients[place] = slope / units[place];
    }
    let shift: f64 = coefficients
        .iter()
        .zip(&means)
        .map(|(c, mean)| c * mean)
        .sum();
    debug_assert_eq!(parts.loads.first().map_or(objects, Vec::len), objects);
    Ridge {
        intercept: centre - shift,
        coefficients,
        means,
        units,
        squares,
        strength,
    }
}

/// The columns by their principal parts.
struct Parts {
    /// For each part the object's loads on it, of length one.
    loads: Vec<Vec<f64>>,
    /// The eigenvalue of each.
    values: Vec<f64>,
    /// The response's share of each.
    shares: Vec<f64>,
}

impl Parts {
    fn new(columns: &[Vec<f64>], answer: &[f64]) -> Self {
        let objects = answer.len();
        let product = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        let few_columns = columns.len() <= objects;
        let size = columns.len().min(objects);
        let rows: Vec<Vec<f64>> = match few_columns {
            true => Vec::new(),
            false => (0..objects)
                .map(|object| columns.iter().map(|column| column[object]).collect())
                .collect(),
        };
        let vectors = if few_columns { columns } else { &rows };
        let mut matrix = vec![0.0; size * size];
        for a in 0..size {
            for b in 0..=a {
                let own = product(&vectors[a], &vectors[b]);
                matrix[a * size + b] = own;
                matrix[b * size + a] = own;
            }
        }
        let mut parts = Self {
            loads: Vec::new(),
            values: Vec::new(),
            shares: Vec::new(),
        };
        // No columns, and numbers too large for their products, have no parts.
        let Ok(found) = Dense::new(size, matrix).and_then(|matrix| factor::eigen(&matrix)) else {
            return parts;
        };
        let most = found.values.iter().copied().fold(0.0, f64::max);
        for (value, vector) in found
            .values
            .into_iter()
            .zip(found.vectors.chunks_exact(size))
        {
            if value <= 1e-12 * most {
                continue;
            }
            let loads = match few_columns {
                true => {
                    let mut loads = vec![0.0; objects];
                    for (column, part) in columns.iter().zip(vector) {
                        for (load, number) in loads.iter_mut().zip(column) {
                            *load += part * number;
                        }
                    }
                    let unit = value.sqrt();
                    loads.into_iter().map(|load| load / unit).collect()
                }
                false => vector.to_vec(),
            };
            parts.shares.push(product(&loads, answer));
            parts.loads.push(loads);
            parts.values.push(value);
        }
        parts
    }

    fn left_out(&self, answer: &[f64], own: &[f64], strength: f64) -> f64 {
        let mut errors = answer.to_vec();
        let mut leverage = own.to_vec();
        for ((loads, value), share) in self.loads.iter().zip(&self.values).zip(&self.shares) {
            let kept = value / (value + strength);
            for ((error, leverage), load) in errors.iter_mut().zip(&mut leverage).zip(loads) {
                *error -= kept * share * load;
                *leverage += kept * load * load;
            }
        }
        errors
            .iter()
            .zip(leverage)
            .map(|(error, leverage)| (error / (1.0 - leverage).max(1e-6)).powi(2))
            .sum()
    }

    fn slopes(&self, columns: &[Vec<f64>], strength: f64) -> Vec<f64> {
        let mut weighted = vec![0.0; self.loads.first().map_or(0, Vec::len)];
        for ((loads, value), share) in self.loads.iter().zip(&self.values).zip(&self.shares) {
            let by = share / (value + strength);
            for (sum, load) in weighted.iter_mut().zip(loads) {
                *sum += by * load;
            }
        }
        let slope = |column: &Vec<f64>| column.iter().zip(&weighted).map(|(x, by)| x * by).sum();
        columns.iter().map(slope).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kinwood_machines::least_squares::fit;

    /// Columns of random numbers, some of which tell of the response.
    fn data(objects: usize, columns: usize, seed: u64) -> (Vec<Vec<f64>>, Vec<f64>) {
        let mut random = kinwood_learning::random::Generator::new(seed, &[]);
        let columns: Vec<Vec<f64>> = (0..columns)
            .map(|_| (0..objects).map(|_| random.normal()).collect())
            .collect();
        let response = (0..objects)
            .map(|object| {
                3.0 + 2.0 * columns[0][object] - columns[1][object] + 0.1 * random.normal()
            })
            .collect();
        (columns, response)
    }

    fn predict(ridge: &Ridge, columns: &[Vec<f64>], object: usize) -> f64 {
        let each = columns.iter().zip(&ridge.coefficients);
        ridge.intercept + each.map(|(column, c)| column[object] * c).sum::<f64>()
    }

    #[test]
    fn leaving_out_is_what_refitting_gives() {
        for (objects, width) in [(12, 3), (8, 14)] {
            let (columns, response) = data(objects, width, 5);
            // Units are those of all objects in both, or the penalty would not be the same:
            // standardise first.
            let fitted = ridge(&columns, &response, &vec![1.0; objects], Some(0.3));
            let mut weights = vec![1.0; objects];
            weights[3] = 2.0;
            let doubled: Vec<Vec<f64>> = columns
                .iter()
                .map(|c| [c.clone(), vec![c[3]]].concat())
                .collect();
            let twice = [response.clone(), vec![response[3]]].concat();
            let a = ridge(&columns, &response, &weights, Some(0.3));
            let b = ridge(&doubled, &twice, &vec![1.0; objects + 1], Some(0.3));
            for (a, b) in a.coefficients.iter().zip(&b.coefficients) {
                assert!((a - b).abs() < 1e-9, "a weight of two is two objects");
            }
            assert!(fitted.squares > 0.0 && fitted.squares.is_finite());
        }
    }

    #[test]
    fn a_weak_ridge_is_least_squares_and_finds_the_law() {
        let (columns, response) = data(200, 4, 9);
        let fitted = ridge(&columns, &response, &vec![1.0; 200], None);
        assert!((fitted.coefficients[0] - 2.0).abs() < 0.05);
        assert!((fitted.coefficients[1] + 1.0).abs() < 0.05);
        let exact = ridge(&columns, &response, &vec![1.0; 200], Some(0.0));
        let views: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let plain = fit(&views, &response, &[1.0; 200]);
        assert!((exact.intercept - plain.intercept).abs() < 1e-9);
        for (a, b) in exact.coefficients.iter().zip(plain.coefficients) {
            assert!((a - b).abs() < 1e-9);
        }
        // Leaving out, by hand.
        let mut squares = 0.0;
        for left in 0..200 {
            let mut weights = vec![1.0; 200];
            weights[left] = 0.0;
            let others = fit(&views, &response, &weights);
            let without = Ridge {
                intercept: others.intercept,
                coefficients: others.coefficients,
                ..exact.clone()
            };
            squares += (response[left] - predict(&without, &columns, left)).powi(2);
        }
        assert!((exact.squares - squares).abs() < 1e-6 * squares);
    }

    #[test]
    fn constant_columns_say_nothing() {
        let response = [1.0, 2.0, 4.0];
        let fitted = ridge(&[vec![7.0; 3]], &response, &[1.0; 3], None);
        assert_eq!(fitted.coefficients, [0.0]);
        assert!((fitted.intercept - 7.0 / 3.0).abs() < 1e-12);
        let expected = crate::tree::prune::mean_left_out(14.0 / 3.0, 3.0);
        assert!((fitted.squares - expected).abs() < 1e-9);
    }
}
