//! The model in a file: what it speaks of, then the trees. Whatever is read is checked.

use std::sync::Arc;

use kinwood_similarity::Registry;
use kinwood_values::container::{Sections, Stored, invalid};
use kinwood_values::{Attribute, Database, Dictionary, Table, Type};
use serde::{Deserialize, Serialize};

use super::MirtModel;
use crate::contents::Item;
use crate::mirt::RelationalTree;
use crate::mirt::terms::{ColumnOf, KeyOf, Kind, Pool, TableOf, Terms};
use crate::tree::model::{Along, Member};
use crate::tree::response::PREDICTED;
use crate::tree::{Combine, Node, Report, TargetKind, TargetOf, Tree};
use kinwood_learning::error::{Error, Result};
use kinwood_learning::target::{CLASSES, KindTerms, LABELS, NUMBERS};

const NAME: &str = "relational";
const PROTOTYPES: &str = "prototypes";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    tables: Vec<StoredTable>,
    root: usize,
    keys: Vec<KeyOf>,
    targets: Vec<StoredTarget>,
    pools: Vec<StoredPool>,
    trees: Vec<StoredTree>,
    combine: Combine,
    along: Along,
    report: Report,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredTable {
    name: String,
    key: Vec<u32>,
    columns: Vec<StoredColumn>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredColumn {
    name: String,
    input: bool,
    kind: StoredKind,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredKind {
    Number,
    Moment,
    Labels(Vec<String>),
    Other,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredTarget {
    name: String,
    says: Says,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Says {
    Number,
    Class(Vec<String>),
    Labels {
        labels: Vec<String>,
        hierarchy: Option<char>,
    },
    /// Any other kind, by its name.
    #[serde(untagged)]
    Other {
        kind: String,
        terms: KindTerms,
    },
}

impl Says {
    fn of(kind: &TargetKind) -> Self {
        let terms = kind.terms();
        match kind.entry() {
            entry if *entry == NUMBERS => Says::Number,
            entry if *entry == CLASSES => Says::Class(terms.labels),
            entry if *entry == LABELS => Says::Labels {
                labels: terms.labels,
                hierarchy: terms.hierarchy,
            },
            entry => Says::Other {
                kind: entry.name.to_owned(),
                terms,
            },
        }
    }

    /// The kind, or what is wrong with it.
    fn kind(self) -> Result<TargetKind, &'static str> {
        let (entry, terms) = match self {
            Says::Number => (&NUMBERS, KindTerms::default()),
            Says::Class(labels) => (
                &CLASSES,
                KindTerms {
                    labels,
                    ..KindTerms::default()
                },
            ),
            Says::Labels { labels, hierarchy } => (
                &LABELS,
                KindTerms {
                    labels,
                    hierarchy,
                    ..KindTerms::default()
                },
            ),
            Says::Other { kind, terms } => {
                let entry = PREDICTED.0.iter().copied().find(|entry| entry.name == kind);
                (entry.ok_or("a target of a kind that is not known")?, terms)
            }
        };
        (entry.read)(terms)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredPool {
    table: usize,
    column: u32,
    name: String,
    distance: String,
    #[serde(rename = "type")]
    of: Type,
    /// What tests look for in values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    items: Vec<Item>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredTree {
    nodes: Vec<Node<crate::mirt::test::Test, crate::mirt::leaf::Content>>,
    score: Option<f64>,
}

fn listed(labels: &Dictionary) -> Vec<String> {
    labels.labels().map(str::to_owned).collect()
}

/// Writes a model.
pub(super) fn write(model: &MirtModel, sections: &mut Sections) -> Result<()> {
    let terms = &model.terms;
    let column = |column: &ColumnOf| StoredColumn {
        name: column.name.clone(),
        input: column.input,
        kind: match &column.kind {
            Kind::Number => StoredKind::Number,
            Kind::Moment => StoredKind::Moment,
            Kind::Labels(labels) => StoredKind::Labels(listed(labels)),
            Kind::Other => StoredKind::Other,
        },
    };
    let table = |table: &TableOf| StoredTable {
        name: table.name.clone(),
        key: table.key.clone(),
        columns: table.columns.iter().map(column).collect(),
    };
    let target = |target: &TargetOf| StoredTarget {
        name: target.name.clone(),
        says: Says::of(&target.kind),
    };
    let pool = |pool: &Pool| StoredPool {
        table: pool.table,
        column: pool.column,
        name: pool.name.clone(),
        distance: pool.measure.expression().to_string(),
        of: pool.measure.of().clone(),
        items: pool.items.clone(),
    };
    let tree = |member: &Member<Terms>| StoredTree {
        nodes: member.tree.nodes().to_vec(),
        score: member.score,
    };
    let description = Description {
        tables: terms.tables.iter().map(table).collect(),
        root: terms.root,
        keys: terms.keys.clone(),
        targets: terms.targets.iter().map(target).collect(),
        pools: terms.pools.iter().map(pool).collect(),
        trees: model.trees.iter().map(tree).collect(),
        combine: model.combine,
        along: model.along,
        report: model.report.clone(),
    };
    sections.put_json(NAME, &description)?;
    for (place, pool) in terms.pools.iter().enumerate() {
        let values = vec![Attribute::new("value", pool.values.clone())];
        let table = Table::new(format!("{PROTOTYPES}{place}"), values)?;
        let database = Database::single(table)?;
        database.write(&mut sections.scope(&format!("{PROTOTYPES}{place}")))?;
    }
    Ok(())
}

fn dictionary(labels: Vec<String>) -> Option<Arc<Dictionary>> {
    let mut dictionary = Dictionary::new();
    for (place, label) in labels.iter().enumerate() {
        if dictionary.intern(label) as usize != place {
            return None;
        }
    }
    Some(Arc::new(dictionary))
}

/// Whether a file has such a model.
pub(super) fn is_in(stored: &Stored) -> bool {
    stored.has(NAME)
}

/// Reads a model, trusting nothing.
pub(super) fn read(stored: &Stored) -> Result<MirtModel> {
    let description: Description = stored.json(NAME)?;
    let wrong = |reason: String| -> Error { invalid(stored.full_name(NAME), reason).into() };
    let twice = || wrong("a label stands twice".to_owned());
    let mut tables = Vec::with_capacity(description.tables.len());
    for table in description.tables {
        let mut columns = Vec::with_capacity(table.columns.len());
        for column in table.columns {
            columns.push(ColumnOf {
                name: column.name,
                input: column.input,
                kind: match column.kind {
                    StoredKind::Number => Kind::Number,
                    StoredKind::Moment => Kind::Moment,
                    StoredKind::Labels(labels) => {
                        Kind::Labels(dictionary(labels).ok_or_else(twice)?)
                    }
                    StoredKind::Other => Kind::Other,
                },
            });
        }
        tables.push(TableOf {
            name: table.name,
            columns,
            key: table.key,
        });
    }
    let mut targets = Vec::with_capacity(description.targets.len());
    for target in description.targets {
        targets.push(TargetOf {
            name: target.name,
            kind: target
                .says
                .kind()
                .map_err(|reason| wrong(reason.to_owned()))?,
        });
    }
    let mut pools = Vec::with_capacity(description.pools.len());
    for (place, pool) in description.pools.into_iter().enumerate() {
        let database = Database::read(&stored.scope(&format!("{PROTOTYPES}{place}")))?;
        let table = database
            .tables()
            .first()
            .filter(|table| table.attributes().len() == 1);
        let table =
            table.ok_or_else(|| wrong("prototypes are a table of one column".to_owned()))?;
        let expression = pool
            .distance
            .parse()
            .map_err(|error: kinwood_similarity::Error| wrong(error.to_string()))?;
        let measure = Registry::known().distance(&expression, &pool.of, None, &pool.name)?;
        let values = kinwood_similarity::rows::fitting(&table.attribute(0).column, &pool.of);
        pools.push(Pool {
            table: pool.table,
            column: pool.column,
            values: values.map_err(|_| {
                wrong("prototypes are of another type than their column".to_owned())
            })?,
            name: pool.name,
            items: pool.items,
            measure,
        });
    }
    let terms = Terms {
        tables,
        root: description.root,
        keys: description.keys,
        targets,
        pools,
    };
    terms.fault().map_or(Ok(()), |reason| Err(wrong(reason)))?;
    let mut trees = Vec::with_capacity(description.trees.len());
    for tree in description.trees {
        let grown: RelationalTree =
            Tree::new(tree.nodes).ok_or_else(|| wrong("the nodes are no tree".to_owned()))?;
        terms
            .fault_of(&grown)
            .map_or(Ok(()), |reason| Err(wrong(reason)))?;
        trees.push(Member {
            tree: Arc::new(grown),
            score: tree.score,
        });
    }
    if trees.is_empty() {
        return Err(wrong("there is no tree".to_owned()));
    }
    if let Some(fault) = description.along.fault() {
        return Err(wrong(fault.to_owned()));
    }
    Ok(MirtModel::of(
        Arc::new(terms),
        trees,
        description.combine,
        description.along,
        description.report,
    ))
}
