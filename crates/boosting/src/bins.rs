//! Values in bins: each feature as one byte a row.
//!
//! A number's bin is how many of the cuts lie below it; a label's its place among those kept. What
//! is missing has the bin behind the others. There are two copies: by column, to divide rows, and
//! by row in tiles of a few columns, to add up histograms while a row is in the cache.

use rayon::prelude::*;

use super::features::{Features, InputKind, Reader};

/// The most bins of known values; one more is for those that are missing.
pub const MOST_BINS: usize = 255;
/// Columns that are added up together: their histograms fit into a cache.
pub const TILE: usize = 24;
/// Cuts are found on so many rows at most.
const SAMPLED: usize = 200_000;

/// How the values of a feature are put into bins.
#[derive(Clone, Debug, PartialEq)]
pub enum Cuts {
    /// Numbers, by cuts that rise.
    Numbers(Vec<f64>),
    /// Labels, by code.
    Labels(usize),
}

impl Cuts {
    /// The number of bins of known values, which is the bin of the missing ones.
    pub fn bins(&self) -> usize {
        match self {
            Cuts::Numbers(cuts) => cuts.len() + 1,
            Cuts::Labels(count) => *count,
        }
    }
}

/// Rows in bins.
pub struct Binned {
    /// By feature.
    pub cuts: Vec<Cuts>,
    /// By feature: of which label each bin is; empty for numbers.
    pub labels: Vec<Vec<u32>>,
    /// By feature and row.
    pub columns: Vec<Vec<u8>>,
    /// The same by row.
    pub tiles: Vec<Tile>,
    /// By feature: where its cells begin in a histogram, and their end.
    pub offsets: Vec<usize>,
}

/// A few columns, a row after the other.
pub struct Tile {
    /// The first feature.
    pub first: usize,
    /// How many.
    pub width: usize,
    /// The bins.
    pub bytes: Vec<u8>,
}

impl Binned {
    /// Puts rows into at most so many bins a feature; their weights, 0 for those that do not count,
    /// decide where the cuts are.
    pub fn new(features: &Features, readers: &[Reader<'_>], weights: &[f64], most: usize) -> Self {
        let rows = weights.len();
        let counted: Vec<u32> = sampled(weights);
        let binned: Vec<(Cuts, Vec<u32>, Vec<u8>)> = (0..features.all.len())
            .into_par_iter()
            .map(|feature| {
                let values = whole(readers, feature);
                match features.is_label(feature) {
                    false => {
                        let cuts = cuts(&values, &counted, weights, most);
                        let codes = codes(&values, &cuts);
                        (Cuts::Numbers(cuts), Vec::new(), codes)
                    }
                    true => {
                        let count = features.labels(feature);
                        let kept = kept_labels(&values, weights, count);
                        let mut bin = vec![kept.len() as u8; count];
                        for (place, &label) in kept.iter().enumerate() {
                            bin[label as usize] = place as u8;
                        }
                        let missing = kept.len() as u8;
                        let code = |value: &f64| match value.is_nan() {
                            true => missing,
                            false => bin[*value as usize],
                        };
                        let codes = values.iter().map(code).collect();
                        (Cuts::Labels(kept.len()), kept, codes)
                    }
                }
            })
            .collect();
        let (mut cuts, mut labels, mut columns) = (Vec::new(), Vec::new(), Vec::new());
        for (own, kept, codes) in binned {
            cuts.push(own);
            labels.push(kept);
            columns.push(codes);
        }
        let mut offsets = vec![0];
        for cuts in &cuts {
            offsets.push(offsets[offsets.len() - 1] + cuts.bins() + 1);
        }
        let tiles = (0..columns.len())
            .step_by(TILE)
            .map(|first| tile(&columns, first, rows))
            .collect();
        Self {
            cuts,
            labels,
            columns,
            tiles,
            offsets,
        }
    }

    /// Notes in the features which labels have no bin of their own.
    pub fn note_rare(&self, features: &mut Features) {
        for (feature, kept) in features.all.iter().zip(&self.labels) {
            let input = &mut features.inputs[feature.input as usize];
            if let InputKind::Labels { labels, rare } = &mut input.kind {
                let all = 0..labels.len() as u32;
                *rare = all
                    .filter(|label| kept.binary_search(label).is_err())
                    .collect();
            }
        }
    }

    /// How many cells a histogram has.
    pub fn cells(&self) -> usize {
        self.offsets.last().copied().unwrap_or(0)
    }
}

/// The values of a feature for all rows.
fn whole(readers: &[Reader<'_>], feature: usize) -> Vec<f64> {
    let mut values = vec![0.0; readers.iter().map(Reader::len).sum()];
    let mut rest = values.as_mut_slice();
    for reader in readers {
        let (own, others) = rest.split_at_mut(reader.len());
        reader.fill(feature, 0, 1, own);
        rest = others;
    }
    values
}

fn tile(columns: &[Vec<u8>], first: usize, rows: usize) -> Tile {
    let width = TILE.min(columns.len() - first);
    let mut bytes = vec![0; rows * width];
    const BLOCK: usize = 4096;
    bytes
        .par_chunks_mut(BLOCK * width)
        .enumerate()
        .for_each(|(block, out)| {
            for (place, column) in columns[first..first + width].iter().enumerate() {
                let own = &column[block * BLOCK..];
                for (row, &bin) in out.chunks_exact_mut(width).zip(own) {
                    row[place] = bin;
                }
            }
        });
    Tile {
        first,
        width,
        bytes,
    }
}

/// The rows that count, or so many of them, chosen by a mix of their places.
fn sampled(weights: &[f64]) -> Vec<u32> {
    let counted = (0..weights.len() as u32).filter(|&row| weights[row as usize] > 0.0);
    let mut counted: Vec<u32> = counted.collect();
    if counted.len() > SAMPLED {
        let least = (SAMPLED as f64 / counted.len() as f64 * u32::MAX as f64) as u32;
        counted.retain(|&row| {
            row.wrapping_mul(0x9E37_79B1)
                .rotate_left(15)
                .wrapping_mul(0x85EB_CA77)
                < least
        });
    }
    counted
}

/// Cuts between numbers: between all neighbours where they are few, else such that the bins weigh
/// about the same.
fn cuts(values: &[f64], rows: &[u32], weights: &[f64], most: usize) -> Vec<f64> {
    let known = rows
        .iter()
        .map(|&row| (values[row as usize], weights[row as usize]));
    let mut known: Vec<(f64, f64)> = known.filter(|(value, _)| !value.is_nan()).collect();
    known.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    // Each value once, with its weight; -0 and 0 are one value.
    let mut distinct: Vec<(f64, f64)> = Vec::new();
    for (value, weight) in known {
        match distinct.last_mut() {
            Some((last, sum)) if *last == value => *sum += weight,
            _ => distinct.push((value, weight)),
        }
    }
    let chosen: Vec<usize> = match distinct.len() <= most {
        true => (1..distinct.len()).collect(),
        false => balanced(&distinct, most),
    };
    let middle = |place: usize| {
        let (below, above) = (distinct[place - 1].0, distinct[place].0);
        let middle = below / 2.0 + above / 2.0;
        // Neighbours with nothing between them: a value above the lower one is the upper one.
        match middle >= above || middle < below {
            true => below,
            false => middle,
        }
    };
    let cuts = chosen.into_iter().map(middle);
    cuts.filter(|cut| cut.is_finite()).collect()
}

/// Where bins of about the same weight begin; a value that is heavier than a bin has its own.
fn balanced(distinct: &[(f64, f64)], most: usize) -> Vec<usize> {
    let mut left: f64 = distinct.iter().map(|(_, weight)| weight).sum();
    let mut bins = most;
    let share = left / bins as f64;
    let heavy = |place: usize| distinct[place].1 >= share;
    for &(_, weight) in distinct.iter().filter(|(_, weight)| *weight >= share) {
        left -= weight;
        bins -= 1;
    }
    let mut mean = left / bins.max(1) as f64;
    let mut chosen = Vec::new();
    let mut own = 0.0;
    for (place, &(_, weight)) in distinct.iter().enumerate() {
        if chosen.len() + 2 > most {
            break;
        }
        own += weight;
        if !heavy(place) {
            left -= weight;
        }
        let next_is_heavy = place + 1 < distinct.len() && heavy(place + 1);
        if heavy(place) || own >= mean || (next_is_heavy && own >= (mean * 0.5).max(1.0)) {
            if place + 1 < distinct.len() {
                chosen.push(place + 1);
            }
            own = 0.0;
            if !heavy(place) {
                bins = bins.saturating_sub(1);
                mean = left / bins.max(1) as f64;
            }
        }
    }
    chosen
}

/// The bin of each value.
fn codes(values: &[f64], cuts: &[f64]) -> Vec<u8> {
    let missing = cuts.len() as u8 + 1;
    let mut padded = [f64::INFINITY; 256];
    padded[..cuts.len()].copy_from_slice(cuts);
    let code = |value: &f64| -> u8 {
        if value.is_nan() {
            return missing;
        }
        // How many cuts lie below, by halving 255 of them.
        let mut below = 0_usize;
        for step in [128, 64, 32, 16, 8, 4, 2, 1] {
            if *value > padded[below + step - 1] {
                below += step;
            }
        }
        below as u8
    };
    values.iter().map(code).collect()
}

/// A label has a bin of its own if so many rows have it: the sums of fewer tell which rows they are
/// rather than what the label means. Of few rows in all, a twentieth is enough.
const FEWEST_ROWS: usize = 5;
const ROWS_A_LABEL: usize = 20;

/// The labels that have a bin of their own, rising: all that occur, or the heaviest.
fn kept_labels(values: &[f64], weights: &[f64], count: usize) -> Vec<u32> {
    let (mut sums, mut counts) = (vec![0.0; count], vec![0; count]);
    let mut rows = 0;
    for (value, weight) in values.iter().zip(weights) {
        rows += usize::from(*weight > 0.0);
        if !value.is_nan() && *weight > 0.0 {
            sums[*value as usize] += weight;
            counts[*value as usize] += 1;
        }
    }
    let fewest = (rows / ROWS_A_LABEL).clamp(1, FEWEST_ROWS);
    let mut kept: Vec<u32> = (0..count as u32)
        .filter(|&label| counts[label as usize] >= fewest)
        .collect();
    if kept.len() > MOST_BINS {
        kept.sort_by(|&a, &b| {
            sums[b as usize]
                .total_cmp(&sums[a as usize])
                .then(a.cmp(&b))
        });
        kept.truncate(MOST_BINS);
        kept.sort_unstable();
    }
    kept
}
