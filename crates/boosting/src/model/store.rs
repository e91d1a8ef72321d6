//! The model in a file: what it looks at, and the trees of each target as arrays over their nodes.

use std::sync::Arc;

use kinwood_learning::error::{Error, Result};
use kinwood_learning::target::{KindEntry, KindTerms, TargetKind};
use kinwood_similarity::Registry;
use kinwood_trees::contents::{Item, Reading};
use kinwood_values::container::{Sections, Stored, invalid};
use kinwood_values::{Attribute, Database, Dictionary, Table, Type};
use serde::{Deserialize, Serialize};

use super::{BoostedModel, BoostedTarget, Report};
use crate::features::{Feature, Features, Input, InputKind, Part, Pool};
use crate::loss::{Loss, TARGETS};
use crate::tree::Tree;

/// What the section is called.
const MODEL: &str = "boost";
/// What the stored table of prototypes and its column are called.
const VALUES: &str = "values";
/// No model is the mean of more.
const MOST_MODELS: usize = 1000;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    inputs: Vec<StoredInput>,
    targets: Vec<StoredTarget>,
    report: Report,
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
    Numbers {},
    Moments {},
    Labels {
        rare: Vec<u32>,
    },
    Values {
        distance: String,
        #[serde(rename = "type")]
        of: Type,
        size: bool,
        items: Vec<Item>,
        prototypes: u32,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredTarget {
    name: String,
    kind: String,
    hierarchy: Option<char>,
    #[serde(default)]
    terms: KindTerms,
    loss: Loss,
    base: Vec<f64>,
    trees: usize,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    models: usize,
    weight: f64,
    chosen: String,
    loss_held: Option<f64>,
}

fn one() -> usize {
    1
}

fn is_one(models: &usize) -> bool {
    *models == 1
}

/// Writes what [`read`] reads.
pub(super) fn write(model: &BoostedModel, sections: &mut Sections) -> Result<()> {
    let features = &model.features;
    let input = |(place, input): (usize, &Input)| StoredInput {
        name: input.name.clone(),
        reads: match &input.kind {
            InputKind::Number => Reads::Numbers {},
            InputKind::Moment => Reads::Moments {},
            InputKind::Labels { rare, .. } => Reads::Labels { rare: rare.clone() },
            InputKind::Structured(pool) => Reads::Values {
                distance: pool.measure.expression().to_string(),
                of: pool.measure.of().clone(),
                size: features
                    .all
                    .iter()
                    .any(|own| own.input as usize == place && own.part == Part::Size),
                items: pool.items.clone(),
                prototypes: pool.prototypes.len() as u32,
            },
        },
    };
    let target = |target: &BoostedTarget| {
        let terms = target.kind.terms();
        StoredTarget {
            name: target.name.clone(),
            kind: target.kind.entry().name.to_owned(),
            hierarchy: terms.hierarchy,
            terms: KindTerms {
                labels: Vec::new(),
                hierarchy: None,
                ..terms
            },
            loss: target.loss,
            base: target.base.clone(),
            trees: target.trees.len(),
            models: target.models,
            weight: target.weight,
            chosen: target.chosen.clone(),
            loss_held: target.loss_held,
        }
    };
    let description = Description {
        inputs: features.inputs.iter().enumerate().map(input).collect(),
        targets: model.targets.iter().map(target).collect(),
        report: model.report.clone(),
    };
    sections.put_json(MODEL, &description)?;
    for (place, input) in features.inputs.iter().enumerate() {
        let section = format!("input/{place}");
        match &input.kind {
            InputKind::Labels { labels, .. } => {
                sections.put_text(&section, &labels.labels().collect::<Vec<_>>())?;
            }
            InputKind::Structured(pool) => {
                let values = Attribute::new(VALUES, pool.prototypes.clone());
                let table = Table::new(VALUES, vec![values])?;
                Database::single(table)?.write(&mut sections.scope(&section))?;
            }
            InputKind::Number | InputKind::Moment => {}
        }
    }
    for (place, target) in model.targets.iter().enumerate() {
        let mut scope = sections.scope(&format!("target/{place}"));
        if let Some(dictionary) = target.kind.dictionary() {
            scope.put_text("labels", &dictionary.labels().collect::<Vec<_>>())?;
        }
        if !target.hazards.is_empty() {
            scope.put_f64("hazards", &target.hazards)?;
        }
        write_trees(&target.trees, &mut scope)?;
    }
    Ok(())
}

/// The arrays of all trees, one after the other.
fn write_trees(trees: &[Tree], scope: &mut Sections) -> Result<()> {
    let lengths: Vec<u32> = trees.iter().map(|tree| tree.len() as u32).collect();
    scope.put_u32("lengths", &lengths)?;
    let all = || trees.iter();
    let numbers = |of: fn(&Tree) -> &Vec<f64>| -> Vec<f64> {
        all().flat_map(|tree| of(tree).iter().copied()).collect()
    };
    scope.put_u32(
        "features",
        &all()
            .flat_map(|tree| tree.features.iter().copied())
            .collect::<Vec<_>>(),
    )?;
    scope.put_f64("thresholds", &numbers(|tree| &tree.thresholds))?;
    let branches = all().flat_map(|tree| tree.branches.iter().flatten().copied());
    scope.put_u32("branches", &branches.collect::<Vec<_>>())?;
    let missing = all().flat_map(|tree| tree.missing.iter().map(|first| u8::from(*first)));
    scope.put_u8("missing", &missing.collect::<Vec<_>>())?;
    scope.put_f64("values", &numbers(|tree| &tree.values))?;
    scope.put_f64("weights", &numbers(|tree| &tree.weights))?;
    scope.put_f64("gains", &numbers(|tree| &tree.gains))?;
    // Of each test on labels one more than their number, of others 0.
    let counts = all().flat_map(|tree| {
        let counts = tree.sets.iter();
        counts.map(|set| set.map_or(0, |(from, to)| to - from + 1))
    });
    scope.put_u32("sets", &counts.collect::<Vec<_>>())?;
    let labels = all().flat_map(|tree| {
        (0..tree.len())
            .filter_map(|node| tree.set(node))
            .flatten()
            .copied()
    });
    scope.put_u32("among", &labels.collect::<Vec<_>>())?;
    Ok(())
}

/// Reads a model, trusting nothing.
pub(super) fn read(stored: &Stored) -> Result<BoostedModel> {
    let description: Description = stored.json(MODEL)?;
    let wrong = |reason: &str| -> Error { invalid(stored.full_name(MODEL), reason).into() };
    let mut features = Features::default();
    for (place, input) in description.inputs.into_iter().enumerate() {
        let section = format!("input/{place}");
        let own = place as u32;
        let part = |part| Feature { input: own, part };
        let kind = match input.reads {
            Reads::Numbers {} => InputKind::Number,
            Reads::Moments {} => InputKind::Moment,
            Reads::Labels { rare } => {
                let labels = dictionary(stored, &section)?;
                let rising = rare.windows(2).all(|pair| pair[0] < pair[1]);
                if !rising
                    || rare
                        .last()
                        .is_some_and(|last| *last as usize >= labels.len())
                {
                    return Err(wrong("rare labels that are not there"));
                }
                InputKind::Labels {
                    labels: Arc::new(labels),
                    rare,
                }
            }
            Reads::Values {
                distance,
                of,
                size,
                items,
                prototypes,
            } => {
                let pool = pool(&stored.scope(&section), &distance, &of, items)?;
                if pool.prototypes.len() != prototypes as usize {
                    return Err(wrong("another number of prototypes"));
                }
                features.all.extend(size.then(|| part(Part::Size)));
                let items = (0..pool.items.len() as u32).map(|item| part(Part::Item(item)));
                features.all.extend(items);
                features
                    .all
                    .extend((0..prototypes).map(|near| part(Part::Distance(near))));
                InputKind::Structured(Arc::new(pool))
            }
        };
        if !matches!(kind, InputKind::Structured(_)) {
            features.all.push(part(Part::Whole));
        }
        features.inputs.push(Input {
            name: input.name,
            kind,
        });
    }
    let mut targets = Vec::with_capacity(description.targets.len());
    for (place, target) in description.targets.into_iter().enumerate() {
        let scope = stored.scope(&format!("target/{place}"));
        targets.push(read_target(&scope, target, &features, &wrong)?);
    }
    if targets.is_empty() {
        return Err(wrong("a model without anything to say"));
    }
    Ok(BoostedModel {
        features,
        targets,
        report: description.report,
    })
}

fn dictionary(stored: &Stored, section: &str) -> Result<Dictionary> {
    let labels = stored.text(section)?;
    let dictionary = Dictionary::from_labels(&labels);
    match dictionary.len() == labels.len() {
        true => Ok(dictionary),
        false => Err(invalid(stored.full_name(section), "a label stands twice").into()),
    }
}

/// What structured values are asked for.
fn pool(stored: &Stored, distance: &str, of: &Type, items: Vec<Item>) -> Result<Pool> {
    let database = Database::read(stored)?;
    let prototypes = match database.tables() {
        [table] if table.attributes().len() == 1 => table.attribute(0).column.as_ref().clone(),
        _ => return Err(invalid(stored.full_name("schema"), "no column of prototypes").into()),
    };
    let expression = distance.parse()?;
    let place = "the values of a prototype";
    let measure = Registry::known().distance(&expression, of, None, place)?;
    if prototypes.type_of() != *of || prototypes.missing() > 0 {
        let wrong = "prototypes of another type than their distance";
        return Err(invalid(stored.full_name("schema"), wrong).into());
    }
    let reading = Reading::new(of);
    let fits = |item: &Item| reading.is_some_and(|reading| reading.has(item.kind()));
    if !items.iter().all(fits) {
        let wrong = "items that values of their type cannot have";
        return Err(invalid(stored.full_name("schema"), wrong).into());
    }
    Ok(Pool {
        items,
        prototypes,
        measure,
    })
}

fn read_target(
    stored: &Stored,
    target: StoredTarget,
    features: &Features,
    wrong: &dyn Fn(&str) -> Error,
) -> Result<BoostedTarget> {
    let entry = KindEntry::named(&target.kind).filter(|entry| TARGETS.have(entry));
    let entry = entry.ok_or_else(|| wrong("a target of a kind that is not boosted"))?;
    let labels = match stored.has("labels") {
        true => stored.text("labels")?,
        false => Vec::new(),
    };
    let kind = (entry.read)(KindTerms {
        labels,
        hierarchy: target.hierarchy,
        ..target.terms
    })
    .map_err(wrong)?;
    let outputs =
        outputs(&kind, target.loss).ok_or_else(|| wrong("a loss that its target has not"))?;
    let finite = target.base.iter().all(|base| base.is_finite());
    if target.base.len() != outputs
        || !finite
        || !(target.weight >= 0.0 && target.weight.is_finite())
    {
        return Err(wrong("scores that are none"));
    }
    let of_round = outputs
        .checked_mul(target.models)
        .filter(|_| (1..=MOST_MODELS).contains(&target.models));
    if !of_round.is_some_and(|of_round| target.trees.is_multiple_of(of_round)) {
        return Err(wrong("a round without all of its trees"));
    }
    let hazards = match target.loss {
        Loss::Cox => stored.f64s_len("hazards", kind.width())?,
        _ => Vec::new(),
    };
    let rising = hazards.windows(2).all(|pair| pair[0] <= pair[1]);
    if !rising
        || hazards
            .iter()
            .any(|hazard| !(hazard.is_finite() && *hazard >= 0.0))
    {
        return Err(invalid(stored.full_name("hazards"), "hazards that do not rise").into());
    }
    let trees = read_trees(stored, target.trees, features)?;
    Ok(BoostedTarget {
        name: target.name,
        kind,
        loss: target.loss,
        base: target.base,
        trees,
        models: target.models,
        hazards,
        weight: target.weight,
        chosen: target.chosen,
        loss_held: target.loss_held.filter(|loss| loss.is_finite()),
    })
}

/// How many scores a target has; `None` where it has no such loss.
fn outputs(kind: &TargetKind, loss: Loss) -> Option<usize> {
    let width = kind.width();
    let outputs = match (kind.entry().name, loss) {
        ("classes", Loss::Logistic) if width == 2 => 1,
        ("classes", Loss::Softmax) if width != 2 => width,
        ("ordered", Loss::Logistic) => width.saturating_sub(1).max(1),
        ("labels", Loss::Logistic) => width,
        ("censored", Loss::Cox) => 1,
        ("numbers", Loss::Logistic | Loss::Softmax | Loss::Cox) => return None,
        ("numbers", _) => 1,
        _ => return None,
    };
    (width > 0 && outputs > 0).then_some(outputs)
}

fn read_trees(stored: &Stored, count: usize, features: &Features) -> Result<Vec<Tree>> {
    let wrong = |section: &str, reason: &str| -> Error {
        invalid(stored.full_name(section), reason).into()
    };
    let lengths = stored.u32s_len("lengths", count)?;
    let all = lengths
        .iter()
        .try_fold(0_usize, |sum, length| sum.checked_add(*length as usize));
    let all = all.ok_or_else(|| wrong("lengths", "more nodes than there is memory"))?;
    let tested = stored.u32s_len("features", all)?;
    let thresholds = stored.f64s_len("thresholds", all)?;
    let branches = all
        .checked_mul(2)
        .ok_or_else(|| wrong("lengths", "more nodes than there is memory"))?;
    let branches = stored.u32s_len("branches", branches)?;
    let missing = stored.bytes_len("missing", all)?;
    let values = stored.f64s_len("values", all)?;
    let weights = stored.f64s_len("weights", all)?;
    let gains = stored.f64s_len("gains", all)?;
    let sets = stored.u32s_len("sets", all)?;
    let among = stored.u32s("among")?;
    if missing.iter().any(|first| *first > 1) {
        return Err(wrong(
            "missing",
            "a branch that is neither the first nor the other",
        ));
    }
    let labels = |feature: usize| features.is_label(feature).then(|| features.labels(feature));
    let (mut from, mut label) = (0, 0);
    let mut trees = Vec::with_capacity(count);
    for length in lengths {
        let to = from + length as usize;
        let mut tree = Tree {
            features: tested[from..to].to_vec(),
            thresholds: thresholds[from..to].to_vec(),
            branches: branches[2 * from..2 * to]
                .chunks_exact(2)
                .map(|pair| [pair[0], pair[1]])
                .collect(),
            missing: missing[from..to].iter().map(|first| *first == 1).collect(),
            values: values[from..to].to_vec(),
            weights: weights[from..to].to_vec(),
            gains: gains[from..to].to_vec(),
            ..Tree::default()
        };
        for &count in &sets[from..to] {
            let set = match count.checked_sub(1) {
                None => None,
                Some(count) => {
                    let own = among
                        .get(label..)
                        .and_then(|rest| rest.get(..count as usize));
                    let own = own.ok_or_else(|| wrong("among", "labels that are not there"))?;
                    let begin = tree.labels.len() as u32;
                    tree.labels.extend_from_slice(own);
                    label += own.len();
                    Some((begin, tree.labels.len() as u32))
                }
            };
            tree.sets.push(set);
        }
        if let Some(fault) = tree.fault(features.all.len(), labels) {
            return Err(wrong("branches", fault));
        }
        trees.push(tree);
        from = to;
    }
    match label == among.len() {
        true => Ok(trees),
        false => Err(wrong("among", "labels that no test has")),
    }
}
