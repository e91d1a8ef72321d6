//! `kinwood cluster`: groups of objects that are alike.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use kinwood::clusters::{Grouping, Method, group};
use kinwood::dendrogram;
use kinwood::output::{record, save};
use kinwood_values::notice::counted;
use serde_json::{Value as Json, json};

use crate::arguments::{Comparing, Reading, Roles};
use crate::error::{Error, Result};
use crate::loading::load_objects;
use crate::session::Session;

/// The arguments of `kinwood cluster`.
#[derive(Args, Debug)]
pub struct Cluster {
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    roles: Roles,
    #[command(flatten)]
    comparing: Comparing,
    /// How many clusters
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    k: u32,
    /// How: medoids, or a hierarchy by average, complete or single linkage
    #[arg(long, value_name = "METHOD", default_value = "medoids", value_parser = method)]
    method: Method,
    /// Draw the hierarchy into this SVG file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    svg: Option<PathBuf>,
    /// Write each object's cluster and outlier score to this CSV file
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Neighbours whose mean distance is the outlier score
    #[arg(long, value_name = "N", default_value_t = 5)]
    neighbours: usize,
}

fn method(text: &str) -> std::result::Result<Method, String> {
    Method::named(text).ok_or_else(|| format!("expected {}", Method::NAMES.join(", ")))
}

impl Cluster {
    /// Runs the verb.
    pub fn run(&self, session: &mut Session<'_>) -> Result<()> {
        for path in self.svg.iter().chain(&self.output) {
            session.check_output(path, &self.reading.sources())?;
        }
        if self.svg.is_some() && self.method == Method::Medoids {
            return Err(Error::NoHierarchy);
        }
        let objects = load_objects(&self.comparing, &self.reading, &self.roles, session)?;
        let found = group(
            &objects,
            self.method,
            self.k as usize,
            self.neighbours,
            &session.context,
        )?;
        let names: Vec<String> = (0..objects.len()).map(|i| objects.name(i)).collect();
        let distance = objects.distance().expression().to_string();
        if let (Some(path), Some(merges)) = (&self.svg, &found.merges) {
            let drawn = dendrogram::svg(merges, &names, &found.clusters).alone();
            save(path, |out| out.write_all(drawn.as_bytes()))?;
        }
        if let Some(path) = &self.output {
            save(path, |out| {
                record(out, &["object", "cluster", "outlier_score"])?;
                for (i, name) in names.iter().enumerate() {
                    let cluster = (found.clusters[i] + 1).to_string();
                    record(out, &[name.clone(), cluster, found.outliers[i].to_string()])?;
                }
                Ok(())
            })?;
        }
        match session.json {
            true => session.print_json(&as_json(&found, &names, &distance)),
            false => session.print(&as_text(&found, &names, &distance)),
        }
    }
}

fn as_json(found: &Grouping, names: &[String], distance: &str) -> Json {
    let objects: Vec<Json> = names
        .iter()
        .enumerate()
        .map(|(i, name)| {
            json!({
                "object": name,
                "cluster": found.clusters[i] + 1,
                "outlier_score": found.outliers[i],
            })
        })
        .collect();
    let medoids = found.medoids.as_ref().map(|medoids| {
        let called: Vec<&String> = medoids.iter().map(|&i| &names[i]).collect();
        json!(called)
    });
    json!({
        "distance": distance,
        "clusters": found.sizes(),
        "medoids": medoids,
        "silhouette": found.silhouette,
        "objects": objects,
    })
}

/// Members of a cluster and outliers named in the text.
const SHOWN: usize = 8;

fn as_text(found: &Grouping, names: &[String], distance: &str) -> String {
    let mut text = format!(
        "{} by {distance}\nsilhouette {:.3}\n\n",
        counted(names.len(), "object"),
        found.silhouette
    );
    for (cluster, size) in found.sizes().iter().enumerate() {
        let members: Vec<&str> = (0..names.len())
            .filter(|&i| found.clusters[i] == cluster)
            .map(|i| names[i].as_str())
            .take(SHOWN)
            .collect();
        let more = size.saturating_sub(members.len());
        let tail = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        let around = match &found.medoids {
            Some(medoids) => format!(" around {}", names[medoids[cluster]]),
            None => String::new(),
        };
        let size = counted(*size, "object");
        text += &format!(
            "cluster {}{around}: {size}: {}{tail}\n",
            cluster + 1,
            members.join(", ")
        );
    }
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|&a, &b| {
        found.outliers[b]
            .total_cmp(&found.outliers[a])
            .then(a.cmp(&b))
    });
    text += "\nfurthest from their neighbours: ";
    let furthest: Vec<String> = order
        .iter()
        .take(5)
        .map(|&i| format!("{} ({:.4})", names[i], found.outliers[i]))
        .collect();
    text += &furthest.join(", ");
    text.push('\n');
    text
}
