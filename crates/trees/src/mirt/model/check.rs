//! Whether a model is whole, and whether data is in its terms.

use std::sync::Arc;

use kinwood_values::{Cells, View};

use crate::contents::{Item, Reading, calendar};
use crate::mirt::RelationalTree;
use crate::mirt::leaf::{Linear, Variable};
use crate::mirt::terms::{Kind, Pool, Terms};
use crate::mirt::test::{Condition, Is, MOST_OCCURRENCES, Step};
use crate::tree::model::wrong_answers;
use kinwood_learning::error::{Error, Result};

impl Terms {
    /// Fails where the data has other tables, columns or keys than the model.
    pub fn check(&self, data: &View) -> Result<()> {
        let database = data.database();
        let differs = |what: String| Error::OtherDatabase { what };
        if data.table_position() != self.root || database.tables().len() != self.tables.len() {
            return Err(differs(format!("{} tables", database.tables().len())));
        }
        for (own, given) in self.tables.iter().zip(database.tables()) {
            let same = own.columns.len() == given.attributes().len()
                && own
                    .columns
                    .iter()
                    .zip(given.attributes())
                    .all(|(own, given)| {
                        let readable = match (&own.kind, given.column.cells()) {
                            (Kind::Number, Cells::Numeric(_))
                            | (Kind::Moment, Cells::DateTime(_))
                            | (Kind::Labels(_), Cells::Nominal { .. })
                            | (Kind::Other, _) => true,
                            _ => !own.input,
                        };
                        own.name == given.name && readable
                    });
            if own.name != given.name() || !same {
                return Err(differs(format!("table `{}`", given.name())));
            }
        }
        let keys = database.foreign_keys();
        let same = |(own, given): (&crate::mirt::terms::KeyOf, &kinwood_values::ForeignKey)| {
            (own.from, own.to) == (given.from, given.to) && own.name == given.name
        };
        if keys.len() != self.keys.len() || !self.keys.iter().zip(keys).all(same) {
            let names: Vec<&str> = keys.iter().map(|key| key.name.as_str()).collect();
            return Err(differs(format!("the foreign keys {}", names.join(", "))));
        }
        Ok(())
    }

    /// What is wrong with the terms themselves.
    pub(super) fn fault(&self) -> Option<String> {
        let tables = self.tables.len();
        if self.root >= tables {
            return Some("the objects' table is none of the tables".to_owned());
        }
        let columns = |table: usize, columns: &[u32]| {
            let count = self.tables[table].columns.len();
            columns.iter().all(|&column| (column as usize) < count)
        };
        let keys = self.keys.iter().all(|key| {
            key.from < tables
                && key.to < tables
                && columns(key.from, &key.from_columns)
                && columns(key.to, &key.to_columns)
        });
        if !keys {
            return Some("a foreign key speaks of a table or column that there is not".to_owned());
        }
        let pools = self
            .pools
            .iter()
            .all(|pool| pool.table < tables && columns(pool.table, &[pool.column]));
        let read = |pool: &Pool| {
            let reading = Reading::new(pool.measure.of());
            let fits = |item: &Item| reading.is_some_and(|reading| reading.has(item.kind()));
            pool.items.iter().all(fits)
        };
        if !self.pools.iter().all(read) {
            return Some("items are of a kind that values of their column cannot have".to_owned());
        }
        let own = (0..tables).all(|table| columns(table, &self.tables[table].key));
        (!pools || !own).then(|| "prototypes or a key are of a column that there is not".to_owned())
    }

    /// What is wrong with a tree.
    pub(super) fn fault_of(&self, tree: &RelationalTree) -> Option<String> {
        let mut above: Vec<Arc<Vec<Step>>> = vec![Arc::default(); tree.size()];
        for (place, node) in tree.nodes().iter().enumerate() {
            let path = std::mem::take(&mut above[place]);
            let content = &node.payload;
            if let Some(fault) = wrong_answers(&self.targets, &content.answers) {
                return Some(fault.to_owned());
            }
            if !(content.models.is_empty() || content.models.len() == self.targets.len()) {
                return Some("a node answers for other targets than the model's".to_owned());
            }
            for (model, target) in content.models.iter().zip(&self.targets) {
                if let Some(model) = model
                    && (!target.kind.is_number() || !self.sound(model, &path))
                {
                    return Some("a linear model does not fit the tables".to_owned());
                }
            }
            let Some(split) = &node.split else { continue };
            if split.children.len() != 2 || !split.shares.iter().all(|share| share.is_finite()) {
                return Some("a test has two branches".to_owned());
            }
            let Some(steps) = self.followed(&path, &split.test.steps) else {
                return Some("a test follows a key from where there is none".to_owned());
            };
            if let Some(condition) = &split.test.condition
                && !self.condition_fits(&steps, condition)
            {
                return Some("a condition does not fit its column".to_owned());
            }
            if steps.len() > MOST_OCCURRENCES {
                return Some("a way follows more keys than trees do".to_owned());
            }
            // Tests that follow no key share what was followed above them.
            above[split.children[0] as usize] = match split.test.steps.is_empty() {
                true => Arc::clone(&path),
                false => Arc::new(steps),
            };
            above[split.children[1] as usize] = path;
        }
        None
    }

    /// Steps after others, if each starts where its key leads from.
    fn followed(&self, path: &[Step], steps: &[Step]) -> Option<Vec<Step>> {
        let mut all = path.to_vec();
        for &step in steps {
            let key = self.keys.get(step.key as usize)?;
            if step.from as usize > all.len() {
                return None;
            }
            let start = if step.backward { key.to } else { key.from };
            if self.table_of(&all, step.from) != start {
                return None;
            }
            all.push(step);
        }
        Some(all)
    }

    fn kind(&self, steps: &[Step], occurrence: u32, column: u32) -> Option<(usize, &Kind)> {
        if occurrence as usize > steps.len() {
            return None;
        }
        let table = self.table_of(steps, occurrence);
        let column = self.tables[table].columns.get(column as usize)?;
        Some((table, &column.kind))
    }

    fn condition_fits(&self, steps: &[Step], condition: &Condition) -> bool {
        let occurrence = condition.occurrence();
        let (Some(column), Some(is)) = (condition.column(), condition.is()) else {
            return occurrence as usize <= steps.len();
        };
        let Some((table, kind)) = self.kind(steps, occurrence, column) else {
            return false;
        };
        match (is, kind) {
            (Is::AtMost(bound) | Is::AtLeast(bound), Kind::Number | Kind::Moment) => {
                !bound.is_nan()
            }
            (Is::Among(codes), Kind::Labels(labels)) => {
                let rising = codes.windows(2).all(|pair| pair[0] < pair[1]);
                let aggregate = matches!(condition, Condition::Aggregate { .. });
                rising && !aggregate && codes.iter().all(|&code| (code as usize) < labels.len())
            }
            (Is::Near { prototype, radius }, Kind::Other) => {
                let pool = self.pool(table, column);
                !radius.is_nan()
                    && pool.is_some_and(|pool| (*prototype as usize) < pool.values.len())
            }
            (Is::Has(items), Kind::Other) => {
                let rising = items.windows(2).all(|pair| pair[0] < pair[1]);
                let some = matches!(condition, Condition::Some { .. });
                self.pool(table, column).is_some_and(|pool| {
                    let known = |item: &u32| (*item as usize) < pool.items.len();
                    let mut kinds = pool.named(items).map(Item::kind);
                    let first = kinds.next();
                    let alike = kinds.all(|kind| Some(kind) == first);
                    some && rising && alike && !items.is_empty() && items.iter().all(known)
                })
            }
            (Is::Has(items), Kind::Moment) => {
                let rising = items.windows(2).all(|pair| pair[0] < pair[1]);
                let some = matches!(condition, Condition::Some { .. });
                let mut kinds = calendar::named(items).map(Item::kind);
                let first = kinds.next();
                let alike = kinds.all(|kind| Some(kind) == first);
                let there = calendar::named(items).count() == items.len();
                some && rising && alike && there && !items.is_empty()
            }
            (Is::Sized(_), Kind::Other) => {
                let some = matches!(condition, Condition::Some { .. });
                let pool = self.pool(table, column);
                some && pool.is_some_and(|pool| Reading::new(pool.measure.of()).is_some())
            }
            _ => false,
        }
    }

    fn sound(&self, model: &Linear, path: &[Step]) -> bool {
        let Some(steps) = self.followed(path, &model.beyond) else {
            return false;
        };
        let finite = model.intercept.is_finite()
            && model
                .terms
                .iter()
                .all(|term| term.coefficient.is_finite() && term.otherwise.is_finite())
            && model.primary.iter().all(|number| number.is_finite())
            && model.range.is_none_or(|(least, most)| least <= most);
        let terms = model.terms.iter().all(|term| {
            let variable = term.variable;
            let Some(column) = variable.column() else {
                return variable.occurrence() as usize <= steps.len();
            };
            match (variable, self.kind(&steps, variable.occurrence(), column)) {
                (Variable::Label { label, .. }, Some((_, Kind::Labels(labels)))) => {
                    (label as usize) < labels.len()
                }
                (
                    Variable::Value { .. } | Variable::Aggregate { .. },
                    Some((_, Kind::Number | Kind::Moment)),
                ) => true,
                _ => false,
            }
        });
        let chosen = model.chosen();
        let instances = match chosen {
            0 => model.primary.is_empty(),
            chosen => model.primary.len().is_multiple_of(chosen),
        };
        finite && terms && instances
    }
}
