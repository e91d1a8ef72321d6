//! Every test of a region, for enumerations: of numbers each threshold between two values, of
//! labels each subset or each label; of anything else, and of months, weekdays and hours of times,
//! the tests that are proposed.

use super::{Candidate, Problem};
use crate::tree::code::UNKNOWN;
use crate::tree::columns::Values;
use crate::tree::presort::{Entry, row_of};
use crate::tree::region::Region;
use crate::tree::response::Response;
use crate::tree::test::Test;

/// Of more labels than this, subsets of one label alone are enumerated.
const MOST_LABELS: usize = 12;

impl<R: Response> Problem<'_, R> {
    /// Every test by which the region is divided into branches of enough weight, in the order of
    /// the inputs.
    pub fn every(&self, region: &Region<R>, lists: &[Vec<Entry>]) -> Vec<Candidate> {
        let groups = self.groups(region);
        let mut all = Vec::new();
        for (input, of) in self.inputs.all.iter().enumerate() {
            let column = of.position;
            let tests = match &of.values {
                Values::Kin(_) => None,
                _ if of.by_prototypes() => None,
                Values::Ordered(list) => {
                    let rows = lists[*list].iter().map(|&entry| region.rows[row_of(entry)]);
                    let numbers = rows.map(|row| self.inputs.number(input, row));
                    Some(self.thresholds(column, numbers.collect()))
                }
                Values::Ranked { ranks, numbers } => {
                    let ranks = region.rows.iter().map(|&row| ranks[row as usize]);
                    let known = ranks.filter(|rank| *rank != u16::MAX);
                    Some(
                        self.thresholds(column, known.map(|rank| numbers[rank as usize]).collect()),
                    )
                }
                Values::Labels { codes, .. } => {
                    let codes = region.rows.iter().map(|&row| codes[row as usize]);
                    Some(self.subsets(column, codes.filter(|code| *code != UNKNOWN).collect()))
                }
            };
            match tests {
                Some(tests) => {
                    let given =
                        |test: &Test| self.given(region, lists, input, test, self.rules.least);
                    all.extend(tests.iter().filter_map(given));
                }
                None => all.extend(self.candidate(region, lists, input, groups.as_ref())),
            }
            all.extend(self.of_contents(region, input));
        }
        all
    }

    fn thresholds(&self, column: u32, mut numbers: Vec<f64>) -> Vec<Test> {
        numbers.sort_by(f64::total_cmp);
        numbers.dedup();
        let threshold = |pair: &[f64]| Test::Above {
            column,
            threshold: match self.rules.middle {
                true => super::thresholds::midway(pair[0], pair[1]),
                false => pair[0],
            },
        };
        numbers.windows(2).map(threshold).collect()
    }

    /// Of two subsets that divide alike the one with the first label.
    fn subsets(&self, column: u32, mut codes: Vec<u32>) -> Vec<Test> {
        codes.sort_unstable();
        codes.dedup();
        let count = codes.len();
        if count < 2 {
            return Vec::new();
        }
        let test = |values: Vec<u32>| Test::Among { column, values };
        if !self.rules.subsets || count > MOST_LABELS {
            let alone = if count == 2 { &codes[..1] } else { &codes };
            return alone.iter().map(|&code| test(vec![code])).collect();
        }
        let all = (1u32 << (count - 1)) - 1;
        let subset = |others: u32| {
            let chosen = codes[1..].iter().enumerate();
            let chosen = chosen.filter(|(place, _)| others >> place & 1 == 1);
            let chosen = chosen.map(|(_, code)| *code);
            test([codes[0]].into_iter().chain(chosen).collect())
        };
        (0..all).map(subset).collect()
    }
}
