//! Histograms: by feature and bin the sums of gradients, curvatures and weights.
//!
//! The sums are of whole numbers. Of few rows they have as many bits as fit, so that rounding
//! decides nothing. Of many rows a gradient and its curvature share one word, 18 bits each, which
//! are added together, and moved into wide sums before they can overflow; what is rounded off is
//! drawn, so that sums are right on average (Shi and others, *Quantized training of gradient
//! boosting decision trees*, NeurIPS 2022). Whole numbers add up to the same in any order, so that
//! neither threads nor the subtraction of a sibling change a result.

use rayon::prelude::*;

use super::bins::{Binned, TILE, Tile};

/// From so many rows on words are shared.
const PACKED: usize = 8192;
/// Rows whose words are added before they are moved: 2^14 times 2^17 fits into 32 bits.
const MOVED: usize = 1 << 14;
/// The greatest number in half a word.
const HALF: f64 = 131_071.0;

/// The gradients and curvatures of one tree as whole numbers, by row.
pub struct Quantised {
    words: Words,
    /// What 1 is worth of gradients, curvatures and weights.
    pub units: [f64; 3],
    /// The squares of gradients over the curvatures: what dividing rows by a label that says
    /// nothing lowers the loss by, for each label.
    pub noise: f64,
}

enum Words {
    Packed(Vec<u64>),
    Wide {
        gradients: Vec<i64>,
        curvatures: Vec<i64>,
        weights: Vec<i64>,
    },
}

/// Sums of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// Of gradients.
    pub gradient: f64,
    /// Of curvatures.
    pub curvature: f64,
    /// Of weights.
    pub weight: f64,
}

/// Sums by feature and bin, the bins of a feature after those of the one before.
pub struct Histogram {
    /// Of gradients.
    pub gradients: Vec<i64>,
    /// Of curvatures.
    pub curvatures: Vec<i64>,
    /// Of weights; empty where they are estimated by the curvatures.
    pub weights: Vec<i64>,
}

/// The greatest power of two that is not above a number.
fn power(number: f64) -> f64 {
    match number.is_finite() && number > 0.0 {
        true => number.log2().floor().clamp(-1000.0, 1000.0).exp2(),
        false => 1.0,
    }
}

/// Added up in blocks, one after the other, whatever the number of threads; a row of weight 2 is
/// two.
fn noise(gradients: &[f64], curvatures: &[f64], weights: &[f64]) -> f64 {
    let blocks = gradients.par_chunks(MOVED).enumerate();
    let sums: Vec<(f64, f64)> = blocks
        .map(|(block, gradients)| {
            let from = block * MOVED;
            let to = from + gradients.len();
            let both = gradients.iter().zip(&weights[from..to]);
            let squares = both.filter(|(_, weight)| **weight > 0.0);
            let squares: f64 = squares.map(|(own, weight)| own * own / weight).sum();
            (squares, curvatures[from..to].iter().sum::<f64>())
        })
        .collect();
    let (squares, all) = sums
        .iter()
        .fold((0.0, 0.0), |sums, own| (sums.0 + own.0, sums.1 + own.1));
    match all > 0.0 && squares.is_finite() {
        true => squares / all,
        false => 0.0,
    }
}

impl Quantised {
    /// Gradients and curvatures, already times the weights, and the weights; `round` names what is
    /// drawn.
    pub fn new(gradients: &[f64], curvatures: &[f64], weights: &[f64], round: u64) -> Self {
        let quantised = match weights.len() >= PACKED {
            true => Self::packed(gradients, curvatures, round),
            false => Self::wide(gradients, curvatures, weights),
        };
        Self {
            noise: noise(gradients, curvatures, weights),
            ..quantised
        }
    }

    fn packed(gradients: &[f64], curvatures: &[f64], round: u64) -> Self {
        let greatest = |numbers: &[f64]| {
            let blocks = numbers.par_chunks(MOVED);
            let each =
                blocks.map(|block| block.iter().fold(0.0, |most: f64, own| most.max(own.abs())));
            each.reduce(|| 0.0, f64::max)
        };
        let by = [greatest(gradients), greatest(curvatures)].map(|most| match most > 0.0 {
            // A curvature that is the same for all rows is a power of two then, and is exact.
            true => power(HALF / most),
            false => 1.0,
        });
        let seed = round.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut words = vec![0_u64; gradients.len()];
        words
            .par_chunks_mut(MOVED)
            .enumerate()
            .for_each(|(block, out)| {
                let from = block * MOVED;
                let both = gradients[from..].iter().zip(&curvatures[from..]);
                for ((place, word), (gradient, curvature)) in (from as u64..).zip(out).zip(both) {
                    let drawn = (place ^ seed).wrapping_mul(0xD6E8_FEB8_6659_FD93);
                    let drawn = (drawn ^ (drawn >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
                    let scale = 1.0 / f64::from(u32::MAX);
                    let gradient =
                        (gradient * by[0] + (drawn >> 33) as f64 * (2.0 * scale)).floor();
                    let curvature =
                        (curvature * by[1] + (drawn as u32 >> 1) as f64 * (2.0 * scale)).floor();
                    *word = ((gradient as i64 as u64) << 32).wrapping_add(curvature as i64 as u64);
                }
            });
        Self {
            words: Words::Packed(words),
            units: [1.0 / by[0], 1.0 / by[1], 0.0],
            noise: 0.0,
        }
    }

    fn wide(gradients: &[f64], curvatures: &[f64], weights: &[f64]) -> Self {
        let total: f64 = weights.iter().sum();
        // A row's own numbers are rounded before they are weighed: a weight of 2 is two rows.
        let own = |numbers: &[f64]| -> Vec<f64> {
            let both = numbers.iter().zip(weights);
            both.map(|(number, weight)| match *weight > 0.0 {
                true => number / weight,
                false => 0.0,
            })
            .collect()
        };
        let scaled = |numbers: Vec<f64>| -> (Vec<i64>, f64) {
            let most = numbers
                .iter()
                .fold(0.0, |most: f64, own| most.max(own.abs()));
            let by = power((61.0_f64).exp2() / (most * total).max(f64::MIN_POSITIVE))
                .min((45.0_f64).exp2() / power(most.max(f64::MIN_POSITIVE)));
            let both = numbers.iter().zip(weights);
            let words = both.map(
                |(number, weight)| match weight.fract() == 0.0 && *weight < 1e6 {
                    true => (number * by).round() as i64 * *weight as i64,
                    false => (number * by * weight).round() as i64,
                },
            );
            (words.collect(), 1.0 / by)
        };
        let (gradients, of_gradients) = scaled(own(gradients));
        let (curvatures, of_curvatures) = scaled(own(curvatures));
        let (weights, of_weights) = scaled(vec![1.0; weights.len()]);
        Self {
            words: Words::Wide {
                gradients,
                curvatures,
                weights,
            },
            units: [of_gradients, of_curvatures, of_weights],
            noise: 0.0,
        }
    }

    /// The sums of a histogram of rows.
    pub fn histogram(&self, binned: &Binned, rows: &[u32]) -> Histogram {
        let parts = match rows.len() > 2 * MOVED {
            true => rayon::current_num_threads(),
            false => 1,
        };
        let part = rows.len().div_ceil(parts).max(1);
        let blocks = binned.tiles.len() * parts;
        if blocks <= 1 || rows.len() * binned.columns.len() < 1 << 15 {
            let mut sums = Histogram::new(binned, self);
            for tile in &binned.tiles {
                self.add(binned, tile, rows, &mut sums);
            }
            return sums;
        }
        let shares: Vec<&[u32]> = rows.chunks(part).collect();
        let tiles = binned.tiles.par_iter();
        let each: Vec<Vec<Histogram>> = tiles
            .map(|tile| {
                let one = |rows: &&[u32]| {
                    let mut sums = Histogram::of_tile(binned, tile, self);
                    self.add_at(binned, tile, rows, &mut sums, binned.offsets[tile.first]);
                    sums
                };
                shares.par_iter().map(one).collect()
            })
            .collect();
        let mut whole = Histogram::new(binned, self);
        for (tile, parts) in binned.tiles.iter().zip(each) {
            for part in parts {
                whole.add_from(binned.offsets[tile.first], &part);
            }
        }
        whole
    }

    fn add(&self, binned: &Binned, tile: &Tile, rows: &[u32], sums: &mut Histogram) {
        self.add_at(binned, tile, rows, sums, 0);
    }

    /// Adds rows to sums whose first cell is that of a certain offset.
    fn add_at(
        &self,
        binned: &Binned,
        tile: &Tile,
        rows: &[u32],
        sums: &mut Histogram,
        from: usize,
    ) {
        let offsets = &binned.offsets[tile.first..=tile.first + tile.width];
        match &self.words {
            Words::Packed(words) => {
                let mut cells = vec![[0_u64; 256]; tile.width];
                for block in rows.chunks(MOVED) {
                    packed(tile, block, words, &mut cells);
                    moved(&mut cells, offsets, from, sums);
                }
            }
            Words::Wide {
                gradients,
                curvatures,
                weights,
            } => {
                let places: Vec<usize> = offsets.iter().map(|offset| offset - from).collect();
                for &row in rows {
                    let row = row as usize;
                    let (gradient, curvature, weight) =
                        (gradients[row], curvatures[row], weights[row]);
                    let bins = &tile.bytes[row * tile.width..(row + 1) * tile.width];
                    for (place, &bin) in places.iter().zip(bins) {
                        let cell = place + bin as usize;
                        sums.gradients[cell] += gradient;
                        sums.curvatures[cell] += curvature;
                        sums.weights[cell] += weight;
                    }
                }
            }
        }
    }

    /// The sums of all rows of a node, by those of a feature.
    pub fn sums(&self, binned: &Binned, histogram: &Histogram, weight: f64) -> Sums {
        let cells = binned.offsets[0]..binned.offsets[1];
        let sum = |numbers: &[i64]| numbers[cells.clone()].iter().sum::<i64>() as f64;
        Sums {
            gradient: sum(&histogram.gradients) * self.units[0],
            curvature: sum(&histogram.curvatures) * self.units[1],
            weight,
        }
    }
}

/// Adds the words of rows to the cells of their bins.
fn packed(tile: &Tile, rows: &[u32], words: &[u64], cells: &mut [[u64; 256]]) {
    debug_assert!(tile.width <= TILE);
    for &row in rows {
        let row = row as usize;
        let word = words[row];
        let bins = &tile.bytes[row * tile.width..(row + 1) * tile.width];
        for (cells, &bin) in cells.iter_mut().zip(bins) {
            let cell = &mut cells[bin as usize];
            *cell = cell.wrapping_add(word);
        }
    }
}

/// Moves shared words into wide sums.
fn moved(cells: &mut [[u64; 256]], offsets: &[usize], from: usize, sums: &mut Histogram) {
    for (cells, bounds) in cells.iter_mut().zip(offsets.windows(2)) {
        let range = bounds[0] - from..bounds[1] - from;
        let gradients = &mut sums.gradients[range.clone()];
        let curvatures = &mut sums.curvatures[range];
        for ((cell, gradient), curvature) in cells.iter_mut().zip(gradients).zip(curvatures) {
            *curvature += i64::from(*cell as u32);
            *gradient += i64::from((*cell >> 32) as u32 as i32);
            *cell = 0;
        }
    }
}

impl Histogram {
    fn new(binned: &Binned, quantised: &Quantised) -> Self {
        Self::of(binned.cells(), quantised)
    }

    fn of_tile(binned: &Binned, tile: &Tile, quantised: &Quantised) -> Self {
        let cells = binned.offsets[tile.first + tile.width] - binned.offsets[tile.first];
        Self::of(cells, quantised)
    }

    fn of(cells: usize, quantised: &Quantised) -> Self {
        let weights = match quantised.words {
            Words::Packed(_) => 0,
            Words::Wide { .. } => cells,
        };
        Self {
            gradients: vec![0; cells],
            curvatures: vec![0; cells],
            weights: vec![0; weights],
        }
    }

    fn add_from(&mut self, from: usize, part: &Histogram) {
        let add = |own: &mut [i64], part: &[i64]| {
            let own = own.iter_mut().skip(from);
            own.zip(part).for_each(|(own, part)| *own += part);
        };
        add(&mut self.gradients, &part.gradients);
        add(&mut self.curvatures, &part.curvatures);
        add(&mut self.weights, &part.weights);
    }

    /// Takes the sums of some of the rows away.
    pub fn subtract(&mut self, part: &Histogram) {
        let take = |own: &mut [i64], part: &[i64]| {
            own.iter_mut()
                .zip(part)
                .for_each(|(own, part)| *own -= part);
        };
        take(&mut self.gradients, &part.gradients);
        take(&mut self.curvatures, &part.curvatures);
        take(&mut self.weights, &part.weights);
    }

    /// How many bytes a histogram takes.
    pub fn memory(binned: &Binned) -> usize {
        binned.cells() * 24
    }
}
