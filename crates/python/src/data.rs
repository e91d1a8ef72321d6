//! Data: the rows of one table of a database, sliceable, with whatever its keys reach.

use std::path::PathBuf;
use std::sync::Arc;

use kinwood::describe::{About, Description};
use kinwood::formats::ReadOptions;
use kinwood::formats::read::source_name;
use kinwood::formats::sql::SqlOptions;
use kinwood::learners::learning::flatten::{Features, Flatten, Kind};
use kinwood::memory::{Tables, gather};
use kinwood::open::allowance;
use kinwood::tasks::TaskDefinition;
use kinwood::time::{TimeChoices, Timing, known, seen};
use kinwood::{Opening, Problem};
use kinwood_values::{
    Attribute, Database, ForeignKey, Notice, ParseError, Role, Table, TableTime, View,
};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::{PyIndexError, PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrow;
use crate::column::Column;
use crate::error::raised;
use crate::remedy::told;
use crate::work::{Work, guarded};

/// Rows of a table, and the tables around it.
#[pyclass(frozen, module = "kinwood._kinwood")]
pub(crate) struct Data {
    source: String,
    database: Arc<Database>,
    table: usize,
    rows: Option<Arc<Vec<u32>>>,
    notices: Vec<String>,
    /// By when rows see others.
    seeing: TimeChoices,
}

/// What makes data again, and from what.
type Pickled<'py> = (Bound<'py, PyAny>, (Bound<'py, PyBytes>,));

/// A reference as Python states it: table, columns, table, columns.
type Key = (String, Vec<String>, String, Vec<String>);
pub(crate) type Roles = Vec<(String, String)>;

pub(crate) fn roles(stated: &Roles) -> PyResult<Vec<(String, Role)>> {
    stated
        .iter()
        .map(|(column, role)| {
            let role = role
                .parse::<Role>()
                .map_err(|error| PyValueError::new_err(error.to_string()))?;
            Ok((column.clone(), role))
        })
        .collect()
}

impl Data {
    fn of(data: &kinwood::Data, table: usize) -> Self {
        Self {
            source: data.source().to_owned(),
            database: Arc::clone(data.database()),
            table,
            rows: None,
            notices: told(data.notices()),
            seeing: TimeChoices::default(),
        }
    }

    /// The rows as learners see them.
    pub(crate) fn view(&self) -> View {
        let view = View::new(Arc::clone(&self.database), self.table);
        match &self.rows {
            Some(rows) => view.select(rows),
            None => view,
        }
    }

    /// The rows, which see what was known by their cutoffs where they have any.
    fn seen_view(&self) -> PyResult<View> {
        let owner = self.database.table(self.table);
        let has = |role: Role| {
            let columns = 0..owner.attributes().len();
            columns.filter(move |&column| owner.attribute(column).role == role)
        };
        if self.seeing.is_empty() && has(Role::Cutoff).next().is_none() {
            return Ok(self.view());
        }
        let targets: Vec<usize> = has(Role::Target).collect();
        let database = Database::clone(&self.database);
        let (view, ..) = seen(database, self.table, &targets, &self.seeing).map_err(raised)?;
        Ok(match &self.rows {
            Some(rows) => view.select(rows),
            None => view,
        })
    }

    /// By when the rows see others.
    pub(crate) fn seeing(&self) -> &TimeChoices {
        &self.seeing
    }

    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    pub(crate) fn database(&self) -> &Arc<Database> {
        &self.database
    }

    /// What is to be learned: these rows, with targets and weights put in place of columns of the
    /// same name, or beside them.
    pub(crate) fn problem(
        &self,
        targets: &[(String, PyRef<'_, Column>)],
        weights: Option<&PyRef<'_, Column>>,
    ) -> PyResult<Problem> {
        if let Some(rows) = &self.rows
            && self.database.tables().len() == 1
            && repeated(rows)
        {
            // A row that is taken twice is two rows, which may have two answers.
            return self.gathered(rows)?.problem(targets, weights);
        }
        let (mut tables, keys) = Database::clone(&self.database).into_parts();
        let table = &tables[self.table];
        let mut attributes = table.attributes().to_vec();
        let mut places = Vec::with_capacity(targets.len());
        let mut put = |name: &str, column: &Column, role: Role| -> PyResult<usize> {
            let values = self.spread(name, column)?;
            let place = attributes
                .iter()
                .position(|attribute| attribute.name == name);
            Ok(match place {
                Some(place) => {
                    attributes[place].column = values;
                    attributes[place].role = role;
                    attributes[place].ordered |= column.1;
                    place
                }
                None => {
                    let mut added =
                        Attribute::new(name, kinwood_values::Column::empty(&values.type_of()));
                    added.column = values;
                    added.ordered = column.1;
                    attributes.push(added.with_role(role));
                    attributes.len() - 1
                }
            })
        };
        for (name, column) in targets {
            places.push(put(name, column, Role::Target)?);
        }
        if let Some(weights) = weights {
            let taken = |name: &str| table.position(name).is_some();
            let name = ["sample_weight", "sample_weight_", "sample_weight__"];
            let name = name.into_iter().find(|name| !taken(name));
            put(name.unwrap_or("sample_weight"), weights, Role::Weight)?;
        }
        let key = table.key().map(<[usize]>::to_vec);
        let mut with = Table::new(table.name(), attributes).map_err(raised)?;
        with.set_key(key);
        with.set_time(table.time());
        tables[self.table] = with;
        let (database, _) = Database::new(tables, keys).map_err(raised)?;
        let posed = seen(database, self.table, &places, &self.seeing);
        let (view, timing, _) = posed.map_err(raised)?;
        let view = match &self.rows {
            Some(rows) => view.select(rows),
            None => view,
        };
        Ok(Problem {
            view: known(&view).map_err(raised)?,
            targets: places,
            rows: None,
            timing,
        })
    }

    /// The rows of a lone table as a table of their own.
    fn gathered(&self, rows: &[u32]) -> PyResult<Self> {
        let table = self.database.table(self.table).gather(rows);
        Ok(Self {
            source: self.source.clone(),
            database: Arc::new(Database::single(table).map_err(raised)?),
            table: 0,
            rows: None,
            notices: Vec::new(),
            seeing: self.seeing.clone(),
        })
    }

    /// Values of these rows as a column of the whole table.
    fn spread(&self, name: &str, column: &Column) -> PyResult<Arc<kinwood_values::Column>> {
        let expected = self.__len__();
        if column.0.len() != expected {
            return Err(PyValueError::new_err(format!(
                "`{name}` has {} values for {expected} rows",
                column.0.len()
            )));
        }
        let Some(rows) = &self.rows else {
            return Ok(Arc::clone(&column.0));
        };
        let missing = u32::MAX;
        let mut places = vec![missing; self.database.table(self.table).rows()];
        for (position, &row) in rows.iter().enumerate() {
            let before = std::mem::replace(&mut places[row as usize], position as u32);
            if before != missing && column.0.value(before as usize) != column.0.value(position) {
                return Err(PyValueError::new_err(format!(
                    "row {row} of the database is taken twice, and `{name}` says two things of it"
                )));
            }
        }
        let mut all = kinwood_values::Column::clone(&column.0);
        let lacking = all.len() as u32;
        all.push_missing();
        for place in &mut places {
            if *place == missing {
                *place = lacking;
            }
        }
        Ok(Arc::new(all.gather(&places)))
    }

    fn find(&self, name: &str) -> PyResult<usize> {
        self.database.table(self.table).find(name).map_err(raised)
    }
}

#[pymethods]
impl Data {
    /// One table of columns: all of them inputs, or with `roles` of the roles that files give them.
    #[staticmethod]
    #[pyo3(signature = (name, columns, *, roles=false))]
    fn table(name: &str, columns: Vec<(String, PyRef<'_, Column>)>, roles: bool) -> PyResult<Self> {
        let attributes = columns.into_iter().map(|(name, column)| {
            let mut attribute =
                Attribute::new(name, kinwood_values::Column::empty(&column.0.type_of()));
            attribute.column = Arc::clone(&column.0);
            attribute.ordered = column.1;
            attribute
        });
        let table = Table::new(name, attributes.collect()).map_err(raised)?;
        flat(table, Vec::new(), roles)
    }

    /// One table that an object offers by Arrow's interface: all columns inputs, or with `roles` of
    /// the roles that files give them.
    #[staticmethod]
    #[pyo3(signature = (name, object, work, *, roles=false))]
    fn arrow(name: &str, object: &Bound<'_, PyAny>, work: &Work, roles: bool) -> PyResult<Self> {
        let (table, notices) = arrow::table(object, name, work)?;
        flat(table, notices, roles)
    }

    /// The same data, of which the labels of some columns are in order.
    fn with_order(&self, names: Vec<String>) -> PyResult<Self> {
        let (mut tables, keys) = Database::clone(&self.database).into_parts();
        let table = &tables[self.table];
        let mut attributes = table.attributes().to_vec();
        for name in &names {
            attributes[self.find(name)?].ordered = true;
        }
        let key = table.key().map(<[usize]>::to_vec);
        let mut with = Table::new(table.name(), attributes).map_err(raised)?;
        with.set_key(key);
        with.set_time(table.time());
        tables[self.table] = with;
        let (database, _) = Database::new(tables, keys).map_err(raised)?;
        Ok(Self {
            source: self.source.clone(),
            database: Arc::new(database),
            table: self.table,
            rows: self.rows.clone(),
            notices: self.notices.clone(),
            seeing: self.seeing.clone(),
        })
    }

    /// The columns whose labels are in order.
    #[getter]
    fn ordered(&self) -> Vec<String> {
        let attributes = self.database.table(self.table).attributes().iter();
        let ordered = attributes.filter(|attribute| attribute.ordered);
        ordered.map(|attribute| attribute.name.clone()).collect()
    }

    /// How the tables around these rows become columns beside theirs, following at most so many
    /// foreign keys, by which aggregates: a text for [`Data::flat`].
    fn flattening(
        &self,
        py: Python<'_>,
        depth: usize,
        aggregates: &str,
        work: &Work,
    ) -> PyResult<String> {
        let flatten = Flatten {
            kind: Kind::Averaged,
            depth,
            aggregates: aggregates.to_owned(),
            ..Flatten::default()
        };
        let view = self.seen_view()?;
        let features = work.run(py, |context| Ok(Features::fit(&view, &flatten, context)?))?;
        serde_json::to_string(&features).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// These rows as one table, by such a text: their own columns, and aggregates of what their
    /// keys reach.
    fn flat(&self, py: Python<'_>, plan: &str, work: &Work) -> PyResult<Self> {
        let features: Features =
            serde_json::from_str(plan).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let view = self.seen_view()?;
        let flat = work.run(py, |context| Ok(features.of(&view, context)?))?;
        Ok(Self {
            source: self.source.clone(),
            table: flat.table_position(),
            database: Arc::clone(flat.database()),
            rows: None,
            notices: Vec::new(),
            seeing: TimeChoices::default(),
        })
    }

    /// Whether an object offers a table by Arrow's interface.
    #[staticmethod]
    fn offers_arrow(object: &Bound<'_, PyAny>) -> PyResult<bool> {
        arrow::offers(object)
    }

    /// Several tables: names with data of one table each, primary keys, references (looked for
    /// where none are stated), roles, and the table whose rows these are.
    #[staticmethod]
    #[pyo3(signature = (source, tables, *, root, primary, keys=None, roles=Vec::new(), work))]
    #[expect(clippy::too_many_arguments, reason = "named in Python")]
    fn tables(
        py: Python<'_>,
        source: &str,
        tables: Vec<(String, PyRef<'_, Data>)>,
        root: &str,
        primary: Vec<(String, Vec<String>)>,
        keys: Option<Vec<Key>>,
        roles: Roles,
        work: &Work,
    ) -> PyResult<Self> {
        let mut notices = Vec::new();
        let mut taken: Vec<Table> = Vec::with_capacity(tables.len());
        for (name, data) in &tables {
            let own = data.database.table(data.table).clone();
            let own = match &data.rows {
                Some(rows) => own.gather(rows),
                None => own,
            };
            notices.extend(data.notices.iter().cloned().map(Notice::new));
            taken.push(own.renamed(name));
        }
        let place = |name: &str| -> PyResult<usize> {
            let names: Vec<&str> = taken.iter().map(Table::name).collect();
            names
                .iter()
                .position(|known| *known == name)
                .ok_or_else(|| {
                    PyValueError::new_err(format!(
                        "there is no table `{name}`: there are {}",
                        names.join(", ")
                    ))
                })
        };
        let columns = |table: usize, names: &[String]| -> PyResult<Vec<usize>> {
            let found = names
                .iter()
                .map(|name| taken[table].find(name).map_err(raised));
            found.collect()
        };
        let root = place(root)?;
        let keys = match keys {
            None => None,
            Some(keys) => {
                let mut known = Vec::with_capacity(keys.len());
                for (from, from_columns, to, to_columns) in &keys {
                    let (from, to) = (place(from)?, place(to)?);
                    known.push(ForeignKey {
                        name: format!("{}.{}", taken[from].name(), from_columns.join(",")),
                        from,
                        from_columns: columns(from, from_columns)?,
                        to,
                        to_columns: columns(to, to_columns)?,
                        describes: None,
                    });
                }
                Some(known)
            }
        };
        let mut primary_of = Vec::with_capacity(primary.len());
        for (table, names) in &primary {
            let table = place(table)?;
            primary_of.push((table, columns(table, names)?));
        }
        for (table, key) in primary_of {
            taken[table].set_key(Some(key));
        }
        let given = Tables {
            source: source.to_owned(),
            tables: taken,
            keys,
            roles: self::roles(&roles)?,
            all_inputs: false,
            notices,
        };
        let data = work.run(py, |_| gather(given))?;
        Ok(Self::of(&data, root))
    }

    /// Opens a file, a folder or a PostgreSQL URL as the command does.
    #[staticmethod]
    #[pyo3(signature = (path, *, root=None, targets=Vec::new(), schema=None, bag=None, tables=None, database_schema=None, views=true, roles=Vec::new(), types=Vec::new(), work))]
    #[expect(clippy::too_many_arguments, reason = "named in Python")]
    fn open(
        py: Python<'_>,
        path: PathBuf,
        root: Option<&str>,
        targets: Vec<String>,
        schema: Option<PathBuf>,
        bag: Option<String>,
        tables: Option<Vec<String>>,
        database_schema: Option<String>,
        views: bool,
        roles: Roles,
        types: Vec<(String, String)>,
        work: &Work,
    ) -> PyResult<(Self, Vec<String>)> {
        let types = types.into_iter().map(|(column, of)| {
            let of = of.parse();
            of.map(|of| (column, of))
                .map_err(|error: ParseError| PyValueError::new_err(error.to_string()))
        });
        let mut opening = Opening {
            read: ReadOptions {
                schema,
                sql: SqlOptions {
                    tables,
                    schemas: database_schema.into_iter().collect(),
                    views,
                },
                types: types.collect::<PyResult<_>>()?,
                ..ReadOptions::default()
            },
            roles: self::roles(&roles)?,
            bag,
            ..Opening::default()
        };
        let data = work.run(py, |context| {
            opening.read.allowance = allowance(context);
            kinwood::open(&path, &opening)
        })?;
        let database = data.database();
        let asked = match root {
            Some(root) => targets
                .iter()
                .map(|target| format!("{root}.{target}"))
                .collect(),
            None => targets,
        };
        // Targets tell the table; nothing is predicted where neither the user nor the schema says
        // so.
        let found = match asked.is_empty() && data.dataset().targets.is_empty() {
            true => None,
            false => Some(data.targets(&asked).map_err(raised)?.0),
        };
        let table = match (root, &found, database.tables()) {
            (Some(name), _, _) => database.find(name).map_err(raised)?,
            (None, Some(targets), _) => targets.table,
            (None, None, [_]) => 0,
            (None, None, tables) => {
                let names: Vec<&str> = tables.iter().map(Table::name).collect();
                return Err(PyValueError::new_err(format!(
                    "`{}` has several tables; say whose rows are meant by `table`: {}",
                    source_name(&path),
                    names.join(", ")
                )));
            }
        };
        let named = found.filter(|targets| targets.table == table);
        let targets = named.map_or_else(Vec::new, |targets| {
            let owner = database.table(table);
            let columns = targets.columns.iter();
            columns
                .map(|&column| owner.attribute(column).name.clone())
                .collect()
        });
        Ok((Self::of(&data, table), targets))
    }

    /// The same data with other rows of the table in sight.
    fn select(&self, rows: PyReadonlyArray1<'_, i64>) -> PyResult<Self> {
        let known = self.__len__() as i64;
        let asked = rows.as_array();
        let chosen = asked.iter().map(|&row| {
            let place = if row < 0 { row + known } else { row };
            if !(0..known).contains(&place) {
                return Err(PyIndexError::new_err(format!(
                    "there is no row {row}: there are {known}, counted from 0"
                )));
            }
            Ok(match &self.rows {
                Some(rows) => rows[place as usize],
                None => place as u32,
            })
        });
        Ok(Self {
            source: self.source.clone(),
            database: Arc::clone(&self.database),
            table: self.table,
            rows: Some(Arc::new(chosen.collect::<PyResult<_>>()?)),
            notices: Vec::new(),
            seeing: self.seeing.clone(),
        })
    }

    /// The same data of which columns have other roles.
    fn with_roles(&self, stated: Roles) -> PyResult<Self> {
        let mut database = Database::clone(&self.database);
        for (name, role) in roles(&stated)? {
            database.set_role(self.table, self.find(&name)?, role);
        }
        Ok(Self {
            source: self.source.clone(),
            database: Arc::new(database),
            table: self.table,
            rows: self.rows.clone(),
            notices: self.notices.clone(),
            seeing: self.seeing.clone(),
        })
    }

    /// The same data of which tables have other times: by table one column, or two between which
    /// its rows hold.
    fn with_time(&self, stated: Vec<(String, Vec<String>)>) -> PyResult<Self> {
        let mut database = Database::clone(&self.database);
        for (table, columns) in stated {
            let position = database.find(&table).map_err(raised)?;
            let owner = database.table(position);
            let places = columns
                .iter()
                .map(|column| owner.find(column).map_err(raised))
                .collect::<PyResult<Vec<usize>>>()?;
            let time = match *places.as_slice() {
                [column] => TableTime::Instant { column },
                [from, to] if from != to => TableTime::Valid { from, to },
                _ => {
                    return Err(PyValueError::new_err(format!(
                        "the time of `{table}` is one column, or two between which its rows hold"
                    )));
                }
            };
            if let Some(end) = time.end() {
                // What is only known later is no input.
                database.set_role(position, end, Role::Ignore);
            }
            database.set_time(position, Some(time));
        }
        Ok(Self {
            source: self.source.clone(),
            database: Arc::new(database),
            table: self.table,
            rows: self.rows.clone(),
            notices: self.notices.clone(),
            seeing: self.seeing.clone(),
        })
    }

    /// The same data whose rows see others by a column of cutoffs, or by a date.
    #[pyo3(signature = (as_of=None, *, gap=None, window=None, horizon=None, freeze=None))]
    fn seen(
        &self,
        as_of: Option<String>,
        gap: Option<f64>,
        window: Option<f64>,
        horizon: Option<f64>,
        freeze: Option<String>,
    ) -> PyResult<Self> {
        let seeing = TimeChoices {
            as_of: as_of.or_else(|| self.seeing.as_of.clone()),
            gap: gap.or(self.seeing.gap),
            window: window.or(self.seeing.window),
            horizon: horizon.or(self.seeing.horizon),
            freeze: freeze.or_else(|| self.seeing.freeze.clone()),
        };
        // What is wrong is told here, not by whatever is fitted later.
        Timing::new(&seeing, &self.database, self.table).map_err(raised)?;
        Ok(Self {
            source: self.source.clone(),
            database: Arc::clone(&self.database),
            table: self.table,
            rows: self.rows.clone(),
            notices: self.notices.clone(),
            seeing,
        })
    }

    /// The query of a task, which is stated as JSON.
    fn task_sql(&self, definition: &str) -> PyResult<String> {
        let task = task_definition(definition)?;
        let bound = task.bind(&self.database).map_err(raised)?;
        bound.sql().map_err(raised)
    }

    /// The same database with the examples of a task, which is stated as JSON, as one more table,
    /// whose rows these are. With `past`, targets of earlier examples are data for later ones.
    fn with_task(
        &self,
        py: Python<'_>,
        definition: &str,
        name: &str,
        past: bool,
        work: &Work,
    ) -> PyResult<Self> {
        let task = task_definition(definition)?;
        let (database, table) = work.run(py, |_| {
            let bound = task.bind(&self.database)?;
            bound.beside(&bound.make()?, name)
        })?;
        Ok(Self {
            source: self.source.clone(),
            database: Arc::new(database),
            table,
            rows: None,
            notices: self.notices.clone(),
            seeing: TimeChoices {
                horizon: past.then_some(task.horizon),
                ..TimeChoices::default()
            },
        })
    }

    fn __len__(&self) -> usize {
        match &self.rows {
            Some(rows) => rows.len(),
            None => self.database.table(self.table).rows(),
        }
    }

    /// The values of one column of these rows.
    fn column(&self, name: &str) -> PyResult<Column> {
        let attribute = self.database.table(self.table).attribute(self.find(name)?);
        let column = match &self.rows {
            Some(rows) => Arc::new(attribute.column.gather(rows)),
            None => Arc::clone(&attribute.column),
        };
        Ok(Column(column, attribute.ordered))
    }

    /// The columns of the table: name, type, role.
    #[getter]
    fn columns(&self) -> Vec<(String, String, String)> {
        columns_of(self.database.table(self.table))
    }

    /// The names of all tables with their rows, the one of these rows first.
    #[getter]
    fn all_tables(&self) -> Vec<(String, usize)> {
        let tables = self.database.tables().iter().enumerate();
        let mut named: Vec<(bool, String, usize)> = tables
            .map(|(place, table)| (place != self.table, table.name().to_owned(), table.rows()))
            .collect();
        named.sort_by_key(|(other, ..)| *other);
        named
            .into_iter()
            .map(|(_, name, rows)| (name, rows))
            .collect()
    }

    /// The references: table, columns, table, columns.
    #[getter]
    fn keys(&self) -> Vec<Key> {
        let names = |table: usize, columns: &[usize]| {
            let owner = self.database.table(table);
            let names = columns
                .iter()
                .map(|&column| owner.attribute(column).name.clone());
            (owner.name().to_owned(), names.collect())
        };
        let keys = self.database.foreign_keys().iter();
        keys.map(|key| {
            let (from, from_columns) = names(key.from, &key.from_columns);
            let (to, to_columns) = names(key.to, &key.to_columns);
            (from, from_columns, to, to_columns)
        })
        .collect()
    }

    /// Data of another table of the same database.
    fn other(&self, name: &str) -> PyResult<Self> {
        let table = self
            .database
            .find(name)
            .map_err(|error| PyKeyError::new_err(error.to_string()))?;
        Ok(Self {
            source: self.source.clone(),
            database: Arc::clone(&self.database),
            table,
            rows: None,
            notices: Vec::new(),
            seeing: TimeChoices::default(),
        })
    }

    /// What was decided without being asked.
    #[getter]
    fn notices(&self) -> Vec<String> {
        self.notices.clone()
    }

    /// All tables for people, as `kinwood describe` tells them.
    fn describe(&self) -> PyResult<String> {
        guarded(|| {
            let about = About {
                source: self.source.clone(),
                ..About::default()
            };
            Ok(Description::of(&self.database, &about).to_text("`.columns`"))
        })
    }

    /// The data as bytes, for pickling.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut sections = kinwood::container::Sections::new();
        self.database
            .write(&mut sections.scope("data"))
            .map_err(raised)?;
        let (table, rows) = (self.table as u32, self.rows.as_deref());
        let written = sections
            .put_u32("table", &[table])
            .and_then(|()| sections.put_text("source", &[self.source.as_str()]))
            .and_then(|()| rows.map_or(Ok(()), |rows| sections.put_u32("rows", rows)))
            .and_then(|()| match self.seeing.is_empty() {
                true => Ok(()),
                false => sections.put_json("seeing", &self.seeing),
            })
            .and_then(|()| sections.to_bytes());
        Ok(PyBytes::new(py, &written.map_err(raised)?))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py>> {
        let again = slf.get_type().getattr("from_bytes")?;
        Ok((again, (slf.get().to_bytes(slf.py())?,)))
    }

    /// The data of such bytes.
    #[staticmethod]
    fn from_bytes(bytes: Vec<u8>) -> PyResult<Self> {
        let read = || -> kinwood::Result<Self> {
            let stored = kinwood::container::Stored::from_bytes(bytes)?;
            let database = Database::read(&stored.scope("data"))?;
            let tables = database.tables().len();
            let table = stored.indices("table", tables)?;
            let table = table.first().map_or(0, |&table| table as usize);
            let rows = match stored.has("rows") {
                true => Some(Arc::new(
                    stored.indices("rows", database.table(table).rows())?,
                )),
                false => None,
            };
            Ok(Self {
                source: stored.text("source")?.join(""),
                database: Arc::new(database),
                table,
                rows,
                notices: Vec::new(),
                seeing: match stored.has("seeing") {
                    true => stored.json("seeing")?,
                    false => TimeChoices::default(),
                },
            })
        };
        guarded(|| read().map_err(raised))
    }
}

/// The columns of a table: name, type, role.
/// A task as Python states it.
fn task_definition(definition: &str) -> PyResult<TaskDefinition> {
    serde_json::from_str(definition).map_err(|error| PyValueError::new_err(error.to_string()))
}

pub(crate) fn columns_of(table: &Table) -> Vec<(String, String, String)> {
    let told = |attribute: &Attribute| {
        (
            attribute.name.clone(),
            attribute.type_of().to_string(),
            attribute.role.to_string(),
        )
    };
    table.attributes().iter().map(told).collect()
}

/// Whether a row is taken more than once.
fn repeated(rows: &[u32]) -> bool {
    let mut seen = std::collections::HashSet::with_capacity(rows.len());
    !rows.iter().all(|row| seen.insert(*row))
}

/// A table alone. Where roles make an input of no column, all are inputs: there would be nothing to
/// learn from.
fn flat(table: Table, notices: Vec<String>, roles: bool) -> PyResult<Data> {
    let given = |table, all_inputs, notices: &[String]| Tables {
        source: name_of(&table),
        tables: vec![table],
        all_inputs,
        notices: notices.iter().cloned().map(Notice::new).collect(),
        ..Tables::default()
    };
    if roles {
        let guessed = gather(given(table.clone(), false, &notices)).map_err(raised)?;
        let attributes = guessed.database().table(0).attributes();
        if attributes.iter().any(|of| of.role == Role::Input) {
            return Ok(Data::of(&guessed, 0));
        }
    }
    let data = gather(given(table, true, &notices)).map_err(raised)?;
    Ok(Data::of(&data, 0))
}

fn name_of(table: &Table) -> String {
    table.name().to_owned()
}
