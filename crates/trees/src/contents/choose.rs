//! Which items tests may speak of: those that several values of training have, but not all.

use std::collections::{BTreeSet, HashMap, HashSet};

use kinwood_values::column::Texts;
use kinwood_values::{Cells, Column, Kind};

use super::find::{Labelled, bounds, parts};
use super::item::{Item, words};

/// Which items are chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemRules {
    /// The most items of a kind that a node looks at, those of the most values first.
    pub most: usize,
    /// Words that no test speaks of, in lower case.
    pub stop_words: BTreeSet<String>,
}

/// An item that fewer rows have is a name: nothing can be learned from it.
const SUPPORT: u32 = 2;
/// Pairs are formed of so many labels, those of the most rows.
const PAIRED: usize = 32;
/// The longest parts of strings, in characters.
const LONGEST: usize = 6;
/// So many characters of a string are looked at for parts.
const LOOKED_AT: usize = 4096;

/// The items of values that stand for so many rows each: by kind, those of the most rows first.
pub fn chosen(values: &Column, rows: &[u32], rules: &ItemRules) -> Vec<Item> {
    let total: u32 = (0..values.len())
        .filter(|&value| values.is_present(value))
        .map(|value| rows[value])
        .sum();
    let choice = Choice {
        values,
        rows,
        total,
        rules,
    };
    match values.cells() {
        Cells::String(texts) => match choice.has_words(texts) {
            true => choice.words(texts),
            false => choice.parts(texts),
        },
        Cells::Collection { kind, members } => match Labelled::new(members) {
            Some(labelled) => choice.labels(&labelled, *kind == Kind::List),
            None => Vec::new(),
        },
        _ => Vec::new(),
    }
}

struct Choice<'a> {
    values: &'a Column,
    rows: &'a [u32],
    /// How many rows have a value.
    total: u32,
    rules: &'a ItemRules,
}

impl Choice<'_> {
    fn present(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.values.len()).filter(|&value| self.values.is_present(value))
    }

    /// What some rows have and others do not: of the most rows first, then in the order of names.
    fn frequent<T: Ord>(&self, counted: impl Iterator<Item = (T, u32)>, most: usize) -> Vec<T> {
        let tells = |(_, rows): &(T, u32)| (SUPPORT..self.total).contains(rows);
        let mut kept: Vec<(T, u32)> = counted.filter(tells).collect();
        kept.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        kept.truncate(most);
        kept.into_iter().map(|(item, _)| item).collect()
    }

    fn labels(&self, labelled: &Labelled<'_>, list: bool) -> Vec<Item> {
        let count = labelled.labels.len();
        let (mut members, mut firsts) = (vec![0u32; count], vec![0u32; count]);
        let mut codes = Vec::new();
        for value in self.present() {
            labelled.codes_of(value, &mut codes);
            if let Some(&first) = codes.first() {
                firsts[first as usize] += self.rows[value];
            }
            codes.sort_unstable();
            codes.dedup();
            for &code in &codes {
                members[code as usize] += self.rows[value];
            }
        }
        let named = |counts: Vec<u32>| {
            let named = (0..count as u32).map(|code| labelled.labels.label(code));
            named.zip(counts)
        };
        let paired = match list {
            true => {
                let several = named(members.clone()).filter(|label| label.1 >= SUPPORT);
                let mut several: Vec<(&str, u32)> = several.collect();
                several.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
                several.truncate(PAIRED);
                several.into_iter().map(|label| label.0).collect()
            }
            false => Vec::new(),
        };
        // A node takes those that are most frequent there, so that all are kept here.
        let members = self.frequent(named(members), usize::MAX).into_iter();
        let mut items: Vec<Item> = members.map(|label| Item::Label(label.to_owned())).collect();
        if list {
            let firsts = self.frequent(named(firsts), self.rules.most).into_iter();
            items.extend(firsts.map(|label| Item::First(label.to_owned())));
            items.extend(self.pairs(labelled, &paired));
        }
        items
    }

    /// Pairs of labels in an order that some lists have.
    fn pairs(&self, labelled: &Labelled<'_>, paired: &[&str]) -> Vec<Item> {
        let number: HashMap<u32, usize> = paired
            .iter()
            .enumerate()
            .filter_map(|(number, label)| Some((labelled.labels.code(label)?, number)))
            .collect();
        let mut counts = vec![0u32; paired.len() * paired.len()];
        let mut codes = Vec::new();
        for value in self.present() {
            labelled.codes_of(value, &mut codes);
            let mut seen: Vec<Option<(usize, usize)>> = vec![None; paired.len()];
            for (place, code) in codes.iter().enumerate() {
                if let Some(&number) = number.get(code) {
                    seen[number].get_or_insert((place, place)).1 = place;
                }
            }
            let present: Vec<(usize, usize, usize)> = seen
                .iter()
                .enumerate()
                .filter_map(|(number, seen)| seen.map(|(first, last)| (number, first, last)))
                .collect();
            for &(one, first, _) in &present {
                for &(other, _, last) in &present {
                    if first < last {
                        counts[one * paired.len() + other] += self.rows[value];
                    }
                }
            }
        }
        let pairs = counts.into_iter().enumerate().map(|(place, rows)| {
            let pair = (paired[place / paired.len()], paired[place % paired.len()]);
            (pair, rows)
        });
        let pairs = self.frequent(pairs, self.rules.most).into_iter();
        pairs
            .map(|(first, second)| Item::Before(first.to_owned(), second.to_owned()))
            .collect()
    }

    /// Whether at least half of the strings have several words: then they are texts.
    fn has_words(&self, texts: &Texts) -> bool {
        let several = |&value: &usize| texts.get(value).split_whitespace().nth(1).is_some();
        let rows: u32 = self
            .present()
            .filter(several)
            .map(|value| self.rows[value])
            .sum();
        rows > 0 && u64::from(rows) * 2 >= u64::from(self.total)
    }

    fn words(&self, texts: &Texts) -> Vec<Item> {
        let mut counts: HashMap<String, u32> = HashMap::new();
        for value in self.present() {
            let own: BTreeSet<String> = words(texts.get(value)).collect();
            for word in own {
                if !self.rules.stop_words.contains(&word) {
                    *counts.entry(word).or_default() += self.rows[value];
                }
            }
        }
        let words = self.frequent(counts.into_iter(), self.rules.most);
        words.into_iter().map(Item::Word).collect()
    }

    /// Parts of rising length: one that several strings have is made of shorter ones that they
    /// have, so that few are counted.
    fn parts(&self, texts: &Texts) -> Vec<Item> {
        let bounds: Vec<(usize, Vec<usize>)> = self
            .present()
            .map(|value| {
                let mut bounds = bounds(texts.get(value));
                bounds.truncate(LOOKED_AT + 1);
                (value, bounds)
            })
            .collect();
        let each = self.rules.most.div_ceil(LONGEST);
        let mut items = Vec::new();
        let mut shorter: HashSet<&str> = HashSet::new();
        for length in 1..=LONGEST {
            let mut counts: HashMap<&str, u32> = HashMap::new();
            let mut own: HashSet<&str> = HashSet::new();
            for (value, bounds) in &bounds {
                own.clear();
                own.extend(parts(texts.get(*value), bounds, length).filter(|part| {
                    length == 1 || {
                        let first = part.chars().next().map_or(0, char::len_utf8);
                        let last = part.chars().next_back().map_or(0, char::len_utf8);
                        shorter.contains(&part[first..])
                            && shorter.contains(&part[..part.len() - last])
                    }
                }));
                for part in &own {
                    *counts.entry(part).or_default() += self.rows[*value];
                }
            }
            counts.retain(|_, rows| *rows >= SUPPORT);
            if counts.is_empty() {
                break;
            }
            shorter = counts.keys().copied().collect();
            let frequent = self.frequent(counts.into_iter(), each).into_iter();
            items.extend(frequent.map(|part| Item::Part(part.to_owned())));
        }
        items
    }
}
