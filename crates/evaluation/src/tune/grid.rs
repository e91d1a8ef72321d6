//! Which values of which settings are tried: all combinations, or some drawn at random.
//!
//! Values are written `1|3|5`. One of them may be a range: `1..9` has every whole number, `0..1/5`
//! five evenly spaced numbers with both ends, `log:0.01..100/5` five whose logarithms are evenly
//! spaced. Between whole ends numbers are whole where there are enough of them. A range without
//! steps of numbers that are not whole, or of logarithms, is for random search: J. Bergstra, Y.
//! Bengio, Random search for hyper-parameter optimization, Journal of Machine Learning Research 13,
//! 2012.

use std::collections::{BTreeMap, BTreeSet};

use kinwood_learning::Generator;

use crate::error::Error;

/// The most combinations that are tried.
pub const MOST_COMBINATIONS: usize = 100_000;
/// The most values of a range.
const MOST_VALUES: u64 = 10_000;
/// Where random searches draw from.
const DRAWS: u64 = u64::from_le_bytes(*b"settings");
/// How often in a row a combination is drawn that is there already before it is believed that there
/// are no others.
const PATIENCE: usize = 1_000;
/// Digits of numbers that are drawn or spaced, so that they can be written down.
const DIGITS: usize = 6;

/// The settings whose values are tried.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grid {
    dimensions: Vec<Dimension>,
}

/// A setting and its values.
#[derive(Clone, Debug, PartialEq)]
struct Dimension {
    name: String,
    items: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq)]
enum Item {
    Value(String),
    /// A range that has no end of values, or too many.
    Open {
        low: f64,
        high: f64,
        log: bool,
        whole: bool,
        written: String,
    },
}

/// Settings with a value each.
pub type Combination = Vec<(String, String)>;

impl Grid {
    /// Nothing to be tried but what is given.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a setting with its values as they are written.
    ///
    /// ```
    /// use kinwood_evaluation::tune::Grid;
    /// let grid = Grid::new().with("k", "1|3..5")?.with("c", "log:0.1..10/3")?;
    /// assert_eq!(grid.combinations()?.len(), 12);
    /// # Ok::<(), kinwood_evaluation::Error>(())
    /// ```
    pub fn with(mut self, name: &str, written: &str) -> Result<Self, Error> {
        if self.dimensions.iter().any(|known| known.name == name) {
            return Err(Error::RepeatedDimension {
                name: name.to_owned(),
            });
        }
        let mut items = Vec::new();
        let mut at = 0;
        for part in written.split('|') {
            let place = Place {
                name,
                written,
                before: &written[..at],
            };
            for item in place.items(part)? {
                if !items.contains(&item) {
                    items.push(item);
                }
            }
            at += part.len() + 1;
        }
        self.dimensions.push(Dimension {
            name: name.to_owned(),
            items,
        });
        Ok(self)
    }

    /// The settings, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.dimensions
            .iter()
            .map(|dimension| dimension.name.as_str())
    }

    /// Every combination, the first setting changing slowest; one without settings where there are
    /// none.
    pub fn combinations(&self) -> Result<Vec<Combination>, Error> {
        let values = self.values()?;
        let counts = values.iter().map(|values| values.len() as u128);
        let found = counts.fold(1, u128::saturating_mul);
        if found > MOST_COMBINATIONS as u128 {
            return Err(Error::TooManyCombinations {
                found,
                most: MOST_COMBINATIONS,
            });
        }
        Ok((0..found as u64)
            .map(|place| self.combination(&values, place))
            .collect())
    }

    /// So many combinations drawn at random without repetition; all of them, in their order, where
    /// there are no more.
    pub fn sample(&self, count: usize, seed: u64) -> Result<Vec<Combination>, Error> {
        if count > MOST_COMBINATIONS {
            return Err(Error::TooManyCombinations {
                found: count as u128,
                most: MOST_COMBINATIONS,
            });
        }
        let mut generator = Generator::new(seed, &[DRAWS]);
        match self.values() {
            Ok(values) => {
                let counts = values.iter().map(|values| values.len() as u64);
                let all = counts.fold(1, u64::saturating_mul);
                Ok(match all <= count as u64 {
                    true => (0..all)
                        .map(|place| self.combination(&values, place))
                        .collect(),
                    false => places(all, count, &mut generator)
                        .into_iter()
                        .map(|place| self.combination(&values, place))
                        .collect(),
                })
            }
            Err(_) => Ok(self.drawn(count, &mut generator)),
        }
    }

    /// The values of every setting, where none has a range without steps.
    fn values(&self) -> Result<Vec<Vec<&str>>, Error> {
        fn value<'a>(name: &str, item: &'a Item) -> Result<&'a str, Error> {
            match item {
                Item::Value(value) => Ok(value),
                Item::Open { written, .. } => Err(Error::OpenRange {
                    name: name.to_owned(),
                    written: written.clone(),
                }),
            }
        }
        let dimensions = self.dimensions.iter();
        dimensions
            .map(|Dimension { name, items }| items.iter().map(|item| value(name, item)).collect())
            .collect()
    }

    /// The combination at a place in the order of all.
    fn combination(&self, values: &[Vec<&str>], mut place: u64) -> Combination {
        let mut combination: Combination = Vec::with_capacity(values.len());
        for (dimension, values) in self.dimensions.iter().zip(values).rev() {
            let count = values.len() as u64;
            let value = values[(place % count) as usize];
            combination.push((dimension.name.clone(), value.to_owned()));
            place /= count;
        }
        combination.reverse();
        combination
    }

    fn drawn(&self, count: usize, generator: &mut Generator) -> Vec<Combination> {
        let (mut drawn, mut seen, mut in_vain) = (Vec::new(), BTreeSet::new(), 0);
        while drawn.len() < count && in_vain < PATIENCE {
            let combination: Combination = self
                .dimensions
                .iter()
                .map(|dimension| {
                    let item = &dimension.items[generator.below(dimension.items.len())];
                    (dimension.name.clone(), item.draw(generator))
                })
                .collect();
            match seen.insert(combination.clone()) {
                true => {
                    drawn.push(combination);
                    in_vain = 0;
                }
                false => in_vain += 1,
            }
        }
        drawn
    }
}

/// The first places of a random order of so many: Fisher and Yates, keeping only what was moved.
fn places(all: u64, count: usize, generator: &mut Generator) -> Vec<u64> {
    let mut moved: BTreeMap<u64, u64> = BTreeMap::new();
    (0..count as u64)
        .map(|place| {
            let other = place + generator.below((all - place) as usize) as u64;
            let at = |moved: &BTreeMap<u64, u64>, place: u64| *moved.get(&place).unwrap_or(&place);
            let (here, there) = (at(&moved, place), at(&moved, other));
            moved.insert(other, here);
            there
        })
        .collect()
}

impl Item {
    fn draw(&self, generator: &mut Generator) -> String {
        match *self {
            Item::Value(ref value) => value.clone(),
            Item::Open {
                low,
                high,
                log,
                whole,
                ..
            } => {
                // Every whole number has an equal part of the range, the ends too.
                let (from, to) = match whole {
                    true => (low - 0.5 * f64::from(u8::from(!log)), high + 0.5),
                    false => (low, high),
                };
                let share = generator.unit();
                let value = match log {
                    true => (from.ln() + share * (to.ln() - from.ln())).exp(),
                    false => from + share * (to - from),
                };
                number(value.clamp(low, high), whole)
            }
        }
    }
}

/// A number as it is written in a setting.
fn number(value: f64, whole: bool) -> String {
    match whole {
        true => format!("{:.0}", value.round() + 0.0),
        false => {
            let digits = DIGITS - 1;
            let short: f64 = format!("{value:.digits$e}").parse().unwrap_or(value);
            short.to_string()
        }
    }
}

/// Where values are read, for what is said of them.
struct Place<'a> {
    name: &'a str,
    written: &'a str,
    before: &'a str,
}

impl Place<'_> {
    fn wrong(&self, ahead: usize, expected: &'static str, found: &str) -> Error {
        let found = match found.is_empty() {
            true => "nothing".to_owned(),
            false => format!("`{found}`"),
        };
        Error::GridSyntax {
            name: self.name.to_owned(),
            written: self.written.to_owned(),
            place: self.name.chars().count() + 1 + self.before.chars().count() + ahead + 1,
            expected,
            found,
        }
    }

    /// The values or the range that one part is.
    fn items(&self, part: &str) -> Result<Vec<Item>, Error> {
        let (log, range) = match part.strip_prefix("log:") {
            Some(range) => (true, range),
            None => (false, part),
        };
        let prefix = part.len() - range.len();
        let is_number = |text: &str| text.parse::<f64>().is_ok_and(f64::is_finite);
        let ends = range
            .split_once("..")
            .filter(|(low, _)| log || is_number(low));
        let Some((low, rest)) = ends else {
            return match (part.is_empty(), log) {
                (true, _) => Err(self.wrong(0, "a value", part)),
                (_, true) => Err(self.wrong(prefix, "a range LOW..HIGH", range)),
                _ => Ok(vec![Item::Value(part.to_owned())]),
            };
        };
        let (high, steps) = match rest.split_once('/') {
            Some((high, steps)) => (high, Some(steps)),
            None => (rest, None),
        };
        let read = |ahead: usize, text: &str| {
            let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
            number.ok_or_else(|| self.wrong(ahead, "a number", text))
        };
        let to_high = prefix + low.len() + 2;
        let (from, to) = (read(prefix, low)?, read(to_high, high)?);
        if log && from <= 0.0 {
            return Err(self.wrong(prefix, "a number above 0, as logarithms are spaced", low));
        }
        if to <= from {
            return Err(self.wrong(to_high, "a number above the lower end", high));
        }
        let whole = [low, high].iter().all(|end| end.parse::<i64>().is_ok());
        if let Some(steps) = steps {
            let ahead = to_high + high.len() + 1;
            let expected = "a number of values from 2 to 10000";
            let count = steps.parse::<u64>().ok();
            let count = count.filter(|count| (2..=MOST_VALUES).contains(count));
            let count = count.ok_or_else(|| self.wrong(ahead, expected, steps))?;
            // Whole numbers stay whole where there are as many of them as are asked for.
            let whole = whole && to - from >= (count - 1) as f64;
            return Ok(spaced(from, to, log, whole, count));
        }
        if whole && !log && to - from < MOST_VALUES as f64 {
            let count = (to - from) as u64 + 1;
            return Ok(spaced(from, to, false, true, count));
        }
        Ok(vec![Item::Open {
            low: from,
            high: to,
            log,
            whole,
            written: part.to_owned(),
        }])
    }
}

/// Evenly spaced values with both ends; whole numbers are rounded.
fn spaced(low: f64, high: f64, log: bool, whole: bool, count: u64) -> Vec<Item> {
    let value = |step: u64| {
        let share = step as f64 / (count - 1) as f64;
        let value = match (step, log) {
            (0, _) => low,
            (step, _) if step == count - 1 => high,
            (_, true) => (low.ln() + share * (high.ln() - low.ln())).exp(),
            (_, false) => low + share * (high - low),
        };
        Item::Value(number(value, whole))
    };
    (0..count).map(value).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn grid(dimensions: &[(&str, &str)]) -> Grid {
        let add = |grid: Grid, (name, written): &(&str, &str)| grid.with(name, written).unwrap();
        dimensions.iter().fold(Grid::new(), add)
    }

    fn values(written: &str) -> Vec<String> {
        let combinations = grid(&[("a", written)]).combinations().unwrap();
        combinations
            .into_iter()
            .map(|mut pairs| pairs.remove(0).1)
            .collect()
    }

    #[test]
    fn values_and_ranges_are_read() {
        assert_eq!(values("1|3|loo"), ["1", "3", "loo"]);
        assert_eq!(values("8..11"), ["8", "9", "10", "11"]);
        assert_eq!(values("-1..1"), ["-1", "0", "1"]);
        // Between whole ends numbers stay whole, where there are enough of them.
        assert_eq!(values("0..10/5"), ["0", "3", "5", "8", "10"]);
        assert_eq!(values("0.0..10/5"), ["0", "2.5", "5", "7.5", "10"]);
        assert_eq!(values("0..1/5"), ["0", "0.25", "0.5", "0.75", "1"]);
        assert_eq!(values("log:1..50/4"), ["1", "4", "14", "50"]);
        assert_eq!(values("log:0.01..100/5"), ["0.01", "0.1", "1", "10", "100"]);
        assert_eq!(values("log:1..100/3|7|1"), ["1", "10", "100", "7"]);
        // What only looks like a range is a value.
        assert_eq!(values("../a|x..y"), ["../a", "x..y"]);
    }

    #[test]
    fn what_cannot_be_read_is_told_with_its_place() {
        let message = |written: &str| {
            let outcome = Grid::new().with("c", written);
            outcome.unwrap_err().to_string()
        };
        assert_eq!(
            message("1||3"),
            "`c=1||3`, character 5: expected a value, found nothing"
        );
        assert_eq!(
            message("1..x"),
            "`c=1..x`, character 6: expected a number, found `x`"
        );
        assert_eq!(
            message("7|5..2"),
            "`c=7|5..2`, character 8: expected a number above the lower end, found `2`"
        );
        assert_eq!(
            message("log:0..2"),
            "`c=log:0..2`, character 7: expected a number above 0, as logarithms are spaced, found `0`"
        );
        assert_eq!(
            message("log:3"),
            "`c=log:3`, character 7: expected a range LOW..HIGH, found `3`"
        );
        assert_eq!(
            message("0..1/1"),
            "`c=0..1/1`, character 8: expected a number of values from 2 to 10000, found `1`"
        );
        let twice = grid(&[("k", "1")]).with("k", "2").unwrap_err();
        assert_eq!(
            twice.to_string(),
            "the values of `k` to try are given twice"
        );
        let open = grid(&[("c", "0.1..2")]).combinations().unwrap_err();
        assert!(open.to_string().contains("as in `0.1..2/5`"), "{open}");
        let many = grid(&[("a", "1..1000"), ("b", "1..1000")]).combinations();
        assert!(many.unwrap_err().to_string().starts_with("1000000 combi"));
    }

    #[test]
    fn the_first_setting_changes_slowest() {
        let all = grid(&[("a", "1|2"), ("b", "x|y|z")])
            .combinations()
            .unwrap();
        let words: Vec<String> = all
            .iter()
            .map(|pairs| pairs.iter().map(|pair| pair.1.as_str()).collect())
            .collect();
        assert_eq!(words, ["1x", "1y", "1z", "2x", "2y", "2z"]);
        assert_eq!(Grid::new().combinations().unwrap(), [Vec::new()]);
    }

    #[test]
    fn ranges_are_drawn_within_their_ends() {
        let grid = grid(&[
            ("c", "log:0.01..100"),
            ("k", "log:1..1000"),
            ("w", "0.5..2"),
        ]);
        let drawn = grid.sample(300, 7).unwrap();
        assert_eq!(drawn.len(), 300);
        let number = |pairs: &Combination, place: usize| pairs[place].1.parse::<f64>().unwrap();
        for pairs in &drawn {
            assert!((0.01..=100.0).contains(&number(pairs, 0)), "{pairs:?}");
            let whole: u32 = pairs[1].1.parse().unwrap();
            assert!((1..=1000).contains(&whole));
            assert!((0.5..=2.0).contains(&number(pairs, 2)));
        }
        // Logarithms are even: as many below 1 as above.
        let below = drawn.iter().filter(|pairs| number(pairs, 0) < 1.0).count();
        assert!((110..=190).contains(&below), "{below}");
    }

    #[test]
    fn a_range_with_few_values_is_drawn_until_it_has_no_more() {
        let grid = grid(&[("k", "log:1..4")]);
        let mut drawn: Vec<String> = grid
            .sample(50, 1)
            .unwrap()
            .into_iter()
            .map(|mut pairs| pairs.remove(0).1)
            .collect();
        drawn.sort();
        assert_eq!(drawn, ["1", "2", "3", "4"]);
    }

    proptest! {
        #[test]
        fn samples_have_no_combination_twice_and_depend_on_the_seed_alone(
            a in 1..20usize, b in 1..20usize, count in 0..60usize, seed: u64
        ) {
            let (first, second) = (format!("1..{}", a + 1), format!("0|{}", (1..=b).map(|v| format!("v{v}")).collect::<Vec<_>>().join("|")));
            let grid = grid(&[("a", &first), ("b", &second)]);
            let all = grid.combinations().unwrap();
            prop_assert_eq!(all.len(), (a + 1) * (b + 1));
            let drawn = grid.sample(count, seed).unwrap();
            prop_assert_eq!(drawn.len(), count.min(all.len()));
            let distinct: BTreeSet<_> = drawn.iter().collect();
            prop_assert_eq!(distinct.len(), drawn.len());
            prop_assert!(drawn.iter().all(|pairs| all.contains(pairs)));
            prop_assert_eq!(grid.sample(count, seed).unwrap(), drawn);
        }

        #[test]
        fn no_text_stops_the_reader(written in "[0-9a-z|./:log-]{0,20}") {
            if let Ok(grid) = Grid::new().with("a", &written) {
                prop_assert!(grid.sample(3, 1).unwrap().len() <= 3);
            }
        }
    }
}
