//! Members of bags that are compared by a kernel of theirs.

use kinwood_similarity::{FittedRowKernel, KernelOn, Registry};
use kinwood_values::{Cells, Type, View, column};

use kinwood_learning::error::Result;

/// A kernel between members of bags, and the field of rows that holds bags.
#[derive(Clone)]
pub struct Members {
    /// How rows are read: a kernel of rows that compares their bags by the kernel of members.
    pub rows: FittedRowKernel,
    field: usize,
    /// The kernel of members.
    pub kernel: KernelOn,
}

impl Members {
    /// The members that a kernel of rows of the form `add(FIELD: set(KERNEL))` compares; nothing of
    /// one of another form.
    pub fn new(rows: FittedRowKernel) -> Result<Option<Self>> {
        let expression = rows.kernel().expression();
        let Type::Tuple(fields) = rows.kernel().of() else {
            return Ok(None);
        };
        let (Some(bags), "add") = (expression.parts().next(), expression.name.as_str()) else {
            return Ok(None);
        };
        let Some(field) = fields.iter().position(|field| field.name == bags.field) else {
            return Ok(None);
        };
        let (Some(member), "set") = (bags.measure.parts().next(), bags.measure.name.as_str())
        else {
            return Ok(None);
        };
        let (Type::Set(of) | Type::Bag(of) | Type::List(of)) = &fields[field].of else {
            return Ok(None);
        };
        let place = "the members of bags";
        let kernel = Registry::known().kernel(&member.measure, of, None, place)?;
        Ok(Some(Self {
            rows,
            field,
            kernel,
        }))
    }

    /// The bags of a view: where the members of each row lie among all.
    pub fn bags(&self, view: &View) -> Result<column::Members> {
        let rows = self.rows.rows(view)?;
        match rows.cells() {
            Cells::Tuple { fields, .. } => match fields[self.field].cells() {
                Cells::Collection { members, .. } => Ok(members.clone()),
                _ => unreachable!("the field's type is that of a collection"),
            },
            _ => unreachable!("rows are tuples"),
        }
    }
}
