//! A tree of centres in a file.

use std::sync::Arc;

use kinwood_similarity::row::StoredRow;
use kinwood_similarity::{FittedRow, Registry};
use kinwood_values::container::{Sections, Stored, invalid};
use kinwood_values::{Attribute, Database, Dictionary, Table};
use serde::{Deserialize, Serialize};

use super::grow::{Grown, Node};
use super::model::CentreTree;
use super::response::Group;
use kinwood_learning::error::{Error, Result};
use kinwood_learning::examples::DEEPEST;

/// What the sections, the table and its column are called.
const TREE: &str = "tree";
const CENTRES: &str = "centres";
const ROW: &str = "row";

/// What a file keeps beside the centres.
#[derive(Serialize, Deserialize)]
struct Description {
    target: String,
    /// The classes in order; nothing for a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    classes: Option<Vec<String>>,
    fitted: StoredRow,
    nodes: Vec<Node>,
}

impl CentreTree {
    /// Writes what [`CentreTree::read`] reads.
    pub(super) fn store(&self, sections: &mut Sections) -> Result<()> {
        let labels = |classes: &Arc<Dictionary>| classes.labels().map(str::to_owned).collect();
        let description = Description {
            target: self.target.clone(),
            classes: self.classes.as_ref().map(labels),
            fitted: self.fitted.stored(),
            nodes: self.nodes.clone(),
        };
        sections.put_json(TREE, &description)?;
        let table = Table::new(CENTRES, vec![Attribute::new(ROW, self.centres.clone())])?;
        let database = Database::single(table)?;
        Ok(database.write(&mut sections.scope(CENTRES))?)
    }

    /// Reads a model, trusting nothing.
    pub fn read(stored: &Stored) -> Result<Self> {
        let description: Description = stored.json(TREE)?;
        let wrong = |reason: &str| -> Error { invalid(stored.full_name(TREE), reason).into() };
        // Deeper than the setting allows, a circle of keys would be followed for ever.
        if description.fitted.reading.deeper_than(DEEPEST) {
            return Err(wrong(
                "rows compared over more foreign keys than can be asked for",
            ));
        }
        let fitted = FittedRow::from_stored(&description.fitted, Registry::known())?;
        let database = Database::read(&stored.scope(CENTRES))?;
        let [table] = database.tables() else {
            return Err(wrong("centres are one table"));
        };
        let [attribute] = table.attributes() else {
            return Err(wrong("centres are one column of rows"));
        };
        let centres = (*attribute.column).clone();
        if centres.type_of() != *fitted.distance().of() || centres.missing() > 0 {
            return Err(wrong("centres that the distance does not measure"));
        }
        let classes = description.classes.map(|labels| {
            let dictionary = Dictionary::from_labels(labels.iter().map(String::as_str));
            (dictionary.len() == labels.len() && !labels.is_empty()).then(|| Arc::new(dictionary))
        });
        let classes = match classes {
            Some(None) => return Err(wrong("no classes, or one that stands twice")),
            Some(classes) => classes,
            None => None,
        };
        sound(&description.nodes, centres.len(), classes.as_deref()).map_err(wrong)?;
        let grown = Grown {
            nodes: description.nodes,
            centres,
        };
        Ok(CentreTree::new(description.target, classes, fitted, grown))
    }
}

/// Whether nodes are a tree: every node but the root below exactly one that comes before it, so
/// that every walk ends.
pub(super) fn sound(
    nodes: &[Node],
    centres: usize,
    classes: Option<&Dictionary>,
) -> Result<(), &'static str> {
    if nodes.is_empty() {
        return Err("a tree without nodes");
    }
    let width = classes.map_or(1, Dictionary::len);
    let mut reached = vec![false; nodes.len()];
    for (place, node) in nodes.iter().enumerate() {
        let sum: f64 = node.answer.iter().sum();
        let finite = node.answer.iter().all(|part| part.is_finite());
        let shares = || node.answer.iter().all(|&part| part >= 0.0) && (sum - 1.0).abs() < 1e-6;
        if node.answer.len() != width || !finite || classes.is_some() && !shares() {
            return Err("an answer that is none");
        }
        let Some(split) = &node.split else {
            continue;
        };
        let count = split.groups.len();
        if count < 2
            || split.children.len() != count
            || split.first > centres
            || centres - split.first < count
        {
            return Err("a node without its centres");
        }
        let fits = |group: &Group| match (group, classes) {
            (Group::Class(class), Some(classes)) => (*class as usize) < classes.len(),
            (Group::Between(least, greatest), None) => least <= greatest,
            _ => false,
        };
        if !split.groups.iter().all(fits) {
            return Err("a centre of nothing that is predicted");
        }
        for &child in &split.children {
            if child <= place || child >= nodes.len() || reached[child] {
                return Err("nodes that are no tree");
            }
            reached[child] = true;
        }
    }
    match reached[1..].iter().all(|&reached| reached) {
        true => Ok(()),
        false => Err("a node that nothing leads to"),
    }
}
