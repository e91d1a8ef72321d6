//! The model in a file: terms once, then each tree as arrays over its nodes in preorder.
//!
//! The first branch of a test leads to the next node, so only the second is written. Whatever is
//! read is checked: the arrays against each other, the nodes by [`Tree::new`], tests and answers by
//! the terms.

use std::sync::Arc;

use kinwood_similarity::Registry;
use kinwood_values::container::{Sections, Stored, invalid};
use kinwood_values::{Attribute, Database, Dictionary, Table, Type};
use serde::{Deserialize, Serialize};

use super::{Input, InputKind, Pool, Source, Terms, TreeModel};
use crate::contents::{Item, Reading};
use crate::tree::model::{Along, Combine, Member, Report, TargetOf};
use crate::tree::response::LEAVES;
use crate::tree::{Answer, Answers, Node, Split, Test, Tree};
use kinwood_learning::error::{Error, Result};
use kinwood_learning::target::KindTerms;

/// What a node is, as written.
const LEAF: u8 = 0;
const ABOVE: u8 = 1;
const AMONG: u8 = 2;
/// A test on a structured value, by prototypes or by contents; what it is stands in a list of its
/// own, with its children and shares.
const PROTOTYPES: u8 = 3;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    inputs: Vec<StoredInput>,
    targets: Vec<StoredTarget>,
    scores: Vec<Option<f64>>,
    combine: Combine,
    #[serde(default, skip_serializing_if = "Along::is_leaf")]
    along: Along,
    report: Report,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredInput {
    column: u32,
    name: String,
    reads: Reads,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    compared: Option<Compared>,
}

/// How the values of an input are compared.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Compared {
    distance: String,
    #[serde(rename = "type")]
    of: Type,
    source: Source,
    /// Further distances.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    more: Vec<String>,
    /// What tests look for in them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    items: Vec<Item>,
}

/// A test on a structured value, as written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredSplit {
    test: Test,
    children: Vec<u32>,
    shares: Vec<f64>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Reads {
    Numbers,
    Moments,
    Labels,
    Values,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredTarget {
    name: String,
    /// The kind, as [`LeafKind::stored_name`](crate::tree::response::answer::LeafNumbers) has it.
    says: String,
    hierarchy: Option<char>,
    /// What else the kind is made of; its labels have a section of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    terms: Option<KindTerms>,
}

/// Writes a model.
pub(super) fn write(model: &TreeModel, sections: &mut Sections) -> Result<()> {
    let input = |input: &Input| StoredInput {
        column: input.column,
        name: input.name.clone(),
        reads: match input.kind {
            InputKind::Number => Reads::Numbers,
            InputKind::Moment => Reads::Moments,
            InputKind::Labels(_) => Reads::Labels,
            InputKind::Kin(_) => Reads::Values,
        },
        compared: match &input.kind {
            InputKind::Kin(pool) => Some(Compared {
                distance: pool.measure.expression().to_string(),
                of: pool.measure.of().clone(),
                more: pool
                    .more
                    .iter()
                    .map(|more| more.expression().to_string())
                    .collect(),
                source: pool.source,
                items: pool.items.clone(),
            }),
            _ => None,
        },
    };
    let target = |target: &TargetOf| {
        let terms = target.kind.terms();
        let others = KindTerms {
            labels: Vec::new(),
            hierarchy: None,
            ..terms
        };
        StoredTarget {
            name: target.name.clone(),
            says: target.leaf().stored_name().to_owned(),
            hierarchy: terms.hierarchy,
            terms: (others != KindTerms::default()).then_some(others),
        }
    };
    let description = Description {
        inputs: model.terms.inputs.iter().map(input).collect(),
        targets: model.terms.targets.iter().map(target).collect(),
        scores: model.trees.iter().map(|member| member.score).collect(),
        combine: model.combine,
        along: model.along,
        report: model.report.clone(),
    };
    sections.put_json("trees", &description)?;
    let labels = |dictionary: &Dictionary| -> Vec<String> {
        dictionary.labels().map(str::to_owned).collect()
    };
    for (place, input) in model.terms.inputs.iter().enumerate() {
        let section = format!("input/{place}");
        match &input.kind {
            InputKind::Labels(dictionary) => sections.put_text(&section, &labels(dictionary))?,
            InputKind::Kin(pool) => {
                let values = Attribute::new(VALUES, pool.values.clone());
                let table = Table::new(VALUES, vec![values])?;
                Database::single(table)?.write(&mut sections.scope(&section))?;
            }
            InputKind::Number | InputKind::Moment => {}
        }
    }
    for (place, target) in model.terms.targets.iter().enumerate() {
        if let Some(dictionary) = target.kind.dictionary() {
            sections.put_text(&format!("target/{place}"), &labels(dictionary))?;
        }
    }
    for (place, member) in model.trees.iter().enumerate() {
        write_tree(member, &mut sections.scope(&format!("tree/{place}")))?;
    }
    Ok(())
}

fn write_tree(member: &Member<Terms>, scope: &mut Sections) -> Result<()> {
    let nodes = member.tree.nodes();
    let (mut kinds, mut columns, mut seconds) = (Vec::new(), Vec::new(), Vec::new());
    let (mut thresholds, mut values, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    let mut shares = Vec::new();
    let mut prototypes = Vec::new();
    for node in nodes {
        let Some(split) = &node.split else {
            kinds.push(LEAF);
            continue;
        };
        match &split.test {
            Test::Around { .. } | Test::Nearest { .. } | Test::Has { .. } | Test::Size { .. } => {
                kinds.push(PROTOTYPES);
                prototypes.push(StoredSplit {
                    test: split.test.clone(),
                    children: split.children.clone(),
                    shares: split.shares.clone(),
                });
                continue;
            }
            Test::Above { threshold, .. } => {
                kinds.push(ABOVE);
                thresholds.push(*threshold);
            }
            Test::Among { values: among, .. } => {
                kinds.push(AMONG);
                values.extend_from_slice(among);
                ends.push(values.len() as u64);
            }
        }
        columns.push(split.test.column());
        seconds.push(split.children[1]);
        shares.extend_from_slice(&split.shares);
    }
    scope.put_u8("kinds", &kinds)?;
    scope.put_u32("columns", &columns)?;
    scope.put_u32("seconds", &seconds)?;
    scope.put_f64("thresholds", &thresholds)?;
    scope.put_u32("values", &values)?;
    scope.put_u64("ends", &ends)?;
    scope.put_f64("shares", &shares)?;
    if !prototypes.is_empty() {
        scope.put_json("prototypes", &prototypes)?;
    }
    let weights: Vec<f64> = nodes.iter().map(|node| node.payload.weight).collect();
    scope.put_f64("weights", &weights)?;
    for target in 0..nodes.first().map_or(0, |root| root.payload.targets.len()) {
        let mut numbers = Vec::new();
        for node in nodes {
            numbers.extend_from_slice(node.payload.targets[target].numbers());
        }
        scope.put_f64(&format!("answers/{target}"), &numbers)?;
    }
    Ok(())
}

/// Reads a model, checking all of it.
pub(super) fn read(stored: &Stored) -> Result<TreeModel> {
    let description: Description = stored.json("trees")?;
    let wrong = |reason: &str| -> Error { invalid(stored.full_name("trees"), reason).into() };
    let dictionary = |name: String| -> Result<Dictionary> {
        let labels = stored.text(&name)?;
        let dictionary = Dictionary::from_labels(&labels);
        match dictionary.len() == labels.len() {
            true => Ok(dictionary),
            false => Err(invalid(stored.full_name(&name), "a label stands twice").into()),
        }
    };
    let mut inputs = Vec::with_capacity(description.inputs.len());
    for (place, input) in description.inputs.into_iter().enumerate() {
        let kind = match input.reads {
            Reads::Numbers => InputKind::Number,
            Reads::Moments => InputKind::Moment,
            Reads::Labels => InputKind::Labels(Arc::new(dictionary(format!("input/{place}"))?)),
            Reads::Values => {
                let compared = input.compared.as_ref();
                let compared = compared.ok_or_else(|| wrong("values without a distance"))?;
                InputKind::Kin(Arc::new(pool(
                    &stored.scope(&format!("input/{place}")),
                    compared,
                )?))
            }
        };
        inputs.push(Input {
            column: input.column,
            name: input.name,
            kind,
        });
    }
    // Walks make room for a column each: no more of them than a table can have.
    let ascending = inputs
        .windows(2)
        .all(|pair| pair[0].column < pair[1].column);
    if !ascending || inputs.last().is_some_and(|last| last.column > MOST_COLUMNS) {
        return Err(wrong("columns that are not in order"));
    }
    let mut targets = Vec::with_capacity(description.targets.len());
    for (place, target) in description.targets.into_iter().enumerate() {
        let leaf = LEAVES.iter().find(|leaf| leaf.stored_name() == target.says);
        let leaf = leaf.ok_or_else(|| wrong("a target of a kind that is not known"))?;
        let section = format!("target/{place}");
        let labels = match stored.has(&section) {
            true => stored.text(&section)?,
            false => Vec::new(),
        };
        let kind = (leaf.entry().read)(KindTerms {
            labels,
            hierarchy: target.hierarchy,
            ..target.terms.unwrap_or_default()
        })
        .map_err(|reason| match stored.has(&section) {
            true => invalid(stored.full_name(&section), reason).into(),
            false => wrong(reason),
        })?;
        targets.push(TargetOf {
            name: target.name,
            kind,
        });
    }
    if targets.is_empty() || targets.iter().any(|target| target.width() == 0) {
        return Err(wrong("a model without anything to say"));
    }
    let terms = Terms { inputs, targets };
    let mut trees = Vec::new();
    for (place, score) in description.scores.into_iter().enumerate() {
        let scope = stored.scope(&format!("tree/{place}"));
        let member = Member {
            tree: Arc::new(read_tree(&scope, &terms)?),
            score,
        };
        if let Some(fault) = terms.fault(&member) {
            return Err(invalid(scope.full_name("kinds"), fault).into());
        }
        trees.push(member);
    }
    if trees.is_empty() {
        return Err(wrong("no tree"));
    }
    if description.along == Along::Summed {
        return Err(wrong("nodes without formulas that are added up"));
    }
    if let Some(fault) = description.along.fault() {
        return Err(wrong(fault));
    }
    Ok(TreeModel::of(
        Arc::new(terms),
        trees,
        description.combine,
        description.along,
        description.report,
    ))
}

/// The prototypes of an input.
fn pool(stored: &Stored, compared: &Compared) -> Result<Pool> {
    let database = Database::read(stored)?;
    let values = match database.tables() {
        [table] if table.attributes().len() == 1 => table.attribute(0).column.as_ref().clone(),
        _ => return Err(invalid(stored.full_name("schema"), "no column of prototypes").into()),
    };
    let expression = compared.distance.parse()?;
    let place = "the values of a prototype";
    let measure = Registry::known().distance(&expression, &compared.of, None, place)?;
    let more = compared.more.iter().map(|written| {
        let measure = Registry::known().distance(&written.parse()?, &compared.of, None, place)?;
        Ok(measure)
    });
    let more = more.collect::<Result<Vec<_>>>()?;
    if values.type_of() != compared.of || values.missing() > 0 {
        let wrong = "prototypes of another type than their distance";
        return Err(invalid(stored.full_name("schema"), wrong).into());
    }
    let reading = Reading::new(&compared.of);
    let fits = |item: &Item| reading.is_some_and(|reading| reading.has(item.kind()));
    if !compared.items.iter().all(fits) {
        let wrong = "items that values of their type cannot have";
        return Err(invalid(stored.full_name("schema"), wrong).into());
    }
    Ok(Pool {
        values,
        items: compared.items.clone(),
        measure,
        more,
        source: compared.source,
    })
}

/// What the stored table of prototypes and its column are called.
const VALUES: &str = "values";

/// More columns than any table has.
const MOST_COLUMNS: u32 = 1 << 24;

fn read_tree(stored: &Stored, terms: &Terms) -> Result<Tree<Test, Answers>> {
    let wrong = |section: &str, reason: &str| -> Error {
        invalid(stored.full_name(section), reason).into()
    };
    let kinds = stored.bytes("kinds")?;
    let inner = kinds
        .iter()
        .filter(|kind| ![LEAF, PROTOTYPES].contains(kind))
        .count();
    let prototypes: Vec<StoredSplit> = match kinds.contains(&PROTOTYPES) {
        true => stored.json("prototypes")?,
        false => Vec::new(),
    };
    if prototypes.len() != kinds.iter().filter(|kind| **kind == PROTOTYPES).count() {
        return Err(wrong("prototypes", "another number of tests than nodes"));
    }
    let mut prototypes = prototypes.into_iter();
    let mut tests = tests(stored, &kinds, inner)?.into_iter();
    let seconds = stored.u32s_len("seconds", inner)?;
    let shares = stored.f64s_len("shares", 2 * inner)?;
    let mut splits = seconds.into_iter().zip(shares.chunks_exact(2));
    let weights = stored.f64s_len("weights", kinds.len())?;
    let mut answers = Vec::with_capacity(terms.targets.len());
    for (place, target) in terms.targets.iter().enumerate() {
        let each = target.leaf().length(&target.kind);
        let name = format!("answers/{place}");
        let length = each
            .checked_mul(kinds.len())
            .ok_or_else(|| wrong(&name, "more answers than there is memory"))?;
        answers.push((each, stored.f64s_len(&name, length)?));
    }
    let mut nodes = Vec::with_capacity(kinds.len());
    for (place, &kind) in kinds.iter().enumerate() {
        let said = terms
            .targets
            .iter()
            .zip(&answers)
            .map(|(target, (each, numbers))| {
                let numbers = &numbers[place * each..(place + 1) * each];
                Answer::new(target.leaf(), numbers.to_vec())
            });
        let payload = Answers {
            weight: weights[place],
            targets: said.collect(),
        };
        let split = match kind {
            LEAF => None,
            PROTOTYPES => prototypes.next().map(|stored| Split {
                test: stored.test,
                children: stored.children,
                shares: stored.shares,
            }),
            _ => tests
                .next()
                .zip(splits.next())
                .map(|(test, (second, shares))| Split {
                    test,
                    children: vec![place as u32 + 1, second],
                    shares: shares.to_vec(),
                }),
        };
        nodes.push(Node { payload, split });
    }
    Tree::new(nodes).ok_or_else(|| wrong("seconds", "nodes that are no tree"))
}

/// The tests of the inner nodes, in order.
fn tests(stored: &Stored, kinds: &[u8], inner: usize) -> Result<Vec<Test>> {
    let wrong = |section: &str, reason: &str| -> Error {
        invalid(stored.full_name(section), reason).into()
    };
    let count = |wanted: u8| kinds.iter().filter(|kind| **kind == wanted).count();
    let columns = stored.u32s_len("columns", inner)?;
    let mut thresholds = stored.f64s_len("thresholds", count(ABOVE))?.into_iter();
    let values = stored.u32s("values")?;
    let mut ends = stored.u64s_len("ends", count(AMONG))?.into_iter();
    let mut from = 0;
    let mut tests = Vec::with_capacity(inner);
    let written = kinds
        .iter()
        .filter(|kind| ![LEAF, PROTOTYPES].contains(kind));
    for (&kind, column) in written.zip(columns) {
        tests.push(match kind {
            ABOVE => Test::Above {
                column,
                threshold: thresholds
                    .next()
                    .ok_or_else(|| wrong("thresholds", "too few"))?,
            },
            AMONG => {
                let end = ends.next().and_then(|end| usize::try_from(end).ok());
                let among = end.and_then(|end| values.get(from..end));
                let among = among.ok_or_else(|| wrong("ends", "values that are not there"))?;
                from += among.len();
                Test::Among {
                    column,
                    values: among.to_vec(),
                }
            }
            _ => return Err(wrong("kinds", "a node that is neither test nor leaf")),
        });
    }
    match from == values.len() {
        true => Ok(tests),
        false => Err(wrong("values", "values that no test has")),
    }
}
