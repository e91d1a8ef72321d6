//! The model as people and programs read it.

use std::fmt::Write;

use kinwood_text::{Align, TextTable};
use serde_json::{Value, json};

use super::words::{rounded, test_words};
use super::{BoostedModel, BoostedTarget, additive};
use crate::features::Features;
use crate::tree::Tree;
use kinwood_values::text::number_text;

/// How many columns are listed with their importance.
const LISTED: usize = 30;

/// How much a feature lowered the loss.
pub struct Importance {
    /// The feature.
    pub feature: usize,
    /// The sum of the gains of its tests.
    pub gain: f64,
    /// Its share of all gains.
    pub share: f64,
    /// How many tests there are of it.
    pub tests: usize,
}

impl BoostedTarget {
    /// The features by how much they lowered the loss, the greatest first.
    pub fn importances(&self, features: &Features) -> Vec<Importance> {
        let mut sums = vec![(0.0, 0_usize); features.all.len()];
        for tree in &self.trees {
            for node in (0..tree.len()).filter(|&node| !tree.is_leaf(node)) {
                let own = &mut sums[tree.features[node] as usize];
                own.0 += tree.gains[node];
                own.1 += 1;
            }
        }
        let all: f64 = sums.iter().map(|own| own.0).sum();
        let each = sums.into_iter().enumerate().filter(|(_, own)| own.1 > 0);
        let mut each: Vec<Importance> = each
            .map(|(feature, (gain, tests))| Importance {
                feature,
                gain,
                share: if all > 0.0 { gain / all } else { 0.0 },
                tests,
            })
            .collect();
        each.sort_by(|a, b| b.gain.total_cmp(&a.gain).then(a.feature.cmp(&b.feature)));
        each
    }
}

/// For people.
pub(super) fn text(model: &BoostedModel) -> String {
    let mut text = String::new();
    for (place, target) in model.targets.iter().enumerate() {
        if place > 0 {
            text.push('\n');
        }
        let leaves = target.trees.iter().map(Tree::leaves).max().unwrap_or(1);
        let _ = writeln!(
            text,
            "{}: {} boosted trees of at most {leaves} leaves, {} loss; {}",
            target.name,
            target.trees.len(),
            target.loss.name(),
            target.chosen,
        );
        if let Some(loss) = target.loss_held {
            let _ = writeln!(
                text,
                "loss of the rows held back: {}",
                number_text(rounded(loss))
            );
        }
        for (output, base) in target.base.iter().enumerate() {
            let _ = writeln!(
                text,
                "{} begins at {}",
                target.scale(output),
                number_text(rounded(*base))
            );
        }
        let importances = target.importances(&model.features);
        if importances.is_empty() {
            continue;
        }
        text.push('\n');
        let mut table = TextTable::new(vec![Align::Right, Align::Right, Align::Left]);
        table.line(["importance", "tests", "column"].map(str::to_owned));
        for importance in importances.iter().take(LISTED) {
            table.line([
                format!("{:.6}", importance.share),
                importance.tests.to_string(),
                model.features.words(importance.feature),
            ]);
        }
        text += &table.to_string();
        if importances.len() > LISTED {
            let _ = writeln!(text, "... {} more", importances.len() - LISTED);
        }
        text += &additive::text(&model.features, target);
    }
    text
}

/// For programs.
pub(super) fn json(model: &BoostedModel) -> Value {
    let target = |target: &BoostedTarget| {
        let importances = target.importances(&model.features).into_iter().map(|own| {
            json!({
                "column": model.features.input(own.feature).name,
                "term": model.features.words(own.feature),
                "gain": own.gain,
                "share": own.share,
                "tests": own.tests,
            })
        });
        let scores = target.base.iter().enumerate().map(|(output, base)| {
            let trees: Vec<Value> = target
                .trees_of(output)
                .map(|tree| tree_json(&model.features, tree))
                .collect();
            let mut score = json!({"of": target.scale(output), "begins": base, "trees": trees});
            if let Some((begins, terms)) = additive::json(&model.features, target, output) {
                score["sum"] = json!({"begins": begins, "terms": terms});
            }
            score
        });
        json!({
            "target": target.name,
            "kind": target.kind.entry().shown,
            "loss": target.loss.name(),
            "rounds": target.rounds(),
            "models": target.models,
            "chosen": target.chosen,
            "loss_held_back": target.loss_held,
            "importances": importances.collect::<Vec<_>>(),
            "scores": scores.collect::<Vec<_>>(),
        })
    };
    json!({
        "learner": "boost",
        "targets": model.targets.iter().map(target).collect::<Vec<_>>(),
    })
}

fn tree_json(features: &Features, tree: &Tree) -> Value {
    let node = |node: usize| match tree.is_leaf(node) {
        true => json!({"adds": tree.values[node], "weight": tree.weights[node]}),
        false => json!({
            "test": test_words(features, tree, node),
            "column": features.input(tree.features[node] as usize).name,
            "threshold": tree.set(node).is_none().then(|| tree.thresholds[node]),
            "yes": tree.branches[node][0],
            "no": tree.branches[node][1],
            "missing": if tree.missing[node] { "yes" } else { "no" },
            "weight": tree.weights[node],
            "gain": tree.gains[node],
        }),
    };
    Value::Array((0..tree.len()).map(node).collect())
}
