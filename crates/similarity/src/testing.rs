//! Checks that anyone can call on their own distance or kernel: it has the laws it claims, and all
//! ways to compute it agree.

use std::fmt::Debug;

use kinwood_values::{Column, Value};

use crate::distance::Distance;
use crate::error::Error;
use crate::gaps::Gaps;
use crate::laws::Laws;
use crate::measure::{Bound, DistanceOn, KernelOn};
use crate::pairs::Pairs;
use crate::registry::Registry;
use crate::score::{Score, TermSize};

/// What a measure claims and does not keep.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Broken {
    /// Something is not at zero from itself.
    #[error("claims zero on self: {value} is at {found} from itself")]
    ZeroOnSelf {
        /// The value.
        value: String,
        /// Its distance.
        found: String,
    },
    /// Different things are at zero.
    #[error("claims to separate: {a} and {b} are at 0")]
    Separates {
        /// The one.
        a: String,
        /// The other.
        b: String,
    },
    /// The directions differ.
    #[error("claims symmetry: {a} to {b} is {forth}, back it is {back}")]
    Symmetric {
        /// The one.
        a: String,
        /// The other.
        b: String,
        /// From the one.
        forth: String,
        /// From the other.
        back: String,
    },
    /// A detour is shorter.
    #[error("claims the triangle: {a} to {c} is {straight}, by way of {b} it is {detour}")]
    Triangle {
        /// From.
        a: String,
        /// By way of.
        b: String,
        /// To.
        c: String,
        /// The distance.
        straight: String,
        /// The detour.
        detour: String,
    },
    /// A distance below zero, or none at all.
    #[error("{a} and {b} are at {found}, which is no distance")]
    NoDistance {
        /// The one.
        a: String,
        /// The other.
        b: String,
        /// What came out.
        found: String,
    },
    /// Two ways to the same number differ.
    #[error("{a} and {b}: {one} by one way ({way}), {other} by another")]
    Routes {
        /// The one.
        a: String,
        /// The other.
        b: String,
        /// Which way.
        way: &'static str,
        /// What it gives.
        one: String,
        /// What the other gives.
        other: String,
    },
    /// A kernel that is no inner product.
    #[error(
        "claims to be positive semi-definite: the matrix of {values} has a negative pivot {pivot}"
    )]
    PositiveSemidefinite {
        /// The values.
        values: String,
        /// The pivot.
        pivot: f64,
    },
    /// The measure could not be computed.
    #[error(transparent)]
    Error(#[from] Error),
}

/// Scores up to rounding.
trait Nearly: Score {
    fn at_most(self, other: Self) -> bool;
    fn sound(self) -> bool;
    fn nothing(self) -> bool;
}

/// What rounding may do, relative to the numbers at hand.
const TOLERANCE: f64 = 1e-9;

impl Nearly for f64 {
    fn at_most(self, other: Self) -> bool {
        self <= other + TOLERANCE * (1.0 + self.abs().max(other.abs()))
    }

    fn sound(self) -> bool {
        self >= 0.0 && self.is_finite()
    }

    fn nothing(self) -> bool {
        self == 0.0
    }
}

impl Nearly for TermSize {
    fn at_most(self, other: Self) -> bool {
        self <= other
    }

    fn sound(self) -> bool {
        self >= TermSize::zero()
    }

    fn nothing(self) -> bool {
        self == TermSize::zero()
    }
}

/// Checks the laws that a distance claims on all pairs and triples of these values.
pub fn check_laws<T: PartialEq + Debug>(
    distance: &impl Distance<T, Score = f64>,
    values: &[T],
) -> Result<(), Broken> {
    let matrix: Vec<Vec<f64>> = values
        .iter()
        .map(|a| values.iter().map(|b| distance.between(a, b)).collect())
        .collect();
    let names: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
    laws_hold(distance.laws(), &matrix, &names, |i, j| {
        values[i] == values[j]
    })?;
    for (i, a) in values.iter().enumerate() {
        for (j, b) in values.iter().enumerate() {
            let full = matrix[i][j];
            for bound in [full, full / 2.0, full * 2.0 + 1.0] {
                let expected = (full <= bound).then_some(full);
                let found = distance.within(a, b, bound);
                if found != expected {
                    return Err(routes(&names, i, j, "within a bound", found, expected));
                }
            }
        }
    }
    Ok(())
}

fn routes<O: Debug>(
    names: &[String],
    i: usize,
    j: usize,
    way: &'static str,
    one: O,
    other: O,
) -> Broken {
    Broken::Routes {
        a: names[i].clone(),
        b: names[j].clone(),
        way,
        one: format!("{one:?}"),
        other: format!("{other:?}"),
    }
}

fn laws_hold<S: Nearly>(
    laws: Laws,
    matrix: &[Vec<S>],
    names: &[String],
    equal: impl Fn(usize, usize) -> bool,
) -> Result<(), Broken> {
    let name = |i: usize| names[i].clone();
    let show = |score: S| format!("{score:?}");
    let all = || 0..matrix.len();
    for i in all() {
        for j in all() {
            let found = matrix[i][j];
            if !found.sound() {
                return Err(Broken::NoDistance {
                    a: name(i),
                    b: name(j),
                    found: show(found),
                });
            }
            if i == j && laws.zero_on_self && !found.nothing() {
                return Err(Broken::ZeroOnSelf {
                    value: name(i),
                    found: show(found),
                });
            }
            if laws.separates && found.nothing() && !equal(i, j) {
                return Err(Broken::Separates {
                    a: name(i),
                    b: name(j),
                });
            }
            let back = matrix[j][i];
            if laws.symmetric && !(found.at_most(back) && back.at_most(found)) {
                return Err(Broken::Symmetric {
                    a: name(i),
                    b: name(j),
                    forth: show(found),
                    back: show(back),
                });
            }
            for k in all().filter(|_| laws.triangle) {
                let detour = matrix[i][k].plus(matrix[k][j]);
                if !found.at_most(detour) {
                    return Err(Broken::Triangle {
                        a: name(i),
                        b: name(k),
                        c: name(j),
                        straight: show(found),
                        detour: show(detour),
                    });
                }
            }
        }
    }
    Ok(())
}

/// Checks a distance on these values: its laws, and that whole rows, parts of rows, single pairs,
/// bounds and the printed expression all give the same.
pub fn check_distance(
    registry: &Registry,
    distance: &DistanceOn,
    values: &[Value],
) -> Result<(), Broken> {
    let column = Column::from_values(distance.of(), values).map_err(|_| Error::TwoTypes {
        first: distance.of().to_string(),
        second: "values of another type".to_owned(),
    })?;
    let names: Vec<String> = values.iter().map(Value::to_string).collect();
    let equal = |i: usize, j: usize| values[i] == values[j];
    let printed = distance.expression().to_string();
    let again = registry.distance(&printed.parse()?, distance.of(), None, "the values")?;
    match (
        distance.bind(&column, &column)?,
        again.bind(&column, &column)?,
    ) {
        (Bound::Real(pairs), Bound::Real(again)) => {
            let matrix = all_routes(&*pairs, &*again, &names)?;
            laws_hold(pairs.laws(), &matrix, &names, equal)?;
            // What is stated without the data holds on the data.
            match distance.laws_with(Gaps::of(values)) {
                Some(stated) => laws_hold(stated, &matrix, &names, equal),
                None => Ok(()),
            }
        }
        (Bound::Term(pairs), Bound::Term(again)) => {
            let matrix = all_routes(&*pairs, &*again, &names)?;
            laws_hold(pairs.laws(), &matrix, &names, equal)
        }
        _ => Err(routes(&names, 0, 0, "printed", "numbers", "pairs")),
    }
}

fn all_routes<S: Nearly + PartialEq>(
    pairs: &dyn Pairs<S>,
    again: &dyn Pairs<S>,
    names: &[String],
) -> Result<Vec<Vec<S>>, Broken> {
    let count = names.len();
    let rows = |pairs: &dyn Pairs<S>| -> Vec<Vec<S>> {
        (0..count)
            .map(|query| {
                let mut out = vec![S::zero(); count];
                pairs.prepare(query).fill(0..count, &mut out);
                out
            })
            .collect()
    };
    let (matrix, printed) = (rows(pairs), rows(again));
    for i in 0..count {
        let row = pairs.prepare(i);
        for j in 0..count {
            let full = matrix[i][j];
            let differ = |way, other: S| Err(routes(names, i, j, way, full, other));
            if printed[i][j] != full {
                return differ("printed and read again", printed[i][j]);
            }
            let mut one = [S::zero()];
            row.fill(j..j + 1, &mut one);
            if one[0] != full {
                return differ("a row of one", one[0]);
            }
            match row.within(j, full) {
                Some(found) if found == full => {}
                Some(found) => return differ("within itself", found),
                None => return differ("within itself gives up", full),
            }
            // A bound that another pair sets: larger or smaller, the answer is the same or none.
            let bound = matrix[j][(i + 1) % count];
            let expected = full.compare(&bound).is_le().then_some(full);
            if row.within(j, bound) != expected {
                return differ("within a bound", bound);
            }
        }
    }
    Ok(matrix)
}

/// Checks a kernel on these values: the diagonal, the printed expression and, where claimed, that
/// the matrix is symmetric and positive semi-definite.
pub fn check_kernel(
    registry: &Registry,
    kernel: &KernelOn,
    values: &[Value],
) -> Result<(), Broken> {
    let column = Column::from_values(kernel.of(), values).map_err(|_| Error::TwoTypes {
        first: kernel.of().to_string(),
        second: "values of another type".to_owned(),
    })?;
    let names: Vec<String> = values.iter().map(Value::to_string).collect();
    let count = values.len();
    let matrix_of = |kernel: &KernelOn| -> Result<Vec<Vec<f64>>, Error> {
        let gram = kernel.bind(&column, &column)?;
        Ok((0..count)
            .map(|query| {
                let mut out = vec![0.0; count];
                gram.prepare(query).fill(0..count, &mut out);
                out
            })
            .collect())
    };
    let matrix = matrix_of(kernel)?;
    let printed = kernel.expression().to_string();
    let again = registry.kernel(&printed.parse()?, kernel.of(), None, "the values")?;
    let printed = matrix_of(&again)?;
    let diagonal = kernel.diagonal(&column)?;
    let near = |a: f64, b: f64| (a - b).abs() <= TOLERANCE * (1.0 + a.abs().max(b.abs()));
    for i in 0..count {
        if !near(diagonal[i], matrix[i][i]) {
            return Err(routes(
                &names,
                i,
                i,
                "the diagonal",
                diagonal[i],
                matrix[i][i],
            ));
        }
        for j in 0..count {
            if matrix[i][j] != printed[i][j] {
                let found = printed[i][j];
                return Err(routes(
                    &names,
                    i,
                    j,
                    "printed and read again",
                    found,
                    matrix[i][j],
                ));
            }
            if kernel.laws().symmetric && !near(matrix[i][j], matrix[j][i]) {
                return Err(routes(&names, i, j, "back", matrix[i][j], matrix[j][i]));
            }
        }
    }
    if kernel.laws().positive_semidefinite
        && let Some(pivot) = negative_pivot(matrix)
    {
        return Err(Broken::PositiveSemidefinite {
            values: names.join(", "),
            pivot,
        });
    }
    Ok(())
}

/// The first pivot of a symmetric matrix that is negative beyond rounding: there is none if it is
/// an inner product.
fn negative_pivot(mut matrix: Vec<Vec<f64>>) -> Option<f64> {
    let count = matrix.len();
    let scale = (0..count).map(|i| matrix[i][i].abs()).fold(0.0, f64::max);
    let noise = 1e-8 * scale.max(f64::MIN_POSITIVE);
    let mut left: Vec<usize> = (0..count).collect();
    while !left.is_empty() {
        // The largest pivot first: what is left of a semi-definite matrix when it is small is small
        // everywhere.
        let (place, &k) = left
            .iter()
            .enumerate()
            .max_by(|(_, a), (_, b)| matrix[**a][**a].total_cmp(&matrix[**b][**b]))?;
        let pivot = matrix[k][k];
        if pivot < -noise {
            return Some(pivot);
        }
        if pivot <= noise {
            // No direction is left: whatever else is left must be small as well.
            for &i in &left {
                for &j in &left {
                    if matrix[i][j].abs() > 1e4 * noise {
                        return Some(-matrix[i][j].abs());
                    }
                }
            }
            return None;
        }
        left.swap_remove(place);
        for &i in &left {
            let factor = matrix[i][k] / pivot;
            for &j in &left {
                let taken = factor * matrix[k][j];
                matrix[i][j] -= taken;
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distances::nominal::Discrete;

    struct Claims(fn(f64, f64) -> f64);

    impl Distance<f64> for Claims {
        type Score = f64;

        fn between(&self, a: &f64, b: &f64) -> f64 {
            (self.0)(*a, *b)
        }

        fn laws(&self) -> Laws {
            Laws::METRIC
        }
    }

    #[test]
    fn false_claims_are_found() {
        let numbers = [0.0, 1.0, 2.0, 5.0];
        assert_eq!(check_laws(&Discrete, &numbers), Ok(()));
        let broken = |between| check_laws(&Claims(between), &numbers).unwrap_err();
        assert!(matches!(
            broken(|a, b| (a - b) * (a - b)),
            Broken::Triangle { .. }
        ));
        assert!(matches!(broken(|_, _| 1.0), Broken::ZeroOnSelf { .. }));
        assert!(matches!(broken(|_, _| 0.0), Broken::Separates { .. }));
        assert!(matches!(broken(|a, b| a - b), Broken::NoDistance { .. }));
        assert!(matches!(
            broken(|a, b| if a < b { b - a } else { 2.0 * (a - b) }),
            Broken::Symmetric { .. }
        ));
    }

    #[test]
    fn an_indefinite_matrix_is_found() {
        let definite = vec![vec![2.0, 1.0], vec![1.0, 2.0]];
        assert_eq!(negative_pivot(definite), None);
        let semidefinite = vec![vec![1.0, 1.0], vec![1.0, 1.0]];
        assert_eq!(negative_pivot(semidefinite), None);
        let indefinite = vec![vec![1.0, 2.0], vec![2.0, 1.0]];
        assert_eq!(negative_pivot(indefinite), Some(-3.0));
        let hollow = vec![vec![0.0, 1.0], vec![1.0, 0.0]];
        assert!(negative_pivot(hollow).is_some());
    }
}
