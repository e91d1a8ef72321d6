//! Data ready to be learned from: a database with roles, a chosen table, targets and rows.

use std::collections::BTreeMap;
use std::sync::Arc;

use kinwood_formats::{Dataset, restate};
use kinwood_learners::Error as LearnerError;
use kinwood_values::defaults::default_role;
use kinwood_values::keys::Inferred;
use kinwood_values::{
    Column, Condition, Database, Notice, NoticeKind, Remedy, Role, TableTime, Type, View,
};

use crate::error::{Error, Result};
use crate::naming::find_column;
pub use crate::naming::{display_name, single};
use crate::time::{TimeChoices, Timing, frozen, known, seen};

/// What the user says about data beyond the data itself.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// Roles by column, as written.
    pub roles: Vec<(String, Role)>,
    /// Targets, as written; a schema's where empty.
    pub targets: Vec<String>,
    /// A condition on the rows of the target's table.
    pub rows: Option<String>,
    /// By when rows see others.
    pub time: TimeChoices,
}

/// A database with roles, and why each column has its role.
#[derive(Clone, Debug)]
pub struct Data {
    source: String,
    dataset: Dataset,
    database: Arc<Database>,
    role_reasons: BTreeMap<(usize, usize), String>,
    notices: Vec<Notice>,
    inferred: Inferred,
}

impl Data {
    /// Gives every column its role: what the user says, else what the schema says, else what the
    /// values suggest.
    pub fn new(
        source: impl Into<String>,
        dataset: Dataset,
        roles: &[(String, Role)],
    ) -> Result<Self> {
        let mut data = Self::as_stated(source, dataset, roles)?;
        let mut database = Database::clone(&data.database);
        let mut stated = data.dataset.stated_roles.clone();
        for (written, _) in roles {
            stated.insert(find_column(&database, written)?);
        }
        for table in 0..database.tables().len() {
            for column in 0..database.table(table).attributes().len() {
                if stated.contains(&(table, column)) {
                    continue;
                }
                let Some(default) = default_role(&database, table, column) else {
                    continue;
                };
                let name = display_name(&database, table, column);
                let told = format!(
                    "column `{name}` is taken as `{}`: {}",
                    default.role, default.because
                );
                database.set_role(table, column, default.role);
                // Keys are told where they are found; guesses are told here.
                if !default.by_key {
                    let guessed = Notice::about(NoticeKind::InferredRole, told);
                    data.notices.push(guessed.with_remedy(Remedy::ChangeRole {
                        column: Some(name),
                        role: Role::Input,
                    }));
                }
                data.role_reasons.insert((table, column), default.because);
            }
        }
        data.database = Arc::new(database);
        Ok(data)
    }

    /// Gives columns the roles that the user or the schema states; all others are inputs.
    pub(crate) fn as_stated(
        source: impl Into<String>,
        dataset: Dataset,
        roles: &[(String, Role)],
    ) -> Result<Self> {
        let mut database = dataset.database.clone();
        for (written, role) in roles {
            let (table, column) = find_column(&database, written)?;
            let end = database.table(table).time().and_then(TableTime::end);
            if end == Some(column) && *role == Role::Input {
                return Err(Error::EndIsInput {
                    column: display_name(&database, table, column),
                });
            }
            database.set_role(table, column, *role);
        }
        Ok(Self {
            source: source.into(),
            notices: dataset.notices.clone(),
            dataset,
            database: Arc::new(database),
            role_reasons: BTreeMap::new(),
            inferred: Inferred::default(),
        })
    }

    /// The same data, said to be read from there: what it was read from is a copy.
    pub fn read_from(mut self, source: impl Into<String>) -> Self {
        self.source = source.into();
        self
    }

    /// The same rows in other tables.
    pub(crate) fn regrouped(mut self, database: Database) -> Self {
        self.dataset.database = database.clone();
        self.database = Arc::new(database);
        self
    }

    /// The same data with the keys that were looked for.
    pub(crate) fn with_inferred(mut self, inferred: Inferred) -> Self {
        self.inferred = inferred;
        self
    }

    /// Keys that were looked for: those taken and those that were not, with the evidence.
    pub fn inferred(&self) -> &Inferred {
        &self.inferred
    }

    /// What the data was read from.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The database, with roles.
    pub fn database(&self) -> &Arc<Database> {
        &self.database
    }

    /// The data as it was read, with the evidence behind it.
    pub fn dataset(&self) -> &Dataset {
        &self.dataset
    }

    /// Why columns have the role that nobody stated.
    pub fn role_reasons(&self) -> &BTreeMap<(usize, usize), String> {
        &self.role_reasons
    }

    /// What was decided without being asked.
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// The targets: those written, else the schema's, else the customary one, with a notice.
    ///
    /// The second part of the answer says which were decided without being asked.
    pub fn targets(&self, written: &[String]) -> Result<(Targets, Vec<Notice>)> {
        let mut notices = Vec::new();
        let named: Vec<(usize, usize)> = if !written.is_empty() {
            written
                .iter()
                .map(|written| find_column(&self.database, written))
                .collect::<Result<_>>()?
        } else if !self.dataset.targets.is_empty() {
            self.dataset.targets.clone()
        } else {
            let by_role = self.columns_with(Role::Target);
            match self.dataset.customary_target {
                _ if !by_role.is_empty() => by_role,
                Some(place) if self.role(place) == Role::Input => {
                    let name = display_name(&self.database, place.0, place.1);
                    notices.push(Notice::new(format!(
                        "no target is named: `{name}`, the last column, is taken"
                    )));
                    vec![place]
                }
                _ => {
                    return Err(Error::NoTarget {
                        candidates: self.candidates(),
                    });
                }
            }
        };
        let table = named.first().map_or(0, |first| first.0);
        for (position, &(other, column)) in named.iter().enumerate() {
            let name = |place: (usize, usize)| display_name(&self.database, place.0, place.1);
            if other != table {
                return Err(Error::TargetTables {
                    first: name(named[0]),
                    second: name((other, column)),
                });
            }
            if named[..position].contains(&(other, column)) {
                return Err(Error::RepeatedTarget {
                    column: name((other, column)),
                });
            }
            self.check_target(table, column)?;
        }
        for &(table, column) in &named {
            let Some(values) = two_values(&self.database.table(table).attribute(column).column)
            else {
                continue;
            };
            if self.is_stated(table, column) {
                continue;
            }
            let name = display_name(&self.database, table, column);
            let (told, of) = match self.is_flag(table, column, values) {
                true => ("they are taken as classes", Type::Numeric),
                false => ("it is predicted as a number", Type::Nominal),
            };
            let [low, high] = values;
            let told = format!("target `{name}` has the two values {low} and {high}: {told}");
            let remedy = Remedy::StateType { column: name, of };
            notices.push(Notice::new(told).with_remedy(remedy));
        }
        let columns = named.into_iter().map(|(_, column)| column).collect();
        Ok((Targets { table, columns }, notices))
    }

    /// Whether a numeric target with two values is a class that is written 0 and 1; where its type
    /// is stated or declared, it is what it is.
    fn is_flag(&self, table: usize, column: usize, values: [f64; 2]) -> bool {
        let format = self.dataset.formats.get(table).map(String::as_str);
        values == [0.0, 1.0] && !self.is_stated(table, column) && format != Some("ARFF")
    }

    /// Whether somebody has stated what a column holds.
    fn is_stated(&self, table: usize, column: usize) -> bool {
        let evidence = self.dataset.evidence.get(table);
        let evidence = evidence.and_then(|columns| columns.get(column));
        evidence.is_some_and(|evidence| evidence.starts_with("stated"))
    }

    /// An id is no target, unless it is a number that was only guessed to be one; nor is what
    /// weighs or divides rows.
    fn check_target(&self, table: usize, column: usize) -> Result<()> {
        let attribute = self.database.table(table).attribute(column);
        let guessed = self.role_reasons.get(&(table, column));
        let key = self
            .database
            .table(table)
            .key()
            .is_some_and(|key| key.contains(&column));
        let number = attribute.type_of() == Type::Numeric && !key;
        match (attribute.role, guessed) {
            (Role::Id, Some(because)) if !number => Err(Error::TargetIsId {
                column: display_name(&self.database, table, column),
                because: because.clone(),
            }),
            (Role::Id, None) => Err(Error::TargetIsId {
                column: display_name(&self.database, table, column),
                because: "its role is stated".to_owned(),
            }),
            (role @ (Role::Weight | Role::Group | Role::Fold | Role::Event | Role::Cutoff), _) => {
                Err(Error::Learners(LearnerError::TargetRole {
                    column: display_name(&self.database, table, column),
                    role: format!("`{role}`"),
                }))
            }
            _ => Ok(()),
        }
    }

    fn role(&self, (table, column): (usize, usize)) -> Role {
        self.database.table(table).attribute(column).role
    }

    pub(crate) fn columns_with(&self, role: Role) -> Vec<(usize, usize)> {
        let tables = self.database.tables().iter().enumerate();
        tables
            .flat_map(|(table, owner)| {
                (0..owner.attributes().len()).map(move |column| (table, column))
            })
            .filter(|&place| self.role(place) == role)
            .collect()
    }

    /// Columns that could be the target: nominal ones with few values first.
    fn candidates(&self) -> String {
        const SHOWN: usize = 12;
        let mut places: Vec<(usize, usize)> = self.columns_with(Role::Input);
        let rank = |&(table, column): &(usize, usize)| match self
            .database
            .table(table)
            .attribute(column)
            .column
            .codes()
        {
            Some((_, dictionary)) if dictionary.len() <= 50 => 0,
            _ => 1,
        };
        places.sort_by_key(rank);
        let names: Vec<String> = places
            .iter()
            .take(SHOWN)
            .map(|&(table, column)| format!("`{}`", display_name(&self.database, table, column)))
            .collect();
        let more = places.len().saturating_sub(SHOWN);
        let tail = if more > 0 {
            format!(" and {more} more columns")
        } else {
            String::new()
        };
        format!("candidates are {}{tail}", names.join(", "))
    }

    /// The rows of a table, those that satisfy a condition where one is given.
    pub fn view(&self, table: usize, condition: Option<&str>) -> Result<View> {
        select(View::new(Arc::clone(&self.database), table), condition)
    }

    /// The same, where the rows have cutoffs each sees what was known by its own. `targets` are
    /// columns of the table.
    pub fn view_as_of(
        &self,
        table: usize,
        condition: Option<&str>,
        targets: &[usize],
        choices: &TimeChoices,
    ) -> Result<(View, Option<Timing>, Vec<Notice>)> {
        if Timing::new(choices, &self.database, table)?.is_none() {
            return Ok((self.view(table, condition)?, None, Vec::new()));
        }
        let database = Database::clone(&self.database);
        let (view, timing, notices) = seen(database, table, targets, choices)?;
        Ok((select(view, condition)?, timing, notices))
    }

    /// The database with those rows of a table, or of the only one, that satisfy a condition.
    pub fn chosen_rows(
        &self,
        database: Database,
        table: Option<usize>,
        condition: &str,
    ) -> Result<Database> {
        let table = match (table, database.tables()) {
            (Some(table), _) => table,
            (None, [_]) => 0,
            (None, tables) => {
                let names: Vec<&str> = tables.iter().map(|table| table.name()).collect();
                let tables = names.join(", ");
                return Err(Error::RowsOfWhat { tables });
            }
        };
        let rows: Vec<u32> = self.view(table, Some(condition))?.rows().collect();
        let (mut tables, keys) = database.into_parts();
        tables[table] = tables[table].gather(&rows);
        let (chosen, _) = Database::new(tables, keys)?;
        Ok(chosen)
    }

    /// The targets and rows that the user chose, ready to be learned from.
    pub fn problem(&self, choices: &Choices) -> Result<(Problem, Vec<Notice>)> {
        let (targets, mut notices) = self.targets(&choices.targets)?;
        let mut database = Database::clone(&self.database);
        for &column in &targets.columns {
            let values = &database.table(targets.table).attribute(column).column;
            let flag = two_values(values)
                .is_some_and(|values| self.is_flag(targets.table, column, values));
            if flag && let Some(classes) = restate(values, &Type::Nominal) {
                database = database.with_column(targets.table, column, classes);
            }
            database.set_role(targets.table, column, Role::Target);
        }
        for role in [Role::Weight, Role::Group, Role::Event, Role::Cutoff] {
            single(database.table(targets.table), role)?;
        }
        let (view, timing, told) = seen(database, targets.table, &targets.columns, &choices.time)?;
        notices.extend(told);
        let view = known(&select(view, choices.rows.as_deref())?)?;
        let filtered = choices.rows.clone();
        Ok((
            Problem {
                view,
                targets: targets.columns,
                rows: filtered,
                timing,
            },
            notices,
        ))
    }
}

/// The rows that satisfy a condition where one is given: at least one.
fn select(view: View, condition: Option<&str>) -> Result<View> {
    let Some(written) = condition else {
        return Ok(view);
    };
    let rows = written.parse::<Condition>()?.rows(view.table())?;
    if rows.is_empty() {
        return Err(Error::NoRows {
            table: view.table().name().to_owned(),
            condition: written.to_owned(),
        });
    }
    Ok(view.select(&rows))
}

/// The two different numbers that a column holds, the lower first, if it holds exactly two.
fn two_values(column: &Column) -> Option<[f64; 2]> {
    let mut distinct: Vec<f64> = Vec::new();
    for row in 0..column.len() {
        match column.number(row) {
            Some(number) if !distinct.contains(&number) => distinct.push(number),
            _ => {}
        }
        if distinct.len() > 2 {
            return None;
        }
    }
    match distinct.as_slice() {
        &[one, other] => Some([one.min(other), one.max(other)]),
        _ => None,
    }
}

/// A table and the columns of it to predict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Targets {
    /// The table.
    pub table: usize,
    /// Its columns.
    pub columns: Vec<usize>,
}

/// What is to be learned: rows, and which columns to predict.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The rows; targets are visible here and hidden by tasks.
    pub view: View,
    /// The columns to predict.
    pub targets: Vec<usize>,
    /// The condition the rows satisfy.
    pub rows: Option<String>,
    /// By when the rows see others, if they have cutoffs; the view keeps to it.
    pub timing: Option<Timing>,
}

impl Problem {
    /// The same problem in which some rows of its view see nothing later than a date, however much
    /// later their cutoff is. `positions` are those of the view.
    pub fn frozen(&self, positions: &[u32], at: &str) -> Result<Self> {
        let rows: Vec<u32> = positions
            .iter()
            .map(|&position| self.view.row(position as usize))
            .collect();
        Ok(Self {
            view: frozen(&self.view, rows, at)?,
            ..self.clone()
        })
    }

    /// The names of the targets, with their table where there are several tables.
    pub fn target_names(&self) -> Vec<String> {
        let table = self.view.table_position();
        self.targets
            .iter()
            .map(|&column| display_name(self.view.database(), table, column))
            .collect()
    }
}
