//! Built-in data of our own making, each with a known law in it.
//!
//! Examples, tests and benchmarks need data that is at hand, of any size, and honest about what can
//! be learned from it. Samples are made from a seed, so no file is shipped, and their laws are
//! stated, so that a learner can be judged by what there is to find. Noise is from 0, which leaves
//! the law bare, to 1, which leaves nothing of it. More objects do not change those that come
//! before them.

mod apples;
mod bags;
mod baskets;
mod genes;
mod molecules;
mod phrases;
mod shapes;
mod shop;

pub use apples::table;

use std::path::Path;

use kinwood_formats::{WriteOptions, Written};
use kinwood_values::suggest::{did_you_mean, nearest};
use kinwood_values::{Database, ForeignKey, Role, Table};

use crate::error::{Error, Result};
use crate::naming::find_column;

/// A kind of built-in data.
#[derive(Clone, Copy)]
pub struct Sample {
    /// The name, as in `kinwood sample NAME`.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub summary: &'static str,
    /// The law in it.
    pub law: &'static str,
    /// What can be predicted; the first is the usual target.
    pub targets: &'static [&'static str],
    /// How many objects it has when nobody says.
    pub objects: usize,
    make: fn(usize, f64, u64) -> Vec<Table>,
    keys: &'static [Key],
}

/// A foreign key by names: table, column, table referred to.
type Key = (&'static str, &'static str, &'static str);

/// Every sample, in the order they are explained.
pub const SAMPLES: &[Sample] = &[
    Sample {
        name: "table",
        summary: "Apples of an orchard: numbers, labels, dates, missing values.",
        law: apples::LAW,
        targets: &["grade", "price"],
        objects: 300,
        make: |objects, noise, seed| vec![table(objects, noise, seed)],
        keys: &[],
    },
    Sample {
        name: "molecules",
        summary: "Molecules with their atoms and bonds: three tables and three foreign keys.",
        law: molecules::LAW,
        targets: &["molecule.activity", "molecule.active"],
        objects: 400,
        make: molecules::tables,
        keys: molecules::KEYS,
    },
    Sample {
        name: "bags",
        summary: "Bags of readings, some with one that matters: multi-instance data in two tables.",
        law: bags::LAW,
        targets: &["bag.class"],
        objects: 120,
        make: bags::tables,
        keys: bags::KEYS,
    },
    Sample {
        name: "phrases",
        summary: "Phrases as a string and as a list of words.",
        law: phrases::LAW,
        targets: &["mood", "length"],
        objects: 200,
        make: |objects, noise, seed| vec![phrases::table(objects, noise, seed)],
        keys: &[],
    },
    Sample {
        name: "shapes",
        summary: "Plants as ordered labelled trees, with their roots as graphs.",
        law: shapes::LAW,
        targets: &["kind", "blossoms"],
        objects: 150,
        make: |objects, noise, seed| vec![shapes::table(objects, noise, seed)],
        keys: &[],
    },
    Sample {
        name: "baskets",
        summary: "Baskets of a shop: a set of goods and a review in words.",
        law: baskets::LAW,
        targets: &["returns"],
        objects: 300,
        make: |objects, noise, seed| vec![baskets::table(objects, noise, seed)],
        keys: &[],
    },
    Sample {
        name: "genes",
        summary: "Genes as a string, a tree and a set, each descended from one of two ancestors.",
        law: genes::LAW,
        targets: &["resists"],
        objects: 200,
        make: |objects, noise, seed| vec![genes::table(objects, noise, seed)],
        keys: &[],
    },
    Sample {
        name: "shop",
        summary: "A shop with a past: customers, orders, letters, and who left.",
        law: shop::LAW,
        targets: &["churn.left"],
        objects: 300,
        make: shop::tables,
        keys: shop::KEYS,
    },
];

/// The sample of that name; the error names the nearest.
pub fn find(name: &str) -> Result<&'static Sample> {
    SAMPLES
        .iter()
        .find(|sample| sample.name == name)
        .ok_or_else(|| {
            let names: Vec<&str> = SAMPLES.iter().map(|sample| sample.name).collect();
            Error::Sample {
                sample: name.to_owned(),
                hint: format!(
                    " (the samples are {}){}",
                    names.join(", "),
                    did_you_mean(&nearest(name, &names))
                ),
            }
        })
}

impl Sample {
    /// So many objects, with so much noise, from a seed.
    pub fn make(&self, objects: usize, noise: f64, seed: u64) -> Result<Database> {
        let tables = (self.make)(objects, noise, seed);
        let place = |name: &str| tables.iter().position(|table| table.name() == name);
        let keys = self
            .keys
            .iter()
            .filter_map(|&(from, column, to)| {
                let (from, to) = (place(from)?, place(to)?);
                Some(ForeignKey {
                    name: format!("{}_{column}", tables[from].name()),
                    from,
                    from_columns: vec![tables[from].position(column)?],
                    to,
                    to_columns: tables[to].key()?.to_vec(),
                    describes: None,
                })
            })
            .collect();
        Ok(Database::new(tables, keys)?.0)
    }
}

impl Sample {
    /// Makes it and writes it in the form that the path's ending names, with its keys and targets.
    pub fn write(
        &self,
        objects: usize,
        noise: f64,
        seed: u64,
        path: &Path,
        overwrite: bool,
    ) -> Result<(Written, Database)> {
        let mut database = self.make(objects, noise, seed)?;
        let mut targets = Vec::with_capacity(self.targets.len());
        for name in self.targets {
            let (table, column) = find_column(&database, name)?;
            database.set_role(table, column, Role::Target);
            targets.push((table, column));
        }
        let options = WriteOptions {
            targets,
            overwrite,
            ..WriteOptions::default()
        };
        let written = kinwood_formats::write(&database, path, &options)?;
        Ok((written, database))
    }
}

/// A table whose first column is its key.
fn keyed(name: &str, attributes: Vec<kinwood_values::Attribute>) -> Table {
    let mut table =
        Table::new(name, attributes).expect("sample columns have one length and distinct names");
    table.set_key(Some(vec![0]));
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naming::find_column;

    #[test]
    fn every_sample_is_deterministic_sized_and_has_its_targets() {
        for sample in SAMPLES {
            let made = sample.make(sample.objects, 0.1, 7).unwrap();
            assert_eq!(
                made,
                sample.make(sample.objects, 0.1, 7).unwrap(),
                "{}",
                sample.name
            );
            assert_ne!(
                made,
                sample.make(sample.objects, 0.1, 8).unwrap(),
                "{}",
                sample.name
            );
            assert_eq!(made.table(0).rows(), sample.objects);
            assert_eq!(made.foreign_keys().len(), sample.keys.len());
            for target in sample.targets {
                assert_eq!(find_column(&made, target).unwrap().0, 0, "{target}");
            }
            for key in 0..made.foreign_keys().len() {
                assert!(made.link(key).dangling().is_none());
            }
            assert_eq!(sample.make(0, 0.1, 1).unwrap().table(0).rows(), 0);
        }
    }

    #[test]
    fn an_unknown_sample_gets_the_nearest() {
        let message = find("molecule").err().unwrap().to_string();
        assert!(message.ends_with("did you mean `molecules`?"), "{message}");
    }
}
