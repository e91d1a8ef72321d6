//! Medoids and spreads against their definitions, written out.

use crate::tree::response::Examples;
use proptest::prelude::*;

use super::*;

/// A response of some series with a distance by a table, as `of_target` makes it.
fn response(rows: &[Vec<f64>], places: Vec<u32>, distance: &str) -> MedoidSeries {
    let Some(Series::Medoid(candidates)) = Series::new(rows.to_vec(), distance) else {
        panic!("a distance of series");
    };
    MedoidSeries {
        places,
        squares: candidates.squares(),
        count: candidates.rows().len(),
        scale: 1.0,
        slack: 0.0,
    }
}

/// Dynamic time warping by recursion.
fn warped(a: &[f64], b: &[f64]) -> f64 {
    fn squared(a: &[f64], b: &[f64]) -> f64 {
        let (Some((x, before_a)), Some((y, before_b))) = (a.split_last(), b.split_last()) else {
            return if a.len() == b.len() {
                0.0
            } else {
                f64::INFINITY
            };
        };
        let before = squared(before_a, b)
            .min(squared(a, before_b))
            .min(squared(before_a, before_b));
        before + (x - y).powi(2)
    }
    squared(a, b)
}

kinwood_testing::soak! { 256;
    fn soak_medoids_and_spreads_are_as_defined(
        rows in prop::collection::vec(prop::collection::vec((-3i8..3).prop_map(f64::from), 1..5), 1..7),
        chosen in prop::collection::vec((0usize..7, 1u8..4), 1..12),
    ) {
        let mut distinct: Vec<Vec<f64>> = Vec::new();
        for row in &rows {
            if !distinct.contains(row) {
                distinct.push(row.clone());
            }
        }
        let chosen: Vec<(usize, f64)> = chosen
            .into_iter()
            .map(|(place, weight)| (place % distinct.len(), f64::from(weight)))
            .collect();
        let places: Vec<u32> = chosen.iter().map(|choice| choice.0 as u32).collect();
        let response = response(&rows, places, "dtw");
        let all: Vec<u32> = (0..chosen.len() as u32).collect();
        let local = response.gather(&all);
        let mut summary = response.empty();
        // More than stays is added, and taken away again.
        for (place, (_, weight)) in chosen.iter().enumerate() {
            response.add(&mut summary, &local, place, *weight);
            response.add(&mut summary, &local, 0, 2.0);
        }
        for _ in &chosen {
            response.remove(&mut summary, &local, 0, 2.0);
        }
        let total: f64 = chosen.iter().map(|choice| choice.1).sum();
        let sum = |place: usize| -> f64 {
            let each = chosen.iter();
            each.map(|(other, weight)| weight * warped(&distinct[place], &distinct[*other])).sum()
        };
        let pairs: f64 = chosen.iter().map(|(place, weight)| weight * sum(*place)).sum();
        prop_assert!((response.spread(&summary) - pairs / (2.0 * total)).abs() < 1e-9);
        let mut naive: Option<(usize, f64)> = None;
        for place in 0..distinct.len() {
            let here = chosen.iter().any(|choice| choice.0 == place);
            if here && naive.is_none_or(|(_, least)| sum(place) < least - 1e-9) {
                naive = Some((place, sum(place)));
            }
        }
        let (place, squares) = naive.unwrap();
        let answers = response.answers(&Examples {
            rows: &[],
            weights: None,
            whole: &summary,
        });
        let numbers = answers[0].numbers();
        // Of equally good ones rounding may choose another.
        prop_assert!((sum(numbers[3] as usize) - squares).abs() < 1e-6, "{numbers:?} {place}");
        prop_assert!((numbers[1] - squares).abs() < 1e-6);
        prop_assert!((numbers[0] - total).abs() < 1e-9);
    }

    fn soak_the_spread_of_points_is_half_their_mean_squared_distance(
        rows in prop::collection::vec(prop::collection::vec((-9i8..9).prop_map(f64::from), 3), 1..9),
    ) {
        let mut sums = PointSums::empty(3);
        rows.iter().for_each(|row| sums.add(row, 1.0));
        let squared = |a: &Vec<f64>, b: &Vec<f64>| -> f64 {
            a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum()
        };
        let pairs: f64 = rows.iter().flat_map(|a| rows.iter().map(move |b| squared(a, b))).sum();
        let naive = pairs / (2.0 * rows.len() as f64);
        prop_assert!((sums.deviations() - naive).abs() < 1e-9);
    }
}
