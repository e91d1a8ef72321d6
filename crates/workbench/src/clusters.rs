//! Groups and pictures of objects: the matrix computed within memory, then clusters, outliers or
//! places.

use kinwood_learners::Context;
use kinwood_similarity::cluster::hierarchy::{Linkage, Merge, agglomerate, cut};
use kinwood_similarity::cluster::medoids::medoids;
use kinwood_similarity::cluster::outliers::scores;
use kinwood_similarity::cluster::scaling::{Scaled, scale};
use kinwood_similarity::matrix::{Condensed, Refused};

use crate::error::{Error, Result};
use crate::objects::Objects;

/// How objects are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Around medoids.
    Medoids,
    /// By a hierarchy that is cut.
    Hierarchy(Linkage),
}

impl Method {
    /// The names, in the order they are explained.
    pub const NAMES: &'static [&'static str] = &["medoids", "average", "complete", "single"];

    /// The method of that name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "medoids" => Some(Method::Medoids),
            linkage => Linkage::named(linkage).map(Method::Hierarchy),
        }
    }
}

/// Objects in groups.
#[derive(Clone, Debug, PartialEq)]
pub struct Grouping {
    /// The cluster of each object, from 0.
    pub clusters: Vec<usize>,
    /// The object in the middle of each cluster, where there is one.
    pub medoids: Option<Vec<usize>>,
    /// The hierarchy, where there is one.
    pub merges: Option<Vec<Merge>>,
    /// How far each object's neighbours are.
    pub outliers: Vec<f64>,
    /// How much nearer objects are to their own cluster than to the next, -1 to 1, on average.
    pub silhouette: f64,
}

impl Grouping {
    /// How many objects each cluster has.
    pub fn sizes(&self) -> Vec<usize> {
        let count = self.clusters.iter().max().map_or(0, |last| last + 1);
        let mut sizes = vec![0; count];
        for &cluster in &self.clusters {
            sizes[cluster] += 1;
        }
        sizes
    }
}

/// All distances between objects, each once, if memory allows.
fn condensed(objects: &Objects, within: &str, context: &Context) -> Result<Condensed> {
    let needed = Condensed::memory(objects.len()).map_or(u64::MAX, |bytes| bytes as u64);
    if let Some(allowed) = context.memory()
        && needed > allowed
    {
        return Err(Error::Memory {
            what: format!("the distances between {} objects", objects.len()),
            needed,
            allowed,
            advice: "take fewer rows, or allow more",
        });
    }
    let pairs = objects.pairs(within)?;
    let count = objects.len() as u64;
    let running = context.progress("comparing objects", count * count.saturating_sub(1) / 2);
    let advance = |pairs: u64| {
        running.advance(pairs);
        context.check().is_ok()
    };
    context
        .install(|| Condensed::of(&*pairs, &advance))
        .map_err(|refused| match refused {
            Refused::Stopped => context
                .check()
                .err()
                .map_or_else(|| Error::MatrixFile(refused.to_string()), Error::from),
            refused => Error::MatrixFile(format!("{within}: {refused}")),
        })
}

/// Groups objects.
pub fn group(
    objects: &Objects,
    method: Method,
    k: usize,
    neighbours: usize,
    context: &Context,
) -> Result<Grouping> {
    let matrix = condensed(objects, "clustering", context)?;
    context.check()?;
    let (clusters, middles, merges) = match method {
        Method::Medoids => {
            let found = context.install(|| medoids(&matrix, k));
            (found.clusters, Some(found.medoids), None)
        }
        Method::Hierarchy(linkage) => {
            let merges = context.install(|| agglomerate(&matrix, linkage));
            (cut(matrix.len(), &merges, k), None, Some(merges))
        }
    };
    let go_on = |_: u64| context.check().is_ok();
    let outliers = context.install(|| scores(&matrix, neighbours, &go_on));
    context.check()?;
    Ok(Grouping {
        silhouette: silhouette(&matrix, &clusters),
        outliers: outliers.unwrap_or_default(),
        medoids: middles,
        merges,
        clusters,
    })
}

/// Rousseeuw 1987: an object alone in its cluster counts 0, and so does everything when there is
/// one cluster.
fn silhouette(matrix: &Condensed, clusters: &[usize]) -> f64 {
    let count = clusters.iter().max().map_or(0, |last| last + 1);
    let mut sizes = vec![0usize; count];
    clusters.iter().for_each(|&cluster| sizes[cluster] += 1);
    let mut total = 0.0;
    for thing in 0..matrix.len() {
        let mut sums = vec![0.0; count];
        for other in 0..matrix.len() {
            sums[clusters[other]] += matrix.get(thing, other);
        }
        let own = clusters[thing];
        if sizes[own] < 2 {
            continue;
        }
        let within = sums[own] / (sizes[own] - 1) as f64;
        let next = (0..count)
            .filter(|&cluster| cluster != own && sizes[cluster] > 0)
            .map(|cluster| sums[cluster] / sizes[cluster] as f64)
            .fold(f64::INFINITY, f64::min);
        if next.is_finite() && within.max(next) > 0.0 {
            total += (next - within) / within.max(next);
        }
    }
    total / matrix.len().max(1) as f64
}

/// Places objects in the plane.
pub fn place(objects: &Objects, context: &Context) -> Result<Scaled> {
    let matrix = condensed(objects, "a map", context)?;
    let scaled = context.install(|| scale(&matrix));
    context.check()?;
    Ok(scaled)
}
