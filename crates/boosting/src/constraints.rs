//! What users ask of boosted models: predictions that only rise with a column, and columns that may
//! not act together.

use std::collections::BTreeSet;

use kinwood_learning::error::{Error, Result};
use kinwood_values::suggest::nearest;

use super::features::{Features, InputKind};

/// The setting of columns that predictions rise or fall with.
pub const MONOTONE: &str = "monotone";
/// The setting of columns that may act together.
pub const INTERACTIONS: &str = "interactions";

fn wrong(name: &str, value: &str, expected: &str, nearest: Option<String>) -> Error {
    Error::SettingValue {
        name: name.to_owned(),
        value: value.to_owned(),
        expected: expected.to_owned(),
        nearest,
    }
}

/// Columns and their direction: `age:+, price:-`.
pub fn monotone(text: &str) -> Result<Vec<(String, i8)>> {
    let parts = text.split(',').filter(|part| !part.trim().is_empty());
    let one = |part: &str| -> Result<(String, i8)> {
        let read = part.rsplit_once(':').and_then(|(column, sign)| {
            let direction = match sign.trim() {
                "+" => 1,
                "-" => -1,
                _ => return None,
            };
            Some((column.trim().to_owned(), direction))
        });
        read.ok_or_else(|| {
            wrong(
                MONOTONE,
                text,
                "`COLUMN:+` or `COLUMN:-`, divided by commas",
                None,
            )
        })
    };
    parts.map(one).collect()
}

/// Groups of columns that may act together: `a, b; c, d`.
pub fn interactions(text: &str) -> Vec<Vec<String>> {
    let groups = text.split(';').map(|group| {
        let columns = group.split(',').map(str::trim);
        columns
            .filter(|column| !column.is_empty())
            .map(str::to_owned)
            .collect()
    });
    groups
        .filter(|group: &Vec<String>| !group.is_empty())
        .collect()
}

fn column(features: &Features, setting: &str, text: &str, name: &str) -> Result<usize> {
    let found = features.inputs.iter().position(|input| input.name == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = features
            .inputs
            .iter()
            .map(|input| input.name.as_str())
            .collect();
        wrong(
            setting,
            text,
            "names of input columns",
            nearest(name, &names),
        )
    })
}

/// By feature: 1 where predictions may not fall, -1 where they may not rise; empty where nothing is
/// asked.
pub fn directions(features: &Features, given: &[(String, i8)]) -> Result<Vec<i8>> {
    if given.is_empty() {
        return Ok(Vec::new());
    }
    let mut found = vec![0; features.all.len()];
    for (name, direction) in given {
        let input = column(features, MONOTONE, name, name)?;
        if !matches!(
            features.inputs[input].kind,
            InputKind::Number | InputKind::Moment
        ) {
            return Err(wrong(MONOTONE, name, "columns of numbers or times", None));
        }
        for (feature, direction_of) in features.all.iter().zip(&mut found) {
            if feature.input as usize == input {
                *direction_of = *direction;
            }
        }
    }
    Ok(found)
}

/// Which features may be tested below which.
#[derive(Default)]
pub struct Together {
    groups: Vec<BTreeSet<u32>>,
}

impl Together {
    /// The groups of columns, and those that stand in none as one more.
    pub fn new(features: &Features, given: &[Vec<String>]) -> Result<Self> {
        if given.is_empty() {
            return Ok(Self::default());
        }
        let mut groups = Vec::new();
        for group in given {
            let inputs = group
                .iter()
                .map(|name| column(features, INTERACTIONS, name, name));
            let inputs: BTreeSet<usize> = inputs.collect::<Result<_>>()?;
            groups.push(
                inputs
                    .into_iter()
                    .map(|input| input as u32)
                    .collect::<BTreeSet<u32>>(),
            );
        }
        let others = 0..features.inputs.len() as u32;
        let others: BTreeSet<u32> = others
            .filter(|input| groups.iter().all(|group| !group.contains(input)))
            .collect();
        if !others.is_empty() {
            groups.push(others);
        }
        Ok(Self { groups })
    }

    /// The features that may be tested where columns were tested above; `None` for all.
    pub fn allowed(&self, features: &Features, above: &[u32], from: &[u32]) -> Option<Vec<u32>> {
        if self.groups.is_empty() || above.is_empty() {
            return None;
        }
        let with = |group: &&BTreeSet<u32>| above.iter().all(|input| group.contains(input));
        let groups: Vec<&BTreeSet<u32>> = self.groups.iter().filter(with).collect();
        let allowed = from.iter().copied().filter(|feature| {
            let input = features.all[*feature as usize].input;
            groups.iter().any(|group| group.contains(&input))
        });
        Some(allowed.collect())
    }
}
