//! Who is described: entities, and by when.

use std::ops::Range;

use kinwood_values::View;

use crate::linked::{Sight, Visibility};

/// No row.
pub(crate) const NOTHING: u32 = u32::MAX;

/// What is to be known of one entity as of one cutoff.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query {
    pub entity: u32,
    /// A row of the view's table that it is about.
    pub origin: u32,
    pub sight: Sight,
}

/// Distinct queries in order of entity and time; examples that ask for the same share one.
pub(crate) struct Queries {
    pub queries: Vec<Query>,
    /// By example, the query that answers it, or [`NOTHING`].
    pub of: Vec<u32>,
    /// The queries of each entity.
    pub groups: Vec<Range<usize>>,
}

impl Queries {
    /// The queries of examples with one entity each, or [`NOTHING`].
    pub fn new(
        view: &View,
        objects: Range<usize>,
        entities: &[u32],
        visibility: Visibility,
    ) -> Self {
        let every = Sight {
            earliest: f64::NEG_INFINITY,
            latest: f64::INFINITY,
        };
        let query = |position: usize| {
            let origin = view.row(objects.start + position);
            let sight = view.as_of().map_or(every, |as_of| {
                let (earliest, latest) = as_of.interval(origin);
                // Who has no cutoff sees nothing that has a time.
                let latest = if latest.is_nan() {
                    f64::NEG_INFINITY
                } else {
                    latest
                };
                Sight { earliest, latest }
            });
            Query {
                entity: entities[position],
                origin,
                sight,
            }
        };
        let asking = (0..entities.len()).filter(|&position| entities[position] != NOTHING);
        let mut all: Vec<(Query, u32)> = asking
            .map(|position| (query(position), position as u32))
            .collect();
        all.sort_by(|(a, _), (b, _)| {
            let latest = a.sight.latest.total_cmp(&b.sight.latest);
            let (by_entity, by_origin) = (a.entity.cmp(&b.entity), a.origin.cmp(&b.origin));
            by_entity.then(latest).then(by_origin)
        });
        let mut of = vec![NOTHING; entities.len()];
        let mut queries: Vec<Query> = Vec::new();
        let mut groups: Vec<Range<usize>> = Vec::new();
        for (query, position) in all {
            let same = queries.last().is_some_and(|last| {
                last.entity == query.entity
                    && last.sight.latest.to_bits() == query.sight.latest.to_bits()
                    && (visibility != Visibility::ByOrigin || last.origin == query.origin)
            });
            if !same {
                match groups.last_mut() {
                    Some(group) if queries[group.start].entity == query.entity => group.end += 1,
                    _ => groups.push(queries.len()..queries.len() + 1),
                }
                queries.push(query);
            }
            of[position as usize] = queries.len() as u32 - 1;
        }
        Self {
            queries,
            of,
            groups,
        }
    }
}
