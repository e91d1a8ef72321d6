//! Interned symbols: each distinct label is stored once and spoken of by a code.
//!
//! Labels lie end to end in one buffer and the index holds codes only, so a column of a million
//! distinct keys costs one allocation, not a million. Codes are given in order of first appearance:
//! a declared list of values keeps its order, and no hash order ever shows.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

/// The distinct labels of a nominal column, by code.
#[derive(Clone, Default)]
pub struct Dictionary {
    text: String,
    ends: Vec<usize>,
    index: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl Dictionary {
    /// A dictionary without labels.
    pub fn new() -> Self {
        Self::default()
    }

    /// The labels in the order given; repeats keep their first code.
    ///
    /// ```
    /// let colours = kinwood_values::Dictionary::from_labels(["red", "green"]);
    /// assert_eq!(colours.code("green"), Some(1));
    /// assert_eq!(colours.label(0), "red");
    /// ```
    pub fn from_labels<S: AsRef<str>>(labels: impl IntoIterator<Item = S>) -> Self {
        let mut dictionary = Self::new();
        for label in labels {
            dictionary.intern(label.as_ref());
        }
        dictionary
    }

    /// The code of a label, giving it the next one if it is new.
    pub fn intern(&mut self, label: &str) -> u32 {
        let hash = self.hasher.hash_one(label.as_bytes());
        let (text, ends) = (&self.text, &self.ends);
        if let Some(code) = self
            .index
            .find(hash, |&code| slice(text, ends, code) == label)
        {
            return *code;
        }
        let code =
            u32::try_from(self.ends.len()).expect("a column has fewer than 2^32 rows, so labels");
        self.text.push_str(label);
        self.ends.push(self.text.len());
        let (text, ends, hasher) = (&self.text, &self.ends, &self.hasher);
        self.index.insert_unique(hash, code, |&code| {
            hasher.hash_one(slice(text, ends, code).as_bytes())
        });
        code
    }

    /// The code of a label, if it is there.
    pub fn code(&self, label: &str) -> Option<u32> {
        let hash = self.hasher.hash_one(label.as_bytes());
        self.index
            .find(hash, |&code| slice(&self.text, &self.ends, code) == label)
            .copied()
    }

    /// The label of a code given by this dictionary.
    pub fn label(&self, code: u32) -> &str {
        slice(&self.text, &self.ends, code)
    }

    /// How many labels there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The labels in order of their codes.
    pub fn labels(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.ends.len() as u32).map(|code| self.label(code))
    }

    /// Whether the codes of `shorter` mean the same here: its labels are a prefix of these.
    pub fn extends(&self, shorter: &Self) -> bool {
        shorter.len() <= self.len() && shorter.labels().zip(self.labels()).all(|(a, b)| a == b)
    }

    /// Bytes held by the labels and their index.
    pub fn memory(&self) -> usize {
        self.text.capacity()
            + self.ends.capacity() * size_of::<usize>()
            + self.index.allocation_size()
    }
}

fn slice<'a>(text: &'a str, ends: &[usize], code: u32) -> &'a str {
    let code = code as usize;
    let start = if code == 0 { 0 } else { ends[code - 1] };
    &text[start..ends[code]]
}

impl PartialEq for Dictionary {
    fn eq(&self, other: &Self) -> bool {
        self.ends == other.ends && self.text == other.text
    }
}

impl Eq for Dictionary {}

impl std::fmt::Debug for Dictionary {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_list().entries(self.labels()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_follow_first_appearance() {
        let mut dictionary = Dictionary::new();
        let codes: Vec<u32> = ["b", "a", "b", "", "a"]
            .iter()
            .map(|l| dictionary.intern(l))
            .collect();
        assert_eq!(codes, [0, 1, 0, 2, 1]);
        assert_eq!(dictionary.labels().collect::<Vec<_>>(), ["b", "a", ""]);
        assert_eq!(dictionary.code("c"), None);
    }

    #[test]
    fn many_labels_keep_their_codes() {
        let labels: Vec<String> = (0..10_000).map(|i| format!("label {i}")).collect();
        let dictionary = Dictionary::from_labels(&labels);
        for (i, label) in labels.iter().enumerate() {
            assert_eq!(dictionary.code(label), Some(i as u32));
            assert_eq!(dictionary.label(i as u32), label);
        }
    }

    #[test]
    fn a_longer_dictionary_extends_its_prefix() {
        let short = Dictionary::from_labels(["a", "b"]);
        assert!(Dictionary::from_labels(["a", "b", "c"]).extends(&short));
        assert!(!Dictionary::from_labels(["b", "a", "c"]).extends(&short));
        assert!(!Dictionary::from_labels(["a"]).extends(&short));
    }
}
