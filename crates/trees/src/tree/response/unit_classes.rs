//! One nominal target, every example counting once: whole counts, and logarithms from a table.
//!
//! The sums of `x log x` are kept in fixed point: whole numbers add up to the same whatever the
//! order. Divisions into other counts can be equally good too, as 6 log 6 = 6 + 2 · 3 log 3, and
//! there the table's own rounding shows. So spreads that differ by no more than that are a tie.

use super::answer::{Answer, Answers};
use super::classes::{classes_behind, codes, heaviest};
use super::grouped::by_class;
use super::{
    Cut, Examples, Grouping, Halved, Impurity, OfTarget, Ordered, Ranked, RankedCut, Response,
    Single,
};
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
    /// Spreads that differ by no more than this are equal.
    slack: f64,
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
        // Half a unit for every entry of the table that enters the spread of two branches.
        let table = match impurity {
            Impurity::Entropy => (classes as f64 + 2.0) / unit,
            Impurity::Gini => 0.0,
        };
        Self {
            slack: table.max(1e-12 * rows as f64),
            codes,
            classes,
            impurity,
            power,
            step,
            unit,
        }
    }

    /// The slack in the numbers by which cuts are compared.
    fn slack_of_cuts(&self) -> f64 {
        match self.impurity {
            Impurity::Entropy => self.slack * self.unit,
            Impurity::Gini => self.slack,
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
        // Small nodes are many, and most targets have few classes: their counts need no memory of
        // their own.
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
        // Of equal cuts the last, where equal is measured from the least.
        let slack = self.slack_of_cuts();
        let whole_slack = slack.ceil() as i64;
        let mut best = (i64::MAX, 0usize);
        let mut bound = i64::MAX;
        let mut best_gini = (f64::NEG_INFINITY, 0usize);
        let mut bound_gini = f64::NEG_INFINITY;
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
                if spread <= bound {
                    best = (spread, count);
                    bound = bound.min(spread + whole_slack);
                }
            } else {
                let kept = lower_sum as f64 / count as f64
                    + (sum - lower_sum) as f64 / (total - count) as f64;
                if kept >= bound_gini {
                    best_gini = (kept, count);
                    bound_gini = bound_gini.max(kept - slack);
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

    /// As [`cut_of`](Self::cut_of) for two classes: one count says all, and it stays in a register.
    fn cut_of_two(
        &self,
        list: &Ordered<'_, Codes>,
        codes: &[u8],
        whole: &Counts,
        least: usize,
    ) -> Option<Cut> {
        let entries = list.entries;
        let total = entries.len();
        if total < least.max(1).saturating_mul(2) {
            return None;
        }
        let second = whole.counts[1] as usize;
        let last = total - least.max(1);
        let entropy = self.impurity == Impurity::Entropy;
        let mut below = 0usize;
        let slack = self.slack_of_cuts();
        let mut best: Option<Cut> = None;
        let mut bound = f64::INFINITY;
        for place in 0..last {
            below += usize::from(codes[row_of(entries[place])]);
            let count = place + 1;
            if !rises(entries[count]) || count < least {
                continue;
            }
            let above = second - below;
            let parts = [[below, count - below], [above, total - count - above]];
            let sums = if entropy {
                parts.map(|[one, other]| self.power[one] + self.power[other])
            } else {
                parts.map(|[one, other]| (one * one + other * other) as i64)
            };
            let spread = self.spread_of_parts(count, total, sums);
            if spread <= bound {
                bound = bound.min(spread + slack);
                best = Some(Cut {
                    below: count,
                    spread,
                });
            }
        }
        best.map(|cut| Cut {
            spread: self.in_units(cut.spread, total),
            ..cut
        })
    }

    /// A spread of parts in bits, or as Gini has it.
    fn in_units(&self, spread: f64, total: usize) -> f64 {
        match self.impurity {
            Impurity::Entropy => spread / self.unit,
            Impurity::Gini => total as f64 + spread,
        }
    }

    /// How spread lower and upper parts are in sum, but for what is the same for all cuts: in fixed
    /// point, or less the whole for Gini.
    fn spread_of_parts(&self, count: usize, total: usize, sums: [i64; 2]) -> f64 {
        match self.impurity {
            Impurity::Entropy => {
                (self.power[count] + self.power[total - count] - sums[0] - sums[1]) as f64
            }
            Impurity::Gini => {
                -(sums[0] as f64 / count as f64 + sums[1] as f64 / (total - count) as f64)
            }
        }
    }

    /// The spread of so many examples whose counts have this sum of `power`.
    fn spread_of(&self, total: u32, sum: i64) -> f64 {
        match self.impurity {
            Impurity::Entropy => (self.power[total as usize] - sum) as f64 / self.unit,
            Impurity::Gini if total == 0 => 0.0,
            Impurity::Gini => f64::from(total) - sum as f64 / f64::from(total),
        }
    }

    fn counted(
        &self,
        numbers: &Ranked<'_>,
        codes: &[u8],
        whole: &Counts,
        least: usize,
    ) -> Option<RankedCut> {
        let classes = self.classes;
        let mut counts = vec![0u32; numbers.values * classes];
        for (&row, &code) in numbers.rows.iter().zip(codes) {
            counts[numbers.ranks[row as usize] as usize * classes + code as usize] += 1;
        }
        let total = codes.len();
        let mut lower = vec![0u32; classes];
        let mut upper = whole.counts.clone();
        let mut sums = [0, whole.sum];
        let mut below = 0;
        // The cut after the ranks so far, once it is known which rank comes next.
        let mut open: Option<(usize, usize, f64)> = None;
        let slack = self.slack_of_cuts();
        let mut best: Option<(RankedCut, f64)> = None;
        let mut bound = f64::INFINITY;
        for (rank, counts) in counts.chunks_exact(classes).enumerate() {
            let here: u32 = counts.iter().sum();
            if here == 0 {
                continue;
            }
            if let Some((before, below, spread)) = open.take()
                && spread <= bound
            {
                bound = bound.min(spread + slack);
                let cut = Cut { below, spread };
                let ranks = [before, rank];
                best = Some((RankedCut { ranks, cut }, spread));
            }
            for ((lower, upper), &count) in lower.iter_mut().zip(&mut upper).zip(counts) {
                if count > 0 {
                    sums[0] += self.power[(*lower + count) as usize] - self.power[*lower as usize];
                    sums[1] += self.power[(*upper - count) as usize] - self.power[*upper as usize];
                    *lower += count;
                    *upper -= count;
                }
            }
            below += here as usize;
            if below >= least.max(1) && total - below >= least.max(1) {
                open = Some((rank, below, self.spread_of_parts(below, total, sums)));
            }
        }
        best.map(|(mut found, spread)| {
            found.cut.spread = self.in_units(spread, total);
            found
        })
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

impl OfTarget for UnitClasses {
    fn of_target(single: &Single<'_>) -> Option<Self> {
        let classes = single.kind.as_classes()?;
        let impurity = single.impurity.unwrap_or(Impurity::Entropy);
        let of_rows = || codes(single.target, single.rows);
        let unit = single.weights.is_none();
        unit.then(|| UnitClasses::new(of_rows(), classes.len(), impurity))
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

    fn groups(&self, examples: &Examples<'_, Self::Summary>, _most: usize) -> Grouping {
        by_class(
            examples.rows.iter().map(|&row| self.codes[row as usize]),
            self.classes,
        )
    }

    fn empty(&self) -> Counts {
        Counts {
            counts: vec![0; self.classes],
            total: 0,
            sum: 0,
        }
    }

    fn sum(&self, local: &Codes, examples: usize, _: Option<&[f64]>) -> Counts {
        let mut counts = vec![0u32; self.classes];
        (0..examples).for_each(|place| counts[local.get(place)] += 1);
        Counts {
            total: examples as u32,
            sum: counts.iter().map(|&count| self.power[count as usize]).sum(),
            counts,
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
        self.spread_of(summary.total, summary.sum)
    }

    fn level(&self, summary: &Counts, whole: &Counts) -> f64 {
        let class = heaviest(&whole.counts);
        f64::from(summary.counts[class]) / f64::from(summary.total.max(1))
    }

    fn spread_behind(&self, answers: &Answers) -> f64 {
        classes_behind(answers, self.impurity)
    }

    fn answers(&self, examples: &Examples<'_, Counts>) -> Vec<Answer> {
        let summary = examples.whole;
        let counts = summary.counts.iter().map(|&count| f64::from(count));
        vec![Answer::classes(counts.collect())]
    }

    fn slack(&self) -> f64 {
        self.slack
    }

    fn cut_by_counting(
        &self,
        numbers: &Ranked<'_>,
        local: &Codes,
        whole: &Counts,
        least: f64,
    ) -> Option<Option<RankedCut>> {
        // Counting visits every rank of every class, however few the examples.
        let Codes::Narrow(codes) = local else {
            return None;
        };
        if 4 * codes.len() < numbers.values * self.classes {
            return None;
        }
        Some(self.counted(numbers, codes, whole, least.ceil() as usize))
    }

    fn halved(&self, second: &[u8], local: &Codes, whole: &Counts) -> Option<Halved> {
        let Codes::Narrow(codes) = local else {
            return None;
        };
        if self.classes > FEW {
            return None;
        }
        let mut counts = [0u32; FEW];
        if self.classes == 2 {
            let (mut all, mut ones) = (0, 0);
            for (&inside, &code) in second.iter().zip(codes) {
                all += u32::from(inside);
                ones += u32::from(inside & code);
            }
            [counts[0], counts[1]] = [all - ones, ones];
        } else {
            for (&inside, &code) in second.iter().zip(codes) {
                counts[usize::from(code)] += u32::from(inside);
            }
        }
        let (mut total, mut sums) = (0, [0; 2]);
        for (&inside, &all) in counts.iter().zip(&whole.counts) {
            total += inside;
            sums[0] += self.power[(all - inside) as usize];
            sums[1] += self.power[inside as usize];
        }
        let totals = [whole.total - total, total];
        Some(Halved {
            spread: self.spread_of(totals[0], sums[0]) + self.spread_of(totals[1], sums[1]),
            weights: totals.map(f64::from),
        })
    }

    fn cut(&self, list: &Ordered<'_, Codes>, whole: &Counts, least: f64) -> Option<Cut> {
        let least = least.ceil() as usize;
        match list.local {
            Codes::Narrow(codes) if self.classes == 2 => self.cut_of_two(list, codes, whole, least),
            Codes::Narrow(codes) => self.cut_of(list, codes, whole, least),
            Codes::Wide(codes) => self.cut_of(list, codes, whole, least),
            Codes::Widest(codes) => {
                let codes: Vec<Index32> = codes.iter().map(|&code| Index32(code)).collect();
                self.cut_of(list, &codes, whole, least)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    kinwood_testing::soak! { 256;
        /// Random tests of forests are the same whether examples are counted or added one by one.
        fn soak_counting_halves_as_adding_does(
            examples in proptest::collection::vec((0u32..5, 0u8..2), 1..60),
            classes in 1usize..6,
            gini in any::<bool>(),
        ) {
            let impurity = if gini { Impurity::Gini } else { Impurity::Entropy };
            let codes: Vec<u32> = examples.iter().map(|one| one.0 % classes as u32).collect();
            let second: Vec<u8> = examples.iter().map(|one| one.1).collect();
            let response = UnitClasses::new(codes, classes, impurity);
            let rows: Vec<u32> = (0..examples.len() as u32).collect();
            let local = response.gather(&rows);
            let mut sums = [response.empty(), response.empty()];
            let mut whole = response.empty();
            for (place, &branch) in second.iter().enumerate() {
                response.add(&mut sums[usize::from(branch)], &local, place, 1.0);
                response.add(&mut whole, &local, place, 1.0);
            }
            let summed = response.sum(&local, rows.len(), None);
            prop_assert_eq!((&summed.counts, summed.total, summed.sum), (&whole.counts, whole.total, whole.sum));
            let halved = response.halved(&second, &local, &whole).expect("few classes are counted");
            prop_assert_eq!(halved.spread, response.spread(&sums[0]) + response.spread(&sums[1]));
            let [one, other] = &sums;
            prop_assert_eq!(halved.weights, [response.weight(one), response.weight(other)]);
        }
    }
}
