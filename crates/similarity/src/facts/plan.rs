//! What training facts have to say: the predicates that describe each kind of ID, and the largest
//! difference at each rank.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// How objects are compared.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Plan {
    /// The predicates that describe the objects themselves.
    pub(crate) main: BTreeSet<String>,
    /// The predicates of which no ID has more than one fact: these are compared as they are, or at
    /// the price of leaving both unmatched if that is less, whatever compares sets of facts.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) single: BTreeSet<String>,
    /// The predicates, by name and number of arguments (the ID counts): `bond/4`.
    pub(crate) predicates: BTreeMap<String, Predicate>,
}

/// The arguments of a predicate behind the ID.
pub(crate) type Predicate = Vec<Column>;

/// What stands at a rank of a predicate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Column {
    /// The largest difference of two numbers.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) largest: f64,
    /// The predicates that describe the IDs found there.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) described_by: BTreeSet<String>,
}

fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

/// A rank as it is compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rank {
    largest: f64,
    /// The kind of the IDs found there, if there were any.
    pub(crate) kind: Option<u32>,
}

impl Rank {
    pub(super) fn new(largest: f64, kind: Option<u32>) -> Self {
        Self { largest, kind }
    }

    /// The largest difference there is.
    pub(crate) fn largest(&self) -> f64 {
        self.largest
    }

    /// Layer 1 of two numbers, squared. Where all numbers were equal, numbers are equal or not;
    /// beyond what was seen, nothing is further than 1.
    #[inline]
    pub(crate) fn square(&self, x: f64, y: f64) -> f64 {
        let difference = (x - y).abs();
        if difference == 0.0 {
            return 0.0;
        }
        match difference < self.largest {
            true => (difference / self.largest).powi(2),
            false => 1.0,
        }
    }
}

/// Collects a plan from facts.
#[derive(Default)]
pub(crate) struct Survey {
    main: BTreeSet<String>,
    ranks: BTreeMap<String, Vec<Seen>>,
    several: BTreeSet<String>,
}

#[derive(Clone)]
struct Seen {
    least: f64,
    most: f64,
    described_by: BTreeSet<String>,
}

impl Survey {
    /// A predicate that describes objects themselves.
    pub(crate) fn main(&mut self, predicate: &str) {
        if !self.main.contains(predicate) {
            self.main.insert(predicate.to_owned());
        }
    }

    fn rank(&mut self, predicate: &str, arguments: usize, rank: usize) -> &mut Seen {
        let none = Seen {
            least: f64::INFINITY,
            most: f64::NEG_INFINITY,
            described_by: BTreeSet::new(),
        };
        if !self.ranks.contains_key(predicate) {
            self.predicate(predicate, arguments);
        }
        let ranks = self.ranks.get_mut(predicate).expect("it was put there");
        ranks.resize(arguments, none);
        &mut ranks[rank]
    }

    /// A predicate with its number of arguments behind the ID.
    pub(crate) fn predicate(&mut self, predicate: &str, arguments: usize) {
        let none = Seen {
            least: f64::INFINITY,
            most: f64::NEG_INFINITY,
            described_by: BTreeSet::new(),
        };
        self.ranks
            .entry(predicate.to_owned())
            .or_insert_with(|| vec![none; arguments]);
    }

    /// That an ID has several facts of a predicate.
    pub(crate) fn several(&mut self, predicate: &str) {
        if !self.several.contains(predicate) {
            self.several.insert(predicate.to_owned());
        }
    }

    /// A number at a rank.
    pub(crate) fn number(&mut self, predicate: &str, arguments: usize, rank: usize, number: f64) {
        let seen = self.rank(predicate, arguments, rank);
        seen.least = seen.least.min(number);
        seen.most = seen.most.max(number);
    }

    /// An ID at a rank, that this predicate describes.
    pub(crate) fn object(
        &mut self,
        predicate: &str,
        arguments: usize,
        rank: usize,
        described_by: &str,
    ) {
        let seen = self.rank(predicate, arguments, rank);
        if !seen.described_by.contains(described_by) {
            seen.described_by.insert(described_by.to_owned());
        }
    }

    /// The plan.
    pub(crate) fn plan(self) -> Plan {
        let column = |seen: Seen| Column {
            largest: match seen.most - seen.least {
                range if range > 0.0 && range.is_finite() => range,
                _ => 0.0,
            },
            described_by: seen.described_by,
        };
        let once = |name: &&String| !self.several.contains(*name);
        let single = self.ranks.keys().filter(once).cloned().collect();
        let ranks = self.ranks.into_iter();
        Plan {
            main: self.main,
            single,
            predicates: ranks
                .map(|(name, ranks)| (name, ranks.into_iter().map(column).collect()))
                .collect(),
        }
    }
}
