//! A model tree in a file.

use std::sync::Arc;

use kinwood_values::Dictionary;
use kinwood_values::container::{Sections, Stored, invalid};
use serde::{Deserialize, Serialize};

use super::super::formula::{Answer, Feature, Test};
use super::super::input::{Input, Inputs, Kind};
use super::ModelTree;
use crate::tree::{Node, Tree};
use kinwood_learning::error::{Error, Result};

/// What the section is called.
const TREE: &str = "tree";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    target: String,
    inputs: Vec<StoredInput>,
    nodes: Vec<Node<Test, Answer>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredInput {
    name: String,
    reads: Reads,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Reads {
    Numbers {
        mean: f64,
    },
    Moments {
        mean: f64,
    },
    Labels {
        labels: Vec<String>,
        ranks: Vec<u32>,
        mode: u32,
    },
}

/// Writes what [`read`] reads.
pub(super) fn write(model: &ModelTree, sections: &mut Sections) -> Result<()> {
    let input = |input: &Input| StoredInput {
        name: input.name.clone(),
        reads: match &input.kind {
            Kind::Number { mean } => Reads::Numbers { mean: *mean },
            Kind::Moment { mean } => Reads::Moments { mean: *mean },
            Kind::Labels {
                labels,
                ranks,
                mode,
            } => Reads::Labels {
                labels: labels.labels().map(str::to_owned).collect(),
                ranks: ranks.clone(),
                mode: *mode,
            },
        },
    };
    let description = Description {
        target: model.target().to_owned(),
        inputs: model.terms.inputs.all.iter().map(input).collect(),
        nodes: model.tree().nodes().to_vec(),
    };
    Ok(sections.put_json(TREE, &description)?)
}

/// Reads a model, trusting nothing.
pub(super) fn read(stored: &Stored) -> Result<ModelTree> {
    let description: Description = stored.json(TREE)?;
    let wrong = |reason: &str| -> Error { invalid(stored.full_name(TREE), reason).into() };
    let inputs = description.inputs.into_iter();
    let inputs = inputs.map(|input| {
        let kind = kind(input.reads).ok_or_else(|| wrong("an input that is none"))?;
        let name = input.name;
        Ok(Input { name, kind })
    });
    let inputs = Inputs {
        all: inputs.collect::<Result<_>>()?,
    };
    let fault = description.nodes.iter();
    if let Some(fault) = fault.filter_map(|node| fault_of(&inputs, node)).next() {
        return Err(wrong(fault));
    }
    let tree = Tree::new(description.nodes).ok_or_else(|| wrong("nodes that are no tree"))?;
    Ok(ModelTree::new(description.target, inputs, tree))
}

/// What an input reads, if that can be.
fn kind(reads: Reads) -> Option<Kind> {
    match reads {
        Reads::Numbers { mean } => mean.is_finite().then_some(Kind::Number { mean }),
        Reads::Moments { mean } => mean.is_finite().then_some(Kind::Moment { mean }),
        Reads::Labels {
            labels,
            ranks,
            mode,
        } => {
            let dictionary = Dictionary::from_labels(&labels);
            let mut sorted = ranks.clone();
            sorted.sort_unstable();
            let ranked =
                sorted.len() == labels.len() && sorted.into_iter().eq(0..ranks.len() as u32);
            let most = (mode as usize) < labels.len() || labels.is_empty() && mode == 0;
            (dictionary.len() == labels.len() && ranked && most).then(|| Kind::Labels {
                labels: Arc::new(dictionary),
                ranks,
                mode,
            })
        }
    }
}

/// What is wrong with a node, if anything is.
pub(super) fn fault_of(inputs: &Inputs, node: &Node<Test, Answer>) -> Option<&'static str> {
    let there = |feature: Feature| {
        let kind = inputs.all.get(feature.input as usize).map(|one| &one.kind);
        match (kind, feature.from) {
            (Some(Kind::Number { .. } | Kind::Moment { .. }), None) => true,
            (Some(Kind::Labels { ranks, .. }), Some(from)) => {
                (1..ranks.len()).contains(&(from as usize))
            }
            _ => false,
        }
    };
    let own = &node.payload;
    if !own.finite() || own.weight < 0.0 || own.deviation < 0.0 {
        return Some("an answer that is none");
    }
    let features = own.formula.terms.iter().map(|(feature, _)| *feature);
    if !features.clone().all(there) || !features.is_sorted_by(|a, b| a < b) {
        return Some("a formula of what is not there, or twice");
    }
    let split = node.split.as_ref()?;
    let total: f64 = split.shares.iter().sum();
    if !there(split.test.feature) || !split.test.threshold.is_finite() {
        return Some("a test of what is not there");
    }
    if split.test.feature.from.is_some() && split.test.threshold != 0.5 {
        return Some("labels compared with another number than a half");
    }
    if split.children.len() != 2 {
        return Some("a test without two branches");
    }
    let shares = split.shares.iter().all(|share| (0.0..=1.0).contains(share));
    (!shares || (total - 1.0).abs() > 1e-6)
        .then_some("shares of branches that do not add up to one")
}
