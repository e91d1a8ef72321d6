//! Tests that are given, not sought: a region divided as a sketch says.

use super::{Candidate, Division, Problem};
use crate::tree::columns::Values;
use crate::tree::presort::{Entry, row_of};
use crate::tree::region::{Region, rank_branches};
use crate::tree::response::Response;
use crate::tree::test::Test;

impl<R: Response> Problem<'_, R> {
    /// The candidate of a test, or the best one of a column; `None` if nothing divides the region
    /// so.
    pub fn sketched(
        &self,
        region: &Region<R>,
        lists: &[Vec<Entry>],
        column: u32,
        test: Option<&Test>,
    ) -> Option<Candidate> {
        let input = self
            .inputs
            .all
            .iter()
            .position(|input| input.position == column)?;
        match test {
            None => {
                let groups = self.groups(region);
                let one = self.candidate(region, lists, input, groups.as_ref());
                let all = one.into_iter().chain(self.of_contents(region, input));
                all.reduce(|best, other| {
                    let after = |own: &Candidate| own.spread + own.chance;
                    match after(&other) < after(&best) {
                        true => other,
                        false => best,
                    }
                })
            }
            Some(test) => self.given(region, lists, input, test, f64::MIN_POSITIVE),
        }
    }

    /// The candidate of a test; `None` if no region is divided so, or a branch weighs less than the
    /// least.
    pub fn given(
        &self,
        region: &Region<R>,
        lists: &[Vec<Entry>],
        input: usize,
        test: &Test,
        least: f64,
    ) -> Option<Candidate> {
        let division = match (test, &self.inputs.all[input].values) {
            (Test::Above { threshold, .. }, Values::Ordered(list)) => {
                let number = |entry: Entry| self.inputs.number(input, region.rows[row_of(entry)]);
                Division::Above {
                    below: lists[*list].partition_point(|&entry| number(entry) <= *threshold),
                    threshold: *threshold,
                }
            }
            // Of few numbers the threshold alone decides.
            (Test::Above { threshold, .. }, Values::Ranked { .. }) => Division::Above {
                below: 0,
                threshold: *threshold,
            },
            (Test::Among { values, .. }, Values::Labels { .. }) => Division::Among {
                values: values.clone(),
            },
            (Test::Around { cells, .. }, Values::Ordered(_) | Values::Ranked { .. }) => {
                Division::Around(Box::new(cells.clone()))
            }
            (Test::Nearest { nearest, .. }, Values::Labels { .. } | Values::Kin(_)) => {
                Division::Nearest(Box::new(nearest.clone()))
            }
            (Test::Has { items, .. }, Values::Kin(kin)) if kin.contents.is_some() => {
                Division::Has(items.clone())
            }
            (Test::Has { items, .. }, Values::Ordered(_) | Values::Ranked { .. })
                if self.inputs.all[input].calendar.is_some() =>
            {
                Division::Has(items.clone())
            }
            (Test::Size { least, .. }, Values::Kin(kin)) if kin.contents.is_some() => {
                Division::Size(*least)
            }
            _ => return None,
        };
        let count = test.branches();
        let mut candidate = Candidate {
            input,
            division,
            spread: 0.0,
            shares: vec![1.0 / count as f64; count],
            chance: 0.0,
        };
        (candidate.spread, candidate.shares) = match (test, &self.inputs.all[input].values) {
            (Test::Above { threshold, .. }, Values::Ranked { ranks, numbers }) => {
                let branch = rank_branches(ranks, numbers, *threshold);
                self.divided(region, region.rows.iter().map(branch), 2, least)?
            }
            _ => {
                let branches = region.branches(lists, &self.inputs, &candidate);
                self.divided(region, branches.into_iter(), count, least)?
            }
        };
        Some(candidate)
    }
}
