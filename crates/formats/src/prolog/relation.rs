//! One relation of declared facts: its pattern, its columns, and the table they become.

use std::sync::Arc;

use kinwood_values::{Attribute, Cells, Column, Dictionary, Role, Table};

use super::declared::{ID, Kinds, Values};
use super::tables::unused;
use crate::dataset::TableRead;
use crate::error::{Error, Result};
use crate::prolog_syntax::pattern::Pattern;
use crate::schema::ForeignKeySchema;

/// One table of the facts.
pub(super) struct Relation {
    pub pattern: Pattern,
    pub name: String,
    pub rows: usize,
    /// The columns that are kept: the argument, and its values.
    pub columns: Vec<(usize, Values)>,
    /// For examples, whether each holds; none if the facts do not say.
    pub labels: Option<Vec<bool>>,
}

impl Relation {
    /// The table of the facts. `describes` says whether the first ID is what they describe.
    pub fn table(&self, kinds: &Kinds, describes: Option<bool>, file: &str) -> Result<TableRead> {
        let names = self.pattern.columns();
        let mut attributes = Vec::with_capacity(self.columns.len() + 1);
        let mut evidence = Vec::with_capacity(self.columns.len() + 1);
        let mut foreign_keys = Vec::new();
        for (place, (position, values)) in self.columns.iter().enumerate() {
            let name = names[*position].clone();
            let role = match values {
                Values::Id(..) => Role::Id,
                Values::Target { .. } => Role::Target,
                Values::Number(_) | Values::Symbol(_) => Role::Input,
            };
            if let Values::Id(kind, _) = values {
                foreign_keys.push(ForeignKeySchema {
                    columns: vec![name.clone()],
                    references: kinds.name(kinds.find(kind)).to_owned(),
                    to: vec![ID.to_owned()],
                    name: None,
                    describes: Some(describes == Some(true) && place == 0),
                });
            }
            let of = &self.pattern.arguments[*position].of;
            evidence.push(format!("declared `{of}` in `{}`", self.pattern));
            attributes.push(Attribute::new(name, values.column()).with_role(role));
        }
        if let Some(labels) = &self.labels {
            let positive = labels.iter().filter(|holds| **holds).count();
            evidence.push(format!(
                "{positive} positive and {} negative examples",
                labels.len() - positive
            ));
            let name = unused("class", &attributes);
            attributes.push(Attribute::new(name, truth(labels)).with_role(Role::Target));
        }
        let stated_roles = (0..attributes.len()).collect();
        let table = Table::new(self.name.clone(), attributes).map_err(|source| Error::Values {
            file: file.to_owned(),
            source,
        })?;
        Ok(TableRead {
            table,
            evidence,
            stated_roles,
            customary_target: None,
            foreign_keys,
            notices: Vec::new(),
        })
    }
}

/// Labels of which `true` comes first, whichever is met first.
fn truth(labels: &[bool]) -> Column {
    let dictionary = Arc::new(Dictionary::from_labels(["true", "false"]));
    let codes = labels.iter().map(|holds| u32::from(!holds)).collect();
    Column::new(Cells::Nominal { codes, dictionary }, None)
}
