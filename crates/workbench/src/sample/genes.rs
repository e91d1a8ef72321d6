//! Genes: strings, trees and sets that descend from ancestors, so that nearness tells of them.

use kinwood_learners::random::Generator;
use kinwood_values::types::Type;
use kinwood_values::{Attribute, Column, Role, Table, Tree, Value};

use super::keyed;

/// What there is to find.
pub(super) const LAW: &str = "Each gene has a string, a fold (a tree) and a set of tissues, each copied with slips from one of two ancestors. It resists if its string descends from the first, and so does its fold or its set of tissues. Noise is the share of answers turned around.";

const STREAM: u64 = 0x6765_6e65;
const LETTERS: [char; 4] = ['a', 'c', 'g', 't'];
const STRINGS: [&str; 2] = ["aaccgtttacga", "gtgtcatcgcat"];
const PARTS: [&str; 3] = ["helix", "loop", "sheet"];
/// Folds by their labels and how many parts each bears, in preorder.
const FOLDS: [&[(&str, u32)]; 2] = [
    &[
        ("helix", 3),
        ("loop", 2),
        ("sheet", 0),
        ("sheet", 0),
        ("loop", 0),
        ("helix", 0),
    ],
    &[
        ("sheet", 2),
        ("helix", 1),
        ("helix", 2),
        ("loop", 0),
        ("loop", 0),
        ("sheet", 0),
    ],
];
const TISSUES: [[&str; 4]; 2] = [
    ["root", "stem", "leaf", "bud"],
    ["seed", "fruit", "bark", "bloom"],
];
/// How often a letter, a part or a tissue is copied wrongly.
const SLIPS: f64 = 0.12;

/// Genes with their three descriptions.
pub(super) fn table(genes: usize, noise: f64, seed: u64) -> Table {
    let mut random = Generator::new(seed, &[STREAM]);
    let mut strings = Column::empty(&Type::String);
    let mut folds = Column::empty(&Type::Tree);
    let mut tissues = Column::empty(&Type::Set(Box::new(Type::Nominal)));
    let mut resists = Vec::new();
    for _ in 0..genes {
        let from: [usize; 3] = std::array::from_fn(|_| random.below(2));
        let text = copied_string(STRINGS[from[0]], &mut random);
        strings.push(&Value::Text(text)).expect("a string");
        let fold = copied_fold(FOLDS[from[1]], &mut random);
        folds.push(&Value::Tree(fold)).expect("a tree");
        let set = copied_set(from[2], &mut random);
        tissues.push(&Value::set(set)).expect("a set of labels");
        let resistant = from[0] == 0 && (from[1] == 0 || from[2] == 0);
        let turned = random.unit() < noise;
        resists.push(Some(if resistant == turned { "no" } else { "yes" }));
    }
    let ids = Column::numeric((1..=genes).map(|id| id as f64).collect());
    keyed(
        "genes",
        vec![
            Attribute::new("id", ids).with_role(Role::Id),
            Attribute::new("string", strings),
            Attribute::new("fold", folds),
            Attribute::new("tissues", tissues),
            Attribute::new("resists", Column::nominal(resists)),
        ],
    )
}

/// Letters replaced, left out and doubled.
fn copied_string(ancestor: &str, random: &mut Generator) -> String {
    let mut text = String::new();
    for letter in ancestor.chars() {
        let other = LETTERS[random.below(LETTERS.len())];
        match random.unit() / SLIPS {
            at if at < 0.5 => text.push(other),
            at if at < 0.75 => {}
            at if at < 1.0 => text.extend([letter, other]),
            _ => text.push(letter),
        }
    }
    text
}

/// Parts relabelled.
fn copied_fold(ancestor: &[(&str, u32)], random: &mut Generator) -> Tree {
    let labels = ancestor.iter().map(|(label, _)| {
        let other = PARTS[random.below(PARTS.len())];
        let slips = random.unit() < SLIPS;
        (if slips { other } else { label }).to_owned()
    });
    let labels = labels.collect();
    let arities = ancestor.iter().map(|(_, arity)| *arity).collect();
    Tree::new(labels, arities).expect("a fold is one tree")
}

/// Tissues left out, and those of the other ancestor added.
fn copied_set(ancestor: usize, random: &mut Generator) -> Vec<Value> {
    let mut set = Vec::new();
    for (place, tissues) in TISSUES.iter().enumerate() {
        for tissue in tissues {
            if (random.unit() < SLIPS) != (place == ancestor) {
                set.push(Value::Symbol((*tissue).to_owned()));
            }
        }
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many characters of two texts differ, place by place.
    fn apart(a: &str, b: &str) -> usize {
        let longer = a.len().max(b.len());
        let differ = a.chars().zip(b.chars()).filter(|(a, b)| a != b).count();
        differ + longer - a.len().min(b.len())
    }

    #[test]
    fn whoever_descends_from_the_second_string_does_not_resist() {
        let table = table(400, 0.0, 4);
        let mut resistant = 0;
        for row in 0..400 {
            let cell = |column| table.attribute(column).column.value(row).to_string();
            resistant += usize::from(cell(4) == "yes");
            let text = cell(1).replace('"', "");
            if apart(&text, STRINGS[1]) <= 2 {
                assert_eq!(cell(4), "no", "{text}");
            }
        }
        assert!((110..190).contains(&resistant), "{resistant} resist");
    }
}
