//! Which items the values of a column have: one pass over their members, whatever the number of
//! items.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use kinwood_values::column::Members;
use kinwood_values::{Cells, Column, Dictionary};

use super::item::{Item, words};

/// The items of each row of a column.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    starts: Vec<usize>,
    places: Vec<u32>,
    /// How many members or characters; [`MISSING`] where there is no value.
    sizes: Vec<u32>,
}

/// The size of what is missing.
const MISSING: u32 = u32::MAX;

impl Found {
    pub(super) fn new(rows: usize) -> Self {
        Self {
            starts: vec![0],
            places: Vec::new(),
            sizes: Vec::with_capacity(rows),
        }
    }

    /// Ends a row, whose items are those since the last end.
    fn close(&mut self, size: usize) {
        let from = self.starts.last().copied().unwrap_or(0);
        self.places[from..].sort_unstable();
        let mut kept = from;
        for place in from..self.places.len() {
            if place == from || self.places[place] != self.places[kept - 1] {
                self.places[kept] = self.places[place];
                kept += 1;
            }
        }
        self.places.truncate(kept);
        self.starts.push(kept);
        self.sizes.push(size.min(MISSING as usize - 1) as u32);
    }

    /// Adds a row with these items, which rise.
    pub(super) fn push(&mut self, places: &[u32]) {
        self.places.extend_from_slice(places);
        self.close(1);
    }

    pub(super) fn close_missing(&mut self) {
        self.starts.push(self.places.len());
        self.sizes.push(MISSING);
    }

    /// The items of a row, rising; none where its value is missing.
    #[inline]
    pub fn items(&self, row: usize) -> &[u32] {
        &self.places[self.starts[row]..self.starts[row + 1]]
    }

    /// How many members or characters the value of a row has; `None` where it is missing.
    #[inline]
    pub fn size(&self, row: usize) -> Option<u32> {
        Some(self.sizes[row]).filter(|size| *size != MISSING)
    }

    /// Whether a row has one of some items, which rise; `None` where its value is missing.
    pub fn has_any(&self, row: usize, items: &[u32]) -> Option<bool> {
        self.size(row)?;
        let own = self.items(row);
        Some(match own.len() <= items.len() {
            true => own.iter().any(|item| items.binary_search(item).is_ok()),
            false => items.iter().any(|item| own.binary_search(item).is_ok()),
        })
    }
}

/// Finds items in every value of a column.
pub fn find(items: &[Item], column: &Column) -> Found {
    let mut found = Found::new(column.len());
    match column.cells() {
        Cells::String(texts) => {
            let sought = Texts::new(items);
            for row in 0..column.len() {
                match column.is_present(row) {
                    true => {
                        let text = texts.get(row);
                        sought.find(text, &mut found.places);
                        found.close(text.chars().count());
                    }
                    false => found.close_missing(),
                }
            }
        }
        Cells::Collection { members, .. } => {
            let labelled = Labelled::new(members);
            let mut sought = labelled
                .as_ref()
                .map(|labelled| Labels::new(items, labelled));
            let mut codes = Vec::new();
            for row in 0..column.len() {
                if !column.is_present(row) {
                    found.close_missing();
                    continue;
                }
                if let (Some(labelled), Some(sought)) = (&labelled, &mut sought) {
                    labelled.codes_of(row, &mut codes);
                    sought.find(&codes, &mut found.places);
                }
                found.close(members.range(row).len());
            }
        }
        _ => (0..column.len()).for_each(|_| found.close_missing()),
    }
    found
}

/// The members of a collection that are labels or texts, as codes.
pub(super) struct Labelled<'a> {
    members: &'a Members,
    codes: Cow<'a, [u32]>,
    /// What the codes mean.
    pub labels: Arc<Dictionary>,
}

impl<'a> Labelled<'a> {
    /// `None` where members are something else.
    pub fn new(members: &'a Members) -> Option<Self> {
        let (codes, labels) = match members.child.cells() {
            Cells::Nominal { codes, dictionary } => {
                (Cow::Borrowed(codes.as_slice()), Arc::clone(dictionary))
            }
            Cells::String(texts) => {
                let mut labels = Dictionary::new();
                let codes = (0..texts.len()).map(|row| labels.intern(texts.get(row)));
                (codes.collect(), Arc::new(labels))
            }
            _ => return None,
        };
        Some(Self {
            members,
            codes,
            labels,
        })
    }

    /// The codes of a row's members, in their order.
    pub fn codes_of(&self, row: usize, out: &mut Vec<u32>) {
        out.clear();
        let range = self.members.range(row);
        let present = range.filter(|&member| self.members.child.is_present(member));
        out.extend(present.map(|member| self.codes[member]));
    }
}

/// No item.
const NONE: u32 = u32::MAX;

/// Items that are labels, by the codes of a column.
struct Labels {
    /// By code: the place of the item that it is a member, or [`NONE`].
    members: Vec<u32>,
    /// By code: the place of the item that it is the first member.
    firsts: Vec<u32>,
    /// By code: its number among those that pairs speak of.
    paired: Vec<u32>,
    /// By two of these numbers: the place of the item.
    pairs: HashMap<(u32, u32), u32>,
    /// By number, in the row at hand: the first and the last place of the label, or [`NONE`].
    seen: Vec<(u32, u32)>,
}

impl Labels {
    fn new(items: &[Item], labelled: &Labelled<'_>) -> Self {
        let count = labelled.labels.len();
        let mut sought = Self {
            members: vec![NONE; count],
            firsts: vec![NONE; count],
            paired: vec![NONE; count],
            pairs: HashMap::new(),
            seen: Vec::new(),
        };
        for (place, item) in (0u32..).zip(items) {
            let code = |label: &str| labelled.labels.code(label).map(|code| code as usize);
            match item {
                Item::Label(label) => {
                    if let Some(code) = code(label) {
                        sought.members[code] = place;
                    }
                }
                Item::First(label) => {
                    if let Some(code) = code(label) {
                        sought.firsts[code] = place;
                    }
                }
                Item::Before(first, second) => {
                    if let Some((first, second)) = code(first).zip(code(second)) {
                        let pair = (sought.number(first), sought.number(second));
                        sought.pairs.insert(pair, place);
                    }
                }
                _ => {}
            }
        }
        sought
    }

    fn number(&mut self, code: usize) -> u32 {
        if self.paired[code] == NONE {
            self.paired[code] = self.seen.len() as u32;
            self.seen.push((NONE, NONE));
        }
        self.paired[code]
    }

    fn find(&mut self, codes: &[u32], out: &mut Vec<u32>) {
        let known = |place: u32| Some(place).filter(|place| *place != NONE);
        if let Some(&first) = codes.first() {
            out.extend(known(self.firsts[first as usize]));
        }
        out.extend(
            codes
                .iter()
                .filter_map(|&code| known(self.members[code as usize])),
        );
        if self.pairs.is_empty() {
            return;
        }
        let mut present: Vec<u32> = Vec::new();
        for (place, &code) in (0u32..).zip(codes) {
            let Some(number) = known(self.paired[code as usize]) else {
                continue;
            };
            let seen = &mut self.seen[number as usize];
            if seen.0 == NONE {
                seen.0 = place;
                present.push(number);
            }
            seen.1 = place;
        }
        for &first in &present {
            for &second in &present {
                if self.seen[first as usize].0 < self.seen[second as usize].1 {
                    out.extend(self.pairs.get(&(first, second)));
                }
            }
        }
        for number in present {
            self.seen[number as usize] = (NONE, NONE);
        }
    }
}

/// Items that are parts or words of texts.
struct Texts<'i> {
    parts: HashMap<&'i str, u32>,
    /// How many characters the parts have, rising.
    lengths: Vec<usize>,
    words: HashMap<&'i str, u32>,
}

impl<'i> Texts<'i> {
    fn new(items: &'i [Item]) -> Self {
        let mut sought = Self {
            parts: HashMap::new(),
            lengths: Vec::new(),
            words: HashMap::new(),
        };
        for (place, item) in (0u32..).zip(items) {
            match item {
                Item::Part(part) => {
                    sought.parts.insert(part, place);
                    sought.lengths.push(part.chars().count());
                }
                Item::Word(word) => {
                    sought.words.insert(word, place);
                }
                _ => {}
            }
        }
        sought.lengths.sort_unstable();
        sought.lengths.dedup();
        sought
    }

    fn find(&self, text: &str, out: &mut Vec<u32>) {
        if !self.words.is_empty() {
            out.extend(words(text).filter_map(|word| self.words.get(word.as_str())));
        }
        if self.parts.is_empty() {
            return;
        }
        let bounds = bounds(text);
        for &length in &self.lengths {
            let parts = parts(text, &bounds, length);
            out.extend(parts.filter_map(|part| self.parts.get(part)));
        }
    }
}

/// Where the characters of a text begin, and its end.
pub(super) fn bounds(text: &str) -> Vec<usize> {
    let starts = text.char_indices().map(|(start, _)| start);
    starts.chain([text.len()]).collect()
}

/// All parts of a text that have so many characters.
pub(super) fn parts<'t>(
    text: &'t str,
    bounds: &'t [usize],
    length: usize,
) -> impl Iterator<Item = &'t str> {
    let ends = bounds.iter().skip(length);
    bounds.iter().zip(ends).map(|(&from, &to)| &text[from..to])
}
