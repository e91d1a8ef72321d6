//! The kernels, one file a type of value. A kernel becomes a distance through `induced` only.

mod collection;
mod counting;
mod facts;
mod from_distance;
mod graph;
mod induced;
mod nominal;
mod real;
mod sequence;
mod shares;
mod structural;
mod term;
mod text;
mod tree;
mod tuple;

use crate::entry::Entry;

/// Every kernel of the catalogue, and the distance that kernels induce.
pub(crate) fn entries() -> impl Iterator<Item = Entry> {
    [
        nominal::DELTA,
        real::PRODUCT,
        from_distance::GAUSSIAN,
        from_distance::LINEAR,
        from_distance::NEGATIVE,
        from_distance::POLYNOMIAL,
        collection::SET,
        structural::STRUCTURAL,
        graph::WALK,
        sequence::SUBSEQUENCE,
        sequence::SPECTRUM,
        tree::SUBTREE,
        text::WORDS,
        induced::INDUCED,
        induced::NORMALISED,
    ]
    .into_iter()
    .chain(tuple::ENTRIES)
    .chain(shares::ENTRIES)
}
