//! Statistics of columns, by type and recursively: what members, fields and nodes are like.
//!
//! Everything is computed from the flat buffers, and only from rows that hold a value: the members
//! of a missing set and the fields of a missing tuple are fillers. What is undefined (the mean of
//! no numbers, the deviation of one) or beyond the range of numbers is `None`, so that no JSON
//! number is ever infinite.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashSet;

use kinwood_values::column::{Graphs, Members, Terms, Texts, Trees};
use kinwood_values::term::Node;
use kinwood_values::{Cells, Column, Dictionary, Type, datetime};
use serde::Serialize;

/// How many of the most frequent labels are named.
const MOST_FREQUENT: usize = 10;

/// What the values of a column, the members of a collection or a field of tuples are like.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[non_exhaustive]
pub enum Statistics {
    /// Numbers.
    Numeric {
        /// The least.
        min: Option<f64>,
        /// The greatest.
        max: Option<f64>,
        /// The mean.
        mean: Option<f64>,
        /// The standard deviation of a sample (n - 1).
        sd: Option<f64>,
        /// How many different ones.
        distinct: usize,
        /// Lower quartile, median, upper quartile, between neighbours by linear interpolation.
        quartiles: Option<[f64; 3]>,
    },
    /// Labels.
    Nominal {
        /// How many different ones occur.
        distinct: usize,
        /// Up to ten labels, the most frequent first, equally frequent ones in the order of the
        /// data.
        most_frequent: Vec<Frequency>,
    },
    /// Points in time, as ISO 8601 text.
    DateTime {
        /// The first.
        earliest: Option<String>,
        /// The last.
        latest: Option<String>,
    },
    /// Strings.
    String {
        /// How many different ones.
        distinct: usize,
        /// Numbers of characters.
        length: Option<Spread>,
    },
    /// Lists, sets or bags.
    Collection {
        /// Numbers of members.
        size: Option<Spread>,
        /// The share without members.
        empty: Option<f64>,
        /// What the members of all of them are like.
        members: Box<Part>,
    },
    /// Tuples.
    Tuple {
        /// What each field is like.
        fields: Vec<Part>,
    },
    /// Trees.
    Tree {
        /// Numbers of nodes.
        nodes: Option<Spread>,
        /// Numbers of nodes on the longest way from the root.
        depth: Option<Spread>,
        /// How many different labels.
        distinct_labels: usize,
    },
    /// Terms.
    Term {
        /// Numbers of symbols.
        size: Option<Spread>,
        /// How many different functors, by name and number of arguments, constants included.
        distinct_functors: usize,
        /// The share without variables.
        ground: Option<f64>,
    },
    /// Graphs.
    Graph {
        /// Numbers of nodes.
        nodes: Option<Spread>,
        /// Numbers of edges.
        edges: Option<Spread>,
        /// The share whose edges have a direction.
        directed: Option<f64>,
        /// How many different labels nodes have; a node without one is labelled by its name.
        distinct_node_labels: usize,
        /// How many different labels edges have.
        distinct_edge_labels: usize,
    },
    /// Rows of another table.
    Ref {
        /// How many different ones.
        distinct: usize,
    },
}

/// A label and how often it occurs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Frequency {
    /// The label.
    pub value: String,
    /// How often it occurs.
    pub count: usize,
}

/// The members of collections, or a field of tuples.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Part {
    /// The name of a field that has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What it holds.
    #[serde(rename = "type")]
    pub of: Type,
    /// The share that is missing; `None` if there are none at all.
    pub missing: Option<f64>,
    /// What the others are like.
    pub statistics: Option<Statistics>,
}

/// How far counts spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The least.
    pub min: usize,
    /// The mean.
    pub mean: f64,
    /// The greatest.
    pub max: usize,
}

impl Spread {
    /// The spread of counts; `None` if there are none.
    pub fn of(counts: impl IntoIterator<Item = usize>) -> Option<Spread> {
        let mut counts = counts.into_iter();
        let first = counts.next()?;
        let (mut min, mut max, mut sum, mut number) = (first, first, first as f64, 1_usize);
        for count in counts {
            min = min.min(count);
            max = max.max(count);
            sum += count as f64;
            number += 1;
        }
        Some(Spread {
            min,
            mean: sum / number as f64,
            max,
        })
    }
}

/// A count as a fraction of a whole; `None` if the whole is nothing.
pub(super) fn share(count: usize, of: usize) -> Option<f64> {
    (of > 0).then(|| count as f64 / of as f64)
}

impl Part {
    /// What a column is like in the given rows.
    pub(super) fn of(name: Option<String>, column: &Column, rows: &[u32]) -> Part {
        let present: Cow<'_, [u32]> = match column.validity() {
            None => Cow::Borrowed(rows),
            Some(validity) => rows
                .iter()
                .copied()
                .filter(|&row| validity.is_present(row as usize))
                .collect(),
        };
        Part {
            name,
            of: column.type_of(),
            missing: share(rows.len() - present.len(), rows.len()),
            statistics: Statistics::of(column, &present),
        }
    }
}

impl Statistics {
    /// What the values in these rows are like, all of which hold one; `None` for a type without
    /// statistics.
    fn of(column: &Column, rows: &[u32]) -> Option<Statistics> {
        Some(match column.cells() {
            Cells::Numeric(numbers) => numeric(rows.iter().map(|&row| numbers[row as usize])),
            Cells::Nominal { codes, dictionary } => nominal(codes, dictionary, rows),
            Cells::DateTime(instants) => {
                let instants = || rows.iter().map(|&row| instants[row as usize]);
                Statistics::DateTime {
                    earliest: instants().min().map(datetime::print),
                    latest: instants().max().map(datetime::print),
                }
            }
            Cells::String(texts) => strings(texts, rows),
            Cells::Collection { members, .. } => collections(members, rows),
            Cells::Tuple { names, fields, .. } => Statistics::Tuple {
                fields: names
                    .iter()
                    .zip(fields)
                    .map(|(name, field)| Part::of(name.clone(), field, rows))
                    .collect(),
            },
            Cells::Tree(trees) => forest(trees, rows),
            Cells::Term(stored) => terms(stored, rows),
            Cells::Graph(stored) => graphs(stored, rows),
            Cells::Ref { rows: targets, .. } => Statistics::Ref {
                distinct: distinct(rows.iter().map(|&row| targets[row as usize])),
            },
            _ => return None,
        })
    }
}

fn distinct<T: Eq + std::hash::Hash>(items: impl Iterator<Item = T>) -> usize {
    items.collect::<HashSet<T>>().len()
}

fn finite(number: f64) -> Option<f64> {
    Some(number).filter(|number| number.is_finite())
}

fn numeric(numbers: impl Iterator<Item = f64>) -> Statistics {
    let mut sorted: Vec<f64> = numbers.collect();
    let count = sorted.len() as f64;
    let mean = finite(sorted.iter().sum::<f64>() / count);
    let variance = mean.filter(|_| sorted.len() > 1).map(|mean| {
        let squares: f64 = sorted.iter().map(|number| (number - mean).powi(2)).sum();
        squares / (count - 1.0)
    });
    sorted.sort_unstable_by(f64::total_cmp);
    let quartiles = [0.25, 0.5, 0.75].map(|share| quantile(&sorted, share));
    Statistics::Numeric {
        min: sorted.first().copied().and_then(finite),
        max: sorted.last().copied().and_then(finite),
        mean,
        sd: variance.and_then(|variance| finite(variance.sqrt())),
        // By `==`, to which both zeros are one.
        distinct: sorted.chunk_by(|a, b| a == b).count(),
        quartiles: match quartiles {
            [Some(lower), Some(median), Some(upper)] => Some([lower, median, upper]),
            _ => None,
        },
    }
}

/// The number at a share of the way through sorted numbers, between two neighbours by linear
/// interpolation.
///
/// Reference: R. Hyndman and Y. Fan, Sample quantiles in statistical packages, The American
/// Statistician 50(4), 1996, definition 7.
fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let place = sorted.len().checked_sub(1)? as f64 * share;
    let (below, above) = (
        sorted[place.floor() as usize],
        sorted[place.ceil() as usize],
    );
    let weight = place.fract();
    // As a weighted mean, since the difference of two finite numbers need not be finite.
    let between = if below == above {
        below
    } else {
        below * (1.0 - weight) + above * weight
    };
    finite(between)
}

fn nominal(codes: &[u32], dictionary: &Dictionary, rows: &[u32]) -> Statistics {
    let mut counts = vec![0; dictionary.len()];
    for &row in rows {
        counts[codes[row as usize] as usize] += 1;
    }
    let mut occurring: Vec<(u32, usize)> =
        (0..).zip(counts).filter(|&(_, count)| count > 0).collect();
    let distinct = occurring.len();
    occurring.sort_by_key(|&(code, count)| (Reverse(count), code));
    occurring.truncate(MOST_FREQUENT);
    Statistics::Nominal {
        distinct,
        most_frequent: occurring
            .into_iter()
            .map(|(code, count)| Frequency {
                value: dictionary.label(code).to_owned(),
                count,
            })
            .collect(),
    }
}

fn strings(texts: &Texts, rows: &[u32]) -> Statistics {
    let texts = || rows.iter().map(|&row| texts.get(row as usize));
    Statistics::String {
        distinct: distinct(texts()),
        length: Spread::of(texts().map(|text| text.chars().count())),
    }
}

fn collections(members: &Members, rows: &[u32]) -> Statistics {
    let ranges = || rows.iter().map(|&row| members.range(row as usize));
    let all: Vec<u32> = ranges()
        .flat_map(|range| range.start as u32..range.end as u32)
        .collect();
    Statistics::Collection {
        size: Spread::of(ranges().map(|range| range.len())),
        empty: share(
            ranges().filter(|range| range.is_empty()).count(),
            rows.len(),
        ),
        members: Box::new(Part::of(None, &members.child, &all)),
    }
}

fn forest(trees: &Trees, rows: &[u32]) -> Statistics {
    let ranges = || rows.iter().map(|&row| trees.offsets.range(row as usize));
    Statistics::Tree {
        nodes: Spread::of(ranges().map(|range| range.len())),
        depth: Spread::of(ranges().map(|range| depth(&trees.arities[range]))),
        distinct_labels: distinct(ranges().flatten().map(|node| trees.labels[node])),
    }
}

/// Number of nodes on the longest way from the root of a tree given by numbers of children in
/// preorder.
fn depth(arities: &[u32]) -> usize {
    let mut deepest = 0;
    // How many children each node on the way from the root still waits for.
    let mut waiting: Vec<u32> = Vec::new();
    for &arity in arities {
        deepest = deepest.max(waiting.len() + 1);
        waiting.push(arity);
        while waiting.last() == Some(&0) {
            waiting.pop();
            if let Some(parent) = waiting.last_mut() {
                *parent -= 1;
            }
        }
    }
    deepest
}

fn terms(terms: &Terms, rows: &[u32]) -> Statistics {
    let mut functors = HashSet::new();
    let mut ground = 0;
    for &row in rows {
        let term = terms.get(row as usize);
        ground += usize::from(term.is_ground());
        for node in term.nodes() {
            if let Node::Functor { name, arity } = node {
                functors.insert((name.clone(), *arity));
            }
        }
    }
    Statistics::Term {
        size: Spread::of(
            rows.iter()
                .map(|&row| terms.offsets.range(row as usize).len()),
        ),
        distinct_functors: functors.len(),
        ground: share(ground, rows.len()),
    }
}

fn graphs(graphs: &Graphs, rows: &[u32]) -> Statistics {
    let nodes = || {
        rows.iter()
            .map(|&row| graphs.node_offsets.range(row as usize))
    };
    let edges = || {
        rows.iter()
            .map(|&row| graphs.edge_offsets.range(row as usize))
    };
    let directed = rows
        .iter()
        .filter(|&&row| graphs.directed[row as usize])
        .count();
    let node_labels = nodes()
        .flatten()
        .map(|node| graphs.labels[node].unwrap_or(graphs.ids[node]));
    Statistics::Graph {
        nodes: Spread::of(nodes().map(|range| range.len())),
        edges: Spread::of(edges().map(|range| range.len())),
        directed: share(directed, rows.len()),
        distinct_node_labels: distinct(node_labels),
        distinct_edge_labels: distinct(
            edges()
                .flatten()
                .filter_map(|edge| graphs.edge_labels[edge]),
        ),
    }
}

#[cfg(test)]
mod tests;
