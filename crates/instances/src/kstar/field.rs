//! What stored attributes answer to queries: the term of each stored row.

use std::sync::Arc;

use kinwood_similarity::Pairs;
use kinwood_values::{Column, Dictionary};

use super::entropic::{self, Groups};
use super::levels::scales;
use super::probability::{stop, symbol};
use super::rules::{Lacking, Rules};
use super::stored::{Field, Measured, Numbers, Symbols, numbers};
use super::term::Term;
use super::{sphere, weka};
use kinwood_learning::error::Result;

impl Field {
    /// Asks the attribute about the values of a column, one a query.
    pub fn ask<'a>(
        &'a self,
        queries: &Column,
        blend: f64,
        rules: &Rules,
        weights: &'a [f64],
        groups: Option<&'a Groups>,
    ) -> Result<Asked<'a>> {
        Ok(match self {
            Field::Number(stored) => {
                let values = numbers(queries).unwrap_or_default();
                Asked::Terms(stored.terms(&values, blend, rules, weights, groups))
            }
            Field::Symbol(stored) => {
                Asked::Terms(stored.terms(queries, blend, rules, weights, groups))
            }
            Field::Measured(stored) => Asked::Measured {
                pairs: stored
                    .distance
                    .bind_real(queries, &stored.column, "`kstar`")?,
                known: (0..queries.len())
                    .map(|row| queries.is_present(row))
                    .collect(),
                stored,
                blend,
                lacking: rules.lacking,
                weights,
                groups,
            },
        })
    }

    /// The term of one stored row.
    pub fn term_of(&self, term: &Term, row: usize) -> f64 {
        match (self, term) {
            (
                Field::Number(stored),
                Term::Number {
                    value,
                    offset,
                    rate,
                    missing,
                },
            ) => {
                let distance = (stored.values[row] - value).abs();
                if distance.is_nan() {
                    *missing
                } else {
                    offset - rate * distance
                }
            }
            (
                Field::Symbol(stored),
                Term::Symbol {
                    own,
                    same,
                    change,
                    frequencies,
                    missing,
                },
            ) => {
                let code = stored.codes[row];
                if Some(code) == *own {
                    *same
                } else {
                    match stored.logarithms.get(code as usize) {
                        None => *missing,
                        Some(logarithm) if *frequencies => change + logarithm,
                        Some(_) => *change,
                    }
                }
            }
            (_, Term::Rows { terms }) => terms[row],
            _ => 0.0,
        }
    }
}

/// An attribute's answers to queries.
pub enum Asked<'a> {
    /// Ready, by query.
    Terms(Vec<Term>),
    /// To be measured when it is the query's turn: a number for every stored row.
    Measured {
        stored: &'a Measured,
        pairs: Arc<dyn Pairs<f64>>,
        known: Vec<bool>,
        blend: f64,
        lacking: Lacking,
        weights: &'a [f64],
        groups: Option<&'a Groups>,
    },
}

impl Asked<'_> {
    /// The term of a query.
    pub fn term(&self, query: usize) -> Term {
        match self {
            Asked::Terms(terms) => terms[query].clone(),
            Asked::Measured { known, .. } if !known[query] => Term::Silent,
            Asked::Measured {
                stored,
                pairs,
                blend,
                lacking,
                weights,
                groups,
                ..
            } => {
                let mut distances = vec![0.0; stored.column.len()];
                pairs
                    .prepare(query)
                    .fill(0..distances.len(), &mut distances);
                for (row, distance) in distances.iter_mut().enumerate() {
                    if !stored.column.is_present(row) || !distance.is_finite() {
                        *distance = f64::NAN;
                    }
                }
                by_distance(distances, *blend, *lacking, weights, *groups)
            }
        }
    }
}

/// The terms of rows at these distances, NaN where there is none: `exp(-d / x0)`, with the scale of
/// the blend.
fn by_distance(
    mut distances: Vec<f64>,
    blend: f64,
    lacking: Lacking,
    weights: &[f64],
    groups: Option<&Groups>,
) -> Term {
    let mut sorted: Vec<(f64, f64)> = distances
        .iter()
        .zip(weights)
        .filter(|(distance, weight)| !distance.is_nan() && **weight > 0.0)
        .map(|(&distance, &weight)| (distance, weight))
        .collect();
    if sorted.is_empty() {
        return Term::Silent;
    }
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (ordered, masses): (Vec<f64>, Vec<f64>) = sorted.into_iter().unzip();
    let rate = match groups {
        None => sphere::rate(&ordered, &masses, blend),
        Some(groups) => entropic::distance_rate(&distances, &ordered, &masses, weights, groups),
    };
    let missing = match lacking {
        Lacking::None => 0.0,
        Lacking::Ignore => f64::NEG_INFINITY,
        Lacking::Maximal => -rate * ordered[ordered.len() - 1],
        Lacking::Average => {
            let total: f64 = masses.iter().sum();
            let sum: f64 = ordered
                .iter()
                .zip(&masses)
                .map(|(distance, mass)| mass * (-rate * (distance - ordered[0])).exp())
                .sum();
            (sum / total).ln() - rate * ordered[0]
        }
    };
    for distance in &mut distances {
        *distance = if distance.is_nan() {
            missing
        } else {
            -rate * *distance
        };
    }
    Term::Rows { terms: distances }
}

/// Query values in order, each once.
fn distinct(values: &[f64]) -> Vec<f64> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|x| !x.is_nan()).collect();
    sorted.sort_by(f64::total_cmp);
    sorted.dedup_by(|a, b| a.to_bits() == b.to_bits());
    sorted
}

impl Numbers {
    fn terms(
        &self,
        queries: &[f64],
        blend: f64,
        rules: &Rules,
        weights: &[f64],
        groups: Option<&Groups>,
    ) -> Vec<Term> {
        let sorted = distinct(queries);
        let found: Vec<Term> = if rules.weka {
            weka::numbers(self, &sorted, blend, rules.lacking, groups)
        } else if self.line.total > 0.0 {
            let scales = match groups {
                None => scales(&self.line, &sorted, blend),
                Some(groups) => entropic::number_scales(self, &sorted, weights, groups),
            };
            let term = |(&value, scale): (&f64, super::levels::Scale)| Term::Number {
                value,
                offset: 0.0,
                rate: scale.rate,
                missing: match rules.lacking {
                    Lacking::None => 0.0,
                    Lacking::Ignore => f64::NEG_INFINITY,
                    Lacking::Maximal => -scale.rate * self.line.furthest(value),
                    Lacking::Average => scale.mean,
                },
            };
            sorted.iter().zip(scales).map(term).collect()
        } else {
            vec![Term::Silent; sorted.len()]
        };
        let term = |value: &f64| match sorted.binary_search_by(|known| known.total_cmp(value)) {
            Ok(position) => found[position].clone(),
            Err(_) => Term::Silent,
        };
        queries.iter().map(term).collect()
    }
}

impl Symbols {
    /// The code of a label among the stored ones, for each code of a dictionary.
    fn codes_of(&self, other: &Arc<Dictionary>) -> Option<Vec<Option<u32>>> {
        let same = Arc::ptr_eq(other, &self.dictionary) || other.extends(&self.dictionary);
        (!same).then(|| {
            other
                .labels()
                .map(|label| self.dictionary.code(label))
                .collect()
        })
    }

    fn terms(
        &self,
        queries: &Column,
        blend: f64,
        rules: &Rules,
        weights: &[f64],
        groups: Option<&Groups>,
    ) -> Vec<Term> {
        let Some((codes, dictionary)) = queries.codes() else {
            return vec![Term::Silent; queries.len()];
        };
        let labels = self.frequencies.len();
        let map = self.codes_of(dictionary);
        // One place for every stored label, and one for all others.
        let mut known: Vec<Option<Term>> = vec![None; labels + 1];
        let grouped = groups.map(|groups| {
            let place = |row: usize| Some(self.codes[row] as usize).filter(|&code| code < labels);
            groups.by_place(weights, labels, place)
        });
        let term = |row: usize| {
            if !queries.is_present(row) {
                return Term::Silent;
            }
            let own = match &map {
                Some(map) => map.get(codes[row] as usize).copied().flatten(),
                None => Some(codes[row]).filter(|&code| (code as usize) < labels),
            };
            let place = own.map_or(labels, |code| code as usize);
            known[place]
                .get_or_insert_with(|| {
                    if rules.weka {
                        return weka::symbol(self, own, blend, rules.lacking, groups);
                    }
                    let blend = match &grouped {
                        Some(grouped) => entropic::symbol_blend(self, own, grouped),
                        None => blend,
                    };
                    self.term(own, blend, rules.lacking)
                })
                .clone()
        };
        (0..queries.len()).map(term).collect()
    }

    fn term(&self, own: Option<u32>, blend: f64, lacking: Lacking) -> Term {
        if self.total <= 0.0 {
            return Term::Silent;
        }
        let stop = stop(blend);
        let frequency =
            |code: Option<u32>| code.map_or(0.0, |code| self.frequencies[code as usize]);
        let same = symbol(true, stop, frequency(own));
        let chance = |(code, &share): (usize, &f64)| symbol(Some(code as u32) == own, stop, share);
        let seen = self
            .frequencies
            .iter()
            .enumerate()
            .filter(|(_, share)| **share > 0.0);
        let missing = match lacking {
            Lacking::None => same,
            Lacking::Ignore => 0.0,
            Lacking::Maximal => seen.map(chance).fold(f64::INFINITY, f64::min),
            Lacking::Average => seen
                .map(|(code, share)| share * chance((code, share)))
                .sum(),
        };
        // Relative to staying; a symbol never seen stays with the probability of stopping alone,
        // which may be 0.
        let base = if same > 0.0 { same.ln() } else { 0.0 };
        Term::Symbol {
            own,
            same: 0.0,
            change: (1.0 - stop).ln() - base,
            frequencies: true,
            missing: missing.ln() - base,
        }
    }
}
