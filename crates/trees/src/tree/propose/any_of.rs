//! The best tests on what values contain: the item, and further ones, that divide examples best;
//! and the best size.
//!
//! Items that enough examples have are tried, those of the most weight first. Sums are made by one
//! pass over the items of the examples, so that the work is that of the memberships and not of
//! items times examples. The best item is joined by others of its kind, one after the other, while
//! each gains more than chance.
//!
//! Of many tests that say nothing the best still gains something: about `2 ln m / n` of the
//! impurity of `n` examples if `m` are tried, as the greatest of `m` chi-squared numbers is about
//! `2 ln m`. For entropy that is close to the `log2 m` bits that C4.5 takes for naming one of `m`
//! thresholds (Quinlan, Improved use of continuous attributes in C4.5, 1996); it holds for
//! variances as well. Half as much again is taken: rare classes, and several of them, gain more
//! than that by chance.

use crate::contents::{Item, ItemKind};
use crate::tree::response::Response;

/// What the best of so many tests that say nothing gains, of an impurity (times weight) of examples
/// of this weight.
pub fn gain_by_chance(impurity: f64, weight: f64, tests: usize) -> f64 {
    let share = 3.0 * (tests.max(1) as f64).ln();
    impurity * (share / weight.max(f64::MIN_POSITIVE)).min(1.0)
}

/// Examples and what they contain.
pub struct AnyOf<'a, R: Response> {
    /// The response.
    pub response: &'a R,
    /// The responses of the examples.
    pub local: &'a R::Local,
    /// How many examples there are.
    pub examples: usize,
    /// How much each counts.
    pub weight: &'a dyn Fn(usize) -> f64,
    /// The items of each, rising.
    pub has: &'a dyn Fn(usize) -> &'a [u32],
    /// The size of each; `None` where it is not known, or nothing is asked of sizes.
    pub size: &'a dyn Fn(usize) -> Option<u32>,
    /// What the items are.
    pub items: &'a [Item],
    /// The least number of examples that have an item.
    pub least: f64,
    /// The most items of a kind that are tried.
    pub most: usize,
    /// Impurity times weight, summed over both sides, where a test holds for these examples; `None`
    /// where a side is too light.
    pub divided: &'a dyn Fn(&R::Summary) -> Option<f64>,
    /// Impurity times weight before, and the weight.
    pub whole: (f64, f64),
}

/// What a test asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskedFor {
    /// One of these items, rising, all of one kind.
    Items(Vec<u32>),
    /// At least such a size.
    Size(u32),
}

/// A test that was found.
pub struct FoundTest<S> {
    /// What it asks for.
    pub asked: AskedFor,
    /// The examples that it holds for.
    pub inside: S,
    /// Impurity times weight, summed over both sides.
    pub after: f64,
    /// What such a test gains by chance.
    pub chance: f64,
}

impl<R: Response> AnyOf<'_, R> {
    /// The best test of each kind, in a fixed order.
    pub fn best(&self) -> Vec<FoundTest<R::Summary>> {
        let (kinds, tried) = self.tried();
        let sizes = self.sizes();
        let cuts = sizes.chunk_by(|a, b| a.0 == b.0).count().saturating_sub(1);
        let chance = gain_by_chance(self.whole.0, self.whole.1, cuts + tried);
        let grown = kinds.iter().filter_map(|tried| self.grown(tried, chance));
        let mut found: Vec<FoundTest<R::Summary>> = grown.collect();
        found.extend(self.cut(&sizes, chance));
        found
    }

    fn add(&self, sum: &mut R::Summary, example: usize) {
        let weight = (self.weight)(example);
        self.response.add(sum, self.local, example, weight);
    }

    /// By kind: the items that enough examples have, and not all, those of the most weight first;
    /// and how many there are, those past the most included.
    fn tried(&self) -> (Vec<Vec<u32>>, usize) {
        let mut weights = vec![0.0; self.items.len()];
        let mut total = 0.0;
        for example in 0..self.examples {
            let share = self.response.row_share(self.local, example);
            let weight = (self.weight)(example) * share;
            total += weight;
            for &item in (self.has)(example) {
                weights[item as usize] += weight;
            }
        }
        let kind = |item: u32| self.items[item as usize].kind();
        let enough = |item: &u32| {
            let weight = weights[*item as usize];
            weight > 0.0 && weight >= self.least && total - weight >= self.least
        };
        let of_kind = |wanted: ItemKind| {
            let all = (0..self.items.len() as u32).filter(|item| kind(*item) == wanted);
            let mut tried: Vec<u32> = all.filter(enough).collect();
            tried.sort_by(|&a, &b| {
                let weights = weights[b as usize].total_cmp(&weights[a as usize]);
                weights.then(a.cmp(&b))
            });
            tried
        };
        let mut kinds: Vec<Vec<u32>> = ItemKind::ALL.into_iter().map(of_kind).collect();
        let count = kinds.iter().map(Vec::len).sum();
        kinds.iter_mut().for_each(|tried| tried.truncate(self.most));
        (kinds, count)
    }

    /// The sums of the examples that have each of some items and are not inside.
    fn sums(&self, slots: &[u32], count: usize, inside: &[bool]) -> Vec<R::Summary> {
        let mut sums = vec![self.response.empty(); count];
        for example in (0..self.examples).filter(|&example| !inside[example]) {
            for &item in (self.has)(example) {
                let slot = slots[item as usize];
                if slot != u32::MAX {
                    self.add(&mut sums[slot as usize], example);
                }
            }
        }
        sums
    }

    /// Items taken together, one after the other while each gains more than chance.
    fn grown(&self, tried: &[u32], chance: f64) -> Option<FoundTest<R::Summary>> {
        let first = tried.first()?;
        // One label before another is a test of its own: many of them say little.
        let alone = self.items[*first as usize].kind() == ItemKind::Before;
        let mut slots = vec![u32::MAX; self.items.len()];
        for (slot, &item) in (0u32..).zip(tried) {
            slots[item as usize] = slot;
        }
        let slack = self.response.slack();
        let mut inside = vec![false; self.examples];
        let mut found: Option<FoundTest<R::Summary>> = None;
        let mut taken: Vec<u32> = Vec::new();
        loop {
            let own = found.as_ref().map(|found| &found.inside);
            let bound = found.as_ref().map(|found| found.after - chance);
            let sums = self.sums(&slots, tried.len(), &inside);
            let mut next: Option<(usize, R::Summary, f64)> = None;
            for (slot, sum) in sums.into_iter().enumerate() {
                if slots[tried[slot] as usize] == u32::MAX {
                    continue;
                }
                let mut with = sum;
                if let Some(own) = own {
                    self.response.join(&mut with, own, 1.0);
                }
                let Some(after) = (self.divided)(&with) else {
                    continue;
                };
                let best = next.as_ref().map(|next| next.2).or(bound);
                if best.is_none_or(|best| after < best - slack) {
                    next = Some((slot, with, after));
                }
            }
            let Some((slot, sum, after)) = next else {
                break;
            };
            let item = tried[slot];
            slots[item as usize] = u32::MAX;
            taken.push(item);
            for (example, inside) in inside.iter_mut().enumerate() {
                *inside |= (self.has)(example).binary_search(&item).is_ok();
            }
            found = Some(FoundTest {
                asked: AskedFor::Items(Vec::new()),
                inside: sum,
                after,
                chance: chance * taken.len() as f64,
            });
            if alone {
                break;
            }
        }
        taken.sort_unstable();
        found.map(|found| FoundTest {
            asked: AskedFor::Items(taken),
            ..found
        })
    }

    /// The examples whose size is known, the largest first.
    fn sizes(&self) -> Vec<(u32, u32)> {
        let known = (0..self.examples).filter_map(|example| {
            let size = (self.size)(example)?;
            Some((size, example as u32))
        });
        let mut sizes: Vec<(u32, u32)> = known.collect();
        sizes.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        sizes
    }

    /// The best least size, of equally good ones the greatest.
    fn cut(&self, sizes: &[(u32, u32)], chance: f64) -> Option<FoundTest<R::Summary>> {
        let mut inside = self.response.empty();
        let mut found: Option<FoundTest<R::Summary>> = None;
        let groups: Vec<&[(u32, u32)]> = sizes.chunk_by(|a, b| a.0 == b.0).collect();
        for group in groups.iter().take(groups.len().saturating_sub(1)) {
            for &(_, example) in *group {
                self.add(&mut inside, example as usize);
            }
            let Some(after) = (self.divided)(&inside) else {
                continue;
            };
            let best = found.as_ref().map(|found| found.after);
            if best.is_none_or(|best| after < best - self.response.slack()) {
                found = Some(FoundTest {
                    asked: AskedFor::Size(group[0].0),
                    inside: inside.clone(),
                    after,
                    chance,
                });
            }
        }
        found
    }
}
