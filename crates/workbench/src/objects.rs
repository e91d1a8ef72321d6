//! Objects to compare: the rows of a table or one of its columns, with a distance and names to
//! show.

use std::sync::Arc;

use kinwood_similarity::row::RowDistance;
use kinwood_similarity::rows::{self, Reading};
use kinwood_similarity::{
    Bound, DistanceOn, Error as SimilarityError, Expression, Missing, Pairs, Registry,
};
use kinwood_values::conform::{conform, counterpart};
use kinwood_values::suggest::nearest;
use kinwood_values::{Column, Database, Notice, Role, Type, Value, View};

use crate::data::Data;
use crate::error::{Error, Result};
use crate::output::{key_columns, text};
use crate::time::{TimeChoices, Timing, data_for};

/// What is to be compared, as the user says it.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// The table, where there are several.
    pub table: Option<String>,
    /// One column instead of whole rows.
    pub column: Option<String>,
    /// The distance; the default of the type where it is not said.
    pub distance: Option<String>,
    /// How many foreign keys away rows are compared.
    pub depth: usize,
    /// Columns to predict, which are left out and colour pictures.
    pub targets: Vec<String>,
    /// A condition on rows.
    pub rows: Option<String>,
    /// By when rows see others.
    pub time: TimeChoices,
}

/// Objects with a distance between them.
pub struct Objects {
    view: View,
    values: Column,
    distance: DistanceOn,
    targets: Vec<usize>,
    column: Option<usize>,
    reading: Reading,
    timing: Option<Timing>,
}

impl Objects {
    /// The objects that the user means.
    pub fn of(data: &Data, asked: &Compared) -> Result<(Self, Vec<Notice>)> {
        let mut notices = Vec::new();
        let (table, targets) = choose(data, asked, &mut notices)?;
        let rows = asked.rows.as_deref();
        let (mut view, timing, told) = data.view_as_of(table, rows, &targets, &asked.time)?;
        notices.extend(told);
        for &target in &targets {
            view = view.hiding(view.table_position(), target);
        }
        let registry = Registry::known();
        let expression: Option<Expression> = match &asked.distance {
            Some(text) => Some(text.parse()?),
            None => None,
        };
        let column = match &asked.column {
            Some(name) => Some(view.table().find(name)?),
            None => None,
        };
        let (values, distance, reading) = match column {
            Some(position) => {
                let shown = data.view(table, asked.rows.as_deref())?;
                let values = rows::column(&shown, position).expect("nothing is hidden here");
                let name = &view.table().attribute(position).name;
                let stated = view.table().attribute(position).distance.as_deref();
                let expression = match (expression, stated) {
                    (Some(expression), _) => expression,
                    (None, Some(stated)) => stated.parse()?,
                    (None, None) => Expression::new("default"),
                };
                let place = format!("column `{name}`");
                let of = values.type_of();
                let distance = registry.distance(&expression, &of, Some(&values), &place)?;
                (Column::clone(&values), distance, Reading::Nested(0))
            }
            None => {
                let declared = RowDistance {
                    expression: expression.unwrap_or_else(|| Expression::new("euclidean")),
                    missing: Missing::default(),
                    depth: asked.depth,
                };
                let fitted = declared.fit(&view, registry)?;
                (
                    fitted.rows(&view)?,
                    fitted.distance().clone(),
                    fitted.reading(),
                )
            }
        };
        let objects = Self {
            view,
            values,
            distance,
            targets,
            column,
            reading,
            timing,
        };
        Ok((objects, notices))
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The distance between them, with all that it took from them.
    pub fn distance(&self) -> &DistanceOn {
        &self.distance
    }

    /// The objects as a column: of tuples where they are rows.
    pub fn values(&self) -> &Column {
        &self.values
    }

    /// The column whose values they are, if they are no rows.
    pub fn column(&self) -> Option<&str> {
        let column = self.column?;
        Some(&self.view.table().attribute(column).name)
    }

    /// The rows they are.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The distance bound to the objects on both sides.
    pub fn bind(&self) -> Result<Bound> {
        Ok(self.distance.bind(&self.values, &self.values)?)
    }

    /// The distance bound to the objects on both sides, for what needs a number.
    pub fn pairs(&self, within: &str) -> Result<Arc<dyn Pairs<f64>>> {
        Ok(self
            .distance
            .bind_real(&self.values, &self.values, within)?)
    }

    /// The objects of other data in the terms of these, with their names. Its tables and columns
    /// are found by name; what these are not compared by may be lacking.
    pub fn alike(&self, other: &Data) -> Result<(Column, Vec<String>, Vec<Notice>)> {
        let (mut schema, table) = if self.reading != Reading::Nested(0) && self.column.is_none() {
            let schema = self.view.database().schema();
            schema.connected(self.view.table_position())
        } else {
            (Database::single(self.view.table().gather(&[]))?, 0)
        };
        // What is left out of the comparison may be lacking.
        for &target in &self.targets {
            schema.set_role(table, target, Role::Target);
        }
        let rows = View::new(Arc::clone(other.database()), {
            let wanted = schema.table(table);
            counterpart(&schema, wanted, other.database())?
        });
        let linked = !schema.foreign_keys().is_empty();
        let timing = self.timing.as_ref().filter(|_| linked);
        let with_past = timing.map(|timing| data_for(timing, &schema, table, &rows));
        let with_past = with_past.transpose()?.flatten();
        let data = with_past.as_ref().unwrap_or(other.database());
        let (conformed, notices) = conform(&schema, data)?;
        let mut view = View::new(Arc::new(conformed), table);
        if let Some(timing) = timing {
            view = timing.view(&view)?;
        }
        let values = match self.column {
            Some(position) => {
                let column = rows::column(&view, position).expect("nothing is hidden here");
                Column::clone(&column)
            }
            None => {
                for &target in &self.targets {
                    view = view.hiding(table, target);
                }
                rows::fitting(&self.reading.rows(&view)?, self.distance.of())
                    .map_err(|column| SimilarityError::Layout { column })?
            }
        };
        let names = (0..view.len())
            .map(|position| name_in(&view, position))
            .collect();
        Ok((values, names, notices))
    }

    /// What an object is called: its key, else its number from 1.
    pub fn name(&self, position: usize) -> String {
        name_in(&self.view, position)
    }

    /// The position of the object of that name, or of that row from 1.
    pub fn find(&self, name: &str) -> Result<usize> {
        let names: Vec<String> = (0..self.len())
            .map(|position| self.name(position))
            .collect();
        if let Some(position) = names.iter().position(|other| other == name) {
            return Ok(position);
        }
        let by_row = name.parse::<u32>().ok().and_then(|row| {
            let wanted = row.checked_sub(1)?;
            self.view.rows().position(|row| row == wanted)
        });
        by_row.ok_or_else(|| Error::UnknownObject {
            name: name.to_owned(),
            // One number is as near as another.
            nearest: nearest(name, &names).filter(|_| name.parse::<f64>().is_err()),
        })
    }

    /// The columns that were left out as targets, with the value of an object in each.
    pub fn target_values(&self, position: usize) -> Vec<(String, Value)> {
        let row = self.view.row(position) as usize;
        let table = self.view.table();
        let value = |&column: &usize| {
            let attribute = table.attribute(column);
            (attribute.name.clone(), attribute.column.value(row))
        };
        self.targets.iter().map(value).collect()
    }

    /// The object in one line for people.
    pub fn describe(&self, position: usize) -> String {
        match (self.values.value(position), self.distance.of()) {
            (Value::Tuple(values), Type::Tuple(fields)) => {
                let parts: Vec<String> = fields
                    .iter()
                    .zip(&values)
                    .map(|(field, value)| match &field.name {
                        Some(name) => format!("{name} {value}"),
                        None => value.to_string(),
                    })
                    .collect();
                parts.join(", ")
            }
            (value, _) => value.to_string(),
        }
    }
}

/// What a row of a view is called: by its key, else by its number from 1.
pub fn name_in(view: &View, position: usize) -> String {
    name_by(view, &key_columns(view), position)
}

/// What a row is called by the columns that name rows: what they hold, else its number from 1.
pub fn name_by(view: &View, keys: &[usize], position: usize) -> String {
    let row = view.row(position) as usize;
    let keys: Vec<String> = keys
        .iter()
        .map(|&column| text(&view.table().attribute(column).column.value(row)))
        .collect();
    if keys.is_empty() {
        (row + 1).to_string()
    } else {
        keys.join(" ")
    }
}

/// The table and the targets: those said, else those the data suggests, else the only table.
fn choose(data: &Data, asked: &Compared, notices: &mut Vec<Notice>) -> Result<(usize, Vec<usize>)> {
    let database = data.database();
    let tables = || -> Vec<String> {
        let names = database.tables().iter();
        names.map(|table| table.name().to_owned()).collect()
    };
    if let Some(name) = &asked.table {
        let unknown = || Error::WhichTable {
            found: Some(name.clone()),
            nearest: nearest(name, tables()),
            tables: tables(),
        };
        let table = tables().iter().position(|other| other == name);
        let table = table.ok_or_else(unknown)?;
        let targets = match data.targets(&asked.targets) {
            Ok((targets, _)) if targets.table == table => targets.columns,
            Err(error) if !asked.targets.is_empty() => return Err(error),
            _ => Vec::new(),
        };
        return Ok((table, targets));
    }
    match data.targets(&asked.targets) {
        Ok((targets, mut told)) => {
            notices.append(&mut told);
            Ok((targets.table, targets.columns))
        }
        Err(error) if !asked.targets.is_empty() => Err(error),
        Err(_) if database.tables().len() == 1 => Ok((0, Vec::new())),
        Err(_) => Err(Error::WhichTable {
            found: None,
            nearest: None,
            tables: tables(),
        }),
    }
}

/// Whether a column is a class worth colouring by.
pub fn colours(objects: &Objects) -> Option<(String, Vec<Option<String>>)> {
    let table = objects.view.table();
    let target = objects.targets.first().copied().or_else(|| {
        let mut columns = 0..table.attributes().len();
        columns.rfind(|&column| table.attribute(column).role == Role::Target)
    })?;
    let attribute = table.attribute(target);
    let labels = (0..objects.len())
        .map(|position| {
            let row = objects.view.row(position) as usize;
            match attribute.column.value(row) {
                Value::Missing => None,
                value => Some(text(&value)),
            }
        })
        .collect();
    Some((attribute.name.clone(), labels))
}

impl From<SimilarityError> for Error {
    fn from(error: SimilarityError) -> Self {
        Error::Learners(error.into())
    }
}
