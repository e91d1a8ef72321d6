//! What a choice is worth on new rows: it is repeated on rows drawn with repetition, and scored on
//! those that were not drawn.

use kinwood_learning::Context;
use rayon::prelude::*;

use super::losses::Losses;

/// How often it is repeated.
const REPEATS: u64 = 200;
/// Of more rows the best of a few candidates is hardly better than it will be.
const MOST_ROWS: usize = 50_000;
/// The stream of random numbers.
const DRAWN: u64 = 0xBB_C0;

/// The loss that the candidate of least loss will have on new rows; `None` where there is too
/// little to tell. All candidates were tried on the same rows.
pub fn of_choice(candidates: &[&Losses], context: &Context) -> Option<f64> {
    let rows = candidates.first()?.len();
    if !(10..=MOST_ROWS).contains(&rows) {
        return None;
    }
    let table: Vec<Vec<(f64, f64)>> = candidates
        .iter()
        .map(|losses| losses.values().copied().collect())
        .collect();
    let one = |repeat: u64| -> Option<(f64, f64)> {
        let mut generator = context.generator(&[DRAWN, repeat]);
        let mut drawn = vec![0.0; rows];
        (0..rows).for_each(|_| drawn[generator.below(rows)] += 1.0);
        let inside = |losses: &Vec<(f64, f64)>| -> f64 {
            let each = losses.iter().zip(&drawn);
            each.map(|((loss, weight), drawn)| loss * weight * drawn)
                .sum()
        };
        let sums: Vec<f64> = table.iter().map(inside).collect();
        let best = (0..sums.len()).min_by(|&a, &b| sums[a].total_cmp(&sums[b]))?;
        let outside = table[best]
            .iter()
            .zip(&drawn)
            .filter(|(_, drawn)| **drawn == 0.0);
        Some(
            outside.fold((0.0, 0.0), |(sum, total), ((loss, weight), _)| {
                (sum + loss * weight, total + weight)
            }),
        )
    };
    let parts: Vec<Option<(f64, f64)>> = (0..REPEATS).into_par_iter().map(one).collect();
    let (sum, total) = parts
        .into_iter()
        .flatten()
        .filter(|(_, total)| *total > 0.0)
        .fold((0.0, 0.0), |(sum, count), (own, total)| {
            (sum + own / total, count + 1.0)
        });
    (total > 0.0).then(|| sum / total)
}
