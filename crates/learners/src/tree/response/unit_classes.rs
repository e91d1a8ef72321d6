//! One nominal target, every example counting once: whole counts, and logarithms from a table.
//!
//! The sums of `x log x` are kept in fixed point. Whole numbers add up to the same whatever the order, so equal
//! divisions have equal spreads to the last bit, and a tie is a tie.

use super::classes::{classes_behind, heaviest};
use super::{Cut, Impurity, Ordered, Response};
use crate::tree::answer::{Answer, Answers};
use crate::tree::presort::{rises, row_of};

/// One nominal target of examples that all count the same.
pub struct UnitClasses {
    codes: Vec<u32>,
    classes: usize,
    impurity: Impurity,
    /// By count: `x log2 x` in fixed point, or `x^2` for Gini.
    power: Vec<i64>,
    /// By count: what one more adds to `power`.
    step: Vec<i64>,
    /// What a whole bit is in fixed point.
    unit: f64,
}

/// Classes whose counts stand on the stack while a list is swept.
const FEW: usize = 32;

/// Counts of classes.
#[derive(Clone, Debug)]
pub struct Counts {
    counts: Vec<u32>,
    total: u32,
    /// The sum of `power` over the classes.
    sum: i64,
}

impl UnitClasses {
    /// The classes of the rows, by code.
    pub fn new(codes: Vec<u32>, classes: usize, impurity: Impurity) -> Self {
        let rows = codes.len();
        // The largest sum is x log2 x of all rows; what is left of 62 bits holds the fraction.
        let largest = (rows as f64) * (rows as f64).log2().max(1.0);
        let fraction = 62 - largest.log2().ceil() as i32 - 1;
        let unit = match impurity {
            Impurity::Entropy => 2f64.powi(fraction.min(40)),
            Impurity::Gini => 1.0,
        };
        let power = (0..=rows as i64).map(|count| match impurity {
            Impurity::Entropy if count < 2 => 0,
            Impurity::Entropy => {
                let count = count as f64;
                (count * count.log2() * unit).round() as i64
            }
            Impurity::Gini => count * count,
        });
        let power: Vec<i64> = power.collect();
        let step = power.windows(2).map(|pair| pair[1] - pair[0]).collect();
        Self {
            codes,
            classes,
            impurity,
            power,
            step,
            unit,
        }
    }

    /// The least spread in sum over the cuts of a list that holds every value known.
    fn cut_of<C: Copy + Into<usize>>(
        &self,
        list: &Ordered<'_, Codes>,
        codes: &[C],
        whole: &Counts,
        least: usize,
    ) -> Option<Cut> {
        let entries = list.entries;
        let total = entries.len();
        if total < least.max(1).saturating_mul(2) {
            return None;
        }
        // Small nodes are many, and most targets have few classes: their counts need no memory of their own.
        let mut few = [[0u32; FEW]; 2];
        let mut many = Vec::new();
        let [few_lower, few_upper] = &mut few;
        let (lower, upper) = if self.classes <= FEW {
            (
                &mut few_lower[..self.classes],
                &mut few_upper[..self.classes],
            )
        } else {
            many.resize(2 * self.classes, 0);
            many.split_at_mut(self.classes)
        };
        upper.copy_from_slice(&whole.counts);
        let mut sum = whole.sum;
        let entropy = self.impurity == Impurity::Entropy;
        let last = total - least.max(1);
        let mut best = (i64::MAX, 0usize);
        let mut best_gini = (f64::NEG_INFINITY, 0usize);
        // Two sums are needed apart for Gini only, which divides each by its own count.
        let mut lower_sum = 0i64;
        for place in 0..last {
            let entry = entries[place];
            let class: usize = codes[row_of(entry)].into();
            let (below, above) = (&mut lower[class], &mut upper[class]);
            *above -= 1;
            let gained = self.step[*below as usize];
            sum += gained - self.step[*above as usize];
            lower_sum += gained;
            *below += 1;
            let count = place + 1;
            if !rises(entries[count]) || count < least {
                continue;
            }
            if entropy {
                let spread = self.power[count] + self.power[total - count] - sum;
                if spread <= best.0 {
                    best = (spread, count);
                }
            } else {
                let kept = lower_sum as f64 / count as f64
                    + (sum - lower_sum) as f64 / (total - count) as f64;
                if kept >= best_gini.0 {
                    best_gini = (kept, count);
                }
            }
        }
        let (spread, below) = if entropy {
            (best.0 as f64 / self.unit, best.1)
        } else {
            (total as f64 - best_gini.0, best_gini.1)
        };
        (below > 0).then_some(Cut { below, spread })
    }
}

/// The codes of a region, in as few bytes as they need.
pub enum Codes {
    /// At most 256 classes.
    Narrow(Vec<u8>),
    /// More.
    Wide(Vec<u16>),
    /// Many more.
    Widest(Vec<u32>),
}

impl Codes {
    #[inline]
    fn get(&self, place: usize) -> usize {
        match self {
            Codes::Narrow(codes) => codes[place] as usize,
            Codes::Wide(codes) => codes[place] as usize,
            Codes::Widest(codes) => codes[place] as usize,
        }
    }
}

/// A code that indexes.
#[derive(Clone, Copy)]
struct Index32(u32);

impl From<Index32> for usize {
    fn from(index: Index32) -> usize {
        index.0 as usize
    }
}

impl Response for UnitClasses {
    type Local = Codes;
    type Summary = Counts;

    fn gather(&self, rows: &[u32]) -> Codes {
        let codes = rows.iter().map(|&row| self.codes[row as usize]);
        match self.classes {
            0..=256 => Codes::Narrow(codes.map(|code| code as u8).collect()),
            257..=65_536 => Codes::Wide(codes.map(|code| code as u16).collect()),
            _ => Codes::Widest(codes.collect()),
        }
    }

    fn empty(&self) -> Counts {
        Counts {
            counts: vec![0; self.classes],
            total: 0,
            sum: 0,
        }
    }

    #[inline]
    fn add(&self, summary: &mut Counts, local: &Codes, place: usize, _: f64) {
        let count = &mut summary.counts[local.get(place)];
        summary.sum += self.step[*count as usize];
        *count += 1;
        summary.total += 1;
    }

    #[inline]
    fn remove(&self, summary: &mut Counts, local: &Codes, place: usize, _: f64) {
        let count = &mut summary.counts[local.get(place)];
        *count -= 1;
        summary.sum -= self.step[*count as usize];
        summary.total -= 1;
    }

    fn join(&self, summary: &mut Counts, other: &Counts, times: f64) {
        // Fractions of examples do not occur where all count the same and no value is missing.
        let sign = if times < 0.0 { -1i64 } else { 1 };
        summary.sum = 0;
        for (count, other) in summary.counts.iter_mut().zip(&other.counts) {
            *count = (i64::from(*count) + sign * i64::from(*other)) as u32;
            summary.sum += self.power[*count as usize];
        }
        summary.total = (i64::from(summary.total) + sign * i64::from(other.total)) as u32;
    }

    fn weight(&self, summary: &Counts) -> f64 {
        f64::from(summary.total)
    }

    fn spread(&self, summary: &Counts) -> f64 {
        match self.impurity {
            Impurity::Entropy => {
                (self.power[summary.total as usize] - summary.sum) as f64 / self.unit
            }
            Impurity::Gini if summary.total == 0 => 0.0,
            Impurity::Gini => {
                f64::from(summary.total) - summary.sum as f64 / f64::from(summary.total)
            }
        }
    }

    fn level(&self, summary: &Counts, whole: &Counts) -> f64 {
        let class = heaviest(&whole.counts);
        f64::from(summary.counts[class]) / f64::from(summary.total.max(1))
    }

    fn spread_behind(&self, answers: &Answers) -> f64 {
        classes_behind(answers, self.impurity)
    }

    fn answers(&self, summary: &Counts) -> Vec<Answer> {
        let counts = summary.counts.iter().map(|&count| f64::from(count));
        vec![Answer::Classes(counts.collect())]
    }

    fn cut(&self, list: &Ordered<'_, Codes>, whole: &Counts, least: f64) -> Option<Cut> {
        let least = least.ceil() as usize;
        match list.local {
            Codes::Narrow(codes) => self.cut_of(list, codes, whole, least),
            Codes::Wide(codes) => self.cut_of(list, codes, whole, least),
            Codes::Widest(codes) => {
                let codes: Vec<Index32> = codes.iter().map(|&code| Index32(code)).collect();
                self.cut_of(list, &codes, whole, least)
            }
        }
    }
}
